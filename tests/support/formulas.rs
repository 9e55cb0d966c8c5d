//! Random formulas about natural numbers, and their truth by plain enumeration.

use grundy_automata::{Atom, Automaton, Formula, Limit, Linear, System, Table, Track};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use proptest::prelude::*;
use std::sync::{Arc, Mutex};

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
            let Some((track, rest)) = tracks.split_first() else { return holds(inner, system, values, most) };
            let track = *track as usize;
            if values.len() <= track {
                values.resize(track + 1, 0);
            }
            let inner = Formula::exists(rest.to_vec(), (**inner).clone());
            let old = values[track];
            let found = (0..most).any(|n| {
                values[track] = n;
                holds(&inner, system, values, most)
            });
            values[track] = old;
            found
        }
        Formula::Atom(atom) => match &**atom {
            Atom::Sum(sum, sense) => match sense {
                grundy_automata::Sense::Zero => total(sum, values) == 0,
                grundy_automata::Sense::AtMostZero => total(sum, values) <= 0,
            },
            Atom::Multiple(sum, of) => total(sum, values) % of.to_i128().expect("small") == 0,
            Atom::Times(sum, of) => {
                let (sum, of) = (total(sum, values), total(of, values));
                sum == 0 && of == 0 || sum >= 0 && of > 0 && sum % of == 0
            }
            Atom::Rounded(number, sum, of) => {
                let (sum, of) = (total(sum, values), total(of, values));
                i128::from(values[*number as usize]) == if sum >= 0 && of > 0 { sum - sum % of } else { 0 }
            }
            Atom::Xor(x, y, z) => values[*x as usize] ^ values[*y as usize] == values[*z as usize],
            Atom::Meet(x, y, z) => values[*x as usize] & values[*y as usize] == values[*z as usize],
            Atom::Place(x) => is_place(system, values[*x as usize]),
            Atom::Part(p, x) => parts(system, values[*x as usize]).contains(&values[*p as usize]),
            Atom::Shift(x, y) => {
                let up = |n: u64| {
                    let digits = digits(system, n).into_iter().map(|digit| digit as u64);
                    digits.zip(&places(system)[1..]).map(|(digit, place)| digit * place).sum::<u64>()
                };
                up(values[*x as usize]) == values[*y as usize]
            }
            Atom::Word(word, tracks) => {
                let Some((_, table)) = words(system).iter().find(|(known, _)| Arc::ptr_eq(known, word)) else {
                    assert_eq!(system, System::Binary, "a word of another automaton");
                    let bit = |track: Track, place: usize| values[tracks[track as usize] as usize] >> place & 1 == 1;
                    return word.accepts(64, bit);
                };
                let mut left: Vec<Vec<usize>> =
                    tracks.iter().map(|track| digits(system, values[*track as usize])).collect();
                let size = usize::from(system.size());
                let mut state = 0;
                while left.iter().any(|digits| !digits.is_empty()) {
                    let mut letter = 0;
                    for (i, digits) in (0u32..).zip(&mut left) {
                        let digit = if digits.is_empty() { 0 } else { digits.remove(0) };
                        letter += digit * size.pow(i);
                    }
                    state = table.states[state].1[letter];
                }
                table.states[state].0
            }
        },
    }
}

fn total(sum: &Linear, values: &[u64]) -> i128 {
    let term =
        |(track, times): (&Track, &BigInt)| i128::from(values[*track as usize]) * times.to_i128().expect("small");
    sum.terms.iter().map(term).sum::<i128>() + sum.constant.to_i128().expect("small")
}

/// The digits of a number from the lowest.
fn digits(system: System, n: u64) -> Vec<usize> {
    let (mut left, mut found) = (n, Vec::new());
    for place in places(system).into_iter().filter(|&place| place <= n).rev() {
        found.push(usize::try_from(left / place).expect("a digit"));
        left %= place;
    }
    found.reverse();
    found
}

/// Some automata of two numbers, the same ones every time, with their tables.
fn words(system: System) -> &'static [(Arc<Automaton>, Table)] {
    type Words = Vec<(Arc<Automaton>, Table)>;
    static ALL: Mutex<Vec<(System, &'static Words)>> = Mutex::new(Vec::new());
    let mut all = ALL.lock().expect("no panic");
    if let Some((_, words)) = all.iter().find(|(known, _)| *known == system) {
        return words;
    }
    let mut seed = 5u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).expect("31 bits") % below
    };
    let mut words = Vec::new();
    for states in [1, 2, 3, 3, 4, 5, 6] {
        let letters = usize::from(system.size()).pow(2);
        // A state accepts by its parity, and zeros do not change it.
        let row = |state: usize, random: &mut dyn FnMut(usize) -> usize| {
            let mut row: Vec<usize> = (0..letters).map(|_| random(states)).collect();
            let same = (states - state % 2).div_ceil(2);
            row[0] = state % 2 + 2 * random(same);
            (state % 2 == 1, row)
        };
        let table = Table { reads: 2, states: (0..states).map(|state| row(state, &mut random)).collect() };
        let automaton = table.automaton(system, &Limit::default()).expect("an automaton");
        words.push((Arc::new(automaton), table));
    }
    all.push((system, Box::leak(Box::new(words))));
    all.last().expect("it was put there").1
}

fn places(system: System) -> Vec<u64> {
    let size = u64::from(system.size());
    let mut list = vec![1u64, size];
    while let [.., a, b] = list[..]
        && b < 1 << 40
    {
        list.push(if let System::Surd(times) = system { a + b * u64::from(times) } else { b * size });
    }
    list
}

fn is_place(system: System, n: u64) -> bool {
    places(system).contains(&n)
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
    // Places and digits in base 2 are no atoms of other bases.
    let (shifts, places) = (
        u32::from(!matches!(system, System::Base(_))),
        u32::from(matches!(system, System::Binary | System::ZECKENDORF)),
    );
    let atom = prop_oneof![
        4 => (proptest::collection::vec((track.clone(), -3i64..=3), 1..4), -6i64..=6, any::<bool>()).prop_map(|(terms, c, eq)| {
            let sum = sum(&terms, c);
            if eq { Formula::equal(&sum, &Linear::default()) } else { Formula::at_most(&sum, &Linear::default()) }
        }),
        shifts => (track.clone(), track.clone(), track.clone(), any::<bool>()).prop_map(move |(x, y, z, xor)| match (system, xor) {
            (System::Surd(_), _) => Formula::atom(Atom::Shift(x, y)),
            (_, true) => Formula::atom(Atom::Xor(x, y, z)),
            (_, false) => Formula::atom(Atom::Meet(x, y, z)),
        }),
        2 => (proptest::collection::vec((track.clone(), -3i64..=3), 1..4), -6i64..=6, 1i64..=if let System::Surd(_) = system { 4 } else { 12 }).prop_map(|(terms, c, of)| {
            Formula::multiple(&sum(&terms, c), &BigInt::from(of))
        }),
        places => track.clone().prop_map(|x| Formula::atom(Atom::Place(x))),
        places => (track.clone(), track.clone()).prop_map(|(p, x)| Formula::atom(Atom::Part(p, x))),
        1 => (0usize..7, track.clone(), track).prop_map(move |(word, x, y)| {
            Formula::atom(Atom::Word(words(system)[word].0.clone(), vec![x, y]))
        }),
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
