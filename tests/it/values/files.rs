//! Data files of every format against readers and writers of the test's own, published examples, and bad lines.

use grundy::input::datafile;
use grundy::model::kind::GraphWord;
use grundy::value::Value;
use grundy::value::fault::Fault;
use grundy::value::graph::Graph;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::io::Read;
use std::sync::Arc;

/// Gives a few bytes at a time.
struct Drops<'t>(&'t [u8], usize);

impl Read for Drops<'_> {
    fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
        let length = self.1.min(self.0.len()).min(to.len());
        to[..length].copy_from_slice(&self.0[..length]);
        self.0 = &self.0[length..];
        Ok(length)
    }
}

fn read(text: &[u8], name: &str, word: GraphWord, line: Option<usize>) -> Result<Arc<Graph>, Fault> {
    match datafile::graph(&mut Drops(text, 7), name, word, line)? {
        Value::Graph(graph) => Ok(graph),
        other => panic!("{other}"),
    }
}

fn shown(text: &str, name: &str, word: GraphWord) -> String {
    read(text.as_bytes(), name, word, None).map_or_else(|fault| message(&fault), |g| Value::Graph(g).to_string())
}

fn message(fault: &Fault) -> String {
    let hint = fault.hint.as_deref().map_or(String::new(), |hint| format!(" ({hint})"));
    format!("{} {}{hint}", fault.code, fault.message)
}

/// Labels of the vertices in order, and of the ends of the edges.
fn parts(graph: &Graph) -> (Vec<String>, Vec<(String, String)>) {
    let label = |v: u32| graph.label(v).to_string();
    let edges = graph.edges.iter().map(|e| (label(e.u), label(e.v))).collect();
    (graph.vertices.iter().map(|&v| label(v)).collect(), edges)
}

/// An edge list read word by word.
fn naive(lines: &[Vec<String>], word: GraphWord) -> (Vec<String>, Vec<(String, String)>) {
    let shown = |word: &String| word.parse::<i128>().map_or_else(|_| word.clone(), |n| n.to_string());
    let (mut vertices, mut edges, mut met) = (Vec::new(), Vec::new(), BTreeSet::new());
    for line in lines {
        let labels: Vec<String> = line.iter().map(shown).collect();
        for label in &labels {
            if !vertices.contains(label) {
                vertices.push(label.clone());
            }
        }
        if let [u, v] = &labels[..] {
            let turn = word == GraphWord::Graph && v < u;
            let key = if turn { (v.clone(), u.clone()) } else { (u.clone(), v.clone()) };
            if met.insert(key) || word == GraphWord::Multigraph {
                edges.push((u.clone(), v.clone()));
            }
        }
    }
    (vertices, edges)
}

fn words() -> impl Strategy<Value = GraphWord> {
    prop_oneof![Just(GraphWord::Graph), Just(GraphWord::Digraph), Just(GraphWord::Multigraph)]
}

/// Edges between 0..n-1, each once, the smaller end first.
fn edges() -> impl Strategy<Value = (u64, BTreeSet<(u64, u64)>)> {
    (0_u64..70).prop_flat_map(|n| {
        let pair = (0..n.max(1), 0..n.max(1)).prop_map(|(u, v)| (u.min(v), u.max(v)));
        (Just(n), proptest::collection::btree_set(pair, 0..80))
    })
}

fn size6(n: u64) -> Vec<u8> {
    let byte = |shift: u32| u8::try_from(n >> shift & 63).unwrap() + 63;
    if n < 63 { vec![byte(0)] } else { vec![126, byte(12), byte(6), byte(0)] }
}

fn bits6(bits: &[bool]) -> Vec<u8> {
    bits.chunks(6).map(|six| 63 + (0..6).fold(0, |x, i| x << 1 | u8::from(six.get(i) == Some(&true)))).collect()
}

fn sparse6(n: u64, edges: &BTreeSet<(u64, u64)>) -> Vec<u8> {
    let width = (1_u32..32).find(|k| 1_u64 << k >= n).unwrap_or(1);
    let width = if n <= 1 { 0 } else { width };
    let mut bits = Vec::new();
    let mut put = |b: bool, x: u64| {
        bits.push(b);
        bits.extend((0..width).rev().map(|i| x >> i & 1 == 1));
    };
    let mut by_last: Vec<(u64, u64)> = edges.iter().map(|&(u, v)| (v, u)).collect();
    by_last.sort_unstable();
    let mut at = 0;
    for (v, u) in by_last {
        if v == at + 1 {
            put(true, u);
        } else if v > at {
            put(true, v); // moves to v, whatever the bit
            put(false, u);
        } else {
            put(false, u);
        }
        at = v;
    }
    // Ones fill up; a 0 first where they would be an edge of the last vertex (formats.txt).
    let left = (6 - bits.len() % 6) % 6;
    if [2, 4, 8, 16].contains(&n) && at == n - 2 && left > width as usize {
        bits.push(false);
    }
    while bits.len() % 6 != 0 {
        bits.push(true);
    }
    [b":".to_vec(), size6(n), bits6(&bits)].concat()
}

proptest! {
    #![proptest_config(crate::seeds::cases(256))]
    /// Lines with the same first number one after the other, as most programs write them, and others between them.
    #[test]
    fn edge_lists_in_runs_as_read_word_by_word(
        runs in proptest::collection::vec(
            ("[0-9]{1,2}|[0-9]{6,8}|[12]0{1,7}|-7|x", proptest::collection::vec("[0-9]{1,3}|[0-9]{7,9}|y", 0..6)), 0..30),
        blank in " |\t|  ", end in "\n|\r\n", word in words(), step in 1_usize..40,
    ) {
        let lines: Vec<Vec<String>> =
            runs.iter().flat_map(|(u, run)| run.iter().map(|v| vec![u.clone(), v.clone()])).collect();
        let text: String = lines.iter().map(|line| line.join(&blank) + &end).collect();
        let graph = datafile::graph(&mut Drops(text.as_bytes(), step), "a.txt", word, None);
        let Ok(Value::Graph(graph)) = graph else { return Err(TestCaseError::fail("no graph")) };
        prop_assert_eq!(parts(&graph), naive(&lines, word));
        let rows: Vec<Vec<u32>> = (0..).take(graph.vertices.len()).map(|v| graph.successors(v).to_vec()).collect();
        for (v, row) in (0..).zip(&rows) {
            let both = word != GraphWord::Digraph;
            let next = |e: grundy::value::graph::GraphEdge| {
                if e.u == v { Some(e.v) } else { (both && e.v == v).then_some(e.u) }
            };
            let expected: BTreeSet<u32> = graph.edges.iter().filter_map(next).collect();
            prop_assert_eq!(row, &expected.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn edge_lists_as_read_word_by_word(
        lines in proptest::collection::vec(
            proptest::collection::vec("[0-9]{1,2}|0{0,9}[0-9]|-?[0-9]{7,20}|[a-zé]{1,3}", 0..3), 0..60),
        ends in proptest::collection::vec("\n|\r\n|  \n| # x y z\n", 60),
        word in words(), drop in any::<bool>(), step in 1_usize..40,
    ) {
        let mut text = String::new();
        for (line, end) in lines.iter().zip(&ends) {
            text += &line.join(if end.len() > 1 { "\t " } else { " " });
            text += end;
        }
        if drop && text.ends_with('\n') {
            text.pop();
        }
        let (vertices, edges) = naive(&lines, word);
        // Lines without an edge may be taken for graph6 and refused.
        if let Ok(Value::Graph(graph)) = datafile::graph(&mut Drops(text.as_bytes(), step), "a.txt", word, None) {
            prop_assert_eq!(parts(&graph), (vertices, edges));
        } else {
            prop_assert!(edges.is_empty());
        }
    }

    #[test]
    fn graphs_survive_graph6_sparse6_digraph6_and_dimacs((n, all) in edges(), late in any::<bool>()) {
        let inside: BTreeSet<(u64, u64)> = all.into_iter().filter(|e| e.1 < n).collect();
        let plain: BTreeSet<(u64, u64)> = inside.iter().copied().filter(|(u, v)| u != v).collect();
        let of = |g: &Graph, base: u64| -> BTreeSet<(u64, u64)> {
            let turned = g.edges.iter().map(|e| (u64::from(e.u.min(e.v)) + base, u64::from(e.u.max(e.v)) + base));
            turned.collect()
        };
        let has = |set: &BTreeSet<(u64, u64)>, u, v| set.contains(&(u, v));
        let upper: Vec<bool> = (0..n).flat_map(|v| (0..v).map(move |u| (u, v))).map(|(u, v)| has(&plain, u, v)).collect();
        let line = [size6(n), bits6(&upper)].concat();
        let header = if late { b">>graph6<<".to_vec() } else { Vec::new() };
        let g = read(&[header, line, b"\n".to_vec()].concat(), if late { "x" } else { "x.g6" }, GraphWord::Graph, None).unwrap();
        prop_assert_eq!((g.vertices.len() as u64, of(&g, 0)), (n, plain.clone()));

        let g = read(&sparse6(n, &inside), "x.s6", GraphWord::Multigraph, None).unwrap();
        prop_assert_eq!((g.vertices.len() as u64, of(&g, 0)), (n, inside.clone()));

        let square: Vec<bool> = (0..n).flat_map(|u| (0..n).map(move |v| (u, v))).map(|(u, v)| has(&inside, u, v)).collect();
        let line = [b"&".to_vec(), size6(n), bits6(&square)].concat();
        let g = read(&line, "x.d6", GraphWord::Digraph, None).unwrap();
        let arcs: BTreeSet<(u64, u64)> = g.edges.iter().map(|e| (u64::from(e.u), u64::from(e.v))).collect();
        prop_assert_eq!((g.vertices.len() as u64, arcs), (n, inside.clone()));

        let mut text = format!("c made by a test\np {} {n} {}\n", if late { "edge" } else { "col" }, inside.len());
        for (u, v) in &inside {
            writeln!(text, "e {} {}", u + 1, v + 1).unwrap();
        }
        let g = read(text.as_bytes(), "x.txt", GraphWord::Graph, None).unwrap();
        prop_assert_eq!((g.vertices.len() as u64, of(&g, 0)), (n, inside.clone()));
        prop_assert!(g.vertices.iter().all(|&v| g.label(v) == Value::Int(i64::from(v) + 1)));
    }
}

#[test]
fn the_examples_of_formats_txt() {
    let graph = |text| shown(text, "x.g6", GraphWord::Graph);
    assert_eq!(graph("DQc\n"), "graph(5, [(0, 2), (1, 3), (0, 4), (3, 4)])");
    assert_eq!(graph(":Fa@x^\n"), "graph(7, [(0, 1), (0, 2), (1, 2), (5, 6)])");
    assert_eq!(graph(">>sparse6<<:Fa@x^"), graph(":Fa@x^"));
    assert_eq!(shown("&DI?AO?\n", "x.D6", GraphWord::Digraph), "digraph(5, [(0, 2), (0, 4), (3, 1), (3, 4)])");
    assert_eq!(graph("?"), "graph(0, [])");
    let several = b"DQc\n\nA_\n";
    let chosen = read(several, "x.g6", GraphWord::Graph, Some(3)).unwrap();
    assert_eq!(Value::Graph(chosen).to_string(), "graph(2, [(0, 1)])");
}

#[test]
fn bad_lines_say_what_was_expected() {
    let long = "7".repeat(10_000_000);
    let cases: Vec<(&str, String, GraphWord)> = vec![
        ("a.txt", "1 2\n1 2 3\n".into(), GraphWord::Graph),
        ("a.txt", "1 2\r\n2 3\r\n3 4 x y\r\n".into(), GraphWord::Graph),
        ("a.txt", "1 2\n2,3".into(), GraphWord::Graph),
        ("a.txt", "a->b".into(), GraphWord::Digraph),
        ("a.txt", "DQc\nA_\n".into(), GraphWord::Graph),
        ("a.txt", format!("1 2\n{long} 2 3\n"), GraphWord::Graph),
        ("a.g6", String::new(), GraphWord::Graph),
        ("a.g6", "DQc\nA_\n".into(), GraphWord::Graph),
        ("a.g6", "DQ\n".into(), GraphWord::Graph),
        ("a.g6", "DQcc\n".into(), GraphWord::Graph),
        ("a.g6", "DQ c\n".into(), GraphWord::Graph),
        ("a.g6", "BG\nA`".into(), GraphWord::Graph),
        ("a.g6", "A`".into(), GraphWord::Graph),
        ("a.g6", "~?\n".into(), GraphWord::Graph),
        ("a.g6", "~~~~~~~~\n".into(), GraphWord::Graph),
        ("a.g6", "DQc".into(), GraphWord::Digraph),
        ("a.g6", "&DI?AO?".into(), GraphWord::Graph),
        ("a.s6", ";Fa@x^".into(), GraphWord::Graph),
        ("a.col", "c nothing\n".into(), GraphWord::Graph),
        ("a.col", "p cnf 3 2\n".into(), GraphWord::Graph),
        ("a.col", "e 1 2\n".into(), GraphWord::Graph),
        ("a.col", "p edge 3 2\ne 1 2\ne 2 4\n".into(), GraphWord::Graph),
        ("a.col", "p edge 3 2\ne 1 2\ne 2\n".into(), GraphWord::Graph),
        ("a.col", "p edge 3 3\ne 1 2\n".into(), GraphWord::Graph),
        ("a.txt", "c made by hand\np edge 3 1\ne 1 2\n".into(), GraphWord::Digraph),
    ];
    let mut all = String::new();
    for (name, text, word) in cases {
        let head: String = text.chars().take(30).collect();
        writeln!(all, "{name} {head:?}: {}", shown(&text, name, word)).unwrap();
    }
    for text in [&b"1 2\n\xc3\xa9 3\n4 \xff\n"[..], b"1 2\n# \x80\n"] {
        writeln!(all, "{}", message(&read(text, "a.txt", GraphWord::Graph, None).unwrap_err())).unwrap();
    }
    writeln!(all, "{}", message(&read(b"1 2\n", "a.txt", GraphWord::Graph, Some(2)).unwrap_err())).unwrap();
    writeln!(all, "{}", message(&read(b"A_\n", "a.g6", GraphWord::Graph, Some(2)).unwrap_err())).unwrap();
    insta::assert_snapshot!(all);
}
