//! How the fields of a component lie in words: a list of n ints is n words, a text of n letters n numbers of letters.
//!
//! A game with its rule parameters is one *base* instance; each choice of lengths of its lists and texts that is met is
//! an instance of its own, with code in which lists are so many registers. Which instance a state belongs to depends on
//! the state alone, so that equal states are one component.
//!
//! Lists and tuples of these likewise. Lists that are too long, and lists whose lengths only running can tell, belong
//! to the base instance, as values.

use crate::bytecode::{Rep, Whole};
use crate::model::kind::Kind;
use crate::value::Value;

/// Longer lists and texts are kept as values.
pub(crate) const LONGEST: usize = 64;

/// How a field is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// As a value.
    Value,
    /// In a word.
    Word(Rep),
    /// Part by part.
    Parts(Whole, Box<[Form]>),
}

impl Form {
    /// The words of a field in order, with whether each may be negative; `None`: some part is a value.
    pub(crate) fn words(&self, kind: &Kind, out: &mut Vec<(Rep, bool)>) -> Option<()> {
        match (self, kind) {
            (Form::Value, _) => None,
            (Form::Word(rep), _) => {
                out.push((*rep, *rep == Rep::Int && !matches!(kind, Kind::Nat)));
                Some(())
            }
            (Form::Parts(_, parts), Kind::List(of, _)) => parts.iter().try_for_each(|part| part.words(of, out)),
            (Form::Parts(_, parts), Kind::Tuple(kinds)) => {
                parts.iter().zip(kinds).try_for_each(|(part, kind)| part.words(kind, out))
            }
            (Form::Parts(_, parts), _) => parts.iter().try_for_each(|part| part.words(kind, out)),
        }
    }
}

/// A whole put together from its parts.
pub(crate) fn whole(whole: Whole, parts: Vec<Value>) -> Value {
    match whole {
        Whole::List(base) => Value::list_from(base, parts),
        Whole::Tuple => Value::tuple(parts),
        Whole::Set => Value::set(parts),
        Whole::Text => {
            let mut characters = Vec::with_capacity(parts.len());
            for part in &parts {
                if let Value::Text(text) = part {
                    characters.extend(text.characters());
                }
            }
            Value::Text(characters.into())
        }
    }
}
