//! The program as its users meet it: commands, files that are broken, and every command of the documents.

/// Whether tests run at full length.
const LONG: bool = cfg!(feature = "campaign");

/// How much a long test does: in the usual run, and at full length.
fn rounds<T>(usual: T, long: T) -> T {
    if LONG { long } else { usual }
}

#[path = "../support/program.rs"]
mod program;
#[path = "../support/rng.rs"]
mod rng;
#[path = "../support/seeds.rs"]
mod seeds;

mod bad_input;
mod cases;
mod certificate_kinds;
mod closed_forms;
mod commands;
mod corners;
mod docs;
mod domains;
mod guess;
mod large;
mod library;
mod together;
