//! From text to tree: the only module that knows pest.

pub mod tree;
