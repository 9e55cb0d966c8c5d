//! Bound numbers that are one of few constants, each under a condition, as those are that count how many conditions hold.
//!
//! Where several of them stand in one sum, an automaton for all of the conditions and the sum at once is large. Gone through case by
//! case the sum is decided before there are any automata, and what remains of each case is about fewer numbers.

use crate::diagram::Track;
use crate::formula::{Atom, Formula, Linear, Sense};
use num_traits::One;

/// So many in one sum are gone through case by case.
const TOGETHER: usize = 3;
/// No more cases than this.
const CASES: usize = 256;

/// The cases of a conjunction under bound variables, each without those that are constants in it; `None`: there are no such variables.
pub(super) fn cases(parts: &[Formula], tracks: &[Track]) -> Option<(Vec<Track>, Vec<Formula>)> {
    let flags: Vec<(Track, usize)> = parts
        .iter()
        .enumerate()
        .filter_map(|(at, part)| Some((tracks.iter().copied().find(|&track| constants(part, track).is_some())?, at)))
        .collect();
    let sum = parts.iter().find_map(|part| {
        let summed = sums(part);
        let of: Vec<(Track, usize)> = flags.iter().copied().filter(|(track, _)| summed.contains(track)).collect();
        (of.len() >= TOGETHER).then_some(of)
    })?;
    let left: Vec<Track> = tracks.iter().copied().filter(|track| !sum.iter().any(|(flag, _)| flag == track)).collect();
    let plain = parts.iter().enumerate().filter(|(at, _)| !sum.iter().any(|(_, of)| of == at));
    let mut all = vec![plain.map(|(_, part)| part.clone()).collect::<Vec<_>>()];
    for (flag, at) in sum {
        let mut next = Vec::new();
        for case in &all {
            for (value, condition) in constants(&parts[at], flag)? {
                // What is decided is left out, and cases that it decides against.
                let here: Vec<Formula> = case.iter().chain(&condition).map(|part| part.with(flag, &value)).collect();
                if !here.iter().any(|part| matches!(part, Formula::Constant(false))) {
                    next.push(here);
                }
            }
        }
        if next.len() > CASES {
            return None;
        }
        all = next;
    }
    Some((left, all.into_iter().map(Formula::all).collect()))
}

/// The variables of a comparison of sums, or of a choice between some.
fn sums(part: &Formula) -> Vec<Track> {
    match part {
        Formula::Atom(atom) => match &**atom {
            Atom::Sum(sum, _) => sum.terms.keys().copied().collect(),
            _ => Vec::new(),
        },
        Formula::Not(inner) => sums(inner),
        Formula::All(parts) | Formula::Any(parts) => parts.iter().flat_map(sums).collect(),
        _ => Vec::new(),
    }
}

/// The constants that a variable is by a part, each with what else must hold.
fn constants(part: &Formula, track: Track) -> Option<Vec<(Linear, Vec<Formula>)>> {
    let Formula::Any(branches) = part else { return None };
    let branch = |branch: &Formula| {
        let all = if let Formula::All(all) = branch { all.clone() } else { vec![branch.clone()] };
        let at = all.iter().position(|part| is(part, track).is_some())?;
        let value = is(&all[at], track)?;
        let rest = all.into_iter().enumerate().filter(|(i, _)| *i != at).map(|(_, part)| part);
        Some((value, rest.collect()))
    };
    branches.iter().map(branch).collect()
}

/// The constant that a variable is.
fn is(part: &Formula, track: Track) -> Option<Linear> {
    let Formula::Atom(atom) = part else { return None };
    let Atom::Sum(sum, Sense::Zero) = &**atom else { return None };
    let multiple = sum.terms.get(&track).filter(|multiple| sum.terms.len() == 1 && multiple.magnitude().is_one())?;
    Some(Linear::number(-&sum.constant * multiple))
}
