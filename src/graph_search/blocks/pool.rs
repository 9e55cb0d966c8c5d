//! Memory for cells and planes of blocks. What was given back is used again for the same, and never for anything else: pieces of
//! two sizes that come and go would leave holes that nothing fits into.

use crate::graph_search::blocks::cells::Cells;
use crate::graph_search::blocks::shape::Shape;
use crate::value::width;

/// See the module.
#[derive(Debug)]
pub(super) struct Pool {
    shape: Shape,
    /// Bytes that stand beside the cells of a block.
    keys: usize,
    cells: Vec<Cells>,
    planes: Vec<Vec<u64>>,
    /// How many cells were made, wide ones counted twice, and how many planes.
    made: [usize; 2],
    /// How many may be.
    most: [usize; 2],
}

impl Pool {
    /// Any number may be made. `files`: what blocks read beside their cells counts with these.
    pub(super) fn new(shape: Shape, files: bool) -> Pool {
        let keys = if files && shape.spread.is_some() { shape.size() * 4 } else { 0 };
        Pool { shape, keys, cells: Vec::new(), planes: Vec::new(), made: [0; 2], most: [usize::MAX; 2] }
    }

    /// So many bytes may be used by blocks with so many planes each.
    pub(super) fn limit(&mut self, bytes: usize, planes: usize) {
        let [cells, plane] = self.sizes();
        let whole = (cells + planes * plane).max(1);
        let share = width::index(bytes as u128 * cells as u128 / whole as u128);
        self.most = [(share / cells.max(1)).max(2), (bytes - share) / plane];
    }

    /// Bytes of narrow cells and of a plane.
    fn sizes(&self) -> [usize; 2] {
        [self.shape.size() * 2 + self.keys, (self.shape.lanes() + 1) * 8 + size_of::<Vec<u64>>()]
    }

    /// Bytes of all that was made.
    pub(super) fn bytes(&self) -> usize {
        self.made.iter().zip(self.sizes()).map(|(made, size)| made * size).sum()
    }

    /// Whether there are cells of this kind, or may be made.
    pub(super) fn has_cells(&self, wide: bool) -> bool {
        let units = 1 + usize::from(wide);
        self.made[0].saturating_add(units) <= self.most[0] || self.cells.iter().any(|cells| cells.is_wide() == wide)
    }

    /// Cells of this kind, of any content.
    pub(super) fn cells(&mut self, wide: bool) -> Cells {
        let (size, units) = (self.shape.size(), 1 + usize::from(wide));
        if let Some(at) = self.cells.iter().rposition(|cells| cells.is_wide() == wide) {
            return self.cells.swap_remove(at);
        }
        while self.made[0].saturating_add(units) > self.most[0]
            && let Some(other) = self.cells.pop()
        {
            self.made[0] -= 1 + usize::from(other.is_wide());
        }
        self.made[0] += units;
        if wide { Cells::Wide(vec![0; size]) } else { Cells::Narrow(vec![0; size]) }
    }

    /// Takes cells back.
    pub(super) fn give(&mut self, cells: Cells) {
        self.cells.push(cells);
    }

    /// Narrow cells that are in use became wide.
    pub(super) fn widened(&mut self) {
        self.made[0] += 1;
    }

    /// So many narrow cells and planes that are in use were made elsewhere.
    pub(super) fn took(&mut self, cells: usize, planes: usize) {
        self.made[0] += cells;
        self.made[1] += planes;
    }

    /// All planes of another pool, those that are in use too, are of this one.
    pub(super) fn take_planes(&mut self, other: &mut Pool) {
        self.made[1] += std::mem::take(&mut other.made[1]);
        self.planes.append(&mut other.planes);
    }

    /// Whether there is a plane, or may be made.
    pub(super) fn has_plane(&self) -> bool {
        self.made[1] < self.most[1] || !self.planes.is_empty()
    }

    /// A plane of any content, and perhaps another length.
    pub(super) fn plane(&mut self) -> Vec<u64> {
        self.planes.pop().unwrap_or_else(|| {
            self.made[1] += 1;
            Vec::with_capacity(self.shape.lanes() + 1)
        })
    }

    /// Takes planes back.
    pub(super) fn give_planes(&mut self, planes: impl Iterator<Item = Vec<u64>>) {
        self.planes.extend(planes);
    }

    /// Gives the system what is not in use.
    pub(super) fn clear(&mut self) {
        self.made[0] -= self.cells.iter().map(|cells| 1 + usize::from(cells.is_wide())).sum::<usize>();
        self.made[1] -= self.planes.len();
        (self.cells, self.planes) = (Vec::new(), Vec::new());
    }
}
