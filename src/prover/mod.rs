//! Claims that become theorems: closed forms proved for all positions by induction, with the rules of the game themselves.
//!
//! What the rules and the closed form say of a position whose numbers are variables becomes formulas of
//! [first-order arithmetic](grundy_automata), and these are decided. Rule parameters and the lengths of lists are gone through one by one, a
//! proof each. Of games of heaps whose values have a certified period ([`periods`]) everything is known that periods tell, and
//! a claim about finitely many instances is proved by all of them. A closed form that fails is played through at its least
//! counterexample before it counts as refuted.
//!
//! In: the statements of a file and what proofs may take. Out: findings and, on demand, certificates. `term` and
//! `words` evaluate terms with variables to sums, conditions and lists of known length; `domain` goes through clauses;
//! `options` says where moves lead; `scope` holds the variables that terms bring with them, each determined by those
//! around it, and what must hold so that a term has a value; `induct` makes the statements of the induction. That a
//! value is there is decided, too: a rule that would end in an error somewhere is never proved. What is proved of some
//! rule parameters and lengths only is tried on small positions, and is not called proved when search contradicts it.
//!
//! No position is searched here but to try what was found: a proof rests on rules, periods and other proofs alone
//! (`docs/proving.md`).

mod applicable_facts;
mod automatic_functions;
mod bounds;
mod calls;
mod cases;
mod certificate;
mod claims;
mod comparison;
mod deferred;
mod descents;
mod digit_sums;
mod digitwise;
mod domain;
mod effort;
mod exhaustive_check;
mod exponents;
mod facts;
mod golden;
mod induction;
mod lists;
mod move_theorems;
mod numbers;
mod obligations;
mod operators;
mod options;
mod periods;
mod progress;
mod proof_log;
mod questions;
mod rank;
mod same_as;
mod scope;
mod shapes;
mod symbol;
mod term;
mod theorems;
mod words;

use crate::answer::{Finding, Kind, Verdict};
use crate::claims::File;
use crate::model::{Claim, GameId, Question};
pub use crate::prover::cases::claim_cases;
use crate::prover::cases::{all_cases, claimed};
pub use crate::prover::certificate::certificate;
pub use crate::prover::claims::parts;
use crate::prover::deferred::{Deferred, Told, is_proved, unknown};
pub use crate::prover::effort::Effort;
pub use crate::prover::exhaustive_check::played;
pub use crate::prover::facts::Certified;
use crate::prover::progress::Prover;
use crate::prover::proof_log::ProofLog;
pub use crate::prover::proof_log::{Argument, Case, Decided, ProofMethod, Step};
use crate::prover::symbol::No;
use crate::source::text::Span;
use crate::vm::context::Context;
use grundy_automata::{Limit, System};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Tries to prove every theorem and claim of the file and hands each finding to `tell` as it comes. The effort is a [`Duration`],
/// which they share, or an [`Effort`].
pub fn prove_file(ctx: &mut Context, effort: impl Into<Effort>, file: File<'_>, tell: &mut dyn FnMut(Finding)) {
    every(ctx, effort.into(), file, false, &mut |finding, _| tell(finding));
}

/// Like [`prove_file`], with how each statement was decided: for a second procedure, or for certificates.
pub fn arguments(
    ctx: &mut Context,
    effort: impl Into<Effort>,
    file: File<'_>,
    tell: &mut dyn FnMut(Finding, Argument),
) {
    every(ctx, effort.into(), file, true, tell);
}

fn every(ctx: &mut Context, effort: Effort, file: File<'_>, keep: bool, tell: &mut dyn FnMut(Finding, Argument)) {
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
    jobs.sort_by_key(|(span, _)| (span.source == file.own, span.source, span.start));
    let deadline = effort.time.map(|time| Instant::now() + time);
    let mut prover = Prover::new(ctx, &program, effort);
    let (mut waiting, mut proved) = (Deferred::default(), 0);
    let count = jobs.len();
    for (done, (span, job)) in jobs.into_iter().enumerate() {
        let desk = ProofLog::new(share(&prover, deadline, count - done), keep);
        let (finding, argument) = decided(&mut prover, file, job, desk, false);
        let open = unknown(&finding).then_some((job, proved));
        proved += usize::from(is_proved(&finding));
        waiting.all.push_back(Told { finding, argument, own: span.source == file.own, open });
        waiting.tell(tell);
    }
    // What stands below may help.
    while let Some((at, job)) = waiting.helped(proved).filter(|_| deadline.is_none_or(|end| Instant::now() < end)) {
        let desk = ProofLog::new(share(&prover, deadline, waiting.open()), keep);
        let (finding, argument) = decided(&mut prover, file, job, desk, true);
        let open = unknown(&finding).then_some((job, proved));
        proved += usize::from(is_proved(&finding));
        waiting.settle(at, finding, argument, open);
    }
    waiting.all.iter_mut().for_each(|told| told.open = None);
    waiting.tell(tell);
}

/// The limits of one of so many statements that are left.
fn share(prover: &Prover<'_, '_>, deadline: Option<Instant>, left: usize) -> Limit {
    let share = deadline.map(|deadline| {
        deadline.saturating_duration_since(Instant::now()) / u32::try_from(left.max(1)).unwrap_or(u32::MAX)
    });
    Limit {
        states: prover.effort.states,
        tests: prover.effort.tests,
        deadline: share.map(|share| Instant::now() + share.max(Duration::from_millis(200))),
        interrupted: prover.ctx.limits.interrupted.clone(),
        ..Limit::default()
    }
}

/// One statement, for the first time or again.
fn decided<'p>(
    prover: &mut Prover<'_, 'p>,
    file: File<'_>,
    job: Job<'p>,
    desk: ProofLog,
    again: bool,
) -> (Finding, Argument) {
    prover.known.iter().for_each(|fact| fact.used.set(false));
    let start = Instant::now();
    let mut finding = match job {
        Job::Theorem(game, index) => theorems::theorem(prover, file, game, index, &desk),
        Job::Claim(claim) => claimed(prover, file, claim, &desk, again),
    };
    finding.seconds = start.elapsed().as_secs_f64();
    let mut argument = desk.argument();
    let own = called(&finding);
    for fact in prover.known.iter().filter(|fact| fact.used.get() && fact.title != own && !fact.is_heap()) {
        if !argument.used.iter().any(|title| **title == *fact.title) {
            argument.used.push(fact.title.to_string());
        }
    }
    (finding, argument)
}

/// Tries to prove one claim by itself, then with other claims and those theorems of the file that are proved first.
///
/// # Errors
/// It is not decided: what stands in the way.
pub fn prove_claim(ctx: &mut Context, effort: Effort, before: &[&Claim], claim: &Claim) -> Result<Verdict, String> {
    let program = ctx.session.program.clone();
    let limit = Limit {
        states: effort.states,
        tests: effort.tests,
        deadline: effort.time.map(|time| Instant::now() + time),
        interrupted: ctx.limits.interrupted.clone(),
        ..Limit::default()
    };
    let mut finding = Finding::new("", Kind::Claim, String::new(), claim.span);
    let mut prover = Prover::new(ctx, &program, effort);
    let desk = ProofLog::new(limit, false);
    let alone = match all_cases(&mut prover, claim, &desk, &mut finding) {
        Ok(verdict) => return Ok(verdict),
        Err(no) => no.why,
    };
    for lemma in before {
        // What is not proved is of no use here.
        let _ = all_cases(&mut prover, lemma, &desk, &mut finding);
    }
    prover.take_theorems(&desk);
    if prover.known.is_empty() {
        return Err(alone);
    }
    all_cases(&mut prover, claim, &desk, &mut finding).map_err(|no| no.why)
}

#[derive(Clone, Copy)]
enum Job<'p> {
    Claim(&'p Claim),
    Theorem(GameId, usize),
}

/// What a statement is called.
fn called(finding: &Finding) -> Rc<str> {
    format!("{} \"{}\"", finding.kind.word(), finding.title).into()
}

/// The name of a proof's kind, with what was proved before by other means.
fn kind(system: System, statements: usize, largest: usize, notes: &BTreeSet<Rc<str>>) -> String {
    let induction =
        format!("induction: {statements} statements decided by automata of up to {largest} states, {}", system.word());
    noted(induction, notes)
}

fn noted(text: String, notes: &BTreeSet<Rc<str>>) -> String {
    notes.iter().fold(text, |text, note| format!("{text}; certified period: {note}"))
}

/// What stands in the way, in words.
fn reason(file: File<'_>, no: &No) -> String {
    match no.span {
        Some(span) => format!("`{}`: {}", file.statement(span, ""), no.why),
        None => no.why.clone(),
    }
}
