//! The decision procedure against plain enumeration.

use grundy::logic::{Atom, Automaton, Formula, Limit, Linear, System, Track, compile, least};
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;
use proptest::prelude::*;

const SYSTEMS: [System; 2] = [System::Binary, System::Zeckendorf];

fn accepts(automaton: &Automaton, system: System, numbers: &[u64]) -> bool {
    let digits: Vec<Vec<bool>> = numbers.iter().map(|&n| system.digits(&BigUint::from(n))).collect();
    let places = digits.iter().map(Vec::len).max().unwrap_or(0);
    let digit = |track: Track, place: usize| digits[track as usize].get(place).copied().unwrap_or(false);
    let accepted = automaton.accepts(places, digit);
    assert_eq!(accepted, automaton.accepts(places + 3, digit), "zeros above the digits change nothing");
    accepted
}

fn sum(terms: &[(Track, i64)], constant: i64) -> Linear {
    terms.iter().fold(Linear::number(constant), |sum, &(track, m)| sum.plus(&BigInt::from(m), &Linear::track(track)))
}

/// Truth by trying all numbers below `most` for bound variables.
fn holds(formula: &Formula, system: System, values: &mut Vec<u64>, most: u64) -> bool {
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

#[test]
fn addition_and_order_are_those_of_numbers() {
    for system in SYSTEMS {
        let limit = Limit::default();
        let add =
            compile(&Formula::equal(&sum(&[(0, 1), (1, 1)], 0), &Linear::track(2)), system, &limit).expect("small");
        let order = compile(&Formula::at_most(&Linear::track(0), &Linear::track(1)), system, &limit).expect("small");
        for x in 0..150 {
            for y in 0..150 {
                assert_eq!(accepts(&order, system, &[x, y]), x <= y);
                for z in (x + y).saturating_sub(9)..x + y + 9 {
                    assert_eq!(accepts(&add, system, &[x, y, z]), x + y == z, "{system:?} {x} {y} {z}");
                }
            }
        }
        let mut seed = 7u64;
        for _ in 0..20_000 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (x, y) = (seed >> 40, seed >> 17 & 0xff_ffff);
            assert!(accepts(&add, system, &[x, y, x + y]));
            assert!(!accepts(&add, system, &[x, y, x + y + 1 + seed % 7]));
        }
    }
}

#[test]
fn the_golden_ratio_by_a_shift() {
    // floor(n phi) is the shift of n - 1, plus one: with exact integers, n = 1..
    let shift = compile(&Formula::atom(Atom::Shift(0, 1)), System::Zeckendorf, &Limit::default()).expect("small");
    for n in 1u64..3000 {
        let floor = n.midpoint((5 * n * n).isqrt());
        for guess in floor.saturating_sub(2)..=floor + 2 {
            if guess > 0 {
                assert_eq!(accepts(&shift, System::Zeckendorf, &[n - 1, guess - 1]), guess == floor, "{n}");
            }
        }
    }
}

#[test]
fn least_numbers() {
    for system in SYSTEMS {
        let limit = Limit::default();
        // 3 x + 5 y == 1001, x > y: the least sum has the most fives.
        let formula = Formula::all([
            Formula::equal(&sum(&[(0, 3), (1, 5)], 0), &Linear::number(1001)),
            Formula::less(&Linear::track(1), &Linear::track(0)),
        ]);
        let automaton = compile(&formula, system, &limit).expect("small");
        let found = least(&automaton, &[0, 1], system, &limit).expect("small").expect("there are some");
        let mut expected: Vec<(u64, u64)> =
            (0..400).flat_map(|x| (0..x).map(move |y| (x, y))).filter(|(x, y)| 3 * x + 5 * y == 1001).collect();
        expected.sort_by_key(|&(x, y)| (x + y, x));
        assert_eq!(found, [expected[0].0.into(), expected[0].1.into()]);
        let none = compile(&Formula::less(&Linear::track(0), &Linear::number(0)), system, &limit).expect("small");
        assert_eq!(least(&none, &[0], system, &limit).expect("small"), None);
    }
}

#[test]
fn too_large_automata_are_refused() {
    let limit = Limit { states: 50, ..Limit::default() };
    let formula = Formula::equal(&sum(&[(0, 977), (1, -1001)], 0), &Linear::number(3));
    assert!(compile(&formula, System::Binary, &limit).is_err());
}

/// Random formulas on the variables 0, 1, 2 with up to two bound ones; bound ones are kept small by a bound of their own.
fn formulas(system: System) -> impl Strategy<Value = Formula> {
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
fn closed(formula: Formula) -> Formula {
    let small = |track| Formula::less(&Linear::track(track), &Linear::number(6));
    let inner = Formula::exists(vec![4], Formula::all([small(4), formula]));
    Formula::for_all(vec![3], small(3).implies(inner))
}

fn agree(formula: &Formula, system: System) {
    let automaton = match compile(formula, system, &Limit::default()) {
        Ok(automaton) => automaton,
        Err(reason) => panic!("{reason}"),
    };
    for x in [0, 1, 2, 3, 5, 8, 13] {
        for y in 0..5 {
            for z in [0, 1, 4, 6, 7] {
                let mut values = vec![x, y, z, 0, 0];
                let expected = holds(formula, system, &mut values, 6);
                assert_eq!(accepts(&automaton, system, &values), expected, "{system:?} {values:?} {formula:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(80))]
    #[test]
    fn formulas_in_base_2(formula in formulas(System::Binary)) {
        agree(&closed(formula), System::Binary);
    }

    #[test]
    fn formulas_in_fibonacci_numbers(formula in formulas(System::Zeckendorf)) {
        agree(&closed(formula), System::Zeckendorf);
    }
}
