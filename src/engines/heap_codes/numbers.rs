//! Whole numbers as sums of variables: operators, and choices between two numbers.

use crate::engines::heap_codes::read::{No, Reader, Sym, Way, no};
use crate::model::{BinaryOp, Term};
use grundy_automata::{Formula, Linear};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive};

/// Exponents that are worked out.
const MOST_POWER: u32 = 1000;

/// A multiple.
pub(super) fn times(factor: &BigInt, number: &Linear) -> Linear {
    Linear::default().plus(factor, number)
}

impl<'p> Reader<'_, 'p> {
    /// `if condition then a else b` of terms.
    pub(super) fn either(
        &mut self,
        condition: &'p Term,
        a: &'p Term,
        b: &'p Term,
        way: &mut Way<'p>,
    ) -> Result<Sym, No> {
        let condition = self.truth(condition, way)?;
        if let Formula::Constant(truth) = condition {
            return self.eval(if truth { a } else { b }, way);
        }
        let a = self.under(condition.clone(), way, |reader, way| reader.eval(a, way))?;
        let b = self.under(condition.clone().not(), way, |reader, way| reader.eval(b, way))?;
        match (a, b) {
            (Sym::Int(a), Sym::Int(b)) => Ok(Sym::Int(self.choice(&condition, &a, &b, way))),
            (Sym::Bool(a), Sym::Bool(b)) => {
                let no = Formula::all([condition.clone().not(), b]);
                Ok(Sym::Bool(Formula::any([Formula::all([condition, a]), no])))
            }
            _ => no("a choice between other things than numbers"),
        }
    }

    /// Any whole number, in exactly one way.
    fn whole(&mut self, way: &mut Way<'p>) -> Linear {
        let (up, down) = (self.fresh(way), self.fresh(way));
        let zero = |track| Formula::equal(&Linear::track(track), &Linear::default());
        way.holds.push(Formula::any([zero(up), zero(down)]));
        Linear::track(up).minus(&Linear::track(down))
    }

    /// `if condition then a else b`; whatever the condition, exactly one value fits.
    pub(super) fn choice(&mut self, condition: &Formula, a: &Linear, b: &Linear, way: &mut Way<'p>) -> Linear {
        match condition {
            Formula::Constant(true) => return a.clone(),
            Formula::Constant(false) => return b.clone(),
            _ => {}
        }
        let chosen = self.whole(way);
        way.holds.push(Formula::any([
            Formula::all([condition.clone(), Formula::equal(&chosen, a)]),
            Formula::all([condition.clone().not(), Formula::equal(&chosen, b)]),
        ]));
        chosen
    }

    /// An operator of two ints.
    pub(super) fn arithmetic(&mut self, op: BinaryOp, a: &Linear, b: &Linear, way: &mut Way<'p>) -> Result<Linear, No> {
        let unknown = |what: &str| Err(No::Unknown(format!("{what} of a variable")));
        match op {
            BinaryOp::Add => Ok(a.plus(&BigInt::one(), b)),
            BinaryOp::Sub => Ok(a.minus(b)),
            BinaryOp::Mul => match (a.constant(), b.constant()) {
                (Some(factor), _) => Ok(times(factor, b)),
                (_, Some(factor)) => Ok(times(factor, a)),
                _ => unknown("a multiple by a variable"),
            },
            BinaryOp::Pow => match (a.constant(), b.constant().and_then(ToPrimitive::to_u32)) {
                (Some(a), Some(b)) if b < MOST_POWER => Ok(Linear::number(a.pow(b))),
                _ => unknown("a power"),
            },
            BinaryOp::Div | BinaryOp::Mod => {
                let Some(by) = b.constant() else { return unknown("division by a variable") };
                if !by.is_positive() {
                    return no("division by a number that is not positive");
                }
                // a = by * q + r with 0 <= r < by, the quotient rounded down.
                let quotient = self.whole(way);
                let rest = Linear::track(self.fresh(way));
                way.holds.push(Formula::equal(a, &times(by, &quotient).plus(&BigInt::one(), &rest)));
                way.holds.push(Formula::less(&rest, b));
                Ok(if op == BinaryOp::Div { quotient } else { rest })
            }
            BinaryOp::Range | BinaryOp::Xor | BinaryOp::Meet | BinaryOp::Over => no("an operator that is not linear"),
        }
    }
}
