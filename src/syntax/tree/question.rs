//! Claims and `expect` lines.

use crate::source::text::Span;
use crate::syntax::tree::expr::{Clause, Expr, Naming};
use crate::syntax::tree::words::{FactMeasure, Outcome};

/// `claim [false] "title" for CLAUSES: C with ...`
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Claim {
    pub title: String,
    /// `claim false`: meant to be refuted
    pub negated: bool,
    pub clauses: Vec<Clause>,
    pub condition: Expr,
    pub with: Vec<Naming>,
    pub span: Span,
}

/// `expect P: facts`
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Expect {
    pub position: Expr,
    pub facts: Vec<Fact>,
    pub span: Span,
}

/// One fact of an `expect`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fact {
    /// `first`, `second`, `draw`
    Outcome(Outcome, Span),
    /// `grundy E`, `score E`, `remoteness E`, `winning E`
    Measure(FactMeasure, Expr, Span),
}
