//! One place for several operands: registers of a form that holds each of them.

use crate::bytecode::lower::parts::Part;
use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{Aggregate, Op, WordType};
use crate::value::Value;

/// Registers that hold an operand of one of several forms.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum JoinLayout {
    Word(WordType),
    Value,
    Parts(Aggregate, Vec<JoinLayout>),
}

impl Lower<'_, '_> {
    /// The form in which the operand can stay.
    fn mold(&mut self, operand: &Operand) -> JoinLayout {
        match operand {
            Operand::Word(_, word_type) => JoinLayout::Word(*word_type),
            Operand::Value(_) | Operand::Known(Value::Set(_) | Value::Range(..)) => JoinLayout::Value,
            Operand::Known(Value::Int(_)) if self.narrow() => JoinLayout::Word(WordType::Int),
            Operand::Known(Value::Bool(_)) => JoinLayout::Word(WordType::Bool),
            Operand::Known(value @ Value::Text(text)) if text.single().is_some() => {
                let letters = self.letters.map(WordType::Member);
                letters
                    .filter(|word_type| self.known_word(value, *word_type).is_some())
                    .map_or(JoinLayout::Value, JoinLayout::Word)
            }
            _ => match self.sure_parts(operand) {
                Some(parts) if parts.whole != Aggregate::Set => {
                    JoinLayout::Parts(parts.whole, parts.parts.iter().map(|part| self.mold(&part.operand)).collect())
                }
                _ => JoinLayout::Value,
            },
        }
    }

    /// Whether registers of this form can hold the operand.
    pub(crate) fn fits(&mut self, mold: &JoinLayout, operand: &Operand) -> bool {
        match (mold, operand) {
            (JoinLayout::Value, _) => true,
            (JoinLayout::Word(word_type), Operand::Word(_, have)) => word_type == have,
            (JoinLayout::Word(word_type), Operand::Known(value)) => self.known_word(value, *word_type).is_some(),
            (JoinLayout::Word(_), _) => false,
            (JoinLayout::Parts(whole, molds), _) => self.sure_parts(operand).is_some_and(|parts| {
                parts.whole == *whole
                    && parts.parts.len() == molds.len()
                    && molds.iter().zip(&parts.parts).all(|(mold, part)| self.fits(mold, &part.operand))
            }),
        }
    }

    /// The form that holds every one of the operands.
    pub(crate) fn common_mold<'o>(&mut self, operands: impl Iterator<Item = &'o Operand> + Clone) -> JoinLayout {
        // Known values follow the others: a name of a vertex may be a number there.
        let open = operands.clone().find(|operand| !matches!(operand, Operand::Known(_)));
        let Some(first) = open.or_else(|| operands.clone().next()) else { return JoinLayout::Value };
        let mut mold = self.mold(first);
        for operand in operands {
            if !self.fits(&mold, operand) {
                let other = self.mold(operand);
                mold = join_molds(mold, other);
                if !self.fits(&mold, operand) {
                    return JoinLayout::Value;
                }
            }
        }
        mold
    }

    /// New registers of a form.
    pub(crate) fn registers_like(&mut self, mold: &JoinLayout) -> Operand {
        match mold {
            JoinLayout::Word(word_type) => Operand::Word(self.word(), *word_type),
            JoinLayout::Value => Operand::Value(self.value()),
            JoinLayout::Parts(whole, molds) => {
                let parts = molds.iter().map(|mold| Part::sure(self.registers_like(mold))).collect();
                self.whole(*whole, parts)
            }
        }
    }

    /// Copies an operand into registers that can hold it.
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

/// A form for both.
fn join_molds(a: JoinLayout, b: JoinLayout) -> JoinLayout {
    match (a, b) {
        (a, b) if a == b => a,
        (JoinLayout::Parts(w, a), JoinLayout::Parts(x, b)) if w == x && a.len() == b.len() => {
            JoinLayout::Parts(w, a.into_iter().zip(b).map(|(a, b)| join_molds(a, b)).collect())
        }
        _ => JoinLayout::Value,
    }
}
