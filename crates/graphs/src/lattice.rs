//! The cells of a grid that are free, each joined to the free ones on its four sides: a graph whose edges are not written down.

use crate::Ends;
use crate::bits::Bits;

/// Free cells, numbered row by row. Edges go from cell to cell in this order, right then down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lattice {
    rows: usize,
    cols: usize,
    /// The places of the cells that are free. There is a border of cells that are not: a row above, one below, and a column on
    /// the right, which is that on the left of the next row.
    free: Bits,
    edges: usize,
}

impl Lattice {
    /// `write_row` adds to what it is given of each cell of the row with that number whether it is free. Linear.
    pub fn new(rows: usize, cols: usize, mut write_row: impl FnMut(usize, &mut Vec<bool>)) -> Lattice {
        let stride = cols + 1;
        let mut free = Vec::with_capacity((rows + 2) * stride + 1);
        for row in 0..rows {
            free.resize((row + 1) * stride + 1, false);
            write_row(row, &mut free);
        }
        free.resize((rows + 2) * stride + 1, false);
        let free = Bits::of_flags(&free);
        let beside = |step: usize| {
            let both = (0..).zip(free.words()).map(|(at, word)| word & free.window(at * 64 + step));
            both.map(|both| both.count_ones() as usize).sum::<usize>()
        };
        let edges = beside(1) + beside(stride);
        Lattice { rows, cols, free, edges }
    }

    /// From a place to the one below it.
    pub(super) fn stride(&self) -> usize {
        self.cols + 1
    }

    pub(super) fn free(&self) -> &Bits {
        &self.free
    }

    /// How many places there are, those of the border among them.
    pub(super) fn places(&self) -> usize {
        (self.rows + 2) * self.stride() + 1
    }

    /// How many vertices.
    pub fn vertices(&self) -> usize {
        self.free.len()
    }

    /// How many edges.
    pub fn edges(&self) -> usize {
        self.edges
    }

    /// The indices of the free cells, `row * cols + column`, ascending.
    pub fn cells(&self) -> impl Iterator<Item = usize> + '_ {
        // The row above, and for each row before one place of the border.
        let stride = self.stride();
        let (mut border, mut end) = (stride + 1, 2 * stride);
        self.free.iter().map(move |place| {
            while place as usize > end {
                border += 1;
                end += stride;
            }
            place as usize - border
        })
    }

    /// Calls `each` with every edge in order, as long as it says so; the last it said. Linear.
    pub fn all(&self, mut each: impl FnMut(Ends) -> bool) -> bool {
        let stride = self.stride();
        // The number of the cell at a place, and of the one below, if these are free.
        let mut v = 0;
        let mut w = (0..stride).step_by(64).map(|c| self.first(stride + 1 + c, stride - c)).sum();
        for from in (stride + 1..self.places()).step_by(64) {
            let (mut here, mut right) = (self.free.window(from), self.free.window(from + 1));
            let mut below = self.free.window(from + stride);
            while here | below != 0 {
                if here & 1 == 1 {
                    if right & 1 == 1 && !each((v, v + 1)) || below & 1 == 1 && !each((v, w)) {
                        return false;
                    }
                    v += 1;
                }
                w += u32::from(below & 1 == 1);
                (here, right, below) = (here >> 1, right >> 1, below >> 1);
            }
        }
        true
    }

    /// How many of the first `most` of the 64 places from one on are free.
    fn first(&self, from: usize, most: usize) -> u32 {
        let window = self.free.window(from);
        if most < 64 { (window & ((1 << most) - 1)).count_ones() } else { window.count_ones() }
    }

    /// All edges in order. Linear.
    pub fn ends(&self) -> Vec<Ends> {
        let mut all = Vec::with_capacity(self.edges);
        self.all(|edge| {
            all.push(edge);
            true
        });
        all
    }
}
