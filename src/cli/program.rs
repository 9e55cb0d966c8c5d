//! One run of somebody's program: what it is given, what it answers, how it ends.

use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ran {
    /// It answered.
    Answered(Vec<u8>),
    /// It ended with an error, with what it said on stderr.
    Crashed(String),
    /// Its time was up.
    Late,
    /// It wrote more than anybody could want.
    Endless,
    /// It could not be started.
    Missing(String),
}

/// More than this is no answer.
const MOST: usize = 64 << 20;

/// Runs a program on a text for so long at most. Nothing of it is left running.
pub(crate) fn run(program: &[String], input: &[u8], time: Duration) -> Ran {
    let [name, args @ ..] = program else { return Ran::Missing("there is no program".into()) };
    let mut command = Command::new(name);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return Ran::Missing(format!("`{name}` cannot be started: {error}")),
    };
    let until = Instant::now() + time;
    let (Some(mut stdin), Some(stdout), Some(stderr)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Ran::Missing(format!("`{name}` has no input and output"));
    };
    let (done, ended) = channel();
    let ran = std::thread::scope(|scope| {
        scope.spawn(move || {
            // Who has read enough may close his input.
            let _ = stdin.write_all(input);
        });
        let errors = scope.spawn(move || taken(stderr, 1 << 16));
        scope.spawn(move || {
            // Nobody waits any more when the time is up.
            let _ = done.send(taken(stdout, MOST + 1));
        });
        let answer = ended.recv_timeout(time);
        let ran = match answer {
            Err(_) => Ran::Late,
            Ok(answer) if answer.len() > MOST => Ran::Endless,
            Ok(answer) => match status(&mut child, until) {
                None => Ran::Late,
                Some(status) if status.success() => Ran::Answered(answer),
                Some(status) => Ran::Crashed(status.to_string()),
            },
        };
        end(&mut child);
        match (ran, errors.join()) {
            (Ran::Crashed(how), Ok(said)) => {
                let said = String::from_utf8_lossy(&said);
                let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
                Ran::Crashed(if last.is_empty() { how } else { format!("{how}: {last}") })
            }
            (ran, _) => ran,
        }
    });
    ran
}

/// What a stream hands on, so many bytes at most are kept.
fn taken(from: impl Read, most: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    // What was read before an error is all there is.
    let _ = from.take(most as u64).read_to_end(&mut bytes);
    bytes
}

/// How it ended; `None`: it goes on when its time is up.
fn status(child: &mut Child, until: Instant) -> Option<std::process::ExitStatus> {
    let mut wait = Duration::from_micros(50);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < until => std::thread::sleep(wait),
            Ok(None) | Err(_) => return None,
        }
        wait = (wait * 2).min(Duration::from_millis(5));
    }
}

/// Ends the program and what it has started.
fn end(child: &mut Child) {
    #[cfg(unix)]
    if let Ok(id) = libc::pid_t::try_from(child.id()) {
        // SAFETY: a signal for the group that this program made for its child, and that is the child's until it is waited for.
        #[allow(unsafe_code)]
        unsafe {
            libc::kill(-id, libc::SIGKILL);
        }
    }
    // It may have ended by itself.
    let _ = child.kill();
    let _ = child.wait();
}
