//! Values from JSON and to it (rules 15 and 39). What a domain says (a nat is not negative, a vertex is there) is checked
//! when the value enters its input, by [`crate::input::entry`].

mod quick;
mod write;

pub use crate::input::json::quick::{Lookup, object as quick_object};
pub use crate::input::json::write::to_json;
use crate::source::diagnostic::Code;

use crate::model::kind::{GraphWord, Kind, Type};
use crate::value::fault::Fault;
use crate::value::graph::{Graph, Labels};
use crate::value::{Grid, ITEM_LIMIT, Surd, Value, iterate};
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::Zero;
use serde_json::{Map, Number, Value as Json};
use std::fmt;
use std::sync::Arc;

/// The value of the input `name` of this kind. Numbers are integers of any size.
///
/// # Errors
/// D02 with the place (`edges[3][0]`) and what was expected; D04 for a repeated member of a set; R04 for an edge whose end
/// is not a vertex; R01 for rows of a grid that differ in length.
pub fn from_json(json: &Json, kind: &Kind, name: &str) -> Result<Value, Fault> {
    read(json, kind, &Path::Name(name))
}

/// The value of `name=text` on a command line: JSON when it is JSON that fits the kind, else the text itself where a text or
/// a vertex is wanted.
///
/// # Errors
/// As [`from_json`].
pub fn from_text(text: &str, kind: &Kind, name: &str) -> Result<Value, Fault> {
    if let Some(value) = quick::value(text.trim_ascii(), kind) {
        return Ok(value);
    }
    let plain = match kind {
        Kind::Text | Kind::Vertex(_) | Kind::Any(Type::Text | Type::Vertex) => Some(Value::text(text)),
        Kind::Real | Kind::Any(Type::Real) => ratio(text),
        _ => None,
    };
    match (serde_json::from_str::<Json>(text), plain) {
        (Ok(json), plain) => from_json(&json, kind, name).or_else(|fault| plain.ok_or(fault)),
        (Err(_), Some(plain)) => Ok(plain),
        (Err(_), None) => Err(expected(&Path::Name(name), describe(kind), &format!("`{}`", shortened(text)))),
    }
}

/// Where in the data.
enum Path<'a> {
    Name(&'a str),
    Item(&'a Path<'a>, usize),
    Key(&'a Path<'a>, &'a str),
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Path::Name(name) => f.write_str(name),
            Path::Item(of, i) => write!(f, "{of}[{i}]"),
            Path::Key(of, key) => write!(f, "{of}.{key}"),
        }
    }
}

fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(60).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    short
}

fn expected(path: &Path<'_>, what: &str, got: &str) -> Fault {
    Fault::new(Code::D02, format!("{path}: {what} is expected, not {got}"))
}

fn misfit(path: &Path<'_>, what: &str, json: &Json) -> Fault {
    expected(path, what, &shortened(&json.to_string()))
}

/// What JSON a kind wants.
fn describe(kind: &Kind) -> &'static str {
    match kind {
        Kind::Int | Kind::Any(Type::Int) => "an integer",
        Kind::Nat => "an integer >= 0",
        Kind::Bool | Kind::Any(Type::Bool) => "true or false",
        Kind::Text | Kind::Any(Type::Text) => "a text",
        Kind::Real | Kind::Any(Type::Real) => "an integer or a text like \"1/2\"",
        Kind::Tuple(_) | Kind::Any(Type::Tuple(_)) => "an array with one entry for each part",
        Kind::List(..) | Kind::Any(Type::List(_) | Type::Range) => "an array",
        Kind::Set(_) | Kind::Any(Type::Set(_)) => "an array of different members",
        Kind::Bag(_) | Kind::Any(Type::Bag(_)) => "an array of members",
        Kind::Graph(..) | Kind::Any(Type::Graph(_)) => "an object {\"n\": .., \"edges\": [[u, v], ..]}",
        Kind::Grid | Kind::Any(Type::Grid) => "an array of texts, one for each row",
        Kind::NatGrid | Kind::Any(Type::NatGrid) => "an array of arrays of integers",
        Kind::Vertex(_) | Kind::Any(Type::Vertex) => "a vertex: an integer, a text or a pair [row, column]",
        Kind::Edge(_) | Kind::Any(Type::Edge) => "an edge [u, v]",
        Kind::Position | Kind::Any(Type::Position | Type::Never) => "nothing that JSON can say",
    }
}

/// The kind that a bare type stands for.
fn kind_of(ty: &Type) -> Kind {
    let boxed = |ty: &Type| Box::new(kind_of(ty));
    match ty {
        Type::Int => Kind::Int,
        Type::Bool => Kind::Bool,
        Type::Text => Kind::Text,
        Type::Real => Kind::Real,
        Type::Tuple(parts) => Kind::Tuple(parts.iter().map(kind_of).collect()),
        Type::List(of) => Kind::List(boxed(of), 0),
        Type::Set(of) => Kind::Set(boxed(of)),
        Type::Bag(of) => Kind::Bag(boxed(of)),
        Type::Range => Kind::List(Box::new(Kind::Int), 0),
        Type::Graph(word) => Kind::Graph(*word, 0),
        Type::Grid => Kind::Grid,
        Type::NatGrid => Kind::NatGrid,
        Type::Vertex => Kind::Vertex(None),
        Type::Edge => Kind::Edge(None),
        Type::Position | Type::Never => Kind::Any(ty.clone()),
    }
}

fn read(json: &Json, kind: &Kind, path: &Path<'_>) -> Result<Value, Fault> {
    let misfit = |json| misfit(path, describe(kind), json);
    match (kind, json) {
        (Kind::Int | Kind::Nat | Kind::Real, Json::Number(n)) => int(n).ok_or_else(|| misfit(json)),
        (Kind::Real, Json::String(text)) => ratio(text).ok_or_else(|| misfit(json)),
        (Kind::Bool, Json::Bool(b)) => Ok(Value::Bool(*b)),
        (Kind::Text, Json::String(text)) => Ok(Value::text(text)),
        (Kind::Tuple(kinds), Json::Array(parts)) if kinds.len() == parts.len() => {
            let parts = parts.iter().zip(kinds).enumerate();
            let parts = parts.map(|(i, (part, kind))| read(part, kind, &Path::Item(path, i)));
            parts.collect::<Result<Vec<_>, Fault>>().map(Value::tuple)
        }
        (Kind::List(of, base), Json::Array(items)) => Ok(Value::list_from(*base, read_all(items, of, path)?)),
        (Kind::Bag(of), Json::Array(items)) => Ok(Value::bag(read_all(items, of, path)?)),
        (Kind::Set(of), Json::Array(items)) => distinct(read_all(items, of, path)?, path),
        (Kind::Graph(word, base), Json::Object(object)) => graph(object, *word, *base, path),
        (Kind::Grid, Json::Array(rows)) => {
            let rows = rows.iter().enumerate().map(|(r, row)| match row {
                Json::String(text) => Ok(text.chars().map(Value::character).collect()),
                _ => Err(self::misfit(&Path::Item(path, r), "a text", row)),
            });
            grid(&rows.collect::<Result<Vec<_>, Fault>>()?, path)
        }
        (Kind::NatGrid, Json::Array(rows)) => {
            let rows = rows.iter().enumerate().map(|(r, row)| match row {
                Json::Array(cells) => read_all(cells, &Kind::Nat, &Path::Item(path, r)),
                _ => Err(self::misfit(&Path::Item(path, r), "an array of integers", row)),
            });
            grid(&rows.collect::<Result<Vec<_>, Fault>>()?, path)
        }
        (Kind::Vertex(_), json) => vertex(json).ok_or_else(|| misfit(json)),
        (Kind::Edge(_), Json::Array(ends)) if ends.len() == 2 => match (vertex(&ends[0]), vertex(&ends[1])) {
            (Some(u), Some(v)) => Ok(Value::pair(u, v)),
            _ => Err(misfit(json)),
        },
        (Kind::Any(ty), json) if !matches!(ty, Type::Position | Type::Never) => read(json, &kind_of(ty), path),
        _ => Err(misfit(json)),
    }
}

fn read_all(items: &[Json], of: &Kind, path: &Path<'_>) -> Result<Vec<Value>, Fault> {
    items.iter().enumerate().map(|(i, item)| read(item, of, &Path::Item(path, i))).collect()
}

/// An integer, written without a point or exponent.
fn int(n: &Number) -> Option<Value> {
    /// Some 10^6 bits: more digits take long to read.
    const DIGITS: usize = 300_000;
    if let Some(n) = n.as_i64() {
        return Some(Value::Int(n));
    }
    let digits = n.to_string();
    let plain = digits.bytes().all(|b| b.is_ascii_digit() || b == b'-') && digits.len() < DIGITS;
    plain.then(|| digits.parse().ok()).flatten().map(Value::int)
}

/// `p` or `p/q` with q > 0.
fn ratio(text: &str) -> Option<Value> {
    let (p, q) = text.split_once('/').unwrap_or((text, "1"));
    let (p, q): (BigInt, BigInt) = (p.trim().parse().ok()?, q.trim().parse().ok()?);
    (q > BigInt::zero()).then(|| Value::real(Surd { a: Ratio::new(p, q), b: Ratio::zero(), c: BigInt::zero() }))
}

/// A label: an integer, a text, or the pair of a cell.
fn vertex(json: &Json) -> Option<Value> {
    match json {
        Json::Number(n) => int(n),
        Json::String(text) => Some(Value::text(text)),
        Json::Array(pair) => match &**pair {
            [Json::Number(r), Json::Number(c)] => Some(Value::pair(int(r)?, int(c)?)),
            _ => None,
        },
        _ => None,
    }
}

fn distinct(items: Vec<Value>, path: &Path<'_>) -> Result<Value, Fault> {
    if !items.is_sorted_by(|a, b| a < b) {
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by(|&i, &j| items[i].cmp(&items[j])); // stable: the repetition is the later one
        let repeated = order.windows(2).filter(|pair| items[pair[0]] == items[pair[1]]).map(|pair| pair[1]).min();
        if let Some(i) = repeated {
            let member = crate::value::excerpt(&items[i]);
            return Err(Fault::new(Code::D04, format!("{}: {member} is in the set already", Path::Item(path, i))));
        }
    }
    Ok(Value::set(items))
}

fn grid(rows: &[Vec<Value>], path: &Path<'_>) -> Result<Value, Fault> {
    match Grid::of_rows(rows) {
        Ok(grid) => Ok(Value::Grid(Arc::new(grid))),
        Err(fault) => Err(Fault::new(fault.code, format!("{path}: {}", fault.message))),
    }
}

/// `{"n", "edges", "base"?}`, or `{"vertices", "edges"}` for other labels.
fn graph(object: &Map<String, Json>, word: GraphWord, base: i64, path: &Path<'_>) -> Result<Value, Fault> {
    const KEYS: [&str; 4] = ["n", "vertices", "edges", "base"];
    if let Some(key) = object.keys().find(|key| !KEYS.contains(&&***key)) {
        return Err(expected(path, describe(&Kind::Graph(word, base)), &format!("one with \"{}\"", shortened(key))));
    }
    let missing = |key: &str| Fault::new(Code::D02, format!("{path}: the graph has no \"{key}\""));
    let edges_path = Path::Key(path, "edges");
    let edges = match object.get("edges") {
        Some(Json::Array(edges)) => edges,
        Some(other) => return Err(misfit(&edges_path, "an array of pairs [u, v]", other)),
        None => return Err(missing("edges")),
    };
    let (labels, order) = match (object.get("vertices"), object.get("n")) {
        (Some(vertices), None) => {
            let path = Path::Key(path, "vertices");
            let vertices = read(vertices, &Kind::List(Box::new(Kind::Vertex(None)), 0), &path)?;
            let vertices: Vec<Value> = iterate(&vertices)?.collect();
            let (labels, order) = Labels::of(&vertices);
            (labels, Some(order))
        }
        (None, Some(json)) => {
            let n = json.as_u64().and_then(|n| usize::try_from(n).ok()).filter(|n| *n <= ITEM_LIMIT);
            let n = n.ok_or_else(|| misfit(&Path::Key(path, "n"), "a number of vertices", json))?;
            let from = match object.get("base") {
                Some(json) => json.as_i64().filter(|base| i64::MAX - base >= i64::try_from(n).unwrap_or(i64::MAX)),
                None => Some(base),
            };
            let from = from.ok_or_else(|| misfit(&Path::Key(path, "base"), "an integer", &object["base"]))?;
            (Labels::Ints { from, n }, None)
        }
        _ => return Err(missing("n")),
    };
    let number = |json: &Json, i: usize, end: usize| {
        let edge = Path::Item(&edges_path, i);
        let path = Path::Item(&edge, end);
        let label = vertex(json).ok_or_else(|| misfit(&path, "a vertex", json))?;
        labels.number(&label).ok_or_else(|| {
            let range = match &labels {
                Labels::Ints { from, n } => {
                    format!(" ({from}..{})", from.saturating_add(i64::try_from(*n).unwrap_or(i64::MAX)) - 1)
                }
                Labels::Cells { .. } | Labels::Numbers(_) | Labels::Other(_) => String::new(),
            };
            Fault::new(Code::R04, format!("{path}: {} is not a vertex{range}", crate::value::excerpt(&label)))
        })
    };
    let mut pairs = Vec::with_capacity(edges.len());
    for (i, edge) in edges.iter().enumerate() {
        match edge {
            Json::Array(ends) if ends.len() == 2 => pairs.push((number(&ends[0], i, 0)?, number(&ends[1], i, 1)?)),
            _ => return Err(misfit(&Path::Item(&edges_path, i), "a pair [u, v]", edge)),
        }
    }
    Ok(Value::Graph(Arc::new(Graph::of_numbers(word, Arc::new(labels), order, pairs))))
}
