//! The one clause list and what patterns take apart.

use crate::model::builtin::Builtin;
use crate::model::kind::Type;
use crate::model::{Clause, Pattern, Term, TermKind};
use crate::source::diagnostic::{Code, Diagnostic};
use crate::source::text::Span;
use crate::syntax::tree;
use crate::syntax::tree::{ExprKind, Name};
use crate::typing::checker::Checker;
use crate::typing::coercion::{adapt, member};
use crate::typing::context::Context;
use crate::typing::load::pattern_names;
use crate::typing::names::nat_list;
use crate::typing::show::a_type;

impl<'a> Checker<'a> {
    /// Checks clauses; the names they bind stay in `cx`, to be taken out by the caller. All clauses are looked at, also
    /// after an error.
    pub(crate) fn clauses(&mut self, cx: &mut Context, clauses: &'a [tree::Clause]) -> Option<Vec<Clause>> {
        let before = cx.later.len();
        let mut done = Some(Vec::new());
        for (index, clause) in clauses.iter().enumerate() {
            cx.later.truncate(before);
            // In a table `for n in 0..n` reads the `n` outside; in games, defs and claims a name means one thing.
            let own = usize::from(cx.no_inputs.is_none());
            for later in &clauses[index + own..] {
                cx.later.extend(bound(later).map(|n| n.text.clone()).filter(|n| n != "_"));
            }
            let new = self.clause(cx, clause);
            match (&mut done, new) {
                (Some(all), Some(new)) => all.extend(new),
                (all, _) => *all = None,
            }
        }
        cx.later.truncate(before);
        done
    }

    fn clause(&mut self, cx: &mut Context, clause: &'a tree::Clause) -> Option<Vec<Clause>> {
        match clause {
            tree::Clause::In { patterns, source, .. } => {
                let source = self.binder_source(cx, source);
                let of = source.as_ref().map(|(_, of)| of.clone());
                let patterns: Vec<_> =
                    patterns.iter().map(|p| (self.bind_pattern(cx, p, of.clone()), pattern_span(p))).collect();
                let (source, _) = source?;
                patterns
                    .into_iter()
                    .map(|(p, span)| Some(Clause::In { pattern: p?, source: source.clone(), span }))
                    .collect()
            }
            tree::Clause::Let(naming) => {
                let value = self.expr(cx, &naming.value);
                let ty = value.as_ref().map(|v| v.ty.clone());
                let pattern = self.bind_pattern(cx, &naming.pattern, ty);
                Some(vec![Clause::Let { pattern: pattern?, value: value? }])
            }
            tree::Clause::Where(condition) => {
                Some(vec![Clause::Where(self.condition(cx, condition, "a condition after `where`")?)])
            }
        }
    }

    /// What a binder ranges over, and the type of its members. Graphs and grids give the list of their vertices.
    fn binder_source(&mut self, cx: &mut Context, source: &'a tree::Expr) -> Option<(Term, Type)> {
        if let ExprKind::Name(name) = &source.kind
            && self.is_nat(cx, name)
        {
            if !cx.claim {
                return self.fail(
                    Diagnostic::new(Code::E03, source.span, "only a claim ranges over all of `nat`")
                        .hint("give it an end: `in 0..100`"),
                );
            }
            let term = Term::new(TermKind::Builtin(Builtin::Nat, Vec::new()), nat_list(), source.span);
            return Some((term, Type::Int));
        }
        // Inside the source of a claim's binder, `nat` would have to be finished.
        let claim = std::mem::replace(&mut cx.claim, false);
        let term = self.expr(cx, source);
        cx.claim = claim;
        self.members(term?, "what a binder ranges over")
    }

    /// A term as a collection, with the type of its members; graphs and grids become the list of their vertices.
    pub(crate) fn members(&mut self, term: Term, what: &str) -> Option<(Term, Type)> {
        let Some(of) = member(&term.ty) else {
            let mut error =
                Diagnostic::new(Code::E03, term.span, format!("{what} must be a collection, not {}", a_type(&term.ty)))
                    .label(format!("this is {}", a_type(&term.ty)));
            if term.ty == Type::Int {
                error = error.hint("`0..n - 1` has the numbers from 0 to n - 1");
            }
            return self.fail(error);
        };
        let term = match term.ty {
            Type::Graph(_) | Type::Grid | Type::NatGrid => adapt(term, Type::List(Box::new(of.clone()))),
            _ => term,
        };
        Some((term, of))
    }

    /// Binds the names of a pattern to new slots; `ty` is `None` after an error that has been told.
    pub(crate) fn bind_pattern(
        &mut self,
        cx: &mut Context,
        pattern: &'a tree::Pattern,
        ty: Option<Type>,
    ) -> Option<Pattern> {
        match pattern {
            tree::Pattern::Name(name) if name.text == "_" => ty.map(|_| Pattern::Ignore),
            tree::Pattern::Name(name) => {
                let slot = cx.bind(&name.text, ty.clone(), name.span, &mut self.errors);
                ty.map(|_| Pattern::Slot(slot))
            }
            tree::Pattern::Tuple(parts, span) => {
                let types = ty.and_then(|ty| self.part_types(&ty, parts.len(), *span));
                let parts: Vec<_> = parts
                    .iter()
                    .enumerate()
                    .map(|(i, p)| self.bind_pattern(cx, p, types.as_ref().map(|t| t[i].clone())))
                    .collect();
                Some(Pattern::Tuple(parts.into_iter().collect::<Option<_>>()?, *span))
            }
        }
    }

    /// The types of the parts when a value of this type is taken apart into so many.
    pub(crate) fn part_types(&mut self, ty: &Type, arity: usize, span: Span) -> Option<Vec<Type>> {
        let parts = match ty {
            Type::Tuple(parts) if parts.len() == arity => Some(parts.clone()),
            Type::Edge if arity == 2 => Some(vec![Type::Vertex; 2]),
            Type::Vertex if arity == 2 => Some(vec![Type::Int; 2]),
            Type::List(of) => Some(vec![(**of).clone(); arity]),
            Type::Range => Some(vec![Type::Int; arity]),
            Type::Never => Some(vec![Type::Never; arity]),
            _ => None,
        };
        if parts.is_some() {
            return parts;
        }
        let mut error =
            Diagnostic::new(Code::E03, span, format!("a pattern of {arity} names cannot take {} apart", a_type(ty)));
        if let Type::Tuple(parts) = ty {
            error = error.hint(format!("it has {} parts", parts.len()));
        }
        self.fail(error)
    }

    /// The names of a pattern with the terms that take them out of the whole.
    pub(crate) fn pattern_parts(
        &mut self,
        pattern: &'a tree::Pattern,
        whole: Option<Term>,
    ) -> Vec<(&'a Name, Option<Term>)> {
        match pattern {
            tree::Pattern::Name(name) => vec![(name, whole)],
            tree::Pattern::Tuple(parts, span) => {
                let types = whole.as_ref().and_then(|w| self.part_types(&w.ty, parts.len(), *span));
                let mut all = Vec::new();
                for (index, part) in parts.iter().enumerate() {
                    let term = whole.as_ref().zip(types.as_ref()).map(|(whole, types)| {
                        let kind = TermKind::Part { of: Box::new(whole.clone()), index, arity: parts.len() };
                        Term::new(kind, types[index].clone(), pattern_span(part))
                    });
                    all.extend(self.pattern_parts(part, term));
                }
                all
            }
        }
    }

    /// An expression that must be true or false; `=` for `==` never comes here, the grammar refuses it (E08).
    pub(crate) fn condition(&mut self, cx: &mut Context, expr: &'a tree::Expr, what: &str) -> Option<Term> {
        self.expr_as(cx, expr, &Type::Bool, what)
    }
}

/// The names that a clause binds.
pub(crate) fn bound(clause: &tree::Clause) -> impl Iterator<Item = &Name> {
    let patterns: Vec<&tree::Pattern> = match clause {
        tree::Clause::In { patterns, .. } => patterns.iter().collect(),
        tree::Clause::Let(naming) => vec![&naming.pattern],
        tree::Clause::Where(_) => Vec::new(),
    };
    patterns.into_iter().flat_map(pattern_names)
}

/// Where a pattern stands.
pub(crate) fn pattern_span(pattern: &tree::Pattern) -> Span {
    match pattern {
        tree::Pattern::Name(name) => name.span,
        tree::Pattern::Tuple(_, span) => *span,
    }
}
