//! Compounds: which components may or must be moved in, and what a move leaves.

use crate::engines::space::step::{Goal, Step};
use crate::engines::space::{NOTHING, Space};
use crate::source::diagnostic::Code;
use crate::value::Compound;
use crate::value::fault::{Fault, Halt, Run};
use crate::vm::context::Context;

impl Space {
    pub(super) fn compound_moves(&mut self, ctx: &mut Context, compound: Compound, key: &[u32]) -> Run<Vec<Step>> {
        let mut parts = Vec::with_capacity(key.len());
        for &id in key {
            parts.push(self.steps(ctx, id)?);
        }
        if self.met.forbids_grundy().is_some() {
            return Err(Halt::Fault(Fault::new(
                Code::E22,
                "a compound of games with ends of the whole play, `again` or points",
            )));
        }
        let mut moves = Vec::new();
        for choice in choices(ctx, compound, &parts.iter().map(|p| p.steps.len()).collect::<Vec<_>>())? {
            ctx.spend((MOVE_WORDS + key.len()) as u64)?;
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

/// In how many parts one may move at least and at most, where so many can be moved in of so many; `None`: it is over (rule 27).
pub(crate) fn span(compound: Compound, can: usize, all: usize) -> Option<(usize, usize)> {
    let stuck = can < all;
    let (least, most) = match compound {
        Compound::Conjunctive | Compound::ShortenedSelective | Compound::Diminished if stuck => return None,
        Compound::Conjunctive | Compound::Continued => (can, can),
        Compound::Selective | Compound::ShortenedSelective => (1, can),
        Compound::AtMost(k) => (1, k.min(can)),
        Compound::Diminished => (1, 1),
    };
    (can > 0).then_some((least, most))
}

/// All moves of a compound whose parts have so many moves: (part, move) pairs (rule 27; theory of compounds: Conway, On
/// Numbers and Games, chapter 14; Winning Ways, chapter 9).
pub(crate) fn choices(ctx: &mut Context, compound: Compound, counts: &[usize]) -> Run<Vec<Vec<(usize, usize)>>> {
    /// More moves than this of one position are too many.
    const MOVES: usize = 1 << 20;
    let can: Vec<usize> = (0..counts.len()).filter(|&i| counts[i] > 0).collect();
    let Some((least, most)) = span(compound, can.len(), counts.len()) else { return Ok(Vec::new()) };
    let mut all: Vec<Vec<(usize, usize)>> = vec![Vec::new()];
    for (at, &i) in can.iter().enumerate() {
        let left = can.len() - at - 1;
        let mut next = Vec::new();
        for chosen in all {
            let more = if chosen.len() < most { counts[i] } else { 0 };
            if next.len() + more > MOVES {
                let message = format!("a position of a compound has more than {MOVES} moves");
                return Err(Fault::new(Code::L02, message).into());
            }
            ctx.spend((MOVE_WORDS + more * (MOVE_WORDS + 4 * chosen.len())) as u64)?;
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
    let mut done: Vec<_> = all.into_iter().filter(|c| c.len() >= least.max(1)).collect();
    done.sort_by(|a, b| a.len().cmp(&b.len()).then(a.cmp(b)));
    Ok(done)
}
