//! Subtraction games: take a number of a set from one heap.

/// The Grundy values of a subtraction game, computed as far as asked.
#[derive(Clone, Debug)]
pub struct Subtraction {
    /// Ascending, positive.
    amounts: Vec<usize>,
    values: Vec<u64>,
    /// The period, once it was looked for: where it begins, and how long it is.
    period: Option<(usize, usize)>,
}

impl Subtraction {
    /// The game in which any of `amounts` may be taken; repetitions do not matter.
    ///
    /// # Errors
    /// When 0 is among them: taking nothing would never end.
    pub fn new(amounts: &[usize]) -> Result<Subtraction, String> {
        if amounts.contains(&0) {
            return Err("the subtraction set contains 0: a move must take something".into());
        }
        let mut amounts = amounts.to_vec();
        amounts.sort_unstable();
        amounts.dedup();
        Ok(Subtraction { amounts, values: Vec::new(), period: None })
    }

    /// From where on the values repeat, and after how many: from each heap of at least the first number on, a heap larger by
    /// the second has the same value. `None` when this does not show in heaps up to `limit`. O(limit x amounts) the first time.
    ///
    /// A value depends on the values of as many heaps before it as the largest amount says, so that two equal windows of this
    /// length prove the period. R. P. Brent's way of finding a cycle: the window at hand is held against one that stays
    /// behind, which catches up after 1, 2, 4, .. heaps; windows of different sums are not compared.
    pub fn period(&mut self, limit: usize) -> Option<(usize, usize)> {
        const BASE: u64 = 0x9e37_79b9_7f4a_7c15;
        let width = self.amounts.last().copied().unwrap_or(0);
        if self.period.is_some() || width >= limit {
            return self.period;
        }
        // A value that leaves the window had this factor.
        let oldest = (0..width).fold(1u64, |power, _| power.wrapping_mul(BASE));
        let mut sum = 0u64;
        for heap in 0..width {
            sum = sum.wrapping_mul(BASE).wrapping_add(self.value(heap) + 1);
        }
        let (mut behind, mut sum_behind, mut power) = (width, sum, 1);
        for end in width + 1..=limit {
            sum = sum.wrapping_mul(BASE).wrapping_add(self.value(end - 1) + 1);
            sum = sum.wrapping_sub(oldest.wrapping_mul(self.values[end - 1 - width] + 1));
            if sum == sum_behind && self.values[end - width..end] == self.values[behind - width..behind] {
                self.period = Some((behind - width, end - behind));
                break;
            }
            if end - behind == power {
                (behind, sum_behind, power) = (end, sum, 2 * power);
            }
        }
        self.period
    }

    /// The value of a heap of `n`, at most the number of amounts. O(n x amounts) the first time.
    pub fn value(&mut self, n: usize) -> u64 {
        let mut seen = vec![usize::MAX; self.amounts.len() + 1];
        for heap in self.values.len()..=n {
            for &amount in self.amounts.iter().take_while(|&&amount| amount <= heap) {
                // At most one value per amount, so it is a valid index.
                if let Some(mark) = usize::try_from(self.values[heap - amount]).ok().and_then(|v| seen.get_mut(v)) {
                    *mark = heap;
                }
            }
            let mex = (0..).zip(&seen).find(|(_, mark)| **mark != heap).map_or(0, |(value, _)| value);
            self.values.push(mex);
        }
        self.values[n]
    }
}

/// The Grundy value of a heap of `n` when any of `amounts` may be taken. O(n x amounts).
///
/// # Errors
/// As [`Subtraction::new`].
pub fn subtraction(amounts: &[usize], n: usize) -> Result<u64, String> {
    Ok(Subtraction::new(amounts)?.value(n))
}
