//! The last resort: ends the program where a limit is reached and the work does not look.
//!
//! The work looks at its limits often and ends with what is known. Some of it does not: a text is taken in, a type is
//! written out, a list is made in one step. So an alarm rings a little later than time is up, and a little after a signal; and the
//! allocator knows when memory ends ([`crate::value::memory`]). Then what was answered is written, the limit is told as
//! an error like any other, and the program ends with the exit code of limits. Everything for that is made beforehand, since
//! nothing can be made then.

use crate::cli::output;
use crate::cli::workspace::LIMIT;
use crate::report;
use crate::source::{Code, Diagnostic, Sources, diagnostic};
use crate::value::limits::{Limits, start, was_heard};
use crate::value::memory::{self, End};
use crate::value::width;
use serde_json::Map;
use signal_hook::{consts, low_level};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// So much later than the work itself the alarm sees that time is up.
const LATER: Duration = Duration::from_millis(150);

/// How long work that was told to end may take for that.
const GRACE: Duration = Duration::from_millis(250);

/// The words of an end, as an error and as a line of JSON, each in two parts: how many positions were searched comes between.
struct Words {
    error: (String, String),
    json: (String, String),
}

impl Words {
    fn new(code: Code, message: String, hint: &str) -> Words {
        const BETWEEN: &str = "@@";
        let error = Diagnostic::bare(code, message).hint(format!("{BETWEEN}{hint}"));
        let parts =
            |text: String| text.split_once(BETWEEN).map(|(a, b)| (a.to_string(), b.to_string())).unwrap_or_default();
        let json = format!("{}\n", report::json::error(Map::new(), &error, &Sources::default()));
        Words { json: parts(json), error: parts(diagnostic::render(&[error], &Sources::default(), false)) }
    }
}

/// All that can be said at the end.
struct Farewell {
    json: bool,
    /// How many positions were searched.
    searched: Arc<AtomicU64>,
    time: Words,
    interrupted: Words,
    too_much: Words,
    no_more: Words,
}

static FAREWELL: OnceLock<Farewell> = OnceLock::new();
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Sets the limit of memory, and prepares for the others. `json`: errors are lines of JSON on stdout, too.
pub(crate) fn prepare(limits: &Limits, time: Option<Duration>, json: bool, signals: &[i32]) {
    /// Beside a twentieth of the limit: what the program takes for itself, and what a table takes while it grows.
    const BESIDE: usize = 24 << 20;
    let bytes = limits.memory;
    let mib = bytes >> 20;
    let seconds = time.unwrap_or_default().as_secs_f64();
    let _ = FAREWELL.set(Farewell {
        json,
        searched: limits.progress.clone(),
        time: Words::new(Code::L03, format!("the time limit of {seconds} s is reached"), "`--time` raises the limit"),
        interrupted: Words::new(Code::L03, "interrupted".into(), "nothing is known of the rest"),
        too_much: Words::new(
            Code::L02,
            format!("the memory limit of {mib} MiB is reached"),
            "`--memory` raises the limit",
        ),
        no_more: Words::new(Code::L02, "the system has no more memory".into(), "nothing is known of the rest"),
    });
    start();
    memory::on_end(|end| match end {
        End::TooMuch => leave(|words| &words.too_much),
        End::NoMore => leave(|words| &words.no_more),
    });
    memory::set_most(bytes.saturating_add(bytes / 20).saturating_add(BESIDE));
    listen(signals);
    if let Some(time) = time {
        ring_after(Some(time + LATER));
    }
}

/// The work has so much time from now on; `None`: as much as it likes.
pub(crate) fn allow(time: Option<Duration>) {
    ring_after(time.map(|time| time + LATER));
}

#[cfg(unix)]
fn listen(signals: &[i32]) {
    let ring = || {
        let farewell = |words: &'static Farewell| {
            if INTERRUPTED.load(Ordering::Relaxed) { &words.interrupted } else { &words.time }
        };
        if was_heard(GRACE) { ring_after(Some(GRACE)) } else { leave(farewell) }
    };
    let soon = || {
        INTERRUPTED.store(true, Ordering::Relaxed);
        ring_after(Some(LATER));
    };
    // SAFETY: both only store to atomics, ask for the time, set a timer, write what was made before, and leave.
    #[allow(unsafe_code)]
    unsafe {
        let _ = low_level::register(consts::SIGALRM, ring);
        for &signal in signals {
            let _ = low_level::register(signal, soon);
        }
    }
}

#[cfg(not(unix))]
fn listen(_: &[i32]) {}

/// Sets the alarm, which rings once, or turns it off.
#[cfg(unix)]
fn ring_after(time: Option<Duration>) {
    let time = time.unwrap_or_default();
    let seconds = libc::time_t::try_from(time.as_secs()).unwrap_or(libc::time_t::MAX);
    let value = libc::timeval { tv_sec: seconds, tv_usec: time.subsec_micros().into() };
    let never = libc::timeval { tv_sec: 0, tv_usec: 0 };
    let timer = libc::itimerval { it_interval: never, it_value: value };
    // SAFETY: the timer is read, and nothing is written.
    #[allow(unsafe_code)]
    unsafe {
        libc::setitimer(libc::ITIMER_REAL, &raw const timer, std::ptr::null_mut());
    }
}

#[cfg(not(unix))]
fn ring_after(_: Option<Duration>) {}

/// Writes what was answered and why there is no more, and ends the program.
fn leave(words: fn(&'static Farewell) -> &'static Words) {
    let Some(farewell) = FAREWELL.get() else { return };
    let words = words(farewell);
    output::rescue(|bytes| write(1, bytes));
    let searched = farewell.searched.load(Ordering::Relaxed);
    let say = |to: i32, (before, behind): &(String, String)| {
        write(to, before.as_bytes());
        if searched > 0 {
            number(to, searched);
            let one = searched == 1;
            write(to, if one { b" position was searched; " } else { b" positions were searched; " });
        }
        write(to, behind.as_bytes());
    };
    if farewell.json {
        say(1, &words.json);
    }
    say(2, &words.error);
    exit();
}

/// Writes a number with its thousands apart.
fn number(to: i32, number: u64) {
    let mut text = [0; 27];
    let (mut at, mut left, mut digits) = (text.len(), number, 0);
    while left > 0 || digits == 0 {
        if digits > 0 && digits % 3 == 0 {
            at -= 1;
            text[at] = b',';
        }
        at -= 1;
        text[at] = b"0123456789"[width::index(left % 10)];
        (left, digits) = (left / 10, digits + 1);
    }
    write(to, &text[at..]);
}

#[cfg(unix)]
fn write(to: i32, mut bytes: &[u8]) {
    while !bytes.is_empty() {
        // SAFETY: so many bytes are there to be read.
        #[allow(unsafe_code)]
        let written = unsafe { libc::write(to, bytes.as_ptr().cast(), bytes.len()) };
        match usize::try_from(written) {
            Ok(written) if written > 0 => bytes = &bytes[written.min(bytes.len())..],
            // There is nobody to complain to.
            _ => return,
        }
    }
}

#[cfg(unix)]
fn exit() {
    // SAFETY: it has no arguments that matter, and runs nothing of the program.
    #[allow(unsafe_code)]
    unsafe {
        libc::_exit(LIMIT.into());
    }
}

#[cfg(not(unix))]
fn write(to: i32, bytes: &[u8]) {
    use std::io::Write;
    let _ = if to == 1 { std::io::stdout().write_all(bytes) } else { std::io::stderr().write_all(bytes) };
}

#[cfg(not(unix))]
fn exit() {
    std::process::exit(LIMIT.into());
}
