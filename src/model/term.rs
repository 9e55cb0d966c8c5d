//! Typed terms, with every name resolved.

use crate::model::builtin::Builtin;
use crate::model::kind::{Kind, Type};
use crate::model::{BinaryOp, CompareOp, DefId, GameId, GlobalId, LogicOp, Slot};
use crate::source::text::Span;
use crate::syntax::tree::{GraphWord, SetOp};
use num_bigint::BigInt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A clause.
#[derive(Clone, Debug)]
pub enum Clause {
    /// One binder; `i, j in E` comes as two of these. `span` is that of the pattern.
    In {
        pattern: Pattern,
        source: Term,
        span: Span,
    },
    Let {
        pattern: Pattern,
        value: Term,
    },
    Where(Term),
}

/// What is bound.
#[derive(Clone, Debug)]
pub enum Pattern {
    Slot(Slot),
    /// Takes apart tuples, edges and lists of that length.
    Tuple(Vec<Pattern>, Span),
    /// `_`
    Ignore,
}

/// The number of a term, which no other term of the process has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TermId(u64);

/// Holds the number of one term; a copy holds a new one.
#[derive(Debug)]
struct OwnId(TermId);

impl Default for OwnId {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        OwnId(TermId(NEXT.fetch_add(1, Ordering::Relaxed)))
    }
}

impl Clone for OwnId {
    fn clone(&self) -> Self {
        OwnId::default()
    }
}

/// A typed term.
#[derive(Clone, Debug)]
pub struct Term {
    pub kind: TermKind,
    pub ty: Type,
    pub span: Span,
    own_id: OwnId,
}

impl Term {
    /// A term with a number of its own.
    pub fn new(kind: TermKind, ty: Type, span: Span) -> Self {
        Term { kind, ty, span, own_id: OwnId::default() }
    }

    /// Its number, by which compiled code is kept.
    pub fn id(&self) -> TermId {
        self.own_id.0
    }
}

/// An item of a list or set literal.
#[derive(Clone, Debug)]
pub struct Item {
    pub term: Term,
    /// A range written there, which stands for its members (rule 5).
    pub spread: bool,
}

/// Whether a literal or comprehension makes a list or a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gather {
    List,
    Set,
}

/// What a term is.
#[derive(Clone, Debug)]
pub enum TermKind {
    Int(BigInt),
    Bool(bool),
    Text(Arc<str>),
    Drawing(Arc<Drawing>),
    /// A slot of the frame; lazy slots are evaluated at their first use.
    Slot(Slot),
    Global(GlobalId),
    Neg(Box<Term>),
    Not(Box<Term>),
    Logic(LogicOp, Box<Term>, Box<Term>),
    /// `iff`: both sides evaluated
    Iff(Box<Term>, Box<Term>),
    Binary(BinaryOp, Box<Term>, Box<Term>),
    /// A chain; each operand evaluated at most once, left to right, stops at the first false.
    Compare(Box<Term>, Vec<(CompareOp, Term)>),
    If(Box<Term>, Box<Term>, Box<Term>),
    Tuple(Vec<Term>),
    Items(Gather, Vec<Item>),
    Comprehension(Gather, Box<Term>, Vec<Clause>),
    Index(Box<Term>, Box<Term>),
    Slice(Box<Term>, Option<Box<Term>>, Option<Box<Term>>),
    /// `clauses`: then there is exactly one change, made for every way through them
    Update(Box<Term>, Vec<Change>, Option<Vec<Clause>>),
    /// The part of a tuple, edge or list that must have `arity` parts (patterns of lazy names).
    Part {
        of: Box<Term>,
        index: usize,
        arity: usize,
    },
    /// Arguments by position; `None` where the default stands.
    Call(DefId, Vec<Option<Term>>),
    /// `f(E for CLAUSES)` comes as one argument that is a `Comprehension(List, ..)`.
    Builtin(Builtin, Vec<Term>),
    /// A position of a game.
    Place(Box<Place>),
    Misere(Box<Term>),
    /// A check of the domain and an adaptation (rules 4, 6, 8) to a declared kind.
    Coerce(Box<Term>, Box<Kind>),
    /// A static adaptation of rule 6 to the type of this term: range/set/list/bag/graph between collections, int -> real,
    /// list of texts -> grid, edge -> tuple, 0 -> zero position.
    Adapt(Box<Term>),
}

/// One change of an update.
#[derive(Clone, Debug)]
pub struct Change {
    pub index: Term,
    pub op: SetOp,
    pub value: Term,
}

/// `G[params](fields)`.
#[derive(Clone, Debug)]
pub struct Place {
    pub game: GameId,
    pub params: PlaceParams,
    /// By position; `None` where the default stands.
    pub fields: Vec<Option<Term>>,
}

/// The rule parameters of a position.
#[derive(Clone, Debug)]
pub enum PlaceParams {
    /// Those of the game it stands in (the same game).
    Own,
    /// Given, by position; `None` where the default stands.
    Given(Vec<Option<Term>>),
}

/// A graph or grid drawn in the file, or read from a data file when evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drawing {
    /// Labels in the order of their first appearance; edges by label index in the order written (`-` in a digraph: both ways).
    Graph { word: GraphWord, labels: Vec<DrawnLabel>, edges: Vec<(usize, usize)> },
    /// Rows.
    Grid(Vec<String>),
    /// `graph from "road.txt"`: resolved against the file's folder.
    GraphFile { word: GraphWord, path: String },
    /// `grid from "maze.txt"`
    GridFile { path: String },
}

/// A label as drawn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DrawnLabel {
    Int(BigInt),
    Text(String),
}
