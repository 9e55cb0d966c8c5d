//! Values and built-in words against naive definitions.

use grundy::check::builtin::Builtin as B;
use grundy::check::kind::{GraphWord, Kind, Type};
use grundy::check::model::{BinaryOp, CompareOp, Term, TermKind};
use grundy::rules::builtin::{binary, call, compare, index, negate, slice, update};
use grundy::rules::entry::{adapt, enter};
use grundy::rules::fault::Fault;
use grundy::rules::json::{from_json, from_text, to_json};
use grundy::rules::value::{Value, members};
use grundy::rules::{datafile, value};
use grundy::syntax::tree::SetOp;
use num_bigint::BigInt;
use num_integer::Integer;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{BuildHasher, RandomState};

fn i(n: i64) -> Value {
    Value::Int(n)
}

fn big(text: &str) -> Value {
    Value::int(text.parse().unwrap())
}

fn t(text: &str) -> Value {
    Value::text(text)
}

fn list(items: &[i64]) -> Value {
    Value::list(items.iter().map(|n| i(*n)).collect())
}

fn set(items: &[i64]) -> Value {
    Value::set(items.iter().map(|n| i(*n)).collect())
}

fn bag(items: &[i64]) -> Value {
    Value::bag(items.iter().map(|n| i(*n)).collect())
}

fn pair(a: i64, b: i64) -> Value {
    Value::pair(i(a), i(b))
}

fn pairs(items: &[(i64, i64)]) -> Value {
    Value::list(items.iter().map(|(a, b)| pair(*a, *b)).collect())
}

fn shown(word: B, args: &[Value]) -> String {
    match call(word, args) {
        Ok(value) => value.to_string(),
        Err(fault) => fault.code.to_string(),
    }
}

fn code(result: Result<Value, Fault>) -> &'static str {
    result.map_or_else(|fault| fault.code, |value| panic!("{value}"))
}

#[test]
fn words_about_numbers() {
    assert_eq!(shown(B::Min, &[i(3), i(-1), i(2)]), "-1");
    assert_eq!(shown(B::Max, &[list(&[3, 7])]), "7");
    assert_eq!(shown(B::Max, &[t("hello")]), "o");
    assert_eq!(shown(B::Min, &[pairs(&[(1, 2), (1, 1)])]), "(1, 1)");
    assert_eq!(shown(B::Min, &[list(&[])]), "R02");
    assert_eq!(shown(B::Gcd, &[i(0), i(-12), i(18)]), "6");
    assert_eq!(shown(B::Gcd, &[list(&[])]), "0");
    assert_eq!(shown(B::Gcd, &[i(i64::MIN), i(i64::MIN)]), "9223372036854775808");
    assert_eq!(shown(B::Lcm, &[list(&[4, 6])]), "12");
    assert_eq!(shown(B::Lcm, &[list(&[])]), "1");
    assert_eq!(shown(B::Abs, &[i(i64::MIN)]), "9223372036854775808");
    assert_eq!(shown(B::Sign, &[big("-100000000000000000000")]), "-1");
    assert_eq!(shown(B::Divisors, &[i(12)]), "[1, 2, 3, 4, 6, 12]");
    assert_eq!(shown(B::Divisors, &[i(0)]), "R01");
    assert_eq!(shown(B::Primes, &[i(30)]), "[2, 3, 5, 7, 11, 13, 17, 19, 23, 29]");
    assert_eq!(shown(B::Primes, &[i(1)]), "[]");
    assert_eq!(shown(B::PrimeFactors, &[i(12)]), "[2, 2, 3]");
    assert_eq!(shown(B::PrimeFactors, &[big("100000000000000000000")]).len(), 120);
    assert_eq!(shown(B::Valuation, &[i(40), i(2)]), "3");
    assert_eq!(shown(B::Valuation, &[i(40), i(10)]), "1");
    assert_eq!(shown(B::Digits, &[i(120)]), "[0, 2, 1]");
    assert_eq!(shown(B::Digits, &[i(0)]), "[]");
    assert_eq!(shown(B::Digits, &[i(5), i(1)]), "R01");
    assert_eq!(shown(B::Digits, &[big("18446744073709551616"), i(1 << 32)]), "[0, 0, 1]");
    assert_eq!(shown(B::Bits, &[i(8)]), "4");
    assert_eq!(shown(B::Bit, &[i(8), i(3)]), "true");
    assert_eq!(shown(B::Bit, &[i(8), big("100000000000000000000")]), "false");
    assert_eq!(shown(B::Mex, &[bag(&[0, 1, 1, 3])]), "2");
    assert_eq!(shown(B::Mex, &[Value::Range(0, 1 << 60)]), "1152921504606846977");
    assert_eq!(shown(B::Zeckendorf, &[i(100)]), "[89, 8, 3]");
    assert_eq!(shown(B::Zeckendorf, &[i(0)]), "[]");
    assert_eq!(shown(B::NimProduct, &[i(16), i(16)]), "24");
    assert_eq!(shown(B::NimProduct, &[i(5), big("18446744073709551616")]), "R06");
    assert_eq!(shown(B::Sum, &[Value::Range(-3, 1 << 62)]), "10633823966279326985483775888689817594");
    assert_eq!(shown(B::Sum, &[list(&[i64::MAX, i64::MAX])]), "18446744073709551614");
    assert_eq!(shown(B::Product, &[Value::Range(1, 1 << 60)]), "R06");
    assert_eq!(shown(B::Product, &[Value::Range(-5, 1 << 60)]), "0");
}

#[test]
fn zeckendorf_of_all_sizes() {
    for n in (0..2000_u64).chain([u64::MAX, u64::MAX - 1, 12_200_160_415_121_876_738]) {
        let value = Value::int(BigInt::from(n));
        let parts = call(B::Zeckendorf, &[value.clone()]).unwrap();
        assert_eq!(call(B::Sum, &[parts.clone()]).unwrap(), value);
        let reversed = call(B::Reverse, &[parts]).unwrap();
        assert_eq!(call(B::Increasing, &[reversed]).unwrap(), Value::Bool(true));
    }
    let huge = big(&"7".repeat(100));
    assert_eq!(call(B::Sum, &[call(B::Zeckendorf, &[huge.clone()]).unwrap()]).unwrap(), huge);
}

fn phi() -> Value {
    let root = call(B::Sqrt, &[i(5)]).unwrap();
    let above = binary(BinaryOp::Add, &i(1), &root).unwrap();
    binary(BinaryOp::Over, &above, &i(2)).unwrap()
}

fn floor_of(k: &Value) -> Value {
    call(B::Floor, &[binary(BinaryOp::Mul, k, &phi()).unwrap()]).unwrap()
}

#[test]
fn exact_reals() {
    let phi = phi();
    assert_eq!(phi.to_string(), "(1 + sqrt(5)) / 2");
    let square = binary(BinaryOp::Mul, &phi, &phi).unwrap();
    assert_eq!(square, binary(BinaryOp::Add, &phi, &i(1)).unwrap());
    assert_eq!(binary(BinaryOp::Pow, &phi, &i(2)).unwrap(), square);
    let inverse = binary(BinaryOp::Over, &i(1), &phi).unwrap();
    assert_eq!(binary(BinaryOp::Sub, &phi, &inverse).unwrap(), i(1));
    for k in 0..100_000_i128 {
        let expected = (k + i128::try_from((5 * k * k).unsigned_abs().isqrt()).unwrap()).div_euclid(2);
        assert_eq!(floor_of(&Value::wide(k)), Value::wide(expected));
        if k > 0 && k < 2000 {
            assert_eq!(floor_of(&Value::wide(-k)), Value::wide(-expected - 1));
        }
    }
    assert_eq!(floor_of(&i(10_i64.pow(18))).to_string(), "1618033988749894848");
    assert_eq!(floor_of(&big(&format!("1{}", "0".repeat(30)))).to_string(), "1618033988749894848204586834365");
    assert_eq!(shown(B::Sqrt, &[i(49)]), "7");
    assert_eq!(shown(B::Sqrt, &[i(48)]), "4 * sqrt(3)");
    assert_eq!(shown(B::Sqrt, &[i(-1)]), "R01");
    assert_eq!(shown(B::Sqrt, &[binary(BinaryOp::Over, &i(3), &i(4)).unwrap()]), "sqrt(3) / 2");
    assert_eq!(shown(B::Sqrt, &[i(4_611_686_014_132_420_609)]), "2147483647");
    assert_eq!(shown(B::Sqrt, &[i(2 * 2_000_003 * 2_000_003)]), "2000003 * sqrt(2)");
    let (two, three) = (call(B::Sqrt, &[i(2)]).unwrap(), call(B::Sqrt, &[i(3)]).unwrap());
    assert_eq!(code(binary(BinaryOp::Add, &two, &three)), "R01");
    assert_eq!(binary(BinaryOp::Mul, &two, &three).unwrap().to_string(), "sqrt(6)");
    assert!(compare(CompareOp::Lt, &two, &three).unwrap());
    assert_eq!(call(B::Ceil, &[two.clone()]).unwrap(), i(2));
    assert_eq!(call(B::Floor, &[negate(&two).unwrap()]).unwrap(), i(-2));
    assert_eq!(code(binary(BinaryOp::Over, &i(1), &i(0))), "R03");
    assert_eq!(binary(BinaryOp::Over, &i(7), &i(-2)).unwrap().to_string(), "-7 / 2");
    assert_eq!(code(binary(BinaryOp::Pow, &two, &i(1_000_000_000_000))), "R06");
}

#[test]
fn square_free_parts() {
    for n in 1..3000_i64 {
        let root = call(B::Sqrt, &[i(n)]).unwrap();
        assert_eq!(binary(BinaryOp::Mul, &root, &root).unwrap(), i(n));
        if let Value::Real(surd) = root {
            let c = i64::try_from(&surd.c).unwrap();
            assert!((2..).take_while(|d| d * d <= c).all(|d| c % (d * d) != 0));
        }
    }
}

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
    assert_eq!((fault.code, &*fault.message), ("R02", "index 5 is outside a list of 3 items counted from 0"));
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
    assert_eq!(grid.to_string(), r##"[".#", ".."]"##);
    assert_eq!(code(index(&grid, &pair(2, 0))), "R02");
    assert_eq!(shown(B::Around, &[grid.clone(), pair(0, 0)]), "{(1, 0), (1, 1)}");
    assert_eq!(shown(B::Ray, &[grid.clone(), pair(1, 0), pair(0, 1)]), "[(1, 1)]");
    assert_eq!(shown(B::Ray, &[grid.clone(), pair(1, 0), pair(0, 0)]), "[]");
    assert_eq!(shown(B::Edges, &[grid.clone()]), "{(0, 0)-(1, 0), (1, 0)-(1, 1)}");
    assert_eq!(shown(B::Cells, &[grid, t("#")]), "{(0, 1)}");
}

#[test]
fn words_about_graphs() {
    let graph = |word, n: i64, edges: &[(i64, i64)]| call(word, &[i(n), pairs(edges)]).unwrap();
    let house = graph(B::Graph, 4, &[(0, 1), (1, 0), (1, 2), (3, 3)]);
    assert_eq!(house.to_string(), "graph(4, [(0, 1), (1, 2), (3, 3)])");
    assert_eq!(shown(B::Degree, &[house.clone(), i(3)]), "2");
    assert_eq!(shown(B::Neighbours, &[house.clone(), i(1)]), "{0, 2}");
    assert_eq!(shown(B::Neighbours, &[house.clone(), i(4)]), "R04");
    assert_eq!(shown(B::Components, &[house.clone()]), "[{0, 1, 2}, {3}]");
    assert_eq!(shown(B::Components, &[house.clone(), set(&[0, 2, 3])]), "[{0}, {2}, {3}]");
    assert_eq!(shown(B::Edges, &[house.clone(), set(&[1, 2, 3])]), "{1-2, 3-3}");
    assert_eq!(binary(BinaryOp::Sub, &house, &set(&[1])).unwrap().to_string(), "graph([0, 2, 3], [(3, 3)])");
    assert_eq!(shown(B::Distance, &[house.clone(), i(0), i(2)]), "2");
    assert_eq!(shown(B::Distance, &[house.clone(), i(0), i(3)]), "-1");
    assert_eq!(code(call(B::Graph, &[i(2), pairs(&[(0, 2)])])), "R04");
    let arcs = graph(B::Digraph, 5, &[(0, 1), (1, 2), (2, 1), (2, 3), (3, 4), (4, 3)]);
    assert_eq!(shown(B::StrongComponents, &[arcs.clone()]), "[{0}, {1, 2}, {3, 4}]");
    assert_eq!(shown(B::Reach, &[arcs.clone(), i(3)]), "{3, 4}");
    assert_eq!(shown(B::Predecessors, &[arcs.clone(), i(1)]), "{0, 2}");
    assert_eq!(shown(B::IsAcyclic, &[arcs]), "false");
    assert_eq!(shown(B::IsAcyclic, &[graph(B::Digraph, 3, &[(0, 1), (0, 2), (1, 2)])]), "true");
    assert_eq!(
        shown(B::Digraph, &[Value::list(vec![list(&[1, 2]), list(&[]), list(&[0])])]),
        "digraph(3, [(0, 1), (0, 2), (2, 0)])"
    );
    assert_eq!(shown(B::Digraph, &[call(B::Path, &[i(3)]).unwrap()]), "digraph(3, [(0, 1), (1, 0), (1, 2), (2, 1)])");
    assert_eq!(
        shown(B::Graph, &[Value::list(vec![t("b")]), Value::list(vec![Value::pair(t("a"), t("b"))])]),
        r#"graph(["b", "a"], [("a", "b")])"#
    );
    assert_eq!(shown(B::Graph, &[Value::Range(1, 3), pairs(&[(1, 2)])]), "graph([1, 2, 3], [(1, 2)])");
    let cycle = call(B::Cycle, &[i(5)]).unwrap();
    assert_eq!(shown(B::IsTree, &[cycle.clone()]), "false");
    assert_eq!(shown(B::IsTree, &[call(B::Star, &[i(5)]).unwrap()]), "true");
    assert_eq!(shown(B::IsConnected, &[cycle]), "true");
    assert_eq!(shown(B::Bipartite, &[i(1), i(2)]), "graph(3, [(0, 1), (0, 2)])");
    let petersen = call(B::Petersen, &[]).unwrap();
    assert!((0..10).all(|v| shown(B::Degree, &[petersen.clone(), i(v)]) == "3"));
    assert!((1..10).all(|v| ["1", "2"].contains(&&*shown(B::Distance, &[petersen.clone(), i(0), i(v)]))));
    assert_eq!(call(B::Complete, &[i(100)]).unwrap().to_string(), "graph of 100 vertices and 4950 edges");

    let label = |u: &str, v: &str| Value::pair(t(u), t(v));
    let plant = Value::list(vec![label("ground", "a"), label("a", "b"), label("b", "a"), label("b", "b")]);
    let plant = call(B::Multigraph, &[list(&[]), plant]).unwrap();
    let edges = call(B::Edges, &[plant.clone()]).unwrap();
    assert_eq!(edges.to_string(), "{ground-a, a-b, b-a, b-b}");
    let all = members(&edges).unwrap().into_owned();
    let left = binary(BinaryOp::Sub, &edges, &Value::set(vec![all[1].clone()])).unwrap();
    assert_eq!(shown(B::Grounded, &[plant.clone(), left.clone()]), "{ground-a, b-a, b-b}");
    let cut = binary(BinaryOp::Sub, &edges, &Value::set(vec![all[0].clone()])).unwrap();
    assert_eq!(shown(B::Grounded, &[plant.clone(), cut.clone()]), "{}");
    assert_eq!(shown(B::Grounded, &[plant.clone(), cut, t("b")]), "{a-b, b-a, b-b}");
    assert_eq!(shown(B::Grounded, &[call(B::Path, &[i(2)]).unwrap()]), "R04");
    assert_eq!(
        shown(B::Subgraph, &[plant.clone(), left]).len(),
        r#"multigraph(["a", "b", "ground"], [("ground", "a"), ("b", "a"), ("b", "b")])"#.len()
    );
    let (Value::Graph(graph), Value::Edge(second)) = (&plant, &all[2]) else { panic!() };
    assert_eq!(graph.edge_name(second), "b-a#2");
}

#[test]
fn entering() {
    let term = Term { kind: TermKind::Bool(true), ty: Type::Graph(GraphWord::Graph), span: Default::default() };
    let mut calls = 0;
    let mut graph = |_: &Term| {
        calls += 1;
        call(B::Path, &[i(3)])
    };
    let mut put = |value: Value, kind: Kind| enter(value, &kind, &mut graph);
    let boxed = Box::new;
    assert_eq!(code(put(i(-1), Kind::Nat)), "R01");
    assert_eq!(put(i(-1), Kind::Int).unwrap(), i(-1));
    assert_eq!(code(put(t("a"), Kind::Nat)), "E03");
    assert_eq!(code(put(phi(), Kind::Int)), "R01");
    assert_eq!(put(Value::Range(0, 2), Kind::Set(boxed(Kind::Nat))).unwrap(), set(&[0, 1, 2]));
    assert_eq!(put(list(&[2, 0, 2]), Kind::Bag(boxed(Kind::Nat))).unwrap(), bag(&[0, 2, 2]));
    assert_eq!(
        code(put(Value::list(vec![list(&[1]), list(&[-1])]), Kind::List(boxed(Kind::List(boxed(Kind::Nat), 0)), 0))),
        "R01"
    );
    let based = put(list(&[2, 0]), Kind::List(boxed(Kind::Nat), 1)).unwrap();
    assert!(matches!(based, Value::List(ref l) if l.base == 1));
    let vertices = Kind::Set(boxed(Kind::Vertex(Some(Box::new(term.clone())))));
    assert_eq!(put(set(&[0, 2]), vertices.clone()).unwrap(), set(&[0, 2]));
    assert_eq!(code(put(set(&[0, 3]), vertices)), "R04");
    let edges = Kind::Set(boxed(Kind::Edge(Some(Box::new(term)))));
    assert_eq!(put(pairs(&[(2, 1)]), edges.clone()).unwrap().to_string(), "{1-2}");
    assert_eq!(code(put(pairs(&[(0, 2)]), edges)), "R04");
    let rows = Value::list(vec![t(".#"), t("..")]);
    assert_eq!(put(rows.clone(), Kind::Grid).unwrap().to_string(), r##"[".#", ".."]"##);
    assert_eq!(code(put(Value::list(vec![t("."), t("..")]), Kind::Grid)), "R01");
    assert_eq!(code(put(Value::list(vec![list(&[-1])]), Kind::NatGrid)), "R01");
    let grid = put(rows, Kind::Grid).unwrap();
    assert_eq!(
        put(grid, Kind::Graph(GraphWord::Graph, 0)).unwrap().to_string(),
        "graph([(0, 0), (1, 0), (1, 1)], [((0, 0), (1, 0)), ((1, 0), (1, 1))])"
    );
    let cycle = call(B::Cycle, &[i(3)]).unwrap();
    assert!(put(cycle.clone(), Kind::Graph(GraphWord::Multigraph, 0)).unwrap().to_string().starts_with("multi"));
    assert_eq!(code(put(cycle.clone(), Kind::Graph(GraphWord::Digraph, 0))), "E03");
    let edge = members(&call(B::Edges, &[cycle]).unwrap()).unwrap()[0].clone();
    assert_eq!(put(edge.clone(), Kind::Tuple(vec![Kind::Nat, Kind::Nat])).unwrap(), pair(0, 1));
    assert_eq!(adapt(edge, &Type::Tuple(vec![Type::Vertex, Type::Vertex])).unwrap(), pair(0, 1));
    assert_eq!(adapt(Value::Range(0, 1), &Type::Set(Box::new(Type::Int))).unwrap(), set(&[0, 1]));
    assert_eq!(code(put(t("ab"), Kind::List(boxed(Kind::Text), 0))), "E03");
    // What fits is not copied.
    let long = Value::list((0..1000).map(i).collect());
    let (Value::List(before), Value::List(after)) =
        (&long, &put(long.clone(), Kind::List(boxed(Kind::Nat), 0)).unwrap())
    else {
        panic!()
    };
    assert!(std::sync::Arc::ptr_eq(&before.items, &after.items));
    assert!(calls <= 4);
}

#[test]
fn json_in_and_out() {
    let read = |text: &str, kind: &Kind| from_json(&serde_json::from_str(text).unwrap(), kind, "x");
    let fault = |text: &str, kind: &Kind| read(text, kind).map_or_else(|f| (f.code, f.message), |v| panic!("{v}"));
    let edges = Kind::List(Box::new(Kind::Tuple(vec![Kind::Nat, Kind::Nat])), 0);
    assert_eq!(read("[[1,2],[2,3]]", &edges).unwrap(), pairs(&[(1, 2), (2, 3)]));
    assert_eq!(
        fault("[[1,2],[2,\"a\"]]", &edges),
        ("D02", "x[1][1]: an integer >= 0 is expected, not \"a\"".to_string())
    );
    assert_eq!(fault("[[1,2],[2]]", &edges).0, "D02");
    assert_eq!(fault("1.5", &Kind::Nat).0, "D02");
    assert_eq!(fault("1e3", &Kind::Nat).0, "D02");
    assert_eq!(read("123456789012345678901234567890", &Kind::Int).unwrap(), big("123456789012345678901234567890"));
    let sets = Kind::Set(Box::new(Kind::Int));
    assert_eq!(read("[3,1]", &sets).unwrap(), set(&[1, 3]));
    assert_eq!(fault("[3,1,3]", &sets), ("D04", "x[2]: 3 is in the set already".to_string()));
    let graph = Kind::Graph(GraphWord::Graph, 1);
    assert_eq!(read(r#"{"n":3,"edges":[[1,2]]}"#, &graph).unwrap().to_string(), "graph([1, 2, 3], [(1, 2)])");
    assert_eq!(read(r#"{"n":3,"edges":[[0,2]],"base":0}"#, &graph).unwrap().to_string(), "graph(3, [(0, 2)])");
    assert_eq!(
        fault(r#"{"n":3,"edges":[[1,0]]}"#, &graph),
        ("R04", "x.edges[0][1]: 0 is not a vertex (1..3)".to_string())
    );
    assert_eq!(fault(r#"{"n":3}"#, &graph).0, "D02");
    assert_eq!(fault(r#"{"n":-3,"edges":[]}"#, &graph).0, "D02");
    assert_eq!(read(r##"[".#",".."]"##, &Kind::Grid).unwrap().to_string(), r##"[".#", ".."]"##);
    assert_eq!(read("[[1,2]]", &Kind::NatGrid).unwrap().to_string(), "[[1, 2]]");
    assert_eq!(read("[1,2]", &Kind::Any(Type::List(Box::new(Type::Int)))).unwrap(), list(&[1, 2]));
    assert_eq!(read("[0,1]", &Kind::Vertex(None)).unwrap(), pair(0, 1));
    assert_eq!(from_text("hello", &Kind::Text, "x").unwrap(), t("hello"));
    assert_eq!(from_text("5", &Kind::Text, "x").unwrap(), t("5"));
    assert_eq!(from_text("\"5\"", &Kind::Text, "x").unwrap(), t("5"));
    assert_eq!(from_text("1/2", &Kind::Real, "x").unwrap().to_string(), "1 / 2");
    assert_eq!(code(from_text("abc", &Kind::Nat, "x")), "D02");
    for (text, kind) in [
        ("123456789012345678901234567890", Kind::Int),
        (r#"{"n":3,"edges":[[1,2]],"base":1}"#, graph),
        (r##"[".#",".."]"##, Kind::Grid),
        ("[[1,2],[3,4]]", edges),
        ("true", Kind::Bool),
    ] {
        assert_eq!(serde_json::to_string(&to_json(&read(text, &kind).unwrap())).unwrap(), text);
    }
    assert_eq!(to_json(&Value::Loop([1, 2].into())).to_string(), r#"{"loop":[1,2]}"#);
}

#[test]
fn data_files() {
    let g = datafile::graph("# roads\n1 2\n2 a # here\n\n7\n2 1\n", GraphWord::Graph).unwrap();
    assert_eq!(g.to_string(), r#"graph([1, 2, "a", 7], [(1, 2), (2, "a")])"#);
    let fault = datafile::graph("1 2\n1 2 3\n", GraphWord::Graph).unwrap_err();
    assert_eq!((fault.code, fault.message.starts_with("line 2: ")), ("D03", true));
    assert_eq!(datafile::grid("  .#\n  ..\n").unwrap().to_string(), r##"[".#", ".."]"##);
    assert_eq!(datafile::grid("..\n.\n").unwrap_err().message, "line 2: 2 cells are expected as before, not 1");
    assert_eq!(datafile::grid("").unwrap_err().code, "D03");

    let lines: String =
        (0..1_000_000_u64).map(|k| format!("{} {}\n", k * 7919 % 300_007, k * 104_729 % 300_007)).collect();
    let start = std::time::Instant::now();
    let Value::Graph(g) = datafile::graph(&lines, GraphWord::Multigraph).unwrap() else { panic!() };
    let read = start.elapsed();
    let rows = g.adjacency().out.len();
    println!("10^6 edges read in {read:?}, adjacency after {:?}", start.elapsed());
    assert_eq!(g.edges.len(), 1_000_000);
    assert!(rows <= 2_000_000);
}

/// Values of every kind that a state can hold, nested once.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        (-3..4_i64).prop_map(Value::Int),
        prop_oneof![Just(i64::MAX), Just(i64::MIN)].prop_map(Value::Int),
        "[ab]{0,2}".prop_map(|s| Value::text(&s)),
        any::<bool>().prop_map(Value::Bool),
        (-2..3_i64, -1..3_i64).prop_map(|(a, b)| Value::Range(a, b)),
        (1..30_i64).prop_map(|n| call(B::Sqrt, &[Value::Int(n)]).unwrap()),
        Just(Value::int(BigInt::from(i64::MAX) + 1)),
    ];
    leaf.prop_recursive(2, 12, 3, |inner| {
        let items = proptest::collection::vec(inner, 0..3);
        prop_oneof![
            items.clone().prop_map(Value::list),
            items.clone().prop_map(Value::set),
            items.clone().prop_map(Value::bag),
            items.prop_filter("two parts", |v| v.len() > 1).prop_map(Value::tuple),
        ]
    })
}

fn all_ops() -> [BinaryOp; 10] {
    use BinaryOp as O;
    [O::Range, O::Xor, O::Meet, O::Add, O::Sub, O::Mul, O::Over, O::Div, O::Mod, O::Pow]
}

proptest! {
    #[test]
    fn order_equality_and_hash_agree(a in any_value(), b in any_value(), c in any_value()) {
        prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
        prop_assert_eq!(a == b, a.cmp(&b).is_eq());
        if a <= b && b <= c {
            prop_assert!(a <= c);
        }
        if a == b {
            let hasher = RandomState::new();
            prop_assert_eq!(hasher.hash_one(&a), hasher.hash_one(&b));
        }
    }

    #[test]
    fn a_range_is_the_list_of_its_members(from in -3..4_i64, to in -3..4_i64, b in any_value()) {
        let range = Value::Range(from, to);
        let list = Value::list((from..=to).map(Value::Int).collect());
        let hasher = RandomState::new();
        prop_assert_eq!(hasher.hash_one(&range), hasher.hash_one(&list));
        prop_assert_eq!(range.cmp(&b), list.cmp(&b));
        for word in [B::Size, B::Sum, B::Product, B::Mex, B::Min, B::Max, B::First, B::Last, B::Reverse, B::Set, B::Pairs, B::Indices] {
            prop_assert_eq!(call(word, std::slice::from_ref(&range)), call(word, std::slice::from_ref(&list)));
        }
    }

    #[test]
    fn nothing_panics(a in any_value(), b in any_value(), c in any_value()) {
        for op in all_ops() {
            let _ = binary(op, &a, &b);
        }
        for op in [CompareOp::Eq, CompareOp::Lt, CompareOp::Le, CompareOp::In] {
            let _ = compare(op, &a, &b);
        }
        let _ = (index(&a, &b), slice(&a, Some(&b), Some(&c)), slice(&a, None, Some(&c)), negate(&a), to_json(&c));
        let _ = update(&a, &[(b.clone(), SetOp::Put, c.clone()), (b.clone(), SetOp::Add, c.clone())]);
        for word in WORDS {
            for args in [&[][..], &[a.clone()], &[a.clone(), b.clone()], &[a.clone(), b.clone(), c.clone()]] {
                let _ = call(*word, args);
            }
        }
    }

    #[test]
    fn ints_are_exact(a in int(), b in int()) {
        let (x, y) = (Value::int(a.clone()), Value::int(b.clone()));
        prop_assert_eq!(binary(BinaryOp::Add, &x, &y), Ok(Value::int(&a + &b)));
        prop_assert_eq!(binary(BinaryOp::Sub, &x, &y), Ok(Value::int(&a - &b)));
        prop_assert_eq!(binary(BinaryOp::Mul, &x, &y), Ok(Value::int(&a * &b)));
        prop_assert_eq!(negate(&x), Ok(Value::int(-&a)));
        if b > BigInt::ZERO {
            prop_assert_eq!(binary(BinaryOp::Div, &x, &y), Ok(Value::int(a.div_floor(&b))));
            prop_assert_eq!(binary(BinaryOp::Mod, &x, &y), Ok(Value::int(a.mod_floor(&b))));
        }
        if b != BigInt::ZERO {
            let quotient = binary(BinaryOp::Over, &x, &y).unwrap();
            prop_assert_eq!(binary(BinaryOp::Mul, &quotient, &y), Ok(x.clone()));
        }
        prop_assert_eq!(x.cmp(&y), a.cmp(&b));
        prop_assert_eq!(matches!(x, Value::Int(_)), i64::try_from(&a).is_ok());
    }

    #[test]
    fn sets_and_bags_follow_the_definition(a in proptest::collection::vec(0..6_i64, 0..8), b in proptest::collection::vec(0..6_i64, 0..8)) {
        let (s, r): (BTreeSet<i64>, BTreeSet<i64>) = (a.iter().copied().collect(), b.iter().copied().collect());
        let of = |s: BTreeSet<i64>| set(&s.into_iter().collect::<Vec<_>>());
        let (x, y) = (set(&a), set(&b));
        prop_assert_eq!(binary(BinaryOp::Add, &x, &y).unwrap(), of(&s | &r));
        prop_assert_eq!(binary(BinaryOp::Sub, &x, &y).unwrap(), of(&s - &r));
        prop_assert_eq!(binary(BinaryOp::Meet, &x, &y).unwrap(), of(&s & &r));
        prop_assert_eq!(binary(BinaryOp::Xor, &x, &y).unwrap(), of(&s ^ &r));
        prop_assert_eq!(compare(CompareOp::Le, &x, &y).unwrap(), s.is_subset(&r));
        let counts = |v: &[i64]| v.iter().fold(BTreeMap::<i64, usize>::new(), |mut m, n| { *m.entry(*n).or_default() += 1; m });
        let (m, n) = (counts(&a), counts(&b));
        let inside = n.iter().all(|(k, c)| m.get(k).is_some_and(|d| c <= d));
        prop_assert_eq!(compare(CompareOp::Le, &bag(&b), &bag(&a)).unwrap(), inside);
        match binary(BinaryOp::Sub, &bag(&a), &bag(&b)) {
            Ok(left) => prop_assert_eq!(binary(BinaryOp::Add, &left, &bag(&b)).unwrap(), bag(&a)),
            Err(fault) => prop_assert!(fault.code == "R07" && !inside),
        }
        // Distinct combinations, first appearances in the order of places.
        for k in 0..4 {
            let chosen = call(B::Choose, &[bag(&a), i(k)]).unwrap();
            let mut sorted = a.clone();
            sorted.sort_unstable();
            let mut seen = HashSet::new();
            let naive: Vec<Value> = combinations(&sorted, usize::try_from(k).unwrap()).into_iter().filter(|c| seen.insert(c.clone())).map(|c| list(&c)).collect();
            let mut naive_sorted = naive.clone();
            naive_sorted.sort();
            prop_assert_eq!(&naive, &naive_sorted);
            prop_assert_eq!(chosen, Value::list(naive));
        }
    }

    #[test]
    fn graphs_follow_the_definition(n in 1..7_usize, raw in proptest::collection::vec((0..7_usize, 0..7_usize), 0..12), kind in 0..3_usize) {
        let word = [B::Graph, B::Digraph, B::Multigraph][kind];
        let edges: Vec<(usize, usize)> = raw.into_iter().map(|(u, v)| (u % n, v % n)).collect();
        let at = |v: usize| i64::try_from(v).unwrap();
        let g = call(word, &[i(at(n)), pairs(&edges.iter().map(|(u, v)| (at(*u), at(*v))).collect::<Vec<_>>())]).unwrap();
        let mut reach = vec![vec![false; n]; n];
        let mut join = vec![vec![false; n]; n];
        for v in 0..n { reach[v][v] = true; join[v][v] = true; }
        for &(u, v) in &edges {
            reach[u][v] = true;
            reach[v][u] |= word != B::Digraph;
            join[u][v] = true;
            join[v][u] = true;
        }
        for table in [&mut reach, &mut join] {
            for k in 0..n { for a in 0..n { for b in 0..n { table[a][b] |= table[a][k] && table[k][b]; } } }
        }
        for v in 0..n {
            let there: Vec<i64> = (0..n).filter(|w| reach[v][*w]).map(at).collect();
            prop_assert_eq!(call(B::Reach, &[g.clone(), i(at(v))]).unwrap(), set(&there));
            for w in 0..n {
                let d = call(B::Distance, &[g.clone(), i(at(v)), i(at(w))]).unwrap();
                prop_assert_eq!(d == i(-1), !reach[v][w]);
            }
        }
        let classes: BTreeSet<Vec<i64>> = (0..n).map(|v| (0..n).filter(|w| join[v][*w]).map(at).collect()).collect();
        prop_assert_eq!(call(B::Components, &[g.clone()]).unwrap(), Value::list(classes.iter().map(|c| set(c)).collect()));
        let strong: BTreeSet<Vec<i64>> = (0..n).map(|v| (0..n).filter(|w| reach[v][*w] && reach[*w][v]).map(at).collect()).collect();
        let found = members(&call(B::StrongComponents, &[g.clone()]).unwrap()).unwrap().into_owned();
        prop_assert_eq!(found.iter().cloned().collect::<BTreeSet<_>>(), strong.iter().map(|c| set(c)).collect::<BTreeSet<_>>());
        for (k, later) in found.iter().enumerate() {
            for earlier in &found[..k] {
                let first = |s: &Value| { let Value::Int(v) = members(s).unwrap()[0] else { panic!() }; usize::try_from(v).unwrap() };
                prop_assert!(!reach[first(later)][first(earlier)]);
            }
        }
        let distinct: BTreeSet<(usize, usize)> = edges.iter().map(|&(u, v)| if word == B::Graph && v < u { (v, u) } else { (u, v) }).collect();
        let count = if word == B::Multigraph { edges.len() } else { distinct.len() };
        prop_assert_eq!(call(B::Size, &[call(B::Edges, &[g.clone()]).unwrap()]).unwrap(), i(at(count)));
        let degrees: i64 = (0..n).map(|v| call(B::Degree, &[g.clone(), i(at(v))]).unwrap().to_i64().unwrap()).sum();
        prop_assert_eq!(degrees, 2 * at(count));
        let acyclic = if word == B::Digraph {
            edges.iter().all(|(u, v)| u != v && !reach[*v][*u])
        } else {
            count + classes.len() == n
        };
        prop_assert_eq!(call(B::IsAcyclic, &[g.clone()]).unwrap(), Value::Bool(acyclic));
        let json = to_json(&g);
        let graph_word = [GraphWord::Graph, GraphWord::Digraph, GraphWord::Multigraph][kind];
        prop_assert_eq!(from_json(&json, &Kind::Graph(graph_word, 0), "g").unwrap(), g);
    }

    #[test]
    fn places_overlap(text in "[ab]{0,12}", part in "[ab]{1,4}") {
        let naive: Vec<i64> = (0..text.len()).filter(|k| text[*k..].starts_with(&part)).map(|k| i64::try_from(k).unwrap()).collect();
        prop_assert_eq!(call(B::Places, &[t(&text), t(&part)]).unwrap(), list(&naive));
        let pieces: Vec<Value> = text.split(&part).map(t).collect();
        prop_assert_eq!(call(B::Split, &[t(&text), t(&part)]).unwrap(), Value::list(pieces));
    }

    #[test]
    fn floors_of_surds(p in -50..50_i64, q in -50..50_i64, c in 0..200_i64, d in 1..20_i64) {
        let root = call(B::Sqrt, &[i(c)]).unwrap();
        let real = binary(BinaryOp::Add, &i(p), &binary(BinaryOp::Mul, &i(q), &root).unwrap()).unwrap();
        let real = binary(BinaryOp::Over, &real, &i(d)).unwrap();
        let floor = call(B::Floor, &[real.clone()]).unwrap();
        prop_assert!(floor <= real && real < binary(BinaryOp::Add, &floor, &i(1)).unwrap());
        let huge = BigInt::from(10).pow(40);
        let scaled = binary(BinaryOp::Mul, &real, &Value::int(huge.clone())).unwrap();
        let Value::Int(f) = floor else { panic!() };
        let of_scaled = call(B::Floor, &[scaled]).unwrap().to_big().unwrap().into_owned();
        prop_assert_eq!(of_scaled.div_floor(&huge), BigInt::from(f));
    }
}

fn combinations(items: &[i64], k: usize) -> Vec<Vec<i64>> {
    if k == 0 {
        return vec![Vec::new()];
    }
    (0..items.len())
        .flat_map(|p| combinations(&items[p + 1..], k - 1).into_iter().map(move |rest| [vec![items[p]], rest].concat()))
        .collect()
}

/// Ints of all sizes, those about the ends of 64 bits often.
fn int() -> impl Strategy<Value = BigInt> {
    let edge = (prop_oneof![Just(0_i128), Just(1 << 63), Just(-(1 << 63)), Just(1 << 32)], -3..4_i128);
    prop_oneof![
        edge.prop_map(|(a, b)| BigInt::from(a + b)),
        any::<i64>().prop_map(BigInt::from),
        any::<i128>().prop_map(BigInt::from),
    ]
}

const WORDS: &[B] = &[
    B::Min,
    B::Max,
    B::Gcd,
    B::Lcm,
    B::Abs,
    B::Sign,
    B::Floor,
    B::Ceil,
    B::Sqrt,
    B::Digits,
    B::Bits,
    B::Bit,
    B::Mex,
    B::Zeckendorf,
    B::NimProduct,
    B::Size,
    B::Sum,
    B::Product,
    B::Xor,
    B::Count,
    B::All,
    B::Any,
    B::Indices,
    B::First,
    B::Last,
    B::Reverse,
    B::Sort,
    B::List,
    B::Set,
    B::Bag,
    B::Increasing,
    B::Union,
    B::Choices,
    B::Subsets,
    B::Subbags,
    B::Pairs,
    B::Choose,
    B::Partitions,
    B::Places,
    B::Starts,
    B::Split,
    B::Join,
    B::Words,
    B::Text,
    B::Int,
    B::Graph,
    B::Digraph,
    B::Multigraph,
    B::Path,
    B::Cycle,
    B::Complete,
    B::Star,
    B::Bipartite,
    B::Petersen,
    B::Grid,
    B::Vertices,
    B::Edges,
    B::Ends,
    B::Neighbours,
    B::Degree,
    B::Reach,
    B::Distance,
    B::Components,
    B::Grounded,
    B::IsTree,
    B::Rows,
    B::Cells,
    B::Ray,
    B::Around,
    B::Valuation,
    B::Divisors,
    B::PrimeFactors,
    B::Primes,
    B::Repeat,
    B::Slide,
];

#[test]
fn sums_of_positions() {
    use value::{Component, Position, Shape};
    let component =
        Component { game: grundy::check::model::GameId(0), params: [].into(), state: [i(3)].into(), tag: None };
    let one = Value::Position(std::sync::Arc::new(Position { misere: true, shape: Shape::Sum(vec![component]) }));
    let sum = binary(BinaryOp::Add, &one, &binary(BinaryOp::Mul, &i(3), &one).unwrap()).unwrap();
    let Value::Position(p) = &sum else { panic!() };
    assert!(p.misere && matches!(&p.shape, Shape::Sum(parts) if parts.len() == 4));
    let folded = call(B::Sum, &[Value::list(vec![one.clone(), sum])]).unwrap();
    assert_eq!(folded.to_string(), "a position of 5 components");
    assert_eq!(binary(BinaryOp::Add, &i(0), &one).unwrap().to_string(), "a position of 1 component");
    assert_eq!(call(B::Sum, &[list(&[])]).unwrap(), i(0));
}
