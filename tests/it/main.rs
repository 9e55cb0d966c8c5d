//! The library against definitions, other procedures and published values; the program as its users meet it; and every
//! campaign in a short form.
//!
//! Everything is one program, so that its tests share the processors, its helpers, and the proofs of the corpus.

/// Whether campaigns run at full length: see `tests/campaign/main.rs`.
pub(crate) const LONG: bool = false;

#[path = "../support/mod.rs"]
mod support;

pub(crate) use support::*;

mod almost_true;
mod automata;
mod bench_games;
mod certificates;
mod chains;
mod check;
mod claims;
mod corpus;
mod derived_order;
mod ending;
mod every_word;
mod first_win;
mod format;
mod genus;
mod graphs;
mod heap;
mod heap_games;
mod heap_moves;
mod kept_tables;
mod layers;
mod logic;
mod loopy_numbers;
mod misere_quotients;
mod moves;
mod parts;
mod period_certificates;
mod prove;
mod prove_bags;
mod prove_endings;
mod prove_exponents;
mod prove_forms;
mod prove_multiples;
mod prove_relations;
mod prove_sets;
mod prove_sums;
mod prove_terms;
mod prove_together;
mod questions;
mod scores;
mod slides;
mod some_positions;
mod spellings;
mod split;
mod sums;
mod sweeps;
mod symmetry;
mod syntax;
mod threads;
mod translation;
mod units;
mod values;
mod verify;
mod words;

#[path = "../cli/mod.rs"]
mod cli;

#[path = "../campaign"]
mod campaign {
    mod expressions;
    mod features;
    mod heap_far;
    mod memory;
    mod mutants;
    mod native;
    mod number_sets;
    mod periods;
    mod properties;
    mod random_claims;
    mod soundness;
}
