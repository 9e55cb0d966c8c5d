//! Operators between two terms.

use crate::model::{BinaryOp, Term};
use crate::prover::digit_sums::Weights;
use crate::prover::exponents::odd_places;
use crate::prover::numbers::times;
use crate::prover::scope::Scope;
use crate::prover::symbol::{No, Sym, odd};
use crate::prover::term::{Env, real};
use grundy_automata::Linear;
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

impl<'p> Scope<'p> {
    pub(super) fn binary_op(
        &mut self,
        op: BinaryOp,
        a: &'p Term,
        b: &'p Term,
        env: &Env<'p>,
        term: &Term,
    ) -> Result<Sym, No> {
        let (x, y) = (self.eval(a, env)?, self.eval(b, env)?);
        match (op, &x, &y) {
            (BinaryOp::Range, _, _) => Ok(Sym::Range(Box::new(x), Box::new(y))),
            (BinaryOp::Add, Sym::Int(x), Sym::Int(y)) => Ok(Sym::Int(x.plus(&BigInt::from(1), y))),
            (BinaryOp::Sub, Sym::Int(x), Sym::Int(y)) => Ok(Sym::Int(x.minus(y))),
            (BinaryOp::Mul, Sym::Int(x), Sym::Int(y)) => {
                let product = Scope::product(x, y);
                product.map(Sym::Int).ok_or_else(|| No::at(term.span, "a product of two variables"))
            }
            (BinaryOp::Div | BinaryOp::Mod, Sym::Int(x), Sym::Int(by)) => match by.constant() {
                Some(by) if by.is_positive() => Ok(Sym::Int(self.divided(x, by, op == BinaryOp::Div))),
                Some(_) => Err(No::at(term.span, "division by a number that is not positive")),
                None => Err(No::at(
                    term.span,
                    "division by a variable: if it has a range, as in `m in 0..20`, there is a proof for each value",
                )),
            },
            (BinaryOp::Add, Sym::DigitSum(of, base, plus), Sym::Int(more))
            | (BinaryOp::Add, Sym::Int(more), Sym::DigitSum(of, base, plus)) => match more.constant() {
                Some(more) => Ok(Sym::DigitSum(of.clone(), *base, plus + more)),
                None => Err(No::at(term.span, "a digit sum and a variable")),
            },
            (BinaryOp::Mod, Sym::DigitSum(of, base, plus), Sym::Int(by)) if by.constant().is_some() => {
                let by = by.constant().unwrap_or(&BigInt::ZERO);
                if *base != 2 || *by != BigInt::from(2) {
                    return self.sum_modulo(of, Weights::Digits(*base), plus, by, term.span);
                }
                let even = self.evenly_many(of)?;
                let odd_plus = plus.bit(0);
                Ok(Sym::Int(self.truth_value(&if odd_plus { even } else { even.not() })))
            }
            (BinaryOp::Mod, Sym::PartCount(of), Sym::Int(by)) if by.constant().is_some() => {
                let by = by.constant().unwrap_or(&BigInt::ZERO);
                self.sum_modulo(of, Weights::Fibonacci, &BigInt::ZERO, by, term.span)
            }
            (BinaryOp::Xor | BinaryOp::Meet, Sym::Int(x), Sym::Int(y)) => {
                Ok(Sym::Int(self.bitwise(x, y, op == BinaryOp::Xor)))
            }
            (BinaryOp::Add, Sym::Exponent(track, shift), Sym::Int(more))
            | (BinaryOp::Add, Sym::Int(more), Sym::Exponent(track, shift)) => {
                Scope::place_moved(*track, *shift, more, true, term.span)
            }
            (BinaryOp::Sub, Sym::Exponent(track, shift), Sym::Int(less)) => {
                Scope::place_moved(*track, *shift, less, false, term.span)
            }
            (BinaryOp::Mod, Sym::Exponent(track, shift), Sym::Int(by)) if by.constant().is_some() => {
                self.exponent_modulo(*track, *shift, by.constant().unwrap_or(&BigInt::ZERO), term.span)
            }
            (BinaryOp::Pow, Sym::Int(x), Sym::Exponent(track, shift)) if x.constant() == Some(&BigInt::from(2)) => {
                Ok(Sym::Int(self.power(*track, *shift)))
            }
            (BinaryOp::Pow, Sym::Int(x), Sym::Int(y)) => {
                match (x.constant(), y.constant().and_then(ToPrimitive::to_u32)) {
                    (Some(x), Some(y)) if y < 10_000 => Ok(Sym::number(x.pow(y))),
                    _ => Err(No::at(term.span, "a power of a variable")),
                }
            }
            (BinaryOp::Over, _, _) => match (real(&x), real(&y)) {
                (Some((a, b, below)), Some((by, root, under))) if root == Linear::default() => match by.constant() {
                    Some(by) if by.is_positive() => {
                        let over = |number: &Linear| Linear::default().plus(&under, number);
                        Ok(Sym::Real { a: over(&a), b: over(&b), below: below * by })
                    }
                    _ => Err(No::at(term.span, "division by a variable")),
                },
                (Some((a, b, below)), Some((c, d, under))) => match (c.constant(), d.constant()) {
                    (Some(c), Some(d)) => {
                        // (a + b r) / (c + d r) = (a + b r)(c - d r) / (c^2 - 5 d^2), with r the square root of 5.
                        let norm = c * c - BigInt::from(5) * d * d;
                        let by = if norm.is_negative() { -under } else { under };
                        let part = |x: &BigInt, of: &Linear, y: BigInt, and: &Linear| {
                            times(&(x * &by), of).minus(&times(&(y * &by), and))
                        };
                        let (whole, root) = (part(c, &a, BigInt::from(5) * d, &b), part(c, &b, d.clone(), &a));
                        Ok(Sym::Real { a: whole, b: root, below: below * norm.abs() })
                    }
                    _ => Err(No::at(term.span, "division by a variable")),
                },
                _ => Err(No::at(term.span, "division of what is no number")),
            },
            (BinaryOp::Sub, _, Sym::Set(_) | Sym::List(_)) if matches!(x, Sym::Set(_) | Sym::Range(..)) => {
                match (&x, &y) {
                    (Sym::Set(of), Sym::Set(less)) => removed(of, less, term),
                    _ => Ok(Sym::Without(Box::new(x), Box::new(y))),
                }
            }
            (BinaryOp::Add, Sym::Set(x), Sym::Set(y)) => {
                let all = x.iter().chain(y).cloned().map(Sym::Int);
                let list = Sym::list(all);
                self.set(list, term)
            }
            (BinaryOp::Add, Sym::List(x), Sym::List(y)) => Ok(Sym::List(x.iter().chain(y).cloned().collect())),
            (BinaryOp::Add, Sym::Position { parts: x, misere: m }, Sym::Position { parts: y, misere: n }) => {
                Ok(Sym::Position { parts: x.iter().chain(y).cloned().collect(), misere: *m || *n })
            }
            (BinaryOp::Mul, Sym::Int(n), Sym::Position { parts, misere }) => {
                let n = n.constant().and_then(ToPrimitive::to_usize).filter(|&n| n < 100);
                let n = n.ok_or_else(|| odd(term.span))?;
                Ok(Sym::Position { parts: std::iter::repeat_n(parts.clone(), n).flatten().collect(), misere: *misere })
            }
            (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, _, _) => {
                let (Some((a, b, d)), Some((c, e, f))) = (real(&x), real(&y)) else {
                    return Err(odd_places(&x, &y, term));
                };
                if op == BinaryOp::Mul {
                    // (a + b s)(c + e s) = ac + 5 be + (ae + bc) s
                    let product = |x: &Linear, y: &Linear| Scope::product(x, y);
                    let parts = (product(&a, &c), product(&b, &e), product(&a, &e), product(&b, &c));
                    let (Some(ac), Some(be), Some(ae), Some(bc)) = parts else {
                        return Err(No::at(term.span, "a product of two variables"));
                    };
                    let (a, b) = (ac.plus(&BigInt::from(5), &be), ae.plus(&BigInt::from(1), &bc));
                    return Ok(Sym::Real { a, b, below: d * f });
                }
                let sign = BigInt::from(if op == BinaryOp::Add { 1 } else { -1 });
                let over = |x: &Linear, y: &Linear| Linear::default().plus(&f, x).plus(&(&sign * &d), y);
                Ok(Sym::Real { a: over(&a, &c), b: over(&b, &e), below: &d * &f })
            }
            _ => Err(odd_places(&x, &y, term)),
        }
    }
}

/// A set without the members of another, each of which must be one of its members as it is written.
fn removed(of: &[Linear], less: &[Linear], term: &Term) -> Result<Sym, No> {
    let mut left = of.to_vec();
    for member in less {
        let Some(at) = left.iter().position(|other| other == member) else {
            return Err(No::at(term.span, "a set without members that are not known to be in it"));
        };
        left.remove(at);
    }
    Ok(Sym::Set(left))
}
