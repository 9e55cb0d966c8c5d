//! `grundy`: impartial games written in a few lines, solved, and their closed forms checked.
//!
//! The rooms of the house in the order in which data goes through them: each uses only rooms above it.
//! `tests/it/layers.rs` holds them to that, and draws `docs/architecture.svg` from this list. `docs/architecture.md` has
//! the reasons.
//!
//! **Libraries that know nothing of the language**
//! * [`grundy_heap`]: Grundy values of heaps by their codes, proved periods
//! * [`grundy_graphs`]: algorithms on plain graphs: matching, fusion, enumeration
//! * [`grundy_automata`]: first-order arithmetic decided by automata
//! * [`grundy_verify`]: certificates of proofs, decided by a procedure of their own
//!
//! **From text to program** (game files -> the checked program)
//! * [`source`]: texts, places in them, errors as data
//! * [`syntax`]: text to tree; the grammar; the layout of files
//! * [`model`]: the checked program: games, typed terms
//! * [`typing`]: tree to model; every error of a file at once
//! * [`analysis`]: what rules prove before any search
//!
//! **Values** (JSON, data files -> values and built-in words)
//! * [`value`]: ints, texts, sets, graphs, positions; faults and limits
//! * [`words`]: built-in words, operators, solvers of theorems
//! * [`input`]: JSON, cases, data files, and the check of what enters a field
//!
//! **Rules as formulas and as code** (rule parameters, states -> formulas, code, native code, tables and graphs of states)
//! * [`logic`]: rules and terms about unknown numbers as formulas
//! * [`bytecode`]: terms to flat code; parameters are constants
//! * [`disk`]: directories that tables are kept in
//! * [`processes`]: several processes at work on one table
//! * [`store`]: states that were met, and their numbers
//! * [`jit`]: flat code to native code
//! * [`tables`]: cells for many states, by native code
//! * [`graph_search`]: graphs of states, gone through backwards where play can come back
//!
//! **Runs and answers** (positions, questions -> who wins, values, moves, and how it was found)
//! * [`answer`]: what is known of a position, a table, a claim
//! * [`tuning`]: numbers that choose an engine or bound a trial
//! * [`memo`]: what the engines remember
//! * [`vm`]: runs flat code; what a run is given and keeps
//! * [`engines`]: one list of all ways to solve; the first that fits answers
//!
//! **Statements** (claims, theorems -> verdicts, proofs, closed forms)
//! * [`claims`]: every instance by size, up to a smallest counterexample
//! * [`prover`]: for all positions, by induction over the rules
//! * [`guess`]: closed forms fitted to values, refuted by more values
//! * [`contest`]: words that a judge gives as inputs, and answers as words
//!
//! **The outside** (commands -> text, JSON, CSV, pictures, certificates)
//! * [`report`]: answers as text, JSON, CSV, SVG; nothing is solved here
//! * [`figure`]: what positions look like, as text and as pictures
//! * [`cli`]: a file for each command; the only place with files, terminal and clock

pub mod analysis;
pub mod answer;
pub mod bytecode;
pub mod claims;
pub mod cli;
pub mod contest;
pub mod disk;
pub mod engines;
pub mod figure;
pub mod graph_search;
pub mod guess;
pub mod input;
pub mod jit;
pub mod logic;
pub mod memo;
pub mod processes;
pub mod prover;
pub mod report;
pub mod store;
pub mod tables;
pub mod tuning;
pub mod value;
pub mod vm;
pub mod words;

pub use grundy_language::{model, source, syntax, typing};
