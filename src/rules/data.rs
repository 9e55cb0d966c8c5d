//! Graphs and grids drawn in the file or read from data files.

use crate::check::model::{Drawing, DrawnLabel};
use crate::rules::datafile;
use crate::rules::fault::Fault;
use crate::rules::value::Value;
use crate::rules::value::graph::Graph;
use crate::text::SourceId;
use std::sync::Arc;

/// Where data files come from; the command line reads them from disk.
pub trait DataFiles {
    /// The text of the file that a path in a source names.
    ///
    /// # Errors
    /// D03 when there is no such file or it is not UTF-8.
    fn read(&self, path: &str, from: SourceId) -> Result<String, Fault>;
}

/// No data files at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl DataFiles for NoFiles {
    fn read(&self, path: &str, _: SourceId) -> Result<String, Fault> {
        Err(Fault::new("D03", format!("data file `{path}` cannot be read here")))
    }
}

fn in_file(path: &str, mut fault: Fault) -> Fault {
    fault.message = format!("`{path}`: {}", fault.message);
    fault
}

/// The value of a drawing.
pub(crate) fn draw(drawing: &Drawing, files: &dyn DataFiles, from: SourceId) -> Result<Value, Fault> {
    match drawing {
        Drawing::Graph { word, labels, edges } => {
            let labels: Vec<Value> = labels
                .iter()
                .map(|label| match label {
                    DrawnLabel::Int(n) => Value::int(n.clone()),
                    DrawnLabel::Text(t) => Value::text(t),
                })
                .collect();
            let pairs: Vec<(Value, Value)> =
                edges.iter().map(|&(u, v)| (labels[u].clone(), labels[v].clone())).collect();
            let graph = Graph::labelled(*word, &labels, pairs.iter().map(|(u, v)| (u, v)));
            Ok(Value::Graph(Arc::new(graph)))
        }
        Drawing::Grid(rows) => datafile::grid(&rows.join("\n")),
        Drawing::GraphFile { word, path } => {
            files.read(path, from).and_then(|text| datafile::graph(&text, *word).map_err(|fault| in_file(path, fault)))
        }
        Drawing::GridFile { path } => {
            files.read(path, from).and_then(|text| datafile::grid(&text).map_err(|fault| in_file(path, fault)))
        }
    }
}
