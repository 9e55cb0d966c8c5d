//! Values of components, acyclic or cyclic, added up; and positions at which the whole play is over.

use crate::answer::{GrundyValue, Method, Outcome};
use crate::engines::engine::{
    Engine, Evidence, Question, Reason, Solution, Verdict, Wanted, for_mover, internal_error,
};
use crate::engines::explore::PositionGraph;
use crate::engines::grundy::Refused;
use crate::engines::nimber::SumValue;
use crate::engines::query::{Destination, Root, RootMove};
use crate::engines::score::{games_of, is_scored};
use crate::engines::space::Met;
use crate::engines::whole::GraphEvidence;
use crate::engines::{cyclic, decomposition, explore, grundy};
use crate::graph_search::retrograde::retrograde;
use crate::graph_search::stages;
use crate::memo::{Mode, UNKNOWN};
use crate::model::{Ending, Target};
use crate::value::fault::Run;
use crate::vm::context::{Context, Policy};

/// A position at which an `end when` ends the whole play.
pub(crate) struct Over;

impl Engine for Over {
    fn name(&self) -> &'static str {
        "a position at which the whole play is over"
    }

    fn fits(&self, ctx: &mut Context, question: &Question) -> Run<Result<(), Reason>> {
        Ok(question.root.ended(ctx)?.map(|_| ()).ok_or("play goes on".into()))
    }

    fn solve(&self, ctx: &mut Context, question: &Question) -> Run<Result<Solution, Reason>> {
        let Some(outcome) = question.root.ended(ctx)? else { return Ok(Err("play goes on".into())) };
        let mut solution = Solution::new(outcome, Method::Search, 1, ValueEvidence(SumValue::default()));
        solution.no_value = Met { ending: true, ..Met::default() }.forbids_grundy().map(str::to_string);
        Ok(Ok(solution.with_remoteness(Some(0))))
    }
}

/// Grundy values of components, acyclic or cyclic; states that fall apart by the values of their parts.
pub(crate) struct Values;

impl Engine for Values {
    fn name(&self) -> &'static str {
        "components: Grundy values, depth first, xored"
    }

    fn gives_values(&self) -> bool {
        true
    }

    fn fits(&self, _: &mut Context, question: &Question) -> Run<Result<(), Reason>> {
        Ok(match question.root.mode {
            NORMAL => Ok(()),
            mode if mode.misere => Err("it is played in misere".into()),
            _ => Err("".into()),
        })
    }

    fn solve(&self, ctx: &mut Context, question: &Question) -> Run<Result<Solution, Reason>> {
        let root = question.root;
        let alone = question.wanted != Wanted::Value;
        let (mut positions, mut cyclic) = (0, false);
        decomposition::try_fields(ctx, &root.ids, &mut positions)?;
        if let Err(met) = decide(ctx, &root.ids, alone, &mut positions, &mut cyclic)? {
            return Ok(Err(met.forbids_grundy().unwrap_or_default().into()));
        }
        if let ([id], true, true) = (&root.ids[..], alone, cyclic)
            && let Some(solution) = GraphEvidence::new(false).solution(ctx, *id)
        {
            return Ok(Ok(solution));
        }
        valued(ctx, root, positions, cyclic).map(Ok)
    }

    fn plan(&self, ctx: &mut Context, question: &Question) -> Run<Vec<(String, Result<(), Reason>)>> {
        let root = question.root;
        let ending = ends_play(ctx, root);
        let mut fit: Result<(), Reason> = if root.mode.misere {
            Err("misere: values of components do not add up".into())
        } else if root.mode.compound.is_some() {
            Err("a compound is no disjunctive sum".into())
        } else if is_scored(ctx, root) {
            Err("a scoring game has no Grundy value".into())
        } else {
            Ok(())
        };
        let mut apart = fit.clone();
        if let (Ok(()), Some(why)) = (&fit, ending) {
            apart = Err(why.into());
            fit = Err(format!("{why}; tried all the same: it may be out of reach").into());
        }
        if apart.is_ok() {
            apart = Err("there are no components".into());
            for &id in &root.ids {
                match decomposition::refusal(ctx, id)? {
                    None => apart = Ok(()),
                    Some(why) if apart.is_err() => apart = Err(why.into()),
                    Some(_) => {}
                }
            }
        }
        let sum = "a state that is a sum: values of its parts".to_string();
        Ok(vec![(sum, apart), (self.name().to_string(), fit)])
    }
}

/// What in the rules can end the whole play or keep the turn, in the games that the position can come to.
fn ends_play(ctx: &Context, root: &Root) -> Option<&'static str> {
    fn of_target(target: &Target) -> Option<&'static str> {
        match target {
            Target::If(_, yes, no) => of_target(yes).or_else(|| of_target(no)),
            Target::Stop(_) => Some("a move can end the whole play"),
            Target::Go { again: true, .. } => Some("a move can keep the turn"),
            Target::Go { .. } => None,
        }
    }
    games_of(ctx, root).into_iter().find_map(|game| {
        let game = &ctx.session.program.games[game];
        let ends = game.ends.iter().any(|e| matches!(e.verdict, Ending::Play(_)));
        ends.then_some("an `end when` can end the whole play")
            .or_else(|| game.moves.iter().find_map(|m| of_target(&m.target)))
    })
}

/// The solution of a position whose components have values.
fn valued(ctx: &mut Context, root: &Root, positions: u64, cyclic: bool) -> Run<Solution> {
    let mut sum = SumValue::default();
    for &id in &root.ids {
        sum.add(&value(ctx, id).ok_or_else(internal_error)?);
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
                let cells = retrograde(&ctx.limits, &graph.reversed(), false)?;
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
    let mut solution = Solution::new(outcome, method, positions, ValueEvidence(sum)).with_remoteness(remoteness);
    solution.grundy = grundy;
    // A state taken apart into components because it is large is not searched whole.
    let apart = root.ids.len() == 1 && method == Method::Components;
    solution.search_remoteness = !(apart && ctx.options.split == Policy::Large);
    Ok(solution)
}

/// The values of the components, added up.
struct ValueEvidence(SumValue);

impl Evidence for ValueEvidence {
    fn verdict(&self, ctx: &mut Context, root: &Root, mv: &RootMove) -> Run<Verdict> {
        let mut after = self.0.clone();
        for (i, step) in &mv.steps {
            after.remove(&value(ctx, root.ids[*i]).ok_or_else(internal_error)?);
            if let Destination::To(ids) = &step.way {
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
                if ids.iter().any(|&id| value(ctx, id).is_none()) {
                    let worked = work_out(ctx, ids, &mut 0, &mut false)?;
                    worked.map_err(|_| internal_error())?;
                }
                for &id in ids {
                    after.add(&value(ctx, id).ok_or_else(internal_error)?);
                }
            }
        }
        Ok(for_mover(after.outcome(), false))
    }
}

/// The mode in which Grundy values live.
pub(crate) const NORMAL: Mode = Mode { misere: false, compound: None };

/// Works out the values of these components; what forbids them when they have none. `cyclic` is set when a play can come
/// back.
pub(crate) fn work_out(ctx: &mut Context, ids: &[u32], positions: &mut u64, cyclic: &mut bool) -> Run<Result<(), Met>> {
    decide(ctx, ids, false, positions, cyclic)
}

/// The same; `alone`: where the outcome of a single component stands in a graph of states, its value is left out.
pub(crate) fn decide(
    ctx: &mut Context,
    ids: &[u32],
    alone: bool,
    positions: &mut u64,
    cyclic: &mut bool,
) -> Run<Result<(), Met>> {
    let alone = alone && ids.len() == 1;
    if all_fetched(ctx, ids, alone)? {
        *cyclic = true;
        return Ok(Ok(()));
    }
    match grundy::values(ctx, ids, positions)? {
        Ok(()) => return Ok(Ok(())),
        Err(Refused::Met(met)) => return Ok(Err(met)),
        Err(Refused::Cyclic) => {}
    }
    *cyclic = true;
    for &id in ids {
        if value(ctx, id).is_some() {
            continue;
        }
        if cyclic::decide(ctx, id, false)? {
            *positions += cyclic::positions(ctx, id, false);
            if let Some(met) = cyclic::ends(ctx, id)?.filter(|met| met.forbids_grundy().is_some()) {
                return Ok(Err(met));
            }
            if alone || cyclic::fetch(ctx, id)? {
                continue;
            }
        }
        let graph = explore(ctx, id)?;
        *positions += graph.len() as u64;
        if graph.met.forbids_grundy().is_some() {
            return Ok(Err(graph.met));
        }
        keep(ctx, &graph)?;
    }
    Ok(Ok(()))
}

/// Whether all components stand in graphs solved before, whose values are then in the memo unless only an outcome is wanted.
fn all_fetched(ctx: &mut Context, ids: &[u32], alone: bool) -> Run<bool> {
    if ctx.memo.solved.is_empty() {
        return Ok(false);
    }
    for &id in ids {
        if value(ctx, id).is_none()
            && (cyclic::ends(ctx, id)? != Some(Met::default()) || !(alone || cyclic::fetch(ctx, id)?))
        {
            return Ok(false);
        }
    }
    Ok(true)
}

fn explore(ctx: &mut Context, id: u32) -> Run<PositionGraph> {
    match explore::components(ctx, NORMAL, id, false)? {
        Some(graph) => Ok(graph),
        None => explore::sums(ctx, NORMAL, &[id], false, false),
    }
}

/// Keeps the values of all components that are nodes of a graph without ends, `again` and points.
fn keep(ctx: &mut Context, graph: &PositionGraph) -> Run<()> {
    let reversed = graph.reversed();
    let cells = retrograde(&ctx.limits, &reversed, false)?;
    let mut values = stages::begin(&reversed, &cells);
    stages::settle(&ctx.limits, &reversed, &mut values, &(0..graph.len()))?;
    let finite = |node: usize| stages::known(&values, node).finite();
    for node in 0..graph.len() {
        if let [id] = graph.key(node)[..] {
            let value = finite(node).ok_or_else(|| {
                let mut options: Vec<u32> = graph.moves(node).iter().filter_map(|&to| finite(to as usize)).collect();
                options.sort_unstable();
                options.dedup();
                options.into()
            });
            ctx.memo.loopy.insert(id, value);
        }
    }
    Ok(())
}

/// The value of a component that was worked out.
pub(crate) fn value(ctx: &Context, id: u32) -> Option<GrundyValue> {
    if let Some(g) = ctx.memo.nimber(id) {
        return Some(GrundyValue::Nimber(u64::from(g)));
    }
    ctx.memo.loopy.get(&id).map(|value| match value {
        Ok(g) => GrundyValue::Nimber(u64::from(*g)),
        Err(options) => GrundyValue::Loop(options.iter().map(|&k| u64::from(k)).collect()),
    })
}
