//! Built-in words over courses, and lists that are written out.

use crate::model::builtin::Builtin;
use crate::model::kind::Type;
use crate::model::{Clause, Gather, Pattern, Term, TermKind};
use crate::prover::periods::course::EventuallyPeriodic;
use crate::prover::periods::heaps::Heap;
use crate::prover::periods::terms::{Names, Reader, Thing, constant, defined};
use crate::prover::symbol::{No, odd};
use crate::value::{Value, iterate};
use grundy_heap::code::Code;
use grundy_heap::game::{Game, MAX_AMOUNT};
use std::rc::Rc;
use std::sync::Arc;

/// Lists are written out up to so many items.
const MOST_ITEMS: usize = 1000;

/// Items, each with where it is there.
type Gathered = Vec<(EventuallyPeriodic, Thing)>;

impl<'p> Reader<'_, 'p> {
    /// A built-in word.
    pub(super) fn word(
        &mut self,
        word: Builtin,
        args: &'p [Term],
        names: &Names<'p>,
        term: &Term,
    ) -> Result<Thing, No> {
        match (word, args) {
            (Builtin::Grundy | Builtin::Loses | Builtin::Wins | Builtin::Outcome, [position]) => {
                let Thing::Sum(parts) = self.eval(position, names)? else {
                    return Err(No::at(position.span, "a position that is no sum of heaps in normal play"));
                };
                let value = self.grundy(&parts)?;
                let zero = EventuallyPeriodic::constant(0);
                Ok(match word {
                    Builtin::Grundy => Thing::Int(value),
                    Builtin::Loses => Thing::Bool(value.compared(&zero, |sign| sign == 0)?),
                    Builtin::Wins => Thing::Bool(value.compared(&zero, |sign| sign != 0)?),
                    _ => Thing::Outcome(value.compared(&zero, |sign| sign != 0)?),
                })
            }
            (Builtin::Octal | Builtin::Subtraction, [code, size]) => {
                let Thing::Value(code) = self.eval(code, names)? else { return Err(odd(code.span)) };
                let game = if word == Builtin::Octal { octal(&code) } else { subtraction(&code) };
                let game = Arc::new(game.ok_or_else(|| odd(term.span))?);
                let size = self.int(size, names)?;
                let heap = self.heaps.of_code(self.ctx, &game, self.limit)?;
                Ok(Thing::Int(self.grundy(&[(heap, size)])?))
            }
            (Builtin::Min | Builtin::Max, _) if args.len() > 1 => {
                let mut best = self.int(&args[0], names)?;
                for arg in &args[1..] {
                    let other = self.int(arg, names)?;
                    best = extreme(&best, &other, word == Builtin::Max)?;
                }
                Ok(Thing::Int(best))
            }
            (Builtin::Abs, [number]) => {
                let number = self.int(number, names)?;
                let negated = EventuallyPeriodic::constant(0).plus(-1, &number)?;
                Ok(Thing::Int(extreme(&number, &negated, true)?))
            }
            (Builtin::Bit, [number, place]) => {
                let (number, place) = (self.int(number, names)?.natural()?, self.int(place, names)?);
                let place = place.same().and_then(|place| u32::try_from(place).ok()).filter(|place| *place < 62);
                let [shifted, _] = number.divided(1 << place.ok_or_else(|| odd(term.span))?)?;
                let [_, digit] = shifted.divided(2)?;
                Ok(Thing::Bool(digit))
            }
            (Builtin::Sum, [one]) if term.ty == Type::Position => self.positions(one, names),
            (_, [one]) => self.folded(word, one, names, term),
            _ => Err(odd(term.span)),
        }
    }

    /// The sum of a list of positions.
    fn positions(&mut self, list: &'p Term, names: &Names<'p>) -> Result<Thing, No> {
        let mut all: Vec<(Rc<Heap>, EventuallyPeriodic)> = Vec::new();
        for (there, item) in self.items(list, names)? {
            match (there.same(), item) {
                (Some(1), Thing::Sum(parts)) => all.extend(parts),
                (Some(0), _) => {}
                _ => return Err(odd(list.span)),
            }
        }
        Ok(Thing::Sum(all))
    }

    /// A word about the items of one list, all of which must have a value where they are there.
    fn folded(&mut self, word: Builtin, list: &'p Term, names: &Names<'p>, term: &Term) -> Result<Thing, No> {
        let items = self.items(list, names)?;
        let (zero, one) = (EventuallyPeriodic::constant(0), EventuallyPeriodic::constant(1));
        match word {
            Builtin::All | Builtin::Any => {
                // Truth values are multiplied, so that what has no value is not passed over.
                let mut product = one;
                for (there, item) in items {
                    let Thing::Bool(item) = item else { return Err(odd(term.span)) };
                    let item = if word == Builtin::All { item } else { item.not() };
                    product = product.times(&there.choose(&item, &EventuallyPeriodic::constant(1))?)?;
                }
                Ok(Thing::Bool(if word == Builtin::All { product } else { product.not() }))
            }
            Builtin::Count | Builtin::Sum | Builtin::Xor => {
                let mut total = zero.clone();
                for (there, item) in items {
                    let ((Builtin::Count, Thing::Bool(item)) | (Builtin::Sum | Builtin::Xor, Thing::Int(item))) =
                        (word, item)
                    else {
                        return Err(odd(term.span));
                    };
                    let item = there.choose(&item, &zero)?;
                    total = if word == Builtin::Xor { total.xor(&item)? } else { total.plus(1, &item)? };
                }
                Ok(Thing::Int(total))
            }
            Builtin::Min | Builtin::Max => {
                let mut best: Option<EventuallyPeriodic> = None;
                for (there, item) in items {
                    let (Some(1), Thing::Int(item)) = (there.same(), item) else { return Err(odd(term.span)) };
                    best = Some(match best {
                        None => item,
                        Some(best) => extreme(&best, &item, word == Builtin::Max)?,
                    });
                }
                best.map(Thing::Int).ok_or_else(|| odd(term.span))
            }
            _ => Err(No::at(term.span, "this word is not worked out for all heaps at once")),
        }
    }

    /// The items of a list that is written out.
    fn items(&mut self, list: &'p Term, names: &Names<'p>) -> Result<Gathered, No> {
        if let TermKind::Comprehension(Gather::List, value, clauses) = &list.kind {
            let mut all = Vec::new();
            self.gather(value, clauses, names, &EventuallyPeriodic::constant(1), &mut all)?;
            return Ok(all);
        }
        let domain = self.eval(list, names)?;
        let items = members(&domain, list)?;
        Ok(items.into_iter().map(|item| (EventuallyPeriodic::constant(1), item)).collect())
    }

    fn gather(
        &mut self,
        value: &'p Term,
        clauses: &'p [Clause],
        names: &Names<'p>,
        there: &EventuallyPeriodic,
        all: &mut Gathered,
    ) -> Result<(), No> {
        let Some((first, rest)) = clauses.split_first() else {
            if all.len() >= MOST_ITEMS {
                return Err(No::at(value.span, format!("a list of more than {MOST_ITEMS} items")));
            }
            let item = self.eval(value, names)?;
            all.push((there.clone(), item));
            return Ok(());
        };
        match first {
            Clause::Where(condition) => {
                let there = there.choose(&self.truth(condition, names)?, &EventuallyPeriodic::constant(0))?;
                if there.same() == Some(0) { Ok(()) } else { self.gather(value, rest, names, &there, all) }
            }
            Clause::Let { pattern, value: bound } => {
                let bound = self.eval(bound, names)?;
                let there = there.choose(&defined(&bound)?, &EventuallyPeriodic::constant(0))?;
                self.gather(value, rest, &with(names, pattern, bound).ok_or_else(|| odd(value.span))?, &there, all)
            }
            Clause::In { pattern, source, span } => {
                let domain = self.eval(source, names)?;
                let there = there.choose(&defined(&domain)?, &EventuallyPeriodic::constant(0))?;
                for member in members(&domain, source)? {
                    let names = with(names, pattern, member).ok_or_else(|| odd(*span))?;
                    self.gather(value, rest, &names, &there, all)?;
                }
                Ok(())
            }
        }
    }
}

/// The names with one more.
fn with<'p>(names: &Names<'p>, pattern: &Pattern, thing: Thing) -> Option<Names<'p>> {
    let mut names = names.clone();
    match pattern {
        Pattern::Ignore => {}
        Pattern::Slot(slot) => {
            names.slots.insert(*slot, thing);
        }
        Pattern::Tuple(..) => return None,
    }
    Some(names)
}

/// The greater or the lesser of two numbers.
fn extreme(a: &EventuallyPeriodic, b: &EventuallyPeriodic, greater: bool) -> Result<EventuallyPeriodic, No> {
    let first = a.compared(b, |sign| if greater { sign >= 0 } else { sign <= 0 })?;
    first.choose(a, b)
}

fn octal(code: &Value) -> Option<Game> {
    let Value::Text(code) = code else { return None };
    let code: String = code.characters().collect();
    Code::parse(&code).ok().map(Game::Code)
}

fn subtraction(amounts: &Value) -> Option<Game> {
    let mut taken = Vec::new();
    for amount in iterate(amounts).ok()? {
        let Value::Int(amount) = amount else { return None };
        taken.push(usize::try_from(amount).ok().filter(|amount| (1..=MAX_AMOUNT).contains(amount))?);
    }
    taken.sort_unstable();
    taken.dedup();
    Some(Game::Subtraction(taken))
}

/// The members of a collection that does not vary in size.
fn members(domain: &Thing, term: &Term) -> Result<Vec<Thing>, No> {
    let collection = match domain {
        Thing::Items(items) => return Ok(items.clone()),
        Thing::Range(from, to) => match (from.same(), to.same()) {
            (Some(from), Some(to)) => Value::Range(from, to),
            _ => return Err(No::at(term.span, "a list whose length varies")),
        },
        Thing::Value(value @ (Value::List(_) | Value::Set(_) | Value::Bag(_) | Value::Range(..))) => value.clone(),
        _ => return Err(odd(term.span)),
    };
    let members = iterate(&collection).map_err(|fault| No::at(term.span, fault.message))?;
    if members.size_hint().0 > MOST_ITEMS {
        return Err(No::at(term.span, format!("a list of more than {MOST_ITEMS} items")));
    }
    members.map(constant).collect()
}
