//! Random formulas about natural numbers, and their truth by plain enumeration.

use grundy::logic::{Atom, Formula, Linear, System, Track};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use proptest::prelude::*;

pub(crate) fn sum(terms: &[(Track, i64)], constant: i64) -> Linear {
    terms.iter().fold(Linear::number(constant), |sum, &(track, m)| sum.plus(&BigInt::from(m), &Linear::track(track)))
}

/// Truth by trying all numbers below `most` for bound variables.
pub(crate) fn holds(formula: &Formula, system: System, values: &mut Vec<u64>, most: u64) -> bool {
    match formula {
        Formula::Constant(value) => *value,
        Formula::Not(inner) => !holds(inner, system, values, most),
        Formula::All(parts) => parts.iter().all(|part| holds(part, system, values, most)),
        Formula::Any(parts) => parts.iter().any(|part| holds(part, system, values, most)),
        Formula::Exists(tracks, inner) => {
            let [track] = tracks[..] else { panic!("one at a time") };
            let track = track as usize;
            let old = values[track];
            let found = (0..most).any(|n| {
                values[track] = n;
                holds(inner, system, values, most)
            });
            values[track] = old;
            found
        }
        Formula::Atom(atom) => match &**atom {
            Atom::Sum(sum, sense) => {
                let at = |t: &Track| i128::from(values[*t as usize]);
                let total: i128 = sum.terms.iter().map(|(t, m)| at(t) * m.to_i128().expect("small")).sum::<i128>()
                    + sum.constant.to_i128().expect("small");
                match sense {
                    grundy::logic::Sense::Zero => total == 0,
                    grundy::logic::Sense::AtMostZero => total <= 0,
                }
            }
            Atom::Multiple(sum, of) => {
                let total: i128 = sum
                    .terms
                    .iter()
                    .map(|(t, m)| i128::from(values[*t as usize]) * m.to_i128().expect("small"))
                    .sum::<i128>()
                    + sum.constant.to_i128().expect("small");
                total % of.to_i128().expect("small") == 0
            }
            Atom::Xor(x, y, z) => values[*x as usize] ^ values[*y as usize] == values[*z as usize],
            Atom::Meet(x, y, z) => values[*x as usize] & values[*y as usize] == values[*z as usize],
            Atom::Place(x) => is_place(system, values[*x as usize]),
            Atom::Part(p, x) => parts(system, values[*x as usize]).contains(&values[*p as usize]),
            Atom::Shift(x, y) => {
                let up = |n: u64| parts(system, n).into_iter().map(|p| next_place(system, p)).sum::<u64>();
                up(values[*x as usize]) == values[*y as usize]
            }
            Atom::Word(..) => panic!("not made here"),
        },
    }
}

fn places(system: System) -> Vec<u64> {
    let mut list = vec![1u64, 2];
    while list.len() < 40 {
        let [a, b] = [list[list.len() - 2], list[list.len() - 1]];
        list.push(if system == System::Binary { 2 * b } else { a + b });
    }
    list
}

fn is_place(system: System, n: u64) -> bool {
    places(system).contains(&n)
}

fn next_place(system: System, p: u64) -> u64 {
    let places = places(system);
    places[places.iter().position(|&q| q == p).expect("a place") + 1]
}

fn parts(system: System, mut n: u64) -> Vec<u64> {
    let mut found = Vec::new();
    for place in places(system).into_iter().rev() {
        if place <= n {
            n -= place;
            found.push(place);
        }
    }
    found
}

/// Random formulas on the variables 0, 1, 2 with up to two bound ones; bound ones are kept small by a bound of their own.
pub(crate) fn formulas(system: System) -> impl Strategy<Value = Formula> {
    let track = 0u32..5;
    let atom = prop_oneof![
        4 => (proptest::collection::vec((track.clone(), -3i64..=3), 1..4), -6i64..=6, any::<bool>()).prop_map(|(terms, c, eq)| {
            let sum = sum(&terms, c);
            if eq { Formula::equal(&sum, &Linear::default()) } else { Formula::at_most(&sum, &Linear::default()) }
        }),
        1 => (track.clone(), track.clone(), track.clone(), any::<bool>()).prop_map(move |(x, y, z, xor)| match (system, xor) {
            (System::Zeckendorf, _) => Formula::atom(Atom::Shift(x, y)),
            (_, true) => Formula::atom(Atom::Xor(x, y, z)),
            (_, false) => Formula::atom(Atom::Meet(x, y, z)),
        }),
        2 => (proptest::collection::vec((track.clone(), -3i64..=3), 1..4), -6i64..=6, 1i64..=if system == System::Binary { 12 } else { 4 }).prop_map(|(terms, c, of)| {
            Formula::multiple(&sum(&terms, c), &BigInt::from(of))
        }),
        1 => track.clone().prop_map(|x| Formula::atom(Atom::Place(x))),
        1 => (track.clone(), track).prop_map(|(p, x)| Formula::atom(Atom::Part(p, x))),
    ];
    atom.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            inner.clone().prop_map(Formula::not),
            proptest::collection::vec(inner.clone(), 1..3).prop_map(Formula::all),
            proptest::collection::vec(inner, 1..3).prop_map(Formula::any),
        ]
    })
}

/// Bound variables 3 and 4, below 6.
pub(crate) fn closed(formula: Formula) -> Formula {
    let small = |track| Formula::less(&Linear::track(track), &Linear::number(6));
    let inner = Formula::exists(vec![4], Formula::all([small(4), formula]));
    Formula::for_all(vec![3], small(3).implies(inner))
}
