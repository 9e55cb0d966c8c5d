//! Judging what a file states: claims, theorems, `same as` and `expect` lines, always by the rules themselves.
//!
//! Nothing here is ever `PROVED`: a finite search ends in `VERIFIED`, with the bound that was reached.
//!
//! In: the statements of a file and a budget. Out: findings: VERIFIED up to a bound, REFUTED with a smallest
//! counterexample and a line of play, or why neither. Theorems are compared with answers in which theorems are not
//! used, so that nothing is its own witness.
//!
//! One clock is shared by all statements of a file.
//!

pub(crate) mod claim_sweep;
pub mod domain;
pub(crate) mod replay;
pub(crate) mod theorem;

use crate::answer::{Finding, Kind, Verdict};
pub(crate) use crate::claims::claim_sweep::{LOOK, each_instance, whole};
use crate::claims::theorem::grundy_value;
use crate::engines::{Choice, outcome_word, solve};
use crate::model::builtin::Builtin;
use crate::model::{Claim, Fact, Frame, GameId, Question, Term};
use crate::source::diagnostic::Code;
use crate::source::text::{SourceId, Sources, Span};
use crate::syntax::tree::FactMeasure;
use crate::value::fault::{Fault, Halt, Run};
use crate::value::limits::Limits;
use crate::value::{Position, Value, width};
use crate::vm::context::Context;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A short search for counterexamples, by the rules themselves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    /// `None`: without a limit of time only the counts end it.
    pub(crate) time: Option<Duration>,
    /// At most so many positions or instances.
    pub(crate) instances: u64,
    /// It ends with the size in which so many steps of the rules are done.
    pub(crate) steps: u64,
    /// Of a game this theorem alone.
    pub(crate) only: Option<usize>,
}

/// Looks at the theorems of one game: a finding each.
pub(crate) fn looked(ctx: &mut Context, look: Look, file: File<'_>, game: GameId) -> Vec<Finding> {
    let time = look.time.unwrap_or(Duration::MAX);
    let mut clock = Clock::new(&Budget { time, instances: look.instances, steps: None }, 1);
    clock.steps = Some(look.steps).filter(|steps| *steps < u64::MAX);
    within(ctx, time, |ctx| theorem::theorems(ctx, &mut clock, (file, game), look.only))
}

/// Looks at a claim: a finding if it is false at one of the smallest instances.
pub(crate) fn looked_at_claim(ctx: &mut Context, look: Look, file: File<'_>, claim: &Claim) -> Option<Finding> {
    let last_step = ctx.run.work().saturating_add(look.steps);
    let time = look.time.unwrap_or(Duration::MAX);
    let finding = claim_sweep::judged(ctx, time, (look.instances, last_step), file, claim);
    matches!(finding.verdict, Ok(Verdict::Refuted)).then_some(finding)
}

/// Judges statements that stand together.
type Job<'p> = Box<dyn FnOnce(&mut Context, &mut Clock) -> Vec<Finding> + 'p>;

/// The file that is judged: its texts, and which of them is the file itself.
#[derive(Clone, Copy)]
pub struct File<'s> {
    /// All sources.
    pub sources: &'s Sources,
    /// The file's own source: games of other sources are not judged.
    pub own: SourceId,
}

impl File<'_> {
    pub(crate) fn name(&self) -> &str {
        &self.sources.get(self.own).name
    }

    /// The statement at a place on one line, without the word in front.
    pub(crate) fn statement(&self, span: Span, word: &str) -> String {
        /// Longer statements are cut.
        const SHOWN: usize = 100;
        let text: Vec<&str> =
            self.sources.slice(span).lines().map(without_remark).flat_map(str::split_whitespace).collect();
        let text = text.join(" ");
        let text = text.strip_prefix(word).unwrap_or(&text).trim();
        if text.chars().count() <= SHOWN {
            return text.to_string();
        }
        text.chars().take(SHOWN - 3).chain("...".chars()).collect()
    }
}

/// A line up to its remark; a `#` inside quotes begins none.
fn without_remark(line: &str) -> &str {
    let mut quoted = false;
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '#' if !quoted => return &line[..at],
            _ => {}
        }
    }
    line
}

/// Judges every statement of the file in the order written and hands each finding to `tell` as it comes; all theorems
/// of a game come together. The time is shared fairly among what is still to be judged. The limits of `ctx` hold
/// besides; its hook must search and take no theorem on trust, as [`crate::engines::ask`] does. What is left at an
/// interrupt is UNKNOWN.
pub fn check(ctx: &mut Context, budget: &Budget, file: File<'_>, tell: &mut dyn FnMut(Finding)) {
    let program = ctx.session.program.clone();
    let mut jobs: Vec<(Span, usize, Job<'_>)> = Vec::new();
    for question in &program.questions {
        match question {
            Question::Claim(claim) => {
                let job: Job<'_> = Box::new(move |ctx, clock| vec![claim_sweep::claim(ctx, clock, file, claim)]);
                jobs.push((claim.span, 1, job));
            }
            Question::Expect { frame, position, facts, span } => {
                let job: Job<'_> = Box::new(move |ctx, clock| {
                    if clock.is_over() {
                        let mut finding =
                            Finding::new(file.name(), Kind::Expect, file.statement(*span, "expect"), *span);
                        finding.verdict = Ok(Verdict::Unknown { limit: "no time was left".to_string() });
                        return vec![finding];
                    }
                    let left = if clock.steps.is_some() { clock.left().max(LEAST) } else { clock.left() };
                    vec![within(ctx, left, |ctx| expect(ctx, file, frame, position, facts, *span))]
                });
                jobs.push((*span, 0, job));
            }
            Question::Solve { .. }
            | Question::Table { .. }
            | Question::Print { .. }
            | Question::Cases { .. }
            | Question::Given { .. } => {}
        }
    }
    for (id, game) in program.games.iter().enumerate() {
        if game.span.source != file.own {
            continue;
        }
        if let Some(first) = game.theorems.first() {
            jobs.push((
                first.span,
                1,
                Box::new(move |ctx, clock| theorem::theorems(ctx, clock, (file, GameId(id)), None)),
            ));
        }
        if let Some(first) = game.same.first() {
            jobs.push((first.span, 1, Box::new(move |ctx, clock| theorem::same(ctx, clock, file, GameId(id)))));
        }
    }
    jobs.sort_by_key(|(span, ..)| (span.source != file.own, span.source, span.start));
    ctx.limits.budget = Some(budget.time);
    let mut clock = Clock::new(budget, jobs.iter().map(|(_, weight, _)| weight).sum());
    for (.., job) in jobs {
        job(ctx, &mut clock).into_iter().for_each(&mut *tell);
    }
    ctx.limits.budget = None;
}

/// What one `check` of a file may use.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// Time for everything together; each statement gets a fair part of what is left. Where steps are counted it is for the few
    /// that take very long, and no statement gets less than five seconds. `Duration::MAX` is no limit.
    pub time: Duration,
    /// So many instances of a statement with an infinite range are compared at most.
    pub instances: u64,
    /// So many steps of the rules for all statements with an infinite range, in equal parts; `None`: steps do not count.
    pub steps: Option<u64>,
}

impl Default for Budget {
    /// Ten seconds.
    fn default() -> Self {
        Budget { time: Duration::from_secs(10), instances: 200_000, steps: None }
    }
}

impl Budget {
    /// A budget of steps, so that a statement is compared equally far on every machine: about a second for a file. The time is that of
    /// [`Budget::default`], for the few files where a step takes much longer than others.
    pub fn counted() -> Self {
        Budget { steps: Some(900_000), ..Budget::default() }
    }
}

pub(crate) struct Clock {
    end: Option<Instant>,
    left: u32,
    pub(crate) instances: u64,
    /// The steps of one statement.
    steps: Option<u64>,
}

/// No statement gets fewer steps than this.
const LEAST_STEPS: u64 = 150_000;

/// A statement about finitely many instances gets so many times the steps of another: it would be whole.
const FINITE: u64 = 4;

/// Where steps are counted, an `expect` line gets no less time than this.
const LEAST: Duration = Duration::from_millis(500);

impl Clock {
    pub(crate) fn new(budget: &Budget, statements: usize) -> Self {
        Clock {
            end: Instant::now().checked_add(budget.time),
            left: width::short(statements),
            instances: budget.instances,
            steps: budget.steps.map(|steps| (steps / statements.max(1) as u64).max(LEAST_STEPS)),
        }
    }

    /// Up to which count of [`crate::vm::run::RunState::work`] a statement may go on that begins now.
    pub(crate) fn last_step(&self, ctx: &Context, infinite: bool) -> u64 {
        let steps = self.steps.map(|steps| if infinite { steps } else { steps.saturating_mul(FINITE) });
        steps.map_or(u64::MAX, |steps| ctx.run.work().saturating_add(steps))
    }

    fn left(&self) -> Duration {
        self.end.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()))
    }

    pub(crate) fn share(&mut self) -> Duration {
        let share = self.left() / self.left.max(1);
        self.left = self.left.saturating_sub(1);
        // Where steps are counted, the time is only for those that take very long.
        if self.steps.is_some() { share.max(10 * LEAST) } else { share }
    }

    /// Whether there is no time for another statement.
    fn is_over(&self) -> bool {
        self.steps.is_none() && self.left().is_zero()
    }
}

/// Runs `work` with so much time, or without end for `Duration::MAX`; the time limit of the run holds besides.
pub(crate) fn within<T>(ctx: &mut Context, time: Duration, work: impl FnOnce(&mut Context) -> T) -> T {
    let until = Instant::now().checked_add(time).map(|until| (until, time));
    let narrow = |limits: &mut Limits| {
        limits.deadline = match (limits.deadline, until) {
            (Some(old), Some(until)) if until.0 < old.0 => Some(until),
            (old, until) => old.or(until),
        };
    };
    ctx.under(narrow, work)
}

/// The greatest round number that is no greater: one or two digits, and zeros.
pub(crate) fn round(n: u64) -> u64 {
    const ROUND: [u64; 10] = [80, 60, 50, 40, 30, 25, 20, 15, 12, 10];
    let mut scale = 1;
    while n / scale >= 100 {
        scale *= 10;
    }
    if n < 10 { n } else { ROUND.iter().map(|round| round * scale).find(|round| *round <= n).unwrap_or(n) }
}

/// A line of play by the rules alone, as texts: see [`crate::engines::line()`].
pub(crate) fn line(ctx: &mut Context, start: &Arc<Position>) -> Vec<String> {
    let line = crate::engines::line(ctx, start, true, false);
    line.moves.into_iter().map(|played| played.text).collect()
}

/// Counts the positions that a run meets, also those that are forgotten in between to save memory.
pub(crate) struct PositionCount {
    before: usize,
    forgotten: u64,
}

impl PositionCount {
    pub(crate) fn new(ctx: &Context) -> Self {
        PositionCount { before: ctx.components(), forgotten: 0 }
    }

    pub(crate) fn count(&self, ctx: &Context) -> u64 {
        self.forgotten + ctx.components().saturating_sub(self.before) as u64
    }

    /// Forgets all positions when they hold many graphs or a good part of the memory.
    pub(crate) fn tidy(&mut self, ctx: &mut Context) {
        if ctx.is_crowded() {
            self.forgotten = self.count(ctx);
            self.before = 0;
            ctx.forget();
        }
    }
}

pub(crate) fn expect(
    ctx: &mut Context,
    file: File<'_>,
    frame: &Frame,
    position: &Term,
    facts: &[Fact<Term>],
    span: Span,
) -> Finding {
    let start = Instant::now();
    let before = ctx.components();
    let mut finding = Finding::new(file.name(), Kind::Expect, file.statement(span, "expect"), span);
    let compared = ctx.with_recovery(|ctx| -> Run<(Vec<String>, Vec<String>)> {
        let value = ctx.eval(frame, position)?;
        let start = value.to_position().map_err(|fault| Halt::at(position.span, fault))?;
        let outcome = facts.iter().all(|fact| matches!(fact, Fact::Outcome(..)));
        let answer = solve(ctx, &start, Choice { exhaustive: true, moves: 0, remoteness: false, outcome })
            .map_err(|h| h.placed(position.span))?;
        let (mut claimed, mut found) = (Vec::new(), Vec::new());
        for fact in facts {
            let (word, wanted, got) = match fact {
                Fact::Outcome(outcome, _) => {
                    ("", Value::text(outcome_word(*outcome)), Value::text(outcome_word(answer.outcome)))
                }
                Fact::Measure(what, term, span) => {
                    let wanted = ctx.eval(frame, term)?;
                    let mut ask = |word| (ctx.session.hook)(ctx, word, &start).map_err(|halt| halt.placed(*span));
                    let (word, got) = match what {
                        FactMeasure::Grundy => match &answer.grundy {
                            Some(value) => ("grundy ", grundy_value(value)),
                            None => ("grundy ", ask(Builtin::Grundy)?),
                        },
                        FactMeasure::Score => ("score ", ask(Builtin::Score)?),
                        FactMeasure::Remoteness => ("remoteness ", ask(Builtin::Remoteness)?),
                        FactMeasure::Winning if answer.moves_refused.is_some() => {
                            let why = answer.moves_refused.clone().unwrap_or_default();
                            return Err(Fault::new(Code::L01, format!("the winning moves are not known: {why}")).into());
                        }
                        FactMeasure::Winning => ("winning ", Value::int(answer.winning.count.into())),
                    };
                    (word, wanted, got)
                }
            };
            if wanted != got {
                claimed.push(format!("{word}{wanted}"));
                found.push(format!("{word}{got}"));
            }
        }
        Ok((claimed, found))
    });
    finding.searched = 1;
    finding.positions = ctx.components().saturating_sub(before) as u64;
    finding.seconds = start.elapsed().as_secs_f64();
    match compared {
        Ok((claimed, _)) if claimed.is_empty() => finding.verdict = Ok(Verdict::Passed),
        Ok((claimed, found)) => {
            finding.verdict = Ok(Verdict::Failed);
            finding.claimed = Some(claimed.join(" "));
            finding.found = Some(found.join(" "));
        }
        Err(error) if error.code.is_limit() => {
            finding.verdict = Ok(Verdict::Unknown { limit: error.message.clone() });
        }
        Err(error) => finding.verdict = Err(error),
    }
    finding
}
