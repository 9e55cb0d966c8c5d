//! The least numbers that an automaton accepts.

use super::arithmetic::{System, exactly};
use super::automaton::{Automaton, Join};
use super::compile::compile;
use super::diagram::Track;
use super::limit::{Limit, Reason};
use crate::logic::{Formula, Linear};
use num_bigint::{BigInt, BigUint};

/// A track for sums.
const SUM: Track = (1 << 30) - 1;

/// The accepted numbers of least sum, and of these the first in the order of `tracks`; `None`: nothing is accepted. The
/// automaton must have no other tracks.
///
/// # Errors
/// The limit that was reached.
pub fn least(
    automaton: &Automaton,
    tracks: &[Track],
    system: System,
    limit: &Limit,
) -> Result<Option<Vec<BigUint>>, Reason> {
    if automaton.is_empty() {
        return Ok(None);
    }
    let total = tracks.iter().fold(Linear::default(), |sum, &track| sum.plus(&BigInt::from(1), &Linear::track(track)));
    let total = compile(&Formula::equal(&total, &Linear::track(SUM)), system, limit)?;
    let mut left = automaton.join(&total, Join::And, limit)?;
    let mut found = Vec::new();
    for track in std::iter::once(SUM).chain(tracks.iter().copied()) {
        let mut alone = left.clone();
        for &other in tracks.iter().chain(&[SUM]).filter(|&&other| other != track) {
            alone = alone.exists(other, limit)?;
        }
        let Some(number) = least_of(&alone, track, system) else { return Ok(None) };
        left = left.join(&exactly(track, &number, system, limit)?, Join::And, limit)?;
        found.push(number);
    }
    found.remove(0);
    Ok(Some(found))
}

/// The least number on the only track.
fn least_of(automaton: &Automaton, track: Track, system: System) -> Option<BigUint> {
    let next = |state: usize, one: bool| automaton.diagrams.leaf(automaton.rows[state], |t| t == track && one);
    // What can be reached by so many digits, until something is accepted.
    let mut reached = vec![vec![automaton.start]];
    loop {
        let last = reached.last()?;
        if last.iter().any(|&state| automaton.accepting[state]) {
            break;
        }
        let mut on: Vec<usize> = last.iter().flat_map(|&state| [next(state, false), next(state, true)]).collect();
        on.sort_unstable();
        on.dedup();
        if reached.len() > automaton.states() + 1 {
            return None;
        }
        reached.push(on);
    }
    let mut good: Vec<usize> = reached.pop()?.into_iter().filter(|&state| automaton.accepting[state]).collect();
    let mut digits = Vec::new();
    // From the highest digit on, 0 where it can be.
    for states in reached.iter().rev() {
        let by = |one: bool| -> Vec<usize> {
            states.iter().copied().filter(|&state| good.contains(&next(state, one))).collect()
        };
        let zero = by(false);
        let one = zero.is_empty();
        good = if one { by(true) } else { zero };
        digits.push(one);
    }
    digits.reverse();
    Some(value(&digits, system))
}

/// The number with these digits, from the lowest.
#[must_use]
pub fn value(digits: &[bool], system: System) -> BigUint {
    digits.iter().zip(system.places()).filter(|(digit, _)| **digit).map(|(_, place)| place).sum()
}
