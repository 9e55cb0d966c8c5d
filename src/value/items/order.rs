//! The order and the hash of items: those of the slice of their values, whatever form they have.

use crate::value::Value;
use crate::value::items::{Form, Items};
use crate::value::order::{hash_edge, hash_tuple};
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

impl Ord for Items {
    fn cmp(&self, other: &Items) -> Ordering {
        if let (Items::Packed(a), Items::Packed(b)) = (self, other) {
            match (&a.form, &b.form) {
                _ if Arc::ptr_eq(a, b) => return Ordering::Equal,
                (Form::Ints(a), Form::Ints(b)) => return a.cmp(b),
                (Form::Pairs(a), Form::Pairs(b)) => return a.cmp(b),
                (Form::Short(a, _), Form::Short(b, _)) => return a.cmp(b),
                // Edges of one graph are ordered by identity, and so are their indices.
                (Form::Edges(g, a), Form::Edges(h, b)) if Arc::ptr_eq(g, h) => return a.all().cmp(b.all()),
                _ => {}
            }
        }
        if let (Items::Values(a), Items::Values(b)) = (self, other) { a.cmp(b) } else { compare_items(self, other) }
    }
}

impl PartialOrd for Items {
    fn partial_cmp(&self, other: &Items) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Items {
    fn eq(&self, other: &Items) -> bool {
        self.len() == other.len() && self.cmp(other) == Ordering::Equal
    }
}

/// The order of items of which one at least is in another form than the other: item by item, none kept.
fn compare_items(a: &Items, b: &Items) -> Ordering {
    let mut both = (0..a.len().min(b.len())).map_while(|index| Some(a.item(index)?.cmp(&b.item(index)?)));
    both.find(|order| order.is_ne()).unwrap_or_else(|| a.len().cmp(&b.len()))
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
                for (a, b) in pairs {
                    hash_tuple(&[Value::Int(*a), Value::Int(*b)], state);
                }
            }
            Form::Short(pairs, _) => {
                for &(a, b) in &**pairs {
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
