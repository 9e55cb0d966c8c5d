//! Choices of `k` members out of `c`, with repetition, as index vectors.

/// Iterator of [`lists`] and [`bags`].
#[derive(Clone, Debug)]
pub struct Tuples {
    c: usize,
    ascending: bool,
    next: Option<Vec<usize>>,
}

/// All lists of `k` numbers below `c`, lexicographically: `c^k` of them; one empty list for `k = 0`. O(k) each.
#[must_use]
pub fn lists(c: usize, k: usize) -> Tuples {
    Tuples { c, ascending: false, next: (c > 0 || k == 0).then(|| vec![0; k]) }
}

/// All ascending lists of `k` numbers below `c`, repetition allowed, lexicographically: `C(c + k - 1, k)` of them. O(k) each.
#[must_use]
pub fn bags(c: usize, k: usize) -> Tuples {
    Tuples { ascending: true, ..lists(c, k) }
}

impl Iterator for Tuples {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let now = self.next.take()?;
        if let Some(place) = now.iter().rposition(|&x| x + 1 < self.c) {
            let mut next = now.clone();
            next[place] += 1;
            let least = if self.ascending { next[place] } else { 0 };
            next[place + 1..].fill(least);
            self.next = Some(next);
        }
        Some(now)
    }
}
