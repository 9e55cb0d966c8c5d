//! Proofs as data, and a checker that shares nothing with the prover: no code of `logic` or `prove` is used here.
//!
//! A [`Certificate`] holds the sentences on which a proof rests, as text. [`Certificate::verify`] reads them and decides each
//! by the plainest procedure there is: tables of all states and letters, every atom by its definition.

mod atoms;
mod certificate;
mod decide;
mod heaps;
mod limits;
mod reads;
mod sentence;
mod table;
mod trees;

pub use crate::atoms::Numbers;
pub use crate::certificate::{Case, Certificate, Part, Refusal, VERSION};
pub use crate::decide::decide;
pub use crate::heaps::Heaps;
pub use crate::limits::{Halt, Limits};
pub use crate::reads::{Reads, Written};
pub use crate::sentence::{Atom, Sentence, Sum, Variable, parse};
