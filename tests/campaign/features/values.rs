//! Values of the language, and small sets of values from which the fields of random games take theirs.

use super::expressions::{Clause, Ex, Name, Pattern, at, call, int, op, when};
use super::graphs::{self, Graph};
use super::reals::Real;
use crate::rng::Rng;
use serde_json::Value as Json;
use std::rc::Rc;

/// A value. Sets are sorted and have each member once, bags are sorted. A vertex is its label.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Value {
    Int(i128),
    Real(Real),
    Bool(bool),
    Text(String),
    Tuple(Vec<Value>),
    List(Vec<Value>),
    Set(Vec<Value>),
    Bag(Vec<Value>),
    Graph(Rc<Graph>),
    /// The place of an edge in its graph, and its ends.
    Edge(usize, Vec<Value>),
    /// The rows of a grid.
    Grid(Vec<String>),
}

/// What random expressions are asked for; a nat is an int.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Int,
    Real,
    Bool,
    Text,
    Tuple(Vec<Type>),
    List(Box<Type>),
    Set(Box<Type>),
    Bag(Box<Type>),
    /// One of the graphs of the file.
    Graph,
    /// A vertex of each of them.
    Vertex,
    /// An edge of the first of them.
    Edge,
    /// With so many rows and columns of these characters.
    Grid(usize, usize, &'static str),
}

fn joined(items: &[Value]) -> String {
    items.iter().map(Value::text).collect::<Vec<_>>().join(", ")
}

impl Value {
    pub(super) fn set(mut items: Vec<Value>) -> Value {
        items.sort();
        items.dedup();
        Value::Set(items)
    }
    pub(super) fn bag(mut items: Vec<Value>) -> Value {
        items.sort();
        Value::Bag(items)
    }
    pub(super) fn size_of(items: &[Value]) -> Value {
        Value::Int(i128::try_from(items.len()).expect("small"))
    }
    pub(super) fn int(&self) -> i128 {
        let Value::Int(i) = self else { panic!("{self:?} is no int") };
        *i
    }
    pub(super) fn truth(&self) -> bool {
        let Value::Bool(b) = self else { panic!("{self:?} is no bool") };
        *b
    }
    pub(super) fn chars(&self) -> &str {
        let Value::Text(t) = self else { panic!("{self:?} is no text") };
        t
    }
    /// The members, in order; the characters of a text.
    pub(super) fn members(&self) -> Vec<Value> {
        match self {
            Value::Text(t) => t.chars().map(|c| Value::Text(c.to_string())).collect(),
            Value::Tuple(m) | Value::List(m) | Value::Set(m) | Value::Bag(m) | Value::Edge(_, m) => m.clone(),
            Value::Graph(_) | Value::Grid(_) => graphs::as_graph(self).expect("a graph").vertices.clone(),
            Value::Int(_) | Value::Real(_) | Value::Bool(_) => panic!("{self:?} has no members"),
        }
    }
    /// As an expression.
    pub(super) fn text(&self) -> String {
        match self {
            Value::Int(i) => i.to_string(),
            Value::Real(real) => real.text(),
            Value::Bool(b) => b.to_string(),
            Value::Text(t) => Json::from(t.as_str()).to_string(),
            Value::Tuple(m) => format!("({})", joined(m)),
            Value::List(m) => format!("[{}]", joined(m)),
            Value::Set(m) => format!("{{{}}}", joined(m)),
            Value::Bag(m) => format!("bag([{}])", joined(m)),
            Value::Graph(graph) => graph.text(),
            Value::Edge(i, _) => format!("list(edges(gr0))[{i}]"),
            Value::Grid(rows) => graphs::grid_text(rows),
        }
    }
    pub(super) fn json(&self) -> String {
        match self {
            Value::Int(_) | Value::Bool(_) | Value::Text(_) => self.text(),
            Value::Grid(rows) => Json::from(rows.clone()).to_string(),
            Value::Graph(graph) => graph.json().expect("vertices that are numbers"),
            Value::Real(_) => panic!("not asked"),
            Value::Tuple(m) | Value::List(m) | Value::Set(m) | Value::Bag(m) | Value::Edge(_, m) => {
                format!("[{}]", m.iter().map(Value::json).collect::<Vec<_>>().join(","))
            }
        }
    }
    /// The sum of its ints and lengths.
    pub(super) fn size(&self) -> u128 {
        match self {
            Value::Int(i) => i.unsigned_abs(),
            Value::Bool(_) | Value::Edge(..) | Value::Real(_) => 0,
            Value::Text(t) => t.chars().count() as u128,
            Value::Tuple(m) => m.iter().map(Value::size).sum(),
            Value::Graph(graph) => graph.size() as u128,
            Value::Grid(rows) => graphs::cells(rows).len() as u128,
            Value::List(m) | Value::Set(m) | Value::Bag(m) => m.len() as u128 + m.iter().map(Value::size).sum::<u128>(),
        }
    }
}

/// Letters of texts: one, two and three bytes long.
pub(super) const LETTERS: [&str; 4] = ["a", "b", "é", "猫"];

/// Finitely many values of a type.
#[derive(Clone, Debug)]
pub(super) enum Domain {
    Int {
        low: i128,
        high: i128,
        is_nat: bool,
    },
    Bool,
    Text {
        letters: usize,
        most: usize,
    },
    Tuple(Vec<Domain>),
    List(Box<Domain>, usize),
    Set(Box<Domain>),
    Bag(Box<Domain>, usize),
    Graph(Vec<Value>),
    /// The vertices of a graph of this name.
    Vertex(Name, Vec<Value>),
    /// The edges of the first graph of the file.
    Edge(Vec<Value>),
    Real(Vec<Value>),
    /// Of all characters; the first is what a measure counts.
    Grid {
        rows: usize,
        cols: usize,
        letters: &'static str,
    },
}

/// Numbers at and beyond the ends of machine words.
pub(super) const BIG: [i128; 8] =
    [10i128.pow(25), -(10i128.pow(25)), 1 << 64, (1 << 64) - 1, 1 << 63, (1 << 63) - 1, -(1 << 63), -(1 << 64)];

/// All sequences of up to `most` of the letters.
fn sequences(letters: &[Value], most: usize) -> Vec<Vec<Value>> {
    let mut all: Vec<Vec<Value>> = vec![Vec::new()];
    let mut from = 0;
    for _ in 0..most {
        let upto = all.len();
        for i in from..upto {
            all.extend(letters.iter().map(|l| [&all[i][..], std::slice::from_ref(l)].concat()).collect::<Vec<_>>());
        }
        from = upto;
    }
    all
}

impl Domain {
    /// A number, from 0 or from anywhere.
    pub(super) fn numbers(rng: &mut Rng, count: i128, is_big: bool) -> Domain {
        let low = if is_big { *rng.pick(&BIG) } else { *rng.pick(&[0, 0, 0, -1, -2, 1]) };
        Domain::Int { low, high: low + count - 1, is_nat: low >= 0 && rng.chance(70) }
    }
    /// A small domain of a random type.
    pub(super) fn random(rng: &mut Rng, depth: u32, is_big: bool) -> Domain {
        loop {
            let count = rng.range(2, 3).into();
            let big = is_big && rng.chance(40);
            let part = |rng: &mut Rng| Box::new(Domain::random(rng, depth - 1, big));
            let most = 1 + rng.below(2);
            let domain = match rng.below(if depth == 0 { 6 } else { 13 }) {
                0..=3 => Domain::numbers(rng, count, big),
                4 => Domain::Bool,
                5 => Domain::Text { letters: 1 + rng.below(3), most: if depth == 0 { 1 } else { most } },
                6 | 7 => Domain::Tuple((0..2 + rng.below(5) / 4).map(|_| *part(rng)).collect()),
                8 | 9 => Domain::List(part(rng), most),
                10 => Domain::Set(part(rng)),
                11 => {
                    let (rows, cols) = *rng.pick(&[(1, 1), (1, 2), (2, 1), (1, 3), (2, 2)]);
                    Domain::Grid { rows, cols, letters: *rng.pick(&["X.", "X.#", "ab"]) }
                }
                _ => Domain::Bag(part(rng), most),
            };
            if domain.count() <= if depth == 0 { 5 } else { 70 } {
                return domain;
            }
        }
    }
    fn count(&self) -> usize {
        match self {
            Domain::Int { low, high, .. } => usize::try_from(high - low + 1).expect("small"),
            Domain::Bool => 2,
            Domain::Text { letters, most } => (0..=*most).map(|k| letters.pow(u32::try_from(k).expect("few"))).sum(),
            Domain::Tuple(parts) => parts.iter().map(Domain::count).product(),
            Domain::List(part, most) | Domain::Bag(part, most) => {
                (0..=*most).map(|k| part.count().saturating_pow(u32::try_from(k).expect("few"))).sum()
            }
            Domain::Set(part) => 1usize.checked_shl(u32::try_from(part.count()).expect("few")).unwrap_or(usize::MAX),
            Domain::Graph(all) | Domain::Vertex(_, all) | Domain::Edge(all) | Domain::Real(all) => all.len(),
            Domain::Grid { rows, cols, letters } => letters.len().pow(u32::try_from(rows * cols).expect("few")),
        }
    }
    pub(super) fn of(&self) -> Type {
        match self {
            Domain::Int { .. } => Type::Int,
            Domain::Bool => Type::Bool,
            Domain::Text { .. } => Type::Text,
            Domain::Tuple(parts) => Type::Tuple(parts.iter().map(Domain::of).collect()),
            Domain::List(part, _) => Type::List(Box::new(part.of())),
            Domain::Set(part) => Type::Set(Box::new(part.of())),
            Domain::Bag(part, _) => Type::Bag(Box::new(part.of())),
            Domain::Graph(_) => Type::Graph,
            Domain::Vertex(..) => Type::Vertex,
            Domain::Edge(_) => Type::Edge,
            Domain::Real(_) => Type::Real,
            Domain::Grid { rows, cols, letters } => Type::Grid(*rows, *cols, letters),
        }
    }
    /// The type as a declaration says it.
    pub(super) fn kind(&self) -> String {
        self.kind_in(&|graph| graph.to_string())
    }
    /// The same where graphs have other names.
    pub(super) fn kind_in(&self, named: &dyn Fn(&str) -> String) -> String {
        match self {
            Domain::Int { is_nat, .. } => if *is_nat { "nat" } else { "int" }.to_string(),
            Domain::Bool => "bool".to_string(),
            Domain::Text { .. } => "text".to_string(),
            Domain::Tuple(parts) => {
                format!("({})", parts.iter().map(|part| part.kind_in(named)).collect::<Vec<_>>().join(", "))
            }
            Domain::List(part, _) => format!("list of {}", part.kind_in(named)),
            Domain::Set(part) => format!("set of {}", part.kind_in(named)),
            Domain::Bag(part, _) => format!("bag of {}", part.kind_in(named)),
            Domain::Graph(all) => graphs::as_graph(&all[0]).expect("a graph").kind.to_string(),
            Domain::Vertex(name, _) => format!("vertex of {}", named(name)),
            Domain::Edge(_) => "edge of gr0".to_string(),
            Domain::Grid { .. } => "grid".to_string(),
            Domain::Real(_) => "real".to_string(),
        }
    }
    /// All its values.
    pub(super) fn members(&self) -> Vec<Value> {
        let mut all: Vec<Value> = match self {
            Domain::Int { low, high, .. } => (*low..=*high).map(Value::Int).collect(),
            Domain::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Domain::Text { letters, most } => {
                let letters: Vec<Value> = LETTERS[..*letters].iter().map(|l| Value::Text((*l).to_string())).collect();
                let words = sequences(&letters, *most).into_iter();
                words.map(|word| Value::Text(word.iter().map(Value::chars).collect())).collect()
            }
            Domain::Tuple(parts) => {
                let mut all: Vec<Vec<Value>> = vec![Vec::new()];
                for part in parts {
                    let next = part.members();
                    let longer = |t: Vec<Value>| next.iter().map(move |v| [&t[..], std::slice::from_ref(v)].concat());
                    all = all.into_iter().flat_map(longer).collect();
                }
                all.into_iter().map(Value::Tuple).collect()
            }
            Domain::List(part, most) => sequences(&part.members(), *most).into_iter().map(Value::List).collect(),
            Domain::Bag(part, most) => sequences(&part.members(), *most).into_iter().map(Value::bag).collect(),
            Domain::Set(part) => {
                let part = part.members();
                let chosen = |bits: usize| (0..part.len()).filter(move |i| bits >> i & 1 == 1);
                (0..1usize << part.len()).map(|b| Value::set(chosen(b).map(|i| part[i].clone()).collect())).collect()
            }
            Domain::Graph(all) | Domain::Vertex(_, all) | Domain::Edge(all) | Domain::Real(all) => all.clone(),
            Domain::Grid { rows, cols, letters } => {
                let letters: Vec<Value> = Value::Text((*letters).to_string()).members();
                let all = sequences(&letters, rows * cols).into_iter().filter(|all| all.len() == rows * cols);
                let row = |row: &[Value]| row.iter().map(Value::chars).collect();
                all.map(|all| Value::Grid(all.chunks(*cols).map(row).collect())).collect()
            }
        };
        all.sort();
        all.dedup();
        all
    }
    pub(super) fn pick(&self, rng: &mut Rng) -> Value {
        match self {
            Domain::Int { low, high, .. } => {
                Value::Int(low + i128::from(rng.range(0, i64::try_from(high - low).expect("small"))))
            }
            _ => rng.pick(&self.members()).clone(),
        }
    }
    pub(super) fn holds(&self, value: &Value) -> bool {
        match (self, value) {
            (Domain::Int { low, high, .. }, Value::Int(i)) => low <= i && i <= high,
            (Domain::Bool, Value::Bool(_)) => true,
            (Domain::Text { letters, most }, Value::Text(t)) => {
                t.chars().count() <= *most && t.chars().all(|c| LETTERS[..*letters].iter().any(|l| l.starts_with(c)))
            }
            (Domain::Tuple(parts), Value::Tuple(m)) => parts.iter().zip(m).all(|(p, v)| p.holds(v)),
            (Domain::List(part, most), Value::List(m)) | (Domain::Bag(part, most), Value::Bag(m)) => {
                m.len() <= *most && m.iter().all(|v| part.holds(v))
            }
            (Domain::Set(part), Value::Set(m)) => m.iter().all(|v| part.holds(v)),
            (Domain::Graph(all) | Domain::Vertex(_, all) | Domain::Edge(all) | Domain::Real(all), value) => {
                all.contains(value)
            }
            (Domain::Grid { .. }, Value::Grid(_)) => self.members().contains(value),
            _ => panic!("{value:?} is not of {self:?}"),
        }
    }
    /// A value that enters a field: a list becomes a set or bag.
    pub(super) fn entered(&self, value: Value) -> Value {
        match (self, value) {
            (Domain::Set(_), Value::List(m)) => Value::set(m),
            (Domain::Bag(..), Value::List(m)) => Value::bag(m),
            (_, value) => value,
        }
    }
    /// The size of a value in a statement: the labels of vertices do not count.
    pub(super) fn size(&self, value: &Value) -> u128 {
        match (self, value) {
            (Domain::Vertex(..), _) => 0,
            (Domain::Tuple(parts), Value::Tuple(m)) => parts.iter().zip(m).map(|(p, v)| p.size(v)).sum(),
            (Domain::List(part, _) | Domain::Set(part) | Domain::Bag(part, _), value) => {
                let members = value.members();
                members.len() as u128 + members.iter().map(|v| part.size(v)).sum::<u128>()
            }
            _ => value.size(),
        }
    }
    /// Whether edges, reals or graphs of other vertices than numbers are in it, which cases cannot give.
    pub(super) fn has_no_json(&self) -> bool {
        match self {
            Domain::Graph(all) => all.iter().any(|g| graphs::as_graph(g).expect("a graph").json().is_none()),
            Domain::Tuple(parts) => parts.iter().any(Domain::has_no_json),
            Domain::List(part, _) | Domain::Set(part) | Domain::Bag(part, _) => part.has_no_json(),
            _ => self.is_graphic(),
        }
    }
    /// Whether graphs, edges or reals are in it.
    pub(super) fn is_graphic(&self) -> bool {
        match self {
            Domain::Graph(_) | Domain::Edge(_) | Domain::Real(_) => true,
            Domain::Tuple(parts) => parts.iter().any(Domain::is_graphic),
            Domain::List(part, _) | Domain::Set(part) | Domain::Bag(part, _) => part.is_graphic(),
            _ => false,
        }
    }
    /// What the header of the game says of a field.
    pub(super) fn condition(&self, x: Ex, depth: usize) -> Option<Ex> {
        let name: Name = format!("e{depth}").into();
        let each = |part: &Domain, x: &Ex| {
            let body = part.condition(Ex::Name(name.clone()), depth + 1)?;
            Some(Ex::Each("all", Box::new(body), vec![Clause::In(Pattern::One(name.clone()), x.clone())]))
        };
        let short = |most: usize, x: Ex| op("<=", call("size", vec![x]), int(most as i128));
        let both = |a: Ex, b: Option<Ex>| Some(if let Some(b) = b { op("and", a, b) } else { a });
        match self {
            Domain::Int { low: 0, high, is_nat: true } => Some(op("<=", x, int(*high))),
            Domain::Int { low, high, .. } => Some(Ex::Chain(vec![int(*low), x, int(*high)], vec!["<=", "<="])),
            Domain::Text { letters, most } => {
                let letters = LETTERS[..*letters].iter().map(|l| Ex::Lit(Value::Text((*l).to_string()))).collect();
                let among = op("in", at(x.clone(), Ex::Name(name.clone())), call("[", letters));
                let places = Clause::In(Pattern::One(name), call("indices", vec![x.clone()]));
                both(short(*most, x), Some(Ex::Each("all", Box::new(among), vec![places])))
            }
            Domain::Tuple(parts) => {
                let part = |(i, p): (usize, &Domain)| p.condition(at(x.clone(), int(i as i128)), depth + 1);
                parts.iter().enumerate().filter_map(part).reduce(|a, b| op("and", a, b))
            }
            Domain::List(part, most) | Domain::Bag(part, most) => both(short(*most, x.clone()), each(part, &x)),
            Domain::Set(part) => each(part, &x),
            Domain::Bool | Domain::Graph(_) | Domain::Vertex(..) | Domain::Edge(_) => None,
            Domain::Real(all) => Some(op("in", x, Ex::Lit(Value::List(all.clone())))),
            Domain::Grid { rows, cols, letters } => {
                let is = |word: &'static str, n: usize| op("==", call(word, vec![x.clone()]), int(n as i128));
                let letters = Ex::Lit(Value::List(Value::Text((*letters).to_string()).members()));
                let among = op("in", at(x.clone(), Ex::Name(name.clone())), letters);
                let each = vec![Clause::In(Pattern::One(name), call("cells", vec![x.clone()]))];
                both(op("and", is("rows", *rows), is("cols", *cols)), Some(Ex::Each("all", among.into(), each)))
            }
        }
    }
    /// A value of the domain made from any value of the type.
    pub(super) fn fit(&self, x: Ex, depth: usize, rng: &mut Rng) -> Ex {
        let name: Name = format!("g{depth}").into();
        let is_bag = matches!(self, Domain::Bag(..));
        let cut = |most: usize, x: Ex| {
            let all = if is_bag { call("sort", vec![x.clone()]) } else { x.clone() };
            let part = Ex::Slice(all.into(), None, Some(int(most as i128 - 1).into()));
            let part = if is_bag { call("bag", vec![part]) } else { part };
            when(op("<=", call("size", vec![x.clone()]), int(most as i128)), x, part)
        };
        let each = |word: &'static str, part: &Domain, x: Ex, rng: &mut Rng| {
            let body = part.fit(Ex::Name(name.clone()), depth + 1, rng);
            Ex::Each(word, Box::new(body), vec![Clause::In(Pattern::One(name.clone()), x)])
        };
        match self {
            Domain::Int { low, high, .. } if rng.chance(20) => {
                call("max", vec![int(*low), call("min", vec![int(*high), x])])
            }
            Domain::Int { low: 0, high, .. } => op("mod", x, int(high + 1)),
            Domain::Int { low, high, .. } => op("+", int(*low), op("mod", x, int(high - low + 1))),
            Domain::Bool | Domain::Graph(_) | Domain::Vertex(..) | Domain::Edge(_) | Domain::Grid { .. } => x,
            Domain::Set(part) if matches!(**part, Domain::Vertex(..) | Domain::Edge(_)) => x,
            Domain::Real(all) => {
                when(op("in", x.clone(), Ex::Lit(Value::List(all.clone()))), x, Ex::Lit(all[0].clone()))
            }
            Domain::Text { letters, most } => Ex::Def(format!("only{letters}").into(), vec![cut(*most, x)]),
            Domain::Tuple(parts) => {
                let part = |i: usize| match &x {
                    Ex::Call("(", parts) => parts[i].clone(),
                    _ => at(x.clone(), int(i as i128)),
                };
                call("(", parts.iter().enumerate().map(|(i, p)| p.fit(part(i), depth + 1, rng)).collect())
            }
            Domain::List(part, most) => each("[", part, cut(*most, x), rng),
            // What enters a field or parameter may be a list.
            Domain::Set(part) => each(if depth == 0 && rng.chance(30) { "[" } else { "{" }, part, x, rng),
            Domain::Bag(part, most) => {
                each(if depth == 0 && rng.chance(30) { "[" } else { "bag" }, part, cut(*most, x), rng)
            }
        }
    }
}
