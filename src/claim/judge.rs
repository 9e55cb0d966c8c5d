//! One theorem against one position that was searched (rule 34).

use crate::answer::{Answer, GrundyValue};
use crate::check::builtin::Builtin;
use crate::check::model::{Game, Term, Theorem, TheoremSays};
use crate::diagnostic::Diagnostic;
use crate::rules::fault::{Halt, Run};
use crate::rules::machine::Machine;
use crate::rules::value::{Component, Position, Value};
use crate::solve::outcome_word;
use crate::syntax::tree::{Measure, Verdict as Says};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a theorem says and what the rules say, where they differ.
pub(crate) struct Clash {
    pub(crate) claimed: String,
    pub(crate) found: String,
}

/// A searched position.
pub(crate) struct Searched<'a> {
    pub(crate) component: &'a Component,
    pub(crate) instance: usize,
    pub(crate) position: &'a Arc<Position>,
    pub(crate) answer: &'a Answer,
}

/// The Grundy value as a value of the language.
pub(crate) fn grundy_value(value: &GrundyValue) -> Value {
    match value {
        GrundyValue::Nimber(g) => Value::int((*g).into()),
        GrundyValue::Loop(options) => Value::Loop(options.clone().into()),
    }
}

/// `None`: the guard does not hold. An error: the theorem, or what it states, is not defined here.
pub(crate) fn judge(
    machine: &mut Machine,
    game: &Game,
    theorem: &Theorem,
    at: &Searched<'_>,
) -> Run<Option<Result<(), Clash>>> {
    let state = &at.component.state;
    let guard = match &theorem.says {
        TheoremSays::Value { guard, .. } | TheoremSays::Verdict { guard, .. } => guard.as_ref(),
        TheoremSays::Winning { .. } => None,
    };
    if let Some(guard) = guard
        && !matches!(machine.eval_in_game(at.instance, guard, state)?, Value::Bool(true))
    {
        return Ok(None);
    }
    match &theorem.says {
        TheoremSays::Value { what, value, .. } => {
            let claimed = machine.eval_in_game(at.instance, value, state)?;
            let found = measured(machine, *what, theorem, at)?;
            Ok(Some(if claimed == found {
                Ok(())
            } else {
                Err(Clash { claimed: claimed.to_string(), found: found.to_string() })
            }))
        }
        TheoremSays::Verdict { what, when, .. } => {
            let says = matches!(machine.eval_in_game(at.instance, when, state)?, Value::Bool(true));
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
        TheoremSays::Winning { name, clauses, slots } => {
            let ways = machine.ways_in_game(at.instance, clauses, slots, state)?;
            let claimed: BTreeSet<Vec<Value>> = ways.into_iter().collect();
            Ok(Some(winning(game, theorem, name, &claimed, at.answer)))
        }
    }
}

/// What the rules say of a measure; an error where it is not defined.
fn measured(machine: &mut Machine, what: Measure, theorem: &Theorem, at: &Searched<'_>) -> Run<Value> {
    let text = machine.component_text(at.component);
    let undefined = |code, what: &str, why: &str| {
        let message = format!("the {what} of `{text}` is not defined{why}");
        Halt::Error(Box::new(Diagnostic::new(code, theorem.span, message)))
    };
    match what {
        Measure::Outcome => Ok(Value::text(outcome_word(at.answer.outcome))),
        Measure::Grundy => {
            let why = at.answer.grundy_refused.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
            let value = at.answer.grundy.as_ref().map(grundy_value);
            value.ok_or_else(|| undefined("E20", "Grundy value", &why))
        }
        Measure::Score => at.answer.score.map(Value::Int).ok_or_else(|| undefined("E21", "score", "")),
        Measure::Remoteness => (machine.hook)(machine, Builtin::Remoteness, at.position),
    }
}

/// Compares sets of moves. The first `winning` line of a game speaks for the names without a line too: they have none.
fn winning(
    game: &Game,
    theorem: &Theorem,
    name: &str,
    claimed: &BTreeSet<Vec<Value>>,
    answer: &Answer,
) -> Result<(), Clash> {
    let stated: Vec<&str> = game
        .theorems
        .iter()
        .filter_map(|t| match &t.says {
            TheoremSays::Winning { name, .. } => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let first = game.theorems.iter().find(|t| matches!(t.says, TheoremSays::Winning { .. }));
    let speaks_for_all = first.is_some_and(|first| std::ptr::eq(first, theorem));
    let mut found = BTreeSet::new();
    for mv in &answer.winning.listed {
        if mv.name == name {
            found.insert(mv.binders.iter().map(|(_, value)| value.clone()).collect::<Vec<_>>());
        } else if speaks_for_all && !stated.contains(&mv.name.as_str()) {
            let claimed = format!("no winning `{}`", mv.name);
            return Err(Clash { claimed, found: format!("`{}` wins", mv.text) });
        }
    }
    if *claimed == found {
        return Ok(());
    }
    let show = |set: &BTreeSet<Vec<Value>>| {
        let mut texts: Vec<String> = set.iter().map(|binders| move_text(name, binders)).collect();
        if texts.is_empty() {
            texts.push(format!("no winning `{name}`"));
        }
        texts.join(", ")
    };
    Err(Clash { claimed: show(claimed), found: show(&found) })
}

fn move_text(name: &str, binders: &[Value]) -> String {
    binders.iter().fold(name.to_string(), |text, value| format!("{text} {value}"))
}

/// An error with the position at which it came.
pub(crate) fn told_at(machine: &Machine, mut error: Diagnostic, component: &Component) -> Diagnostic {
    if error.hint.is_none() {
        error.hint = Some(format!("this is at `{}`", machine.component_text(component)));
    }
    error
}

/// Whether all of these terms hold in a state.
pub(crate) fn all_hold(machine: &mut Machine, instance: usize, terms: &[Term], state: &Arc<[Value]>) -> Run<bool> {
    for term in terms {
        if !matches!(machine.eval_in_game(instance, term, state)?, Value::Bool(true)) {
            return Ok(false);
        }
    }
    Ok(true)
}
