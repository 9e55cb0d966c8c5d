//! Clauses: every way through them, with numbers that are variables; and lists and sets of known length: made by clauses,
//! sorted, looked into, changed.

use crate::logic::choices::ways_to_choose;
use crate::logic::exponents::Exponent;
use crate::logic::quotients::Quotient;
use crate::logic::scope::Scope;
use crate::logic::symbol::{No, Sym, all_there, odd};
use crate::logic::term::Env;
use crate::model::{Builtin, Change, Clause, CompareOp, Gather, Pattern, Term, TermKind};
use crate::source::Span;
use crate::syntax::tree::SetOp;
use crate::value::width;
use grundy_automata::{Atom, Formula, Linear, System};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

/// Ranges of at most so many known numbers are gone through one by one.
const WRITTEN_OUT: i64 = 64;

type Body<'a, 'p> = &'a mut dyn FnMut(&mut Scope<'p>, &Env<'p>) -> Result<Formula, No>;

impl<'p> Scope<'p> {
    /// Whether some way through the clauses makes the body true. A name that has a value already is a variable that must be a
    /// member, or a member that was chosen.
    pub(crate) fn ways(&mut self, clauses: &'p [Clause], env: &Env<'p>, body: Body<'_, 'p>) -> Result<Formula, No> {
        let Some((first, rest)) = clauses.split_first() else { return body(self, env) };
        match first {
            Clause::Where(condition) => {
                let holds = self.truth(condition, env)?;
                if let Formula::Constant(false) = holds {
                    return Ok(holds);
                }
                let rest = self.under(&holds, |scope| scope.ways(rest, env, body))?;
                Ok(Formula::all([holds, rest]))
            }
            Clause::Let { pattern, value } => self.local(|scope| {
                scope.cases(&mut |scope| {
                    let value = scope.eval(value, env)?;
                    let mut env = env.clone();
                    bind(&mut env, pattern, value)?;
                    scope.ways(rest, &env, body)
                })
            }),
            Clause::In { pattern: Pattern::Slot(slot), source, span } if env.slots.contains_key(slot) => {
                let member = &env.slots[slot];
                if member.known().is_some() {
                    return self.ways(rest, env, body);
                }
                let domain = self.eval(source, env)?;
                self.need_naturals(&domain);
                let inside = self.member(member, &domain, *span)?;
                let rest = self.under(&inside, |scope| scope.ways(rest, env, body))?;
                Ok(Formula::all([inside, rest]))
            }
            // The ways through the clauses of a list are ways through its items.
            Clause::In { pattern, source: Term { kind: TermKind::Comprehension(_, value, inner), .. }, .. } => self
                .ways(inner, env, &mut |scope, env| {
                    let item = scope.eval(value, env)?;
                    let mut env = env.clone();
                    bind(&mut env, pattern, item)?;
                    scope.ways(rest, &env, body)
                }),
            Clause::In { pattern, source, span } => self.local(|scope| {
                // Members that are written twice are one way, or two that lead to the same; so are those of a bag.
                let domain = match &source.kind {
                    TermKind::Builtin(word @ (Builtin::Pairs | Builtin::Choose), arguments) => {
                        let mut values = Vec::new();
                        for argument in arguments {
                            let value = scope.eval(argument, env)?;
                            values.push(scope.in_order(value, argument.span)?);
                        }
                        ways_to_choose(*word, &values, source)?
                    }
                    TermKind::Items(Gather::Set, items) if items.iter().all(|item| !item.spread) => {
                        let members = items.iter().map(|item| scope.eval(&item.term, env));
                        Sym::list(members.collect::<Result<Vec<_>, No>>()?)
                    }
                    _ => scope.eval(source, env)?,
                };
                scope.each(&domain, *span, &mut |scope, member| {
                    let mut env = env.clone();
                    bind(&mut env, pattern, member)?;
                    scope.ways(rest, &env, body)
                })
            }),
        }
    }

    /// Whether some member of a domain makes the body true.
    pub(crate) fn each(
        &mut self,
        domain: &Sym,
        span: Span,
        body: &mut dyn FnMut(&mut Self, Sym) -> Result<Formula, No>,
    ) -> Result<Formula, No> {
        if let Some(items) = written_out(domain).filter(|items| !has_many(items)) {
            let mut ways = Vec::new();
            for (there, item) in items {
                let inner = self.under(&there, |scope| body(scope, item))?;
                ways.push(Formula::all([there, inner]));
            }
            return Ok(Formula::any(ways));
        }
        if let Sym::Choices(domains) = domain {
            return self.choices(domains, Vec::new(), span, body);
        }
        if let Sym::PartIndices(of) = domain {
            self.digits.insert(System::ZECKENDORF);
            return self.some(|scope, part| {
                let whole = scope.track(of);
                let inside = Formula::atom(Atom::Part(part, whole));
                let inner = scope.under(&inside, |scope| body(scope, Sym::PartIndex(part, of.clone())))?;
                Ok(Formula::all([inside, inner]))
            });
        }
        self.need_naturals(domain);
        let mut own = None;
        let found = self.some(|scope, track| {
            own = Some(track);
            let member = match domain {
                Sym::Range(from, to) => match (&**from, &**to) {
                    (Sym::Exponent(Exponent { base, .. }), _) | (_, Sym::Exponent(Exponent { base, .. })) => {
                        Sym::Exponent(Exponent::of(*base, Linear::track(track)))
                    }
                    (Sym::Quotient(one), _) | (_, Sym::Quotient(one)) => {
                        Sym::Quotient(Box::new(Quotient { product: Linear::track(track), of: one.of.clone() }))
                    }
                    _ => Sym::Int(Linear::track(track)),
                },
                _ => Sym::Int(Linear::track(track)),
            };
            let inside = scope.member(&member, domain, span)?;
            let inner = scope.under(&inside, |scope| body(scope, member))?;
            Ok(Formula::all([inside, inner]))
        });
        match (&found, domain) {
            (Err(No { exponent: Some((track, base)), .. }), Sym::Range(from, to)) if own == Some(*track) => {
                self.some_exponent(*base, [from, to], span, body)
            }
            _ => found,
        }
    }

    /// Members of a domain that become variables, which are never negative, must not be negative.
    fn need_naturals(&mut self, domain: &Sym) {
        match domain {
            Sym::Range(from, to) => {
                if let (Sym::Int(from), Sym::Int(to)) = (&**from, &**to) {
                    self.need(Formula::any([Formula::natural(from), Formula::less(to, from)]));
                }
            }
            Sym::Without(all, _) => self.need_naturals(all),
            _ => {}
        }
    }

    /// One member of each of these domains, after those already chosen.
    fn choices(
        &mut self,
        domains: &[Sym],
        chosen: Vec<Sym>,
        span: Span,
        body: &mut dyn FnMut(&mut Self, Sym) -> Result<Formula, No>,
    ) -> Result<Formula, No> {
        let Some((first, rest)) = domains.split_first() else { return body(self, Sym::list(chosen)) };
        self.each(first, span, &mut |scope, member| {
            let mut chosen = chosen.clone();
            chosen.push(member);
            scope.choices(rest, chosen, span, body)
        })
    }

    pub(crate) fn member(&mut self, member: &Sym, domain: &Sym, span: Span) -> Result<Formula, No> {
        if let (Sym::Exponent(exponent), Sym::Range(from, to)) = (member, domain) {
            return self.exponent_between(exponent, [from, to], span);
        }
        if let (Sym::Exponent(exponent), Sym::Naturals) = (member, domain) {
            let natural = Exponent::compared(CompareOp::Ge, member, &Sym::number(0)).ok_or_else(|| odd(span))?;
            return Ok(Formula::all([self.is_power(exponent.base, &exponent.power)?, natural]));
        }
        if let (Sym::Quotient(quotient), Sym::Range(from, to)) = (member, domain) {
            return self.quotient_between(quotient, [from, to], span);
        }
        if let (Sym::DigitSum(..) | Sym::Exponent(..) | Sym::Quotient(_), Some(items)) = (member, domain.items()) {
            let mut some = Vec::new();
            for item in &items {
                some.push(self.equal(member, item, span)?);
            }
            return Ok(Formula::any(some));
        }
        if let (Sym::Bool(_), Sym::Truths) = (member, domain) {
            return Ok(Formula::Constant(true));
        }
        let Sym::Int(number) = member else { return Err(No::at(span, "members that are no numbers")) };
        match domain {
            Sym::Naturals => Ok(Formula::natural(number)),
            Sym::Range(from, to) => match (&**from, &**to) {
                (Sym::Int(from), Sym::Int(to)) => {
                    Ok(Formula::all([Formula::at_most(from, number), Formula::at_most(number, to)]))
                }
                _ => Err(odd(span)),
            },
            Sym::Set(_) | Sym::List(_) if written_out(domain).is_some_and(|items| has_many(&items)) => {
                Ok(among(number, domain.ints().unwrap_or_default()))
            }
            Sym::Set(items) => Ok(Formula::any(items.iter().map(|item| Formula::equal(number, item)))),
            Sym::List(items) | Sym::Bag(items) => {
                let mut ways = Vec::new();
                for (there, item) in items {
                    let Sym::Int(item) = item else { return Err(odd(span)) };
                    ways.push(Formula::all([there.clone(), Formula::equal(number, item)]));
                }
                Ok(Formula::any(ways))
            }
            Sym::Parts(of) => {
                self.digits.insert(System::ZECKENDORF);
                self.local(|scope| {
                    let (part, of) = (scope.track(number), scope.track(of));
                    Ok(Formula::atom(Atom::Part(part, of)))
                })
            }
            Sym::Divisors(of) => {
                let inside = Formula::all([Formula::at_most(&Linear::number(1), number), Formula::at_most(number, of)]);
                let rest = self.under(&inside, |scope| Ok(scope.divided_by_variable(of, number, false)))?;
                let Sym::Int(rest) = rest else { return Err(odd(span)) };
                Ok(Formula::all([inside, Formula::zero(&rest)]))
            }
            Sym::Without(all, less) => {
                let (all, less) = (self.member(member, all, span)?, self.member(member, less, span)?);
                Ok(Formula::all([all, less.not()]))
            }
            Sym::Slide(from, to, taken) => {
                // From beside the start to the end with it, and no taken cell up to there.
                let way = |down: bool| {
                    let before = |a: &Linear, b: &Linear| if down { Formula::less(b, a) } else { Formula::less(a, b) };
                    let free = taken.iter().map(|cell| {
                        let between = Formula::all([before(from, cell), before(number, cell).not()]);
                        between.not()
                    });
                    Formula::all(
                        [before(from, to), before(from, number), before(to, number).not()].into_iter().chain(free),
                    )
                };
                Ok(Formula::any([way(true), way(false)]))
            }
            _ => Err(odd(span)),
        }
    }

    /// The set of the items of a list: sorted, and all of them different.
    pub(crate) fn set(&mut self, list: Sym, term: &Term) -> Result<Sym, No> {
        let list = match list {
            Sym::Set(_) => return Ok(list),
            Sym::Bag(items) => Sym::List(items),
            other => other,
        };
        let items = list.items().ok_or_else(|| odd(term.span))?;
        let is =
            |truth: bool| items.iter().any(|item| matches!(item, Sym::Bool(Formula::Constant(it)) if *it == truth));
        if is(false) && is(true) {
            return Ok(Sym::Truths);
        }
        let numbers: Option<Vec<Linear>> =
            items.iter().map(|item| if let Sym::Int(n) = item { Some(n.clone()) } else { None }).collect();
        let mut sorted = self.sorted(numbers.ok_or_else(|| odd(term.span))?);
        sorted.dedup();
        for pair in sorted.windows(2) {
            let apart = Formula::less(&pair[0], &pair[1]);
            self.need(apart);
        }
        Ok(Sym::Set(sorted))
    }

    /// Numbers in ascending order (sorting by insertion, as a network of comparisons).
    pub(crate) fn sorted(&mut self, mut numbers: Vec<Linear>) -> Vec<Linear> {
        if numbers.iter().all(|number| number.constant().is_some()) {
            numbers.sort_by(|a, b| a.constant.cmp(&b.constant));
            return numbers;
        }
        for end in 1..numbers.len() {
            for at in (0..end).rev() {
                let (a, b) = (numbers[at].clone(), numbers[at + 1].clone());
                numbers[at] = self.extreme(&a, &b, false);
                numbers[at + 1] = self.extreme(&a, &b, true);
            }
        }
        numbers
    }

    /// The list that clauses make; if it is not asked for `in_order`, its items may stand in any order.
    pub(crate) fn comprehension(
        &mut self,
        value: &'p Term,
        clauses: &'p [Clause],
        env: &Env<'p>,
        in_order: bool,
    ) -> Result<Sym, No> {
        let mut list = Vec::new();
        self.gather(value, (clauses, in_order), env, &Formula::Constant(true), &mut list)?;
        Ok(Sym::List(list))
    }

    /// A bag as the list of its items in ascending order; anything else as it is.
    pub(crate) fn in_order(&mut self, value: Sym, span: Span) -> Result<Sym, No> {
        match value {
            Sym::Bag(items) if items.len() < 2 => Ok(Sym::List(items)),
            Sym::Bag(_) => {
                let numbers =
                    value.ints().ok_or_else(|| No::at(span, "the order of a bag of other things than numbers"))?;
                Ok(Sym::list(self.sorted(numbers).into_iter().map(Sym::Int)))
            }
            other => Ok(other),
        }
    }

    /// A bag without these members, each of which it must hold.
    pub(crate) fn taken_out(&mut self, bag: &Sym, less: &Sym, term: &Term) -> Result<Sym, No> {
        let items = |bag: &Sym| if let Sym::Bag(items) = bag { all_there(items) } else { None };
        let (Some(mut items), Some(less)) = (items(bag), items(less)) else { return Err(odd(term.span)) };
        for member in &less {
            let same: Vec<Formula> =
                items.iter().map(|item| self.equal(item, member, term.span)).collect::<Result<_, No>>()?;
            if let Some(at) = same.iter().position(|same| matches!(same, Formula::Constant(true))) {
                items.remove(at);
                continue;
            }
            self.need(Formula::any(same.iter().cloned()));
            // The first that is the same is left out: those behind it move up.
            let mut left = Vec::new();
            for at in 1..items.len() {
                let gone = Formula::any(same[..at].iter().cloned());
                left.push(self.either(&gone, &items[at].clone(), &items[at - 1].clone(), term)?);
            }
            items = left;
        }
        Ok(Sym::bag(items))
    }

    fn gather(
        &mut self,
        value: &'p Term,
        (clauses, in_order): (&'p [Clause], bool),
        env: &Env<'p>,
        there: &Formula,
        list: &mut Vec<(Formula, Sym)>,
    ) -> Result<(), No> {
        let Some((first, rest)) = clauses.split_first() else {
            let item = self.under(there, |scope| scope.eval(value, env))?;
            list.push((there.clone(), item));
            return Ok(());
        };
        match first {
            Clause::Where(condition) => {
                let holds = self.under(there, |scope| scope.truth(condition, env))?;
                let there = Formula::all([there.clone(), holds]);
                if let Formula::Constant(false) = there {
                    return Ok(());
                }
                self.gather(value, (rest, in_order), env, &there, list)
            }
            Clause::Let { pattern, value: bound } => {
                let bound = self.under(there, |scope| scope.eval(bound, env))?;
                let mut env = env.clone();
                bind(&mut env, pattern, bound)?;
                self.gather(value, (rest, in_order), &env, there, list)
            }
            Clause::In { pattern, source, span } => {
                let domain = self.under(there, |scope| scope.eval(source, env))?;
                let domain = if in_order { self.in_order(domain, *span)? } else { domain };
                let Some(items) = written_out(&domain) else {
                    return Err(No::at(*span, "a list of as many items as a variable says"));
                };
                for (when, item) in items {
                    let mut env = env.clone();
                    bind(&mut env, pattern, item)?;
                    self.gather(value, (rest, in_order), &env, &Formula::all([there.clone(), when]), list)?;
                }
                Ok(())
            }
        }
    }

    /// The item at a place; where the place is a variable, by cases.
    pub(crate) fn index(&mut self, of: &Sym, at: &Linear, term: &Term) -> Result<Sym, No> {
        let items = of.items().ok_or_else(|| odd(term.span))?;
        if let Some(at) = at.constant() {
            let item = at.to_usize().and_then(|at| items.get(at).cloned());
            if item.is_none() {
                // It may be a place that is never reached.
                self.need(Formula::Constant(false));
            }
            return Ok(item.unwrap_or(Sym::number(0)));
        }
        let last = Linear::number(items.len()).minus(&Linear::number(1));
        self.need(Formula::all([Formula::natural(at), Formula::at_most(at, &last)]));
        // Known numbers are counted from the least of them, so that none is negative.
        let known = |item: &Sym| if let Sym::Int(number) = item { number.constant().cloned() } else { None };
        let constants: Option<Vec<BigInt>> = items.iter().map(known).collect();
        let least = constants.and_then(|constants| constants.into_iter().min()).filter(Signed::is_negative);
        let up = |item: Sym, by: &BigInt| match item {
            Sym::Int(number) => Sym::Int(number.plus(&BigInt::from(1), &Linear::number(by.clone()))),
            other => other,
        };
        if let Some(least) = least {
            let raised = Sym::list(items.into_iter().map(|item| up(item, &-&least)));
            return Ok(up(self.index(&raised, at, term)?, &least));
        }
        let mut items = items.into_iter().enumerate();
        let Some((_, mut chosen)) = items.next() else { return Ok(Sym::number(0)) };
        for (i, item) in items {
            let here = Formula::equal(at, &Linear::number(i));
            chosen = self.either(&here, &item, &chosen, term)?;
        }
        Ok(chosen)
    }

    pub(crate) fn update(
        &mut self,
        of: &'p Term,
        changes: &'p [Change],
        clauses: &'p [Clause],
        env: &Env<'p>,
        term: &Term,
    ) -> Result<Sym, No> {
        let old = self.eval(of, env)?.items().ok_or_else(|| odd(term.span))?;
        let mut new = old.clone();
        let mut read = Vec::new();
        for change in changes {
            // Every way through the clauses makes the change; without clauses there is one way.
            let [mut places, mut values] = [Vec::new(), Vec::new()];
            let always = Formula::Constant(true);
            self.gather(&change.index, (clauses, true), env, &always, &mut places)?;
            self.gather(&change.value, (clauses, true), env, &always, &mut values)?;
            for ((there, at), (_, value)) in places.into_iter().zip(values) {
                let Sym::Int(at) = at else { return Err(odd(change.index.span)) };
                read.push((there, at, change.op, value));
            }
        }
        for (there, at, op, value) in read {
            let last = Linear::number(old.len()).minus(&Linear::number(1));
            let inside = Formula::all([Formula::natural(&at), Formula::at_most(&at, &last)]);
            self.need(there.clone().implies(inside));
            let here = |i| Formula::all([there.clone(), Formula::equal(&at, &Linear::number(i))]);
            let here = (0..old.len()).map(|i| (here(i), i));
            let places: Vec<(Formula, usize)> =
                here.filter(|(here, _)| !matches!(here, Formula::Constant(false))).collect();
            for (here, place) in places {
                let changed = match (op, &new[place], &value) {
                    (SetOp::Put, _, value) => value.clone(),
                    (SetOp::Add, Sym::Int(old), Sym::Int(by)) => Sym::Int(old.plus(&BigInt::from(1), by)),
                    (SetOp::Remove, Sym::Int(old), Sym::Int(by)) => Sym::Int(old.minus(by)),
                    _ => return Err(odd(term.span)),
                };
                new[place] = match here {
                    Formula::Constant(true) => changed,
                    here => self.either(&here, &changed, &new[place].clone(), term)?,
                };
            }
        }
        Ok(Sym::list(new))
    }
}

/// Whether these are many known natural numbers, of which a variable is better one than each of them by itself.
fn has_many(items: &[(Formula, Sym)]) -> bool {
    let known = |(there, item): &(Formula, Sym)| match (there, item) {
        (Formula::Constant(true), Sym::Int(number)) => number.constant().is_some_and(|number| !number.is_negative()),
        _ => false,
    };
    width::int(items.len()) > WRITTEN_OUT && items.iter().all(known)
}

/// Whether a number is one of these, which are known: neighbours together.
fn among(number: &Linear, mut known: Vec<Linear>) -> Formula {
    known.sort_unstable_by(|a, b| a.constant.cmp(&b.constant));
    let runs = known.chunk_by(|a, b| &b.constant - &a.constant <= BigInt::from(1));
    let run = |run: &[Linear]| Some([Formula::at_most(run.first()?, number), Formula::at_most(number, run.last()?)]);
    Formula::any(runs.filter_map(run).map(Formula::all))
}

/// The members of a domain that is known and not large, with the conditions under which they are there.
pub(crate) fn written_out(domain: &Sym) -> Option<Vec<(Formula, Sym)>> {
    members(domain, WRITTEN_OUT)
}

/// The same for ranges of up to so many numbers.
pub(crate) fn members(domain: &Sym, most: i64) -> Option<Vec<(Formula, Sym)>> {
    match domain {
        Sym::Truths => Some([false, true].map(|it| (Formula::Constant(true), Sym::Bool(Formula::Constant(it)))).into()),
        Sym::List(items) | Sym::Bag(items) => Some(items.clone()),
        Sym::Set(items) => Some(items.iter().map(|item| (Formula::Constant(true), Sym::Int(item.clone()))).collect()),
        Sym::Range(from, to) => {
            let (Sym::Int(from), Sym::Int(to)) = (&**from, &**to) else { return None };
            let (from, to) = (from.constant()?.to_i64()?, to.constant()?.to_i64()?);
            let few = to.checked_sub(from)? < most;
            few.then(|| (from..=to).map(|n| (Formula::Constant(true), Sym::number(n))).collect())
        }
        _ => None,
    }
}

pub(crate) fn bind(env: &mut Env<'_>, pattern: &Pattern, value: Sym) -> Result<(), No> {
    match pattern {
        Pattern::Ignore => Ok(()),
        Pattern::Slot(slot) => {
            env.slots.insert(*slot, value);
            Ok(())
        }
        Pattern::Tuple(parts, span) => {
            let items = value.items().filter(|items| items.len() == parts.len());
            let Some(items) = items else { return Err(No::at(*span, "a pattern whose parts are not known")) };
            parts.iter().zip(items).try_for_each(|(part, item)| bind(env, part, item))
        }
    }
}
