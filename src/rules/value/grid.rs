//! Grids: rectangles of cells, and the graph of those that are not walls.

use super::graph::{Graph, Labels};
use super::{Grid, Value, in_items};
use crate::check::kind::GraphWord;
use crate::rules::fault::Fault;
use std::sync::{Arc, OnceLock};

impl Grid {
    /// A grid of these cells, row by row.
    ///
    /// # Errors
    /// R01 when there are not `rows * cols` of them.
    pub fn new(rows: usize, cols: usize, cells: Vec<Value>) -> Result<Grid, Fault> {
        if rows.checked_mul(cols) != Some(cells.len()) {
            return Err(Fault::new("R01", format!("a grid of {rows} x {cols} cells has not {} cells", cells.len())));
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
    pub fn of_texts(rows: &[&[char]]) -> Result<Grid, Fault> {
        let cols = Grid::columns(&rows.iter().map(|row| row.len()).collect::<Vec<_>>())?;
        let mut cells = Vec::with_capacity(rows.len() * cols);
        cells.extend(rows.iter().flat_map(|row| row.iter().map(|c| Value::character(*c))));
        Grid::new(rows.len(), cols, cells)
    }

    /// How many columns rows of these lengths make.
    fn columns(lengths: &[usize]) -> Result<usize, Fault> {
        let cols = lengths.first().copied().unwrap_or(0);
        if let Some(r) = lengths.iter().position(|length| *length != cols) {
            let lengths = format!("row 0 has {cols} cells, row {r} has {}", lengths[r]);
            return Err(Fault::new("R01", format!("the rows of a grid are equally long: {lengths}")));
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
        matches!(&self.cells[place], Value::Text(t) if t.single() == Some('#'))
    }

    /// The graph of the cells that are not `#`, joined to the four sides; edges cell by cell, right then down. Made once,
    /// linear in the cells.
    pub fn graph(&self) -> &Arc<Graph> {
        self.graph.get_or_init(|| {
            let mut number = vec![u32::MAX; self.cells.len()];
            let mut places = Vec::new();
            for (place, number) in number.iter_mut().enumerate() {
                if !self.is_wall(place) {
                    *number = u32::try_from(places.len()).unwrap_or(u32::MAX); // below ITEM_LIMIT
                    places.push(u32::try_from(place).unwrap_or(u32::MAX));
                }
            }
            let mut edges = Vec::with_capacity(2 * places.len());
            for (place, &here) in number.iter().enumerate() {
                if here == u32::MAX {
                    continue;
                }
                if (place + 1) % self.cols != 0 && number[place + 1] != u32::MAX {
                    edges.push((here, number[place + 1]));
                }
                if place + self.cols < number.len() && number[place + self.cols] != u32::MAX {
                    edges.push((here, number[place + self.cols]));
                }
            }
            let cols = u32::try_from(self.cols).unwrap_or(u32::MAX); // at most as many as cells, where there are any
            let labels = Arc::new(Labels::Cells { cols, places });
            Arc::new(Graph::of_numbers(GraphWord::Graph, labels, None, edges))
        })
    }
}
