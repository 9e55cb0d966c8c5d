//! What is stored of a position in a dense table: a value and perhaps the remoteness, in one to eight bytes.
//!
//! The value is in the low bits, the remoteness above it: as it is for value 0, else counted down from the greatest with a
//! one above. So the least cell among the options is the nearest of those with value 0 if there is one, else the farthest
//! of all: just what the next position's remoteness is made of. The greatest value is never a value: it says that a
//! position was not decided. A score is kept with half of the range added, so that none is negative.

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
    /// What the player to move gets more than the other from here on; read as the bits of an `i64`.
    Score,
    /// The same of those states alone that a search meets which leaves a state at the first move that wins; no remoteness.
    Wins {
        /// The last player loses.
        misere: bool,
    },
}

impl Kind {
    /// What tells the same of all states, and more.
    pub fn whole(self) -> Kind {
        if let Kind::Wins { misere } = self { Kind::Outcome { misere } } else { self }
    }
}

/// How a cell is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// What is worked out.
    pub kind: Kind,
    /// Bytes of a cell: 1, 2, 4, 8.
    pub bytes: u32,
    /// Low bits that hold the value: 6, so that one word shows which values were seen, or more.
    pub value_bits: u32,
}

impl Cell {
    /// The smallest form.
    pub fn smallest(kind: Kind) -> Cell {
        let value_bits = if kind == Kind::Score { 16 } else { 6 };
        Cell { kind, bytes: if kind == Kind::Grundy { 1 } else { 2 }, value_bits }
    }

    /// The next form for larger values, or for more remote positions; `None`: there is none. Cells keep what they hold, up to
    /// a remoteness of `2^43`, which no play comes near to.
    pub fn larger(self, value: bool) -> Option<Cell> {
        match (self.kind, value) {
            (Kind::Grundy, _) => (self.bytes == 1).then_some(Cell { bytes: 2, value_bits: 16, ..self }),
            // Fewer than 64 bits, so that adding the bias to a score never overflows.
            (Kind::Score, _) if self.bytes < 8 => {
                Some(Cell { bytes: self.bytes * 2, value_bits: if self.bytes == 2 { 32 } else { 56 }, ..self })
            }
            (Kind::Score, _) => None,
            (Kind::GrundyFar, true) if self.value_bits == 6 && self.bytes < 8 => {
                // No fewer bits for the remoteness than before.
                Some(Cell { bytes: self.bytes * 2, value_bits: 16, ..self })
            }
            (Kind::GrundyFar, true) if self.value_bits < 20 => Some(Cell { bytes: 8, value_bits: 20, ..self }),
            (_, false) if self.bytes < 8 => Some(Cell { bytes: self.bytes * 2, ..self }),
            _ => None,
        }
    }

    /// Bits of the remoteness; 0 for cells without.
    pub fn far_bits(self) -> u32 {
        if matches!(self.kind, Kind::Grundy | Kind::Score) { 0 } else { self.bytes * 8 - self.value_bits - 1 }
    }

    /// The value that says "not decided".
    pub fn undecided(self) -> u64 {
        (1 << self.value_bits) - 1
    }

    /// The greatest remoteness that fits.
    pub fn most_far(self) -> u64 {
        (1 << self.far_bits()) - 1
    }

    /// The cell that says "not decided": no less than any other.
    pub fn poison(self) -> u64 {
        match self.kind {
            Kind::Grundy => self.undecided(),
            _ => u64::MAX >> (64 - self.bytes * 8),
        }
    }

    /// What is added to a value.
    pub fn bias(self) -> u64 {
        if self.kind == Kind::Score { 1 << (self.value_bits - 1) } else { 0 }
    }

    /// Whether a value is one that cells of this form can say.
    pub fn fits(self, value: u64) -> bool {
        value.wrapping_add(self.bias()) < self.undecided()
    }

    /// Whether values are seen as bits of one word rather than by stamps in a table.
    pub fn one_word(self) -> bool {
        self.value_bits == 6
    }

    /// The cell of a value and remoteness that fit.
    pub fn write(self, value: u64, far: u64) -> u64 {
        match (self.kind, value) {
            (Kind::Grundy | Kind::Score, _) => value.wrapping_add(self.bias()),
            (_, 0) => far << self.value_bits,
            _ => (1 << self.far_bits() | (self.most_far() - far)) << self.value_bits | value,
        }
    }

    /// Value and remoteness of a cell; `None`: not decided.
    #[inline]
    pub fn read(self, cell: u64) -> Option<(u64, u64)> {
        let value = cell & self.undecided();
        let far = cell >> self.value_bits & self.most_far();
        let far = match (self.kind, value) {
            (Kind::Grundy | Kind::Score, _) => 0,
            (_, 0) => far,
            _ => self.most_far() - far,
        };
        (value != self.undecided()).then_some((value.wrapping_sub(self.bias()), far))
    }

    /// A cell of this form in a larger one.
    pub fn widen(self, cell: u64, to: Cell) -> u64 {
        self.read(cell).map_or(to.poison(), |(value, far)| to.write(value, far))
    }
}
