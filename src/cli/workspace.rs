//! What all commands share while they run: the sources, how errors are told, limits, interruption.

use crate::cli::args::LimitArgs;
use crate::cli::inputs::Given;
use crate::cli::load::Loaded;
use crate::cli::progress::Progress;
use crate::engines;
use crate::model::Program;
use crate::report;
use crate::source::diagnostic;
use crate::source::diagnostic::{Code, Diagnostic};
use crate::source::text::{Sources, Span};
use crate::value::limits::Limits;
use crate::vm::context::Context;
use anstream::AutoStream;
use anstream::stream::IsTerminal;
use signal_hook::{consts, flag};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Ctrl-C, and other kind requests to end.
#[cfg(unix)]
const SIGNALS: [i32; 3] = [consts::SIGINT, consts::SIGTERM, consts::SIGHUP];
#[cfg(not(unix))]
const SIGNALS: [i32; 2] = [consts::SIGINT, consts::SIGTERM];

/// The sources, how errors are told, limits, and whether the user wants an end.
pub(crate) struct Workspace {
    /// All texts.
    pub(crate) sources: Sources,
    /// Set by Ctrl-C.
    pub(crate) interrupted: Arc<AtomicBool>,
    /// The limits of the command line, clock not started; those of one run share their counters.
    pub(crate) limits: Limits,
    args: LimitArgs,
}

impl Workspace {
    /// Starts to listen for Ctrl-C: the first one ends the work with what is known, the second one ends the program.
    pub(crate) fn new(args: &LimitArgs) -> Self {
        let interrupted = Arc::new(AtomicBool::new(false));
        for signal in SIGNALS {
            // In this order, or the first one would find the flag set. Without them Ctrl-C ends the program at once, which is
            // good enough.
            let _ = flag::register_conditional_shutdown(signal, 130, interrupted.clone());
            let _ = flag::register(signal, interrupted.clone());
        }
        Workspace {
            sources: Sources::default(),
            limits: args.limits(interrupted.clone()),
            interrupted,
            args: args.clone(),
        }
    }

    /// What evaluates a loaded file with its inputs given; the clock starts now.
    pub(crate) fn context(&self, loaded: &Loaded, given: Given) -> Context {
        let limits = self.limits.clone().with_time(self.args.time);
        let program: Arc<Program> = loaded.program.clone();
        let mut ctx = Context::new(program, loaded.files.clone(), limits, engines::ask);
        ctx.give(given);
        ctx
    }

    /// What evaluates a loaded file, with a clock that the caller starts.
    pub(crate) fn context_without_clock(&self, loaded: &Loaded) -> Context {
        Context::new(loaded.program.clone(), loaded.files.clone(), self.limits.clone(), engines::ask)
    }

    /// Where a span begins: `games/nim.game:7`.
    pub(crate) fn place(&self, span: Span) -> String {
        let source = self.sources.get(span.source);
        let start = source.text.floor_char_boundary(span.start as usize);
        format!("{}:{}", source.name, source.text[..start].matches('\n').count() + 1)
    }

    /// Starts the clock again: for the next case.
    pub(crate) fn restart_clock(&self, ctx: &mut Context) {
        ctx.limits = self.limits.clone().with_time(self.args.time);
    }

    /// Shows progress from now until the result is dropped.
    pub(crate) fn progress(&self) -> Option<Progress> {
        let wanted = !self.args.quiet && (self.args.progress || io::stderr().is_terminal());
        wanted.then(|| Progress::start(self.limits.progress.clone(), self.limits.goal.clone()))
    }

    /// Whether notes on stderr are wanted.
    pub(crate) fn notes(&self) -> bool {
        !self.args.quiet
    }

    /// Says what a limit error leaves unsaid: how far the work got, and how to go further.
    pub(crate) fn explained(&self, mut error: Diagnostic) -> Diagnostic {
        if !matches!(error.code, Code::L01 | Code::L02 | Code::L03) {
            return error;
        }
        // Where the rules were when time was up is nobody's fault.
        error.span = None;
        error.label.clear();
        error.note = None;
        if error.hint.is_some() {
            return error;
        }
        let searched = match self.limits.progress.load(Ordering::Relaxed) {
            0 => String::new(),
            1 => "1 position was searched; ".into(),
            n => format!("{} positions were searched; ", report::grouped(n)),
        };
        let interrupted = self.interrupted.load(Ordering::Relaxed);
        let further = match error.code {
            _ if interrupted => "nothing is known of the rest",
            Code::L01 => "`--max-positions` raises the limit",
            Code::L02 => "`--memory` raises the limit",
            _ => "`--time` raises the limit",
        };
        error.hint = Some(format!("{searched}{further}"));
        error
    }

    /// Prints errors to stderr.
    pub(crate) fn tell(&self, errors: &[Diagnostic]) {
        let mut stderr = AutoStream::auto(io::stderr().lock());
        // There is nowhere to complain when stderr is closed.
        let _ = stderr.write_all(diagnostic::render(errors, &self.sources, true).as_bytes());
    }

    /// Prints a line to stderr unless `--quiet`.
    pub(crate) fn note(&self, text: &str) {
        if self.notes() {
            let _ = writeln!(io::stderr().lock(), "{text}");
        }
    }
}
