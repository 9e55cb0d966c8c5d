//! Definitions that call themselves a constant step further on, until a condition holds.
//!
//! ```text
//! def f(x, ..) = if C then A else f(x - d, ..) + s
//! ```
//! Its value is that of `A` at the first of `x, x - d, x - 2d, ..` where `C` holds, and `s` more for each step before; in place of `+ s` there may be
//! nothing, `- s` or `not`. The number of steps is a variable, so one formula speaks of all of them.

use crate::claims::claim_sweep::bare;
use crate::model::kind::Kind;
use crate::model::walk::{each_term, some_term};
use crate::model::{BinaryOp, Def, DefId, Term, TermKind};
use crate::prover::calls::DEEPEST;
use crate::prover::scope::Scope;
use crate::prover::symbol::{No, Sym};
use crate::prover::term::Env;
use grundy_automata::{Formula, Linear, Track};
use num_bigint::BigInt;
use std::collections::HashMap;

/// What becomes of the value with each step.
enum Step {
    /// So much is added.
    Plus(BigInt),
    /// It is turned round.
    Not,
}

/// A definition of this form.
struct Descent<'p> {
    def: &'p Def,
    body: &'p Term,
    /// The arguments of the call, and what is done with its value.
    again: &'p [Option<Term>],
    step: Step,
}

impl<'p> Scope<'p> {
    /// The value of a call of a definition that goes on by a constant step; `None`: it does not.
    pub(super) fn descent(
        &mut self,
        id: DefId,
        arguments: &'p [Option<Term>],
        env: &Env<'p>,
    ) -> Result<Option<Sym>, No> {
        let program = self.program;
        let def = &program.defs[id.0];
        let Some(descent) = Descent::of(id, def) else { return Ok(None) };
        if self.depth >= DEEPEST {
            return Ok(None);
        }
        self.depth += 1;
        let value = self.descended(&descent, arguments, env);
        self.depth -= 1;
        value
    }

    fn descended(
        &mut self,
        descent: &Descent<'p>,
        arguments: &'p [Option<Term>],
        env: &Env<'p>,
    ) -> Result<Option<Sym>, No> {
        let def = descent.def;
        let mut start = Vec::new();
        for (argument, param) in arguments.iter().zip(&def.params) {
            let Some(argument) = argument else { return Ok(None) };
            let value = self.eval(argument, env)?;
            self.entered(&value, &param.kind, argument.span)?;
            let Sym::Int(number) = value else { return Ok(None) };
            start.push(number);
        }
        let Some(by) = self.steps_of(descent)? else { return Ok(None) };
        let natural: Vec<bool> = def.params.iter().map(|param| matches!(param.kind, Kind::Nat)).collect();
        let at =
            |steps: &Linear| -> Vec<Linear> { start.iter().zip(&by).map(|(from, by)| from.plus(by, steps)).collect() };
        // It has come to an end before these many steps, or just there.
        let ends = |scope: &mut Self, steps: &Linear| -> Result<Formula, No> {
            let numbers = at(steps);
            let zero = Linear::default();
            let inside = numbers.iter().zip(&natural).filter(|(_, natural)| **natural);
            let inside = Formula::all(inside.map(|(number, _)| Formula::at_most(&zero, number)));
            let stops = scope.under(&inside, |scope| scope.local(|scope| descent.stops(scope, &numbers)))?;
            Ok(Formula::all([inside, stops]))
        };
        let count = self.defined();
        let steps = Linear::track(count);
        let here = ends(self, &steps)?;
        let earlier = self.some(|scope, before| {
            let before = Linear::track(before);
            let less = Formula::less(&before, &steps);
            let stops = scope.under(&less, |scope| ends(scope, &before))?;
            Ok(Formula::all([less, stops]))
        })?;
        let first = Formula::all([here, earlier.not()]);
        let somewhere = self.some(|scope, there| ends(scope, &Linear::track(there)))?;
        // Without an end there is no value.
        self.need(somewhere.clone());
        let none = Formula::all([somewhere.not(), Formula::equal(&steps, &Linear::default())]);
        self.define(Formula::any([first.clone(), none]));
        let numbers = at(&steps);
        let value = self.under(&first, |scope| {
            let env = descent.env(&numbers);
            descent.base(scope, descent.body, &env)
        })?;
        // The result is a natural number at every step if it is one at the first and the last.
        let least = value.clone();
        let value = self.stepped(descent, value, count)?;
        if let Some(Kind::Nat) = def.result {
            self.entered(&least, &Kind::Nat, def.span)?;
            self.entered(&value, &Kind::Nat, def.span)?;
        }
        Ok(Some(value))
    }

    /// By what the arguments of a call change; `None`: by no constants.
    fn steps_of(&self, descent: &Descent<'p>) -> Result<Option<Vec<BigInt>>, No> {
        let mut scope = Scope::new(self.program, self.facts.clone());
        let names: Vec<Track> = descent.again.iter().map(|_| scope.free()).collect();
        let env = descent.env(&names.iter().map(|track| Linear::track(*track)).collect::<Vec<_>>());
        let mut by = Vec::new();
        for (argument, name) in descent.again.iter().zip(names) {
            let Some(argument) = argument else { return Ok(None) };
            let (TermKind::Slot(_) | TermKind::Binary(BinaryOp::Add | BinaryOp::Sub, ..)) = &bare(argument).kind else {
                return Ok(None);
            };
            let Sym::Int(next) = scope.eval(bare(argument), &env)? else { return Ok(None) };
            match next.minus(&Linear::track(name)).constant() {
                Some(constant) => by.push(constant.clone()),
                None => return Ok(None),
            }
        }
        Ok(Some(by))
    }

    fn stepped(&mut self, descent: &Descent<'p>, value: Sym, count: Track) -> Result<Sym, No> {
        match (&descent.step, value) {
            (Step::Plus(by), Sym::Int(number)) => Ok(Sym::Int(number.plus(by, &Linear::track(count)))),
            (Step::Plus(by), value) if *by == BigInt::ZERO => Ok(value),
            (Step::Not, Sym::Bool(said)) => {
                let odd = self.divided(&Linear::track(count), &BigInt::from(2), false);
                Ok(Sym::Bool(said.iff(Formula::equal(&odd, &Linear::default()))))
            }
            _ => Err(No::at(
                descent.body.span,
                "a definition that calls itself, and what it makes of the value is no number or condition",
            )),
        }
    }
}

impl<'p> Descent<'p> {
    fn of(id: DefId, def: &'p Def) -> Option<Descent<'p>> {
        let body = bare(def.body.as_ref()?);
        let result = matches!(def.result, None | Some(Kind::Nat | Kind::Int | Kind::Bool));
        if def.owner.is_some() || !result || !matches!(body.kind, TermKind::If(..)) {
            return None;
        }
        // The call stands in it once, behind conditions.
        let mut calls = 0;
        each_term(body, &mut |term| calls += usize::from(is_call(term, id)));
        if calls != 1 {
            return None;
        }
        let mut last = body;
        while let TermKind::If(condition, a, b) = &bare(last).kind {
            match (has_call(condition, id), has_call(a, id), has_call(b, id)) {
                (false, true, false) => last = a,
                (false, false, true) => last = b,
                _ => return None,
            }
        }
        let last = bare(last);
        let (call, step) = match &last.kind {
            TermKind::Not(inner) => (bare(inner), Step::Not),
            TermKind::Binary(BinaryOp::Add, a, b) => match (number(a), number(b)) {
                (Some(by), None) => (bare(b), Step::Plus(by)),
                (None, Some(by)) => (bare(a), Step::Plus(by)),
                _ => return None,
            },
            TermKind::Binary(BinaryOp::Sub, a, b) => (bare(a), Step::Plus(-number(b)?)),
            _ => (last, Step::Plus(BigInt::ZERO)),
        };
        let TermKind::Call(called, again) = &call.kind else { return None };
        (*called == id && again.len() == def.params.len()).then_some(Descent { def, body, again, step })
    }

    fn env(&self, numbers: &[Linear]) -> Env<'p> {
        let slots = numbers.iter().enumerate().map(|(i, number)| (self.def.prefix + i, Sym::Int(number.clone())));
        Env { frame: &self.def.frame, slots: slots.collect::<HashMap<_, _>>(), game: None }
    }

    /// Whether it does not call itself at these numbers.
    fn stops(&self, scope: &mut Scope<'p>, numbers: &[Linear]) -> Result<Formula, No> {
        let env = self.env(numbers);
        let (mut term, mut before, mut some) = (self.body, Formula::Constant(true), Vec::new());
        while let TermKind::If(condition, a, b) = &bare(term).kind {
            let holds = scope.under(&before, |scope| scope.truth(condition, &env))?;
            let further = self.goes_on(b);
            let stops = if further { holds } else { holds.not() };
            some.push(Formula::all([before.clone(), stops.clone()]));
            before = Formula::all([before, stops.not()]);
            term = if further { b } else { a };
        }
        Ok(Formula::any(some))
    }

    /// The value where it does not call itself.
    fn base(&self, scope: &mut Scope<'p>, term: &'p Term, env: &Env<'p>) -> Result<Sym, No> {
        let TermKind::If(condition, a, b) = &bare(term).kind else { return scope.eval(term, env) };
        let (here, further) = if self.goes_on(b) { (a, b) } else { (b, a) };
        let holds = scope.truth(condition, env)?;
        let at_a = if self.goes_on(b) { holds.clone() } else { holds.not() };
        let value = scope.under(&at_a, |scope| scope.eval(here, env))?;
        if !matches!(bare(further).kind, TermKind::If(..)) {
            return Ok(value);
        }
        let other = scope.under(&at_a.clone().not(), |scope| self.base(scope, further, env))?;
        scope.either(&at_a, &value, &other, term)
    }

    fn goes_on(&self, term: &Term) -> bool {
        let is_again =
            |term: &Term| matches!(&term.kind, TermKind::Call(_, args) if std::ptr::eq(&raw const **args, self.again));
        some_term(term, is_again)
    }
}

fn is_call(term: &Term, id: DefId) -> bool {
    matches!(&term.kind, TermKind::Call(called, _) if *called == id)
}

fn has_call(term: &Term, id: DefId) -> bool {
    some_term(term, |term| is_call(term, id))
}

/// A number that is written out.
fn number(term: &Term) -> Option<BigInt> {
    if let TermKind::Int(number) = &bare(term).kind { Some(number.clone()) } else { None }
}
