//! Claims that become theorems: closed forms proved for all positions by induction, with the rules of the game themselves.
//!
//! What the rules and the closed form say of a position whose numbers are variables becomes formulas of
//! [first-order arithmetic](grundy_automata), and these are decided. Rule parameters and the lengths of lists are gone through one by one, a
//! proof each. Of games of heaps whose values have a certified period ([`periods`]) everything is known that periods tell, and
//! a claim about finitely many instances is proved by all of them. A closed form that fails is played through at its least
//! counterexample before it counts as refuted.
//!
//! In: the statements of a file and what proofs may take. Out: findings and, on demand, certificates. Rules and terms
//! become formulas in [`crate::logic`]; `induction` makes the statements of the induction of them. A rule that would end in an
//! error somewhere is never proved. What is proved of some rule parameters and lengths only is tried on small
//! positions. Otherwise no position is searched: a proof rests on rules, periods and other proofs alone (`docs/proving.md`).

mod bounds;
mod claims;
mod draws;
mod exhaustive_check;
mod induction;
mod one_move;
mod parameters;
pub mod periods;
mod proof_log;
mod reach;
mod relations;
mod theorems;
mod together;
mod translation;
mod wanted;

use crate::answer::{Finding, Kind, Verdict};
use crate::claims::{File, LOOK, Look, looked, looked_at_claim};
pub use crate::logic::facts::Certified;
use crate::logic::facts::{Claimed, Fact, Says, instance_text, same};
use crate::logic::symbol::{No, Sym, Wanted};
use crate::model::{Claim, GameId, Program, Question};
pub use crate::prover::claims::missing_case;
pub use crate::prover::exhaustive_check::played;
use crate::prover::induction::{Induction, Known, Proof, prove};
use crate::prover::parameters::{Twin, twin};
use crate::prover::periods::heaps::{Heaps, VALUES};
use crate::prover::periods::terms::Reader;
use crate::prover::proof_log::ProofLog;
pub use crate::prover::proof_log::{Argument, Decided, certificate};
use crate::prover::together::prove_together;
use crate::prover::translation::compared;
pub use crate::prover::translation::{Compared, moves_compared};
pub use crate::prover::wanted::Missing;
use crate::source::text::Span;
use crate::value::{Value, width};
use crate::vm::context::Context;
use grundy_automata::Limit;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Tries to prove every theorem and claim of the file and hands each finding to `tell` as it comes. The effort is a [`Duration`],
/// which they share, or an [`Effort`].
pub fn prove_file(ctx: &mut Context, effort: impl Into<Effort>, file: File<'_>, tell: &mut dyn FnMut(Finding)) {
    every(ctx, effort.into(), file, Run::default(), &mut |finding, _| tell(finding));
}

/// Like [`prove_file`], with how each statement was decided: for a second procedure, or for certificates.
pub fn arguments(
    ctx: &mut Context,
    effort: impl Into<Effort>,
    file: File<'_>,
    tell: &mut dyn FnMut(Finding, Argument),
) {
    every(ctx, effort.into(), file, Run { keep: true, ..Run::default() }, tell);
}

/// How a file is gone through.
#[derive(Clone, Copy, Debug, Default)]
pub struct Run<'r> {
    /// Keeps what was decided, for certificates.
    pub keep: bool,
    /// Statements that are left out.
    pub without: &'r [Span],
    /// Only statements of these titles (`claim "two heaps"`), in this order; of none, all, in the order of the file.
    pub order: &'r [String],
    /// Tells claims of other texts, too, and first.
    pub all: bool,
    /// Holds what is proved, as formulas, against the rules at single positions ([`Argument::compared`]).
    pub compare: bool,
}

/// Like [`prove_file`], with how each statement was decided.
pub fn every(ctx: &mut Context, effort: Effort, file: File<'_>, run: Run<'_>, tell: &mut dyn FnMut(Finding, Argument)) {
    let program = ctx.session.program.clone();
    let mut jobs: Vec<(Span, Job<'_>)> = Vec::new();
    for question in &program.questions {
        if let Question::Claim(claim) = question {
            jobs.push((claim.span, Job::Claim(claim)));
        }
    }
    for (id, game) in program.games.iter().enumerate() {
        for (i, theorem) in game.theorems.iter().enumerate() {
            // Theorems of other files help, but are not reported.
            jobs.push((theorem.span, Job::Theorem(GameId(id), i)));
        }
    }
    jobs.retain(|(span, _)| !run.without.contains(span));
    jobs.sort_by_key(|(span, _)| (span.source == file.own, span.source, span.start));
    if !run.order.is_empty() {
        let place = |job: Job<'_>| {
            let title = called(&undecided(&program, file, job));
            run.order.iter().position(|one| **one == *title)
        };
        jobs.retain(|(_, job)| place(*job).is_some());
        jobs.sort_by_key(|(_, job)| place(*job));
    }
    // A search looks at the clock now and then, and is to end in time.
    let deadline = effort.time.map(|time| Instant::now() + time.saturating_sub((time / 32).min(LATE)));
    let twin = twin(&program);
    let mut prover = Prover::new(ctx, &program, effort);
    prover.twin = Twin::beside(twin.as_ref());
    let own = |(span, job): (Span, _)| Waiting {
        job,
        own: run.all || span.source == file.own,
        tried: 0,
        told: None,
        open: true,
        misses: false,
        together: None,
    };
    let (mut waiting, mut proved): (VecDeque<Waiting<'_>>, usize) = (jobs.into_iter().map(own).collect(), 0);
    let untried = |one: &Waiting<'_>| one.told.is_none();
    // Each in the order of the file; then again what is open, as long as more was proved in between, for what stands below may help.
    while let Some(at) = waiting.iter().position(untried).or_else(|| {
        let time = deadline.is_none_or(|end| Instant::now() < end);
        let open = |one: &Waiting<'_>| time && one.open;
        let helped = waiting.iter().position(|one| open(one) && one.tried < proved);
        // Last, those that may need each other.
        helped.or_else(|| waiting.iter().position(|one| open(one) && one.misses && one.together != Some(proved)))
    }) {
        let again = waiting[at].told.is_some();
        let together = again && waiting[at].tried == proved;
        if together {
            waiting[at].together = Some(proved);
            prover.open = waiting.iter().filter(|one| one.open).filter_map(Waiting::named).collect();
        } else {
            prover.open.clear();
        }
        let left = waiting.iter().filter(|one| if again { one.open } else { untried(one) }).count();
        let desk = ProofLog::new(share(&mut prover, deadline, left), run.keep);
        let one = &mut waiting[at];
        one.tried = proved;
        let (finding, mut argument) = decided(&mut prover, file, one.job, desk, again);
        if run.compare {
            argument.compared = Some(prover.compared(&called(&finding)));
        }
        one.open = matches!(finding.verdict, Ok(Verdict::Unknown { .. }));
        one.misses = prover.twin.take_misses() || !prover.wanted.is_empty();
        proved += usize::from(matches!(&finding.verdict, Ok(verdict) if verdict.certificate().is_some()));
        if !again || !one.open {
            one.told = Some((finding, argument));
        }
        while let Some(one) = waiting.pop_front_if(|one| !one.open) {
            one.tell(tell);
        }
    }
    for one in waiting {
        one.tell(tell);
    }
}

/// A statement that is not told yet: one that is open waits for what is proved below it, and all behind it wait with it.
struct Waiting<'p> {
    job: Job<'p>,
    /// Whether it is of the file itself; others are not told.
    own: bool,
    /// How many were proved when it was last tried.
    tried: usize,
    told: Option<(Finding, Argument)>,
    open: bool,
    /// Whether some position was met of which nothing is proved.
    misses: bool,
    /// How many were proved when it was last tried together with others.
    together: Option<usize>,
}

impl<'p> Waiting<'p> {
    /// What is to be proved, and as what it is known.
    fn named(&self) -> Option<(Job<'p>, Rc<str>)> {
        Some((self.job, called(&self.told.as_ref()?.0)))
    }

    fn tell(self, tell: &mut dyn FnMut(Finding, Argument)) {
        if let Some((finding, argument)) = self.told.filter(|_| self.own) {
            tell(finding, argument);
        }
    }
}

/// The limits of the next proof. Of its time a tenth is left for a search for counterexamples, should the proof need more.
fn share(prover: &mut Prover<'_, '_>, deadline: Option<Instant>, left: usize) -> Limit {
    const LEAST: Duration = Duration::from_millis(200);
    let all = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    let share = all.map(|all| (all / width::short(left.max(1))).max(LEAST).min(all));
    prover.until = share.map(|share| Instant::now() + share);
    prover.effort.limit(prover.ctx, share.map(|share| share / 10 * 9))
}

fn decided<'p>(
    prover: &mut Prover<'_, 'p>,
    file: File<'_>,
    job: Job<'p>,
    desk: ProofLog,
    again: bool,
) -> (Finding, Argument) {
    prover.known.iter().for_each(|fact| fact.used.set(false));
    let (start, limit, keep) = (Instant::now(), desk.limit.clone(), desk.keeps());
    prover.wanted.clear();
    if prover.left().is_some_and(|left| left.is_zero()) {
        let mut finding = undecided(prover.program, file, job);
        finding.verdict = Ok(Verdict::Unknown { limit: "no time was left".to_string() });
        return (finding, desk.argument());
    }
    let early = if again { None } else { prover.refuted_early(file, job, 1) };
    let (mut finding, mut argument) = match early {
        Some(finding) => (finding, desk.argument()),
        None => prover.attempted(file, job, desk, again),
    };
    let own = called(&finding);
    argument.rests_on(&prover.known, &own);
    if let Ok(Verdict::Proved { .. }) = finding.verdict {
        prover.twin.proved_beside(job);
    } else if !matches!(finding.verdict, Ok(Verdict::Refuted))
        && let Some(told) = prover.for_all_parameters(job, &finding, &limit, keep)
    {
        match told {
            Ok(told) => (finding, argument) = told,
            Err(no) if matches!(finding.verdict, Ok(Verdict::Unknown { .. })) => {
                finding.verdict = Ok(Verdict::Unknown { limit: reason(file, &no) });
            }
            Err(_) => {}
        }
    }
    finding.seconds = start.elapsed().as_secs_f64();
    if matches!(finding.verdict, Ok(Verdict::Unknown { .. })) {
        // What the statement itself says helps last.
        let itself = |wanted: &Wanted| {
            let fact = prover.open_fact(job, &own, wanted, &Limit::default());
            fact.is_some_and(|fact| fact.speaks_of_all(prover.program))
        };
        let mut wanted: Vec<&Wanted> = prover.wanted.iter().filter(|wanted| !itself(wanted)).collect();
        if wanted.is_empty() {
            wanted.extend(&prover.wanted);
        }
        for wanted in wanted {
            let missing = wanted::question(prover.program, file, wanted);
            argument.missing.extend(missing.filter(|missing| !argument.missing.contains(missing)));
        }
    }
    (finding, argument)
}

/// A statement of which nothing is known.
fn undecided(program: &Program, file: File<'_>, job: Job<'_>) -> Finding {
    match job {
        Job::Claim(claim) => {
            let mut finding = Finding::new(file.name(), Kind::Claim, claim.title.clone(), claim.span);
            finding.negated = claim.negated;
            finding
        }
        Job::Theorem(id, index) => {
            let game = &program.games[id.0];
            let span = game.theorems[index].span;
            let title = format!("{}: {}", game.name, file.statement(span, "theorem"));
            Finding::new(file.name(), Kind::Theorem, title, span)
        }
    }
}

/// Tries to prove one claim by itself, then with other claims and those theorems of the file that are proved first.
/// Errors: it is not decided: what stands in the way.
pub fn prove_claim(ctx: &mut Context, effort: Effort, claim: &Claim) -> Result<Verdict, String> {
    let program = ctx.session.program.clone();
    let limit = effort.limit(ctx, effort.time);
    let mut finding = Finding::new("", Kind::Claim, String::new(), claim.span);
    let mut prover = Prover::new(ctx, &program, effort);
    let desk = ProofLog::new(limit, false);
    let alone = match prover.all_cases(claim, &desk, &mut finding) {
        Ok(verdict) => return Ok(verdict),
        Err(no) => no.why,
    };
    prover.take_theorems(&desk);
    if prover.known.is_empty() {
        return Err(alone);
    }
    prover.all_cases(claim, &desk, &mut finding).map_err(|no| no.why)
}

#[derive(Clone, Copy)]
enum Job<'p> {
    Claim(&'p Claim),
    Theorem(GameId, usize),
}

fn called(finding: &Finding) -> Rc<str> {
    format!("{} \"{}\"", finding.kind.word(), finding.title).into()
}

fn noted(text: String, notes: &BTreeSet<Rc<str>>) -> String {
    notes.iter().fold(text, |text, note| format!("{text}; certified period: {note}"))
}

fn reason(file: File<'_>, no: &No) -> String {
    match no.span {
        Some(span) => format!("`{}`: {}", file.statement(span, ""), no.why),
        None => no.why.clone(),
    }
}

/// What a search before any proof may take: many a false statement is false at once, and what is true is proved a moment later.
const FIRST: u64 = 3000;
const FIRST_TIME: Duration = Duration::from_millis(200);
/// Steps of the rules for each of its instances.
const FIRST_STEPS: u64 = 50;

/// The search before proofs with large automata looks so many times as far.
const FURTHER: u32 = 20;

/// A search may end so much later than it is told to.
const LATE: Duration = Duration::from_millis(300);
/// Automata with no more states and tests are small.
const SMALL_STATES: usize = 4000;
const SMALL_TESTS: usize = 80_000;

/// Limits of all proofs of a file. Without a limit of time the counts alone end the work, and every machine finds the same.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Time for all statements together; each gets a fair part of what is left.
    pub time: Option<Duration>,
    /// The most states of an automaton.
    pub states: usize,
    /// The most tests of bits in the transitions of an automaton.
    pub tests: usize,
    /// The most steps for all automata of a statement together ([`Limit::steps`]).
    pub steps: usize,
    /// The most instances that are searched for a counterexample before any proof; 0: none.
    pub first: u64,
    /// The most instances of an infinite range that are searched for a counterexample when a proof fails.
    pub instances: u64,
    /// The most heaps whose values are worked out in search of a period.
    pub heaps: usize,
}

impl Effort {
    /// How many instances a search looks at: where time ends it, no number does.
    fn looks(&self, instances: u64) -> u64 {
        if self.time.is_some() { u64::MAX } else { instances }
    }

    /// The limits of a proof that may take so much time.
    fn limit(&self, ctx: &Context, time: Option<Duration>) -> Limit {
        let (interrupted, deadline) = (ctx.limits.interrupted.clone(), time.map(|time| Instant::now() + time));
        let Effort { states, tests, steps, .. } = *self;
        Limit { states, tests, steps, deadline, interrupted, ..Limit::default() }
    }
}

impl Default for Effort {
    fn default() -> Self {
        let Limit { states, tests, steps, .. } = Limit::default();
        Effort { time: None, states, tests, steps, first: FIRST, instances: LOOK, heaps: VALUES }
    }
}

impl From<Duration> for Effort {
    fn from(time: Duration) -> Self {
        Effort { time: Some(time), ..Effort::default() }
    }
}

/// What proofs are made with, and what was proved so far.
struct Prover<'a, 'p> {
    ctx: &'a mut Context,
    program: &'p Program,
    known: Known<'p>,
    effort: Effort,
    heaps: Heaps,
    /// Whether closed forms may be learnt from periods.
    learns: bool,
    /// Whether one was missed since this was last said to be false.
    misses: bool,
    /// Of which positions a closed form would help the present statement.
    wanted: Vec<Wanted>,
    /// The statements that may be proved together with it.
    open: Vec<(Job<'p>, Rc<str>)>,
    /// When the time of the present statement is over.
    until: Option<Instant>,
    /// What a search found of the theorems of these games: one before any proof, by how far it looked, or one after, 0.
    looked: HashMap<(GameId, u32), Vec<Finding>>,
    /// The program with rule parameters as fields.
    twin: Twin<'p>,
}

impl<'a, 'p> Prover<'a, 'p> {
    fn new(ctx: &'a mut Context, program: &'p Program, effort: Effort) -> Prover<'a, 'p> {
        Prover {
            ctx,
            program,
            known: Rc::default(),
            effort,
            heaps: Heaps::new(effort.heaps),
            learns: true,
            misses: false,
            wanted: Vec::new(),
            open: Vec::new(),
            until: None,
            looked: HashMap::new(),
            twin: Twin::No,
        }
    }

    /// A proof with small automata, then with large ones: what needs these may be false a little further out, which is looked at in
    /// between.
    fn attempted(&mut self, file: File<'_>, job: Job<'p>, desk: ProofLog, again: bool) -> (Finding, Argument) {
        let Limit { states, tests, .. } = desk.limit;
        let (states, tests) = (states.min(SMALL_STATES), tests.min(SMALL_TESTS));
        let small = Limit { states, tests, exceeded: Arc::default(), ..desk.limit.clone() };
        if !again && self.effort.first > 0 {
            let (exceeded, brief) = (small.exceeded.clone(), ProofLog::new(small, desk.keeps()));
            let finding = self.judged(file, job, &brief, again);
            let open = matches!(finding.verdict, Ok(Verdict::Unknown { .. } | Verdict::ProvedPart { .. }));
            if !open || !exceeded.load(Ordering::Relaxed) {
                return (self.or_refuted(file, job, &brief, finding), brief.argument());
            }
            if let Some(refuted) = self.refuted_early(file, job, FURTHER) {
                return (refuted, brief.argument());
            }
            self.wanted.clear();
        }
        let finding = self.judged(file, job, &desk, again);
        (self.or_refuted(file, job, &desk, finding), desk.argument())
    }

    /// A statement that is known to be false of some instance is refuted by the first one that a search finds in the time that is left;
    /// where one is known, a smaller one is looked for in a short time.
    fn or_refuted(&mut self, file: File<'_>, job: Job<'p>, desk: &ProofLog, finding: Finding) -> Finding {
        const SMALLER: Duration = Duration::from_secs(2);
        let known = match finding.verdict {
            Ok(Verdict::Refuted) => true,
            Ok(Verdict::Unknown { .. }) => false,
            _ => return finding,
        };
        if desk.fails().is_none() {
            return finding;
        }
        let (time, instances) = (self.left(), self.effort.looks(self.effort.instances));
        let time = if known { time.map(|time| time.min(SMALLER)) } else { time };
        let look = Look { time, instances, steps: u64::MAX, only: None };
        let refuted = match job {
            Job::Claim(claim) => looked_at_claim(self.ctx, look, file, claim),
            Job::Theorem(game, index) => {
                let look = Look { only: Some(index), ..look };
                let mut seen = looked(self.ctx, look, file, game);
                Some(seen.swap_remove(index)).filter(|finding| matches!(finding.verdict, Ok(Verdict::Refuted)))
            }
        };
        refuted.unwrap_or_else(|| {
            let bound =
                if known { Some("a smaller counterexample may exist".to_string()) } else { finding.bound.clone() };
            Finding { bound, ..finding }
        })
    }

    fn judged(&mut self, file: File<'_>, job: Job<'p>, desk: &ProofLog, again: bool) -> Finding {
        match job {
            Job::Theorem(game, index) => self.theorem(file, game, index, desk),
            Job::Claim(claim) => self.claimed(file, claim, desk, again),
        }
    }

    /// A counterexample that a search finds before any proof, so many times as far as the first one looks: it is a smallest one.
    fn refuted_early(&mut self, file: File<'_>, job: Job<'p>, times: u32) -> Option<Finding> {
        let Effort { first, time, .. } = self.effort;
        let first = first.saturating_mul(times.into());
        let time = time.map(|_| (self.left().unwrap_or_default() / 4).min(FIRST_TIME * times.min(5)));
        let (ctx, look) =
            (&mut *self.ctx, Look { time, instances: first, steps: first.saturating_mul(FIRST_STEPS), only: None });
        if first == 0 {
            return None;
        }
        match job {
            Job::Claim(claim) => looked_at_claim(ctx, look, file, claim),
            Job::Theorem(game, index) => {
                let seen = self.looked.entry((game, times)).or_insert_with(|| looked(ctx, look, file, game));
                let seen = seen.get(index).filter(|finding| matches!(finding.verdict, Ok(Verdict::Refuted)));
                seen.cloned()
            }
        }
    }

    /// The time that is left for the present statement; `None`: there is no limit of time.
    fn left(&self) -> Option<Duration> {
        self.until.map(|until| until.saturating_duration_since(Instant::now()))
    }

    /// What a short search has against a theorem: a counterexample, or that it has no value somewhere, and then it is UNKNOWN. A second;
    /// without a limit of time 3000 positions, or fewer.
    fn against(&mut self, file: File<'_>, game: GameId, span: Span) -> Option<Finding> {
        let time = self.effort.time.map(|_| Duration::from_secs(1).min(self.left().unwrap_or_default()));
        let look =
            Look { time, instances: self.effort.looks(self.effort.instances.min(3000)), steps: u64::MAX, only: None };
        let ctx = &mut *self.ctx;
        let seen = self.looked.entry((game, 0)).or_insert_with(|| looked(ctx, look, file, game));
        let mut seen = seen.iter().find(|finding| finding.span == span)?.clone();
        match &seen.verdict {
            Ok(Verdict::Refuted) => Some(seen),
            Err(error) if !error.code.is_limit() => {
                seen.verdict = Ok(Verdict::Unknown { limit: error.message.clone() });
                Some(seen)
            }
            _ => None,
        }
    }

    /// Decides a case by a certified period, else by sentences; where sentences are kept, these come first. If they are of no use,
    /// the values of the fact's own heaps, or those that were missed, are learnt, and they are tried again.
    fn settle<T>(
        &mut self,
        fact: Option<&Fact<'p>>,
        desk: &ProofLog,
        by_period: impl Fn(&mut Self) -> Option<T>,
        by_sentences: impl Fn(&mut Self) -> Result<T, No>,
    ) -> Result<T, No> {
        if let Twin::Inside = self.twin {
            self.learns = false;
            return by_sentences(self);
        }
        if !desk.keeps()
            && let Some(settled) = by_period(self)
        {
            return Ok(settled);
        }
        (self.learns, self.misses) = (!desk.keeps(), false);
        let mut settled = by_sentences(self);
        if settled.is_err() && !self.learns {
            self.learns = true;
            if fact.is_some_and(|fact| self.learn(fact.game, &fact.params, &desk.limit)) || self.misses {
                settled = by_sentences(self);
            }
            settled = settled.or_else(|no| by_period(self).ok_or(no));
        }
        settled.map_err(|no| self.heaps.explained(no))
    }

    /// Tries to prove a closed form. Where a move leads from what it speaks of to what it does not, its numbers are taken in other orders,
    /// too, if that changes nothing, and positions without a move are taken as lost; then `fact` is the closed form with these.
    fn proved(&mut self, fact: &mut Rc<Fact<'p>>, which: &str, desk: &ProofLog) -> Result<Proof, No> {
        loop {
            let proof = prove(self.program, &self.known, fact, which.to_string(), desk);
            match &proof {
                Err(no) if self.learnt(no, &desk.limit) => continue,
                Err(no) => {
                    if let Some(wanted) = no.wanted.as_deref()
                        && let Some(induction) = self.together(fact, wanted, which, desk)
                    {
                        return Ok(Proof::Proved(induction));
                    }
                    self.wanted.extend(no.wanted.as_deref().cloned());
                }
                Ok(Proof::Leaves(_)) => {
                    let more =
                        self.with_orders(fact, which, desk).or_else(|| fact.with_ends(self.program).map(Rc::new));
                    if let Some(more) = more {
                        *fact = more;
                        continue;
                    }
                    let beside = wanted::beside(self.program, &self.known, fact);
                    if let Some(induction) = beside.iter().find_map(|wanted| self.together(fact, wanted, which, desk)) {
                        return Ok(Proof::Proved(induction));
                    }
                    self.wanted.extend(beside);
                }
                Ok(Proof::Proved(induction)) => self.rests_on(&induction.notes, desk),
                _ => {}
            }
            return proof;
        }
    }

    /// Tries to prove a closed form together with those of other statements that are open, as far as moves lead to their positions.
    fn together(&mut self, fact: &Rc<Fact<'p>>, wanted: &Wanted, which: &str, desk: &ProofLog) -> Option<Induction> {
        const MOST: usize = 8;
        let mut group = vec![fact.clone()];
        let mut wanted = Box::new(wanted.clone());
        while group.len() < MOST && !self.open.is_empty() {
            let open = std::mem::take(&mut self.open);
            let more = open.iter().find_map(|(job, title)| {
                let other = self.open_fact(*job, title, &wanted, &desk.limit)?;
                let known = |member: &Rc<Fact<'p>>| member.title == other.title && member.fits(&wanted.part);
                (!group.iter().any(known)).then_some(other)
            });
            self.open = open;
            group.push(Rc::new(more?));
            match prove_together(self.program, &self.known, &group, which, desk) {
                Ok(induction) => {
                    self.rests_on(&induction.notes, desk);
                    return Some(induction);
                }
                Err(no) => wanted = no.wanted?,
            }
        }
        None
    }

    /// What an open statement says of a component of which something is to be known, if it does.
    fn open_fact(&self, job: Job<'p>, title: &Rc<str>, wanted: &Wanted, limit: &Limit) -> Option<Fact<'p>> {
        let part = &wanted.part;
        let fact = match job {
            Job::Claim(claim) if !claim.negated => self.claim_about(claim, part, title, limit)?,
            Job::Theorem(game, index) if game == part.game => self.theorem_about(index, part, title)?,
            Job::Claim(_) | Job::Theorem(..) => return None,
        };
        let says = fact.says == Says::Grundy || !wanted.value;
        (says && fact.misere == wanted.misere && fact.fits(part)).then_some(fact)
    }

    /// Holds the closed forms that are proved by a statement against the rules. `Err`: where they differ.
    fn compared(&mut self, title: &str) -> Result<Compared, String> {
        /// So many of its cases.
        const MOST: usize = 8;
        let own: Vec<_> = self.known.iter().filter(|fact| &*fact.title == title && !fact.is_heap()).cloned().collect();
        let mut all = Compared::default();
        for fact in own.iter().rev().take(MOST) {
            all.add(compared(self.ctx, self.program, &self.known, fact)?);
        }
        Ok(all)
    }

    fn reader<'b>(&'b mut self, limit: &'b Limit) -> Reader<'b, 'p> {
        let Prover { ctx, program, heaps, .. } = self;
        Reader { ctx, program, heaps, limit, used: BTreeSet::new(), depth: 0, steps: 0 }
    }

    /// Keeps the certified periods that a proof rests on.
    fn rests_on(&self, notes: &BTreeSet<Rc<str>>, desk: &ProofLog) {
        for fact in self.known.iter() {
            if let Claimed::Word(word) = &fact.claimed
                && let Some(heaps) = &word.heaps
                && notes.contains(&heaps.text)
            {
                desk.heaps(heaps);
            }
        }
    }

    /// Takes up all theorems of the file that can be proved, half of the time for all of them.
    fn take_theorems(&mut self, desk: &ProofLog) {
        let start = Instant::now();
        let until = desk.limit.deadline.map(|at| start + at.saturating_duration_since(start) / 2);
        let limit = Limit { deadline: until, ..desk.limit.clone() };
        for (id, game) in self.program.games.iter().enumerate() {
            for index in 0..game.theorems.len() {
                let mut finding = Finding::new("", Kind::Theorem, String::new(), game.span);
                // One that is not proved is of no use here.
                let _ = self.theorem_cases(GameId(id), index, &ProofLog::new(limit.clone(), false), &mut finding);
            }
        }
    }

    fn learnt(&mut self, no: &No, limit: &Limit) -> bool {
        let Some(wanted) = no.wanted.as_deref().filter(|wanted| wanted.is_heap()) else { return false };
        self.misses = true;
        self.learns && self.learn(wanted.part.game, &wanted.part.params, limit)
    }

    /// Takes up the values of a game of heaps with a certified period; `false`: there is none, or it is too long.
    fn learn(&mut self, game: GameId, params: &[Sym], limit: &Limit) -> bool {
        if let Twin::Inside = self.twin {
            return false;
        }
        let again = |fact: &&Rc<Fact<'p>>| fact.game == game && same(&fact.params, params) && fact.is_heap();
        if self.known.iter().any(|fact| again(&fact)) {
            return false;
        }
        let Some(values) = params.iter().map(Sym::known).collect::<Option<Vec<Value>>>() else { return false };
        let Ok(heap) = self.heaps.of_game(self.ctx, game, &values, limit) else { return false };
        let Ok(word) = self.heaps.word(&heap, limit) else { return false };
        let heaps = Certified {
            of: instance_text(self.program, game, params),
            code: heap.code.clone(),
            automaton: word,
            text: heap.text.as_str().into(),
        };
        let fact = Fact::of_heap(self.program, game, params.to_vec(), heaps);
        Rc::make_mut(&mut self.known).push(Rc::new(fact));
        true
    }
}
