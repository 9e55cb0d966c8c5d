//! The rules of a heap as formulas about its size and about what is bound: terms, numbers as sums of variables, collections,
//! and every way through the clauses of its moves.
//!
//! Nothing is guessed: what has no exact reading is refused, and what must hold so that a term has a value at all is kept
//! to be proved.

use crate::model::walk::free_slots;
use crate::model::{
    BinaryOp, Builtin, Clause, CompareOp, DefId, Ending, Frame, Game, Kind, LogicOp, Pattern, Program, Slot, Target,
    Term, TermKind, Type,
};
use crate::store::ComponentId;
use crate::value::{Halt, Value, iterate};
use crate::vm::context::Context;
use grundy_automata::{Formula, Linear, Reason, Track};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive};
use std::collections::HashMap;

pub(super) const HEAP: Track = 0;
/// Variables of the rules are numbered from this on; those before it are the caller's.
const FIRST: Track = 16;
/// Calls of definitions may be nested so deep.
const DEEPEST: usize = 30;

pub(super) enum No {
    Because(String),
    /// Two variables are multiplied, or the like: it may be read when binders are tried one by one.
    Unknown(String),
    /// A limit, or rules to be run again in another form.
    Halt(Halt),
}

impl From<Halt> for No {
    fn from(halt: Halt) -> No {
        No::Halt(halt)
    }
}

impl From<Reason> for No {
    fn from(reason: Reason) -> No {
        No::Because(format!("the proof is too large: {reason}"))
    }
}

pub(super) fn no<T>(why: impl Into<String>) -> Result<T, No> {
    Err(No::Because(why.into()))
}

/// What a term means.
#[derive(Clone)]
pub(super) enum Sym {
    Int(Linear),
    Bool(Formula),
    /// What a binder runs through, or a set that is asked about.
    Domain(Domain),
    Value(Value),
}

/// How far a move is read: names, variables, and what holds of them.
#[derive(Clone)]
pub(super) struct Way<'p> {
    pub(super) frame: &'p Frame,
    pub(super) slots: HashMap<Slot, Sym>,
    /// Variables besides the heap.
    pub(super) bound: Vec<Track>,
    pub(super) holds: Vec<Formula>,
    /// What holds besides where the present term is evaluated.
    under: Vec<Formula>,
}

/// Reads the rules of one instance.
pub(super) struct Reader<'m, 'p> {
    pub(super) ctx: &'m mut Context,
    pub(super) program: &'p Program,
    pub(super) game: &'p Game,
    /// Some component of the instance.
    pub(super) id: ComponentId,
    pub(super) params: Vec<Value>,
    next: Track,
    /// What must be true of no heap, and what it would mean.
    pub(super) broken: Vec<(Formula, String)>,
    /// Short collections are gone through one by one.
    pub(super) spelled: bool,
    depth: usize,
}

pub(super) fn known(value: Value) -> Sym {
    match value {
        Value::Int(n) => Sym::Int(Linear::number(n)),
        Value::Big(n) => Sym::Int(Linear::number((*n).clone())),
        Value::Bool(truth) => Sym::Bool(Formula::Constant(truth)),
        Value::List(_) | Value::Set(_) | Value::Bag(_) | Value::Range(..) => Sym::Domain(Domain::Value(value)),
        other => Sym::Value(other),
    }
}

impl<'m, 'p> Reader<'m, 'p> {
    pub(super) fn new(ctx: &'m mut Context, program: &'p Program, id: ComponentId, spelled: bool) -> Reader<'m, 'p> {
        let component = ctx.store.component_value(id);
        let game = &program.games[component.game.0];
        let params = component.params.to_vec();
        Reader { ctx, program, game, id, params, next: FIRST, broken: Vec::new(), spelled, depth: 0 }
    }

    /// The beginning of a way: rule parameters and the heap have their names.
    pub(super) fn start(&self) -> Way<'p> {
        let mut slots: HashMap<Slot, Sym> = self.params.iter().cloned().map(known).enumerate().collect();
        slots.insert(self.params.len(), Sym::Int(Linear::track(HEAP)));
        Way { frame: &self.game.frame, slots, bound: Vec::new(), holds: Vec::new(), under: Vec::new() }
    }

    /// A variable of a way; what is said of it must follow.
    pub(super) fn fresh(&mut self, way: &mut Way<'p>) -> Track {
        self.next += 1;
        way.bound.push(self.next);
        self.next
    }

    /// Says that this must hold wherever a way comes here.
    pub(super) fn need(&mut self, way: &Way<'p>, need: Formula, broken: impl Into<String>) {
        if matches!(need, Formula::Constant(true)) {
            return;
        }
        let all = way.holds.iter().chain(&way.under).cloned().chain([need.not()]);
        self.broken.push((Formula::exists(way.bound.clone(), Formula::all(all)), broken.into()));
    }

    pub(super) fn under<T>(
        &mut self,
        condition: Formula,
        way: &mut Way<'p>,
        inner: impl FnOnce(&mut Self, &mut Way<'p>) -> Result<T, No>,
    ) -> Result<T, No> {
        way.under.push(condition);
        let result = inner(self, way);
        way.under.pop();
        result
    }

    pub(super) fn truth(&mut self, term: &'p Term, way: &mut Way<'p>) -> Result<Formula, No> {
        match &term.kind {
            TermKind::Not(inner) => Ok(self.truth(inner, way)?.not()),
            TermKind::Logic(op, a, b) => {
                let a = self.truth(a, way)?;
                let asked = if *op == LogicOp::Or { a.clone().not() } else { a.clone() };
                if let Formula::Constant(false) = asked {
                    return Ok(Formula::Constant(*op != LogicOp::And));
                }
                let b = self.under(asked, way, |reader, way| reader.truth(b, way))?;
                Ok(match op {
                    LogicOp::And => Formula::all([a, b]),
                    LogicOp::Implies => a.implies(b),
                    LogicOp::Or => Formula::any([a, b]),
                })
            }
            TermKind::Iff(a, b) => Ok(self.truth(a, way)?.iff(self.truth(b, way)?)),
            TermKind::Compare(first, chain) => {
                let mut left = self.eval(first, way)?;
                let mut parts = Vec::new();
                for (op, right) in chain {
                    let right = self.eval(right, way)?;
                    parts.push(compared(*op, &left, &right)?);
                    left = right;
                }
                Ok(Formula::all(parts))
            }
            _ => match self.eval(term, way)? {
                Sym::Bool(formula) => Ok(formula),
                _ => no("a condition that is not about whole numbers"),
            },
        }
    }

    pub(super) fn int(&mut self, term: &'p Term, way: &mut Way<'p>) -> Result<Linear, No> {
        match self.eval(term, way)? {
            Sym::Int(number) => Ok(number),
            _ => no("a term that is no whole number"),
        }
    }

    /// Any term but a position.
    pub(super) fn eval(&mut self, term: &'p Term, way: &mut Way<'p>) -> Result<Sym, No> {
        match &term.kind {
            TermKind::Int(n) => Ok(Sym::Int(Linear::number(n.clone()))),
            TermKind::Bool(truth) => Ok(Sym::Bool(Formula::Constant(*truth))),
            TermKind::Slot(slot) => self.slot(*slot, way),
            TermKind::Global(global) => Ok(known(self.ctx.global(*global)?)),
            TermKind::Not(_) | TermKind::Logic(..) | TermKind::Iff(..) | TermKind::Compare(..) => {
                self.truth(term, way).map(Sym::Bool)
            }
            TermKind::Neg(inner) => Ok(Sym::Int(times(&BigInt::from(-1), &self.int(inner, way)?))),
            TermKind::If(condition, a, b) => self.either(condition, a, b, way),
            TermKind::Binary(BinaryOp::Range, a, b) => {
                Ok(Sym::Domain(Domain::Range(self.int(a, way)?, self.int(b, way)?)))
            }
            TermKind::Binary(op, a, b) if term.ty == Type::Int => {
                let (a, b) = (self.int(a, way)?, self.int(b, way)?);
                self.arithmetic(*op, &a, &b, way).map(Sym::Int)
            }
            TermKind::Builtin(word @ (Builtin::Min | Builtin::Max), args) if args.len() > 1 => {
                let mut best = self.int(&args[0], way)?;
                for arg in &args[1..] {
                    let other = self.int(arg, way)?;
                    let keep = if *word == Builtin::Min {
                        Formula::at_most(&best, &other)
                    } else {
                        Formula::at_most(&other, &best)
                    };
                    best = self.choice(&keep, &best, &other, way);
                }
                Ok(Sym::Int(best))
            }
            TermKind::Builtin(Builtin::Abs, args) if args.len() == 1 && args[0].ty == Type::Int => {
                let number = self.int(&args[0], way)?;
                let up = Formula::natural(&number);
                let down = times(&BigInt::from(-1), &number);
                Ok(Sym::Int(self.choice(&up, &number, &down, way)))
            }
            TermKind::Call(def, args) => self.call(*def, args, way),
            TermKind::Coerce(inner, kind) => {
                let value = self.eval(inner, way)?;
                self.coerced(value, kind, way)
            }
            TermKind::Adapt(inner) if collection(&term.ty) && collection(&inner.ty) => self.eval(inner, way),
            TermKind::Items(_, items) if !self.is_constant(term, way) => {
                let mut parts = Vec::new();
                for item in items {
                    parts.push(match self.eval(&item.term, way)? {
                        Sym::Int(number) => Domain::Items(vec![number]),
                        Sym::Domain(domain) if item.spread => domain,
                        _ => return no("a collection of other things than numbers"),
                    });
                }
                Ok(Sym::Domain(Domain::Any(parts)))
            }
            TermKind::Index(list, index) if !self.is_constant(term, way) => {
                let (list, index) = (self.eval(list, way)?, self.int(index, way)?);
                let Some(index) = index.constant() else {
                    return Err(No::Unknown("an index that is not known".into()));
                };
                let item = match list {
                    Sym::Domain(Domain::Value(Value::List(list))) => {
                        let at = (index - list.base).to_usize();
                        at.and_then(|at| list.items.item(at))
                    }
                    _ => None,
                };
                item.map_or_else(|| no("an index into something unknown"), |item| Ok(known(item)))
            }
            _ if self.is_constant(term, way) => Ok(known(self.ctx.eval_at(self.id, term)?)),
            _ => no("a term that is not linear arithmetic"),
        }
    }

    fn slot(&mut self, slot: Slot, way: &mut Way<'p>) -> Result<Sym, No> {
        if let Some(value) = way.slots.get(&slot) {
            return Ok(value.clone());
        }
        let frame: &'p Frame = way.frame;
        match frame.slots.get(slot).and_then(|info| info.lazy.as_deref()) {
            Some(lazy) => self.eval(lazy, way),
            None => no("a name whose value is not known"),
        }
    }

    /// Whether a term of the game's own body reads rule parameters and its own binders only.
    fn is_constant(&self, term: &'p Term, way: &Way<'p>) -> bool {
        if !std::ptr::eq(way.frame, &raw const self.game.frame) {
            return false;
        }
        free_slots(term).into_iter().all(|slot| slot < self.params.len())
    }

    fn call(&mut self, def: DefId, args: &'p [Option<Term>], way: &mut Way<'p>) -> Result<Sym, No> {
        let def = &self.program.defs[def.0];
        let own = def.owner.is_none_or(|game| std::ptr::eq(&raw const self.program.games[game.0], self.game));
        let Some(body) = def.body.as_ref().filter(|_| own && !def.recursive && self.depth < DEEPEST) else {
            return no("a definition that calls itself or asks about another game");
        };
        let mut slots: HashMap<Slot, Sym> =
            way.slots.iter().filter(|(slot, _)| **slot < def.prefix).map(|(s, v)| (*s, v.clone())).collect();
        for (index, (param, arg)) in def.params.iter().zip(args).enumerate() {
            let Some(arg) = arg else { return no("a definition with a default") };
            let value = self.eval(arg, way)?;
            slots.insert(def.prefix + index, self.coerced(value, &param.kind, way)?);
        }
        let outer = (std::mem::replace(&mut way.slots, slots), std::mem::replace(&mut way.frame, &def.frame));
        self.depth += 1;
        let value = self.eval(body, way).and_then(|value| match &def.result {
            Some(kind) => self.coerced(value, kind, way),
            None => Ok(value),
        });
        self.depth -= 1;
        (way.slots, way.frame) = outer;
        value
    }

    /// A value where a declared kind is wanted.
    fn coerced(&mut self, value: Sym, kind: &Kind, way: &Way<'p>) -> Result<Sym, No> {
        match (value, kind) {
            (Sym::Int(number), Kind::Nat) => {
                let natural = Formula::natural(&number);
                self.need(way, natural, "a negative number would stand where a natural number must");
                Ok(Sym::Int(number))
            }
            (value @ Sym::Int(_), Kind::Int) | (value @ Sym::Bool(_), Kind::Bool) => Ok(value),
            _ => no("a kind that is not whole numbers"),
        }
    }
}

fn collection(ty: &Type) -> bool {
    matches!(ty, Type::List(_) | Type::Set(_) | Type::Range)
}

/// Exponents that are worked out.
const MOST_POWER: u32 = 1000;

pub(super) fn times(factor: &BigInt, number: &Linear) -> Linear {
    Linear::default().plus(factor, number)
}

impl<'p> Reader<'_, 'p> {
    /// `if condition then a else b` of terms.
    pub(super) fn either(
        &mut self,
        condition: &'p Term,
        a: &'p Term,
        b: &'p Term,
        way: &mut Way<'p>,
    ) -> Result<Sym, No> {
        let condition = self.truth(condition, way)?;
        if let Formula::Constant(truth) = condition {
            return self.eval(if truth { a } else { b }, way);
        }
        let a = self.under(condition.clone(), way, |reader, way| reader.eval(a, way))?;
        let b = self.under(condition.clone().not(), way, |reader, way| reader.eval(b, way))?;
        match (a, b) {
            (Sym::Int(a), Sym::Int(b)) => Ok(Sym::Int(self.choice(&condition, &a, &b, way))),
            (Sym::Bool(a), Sym::Bool(b)) => Ok(Sym::Bool(Formula::either(&condition, a, b))),
            _ => no("a choice between other things than numbers"),
        }
    }

    /// Any whole number, in exactly one way.
    fn whole(&mut self, way: &mut Way<'p>) -> Linear {
        let (up, down) = (self.fresh(way), self.fresh(way));
        let (up, down) = (Linear::track(up), Linear::track(down));
        way.holds.push(Formula::any([Formula::zero(&up), Formula::zero(&down)]));
        up.minus(&down)
    }

    /// `if condition then a else b`; whatever the condition, exactly one value fits.
    pub(super) fn choice(&mut self, condition: &Formula, a: &Linear, b: &Linear, way: &mut Way<'p>) -> Linear {
        match condition {
            Formula::Constant(true) => return a.clone(),
            Formula::Constant(false) => return b.clone(),
            _ => {}
        }
        let chosen = self.whole(way);
        way.holds.push(Formula::either(condition, Formula::equal(&chosen, a), Formula::equal(&chosen, b)));
        chosen
    }

    pub(super) fn arithmetic(&mut self, op: BinaryOp, a: &Linear, b: &Linear, way: &mut Way<'p>) -> Result<Linear, No> {
        let unknown = |what: &str| Err(No::Unknown(format!("{what} of a variable")));
        match op {
            BinaryOp::Add => Ok(a.plus(&BigInt::one(), b)),
            BinaryOp::Sub => Ok(a.minus(b)),
            BinaryOp::Mul => match (a.constant(), b.constant()) {
                (Some(factor), _) => Ok(times(factor, b)),
                (_, Some(factor)) => Ok(times(factor, a)),
                _ => unknown("a multiple by a variable"),
            },
            BinaryOp::Pow => match (a.constant(), b.constant().and_then(ToPrimitive::to_u32)) {
                (Some(a), Some(b)) if b < MOST_POWER => Ok(Linear::number(a.pow(b))),
                _ => unknown("a power"),
            },
            BinaryOp::Div | BinaryOp::Mod => {
                let Some(by) = b.constant() else { return unknown("division by a variable") };
                if !by.is_positive() {
                    return no("division by a number that is not positive");
                }
                // a = by * q + r with 0 <= r < by, the quotient rounded down.
                let quotient = self.whole(way);
                let rest = Linear::track(self.fresh(way));
                way.holds.push(Formula::equal(a, &times(by, &quotient).plus(&BigInt::one(), &rest)));
                way.holds.push(Formula::less(&rest, b));
                Ok(if op == BinaryOp::Div { quotient } else { rest })
            }
            BinaryOp::Range | BinaryOp::Xor | BinaryOp::Meet | BinaryOp::Over => no("an operator that is not linear"),
        }
    }
}

#[derive(Clone)]
pub(super) enum Domain {
    Value(Value),
    Range(Linear, Linear),
    Items(Vec<Linear>),
    Any(Vec<Domain>),
}

/// Neighbouring numbers together, ascending; `None` when a member is no int.
pub(super) fn runs(value: &Value) -> Option<Vec<(BigInt, BigInt)>> {
    if let Value::Range(from, to) = value {
        return Some(if from > to { Vec::new() } else { vec![((*from).into(), (*to).into())] });
    }
    let mut all: Vec<BigInt> = Vec::new();
    for member in iterate(value).ok()? {
        match member {
            Value::Int(_) | Value::Big(_) => all.push(member.to_big().ok()?.into_owned()),
            _ => return None,
        }
    }
    all.sort_unstable();
    let mut runs: Vec<(BigInt, BigInt)> = Vec::new();
    for number in all {
        match runs.last_mut() {
            Some((_, to)) if number <= &*to + 1 => *to = number,
            _ => runs.push((number.clone(), number)),
        }
    }
    Some(runs)
}

pub(super) fn compared(op: CompareOp, a: &Sym, b: &Sym) -> Result<Formula, No> {
    Ok(match (op, a, b) {
        (CompareOp::In, Sym::Int(a), Sym::Domain(b)) => member(a, b)?,
        (CompareOp::NotIn, Sym::Int(a), Sym::Domain(b)) => member(a, b)?.not(),
        (CompareOp::Eq, Sym::Int(a), Sym::Int(b)) => Formula::equal(a, b),
        (CompareOp::Ne, Sym::Int(a), Sym::Int(b)) => Formula::equal(a, b).not(),
        (CompareOp::Lt, Sym::Int(a), Sym::Int(b)) => Formula::less(a, b),
        (CompareOp::Le, Sym::Int(a), Sym::Int(b)) => Formula::at_most(a, b),
        (CompareOp::Gt, Sym::Int(a), Sym::Int(b)) => Formula::less(b, a),
        (CompareOp::Ge, Sym::Int(a), Sym::Int(b)) => Formula::at_most(b, a),
        (CompareOp::Eq, Sym::Bool(a), Sym::Bool(b)) => a.clone().iff(b.clone()),
        (CompareOp::Ne, Sym::Bool(a), Sym::Bool(b)) => a.clone().iff(b.clone()).not(),
        _ => return no("a comparison of other things than whole numbers"),
    })
}

pub(super) fn member(number: &Linear, domain: &Domain) -> Result<Formula, No> {
    let between =
        |from: &Linear, to: &Linear| Formula::all([Formula::at_most(from, number), Formula::at_most(number, to)]);
    Ok(match domain {
        Domain::Range(from, to) => between(from, to),
        Domain::Items(items) => Formula::any(items.iter().map(|item| Formula::equal(number, item))),
        Domain::Any(parts) => {
            let parts: Result<Vec<Formula>, No> = parts.iter().map(|part| member(number, part)).collect();
            Formula::any(parts?)
        }
        Domain::Value(value) => {
            let Some(runs) = runs(value) else { return no("a collection of other things than numbers") };
            Formula::any(runs.into_iter().map(|(from, to)| between(&Linear::number(from), &Linear::number(to))))
        }
    })
}

/// More ways than this are not followed.
pub(super) const MOST_WAYS: usize = 512;
/// Collections of so many members are gone through one by one where that helps.
const SPELLED: u64 = 64;

/// Moves of one line: what holds, and the sizes of the heaps that are left, some of them perhaps 0.
pub(super) struct Leaves<'p> {
    pub(super) way: Way<'p>,
    pub(super) parts: Vec<Linear>,
}

impl<'p> Reader<'_, 'p> {
    pub(super) fn moves(&mut self) -> Result<Vec<Leaves<'p>>, No> {
        let game = self.game;
        if game.misere {
            return no("a misere game");
        }
        if !game.legal.is_empty() || !game.same.is_empty() || !game.asks.is_empty() {
            return no("`legal when`, `same as`, or a rule that asks about another game");
        }
        let [field] = &game.fields[..] else { return no("there is not exactly one field") };
        if !matches!(field.kind, Kind::Nat) {
            return no("the field is no natural number");
        }
        let mut start = self.start();
        if let Some(filter) = &game.filter
            && !matches!(self.truth(filter, &mut start)?, Formula::Constant(true))
        {
            return no("the header's `where` restricts the heaps");
        }
        for end in &game.ends {
            if !matches!(end.verdict, Ending::Over) {
                return no("an `end when` that ends the whole play");
            }
            let over = self.truth(&end.when, &mut start)?;
            start.holds.push(over.not());
        }
        let mut all = Vec::new();
        for mv in &game.moves {
            for mut way in self.clauses(&mv.clauses, start.clone())? {
                self.target(&mv.target, &mut way, &mut all)?;
            }
            if all.len() > MOST_WAYS {
                return no(format!("there are more than {MOST_WAYS} ways to move"));
            }
        }
        Ok(all)
    }

    fn clauses(&mut self, clauses: &'p [Clause], start: Way<'p>) -> Result<Vec<Way<'p>>, No> {
        let mut ways = vec![start];
        for clause in clauses {
            let mut next = Vec::new();
            for mut way in ways {
                match clause {
                    Clause::Where(condition) => {
                        let holds = self.truth(condition, &mut way)?;
                        if !matches!(holds, Formula::Constant(false)) {
                            way.holds.push(holds);
                            next.push(way);
                        }
                    }
                    Clause::Let { pattern, value } => {
                        let value = self.eval(value, &mut way)?;
                        bind(&mut way, pattern, value)?;
                        next.push(way);
                    }
                    Clause::In { pattern, source, .. } => match self.eval(source, &mut way)? {
                        Sym::Domain(domain) => self.each(&domain, pattern, &way, &mut next)?,
                        _ => return no("a binder that does not run through numbers"),
                    },
                }
                if next.len() > MOST_WAYS {
                    return no(format!("there are more than {MOST_WAYS} ways to move"));
                }
            }
            ways = next;
        }
        Ok(ways)
    }

    fn each(&mut self, domain: &Domain, pattern: &Pattern, way: &Way<'p>, out: &mut Vec<Way<'p>>) -> Result<(), No> {
        let mut one = |value: Sym| -> Result<(), No> {
            let mut way = way.clone();
            bind(&mut way, pattern, value)?;
            out.push(way);
            if out.len() > MOST_WAYS { no(format!("there are more than {MOST_WAYS} ways to move")) } else { Ok(()) }
        };
        match domain {
            Domain::Items(items) => items.iter().try_for_each(|item| one(Sym::Int(item.clone()))),
            Domain::Any(parts) => parts.iter().try_for_each(|part| self.each(part, pattern, way, out)),
            Domain::Value(value) => {
                let Some(runs) = runs(value) else {
                    let members = crate::value::members(value).map_err(|fault| No::Halt(fault.into()))?;
                    return members.iter().try_for_each(|member| one(known(member.clone())));
                };
                let count = runs.iter().fold(num_bigint::BigInt::ZERO, |sum, (from, to)| sum + (to - from) + 1);
                let negative = runs.iter().any(|(from, _)| from.is_negative());
                if (self.spelled || negative) && count.to_u64().is_some_and(|count| count <= SPELLED) {
                    for (from, to) in runs {
                        let mut member = from;
                        while member <= to {
                            one(Sym::Int(Linear::number(member.clone())))?;
                            member += 1;
                        }
                    }
                    return Ok(());
                }
                if negative {
                    return no("a binder that runs through negative numbers");
                }
                self.variable(domain, pattern, way, out)
            }
            Domain::Range(from, to) => {
                if let (Some(from), Some(to)) = (from.constant(), to.constant())
                    && let (Some(from), Some(to)) = (from.to_i64(), to.to_i64())
                {
                    return self.each(&Domain::Value(Value::Range(from, to)), pattern, way, out);
                }
                let natural = Formula::any([Formula::natural(from), Formula::less(to, from)]);
                self.need(way, natural, "a binder would run through negative numbers");
                self.variable(domain, pattern, way, out)
            }
        }
    }

    /// A variable for the members of a domain of numbers, none of which is negative.
    fn variable(
        &mut self,
        domain: &Domain,
        pattern: &Pattern,
        way: &Way<'p>,
        out: &mut Vec<Way<'p>>,
    ) -> Result<(), No> {
        let mut way = way.clone();
        let track = self.fresh(&mut way);
        let inside = member(&Linear::track(track), domain)?;
        if matches!(inside, Formula::Constant(false)) {
            return Ok(());
        }
        way.holds.push(inside);
        bind(&mut way, pattern, Sym::Int(Linear::track(track)))?;
        out.push(way);
        Ok(())
    }

    fn target(&mut self, target: &'p Target, way: &mut Way<'p>, out: &mut Vec<Leaves<'p>>) -> Result<(), No> {
        match target {
            Target::If(condition, a, b) => {
                let condition = self.truth(condition, way)?;
                for (holds, target) in [(condition.clone(), a), (condition.not(), b)] {
                    if !matches!(holds, Formula::Constant(false)) {
                        let mut way = way.clone();
                        way.holds.push(holds);
                        self.target(target, &mut way, out)?;
                    }
                }
                Ok(())
            }
            Target::Go { again: false, position, gain: None } => {
                for (way, parts) in self.position(position, way.clone())? {
                    out.push(Leaves { way, parts });
                }
                Ok(())
            }
            Target::Stop(_) => no("a move can end the whole play"),
            Target::Go { again: true, .. } => no("a move can keep the turn"),
            Target::Go { .. } => no("a move has points"),
        }
    }

    /// What no move may do: grow what is left beyond the heap.
    pub(super) fn must_not_grow(&mut self, leaves: &Leaves<'p>) {
        let left = leaves.parts.iter().fold(Linear::default(), |sum, part| sum.plus(&One::one(), part));
        let fits = Formula::at_most(&left, &Linear::track(crate::engines::heap_codes::read::HEAP));
        self.need(&leaves.way, fits, "a move would leave more than there was");
    }
}

/// Gives names to a value and its parts.
pub(super) fn bind(way: &mut Way<'_>, pattern: &Pattern, value: Sym) -> Result<(), No> {
    match (pattern, value) {
        (Pattern::Ignore, _) => Ok(()),
        (Pattern::Slot(slot), value) => {
            way.slots.insert(*slot, value);
            Ok(())
        }
        (Pattern::Tuple(patterns, _), Sym::Value(Value::Tuple(parts))) if parts.len() == patterns.len() => {
            patterns.iter().zip(parts.iter()).try_for_each(|(pattern, part)| bind(way, pattern, known(part.clone())))
        }
        _ => no("a pattern that takes other things apart"),
    }
}
