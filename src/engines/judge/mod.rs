//! The judge of a position: which engine fits it, and what each of its moves is worth.

mod moves;
mod parted;
mod scored;
mod whole;

use crate::answer::{GrundyValue, Method, Outcome};
use crate::engines::components;
use crate::engines::components::NORMAL;
use crate::engines::compounds::Parts;
pub(crate) use crate::engines::judge::moves::Verdict;
pub(crate) use crate::engines::judge::scored::{games_of, is_scored};
use crate::engines::memo::UNKNOWN;
use crate::engines::query::Root;
use crate::engines::sums;
use crate::engines::sums::Wanted;
use crate::engines::value::SumValue;
use crate::engines::{cyclic, decomposition, remoteness};
use crate::graph_search::explore;
use crate::graph_search::explore::PositionGraph;
use crate::graph_search::retrograde::retrograde;
use crate::graph_search::solved::Cells;
use crate::graph_search::space::Met;
use crate::source::diagnostic::Code;
use crate::tables::Kind;
use crate::value::fault::{Fault, Halt, Run};
use crate::vm::context::{Context, Policy};

/// What was worked out of a position.
pub(crate) struct Judge {
    made: Made,
    outcome: Outcome,
    grundy: Option<GrundyValue>,
    refused: Option<String>,
    remoteness: Option<u64>,
    score: Option<i64>,
    positions: u64,
    method: Method,
}

enum Made {
    /// Components solved apart; their sum.
    Values(SumValue),
    /// Outcomes of single components stand in a table.
    Table(Kind),
    /// Outcomes of single components stand in a graph of states; `true`: who cannot move wins.
    Graph(bool),
    /// Outcomes of sums stand in the table of sums; `true`: who cannot move wins.
    Sums(bool),
    /// A rule tells the outcome from facts about the parts.
    Parts(Parts),
    /// The whole position searched.
    Marks(PositionGraph, Cells),
    /// A scoring game; the score of every node.
    Scores(PositionGraph, Vec<i64>),
}

impl Judge {
    /// Chooses an engine and runs it.
    pub(crate) fn new(ctx: &mut Context, root: &Root) -> Run<Judge> {
        Judge::chosen(ctx, root, false).map_err(|halt| cyclic::explained(ctx, &root.ids, halt))
    }

    /// The same without a Grundy value where only the outcome and the moves are asked for.
    pub(crate) fn without_value(ctx: &mut Context, root: &Root) -> Run<Judge> {
        Judge::chosen(ctx, root, true).map_err(|halt| cyclic::explained(ctx, &root.ids, halt))
    }

    fn chosen(ctx: &mut Context, root: &Root, alone: bool) -> Run<Judge> {
        match Judge::unsearched(ctx, root, alone)? {
            Ok(judge) => Ok(judge),
            Err(refused) => {
                let search = |ctx: &mut Context| Judge::searched(ctx, root, refused.clone());
                let parted = if alone { Judge::parted(ctx, root, true, search, |judge| judge)? } else { None };
                parted.map_or_else(|| search(ctx), Ok)
            }
        }
    }

    /// The outcome alone: positions that are searched as a whole are left at the first move that wins.
    pub(crate) fn outcome_of(ctx: &mut Context, root: &Root) -> Run<Outcome> {
        Judge::first_outcome(ctx, root).map_err(|halt| cyclic::explained(ctx, &root.ids, halt))
    }

    fn first_outcome(ctx: &mut Context, root: &Root) -> Run<Outcome> {
        let refused = match Judge::unsearched(ctx, root, true)? {
            Ok(judge) => return Ok(judge.outcome),
            Err(refused) => refused,
        };
        if let Some(judge) = Judge::single(ctx, root, &refused)? {
            return Ok(judge.outcome);
        }
        let search = |ctx: &mut Context| {
            if root.mode.compound.is_none()
                && let Some(found) = sums::decide(ctx, &root.ids, root.mode.misere, Wanted::Outcome)?
            {
                return Ok(found.decided.outcome);
            }
            Ok(Judge::searched(ctx, root, refused.clone())?.outcome)
        };
        match Judge::parted(ctx, root, true, search, |judge| judge.outcome)? {
            Some(outcome) => Ok(outcome),
            None => search(ctx),
        }
    }

    /// The judge of a position that is not searched as a whole; why it is, otherwise. `alone`: the value of a single
    /// component is not wanted where a graph of states tells the outcome without it.
    fn unsearched(ctx: &mut Context, root: &Root, alone: bool) -> Run<Result<Judge, String>> {
        if is_scored(ctx, root) {
            return Judge::scored(ctx, root).map(Ok);
        }
        if let Some(outcome) = root.ended(ctx)? {
            return Ok(Ok(Judge::over(outcome)));
        }
        if root.mode != NORMAL {
            let why = if root.mode.misere { "it is played in misere" } else { "" };
            return Ok(Err(why.to_string()));
        }
        let (mut positions, mut cyclic) = (0, false);
        decomposition::try_fields(ctx, &root.ids, &mut positions)?;
        match components::decide(ctx, &root.ids, alone, &mut positions, &mut cyclic)? {
            Ok(()) if alone && cyclic && root.ids.len() == 1 => match Judge::in_graph(ctx, false, root.ids[0], None) {
                Some(judge) => Ok(Ok(judge)),
                None => Judge::valued(ctx, root, positions, cyclic).map(Ok),
            },
            Ok(()) => Judge::valued(ctx, root, positions, cyclic).map(Ok),
            Err(met) => Ok(Err(met.forbids_grundy().unwrap_or_default().to_string())),
        }
    }

    /// The whole play is over at the start.
    fn over(outcome: Outcome) -> Judge {
        Judge {
            made: Made::Values(SumValue::default()),
            outcome,
            grundy: None,
            refused: Met { ending: true, ..Met::default() }.forbids_grundy().map(str::to_string),
            remoteness: (outcome != Outcome::Draw).then_some(0),
            score: None,
            positions: 1,
            method: Method::Search,
        }
    }

    /// The judge of a position, searched as a whole if only that tells the remoteness of the sum.
    pub(crate) fn with_remoteness(ctx: &mut Context, root: &Root) -> Run<Judge> {
        let split = std::mem::replace(&mut ctx.session.options.split, Policy::Never);
        let heaps = std::mem::replace(&mut ctx.session.options.heaps, Policy::Never);
        let parts = std::mem::replace(&mut ctx.session.options.parts, false);
        let judged = Judge::without_value(ctx, root);
        (ctx.session.options.split, ctx.session.options.heaps, ctx.session.options.parts) = (split, heaps, parts);
        let mut judge = judged?;
        if judge.remoteness.is_none() && judge.outcome != Outcome::Draw && judge.score.is_none() {
            judge.remoteness = remoteness::of_sum(ctx, &root.ids, judge.outcome, None)?;
        }
        Ok(judge)
    }

    fn valued(ctx: &mut Context, root: &Root, positions: u64, cyclic: bool) -> Run<Judge> {
        let mut sum = SumValue::default();
        for &id in &root.ids {
            sum.add(&components::value(ctx, id).ok_or_else(lost)?);
        }
        let outcome = sum.outcome();
        let mut remoteness = None;
        let mut method = if root.ids.len() == 1 { Method::Search } else { Method::Components };
        if let [id] = root.ids[..] {
            if cyclic {
                // The value is known; the graph is walked once more for the remoteness.
                method = Method::Retrograde;
                if let Some((_, far)) = cyclic::outcome(ctx, id, false) {
                    remoteness = far.map(u64::from);
                } else if outcome != Outcome::Draw
                    && let Some(graph) = explore::components(ctx, NORMAL, id, true)?
                {
                    let cells = retrograde(&ctx.session.limits, &graph.reversed(), false)?;
                    remoteness = Some(u64::from(cells.decided(0).remoteness));
                }
            } else {
                let far = ctx.memo.remoteness[id as usize];
                if decomposition::applies(ctx, id)? {
                    method = Method::Components;
                }
                remoteness = (far != UNKNOWN).then_some(u64::from(far));
            }
        } else if root.ids.is_empty() {
            remoteness = Some(0);
        }
        let grundy = Some(sum.value());
        Ok(Judge {
            made: Made::Values(sum),
            outcome,
            grundy,
            refused: None,
            remoteness,
            score: None,
            positions,
            method,
        })
    }

    pub(crate) fn outcome(&self) -> Outcome {
        self.outcome
    }

    pub(crate) fn grundy(&self) -> Option<GrundyValue> {
        self.grundy.clone()
    }

    pub(crate) fn grundy_refused(&self) -> Option<String> {
        self.refused.clone()
    }

    pub(crate) fn remoteness(&self) -> Option<u64> {
        self.remoteness
    }

    pub(crate) fn score(&self) -> Option<i64> {
        self.score
    }

    pub(crate) fn method(&self) -> Method {
        self.method
    }

    pub(crate) fn positions(&self) -> u64 {
        self.positions
    }
}

/// A value that the engine had to know is not there: never an answer.
pub(crate) fn lost() -> Halt {
    Halt::Fault(Fault::new(
        Code::X01,
        "a position was lost during the search: a defect of this program, please report the file",
    ))
}
