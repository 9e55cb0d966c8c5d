//! Closed forms: what they are worth, how they are written, which are found.

mod beatty {
    use grundy::guess::beatty::Surd;

    const PHI: Surd = Surd { p: 1, q: 5, r: 2 };

    #[test]
    fn multiples_of_the_golden_ratio() {
        let floors: Vec<_> = (0..8).filter_map(|n| PHI.floor_times(n)).collect();
        assert_eq!(floors, [0, 1, 3, 4, 6, 8, 9, 11]);
        let members: Vec<i128> = (0..12).filter(|m| PHI.has_multiple_in(*m) == Some(true)).collect();
        assert_eq!(members, floors);
        assert_eq!(PHI.floor_times(10i128.pow(18)), Some(1_618_033_988_749_894_848));
    }

    #[test]
    fn the_shortest_surd_comes_first() {
        assert!(PHI.exceeds((1618, 1000)) && !PHI.exceeds((1619, 1000)));
        assert_eq!(Surd::between((1618, 1000), (16181, 10000)).first(), Some(&PHI));
    }
}

mod candidates {
    use grundy::guess::candidates::affine;
    use grundy::guess::candidates::forms;
    use grundy::guess::candidates::{lines_by_residue, of_residues, residue_conditions};
    use grundy::guess::data::{Series, Sort};
    use grundy::guess::formula::{Formula, text};

    fn best(sort: Sort, first: i64, of: impl Fn(i64) -> i128) -> String {
        let values = (first..first + 67).map(of).collect();
        let series = Series { first, values, sort };
        let found = forms(&series, 25);
        assert!(found.iter().all(|formula| series.fits(formula)), "{found:?}");
        found.first().map_or_else(|| "none".into(), |formula| text(formula, &["n".to_string()], false))
    }

    #[test]
    fn numbers() {
        let number = |of: fn(i64) -> i128| best(Sort::Number, 0, of);
        assert_eq!(number(|_| 7), "7");
        assert_eq!(number(|n| (n % 4).into()), "n mod 4");
        assert_eq!(number(|n| (n + 1).into()), "n + 1");
        assert_eq!(number(|n| ((3 * n + 1) / 4).into()), "(3 * n + 1) div 4");
        assert_eq!(number(|n| (n ^ 1).into()), "n xor 1");
        assert_eq!(number(|n| ((n + 1) ^ 1).into()), "n + 1 xor 1");
        assert_eq!(number(|n| ((n ^ 5) + 3).into()), "(n xor 5) + 3");
        assert_eq!(number(|n| (((n + 2) ^ 0xc) + 1).into()), "(n + 2 xor 12) + 1");
        assert_eq!(number(|n| (n ^ (n / 2)).into()), "n div 2 xor n");
        assert_eq!(number(|n| (n.count_ones() % 3).into()), "sum(digits(n, 2)) mod 3");
        assert_eq!(
            number(|n| (2 * n + i64::from(n.count_ones() % 2 == 0)).into()),
            "2 * n + (sum(digits(n, 2)) + 1) mod 2"
        );
        assert_eq!(number(|n| ((n + 1).trailing_zeros()).into()), "valuation(n + 1, 2)");
        assert_eq!(
            number(|n| if n == 0 { 0 } else { (1 << n.trailing_zeros()).into() }),
            "(if n == 0 then 0 else 2 ** valuation(n, 2))"
        );
        assert_eq!(number(|n| i64::midpoint(n, (5 * n * n).isqrt()).into()), "floor(n * (1 + sqrt(5)) / 2)");
        assert_eq!(number(|n| i128::from(n).isqrt()), "floor(sqrt(n))");
        assert_eq!(number(|n| (n * (n + 1) / 2).into()), "(n ** 2 + n) div 2");
        let lasker = |n: i64| match n % 4 {
            _ if n == 0 => 0,
            3 => n + 1,
            0 => n - 1,
            _ => n,
        };
        assert_eq!(best(Sort::Number, 0, |n| lasker(n).into()), "(if n == 0 then 0 else n + [-1, 0, 0, 1][n mod 4])");
    }

    #[test]
    fn truths() {
        let truth = |of: fn(i64) -> bool| best(Sort::Truth, 0, |n| of(n).into());
        assert_eq!(truth(|_| true), "true");
        assert_eq!(truth(|n| n % 4 == 1), "n mod 4 == 1");
        assert_eq!(truth(|n| n == 0), "n == 0");
        assert_eq!(truth(|n| n.count_ones() == 1), "sum(digits(n, 2)) == 1");
        assert_eq!(truth(|n| (n + 1).count_ones() == 1), "sum(digits(n + 1, 2)) == 1");
        assert_eq!(truth(|n| n.isqrt().pow(2) == n), "floor(sqrt(n)) ** 2 == n");
        assert_eq!(truth(|n| [1, 2, 3, 5, 8, 13, 21, 34, 55].contains(&n)), "size(zeckendorf(n)) == 1");
        assert_eq!(truth(|n| n > 0 && n.trailing_zeros() % 2 == 0), "n != 0 and valuation(n, 2) mod 2 == 0");
        let lower = |n: i64| (0..60).any(|k: i64| i64::midpoint(k, (5 * k * k).isqrt()) == n);
        assert_eq!(best(Sort::Truth, 0, |n| lower(n).into()), "n < 2 or last(zeckendorf(n - 1)) != 1");
        let multiple = |n: i64| (0..60).any(|k: i64| (2 * k * k).isqrt() == n);
        let found = best(Sort::Truth, 0, |n| multiple(n).into());
        assert_eq!(found, "floor(ceil(n / sqrt(2)) * sqrt(2)) == n");
    }

    #[test]
    fn nothing_where_there_is_nothing() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            i128::from(state >> 60)
        };
        let values = (0..67).map(|_| random()).collect();
        let found = forms(&Series { first: 0, values, sort: Sort::Number }, 25);
        assert_eq!(found, []);
    }

    fn found(of: impl Fn(i128) -> i128) -> Option<String> {
        let series = Series { first: 0, values: (0..100).map(of).collect(), sort: Sort::Number };
        let formula = affine(&series)?;
        assert!(series.fits(&formula), "{formula:?}");
        Some(text(&formula, &["n".to_string()], false))
    }

    #[test]
    fn sums_of_places() {
        assert_eq!(found(|n| n ^ (n >> 1)).as_deref(), Some("n div 2 xor n"));
        assert_eq!(found(|n| (n & !6) ^ 1).as_deref(), Some("n - (n & 6) xor 1"));
        assert_eq!(found(|n| n & 0xc).as_deref(), Some("n & 12"));
        assert_eq!(found(|n| (4 * n) ^ n ^ 9).as_deref(), Some("4 * n xor n xor 9"));
        assert_eq!(
            found(|n| 2 * n + i128::from(n.count_ones() % 2)).as_deref(),
            Some("sum(digits(n, 2)) mod 2 xor 2 * n")
        );
        assert_eq!(found(|n| n + n / 2), None);
    }

    fn shortest(found: &[Formula]) -> String {
        let best = found.iter().min_by_key(|formula| formula.cost()).expect("a formula");
        text(best, &["n".to_string()], false)
    }

    #[test]
    fn short_ways_to_say_it() {
        assert_eq!(shortest(&of_residues(&[7, 7])), "7");
        assert_eq!(shortest(&of_residues(&[0, 1, 2, 3])), "n mod 4");
        assert_eq!(shortest(&of_residues(&[1, 2, 3, 0])), "(n + 1) mod 4");
        assert_eq!(shortest(&of_residues(&[3, 0, 1, 2])), "(n - 1) mod 4");
        assert_eq!(shortest(&of_residues(&[0, 0, 1, 1, 2, 2])), "n mod 6 div 2");
        assert_eq!(shortest(&of_residues(&[0, 1, 2, 2, 2])), "min(n mod 5, 2)");
        assert_eq!(shortest(&of_residues(&[0, 5, 1, 9])), "[0, 5, 1, 9][n mod 4]");
        assert_eq!(shortest(&residue_conditions(&[1, 0, 0])), "n mod 3 == 0");
        assert_eq!(shortest(&residue_conditions(&[1, 0, 1])), "n mod 3 != 1");
        assert_eq!(shortest(&residue_conditions(&[1, 0, 1, 1, 0, 0, 0])), "n mod 7 in {0, 2, 3}");
        assert_eq!(shortest(&residue_conditions(&[1, 1, 1, 0, 0, 0, 0])), "n mod 7 < 3");
    }

    #[test]
    fn each_residue_has_its_line() {
        let found = |of: fn(i128) -> i128| {
            let series = Series { first: 0, values: (0..40).map(of).collect(), sort: Sort::Number };
            lines_by_residue(&series).first().map(|formula| text(formula, &["n".to_string()], false))
        };
        let halves = found(|n| if n % 2 == 0 { n / 2 } else { 0 });
        assert_eq!(halves.as_deref(), Some("(if n mod 2 == 0 then n div 2 else 0)"));
        let three = found(|n| [n, 7, 2 * n + 1][usize::try_from(n % 3).unwrap_or(0)]);
        assert_eq!(three.as_deref(), Some("(if n mod 3 == 0 then n else if n mod 3 == 1 then 7 else 2 * n + 1)"));
        assert_eq!(found(|n| n), None);
    }
}

mod data {
    use grundy::guess::data::{Series, Sort};
    use grundy::guess::formula::{Formula, text};

    fn patched(first: i64, values: &[i128], sort: Sort, formula: Formula) -> String {
        let series = Series { first, values: values.to_vec(), sort };
        let patched = series.patched(formula);
        assert!(series.fits(&patched), "{patched:?}");
        text(&patched, &["n".to_string()], false)
    }

    #[test]
    fn exceptions_are_stated() {
        let n = || Formula::Var(0);
        assert_eq!(patched(0, &[0, 1, 2], Sort::Number, n()), "n");
        assert_eq!(patched(0, &[5, 1, 2, 5, 4], Sort::Number, n()), "(if n in {0, 3} then 5 else n)");
        assert_eq!(patched(0, &[3, 2, 1, 0, 4], Sort::Number, n()), "(if n < 4 then [3, 2, 1, 0][n] else n)");
        assert_eq!(patched(1, &[1, 0, 0], Sort::Truth, Formula::Truth(false)), "n == 1");
        assert_eq!(patched(1, &[0, 0, 1], Sort::Truth, Formula::Truth(true)), "n >= 3");
        let odd = n().modulo(2).among(vec![1], true);
        assert_eq!(patched(0, &[1, 0, 0], Sort::Truth, odd), "n == 0 or n != 1 and n mod 2 == 1");
    }
}

mod formula {
    use grundy::guess::beatty::Surd;
    use grundy::guess::formula::text;
    use grundy::guess::formula::{Formula, Op, Word};

    #[test]
    fn known_values() {
        let value = |word: Word, n: i64| Formula::Var(0).under(word).eval(&[n]);
        let sums = [value(Word::DigitSum(2), 255), value(Word::DigitSum(10), 1999), value(Word::DigitSum(3), 0)];
        assert_eq!(sums, [Some(8), Some(28), Some(0)]);
        let valuations = [value(Word::Valuation(2), 24), value(Word::Valuation(3), 24), value(Word::Valuation(2), 0)];
        assert_eq!(valuations, [Some(3), Some(1), None]);
        assert_eq!([value(Word::Length, 0), value(Word::Length, 8), value(Word::Length, -1)], [Some(0), Some(4), None]);
        let sizes: Vec<_> = (0..=13).filter_map(|n| value(Word::ZeckendorfSize, n)).collect();
        assert_eq!(sizes, [0, 1, 1, 1, 2, 1, 2, 2, 1, 2, 2, 2, 3, 1]);
        let lasts: Vec<_> = (0..=13).filter_map(|n| value(Word::ZeckendorfLast, n)).collect();
        assert_eq!(lasts, [1, 2, 3, 1, 5, 1, 2, 8, 1, 2, 3, 1, 13]);
    }

    fn n() -> Formula {
        Formula::Var(0)
    }

    #[test]
    fn brackets_stand_where_they_must() {
        let names = ["n".to_string()];
        let say = |formula: &Formula| text(formula, &names, true);
        assert_eq!(say(&n().plus(-1).modulo(4).over(2)), "(n - 1) mod 4 div 2");
        assert_eq!(say(&n().op(Op::Sub, n().plus(1))), "n - (n + 1)");
        assert_eq!(say(&Formula::Int(-1).op(Op::Add, n())), "-1 + n");
        assert_eq!(say(&n().op(Op::Xor, n().over(2)).plus(1)), "(n xor n div 2) + 1");
        let choice = Formula::If(Box::new(n().op(Op::Eq, Formula::Int(0))), Box::new(n()), Box::new(n().plus(1)));
        assert_eq!(say(&choice), "(if n == 0 then n else n + 1)");
        assert_eq!(say(&n().among(vec![1, 2], true)), "(n in {1, 2})");
        assert_eq!(text(&n().among(vec![1, 2], false), &names, false), "n not in {1, 2}");
        let phi = Surd { p: 1, q: 5, r: 2 };
        assert_eq!(say(&Formula::Floor(Box::new(n().plus(1)), phi)), "floor((n + 1) * (1 + sqrt(5)) / 2)");
        assert_eq!(say(&n().under(Word::DigitSum(2)).modulo(3)), "sum(digits(n, 2)) mod 3");
    }
}
