//! One run of somebody's program: what it is given, what it answers, how it ends.

use crate::value::limits::Limits;
use parking_lot::Mutex;
use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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
    /// The limits of the user were reached, or he wants no more, before it ended.
    Stopped,
}

/// More than this is no answer.
const MOST: usize = 64 << 20;

/// So much of stderr is kept.
const SAID: usize = 1 << 16;

/// So long is waited for the output of a program that has ended: what it has started may hold its output open.
const REST: Duration = Duration::from_millis(100);

/// Runs a program on a text for so long at most, and while the limits are not reached. It and its group are ended; nobody waits for what has left that group.
pub(crate) fn run(program: &[String], input: &str, time: Duration, limits: &Limits) -> Ran {
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
    let input = input.to_string();
    // Who has read enough may close his input.
    let fed = background(move || drop(stdin.write_all(input.as_bytes())));
    let (answer, errors) = (Taken::from(stdout, MOST + 1), Taken::from(stderr, SAID));
    let (Some(answer), Some(errors), true) = (answer, errors, fed) else {
        end(&mut child);
        return Ran::Missing("the system starts no more threads".into());
    };
    let status = status(&mut child, &answer, until, limits);
    end(&mut child);
    let text = std::mem::take(&mut *answer.bytes.lock());
    match status {
        _ if text.len() > MOST => Ran::Endless,
        None if limits.check_clock().is_err() => Ran::Stopped,
        None => Ran::Late,
        Some(status) if status.success() => Ran::Answered(text),
        Some(status) => {
            let said = String::from_utf8_lossy(&errors.bytes.lock()).into_owned();
            let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
            Ran::Crashed(if last.is_empty() { status.to_string() } else { format!("{status}: {last}") })
        }
    }
}

/// Does something on a thread of its own; `false`: there is none.
fn background(work: impl FnOnce() + Send + 'static) -> bool {
    std::thread::Builder::new().stack_size(1 << 16).spawn(work).is_ok()
}

/// What a stream has handed on so far.
struct Taken {
    bytes: Arc<Mutex<Vec<u8>>>,
    ended: Arc<AtomicBool>,
}

impl Taken {
    /// Reads all of a stream, and keeps so many bytes at most.
    fn from(mut from: impl Read + Send + 'static, most: usize) -> Option<Taken> {
        let taken = Taken { bytes: Arc::default(), ended: Arc::default() };
        let (bytes, ended) = (taken.bytes.clone(), taken.ended.clone());
        let read = move || {
            let mut room = [0; 1 << 13];
            while let Ok(length @ 1..) = from.read(&mut room) {
                let mut bytes = bytes.lock();
                let kept = length.min(most - bytes.len());
                bytes.extend(&room[..kept]);
            }
            ended.store(true, Ordering::Release);
        };
        background(read).then_some(taken)
    }
}

/// How it ended; `None`: it goes on when its time is up.
fn status(child: &mut Child, answer: &Taken, until: Instant, limits: &Limits) -> Option<ExitStatus> {
    let mut wait = Duration::from_micros(50);
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            let rest = Instant::now() + REST;
            while !answer.ended.load(Ordering::Acquire) && Instant::now() < rest {
                std::thread::sleep(Duration::from_micros(50));
            }
            return Some(status);
        }
        if Instant::now() >= until || limits.check_clock().is_err() || answer.bytes.lock().len() > MOST {
            return None;
        }
        std::thread::sleep(wait);
        wait = (wait * 5 / 4).min(Duration::from_millis(5));
    }
}

/// Ends the program and what it has started.
fn end(child: &mut Child) {
    #[cfg(unix)]
    if let Ok(id) = libc::pid_t::try_from(child.id()) {
        // SAFETY: a signal, which touches no memory of this program. It goes to the group that was made for the child; a number of a group
        // that has just ended is not given to another one at once.
        #[allow(unsafe_code)]
        unsafe {
            libc::kill(-id, libc::SIGKILL);
        }
    }
    // It may have ended by itself.
    let _ = child.kill();
    let _ = child.wait();
}
