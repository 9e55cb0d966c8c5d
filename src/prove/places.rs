//! Calls of definitions, and positions.

use super::scope::Scope;
use super::symbol::{No, Part, Sym, odd};
use super::term::Env;
use crate::check::model::{DefId, Place, PlaceParams, Term};
use std::collections::HashMap;
use std::rc::Rc;

/// Calls of definitions may be nested so deep.
const DEEPEST: usize = 60;

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
        if def.recursive
            && let Some(said) = self.read(id, arguments, env)?
        {
            return Ok(said);
        }
        if self.depth >= DEEPEST {
            return Err(No::at(term.span, "a definition that calls itself, and not to read digits"));
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
            inner.slots.insert(def.prefix + i, value);
        }
        self.depth += 1;
        let result = self.eval(body, &inner);
        self.depth -= 1;
        result
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
                    inner.slots.insert(i, value);
                }
            }
        }
        let params: Vec<Sym> = (0..game.params.len()).filter_map(|i| inner.slots.get(&i).cloned()).collect();
        inner.game = Some((place.game, Rc::new(params.clone())));
        let mut fields = Vec::new();
        for (i, field) in game.fields.iter().enumerate() {
            let value = match (place.fields.get(i), &field.default) {
                (Some(Some(argument)), _) => self.eval(argument, env)?,
                (_, Some(default)) => self.eval(default, &inner)?,
                _ => return Err(odd(term.span)),
            };
            inner.slots.insert(params.len() + i, value.clone());
            fields.push(value);
        }
        Ok(Sym::Position { parts: vec![Part { game: place.game, params, fields }], misere: game.misere })
    }
}
