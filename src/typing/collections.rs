//! Literals, comprehensions, members, slices and updates.

use crate::model::kind::Type;
use crate::model::{Change, Gather, Item, Slot, Term, TermKind};
use crate::source::diagnostic::{Code, Diagnostic};
use crate::source::text::Span;
use crate::syntax::tree;
use crate::syntax::tree::{BinaryOp, Clause, Expr, ExprKind, Items, Operator, SetOp};
use crate::typing::checker::{Checker, wrong};
use crate::typing::coercion::{Fit, adapt, adapted, cell, fits, is_comparable, join};
use crate::typing::context::Context;
use crate::typing::expr::term;
use crate::typing::show::a_type;
use num_traits::ToPrimitive;

impl<'a> Checker<'a> {
    /// `[...]` or `{...}`.
    pub(crate) fn gather(&mut self, cx: &mut Context, gather: Gather, items: &'a Items, span: Span) -> Option<Term> {
        match items {
            Items::Plain(items) => self.literal(cx, gather, items, span),
            Items::Comprehension { value, clauses } => self.comprehension(cx, gather, value, clauses, span),
        }
    }

    fn literal(&mut self, cx: &mut Context, gather: Gather, items: &'a [Expr], span: Span) -> Option<Term> {
        let terms: Vec<_> = items
            .iter()
            .map(|e| {
                (matches!(e.kind, ExprKind::Binary { op: Operator::Binary(BinaryOp::Range), .. }), self.expr(cx, e))
            })
            .collect();
        let mut of = Type::Never;
        let mut all = Vec::new();
        for (spread, found) in terms {
            let found = found?;
            let ty = if spread { Type::Int } else { found.ty.clone() };
            let Some(joined) = join(&of, &ty) else {
                return self.fail(
                    Diagnostic::new(
                        Code::E03,
                        found.span,
                        format!(
                            "the members before this one are `{}`, this one is {}",
                            crate::typing::show::type_words(&of),
                            a_type(&ty)
                        ),
                    )
                    .hint("the members of a list or set are all of one type"),
                );
            };
            of = joined;
            all.push(Item { term: found, spread });
        }
        for item in &mut all {
            if item.spread {
                continue;
            }
            let old = item.term.clone();
            match adapted(old, &of) {
                Ok(new) => item.term = new,
                Err(old) => return self.fail(wrong("a member", &of, &old)),
            }
        }
        let ty = self.gathered(gather, of, span)?;
        Some(term(TermKind::Items(gather, all), ty, span))
    }

    fn gathered(&mut self, gather: Gather, of: Type, span: Span) -> Option<Type> {
        match gather {
            Gather::List => Some(Type::List(Box::new(of))),
            Gather::Set if !is_comparable(&of) => self.fail(
                Diagnostic::new(Code::E03, span, format!("{} cannot be a member of a set", a_type(&of)))
                    .hint("make it a list"),
            ),
            Gather::Set => Some(Type::Set(Box::new(of))),
        }
    }

    /// `E for CLAUSES` gathered.
    pub(crate) fn comprehension(
        &mut self,
        cx: &mut Context,
        gather: Gather,
        value: &'a Expr,
        clauses: &'a [Clause],
        span: Span,
    ) -> Option<Term> {
        let mark = cx.locals.len();
        let claim = std::mem::replace(&mut cx.claim, false);
        let clauses = self.clauses(cx, clauses);
        let value = self.expr(cx, value);
        cx.claim = claim;
        cx.locals.truncate(mark);
        let (clauses, value) = (clauses?, value?);
        let ty = self.gathered(gather, value.ty.clone(), span)?;
        Some(term(TermKind::Comprehension(gather, Box::new(value), clauses), ty, span))
    }

    /// `xs[i]`, and `xs[a..b]`, which is an index by a range.
    pub(crate) fn index(&mut self, cx: &mut Context, base: &'a Expr, index: &'a Expr, span: Span) -> Option<Term> {
        let base = self.expr(cx, base);
        let found = self.expr(cx, index);
        let (base, found) = (base?, found?);
        if found.ty == Type::Range && matches!(base.ty, Type::List(_) | Type::Range | Type::Text | Type::Never) {
            let ty = sliced(&base.ty);
            return Some(term(TermKind::Index(Box::new(base), Box::new(found)), ty, span));
        }
        let (want, ty) = match &base.ty {
            Type::List(of) => (Type::Int, (**of).clone()),
            Type::Range | Type::Vertex => (Type::Int, Type::Int),
            Type::Text => (Type::Int, Type::Text),
            Type::Grid => (cell(), Type::Text),
            Type::NatGrid => (cell(), Type::Int),
            Type::Edge => (Type::Int, Type::Vertex),
            Type::Never => (found.ty.clone(), Type::Never),
            Type::Tuple(parts) => (Type::Int, self.tuple_part(parts, index, &found)?),
            other => return self.no_members(other, base.span),
        };
        // A vertex that is a pair is a cell; `g[v]` and `xs[v]` check the label when it is known.
        let found = self.want(found, &want, "the index")?;
        Some(term(TermKind::Index(Box::new(base), Box::new(found)), ty, span))
    }

    fn tuple_part(&mut self, parts: &[Type], index: &Expr, found: &Term) -> Option<Type> {
        if let ExprKind::Int(n) = &index.kind {
            return match n.to_usize().and_then(|n| parts.get(n)) {
                Some(ty) => Some(ty.clone()),
                None => self.fail(
                    Diagnostic::new(Code::E03, found.span, format!("there is no part {n}"))
                        .hint(format!("it has the parts 0 to {}", parts.len() - 1)),
                ),
            };
        }
        let one = parts.iter().try_fold(Type::Never, |ty, p| join(&ty, p));
        match one {
            Some(ty) if parts.iter().all(|p| fits(p, &ty) == Fit::Same) => Some(ty),
            _ => self.fail(
                Diagnostic::new(Code::E03, found.span, "which part of the tuple is not known here")
                    .hint("its parts are of different types, so the index must be a number"),
            ),
        }
    }

    fn no_members<T>(&mut self, ty: &Type, span: Span) -> Option<T> {
        let mut error = Diagnostic::new(Code::E03, span, format!("{} has no members by number", a_type(ty)));
        if matches!(ty, Type::Set(_) | Type::Bag(_)) {
            error = error.hint("`sort(..)` makes a list of it");
        }
        self.fail(error)
    }

    /// `xs[a..]`, `xs[..b]`.
    pub(crate) fn slice(
        &mut self,
        cx: &mut Context,
        base: &'a Expr,
        from: Option<&'a Expr>,
        to: Option<&'a Expr>,
        span: Span,
    ) -> Option<Term> {
        let base = self.expr(cx, base);
        let ends = [from, to].map(|end| end.map(|e| self.expr_as(cx, e, &Type::Int, "the end of a slice")));
        let base = base?;
        if !matches!(base.ty, Type::List(_) | Type::Range | Type::Text | Type::Never) {
            return self.no_members(&base.ty, base.span);
        }
        let mut done = Vec::new();
        for end in ends {
            done.push(match end {
                None => None,
                Some(end) => Some(Box::new(end?)),
            });
        }
        let (to, from) = (done.pop().flatten(), done.pop().flatten());
        let ty = sliced(&base.ty);
        Some(term(TermKind::Slice(Box::new(base), from, to), ty, span))
    }

    /// `xs[i -= k, ...]`, `xs[i -= 1 for i in s]`.
    pub(crate) fn update(
        &mut self,
        cx: &mut Context,
        base: &'a Expr,
        changes: &'a [tree::Change],
        clauses: Option<&'a [Clause]>,
        span: Span,
    ) -> Option<Term> {
        let base = self.expr(cx, base);
        let mark = cx.locals.len();
        let checked = clauses.map(|c| self.clauses(cx, c));
        let found: Vec<_> = changes.iter().map(|c| (c.op, self.expr(cx, &c.index), self.expr(cx, &c.value))).collect();
        cx.locals.truncate(mark);
        let mut base = base?;
        if base.ty == Type::Range {
            base = adapt(base, Type::List(Box::new(Type::Int)));
        }
        let mut done = Vec::new();
        for (op, index, value) in found {
            let (index, value) = (index?, value?);
            let (index, value) = self.change(&mut base, op, index, value)?;
            done.push(Change { index, op, value });
        }
        let clauses = match checked {
            None => None,
            Some(clauses) => Some(clauses?),
        };
        let ty = base.ty.clone();
        Some(term(TermKind::Update(Box::new(base), done, clauses), ty, span))
    }

    fn change(&mut self, base: &mut Term, op: SetOp, index: Term, value: Term) -> Option<(Term, Term)> {
        let sign = match op {
            SetOp::Put => ":=",
            SetOp::Add => "+=",
            SetOp::Remove => "-=",
        };
        let (place, of) = match &base.ty {
            Type::List(of) => (Type::Int, (**of).clone()),
            Type::Text => (Type::Int, Type::Text),
            Type::Grid => (cell(), Type::Text),
            Type::NatGrid => (cell(), Type::Int),
            Type::Never => return Some((index, value)),
            other => {
                let mut error = Diagnostic::new(
                    Code::E03,
                    base.span,
                    format!("{} has no members to change by number", a_type(other)),
                );
                if matches!(other, Type::Set(_) | Type::Bag(_)) {
                    error = error.hint("`+` puts members in, `-` takes them out");
                }
                return self.fail(error);
            }
        };
        let index = self.want(index, &place, "the index of a change")?;
        if op != SetOp::Put && matches!(base.ty, Type::Text | Type::Grid) {
            return self.fail(
                Diagnostic::new(
                    Code::E03,
                    index.span.to(value.span),
                    format!("{} takes `:=`, not `{sign}`", a_type(&base.ty)),
                )
                .hint("`:=` writes a character"),
            );
        }
        if op == SetOp::Put {
            // A member that the old ones do not fit widens the list.
            if let (Type::List(_), Some(wide)) = (&base.ty, join(&of, &value.ty))
                && wide != of
            {
                let list = Type::List(Box::new(wide.clone()));
                let old = base.clone();
                if let Ok(new) = adapted(old, &list) {
                    *base = Term { ty: list, ..new };
                    let value = self.want(value, &wide, "the new member")?;
                    return Some((index, value));
                }
            }
            let value = self.want(value, &of, "the new member")?;
            return Some((index, value));
        }
        let want = match &of {
            Type::Int | Type::Vertex | Type::Never => Type::Int,
            Type::Real => Type::Real,
            Type::Set(_) | Type::Bag(_) => of.clone(),
            Type::List(_) | Type::Text if op == SetOp::Add => of.clone(),
            other => {
                return self.fail(Diagnostic::new(
                    Code::E03,
                    index.span.to(value.span),
                    format!("`{sign}` cannot change {}", a_type(other)),
                ));
            }
        };
        let value = self.want(value, &want, &format!("what stands after `{sign}`"))?;
        Some((index, value))
    }
}

/// The type of a slice: a list or text again.
fn sliced(ty: &Type) -> Type {
    match ty {
        Type::Range => Type::List(Box::new(Type::Int)),
        other => other.clone(),
    }
}

/// Slots that a pattern of the checked program binds.
pub(crate) fn pattern_slots(pattern: &crate::model::Pattern, into: &mut Vec<Slot>) {
    use crate::model::Pattern;
    match pattern {
        Pattern::Slot(slot) => into.push(*slot),
        Pattern::Tuple(parts, _) => parts.iter().for_each(|p| pattern_slots(p, into)),
        Pattern::Ignore => {}
    }
}
