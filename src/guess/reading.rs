//! Values of the language as the numbers that formulas are about, and back.

use crate::guess::residues::whole;
use crate::model::kind::Type;
use crate::value::Value;
use indexmap::IndexSet;

/// Ints are themselves, truth values 0 and 1, texts are numbered in the order in which they are met.
#[derive(Debug)]
pub(super) struct Reading {
    ty: Type,
    texts: IndexSet<String>,
    /// Values that are no numbers.
    others: IndexSet<String>,
}

impl Reading {
    /// Of values of this type.
    pub(super) fn new(ty: &Type) -> Self {
        Reading { ty: ty.clone(), texts: IndexSet::new(), others: IndexSet::new() }
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
                i128::try_from(self.texts.insert_full(text).0).ok()
            }
            _ => None,
        }
    }

    /// A number for a value that no formula gives: far below all others.
    pub(super) fn other(&mut self, value: &Value) -> i128 {
        i128::MIN + whole(self.others.insert_full(value.inner_text()).0)
    }

    /// The texts that were met, in that order.
    pub(super) fn texts(&self) -> &IndexSet<String> {
        &self.texts
    }

    /// The value of a number as the language writes it.
    pub(super) fn shown(&self, value: i128) -> String {
        match (&self.ty, usize::try_from(value).ok().and_then(|index| self.texts.get_index(index))) {
            (Type::Text, Some(text)) => format!("\"{text}\""),
            (Type::Bool, _) => (value == 1).to_string(),
            _ if value < i128::MIN / 2 => {
                let index = usize::try_from(value - i128::MIN).ok();
                index.and_then(|index| self.others.get_index(index)).cloned().unwrap_or_default()
            }
            _ => value.to_string(),
        }
    }
}
