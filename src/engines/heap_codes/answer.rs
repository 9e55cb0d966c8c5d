//! The whole answer about a sum of heaps whose rules are codes.

use crate::answer::{Answer, Method, MoveList};
use crate::engines::heap_codes::{is_large, value};
use crate::engines::judge::Verdict;
use crate::engines::nimber::Nimber;
use crate::engines::query::{Goal, Root, RootMove};
use crate::engines::theorem::{too_many, tried_within};
use crate::engines::{Choice, components, lists};
use crate::tuning;
use crate::value::fault::Run;
use crate::vm::context::Context;
use hashbrown::HashMap;

/// Values by component.
type Values = HashMap<u32, Nimber>;

fn known(ctx: &mut Context, id: u32, values: &mut Values) -> Run<Option<Nimber>> {
    if let Some(value) = values.get(&id) {
        return Ok(Some(value.clone()));
    }
    let value = value(ctx, id)?;
    if let Some(value) = &value {
        values.insert(id, value.clone());
    }
    Ok(value)
}

fn sum(ctx: &mut Context, root: &Root, values: &mut Values) -> Run<Option<Nimber>> {
    if root.mode != components::NORMAL || !root.ids.iter().any(|&id| is_large(ctx, id)) {
        return Ok(None);
    }
    let mut total = Nimber::ZERO;
    for &id in &root.ids {
        let Some(value) = known(ctx, id, values)? else { return Ok(None) };
        total = total.xor(&value);
    }
    Ok(Some(total))
}

/// The Grundy value of a sum of heaps, one of them large; `None` when some component is no heap with a code.
pub(crate) fn total(ctx: &mut Context, root: &Root) -> Run<Option<Nimber>> {
    sum(ctx, root, &mut Values::new())
}

/// The answer about such a sum. Its winning moves are left out when there are too many moves to try.
pub(crate) fn solve(ctx: &mut Context, root: &Root, text: &str, choice: Choice) -> Run<Option<Answer>> {
    let mut values = Values::new();
    let Some(total) = sum(ctx, root, &mut values)? else { return Ok(None) };
    let (mut winning, mut moves_refused) = (MoveList::default(), None);
    if !total.is_zero() {
        let listed = tried_within(ctx, tuning::HEAP_MOVES, |ctx| {
            let judge = &mut |ctx: &mut Context, mv: &RootMove| judged(ctx, root, mv, &total, &mut values);
            lists::judged(root, ctx, choice.moves, judge)
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
fn judged(ctx: &mut Context, root: &Root, mv: &RootMove, total: &Nimber, values: &mut Values) -> Run<Option<Verdict>> {
    let mut after = total.clone();
    for (i, step) in &mv.steps {
        let Goal::To(left) = &step.way else { return Ok(None) };
        for id in left.iter().chain([&root.ids[*i]]) {
            let Some(value) = known(ctx, *id, values)? else { return Ok(None) };
            after = after.xor(&value);
        }
    }
    Ok(Some(if after.is_zero() { Verdict::Wins } else { Verdict::Loses }))
}
