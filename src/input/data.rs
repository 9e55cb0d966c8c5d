//! Graphs and grids drawn in the file or read from data files.

use crate::input::datafile;
use crate::model::{Drawing, DrawnLabel, GraphWord};
use crate::source::{Code, SourceId};
use crate::value::{Fault, Graph, Value};
use std::io::Read;

/// Where data files come from; the command line reads them from disk.
pub trait DataFiles {
    /// Opens the file that a path in a source names; `None`: there is no such file. Error: D03 when it cannot be read.
    fn open(&self, path: &str, from: SourceId) -> Result<Option<Box<dyn Read>>, Fault>;

    /// How messages name the file: where it was looked for.
    fn place(&self, path: &str, _from: SourceId) -> String {
        path.to_string()
    }
}

/// No data files at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl DataFiles for NoFiles {
    fn open(&self, path: &str, _: SourceId) -> Result<Option<Box<dyn Read>>, Fault> {
        Err(Fault::new(Code::D03, format!("data file `{path}` cannot be read here")))
    }
}

fn in_file(path: &str, mut fault: Fault) -> Fault {
    let sep = if fault.message.starts_with("line ") { "," } else { ":" };
    fault.message = format!("`{path}`{sep} {}", fault.message);
    fault
}

/// The graph in a file; `path#3` is the graph on line 3 of `path`, unless there is a file of the whole name.
fn graph(path: &str, word: GraphWord, files: &dyn DataFiles, from: SourceId) -> Result<Value, Fault> {
    let read = |name: &str, mut source: Box<dyn Read>, line| {
        datafile::graph(&mut source, name, word, line).map_err(|fault| in_file(name, fault))
    };
    if let Some(source) = files.open(path, from)? {
        return read(path, source, None);
    }
    if let Some((name, line)) = path.rsplit_once('#')
        && let Ok(line) = line.parse::<usize>()
        && let Some(source) = files.open(name, from)?
    {
        return read(name, source, Some(line));
    }
    Err(missing(path, files, from))
}

fn missing(path: &str, files: &dyn DataFiles, from: SourceId) -> Fault {
    Fault::new(Code::D03, format!("there is no data file `{}`", files.place(path, from)))
}

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
            Ok(Value::Graph(std::sync::Arc::new(graph)))
        }
        Drawing::Grid(rows) => datafile::grid(&mut rows.join("\n").as_bytes()),
        Drawing::GraphFile { word, path } => graph(path, *word, files, from),
        Drawing::GridFile { path } => match files.open(path, from)? {
            Some(mut source) => datafile::grid(&mut source).map_err(|fault| in_file(path, fault)),
            None => Err(missing(path, files, from)),
        },
    }
}
