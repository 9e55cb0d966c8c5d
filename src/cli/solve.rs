//! `grundy solve`: answers the `solve` lines of a file, or positions of the command line, for one case or many.

use crate::answer::Answer;
use crate::claims;
use crate::cli::args::{self, Binding, ChoiceArgs, LimitArgs};
use crate::cli::complete;
use crate::cli::copies::{self, CopyArgs};
use crate::cli::files;
use crate::cli::load::{self, Loaded, Parsed};
use crate::cli::output::Output;
use crate::cli::workspace::{ANSWERED, Progress, Stop, Workspace, exit_code, worse};
use crate::contest::Given;
use crate::disk;
use crate::engines::{self, Choice, Line};
use crate::input::json::cases::{self, Bad, Taker};
use crate::model::{Body, Program, Question};
use crate::report;
use crate::source::{Code, Diagnostic};
use crate::value::{Fault, Position};
use crate::vm::context::Context;
use serde_json::{Map, Value as Json};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

#[derive(clap::Args, Debug)]
#[allow(clippy::struct_excessive_bools)] // each is an option of the command line
#[command(after_help = "\
Examples:
  grundy solve nim.game heaps=[3,4,5]
  grundy solve nim.game -p 'Nim(3) + Nim(5)' --json
  grundy solve bash.game --cases cases.json      # [{\"n\": 17, \"max\": 4}, {\"n\": 18}]")]
pub(crate) struct SolveArgs {
    /// The game file; `-` reads it from stdin
    #[arg(add = complete::game_file())]
    file: PathBuf,
    /// Values for the file's inputs, as JSON or plain text: `n=17 heaps=[3,4,5]`
    #[arg(value_name = "NAME=VALUE", value_parser = args::binding, add = complete::inputs())]
    inputs: Vec<Binding>,
    /// Answer this position instead of the file's `solve` lines; may be repeated
    #[arg(short, long, value_name = "POSITION", allow_hyphen_values = true, add = complete::games())]
    position: Vec<String>,
    /// Answer one case after another, as JSON lines: a JSON array or JSON Lines of objects that bind inputs; `-` is stdin
    ///
    /// Inputs given as `name=value` hold for every case that does not bind them. A case that fails prints its error and
    /// the others go on. `--time` is for each case.
    #[arg(long, value_name = "FILE")]
    pub(super) cases: Option<PathBuf>,
    /// Who cannot move wins: every position is read as `misere P`
    #[arg(long)]
    misere: bool,
    #[command(flatten)]
    choice: ChoiceArgs,
    /// Tell a line of play too: the winner's moves win, the other's are the first there are
    #[arg(long)]
    line: bool,
    /// Keep large tables in this directory: they may be larger than memory, a run that was ended goes on by the same command,
    /// and later questions find them there
    #[arg(long, value_name = "DIR", conflicts_with_all = ["cases", "outcome"])]
    tables: Option<PathBuf>,
    /// Print one JSON object per answer
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    copies: CopyArgs,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
}

pub(super) fn run(args: &SolveArgs, workspace: &mut Workspace, out: &mut Output) -> Result<u8, Stop> {
    if args.copies.are_several() && args.file.as_os_str() == "-" {
        let message = "several processes cannot read the game file from stdin";
        return Err(Diagnostic::bare(Code::D02, message).hint("write it to a file").into());
    }
    let mut parsed = load::parse(&args.file, &mut workspace.sources, &args.limits.allow_path)?;
    parsed.ask_positions(&args.position, &mut workspace.sources)?;
    let (loaded, mut ctx) = parsed.check_with(&args.inputs, workspace)?;
    let bodies = bodies(&loaded.program);
    if bodies.is_empty() {
        return Err(no_position(&args.file).into());
    }
    if args.copies.wants_copies() {
        if bodies.len() > 1 {
            let message = format!("several processes answer one position, and here are {}", bodies.len());
            return Err(Diagnostic::bare(Code::D02, message).hint("ask about one with `-p POSITION`").into());
        }
        return copies::supervise(&args.copies, &args.limits, args.tables.as_deref(), workspace);
    }
    let mut crew = None;
    if args.copies.is_copy() {
        let joined = copies::connect(workspace, &work(args, &loaded, workspace), loaded.data())?;
        (ctx.limits.memory, ctx.limits.threads) = (workspace.limits.memory, workspace.limits.threads);
        ctx.limits.deadline = workspace.deadline();
        ctx.session.crew = Some(joined.clone());
        crew = Some(joined);
    }
    if let Some(dir) = &args.tables {
        let dir = crew.as_ref().map_or_else(|| dir.clone(), |crew| copies::folder(dir, crew));
        let tables = loaded.tables(&dir, &workspace.sources, false);
        ctx.session.tables = Some(match &crew {
            Some(crew) => engines::all_can(crew, tables)?,
            None => tables?,
        });
    }
    if let (Some(crew), [body]) = (crew.as_ref().filter(|crew| !crew.leads()), &bodies[..]) {
        let served = ctx.with_recovery(|ctx| {
            let position = position(ctx, body, args.misere)?;
            engines::serve(ctx, &position, crew, &mut engines::Parts::default())
        });
        served?;
        crew.leave();
        return Ok(ANSWERED);
    }
    let progress = workspace.progress();
    let mut run = Run { args, workspace, progress: progress.as_ref(), ctx, bodies, out, line: None };
    let result = match &args.cases {
        None => run.lines(&[], args.json),
        Some(path) => run.cases(&loaded, path, &loaded.given),
    };
    if let (Ok(ANSWERED), Some(dir)) = (&result, &run.ctx.session.tables)
        && !dir.is_used()
    {
        let why = engines::no_table(&run.ctx);
        workspace.note(&format!("note: nothing is kept in `{}`: {why}", dir.path().display()));
    }
    if let Some(crew) = crew {
        if let Some(why) = crew.why_alone() {
            workspace.note(&format!("note: one process has done the work: {why}"));
        } else if let Some(steps) = crew.slow_layers() {
            let steps = report::grouped(steps);
            workspace.note(&format!(
                "note: several processes gained little: few positions are decided in each of {steps} steps"
            ));
        }
        engines::dismiss(&crew).map_err(Fault::bare)?;
        crew.leave();
    }
    // The process ends, and all memory goes back at once: large states are not taken to pieces.
    std::mem::forget(run);
    drop(progress);
    result
}

/// What processes that work together must have alike.
fn work(args: &SolveArgs, loaded: &Loaded, workspace: &Workspace) -> String {
    let SolveArgs { position, misere, choice, .. } = args;
    let [game, inputs] = loaded.digests(&workspace.sources);
    format!("{game} {inputs} {position:?} {misere} {choice:?} {}", args.tables.is_some())
}

pub(crate) fn bodies(program: &Program) -> Vec<&Body> {
    let solves = program.questions.iter().filter_map(|question| match question {
        Question::Solve { body, .. } => Some(body),
        _ => None,
    });
    solves.collect()
}

/// A position of a file: where a picture or a game begins.
#[derive(clap::Args, Debug)]
pub(crate) struct StartArgs {
    /// The game file; `-` reads it from stdin
    #[arg(add = complete::game_file())]
    file: PathBuf,
    /// Values for the file's inputs
    #[arg(value_name = "NAME=VALUE", value_parser = args::binding, add = complete::inputs())]
    inputs: Vec<Binding>,
    /// Begin with this position instead of that of the file's first `solve` line
    #[arg(short, long, value_name = "POSITION", allow_hyphen_values = true, add = complete::games())]
    position: Option<String>,
}

impl StartArgs {
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// The position, and what evaluates its file. Errors: there is none, and those of the file.
    pub(crate) fn position(
        &self,
        allowed: &[PathBuf],
        workspace: &mut Workspace,
    ) -> Result<(Context, Arc<Position>), Stop> {
        let parsed = self.parsed(allowed, workspace)?;
        self.start(parsed, None, (None, None), workspace)
    }

    /// The file, parsed.
    pub(crate) fn parsed(&self, allowed: &[PathBuf], workspace: &mut Workspace) -> Result<Parsed, Stop> {
        Ok(load::parse(&self.file, &mut workspace.sources, allowed)?)
    }

    /// This position of the parsed file, or the one that it begins with; and what evaluates the file. It may
    /// take so long, where that is not left to the clock of the program. Tables of this directory are read.
    pub(crate) fn start(
        &self,
        mut parsed: Parsed,
        position: Option<&String>,
        (time, tables): (Option<Duration>, Option<&Path>),
        workspace: &mut Workspace,
    ) -> Result<(Context, Arc<Position>), Stop> {
        parsed.ask_positions(
            position.or(self.position.as_ref()).map_or(&[], std::slice::from_ref),
            &mut workspace.sources,
        )?;
        let (loaded, mut ctx) = parsed.check_with(&self.inputs, workspace)?;
        if let Some(time) = time {
            ctx.limits = workspace.limits.clone().with_time(Some(time));
        }
        if let Some(dir) = tables {
            ctx.session.tables = Some(loaded.tables(dir, &workspace.sources, true)?);
        }
        let bodies = bodies(&loaded.program);
        let body = *bodies.first().ok_or_else(|| no_position(&self.file))?;
        let place = body.term.span;
        let start = ctx.with_recovery(|ctx| self::position(ctx, body, false).map_err(|halt| halt.placed(place)));
        let start = start.map_err(|error| workspace.explained(*error))?;
        Ok((ctx, Arc::new(start)))
    }
}

fn no_position(file: &Path) -> Diagnostic {
    let message = format!("`{}` has no `solve` line", file.display());
    Diagnostic::bare(Code::D06, message).hint("ask about a position with `-p POSITION`")
}

/// The position that a `solve` line asks about, where errors of the rules can be caught.
pub(crate) fn position(ctx: &mut Context, body: &Body, misere: bool) -> crate::value::fault::Run<Position> {
    let value = ctx.eval(&body.frame, &body.term)?;
    let position = value.to_position()?;
    drop(value);
    // Large sums are not copied where nobody else has them.
    let mut position = std::sync::Arc::unwrap_or_clone(position);
    position.misere |= misere;
    Ok(position)
}

/// A line of play from the position of a `solve` line.
fn line(ctx: &mut Context, body: &Body, args: &SolveArgs) -> Line {
    const SOON: Duration = Duration::from_secs(2);
    let start = ctx.with_recovery(|ctx| position(ctx, body, args.misere));
    let (exhaustive, outcome) = (args.choice.exhaustive, args.choice.outcome);
    let unknown = Line { cut: true, ..Line::default() };
    start.map_or(unknown, |start| {
        claims::within(ctx, SOON, |ctx| engines::line(ctx, &Arc::new(start), exhaustive, outcome))
    })
}

fn solved(ctx: &mut Context, body: &Body, args: &SolveArgs) -> (Result<Answer, Box<Diagnostic>>, Duration) {
    let choice: Choice = args.choice.choice();
    let start = Instant::now();
    let answer = ctx.with_recovery(|ctx| {
        let place = body.term.span;
        let position = position(ctx, body, args.misere).map_err(|halt| halt.placed(place))?;
        engines::solve(ctx, &position, choice).map_err(|halt| halt.placed(place))
    });
    (answer, start.elapsed())
}

/// What an object begins with.
fn object(head: &[(&'static str, usize)]) -> Map<String, Json> {
    head.iter().map(|(key, value)| ((*key).to_string(), Json::from(*value))).collect()
}

struct Run<'r> {
    args: &'r SolveArgs,
    workspace: &'r Workspace,
    progress: Option<&'r Progress>,
    ctx: Context,
    bodies: Vec<&'r Body>,
    out: &'r mut Output,
    /// The line of the file of cases that the case begins on.
    line: Option<usize>,
}

impl Run<'_> {
    /// Answers every line for the inputs that are given; `head` is what JSON answers begin with.
    fn lines(&mut self, head: &[(&'static str, usize)], json: bool) -> Result<u8, Stop> {
        let mut code = ANSWERED;
        let several = self.bodies.len() > 1;
        for (index, body) in self.bodies.iter().enumerate() {
            self.workspace.limits.progress.store(0, Ordering::Relaxed);
            if let Some(progress) = self.progress.filter(|_| self.args.cases.is_none()) {
                // What goes wrong here is told below.
                let advice = self.ctx.with_recovery(|ctx| {
                    let position = position(ctx, body, self.args.misere)?;
                    engines::advice(ctx, &position)
                });
                progress.advise(advice.unwrap_or_default());
            }
            let (answer, time) = solved(&mut self.ctx, body, self.args);
            let answer = answer.map_err(|error| self.placed(self.kept(*error)));
            let mut head = head.to_vec();
            if several {
                head.push(("solve", index + 1));
            }
            match (answer, json) {
                (Ok(answer), true) => {
                    let line = self.args.line.then(|| line(&mut self.ctx, body, self.args));
                    self.out.json(&report::json::answer(&head, &answer, time).with_line(line.as_ref()))?;
                }
                (Ok(answer), false) => {
                    let gap = if index > 0 { "\n" } else { "" };
                    self.out.text(&format!("{gap}{}", report::text::answer(&answer, time)))?;
                    if self.args.line {
                        let line = line(&mut self.ctx, body, self.args);
                        self.out.text(&report::text::line_of_play(&line, answer.players.as_ref()))?;
                    }
                }
                (Err(error), json) => {
                    if json {
                        self.out.json(&report::json::error(object(&head), &error, &self.workspace.sources))?;
                    }
                    code = worse(code, exit_code([&error]));
                    if self.args.cases.is_none() {
                        self.out.flush()?;
                        self.workspace.tell(&[error]);
                    }
                }
            }
            if self.args.cases.is_none() { self.out.flush()? } else { self.out.flush_soon()? }
        }
        Ok(code)
    }

    fn cases(&mut self, loaded: &Loaded, path: &Path, base: &Given) -> Result<u8, Stop> {
        let name = name(path);
        let mut from: Box<dyn Read> = if path.as_os_str() == "-" {
            Box::new(io::stdin().lock())
        } else {
            Box::new(files::open(path, "file of cases", Code::D03)?)
        };
        let mut taker = Cases { run: self, loaded, base, code: ANSWERED, failed: 0, count: 0 };
        let result = cases::read(&mut from, &name, &mut taker);
        let Cases { code, failed, count, .. } = taker;
        self.out.flush()?;
        if failed > 0 {
            self.workspace.note(&format!("{failed} of {count} cases failed"));
        }
        result.map(|()| code)
    }

    fn case(&mut self, index: usize, case: Result<Given, Bad>) -> Result<u8, Stop> {
        let head = [("case", index)];
        let error = match case {
            Ok(given) => {
                // What earlier cases found is kept as long as it leaves a case half of the memory.
                if self.ctx.bytes() > self.workspace.limits.memory / 2 {
                    self.ctx.forget();
                }
                self.ctx.give(given);
                self.ctx.next_case();
                self.workspace.restart_clock(&mut self.ctx);
                return self.lines(&head, true);
            }
            Err(Bad::Misfit(error)) => self.placed(error),
            Err(Bad::Broken(error)) => error,
        };
        self.out.json(&report::json::error(object(&head), &error, &self.workspace.sources))?;
        self.out.flush_soon()?;
        Ok(exit_code([&error]))
    }

    /// An error with the place of its case, which its own place, in the game file, does not tell.
    fn placed(&self, mut error: Diagnostic) -> Diagnostic {
        if let (Some(line), Some(path)) = (self.line, &self.args.cases) {
            let place = format!("the case begins on line {line} of `{}`", name(path));
            let told = error.note.take().map_or(place.clone(), |note| format!("{note}; {place}"));
            error.note = Some(told.into());
        }
        error
    }

    /// An error explained; of a limit that ends the work on tables which are kept, how to go on.
    fn kept(&self, mut error: Diagnostic) -> Diagnostic {
        let used = self.ctx.session.tables.as_ref().filter(|dir| dir.is_used() && !disk::notes(dir.path()).is_empty());
        if let (Some(dir), None, true) = (used, &error.hint, error.code.is_limit()) {
            let room = if error.code == Code::L02 { " when there is room (`--memory`, the disk)" } else { "" };
            error.hint =
                Some(format!("what is done is kept in `{}`: the same command goes on{room}", dir.path().display()));
        }
        self.workspace.explained(error)
    }

    fn interrupted(&self) -> bool {
        self.workspace.interrupted.load(Ordering::Relaxed)
    }
}

fn name(path: &Path) -> String {
    if path.as_os_str() == "-" { "<stdin>".into() } else { path.display().to_string() }
}

struct Cases<'c, 'r> {
    run: &'c mut Run<'r>,
    loaded: &'c Loaded,
    base: &'c Given,
    /// The worst exit code, how many failed, and how many there were.
    code: u8,
    failed: usize,
    count: usize,
}

impl Taker for Cases<'_, '_> {
    type Case = Given;
    type Stop = Stop;

    fn object(&mut self, text: &[u8]) -> Result<(Given, usize), Option<Diagnostic>> {
        args::from_case(&self.loaded.program, self.base, text)
    }

    fn take(&mut self, place: cases::Place, case: Result<Given, Bad>) -> Result<(), Stop> {
        let index = place.index;
        self.run.line = Some(place.line);
        let one = self.run.case(index, case)?;
        self.code = worse(self.code, one);
        self.failed += usize::from(one != ANSWERED);
        self.count += 1;
        if self.run.interrupted() {
            let message = format!("interrupted after case {index}");
            return Err(Diagnostic::bare(Code::L03, message).hint("the cases after it are not answered").into());
        }
        Ok(())
    }

    /// Whoever waits for an answer before the next question gets it at once.
    fn wait(&mut self) -> Result<(), Stop> {
        // The time of a case is not that of the input.
        self.run.workspace.allow(None);
        self.run.out.flush()
    }
}
