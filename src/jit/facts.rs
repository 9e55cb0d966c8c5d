//! What is known of a word register while code is translated: an interval, and whether it is a field moved by a constant.

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fact {
    pub(crate) lo: i64,
    pub(crate) hi: i64,
    /// It is this field of the position plus a constant.
    pub(crate) from: Option<(u16, i64)>,
    /// It is the least of these fields of the position, as bits; 0: not known.
    pub(crate) least_of: u64,
}

impl Fact {
    pub(crate) const TOP: Fact = Fact { lo: i64::MIN, hi: i64::MAX, from: None, least_of: 0 };

    pub(crate) fn known(k: i64) -> Fact {
        Fact { lo: k, hi: k, from: None, least_of: 0 }
    }

    pub(crate) fn within(lo: i64, hi: i64) -> Fact {
        Fact { lo, hi, from: None, least_of: 0 }
    }

    /// Its value when only one is left.
    pub(crate) fn value(self) -> Option<i64> {
        (self.lo == self.hi).then_some(self.lo)
    }

    /// The interval of exact results `lo..=hi`; `Err` when some do not fit a word.
    fn of(lo: i128, hi: i128) -> Result<Fact, Fact> {
        match (i64::try_from(lo), i64::try_from(hi)) {
            (Ok(lo), Ok(hi)) => Ok(Fact::within(lo, hi)),
            (lo, hi) => Err(Fact::within(lo.unwrap_or(i64::MIN), hi.unwrap_or(i64::MAX))),
        }
    }

    /// The sum; `Err` carries what holds of it when it does not overflow.
    pub(crate) fn add(self, b: Fact) -> Result<Fact, Fact> {
        let sum = Fact::of(i128::from(self.lo) + i128::from(b.lo), i128::from(self.hi) + i128::from(b.hi));
        let from = match (self.from, b.value(), b.from, self.value()) {
            (Some((i, c)), Some(k), _, _) | (_, _, Some((i, c)), Some(k)) => c.checked_add(k).map(|c| (i, c)),
            _ => None,
        };
        sum.map(|f| Fact { from, ..f }).map_err(|f| Fact { from, ..f })
    }

    pub(crate) fn sub(self, b: Fact) -> Result<Fact, Fact> {
        let sum = Fact::of(i128::from(self.lo) - i128::from(b.hi), i128::from(self.hi) - i128::from(b.lo));
        let from = match (self.from, b.value()) {
            (Some((i, c)), Some(k)) => c.checked_sub(k).map(|c| (i, c)),
            _ => None,
        };
        sum.map(|f| Fact { from, ..f }).map_err(|f| Fact { from, ..f })
    }

    pub(crate) fn mul(self, b: Fact) -> Result<Fact, Fact> {
        let ends = [(self.lo, b.lo), (self.lo, b.hi), (self.hi, b.lo), (self.hi, b.hi)];
        let products = ends.map(|(x, y)| i128::from(x) * i128::from(y));
        let [a, b, c, d] = products;
        Fact::of(a.min(b).min(c).min(d), a.max(b).max(c).max(d))
    }

    pub(crate) fn min(self, b: Fact) -> Fact {
        let least_of = if self.least_of == 0 || b.least_of == 0 { 0 } else { self.least_of | b.least_of };
        Fact { least_of, ..Fact::within(self.lo.min(b.lo), self.hi.min(b.hi)) }
    }

    /// A field of the position with these values.
    pub(crate) fn field(index: u16, lo: i64, hi: i64) -> Fact {
        let least_of = 1u64.checked_shl(u32::from(index)).unwrap_or(0);
        Fact { lo, hi, from: Some((index, 0)), least_of }
    }

    pub(crate) fn max(self, b: Fact) -> Fact {
        Fact::within(self.lo.max(b.lo), self.hi.max(b.hi))
    }

    /// Whether `self < b`, where that is known.
    pub(crate) fn less(self, b: Fact) -> Option<bool> {
        let less = self.hi < b.lo;
        (less || self.lo >= b.hi).then_some(less)
    }

    pub(crate) fn equal(self, b: Fact) -> Option<bool> {
        let apart = self.hi < b.lo || b.hi < self.lo;
        (apart || self.value().is_some() && self.value() == b.value()).then_some(!apart)
    }

    pub(crate) fn at_least(self, lo: i64) -> Fact {
        Fact { lo: self.lo.max(lo), ..self }
    }

    pub(crate) fn at_most(self, hi: i64) -> Fact {
        Fact { hi: self.hi.min(hi), ..self }
    }
}
