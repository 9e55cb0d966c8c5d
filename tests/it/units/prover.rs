//! Terms of one variable worked out for all n at once.

/// Every operation against the same operation on the values of single n.
mod course {
    use grundy::prover::periods::course::{EventuallyPeriodic, NONE};

    struct Random(u64);

    impl Random {
        fn below(&mut self, n: i64) -> i64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i64::try_from(self.0 >> 33).unwrap() % n
        }

        /// Up to five values before a period of at most four, some undefined, with steps from `least` on.
        fn course(&mut self, least: i64, most: i64) -> EventuallyPeriodic {
            let (start, period) = (self.below(6), 1 + self.below(4));
            let mut values = Vec::new();
            for _ in 0..start + period {
                values.push(if self.below(12) == 0 { NONE } else { self.below(15) - 4 });
            }
            let start = usize::try_from(start).unwrap();
            let step = |random: &mut Random| if least == most { least } else { least + random.below(most - least + 1) };
            let steps = values[start..].iter().map(|v| if *v == NONE { 0 } else { step(self) }).collect();
            EventuallyPeriodic { values, steps }
        }
    }

    /// Values are compared up to here.
    const FAR: usize = 300;

    fn values(course: &EventuallyPeriodic) -> Vec<i64> {
        (0..FAR).map(|n| course.at(n).unwrap()).collect()
    }

    fn by(a: &EventuallyPeriodic, b: &EventuallyPeriodic, f: impl Fn(i64, i64) -> i64) -> Vec<i64> {
        let f = |(a, b): (i64, i64)| if a == NONE || b == NONE { NONE } else { f(a, b) };
        values(a).into_iter().zip(values(b)).map(f).collect()
    }

    #[test]
    fn operations_are_those_of_the_values() {
        let mut random = Random(1);
        for round in 0..3000 {
            let (a, b) = (random.course(-3, 3), random.course(-2, 3));
            assert_eq!(values(&a.plus(-2, &b).unwrap()), by(&a, &b, |a, b| a - 2 * b), "{round}");
            for sign in -1..=1 {
                let made = a.compared(&b, |s| s == sign).unwrap();
                assert_eq!(
                    values(&made),
                    by(&a, &b, |a, b| i64::from((a - b).signum() == sign)),
                    "{round} {a:?} {b:?}"
                );
            }
            let constant = EventuallyPeriodic::constant(random.below(9) - 4);
            assert_eq!(values(&a.times(&constant).unwrap()), by(&a, &constant, |a, b| a * b));
            let natural = |v: i64| if v < 0 { NONE } else { v };
            assert_eq!(values(&a.natural().unwrap()), by(&a, &a, |a, _| natural(a)));
            let m = 1 + random.below(7);
            let [quotient, rest] = a.divided(m).unwrap();
            assert_eq!(values(&quotient), by(&a, &a, |a, _| a.div_euclid(m)));
            assert_eq!(values(&rest), by(&a, &a, |a, _| a.rem_euclid(m)));
            let (still, other) = (random.course(0, 0), random.course(0, 0));
            let digits = |a: i64, b: i64| if a < 0 || b < 0 { NONE } else { a ^ b };
            assert_eq!(values(&still.xor(&other).unwrap()), by(&still, &other, digits));
            let truth = still.compared(&other, |sign| sign > 0).unwrap();
            let chosen: Vec<i64> = values(&truth)
                .into_iter()
                .zip(values(&a).into_iter().zip(values(&b)))
                .map(|(which, (a, b))| {
                    if which == NONE {
                        NONE
                    } else if which == 1 {
                        a
                    } else {
                        b
                    }
                })
                .collect();
            assert_eq!(values(&truth.choose(&a, &b).unwrap()), chosen);
            let of = random.course(-2, 4);
            let taken = values(&a).into_iter().map(|n| usize::try_from(n).map_or(NONE, |n| of.at(n).unwrap()));
            assert_eq!(values(&of.taken(&a).unwrap()), taken.collect::<Vec<_>>(), "{of:?} at {a:?}");
            for (low, out) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let left = |n: usize| match a.at(2 * n + low).unwrap() {
                    NONE => NONE,
                    v if v.rem_euclid(2) == out => v.div_euclid(2),
                    _ => NONE,
                };
                let made = a.after(low, out).unwrap();
                assert_eq!(values(&made), (0..FAR).map(left).collect::<Vec<_>>(), "{a:?} {low} {out}");
                assert_eq!(made, made.clone().least());
            }
            let (start, period) = (a.start() + usize::try_from(random.below(9)).unwrap(), 3 * a.period());
            let wide = a.widened(start, period).unwrap();
            assert_eq!(values(&wide), values(&a));
            assert_eq!(wide.least(), a.clone().least(), "one form for equal courses");
        }
    }

    #[test]
    fn numbers_that_are_too_large_are_refused() {
        let variable = EventuallyPeriodic::variable();
        let large = EventuallyPeriodic::constant(i64::MAX);
        assert!(large.plus(1, &EventuallyPeriodic::constant(1)).is_err());
        assert!(variable.times(&variable).is_err());
        assert!(variable.compared(&EventuallyPeriodic::constant(1 << 40), |sign| sign < 0).is_err());
        assert!(variable.divided(1 << 40).is_err());
        assert!(variable.xor(&EventuallyPeriodic::constant(1)).is_err());
        assert!(EventuallyPeriodic::constant(NONE + 1).plus(-1, &EventuallyPeriodic::constant(1)).is_err());
        assert_eq!(variable.xor(&variable).unwrap().same(), Some(0));
        assert_eq!(variable.compared(&EventuallyPeriodic::constant(70), |sign| sign < 0).unwrap().start(), 70);
    }
}

mod heaps {
    use grundy::prover::periods::course::EventuallyPeriodic;
    use grundy::prover::periods::heaps::word;
    use grundy_automata::Limit;

    #[test]
    fn a_number_goes_with_its_value_and_no_other() {
        let mut random = 9_u64;
        let mut below = |n: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % n
        };
        for _ in 0..200 {
            let (start, period, step) = (below(9), 1 + below(7), below(4));
            let values: Vec<i64> = (0..start + period).map(|_| i64::try_from(below(12)).unwrap()).collect();
            let period = usize::try_from(period).unwrap();
            let course = EventuallyPeriodic::periodic(values, period, i64::try_from(step).unwrap()).unwrap();
            let automaton = word(&course, &Limit::default()).unwrap();
            for n in 0..70 {
                let value = course.at(n).unwrap();
                for v in 0..=value + 9 {
                    let digit = |track, place: usize| {
                        if track == 0 { n >> place & 1 != 0 } else { v >> place & 1 != 0 }
                    };
                    assert_eq!(automaton.accepts(12, digit), v == value, "{course:?} at {n}, {v}");
                }
            }
        }
    }
}
