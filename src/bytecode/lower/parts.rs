//! Lists, texts and tuples known by their parts, each an operand: what stays in registers instead of a value.
//!
//! Loops over them are written out, `xs[i]`, slices, updates, `+`, `sort` and comparisons rename registers or take a
//! few word instructions, and of a filtered list each part has a flag. When that makes too much code, the rules are
//! lowered again with loops, and at last with lists as values.

use crate::bytecode::layout;
use crate::bytecode::layout::{FieldLayout, LONGEST};
use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{Aggregate, Materialize, Reg, WordType};
use crate::value::{Value, members};
use std::rc::Rc;

/// A collection by its parts.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub(crate) whole: Aggregate,
    pub(crate) parts: Vec<Part>,
}

/// One part; with a flag it is there only when the flag's word is not 0.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) flag: Option<Reg>,
    pub(crate) operand: Operand,
}

impl Part {
    /// A part that is there.
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

impl Lower<'_, '_> {
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

    /// The parts of an operand, if they are at hand.
    pub(crate) fn parts(&mut self, operand: &Operand) -> Option<Rc<Parts>> {
        if !self.scalar {
            return None;
        }
        let whole = match operand {
            Operand::Parts(parts) => return Some(parts.clone()),
            Operand::Known(Value::List(list)) => Aggregate::List(list.base),
            Operand::Known(Value::Range(..)) => Aggregate::List(0),
            Operand::Known(Value::Text(_)) => Aggregate::Text,
            Operand::Known(Value::Set(_)) => Aggregate::Set,
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

    /// The same when all parts are there.
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
}
