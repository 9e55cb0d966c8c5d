//! Claims: case by case, each by what can decide it.

use crate::answer::{Finding, Kind, Verdict};
use crate::claims::File;
use crate::claims::replay;
use crate::claims::replay::Denied;
use crate::model::kind::Kind as Domain;
use crate::model::walk::some_term;
use crate::model::{Claim, Program, TermKind};
use crate::prover::claims::{Chosen, Follows, as_fact, follows, sweeps, written};
use crate::prover::facts::{Fact, Says};
use crate::prover::induction::Proof;
use crate::prover::obligations::LEAVES;
use crate::prover::progress::Prover;
use crate::prover::proof_log::ProofLog;
use crate::prover::symbol::{No, Sym};
use crate::prover::{called, kind, noted, periods, reason};
use crate::value::Value;
use num_bigint::{BigInt, BigUint};
use std::rc::Rc;
use std::time::Instant;

/// One claim; a search of small instances where it is not proved, unless it is tried `again`.
pub(super) fn claimed<'p>(
    prover: &mut Prover<'_, 'p>,
    file: File<'_>,
    claim: &'p Claim,
    desk: &ProofLog,
    again: bool,
) -> Finding {
    let mut finding = Finding::new(file.name(), Kind::Claim, claim.title.clone(), claim.span);
    finding.negated = claim.negated;
    match all_cases(prover, claim, desk, &mut finding) {
        Ok(verdict) => finding.verdict = Ok(verdict),
        Err(no) => match (!again).then(|| finite(prover, file, claim, desk)).flatten() {
            Some(whole) => return whole,
            None => finding.verdict = Ok(Verdict::Unknown { limit: reason(file, &no) }),
        },
    }
    finding
}

/// A claim about finitely many instances, all of which were looked at, or any claim of which an instance is false that a
/// search finds: then it is the least one.
fn finite(prover: &mut Prover<'_, '_>, file: File<'_>, claim: &Claim, desk: &ProofLog) -> Option<Finding> {
    let time = desk.limit.deadline.map(|at| at.saturating_duration_since(Instant::now()));
    let mut finding = crate::claims::whole(prover.ctx, time, prover.effort.instances, file, claim)?;
    if let Ok(Verdict::Verified) = finding.verdict {
        let certificate = match finding.searched {
            1 => "finite: played through completely".to_string(),
            count => format!("finite: {count} instances, each played through completely"),
        };
        desk.played(finding.searched);
        prover.known.iter().for_each(|fact| fact.used.set(false));
        finding.verdict = Ok(Verdict::Proved { certificate });
    }
    Some(finding)
}

pub(super) fn all_cases<'p>(
    prover: &mut Prover<'_, 'p>,
    claim: &'p Claim,
    desk: &ProofLog,
    finding: &mut Finding,
) -> Result<Verdict, No> {
    let title = called(finding);
    let swept = sweeps(prover.program, claim);
    // A range that is too long to be gone through may be a condition on one number.
    let whole = swept.is_none();
    let cases = swept.unwrap_or_else(|| vec![Vec::new()]);
    let mut proof = None;
    let count = cases.len();
    let mut least: Option<Least> = None;
    for chosen in cases {
        let mut values: Option<Vec<(usize, Value)>> =
            chosen.iter().map(|(slot, value)| Some((*slot, value.known()?))).collect();
        let decided = one_case(prover, claim, &chosen, &title, desk).map_err(|no| prover.heaps.explained(no));
        let failing = match decided.map_err(|no| if whole { No::bare("there are too many cases") } else { no })? {
            Settled::Holds(certificate) => {
                proof = Some(certificate);
                None
            }
            Settled::Fails(numbers) => Some((numbers, None)),
            Settled::Denied(numbers, by) => Some((numbers, Some(by))),
        };
        if let Some((numbers, proved)) = failing {
            let size = size(chosen.iter().map(|(_, value)| value))
                + numbers.iter().map(|(_, number)| written(number)).sum::<BigInt>();
            if let Some(values) = &mut values {
                values.extend(numbers.into_iter().map(|(slot, number)| (slot, Value::int(written(&number)))));
            }
            let values = values.unwrap_or_default();
            if least.as_ref().is_none_or(|(smallest, ..)| size < *smallest) {
                least = Some((size, values, proved));
            }
        }
    }
    if let Some((_, values, proved)) = least {
        return replay::claim(prover.ctx, claim, &values, proved, desk.limit.deadline, finding)
            .map_err(|why| No::bare(format!("the proof fails, but {why}")));
    }
    if whole {
        finding.bound = Some("the whole range".to_string());
    } else if count > 1 {
        finding.bound = Some(format!("all instances, in {count} cases with a proof each"));
    }
    proof.map(|certificate| Verdict::Proved { certificate }).ok_or_else(|| No::bare("there are no cases"))
}

/// An instance that fails: its size, its values, and why that is certain before it is played through.
type Least = (BigInt, Vec<(usize, Value)>, Option<Denied>);

/// What became of a claim when some of its variables are chosen.
enum Settled {
    /// It holds, by this proof.
    Holds(String),
    /// It fails for these values of the others.
    Fails(Vec<(usize, BigUint)>),
    /// The same, and it is certain.
    Denied(Vec<(usize, BigUint)>, Denied),
}

/// Decides one case: by certified periods, as what follows from what is proved, or by an induction of its own. Where
/// sentences are kept, they come before periods, which have none.
fn one_case<'p>(
    prover: &mut Prover<'_, 'p>,
    claim: &'p Claim,
    chosen: &Chosen,
    title: &Rc<str>,
    desk: &ProofLog,
) -> Result<Settled, No> {
    if !desk.keeps()
        && let Some(settled) = by_period(prover, claim, chosen, desk)
    {
        return Ok(settled);
    }
    (prover.learns, prover.misses) = (!desk.keeps(), false);
    let settled = by_sentences(prover, claim, chosen, title, desk);
    if prover.learns || settled.is_ok() {
        return settled;
    }
    prover.learns = true;
    if !prover.misses {
        return by_period(prover, claim, chosen, desk).map_or(settled, Ok);
    }
    match by_sentences(prover, claim, chosen, title, desk) {
        Err(no) => by_period(prover, claim, chosen, desk).ok_or(no),
        settled => settled,
    }
}

/// By a certified period. What it says is learnt as values, where it is wanted.
fn by_period(prover: &mut Prover<'_, '_>, claim: &Claim, chosen: &Chosen, desk: &ProofLog) -> Option<Settled> {
    let Prover { ctx, program, heaps, .. } = prover;
    Some(match periods::claim(ctx, program, heaps, claim, chosen, &desk.limit).ok()? {
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
    desk: &ProofLog,
) -> Result<Settled, No> {
    let first = loop {
        match follows(prover.program, &prover.known, claim, chosen, which(claim, chosen), desk) {
            Ok(Follows::Yes(system, notes)) => {
                prover.rests_on(&notes, desk);
                let text = format!("it follows from what is proved, by automata, {}", system.word());
                return Ok(Settled::Holds(noted(text, &notes)));
            }
            Ok(Follows::No(numbers)) => return Ok(Settled::Denied(numbers, Denied::Proved)),
            Err(no) if prover.learnt(&no, &desk.limit) => {}
            Err(no) => break no,
        }
    };
    let fact = as_fact(prover.program, &prover.known, claim, chosen, title, &desk.limit);
    let own = prover.known.is_empty() && asks(claim);
    let fact = Rc::new(fact.map_err(|no| if own || first.why.is_empty() { no } else { first })?);
    match prover.proved(&fact, &which(claim, chosen), desk) {
        Proof::Proved { system, statements, largest, notes } => {
            Rc::make_mut(&mut prover.known).push(fact);
            Ok(Settled::Holds(kind(system, statements, largest, &notes)))
        }
        Proof::Fails { numbers, sure } => {
            let named = fact.named(numbers).ok_or_else(|| No::bare("a counterexample of no names"))?;
            Ok(if sure { Settled::Denied(named, Denied::Least) } else { Settled::Fails(named) })
        }
        Proof::Open(no) => Err(if no.why.starts_with(LEAVES) { beyond(prover.program, &fact, &no) } else { no }),
    }
}

/// Whether a claim asks anything about positions.
fn asks(claim: &Claim) -> bool {
    some_term(&claim.condition, |term| matches!(&term.kind, TermKind::Builtin(word, _) if word.is_question()))
}

/// A claim about some positions of a game, from which moves lead to others: what would help.
fn beyond(program: &Program, fact: &Fact<'_>, no: &No) -> No {
    let game = &program.games[fact.game.0];
    let numbers = game.fields.iter().all(|field| matches!(field.kind, Domain::Nat));
    let from = no.why.trim_start_matches(LEAVES).trim_start_matches(" at");
    let mut why = format!(
        "moves lead from its positions to others of which nothing is proved, from{from}; it is decided if it follows from a \
         statement in the file about all positions of `{}` that is proved",
        game.name
    );
    if numbers {
        let names: Vec<&str> = game.fields.iter().map(|field| field.name.as_str()).collect();
        let names = names.join(", ");
        let word = if fact.says == Says::Grundy { "grundy" } else { "loses" };
        let params: Vec<String> = fact.params.iter().filter_map(|p| Some(p.known()?.inner_text())).collect();
        let params = if params.is_empty() { String::new() } else { format!("[{}]", params.join(", ")) };
        let guess = format!("grundy guess FILE '{word}({}{params}({names})) for {names} in nat'", game.name);
        why = format!("{why}; `{guess}` looks for that");
    }
    No::bare(why)
}

/// The cases that a proof of the claim consists of, in words, as its certificate calls them. Where no variable is gone through
/// there is one, without a name. Cost: that of writing the ranges out.
#[must_use]
pub fn claim_cases(program: &Program, claim: &Claim) -> Vec<String> {
    let cases = sweeps(program, claim).unwrap_or_else(|| vec![Vec::new()]);
    cases.iter().map(|chosen| which(claim, chosen)).collect()
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
pub(super) fn size<'v>(values: impl Iterator<Item = &'v Sym>) -> BigInt {
    let number = |value: &Sym| if let Sym::Int(number) = value { number.constant().cloned() } else { None };
    values.filter_map(number).map(|number| BigInt::from(number.magnitude().clone())).sum()
}
