//! Whole solves of `grundy` against hand-written C++ programs for that one game, in the same run.
//!
//! `cargo bench --bench rivals -- [OPTIONS] [NAME..]`; `docs/performance.md` says how to read what it prints. Every program
//! runs as a process of its own, the rivals are compiled here, and answers that differ end the run with an error.

mod cases;
mod compile;
mod data;
mod large;
mod measure;
mod options;
#[path = "../program.rs"]
mod program;
mod report;

use cases::{Case, Rival};
use measure::{Failure, Sample};
use options::Options;
use serde_json::Value;
use std::path::Path;
use std::process::ExitCode;

/// After so many seconds in all a program is not run again.
const ENOUGH_SECONDS: f64 = 60.0;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == measure::FLAG) {
        return measure::child(&arguments[1..]);
    }
    if !arguments.iter().any(|argument| argument == "--bench") {
        println!("nothing is measured outside of `cargo bench --bench rivals`");
        return ExitCode::SUCCESS;
    }
    // Paths of the user are those of the folder of the whole project.
    if let Err(error) = std::env::set_current_dir(program::root()) {
        eprintln!("{error}");
        return ExitCode::FAILURE;
    }
    let options = match Options::read(arguments) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    let mut failed = false;
    let mut rows = Vec::new();
    for case in cases::ALL.iter().filter(|case| options.wants(case)) {
        match race(case, &options) {
            Ok(row) => {
                eprint!("{}", report::block(&row));
                rows.push(row);
            }
            Err(message) => {
                eprintln!("FAILED {}: {message}", case.name);
                failed = true;
            }
        }
    }
    print!("{}", report::tables(&rows));
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// What was measured of a case.
pub(crate) struct Row {
    pub(crate) case: &'static Case,
    pub(crate) ours: Result<Sample, Failure>,
    /// Positions searched, as the tool counts them; 0 when it did not answer.
    pub(crate) positions: u64,
    pub(crate) rivals: Vec<(&'static Rival, Sample)>,
}

/// Runs the tool and the rivals of a case by turns, and compares their answers.
fn race(case: &'static Case, options: &Options) -> Result<Row, String> {
    let folder = data::folder(case)?;
    let mut commands = vec![options.tool(case)];
    let mut programs = Vec::new();
    for rival in case.rivals {
        if let Some(program) = compile::rival(rival)? {
            commands.push(rival.command(&program));
            programs.push(rival);
        }
    }
    let mut best: Vec<Option<Result<Sample, Failure>>> = vec![None; commands.len()];
    let mut spent = vec![0.0; commands.len()];
    for _ in 0..options.runs(case) {
        for (i, command) in commands.iter().enumerate() {
            if spent[i] > ENOUGH_SECONDS || matches!(best[i], Some(Err(_))) {
                continue;
            }
            let sample = measure::run(command, &folder)?;
            spent[i] += sample.as_ref().map_or(0.0, |sample| sample.wall);
            best[i] = Some(match (best[i].take(), sample) {
                (Some(Ok(old)), Ok(new)) => Ok(old.best(&new)?),
                (_, new) => new,
            });
        }
    }
    let mut best = best.into_iter().flatten();
    let ours = best.next().ok_or("nothing was run")?;
    let mut rivals = Vec::new();
    for (rival, sample) in programs.into_iter().zip(best) {
        let name = rival.name();
        let sample = sample.map_err(|failure| format!("{name}: {}", failure.message))?;
        if let Ok(ours) = &ours {
            same_facts(&sample, ours).map_err(|difference| format!("{name}: {difference}"))?;
        }
        rivals.push((rival, sample));
    }
    let positions = match &ours {
        Ok(sample) => sample.answers.iter().filter_map(|answer| answer["positions"].as_u64()).sum(),
        Err(_) => 0,
    };
    let positions = if positions == 0 { case.positions.unwrap_or(0) } else { positions };
    Ok(Row { case, ours, positions, rivals })
}

/// Everything that a rival prints must be what the tool says, except `visited`, its own count of positions.
fn same_facts(rival: &Sample, ours: &Sample) -> Result<(), String> {
    if rival.answers.len() != ours.answers.len() {
        return Err(format!("{} answers against {}", rival.answers.len(), ours.answers.len()));
    }
    for (theirs, ours) in rival.answers.iter().zip(&ours.answers) {
        let Value::Object(facts) = theirs else {
            if theirs == ours {
                continue;
            }
            return Err(format!("{theirs} is answered, but the tool says {ours}"));
        };
        for (key, fact) in facts.iter().filter(|(key, _)| *key != "visited") {
            if !agree(fact, &ours[key]) {
                return Err(format!("`{key}` is {fact}, but the tool says {}", ours[key]));
            }
        }
    }
    Ok(())
}

/// Is all that a rival says of this what the tool says? The tool says more of a move than its name.
fn agree(theirs: &Value, ours: &Value) -> bool {
    match (theirs, ours) {
        (Value::Object(theirs), Value::Object(ours)) => {
            theirs.iter().all(|(key, fact)| ours.get(key).is_some_and(|said| agree(fact, said)))
        }
        (Value::Array(theirs), Value::Array(ours)) => {
            theirs.len() == ours.len() && theirs.iter().zip(ours).all(|(fact, said)| agree(fact, said))
        }
        _ => theirs == ours,
    }
}

/// The folder of this bench.
pub(crate) fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
