//! The language of game files: from texts to the checked program, or to everything that is wrong with them.
//!
//! * [`source`]: texts, places in them, errors as data
//! * [`syntax`]: text to tree; the grammar; the layout of files
//! * [`model`]: the checked program: games, typed terms
//! * [`typing`]: tree to model; every error of a file at once
//!
//! Nothing here knows values or runs anything. It is a crate of its own because nothing in it is needed fast, and so that it is built
//! beside the rest.

pub mod model;
pub mod source;
pub mod syntax;
pub mod typing;

// What pest_derive writes names it.
extern crate alloc;
