//! Claims that become theorems: closed forms proved for all positions by induction, with the rules of the game themselves.
//!
//! What the rules and the closed form say of a position whose numbers are variables becomes formulas of
//! [`logic`](crate::logic), and these are decided. Rule parameters and the lengths of lists are gone through one by one, a
//! proof each. A closed form that fails is played through at its least counterexample before it counts as refuted.

mod certificate;
mod claims;
mod desk;
mod domain;
mod facts;
mod induct;
mod lists;
mod options;
mod places;
mod scope;
mod second;
mod singles;
mod symbol;
mod term;
mod theorems;
mod words;

use crate::answer::verdict::{Finding, Kind, Verdict};
use crate::check::model::{Claim, GameId, Program, Question};
use crate::claim::{File, replay};
use crate::logic::{Limit, System};
use crate::rules::machine::Machine;
use crate::rules::value::Value;
use crate::text::Span;
pub use certificate::certificate;
use claims::{Chosen, Follows, as_fact, follows, sweeps, written};
use desk::Desk;
pub use desk::{Argument, By, Case, Decided, Step};
use induct::{Known, Proof, prove};
use num_bigint::BigInt;
pub use second::Opinion;
use std::rc::Rc;
use std::time::{Duration, Instant};
use symbol::{No, Sym};

/// Tries to prove every theorem and claim of the file and hands each finding to `tell` as it comes. The time is shared.
pub fn prove_file(machine: &mut Machine, time: Duration, file: File<'_>, tell: &mut dyn FnMut(Finding)) {
    every(machine, time, file, false, &mut |finding, _| tell(finding));
}

/// The same with how each statement was decided: for a second procedure, or for certificates.
pub fn arguments(machine: &mut Machine, time: Duration, file: File<'_>, tell: &mut dyn FnMut(Finding, Argument)) {
    every(machine, time, file, true, tell);
}

fn every(machine: &mut Machine, time: Duration, file: File<'_>, keep: bool, tell: &mut dyn FnMut(Finding, Argument)) {
    let program = machine.program.clone();
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
    let deadline = Instant::now() + time;
    let count = jobs.len();
    let mut known: Known<'_> = Rc::default();
    for (done, (span, job)) in jobs.into_iter().enumerate() {
        let left = deadline.saturating_duration_since(Instant::now());
        let share = left / u32::try_from(count - done).unwrap_or(u32::MAX);
        let limit = Limit {
            deadline: Some(Instant::now() + share.max(Duration::from_millis(200))),
            interrupted: machine.limits.interrupted.clone(),
            ..Limit::default()
        };
        let desk = Desk::new(limit, keep);
        known.iter().for_each(|fact| fact.used.set(false));
        let start = Instant::now();
        let mut finding = match job {
            Job::Theorem(game, index) => theorems::theorem(machine, &program, &mut known, file, game, index, &desk),
            Job::Claim(claim) => claimed(machine, &program, &mut known, file, claim, &desk),
        };
        finding.seconds = start.elapsed().as_secs_f64();
        if span.source == file.own {
            let mut argument = desk.argument();
            let own = called(&finding);
            for fact in known.iter().filter(|fact| fact.used.get() && fact.title != own) {
                if !argument.used.iter().any(|title| **title == *fact.title) {
                    argument.used.push(fact.title.to_string());
                }
            }
            tell(finding, argument);
        }
    }
}

/// Tries to prove one claim by itself; `None`: it is not decided.
pub fn prove_claim(machine: &mut Machine, time: Duration, claim: &Claim) -> Option<Verdict> {
    let program = machine.program.clone();
    let limit = Limit {
        deadline: Some(Instant::now() + time),
        interrupted: machine.limits.interrupted.clone(),
        ..Limit::default()
    };
    let mut finding = Finding::new("", Kind::Claim, String::new(), claim.span);
    all_cases(machine, &program, &mut Rc::default(), claim, &Desk::new(limit, false), &mut finding).ok()
}

enum Job<'p> {
    Claim(&'p Claim),
    Theorem(GameId, usize),
}

/// What a statement is called.
fn called(finding: &Finding) -> Rc<str> {
    format!("{} \"{}\"", finding.kind.word(), finding.title).into()
}

/// The name of a proof's kind.
fn kind(system: System, statements: usize, largest: usize) -> String {
    format!("induction: {statements} statements decided by automata of up to {largest} states, {}", system.word())
}

/// What stands in the way, in words.
fn reason(file: File<'_>, no: &No) -> String {
    match no.span {
        Some(span) => format!("`{}`: {}", file.statement(span, ""), no.why),
        None => no.why.clone(),
    }
}

fn claimed<'p>(
    machine: &mut Machine,
    program: &'p Program,
    known: &mut Known<'p>,
    file: File<'_>,
    claim: &'p Claim,
    desk: &Desk,
) -> Finding {
    let mut finding = Finding::new(file.name(), Kind::Claim, claim.title.clone(), claim.span);
    finding.negated = claim.negated;
    finding.verdict = match all_cases(machine, program, known, claim, desk, &mut finding) {
        Ok(verdict) => Ok(verdict),
        Err(no) => Ok(Verdict::Unknown { limit: reason(file, &no) }),
    };
    finding
}

fn all_cases<'p>(
    machine: &mut Machine,
    program: &'p Program,
    known: &mut Known<'p>,
    claim: &'p Claim,
    desk: &Desk,
    finding: &mut Finding,
) -> Result<Verdict, No> {
    let Some(cases) = sweeps(program, claim) else { return Err(No::bare("there are too many cases")) };
    let title = called(finding);
    let mut proof = None;
    let count = cases.len();
    let mut least: Option<(BigInt, Vec<(usize, Value)>)> = None;
    for chosen in cases {
        let mut values: Option<Vec<(usize, Value)>> =
            chosen.iter().map(|(slot, value)| Some((*slot, number(value)?))).collect();
        let by_known = if known.is_empty() {
            Err(No::bare(""))
        } else {
            follows(program, known, claim, &chosen, which(claim, &chosen), desk)
        };
        let failing = match by_known {
            Ok(Follows::Yes(system)) => {
                proof = Some(format!("it follows from what is proved, by automata, {}", system.word()));
                None
            }
            Ok(Follows::No(numbers)) => Some(numbers),
            Err(first) => match as_fact(program, known, claim, &chosen, &title) {
                Err(no) => return Err(if known.is_empty() || first.why.is_empty() { no } else { first }),
                Ok(fact) => {
                    let (names, fact) = (fact.names.clone(), Rc::new(fact));
                    match prove(program, known, &fact, which(claim, &chosen), desk) {
                        Proof::Proved { system, statements, largest } => {
                            proof = Some(kind(system, statements, largest));
                            Rc::make_mut(known).push(fact);
                            None
                        }
                        Proof::Fails { numbers } => {
                            let facts::Names::Slots(slots) = names else { return Err(No::bare("")) };
                            Some(slots.into_iter().flatten().zip(numbers).collect())
                        }
                        Proof::Open(no) => return Err(no),
                    }
                }
            },
        };
        if let Some(numbers) = failing {
            let size = size(chosen.iter().map(|(_, value)| value))
                + numbers.iter().map(|(_, number)| written(number)).sum::<BigInt>();
            if let Some(values) = &mut values {
                values.extend(numbers.into_iter().map(|(slot, number)| (slot, Value::int(written(&number)))));
            }
            let values = values.unwrap_or_default();
            if least.as_ref().is_none_or(|(smallest, _)| size < *smallest) {
                least = Some((size, values));
            }
        }
    }
    if let Some((_, values)) = least {
        return replay::claim(machine, claim, &values, desk.limit.deadline, finding)
            .map_err(|why| No::bare(format!("the induction fails, but {why}")));
    }
    if count > 1 {
        finding.bound = Some(format!("all instances, in {count} cases with a proof each"));
    }
    proof.map(|certificate| Verdict::Proved { certificate }).ok_or_else(|| No::bare("there are no cases"))
}

/// The values of the variables of a claim that are gone through, in words.
fn which(claim: &Claim, chosen: &Chosen) -> String {
    let shown = |(slot, value): &(usize, Sym)| {
        let value = number(value).map_or_else(String::new, |value| value.inner_text());
        format!("{} = {value}", claim.frame.slots[*slot].name)
    };
    chosen.iter().map(shown).collect::<Vec<_>>().join(", ")
}

/// What known numbers count towards the size of an instance.
fn size<'v>(values: impl Iterator<Item = &'v Sym>) -> BigInt {
    let number = |value: &Sym| if let Sym::Int(number) = value { number.constant().cloned() } else { None };
    values.filter_map(number).map(|number| BigInt::from(number.magnitude().clone())).sum()
}

/// A number that is known, as a value.
fn number(value: &Sym) -> Option<Value> {
    match value {
        Sym::Int(number) => Some(Value::int(number.constant()?.clone())),
        _ => None,
    }
}
