//! Campaigns: random games, statements and changes in great numbers, and whatever takes many minutes by its nature.
//!
//! ```sh
//! cargo test --locked --features campaign --test campaign
//! ```
//!
//! `cargo test` runs the same tests with few of the same seeds (`tests/it`). Tests that need another program are ignored unless
//! they are asked for: `cargo test --locked --features campaign --test campaign -- --include-ignored`.

/// Whether campaigns run at full length.
pub(crate) const LONG: bool = true;

#[path = "../support/mod.rs"]
mod support;

pub(crate) use support::*;

#[path = "../it/automata.rs"]
mod automata;
#[path = "../it/units/blocks.rs"]
mod blocks;
#[path = "../it/units/blocks_together.rs"]
mod blocks_together;
mod browser;
#[path = "../it/certificates.rs"]
mod certificates;
#[path = "../it/chains.rs"]
mod chains;
#[path = "../it/claims.rs"]
mod claims;
#[path = "../it/corpus.rs"]
mod corpus;
#[path = "../cli/explore.rs"]
mod explore;
mod expressions;
mod features;
#[path = "../it/genus.rs"]
mod genus;
mod heap_far;
#[path = "../it/heap_games.rs"]
mod heap_games;
#[path = "../it/heap_moves.rs"]
mod heap_moves;
#[path = "../cli/kept.rs"]
mod kept;
mod memory;
#[path = "../it/misere_quotients.rs"]
mod misere_quotients;
mod mona;
mod mutants;
mod native;
mod number_sets;
#[path = "../it/parts.rs"]
mod parts;
mod periods;
mod properties;
#[path = "../it/prove_bags.rs"]
mod prove_bags;
#[path = "../it/prove_endings.rs"]
mod prove_endings;
#[path = "../it/prove_exponents.rs"]
mod prove_exponents;
#[path = "../it/prove_forms.rs"]
mod prove_forms;
#[path = "../it/prove_multiples.rs"]
mod prove_multiples;
#[path = "../it/prove_relations.rs"]
mod prove_relations;
#[path = "../it/prove_sets.rs"]
mod prove_sets;
#[path = "../it/prove_sums.rs"]
mod prove_sums;
#[path = "../it/prove_terms.rs"]
mod prove_terms;
#[path = "../it/prove_together.rs"]
mod prove_together;
#[path = "../it/questions.rs"]
mod questions;
mod random_claims;
#[path = "../it/scores.rs"]
mod scores;
#[path = "../cli/several.rs"]
mod several;
mod soundness;
#[path = "../it/spellings.rs"]
mod spellings;
#[path = "../it/sweeps.rs"]
mod sweeps;
#[path = "../it/symmetry.rs"]
mod symmetry;
#[path = "../it/threads.rs"]
mod threads;
#[path = "../it/translation.rs"]
mod translation;

#[path = "../cli"]
mod cli {
    mod certificate_kinds;
    mod discoveries;
    mod guess;
    mod library;
    mod theorems;
}
