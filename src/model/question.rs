//! What a file asks: `solve`, `table`, `claim` and `expect`.

use crate::model::term::{Clause, Term};
use crate::model::{Body, Frame};
use crate::source::text::Span;
use crate::syntax::tree::{FactMeasure, Outcome};

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
