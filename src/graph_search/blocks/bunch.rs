//! Bunches: what is told to the states of one block by one change, and what they make of it.
//!
//! A bunch is a row of 16-bit words: the number of the block within its group; the bit of the change with what is told; how
//! many places, less one; the places. It tells something of an option by this change to states that can make it.
//!
//! Where only the states that are met have places nobody but the block knows these, and states that lie near each other are far
//! apart: there a row has four words for each state, told by its key, or by its mixed rank before all are met.

use crate::graph_search::blocks::shape::low16;

/// Words of a bunch before its places.
pub(super) const HEADER: usize = 3;

/// What a bunch tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// One move less that may not lose.
    Less,
    /// A move wins.
    Wins,
    /// A move leads to what is not known.
    Unknown,
    /// From the option a play can come to a move that ends it, to an end, to a move that keeps the turn.
    Stops,
    Ends,
    Keeps,
    /// The option got its value in the round before.
    Valued,
    /// The option has the value of this round.
    Reaches,
    /// The option has a move to the value of this round.
    Answered,
}

impl Told {
    const ALL: [Told; 9] = [
        Told::Less,
        Told::Wins,
        Told::Unknown,
        Told::Stops,
        Told::Ends,
        Told::Keeps,
        Told::Valued,
        Told::Reaches,
        Told::Answered,
    ];
}

/// A bunch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bunch<'a> {
    /// The block within its group.
    pub(super) local: u16,
    /// The bit of the change.
    pub(super) bit: u16,
    pub(super) told: Told,
    pub(super) places: &'a [u16],
}

/// The code of a change's bit and what is told.
pub(super) fn code(bit: u16, told: Told) -> u16 {
    bit << 4 | Told::ALL.iter().zip(0u16..).find(|(one, _)| **one == told).map_or(0, |(_, code)| code)
}

/// Words of what is told to one state by its key, or to a state that may not have been met.
pub(super) const SINGLE: usize = 4;

/// What is told to the state of a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Single {
    /// As of a [`Bunch`].
    pub(super) local: u16,
    pub(super) bit: u16,
    pub(super) told: Told,
    pub(super) key: u32,
}

/// The words for the state of a key of a block within its group; `code`: see [`code`].
pub(super) fn single(local: u16, code: u16, key: u32) -> [u16; SINGLE] {
    [local, code, low16(key.into()), low16((key >> 16).into())]
}

/// What such words tell; `None`: that is nothing.
pub(super) fn told([local, code, low, high]: [u16; SINGLE]) -> Option<Single> {
    let told = *Told::ALL.get(usize::from(code & 15))?;
    Some(Single { local, bit: code >> 4, told, key: u32::from(high) << 16 | u32::from(low) })
}

/// The words of a mixed rank.
pub(super) fn rank(mixed: u64) -> [u16; SINGLE] {
    [0, 16, 32, 48].map(|shift| low16(mixed >> shift))
}

/// The mixed rank of such words.
pub(super) fn mixed(words: [u16; SINGLE]) -> u64 {
    words.iter().rev().fold(0, |mixed, &word| mixed << 16 | u64::from(word))
}

/// The first bunch of a row, and those behind it; `None`: that is no bunch.
pub(super) fn first(words: &[u16]) -> Option<(Bunch<'_>, &[u16])> {
    let (&[local, code, less], rest) = words.split_first_chunk::<HEADER>()?;
    let (places, rest) = rest.split_at_checked(usize::from(less) + 1)?;
    let told = *Told::ALL.get(usize::from(code & 15))?;
    Some((Bunch { local, bit: code >> 4, told, places }, rest))
}
