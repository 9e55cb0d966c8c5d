//! Definitions that call themselves for their numbers without the lowest digits, and make something of what comes back.
//!
//! ```text
//! def f(x, ..): bool = if max(x, ..) == 0 then A else C
//! def g(x, ..): nat  = if max(x, ..) == 0 then 0 else D + b * g(x div b, ..)
//! ```
//! `C` is made of `f(x div b, ..)` and conditions on the digits `x mod b` by `not`, `and`, `or`, `if` and the like. What was read of the
//! numbers then says what the whole is when the rest is true, and when it is false: an automaton of at most eight states. `D` is a
//! digit in base b made of the digits of the numbers: one automaton reads these beside the digits of the value.

use crate::claims::claim_sweep::bare;
use crate::model::{BinaryOp, CompareOp, Def, DefId, Item, LogicOp, Slot, Term, TermKind};
use crate::prover::automatic_functions::{divided, greatest, in_bits, int, slot};
use crate::prover::scope::Scope;
use crate::prover::symbol::{No, Sym};
use crate::prover::term::Env;
use grundy_automata::{Atom, Automaton, Formula, Limit, Linear, System, Table};
use std::sync::Arc;

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

impl<'p> Scope<'p> {
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
