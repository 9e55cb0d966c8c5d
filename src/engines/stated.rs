//! The winning moves that `theorem winning` lines state: each is held against the rules by itself, the others are
//! never tried.
//!
//! A move's binders become inputs of the code and what they run through becomes a condition
//! (`bytecode/lower/given.rs`), so that nothing is enumerated. A line that states moves by one large set, of a move of
//! which nothing is asked but that its binder is in some collection, is counted at once.

use crate::answer::MoveList;
use crate::engines::engine::Verdict;
use crate::engines::query::{NamedMove, Root, RootMove};
use crate::engines::theorem::speaks_of;
use crate::engines::values::KnownValues;
use crate::model::{Clause, Game, Pattern, Slot, TheoremSays};
use crate::store::ComponentId;
use crate::syntax::tree::Which;
use crate::value::limits::Pace;
use crate::value::{Items, Run, Value};
use crate::vm::context::Context;
use crate::vm::run::{Options, Status};
use num_bigint::BigUint;

#[derive(Default)]
pub(super) struct Stated {
    pub(super) count: u64,
    pub(super) first: Vec<RootMove>,
}

impl Stated {
    /// The same as answers, `most` of them listed.
    pub(super) fn answers(&self, root: &Root, ctx: &mut Context, most: usize) -> MoveList {
        let listed = self.first.iter().take(most).map(|mv| root.answer(ctx, mv)).collect();
        MoveList { count: self.count, listed, far: false }
    }

    /// Whether the first `most` of them lead to sums of value 0, from a sum of the value `total`.
    pub(super) fn all_win(
        &self,
        ctx: &mut Context,
        root: &Root,
        total: &BigUint,
        values: &mut KnownValues,
        most: u64,
    ) -> Run<bool> {
        for (mv, _) in self.first.iter().zip(0..most) {
            if values.verdict(ctx, root, mv, total)? != Some(Verdict::Wins) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The stated moves of one name, in the order of their binders.
type Line<'p> = (&'p str, Vec<Vec<Value>>);

/// The moves that exist among those that the lines state to win a single component, or to draw it, `most` of them in
/// full; `None` when there are no such lines. The cost is that of the lines and of the conditions of each stated move;
/// where moves are looked at by trying all of them, that of all moves.
pub(super) fn moves(ctx: &mut Context, root: &Root, which: Which<()>, most: usize) -> Run<Option<Stated>> {
    let [id] = root.ids[..] else { return Ok(None) };
    if !speaks_of(ctx, id)? {
        return Ok(None);
    }
    if let Some(stated) = set(ctx, id, which, most)? {
        return Ok(Some(stated));
    }
    let program = ctx.session.program.clone();
    let mut lines: Vec<Line<'_>> = Vec::new();
    for (name, clauses, slots) in lines_of(&program.games[ctx.store.game_of(id).0], which) {
        add(&mut lines, name, ctx.ways_at(id, clauses, slots)?);
    }
    if lines.is_empty() {
        return Ok(None);
    }
    if ctx.status(id)? != Status::Open {
        return Ok(Some(Stated::default()));
    }
    match one_by_one(ctx, (0, id), &mut lines, most)? {
        Some(stated) => Ok(Some(stated)),
        None => among_all(ctx, root, id, &lines).map(Some),
    }
}

/// The lines that state which moves win, or draw: names, clauses and binders.
fn lines_of(game: &Game, which: Which<()>) -> impl Iterator<Item = (&str, &[Clause], &[Slot])> {
    game.theorems.iter().filter_map(move |theorem| match (&theorem.says, which) {
        (TheoremSays::Moves { which: Which::Winning, name, clauses, slots }, Which::Winning)
        | (TheoremSays::Moves { which: Which::Drawing, name, clauses, slots }, Which::Drawing) => {
            Some((name.as_str(), &clauses[..], &slots[..]))
        }
        _ => None,
    })
}

/// The same where one line states the moves of one name by a large set, and that they are all there is told at once; else
/// `None`.
fn set(ctx: &mut Context, id: ComponentId, which: Which<()>, most: usize) -> Run<Option<Stated>> {
    let program = ctx.session.program.clone();
    let game = &program.games[ctx.store.game_of(id).0];
    let mut lines = lines_of(game, which);
    let (Some((name, clauses, slots)), None) = (lines.next(), lines.next()) else { return Ok(None) };
    let [Clause::In { pattern: Pattern::Slot(slot), source, .. }] = clauses else { return Ok(None) };
    let mut same = (0..game.moves.len()).filter(|&i| game.moves[i].name == name);
    let (Some(index), None) = (same.next(), same.next()) else { return Ok(None) };
    if slots[..] != [*slot] || !game.legal.is_empty() || ctx.status(id)? != Status::Open {
        return Ok(None);
    }
    let Value::Set(all @ Items::Packed(_)) = ctx.eval_at(id, source)? else { return Ok(None) };
    if !ctx.all_are_moves(id, index, &all)? {
        return Ok(None);
    }
    let ways: Vec<Vec<Value>> = (0..most).map_while(|i| all.item(i)).map(|item| vec![item]).collect();
    let more = (all.len() - ways.len()) as u64;
    let stated = one_by_one(ctx, (0, id), &mut [(name, ways)], most)?;
    Ok(stated.map(|stated| Stated { count: stated.count + more, ..stated }))
}

/// The moves of the i-th component to the Grundy value `to` that the lines of its game state, as [`moves`]; `None` when the
/// moves of some name are not stated, or cannot be looked at one by one.
pub(super) fn moves_to(ctx: &mut Context, root: &Root, i: usize, to: &Value, most: usize) -> Run<Option<Stated>> {
    let id = root.ids[i];
    let program = ctx.session.program.clone();
    let game = &program.games[ctx.store.game_of(id).0];
    if !speaks_of(ctx, id)? {
        return Ok(None);
    }
    let mut lines: Vec<Line<'_>> = Vec::new();
    for theorem in &game.theorems {
        if let TheoremSays::Moves { which: Which::To(slot), name, clauses, slots } = &theorem.says {
            add(&mut lines, name, ctx.ways_with(id, clauses, (*slot, to), slots)?);
        }
    }
    if game.moves.iter().any(|mv| !lines.iter().any(|(name, _)| *name == mv.name)) {
        return Ok(None);
    }
    if lines.iter().all(|(_, ways)| ways.is_empty()) || ctx.status(id)? != Status::Open {
        return Ok(Some(Stated::default()));
    }
    one_by_one(ctx, (i, id), &mut lines, most)
}

fn add<'p>(lines: &mut Vec<Line<'p>>, name: &'p str, ways: Vec<Vec<Value>>) {
    match lines.iter_mut().find(|(known, _)| *known == name) {
        Some((_, all)) => all.extend(ways),
        None => lines.push((name, ways)),
    }
}

/// Looks at each stated move alone; `None` when the binders of some line cannot be given.
fn one_by_one(
    ctx: &mut Context,
    (i, id): (usize, ComponentId),
    lines: &mut [Line<'_>],
    most: usize,
) -> Run<Option<Stated>> {
    for (_, ways) in lines.iter_mut() {
        if !ways.is_sorted_by(|a, b| a < b) {
            ways.sort_unstable();
            ways.dedup();
        }
    }
    let program = ctx.session.program.clone();
    let game = &program.games[ctx.store.game_of(id).0];
    let mut stated = Stated::default();
    let mut pace = Pace::default();
    let mut names: Vec<&str> = Vec::new();
    let mut room = Options::default();
    for mv in &game.moves {
        if names.contains(&mv.name.as_str()) {
            continue;
        }
        names.push(&mv.name);
        let Some((_, ways)) = lines.iter().find(|(name, _)| *name == mv.name) else { continue };
        let same: Vec<usize> = (0..game.moves.len()).filter(|&i| game.moves[i].name == mv.name).collect();
        // Lines of one name may lead to the same position, and what is legal only positions tell.
        let in_full = same.len() > 1 || !game.legal.is_empty();
        for binders in ways {
            pace.spend(&ctx.limits, 16)?;
            if stated.first.len() >= most && !in_full {
                match ctx.has_move(id, same[0], binders, &mut room)? {
                    Some(has) => stated.count += u64::from(has),
                    None => return Ok(None),
                }
                continue;
            }
            let mut outs = Vec::with_capacity(same.len());
            for &index in &same {
                let mut out = Options::named();
                if !ctx.option_by_name(id, index, binders, &mut out)? {
                    return Ok(None);
                }
                outs.push(out);
            }
            let steps = Root::distinct(ctx, id, outs)?;
            stated.count += steps.len() as u64;
            let room = most.saturating_sub(stated.first.len());
            stated.first.extend(steps.into_iter().take(room).map(|step| RootMove { steps: vec![(i, step)] }));
        }
    }
    Ok(Some(stated))
}

/// Finds the stated moves among all moves.
fn among_all(ctx: &mut Context, root: &Root, id: ComponentId, lines: &[Line<'_>]) -> Run<Stated> {
    let program = ctx.session.program.clone();
    let game = &program.games[ctx.store.game_of(id).0];
    let is_stated = |step: &NamedMove| {
        let name = &game.moves[step.index].name;
        lines.iter().any(|(stated, ways)| stated == name && ways.binary_search(&step.binders).is_ok())
    };
    let (_, steps) = root.steps(ctx, id)?;
    let first: Vec<RootMove> =
        steps.into_iter().filter(is_stated).map(|step| RootMove { steps: vec![(0, step)] }).collect();
    Ok(Stated { count: first.len() as u64, first })
}
