//! Words as values and values as words, of single words and of whole fields.

use crate::bytecode::layout::{Form, whole};
use crate::bytecode::{Rep, Whole};
use crate::source::diagnostic::Code;
use crate::store::Store;
use crate::value::domain::Domain;
use crate::value::fault::{Fault, Halt, Run};
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
    pub(crate) fn word_value(&self, word: i64, rep: Rep) -> Value {
        match rep {
            Rep::Int => Value::Int(word),
            Rep::Bool => Value::Bool(word != 0),
            Rep::Member(domain) => self.domain(domain).value(u32::try_from(word).unwrap_or(0)),
            Rep::Mask(domain) => {
                let domain = self.domain(domain);
                let mask = word.cast_unsigned();
                Value::Set(bits(mask).map(|i| domain.value(i)).collect())
            }
        }
    }

    /// A value as a word; faults when it does not have that form.
    pub(crate) fn value_word(&self, value: &Value, rep: Rep) -> Run<i64> {
        match (rep, value) {
            (Rep::Int, Value::Int(n)) => Ok(*n),
            (Rep::Int, Value::Big(_)) => Err(Halt::Wide),
            (Rep::Bool, Value::Bool(b)) => Ok(i64::from(*b)),
            (Rep::Member(domain), value) if self.is_small(domain) => {
                self.domain(domain).number(value).map(i64::from).ok_or(Halt::Unmask)
            }
            (Rep::Member(domain), value) => {
                let number = self.domain(domain).number(value).map(i64::from);
                number.ok_or_else(|| {
                    Fault::new(Code::R04, format!("{value} is not a vertex or edge of the graph")).into()
                })
            }
            (Rep::Mask(domain), Value::Set(items)) => {
                let mut mask = 0u64;
                for item in items.iter() {
                    let word = self.value_word(item, Rep::Member(domain))?;
                    mask |= 1u64.checked_shl(u32::try_from(word).unwrap_or(64)).unwrap_or(0);
                }
                Ok(mask.cast_signed())
            }
            // A range that stands for a set: on values it is one.
            (Rep::Mask(domain), Value::Range(..)) if self.is_small(domain) => Err(Halt::Unmask),
            (Rep::Int, Value::Loop(_)) => {
                let message = format!("the loopy value {value} is no number");
                Err(Fault::new(Code::E20, message).into())
            }
            (rep, value) => {
                let wanted = match rep {
                    Rep::Int => "an int",
                    Rep::Bool => "a bool",
                    _ => "a set",
                };
                Err(Fault::new(Code::E03, format!("{wanted} is wanted here, not {value}")).into())
            }
        }
    }

    /// The letters that a word of this form numbers.
    fn letters(&self, form: &Form) -> Option<&[char]> {
        match form {
            Form::Word(Rep::Member(domain)) => match self.domain(*domain) {
                Domain::Letters(letters) => Some(letters),
                _ => None,
            },
            _ => None,
        }
    }

    /// The words of a field's value in its form.
    pub(super) fn split(&self, form: &Form, value: &Value, out: &mut Vec<i64>) -> Run<()> {
        match form {
            Form::Value => {}
            Form::Word(rep) => out.push(self.value_word(value, *rep)?),
            Form::Parts(_, forms) => match value {
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
    fn join(&self, form: &Form, words: &mut dyn FnMut() -> i64) -> Value {
        match form {
            Form::Value => Value::Int(0),
            Form::Word(rep) => self.word_value(words(), *rep),
            Form::Parts(Whole::Text, forms) => {
                let letter = |form, word: i64| self.letters(form)?.get(usize::try_from(word).ok()?).copied();
                Value::Text(forms.iter().filter_map(|form| letter(form, words())).collect())
            }
            Form::Parts(kind, forms) => whole(*kind, forms.iter().map(|form| self.join(form, words)).collect()),
        }
    }

    /// A state's values from its words.
    pub(super) fn join_all(&self, forms: &[Form], words: &mut dyn FnMut() -> i64) -> Arc<[Value]> {
        forms.iter().map(|form| self.join(form, words)).collect()
    }
}
