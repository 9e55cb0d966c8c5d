//! Values straight from text are those of the general way.

use grundy::input::json::{from_json, from_text, quick_object};
use grundy::model::kind::{GraphWord, Kind, Type};
use grundy::value::Value;
use proptest::prelude::*;

fn kinds() -> Vec<Kind> {
    let nat = || Kind::Nat;
    let list = |of: Kind| Kind::List(Box::new(of), 0);
    vec![
        Kind::Int,
        Kind::Bool,
        Kind::Tuple(vec![nat(), Kind::Bool]),
        list(nat()),
        Kind::List(Box::new(Kind::Int), 1),
        list(Kind::Bool),
        list(Kind::Text),
        list(list(nat())),
        list(Kind::Tuple(vec![nat(), nat()])),
        list(Kind::Tuple(vec![nat(), Kind::Text])),
        list(Kind::Tuple(vec![nat(), nat(), nat()])),
        Kind::Set(Box::new(nat())),
        Kind::Set(Box::new(Kind::Tuple(vec![nat(), nat()]))),
        Kind::Set(Box::new(Kind::Vertex(None))),
        Kind::Set(Box::new(Kind::Edge(None))),
        Kind::Bag(Box::new(Kind::Int)),
        Kind::Graph(GraphWord::Graph, 0),
        Kind::Graph(GraphWord::Digraph, 1),
        Kind::Graph(GraphWord::Multigraph, 0),
        Kind::Grid,
        Kind::NatGrid,
        Kind::Real,
        Kind::Any(Type::List(Box::new(Type::Int))),
        Kind::Any(Type::Range),
        Kind::Any(Type::Position),
    ]
}

/// JSON that some kind may like, and some that none does.
fn text() -> impl Strategy<Value = String> {
    let int = || {
        prop_oneof![8 => (-3..100_i64).prop_map(|n| n.to_string()), 1 => Just("9223372036854775807".into()),
        1 => Just("-9223372036854775808".into()), 1 => Just("9223372036854775808".into()),
        1 => Just("123456789012345678901234567890".into()), 1 => Just("-0".into()), 1 => Just("1.0".into()),
        1 => Just("01".into()), 1 => Just("1e2".into()), 1 => Just("-".into()),
        4 => "-?[0-9]{1,27}[.eE]?"]
    };
    let common = || (0..100_i64).prop_map(|n| n.to_string());
    let gap = prop_oneof![Just(","), Just(", "), Just(" ,\n\t")];
    let joined = |items: Vec<String>, gap: &str| format!("[{}]", items.join(gap));
    let pair = || (0..30_i64, 0..30_i64).prop_map(|(u, v)| format!("[{u}, {v}]"));
    let word = || prop_oneof!["\"[a-c#.]{0,3}\"", Just("\"\\u0041\"".to_string()), Just("\"é\"".to_string())];
    let leaf = prop_oneof![int(), word(), Just("true".into()), Just("false".into()), Just("null".into())];
    prop_oneof![
        leaf.clone(),
        (proptest::collection::vec(common(), 0..100), gap.clone()).prop_map(move |(v, g)| joined(v, g)),
        (proptest::collection::vec(int(), 0..4), gap.clone()).prop_map(move |(v, g)| joined(v, g)),
        (proptest::collection::vec("[1-9][0-9]{0,17}", 60..100), gap.clone()).prop_map(move |(v, g)| joined(v, g)),
        (proptest::collection::vec(pair(), 0..100), gap).prop_map(move |(v, g)| joined(v, g)),
        proptest::collection::vec("\"[.#]{2}\"", 0..4).prop_map(move |v| joined(v, ",")),
        proptest::collection::vec(leaf, 0..4).prop_map(move |v| joined(v, ",")),
        proptest::collection::btree_set(0..500_i64, 0..100)
            .prop_map(|v| format!("{:?}", v.into_iter().rev().collect::<Vec<_>>())),
        (
            proptest::collection::vec(pair(), 0..90),
            25..40,
            prop_oneof![Just(""), Just(", \"base\": 0"), Just(", \"n\": 3")]
        )
            .prop_map(move |(v, n, more)| format!("{{\"n\": {n}, \"edges\": {}{more}}}", joined(v, ","))),
        (proptest::collection::vec(pair(), 0..90), 25..40)
            .prop_map(move |(v, n)| format!("{{\"base\": 0, \"edges\": {}, \"n\": {n}}}", joined(v, ","))),
    ]
}

/// The value or the message, as the tree of JSON gives it.
fn slow(text: &str, kind: &Kind) -> Option<Result<Value, String>> {
    let json = serde_json::from_str(text).ok()?;
    Some(from_json(&json, kind, "x").map_err(|fault| fault.message))
}

fn alike(a: &Value, b: &Value) -> bool {
    // Graphs are compared by the whole text.
    let base = |value: &Value| if let Value::List(list) = value { list.base } else { 0 };
    a.to_string() == b.to_string() && a.cmp(b).is_eq() && base(a) == base(b)
}

proptest! {
    #![proptest_config(crate::seeds::cases(1500))]

    #[test]
    fn text_and_tree_give_the_same(text in text()) {
        for kind in kinds() {
            let object = format!(" {{ \"x\" : {text} }}\r\n");
            let quick = quick_object(object.as_bytes(), &mut |key| (key == "x").then_some((0, &kind)));
            match (slow(&text, &kind), quick) {
                (Some(Ok(slow)), Some(bound)) => prop_assert!(alike(&slow, &bound[0].1), "{text} as {kind:?}"),
                (Some(Ok(slow)), None) => prop_assert!(alike(&slow, &from_text(&text, &kind, "x").unwrap())),
                (Some(Err(message)), None) => {
                    prop_assert_eq!(from_text(&text, &kind, "x").map_err(|fault| fault.message), Err(message));
                }
                (None, None) => {}
                (slow, Some(bound)) => prop_assert!(false, "{text} as {kind:?}: {slow:?} but {:?}", bound),
            }
        }
    }
}

#[test]
fn what_is_large_and_usual_is_read_at_once() {
    let kind = Kind::List(Box::new(Kind::Tuple(vec![Kind::Nat, Kind::Nat])), 0);
    let pairs: Vec<String> = (0..1000).map(|n| format!("[{n}, {}]", n * n)).collect();
    let object = format!("{{\"edges\": [{}]}}", pairs.join(", "));
    let read = |text: &str| quick_object(text.as_bytes(), &mut |key| (key == "edges").then_some((0, &kind)));
    let bound = read(&object).unwrap();
    let Value::List(list) = &bound[0].1 else { panic!("a list") };
    assert_eq!(list.items.as_pairs().unwrap()[999], (999, 998_001));
    for wrong in [
        &object[..object.len() - 1],
        &format!("{object}x"),
        &object.replace("edges", "edge"),
        &object.replace("]}", "], \"edges\": []}"),
        &object.replacen("[0, 0]", "[0, 0, 0]", 1),
        &object.replacen("[0, 0]", "[0]", 1),
        &object.replacen("[0, 0],", "[0, 0],,", 1),
        &object.replacen("[0, 0]", "[\"0\", 0]", 1),
    ] {
        assert!(read(wrong).is_none(), "{}", &wrong[..40]);
    }
}
