//! Stdout: answers are gathered, and written together.
//!
//! What is gathered stands where the last resort finds it, so that nothing that was answered is lost when that ends the program.

use crate::cli::workspace::{Stop, Workspace};
use crate::report;
use crate::source::Diagnostic;
use anstream::{AutoStream, ColorChoice};
use serde::Serialize;
use serde_json::{Map, Value as Json};
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Bytes that are written at once, and how long a line waits for more of them while answers go on to come.
const AT_ONCE: usize = 1 << 16;

const DELAY: Duration = Duration::from_millis(20);

static PENDING: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn pending() -> MutexGuard<'static, Vec<u8>> {
    // What is gathered is whole after a panic too.
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hands what is gathered to `write`, unless somebody is at it.
pub(crate) fn rescue(write: impl FnOnce(&[u8])) {
    if let Ok(bytes) = PENDING.try_lock() {
        write(&bytes);
    }
}

/// Stdout. Nothing is lost as long as [`Output::flush`] is called at the end.
pub(crate) struct Output {
    colours: ColorChoice,
    /// When something was written last.
    flushed: Option<Instant>,
}

impl Output {
    pub(crate) fn new() -> Self {
        Output { colours: AutoStream::choice(&io::stdout()), flushed: None }
    }

    /// Adds text, without its colours where nobody sees them.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Stop> {
        let colours = self.colours;
        self.add(|bytes| AutoStream::new(bytes, colours).write_all(text.as_bytes()))
    }

    /// Adds a line of JSON, which writes control characters as `\u....`: no colours are looked for in it.
    pub(crate) fn json(&mut self, json: &impl Serialize) -> Result<(), Stop> {
        self.add(|bytes| {
            serde_json::to_writer(&mut *bytes, json)?;
            bytes.push(b'\n');
            Ok(())
        })
    }

    fn add(&mut self, write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> Result<(), Stop> {
        let mut bytes = pending();
        write(&mut bytes)?;
        if bytes.len() < AT_ONCE {
            return Ok(());
        }
        drop(bytes);
        self.flush()
    }

    /// Tells errors on stderr, and on stdout as lines of JSON that begin with `head` where these are wanted.
    pub(crate) fn errors(
        &mut self,
        json: bool,
        head: &Map<String, Json>,
        errors: &[Diagnostic],
        workspace: &Workspace,
    ) -> Result<(), Stop> {
        let mut lines = errors.iter().filter(|_| json);
        let written =
            lines.try_for_each(|error| self.json(&report::json::error(head.clone(), error, &workspace.sources)));
        let written = written.and_then(|()| self.flush());
        workspace.tell(errors);
        written
    }

    /// Writes what is gathered.
    pub(crate) fn flush(&mut self) -> Result<(), Stop> {
        self.flushed = Some(Instant::now());
        let mut bytes = pending();
        if bytes.is_empty() {
            return Ok(());
        }
        let mut stdout = io::stdout().lock();
        let written = stdout.write_all(&bytes).and_then(|()| stdout.flush());
        bytes.clear();
        Ok(written?)
    }

    /// Hands everything on if that was not done of late: many answers a second go out together. Before it waits for its input, a
    /// command calls [`Output::flush`].
    pub(crate) fn flush_soon(&mut self) -> Result<(), Stop> {
        if self.flushed.is_none_or(|last| last.elapsed() >= DELAY) { self.flush() } else { Ok(()) }
    }
}
