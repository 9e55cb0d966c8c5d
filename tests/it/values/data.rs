//! Entering, JSON, data files.

use super::{bag, big, code, i, list, pair, pairs, phi, set, t};
use grundy::input::datafile;
use grundy::input::entry::adapt;
use grundy::input::entry::enter;
use grundy::input::json::from_json;
use grundy::input::json::from_text;
use grundy::input::json::to_json;
use grundy::model::Term;
use grundy::model::TermKind;
use grundy::model::builtin::Builtin as B;
use grundy::model::kind::GraphWord;
use grundy::model::kind::Kind;
use grundy::model::kind::Type;
use grundy::value::Value;
use grundy::value::fault::Fault;
use grundy::value::members;
use grundy::words::call;
use std::fmt::Write;

#[test]
fn entering() {
    let term = Term::new(TermKind::Bool(true), Type::Graph(GraphWord::Graph), grundy::source::text::Span::default());
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
    assert_eq!(put(rows.clone(), Kind::Grid).unwrap().to_string(), r#"[".#", ".."]"#);
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
    assert!(std::sync::Arc::ptr_eq(before.items.values(), after.items.values()));
    assert!(calls <= 4);
}

#[test]
fn json_in_and_out() {
    let read = |text: &str, kind: &Kind| from_json(text, kind, "x");
    let fault =
        |text: &str, kind: &Kind| read(text, kind).map_or_else(|f| (f.code.as_str(), f.message), |v| panic!("{v}"));
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
    assert_eq!(read(r#"[".#",".."]"#, &Kind::Grid).unwrap().to_string(), r#"[".#", ".."]"#);
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
        (r#"[".#",".."]"#, Kind::Grid),
        ("[[1,2],[3,4]]", edges),
        ("true", Kind::Bool),
    ] {
        assert_eq!(serde_json::to_string(&to_json(&read(text, &kind).unwrap())).unwrap(), text);
    }
    assert_eq!(to_json(&Value::Loop([1, 2].into())).to_string(), r#"{"loop":[1,2]}"#);
}

fn graph_of(text: &str, word: GraphWord) -> Result<Value, Fault> {
    datafile::graph(&mut text.as_bytes(), "road.txt", word, None)
}

#[test]
fn data_files() {
    let g = graph_of("# roads\n1 2\n2 a # here\n\n7\n2 1\n", GraphWord::Graph).unwrap();
    assert_eq!(g.to_string(), r#"graph([1, 2, "a", 7], [(1, 2), (2, "a")])"#);
    let fault = graph_of("1 2\n1 2 3\n", GraphWord::Graph).unwrap_err();
    assert_eq!((fault.code.as_str(), fault.message.starts_with("line 2, column 5: ")), ("D03", true));
    assert_eq!(datafile::grid(&mut "  .#\n  ..\n".as_bytes()).unwrap().to_string(), r#"[".#", ".."]"#);
    assert_eq!(
        datafile::grid(&mut "..\n.\n".as_bytes()).unwrap_err().message,
        "line 2: 2 cells are expected as before, not 1"
    );
    assert_eq!(datafile::grid(&mut "".as_bytes()).unwrap_err().code, "D03");

    let mut lines = String::new();
    for k in 0..1_000_000_u64 {
        writeln!(lines, "{} {}", k * 7919 % 300_007, k * 104_729 % 300_007).unwrap();
    }
    let Value::Graph(g) = graph_of(&lines, GraphWord::Multigraph).unwrap() else { panic!() };
    let rows = g.out_rows().to.len();
    assert_eq!(g.edges.len(), 1_000_000);
    assert!(rows <= 2_000_000);
}
