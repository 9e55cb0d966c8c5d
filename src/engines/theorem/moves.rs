//! Winning moves where theorems state the Grundy values.

use crate::answer::MoveList;
use crate::engines::engine::Verdict;
use crate::engines::nimber::Nimber;
use crate::engines::numbers::Numbers;
use crate::engines::query::{Goal, Root, RootMove};
use crate::engines::theorem::values::{Values, known_value, stated_value};
use crate::engines::{lists, stated};
use crate::syntax::tree::Which;
use crate::tuning;
use crate::value::fault::Run;
use crate::value::limits::Pace;
use crate::vm::context::Context;

/// The winning moves where the stated values say who wins: as stated, else those that lead to 0 by the stated values; `None`
/// when some option's value is not stated.
pub(super) fn winning_moves(
    ctx: &mut Context,
    root: &Root,
    total: &Nimber,
    values: &mut Values,
    most: usize,
) -> Run<Option<MoveList>> {
    let stated = match &root.ids[..] {
        [_] => stated::moves(ctx, root, Which::Winning, most.max(1))?,
        _ => None,
    };
    // Lines that contradict each other are not used: every stated move must lead to value 0, and one there must be.
    let agreed = match stated {
        Some(moves) if moves.count > 0 && all_lead_to_zero(ctx, root, &moves.first)? => Some(moves),
        _ => moves_of_sum(ctx, root, total, values, most)?,
    };
    if let Some(moves) = agreed {
        return Ok(Some(moves.answers(root, ctx, most)));
    }
    let judge = &mut |ctx: &mut Context, mv: &RootMove| leads_to_zero(ctx, root, mv, total, values);
    Ok(lists::judged(root, ctx, most, judge)?.map(|[moves, _]| moves))
}

/// The winning moves of a sum by the lines that state the moves to a Grundy value; `None` when some component has no such
/// lines, or they contradict the stated values.
fn moves_of_sum(
    ctx: &mut Context,
    root: &Root,
    total: &Nimber,
    values: &mut Values,
    most: usize,
) -> Run<Option<stated::Stated>> {
    let mut found = stated::Stated::default();
    let mut known = Numbers::of(&root.ids);
    let mut pace = Pace::default();
    for (i, &id) in root.ids.iter().enumerate().filter(|(i, _)| root.class[*i] == *i) {
        pace.spend(&ctx.limits, 8)?;
        let room = most.saturating_sub(found.first.len());
        if let (Some(count), true) = (known.get(id), room == 0) {
            found.count += count;
            continue;
        }
        let to = values.get(id).map_or_else(|| total.clone(), |value| value.xor(total));
        // One in full of each component, to be held against the stated values.
        let Some(moves) = stated::moves_to(ctx, root, i, &to.to_value(), room.max(1))? else { return Ok(None) };
        for mv in moves.first.iter().take(usize::from(found.count < tuning::FOLLOWED)) {
            if !matches!(leads_to_zero(ctx, root, mv, total, values)?, Some(Verdict::Wins)) {
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

/// Whether these moves of a single component all lead to sums of value 0 by the stated values; the first few of them.
fn all_lead_to_zero(ctx: &mut Context, root: &Root, moves: &[RootMove]) -> Run<bool> {
    for (mv, _) in moves.iter().zip(0..tuning::FOLLOWED) {
        let mut after = Nimber::ZERO;
        for (_, step) in &mv.steps {
            let Goal::To(ids) = &step.way else { return Ok(false) };
            for &id in ids {
                match stated_value(ctx, id)? {
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
pub(in crate::engines) fn leads_to_zero(
    ctx: &mut Context,
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
            let Some(value) = known_value(ctx, id, values)? else { return Ok(None) };
            after = after.xor(&value);
        }
    }
    Ok(Some(if after.is_zero() { Verdict::Wins } else { Verdict::Loses }))
}
