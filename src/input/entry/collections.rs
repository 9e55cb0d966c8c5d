//! Collections and tuples that enter a kind, item by item.

use crate::input::entry::want::{View, Want};
use crate::input::entry::{Gate, Passed};
use crate::source::diagnostic::Code;
use crate::value::fault::Fault;
use crate::value::{Items, List, Value, members, wanted};
use std::sync::Arc;

impl Gate<'_> {
    /// The items after entering; nothing when all fit.
    pub(super) fn items(&mut self, items: &[Value], of: Want<'_>) -> Result<Option<Vec<Value>>, Fault> {
        if of.is_plain() {
            return Ok(None);
        }
        for (i, item) in items.iter().enumerate() {
            if let Some(changed) = self.pass(item, of)? {
                let mut out = Vec::with_capacity(items.len());
                out.extend_from_slice(&items[..i]);
                out.push(changed);
                for item in &items[i + 1..] {
                    out.push(self.pass(item, of)?.unwrap_or_else(|| item.clone()));
                }
                return Ok(Some(out));
            }
        }
        Ok(None)
    }

    /// Packed items that all fit as they are; nothing where each has to be looked at by itself.
    fn packed<'v>(&mut self, value: &'v Value, of: Want<'_>) -> Result<Option<&'v Items>, Fault> {
        let (Value::List(List { items, .. }) | Value::Set(items) | Value::Bag(items)) = value else { return Ok(None) };
        // The bits of all ints together: negative if one of them is.
        let int = |part: Want<'_>, bits: i64| match part.view() {
            View::Any | View::Int | View::Real => true,
            View::Nat => bits >= 0,
            _ => false,
        };
        if let View::Vertex(term) = of.view()
            && (items.as_ints().is_some() || items.as_pairs().is_some())
        {
            let graph = self.graph(term)?;
            let is_vertex = |index| items.item(index).is_some_and(|label| graph.number(&label).is_some());
            let all = if let Value::Set(_) = value { graph.has_all(items) } else { (0..items.len()).all(is_vertex) };
            return Ok(all.then_some(items));
        }
        let fit = if let Some(ints) = items.as_ints() {
            int(of, ints.iter().fold(0, |all, n| all | n))
        } else if let Some(pairs) = items.as_pairs() {
            let bits = || pairs.iter().fold((0, 0), |(a, b), pair| (a | pair.0, b | pair.1));
            of.is_plain()
                || matches!(of.view(), View::Tuple(2)) && {
                    let (first, second) = bits();
                    int(of.part(0), first) && int(of.part(1), second)
                }
        } else if let Some((of_graph, _)) = items.as_edges() {
            match of.view() {
                View::Any | View::Edge(None) => true,
                View::Edge(Some(term)) => Arc::ptr_eq(&self.graph(term)?, of_graph),
                _ => false,
            }
        } else {
            false
        };
        Ok(fit.then_some(items))
    }

    pub(super) fn tuple(&mut self, value: &Value, n: usize, want: Want<'_>) -> Passed {
        let ends;
        let (parts, mut new): (&[Value], Option<Vec<Value>>) = match value {
            Value::Tuple(parts) if parts.len() == n => (parts, None),
            Value::Edge(edge) if n == 2 => {
                ends = [edge.u.clone(), edge.v.clone()];
                (&ends, Some(ends.to_vec()))
            }
            _ => return Err(wanted(&format!("a tuple of {n} parts"), value)),
        };
        for (i, part) in parts.iter().enumerate() {
            if let Some(changed) = self.pass(part, want.part(i))? {
                new.get_or_insert_with(|| parts.to_vec())[i] = changed;
            }
        }
        Ok(new.map(Value::tuple))
    }

    pub(super) fn list(&mut self, value: &Value, of: Want<'_>, base: Option<i64>) -> Passed {
        let old = if let Value::List(list) = value { Some(list.base) } else { None };
        let base = base.or(old).unwrap_or(0);
        if let Some(items) = self.packed(value, of)? {
            return Ok((old != Some(base)).then(|| Value::List(List { base, items: items.clone() })));
        }
        if let Some(items) = many_vertices(value) {
            let list = Value::List(List { base, items });
            if self.packed(&list, of)?.is_some() {
                return Ok(Some(list));
            }
        }
        let items = collection(value, "a list")?;
        let items: Items = match (self.items(&items, of)?, value) {
            (Some(changed), _) => changed.into(),
            (None, Value::List(list)) if list.base == base => return Ok(None),
            // A list counted otherwise, a set, a bag: the items can be shared.
            (None, Value::List(List { items, .. }) | Value::Set(items) | Value::Bag(items)) => items.clone(),
            (None, _) => items.into_owned().into(),
        };
        Ok(Some(Value::List(List { base, items })))
    }

    pub(super) fn set(&mut self, value: &Value, of: Want<'_>) -> Passed {
        if let Some(items) = self.packed(value, of)? {
            match (value, items.as_ints()) {
                (Value::Set(_), _) => return Ok(None),
                (_, Some(ints)) => return Ok(Some(Value::set_of_ints(ints.to_vec()))),
                _ => {}
            }
        }
        let items = collection(value, "a set")?;
        match (self.items(&items, of)?, value) {
            (None, Value::Set(_)) => Ok(None),
            (changed, _) => Ok(Some(Value::set(changed.unwrap_or_else(|| items.into_owned())))),
        }
    }

    pub(super) fn bag(&mut self, value: &Value, of: Want<'_>) -> Passed {
        if let Some(items) = self.packed(value, of)? {
            match value {
                Value::Bag(_) => return Ok(None),
                Value::Set(_) => return Ok(Some(Value::Bag(items.clone()))),
                _ => {}
            }
        }
        let items = collection(value, "a bag")?;
        match (self.items(&items, of)?, value) {
            (None, Value::Bag(_)) => Ok(None),
            (None, Value::Set(items)) => Ok(Some(Value::Bag(items.clone()))),
            (changed, _) => Ok(Some(Value::bag(changed.unwrap_or_else(|| items.into_owned())))),
        }
    }
}

/// The vertices of a large graph, packed; nothing where they cannot be.
fn many_vertices(value: &Value) -> Option<Items> {
    let graph = match value {
        Value::Graph(graph) => graph,
        Value::Grid(grid) => grid.graph(),
        _ => return None,
    };
    let items = graph.vertex_items(graph.vertices.iter().copied());
    matches!(items, Items::Packed(_)).then_some(items)
}

/// The members of what can become a list, set or bag unasked: everything but a text.
fn collection<'a>(value: &'a Value, what: &str) -> Result<std::borrow::Cow<'a, [Value]>, Fault> {
    match value {
        Value::Text(_) => Err(wanted(what, value)),
        _ => members(value).map_err(|fault| if fault.code == Code::E03 { wanted(what, value) } else { fault }),
    }
}
