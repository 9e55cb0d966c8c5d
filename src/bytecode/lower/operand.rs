//! Operands, in the form that is wanted.

use crate::bytecode::lower::parts::Parts;
use crate::bytecode::lower::{Lower, expr};
use crate::bytecode::{Op, Reg, WordType};
use crate::model::Slot;
use crate::value::Value;
use crate::value::domain::Domain;
use crate::value::domain::{NUMBERS, numbers_below};
use std::rc::Rc;

/// A value that code has at hand.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    /// Known now.
    Known(Value),
    /// In a word register.
    Word(Reg, WordType),
    /// In a value register.
    Value(Reg),
    /// A collection known by its parts.
    Parts(Rc<Parts>),
}

impl Lower<'_, '_> {
    /// A constant for a word register, when the value has that form.
    pub(crate) fn known_word(&self, value: &Value, word_type: WordType) -> Option<i64> {
        match (word_type, value) {
            (WordType::Int, Value::Int(n)) => Some(*n),
            (WordType::Bool, Value::Bool(b)) => Some(i64::from(*b)),
            (WordType::Member(domain), value) => self.ctx.domain(domain).number(value).map(i64::from),
            (WordType::Mask(domain), Value::Set(items)) => {
                let domain = self.ctx.domain(domain);
                let mut mask = 0u64;
                for item in items.iter() {
                    mask |= 1 << domain.number(item).filter(|&n| n < 64)?;
                }
                Some(mask.cast_signed())
            }
            (WordType::Mask(domain), Value::Range(from, to)) if matches!(self.ctx.domain(domain), Domain::Numbers) => {
                match (*from, *to) {
                    (from, to) if from > to => Some(0),
                    (from, to) => (from >= 0 && to < NUMBERS).then(|| numbers_below(to + 1) & !numbers_below(from)),
                }
            }
            _ => None,
        }
    }

    pub(crate) fn constant(&mut self, k: i64) -> Reg {
        let d = self.word();
        self.load(d, k);
        d
    }

    /// A constant in a register that must not be written.
    pub(crate) fn pooled(&mut self, k: i64) -> Reg {
        if !self.scalar {
            return self.constant(k);
        }
        if let Some(&d) = self.pool.get(&k) {
            return d;
        }
        let d = self.word();
        self.pool.insert(k, d);
        d
    }

    pub(crate) fn load(&mut self, d: Reg, k: i64) {
        if let Ok(k) = i32::try_from(k) {
            self.emit(Op::Const { d, k });
        } else {
            self.code.wide.push(k);
            let k = Reg::try_from(self.code.wide.len() - 1).unwrap_or(Reg::MAX);
            self.emit(Op::ConstWide { d, k });
        }
    }

    /// The operand in a word register of this form; run-time checks where it may not fit.
    pub(crate) fn as_word(&mut self, operand: Operand, word_type: WordType) -> Reg {
        match operand {
            Operand::Word(reg, have) if have == word_type => reg,
            operand if matches!(word_type, WordType::Member(domain) if self.is_small_member(&operand, domain)) => {
                let a = self.small_member(&operand);
                self.emit(Op::CheckMember { a });
                a
            }
            Operand::Known(value) => {
                if let Some(k) = self.known_word(&value, word_type) {
                    return self.pooled(k);
                }
                let a = self.as_value(Operand::Known(value));
                self.unbox(a, word_type)
            }
            other => {
                if let WordType::Mask(domain) = word_type
                    && let Some(mask) = self.mask_of_parts(&other, domain)
                {
                    return mask;
                }
                let a = self.as_value(other);
                self.unbox(a, word_type)
            }
        }
    }

    fn unbox(&mut self, a: Reg, word_type: WordType) -> Reg {
        let d = self.word();
        self.emit(match word_type {
            WordType::Int => Op::UnboxInt { d, a },
            WordType::Bool => Op::UnboxBool { d, a },
            WordType::Member(domain) => Op::UnboxMember { d, a, domain },
            WordType::Mask(domain) => Op::UnboxMask { d, a, domain },
        });
        d
    }

    /// The operand in a value register.
    pub(crate) fn as_value(&mut self, operand: Operand) -> Reg {
        match operand {
            Operand::Value(reg) => reg,
            Operand::Parts(_) => {
                let d = self.value();
                self.code.makes.push(Self::make(&operand));
                let make = expr::last(self.code.makes.len());
                self.emit(Op::Materialize { d, make });
                d
            }
            Operand::Known(value) => {
                let d = self.value();
                self.code.constants.push(value);
                let k = Reg::try_from(self.code.constants.len() - 1).unwrap_or(Reg::MAX);
                self.emit(Op::Value { d, k });
                d
            }
            Operand::Word(a, word_type) => {
                let d = self.value();
                self.emit(boxed(d, a, word_type));
                d
            }
        }
    }

    /// The operand as the result in value register 0.
    pub(crate) fn result(&mut self, operand: Operand) {
        let a = self.as_value(operand);
        self.emit(Op::Move { d: 0, a });
    }

    /// Hands the values of slots to the caller.
    pub(crate) fn yield_slots(&mut self, slots: &[Slot]) {
        let registers: Vec<Reg> = slots
            .iter()
            .map(|&slot| {
                let operand = self.slot(slot);
                self.as_value(operand)
            })
            .collect();
        let spec = self.register_list(registers);
        self.emit(Op::Yield { spec });
    }
}

/// The instruction that puts a word of this form into value register `d`.
pub(super) fn boxed(d: Reg, a: Reg, word_type: WordType) -> Op {
    match word_type {
        WordType::Int => Op::BoxInt { d, a },
        WordType::Bool => Op::BoxBool { d, a },
        WordType::Member(domain) => Op::BoxMember { d, a, domain },
        WordType::Mask(domain) => Op::BoxMask { d, a, domain },
    }
}
