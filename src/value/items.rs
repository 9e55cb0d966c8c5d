//! The items of a list, set or bag: values, or, when there are many of one simple kind, only what tells them apart.
//!
//! A value takes 32 bytes, a pair another 80; 10^6 pairs of numbers below 2^31 need 8 bytes each. Packed items are numbers,
//! pairs of such numbers, or edges of one graph. Which form items have is never seen: equality, order and hash are those of the values. Code
//! that has a way with one form asks for it ([`Items::as_ints`], ...); for all other code the items are a slice of values,
//! which is spelled out when first asked for and kept.

use crate::value::graph::Places;
use crate::value::order::{hash_edge, hash_tuple};
use crate::value::{Graph, Value, width};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// So few items are never packed.
const FEW: usize = 64;

/// The same of ints, on which most words work as they are (sets of 100 numbers: 1.6 times the speed).
const FEW_INTS: usize = 8;

/// Items in order. Cheap to clone.
#[derive(Clone)]
pub enum Items {
    /// One value each.
    Values(Arc<[Value]>),
    /// Many of one kind.
    Packed(Arc<Packed>),
}

/// Many items of one kind, and the values when they were asked for.
pub struct Packed {
    form: Form,
    values: OnceLock<Arc<[Value]>>,
}

/// What is kept of packed items.
enum Form {
    Ints(Vec<i64>),
    Pairs(Vec<(i32, i32)>),
    /// Indices into the edges of a graph, ascending.
    Edges(Arc<Graph>, Places),
}

impl Form {
    fn len(&self) -> usize {
        match self {
            Form::Ints(ints) => ints.len(),
            Form::Pairs(pairs) => pairs.len(),
            Form::Edges(_, indices) => indices.len(),
        }
    }

    fn item(&self, index: usize) -> Option<Value> {
        match self {
            Form::Ints(ints) => ints.get(index).map(|n| Value::Int(*n)),
            Form::Pairs(pairs) => {
                pairs.get(index).map(|(a, b)| Value::pair(Value::Int((*a).into()), Value::Int((*b).into())))
            }
            Form::Edges(graph, indices) => {
                let index = u32::try_from(index).ok().filter(|_| index < indices.len())?;
                graph.edges.get(indices.at(index) as usize).map(|edge| graph.edge_value(&edge))
            }
        }
    }

    fn values(&self) -> Arc<[Value]> {
        (0..self.len()).filter_map(|index| self.item(index)).collect()
    }
}

impl Items {
    fn of(form: Form) -> Items {
        let few = if matches!(form, Form::Ints(_)) { FEW_INTS } else { FEW };
        if form.len() <= few {
            Items::Values(form.values())
        } else {
            Items::Packed(Arc::new(Packed { form, values: OnceLock::new() }))
        }
    }

    /// These ints.
    pub fn ints(ints: Vec<i64>) -> Items {
        Items::of(Form::Ints(ints))
    }

    /// These pairs of ints, as tuples.
    pub fn pairs(pairs: Vec<(i32, i32)>) -> Items {
        Items::of(Form::Pairs(pairs))
    }

    /// The edges of a graph with these indices, which ascend; what is no index of an edge is left out.
    pub fn edges(graph: &Arc<Graph>, mut indices: Vec<u32>) -> Items {
        let edges = graph.edges.len();
        indices.retain(|&index| (index as usize) < edges);
        if indices.len() == edges {
            return Items::all_edges(graph);
        }
        Items::of(Form::Edges(Arc::clone(graph), Places::Some(indices)))
    }

    pub(crate) fn all_edges(graph: &Arc<Graph>) -> Items {
        let edges = width::short(graph.edges.len()); // below ITEM_LIMIT
        Items::of(Form::Edges(Arc::clone(graph), Places::All(edges)))
    }

    /// The item at a place, if it is an int.
    #[inline]
    pub(crate) fn int(&self, at: usize) -> Option<i64> {
        match self {
            Items::Values(values) => {
                values.get(at).and_then(|item| if let Value::Int(n) = item { Some(*n) } else { None })
            }
            Items::Packed(packed) => match &packed.form {
                Form::Ints(ints) => ints.get(at).copied(),
                _ => None,
            },
        }
    }

    /// Whether these are the items of the other in memory.
    pub(crate) fn is_same(&self, other: &Items) -> bool {
        match (self, other) {
            (Items::Values(a), Items::Values(b)) => Arc::ptr_eq(a, b),
            (Items::Packed(a), Items::Packed(b)) => Arc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// How many; nothing is spelled out.
    pub fn len(&self) -> usize {
        match self {
            Items::Values(values) => values.len(),
            Items::Packed(packed) => packed.form.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One of them; nothing is spelled out.
    pub fn item(&self, index: usize) -> Option<Value> {
        match self {
            Items::Values(values) => values.get(index).cloned(),
            Items::Packed(packed) => packed.form.item(index),
        }
    }

    fn form(&self) -> Option<&Form> {
        if let Items::Packed(packed) = self { Some(&packed.form) } else { None }
    }

    /// Packed ints.
    pub fn as_ints(&self) -> Option<&[i64]> {
        if let Form::Ints(ints) = self.form()? { Some(ints) } else { None }
    }

    /// Packed pairs of ints.
    pub fn as_pairs(&self) -> Option<&[(i32, i32)]> {
        if let Form::Pairs(pairs) = self.form()? { Some(pairs) } else { None }
    }

    /// Packed edges: the graph and the indices of its edges.
    pub(crate) fn as_edges(&self) -> Option<(&Arc<Graph>, &Places)> {
        if let Form::Edges(graph, indices) = self.form()? { Some((graph, indices)) } else { None }
    }

    /// The values, shared.
    pub fn values(&self) -> &Arc<[Value]> {
        match self {
            Items::Values(values) => values,
            Items::Packed(packed) => packed.values.get_or_init(|| packed.form.values()),
        }
    }

    pub(super) fn packed_bytes(&self) -> Option<usize> {
        let Items::Packed(packed) = self else { return None };
        let mut bytes = 64;
        let (each, spelled) = match &packed.form {
            Form::Ints(_) => (8, 32),
            Form::Pairs(_) => (8, 112),
            Form::Edges(_, indices) => {
                bytes += indices.bytes();
                (0, 128)
            }
        };
        let spelled = if packed.values.get().is_some() { spelled } else { 0 };
        Some(self.len() * (each + spelled) + bytes)
    }
}

impl std::ops::Deref for Items {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        self.values()
    }
}

impl From<Vec<Value>> for Items {
    fn from(values: Vec<Value>) -> Items {
        Items::Values(values.into())
    }
}

impl FromIterator<Value> for Items {
    fn from_iter<T: IntoIterator<Item = Value>>(values: T) -> Items {
        Items::Values(values.into_iter().collect())
    }
}

impl fmt::Debug for Items {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Ord for Items {
    fn cmp(&self, other: &Items) -> Ordering {
        if let (Items::Packed(a), Items::Packed(b)) = (self, other) {
            match (&a.form, &b.form) {
                _ if Arc::ptr_eq(a, b) => return Ordering::Equal,
                (Form::Ints(a), Form::Ints(b)) => return a.cmp(b),
                (Form::Pairs(a), Form::Pairs(b)) => return a.cmp(b),
                // Edges of one graph are ordered by identity, and so are their indices.
                (Form::Edges(g, a), Form::Edges(h, b)) if Arc::ptr_eq(g, h) => return a.all().cmp(b.all()),
                _ => {}
            }
        }
        if let (Items::Values(a), Items::Values(b)) = (self, other) {
            return a.cmp(b);
        }
        // Forms differ: item by item, none kept.
        let mut both =
            (0..self.len().min(other.len())).map_while(|index| Some(self.item(index)?.cmp(&other.item(index)?)));
        both.find(|order| order.is_ne()).unwrap_or_else(|| self.len().cmp(&other.len()))
    }
}

impl PartialEq for Items {
    fn eq(&self, other: &Items) -> bool {
        self.len() == other.len() && self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Items {}

impl Hash for Items {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Items::Packed(packed) = self else { return (**self).hash(state) };
        // As the slice of the values: its length, then each.
        self.len().hash(state);
        match &packed.form {
            Form::Ints(ints) => ints.iter().for_each(|n| Value::Int(*n).hash(state)),
            Form::Pairs(pairs) => {
                for &(a, b) in pairs {
                    hash_tuple(&[Value::Int(a.into()), Value::Int(b.into())], state);
                }
            }
            Form::Edges(graph, indices) if graph.edges.are_numbered() => {
                // The identity of each is its index.
                for index in indices.all() {
                    hash_edge(index, state);
                }
            }
            Form::Edges(graph, indices) => {
                for edge in indices.all().filter_map(|index| graph.edges.get(index as usize)) {
                    hash_edge(edge.id, state);
                }
            }
        }
    }
}
