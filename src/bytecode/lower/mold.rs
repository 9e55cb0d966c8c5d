//! One place for several operands: registers of a form that holds each of them.

use crate::bytecode::lower::parts::Part;
use crate::bytecode::lower::{Lower, Operand};
use crate::bytecode::{Op, Rep, Whole};
use crate::value::Value;

/// Registers that hold an operand of one of several forms.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mold {
    Word(Rep),
    Value,
    Parts(Whole, Vec<Mold>),
}

impl Lower<'_, '_> {
    /// The form in which the operand can stay.
    fn mold(&mut self, operand: &Operand) -> Mold {
        match operand {
            Operand::Word(_, rep) => Mold::Word(*rep),
            Operand::Value(_) | Operand::Known(Value::Set(_) | Value::Range(..)) => Mold::Value,
            Operand::Known(Value::Int(_)) if self.narrow() => Mold::Word(Rep::Int),
            Operand::Known(Value::Bool(_)) => Mold::Word(Rep::Bool),
            Operand::Known(value @ Value::Text(text)) if text.single().is_some() => {
                let letters = self.letters.map(Rep::Member);
                letters.filter(|rep| self.known_word(value, *rep).is_some()).map_or(Mold::Value, Mold::Word)
            }
            _ => match self.sure_parts(operand) {
                Some(parts) if parts.whole != Whole::Set => {
                    Mold::Parts(parts.whole, parts.parts.iter().map(|part| self.mold(&part.operand)).collect())
                }
                _ => Mold::Value,
            },
        }
    }

    /// Whether registers of this form can hold the operand.
    pub(crate) fn fits(&mut self, mold: &Mold, operand: &Operand) -> bool {
        match (mold, operand) {
            (Mold::Value, _) => true,
            (Mold::Word(rep), Operand::Word(_, have)) => rep == have,
            (Mold::Word(rep), Operand::Known(value)) => self.known_word(value, *rep).is_some(),
            (Mold::Word(_), _) => false,
            (Mold::Parts(whole, molds), _) => self.sure_parts(operand).is_some_and(|parts| {
                parts.whole == *whole
                    && parts.parts.len() == molds.len()
                    && molds.iter().zip(&parts.parts).all(|(mold, part)| self.fits(mold, &part.operand))
            }),
        }
    }

    /// The form that holds every one of the operands.
    pub(crate) fn common_mold<'o>(&mut self, operands: impl Iterator<Item = &'o Operand> + Clone) -> Mold {
        // Known values follow the others: a name of a vertex may be a number there.
        let open = operands.clone().find(|operand| !matches!(operand, Operand::Known(_)));
        let Some(first) = open.or_else(|| operands.clone().next()) else { return Mold::Value };
        let mut mold = self.mold(first);
        for operand in operands {
            if !self.fits(&mold, operand) {
                let other = self.mold(operand);
                mold = join_molds(mold, other);
                if !self.fits(&mold, operand) {
                    return Mold::Value;
                }
            }
        }
        mold
    }

    /// New registers of a form.
    pub(crate) fn registers_like(&mut self, mold: &Mold) -> Operand {
        match mold {
            Mold::Word(rep) => Operand::Word(self.word(), *rep),
            Mold::Value => Operand::Value(self.value()),
            Mold::Parts(whole, molds) => {
                let parts = molds.iter().map(|mold| Part::sure(self.registers_like(mold))).collect();
                self.whole(*whole, parts)
            }
        }
    }

    /// Copies an operand into registers that can hold it.
    pub(crate) fn copy_into(&mut self, to: &Operand, from: &Operand) {
        match to {
            Operand::Word(d, rep) => {
                if let Operand::Known(value) = from
                    && let Some(k) = self.known_word(value, *rep)
                {
                    self.load(*d, k);
                } else {
                    let a = self.as_word(from.clone(), *rep);
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
fn join_molds(a: Mold, b: Mold) -> Mold {
    match (a, b) {
        (a, b) if a == b => a,
        (Mold::Parts(w, a), Mold::Parts(x, b)) if w == x && a.len() == b.len() => {
            Mold::Parts(w, a.into_iter().zip(b).map(|(a, b)| join_molds(a, b)).collect())
        }
        _ => Mold::Value,
    }
}
