//! What a field may hold, as a range whose values can be listed by size.

use crate::model::kind::{GraphWord, Kind, Type};
use crate::model::{Slot, TermKind};
use crate::value::Value;
use crate::value::graph::Graph;
use crate::vm::context::Context;
use std::sync::Arc;

/// The values of a kind.
#[derive(Clone, Debug)]
pub(crate) enum Range {
    Int,
    Nat,
    Bool,
    Real,
    Text,
    Tuple(Vec<Range>),
    List(Box<Range>, i64),
    Set(Box<Range>),
    Bag(Box<Range>),
    Graph(GraphWord, i64),
    Grid,
    NatGrid,
    Vertex(Host),
    Edge(Host),
    /// Only the default is tried.
    Default,
}

/// The graph of a `vertex of g`.
#[derive(Clone, Debug)]
pub(crate) enum Host {
    /// An earlier parameter or field.
    Slot(Slot),
    Known(Arc<Graph>),
}

fn graph_in(value: &Value) -> Option<Arc<Graph>> {
    match value {
        Value::Graph(graph) => Some(graph.clone()),
        Value::Grid(grid) => Some(grid.graph().clone()),
        _ => None,
    }
}

impl Range {
    /// The range of a kind.
    pub(crate) fn of(ctx: &mut Context, kind: &Kind) -> Range {
        let mut host = |term: &Option<Box<crate::model::Term>>| match term.as_ref().map(|t| &t.kind) {
            Some(TermKind::Slot(slot)) => Some(Host::Slot(*slot)),
            Some(TermKind::Global(global)) => {
                let value = ctx.with_recovery(|m| m.global(*global)).ok()?;
                graph_in(&value).map(Host::Known)
            }
            _ => None,
        };
        match kind {
            Kind::Int | Kind::Any(Type::Int) => Range::Int,
            Kind::Nat => Range::Nat,
            Kind::Bool | Kind::Any(Type::Bool) => Range::Bool,
            Kind::Real => Range::Real,
            Kind::Text | Kind::Any(Type::Text) => Range::Text,
            Kind::Tuple(parts) => Range::Tuple(parts.iter().map(|part| Range::of(ctx, part)).collect()),
            Kind::List(of, base) => Range::List(Box::new(Range::of(ctx, of)), *base),
            Kind::Set(of) => Range::Set(Box::new(Range::of(ctx, of))),
            Kind::Bag(of) => Range::Bag(Box::new(Range::of(ctx, of))),
            Kind::Graph(word, base) => Range::Graph(*word, *base),
            Kind::Grid => Range::Grid,
            Kind::NatGrid => Range::NatGrid,
            Kind::Vertex(of) => host(of).map_or(Range::Default, Range::Vertex),
            Kind::Edge(of) => host(of).map_or(Range::Default, Range::Edge),
            Kind::Position | Kind::Any(_) => Range::Default,
        }
    }

    /// The range with the graphs of earlier slots put in.
    pub(crate) fn settled(&self, earlier: &[Option<Value>]) -> Range {
        let host = |host: &Host| match host {
            Host::Slot(slot) => earlier.get(*slot).and_then(Option::as_ref).and_then(graph_in).map(Host::Known),
            Host::Known(graph) => Some(Host::Known(graph.clone())),
        };
        match self {
            Range::Vertex(of) => host(of).map_or(Range::Default, Range::Vertex),
            Range::Edge(of) => host(of).map_or(Range::Default, Range::Edge),
            Range::Tuple(parts) => Range::Tuple(parts.iter().map(|part| part.settled(earlier)).collect()),
            Range::List(of, base) => Range::List(Box::new(of.settled(earlier)), *base),
            Range::Set(of) => Range::Set(Box::new(of.settled(earlier))),
            Range::Bag(of) => Range::Bag(Box::new(of.settled(earlier))),
            other => other.clone(),
        }
    }

    /// The greatest size, when there is one.
    pub(crate) fn ceiling(&self) -> Option<u64> {
        /// More vertices and edges than any graph that is listed has.
        const GRAPH: u64 = 40;
        match self {
            Range::Bool | Range::Vertex(_) | Range::Edge(_) | Range::Default => Some(0),
            Range::Graph(..) => Some(GRAPH),
            Range::Tuple(parts) => parts.iter().map(Range::ceiling).sum(),
            Range::Set(of) => match &**of {
                Range::Vertex(Host::Known(graph)) => Some(graph.vertices.len() as u64),
                Range::Edge(Host::Known(graph)) => Some(graph.edges.len() as u64),
                Range::Vertex(_) | Range::Edge(_) => Some(GRAPH),
                Range::Bool => Some(2),
                _ => None,
            },
            _ => None,
        }
    }
}
