//! Lines for stdout that go out together: many answers a second are not written one by one, and none waits long.

use serde::Serialize;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Bytes that are written at once.
const AT_ONCE: usize = 1 << 16;

/// A line waits no longer than this.
const DELAY: Duration = Duration::from_millis(20);

/// Lines that wait. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct Later {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    held: Mutex<Held>,
    /// Told when lines wait and the thread sleeps.
    some: Condvar,
}

#[derive(Default)]
struct Held {
    bytes: Vec<u8>,
    /// Why the last bytes could not be written, until somebody asks.
    failed: Option<io::Error>,
    /// The thread that writes what has waited.
    thread: Writer,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Writer {
    #[default]
    None,
    /// Not there, and one line was written: it may be the only one.
    NotYet,
    /// Waits for lines.
    Sleeps,
    /// Will write before long.
    Counts,
}

impl Later {
    /// Adds a JSON value as a line; many of them are handed on.
    pub(crate) fn line(&mut self, json: &impl Serialize) -> io::Result<()> {
        let mut held = self.shared.held();
        serde_json::to_writer(&mut held.bytes, json)?;
        held.bytes.push(b'\n');
        if held.bytes.len() < AT_ONCE { held.told() } else { held.hand_on() }
    }

    /// Hands on what waits.
    pub(crate) fn flush(&self) -> io::Result<()> {
        self.shared.held().hand_on()
    }

    /// Hands on what waits, but for errors, which the next line tells.
    pub(crate) fn go(&self) {
        let mut held = self.shared.held();
        if let Err(error) = held.hand_on() {
            held.failed = Some(error);
        }
    }

    /// Hands on what waits within [`DELAY`], whatever this thread does meanwhile.
    pub(crate) fn flush_soon(&mut self) -> io::Result<()> {
        let mut held = self.shared.held();
        if held.bytes.is_empty() {
            return held.told();
        }
        match held.thread {
            Writer::Counts => {}
            Writer::Sleeps => {
                held.thread = Writer::Counts;
                self.shared.some.notify_one();
            }
            Writer::None => {
                held.thread = Writer::NotYet;
                return held.hand_on();
            }
            Writer::NotYet => {
                let shared = self.shared.clone();
                // It ends with the process.
                if thread::Builder::new().stack_size(1 << 16).spawn(move || shared.write_soon()).is_err() {
                    return held.hand_on();
                }
                held.thread = Writer::Counts;
            }
        }
        held.told()
    }
}

impl Shared {
    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_soon(&self) {
        loop {
            thread::sleep(DELAY);
            let mut held = self.held();
            if let Err(error) = held.hand_on() {
                held.failed = Some(error);
            }
            held.thread = Writer::Sleeps;
            while held.thread == Writer::Sleeps {
                held = self.some.wait(held).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

impl Held {
    /// What went wrong since somebody asked.
    fn told(&mut self) -> io::Result<()> {
        self.failed.take().map_or(Ok(()), Err)
    }

    fn hand_on(&mut self) -> io::Result<()> {
        self.told()?;
        if self.bytes.is_empty() {
            return Ok(());
        }
        let done = written(&self.bytes);
        self.bytes.clear();
        done
    }
}

fn written(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes)?;
    stdout.flush()
}
