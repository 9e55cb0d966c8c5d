//! Words as values and values as words.

use crate::bytecode::Rep;
use crate::source::diagnostic::Code;
use crate::value::Value;
use crate::value::fault::{Fault, Halt, Run};
use crate::vm::context::Context;

/// The numbers of the bits that are set, ascending.
fn bits(mask: u64) -> impl Iterator<Item = u32> {
    std::iter::successors(Some(mask), |mask| Some(mask & mask.wrapping_sub(1)))
        .take_while(|mask| *mask != 0)
        .map(u64::trailing_zeros)
}

impl Context {
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
}
