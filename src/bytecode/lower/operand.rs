//! Operands, in the form that is wanted: words, values, and lists, texts and tuples known by their parts.
//!
//! Parts stay in registers instead of a value: loops over them are written out, `xs[i]`, slices, updates, `+`, `sort` and
//! comparisons rename registers or take a few word instructions, and of a filtered list each part has a flag. When that
//! makes too much code, the rules are lowered again with loops, and at last with lists as values.

use crate::bytecode::layout::{FieldLayout, LONGEST};
use crate::bytecode::lower::Lower;
use crate::bytecode::{Aggregate, DomainId, Materialize, Op, Reg, WordType, layout};
use crate::model::Slot;
use crate::value::domain::{Domain, NUMBERS, numbers_below};
use crate::value::{Value, members};
use std::rc::Rc;

/// A value that code has at hand: known now, in a register, or a collection known by its parts.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    Known(Value),
    Word(Reg, WordType),
    Value(Reg),
    Parts(Rc<Parts>),
}

#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub(crate) whole: Aggregate,
    pub(crate) parts: Vec<Part>,
}

impl Operand {
    pub(crate) fn is_int(&self) -> bool {
        matches!(self, Operand::Word(_, WordType::Int) | Operand::Known(Value::Int(_)))
    }

    pub(crate) fn is_bool(&self) -> bool {
        matches!(self, Operand::Word(_, WordType::Bool) | Operand::Known(Value::Bool(_)))
    }

    /// The domain of a member in a word.
    pub(crate) fn member(&self) -> Option<DomainId> {
        match self {
            Operand::Word(_, WordType::Member(domain)) => Some(*domain),
            _ => None,
        }
    }
}

/// One part; with a flag it is there only when the flag's word is not 0.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) flag: Option<Reg>,
    pub(crate) operand: Operand,
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
            let k = self.entry(|code| &mut code.wide, k);
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
                if let (&Operand::Word(a, WordType::Mask(of)), WordType::Mask(domain)) = (&other, word_type)
                    && let Some(Operand::Word(mask, _)) = self.in_small_mask(a, of, domain)
                {
                    return mask;
                }
                if word_type == WordType::Int
                    && let Operand::Word(label, WordType::Int) = self.as_label(other.clone())
                {
                    return label;
                }
                let a = self.as_value(other);
                self.unbox(a, word_type)
            }
        }
    }

    pub(crate) fn as_words(&mut self, operands: [&Operand; 2], word_type: WordType) -> [Reg; 2] {
        operands.map(|operand| self.as_word(operand.clone(), word_type))
    }

    pub(super) fn unbox(&mut self, a: Reg, word_type: WordType) -> Reg {
        self.emit_word(|d| Op::Unbox { d, a, word_type })
    }

    pub(crate) fn as_value(&mut self, operand: Operand) -> Reg {
        match operand {
            Operand::Value(reg) => reg,
            Operand::Parts(_) => {
                let make = self.entry(|code| &mut code.makes, Self::make(&operand));
                self.emit_value(|d| Op::Materialize { d, make })
            }
            Operand::Known(value) => {
                let k = self.entry(|code| &mut code.constants, value);
                self.emit_value(|d| Op::Value { d, k })
            }
            Operand::Word(a, word_type) => self.emit_value(|d| Op::Box { d, a, word_type }),
        }
    }

    /// The operand as the result in value register 0.
    pub(crate) fn result(&mut self, operand: Operand) {
        let a = self.as_value(operand);
        self.emit(Op::Move { d: 0, a });
    }

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

    /// A whole of parts: its value when all are known, the letter when it is a text of one.
    pub(crate) fn whole(&mut self, whole: Aggregate, mut parts: Vec<Part>) -> Operand {
        let sure = parts.iter().all(|part| part.flag.is_none());
        if sure && whole == Aggregate::Text && parts.len() == 1 {
            return parts.swap_remove(0).operand;
        }
        let known = |part: &Part| if let Operand::Known(value) = &part.operand { Some(value.clone()) } else { None };
        if sure && let Some(values) = parts.iter().map(known).collect::<Option<Vec<Value>>>() {
            return Operand::Known(layout::whole(whole, values));
        }
        let long = parts.len() > 4 * LONGEST;
        let operand = Operand::Parts(Rc::new(Parts { whole, parts }));
        if long { Operand::Value(self.as_value(operand)) } else { operand }
    }

    /// Whether a word is the number of a letter.
    pub(crate) fn is_letter(&mut self, operand: &Operand) -> bool {
        matches!(operand, Operand::Word(_, WordType::Member(domain)) if self.letters == Some(*domain))
    }

    /// Whether a word is the number of a letter, or of a text that the file names.
    pub(crate) fn is_text_word(&self, operand: &Operand) -> bool {
        operand.member().is_some_and(|domain| self.letters == Some(domain) || self.texts == Some(domain))
    }

    pub(crate) fn parts(&mut self, operand: &Operand) -> Option<Rc<Parts>> {
        if !self.scalar {
            return None;
        }
        let whole = match operand {
            Operand::Parts(parts) => return Some(parts.clone()),
            Operand::Known(Value::List(list)) => Aggregate::List(list.base),
            Operand::Known(Value::Range(..)) => Aggregate::List(0),
            Operand::Known(Value::Text(_)) => Aggregate::Text,
            Operand::Known(Value::Set(_)) => Aggregate::Set { ascending: true },
            Operand::Known(Value::Bag(_)) => Aggregate::Bag { ascending: true },
            Operand::Known(Value::Tuple(items)) => {
                let parts = items.iter().map(|item| Part::sure(Operand::Known(item.clone()))).collect();
                return Some(Rc::new(Parts { whole: Aggregate::Tuple, parts }));
            }
            Operand::Word(..) if self.is_letter(operand) => {
                return Some(Rc::new(Parts { whole: Aggregate::Text, parts: vec![Part::sure(operand.clone())] }));
            }
            _ => return None,
        };
        let Operand::Known(value) = operand else { return None };
        let items = members(value).ok().filter(|items| items.len() <= LONGEST)?;
        let parts = items.iter().map(|item| Part::sure(Operand::Known(item.clone()))).collect();
        Some(Rc::new(Parts { whole, parts }))
    }

    pub(crate) fn sure_parts(&mut self, operand: &Operand) -> Option<Rc<Parts>> {
        self.parts(operand).filter(|parts| parts.is_sure())
    }

    /// How the value of an operand is put together when it is wanted.
    pub(crate) fn make(operand: &Operand) -> Materialize {
        match operand {
            Operand::Known(value) => Materialize::Known(value.clone()),
            Operand::Word(reg, word_type) => Materialize::Word(*reg, *word_type),
            Operand::Value(reg) => Materialize::Value(*reg),
            Operand::Parts(parts) => {
                let make = |part: &Part| (part.flag, Self::make(&part.operand));
                Materialize::Parts(parts.whole, parts.parts.iter().map(make).collect())
            }
        }
    }

    /// The registers of a form that components keep.
    pub(crate) fn registers_of(&mut self, form: &FieldLayout, inputs: &mut Vec<Reg>) -> Operand {
        match form {
            FieldLayout::Value => Operand::Value(self.value()),
            FieldLayout::Word(word_type) => {
                let reg = self.word();
                inputs.push(reg);
                Operand::Word(reg, *word_type)
            }
            FieldLayout::Parts(whole, forms) => {
                let parts = forms.iter().map(|form| Part::sure(self.registers_of(form, inputs))).collect();
                self.whole(*whole, parts)
            }
        }
    }

    /// The form of a text that the file names, where fields have such.
    fn named_text(&self, text: &Value) -> Option<WordType> {
        let texts = self.texts.filter(|_| self.scalar).map(WordType::Member);
        texts.filter(|word_type| self.known_word(text, *word_type).is_some())
    }

    /// The form in which the operand can stay.
    fn mold(&mut self, operand: &Operand) -> FieldLayout {
        match operand {
            Operand::Word(_, word_type) => FieldLayout::Word(*word_type),
            Operand::Value(_) | Operand::Known(Value::Set(_) | Value::Bag(_) | Value::Range(..)) => FieldLayout::Value,
            Operand::Known(Value::Int(_)) if self.narrow() => FieldLayout::Word(WordType::Int),
            Operand::Known(Value::Bool(_)) => FieldLayout::Word(WordType::Bool),
            Operand::Known(value @ Value::Text(text)) if text.single().is_some() => {
                // Elsewhere letters are values.
                let letters = self.letters.filter(|_| self.scalar).map(WordType::Member);
                letters
                    .filter(|word_type| self.known_word(value, *word_type).is_some())
                    .map_or(FieldLayout::Value, FieldLayout::Word)
            }
            Operand::Known(value @ Value::Text(_)) if self.named_text(value).is_some() => {
                self.named_text(value).map_or(FieldLayout::Value, FieldLayout::Word)
            }
            _ => match self.sure_parts(operand) {
                Some(parts) if !matches!(parts.whole, Aggregate::Set { .. } | Aggregate::Bag { .. }) => {
                    FieldLayout::Parts(parts.whole, parts.parts.iter().map(|part| self.mold(&part.operand)).collect())
                }
                _ => FieldLayout::Value,
            },
        }
    }

    pub(crate) fn fits(&mut self, mold: &FieldLayout, operand: &Operand) -> bool {
        match (mold, operand) {
            (FieldLayout::Value, _) => true,
            (FieldLayout::Word(word_type), Operand::Word(_, have)) => word_type == have,
            (FieldLayout::Word(word_type), Operand::Known(value)) => self.known_word(value, *word_type).is_some(),
            (FieldLayout::Word(_), _) => false,
            (FieldLayout::Parts(whole, molds), _) => self.sure_parts(operand).is_some_and(|parts| {
                parts.whole == *whole
                    && parts.parts.len() == molds.len()
                    && molds.iter().zip(&parts.parts).all(|(mold, part)| self.fits(mold, &part.operand))
            }),
        }
    }

    pub(crate) fn common_mold<'o>(&mut self, operands: impl Iterator<Item = &'o Operand> + Clone) -> FieldLayout {
        // Known values follow the others: a name of a vertex may be a number there.
        let all = operands.clone();
        let open = operands.clone().find(|operand| !matches!(operand, Operand::Known(_)));
        let Some(first) = open.or_else(|| operands.clone().next()) else { return FieldLayout::Value };
        let mut mold = self.mold(first);
        for operand in operands {
            if !self.fits(&mold, operand) {
                let other = self.mold(operand);
                mold = join_molds(mold, other);
                if mold == FieldLayout::Value || !self.fits(&mold, operand) {
                    return self.named_texts(all);
                }
            }
        }
        mold
    }

    /// The form of several texts that the file names.
    fn named_texts<'o>(&self, mut operands: impl Iterator<Item = &'o Operand>) -> FieldLayout {
        let texts = self.texts.filter(|_| self.scalar).map(WordType::Member);
        let is = |operand: &Operand| match operand {
            Operand::Known(value) => self.named_text(value).is_some(),
            Operand::Word(_, word_type) => Some(*word_type) == texts,
            _ => false,
        };
        texts.filter(|_| operands.all(is)).map_or(FieldLayout::Value, FieldLayout::Word)
    }

    pub(crate) fn registers_like(&mut self, form: &FieldLayout) -> Operand {
        self.registers_of(form, &mut Vec::new())
    }

    pub(crate) fn copy_into(&mut self, to: &Operand, from: &Operand) {
        match to {
            Operand::Word(d, word_type) => {
                if let Operand::Known(value) = from
                    && let Some(k) = self.known_word(value, *word_type)
                {
                    self.load(*d, k);
                } else {
                    let a = self.as_word(from.clone(), *word_type);
                    self.emit(Op::Copy { d: *d, a });
                }
            }
            Operand::Value(d) => {
                let a = self.as_value(from.clone());
                self.emit(Op::Move { d: *d, a });
            }
            Operand::Parts(to) => {
                if let Some(from) = self.parts(from) {
                    for (to, from) in to.parts.iter().zip(&from.parts) {
                        self.copy_into(&to.operand, &from.operand);
                    }
                }
            }
            Operand::Known(_) => {}
        }
    }
}

impl Part {
    pub(crate) fn sure(operand: Operand) -> Part {
        Part { flag: None, operand }
    }
}

impl Parts {
    /// Whether all parts are there, so that places are known.
    pub(crate) fn is_sure(&self) -> bool {
        self.parts.iter().all(|part| part.flag.is_none())
    }
}

fn join_molds(a: FieldLayout, b: FieldLayout) -> FieldLayout {
    match (a, b) {
        (a, b) if a == b => a,
        (FieldLayout::Parts(w, a), FieldLayout::Parts(x, b)) if w == x && a.len() == b.len() => {
            FieldLayout::Parts(w, a.into_iter().zip(b).map(|(a, b)| join_molds(a, b)).collect())
        }
        _ => FieldLayout::Value,
    }
}
