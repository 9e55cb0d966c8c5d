//! Calls of definitions, and positions.

use crate::claims::claim_sweep::bare;
use crate::model::kind::Kind;
use crate::model::{CompareOp, DefId, Gather, Place, PlaceParams, Term, TermKind};
use crate::prover::exponents::places_compared;
use crate::prover::scope::Scope;
use crate::prover::symbol::{No, Part, Sym, odd};
use crate::prover::term::Env;
use crate::source::text::Span;
use grundy_automata::{Formula, Linear};
use num_traits::Signed;
use std::collections::HashMap;
use std::rc::Rc;

/// Calls of definitions may be nested so deep.
pub(super) const DEEPEST: usize = 60;

impl<'p> Scope<'p> {
    pub(super) fn call(
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
                said = self.digitwise(id, arguments, env)?;
            }
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
        let mut inner = Env { frame: &def.frame, slots: HashMap::new(), game: None };
        if def.owner.is_some() {
            inner.game.clone_from(&env.game);
            // What names of the game mean is the same in its definitions.
            inner.slots.extend(env.slots.iter().filter(|(slot, _)| **slot < def.prefix).map(|(s, v)| (*s, v.clone())));
        }
        for (i, param) in def.params.iter().enumerate() {
            let value = match (arguments.get(i), &param.default) {
                (Some(Some(argument)), _) => self.eval(argument, env)?,
                (_, Some(default)) => self.eval(default, &inner)?,
                _ => return Err(odd(term.span)),
            };
            self.entered(&value, &param.kind, term.span)?;
            inner.slots.insert(def.prefix + i, value);
        }
        self.depth += 1;
        let result = self.eval(body, &inner);
        self.depth -= 1;
        result
    }

    /// What must hold so that a value may enter where this kind is declared.
    pub(super) fn entered(&mut self, value: &Sym, kind: &Kind, span: Span) -> Result<(), No> {
        let natural = |number: &Linear| Formula::at_most(&Linear::default(), number);
        match (kind, value) {
            (Kind::Any(_) | Kind::Int | Kind::Bool | Kind::Text | Kind::Real | Kind::Position, _)
            | (Kind::Nat, Sym::PartCount(_)) => {}
            (Kind::Nat, Sym::Exponent(track, shift)) => {
                let zero = Sym::number(0);
                self.need(
                    places_compared(CompareOp::Ge, &Sym::Exponent(*track, *shift), &zero).ok_or_else(|| odd(span))?,
                );
            }
            (Kind::Nat, Sym::Int(number)) => self.need(natural(number)),
            (Kind::Nat, Sym::DigitSum(_, _, plus)) if !plus.is_negative() => {}
            (Kind::List(of, 0) | Kind::Set(of), Sym::List(items)) => {
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

    pub(super) fn place(&mut self, place: &'p Place, env: &Env<'p>, term: &Term) -> Result<Sym, No> {
        let program = self.program;
        let game = &program.games[place.game.0];
        let mut inner = Env { frame: &game.frame, slots: HashMap::new(), game: None };
        match (&place.params, &env.game) {
            (PlaceParams::Own, Some((own, params))) if *own == place.game => {
                inner.slots.extend(params.iter().cloned().enumerate());
            }
            (PlaceParams::Own, _) => return Err(odd(term.span)),
            (PlaceParams::Given(given), _) => {
                for (i, param) in game.params.iter().enumerate() {
                    let value = match (given.get(i), &param.default) {
                        (Some(Some(argument)), _) => self.eval(argument, env)?,
                        (_, Some(default)) => self.eval(default, &inner)?,
                        _ => return Err(odd(term.span)),
                    };
                    self.entered(&value, &param.kind, term.span)?;
                    inner.slots.insert(i, value);
                }
            }
        }
        let params: Vec<Sym> = (0..game.params.len()).filter_map(|i| inner.slots.get(&i).cloned()).collect();
        inner.game = Some((place.game, Rc::new(params.clone())));
        let mut fields = Vec::new();
        for (i, field) in game.fields.iter().enumerate() {
            let value = match (place.fields.get(i), &field.default) {
                (Some(Some(argument)), _) => match self.as_written.then(|| written_set(argument, env)).flatten() {
                    Some(set) => set,
                    None => self.eval(argument, env)?,
                },
                (_, Some(default)) => self.eval(default, &inner)?,
                _ => return Err(odd(term.span)),
            };
            inner.slots.insert(params.len() + i, value.clone());
            fields.push(value);
        }
        Ok(Sym::Position { parts: vec![Part { game: place.game, params, fields }], misere: game.misere })
    }
}

/// A set literal of different variables, in the order written.
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
