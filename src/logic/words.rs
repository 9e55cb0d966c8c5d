//! The built-in words and the operators with variables in their arguments.

use crate::logic::choices::ways_to_choose;
use crate::logic::clauses::written_out;
use crate::logic::exponents::{Exponent, odd_exponents};
use crate::logic::numbers::{Quadratic, Weights, times};
use crate::logic::quotients::Quotient;
use crate::logic::scope::Scope;
use crate::logic::symbol::{No, Real, Sym, odd, two_roots};
use crate::logic::term::{Env, name_of, real};
use crate::model::walk::{bare, slots_in};
use crate::model::{BinaryOp, Builtin, Clause, CompareOp, Gather, Term, TermKind, Type};
use grundy_automata::{Atom, Formula, Linear, System, Track};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};

/// Real numbers are raised to no higher power.
const POWER: usize = 64;

impl<'p> Scope<'p> {
    pub(crate) fn word(&mut self, word: Builtin, arguments: &'p [Term], env: &Env<'p>, term: &Term) -> Result<Sym, No> {
        if let (Builtin::All | Builtin::Any, [argument]) = (word, arguments) {
            return self.quantified(word == Builtin::All, argument, env);
        }
        if word == Builtin::Nat {
            return Ok(Sym::Naturals);
        }
        if let Some(sum) = self.ones_counted(word, arguments, env)? {
            return Ok(sum);
        }
        if let (Builtin::Size | Builtin::Min | Builtin::Max, [set]) = (word, arguments)
            && let Some(members) = self.members_written(set, env)?
        {
            return match word {
                Builtin::Size => Ok(Sym::Int(self.different_members(&members))),
                _ => self.greatest(&[Sym::list(members.into_iter().map(Sym::Int))], word == Builtin::Max, term),
            };
        }
        let mut values = Vec::new();
        for argument in arguments {
            values.push(if word.is_question() {
                self.position(argument, env)?
            } else {
                self.argument(word, argument, env)?
            });
        }
        if let (Builtin::Pairs | Builtin::Choose, [Sym::Bag(_), ..]) = (word, &values[..]) {
            // Each only once, whatever is equal.
            return Err(odd(term.span));
        }
        if !order_tells_nothing(word) {
            for (value, argument) in values.iter_mut().zip(arguments) {
                *value = self.in_order(value.clone(), argument.span)?;
            }
        }
        match (word, &values[..]) {
            (Builtin::Abs, [Sym::Int(number)]) => Ok(Sym::Int(self.absolute(number))),
            (Builtin::Sqrt, [value]) => root(value, term),
            (Builtin::Floor | Builtin::Ceil, [value]) => {
                let Some(value) = real(value) else { return Err(odd(term.span)) };
                let rounded = self.rounded(&value, word == Builtin::Ceil);
                rounded.map(Sym::Int).map_err(|no| No { span: Some(term.span), ..no })
            }
            (Builtin::Bits, [Sym::Int(number)]) => Ok(Sym::Exponent(Exponent::of(2, self.power_above(2, number)?))),
            (Builtin::Valuation, [Sym::Int(number), Sym::Int(base)]) => {
                let base = base.constant().and_then(ToPrimitive::to_u8).filter(|base| (2..=16).contains(base));
                let base = base
                    .ok_or_else(|| No::at(term.span, "how often a number that is not in 2..16 divides a variable"))?;
                Ok(Sym::Exponent(Exponent::of(base, self.lowest_place(base, number)?)))
            }
            (Builtin::Bit, [Sym::Int(number), place]) => {
                self.digits.insert(System::Binary);
                let place = match place {
                    Sym::Exponent(place) => {
                        let power = self.raised(&BigInt::from(2), place, term.span)?;
                        self.track(&power)
                    }
                    Sym::Int(place) => match (place.constant(), place.constant().and_then(ToPrimitive::to_u32)) {
                        (_, Some(place)) if place < 1000 => self.track(&Linear::number(BigInt::from(1) << place)),
                        (None, _) => return Err(Scope::no_power(&BigInt::from(2), place, term.span)),
                        _ => return Err(No::at(term.span, "a place that is far up")),
                    },
                    _ => return Err(odd(term.span)),
                };
                let number: Track = self.track(number);
                Ok(Sym::Bool(Formula::atom(Atom::Part(place, number))))
            }
            (Builtin::Zeckendorf, [Sym::Int(number)]) => {
                self.digits.insert(System::ZECKENDORF);
                self.need(Formula::natural(number));
                Ok(Sym::Parts(number.clone()))
            }
            (Builtin::Digits, [Sym::Int(number), base @ ..]) => {
                let base = match base {
                    [] => Some(10),
                    [Sym::Int(base)] => base.constant().and_then(ToPrimitive::to_u8),
                    _ => None,
                };
                let base = base.filter(|base| (2..=16).contains(base));
                let base = base.ok_or_else(|| No::at(term.span, "digits in a base that is not in 2..16"))?;
                self.need(Formula::natural(number));
                Ok(Sym::Digits(number.clone(), base))
            }
            (Builtin::Divisors, [Sym::Int(number)]) => {
                self.need(Formula::at_most(&Linear::number(1), number));
                Ok(Sym::Divisors(number.clone()))
            }
            (Builtin::Size, [value]) => self.size(value, term),
            (Builtin::Sum | Builtin::Xor, _) => self.folded(&values, word == Builtin::Xor, term),
            (Builtin::Count, [Sym::List(items)]) => {
                let mut sum = Linear::default();
                for (there, item) in items {
                    let Sym::Bool(item) = item else { return Err(odd(term.span)) };
                    let one = self.truth_value(&Formula::all([there.clone(), item.clone()]));
                    sum = sum.plus(&BigInt::from(1), &one);
                }
                Ok(Sym::Int(sum))
            }
            (Builtin::Indices, [Sym::Parts(of)]) => Ok(Sym::PartIndices(of.clone())),
            (Builtin::Indices, [value]) => {
                let size = value.items().ok_or_else(|| odd(term.span))?.len();
                let last = Linear::number(size).minus(&Linear::number(1));
                Ok(Sym::Range(Box::new(Sym::number(0)), Box::new(Sym::Int(last))))
            }
            // Parts stand from the greatest to the least.
            (Builtin::First | Builtin::Max, [Sym::Parts(of)]) => Ok(Sym::Int(self.end_part(of, true))),
            (Builtin::Last | Builtin::Min, [Sym::Parts(of)]) => Ok(Sym::Int(self.end_part(of, false))),
            (Builtin::Min | Builtin::Max, _) => self.greatest(&values, word == Builtin::Max, term),
            (Builtin::First | Builtin::Last, [value]) => {
                let items = value.items().ok_or_else(|| odd(term.span))?;
                let item = if word == Builtin::First { items.first() } else { items.last() };
                item.cloned().ok_or_else(|| odd(term.span))
            }
            (Builtin::Pairs | Builtin::Choose | Builtin::Subsets, _) => ways_to_choose(word, &values, term),
            (Builtin::Reverse, [value]) => {
                let items = value.items().ok_or_else(|| odd(term.span))?;
                Ok(Sym::list(items.into_iter().rev()))
            }
            (Builtin::List, [value]) => Ok(Sym::List(written_out(value).ok_or_else(|| odd(term.span))?)),
            (Builtin::Bag, [value]) => Ok(Sym::Bag(written_out(value).ok_or_else(|| odd(term.span))?)),
            (Builtin::Set, [Sym::List(_) | Sym::Set(_) | Sym::Bag(_)]) => {
                let value = values.swap_remove(0);
                self.set(value, term)
            }
            (Builtin::Sort, [value]) => {
                let numbers = value.ints().ok_or_else(|| odd(term.span))?;
                let sorted = if let Sym::Set(_) = value { numbers } else { self.sorted(numbers) };
                Ok(Sym::list(sorted.into_iter().map(Sym::Int)))
            }
            (Builtin::Increasing, [value]) => {
                let numbers = value.ints().ok_or_else(|| odd(term.span))?;
                Ok(Sym::Bool(Formula::all(numbers.windows(2).map(|pair| Formula::less(&pair[0], &pair[1])))))
            }
            (Builtin::Repeat, [value, Sym::Int(times)]) => {
                let items = value.items().ok_or_else(|| odd(term.span))?;
                let times = times.constant().and_then(ToPrimitive::to_usize).filter(|&n| n < 1000);
                let times = times.ok_or_else(|| odd(term.span))?;
                Ok(Sym::list(std::iter::repeat_n(items, times).flatten()))
            }
            (Builtin::Choices, [Sym::List(items)]) => {
                let domains = Sym::List(items.clone()).items().ok_or_else(|| odd(term.span))?;
                Ok(Sym::Choices(domains))
            }
            (Builtin::Slide, [Sym::Int(from), Sym::Int(to), taken]) => {
                let taken = taken.ints().ok_or_else(|| odd(term.span))?;
                Ok(Sym::Slide(from.clone(), to.clone(), taken))
            }
            (
                Builtin::Grundy | Builtin::Loses | Builtin::Wins | Builtin::Draws | Builtin::Outcome,
                [Sym::Position { parts, misere }],
            ) => self.question(word, parts, *misere, term),
            _ => Err(No::at(term.span, "this word is not in the logic of the prover")),
        }
    }

    /// What a word is asked of; its members may stand in any order where that does not matter to the word.
    pub(crate) fn argument(&mut self, word: Builtin, argument: &'p Term, env: &Env<'p>) -> Result<Sym, No> {
        match &bare(argument).kind {
            TermKind::Comprehension(Gather::List, value, clauses)
                if order_tells_nothing(word) && !self.constants.contains_key(&argument.id()) =>
            {
                self.comprehension(value, clauses, env, false)
            }
            _ => self.eval(argument, env),
        }
    }

    /// How two sets compare of which one is written by numbers that may be equal, or whether such a set is one of several; `None`: they
    /// are no such sets.
    pub(crate) fn sets_compared(
        &mut self,
        op: CompareOp,
        [a, b]: [&'p Term; 2],
        env: &Env<'p>,
    ) -> Result<Option<Formula>, No> {
        if !matches!(&a.ty, Type::Set(of) if **of == Type::Int) {
            return Ok(None);
        }
        if let (CompareOp::In | CompareOp::NotIn, TermKind::Items(_, items)) = (op, &bare(b).kind) {
            let mut some = Vec::new();
            for item in items {
                let same = self.sets_compared(CompareOp::Eq, [a, &item.term], env)?;
                let Some(same) = same.filter(|_| !item.spread) else { return Ok(None) };
                some.push(same);
            }
            let some = Formula::any(some);
            return Ok(Some(if op == CompareOp::In { some } else { some.not() }));
        }
        let written = [self.members_written(a, env)?, self.members_written(b, env)?];
        if written.iter().all(Option::is_none) && matches!(op, CompareOp::Eq | CompareOp::Ne) {
            return Ok(None);
        }
        let mut sides = Vec::new();
        for (written, set) in written.into_iter().zip([a, b]) {
            sides.push(match (written, &set.ty) {
                (Some(members), _) => members,
                (None, Type::Set(_)) => match self.eval(set, env)? {
                    Sym::Set(members) => members,
                    _ => return Ok(None),
                },
                _ => return Ok(None),
            });
        }
        let within = |a: &[Linear], b: &[Linear]| {
            Formula::all(a.iter().map(|x| Formula::any(b.iter().map(|y| Formula::equal(x, y)))))
        };
        let (up, down) = (within(&sides[0], &sides[1]), within(&sides[1], &sides[0]));
        Ok(Some(match op {
            CompareOp::Eq => Formula::all([up, down]),
            CompareOp::Ne => Formula::all([up, down]).not(),
            CompareOp::Le => up,
            CompareOp::Ge => down,
            CompareOp::Lt => Formula::all([up, down.not()]),
            CompareOp::Gt => Formula::all([down, up.not()]),
            CompareOp::In | CompareOp::NotIn => return Ok(None),
        }))
    }

    /// The numbers of which a set is written, `{a, b}` or `set(xs)`; some may be equal.
    fn members_written(&mut self, set: &'p Term, env: &Env<'p>) -> Result<Option<Vec<Linear>>, No> {
        match &bare(set).kind {
            TermKind::Items(Gather::Set, items) if items.iter().all(|item| !item.spread) => {
                let mut numbers = Vec::new();
                for item in items {
                    let Sym::Int(number) = self.eval(&item.term, env)? else { return Ok(None) };
                    numbers.push(number);
                }
                Ok(Some(numbers))
            }
            TermKind::Comprehension(Gather::Set, value, clauses) => {
                Ok(self.comprehension(value, clauses, env, false)?.ints())
            }
            TermKind::Builtin(Builtin::Set, list) => match &list[..] {
                [list] if matches!(&list.ty, Type::List(of) | Type::Bag(of) if **of == Type::Int) => {
                    Ok(self.eval(list, env)?.ints())
                }
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// How many different numbers there are: each counts that is none of those before it.
    fn different_members(&mut self, members: &[Linear]) -> Linear {
        let mut count = Linear::default();
        for (at, member) in members.iter().enumerate() {
            let new = Formula::all(members[..at].iter().map(|before| Formula::equal(member, before).not()));
            let one = self.truth_value(&new);
            count = count.plus(&BigInt::from(1), &one);
        }
        count
    }

    /// For each member of two sets whether it is one of the other. Error: it is open.
    fn shared(&mut self, x: &[Linear], y: &[Linear]) -> Result<[Vec<bool>; 2], No> {
        // As written is enough where it is: members of one set differ.
        let mut shared =
            [x.iter().map(|m| y.contains(m)).collect::<Vec<_>>(), y.iter().map(|m| x.contains(m)).collect()];
        for (j, b) in y.iter().enumerate() {
            for (i, a) in x.iter().enumerate() {
                if !shared[0][i] && !shared[1][j] && self.are_same(a, b)? {
                    (shared[0][i], shared[1][j]) = (true, true);
                }
            }
        }
        Ok(shared)
    }

    /// `xor`, `-` and `&` of sets, the second of which need not be in order.
    pub(crate) fn of_sets(&mut self, op: BinaryOp, x: &[Linear], y: &[Linear], term: &Term) -> Result<Sym, No> {
        let [in_y, in_x] = self.shared(x, y)?;
        let kept = |of: &[Linear], shared: &[bool], which: bool| -> Vec<Linear> {
            of.iter().zip(shared).filter(|(_, shared)| **shared == which).map(|(member, _)| member.clone()).collect()
        };
        Ok(match op {
            BinaryOp::Xor => {
                let members = [kept(x, &in_y, false), kept(y, &in_x, false)].concat();
                return self.set(Sym::list(members.into_iter().map(Sym::Int)), term);
            }
            _ => Sym::Set(kept(x, &in_y, op == BinaryOp::Meet)),
        })
    }

    /// The sum of the binary digits of a number where they are counted one by one: `count(bit(n, i) for i in 0..bits(n) - 1)`, the sum
    /// of `if bit(n, i) then 1 else 0`, or the size of the collection of places with a digit 1. `None`: it is something else.
    fn ones_counted(&mut self, word: Builtin, arguments: &'p [Term], env: &Env<'p>) -> Result<Option<Sym>, No> {
        let [Term { kind: TermKind::Comprehension(gather, value, clauses), .. }] = arguments else { return Ok(None) };
        let is = |term: &Term, number: u8| matches!(&bare(term).kind, TermKind::Int(n) if *n == BigInt::from(number));
        let list = *gather != Gather::Set;
        let (condition, binder) = match (word, &bare(value).kind, &clauses[..]) {
            (Builtin::Count, _, [binder]) if list => (&**value, binder),
            (Builtin::Sum, TermKind::If(condition, one, zero), [binder]) if list && is(one, 1) && is(zero, 0) => {
                (&**condition, binder)
            }
            // Each place once; of a set only where the places themselves are its members.
            (Builtin::Size, TermKind::Int(_), [binder, Clause::Where(condition)]) if list => (condition, binder),
            (
                Builtin::Size,
                TermKind::Slot(member),
                [binder @ Clause::In { pattern, .. }, Clause::Where(condition)],
            ) if name_of(pattern) == Some(*member) => (condition, binder),
            _ => return Ok(None),
        };
        let Clause::In { pattern, source, .. } = binder else { return Ok(None) };
        if let TermKind::Builtin(Builtin::Digits, of) = &bare(source).kind
            && let [of, base] = &of[..]
            && let TermKind::Compare(digit, chain) = &bare(condition).kind
            && let [(op, other)] = &chain[..]
        {
            // The digits that are 1.
            let digit = matches!(bare(digit).kind, TermKind::Slot(slot) if name_of(pattern) == Some(slot));
            let one = *op == CompareOp::Eq && is(other, 1);
            let some = matches!(op, CompareOp::Gt | CompareOp::Ne) && is(other, 0);
            if !(list && is(base, 2) && digit && (one || some)) {
                return Ok(None);
            }
            let number = self.int(of, env)?;
            self.need(Formula::natural(&number));
            return Ok(Some(Sym::DigitSum(number, Weights::Digits(2), BigInt::ZERO)));
        }
        let TermKind::Builtin(Builtin::Bit, bit) = &bare(condition).kind else { return Ok(None) };
        let ([of, at], Some(slot)) = (&bit[..], name_of(pattern)) else { return Ok(None) };
        if !matches!(bare(at).kind, TermKind::Slot(other) if other == slot) || slots_in(of).contains(&slot) {
            return Ok(None);
        }
        let TermKind::Binary(BinaryOp::Range, from, to) = &bare(source).kind else { return Ok(None) };
        let Some(bounded) = places_of(to).filter(|_| is(from, 0)) else { return Ok(None) };
        let (number, bounded) = (self.int(of, env)?, self.int(bounded, env)?);
        if number != bounded {
            return Ok(None);
        }
        self.need(Formula::natural(&number));
        Ok(Some(Sym::DigitSum(number, Weights::Digits(2), BigInt::ZERO)))
    }

    /// `all(..)` and `any(..)`, over lists of any length.
    fn quantified(&mut self, all: bool, argument: &'p Term, env: &Env<'p>) -> Result<Sym, No> {
        if let TermKind::Comprehension(_, value, clauses) = &argument.kind {
            let found = self.ways(clauses, env, &mut |scope, env| {
                let holds = scope.truth(value, env)?;
                Ok(if all { holds.not() } else { holds })
            })?;
            return Ok(Sym::Bool(if all { found.not() } else { found }));
        }
        let Sym::List(items) = self.eval(argument, env)? else { return Err(odd(argument.span)) };
        let mut parts = Vec::new();
        for (there, item) in items {
            let Sym::Bool(item) = item else { return Err(odd(argument.span)) };
            parts.push(if all { there.implies(item) } else { Formula::all([there, item]) });
        }
        Ok(Sym::Bool(if all { Formula::all(parts) } else { Formula::any(parts) }))
    }

    fn greatest(&mut self, values: &[Sym], greater: bool, term: &Term) -> Result<Sym, No> {
        let items = spread(values, term)?;
        self.need(Formula::any(items.iter().map(|(there, _)| there.clone())));
        let mut best: Option<(Formula, Linear)> = None;
        for (there, item) in items {
            best = Some(match best {
                None => (there, item),
                Some((before @ Formula::Constant(true), old)) if matches!(there, Formula::Constant(true)) => {
                    (before, self.extreme(&old, &item, greater))
                }
                Some((before, old)) => {
                    let order = if greater { Formula::at_most(&old, &item) } else { Formula::at_most(&item, &old) };
                    let better = Formula::all([there.clone(), Formula::any([before.clone().not(), order])]);
                    (Formula::any([before, there]), self.choice(&better, &item, &old))
                }
            });
        }
        best.map(|(_, best)| Sym::Int(best)).ok_or_else(|| No::at(term.span, "the extreme of nothing"))
    }

    fn folded(&mut self, values: &[Sym], xor: bool, term: &Term) -> Result<Sym, No> {
        // The type tells what the sum of nothing is.
        if let ([Sym::List(items)], Type::Position) = (values, &term.ty) {
            let (mut all, mut convention) = (Vec::new(), false);
            for (there, item) in items {
                let (Formula::Constant(true), Sym::Position { parts, misere }) = (there, item) else {
                    return Err(odd(term.span));
                };
                all.extend(parts.iter().cloned());
                convention |= misere;
            }
            return Ok(Sym::Position { parts: all, misere: convention });
        }
        if let [Sym::Parts(number)] = values {
            return if xor { Err(odd(term.span)) } else { Ok(Sym::Int(number.clone())) };
        }
        if let ([Sym::Digits(number, base)], false) = (values, xor) {
            return Ok(Sym::DigitSum(number.clone(), Weights::Digits(*base), BigInt::ZERO));
        }
        let mut total = Linear::default();
        for (there, item) in spread(values, term)? {
            let item = self.choice(&there, &item, &Linear::default());
            total = if xor { self.bitwise(&total, &item, true) } else { total.plus(&BigInt::from(1), &item) };
        }
        Ok(Sym::Int(total))
    }

    fn size(&mut self, value: &Sym, term: &Term) -> Result<Sym, No> {
        if let Sym::Parts(number) = value {
            self.digits.insert(System::ZECKENDORF);
            return Ok(Sym::DigitSum(number.clone(), Weights::Fibonacci, BigInt::ZERO));
        }
        if let Sym::Range(from, to) = value
            && let (Sym::Int(from), Sym::Int(to)) = (&**from, &**to)
        {
            let next = to.plus(&BigInt::from(1), &Linear::number(1));
            let size = next.minus(from);
            let some = Formula::at_most(from, &next);
            return Ok(Sym::Int(self.choice(&some, &size, &Linear::default())));
        }
        // There are so many digits, none of 0.
        if let Sym::Digits(number, base) = value {
            return Ok(Sym::Exponent(Exponent::of(*base, self.power_above(*base, number)?)));
        }
        let items = written_out(value).ok_or_else(|| odd(term.span))?;
        let mut sum = Linear::default();
        for (there, _) in items {
            let one = self.truth_value(&there);
            sum = sum.plus(&BigInt::from(1), &one);
        }
        Ok(Sym::Int(sum))
    }

    pub(crate) fn operated(&mut self, op: BinaryOp, x: Sym, y: Sym, term: &Term) -> Result<Sym, No> {
        match (op, &x, &y) {
            (BinaryOp::Range, _, _) => Ok(Sym::Range(Box::new(x), Box::new(y))),
            (BinaryOp::Add, Sym::Int(x), Sym::Int(y)) => Ok(Sym::Int(x.plus(&BigInt::from(1), y))),
            (BinaryOp::Sub, Sym::Int(x), Sym::Int(y)) => Ok(Sym::Int(self.difference(x, y))),
            (BinaryOp::Mul, Sym::Int(x), Sym::Int(y)) => {
                let product = Scope::product(x, y);
                product.map(Sym::Int).ok_or_else(|| No::at(term.span, "a product of two variables"))
            }
            (BinaryOp::Div | BinaryOp::Mod, Sym::Int(x), Sym::Int(by)) => match by.constant() {
                Some(by) if by.is_positive() => Ok(Sym::Int(self.divided(x, by, op == BinaryOp::Div))),
                Some(_) => Err(No::at(term.span, "division by a number that is not positive")),
                None => Ok(self.divided_by_variable(x, by, op == BinaryOp::Div)),
            },
            (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, Sym::Quotient(_), _)
            | (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, _, Sym::Quotient(_)) => {
                Quotient::operated(op, &x, &y).ok_or_else(|| odd_exponents(&x, &y, term))
            }
            (BinaryOp::Add, Sym::DigitSum(of, weights, plus), Sym::Int(more))
            | (BinaryOp::Add, Sym::Int(more), Sym::DigitSum(of, weights, plus)) => match more.constant() {
                Some(more) => Ok(Sym::DigitSum(of.clone(), *weights, plus + more)),
                None => Err(No::at(term.span, "a digit sum and a variable")),
            },
            (BinaryOp::Mod, Sym::DigitSum(of, weights, plus), Sym::Int(by)) if by.constant().is_some() => {
                self.sum_modulo(of, *weights, plus, by.constant().unwrap_or(&BigInt::ZERO), term.span)
            }
            (BinaryOp::Xor | BinaryOp::Meet, Sym::Int(x), Sym::Int(y)) => {
                Ok(Sym::Int(self.bitwise(x, y, op == BinaryOp::Xor)))
            }
            (BinaryOp::Add, Sym::Exponent(exponent), Sym::Int(more))
            | (BinaryOp::Add, Sym::Int(more), Sym::Exponent(exponent)) => exponent.moved(more, true, term.span),
            (BinaryOp::Sub, Sym::Exponent(exponent), Sym::Int(less)) => exponent.moved(less, false, term.span),
            (BinaryOp::Mul, Sym::Exponent(exponent), Sym::Int(factor))
            | (BinaryOp::Mul, Sym::Int(factor), Sym::Exponent(exponent)) => exponent.multiplied(factor, term.span),
            (BinaryOp::Mod, Sym::Exponent(exponent), Sym::Int(by)) if by.constant().is_some() => {
                self.exponent_modulo(exponent, by.constant().unwrap_or(&BigInt::ZERO), term.span)
            }
            (BinaryOp::Pow, Sym::Int(x), Sym::Exponent(exponent)) if let Some(x) = x.constant() => {
                self.raised(x, exponent, term.span).map(Sym::Int)
            }
            (BinaryOp::Pow, Sym::Int(x), Sym::Int(y)) => {
                match (x.constant(), y.constant().and_then(ToPrimitive::to_u32)) {
                    (Some(x), Some(y)) if y < 10_000 => Ok(Sym::number(x.pow(y))),
                    (Some(x), None) if y.constant().is_none() => Err(Scope::no_power(x, y, term.span)),
                    _ => Err(No::at(term.span, "a power of a variable")),
                }
            }
            (BinaryOp::Pow, Sym::Real(_), Sym::Int(y)) => {
                let times = y.constant().and_then(ToPrimitive::to_usize).filter(|&times| times <= POWER);
                let times = times.ok_or_else(|| No::at(term.span, "a power of a variable, or a high one"))?;
                std::iter::repeat_n(x, times)
                    .try_fold(Sym::number(1), |all, x| self.operated(BinaryOp::Mul, all, x, term))
            }
            (BinaryOp::Over, _, _) => match (real(&x), real(&y)) {
                (Some(Real { a, b, below, root }), Some(Real { a: by, b: none, below: under, .. }))
                    if none == Linear::default() =>
                {
                    match by.constant() {
                        Some(by) if by.is_positive() => {
                            let over = |number: &Linear| Linear::default().plus(&under, number);
                            Ok(Sym::Real(Real { a: over(&a), b: over(&b), below: below * by, root }))
                        }
                        _ => Err(No::at(term.span, "division by a variable")),
                    }
                }
                (Some(x), Some(y)) => match (y.a.constant(), y.b.constant()) {
                    (Some(c), Some(d)) => {
                        let root = x.common_root(&y).ok_or_else(|| two_roots(term.span))?;
                        let Real { a, b, below, .. } = x;
                        // (a + b r) / (c + d r) = (a + b r)(c - d r) / (c^2 - r^2 d^2).
                        let norm = c * c - BigInt::from(root) * d * d;
                        let by = if norm.is_negative() { -y.below.clone() } else { y.below.clone() };
                        let part = |x: &BigInt, of: &Linear, y: BigInt, and: &Linear| {
                            times(&(x * &by), of).minus(&times(&(y * &by), and))
                        };
                        let (whole, beside) = (part(c, &a, BigInt::from(root) * d, &b), part(c, &b, d.clone(), &a));
                        Ok(Sym::Real(Real { a: whole, b: beside, below: below * norm.abs(), root }))
                    }
                    _ => Err(No::at(term.span, "division by a variable")),
                },
                _ => Err(No::at(term.span, "division of what is no number")),
            },
            (BinaryOp::Sub, _, Sym::Set(_) | Sym::List(_)) if matches!(x, Sym::Set(_) | Sym::Range(..)) => {
                match (&x, &y) {
                    (Sym::Set(of), Sym::Set(less)) => self.of_sets(op, of, less, term),
                    _ => Ok(Sym::Without(Box::new(x), Box::new(y))),
                }
            }
            (BinaryOp::Meet | BinaryOp::Xor, Sym::Set(x), Sym::Set(y)) => self.of_sets(op, x, y, term),
            (BinaryOp::Add, Sym::Set(x), Sym::Set(y)) => {
                let all = x.iter().chain(y).cloned().map(Sym::Int);
                let list = Sym::list(all);
                self.set(list, term)
            }
            (BinaryOp::Add, Sym::Bag(x), Sym::Bag(y)) => Ok(Sym::Bag(x.iter().chain(y).cloned().collect())),
            (BinaryOp::Sub, Sym::Bag(_), Sym::Bag(_)) => self.taken_out(&x, &y, term),
            (BinaryOp::Add, Sym::List(x), Sym::List(y)) => Ok(Sym::List(x.iter().chain(y).cloned().collect())),
            (BinaryOp::Add, Sym::Position { parts: x, misere: m }, Sym::Position { parts: y, misere: n }) => {
                Ok(Sym::Position { parts: x.iter().chain(y).cloned().collect(), misere: *m || *n })
            }
            (BinaryOp::Mul, Sym::Int(n), Sym::Position { parts, misere }) => {
                let n = n.constant().and_then(ToPrimitive::to_usize).filter(|&n| n < 100);
                let n = n.ok_or_else(|| odd(term.span))?;
                Ok(Sym::Position { parts: std::iter::repeat_n(parts.clone(), n).flatten().collect(), misere: *misere })
            }
            (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, _, _) => {
                let (Some(x), Some(y)) = (real(&x), real(&y)) else {
                    return Err(odd_exponents(&x, &y, term));
                };
                let root = x.common_root(&y).ok_or_else(|| two_roots(term.span))?;
                let (Real { a, b, below: d, .. }, Real { a: c, b: e, below: f, .. }) = (x, y);
                if op == BinaryOp::Mul {
                    // (a + b s)(c + e s) = ac + s^2 be + (ae + bc) s
                    let product = |x: &Linear, y: &Linear| Scope::product(x, y);
                    let parts = (product(&a, &c), product(&b, &e), product(&a, &e), product(&b, &c));
                    let (Some(ac), Some(be), Some(ae), Some(bc)) = parts else {
                        return Err(No::at(term.span, "a product of two variables"));
                    };
                    let (a, b) = (ac.plus(&BigInt::from(root), &be), ae.plus(&BigInt::from(1), &bc));
                    return Ok(Sym::Real(Real { a, b, below: d * f, root }));
                }
                let sign = BigInt::from(if op == BinaryOp::Add { 1 } else { -1 });
                let over = |x: &Linear, y: &Linear| Linear::default().plus(&f, x).plus(&(&sign * &d), y);
                Ok(Sym::Real(Real { a: over(&a, &c), b: over(&b, &e), below: &d * &f, root }))
            }
            _ => Err(odd_exponents(&x, &y, term)),
        }
    }
}

/// Whether a word comes to the same in whatever order the members of a collection stand.
fn order_tells_nothing(word: Builtin) -> bool {
    matches!(
        word,
        Builtin::Size
            | Builtin::Sum
            | Builtin::Xor
            | Builtin::Min
            | Builtin::Max
            | Builtin::Count
            | Builtin::Set
            | Builtin::Bag
            | Builtin::Sort
    )
}

/// The number whose places all are from 0 to this one: `bits(n) - 1`, `bits(n)`, or more.
fn places_of(last: &Term) -> Option<&Term> {
    let count = |term: &Term| if let TermKind::Int(number) = &bare(term).kind { number.to_i64() } else { None };
    match &bare(last).kind {
        TermKind::Builtin(Builtin::Bits, of) => of.first(),
        TermKind::Binary(BinaryOp::Add, of, more) if count(more)? >= 0 => places_of(of),
        TermKind::Binary(BinaryOp::Sub, of, less) if (0..=1).contains(&count(less)?) => match &bare(of).kind {
            TermKind::Builtin(Builtin::Bits, of) => of.first(),
            _ => None,
        },
        _ => None,
    }
}

fn spread(values: &[Sym], term: &Term) -> Result<Vec<(Formula, Linear)>, No> {
    let items = match values {
        [one] if !matches!(one, Sym::Int(_)) => written_out(one).ok_or_else(|| odd(term.span))?,
        _ => values.iter().map(|value| (Formula::Constant(true), value.clone())).collect(),
    };
    let number = |(there, item)| match item {
        Sym::Int(number) => Ok((there, number)),
        _ => Err(odd(term.span)),
    };
    items.into_iter().map(number).collect()
}

fn root(value: &Sym, term: &Term) -> Result<Sym, No> {
    let number = real(value).filter(|real| real.b == Linear::default() && real.below == BigInt::from(1));
    let Some(number) = number.and_then(|real| real.a.constant().cloned()).filter(|n| !n.is_negative()) else {
        return Err(No::at(term.span, "a square root of a variable"));
    };
    let whole = |n: &BigInt| Some(n.sqrt()).filter(|root| root * root == *n);
    let below = BigInt::from(1);
    if let Some(root) = whole(&number) {
        return Ok(Sym::Real(Real { a: Linear::number(root), b: Linear::default(), below, root: 1 }));
    }
    // number == factor^2 * root
    let roots = Quadratic::all().map(|quadratic| quadratic.root);
    let factor = |root: u32| (&number % root == BigInt::ZERO).then(|| whole(&(&number / root))).flatten();
    if let Some((root, factor)) = roots.clone().find_map(|root| Some((root, factor(root)?))) {
        return Ok(Sym::Real(Real { a: Linear::default(), b: Linear::number(factor), below, root }));
    }
    let roots: Vec<String> = roots.map(|root| root.to_string()).collect();
    Err(No::at(term.span, format!("a square root of another number than {}", roots.join(", "))))
}
