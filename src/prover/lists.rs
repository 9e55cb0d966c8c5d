//! Lists and sets of known length: made, sorted, looked into, changed.

use crate::model::{Change, Clause, Term};
use crate::prover::domain::{bind, written_out};
use crate::prover::scope::Scope;
use crate::prover::symbol::{No, Sym, odd};
use crate::prover::term::Env;
use crate::syntax::tree::SetOp;
use grundy_automata::{Formula, Linear};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

impl<'p> Scope<'p> {
    /// The set of the items of a list: sorted, and all of them different.
    pub(super) fn set(&mut self, list: Sym, term: &Term) -> Result<Sym, No> {
        if let Sym::Set(_) = list {
            return Ok(list);
        }
        let items = list.items().ok_or_else(|| odd(term.span))?;
        let numbers: Option<Vec<Linear>> =
            items.iter().map(|item| if let Sym::Int(n) = item { Some(n.clone()) } else { None }).collect();
        let mut sorted = self.sorted(numbers.ok_or_else(|| odd(term.span))?);
        sorted.dedup();
        for pair in sorted.windows(2) {
            let apart = Formula::less(&pair[0], &pair[1]);
            self.need(apart);
        }
        Ok(Sym::Set(sorted))
    }

    /// Numbers in ascending order (sorting by insertion, as a network of comparisons).
    pub(super) fn sorted(&mut self, mut numbers: Vec<Linear>) -> Vec<Linear> {
        if numbers.iter().all(|number| number.constant().is_some()) {
            numbers.sort_by(|a, b| a.constant.cmp(&b.constant));
            return numbers;
        }
        for end in 1..numbers.len() {
            for at in (0..end).rev() {
                let (a, b) = (numbers[at].clone(), numbers[at + 1].clone());
                numbers[at] = self.extreme(&a, &b, false);
                numbers[at + 1] = self.extreme(&a, &b, true);
            }
        }
        numbers
    }

    pub(super) fn comprehension(&mut self, value: &'p Term, clauses: &'p [Clause], env: &Env<'p>) -> Result<Sym, No> {
        let mut list = Vec::new();
        self.gather(value, clauses, env, &Formula::Constant(true), &mut list)?;
        Ok(Sym::List(list))
    }

    /// The items of a comprehension whose domains are known.
    fn gather(
        &mut self,
        value: &'p Term,
        clauses: &'p [Clause],
        env: &Env<'p>,
        there: &Formula,
        list: &mut Vec<(Formula, Sym)>,
    ) -> Result<(), No> {
        let Some((first, rest)) = clauses.split_first() else {
            let item = self.under(there, |scope| scope.eval(value, env))?;
            list.push((there.clone(), item));
            return Ok(());
        };
        match first {
            Clause::Where(condition) => {
                let holds = self.under(there, |scope| scope.truth(condition, env))?;
                let there = Formula::all([there.clone(), holds]);
                if let Formula::Constant(false) = there { Ok(()) } else { self.gather(value, rest, env, &there, list) }
            }
            Clause::Let { pattern, value: bound } => {
                let bound = self.under(there, |scope| scope.eval(bound, env))?;
                let mut env = env.clone();
                bind(&mut env, pattern, bound)?;
                self.gather(value, rest, &env, there, list)
            }
            Clause::In { pattern, source, span } => {
                let domain = self.under(there, |scope| scope.eval(source, env))?;
                let Some(items) = written_out(&domain) else {
                    return Err(No::at(*span, "a list of as many items as a variable says"));
                };
                for (when, item) in items {
                    let mut env = env.clone();
                    bind(&mut env, pattern, item)?;
                    self.gather(value, rest, &env, &Formula::all([there.clone(), when]), list)?;
                }
                Ok(())
            }
        }
    }

    /// The item at a place; where the place is a variable, by cases.
    pub(super) fn index(&mut self, of: &Sym, at: &Linear, term: &Term) -> Result<Sym, No> {
        let items = of.items().ok_or_else(|| odd(term.span))?;
        if let Some(at) = at.constant() {
            let item = at.to_usize().and_then(|at| items.get(at).cloned());
            if item.is_none() {
                // It may be a place that is never reached.
                self.need(Formula::Constant(false));
            }
            return Ok(item.unwrap_or(Sym::number(0)));
        }
        let last = Linear::number(items.len()).minus(&Linear::number(1));
        self.need(Formula::all([Formula::at_most(&Linear::default(), at), Formula::at_most(at, &last)]));
        // Known numbers are counted from the least of them, so that none is negative.
        let known = |item: &Sym| if let Sym::Int(number) = item { number.constant().cloned() } else { None };
        let constants: Option<Vec<BigInt>> = items.iter().map(known).collect();
        let least = constants.and_then(|constants| constants.into_iter().min()).filter(Signed::is_negative);
        let up = |item: Sym, by: &BigInt| match item {
            Sym::Int(number) => Sym::Int(number.plus(&BigInt::from(1), &Linear::number(by.clone()))),
            other => other,
        };
        if let Some(least) = least {
            let raised = Sym::list(items.into_iter().map(|item| up(item, &-&least)));
            return Ok(up(self.index(&raised, at, term)?, &least));
        }
        let mut items = items.into_iter().enumerate();
        let Some((_, mut chosen)) = items.next() else { return Ok(Sym::number(0)) };
        for (i, item) in items {
            let here = Formula::equal(at, &Linear::number(i));
            chosen = self.either(&here, &item, &chosen, term)?;
        }
        Ok(chosen)
    }

    pub(super) fn update(
        &mut self,
        of: &'p Term,
        changes: &'p [Change],
        clauses: &'p [Clause],
        env: &Env<'p>,
        term: &Term,
    ) -> Result<Sym, No> {
        let old = self.eval(of, env)?.items().ok_or_else(|| odd(term.span))?;
        let mut new = old.clone();
        let mut read = Vec::new();
        for change in changes {
            // Every way through the clauses makes the change; without clauses there is one way.
            let [mut places, mut values] = [Vec::new(), Vec::new()];
            let always = Formula::Constant(true);
            self.gather(&change.index, clauses, env, &always, &mut places)?;
            self.gather(&change.value, clauses, env, &always, &mut values)?;
            for ((there, at), (_, value)) in places.into_iter().zip(values) {
                let Sym::Int(at) = at else { return Err(odd(change.index.span)) };
                read.push((there, at, change.op, value));
            }
        }
        for (there, at, op, value) in read {
            let last = Linear::number(old.len()).minus(&Linear::number(1));
            let inside = Formula::all([Formula::at_most(&Linear::default(), &at), Formula::at_most(&at, &last)]);
            self.need(there.clone().implies(inside));
            let here = |i| Formula::all([there.clone(), Formula::equal(&at, &Linear::number(i))]);
            let here = (0..old.len()).map(|i| (here(i), i));
            let places: Vec<(Formula, usize)> =
                here.filter(|(here, _)| !matches!(here, Formula::Constant(false))).collect();
            for (here, place) in places {
                let changed = match (op, &new[place], &value) {
                    (SetOp::Put, _, value) => value.clone(),
                    (SetOp::Add, Sym::Int(old), Sym::Int(by)) => Sym::Int(old.plus(&BigInt::from(1), by)),
                    (SetOp::Remove, Sym::Int(old), Sym::Int(by)) => Sym::Int(old.minus(by)),
                    _ => return Err(odd(term.span)),
                };
                new[place] = match here {
                    Formula::Constant(true) => changed,
                    here => self.either(&here, &changed, &new[place].clone(), term)?,
                };
            }
        }
        Ok(Sym::list(new))
    }
}
