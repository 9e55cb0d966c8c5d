//! Values as places: without the bit that their type gives away.
//!
//! All values of one type at a heap have the same parity under the mask, so that the lowest bit of the mask tells nothing and
//! is left out. What remains, the *place* of a value, keeps its order within a type, and the place of the xor of two values
//! is the xor of their places. A flag beside the place says that a heap is rare; then the flag of the xor of two parts says
//! that the value is of common type.
//! Sets of places below 64 W are words of bits.

use crate::sparse::Class;

/// The flag of a rare heap. Places are below it: the engines have no more than 256 words.
pub(super) const FLAG: u16 = 1 << 14;

#[derive(Clone, Copy, Debug)]
pub(super) struct Packing {
    pub(super) class: Class,
    /// The bit that is left out, and those below it.
    dropped: u16,
    low: u16,
}

/// What belongs to the places below 64 W at even and at odd heaps, looked up.
#[derive(Clone, Debug)]
pub(super) struct Places<const W: usize> {
    /// The values of common type, then those of rare type.
    values: [[[[u16; 64]; W]; 2]; 2],
    /// Of a value of common type: how many of the first places are smaller as values of rare type.
    below: [[[u16; 64]; W]; 2],
    /// Places without a value of common type, and without one of rare type.
    pub(super) never: [[[u64; W]; 2]; 2],
}

/// Places of values of common type, or of those of rare type.
pub(super) type Set<const W: usize> = [u64; W];

/// The places of the splits of a total that were looked at: of common type, and of rare type.
pub(super) type Sets<const W: usize> = [Set<W>; 2];

impl Packing {
    /// The packing for the mask of a class. Without bits in the mask nothing is left out.
    pub(super) fn new(class: Class) -> Packing {
        let dropped = class.mask.bits & class.mask.bits.wrapping_neg();
        Packing { class, dropped, low: dropped.wrapping_sub(1) }
    }

    pub(super) fn place(self, value: u16) -> u16 {
        if self.dropped == 0 { value } else { value & self.low | value >> 1 & !self.low }
    }

    /// The place, with the flag if a heap with this value is rare: if the value is of rare type at this heap.
    pub(super) fn pack(self, heap: usize, value: u16) -> u16 {
        self.place(value) | if self.class.is_rare(heap, value) { FLAG } else { 0 }
    }

    /// The value at a place that is of rare or of common type at a heap, if there is one.
    fn value(self, heap: usize, place: u16, rare: bool) -> Option<u16> {
        let value = if self.dropped == 0 { place } else { place & self.low | (place & !self.low) << 1 };
        [value, value | self.dropped].into_iter().find(|value| self.class.is_rare(heap, *value) == rare)
    }

    /// How many of the first places are, as values of rare type, below a value of common type.
    fn below(self, value: u16) -> u16 {
        // Among values with the same bits above the dropped one, those of the other type have the other bit there.
        if self.dropped == 0 {
            value
        } else {
            let above = value & !self.low & !self.dropped;
            (above >> 1) + if value & self.dropped == 0 { 0 } else { self.dropped }
        }
    }
}

impl<const W: usize> Places<W> {
    pub(super) fn new(packing: Packing) -> Places<W> {
        let mut places = Places { values: [[[[0; 64]; W]; 2]; 2], below: [[[0; 64]; W]; 2], never: [[[0; W]; 2]; 2] };
        for (heap, kind) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            for (place, at) in (0..).zip(places.values[heap][kind].as_flattened_mut()) {
                match packing.value(heap, place, kind == 1) {
                    Some(value) => *at = value,
                    None => places.never[heap][kind] = [u64::MAX; W],
                }
            }
        }
        for heap in [0, 1] {
            let values = places.values[heap][0].as_flattened();
            for (below, value) in places.below[heap].as_flattened_mut().iter_mut().zip(values) {
                *below = packing.below(*value);
            }
        }
        places
    }

    /// The value of common or of rare type at a place below 64 W of a heap.
    #[inline(always)]
    pub(super) fn value(&self, heap: usize, place: u16, rare: bool) -> u16 {
        self.values[heap % 2][usize::from(rare)].as_flattened()[usize::from(place)]
    }

    /// How many of the first places are, as values of rare type, below the value of common type at a place.
    #[inline(always)]
    pub(super) fn below(&self, heap: usize, place: u16) -> usize {
        usize::from(self.below[heap % 2].as_flattened()[usize::from(place)])
    }
}

/// The bits from one on.
#[inline(always)]
pub(super) fn after(bit: usize) -> u64 {
    if bit < 64 { u64::MAX << bit } else { 0 }
}

/// Puts a place in the set that its flag says, unless it is 64 W or more.
#[inline(always)]
pub(super) fn insert<const W: usize>(sets: &mut Sets<W>, packed: u16) {
    let place = packed & !FLAG;
    if W == 1 {
        let bit = if place < 64 { 1 << place } else { 0 };
        let [common, rarely] = sets;
        common[0] |= if packed < FLAG { bit } else { 0 };
        rarely[0] |= if packed < FLAG { 0 } else { bit };
    } else if let Some(word) = sets[usize::from(packed >= FLAG)].get_mut(usize::from(place / 64)) {
        *word |= 1 << (place % 64);
    }
}

/// Puts the members of one set into another.
#[inline(always)]
pub(super) fn join<const W: usize>(set: &mut Set<W>, more: Set<W>) {
    for (word, more) in set.iter_mut().zip(more) {
        *word |= more;
    }
}

/// The first place that is not in a set.
#[inline(always)]
pub(super) fn first_open<const W: usize>(set: Set<W>) -> Option<u16> {
    let (index, word) = (0_u16..).zip(set).find(|(_, word)| *word != u64::MAX)?;
    // At most 63.
    Some(64 * index + u16::try_from(word.trailing_ones()).unwrap_or(0))
}
