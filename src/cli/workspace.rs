//! What all commands share while they run: sources, limits, interruption; answers on stdout, errors and signs of life on stderr; why a
//! command ended early, and how a run ends.
//!
//! Colours stand on a terminal only, and a closed pipe is no error.

use crate::cli::args::LimitArgs;
use crate::cli::last_resort;
use crate::cli::load::Loaded;
use crate::cli::output::Output;
use crate::contest::Given;
use crate::engines;
use crate::report::{self, grouped};
use crate::source::{Code, Diagnostic, Sources, Span, diagnostic};
use crate::value::limits::{Limits, start};
use crate::value::width;
use crate::vm::context::Context;
use anstream::AutoStream;
use anstream::stream::IsTerminal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::Map;
use signal_hook::{consts, flag};
use std::io::{self, ErrorKind, Write};
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The exit codes of the contract.
pub(crate) const ANSWERED: u8 = 0;

/// A claim or `expect` failed; `fmt --check` found something.
pub(crate) const FAILED: u8 = 1;

/// Bad file, arguments or data.
pub(crate) const BAD: u8 = 2;

/// A limit ended the work.
pub(crate) const LIMIT: u8 = 3;

/// Why a command ended before its end.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Errors that are still to be told.
    Errors(Vec<Diagnostic>),
    /// Stdout does not take more.
    Output(io::Error),
}

impl From<Vec<Diagnostic>> for Stop {
    fn from(errors: Vec<Diagnostic>) -> Self {
        Stop::Errors(errors)
    }
}

impl From<Diagnostic> for Stop {
    fn from(error: Diagnostic) -> Self {
        Stop::Errors(vec![error])
    }
}

impl From<Box<Diagnostic>> for Stop {
    fn from(error: Box<Diagnostic>) -> Self {
        Stop::Errors(vec![*error])
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Stop::Output(error)
    }
}

/// The exit code for errors: a bad file counts for more than a limit.
pub(crate) fn exit_code<'d>(errors: impl IntoIterator<Item = &'d Diagnostic>) -> u8 {
    errors.into_iter().fold(ANSWERED, |code, error| worse(code, if error.code.is_limit() { LIMIT } else { BAD }))
}

/// Of two exit codes the one to end with: 2, then 1, then 3, then 0.
pub(crate) fn worse(a: u8, b: u8) -> u8 {
    let rank = |code: u8| match code {
        BAD => 3,
        FAILED => 2,
        LIMIT => 1,
        _ => 0,
    };
    if rank(b) > rank(a) { b } else { a }
}

/// Ctrl-C, and other kind requests to end.
#[cfg(unix)]
const SIGNALS: [i32; 3] = [consts::SIGINT, consts::SIGTERM, consts::SIGHUP];

#[cfg(not(unix))]
const SIGNALS: [i32; 2] = [consts::SIGINT, consts::SIGTERM];

/// Sets another flag with that of Ctrl-C.
pub(crate) fn interrupt_too(also: &Arc<AtomicBool>) {
    for signal in SIGNALS {
        // Without it Ctrl-C ends the work a little later.
        let _ = flag::register(signal, also.clone());
    }
}

pub(crate) struct Workspace {
    pub(crate) sources: Sources,
    /// Set by Ctrl-C.
    pub(crate) interrupted: Arc<AtomicBool>,
    /// The limits of the command line, clock not started; those of one run share their counters.
    pub(crate) limits: Limits,
    args: LimitArgs,
    /// Contexts that are not freed yet.
    later: Vec<ManuallyDrop<Context>>,
}

impl Workspace {
    /// Starts to listen for Ctrl-C: the first one ends the work with what is known, the second one ends the program.
    pub(crate) fn new(args: &LimitArgs, json: bool) -> Self {
        let interrupted = Arc::new(AtomicBool::new(false));
        for signal in SIGNALS {
            // In this order, or the first one would find the flag set. Without them Ctrl-C ends the program at once.
            let _ = flag::register_conditional_shutdown(signal, 130, interrupted.clone());
            let _ = flag::register(signal, interrupted.clone());
        }
        let limits = args.limits(interrupted.clone());
        last_resort::prepare(&limits, args.time, json, &SIGNALS);
        Workspace { sources: Sources::default(), limits, interrupted, args: args.clone(), later: Vec::new() }
    }

    /// Frees a context, where its time is not over at `end` or nearly so: to free much takes long, and looks at no clock.
    pub(crate) fn put_away(&mut self, ctx: Context, end: Instant) {
        const NEARLY: Duration = Duration::from_millis(500);
        if end.saturating_duration_since(Instant::now()) < NEARLY {
            self.later.push(ManuallyDrop::new(ctx));
        }
    }

    /// Frees what was put away, before a clock starts.
    pub(crate) fn free(&mut self) {
        self.later.drain(..).for_each(|ctx| drop(ManuallyDrop::into_inner(ctx)));
    }

    /// What evaluates a loaded file with its inputs given; the time of the program is its time.
    pub(crate) fn context(&self, loaded: &Loaded, given: Given) -> Context {
        let mut ctx = self.context_without_clock(loaded);
        ctx.limits.deadline = self.deadline();
        ctx.give(given);
        ctx
    }

    /// When the time of the program is over, and how much it is.
    pub(crate) fn deadline(&self) -> Option<(Instant, Duration)> {
        self.args.time.map(|time| (start() + time, time))
    }

    /// What evaluates a loaded file, with a clock that the caller starts.
    pub(crate) fn context_without_clock(&self, loaded: &Loaded) -> Context {
        Context::new(loaded.program.clone(), loaded.files.clone(), self.limits.clone(), engines::ask)
    }

    /// Where a span begins: `games/nim.game:7`.
    pub(crate) fn place(&self, span: Span) -> String {
        format!("{}:{}", self.sources.get(span.source).name, self.sources.line_and_column(span).0)
    }

    /// The work has no more time than this, counted from the start of the program.
    pub(crate) fn shorten(&mut self, time: Option<Duration>) {
        if let Some(time) = time {
            self.args.time = Some(self.args.time.map_or(time, |own| own.min(time)));
            last_resort::allow(self.args.time);
        }
    }

    /// Starts the clock again: for the next case.
    pub(crate) fn restart_clock(&self, ctx: &mut Context) {
        ctx.limits = self.limits.clone().with_time(self.args.time);
        if self.args.time.is_some() {
            last_resort::allow(self.args.time);
        }
    }

    /// The time of the command line is for parts of the work, each with a clock of its own.
    pub(crate) fn without_clock(&mut self) {
        self.args.time = None;
        last_resort::allow(None);
    }

    /// The work is given so much time from now on, if the user limits time at all; `None`: no time passes, since something is
    /// waited for.
    pub(crate) fn allow(&self, time: Option<Duration>) {
        last_resort::allow(self.args.time.and(time));
    }

    /// Shows progress from now until the result is dropped.
    pub(crate) fn progress(&self) -> Option<Progress> {
        let wanted = !self.args.quiet && (self.args.progress || io::stderr().is_terminal());
        wanted.then(|| Progress::start(&self.limits))
    }

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

    pub(crate) fn tell(&self, errors: &[Diagnostic]) {
        let mut stderr = AutoStream::auto(io::stderr().lock());
        // There is nowhere to complain when stderr is closed.
        let (told, rest) = errors.split_at(errors.len().min(MOST_TOLD));
        let _ = stderr.write_all(diagnostic::render(told, &self.sources, true).as_bytes());
        if !rest.is_empty() {
            let _ = writeln!(stderr, "\nnote: {} more errors are not shown", rest.len());
        }
    }

    /// Says that theorems answered, if they did.
    pub(crate) fn note_theorems(&self, ctx: &Context) {
        if ctx.run.theorems_used {
            self.note("note: theorems of the file were used; `--exhaustive` searches");
        }
    }

    pub(crate) fn note(&self, text: &str) {
        if self.notes() {
            let _ = writeln!(io::stderr().lock(), "{text}");
        }
    }
}

/// More errors are not shown as texts; as lines of JSON all are.
const MOST_TOLD: usize = 200;

/// Runs a command within these limits; tells its errors, on stdout too with `json`, and gives the exit code.
pub(crate) fn within(
    limits: &LimitArgs,
    json: bool,
    work: impl FnOnce(&mut Workspace, &mut Output) -> Result<u8, Stop>,
) -> u8 {
    let mut workspace = Workspace::new(limits, json);
    let mut out = Output::new();
    let result = work(&mut workspace, &mut out);
    match result.and_then(|code| out.flush().map(|()| code)) {
        Ok(code) => code,
        Err(Stop::Errors(errors)) => {
            let errors: Vec<Diagnostic> = errors.into_iter().map(|error| workspace.explained(error)).collect();
            // Whoever closed stdout does not want to know.
            let _ = out.errors(json, &Map::new(), &errors, &workspace);
            exit_code(&errors)
        }
        Err(Stop::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ANSWERED,
        Err(Stop::Output(error)) => {
            workspace.tell(&[Diagnostic::bare(Code::D03, format!("stdout cannot be written: {error}"))]);
            BAD
        }
    }
}

/// How often the display changes on a terminal, and in a file.
const TICK: Duration = Duration::from_millis(200);

const LINE: Duration = Duration::from_secs(2);

/// What takes longer is told how it would be faster.
const LONG: Duration = Duration::from_secs(10);

/// A thread that reads a counter; it ends, and what it drew is wiped out, when this is dropped.
pub(crate) struct Progress {
    stop: Option<Sender<()>>,
    advice: Arc<Mutex<Vec<String>>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Progress {
    /// Starts the thread, which shows nothing for the first second.
    pub(crate) fn start(limits: &Limits) -> Self {
        let (counter, goal, entries) = (limits.progress.clone(), limits.goal.clone(), limits.entries.clone());
        let (stop, stopped) = channel();
        let advice: Arc<Mutex<Vec<String>>> = Arc::default();
        let given = advice.clone();
        let terminal = io::stderr().is_terminal();
        let run = move || {
            let start = Instant::now();
            if stopped.recv_timeout(Duration::from_secs(1)) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let target = if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
            let bar = ProgressBar::with_draw_target(None, target);
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                bar.set_style(style);
            }
            let mut before = (Instant::now(), counter.load(Ordering::Relaxed));
            loop {
                let now = (Instant::now(), counter.load(Ordering::Relaxed));
                let text = line(before, now, goal.load(Ordering::Relaxed), entries.told(), start.elapsed());
                if start.elapsed() >= LONG
                    && let Ok(mut advice) = given.lock()
                {
                    for sentence in advice.drain(..) {
                        bar.suspend(|| eprintln!("note: this is slow: {sentence}"));
                    }
                }
                if terminal {
                    bar.set_message(text);
                    bar.tick();
                } else {
                    eprintln!("{text}");
                }
                // The rate is that of the last stretch of two seconds or more.
                if now.0 - before.0 >= LINE || now.1 < before.1 {
                    before = now;
                }
                let wait = if terminal { TICK } else { LINE };
                if stopped.recv_timeout(wait) != Err(RecvTimeoutError::Timeout) {
                    break;
                }
            }
            bar.finish_and_clear();
        };
        // Without a thread there is no progress to be seen, and nothing else is lost.
        let thread = std::thread::Builder::new().name("progress".into()).spawn(run).ok();
        Progress { stop: Some(stop), advice, thread }
    }

    /// What is to be told of the work when it takes long.
    pub(crate) fn advise(&self, advice: Vec<String>) {
        if let Ok(mut old) = self.advice.lock() {
            *old = advice;
        }
    }
}

/// What was met, how quickly of late, and, where it is known how much there is, how long the rest takes at that speed.
fn line(before: (Instant, u64), now: (Instant, u64), goal: u64, entries: (u64, u64), total: Duration) -> String {
    let millis = (now.0 - before.0).as_millis();
    let met = u128::from(now.1.saturating_sub(before.1));
    let rate = if millis > 100 { width::count(met * 1000 / millis) } else { 0 };
    let left = match goal.checked_sub(now.1) {
        Some(left) if goal > 0 && rate > 0 => {
            format!(", {} s left of {} positions", left.div_ceil(rate), grouped(goal))
        }
        _ => String::new(),
    };
    let rate = if rate > 0 { format!(", {}/s", grouped(rate)) } else { String::new() };
    let entries = match entries {
        (_, 0) => String::new(),
        (done, all) => format!("{} of {} entries, ", grouped(done), grouped(all)),
    };
    format!("{entries}{} positions{rate}, {} s{left}", grouped(now.1), total.as_secs())
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic of this thread has been printed; it means nothing for the answer.
            let _ = thread.join();
        }
    }
}
