//! Edges, graphs and grids that enter a kind.

use crate::input::entry::{Gate, Passed};
use crate::model::Term;
use crate::model::kind::GraphWord;
use crate::source::diagnostic::Code;
use crate::value::fault::Fault;
use crate::value::graph::Graph;
use crate::value::{Cells, Edge, Value, excerpt, wanted};
use std::sync::Arc;

impl Gate<'_> {
    pub(super) fn edge(&mut self, value: &Value, term: Option<&Term>) -> Passed {
        let graph = term.map(|term| self.graph(term)).transpose()?;
        let absent = || Fault::new(Code::R04, format!("{} is not an edge of the graph", excerpt(value)));
        match (value, graph) {
            (Value::Edge(edge), Some(graph)) if graph.edge_index(edge).is_none() => Err(absent()),
            (Value::Edge(_), _) => Ok(None),
            // A pair, as JSON has it: the first edge with these ends.
            (Value::Tuple(parts), Some(graph)) if parts.len() == 2 => {
                let (Some(u), Some(v)) = (graph.number(&parts[0]), graph.number(&parts[1])) else {
                    return Err(absent());
                };
                let same = |e: &crate::value::graph::GraphEdge| {
                    (e.u, e.v) == (u, v) || graph.word != GraphWord::Digraph && (e.u, e.v) == (v, u)
                };
                let edge = graph.edges.iter().find(same).ok_or_else(absent)?;
                Ok(Some(Value::Edge(Arc::new(Edge { id: edge.id, u: graph.label(edge.u), v: graph.label(edge.v) }))))
            }
            _ => Err(wanted("an edge", value)),
        }
    }

    /// The graph of a kind, evaluated at its first use.
    pub(super) fn graph(&mut self, term: &Term) -> Result<Arc<Graph>, Fault> {
        let key = std::ptr::from_ref(term);
        if let Some((_, graph)) = self.graphs.iter().find(|(known, _)| *known == key) {
            return Ok(Arc::clone(graph));
        }
        let graph = match (self.graph_of)(term)? {
            Value::Graph(graph) => graph,
            Value::Grid(grid) => Arc::clone(grid.graph()),
            other => return Err(wanted("a graph", &other)),
        };
        self.graphs.push((key, Arc::clone(&graph)));
        Ok(graph)
    }
}

pub(super) fn graph(value: &Value, word: GraphWord) -> Passed {
    let (graph, changed) = match value {
        Value::Graph(graph) => (graph, false),
        Value::Grid(grid) => (grid.graph(), true),
        _ => return Err(wanted("a graph", value)),
    };
    if graph.word == word {
        Ok(changed.then(|| Value::Graph(Arc::clone(graph))))
    } else if (graph.word, word) == (GraphWord::Graph, GraphWord::Multigraph) {
        Ok(Some(Value::Graph(Arc::new(graph.as_multigraph()))))
    } else {
        let word = match word {
            GraphWord::Graph => "a graph",
            GraphWord::Digraph => "a digraph",
            GraphWord::Multigraph => "a multigraph",
        };
        Err(wanted(word, value))
    }
}

pub(super) fn grid(value: &Value, of_numbers: bool) -> Passed {
    let made;
    let (grid, changed) = match value {
        Value::Grid(grid) => (grid, false),
        Value::List(_) | Value::Tuple(_) => {
            made = Arc::new(crate::words::grid::from_rows(value)?);
            (&made, true)
        }
        _ => return Err(wanted("a grid", value)),
    };
    if let (Cells::Bytes(_), false) = (&*grid.cells, of_numbers) {
        return Ok(changed.then(|| Value::Grid(Arc::clone(grid))));
    }
    for cell in grid.cells.iter() {
        match &cell {
            Value::Int(n) if of_numbers && *n >= 0 => {}
            Value::Big(n) if of_numbers && n.sign() == num_bigint::Sign::Plus => {}
            Value::Int(_) | Value::Big(_) if of_numbers => {
                return Err(Fault::new(Code::R01, format!("{cell} in a cell is not a nat (0, 1, 2, ...)")));
            }
            Value::Text(text) if !of_numbers && text.single().is_some() => {}
            _ if of_numbers => return Err(wanted("a nat in each cell", &cell)),
            _ => return Err(wanted("a character in each cell", &cell)),
        }
    }
    Ok(changed.then(|| Value::Grid(Arc::clone(grid))))
}
