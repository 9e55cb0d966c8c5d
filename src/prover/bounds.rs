//! How far proofs reach that are made one by one: which rule parameters, which lengths of lists, in words.

use crate::model::Game;
use crate::prover::facts::Fact;
use crate::prover::shapes::Shape;
use crate::prover::symbol::Sym;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Of lists of rule parameters so many are written out.
const SHOWN: usize = 6;

/// The lengths of the lists and sets among the fields of a closed form, in order.
pub(super) fn lengths(fact: &Fact<'_>) -> Vec<usize> {
    let length = |shape: &Shape| match shape {
        Shape::List(size) | Shape::Set(size) => Some(*size),
        Shape::Number | Shape::Whole => None,
    };
    fact.shapes.iter().filter_map(length).collect()
}

/// The rule parameters and lengths of one closed form, as a case of a proof is called.
pub(super) fn which(game: &Game, fact: &Fact<'_>) -> String {
    let numbers = fact.params.iter().map(|value| value.known().map_or_else(String::new, |n| n.inner_text()));
    let mut parts: Vec<String> =
        game.params.iter().zip(numbers).map(|(param, value)| format!("{} = {value}", param.name)).collect();
    if let Some(length) = lengths(fact).iter().max() {
        parts.push(format!("length {length}"));
    }
    parts.join(", ")
}

/// Of which rule parameters and lengths some closed forms of one game speak; `None`: it has neither.
pub(super) fn reach(game: &Game, facts: &[Rc<Fact<'_>>]) -> Option<String> {
    let mut by_params: BTreeMap<Vec<i64>, BTreeSet<Vec<usize>>> = BTreeMap::new();
    for fact in facts {
        let number = |value: &Sym| value.known().and_then(|value| value.inner_text().parse().ok());
        let params: Option<Vec<i64>> = fact.params.iter().map(number).collect();
        by_params.entry(params?).or_default().insert(lengths(fact));
    }
    // Those of the same lengths together.
    let mut by_lengths: BTreeMap<BTreeSet<Vec<usize>>, Vec<Vec<i64>>> = BTreeMap::new();
    for (params, lengths) in by_params {
        by_lengths.entry(lengths).or_default().push(params);
    }
    let names: Vec<&str> = game.params.iter().map(|param| param.name.as_str()).collect();
    let mut all = Vec::new();
    for (lengths, params) in by_lengths {
        let said: Vec<String> = params_text(&names, &params).into_iter().chain(lengths_text(&lengths)).collect();
        all.push(said.join(" and "));
    }
    all.retain(|text| !text.is_empty());
    (!all.is_empty()).then(|| all.join("; "))
}

/// Ascending tuples of rule parameters.
fn params_text(names: &[&str], params: &[Vec<i64>]) -> Option<String> {
    if names.is_empty() {
        return None;
    }
    let names_text = names.join(", ");
    let greatest = params.iter().flatten().copied().max().unwrap_or(0);
    let cube = usize::try_from(greatest).ok().and_then(|n| (n + 1).checked_pow(u32::try_from(names.len()).ok()?));
    if cube == Some(params.len()) && greatest > 0 {
        return Some(format!("{names_text} up to {greatest}"));
    }
    let tuple = |tuple: &Vec<i64>| tuple.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let shown: Vec<String> = params.iter().take(SHOWN).map(tuple).collect();
    let more = if params.len() > SHOWN { format!(" or {} others", params.len() - SHOWN) } else { String::new() };
    Some(format!("{names_text} = {}{more}", shown.join(" or ")))
}

/// Ascending lengths of the lists.
fn lengths_text(lengths: &BTreeSet<Vec<usize>>) -> Option<String> {
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
