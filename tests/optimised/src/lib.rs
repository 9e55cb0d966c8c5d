//! The engines of heap games once more, compiled with optimisation: the test profile has next to none, and twenty thousand
//! values of hundreds of codes would take it many minutes.

#[path = "../../../src/heap/mod.rs"]
pub mod heap;

pub mod definition;
