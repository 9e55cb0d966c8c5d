//! What keeps the rules of a position off the fast path, and what to write instead, in the words of the file.
//!
//! Native code wants states of words: numbers, truth values, sets of few things, and lists, tuples, texts and grids of a fixed shape
//! that consist of such.

use crate::bytecode::layout::{FieldLayout, LONGEST};
use crate::engines::query::Root;
use crate::engines::space;
use crate::model::{Field, Kind, Program};
use crate::store::ComponentId;
use crate::value::fault::Run;
use crate::value::limits::Limits;
use crate::value::{Position, Value};
use crate::vm::context::Context;
use crate::vm::run::{MoveTarget, Options};
use hashbrown::HashSet;

/// Sets of numbers hold these at most, and sets of pairs such numbers.
const NUMBER: i64 = 62;
const PAIR: i64 = 7;
/// Sets of vertices and edges are of so many at most.
const MEMBERS: usize = 64;

/// A sentence for each thing that keeps components off the fast path: seen from their states, and from one move of each. Each game once.
pub fn advice(ctx: &mut Context, position: &Position) -> Run<Vec<String>> {
    let mut told: Vec<String> = Vec::new();
    let mut seen = HashSet::new();
    for id in Root::new(ctx, position)?.ids {
        if id == space::NOTHING || !seen.insert(ctx.store.instance_of[id.index()]) {
            continue;
        }
        for sentence in of_state(ctx, id).into_iter().chain(of_moves(ctx, id)) {
            if !told.contains(&sentence) {
                told.push(sentence);
            }
        }
    }
    Ok(told)
}

fn of_state(ctx: &Context, id: ComponentId) -> Vec<String> {
    let component = ctx.store.component_value(id);
    let instance = &ctx.store.instances[ctx.store.instance_of[id.index()]];
    let game = &ctx.session.program.games[component.game.0];
    let fields = game.fields.iter().zip(component.state.iter()).zip(instance.forms.iter());
    let slow = fields.filter(|(_, form)| matches!(form, FieldLayout::Value));
    slow.filter_map(|((field, value), _)| of_value(&format!("`{}`", field.name), &field.kind, value)).collect()
}

/// Why a value is no word; `None` where it may be one.
fn of_value(name: &str, kind: &Kind, value: &Value) -> Option<String> {
    Some(match (kind, value) {
        (_, Value::Big(_)) => format!("{name} is beyond 63 bits: smaller numbers are fast"),
        (Kind::Real, _) => format!("{name} is a real number: an int that counts its smallest parts is fast"),
        (Kind::Bag(_), Value::Bag(members)) if members.len() > LONGEST => {
            format!("{name} has {} members: bags are fast up to {LONGEST}", members.len())
        }
        (Kind::Bag(of), Value::Bag(members)) => {
            return members.iter().find_map(|member| of_member(name, "a bag", of, member));
        }
        (Kind::Graph(..), _) => format!(
            "{name} is a graph that moves change: make it a rule parameter, `G[g: graph](left: set of vertex of g)`, and let moves change a set of its vertices or edges"
        ),
        (Kind::Set(of), Value::Set(members)) if matches!(**of, Kind::Edge(_)) => format!(
            "{name} is fast where its graph is a rule parameter or a `let`, and has at most {MEMBERS} edges; it has {}",
            members.len()
        ),
        (Kind::Set(_), Value::Set(members)) if members.len() > LONGEST => {
            format!("{name} has {} members: sets are fast up to {LONGEST}", members.len())
        }
        (Kind::Set(of), Value::Set(members)) => {
            return members.iter().find_map(|member| of_member(name, "a set", of, member));
        }
        (Kind::Vertex(_) | Kind::Edge(_), _) => {
            format!("{name} is fast where its graph is a rule parameter or a `let`")
        }
        (Kind::Text, Value::Text(text)) if text.len() > LONGEST => {
            format!("{name} has {} characters: texts are fast up to {LONGEST}", text.len())
        }
        (Kind::List(of, _), Value::List(list)) => {
            if list.items.len() > LONGEST {
                return Some(format!("{name} has {} items: lists are fast up to {LONGEST}", list.items.len()));
            }
            return list.items.iter().find_map(|item| of_value(&format!("an item of {name}"), of, item));
        }
        (Kind::Tuple(kinds), Value::Tuple(parts)) => {
            let mut parts = kinds.iter().zip(parts.iter());
            return parts.find_map(|(kind, part)| of_value(&format!("a part of {name}"), kind, part));
        }
        _ => return None,
    })
}

/// Why a member keeps a bag or set a value.
fn of_member(name: &str, whole: &str, kind: &Kind, member: &Value) -> Option<String> {
    match (kind, member) {
        (Kind::Tuple(kinds), Value::Tuple(parts)) => {
            let mut parts = kinds.iter().zip(parts.iter());
            parts.find_map(|(kind, part)| of_member(name, whole, kind, part))
        }
        (Kind::Nat | Kind::Int | Kind::Bool | Kind::Vertex(_), _) => {
            of_value(&format!("a member of {name}"), kind, member)
        }
        _ => Some(format!(
            "{name} is {whole} of another kind than those that are fast: of numbers, truth values, vertices and tuples of these; number the others, and keep {whole} of their numbers"
        )),
    }
}

/// What is faster than a set of such members that changes its length.
fn of_set(name: &str, kind: &Kind, members: &[Value]) -> String {
    let slow = |most: i64| members.iter().find(|member| !is_small(member, most));
    let holds = |most: i64| slow(most).map_or(String::new(), |member| format!("{name} holds {member}: "));
    match kind {
        Kind::Int | Kind::Nat => format!(
            "{}sets of numbers from 0 to {NUMBER} are faster, and so are lists of such sets: `s[n div 60]` with `n mod 60` in it",
            holds(NUMBER)
        ),
        Kind::Tuple(parts) if matches!(parts[..], [Kind::Int | Kind::Nat, Kind::Int | Kind::Nat]) => format!(
            "{}sets of pairs of numbers from 0 to {PAIR} are faster, and so is a list with the set of each row, `rows: list of set of nat`",
            holds(PAIR)
        ),
        Kind::Vertex(_) => format!(
            "{name} is faster in graphs of up to {MEMBERS} vertices: number them, and keep a list of sets of numbers up to {NUMBER}"
        ),
        _ => format!("{name} is a set of tuples: a set of numbers from 0 to {NUMBER} is faster, one for each tuple"),
    }
}

/// Whether a number, or each number of a tuple, is from 0 to `most`.
fn is_small(value: &Value, most: i64) -> bool {
    match value {
        Value::Int(n) => (0..=most).contains(n),
        Value::Tuple(parts) => parts.iter().all(|part| is_small(part, most)),
        _ => false,
    }
}

/// What one move of a component shows. Nothing where its moves are many.
fn of_moves(ctx: &mut Context, id: ComponentId) -> Vec<String> {
    const STEPS: u64 = 1 << 16;
    let most = ctx.run.fuel.saturating_add(STEPS);
    let mut out = Options::default();
    let narrow = |limits: &mut Limits| limits.steps = Some(limits.steps.map_or(most, |steps| steps.min(most)));
    if ctx.under(narrow, |ctx| ctx.options(id, &mut out)).is_err() {
        return Vec::new();
    }
    let program = ctx.session.program.clone();
    let here = ctx.store.instance_of[id.index()];
    let of = |ctx: &Context, at| (ctx.store.instances[at].game, ctx.store.instances[at].base);
    let (game, base) = of(ctx, here);
    let name = &program.games[game.0].name;
    let mut told = Vec::new();
    let mut tell = |sentence: String| {
        if !told.contains(&sentence) {
            told.push(sentence);
        }
    };
    for mv in &out.moves {
        let MoveTarget::To { first, len } = mv.target else { continue };
        for &to in &out.components[first as usize..(first + len) as usize] {
            let there = ctx.store.instance_of[to.index()];
            let (other, other_base) = of(ctx, there);
            if other != game {
                let other = &program.games[other.0].name;
                tell(format!(
                    "moves lead from `{name}` to `{other}`: one game with a field that says in which of the two it is is faster"
                ));
            } else if other_base != base {
                tell(format!("moves change the rule parameters of `{name}`: what changes is faster as a field"));
            } else if there != here {
                let changed = changed_length(ctx, &program, id, to);
                let field = changed.as_ref().map_or("a field".into(), |(field, _)| format!("`{}`", field.name));
                tell(match changed {
                    Some((Field { kind: Kind::Set(of), .. }, Value::Set(members))) => of_set(&field, of, &members),
                    _ => format!(
                        "{field} changes its length: it is faster to keep the length and mark what is gone, say by 0 or a blank"
                    ),
                });
            } else if let Some(words) = ctx.store.state_words(to)
                && words.iter().any(|&word| word < 0)
            {
                tell("a number in the state falls below 0: add to it what keeps it from there".into());
            }
        }
    }
    told
}

/// The field whose length is another there, and its value here.
fn changed_length<'p>(
    ctx: &Context,
    program: &'p Program,
    from: ComponentId,
    to: ComponentId,
) -> Option<(&'p Field, Value)> {
    let (from, to) = (ctx.store.component_value(from), ctx.store.component_value(to));
    let fields = &program.games[from.game.0].fields;
    let length = |value: &Value| match value {
        Value::Text(text) => Some(text.len()),
        Value::List(list) => Some(list.items.len()),
        Value::Bag(members) | Value::Set(members) => Some(members.len()),
        _ => None,
    };
    let mut fields = fields.iter().zip(from.state.iter().zip(to.state.iter()));
    let (field, (here, _)) = fields.find(|(_, (a, b))| length(a) != length(b))?;
    Some((field, here.clone()))
}
