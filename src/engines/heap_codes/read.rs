//! Terms of rules as formulas about the size of the heap and about what is bound.
//!
//! Nothing is guessed: what has no exact reading is refused, and what must hold so that a term has a value at all is kept
//! to be proved.

use crate::engines::heap_codes::domain::{Domain, compared};
use crate::engines::heap_codes::numbers::times;
use crate::model::builtin::Builtin;
use crate::model::kind::{Kind, Type};
use crate::model::walk::free_slots;
use crate::model::{BinaryOp, DefId, Frame, Game, LogicOp, Program, Slot, Term, TermKind};
use crate::value::Value;
use crate::value::fault::Halt;
use crate::vm::context::Context;
use grundy_automata::{Formula, Linear, Reason, Track};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::collections::HashMap;

/// The size of the heap.
pub(super) const HEAP: Track = 0;
/// Variables of the rules are numbered from this on; those before it are the caller's.
const FIRST: Track = 16;
/// Calls of definitions may be nested so deep.
const DEEPEST: usize = 30;

/// Why the rules were not read.
pub(super) enum No {
    /// In words.
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

/// A refusal in words.
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
    /// Anything else that is known.
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
    pub(super) id: u32,
    pub(super) params: Vec<Value>,
    next: Track,
    /// What must be true of no heap, and what it would mean.
    pub(super) broken: Vec<(Formula, String)>,
    /// Short collections are gone through one by one.
    pub(super) spelled: bool,
    depth: usize,
}

/// A known value.
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
    pub(super) fn new(ctx: &'m mut Context, program: &'p Program, id: u32, spelled: bool) -> Reader<'m, 'p> {
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

    /// A condition.
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

    /// A whole number.
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
                let up = Formula::at_most(&Linear::default(), &number);
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
                let natural = Formula::at_most(&Linear::default(), &number);
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
