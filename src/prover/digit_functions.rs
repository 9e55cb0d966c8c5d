//! Definitions that read numbers digit by digit: each is an automaton (`docs/proving.md`, "Definitions that read digits").
//!
//! ```text
//! def D(s: nat, x: nat, ..): bool = if max(x, ..) == 0 then A else D(T, x div b, ..)
//! def D(s: nat, f: nat, g: nat, x: nat, ..): bool = if f > max(x, ..) then A else D(T, g, f + g, x, ..)
//! ```
//! The first reads digits in base b, the second, called with f = 1 and g = 2, those of sums of Fibonacci numbers. `A` speaks of
//! `s` alone, and `T`, the next state, of `s` and of the digits `x mod b` or `count([f in zeckendorf(x)])`, by tables.
//!
//! ```text
//! def f(x, ..): bool = if max(x, ..) == 0 then A else C
//! def g(x, ..): nat  = if max(x, ..) == 0 then 0 else D + b * g(x div b, ..)
//! ```
//! `C` is made of `f(x div b, ..)` and conditions on the digits `x mod b` by `not`, `and`, `or`, `if` and the like. What was read of the
//! numbers then says what the whole is when the rest is true, and when it is false: an automaton of at most eight states. `D` is a
//! digit in base b made of the digits of the numbers: one automaton reads these beside the digits of the value.

use crate::claims::condition::bare;
use crate::model::builtin::Builtin;
use crate::model::walk::some_term;
use crate::model::{BinaryOp, CompareOp, Def, DefId, Item, LogicOp, Slot, Term, TermKind};
use crate::prover::scope::Scope;
use crate::prover::symbol::{No, Sym};
use crate::prover::term::Env;
use grundy_automata::{Atom, Automaton, Formula, Limit, Linear, System, Table};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::sync::Arc;

/// So many states at most, before any are merged.
const STATES: usize = 5000;

/// A definition that reads digits.
struct Reading<'p> {
    digits: Digits,
    state: Slot,
    /// The numbers, in the order of the parameters.
    pub(super) numbers: Vec<Slot>,
    accepts: &'p Term,
    next: &'p Term,
}

/// How it reads them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Digits {
    /// In this base.
    Base(u8),
    /// As sums of Fibonacci numbers; in this slot stands what the present place is worth.
    Fibonacci(Slot),
}

/// An automaton that a call of a definition asks, and how many arguments stand before the numbers that it reads.
pub(super) struct Called {
    pub(super) word: Arc<Automaton>,
    pub(super) system: System,
    pub(super) before: usize,
}

impl<'p> Scope<'p> {
    /// The automaton of a call, if the definition reads digits; its arguments before the numbers must be known.
    pub(super) fn called(
        &mut self,
        id: DefId,
        arguments: &'p [Option<Term>],
        env: &Env<'p>,
    ) -> Result<Option<Called>, No> {
        let program = self.program;
        let def = &program.defs[id.0];
        let Some(reading) = Reading::of(id, def).filter(|_| arguments.len() == def.params.len()) else {
            return Ok(None);
        };
        let before = arguments.len() - reading.numbers.len();
        let mut known = Vec::new();
        for argument in &arguments[..before] {
            let Some(argument) = argument else { return Ok(None) };
            let Sym::Int(number) = self.eval(argument, env)? else { return Ok(None) };
            known.push(number.constant().and_then(ToPrimitive::to_usize));
        }
        let ([Some(start)] | [Some(start), Some(1), Some(2)]) = known[..] else { return Ok(None) };
        let Some((word, system)) = reading.automaton(start) else { return Ok(None) };
        Ok(Some(Called { word: Arc::new(word), system, before }))
    }

    /// What a call of a definition that reads digits says; `None`: it is none.
    pub(super) fn read(&mut self, id: DefId, arguments: &'p [Option<Term>], env: &Env<'p>) -> Result<Option<Sym>, No> {
        let Some(Called { word, system, before }) = self.called(id, arguments, env)? else { return Ok(None) };
        self.digits.insert(system);
        let mut tracks = Vec::new();
        for argument in arguments[before..].iter().flatten() {
            let number = self.int(argument, env)?;
            tracks.push(number);
        }
        let said = self.local(|scope| {
            let tracks = tracks.iter().map(|number| scope.track(number)).collect();
            Ok(Formula::atom(Atom::Word(word, tracks)))
        })?;
        Ok(Some(Sym::Bool(said)))
    }

    /// What a call of such a definition says; `None`: it is none.
    pub(super) fn digitwise(
        &mut self,
        id: DefId,
        arguments: &'p [Option<Term>],
        env: &Env<'p>,
    ) -> Result<Option<Sym>, No> {
        let program = self.program;
        let Some(digitwise) = Digitwise::of(id, &program.defs[id.0]) else { return Ok(None) };
        let Some((word, system, number)) = digitwise.automaton() else { return Ok(None) };
        let mut numbers = Vec::new();
        for argument in arguments {
            let Some(argument) = argument else { return Ok(None) };
            numbers.push(self.int(argument, env)?);
        }
        self.digits.insert(system);
        if number {
            let mut tracks: Vec<_> = numbers.iter().map(|number| self.track(number)).collect();
            let value = self.defined();
            tracks.push(value);
            self.define(Formula::atom(Atom::Word(Arc::new(word), tracks)));
            return Ok(Some(Sym::Int(Linear::track(value))));
        }
        let said = self.local(|scope| {
            let tracks = numbers.iter().map(|number| scope.track(number)).collect();
            Ok(Formula::atom(Atom::Word(Arc::new(word), tracks)))
        })?;
        Ok(Some(Sym::Bool(said)))
    }
}

impl<'p> Reading<'p> {
    /// A definition as one that reads digits; `None`: it is none, or is written otherwise.
    fn of(id: DefId, def: &'p Def) -> Option<Reading<'p>> {
        let body = bare(def.body.as_ref()?);
        let TermKind::If(end, accepts, again) = &body.kind else { return None };
        let TermKind::Call(called, arguments) = &bare(again).kind else { return None };
        let arguments: Vec<&Term> = arguments.iter().map(Option::as_ref).collect::<Option<_>>()?;
        if *called != id || arguments.len() != def.params.len() || def.owner.is_some() {
            return None;
        }
        let slots: Vec<Slot> = (def.prefix..).take(def.params.len()).collect();
        let TermKind::Compare(left, chain) = &bare(end).kind else { return None };
        let (reading, rest) = match (&chain[..], &slots[..]) {
            // max(x, ..) == 0
            ([(CompareOp::Eq, zero)], [state, numbers @ ..]) if int(zero) == Some(0) && greatest(left, numbers) => {
                let by: Vec<u8> = numbers
                    .iter()
                    .zip(&arguments[1..])
                    .map(|(number, argument)| divided(argument, *number))
                    .collect::<Option<_>>()?;
                let base = by.first().copied().filter(|base| by.iter().all(|other| other == base))?;
                (
                    Reading {
                        digits: Digits::Base(base),
                        state: *state,
                        numbers: numbers.to_vec(),
                        accepts,
                        next: arguments[0],
                    },
                    1,
                )
            }
            // f > max(x, ..)
            ([(CompareOp::Gt, most)], [state, f, g, numbers @ ..])
                if slot(left) == Some(*f) && greatest(most, numbers) =>
            {
                let sum = |term: &Term| match &bare(term).kind {
                    TermKind::Binary(BinaryOp::Add, a, b) => (slot(a), slot(b)) == (Some(*f), Some(*g)),
                    _ => false,
                };
                let steps = slot(arguments[1]) == Some(*g) && sum(arguments[2]);
                let same =
                    numbers.iter().zip(&arguments[3..]).all(|(number, argument)| slot(argument) == Some(*number));
                if !steps || !same {
                    return None;
                }
                (
                    Reading {
                        digits: Digits::Fibonacci(*f),
                        state: *state,
                        numbers: numbers.to_vec(),
                        accepts,
                        next: arguments[0],
                    },
                    3,
                )
            }
            _ => return None,
        };
        debug_assert_eq!(reading.numbers.len() + rest, slots.len());
        // Tables hold numbers that are written out, so that looking at one place of them is all that can fail.
        let plain = |item: &Item| written_out(item) || reading.place(&item.term).is_some();
        let odd = |term: &Term| matches!(&term.kind, TermKind::Items(_, items) if !items.iter().all(plain));
        let fits = !reading.numbers.is_empty() && !some_term(reading.next, odd);
        fits.then_some(reading)
    }

    /// The number whose digit at the present place is 1 where this holds.
    fn place(&self, term: &Term) -> Option<usize> {
        let Digits::Fibonacci(f) = self.digits else { return None };
        let TermKind::Compare(left, chain) = &bare(term).kind else { return None };
        let [(CompareOp::In, parts)] = &chain[..] else { return None };
        let TermKind::Builtin(Builtin::Zeckendorf, of) = &bare(parts).kind else { return None };
        let number = slot(of.first()?)?;
        (slot(left) == Some(f)).then(|| self.numbers.iter().position(|other| *other == number)).flatten()
    }

    /// The automaton that begins in this state, and how it reads numbers.
    fn automaton(&self, start: usize) -> Option<(Automaton, System)> {
        let system = match self.digits {
            Digits::Base(base) if base.is_power_of_two() => System::Binary,
            Digits::Base(base) => System::base(base)?,
            Digits::Fibonacci(_) => System::Zeckendorf,
        };
        let size = match self.digits {
            Digits::Base(base) => usize::from(base),
            Digits::Fibonacci(_) => 2,
        };
        let reads = self.numbers.len();
        let letters = size.checked_pow(u32::try_from(reads).ok()?).filter(|letters| *letters <= 4096)?;
        // With each state what it said behind the highest digit that is not 0: zeros above it are not read.
        let mut met = vec![(start, self.says(start)?)];
        let mut states: Vec<(bool, Vec<usize>)> = Vec::new();
        while let Some(&(state, said)) = met.get(states.len()) {
            let mut row = Vec::with_capacity(letters);
            for letter in 0..letters {
                let digits: Vec<usize> =
                    (0..reads).scan(letter, |left, _| Some(std::mem::replace(left, *left / size) % size)).collect();
                let to = usize::try_from(self.number(self.next, state, &digits)?).ok()?;
                let next = (to, if letter == 0 { said } else { self.says(to)? });
                row.push(met.iter().position(|other| *other == next).unwrap_or_else(|| {
                    met.push(next);
                    met.len() - 1
                }));
            }
            if met.len() > STATES {
                return None;
            }
            states.push((said, row));
        }
        let table = Table { reads, states };
        let table = if system == System::Binary { in_bits(&table, size)? } else { table };
        Some((table.automaton(system, &Limit::default()).ok()?, system))
    }

    /// Whether a state accepts.
    fn says(&self, state: usize) -> Option<bool> {
        self.truth(self.accepts, state, &[])
    }

    fn truth(&self, term: &Term, state: usize, digits: &[usize]) -> Option<bool> {
        match &bare(term).kind {
            TermKind::Bool(value) => Some(*value),
            TermKind::Not(inner) => Some(!self.truth(inner, state, digits)?),
            TermKind::Compare(left, chain) => {
                let [(op, right)] = &chain[..] else { return None };
                let left = self.number(left, state, digits)?;
                if let CompareOp::In | CompareOp::NotIn = op {
                    let TermKind::Items(_, items) = &bare(right).kind else { return None };
                    let items: Option<Vec<i64>> =
                        items.iter().map(|item| int(&item.term).filter(|_| !item.spread)).collect();
                    return Some(items?.contains(&left) == (*op == CompareOp::In));
                }
                let right = self.number(right, state, digits)?;
                Some(match op {
                    CompareOp::Eq => left == right,
                    CompareOp::Ne => left != right,
                    CompareOp::Lt => left < right,
                    CompareOp::Le => left <= right,
                    CompareOp::Gt => left > right,
                    _ => left >= right,
                })
            }
            _ => None,
        }
    }

    /// A number that depends on the state and the digits alone.
    fn number(&self, term: &Term, state: usize, digits: &[usize]) -> Option<i64> {
        let digit = |at: usize| i64::try_from(*digits.get(at)?).ok();
        match &bare(term).kind {
            TermKind::Int(_) => int(term),
            TermKind::Slot(slot) if *slot == self.state => i64::try_from(state).ok(),
            TermKind::Binary(BinaryOp::Add, a, b) => {
                self.number(a, state, digits)?.checked_add(self.number(b, state, digits)?)
            }
            TermKind::Binary(BinaryOp::Mul, a, b) => {
                self.number(a, state, digits)?.checked_mul(self.number(b, state, digits)?)
            }
            TermKind::Binary(BinaryOp::Mod, number, base) => {
                let (Digits::Base(own), number) = (self.digits, slot(number)?) else { return None };
                let at = self.numbers.iter().position(|other| *other == number)?;
                if int(base) == Some(i64::from(own)) { digit(at) } else { None }
            }
            TermKind::Builtin(Builtin::Count, arguments) => {
                let [list] = &arguments[..] else { return None };
                let TermKind::Items(_, items) = &bare(list).kind else { return None };
                let [item] = &items[..] else { return None };
                digit(self.place(&item.term).filter(|_| !item.spread)?)
            }
            TermKind::If(condition, a, b) => {
                let chosen = if self.truth(condition, state, digits)? { a } else { b };
                self.number(chosen, state, digits)
            }
            TermKind::Index(..) => int(self.item(term, state, digits)?),
            _ => None,
        }
    }

    /// The item of a table.
    fn item<'t>(&self, term: &'t Term, state: usize, digits: &[usize]) -> Option<&'t Term> {
        let TermKind::Index(of, at) = &bare(term).kind else { return None };
        let of = match &bare(of).kind {
            TermKind::Index(..) => self.item(of, state, digits)?,
            _ => of,
        };
        let TermKind::Items(_, items) = &bare(of).kind else { return None };
        let at = usize::try_from(self.number(at, state, digits)?).ok()?;
        items.get(at).map(|item| &item.term)
    }
}

/// Whether an item is a number that is written out, or a list of these.
fn written_out(item: &Item) -> bool {
    !item.spread
        && match &bare(&item.term).kind {
            TermKind::Int(_) => true,
            TermKind::Items(_, items) => items.iter().all(written_out),
            _ => false,
        }
}

/// The automaton that reads each digit in a base that is a power of two as its bits.
fn in_bits(table: &Table, size: usize) -> Option<Table> {
    let reads = table.reads;
    let width = size.ilog2();
    // The state before the digits, how many bits were read, and for each number what they are worth.
    let mut met = vec![(0usize, 0u32, vec![0usize; reads])];
    let mut states: Vec<(bool, Vec<usize>)> = Vec::new();
    let after = |state: usize, digits: &[usize]| {
        let letter = digits.iter().rev().fold(0, |letter, digit| letter * size + digit);
        table.states[state].1[letter]
    };
    while let Some((state, read, digits)) = met.get(states.len()).cloned() {
        // All bits above are 0.
        let accepts = if read == 0 { table.states[state].0 } else { table.states[after(state, &digits)].0 };
        let mut row = Vec::new();
        for letter in 0..1usize << reads {
            let digits: Vec<usize> =
                digits.iter().enumerate().map(|(i, digit)| digit | (letter >> i & 1) << read).collect();
            let next =
                if read + 1 == width { (after(state, &digits), 0, vec![0; reads]) } else { (state, read + 1, digits) };
            row.push(met.iter().position(|other| *other == next).unwrap_or_else(|| {
                met.push(next);
                met.len() - 1
            }));
        }
        if met.len() > STATES {
            return None;
        }
        states.push((accepts, row));
    }
    Some(Table { reads, states })
}

pub(super) fn slot(term: &Term) -> Option<Slot> {
    if let TermKind::Slot(slot) = &bare(term).kind { Some(*slot) } else { None }
}

pub(super) fn int(term: &Term) -> Option<i64> {
    if let TermKind::Int(number) = &bare(term).kind { number.to_i64() } else { None }
}

/// Whether a term is the greatest of these numbers.
pub(super) fn greatest(term: &Term, numbers: &[Slot]) -> bool {
    match &bare(term).kind {
        TermKind::Builtin(Builtin::Max, arguments) => {
            let named: Option<Vec<Slot>> = arguments.iter().map(slot).collect();
            named.is_some_and(|named| {
                named.iter().all(|slot| numbers.contains(slot)) && numbers.iter().all(|slot| named.contains(slot))
            })
        }
        _ => slot(term).is_some_and(|slot| numbers == [slot]),
    }
}

/// The base by which a number is divided.
pub(super) fn divided(term: &Term, number: Slot) -> Option<u8> {
    match &bare(term).kind {
        TermKind::Binary(BinaryOp::Div, of, by) if slot(of) == Some(number) => {
            int(by).and_then(|by| u8::try_from(by).ok()).filter(|by| (2..=16).contains(by))
        }
        _ => None,
    }
}

/// The automaton of a relation with the variables in another order: the i-th of the old ones is `order[i]` of the new.
pub(super) fn reordered(word: &Arc<Automaton>, order: &[u32], system: System, limit: &Limit) -> Result<Automaton, No> {
    Ok(grundy_automata::compile(&Formula::atom(Atom::Word(word.clone(), order.to_vec())), system, limit)?)
}

/// That an automaton accepts two values of some numbers, and that it accepts none of some: the value is read behind `reads`
/// others. Neither may ever hold of a closed form.
pub(super) fn not_one_value(word: &Arc<Automaton>, reads: u32) -> [Formula; 2] {
    let said = |value: u32| Formula::atom(Atom::Word(word.clone(), (0..reads).chain([value]).collect()));
    let (value, other) = (reads, reads + 1);
    let one = BigInt::from(1);
    let less = Formula::at_most(&Linear::track(value).plus(&one, &Linear::number(1)), &Linear::track(other));
    [Formula::all([said(value), said(other), less]), Formula::exists(vec![value], said(value)).not()]
}

/// A definition of one of these forms.
struct Digitwise<'p> {
    id: DefId,
    numbers: Vec<Slot>,
    base: u8,
    end: &'p Term,
    more: &'p Term,
}

/// The digits that are read, and what the call for the rest says, if that is a condition.
struct Place<'a> {
    digits: &'a [usize],
    rest: Option<bool>,
}

impl<'p> Digitwise<'p> {
    fn of(id: DefId, def: &'p Def) -> Option<Digitwise<'p>> {
        let body = bare(def.body.as_ref()?);
        let TermKind::If(when, end, more) = &body.kind else { return None };
        let numbers: Vec<Slot> = (def.prefix..).take(def.params.len()).collect();
        let TermKind::Compare(left, chain) = &bare(when).kind else { return None };
        let [(CompareOp::Eq, zero)] = &chain[..] else { return None };
        if def.owner.is_some() || int(zero) != Some(0) || !greatest(left, &numbers) {
            return None;
        }
        let mut bases = Vec::new();
        crate::model::walk::each_term(more, &mut |term| {
            if let TermKind::Call(called, arguments) = &term.kind
                && *called == id
            {
                let by = arguments.iter().zip(&numbers).map(|(argument, number)| divided(argument.as_ref()?, *number));
                bases.push(by.collect::<Option<Vec<u8>>>().filter(|by| by.len() == numbers.len()));
            }
        });
        let base = *bases.first()?.as_ref()?.first()?;
        let same = bases.iter().all(|by| by.as_ref().is_some_and(|by| by.iter().all(|other| *other == base)));
        same.then_some(Digitwise { id, numbers, base, end, more })
    }

    /// The automaton, how it reads, and whether it reads the value behind the numbers.
    fn automaton(&self) -> Option<(Automaton, System, bool)> {
        let system = if self.base.is_power_of_two() { System::Binary } else { System::base(self.base)? };
        let condition = self.truth(self.end, &Place { digits: &[], rest: None });
        let table = match condition {
            Some(end) => self.of_condition(end)?,
            None => self.of_number()?,
        };
        let table = if system == System::Binary { in_bits(&table, usize::from(self.base))? } else { table };
        Some((table.automaton(system, &Limit::default()).ok()?, system, condition.is_none()))
    }

    /// So many letters there are for these numbers.
    fn letters(&self, reads: usize) -> Option<usize> {
        usize::from(self.base).checked_pow(u32::try_from(reads).ok()?).filter(|letters| *letters <= 4096)
    }

    fn digits(&self, letter: usize) -> Vec<usize> {
        let size = usize::from(self.base);
        self.numbers.iter().scan(letter, |left, _| Some(std::mem::replace(left, *left / size) % size)).collect()
    }

    fn of_condition(&self, end: bool) -> Option<Table> {
        let letters = self.letters(self.numbers.len())?;
        // What each digit makes of the rest: of a false and of a true one.
        let mut makes = Vec::new();
        for letter in 0..letters {
            let digits = self.digits(letter);
            let of = |rest| self.truth(self.more, &Place { digits: &digits, rest: Some(rest) });
            makes.push([of(false)?, of(true)?]);
        }
        // What the whole is for a false and for a true rest, and what it was behind the last digit that is not 0.
        let mut met = vec![([false, true], end)];
        let mut states = Vec::new();
        while let Some(&(whole, said)) = met.get(states.len()) {
            let mut row = Vec::with_capacity(letters);
            for (letter, made) in makes.iter().enumerate() {
                let next = made.map(|rest| whole[usize::from(rest)]);
                let next = (next, if letter == 0 { said } else { next[usize::from(end)] });
                row.push(met.iter().position(|other| *other == next).unwrap_or_else(|| {
                    met.push(next);
                    met.len() - 1
                }));
            }
            states.push((said, row));
        }
        Some(Table { reads: self.numbers.len(), states })
    }

    fn of_number(&self) -> Option<Table> {
        let (size, reads) = (i64::from(self.base), self.numbers.len());
        if self.number(self.end, &Place { digits: &[], rest: None }) != Some((0, 0)) {
            return None;
        }
        let (letters, all) = (self.letters(reads)?, self.letters(reads + 1)?);
        let mut row = Vec::with_capacity(all);
        for value in 0..size {
            for letter in 0..letters {
                let (digit, rest) = self.number(self.more, &Place { digits: &self.digits(letter), rest: None })?;
                // Zeros above all digits are not read: they must say nothing.
                if rest != size || !(0..size).contains(&digit) || (letter == 0 && digit != 0) {
                    return None;
                }
                row.push(usize::from(digit != value));
            }
        }
        Some(Table { reads: reads + 1, states: vec![(true, row), (false, vec![1; all])] })
    }

    fn truth(&self, term: &Term, at: &Place<'_>) -> Option<bool> {
        match &bare(term).kind {
            TermKind::Bool(value) => Some(*value),
            TermKind::Not(inner) => Some(!self.truth(inner, at)?),
            TermKind::Call(called, _) if *called == self.id => at.rest,
            TermKind::Iff(a, b) => Some(self.truth(a, at)? == self.truth(b, at)?),
            TermKind::Logic(op, a, b) => {
                let (a, b) = (self.truth(a, at)?, self.truth(b, at)?);
                Some(match op {
                    LogicOp::And => a && b,
                    LogicOp::Or => a || b,
                    LogicOp::Implies => !a || b,
                })
            }
            TermKind::If(condition, a, b) => self.truth(if self.truth(condition, at)? { a } else { b }, at),
            TermKind::Compare(left, chain) => {
                let [(op, right)] = &chain[..] else { return None };
                if let (Some(a), Some(b)) = (self.truth(left, at), self.truth(right, at)) {
                    return match op {
                        CompareOp::Eq => Some(a == b),
                        CompareOp::Ne => Some(a != b),
                        _ => None,
                    };
                }
                let left = self.known(left, at)?;
                if let (CompareOp::In | CompareOp::NotIn, TermKind::Items(_, items)) = (op, &bare(right).kind) {
                    let items: Option<Vec<i64>> =
                        items.iter().map(|item| self.known(&item.term, at).filter(|_| !item.spread)).collect();
                    return Some(items?.contains(&left) == (*op == CompareOp::In));
                }
                let right = self.known(right, at)?;
                match op {
                    CompareOp::Eq => Some(left == right),
                    CompareOp::Ne => Some(left != right),
                    CompareOp::Lt => Some(left < right),
                    CompareOp::Le => Some(left <= right),
                    CompareOp::Gt => Some(left > right),
                    CompareOp::Ge => Some(left >= right),
                    CompareOp::In | CompareOp::NotIn => None,
                }
            }
            _ => None,
        }
    }

    /// A number that depends on the digits alone.
    fn known(&self, term: &Term, at: &Place<'_>) -> Option<i64> {
        self.number(term, at).and_then(|(number, rest)| (rest == 0).then_some(number))
    }

    /// A number, and how many times the value of the rest is added to it.
    fn number(&self, term: &Term, at: &Place<'_>) -> Option<(i64, i64)> {
        match &bare(term).kind {
            TermKind::Int(_) => Some((int(term)?, 0)),
            TermKind::Call(called, _) if *called == self.id && at.rest.is_none() => Some((0, 1)),
            TermKind::If(condition, a, b) => self.number(if self.truth(condition, at)? { a } else { b }, at),
            TermKind::Binary(BinaryOp::Mod, of, by) => match slot(of) {
                Some(of) => {
                    let place = self.numbers.iter().position(|other| *other == of)?;
                    let digit = i64::try_from(*at.digits.get(place)?).ok()?;
                    (int(by)? == i64::from(self.base)).then_some((digit, 0))
                }
                None => Some((self.known(of, at)?.checked_rem_euclid(int(by).filter(|by| *by > 0)?)?, 0)),
            },
            TermKind::Binary(op, a, b) => {
                let ((a, ra), (b, rb)) = (self.number(a, at)?, self.number(b, at)?);
                match op {
                    BinaryOp::Add => Some((a.checked_add(b)?, ra.checked_add(rb)?)),
                    BinaryOp::Sub => Some((a.checked_sub(b)?, ra.checked_sub(rb)?)),
                    BinaryOp::Mul if ra == 0 => Some((a.checked_mul(b)?, a.checked_mul(rb)?)),
                    BinaryOp::Mul if rb == 0 => Some((a.checked_mul(b)?, b.checked_mul(ra)?)),
                    BinaryOp::Xor if ra == 0 && rb == 0 && a >= 0 && b >= 0 => Some((a ^ b, 0)),
                    _ => None,
                }
            }
            TermKind::Index(list, place) => {
                let TermKind::Items(_, items) = &bare(list).kind else { return None };
                // All items are evaluated before one is taken: each must have a value.
                let number = |item: &Item| self.number(&item.term, at).filter(|_| !item.spread);
                let numbers: Vec<_> = items.iter().map(number).collect::<Option<_>>()?;
                numbers.get(usize::try_from(self.known(place, at)?).ok()?).copied()
            }
            _ => None,
        }
    }
}
