//! The decision procedure against plain enumeration.

use crate::formulas::{closed, formulas, holds, sum};
use crate::rng::Rng;
use crate::rounds;
use grundy_automata::{
    Atom, Automaton, Formula, Limit, Linear, Reason, Sense, System, Track, compile, least, solution, without_multiples,
};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use proptest::prelude::*;

const SYSTEMS: [System; 7] = [
    System::Binary,
    System::Base(3),
    System::Base(4),
    System::Base(10),
    System::ZECKENDORF,
    System::Surd(2),
    System::Surd(3),
];

fn accepts(automaton: &Automaton, system: System, numbers: &[u64]) -> bool {
    let digits: Vec<Vec<u8>> = numbers.iter().map(|&n| system.digits(&BigUint::from(n))).collect();
    let places = digits.iter().map(Vec::len).max().unwrap_or(0);
    let digit = |track: Track, place: usize| {
        let read = |variable: &u32| system.tracks(*variable).contains(&track);
        let variable = (0..).take(digits.len()).find(read).expect("the track of a variable");
        let digit = digits[variable as usize].get(place).copied().unwrap_or(0);
        digit >> (track - system.tracks(variable).start) & 1 == 1
    };
    let accepted = automaton.accepts(places, digit);
    assert_eq!(accepted, automaton.accepts(places + 3, digit), "zeros above the digits change nothing");
    accepted
}

#[test]
fn addition_and_order_are_those_of_numbers() {
    for system in SYSTEMS {
        let limit = Limit::default();
        let add =
            compile(&Formula::equal(&sum(&[(0, 1), (1, 1)], 0), &Linear::track(2)), system, &limit).expect("small");
        let order = compile(&Formula::at_most(&Linear::track(0), &Linear::track(1)), system, &limit).expect("small");
        for x in 0..130 {
            for y in 0..130 {
                assert_eq!(accepts(&order, system, &[x, y]), x <= y);
                for z in (x + y).saturating_sub(9)..x + y + 9 {
                    assert_eq!(accepts(&add, system, &[x, y, z]), x + y == z, "{system:?} {x} {y} {z}");
                }
            }
        }
        let mut seed = 7u64;
        for _ in 0..4_000 {
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
    let shift = compile(&Formula::atom(Atom::Shift(0, 1)), System::ZECKENDORF, &Limit::default()).expect("small");
    for n in 1u64..3000 {
        let floor = n.midpoint((5 * n * n).isqrt());
        for guess in floor.saturating_sub(2)..=floor + 2 {
            if guess > 0 {
                assert_eq!(accepts(&shift, System::ZECKENDORF, &[n - 1, guess - 1]), guess == floor, "{n}");
            }
        }
    }
}

/// `floor(n alpha)` for alpha = `[1; t, t, ..]` ends in an even number of zeros, and one place higher its digits are those of t n more:
/// with exact integers, and no other number of that kind is so.
#[test]
fn other_square_roots_by_a_shift() {
    for times in [1u8, 2, 3, 4] {
        let system = System::Surd(times);
        let shift = compile(&Formula::atom(Atom::Shift(0, 1)), system, &Limit::default()).expect("small");
        let t = u64::from(times);
        let mut floors =
            (0u64..).map(|n| ((n * n * (t * t + 4)).isqrt() + 2 * n - t * n) / 2).enumerate().skip(1).peekable();
        for low in 1u64..3000 {
            let zeros = system.digits(&BigUint::from(low)).iter().take_while(|digit| **digit == 0).count();
            let is_floor = floors.peek().is_some_and(|(_, floor)| *floor == low);
            assert_eq!(zeros % 2 == 0, is_floor, "{times} {low}");
            if is_floor {
                let (n, _) = floors.next().expect("the next");
                let high = low + t * n as u64;
                for guess in high - 2..=high + 2 {
                    assert_eq!(accepts(&shift, system, &[low, guess]), guess == high, "{times} {n}");
                }
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

/// Atoms that are not simplified: with everything on one side the other is 0.
#[test]
fn sums_on_one_side() {
    for system in SYSTEMS {
        for (terms, constant, sense, least_value) in [
            (vec![(1, 1)], 1, Sense::AtMostZero, None),
            (vec![(1, 1), (2, 2)], 1, Sense::Zero, None),
            (vec![(1, -1), (2, -1)], -3, Sense::Zero, None),
            (vec![(1, -2)], -3, Sense::AtMostZero, Some(0u64)),
            (vec![(1, -2)], 6, Sense::AtMostZero, Some(3)),
            (vec![(1, 3)], -6, Sense::Zero, Some(2)),
        ] {
            let formula = Formula::atom(Atom::Sum(sum(&terms, constant), sense));
            // Another variable that has nothing to do with it.
            let formula = Formula::all([formula, Formula::less(&Linear::number(5), &Linear::track(0))]);
            let found = solution(&formula, system, &Limit::default()).expect("small");
            let found = found.map(|numbers| numbers[&1].to_u64().expect("small"));
            assert_eq!(found, least_value, "{system:?} {terms:?} {constant}");
        }
    }
}

#[test]
fn too_large_automata_are_refused() {
    let limit = Limit { states: 50, ..Limit::default() };
    let formula = Formula::equal(&sum(&[(0, 977), (1, -1001)], 0), &Linear::number(3));
    assert!(compile(&formula, System::Binary, &limit).is_err());
}

#[test]
fn the_steps_of_all_automata_are_counted_together() {
    let many = Limit { steps: 1000, ..Limit::default() };
    let small = |n: i64| {
        let formula = Formula::equal(&sum(&[(0, n), (1, -1)], 0), &Linear::number(3));
        compile(&formula, System::Binary, &many.clone()).map(|automaton| automaton.states())
    };
    assert!(small(2).is_ok());
    assert_eq!((2..1000).find_map(|n| small(n).err()), Some(Reason::Steps(1000)));
}

fn agree(formula: &Formula, system: System) {
    let automaton = match compile(formula, system, &Limit::default()) {
        Ok(automaton) => automaton,
        // Few formulas are that large.
        Err(Reason::States(_) | Reason::Tests(_)) => return,
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

/// A random formula of the variables below `next`, of which those that are bound are at most 4 or another one rounded down.
fn with_multiples(rng: &mut Rng, next: Track, depth: usize) -> Formula {
    let number = |rng: &mut Rng| {
        let (a, b) = (rng.below(next as usize), rng.below(next as usize));
        let [a, b] = [a, b].map(|n| Track::try_from(n).expect("few"));
        let constant = rng.range(-1, 2);
        if a == b { sum(&[(a, 1)], constant) } else { sum(&[(a, 1), (b, rng.range(-1, 1))], constant) }
    };
    let divisor = |rng: &mut Rng| match rng.below(4) {
        0 => sum(&[(0, 1)], 0),
        1 => sum(&[(1, 2)], 2),
        2 => sum(&[(1, 1)], 1),
        _ => sum(&[(0, 1)], 1),
    };
    let inner = |rng: &mut Rng| with_multiples(rng, next, depth - 1);
    match if depth == 0 { 5 + rng.below(4) } else { rng.below(7) } {
        0 => inner(rng).not(),
        1 => Formula::all([inner(rng), inner(rng)]),
        2 => Formula::any([inner(rng), inner(rng)]),
        3 if next < 5 => {
            let small = Formula::at_most(&Linear::track(next), &Linear::number(4));
            let inner = with_multiples(rng, next + 1, depth - 1);
            Formula::exists(vec![next], Formula::all([small, inner]))
        }
        3 | 4 if next < 5 => {
            let is = Formula::atom(Atom::Rounded(next, number(rng), divisor(rng)));
            let inner = with_multiples(rng, next + 1, depth - 1);
            Formula::exists(vec![next], Formula::all([is, inner]))
        }
        5 | 6 => Formula::atom(Atom::Times(number(rng), divisor(rng))),
        _ if depth == 0 && rng.below(4) == 0 => {
            let track = Track::try_from(rng.below(next as usize)).expect("few");
            Formula::atom(Atom::Place(track))
        }
        7 => Formula::equal(&number(rng), &number(rng)),
        _ => Formula::at_most(&number(rng), &number(rng)),
    }
}

#[test]
fn a_formula_is_true_wherever_one_without_multiples_is_not_false() {
    let (mut wider, mut same) = (0, 0);
    for seed in 0..rounds(1500, 60_000) {
        let mut rng = Rng::new(seed);
        let formula = with_multiples(&mut rng, 2, 4);
        for stage in 0.. {
            let Some(without) = without_multiples(&formula, stage, System::Binary) else { break };
            // In the last one numbers are rounded beside the formula, too many to be gone through.
            if without_multiples(&formula, stage + 1, System::Binary).is_none() {
                break;
            }
            for [x, y] in [[0, 0], [1, 0], [3, 1], [2, 2], [4, 0], [1, 4]] {
                // No number that is rounded down is larger than this.
                let (mut values, most) = (vec![x, y, 0, 0, 0, 0], 12);
                let (given, found) = (
                    holds(&formula, System::Binary, &mut values.clone(), most),
                    holds(&without, System::Binary, &mut values, most),
                );
                assert!(found || !given, "seed {seed}, stage {stage}, {x} and {y}: {formula:?}\n{without:?}");
                if given == found { same += 1 } else { wider += 1 }
            }
        }
    }
    // Most formulas of so few numbers are decided by the multiples that are named.
    assert!(same > 4 * wider && wider > 0, "{same} the same, {wider} wider");
}

proptest! {
    #![proptest_config(crate::seeds::cases(80))]
    #[test]
    fn formulas_in_base_2(formula in formulas(System::Binary)) {
        agree(&closed(formula), System::Binary);
    }

    #[test]
    fn formulas_in_base_3(formula in formulas(System::Base(3))) {
        agree(&closed(formula), System::Base(3));
    }

    #[test]
    fn formulas_in_base_4(formula in formulas(System::Base(4))) {
        agree(&closed(formula), System::Base(4));
    }

    #[test]
    fn formulas_in_base_7(formula in formulas(System::Base(7))) {
        agree(&closed(formula), System::Base(7));
    }

    #[test]
    fn formulas_in_fibonacci_numbers(formula in formulas(System::ZECKENDORF)) {
        agree(&closed(formula), System::ZECKENDORF);
    }
}
