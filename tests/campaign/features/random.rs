//! Random expressions of every type over the names in scope. They have a value wherever they stand: guards protect
//! indices, divisors and members taken out of bags.

use super::expressions::{Clause, Ex, Name, Pattern, Term, at, call, int, op, when};
use super::graphs::Graphs;
use super::reals::Real;
use super::values::{BIG, Domain, LETTERS, Type, Value};
use crate::rng::Rng;
use std::rc::Rc;

/// Names that a game may use; reserved words stand in backquotes.
const NAMES: [&str; 60] = [
    "n", "m", "a", "b", "c", "x", "y", "z", "u", "v", "w", "k", "i", "j", "h", "heaps", "end", "score", "gain", "when",
    "legal", "same", "size", "first", "grundy", "`in`", "`mod`", "win", "lose", "draw", "again", "xs", "ys", "s1",
    "from", "of", "as", "lost", "won", "players", "sum", "list", "set", "max", "text", "nat", "int", "bag", "`game`",
    "min", "bool", "moves", "winning", "outcome", "digits", "graph2", "`misere`", "total", "`if`", "drawn",
];

/// The game that rules may ask about.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) game: usize,
    pub(super) name: &'static str,
    pub(super) params: Vec<Domain>,
    pub(super) fields: Vec<Domain>,
    pub(super) misere: bool,
}

pub(super) struct Random {
    pub(super) rng: Rng,
    /// Names with their types, and whether they are never negative.
    pub(super) names: Vec<(Name, Type, bool)>,
    /// Names that mean something else.
    pub(super) taken: Vec<Name>,
    pub(super) defs: Vec<Name>,
    pub(super) is_big: bool,
    pub(super) asked: Option<Asked>,
    /// The root in the reals of the file.
    pub(super) root: Option<i128>,
    /// The graphs of the file, `gr0` and further ones.
    pub(super) graphs: Option<Rc<Graphs>>,
}

fn size(x: Ex) -> Ex {
    call("size", vec![x])
}
fn text(t: &str) -> Ex {
    Ex::Lit(Value::Text(t.to_string()))
}
fn list_of(ty: &Type) -> Type {
    Type::List(Box::new(ty.clone()))
}
fn vertex_set() -> Type {
    Type::Set(Box::new(Type::Vertex))
}
/// Whether `<`, `min` and `max` take it.
fn is_ordered(ty: &Type) -> bool {
    match ty {
        Type::Int | Type::Real | Type::Text | Type::Vertex => true,
        Type::Tuple(parts) => parts.iter().all(is_ordered),
        Type::List(part) => is_ordered(part),
        Type::Bool | Type::Set(_) | Type::Bag(_) | Type::Graph | Type::Edge | Type::Grid(..) => false,
    }
}

impl Random {
    pub(super) fn chance(&mut self, percent: u64) -> bool {
        self.rng.chance(percent)
    }
    pub(super) fn number(&mut self, low: i64, high: i64) -> i128 {
        self.rng.range(low, high).into()
    }
    pub(super) fn lit(&mut self, low: i64, high: i64) -> Ex {
        int(self.number(low, high))
    }
    fn letter(&mut self) -> Ex {
        let letter = *self.rng.pick(&LETTERS);
        text(letter)
    }
    /// A name that nothing in scope has.
    pub(super) fn fresh(&mut self, prefix: &str) -> Name {
        loop {
            let word = *self.rng.pick(&NAMES);
            let word = if self.chance(15) || !prefix.is_empty() {
                format!("{prefix}{}{}", word.trim_matches('`'), self.number(2, 99))
            } else {
                word.to_string()
            };
            let is_free = |known: &Name| **known != *word;
            if self.names.iter().all(|n| is_free(&n.0)) && self.taken.iter().all(is_free) {
                return word.into();
            }
        }
    }
    pub(super) fn bind(&mut self, name: &Name, ty: &Type) {
        self.names.push((name.clone(), ty.clone(), false));
    }
    /// Two new names.
    pub(super) fn two(&mut self, ty: &Type, prefix: &str) -> [Name; 2] {
        [(); 2].map(|()| {
            let name = self.fresh(prefix);
            self.bind(&name, ty);
            name
        })
    }
    /// A pattern for a member of this type, with its names bound.
    pub(super) fn pattern(&mut self, ty: &Type, prefix: &str) -> Pattern {
        if let Type::Tuple(parts) = ty
            && self.chance(70)
        {
            return Pattern::Parts(parts.iter().map(|part| self.pattern(part, prefix)).collect());
        }
        let name = self.fresh(prefix);
        self.bind(&name, ty);
        Pattern::One(name)
    }
    fn known(&mut self, is: impl Fn(&Type) -> bool) -> Option<(Ex, Type)> {
        let known: Vec<_> = self.names.iter().filter(|n| is(&n.1)).cloned().collect();
        (!known.is_empty()).then(|| {
            let (name, ty, _) = self.rng.pick(&known).clone();
            (Ex::Name(name), ty)
        })
    }
    pub(super) fn named(&mut self, ty: &Type) -> Option<Ex> {
        self.known(|known| known == ty).map(|known| known.0)
    }

    pub(super) fn ex(&mut self, ty: &Type, depth: u32) -> Ex {
        let is_leaf = depth == 0 || self.chance(25);
        if is_leaf
            && self.chance(80)
            && let Some(name) = self.named(ty)
        {
            return name;
        }
        if !is_leaf && self.chance(8) {
            return when(self.truth(depth - 1), self.ex(ty, depth - 1), self.ex(ty, depth - 1));
        }
        let e = match ty {
            Type::Int if is_leaf => self.leaf(),
            Type::Int => self.int(depth - 1),
            Type::Bool => self.truth(depth),
            Type::Text if is_leaf => (0..self.rng.below(3)).fold(text(""), |t, _| {
                let (Ex::Lit(t), Ex::Lit(l)) = (t, self.letter()) else { unreachable!() };
                text(&(t.chars().to_string() + l.chars()))
            }),
            Type::Text => self.text(depth - 1),
            Type::Real => self.real(depth),
            Type::Graph => {
                let graphs = self.graphs.clone().expect("graphs");
                Ex::Name(format!("gr{}", self.rng.below(graphs.lets.len())).into())
            }
            Type::Vertex => self.vertex(depth),
            Type::Edge => Ex::Lit(self.rng.pick(&self.graphs.as_ref().expect("graphs").edges()).clone()),
            Type::Grid(rows, cols, letters) => self.grid(*rows, *cols, letters, is_leaf),
            Type::Tuple(parts) => {
                let depth = depth.saturating_sub(1);
                call("(", parts.iter().map(|part| self.ex(part, depth)).collect())
            }
            Type::List(part) | Type::Set(part) | Type::Bag(part) => {
                let made = if is_leaf { None } else { self.collection(ty, part, depth - 1) };
                made.unwrap_or_else(|| {
                    let members = (0..=self.rng.below(2)).map(|_| self.ex(part, 0)).collect();
                    match ty {
                        Type::List(_) => call("[", members),
                        Type::Set(_) => call("{", members),
                        _ => call("bag", vec![call("[", members)]),
                    }
                })
            }
        };
        if self.chance(4) { Ex::Brackets(Box::new(e)) } else { e }
    }

    /// A vertex of each graph of the file.
    fn vertex(&mut self, depth: u32) -> Ex {
        let graphs = self.graphs.clone().expect("graphs");
        match (self.rng.below(6), self.named(&Type::Vertex)) {
            (0 | 1, Some(v)) if depth > 0 => {
                let near = self.ex(&vertex_set(), depth - 1);
                call(*self.rng.pick(&["min", "max"]), vec![op("+", near, call("{", vec![v]))])
            }
            (2..=4, Some(v)) => v,
            (0, _) if depth > 0 => {
                let place = int(self.rng.below(graphs.labels.len()) as i128);
                at(call("list", vec![self.ex(&Type::Graph, 0)]), place)
            }
            _ => Ex::Lit(self.rng.pick(&graphs.labels).clone()),
        }
    }
    fn grid(&mut self, rows: usize, cols: usize, letters: &'static str, is_leaf: bool) -> Ex {
        let domain = Domain::Grid { rows, cols, letters };
        match self.named(&domain.of()) {
            Some(x) if !is_leaf => {
                let [from, to] = [(); 2].map(|()| self.character(letters));
                if self.chance(50) {
                    let cell = self.cell(rows, cols);
                    return Ex::Update(x.into(), vec![(cell, ":=", to)], vec![]);
                }
                let name = self.fresh("");
                let places = Clause::In(Pattern::One(name.clone()), call("cells", vec![x.clone(), from]));
                Ex::Update(x.into(), vec![(Ex::Name(name), ":=", to)], vec![places])
            }
            _ => Ex::Lit(domain.pick(&mut self.rng)),
        }
    }
    fn character(&mut self, letters: &str) -> Ex {
        let all: Vec<char> = letters.chars().collect();
        text(&self.rng.pick(&all).to_string())
    }
    fn cell(&mut self, rows: usize, cols: usize) -> Ex {
        call("(", [rows, cols].map(|n| int(self.rng.below(n) as i128)).to_vec())
    }
    fn direction(&mut self) -> Ex {
        let (r, c) = *self.rng.pick(&[(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, 1)]);
        call("(", vec![int(r), int(c)])
    }
    /// A number about a grid in scope.
    fn of_grid(&mut self) -> Option<Ex> {
        let (x, ty) = self.known(|ty| matches!(ty, Type::Grid(..)))?;
        let Type::Grid(rows, cols, letters) = ty else { unreachable!() };
        let words = ["cells", "around", "ray", "edges", "components", "list", "matching", "rows", "cols"];
        let word = *self.rng.pick(&words);
        let args = match word {
            "cells" if self.chance(80) => vec![x, self.character(letters)],
            "around" => vec![x, self.cell(rows, cols)],
            "ray" => vec![x, self.cell(rows, cols), self.direction()],
            _ => vec![x],
        };
        let e = call(word, args);
        Some(if ["matching", "rows", "cols"].contains(&word) { e } else { size(e) })
    }
    /// A graph made from one of the file; its vertices are some of those.
    fn made_graph(&mut self, d: u32) -> Ex {
        let g = self.ex(&Type::Graph, 0);
        let is_digraph = self.graphs.as_ref().is_some_and(|graphs| graphs.kind == "digraph");
        match self.rng.below(5) {
            0 => op("-", g, self.ex(&vertex_set(), d)),
            1 if !is_digraph => call("digraph", vec![g]),
            2 => call("subgraph", vec![g.clone(), call("edges", vec![g, self.ex(&vertex_set(), d)])]),
            _ => g,
        }
    }
    /// A number about a graph.
    fn of_graph(&mut self, d: u32) -> Option<Ex> {
        let kind = self.graphs.as_ref()?.kind;
        let (g, v) = (self.ex(&Type::Graph, 0), self.ex(&Type::Vertex, d));
        Some(match self.rng.below(13) {
            0 => call("degree", vec![g, v]),
            1 | 2 => call("distance", vec![g, v, self.ex(&Type::Vertex, d)]),
            3 | 4 => {
                let word = *self.rng.pick(&["edges", "components", "strong_components", "list"]);
                size(call(word, vec![self.made_graph(d)]))
            }
            5 => call("matching", vec![self.made_graph(d)]),
            6 => size(call(*self.rng.pick(&["edges", "components"]), vec![g, self.ex(&vertex_set(), d)])),
            7..=10 if matches!(kind, "graph" | "multigraph") => {
                let edges = call("edges", vec![g.clone(), self.ex(&vertex_set(), d)]);
                let ground = if self.chance(70) { v.clone() } else { self.ex(&vertex_set(), d) };
                match self.rng.below(5) {
                    0 | 1 => call("fusion", vec![g, edges, ground]),
                    2 => size(call("fusion_winning", vec![g, edges, ground])),
                    3 => {
                        let winning = size(call("edge_geography_winning", vec![g.clone(), edges, v]));
                        when(call("is_bipartite", vec![g]), winning, int(-1))
                    }
                    _ => size(call("grounded", vec![g, edges, ground])),
                }
            }
            11 => {
                let scope = self.names.len();
                let pattern = self.pattern(&Type::Tuple(vec![Type::Vertex; 2]), "");
                let body = self.truth(d.min(1));
                self.names.truncate(scope);
                let Pattern::Parts(_) = &pattern else { return Some(size(call("edges", vec![g]))) };
                Ex::Each("count", body.into(), vec![Clause::In(pattern, call("edges", vec![g]))])
            }
            _ => size(self.vertices(d)),
        })
    }
    /// Vertices by a word about a graph of the file.
    pub(super) fn vertices(&mut self, d: u32) -> Ex {
        let kind = self.graphs.as_ref().expect("graphs").kind;
        let (g, v) = (self.ex(&Type::Graph, 0), self.ex(&Type::Vertex, d));
        match self.rng.below(if kind == "grid" { 16 } else { 9 }) {
            0..=2 => call("neighbours", vec![g, v]),
            3 => call("successors", vec![g, v]),
            4 => call("predecessors", vec![g, v]),
            5 => call("reach", vec![g, v]),
            6 => call("vertices", vec![self.made_graph(d)]),
            7 => call("sometimes_unmatched", vec![self.made_graph(d)]),
            8 => call(*self.rng.pick(&["flip_winning", "flip_drawing"]), vec![g, self.ex(&vertex_set(), d)]),
            9 => call("cells", vec![g, self.character("ab.")]),
            10 => call("around", vec![g, v]),
            _ => call("set", vec![call("ray", vec![g, v, self.direction(), self.ex(&vertex_set(), d)])]),
        }
    }

    pub(super) fn real(&mut self, depth: u32) -> Ex {
        let root = self.root.expect("a root");
        let known = self.named(&Type::Real);
        if depth == 0 {
            let (p, q, d) = (self.number(-3, 5), self.number(-1, 2), self.number(1, 3));
            return known.unwrap_or(Ex::Lit(Value::Real(Real::new(p, q, d, root).expect("small"))));
        }
        let d = depth - 1;
        let other = if self.chance(40) { Type::Int } else { Type::Real };
        match self.rng.below(10) {
            9 => call("sqrt", vec![int(self.number(1, 3).pow(2) * *self.rng.pick(&[root, root, 1]))]),
            0 | 1 => op(*self.rng.pick(&["+", "-"]), self.ex(&Type::Real, d), self.ex(&other, d)),
            2 => op(*self.rng.pick(&["+", "-", "*"]), self.ex(&other, d), self.ex(&Type::Real, d)),
            3 | 4 => op("*", self.ex(&Type::Real, d), self.ex(&other, d)),
            5 => op("/", self.ex(&Type::Int, d), self.lit(1, 5)),
            6 => {
                let by = Real::new(self.number(1, 3), self.number(0, 1), 1, root).expect("small");
                op("/", self.ex(&Type::Real, d), Ex::Lit(Value::Real(by)))
            }
            7 => call(*self.rng.pick(&["abs", "-"]), vec![self.ex(&Type::Real, d)]),
            _ => call(*self.rng.pick(&["min", "max"]), vec![self.ex(&Type::Real, d), self.ex(&Type::Real, d)]),
        }
    }

    fn leaf(&mut self) -> Ex {
        if self.is_big && self.chance(15) {
            return match *self.rng.pick(&BIG) {
                n if n == 1 << 64 => op("**", int(2), int(64)),
                n if n == 10i128.pow(25) => op("**", int(10), int(25)),
                n => int(n),
            };
        }
        if self.chance(50) { self.lit(-3, 5) } else { self.lit(0, 4) }
    }
    /// An int that is not negative.
    fn nat(&mut self, depth: u32) -> Ex {
        let nats: Vec<Name> = self.names.iter().filter(|n| n.2).map(|n| n.0.clone()).collect();
        match self.rng.below(4) {
            0 | 1 if !nats.is_empty() => Ex::Name(self.rng.pick(&nats).clone()),
            0 => self.lit(0, 5),
            1 | 2 => call("abs", vec![self.ex(&Type::Int, depth)]),
            _ => op("mod", self.ex(&Type::Int, depth), self.lit(2, 7)),
        }
    }
    /// An int from 0 to `most`.
    fn below(&mut self, most: i128, depth: u32) -> Ex {
        op("mod", self.ex(&Type::Int, depth), int(most + 1))
    }
    /// Something that clauses go through, and the type of its members.
    pub(super) fn source(&mut self, depth: u32) -> (Ex, Type) {
        if self.chance(50)
            && let Some((name, Type::List(part) | Type::Set(part) | Type::Bag(part))) =
                self.known(|ty| matches!(ty, Type::List(_) | Type::Set(_) | Type::Bag(_)))
        {
            return (name, *part);
        }
        let part = Box::new(Type::Int);
        let collection = match self.rng.below(5) {
            0 => Type::List(part),
            1 => Type::Set(part),
            2 => Type::Bag(part),
            _ => return (op("..", self.lit(-1, 1), self.below(3, depth)), Type::Int),
        };
        (self.ex(&collection, depth), Type::Int)
    }
    /// `word(E for x in xs where C)`.
    fn each(&mut self, word: &'static str, ty: &Type, depth: u32) -> Ex {
        let scope = self.names.len();
        let (xs, part) = self.source(depth);
        let pattern = self.pattern(&part, "");
        let mut over = vec![Clause::In(pattern, xs)];
        if self.chance(25) {
            let value = self.ex(&Type::Int, depth.min(1));
            over.push(Clause::Is(self.pattern(&Type::Int, ""), value));
        }
        if self.chance(60) {
            over.push(Clause::Where(self.truth(depth.min(1))));
        }
        let body = self.ex(ty, depth.min(1));
        self.names.truncate(scope);
        Ex::Each(word, Box::new(body), over)
    }
    fn sequence(&mut self, depth: u32) -> Ex {
        let part = Box::new(Type::Int);
        let ty = match self.rng.below(3) {
            0 => Type::List(part),
            1 => Type::Set(part),
            _ => Type::Bag(part),
        };
        self.ex(&ty, depth)
    }

    fn int(&mut self, d: u32) -> Ex {
        let ints = list_of(&Type::Int);
        if self.chance(if self.graphs.is_some() { 30 } else { 10 })
            && let Some(e) = if self.chance(75) { self.of_graph(d) } else { self.of_grid() }
        {
            return e;
        }
        if self.root.is_some() && self.chance(12) {
            let word = *self.rng.pick(&["floor", "floor", "ceil", "sign"]);
            let e = if self.chance(20) { self.each("sum", &Type::Real, d) } else { self.ex(&Type::Real, d + 1) };
            // The sum of nothing is an int, which has a floor too.
            return call(word, vec![e]);
        }
        match self.rng.below(36) {
            0..=4 => op(*self.rng.pick(&["+", "-"]), self.ex(&Type::Int, d), self.ex(&Type::Int, d)),
            5 => op("*", self.ex(&Type::Int, d), self.lit(-2, 4)),
            6 | 7 => op(*self.rng.pick(&["div", "mod"]), self.ex(&Type::Int, d), self.lit(2, 5)),
            8 => op(*self.rng.pick(&["xor", "&"]), self.nat(d), self.nat(d)),
            9 => {
                let word = *self.rng.pick(&["min", "max", "gcd", "lcm"]);
                call(word, vec![self.ex(&Type::Int, d), self.ex(&Type::Int, d)])
            }
            10 => call(*self.rng.pick(&["abs", "sign", "-"]), vec![self.ex(&Type::Int, d)]),
            11 => size(self.source(d).0),
            12 => {
                let t = self.ex(&Type::Text, d);
                size(if self.chance(30) { call("split", vec![t, self.letter()]) } else { t })
            }
            13 => call(*self.rng.pick(&["sum", "sum", "product"]), vec![self.sequence(d)]),
            14 => self.each("count", &Type::Bool, d),
            15 => self.each("sum", &Type::Int, d),
            16 => {
                let Ex::Each(_, body, over) = self.each("[", &Type::Int, d) else { unreachable!() };
                call(*self.rng.pick(&["min", "max"]), vec![op("+", call("[", vec![int(0)]), Ex::Each("[", body, over))])
            }
            17 | 18 => {
                let Some(xs) = self.named(&ints) else { return self.leaf() };
                let (e, i) = (self.ex(&Type::Int, d), self.number(0, 2));
                let is_there = op("!=", xs.clone(), call("[", vec![]));
                match self.rng.below(4) {
                    0 => when(is_there, call("first", vec![xs]), e),
                    1 => when(is_there, at(xs.clone(), op("mod", e, size(xs))), int(i)),
                    2 => when(op("not in", e.clone(), xs.clone()), int(i), e),
                    _ => when(op(">", size(xs.clone()), int(i)), at(xs, int(i)), e),
                }
            }
            19 => {
                let known = self.known(|ty| matches!(ty, Type::Tuple(parts) if parts.contains(&Type::Int)));
                let Some((t, Type::Tuple(parts))) = known else { return self.leaf() };
                at(t, int(parts.iter().position(|p| *p == Type::Int).expect("it is there") as i128))
            }
            20 => call("mex", vec![self.sequence(d)]),
            21 if self.chance(30) => call("int", vec![call("text", vec![self.nat(d)])]),
            21 => call("bits", vec![self.nat(d)]),
            22 if self.chance(20) => {
                let code = *self.rng.pick(&["0.77", "0.137", "0.07", "4.7", "0.3", "0.033", "0.6"]);
                call("octal", vec![text(code), self.below(9, d)])
            }
            22 if self.chance(20) => {
                let amounts = op("+", call("{", vec![int(1)]), call("{", vec![op("+", int(1), self.below(4, d))]));
                call("subtraction", vec![amounts, self.below(9, d)])
            }
            22 if self.chance(30) => call("nim_product", vec![self.below(15, d), self.below(15, d)]),
            22 => size(call("places", vec![self.ex(&Type::Text, d), self.letter()])),
            23 => op("**", Ex::Brackets(self.below(3, d).into()), self.lit(0, 3)),
            24 => call("sum", vec![call("digits", vec![self.below(39, d), self.lit(2, 3)])]),
            25 => {
                if self.chance(25) {
                    let all = call(*self.rng.pick(&["bags", "lists"]), vec![self.sequence(d.min(1)), self.lit(0, 2)]);
                    let name = self.fresh("");
                    let first =
                        call("min", vec![op("+", call("[", vec![int(9)]), call("list", vec![Ex::Name(name.clone())]))]);
                    return Ex::Each("sum", first.into(), vec![Clause::In(Pattern::One(name), all)]);
                }
                let word = *self.rng.pick(&["divisors", "prime_factors", "primes", "zeckendorf", "partitions"]);
                size(call(word, vec![op("+", int(1), self.below(if word == "partitions" { 4 } else { 29 }, d))]))
            }
            26 => call("valuation", vec![op("+", int(1), self.below(29, d)), int(2)]),
            27 => size(self.each("tally", &Type::Int, d)),
            28 => {
                let known = self.known(|ty| matches!(ty, Type::Bag(_) | Type::Set(_)));
                let Some((xs, ty)) = known else { return self.leaf() };
                size(call(if matches!(ty, Type::Bag(_)) { "subbags" } else { "subsets" }, vec![xs]))
            }
            29 => {
                let Some(xs) = self.named(&ints) else { return self.leaf() };
                let name = self.fresh("");
                let range = op("..", int(0), op("mod", Ex::Name(name.clone()), int(3)));
                if self.chance(40) {
                    let numbers = call(
                        "slide",
                        vec![self.lit(-2, 5), self.below(4, d), self.ex(&Type::Set(Type::Int.into()), d)],
                    );
                    return call("sum", vec![numbers]);
                }
                size(Ex::Each("choices", Box::new(range), vec![Clause::In(Pattern::One(name), xs)]))
            }
            30 => {
                let set = Type::Set(Box::new(Type::Int));
                size(call("union", vec![call("[", vec![self.ex(&set, d), self.ex(&set, d)])]))
            }
            31 => call("floor of halves", vec![self.ex(&Type::Int, d), self.ex(&Type::Int, d)]),
            32 => call("floor of roots", vec![self.nat(d)]),
            33 if !self.defs.is_empty() => {
                let name = self.rng.pick(&self.defs).clone();
                Ex::Def(name, vec![self.below(4, d), self.ex(&Type::Int, d)])
            }
            _ => self.ask(d, false).unwrap_or_else(|| self.leaf()),
        }
    }

    /// A question about another game.
    fn ask(&mut self, depth: u32, is_truth: bool) -> Option<Ex> {
        let asked = self.asked.take()?;
        let mut args: Vec<Ex> = Vec::new();
        for domain in asked.params.iter().chain(&asked.fields) {
            let e = self.ex(&domain.of(), depth.min(1));
            args.push(domain.fit(e, 0, &mut self.rng));
        }
        let fields = args.split_off(asked.params.len());
        let said = (0..fields.len()).map(|i| (i, None)).collect();
        let (game, name, says_params) = (asked.game, asked.name, !args.is_empty());
        let term = Box::new(Term { game, name, params: args, says_params, fields, said });
        let words: &[&str] = match (is_truth, asked.misere) {
            (true, _) => &["wins", "loses", "outcome"],
            (false, true) => &["moves", "winning", "remoteness"],
            (false, false) => &["winning", "remoteness", "grundy", "grundy", "grundy"],
        };
        self.asked = Some(asked);
        let outcome = *self.rng.pick(&["first", "second"]);
        Some(match *self.rng.pick(words) {
            "outcome" => op("==", Ex::Ask("outcome", term), text(outcome)),
            word => Ex::Ask(word, term),
        })
    }

    pub(super) fn truth(&mut self, depth: u32) -> Ex {
        let less = |r: &mut Random| *r.rng.pick(&["==", "!=", "<", "<=", ">", ">="]);
        if self.chance(25)
            && let Some(name) = self.named(&Type::Bool)
        {
            return name;
        }
        if depth == 0 {
            if self.chance(15) {
                return Ex::Lit(Value::Bool(self.chance(50)));
            }
            return op(less(self), self.ex(&Type::Int, 0), self.ex(&Type::Int, 0));
        }
        let d = depth - 1;
        if self.graphs.is_some() && self.chance(15) {
            if self.chance(50) {
                return op(*self.rng.pick(&["in", "not in"]), self.ex(&Type::Vertex, d), self.vertices(d));
            }
            if self.chance(25) {
                let outcome = *self.rng.pick(&["first", "second", "draw"]);
                let asked = call("flip_outcome", vec![self.ex(&Type::Graph, 0), self.ex(&vertex_set(), d)]);
                return op("==", asked, text(outcome));
            }
            let word = *self.rng.pick(&["is_connected", "is_acyclic", "is_tree", "is_bipartite"]);
            return call(word, vec![self.made_graph(d)]);
        }
        if self.root.is_some() && self.chance(8) {
            let other = if self.chance(30) { Type::Int } else { Type::Real };
            return op(less(self), self.ex(&Type::Real, d), self.ex(&other, d));
        }
        match self.rng.below(16) {
            0..=2 => op(less(self), self.ex(&Type::Int, d), self.ex(&Type::Int, d)),
            3 => {
                let parts = (0..3).map(|_| self.ex(&Type::Int, d)).collect();
                Ex::Chain(parts, vec![*self.rng.pick(&["<", "<="]), *self.rng.pick(&["<", "<=", "=="])])
            }
            4 | 5 => op(*self.rng.pick(&["and", "or", "iff", "implies"]), self.truth(d), self.truth(d)),
            6 => call("not", vec![self.truth(d)]),
            7 => {
                let (xs, part) = self.source(d);
                op(*self.rng.pick(&["in", "not in"]), self.ex(&part, d), xs)
            }
            8 => self.each("any", &Type::Bool, d),
            9 => self.each("all", &Type::Bool, d),
            10 => call("starts", vec![self.ex(&Type::Text, d), self.letter()]),
            11 => call("increasing", vec![self.ex(&list_of(&Type::Int), d)]),
            12 => self.ask(d, true).unwrap_or(Ex::Lit(Value::Bool(true))),
            _ => {
                // Whatever there is.
                let Some((x, ty)) = self.known(|ty| *ty != Type::Graph) else { return self.truth(d) };
                let words: &[&str] = match &ty {
                    Type::Set(_) | Type::Bag(_) => &["==", "!=", "<", "<="],
                    ty if is_ordered(ty) => &["==", "!=", "<", "<=", ">", ">="],
                    _ => &["==", "!="],
                };
                op(*self.rng.pick(words), x, self.ex(&ty, d))
            }
        }
    }

    fn text(&mut self, d: u32) -> Ex {
        let known = self.named(&Type::Text);
        if self.chance(10)
            && let Some((x, Type::Grid(rows, cols, _))) = self.known(|ty| matches!(ty, Type::Grid(..)))
        {
            return at(x, self.cell(rows, cols));
        }
        match (self.rng.below(9), known) {
            (0 | 1, _) => op("+", self.ex(&Type::Text, d), self.ex(&Type::Text, d)),
            (2, _) => call("join", vec![call("[", vec![self.ex(&Type::Text, d), self.letter()])]),
            (3, _) => call("repeat", vec![self.ex(&Type::Text, d), self.lit(0, 2)]),
            (4, Some(t)) => {
                when(op("==", t.clone(), text("")), text("b"), Ex::Slice(t.into(), Some(int(1).into()), None))
            }
            (5, Some(t)) => {
                let (i, change) = (self.number(0, 1), self.letter());
                let changed = Ex::Update(t.clone().into(), vec![(int(i), ":=", change)], vec![]);
                when(op(">", size(t.clone()), int(i)), changed, t)
            }
            (6, Some(t)) => {
                let i = self.number(0, 1);
                when(op(">", size(t.clone()), int(i)), at(t, int(i)), self.letter())
            }
            (7, Some(t)) => {
                let name = self.fresh("");
                let places = call("places", vec![t.clone(), self.letter()]);
                let change = (Ex::Name(name.clone()), ":=", self.letter());
                Ex::Update(t.into(), vec![change], vec![Clause::In(Pattern::One(name), places)])
            }
            (8, Some(t)) if self.chance(50) => call("reverse", vec![t]),
            (8, Some(t)) => call("max", vec![t, self.letter()]),
            _ => self.ex(&Type::Text, 0),
        }
    }

    /// A list, set or bag with members of a type.
    fn collection(&mut self, ty: &Type, part: &Type, d: u32) -> Option<Ex> {
        if *ty == vertex_set() && self.chance(50) {
            return Some(self.vertices(d));
        }
        let boxed = || Box::new(part.clone());
        let (list, set, bag) = (Type::List(boxed()), Type::Set(boxed()), Type::Bag(boxed()));
        let known = self.named(ty);
        let other = if self.chance(50) {
            &list
        } else if matches!(ty, Type::Set(_)) {
            &bag
        } else {
            &set
        };
        let choice = self.rng.below(9);
        if choice < 2 {
            return Some(match ty {
                Type::List(_) => self.each("[", part, d),
                Type::Set(_) => self.each("{", part, d),
                _ => self.each("bag", part, d),
            });
        }
        Some(match (ty, choice, known) {
            (Type::List(_), 2, _) | (Type::Bag(_), 2 | 3, _) => {
                op("+", self.ex(ty, d), call("[", vec![self.ex(part, d)]))
            }
            (Type::List(_), 3, _) | (Type::Bag(_), 4, _) => op("+", self.ex(ty, d), self.ex(ty, d)),
            (Type::List(_), 4, _) => call("reverse", vec![self.ex(ty, d)]),
            (Type::List(_), 5, _) => {
                let from = if self.chance(50) { set } else { bag };
                call(*self.rng.pick(&["list", "sort"]), vec![self.ex(&from, d)])
            }
            (Type::List(_), 6, Some(xs)) => {
                let i = self.number(0, 1);
                let (rest, upto) = (int(i + 1), int(i - 1));
                let rest = Ex::Slice(xs.clone().into(), Some(rest.into()), None);
                let without = op("+", Ex::Slice(xs.clone().into(), None, Some(upto.into())), rest.clone());
                let is_there = op(">", size(xs.clone()), int(i));
                when(is_there, if self.chance(50) { rest } else { without }, xs)
            }
            (Type::List(_), 7, Some(xs)) => {
                let i = self.number(0, 1);
                let word = if *part == Type::Int { *self.rng.pick(&[":=", "+=", "-="]) } else { ":=" };
                let changed = Ex::Update(xs.clone().into(), vec![(int(i), word, self.ex(part, d))], vec![]);
                when(op("<=", size(xs.clone()), int(i)), xs, changed)
            }
            (Type::List(_), 8, Some(xs)) => {
                let scope = self.names.len();
                let name = self.fresh("");
                self.bind(&name, &Type::Int);
                let word = if *part == Type::Int { *self.rng.pick(&[":=", "+=", "-="]) } else { ":=" };
                let places = Clause::In(Pattern::One(name.clone()), call("indices", vec![xs.clone()]));
                let over = vec![places, Clause::Where(self.truth(d))];
                let changed = Ex::Update(xs.into(), vec![(Ex::Name(name), word, self.ex(part, d))], over);
                self.names.truncate(scope);
                changed
            }
            (Type::Set(_), 2..=5, _) => op(*self.rng.pick(&["+", "-", "xor", "&"]), self.ex(ty, d), self.ex(ty, d)),
            (Type::Set(_), 6, _) => call("set", vec![self.ex(other, d)]),
            (Type::Bag(_), 5, _) => call("bag", vec![self.ex(other, d)]),
            (Type::Bag(_), 6.., Some(xs)) => {
                let e = self.ex(part, d);
                when(op("in", e.clone(), xs.clone()), op("-", xs.clone(), call("[", vec![e])), xs)
            }
            _ => return None,
        })
    }
}
