//! Subtraction games: take a number of a set from one heap.

/// The Grundy values of a subtraction game, computed as far as asked.
#[derive(Clone, Debug)]
pub struct Subtraction {
    /// Ascending, positive.
    amounts: Vec<usize>,
    values: Vec<u64>,
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
        Ok(Subtraction { amounts, values: Vec::new() })
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
