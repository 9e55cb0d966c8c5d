//! Expressions, clauses and patterns.

use crate::source::text::Span;
use crate::syntax::tree::Name;
use crate::syntax::tree::drawing::Chain;
use crate::syntax::tree::words::{CompareOp, DrawingWord, GraphWord, Operator, SetOp};
use num_bigint::BigInt;

/// `PATTERN = E` of a `with` or a clause list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Naming {
    pub pattern: Pattern,
    pub value: Expr,
}

/// A clause of the one clause list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Clause {
    /// `i, j in E`
    In { patterns: Vec<Pattern>, source: Expr, span: Span },
    /// `P = E`
    Let(Naming),
    /// `where C`
    Where(Expr),
}

/// What a binder binds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// One name (`_` too).
    Name(Name),
    /// `(p, q, ...)`, two or more
    Tuple(Vec<Pattern>, Span),
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum ExprKind {
    Int(BigInt),
    Text(String),
    Bool(bool),
    Name(String),
    /// `f(args)`, also `xor(...)`
    Call {
        function: Name,
        args: Args,
    },
    /// something that is not a name, followed by `(...)`: an error for the checker (E04)
    Apply {
        base: Box<Expr>,
        args: Args,
    },
    /// `Nim(3)`, `Cram[g]`, `Place[g](x, y = 2)`; `state` is `None` without round brackets
    Place {
        game: Name,
        rules: Option<Vec<Arg>>,
        state: Option<Args>,
    },
    /// `graph { a-b, b->c }`
    Drawing {
        word: GraphWord,
        chains: Vec<Chain>,
    },
    /// `graph from "file"`, `grid from "file"`
    FromFile {
        word: DrawingWord,
        path: String,
    },
    /// `grid """..."""`, and `graph """..."""`, which the checker refuses
    DrawnText {
        word: DrawingWord,
        text: String,
    },
    Tuple(Vec<Expr>),
    List(Items),
    Set(Items),
    /// `xs[i]`
    Index {
        base: Box<Expr>,
        index: Box<Expr>,
    },
    /// `xs[a..b]` written with brackets around a missing end: `xs[a..]`, `xs[..b]`. `xs[a..b]` is an `Index` by a range.
    Slice {
        base: Box<Expr>,
        from: Option<Box<Expr>>,
        to: Option<Box<Expr>>,
    },
    /// `xs[i -= k, j += 1]`, `xs[i -= 1 for i in s]` (then exactly one change)
    Update {
        base: Box<Expr>,
        changes: Vec<Change>,
        clauses: Option<Vec<Clause>>,
    },
    Neg(Box<Expr>),
    Not(Box<Expr>),
    Binary {
        op: Operator,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `a < b <= c`
    Compare {
        first: Box<Expr>,
        rest: Vec<(CompareOp, Expr)>,
    },
    If {
        condition: Box<Expr>,
        yes: Box<Expr>,
        no: Box<Expr>,
    },
    /// `misere P`
    Misere(Box<Expr>),
}

/// The items of a list or set literal.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Items {
    Plain(Vec<Expr>),
    Comprehension { value: Box<Expr>, clauses: Vec<Clause> },
}

/// Arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Args {
    Plain(Vec<Arg>),
    Comprehension { value: Box<Expr>, clauses: Vec<Clause> },
}

/// `E` or `name = E`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Arg {
    pub name: Option<Name>,
    pub value: Expr,
}

/// One change of an update.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Change {
    pub index: Expr,
    pub op: SetOp,
    pub value: Expr,
}
