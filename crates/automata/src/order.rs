//! What is known of the differences of numbers, and formulas without what follows from that.
//!
//! For every two numbers the least known c with `x - y <= c`, closed under `(x - y) + (y - z) = x - z` (difference bounds:
//! Dill, Timing assumptions and verification of finite-state concurrent systems, 1989). One of the numbers is 0, and none is
//! negative. Where `x < y` holds anyway, `max(x, y)` is y and needs no automaton that follows both: comparisons that are decided by
//! what holds beside a part of a formula, or around it, are left out.

use crate::automaton::Track;
use crate::formula::{Atom, Formula, Linear, Sense};
use num_traits::ToPrimitive;
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};

/// Constants beyond this are not followed.
pub const FAR: i64 = 1 << 40;
/// Tables do not grow beyond so many numbers.
const MOST: usize = 120;
/// One formula is simplified by looks at so many of its parts.
const LOOKS: u64 = 1 << 18;

/// What is known of the differences of some numbers.
#[derive(Clone, Debug, Default)]
pub struct Order {
    places: HashMap<Track, usize>,
    /// `upper[x][y]`: `x - y` is at most this. Place 0 is the number 0.
    upper: Vec<Vec<Option<i64>>>,
    /// No numbers are so: what was said contradicts itself.
    pub never: bool,
}

#[derive(Clone, Copy)]
struct Difference {
    x: Option<Track>,
    y: Option<Track>,
    c: i64,
}

/// Whether a constant is followed. The least number of the type has no opposite.
fn near(c: i64) -> bool {
    -FAR < c && c < FAR
}

impl Difference {
    /// What `sum <= 0` says, if that speaks of a difference.
    fn of(sum: &Linear) -> Option<Difference> {
        let c = -sum.constant.to_i64().filter(|&c| near(c))?;
        let (mut x, mut y) = (None, None);
        for (&track, multiple) in &sum.terms {
            let side = match multiple.to_i64()? {
                1 => &mut x,
                -1 => &mut y,
                _ => return None,
            };
            if side.replace(track).is_some() {
                return None;
            }
        }
        Some(Difference { x, y, c })
    }

    /// `y - x <= -c`
    fn turned(self) -> Difference {
        Difference { x: self.y, y: self.x, c: -self.c }
    }

    /// `x - y > c`, as `y - x <= -c - 1`.
    fn not(self) -> Difference {
        Difference { c: -self.c - 1, ..self.turned() }
    }
}

impl Order {
    /// Nothing is known yet.
    pub fn new() -> Order {
        Order { places: HashMap::new(), upper: vec![vec![Some(0)]], never: false }
    }

    /// Whether something was said of a variable.
    pub fn knows(&self, track: Track) -> bool {
        self.places.contains_key(&track)
    }

    /// Whether the atom is true, or false, of all numbers that are in this order.
    pub fn decides(&self, atom: &Atom) -> Option<bool> {
        let Atom::Sum(sum, sense) = atom else { return None };
        let below = Difference::of(sum)?;
        match sense {
            Sense::AtMostZero if self.implies(below) => Some(true),
            Sense::AtMostZero if self.implies(below.not()) => Some(false),
            Sense::Zero if self.implies(below) && self.implies(below.turned()) => Some(true),
            Sense::Zero if self.implies(below.not()) || self.implies(below.turned().not()) => Some(false),
            _ => None,
        }
    }

    /// Takes up that an atom holds, or does not; `false`: it says nothing of this kind.
    pub fn take(&mut self, atom: &Atom, holds: bool) -> bool {
        let Atom::Sum(sum, sense) = atom else { return false };
        let Some(below) = Difference::of(sum) else { return false };
        match (sense, holds) {
            (Sense::AtMostZero, true) => self.add(below),
            (Sense::AtMostZero, false) => self.add(below.not()),
            (Sense::Zero, true) => {
                self.add(below);
                self.add(below.turned());
            }
            // Of an end it takes off one.
            (Sense::Zero, false) => {
                for one in [below, below.turned()] {
                    if self.implies(one) {
                        self.add(Difference { c: one.c - 1, ..one });
                    }
                }
            }
        }
        true
    }

    fn implies(&self, said: Difference) -> bool {
        let place = |track: Option<Track>| track.map_or(Some(0), |track| self.places.get(&track).copied());
        let known = match (place(said.x), place(said.y)) {
            (Some(x), Some(y)) => self.upper[x][y],
            // Of a number that was not met it is known only that it is not negative.
            (Some(x), None) => self.upper[x][0],
            _ => None,
        };
        known.is_some_and(|known| known <= said.c)
    }

    fn place(&mut self, track: Option<Track>) -> Option<usize> {
        let Some(track) = track else { return Some(0) };
        if let Some(&place) = self.places.get(&track) {
            return Some(place);
        }
        let new = self.upper.len();
        if new >= MOST {
            return None;
        }
        for row in &mut self.upper {
            row.push(row[0]);
        }
        let mut row = vec![None; new];
        row.push(Some(0));
        self.upper.push(row);
        self.places.insert(track, new);
        Some(new)
    }

    fn add(&mut self, said: Difference) {
        let (Some(x), Some(y)) = (self.place(said.x), self.place(said.y)) else { return };
        if self.upper[x][y].is_some_and(|known| known <= said.c) {
            return;
        }
        if self.upper[y][x].is_some_and(|back| back + said.c < 0) {
            self.never = true;
            return;
        }
        let to_x: Vec<Option<i64>> = self.upper.iter().map(|row| row[x]).collect();
        let from_y = self.upper[y].clone();
        for (row, to_x) in self.upper.iter_mut().zip(to_x) {
            let Some(to_x) = to_x else { continue };
            for (known, from_y) in row.iter_mut().zip(&from_y) {
                let Some(from_y) = from_y else { continue };
                let by = to_x.saturating_add(said.c).saturating_add(*from_y);
                // Sums that left the range of constants are forgotten.
                if near(by) && known.is_none_or(|known| by < known) {
                    *known = Some(by);
                }
            }
        }
    }
}

/// A formula that is true of the same numbers, by cases of which is the greater of two free variables: of the pairs that are compared most
/// often, as many as asked for. `None`: fewer are compared twice.
/// Cost: twice the formula for each pair.
pub fn by_order(formula: &Formula, pairs: usize) -> Option<Formula> {
    let free = formula.free();
    let mut counts: BTreeMap<(Track, Track), usize> = BTreeMap::new();
    compared(formula, &mut |x, y| {
        if free.contains(&x) && free.contains(&y) {
            *counts.entry((x.min(y), x.max(y))).or_default() += 1;
        }
    });
    let mut often: Vec<((Track, Track), usize)> = counts.into_iter().filter(|(_, count)| *count > 1).collect();
    often.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let mut cases = vec![formula.clone()];
    for at in 0..pairs {
        let ((x, y), _) = *often.get(at)?;
        let first = Formula::at_most(&Linear::track(x), &Linear::track(y));
        let both =
            |case: &Formula| [first.clone(), first.clone().not()].map(|order| Formula::all([order, case.clone()]));
        cases = cases.iter().flat_map(both).collect();
    }
    Some(Formula::any(cases))
}

/// All pairs of variables whose difference is compared with a constant.
fn compared(formula: &Formula, see: &mut dyn FnMut(Track, Track)) {
    match formula {
        Formula::Constant(_) => {}
        Formula::Atom(atom) => {
            if let Atom::Sum(sum, _) = &**atom
                && let Some(Difference { x: Some(x), y: Some(y), .. }) = Difference::of(sum)
            {
                see(x, y);
            }
        }
        Formula::Not(inner) | Formula::Exists(_, inner) => compared(inner, see),
        Formula::All(parts) | Formula::Any(parts) => parts.iter().for_each(|part| compared(part, see)),
    }
}

/// A formula that is true of the same numbers. `O(parts * numbers^2)`.
pub(super) fn simplified(formula: &Formula) -> Formula {
    simple(formula, &Order::new(), true, &Cell::new(LOOKS))
}

/// The formula, or that it does not hold, among numbers in this order. It stays as it is once so many parts were looked at.
fn simple(formula: &Formula, order: &Order, holds: bool, looks: &Cell<u64>) -> Formula {
    let Some(left) = looks.get().checked_sub(1) else {
        return if holds { formula.clone() } else { formula.clone().not() };
    };
    looks.set(left);
    match formula {
        Formula::Constant(value) => Formula::Constant(*value == holds),
        Formula::Atom(atom) => match order.decides(atom) {
            Some(value) => Formula::Constant(value == holds),
            None if holds => formula.clone(),
            None => formula.clone().not(),
        },
        Formula::Not(inner) => simple(inner, order, !holds, looks),
        Formula::All(parts) if holds => together(parts, order, true, looks),
        Formula::Any(parts) if !holds => together(parts, order, false, looks),
        Formula::All(parts) | Formula::Any(parts) => {
            Formula::any(parts.iter().map(|part| simple(part, order, holds, looks)))
        }
        Formula::Exists(tracks, inner) => {
            // A name that is known around is another number here.
            let hidden = tracks.iter().any(|&track| order.knows(track));
            let nothing = Order::new();
            let inner = simple(inner, if hidden { &nothing } else { order }, true, looks);
            let some = Formula::exists(tracks.clone(), inner);
            if holds { some } else { some.not() }
        }
    }
}

fn read(part: &Formula) -> Option<(&std::sync::Arc<Atom>, bool)> {
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
fn together(parts: &[Formula], around: &Order, hold: bool, looks: &Cell<u64>) -> Formula {
    let all = |parts: Vec<Formula>| match Formula::all(parts) {
        Formula::All(parts) => parts,
        other => vec![other],
    };
    // Parts of parts wait until it is known what stands beside them: to look at them twice at each depth would be without end.
    let first = |part: &Formula| match (read(part), hold) {
        (Some(_), _) => simple(part, around, hold, looks),
        (None, true) => part.clone(),
        (None, false) => part.clone().not(),
    };
    let mut parts = all(parts.iter().map(first).collect());
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
        parts = all(next
            .map(|(part, said)| if *said { part.clone() } else { simple(part, &order, true, looks) })
            .collect());
        let now = parts.iter().filter(|part| read(part).is_some_and(|(atom, _)| Order::new().take(atom, true))).count();
        // Only more of what is said can decide more.
        if now <= before {
            return Formula::all(parts);
        }
    }
}
