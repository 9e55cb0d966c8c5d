//! Comprehensions by columns: the ints of a large collection, blocks of them at a time.

use crate::bytecode::{ColumnSpec, Gathered};
use crate::model::{Gather, GlobalId, GlobalSource, Term, TermKind};
use crate::value::fault::Run;
use crate::value::graph::{Graph, Labels};
use crate::value::{Items, List, Row, Value};
use crate::vm::column::{Column, LANES, Lanes};
use crate::vm::context::Context;
use crate::vm::positions;

/// Ints that are gone through.
enum Source<'v> {
    Ints(&'v [i64]),
    /// The labels of the vertices, the first label of the graph being the number.
    Vertices(i64, &'v [u32]),
}

impl<'v> Source<'v> {
    fn of(value: &'v Value) -> Option<Source<'v>> {
        match value {
            Value::List(List { items, .. }) | Value::Set(items) => items.as_ints().map(Source::Ints),
            Value::Graph(graph) => Source::vertices(graph),
            _ => None,
        }
    }

    fn vertices(graph: &Graph) -> Option<Source<'_>> {
        /// So few are gone through one by one.
        const FEW: usize = 64;
        match *graph.labels {
            Labels::Ints { from, .. } if graph.vertices.len() > FEW => Some(Source::Vertices(from, &graph.vertices)),
            _ => None,
        }
    }

    fn len(&self) -> usize {
        match self {
            Source::Ints(ints) => ints.len(),
            Source::Vertices(_, vertices) => vertices.len(),
        }
    }

    fn block(&self, at: usize) -> Vec<i64> {
        let to = (at + LANES).min(self.len());
        match self {
            Source::Ints(ints) => ints[at..to].to_vec(),
            Source::Vertices(from, vertices) => vertices[at..to].iter().map(|v| from + i64::from(*v)).collect(),
        }
    }
}

impl Context {
    /// What such a comprehension gathers; `None` where it is to be gone through one by one.
    ///
    /// # Errors
    /// Limits.
    pub(super) fn gathered(&mut self, spec: &ColumnSpec) -> Run<Option<Value>> {
        let TermKind::Global(source) = spec.source.kind else { return Ok(None) };
        let depth = self.globals.depth;
        let Ok(collection) = self.global(source) else {
            // The loop meets the error again.
            self.globals.depth = depth;
            return Ok(None);
        };
        let Some(source) = Source::of(&collection) else { return Ok(None) };
        self.foresee(0, i64::try_from(source.len()).unwrap_or(i64::MAX))?;
        self.ready_inputs();
        let Some(ints) = self.gathered_ints(spec, &source)? else { return Ok(None) };
        Ok(match &spec.gathered {
            Gathered::Items(Gather::List) => Some(Value::List(List { base: 0, items: Items::ints(ints) })),
            Gathered::Items(Gather::Set) => Some(Value::set_of_ints(ints)),
            Gathered::Row { game, params, least } => {
                let known = |term: &Option<Term>| match term {
                    Some(term) => self.ready(term).map(Some),
                    None => Some(None),
                };
                let Some(params) = params.iter().map(known).collect::<Option<Vec<_>>>() else { return Ok(None) };
                let Ok(params) = self.enter_params(*game, params) else { return Ok(None) };
                let mut row = Row::new(*game, params);
                row.ints = ints;
                if !row.is_long() || row.ints.iter().any(|n| n < least) {
                    return Ok(None);
                }
                Some(positions::of_row(row)?)
            }
        })
    }

    fn gathered_ints(&mut self, spec: &ColumnSpec, source: &Source<'_>) -> Run<Option<Vec<i64>>> {
        let mut all: Vec<i64> = Vec::new();
        for at in (0..source.len()).step_by(LANES) {
            let block = source.block(at);
            self.spend(block.len() as u64)?;
            let known = |term: &Term| self.ready(term);
            let mut lanes = Lanes::new(vec![(spec.slot, Column::Ints(block))], &known);
            let Some(ints) = lanes.through(&spec.rest).and_then(|()| lanes.ints(&spec.value)) else { return Ok(None) };
            all.extend(ints);
        }
        Ok(Some(all))
    }

    /// Enters the inputs, which costs nothing that would not have to be done.
    fn ready_inputs(&mut self) {
        for index in 0..self.session.program.globals.len() {
            if self.globals.values[index].is_none()
                && matches!(self.session.program.globals[index].source, GlobalSource::Input(_))
            {
                let depth = self.globals.depth;
                if self.global(GlobalId(index)).is_err() {
                    self.globals.depth = depth;
                }
            }
        }
    }

    /// The value of a global that was evaluated before, or of a literal.
    fn ready(&self, term: &Term) -> Option<Value> {
        match &term.kind {
            TermKind::Global(id) => self.globals.values[id.0].clone(),
            TermKind::Int(n) => i64::try_from(n).ok().map(Value::Int),
            _ => None,
        }
    }
}
