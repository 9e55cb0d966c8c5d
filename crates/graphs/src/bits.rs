//! Sets of numbers below a bound, a bit each: for many of them, where a list would take four bytes each.

use std::iter::FusedIterator;

/// Bits of a word.
const WORD: usize = 64;
/// Words of a block: how many members stand before it is kept, so that a block is 512 numbers.
const BLOCK: usize = 8;

/// A set of numbers; members are numbered in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    words: Vec<u64>,
    /// How many members stand before each block.
    before: Vec<u32>,
    len: usize,
}

impl Bits {
    /// The set of the bits of these words, the lowest bit of the first word being 0. Linear.
    #[must_use]
    pub fn of_words(words: Vec<u64>) -> Bits {
        let mut len = 0_usize;
        let mut before = Vec::with_capacity(words.len().div_ceil(BLOCK));
        for block in words.chunks(BLOCK) {
            before.push(u32::try_from(len).unwrap_or(u32::MAX)); // below 2^32
            len += block.iter().map(|word| word.count_ones() as usize).sum::<usize>();
        }
        Bits { words, before, len }
    }

    /// The set of these numbers below a bound, in any order; others are left out. O(bound + numbers).
    #[must_use]
    pub fn new(bound: usize, numbers: impl IntoIterator<Item = u32>) -> Bits {
        let mut words = vec![0; bound.div_ceil(WORD)];
        for number in numbers {
            let number = number as usize;
            if number < bound {
                words[number / WORD] |= 1 << (number % WORD);
            }
        }
        Bits::of_words(words)
    }

    /// The words.
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    /// The 64 bits from a number on.
    #[inline]
    pub(super) fn window(&self, from: usize) -> u64 {
        let (word, bit) = (from / WORD, from % WORD);
        let low = self.words.get(word).map_or(0, |word| word >> bit);
        if bit == 0 { low } else { low | self.words.get(word + 1).map_or(0, |word| word << (WORD - bit)) }
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes that it takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.words.len() * 8 + self.before.len() * 4
    }

    /// Whether a number is in it.
    #[inline]
    #[must_use]
    pub fn has(&self, number: u32) -> bool {
        let number = number as usize;
        self.words.get(number / WORD).is_some_and(|word| word >> (number % WORD) & 1 == 1)
    }

    /// How many members are below one; `None` when the number is none.
    #[must_use]
    pub fn rank(&self, number: u32) -> Option<u32> {
        if !self.has(number) {
            return None;
        }
        let (word, bit) = (number as usize / WORD, number as usize % WORD);
        let block = word / BLOCK;
        let words = self.words[block * BLOCK..word].iter().map(|word| word.count_ones());
        Some(self.before[block] + words.sum::<u32>() + (self.words[word] & ((1 << bit) - 1)).count_ones())
    }

    /// The member with a number in ascending order, from 0. Logarithmic.
    #[must_use]
    pub fn member(&self, rank: u32) -> Option<u32> {
        if rank as usize >= self.len {
            return None;
        }
        // Blocks without members may follow that begin with the same count: the last one of these has it.
        let block = self.before.partition_point(|before| *before <= rank).checked_sub(1)?;
        let mut left = rank - self.before[block];
        for (at, &word) in (block * BLOCK..).zip(&self.words[block * BLOCK..]) {
            let here = word.count_ones();
            if left < here {
                let word = (0..left).fold(word, |word, _| word & (word - 1));
                return u32::try_from(at * WORD).ok().map(|first| first + word.trailing_zeros());
            }
            left -= here;
        }
        None
    }

    /// All, ascending.
    #[must_use]
    pub fn iter(&self) -> Members<'_> {
        Members { words: &self.words, word: 0, first: 0, next: 0, left: self.len }
    }
}

impl<'b> IntoIterator for &'b Bits {
    type Item = u32;
    type IntoIter = Members<'b>;

    fn into_iter(self) -> Members<'b> {
        self.iter()
    }
}

/// A set that is made number by number, from 0 on.
#[derive(Default)]
pub(super) struct Packer {
    words: Vec<u64>,
    /// The next word, of which so many bits are known.
    word: u64,
    known: usize,
}

impl Packer {
    pub(super) fn with_capacity(bound: usize) -> Packer {
        Packer { words: Vec::with_capacity(bound.div_ceil(WORD)), ..Packer::default() }
    }

    /// Whether the next numbers, at most 64, are in it, from the lowest bit on; the bits above them are 0.
    #[inline]
    pub(super) fn push(&mut self, bits: u64, count: usize) {
        self.word |= bits << self.known;
        self.known += count;
        if self.known >= WORD {
            self.known -= WORD;
            self.words.push(self.word);
            let used = count - self.known;
            self.word = if used < WORD { bits >> used } else { 0 };
        }
    }

    /// The same of numbers one by one.
    pub(super) fn extend(&mut self, are: &[bool]) {
        /// Takes the lowest bits of eight bytes together in the highest byte.
        const GATHER: u64 = 0x0102_0408_1020_4080;
        let (eights, rest) = are.as_chunks::<8>();
        for eight in eights {
            self.push(u64::from_le_bytes(eight.map(u8::from)).wrapping_mul(GATHER) >> 56, 8);
        }
        for &is in rest {
            self.push(u64::from(is), 1);
        }
    }

    /// So many numbers that are not in it.
    pub(super) fn skip(&mut self, count: usize) {
        for _ in 0..count / WORD {
            self.push(0, WORD);
        }
        self.push(0, count % WORD);
    }

    pub(super) fn done(mut self) -> Bits {
        if self.known > 0 {
            self.words.push(self.word);
        }
        Bits::of_words(self.words)
    }
}

/// What is left of the members.
#[derive(Clone, Debug)]
pub struct Members<'b> {
    words: &'b [u64],
    /// What is left of the word before `next`, whose lowest bit is `first`.
    word: u64,
    first: u32,
    next: usize,
    left: usize,
}

impl Iterator for Members<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        while self.word == 0 {
            self.word = *self.words.get(self.next)?;
            self.first = u32::try_from(self.next * WORD).ok()?;
            self.next += 1;
        }
        let member = self.first + self.word.trailing_zeros();
        self.word &= self.word - 1;
        self.left -= 1;
        Some(member)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Members<'_> {}

impl FusedIterator for Members<'_> {}
