//! Positions that are searched as a whole; of one component also by a table of its outcomes, or by a graph of states where
//! play can come back.

use crate::answer::{GrundyValue, Method, Outcome};
use crate::engines::engine::{Engine, PlanLines, Question, Reason, Solution, Wanted, for_mover, internal_error};
use crate::engines::explore::{self, Keys, PositionGraph, sorted};
use crate::engines::grundy::Mex;
use crate::engines::query::{Root, RootMove};
use crate::engines::score::{self, is_scored};
use crate::engines::{asked, by_tables, cyclic, first_win, sums};
use crate::graph_search::NodeId;
use crate::graph_search::retrograde::{Cells, retrograde};
use crate::memo::Decided;
use crate::store::ComponentId;
use crate::tables::Kind;
use crate::value::{Halt, Run};
use crate::vm::context::Context;

/// Retrograde analysis of the positions that one component comes to, while none of its moves leads to a sum.
pub(crate) struct OneComponent;

impl Engine for OneComponent {
    fn fits(&self, _: &mut Context, question: &Question) -> Run<Result<(), Reason>> {
        Ok(match question.single() {
            None => Err("not one component".into()),
            Some(_) if question.wanted == Wanted::Outcome => Err("who wins is found sooner depth first".into()),
            Some(_) => Ok(()),
        })
    }

    fn solve(&self, ctx: &mut Context, question: &Question) -> Run<Result<Solution, Reason>> {
        match component_graph(ctx, question)? {
            Some(graph) => decided(ctx, question, graph).map(Ok),
            None => Ok(Err("its moves lead to sums".into())),
        }
    }
}

/// Sums in which no play comes back to a position, depth first.
pub(crate) struct SumsDepthFirst;

impl Engine for SumsDepthFirst {
    fn fits(&self, _: &mut Context, question: &Question) -> Run<Result<(), Reason>> {
        let disjunctive = question.root.mode.compound.is_none();
        Ok(if disjunctive { Ok(()) } else { Err("a compound is no disjunctive sum".into()) })
    }

    fn solve(&self, ctx: &mut Context, question: &Question) -> Run<Result<Solution, Reason>> {
        let misere = question.root.mode.misere;
        let key = sorted(&question.root.ids);
        let Some(found) = sums::decide(ctx, &key, misere, question.wanted, true)? else {
            return Ok(Err("a play comes back to a position".into()));
        };
        let Decided { outcome, remoteness } = found.decided;
        let judge = move |ctx: &mut Context, root: &Root, mv: &RootMove| {
            let ids = root.key_after(mv);
            // Not known: only who wins was asked, or a question of the rules made room in a full table.
            match sums::outcome(ctx, &ids, misere) {
                Some(outcome) => Ok(for_mover(outcome, mv.keeps_turn())),
                None => first_win::judged(ctx, root, mv),
            }
        };
        let solution = Solution::new(outcome, Method::Search, found.positions, judge);
        Ok(Ok(solution.with_remoteness((question.wanted != Wanted::Outcome).then_some(remoteness.into()))))
    }
}

/// Retrograde analysis of all positions that can be reached: takes every question.
pub(crate) struct Retrograde;

impl Engine for Retrograde {
    fn fits(&self, _: &mut Context, _: &Question) -> Run<Result<(), Reason>> {
        Ok(Ok(()))
    }

    fn solve(&self, ctx: &mut Context, question: &Question) -> Run<Result<Solution, Reason>> {
        let root = question.root;
        let graph = match component_graph(ctx, question)? {
            Some(graph) => graph,
            None => explore::sums(ctx, root.mode, &sorted(&root.ids), false, true)?,
        };
        decided(ctx, question, graph).map(Ok)
    }
}

/// The graph of components that a single component comes to; `None` when there are several, or moves lead to sums.
fn component_graph(ctx: &mut Context, question: &Question) -> Run<Option<PositionGraph>> {
    match question.single() {
        Some(id) => explore::components(ctx, question.root.mode, id, true),
        None => Ok(None),
    }
}

fn decided(ctx: &mut Context, question: &Question, graph: PositionGraph) -> Run<Solution> {
    let root = question.root;
    let cells = retrograde(&ctx.limits, &graph.reversed(), root.mode.misere)?;
    let Decided { outcome, remoteness } = cells.decided(NodeId::FIRST);
    let positions = graph.len() as u64;
    remember(ctx, root, &graph, &cells);
    let judge = move |ctx: &mut Context, root: &Root, mv: &RootMove| {
        let key = root.key_after(mv);
        let found = graph.find(&key).map(|node| cells.decided(node));
        let found = found.or_else(|| ctx.memo.decided.get(&root.mode)?.get(&key).copied());
        Ok(for_mover(found.ok_or_else(internal_error)?.outcome, mv.keeps_turn()))
    };
    let solution = Solution::new(outcome, Method::Retrograde, positions, judge);
    let mut solution = solution.with_remoteness(Some(u64::from(remoteness)));
    flattened_grundy(&mut solution, ctx, root)?;
    Ok(solution)
}

/// The Grundy value of a compound in normal play: of the flattened game (rule 32).
fn flattened_grundy(solution: &mut Solution, ctx: &mut Context, root: &Root) -> Run<()> {
    if root.mode.misere || root.mode.compound.is_none() {
        return Ok(());
    }
    // Positions decided earlier have no moves in the first graph: look again without what is remembered.
    let graph = explore::sums(ctx, root.mode, &sorted(&root.ids), false, false)?;
    if let Some(why) = graph.met.forbids_grundy() {
        solution.no_value = Some(why.to_string());
        return Ok(());
    }
    let Some(order) = score::bottom_up(&graph) else {
        solution.no_value = Some("it is a compound of cyclic games".to_string());
        return Ok(());
    };
    let (mut values, mut mex) = (vec![0u32; graph.len()], Mex::default());
    for node in order {
        graph.moves(node).iter().for_each(|edge| mex.add(values[edge.node().index()]));
        values[node.index()] = mex.take();
    }
    solution.grundy = Some(GrundyValue::Nimber(u64::from(values[0])));
    Ok(())
}

/// Keeps what was decided for later questions, as long as it is not too much.
fn remember(ctx: &mut Context, root: &Root, graph: &PositionGraph, cells: &Cells) {
    /// More decided positions than this are not kept.
    const KEPT: usize = 1 << 18;
    let known = ctx.memo.decided.entry(root.mode).or_default();
    let limit = if matches!(graph.keys, Keys::Components { .. }) { KEPT } else { KEPT / 4 };
    if known.len() + graph.len() > limit {
        return;
    }
    for node in graph.ids() {
        known.insert(graph.key(node), cells.decided(node));
    }
}

/// Outcomes of all states of one component in a table, or in a graph that is gone through backwards.
pub(crate) struct Tables;

impl Engine for Tables {
    fn fits(&self, _: &mut Context, question: &Question) -> Run<Result<(), Reason>> {
        Ok(question.single().map(|_| ()).ok_or("not one component".into()))
    }

    fn solve(&self, ctx: &mut Context, question: &Question) -> Run<Result<Solution, Reason>> {
        let refused = || "neither a table nor a graph of states can be made".into();
        let Some(id) = question.single() else { return Ok(Err(refused())) };
        let misere = question.root.mode.misere;
        let kind = Kind::Outcome { misere };
        let look = asked::asked(ctx, id, kind)?;
        if let Some((value, far)) = by_tables::read(ctx, id, kind) {
            let positions = by_tables::positions(ctx, id);
            let judge = move |ctx: &mut Context, root: &Root, mv: &RootMove| {
                let [id] = root.key_after(mv)[..] else { return Err(internal_error()) };
                let (value, _) = by_tables::read(ctx, id, kind).ok_or_else(internal_error)?;
                Ok(for_mover(outcome_of_cell(value), mv.keeps_turn()))
            };
            let solution = Solution::new(outcome_of_cell(value), Method::Search, positions, judge);
            return Ok(Ok(solution.with_remoteness(Some(u64::from(far)))));
        }
        if look && cyclic::outcome(ctx, id, misere)?.is_none() {
            let found = cyclic::decide(ctx, id, misere)?;
            asked::note_looked(ctx, id, found.then(|| cyclic::positions(ctx, id, misere)));
        }
        Ok(graph_solution(ctx, id, misere)?.ok_or_else(refused))
    }

    fn plan(&self, ctx: &mut Context, question: &Question, name: &str) -> Run<PlanLines> {
        let root = question.root;
        let fit = if is_scored(ctx, root) {
            Err("a scoring game".into())
        } else if root.mode.compound.is_some() {
            Err("a compound is judged by its parts or searched whole".into())
        } else if root.mode.misere && root.ids.len() != 1 {
            Err("a sum in misere play is searched whole".into())
        } else {
            forecast(ctx, root)?.map(Some)
        };
        Ok(vec![(name.to_string(), fit)])
    }
}

fn forecast(ctx: &mut Context, root: &Root) -> Run<Result<String, Reason>> {
    let kind = if root.mode.misere { Kind::Outcome { misere: true } } else { Kind::GrundyFar };
    let mut why = "there are no components".into();
    for &id in &root.ids {
        match by_tables::forecast(ctx, id, kind) {
            Ok(Ok(forecast)) => return Ok(Ok(forecast)),
            Ok(Err(refusal)) => why = refusal.into(),
            Err(Halt::Error(error)) => why = format!("the rules fail: {}", error.message).into(),
            Err(Halt::Fault(fault)) => why = format!("the rules fail: {}", fault.message).into(),
            Err(again) => return Err(again),
        }
    }
    Ok(Err(why))
}

/// The outcome that a cell stands for.
pub(super) fn outcome_of_cell(value: u32) -> Outcome {
    match value {
        0 => Outcome::Second,
        1 => Outcome::Draw,
        _ => Outcome::First,
    }
}

/// The solution of a component that is a node of a graph of states that was worked out; `misere`: who cannot move wins.
pub(crate) fn graph_solution(ctx: &Context, id: ComponentId, misere: bool) -> Run<Option<Solution>> {
    let Some(Decided { outcome, remoteness }) = cyclic::outcome(ctx, id, misere)? else { return Ok(None) };
    let judge = move |ctx: &mut Context, root: &Root, mv: &RootMove| {
        let [id] = root.key_after(mv)[..] else { return Err(internal_error()) };
        Ok(for_mover(cyclic::outcome(ctx, id, misere)?.ok_or_else(internal_error)?.outcome, mv.keeps_turn()))
    };
    let solution = Solution::new(outcome, Method::Retrograde, cyclic::positions(ctx, id, misere), judge);
    Ok(Some(solution.with_remoteness(Some(remoteness.into()))))
}
