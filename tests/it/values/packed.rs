//! Packed items are the values that they stand for, whatever is done with them.

use super::{i, pair};
use grundy::input::entry::enter;
use grundy::input::json::to_json;
use grundy::model::builtin::Builtin as B;
use grundy::model::kind::Kind;
use grundy::model::kind::{GraphWord, Type};
use grundy::model::{BinaryOp, CompareOp, Term, TermKind};
use grundy::syntax::tree::SetOp;
use grundy::value::fault::Fault;
use grundy::value::{Items, List, Value, iterate, members, size};
use grundy::words::{binary, call, compare, contains, index, slice, update};
use proptest::prelude::*;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

fn short((a, b): (i64, i64)) -> (i32, i32) {
    (a.try_into().unwrap(), b.try_into().unwrap())
}

/// The same items, spelled out.
fn spelled(value: &Value) -> Value {
    let plain = |items: &Items| Items::from(items.to_vec());
    match value {
        Value::List(list) => Value::List(List { base: list.base, items: plain(&list.items) }),
        Value::Set(items) => Value::Set(plain(items)),
        Value::Bag(items) => Value::Bag(plain(items)),
        other => other.clone(),
    }
}

fn graph() -> Value {
    let edges = (0..150).map(|n| pair(n, (n * 7 + 3) % 150)).collect();
    call(B::Multigraph, &[i(150), Value::list(edges)]).unwrap()
}

/// Sets of ints, pairs and edges, most of them packed.
fn any_set() -> impl Strategy<Value = Value> {
    let many = || proptest::collection::btree_set(0..150_i64, 0..140);
    prop_oneof![
        many().prop_map(|ints| Value::Set(Items::ints(ints.into_iter().collect()))),
        many().prop_map(|ints| Value::Set(Items::pairs(ints.into_iter().map(|n| short((n / 12, n % 12))).collect()))),
        many().prop_map(|ints| {
            let Value::Graph(graph) = graph() else { panic!("a graph") };
            Value::Set(Items::edges(&graph, ints.into_iter().map(|n| u32::try_from(n).unwrap()).collect()))
        }),
    ]
}

fn any_collection() -> impl Strategy<Value = Value> {
    let ints = || proptest::collection::vec(-50..150_i64, 0..140);
    prop_oneof![
        any_set(),
        (ints(), 0..2_i64).prop_map(|(ints, base)| Value::List(List { base, items: Items::ints(ints) })),
        ints().prop_map(|mut ints| {
            ints.sort_unstable();
            Value::Bag(Items::ints(ints))
        }),
        (ints(), 0..3_i64).prop_map(|(ints, n)| Value::list(ints.into_iter().map(|m| pair(m, n)).collect())).prop_map(
            |list| {
                let ends = |v: Value| match v {
                    Value::Tuple(parts) => (parts[0].to_i64().unwrap(), parts[1].to_i64().unwrap()),
                    _ => (0, 0),
                };
                Value::List(List {
                    base: 0,
                    items: Items::pairs(iterate(&list).unwrap().map(ends).map(short).collect()),
                })
            }
        ),
    ]
}

fn any_item() -> impl Strategy<Value = Value> {
    prop_oneof![
        (-60..160_i64).prop_map(i),
        (0..13_i64, 0..13_i64).prop_map(|(a, b)| pair(a, b)),
        (0..150_usize).prop_map(|n| {
            let edges = call(B::Edges, &[graph()]).unwrap();
            members(&edges).unwrap()[n].clone()
        }),
        Just(Value::text("a")),
        Just(super::phi()),
    ]
}

fn shown(result: Result<Value, Fault>) -> Result<Value, String> {
    result.map_err(|fault| format!("{}: {}", fault.code, fault.message))
}

proptest! {
    #![proptest_config(crate::seeds::cases(400))]

    #[test]
    fn packed_sets_and_their_values_are_one(a in any_collection(), b in any_collection()) {
        let (x, y) = (spelled(&a), spelled(&b));
        let hasher = RandomState::new();
        prop_assert_eq!(&a, &x);
        prop_assert_eq!(&x, &a);
        prop_assert_eq!(hasher.hash_one(&a), hasher.hash_one(&x));
        prop_assert_eq!(a.cmp(&b), x.cmp(&y));
        prop_assert_eq!(a.cmp(&y), x.cmp(&b));
        prop_assert_eq!(a == b, x == y);
        prop_assert_eq!(a.extent(), x.extent());
        prop_assert_eq!(a.breadth(), x.breadth());
        prop_assert_eq!(a.to_string(), x.to_string());
        prop_assert_eq!(to_json(&a), to_json(&x));
        prop_assert_eq!(size(&a).unwrap(), size(&x).unwrap());
        prop_assert!(iterate(&a).unwrap().eq(iterate(&x).unwrap()));
        for op in [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Xor, BinaryOp::Meet] {
            let plain = shown(binary(op, &x, &y));
            prop_assert_eq!(shown(binary(op, &a, &b)), plain.clone());
            prop_assert_eq!(shown(binary(op, &a, &y)), plain.clone());
            prop_assert_eq!(shown(binary(op, &x, &b)), plain);
        }
        for op in [CompareOp::Eq, CompareOp::Lt, CompareOp::Le] {
            let plain = compare(op, &x, &y).map_err(|fault| fault.message);
            prop_assert_eq!(compare(op, &a, &b).map_err(|fault| fault.message), plain.clone());
            prop_assert_eq!(compare(op, &x, &b).map_err(|fault| fault.message), plain);
        }
    }

    #[test]
    fn words_do_not_see_the_form(a in any_collection(), item in any_item(), at in -2..150_i64) {
        let x = spelled(&a);
        let same = |f: &dyn Fn(&Value) -> Result<Value, Fault>| shown(f(&a)) == shown(f(&x));
        prop_assert_eq!(contains(&a, &item).ok(), contains(&x, &item).ok());
        prop_assert!(same(&|c| index(c, &i(at))));
        prop_assert!(same(&|c| slice(c, Some(&i(0)), Some(&i(at)))));
        prop_assert!(same(&|c| update(c, &[(i(at), SetOp::Put, i(7))])));
        for word in [B::First, B::Last, B::Reverse, B::Sort, B::List, B::Set, B::Bag, B::Increasing, B::Sum, B::Min, B::Max] {
            prop_assert!(same(&|c| call(word, &[c.clone()])), "{word:?}");
        }
        prop_assert!(same(&|c| binary(BinaryOp::Sub, c, &Value::set(vec![item.clone()]))));
        prop_assert!(same(&|c| binary(BinaryOp::Add, c, &Value::set(vec![item.clone()]))));
    }

    #[test]
    fn entering_does_not_see_the_form(a in any_collection()) {
        let term = Term::new(TermKind::Bool(true), Type::Graph(GraphWord::Multigraph), grundy::source::text::Span::default());
        let x = spelled(&a);
        let of = [
            Kind::Int,
            Kind::Nat,
            Kind::Text,
            Kind::Tuple(vec![Kind::Nat, Kind::Nat]),
            Kind::Tuple(vec![Kind::Nat, Kind::Nat, Kind::Nat]),
            Kind::Vertex(Some(Box::new(term.clone()))),
            Kind::Edge(Some(Box::new(term))),
            Kind::Edge(None),
        ];
        let known = graph();
        for of in of {
            for kind in [Kind::List(Box::new(of.clone()), 1), Kind::Set(Box::new(of.clone())), Kind::Bag(Box::new(of))] {
                let entered = |value: &Value| shown(enter(value.clone(), &kind, &mut |_| Ok(known.clone())));
                prop_assert_eq!(entered(&a), entered(&x), "{:?}", kind);
            }
        }
    }

    #[test]
    fn graphs_do_not_see_the_form(
        edges in proptest::collection::vec((0..90_i64, 0..90_i64), 0..120),
        first in proptest::collection::vec(0..100_i64, 0..100),
        n in 80..100_i64,
    ) {
        let packed = Value::List(List { base: 0, items: Items::pairs(edges.into_iter().map(short).collect()) });
        let (first, plain) = (Value::List(List { base: 0, items: Items::ints(first) }), spelled(&packed));
        for word in [B::Graph, B::Digraph, B::Multigraph] {
            for vertices in [&i(n), &first, &Value::Range(0, n)] {
                let made = |edges: &Value| shown(call(word, &[vertices.clone(), edges.clone()])).map(|g| g.to_string());
                prop_assert_eq!(made(&packed), made(&plain));
            }
        }
    }

    #[test]
    fn what_hangs_does_not_see_the_form(
        edges in proptest::collection::vec((0..90_i64, 0..90_i64), 60..160),
        ground in proptest::collection::btree_set(0..90_i64, 0..4),
        dropped in 0..60_usize,
    ) {
        let items = Items::pairs(edges.into_iter().map(short).collect());
        let g = call(B::Multigraph, &[i(90), Value::List(List { base: 0, items })]).unwrap();
        let ground = Value::set(ground.into_iter().map(i).collect());
        let all = call(B::Edges, &[g.clone()]).unwrap();
        let one = Value::set(vec![members(&all).unwrap()[dropped].clone()]);
        let packed = binary(BinaryOp::Sub, &all, &one).unwrap();
        let plain = spelled(&packed);
        for word in [B::Grounded, B::Fusion, B::FusionWinning] {
            let asked = |edges: &Value| shown(call(word, &[g.clone(), edges.clone(), ground.clone()]));
            prop_assert_eq!(asked(&packed), asked(&plain));
        }
    }
}

#[test]
fn edges_of_another_graph_are_others() {
    let (Value::Graph(g), Value::Graph(h)) = (graph(), graph()) else { panic!("graphs") };
    let all = |graph: &Arc<_>| Value::Set(Items::edges(graph, (0..100).collect()));
    // Alike in every part: equal, though the graphs are two.
    assert_eq!(all(&g), all(&h));
    let smaller = Arc::new(g.without(|v| v < 10));
    let rest = Value::Set(Items::edges(&smaller, (0..u32::try_from(smaller.edges.len()).unwrap()).collect()));
    let every = Value::Set(Items::edges(&g, (0..150).collect()));
    assert_eq!(binary(BinaryOp::Meet, &every, &rest).unwrap(), spelled(&rest));
    assert_eq!(binary(BinaryOp::Sub, &rest, &every).unwrap(), Value::set(Vec::new()));
}
