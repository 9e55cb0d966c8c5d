//! Expressions: what each form means and of what type it is.

use crate::model::kind::Type;
use crate::model::{Term, TermKind};
use crate::source::diagnostic::{Code, Diagnostic};
use crate::source::text::Span;
use crate::syntax::tree::{BinaryOp, Expr, ExprKind, Operator};
use crate::typing::checker::Checker;
use crate::typing::coercion::{adapted, join};
use crate::typing::context::Context;
use crate::typing::show::a_type;

/// A term.
pub(crate) fn term(kind: TermKind, ty: Type, span: Span) -> Term {
    Term { kind, ty, span }
}

impl<'a> Checker<'a> {
    /// An expression with its type; `None` after an error that has been told.
    pub(crate) fn expr(&mut self, cx: &mut Context, expr: &'a Expr) -> Option<Term> {
        self.deeper(expr.span, |this| this.expr_inner(cx, expr))
    }

    fn expr_inner(&mut self, cx: &mut Context, expr: &'a Expr) -> Option<Term> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(n) => Some(term(TermKind::Int(n.clone()), Type::Int, span)),
            ExprKind::Bool(b) => Some(term(TermKind::Bool(*b), Type::Bool, span)),
            ExprKind::Text(t) => Some(term(TermKind::Text(t.as_str().into()), Type::Text, span)),
            ExprKind::Name(name) if self.is_nat(cx, name) => self.fail(
                Diagnostic::new(Code::E03, span, "`nat` is a type, and only a claim's `in nat` ranges over it")
                    .hint("give it an end: `0..100`"),
            ),
            ExprKind::Name(name) => self.read_name(cx, name, span),
            ExprKind::Call { function, args } => self.call(cx, function, args, span),
            ExprKind::Apply { .. } => self.fail(
                Diagnostic::new(Code::E04, span, "this is a value, not a function")
                    .hint("only the name of a `def` or a built-in word is called"),
            ),
            ExprKind::Place { game, rules, state } => self.place(cx, game, rules.as_deref(), state.as_ref(), span),
            ExprKind::Drawing { word, chains } => self.drawing(*word, chains, span),
            ExprKind::FromFile { word, path } => Some(crate::typing::drawing::from_file(*word, path, span)),
            ExprKind::DrawnText { word, text } => self.drawn_text(*word, text, span),
            ExprKind::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|p| self.expr(cx, p)).collect();
                let parts: Vec<Term> = parts.into_iter().collect::<Option<_>>()?;
                let ty = Type::Tuple(parts.iter().map(|p| p.ty.clone()).collect());
                Some(term(TermKind::Tuple(parts), ty, span))
            }
            ExprKind::List(items) => self.gather(cx, crate::model::Gather::List, items, span),
            ExprKind::Set(items) => self.gather(cx, crate::model::Gather::Set, items, span),
            ExprKind::Index { base, index } => self.index(cx, base, index, span),
            ExprKind::Slice { base, from, to } => self.slice(cx, base, from.as_deref(), to.as_deref(), span),
            ExprKind::Update { base, changes, clauses } => self.update(cx, base, changes, clauses.as_deref(), span),
            ExprKind::Neg(of) => {
                let of = self.expr(cx, of)?;
                let ty = if of.ty == Type::Real { Type::Real } else { Type::Int };
                let of = self.want(of, &ty, "what `-` is put before")?;
                Some(term(TermKind::Neg(Box::new(of)), ty, span))
            }
            ExprKind::Not(of) => {
                let of = self.condition(cx, of, "what `not` is put before")?;
                Some(term(TermKind::Not(Box::new(of)), Type::Bool, span))
            }
            ExprKind::Binary { .. } => self.spine(cx, expr),
            ExprKind::Compare { first, rest } => self.compare(cx, first, rest, span),
            ExprKind::If { condition, yes, no } => {
                let condition = self.condition(cx, condition, "the condition after `if`");
                let yes = self.expr(cx, yes);
                let no = self.expr(cx, no);
                self.branches(condition?, yes?, no?, span)
            }
            ExprKind::Misere(of) => {
                let of = self.expr_as(cx, of, &Type::Position, "what `misere` is put before")?;
                Some(term(TermKind::Misere(Box::new(of)), Type::Position, span))
            }
        }
    }

    fn branches(&mut self, condition: Term, yes: Term, no: Term, span: Span) -> Option<Term> {
        // A sum over nothing beside a position is the zero position.
        let (yes, no) = if no.ty == Type::Position && yes.ty == Type::Int {
            (self.want(yes, &Type::Position, "the value after `then`")?, no)
        } else if yes.ty == Type::Position && no.ty == Type::Int {
            (yes, self.want(no, &Type::Position, "the value after `else`")?)
        } else {
            (yes, no)
        };
        let Some(ty) = join(&yes.ty, &no.ty) else {
            return self.fail(
                Diagnostic::new(
                    Code::E03,
                    no.span,
                    format!("after `then` stands {}, after `else` {}", a_type(&yes.ty), a_type(&no.ty)),
                )
                .hint("both must be of one type"),
            );
        };
        let (Ok(yes), Ok(no)) = (adapted(yes, &ty), adapted(no, &ty)) else {
            return self.fail(Diagnostic::new(Code::E03, span, "both branches must be of one type"));
        };
        Some(term(TermKind::If(Box::new(condition), Box::new(yes), Box::new(no)), ty, span))
    }

    /// Operators, the left spine of a long chain unrolled: `a + b + c + ...` may have thousands of operands.
    fn spine(&mut self, cx: &mut Context, expr: &'a Expr) -> Option<Term> {
        let mut chain = Vec::new();
        let mut leftmost = expr;
        while let ExprKind::Binary { op, left, right } = &leftmost.kind {
            chain.push((*op, &**right, leftmost.span));
            leftmost = left;
        }
        let mut value = self.expr(cx, leftmost);
        while let Some((op, right, span)) = chain.pop() {
            let outer = cx.range_end;
            if op == Operator::Binary(BinaryOp::Range) {
                cx.range_end = Some(right.span);
            }
            let right = self.expr(cx, right);
            cx.range_end = outer;
            value = match (value, right) {
                (Some(left), Some(right)) => self.operate(cx, op, left, right, span),
                _ => None,
            };
        }
        value
    }

    fn operate(&mut self, cx: &Context, op: Operator, left: Term, right: Term, span: Span) -> Option<Term> {
        if let Operator::Binary(op) = op {
            return self.arithmetic(cx, op, left, right, span);
        }
        let word = op.sign();
        let left = self.want(left, &Type::Bool, &format!("what stands before `{word}`"));
        let right = self.want(right, &Type::Bool, &format!("what stands after `{word}`"));
        let (left, right) = (Box::new(left?), Box::new(right?));
        let kind = match op {
            Operator::Logic(op) => TermKind::Logic(op, left, right),
            _ => TermKind::Iff(left, right),
        };
        Some(term(kind, Type::Bool, span))
    }
}
