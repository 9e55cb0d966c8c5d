//! How the fields of a component lie in words: a list of n ints is n words, a text or grid of n letters n numbers of letters.
//!
//! A game with its rule parameters is one *base* instance; each choice of lengths of its lists and texts that is met is
//! an instance of its own, with code in which lists are so many registers. Which instance a state belongs to depends on
//! the state alone, so that equal states are one component.
//!
//! Lists and tuples of these likewise, and bags and sets of ints, truth values, vertices and tuples of these, whose members
//! ascend. Lists that are too long belong to the base instance, as values. Where only running can tell the lengths, the words
//! are put together then ([`crate::bytecode::ShapedPush`]), or the state is a value first.

use crate::bytecode::{Aggregate, WordType};
use crate::model::Kind;
use crate::value::{Grid, Value, width};
use std::sync::Arc;

/// Longer lists and texts are kept as values.
pub(crate) const LONGEST: usize = 64;

/// Stands for the length of a text that the file names, which is one word.
pub(crate) const NAMED: u32 = u32::MAX;

/// How a field is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FieldLayout {
    Value,
    Word(WordType),
    Parts(Aggregate, Box<[FieldLayout]>),
}

impl FieldLayout {
    /// The words of a field in order, with whether each may be negative; `None`: some part is a value.
    pub(crate) fn words(&self, kind: &Kind, out: &mut Vec<(WordType, bool)>) -> Option<()> {
        match (self, kind) {
            (FieldLayout::Value, _) => None,
            (FieldLayout::Word(word_type), _) => {
                out.push((*word_type, *word_type == WordType::Int && !matches!(kind, Kind::Nat | Kind::NatGrid)));
                Some(())
            }
            (FieldLayout::Parts(_, parts), Kind::List(of, _) | Kind::Bag(of) | Kind::Set(of)) => {
                parts.iter().try_for_each(|part| part.words(of, out))
            }
            (FieldLayout::Parts(_, parts), Kind::Tuple(kinds)) => {
                parts.iter().zip(kinds).try_for_each(|(part, kind)| part.words(kind, out))
            }
            (FieldLayout::Parts(_, parts), _) => parts.iter().try_for_each(|part| part.words(kind, out)),
        }
    }
}

pub(crate) fn whole(whole: Aggregate, parts: Vec<Value>) -> Value {
    match whole {
        Aggregate::List(base) => Value::list_from(base, parts),
        Aggregate::Tuple => Value::tuple(parts),
        Aggregate::Set { .. } => Value::set(parts),
        Aggregate::Bag { .. } => Value::bag(parts),
        Aggregate::Grid(cols) => {
            let rows = parts.len() / width::index(u64::from(cols.max(1)));
            // A grid that is laid out has a cell at least.
            Grid::new(rows, width::index(u64::from(cols)), parts)
                .map_or(Value::Int(0), |grid| Value::Grid(Arc::new(grid)))
        }
        Aggregate::Text => {
            let mut characters = Vec::with_capacity(parts.len());
            for part in &parts {
                if let Value::Text(text) = part {
                    characters.extend(text.characters());
                }
            }
            Value::Text(characters.into_iter().collect())
        }
    }
}
