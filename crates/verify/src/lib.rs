//! Proofs as data, and a checker that shares nothing with the prover.
//!
//! A [`Certificate`] holds the sentences on which a proof rests, as text. [`Certificate::verify`] reads them and
//! decides each by the plainest procedure there is: tables of all states and letters, every atom by its definition.
//!
//! In: the text of a certificate. Out: whether it holds, or why not. Neither `grundy_automata` nor the room `prover`
//! may be used here, so that an error in them cannot hide itself. It differs from them on purpose wherever it can:
//! Fibonacci numbers and their like are read from the highest digit, where the automaton of a sum is deterministic by itself;
//! remainders are followed with the weight of the place. Base 2 is read from the lowest digit in both: from the
//! highest, a constant c takes about c states.

mod atoms;
mod certificate;
mod decide;
mod method;
mod sentence;
mod table;

pub use crate::atoms::{Numbers, Reads, Written};
pub use crate::certificate::{Case, Certificate, Heaps, Part, Refusal, VERSION};
pub use crate::decide::decide;
pub use crate::method::Method;
pub use crate::sentence::{Atom, Sentence, Sum, Variable, parse};
pub use crate::table::{Halt, Limits};
