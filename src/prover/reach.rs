//! How far proofs of single cases reach: of which rule parameters and lengths a statement is proved, and whether these are all that there are.

use crate::answer::{ProofScope, ProofScopePart};
use crate::logic::facts::{Fact, lengths};
use crate::logic::symbol::Sym;
use crate::model::walk::bare;
use crate::model::{Builtin, CompareOp, Game, Kind, LogicOp, Slot, Term, TermKind};
use crate::syntax::tree::BinaryOp;
use crate::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Of lists of rule parameters so many are written out.
const SHOWN: usize = 6;

/// Of which rule parameters and lengths some closed forms of one game speak; `None`: of all that the game has and the `guards` leave.
pub(super) fn reach(game: &Game, facts: &[Rc<Fact<'_>>], guards: &[&Term]) -> Option<ProofScope> {
    let mut by_params: BTreeMap<Vec<Value>, BTreeSet<Vec<usize>>> = BTreeMap::new();
    for fact in facts {
        // Closed forms are of known rule parameters.
        let value = |value: &Sym| value.known().unwrap_or_else(|| Value::text("?"));
        by_params.entry(fact.params.iter().map(value).collect()).or_default().insert(lengths(fact));
    }
    if is_whole(game, &by_params, guards) {
        return None;
    }
    // Those of the same lengths together.
    let mut by_lengths: BTreeMap<BTreeSet<Vec<usize>>, Vec<Vec<Value>>> = BTreeMap::new();
    for (params, lengths) in by_params {
        by_lengths.entry(lengths).or_default().push(params);
    }
    let parts = by_lengths
        .into_iter()
        .map(|(lengths, values)| ProofScopePart { values, lengths: lengths.into_iter().collect() });
    Some(ProofScope {
        parameters: game.params.iter().map(|param| param.name.clone()).collect(),
        parts: parts.collect(),
    })
}

/// Whether the header and the guards leave no other rule parameters and lengths than these.
fn is_whole(game: &Game, by_params: &BTreeMap<Vec<Value>, BTreeSet<Vec<usize>>>, guards: &[&Term]) -> bool {
    // Whole numbers have no least one, and other values no number.
    if !game.params.iter().all(|param| matches!(param.kind, Kind::Nat)) {
        return false;
    }
    let said: Vec<&Term> = game.filter.iter().chain(guards.iter().copied()).collect();
    let most = |measure: &dyn Fn(&Term) -> bool| said.iter().filter_map(|term| upper_bound(term, measure)).min();
    let is_slot = |term: &Term, wanted: Slot| matches!(bare(term).kind, TermKind::Slot(slot) if slot == wanted);
    let params = (0..game.params.len()).map(|slot| most(&|term: &Term| is_slot(term, slot)));
    let lists = game.fields.iter().zip(game.params.len()..).filter(|(field, _)| {
        // Sets and bags have a length, too.
        matches!(field.kind, Kind::List(..) | Kind::Set(_) | Kind::Bag(_))
    });
    let sizes = lists.map(|(_, slot)| {
        most(&|term: &Term| match &bare(term).kind {
            TermKind::Builtin(Builtin::Size, of) => matches!(&of[..], [of] if is_slot(of, slot)),
            _ => false,
        })
    });
    let (Some(params), Some(sizes)) = (params.collect::<Option<Vec<i64>>>(), sizes.collect::<Option<Vec<i64>>>())
    else {
        return false;
    };
    let known = |params: &Vec<Value>| {
        let lengths = by_params.get(params);
        lengths.is_some_and(|lengths| {
            every(&sizes, &mut |sizes| {
                sizes
                    .iter()
                    .map(|size| usize::try_from(*size).ok())
                    .collect::<Option<Vec<usize>>>()
                    .is_some_and(|sizes| lengths.contains(&sizes))
            })
        })
    };
    every(&params, &mut |params| known(&params.iter().map(|n| Value::Int(*n)).collect()))
}

/// Whether something holds for all tuples of numbers from 0 up to these; it does not where they are very many.
fn every(most: &[i64], holds: &mut dyn FnMut(&[i64]) -> bool) -> bool {
    const MANY: i64 = 100_000;
    let count = most.iter().try_fold(1_i64, |count, most| count.checked_mul(most.checked_add(1)?.max(0)));
    if count.is_none_or(|count| count > MANY) {
        return false;
    }
    let mut tuple = vec![0; most.len()];
    if most.iter().any(|most| *most < 0) {
        return true;
    }
    loop {
        if !holds(&tuple) {
            return false;
        }
        let Some(at) = (0..most.len()).rev().find(|at| tuple[*at] < most[*at]) else { return true };
        tuple[at] += 1;
        tuple[at + 1..].fill(0);
    }
}

/// The greatest value that a condition leaves to what `measure` knows, as far as it says so by itself: `m <= 5`, `m in 1..5`.
fn upper_bound(condition: &Term, measure: &dyn Fn(&Term) -> bool) -> Option<i64> {
    let number = |term: &Term| if let TermKind::Int(n) = &bare(term).kind { i64::try_from(n).ok() } else { None };
    match &bare(condition).kind {
        TermKind::Logic(LogicOp::And, a, b) => {
            let both = [upper_bound(a, measure), upper_bound(b, measure)];
            both.into_iter().flatten().min()
        }
        TermKind::Compare(first, rest) => {
            let before = std::iter::once(&**first).chain(rest.iter().map(|(_, term)| term));
            let bounds = before.zip(rest).filter_map(|(left, (op, right))| match op {
                CompareOp::Le | CompareOp::Eq if measure(left) => number(right),
                CompareOp::Lt if measure(left) => number(right)?.checked_sub(1),
                CompareOp::Ge | CompareOp::Eq if measure(right) => number(left),
                CompareOp::Gt if measure(right) => number(left)?.checked_sub(1),
                CompareOp::In if measure(left) => match &bare(right).kind {
                    TermKind::Binary(BinaryOp::Range, _, to) => number(to),
                    _ => None,
                },
                _ => None,
            });
            bounds.min()
        }
        _ => None,
    }
}

impl ProofScope {
    /// In words.
    pub fn text(&self) -> String {
        let names: Vec<&str> = self.parameters.iter().map(String::as_str).collect();
        let parts = self.parts.iter().map(|part| {
            let said = params_text(&names, &part.values).into_iter().chain(lengths_text(&part.lengths));
            said.collect::<Vec<_>>().join(" and ")
        });
        parts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("; ")
    }
}

fn params_text(names: &[&str], params: &[Vec<Value>]) -> Option<String> {
    if names.is_empty() {
        return None;
    }
    let names_text = names.join(", ");
    let number = |value: &Value| if let Value::Int(n) = value { usize::try_from(*n).ok() } else { None };
    let greatest = params.iter().flatten().map(number).try_fold(0, |most, n| Some(n?.max(most)));
    let cube = greatest.and_then(|n| (n + 1).checked_pow(u32::try_from(names.len()).ok()?));
    if let (Some(greatest), true) = (greatest.filter(|n| *n > 0), cube == Some(params.len())) {
        return Some(format!("{names_text} up to {greatest}"));
    }
    let tuple = |tuple: &Vec<Value>| tuple.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let shown: Vec<String> = params.iter().take(SHOWN).map(tuple).collect();
    let more = if params.len() > SHOWN { format!(" or {} others", params.len() - SHOWN) } else { String::new() };
    Some(format!("{names_text} = {}{more}", shown.join(" or ")))
}

fn lengths_text(lengths: &[Vec<usize>]) -> Option<String> {
    let first = lengths.first()?;
    if first.is_empty() {
        return None;
    }
    let same = |lengths: &Vec<usize>| lengths.windows(2).all(|pair| pair[0] == pair[1]);
    if !lengths.iter().all(same) {
        let shown: Vec<String> =
            lengths.iter().map(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")).collect();
        return Some(format!("lists of lengths ({})", shown.join(") or (")));
    }
    let lengths: Vec<usize> = lengths.iter().map(|all| all[0]).collect();
    let greatest = lengths.last().copied().unwrap_or(0);
    if lengths.len() == greatest + 1 {
        return Some(format!("lengths up to {greatest}"));
    }
    let shown: Vec<String> = lengths.iter().map(ToString::to_string).collect();
    Some(format!("length {}", shown.join(" or ")))
}
