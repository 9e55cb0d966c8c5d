//! Collections of numbers: what binders run through and what comparisons ask about.

use crate::engines::heap_codes::read::{No, Sym, no};
use crate::model::CompareOp;
use crate::value::{Value, iterate};
use grundy_automata::{Formula, Linear};
use num_bigint::BigInt;

/// Members.
#[derive(Clone)]
pub(super) enum Domain {
    Value(Value),
    Range(Linear, Linear),
    Items(Vec<Linear>),
    Any(Vec<Domain>),
}

/// Neighbouring numbers together, ascending; `None` when a member is no int.
pub(super) fn runs(value: &Value) -> Option<Vec<(BigInt, BigInt)>> {
    if let Value::Range(from, to) = value {
        return Some(if from > to { Vec::new() } else { vec![((*from).into(), (*to).into())] });
    }
    let mut all: Vec<BigInt> = Vec::new();
    for member in iterate(value).ok()? {
        match member {
            Value::Int(_) | Value::Big(_) => all.push(member.to_big().ok()?.into_owned()),
            _ => return None,
        }
    }
    all.sort_unstable();
    let mut runs: Vec<(BigInt, BigInt)> = Vec::new();
    for number in all {
        match runs.last_mut() {
            Some((_, to)) if number <= &*to + 1 => *to = number,
            _ => runs.push((number.clone(), number)),
        }
    }
    Some(runs)
}

/// A comparison.
pub(super) fn compared(op: CompareOp, a: &Sym, b: &Sym) -> Result<Formula, No> {
    Ok(match (op, a, b) {
        (CompareOp::In, Sym::Int(a), Sym::Domain(b)) => member(a, b)?,
        (CompareOp::NotIn, Sym::Int(a), Sym::Domain(b)) => member(a, b)?.not(),
        (CompareOp::Eq, Sym::Int(a), Sym::Int(b)) => Formula::equal(a, b),
        (CompareOp::Ne, Sym::Int(a), Sym::Int(b)) => Formula::equal(a, b).not(),
        (CompareOp::Lt, Sym::Int(a), Sym::Int(b)) => Formula::less(a, b),
        (CompareOp::Le, Sym::Int(a), Sym::Int(b)) => Formula::at_most(a, b),
        (CompareOp::Gt, Sym::Int(a), Sym::Int(b)) => Formula::less(b, a),
        (CompareOp::Ge, Sym::Int(a), Sym::Int(b)) => Formula::at_most(b, a),
        (CompareOp::Eq, Sym::Bool(a), Sym::Bool(b)) => a.clone().iff(b.clone()),
        (CompareOp::Ne, Sym::Bool(a), Sym::Bool(b)) => a.clone().iff(b.clone()).not(),
        _ => return no("a comparison of other things than whole numbers"),
    })
}

/// Whether a number is a member.
pub(super) fn member(number: &Linear, domain: &Domain) -> Result<Formula, No> {
    let between =
        |from: &Linear, to: &Linear| Formula::all([Formula::at_most(from, number), Formula::at_most(number, to)]);
    Ok(match domain {
        Domain::Range(from, to) => between(from, to),
        Domain::Items(items) => Formula::any(items.iter().map(|item| Formula::equal(number, item))),
        Domain::Any(parts) => {
            let parts: Result<Vec<Formula>, No> = parts.iter().map(|part| member(number, part)).collect();
            Formula::any(parts?)
        }
        Domain::Value(value) => {
            let Some(runs) = runs(value) else { return no("a collection of other things than numbers") };
            Formula::any(runs.into_iter().map(|(from, to)| between(&Linear::number(from), &Linear::number(to))))
        }
    })
}
