//! Calls of definitions, and heaps.

use crate::model::kind::Kind;
use crate::model::{DefId, Place, PlaceParams, Term};
use crate::prover::periods::course::EventuallyPeriodic;
use crate::prover::periods::terms::{Names, Reader, Thing, defined, known, strict};
use crate::prover::symbol::{No, odd};
use std::collections::HashMap;

/// Calls of definitions may be nested so deep.
const DEEPEST: usize = 60;

impl<'p> Reader<'_, 'p> {
    /// What a definition says of these arguments.
    pub(super) fn call(
        &mut self,
        id: DefId,
        args: &'p [Option<Term>],
        names: &Names<'p>,
        term: &Term,
    ) -> Result<Thing, No> {
        let program = self.program;
        let def = &program.defs[id.0];
        let Some(body) = &def.body else { return Err(odd(term.span)) };
        if def.recursive || self.depth >= DEEPEST {
            return Err(No::at(term.span, "a definition that calls itself"));
        }
        let mut inner = Names { frame: &def.frame, slots: HashMap::new(), game: None };
        if def.owner.is_some() {
            inner.game.clone_from(&names.game);
            let own = names.slots.iter().filter(|(slot, _)| **slot < def.prefix);
            inner.slots.extend(own.map(|(slot, thing)| (*slot, thing.clone())));
        }
        let mut given = EventuallyPeriodic::constant(1);
        for (i, param) in def.params.iter().enumerate() {
            let (value, of) = match (args.get(i), &param.default) {
                (Some(Some(argument)), _) => (self.eval(argument, names)?, argument),
                (_, Some(default)) => (self.eval(default, &inner)?, default),
                _ => return Err(odd(term.span)),
            };
            let value = coerced(value, &param.kind, of)?;
            given = given.times(&defined(&value)?)?;
            inner.slots.insert(def.prefix + i, value);
        }
        self.depth += 1;
        let result = self.eval(body, &inner);
        self.depth -= 1;
        let result = match &def.result {
            Some(kind) => coerced(result?, kind, body)?,
            None => result?,
        };
        strict(result, &given, term)
    }

    /// A heap of a game with a certified period.
    pub(super) fn place(&mut self, place: &'p Place, names: &Names<'p>, term: &Term) -> Result<Thing, No> {
        let program = self.program;
        let game = &program.games[place.game.0];
        let params = match (&place.params, &names.game) {
            (PlaceParams::Own, Some((own, params))) if *own == place.game => params.clone(),
            (PlaceParams::Own, _) => return Err(odd(term.span)),
            (PlaceParams::Given(given), _) => {
                let mut params = Vec::new();
                for param in given {
                    let Some(param) = param else { return Err(No::at(term.span, "a default of a rule parameter")) };
                    let value = self.eval(param, names)?;
                    params.push(known(&value).ok_or_else(|| No::at(param.span, "a rule parameter that varies"))?);
                }
                params
            }
        };
        if params.len() != game.params.len() {
            return Err(No::at(term.span, "a default of a rule parameter"));
        }
        let [Some(size)] = &place.fields[..] else {
            return Err(No::at(term.span, "a position that is not one heap of a written size"));
        };
        let size = self.int(size, names)?.natural()?;
        let heap = self.heaps.of_game(self.ctx, place.game, &params, self.limit)?;
        Ok(Thing::Sum(vec![(heap, size)]))
    }
}

/// A value where a declared kind is wanted. What would take another form there is refused.
pub(super) fn coerced(thing: Thing, kind: &Kind, term: &Term) -> Result<Thing, No> {
    match (thing, kind) {
        (Thing::Int(course), Kind::Nat) => Ok(Thing::Int(course.natural()?)),
        (thing, Kind::Any(ty)) if *ty == term.ty => Ok(thing),
        (thing @ Thing::Int(_), Kind::Int)
        | (thing @ Thing::Bool(_), Kind::Bool)
        | (thing @ Thing::Sum(_), Kind::Position) => Ok(thing),
        _ => Err(odd(term.span)),
    }
}
