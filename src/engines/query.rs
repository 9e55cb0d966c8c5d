//! The moves of the position asked about, with their names.

use crate::answer::{MoveAnswer, PartMove};
use crate::engines::space::{MOVE_WORDS, NOTHING, choices};
use crate::memo::Mode;
use crate::source::Code;
use crate::store::ComponentId;
use crate::syntax::tree::Outcome;
use crate::value::limits::Pace;
use crate::value::{Component, Fault, Points, Position, Run, Shape, Value};
use crate::vm::context::Context;
use crate::vm::run::{MoveTarget, Options, Status};
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NamedMove {
    /// Index into the game's moves.
    pub(crate) index: usize,
    pub(crate) binders: Vec<Value>,
    pub(crate) way: Destination,
    pub(crate) again: bool,
    pub(crate) gain: Option<Points>,
}

/// Where a move of a component leads; components in the order of the target.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Destination {
    Stop(Outcome),
    To(Vec<ComponentId>),
}

/// A move of the whole position: which parts move, and how.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) steps: Vec<(usize, NamedMove)>,
}

impl RootMove {
    pub(crate) fn ends_play(&self) -> Option<Outcome> {
        match &self.steps[..] {
            [(_, NamedMove { way: Destination::Stop(outcome), .. })] => Some(*outcome),
            _ => None,
        }
    }

    pub(crate) fn keeps_turn(&self) -> bool {
        self.steps.iter().any(|(_, step)| step.again)
    }
}

/// The position asked about, laid out.
pub(crate) struct Root {
    pub(crate) mode: Mode,
    /// Component numbers in the order written.
    pub(crate) ids: Vec<ComponentId>,
    /// `None`: a part of a compound that is the zero position.
    components: Vec<Option<Component>>,
    /// The same number for components that count as one (rule 27).
    pub(crate) class: Vec<usize>,
    /// Written as a sum of several, or as `sum(..)`: moves tell their component.
    several: bool,
}

impl Root {
    pub(crate) fn new(ctx: &mut Context, position: &Position) -> Run<Root> {
        let mut components: Vec<Option<Component>> = Vec::new();
        let compound = match &position.shape {
            Shape::Sum(sum) => {
                components.extend(sum.iter().cloned().map(Some));
                None
            }
            Shape::Compound(compound, parts) => {
                for part in parts {
                    let Shape::Sum(sum) = &part.shape else {
                        return Err(Fault::new(Code::E22, "a compound of compounds").into());
                    };
                    components.extend(sum.is_empty().then_some(None));
                    components.extend(sum.iter().cloned().map(Some));
                }
                Some(*compound)
            }
        };
        let mode = Mode { misere: position.misere, compound };
        let number = |component: &Option<Component>| component.as_ref().map_or(Ok(NOTHING), |c| ctx.component(c));
        let ids = components.iter().map(number).collect::<Run<Vec<_>>>()?;
        let mut first = HashMap::new();
        let class = (0..ids.len())
            .map(|i| {
                let tag = components[i].as_ref().and_then(|c| c.tag.clone());
                tag.map_or(i, |tag| *first.entry((ids[i], tag)).or_insert(i))
            })
            .collect();
        Ok(Root { mode, several: position.sum || ids.len() > 1, ids, components, class })
    }

    #[allow(clippy::unused_self)] // asked of a root, as all its moves are
    pub(crate) fn steps(&self, ctx: &mut Context, id: ComponentId) -> Run<(Status, Vec<NamedMove>)> {
        let (status, steps, _) = self.first_steps(ctx, id, None)?;
        Ok((status, steps))
    }

    /// The first moves of a component, at most so many, and whether there are more.
    #[allow(clippy::unused_self)] // asked of a root, as all its moves are
    pub(super) fn first_steps(
        &self,
        ctx: &mut Context,
        id: ComponentId,
        most: Option<usize>,
    ) -> Run<(Status, Vec<NamedMove>, bool)> {
        if id == NOTHING {
            return Ok((Status::Over, Vec::new(), false));
        }
        let mut out = Options::named();
        out.most = most.map(|most| most.saturating_add(1));
        ctx.options(id, &mut out)?;
        if out.status != Status::Open {
            return Ok((out.status, Vec::new(), false));
        }
        let more = most.is_some_and(|most| out.moves.len() > most);
        let mut steps = Self::distinct(ctx, id, vec![out])?;
        steps.truncate(most.unwrap_or(usize::MAX));
        Ok((Status::Open, steps, more))
    }

    /// The moves among named options of a component, each once.
    pub(super) fn distinct(ctx: &Context, id: ComponentId, outs: Vec<Options>) -> Run<Vec<NamedMove>> {
        let program = ctx.session.program.clone();
        let game = &program.games[ctx.store.game_of(id).0];
        let mut seen = HashSet::new();
        let mut steps = Vec::new();
        let mut pace = Pace::default();
        let several = outs.iter().map(|out| out.moves.len()).sum::<usize>() > 1;
        for mut out in outs {
            for (mv, binders) in out.moves.iter().zip(std::mem::take(&mut out.binders)) {
                pace.spend(&ctx.limits, 4 * MOVE_WORDS)?;
                let way = match mv.target {
                    MoveTarget::Stop(outcome) => Destination::Stop(outcome),
                    MoveTarget::To { first, len } => {
                        Destination::To(out.components[first as usize..(first + len) as usize].to_vec())
                    }
                };
                let step = NamedMove { index: mv.index as usize, binders, way, again: mv.again, gain: mv.gain.clone() };
                if !several {
                    steps.push(step);
                    continue;
                }
                // Equal identity and equal target are one move; lines of one name count as that name.
                let mut identity = step.clone();
                identity.gain = identity.gain.filter(|gain| *gain != Points::ZERO);
                identity.index = game.moves.iter().position(|m| m.name == game.moves[step.index].name).unwrap_or(0);
                if let Destination::To(sum) = &mut identity.way {
                    sum.sort_unstable();
                }
                if seen.insert(identity) {
                    steps.push(step);
                }
            }
        }
        Ok(steps)
    }

    /// What `end when` lines say of the whole play at the start, of the player to move (rule 24).
    pub(crate) fn ended(&self, ctx: &mut Context) -> Run<Option<Outcome>> {
        if self.mode.compound.is_some() {
            return Ok(None);
        }
        crate::engines::space::Space::default().verdict(ctx, &self.ids)
    }

    pub(crate) fn moves(&self, ctx: &mut Context) -> Run<Vec<RootMove>> {
        Ok(self.first_moves(ctx, None)?.0)
    }

    /// The first of them, at most so many of a sum, or of each part of a compound, so that many are no reason to list none; and whether there
    /// are more.
    pub(crate) fn first_moves(&self, ctx: &mut Context, most: Option<usize>) -> Run<(Vec<RootMove>, bool)> {
        if self.ended(ctx)?.is_some() {
            return Ok((Vec::new(), false));
        }
        let mut more = false;
        let mut pace = Pace::default();
        let mut known: HashMap<ComponentId, Rc<Vec<NamedMove>>> = HashMap::new();
        let mut parts = Vec::with_capacity(self.ids.len());
        for &id in &self.ids {
            pace.spend(&ctx.limits, MOVE_WORDS)?;
            if !known.contains_key(&id) {
                let (_, steps, cut) = self.first_steps(ctx, id, most)?;
                more |= cut;
                known.insert(id, Rc::new(steps));
            }
            parts.push(known[&id].clone());
        }
        let Some(compound) = self.mode.compound else {
            let mut moves = Vec::new();
            for (i, steps) in parts.into_iter().enumerate().filter(|(i, _)| self.class[*i] == *i) {
                pace.spend(&ctx.limits, steps.len() * MOVE_WORDS)?;
                let left = most.map_or(usize::MAX, |most| most.saturating_sub(moves.len()));
                more |= steps.len() > left;
                moves.extend(steps.iter().take(left).map(|step| RootMove { steps: vec![(i, step.clone())] }));
            }
            return Ok((moves, more));
        };
        let mut seen = HashSet::new();
        let mut moves = Vec::new();
        for choice in choices(ctx, compound, &parts.iter().map(|p| p.len()).collect::<Vec<_>>())? {
            pace.spend(&ctx.limits, MOVE_WORDS * (1 + choice.len()))?;
            // Parts that count as one: only which moves are made among them counts.
            let mut identity: Vec<(usize, usize)> = choice.iter().map(|&(i, j)| (self.class[i], j)).collect();
            identity.sort_unstable();
            if seen.insert(identity) {
                moves.push(RootMove { steps: choice.into_iter().map(|(i, j)| (i, parts[i][j].clone())).collect() });
            }
        }
        Ok((moves, more))
    }

    pub(crate) fn key_after(&self, mv: &RootMove) -> Box<[ComponentId]> {
        let places: Vec<usize> = mv.steps.iter().map(|(i, _)| *i).collect();
        let mut entered = Vec::new();
        for (_, step) in &mv.steps {
            if let Destination::To(sum) = &step.way {
                if sum.is_empty() && self.mode.compound.is_some() {
                    entered.push(NOTHING);
                }
                entered.extend(sum);
            }
        }
        crate::engines::space::replace(&self.ids, &places, &entered)
    }

    pub(crate) fn answer(&self, ctx: &mut Context, mv: &RootMove) -> MoveAnswer {
        ctx.run.effort += 16;
        let ctx = &*ctx;
        let program = ctx.session.program.clone();
        let named = |i: usize, step: &NamedMove| {
            let game = &program.games[ctx.store.component_value(self.ids[i]).game.0];
            let line = &game.moves[step.index];
            let binders: Vec<(String, Value)> = line
                .binders
                .iter()
                .zip(&step.binders)
                .map(|(&slot, value)| (game.frame.slots[slot].name.clone(), value.clone()))
                .collect();
            (line.name.clone(), binders)
        };
        let text = |i: usize, name: &str, binders: &[(String, Value)]| {
            let mut text = String::with_capacity(name.len() + 20 * binders.len());
            text.push_str(name);
            let mut component = None;
            for (_, value) in binders {
                text.push(' ');
                if let Value::Int(n) = value {
                    text += itoa::Buffer::new().format(*n);
                } else {
                    let of = component.get_or_insert_with(|| ctx.store.component_value(self.ids[i]));
                    text += &written(value, of);
                }
            }
            text
        };
        let single = match &mv.steps[..] {
            [(i, step)] if self.mode.compound.is_none() => Some((*i, step)),
            _ => None,
        };
        let after = self.position_after(ctx, mv);
        let to = after.map_or_else(|| stop_word(mv).to_string(), |position| ctx.position_text(&position));
        if let Some((i, step)) = single {
            let (name, binders) = named(i, step);
            let within = self.several.then(|| self.component_text(ctx, i));
            let component = self.several.then_some(i);
            let text = text(i, &name, &binders);
            return MoveAnswer { text, name, binders, component, within, to, parts: None };
        }
        let parts: Vec<PartMove> = mv
            .steps
            .iter()
            .map(|(i, step)| {
                let (name, binders) = named(*i, step);
                PartMove { component: *i, name, binders }
            })
            .collect();
        let texts = mv.steps.iter().zip(&parts);
        let texts = texts.map(|((i, _), part)| format!("{} in {i}", text(*i, &part.name, &part.binders)));
        let texts: Vec<String> = texts.collect();
        let name = parts.first().map_or_else(String::new, |p| p.name.clone());
        MoveAnswer {
            text: texts.join(", "),
            name,
            binders: Vec::new(),
            component: None,
            within: None,
            to,
            parts: Some(parts),
        }
    }

    fn component_text(&self, ctx: &Context, i: usize) -> String {
        self.components[i].as_ref().map_or_else(|| "sum([])".to_string(), |c| ctx.component_text(c))
    }

    /// `None` when the move ends the whole play.
    pub(crate) fn position_after(&self, ctx: &Context, mv: &RootMove) -> Option<Position> {
        if mv.ends_play().is_some() {
            return None;
        }
        let value = |id: &ComponentId| ctx.store.component_value(*id);
        let after = (0..self.ids.len()).map(|i| match mv.steps.iter().find(|(at, _)| *at == i) {
            Some((_, NamedMove { way: Destination::To(sum), .. })) => {
                sum.iter().filter(|id| **id != NOTHING).map(value).collect()
            }
            // A tag says which components count as one, and nothing about what they are.
            _ => match &self.components[i] {
                Some(same) => vec![Component { tag: None, ..same.clone() }],
                None => Vec::new(),
            },
        });
        let position = |shape| Position { misere: self.mode.misere, sum: self.several, shape };
        let part = |components: Vec<Component>| position(Shape::Sum(components.into()));
        Some(match self.mode.compound {
            None => part(after.flatten().collect()),
            Some(compound) => position(Shape::Compound(compound, after.map(part).collect())),
        })
    }
}

/// A binder as text; a parallel edge by its name in the graph among the rule parameters or fields that has it.
fn written(value: &Value, component: &Component) -> String {
    let Value::Edge(edge) = value else { return value.to_string() };
    let graphs = component.params.iter().chain(component.state.iter()).filter_map(|v| match v {
        Value::Graph(graph) => Some(graph),
        _ => None,
    });
    let mut has = graphs.filter(|g| g.edges.iter().any(|e| g.edge_value(&e) == *value));
    has.next().map_or_else(|| value.to_string(), |g| g.edge_name(edge))
}

fn stop_word(mv: &RootMove) -> &'static str {
    match mv.steps.first().map(|(_, step)| &step.way) {
        Some(Destination::Stop(Outcome::First)) => "win",
        Some(Destination::Stop(Outcome::Second)) => "lose",
        _ => "draw",
    }
}
