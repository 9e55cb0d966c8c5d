//! Cells: what is known of the states of a block, and what they make of what they are told about who wins.

use crate::graph_search::blocks::bunch::{Bunch, Told};
use crate::graph_search::blocks::fresh::Fresh;
use crate::graph_search::blocks::values;
use crate::graph_search::retrograde::{LOSS, WIN};

/// A state whose rules fault, or that leads to one: mark of a cell, as [`WIN`] and [`LOSS`].
pub(super) const UNKNOWN: u8 = 3;

/// The cell of a state that is drawn, whatever is told of it.
pub(super) const DRAWN: u32 = 0;

/// A row of cells. A cell has in its two low bits a mark; above them the remoteness of what is decided, else how many moves
/// are not known to lose, at least one. A state that is drawn for good is 0.
trait Row {
    /// The cell at a place as a number.
    fn number(&self, place: usize) -> Option<u32>;

    /// Changes a cell to a number that fits it.
    fn set(&mut self, place: usize, number: u32);
}

impl Row for [u16] {
    #[inline]
    fn number(&self, place: usize) -> Option<u32> {
        self.get(place).map(|&cell| cell.into())
    }

    #[inline]
    fn set(&mut self, place: usize, number: u32) {
        if let Some(cell) = self.get_mut(place) {
            *cell = u16::try_from(number).unwrap_or(u16::MAX);
        }
    }
}

impl Row for [u32] {
    #[inline]
    fn number(&self, place: usize) -> Option<u32> {
        self.get(place).copied()
    }

    #[inline]
    fn set(&mut self, place: usize, number: u32) {
        if let Some(cell) = self.get_mut(place) {
            *cell = number;
        }
    }
}

/// What small cells say besides counts, by the last five codes.
const SPECIAL: [u32; 5] = [UNKNOWN as u32, decided(WIN, 0), decided(LOSS, 0), decided(WIN, 1), decided(LOSS, 1)];
/// Where a number stands in [`SPECIAL`].
const PLACES: [u8; 7] = [0, 1, 2, 0, 0, 3, 4];

/// The numbers of so many codes of small cells: counts, and the last ones for [`SPECIAL`]. What is decided later is 0, as what is
/// drawn.
const fn numbers<const N: usize>() -> [u32; N] {
    let (mut numbers, mut code, mut count) = ([0; N], 0, 0);
    while code < N {
        let first = N - SPECIAL.len();
        numbers[code] = if code < first { count << 2 } else { SPECIAL[code - first] };
        (code, count) = (code + 1, count + 1);
    }
    numbers
}

const OF_NIBBLE: [u32; 16] = numbers();
const OF_BYTE: [u32; 256] = numbers();

/// The code of a number, where those of [`SPECIAL`] begin with `first`; counts are less.
#[inline]
fn small(number: u32, first: u8) -> u8 {
    if number.is_multiple_of(4) {
        return u8::try_from(number >> 2).unwrap_or(0); // it is one of what was listed, or less
    }
    PLACES.get(number as usize).map_or(0, |place| first + place)
}

/// Cells of a byte.
struct Bytes<'a>(&'a mut [u8]);

impl Bytes<'_> {
    /// The first code that is no count.
    const FIRST: u8 = 251;
}

impl Row for Bytes<'_> {
    #[inline]
    fn number(&self, place: usize) -> Option<u32> {
        self.0.get(place).map(|&code| OF_BYTE[usize::from(code)])
    }

    #[inline]
    fn set(&mut self, place: usize, number: u32) {
        if let Some(cell) = self.0.get_mut(place) {
            *cell = small(number, Bytes::FIRST);
        }
    }
}

/// Two cells to a byte.
struct Nibbles<'a>(&'a mut [u8]);

impl Nibbles<'_> {
    /// The first code that is no count.
    const FIRST: u8 = 11;
}

impl Row for Nibbles<'_> {
    #[inline]
    fn number(&self, place: usize) -> Option<u32> {
        self.0.get(place / 2).map(|&two| OF_NIBBLE[usize::from(two >> (place % 2 * 4) & 15)])
    }

    #[inline]
    fn set(&mut self, place: usize, number: u32) {
        if let Some(two) = self.0.get_mut(place / 2) {
            let shift = place % 2 * 4;
            *two = *two & !(15 << shift) | small(number, Nibbles::FIRST) << shift;
        }
    }
}

/// The number of a decided cell.
pub(super) const fn decided(mark: u8, far: u32) -> u32 {
    far << 2 | mark as u32
}

/// Whether a state is not decided, by the number of its cell.
#[inline]
fn waits(number: u32) -> bool {
    number.is_multiple_of(4) && number != DRAWN
}

/// How wide cells are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Half a byte, or one: while states are decided whose remoteness is noted elsewhere.
    Nibbles,
    Bytes,
    /// Two bytes, or four.
    Narrow,
    Wide,
}

impl Kind {
    /// Bytes of so many cells.
    pub(super) fn bytes(self, size: usize) -> usize {
        match self {
            Kind::Nibbles => size.div_ceil(2),
            Kind::Bytes => size,
            Kind::Narrow => size * 2,
            Kind::Wide => size * 4,
        }
    }
}

/// The cells of a block, as narrow as they can be.
#[derive(Debug)]
pub(super) enum Cells {
    Nibbles(Vec<u8>),
    Bytes(Vec<u8>),
    Narrow(Vec<u16>),
    Wide(Vec<u32>),
}

impl Cells {
    /// A remoteness that is less has a place in narrow cells.
    pub(super) const FAR: u32 = 1 << 14;

    /// So many cells, all 0.
    pub(super) fn new(kind: Kind, size: usize) -> Cells {
        match kind {
            Kind::Nibbles => Cells::Nibbles(vec![0; kind.bytes(size)]),
            Kind::Bytes => Cells::Bytes(vec![0; size]),
            Kind::Narrow => Cells::Narrow(vec![0; size]),
            Kind::Wide => Cells::Wide(vec![0; size]),
        }
    }

    /// The small cells that these states, just listed, fit in.
    pub(super) fn small_for(narrow: &[u16]) -> Kind {
        let few = narrow.iter().all(|cell| cell & 3 != 0 || cell >> 2 < Nibbles::FIRST.into());
        if few { Kind::Nibbles } else { Kind::Bytes }
    }

    /// Takes so many numbers, which fit.
    fn take(&mut self, numbers: impl Iterator<Item = (usize, u32)>) {
        match self {
            Cells::Nibbles(cells) => {
                let mut row = Nibbles(cells);
                numbers.for_each(|(place, number)| row.set(place, number));
            }
            Cells::Bytes(cells) => {
                let mut row = Bytes(cells);
                numbers.for_each(|(place, number)| row.set(place, number));
            }
            Cells::Narrow(cells) => numbers.for_each(|(place, number)| cells.set(place, number)),
            Cells::Wide(cells) => numbers.for_each(|(place, number)| cells.set(place, number)),
        }
    }

    /// Takes what was listed.
    pub(super) fn list(&mut self, narrow: &[u16]) {
        self.take((0..).zip(narrow.iter().map(|&cell| cell.into())));
    }

    /// Takes the numbers of so many other cells, for which these are wide enough.
    pub(super) fn copy(&mut self, other: &Cells, size: usize) {
        self.take((0..size).map(|place| (place, other.get(place).unwrap_or(DRAWN))));
    }

    pub(super) fn kind(&self) -> Kind {
        match self {
            Cells::Nibbles(_) => Kind::Nibbles,
            Cells::Bytes(_) => Kind::Bytes,
            Cells::Narrow(_) => Kind::Narrow,
            Cells::Wide(_) => Kind::Wide,
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Cells::Nibbles(cells) | Cells::Bytes(cells) => cells,
            Cells::Narrow(cells) => bytemuck::cast_slice(cells),
            Cells::Wide(cells) => bytemuck::cast_slice(cells),
        }
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        match self {
            Cells::Nibbles(cells) | Cells::Bytes(cells) => cells,
            Cells::Narrow(cells) => bytemuck::cast_slice_mut(cells),
            Cells::Wide(cells) => bytemuck::cast_slice_mut(cells),
        }
    }

    pub(super) fn get(&self, place: usize) -> Option<u32> {
        match self {
            Cells::Nibbles(cells) => {
                cells.get(place / 2).map(|&two| OF_NIBBLE[usize::from(two >> (place % 2 * 4) & 15)])
            }
            Cells::Bytes(cells) => cells.get(place).map(|&code| OF_BYTE[usize::from(code)]),
            Cells::Narrow(cells) => cells.number(place),
            Cells::Wide(cells) => cells.number(place),
        }
    }

    /// Notes at these places who wins, after how many moves.
    pub(super) fn decide(&mut self, mark: u8, far: u32, places: &[u16]) {
        self.take(places.iter().map(|&place| (place.into(), decided(mark, far))));
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
    pub(super) fn find(&self, [a, b]: [u32; 2], mut each: impl FnMut(usize, bool)) {
        let size = match self {
            Cells::Nibbles(cells) => cells.len() * 2,
            Cells::Bytes(cells) => cells.len(),
            Cells::Narrow(cells) => cells.len(),
            Cells::Wide(cells) => cells.len(),
        };
        for place in 0..size {
            let number = self.get(place);
            if number == Some(a) || number == Some(b) {
                each(place, number == Some(a));
            }
        }
    }

    /// Whether a bunch about who wins may change something, if its states have the change.
    pub(super) fn want(&self, bunch: &Bunch<'_>) -> bool {
        let waiting = |&place: &u16| self.get(place.into()).is_some_and(waits);
        !matches!(bunch.told, Told::Less | Told::Wins) || bunch.places.iter().any(waiting)
    }

    /// What states make of a bunch in this step, or in the round of this value. `plane`: which of them have the change, if the
    /// bits of ranks do not tell. What is decided by it is added to `fresh`. Whether a cell may have changed.
    pub(super) fn tell(&mut self, bunch: &Bunch<'_>, plane: Option<&[u64]>, step: u32, fresh: &mut [Fresh; 3]) -> bool {
        let Some(plane) = plane else { return self.tell_each(bunch, |_| true, step, fresh) };
        let has = |at: usize| plane.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1);
        self.tell_each(bunch, has, step, fresh)
    }

    #[inline]
    fn tell_each(&mut self, bunch: &Bunch<'_>, has: impl Fn(usize) -> bool, step: u32, fresh: &mut [Fresh; 3]) -> bool {
        match (self, bunch.told) {
            (Cells::Narrow(cells), Told::Less | Told::Wins | Told::Unknown) => {
                tell_each(&mut cells[..], bunch, has, step, fresh)
            }
            (Cells::Wide(cells), Told::Less | Told::Wins | Told::Unknown) => {
                tell_each(&mut cells[..], bunch, has, step, fresh)
            }
            (Cells::Nibbles(cells), _) => tell_each(&mut Nibbles(cells), bunch, has, step, fresh),
            (Cells::Bytes(cells), _) => tell_each(&mut Bytes(cells), bunch, has, step, fresh),
            (Cells::Narrow(cells), _) => {
                values::tell(cells, bunch, has, step, fresh);
                true
            }
            // No value is so large.
            (Cells::Wide(_), _) => false,
        }
    }
}

#[inline]
fn tell_each(
    cells: &mut (impl Row + ?Sized),
    bunch: &Bunch<'_>,
    has: impl Fn(usize) -> bool,
    far: u32,
    [won, lost, _]: &mut [Fresh; 3],
) -> bool {
    let (win, loss) = (decided(WIN, far), decided(LOSS, far));
    let mut changed = false;
    // A loop for each thing told; places and cells are of the same block.
    match bunch.told {
        Told::Wins => {
            for &place in bunch.places {
                let at = usize::from(place);
                let Some(number) = cells.number(at) else { return changed };
                if waits(number) && has(at) {
                    cells.set(at, win);
                    won.add(at);
                    changed = true;
                }
            }
        }
        Told::Less => {
            for &place in bunch.places {
                let at = usize::from(place);
                let Some(number) = cells.number(at) else { return changed };
                if waits(number) && has(at) {
                    let left = number - 4;
                    cells.set(at, if left == 0 { loss } else { left });
                    if left == 0 {
                        lost.add(at);
                    }
                    changed = true;
                }
            }
        }
        _ => {
            for &place in bunch.places {
                let at = usize::from(place);
                let Some(number) = cells.number(at) else { return changed };
                if number & 3 != u32::from(UNKNOWN) && has(at) {
                    cells.set(at, UNKNOWN.into());
                    won.add(at);
                    changed = true;
                }
            }
        }
    }
    changed
}
