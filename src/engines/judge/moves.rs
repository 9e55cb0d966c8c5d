//! What a move is worth, by what was worked out.

use crate::answer::{GrundyValue, Outcome};
use crate::engines::judge::whole::tabled_outcome;
use crate::engines::judge::{Judge, Made, lost};
use crate::engines::query::{Goal, Root, RootMove};
use crate::engines::sums;
use crate::engines::sums::Wanted;
use crate::engines::{by_tables, components, cyclic, decomposition, score};
use crate::graph_search::explore;
use crate::graph_search::space::{Space, too_many_points};
use crate::value::fault::Run;
use crate::vm::context::Context;

/// What a move is worth for its mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Wins,
    Draws,
    Loses,
}

impl Judge {
    /// What a move is worth.
    pub(crate) fn verdict(&self, ctx: &mut Context, root: &Root, mv: &RootMove) -> Run<Verdict> {
        if let [(_, step)] = &mv.steps[..]
            && let Goal::Stop(outcome) = &step.way
        {
            return Ok(match outcome {
                Outcome::First => Verdict::Wins,
                Outcome::Second => Verdict::Loses,
                Outcome::Draw => Verdict::Draws,
            });
        }
        let again = mv.steps.iter().any(|(_, step)| step.again);
        match &self.made {
            Made::Values(sum) => {
                let mut after = sum.clone();
                for (i, step) in &mv.steps {
                    after.remove(&components::value(ctx, root.ids[*i]).ok_or_else(lost)?);
                    if let Goal::To(ids) = &step.way {
                        if let ([id], GrundyValue::Nimber(rest), 1) = (&ids[..], after.value(), mv.steps.len())
                            && let Some(lost) = decomposition::is(ctx, *id, rest)?
                        {
                            return Ok(if lost { Verdict::Wins } else { Verdict::Loses });
                        }
                        if let ([id], [_]) = (&ids[..], &root.ids[..])
                            && let Some((outcome, _)) = cyclic::outcome(ctx, *id, false)
                        {
                            return Ok(for_mover(outcome, false));
                        }
                        // Of cyclic games whose moves lead to sums, a component of a sum may not have been a node alone.
                        if ids.iter().any(|&id| components::value(ctx, id).is_none()) {
                            let worked = components::work_out(ctx, ids, &mut 0, &mut false)?;
                            worked.map_err(|_| lost())?;
                        }
                        for &id in ids {
                            after.add(&components::value(ctx, id).ok_or_else(lost)?);
                        }
                    }
                }
                Ok(for_mover(after.outcome(), false))
            }
            Made::Table(kind) => {
                let [id] = root.key_after(mv)[..] else { return Err(lost()) };
                let (value, _) = by_tables::read(ctx, id, *kind).ok_or_else(lost)?;
                Ok(for_mover(tabled_outcome(value), again))
            }
            Made::Graph(misere) => {
                let [id] = root.key_after(mv)[..] else { return Err(lost()) };
                let (outcome, _) = cyclic::outcome(ctx, id, *misere).ok_or_else(lost)?;
                Ok(for_mover(outcome, again))
            }
            Made::Sums(misere) => {
                let ids = root.key_after(mv);
                let mut outcome = sums::outcome(ctx, &ids, *misere);
                if outcome.is_none() {
                    // A question that the rules put while the moves were listed made room in a full table.
                    sums::decide(ctx, &root.ids, *misere, Wanted::All)?;
                    outcome = sums::outcome(ctx, &ids, *misere);
                }
                Ok(for_mover(outcome.ok_or_else(lost)?, again))
            }
            Made::Parts(parts) => {
                let wins = parts.wins(ctx, mv).ok_or_else(lost)?;
                Ok(if wins { Verdict::Wins } else { Verdict::Loses })
            }
            Made::Marks(graph, cells) => {
                let node = graph.find(&root.key_after(mv));
                let decided = node.map(|n| cells.decided(n).outcome).or_else(|| {
                    let known = ctx.memo.decided.get(&root.mode)?;
                    known.get(&root.key_after(mv)).map(|d| d.outcome)
                });
                Ok(for_mover(decided.ok_or_else(lost)?, again))
            }
            Made::Scores(graph, scores) => {
                let node = graph.find(&root.key_after(mv)).ok_or_else(lost)?;
                let mut gain = mv.steps.iter().find_map(|(_, step)| step.gain).unwrap_or(0);
                for (_, step) in &mv.steps {
                    if let Goal::To(ids) = &step.way {
                        let points = Space::default().points(ctx, ids)?;
                        let points = if again { Some(points) } else { points.checked_neg() };
                        gain = points.and_then(|p| gain.checked_add(p)).ok_or_else(too_many_points)?;
                    }
                }
                let edge = explore::node_number(node)? | if again { explore::AGAIN } else { 0 };
                let worth = score::edge_score(edge, gain, scores)?;
                Ok(if worth == scores[0] { Verdict::Wins } else { Verdict::Loses })
            }
        }
    }
}

/// What the next player's outcome is for the mover.
fn for_mover(next: Outcome, again: bool) -> Verdict {
    match (next, again) {
        (Outcome::Draw, _) => Verdict::Draws,
        (Outcome::Second, false) | (Outcome::First, true) => Verdict::Wins,
        _ => Verdict::Loses,
    }
}
