//! Closed forms: what is said of the positions of a game, proved or about to be; those that together speak of a component; the
//! questions about positions that they answer.

use crate::logic::calls::DEEPEST;
use crate::logic::exponents::{Exponent, values_compared};
use crate::logic::scope::Scope;
use crate::logic::symbol::{Beside, No, Part, Shape, Sym, odd, shape};
use crate::logic::term::Env;
use crate::model::{Builtin, CompareOp, Ending, Field, Game, GameId, Kind, Program, Slot, Term};
use crate::syntax::tree::Outcome;
use grundy_automata::{Automaton, Formula, Linear, System, Track};
use grundy_heap::game::Game as Code;
use num_bigint::BigUint;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Says {
    Grundy,
    /// The player to move loses where the condition holds, else wins.
    Loses,
    /// The player to move wins where the condition holds, else loses.
    Wins,
}

/// A closed form of the positions of one game with these rule parameters and shapes of fields.
#[derive(Clone)]
pub(crate) struct Fact<'p> {
    pub(crate) game: GameId,
    pub(crate) params: Vec<Sym>,
    pub(crate) shapes: Vec<Shape>,
    /// Of a sum, the other components; their fields have the last shapes.
    pub(crate) beside: Vec<Beside>,
    pub(crate) misere: bool,
    pub(crate) says: Says,
    pub(crate) env: Env<'p>,
    /// The names of the term's frame that stand for fields: a pattern for each field, its numbers in order.
    pub(crate) names: Names,
    pub(crate) claimed: Claimed<'p>,
    pub(crate) only: Only<'p>,
    /// The same of numbers in other orders, which is proved to be the same, and that a position without a move is lost.
    pub(crate) turned: Vec<Rc<Fact<'p>>>,
    /// The statement, as it is called in reports.
    pub(crate) title: Rc<str>,
    /// Whether something was asked of it.
    pub(crate) used: Cell<bool>,
}

/// Of which positions a closed form speaks, if not of all.
#[derive(Clone, Default)]
pub(crate) struct Only<'p> {
    /// Where these hold.
    pub(crate) guards: Vec<&'p Term>,
    /// Where the position is this one, in which some fields are made of the names of others.
    pub(crate) position: Option<&'p Term>,
    /// Names that are made of its numbers, which are counted as variables from 0; they must be natural.
    pub(crate) made: Vec<(Slot, Linear)>,
    /// Names that are no numbers of it: they are any for which it is the position.
    pub(crate) any: Vec<Slot>,
    /// Some number of it is neither a name nor a constant: the least position need not be that of the least values of the names.
    pub(crate) counts_more: bool,
    /// Those of either kind that are exponents, of which bases: what is known of them are their powers.
    pub(crate) exponents: Exponents,
    /// Its numbers are taken in this order ([`Part::turned`]); empty: as they are.
    pub(crate) order: Vec<usize>,
    /// Where play is over in this way; the other fields are then empty.
    pub(crate) over: Option<Over>,
}

/// How play is over.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Over {
    /// There is no move, and no line of the game says who has won.
    NoMove,
    /// A line of the game says so of the player to move.
    Ended(Outcome),
}

/// Variables that are exponents, and of which bases.
pub(crate) type Exponents = BTreeMap<Slot, u8>;

impl Only<'_> {
    /// The value of a name that is made or any: this number, or the exponent of which it is the power.
    pub(crate) fn named(&self, slot: Slot, number: Linear) -> Sym {
        match self.exponents.get(&slot) {
            Some(base) => Sym::Exponent(Exponent::of(*base, number)),
            None => Sym::Int(number),
        }
    }

    pub(crate) fn is_all(&self) -> bool {
        self.guards.is_empty() && self.position.is_none() && self.over.is_none()
    }
}

#[derive(Clone)]
pub(crate) enum Claimed<'p> {
    Term(&'p Term),
    Always(bool),
    /// Where this other closed form speaks of the position, in any of its orders.
    Where(Rc<Fact<'p>>),
    /// What an automaton accepts.
    Word(Rc<Word>),
}

pub(crate) struct Word {
    /// It reads the numbers of `of` as variables `0, 1, ..`, and behind them the value, of which there is exactly one.
    pub(crate) automaton: Arc<Automaton>,
    pub(crate) system: System,
    pub(crate) of: Vec<Slot>,
    /// The heaps whose values it has, by a certified period.
    pub(crate) heaps: Option<Rc<Certified>>,
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
pub(crate) enum Names {
    /// The fields of the game itself, in its own frame.
    Fields,
    /// For each field the slots of its numbers in order, of those that are no terms.
    Slots(Vec<Vec<Option<Slot>>>),
}

pub(crate) fn same(a: &[Sym], b: &[Sym]) -> bool {
    let shown = |list: &[Sym]| list.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>();
    shown(a) == shown(b)
}

/// Whether these are components of the same games with the same rule parameters.
pub(crate) fn alike(a: &[Beside], b: &[Beside]) -> bool {
    let alike = |(a, b): (&Beside, &Beside)| a.game == b.game && a.fields == b.fields && same(&a.params, &b.params);
    a.len() == b.len() && a.iter().zip(b).all(alike)
}

/// The fields of a component and of those beside it.
pub(crate) fn fields<'p>(program: &'p Program, game: GameId, beside: &'p [Beside]) -> impl Iterator<Item = &'p Field> {
    std::iter::once(game).chain(beside.iter().map(|other| other.game)).flat_map(|game| &program.games[game.0].fields)
}

impl<'p> Fact<'p> {
    /// What is said of the positions of a game with these rule parameters, by the names of its own frame.
    pub(crate) fn of_game(
        program: &'p Program,
        id: GameId,
        params: Vec<Sym>,
        shapes: Vec<Shape>,
        (says, claimed): (Says, Claimed<'p>),
        title: Rc<str>,
    ) -> Fact<'p> {
        let game = &program.games[id.0];
        let env = Env { game: Some(id), ..Env::of(&game.frame, []) };
        let (misere, names, only, turned, used) =
            (game.misere, Names::Fields, Only::default(), Vec::new(), Cell::new(false));
        let beside = Vec::new();
        Fact { game: id, params, shapes, beside, misere, says, env, names, claimed, only, turned, title, used }
    }

    pub(crate) fn is_heap(&self) -> bool {
        matches!(&self.claimed, Claimed::Word(word) if word.heaps.is_some())
    }

    /// Whether it speaks of all positions that fit.
    pub(crate) fn speaks_of_all(&self, program: &Program) -> bool {
        let whole = |(field, shape): (&Field, &Shape)| !matches!(field.kind, Kind::Int) || *shape == Shape::Whole;
        self.only.is_all() && fields(program, self.game, &self.beside).zip(&self.shapes).all(whole)
    }

    /// The same, and besides that who cannot move has lost, or has won in misere play, and who has where a line of the game says so;
    /// `None`: that was said.
    pub(crate) fn with_ends(&self, program: &Program) -> Option<Fact<'p>> {
        if self.turned.iter().any(|other| other.only.over.is_some()) {
            return None;
        }
        let says = if self.says == Says::Grundy { Says::Grundy } else { Says::Loses };
        let over = |over: Over, lost: bool| {
            let only = Only { over: Some(over), ..Only::default() };
            Rc::new(Fact { says, claimed: Claimed::Always(lost), only, turned: Vec::new(), ..self.clone() })
        };
        let ends = &program.games[self.game.0].ends;
        let is = |outcome: &Outcome| ends.iter().any(|end| matches!(&end.verdict, Ending::Play(is) if is == outcome));
        let ended = [Outcome::First, Outcome::Second].into_iter().filter(|outcome| says == Says::Loses && is(outcome));
        let ended = ended.map(|outcome| over(Over::Ended(outcome), outcome == Outcome::Second));
        let more = [over(Over::NoMove, !self.misere)].into_iter().chain(ended);
        Some(Fact { turned: self.turned.iter().cloned().chain(more).collect(), ..self.clone() })
    }

    /// The same of numbers in this order and in others.
    pub(crate) fn orders(&self) -> impl Iterator<Item = &Fact<'p>> {
        std::iter::once(self).chain(self.turned.iter().map(|other| &**other).filter(|other| other.only.over.is_none()))
    }

    /// Those of the variables of its position that are truth values.
    pub(crate) fn truths(&self, tracks: &[Track]) -> Vec<Track> {
        let truths = self.shapes.iter().flat_map(Shape::truths);
        tracks.iter().zip(truths).filter(|(_, truth)| *truth).map(|(track, _)| *track).collect()
    }

    /// The sum of the numbers of a position, truth values left out.
    pub(crate) fn size(&self, numbers: &[BigUint]) -> BigUint {
        let truths = self.shapes.iter().flat_map(Shape::truths);
        numbers.iter().zip(truths).filter(|(_, truth)| !truth).map(|(number, _)| number).sum()
    }

    /// The values of the names, by the numbers of the fields in order, a whole number as two.
    pub(crate) fn named(&self, numbers: Vec<BigUint>) -> Option<Vec<(Slot, BigUint)>> {
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

    pub(crate) fn fits(&self, part: &Part) -> bool {
        part.game == self.game
            && same(&part.params, &self.params)
            && alike(&part.beside, &self.beside)
            && part.fields.len() == self.shapes.len()
            && part.fields.iter().zip(&self.shapes).all(|(field, wanted)| {
                let shape = shape(field);
                shape.as_ref() == Some(wanted) || (shape == Some(Shape::Number) && *wanted == Shape::Whole)
            })
    }

    /// The component with its numbers in the order in which they are spoken of.
    fn ordered(&self, part: &Part) -> Result<Part, No> {
        if self.only.order.is_empty() {
            return Ok(part.clone());
        }
        part.turned(&self.only.order).ok_or_else(|| No::bare("a field whose numbers have no order"))
    }

    /// The names of the term with the fields of a component in this order.
    pub(crate) fn env(&self, part: &Part) -> Result<Env<'p>, No> {
        let part = &self.ordered(part)?;
        let mut env = self.env.clone();
        match &self.names {
            Names::Fields => {
                env.slots.extend(self.params.iter().cloned().enumerate());
                let first = self.params.len();
                env.slots.extend(part.fields.iter().cloned().enumerate().map(|(i, field)| (first + i, field)));
            }
            Names::Slots(slots) => {
                for (slots, field) in slots.iter().zip(&part.fields) {
                    let leaves = field.leaves().filter(|leaves| leaves.len() == slots.len());
                    let leaves = leaves.ok_or_else(|| No::bare("a field that is no number"))?;
                    env.slots.extend(slots.iter().zip(leaves).filter_map(|(slot, leaf)| Some(((*slot)?, leaf))));
                }
            }
        }
        if !self.only.made.is_empty() {
            let numbers = part.fields.iter().map(Sym::numbers).collect::<Option<Vec<_>>>().map(|all| all.concat());
            let numbers = numbers.ok_or_else(|| No::bare("a field that is no number"))?;
            for (slot, made) in &self.only.made {
                let start = Linear::number(made.constant.clone());
                let of = |at: &Track| numbers.get(usize::try_from(*at).unwrap_or(usize::MAX));
                let value = made.terms.iter().try_fold(start, |sum, (at, factor)| Some(sum.plus(factor, of(at)?)));
                let value = value.ok_or_else(|| No::bare("a number that is not there"))?;
                env.slots.insert(*slot, self.only.named(*slot, value));
            }
        }
        Ok(env)
    }

    pub(crate) fn covers(&self, scope: &mut Scope<'p>, part: &Part) -> Result<Formula, No> {
        self.spoken_of(scope, part, false)
    }

    /// The same; that its own position is one, for all values of its names, is needed too with `needs`. Once is enough.
    pub(crate) fn spoken_of(&self, scope: &mut Scope<'p>, part: &Part, needs: bool) -> Result<Formula, No> {
        self.used.set(true);
        match self.only.over {
            Some(Over::NoMove) => return scope.local(|scope| scope.is_over(part)),
            Some(Over::Ended(outcome)) => {
                let so = |(when, ending): (Formula, &Ending<Term>)| {
                    matches!(ending, Ending::Play(other) if *other == outcome).then_some(when)
                };
                return scope.local(|scope| Ok(Formula::any(scope.endings(part)?.into_iter().filter_map(so))));
            }
            None => {}
        }
        let mut env = self.env(part)?;
        if self.only.any.is_empty() {
            return self.spoken_of_in(scope, part, &env, needs);
        }
        scope.local(|scope| {
            for slot in &self.only.any {
                let number = Linear::track(scope.defined());
                env.slots.insert(*slot, self.only.named(*slot, number));
            }
            self.spoken_of_in(scope, part, &env, needs)
        })
    }

    /// The same for values of all names.
    fn spoken_of_in(&self, scope: &mut Scope<'p>, part: &Part, env: &Env<'p>, needs: bool) -> Result<Formula, No> {
        // A closed form of naturals says nothing of other numbers, though the field may hold them.
        let mut inside = Vec::new();
        for (field, shape) in part.fields.iter().zip(&self.shapes) {
            let leaves = field.leaves().ok_or_else(|| No::bare("a field that is no number"))?;
            for (leaf, natural) in leaves.iter().zip(shape.naturals()) {
                if let (Sym::Int(number), true) = (leaf, natural) {
                    inside.push(Formula::natural(number));
                }
            }
        }
        for slot in self.only.made.iter().map(|(slot, _)| slot).chain(&self.only.any) {
            inside.extend(env.slots.get(slot).map(|value| scope.variable(value)).transpose()?);
        }
        let inside = Formula::all(inside);
        let guards: Result<Vec<Formula>, No> =
            scope.under(&inside, |scope| Ok(self.only.guards.iter().map(|guard| scope.truth(guard, env)).collect()))?;
        let covers = Formula::all([inside, Formula::all(guards?)]);
        let Some(position) = self.only.position else { return Ok(covers) };
        let part = self.ordered(part)?;
        let is_this = scope.under(&covers, |scope| is(scope, position, env, &part, needs))?;
        Ok(Formula::all([covers, is_this]))
    }

    /// The Grundy value, a number or an exponent.
    pub(crate) fn value(&self, scope: &mut Scope<'p>, part: &Part) -> Result<Sym, No> {
        self.used.set(true);
        match &self.claimed {
            Claimed::Term(term) => scope.whole(term, &self.env(part)?),
            Claimed::Always(_) if self.only.over.is_some() => Ok(Sym::number(0)),
            Claimed::Always(_) | Claimed::Where(_) => Err(No::bare("a value that is not said")),
            Claimed::Word(word) => {
                scope.notes.extend(word.heaps.iter().map(|heaps| heaps.text.clone()));
                let env = self.env(part)?;
                let number = |slot| match env.slots.get(slot) {
                    Some(Sym::Int(number)) => Ok(number.clone()),
                    _ => Err(No::bare("a field that is no number")),
                };
                let numbers: Vec<Linear> = word.of.iter().map(number).collect::<Result<_, No>>()?;
                Ok(Sym::Int(scope.image(&numbers, &word.automaton, word.system)))
            }
        }
    }

    /// Whether the player to move loses the component alone, in the convention of the fact.
    pub(crate) fn lost(&self, scope: &mut Scope<'p>, part: &Part) -> Result<Formula, No> {
        self.used.set(true);
        let said = match (&self.claimed, self.says) {
            (_, Says::Grundy) => return values_compared(CompareOp::Eq, &self.value(scope, part)?, &Sym::number(0)),
            (Claimed::Term(term), _) => scope.truth(term, &self.env(part)?)?,
            (Claimed::Always(value), _) => Formula::Constant(*value),
            (Claimed::Where(other), _) => {
                let spoken_of = other.orders().map(|other| other.spoken_of(scope, part, true));
                Formula::any(spoken_of.collect::<Result<Vec<_>, No>>()?)
            }
            (Claimed::Word(_), _) => return Err(No::bare("an automaton that says no value")),
        };
        Ok(if self.says == Says::Wins { said.not() } else { said })
    }
}

/// Whether a component is the position of a term, in which sets are taken as they are written. With `needs` it is needed that the
/// term has a value and is a position.
pub(crate) fn is<'p>(
    scope: &mut Scope<'p>,
    position: &'p Term,
    env: &Env<'p>,
    part: &Part,
    needs: bool,
) -> Result<Formula, No> {
    scope.local(|scope| {
        let before = std::mem::replace(&mut scope.as_written, true);
        let value = scope.position(position, env);
        scope.as_written = before;
        let Sym::Position { parts, .. } = value? else { return Err(odd(position.span)) };
        let own = &Part::sum(&parts).ok_or_else(|| odd(position.span))?;
        if needs {
            let inside = scope.in_domain(own)?;
            scope.need(inside);
        } else {
            scope.taken_needs();
        }
        let mut equal = Vec::new();
        for (own, given) in own.fields.iter().zip(&part.fields) {
            let (own, given) = (own.leaves(), given.leaves());
            let (own, given) = own.zip(given).filter(|(a, b)| a.len() == b.len()).ok_or_else(|| odd(position.span))?;
            for (own, given) in own.iter().zip(&given) {
                equal.push(scope.equal(own, given, position.span)?);
            }
        }
        Ok(Formula::all(equal))
    })
}

/// Closed forms in the order in which they are asked. All but the last may speak of some positions only.
pub(crate) struct ApplicableFacts<'p>(Vec<Rc<Fact<'p>>>);

impl<'p> ApplicableFacts<'p> {
    /// Those of the component that can tell a Grundy value, or who loses by this convention; `this` comes first, whatever else is
    /// proved. `None`: there are none.
    pub(crate) fn of(
        scope: &Scope<'p>,
        this: Option<&Rc<Fact<'p>>>,
        part: &Part,
        misere: bool,
        values: bool,
    ) -> Option<ApplicableFacts<'p>> {
        let tells = |fact: &&Rc<Fact<'p>>| {
            let says = if fact.says == Says::Grundy { !misere || this.is_some() } else { !values };
            says && fact.misere == misere && fact.fits(part)
        };
        let known = scope.facts.iter().filter(tells);
        let mut all: Vec<Rc<Fact<'p>>> = Vec::new();
        for fact in this.into_iter().filter(|this| this.fits(part)).chain(known) {
            all.push(fact.clone());
            all.extend(fact.turned.iter().cloned());
            if fact.speaks_of_all(scope.program) {
                break;
            }
        }
        (!all.is_empty()).then_some(ApplicableFacts(all))
    }

    pub(crate) fn covers(&self, scope: &mut Scope<'p>, part: &Part) -> Result<Formula, No> {
        let mut some = Vec::new();
        for fact in &self.0 {
            some.push(fact.covers(scope, part)?);
        }
        Ok(Formula::any(some))
    }

    pub(crate) fn value(&self, scope: &mut Scope<'p>, part: &Part) -> Result<Sym, No> {
        let choice = |scope: &mut Scope<'p>, here: &Formula, a: Sym, b: Sym| {
            scope
                .value_of_two(here, &a, &b)
                .ok_or_else(|| No::bare("values of which some are exponents and some are numbers"))
        };
        by_cases(&self.0, scope, part, &Fact::value, &choice)
    }

    /// Whether the player to move loses the component alone.
    pub(crate) fn lost(&self, scope: &mut Scope<'p>, part: &Part) -> Result<Formula, No> {
        let choice = |_: &mut Scope<'p>, here: &Formula, a: Formula, b: Formula| Ok(Formula::either(here, a, b));
        by_cases(&self.0, scope, part, &Fact::lost, &choice)
    }
}

type Choosing<'a, 'p, T> = &'a dyn Fn(&mut Scope<'p>, &Formula, T, T) -> Result<T, No>;
type Saying<'a, 'p, T> = &'a dyn Fn(&Fact<'p>, &mut Scope<'p>, &Part) -> Result<T, No>;

fn by_cases<'p, T>(
    facts: &[Rc<Fact<'p>>],
    scope: &mut Scope<'p>,
    part: &Part,
    says: Saying<'_, 'p, T>,
    choice: Choosing<'_, 'p, T>,
) -> Result<T, No> {
    let [first, others @ ..] = facts else { return Err(No::bare("no closed form is proved of this position")) };
    if others.is_empty() {
        return says(first, scope, part);
    }
    let covers = scope.local(|scope| first.covers(scope, part))?;
    let here = scope.under(&covers, |scope| says(first, scope, part))?;
    let elsewhere = scope.under(&covers.clone().not(), |scope| by_cases(others, scope, part, says, choice))?;
    choice(scope, &covers, here, elsewhere)
}

impl<'p> Scope<'p> {
    /// `grundy`, `loses`, `wins`, `draws` of a position whose components have known closed forms. These may ask again.
    pub(crate) fn question(&mut self, word: Builtin, parts: &[Part], misere: bool, term: &Term) -> Result<Sym, No> {
        /// So many calls of definitions a question counts for.
        const CALLS: usize = 3;
        if self.depth >= DEEPEST {
            return Err(No::at(term.span, "closed forms that ask for each other again and again"));
        }
        self.depth += CALLS;
        let said = self.said(word, parts, misere, term);
        self.depth -= CALLS;
        said
    }

    fn said(&mut self, word: Builtin, parts: &[Part], misere: bool, term: &Term) -> Result<Sym, No> {
        let names: Vec<&str> = parts.iter().map(|part| self.program.games[part.game.0].name.as_str()).collect();
        let missing = || {
            let why = "no closed form is proved of this position; a statement about all positions of";
            No::at(
                term.span,
                format!("{why} `{}`, if it is proved, may decide it", names.first().unwrap_or(&"the game")),
            )
        };
        // In misere play, or where no values are known, a sum is one position.
        let whole = Part::sum(parts).filter(|sum| {
            let of = |part: &Part, values| ApplicableFacts::of(self, None, part, misere, values).is_some();
            let by_values = !misere && parts.iter().all(|part| of(part, true));
            word != Builtin::Grundy && parts.len() > 1 && !by_values && of(sum, false)
        });
        let parts = whole.as_ref().map_or(parts, std::slice::from_ref);
        let lost = if let ([part], false) = (parts, word == Builtin::Grundy) {
            let misere = misere || part.beside.is_empty() && self.program.games[part.game.0].misere;
            let facts = ApplicableFacts::of(self, None, part, misere, false);
            let facts = facts.ok_or_else(|| part.wanted(false, misere, missing()))?;
            self.covered(&facts, part, term, 0)?;
            facts.lost(self, part)?
        } else {
            if misere {
                return Err(missing());
            }
            let mut values = Vec::new();
            for (at, part) in parts.iter().enumerate() {
                let facts = ApplicableFacts::of(self, None, part, false, true);
                let facts = facts.ok_or_else(|| part.wanted(true, false, missing()))?;
                self.covered(&facts, part, term, if parts.len() > 1 { at + 1 } else { 0 })?;
                values.push(facts.value(self, part)?);
            }
            if word == Builtin::Grundy {
                return self.sum_of_values(&values);
            }
            self.sum_is_lost(&values)?
        };
        match word {
            Builtin::Loses => Ok(Sym::Bool(lost)),
            Builtin::Wins => Ok(Sym::Bool(lost.not())),
            // Of what a closed form speaks the player to move wins or loses.
            Builtin::Draws => Ok(Sym::Bool(Formula::Constant(false))),
            _ => Err(missing()),
        }
    }

    /// The Grundy value of a sum of positions with these values.
    pub(crate) fn sum_of_values(&mut self, values: &[Sym]) -> Result<Sym, No> {
        let [first, rest @ ..] = values else { return Ok(Sym::number(0)) };
        rest.iter().try_fold(first.clone(), |sum, one| match (&sum, one) {
            (Sym::Int(a), Sym::Int(b)) => Ok(Sym::Int(self.bitwise(a, b, true))),
            _ => Err(No::bare("the sum of a position whose value is an exponent: its digits are not in the logic")),
        })
    }

    /// Whether the player to move loses a sum of positions with these values: two are the same.
    pub(crate) fn sum_is_lost(&mut self, values: &[Sym]) -> Result<Formula, No> {
        if let [a, b] = values {
            return values_compared(CompareOp::Eq, a, b);
        }
        values_compared(CompareOp::Eq, &self.sum_of_values(values)?, &Sym::number(0))
    }

    /// Says that a component must be a position of its game, one of those that closed forms speak of.
    fn covered(&mut self, facts: &ApplicableFacts<'p>, part: &Part, term: &Term, at: usize) -> Result<(), No> {
        let covered = self.local(|scope| {
            let inside = scope.in_domain(part)?;
            let covered = scope.under(&inside, |scope| facts.covers(scope, part))?;
            Ok(Formula::all([inside, covered]))
        })?;
        self.need_spoken_of(term.span, at, covered);
        Ok(())
    }
}

/// The lengths of the lists, sets and bags among the fields of a closed form, in order.
pub(crate) fn lengths(fact: &Fact<'_>) -> Vec<usize> {
    fact.shapes.iter().filter_map(Shape::length).collect()
}

/// The rule parameters and lengths of one closed form, as a case of a proof is called.
pub(crate) fn which(game: &Game, fact: &Fact<'_>) -> String {
    let numbers = fact.params.iter().map(|value| value.known().map_or_else(String::new, |n| n.inner_text()));
    let mut parts: Vec<String> =
        game.params.iter().zip(numbers).map(|(param, value)| format!("{} = {value}", param.name)).collect();
    if let Some(length) = lengths(fact).iter().max() {
        parts.push(format!("length {length}"));
    }
    parts.join(", ")
}

/// A game with its rule parameters, as far as they are known: `Bash[3]`.
pub(crate) fn instance_text(program: &Program, game: GameId, params: &[Sym]) -> String {
    let params: Vec<String> = params.iter().filter_map(|param| Some(param.known()?.inner_text())).collect();
    let params = if params.is_empty() { String::new() } else { format!("[{}]", params.join(", ")) };
    format!("{}{params}", program.games[game.0].name)
}
