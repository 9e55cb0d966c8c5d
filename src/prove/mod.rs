//! Claims that become theorems: closed forms proved for all positions by induction, with the rules of the game themselves.
//!
//! What the rules and the closed form say of a position whose numbers are variables becomes formulas of
//! [`logic`](crate::logic), and these are decided. Rule parameters and the lengths of lists are gone through one by one, a
//! proof each. Of games of heaps whose values have a certified period ([`periods`]) everything is known that periods tell, and
//! a claim about finitely many instances is proved by all of them. A closed form that fails is played through at its least
//! counterexample before it counts as refuted.

mod certificate;
mod claims;
mod desk;
mod domain;
mod facts;
mod induct;
mod lists;
mod options;
mod periods;
mod places;
mod rank;
mod reads;
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
pub use claims::parts;
use claims::{Chosen, Follows, as_fact, follows, sweeps, written};
use desk::Desk;
pub use desk::{Argument, By, Case, Decided, Step};
use facts::Fact;
use induct::{Known, Proof, prove};
use num_bigint::{BigInt, BigUint};
use periods::heaps::Heaps;
pub use second::Opinion;
use std::collections::BTreeSet;
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
    let mut prover = Prover::new(machine, &program);
    for (done, (span, job)) in jobs.into_iter().enumerate() {
        let left = deadline.saturating_duration_since(Instant::now());
        let share = left / u32::try_from(count - done).unwrap_or(u32::MAX);
        let limit = Limit {
            deadline: Some(Instant::now() + share.max(Duration::from_millis(200))),
            interrupted: prover.machine.limits.interrupted.clone(),
            ..Limit::default()
        };
        let desk = Desk::new(limit, keep);
        prover.known.iter().for_each(|fact| fact.used.set(false));
        let start = Instant::now();
        let mut finding = match job {
            Job::Theorem(game, index) => theorems::theorem(&mut prover, file, game, index, &desk),
            Job::Claim(claim) => claimed(&mut prover, file, claim, &desk),
        };
        finding.seconds = start.elapsed().as_secs_f64();
        if span.source == file.own {
            let mut argument = desk.argument();
            let own = called(&finding);
            for fact in prover.known.iter().filter(|fact| fact.used.get() && fact.title != own && !fact.is_heap()) {
                if !argument.used.iter().any(|title| **title == *fact.title) {
                    argument.used.push(fact.title.to_string());
                }
            }
            tell(finding, argument);
        }
    }
}

/// Tries to prove one claim by itself, then with other claims and those theorems of the file that are proved first.
///
/// # Errors
/// It is not decided: what stands in the way.
pub fn prove_claim(machine: &mut Machine, time: Duration, before: &[&Claim], claim: &Claim) -> Result<Verdict, String> {
    let program = machine.program.clone();
    let limit = Limit {
        deadline: Some(Instant::now() + time),
        interrupted: machine.limits.interrupted.clone(),
        ..Limit::default()
    };
    let mut finding = Finding::new("", Kind::Claim, String::new(), claim.span);
    let mut prover = Prover::new(machine, &program);
    let desk = Desk::new(limit, false);
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

/// What proofs are made with, and what was proved so far.
struct Prover<'a, 'p> {
    machine: &'a mut Machine,
    program: &'p Program,
    known: Known<'p>,
    heaps: Heaps,
    /// Whether closed forms may be learnt from periods.
    learns: bool,
}

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

fn claimed<'p>(prover: &mut Prover<'_, 'p>, file: File<'_>, claim: &'p Claim, desk: &Desk) -> Finding {
    let mut finding = Finding::new(file.name(), Kind::Claim, claim.title.clone(), claim.span);
    finding.negated = claim.negated;
    match all_cases(prover, claim, desk, &mut finding) {
        Ok(verdict) => finding.verdict = Ok(verdict),
        Err(no) => match finite(prover, file, claim, desk) {
            Some(whole) => return whole,
            None => finding.verdict = Ok(Verdict::Unknown { limit: reason(file, &no) }),
        },
    }
    finding
}

/// A claim about finitely many instances, all of which were looked at, or any claim of which an instance is false that a
/// search finds: then it is the least one.
fn finite(prover: &mut Prover<'_, '_>, file: File<'_>, claim: &Claim, desk: &Desk) -> Option<Finding> {
    let time = desk.limit.deadline?.saturating_duration_since(Instant::now());
    let mut finding = crate::claim::whole(prover.machine, time, file, claim)?;
    if let Ok(Verdict::Verified) = finding.verdict {
        let certificate = match finding.searched {
            1 => "finite: played through completely".to_string(),
            count => format!("finite: {count} instances, each played through completely"),
        };
        desk.beside(&certificate);
        finding.verdict = Ok(Verdict::Proved { certificate });
    }
    Some(finding)
}

fn all_cases<'p>(
    prover: &mut Prover<'_, 'p>,
    claim: &'p Claim,
    desk: &Desk,
    finding: &mut Finding,
) -> Result<Verdict, No> {
    let title = called(finding);
    let swept = sweeps(prover.program, claim);
    // A range that is too long to be gone through may be a condition on one number.
    let whole = swept.is_none();
    let cases = swept.unwrap_or_else(|| vec![Vec::new()]);
    let mut proof = None;
    let count = cases.len();
    let mut least: Option<(BigInt, Vec<(usize, Value)>)> = None;
    for chosen in cases {
        let mut values: Option<Vec<(usize, Value)>> =
            chosen.iter().map(|(slot, value)| Some((*slot, value.known()?))).collect();
        let decided = one_case(prover, claim, &chosen, &title, desk).map_err(|no| prover.heaps.explained(no));
        let failing = match decided.map_err(|no| if whole { No::bare("there are too many cases") } else { no })? {
            Settled::Holds(certificate) => {
                proof = Some(certificate);
                None
            }
            Settled::Fails(numbers) => Some(numbers),
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
        return replay::claim(prover.machine, claim, &values, desk.limit.deadline, finding)
            .map_err(|why| No::bare(format!("the proof fails, but {why}")));
    }
    if whole {
        finding.bound = Some("the whole range".to_string());
    } else if count > 1 {
        finding.bound = Some(format!("all instances, in {count} cases with a proof each"));
    }
    proof.map(|certificate| Verdict::Proved { certificate }).ok_or_else(|| No::bare("there are no cases"))
}

/// What became of a claim when some of its variables are chosen.
enum Settled {
    /// It holds, by this proof.
    Holds(String),
    /// It fails for these values of the others.
    Fails(Vec<(usize, BigUint)>),
}

/// Decides one case: by certified periods, as what follows from what is proved, or by an induction of its own. Where
/// sentences are kept, they come before periods, which have none.
fn one_case<'p>(
    prover: &mut Prover<'_, 'p>,
    claim: &'p Claim,
    chosen: &Chosen,
    title: &Rc<str>,
    desk: &Desk,
) -> Result<Settled, No> {
    if !desk.keeps()
        && let Some(settled) = by_period(prover, claim, chosen, desk)
    {
        return Ok(settled);
    }
    prover.learns = !desk.keeps();
    let settled = by_sentences(prover, claim, chosen, title, desk);
    if prover.learns || settled.is_ok() {
        return settled;
    }
    if let Some(settled) = by_period(prover, claim, chosen, desk) {
        return Ok(settled);
    }
    prover.learns = true;
    by_sentences(prover, claim, chosen, title, desk)
}

/// By a certified period. What it says is learnt as values, where it is wanted.
fn by_period(prover: &mut Prover<'_, '_>, claim: &Claim, chosen: &Chosen, desk: &Desk) -> Option<Settled> {
    let Prover { machine, program, heaps, .. } = prover;
    Some(match periods::claim(machine, program, heaps, claim, chosen, &desk.limit).ok()? {
        (_, periods::Decided::Holds(certificate)) => {
            desk.beside(&certificate);
            Settled::Holds(certificate)
        }
        (slot, periods::Decided::Fails(n)) => Settled::Fails(vec![(slot, BigUint::from(n))]),
    })
}

fn by_sentences<'p>(
    prover: &mut Prover<'_, 'p>,
    claim: &'p Claim,
    chosen: &Chosen,
    title: &Rc<str>,
    desk: &Desk,
) -> Result<Settled, No> {
    let first = loop {
        match follows(prover.program, &prover.known, claim, chosen, which(claim, chosen), desk) {
            Ok(Follows::Yes(system, notes)) => {
                for note in &notes {
                    desk.beside(note);
                }
                let text = format!("it follows from what is proved, by automata, {}", system.word());
                return Ok(Settled::Holds(noted(text, &notes)));
            }
            Ok(Follows::No(numbers)) => return Ok(Settled::Fails(numbers)),
            Err(no) if prover.learnt(&no, &desk.limit) => {}
            Err(no) => break no,
        }
    };
    let fact = as_fact(prover.program, &prover.known, claim, chosen, title, &desk.limit);
    let fact = Rc::new(fact.map_err(|no| if prover.known.is_empty() || first.why.is_empty() { no } else { first })?);
    match prover.proved(&fact, &which(claim, chosen), desk) {
        Proof::Proved { system, statements, largest, notes } => {
            Rc::make_mut(&mut prover.known).push(fact);
            Ok(Settled::Holds(kind(system, statements, largest, &notes)))
        }
        Proof::Fails { numbers } => {
            let facts::Names::Slots(slots) = &fact.names else { return Err(No::bare("")) };
            Ok(Settled::Fails(slots.iter().flatten().copied().zip(numbers).collect()))
        }
        Proof::Open(no) => Err(no),
    }
}

impl<'a, 'p> Prover<'a, 'p> {
    /// Nothing is proved so far.
    fn new(machine: &'a mut Machine, program: &'p Program) -> Prover<'a, 'p> {
        Prover { machine, program, known: Rc::default(), heaps: Heaps::default(), learns: true }
    }

    /// Tries to prove a closed form by induction.
    fn proved(&mut self, fact: &Rc<Fact<'p>>, which: &str, desk: &Desk) -> Proof {
        loop {
            match prove(self.program, &self.known, fact, which.to_string(), desk) {
                Proof::Open(no) if self.learnt(&no, &desk.limit) => {}
                Proof::Proved { system, statements, largest, notes } => {
                    for note in &notes {
                        desk.beside(note);
                    }
                    return Proof::Proved { system, statements, largest, notes };
                }
                proof => return proof,
            }
        }
    }

    /// Takes up all theorems of the file that can be proved, half of the time for all of them.
    fn take_theorems(&mut self, desk: &Desk) {
        let start = Instant::now();
        let until = desk.limit.deadline.map(|at| start + at.saturating_duration_since(start) / 2);
        let limit = Limit { deadline: until, ..desk.limit.clone() };
        for (id, game) in self.program.games.iter().enumerate() {
            for index in 0..game.theorems.len() {
                let mut finding = Finding::new("", Kind::Theorem, String::new(), game.span);
                // One that is not proved is of no use here.
                let _ = theorems::cases(self, GameId(id), index, &Desk::new(limit.clone(), false), &mut finding);
            }
        }
    }

    /// Whether a refusal was for want of values of a game of heaps, and these are known now.
    fn learnt(&mut self, no: &No, limit: &Limit) -> bool {
        self.learns && no.wanted.as_deref().is_some_and(|(game, params)| self.learn(*game, params, limit))
    }

    /// Takes up the values of a game of heaps with a certified period; `false`: there is none, or it is too long.
    fn learn(&mut self, game: GameId, params: &[Sym], limit: &Limit) -> bool {
        let again = |fact: &&Rc<Fact<'p>>| fact.game == game && facts::same(&fact.params, params) && fact.is_heap();
        if self.known.iter().any(|fact| again(&fact)) {
            return false;
        }
        let Some(values) = params.iter().map(Sym::known).collect::<Option<Vec<Value>>>() else { return false };
        let Ok(heap) = self.heaps.of_game(self.machine, game, &values, limit) else { return false };
        let Ok(word) = self.heaps.word(&heap, limit) else { return false };
        let fact = Fact::of_heap(self.program, game, params.to_vec(), word, heap.text.clone());
        Rc::make_mut(&mut self.known).push(Rc::new(fact));
        true
    }
}

/// The values of the variables of a claim that are gone through, in words.
fn which(claim: &Claim, chosen: &Chosen) -> String {
    let shown = |(slot, value): &(usize, Sym)| {
        let value = value.known().map_or_else(String::new, |value| value.inner_text());
        format!("{} = {value}", claim.frame.slots[*slot].name)
    };
    chosen.iter().map(shown).collect::<Vec<_>>().join(", ")
}

/// What known numbers count towards the size of an instance.
fn size<'v>(values: impl Iterator<Item = &'v Sym>) -> BigInt {
    let number = |value: &Sym| if let Sym::Int(number) = value { number.constant().cloned() } else { None };
    values.filter_map(number).map(|number| BigInt::from(number.magnitude().clone())).sum()
}
