//! Closed forms of the file, used instead of searching (rule 34). Never taken on trust: `check` judges them by the rules,
//! `--exhaustive` ignores them, and the answer says that one was used.

use super::judge::Verdict;
use super::lists;
use super::root::{Goal, Root, RootMove};
use super::value::SumValue;
use super::{Choice, outcome_word, stated};
use crate::answer::{Answer, GrundyValue, Method, MoveList, Outcome};
use crate::check::model::{Term, TheoremSays};
use crate::rules::fault::{Fault, Halt, Run};
use crate::rules::machine::Machine;
use crate::rules::value::Value;
use crate::syntax::tree::{Measure, Verdict as Says};
use hashbrown::HashMap;

/// Whether a theorem's guard holds for a component.
fn holds(machine: &mut Machine, id: u32, guard: Option<&Term>) -> Run<bool> {
    let Some(guard) = guard else { return Ok(true) };
    Ok(matches!(machine.eval_at(id, guard)?, Value::Bool(true)))
}

/// The Grundy value that a theorem states for a component; `None` when none does.
fn stated_value(machine: &mut Machine, id: u32) -> Run<Option<u64>> {
    let program = machine.program.clone();
    let game = &program.games[machine.game_of(id).0];
    if game.misere { Ok(None) } else { stated(machine, id, Measure::Grundy) }
}

/// The number that a theorem states for a component; `None` when none does.
fn stated(machine: &mut Machine, id: u32, measure: Measure) -> Run<Option<u64>> {
    let program = machine.program.clone();
    for theorem in &program.games[machine.game_of(id).0].theorems {
        let TheoremSays::Value { what, value, guard } = &theorem.says else { continue };
        if *what != measure || !holds(machine, id, guard.as_ref())? {
            continue;
        }
        return match machine.eval_at(id, value)? {
            Value::Int(g) => Ok(u64::try_from(g).ok()),
            _ => Ok(None),
        };
    }
    Ok(None)
}

/// Who wins a component played alone, as theorems state it; `None` when they leave it open.
fn stated_outcome(machine: &mut Machine, id: u32) -> Run<Option<Outcome>> {
    let program = machine.program.clone();
    let game = &program.games[machine.game_of(id).0];
    let mut excluded: Vec<Outcome> = Vec::new();
    for theorem in &game.theorems {
        match &theorem.says {
            TheoremSays::Value { what: Measure::Outcome, value, guard } => {
                if holds(machine, id, guard.as_ref())?
                    && let Value::Text(word) = machine.eval_at(id, value)?
                {
                    let word = word.to_string();
                    let all = [Outcome::First, Outcome::Second, Outcome::Draw];
                    return if let Some(outcome) = all.into_iter().find(|o| outcome_word(*o) == word) {
                        Ok(Some(outcome))
                    } else {
                        let message = format!("a theorem says the outcome is `{word}`, not first, second or draw");
                        Err(Halt::at(theorem.span, Fault::new("E03", message)))
                    };
                }
            }
            TheoremSays::Verdict { what, when, guard } if holds(machine, id, guard.as_ref())? => {
                let said = match what {
                    Says::Wins => Outcome::First,
                    Says::Loses => Outcome::Second,
                    Says::Draws => Outcome::Draw,
                };
                if matches!(machine.eval_at(id, when)?, Value::Bool(true)) {
                    return Ok(Some(said));
                }
                excluded.push(said);
            }
            _ => {}
        }
    }
    let left: Vec<Outcome> =
        [Outcome::First, Outcome::Second, Outcome::Draw].into_iter().filter(|o| !excluded.contains(o)).collect();
    Ok(if left.len() == 1 { Some(left[0]) } else { None })
}

/// The whole answer from `theorem grundy` of every component; `None` when some component has none.
pub(crate) fn solve(machine: &mut Machine, root: &Root, text: &str, choice: Choice) -> Run<Option<Answer>> {
    if root.mode.misere || root.mode.compound.is_some() || root.ids.is_empty() {
        return Ok(None);
    }
    let mut values: HashMap<u32, u64> = HashMap::new();
    let mut sum = SumValue::default();
    for &id in &root.ids {
        let value = match values.get(&id) {
            Some(&value) => value,
            None => match stated_value(machine, id)? {
                Some(value) => {
                    values.insert(id, value);
                    value
                }
                None => return Ok(None),
            },
        };
        sum.add(&GrundyValue::Nimber(value));
    }
    let GrundyValue::Nimber(total) = sum.value() else { return Ok(None) };
    let mut winning = MoveList::default();
    if total != 0 {
        let stated = if root.ids.len() == 1 { stated::moves(machine, root, choice.moves.max(1))? } else { None };
        // Lines that contradict each other are not used: every stated move must lead to value 0, and one there must be.
        let agreed = match stated {
            Some(moves) if moves.count > 0 && all_lead_to_zero(machine, root, &moves.first)? => Some(moves),
            _ => None,
        };
        if let Some(moves) = agreed {
            winning = moves.answers(root, machine, choice.moves);
        } else {
            let judge =
                &mut |machine: &mut Machine, mv: &RootMove| leads_to_zero(machine, root, mv, total, &mut values);
            let Some([moves, _]) = lists::judged(root, machine, choice.moves, judge)? else { return Ok(None) };
            winning = moves;
        }
    }
    Ok(Some(Answer {
        position: text.to_string(),
        outcome: if total == 0 { Outcome::Second } else { Outcome::First },
        grundy: Some(GrundyValue::Nimber(total)),
        grundy_refused: None,
        remoteness: None,
        score: None,
        winning,
        drawing: None,
        method: Method::Theorem,
        positions: 0,
    }))
}

/// Whether theorems state the Grundy value of every component of a disjunctive sum in normal play.
pub(crate) fn states_values(machine: &mut Machine, root: &Root) -> Run<bool> {
    if root.mode.misere || root.mode.compound.is_some() || root.ids.is_empty() {
        return Ok(false);
    }
    for &id in &root.ids {
        if stated_value(machine, id)?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether these moves of a single component all lead to sums of value 0 by the stated values; the first few of them.
fn all_lead_to_zero(machine: &mut Machine, root: &Root, moves: &[RootMove]) -> Run<bool> {
    /// More moves than this are not followed.
    const FOLLOWED: usize = 100;
    for mv in moves.iter().take(FOLLOWED) {
        let mut after = 0;
        for (_, step) in &mv.steps {
            let Goal::To(ids) = &step.way else { return Ok(false) };
            for &id in ids {
                match stated_value(machine, id)? {
                    Some(value) => after ^= value,
                    None => return Ok(false),
                }
            }
        }
        if after != 0 || root.ids.len() != 1 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a move leads to a sum of value 0 by the stated values; `None` when an option's value is not stated.
fn leads_to_zero(
    machine: &mut Machine,
    root: &Root,
    mv: &RootMove,
    total: u64,
    values: &mut HashMap<u32, u64>,
) -> Run<Option<Verdict>> {
    let mut after = total;
    for (i, step) in &mv.steps {
        after ^= values.get(&root.ids[*i]).copied().unwrap_or(0);
        let Goal::To(ids) = &step.way else { return Ok(None) };
        if step.again || step.gain.is_some() {
            return Ok(None);
        }
        for &id in ids {
            let value = match values.get(&id) {
                Some(&value) => value,
                None => match stated_value(machine, id)? {
                    Some(value) => {
                        values.insert(id, value);
                        value
                    }
                    None => return Ok(None),
                },
            };
            after ^= value;
        }
    }
    Ok(Some(if after == 0 { Verdict::Wins } else { Verdict::Loses }))
}

/// A single component played in its own convention: the position that its theorems about outcome and remoteness are about.
fn alone(machine: &Machine, root: &Root) -> Option<u32> {
    let [id] = root.ids[..] else { return None };
    if root.mode.compound.is_some() || id == super::space::NOTHING {
        return None;
    }
    (machine.program.games[machine.game_of(id).0].misere == root.mode.misere).then_some(id)
}

/// Who wins a single component by a theorem about outcomes, in its own convention.
pub(crate) fn outcome_of(machine: &mut Machine, root: &Root) -> Run<Option<Outcome>> {
    alone(machine, root).map_or(Ok(None), |id| stated_outcome(machine, id))
}

/// The remoteness of a single component by a theorem, in its own convention.
pub(crate) fn stated_remoteness(machine: &mut Machine, root: &Root) -> Run<Option<u64>> {
    alone(machine, root).map_or(Ok(None), |id| stated(machine, id, Measure::Remoteness))
}

/// The answer when a theorem knows the outcome and searching is too much.
pub(crate) fn outcome_answer(
    machine: &mut Machine,
    root: &Root,
    text: &str,
    outcome: Outcome,
    choice: Choice,
) -> Run<Answer> {
    let mut lists = [MoveList::default(), MoveList::default()];
    if let Some(moves) = stated::moves(machine, root, choice.moves)? {
        lists[0] = moves.answers(root, machine, choice.moves);
        if outcome == Outcome::Draw {
            return Err(no_moves("the drawing moves"));
        }
    } else {
        let judge = &mut |machine: &mut Machine, mv: &RootMove| verdict(machine, root, mv).map(Some);
        lists = lists::judged(root, machine, choice.moves, judge)?.unwrap_or_default();
    }
    let [winning, drawing] = lists;
    Ok(Answer {
        position: text.to_string(),
        outcome,
        grundy: None,
        grundy_refused: Some("a theorem gives the outcome only, and the search for the value is too large".to_string()),
        remoteness: if outcome == Outcome::Draw { None } else { stated_remoteness(machine, root)? },
        score: None,
        winning,
        drawing: (outcome == Outcome::Draw).then_some(drawing),
        method: Method::Theorem,
        positions: 0,
    })
}

fn no_moves(what: &str) -> Halt {
    Halt::Fault(Fault::new("L01", format!("a theorem gives the outcome, but {what} need a search that is too large")))
}

/// What a move is worth by the stated outcomes of what it leads to.
fn verdict(machine: &mut Machine, root: &Root, mv: &RootMove) -> Run<Verdict> {
    let [(_, step)] = &mv.steps[..] else { return Err(no_moves("the winning moves")) };
    let next = match &step.way {
        Goal::Stop(Outcome::First) => return Ok(Verdict::Wins),
        Goal::Stop(Outcome::Second) => return Ok(Verdict::Loses),
        Goal::Stop(Outcome::Draw) => return Ok(Verdict::Draws),
        Goal::To(ids) => match ids[..] {
            [id] if machine.program.games[machine.game_of(id).0].misere == root.mode.misere => {
                stated_outcome(machine, id)?
            }
            _ => None,
        },
    };
    Ok(match (next.ok_or_else(|| no_moves("the winning moves"))?, step.again) {
        (Outcome::Draw, _) => Verdict::Draws,
        (Outcome::Second, false) | (Outcome::First, true) => Verdict::Wins,
        _ => Verdict::Loses,
    })
}
