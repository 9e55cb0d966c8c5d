//! The sizes of values: by which instances of claims are ordered, and how many bytes they take.

use crate::value::{Cells, Items, List, Value, width};
use std::sync::Arc;

impl Value {
    /// The sum of ints by absolute value, lengths, vertices and edges; what is larger than a word counts as the greatest one.
    pub fn extent(&self) -> u64 {
        let sum = |items: &[Value]| items.iter().map(Value::extent).fold(0, u64::saturating_add);
        let with_length = |items: &[Value]| sum(items).saturating_add(items.len() as u64);
        match self {
            Value::Int(n) => n.unsigned_abs(),
            Value::Big(_) => u64::MAX,
            Value::Bool(_) | Value::Edge(_) | Value::Position(_) | Value::Loop(_) => 0,
            Value::Real(_) => 1,
            Value::Text(text) => text.len() as u64,
            Value::Tuple(parts) => sum(parts),
            Value::List(list) => with_length(&list.items),
            Value::Set(items) | Value::Bag(items) => with_length(items),
            Value::Range(from, to) if to < from => 0,
            Value::Range(from, to) => {
                let ints = (*from..=*to).map(i64::unsigned_abs).fold(0, u64::saturating_add);
                to.abs_diff(*from).saturating_add(1).saturating_add(ints)
            }
            Value::Graph(graph) => (graph.vertices.len() + graph.edges.len()) as u64,
            Value::Grid(grid) => {
                let all = grid.cells.len() as u64;
                let Cells::Values(values) = &*grid.cells else { return all };
                let numbers = values.iter().filter(|cell| !matches!(cell, Value::Text(_)));
                numbers.map(Value::extent).fold(all, u64::saturating_add)
            }
        }
    }

    /// Bytes of this value and what it owns, roughly; what it shares with others counts here too.
    pub fn bytes(&self) -> usize {
        let mut weight = Weight::default();
        weight.value(self, DEPTH);
        size_of::<Value>() + weight.bytes
    }

    /// What it took to make a number by arithmetic, in words moved: products of long numbers take longer than these are. 0: it is short.
    pub fn cost(&self) -> u64 {
        const SHORT: u64 = 16;
        let bits = match self {
            Value::Big(n) => n.bits(),
            Value::Real(real) => real.bits(),
            _ => 0,
        };
        let words = bits / 64;
        if words < SHORT { 0 } else { words * words.isqrt() }
    }

    /// The members of a collection, vertices and edges of a graph, else 0: what one operation on it costs.
    pub fn breadth(&self) -> u64 {
        let members = match self {
            Value::Set(items) | Value::Bag(items) => items.len(),
            Value::List(list) => list.items.len(),
            Value::Text(text) => text.len(),
            Value::Grid(grid) => grid.cells.len(),
            Value::Graph(graph) => graph.vertices.len() + graph.edges.len(),
            _ => 0,
        };
        width::count(members)
    }

    /// Whether it is a number beyond words, or a list or tuple with one at an end.
    pub fn has_big_end(&self) -> bool {
        match self {
            Value::Big(_) => true,
            Value::List(List { items, .. }) | Value::Bag(items) => {
                let ends = [Some(0), items.len().checked_sub(1)];
                ends.into_iter().flatten().any(|at| items.item(at).is_some_and(|item| item.has_big_end()))
            }
            Value::Tuple(parts) => parts.iter().any(Value::has_big_end),
            _ => false,
        }
    }
}

/// Counts the bytes of values that are kept; what several of them share is counted once.
#[derive(Debug, Default)]
pub struct Weight {
    bytes: usize,
    /// Where the parts are that had several owners when they were counted. They are kept, so that no other comes to stand there.
    shared: hashbrown::HashSet<usize>,
}

/// Deeper parts are counted as nothing: values are shallow.
const DEPTH: usize = 4;

/// What the allocator takes for so many bytes behind two counters of owners.
fn allocated(bytes: usize) -> usize {
    (bytes + 16 + 8).next_multiple_of(16).max(32)
}

impl Weight {
    /// Bytes so far, with what the counting itself takes.
    pub fn bytes(&self) -> usize {
        self.bytes + self.shared.capacity() * 9 * 8 / 7
    }

    /// Counts a row of values that is kept from now on.
    pub fn keep(&mut self, row: &Arc<[Value]>) {
        self.part(row, Arc::as_ptr(row).cast::<u8>().addr(), |weight| weight.row(row, DEPTH));
    }

    /// Counts a part, unless it is one that was counted.
    fn part<T: ?Sized>(&mut self, part: &Arc<T>, address: usize, count: impl FnOnce(&mut Weight) -> usize) {
        if Arc::strong_count(part) == 1 || self.shared.insert(address) {
            let bytes = count(self);
            self.bytes += allocated(bytes);
        }
    }

    /// The bytes of a row itself; those of its parts are added.
    fn row(&mut self, row: &[Value], depth: usize) -> usize {
        for value in row.iter().filter(|_| depth > 0) {
            self.value(value, depth - 1);
        }
        std::mem::size_of_val(row)
    }

    /// Adds what a value owns beside itself.
    fn value(&mut self, value: &Value, depth: usize) {
        let mut rows = |row: &Arc<[Value]>| {
            self.part(row, Arc::as_ptr(row).cast::<u8>().addr(), |weight| weight.row(row, depth));
        };
        match value {
            Value::Tuple(row) => rows(row),
            Value::Set(items) | Value::Bag(items) | Value::List(List { items, .. }) => match items {
                Items::Values(row) => rows(row),
                Items::Packed(packed) => {
                    let bytes = items.packed_bytes().unwrap_or(0);
                    self.part(packed, Arc::as_ptr(packed).addr(), |_| bytes);
                }
            },
            Value::Text(text) => self.bytes += allocated(text.bytes().map_or(text.len() * 4 + 32, <[u8]>::len)),
            Value::Grid(grid) => {
                let bytes = match &*grid.cells {
                    Cells::Bytes(bytes) => bytes.len(),
                    Cells::Values(values) => values.len() * (std::mem::size_of::<Value>() + 32),
                };
                self.part(grid, Arc::as_ptr(grid).addr(), |_| bytes + 128);
            }
            // What is left of a graph has lists of its own: vertices, which they are, edges and their identities.
            Value::Graph(graph) if graph.vertices.len() < graph.labels.len() => {
                let bytes = graph.vertices.len() * 4 + graph.labels.len() + graph.edges.len() * 12 + 128;
                self.part(graph, Arc::as_ptr(graph).addr(), |_| bytes);
            }
            Value::Int(_) | Value::Bool(_) | Value::Range(..) => {}
            Value::Big(number) => {
                let bytes = usize::try_from(number.bits() / 8).unwrap_or(usize::MAX / 2);
                self.bytes += allocated(bytes + 32);
            }
            Value::Loop(values) => self.bytes += allocated(values.len() * 8),
            _ => self.bytes += 64,
        }
    }
}
