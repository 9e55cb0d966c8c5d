//! Quadratic surds (p + sqrt(q)) / r, exactly.

/// (p + sqrt(q)) / r with q > 0 no square and r > 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Surd {
    pub p: i32,
    pub q: i32,
    pub r: i32,
}

/// A fraction with a denominator above 0.
pub(super) type Fraction = (i128, i128);

impl Surd {
    /// floor(n * self) for naturals n: floor((n p + sqrt(n^2 q)) / r), where the root may be rounded down first because the
    /// rest is whole.
    pub(super) fn floor_times(self, n: i128) -> Option<i128> {
        if n < 0 {
            return None;
        }
        let root = n.checked_mul(n)?.checked_mul(i128::from(self.q))?.isqrt();
        Some(n.checked_mul(i128::from(self.p))?.checked_add(root)?.div_euclid(i128::from(self.r)))
    }

    /// Whether some multiple k * self with a natural k lies in [m, m + 1). The surd is above 1.
    pub(super) fn has_multiple_in(self, m: i128) -> Option<bool> {
        if m < 0 {
            return None;
        }
        // The least k with k * self >= m is at most m.
        let (mut low, mut high) = (0, m);
        while low < high {
            let middle = i128::midpoint(low, high);
            if self.floor_times(middle)? >= m {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Some(self.floor_times(low)? == m)
    }

    /// Whether this is greater than a fraction (it is never equal): sqrt(q) > (r a - p b) / b.
    pub(super) fn exceeds(self, (a, b): Fraction) -> bool {
        let right = i128::from(self.r) * a - i128::from(self.p) * b;
        right < 0 || b * b * i128::from(self.q) > right * right
    }

    /// How long it is to write.
    pub(super) fn cost(self) -> u32 {
        let number = |n: i32| 1 + (32 - n.unsigned_abs().leading_zeros()) / 2 + u32::from(n < 0);
        let sum = if self.p == 0 { 0 } else { 2 + number(self.p) };
        let quotient = if self.r == 1 { 0 } else { 2 + number(self.r) };
        3 + number(self.q) + sum + quotient
    }

    /// How many of its numbers are written.
    pub(super) fn parameters(self) -> usize {
        1 + usize::from(self.p != 0) + usize::from(self.r != 1)
    }

    /// The surds between two fractions whose numbers are small, shortest first.
    pub(super) fn between(low: Fraction, high: Fraction) -> Vec<Surd> {
        let mut found = Vec::new();
        for r in 1..=6 {
            for p in -8..=8 {
                for q in (2..=60i32).filter(|q| q.isqrt().pow(2) != *q) {
                    let surd = Surd { p, q, r };
                    if surd.exceeds(low) && !surd.exceeds(high) {
                        found.push(surd);
                    }
                }
            }
        }
        found.sort_by_key(|surd| surd.cost());
        found
    }
}

#[cfg(test)]
mod tests {
    use crate::guess::surd::Surd;

    const PHI: Surd = Surd { p: 1, q: 5, r: 2 };

    #[test]
    fn multiples_of_the_golden_ratio() {
        let floors: Vec<_> = (0..8).filter_map(|n| PHI.floor_times(n)).collect();
        assert_eq!(floors, [0, 1, 3, 4, 6, 8, 9, 11]);
        let members: Vec<i128> = (0..12).filter(|m| PHI.has_multiple_in(*m) == Some(true)).collect();
        assert_eq!(members, floors);
        assert_eq!(PHI.floor_times(10i128.pow(18)), Some(1_618_033_988_749_894_848));
    }

    #[test]
    fn the_shortest_surd_comes_first() {
        assert!(PHI.exceeds((1618, 1000)) && !PHI.exceeds((1619, 1000)));
        assert_eq!(Surd::between((1618, 1000), (16181, 10000)).first(), Some(&PHI));
    }
}
