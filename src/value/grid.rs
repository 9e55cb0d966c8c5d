//! Grids: rectangles of cells, and the graph of those that are not walls.

use crate::model::kind::GraphWord;
use crate::source::diagnostic::Code;
use crate::value::fault::Fault;
use crate::value::graph::{Graph, Labels};
use crate::value::places::Places;
use crate::value::{Cells, Grid, Text, Value, in_items};
use grundy_graphs::lattice::Lattice;
use std::sync::{Arc, OnceLock};

impl Grid {
    /// A grid of these cells, row by row.
    ///
    /// # Errors
    /// R01 when there are not `rows * cols` of them.
    pub fn new(rows: usize, cols: usize, cells: impl Into<Cells>) -> Result<Grid, Fault> {
        let cells = cells.into();
        if rows.checked_mul(cols) != Some(cells.len()) {
            return Err(Fault::new(
                Code::R01,
                format!("a grid of {rows} x {cols} cells has not {} cells", cells.len()),
            ));
        }
        Ok(Grid { rows, cols, cells: Arc::new(cells), graph: OnceLock::new() })
    }

    /// The grid of these rows, each a list of cells.
    ///
    /// # Errors
    /// R01 when the rows differ in length, R06 when there are too many cells.
    pub fn of_rows(rows: &[Vec<Value>]) -> Result<Grid, Fault> {
        let cols = Grid::columns(&rows.iter().map(Vec::len).collect::<Vec<_>>())?;
        Grid::new(rows.len(), cols, rows.concat())
    }

    /// The grid of these rows of characters.
    ///
    /// # Errors
    /// As [`Grid::of_rows`].
    pub fn of_texts(rows: &[&Text]) -> Result<Grid, Fault> {
        let cols = Grid::columns(&rows.iter().map(|row| row.len()).collect::<Vec<_>>())?;
        Grid::new(rows.len(), cols, Cells::of_rows(rows))
    }

    /// How many columns rows of these lengths make.
    fn columns(lengths: &[usize]) -> Result<usize, Fault> {
        let cols = lengths.first().copied().unwrap_or(0);
        if let Some(r) = lengths.iter().position(|length| *length != cols) {
            let lengths = format!("row 0 has {cols} cells, row {r} has {}", lengths[r]);
            return Err(Fault::new(Code::R01, format!("the rows of a grid are equally long: {lengths}")));
        }
        in_items(&[lengths.len(), cols], "this grid")?;
        Ok(cols)
    }

    /// `r` rows of `c` cells, all the same.
    ///
    /// # Errors
    /// R06 when there are too many cells.
    pub fn filled(rows: usize, cols: usize, cell: &Value) -> Result<Grid, Fault> {
        let n = in_items(&[rows, cols], "this grid")?;
        Grid::new(rows, cols, vec![cell.clone(); n])
    }

    /// The place of a cell in `cells`.
    #[must_use]
    pub fn place(&self, row: i64, col: i64) -> Option<usize> {
        let (row, col) = (usize::try_from(row).ok()?, usize::try_from(col).ok()?);
        (row < self.rows && col < self.cols).then(|| row * self.cols + col)
    }

    /// The label of the cell at this place of `cells`: the pair (row, column).
    #[must_use]
    pub fn cell_label(&self, place: usize) -> Value {
        Value::pair(Value::count(place / self.cols), Value::count(place % self.cols))
    }

    /// Whether the cell at this place is a wall.
    #[must_use]
    pub fn is_wall(&self, place: usize) -> bool {
        self.cells.character(place) == Some('#')
    }

    /// The graph of the cells that are not `#`, joined to the four sides; edges cell by cell, right then down. Made once,
    /// linear in the cells.
    pub fn graph(&self) -> &Arc<Graph> {
        self.graph.get_or_init(|| {
            let lattice = Lattice::new(self.rows, self.cols, |row, free| {
                let places = row * self.cols..(row + 1) * self.cols;
                match &*self.cells {
                    Cells::Bytes(bytes) => free.extend(bytes[places].iter().map(|byte| *byte != b'#')),
                    Cells::Values(_) => free.extend(places.map(|place| !self.is_wall(place))),
                }
            });
            let short = |n: usize| u32::try_from(n).unwrap_or(u32::MAX); // below ITEM_LIMIT
            let places = Places::of(self.cells.len(), lattice.vertices(), lattice.cells().map(short));
            // At most as many columns as cells, where there are any.
            let labels = Arc::new(Labels::Cells { cols: short(self.cols), places });
            Arc::new(Graph::of_numbers(GraphWord::Graph, labels, None, lattice))
        })
    }
}
