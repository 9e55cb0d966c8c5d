//! Values of components, acyclic or cyclic, added up; and positions at which the whole play is over.

use crate::answer::{GrundyValue, Method, Outcome};
use crate::engines::engine::{
    Engine, PlanLines, Question, Reason, Solution, Verdict, Wanted, for_mover, internal_error,
};
use crate::engines::explore::{self, PositionGraph};
use crate::engines::grundy::{self, Refused};
use crate::engines::query::{Destination, Root, RootMove};
use crate::engines::score::{games_of, is_scored};
use crate::engines::space::Met;
use crate::engines::whole::graph_solution;
use crate::engines::{by_tables, cyclic, decomposition};
use crate::graph_search::retrograde::retrograde;
use crate::graph_search::{NodeId, stages};
use crate::memo::{Mode, UNKNOWN};
use crate::model::{Ending, Target};
use crate::store::ComponentId;
use crate::value::{Position, Run, Shape};
use crate::vm::context::{Context, Policy};
use hashbrown::HashMap;
use num_bigint::BigUint;
use num_traits::Zero;

pub(crate) struct Over;

impl Engine for Over {
    fn fits(&self, ctx: &mut Context, question: &Question) -> Run<Result<(), Reason>> {
        Ok(question.root.ended(ctx)?.map(|_| ()).ok_or("play goes on".into()))
    }

    fn solve(&self, ctx: &mut Context, question: &Question) -> Run<Result<Solution, Reason>> {
        let Some(outcome) = question.root.ended(ctx)? else { return Ok(Err("play goes on".into())) };
        let mut solution =
            Solution::new(outcome, Method::Search, 1, |_: &mut Context, _: &Root, _: &RootMove| Err(internal_error()));
        solution.no_value = Met { ending: true, ..Met::default() }.forbids_grundy().map(str::to_string);
        Ok(Ok(solution.with_remoteness(Some(0))))
    }
}

/// Grundy values of components, acyclic or cyclic; states that fall apart by the values of their parts.
pub(crate) struct Values;

impl Engine for Values {
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
            && let Some(solution) = graph_solution(ctx, *id, false)?
        {
            return Ok(Ok(solution));
        }
        valued(ctx, root, positions, cyclic).map(Ok)
    }

    fn plan(&self, ctx: &mut Context, question: &Question, name: &str) -> Run<PlanLines> {
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
        Ok(vec![(sum, apart.map(|()| None)), (name.to_string(), fit.map(|()| None))])
    }
}

/// What in the rules can end the whole play or keep the turn, in the games that the position can come to.
pub(super) fn ends_play(ctx: &Context, root: &Root) -> Option<&'static str> {
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

pub(super) fn valued(ctx: &mut Context, root: &Root, positions: u64, cyclic: bool) -> Run<Solution> {
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
            if let Some(decided) = cyclic::outcome(ctx, id, false)? {
                remoteness = Some(decided.remoteness.into());
            } else if outcome != Outcome::Draw
                && let Some(graph) = explore::components(ctx, NORMAL, id, true)?
            {
                let cells = retrograde(&ctx.limits, &graph.reversed(), false)?;
                remoteness = Some(u64::from(cells.decided(NodeId::FIRST).remoteness));
            }
        } else {
            let far = ctx.memo.remoteness[id.index()];
            if decomposition::applies(ctx, id)? {
                method = Method::Components;
            }
            remoteness = (far != UNKNOWN).then_some(u64::from(far));
        }
    } else if root.ids.is_empty() {
        remoteness = Some(0);
    }
    let grundy = Some(sum.value());
    let judge = move |ctx: &mut Context, root: &Root, mv: &RootMove| verdict(&sum, ctx, root, mv);
    let mut solution = Solution::new(outcome, method, positions, judge).with_remoteness(remoteness);
    solution.grundy = grundy;
    // A state taken apart into components because it is large is not searched whole.
    let apart = root.ids.len() == 1 && method == Method::Components;
    solution.search_remoteness = !(apart && ctx.options.split == Policy::Large);
    Ok(solution)
}

/// Judges a move of a position by the values of its components, which are `sum` together.
fn verdict(sum: &SumValue, ctx: &mut Context, root: &Root, mv: &RootMove) -> Run<Verdict> {
    let mut after = sum.clone();
    for (i, step) in &mv.steps {
        after.remove(&value(ctx, root.ids[*i]).ok_or_else(internal_error)?);
        if let Destination::To(ids) = &step.way {
            if let ([id], GrundyValue::Nimber(rest), 1) = (&ids[..], after.value(), mv.steps.len())
                && let Some(lost) = decomposition::is(ctx, *id, rest, &mut 0)?
            {
                return Ok(if lost { Verdict::Wins } else { Verdict::Loses });
            }
            if let ([id], [_]) = (&ids[..], &root.ids[..])
                && let Some(decided) = cyclic::outcome(ctx, *id, false)?
            {
                return Ok(for_mover(decided.outcome, false));
            }
            for &id in ids {
                after.add(&worked_out(ctx, id)?);
            }
        }
    }
    Ok(for_mover(after.outcome(), false))
}

pub(crate) const NORMAL: Mode = Mode { misere: false, compound: None };

/// The value of a component. Of cyclic games whose moves lead to sums, a component of a sum may not have been worked out.
pub(crate) fn worked_out(ctx: &mut Context, id: ComponentId) -> Run<GrundyValue> {
    if value(ctx, id).is_none() {
        decide(ctx, &[id], false, &mut 0, &mut false)?.map_err(|_| internal_error())?;
    }
    value(ctx, id).ok_or_else(internal_error)
}

/// Works out the values of these components; what forbids them when they have none. `cyclic` is set when a play can come
/// back. `alone`: where the outcome of a single component stands in a graph of states, its value is left out.
pub(crate) fn decide(
    ctx: &mut Context,
    ids: &[ComponentId],
    alone: bool,
    positions: &mut u64,
    cyclic: &mut bool,
) -> Run<Result<(), Met>> {
    let alone = alone && ids.len() == 1;
    if all_fetched(ctx, ids, alone)? {
        *cyclic = true;
        return Ok(Ok(()));
    }
    match grundy::values(ctx, ids, false, positions)? {
        Ok(()) => return Ok(Ok(())),
        Err(Refused::Met(met)) => return Ok(Err(met)),
        Err(Refused::Cyclic | Refused::Long) => {}
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
            // With too little memory to look for ends nothing is left of it.
            if alone && cyclic::outcome(ctx, id, false)?.is_some() || cyclic::fetch(ctx, id)? {
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
fn all_fetched(ctx: &mut Context, ids: &[ComponentId], alone: bool) -> Run<bool> {
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

fn explore(ctx: &mut Context, id: ComponentId) -> Run<PositionGraph> {
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
    stages::settle(&ctx.limits, &reversed, &mut values, &graph.ids())?;
    let finite = |node: NodeId| stages::known(&values, node).finite();
    for node in graph.ids() {
        if let [id] = graph.key(node)[..] {
            let value = finite(node).ok_or_else(|| {
                let mut options: Vec<u32> = graph.moves(node).iter().filter_map(|edge| finite(edge.node())).collect();
                options.sort_unstable();
                options.dedup();
                options.into()
            });
            ctx.memo.loopy.insert(id, value);
        }
    }
    Ok(())
}

/// The value of a sum in normal play whose components were all worked out before.
pub(super) fn known_sum(ctx: &mut Context, position: &Position) -> Run<Option<SumValue>> {
    let (Shape::Sum(components), false) = (&position.shape, position.misere) else { return Ok(None) };
    let mut sum = SumValue::default();
    for component in components.iter() {
        let id = ctx.component(component)?;
        if value(ctx, id).is_none() {
            by_tables::known(ctx, id);
        }
        match value(ctx, id) {
            Some(value) => sum.add(&value),
            None => return Ok(None),
        }
    }
    Ok(Some(sum))
}

pub(crate) fn value(ctx: &Context, id: ComponentId) -> Option<GrundyValue> {
    if let Some(g) = ctx.memo.nimber(id) {
        return Some(GrundyValue::Nimber(u64::from(g)));
    }
    ctx.memo.loopy.get(&id).map(|value| match value {
        Ok(g) => GrundyValue::Nimber(u64::from(*g)),
        Err(options) => GrundyValue::Loop(options.iter().map(|&k| u64::from(k)).collect()),
    })
}

/// The value of a sum of components, from which one can be taken out and others put in.
#[derive(Clone, Debug, Default)]
pub(crate) struct SumValue {
    xor: u64,
    infinite: Vec<Vec<u64>>,
}

impl SumValue {
    pub(crate) fn add(&mut self, value: &GrundyValue) {
        match value {
            GrundyValue::Nimber(g) => self.xor ^= g,
            GrundyValue::Loop(options) => self.infinite.push(options.clone()),
            // No search makes such values.
            GrundyValue::Large(_) => {}
        }
    }

    pub(crate) fn remove(&mut self, value: &GrundyValue) {
        match value {
            GrundyValue::Nimber(g) => self.xor ^= g,
            GrundyValue::Loop(options) => {
                if let Some(at) = self.infinite.iter().position(|o| o == options) {
                    self.infinite.swap_remove(at);
                }
            }
            GrundyValue::Large(_) => {}
        }
    }

    pub(crate) fn plus(&self, other: &SumValue) -> SumValue {
        SumValue { xor: self.xor ^ other.xor, infinite: self.infinite.iter().chain(&other.infinite).cloned().collect() }
    }

    /// The value: one infinite component is shifted, two make the value with no finite options.
    pub(crate) fn value(&self) -> GrundyValue {
        match &self.infinite[..] {
            [] => GrundyValue::Nimber(self.xor),
            [options] => {
                let mut shifted: Vec<u64> = options.iter().map(|k| k ^ self.xor).collect();
                shifted.sort_unstable();
                GrundyValue::Loop(shifted)
            }
            _ => GrundyValue::Loop(Vec::new()),
        }
    }

    pub(crate) fn outcome(&self) -> Outcome {
        match &self.infinite[..] {
            [] if self.xor == 0 => Outcome::Second,
            [] => Outcome::First,
            [options] if options.contains(&self.xor) => Outcome::First,
            _ => Outcome::Draw,
        }
    }
}

/// Grundy values of components that are known without a search, each asked for once.
pub(super) struct KnownValues {
    known: HashMap<ComponentId, BigUint>,
    /// Tells the value of a component, or that it is not known.
    ask: fn(&mut Context, ComponentId) -> Run<Option<BigUint>>,
}

impl KnownValues {
    pub(super) fn new(ask: fn(&mut Context, ComponentId) -> Run<Option<BigUint>>) -> KnownValues {
        KnownValues { known: HashMap::new(), ask }
    }

    pub(super) fn get(&mut self, ctx: &mut Context, id: ComponentId) -> Run<Option<BigUint>> {
        if let Some(value) = self.known.get(&id) {
            return Ok(Some(value.clone()));
        }
        let value = (self.ask)(ctx, id)?;
        self.known.extend(value.clone().map(|value| (id, value)));
        Ok(value)
    }

    /// The value of the sum of these components and one of the value `start`; `None` when that of some component is not known.
    pub(super) fn sum(&mut self, ctx: &mut Context, start: &BigUint, ids: &[ComponentId]) -> Run<Option<BigUint>> {
        let mut sum = start.clone();
        for &id in ids {
            let Some(value) = self.get(ctx, id)? else { return Ok(None) };
            sum ^= value;
        }
        Ok(Some(sum))
    }

    /// Whether a move of a sum of the value `total` leads to one of value 0; `None` when an option's value is not known.
    pub(super) fn verdict(
        &mut self,
        ctx: &mut Context,
        root: &Root,
        mv: &RootMove,
        total: &BigUint,
    ) -> Run<Option<Verdict>> {
        let mut after = total.clone();
        for (i, step) in &mv.steps {
            let Destination::To(ids) = &step.way else { return Ok(None) };
            if step.again || step.gain.is_some() {
                return Ok(None);
            }
            let Some(rest) = self.sum(ctx, &after, &[root.ids[*i]])? else { return Ok(None) };
            let Some(sum) = self.sum(ctx, &rest, ids)? else { return Ok(None) };
            after = sum;
        }
        Ok(Some(if after.is_zero() { Verdict::Wins } else { Verdict::Loses }))
    }
}
