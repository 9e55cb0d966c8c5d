//! Codes that leave at most two heaps, through the sparse space.
//!
//! Let m be a mask of bits and class(n) = parity(g(n) & m), perhaps turned round at every second heap
//! ([`Mask`](super::walsh)); heaps of class 0 are *rare*, the others *common*. A value is *of common type* at n if its class
//! there would be common. A split has a value of common type exactly when one of its parts is rare: parities add up. So the
//! values of common type that n can move to are found from the splits with a rare part, and the least missing one, c, is g(n)
//! unless a value of rare type below c is missing. To see that, splits are gone through until all of these are found, which
//! takes few, or all. This is exact for *every* mask; how fast it is depends on how few heaps are rare. The mask is chosen
//! anew whenever the number of values has doubled.
//!
//! [`words`] works while values are below 1024, about, with sets of values in words; [`wide`] with tables of marks after that.

mod ahead;
mod lanes;
mod packing;
mod sets;
mod shifts;
mod wide;
mod words;

use crate::heap::code::{Code, Parts};
use crate::heap::game::Game;
use crate::heap::instructions::Instructions;
use crate::heap::naive::Naive;
use crate::heap::walsh::{Mask, best_mask};
use crate::heap::{Halt, Watch};
use lanes::LANES;
use packing::Packing;
use shifts::BLOCK;
use wide::Wide;
use words::Words;

/// The first values are worked out by the reference.
const PLAIN: usize = 4 * BLOCK;

/// The most values: heaps are counted in 32 bits here.
const MOST: usize = u32::MAX as usize - LANES;

/// The moves of a code from heaps that are larger than all its amounts, sorted by kind.
#[derive(Clone, Debug, Default)]
struct Moves {
    /// Amounts that may be taken.
    takes: Vec<usize>,
    /// Amounts taken before what is left is split in two, and whether the parts must be unequal.
    splits: Vec<(usize, bool)>,
    /// Amounts taken before what is left is split in two equal parts.
    halves: Vec<usize>,
}

/// The engine.
#[derive(Clone, Debug)]
pub struct Sparse {
    set: Instructions,
    moves: Moves,
    naive: Naive,
    /// So many values are worked out by the reference.
    first: usize,
    class: Class,
    /// Rare heaps with their values, ascending; from 1.
    rare: Vec<(u32, u16)>,
    /// How many threads may be used.
    threads: usize,
    /// How many values the mask was chosen from, and how many were sorted into rare and common.
    chosen: usize,
    sorted: usize,
    engine: Engine,
}

/// By how large the places of values are.
#[derive(Clone, Debug)]
enum Engine {
    /// Below 64, and so on.
    One(Words<1>),
    Two(Words<2>),
    Three(Words<3>),
    Four(Words<4>),
    Eight(Words<8>),
    /// Any.
    Wide(Wide),
}

impl Engine {
    /// The engine for places up to a largest one.
    fn new(place: u16, set: Instructions, class: Class) -> Engine {
        match place / 64 {
            0 => Engine::One(Words::new(set, class)),
            1 => Engine::Two(Words::new(set, class)),
            2 => Engine::Three(Words::new(set, class)),
            3 => Engine::Four(Words::new(set, class)),
            4..8 => Engine::Eight(Words::new(set, class)),
            _ => Engine::Wide(Wide::new(set)),
        }
    }

    /// So many words have the places that it has room for.
    fn words(&self) -> u16 {
        match self {
            Engine::One(_) => 1,
            Engine::Two(_) => 2,
            Engine::Three(_) => 3,
            Engine::Four(_) => 4,
            Engine::Eight(_) | Engine::Wide(_) => 8,
        }
    }
}

impl Sparse {
    /// The engine of a code, unless the code leaves three heaps.
    #[must_use]
    pub fn new(code: &Code, set: Instructions) -> Option<Sparse> {
        if code.most_parts() > 2 {
            return None;
        }
        let mut moves = Moves::default();
        for (amount, digit) in code.digits().iter().enumerate() {
            if digit.bits & 2 != 0 {
                moves.takes.push(amount);
            }
            if digit.bits & 4 != 0 {
                match digit.parts {
                    Parts::Any => moves.splits.push((amount, false)),
                    Parts::Unequal | Parts::Mixed => moves.splits.push((amount, true)),
                    Parts::Equal => moves.halves.push(amount),
                }
            }
        }
        let naive = Naive::new(Game::Code(code.clone()));
        let first = code.last() + PLAIN;
        let class = Class { mask: Mask::default(), origin: moves.origin().unwrap_or(0) };
        let engine = Engine::new(0, set, class);
        Some(Sparse { set, moves, naive, first, class, rare: Vec::new(), threads: 1, chosen: 0, sorted: 0, engine })
    }

    /// Lets the engine use so many threads; it has work for two.
    pub fn use_threads(&mut self, threads: usize) {
        self.threads = threads;
    }

    /// How many heaps are rare under the mask in use.
    #[must_use]
    pub fn rare(&self) -> usize {
        self.rare.len()
    }

    /// Goes on from the values that are there up to `len` of them. O(rare heaps) a heap, as a rule.
    ///
    /// # Errors
    /// When told to stop, or when a value does not fit.
    pub fn extend(&mut self, values: &mut Vec<u16>, len: usize, watch: Watch<'_>) -> Result<(), Halt> {
        self.naive.extend(values, len.min(self.first), watch)?;
        while values.len() < len {
            if values.len() >= MOST {
                return Err(Halt::TooLarge);
            }
            self.sort(values);
            let to = len.min(2 * self.chosen).min(MOST);
            let (moves, rare, threads) = (&self.moves, &mut self.rare, self.threads);
            let done = match &mut self.engine {
                Engine::One(words) => words.extend(moves, rare, values, to, threads, watch),
                Engine::Two(words) => words.extend(moves, rare, values, to, threads, watch),
                Engine::Three(words) => words.extend(moves, rare, values, to, threads, watch),
                Engine::Four(words) => words.extend(moves, rare, values, to, threads, watch),
                Engine::Eight(words) => words.extend(moves, rare, values, to, threads, watch),
                Engine::Wide(wide) => wide.extend(moves, self.class, rare, values, to, watch).map(|()| true),
            };
            self.sorted = values.len();
            if !done? {
                let place = 64 * self.engine.words();
                self.engine = Engine::new(place, self.set, self.class);
            }
        }
        Ok(())
    }

    /// Chooses the mask when there are twice as many values as the last time, or values that came from elsewhere.
    fn sort(&mut self, values: &[u16]) {
        if values.len() < 2 * self.chosen && values.len() == self.sorted {
            return;
        }
        let max = values.iter().copied().max().unwrap_or(0);
        let range = (usize::from(max) + 1).next_power_of_two();
        self.class.mask = best_mask(values, range, self.moves.origin());
        let class = self.class;
        let place = values.iter().map(|value| Packing::new(class).place(*value)).max().unwrap_or(0);
        self.engine = Engine::new(place, self.set, class);
        (self.chosen, self.sorted) = (values.len(), values.len());
        let rare = (0_u32..).zip(values).skip(1).filter(|(heap, value)| class.is_rare(*heap as usize, **value));
        self.rare = rare.map(|(heap, value)| (heap, *value)).collect();
    }
}

impl Moves {
    /// All totals of splits of the heaps from `start` on are at least this.
    fn least(&self, start: usize) -> usize {
        start - self.splits.iter().map(|split| split.0).max().unwrap_or(0)
    }

    /// The parity of all split digits, if they have one.
    fn origin(&self) -> Option<usize> {
        let (first, _) = self.splits.first()?;
        self.splits.iter().all(|(amount, _)| amount % 2 == first % 2).then_some(first % 2)
    }
}

/// Rare or common.
#[derive(Clone, Copy, Debug)]
struct Class {
    mask: Mask,
    /// The parity of the split digits, 0 if they have none.
    origin: usize,
}

impl Class {
    /// Whether a heap of this value is rare. Of all heaps that a split leaves and the heap that is split, which are of common
    /// class: with digit i, parts a + b = n - i, class(a) + class(b) = parity(v & m) + (n - i) + 2 i, all mod 2.
    fn is_rare(self, heap: usize, value: u16) -> bool {
        let turned = self.mask.alternating && !(heap + self.origin).is_multiple_of(2);
        (value & self.mask.bits).count_ones().is_multiple_of(2) != turned
    }
}
