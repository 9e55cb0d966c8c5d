//! Time and memory of one run of a program.
//!
//! A bench process measures each program through a copy of itself that has only this one child: so the peak of memory that
//! the system keeps for finished children is that program's alone.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::Read;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// The first argument of a copy that measures.
pub(crate) const FLAG: &str = "--measure";

/// Bytes of answers for which the reader has memory ready.
const ROOM: usize = 1 << 22;

/// What one run of a program took, and what it said.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// Seconds from start to end.
    pub(crate) wall: f64,
    /// Seconds of processor time, user and system, over all threads.
    pub(crate) cpu: f64,
    /// Peak of resident memory, in bytes.
    pub(crate) memory: u64,
    /// One JSON object for each line printed.
    pub(crate) answers: Vec<Value>,
}

impl Sample {
    /// The least of both in every measure; the answers must agree where a program promises that they do.
    pub(crate) fn best(self, other: &Sample) -> Result<Sample, String> {
        for (a, b) in self.answers.iter().zip(&other.answers) {
            if a["outcome"] != b["outcome"] || a["grundy"] != b["grundy"] || a["values"] != b["values"] {
                return Err(format!("two runs of one program differ: {a} and {b}"));
            }
        }
        Ok(Sample {
            wall: self.wall.min(other.wall),
            cpu: self.cpu.min(other.cpu),
            memory: self.memory.min(other.memory),
            answers: self.answers,
        })
    }
}

/// A program that did not answer.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) message: String,
}

/// What the measuring copy hands back.
#[derive(Serialize, Deserialize)]
struct Report {
    wall: f64,
    cpu: f64,
    memory: u64,
    success: bool,
    stdout: String,
    stderr: String,
}

/// Runs a program with its arguments in a folder. The outer error is one of the bench, the inner one of the program.
pub(crate) fn run(command: &[String], folder: &Path) -> Result<Result<Sample, Failure>, String> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(this).arg(FLAG).args(command).current_dir(folder).output();
    let output = output.map_err(|error| error.to_string())?;
    let report: Report = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("{}: {error}; {}", command.join(" "), String::from_utf8_lossy(&output.stderr)))?;
    if !report.success {
        let line = report.stderr.lines().next().unwrap_or("it ended without a word").to_string();
        return Ok(Err(Failure { message: line }));
    }
    let answers: Result<Vec<Value>, _> = report.stdout.lines().map(serde_json::from_str).collect();
    let answers = answers.map_err(|error| format!("{}: {error}: {}", command.join(" "), report.stdout))?;
    Ok(Ok(Sample { wall: report.wall, cpu: report.cpu, memory: report.memory, answers }))
}

/// The measuring copy: runs its arguments as a program and prints a [`Report`].
pub(crate) fn child(command: &[String]) -> ExitCode {
    let Some((program, arguments)) = command.split_first() else { return ExitCode::FAILURE };
    match measured(program, arguments).and_then(|report| Ok(serde_json::to_string(&report)?)) {
        Ok(text) => {
            println!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{program}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs a program and reads what it says. The reader must not be what is measured: it has all its memory before the start, so
/// that a program of many words does not wait while the system finds room for them here.
fn measured(program: &str, arguments: &[String]) -> std::io::Result<Report> {
    let mut stdout = vec![1; ROOM];
    stdout.clear();
    let start = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut errors = child.stderr.take();
    let errors = std::thread::spawn(move || {
        let mut text = Vec::new();
        errors.as_mut().map_or(Ok(0), |errors| errors.read_to_end(&mut text)).map(|_| text)
    });
    if let Some(mut answers) = child.stdout.take() {
        answers.read_to_end(&mut stdout)?;
    }
    let status = child.wait()?;
    let wall = start.elapsed().as_secs_f64();
    let (cpu, memory) = usage();
    let stderr = errors.join().map_err(|_| std::io::Error::other("stderr was not read"))??;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(Report { wall, cpu, memory, success: status.success(), stdout: text(&stdout), stderr: text(&stderr) })
}

/// Processor time in seconds and peak memory in bytes of the finished children.
#[cfg(unix)]
fn usage() -> (f64, u64) {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike;
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return (0.0, 0) };
    let micros = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    #[allow(clippy::cast_precision_loss)] // microseconds of a run stay far below 2^52
    let cpu = micros as f64 / 1e6;
    (cpu, u64::try_from(usage.max_rss()).unwrap_or(0) * unit)
}

/// Not known on this system.
#[cfg(not(unix))]
fn usage() -> (f64, u64) {
    (0.0, 0)
}
