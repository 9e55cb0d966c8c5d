//! From tree to checked program: names, types, moves.

pub mod builtin;
pub mod kind;
pub mod model;
pub mod walk;
