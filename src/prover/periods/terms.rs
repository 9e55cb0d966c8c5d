//! Terms of the language as courses: what they are worth for every value of one variable.

use crate::claims::within;
use crate::logic::calls::DEEPEST;
use crate::logic::symbol::{No, odd};
use crate::logic::term::Env;
use crate::model::walk::{each_term, free_slots};
use crate::model::{
    BinaryOp, Builtin, Clause, CompareOp, DefId, Gather, Kind, LogicOp, Pattern, Place, PlaceParams, Program, Slot,
    Term, TermKind, Type,
};
use crate::prover::periods::course::{EventuallyPeriodic, NONE};
use crate::prover::periods::heaps::{Heap, Heaps, left};
use crate::value::{Value, iterate};
use grundy_heap::code::Code;
use grundy_heap::game::{Game, MAX_AMOUNT};
use num_traits::ToPrimitive;
use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;
use std::time::Instant;

const MOST_STEPS: usize = 100_000;

/// What a term is for all values of the variable.
#[derive(Clone)]
pub(super) enum Thing {
    Int(EventuallyPeriodic),
    Bool(EventuallyPeriodic),
    Range(EventuallyPeriodic, EventuallyPeriodic),
    Items(Vec<Thing>),
    /// A set that is written out, some of whose members may be equal.
    Set(Vec<Thing>),
    Sum(Vec<(Rc<Heap>, EventuallyPeriodic)>),
    /// Whether the player to move wins.
    Outcome(EventuallyPeriodic),
    /// Anything else that does not depend on the variable.
    Value(Value),
}

pub(super) type Names<'p> = Env<'p, Thing>;

pub(in crate::prover) struct Reader<'a, 'p> {
    pub(in crate::prover) ctx: &'a mut crate::vm::context::Context,
    pub(in crate::prover) program: &'p Program,
    pub(in crate::prover) heaps: &'a mut Heaps,
    pub(in crate::prover) limit: &'a grundy_automata::Limit,
    pub(in crate::prover) used: BTreeSet<String>,
    pub(in crate::prover) depth: usize,
    pub(in crate::prover) steps: usize,
}

pub(super) fn constant(value: Value) -> Result<Thing, No> {
    match value {
        Value::Int(NONE) | Value::Big(_) => Err(No::bare("numbers beyond 64 bits")),
        Value::Int(number) => Ok(Thing::Int(EventuallyPeriodic::constant(number))),
        Value::Bool(truth) => Ok(Thing::Bool(EventuallyPeriodic::constant(i64::from(truth)))),
        Value::Range(from, to) => {
            Ok(Thing::Range(EventuallyPeriodic::constant(from), EventuallyPeriodic::constant(to)))
        }
        other => Ok(Thing::Value(other)),
    }
}

pub(super) fn known(thing: &Thing) -> Option<Value> {
    match thing {
        Thing::Int(course) => course.same().map(Value::Int),
        Thing::Bool(course) => course.same().map(|truth| Value::Bool(truth != 0)),
        Thing::Range(from, to) => Some(Value::Range(from.same()?, to.same()?)),
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
fn strict(thing: Thing, asked: &EventuallyPeriodic, term: &Term) -> Result<Thing, No> {
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
    pub(super) fn truth(&mut self, term: &'p Term, names: &Names<'p>) -> Result<EventuallyPeriodic, No> {
        match self.eval(term, names)? {
            Thing::Bool(course) => Ok(course),
            _ => Err(odd(term.span)),
        }
    }

    pub(super) fn int(&mut self, term: &'p Term, names: &Names<'p>) -> Result<EventuallyPeriodic, No> {
        match self.eval(term, names)? {
            Thing::Int(course) => Ok(course),
            _ => Err(odd(term.span)),
        }
    }

    pub(super) fn eval(&mut self, term: &'p Term, names: &Names<'p>) -> Result<Thing, No> {
        self.steps += 1;
        if self.steps > MOST_STEPS || self.limit.deadline.is_some_and(|at| Instant::now() >= at) {
            return Err(No { limit: true, ..No::at(term.span, "the time is over, or there are too many terms") });
        }
        let placed = |no: No| No { span: no.span.or(Some(term.span)), ..no };
        match &term.kind {
            TermKind::Slot(slot) => match (names.slots.get(slot), names.lazy(*slot)) {
                (Some(thing), _) => Ok(thing.clone()),
                (None, Some(lazy)) => self.eval(lazy, names),
                (None, None) => Err(odd(term.span)),
            },
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

    /// The value of a term that reads nothing but known slots, by the rules of the language themselves.
    fn fixed(&mut self, term: &'p Term, names: &Names<'p>) -> Result<Option<Value>, No> {
        let Some(slots) = read(self.program, term) else { return Ok(None) };
        let mut given = Vec::new();
        for slot in slots {
            match names.slots.get(&slot).and_then(known) {
                Some(value) => given.push((slot, value)),
                None => return Ok(None),
            }
        }
        let frame = names.frame;
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

    pub(super) fn grundy(&mut self, parts: &[(Rc<Heap>, EventuallyPeriodic)]) -> Result<EventuallyPeriodic, No> {
        let mut total = EventuallyPeriodic::constant(0);
        for (heap, size) in parts {
            self.used.insert(heap.text.clone());
            total = total.xor(&heap.course.taken(size)?)?;
        }
        Ok(total)
    }

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
                let game = std::sync::Arc::new(game.ok_or_else(|| odd(term.span))?);
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
                let there = there.and(&self.truth(condition, names)?)?;
                if there.same() == Some(0) { Ok(()) } else { self.gather(value, rest, names, &there, all) }
            }
            Clause::Let { pattern, value: bound } => {
                let bound = self.eval(bound, names)?;
                let there = there.and(&defined(&bound)?)?;
                self.gather(value, rest, &with(names, pattern, bound).ok_or_else(|| odd(value.span))?, &there, all)
            }
            Clause::In { pattern, source, span } => {
                let domain = self.eval(source, names)?;
                let there = there.and(&defined(&domain)?)?;
                for member in members(&domain, source)? {
                    let names = with(names, pattern, member).ok_or_else(|| odd(*span))?;
                    self.gather(value, rest, &names, &there, all)?;
                }
                Ok(())
            }
        }
    }

    pub(super) fn chain(
        &mut self,
        first: &'p Term,
        chain: &'p [(CompareOp, Term)],
        names: &Names<'p>,
    ) -> Result<EventuallyPeriodic, No> {
        let mut left = self.eval(first, names)?;
        let mut all = EventuallyPeriodic::constant(1);
        for (op, right) in chain {
            let value = self.eval(right, names)?;
            let one = self.compare(*op, &left, &value, right)?;
            // What stands behind the first that is false does not count.
            all = all.and(&one)?;
            left = value;
        }
        Ok(all)
    }

    fn compare(&mut self, op: CompareOp, a: &Thing, b: &Thing, term: &Term) -> Result<EventuallyPeriodic, No> {
        let sign = |sign: i64| match op {
            CompareOp::Eq | CompareOp::In => sign == 0,
            CompareOp::Ne | CompareOp::NotIn => sign != 0,
            CompareOp::Lt => sign < 0,
            CompareOp::Le => sign <= 0,
            CompareOp::Gt => sign > 0,
            CompareOp::Ge => sign >= 0,
        };
        match (op, a, b) {
            (CompareOp::In | CompareOp::NotIn, Thing::Int(a), _) => {
                let inside = self.member(a, b, term)?;
                Ok(if op == CompareOp::In { inside } else { inside.not() })
            }
            (CompareOp::In | CompareOp::NotIn, ..) => Err(odd(term.span)),
            (_, Thing::Int(a), Thing::Int(b))
            | (CompareOp::Eq | CompareOp::Ne, Thing::Bool(a), Thing::Bool(b))
            | (CompareOp::Eq | CompareOp::Ne, Thing::Outcome(a), Thing::Outcome(b)) => a.compared(b, sign),
            (CompareOp::Eq | CompareOp::Ne, Thing::Outcome(wins), Thing::Value(Value::Text(text)))
            | (CompareOp::Eq | CompareOp::Ne, Thing::Value(Value::Text(text)), Thing::Outcome(wins)) => {
                let text: String = text.characters().collect();
                // No text but these two is the outcome of a heap.
                let other = EventuallyPeriodic::constant(match text.as_str() {
                    "first" => 1,
                    "second" => 0,
                    _ => 2,
                });
                wins.compared(&other, sign)
            }
            _ => Err(odd(term.span)),
        }
    }

    fn member(&mut self, number: &EventuallyPeriodic, of: &Thing, term: &Term) -> Result<EventuallyPeriodic, No> {
        match of {
            Thing::Range(from, to) => {
                from.compared(number, |sign| sign <= 0)?.times(&number.compared(to, |sign| sign <= 0)?)
            }
            Thing::Items(items) | Thing::Set(items) => {
                let mut none = number.compared(number, |_| true)?;
                for item in items {
                    let Thing::Int(item) = item else { return Err(odd(term.span)) };
                    none = none.times(&number.compared(item, |sign| sign != 0)?)?;
                }
                Ok(none.not())
            }
            Thing::Value(value @ (Value::List(_) | Value::Set(_) | Value::Bag(_))) => {
                let mut none = number.compared(number, |_| true)?;
                for member in iterate(value).map_err(|fault| No::at(term.span, fault.message))? {
                    self.steps += 1;
                    let Thing::Int(member) = constant(member)? else { return Err(odd(term.span)) };
                    none = none.times(&number.compared(&member, |sign| sign != 0)?)?;
                }
                Ok(none.not())
            }
            _ => Err(odd(term.span)),
        }
    }

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
        let mut inner = names.inside(def);
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

    pub(super) fn place(&mut self, place: &'p Place, names: &Names<'p>, term: &Term) -> Result<Thing, No> {
        let program = self.program;
        let game = &program.games[place.game.0];
        let params: Vec<Value> = match &place.params {
            PlaceParams::Own => {
                let params = names.own_params(program, place.game).ok_or_else(|| odd(term.span))?;
                params.iter().filter_map(known).collect()
            }
            PlaceParams::Given(given) => {
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

const MOST_ITEMS: usize = 1000;

type Gathered = Vec<(EventuallyPeriodic, Thing)>;

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
    if let Thing::Items(items) = domain {
        return Ok(items.clone());
    }
    let collection = match (known(domain), domain) {
        (Some(value @ (Value::List(_) | Value::Set(_) | Value::Bag(_) | Value::Range(..))), _) => value,
        (None, Thing::Range(..)) => return Err(No::at(term.span, "a list whose length varies")),
        _ => return Err(odd(term.span)),
    };
    let members = iterate(&collection).map_err(|fault| No::at(term.span, fault.message))?;
    if members.size_hint().0 > MOST_ITEMS {
        return Err(No::at(term.span, format!("a list of more than {MOST_ITEMS} items")));
    }
    members.map(constant).collect()
}

/// A value where a declared kind is wanted. What would take another form there is refused.
fn coerced(thing: Thing, kind: &Kind, term: &Term) -> Result<Thing, No> {
    match (thing, kind) {
        (Thing::Int(course), Kind::Nat) => Ok(Thing::Int(course.natural()?)),
        (thing, Kind::Any(ty)) if *ty == term.ty => Ok(thing),
        (thing @ Thing::Int(_), Kind::Int)
        | (thing @ Thing::Bool(_), Kind::Bool)
        | (thing @ Thing::Sum(_), Kind::Position) => Ok(thing),
        _ => Err(odd(term.span)),
    }
}

/// The slots that a term reads from around it; `None` when it is a position, or speaks of the game in whose body it stands.
pub(super) fn read(program: &Program, term: &Term) -> Option<HashSet<Slot>> {
    if term.ty == crate::model::kind::Type::Position {
        return None;
    }
    let mut inside = false;
    each_term(term, &mut |t| match &t.kind {
        TermKind::Place(place) => inside |= matches!(place.params, PlaceParams::Own),
        TermKind::Call(def, _) => inside |= program.defs[def.0].owner.is_some(),
        _ => {}
    });
    (!inside).then(|| free_slots(term))
}
