//! Values from JSON and to it.
//!
//! The kind that is wanted leads the reader; no tree of JSON is made. What a domain says (a nat is not negative, a
//! vertex is there) is checked when the value enters its input, by [`crate::input::entry`].

pub mod cases;
mod scan;
mod write;

pub use crate::input::json::scan::Scan;
pub use crate::input::json::write::to_json;
use crate::source::diagnostic::Code;

use crate::input::first_of;
use crate::model::kind::{GraphWord, Kind, Type};
use crate::value::fault::Fault;
use crate::value::graph::{Graph, Labels};
use crate::value::{Grid, ITEM_LIMIT, Items, List, Surd, Text, Value, excerpt, in_items, iterate, width};
use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::Zero;
use serde_json::Value as Json;
use std::fmt;
use std::sync::Arc;

/// The value of the input `name` of this kind, in JSON. Numbers are integers of any size. Linear. Errors: D02 with the
/// place (`edges[3][0]`) and what was expected; D04 for a repeated member of a set; R04 for an edge whose end is not a
/// vertex; R01 for rows of a grid that differ in length.
pub fn from_json(json: &str, kind: &Kind, name: &str) -> Result<Value, Fault> {
    let mut scan = Scan { text: json.trim_ascii().as_bytes(), at: 0 };
    match scan.read(kind, name) {
        Ok(value) if scan.end() => Ok(value),
        // Of what is no JSON that is told first.
        Err(fault) if serde_json::from_str::<Json>(json).is_ok() => Err(fault),
        _ => Err(expected(&Path::Name(name), describe(kind), &format!("`{}`", shortened(json)))),
    }
}

/// The value of `name=text` on a command line: JSON when it is JSON that fits the kind, else the text itself where a
/// text or a vertex is wanted. Errors: as [`from_json`].
pub fn from_text(text: &str, kind: &Kind, name: &str) -> Result<Value, Fault> {
    from_json(text, kind, name).or_else(|fault| {
        let plain = match kind {
            Kind::Text | Kind::Vertex(_) | Kind::Any(Type::Text | Type::Vertex) => Some(Value::text(text)),
            Kind::Real | Kind::Any(Type::Real) => ratio(text),
            _ => None,
        };
        plain.ok_or(fault)
    })
}

/// The object that a text begins with, and how many bytes it takes: `each` gets every key, and reads the value behind
/// it by [`Scan::read`]. Errors: those of `each`; `None`: no object, or no JSON.
pub fn object<E>(text: &[u8], mut each: impl FnMut(&str, &mut Scan<'_>) -> Result<(), E>) -> Result<usize, Option<E>> {
    let mut scan = Scan { text, at: 0 };
    scan.sequence(b'{', b'}', |scan| {
        let key = scan.key().ok_or(None)?;
        Ok(each(&key, scan)?)
    })?;
    Ok(scan.at)
}

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
    first_of(text, 60)
}

fn expected(path: &Path<'_>, what: &str, got: &str) -> Fault {
    Fault::new(Code::D02, format!("{path}: {what} is expected, not {got}"))
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

/// What was read. `None`: something of another form, or no JSON at all, stands here, and the caller says what it expected.
type Read<T> = Result<T, Option<Fault>>;

impl Scan<'_> {
    /// The value of the input `name` of this kind that stands here. Errors: any of [`from_json`] where there is no
    /// JSON.
    pub fn read(&mut self, kind: &Kind, name: &str) -> Result<Value, Fault> {
        self.value(kind, &Path::Name(name))
    }

    fn value(&mut self, kind: &Kind, path: &Path<'_>) -> Result<Value, Fault> {
        let start = self.at;
        self.any(kind, path).map_err(|fault| fault.unwrap_or_else(|| self.misfit(start, path, describe(kind))))
    }

    /// Says that at `start` not `what` stands but something else.
    #[cold]
    fn misfit(&self, start: usize, path: &Path<'_>, what: &str) -> Fault {
        let got = Scan { at: start, ..*self }.json::<Json>().map(|(json, _)| json.to_string());
        expected(path, what, &shortened(&got.unwrap_or_default()))
    }

    fn any(&mut self, kind: &Kind, path: &Path<'_>) -> Read<Value> {
        match kind {
            Kind::Bool if self.peek() == Some(b't') => self.word("true").map(|()| Value::Bool(true)),
            Kind::Bool => self.word("false").map(|()| Value::Bool(false)),
            Kind::Text => self.string().map(|text| Value::text(&text)),
            Kind::Int | Kind::Nat => self.number(),
            Kind::Real => match self.peek() {
                Some(b'"') => self.string().and_then(|text| ratio(&text)),
                _ => self.number(),
            },
            Kind::Vertex(_) => self.vertex(),
            Kind::Edge(_) => self.two(Self::vertex).map(|(u, v)| Value::pair(u, v)),
            Kind::Tuple(kinds) => return self.tuple(kinds, path),
            Kind::List(of, base) => return Ok(Value::List(List { base: *base, items: self.items(of, path)? })),
            Kind::Set(of) => return self.set(of, path),
            Kind::Bag(of) => return Ok(Value::bag(self.items(of, path)?.to_vec())),
            Kind::Graph(word, base) => return self.graph(*word, *base, path),
            Kind::Grid => {
                let text = |scan: &mut Self| scan.string().map(|text| Text::new(&text)).ok_or(None);
                let rows = self.rows(path, "a text", |scan, _| text(scan))?;
                return grid(Grid::of_texts(&rows.iter().collect::<Vec<_>>()), path);
            }
            Kind::NatGrid => {
                let what = "an array of integers";
                let rows = self.rows(path, what, |scan, path| match scan.empty_text() {
                    Some(()) => Ok(Vec::new()),
                    None => Ok(scan.items(&Kind::Nat, path)?.to_vec()),
                })?;
                return grid(Grid::of_rows(&rows), path);
            }
            Kind::Position | Kind::Any(Type::Never) => None,
            Kind::Any(ty) => return Ok(self.value(&Kind::of(ty), path)?),
        }
        .ok_or(None)
    }

    /// A label: an integer, a text, or the pair of a cell.
    fn vertex(&mut self) -> Option<Value> {
        match self.peek()? {
            b'"' => self.string().map(|text| Value::text(&text)),
            b'[' => self.two(Self::number).map(|(row, col)| Value::pair(row, col)),
            _ => self.number(),
        }
    }

    fn tuple(&mut self, kinds: &[Kind], path: &Path<'_>) -> Read<Value> {
        let mut parts = Vec::with_capacity(kinds.len());
        self.sequence(b'[', b']', |scan| {
            let kind = kinds.get(parts.len()).ok_or(None)?;
            parts.push(scan.value(kind, &Path::Item(path, parts.len()))?);
            Ok(())
        })?;
        if parts.len() == kinds.len() { Ok(Value::tuple(parts)) } else { Err(None) }
    }

    fn items(&mut self, of: &Kind, path: &Path<'_>) -> Read<Items> {
        let start = self.at;
        let packed = match of {
            of if is_int(of) => self.ints().map(Items::ints),
            Kind::Tuple(parts) if matches!(&parts[..], [a, b] if is_int(a) && is_int(b)) => {
                self.pairs(|(a, b)| Some((a.try_into().ok()?, b.try_into().ok()?))).map(Items::pairs)
            }
            _ => None,
        };
        if let Some(items) = packed {
            return Ok(items);
        }
        self.at = start;
        let mut values = Vec::new();
        self.sequence(b'[', b']', |scan| {
            values.push(scan.value(of, &Path::Item(path, values.len()))?);
            Ok(())
        })?;
        Ok(values.into())
    }

    fn set(&mut self, of: &Kind, path: &Path<'_>) -> Read<Value> {
        let items = self.items(of, path)?;
        if let Some(ints) = items.as_ints() {
            let mut ascending = ints.to_vec();
            ascending.sort_unstable();
            if ascending.is_sorted_by(|a, b| a < b) {
                return Ok(Value::Set(Items::ints(ascending)));
            }
        }
        let items = items.to_vec();
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by(|&i, &j| items[i].cmp(&items[j])); // stable: the repetition is the later one
        let repeated = order.windows(2).filter(|pair| items[pair[0]] == items[pair[1]]).map(|pair| pair[1]).min();
        match repeated {
            Some(i) => {
                let message = format!("{}: {} is in the set already", Path::Item(path, i), excerpt(&items[i]));
                Err(Some(Fault::new(Code::D04, message)))
            }
            None => Ok(Value::set(items)),
        }
    }

    /// The rows of a grid, each of which is `what`.
    fn rows<T>(
        &mut self,
        path: &Path<'_>,
        what: &str,
        mut row: impl FnMut(&mut Self, &Path<'_>) -> Read<T>,
    ) -> Read<Vec<T>> {
        let mut rows = Vec::new();
        self.sequence(b'[', b']', |scan| {
            let (start, path) = (scan.at, Path::Item(path, rows.len()));
            rows.push(row(scan, &path).map_err(|fault| fault.unwrap_or_else(|| scan.misfit(start, &path, what)))?);
            Ok(())
        })?;
        Ok(rows)
    }

    /// `{"n", "edges", "base"?}`, or `{"vertices", "edges"}` for other labels.
    fn graph(&mut self, word: GraphWord, base: i64, path: &Path<'_>) -> Read<Value> {
        let (mut n, mut from, mut vertices, mut edges) = (None, base, None, None);
        let mut pairs = None;
        self.sequence(b'{', b'}', |scan| {
            let key = scan.key().ok_or(None)?;
            let start = scan.at;
            let misfit = |scan: &Self, what| scan.misfit(start, &Path::Key(path, &key), what);
            if &*key != "edges" {
                // Edges are read by what stands beside them.
                pairs = None;
            }
            match &*key {
                "n" => {
                    let number = scan.int().and_then(|n| usize::try_from(n).ok()).filter(|n| *n <= ITEM_LIMIT);
                    n = Some(number.ok_or_else(|| misfit(scan, "a number of vertices"))?);
                }
                "base" => from = scan.int().ok_or_else(|| misfit(scan, "an integer"))?,
                "vertices" => {
                    let list = Kind::List(Box::new(Kind::Vertex(None)), 0);
                    vertices = Some(scan.value(&list, &Path::Key(path, "vertices"))?);
                }
                "edges" => {
                    edges = Some(start);
                    pairs = n.and_then(|n| scan.pairs(|edge| numbers(edge, from, n)));
                    if pairs.is_none() {
                        scan.at = start;
                        scan.at = scan.json::<serde::de::IgnoredAny>().ok_or(None)?.1;
                    }
                }
                other => {
                    let what = describe(&Kind::Graph(word, base));
                    return Err(Some(expected(path, what, &format!("one with \"{}\"", shortened(other)))));
                }
            }
            Ok(())
        })?;
        let missing = |key: &str| Fault::new(Code::D02, format!("{path}: the graph has no \"{key}\""));
        let start = edges.ok_or_else(|| missing("edges"))?;
        let (labels, order) = match (vertices, n) {
            (Some(vertices), None) => {
                let vertices: Vec<Value> = iterate(&vertices)?.collect();
                in_items(&[vertices.len()], "a graph of so many vertices")?;
                let (labels, order) = Labels::of(&vertices);
                (labels, Some(order))
            }
            (None, Some(n)) => {
                if from.checked_add(width::int(n)).is_none() {
                    return Err(Some(expected(&Path::Key(path, "base"), "an integer", &from.to_string())));
                }
                (Labels::Ints { from, n }, None)
            }
            (Some(_), Some(_)) => {
                let what = describe(&Kind::Graph(word, base));
                return Err(Some(expected(path, what, "one with both \"n\" and \"vertices\"")));
            }
            (None, None) => return Err(Some(missing("n"))),
        };
        let pairs = match pairs {
            Some(pairs) => pairs,
            None => Scan { at: start, ..*self }.edges(&labels, &Path::Key(path, "edges"))?,
        };
        Ok(Value::Graph(Arc::new(Graph::of_numbers(word, Arc::new(labels), order, pairs))))
    }

    /// Edges between vertices with these labels.
    fn edges(&mut self, labels: &Labels, path: &Path<'_>) -> Result<Vec<(u32, u32)>, Fault> {
        let (start, mut pairs) = (self.at, Vec::new());
        let read = self.sequence(b'[', b']', |scan| {
            let (start, path) = (scan.at, Path::Item(path, pairs.len()));
            let (mut ends, mut count) = ([0; 2], 0);
            let edge = scan.sequence(b'[', b']', |scan| {
                let path = Path::Item(&path, count);
                let end = ends.get_mut(count).ok_or(None)?;
                let label = scan.value(&Kind::Vertex(None), &path)?;
                *end = labels.number(&label).ok_or_else(|| no_vertex(&label, labels, &path))?;
                count += 1;
                Ok(())
            });
            let edge = if count == 2 { edge } else { edge.and(Err(None)) };
            edge.map_err(|fault| fault.unwrap_or_else(|| scan.misfit(start, &path, "a pair [u, v]")))?;
            pairs.push((ends[0], ends[1]));
            Ok(())
        });
        match read {
            Ok(()) => Ok(pairs),
            Err(fault) => Err(fault.unwrap_or_else(|| self.misfit(start, path, "an array of pairs [u, v]"))),
        }
    }
}

fn no_vertex(label: &Value, labels: &Labels, path: &Path<'_>) -> Fault {
    let range = match labels {
        Labels::Ints { from, n } => {
            format!(" ({from}..{})", from.saturating_add(width::int(*n)) - 1)
        }
        Labels::Cells { .. } | Labels::Numbers(_) | Labels::Other(_) => String::new(),
    };
    Fault::new(Code::R04, format!("{path}: {} is not a vertex{range}", excerpt(label)))
}

/// The numbers of the vertices of an edge.
#[inline]
fn numbers((u, v): (i64, i64), from: i64, n: usize) -> Option<(u32, u32)> {
    let number = |label: i64| u32::try_from(label.checked_sub(from)?).ok().filter(|number| (*number as usize) < n);
    Some((number(u)?, number(v)?))
}

fn is_int(kind: &Kind) -> bool {
    matches!(kind, Kind::Int | Kind::Nat | Kind::Vertex(_) | Kind::Any(Type::Int | Type::Vertex))
}

/// `p` or `p/q` with q > 0.
fn ratio(text: &str) -> Option<Value> {
    let (p, q) = text.split_once('/').unwrap_or((text, "1"));
    let (p, q): (BigInt, BigInt) = (p.trim().parse().ok()?, q.trim().parse().ok()?);
    (q > BigInt::zero()).then(|| Value::real(Surd { a: Ratio::new(p, q), b: Ratio::zero(), c: BigInt::zero() }))
}

fn grid(grid: Result<Grid, Fault>, path: &Path<'_>) -> Read<Value> {
    match grid {
        Ok(grid) => Ok(Value::Grid(Arc::new(grid))),
        Err(fault) => Err(Some(Fault::new(fault.code, format!("{path}: {}", fault.message)))),
    }
}
