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

use crate::logic::numbers::Weights;
use crate::logic::symbol::{No, Sym};
use crate::logic::term::Env;
use crate::model::walk::{bare, each_term, some_term};
use crate::model::{BinaryOp, Builtin, CompareOp, Def, DefId, Item, LogicOp, Slot, Term, TermKind};
use grundy_automata::{Atom, Automaton, Formula, Limit, Linear, System, Table};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::sync::Arc;

/// So many states at most, before any are merged.
const STATES: usize = 5000;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Digits {
    Base(u8),
    /// As sums of Fibonacci numbers; in this slot stands what the present place is worth.
    Fibonacci(Slot),
}

struct DigitFunction<'p> {
    id: DefId,
    digits: Digits,
    state: Option<Slot>,
    numbers: Vec<Slot>,
    /// What it says where no digits are left.
    end: &'p Term,
    /// The next state, or what it says otherwise.
    more: &'p Term,
    /// Lists hold numbers that are written out, so that looking at one place of them is all that can fail.
    plain: bool,
}

/// The digits that are read at a place, and what else is known there.
#[derive(Clone, Copy, Default)]
struct Place<'a> {
    digits: &'a [usize],
    state: usize,
    /// What the call for the rest says, if that is a condition.
    rest: Option<bool>,
}

pub(crate) struct Called {
    pub(crate) word: Arc<Automaton>,
    pub(crate) system: System,
    /// How many arguments stand before the numbers that it reads.
    pub(crate) before: usize,
    /// Whether it reads the value of the call behind the numbers.
    pub(crate) value: bool,
}

impl<'p> crate::logic::scope::Scope<'p> {
    /// The automaton of a call, if the definition reads digits; its arguments before the numbers must be known.
    pub(crate) fn called(
        &mut self,
        id: DefId,
        arguments: &'p [Option<Term>],
        env: &Env<'p>,
    ) -> Result<Option<Called>, No> {
        let program = self.program;
        let def = &program.defs[id.0];
        let function = DigitFunction::with_state(id, def).or_else(|| DigitFunction::by_rest(id, def));
        let Some(function) = function.filter(|_| arguments.len() == def.params.len()) else { return Ok(None) };
        let before = arguments.len() - function.numbers.len();
        let mut known = Vec::new();
        for argument in &arguments[..before] {
            let Some(argument) = argument else { return Ok(None) };
            let Sym::Int(number) = self.eval(argument, env)? else { return Ok(None) };
            known.push(number.constant().and_then(ToPrimitive::to_usize));
        }
        let made = match known[..] {
            [] => match function.truth(function.end, &Place::default()) {
                Some(end) => function.of_condition(end).map(|table| (table, false)),
                None => function.of_number().map(|table| (table, true)),
            },
            [Some(start)] | [Some(start), Some(1), Some(2)] => function.of_states(start).map(|table| (table, false)),
            _ => None,
        };
        let Some((word, system, value)) = made.and_then(|(table, value)| {
            let (word, system) = function.automaton(table)?;
            Some((Arc::new(word), system, value))
        }) else {
            return Ok(None);
        };
        Ok(Some(Called { word, system, before, value }))
    }

    /// What a call of a definition that reads digits says; `None`: it is none.
    pub(crate) fn read(&mut self, id: DefId, arguments: &'p [Option<Term>], env: &Env<'p>) -> Result<Option<Sym>, No> {
        if let (Some(base), [Some(number)]) = (summed_base(id, &self.program.defs[id.0]), arguments) {
            let number = self.int(number, env)?;
            self.need(Formula::natural(&number));
            return Ok(Some(Sym::DigitSum(number, Weights::Digits(base), BigInt::ZERO)));
        }
        let Some(Called { word, system, before, value }) = self.called(id, arguments, env)? else { return Ok(None) };
        let mut numbers = Vec::new();
        for argument in &arguments[before..] {
            let Some(argument) = argument else { return Ok(None) };
            numbers.push(self.int(argument, env)?);
        }
        if value {
            return Ok(Some(Sym::Int(self.image(&numbers, &word, system))));
        }
        self.digits.insert(system);
        let said = self.local(|scope| {
            let tracks = numbers.iter().map(|number| scope.track(number)).collect();
            Ok(Formula::atom(Atom::Word(word, tracks)))
        })?;
        Ok(Some(Sym::Bool(said)))
    }
}

impl<'p> DigitFunction<'p> {
    /// A definition with a state; `None`: it is none, or is written otherwise.
    fn with_state(id: DefId, def: &'p Def) -> Option<DigitFunction<'p>> {
        let body = bare(def.body.as_ref()?);
        let TermKind::If(when, end, again) = &body.kind else { return None };
        let TermKind::Call(called, arguments) = &bare(again).kind else { return None };
        let arguments: Vec<&Term> = arguments.iter().map(Option::as_ref).collect::<Option<_>>()?;
        if *called != id || arguments.len() != def.params.len() || def.owner.is_some() {
            return None;
        }
        let slots: Vec<Slot> = (def.prefix..).take(def.params.len()).collect();
        let TermKind::Compare(left, chain) = &bare(when).kind else { return None };
        let (digits, state, numbers) = match (&chain[..], &slots[..]) {
            // max(x, ..) == 0
            ([(CompareOp::Eq, zero)], [state, numbers @ ..]) if int(zero) == Some(0) && greatest(left, numbers) => {
                (Digits::Base(base(numbers, &arguments[1..])?), *state, numbers)
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
                (Digits::Fibonacci(*f), *state, numbers)
            }
            _ => return None,
        };
        let (numbers, more) = (numbers.to_vec(), arguments[0]);
        let mut function = DigitFunction { id, digits, state: Some(state), numbers, end, more, plain: true };
        let plain = |item: &Item| written_out(item) || function.place(&item.term).is_some();
        let odd = |term: &Term| matches!(&term.kind, TermKind::Items(_, items) if !items.iter().all(plain));
        function.plain = !some_term(more, odd) && !some_term(end, odd);
        (!function.numbers.is_empty() && function.plain).then_some(function)
    }

    fn by_rest(id: DefId, def: &'p Def) -> Option<DigitFunction<'p>> {
        let body = bare(def.body.as_ref()?);
        let TermKind::If(when, end, more) = &body.kind else { return None };
        let numbers: Vec<Slot> = (def.prefix..).take(def.params.len()).collect();
        let TermKind::Compare(left, chain) = &bare(when).kind else { return None };
        let [(CompareOp::Eq, zero)] = &chain[..] else { return None };
        if def.owner.is_some() || int(zero) != Some(0) || !greatest(left, &numbers) {
            return None;
        }
        let mut bases = Vec::new();
        each_term(more, &mut |term| {
            if let TermKind::Call(called, arguments) = &term.kind
                && *called == id
            {
                let arguments: Option<Vec<&Term>> = arguments.iter().map(Option::as_ref).collect();
                bases.push(arguments.and_then(|arguments| base(&numbers, &arguments)));
            }
        });
        let base = (*bases.first()?)?;
        let same = bases.iter().all(|other| *other == Some(base));
        let function = DigitFunction { id, digits: Digits::Base(base), state: None, numbers, end, more, plain: false };
        same.then_some(function)
    }

    fn size(&self) -> usize {
        if let Digits::Base(base) = self.digits { usize::from(base) } else { 2 }
    }

    fn letters(&self, reads: usize) -> Option<usize> {
        self.size().checked_pow(u32::try_from(reads).ok()?).filter(|letters| *letters <= 4096)
    }

    fn digits_of(&self, letter: usize) -> Vec<usize> {
        let size = self.size();
        self.numbers.iter().scan(letter, |left, _| Some(std::mem::replace(left, *left / size) % size)).collect()
    }

    fn automaton(&self, table: Table) -> Option<(Automaton, System)> {
        let (system, table) = match self.digits {
            Digits::Fibonacci(_) => (System::ZECKENDORF, table),
            Digits::Base(base) if base.is_power_of_two() => (System::Binary, in_bits(&table, self.size())?),
            Digits::Base(base) => (System::base(base)?, table),
        };
        Some((table.automaton(system, &Limit::default()).ok()?, system))
    }

    /// The table of a definition that begins in this state.
    fn of_states(&self, start: usize) -> Option<Table> {
        let letters = self.letters(self.numbers.len())?;
        let says = |state: usize| self.truth(self.end, &Place { state, ..Place::default() });
        // With each state what it said behind the highest digit that is not 0: zeros above it are not read.
        Table::explore(self.numbers.len(), (start, says(start)?), STATES, |&(state, said)| {
            let next = |letter: usize| {
                let digits = self.digits_of(letter);
                let to = self.known(self.more, &Place { digits: &digits, state, rest: None })?;
                let to = usize::try_from(to).ok()?;
                Some((to, if letter == 0 { said } else { says(to)? }))
            };
            Some((said, (0..letters).map(next).collect::<Option<_>>()?))
        })
    }

    fn of_condition(&self, end: bool) -> Option<Table> {
        // What each digit makes of the rest: of a false and of a true one.
        let mut makes = Vec::new();
        for letter in 0..self.letters(self.numbers.len())? {
            let digits = self.digits_of(letter);
            let of = |rest| self.truth(self.more, &Place { digits: &digits, state: 0, rest: Some(rest) });
            makes.push([of(false)?, of(true)?]);
        }
        // What the whole is for a false and for a true rest, and what it was behind the last digit that is not 0.
        Table::explore(self.numbers.len(), ([false, true], end), STATES, |&(whole, said)| {
            let next = |(letter, made): (usize, &[bool; 2])| {
                let next = made.map(|rest| whole[usize::from(rest)]);
                (next, if letter == 0 { said } else { next[usize::from(end)] })
            };
            Some((said, makes.iter().enumerate().map(next).collect()))
        })
    }

    fn of_number(&self) -> Option<Table> {
        let (size, reads) = (i64::try_from(self.size()).ok()?, self.numbers.len());
        if self.number(self.end, &Place::default()) != Some((0, 0)) {
            return None;
        }
        let (letters, all) = (self.letters(reads)?, self.letters(reads + 1)?);
        let mut row = Vec::with_capacity(all);
        for value in 0..size {
            for letter in 0..letters {
                let digits = self.digits_of(letter);
                let (digit, rest) = self.number(self.more, &Place { digits: &digits, ..Place::default() })?;
                // Zeros above all digits are not read: they must say nothing.
                if rest != size || !(0..size).contains(&digit) || (letter == 0 && digit != 0) {
                    return None;
                }
                row.push(usize::from(digit != value));
            }
        }
        Some(Table { reads: reads + 1, states: vec![(true, row), (false, vec![1; all])] })
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

    /// A number that depends on the digits and the state alone.
    fn known(&self, term: &Term, at: &Place<'_>) -> Option<i64> {
        self.number(term, at).and_then(|(number, rest)| (rest == 0).then_some(number))
    }

    /// A number, and how many times the value of the rest is added to it.
    fn number(&self, term: &Term, at: &Place<'_>) -> Option<(i64, i64)> {
        let digit = |place: usize| Some((i64::try_from(*at.digits.get(place)?).ok()?, 0));
        match &bare(term).kind {
            TermKind::Int(_) => Some((int(term)?, 0)),
            TermKind::Slot(slot) if Some(*slot) == self.state => Some((i64::try_from(at.state).ok()?, 0)),
            TermKind::Call(called, _) if *called == self.id && self.state.is_none() && at.rest.is_none() => {
                Some((0, 1))
            }
            TermKind::If(condition, a, b) => self.number(if self.truth(condition, at)? { a } else { b }, at),
            TermKind::Binary(BinaryOp::Mod, of, by) => match slot(of) {
                Some(of) => {
                    let place = self.numbers.iter().position(|other| *other == of)?;
                    let Digits::Base(base) = self.digits else { return None };
                    if int(by) == Some(i64::from(base)) { digit(place) } else { None }
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
            TermKind::Builtin(Builtin::Count, arguments) => {
                let [list] = &arguments[..] else { return None };
                let TermKind::Items(_, items) = &bare(list).kind else { return None };
                let [item] = &items[..] else { return None };
                digit(self.place(&item.term).filter(|_| !item.spread)?)
            }
            TermKind::Index(list, place) => {
                let (items, place) = (self.items(list, at)?, usize::try_from(self.known(place, at)?).ok()?);
                // All items are evaluated before one is taken: each must have a value.
                let has_value = |item: &Item| !item.spread && self.number(&item.term, at).is_some();
                let item = items.get(place).filter(|_| self.plain || items.iter().all(has_value))?;
                self.number(&item.term, at)
            }
            _ => None,
        }
    }

    /// The items of a list, which may be one of a table that is written out.
    fn items<'t>(&self, list: &'t Term, at: &Place<'_>) -> Option<&'t [Item]> {
        match &bare(list).kind {
            TermKind::Items(_, items) => Some(items),
            TermKind::Index(table, place) if self.plain => {
                let place = usize::try_from(self.known(place, at)?).ok()?;
                self.items(&self.items(table, at)?.get(place)?.term, at)
            }
            _ => None,
        }
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

fn base(numbers: &[Slot], arguments: &[&Term]) -> Option<u8> {
    let by = |(number, term): (&Slot, &&Term)| match &bare(term).kind {
        TermKind::Binary(BinaryOp::Div, of, by) if slot(of) == Some(*number) => {
            int(by).and_then(|by| u8::try_from(by).ok()).filter(|by| (2..=16).contains(by))
        }
        _ => None,
    };
    let by: Vec<u8> = numbers.iter().zip(arguments).map(by).collect::<Option<_>>()?;
    by.first().copied().filter(|base| by.len() == numbers.len() && by.iter().all(|other| other == base))
}

/// The base of `def s(n): nat = if n == 0 then 0 else n mod b + s(n div b)`, the sum of the digits of n; `None`: it is no such def.
fn summed_base(id: DefId, def: &Def) -> Option<u8> {
    let TermKind::If(when, a, b) = &bare(def.body.as_ref()?).kind else { return None };
    let (TermKind::Compare(left, chain), 1, None) = (&bare(when).kind, def.params.len(), def.owner) else {
        return None;
    };
    let [(op, right)] = &chain[..] else { return None };
    let number = def.prefix;
    let (end, more) = match (op, int(right)?) {
        (CompareOp::Eq | CompareOp::Le, 0) | (CompareOp::Lt, 1) => (a, b),
        (CompareOp::Ne | CompareOp::Gt, 0) | (CompareOp::Ge, 1) => (b, a),
        _ => return None,
    };
    let TermKind::Binary(BinaryOp::Add, x, y) = &bare(more).kind else { return None };
    let (digit, rest) = if let TermKind::Call(..) = &bare(y).kind { (x, y) } else { (y, x) };
    let TermKind::Binary(BinaryOp::Mod, of, by) = &bare(digit).kind else { return None };
    let TermKind::Call(called, arguments) = &bare(rest).kind else { return None };
    let argument = arguments.first()?.as_ref().filter(|_| arguments.len() == 1 && *called == id)?;
    let base = base(&[number], &[argument])?;
    let reads = slot(left) == Some(number) && slot(of) == Some(number) && int(by) == Some(base.into());
    (reads && int(end) == Some(0)).then_some(base)
}

/// The table that reads each digit in a base that is a power of two as its bits.
fn in_bits(table: &Table, size: usize) -> Option<Table> {
    let reads = table.reads;
    let width = size.ilog2();
    let after = |state: usize, digits: &[usize]| {
        let letter = digits.iter().rev().fold(0, |letter, digit| letter * size + digit);
        table.states[state].1[letter]
    };
    // The state before the digits, how many bits were read, and for each number what they are worth.
    Table::explore(reads, (0, 0, vec![0; reads]), STATES, |(state, read, digits)| {
        // All bits above are 0.
        let accepts = table.states[if *read == 0 { *state } else { after(*state, digits) }].0;
        let next = |letter: usize| {
            let digits: Vec<usize> =
                digits.iter().enumerate().map(|(i, digit)| digit | (letter >> i & 1) << read).collect();
            if read + 1 == width { (after(*state, &digits), 0, vec![0; reads]) } else { (*state, read + 1, digits) }
        };
        Some((accepts, (0..1 << reads).map(next).collect()))
    })
}

pub(crate) fn slot(term: &Term) -> Option<Slot> {
    if let TermKind::Slot(slot) = &bare(term).kind { Some(*slot) } else { None }
}

pub(crate) fn int(term: &Term) -> Option<i64> {
    if let TermKind::Int(number) = &bare(term).kind { number.to_i64() } else { None }
}

pub(crate) fn greatest(term: &Term, numbers: &[Slot]) -> bool {
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

/// That an automaton accepts two values of some numbers, and that it accepts none of some: the value is read behind `reads`
/// others. Neither may ever hold of a closed form.
pub(crate) fn not_one_value(word: &Arc<Automaton>, reads: u32) -> [Formula; 2] {
    let said = |value: u32| Formula::atom(Atom::Word(word.clone(), (0..reads).chain([value]).collect()));
    let (value, other) = (reads, reads + 1);
    let one = num_bigint::BigInt::from(1);
    let less = Formula::at_most(&Linear::track(value).plus(&one, &Linear::number(1)), &Linear::track(other));
    [Formula::all([said(value), said(other), less]), Formula::exists(vec![value], said(value)).not()]
}
