//! Answers on stdout: colours on a terminal only, and a closed pipe is no error.

use crate::cli::args::LimitArgs;
use crate::cli::later::Later;
use crate::cli::session::Session;
use crate::cli::stop::{ANSWERED, Stop, exit_code};
use crate::report;
use crate::source::diagnostic::{Code, Diagnostic};
use anstream::AutoStream;
use serde::Serialize;
use serde_json::{Map, Value as Json};
use std::io::{self, BufWriter, ErrorKind, Stdout, Write};

/// Stdout. Nothing is lost as long as [`Output::flush`] is called at the end.
pub(crate) struct Output {
    /// For text, which may have colours.
    to: BufWriter<AutoStream<Stdout>>,
    /// For JSON, which writes control characters as `\u....`: nothing is looked for in it.
    plain: Later,
}

impl Output {
    /// Stdout for this thread.
    pub(crate) fn new() -> Self {
        Output { to: BufWriter::new(AutoStream::auto(io::stdout())), plain: Later::default() }
    }

    /// Writes text.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Stop> {
        self.plain.flush()?;
        Ok(self.to.write_all(text.as_bytes())?)
    }

    /// Writes one JSON value as a line.
    pub(crate) fn json(&mut self, json: &impl Serialize) -> Result<(), Stop> {
        if !self.to.buffer().is_empty() {
            self.to.flush()?;
        }
        Ok(self.plain.line(json)?)
    }

    /// Tells errors on stderr, and on stdout as lines of JSON that begin with `head` where these are wanted.
    pub(crate) fn errors(
        &mut self,
        json: bool,
        head: &Map<String, Json>,
        errors: &[Diagnostic],
        session: &Session,
    ) -> Result<(), Stop> {
        let mut lines = errors.iter().filter(|_| json);
        let written =
            lines.try_for_each(|error| self.json(&report::json::error(head.clone(), error, &session.sources)));
        let written = written.and_then(|()| self.flush());
        session.tell(errors);
        written
    }

    /// Hands everything on.
    pub(crate) fn flush(&mut self) -> Result<(), Stop> {
        self.to.flush()?;
        Ok(self.plain.flush()?)
    }

    /// Hands everything on soon: at the latest in some hundredths of a second, or when [`Output::later`] is told to.
    pub(crate) fn flush_soon(&mut self) -> Result<(), Stop> {
        self.to.flush()?;
        Ok(self.plain.flush_soon()?)
    }

    /// The lines that wait, for whoever knows when it is time for them.
    pub(crate) fn later(&self) -> Later {
        self.plain.clone()
    }
}

impl Drop for Output {
    /// Answers that are there are told, however the work ends.
    fn drop(&mut self) {
        self.plain.go();
    }
}

/// Runs a command within these limits: tells its errors (to stderr, and with `json` as lines on stdout too) and gives the exit
/// code.
pub(crate) fn run(
    limits: &LimitArgs,
    json: bool,
    work: impl FnOnce(&mut Session, &mut Output) -> Result<u8, Stop>,
) -> u8 {
    let mut session = Session::new(limits);
    let mut out = Output::new();
    let result = work(&mut session, &mut out);
    finish(result, &session, &mut out, json)
}

fn finish(result: Result<u8, Stop>, session: &Session, out: &mut Output, json: bool) -> u8 {
    let result = result.and_then(|code| out.flush().map(|()| code));
    match result {
        Ok(code) => code,
        Err(Stop::Errors(errors)) => {
            let errors: Vec<Diagnostic> = errors.into_iter().map(|error| session.explained(error)).collect();
            // Whoever closed stdout does not want to know.
            let _ = out.errors(json, &Map::new(), &errors, session);
            exit_code(&errors)
        }
        Err(Stop::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ANSWERED,
        Err(Stop::Output(error)) => {
            session.tell(&[Diagnostic::bare(Code::D03, format!("stdout cannot be written: {error}"))]);
            crate::cli::stop::BAD
        }
    }
}
