//! Sums of the digits of a number, in any base, and how many Fibonacci numbers it is the sum of: what they leave modulo a number, or
//! that they are a number. An automaton goes through the digits and keeps their sum.

use crate::prover::scope::Scope;
use crate::prover::symbol::{No, Sym};
use crate::source::text::Span;
use grundy_automata::{Atom, Automaton, Formula, Limit, Linear, System, Table};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::sync::Arc;

/// Sums are compared with numbers up to this.
pub(super) const GREATEST: usize = 64;
/// They are taken modulo numbers up to this.
const MODULUS: usize = 16;

/// The numbers whose sum is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weights {
    /// The digits in this base.
    Digits(u8),
    /// 1 for each Fibonacci number.
    Fibonacci,
}

impl Weights {
    /// How many digits are read apart at a place, how many such places make a digit that counts, and how numbers are read.
    fn places(self) -> Option<(usize, usize, System)> {
        Some(match self {
            Weights::Digits(base) if base.is_power_of_two() => (2, usize::try_from(base.ilog2()).ok()?, System::Binary),
            Weights::Digits(base) => (usize::from(base), 1, System::base(base)?),
            Weights::Fibonacci => (2, 1, System::Zeckendorf),
        })
    }

    /// The automaton that accepts a number beside what its sum and a constant leave modulo a number.
    fn remainders(self, by: usize, plus: usize) -> Option<(Table, System)> {
        let (size, width, system) = self.places()?;
        // What the places are worth, as far as a remainder may have digits.
        let mut worth = vec![1, if self == Weights::Fibonacci { 2 } else { size }];
        while worth[worth.len() - 1] < by {
            let [.., a, b] = worth[..] else { return None };
            worth.push(if self == Weights::Fibonacci { a + b } else { b * size });
        }
        // The sum so far, the place in its digit, the remainder so far, and how many of its places were read.
        let mut met = vec![(0, 0, 0, 0)];
        let mut states = Vec::new();
        while let Some(&(sum, at, read, place)) = met.get(states.len()) {
            let mut row = Vec::new();
            for letter in 0..size * size {
                let digit = worth.get(place).map_or(if letter < size { 0 } else { by }, |worth| letter / size * worth);
                let sum = (sum + ((letter % size) << at)) % by;
                // A remainder that is too large stays so.
                let next = (sum, (at + 1) % width, (read + digit).min(by), (place + 1).min(worth.len()));
                row.push(met.iter().position(|other| *other == next).unwrap_or_else(|| {
                    met.push(next);
                    met.len() - 1
                }));
            }
            states.push((read == (sum + plus) % by, row));
        }
        Some((Table { reads: 2, states }, system))
    }

    /// The automaton that accepts numbers whose sum is this.
    fn sums(self, wanted: usize) -> Option<(Table, System)> {
        let (size, width, system) = self.places()?;
        // The last sum is for all that is more.
        let next =
            |sum: usize, at: usize, digit: usize| (sum + (digit << at)).min(wanted + 1) * width + (at + 1) % width;
        let row = |sum: usize, at: usize| (0..size).map(|digit| next(sum, at, digit)).collect();
        let all = (0..wanted + 2).flat_map(|sum| (0..width).map(move |at| (sum, at)));
        let states = all.map(|(sum, at)| (sum == wanted, row(sum, at))).collect();
        Some((Table { reads: 1, states }, system))
    }
}

impl Scope<'_> {
    /// Whether the sum is a number up to [`GREATEST`].
    pub(super) fn sum_is(&mut self, of: &Linear, weights: Weights, sum: usize) -> Result<Formula, No> {
        let (word, system) = made(weights.sums(sum))?;
        self.digits.insert(system);
        self.local(|scope| {
            let number = scope.track(of);
            Ok(Formula::atom(Atom::Word(word, vec![number])))
        })
    }

    /// What the sum and a constant leave modulo a number.
    pub(super) fn sum_modulo(
        &mut self,
        of: &Linear,
        weights: Weights,
        plus: &BigInt,
        by: &BigInt,
        span: Span,
    ) -> Result<Sym, No> {
        let by = by.to_usize().filter(|by| (1..=MODULUS).contains(by));
        let by = by.ok_or_else(|| No::at(span, format!("a digit sum modulo a number that is not in 1..{MODULUS}")))?;
        let plus = num_integer::Integer::mod_floor(plus, &BigInt::from(by)).to_usize().unwrap_or_default();
        let table = weights.remainders(by, plus);
        let (word, system) = made(table)?;
        self.digits.insert(system);
        let number = self.track(of);
        let value = self.defined();
        self.define(Formula::atom(Atom::Word(word, vec![number, value])));
        Ok(Sym::Int(Linear::track(value)))
    }
}

fn made(table: Option<(Table, System)>) -> Result<(Arc<Automaton>, System), No> {
    let (table, system) = table.ok_or_else(|| No::bare("too many digits"))?;
    Ok((Arc::new(table.automaton(system, &Limit::default())?), system))
}
