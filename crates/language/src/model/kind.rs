//! Types: what the checker knows of a term; kinds: what a declaration admits.
//!
//! `nat` is a kind and no type: `n - 1` is an int, and whether it is negative is asked where it enters a field,
//! parameter, input or definition. A type of naturals would make subtraction partial everywhere, or need proofs.

use crate::model::Term;
pub use crate::syntax::tree::GraphWord;

/// The static type of a term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// Of the members of `[]` and `{}`; fits everything.
    Never,
    /// `int` and `nat`: the domain is checked at run time (rule 4). Also the value of `grundy(..)`, which may be loopy.
    Int,
    Bool,
    Text,
    Real,
    Tuple(Vec<Type>),
    List(Box<Type>),
    Set(Box<Type>),
    Bag(Box<Type>),
    /// `a..b`: acts as a list, set or bag of ints.
    Range,
    Graph(GraphWord),
    /// A grid of characters.
    Grid,
    /// `grid of nat`
    NatGrid,
    /// A vertex of a graph whose labels are not known here: an int, a text or a pair (rule 8). Fits `Int`, `Text` and
    /// `(Int, Int)` both ways; checked at run time.
    Vertex,
    /// An edge; fits a pair of vertices in patterns.
    Edge,
    Position,
}

/// A declared type with its domain.
#[derive(Clone, Debug)]
pub enum Kind {
    Int,
    /// `nat`: >= 0, else R01
    Nat,
    Bool,
    Text,
    Real,
    Tuple(Vec<Kind>),
    /// `list of T`, counted from `base`
    List(Box<Kind>, i64),
    Set(Box<Kind>),
    Bag(Box<Kind>),
    /// `graph`, ...; graphs that come from JSON have vertices from `base`
    Graph(GraphWord, i64),
    Grid,
    NatGrid,
    /// `vertex of g`: the graph, else R04. `None`: any label (types taken from a default).
    Vertex(Option<Box<Term>>),
    /// `edge of g`
    Edge(Option<Box<Term>>),
    /// `position` taken from a default or argument; nothing to check
    Position,
    /// The type of an argument of an untyped def parameter, or of `[]`; nothing to check
    Any(Type),
}

impl Kind {
    /// Whether it is a number, or a tuple or list of such.
    pub fn is_of_numbers(&self) -> bool {
        match self {
            Kind::Int | Kind::Nat => true,
            Kind::Tuple(parts) => parts.iter().all(Kind::is_of_numbers),
            Kind::List(of, 0) => of.is_of_numbers(),
            _ => false,
        }
    }

    /// The kind that a default of this type gives, or JSON for a bare type.
    pub fn of(ty: &Type) -> Kind {
        match ty {
            Type::Int => Kind::Int,
            Type::Bool => Kind::Bool,
            Type::Text => Kind::Text,
            Type::Real => Kind::Real,
            Type::Tuple(parts) => Kind::Tuple(parts.iter().map(Kind::of).collect()),
            Type::List(of) => Kind::List(Box::new(Kind::of(of)), 0),
            Type::Set(of) => Kind::Set(Box::new(Kind::of(of))),
            Type::Bag(of) => Kind::Bag(Box::new(Kind::of(of))),
            // States hold no ranges.
            Type::Range => Kind::List(Box::new(Kind::Int), 0),
            Type::Graph(word) => Kind::Graph(*word, 0),
            Type::Grid => Kind::Grid,
            Type::NatGrid => Kind::NatGrid,
            Type::Vertex => Kind::Vertex(None),
            Type::Edge => Kind::Edge(None),
            Type::Position => Kind::Position,
            Type::Never => Kind::Any(Type::Never),
        }
    }

    /// Shows the terms for the graphs that vertices and edges of this kind are of.
    pub fn each_graph(&self, f: &mut dyn FnMut(&Term)) {
        match self {
            Kind::Vertex(Some(graph)) | Kind::Edge(Some(graph)) => f(graph),
            Kind::Set(of) | Kind::Bag(of) | Kind::List(of, _) => of.each_graph(f),
            Kind::Tuple(parts) => parts.iter().for_each(|part| part.each_graph(f)),
            _ => {}
        }
    }

    /// The static type of what passed this kind.
    pub fn ty(&self) -> Type {
        match self {
            Kind::Int | Kind::Nat => Type::Int,
            Kind::Bool => Type::Bool,
            Kind::Text => Type::Text,
            Kind::Real => Type::Real,
            Kind::Tuple(parts) => Type::Tuple(parts.iter().map(Kind::ty).collect()),
            Kind::List(of, _) => Type::List(Box::new(of.ty())),
            Kind::Set(of) => Type::Set(Box::new(of.ty())),
            Kind::Bag(of) => Type::Bag(Box::new(of.ty())),
            Kind::Graph(word, _) => Type::Graph(*word),
            Kind::Grid => Type::Grid,
            Kind::NatGrid => Type::NatGrid,
            Kind::Vertex(_) => Type::Vertex,
            Kind::Edge(_) => Type::Edge,
            Kind::Position => Type::Position,
            Kind::Any(ty) => ty.clone(),
        }
    }
}
