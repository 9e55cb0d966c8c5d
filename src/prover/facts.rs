//! Closed forms: what is said of the positions of a game, proved or about to be.

use crate::model::kind::Kind;
use crate::model::{Field, GameId, Program, Slot, Term};
use crate::prover::scope::Scope;
use crate::prover::shapes::{Shape, shape};
use crate::prover::symbol::{No, Part, Sym, odd};
use crate::prover::term::Env;
use grundy_automata::{Automaton, Formula, Linear, System};
use grundy_heap::game::Game as Code;
use num_bigint::BigUint;
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

/// What a closed form says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Says {
    /// The Grundy value is the term.
    Grundy,
    /// The player to move loses where the condition holds, else wins.
    Loses,
    /// The player to move wins where the condition holds, else loses.
    Wins,
}

/// A closed form of the positions of one game with these rule parameters and shapes of fields.
#[derive(Clone)]
pub(super) struct Fact<'p> {
    pub(super) game: GameId,
    pub(super) params: Vec<Sym>,
    pub(super) shapes: Vec<Shape>,
    pub(super) misere: bool,
    pub(super) says: Says,
    /// The frame of the term.
    pub(super) env: Env<'p>,
    /// The names of the term's frame that stand for fields: a pattern for each field, its numbers in order.
    pub(super) names: Names,
    pub(super) claimed: Claimed<'p>,
    /// Only for these positions.
    pub(super) guards: Vec<&'p Term>,
    /// Only for positions that are this one, where some fields are made of the names of others.
    pub(super) position: Option<&'p Term>,
    /// The statement, as it is called in reports.
    pub(super) title: Rc<str>,
    /// Whether something was asked of it.
    pub(super) used: Cell<bool>,
}

/// What is said.
#[derive(Clone)]
pub(super) enum Claimed<'p> {
    /// This term.
    Term(&'p Term),
    /// The same of all positions.
    Always(bool),
    /// What an automaton accepts.
    Word(Rc<Word>),
}

/// An automaton that says what the value is.
pub(super) struct Word {
    /// It reads the numbers of `of` as variables `0, 1, ..`, and behind them the value, of which there is exactly one.
    pub(super) automaton: Arc<Automaton>,
    /// How it reads them.
    pub(super) system: System,
    /// The slots of the numbers.
    pub(super) of: Vec<Slot>,
    /// The heaps whose values it has, by a certified period.
    pub(super) heaps: Option<Rc<Certified>>,
}

/// Heaps with a certified period.
#[derive(Clone, Debug)]
pub struct Certified {
    /// The game and its rule parameters.
    pub of: String,
    /// The code that its rules are.
    pub code: Arc<Code>,
    /// The automaton that accepts each heap with its value.
    pub automaton: Arc<Automaton>,
    /// The period and why it is proved, in words.
    pub text: Rc<str>,
}

/// Which slots hold the fields of the position.
#[derive(Clone)]
pub(super) enum Names {
    /// The fields of the game itself, in its own frame.
    Fields,
    /// For each field the slots of its numbers in order, of those that are no terms.
    Slots(Vec<Vec<Option<Slot>>>),
}

/// Whether two rule parameters are the same.
pub(super) fn same(a: &[Sym], b: &[Sym]) -> bool {
    let shown = |list: &[Sym]| list.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>();
    shown(a) == shown(b)
}

impl<'p> Fact<'p> {
    /// Whether it is the values of a game of heaps, by their period.
    pub(super) fn is_heap(&self) -> bool {
        matches!(&self.claimed, Claimed::Word(word) if word.heaps.is_some())
    }

    /// Whether it speaks of all positions that fit.
    pub(super) fn speaks_of_all(&self, program: &Program) -> bool {
        let fields = &program.games[self.game.0].fields;
        let whole = |(field, shape): (&Field, &Shape)| !matches!(field.kind, Kind::Int) || *shape == Shape::Whole;
        self.guards.is_empty() && self.position.is_none() && fields.iter().zip(&self.shapes).all(whole)
    }

    /// The values of the names, by the numbers of the fields in order, a whole number as two.
    pub(super) fn named(&self, numbers: Vec<BigUint>) -> Option<Vec<(Slot, BigUint)>> {
        let Names::Slots(slots) = &self.names else { return None };
        let mut numbers = numbers.into_iter();
        let mut named = Vec::new();
        for (slot, natural) in slots.iter().zip(&self.shapes).flat_map(|(s, shape)| s.iter().zip(shape.naturals())) {
            let number = numbers.next()?;
            if natural {
                named.extend(slot.map(|slot| (slot, number)));
            } else {
                numbers.next()?;
            }
        }
        Some(named)
    }

    /// Whether it speaks of this component.
    pub(super) fn fits(&self, part: &Part) -> bool {
        part.game == self.game
            && same(&part.params, &self.params)
            && part.fields.len() == self.shapes.len()
            && part.fields.iter().zip(&self.shapes).all(|(field, wanted)| {
                let shape = shape(field);
                shape.as_ref() == Some(wanted) || (shape == Some(Shape::Number) && *wanted == Shape::Whole)
            })
    }

    /// The names of the term with a component's fields.
    fn env(&self, part: &Part) -> Result<Env<'p>, No> {
        let mut env = self.env.clone();
        match &self.names {
            Names::Fields => {
                env.slots.extend(self.params.iter().cloned().enumerate());
                let first = self.params.len();
                env.slots.extend(part.fields.iter().cloned().enumerate().map(|(i, field)| (first + i, field)));
            }
            Names::Slots(slots) => {
                for (slots, field) in slots.iter().zip(&part.fields) {
                    let numbers = field.numbers().filter(|numbers| numbers.len() == slots.len());
                    let numbers = numbers.ok_or_else(|| No::bare("a field that is no number"))?;
                    let named = slots.iter().zip(numbers).filter_map(|(slot, number)| Some(((*slot)?, number)));
                    env.slots.extend(named.map(|(slot, number)| (slot, Sym::Int(number))));
                }
            }
        }
        Ok(env)
    }

    /// Whether the component is one of those it speaks of.
    pub(super) fn covers(&self, scope: &mut Scope<'p>, part: &Part) -> Result<Formula, No> {
        self.spoken_of(scope, part, false)
    }

    /// The same; that its own position is one, for all values of its names, is needed too with `needs`. Once is enough.
    pub(super) fn spoken_of(&self, scope: &mut Scope<'p>, part: &Part, needs: bool) -> Result<Formula, No> {
        self.used.set(true);
        let env = self.env(part)?;
        // A closed form of naturals says nothing of other numbers, though the field may hold them.
        let mut inside = Vec::new();
        for (field, shape) in part.fields.iter().zip(&self.shapes) {
            let numbers = field.numbers().ok_or_else(|| No::bare("a field that is no number"))?;
            let natural = numbers.iter().zip(shape.naturals()).filter(|(_, natural)| *natural);
            inside.extend(natural.map(|(number, _)| Formula::at_most(&Linear::default(), number)));
        }
        let inside = Formula::all(inside);
        let guards: Result<Vec<Formula>, No> =
            scope.under(&inside, |scope| Ok(self.guards.iter().map(|guard| scope.truth(guard, &env)).collect()))?;
        let covers = Formula::all([inside, Formula::all(guards?)]);
        let Some(position) = self.position else { return Ok(covers) };
        let is_this = scope.under(&covers, |scope| is(scope, position, &env, part, needs))?;
        Ok(Formula::all([covers, is_this]))
    }

    /// The Grundy value.
    pub(super) fn value(&self, scope: &mut Scope<'p>, part: &Part) -> Result<Linear, No> {
        self.used.set(true);
        match &self.claimed {
            Claimed::Term(term) => scope.int(term, &self.env(part)?),
            Claimed::Always(_) => Err(No::bare("a value that is not said")),
            Claimed::Word(word) => {
                scope.notes.extend(word.heaps.iter().map(|heaps| heaps.text.clone()));
                let numbers = self.read_by(word, part)?;
                Ok(scope.image(&numbers, word))
            }
        }
    }

    /// Whether the player to move loses the component alone, in the convention of the fact.
    pub(super) fn lost(&self, scope: &mut Scope<'p>, part: &Part) -> Result<Formula, No> {
        self.used.set(true);
        let said = match (&self.claimed, self.says) {
            (_, Says::Grundy) => return Ok(Formula::equal(&self.value(scope, part)?, &Linear::default())),
            (Claimed::Term(term), _) => scope.truth(term, &self.env(part)?)?,
            (Claimed::Always(value), _) => Formula::Constant(*value),
            (Claimed::Word(_), _) => return Err(No::bare("an automaton that says no value")),
        };
        Ok(if self.says == Says::Wins { said.not() } else { said })
    }

    /// The numbers of a component that an automaton reads.
    fn read_by(&self, word: &Word, part: &Part) -> Result<Vec<Linear>, No> {
        let env = self.env(part)?;
        let number = |slot| match env.slots.get(slot) {
            Some(Sym::Int(number)) => Ok(number.clone()),
            _ => Err(No::bare("a field that is no number")),
        };
        word.of.iter().map(number).collect()
    }
}

/// Whether a component is the position of a term, in which sets are taken as they are written. With `needs` it is needed that the
/// term has a value and is a position.
fn is<'p>(scope: &mut Scope<'p>, position: &'p Term, env: &Env<'p>, part: &Part, needs: bool) -> Result<Formula, No> {
    scope.local(|scope| {
        let before = std::mem::replace(&mut scope.as_written, true);
        let value = scope.eval(position, env);
        scope.as_written = before;
        let Sym::Position { parts, .. } = value? else { return Err(odd(position.span)) };
        let [own] = &parts[..] else { return Err(odd(position.span)) };
        if needs {
            let inside = scope.in_domain(own)?;
            scope.need(inside);
        } else {
            scope.taken_needs();
        }
        let numbers = |part: &Part| Sym::Tuple(part.fields.clone()).numbers().ok_or_else(|| odd(position.span));
        let (own, given) = (numbers(own)?, numbers(part)?);
        if own.len() != given.len() {
            return Err(odd(position.span));
        }
        Ok(Formula::all(own.iter().zip(&given).map(|(own, given)| Formula::equal(own, given))))
    })
}
