//! Many questions about one game, as sweeps of tables and claims ask them: each is answered by a short search that knows the
//! answers before, until so much was searched that a table ahead of the questions costs less.

use crate::engines::by_tables;
use crate::engines::by_tables::Ahead;
use crate::memo::QueryHistory;
use crate::tables::Kind;
use crate::tuning;
use crate::value::fault::Run;
use crate::vm::context::Context;

impl QueryHistory {
    fn done(&self) -> u64 {
        self.asked * tuning::SWEEP_ASKED + self.opened
    }
}

/// Notes that a component is asked about that no table knows; when much was done for its instance, makes a table of it and
/// of others that may be asked about next.
pub(super) fn ask(ctx: &mut Context, id: u32, kind: Kind) -> Run<()> {
    let instance = ctx.store.instance_of[id as usize];
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
    let made = by_tables::decide_ahead(ctx, id, kind, &Ahead { most: &most, cells: done * tuning::SWEEP_CELLS })?;
    ctx.memo.histories.entry(instance).or_default().next = if made { 0 } else { done * 2 };
    Ok(())
}

/// Notes that a component was asked about that a table knows.
pub(super) fn answered(ctx: &mut Context, id: u32) {
    let instance = ctx.store.instance_of[id as usize];
    ctx.memo.histories.entry(instance).or_default().asked += 1;
}

/// Whether it is worth while to look whether a table or a graph can be made for a component: little time went into that so
/// far, or it is much larger than those before.
pub(super) fn is_worth_a_look(ctx: &Context, id: u32) -> bool {
    let instance = ctx.store.instance_of[id as usize];
    let (Some(words), Some(history)) = (ctx.store.state_words(id), ctx.memo.histories.get(&instance)) else {
        return true;
    };
    let larger = |(&word, &most): (&i64, &i64)| word > most.saturating_mul(2).saturating_add(2);
    history.looked <= history.done().saturating_add(ctx.options.trial).saturating_mul(tuning::SWEEP_LOOKS)
        || words.iter().zip(&history.most).any(larger)
}

/// Notes that this was looked for, and whether a table or graph of so many positions was found.
pub(super) fn looked(ctx: &mut Context, id: u32, found: Option<u64>) {
    let (instance, trial) = (ctx.store.instance_of[id as usize], ctx.options.trial);
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
pub(super) fn opened(ctx: &mut Context, id: u32, positions: u64) {
    let instance = ctx.store.instance_of[id as usize];
    ctx.memo.histories.entry(instance).or_default().opened += positions;
}

/// Whether so much was searched for the instance of a component, by short searches, that a graph of its positions is worth it.
pub(super) fn goes_on(ctx: &Context, id: u32) -> bool {
    let instance = ctx.store.instance_of[id as usize];
    let done = ctx.memo.histories.get(&instance).map_or(0, QueryHistory::done);
    ctx.options.trial > 0
        && done >= ctx.options.trial.saturating_mul(tuning::SWEEP_SHORT)
        && ctx.limits.positions.is_none()
}

/// Makes words no less than those that were asked about.
pub(super) fn widen(ctx: &Context, id: u32, most: &mut [i64]) {
    let instance = ctx.store.instance_of[id as usize];
    if let Some(history) = ctx.memo.histories.get(&instance) {
        most.iter_mut().zip(&history.most).for_each(|(most, &word)| *most = word.max(*most));
    }
}
