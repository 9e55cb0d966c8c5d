//! Values of the language at run time.
//!
//! Positions are values too. Here also stand the faults that rules may end in and the limits of a run, since all that
//! computes must know them. Large collections of simple members are packed (`items`, `text`, `cells`, `edges`,
//! `components`); no other room sees which form they have unless it asks. What runs rules is not known here.

pub mod build;
pub mod domain;
pub mod fault;
pub mod graph;
mod grid;
pub mod items;
pub mod limits;
mod make;
mod measure;
pub mod memory;
pub mod mix;
mod order;
mod points;
pub mod position;
mod real;
pub mod refusal;
mod show;
pub mod team;
mod text;
pub(crate) mod width;

pub(crate) use crate::value::build::{ends, no_vertex};
pub use crate::value::fault::{Deopt, Fault, Halt, Run};
pub use crate::value::graph::{Graph, GraphEdge, Labels};
pub use crate::value::grid::Cells;
pub use crate::value::items::Items;
pub use crate::value::make::{ITEM_LIMIT, Members, excerpt, in_items, iterate, members, size, too_big, wanted};
pub(crate) use crate::value::make::{iterable, pair, range_size, settled};
pub use crate::value::measure::Weight;
pub use crate::value::points::Points;
pub use crate::value::position::{Component, Components, Compound, Position, Row, Shape};
pub use crate::value::show::WRITTEN;
pub(crate) use crate::value::show::cut;
use num_bigint::BigInt;
use num_rational::Ratio;
use std::sync::Arc;

/// A value. Canonical: equal values are equal as Rust values, except that a [`Value::Range`] equals the list of its
/// members and the base of a list does not count; states hold no ranges.
#[derive(Clone, Debug)]
pub enum Value {
    /// An int that fits.
    Int(i64),
    /// An int outside `i64`, and only such.
    Big(Arc<BigInt>),
    /// A truth value.
    Bool(bool),
    /// A text.
    Text(Text),
    /// A real that is no int.
    Real(Arc<Surd>),
    /// Two or more parts.
    Tuple(Arc<[Value]>),
    /// A list.
    List(List),
    /// `a..b`, both ends in it; empty when `b < a`.
    Range(i64, i64),
    /// Ascending, each once.
    Set(Items),
    /// Ascending, with repetition.
    Bag(Items),
    /// A graph.
    Graph(Arc<Graph>),
    /// A grid of characters or numbers.
    Grid(Arc<Grid>),
    /// An edge.
    Edge(Arc<Edge>),
    /// A position.
    Position(Arc<Position>),
    /// An infinite loopy value: the finite values of the options, ascending.
    Loop(Arc<[u64]>),
}

/// A list and the number of its first item (0 or 1, rule 7).
#[derive(Clone, Debug)]
pub struct List {
    /// Index of the first item.
    pub base: i64,
    /// The items.
    pub items: Items,
}

/// A text with fast access to its characters. The order is that of the numbers of characters.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Text(text::Form);

/// `a + b * sqrt(c)`: `b != 0` then `c` square-free and > 1; else `c == 0` and `a` no integer. Canonical.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Surd {
    /// The rational part.
    pub a: Ratio<BigInt>,
    /// The factor of the root.
    pub b: Ratio<BigInt>,
    /// What stands under the root.
    pub c: BigInt,
}

/// A rectangle of cells (rows may be empty). Cells are one-character texts or numbers.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Number of columns.
    pub cols: usize,
    /// Row by row, `rows * cols` values.
    pub cells: Arc<Cells>,
    /// Number of rows.
    pub rows: usize,
    /// The graph of its cells that are not `#`, made when first asked for.
    pub graph: std::sync::OnceLock<Arc<Graph>>,
}

/// An edge by itself; equal when identity and ends are.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Edge {
    /// Its index in the order written.
    pub id: u32,
    /// First end.
    pub u: Value,
    /// Second end.
    pub v: Value,
}
