//! Grids: rectangles of cells, a byte each while all are characters of ASCII, and the graph of those that are not walls.

use crate::source::Code;
use crate::value::graph::Places;
use crate::value::{Fault, Graph, Grid, Labels, Text, Value, in_items, width};
use std::sync::{Arc, OnceLock};

/// Cells row by row, as bytes whenever they can be: equal cells have one form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Cells {
    /// One-character texts of ASCII.
    Bytes(Vec<u8>),
    /// Other one-character texts, or numbers.
    Values(Vec<Value>),
}

impl Cells {
    /// The characters of some texts.
    pub fn of_rows(rows: &[&Text]) -> Cells {
        if let Some(rows) = rows.iter().map(|row| row.bytes()).collect::<Option<Vec<_>>>() {
            return Cells::Bytes(rows.concat());
        }
        rows.iter().flat_map(|row| row.characters()).collect::<Vec<char>>().into()
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Cells::Bytes(bytes) => bytes.len(),
            Cells::Values(values) => values.len(),
        }
    }

    /// One of them.
    pub fn get(&self, place: usize) -> Option<Value> {
        match self {
            Cells::Bytes(bytes) => bytes.get(place).map(|byte| Value::character(char::from(*byte))),
            Cells::Values(values) => values.get(place).cloned(),
        }
    }

    /// The character in a cell, if one is.
    pub fn character(&self, place: usize) -> Option<char> {
        match self {
            Cells::Bytes(bytes) => bytes.get(place).map(|byte| char::from(*byte)),
            Cells::Values(values) => values.get(place).and_then(single),
        }
    }

    /// Puts a character into a cell; [`Cells::settle`] is to follow.
    ///
    /// # Panics
    /// When there is no such cell.
    pub fn put(&mut self, place: usize, c: char) {
        match self {
            Cells::Bytes(bytes) if let Some(byte) = ascii(c) => bytes[place] = byte,
            Cells::Bytes(_) => {
                let mut values: Vec<Value> = self.iter().collect();
                values[place] = Value::character(c);
                *self = Cells::Values(values);
            }
            Cells::Values(values) => values[place] = Value::character(c),
        }
    }

    /// Goes to the form that the cells have after changes. Linear.
    pub fn settle(&mut self) {
        if let Cells::Values(values) = self {
            *self = std::mem::take(values).into();
        }
    }

    /// All in order.
    pub fn iter(&self) -> impl Iterator<Item = Value> + '_ {
        (0..self.len()).filter_map(|place| self.get(place))
    }
}

fn single(value: &Value) -> Option<char> {
    if let Value::Text(text) = value { text.single() } else { None }
}

fn ascii(c: char) -> Option<u8> {
    u8::try_from(c).ok().filter(u8::is_ascii)
}

impl From<Vec<Value>> for Cells {
    fn from(values: Vec<Value>) -> Cells {
        match values.iter().map(|value| ascii(single(value)?)).collect() {
            Some(bytes) => Cells::Bytes(bytes),
            None => Cells::Values(values),
        }
    }
}

impl From<Vec<char>> for Cells {
    fn from(characters: Vec<char>) -> Cells {
        match characters.iter().copied().map(ascii).collect() {
            Some(bytes) => Cells::Bytes(bytes),
            None => Cells::Values(characters.into_iter().map(Value::character).collect()),
        }
    }
}

impl From<Vec<u8>> for Cells {
    /// The characters with these numbers.
    fn from(bytes: Vec<u8>) -> Cells {
        if bytes.is_ascii() {
            Cells::Bytes(bytes)
        } else {
            bytes.into_iter().map(char::from).collect::<Vec<_>>().into()
        }
    }
}

impl Ord for Cells {
    fn cmp(&self, other: &Cells) -> std::cmp::Ordering {
        match (self, other) {
            (Cells::Bytes(a), Cells::Bytes(b)) => a.cmp(b),
            (Cells::Values(a), Cells::Values(b)) => a.cmp(b),
            _ => self.iter().cmp(other.iter()),
        }
    }
}

impl Grid {
    /// A grid of these cells, row by row. Error: R01 when there are not `rows * cols` of them.
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

    /// The grid of these rows, each a list of cells. Errors: R01 when the rows differ in length, R06 when there are too
    /// many cells.
    pub fn of_rows(rows: &[Vec<Value>]) -> Result<Grid, Fault> {
        let cols = Grid::columns(&rows.iter().map(Vec::len).collect::<Vec<_>>())?;
        Grid::new(rows.len(), cols, rows.concat())
    }

    /// The grid of these rows of characters. Errors: as [`Grid::of_rows`].
    pub(crate) fn of_texts(rows: &[&Text]) -> Result<Grid, Fault> {
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

    /// `r` rows of `c` cells, all the same. Error: R06 when there are too many cells.
    pub fn filled(rows: usize, cols: usize, cell: &Value) -> Result<Grid, Fault> {
        let n = in_items(&[rows, cols], "this grid")?;
        Grid::new(rows, cols, vec![cell.clone(); n])
    }

    /// The place of a cell in `cells`.
    pub fn place(&self, row: i64, col: i64) -> Option<usize> {
        let (row, col) = (usize::try_from(row).ok()?, usize::try_from(col).ok()?);
        (row < self.rows && col < self.cols).then(|| row * self.cols + col)
    }

    /// The label of the cell at this place of `cells`: the pair (row, column).
    pub(crate) fn cell_label(&self, place: usize) -> Value {
        Value::pair(Value::count(place / self.cols), Value::count(place % self.cols))
    }

    pub(crate) fn is_wall(&self, place: usize) -> bool {
        self.cells.character(place) == Some('#')
    }

    /// The graph of the cells that are not `#`, joined to the four sides; edges cell by cell, right then down. Made once,
    /// linear in the cells.
    pub fn graph(&self) -> &Arc<Graph> {
        self.graph.get_or_init(|| {
            let lattice = grundy_graphs::lattice::Lattice::new(self.rows, self.cols, |row, free| {
                let places = row * self.cols..(row + 1) * self.cols;
                match &*self.cells {
                    Cells::Bytes(bytes) => free.extend(bytes[places].iter().map(|byte| *byte != b'#')),
                    Cells::Values(_) => free.extend(places.map(|place| !self.is_wall(place))),
                }
            });
            let places = Places::of(self.cells.len(), lattice.vertices(), lattice.cells().map(width::short::<usize>));
            // At most as many columns as cells, where there are any.
            let labels = Arc::new(Labels::Cells { cols: width::short(self.cols), places });
            Arc::new(Graph::of_numbers(crate::model::GraphWord::Graph, labels, None, lattice))
        })
    }
}
