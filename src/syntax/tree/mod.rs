//! The tree of a game file: what was written, nothing yet understood. Every node knows its place.

mod drawing;
mod expr;
mod game;
mod question;
mod words;

use crate::source::text::Span;
use std::fmt;

pub use crate::syntax::tree::drawing::{Chain, Label};
pub use crate::syntax::tree::expr::{Arg, Args, Change, Clause, Expr, ExprKind, Items, Naming, Pattern};
pub use crate::syntax::tree::game::{Decl, EndVerdict, Game, Move, Rule, Target, Theorem, TheoremSays};
pub use crate::syntax::tree::question::{Claim, Expect, Fact};
pub use crate::syntax::tree::words::{
    BinaryOp, CompareOp, DrawingWord, FactMeasure, GraphWord, LogicOp, Measure, Operator, Outcome, SetOp, Verdict,
    Which,
};

/// A name with its place, backquotes taken off.
#[derive(Clone, PartialEq, Eq)]
pub struct Name {
    /// The word itself.
    pub text: String,
    /// Where.
    pub span: Span,
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {:?}", self.text, self.span)
    }
}

/// A whole file.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct File {
    /// The statements in order.
    pub items: Vec<Item>,
}

/// A statement at top level.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Item {
    /// `use "nim"`
    Use {
        path: String,
        span: Span,
    },
    /// `input a, b: nat = 3`
    Input {
        names: Vec<Name>,
        kind: Option<Kind>,
        default: Option<Expr>,
        span: Span,
    },
    Let(Let),
    Def(Def),
    Game(Game),
    /// `solve E`
    Solve {
        position: Expr,
        span: Span,
    },
    /// `table E for CLAUSES`
    Table {
        value: Expr,
        clauses: Vec<Clause>,
        span: Span,
    },
    Claim(Claim),
    Expect(Expect),
}

/// `let PATTERN = E with ...`
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Let {
    pub pattern: Pattern,
    pub value: Expr,
    pub with: Vec<Naming>,
    pub span: Span,
}

/// `def f(a, b: nat = 1): nat = E with ...`
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Def {
    pub name: Name,
    pub params: Vec<Param>,
    pub result: Option<Kind>,
    pub body: Expr,
    pub with: Vec<Naming>,
    pub span: Span,
}

/// A parameter of a def: its pattern, kind and default.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Param {
    pub pattern: Pattern,
    pub kind: Option<Kind>,
    pub default: Option<Expr>,
}

/// A declared type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its shape.
    pub shape: KindShape,
    /// `from 1`: lists in it count from this; 0 when nothing is said.
    pub from: Option<(u64, Span)>,
    /// Where.
    pub span: Span,
}

/// The shape of a declared type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KindShape {
    /// `(S, T)`
    Tuple(Vec<Kind>),
    /// `nat`, or the last word of `list of nat`, or `g` in `vertex of g`
    Word(Name),
    /// `list of T`, `vertex of g`: the word and what stands after `of`
    Of(Name, Box<Kind>),
}
