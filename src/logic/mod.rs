//! Rules and terms as formulas: what they come to when some numbers are variables, for the prover and for whoever asks what
//! the rules say of all positions at once.
//!
//! [`term`] and [`words`] evaluate terms, [`clauses`] goes through clauses, [`moves`] says where moves lead; [`scope`] holds
//! the variables that terms bring with them, and what must hold so that a term has a value at all. [`facts`] are closed forms
//! that answer questions about positions. Nothing is guessed: what has no exact reading is [refused](symbol::No).

pub(crate) mod calls;
mod choices;
pub(crate) mod clauses;
pub(crate) mod digit_functions;
pub(crate) mod exponents;
pub mod facts;
pub(crate) mod moves;
pub(crate) mod numbers;
mod products;
pub(crate) mod quotients;
pub(crate) mod scope;
pub(crate) mod symbol;
pub(crate) mod term;
pub(crate) mod wordings;
mod words;
