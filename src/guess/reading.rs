//! Values of the language as the numbers that formulas are about, and back.

use crate::model::kind::Type;
use crate::value::Value;

/// Ints are themselves, truth values 0 and 1, texts are numbered in the order in which they are met.
#[derive(Debug)]
pub(super) struct Reading {
    ty: Type,
    texts: Vec<String>,
    /// Values that are no numbers.
    others: Vec<String>,
}

impl Reading {
    /// Of values of this type.
    pub(super) fn new(ty: &Type) -> Self {
        Reading { ty: ty.clone(), texts: Vec::new(), others: Vec::new() }
    }

    /// The number of a value; `None` for one that no formula gives.
    pub(super) fn number(&mut self, value: &Value) -> Option<i128> {
        match value {
            Value::Int(n) => Some(i128::from(*n)),
            Value::Big(n) => i128::try_from(&**n).ok(),
            Value::Bool(truth) => Some(i128::from(*truth)),
            Value::Text(text) => {
                let text: String = text.characters().collect();
                // Others cannot be written between quotes as they are.
                if text.contains(['"', '\\', '\n']) {
                    return None;
                }
                let known = self.texts.iter().position(|other| *other == text);
                let index = known.unwrap_or_else(|| {
                    self.texts.push(text);
                    self.texts.len() - 1
                });
                i128::try_from(index).ok()
            }
            _ => None,
        }
    }

    /// A number for a value that no formula gives: far below all others.
    pub(super) fn other(&mut self, value: &Value) -> i128 {
        let text = value.inner_text();
        let known = self.others.iter().position(|other| *other == text);
        let index = known.unwrap_or_else(|| {
            self.others.push(text);
            self.others.len() - 1
        });
        i128::MIN.saturating_add_unsigned(u128::try_from(index).unwrap_or(0))
    }

    /// The texts that were met, in that order.
    pub(super) fn texts(&self) -> &[String] {
        &self.texts
    }

    /// The value of a number as the language writes it.
    pub(super) fn shown(&self, value: i128) -> String {
        match (&self.ty, usize::try_from(value).ok().and_then(|index| self.texts.get(index))) {
            (Type::Text, Some(text)) => format!("\"{text}\""),
            (Type::Bool, _) => (value == 1).to_string(),
            _ if value < i128::MIN / 2 => {
                let index = usize::try_from(value - i128::MIN).ok();
                index.and_then(|index| self.others.get(index)).cloned().unwrap_or_default()
            }
            _ => value.to_string(),
        }
    }
}
