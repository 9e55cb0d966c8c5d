//! States of one instance as ranks: a mixed-radix number, the fields in an order and direction in which moves go down.

use crate::value::width;

/// One field's digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digit {
    /// Values `0..size`.
    pub size: u64,
    /// The digit is `size - 1 - value`.
    pub reversed: bool,
    /// What a step of the digit is worth.
    pub stride: u64,
    /// Values are never negative, whatever the rules do: they say so or check it.
    pub natural: bool,
}

/// A box of states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grid {
    /// By field.
    pub digits: Vec<Digit>,
    /// Fields from the most significant to the least.
    pub order: Vec<usize>,
    /// How many states.
    pub volume: u64,
    /// Groups of fields whose values may change places: a state counts as the one with the values of each group in
    /// ascending order. Their digits are alike.
    pub groups: Vec<Vec<usize>>,
}

impl Grid {
    /// A box with these sizes. `None`: more states than `2^61`.
    pub fn new(sizes: &[u64], natural: &[bool], order: &[usize], reversed: &[bool]) -> Option<Grid> {
        const LARGEST: u64 = 1 << 61;
        let mut digits: Vec<Digit> = sizes
            .iter()
            .zip(natural)
            .zip(reversed)
            .map(|((&size, &natural), &reversed)| Digit { size: size.max(1), reversed, stride: 1, natural })
            .collect();
        let mut volume = 1u64;
        for &field in order.iter().rev() {
            digits[field].stride = volume;
            volume = volume.checked_mul(digits[field].size).filter(|&v| v <= LARGEST)?;
        }
        Some(Grid { digits, order: order.to_vec(), volume, groups: Vec::new() })
    }

    /// The same with the fields in their own order and direction.
    pub fn plain(sizes: &[u64], natural: &[bool]) -> Option<Grid> {
        Grid::new(sizes, natural, &(0..sizes.len()).collect::<Vec<_>>(), &vec![false; sizes.len()])
    }

    /// What a step of each digit is worth, from the most significant on.
    pub fn strides(&self) -> Vec<u64> {
        self.order.iter().map(|&field| self.digits[field].stride).collect()
    }

    /// The same box with groups of fields whose values may change places, of which the sizes must be equal.
    pub fn with_groups(mut self, groups: &[Vec<usize>]) -> Grid {
        let alike = |group: &&Vec<usize>| {
            let mut digits = group.iter().map(|&field| (self.digits[field].size, self.digits[field].reversed));
            let first = digits.next();
            digits.all(|digit| Some(digit) == first)
        };
        self.groups = groups.iter().filter(alike).cloned().collect();
        self
    }

    /// The rank of a state, or of the one that it counts as; `None`: outside of the box.
    pub fn rank(&self, words: &[i64]) -> Option<u64> {
        if !self.groups.is_empty() {
            let mut sorted = words.to_vec();
            for group in &self.groups {
                let mut values: Vec<i64> = group.iter().map(|&field| words[field]).collect();
                values.sort_unstable();
                group.iter().zip(values).for_each(|(&field, value)| sorted[field] = value);
            }
            return self.rank_of(&sorted);
        }
        self.rank_of(words)
    }

    fn rank_of(&self, words: &[i64]) -> Option<u64> {
        let mut rank = 0;
        for (&word, digit) in words.iter().zip(&self.digits) {
            let value = u64::try_from(word).ok().filter(|&v| v < digit.size)?;
            rank += digit.stride * if digit.reversed { digit.size - 1 - value } else { value };
        }
        Some(rank)
    }

    /// The state of a rank.
    pub fn words(&self, rank: u64) -> Vec<i64> {
        let word = |digit: &Digit| {
            let value = rank / digit.stride % digit.size;
            width::int(if digit.reversed { digit.size - 1 - value } else { value })
        };
        self.digits.iter().map(word).collect()
    }
}
