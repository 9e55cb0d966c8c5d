//! The transition algebra: what is known of a sum of heaps is its element, and the elements of its options.
//!
//! For a monoid Q and an element for each heap, a heap is the pair of its element and the set of those of its options. The
//! pairs are multiplied by `(x, E)(y, F) = (xy, Ey | xF)`: so the options of a sum are made. The algebra is all that the pairs of
//! the heaps generate; it is finite as Q is. If in each pair x is in P exactly when E is not empty and has nothing of P, then, by
//! induction on the plays, a sum of heaps is lost in misere play exactly when its element is in P, whatever heaps it has
//! (Plambeck and Siegel, "Misere quotients for impartial games", J. Combin. Theory A 115, 2008).

use crate::Halt;
use crate::misere::Look;
use crate::misere::monoid::{Element, Monoid};
use crate::misere::quotient::Bounds;
use hashbrown::HashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The number of a set of elements.
pub(super) type SetId = u32;

/// Sets of elements, each kept once.
#[derive(Default)]
pub(super) struct Sets {
    /// Words of 64 elements a set.
    width: usize,
    words: Vec<u64>,
    known: HashMap<Box<[u64]>, SetId>,
    /// Whether a set is empty or has an element of P: the two ways in which who has the turn wins.
    won: Vec<bool>,
    products: HashMap<(SetId, Element), SetId>,
    unions: HashMap<(SetId, SetId), SetId>,
}

impl Sets {
    pub(super) fn new(monoid: &Monoid) -> Sets {
        let mut sets = Sets { width: monoid.order().div_ceil(64), ..Sets::default() };
        sets.of(monoid, []);
        sets
    }

    /// The set of these elements.
    pub(super) fn of(&mut self, monoid: &Monoid, elements: impl IntoIterator<Item = Element>) -> SetId {
        let mut words = vec![0u64; self.width];
        for x in elements {
            words[usize::from(x) / 64] |= 1 << (x % 64);
        }
        self.keep(monoid, words)
    }

    fn keep(&mut self, monoid: &Monoid, words: Vec<u64>) -> SetId {
        if let Some(known) = self.known.get(&words[..]) {
            return *known;
        }
        let id = self.won.len() as SetId;
        let won = members(&words).next().is_none() || members(&words).any(|x| monoid.is_lost(x));
        self.won.push(won);
        self.words.extend_from_slice(&words);
        self.known.insert(words.into(), id);
        id
    }

    fn get(&self, set: SetId) -> &[u64] {
        &self.words[set as usize * self.width..][..self.width]
    }

    /// Whether who has the turn wins when these are the elements of the options.
    pub(super) fn is_won(&self, set: SetId) -> bool {
        self.won[set as usize]
    }

    /// All products of the elements of a set and an element.
    pub(super) fn times(&mut self, monoid: &Monoid, set: SetId, y: Element) -> SetId {
        if y == 0 {
            return set;
        }
        if let Some(known) = self.products.get(&(set, y)) {
            return *known;
        }
        let mut words = vec![0u64; self.width];
        for x in members(self.get(set)) {
            let product = monoid.times(x, y);
            words[usize::from(product) / 64] |= 1 << (product % 64);
        }
        let product = self.keep(monoid, words);
        self.products.insert((set, y), product);
        product
    }

    pub(super) fn union(&mut self, monoid: &Monoid, a: SetId, b: SetId) -> SetId {
        if a == b {
            return a;
        }
        let pair = (a.min(b), a.max(b));
        if let Some(known) = self.unions.get(&pair) {
            return *known;
        }
        let words = self.get(a).iter().zip(self.get(b)).map(|(a, b)| a | b).collect();
        let union = self.keep(monoid, words);
        self.unions.insert(pair, union);
        union
    }

    /// The elements of a set, ascending.
    pub(super) fn members_of(&self, set: SetId) -> impl Iterator<Item = Element> + '_ {
        members(self.get(set))
    }

    fn bytes(&self) -> usize {
        self.words.len() * 24 + (self.products.len() + self.unions.len()) * 24 + self.won.len() * 48
    }
}

fn members(words: &[u64]) -> impl Iterator<Item = Element> + '_ {
    words.iter().enumerate().flat_map(|(at, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = rest.trailing_zeros();
            rest = rest.checked_sub(1).map(|less| rest & less)?;
            Some((at * 64) as Element + bit as Element)
        })
    })
}

/// A pair of the algebra: an element, and a set of elements.
pub(super) type Pair = (Element, SetId);

/// Generators of the algebra, each once.
pub(super) struct Letter {
    pub(super) pair: Pair,
    /// The least heap that it stands for.
    pub(super) heap: usize,
}

/// The algebra that some pairs generate.
pub(super) struct Transitions {
    pub(super) pairs: Vec<Pair>,
    /// The place of each pair.
    pub(super) known: HashMap<Pair, u32>,
    /// The least sum of heaps for each pair, by the number of its beans: that of another pair, and one letter more.
    pub(super) last: Vec<(u32, u32)>,
    letters: usize,
    /// `next[place * letters + letter]`: the product with a letter.
    next: Vec<u32>,
    /// Places in the order of beans.
    pub(super) order: Vec<u32>,
}

/// What came of making an algebra.
pub(super) enum Made {
    Whole(Transitions),
    /// Of this sum its element says who wins, and so do its options, and they differ.
    Fails(Vec<u16>),
    /// There are more pairs than were allowed.
    TooMany,
}

/// Makes the algebra of some letters, the pairs of smaller sums first. With `strict` it ends at the first pair that fails.
pub(super) fn made(
    monoid: &Monoid,
    sets: &mut Sets,
    letters: &[Letter],
    strict: bool,
    bounds: &mut Bounds,
    look: Look<'_>,
) -> Result<Made, Halt> {
    let count = letters.len();
    let mut algebra = Transitions { letters: count, order: Vec::new(), ..Transitions::trivial() };
    let mut beans = vec![0usize];
    let mut done = vec![false];
    let mut todo = BinaryHeap::from([Reverse((0usize, 0u32))]);
    while let Some(Reverse((size, place))) = todo.pop() {
        let at = place as usize;
        if std::mem::replace(&mut done[at], true) {
            continue;
        }
        let (x, options) = algebra.pairs[at];
        // Won by the options, or an end of the play, which is won in misere play.
        if strict && monoid.is_lost(x) == sets.is_won(options) {
            return Ok(Made::Fails(algebra.sum(place, letters)));
        }
        algebra.order.push(place);
        if !bounds.spend(1 + count) {
            return Ok(Made::TooMany);
        }
        if algebra.order.len().is_multiple_of(1024) {
            look(algebra.pairs.len() * (64 + 4 * count) + sets.bytes())?;
        }
        algebra.next.resize(algebra.next.len().max((at + 1) * count), 0);
        for (number, letter) in letters.iter().enumerate() {
            let (y, of_letter) = letter.pair;
            let left = sets.times(monoid, options, y);
            let right = sets.times(monoid, of_letter, x);
            let pair = (monoid.times(x, y), sets.union(monoid, left, right));
            let fresh = algebra.pairs.len() as u32;
            let to = *algebra.known.entry(pair).or_insert(fresh);
            let with = size + letter.heap;
            if to == fresh {
                if algebra.pairs.len() >= bounds.pairs {
                    return Ok(Made::TooMany);
                }
                algebra.pairs.push(pair);
                algebra.last.push((place, number as u32));
                beans.push(with);
                done.push(false);
                todo.push(Reverse((with, to)));
            } else if !done[to as usize] && with < beans[to as usize] {
                beans[to as usize] = with;
                algebra.last[to as usize] = (place, number as u32);
                todo.push(Reverse((with, to)));
            }
            algebra.next[at * count + number] = to;
        }
    }
    Ok(Made::Whole(algebra))
}

impl Transitions {
    /// The algebra of no letters: the identity.
    pub(super) fn trivial() -> Transitions {
        Transitions {
            pairs: vec![(0, 0)],
            known: HashMap::from([((0, 0), 0)]),
            last: vec![(u32::MAX, 0)],
            letters: 0,
            next: Vec::new(),
            order: vec![0],
        }
    }

    /// The places of heaps, given the letter of each; `None`: the identity.
    pub(super) fn places(&self, letters: &[Option<u32>]) -> Vec<u32> {
        letters.iter().map(|letter| letter.map_or(0, |letter| self.step(0, letter))).collect()
    }

    /// The product of a pair with a letter.
    pub(super) fn step(&self, place: u32, letter: u32) -> u32 {
        self.next[place as usize * self.letters + letter as usize]
    }

    /// The product of two pairs: the letters of the second one's smallest sum, one after the other.
    pub(super) fn times(&self, a: u32, b: u32) -> u32 {
        self.word(b).fold(a, |product, letter| self.step(product, letter))
    }

    /// The letters of a pair's smallest sum.
    fn word(&self, place: u32) -> impl Iterator<Item = u32> + '_ {
        let mut rest = place;
        std::iter::from_fn(move || {
            let (before, letter) = (rest != 0).then(|| self.last[rest as usize])?;
            rest = before;
            Some(letter)
        })
    }

    /// The smallest sum of heaps for a pair, ascending.
    pub(super) fn sum(&self, place: u32, letters: &[Letter]) -> Vec<u16> {
        let mut heaps: Vec<u16> = self.word(place).map(|letter| letters[letter as usize].heap as u16).collect();
        heaps.sort_unstable();
        heaps
    }
}
