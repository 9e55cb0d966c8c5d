//! Laws and naive definitions on random values.

use super::{bag, i, list, pairs, set, t};
use grundy::input::json::from_json;
use grundy::input::json::to_json;
use grundy::model::BinaryOp;
use grundy::model::CompareOp;
use grundy::model::builtin::Builtin as B;
use grundy::model::kind::GraphWord;
use grundy::model::kind::Kind;
use grundy::syntax::tree::SetOp;
use grundy::value::Value;
use grundy::value::members;
use grundy::words::binary;
use grundy::words::call;
use grundy::words::compare;
use grundy::words::index;
use grundy::words::negate;
use grundy::words::slice;
use grundy::words::update;
use num_bigint::BigInt;
use num_integer::Integer;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::HashSet;
use std::hash::BuildHasher;
use std::hash::RandomState;

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
    #![proptest_config(crate::seeds::cases(256))]
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
        prop_assert_eq!(from_json(&json.to_string(), &Kind::Graph(graph_word, 0), "g").unwrap(), g);
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
