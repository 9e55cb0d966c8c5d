//! The whole answer about a sum of heaps whose rules are codes.

use crate::answer::{Answer, Method, MoveList};
use crate::engines::heap_codes::{is_large, value};
use crate::engines::judge::Verdict;
use crate::engines::nimber::Nimber;
use crate::engines::query::{Goal, Root, RootMove};
use crate::engines::theorem::{too_many, tried_within};
use crate::engines::{Choice, components, lists};
use crate::value::fault::Run;
use crate::value::limits::Trial;
use crate::vm::machine::Machine;
use hashbrown::HashMap;

/// Values by component.
type Values = HashMap<u32, Nimber>;

fn known(machine: &mut Machine, id: u32, values: &mut Values) -> Run<Option<Nimber>> {
    if let Some(value) = values.get(&id) {
        return Ok(Some(value.clone()));
    }
    let value = value(machine, id)?;
    if let Some(value) = &value {
        values.insert(id, value.clone());
    }
    Ok(value)
}

fn sum(machine: &mut Machine, root: &Root, values: &mut Values) -> Run<Option<Nimber>> {
    if root.mode != components::NORMAL || !root.ids.iter().any(|&id| is_large(machine, id)) {
        return Ok(None);
    }
    let mut total = Nimber::ZERO;
    for &id in &root.ids {
        let Some(value) = known(machine, id, values)? else { return Ok(None) };
        total = total.xor(&value);
    }
    Ok(Some(total))
}

/// The Grundy value of a sum of heaps, one of them large; `None` when some component is no heap with a code.
pub(crate) fn total(machine: &mut Machine, root: &Root) -> Run<Option<Nimber>> {
    sum(machine, root, &mut Values::new())
}

/// The answer about such a sum. Its winning moves are left out when there are too many moves to try.
pub(crate) fn solve(machine: &mut Machine, root: &Root, text: &str, choice: Choice) -> Run<Option<Answer>> {
    /// About a second.
    const MOVES: Trial = Trial { positions: 1 << 20, bytes: 1 << 29, steps: 4_000_000 };
    let mut values = Values::new();
    let Some(total) = sum(machine, root, &mut values)? else { return Ok(None) };
    let (mut winning, mut moves_refused) = (MoveList::default(), None);
    if !total.is_zero() {
        let listed = tried_within(machine, MOVES, |machine| {
            let judge = &mut |machine: &mut Machine, mv: &RootMove| judged(machine, root, mv, &total, &mut values);
            lists::judged(root, machine, choice.moves, judge)
        });
        match listed? {
            Some(Some([moves, _])) => winning = moves,
            Some(None) => return Ok(None),
            None => moves_refused = Some(too_many()),
        }
    }
    Ok(Some(total.answer(text.to_string(), winning, moves_refused, Method::Components)))
}

/// What a move is worth by the values of the heaps that it leaves.
fn judged(
    machine: &mut Machine,
    root: &Root,
    mv: &RootMove,
    total: &Nimber,
    values: &mut Values,
) -> Run<Option<Verdict>> {
    let mut after = total.clone();
    for (i, step) in &mv.steps {
        let Goal::To(left) = &step.way else { return Ok(None) };
        for id in left.iter().chain([&root.ids[*i]]) {
            let Some(value) = known(machine, *id, values)? else { return Ok(None) };
            after = after.xor(&value);
        }
    }
    Ok(Some(if after.is_zero() { Verdict::Wins } else { Verdict::Loses }))
}
