//! The remoteness of disjunctive sums in normal play whose components have values.
//!
//! Values add up and remoteness does not: it needs the positions of the whole sum. But who wins each of them is known from
//! the values, so the winner's other moves need not be followed: the winner only ever moves to a position that is lost, the
//! loser may do anything. What is left is decided by the usual layers. Components without moves are dropped from positions,
//! for they change nothing.
//!
//! Beside an answer that needs no remoteness the search is short; it counts positions and words and not seconds. Beyond
//! that the remoteness is left out, and a theorem that the search contradicts is not used.

use crate::answer::{GrundyValue, Outcome};
use crate::engines::engine::{Question, Solution, UseParts, Wanted, choose, internal_error};
use crate::engines::explore::{self, Node, PositionGraph};
use crate::engines::query::Root;
use crate::engines::space::{Goal, MOVE_WORDS, Space};
use crate::engines::values::{NORMAL, SumValue, worked_out};
use crate::graph_search::retrograde::{Cells, Decided, retrograde};
use crate::graph_search::{Edge, NodeId};
use crate::memo::UNKNOWN;
use crate::store::{ComponentId, IndexSet};
use crate::tuning;
use crate::value::limits::Pace;
use crate::value::{Run, width};
use crate::vm::context::Context;
use hashbrown::HashMap;
use std::rc::Rc;

struct Part {
    value: GrundyValue,
    /// Of each option the components that have moves, sorted, and its value.
    options: Vec<(Box<[ComponentId]>, SumValue)>,
}

/// A search so short that it is always worth trying; `None` when it is too short, or fails. Its limits count and do not
/// time, so that answers are the same on every machine.
pub(crate) fn tried(ctx: &mut Context, root: &Root) -> Option<Solution> {
    if root.ids.len() as u64 > tuning::REMOTENESS.positions {
        let mut distinct = root.ids.clone();
        distinct.sort_unstable();
        distinct.dedup();
        // Each is a position at least.
        if distinct.len() as u64 > tuning::REMOTENESS.positions {
            return None;
        }
    }
    let trial = crate::engines::in_proportion(ctx, root, tuning::REMOTENESS);
    let tried = ctx.within_budget(|ctx| ctx.within_trial(trial, |ctx| short(ctx, root)));
    // What goes wrong here is beyond what was asked: the answer stands without it.
    tried?.ok()
}

fn short(ctx: &mut Context, root: &Root) -> Run<Solution> {
    let question = Question { parts: UseParts::Never, ..Question::search(root, Wanted::Value) };
    let mut solution = choose(ctx, &question)?;
    if solution.lacks_remoteness() {
        // The outcome and the value are worth having too.
        let words = Some(tuning::REMOTENESS_WORDS);
        solution.remoteness = of_sum(ctx, &root.ids, solution.outcome, words).unwrap_or(None);
    }
    Ok(solution)
}

/// The remoteness of the sum of these components, whose values were worked out and say who wins; `None` when so many
/// `words` are not enough.
pub(crate) fn of_sum(ctx: &mut Context, ids: &[ComponentId], outcome: Outcome, words: Option<u64>) -> Run<Option<u64>> {
    let mut search = Search {
        space: Space::default(),
        parts: HashMap::new(),
        keys: IndexSet::default(),
        graph: PositionGraph::default(),
        pace: Pace::default(),
        words,
    };
    let found = search.run(ctx, ids, outcome);
    ctx.charge(width::int(search.pace.spent()));
    let Some((decided, wins)) = found? else { return Ok(None) };
    if decided.outcome != if wins { Outcome::First } else { Outcome::Second } {
        return Err(internal_error());
    }
    Ok(Some(u64::from(decided.remoteness)))
}

struct Search {
    space: Space,
    parts: HashMap<ComponentId, Rc<Part>>,
    keys: IndexSet<Box<[ComponentId]>>,
    graph: PositionGraph,
    pace: Pace,
    words: Option<u64>,
}

impl Search {
    fn run(&mut self, ctx: &mut Context, ids: &[ComponentId], outcome: Outcome) -> Run<Option<(Decided, bool)>> {
        let mut key: Vec<ComponentId> = ids.iter().copied().filter(|&id| !is_idle(ctx, id)).collect();
        key.sort_unstable();
        self.keys.insert(key.into());
        self.graph.start.push(0);
        // Of each position: whether its mover wins. Positions after a lost one are won, those kept after a won one lost.
        let mut wins = vec![outcome == Outcome::First];
        let mut at = 0;
        while let Some(key) = self.keys.get_index(at).cloned() {
            if at % (1 << 10) == 0 {
                let each = 96 + self.keys.first().map_or(0, |k| k.len() * 4);
                ctx.check_search(
                    at as u64,
                    ctx.bytes() + self.keys.len() * each + self.graph.edges.len() * 8 + self.space.bytes(),
                )?;
            }
            if let Some(decided) = known(ctx, &key) {
                self.graph.nodes.push(Node::Known(decided));
            } else {
                self.graph.nodes.push(Node::Open);
                if !self.expand(ctx, &key, wins[at])? {
                    return Ok(None);
                }
                wins.resize(self.keys.len(), !wins[at]);
            }
            self.graph.start.push(self.graph.edges.len());
            at += 1;
        }
        let cells = retrograde(&ctx.limits, &self.graph.reversed(), false)?;
        self.remember(ctx, &cells);
        Ok(Some((cells.decided(NodeId::FIRST), wins[0])))
    }

    /// Follows the moves of a position; `false` when the words are used up.
    fn expand(&mut self, ctx: &mut Context, key: &[ComponentId], wins: bool) -> Run<bool> {
        let mut total = SumValue::default();
        for &id in key {
            total.add(&worked_out(ctx, id)?);
        }
        let mut next: Vec<ComponentId> = Vec::with_capacity(key.len() + 4);
        for (i, &id) in key.iter().enumerate() {
            if i > 0 && key[i - 1] == id {
                continue;
            }
            let Some(part) = self.part(ctx, id)? else { return Ok(false) };
            let mut rest = total.clone();
            rest.remove(&part.value);
            for (option, value) in &part.options {
                if !self.spend(ctx, MOVE_WORDS)? {
                    return Ok(false);
                }
                if wins && rest.plus(value).outcome() != Outcome::Second {
                    continue;
                }
                if !self.spend(ctx, key.len())? {
                    return Ok(false);
                }
                next.clear();
                next.extend_from_slice(&key[..i]);
                next.extend_from_slice(&key[i + 1..]);
                next.extend_from_slice(option);
                next.sort_unstable();
                let node = match self.keys.get_index_of(&next[..]) {
                    Some(node) => node,
                    None => self.keys.insert_full(next.as_slice().into()).0,
                };
                self.graph.edges.push(Edge::new(explore::node(node)?, false));
            }
        }
        Ok(true)
    }

    /// Counts words looked at; `false` when there were too many.
    fn spend(&mut self, ctx: &Context, words: usize) -> Run<bool> {
        self.pace.spend(&ctx.limits, words)?;
        Ok(self.words.is_none_or(|most| self.pace.spent() <= most))
    }

    fn part(&mut self, ctx: &mut Context, id: ComponentId) -> Run<Option<Rc<Part>>> {
        if let Some(part) = self.parts.get(&id) {
            return Ok(Some(part.clone()));
        }
        let value = worked_out(ctx, id)?;
        let steps = self.space.steps(ctx, id)?;
        if !self.spend(ctx, steps.steps.len() * MOVE_WORDS)? {
            return Ok(None);
        }
        let mut options = Vec::with_capacity(steps.steps.len());
        for step in &steps.steps {
            // There are values, so no move ends the whole play.
            let Goal::Sum(sum) = &step.to else { return Err(internal_error()) };
            let mut value = SumValue::default();
            for &id in sum {
                value.add(&worked_out(ctx, id)?);
            }
            let live: Box<[ComponentId]> = sum.iter().copied().filter(|&id| !is_idle(ctx, id)).collect();
            options.push((live, value));
        }
        options.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        options.dedup_by(|a, b| a.0 == b.0);
        let part = Rc::new(Part { value, options });
        self.parts.insert(id, part.clone());
        Ok(Some(part))
    }

    /// Keeps what was decided for later questions, as long as it is not too much.
    fn remember(&self, ctx: &mut Context, cells: &Cells) {
        /// More decided sums than this are not kept.
        const KEPT: usize = 1 << 16;
        let known = ctx.memo.decided.entry(NORMAL).or_default();
        if known.len() + self.keys.len() > KEPT {
            return;
        }
        for (node, key) in self.graph.ids().zip(&self.keys) {
            known.insert(key.clone(), cells.decided(node));
        }
    }
}

fn is_idle(ctx: &Context, id: ComponentId) -> bool {
    ctx.memo.nimber(id).is_some() && ctx.memo.remoteness[id.index()] == 0
}

fn known(ctx: &Context, key: &[ComponentId]) -> Option<Decided> {
    if let [id] = key
        && let Some(g) = ctx.memo.nimber(*id)
        && let far = ctx.memo.remoteness[id.index()]
        && far != UNKNOWN
    {
        let outcome = if g == 0 { Outcome::Second } else { Outcome::First };
        return Some(Decided { outcome, remoteness: far });
    }
    ctx.memo.decided.get(&NORMAL)?.get(key).copied()
}
