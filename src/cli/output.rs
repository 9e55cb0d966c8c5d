//! Answers on stdout: colours on a terminal only, and a closed pipe is no error.

use crate::cli::args::LimitArgs;
use crate::cli::stop::{ANSWERED, Stop, exit_code};
use crate::cli::workspace::Workspace;
use crate::report;
use crate::source::diagnostic::{Code, Diagnostic};
use anstream::AutoStream;
use serde::Serialize;
use serde_json::{Map, Value as Json};
use std::io::{self, BufWriter, ErrorKind, Stdout, Write};
use std::time::{Duration, Instant};

/// Bytes of JSON that are written at once, and how long a line waits for more of them while answers go on to come.
const AT_ONCE: usize = 1 << 16;
const DELAY: Duration = Duration::from_millis(20);

/// Stdout. Nothing is lost as long as [`Output::flush`] is called at the end.
pub(crate) struct Output {
    /// For text, which may have colours.
    to: BufWriter<AutoStream<Stdout>>,
    /// For JSON, which writes control characters as `\u....`: nothing is looked for in it.
    plain: BufWriter<Stdout>,
    /// When lines of JSON were handed on last.
    flushed: Option<Instant>,
}

impl Output {
    /// Stdout for this thread.
    pub(crate) fn new() -> Self {
        let to = BufWriter::new(AutoStream::auto(io::stdout()));
        Output { to, plain: BufWriter::with_capacity(AT_ONCE, io::stdout()), flushed: None }
    }

    /// Writes text.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Stop> {
        if !self.plain.buffer().is_empty() {
            self.plain.flush()?;
        }
        Ok(self.to.write_all(text.as_bytes())?)
    }

    /// Writes one JSON value as a line.
    pub(crate) fn json(&mut self, json: &impl Serialize) -> Result<(), Stop> {
        if !self.to.buffer().is_empty() {
            self.to.flush()?;
        }
        serde_json::to_writer(&mut self.plain, json).map_err(io::Error::from)?;
        Ok(self.plain.write_all(b"\n")?)
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

    /// Hands everything on.
    pub(crate) fn flush(&mut self) -> Result<(), Stop> {
        self.to.flush()?;
        Ok(self.plain.flush()?)
    }

    /// Hands everything on if that was not done of late: many answers a second go out together. Before it waits for its input, a
    /// command calls [`Output::flush`].
    pub(crate) fn flush_soon(&mut self) -> Result<(), Stop> {
        let now = Instant::now();
        if self.flushed.is_none_or(|last| now - last >= DELAY) {
            self.flushed = Some(now);
            self.flush()?;
        }
        Ok(())
    }
}

/// Runs a command within these limits: tells its errors (to stderr, and with `json` as lines on stdout too) and gives the exit
/// code.
pub(crate) fn run(
    limits: &LimitArgs,
    json: bool,
    work: impl FnOnce(&mut Workspace, &mut Output) -> Result<u8, Stop>,
) -> u8 {
    let mut workspace = Workspace::new(limits);
    let mut out = Output::new();
    let result = work(&mut workspace, &mut out);
    finish(result, &workspace, &mut out, json)
}

fn finish(result: Result<u8, Stop>, workspace: &Workspace, out: &mut Output, json: bool) -> u8 {
    let result = result.and_then(|code| out.flush().map(|()| code));
    match result {
        Ok(code) => code,
        Err(Stop::Errors(errors)) => {
            let errors: Vec<Diagnostic> = errors.into_iter().map(|error| workspace.explained(error)).collect();
            // Whoever closed stdout does not want to know.
            let _ = out.errors(json, &Map::new(), &errors, workspace);
            exit_code(&errors)
        }
        Err(Stop::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ANSWERED,
        Err(Stop::Output(error)) => {
            workspace.tell(&[Diagnostic::bare(Code::D03, format!("stdout cannot be written: {error}"))]);
            crate::cli::stop::BAD
        }
    }
}
