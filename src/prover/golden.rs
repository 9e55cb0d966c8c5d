//! Multiples of the golden ratio, rounded down and compared.

use crate::prover::numbers::times;
use crate::prover::scope::Scope;
use crate::prover::symbol::No;
use grundy_automata::{Atom, Formula, Linear, System};
use num_bigint::BigInt;
use num_traits::One;

impl Scope<'_> {
    /// Whether `(a + b * sqrt(5)) / below >= 0`, for `below > 0`.
    ///
    /// With the golden ratio phi, `sqrt(5) = 2 phi - 1`; and `x <= y phi` says `x <= floor(y phi)`.
    pub(super) fn at_least_zero(&mut self, a: &Linear, b: &Linear) -> Result<Formula, No> {
        let zero = Linear::default();
        if b.terms.is_empty() && b.constant == BigInt::ZERO {
            return Ok(Formula::at_most(&zero, a));
        }
        let two = BigInt::from(2);
        let (mut x, mut y) = (b.minus(a), times(&two, b));
        let all = x.terms.values().chain(y.terms.values()).chain([&x.constant, &y.constant]);
        let common = all.fold(BigInt::ZERO, |gcd, number| num_integer::Integer::gcd(&gcd, number));
        if common > BigInt::one() {
            for number in [&mut x, &mut y] {
                number.terms.values_mut().for_each(|multiple| *multiple /= &common);
                number.constant /= &common;
            }
        }
        let (negative_x, negative_y) = (zero.minus(&x), zero.minus(&y));
        self.local(|scope| {
            // `x <= y phi` where y is not negative; else `-x >= -y phi`, which is `-x > floor(-y phi)`.
            let up = Formula::at_most(&zero, &y);
            let above = scope.below_multiple(&x, &y)?;
            let below = scope.below_multiple(&negative_x, &negative_y)?;
            Ok(Formula::any([Formula::all([up.clone(), above]), Formula::all([up.not(), below.not()])]))
        })
    }

    /// Whether `x <= floor(y phi)`; `y` is not negative where it matters.
    fn below_multiple(&mut self, x: &Linear, y: &Linear) -> Result<Formula, No> {
        let zero = Linear::default();
        if let Some(known) = y.constant() {
            // floor(y phi) = (y + floor(sqrt(5 y^2))) div 2
            let Some(known) = known.to_biguint() else { return Ok(Formula::Constant(false)) };
            let floor: num_bigint::BigUint = (&known + (num_bigint::BigUint::from(5u8) * &known * &known).sqrt()) / 2u8;
            return Ok(Formula::at_most(x, &Linear::number(BigInt::from(floor))));
        }
        self.digits.insert(System::Zeckendorf);
        // The digits of `floor(y phi) - 1` are those of `y - 1` one place higher.
        let one = Linear::number(1);
        let none = Formula::all([Formula::at_most(y, &zero), Formula::at_most(x, &zero)]);
        let some = self.some(|scope, before| {
            scope.some(|_, after| {
                Ok(Formula::all([
                    Formula::equal(&Linear::track(before), &y.minus(&one)),
                    Formula::atom(Atom::Shift(before, after)),
                    Formula::at_most(&x.minus(&one), &Linear::track(after)),
                ]))
            })
        })?;
        Ok(Formula::any([none, some]))
    }

    /// `floor` or `ceil` of `(a + b * sqrt(5)) / below`.
    pub(super) fn rounded(&mut self, a: &Linear, b: &Linear, below: &BigInt, up: bool) -> Result<Linear, No> {
        if up {
            if b.terms.is_empty() && b.constant == BigInt::ZERO {
                let raised = a.plus(&BigInt::one(), &Linear::number(below - BigInt::one()));
                return Ok(self.divided(&raised, below, true));
            }
            return Err(No::bare("`ceil` of an irrational number"));
        }
        if b.terms.is_empty() && b.constant == BigInt::ZERO {
            return Ok(self.divided(a, below, true));
        }
        let natural = self.at_least_zero(a, b)?;
        // Where both parts are natural, so is the sum.
        let natural = if self.natural(a) && self.natural(b) { Formula::Constant(true) } else { natural };
        self.need(natural.clone());
        let track = self.defined();
        let this = times(below, &Linear::track(track));
        let next = this.plus(&BigInt::one(), &Linear::number(below.clone()));
        let at_least = self.at_least_zero(&a.minus(&this), b)?;
        let less = self.at_least_zero(&a.minus(&next), b)?.not();
        let zero = Formula::equal(&Linear::track(track), &Linear::default());
        self.define(Formula::any([
            Formula::all([natural.clone(), at_least, less]),
            Formula::all([natural.not(), zero]),
        ]));
        Ok(Linear::track(track))
    }
}
