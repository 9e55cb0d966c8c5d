//! Where the fields of a state stand in one word of 64 bits.

use crate::bytecode::WordType;
use crate::store::{StateTable, Store};

/// Where a field is in the packed word.
#[derive(Clone, Copy, Debug)]
pub struct Packing {
    pub(crate) shift: u32,
    pub(crate) bits: u32,
    pub(crate) signed: bool,
}

impl Packing {
    pub(crate) fn fits(self, word: i64) -> bool {
        if self.bits >= 64 {
            true
        } else if self.signed {
            let half = 1i64 << (self.bits - 1);
            (-half..half).contains(&word)
        } else {
            word >= 0 && word.cast_unsigned() >> self.bits == 0
        }
    }

    /// The word as a place in a table: signed ones zigzag.
    #[inline]
    pub(super) fn index(self, word: i64) -> u64 {
        if self.signed { (word.cast_unsigned() << 1) ^ (word >> 63).cast_unsigned() } else { word.cast_unsigned() }
    }

    /// The bits of a word that fits, in their place.
    #[inline]
    pub(crate) fn put(self, word: i64) -> u64 {
        if self.bits == 0 { 0 } else { (word.cast_unsigned() << (64 - self.bits)) >> (64 - self.bits) << self.shift }
    }

    #[inline]
    pub(crate) fn get(self, key: u64) -> i64 {
        if self.bits == 0 {
            return 0;
        }
        let up = 64 - self.bits - self.shift;
        let high = key << up;
        if self.signed { high.cast_signed() >> (64 - self.bits) } else { (high >> (64 - self.bits)).cast_signed() }
    }
}

/// An int field narrower than this is not worth packing.
const LEAST_INT_BITS: u32 = 7;

impl StateTable {
    /// The bits that a word of this form takes; `Some(None)` for an int, `None` when they are no number.
    #[allow(clippy::option_option)] // three cases, as the collectors of options want them
    pub(super) fn width(store: &Store, word_type: WordType) -> Option<Option<u32>> {
        match word_type {
            WordType::Int => Some(None),
            WordType::Bool => Some(Some(1)),
            WordType::Member(domain) => {
                let n = store.domain(domain).len().max(1);
                Some(Some(usize::BITS - (n - 1).leading_zeros()))
            }
            // Most sets have small members only: they share the bits as ints do.
            WordType::Mask(domain) if store.is_small(domain) => Some(None),
            WordType::Mask(domain) => u32::try_from(store.domain(domain).len()).ok().map(Some),
        }
    }

    pub(super) fn layout(store: &Store, word_types: &[Option<WordType>], signed: &[bool]) -> Option<Vec<Packing>> {
        let widths: Vec<Option<u32>> =
            word_types.iter().map(|word_type| StateTable::width(store, (*word_type)?)).collect::<Option<_>>()?;
        let taken: u32 = widths.iter().flatten().sum();
        let ints = u32::try_from(widths.iter().filter(|w| w.is_none()).count()).ok()?;
        if taken > 64 || (ints > 0 && (64 - taken) / ints < LEAST_INT_BITS) {
            return None;
        }
        let each = (64 - taken).checked_div(ints).unwrap_or(0);
        let mut shift = 0;
        let mut layout = Vec::with_capacity(widths.len());
        for (width, &signed) in widths.iter().zip(signed).rev() {
            let bits = width.unwrap_or(each);
            layout.push(Packing { shift, bits, signed: signed && width.is_none() });
            shift += bits;
        }
        layout.reverse();
        Some(layout)
    }
}
