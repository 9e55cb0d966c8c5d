//! What the program took, run by a copy of this program that has no other child: so the system's count is of it alone.

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// Said to a copy of this program that runs one command and tells what it took.
const CHILD: &str = "--child";

/// What a run took.
#[allow(dead_code)] // not every bench tells all of it
pub(crate) struct Used {
    /// The most memory that was resident, in MiB.
    pub(crate) mib: u64,
    /// On the clock.
    pub(crate) seconds: f64,
    /// Of processors, by the program and by the system for it.
    pub(crate) cpu: f64,
    pub(crate) exit: i32,
}

/// Whether this is such a copy; then it has done its work.
pub(crate) fn is_child() -> Option<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    arguments.iter().position(|argument| argument == CHILD).map(|at| child(&arguments[at + 1..]))
}

/// Runs the program, built beside this one.
///
/// # Errors
/// It did not run.
pub(crate) fn run(arguments: &[&str]) -> std::io::Result<Used> {
    let output = Command::new(std::env::current_exe()?).arg(CHILD).args(arguments).output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [mib, seconds, cpu, exit] = numbers[..] else { return Err(std::io::Error::other("the program did not run")) };
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // small whole numbers
    Ok(Used { mib: mib as u64, seconds, cpu, exit: exit as i32 })
}

fn program() -> PathBuf {
    let this = std::env::current_exe().unwrap_or_default();
    this.ancestors().nth(2).unwrap_or(Path::new("")).join("grundy")
}

fn child(arguments: &[String]) -> ExitCode {
    let start = Instant::now();
    let status = Command::new(program()).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let seconds = start.elapsed().as_secs_f64();
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN);
    let (Ok(status), Ok(usage)) = (status, usage) else { return ExitCode::FAILURE };
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    let cpu = usage.user_time().num_milliseconds() + usage.system_time().num_milliseconds();
    let exit = status.code().unwrap_or(-1);
    println!("{} {seconds:.2} {}.{:03} {exit}", (usage.max_rss() * unit) >> 20, cpu / 1000, cpu % 1000);
    ExitCode::SUCCESS
}
