//! Numbers made of others: each is a variable that is determined by what it is made of.

use crate::prover::facts::Word;
use crate::prover::scope::Scope;
use crate::prover::symbol::No;
use grundy_automata::{Atom, Formula, Limit, Linear, System, Table, Track};
use num_bigint::BigInt;
use num_traits::{One, Signed};
use std::sync::Arc;

/// A multiple of a number that is written out.
pub(super) fn times(factor: &BigInt, number: &Linear) -> Linear {
    Linear::default().plus(factor, number)
}

impl Scope<'_> {
    /// `if condition then a else b`
    pub(super) fn choice(&mut self, condition: &Formula, a: &Linear, b: &Linear) -> Linear {
        match condition {
            Formula::Constant(true) => return a.clone(),
            Formula::Constant(false) => return b.clone(),
            _ if a == b => return a.clone(),
            _ => {}
        }
        let up = self.defined();
        let mut chosen = Linear::track(up);
        let mut sign = Formula::Constant(true);
        let natural = self.natural(a) && self.natural(b);
        if !natural {
            let down = self.defined();
            chosen = chosen.minus(&Linear::track(down));
            let zero = |track| Formula::equal(&Linear::track(track), &Linear::default());
            sign = Formula::any([zero(up), zero(down)]);
        }
        let definition = Formula::any([
            Formula::all([condition.clone(), Formula::equal(&chosen, a)]),
            Formula::all([condition.clone().not(), Formula::equal(&chosen, b)]),
        ]);
        self.define(Formula::all([sign, definition]));
        chosen
    }

    /// The greater of two numbers, or the lesser.
    pub(super) fn extreme(&mut self, a: &Linear, b: &Linear, greater: bool) -> Linear {
        let first = if greater { Formula::at_most(b, a) } else { Formula::at_most(a, b) };
        self.choice(&first, a, b)
    }

    /// `|a|`
    pub(super) fn absolute(&mut self, a: &Linear) -> Linear {
        if self.natural(a) {
            return a.clone();
        }
        let track = self.defined();
        let positive = Formula::at_most(&Linear::default(), a);
        let is = |value: &Linear| Formula::equal(&Linear::track(track), value);
        let negated = Linear::default().minus(a);
        let definition =
            Formula::any([Formula::all([positive.clone(), is(a)]), Formula::all([positive.not(), is(&negated)])]);
        self.define(definition);
        Linear::track(track)
    }

    /// `1` where a condition holds, else `0`.
    pub(super) fn truth_value(&mut self, condition: &Formula) -> Linear {
        self.choice(condition, &Linear::number(1), &Linear::number(0))
    }

    /// Quotient, rounded down, or remainder by a positive constant.
    pub(super) fn divided(&mut self, number: &Linear, by: &BigInt, quotient: bool) -> Linear {
        if let Some(known) = number.constant() {
            let (q, r) = num_integer::Integer::div_mod_floor(known, by);
            return Linear::number(if quotient { q } else { r });
        }
        if quotient && !self.natural(number) {
            // Of a negative x it is `-((-x + by - 1) div by)`.
            let natural = Formula::at_most(&Linear::default(), number);
            let up = self.where_it_holds(&natural, number);
            let negated = Linear::number(by - BigInt::one()).minus(number);
            let down = self.where_it_holds(&natural.not(), &negated);
            let (up, down) = (self.divided(&up, by, true), self.divided(&down, by, true));
            return up.minus(&down);
        }
        let rest = Linear::track(self.defined());
        let small = Formula::less(&rest, &Linear::number(by.clone()));
        if !quotient {
            self.define(Formula::all([Formula::multiple(&number.minus(&rest), by), small]));
            return rest;
        }
        let q = Linear::track(self.defined());
        let whole = times(by, &q).plus(&BigInt::one(), &rest);
        self.define(Formula::all([Formula::equal(number, &whole), small]));
        q
    }

    /// A number where a condition holds under which it is natural, else 0.
    fn where_it_holds(&mut self, condition: &Formula, number: &Linear) -> Linear {
        let track = Linear::track(self.defined());
        let is = Formula::all([condition.clone(), Formula::equal(&track, number)]);
        let none = Formula::all([condition.clone().not(), Formula::equal(&track, &Linear::default())]);
        self.define(Formula::any([is, none]));
        track
    }

    /// `a xor b` or `a & b`
    pub(super) fn bitwise(&mut self, a: &Linear, b: &Linear, xor: bool) -> Linear {
        if let (Some(x), Some(y)) = (a.constant(), b.constant())
            && !x.is_negative()
            && !y.is_negative()
        {
            return Linear::number(if xor { x ^ y } else { x & y });
        }
        if xor && a.constant() == Some(&BigInt::ZERO) {
            return b.clone();
        }
        if xor && b.constant() == Some(&BigInt::ZERO) {
            return a.clone();
        }
        self.digits.insert(System::Binary);
        let (x, y) = (self.track(a), self.track(b));
        let z = self.defined();
        self.define(Formula::atom(if xor { Atom::Xor(x, y, z) } else { Atom::Meet(x, y, z) }));
        Linear::track(z)
    }

    /// The number that an automaton accepts behind these, which are not negative; there must be exactly one.
    pub(super) fn image(&mut self, numbers: &[Linear], word: &Word) -> Linear {
        let mut tracks = self.read_by(numbers, word);
        let value = self.defined();
        tracks.push(value);
        self.define(Formula::atom(Atom::Word(word.automaton.clone(), tracks)));
        Linear::track(value)
    }

    fn read_by(&mut self, numbers: &[Linear], word: &Word) -> Vec<Track> {
        self.digits.insert(word.system);
        numbers.iter().map(|number| self.track(number)).collect()
    }

    /// `a * b`, when one of them is known.
    pub(super) fn product(a: &Linear, b: &Linear) -> Option<Linear> {
        match (a.constant(), b.constant()) {
            (Some(factor), _) => Some(times(factor, b)),
            (_, Some(factor)) => Some(times(factor, a)),
            _ => None,
        }
    }

    /// The least power of two that is greater than a number: `2^bits(number)`.
    pub(super) fn power_above(&mut self, number: &Linear) -> Track {
        self.digits.insert(System::Binary);
        let x = Linear::track(self.track(number));
        let power = self.defined();
        let p = Linear::track(power);
        let two = BigInt::from(2);
        let zero = Linear::default();
        self.define(Formula::all([
            Formula::atom(Atom::Place(power)),
            Formula::less(&x, &p),
            Formula::any([
                Formula::at_most(&p, &times(&two, &x)),
                Formula::all([Formula::equal(&x, &zero), Formula::equal(&p, &Linear::number(1))]),
            ]),
        ]));
        power
    }

    /// The parts of a number up to one of them, together: its digits up to that place.
    pub(super) fn parts_up_to(&mut self, number: &Linear, part: Track) -> Result<Linear, No> {
        self.digits.insert(System::Zeckendorf);
        // It reads the part, the number and the result: both are the same up to the part, and behind it the result is 0.
        let row = |to: [usize; 8]| to.to_vec();
        let states =
            vec![(false, row([0, 2, 2, 2, 2, 2, 0, 1])), (true, row([1, 2, 1, 2, 2, 2, 2, 2])), (false, row([2; 8]))];
        let word = Table { reads: 3, states }.automaton(System::Zeckendorf, &Limit::default())?;
        let whole = self.track(number);
        let low = self.defined();
        let is = Formula::atom(Atom::Word(Arc::new(word), vec![part, whole, low]));
        let none = Formula::all([
            Formula::atom(Atom::Part(part, whole)).not(),
            Formula::equal(&Linear::track(low), &Linear::default()),
        ]);
        self.define(Formula::any([is, none]));
        Ok(Linear::track(low))
    }
}
