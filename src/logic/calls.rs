//! Calls of definitions, and positions.
//!
//! A definition that calls itself either reads digits ([`digit_functions`](crate::logic::digit_functions)), or goes on by a
//! constant step until a condition holds:
//! ```text
//! def f(x, ..) = if C then A else f(x - d, ..) + s
//! ```
//! Its value is that of `A` at the first of `x, x - d, x - 2d, ..` where `C` holds, and `s` more for each step before; in place of `+ s` there may be
//! nothing, `- s` or `not`. The number of steps is a variable, so one formula speaks of all of them.

use crate::logic::exponents::Exponent;
use crate::logic::scope::Scope;
use crate::logic::symbol::{No, Part, Sym, odd};
use crate::logic::term::Env;
use crate::model::walk::{bare, each_term, some_term};
use crate::model::{BinaryOp, CompareOp, Def, DefId, Field, Gather, Kind, Place, PlaceParams, Term, TermKind};
use crate::source::Span;
use grundy_automata::{Formula, Linear, Track};
use num_bigint::BigInt;
use num_traits::Signed;

pub(crate) const DEEPEST: usize = 60;

impl<'p> Scope<'p> {
    pub(crate) fn call(
        &mut self,
        id: DefId,
        arguments: &'p [Option<Term>],
        env: &Env<'p>,
        term: &Term,
    ) -> Result<Sym, No> {
        let program = self.program;
        let def = &program.defs[id.0];
        let Some(body) = &def.body else { return Err(odd(term.span)) };
        if def.recursive {
            let mut said = self.read(id, arguments, env)?;
            if said.is_none() {
                said = self.descent(id, arguments, env)?;
            }
            if let Some(said) = said {
                return Ok(said);
            }
        }
        if self.depth >= DEEPEST {
            return Err(No::at(
                term.span,
                "a definition that calls itself, neither to read digits nor a constant step further on",
            ));
        }
        let mut inner = env.inside(def);
        for (i, param) in def.params.iter().enumerate() {
            let value = self.given(arguments.get(i), param, [env, &inner], term.span)?;
            self.entered(&value, &param.kind, term.span)?;
            inner.slots.insert(def.prefix + i, value);
        }
        self.depth += 1;
        let result = self.eval(body, &inner);
        self.depth -= 1;
        result
    }

    /// The value of an argument around a call, or inside of it that of the default.
    fn given(
        &mut self,
        argument: Option<&'p Option<Term>>,
        param: &'p Field,
        [around, inside]: [&Env<'p>; 2],
        span: Span,
    ) -> Result<Sym, No> {
        match (argument, &param.default) {
            (Some(Some(argument)), _) => self.eval(argument, around),
            (_, Some(default)) => self.eval(default, inside),
            _ => Err(odd(span)),
        }
    }

    /// What must hold so that a value may enter where this kind is declared.
    pub(crate) fn entered(&mut self, value: &Sym, kind: &Kind, span: Span) -> Result<(), No> {
        let natural = |number: &Linear| Formula::natural(number);
        match (kind, value) {
            (Kind::Any(_) | Kind::Int | Kind::Bool | Kind::Text | Kind::Real | Kind::Position, _) => {}
            (Kind::Nat, Sym::Exponent(_)) => {
                let natural = Exponent::compared(CompareOp::Ge, value, &Sym::number(0));
                self.need(natural.ok_or_else(|| odd(span))?);
            }
            (Kind::Nat, Sym::Int(number)) => self.need(natural(number)),
            (Kind::Nat, Sym::DigitSum(_, _, plus)) if !plus.is_negative() => {}
            (Kind::List(of, 0) | Kind::Set(of), Sym::List(items)) | (Kind::Bag(of), Sym::Bag(items)) => {
                for (there, item) in items {
                    self.under(there, |scope| scope.entered(item, of, span))?;
                }
            }
            (Kind::List(of, 0) | Kind::Set(of), Sym::Set(items)) => {
                items.iter().try_for_each(|item| self.entered(&Sym::Int(item.clone()), of, span))?;
            }
            (Kind::List(of, 0) | Kind::Set(of), Sym::Range(from, to)) => match (&**of, &**from, &**to) {
                (Kind::Nat, Sym::Int(from), Sym::Int(to)) => {
                    self.need(Formula::any([natural(from), Formula::less(to, from)]));
                }
                (Kind::Int, ..) => {}
                _ => return Err(odd(span)),
            },
            (Kind::List(of, 0) | Kind::Set(of), Sym::Parts(_) | Sym::Digits(..))
                if matches!(**of, Kind::Nat | Kind::Int) => {}
            (Kind::Tuple(kinds), Sym::Tuple(items)) if kinds.len() == items.len() => {
                kinds.iter().zip(items).try_for_each(|(kind, item)| self.entered(item, kind, span))?;
            }
            // Lists that are counted from another number, and whatever else takes another form there.
            _ => return Err(odd(span)),
        }
        Ok(())
    }

    /// A position that is wanted for itself: whoever asks for it must see that each component is in the domain of its game.
    pub(crate) fn position(&mut self, term: &'p Term, env: &Env<'p>) -> Result<Sym, No> {
        match &term.kind {
            TermKind::Place(place) => self.place(place, env, term),
            TermKind::Binary(BinaryOp::Add, a, b) => {
                let (a, b) = (self.position(a, env)?, self.position(b, env)?);
                self.operated(BinaryOp::Add, a, b, term)
            }
            _ => self.eval(term, env),
        }
    }

    /// A position of which nothing may come in the end. That it is one is needed here, for then nobody else asks.
    pub(crate) fn place_needed(&mut self, place: &'p Place, env: &Env<'p>, term: &Term) -> Result<Sym, No> {
        let value = self.place(place, env, term)?;
        if let Sym::Position { parts, .. } = &value {
            for part in parts {
                let inside = self.local(|scope| scope.in_domain(part))?;
                self.need(inside);
            }
        }
        Ok(value)
    }

    fn place(&mut self, place: &'p Place, env: &Env<'p>, term: &Term) -> Result<Sym, No> {
        let program = self.program;
        let game = &program.games[place.game.0];
        let mut inner = Env::of(&game.frame, []);
        let mut params = Vec::new();
        match &place.params {
            PlaceParams::Own => {
                params = env.own_params(program, place.game).ok_or_else(|| odd(term.span))?;
                inner.slots.extend(params.iter().cloned().enumerate());
            }
            PlaceParams::Given(given) => {
                for (i, param) in game.params.iter().enumerate() {
                    let value = self.given(given.get(i), param, [env, &inner], term.span)?;
                    self.entered(&value, &param.kind, term.span)?;
                    inner.slots.insert(i, value.clone());
                    params.push(value);
                }
            }
        }
        inner.game = Some(place.game);
        let mut fields = Vec::new();
        // Rule parameters that are fields here.
        let first = game.fields.len().saturating_sub(place.fields.len());
        for (i, param) in game.fields[..first].iter().enumerate() {
            let value = match &place.params {
                PlaceParams::Own => env.slots.get(&i).filter(|_| env.game == Some(place.game)).cloned(),
                PlaceParams::Given(given) => Some(self.given(given.get(i), param, [env, &inner], term.span)?),
            };
            let value = value.ok_or_else(|| odd(term.span))?;
            self.entered(&value, &param.kind, term.span)?;
            inner.slots.insert(i, value.clone());
            fields.push(value);
        }
        for (i, field) in game.fields.iter().enumerate().skip(first) {
            let argument = place.fields.get(i - first);
            let written = argument.and_then(Option::as_ref).filter(|_| self.as_written);
            let value = match written.and_then(|argument| written_set(argument, env)) {
                Some(set) => set,
                None => self.given(argument, field, [env, &inner], term.span)?,
            };
            inner.slots.insert(params.len() + i, value.clone());
            fields.push(value);
        }
        Ok(Sym::Position { parts: vec![Part::new(place.game, params, fields)], misere: game.misere })
    }

    /// The value of a call of a definition that goes on by a constant step; `None`: it does not.
    fn descent(&mut self, id: DefId, arguments: &'p [Option<Term>], env: &Env<'p>) -> Result<Option<Sym>, No> {
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
        self.need(somewhere.clone());
        let none = Formula::all([somewhere.not(), Formula::zero(&steps)]);
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
                Ok(Sym::Bool(said.iff(Formula::zero(&odd))))
            }
            _ => Err(No::at(
                descent.body.span,
                "a definition that calls itself, and what it makes of the value is no number or condition",
            )),
        }
    }
}

fn written_set(argument: &Term, env: &Env<'_>) -> Option<Sym> {
    let TermKind::Items(Gather::Set, items) = &bare(argument).kind else { return None };
    let mut numbers: Vec<Linear> = Vec::new();
    for item in items {
        let (TermKind::Slot(slot), false) = (&bare(&item.term).kind, item.spread) else { return None };
        let Some(Sym::Int(number)) = env.slots.get(slot) else { return None };
        if number.single().is_none() || numbers.contains(number) {
            return None;
        }
        numbers.push(number.clone());
    }
    Some(Sym::Set(numbers))
}

enum Step {
    Plus(BigInt),
    Not,
}

struct Descent<'p> {
    def: &'p Def,
    body: &'p Term,
    /// The arguments of the call, and what is done with its value.
    again: &'p [Option<Term>],
    step: Step,
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
        Env::of(&self.def.frame, slots)
    }

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

fn number(term: &Term) -> Option<BigInt> {
    if let TermKind::Int(number) = &bare(term).kind { Some(number.clone()) } else { None }
}
