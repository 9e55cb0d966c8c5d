//! What is known of the differences of numbers, and what follows from that.
//!
//! For every two numbers the least known c with `x - y <= c`, closed under `(x - y) + (y - z) = x - z` (difference bounds:
//! Dill, Timing assumptions and verification of finite-state concurrent systems, 1989). One of the numbers is 0, and no
//! number is negative.

use crate::diagram::Track;
use crate::formula::{Atom, Linear, Sense};
use num_traits::ToPrimitive;
use std::collections::HashMap;

/// Constants beyond this are not followed.
const FAR: i64 = 1 << 40;
/// Tables do not grow beyond so many numbers.
const MOST: usize = 120;

/// See the module.
#[derive(Clone)]
pub(super) struct Order {
    places: HashMap<Track, usize>,
    /// `upper[x][y]`: `x - y` is at most this. Place 0 is the number 0.
    upper: Vec<Vec<Option<i64>>>,
    /// No numbers are so.
    pub(super) never: bool,
}

/// `x - y <= c`, of variables or 0.
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
    pub(super) fn new() -> Order {
        Order { places: HashMap::new(), upper: vec![vec![Some(0)]], never: false }
    }

    /// Whether something was said of a variable.
    pub(super) fn knows(&self, track: Track) -> bool {
        self.places.contains_key(&track)
    }

    /// Whether the atom is true, or false, of all numbers that are in this order.
    pub(super) fn decides(&self, atom: &Atom) -> Option<bool> {
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
    pub(super) fn take(&mut self, atom: &Atom, holds: bool) -> bool {
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

#[cfg(test)]
mod tests {
    use crate::formula::{Atom, Linear, Sense};
    use crate::order::Order;
    use num_bigint::BigInt;

    /// Constants at the ends of machine numbers are not followed, and nothing is decided by them.
    #[test]
    fn constants_at_the_ends_decide_nothing() {
        for end in [i64::MIN, i64::MIN + 1, -crate::order::FAR, crate::order::FAR, i64::MAX] {
            for sign in [1, -1] {
                let sum = Linear::number(end).plus(&BigInt::from(sign), &Linear::track(0));
                for sense in [Sense::Zero, Sense::AtMostZero] {
                    let (mut order, atom) = (Order::new(), Atom::Sum(sum.clone(), sense));
                    assert_eq!(order.decides(&atom), None, "{atom:?}");
                    assert!(!order.take(&atom, true) && !order.never, "{atom:?}");
                }
            }
        }
    }

    /// All that is decided of small numbers is so for all small numbers that fit, and what fits none is seen.
    #[test]
    fn what_is_decided_is_so() {
        let mut random = 5_u64;
        let mut below = |n: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i64::try_from((random >> 33) % n).unwrap()
        };
        let (mut decided, mut nothing) = (0, 0);
        for _ in 0..3000 {
            let mut atom = || {
                let (x, y) = (below(4), below(4));
                let mut sum = Linear::number(below(7) - 3);
                let (x, y) = (u32::try_from(x).unwrap(), u32::try_from(y).unwrap());
                if below(5) > 0 {
                    sum = sum.plus(&BigInt::from(1), &Linear::track(x));
                }
                if below(5) > 0 {
                    sum = sum.minus(&Linear::track(y));
                }
                Atom::Sum(sum, if below(3) == 0 { Sense::Zero } else { Sense::AtMostZero })
            };
            let said: Vec<(Atom, bool)> = (0..5).map(|i| (atom(), i % 3 != 2)).collect();
            let asked = atom();
            let mut order = Order::new();
            for (atom, holds) in &said {
                assert!(order.take(atom, *holds));
            }
            let answer = order.decides(&asked);
            let truth = |atom: &Atom, at: &[i64]| {
                let Atom::Sum(sum, sense) = atom else { unreachable!() };
                let mut value = sum.constant.clone();
                for (&track, multiple) in &sum.terms {
                    value += multiple * at[usize::try_from(track).unwrap()];
                }
                if *sense == Sense::Zero { value == BigInt::ZERO } else { value <= BigInt::ZERO }
            };
            let mut fits = false;
            for all in 0..10_000_i64 {
                let at = [all % 10, all / 10 % 10, all / 100 % 10, all / 1000];
                if said.iter().all(|(atom, holds)| truth(atom, &at) == *holds) {
                    fits = true;
                    assert!(answer.is_none_or(|answer| answer == truth(&asked, &at)), "{said:?} {asked:?} {at:?}");
                }
            }
            assert!(!fits || !order.never, "{said:?}");
            decided += usize::from(fits && answer.is_some());
            nothing += usize::from(order.never);
        }
        assert!(decided > 100 && nothing > 100, "{decided} {nothing}");
    }
}
