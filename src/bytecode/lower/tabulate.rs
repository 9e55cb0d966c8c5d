//! Terms that read one small number, or one small pair, and nothing else that is unknown: worked out now for each value
//! that it can have, so that code looks them up.
//!
//! What a binder over a set in a word, over the vertices of a small graph or over a known range is bound to has few values.
//! A term of it that makes a collection on the way (`set(flips[v])`, `{w for w in 0..19 where near(v, w)}`) and is a word
//! in the end becomes a table. A value for which the term faults has an entry that asks for the wider form of the rules,
//! which has no such tables and tells of the fault.
//!
//! For *lit vertices by lists* of `benches/rivals`: 200 times the speed of lists made for each move.

use crate::bytecode::lower::operand::Part;
use crate::bytecode::lower::{Lower, Operand, SlotState};
use crate::bytecode::{Aggregate, DomainId, Op, Reg, WordType};
use crate::model::walk::{free_slots, some_term};
use crate::model::{Program, Slot, Term, TermKind, Type};
use crate::value::domain::{Domain, NUMBERS};
use crate::value::{Value, width};

/// No more values than this are tried.
const MOST: usize = 256;

/// What a table is looked up by.
struct Index {
    slot: Slot,
    /// The number that the register has for the first of the values.
    from: i64,
    reg: Reg,
    values: Vec<Value>,
}

impl<'p> Lower<'_, 'p> {
    /// The term as a table; `None`: it is none.
    pub(super) fn by_table(&mut self, term: &'p Term) -> Option<Operand> {
        if !self.scalar || self.folding || !self.narrow() || !makes_collection(self.program, term) {
            return None;
        }
        // Of rule parameters there may be many, each time with code of its own.
        if self.scope().own.is_none_or(|id| !self.ctx.instance_at(id).params.is_empty()) {
            return None;
        }
        let index = self.sole_index(term)?;
        let results = self.results(term, &index)?;
        let of = self.word_type_of_all(&term.ty, &index, &results)?;
        let words = results.iter().map(|result| match result {
            Some(value) => self.known_word(value, of),
            None => Some(0),
        });
        let words: Vec<i64> = words.collect::<Option<_>>()?;
        let from = self.pooled(index.from);
        let a = if index.from == 0 { index.reg } else { self.emit_word(|d| Op::Sub { d, a: index.reg, b: from }) };
        if results.iter().any(Option::is_none) {
            // One more than the greatest int fits no word: the wider form of the rules is asked for.
            let entries = results.iter().map(|result| if result.is_some() { 0 } else { i64::MAX }).collect();
            let a = self.table(entries, a);
            self.emit_word(|d| Op::AddConst { d, a, k: 1 });
        }
        Some(Operand::Word(self.table(words, a), of))
    }

    /// Remembers which values a member of a set in a word can be.
    pub(super) fn note_values(&mut self, member: &Operand, reg: Reg, domain: DomainId) {
        match (member, self.ctx.domain(domain)) {
            (_, Domain::Numbers) => {
                self.ranges.insert(reg, (0, NUMBERS - 1));
            }
            (Operand::Parts(parts), Domain::Pairs) => {
                if let [Part { operand: Operand::Word(x, _), .. }, Part { operand: Operand::Word(y, _), .. }] =
                    parts.parts[..]
                {
                    self.pair_of.insert((x, y), (domain, reg));
                }
            }
            _ => {}
        }
    }

    /// Remembers which values the counter of a loop can have, where that is known.
    pub(super) fn note_range(&mut self, counter: Reg, from: &Operand, to: Reg) {
        let constant = self.pool.iter().find_map(|(&k, &reg)| (reg == to).then_some(k));
        let to = constant.or_else(|| self.ranges.get(&to).map(|&(_, to)| to));
        if let (&Operand::Known(Value::Int(from)), Some(to)) = (from, to)
            && from <= to
            && width::index(to.abs_diff(from)) < MOST
        {
            self.ranges.insert(counter, (from, to));
        }
    }

    /// The only unknown slot that the term reads, if it has few values.
    fn sole_index(&mut self, term: &'p Term) -> Option<Index> {
        let scope = self.scope();
        let unknown = |slot: &Slot| matches!(&scope.slots[*slot], SlotState::At(operand) if !matches!(operand, Operand::Known(_)));
        let mut slots = free_slots(term).into_iter().filter(unknown);
        let (slot, None) = (slots.next()?, slots.next()) else { return None };
        if !self.is_settled(term, Some(slot)) {
            return None;
        }
        let SlotState::At(operand) = self.scope().slots[slot].clone() else { return None };
        match operand {
            Operand::Word(reg, WordType::Int) => {
                let &(from, to) = self.ranges.get(&reg)?;
                let values = (from..=to).map(Value::Int).collect();
                Some(Index { slot, from, reg, values })
            }
            Operand::Word(reg, WordType::Member(domain)) => {
                let domain = self.ctx.domain(domain);
                let len = Some(domain.len()).filter(|&len| len <= MOST)?;
                let values = (0..width::short(len)).map(|number| domain.value(number)).collect();
                Some(Index { slot, from: 0, reg, values })
            }
            Operand::Parts(parts) => {
                let [
                    Part { flag: None, operand: Operand::Word(x, _) },
                    Part { flag: None, operand: Operand::Word(y, _) },
                ] = parts.parts[..]
                else {
                    return None;
                };
                let (domain, reg) = *self.pair_of.get(&(x, y)).filter(|_| parts.whole == Aggregate::Tuple)?;
                let domain = self.ctx.domain(domain);
                let values = (0..width::short(domain.len())).map(|number| domain.value(number)).collect();
                Some(Index { slot, from: 0, reg, values })
            }
            _ => None,
        }
    }

    /// What the term is for each value, `None` where it faults. `None` for all: it faults for most of them, or a limit is
    /// reached.
    fn results(&mut self, term: &'p Term, index: &Index) -> Option<Vec<Option<Value>>> {
        let code = self.code_of(term, &[index.slot]);
        let mut results = Vec::with_capacity(index.values.len());
        for value in &index.values {
            match self.ctx.run_quietly(&code, Some(value)) {
                Ok(result) => results.push(Some(result)),
                Err(halt) if halt.is_limit() => return None,
                Err(_) => results.push(None),
            }
        }
        results.iter().any(Option::is_some).then_some(results)
    }

    /// The form of words that all results have.
    fn word_type_of_all(&mut self, ty: &Type, index: &Index, results: &[Option<Value>]) -> Option<WordType> {
        let forms: Vec<WordType> = match ty {
            Type::Bool => vec![WordType::Bool],
            Type::Int => vec![WordType::Int],
            Type::Set(of) => {
                let member = match self.scope().slots[index.slot] {
                    SlotState::At(Operand::Word(_, WordType::Member(domain))) if self.fits_mask(domain) => Some(domain),
                    _ => None,
                };
                let small = self.small_domains();
                let (first, second): (Vec<_>, Vec<_>) = if **of == Type::Int {
                    (small.collect(), member.into_iter().collect())
                } else {
                    (member.into_iter().collect(), small.collect())
                };
                first.into_iter().chain(second).map(WordType::Mask).collect()
            }
            _ => return None,
        };
        let fits = |form: &WordType| results.iter().flatten().all(|value| self.known_word(value, *form).is_some());
        forms.into_iter().find(fits)
    }
}

/// Whether working the term out makes a collection on the way, or goes through one.
fn makes_collection(program: &Program, term: &Term) -> bool {
    let is_collection = |ty: &Type| matches!(ty, Type::Set(_) | Type::List(_) | Type::Bag(_) | Type::Text);
    some_term(term, |term| match &term.kind {
        TermKind::Comprehension(..) | TermKind::Update(..) | TermKind::Slice(..) => true,
        TermKind::Index(base, _) => is_collection(&term.ty) || matches!(base.ty, Type::Text),
        TermKind::Builtin(_, args) => is_collection(&term.ty) || args.iter().any(|arg| is_collection(&arg.ty)),
        TermKind::Call(def, _) => {
            let def = &program.defs[def.0];
            def.recursive || def.body.as_ref().is_some_and(|body| makes_collection(program, body))
        }
        _ => false,
    })
}
