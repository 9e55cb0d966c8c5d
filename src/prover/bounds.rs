//! Statements that a Grundy value is at most something: `grundy(P) <= B`, or less than it.
//!
//! If every move leads to where the bound is smaller, or to positions whose values are known to be smaller, then all options have values
//! below the bound, and the least number that none of them has is not above it. A sum of positions is worth no more than its components
//! together, for `a xor b <= a + b`. The bound is natural, so that it is a ranking, too.

use crate::logic::exponents::values_compared;
use crate::logic::facts::{ApplicableFacts, Fact};
use crate::logic::moves::Next;
use crate::logic::scope::{Scope, system};
use crate::logic::symbol::{No, Part, Sym};
use crate::model::{CompareOp, Ending, Program};
use crate::prover::induction::{Known, Means, ObligationBuilder, failing, open};
use crate::prover::proof_log::ProofLog;
use grundy_automata::{Formula, Linear};
use grundy_verify::Method;
use num_bigint::BigInt;
use std::rc::Rc;
use std::sync::atomic::Ordering;

/// What must never be.
const NEGATIVE: &str = "the bound is negative";
const STAYS: &str = "a move does not make the bound smaller";

/// How much less than the claimed number the bound is, where a comparison says that the value found is below it; `None`: it does not.
pub(super) fn upper(op: CompareOp, flipped: bool) -> Option<u8> {
    match (op, flipped) {
        (CompareOp::Le, false) | (CompareOp::Ge, true) => Some(0),
        (CompareOp::Lt, false) | (CompareOp::Gt, true) => Some(1),
        _ => None,
    }
}

/// Proves that the values of a closed form, less `by`, are bounds. Returns how, in words.
/// Errors: what stands in the way.
pub(super) fn bounded<'p>(
    program: &'p Program,
    known: &Known<'p>,
    fact: &Rc<Fact<'p>>,
    by: u8,
    which: String,
    desk: &ProofLog,
) -> Result<String, No> {
    desk.clear();
    desk.limit.largest.store(0, Ordering::Relaxed);
    if fact.misere {
        return Err(No::bare("Grundy values in misere play"));
    }
    let ends = &program.games[fact.game.0].ends;
    if let Some(end) = ends.iter().find(|end| !matches!(end.verdict, Ending::Over)) {
        return Err(No::at(end.span, "an end of the whole play, or points: then there is no Grundy value"));
    }
    let less = Linear::number(by);
    let mut maker = ObligationBuilder::new(program, known, known.len(), fact);
    let mut all = maker.begins()?;
    all.push(maker.covered()?);
    all.push(maker.never(NEGATIVE, Means::Unclear, |scope, part| {
        values_compared(CompareOp::Lt, &fact.value(scope, part)?, &Sym::Int(less.clone()))
    })?);
    all.push(maker.never(STAYS, Means::Unclear, |scope, part| {
        let bound = fact.value(scope, part)?;
        scope.some_move(part, &mut |scope, next| {
            let Next::To(parts) = next else {
                return Err(No::bare("a move that ends the whole play or keeps the turn has no Grundy value"));
            };
            // Each is given with `by` too much, and so is the bound.
            let mut sum = Sym::Int(less.clone());
            for part in parts {
                sum = match (sum, at_most(scope, fact, part, &less)?) {
                    (Sym::Int(sum), Sym::Int(one)) => Sym::Int(sum.plus(&BigInt::from(1), &one).minus(&less)),
                    (_, one) if parts.len() == 1 => one,
                    _ => return Err(No::bare("a sum of positions whose bounds are exponents")),
                };
            }
            values_compared(CompareOp::Le, &bound, &sum)
        })
    })?);
    let mut needs = maker.taken_needs();
    all.append(&mut needs);
    let system = system(maker.digits())?;
    for one in &all {
        let automaton = desk.compile(&one.never, system)?;
        if !automaton.is_empty() {
            let numbers = maker.least(one, automaton, system, &desk.limit)?;
            return Err(if desk.inexact() { open(one.name) } else { failing(one.name, &numbers) });
        }
        desk.step(one.name, &one.never);
    }
    desk.close(which, Method::Bound, system);
    let largest = desk.limit.largest.load(Ordering::Relaxed);
    let (count, system) = (all.len(), system.word());
    Ok(format!(
        "every move makes the bound smaller: {count} statements decided by automata of up to {largest} states, {system}"
    ))
}

/// What is known of the value of a component: the bound where it is spoken of, else the value and `less` more.
fn at_most<'p>(scope: &mut Scope<'p>, fact: &Rc<Fact<'p>>, part: &Part, less: &Linear) -> Result<Sym, No> {
    let known = |scope: &mut Scope<'p>| {
        let name = &scope.program.games[part.game.0].name;
        let no = No::bare(format!("a move leads to positions of `{name}` of which nothing is proved"));
        let facts = ApplicableFacts::of(scope, None, part, false, true);
        let value = facts.ok_or_else(|| part.wanted(true, false, no))?.value(scope, part)?;
        match &value {
            Sym::Exponent(exponent) => exponent.moved(less, true, scope.program.games[part.game.0].span),
            Sym::Int(value) => Ok(Sym::Int(value.plus(&BigInt::from(1), less))),
            _ => Err(No::bare("a value that is no number")),
        }
    };
    if !fact.fits(part) {
        return known(scope);
    }
    let here = scope.local(|scope| fact.covers(scope, part))?;
    let bound = scope.under(&here, |scope| fact.value(scope, part))?;
    if let Formula::Constant(true) = here {
        return Ok(bound);
    }
    match scope.under(&here.clone().not(), known) {
        Ok(other) => {
            let no = || No::bare("bounds of which some are exponents and some are numbers");
            scope.value_of_two(&here, &bound, &other).ok_or_else(no)
        }
        // That moves lead to no others is said besides.
        Err(no) if no.wanted.is_some() => Ok(bound),
        Err(no) => Err(no),
    }
}
