//! Every move of a position with what it is worth, and the graph of the positions that it leads to: what one looks at before a choice.

use crate::answer::{Answer, GrundyValue, MoveAnswer, Outcome};
use crate::engines::query::{Destination, Root, RootMove};
use crate::engines::score;
use crate::engines::space::Space;
use crate::engines::{Choice, outcome_letter, solve, solve_position};
use crate::model::{End, Ending};
use crate::source::{Code, Diagnostic};
use crate::store::ComponentId;
use crate::value::fault::Run;
use crate::value::limits::Limits;
use crate::value::{Component, Fault, Points, Position, Shape, Value};
use crate::vm::context::Context;
use hashbrown::{HashMap, HashSet};
use std::sync::Arc;

/// The rules may take so many steps to judge a position that is looked at where no clock ends it, and as many for all that its moves
/// lead to.
pub const STEPS: u64 = 1 << 24;

/// And so many to list the moves of one.
const LISTED: u64 = 1 << 20;

/// So many of each part of a compound are combined where only the first ones are wanted.
const OF_PART: usize = 60;

/// Of the moves beyond so many only those that win are told.
const JUDGED: usize = 400;

/// A move that can be made.
#[derive(Clone, Debug)]
pub struct Play {
    /// What it is called, and where it leads.
    pub told: MoveAnswer,
    /// The position behind it; `None`: it ends the play.
    pub next: Option<Arc<Position>>,
    /// The player moves again.
    pub keeps_turn: bool,
    /// Points that it brings.
    pub gain: Points,
    /// Points that what it enters brings to the player then to move: it is over with a score.
    pub over: Points,
    /// What it is worth for the player who makes it; `None`: that was not worked out.
    pub worth: Option<Worth>,
    /// How many moves best play takes behind it, where that is known.
    pub remoteness: Option<u64>,
}

/// What a move is worth.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Worth {
    /// It loses against best play.
    Loses,
    /// It draws.
    Draws,
    /// It wins.
    Wins,
    /// So many points more than the other from now on; what was over before it is not counted.
    Points(Points),
}

impl Play {
    /// The move with its component in a sum of several: `take 2 in Nim(3)`.
    pub fn full_name(&self) -> String {
        match &self.told.within {
            Some(within) => format!("{} in {within}", self.told.text),
            None => self.told.text.clone(),
        }
    }
}

/// The moves of a position in the order of its rules, not judged. Errors: those of the rules; L01 where there are too many to choose from.
pub fn moves(ctx: &mut Context, at: &Arc<Position>) -> Run<Vec<Play>> {
    Ok(listed(ctx, at, None, LISTED)?.0)
}

fn listed(ctx: &mut Context, at: &Arc<Position>, first: Option<usize>, steps: u64) -> Run<(Vec<Play>, bool)> {
    let root = Root::new(ctx, at)?;
    let most = ctx.run.fuel.saturating_add(steps);
    let all = up_to(ctx, most, |ctx| root.first_moves(ctx, first));
    let (all, more) = match all {
        Err(halt) if halt.is_limit() && !ctx.limits_reached() => {
            let fault = Fault::new(Code::L01, "the moves of a position are too many to list them, or take too long");
            return Err(fault.hint("`grundy solve` counts those that win, and lists some").into());
        }
        all => all?,
    };
    Ok((all.iter().map(|mv| play(ctx, &root, mv)).collect::<Run<_>>()?, more))
}

/// Points that the components which are over bring to the player to move. Errors: those of the rules, and limits.
pub fn points_over(ctx: &mut Context, at: &Position) -> Run<Points> {
    let root = Root::new(ctx, at)?;
    over(ctx, &root.ids)
}

fn over(ctx: &mut Context, ids: &[ComponentId]) -> Run<Points> {
    let is_score = |end: &End| matches!(end.verdict, Ending::Score(_));
    let scored = ctx.session.program.games.iter().any(|game| game.ends.iter().any(is_score));
    if scored { Space::default().points(ctx, ids) } else { Ok(Points::ZERO) }
}

/// The first moves of a position, at most so many of a sum, or some of each part of a compound, and whether there are more. Errors: those of
/// the rules; L01 where even these take too long.
pub fn first_moves(ctx: &mut Context, at: &Arc<Position>, most: usize) -> Run<(Vec<Play>, bool)> {
    let of_part = if let Shape::Sum(_) = at.shape { most } else { most.min(OF_PART) };
    listed(ctx, at, Some(of_part), STEPS)
}

fn play(ctx: &mut Context, root: &Root, mv: &RootMove) -> Run<Play> {
    let mut points = Points::ZERO;
    for (_, step) in &mv.steps {
        if let Destination::To(ids) = &step.way {
            points = &points + &over(ctx, ids)?;
        }
    }
    Ok(Play {
        told: root.answer(ctx, mv),
        next: root.position_after(ctx, mv).map(Arc::new),
        keeps_turn: mv.keeps_turn(),
        gain: score::gain(mv),
        worth: mv.ends_play().map(|outcome| match outcome {
            Outcome::First => Worth::Wins,
            Outcome::Second => Worth::Loses,
            Outcome::Draw => Worth::Draws,
        }),
        over: points,
        remoteness: mv.ends_play().map(|_| 0),
    })
}

/// Works out a position, and what each of its moves is worth where that is not too much. `steps`: so many may the rules take, [`STEPS`] where no
/// clock ends it. Errors: those of the rules, limits, and what is not defined.
pub fn judge(ctx: &mut Context, at: &Arc<Position>, plays: &mut [Play], steps: u64) -> Result<Answer, Box<Diagnostic>> {
    let choice = Choice { moves: usize::MAX, ..Choice::default() };
    let most = ctx.run.fuel.saturating_add(steps);
    let answer = up_to(ctx, most, |ctx| ctx.with_recovery(|ctx| solve(ctx, at, choice)))?;
    let before = ctx.with_recovery(|ctx| points_over(ctx, at))?;
    let most = ctx.run.fuel.saturating_add(steps);
    let points = answer.score.is_some();
    let key = |told: &MoveAnswer| (told.text.clone(), told.component, told.to.clone());
    let winning: HashSet<_> = answer.winning.listed.iter().map(key).collect();
    for (place, play) in plays.iter_mut().enumerate() {
        let listed = winning.contains(&key(&play.told));
        match &play.next {
            Some(next) if place < JUDGED => {
                let Some(behind) = looked_at(ctx, next, choice, most) else { continue };
                play.remoteness = behind.remoteness;
                play.worth = match (behind.score, behind.outcome) {
                    (Some(score), _) => {
                        let next = &score - &before;
                        Some(Worth::Points(score::worth(&next, play.keeps_turn, &play.gain)))
                    }
                    (None, Outcome::Draw) => Some(Worth::Draws),
                    (None, outcome) if (outcome == Outcome::First) == play.keeps_turn => Some(Worth::Wins),
                    _ => Some(Worth::Loses),
                };
            }
            _ if play.worth.is_none() && listed && !points => play.worth = Some(Worth::Wins),
            _ => {}
        }
    }
    Ok(answer)
}

/// What is known of a position but for its moves, after a look that ends when the rules have taken so many steps in all.
fn looked_at(ctx: &mut Context, at: &Arc<Position>, choice: Choice, most: u64) -> Option<Answer> {
    up_to(ctx, most, |ctx| ctx.with_recovery(|ctx| solve_position(ctx, at, choice))).ok()
}

fn up_to<T>(ctx: &mut Context, most: u64, work: impl FnOnce(&mut Context) -> T) -> T {
    let narrow = |limits: &mut Limits| limits.steps = Some(limits.steps.map_or(most, |steps| steps.min(most)));
    ctx.under(narrow, work)
}

/// The best of the moves by what they are worth: the fastest that wins, the slowest that loses; the first where nothing is known.
pub fn best(plays: &[Play]) -> Option<&Play> {
    let rank = |play: &Play| {
        let far = play.remoteness.map_or(0, |far| i64::try_from(far).unwrap_or(i64::MAX));
        let ends = i64::from(play.next.is_none());
        match &play.worth {
            Some(Worth::Points(points)) => (points.clone(), 0, 0),
            Some(Worth::Wins) => (2.into(), ends, far.saturating_neg()),
            Some(Worth::Draws) => (1.into(), 0, 0),
            // A move that nobody judged may be better than one that loses.
            None => (Points::ZERO, 0, 0),
            Some(Worth::Loses) => ((-1).into(), -ends, far),
        }
    };
    // The first of several that are as good.
    plays.iter().rev().max_by_key(|play| rank(play))
}

/// Positions that differ from another in one or two numbers of a component, with what each is worth.
#[derive(Clone, Debug)]
pub struct PositionMap {
    /// The fields that differ: one or two, with the numbers they take.
    pub axes: Vec<(String, Vec<i64>)>,
    /// A number of each axis, the position as text, and its Grundy value, its score, or a letter for its outcome (N, P, D).
    pub cells: Vec<(Vec<i64>, String, Value)>,
}

/// The map round a position of one component: its first one or two fields that are numbers take up to `side` numbers each, from 0 on where they
/// are small. `None`: no field is a number. What the game does not allow is left out, and so is what is too much. Errors: limits.
pub fn position_map(ctx: &mut Context, at: &Position, side: i64) -> Run<Option<PositionMap>> {
    let Shape::Sum(sum) = &at.shape else { return Ok(None) };
    let [component] = &sum[..] else { return Ok(None) };
    let program = ctx.session.program.clone();
    let game = &program.games[component.game.0];
    let numbers = component.state.iter().enumerate().filter_map(|(field, value)| match value {
        Value::Int(n) => Some((field, *n)),
        _ => None,
    });
    let fields: Vec<(usize, Vec<i64>)> = numbers
        .take(2)
        .map(|(field, n)| {
            let from = if (0..side).contains(&n) { 0 } else { n.saturating_add(side / 2).saturating_sub(side - 1) };
            (field, (from..from.saturating_add(side)).collect())
        })
        .collect();
    let Some((_, first)) = fields.first() else { return Ok(None) };
    let rows: Vec<Vec<i64>> = match fields.get(1) {
        Some((_, second)) => first.iter().flat_map(|a| second.iter().map(|b| vec![*a, *b])).collect(),
        None => first.iter().map(|a| vec![*a]).collect(),
    };
    let choice = Choice { remoteness: false, ..Choice::default() };
    let most = ctx.run.fuel.saturating_add(8 * STEPS);
    let mut cells = Vec::new();
    for row in rows {
        let mut state = component.state.to_vec();
        for ((field, _), n) in fields.iter().zip(&row) {
            state[*field] = Value::Int(*n);
        }
        let Some(position) = allowed(ctx, at, component, &state) else {
            ctx.limits.check_clock()?;
            continue;
        };
        let Some(answer) = looked_at(ctx, &position, choice, most) else {
            ctx.limits.check_clock()?;
            continue;
        };
        let value = match (&answer.grundy, answer.score.clone()) {
            (Some(GrundyValue::Nimber(n)), _) => i64::try_from(*n).ok().map(Value::Int),
            (_, Some(score)) => Some(score.into()),
            _ => None,
        };
        cells.push((
            row,
            ctx.position_text(&position),
            value.unwrap_or_else(|| Value::text(outcome_letter(answer.outcome))),
        ));
    }
    let axes = fields.into_iter().map(|(field, members)| (game.fields[field].name.clone(), members)).collect();
    Ok(Some(PositionMap { axes, cells }))
}

/// The position with another state, if its game has that one.
fn allowed(ctx: &mut Context, at: &Position, component: &Component, state: &[Value]) -> Option<Arc<Position>> {
    let program = ctx.session.program.clone();
    let filter = program.games[component.game.0].filter.as_ref();
    ctx.with_recovery(|ctx| {
        let given = state.iter().cloned().map(Some).collect();
        let state = ctx.enter_state(component.game, &component.params, given)?;
        let component = Component { state, ..component.clone() };
        let id = ctx.component(&component)?;
        let holds = match filter {
            Some(filter) => ctx.eval_at(id, filter)?.to_bool()?,
            None => true,
        };
        Ok(holds.then(|| Arc::new(Position { shape: Shape::Sum(vec![component].into()), ..at.clone() })))
    })
    .ok()
    .flatten()
}

/// Positions, and the moves between them.
#[derive(Clone, Debug, Default)]
pub struct PositionGraph {
    /// In the order in which they are met; the first one is the start.
    pub nodes: Vec<Node>,
    /// From, to, and what the moves between them are called, with `again` and the points that they bring.
    pub arcs: Vec<(usize, usize, String)>,
    /// There are more positions.
    pub is_cut: bool,
    /// Sums that differ in the order of their components were met: they are one node.
    pub is_merged: bool,
}

/// A position of the graph.
#[derive(Clone, Debug)]
pub struct Node {
    /// As text; `win`, `lose` or `draw` where a move ends the play.
    pub text: String,
    /// The same without rule parameters, which stay as they are.
    pub short: String,
    /// Shorter still: of sums of one game without its name.
    pub label: String,
    /// What is known of it.
    pub answer: Option<Answer>,
    /// A node from which a move leads here, and the number of that move among its moves, from 0; `None`: the start.
    pub by: Option<(usize, usize)>,
}

/// A position as text without rule parameters, and of a sum of `alone` without its name.
fn short(ctx: &Context, position: &Position, alone: Option<&str>) -> String {
    fn bare(position: &Position) -> Position {
        let without = |component: &Component| Component { params: Arc::new([]), ..component.clone() };
        let shape = match &position.shape {
            Shape::Sum(sum) => Shape::Sum(sum.iter().map(without).collect::<Vec<_>>().into()),
            Shape::Compound(compound, parts) => Shape::Compound(*compound, parts.iter().map(bare).collect()),
        };
        Position { shape, ..position.clone() }
    }
    let bare = bare(position);
    let (Some(name), Shape::Sum(sum)) = (alone, &bare.shape) else { return ctx.position_text(&bare) };
    if sum.is_empty() {
        return ctx.position_text(&bare);
    }
    let states = sum.iter().map(|component| {
        let text = ctx.component_text(component);
        let text = text.strip_prefix(name).unwrap_or(&text).to_string();
        match component.state.len() {
            1 => text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).map(str::to_string).unwrap_or(text),
            _ => text,
        }
    });
    states.collect::<Vec<_>>().join(" + ")
}

/// The name of the game of which all components are, where some position has several.
fn only_game(ctx: &Context, positions: &[Option<Arc<Position>>]) -> Option<String> {
    let (mut game, mut several) = (None, false);
    for position in positions.iter().flatten() {
        let Shape::Sum(sum) = &position.shape else { return None };
        several |= sum.len() > 1;
        for component in sum.iter() {
            if *game.get_or_insert(component.game) != component.game {
                return None;
            }
        }
    }
    game.filter(|_| several).map(|game| ctx.session.program.games[game.0].name.clone())
}

/// A text that positions share which differ in the order of the components of a sum only.
fn unordered(ctx: &Context, position: &Position) -> String {
    let Shape::Sum(sum) = &position.shape else { return ctx.position_text(position) };
    let mut texts: Vec<String> = sum.iter().map(|component| ctx.component_text(component)).collect();
    texts.sort_unstable();
    texts.join(" + ")
}

/// The graph of the positions that can be reached, `most` at most, nearest first. Errors: those of the rules, and limits.
pub fn position_graph(ctx: &mut Context, start: &Arc<Position>, most: usize) -> Run<PositionGraph> {
    let mut graph = PositionGraph::default();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut todo: Vec<Option<Arc<Position>>> = vec![Some(start.clone())];
    graph.nodes.push(Node {
        text: ctx.position_text(start),
        short: String::new(),
        label: String::new(),
        answer: None,
        by: None,
    });
    numbers.insert(unordered(ctx, start), 0);
    let mut at = 0;
    while at < todo.len() {
        if let Some(position) = todo[at].clone() {
            let (mut seen, mut named) = (HashMap::<usize, usize>::new(), HashSet::new());
            for (number, play) in moves(ctx, &position)?.into_iter().enumerate() {
                let text = play.told.to.clone();
                // What ends the play stands by itself at each position.
                let identity = play.next.as_ref().map(|next| unordered(ctx, next));
                let known = identity.as_ref().and_then(|identity| numbers.get(identity).copied());
                let to = match known {
                    Some(to) => {
                        graph.is_merged |= graph.nodes[to].text != text;
                        to
                    }
                    None if graph.nodes.len() < most => {
                        let to = graph.nodes.len();
                        if let Some(identity) = identity {
                            numbers.insert(identity, to);
                        }
                        graph.nodes.push(Node {
                            text,
                            short: String::new(),
                            label: String::new(),
                            answer: None,
                            by: Some((at, number)),
                        });
                        todo.push(play.next.clone());
                        to
                    }
                    None => {
                        graph.is_cut = true;
                        continue;
                    }
                };
                let mut name = play.told.text;
                if play.keeps_turn {
                    name += " again";
                }
                if play.gain != Points::ZERO {
                    name = format!("{name} gain {}", play.gain);
                }
                if let Some(arc) = seen.get(&to) {
                    // Of sums that are one position moves of several components are one.
                    if named.insert((to, name.clone())) {
                        let names = &mut graph.arcs[*arc].2;
                        *names += ", ";
                        *names += &name;
                    }
                } else {
                    seen.insert(to, graph.arcs.len());
                    named.insert((to, name.clone()));
                    graph.arcs.push((at, to, name));
                }
            }
        }
        at += 1;
    }
    let alone = only_game(ctx, &todo);
    for (node, position) in graph.nodes.iter_mut().zip(&todo) {
        let [text, label] = [None, alone.as_deref()]
            .map(|alone| position.as_ref().map_or_else(|| node.text.clone(), |position| short(ctx, position, alone)));
        (node.short, node.label) = (text, label);
    }
    // Different positions must not look alike.
    let mut shorts = HashSet::new();
    if graph.nodes.iter().zip(&todo).any(|(node, position)| position.is_some() && !shorts.insert(node.short.clone())) {
        for node in &mut graph.nodes {
            node.short.clone_from(&node.text);
            node.label.clone_from(&node.text);
        }
    }
    let choice = Choice { remoteness: false, ..Choice::default() };
    let most = ctx.run.fuel.saturating_add(8 * STEPS);
    for (node, position) in graph.nodes.iter_mut().zip(&todo) {
        node.answer = position.as_ref().and_then(|position| looked_at(ctx, position, choice, most));
    }
    Ok(graph)
}
