//! Positions that are judged by their parts.

use crate::answer::{Method, MoveList, Outcome};
use crate::engines::components::NORMAL;
use crate::engines::compounds::Parts;
use crate::engines::judge::{Judge, Made};
use crate::engines::query::{Root, RootMove};
use crate::engines::{SEARCH, in_proportion, is_too_much, lists, theorem};
use crate::value::fault::Run;
use crate::vm::machine::Machine;

impl Judge {
    /// The judge of a position by its parts, where a rule tells.
    fn by_parts(machine: &mut Machine, root: &Root) -> Run<Option<Judge>> {
        let Ok(parts) = Parts::of(machine, root)? else { return Ok(None) };
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
        machine: &mut Machine,
        root: &Root,
        enough: bool,
        search: impl Fn(&mut Machine) -> Run<T>,
        told: impl Fn(Judge) -> T,
    ) -> Run<Option<T>> {
        if !machine.parts || root.mode == NORMAL {
            return Ok(None);
        }
        let quick = match theorem::tried_within(machine, SEARCH, |machine| Judge::by_parts(machine, root))? {
            Some(None) => return Ok(None),
            Some(Some(judge)) if enough => return Ok(Some(told(judge))),
            quick => quick.flatten(),
        };
        let trial = in_proportion(machine, root, SEARCH);
        if let Some(found) = theorem::tried_within(machine, trial, search)? {
            return Ok(Some(found));
        }
        let judge = match quick {
            Some(judge) => Some(judge),
            None => match Judge::by_parts(machine, root) {
                Err(halt) if is_too_much(&halt) && !machine.limits_reached() => None,
                other => other?,
            },
        };
        Ok(judge.map(told))
    }

    /// The moves that win where this was judged by the parts alone, within a trial: a compound may have more moves than anyone can
    /// look at, which is the inner `None`.
    pub(crate) fn parted_moves(
        &self,
        machine: &mut Machine,
        root: &Root,
        most: usize,
    ) -> Option<Run<Option<MoveList>>> {
        let Made::Parts(parts) = &self.made else { return None };
        Some(theorem::tried(machine, |machine| {
            if let Some(list) = parts.winning(machine, root, most)? {
                return Ok(list);
            }
            let verdict = &mut |machine: &mut Machine, mv: &RootMove| self.verdict(machine, root, mv).map(Some);
            let [winning, _] = lists::judged(root, machine, most, verdict)?.unwrap_or_default();
            Ok(winning)
        }))
    }
}

/// Why the answer has no Grundy value.
fn why_no_value(root: &Root) -> &'static str {
    if root.mode.misere { "it is played in misere" } else { "the search for the value is too large" }
}
