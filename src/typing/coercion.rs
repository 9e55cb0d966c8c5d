//! Which types fit where, and which adaptation makes them fit.

use crate::model::kind::Type;
use crate::model::{Term, TermKind};
use crate::syntax::tree::GraphWord;

/// How a type fits another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    /// As it is.
    Same,
    /// As it is, but a vertex label must turn out to be what is wanted.
    Label,
    /// After an adaptation.
    Change,
    /// Not: a real where an int is needed (E15).
    Real,
    /// Not at all.
    No,
}

/// Whether a value of type `from` may stand where `to` is asked.
#[allow(clippy::match_same_arms)] // the order of the arms counts
pub(crate) fn fits(from: &Type, to: &Type) -> Fit {
    use Type as T;
    if from == to {
        return Fit::Same;
    }
    match (from, to) {
        (T::Never, _) => Fit::Same,
        (T::Real, T::Int) => Fit::Real,
        (T::Int | T::Text, T::Vertex) => Fit::Same,
        (T::Tuple(parts), T::Vertex) if is_cell(parts) => Fit::Same,
        (T::Vertex, T::Int | T::Text) => Fit::Label,
        (T::Vertex, T::Tuple(parts)) if is_cell(parts) => Fit::Label,
        (T::Edge, T::Tuple(parts)) if parts.len() == 2 => {
            worse(Fit::Change, all(parts.iter().map(|p| fits(&T::Vertex, p))))
        }
        (T::Tuple(a), T::Tuple(b)) if a.len() == b.len() => all(a.iter().zip(b).map(|(x, y)| fits(x, y))),
        (T::List(a), T::List(b)) | (T::Set(a), T::Set(b)) | (T::Bag(a), T::Bag(b)) => fits(a, b),
        (T::List(a), T::Set(b) | T::Bag(b)) | (T::Set(a), T::List(b) | T::Bag(b)) => worse(Fit::Change, fits(a, b)),
        (T::Range, T::List(b) | T::Set(b) | T::Bag(b)) => worse(Fit::Change, fits(&T::Int, b)),
        (T::Int | T::Vertex, T::Real)
        | (T::Grid, T::Graph(GraphWord::Graph | GraphWord::Multigraph))
        | (T::Graph(GraphWord::Graph), T::Graph(GraphWord::Multigraph)) => Fit::Change,
        (T::List(a), T::Grid) if fits(a, &T::Text) == Fit::Same => Fit::Change,
        (T::Grid, T::List(b)) if **b == T::Text => Fit::Change,
        (T::List(a), T::NatGrid) if matches!(&**a, T::List(x) if fits(x, &T::Int) == Fit::Same) => Fit::Change,
        (T::List(a), T::NatGrid) if **a == T::Range || **a == T::Never => Fit::Change,
        _ => Fit::No,
    }
}

fn all(fits: impl Iterator<Item = Fit>) -> Fit {
    fits.fold(Fit::Same, worse)
}

/// The worse of two. Spelled out: rustc 1.95 miscompiles `max` of a derived order here (`tests/data/derived_order.rs`).
fn worse(a: Fit, b: Fit) -> Fit {
    match (a, b) {
        (Fit::No, _) | (_, Fit::No) => Fit::No,
        (Fit::Real, _) | (_, Fit::Real) => Fit::Real,
        (Fit::Change, _) | (_, Fit::Change) => Fit::Change,
        (Fit::Label, _) | (_, Fit::Label) => Fit::Label,
        (Fit::Same, Fit::Same) => Fit::Same,
    }
}

/// Whether the parts are those of a cell `(row, column)`.
pub(crate) fn is_cell(parts: &[Type]) -> bool {
    parts.len() == 2 && parts.iter().all(|p| matches!(p, Type::Int | Type::Never | Type::Vertex))
}

/// A cell of a grid.
pub(crate) fn cell() -> Type {
    Type::Tuple(vec![Type::Int, Type::Int])
}

/// The least type that both fit, if there is one.
pub(crate) fn join(a: &Type, b: &Type) -> Option<Type> {
    use Type as T;
    Some(match (a, b) {
        (a, b) if a == b => a.clone(),
        (T::Never, x) | (x, T::Never) => x.clone(),
        (T::Int | T::Vertex, T::Real) | (T::Real, T::Int | T::Vertex) => T::Real,
        (T::Vertex, T::Int | T::Text) | (T::Int | T::Text, T::Vertex) => T::Vertex,
        (T::Vertex, T::Tuple(parts)) | (T::Tuple(parts), T::Vertex) if is_cell(parts) => T::Vertex,
        (T::Tuple(x), T::Tuple(y)) if x.len() == y.len() => {
            T::Tuple(x.iter().zip(y).map(|(p, q)| join(p, q)).collect::<Option<_>>()?)
        }
        (T::Edge, T::Tuple(parts)) | (T::Tuple(parts), T::Edge) if parts.len() == 2 => {
            T::Tuple(parts.iter().map(|p| join(p, &T::Vertex)).collect::<Option<_>>()?)
        }
        (T::List(x), T::List(y)) => T::List(Box::new(join(x, y)?)),
        (T::Set(x), T::Set(y)) => T::Set(Box::new(join(x, y)?)),
        (T::Bag(x), T::Bag(y)) => T::Bag(Box::new(join(x, y)?)),
        (T::Range, T::List(x)) | (T::List(x), T::Range) => T::List(Box::new(join(x, &T::Int)?)),
        (T::Range, T::Set(x)) | (T::Set(x), T::Range) => T::Set(Box::new(join(x, &T::Int)?)),
        (T::Range, T::Bag(x)) | (T::Bag(x), T::Range) => T::Bag(Box::new(join(x, &T::Int)?)),
        // `[]` and `{}` fit every element type, so an empty one takes the other's form.
        (T::List(n) | T::Set(n), x @ (T::List(_) | T::Set(_) | T::Bag(_)))
        | (x @ (T::List(_) | T::Set(_) | T::Bag(_)), T::List(n) | T::Set(n))
            if **n == T::Never =>
        {
            x.clone()
        }
        (T::Grid, T::Graph(w)) | (T::Graph(w), T::Grid) if *w != GraphWord::Digraph => T::Graph(*w),
        (T::Graph(x), T::Graph(y)) if *x != GraphWord::Digraph && *y != GraphWord::Digraph => {
            T::Graph(GraphWord::Multigraph)
        }
        _ => return None,
    })
}

/// The common type of two operands: as [`join`], and a list beside a bag or set becomes one (rule 6).
pub(crate) fn join_operands(a: &Type, b: &Type) -> Option<Type> {
    use Type as T;
    if let Some(ty) = join(a, b) {
        return Some(ty);
    }
    match (a, b) {
        (T::List(x) | T::Set(x), T::Bag(y)) | (T::Bag(x), T::List(y) | T::Set(y)) => {
            Some(T::Bag(Box::new(join(x, y)?)))
        }
        (T::List(x), T::Set(y)) | (T::Set(x), T::List(y)) => Some(T::Set(Box::new(join(x, y)?))),
        _ => None,
    }
}

/// The type of the members of a collection: list, range, set, bag, text, or the vertices of a graph or grid.
pub(crate) fn member(ty: &Type) -> Option<Type> {
    Some(match ty {
        Type::List(of) | Type::Set(of) | Type::Bag(of) => (**of).clone(),
        Type::Range => Type::Int,
        Type::Text => Type::Text,
        Type::Graph(_) => Type::Vertex,
        Type::Grid | Type::NatGrid => cell(),
        Type::Never => Type::Never,
        _ => return None,
    })
}

/// Whether `<` orders values of this type totally, so that `min` and `max` mean something.
pub(crate) fn is_ordered(ty: &Type) -> bool {
    match ty {
        Type::Int | Type::Real | Type::Text | Type::Never | Type::Range | Type::Vertex | Type::Edge => true,
        Type::Tuple(parts) => parts.iter().all(is_ordered),
        Type::List(of) => is_ordered(of),
        _ => false,
    }
}

/// Whether a type is this one or is made of one like that.
fn holds(ty: &Type, is: fn(&Type) -> bool) -> bool {
    is(ty)
        || match ty {
            Type::Tuple(parts) => parts.iter().any(|part| holds(part, is)),
            Type::List(of) | Type::Set(of) | Type::Bag(of) => holds(of, is),
            _ => false,
        }
}

/// Whether values of this type may be compared with `==` and be members of sets.
pub(crate) fn is_comparable(ty: &Type) -> bool {
    !holds(ty, |ty| matches!(ty, Type::Graph(_) | Type::Position))
}

/// Whether positions occur in values of this type.
pub(crate) fn holds_position(ty: &Type) -> bool {
    holds(ty, |ty| *ty == Type::Position)
}

/// Whether the type of some member is not known (`[]`, `{}`).
pub(crate) fn holds_never(ty: &Type) -> bool {
    holds(ty, |ty| *ty == Type::Never)
}

/// The term, adapted to the type.
pub(crate) fn adapt(term: Term, ty: Type) -> Term {
    let span = term.span;
    Term::new(TermKind::Adapt(Box::new(term)), ty, span)
}

/// The term as one of type `want` when it fits: wrapped in an adaptation only where something changes or must be checked.
pub(crate) fn adapted(term: Term, want: &Type) -> Result<Term, Term> {
    match fits(&term.ty, want) {
        Fit::Same => Ok(term),
        Fit::Label | Fit::Change => Ok(adapt(term, want.clone())),
        Fit::Real | Fit::No => Err(term),
    }
}
