//! Algorithms on plain graphs: vertices `0..n`, edges as pairs of them.
//!
//! Nothing here knows the values of the language, so everything can be tested alone. All searches keep their own stack: a
//! path of 10^6 vertices is no deeper than any other graph. Vertices outside `0..n` are the caller's mistake and panic.
//!
//! In: numbers of vertices and edges. Out: matchings, components, winning moves of games whose solution is a theorem
//! about graphs, and graphs up to isomorphism in an order that is the same everywhere. Every algorithm is held against
//! brute force.

pub mod bits;
pub mod deletion;
pub mod edge_geography;
pub mod enumerate;
pub mod flip;
pub mod fusion;
pub mod lattice;
pub mod matching;
pub mod rows;

/// An edge `{u, v}` or an arc `u -> v`.
pub type Ends = (u32, u32);

/// No vertex, no edge, no part.
pub(crate) const NONE: u32 = u32::MAX;

/// A partition of the vertices in numbered parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// `of[v]`: the part of vertex `v`, below `count`.
    pub of: Vec<u32>,
    /// How many parts.
    pub count: usize,
}
