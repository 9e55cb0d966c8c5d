//! Choices of `k` members out of `c`, with repetition, as index vectors.

/// Iterator of [`lists`].
#[derive(Clone, Debug)]
pub struct Lists {
    c: usize,
    next: Option<Vec<usize>>,
}

/// Iterator of [`bags`].
#[derive(Clone, Debug)]
pub struct Bags {
    c: usize,
    next: Option<Vec<usize>>,
}

fn first(c: usize, k: usize) -> Option<Vec<usize>> {
    (c > 0 || k == 0).then(|| vec![0; k])
}

/// All lists of `k` numbers below `c`, lexicographically: `c^k` of them; one empty list for `k = 0`. O(k) each.
#[must_use]
pub fn lists(c: usize, k: usize) -> Lists {
    Lists { c, next: first(c, k) }
}

/// All ascending lists of `k` numbers below `c`, repetition allowed, lexicographically: `C(c + k - 1, k)` of them. O(k) each.
#[must_use]
pub fn bags(c: usize, k: usize) -> Bags {
    Bags { c, next: first(c, k) }
}

impl Iterator for Lists {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let now = self.next.take()?;
        if let Some(place) = now.iter().rposition(|&x| x + 1 < self.c) {
            let mut next = now.clone();
            next[place] += 1;
            next[place + 1..].fill(0);
            self.next = Some(next);
        }
        Some(now)
    }
}

impl Iterator for Bags {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let now = self.next.take()?;
        if let Some(place) = now.iter().rposition(|&x| x + 1 < self.c) {
            let mut next = now.clone();
            let value = now[place] + 1;
            next[place..].fill(value);
            self.next = Some(next);
        }
        Some(now)
    }
}
