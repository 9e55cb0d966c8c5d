//! Games of heaps: take-and-break codes, subtraction sets, and the like; their Grundy values and periods.
//!
//! It knows nothing of the language. Values are computed by an engine that fits the game ([`sequence`]), all of which
//! agree with [`naive`]; a period counts as proved only by a theorem of [`period`], never because it was seen for long.
//!
//! In: a game as text. Out: values, a period with the theorem that proves it, a certificate, a state of a long run as
//! bytes. The caller says how long the work may take; files and clocks are not known here.

// What is in line takes the instructions of its caller.
#![allow(clippy::inline_always)]

pub mod all_but;
pub mod certificate;
pub mod code;
pub mod game;
pub mod instructions;
pub mod misere;
pub mod moves;
pub mod naive;
pub mod options;
pub mod period;
pub mod sequence;
pub mod sparse;
pub mod state;
pub mod subtraction;

/// Why a computation ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The watch said so.
    Stopped,
    /// A Grundy value is above [`MAX_VALUE`], or there are 2^32 heaps.
    TooLarge,
}

/// The largest Grundy value that is kept; larger ones are answered by an arithmetic period only.
pub const MAX_VALUE: usize = 32_767;

impl Halt {
    /// A value as it is kept; [`Halt::TooLarge`] above [`MAX_VALUE`].
    pub fn fit(value: usize) -> Result<u16, Halt> {
        u16::try_from(value).ok().filter(|_| value <= MAX_VALUE).ok_or(Halt::TooLarge)
    }
}

/// Is called every few milliseconds with the values so far; an error ends the computation, which can be taken up again.
pub type Watch<'w> = &'w mut dyn FnMut(&[u16]) -> Result<(), Halt>;
