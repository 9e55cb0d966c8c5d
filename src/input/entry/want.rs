//! What a place wants: declared kinds and static types under one view.

use crate::model::Term;
use crate::model::kind::{GraphWord, Kind, Type};

/// What is wanted: kinds and types are walked alike.
#[derive(Clone, Copy)]
pub(super) enum Want<'k> {
    Kind(&'k Kind),
    Type(&'k Type),
}

/// One level of a [`Want`].
pub(super) enum View<'k> {
    Any,
    Int,
    Nat,
    Bool,
    Text,
    Real,
    Tuple(usize),
    List(Want<'k>, Option<i64>),
    Set(Want<'k>),
    Bag(Want<'k>),
    Graph(GraphWord),
    Grid,
    NatGrid,
    Vertex(&'k Term),
    Edge(Option<&'k Term>),
    Position,
}

impl<'k> Want<'k> {
    pub(super) fn view(self) -> View<'k> {
        match self {
            Want::Kind(kind) => match kind {
                Kind::Int => View::Int,
                Kind::Nat => View::Nat,
                Kind::Bool => View::Bool,
                Kind::Text => View::Text,
                Kind::Real => View::Real,
                Kind::Tuple(parts) => View::Tuple(parts.len()),
                Kind::List(of, base) => View::List(Want::Kind(of), Some(*base)),
                Kind::Set(of) => View::Set(Want::Kind(of)),
                Kind::Bag(of) => View::Bag(Want::Kind(of)),
                Kind::Graph(word, _) => View::Graph(*word),
                Kind::Grid => View::Grid,
                Kind::NatGrid => View::NatGrid,
                Kind::Vertex(Some(graph)) => View::Vertex(graph),
                Kind::Vertex(None) | Kind::Any(_) => View::Any,
                Kind::Edge(graph) => View::Edge(graph.as_deref()),
                Kind::Position => View::Position,
            },
            Want::Type(ty) => match ty {
                Type::Tuple(parts) => View::Tuple(parts.len()),
                Type::List(of) => View::List(Want::Type(of), None),
                Type::Set(of) => View::Set(Want::Type(of)),
                Type::Bag(of) => View::Bag(Want::Type(of)),
                Type::Graph(word) => View::Graph(*word),
                Type::Grid => View::Grid,
                Type::NatGrid => View::NatGrid,
                Type::Position => View::Position,
                // Checked before the program ran; a loopy value goes as an int.
                Type::Never
                | Type::Int
                | Type::Bool
                | Type::Text
                | Type::Real
                | Type::Range
                | Type::Vertex
                | Type::Edge => View::Any,
            },
        }
    }

    /// The part of a tuple.
    pub(super) fn part(self, i: usize) -> Want<'k> {
        match self {
            Want::Kind(Kind::Tuple(parts)) => Want::Kind(&parts[i]),
            Want::Type(Type::Tuple(parts)) => Want::Type(&parts[i]),
            other => other,
        }
    }

    /// Whether nothing inside needs a look.
    pub(super) fn is_plain(self) -> bool {
        matches!(self.view(), View::Any)
    }
}
