//! Sentences that divide by an odd number, by cases of remainders.
//!
//! A multiple of 3 in base 2 mixes all digits, and beside an exclusive or of quotients the automata for the parts of a sentence grow
//! out of all bounds. With `3 x + r`, r = 0, 1, 2, in place of a variable x all sums of a case have a common factor and lose it, so
//! that only quotients are left; cases in which a remainder is wrong are gone before there is any automaton.

use crate::formula::{Atom, Formula, Linear, Sense};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::sync::Arc;

/// The greatest number that is taken for remainders.
const GREATEST: u32 = 7;
/// No more parts than this.
const PARTS: usize = 50_000;

/// The odd number by which a formula divides, or by which it multiplies; `None`: there is none, or a large one, or several.
pub fn odd_divisor(formula: &Formula) -> Option<BigInt> {
    let mut odd: Vec<BigInt> = Vec::new();
    each_atom(formula, &mut |atom| match atom {
        Atom::Multiple(_, by) => odd.push(by.clone()),
        Atom::Sum(sum, _) => odd.extend(sum.terms.values().map(BigInt::abs)),
        _ => {}
    });
    odd.retain(|by| by.is_odd() && !by.is_one());
    odd.dedup();
    odd.first().filter(|by| odd.iter().all(|other| other == *by) && **by <= BigInt::from(GREATEST)).cloned()
}

/// A formula that some numbers make true if and only if some make this one true, by cases of the remainders of its variables; `None`:
/// there is no [`odd_divisor`], or there would be too many cases.
pub fn by_remainders(formula: &Formula) -> Option<Formula> {
    let by = odd_divisor(formula)?;
    let mut parts = 0;
    let free = formula.free().into_iter().collect();
    cut(&Formula::exists(free, formula.clone()), &by, &mut parts)
}

fn each_atom(formula: &Formula, see: &mut dyn FnMut(&Atom)) {
    match formula {
        Formula::Constant(_) => {}
        Formula::Atom(atom) => see(atom),
        Formula::Not(inner) | Formula::Exists(_, inner) => each_atom(inner, see),
        Formula::All(parts) | Formula::Any(parts) => parts.iter().for_each(|part| each_atom(part, see)),
    }
}

/// The same with the bound variables that stand in sums only cut into quotient and remainder.
fn cut(formula: &Formula, by: &BigInt, parts: &mut usize) -> Option<Formula> {
    *parts += 1;
    if *parts > PARTS {
        return None;
    }
    let all =
        |list: &[Formula], parts: &mut usize| list.iter().map(|part| cut(part, by, parts)).collect::<Option<Vec<_>>>();
    Some(match formula {
        Formula::Constant(_) | Formula::Atom(_) => reduced(formula),
        Formula::Not(inner) => cut(inner, by, parts)?.not(),
        Formula::All(list) => Formula::all(all(list, parts)?),
        Formula::Any(list) => Formula::any(all(list, parts)?),
        Formula::Exists(tracks, inner) => {
            let mut cases = vec![(**inner).clone()];
            for &track in tracks.iter().filter(|track| inner.only_in_sums(**track)) {
                let mut next = Vec::new();
                for case in &cases {
                    for rest in 0..by.to_u32()? {
                        let sum = Linear::number(rest).plus(by, &Linear::track(track));
                        let case = reduced(&case.with(track, &sum));
                        next.extend(Some(case).filter(|case| !matches!(case, Formula::Constant(false))));
                    }
                }
                cases = next;
                *parts += cases.len();
                if *parts > PARTS {
                    return None;
                }
            }
            let cases = all(&cases, parts)?;
            Formula::any(cases.into_iter().map(|case| {
                let free = case.free();
                Formula::exists(tracks.iter().copied().filter(|track| free.contains(track)).collect(), case)
            }))
        }
    })
}

/// Sums without common factors, and what is known then of the parts.
fn reduced(formula: &Formula) -> Formula {
    match formula {
        Formula::Constant(_) => formula.clone(),
        Formula::Atom(atom) => match &**atom {
            Atom::Sum(sum, sense) => without_factor(sum, *sense),
            _ => formula.clone(),
        },
        Formula::Not(inner) => reduced(inner).not(),
        Formula::All(parts) => Formula::all(parts.iter().map(reduced)),
        Formula::Any(parts) => Formula::any(parts.iter().map(reduced)),
        Formula::Exists(tracks, inner) => match reduced(inner) {
            Formula::Constant(value) => Formula::Constant(value),
            inner => Formula::Exists(tracks.clone(), Arc::new(inner)),
        },
    }
}

fn without_factor(sum: &Linear, sense: Sense) -> Formula {
    let factor = sum.terms.values().fold(BigInt::ZERO, |all, one| all.gcd(one));
    if factor.is_zero() || factor.is_one() {
        return compared(sum, sense);
    }
    if sense == Sense::Zero && !sum.constant.is_multiple_of(&factor) {
        return Formula::Constant(false);
    }
    // Whole numbers are at most a quotient where they are at most what it is rounded down to.
    let mut less = Linear::number(Integer::div_ceil(&sum.constant, &factor));
    for (&track, multiple) in &sum.terms {
        less = less.plus(&(multiple / &factor), &Linear::track(track));
    }
    compared(&less, sense)
}

fn compared(sum: &Linear, sense: Sense) -> Formula {
    match sense {
        Sense::Zero => Formula::zero(sum),
        Sense::AtMostZero => Formula::at_most(sum, &Linear::default()),
    }
}
