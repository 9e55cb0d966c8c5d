//! Graphs and grids, and the built-in words about them, by the reference: everything by trying all there is.

use super::values::{Domain, Value};
use crate::rng::Rng;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A graph. An edge has the number of its place, which it keeps where others are left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Graph {
    /// `graph`, `digraph`, `multigraph` or `grid`.
    pub(super) kind: &'static str,
    /// The word for it, if its form has one.
    word: Option<String>,
    /// The rows of a grid.
    rows: Vec<String>,
    pub(super) vertices: Vec<Value>,
    edges: Vec<(usize, [Value; 2])>,
}

/// The graphs of a file: their lets, of one kind and with the same vertices.
#[derive(Clone, Debug)]
pub(super) struct Graphs {
    pub(super) kind: &'static str,
    pub(super) labels: Vec<Value>,
    pub(super) lets: Vec<Value>,
}

fn count(n: usize) -> Value {
    Value::Int(i128::try_from(n).expect("small"))
}

fn cell(r: usize, c: usize) -> Value {
    Value::Tuple(vec![count(r), count(c)])
}

/// The character of a cell; `None`: there is no such cell.
fn character(rows: &[String], [r, c]: [i128; 2]) -> Option<char> {
    rows.get(usize::try_from(r).ok()?)?.chars().nth(usize::try_from(c).ok()?)
}

fn numbers(cell: &Value) -> [i128; 2] {
    let parts = cell.members();
    [parts[0].int(), parts[1].int()]
}

/// All cells, walls too.
pub(super) fn cells(rows: &[String]) -> Vec<Value> {
    (0..rows.len()).flat_map(|r| (0..rows[r].chars().count()).map(move |c| cell(r, c))).collect()
}

fn is_wall(rows: &[String], at: &Value) -> bool {
    character(rows, numbers(at)).is_none_or(|c| c == '#')
}

/// The rows with another character in a cell.
pub(super) fn put(rows: &[String], at: &Value, character: &str) -> Vec<String> {
    let at = numbers(at);
    let letter = |r: usize, c: usize, old: char| {
        if [r, c].map(|i| i128::try_from(i).expect("small")) == at { character.to_string() } else { old.to_string() }
    };
    rows.iter()
        .enumerate()
        .map(|(r, row)| row.chars().enumerate().map(|(c, old)| letter(r, c, old)).collect())
        .collect()
}

/// What stands in a cell.
pub(super) fn get(rows: &[String], at: &Value) -> Value {
    Value::Text(character(rows, numbers(at)).expect("a cell").to_string())
}

impl Graph {
    /// Of equal edges all but a multigraph keeps the first.
    fn new(kind: &'static str, vertices: Vec<Value>, edges: Vec<[Value; 2]>) -> Graph {
        let mut kept: Vec<[Value; 2]> = Vec::new();
        for [a, b] in edges {
            let is_known =
                kept.contains(&[a.clone(), b.clone()]) || kind != "digraph" && kept.contains(&[b.clone(), a.clone()]);
            if kind == "multigraph" || !is_known {
                kept.push([a, b]);
            }
        }
        Graph { kind, word: None, rows: Vec::new(), vertices, edges: kept.into_iter().enumerate().collect() }
    }
    /// The cells that are no walls, joined to the right and downwards.
    fn of_rows(rows: &[String]) -> Graph {
        let vertices: Vec<Value> = cells(rows).into_iter().filter(|c| !is_wall(rows, c)).collect();
        let mut edges = Vec::new();
        for (i, a) in vertices.iter().enumerate() {
            let beside = |b: &&Value| {
                let ([r, c], [s, d]) = (numbers(a), numbers(b));
                (r - s).abs() + (c - d).abs() == 1
            };
            edges.extend(vertices[i + 1..].iter().filter(beside).map(|b| [a.clone(), b.clone()]));
        }
        Graph { rows: rows.to_vec(), ..Graph::new("grid", vertices, edges) }
    }
    /// As an expression: by lists, or in place.
    pub(super) fn text(&self) -> String {
        if self.kind == "grid" {
            return grid_text(&self.rows);
        }
        if let Some(word) = &self.word {
            return word.clone();
        }
        let list = |items: Vec<String>| items.join(", ");
        let labels: Vec<String> = self.vertices.iter().map(Value::text).collect();
        if self.size().is_multiple_of(2) {
            let edges = self.edges.iter().map(|(_, [a, b])| format!("({}, {})", a.text(), b.text())).collect();
            let n = self.vertices.len();
            if n < 4 && (0..n).all(|i| self.vertices[i] == count(i)) {
                return format!("{}({n}, [{}])", self.kind, list(edges));
            }
            return format!("{}([{}], [{}])", self.kind, list(labels), list(edges));
        }
        let arrow = if self.kind == "digraph" { " -> " } else { "-" };
        let edges = self.edges.iter().map(|(_, [a, b])| format!("{}{arrow}{}", a.text(), b.text()));
        format!("{} {{ {} }}", self.kind, list(labels.into_iter().chain(edges).collect())).replace('"', "")
    }
    /// As JSON, which has the vertices 0.. or 1.. only.
    pub(super) fn json(&self) -> Option<String> {
        if self.kind == "grid" {
            return Some(serde_json::Value::from(self.rows.clone()).to_string());
        }
        let (n, first) = (self.vertices.len(), usize::from(self.vertices[0] != count(0)));
        let edges: Vec<String> = self.edges.iter().map(|(_, [a, b])| format!("[{},{}]", a.text(), b.text())).collect();
        let base = if first == 1 { ",\"base\":1" } else { "" };
        let is_from = (0..n).all(|i| self.vertices[i] == count(first + i));
        is_from.then(|| format!("{{\"n\":{n},\"edges\":[{}]{base}}}", edges.join(",")))
    }
    pub(super) fn size(&self) -> usize {
        self.vertices.len() + self.edges.len()
    }
    pub(super) fn edges(&self) -> Vec<Value> {
        self.edges.iter().map(|(i, ends)| Value::Edge(*i, ends.to_vec())).collect()
    }
    /// Without some vertices.
    pub(super) fn without(&self, gone: &[Value]) -> Graph {
        let kind = if self.kind == "grid" { "graph" } else { self.kind };
        let vertices = self.vertices.iter().filter(|v| !gone.contains(v)).cloned().collect();
        let edges = self.edges.iter().filter(|(_, ends)| !ends.iter().any(|v| gone.contains(v))).cloned().collect();
        Graph { kind, word: None, rows: Vec::new(), vertices, edges }
    }
    fn with_edges(&self, edges: &[Value]) -> Graph {
        let edges = self.edges.iter().filter(|(i, ends)| edges.contains(&Value::Edge(*i, ends.to_vec())));
        Graph { edges: edges.cloned().collect(), ..self.without(&[]) }
    }
    fn is_arc(&self, a: &Value, b: &Value) -> bool {
        let is = |(_, [c, d]): &(usize, [Value; 2])| a == c && b == d || self.kind != "digraph" && a == d && b == c;
        self.edges.iter().any(is)
    }
    /// The vertices at most so many steps away.
    fn within(&self, from: &[Value], steps: usize) -> Vec<Value> {
        (0..steps).fold(from.to_vec(), |near, _| {
            let is_near = |v: &&Value| near.contains(v) || near.iter().any(|u| self.is_arc(u, v));
            self.vertices.iter().filter(is_near).cloned().collect()
        })
    }
    fn reach(&self, from: &[Value]) -> Vec<Value> {
        self.within(from, self.vertices.len())
    }
    fn undirected(&self) -> Graph {
        Graph { kind: "multigraph", ..self.clone() }
    }
    /// The classes of vertices that are found from each, in the order of their first.
    fn classes(&self, of: impl Fn(&Value) -> Vec<Value>) -> Vec<Value> {
        let mut all: Vec<Value> = Vec::new();
        for class in self.vertices.iter().map(|v| Value::set(of(v))) {
            if !all.contains(&class) {
                all.push(class);
            }
        }
        all
    }
    fn components(&self) -> Vec<Value> {
        let all = self.undirected();
        self.classes(|v| all.reach(std::slice::from_ref(v)))
    }
    fn matching(&self) -> usize {
        let Some((_, ends)) = self.edges.first() else { return 0 };
        let rest = Graph { edges: self.edges[1..].to_vec(), ..self.clone() };
        if ends[0] == ends[1] { rest.matching() } else { rest.matching().max(1 + self.without(ends).matching()) }
    }
    fn is_acyclic(&self) -> bool {
        if self.kind == "digraph" {
            let ends = |(_, [a, b]): &(usize, [Value; 2])| !self.reach(std::slice::from_ref(b)).contains(a);
            return self.edges.iter().all(ends);
        }
        self.edges.len() + self.components().len() == self.vertices.len()
    }
    fn is_bipartite(&self) -> bool {
        let side = |colours: usize, v: &Value| colours >> self.vertices.iter().position(|u| u == v).expect("it") & 1;
        let is_good = |c: usize| self.edges.iter().all(|(_, [a, b])| side(c, a) != side(c, b));
        (0..1 << self.vertices.len()).any(is_good)
    }
    fn grounded(&self, ground: &[Value]) -> Graph {
        let hanging = self.undirected().reach(ground);
        let edges = self.edges.iter().filter(|(_, ends)| hanging.contains(&ends[0])).cloned().collect();
        Graph { edges, ..self.clone() }
    }
    /// The outcome of the flip game, the vertices that win, and those that lead to a draw, by trying all plays.
    fn flip(&self, black: &[Value]) -> (&'static str, [Vec<Value>; 2]) {
        let mask = |set: &[Value]| -> usize {
            self.vertices.iter().enumerate().filter(|(_, v)| set.contains(v)).map(|(i, _)| 1 << i).sum()
        };
        let reach: Vec<usize> = self.vertices.iter().map(|v| mask(&self.reach(std::slice::from_ref(v)))).collect();
        // Whether the player to move wins; nobody is to move when a flip has left nothing black.
        let mut wins: Vec<Option<bool>> = vec![None; 1 << self.vertices.len()];
        let leaves = |wins: &[Option<bool>], from: usize, by: usize| {
            if from == by { Some(false) } else { wins[from ^ by] }
        };
        loop {
            let before = wins.clone();
            for (from, won) in wins.iter_mut().enumerate() {
                let after: Vec<_> = reach.iter().map(|by| leaves(&before, from, *by)).collect();
                if after.contains(&Some(false)) {
                    *won = Some(true);
                } else if after.iter().all(|left| *left == Some(true)) {
                    *won = Some(false);
                }
            }
            if wins == before {
                break;
            }
        }
        let start = mask(black);
        let to = |left: Option<bool>| {
            let is = |i: &usize| leaves(&wins, start, reach[*i]) == left;
            (0..reach.len()).filter(is).map(|i| self.vertices[i].clone()).collect()
        };
        let word = wins[start].map_or("draw", |wins| if wins { "first" } else { "second" });
        (word, [to(Some(false)), to(None)])
    }
    /// Whether who is to move a token along edges, each at most once, wins: by trying all plays.
    fn walks(&self, at: &Value) -> bool {
        self.steps(at).into_iter().any(|(left, _, to)| !left.walks(&to))
    }
    /// What is left after a walk along an edge, its place, and where it leads.
    fn steps(&self, at: &Value) -> Vec<(Graph, usize, Value)> {
        let mut all = Vec::new();
        for (i, (place, [a, b])) in self.edges.iter().enumerate() {
            if a == at || b == at {
                let edges = [&self.edges[..i], &self.edges[i + 1..]].concat();
                all.push((Graph { edges, ..self.clone() }, *place, if a == at { b.clone() } else { a.clone() }));
            }
        }
        all
    }
    /// The Grundy value of green Hackenbush, by its definition.
    fn hackenbush(&self, ground: &[Value], known: &mut BTreeMap<Vec<usize>, i128>) -> i128 {
        let left = self.grounded(ground);
        let key: Vec<usize> = left.edges.iter().map(|e| e.0).collect();
        if let Some(value) = known.get(&key) {
            return *value;
        }
        let without = |i: usize| Graph { edges: [&left.edges[..i], &left.edges[i + 1..]].concat(), ..left.clone() };
        let values: Vec<i128> = (0..key.len()).map(|i| without(i).hackenbush(ground, known)).collect();
        let value = (0..=values.len() as i128).find(|n| !values.contains(n)).expect("one");
        known.insert(key, value);
        value
    }
}

/// A graph as a file of data, and how the name of the file ends: a line for each vertex and each edge, the rows of a grid, DIMACS
/// for the vertices 1.., and graph6 for 0.. and edges in its order.
pub(super) fn data(graph: &Value, rng: &mut Rng) -> (&'static str, String) {
    let graph = as_graph(graph).expect("a graph");
    let n = graph.vertices.len();
    let mut labels = graph.vertices.clone();
    labels.sort();
    let is_from = |first: usize| graph.kind == "graph" && (0..n).all(|i| labels[i] == count(first + i));
    let ends: Vec<[&Value; 2]> = graph.edges.iter().map(|(_, [a, b])| [a, b]).collect();
    if is_from(1) && labels == graph.vertices && rng.chance(70) {
        let edges: Vec<String> = ends.iter().map(|[a, b]| format!("e {} {}\n", a.text(), b.text())).collect();
        return ("col", format!("c a graph\np edge {n} {}\n{}", ends.len(), edges.concat()));
    }
    // The upper triangle, a column after the other.
    let places: Vec<[Value; 2]> = (0..n).flat_map(|j| (0..j).map(move |i| [count(i), count(j)])).collect();
    let written: Vec<&[Value; 2]> = places.iter().filter(|[a, b]| ends.contains(&[a, b])).collect();
    if is_from(0) && written.iter().map(|[a, b]| [a, b]).eq(ends.iter().copied()) {
        let mut bits: Vec<bool> = places.iter().map(|[a, b]| ends.contains(&[a, b])).collect();
        bits.resize(bits.len().div_ceil(6) * 6, false);
        let byte = |bits: &[bool]| bits.iter().fold(0u8, |byte, bit| byte << 1 | u8::from(*bit));
        let bytes = std::iter::once(u8::try_from(n).expect("few")).chain(bits.chunks(6).map(byte));
        return ("g6", bytes.map(|byte| char::from(byte + 63)).chain(['\n']).collect());
    }
    let lines: Vec<String> = if graph.kind == "grid" {
        graph.rows.clone()
    } else {
        let edges = graph.edges.iter().map(|(_, [a, b])| format!("{} {} # an edge", a.text(), b.text()));
        graph.vertices.iter().map(Value::text).chain(edges).collect()
    };
    ("txt", lines.join("\n").replace('"', "") + "\n")
}

pub(super) fn grid_text(rows: &[String]) -> String {
    format!("grid([{}])", rows.iter().map(|row| format!("\"{row}\"")).collect::<Vec<_>>().join(", "))
}

/// A graph, or the graph of a grid.
pub(super) fn as_graph(value: &Value) -> Option<Rc<Graph>> {
    match value {
        Value::Graph(graph) => Some(graph.clone()),
        Value::Grid(rows) => Some(Rc::new(Graph::of_rows(rows))),
        _ => None,
    }
}

/// The ground: a vertex, or a set of them.
fn ground(value: &Value) -> Vec<Value> {
    if let Value::Set(all) = value { all.clone() } else { vec![value.clone()] }
}

/// A graph of a known form, and how its word writes it.
fn known(rng: &mut Rng) -> (String, usize, Vec<[usize; 2]>) {
    let n = 2 + rng.below(3);
    match rng.below(5) {
        0 => (format!("path({n})"), n, (1..n).map(|i| [i - 1, i]).collect()),
        1 => (format!("cycle({n})"), n, (0..n).map(|i| [i, (i + 1) % n]).collect()),
        2 => (format!("complete({n})"), n, (0..n).flat_map(|i| (i + 1..n).map(move |j| [i, j])).collect()),
        3 => (format!("star({n})"), n, (1..n).map(|i| [0, i]).collect()),
        _ => {
            let a = 1 + rng.below(n - 1);
            (format!("bipartite({a}, {})", n - a), n, (0..a).flat_map(|i| (a..n).map(move |j| [i, j])).collect())
        }
    }
}

/// A word about a graph or a grid; `None`: it is none of these.
pub(super) fn call(word: &str, args: &[Value]) -> Option<Value> {
    let graph = as_graph(args.first()?)?;
    let all = &graph.vertices;
    let second = || args[1].members();
    let one = || std::slice::from_ref(&args[1]);
    let some = |is: &dyn Fn(&Value) -> bool| Value::set(all.iter().filter(|v| is(v)).cloned().collect());
    let is_in = |rows: &[String], v: &Value, x: &Value| args.len() < 2 || get(rows, v) == *x;
    let moved = |from: &Value, by: [i128; 2], far: i128| {
        let [r, c] = numbers(from);
        Value::Tuple(vec![Value::Int(r + far * by[0]), Value::Int(c + far * by[1])])
    };
    Some(match word {
        "vertices" => some(&|_| true),
        "edges" if args.len() > 1 => {
            let (among, edges) = (second(), graph.edges());
            Value::Set(edges.into_iter().filter(|e| e.members().iter().all(|v| among.contains(v))).collect())
        }
        "edges" => Value::Set(graph.edges()),
        "neighbours" => some(&|v| graph.undirected().is_arc(&args[1], v)),
        "successors" => some(&|v| graph.is_arc(&args[1], v)),
        "predecessors" => some(&|v| graph.is_arc(v, &args[1])),
        "degree" => count(graph.edges.iter().flat_map(|(_, ends)| ends).filter(|v| **v == args[1]).count()),
        "reach" => Value::set(graph.reach(one())),
        "distance" => {
            let far = (0..=all.len()).find(|steps| graph.within(one(), *steps).contains(&args[2]));
            far.map_or(Value::Int(-1), count)
        }
        "components" if args.len() > 1 => {
            let among = second();
            let gone: Vec<Value> = all.iter().filter(|v| !among.contains(v)).cloned().collect();
            Value::List(graph.without(&gone).components())
        }
        "components" => Value::List(graph.components()),
        "strong_components" => {
            let there = |v: &Value| graph.reach(std::slice::from_ref(v));
            Value::List(graph.classes(|v| there(v).into_iter().filter(|u| there(u).contains(v)).collect()))
        }
        "subgraph" => Value::Graph(Rc::new(graph.with_edges(&second()))),
        "digraph" => {
            let both = graph.edges.iter().flat_map(|(_, [a, b])| [[a.clone(), b.clone()], [b.clone(), a.clone()]]);
            Value::Graph(Rc::new(Graph::new("digraph", all.clone(), both.collect())))
        }
        "is_connected" => Value::Bool(graph.components().len() <= 1),
        "is_acyclic" => Value::Bool(graph.is_acyclic()),
        "is_tree" => Value::Bool(graph.components().len() == 1 && graph.edges.len() + 1 == all.len()),
        "is_bipartite" => Value::Bool(graph.is_bipartite()),
        "matching" => count(graph.matching()),
        "sometimes_unmatched" => some(&|v| graph.without(std::slice::from_ref(v)).matching() == graph.matching()),
        "grounded" => Value::Set(graph.with_edges(&second()).grounded(&ground(&args[2])).edges()),
        "fusion" => {
            let left = graph.with_edges(&second());
            Value::Int(left.hackenbush(&ground(&args[2]), &mut BTreeMap::new()))
        }
        "fusion_winning" => {
            let ground = ground(&args[2]);
            let left = graph.with_edges(&second()).grounded(&ground);
            let rest = |e: &Value| left.edges().into_iter().filter(|other| other != e).collect::<Vec<_>>();
            let wins = |e: &Value| left.with_edges(&rest(e)).hackenbush(&ground, &mut BTreeMap::new()) == 0;
            Value::Set(left.edges().into_iter().filter(wins).collect())
        }
        "flip_outcome" => Value::Text(graph.flip(&second()).0.to_string()),
        "flip_winning" => Value::set(graph.flip(&second()).1[0].clone()),
        "flip_drawing" => Value::set(graph.flip(&second()).1[1].clone()),
        "edge_geography_winning" => {
            let left = graph.with_edges(&second());
            let steps = left.steps(&args[2]).into_iter().filter(|(left, _, to)| !left.walks(to));
            let won: Vec<usize> = steps.map(|(_, place, _)| place).collect();
            Value::Set(left.edges().into_iter().filter(|e| matches!(e, Value::Edge(i, _) if won.contains(i))).collect())
        }
        "rows" | "cols" | "cells" | "around" | "ray" => {
            let rows = if let Value::Grid(rows) = &args[0] { rows } else { &graph.rows };
            let is_free = |v: &Value| !is_wall(rows, v);
            match word {
                "rows" => count(rows.len()),
                "cols" => count(rows[0].chars().count()),
                "cells" => {
                    Value::set(cells(rows).into_iter().filter(|v| is_in(rows, v, args.last().expect("one"))).collect())
                }
                "around" => {
                    let by = (-1..=1).flat_map(|r| (-1..=1).map(move |c| [r, c])).filter(|by| *by != [0, 0]);
                    Value::set(by.map(|by| moved(&args[1], by, 1)).filter(is_free).collect())
                }
                _ => {
                    let taken = args.get(3).map_or(Vec::new(), Value::members);
                    let line = (1..9).map(|far| moved(&args[1], numbers(&args[2]), far));
                    Value::List(line.take_while(|v| is_free(v) && !taken.contains(v)).collect())
                }
            }
        }
        _ => return None,
    })
}

impl Graphs {
    /// The edges of the first.
    pub(super) fn edges(&self) -> Vec<Value> {
        as_graph(&self.lets[0]).expect("a graph").edges()
    }
    /// One or two graphs of a kind, with two to four vertices, or grids with the same walls.
    pub(super) fn random(rng: &mut Rng) -> Graphs {
        let kind = *rng.pick(&["graph", "graph", "digraph", "digraph", "multigraph", "grid"]);
        let number = 1 + rng.below(2);
        if kind == "grid" {
            let domain = Domain::Grid { rows: 2, cols: 2 + rng.below(2), letters: "#ab." };
            let Value::Grid(first) = domain.pick(rng) else { unreachable!() };
            let mut lets = vec![first.clone()];
            for _ in 1..number {
                let change = |rows: Vec<String>, at: &Value| {
                    if is_wall(&rows, at) || rng.chance(50) { rows } else { put(&rows, at, *rng.pick(&["a", "b"])) }
                };
                lets.push(cells(&first).iter().fold(first.clone(), change));
            }
            let graphs: Vec<Graph> = lets.iter().map(|rows| Graph::of_rows(rows)).collect();
            if graphs[0].vertices.len() < 2 {
                return Graphs::random(rng);
            }
            let labels = graphs[0].vertices.clone();
            return Graphs { kind, labels, lets: graphs.into_iter().map(|g| Value::Graph(Rc::new(g))).collect() };
        }
        if kind != "multigraph" && rng.chance(25) {
            let (word, n, edges) = known(rng);
            let labels: Vec<Value> = (0..n).map(count).collect();
            let edges = edges.into_iter().map(|ends| ends.map(count)).collect();
            let graph = Graph { word: Some(word.clone()), ..Graph::new("graph", labels.clone(), edges) };
            let mut graph = Value::Graph(Rc::new(graph));
            if kind == "digraph" {
                let Some(Value::Graph(both)) = call("digraph", &[graph]) else { unreachable!() };
                graph = Value::Graph(Rc::new(Graph { word: Some(format!("digraph({word})")), ..(*both).clone() }));
            }
            return Graphs { kind, labels, lets: vec![graph] };
        }
        let words = ["b", "a", "c", "when"].map(|word| Value::Text(word.to_string()));
        let labels = match rng.below(3) {
            0 => words[..2 + rng.below(3)].to_vec(),
            1 => [3, 1, 2][..2 + rng.below(2)].iter().map(|i| Value::Int(*i)).collect(),
            _ => (0..2 + rng.below(3)).map(count).collect(),
        };
        let made = |rng: &mut Rng| {
            let edge = |rng: &mut Rng| [(); 2].map(|()| rng.pick(&labels).clone());
            let mut edges: Vec<[Value; 2]> =
                (0..rng.below(6)).map(|_| edge(rng)).filter(|[a, b]| a != b || labels[0] == *a).collect();
            if rng.chance(40) {
                // The order of graph6.
                for ends in &mut edges {
                    ends.sort();
                }
                edges.retain(|[a, b]| a != b);
                edges.sort_by_key(|[a, b]| [b.clone(), a.clone()]);
            }
            Value::Graph(Rc::new(Graph::new(kind, labels.clone(), edges)))
        };
        let lets = (0..number).map(|_| made(rng)).collect();
        Graphs { kind, labels, lets }
    }
}
