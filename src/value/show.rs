//! Values as text, in the syntax of the language.

use crate::model::GraphWord;
use crate::value::{Edge, Graph, Grid, Items, Labels, Surd, Text, Value};
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::borrow::Cow;
use std::fmt::{self, Write};

/// A graph with more edges or listed vertices than this is printed by its sizes.
const SHOWN: usize = 24;

/// Of so many members of a collection, and components of a sum, the text of a position says all.
pub const WRITTEN: usize = 1000;
/// Of more it says so many.
pub(crate) const FIRST: usize = 10;

/// How many of `all` members are written when at most `most` are, and what stands behind them.
pub(crate) fn cut(all: usize, most: usize) -> (usize, Option<String>) {
    if all <= most { (all, None) } else { (FIRST, Some(format!("... {} more", all - FIRST))) }
}

impl fmt::Display for Value {
    /// A text by itself is printed as it is, one inside a collection in quotes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Text(text) => text.fmt(f),
            _ => show(self, usize::MAX, f),
        }
    }
}

impl Value {
    /// The value as it stands inside a position or collection: texts in quotes.
    pub(crate) fn inner_text(&self) -> String {
        let mut text = String::new();
        let _ = show(self, usize::MAX, &mut text); // writing to a string does not fail
        text
    }

    /// Adds the value as the text of a position has it: of more than [`WRITTEN`] members the first, and how many more.
    pub(crate) fn add_position_text(&self, text: &mut String) {
        if let Value::Int(n) = self {
            text.push_str(itoa::Buffer::new().format(*n));
            return;
        }
        let _ = show(self, WRITTEN, text);
    }
}

/// The first `limit` characters or so, texts in quotes.
pub(super) fn excerpt(value: &Value, limit: usize) -> String {
    let mut out = Cut { text: String::new(), left: limit };
    if show(value, usize::MAX, &mut out).is_err() {
        out.text.push_str("...");
    }
    out.text
}

/// A string that refuses more than so many characters, so that nothing long is ever built for a message.
struct Cut {
    text: String,
    left: usize,
}

impl Write for Cut {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        for c in s.chars() {
            self.left = self.left.checked_sub(1).ok_or(fmt::Error)?;
            self.text.push(c);
        }
        Ok(())
    }
}

/// Of longer collections than `most` the first few members.
fn show<W: Write>(value: &Value, most: usize, f: &mut W) -> fmt::Result {
    match value {
        Value::Int(n) => f.write_str(itoa::Buffer::new().format(*n)),
        Value::Big(n) => write!(f, "{n}"),
        Value::Bool(b) => write!(f, "{b}"),
        Value::Text(text) => quoted(text, f),
        Value::Real(surd) => show_surd(surd, f),
        Value::Tuple(parts) => series("(", parts, ")", most, f),
        Value::List(list) => all("[", &list.items, "]", most, f),
        Value::Range(from, to) => write!(f, "{from}..{to}"),
        Value::Set(items) => all("{", items, "}", most, f),
        Value::Bag(items) => all("bag([", items, "])", most, f),
        Value::Graph(graph) => show_graph(graph, f),
        Value::Grid(grid) => show_grid(grid, f),
        Value::Edge(edge) => show_edge(edge, f),
        Value::Position(position) => match &position.shape {
            crate::value::Shape::Sum(parts) if parts.is_empty() => f.write_str("the zero position"),
            crate::value::Shape::Sum(parts) => {
                write!(f, "a position of {} component{}", parts.len(), plural(parts.len()))
            }
            crate::value::Shape::Compound(_, parts) => {
                write!(f, "a compound of {} part{}", parts.len(), plural(parts.len()))
            }
        },
        Value::Loop(values) => {
            f.write_str("loop(")?;
            for (i, n) in values.iter().enumerate() {
                write!(f, "{}{n}", if i == 0 { "" } else { ", " })?;
            }
            f.write_char(')')
        }
    }
}

fn plural(n: usize) -> &'static str {
    if n == 1 { "" } else { "s" }
}

fn series<W: Write>(open: &str, items: &[Value], close: &str, most: usize, f: &mut W) -> fmt::Result {
    let (written, rest) = cut(items.len(), most);
    all_of(open, items[..written].iter().map(Cow::Borrowed), rest.as_deref(), close, most, f)
}

/// As [`series`]; packed items are not spelled out.
fn all<W: Write>(open: &str, items: &Items, close: &str, most: usize, f: &mut W) -> fmt::Result {
    if let Items::Values(values) = items {
        return series(open, values, close, most, f);
    }
    let (written, rest) = cut(items.len(), most);
    all_of(open, (0..written).filter_map(|index| items.item(index)).map(Cow::Owned), rest.as_deref(), close, most, f)
}

/// These items, what is left out, and the brackets.
fn all_of<'v, W: Write>(
    open: &str,
    items: impl Iterator<Item = Cow<'v, Value>>,
    rest: Option<&str>,
    close: &str,
    most: usize,
    f: &mut W,
) -> fmt::Result {
    f.write_str(open)?;
    for (i, item) in items.enumerate() {
        f.write_str(if i > 0 { ", " } else { "" })?;
        show(&item, most, f)?;
    }
    rest.iter().try_for_each(|rest| write!(f, ", {rest}"))?;
    f.write_str(close)
}

fn quoted<W: Write>(text: &Text, f: &mut W) -> fmt::Result {
    f.write_char('"')?;
    for c in text.characters() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            _ => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

/// A vertex label: texts without quotes, as in a drawing.
fn show_label<W: Write>(label: &Value, f: &mut W) -> fmt::Result {
    match label {
        Value::Text(text) => text.characters().try_for_each(|c| f.write_char(c)),
        _ => show(label, usize::MAX, f),
    }
}

fn show_edge<W: Write>(edge: &Edge, f: &mut W) -> fmt::Result {
    show_label(&edge.u, f)?;
    f.write_char('-')?;
    show_label(&edge.v, f)
}

fn show_surd<W: Write>(surd: &Surd, f: &mut W) -> fmt::Result {
    let below = surd.a.denom().lcm(surd.b.denom());
    let a = surd.a.numer() * (&below / surd.a.denom());
    let b = surd.b.numer() * (&below / surd.b.denom());
    let (whole, rooted) = (!a.is_zero(), !b.is_zero());
    let brackets = whole && rooted && !below.is_one();
    if brackets {
        f.write_char('(')?;
    }
    if whole {
        write!(f, "{a}")?;
    }
    if rooted {
        let sign = match (whole, b.is_negative()) {
            (true, true) => " - ",
            (true, false) => " + ",
            (false, true) => "-",
            (false, false) => "",
        };
        f.write_str(sign)?;
        if b.abs() != num_bigint::BigInt::one() {
            write!(f, "{} * ", b.abs())?;
        }
        write!(f, "sqrt({})", surd.c)?;
    }
    if brackets {
        f.write_char(')')?;
    }
    if below.is_one() { Ok(()) } else { write!(f, " / {below}") }
}

fn show_grid<W: Write>(grid: &Grid, f: &mut W) -> fmt::Result {
    f.write_char('[')?;
    for row in 0..grid.rows {
        if row > 0 {
            f.write_str(", ")?;
        }
        let places = row * grid.cols..(row + 1) * grid.cols;
        let characters: Option<Text> = places.clone().map(|place| grid.cells.character(place)).collect();
        if let Some(characters) = characters {
            quoted(&characters, f)?;
        } else {
            let cells: Vec<Value> = places.filter_map(|place| grid.cells.get(place)).collect();
            series("[", &cells, "]", usize::MAX, f)?;
        }
    }
    f.write_char(']')
}

fn show_graph<W: Write>(graph: &Graph, f: &mut W) -> fmt::Result {
    let (name, edge) = (graph.word.sign(), if graph.word == GraphWord::Digraph { "arc" } else { "edge" });
    let (n, m) = (graph.vertices.len(), graph.edges.len());
    let numbered = matches!(*graph.labels, Labels::Ints { from: 0, n: all } if all == n) && graph.vertices.ascend();
    if m > SHOWN || !numbered && n > SHOWN {
        let vertices = if n == 1 { "vertex" } else { "vertices" };
        return write!(f, "{name} of {n} {vertices} and {m} {edge}{}", plural(m));
    }
    write!(f, "{name}(")?;
    if numbered {
        write!(f, "{n}")?;
    } else {
        let labels: Vec<Value> = graph.vertices.iter().map(|&v| graph.label(v)).collect();
        series("[", &labels, "]", usize::MAX, f)?;
    }
    let pairs: Vec<Value> = graph.edges.iter().map(|e| Value::pair(graph.label(e.u), graph.label(e.v))).collect();
    series(", [", &pairs, "])", usize::MAX, f)
}

impl Graph {
    /// The edge as a report prints it: `a-b`, the second of two parallel ones `a-b#2`. Linear in the edges of a
    /// multigraph, constant otherwise. Asked of the graph that the edge was written in, the name is the same for good.
    pub fn edge_name(&self, edge: &Edge) -> String {
        let mut name = Value::Edge(std::sync::Arc::new(edge.clone())).to_string();
        if self.word == GraphWord::Multigraph
            && let (Some(u), Some(v)) = (self.number(&edge.u), self.number(&edge.v))
        {
            let parallel = |e: &crate::value::graph::GraphEdge| (e.u, e.v) == (u, v) || (e.u, e.v) == (v, u);
            let before = self.edges.iter().take_while(|e| e.id < edge.id).filter(parallel).count();
            if before > 0 {
                let _ = write!(name, "#{}", before + 1); // writing to a string cannot fail
            }
        }
        name
    }
}
