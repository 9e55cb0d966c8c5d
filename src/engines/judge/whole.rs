//! Positions that are searched as a whole.

use crate::answer::{GrundyValue, Method, Outcome};
use crate::engines::judge::{Judge, Made};
use crate::engines::memo::Decided;
use crate::engines::query::Root;
use crate::engines::sums;
use crate::engines::sums::Wanted;
use crate::engines::{by_tables, cyclic, query_history, score};
use crate::graph_search::explore;
use crate::graph_search::explore::{PositionGraph, sorted};
use crate::graph_search::retrograde::retrograde;
use crate::graph_search::solved::Cells;
use crate::graph_search::space::NOTHING;
use crate::tables::Kind;
use crate::value::fault::Run;
use crate::vm::context::Context;

impl Judge {
    /// The judge of a position by a search of all of it; `refused` says why it has no Grundy value.
    pub(super) fn searched(ctx: &mut Context, root: &Root, refused: String) -> Run<Judge> {
        if let Some(judge) = Judge::single(ctx, root, &refused)? {
            return Ok(judge);
        }
        let key = sorted(&root.ids);
        let single = match (&key[..], root.mode.compound) {
            ([id], None) if *id != NOTHING => explore::components(ctx, root.mode, *id, true)?,
            _ => None,
        };
        if single.is_none()
            && root.mode.compound.is_none()
            && let Some(found) = sums::decide(ctx, &key, root.mode.misere, Wanted::All)?
        {
            let Decided { outcome, remoteness } = found.decided;
            return Ok(Judge {
                made: Made::Sums(root.mode.misere),
                outcome,
                grundy: None,
                refused: Some(refused),
                remoteness: (outcome != Outcome::Draw).then_some(u64::from(remoteness)),
                score: None,
                positions: found.positions,
                method: Method::Search,
            });
        }
        let graph = match single {
            Some(graph) => graph,
            None => explore::sums(ctx, root.mode, &key, false, true)?,
        };
        let cells = retrograde(&ctx.session.limits, &graph.reversed(), root.mode.misere)?;
        let Decided { outcome, remoteness } = cells.decided(0);
        let positions = graph.len() as u64;
        remember(ctx, root, &graph, &cells);
        let mut judge = Judge {
            outcome,
            grundy: None,
            refused: Some(refused),
            remoteness: (outcome != Outcome::Draw).then_some(u64::from(remoteness)),
            score: None,
            positions,
            method: Method::Retrograde,
            made: Made::Marks(graph, cells),
        };
        judge.flattened_grundy(ctx, root)?;
        Ok(judge)
    }

    /// The judge of a position of one component whose outcome stands in a table or a graph of states.
    pub(super) fn single(ctx: &mut Context, root: &Root, refused: &str) -> Run<Option<Judge>> {
        match (&root.ids[..], root.mode.compound) {
            ([id], None) if *id != NOTHING => Judge::tabled(ctx, root.mode.misere, *id, refused),
            _ => Ok(None),
        }
    }

    /// The outcome of a component by a table of a whole box of states, if one can be made.
    pub(super) fn tabled(ctx: &mut Context, misere: bool, id: u32, refused: &str) -> Run<Option<Judge>> {
        let kind = Kind::Outcome { misere };
        if by_tables::read(ctx, id, kind).is_some() {
            query_history::answered(ctx, id);
        } else {
            // Before it is one of those asked about.
            let look = query_history::is_worth_a_look(ctx, id);
            query_history::ask(ctx, id, kind)?;
            if by_tables::read(ctx, id, kind).is_none() {
                if !look {
                    return Ok(Judge::in_graph(ctx, misere, id, Some(refused.to_string())));
                }
                let found = by_tables::decide(ctx, id, kind)?;
                query_history::looked(ctx, id, found.then(|| by_tables::positions(ctx, id)));
            }
        }
        let Some((value, far)) = by_tables::read(ctx, id, kind) else {
            return Judge::graphed(ctx, misere, id, refused);
        };
        let outcome = tabled_outcome(value);
        Ok(Some(Judge {
            made: Made::Table(kind),
            outcome,
            grundy: None,
            refused: Some(refused.to_string()),
            remoteness: (outcome != Outcome::Draw).then_some(u64::from(far)),
            score: None,
            positions: by_tables::positions(ctx, id),
            method: Method::Search,
        }))
    }

    /// The outcome of a component by the graph of all its states, if native code can make it.
    fn graphed(ctx: &mut Context, misere: bool, id: u32, refused: &str) -> Run<Option<Judge>> {
        if cyclic::outcome(ctx, id, misere).is_none() {
            let found = cyclic::decide(ctx, id, misere)?;
            query_history::looked(ctx, id, found.then(|| cyclic::positions(ctx, id, misere)));
        }
        Ok(Judge::in_graph(ctx, misere, id, Some(refused.to_string())))
    }

    /// The outcome of a component that a graph of states tells.
    pub(super) fn in_graph(ctx: &Context, misere: bool, id: u32, refused: Option<String>) -> Option<Judge> {
        let (outcome, far) = cyclic::outcome(ctx, id, misere)?;
        Some(Judge {
            made: Made::Graph(misere),
            outcome,
            grundy: None,
            refused,
            remoteness: far.map(u64::from),
            score: None,
            positions: cyclic::positions(ctx, id, misere),
            method: Method::Retrograde,
        })
    }

    /// The Grundy value of a compound in normal play: of the flattened game (rule 32).
    fn flattened_grundy(&mut self, ctx: &mut Context, root: &Root) -> Run<()> {
        if root.mode.misere || root.mode.compound.is_none() {
            return Ok(());
        }
        // Positions decided earlier have no moves in the first graph: look again without what is remembered.
        let graph = explore::sums(ctx, root.mode, &sorted(&root.ids), false, false)?;
        if let Some(why) = graph.met.forbids_grundy() {
            self.refused = Some(why.to_string());
            return Ok(());
        }
        let Some(order) = score::bottom_up(&graph) else {
            self.refused = Some("it is a compound of cyclic games".to_string());
            return Ok(());
        };
        let mut values = vec![0u32; graph.len()];
        for node in order {
            let mut options: Vec<u32> = graph.moves(node).iter().map(|&to| values[to as usize]).collect();
            options.sort_unstable();
            options.dedup();
            let gap = (0u32..).zip(&options).find(|(i, v)| i != *v).map(|(i, _)| i);
            values[node] = gap.unwrap_or_else(|| u32::try_from(options.len()).unwrap_or(u32::MAX));
        }
        self.grundy = Some(GrundyValue::Nimber(u64::from(values[0])));
        self.refused = None;
        Ok(())
    }
}

/// The outcome that a table's value stands for.
pub(super) fn tabled_outcome(value: u32) -> Outcome {
    match value {
        0 => Outcome::Second,
        1 => Outcome::Draw,
        _ => Outcome::First,
    }
}

/// Keeps what was decided for later questions, as long as it is not too much.
fn remember(ctx: &mut Context, root: &Root, graph: &PositionGraph, cells: &Cells) {
    /// More decided positions than this are not kept.
    const KEPT: usize = 1 << 18;
    let known = ctx.memo.decided.entry(root.mode).or_default();
    let limit = if graph.of_components() { KEPT } else { KEPT / 4 };
    if known.len() + graph.len() > limit {
        return;
    }
    for node in 0..graph.len() {
        known.insert(graph.key(node), cells.decided(node));
    }
}
