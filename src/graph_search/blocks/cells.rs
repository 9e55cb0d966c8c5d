//! Cells: what is known of the states of a block, and what they make of what they are told about who wins.

use crate::graph_search::blocks::bunch::{Bunch, Told};
use crate::graph_search::blocks::fresh::Fresh;
use crate::graph_search::blocks::values;
use crate::graph_search::retrograde::{LOSS, WIN};

/// A state whose rules fault, or that leads to one: mark of a cell, as [`WIN`] and [`LOSS`].
pub(super) const UNKNOWN: u8 = 3;

/// The cell of a state that is drawn, whatever is told of it.
pub(super) const DRAWN: u32 = 0;

/// A cell of two or four bytes. In the two low bits a mark; above them the remoteness of what is decided, else how many moves
/// are not known to lose, at least one. A state that is drawn for good is 0.
pub(super) trait Cell: Copy {
    /// The cell as a number.
    fn number(self) -> u32;

    /// The cell of a number that fits it.
    fn of(number: u32) -> Self;
}

impl Cell for u16 {
    #[inline]
    fn number(self) -> u32 {
        self.into()
    }

    #[inline]
    fn of(number: u32) -> u16 {
        u16::try_from(number).unwrap_or(u16::MAX)
    }
}

impl Cell for u32 {
    #[inline]
    fn number(self) -> u32 {
        self
    }

    #[inline]
    fn of(number: u32) -> u32 {
        number
    }
}

/// The number of a decided cell.
pub(super) fn decided(mark: u8, far: u32) -> u32 {
    far << 2 | u32::from(mark)
}

/// Whether a state is not decided, by the number of its cell.
#[inline]
fn waits(number: u32) -> bool {
    number.is_multiple_of(4) && number != DRAWN
}

/// The cells of a block, as narrow as they can be.
#[derive(Debug)]
pub(super) enum Cells {
    Narrow(Vec<u16>),
    Wide(Vec<u32>),
}

impl Cells {
    /// A remoteness that is less has a place in narrow cells.
    pub(super) const FAR: u32 = 1 << 14;

    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Cells::Narrow(cells) => bytemuck::cast_slice(cells),
            Cells::Wide(cells) => bytemuck::cast_slice(cells),
        }
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        match self {
            Cells::Narrow(cells) => bytemuck::cast_slice_mut(cells),
            Cells::Wide(cells) => bytemuck::cast_slice_mut(cells),
        }
    }

    pub(super) fn is_wide(&self) -> bool {
        matches!(self, Cells::Wide(_))
    }

    pub(super) fn get(&self, place: usize) -> Option<u32> {
        match self {
            Cells::Narrow(cells) => cells.get(place).map(|cell| cell.number()),
            Cells::Wide(cells) => cells.get(place).copied(),
        }
    }

    /// Makes sure that this remoteness has a place; whether they grew.
    pub(super) fn fit(&mut self, far: u32) -> bool {
        if let Cells::Narrow(cells) = self
            && far >= Cells::FAR
        {
            *self = Cells::Wide(cells.iter().map(|&cell| cell.into()).collect());
            return true;
        }
        false
    }

    /// Calls with each place whose cell has one of these two numbers, and whether it is the first of them.
    pub(super) fn find(&self, numbers: [u32; 2], each: impl FnMut(usize, bool)) {
        match self {
            Cells::Narrow(cells) => find(cells, numbers, each),
            Cells::Wide(cells) => find(cells, numbers, each),
        }
    }

    /// What states make of a bunch in this step, or in the round of this value. `plane`: which of them have the change, if the
    /// bits of ranks do not tell. What is decided by it is added to `fresh`.
    pub(super) fn tell(&mut self, bunch: &Bunch<'_>, plane: Option<&[u64]>, step: u32, fresh: &mut [Fresh; 3]) {
        let Some(plane) = plane else { return self.tell_each(bunch, |_| true, step, fresh) };
        let has = |at: usize| plane.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1);
        self.tell_each(bunch, has, step, fresh);
    }

    #[inline]
    fn tell_each(&mut self, bunch: &Bunch<'_>, has: impl Fn(usize) -> bool, step: u32, fresh: &mut [Fresh; 3]) {
        match (self, bunch.told) {
            (Cells::Narrow(cells), Told::Less | Told::Wins | Told::Unknown) => {
                tell_each(cells, bunch, has, step, fresh);
            }
            (Cells::Wide(cells), Told::Less | Told::Wins | Told::Unknown) => tell_each(cells, bunch, has, step, fresh),
            (Cells::Narrow(cells), _) => values::tell(cells, bunch, has, step, fresh),
            // No value is so large.
            (Cells::Wide(_), _) => {}
        }
    }
}

fn find<C: Cell>(cells: &[C], [a, b]: [u32; 2], mut each: impl FnMut(usize, bool)) {
    for (place, cell) in cells.iter().enumerate() {
        let cell = cell.number();
        if cell == a || cell == b {
            each(place, cell == a);
        }
    }
}

#[inline]
fn tell_each<C: Cell>(
    cells: &mut [C],
    bunch: &Bunch<'_>,
    has: impl Fn(usize) -> bool,
    far: u32,
    [won, lost, _]: &mut [Fresh; 3],
) {
    let (win, loss) = (decided(WIN, far), decided(LOSS, far));
    // A loop for each thing told; places and cells are of the same block.
    match bunch.told {
        Told::Wins => {
            for &place in bunch.places {
                let at = usize::from(place);
                let Some(cell) = cells.get_mut(at) else { return };
                let number = cell.number();
                if waits(number) && has(at) {
                    *cell = C::of(win);
                    won.add(at);
                }
            }
        }
        Told::Less => {
            for &place in bunch.places {
                let at = usize::from(place);
                let Some(cell) = cells.get_mut(at) else { return };
                let number = cell.number();
                if waits(number) && has(at) {
                    let left = number - 4;
                    if left == 0 {
                        *cell = C::of(loss);
                        lost.add(at);
                    } else {
                        *cell = C::of(left);
                    }
                }
            }
        }
        _ => {
            for &place in bunch.places {
                let at = usize::from(place);
                let Some(cell) = cells.get_mut(at) else { return };
                if cell.number() & 3 != u32::from(UNKNOWN) && has(at) {
                    *cell = C::of(UNKNOWN.into());
                    won.add(at);
                }
            }
        }
    }
}
