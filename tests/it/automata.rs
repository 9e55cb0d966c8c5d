//! Automata and what they are built with: order, digits and tables.

use crate::rng::Rng;
use crate::{formulas, rounds};
use grundy_automata::order::{FAR, Order};
use grundy_automata::{Atom, Formula, Limit, Linear, Sense, System, Table, Track, compile};
use num_bigint::{BigInt, BigUint};
use std::sync::Arc;

/// Constants at the ends of machine numbers are not followed, and nothing is decided by them.
#[test]
fn constants_at_the_ends_decide_nothing() {
    for end in [i64::MIN, i64::MIN + 1, -FAR, FAR, i64::MAX] {
        for sign in [1, -1] {
            let sum = Linear::number(end).plus(&BigInt::from(sign), &Linear::track(0));
            for sense in [Sense::Zero, Sense::AtMostZero] {
                let (mut order, atom) = (Order::new(), Atom::Sum(sum.clone(), sense));
                assert_eq!(order.decides(&atom), None, "{atom:?}");
                assert!(!order.take(&atom, true) && !order.never, "{atom:?}");
            }
        }
    }
}

/// All that is decided of small numbers is so for all small numbers that fit, and what fits none is seen.
#[test]
fn what_is_decided_is_so() {
    let mut random = 5_u64;
    let mut below = |n: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from((random >> 33) % n).unwrap()
    };
    let (mut decided, mut nothing) = (0, 0);
    for _ in 0..1000 {
        let mut atom = || {
            let (x, y) = (below(4), below(4));
            let mut sum = Linear::number(below(7) - 3);
            let (x, y) = (u32::try_from(x).unwrap(), u32::try_from(y).unwrap());
            if below(5) > 0 {
                sum = sum.plus(&BigInt::from(1), &Linear::track(x));
            }
            if below(5) > 0 {
                sum = sum.minus(&Linear::track(y));
            }
            Atom::Sum(sum, if below(3) == 0 { Sense::Zero } else { Sense::AtMostZero })
        };
        let said: Vec<(Atom, bool)> = (0..5).map(|i| (atom(), i % 3 != 2)).collect();
        let asked = atom();
        let mut order = Order::new();
        for (atom, holds) in &said {
            assert!(order.take(atom, *holds));
        }
        let answer = order.decides(&asked);
        let truth = |atom: &Atom, at: &[i64]| {
            let Atom::Sum(sum, sense) = atom else { unreachable!() };
            let mut value = sum.constant.clone();
            for (&track, multiple) in &sum.terms {
                value += multiple * at[usize::try_from(track).unwrap()];
            }
            if *sense == Sense::Zero { value == BigInt::ZERO } else { value <= BigInt::ZERO }
        };
        let mut fits = false;
        for all in 0..10_000_i64 {
            let at = [all % 10, all / 10 % 10, all / 100 % 10, all / 1000];
            if said.iter().all(|(atom, holds)| truth(atom, &at) == *holds) {
                fits = true;
                assert!(answer.is_none_or(|answer| answer == truth(&asked, &at)), "{said:?} {asked:?} {at:?}");
            }
        }
        assert!(!fits || !order.never, "{said:?}");
        decided += usize::from(fits && answer.is_some());
        nothing += usize::from(order.never);
    }
    assert!(decided > 30 && nothing > 30, "{decided} {nothing}");
}

#[test]
fn numbers_are_written_and_read() {
    assert_eq!(System::base(1), None);
    assert_eq!(System::base(17), None);
    assert_eq!(System::base(3).map(|three| three.digits(&BigUint::from(77u8))), Some(vec![2, 1, 2, 2]));
    assert_eq!(System::ZECKENDORF.digits(&BigUint::from(11u8)), [0, 0, 1, 0, 1]);
    // 1, 3, 7, 17
    assert_eq!(System::Surd(2).digits(&BigUint::from(16u8)), [2, 0, 2]);
    for system in (2..=16).filter_map(System::base).chain((1..=15).map(System::Surd)) {
        for number in (0u32..400).chain([123_456_789]).map(BigUint::from) {
            assert_eq!(system.number(&system.digits(&number)), number, "{system:?}");
        }
        assert_eq!(1 << system.width(), u32::from(system.size()).next_power_of_two());
    }
}

/// An automaton, its table and the automaton of that accept the same.
#[test]
fn there_and_back() {
    let limit = Limit::default();
    for system in [System::Binary, System::ZECKENDORF, System::Surd(2), System::Surd(3)]
        .into_iter()
        .chain(System::base(3))
        .chain(System::base(5))
    {
        let sum = Linear::track(0).plus(&BigInt::from(2), &Linear::track(1));
        let formula = Formula::all([
            Formula::multiple(&sum, &BigInt::from(3)),
            Formula::at_most(&Linear::track(1), &Linear::number(40)),
        ]);
        let automaton = compile(&formula, system, &limit).expect("small");
        let table = Table::of(&automaton, 2, system).expect("small");
        let word = Atom::Word(Arc::new(table.automaton(system, &limit).expect("a table")), vec![0, 1]);
        let differ = formula.iff(Formula::atom(word)).not();
        assert!(compile(&differ, system, &limit).expect("small").is_empty(), "{system:?}");
        let mut wrong = table.clone();
        wrong.states[0].0 = !wrong.states[0].0;
        assert!(wrong.automaton(system, &limit).is_err(), "zeros change what it accepts");
        wrong.states.clear();
        assert!(wrong.automaton(system, &limit).is_err());
    }
}

/// Conditions inside of conditions, 60 deep: to look at what is inside twice at each depth would never end.
#[test]
fn conditions_inside_of_conditions() {
    let at_most = |n: u64| {
        let sum = Linear::track(1).plus(&BigInt::from(2), &Linear::track(0));
        Formula::at_most(&sum, &Linear::number(n))
    };
    let deep = |depth: u64| (0..depth).fold(at_most(depth), |inner, n| Formula::all([at_most(depth - n), inner]).not());
    // By numbers: whether `2 x + y <= n` holds decides each step.
    let holds = |depth: u64, size: u64| (0..depth).fold(size <= depth, |inner, n| !(size <= depth - n && inner));
    for depth in [3, 4, 60, 61] {
        let automaton = compile(&deep(depth), System::Binary, &Limit::default()).expect("small");
        for (x, y) in (0..=34u64).flat_map(|x| (0..3u64).map(move |y| (x, y))) {
            let is = |track: Track, number: u64| Formula::equal(&Linear::track(track), &Linear::number(number));
            let here = Formula::all([deep(depth), is(0, x), is(1, y)]);
            let never = compile(&here, System::Binary, &Limit::default()).expect("small").is_empty();
            assert_eq!(!never, holds(depth, 2 * x + y), "{depth}: {x}, {y}");
        }
        assert!(!automaton.is_empty());
    }
}

/// Bound numbers that are one of few constants, each by conditions on others, several of them in one sum: what is compiled is what holds.
#[test]
fn choices_of_constants_that_depend_on_each_other() {
    const MOST: u64 = 5;
    let mut random = Rng::new(47);
    let (mut some, mut none) = (0, 0);
    for _ in 0..rounds(400, 20_000) {
        let mut below = |n: u64| u64::try_from(random.range(0, i64::try_from(n).unwrap() - 1)).unwrap();
        let is = |track: Track, number: u64| Formula::equal(&Linear::track(track), &Linear::number(number));
        // Variable 0 is free; each of the others is chosen by it or by one before.
        let count = 3 + u32::try_from(below(2)).unwrap();
        let bound: Vec<Track> = (1..=count).collect();
        let mut parts = Vec::new();
        for &track in &bound {
            let of = if below(2) == 0 { 0 } else { Track::try_from(below(track.into())).unwrap() };
            let condition = match below(4) {
                0 => is(of, below(MOST)),
                1 => Formula::at_most(&Linear::track(of), &Linear::number(below(MOST))),
                2 => Formula::multiple(&Linear::track(of), &BigInt::from(2 + below(2))),
                _ => Formula::any([is(of, below(MOST)), is(of, below(MOST))]),
            };
            parts.push(Formula::either(&condition, is(track, below(MOST)), is(track, below(MOST))));
        }
        let mut sum = Linear::number(BigInt::from(below(9)) - 6);
        for &track in &bound {
            sum =
                sum.plus(&(BigInt::from([0, 1, 1, 2][usize::try_from(below(4)).unwrap()]) - 1), &Linear::track(track));
        }
        let last = [0, 1].map(|_| is(bound[usize::try_from(below(count.into())).unwrap()], below(MOST)));
        let compared = if below(2) == 0 { Formula::zero(&sum) } else { Formula::natural(&sum) };
        let last = Formula::any(last);
        parts.push(if below(2) == 0 { compared } else { Formula::all([compared, last.clone()]) });
        if below(2) == 0 {
            parts.push(if below(2) == 0 { last } else { last.not() });
        }
        let formula = Formula::exists(bound, Formula::all(parts));
        for x in 0..8 {
            let holds = formulas::holds(&formula, System::Binary, &mut vec![x], MOST);
            let here = Formula::all([formula.clone(), is(0, x)]);
            let compiled = !compile(&here, System::Binary, &Limit::default()).expect("small").is_empty();
            assert_eq!(compiled, holds, "{x}: {formula:?}");
            if holds { some += 1 } else { none += 1 }
        }
    }
    assert!(some > 200 && none > 200, "{some} {none}");
}
