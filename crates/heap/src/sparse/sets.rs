//! Sets of places below 64 W as words of bits.

// What is in line takes the instructions of its caller.
#![allow(clippy::inline_always)]

use crate::sparse::packing::FLAG;

/// Places of values of common type, or of those of rare type.
pub(super) type Set<const W: usize> = [u64; W];

/// The places of the splits of a total that were looked at: of common type, and of rare type.
pub(super) type Sets<const W: usize> = [Set<W>; 2];

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
