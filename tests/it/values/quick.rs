//! Values read straight from text are those that a tree of JSON holds.

use grundy::input::json::{from_json, object};
use grundy::model::kind::{GraphWord, Kind, Type};
use grundy::value::fault::Fault;
use grundy::value::graph::{Graph, Labels};
use grundy::value::{Grid, Value};
use num_bigint::BigInt;
use proptest::prelude::*;
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::sync::Arc;

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

/// The value that a tree of JSON holds, if it is of this kind.
fn of_tree(json: &Json, kind: &Kind) -> Option<Value> {
    let all = |items: &[Json], of: &Kind| items.iter().map(|item| of_tree(item, of)).collect::<Option<Vec<Value>>>();
    let rows = |rows: Vec<Vec<Value>>| Some(Value::Grid(Arc::new(Grid::of_rows(&rows).ok()?)));
    match (kind, json) {
        (Kind::Int | Kind::Nat | Kind::Real | Kind::Vertex(_), Json::Number(n)) => {
            n.to_string().parse::<BigInt>().ok().map(Value::int)
        }
        (Kind::Bool, Json::Bool(b)) => Some(Value::Bool(*b)),
        (Kind::Text | Kind::Vertex(_), Json::String(text)) => Some(Value::text(text)),
        (Kind::Vertex(_), Json::Array(pair)) if pair.len() == 2 => all(pair, &Kind::Int).map(Value::tuple),
        (Kind::Edge(_), Json::Array(ends)) if ends.len() == 2 => all(ends, &Kind::Vertex(None)).map(Value::tuple),
        (Kind::Tuple(kinds), Json::Array(parts)) if kinds.len() == parts.len() => {
            parts.iter().zip(kinds).map(|(part, kind)| of_tree(part, kind)).collect::<Option<_>>().map(Value::tuple)
        }
        (Kind::List(of, base), Json::Array(items)) => Some(Value::list_from(*base, all(items, of)?)),
        (Kind::Bag(of), Json::Array(items)) => Some(Value::bag(all(items, of)?)),
        (Kind::Set(of), Json::Array(items)) => {
            let members = all(items, of)?;
            let distinct: BTreeSet<&Value> = members.iter().collect();
            (distinct.len() == members.len()).then(|| Value::set(members.clone()))
        }
        (Kind::Graph(word, base), Json::Object(object)) => {
            let n = usize::try_from(object.get("n")?.as_u64()?).ok()?;
            let from = object.get("base").map_or(Some(*base), Json::as_i64)?;
            let number = |end: &Json| u32::try_from(end.as_i64()? - from).ok().filter(|v| (*v as usize) < n);
            let edge = |edge: &Json| Some((number(&edge[0])?, number(&edge[1])?));
            let pairs = object.get("edges")?.as_array()?.iter().map(edge).collect::<Option<Vec<_>>>()?;
            Some(Value::Graph(Arc::new(Graph::of_numbers(*word, Arc::new(Labels::Ints { from, n }), None, pairs))))
        }
        (Kind::Grid, Json::Array(texts)) => {
            let row = |text: &Json| Some(text.as_str()?.chars().map(Value::character).collect());
            rows(texts.iter().map(row).collect::<Option<_>>()?)
        }
        (Kind::NatGrid, Json::Array(arrays)) => {
            rows(arrays.iter().map(|row| all(row.as_array()?, &Kind::Nat)).collect::<Option<_>>()?)
        }
        (Kind::Any(Type::List(_) | Type::Range), json) => of_tree(json, &Kind::List(Box::new(Kind::Int), 0)),
        _ => None,
    }
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
        let tree: Option<Json> = serde_json::from_str(&text).ok();
        for kind in kinds() {
            let expected = tree.as_ref().and_then(|json| of_tree(json, &kind));
            let whole = format!(" {{ \"x\" : {text} }}\r\n");
            let mut value = None;
            let length = object(whole.as_bytes(), |key, scan| {
                assert_eq!(key, "x");
                value = Some(scan.read(&kind, "x")?);
                Ok::<_, Fault>(())
            });
            match (expected, from_json(&text, &kind, "x")) {
                (Some(expected), Ok(read)) => {
                    prop_assert!(alike(&expected, &read), "{text} as {kind:?}");
                    prop_assert!(alike(&expected, &value.unwrap()), "{text} as {kind:?}");
                    prop_assert_eq!(length, Ok(whole.len() - 2));
                }
                (None, Err(_)) => prop_assert!(length.is_err(), "{text} as {kind:?}"),
                (expected, read) => prop_assert!(false, "{text} as {kind:?}: {expected:?} but {read:?}"),
            }
        }
    }
}

#[test]
fn what_is_large_and_usual_is_read_at_once() {
    let kind = Kind::List(Box::new(Kind::Tuple(vec![Kind::Nat, Kind::Nat])), 0);
    let pairs: Vec<String> = (0..1000).map(|n| format!("[{n}, {}]", n * n)).collect();
    let whole = format!("{{\"edges\": [{}]}}", pairs.join(", "));
    let read = |text: &str| -> Result<Value, Option<Fault>> {
        let mut value = None;
        let length = object(text.as_bytes(), |key, scan| {
            assert!(key == "edges" && value.is_none());
            value = Some(scan.read(&kind, "x")?);
            Ok::<_, Fault>(())
        })?;
        assert_eq!(length, text.len());
        value.ok_or(None)
    };
    let Value::List(list) = read(&whole).unwrap() else { panic!("a list") };
    assert_eq!(list.items.as_pairs().unwrap()[999], (999, 998_001));
    for wrong in [
        &whole[..whole.len() - 1],
        &whole.replacen("[0, 0]", "[0, 0, 0]", 1),
        &whole.replacen("[0, 0]", "[0]", 1),
        &whole.replacen("[0, 0],", "[0, 0],,", 1),
        &whole.replacen("[0, 0]", "[\"0\", 0]", 1),
    ] {
        assert!(read(wrong).is_err(), "{}", &wrong[..40]);
    }
}
