//! Positions that are judged by their parts.

use crate::answer::{Method, MoveList, Outcome};
use crate::engines::components::NORMAL;
use crate::engines::compounds::Parts;
use crate::engines::judge::{Judge, Made};
use crate::engines::query::{Root, RootMove};
use crate::engines::{in_proportion, is_too_much, lists, theorem};
use crate::tuning::SEARCH;
use crate::value::fault::Run;
use crate::vm::context::Context;

impl Judge {
    /// The judge of a position by its parts, where a rule tells.
    fn by_parts(ctx: &mut Context, root: &Root) -> Run<Option<Judge>> {
        let Ok(parts) = Parts::of(ctx, root)? else { return Ok(None) };
        Ok(Some(Judge {
            outcome: if parts.is_won() { Outcome::First } else { Outcome::Second },
            grundy: None,
            refused: Some(why_no_value(root).to_string()),
            remoteness: parts.remoteness(),
            score: None,
            positions: parts.positions(),
            method: Method::Components,
            made: Made::Parts(parts),
        }))
    }

    /// What the parts tell where a search of the whole is too much, and what the search says where it is not: that knows more.
    /// `enough`: no search where the parts tell it soon. `None`: only a search of any length can tell.
    pub(crate) fn parted<T>(
        ctx: &mut Context,
        root: &Root,
        enough: bool,
        search: impl Fn(&mut Context) -> Run<T>,
        told: impl Fn(Judge) -> T,
    ) -> Run<Option<T>> {
        if !ctx.session.options.parts || root.mode == NORMAL {
            return Ok(None);
        }
        let quick = match theorem::tried_within(ctx, SEARCH, |ctx| Judge::by_parts(ctx, root))? {
            Some(None) => return Ok(None),
            Some(Some(judge)) if enough => return Ok(Some(told(judge))),
            quick => quick.flatten(),
        };
        let trial = in_proportion(ctx, root, SEARCH);
        if let Some(found) = theorem::tried_within(ctx, trial, search)? {
            return Ok(Some(found));
        }
        let judge = match quick {
            Some(judge) => Some(judge),
            None => match Judge::by_parts(ctx, root) {
                Err(halt) if is_too_much(&halt) && !ctx.limits_reached() => None,
                other => other?,
            },
        };
        Ok(judge.map(told))
    }

    /// The moves that win where this was judged by the parts alone, within a trial: a compound may have more moves than anyone can
    /// look at, which is the inner `None`.
    pub(crate) fn parted_moves(&self, ctx: &mut Context, root: &Root, most: usize) -> Option<Run<Option<MoveList>>> {
        let Made::Parts(parts) = &self.made else { return None };
        Some(theorem::tried(ctx, |ctx| {
            if let Some(list) = parts.winning(ctx, root, most)? {
                return Ok(list);
            }
            let verdict = &mut |ctx: &mut Context, mv: &RootMove| self.verdict(ctx, root, mv).map(Some);
            let [winning, _] = lists::judged(root, ctx, most, verdict)?.unwrap_or_default();
            Ok(winning)
        }))
    }
}

/// Why the answer has no Grundy value.
fn why_no_value(root: &Root) -> &'static str {
    if root.mode.misere { "it is played in misere" } else { "the search for the value is too large" }
}
