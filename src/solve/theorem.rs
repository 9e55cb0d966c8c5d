//! Closed forms of the file, used instead of searching (rule 34). Never taken on trust: `check` judges them by the rules,
//! `--exhaustive` ignores them, and the answer says that one was used.

use super::judge::Verdict;
use super::lists;
use super::nimber::Nimber;
use super::numbers::Numbers;
use super::root::{Goal, Root, RootMove};
use super::{Choice, is_too_much, outcome_word, stated};
use crate::answer::{Answer, Method, MoveList, Outcome};
use crate::check::ending::always_ends;
use crate::check::model::{Term, TheoremSays};
use crate::rules::fault::{Fault, Halt, Run};
use crate::rules::limits::{Pace, Trial};
use crate::rules::machine::Machine;
use crate::rules::value::Value;
use crate::syntax::tree::{Measure, Verdict as Says, Which};
use hashbrown::HashMap;

/// Whether a theorem's guard holds for a component.
fn holds(machine: &mut Machine, id: u32, guard: Option<&Term>) -> Run<bool> {
    let Some(guard) = guard else { return Ok(true) };
    Ok(matches!(machine.eval_at(id, guard)?, Value::Bool(true)))
}

/// The Grundy value that a theorem states for a component; `None` when none does.
fn stated_value(machine: &mut Machine, id: u32) -> Run<Option<Nimber>> {
    let program = machine.program.clone();
    let game = &program.games[machine.game_of(id).0];
    if game.misere { Ok(None) } else { stated(machine, id, Measure::Grundy) }
}

/// The number that a theorem states for a component; `None` when none does.
fn stated(machine: &mut Machine, id: u32, measure: Measure) -> Run<Option<Nimber>> {
    let program = machine.program.clone();
    for theorem in &program.games[machine.game_of(id).0].theorems {
        let TheoremSays::Value { what, value, guard } = &theorem.says else { continue };
        if *what != measure || !holds(machine, id, guard.as_ref())? {
            continue;
        }
        return Ok(Nimber::of(&machine.eval_at(id, value)?));
    }
    Ok(None)
}

/// The values stated of components so far.
pub(super) struct Values {
    small: Numbers,
    large: HashMap<u32, Nimber>,
}

impl Values {
    /// None yet.
    pub(super) fn of(ids: &[u32]) -> Values {
        Values { small: Numbers::of(ids), large: HashMap::new() }
    }

    fn get(&self, id: u32) -> Option<Nimber> {
        let small = self.small.get(id).map(Nimber::Small);
        small.or_else(|| if self.large.is_empty() { None } else { self.large.get(&id).cloned() })
    }

    fn set(&mut self, id: u32, value: &Nimber) {
        match value {
            Nimber::Small(n) => self.small.set(id, *n),
            Nimber::Large(_) => {
                self.large.insert(id, value.clone());
            }
        }
    }
}

/// The same, each asked for once.
pub(super) fn known_value(machine: &mut Machine, id: u32, values: &mut Values) -> Run<Option<Nimber>> {
    if let Some(value) = values.get(id) {
        return Ok(Some(value));
    }
    let value = stated_value(machine, id)?;
    if let Some(value) = &value {
        values.set(id, value);
    }
    Ok(value)
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
                // What neither player can hold off for ever is decided.
                let of = machine.game_of(id);
                let mut ends = || *machine.memo.ending.entry(of).or_insert_with(|| always_ends(&program, of));
                if !excluded.contains(&Outcome::Draw) && ends() {
                    excluded.push(Outcome::Draw);
                }
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
    let mut values = Values::of(&root.ids);
    let mut total = Nimber::ZERO;
    for &id in &root.ids {
        let Some(value) = known_value(machine, id, &mut values)? else { return Ok(None) };
        total = total.xor(&value);
    }
    let (mut winning, mut moves_refused) = (MoveList::default(), None);
    if !total.is_zero() {
        match tried(machine, |machine| winning_moves(machine, root, &total, &mut values, choice.moves))? {
            Some(Some(moves)) => winning = moves,
            Some(None) => return Ok(None),
            None => moves_refused = Some(too_many()),
        }
    }
    Ok(Some(Answer {
        position: text.to_string(),
        outcome: if total.is_zero() { Outcome::Second } else { Outcome::First },
        grundy: Some(total.to_answer()),
        grundy_refused: None,
        moves_refused,
        remoteness: None,
        score: None,
        winning,
        drawing: None,
        method: Method::Theorem,
        positions: 0,
    }))
}

/// The winning moves where the stated values say who wins: as stated, else those that lead to 0 by the stated values; `None`
/// when some option's value is not stated.
fn winning_moves(
    machine: &mut Machine,
    root: &Root,
    total: &Nimber,
    values: &mut Values,
    most: usize,
) -> Run<Option<MoveList>> {
    let stated = match &root.ids[..] {
        [_] => stated::moves(machine, root, Which::Winning, most.max(1))?,
        _ => None,
    };
    // Lines that contradict each other are not used: every stated move must lead to value 0, and one there must be.
    let agreed = match stated {
        Some(moves) if moves.count > 0 && all_lead_to_zero(machine, root, &moves.first)? => Some(moves),
        _ => moves_of_sum(machine, root, total, values, most)?,
    };
    if let Some(moves) = agreed {
        return Ok(Some(moves.answers(root, machine, most)));
    }
    let judge = &mut |machine: &mut Machine, mv: &RootMove| leads_to_zero(machine, root, mv, total, values);
    Ok(lists::judged(root, machine, most, judge)?.map(|[moves, _]| moves))
}

/// More moves than this of a sum are not followed.
pub(super) const FOLLOWED: u64 = 100;

/// The winning moves of a sum by the lines that state the moves to a Grundy value; `None` when some component has no such
/// lines, or they contradict the stated values.
fn moves_of_sum(
    machine: &mut Machine,
    root: &Root,
    total: &Nimber,
    values: &mut Values,
    most: usize,
) -> Run<Option<stated::Stated>> {
    let mut found = stated::Stated::default();
    let mut known = Numbers::of(&root.ids);
    let mut pace = Pace::default();
    for (i, &id) in root.ids.iter().enumerate().filter(|(i, _)| root.class[*i] == *i) {
        pace.spend(&machine.limits, 8)?;
        let room = most.saturating_sub(found.first.len());
        if let (Some(count), true) = (known.get(id), room == 0) {
            found.count += count;
            continue;
        }
        let to = values.get(id).map_or_else(|| total.clone(), |value| value.xor(total));
        // One in full of each component, to be held against the stated values.
        let Some(moves) = stated::moves_to(machine, root, i, &to.to_value(), room.max(1))? else { return Ok(None) };
        for mv in moves.first.iter().take(usize::from(found.count < FOLLOWED)) {
            if !matches!(leads_to_zero(machine, root, mv, total, values)?, Some(Verdict::Wins)) {
                return Ok(None);
            }
        }
        known.set(id, moves.count);
        found.count += moves.count;
        found.first.extend(moves.first.into_iter().take(room));
    }
    // From a value that is not 0 some move leads to 0.
    Ok((found.count > 0).then_some(found))
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
        let mut after = Nimber::ZERO;
        for (_, step) in &mv.steps {
            let Goal::To(ids) = &step.way else { return Ok(false) };
            for &id in ids {
                match stated_value(machine, id)? {
                    Some(value) => after = after.xor(&value),
                    None => return Ok(false),
                }
            }
        }
        if !after.is_zero() || root.ids.len() != 1 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a move leads to a sum of value 0 by the stated values; `None` when an option's value is not stated.
pub(super) fn leads_to_zero(
    machine: &mut Machine,
    root: &Root,
    mv: &RootMove,
    total: &Nimber,
    values: &mut Values,
) -> Run<Option<Verdict>> {
    let mut after = total.clone();
    for (i, step) in &mv.steps {
        if let Some(value) = values.get(root.ids[*i]) {
            after = after.xor(&value);
        }
        let Goal::To(ids) = &step.way else { return Ok(None) };
        if step.again || step.gain.is_some() {
            return Ok(None);
        }
        for &id in ids {
            let Some(value) = known_value(machine, id, values)? else { return Ok(None) };
            after = after.xor(&value);
        }
    }
    Ok(Some(if after.is_zero() { Verdict::Wins } else { Verdict::Loses }))
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
    let stated = alone(machine, root).map_or(Ok(None), |id| stated(machine, id, Measure::Remoteness))?;
    Ok(stated.and_then(|value| match value {
        Nimber::Small(n) => Some(n),
        Nimber::Large(_) => None,
    }))
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
    let mut moves_refused = None;
    let (which, list) = if outcome == Outcome::Draw { (Which::Drawing, 1) } else { (Which::Winning, 0) };
    // No move wins or draws a lost position, and none wins a drawn one.
    if outcome != Outcome::Second {
        let found = tried(machine, |machine| {
            if let Some(moves) = stated::moves(machine, root, which, choice.moves)? {
                let mut lists = [MoveList::default(), MoveList::default()];
                lists[list] = moves.answers(root, machine, choice.moves);
                return Ok(lists);
            }
            let judge = &mut |machine: &mut Machine, mv: &RootMove| verdict(machine, root, mv).map(Some);
            Ok(lists::judged(root, machine, choice.moves, judge)?.unwrap_or_default())
        });
        match found? {
            Some(found) => lists = found,
            None => moves_refused = Some(too_many()),
        }
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
        drawing: (outcome == Outcome::Draw && moves_refused.is_none()).then_some(drawing),
        moves_refused,
        method: Method::Theorem,
        positions: 0,
    })
}

fn no_moves(what: &str) -> Halt {
    Halt::Fault(Fault::new("L01", format!("a theorem gives the outcome, but {what} need a search that is too large")))
}

pub(super) fn too_many() -> String {
    "there are too many to look at".to_string()
}

/// Work that may come to nothing when it is too much; the limits of the user hold all the same.
pub(super) fn tried<T>(machine: &mut Machine, work: impl FnOnce(&mut Machine) -> Run<T>) -> Run<Option<T>> {
    /// Some seconds.
    const MOVES: Trial = Trial { positions: u64::MAX, bytes: 1 << 31, steps: 500_000_000 };
    match machine.within_trial(MOVES, work) {
        Err(halt) if is_too_much(&halt) && !machine.limits_reached() => Ok(None),
        other => other.map(Some),
    }
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
