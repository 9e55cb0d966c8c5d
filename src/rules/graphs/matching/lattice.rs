//! Grids: neighbours are where they are, and what is known of a cell is two bytes.

use super::super::NONE;
use super::super::lattice::Lattice;
use super::super::rows::Rows;
use super::{Matched, bipartite};

/// A direction is a number below 4: up, left, right, down. What is opposite to `d` is `3 - d`.
const DIRECTIONS: u8 = 4;
/// What a cell is: not free, or matched in the direction that is one less, or free and single.
const WALL: u8 = 0;
const SINGLE: u8 = DIRECTIONS + 1;
/// Phases before paths are looked for in another way.
const PHASES: u32 = 60;

/// A maximum matching. O(cells x sqrt(cells)).
///
/// As [`super::Matching`] on a bipartite graph: R. Karp and M. Sipser's first matching, then phases of A. Pothen and C.-J. Fan,
/// and when there are many of these the paths of J. E. Hopcroft and R. M. Karp. Where most cells are free a simpler first matching
/// may do: each takes the one to the right or the one below.
#[must_use]
pub fn matching(lattice: &Lattice) -> Matched {
    within(lattice, PHASES)
}

/// The same with so many phases at most.
pub(in super::super) fn within(lattice: &Lattice, phases: u32) -> Matched {
    let mut search = Search::new(lattice);
    if search.in_order() {
        // Nothing is missed by a perfect matching, nor by any other maximum one.
        return Matched { size: lattice.vertices() / 2, missed: Vec::new() };
    }
    search.greedy();
    if !search.augment(phases) {
        search.shortest();
    }
    let single: usize = search.cells.iter().map(|cell| usize::from(*cell == SINGLE)).sum();
    Matched { size: (lattice.vertices() - single) / 2, missed: search.missed() }
}

/// What is known of the way on from a cell, in one byte: the lowest bits say that its neighbours are not single, the next ones how
/// many of them this phase has gone on from, the highest that this phase has met it.
mod known {
    pub(super) const NOT_SINGLE: u8 = 1;
    pub(super) const NEXT: u32 = 1;
    pub(super) const MET: u8 = 0x80;
}

struct Search<'l> {
    lattice: &'l Lattice,
    /// What to add to a place to go in each direction.
    steps: [usize; DIRECTIONS as usize],
    cells: Vec<u8>,
}

fn is_matched(cell: u8) -> bool {
    cell.wrapping_sub(1) < DIRECTIONS
}

/// A place in four bytes: grids have fewer cells.
fn short(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(NONE)
}

impl<'l> Search<'l> {
    fn new(lattice: &'l Lattice) -> Self {
        let stride = lattice.stride();
        let cells = lattice.free().iter().map(|free| if *free { SINGLE } else { WALL }).collect();
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
    fn pair(&mut self, place: usize, direction: u8) {
        let other = self.beside(place, direction);
        self.cells[place] = direction + 1;
        self.cells[other] = DIRECTIONS - direction;
    }

    /// The other cell that is matched with the one beside `place` in a direction; nothing where that is not matched.
    #[inline]
    fn across(&self, place: usize, direction: u8) -> Option<usize> {
        let beside = self.beside(place, direction);
        let cell = self.cells[beside];
        is_matched(cell).then(|| self.beside(beside, cell - 1))
    }

    /// Each cell takes the one to the right or the one below. Whether that matched all; nothing is matched if not.
    fn in_order(&mut self) -> bool {
        const RIGHT: u8 = 2;
        const DOWN: u8 = 3;
        for place in self.inner() {
            if self.cells[place] != SINGLE {
                continue;
            }
            let free = [RIGHT, DOWN].into_iter().find(|d| self.cells[self.beside(place, *d)] == SINGLE);
            if let Some(direction) = free {
                self.pair(place, direction);
            } else {
                // Those below may be matched, too.
                let end = self.beside(place, DOWN);
                self.cells[..end].iter_mut().filter(|cell| is_matched(**cell)).for_each(|cell| *cell = SINGLE);
                return false;
            }
        }
        true
    }

    /// As [`super::greedy`].
    fn greedy(&mut self) {
        // Free neighbours; those of walls and of the border never come down to one.
        let mut degree = vec![2 * SINGLE; self.cells.len()];
        for place in self.inner().filter(|place| self.cells[*place] == SINGLE) {
            degree[place] = (0..DIRECTIONS).map(|d| u8::from(self.cells[self.beside(place, d)] == SINGLE)).sum();
        }
        let mut last: Vec<u32> = self.inner().filter(|place| degree[*place] == 1).map(short).collect();
        let mut all = self.inner();
        while let Some(place) =
            last.pop().map(|place| place as usize).or_else(|| all.find(|p| self.cells[*p] == SINGLE))
        {
            if self.cells[place] != SINGLE {
                continue;
            }
            let free = (0..DIRECTIONS).filter(|d| self.cells[self.beside(place, *d)] == SINGLE);
            let Some(direction) = free.min_by_key(|d| degree[self.beside(place, *d)]) else { continue };
            self.pair(place, direction);
            for matched in [place, self.beside(place, direction)] {
                for d in 0..DIRECTIONS {
                    let x = self.beside(matched, d);
                    degree[x] -= 1;
                    if degree[x] == 1 && self.cells[x] == SINGLE {
                        last.push(short(x));
                    }
                }
            }
        }
    }

    /// Which of the two colours of a chess board.
    fn is_odd(&self, place: usize) -> bool {
        let stride = self.lattice.stride();
        (place / stride + place % stride) % 2 == 1
    }

    /// Augments along paths found depth first, with a look ahead at single neighbours. Whether a phase found none, so that the
    /// matching is maximum.
    fn augment(&mut self, phases: u32) -> bool {
        let single = (0..self.cells.len()).filter(|place| self.cells[*place] == SINGLE);
        let (odd, even): (Vec<usize>, Vec<usize>) = single.partition(|place| self.is_odd(*place));
        // The fewer there are, the fewer are looked at in vain.
        let mut roots = if odd.len() < even.len() { odd } else { even };
        let mut known = vec![0; self.cells.len()];
        let mut path = Vec::new();
        for phase in 0..phases {
            let before = roots.len();
            roots.retain(|root| !self.from(*root, phase % 2 == 1, &mut known, &mut path));
            if roots.len() == before || roots.is_empty() {
                return true;
            }
            for known in &mut known {
                *known &= known::NOT_SINGLE;
            }
        }
        false
    }

    /// Whether an augmenting path from a single cell was found, and used.
    #[inline]
    fn from(&mut self, root: usize, turned: bool, known: &mut [u8], path: &mut Vec<u32>) -> bool {
        // The order of neighbours turns round from phase to phase.
        let direction = |next: u8| if turned { DIRECTIONS - 1 - next } else { next };
        path.clear();
        path.push(short(root));
        known[root] |= known::MET;
        while let Some(&place) = path.last() {
            let place = place as usize;
            if known[place] & known::NOT_SINGLE == 0 {
                // Neighbours that are matched stay so.
                known[place] |= known::NOT_SINGLE;
                if let Some(d) = (0..DIRECTIONS).find(|d| self.cells[self.beside(place, *d)] == SINGLE) {
                    path.pop();
                    self.pair(place, d);
                    for &before in &*path {
                        let next = (known[before as usize] & !known::MET) >> known::NEXT;
                        self.pair(before as usize, direction(next - 1));
                    }
                    return true;
                }
            }
            let mut next = (known[place] & !known::MET) >> known::NEXT;
            let mut deeper = None;
            while next < DIRECTIONS && deeper.is_none() {
                deeper = self.across(place, direction(next)).filter(|x| known[*x] & known::MET == 0);
                next += 1;
            }
            known[place] = known::MET | next << known::NEXT | known::NOT_SINGLE;
            if let Some(x) = deeper {
                known[x] |= known::MET;
                path.push(short(x));
            } else {
                path.pop();
            }
        }
        false
    }

    /// Makes the matching maximum by [`bipartite::shortest`].
    fn shortest(&mut self) {
        let places: Vec<usize> = (0..self.cells.len()).filter(|place| self.cells[*place] != WALL).collect();
        let side: Vec<bool> = places.iter().map(|place| self.is_odd(*place)).collect();
        let number = |place: usize| places.binary_search(&place).map_or(NONE, short);
        let partner = |&place: &usize| match self.cells[place] {
            cell if is_matched(cell) => number(self.beside(place, cell - 1)),
            _ => NONE,
        };
        let mut mate: Vec<u32> = places.iter().map(partner).collect();
        let rows = Rows::both(places.len(), self.lattice.ends().into_iter());
        bipartite::shortest(&rows, &side, &mut mate);
        for (&place, mate) in places.iter().zip(mate).filter(|(_, mate)| *mate != NONE) {
            let other = places[mate as usize];
            if let Some(direction) = (0..DIRECTIONS).find(|d| self.beside(place, *d) == other) {
                self.cells[place] = direction + 1;
            }
        }
    }

    /// As [`bipartite::missed`], the numbers of the cells.
    fn missed(&self) -> Vec<u32> {
        let mut missed: Vec<bool> = self.cells.iter().map(|cell| *cell == SINGLE).collect();
        let mut open: Vec<u32> = (0..).zip(&missed).filter(|(_, missed)| **missed).map(|(place, _)| place).collect();
        let mut count = open.len();
        while let Some(place) = open.pop() {
            for d in 0..DIRECTIONS {
                if let Some(x) = self.across(place as usize, d)
                    && !std::mem::replace(&mut missed[x], true)
                {
                    open.push(short(x));
                    count += 1;
                }
            }
        }
        let mut numbers = Vec::with_capacity(count);
        let mut next = 0;
        for (&missed, &cell) in missed.iter().zip(&self.cells) {
            if missed {
                numbers.push(next);
            }
            next += u32::from(cell != WALL);
        }
        numbers
    }
}
