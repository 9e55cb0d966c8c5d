//! Grids: neighbours are where they are, and what is known of a cell is one byte.

use crate::NONE;
use crate::bits::Bits;
use crate::lattice::Lattice;
use crate::matching::{Matched, Matching};
use std::collections::VecDeque;

/// A direction is a number below 4: up, left, right, down. What is opposite to `d` is `3 - d`.
const DIRECTIONS: u8 = 4;
/// What a cell is: not free, or matched in the direction that is one less, or free and single.
const WALL: u8 = 0;
const SINGLE: u8 = DIRECTIONS + 1;

/// A maximum matching. O(cells x sqrt(cells)).
///
/// A first matching in the order of the cells, a phase of A. Pothen and C.-J. Fan, then phases breadth first (A. Azad, A. Buluc,
/// A. Pothen, "Computing maximum cardinality matchings in parallel on bipartite graphs via tree-grafting", IEEE Trans. Parallel
/// Distrib. Syst. 28 (2017), without the grafting), each of which finds some path; should there be more of them than the root of the
/// number of cells, the paths of J. E. Hopcroft and R. M. Karp.
pub fn matching(lattice: &Lattice) -> Matched {
    const FEW: usize = 60;
    within(lattice, lattice.vertices().isqrt().max(FEW))
}

/// A maximum matching with at most so many phases breadth first, before the paths of Hopcroft and Karp: [`matching`] chooses their
/// number by the size of the grid. The result is the same for every number of phases.
pub fn within(lattice: &Lattice, phases: usize) -> Matched {
    let mut search = Search::new(lattice);
    if search.in_order() == 0 {
        // Nothing is missed by a perfect matching, nor by any other maximum one.
        return Matched { size: lattice.vertices() / 2, missed: Bits::new(lattice.vertices(), []) };
    }
    if !search.augment(phases) {
        return Matched::from(&Matching::of(lattice.vertices(), lattice.ends().into_iter()));
    }
    search.forget(KIND);
    let single: usize = search.cells.iter().map(|cell| usize::from(*cell == SINGLE)).sum();
    Matched { size: (lattice.vertices() - single) / 2, missed: search.missed() }
}

/// The bits of a byte that say what the cell is.
const KIND: u8 = 7;

/// What is known of the way on from a cell is in the other bits: that its neighbours are not single; how many of them this phase
/// has gone on from, or in which direction it came; and that this phase has met it.
mod known {
    pub(super) const NOT_SINGLE: u8 = 8;
    /// Where a number below 8 begins.
    pub(super) const NEXT: u32 = 4;
    pub(super) const MET: u8 = 0x80;
}

fn next_of(cell: u8) -> u8 {
    cell >> known::NEXT & 7
}

struct Search<'l> {
    lattice: &'l Lattice,
    /// What to add to a place to go in each direction.
    steps: [usize; DIRECTIONS as usize],
    cells: Vec<u8>,
}

fn is_matched(cell: u8) -> bool {
    (cell & KIND).wrapping_sub(1) < DIRECTIONS
}

/// A place in four bytes: grids have fewer cells.
fn short(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(NONE)
}

impl<'l> Search<'l> {
    fn new(lattice: &'l Lattice) -> Self {
        let stride = lattice.stride();
        let mut cells = Vec::with_capacity(lattice.places().next_multiple_of(64));
        for word in lattice.free().words() {
            cells.extend((0..64).map(|bit| if word >> bit & 1 == 1 { SINGLE } else { WALL }));
        }
        cells.resize(lattice.places(), WALL);
        Search { lattice, steps: [stride.wrapping_neg(), 1_usize.wrapping_neg(), 1, stride], cells }
    }

    /// The places of all cells, some of the border among them.
    fn inner(&self) -> std::ops::Range<usize> {
        let stride = self.lattice.stride();
        stride..self.cells.len() - stride
    }

    #[inline]
    fn beside(&self, place: usize, direction: u8) -> usize {
        place.wrapping_add(self.steps[usize::from(direction)])
    }

    #[inline]
    fn kind(&self, place: usize) -> u8 {
        self.cells[place] & KIND
    }

    #[inline]
    fn put(&mut self, place: usize, kind: u8) {
        self.cells[place] = self.cells[place] & !KIND | kind;
    }

    /// Only these bits of each cell are kept.
    fn forget(&mut self, kept: u8) {
        for cell in &mut self.cells {
            *cell &= kept;
        }
    }

    #[inline]
    fn pair(&mut self, place: usize, direction: u8) {
        let other = self.beside(place, direction);
        self.put(place, direction + 1);
        self.put(other, DIRECTIONS - direction);
    }

    /// The other cell that is matched with the one beside `place` in a direction; nothing where that is not matched.
    #[inline]
    fn across(&self, place: usize, direction: u8) -> Option<usize> {
        let beside = self.beside(place, direction);
        let cell = self.cells[beside];
        is_matched(cell).then(|| self.beside(beside, (cell & KIND) - 1))
    }

    /// A matching to begin with: each cell takes the one to the right, or else the one below. How many are single then.
    fn in_order(&mut self) -> usize {
        const RIGHT: u8 = 2;
        const DOWN: u8 = 3;
        let mut single = 0;
        for place in self.inner() {
            if self.cells[place] == SINGLE {
                match [RIGHT, DOWN].into_iter().find(|d| self.cells[self.beside(place, *d)] == SINGLE) {
                    Some(direction) => self.pair(place, direction),
                    None => single += 1,
                }
            }
        }
        single
    }

    /// Which of the two colours of a chess board.
    fn is_odd(&self, place: usize) -> bool {
        let stride = self.lattice.stride();
        (place / stride + place % stride) % 2 == 1
    }

    /// Augments along paths, in the first phase found depth first, with a look ahead at single neighbours, then breadth first from
    /// all roots at once. Whether a phase found none, so that the matching is maximum.
    fn augment(&mut self, phases: usize) -> bool {
        let mut single = <[Vec<u32>; 2]>::default();
        for place in (0..self.cells.len()).filter(|place| self.kind(*place) == SINGLE) {
            single[usize::from(self.is_odd(place))].push(short(place));
        }
        // The fewer there are, the fewer are looked at in vain.
        let [even, odd] = single;
        let mut roots = if odd.len() < even.len() { odd } else { even };
        let mut path = Vec::new();
        for phase in 0..phases {
            let before = roots.len();
            if phase == 0 {
                roots.retain(|root| !self.from(*root, &mut path));
            } else {
                self.broad(&mut roots);
            }
            if roots.len() == before || roots.is_empty() {
                return true;
            }
            self.forget(KIND);
        }
        false
    }

    /// Looks for augmenting paths from all roots at once, each in cells of its own, and uses them; the roots that are left have
    /// none, or none that does not meet another.
    fn broad(&mut self, roots: &mut Vec<u32>) {
        let mut done = vec![false; roots.len()];
        let mut open: VecDeque<(u32, u32)> = roots.iter().copied().zip(0..).collect();
        for &root in &*roots {
            self.cells[root as usize] |= known::MET;
        }
        while let Some((place, root)) = open.pop_front() {
            if done[root as usize] {
                continue;
            }
            let place = place as usize;
            for d in 0..DIRECTIONS {
                match self.kind(self.beside(place, d)) {
                    SINGLE => {
                        self.back(place, d);
                        done[root as usize] = true;
                        break;
                    }
                    WALL => {}
                    _ => {
                        if let Some(x) = self.across(place, d).filter(|x| self.cells[*x] & known::MET == 0) {
                            self.cells[x] |= known::MET | d << known::NEXT;
                            open.push_back((short(x), root));
                        }
                    }
                }
            }
        }
        let mut done = done.into_iter();
        roots.retain(|_| !done.next().unwrap_or(false));
    }

    /// Pairs the cells of a path from its last one back to the root: each was met by going in the direction that is kept of it,
    /// and across.
    fn back(&mut self, mut place: usize, mut direction: u8) {
        loop {
            let before = self.kind(place);
            self.pair(place, direction);
            if before == SINGLE {
                return;
            }
            let beside = self.beside(place, before - 1);
            direction = next_of(self.cells[place]);
            place = self.beside(beside, DIRECTIONS - 1 - direction);
        }
    }

    /// Whether an augmenting path from a single cell was found, and used.
    #[inline]
    fn from(&mut self, root: u32, path: &mut Vec<u32>) -> bool {
        path.clear();
        path.push(root);
        self.cells[root as usize] |= known::MET;
        while let Some(&place) = path.last() {
            let place = place as usize;
            if self.cells[place] & known::NOT_SINGLE == 0 {
                // Neighbours that are matched stay so.
                self.cells[place] |= known::NOT_SINGLE;
                if let Some(d) = (0..DIRECTIONS).find(|d| self.kind(self.beside(place, *d)) == SINGLE) {
                    path.pop();
                    self.pair(place, d);
                    for &before in &*path {
                        let next = next_of(self.cells[before as usize]);
                        self.pair(before as usize, next - 1);
                    }
                    return true;
                }
            }
            let mut next = next_of(self.cells[place]);
            let mut deeper = None;
            while next < DIRECTIONS && deeper.is_none() {
                deeper = self.across(place, next).filter(|x| self.cells[*x] & known::MET == 0);
                next += 1;
            }
            self.cells[place] = self.kind(place) | known::MET | next << known::NEXT | known::NOT_SINGLE;
            if let Some(x) = deeper {
                self.cells[x] |= known::MET;
                path.push(short(x));
            } else {
                path.pop();
            }
        }
        false
    }

    /// The cells that some maximum matching misses, found as in other bipartite graphs: the numbers of the cells. Of what else is known nothing is left.
    fn missed(&mut self) -> Bits {
        const MISSED: u8 = known::MET;
        let mut open: VecDeque<u32> = VecDeque::new();
        for place in 0..self.cells.len() {
            if self.cells[place] == SINGLE {
                self.cells[place] |= MISSED;
                open.push_back(short(place));
            }
        }
        // Breadth first: fewer are open at a time.
        while let Some(place) = open.pop_front() {
            for d in 0..DIRECTIONS {
                if let Some(x) = self.across(place as usize, d)
                    && self.cells[x] & MISSED == 0
                {
                    self.cells[x] |= MISSED;
                    open.push_back(short(x));
                }
            }
        }
        let free = self.cells.iter().filter(|cell| **cell != WALL);
        Bits::of_flags(&free.map(|cell| cell & MISSED != 0).collect::<Vec<_>>())
    }
}
