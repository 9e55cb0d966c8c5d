//! Sets of numbers below a bound, a bit each: for many of them, where a list would take four bytes each.

const WORD: usize = 64;

/// A set of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    /// The numbers of which it is true. Linear.
    pub fn of_flags(flags: &[bool]) -> Bits {
        let word = |flags: &[bool]| flags.iter().rev().fold(0, |word, &flag| word << 1 | u64::from(flag));
        Bits::of_words(flags.chunks(WORD).map(word).collect())
    }

    fn of_words(words: Vec<u64>) -> Bits {
        let len = words.iter().map(|word| word.count_ones() as usize).sum();
        Bits { words, len }
    }

    /// The set of these numbers below a bound, in any order; others are left out. O(bound + numbers).
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
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether a number is in it.
    #[inline]
    pub fn has(&self, number: u32) -> bool {
        let number = number as usize;
        self.words.get(number / WORD).is_some_and(|word| word >> (number % WORD) & 1 == 1)
    }

    /// All, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        (0..).step_by(WORD).zip(&self.words).flat_map(|(first, &word)| ones(word).map(move |bit| first + bit))
    }
}

/// The places of the ones of a word, ascending.
#[inline]
pub fn ones(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let low = (word != 0).then(|| word.trailing_zeros());
        word &= word.wrapping_sub(1);
        low
    })
}
