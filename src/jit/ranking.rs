//! States of one instance as ranks: a mixed-radix number, the fields in an order and direction in which moves go down.
//!
//! Fields whose values ascend from one to the next are one digit together, the number of their values among all such
//! rows (the combinatorial number system: Knuth, The Art of Computer Programming 4A, section 7.2.1.3, theorem L). For *five
//! sorted heaps* of `benches/rivals`: 80 times the speed of the box of all rows. `EngineOptions::chains` turns it off.
//!
//! Where a weighted sum of the fields goes down with every move, and no field does, that sum is the most significant digit, in
//! place of one of the fields, which it tells (skewing of loops: Wolfe, Loop skewing: the wavefront method revisited, 1986).
//! The rank stays linear in the fields.

use crate::value::width;
use std::sync::Arc;

/// The values of a field: so many from the least on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The least value.
    pub least: i64,
    /// How many there are.
    pub size: u64,
    /// No value is below the least, whatever the rules do: they say so or check it.
    pub sure: bool,
}

impl Span {
    /// The naturals below `size`.
    pub fn natural(size: u64) -> Span {
        Span { least: 0, size, sure: true }
    }

    /// The greatest value, of at least one.
    pub fn last(self) -> i64 {
        self.least.saturating_add_unsigned(self.size.saturating_sub(1))
    }

    /// The place of a value among them.
    pub fn place(self, value: i64) -> Option<u64> {
        u64::try_from(value.checked_sub(self.least)?).ok().filter(|&place| place < self.size)
    }

    /// Makes it reach this value from below.
    pub fn reach(&mut self, value: i64) {
        if let Ok(place) = u64::try_from(value.saturating_sub(self.least)) {
            self.size = self.size.max(place.saturating_add(1));
        }
    }
}

/// One field's digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digit {
    /// The values, at least one.
    pub span: Span,
    /// The digit is that of the values from the last one down.
    pub reversed: bool,
    /// What a step of the digit is worth.
    pub stride: u64,
}

impl Digit {
    /// What a value at this place among all is worth in the rank.
    fn worth(self, place: u64) -> u64 {
        self.stride * if self.reversed { self.span.size - 1 - place } else { place }
    }
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
    /// Fields whose values ascend: states in which they do not are outside.
    pub chains: Vec<Chain>,
    /// By field what a step of it adds to the sum that is the most significant digit, in place of the first field of `order`, of
    /// which a step adds 1. Some ranks are those of no state: that field would be outside. Empty: there is no such sum.
    pub weights: Vec<u64>,
}

/// Fields of which each value is at least `gap` more than the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The fields in the order of their values.
    pub fields: Vec<usize>,
    /// 0 or 1.
    pub gap: u64,
    /// For each of them what its values are worth in the rank; made with the box.
    pub worth: Vec<Arc<[i64]>>,
    /// How many rows of values there are.
    count: u64,
}

impl Chain {
    /// Such fields of a box to be made.
    pub fn new(fields: Vec<usize>, gap: u64) -> Chain {
        Chain { fields, gap, worth: Vec::new(), count: 0 }
    }

    /// Makes the fields one digit of this stride, of `size` values each; how many values it has.
    fn fit(&mut self, size: u64, reversed: bool, stride: u64) -> Option<u64> {
        let most = self.fields.len() as u64;
        let spread = |above: u64| (1 - self.gap) * above;
        self.worth.clear();
        for below in 0..most {
            // Of reversed fields the last one has the least digit.
            let above = if reversed { most - 1 - below } else { below };
            let worth = |digit: u64| {
                let rows = choose(digit + spread(above), above + 1)?.checked_mul(stride)?;
                i64::try_from(rows).ok()
            };
            let mut worth = (0..size).map(worth).collect::<Option<Vec<i64>>>()?;
            if reversed {
                worth.reverse();
            }
            self.worth.push(worth.into());
        }
        self.count = choose(size + spread(most - 1), most).filter(|&rows| rows > 0)?;
        Some(self.count)
    }

    /// Whether the values of these fields ascend so.
    pub fn admits(&self, words: &[i64]) -> bool {
        self.fields.windows(2).all(|pair| words[pair[1]].saturating_sub(words[pair[0]]) >= width::int(self.gap))
    }
}

/// In how many ways so many can be taken of `n`.
fn choose(n: u64, taken: u64) -> Option<u64> {
    let ways = (0..taken)
        .try_fold(1u128, |ways, i| Some(ways.checked_mul(u128::from(n.saturating_sub(i)))? / u128::from(i + 1)));
    u64::try_from(ways?).ok()
}

/// No box has more states.
const LARGEST: u64 = 1 << 61;

impl Grid {
    /// A box of these values. `None`: more states than `2^61`.
    pub fn new(spans: &[Span], order: &[usize], reversed: &[bool]) -> Option<Grid> {
        Grid::with_chains(spans, order, reversed, Vec::new())
    }

    /// A box in which some fields are chains: naturals of which sizes and directions are equal, and in `order` they stand
    /// together, that of the greatest digit first.
    pub fn with_chains(spans: &[Span], order: &[usize], reversed: &[bool], mut chains: Vec<Chain>) -> Option<Grid> {
        let span = |span: &Span| Span { size: span.size.max(1), ..*span };
        let digit = |(of, &reversed): (&Span, &bool)| Digit { span: span(of), reversed, stride: 1 };
        let mut digits: Vec<Digit> = spans.iter().zip(reversed).map(digit).collect();
        let mut volume = 1u64;
        let mut done = vec![false; spans.len()];
        for &field in order.iter().rev() {
            if done[field] {
                continue;
            }
            let Digit { span: Span { size, .. }, reversed, .. } = digits[field];
            let (values, fields) = match chains.iter_mut().find(|chain| chain.fields.contains(&field)) {
                Some(chain) => (chain.fit(size, reversed, volume)?, &chain.fields[..]),
                None => (size, &[field][..]),
            };
            for &field in fields {
                (digits[field].stride, done[field]) = (volume, true);
            }
            volume = volume.checked_mul(values).filter(|&v| v <= LARGEST)?;
        }
        Some(Grid { digits, order: order.to_vec(), volume, groups: Vec::new(), chains, weights: Vec::new() })
    }

    /// A box of naturals below `sizes` in the order of a sum of which these are the weights, of which one is 1. `None`: more
    /// states than `2^61`.
    pub fn by_sum(sizes: &[u64], weights: &[u64]) -> Option<Grid> {
        let told = (0..sizes.len()).filter(|&field| weights[field] == 1).max_by_key(|&field| sizes[field])?;
        let mut order: Vec<usize> = (0..sizes.len()).filter(|&field| field != told).collect();
        order.insert(0, told);
        let spans: Vec<Span> = sizes.iter().map(|&size| Span::natural(size)).collect();
        let mut grid = Grid::new(&spans, &order, &vec![false; sizes.len()])?;
        let step = grid.digits[told].stride;
        let most = sizes
            .iter()
            .zip(weights)
            .try_fold(0u64, |most, (size, weight)| most.checked_add((size - 1).checked_mul(*weight)?))?;
        grid.volume = most.checked_add(1)?.checked_mul(step).filter(|&volume| volume <= LARGEST)?;
        for (field, digit) in grid.digits.iter_mut().enumerate().filter(|&(field, _)| field != told) {
            digit.stride += weights[field] * step;
        }
        grid.weights = weights.to_vec();
        Some(grid)
    }

    /// The field that the sum tells, where there is one.
    pub fn told(&self) -> Option<usize> {
        if self.weights.is_empty() { None } else { self.order.first().copied() }
    }

    /// The chain of a field, and its place there.
    pub fn chain_of(&self, field: usize) -> Option<(&Chain, usize)> {
        self.chains.iter().find_map(|chain| Some((chain, chain.fields.iter().position(|&of| of == field)?)))
    }

    /// The first and the last value of a field in the order of ranks; `above`: the last is this field's value less, or with
    /// reversed digits plus, the gap.
    pub fn ends(&self, field: usize) -> (i64, i64, Option<(usize, i64)>) {
        let Digit { span, reversed, .. } = self.digits[field];
        let (least, above) = self.chain_of(field).map_or((0, None), |(chain, at)| {
            let (gap, above) = (width::int(chain.gap), if reversed { at.checked_sub(1) } else { Some(at + 1) });
            let below = if reversed { chain.fields.len() - 1 - at } else { at };
            let above = above.and_then(|at| chain.fields.get(at));
            (gap * width::int(below as u64), above.map(|&of| (of, if reversed { gap } else { -gap })))
        });
        let (first, last) = (span.least + least, span.last());
        if reversed { (last - least, span.least, above) } else { (first, last, above) }
    }

    /// The same with the fields in their own order and direction.
    pub fn plain(spans: &[Span]) -> Option<Grid> {
        Grid::new(spans, &(0..spans.len()).collect::<Vec<_>>(), &vec![false; spans.len()])
    }

    /// What a step of each digit is worth, from the most significant on; none where a sum is a digit.
    pub fn strides(&self) -> Vec<u64> {
        let order = if self.weights.is_empty() { &self.order[..] } else { &[] };
        order.iter().map(|&field| self.digits[field].stride).collect()
    }

    /// The same box with groups of fields whose values may change places, which must have the same values.
    pub fn with_groups(mut self, groups: &[Vec<usize>]) -> Grid {
        let alike = |group: &&Vec<usize>| {
            let mut digits = group.iter().map(|&field| (self.digits[field].span, self.digits[field].reversed));
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
        for (field, (&word, digit)) in words.iter().zip(&self.digits).enumerate() {
            let place = digit.span.place(word)?;
            rank += match self.chain_of(field) {
                Some((chain, at)) => chain.worth[at][width::index(place)].unsigned_abs(),
                None => digit.worth(place),
            };
        }
        self.chains.iter().all(|chain| chain.admits(words)).then_some(rank)
    }

    /// The state of a rank.
    pub fn words(&self, rank: u64) -> Vec<i64> {
        let mut words = Vec::new();
        self.words_into(rank, &mut words);
        words
    }

    /// The state of a rank, instead of what was there.
    pub fn words_into(&self, rank: u64, words: &mut Vec<i64>) {
        let word = |digit: &Digit| {
            let place = rank / digit.stride % digit.span.size;
            let place = if digit.reversed { digit.span.size - 1 - place } else { place };
            digit.span.least.saturating_add_unsigned(place)
        };
        words.clear();
        if let Some(told) = self.told() {
            return self.words_of_sum(rank, told, words);
        }
        words.extend(self.digits.iter().map(word));
        for chain in &self.chains {
            let Digit { span: Span { size, .. }, stride, reversed } = self.digits[chain.fields[0]];
            let mut left = width::int(rank % (stride * chain.count));
            for at in 0..chain.fields.len() {
                let at = if reversed { at } else { chain.fields.len() - 1 - at };
                let worth = &chain.worth[at];
                let values = (0..size).rev().map(|digit| if reversed { size - 1 - digit } else { digit });
                let value = values.map(width::index).find(|&value| worth[value] <= left).unwrap_or(0);
                left -= worth[value];
                words[chain.fields[at]] = width::int(value as u64);
            }
        }
    }

    fn words_of_sum(&self, rank: u64, told: usize, words: &mut Vec<i64>) {
        words.resize(self.digits.len(), 0);
        let mut left = rank % self.digits[told].stride;
        let mut sum = width::int(rank / self.digits[told].stride);
        for &field in self.order[1..].iter().rev() {
            let size = self.digits[field].span.size;
            words[field] = width::int(left % size);
            sum -= words[field] * width::int(self.weights[field]);
            left /= size;
        }
        words[told] = sum;
    }
}
