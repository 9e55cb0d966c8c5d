//! Positions that are judged by their parts.

use super::{Judge, Made};
use crate::answer::{Method, MoveList, Outcome};
use crate::rules::fault::Run;
use crate::rules::machine::Machine;
use crate::solve::parts::Parts;
use crate::solve::root::{Root, RootMove};
use crate::solve::{SEARCH, in_proportion, is_too_much, lists, theorem};

impl Judge {
    /// The judge of a position by its parts, where a rule tells.
    pub(super) fn by_parts(machine: &mut Machine, root: &Root) -> Run<Option<Judge>> {
        if !machine.parts {
            return Ok(None);
        }
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

    /// The same where a search of the whole is too much; with the judge of a search where it is not, which knows more. `None`:
    /// only a search of any length can tell.
    pub(crate) fn parted(machine: &mut Machine, root: &Root) -> Run<Option<Judge>> {
        if !machine.parts {
            return Ok(None);
        }
        let too_much = |machine: &mut Machine, halt| match halt {
            halt if is_too_much(&halt) && !machine.limits_reached() => Ok(()),
            halt => Err(halt),
        };
        let quick = match machine.within_trial(SEARCH, |machine| Judge::by_parts(machine, root)) {
            Ok(None) => return Ok(None),
            Ok(found) => found,
            Err(halt) => too_much(machine, halt).map(|()| None)?,
        };
        let trial = in_proportion(machine, root, SEARCH);
        match machine.within_trial(trial, |machine| Judge::new(machine, root)) {
            Ok(judge) => {
                debug_assert!(quick.is_none_or(|quick| quick.outcome == judge.outcome), "parts and search differ");
                return Ok(Some(judge));
            }
            Err(halt) => too_much(machine, halt)?,
        }
        match quick {
            Some(judge) => Ok(Some(judge)),
            None => Judge::by_parts(machine, root),
        }
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
