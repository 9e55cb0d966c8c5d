//! One component whose outcomes native code puts into a table, or into a graph of states where play can come back.

use crate::answer::{Method, Outcome};
use crate::engines::engine::{Engine, Evidence, Question, Reason, Solution, Verdict, for_mover, internal_error};
use crate::engines::query::{Root, RootMove};
use crate::engines::score::is_scored;
use crate::engines::{by_tables, cyclic, query_history};
use crate::tables::Kind;
use crate::value::fault::{Halt, Run};
use crate::vm::context::Context;

/// Outcomes of all states of one component in a table, or in a graph that is gone through backwards.
pub(crate) struct Tables;

impl Engine for Tables {
    fn name(&self) -> &'static str {
        "native code over a table of states"
    }

    fn fits(&self, _: &mut Context, question: &Question) -> Run<Result<(), Reason>> {
        Ok(question.single().map(|_| ()).ok_or("not one component".into()))
    }

    fn solve(&self, ctx: &mut Context, question: &Question) -> Run<Result<Solution, Reason>> {
        let refused = || "neither a table nor a graph of states can be made".into();
        let Some(id) = question.single() else { return Ok(Err(refused())) };
        let misere = question.root.mode.misere;
        let kind = Kind::Outcome { misere };
        let graph = GraphEvidence::new(misere);
        if by_tables::read(ctx, id, kind).is_some() {
            query_history::answered(ctx, id);
        } else {
            // Before it is one of those asked about.
            let look = query_history::is_worth_a_look(ctx, id);
            query_history::ask(ctx, id, kind)?;
            if by_tables::read(ctx, id, kind).is_none() {
                if !look {
                    return Ok(graph.solution(ctx, id).ok_or_else(refused));
                }
                let found = by_tables::decide(ctx, id, kind)?;
                query_history::looked(ctx, id, found.then(|| by_tables::positions(ctx, id)));
            }
        }
        if let Some((value, far)) = by_tables::read(ctx, id, kind) {
            let positions = by_tables::positions(ctx, id);
            let solution = Solution::new(outcome_of_cell(value), Method::Search, positions, TableEvidence(kind));
            return Ok(Ok(solution.with_remoteness(Some(u64::from(far)))));
        }
        if cyclic::outcome(ctx, id, misere).is_none() {
            let found = cyclic::decide(ctx, id, misere)?;
            query_history::looked(ctx, id, found.then(|| cyclic::positions(ctx, id, misere)));
        }
        Ok(graph.solution(ctx, id).ok_or_else(refused))
    }

    fn plan(&self, ctx: &mut Context, question: &Question) -> Run<Vec<(String, Result<(), Reason>)>> {
        let root = question.root;
        let mut name = self.name().to_string();
        let fit = if is_scored(ctx, root) {
            Err("a scoring game".into())
        } else if root.mode.compound.is_some() {
            Err("a compound is judged by its parts or searched whole".into())
        } else if root.mode.misere && root.ids.len() != 1 {
            Err("a sum in misere play is searched whole".into())
        } else {
            forecast(ctx, root)?.map(|told| name = format!("{name}: {told}"))
        };
        Ok(vec![(name, fit)])
    }
}

/// What a table for the first component that needs one takes, or why there is none.
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
fn outcome_of_cell(value: u32) -> Outcome {
    match value {
        0 => Outcome::Second,
        1 => Outcome::Draw,
        _ => Outcome::First,
    }
}

/// A table of this kind has the outcomes.
struct TableEvidence(Kind);

impl Evidence for TableEvidence {
    fn verdict(&self, ctx: &mut Context, root: &Root, mv: &RootMove) -> Run<Verdict> {
        let [id] = root.key_after(mv)[..] else { return Err(internal_error()) };
        let (value, _) = by_tables::read(ctx, id, self.0).ok_or_else(internal_error)?;
        Ok(for_mover(outcome_of_cell(value), mv.keeps_turn()))
    }
}

/// A graph of states has the outcomes.
pub(crate) struct GraphEvidence {
    misere: bool,
}

impl GraphEvidence {
    /// `misere`: who cannot move wins.
    pub(crate) fn new(misere: bool) -> Self {
        GraphEvidence { misere }
    }

    /// The solution of a component that is a node of a graph that was worked out.
    pub(crate) fn solution(self, ctx: &Context, id: u32) -> Option<Solution> {
        let (outcome, far) = cyclic::outcome(ctx, id, self.misere)?;
        let positions = cyclic::positions(ctx, id, self.misere);
        Some(Solution::new(outcome, Method::Retrograde, positions, self).with_remoteness(far.map(u64::from)))
    }
}

impl Evidence for GraphEvidence {
    fn verdict(&self, ctx: &mut Context, root: &Root, mv: &RootMove) -> Run<Verdict> {
        let [id] = root.key_after(mv)[..] else { return Err(internal_error()) };
        let (outcome, _) = cyclic::outcome(ctx, id, self.misere).ok_or_else(internal_error)?;
        Ok(for_mover(outcome, mv.keeps_turn()))
    }
}
