//! A text put to the prover: what becomes of its statements.

#![allow(unreachable_pub, clippy::missing_panics_doc)]

use grundy::answer::verdict::{Finding, Verdict};
use grundy::claims::File;
use grundy::engines::ask;
use grundy::input::data::NoFiles;
use grundy::model::Program;
use grundy::prover::prove_file;
use grundy::source::text::{SourceId, Sources};
use grundy::syntax::parse_file;
use grundy::typing::NoLoader;
use grundy::value::limits::Limits;
use grundy::vm::context::Context;
use std::sync::Arc;
use std::time::Duration;

/// The checked program of a text, which must have no errors.
pub fn program(text: &str) -> (Sources, SourceId, Arc<Program>) {
    let mut sources = Sources::default();
    let own = sources.add("test.game", text);
    let file = parse_file(&sources, own).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let program = grundy::typing::check(&file, own, &mut sources, &mut NoLoader);
    let program = program.unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    (sources, own, Arc::new(program))
}

/// What became of each statement of a text.
pub fn findings(text: &str, time: Duration) -> Vec<Finding> {
    let (sources, own, program) = program(text);
    let mut ctx = Context::new(program, Arc::new(NoFiles), Limits::default(), ask);
    let mut found = Vec::new();
    prove_file(&mut ctx, time, File { sources: &sources, own }, &mut |finding| found.push(finding));
    found
}

/// `PROVED`, or `REFUTED` with the counterexample, or `UNKNOWN` with the reason.
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
