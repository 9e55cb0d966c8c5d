//! One theorem against one position that was searched (rule 34).

use crate::answer::{Answer, GrundyValue, MoveList, Outcome};
use crate::engines::{moves_with_values, outcome_word};
use crate::model::builtin::Builtin;
use crate::model::{Clause, Game, Slot, Term, Theorem, TheoremSays};
use crate::source::diagnostic::{Code, Diagnostic};
use crate::syntax::tree::{Measure, Verdict as Says, Which};
use crate::value::fault::{Halt, Run};
use crate::value::{Component, Position, Value};
use crate::vm::context::Context;
use crate::vm::ids::InstanceId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a theorem says and what the rules say, where they differ.
pub(crate) struct Clash {
    pub(crate) claimed: String,
    pub(crate) found: String,
}

/// A searched position.
pub(crate) struct Searched<'a> {
    pub(crate) component: &'a Component,
    pub(crate) instance: InstanceId,
    pub(crate) position: &'a Arc<Position>,
    pub(crate) answer: &'a Answer,
}

/// The Grundy value as a value of the language.
pub(crate) fn grundy_value(value: &GrundyValue) -> Value {
    match value {
        GrundyValue::Nimber(g) => Value::int((*g).into()),
        GrundyValue::Large(g) => Value::int(g.clone().into()),
        GrundyValue::Loop(options) => Value::Loop(options.clone().into()),
    }
}

/// `None`: the guard does not hold. An error: the theorem, or what it states, is not defined here.
pub(crate) fn judge(
    ctx: &mut Context,
    game: &Game,
    theorem: &Theorem,
    at: &Searched<'_>,
) -> Run<Option<Result<(), Clash>>> {
    let state = &at.component.state;
    let guard = match &theorem.says {
        TheoremSays::Value { guard, .. } | TheoremSays::Verdict { guard, .. } => guard.as_ref(),
        TheoremSays::Moves { .. } => None,
    };
    if let Some(guard) = guard
        && !matches!(ctx.eval_in_game(at.instance, guard, state)?, Value::Bool(true))
    {
        return Ok(None);
    }
    match &theorem.says {
        TheoremSays::Value { what, value, .. } => {
            let claimed = ctx.eval_in_game(at.instance, value, state)?;
            let found = measured(ctx, *what, theorem, at)?;
            Ok(Some(if claimed == found {
                Ok(())
            } else {
                Err(Clash { claimed: claimed.to_string(), found: found.to_string() })
            }))
        }
        TheoremSays::Verdict { what, when, .. } => {
            let says = matches!(ctx.eval_in_game(at.instance, when, state)?, Value::Bool(true));
            let word = match what {
                Says::Wins => "first",
                Says::Loses => "second",
                Says::Draws => "draw",
            };
            let found = outcome_word(at.answer.outcome);
            Ok(Some(if says == (found == word) {
                Ok(())
            } else {
                let claimed = if says { word.to_string() } else { format!("not {word}") };
                Err(Clash { claimed, found: found.to_string() })
            }))
        }
        TheoremSays::Moves { which, name, clauses, slots } => match which {
            Which::To(slot) => moves_to(ctx, name, (*slot, clauses, slots), at).map(Some),
            Which::Drawing if at.answer.outcome != Outcome::Draw => Ok(None),
            Which::Winning | Which::Drawing => {
                let ways = ctx.ways_in_game(at.instance, clauses, slots, state)?;
                let claimed: BTreeSet<Vec<Value>> = ways.into_iter().collect();
                Ok(Some(listed(game, theorem, *which, name, &claimed, at.answer)))
            }
        },
    }
}

/// What the rules say of a measure; an error where it is not defined.
fn measured(ctx: &mut Context, what: Measure, theorem: &Theorem, at: &Searched<'_>) -> Run<Value> {
    let text = ctx.component_text(at.component);
    let undefined = |code, what: &str, why: &str| {
        let message = format!("the {what} of `{text}` is not defined{why}");
        Halt::Error(Box::new(Diagnostic::new(code, theorem.span, message)))
    };
    match what {
        Measure::Outcome => Ok(Value::text(outcome_word(at.answer.outcome))),
        Measure::Grundy => {
            let why = at.answer.grundy_refused.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
            let value = at.answer.grundy.as_ref().map(grundy_value);
            value.ok_or_else(|| undefined(Code::E20, "Grundy value", &why))
        }
        Measure::Score => at.answer.score.map(Value::Int).ok_or_else(|| undefined(Code::E21, "score", "")),
        Measure::Remoteness => (ctx.session.hook)(ctx, Builtin::Remoteness, at.position),
    }
}

/// Compares sets of moves that win or draw. The first line of a game about them speaks for the names without a line too: they
/// have none.
fn listed(
    game: &Game,
    theorem: &Theorem,
    which: Which<Slot>,
    name: &str,
    claimed: &BTreeSet<Vec<Value>>,
    answer: &Answer,
) -> Result<(), Clash> {
    let (word, does) = if which == Which::Drawing { ("drawing", "draws") } else { ("winning", "wins") };
    let none = &MoveList::default();
    let found_moves = if which == Which::Drawing { answer.drawing.as_ref().unwrap_or(none) } else { &answer.winning };
    let of_kind = |t: &&Theorem| matches!(&t.says, TheoremSays::Moves { which: of, .. } if *of == which);
    let stated: Vec<&str> = game
        .theorems
        .iter()
        .filter(of_kind)
        .filter_map(|t| match &t.says {
            TheoremSays::Moves { name, .. } => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let speaks_for_all = game.theorems.iter().find(of_kind).is_some_and(|first| std::ptr::eq(first, theorem));
    let mut found = BTreeSet::new();
    for mv in &found_moves.listed {
        if mv.name == name {
            found.insert(mv.binders.iter().map(|(_, value)| value.clone()).collect::<Vec<_>>());
        } else if speaks_for_all && !stated.contains(&mv.name.as_str()) {
            let claimed = format!("no {word} `{}`", mv.name);
            return Err(Clash { claimed, found: format!("`{}` {does}", mv.text) });
        }
    }
    compared(name, word, claimed, &found)
}

fn compared(name: &str, word: &str, claimed: &BTreeSet<Vec<Value>>, found: &BTreeSet<Vec<Value>>) -> Result<(), Clash> {
    if claimed == found {
        return Ok(());
    }
    let show = |set: &BTreeSet<Vec<Value>>| {
        let mut texts: Vec<String> = set.iter().map(|binders| move_text(name, binders)).collect();
        if texts.is_empty() {
            texts.push(format!("no {word} `{name}`"));
        }
        texts.join(", ")
    };
    Err(Clash { claimed: show(claimed), found: show(found) })
}

/// Compares the moves to each value: up to one more than the greatest that a move leads to, and the first few.
fn moves_to(
    ctx: &mut Context,
    name: &str,
    (slot, clauses, slots): (Slot, &[Clause], &[Slot]),
    at: &Searched<'_>,
) -> Run<Result<(), Clash>> {
    /// A line may be wrong about values that no move leads to.
    const FEW: u64 = 8;
    let id = ctx.component(at.component)?;
    let mut found: BTreeMap<u64, BTreeSet<Vec<Value>>> = BTreeMap::new();
    for (moved, binders, value) in moves_with_values(ctx, at.position)? {
        if let (true, GrundyValue::Nimber(value)) = (moved == name, value) {
            found.entry(value).or_default().insert(binders);
        }
    }
    let greatest = found.keys().next_back().map_or(0, |value| value + 1).max(FEW);
    for to in 0..=greatest {
        let ways = ctx.ways_given(id, clauses, (slot, &Value::int(to.into())), slots)?;
        let claimed: BTreeSet<Vec<Value>> = ways.into_iter().collect();
        let none = BTreeSet::new();
        let compared = compared(name, &format!("move to {to}:"), &claimed, found.get(&to).unwrap_or(&none));
        if compared.is_err() {
            return Ok(compared);
        }
    }
    Ok(Ok(()))
}

fn move_text(name: &str, binders: &[Value]) -> String {
    binders.iter().fold(name.to_string(), |text, value| format!("{text} {value}"))
}

/// An error with the position at which it came.
pub(crate) fn told_at(ctx: &Context, mut error: Diagnostic, component: &Component) -> Diagnostic {
    if error.hint.is_none() && !ctx.in_let(&error) {
        error.hint = Some(format!("this is at `{}`", ctx.component_text(component)));
    }
    error
}

/// Whether all of these terms hold in a state.
pub(crate) fn all_hold(ctx: &mut Context, instance: InstanceId, terms: &[Term], state: &Arc<[Value]>) -> Run<bool> {
    for term in terms {
        if !matches!(ctx.eval_in_game(instance, term, state)?, Value::Bool(true)) {
            return Ok(false);
        }
    }
    Ok(true)
}
