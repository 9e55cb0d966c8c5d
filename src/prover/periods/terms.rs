//! Terms of the language as courses: what they are worth for every value of one variable.

use crate::claims::within;
use crate::model::kind::Type;
use crate::model::{BinaryOp, Frame, GameId, Gather, LogicOp, Program, Slot, Term, TermKind};
use crate::prover::periods::calls::coerced;
use crate::prover::periods::course::{EventuallyPeriodic, NONE};
use crate::prover::periods::heaps::{Heap, Heaps, left};
use crate::prover::symbol::{No, odd};
use crate::value::{Value, iterate};
use crate::vm::context::Context;
use grundy_automata::Limit;
use num_traits::ToPrimitive;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::time::Instant;

/// So many operations on courses at most.
const MOST_STEPS: usize = 100_000;

/// What a term is for all values of the variable.
#[derive(Clone)]
pub(super) enum Thing {
    Int(EventuallyPeriodic),
    Bool(EventuallyPeriodic),
    /// Both ends in it.
    Range(EventuallyPeriodic, EventuallyPeriodic),
    /// A list that is written out.
    Items(Vec<Thing>),
    /// A set that is written out, some of whose members may be equal.
    Set(Vec<Thing>),
    /// A sum of heaps, in normal play, with their sizes.
    Sum(Vec<(Rc<Heap>, EventuallyPeriodic)>),
    /// Whether the player to move wins.
    Outcome(EventuallyPeriodic),
    /// Anything else that does not depend on the variable.
    Value(Value),
}

/// What names mean.
#[derive(Clone)]
pub(super) struct Names<'p> {
    pub(super) frame: &'p Frame,
    pub(super) slots: HashMap<Slot, Thing>,
    /// The game whose body it is, with its rule parameters.
    pub(super) game: Option<(GameId, Vec<Value>)>,
}

/// Works terms out.
pub(super) struct Reader<'a, 'p> {
    pub(super) ctx: &'a mut Context,
    pub(super) program: &'p Program,
    pub(super) heaps: &'a mut Heaps,
    pub(super) limit: &'a Limit,
    /// The certified periods that were used.
    pub(super) used: BTreeSet<String>,
    pub(super) depth: usize,
    pub(super) steps: usize,
}

/// A value that does not depend on the variable.
pub(super) fn constant(value: Value) -> Result<Thing, No> {
    match value {
        Value::Int(NONE) | Value::Big(_) => Err(No::bare("numbers beyond 64 bits")),
        Value::Int(number) => Ok(Thing::Int(EventuallyPeriodic::constant(number))),
        Value::Bool(truth) => Ok(Thing::Bool(EventuallyPeriodic::constant(i64::from(truth)))),
        other => Ok(Thing::Value(other)),
    }
}

/// The value of what does not depend on the variable.
pub(super) fn known(thing: &Thing) -> Option<Value> {
    match thing {
        Thing::Int(course) => course.same().map(Value::Int),
        Thing::Bool(course) => course.same().map(|truth| Value::Bool(truth != 0)),
        Thing::Value(value) => Some(value.clone()),
        _ => None,
    }
}

/// 1 where something has a value, and no value elsewhere. What is evaluated must have one even if it is not used.
pub(super) fn defined(thing: &Thing) -> Result<EventuallyPeriodic, No> {
    let all = EventuallyPeriodic::constant(1);
    match thing {
        Thing::Int(course) | Thing::Bool(course) | Thing::Outcome(course) => course.defined(),
        Thing::Range(from, to) => from.defined()?.times(&to.defined()?),
        Thing::Items(items) | Thing::Set(items) => items.iter().try_fold(all, |all, item| all.times(&defined(item)?)),
        Thing::Sum(parts) => parts.iter().try_fold(all, |all, (_, size)| all.times(&size.defined()?)),
        Thing::Value(_) => Ok(all),
    }
}

/// A value that is one only where `asked` has one.
pub(super) fn strict(thing: Thing, asked: &EventuallyPeriodic, term: &Term) -> Result<Thing, No> {
    if asked.same() == Some(1) {
        return Ok(thing);
    }
    let only = |course: &EventuallyPeriodic| asked.choose(course, &EventuallyPeriodic::constant(0));
    match thing {
        Thing::Int(course) => Ok(Thing::Int(only(&course)?)),
        Thing::Bool(course) => Ok(Thing::Bool(only(&course)?)),
        Thing::Outcome(course) => Ok(Thing::Outcome(only(&course)?)),
        _ => Err(odd(term.span)),
    }
}

impl<'p> Reader<'_, 'p> {
    /// A condition.
    pub(super) fn truth(&mut self, term: &'p Term, names: &Names<'p>) -> Result<EventuallyPeriodic, No> {
        match self.eval(term, names)? {
            Thing::Bool(course) => Ok(course),
            _ => Err(odd(term.span)),
        }
    }

    /// A whole number.
    pub(super) fn int(&mut self, term: &'p Term, names: &Names<'p>) -> Result<EventuallyPeriodic, No> {
        match self.eval(term, names)? {
            Thing::Int(course) => Ok(course),
            _ => Err(odd(term.span)),
        }
    }

    /// A term.
    pub(super) fn eval(&mut self, term: &'p Term, names: &Names<'p>) -> Result<Thing, No> {
        self.steps += 1;
        if self.steps > MOST_STEPS || self.limit.deadline.is_some_and(|at| Instant::now() >= at) {
            return Err(No { limit: true, ..No::at(term.span, "the time is over, or there are too many terms") });
        }
        let placed = |no: No| No { span: no.span.or(Some(term.span)), ..no };
        match &term.kind {
            TermKind::Slot(slot) => self.slot(*slot, term, names),
            TermKind::Int(number) => match number.to_i64() {
                Some(number) => constant(Value::Int(number)).map_err(placed),
                None => Err(No::at(term.span, "a number beyond 64 bits")),
            },
            TermKind::Bool(truth) => constant(Value::Bool(*truth)),
            _ => match self.fixed(term, names)? {
                Some(value) => constant(value).map_err(placed),
                None => self.varying(term, names).map_err(placed),
            },
        }
    }

    fn slot(&mut self, slot: Slot, term: &Term, names: &Names<'p>) -> Result<Thing, No> {
        if let Some(thing) = names.slots.get(&slot) {
            return Ok(thing.clone());
        }
        let frame: &'p Frame = names.frame;
        match frame.slots.get(slot).and_then(|info| info.lazy.as_deref()) {
            Some(lazy) => self.eval(lazy, names),
            None => Err(odd(term.span)),
        }
    }

    /// The value of a term that reads nothing but known slots, by the rules of the language themselves.
    fn fixed(&mut self, term: &'p Term, names: &Names<'p>) -> Result<Option<Value>, No> {
        let Some(slots) = crate::prover::periods::fixed::read(self.program, term) else { return Ok(None) };
        let mut given = Vec::new();
        for slot in slots {
            match names.slots.get(&slot).and_then(known) {
                Some(value) => given.push((slot, value)),
                None => return Ok(None),
            }
        }
        let frame: &'p Frame = names.frame;
        let value =
            within(self.ctx, left(self.limit), |ctx| ctx.with_recovery(|ctx| ctx.eval_once(frame, None, &given, term)));
        value.map(Some).map_err(|error| No::at(term.span, format!("it has no value: {}", error.message)))
    }

    fn varying(&mut self, term: &'p Term, names: &Names<'p>) -> Result<Thing, No> {
        match &term.kind {
            TermKind::Neg(inner) => Ok(Thing::Int(EventuallyPeriodic::constant(0).plus(-1, &self.int(inner, names)?)?)),
            TermKind::Not(inner) => Ok(Thing::Bool(self.truth(inner, names)?.not())),
            TermKind::Logic(op, a, b) => {
                let a = self.truth(a, names)?;
                // What `a` is where `b` does not count, and the result there.
                let (skip, result) = match op {
                    LogicOp::And => (0, 0),
                    LogicOp::Or => (1, 1),
                    LogicOp::Implies => (0, 1),
                };
                if a.same() == Some(skip) {
                    return Ok(Thing::Bool(EventuallyPeriodic::constant(result)));
                }
                let (b, result) = (self.truth(b, names)?, EventuallyPeriodic::constant(result));
                Ok(Thing::Bool(if skip == 0 { a.choose(&b, &result)? } else { a.choose(&result, &b)? }))
            }
            TermKind::Iff(a, b) => {
                let (a, b) = (self.truth(a, names)?, self.truth(b, names)?);
                Ok(Thing::Bool(a.compared(&b, |sign| sign == 0)?))
            }
            TermKind::Compare(first, chain) => self.chain(first, chain, names).map(Thing::Bool),
            TermKind::If(condition, a, b) => {
                let condition = self.truth(condition, names)?;
                if let Some(truth) = condition.same() {
                    return self.eval(if truth == 0 { b } else { a }, names);
                }
                match (self.eval(a, names)?, self.eval(b, names)?) {
                    (Thing::Int(a), Thing::Int(b)) => Ok(Thing::Int(condition.choose(&a, &b)?)),
                    (Thing::Bool(a), Thing::Bool(b)) => Ok(Thing::Bool(condition.choose(&a, &b)?)),
                    _ => Err(odd(term.span)),
                }
            }
            TermKind::Binary(op, a, b) => self.operator(*op, a, b, names, term),
            TermKind::Items(gather, items) if items.iter().all(|item| !item.spread) => {
                let items = items.iter().map(|item| self.eval(&item.term, names)).collect::<Result<_, No>>()?;
                Ok(if *gather == Gather::Set { Thing::Set(items) } else { Thing::Items(items) })
            }
            TermKind::Index(list, index) => {
                let (list, index) = (self.eval(list, names)?, self.int(index, names)?);
                let Thing::Value(Value::List(list)) = &list else { return Err(odd(term.span)) };
                let place = index.plus(-1, &EventuallyPeriodic::constant(list.base))?;
                let mut items = Vec::with_capacity(list.items.len());
                for item in iterate(&Value::List(list.clone())).map_err(|fault| No::bare(fault.message))? {
                    match item {
                        Value::Int(number) if number != NONE => items.push(number),
                        _ => return Err(No::at(term.span, "items that are no numbers of 64 bits")),
                    }
                }
                Ok(Thing::Int(EventuallyPeriodic::list(items).taken(&place)?))
            }
            TermKind::Builtin(word, args) => self.word(*word, args, names, term),
            TermKind::Call(def, args) => self.call(*def, args, names, term),
            TermKind::Place(place) => self.place(place, names, term),
            TermKind::Coerce(inner, kind) => coerced(self.eval(inner, names)?, kind, inner),
            TermKind::Adapt(inner) => match (self.eval(inner, names)?, &term.ty) {
                (thing @ Thing::Range(..), Type::List(_) | Type::Set(_) | Type::Bag(_)) => Ok(thing),
                (Thing::Items(items) | Thing::Set(items), Type::Set(_)) => Ok(Thing::Set(items)),
                (Thing::Int(number), Type::Position) if number.same() == Some(0) => Ok(Thing::Sum(Vec::new())),
                _ => Err(odd(term.span)),
            },
            _ => Err(odd(term.span)),
        }
    }

    fn operator(
        &mut self,
        op: BinaryOp,
        a: &'p Term,
        b: &'p Term,
        names: &Names<'p>,
        term: &Term,
    ) -> Result<Thing, No> {
        let (a, b) = (self.eval(a, names)?, self.eval(b, names)?);
        match (op, a, b) {
            (BinaryOp::Add, Thing::Sum(mut a), Thing::Sum(b)) => {
                a.extend(b);
                Ok(Thing::Sum(a))
            }
            (BinaryOp::Mul, Thing::Int(times), Thing::Sum(parts)) => {
                const MOST: i64 = 100;
                let least = i64::from(defined(&Thing::Sum(parts.clone()))?.same() != Some(1));
                let times =
                    times.same().filter(|times| (least..=MOST).contains(times)).ok_or_else(|| odd(term.span))?;
                Ok(Thing::Sum((0..times).flat_map(|_| parts.clone()).collect()))
            }
            (BinaryOp::Range, Thing::Int(a), Thing::Int(b)) => Ok(Thing::Range(a, b)),
            (BinaryOp::Add, Thing::Int(a), Thing::Int(b)) => Ok(Thing::Int(a.plus(1, &b)?)),
            (BinaryOp::Sub, Thing::Int(a), Thing::Int(b)) => Ok(Thing::Int(a.plus(-1, &b)?)),
            (BinaryOp::Mul, Thing::Int(a), Thing::Int(b)) => Ok(Thing::Int(a.times(&b)?)),
            (BinaryOp::Xor, Thing::Int(a), Thing::Int(b)) => Ok(Thing::Int(a.xor(&b)?)),
            (BinaryOp::Meet, Thing::Int(a), Thing::Int(b)) => Ok(Thing::Int(a.bitwise(&b, |a, b| a & b)?)),
            (BinaryOp::Div | BinaryOp::Mod, Thing::Int(a), Thing::Int(by)) => {
                let by = by.same().filter(|by| *by > 0);
                let by = by.ok_or_else(|| No::at(term.span, "division by what is no positive constant"))?;
                let [quotient, rest] = a.divided(by)?;
                Ok(Thing::Int(if op == BinaryOp::Div { quotient } else { rest }))
            }
            _ => Err(odd(term.span)),
        }
    }

    /// The Grundy value of a sum of heaps.
    pub(super) fn grundy(&mut self, parts: &[(Rc<Heap>, EventuallyPeriodic)]) -> Result<EventuallyPeriodic, No> {
        let mut total = EventuallyPeriodic::constant(0);
        for (heap, size) in parts {
            self.used.insert(heap.text.clone());
            total = total.xor(&heap.course.taken(size)?)?;
        }
        Ok(total)
    }
}
