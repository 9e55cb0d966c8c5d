//! Division by a variable: `x div y`, `x mod y`, and what is made of them, by the multiple of y that x is rounded down to.
//!
//! A quotient q is not a number here, for no automaton knows `q * y`; it is kept as that product. So it can be multiplied by y, compared with
//! constants and other quotients by y, and be an end of a range, whose members are quotients by y, too.

use crate::logic::scope::{Made, Scope};
use crate::logic::symbol::{No, Sym, odd};
use crate::model::{BinaryOp, CompareOp, Term};
use crate::source::Span;
use grundy_automata::{Atom, Formula, Linear};
use num_bigint::BigInt;

/// A whole number, as what it is times another.
#[derive(Clone, Debug)]
pub(crate) struct Quotient {
    pub(crate) product: Linear,
    /// It is positive.
    pub(crate) of: Linear,
}

impl Quotient {
    /// A quotient, or a constant as one by the same number.
    fn from(value: &Sym, of: &Linear) -> Option<Quotient> {
        match value {
            Sym::Quotient(quotient) if quotient.of == *of => Some((**quotient).clone()),
            Sym::Int(number) => {
                let product = Linear::default().plus(number.constant()?, of);
                Some(Quotient { product, of: of.clone() })
            }
            _ => None,
        }
    }

    /// The products of two of which at least one is a quotient.
    fn pair(a: &Sym, b: &Sym) -> Option<[Quotient; 2]> {
        let of = match (a, b) {
            (Sym::Quotient(one), _) | (_, Sym::Quotient(one)) => one.of.clone(),
            _ => return None,
        };
        Some([Quotient::from(a, &of)?, Quotient::from(b, &of)?])
    }

    /// How two of them compare; `None`: they are something else.
    pub(crate) fn compared(op: CompareOp, a: &Sym, b: &Sym) -> Option<Formula> {
        let [Quotient { product: a, .. }, Quotient { product: b, .. }] = &Quotient::pair(a, b)?;
        Some(match op {
            CompareOp::Eq => Formula::equal(a, b),
            CompareOp::Ne => Formula::equal(a, b).not(),
            CompareOp::Lt => Formula::less(a, b),
            CompareOp::Le => Formula::at_most(a, b),
            CompareOp::Gt => Formula::less(b, a),
            CompareOp::Ge => Formula::at_most(b, a),
            CompareOp::In | CompareOp::NotIn => return None,
        })
    }

    /// What is made of two values of which at least one is a quotient; `None`: nothing that is known here.
    pub(crate) fn operated(op: BinaryOp, a: &Sym, b: &Sym) -> Option<Sym> {
        if op == BinaryOp::Mul {
            return match (a, b) {
                (Sym::Quotient(quotient), Sym::Int(by)) | (Sym::Int(by), Sym::Quotient(quotient)) => {
                    if *by == quotient.of {
                        return Some(Sym::Int(quotient.product.clone()));
                    }
                    let product = Linear::default().plus(by.constant()?, &quotient.product);
                    Some(Sym::Quotient(Box::new(Quotient { product, of: quotient.of.clone() })))
                }
                _ => None,
            };
        }
        let [a, b] = Quotient::pair(a, b)?;
        let product = match op {
            BinaryOp::Add => a.product.plus(&BigInt::from(1), &b.product),
            BinaryOp::Sub => a.product.minus(&b.product),
            _ => return None,
        };
        Some(Sym::Quotient(Box::new(Quotient { product, of: a.of })))
    }
}

impl Scope<'_> {
    /// `number div by` or `number mod by`, where the number is not negative.
    pub(crate) fn divided_by_variable(&mut self, number: &Linear, by: &Linear, quotient: bool) -> Sym {
        self.need(Formula::all([Formula::at_most(&Linear::number(1), by), Formula::natural(number)]));
        let product = self.once(Made::Product(number.clone(), by.clone()), |scope| {
            let product = scope.defined();
            scope.define(Formula::atom(Atom::Rounded(product, number.clone(), by.clone())));
            Linear::track(product)
        });
        if quotient {
            Sym::Quotient(Box::new(Quotient { product, of: by.clone() }))
        } else {
            Sym::Int(number.minus(&product))
        }
    }

    /// Whether a quotient is in a range of such and of constants, none of them negative.
    pub(crate) fn quotient_between(
        &mut self,
        member: &Quotient,
        [from, to]: [&Sym; 2],
        span: Span,
    ) -> Result<Formula, No> {
        let ends = Quotient::from(from, &member.of).zip(Quotient::from(to, &member.of));
        let (from, to) = ends.ok_or_else(|| odd(span))?;
        // Members are variables, which are never negative.
        self.need(Formula::any([Formula::natural(&from.product), Formula::less(&to.product, &from.product)]));
        Ok(Formula::all([
            Formula::atom(Atom::Times(member.product.clone(), member.of.clone())),
            Formula::at_most(&from.product, &member.product),
            Formula::at_most(&member.product, &to.product),
        ]))
    }
}

/// Why a term with these values has no form, if one of them is a quotient.
pub(crate) fn odd_quotients(a: &Sym, b: &Sym, term: &Term) -> Option<No> {
    let quotient = |value: &Sym| matches!(value, Sym::Quotient(_));
    let why = "a quotient by a variable, which is compared with constants and with quotients by the same, or multiplied by it";
    (quotient(a) || quotient(b)).then(|| No::at(term.span, why))
}
