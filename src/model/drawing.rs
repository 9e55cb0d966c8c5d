//! Graphs and grids, drawn or in a data file.

use crate::syntax::tree::GraphWord;
use num_bigint::BigInt;

/// A graph or grid drawn in the file, or read from a data file when evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Drawing {
    /// Labels in the order of their first appearance; edges by label index in the order written (`-` in a digraph: both ways).
    Graph { word: GraphWord, labels: Vec<DrawnLabel>, edges: Vec<(usize, usize)> },
    /// Rows.
    Grid(Vec<String>),
    /// `graph from "road.txt"`: resolved against the file's folder.
    GraphFile { word: GraphWord, path: String },
    /// `grid from "maze.txt"`
    GridFile { path: String },
}

/// A label as drawn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum DrawnLabel {
    Int(BigInt),
    Text(String),
}
