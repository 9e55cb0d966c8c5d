//! The reference: every option of every heap, one after the other, as the rules say.

use crate::code::{Code, Digit, Parts};
use crate::game::Game;
use crate::{Halt, Watch};

/// The Grundy values of a game, computed by going through all options.
#[derive(Clone, Debug)]
pub struct Naive {
    game: Game,
    splits: Splits,
    seen: Seen,
}

/// The values of every heap broken in two, each once; kept only as the digits that leave three heaps ask for.
#[derive(Clone, Debug, Default)]
struct Splits {
    /// In any two parts.
    any: Vec<Vec<u16>>,
    /// In two unequal parts, and whether there is one way only.
    unequal: Vec<Vec<(u16, bool)>>,
}

/// A set of values that is emptied in O(1).
#[derive(Clone, Debug, Default)]
struct Seen {
    stamp: Vec<u64>,
    now: u64,
}

impl Seen {
    fn clear(&mut self) {
        self.now += 1;
    }

    /// Whether it was not there.
    fn insert(&mut self, value: u16) -> bool {
        let place = usize::from(value);
        if place >= self.stamp.len() {
            self.stamp.resize(place + 1, 0);
        }
        std::mem::replace(&mut self.stamp[place], self.now) != self.now
    }

    fn mex(&self) -> usize {
        self.stamp.iter().position(|stamp| *stamp != self.now).unwrap_or(self.stamp.len())
    }
}

impl Splits {
    fn extend(&mut self, code: &Code, values: &[u16], seen: &mut Seen) {
        let asks =
            |parts: &[Parts]| code.digits().iter().any(|digit| digit.bits & 8 != 0 && parts.contains(&digit.parts));
        if asks(&[Parts::Any, Parts::Mixed]) {
            for heap in self.any.len()..values.len() {
                seen.clear();
                let two = (1..=heap / 2).map(|part| values[part] ^ values[heap - part]);
                self.any.push(two.filter(|value| seen.insert(*value)).collect());
            }
        }
        if asks(&[Parts::Unequal]) {
            for heap in self.unequal.len()..values.len() {
                let mut two: Vec<u16> = (1..heap.div_ceil(2)).map(|part| values[part] ^ values[heap - part]).collect();
                two.sort_unstable();
                self.unequal.push(two.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() == 1)).collect());
            }
        }
    }
}

impl Naive {
    /// The engine of a game.
    pub fn new(game: Game) -> Naive {
        Naive { game, splits: Splits::default(), seen: Seen::default() }
    }

    /// Goes on from the values that are there up to `len` of them. O(n) a heap and split digit, O(n x different values)
    /// when three heaps may be left that need not be equal. Fails when told to stop, or when a value does not fit.
    pub fn extend(&mut self, values: &mut Vec<u16>, len: usize, watch: Watch<'_>) -> Result<(), Halt> {
        let mut work = 0;
        while values.len() < len {
            let heap = values.len();
            let value = self.value(values);
            values.push(Halt::fit(value)?);
            work += heap + 64;
            if work > 1 << 20 {
                work = 0;
                watch(values)?;
            }
        }
        Ok(())
    }

    /// The value of the heap after those whose values are given.
    pub(crate) fn value(&mut self, values: &[u16]) -> usize {
        let heap = values.len();
        match &self.game {
            Game::Code(code) => {
                self.splits.extend(code, values, &mut self.seen);
                self.seen.clear();
                take_and_break(code, values, &self.splits, &mut self.seen);
            }
            Game::Subtraction(amounts) => {
                self.seen.clear();
                for amount in amounts.iter().take_while(|amount| **amount <= heap) {
                    self.seen.insert(values[heap - amount]);
                }
            }
            Game::AllBut(amounts) => {
                self.seen.clear();
                for (rest, value) in values.iter().enumerate() {
                    if amounts.binary_search(&(heap - rest)).is_err() {
                        self.seen.insert(*value);
                    }
                }
            }
            Game::Lasker => {
                self.seen.clear();
                for value in values {
                    self.seen.insert(*value);
                }
                for part in 1..=heap / 2 {
                    self.seen.insert(values[part] ^ values[heap - part]);
                }
            }
        }
        self.seen.mex()
    }
}

/// Puts the values of all options of the next heap in.
fn take_and_break(code: &Code, values: &[u16], splits: &Splits, seen: &mut Seen) {
    let heap = values.len();
    for (digit, rest) in code.digits().iter().zip((0..=heap).rev()) {
        if digit.bits & 1 != 0 && rest == 0 {
            seen.insert(0);
        }
        // With d0 a heap stays as it is only if it is broken.
        if digit.bits & 2 != 0 && rest >= 1 {
            seen.insert(values[rest]);
        }
        if digit.bits & 4 != 0 {
            two_parts(*digit, values, rest, seen);
        }
        if digit.bits & 8 != 0 {
            three_parts(digit.parts, values, rest, splits, seen);
        }
    }
}

fn two_parts(digit: Digit, values: &[u16], rest: usize, seen: &mut Seen) {
    if digit.parts == Parts::Equal {
        if rest >= 2 && rest.is_multiple_of(2) {
            seen.insert(0);
        }
        return;
    }
    let last = if digit.parts == Parts::Any { rest / 2 } else { rest.saturating_sub(1) / 2 };
    for part in 1..=last {
        seen.insert(values[part] ^ values[rest - part]);
    }
}

/// The least of three parts is at most a third, and only then a third when all are equal.
fn three_parts(parts: Parts, values: &[u16], rest: usize, splits: &Splits, seen: &mut Seen) {
    let third = match parts {
        Parts::Any => rest / 3,
        Parts::Unequal | Parts::Mixed => rest.saturating_sub(1) / 3,
        Parts::Equal => {
            // Of three equal values two cancel.
            if rest >= 3 && rest.is_multiple_of(3) {
                seen.insert(values[rest / 3]);
            }
            return;
        }
    };
    for part in 1..=third {
        if parts == Parts::Unequal {
            // Of the ways to break what remains one may have this part once more.
            let pair = values[part] ^ values[rest - 2 * part];
            for &(two, once) in &splits.unequal[rest - part] {
                if !(once && two == pair) {
                    seen.insert(values[part] ^ two);
                }
            }
        } else {
            for &two in &splits.any[rest - part] {
                seen.insert(values[part] ^ two);
            }
        }
    }
}
