//! Comparisons of values with variables in them: numbers, collections, how many digits or parts a number has.

use crate::model::{CompareOp, Item, Term};
use crate::prover::digit_sums::{GREATEST, Weights};
use crate::prover::exponents::{few, odd_places, places_compared};
use crate::prover::scope::Scope;
use crate::prover::symbol::{No, Sym, odd};
use crate::prover::term::{Env, real};
use crate::source::text::Span;
use grundy_automata::{Atom, Formula, Linear, System};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

/// So many parts are said to be there one by one, more by an automaton.
const MOST_PARTS: u32 = 4;

impl<'p> Scope<'p> {
    /// Whether a tuple is one of those that are written out.
    pub(super) fn among(
        &mut self,
        op: CompareOp,
        tuple: &Sym,
        items: &'p [Item],
        env: &Env<'p>,
    ) -> Result<Formula, No> {
        let mut some = Vec::new();
        for item in items {
            if item.spread {
                return Err(odd(item.term.span));
            }
            let value = self.eval(&item.term, env)?;
            some.push(self.equal(tuple, &value, item.term.span)?);
        }
        let some = Formula::any(some);
        Ok(if op == CompareOp::In { some } else { some.not() })
    }

    /// How two values compare.
    pub(super) fn compare(&mut self, op: CompareOp, a: &Sym, b: &Sym, term: &Term) -> Result<Formula, No> {
        if let Some(compared) = places_compared(op, a, b) {
            return Ok(compared);
        }
        match op {
            CompareOp::In => return self.member(a, b, term.span),
            CompareOp::NotIn => return Ok(self.member(a, b, term.span)?.not()),
            CompareOp::Eq => return self.equal(a, b, term.span),
            CompareOp::Ne => return Ok(self.equal(a, b, term.span)?.not()),
            CompareOp::Lt | CompareOp::Le | CompareOp::Gt | CompareOp::Ge => {}
        }
        let turned = match op {
            CompareOp::Lt => CompareOp::Gt,
            CompareOp::Le => CompareOp::Ge,
            CompareOp::Gt => CompareOp::Lt,
            _ => CompareOp::Le,
        };
        match (a, b) {
            (Sym::DigitSum(..) | Sym::PartCount(_), Sym::Int(count)) => return self.counted(op, a, count, term),
            (Sym::Int(count), Sym::DigitSum(..) | Sym::PartCount(_)) => return self.counted(turned, b, count, term),
            _ => {}
        }
        let (Some((xa, xb, xd)), Some((ya, yb, yd))) = (real(a), real(b)) else { return Err(odd_places(a, b, term)) };
        // `x - y` over the common denominator, which is positive.
        let minus = |p: &Linear, q: &Linear| Linear::default().plus(&yd, p).minus(&Linear::default().plus(&xd, q));
        let (a, b) = (minus(&xa, &ya), minus(&xb, &yb));
        let negated = |n: &Linear| Linear::default().minus(n);
        Ok(match op {
            CompareOp::Ge => self.at_least_zero(&a, &b)?,
            CompareOp::Lt => self.at_least_zero(&a, &b)?.not(),
            CompareOp::Le => self.at_least_zero(&negated(&a), &negated(&b))?,
            _ => self.at_least_zero(&negated(&a), &negated(&b))?.not(),
        })
    }

    /// How a number of digits 1 or of parts compares with a constant: which of the few numbers below it is.
    fn counted(&mut self, op: CompareOp, counted: &Sym, count: &Linear, term: &Term) -> Result<Formula, No> {
        let known = count.constant().and_then(|count| few(op, count));
        let (numbers, one_of) = known.ok_or_else(|| {
            No::at(term.span, format!("how many digits or parts, beside a variable or a number above {GREATEST}"))
        })?;
        let mut some = Vec::new();
        for number in numbers {
            some.push(self.equal(counted, &Sym::number(number), term.span)?);
        }
        let some = Formula::any(some);
        Ok(if one_of { some } else { some.not() })
    }

    /// Whether two values are equal.
    pub(super) fn equal(&mut self, a: &Sym, b: &Sym, span: Span) -> Result<Formula, No> {
        if let Some(equal) = places_compared(CompareOp::Eq, a, b) {
            return Ok(equal);
        }
        match (a, b) {
            (Sym::Int(a), Sym::Int(b)) => Ok(Formula::equal(a, b)),
            (Sym::Bool(a), Sym::Bool(b)) => Ok(a.clone().iff(b.clone())),
            (Sym::Text(a), Sym::Text(b)) => Ok(Formula::Constant(a == b)),
            (Sym::PartCount(of), Sym::Int(count)) | (Sym::Int(count), Sym::PartCount(of)) => match count.constant() {
                Some(count) => self.summed(of, Weights::Fibonacci, count, span),
                None => Err(No::at(span, "how many parts a number has, beside a variable")),
            },
            (Sym::DigitSum(of, base, plus), Sym::Int(count)) | (Sym::Int(count), Sym::DigitSum(of, base, plus)) => {
                match count.constant() {
                    Some(count) => self.summed(of, Weights::Digits(*base), &(count - plus), span),
                    None => Err(No::at(span, "a digit sum, beside a variable")),
                }
            }
            (Sym::Parts(of), Sym::List(items)) if items.is_empty() => Ok(Formula::equal(of, &Linear::default())),
            _ => match (a.items(), b.items()) {
                (Some(a), Some(b)) if a.len() == b.len() => {
                    let parts: Result<Vec<Formula>, No> =
                        a.iter().zip(&b).map(|(a, b)| self.equal(a, b, span)).collect();
                    Ok(Formula::all(parts?))
                }
                (Some(_), Some(_)) => Ok(Formula::Constant(false)),
                _ => Err(odd(span)),
            },
        }
    }

    /// Whether a sum of digits is a number.
    fn summed(&mut self, of: &Linear, weights: Weights, sum: &BigInt, span: Span) -> Result<Formula, No> {
        if sum.is_negative() {
            return Ok(Formula::Constant(false));
        }
        let sum = sum.to_usize().filter(|sum| *sum <= GREATEST);
        let sum = sum.ok_or_else(|| No::at(span, format!("a digit sum compared with a number above {GREATEST}")))?;
        match (u32::try_from(sum), weights) {
            (Ok(1), Weights::Digits(2)) => {
                self.digits.insert(System::Binary);
                let of = self.track(of);
                Ok(Formula::atom(Atom::Place(of)))
            }
            (Ok(sum), Weights::Digits(2) | Weights::Fibonacci) if sum <= MOST_PARTS => {
                self.digits.insert(if weights == Weights::Fibonacci { System::Zeckendorf } else { System::Binary });
                self.part_count(of, sum)
            }
            _ => self.sum_is(of, weights, sum),
        }
    }

    /// Whether a number has evenly many digits 1: then the numbers of digits 1 up to each place have a parity that is 0 from
    /// some place on, and these parities are a number p with `p == x xor 2 p`.
    pub(super) fn evenly_many(&mut self, of: &Linear) -> Result<Formula, No> {
        self.digits.insert(System::Binary);
        self.some(|scope, parities| {
            let whole = scope.track(of);
            let double = Linear::track(parities).plus(&BigInt::from(1), &Linear::track(parities));
            let double = scope.track(&double);
            Ok(Formula::atom(Atom::Xor(whole, double, parities)))
        })
    }

    /// Whether a number is the sum of just so many parts in the system of Zeckendorf, or powers of two: one part less is left of it without
    /// one of them.
    fn part_count(&mut self, of: &Linear, count: u32) -> Result<Formula, No> {
        if count == 0 {
            return Ok(Formula::equal(of, &Linear::default()));
        }
        self.some(|scope, part| {
            let whole = scope.track(of);
            let is_part = Formula::atom(Atom::Part(part, whole));
            let rest = of.minus(&Linear::track(part));
            let less = scope.under(&is_part, |scope| scope.part_count(&rest, count - 1))?;
            Ok(Formula::all([is_part, less]))
        })
    }
}
