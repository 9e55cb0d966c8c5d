//! Many questions about one game, as sweeps of tables and claims ask them. Each is answered by a short search that knows the
//! answers before, until so much was searched that a table ahead of the questions costs less.

use crate::engines::by_tables::{cell, decide, is_begun, positions, whole_box};
use crate::engines::sample::Plan;
use crate::memo::QueryHistory;
use crate::store::ComponentId;
use crate::tables::{Kind, Table};
use crate::tuning;
use crate::value::Run;
use crate::value::refusal::refusal;
use crate::vm::context::Context;

/// Positions that may be asked about.
pub(super) struct Ahead {
    /// The greatest words.
    pub(super) most: Vec<i64>,
    /// The box has no more cells.
    pub(super) cells: u64,
}

impl Ahead {
    /// Those up to twice as great as these words.
    pub(super) fn twice(words: &[i64], cells: u64) -> Ahead {
        Ahead { most: words.iter().map(|word| word.saturating_mul(2).saturating_add(1)).collect(), cells }
    }

    /// A table does not know this position, since it is larger: others, larger by a quarter in the same fields, may come next.
    pub(super) fn larger(ctx: &Context, plan: &Plan, kind: Kind) -> Option<Ahead> {
        let Some(Table::Dense(known)) = ctx.memo.tables.get(&(plan.instance, kind)) else { return None };
        let start = &plan.part.start;
        if ctx.session.tables.is_some() || ctx.limits.positions.is_some() || known.grid.rank(start).is_some() {
            return None;
        }
        let zeros = vec![0; start.len()];
        let reached = |(field, most): (usize, &i64)| {
            let mut alone = zeros.clone();
            alone[field] = start[field];
            let before = known.grid.digits.get(field).map_or(0, |digit| digit.span.last());
            if known.grid.rank(&alone).is_some() { before.max(*most) } else { most.saturating_add(most / 4) }
        };
        Some(Ahead { most: plan.part.most.iter().enumerate().map(reached).collect(), cells: u64::MAX })
    }
}

/// Makes a table for a component and others that may be asked about; `false`: there is none, or it does not know this one.
fn decide_ahead(ctx: &mut Context, id: ComponentId, kind: Kind, ahead: &Ahead) -> Run<bool> {
    let instance = ctx.store.instance_of[id.index()];
    if ctx.options.plain || ctx.memo.table_refusals.contains_key(&(instance, kind)) {
        return Ok(false);
    }
    let Ok(plan) = refusal(Plan::new(ctx, id))? else { return Ok(false) };
    if plan.part.cyclic {
        return Ok(false);
    }
    let made = refusal(whole_box(ctx, &plan, kind, Some(ahead)))?;
    Ok(made.map(|table| ctx.memo.tables.insert((instance, table.cell().kind), table)).is_ok())
}

impl QueryHistory {
    fn done(&self) -> u64 {
        self.asked * tuning::SWEEP_ASKED + self.opened
    }
}

/// Notes that a component is asked about that no table knows; when much was done for its instance, makes a table of it and
/// of others that may be asked about next.
pub(super) fn note_asked(ctx: &mut Context, id: ComponentId, kind: Kind) -> Run<()> {
    let instance = ctx.store.instance_of[id.index()];
    let Some(words) = ctx.store.state_words(id) else { return Ok(()) };
    let trial = ctx.options.trial;
    let history = ctx.memo.histories.entry(instance).or_default();
    history.asked += 1;
    history.most.resize(words.len(), 0);
    history.most.iter_mut().zip(&words).for_each(|(most, &word)| *most = word.max(*most));
    let done = history.done();
    // Who counts positions wants no more of them than needed.
    if done < history.next.max(trial) || ctx.limits.positions.is_some() {
        return Ok(());
    }
    let most = history.most.clone();
    // What lies outside of a table made here is twice as great in some field: that happens seldom.
    let made = decide_ahead(ctx, id, kind, &Ahead::twice(&most, done * tuning::SWEEP_CELLS))?;
    ctx.memo.histories.entry(instance).or_default().next = if made { 0 } else { done * 2 };
    Ok(())
}

/// Notes that a component is asked about, and makes a table that knows it, if none does and one is worth while; `false`: it is not
/// worth while to look for a graph either.
pub(super) fn asked(ctx: &mut Context, id: ComponentId, kind: Kind) -> Run<bool> {
    if cell(ctx, id, kind).is_some() {
        note_answered(ctx, id);
        return Ok(true);
    }
    // Before it is one of those asked about.
    let look = is_worth_a_look(ctx, id) || matches!(kind, Kind::Wins { .. }) && is_begun(ctx, id, kind);
    note_asked(ctx, id, kind.whole())?;
    if look && cell(ctx, id, kind).is_none() {
        let found = decide(ctx, id, kind)?;
        note_looked(ctx, id, found.then(|| positions(ctx, id)));
    }
    Ok(look)
}

/// Notes that a component was asked about that a table knows.
pub(super) fn note_answered(ctx: &mut Context, id: ComponentId) {
    ctx.memo.histories.entry(ctx.store.instance_of[id.index()]).or_default().asked += 1;
}

/// Whether it is worth while to look whether a table or a graph can be made for a component: little time went into that so
/// far, or it is much larger than those before.
fn is_worth_a_look(ctx: &Context, id: ComponentId) -> bool {
    let instance = ctx.store.instance_of[id.index()];
    let (Some(words), Some(history)) = (ctx.store.state_words(id), ctx.memo.histories.get(&instance)) else {
        return true;
    };
    let larger = |(&word, &most): (&i64, &i64)| word > most.saturating_mul(2).saturating_add(2);
    history.looked <= history.done().saturating_add(ctx.options.trial).saturating_mul(tuning::SWEEP_LOOKS)
        || words.iter().zip(&history.most).any(larger)
}

/// Notes that this was looked for, and whether a table or graph of so many positions was found.
pub(super) fn note_looked(ctx: &mut Context, id: ComponentId, found: Option<u64>) {
    let (instance, trial) = (ctx.store.instance_of[id.index()], ctx.options.trial);
    let history = ctx.memo.histories.entry(instance).or_default();
    let positions = match found {
        None => trial,
        // Few large questions are best answered so.
        Some(_) if history.done() < trial => 0,
        Some(positions) => trial.saturating_add(positions / tuning::SWEEP_CELLS),
    };
    history.looked = history.looked.saturating_add(positions);
}

/// Notes that so many positions were opened.
pub(super) fn note_opened(ctx: &mut Context, id: ComponentId, positions: u64) {
    ctx.memo.histories.entry(ctx.store.instance_of[id.index()]).or_default().opened += positions;
}

/// Whether so much was searched for the instance of a component, by short searches, that a graph of its positions is worth it.
pub(super) fn goes_on(ctx: &Context, id: ComponentId) -> bool {
    let done = ctx.memo.histories.get(&ctx.store.instance_of[id.index()]).map_or(0, QueryHistory::done);
    ctx.options.trial > 0
        && done >= ctx.options.trial.saturating_mul(tuning::SWEEP_SHORT)
        && ctx.limits.positions.is_none()
}

/// Makes words no less than those that were asked about.
pub(super) fn widen(ctx: &Context, id: ComponentId, most: &mut [i64]) {
    if let Some(history) = ctx.memo.histories.get(&ctx.store.instance_of[id.index()]) {
        most.iter_mut().zip(&history.most).for_each(|(most, &word)| *most = word.max(*most));
    }
}
