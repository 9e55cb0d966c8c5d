//! Collections, operators, indices, and what is refused.

use super::{bag, big, code, i, list, pair, set, shown, t};
use grundy::model::BinaryOp;
use grundy::model::CompareOp;
use grundy::model::builtin::Builtin as B;
use grundy::syntax::tree::SetOp;
use grundy::value;
use grundy::value::Value;
use grundy::words::binary;
use grundy::words::call;
use grundy::words::compare;
use grundy::words::index;
use grundy::words::slice;
use grundy::words::update;

#[test]
fn refusals_instead_of_hanging() {
    let power = |a: i64, b: &Value| binary(BinaryOp::Pow, &i(a), b);
    let ten_billion = power(10, &i(10)).unwrap();
    assert_eq!(code(power(10, &ten_billion)), "R06");
    assert_eq!(power(-1, &big("100000000000000000001")).unwrap(), i(-1));
    assert_eq!(power(0, &i(0)).unwrap(), i(1));
    assert_eq!(code(power(2, &i(-1))), "R03");
    let wide = Value::Range(0, 1 << 60);
    assert_eq!(code(call(B::List, &[wide.clone()])), "R06");
    assert_eq!(code(call(B::Subsets, &[Value::Range(1, 60)])), "R06");
    assert_eq!(code(call(B::Subbags, &[bag(&(0..60).collect::<Vec<_>>())])), "R06");
    assert_eq!(code(call(B::Repeat, &[t("ab"), i(1 << 60)])), "R06");
    assert_eq!(code(call(B::Repeat, &[list(&[1]), big("99999999999999999999")])), "R06");
    assert_eq!(call(B::Repeat, &[list(&[]), i(1 << 60)]).unwrap(), list(&[]));
    assert_eq!(code(call(B::Words, &[t("ab"), i(80)])), "R06");
    assert_eq!(code(call(B::Words, &[t("a"), wide.clone()])), "R06");
    assert_eq!(code(call(B::Choices, &[Value::list(vec![Value::Range(0, 9); 30])])), "R06");
    assert_eq!(code(call(B::Choose, &[Value::Range(1, 1000), i(500)])), "R06");
    assert_eq!(code(call(B::Pairs, &[wide.clone()])), "R06");
    assert_eq!(code(call(B::Partitions, &[i(1000)])), "R06");
    assert_eq!(code(call(B::Complete, &[i(1 << 30)])), "R06");
    assert_eq!(code(call(B::Grid, &[i(1 << 30), i(1 << 30)])), "R06");
    assert_eq!(code(call(B::Primes, &[i(1 << 60)])), "R06");
    assert_eq!(code(call(B::Slide, &[i(0), i(1 << 60), set(&[])])), "R06");
    assert_eq!(call(B::Slide, &[i(0), i(1 << 60), set(&[3])]).unwrap(), list(&[1, 2]));
    assert_eq!(code(binary(BinaryOp::Range, &i(0), &big("99999999999999999999"))), "R06");
    assert_eq!(call(B::Size, &[wide]).unwrap(), i((1 << 60) + 1));
    assert_eq!(call(B::Size, &[Value::Range(i64::MIN, i64::MAX)]).unwrap(), big("18446744073709551616"));
}

#[test]
fn words_about_collections() {
    assert_eq!(
        shown(B::Choices, &[Value::list(vec![Value::Range(0, 1), t("ab")])]),
        r#"[[0, "a"], [0, "b"], [1, "a"], [1, "b"]]"#
    );
    assert_eq!(shown(B::Choices, &[list(&[])]), "[[]]");
    assert_eq!(
        shown(B::Subsets, &[Value::Range(1, 3), Value::Range(0, 2)]),
        "[{}, {1}, {2}, {3}, {1, 2}, {1, 3}, {2, 3}]"
    );
    assert_eq!(
        shown(B::Subbags, &[bag(&[1, 1, 2])]),
        "[bag([]), bag([1]), bag([2]), bag([1, 1]), bag([1, 2]), bag([1, 1, 2])]"
    );
    assert_eq!(shown(B::Pairs, &[bag(&[1, 1, 2, 3])]), "[(1, 1), (1, 2), (1, 3), (2, 3)]");
    assert_eq!(shown(B::Pairs, &[list(&[2, 1, 1])]), "[(2, 1), (2, 1), (1, 1)]");
    assert_eq!(shown(B::Choose, &[Value::Range(0, 3), i(3)]), "[[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]");
    assert_eq!(shown(B::Choose, &[list(&[1]), i(0)]), "[[]]");
    assert_eq!(shown(B::Choose, &[list(&[1]), i(2)]), "[]");
    assert_eq!(
        shown(B::Partitions, &[i(4)]),
        "[bag([4]), bag([1, 3]), bag([2, 2]), bag([1, 1, 2]), bag([1, 1, 1, 1])]"
    );
    assert_eq!(shown(B::Partitions, &[i(0)]), "[bag([])]");
    assert_eq!(shown(B::Slide, &[i(5), i(1), set(&[2])]), "[4, 3]");
    assert_eq!(shown(B::Slide, &[i(5), i(1), set(&[])]), "[4, 3, 2, 1]");
    assert_eq!(shown(B::Slide, &[i(5), i(5), set(&[])]), "[]");
    assert_eq!(shown(B::Slide, &[i(5), i(1), Value::Range(1, 3)]), "[4]");
    assert_eq!(shown(B::Indices, &[Value::list_from(1, vec![i(7), i(8)])]), "1..2");
    assert_eq!(shown(B::Indices, &[list(&[])]), "0..-1");
    assert_eq!(shown(B::First, &[t("")]), "R02");
    assert_eq!(shown(B::Last, &[Value::Range(1, 9)]), "9");
    assert_eq!(shown(B::Reverse, &[t("abc")]), "cba");
    assert_eq!(shown(B::Sort, &[list(&[3, 1, 3])]), "[1, 3, 3]");
    assert_eq!(shown(B::Set, &[list(&[3, 1, 3])]), "{1, 3}");
    assert_eq!(shown(B::Bag, &[t("ba")]), r#"bag(["a", "b"])"#);
    assert_eq!(shown(B::Union, &[Value::list(vec![set(&[1, 2]), set(&[2, 3])])]), "{1, 2, 3}");
    assert_eq!(shown(B::Union, &[list(&[])]), "{}");
    assert_eq!(shown(B::Count, &[Value::list(vec![Value::Bool(true), Value::Bool(false)])]), "1");
    assert_eq!(shown(B::Xor, &[list(&[3, 5, 9])]), "15");
    assert_eq!(shown(B::Xor, &[list(&[])]), "0");
    assert_eq!(shown(B::Xor, &[list(&[-1])]), "R01");
    assert_eq!(shown(B::Increasing, &[list(&[1, 1])]), "false");
    assert_eq!(shown(B::Places, &[t("XXX"), t("XX")]), "[0, 1]");
    assert_eq!(shown(B::Places, &[t("XXX"), t("")]), "R01");
    assert_eq!(shown(B::Starts, &[t("abc"), t("ab")]), "true");
    assert_eq!(shown(B::Split, &[t(",a,,b"), t(",")]), r#"["", "a", "", "b"]"#);
    assert_eq!(shown(B::Split, &[t("aaa"), t("aa")]), r#"["", "a"]"#);
    assert_eq!(shown(B::Join, &[Value::list(vec![t("ab"), t("c")])]), "abc");
    assert_eq!(shown(B::Words, &[t("ab"), Value::Range(0, 2)]), r#"["", "a", "b", "aa", "ab", "ba", "bb"]"#);
    assert_eq!(shown(B::Int, &[t("-12")]), "-12");
    assert_eq!(shown(B::Int, &[t("1.5")]), "R01");
    assert_eq!(shown(B::Text, &[i(12)]), "12");
    assert_eq!(shown(B::Wins, &[i(12)]), "E04");
    assert_eq!(shown(B::Abs, &[]), "E05");
}

#[test]
fn operators_on_collections() {
    let bin = |op, a: &Value, b: &Value| binary(op, a, b).map_or_else(|f| f.code.to_string(), |v| v.to_string());
    assert_eq!(bin(BinaryOp::Sub, &bag(&[1, 1, 2]), &list(&[1])), "bag([1, 2])");
    assert_eq!(bin(BinaryOp::Sub, &bag(&[1, 2]), &list(&[1, 1])), "R07");
    assert_eq!(bin(BinaryOp::Add, &bag(&[1, 2]), &list(&[1, 0])), "bag([0, 1, 1, 2])");
    assert_eq!(bin(BinaryOp::Sub, &set(&[1, 2, 3]), &Value::Range(2, 1 << 60)), "{1}");
    assert_eq!(bin(BinaryOp::Sub, &Value::Range(0, 3), &set(&[1])), "{0, 2, 3}");
    assert_eq!(bin(BinaryOp::Meet, &set(&[1, 2, 3]), &set(&[3, 4])), "{3}");
    assert_eq!(bin(BinaryOp::Xor, &set(&[1, 2, 3]), &set(&[3, 4])), "{1, 2, 4}");
    assert_eq!(bin(BinaryOp::Add, &list(&[1]), &Value::Range(2, 3)), "[1, 2, 3]");
    assert_eq!(bin(BinaryOp::Add, &t("a"), &t("b")), "ab");
    assert_eq!(bin(BinaryOp::Add, &t("a"), &i(1)), "E03");
    assert_eq!(bin(BinaryOp::Xor, &i(-1), &i(1)), "R01");
    assert_eq!(bin(BinaryOp::Div, &i(-7), &i(2)), "-4");
    assert_eq!(bin(BinaryOp::Mod, &i(-7), &i(2)), "1");
    assert_eq!(bin(BinaryOp::Mod, &i(7), &i(-2)), "R03");
    let cmp = |op, a: &Value, b: &Value| compare(op, a, b).unwrap();
    assert!(cmp(CompareOp::Lt, &bag(&[1]), &bag(&[1, 1])));
    assert!(!cmp(CompareOp::Le, &bag(&[1, 1]), &bag(&[1, 2])));
    assert!(cmp(CompareOp::Le, &set(&[1]), &set(&[0, 1])));
    assert!(!cmp(CompareOp::Lt, &set(&[1]), &set(&[1])));
    assert!(
        cmp(CompareOp::Eq, &bag(&[2, 1]), &list(&[1, 2])) && cmp(CompareOp::Eq, &set(&[1, 2]), &Value::Range(1, 2))
    );
    assert!(cmp(CompareOp::Ne, &t("a"), &i(1)));
    assert!(cmp(CompareOp::In, &t("b"), &t("abc")) && cmp(CompareOp::NotIn, &i(4), &Value::Range(0, 3)));
    assert!(compare(CompareOp::Lt, &Value::Bool(false), &Value::Bool(true)).is_err());
}

#[test]
fn indices_slices_updates() {
    let xs = list(&[5, 6, 7]);
    assert_eq!(index(&xs, &i(2)).unwrap(), i(7));
    let fault = index(&xs, &i(5)).unwrap_err();
    assert_eq!((fault.code.as_str(), &*fault.message), ("R02", "index 5 is outside a list of 3 items counted from 0"));
    assert_eq!(code(index(&xs, &big("99999999999999999999"))), "R06");
    let ones = Value::list_from(1, vec![i(5), i(6)]);
    assert_eq!(index(&ones, &i(2)).unwrap(), i(6));
    assert_eq!(code(index(&ones, &i(0))), "R02");
    assert_eq!(index(&Value::Range(i64::MAX - 1, i64::MAX), &i(1)).unwrap(), i(i64::MAX));
    assert_eq!(code(index(&Value::Range(i64::MAX - 1, i64::MAX), &i(2))), "R02");
    let cut = |v: &Value, a: Option<i64>, b: Option<i64>| slice(v, a.map(i).as_ref(), b.map(i).as_ref());
    assert_eq!(cut(&xs, Some(1), None).unwrap(), list(&[6, 7]));
    assert_eq!(cut(&xs, Some(3), None).unwrap(), list(&[]));
    assert_eq!(cut(&xs, Some(9), Some(-9)).unwrap(), list(&[]));
    assert_eq!(code(cut(&xs, Some(0), Some(3))), "R02");
    assert_eq!(code(cut(&xs, Some(-1), None)), "R02");
    assert_eq!(cut(&ones, None, Some(1)).unwrap(), list(&[5]));
    assert_eq!(cut(&t("abc"), Some(1), Some(2)).unwrap(), t("bc"));
    assert_eq!(cut(&Value::Range(3, 9), Some(1), Some(2)).unwrap(), list(&[4, 5]));
    let new = update(&ones, &[(i(1), SetOp::Remove, i(2)), (i(1), SetOp::Remove, i(1)), (i(2), SetOp::Put, i(0))]);
    assert_eq!(new.as_ref().unwrap(), &list(&[2, 0]));
    assert!(matches!(new, Ok(Value::List(ref l)) if l.base == 1));
    assert_eq!(update(&t("..."), &[(i(1), SetOp::Put, t("X"))]).unwrap(), t(".X."));
    assert_eq!(code(update(&t("..."), &[(i(1), SetOp::Put, t("XX"))])), "R01");
    assert_eq!(code(update(&t("..."), &[(i(3), SetOp::Put, t("X"))])), "R02");
    let grid = call(B::Grid, &[i(2), i(2)]).unwrap();
    let grid = update(&grid, &[(pair(0, 1), SetOp::Put, t("#"))]).unwrap();
    assert_eq!(grid.to_string(), r#"[".#", ".."]"#);
    assert_eq!(code(index(&grid, &pair(2, 0))), "R02");
    assert_eq!(shown(B::Around, &[grid.clone(), pair(0, 0)]), "{(1, 0), (1, 1)}");
    assert_eq!(shown(B::Ray, &[grid.clone(), pair(1, 0), pair(0, 1)]), "[(1, 1)]");
    assert_eq!(shown(B::Ray, &[grid.clone(), pair(1, 0), pair(0, 0)]), "[]");
    assert_eq!(shown(B::Edges, &[grid.clone()]), "{(0, 0)-(1, 0), (1, 0)-(1, 1)}");
    assert_eq!(shown(B::Cells, &[grid, t("#")]), "{(0, 1)}");
}

#[test]
fn sums_of_positions() {
    use value::{Component, Position, Shape};
    let component = Component { game: grundy::model::GameId(0), params: [].into(), state: [i(3)].into(), tag: None };
    let one = Value::Position(std::sync::Arc::new(Position {
        misere: true,
        sum: false,
        shape: Shape::Sum(vec![component].into()),
    }));
    let sum = binary(BinaryOp::Add, &one, &binary(BinaryOp::Mul, &i(3), &one).unwrap()).unwrap();
    let Value::Position(p) = &sum else { panic!() };
    assert!(p.misere && matches!(&p.shape, Shape::Sum(parts) if parts.len() == 4));
    let folded = call(B::Sum, &[Value::list(vec![one.clone(), sum])]).unwrap();
    assert_eq!(folded.to_string(), "a position of 5 components");
    assert_eq!(binary(BinaryOp::Add, &i(0), &one).unwrap().to_string(), "a position of 1 component");
    assert_eq!(call(B::Sum, &[list(&[])]).unwrap(), i(0));
}

#[test]
fn membership_in_a_slide_is_that_in_its_list() {
    let mut takens = vec![set(&[]), set(&[2]), set(&[-3, 1, 70]), list(&[4, -1, 4]), list(&[0])];
    takens.extend((-4..4).flat_map(|a| (-4..4).map(move |b| Value::Range(a, b))));
    for taken in &takens {
        for (from, to) in (-5..5).flat_map(|from| (-5..5).map(move |to| (i(from), i(to)))) {
            let listed = call(B::Slide, &[from.clone(), to.clone(), taken.clone()]).unwrap();
            for number in (-7..8).map(i) {
                let there = call(B::InSlide, &[from.clone(), to.clone(), taken.clone(), number.clone()]).unwrap();
                let expected = compare(CompareOp::In, &number, &listed).unwrap();
                assert_eq!(there, Value::Bool(expected), "{number:?} in slide({from:?}, {to:?}, {taken:?})");
            }
        }
    }
    // Far beyond any list.
    let far = big("1000000000000000000000000000000");
    let there = |number: Value| call(B::InSlide, &[far.clone(), i(1), set(&[5, 9]), number]).unwrap();
    assert_eq!([there(i(9)), there(i(10)), there(far.clone())], [false, true, false].map(Value::Bool));
}

#[test]
fn membership_in_choices_is_that_in_their_list() {
    let text = |t: &str| Value::text(t);
    let sources = [
        vec![Value::Range(0, 2), Value::Range(1, 1)],
        vec![set(&[1, 4]), list(&[2, 2]), Value::Range(0, 1)],
        vec![Value::Range(0, 2), set(&[])],
        vec![Value::Range(3, 1)],
        vec![text("ab"), Value::Range(0, 1)],
        vec![],
    ];
    let items: Vec<Value> = (-1..5).map(i).chain([text("a"), text("ab"), list(&[1])]).collect();
    let mut asked: Vec<Value> = vec![Value::list(vec![]), set(&[1, 2]), i(1)];
    asked.extend(items.iter().map(|a| Value::list(vec![a.clone()])));
    for a in &items {
        asked.extend(items.iter().map(|b| Value::list(vec![a.clone(), b.clone()])));
        asked.extend(items.iter().map(|b| Value::list(vec![a.clone(), b.clone(), i(1)])));
    }
    let mut found = 0;
    for collections in &sources {
        let whole = Value::list(collections.clone());
        let listed = call(B::Choices, std::slice::from_ref(&whole)).unwrap();
        for x in &asked {
            let expected = compare(CompareOp::In, x, &listed).unwrap();
            found += usize::from(expected);
            assert_eq!(
                call(B::InChoices, &[whole.clone(), x.clone()]).unwrap(),
                Value::Bool(expected),
                "{x} of {whole}"
            );
        }
    }
    // Three of the first, two of the second, two with "a", and nothing of nothing.
    assert_eq!(found, 8);
    // More than any list holds.
    let far = Value::list(vec![Value::Range(0, 1_000_000_000); 9]);
    let there = |n: i64| call(B::InChoices, &[far.clone(), Value::list(vec![i(n); 9])]).unwrap();
    assert_eq!([there(0), there(1_000_000_001)], [true, false].map(Value::Bool));
}
