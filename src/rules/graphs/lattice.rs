//! The cells of a grid that are free, each joined to the free ones on its four sides: a graph whose edges are not written down.

use super::Ends;

/// Free cells, numbered row by row. Edges go from cell to cell in this order, right then down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lattice {
    rows: usize,
    cols: usize,
    /// Whether the cell at a place is free. There is a border of cells that are not: a row above, one below, and a column on the
    /// right, which is that on the left of the next row.
    free: Vec<bool>,
    vertices: usize,
    edges: usize,
}

impl Lattice {
    /// `write_row` adds to what it is given of each cell of the row with that number whether it is free. Linear.
    #[must_use]
    pub fn new(rows: usize, cols: usize, mut write_row: impl FnMut(usize, &mut Vec<bool>)) -> Lattice {
        let stride = cols + 1;
        let size = (rows + 2) * stride + 1;
        let mut free = Vec::with_capacity(size);
        free.resize(stride + 1, false);
        for row in 0..rows {
            write_row(row, &mut free);
            free.resize((row + 2) * stride + 1, false);
        }
        free.resize(size, false);
        let (mut vertices, mut edges) = (0, 0);
        for row in 1..=rows {
            // In counters of four bytes, as many as a row has cells.
            let row = row * stride..(row + 1) * stride;
            let here = &free[row.clone()];
            let (right, below) = (&free[row.start + 1..], &free[row.end..]);
            vertices += sum(here.iter().copied());
            edges += sum(here.iter().zip(right).map(|(a, b)| a & b)) + sum(here.iter().zip(below).map(|(a, b)| a & b));
        }
        Lattice { rows, cols, free, vertices, edges }
    }

    /// From a place to the one below it.
    pub(super) fn stride(&self) -> usize {
        self.cols + 1
    }

    /// Whether the cell at each place is free.
    pub(super) fn free(&self) -> &[bool] {
        &self.free
    }

    /// How many vertices.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// How many edges.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.edges
    }

    /// Where row `r` of the cells lies.
    fn row(&self, r: usize) -> &[bool] {
        let start = (r + 1) * self.stride() + 1;
        &self.free[start..start + self.cols]
    }

    /// The indices of the free cells, `row * cols + column`, ascending.
    pub fn cells(&self) -> impl Iterator<Item = usize> + '_ {
        let row = move |r: usize| {
            self.row(r).iter().enumerate().filter(|(_, free)| **free).map(move |(c, _)| r * self.cols + c)
        };
        (0..self.rows).flat_map(row)
    }

    /// Calls `each` with every edge in order, as long as it says so; the last it said. Linear.
    pub fn all(&self, mut each: impl FnMut(Ends) -> bool) -> bool {
        // The numbers of the next cell of the row and of the next one of the row below.
        let mut v = 0;
        let mut w = if self.rows == 0 { 0 } else { self.row(0).iter().map(|free| u32::from(*free)).sum() };
        for r in 0..self.rows {
            let row = self.row(r);
            let below = if r + 1 < self.rows { self.row(r + 1) } else { &[] };
            for (c, &free) in row.iter().enumerate() {
                let under = below.get(c) == Some(&true);
                if free {
                    let right = row.get(c + 1) == Some(&true);
                    if right && !each((v, v + 1)) || under && !each((v, w)) {
                        return false;
                    }
                    v += 1;
                }
                w += u32::from(under);
            }
        }
        true
    }

    /// All edges in order. Linear.
    #[must_use]
    pub fn ends(&self) -> Vec<Ends> {
        let mut all = Vec::with_capacity(self.edges);
        self.all(|edge| {
            all.push(edge);
            true
        });
        all
    }
}

/// How many are true; fewer than 2^32, which four bytes count.
fn sum(all: impl Iterator<Item = bool>) -> usize {
    all.map(u32::from).sum::<u32>() as usize
}
