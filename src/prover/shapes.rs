//! How the fields of positions are made of numbers.

use crate::model::kind::Kind;
use crate::model::{Field, Game};
use crate::prover::scope::Scope;
use crate::prover::symbol::Sym;
use grundy_automata::{Formula, Linear, Track};

/// How a field is made of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// One natural number.
    Number,
    /// One whole number.
    Whole,
    /// So many numbers.
    List(usize),
    /// So many numbers, ascending.
    Set(usize),
}

impl Shape {
    /// How long it is, if it is a collection.
    pub(super) fn length(&self) -> usize {
        match self {
            Shape::Number | Shape::Whole => 0,
            Shape::List(size) | Shape::Set(size) => *size,
        }
    }

    /// Which of its numbers are natural.
    pub(super) fn naturals(&self) -> Vec<bool> {
        match self {
            Shape::Number => vec![true],
            Shape::Whole => vec![false],
            Shape::List(size) | Shape::Set(size) => vec![true; *size],
        }
    }
}

/// The shape that a field of the position has.
pub(super) fn shape(field: &Sym) -> Option<Shape> {
    match field {
        Sym::Int(_) => Some(Shape::Number),
        Sym::Set(items) => Some(Shape::Set(items.len())),
        Sym::List(_) => Some(Shape::List(field.numbers()?.len())),
        _ => None,
    }
}

/// Whether the numbers of a field are in its declared domain.
pub(super) fn in_kind(kind: &Kind, field: &Sym) -> Option<Formula> {
    let natural = |number: &Linear| Formula::at_most(&Linear::default(), number);
    match (kind, field) {
        (Kind::Nat, Sym::Int(number)) => Some(natural(number)),
        (Kind::Int, Sym::Int(_)) => Some(Formula::Constant(true)),
        (Kind::List(inner, 0), Sym::List(_)) if matches!(**inner, Kind::Nat) => {
            Some(Formula::all(field.numbers()?.iter().map(natural)))
        }
        (Kind::Set(inner), Sym::Set(items)) if matches!(**inner, Kind::Nat) => {
            Some(Formula::all(items.iter().map(natural)))
        }
        _ => None,
    }
}

/// The shapes of a game's fields, when lists and sets have this size; `None`: some field is no number, list or set of numbers.
pub(super) fn shapes(fields: &[Field], size: usize) -> Option<Vec<Shape>> {
    let of = |field: &Field| match &field.kind {
        Kind::Nat => Some(Shape::Number),
        Kind::Int => Some(Shape::Whole),
        Kind::List(inner, 0) if matches!(**inner, Kind::Nat) => Some(Shape::List(size)),
        Kind::Set(inner) if matches!(**inner, Kind::Nat) => Some(Shape::Set(size)),
        _ => None,
    };
    fields.iter().map(of).collect()
}

impl<'p> Scope<'p> {
    /// Variables for the fields of a game, with what the declarations say of them. Tracks of the numbers in order.
    pub(super) fn state(&mut self, game: &'p Game, shapes: &[Shape]) -> (Vec<Sym>, Vec<Track>, Formula) {
        let (mut fields, mut tracks, mut said) = (Vec::new(), Vec::new(), Vec::new());
        for (_, shape) in game.fields.iter().zip(shapes) {
            let mut fresh = |count: usize| -> Vec<Linear> {
                (0..count)
                    .map(|_| {
                        let track = self.free();
                        tracks.push(track);
                        Linear::track(track)
                    })
                    .collect()
            };
            match shape {
                Shape::Number => fields.extend(fresh(1).into_iter().map(Sym::Int)),
                Shape::Whole => {
                    // One of two naturals whose difference it is, is 0.
                    let parts = fresh(2);
                    said.push(Formula::any(parts.iter().map(|part| Formula::equal(part, &Linear::default()))));
                    fields.push(Sym::Int(parts[0].minus(&parts[1])));
                }
                Shape::List(size) => fields.push(Sym::list(fresh(*size).into_iter().map(Sym::Int))),
                Shape::Set(size) => {
                    let items = fresh(*size);
                    said.extend(items.windows(2).map(|pair| Formula::less(&pair[0], &pair[1])));
                    fields.push(Sym::Set(items));
                }
            }
        }
        (fields, tracks, Formula::all(said))
    }
}
