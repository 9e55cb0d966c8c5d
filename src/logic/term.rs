//! Terms of the language with variables in them.

use crate::logic::clauses::written_out;
use crate::logic::exponents::odd_exponents;
use crate::logic::symbol::{No, Part, Real, Sym, odd};
use crate::logic::wordings::{may_be, who_wins};
use crate::model::walk::bare;
use crate::model::{
    BinaryOp, Builtin, CompareOp, Def, Frame, GameId, Gather, Item, LogicOp, Pattern, Program, Slot, Term, TermKind,
};
use grundy_automata::{Formula, Linear};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::collections::HashMap;

/// What the names in a term stand for: values with variables in them, or values for every heap at once.
#[derive(Clone)]
pub(crate) struct Env<'p, V = Sym> {
    pub(crate) frame: &'p Frame,
    pub(crate) slots: HashMap<Slot, V>,
    /// The game whose body it is: its rule parameters are the first slots.
    pub(crate) game: Option<GameId>,
}

impl<'p, V: Clone> Env<'p, V> {
    /// These values of some names, outside of all games.
    pub(crate) fn of(frame: &'p Frame, slots: impl IntoIterator<Item = (Slot, V)>) -> Env<'p, V> {
        Env { frame, slots: slots.into_iter().collect(), game: None }
    }

    /// The term that a name without a value stands for.
    pub(crate) fn lazy(&self, slot: Slot) -> Option<&'p Term> {
        self.frame.slots.get(slot)?.lazy.as_deref()
    }

    /// The names in the body of a definition. What names of the game mean is the same in its definitions.
    pub(crate) fn inside(&self, def: &'p Def) -> Env<'p, V> {
        let mut inner = Env::of(&def.frame, []);
        if def.owner.is_some() {
            inner.game = self.game;
            inner.slots.extend(self.slots.iter().filter(|(slot, _)| **slot < def.prefix).map(|(s, v)| (*s, v.clone())));
        }
        inner
    }

    /// The rule parameters, in the body of this game.
    pub(crate) fn own_params(&self, program: &Program, game: GameId) -> Option<Vec<V>> {
        let params = 0..program.games[game.0].params.len();
        (self.game == Some(game)).then(|| params.map(|slot| self.slots.get(&slot).cloned()).collect())?
    }
}

impl<'p> crate::logic::scope::Scope<'p> {
    pub(crate) fn truth(&mut self, term: &'p Term, env: &Env<'p>) -> Result<Formula, No> {
        match &term.kind {
            TermKind::Not(inner) => Ok(self.truth(inner, env)?.not()),
            TermKind::Logic(op, a, b) => {
                let a = self.truth(a, env)?;
                let (asked, sign) = match op {
                    LogicOp::And | LogicOp::Implies => (a.clone(), true),
                    LogicOp::Or => (a.clone().not(), false),
                };
                if let Formula::Constant(false) = asked {
                    return Ok(Formula::Constant(*op != LogicOp::And));
                }
                let b = self.under(&asked, |scope| scope.truth(b, env))?;
                Ok(match (op, sign) {
                    (LogicOp::And, _) => Formula::all([a, b]),
                    (LogicOp::Implies, _) => a.implies(b),
                    (LogicOp::Or, _) => Formula::any([a, b]),
                })
            }
            TermKind::Iff(a, b) => {
                let (a, b) = (self.truth(a, env)?, self.truth(b, env)?);
                Ok(a.iff(b))
            }
            TermKind::Compare(..) if let Some(asked) = who_wins(self.program, term) => {
                match self.eval(asked.position, env)? {
                    Sym::Position { parts, misere } if !(misere && asked.by_value) => {
                        match self.question(asked.word, &parts, misere, term)? {
                            Sym::Bool(formula) => Ok(formula),
                            _ => Err(odd(term.span)),
                        }
                    }
                    _ => Err(odd(term.span)),
                }
            }
            TermKind::Compare(..) if let Some((position, [first, second, _])) = may_be(term) => {
                match self.eval(position, env)? {
                    Sym::Position { parts, misere } => match self.question(Builtin::Loses, &parts, misere, term)? {
                        Sym::Bool(lost) => {
                            Ok(Formula::either(&lost, Formula::Constant(second), Formula::Constant(first)))
                        }
                        _ => Err(odd(term.span)),
                    },
                    _ => Err(odd(term.span)),
                }
            }
            TermKind::Compare(first, chain) => self.local(|scope| {
                if let [(op, right)] = &chain[..] {
                    let compared = scope.sets_compared(*op, [first, right], env)?;
                    let compared = match compared {
                        None => scope.product_compared(*op, [first, right], env)?,
                        compared => compared,
                    };
                    if let Some(compared) = compared {
                        return Ok(compared);
                    }
                }
                let mut left = scope.eval(first, env)?;
                let mut parts = Vec::new();
                for (op, right) in chain {
                    if let (CompareOp::In | CompareOp::NotIn, TermKind::Items(_, items)) = (op, &bare(right).kind)
                        && let ([_], Sym::Tuple(_) | Sym::List(_)) = (&chain[..], &left)
                    {
                        return scope.among(*op, &left, items, env);
                    }
                    // What is a member of a list that clauses make is what some way through them makes.
                    if let (CompareOp::In | CompareOp::NotIn, TermKind::Comprehension(_, value, clauses), [_]) =
                        (op, &bare(right).kind, &chain[..])
                    {
                        let some = scope.ways(clauses, env, &mut |scope, env| {
                            let item = scope.eval(value, env)?;
                            scope.equal(&left, &item, term.span)
                        })?;
                        return Ok(if *op == CompareOp::In { some } else { some.not() });
                    }
                    let right = scope.eval(right, env)?;
                    parts.push(scope.compare(*op, &left, &right, term)?);
                    left = right;
                }
                Ok(Formula::all(parts))
            }),
            _ => match self.eval(term, env)? {
                Sym::Bool(formula) => Ok(formula),
                _ => Err(odd(term.span)),
            },
        }
    }

    pub(crate) fn int(&mut self, term: &'p Term, env: &Env<'p>) -> Result<Linear, No> {
        match self.eval(term, env)? {
            Sym::Int(number) => Ok(number),
            _ => Err(odd(term.span)),
        }
    }

    /// A Grundy value that is said: a number or an exponent. A number may be written as a quotient, as `(n - n mod 2) / 2`: it must be
    /// whole.
    pub(crate) fn whole(&mut self, term: &'p Term, env: &Env<'p>) -> Result<Sym, No> {
        match self.eval(term, env)? {
            value @ (Sym::Int(_) | Sym::Exponent(_)) => Ok(value),
            Sym::Real(Real { a, b, below, .. }) if b == Linear::default() => {
                self.need(Formula::multiple(&a, &below));
                Ok(Sym::Int(self.divided(&a, &below, true)))
            }
            _ => Err(odd(term.span)),
        }
    }

    pub(crate) fn eval(&mut self, term: &'p Term, env: &Env<'p>) -> Result<Sym, No> {
        self.step()?;
        if let Some(known) = self.constants.get(&term.id()) {
            return Ok(known.clone());
        }
        match &term.kind {
            TermKind::Int(number) => Ok(Sym::number(number.clone())),
            TermKind::Bool(value) => Ok(Sym::Bool(Formula::Constant(*value))),
            TermKind::Text(text) => Ok(Sym::Text(text.clone())),
            TermKind::Slot(slot) => match (env.slots.get(slot), env.lazy(*slot)) {
                (Some(value), _) => Ok(value.clone()),
                (None, Some(lazy)) => self.eval(lazy, env),
                (None, None) => Err(odd(term.span)),
            },
            TermKind::Neg(inner) => Ok(Sym::Int(Linear::default().minus(&self.int(inner, env)?))),
            TermKind::Not(_) | TermKind::Logic(..) | TermKind::Iff(..) | TermKind::Compare(..) => {
                Ok(Sym::Bool(self.truth(term, env)?))
            }
            // What is divided by one of two numbers is one of two.
            TermKind::Binary(BinaryOp::Div | BinaryOp::Mod, a, b)
                if let TermKind::If(condition, x, y) = &bare(b).kind =>
            {
                let condition = self.truth(condition, env)?;
                let number = self.eval(a, env)?;
                let TermKind::Binary(op, ..) = &term.kind else { return Err(odd(term.span)) };
                let mut part = |when: &Formula, by: &'p Term| {
                    self.under(when, |scope| {
                        let by = scope.eval(by, env)?;
                        scope.operated(*op, number.clone(), by, term)
                    })
                };
                let (x, y) = (part(&condition, x)?, part(&condition.clone().not(), y)?);
                self.either(&condition, &x, &y, term)
            }
            TermKind::Binary(op, a, b) => {
                let x = match self.eval(a, env) {
                    Err(no) if *op == BinaryOp::Mod => {
                        // What stands in the way of the product is told, and may be mended.
                        let rest = self.remainder_of_product(a, b, env).unwrap_or(None);
                        return rest.map(Sym::Int).ok_or(no);
                    }
                    x => x?,
                };
                if let (
                    BinaryOp::Xor | BinaryOp::Sub | BinaryOp::Meet,
                    Sym::Set(x),
                    TermKind::Items(Gather::Set, items),
                ) = (op, &x, &b.kind)
                {
                    let members = self.different(items, env)?;
                    return self.of_sets(*op, x, &members, term);
                }
                let y = self.eval(b, env)?;
                self.operated(*op, x, y, term)
            }
            TermKind::If(condition, a, b) => {
                let condition = self.truth(condition, env)?;
                if let Formula::Constant(value) = condition {
                    return self.eval(if value { a } else { b }, env);
                }
                let a = self.under(&condition, |scope| scope.eval(a, env))?;
                let otherwise = condition.clone().not();
                let b = self.under(&otherwise, |scope| scope.eval(b, env))?;
                self.either(&condition, &a, &b, term)
            }
            TermKind::Tuple(parts) => {
                Ok(Sym::Tuple(parts.iter().map(|part| self.eval(part, env)).collect::<Result<_, No>>()?))
            }
            TermKind::Items(gather, items) => {
                let mut list = Vec::new();
                for item in items {
                    let value = self.eval(&item.term, env)?;
                    if item.spread {
                        let value = self.in_order(value, item.term.span)?;
                        list.extend(written_out(&value).ok_or_else(|| odd(item.term.span))?);
                    } else {
                        list.push((Formula::Constant(true), value));
                    }
                }
                if *gather == Gather::Set { self.set(Sym::List(list), term) } else { Ok(Sym::List(list)) }
            }
            TermKind::Comprehension(gather, value, clauses) => {
                let list = self.comprehension(value, clauses, env, *gather == Gather::List)?;
                if *gather == Gather::Set { self.set(list, term) } else { Ok(list) }
            }
            TermKind::Index(of, at) => {
                let of = self.eval(of, env)?;
                match (&of, self.eval(at, env)?) {
                    (Sym::Parts(of), Sym::PartIndex(part, other)) if *of == other => Ok(Sym::Int(Linear::track(part))),
                    (_, Sym::Int(at)) => self.index(&of, &at, term),
                    _ => Err(odd(at.span)),
                }
            }
            TermKind::Slice(of, from, to) => {
                let of = self.eval(of, env)?;
                if let (Sym::Parts(number), Some(from), None) = (&of, from, to) {
                    // Parts stand from the greatest to the least.
                    return match self.eval(from, env)? {
                        Sym::PartIndex(part, other) if *number == other => {
                            Ok(Sym::Parts(self.parts_up_to(number, part)?))
                        }
                        _ => Err(odd(term.span)),
                    };
                }
                let items = of.items().ok_or_else(|| odd(term.span))?;
                let mut place =
                    |at: &'p Term| Ok::<_, No>(self.int(at, env)?.constant().and_then(ToPrimitive::to_usize));
                // One behind the last.
                let behind = match to {
                    None => Some(items.len()),
                    Some(to) => place(to)?.and_then(|to| to.checked_add(1)),
                };
                let from = from.as_deref().map_or(Ok(Some(0)), place)?;
                let (Some(from), Some(behind)) = (from, behind) else { return Err(odd(term.span)) };
                if from >= behind {
                    return Ok(Sym::list([]));
                }
                let items = items.get(from..behind).ok_or_else(|| No::at(term.span, "a slice beyond the ends"))?;
                Ok(Sym::list(items.iter().cloned()))
            }
            TermKind::Update(of, changes, clauses) => {
                self.update(of, changes, clauses.as_deref().unwrap_or_default(), env, term)
            }
            TermKind::Part { of, index, arity } => {
                let items = self.eval(of, env)?.items().filter(|items| items.len() == *arity);
                items.and_then(|items| items.get(*index).cloned()).ok_or_else(|| odd(term.span))
            }
            TermKind::Call(def, arguments) => self.call(*def, arguments, env, term),
            TermKind::Builtin(word, arguments) => self.word(*word, arguments, env, term),
            TermKind::Place(place) => self.place_needed(place, env, term),
            TermKind::Misere(inner) => match self.eval(inner, env)? {
                Sym::Position { parts, .. } => Ok(Sym::Position { parts, misere: true }),
                _ => Err(odd(term.span)),
            },
            TermKind::Coerce(inner, kind) => {
                let value = self.eval(inner, env)?;
                let value = self.adapted(value, term)?;
                self.entered(&value, kind, term.span)?;
                Ok(value)
            }
            TermKind::Adapt(inner) => {
                let value = self.eval(inner, env)?;
                self.adapted(value, term)
            }
            TermKind::Global(global) => {
                let program = self.program;
                match &program.globals[global.0].source {
                    crate::model::GlobalSource::Let(body) => {
                        let env = Env::of(&body.frame, []);
                        self.eval(&body.term, &env)
                    }
                    crate::model::GlobalSource::Input(_) => Err(No::at(term.span, "an input")),
                }
            }
            TermKind::Drawing(_) => Err(odd(term.span)),
        }
    }

    /// The numbers of a set as they are written, in no order: all of them must be different.
    fn different(&mut self, items: &'p [Item], env: &Env<'p>) -> Result<Vec<Linear>, No> {
        let mut members = Vec::new();
        for item in items {
            match self.eval(&item.term, env)? {
                Sym::Int(number) if !item.spread => members.push(number),
                _ => return Err(odd(item.term.span)),
            }
        }
        for (at, a) in members.iter().enumerate() {
            for b in &members[..at] {
                self.need(Formula::equal(a, b).not());
            }
        }
        Ok(members)
    }

    /// A value where a type of another form is wanted.
    fn adapted(&mut self, value: Sym, term: &Term) -> Result<Sym, No> {
        use crate::model::kind::Type;
        match (&term.ty, &value) {
            (Type::Set(_), Sym::List(_)) => self.set(value, term),
            (Type::List(_), Sym::Set(items)) => Ok(Sym::list(items.iter().cloned().map(Sym::Int))),
            (Type::Bag(_), Sym::Bag(_)) => Ok(value),
            (Type::Bag(_), _) => Ok(Sym::Bag(written_out(&value).ok_or_else(|| No::at(term.span, "a bag"))?)),
            (Type::Real, Sym::Int(_)) => Ok(real(&value).map_or(value, Sym::Real)),
            (Type::Position, Sym::Int(_)) => Ok(Sym::Position { parts: Vec::new(), misere: false }),
            _ => Ok(value),
        }
    }

    pub(crate) fn either(&mut self, condition: &Formula, a: &Sym, b: &Sym, term: &Term) -> Result<Sym, No> {
        match (a, b) {
            (Sym::Int(_) | Sym::Exponent(_), Sym::Int(_) | Sym::Exponent(_)) => {
                self.value_of_two(condition, a, b).ok_or_else(|| odd_exponents(a, b, term))
            }
            (Sym::Bool(a), Sym::Bool(b)) => Ok(Sym::Bool(Formula::either(condition, a.clone(), b.clone()))),
            (Sym::Bag(x), Sym::Bag(y)) => {
                match self.either(condition, &Sym::List(x.clone()), &Sym::List(y.clone()), term)? {
                    Sym::List(items) => Ok(Sym::Bag(items)),
                    _ => Err(odd(term.span)),
                }
            }
            (Sym::List(x), Sym::List(y)) if x.len() != y.len() => {
                let with = |items: &[(Formula, Sym)], when: &Formula| -> Vec<(Formula, Sym)> {
                    items
                        .iter()
                        .map(|(there, item)| (Formula::all([there.clone(), when.clone()]), item.clone()))
                        .collect()
                };
                let mut list = with(x, condition);
                list.extend(with(y, &condition.clone().not()));
                Ok(Sym::List(list))
            }
            (Sym::Position { parts: x, misere: m }, Sym::Position { parts: y, misere: n })
                if m == n && x.len() == y.len() && x.iter().zip(y).all(|(x, y)| x.game == y.game) =>
            {
                let mut parts = Vec::new();
                for (x, y) in x.iter().zip(y) {
                    let mut both = |x: &[Sym], y: &[Sym]| -> Result<Vec<Sym>, No> {
                        x.iter().zip(y).map(|(x, y)| self.either(condition, x, y, term)).collect()
                    };
                    let (params, fields) = (both(&x.params, &y.params)?, both(&x.fields, &y.fields)?);
                    parts.push(Part::new(x.game, params, fields));
                }
                Ok(Sym::Position { parts, misere: *m })
            }
            _ => match (a.items(), b.items()) {
                (Some(x), Some(y)) if x.len() == y.len() => {
                    let items: Result<Vec<Sym>, No> =
                        x.iter().zip(&y).map(|(x, y)| self.either(condition, x, y, term)).collect();
                    Ok(match a {
                        Sym::Tuple(_) => Sym::Tuple(items?),
                        Sym::Set(_) => Sym::Set(
                            items?
                                .iter()
                                .filter_map(|i| if let Sym::Int(n) = i { Some(n.clone()) } else { None })
                                .collect(),
                        ),
                        _ => Sym::list(items?),
                    })
                }
                _ => Err(odd(term.span)),
            },
        }
    }
}

/// A number, in the form of those with square roots.
pub(crate) fn real(value: &Sym) -> Option<Real> {
    match value {
        Sym::Int(number) => Some(Real { a: number.clone(), b: Linear::default(), below: BigInt::from(1), root: 1 }),
        Sym::Real(real) => Some(real.clone()),
        _ => None,
    }
}

pub(crate) fn name_of(pattern: &Pattern) -> Option<Slot> {
    if let Pattern::Slot(slot) = pattern { Some(*slot) } else { None }
}
