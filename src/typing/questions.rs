//! `solve`, `table`, `claim`, `expect`.

use crate::model::kind::Type;
use crate::model::{Claim, Fact, Question, Term};
use crate::source::diagnostic::{Code, Diagnostic};
use crate::source::text::Span;
use crate::syntax::tree;
use crate::syntax::tree::{Clause, Expr, FactMeasure, Item};
use crate::typing::checker::{Checker, body};
use crate::typing::coercion::holds_position;
use crate::typing::context::Context;
use crate::typing::position_type::flavour;
use crate::typing::show::a_type;
use crate::typing::special::{misere_grundy, misere_score};

impl<'a> Checker<'a> {
    /// A question of the file; `None` for other items and after an error.
    pub(crate) fn ask(&mut self, item: &'a Item) -> Option<Question> {
        match item {
            Item::Solve { position, span } => {
                let mut cx = Context::new(0, None);
                let position = self.position(&mut cx, position, "what is solved")?;
                Some(Question::Solve { body: body(cx.frame, position), span: *span })
            }
            Item::Table { value, clauses, span } => self.table(value, clauses, *span),
            Item::Claim(claim) => self.claim(claim),
            Item::Expect(expect) => {
                let mut cx = Context::new(0, None);
                let position = self.position(&mut cx, &expect.position, "what is expected of");
                let misere = position.as_ref().and_then(|p| flavour(&self.games, p).misere) == Some(true);
                let facts: Vec<_> = expect.facts.iter().map(|f| self.fact(&mut cx, f, misere)).collect();
                let facts = facts.into_iter().collect::<Option<_>>()?;
                Some(Question::Expect { frame: cx.frame, position: position?, facts, span: expect.span })
            }
            _ => None,
        }
    }

    fn position(&mut self, cx: &mut Context, expr: &'a Expr, what: &str) -> Option<Term> {
        self.expr_as(cx, expr, &Type::Position, what)
    }

    fn table(&mut self, value: &'a Expr, clauses: &'a [Clause], span: Span) -> Option<Question> {
        let mut cx = Context::new(0, None);
        let clauses = self.clauses(&mut cx, clauses);
        let value = self.expr(&mut cx, value)?;
        if holds_position(&value.ty) || matches!(value.ty, Type::Graph(_)) {
            return self.fail(
                Diagnostic::new(Code::E03, value.span, format!("a table does not show {}", a_type(&value.ty)))
                    .hint("ask something about it: `grundy(..)`, `outcome(..)`, `size(..)`"),
            );
        }
        Some(Question::Table { frame: cx.frame, value, clauses: clauses?, span })
    }

    fn claim(&mut self, claim: &'a tree::Claim) -> Option<Question> {
        let mut cx = Context::new(0, Some("a claim"));
        cx.claim = true;
        let (clauses, condition) = self.with_clauses(&mut cx, &claim.clauses, &claim.with, |this, cx| {
            this.condition(cx, &claim.condition, "what is claimed")
        });
        Some(Question::Claim(Claim {
            title: claim.title.clone(),
            negated: claim.negated,
            frame: cx.frame,
            clauses: clauses?,
            condition: condition?,
            span: claim.span,
        }))
    }

    fn fact(&mut self, cx: &mut Context, fact: &'a tree::Fact, misere: bool) -> Option<Fact> {
        match fact {
            tree::Fact::Outcome(outcome, span) => Some(Fact::Outcome(*outcome, *span)),
            tree::Fact::Measure(FactMeasure::Grundy, _, span) if misere => self.fail(misere_grundy(*span)),
            tree::Fact::Measure(FactMeasure::Score, _, span) if misere => self.fail(misere_score(*span)),
            tree::Fact::Measure(measure, value, span) => {
                let value = self.expr_as(cx, value, &Type::Int, "what is expected")?;
                Some(Fact::Measure(*measure, value, *span))
            }
        }
    }
}
