//! Graphs and edges.

use super::{code, i, list, pairs, set, shown, t};
use grundy::model::BinaryOp;
use grundy::model::builtin::Builtin as B;
use grundy::value::Value;
use grundy::value::members;
use grundy::words::binary;
use grundy::words::call;

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
    assert_eq!(shown(B::IsBipartite, &[cycle.clone()]), "false");
    assert_eq!(shown(B::IsBipartite, &[call(B::Cycle, &[i(6)]).unwrap()]), "true");
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
