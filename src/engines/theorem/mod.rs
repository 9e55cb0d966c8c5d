//! Closed forms of the file, used instead of searching. Never taken on trust: `check` judges them by the rules,
//! `--exhaustive` ignores them, and the answer says that one was used.

mod moves;
mod outcome;
mod values;

use crate::answer::{Answer, Method, MoveList};
use crate::engines::nimber::Nimber;
use crate::engines::query::Root;
pub(super) use crate::engines::theorem::moves::leads_to_zero;
use crate::engines::theorem::moves::winning_moves;
pub(crate) use crate::engines::theorem::outcome::{outcome_answer, outcome_of, stated_remoteness};
pub(crate) use crate::engines::theorem::values::states_values;
pub(super) use crate::engines::theorem::values::{Values, known_value, speaks_of};
use crate::engines::{Choice, is_too_much};
use crate::tuning;
use crate::value::fault::Run;
use crate::value::limits::Trial;
use crate::vm::context::Context;

/// The whole answer from `theorem grundy` of every component; `None` when some component has none.
pub(crate) fn solve(ctx: &mut Context, root: &Root, text: &str, choice: Choice) -> Run<Option<Answer>> {
    if root.mode.misere || root.mode.compound.is_some() || root.ids.is_empty() {
        return Ok(None);
    }
    let mut values = Values::of(&root.ids);
    let mut total = Nimber::ZERO;
    for &id in &root.ids {
        let Some(value) = known_value(ctx, id, &mut values)? else { return Ok(None) };
        total = total.xor(&value);
    }
    let (mut winning, mut moves_refused) = (MoveList::default(), None);
    if !total.is_zero() {
        match tried(ctx, |ctx| winning_moves(ctx, root, &total, &mut values, choice.moves))? {
            Some(Some(moves)) => winning = moves,
            Some(None) => return Ok(None),
            None => moves_refused = Some(too_many()),
        }
    }
    Ok(Some(total.answer(text.to_string(), winning, moves_refused, Method::Theorem)))
}

/// Why moves are left out that nothing forbids.
pub(super) fn too_many() -> String {
    "there are too many to look at".to_string()
}

/// Work that may come to nothing when it is too much; the limits of the user hold all the same.
pub(super) fn tried<T>(ctx: &mut Context, work: impl FnOnce(&mut Context) -> Run<T>) -> Run<Option<T>> {
    tried_within(ctx, tuning::MOVES, work)
}

/// The same within these limits.
pub(super) fn tried_within<T>(
    ctx: &mut Context,
    trial: Trial,
    work: impl FnOnce(&mut Context) -> Run<T>,
) -> Run<Option<T>> {
    match ctx.within_trial(trial, work) {
        Err(halt) if is_too_much(&halt) && !ctx.limits_reached() => Ok(None),
        other => other.map(Some),
    }
}
