//! Comparisons and membership.

use crate::model::kind::Type;
use crate::model::{CompareOp, Term, TermKind};
use crate::source::diagnostic::{Code, Diagnostic};
use crate::source::text::Span;
use crate::syntax::tree;
use crate::syntax::tree::Expr;
use crate::typing::checker::{Checker, wrong};
use crate::typing::coercion::{Fit, adapted, fits, is_comparable, is_ordered, join_operands, member};
use crate::typing::context::Context;
use crate::typing::expr::term;
use crate::typing::show::a_type;

impl<'a> Checker<'a> {
    /// A chain of comparisons. All operands but those of `in` become of one type.
    pub(crate) fn compare(
        &mut self,
        cx: &mut Context,
        first: &'a Expr,
        rest: &'a [(CompareOp, Expr)],
        span: Span,
    ) -> Option<Term> {
        let first = self.expr(cx, first);
        let others: Vec<_> = rest.iter().map(|(op, e)| (*op, self.expr(cx, e))).collect();
        let mut terms = vec![first?];
        let mut ops = Vec::new();
        for (op, other) in others {
            ops.push(op);
            terms.push(other?);
        }
        // Runs of operands between two `in`s are compared with one another.
        let mut start = 0;
        while start < terms.len() {
            let mut end = start;
            while end < ops.len() && !matches!(ops[end], CompareOp::In | CompareOp::NotIn) {
                end += 1;
            }
            if end > start {
                self.comparable(&mut terms[start..=end], &ops[start..end])?;
            }
            start = end + 1;
        }
        for (index, op) in ops.iter().enumerate() {
            if matches!(op, CompareOp::In | CompareOp::NotIn) {
                self.membership(&mut terms, index)?;
            }
        }
        let mut terms = terms.into_iter();
        let first = terms.next()?;
        Some(term(TermKind::Compare(Box::new(first), ops.into_iter().zip(terms).collect()), Type::Bool, span))
    }

    /// Brings operands to one type that the comparisons between them know.
    fn comparable(&mut self, terms: &mut [Term], ops: &[CompareOp]) -> Option<()> {
        let mut ty = terms[0].ty.clone();
        for (next, op) in terms[1..].iter().zip(ops) {
            if let Some(joined) = join_operands(&ty, &next.ty) {
                ty = joined;
                continue;
            }
            let span = terms[0].span.to(next.span);
            let mut error = Diagnostic::new(
                Code::E03,
                span,
                format!("{} and {} cannot be compared", a_type(&ty), a_type(&next.ty)),
            );
            if matches!(op, CompareOp::Eq) && (ty == Type::Position || next.ty == Type::Position) {
                error = error.hint("compare `grundy(..)` or `outcome(..)` of positions");
            }
            return self.fail(error);
        }
        if !is_comparable(&ty) {
            let error = Diagnostic::new(Code::E03, terms[0].span, format!("{} is not compared", a_type(&ty)));
            let hint = match ty {
                Type::Position => "compare `grundy(..)` or `outcome(..)` of positions",
                _ => "compare their `vertices(..)` or `edges(..)`",
            };
            return self.fail(error.hint(hint));
        }
        let inclusion = matches!(ty, Type::Set(_) | Type::Bag(_));
        for (term, op) in terms.iter().zip(ops) {
            if !matches!(op, CompareOp::Eq | CompareOp::Ne) && !inclusion && !is_ordered(&ty) {
                return self.fail(Diagnostic::new(Code::E03, term.span, format!("{} has no order", a_type(&ty))));
            }
        }
        for term in terms {
            // A range stays one beside a list: `0..n == xs` compares members.
            let old = std::mem::replace(term, placeholder(term.span));
            match adapted(old, &ty) {
                Ok(new) => *term = new,
                Err(old) => return self.fail(wrong("this operand", &ty, &old)),
            }
        }
        Some(())
    }

    fn membership(&mut self, terms: &mut [Term], index: usize) -> Option<()> {
        let collection = &terms[index + 1];
        let Some(of) = member(&collection.ty) else {
            let collection = collection.clone();
            let error = Diagnostic::new(
                Code::E03,
                collection.span,
                format!("what stands after `in` must be a collection, not {}", a_type(&collection.ty)),
            );
            return self.fail(error.label(format!("this is {}", a_type(&collection.ty))));
        };
        let item = terms[index].clone();
        if !is_comparable(&item.ty) {
            return self.fail(Diagnostic::new(Code::E03, item.span, format!("{} is not compared", a_type(&item.ty))));
        }
        match crate::typing::coercion::join(&item.ty, &of) {
            // A label beside labels, an int beside reals: what is asked for keeps its own form.
            Some(ty) if ty == of || fits(&item.ty, &ty) == Fit::Same => {
                if let Ok(new) = adapted(item, &ty) {
                    terms[index] = new;
                }
            }
            Some(_) => {}
            None => {
                let found = a_type(&item.ty);
                let message = format!("{found} is never in {}", a_type(&collection.ty));
                let mut error = Diagnostic::new(Code::E03, item.span.to(collection.span), message);
                if matches!(item.ty, Type::Set(_)) {
                    error = error.hint("`a <= b` says that every member of a is in b");
                }
                return self.fail(error);
            }
        }
        // A grid of characters is the graph of its cells.
        if collection_is_grid(&terms[index + 1].ty) {
            let span = terms[index].span;
            let grid = std::mem::replace(&mut terms[index + 1], placeholder(span));
            terms[index + 1] = crate::typing::coercion::adapt(grid, Type::Graph(tree::GraphWord::Graph));
        }
        Some(())
    }
}

fn collection_is_grid(ty: &Type) -> bool {
    *ty == Type::Grid
}

fn placeholder(span: Span) -> Term {
    term(TermKind::Bool(false), Type::Never, span)
}
