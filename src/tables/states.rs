//! Cells by rank for states that were met: a table of words of 8 bytes where rank and cell fit, else of 16.

use crate::tables::cell::Cell;
use crate::tables::compact_table::{Packed, Put, Seek, least_lines};

/// Tables with words of 8 bytes may need so many lines from the start.
const LINES: u64 = 1 << 17;

#[derive(Debug)]
pub(super) enum States {
    Narrow(Packed<u64>),
    Wide(Packed<u128>),
}

/// Bits that a cell takes, and a cell that is never written: "undecided" in a way that poison is not.
fn form(cell: Cell) -> (u32, u64) {
    let bytes = if cell.value_bits < 8 * cell.bytes { cell.bytes } else { 2 * cell.bytes };
    let width = 8 * bytes.max(2);
    (width, u64::MAX >> (64 - width) ^ 1 << cell.value_bits)
}

/// Cells of states that are not known with numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Marks {
    undecided: u64,
    shift: u32,
    /// Numbers are below this.
    most: u64,
}

impl Marks {
    pub(super) fn new(cell: Cell) -> Marks {
        let (width, _) = form(cell);
        let shift = cell.value_bits;
        // Above the value stand one more than the number, and neither what poison has there nor what is never written.
        let most = (u64::MAX >> (64 - width + shift)) - 2;
        Marks { undecided: cell.undecided(), shift, most }
    }

    /// The cell with this number, if there is one.
    #[inline]
    pub(super) fn cell(self, number: u32) -> Option<u64> {
        let number = u64::from(number);
        (number < self.most).then(|| self.undecided | (number + 1) << self.shift)
    }

    /// The number of a cell that says "not decided", if it has one.
    #[inline]
    pub(super) fn node(self, cell: u64) -> Option<u32> {
        let above = cell >> self.shift;
        if above > self.most { None } else { above.checked_sub(1).and_then(|number| u32::try_from(number).ok()) }
    }
}

fn bits(volume: u64) -> u32 {
    (u64::BITS - volume.saturating_sub(1).leading_zeros()).max(1)
}

macro_rules! either {
    ($states:expr, $table:ident => $do:expr) => {
        match $states {
            States::Narrow($table) => $do,
            States::Wide($table) => $do,
        }
    };
}

/// What both tables do, as [`Packed`] says.
macro_rules! delegated {
    ($($self:ty { $($name:ident($($arg:ident: $type:ty),*) $(-> $out:ty)?;)* })*) => {
        impl States {
            $($(#[inline]
            pub(super) fn $name(self: $self, $($arg: $type),*) $(-> $out)? {
                either!(self, table => table.$name($($arg),*))
            })*)*
        }
    };
}

delegated! {
    &Self {
        keys() -> u64;
        age() -> u32;
        bytes() -> usize;
        bytes_grown() -> usize;
        seek(rank: u64) -> Seek;
        get(seek: Seek) -> Option<u64>;
        fetch(seek: Seek);
        again(seek: Seek) -> Option<u64>;
        at_home(seeks: &[Seek], nothing: u64, cells: &mut Vec<u64>);
        count(ranks: u64);
        put(seek: Seek, cell: u64) -> Put;
        set(seek: Seek, cell: u64);
    }
    &mut Self {
        grow(threads: usize);
        share() -> bool;
        unshare();
    }
}

impl States {
    /// A table for ranks below `volume`, at most `2^61`, that may grow to `most` bytes.
    pub(super) fn new(cell: Cell, volume: u64, most: usize) -> States {
        let ((width, never), bits) = (form(cell), bits(volume));
        if narrow(bits, width) {
            States::Narrow(Packed::new(bits, width, never, most))
        } else {
            States::Wide(Packed::new(bits, width, never, most))
        }
    }

    pub(super) fn widened(&self, old: Cell, new: Cell, volume: u64) -> States {
        let (width, never) = form(new);
        let change = |cell| old.widen(cell, new);
        if narrow(bits(volume), width) {
            States::Narrow(either!(self, table => table.map(width, never, change)))
        } else {
            States::Wide(either!(self, table => table.map(width, never, change)))
        }
    }
}

fn narrow(bits: u32, width: u32) -> bool {
    width < u64::BITS && least_lines::<u64>(bits, width) <= LINES
}
