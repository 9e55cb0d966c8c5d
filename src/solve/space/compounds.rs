//! Compounds: which components may or must be moved in, and what a move leaves.

use super::step::{Goal, Step};
use super::{NOTHING, Space};
use crate::rules::fault::{Fault, Halt, Run};
use crate::rules::limits::Pace;
use crate::rules::machine::Machine;
use crate::rules::value::Compound;

impl Space {
    pub(super) fn compound_moves(&mut self, machine: &mut Machine, compound: Compound, key: &[u32]) -> Run<Vec<Step>> {
        let mut parts = Vec::with_capacity(key.len());
        for &id in key {
            parts.push(self.steps(machine, id)?);
        }
        if self.met.forbids_grundy().is_some() {
            return Err(Halt::Fault(Fault::new(
                "E22",
                "a compound of games with ends of the whole play, `again` or points",
            )));
        }
        let mut moves = Vec::new();
        let mut pace = Pace::default();
        for choice in choices(machine, compound, &parts.iter().map(|p| p.steps.len()).collect::<Vec<_>>())? {
            pace.spend(&machine.limits, MOVE_WORDS + key.len())?;
            let places: Vec<usize> = choice.iter().map(|&(i, _)| i).collect();
            let mut entered: Vec<u32> = Vec::new();
            for &(i, j) in &choice {
                if let Goal::Sum(sum) = &parts[i].steps[j].to {
                    if sum.is_empty() {
                        entered.push(NOTHING);
                    }
                    entered.extend(sum.iter());
                }
            }
            moves.push(Step { to: Goal::Sum(replace(key, &places, &entered)), again: false, gain: 0 });
        }
        moves.sort_unstable();
        moves.dedup();
        Ok(moves)
    }
}

/// Looking at a move costs about as much as so many words.
pub(crate) const MOVE_WORDS: usize = 16;

/// The moves of one position are weighed from so many words on.
pub(super) const MUCH_WORDS: usize = 1 << 22;

/// The key with the components at some places, in ascending order, taken out and others put in, sorted.
pub(crate) fn replace(key: &[u32], out: &[usize], entered: &[u32]) -> Box<[u32]> {
    let mut next: Vec<u32> = Vec::with_capacity((key.len() + entered.len()).saturating_sub(out.len()));
    let mut from = 0;
    for &place in out {
        next.extend_from_slice(&key[from..place]);
        from = place + 1;
    }
    next.extend_from_slice(&key[from..]);
    next.extend_from_slice(entered);
    next.sort_unstable();
    next.into()
}

/// All moves of a compound whose parts have so many moves: (part, move) pairs (rule 27; theory of compounds: Conway, On
/// Numbers and Games, chapter 14; Winning Ways, chapter 9).
#[allow(clippy::match_same_arms)] // one line a compound
pub(crate) fn choices(machine: &Machine, compound: Compound, counts: &[usize]) -> Run<Vec<Vec<(usize, usize)>>> {
    /// More moves than this of one position are too many.
    const MOVES: usize = 1 << 20;
    let can: Vec<usize> = (0..counts.len()).filter(|&i| counts[i] > 0).collect();
    let stuck = can.len() < counts.len();
    let (least, most) = match compound {
        Compound::Conjunctive if stuck || can.is_empty() => return Ok(Vec::new()),
        Compound::Conjunctive | Compound::Continued => (can.len(), can.len()),
        Compound::Selective => (1, can.len()),
        Compound::AtMost(k) => (1, k.min(can.len())),
        Compound::ShortenedSelective | Compound::Diminished if stuck => return Ok(Vec::new()),
        Compound::ShortenedSelective => (1, can.len()),
        Compound::Diminished => (1, 1.min(can.len())),
    };
    if can.is_empty() {
        return Ok(Vec::new());
    }
    let mut all: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
    let mut done = Vec::new();
    let mut pace = Pace::default();
    for (at, &i) in can.iter().enumerate() {
        let left = can.len() - at - 1;
        let mut next = Vec::new();
        for chosen in all {
            let more = if chosen.len() < most { counts[i] } else { 0 };
            if next.len() + more > MOVES {
                let message = format!("a position of a compound has more than {MOVES} moves");
                return Err(Fault::new("L02", message).into());
            }
            pace.spend(&machine.limits, MOVE_WORDS + more * (MOVE_WORDS + 4 * chosen.len()))?;
            if more > 0 {
                next.extend((0..counts[i]).map(|j| {
                    let mut with = chosen.clone();
                    with.push((i, j));
                    with
                }));
            }
            if chosen.len() + left >= least {
                next.push(chosen);
            }
        }
        all = next;
    }
    done.extend(all.into_iter().filter(|c| c.len() >= least.max(1)));
    done.sort_by(|a, b| a.len().cmp(&b.len()).then(a.cmp(b)));
    Ok(done)
}
