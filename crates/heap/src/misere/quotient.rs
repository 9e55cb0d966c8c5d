//! Misere quotients of the heaps up to a size, one heap after the other.
//!
//! Two sums are equivalent when no sum that is added to both makes one lost and the other not. The classes of all sums of heaps up
//! to n are a commutative monoid with the set P of its lost classes: the misere quotient. It is found by a guess and a proof. The
//! proof is the transition algebra (`transitions.rs`), and that two elements can be told apart; how the guess was made does not matter.
//!
//! A heap whose pair is in the algebra already changes nothing. For another, all elements of the quotient are tried. If none fits,
//! a larger quotient is learned (`learner.rs`) from the outcomes of sums, which are searched with the smallest sum of its class in
//! place of each sum (`outcomes.rs`). Where the proof fails then, the algebra of the wrong guess takes the place of the old one:
//! it is right for all sums smaller than the one that failed, and so the next guess is right for more.

use crate::Halt;
use crate::game::Game;
use crate::misere::Look;
use crate::misere::learner::{Guess, Known, Learner, No, Sum, plus};
use crate::misere::monoid::{Element, Monoid};
use crate::misere::outcomes::{ByGuess, Heaps, WithCopies};
use crate::misere::transitions::{Letter, Made, Pair, Sets, Transitions, made};
use crate::options::each_option;
use std::collections::BTreeSet;
use std::fmt;

/// How far a computation may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The most elements of a quotient; more than 60,000 count as these.
    pub order: usize,
    /// The most pairs of a transition algebra; more than 10^9 count as these.
    pub pairs: usize,
    /// How many products of pairs may still be made, in all: some ten million a second.
    pub products: u64,
}

impl Bounds {
    /// Takes some products off; `false`: there are no more.
    pub(super) fn spend(&mut self, products: usize) -> bool {
        let left = self.products.checked_sub(products as u64);
        self.products = left.unwrap_or(0);
        left.is_some()
    }
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { order: 4_000, pairs: 300_000, products: 1_000_000_000 }
    }
}

/// Why the next heap was not added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The look said so.
    Halted(Halt),
    /// No quotient within the [`Bounds`] was found; there may be no finite one.
    NotFound,
}

impl From<Halt> for Stop {
    fn from(halt: Halt) -> Stop {
        Stop::Halted(halt)
    }
}

/// The largest heap: heaps are kept in 16 bits.
pub const MAX_HEAP: usize = 60_000;
/// Elements are kept in 16 bits, too, and places of pairs in 32.
const MAX_ORDER: usize = 60_000;
const MAX_PAIRS: usize = 1_000_000_000;
/// Guesses for one heap, each made by the algebra of the one before.
const GUESSES: usize = 30;
/// Smallest sums of the algebra, each with up to two heaps more, that are tried as tests.
const CANDIDATES: usize = 5_000;

/// The quotient of the heaps up to some size, proved for all sums of them.
pub struct Quotient {
    game: Game,
    monoid: Monoid,
    /// The element of each heap, from heap 0 on.
    images: Vec<Element>,
    /// The place of each heap's pair in the algebra.
    places: Vec<u32>,
    sets: Sets,
    letters: Vec<Letter>,
    algebra: Transitions,
    /// What the quotient was learned from; its generators are the heaps with which it became larger.
    known: Known,
}

impl fmt::Debug for Quotient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Quotient { game, monoid, images, .. } = self;
        write!(f, "{game} up to heap {}: order {}", images.len() - 1, monoid.order())
    }
}

/// What came of learning.
enum Learned {
    Found(Box<Quotient>),
    /// This guess was wrong, and the outcomes show no better one.
    Wrong(Guess),
    Nothing,
}

impl Quotient {
    /// The quotient of heap 0 alone.
    pub fn new(game: Game) -> Quotient {
        let monoid = Monoid::trivial();
        let sets = Sets::new(&monoid);
        let known = Known { generators: Vec::new(), tests: vec![Sum::new()] };
        let algebra = Transitions::trivial();
        Quotient { game, monoid, images: vec![0], places: vec![0], sets, letters: Vec::new(), algebra, known }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The quotient, as a monoid with its lost elements.
    pub fn monoid(&self) -> &Monoid {
        &self.monoid
    }

    /// The elements of the heaps from 0 on.
    pub fn images(&self) -> &[Element] {
        &self.images
    }

    /// How many pairs the transition algebra has.
    pub fn pairs(&self) -> usize {
        self.algebra.pairs.len()
    }

    /// The pairs of the transition algebra: an element, and the set of the elements of the options.
    pub fn transitions(&self) -> impl Iterator<Item = (Element, Vec<Element>)> + '_ {
        self.algebra.pairs.iter().map(|&(x, set)| (x, self.sets.members_of(set).collect()))
    }

    /// Adds the next heap; what it takes is taken off the bounds. After an error the quotient is as it was.
    pub fn add(&mut self, bounds: &mut Bounds, look: Look<'_>) -> Result<(), Stop> {
        let heap = self.images.len();
        if heap > MAX_HEAP {
            return Err(Stop::NotFound);
        }
        bounds.order = bounds.order.min(MAX_ORDER);
        bounds.pairs = bounds.pairs.min(MAX_PAIRS);
        let options = options(&self.game, &self.monoid, &self.images, heap);
        let set = self.sets.of(&self.monoid, options);
        let known = |x: Element| Some((x, *self.algebra.known.get(&(x, set))?));
        if let Some((x, place)) = self.monoid.elements().find_map(known) {
            self.images.push(x);
            self.places.push(place);
            return Ok(());
        }
        for x in self.monoid.elements() {
            if self.fits((x, set), bounds, look)? && self.extended((x, set), heap, bounds, look)? {
                return Ok(());
            }
        }
        let candidates = self.candidates(heap);
        let mut known = self.known.clone();
        known.generators.push(heap as u16);
        let heaps = Heaps {
            game: &self.game,
            monoid: &self.monoid,
            algebra: &self.algebra,
            letters: &self.letters,
            places: &self.places,
        };
        let mut learned = {
            let mut outcomes = WithCopies::new(heaps, look)?;
            self.learned(Learner::new(&mut outcomes, &known, &candidates, bounds.order), bounds, look)?
        };
        for _ in 0..GUESSES {
            let guess = match learned {
                Learned::Found(found) => {
                    *self = *found;
                    return Ok(());
                }
                Learned::Wrong(guess) => guess,
                Learned::Nothing => break,
            };
            let mut sets = Sets::new(&guess.monoid);
            let (letters, numbers) = letters(&self.game, &guess.monoid, &guess.images, &mut sets);
            let Made::Whole(algebra) = made(&guess.monoid, &mut sets, &letters, false, bounds, look)? else {
                break;
            };
            let places = algebra.places(&numbers);
            let (game, monoid) = (&self.game, &guess.monoid);
            let heaps = Heaps { game, monoid, algebra: &algebra, letters: &letters, places: &places };
            let mut outcomes = ByGuess::new(heaps, look)?;
            learned = self.learned(Learner::new(&mut outcomes, &known, &candidates, bounds.order), bounds, look)?;
        }
        Err(Stop::NotFound)
    }

    /// Whether no product of a pair with one of the algebra is at odds.
    fn fits(&mut self, (x, set): Pair, bounds: &mut Bounds, look: Look<'_>) -> Result<bool, Stop> {
        for (count, &place) in self.algebra.order.iter().enumerate() {
            if count % 4096 == 4095 {
                look(self.algebra.pairs.len() * 64)?;
            }
            if !bounds.spend(1) {
                return Err(Stop::NotFound);
            }
            let (y, options) = self.algebra.pairs[place as usize];
            let left = self.sets.times(&self.monoid, options, x);
            let right = self.sets.times(&self.monoid, set, y);
            let all = self.sets.union(&self.monoid, left, right);
            if self.monoid.is_lost(self.monoid.times(x, y)) == self.sets.is_won(all) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes a pair as that of the next heap if the algebra holds with it.
    fn extended(&mut self, pair: Pair, heap: usize, bounds: &mut Bounds, look: Look<'_>) -> Result<bool, Stop> {
        self.letters.push(Letter { pair, heap });
        let found = made(&self.monoid, &mut self.sets, &self.letters, true, bounds, look);
        if let Ok(Made::Whole(algebra)) = found {
            let place = |pair: Pair| algebra.known[&pair];
            self.places = self.places.iter().map(|&old| place(self.algebra.pairs[old as usize])).collect();
            self.places.push(place(pair));
            self.algebra = algebra;
            self.images.push(pair.0);
            return Ok(true);
        }
        self.letters.pop();
        match found? {
            Made::TooMany => Err(Stop::NotFound),
            Made::Whole(_) | Made::Fails(_) => Ok(false),
        }
    }

    /// Sums that may be tests, smallest first.
    fn candidates(&self, heap: usize) -> Vec<Sum> {
        let smallest = self.algebra.order.iter().take(CANDIDATES).map(|&place| self.algebra.sum(place, &self.letters));
        let with = |sum: Sum| (0..3).map(move |copies| plus(&sum, &vec![heap as u16; copies]));
        let mut all: Vec<Sum> = smallest.flat_map(with).collect();
        all.sort_by_cached_key(|sum| sum.iter().map(|heap| usize::from(*heap)).sum::<usize>());
        all
    }

    /// Learns a quotient until its algebra holds, or nothing more can be learned from these outcomes.
    fn learned(&self, mut learner: Learner<'_>, bounds: &mut Bounds, look: Look<'_>) -> Result<Learned, Halt> {
        let heap = self.images.len();
        let mut last = None;
        loop {
            let guess = match learner.guess(heap, look) {
                Ok(guess) => last.insert(guess),
                Err(No::Halted(halt)) => return Err(halt),
                Err(No::Lost) => break,
            };
            let mut sets = Sets::new(&guess.monoid);
            let (letters, numbers) = letters(&self.game, &guess.monoid, &guess.images, &mut sets);
            let sum = match made(&guess.monoid, &mut sets, &letters, true, bounds, look)? {
                Made::Whole(algebra) => {
                    let Some(Guess { monoid, images, .. }) = last else { break };
                    let known = Known { generators: learner.generators, tests: learner.tests };
                    let (game, places) = (self.game.clone(), algebra.places(&numbers));
                    let found = Quotient { game, monoid, images, places, sets, letters, algebra, known };
                    return Ok(Learned::Found(Box::new(found)));
                }
                Made::TooMany => break,
                Made::Fails(sum) => sum,
            };
            // It or one of its options has another outcome than its element.
            let mut learns = false;
            for sum in std::iter::once(sum.clone()).chain(options_of(&self.game, &sum)) {
                if learner.lost(&sum, &[], look)? != guess.monoid.is_lost(guess.element(&sum)) {
                    learns = learner.learn(guess, &sum, look)?;
                    break;
                }
            }
            if !learns {
                break;
            }
        }
        Ok(last.map_or(Learned::Nothing, Learned::Wrong))
    }
}

/// The elements of the options of a heap, given those of smaller heaps.
pub(super) fn options(game: &Game, monoid: &Monoid, images: &[Element], heap: usize) -> BTreeSet<Element> {
    let mut found = BTreeSet::new();
    each_option(game, heap, &mut |parts| {
        found.insert(monoid.product(parts.iter().map(|&part| images[part])));
    });
    found
}

/// The different pairs of heaps, and which of them each heap has; `None`: the identity.
fn letters(game: &Game, monoid: &Monoid, images: &[Element], sets: &mut Sets) -> (Vec<Letter>, Vec<Option<u32>>) {
    let mut letters: Vec<Letter> = Vec::new();
    let numbers = (0..images.len()).map(|heap| {
        let set = sets.of(monoid, options(game, monoid, images, heap));
        let pair = (images[heap], set);
        if pair == (0, 0) {
            return None;
        }
        let known = letters.iter().position(|letter| letter.pair == pair);
        let number = known.unwrap_or_else(|| {
            letters.push(Letter { pair, heap });
            letters.len() - 1
        });
        Some(number as u32)
    });
    let numbers = numbers.collect();
    (letters, numbers)
}

/// The options of a sum.
fn options_of(game: &Game, sum: &[u16]) -> Vec<Sum> {
    let mut all = Vec::new();
    for at in 0..sum.len() {
        let rest = [&sum[..at], &sum[at + 1..]].concat();
        each_option(game, usize::from(sum[at]), &mut |parts| {
            let parts: Sum = parts.iter().map(|part| *part as u16).collect();
            all.push(plus(&rest, &parts));
        });
    }
    all
}
