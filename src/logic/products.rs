//! Products of two variables, of which no automaton knows the value: their signs and their remainders.

use crate::logic::scope::Scope;
use crate::logic::symbol::{No, Sym};
use crate::logic::term::Env;
use crate::model::walk::bare;
use crate::model::{BinaryOp, CompareOp, Term, TermKind};
use grundy_automata::{Formula, Linear};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

/// Remainders are those by a number up to this.
const MOST: u32 = 16;

/// A sum, a difference or a product, and what it is made of.
fn made_of(term: &Term) -> Option<(BinaryOp, &Term, &Term)> {
    match &term.kind {
        TermKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul), a, b) => Some((*op, a, b)),
        _ => None,
    }
}

impl<'p> Scope<'p> {
    /// How a product of two variables compares with 0, by their signs; `None`: it is none, or is compared with something else.
    pub(crate) fn product_compared(
        &mut self,
        op: CompareOp,
        [a, b]: [&'p Term; 2],
        env: &Env<'p>,
    ) -> Result<Option<Formula>, No> {
        let is_zero = |term: &Term| matches!(&bare(term).kind, TermKind::Int(number) if number.is_zero());
        let (op, product) = match op {
            _ if is_zero(b) => (op, a),
            CompareOp::Eq | CompareOp::Ne if is_zero(a) => (op, b),
            CompareOp::Lt if is_zero(a) => (CompareOp::Gt, b),
            CompareOp::Le if is_zero(a) => (CompareOp::Ge, b),
            CompareOp::Gt if is_zero(a) => (CompareOp::Lt, b),
            CompareOp::Ge if is_zero(a) => (CompareOp::Le, b),
            _ => return Ok(None),
        };
        let Some((BinaryOp::Mul, x, y)) = made_of(product) else { return Ok(None) };
        let (Sym::Int(x), Sym::Int(y)) = (self.eval(x, env)?, self.eval(y, env)?) else { return Ok(None) };
        let nothing = Linear::default();
        let above = |number: &Linear| Formula::less(&nothing, number);
        let below = |number: &Linear| Formula::less(number, &nothing);
        let zero = Formula::any([Formula::zero(&x), Formula::zero(&y)]);
        let alike = Formula::any([Formula::all([above(&x), above(&y)]), Formula::all([below(&x), below(&y)])]);
        Ok(Some(match op {
            CompareOp::Eq => zero,
            CompareOp::Ne => zero.not(),
            CompareOp::Gt => alike,
            CompareOp::Le => alike.not(),
            CompareOp::Ge => Formula::any([zero, alike]),
            CompareOp::Lt => Formula::any([zero, alike]).not(),
            CompareOp::In | CompareOp::NotIn => return Ok(None),
        }))
    }

    /// The remainder of a term in which products of variables stand, by a constant: of a product it is made of the remainders of both.
    /// `None`: there are no such products, or the number is not in 1..16.
    pub(crate) fn remainder_of_product(
        &mut self,
        term: &'p Term,
        by: &Term,
        env: &Env<'p>,
    ) -> Result<Option<Linear>, No> {
        let TermKind::Int(by) = &bare(by).kind else { return Ok(None) };
        match by.to_u32().filter(|by| (1..=MOST).contains(by)) {
            Some(by) if made_of(term).is_some() => self.remainder(term, by, env).map(Some),
            _ => Ok(None),
        }
    }

    fn remainder(&mut self, term: &'p Term, by: u32, env: &Env<'p>) -> Result<Linear, No> {
        let Some((op, a, b)) = made_of(term) else {
            let number = self.int(term, env)?;
            return Ok(self.divided(&number, &BigInt::from(by), false));
        };
        let (a, b) = (self.remainder(a, by, env)?, self.remainder(b, by, env)?);
        if op != BinaryOp::Mul {
            let sum = a.plus(&BigInt::from(if op == BinaryOp::Add { 1 } else { -1 }), &b);
            return Ok(self.divided(&sum, &BigInt::from(by), false));
        }
        if let Some(product) = Scope::product(&a, &b) {
            return Ok(self.divided(&product, &BigInt::from(by), false));
        }
        // Where a leaves x, the product leaves what x b leaves.
        let (rest, all) = (Linear::track(self.defined()), BigInt::from(by));
        let cases = (0..by).map(|x| {
            let product = Linear::default().plus(&BigInt::from(x), &b);
            let leaves = Formula::multiple(&product.minus(&rest), &all);
            Formula::all([Formula::equal(&a, &Linear::number(x)), leaves])
        });
        let cases = Formula::any(cases.collect::<Vec<_>>());
        self.define(Formula::all([Formula::less(&rest, &Linear::number(by)), cases]));
        Ok(rest)
    }
}
