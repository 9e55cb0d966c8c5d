//! `grundy stress` and `grundy tests`: the cases of a file in order of size, then at random; held against a program, or written as files.

use crate::claims::{self, each_instance};
use crate::cli::args::{self, Binding, LimitArgs};
use crate::cli::complete;
use crate::cli::output::Output;
use crate::cli::program::{self, Ran};
use crate::cli::workspace::{ANSWERED, FAILED, LIMIT, Stop, Workspace};
use crate::cli::{eval, files, load};
use crate::contest::{self, Cases, Choices, Given};
use crate::model::walk::each_term;
use crate::model::{Clause, Format, Frame, Program, Question, Slot, TermKind};
use crate::report::{counted, duration, grouped, paint};
use crate::source::{Code, Diagnostic};
use crate::tuning;
use crate::value::limits::{Limits, start};
use crate::value::team::team;
use crate::value::{Halt, Value};
use crate::vm::context::Context;
use clap::Args;
use fastrand::Rng;
use serde_json::json;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// More programs at once get into each other's way.
const JOBS: usize = 64;

/// Which cases.
#[derive(Args, Clone, Debug)]
pub(crate) struct CasesArgs {
    /// The game file, with `format`, `print` and `cases` lines
    #[arg(add = complete::game_file())]
    file: PathBuf,
    /// Values for inputs that neither the `format` line nor the `cases` line names
    #[arg(value_name = "NAME=VALUE", value_parser = args::binding, add = complete::inputs())]
    inputs: Vec<Binding>,
    /// So many of the smallest cases
    #[arg(long, value_name = "N", default_value = "1000", value_parser = args::count)]
    smallest: u64,
    /// And so many at random, larger and larger
    #[arg(long, value_name = "N", default_value = "200", value_parser = args::count)]
    random: u64,
    /// What the random cases depend on
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  grundy stress stones.game -- ./a.out
  grundy stress stones.game --smallest 5000 --program-time 1s -- python3 mine.py")]
pub(crate) struct StressArgs {
    #[command(flatten)]
    cases: CasesArgs,
    /// The program, which reads a case from stdin and writes its answer to stdout, with its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    program: Vec<String>,
    /// So long may the program take for a case
    #[arg(long, value_name = "TIME", default_value = "2s", value_parser = args::time)]
    program_time: Duration,
    /// So many cases at once [default: one for each processor]
    #[arg(long, value_name = "N")]
    jobs: Option<std::num::NonZeroUsize>,
    /// Where the input of a difference is kept [default: `NAME.stress.in` for `NAME.game`, in the working directory]
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    /// Print a JSON object
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  grundy tests stones.game --into tests          # tests/0001.in, tests/0001.out, ..
  grundy tests stones.game --into tests --smallest 20 --random 30 --seed 7")]
pub(crate) struct TestsArgs {
    #[command(flatten)]
    cases: CasesArgs,
    /// The folder for the files; it is made if it is not there
    #[arg(long, value_name = "DIR", default_value = "tests")]
    into: PathBuf,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
}

/// A case: what is read, what should be answered.
#[derive(Clone)]
struct Case {
    given: Given,
    input: String,
    answer: String,
    /// What it was made of, if at random.
    choices: Vec<u64>,
}

/// What makes cases of a file.
struct Source<'p> {
    program: &'p Program,
    format: &'p Format,
    frame: &'p Frame,
    clauses: &'p [Clause],
    inputs: &'p [(Slot, usize)],
    base: Given,
}

impl<'p> Source<'p> {
    fn of(program: &'p Program, base: Given, file: &Path) -> Result<Self, Diagnostic> {
        let missing = |what: &str, hint: &str| {
            Diagnostic::bare(Code::D06, format!("`{}` has no `{what}` line", file.display())).hint(hint)
        };
        let Some(format) = &program.format else {
            return Err(missing("format", "say what a case looks like: `format n, heaps[n]`"));
        };
        if !program.questions.iter().any(|question| matches!(question, Question::Print { .. })) {
            return Err(missing("print", "say what a case answers: `print if wins(Nim(n)) then \"yes\" else \"no\"`"));
        }
        let cases = program.questions.iter().find_map(|question| match question {
            Question::Cases { frame, clauses, inputs, .. } => Some((frame, &clauses[..], &inputs[..])),
            _ => None,
        });
        let Some((frame, clauses, inputs)) = cases else {
            return Err(missing("cases", "say which cases there are: `cases for n in 1..20`"));
        };
        Ok(Source { program, format, frame, clauses, inputs, base })
    }

    /// The case of these values: written, read again, and answered.
    fn case(&self, ctx: &mut Context, slots: &[Slot], values: &[Value]) -> Result<Case, Box<Diagnostic>> {
        let mut given = self.base.clone();
        for (slot, input) in self.inputs {
            given[*input] = slots.iter().position(|s| s == slot).map(|at| values[at].clone());
        }
        let input = contest::written(ctx, self.format, &given).map_err(|mut error| {
            if error.code == Code::D01 {
                error.hint = Some("the `cases` line can give it a value: `m = size(edges(g))`".into());
            }
            error
        })?;
        let again = Cases::new(input.as_bytes(), self.format, self.base.clone()).and_then(|mut cases| {
            let read = cases.next(ctx)?;
            Ok((read, cases.rest()))
        });
        let wrong = |why: String| {
            let shown = shown(self.program, &given);
            Box::new(Diagnostic::new(Code::D02, self.format.span, format!("the case {shown} does not fit: {why}")))
        };
        let given = match again {
            Ok((Some(again), None)) if contest::written(ctx, self.format, &again)? == input => again,
            Ok((Some(_), None)) => return Err(wrong("its lengths are not those of the `format` line".into())),
            Ok((None, _)) => return Err(wrong("it would end the input".into())),
            Ok((_, Some(_))) => return Err(wrong("it has more words than the `format` line says".into())),
            Err(contest::Bad::Error(error)) => return Err(error),
            Err(contest::Bad::Misfit { misfit, input: which }) => {
                let name = which.map(|which| self.program.inputs[which].name.as_str());
                return Err(wrong(contest::told(&misfit, name, input.as_bytes()).message));
            }
        };
        ctx.give(given.clone());
        ctx.next_case();
        let answer = contest::printed(ctx, &mut |ctx, value| eval::position(ctx, value, false))?;
        if ctx.is_crowded() {
            ctx.forget();
        }
        Ok(Case { given, input, answer, choices: Vec::new() })
    }

    /// The case that these choices make.
    fn drawn(&self, ctx: &mut Context, mut choices: Choices<'_>, most: i64) -> Result<Drawn, Box<Diagnostic>> {
        // Counts and no clock: a seed means the same cases everywhere.
        let made = ctx.within_trial(tuning::RANDOM_CASE, |ctx| {
            let drawn = contest::sample(ctx, self.frame, self.clauses, &mut choices, most).map_err(Halt::Error)?;
            let Some(way) = drawn else { return Ok(Drawn::None) };
            let (slots, values): (Vec<Slot>, Vec<Value>) = way.into_iter().unzip();
            let case = self.case(ctx, &slots, &values).map_err(Halt::Error)?;
            Ok(Drawn::Case(Case { choices: choices.made(), ..case }))
        });
        match made {
            Ok(drawn) => Ok(drawn),
            Err(halt) if (halt.is_limit() || halt.code() == Some(Code::R06)) && !ctx.limits_reached() => {
                ctx.forget();
                Ok(Drawn::TooLarge)
            }
            // Forms of code that do not fit are seen to inside.
            Err(Halt::Deopt(_)) => Ok(Drawn::TooLarge),
            Err(Halt::Error(error)) => Err(error),
            Err(Halt::Fault(fault)) => Err(Box::new(fault.bare())),
        }
    }

    /// The moves that show who is right, of the first position that a `print` line asks about.
    fn line(&self, ctx: &mut Context, given: &Given) -> Option<(String, Vec<String>)> {
        ctx.give(given.clone());
        for question in &self.program.questions {
            let Question::Print { frame, values, clauses, .. } = question else { continue };
            let mut asked = Vec::new();
            for value in values.iter().filter(|_| clauses.is_empty()) {
                each_term(value, &mut |term| match &term.kind {
                    TermKind::Builtin(word, args) if word.is_question() => asked.extend(args.first()),
                    _ => {}
                });
            }
            for term in asked {
                // A term inside a comprehension reads what only that binds.
                let Ok(Value::Position(position)) = ctx.with_recovery(|ctx| ctx.eval(frame, term)) else { continue };
                let line = claims::line(ctx, &position);
                return Some((ctx.position_text(&position), line)).filter(|(_, line)| !line.is_empty());
            }
        }
        None
    }
}

/// What came of drawing a case.
enum Drawn {
    Case(Case),
    /// No way through the clauses was found.
    None,
    /// It cannot be answered soon.
    TooLarge,
}

/// `n = 3, heaps = [1, 2, 3]`
fn shown(program: &Program, given: &Given) -> String {
    let named = program.inputs.iter().zip(given).filter_map(|(input, value)| Some((input, value.as_ref()?)));
    named.map(|(input, value)| format!("{} = {}", input.name, value.inner_text())).collect::<Vec<_>>().join(", ")
}

/// What is wrong with an answer.
fn difference(ran: &Ran, case: &Case, time: Duration) -> Option<(&'static str, String)> {
    let answer = match ran {
        Ran::Answered(answer) => answer,
        Ran::Crashed(how) => return Some(("CRASH", how.clone())),
        Ran::Late => return Some((TIME_OUT, format!("no answer within {}", duration(time)))),
        Ran::Endless => return Some(("WRONG FORM", "the answer has no end".into())),
        Ran::Missing(why) => return Some((MISSING, why.clone())),
        // Told when all that wait are done with.
        Ran::Stopped => return None,
    };
    let Ok(text) = std::str::from_utf8(answer) else {
        return Some(("WRONG FORM", "the answer is not UTF-8".into()));
    };
    let (found, wanted): (Vec<&str>, Vec<&str>) =
        (text.split_whitespace().collect(), case.answer.split_whitespace().collect());
    if found == wanted {
        return None;
    }
    let number = |word: &&str| word.parse::<f64>().is_ok();
    let formed = found.len() == wanted.len() && found.iter().zip(&wanted).all(|(a, b)| number(a) == number(b));
    let shown = text.trim_end().to_string();
    Some((if formed { "WRONG ANSWER" } else { "WRONG FORM" }, if shown.is_empty() { "nothing".into() } else { shown }))
}

const TIME_OUT: &str = "TIME-OUT";

/// There is no such program.
const MISSING: &str = "MISSING";

/// What differs, where.
struct Found {
    case: Case,
    word: &'static str,
    told: String,
}

struct Stress<'a> {
    args: &'a StressArgs,
    jobs: usize,
    tried: u64,
    waiting: Vec<Case>,
    found: Option<Found>,
    limits: Limits,
}

impl Stress<'_> {
    /// What the program does wrong of a case.
    fn differs(&self, case: Case) -> Option<Found> {
        let ran = program::run(&self.args.program, &case.input, self.args.program_time, &self.limits);
        let (word, told) = difference(&ran, &case, self.args.program_time)?;
        Some(Found { case, word, told })
    }

    /// Runs the program on all cases that wait; the first difference in their order stays.
    fn drain(&mut self) -> Result<(), Box<Diagnostic>> {
        let cases = std::mem::take(&mut self.waiting);
        let (args, limits, stop) = (self.args, &self.limits, AtomicBool::new(false));
        let next = std::sync::atomic::AtomicUsize::new(0);
        let run = |_: usize, _: usize| {
            let mut ran = Vec::new();
            loop {
                let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                let Some(case) = cases.get(at) else { return ran };
                let one = program::run(&args.program, &case.input, args.program_time, limits);
                ran.extend(difference(&one, case, args.program_time).map(|found| (at, found)));
            }
        };
        let mut all: Vec<_> = team(self.jobs, &stop, run).into_iter().flatten().collect();
        all.sort_by_key(|(at, _)| *at);
        let first = all.into_iter().next();
        self.tried += first.as_ref().map_or(cases.len(), |(at, _)| at + 1) as u64;
        self.found = first.map(|(at, (word, told))| Found { case: cases[at].clone(), word, told });
        if self.found.is_none() { self.limits.check_clock().map_err(|fault| Box::new(fault.bare())) } else { Ok(()) }
    }
}

pub(super) fn run(args: &StressArgs, workspace: &mut Workspace, out: &mut Output) -> Result<u8, Stop> {
    let parsed = load::parse(&args.cases.file, &mut workspace.sources, &args.limits.allow_path)?;
    let (loaded, mut ctx) = parsed.check_with(&args.cases.inputs, workspace)?;
    let source = Source::of(&loaded.program, loaded.given.clone(), &args.cases.file)?;
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    let jobs = args.jobs.map_or(processors, std::num::NonZeroUsize::get).min(JOBS);
    let limits = ctx.limits.clone();
    let mut stress = Stress { args, jobs, tried: 0, waiting: Vec::new(), found: None, limits };
    let (mut made, mut batch) = (0, jobs);
    let mut visit = |ctx: &mut Context, slots: &[Slot], values: &[Value]| {
        stress.waiting.push(source.case(ctx, slots, values)?);
        made += 1;
        if stress.waiting.len() >= batch || made >= args.cases.smallest {
            stress.drain()?;
            batch = (batch * 2).min(64 * jobs);
        }
        Ok(stress.found.is_none() && made < args.cases.smallest)
    };
    let reached =
        if args.cases.smallest > 0 { each_instance(&mut ctx, source.frame, source.clauses, &mut visit)? } else { None };
    if stress.found.is_none() {
        stress.drain()?;
    }
    let smallest = stress.tried;
    let (mut rng, mut sizes) = (Rng::with_seed(args.cases.seed), Sizes::default());
    // Large cases may be beyond a search.
    ctx.options.theorems = true;
    ctx.run.theorems_used = false;
    // What cannot be listed can be drawn.
    if stress.found.is_none() && !(reached.is_some() && ctx.limits_reached()) {
        at_random(&source, &mut ctx, &mut stress, &mut rng, (args.cases.random, &mut sizes))?;
    }
    let random = stress.tried - smallest;
    if stress.found.is_none() {
        sizes.told(workspace);
    }
    if ctx.run.theorems_used {
        workspace.note("note: answers to random cases that are too large for a search come from theorems of the file");
    }
    let Some(found) = stress.found.take() else {
        if let Some(bound) = &reached {
            let why = if ctx.limits_reached() { "a limit came first" } else { "larger ones are too many to be listed" };
            workspace.note(&format!("note: {why}; {bound} were tried"));
        }
        if stress.tried == 0 {
            let hint = "`cases` admits none, or `--smallest` and `--random` are 0";
            let error = Diagnostic::bare(Code::D06, "no case was tried").hint(hint);
            return if reached.is_some() { Ok(LIMIT) } else { Err(error.into()) };
        }
        let code = reached.as_ref().map_or(ANSWERED, |_| LIMIT);
        if args.json {
            out.json(&json!({ "verdict": "SAME", "smallest": smallest, "random": random, "seed": args.cases.seed,
                "seconds": start().elapsed().as_secs_f64() }))?;
        } else {
            let word = paint::green("SAME");
            let (small, time) = (grouped(smallest), duration(start().elapsed()));
            let text = format!(
                "{word}  the {small} smallest cases and {} at random, seed {}; {time}\n",
                grouped(random),
                args.cases.seed
            );
            out.text(&text)?;
        }
        return Ok(code);
    };
    if found.word == MISSING {
        return Err(Diagnostic::bare(Code::D03, found.told).into());
    }
    let keep = args
        .keep
        .clone()
        .unwrap_or_else(|| PathBuf::from(args.cases.file.file_stem().unwrap_or_default()).with_extension("stress.in"));
    // What was found is told, whether it can be kept or not.
    let kept = files::write(&keep, found.case.input.as_bytes());
    let place = kept.is_ok().then(|| keep.display().to_string());
    let line = source.line(&mut ctx, &found.case.given);
    let at = shown(source.program, &found.case.given);
    if args.json {
        let (position, moves) = line.unzip();
        out.json(
            &json!({ "verdict": found.word, "case": at, "input": found.case.input, "expected": found.case.answer,
            "found": found.told, "position": position, "line": moves, "kept": place,
            "tried": stress.tried, "seed": args.cases.seed }),
        )?;
        kept?;
        return Ok(FAILED);
    }
    let mut text = format!("{}  {at}\n", paint::red(found.word));
    let mut add = |name: &str, body: &str| {
        let mut lines = body.trim_end().lines();
        let first = lines.next().unwrap_or_default();
        // To a text nothing fails.
        let _ = writeln!(text, "  {name:<9} {first}");
        lines.for_each(|line| {
            let _ = writeln!(text, "  {:<9} {line}", "");
        });
    };
    add("input", &found.case.input);
    add("expected", &found.case.answer);
    add("program", &found.told);
    if let Some((position, moves)) = &line {
        add("line", &format!("{position}: {}", moves.join(", ")));
    }
    if let Some(place) = &place {
        add("kept", place);
    }
    add("tried", &format!("{}, seed {}", counted(stress.tried, "case"), args.cases.seed));
    out.text(&text)?;
    out.flush()?;
    kept?;
    Ok(FAILED)
}

/// Random cases, larger and larger; one that differs is made small.
fn at_random(
    source: &Source<'_>,
    ctx: &mut Context,
    stress: &mut Stress<'_>,
    rng: &mut Rng,
    (count, sizes): (u64, &mut Sizes),
) -> Result<(), Box<Diagnostic>> {
    /// Doublings on the way, from 8.
    const DOUBLINGS: u64 = 17;

    for at in 0..count {
        let most = 8_i64 << (at * DOUBLINGS / count.max(1));
        if let Some(case) = sizes.case(source, ctx, rng, most)? {
            stress.waiting.push(case);
        }
        if stress.waiting.len() >= 8 * stress.jobs || at + 1 == count {
            stress.drain()?;
        }
        if let Some(found) = stress.found.take() {
            let found = redrawn(source, ctx, stress, found, (rng, sizes))?;
            stress.found = Some(lowered(source, ctx, stress, found));
            return Ok(());
        }
    }
    Ok(())
}

/// The last of some random cases, each smaller than the one before, that differ.
fn redrawn(
    source: &Source<'_>,
    ctx: &mut Context,
    stress: &Stress<'_>,
    mut found: Found,
    (rng, sizes): (&mut Rng, &mut Sizes),
) -> Result<Found, Box<Diagnostic>> {
    /// So many smaller cases are drawn, and so many of them tried.
    const TRIES: u64 = 400;
    const RUNS: u64 = 30;

    let mut runs = 0;
    for _ in 0..TRIES {
        // No number is as large as the largest of the smallest so far.
        let smaller = 1 + rng.i64(0..found.case.given.iter().flatten().map(largest).max().unwrap_or(0).max(1));
        let Some(case) = sizes.case(source, ctx, rng, smaller)? else { continue };
        if size(&case) >= size(&found.case) {
            continue;
        }
        runs += 1;
        if runs > RUNS {
            break;
        }
        found = stress.differs(case).unwrap_or(found);
    }
    Ok(found)
}

/// A case that differs of which no step that makes a choice smaller leads to another one, or the last one that was tried.
fn lowered(source: &Source<'_>, ctx: &mut Context, stress: &Stress<'_>, mut found: Found) -> Found {
    /// So many cases are made, so often the program is run, so often it is waited for.
    const TRIES: u64 = 4000;
    const RUNS: u64 = 300;
    const WAITS: u64 = 12;

    let (mut tries, mut runs, mut waits) = (0, 0, 0);
    let mut seen = HashSet::from([found.case.input.clone()]);
    // The error: enough was tried.
    let ended: Result<(), ()> = contest::lower(found.case.choices.clone(), &mut |choices| {
        tries += 1;
        if tries >= TRIES || runs >= RUNS || waits >= WAITS || ctx.limits_reached() {
            return Err(());
        }
        // What has no value or does not fit the format is no case.
        let Ok(Drawn::Case(case)) = source.drawn(ctx, Choices::again(choices), i64::MAX) else { return Ok(None) };
        if size(&case) > size(&found.case) || !seen.insert(case.input.clone()) {
            return Ok(None);
        }
        runs += 1;
        let made = case.choices.clone();
        let smaller = stress.differs(case);
        waits += u64::from(smaller.as_ref().is_some_and(|found| found.word == TIME_OUT));
        Ok(smaller.map(|smaller| {
            found = smaller;
            made
        }))
    });
    let (Ok(()) | Err(())) = ended;
    found
}

/// The sum of the numbers, lengths, vertices and edges of the inputs.
fn size(case: &Case) -> u64 {
    case.given.iter().flatten().map(Value::extent).fold(0, u64::saturating_add)
}

/// The largest number in a value, or how much else is in it.
fn largest(value: &Value) -> i64 {
    let members = match value {
        Value::Int(n) => return n.saturating_abs(),
        Value::Tuple(parts) => parts.to_vec(),
        Value::List(_) | Value::Set(_) | Value::Bag(_) => {
            crate::value::iterate(value).map(Iterator::collect).unwrap_or_default()
        }
        _ => return i64::try_from(value.extent()).unwrap_or(i64::MAX),
    };
    members.iter().map(largest).max().unwrap_or(0).max(i64::try_from(members.len()).unwrap_or(i64::MAX))
}

impl Default for Sizes {
    fn default() -> Self {
        Sizes { cap: i64::MAX, missed: [0; 2] }
    }
}

/// How large random cases may be: where one was too large to be answered, those behind it are smaller.
struct Sizes {
    cap: i64,
    /// How many were not found, and how many were too large.
    missed: [u64; 2],
}

impl Sizes {
    fn case(
        &mut self,
        source: &Source<'_>,
        ctx: &mut Context,
        rng: &mut Rng,
        most: i64,
    ) -> Result<Option<Case>, Box<Diagnostic>> {
        let most = most.min(self.cap);
        match source.drawn(ctx, Choices::random(rng), most)? {
            Drawn::Case(case) => return Ok(Some(case)),
            Drawn::None => self.missed[0] += 1,
            Drawn::TooLarge => {
                self.missed[1] += 1;
                self.cap = (most / 2).max(4);
            }
        }
        Ok(None)
    }

    /// Says what is missing.
    fn told(&self, workspace: &Workspace) {
        let [none, large] = self.missed;
        if none > 0 {
            workspace
                .note(&format!("note: {} random cases were not found, since a `where` was not met", grouped(none)));
        }
        if large > 0 {
            workspace.note(&format!("note: {} random cases were too large to be answered soon", grouped(large)));
        }
    }
}

/// Writes cases as files: `0001.in`, `0001.out`, ..
pub(super) fn tests(args: &TestsArgs, workspace: &mut Workspace, out: &mut Output) -> Result<u8, Stop> {
    let parsed = load::parse(&args.cases.file, &mut workspace.sources, &args.limits.allow_path)?;
    let (loaded, mut ctx) = parsed.check_with(&args.cases.inputs, workspace)?;
    let source = Source::of(&loaded.program, loaded.given.clone(), &args.cases.file)?;
    let mut cases: Vec<Case> = Vec::new();
    let mut visit = |ctx: &mut Context, slots: &[Slot], values: &[Value]| {
        cases.push(source.case(ctx, slots, values)?);
        Ok((cases.len() as u64) < args.cases.smallest)
    };
    let reached =
        if args.cases.smallest > 0 { each_instance(&mut ctx, source.frame, source.clauses, &mut visit)? } else { None };
    ctx.options.theorems = true;
    let (mut rng, mut sizes) = (Rng::with_seed(args.cases.seed), Sizes::default());
    if !(reached.is_some() && ctx.limits_reached()) {
        for at in 0..args.cases.random {
            let most = 8_i64 << (at * 17 / args.cases.random.max(1));
            cases.extend(sizes.case(&source, &mut ctx, &mut rng, most)?);
        }
    }
    workspace.note_theorems(&ctx);
    sizes.told(workspace);
    // What was made is written, however much time there was for making it.
    workspace.allow(None);
    std::fs::create_dir_all(&args.into).map_err(|error| files::unwritten(&args.into, &error))?;
    for (at, case) in cases.iter().enumerate() {
        let write = |name: String, text: &str| {
            let path = args.into.join(name);
            std::fs::write(&path, text).map_err(|error| {
                // Half a case is none.
                let _ = std::fs::remove_file(&path);
                files::unwritten(&path, &error)
            })
        };
        write(format!("{:04}.out", at + 1), &case.answer)?;
        write(format!("{:04}.in", at + 1), &case.input)?;
        if workspace.interrupted.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(Diagnostic::bare(Code::L03, format!("interrupted after {} cases", at + 1)).into());
        }
    }
    out.text(&format!("{} in {}\n", counted(cases.len() as u64, "case"), args.into.display()))?;
    if let Some(bound) = reached {
        workspace.note(&format!("note: a limit came first; {bound} were written"));
        return Ok(LIMIT);
    }
    Ok(ANSWERED)
}
