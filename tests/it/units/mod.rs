//! The parts of the library by themselves: a file for each room of `src`.

mod analysis;
mod blocks;
mod blocks_together;
mod claims;
mod cli;
mod contest;
mod engines;
mod graph_search;
mod guess;
mod input;
mod jit;
mod memo;
mod prover;
mod report;
mod source;
mod store;
mod syntax;
mod tables;
mod typing;
mod value;
mod words;
