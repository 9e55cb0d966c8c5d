//! Codes that leave at most two heaps, through the sparse space.
//!
//! Let m be a mask of bits and class(n) = parity(g(n) & m), perhaps turned round at every second heap
//! ([`Mask`](crate::walsh)); heaps of class 0 are *rare*, the others *common*. A value is *of common type* at n if its class
//! there would be common. A split has a value of common type exactly when one of its parts is rare: parities add up. So the
//! values of common type that n can move to are found from the splits with a rare part, and the least missing one, c, is g(n)
//! unless a value of rare type below c is missing. To see that, splits are gone through until all of these are found, which
//! takes few, or all. This is exact for *every* mask; how fast it is depends on how few heaps are rare. The mask is chosen
//! anew whenever the number of values has doubled.
//!
//! Sets of values are words of bits ([`words`]), of which there are as many as the values so far need.

mod packing;
mod splits;
mod words;

use crate::code::{Code, Parts};
use crate::game::Game;
use crate::instructions::Instructions;
use crate::naive::Naive;
use crate::sparse::packing::Packing;
use crate::sparse::splits::{BLOCK, Entry};
use crate::sparse::words::Words;
use crate::{Halt, Watch};

/// The first values are worked out by the reference.
const PLAIN: usize = 4 * BLOCK;

/// The most values: heaps are counted in 32 bits here.
const MOST: usize = u32::MAX as usize - BLOCK;

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
    rare: Vec<Entry>,
    /// How many threads may be used.
    threads: usize,
    /// How many values the mask was chosen from, and how many were sorted into rare and common.
    chosen: usize,
    sorted: usize,
    /// `None` if places are 16,384 or more, which is for the reference.
    engine: Option<Engine>,
}

/// Declares the engines by how many words the places of values take.
macro_rules! engines {
    ($($name:ident $words:literal,)*) => {
        /// By how large the places of values are: below 64, below 128, and so on.
        #[derive(Clone, Debug)]
        enum Engine {
            $($name(Words<$words>),)*
        }

        impl Engine {
            /// The engine for places up to a largest one, `None` if that is 16,384 or more.
            fn new(place: u16, set: Instructions, class: Class) -> Option<Engine> {
                let words = place / 64;
                $(if words < $words {
                    return Some(Engine::$name(Words::new(set, class)));
                })*
                None
            }

            /// So many words have the places that it has room for.
            fn words(&self) -> u16 {
                match self {
                    $(Engine::$name(_) => $words,)*
                }
            }

            fn extend(
                &mut self,
                moves: &Moves,
                rare: &mut Vec<Entry>,
                values: &mut Vec<u16>,
                len: usize,
                threads: usize,
                watch: Watch<'_>,
            ) -> Result<bool, Halt> {
                match self {
                    $(Engine::$name(words) => words.extend(moves, rare, values, len, threads, watch),)*
                }
            }
        }
    };
}

engines! {
    One 1, Two 2, Three 3, Four 4, Eight 8, Sixteen 16, ThirtyTwo 32, Words64 64, Words128 128, Words256 256,
}

/// Rare or common.
#[derive(Clone, Copy, Debug)]
struct Class {
    mask: Mask,
    /// The parity of the split digits, 0 if they have none.
    origin: usize,
}

/// Which heaps are rare: a parity of the bits of the value in the mask, perhaps turned round with each heap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mask {
    /// The bits that count.
    pub(super) bits: u16,
    /// Whether the parity of the heap counts too.
    pub(super) alternating: bool,
}

impl Sparse {
    /// The engine of a code, unless the code leaves three heaps.
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
            let Some(engine) = &mut self.engine else { return self.naive.extend(values, len, watch) };
            let done = engine.extend(&self.moves, &mut self.rare, values, to, self.threads, watch);
            self.sorted = values.len();
            if !done? {
                self.engine = Engine::new(64 * engine.words(), self.set, self.class);
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

impl Class {
    /// Whether a heap of this value is rare. Of all heaps that a split leaves and the heap that is split, which are of common
    /// class: with digit i, parts a + b = n - i, class(a) + class(b) = parity(v & m) + (n - i) + 2 i, all mod 2.
    fn is_rare(self, heap: usize, value: u16) -> bool {
        let turned = self.mask.alternating && !(heap + self.origin).is_multiple_of(2);
        (value & self.mask.bits).count_ones().is_multiple_of(2) != turned
    }
}

/// The mask with the fewest rare values. `origin` is the parity of all split digits, if they have one; without it the parity
/// of heaps cannot count. O(values + range log range).
pub(super) fn best_mask(values: &[u16], range: usize, origin: Option<usize>) -> Mask {
    let mut best = (0, Mask::default());
    for alternating in [false, true] {
        if alternating && origin.is_none() {
            continue;
        }
        let mut histogram = vec![0_i64; range];
        for (heap, &value) in values.iter().enumerate().skip(1) {
            let odd = alternating && !(heap + origin.unwrap_or(0)).is_multiple_of(2);
            histogram[usize::from(value)] += if odd { -1 } else { 1 };
        }
        transform(&mut histogram);
        for (bits, &sum) in (0..).zip(&histogram) {
            if sum < best.0 {
                best = (sum, Mask { bits, alternating });
            }
        }
    }
    best.1
}

/// In place; the length is a power of two.
fn transform(h: &mut [i64]) {
    let mut half = 1;
    while half < h.len() {
        for block in h.chunks_exact_mut(2 * half) {
            let (low, high) = block.split_at_mut(half);
            for (a, b) in low.iter_mut().zip(high) {
                (*a, *b) = (*a + *b, *a - *b);
            }
        }
        half *= 2;
    }
}
