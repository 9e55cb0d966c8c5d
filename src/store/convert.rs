//! Words as values and values as words, of single words and of whole fields.

use crate::bytecode::layout::{FieldLayout, whole};
use crate::bytecode::{Aggregate, WordType};
use crate::source::diagnostic::Code;
use crate::store::Store;
use crate::value::domain::Domain;
use crate::value::fault::{Deopt, Fault, Halt, Run};
use crate::value::{List, Value};
use std::sync::Arc;

/// The numbers of the bits that are set, ascending.
fn bits(mask: u64) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(mask), |mask| Some(mask & mask.wrapping_sub(1)))
        .take_while(|mask| *mask != 0)
        .map(u64::trailing_zeros)
}

impl Store {
    /// A word as a value.
    pub(crate) fn word_value(&self, word: i64, word_type: WordType) -> Value {
        match word_type {
            WordType::Int => Value::Int(word),
            WordType::Bool => Value::Bool(word != 0),
            WordType::Member(domain) => self.domain(domain).value(u32::try_from(word).unwrap_or(0)),
            WordType::Mask(domain) => {
                let domain = self.domain(domain);
                let mask = word.cast_unsigned();
                Value::Set(bits(mask).map(|i| domain.value(i)).collect())
            }
        }
    }

    /// A value as a word; faults when it does not have that form.
    pub(crate) fn value_word(&self, value: &Value, word_type: WordType) -> Run<i64> {
        match (word_type, value) {
            (WordType::Int, Value::Int(n)) => Ok(*n),
            (WordType::Int, Value::Big(_)) => Err(Halt::Deopt(Deopt::IntOverflow)),
            (WordType::Bool, Value::Bool(b)) => Ok(i64::from(*b)),
            (WordType::Member(domain), value) if self.is_small(domain) => {
                self.domain(domain).number(value).map(i64::from).ok_or(Halt::Deopt(Deopt::SetOverflow))
            }
            (WordType::Member(domain), value) => {
                let number = self.domain(domain).number(value).map(i64::from);
                number.ok_or_else(|| {
                    Fault::new(Code::R04, format!("{value} is not a vertex or edge of the graph")).into()
                })
            }
            (WordType::Mask(domain), Value::Set(items)) => {
                let mut mask = 0u64;
                for item in items.iter() {
                    let word = self.value_word(item, WordType::Member(domain))?;
                    mask |= 1u64.checked_shl(u32::try_from(word).unwrap_or(64)).unwrap_or(0);
                }
                Ok(mask.cast_signed())
            }
            // A range that stands for a set: on values it is one.
            (WordType::Mask(domain), Value::Range(..)) if self.is_small(domain) => Err(Halt::Deopt(Deopt::SetOverflow)),
            (WordType::Int, Value::Loop(_)) => {
                let message = format!("the loopy value {value} is no number");
                Err(Fault::new(Code::E20, message).into())
            }
            (word_type, value) => {
                let wanted = match word_type {
                    WordType::Int => "an int",
                    WordType::Bool => "a bool",
                    _ => "a set",
                };
                Err(Fault::new(Code::E03, format!("{wanted} is wanted here, not {value}")).into())
            }
        }
    }

    /// The letters that a word of this form numbers.
    fn letters(&self, form: &FieldLayout) -> Option<&[char]> {
        match form {
            FieldLayout::Word(WordType::Member(domain)) => match self.domain(*domain) {
                Domain::Letters(letters) => Some(letters),
                _ => None,
            },
            _ => None,
        }
    }

    /// The words of a field's value in its form.
    pub(super) fn split(&self, form: &FieldLayout, value: &Value, out: &mut Vec<i64>) -> Run<()> {
        match form {
            FieldLayout::Value => {}
            FieldLayout::Word(word_type) => out.push(self.value_word(value, *word_type)?),
            FieldLayout::Parts(_, forms) => match value {
                Value::List(List { items, .. }) => {
                    forms.iter().zip(items.iter()).try_for_each(|(form, part)| self.split(form, part, out))?;
                }
                Value::Tuple(parts) => {
                    forms.iter().zip(parts.iter()).try_for_each(|(form, part)| self.split(form, part, out))?;
                }
                Value::Text(text) => {
                    for (form, c) in forms.iter().zip(text.characters()) {
                        match self.letters(form).and_then(|letters| letters.binary_search(&c).ok()) {
                            Some(at) => out.push(i64::try_from(at).unwrap_or(i64::MAX)),
                            None => self.split(form, &Value::character(c), out)?,
                        }
                    }
                }
                _ => {}
            },
        }
        Ok(())
    }

    /// A field's value from its words.
    fn join(&self, form: &FieldLayout, words: &mut dyn FnMut() -> i64) -> Value {
        match form {
            FieldLayout::Value => Value::Int(0),
            FieldLayout::Word(word_type) => self.word_value(words(), *word_type),
            FieldLayout::Parts(Aggregate::Text, forms) => {
                let letter = |form, word: i64| self.letters(form)?.get(usize::try_from(word).ok()?).copied();
                Value::Text(forms.iter().filter_map(|form| letter(form, words())).collect())
            }
            FieldLayout::Parts(kind, forms) => whole(*kind, forms.iter().map(|form| self.join(form, words)).collect()),
        }
    }

    /// A state's values from its words.
    pub(super) fn join_all(&self, forms: &[FieldLayout], words: &mut dyn FnMut() -> i64) -> Arc<[Value]> {
        forms.iter().map(|form| self.join(form, words)).collect()
    }
}
