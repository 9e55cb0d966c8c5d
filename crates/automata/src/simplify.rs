//! Formulas without what the order of their numbers decides.
//!
//! Where `x < y` holds anyway, `max(x, y)` is y and needs no automaton that follows both. What holds beside a part of a
//! formula, or around it, is taken up as an [`Order`], and comparisons in that part which it decides are left out.

use crate::formula::{Atom, Formula};
use crate::order::Order;
use std::sync::Arc;

/// A formula that is true of the same numbers. `O(parts * numbers^2)`.
pub(super) fn simplified(formula: &Formula) -> Formula {
    simple(formula, &Order::new(), true)
}

/// The formula, or that it does not hold, among numbers in this order.
fn simple(formula: &Formula, order: &Order, holds: bool) -> Formula {
    match formula {
        Formula::Constant(value) => Formula::Constant(*value == holds),
        Formula::Atom(atom) => match order.decides(atom) {
            Some(value) => Formula::Constant(value == holds),
            None => literal(atom, holds),
        },
        Formula::Not(inner) => simple(inner, order, !holds),
        Formula::All(parts) if holds => together(parts, order, true),
        Formula::Any(parts) if !holds => together(parts, order, false),
        Formula::All(parts) | Formula::Any(parts) => Formula::any(parts.iter().map(|part| simple(part, order, holds))),
        Formula::Exists(tracks, inner) => {
            // A name that is known around is another number here.
            let hidden = tracks.iter().any(|&track| order.knows(track));
            let inner = if hidden { simple(inner, &Order::new(), true) } else { simple(inner, order, true) };
            let some = Formula::exists(tracks.clone(), inner);
            if holds { some } else { some.not() }
        }
    }
}

fn literal(atom: &Arc<Atom>, holds: bool) -> Formula {
    let atom = Formula::Atom(atom.clone());
    if holds { atom } else { atom.not() }
}

/// The atom of a part, and whether it holds there.
fn read(part: &Formula) -> Option<(&Arc<Atom>, bool)> {
    match part {
        Formula::Atom(atom) => Some((atom, true)),
        Formula::Not(inner) => match &**inner {
            Formula::Atom(atom) => Some((atom, false)),
            _ => None,
        },
        _ => None,
    }
}

/// All of these parts, or none of them: what each says is known in the others.
fn together(parts: &[Formula], around: &Order, hold: bool) -> Formula {
    let all = |parts: Vec<Formula>| match Formula::all(parts) {
        Formula::All(parts) => parts,
        other => vec![other],
    };
    // What is decided around goes first.
    let mut parts = all(parts.iter().map(|part| simple(part, around, hold)).collect());
    loop {
        let mut order = around.clone();
        let mut said = vec![false; parts.len()];
        // What takes off an end may come before what tells the end.
        for _ in 0..2 {
            for (part, said) in parts.iter().zip(&mut said) {
                if let Some((atom, holds)) = read(part) {
                    *said = order.take(atom, holds);
                }
            }
        }
        if order.never {
            return Formula::Constant(false);
        }
        let before = said.iter().filter(|said| **said).count();
        let next = parts.iter().zip(&said);
        parts = all(next.map(|(part, said)| if *said { part.clone() } else { simple(part, &order, true) }).collect());
        let now = parts.iter().filter(|part| read(part).is_some_and(|(atom, _)| Order::new().take(atom, true))).count();
        // Only more of what is said can decide more.
        if now <= before {
            return Formula::all(parts);
        }
    }
}
