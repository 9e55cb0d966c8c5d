//! Sentences about multiples of a variable, which automata cannot follow, made wider until they can be decided.
//!
//! That t is a multiple of e, both of them variables, is no statement of Presburger arithmetic. Where it is assumed, something weaker is
//! said instead: t is 0, or e, or no less than twice e, and so far apart from every other number that is assumed to be a multiple of e.
//! Where it is denied, something stronger is: t is one of those numbers, or a few times e away from one. Each change makes more numbers
//! fit, so that a formula which no numbers make true after it is one that none made true before; the reverse does not hold. (Multiples
//! are opened as far as the sentence names them, as in the instantiation of quantifiers: Ge and de Moura, Complete instantiation for
//! quantified formulas in satisfiability modulo theories, 2009.)

use crate::automaton::Track;
use crate::formula::{Atom, Formula, Linear};
use num_bigint::BigInt;
use std::collections::HashSet;
use std::sync::Arc;

/// So many times e from a known multiple there may be another that is named.
const TIMES: i64 = 2;
/// So many cases of disjunctions are made.
const CASES: usize = 64;

/// A formula without statements about multiples of variables, which some numbers make true if some make the given one true; `None`: there
/// are no such statements in it.
/// Cost: a few times the size of the formula, for each of at most 64 cases of its disjunctions.
pub fn without_multiples(formula: &Formula) -> Option<Formula> {
    speaks(formula).then(|| {
        let mut used = HashSet::new();
        tracks(formula, &mut used);
        let fresh = used.iter().copied().max().map_or(0, |greatest| greatest + 1);
        let used = formula.free().into_iter().collect();
        Widening { used, fresh, cases: 1 }.wider(formula, &[])
    })
}

/// Whether there are such statements in it.
fn speaks(formula: &Formula) -> bool {
    match formula {
        Formula::Constant(_) => false,
        Formula::Atom(_) => multiple(formula).is_some(),
        Formula::Not(inner) | Formula::Exists(_, inner) => speaks(inner),
        Formula::All(parts) | Formula::Any(parts) => parts.iter().any(speaks),
    }
}

/// All variables, bound or not.
fn tracks(formula: &Formula, all: &mut HashSet<Track>) {
    match formula {
        Formula::Constant(_) => {}
        Formula::Atom(atom) => all.extend(atom.tracks()),
        Formula::Not(inner) => tracks(inner, all),
        Formula::Exists(bound, inner) => {
            all.extend(bound);
            tracks(inner, all);
        }
        Formula::All(parts) | Formula::Any(parts) => parts.iter().for_each(|part| tracks(part, all)),
    }
}

/// A number that is a multiple of another.
type Multiple = (Linear, Linear);

fn multiple(formula: &Formula) -> Option<&Atom> {
    match formula {
        Formula::Atom(atom) if matches!(**atom, Atom::Times(..) | Atom::Rounded(..)) => Some(atom),
        _ => None,
    }
}

struct Widening {
    /// Variables that may be spoken of where the present part stands.
    used: HashSet<Track>,
    fresh: Track,
    cases: usize,
}

impl Widening {
    /// A formula that holds wherever this one does and these are multiples.
    fn wider(&mut self, formula: &Formula, known: &[Multiple]) -> Formula {
        let (mut bound, mut parts) = (Vec::new(), Vec::new());
        self.gather(formula, &mut bound, &mut parts);
        let mut known = known.to_vec();
        for part in &parts {
            let more = match multiple(part) {
                Some(Atom::Times(number, of)) => (number.clone(), of.clone()),
                Some(Atom::Rounded(number, _, of)) => (Linear::track(*number), of.clone()),
                _ => continue,
            };
            if !known.contains(&more) {
                known.push(more);
            }
        }
        // What is assumed in a case is known in all of it.
        let open = |part: &Formula| if let Formula::Any(list) = part { list.iter().any(assumes) } else { false };
        let wider = match parts.iter().position(open) {
            Some(at) if self.cases < CASES => {
                let Formula::Any(list) = parts.swap_remove(at) else { return Formula::Constant(true) };
                self.cases += list.len() - 1;
                let cases = list.into_iter().map(|case| {
                    let case = Formula::all(std::iter::once(case).chain(parts.iter().cloned()));
                    let used = self.used.clone();
                    let wider = self.wider(&case, &known);
                    self.used = used;
                    wider
                });
                Formula::any(cases.collect::<Vec<_>>())
            }
            _ => Formula::all(parts.iter().map(|part| match part {
                Formula::Any(list) => Formula::any(list.iter().map(|part| self.wider(part, &known)).collect::<Vec<_>>()),
                Formula::Not(inner) => self.narrower(inner, &known).not(),
                part => match multiple(part) {
                    Some(Atom::Times(number, of)) => apart(number, of, &known),
                    Some(Atom::Rounded(number, from, of)) => {
                        rounded(*number, from, of, apart(&Linear::track(*number), of, &known))
                    }
                    _ => part.clone(),
                },
            }).collect::<Vec<_>>()),
        };
        Formula::exists(bound, wider)
    }

    /// A formula that holds nowhere but where this one does, if these are multiples.
    fn narrower(&mut self, formula: &Formula, known: &[Multiple]) -> Formula {
        match formula {
            Formula::Constant(_) => formula.clone(),
            Formula::Atom(atom) => match &**atom {
                Atom::Times(number, of) => named(number, of, known),
                Atom::Rounded(number, from, of) => {
                    rounded(*number, from, of, named(&Linear::track(*number), of, known))
                }
                _ => formula.clone(),
            },
            Formula::Not(inner) => self.wider(inner, known).not(),
            Formula::All(parts) => Formula::all(parts.iter().map(|part| self.narrower(part, known)).collect::<Vec<_>>()),
            Formula::Any(parts) => Formula::any(parts.iter().map(|part| self.narrower(part, known)).collect::<Vec<_>>()),
            Formula::Exists(tracks, inner) => {
                let used = self.used.clone();
                let (tracks, inner) = self.apart(tracks, inner);
                let inner = self.narrower(&inner, known);
                self.used = used;
                Formula::exists(tracks, inner)
            }
        }
    }

    /// The parts of a conjunction, with the variables that are bound around any of them.
    fn gather(&mut self, formula: &Formula, bound: &mut Vec<Track>, parts: &mut Vec<Formula>) {
        match formula {
            Formula::All(list) => list.iter().for_each(|part| self.gather(part, bound, parts)),
            Formula::Exists(tracks, inner) => {
                let (tracks, inner) = self.apart(tracks, inner);
                bound.extend(tracks);
                self.gather(&inner, bound, parts);
            }
            Formula::Not(inner) => {
                let rest = self.turned(inner, bound, parts);
                parts.push(rest.not());
            }
            other => parts.push(other.clone()),
        }
    }

    /// What is denied, without numbers that others determine, which go to `bound` and what determines them to `parts`: there is exactly one
    /// such number, so that it may be chosen before something is denied of it.
    fn turned(&mut self, denied: &Arc<Formula>, bound: &mut Vec<Track>, parts: &mut Vec<Formula>) -> Formula {
        let Formula::Exists(tracks, inner) = &**denied else { return (**denied).clone() };
        if !speaks(inner) {
            return (**denied).clone();
        }
        let (mut tracks, inner) = self.apart(tracks, inner);
        let mut inside = if let Formula::All(list) = inner { list } else { vec![inner] };
        while let Some(at) = inside.iter().position(|part| match multiple(part) {
            Some(Atom::Rounded(number, from, of)) => {
                let given = |track: &Track| !tracks.contains(track);
                tracks.contains(number) && from.terms.keys().chain(of.terms.keys()).all(given)
            }
            _ => false,
        }) {
            let part = inside.remove(at);
            if let Some(Atom::Rounded(number, ..)) = multiple(&part) {
                tracks.retain(|track| track != number);
                bound.push(*number);
            }
            parts.push(part);
        }
        Formula::exists(tracks, Formula::all(inside))
    }

    /// The same with bound variables that are not in use.
    fn apart(&mut self, tracks: &[Track], inner: &Arc<Formula>) -> (Vec<Track>, Formula) {
        let (mut all, mut inner) = (Vec::new(), (**inner).clone());
        for &track in tracks {
            let mut own = track;
            if !self.used.insert(track) {
                own = self.fresh;
                self.fresh += 1;
                self.used.insert(own);
                inner = inner.with(track, &Linear::track(own));
            }
            all.push(own);
        }
        (all, inner)
    }
}

/// Whether some number must be a multiple where it holds.
fn assumes(formula: &Formula) -> bool {
    match formula {
        Formula::All(parts) | Formula::Any(parts) => parts.iter().any(assumes),
        Formula::Exists(_, inner) => assumes(inner),
        other => multiple(other).is_some(),
    }
}

/// That a number is another rounded down to a multiple of a third, where `is` says that it is a multiple.
fn rounded(number: Track, from: &Linear, of: &Linear, is: Formula) -> Formula {
    let number = Linear::track(number);
    let some = Formula::all([Formula::at_most(&Linear::number(1), of), Formula::natural(from)]);
    let between = [Formula::at_most(&number, from), Formula::less(from, &plus(&number, 1, of))];
    Formula::either(&some, Formula::all(between.into_iter().chain([is])), Formula::zero(&number))
}

fn plus(number: &Linear, times: i64, of: &Linear) -> Linear {
    number.plus(&BigInt::from(times), of)
}

/// What holds of every multiple: it is 0 or no less than `of`, and none is less than `of` apart from another without being the same.
fn apart(number: &Linear, of: &Linear, known: &[Multiple]) -> Formula {
    let zero = (Linear::default(), of.clone());
    let same = known.iter().filter(|(other, by)| by == of && other != number);
    let far = std::iter::once(&zero).chain(same).map(|(other, _)| {
        let near = (1 - TIMES..TIMES).map(|times| Formula::equal(number, &plus(other, times, of)));
        let above = Formula::at_most(&plus(other, TIMES, of), number);
        let below = Formula::at_most(number, &plus(other, -TIMES, of));
        Formula::any(near.chain([above, below]))
    });
    // Of 0 only 0 is one.
    let none = Formula::zero(of).not();
    let all = [Formula::natural(number), Formula::natural(of), Formula::any([Formula::zero(number), none])];
    Formula::all(all.into_iter().chain(far))
}

/// Some of the numbers that are multiples.
fn named(number: &Linear, of: &Linear, known: &[Multiple]) -> Formula {
    let zero = (Linear::default(), of.clone());
    let same = known.iter().filter(|(_, by)| by == of);
    let some = std::iter::once(&zero)
        .chain(same)
        .flat_map(|(other, _)| (-TIMES..=TIMES).map(move |times| Formula::equal(number, &plus(other, times, of))));
    Formula::all([Formula::natural(number), Formula::natural(of), Formula::any(some)])
}
