//! Memory for cells and planes of blocks. What was given back is used again for the same, and never for anything else: pieces of
//! two sizes that come and go would leave holes that nothing fits into.

use crate::graph_search::blocks::cells::{Cells, Kind};
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
    /// Bytes of cells that were made, and how many planes.
    made: [usize; 2],
    /// As much as may be.
    most: [usize; 2],
}

impl Pool {
    /// Any number may be made. `files`: what blocks read beside their cells counts with these.
    pub(super) fn new(shape: Shape, files: bool) -> Pool {
        let keys = if files && shape.spread.is_some() { shape.size() * 4 } else { 0 };
        Pool { shape, keys, cells: Vec::new(), planes: Vec::new(), made: [0; 2], most: [usize::MAX; 2] }
    }

    /// So many bytes may be used by blocks with so many planes each. `all`: bytes of the cells of all blocks. Planes are read
    /// again sooner than cells, which are written too.
    pub(super) fn limit(&mut self, bytes: usize, planes: usize, all: usize) {
        let (cells, plane) = (self.block(Kind::Narrow), self.plane_bytes());
        let whole = (cells + planes * plane).max(1);
        let even = width::index(bytes as u128 * cells as u128 / whole as u128);
        let share = even.max(all.min(bytes - bytes / 8));
        self.most = [share.max(2 * cells), (bytes - share) / plane];
    }

    /// Bytes of the cells of a block, and of what stands beside them.
    pub(super) fn block(&self, kind: Kind) -> usize {
        kind.bytes(self.shape.size()) + self.keys
    }

    fn plane_bytes(&self) -> usize {
        (self.shape.lanes() + 1) * 8 + size_of::<Vec<u64>>()
    }

    /// Bytes of all that was made.
    pub(super) fn bytes(&self) -> usize {
        self.made[0] + self.made[1] * self.plane_bytes()
    }

    /// Whether there are cells of this kind, or may be made.
    pub(super) fn has_cells(&self, kind: Kind) -> bool {
        let others: usize = self.cells.iter().map(|cells| self.block(cells.kind())).sum();
        (self.made[0] - others).saturating_add(self.block(kind)) <= self.most[0]
    }

    /// Cells of this kind, of any content.
    pub(super) fn cells(&mut self, kind: Kind) -> Cells {
        if let Some(at) = self.cells.iter().rposition(|cells| cells.kind() == kind) {
            return self.cells.swap_remove(at);
        }
        while self.made[0].saturating_add(self.block(kind)) > self.most[0]
            && let Some(other) = self.cells.pop()
        {
            self.made[0] -= self.block(other.kind());
        }
        self.made[0] += self.block(kind);
        Cells::new(kind, self.shape.size())
    }

    /// Takes cells back.
    pub(super) fn give(&mut self, cells: Cells) {
        self.cells.push(cells);
    }

    /// Narrow cells that are in use became wide.
    pub(super) fn widened(&mut self) {
        self.made[0] += self.block(Kind::Wide) - self.block(Kind::Narrow);
    }

    /// So many narrow cells and planes that are in use were made elsewhere.
    pub(super) fn took(&mut self, cells: usize, planes: usize) {
        self.made[0] += cells * self.block(Kind::Narrow);
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
        self.made[0] -= self.cells.iter().map(|cells| self.block(cells.kind())).sum::<usize>();
        self.made[1] -= self.planes.len();
        (self.cells, self.planes) = (Vec::new(), Vec::new());
    }
}
