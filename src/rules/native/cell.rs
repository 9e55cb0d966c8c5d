//! What is stored of a position in a dense table: a value and perhaps the remoteness, in one, two or four bytes.
//!
//! The value stands above the remoteness, so the least option cell of value 0 is that of the nearest lost option. The
//! greatest value is never a value: it says that a position was not decided.

/// What is worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Grundy values; options may be sums.
    Grundy,
    /// Grundy values with the remoteness; options are single components.
    GrundyFar,
    /// 0 lost, 1 drawn, 2 won for the player to move, with the remoteness. Who cannot move has lost, in misere won.
    Outcome {
        /// The last player loses.
        misere: bool,
    },
}

/// How a cell is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// What is worked out.
    pub kind: Kind,
    /// Bytes of a cell: 1, 2, 4.
    pub bytes: u32,
    /// Low bits that hold the remoteness.
    pub far_bits: u32,
}

impl Cell {
    /// The smallest form.
    #[must_use]
    pub fn smallest(kind: Kind) -> Cell {
        match kind {
            // Six bits are used of eight, so that one word shows which values were seen.
            Kind::Grundy => Cell { kind, bytes: 1, far_bits: 0 },
            Kind::GrundyFar => Cell { kind, bytes: 2, far_bits: 11 },
            Kind::Outcome { .. } => Cell { kind, bytes: 2, far_bits: 14 },
        }
    }

    /// The next larger form; `None`: there is none.
    #[must_use]
    pub fn larger(self) -> Option<Cell> {
        match (self.kind, self.bytes) {
            (Kind::Grundy, 1) => Some(Cell { bytes: 2, ..self }),
            (Kind::GrundyFar, 2) => Some(Cell { bytes: 4, far_bits: 16, ..self }),
            (Kind::Outcome { .. }, 2) => Some(Cell { bytes: 4, far_bits: 30, ..self }),
            _ => None,
        }
    }

    /// Bits of the value.
    #[must_use]
    pub fn value_bits(self) -> u32 {
        if self.kind == Kind::Grundy && self.bytes == 1 { 6 } else { self.bytes * 8 - self.far_bits }
    }

    /// The value that says "not decided".
    #[must_use]
    pub fn undecided(self) -> u64 {
        (1 << self.value_bits()) - 1
    }

    /// The cell that says so.
    #[must_use]
    pub fn poison(self) -> u64 {
        self.undecided() << self.far_bits | self.far_mask()
    }

    /// The low bits.
    #[must_use]
    pub fn far_mask(self) -> u64 {
        (1 << self.far_bits) - 1
    }

    /// Whether values are seen as bits of one word rather than by stamps in a table.
    #[must_use]
    pub fn one_word(self) -> bool {
        self.value_bits() <= 6
    }

    /// Value and remoteness of a cell; `None`: not decided.
    #[must_use]
    pub fn read(self, cell: u64) -> Option<(u64, u64)> {
        let value = cell >> self.far_bits;
        (value != self.undecided()).then_some((value, cell & self.far_mask()))
    }

    /// A cell of this form in a larger one.
    #[must_use]
    pub fn widen(self, cell: u64, to: Cell) -> u64 {
        match self.read(cell) {
            Some((value, far)) => value << to.far_bits | far,
            None => to.poison(),
        }
    }
}
