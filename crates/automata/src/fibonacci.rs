//! Addition of sums of Fibonacci numbers as an automaton.
//!
//! Read from the top, `x + y - z` is followed as `u F(i) + w F(i - 1)` when the digits from place i on were read; the next digits
//! turn `(u, w)` into `(u + w + d, u)`, where `d` is their sum (Frougny, Representations of numbers and finite automata, 1992).
//! Only finitely many pairs can still come to 0. The automaton here is that one read from its end.

/// A pair `(u, w)`.
pub(super) type Pair = (i8, i8);

/// Pairs beyond this never come back to 0: the remaining digits are worth less than twice the next place.
const FAR: i8 = 8;

/// The pairs from which 0 can be reached and that are reached from the start, as steps `(from, d, to)`, and those at which
/// the sum is 0 at the end.
pub(super) struct Sums {
    steps: Vec<(Pair, i8, Pair)>,
    pub(super) ends: Vec<Pair>,
}

impl Sums {
    pub(super) fn new() -> Sums {
        let next = |(u, w): Pair, d: i8| (u + w + d, u);
        let mut met: Vec<Pair> = vec![(0, 0)];
        let mut steps = Vec::new();
        let mut at = 0;
        while let Some(&pair) = met.get(at) {
            at += 1;
            for d in -1..=2 {
                let to = next(pair, d);
                if to.0.abs() <= FAR && to.1.abs() <= FAR {
                    steps.push((pair, d, to));
                    if !met.contains(&to) {
                        met.push(to);
                    }
                }
            }
        }
        // Only pairs that can still end well.
        let mut good: Vec<Pair> = met.iter().copied().filter(|(u, w)| u + w == 0).collect();
        let ends = good.clone();
        loop {
            let more: Vec<Pair> = steps
                .iter()
                .filter(|(from, _, to)| good.contains(to) && !good.contains(from))
                .map(|(from, _, _)| *from)
                .collect();
            if more.is_empty() {
                break;
            }
            for pair in more {
                if !good.contains(&pair) {
                    good.push(pair);
                }
            }
        }
        steps.retain(|(from, _, to)| good.contains(from) && good.contains(to));
        Sums { steps, ends: ends.into_iter().filter(|pair| good.contains(pair)).collect() }
    }

    /// The pairs from which this digit sum leads to one of these, ascending.
    pub(super) fn before(&self, pairs: &[Pair], d: i8) -> Vec<Pair> {
        let mut found: Vec<Pair> =
            self.steps.iter().filter(|(_, by, to)| *by == d && pairs.contains(to)).map(|(from, _, _)| *from).collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}
