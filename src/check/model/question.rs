//! What a file asks: `solve`, `table`, `claim` and `expect`.

use super::term::{Clause, Term};
use super::{Body, Frame};
use crate::syntax::tree::{FactMeasure, Outcome};
use crate::text::Span;

/// A question of the file.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Question {
    Solve { body: Body, span: Span },
    Table { frame: Frame, value: Term, clauses: Vec<Clause>, span: Span },
    Claim(Claim),
    Expect { frame: Frame, position: Term, facts: Vec<Fact>, span: Span },
}

/// A claim.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Claim {
    pub title: String,
    pub negated: bool,
    pub frame: Frame,
    pub clauses: Vec<Clause>,
    pub condition: Term,
    pub span: Span,
}

/// A fact of an `expect`.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum Fact {
    Outcome(Outcome, Span),
    Measure(FactMeasure, Term, Span),
}
