//! Labels met in a file, numbered.

use crate::model::kind::GraphWord;
use crate::value::Value;
use crate::value::graph::{Graph, Labels};
use grundy_graphs::Ends;
use hashbrown::HashMap;
use num_bigint::BigInt;
use std::sync::Arc;

/// Ints below stand for themselves while a file is read; other labels have numbers from here on.
const SMALL: u32 = 100_000_000;

/// The labels met so far.
#[derive(Default)]
pub(super) struct Met {
    /// A bit for each small int that was met.
    small: Vec<u64>,
    ints: HashMap<Value, u32>,
    words: HashMap<Box<str>, u32>,
    /// The values of the numbers from [`SMALL`] on.
    others: Vec<Value>,
    /// All in the order of their first appearance.
    order: Vec<u32>,
}

impl Met {
    /// How many.
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// Notes an int of at most eight digits.
    #[inline]
    pub(super) fn small(&mut self, int: u32) {
        let (at, bit) = (int as usize / 64, 1 << (int % 64));
        match self.small.get_mut(at) {
            Some(word) if *word & bit != 0 => {}
            Some(word) => {
                *word |= bit;
                self.order.push(int);
            }
            None => {
                self.small.resize((at + 1).next_power_of_two(), 0);
                self.small(int);
            }
        }
    }

    /// Notes a label, an int or any other word; the number that stands for it.
    pub(super) fn word(&mut self, word: &str) -> u32 {
        if let Some(&number) = self.words.get(word) {
            return number;
        }
        let next = SMALL.saturating_add(u32::try_from(self.others.len()).unwrap_or(u32::MAX)); // refused by the caller
        let value = label(word);
        let known = match &value {
            Value::Int(n) if (0..i64::from(SMALL)).contains(n) => {
                let int = u32::try_from(*n).unwrap_or(0); // below SMALL
                self.small(int);
                return int;
            }
            Value::Text(_) => self.words.insert(word.into(), next).unwrap_or(next),
            _ => *self.ints.entry(value.clone()).or_insert(next),
        };
        if known == next {
            self.others.push(value);
            self.order.push(next);
        }
        known
    }

    /// The graph of these labels with edges between their numbers.
    pub(super) fn graph(self, word: GraphWord, mut edges: Vec<Ends>) -> Graph {
        let Met { small, others, mut order, ints, words } = self;
        drop((ints, words));
        let mut before = Vec::with_capacity(small.len());
        let mut count = 0;
        for bits in &small {
            before.push(count);
            count += bits.count_ones();
        }
        let rank = |int: u32| {
            let (bits, low) = (small[int as usize / 64], int % 64);
            // Most words are full where most ints were met.
            before[int as usize / 64] + if bits == u64::MAX { low } else { (bits & !(u64::MAX << low)).count_ones() }
        };
        let first = order.iter().copied().min().unwrap_or(0);
        let last = order.iter().copied().max().unwrap_or(0);
        if others.is_empty() && last - first < count {
            // All ints from the first to the last.
            if first > 0 {
                for v in &mut order {
                    *v -= first;
                }
                for (u, v) in &mut edges {
                    (*u, *v) = (*u - first, *v - first);
                }
            }
            let labels = Labels::Ints { from: i64::from(first), n: order.len() };
            return Graph::of_numbers(word, Arc::new(labels), Some(order), edges);
        }
        // Negative ints stand before the small ones, larger ints and words behind.
        let mut sorted: Vec<u32> = (0..).take(others.len()).collect();
        sorted.sort_unstable_by(|&a, &b| others[a as usize].cmp(&others[b as usize]));
        let negative = sorted.partition_point(|&i| others[i as usize] < Value::Int(0));
        let mut table = Vec::with_capacity(order.len());
        let mut numbers = vec![0; others.len()];
        let mut put = |table: &mut Vec<Value>, i: u32| {
            numbers[i as usize] = u32::try_from(table.len()).unwrap_or(u32::MAX); // refused by the caller
            table.push(others[i as usize].clone());
        };
        for &i in &sorted[..negative] {
            put(&mut table, i);
        }
        let from = u32::try_from(negative).unwrap_or(u32::MAX); // likewise
        for (at, bits) in (0_i64..).zip(&small) {
            let mut bits = *bits;
            while bits != 0 {
                table.push(Value::Int(at * 64 + i64::from(bits.trailing_zeros())));
                bits &= bits - 1;
            }
        }
        for &i in &sorted[negative..] {
            put(&mut table, i);
        }
        let number = |v: u32| if v < SMALL { from + rank(v) } else { numbers[(v - SMALL) as usize] };
        for v in &mut order {
            *v = number(*v);
        }
        for (u, v) in &mut edges {
            (*u, *v) = (number(*u), number(*v));
        }
        Graph::of_numbers(word, Arc::new(Labels::of_ascending(table)), Some(order), edges)
    }
}

/// The label that a word stands for: an int, whatever its zeros and sign, or a text.
pub(super) fn label(word: &str) -> Value {
    if let Ok(n) = word.parse::<i64>() {
        return Value::Int(n);
    }
    // Beyond 64 bits; what is longer than any number of use is a word.
    let digits = word.strip_prefix('-').unwrap_or(word);
    let is_int = !digits.is_empty() && digits.len() < 1000 && digits.bytes().all(|b| b.is_ascii_digit());
    let int = is_int.then(|| word.parse::<BigInt>().ok()).flatten();
    int.map_or_else(|| Value::text(word), Value::int)
}
