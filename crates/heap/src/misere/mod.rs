//! Misere quotients: what sums of heaps come to when who cannot move wins.

// Elements and heaps have 16 bits, places in an algebra 32: `Bounds`, `MAX_HEAP` and the first test of a certificate see to it.
#![allow(clippy::cast_possible_truncation)]

pub mod certificate;
pub mod genus;
mod learner;
pub mod monoid;
mod outcomes;
pub mod period;
pub mod presentation;
pub mod quotient;
mod transitions;

use crate::Halt;

/// Is called every few milliseconds with the bytes that are held; an error ends the computation.
pub type Look<'l> = &'l mut dyn FnMut(usize) -> Result<(), Halt>;
