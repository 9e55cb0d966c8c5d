//! The least numbers that an automaton accepts.

use crate::arithmetic::{exactly, forget};
use crate::automaton::{Automaton, Join};
use crate::compile::compile;
use crate::diagram::Track;
use crate::limit::{Limit, Reason};
use crate::system::System;
use crate::{Formula, Linear};
use num_bigint::{BigInt, BigUint};
use std::collections::BTreeMap;

/// Numbers for the variables of a formula that are not bound.
pub type Solution = BTreeMap<Track, BigUint>;

/// The numbers of least sum that make a formula true; `None`: no numbers do.
///
/// # Errors
/// The limit that was reached.
pub fn solution(formula: &Formula, system: System, limit: &Limit) -> Result<Option<Solution>, Reason> {
    let tracks: Vec<Track> = formula.free().into_iter().collect();
    let automaton = compile(formula, system, limit)?;
    Ok(least(&automaton, &tracks, system, limit)?.map(|numbers| tracks.into_iter().zip(numbers).collect()))
}

/// A track for sums.
const SUM: Track = (1 << 29) - 1;

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
            alone = forget(alone, other, system, limit)?;
        }
        let Some(number) = least_of(&alone, track, system) else { return Ok(None) };
        left = left.join(&exactly(track, &number, system, limit)?, Join::And, limit)?;
        found.push(number);
    }
    found.remove(0);
    Ok(Some(found))
}

/// The least number on the only tracks.
fn least_of(automaton: &Automaton, variable: Track, system: System) -> Option<BigUint> {
    let first = system.tracks(variable).start;
    let next = |state: usize, digit: u8| {
        automaton.diagrams.leaf(automaton.rows[state], |track| digit >> (track - first) & 1 == 1)
    };
    let digits = 0..system.size();
    // What can be reached by so many digits, until something is accepted.
    let mut reached = vec![vec![automaton.start]];
    loop {
        let last = reached.last()?;
        if last.iter().any(|&state| automaton.accepting[state]) {
            break;
        }
        let mut on: Vec<usize> = last
            .iter()
            .flat_map(|&state| digits.clone().map(move |digit| (state, digit)))
            .map(|(s, d)| next(s, d))
            .collect();
        on.sort_unstable();
        on.dedup();
        if reached.len() > automaton.states() + 1 {
            return None;
        }
        reached.push(on);
    }
    let mut good: Vec<usize> = reached.pop()?.into_iter().filter(|&state| automaton.accepting[state]).collect();
    let mut found = Vec::new();
    // From the highest digit on, the smallest that can be there.
    for states in reached.iter().rev() {
        let by = |digit: u8| -> Vec<usize> {
            states.iter().copied().filter(|&state| good.contains(&next(state, digit))).collect()
        };
        let (digit, before) = digits.clone().map(|digit| (digit, by(digit))).find(|(_, before)| !before.is_empty())?;
        good = before;
        found.push(digit);
    }
    found.reverse();
    Some(system.number(&found))
}
