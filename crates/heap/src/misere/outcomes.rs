//! Outcomes of single sums of heaps in misere play, guessed: a sum is searched as the smallest sum of its class.
//!
//! What is said of small sums is right; of large ones it may be wrong, and then the proof of the quotient fails.

use crate::Halt;
use crate::game::Game;
use crate::misere::Look;
use crate::misere::learner::Outcomes;
use crate::misere::monoid::Monoid;
use crate::misere::transitions::{Letter, Transitions};
use crate::options::each_option;
use hashbrown::HashSet;

/// An algebra, and which of its pairs is that of each heap.
#[derive(Clone, Copy)]
pub(super) struct Heaps<'q> {
    pub(super) game: &'q Game,
    pub(super) monoid: &'q Monoid,
    pub(super) algebra: &'q Transitions,
    pub(super) letters: &'q [Letter],
    pub(super) places: &'q [u32],
}

impl Heaps<'_> {
    /// The place of a pair's product with a heap.
    fn times(&self, place: u32, heap: usize) -> u32 {
        self.algebra.times(place, self.places[heap])
    }

    /// For each pair and heap the product: `heaps` places a pair.
    fn steps(&self, look: Look<'_>) -> Result<Vec<u32>, Halt> {
        let heaps = self.places.len();
        let mut steps = Vec::with_capacity(self.algebra.pairs.len() * heaps);
        for place in 0..self.algebra.pairs.len() {
            if place % 1024 == 0 {
                look(4 * steps.capacity())?;
            }
            steps.extend((0..heaps).map(|heap| self.times(place as u32, heap)));
        }
        Ok(steps)
    }

    /// The pairs of a heap's options.
    fn options(&self, heap: usize) -> Vec<u32> {
        let mut found = HashSet::new();
        each_option(self.game, heap, &mut |parts| {
            found.insert(parts.iter().fold(0, |place, &part| self.times(place, part)));
        });
        found.into_iter().collect()
    }

    /// For each pair those of the options of its smallest sum.
    fn options_of_sums(&self, look: Look<'_>) -> Result<Vec<Vec<u32>>, Halt> {
        let of_letters: Vec<Vec<u32>> = self.letters.iter().map(|letter| self.options(letter.heap)).collect();
        let mut all: Vec<Vec<u32>> = vec![Vec::new(); self.algebra.pairs.len()];
        let mut held = 0;
        for (count, &place) in self.algebra.order.iter().enumerate().skip(1) {
            if count % 1024 == 0 {
                look(held)?;
            }
            let (before, letter) = self.algebra.last[place as usize];
            let with = all[before as usize].iter().map(|&to| self.algebra.step(to, letter));
            let from = of_letters[letter as usize].iter().map(|&option| self.algebra.times(before, option));
            let mut options: Vec<u32> = with.chain(from).collect();
            options.sort_unstable();
            options.dedup();
            held += 4 * options.len() + 32;
            all[place as usize] = options;
        }
        Ok(all)
    }
}

/// Sums of smaller heaps and any number of one larger heap: the smaller ones by their place in an algebra.
pub(super) struct WithCopies<'q> {
    heaps: Heaps<'q>,
    steps: Vec<u32>,
    of_sums: Vec<Vec<u32>>,
    /// The pairs of the larger heap's options.
    of_heap: Vec<u32>,
    /// By the number of the larger heaps, then the place.
    lost: Vec<bool>,
}

impl<'q> WithCopies<'q> {
    /// For the heap after those of the algebra.
    pub(super) fn new(heaps: Heaps<'q>, look: Look<'_>) -> Result<Self, Halt> {
        let of_sums = heaps.options_of_sums(look)?;
        let lost = heaps.algebra.pairs.iter().map(|(x, _)| heaps.monoid.is_lost(*x)).collect();
        let of_heap = heaps.options(heaps.places.len());
        Ok(WithCopies { heaps, steps: heaps.steps(look)?, of_sums, of_heap, lost })
    }

    /// One more of the larger heaps: who wins is searched for all places.
    fn extend(&mut self, look: Look<'_>) -> Result<(), Halt> {
        let size = self.of_sums.len();
        let copies = self.lost.len() / size;
        self.lost.resize((copies + 1) * size, false);
        let (fewer, these) = self.lost.split_at_mut(copies * size);
        let fewer = &fewer[(copies - 1) * size..];
        for (count, &place) in self.heaps.algebra.order.iter().enumerate() {
            if count % 1024 == 0 {
                look(size * 200)?;
            }
            let wins = self.of_sums[place as usize].iter().any(|&to| these[to as usize])
                || self.of_heap.iter().any(|&option| fewer[self.heaps.algebra.times(place, option) as usize]);
            these[place as usize] = !wins;
        }
        Ok(())
    }
}

impl Outcomes for WithCopies<'_> {
    fn plus(&self, (mut place, mut copies): (u32, u32), sum: &[u16]) -> (u32, u32) {
        let heaps = self.heaps.places.len();
        for &heap in sum {
            if usize::from(heap) == heaps {
                copies += 1;
            } else {
                place = self.steps[place as usize * heaps + usize::from(heap)];
            }
        }
        (place, copies)
    }

    fn lost(&mut self, (place, copies): (u32, u32), look: Look<'_>) -> Result<bool, Halt> {
        let at = copies as usize * self.of_sums.len() + place as usize;
        while self.lost.len() <= at {
            self.extend(look)?;
        }
        Ok(self.lost[at])
    }
}

/// Sums by their place in the algebra of a quotient that was wrong.
pub(super) struct ByGuess {
    heaps: usize,
    steps: Vec<u32>,
    lost: Vec<bool>,
}

impl ByGuess {
    pub(super) fn new(heaps: Heaps<'_>, look: Look<'_>) -> Result<Self, Halt> {
        let of_sums = heaps.options_of_sums(look)?;
        let mut lost = vec![false; of_sums.len()];
        for &place in &heaps.algebra.order {
            let options = &of_sums[place as usize];
            lost[place as usize] = !options.is_empty() && !options.iter().any(|&to| lost[to as usize]);
        }
        Ok(ByGuess { heaps: heaps.places.len(), steps: heaps.steps(look)?, lost })
    }
}

impl Outcomes for ByGuess {
    fn plus(&self, (place, _): (u32, u32), sum: &[u16]) -> (u32, u32) {
        let step = |place: u32, heap: &u16| self.steps[place as usize * self.heaps + usize::from(*heap)];
        (sum.iter().fold(place, step), 0)
    }

    fn lost(&mut self, (place, _): (u32, u32), _: Look<'_>) -> Result<bool, Halt> {
        Ok(self.lost[place as usize])
    }
}
