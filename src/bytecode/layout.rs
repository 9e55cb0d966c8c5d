//! How the fields of a component lie in words: a list of n ints is n words, a text of n letters n numbers of letters.
//!
//! A game with its rule parameters is one *base* instance; each choice of lengths of its lists and texts that is met is
//! an instance of its own, with code in which lists are so many registers. Which instance a state belongs to depends on
//! the state alone, so that equal states are one component.

use crate::bytecode::{Rep, Whole};
use crate::model::kind::Kind;
use crate::value::fault::Run;
use crate::value::{List, Value};
use crate::vm::context::Context;
use crate::vm::ids::InstanceId;
use std::sync::Arc;

/// Longer lists and texts are kept as values.
pub(crate) const LONGEST: usize = 64;
/// States of more words than this are kept as values.
const MOST_WORDS: usize = 128;
/// An instance has no more shapes than this; states of further shapes are kept as values.
const MOST_SHAPES: usize = 128;

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

impl Context {
    /// Whether fields of this kind can lie in several words. `word`: whether it is one word.
    pub(crate) fn is_splittable(&mut self, kind: &Kind, params: &[Value]) -> bool {
        if self.session.options.plain || self.code.wide {
            return false;
        }
        match kind {
            Kind::Text => true,
            Kind::List(of, _) => self.is_one_or_more_words(of, params),
            Kind::Tuple(kinds) => kinds.iter().all(|kind| self.is_one_or_more_words(kind, params)),
            _ => false,
        }
    }

    fn is_one_or_more_words(&mut self, kind: &Kind, params: &[Value]) -> bool {
        self.field_rep(kind, params).is_some() || self.is_splittable(kind, params)
    }

    /// The lengths of the lists and texts in a field, outer ones first; `None`: it must stay a value.
    fn lengths(&self, kind: &Kind, value: &Value, out: &mut Vec<u32>) -> Option<()> {
        match (kind, value) {
            (Kind::Text, Value::Text(text)) => {
                let fits =
                    text.len() <= LONGEST && text.characters().all(|c| self.session.letters.binary_search(&c).is_ok());
                fits.then(|| out.push(u32::try_from(text.len()).unwrap_or(u32::MAX)))
            }
            (Kind::List(of, _), Value::List(list)) => {
                out.push(u32::try_from(list.items.len()).ok().filter(|&n| n as usize <= LONGEST)?);
                list.items.iter().try_for_each(|item| self.lengths(of, item, out))
            }
            (Kind::Tuple(kinds), Value::Tuple(parts)) => {
                kinds.iter().zip(parts.iter()).try_for_each(|(kind, part)| self.lengths(kind, part, out))
            }
            (Kind::Text | Kind::List(..) | Kind::Tuple(_), _) => None,
            _ => Some(()),
        }
    }

    /// The form of a field with these lengths.
    fn form(&mut self, kind: &Kind, params: &[Value], lengths: &mut std::slice::Iter<'_, u32>) -> Form {
        match kind {
            Kind::Text => {
                let n = lengths.next().map_or(0, |&n| n as usize);
                let letter = self.letter_domain().map_or(Form::Value, |domain| Form::Word(Rep::Member(domain)));
                // A text of one letter is that letter.
                if n == 1 { letter } else { Form::Parts(Whole::Text, vec![letter; n].into()) }
            }
            Kind::List(of, base) => {
                let n = lengths.next().map_or(0, |&n| n as usize);
                Form::Parts(Whole::List(*base), (0..n).map(|_| self.form(of, params, lengths)).collect())
            }
            Kind::Tuple(kinds) => {
                Form::Parts(Whole::Tuple, kinds.iter().map(|kind| self.form(kind, params, lengths)).collect())
            }
            _ => self.field_rep(kind, params).map_or(Form::Value, Form::Word),
        }
    }

    /// The instance that a state of a base instance belongs to.
    pub(crate) fn instance_of_state(&mut self, base: InstanceId, state: &[Value]) -> InstanceId {
        if !self.store.instances[base].splits {
            return base;
        }
        let program = self.session.program.clone();
        let fields = &program.games[self.store.instances[base].game.0].fields;
        let mut lengths = Vec::new();
        let fits = fields.iter().zip(state).try_for_each(|(f, value)| self.lengths(&f.kind, value, &mut lengths));
        if fits.is_some() { self.instance_of_lengths(base, &lengths) } else { base }
    }

    /// The instance of a shape, made when it is first met; the base when there are too many, which serves any lengths.
    pub(crate) fn instance_of_lengths(&mut self, base: InstanceId, lengths: &[u32]) -> InstanceId {
        if let Some(&at) = self.store.instances[base].shapes.get(lengths) {
            return at;
        }
        if self.store.instances[base].shapes.len() >= MOST_SHAPES {
            return base;
        }
        let program = self.session.program.clone();
        let game = self.store.instances[base].game;
        let params = self.store.instances[base].params.clone();
        let fields = &program.games[game.0].fields;
        let mut left = lengths.iter();
        let forms: Vec<Form> = fields.iter().map(|f| self.form(&f.kind, &params, &mut left)).collect();
        let mut words = Vec::new();
        let fits = forms.iter().zip(fields).try_for_each(|(form, field)| form.words(&field.kind, &mut words));
        let at = if fits.is_some() && words.len() <= MOST_WORDS {
            self.push_instance(game, params, forms, &words, base).unwrap_or(base)
        } else {
            base
        };
        self.store.instances[base].shapes.insert(lengths.into(), at);
        at
    }

    /// The words of a field's value in its form.
    pub(crate) fn split(&self, form: &Form, value: &Value, out: &mut Vec<i64>) -> Run<()> {
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
                        match (form, self.session.letters.binary_search(&c)) {
                            (Form::Word(Rep::Member(_)), Ok(at)) => out.push(i64::try_from(at).unwrap_or(i64::MAX)),
                            _ => self.split(form, &Value::character(c), out)?,
                        }
                    }
                }
                _ => {}
            },
        }
        Ok(())
    }

    /// A field's value from its words.
    pub(crate) fn join(&self, form: &Form, words: &mut dyn FnMut() -> i64) -> Value {
        match form {
            Form::Value => Value::Int(0),
            Form::Word(rep) => self.word_value(words(), *rep),
            Form::Parts(Whole::Text, forms) => {
                let letter = |form: &Form, word: i64| match (form, usize::try_from(word)) {
                    (Form::Word(Rep::Member(_)), Ok(at)) => self.session.letters.get(at).copied(),
                    _ => None,
                };
                Value::Text(forms.iter().filter_map(|form| letter(form, words())).collect())
            }
            Form::Parts(kind, forms) => whole(*kind, forms.iter().map(|form| self.join(form, words)).collect()),
        }
    }

    /// A state's values from its words.
    pub(crate) fn join_all(&self, forms: &[Form], words: &mut dyn FnMut() -> i64) -> Arc<[Value]> {
        forms.iter().map(|form| self.join(form, words)).collect()
    }
}
