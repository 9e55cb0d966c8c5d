//! Forms by cases: one form where a condition holds and another one where it does not, and for truth values two conditions of which
//! one or both hold.
//!
//! They are tried where no form without cases is left, and held against the points like all others.

use crate::guess::data::{Points, Sort};
use crate::guess::formula::{Formula, Op, Word};
use crate::guess::{candidates, space, statistics};
use std::collections::HashSet;
use std::time::Instant;

/// Forms are made from so many points, the nearest; the others refute.
const MOST: usize = 2000;
/// A case with fewer points is an exception and none.
const LEAST: usize = 4;
/// So many forms of each case are put together.
const KEPT: usize = 2;
/// Cases within a case.
const DEPTH: usize = 1;

/// All forms by cases that have the values of the points, in order of [`Formula::cost`], with at most a quarter as many numbers in them
/// as `count` values; conditions are tried `until` then.
pub(super) fn forms(points: &Points, count: usize, until: Option<Instant>) -> Vec<Formula> {
    let room = count / 4;
    let few = Points { rows: points.rows.iter().take(MOST).cloned().collect(), ..points.clone() };
    let mut found = split(&few, room, DEPTH, until);
    if points.sort == Sort::Truth {
        found.extend(two_conditions(&few));
    }
    found.retain(|formula| points.against(formula).is_none());
    candidates::in_order(found, room)
}

/// `if C then F else G` for usual conditions.
fn split(points: &Points, room: usize, depth: usize, until: Option<Instant>) -> Vec<Formula> {
    let mut found = Vec::new();
    for condition in conditions(points) {
        if until.is_some_and(|until| Instant::now() >= until) {
            break;
        }
        let Some((yes, no)) = parted(points, &condition) else { continue };
        let (mut yes_forms, mut no_forms) = (plain(&yes, room), plain(&no, room));
        if depth > 0 {
            match (yes_forms.is_empty(), no_forms.is_empty()) {
                (true, false) => yes_forms = first(split(&yes, room, depth - 1, until)),
                (false, true) => no_forms = first(split(&no, room, depth - 1, until)),
                _ => {}
            }
        }
        for yes in &yes_forms {
            found.extend(no_forms.iter().map(|no| chosen(points.sort, &condition, yes, no)));
        }
    }
    found
}

fn chosen(sort: Sort, condition: &Formula, yes: &Formula, no: &Formula) -> Formula {
    let c = condition.clone();
    match (sort, yes, no) {
        (Sort::Truth, Formula::Truth(true), no) => c.op(Op::Or, no.clone()),
        (Sort::Truth, yes, Formula::Truth(false)) => c.op(Op::And, yes.clone()),
        _ => Formula::If(Box::new(c), Box::new(yes.clone()), Box::new(no.clone())),
    }
}

/// The points where a condition holds and the others; `None`: there are too few of one kind, or it is not defined somewhere.
fn parted(points: &Points, condition: &Formula) -> Option<(Points, Points)> {
    let part = |wanted: i128| points.only(|at| condition.eval(at) == Some(wanted));
    let (yes, no) = (part(1), part(0));
    let whole = yes.rows.len() + no.rows.len() == points.rows.len();
    (whole && yes.rows.len() >= LEAST && no.rows.len() >= LEAST).then_some((yes, no))
}

/// The shortest forms without cases.
fn plain(points: &Points, room: usize) -> Vec<Formula> {
    let value = points.rows.first().map(|(_, value)| *value);
    if let Some(value) = value.filter(|value| points.rows.iter().all(|(_, other)| other == value)) {
        return vec![match points.sort {
            Sort::Number => Formula::Int(value),
            Sort::Truth => Formula::Truth(value == 1),
        }];
    }
    let mut forms = space::unsplit(points, room);
    if points.variables == 1 {
        forms.extend(space::of_one(points));
    }
    forms.retain(|form| points.against(form).is_none());
    first(forms)
}

fn first(mut forms: Vec<Formula>) -> Vec<Formula> {
    forms.sort_by_cached_key(Formula::cost);
    forms.truncate(KEPT);
    forms
}

/// Usual conditions: parities, the least number, the order of two and how one is a rest by the other.
fn conditions(points: &Points) -> Vec<Formula> {
    let all: Vec<Formula> = (0..points.variables).map(Formula::Var).collect();
    let mut found = Vec::new();
    for (variable, of) in all.iter().enumerate() {
        found.push(of.clone().modulo(2).op(Op::Eq, Formula::Int(0)));
        let least = points.rows.iter().map(|(at, _)| at[variable]).min().unwrap_or(0);
        if points.variables == 1 {
            found.extend((0..3).map(|r| of.clone().modulo(3).op(Op::Eq, Formula::Int(r))));
            found.extend((0..4).map(|r| of.clone().modulo(4).op(Op::Eq, Formula::Int(r))));
        } else {
            found.push(of.clone().op(Op::Eq, Formula::Int(least.into())));
        }
    }
    for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))).filter(|(a, b)| a != b) {
        found.push(a.clone().op(Op::Lt, b.clone()));
        for c in 0..=2 {
            let rest = a.clone().op(Op::Mod, b.clone().plus(c));
            found.push(rest.clone().op(Op::Eq, b.clone().plus(c - 1)));
            found.push(rest.op(Op::Eq, Formula::Int(0)));
        }
    }
    for (at, a) in all.iter().enumerate() {
        for b in &all[at + 1..] {
            found.push(a.clone().op(Op::Eq, b.clone()));
            found.push(a.clone().op(Op::Add, b.clone()).modulo(2).op(Op::Eq, Formula::Int(0)));
            found.push(Formula::Call(Word::Gcd, vec![a.clone(), b.clone()]).op(Op::Eq, Formula::Int(1)));
        }
    }
    found
}

/// A condition with the points where it holds.
struct Atom {
    formula: Formula,
    holds: Vec<u64>,
}

/// Of so many conditions that leave nothing wrong all pairs are looked at.
const ATOMS: usize = 600;

/// `C or D`, `C and D`.
fn two_conditions(points: &Points) -> Vec<Formula> {
    let wanted = bits(points.rows.iter().map(|(_, value)| *value == 1));
    let every = bits(points.rows.iter().map(|_| true));
    let all = atoms(points);
    let mut found = Vec::new();
    for op in [Op::Or, Op::And] {
        // `C and D` holds where neither `not C` nor `not D` does.
        let turned = |holds: &[u64]| match op {
            Op::And => holds.iter().zip(&every).map(|(a, b)| !a & b).collect(),
            _ => holds.to_vec(),
        };
        let target = turned(&wanted);
        let inside = |holds: &[u64]| holds.iter().zip(&target).all(|(a, b)| a & !b == 0);
        let mut seen: HashSet<Vec<u64>> = HashSet::new();
        let fitting: Vec<(&Formula, Vec<u64>)> = all
            .iter()
            .map(|atom| (&atom.formula, turned(&atom.holds)))
            .filter(|(_, holds)| holds.iter().any(|word| *word != 0) && inside(holds) && seen.insert(holds.clone()))
            .take(ATOMS)
            .collect();
        for (at, (a, one)) in fitting.iter().enumerate() {
            for (b, other) in &fitting[at + 1..] {
                if one.iter().zip(other).zip(&target).all(|((a, b), wanted)| a | b == *wanted) {
                    found.push((*a).clone().op(op, (*b).clone()));
                }
            }
        }
    }
    found
}

fn bits(truths: impl Iterator<Item = bool>) -> Vec<u64> {
    let truths: Vec<bool> = truths.collect();
    let word = |some: &[bool]| some.iter().zip(0..).fold(0, |word, (truth, i)| word | u64::from(*truth) << i);
    truths.chunks(64).map(word).collect()
}

/// Short conditions on statistics, shortest first.
fn atoms(points: &Points) -> Vec<Atom> {
    /// Rests are looked at modulo numbers up to this.
    const MODULI: std::ops::RangeInclusive<i128> = 2..=9;
    /// Statistics are compared with numbers up to this.
    const NUMBERS: i128 = 4;
    let mut statistics = statistics::of_point(points.variables);
    if points.variables == 1 {
        statistics.extend((-1..=1).flat_map(statistics::of_one));
    }
    let mut formulas: Vec<Formula> = Vec::new();
    for statistic in statistics {
        for k in MODULI {
            formulas.extend((0..k).map(|r| statistic.clone().modulo(k).op(Op::Eq, Formula::Int(r))));
        }
        for n in 0..=NUMBERS {
            let number = || Formula::Int(n);
            formulas.extend([Op::Eq, Op::Ne, Op::Lt, Op::Ge].map(|op| statistic.clone().op(op, number())));
        }
        let root = statistic.clone().under(Word::Root).op(Op::Pow, Formula::Int(2));
        formulas.push(root.op(Op::Eq, statistic));
    }
    formulas.extend(conditions(points));
    let atom = |formula: Formula| {
        let truths: Option<Vec<i128>> = points.rows.iter().map(|(at, _)| formula.eval(at)).collect();
        Some(Atom { holds: bits(truths?.into_iter().map(|truth| truth == 1)), formula })
    };
    let mut atoms: Vec<Atom> = formulas.into_iter().filter_map(atom).collect();
    atoms.sort_by_cached_key(|atom| atom.formula.cost());
    atoms
}
