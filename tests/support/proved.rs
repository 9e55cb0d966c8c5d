//! A text put to the prover: what becomes of its statements.

#![allow(unreachable_pub, clippy::missing_panics_doc)]

use grundy::answer::{Finding, Verdict};
use grundy::claims::File;
use grundy::engines::ask;
use grundy::input::data::NoFiles;
use grundy::model::Program;
use grundy::prover::{Effort, prove_file};
use grundy::source::text::{SourceId, Sources};
use grundy::syntax::parse_file;
use grundy::typing::NoLoader;
use grundy::value::limits::Limits;
use grundy::vm::context::Context;
use std::sync::Arc;

/// The checked program of a text, which must have no errors.
pub fn program(text: &str) -> (Sources, SourceId, Arc<Program>) {
    let mut sources = Sources::default();
    let own = sources.add("test.game", text);
    let file = parse_file(&sources, own).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let program = grundy::typing::check(&file, own, &mut sources, &mut NoLoader);
    let program = program.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    (sources, own, Arc::new(program))
}

/// What proofs may use: counts and no time, so that every machine finds the same. No search comes first, so that proofs have to find out
/// what is false.
pub const USUAL: Effort = Effort {
    time: None,
    states: 200_000,
    tests: 4_000_000,
    steps: 100_000_000,
    first: 0,
    instances: 200,
    heaps: 1 << 22,
};

/// What the proofs of a file of the library may use, some of whose statements are beyond any prover.
pub const LIBRARY: Effort = Effort { states: 20_000, tests: 400_000, instances: 100, ..USUAL };

/// What the proofs of one of many random statements may use.
pub const SMALL: Effort =
    Effort { time: None, states: 2000, tests: 60_000, steps: 5_000_000, first: 0, instances: 60, heaps: 2000 };

/// Limits that end searches by counts, those of one search and those of all: rules that never end would be searched until the
/// memory is full.
pub fn limits() -> Limits {
    let (positions, steps, components) = (Some(50_000), Some(20_000_000), Some(2_000_000));
    Limits { positions, steps, components, memory: 1 << 29, ..Limits::default() }
}

/// A machine with these limits.
pub fn ctx(program: Arc<Program>) -> Context {
    Context::new(program, Arc::new(NoFiles), limits(), ask)
}

/// What became of each statement of a text.
pub fn findings(text: &str, effort: Effort) -> Vec<Finding> {
    let (sources, own, program) = program(text);
    let mut found = Vec::new();
    prove_file(&mut ctx(program), effort, File { sources: &sources, own }, &mut |finding| found.push(finding));
    found
}

/// `PROVED`, `PROVED_PART`, or `REFUTED` with the counterexample, or `UNKNOWN` with the reason.
pub fn told(finding: &Finding) -> String {
    match &finding.verdict {
        Ok(Verdict::Refuted) => {
            let named = finding.counterexample.iter().map(|(name, value)| format!(" {name}={value}"));
            format!("REFUTED{}", named.collect::<String>())
        }
        Ok(Verdict::Unknown { limit }) => format!("UNKNOWN {limit}"),
        Ok(verdict) => verdict.word().to_string(),
        Err(error) => format!("ERROR {}", error.message),
    }
}

/// The verdict in one word, held against the size of the least instance that fails, of those that were searched. A counterexample may be
/// farther out than these.
pub fn held_against<'t>(text: &str, found: &'t str, least: Option<usize>) -> &'t str {
    let word = found.split_once(' ').map_or(found, |(word, _)| word);
    match (word, least) {
        ("PROVED" | "REFUTED", None) | ("UNKNOWN", _) => {}
        ("REFUTED", Some(least)) => {
            let numbers = found.split(['=', ' ']).filter_map(|word| word.parse::<usize>().ok());
            assert_eq!(numbers.sum::<usize>(), least, "{text}{found}");
        }
        _ => panic!("{text}{found}, but the least that fails is of size {least:?}"),
    }
    word
}

/// How many statements were proved, refuted and neither.
#[derive(Debug, Default)]
pub struct Verdicts {
    pub proved: usize,
    pub refuted: usize,
    pub unknown: usize,
}

impl Verdicts {
    /// Puts a text of one statement to the prover, and holds the verdict against the size of the least instance that fails, of those that
    /// were searched.
    pub fn take(&mut self, text: &str, effort: Effort, least: Option<usize>) {
        let found = told(&findings(text, effort)[0]);
        *match held_against(text, &found, least) {
            "PROVED" => &mut self.proved,
            "REFUTED" => &mut self.refuted,
            _ => &mut self.unknown,
        } += 1;
    }
}
