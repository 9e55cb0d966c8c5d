//! Expressions: what each form means and of what type it is.

use crate::model::{Change, Drawing, DrawnLabel, Gather, Item, Term, TermKind, Type};
use crate::source::{Code, Span};
use crate::syntax::tree::{
    self, BinaryOp, Chain, Clause, DrawingWord, Expr, ExprKind, GraphWord, Items, Label, Operator, SetOp,
};
use crate::typing::checker::{Checker, optional, wrong};
use crate::typing::types::{Fit, a_type, adapt, adapted, cell, fits, is_comparable, is_vast, join, type_words};
use num_traits::ToPrimitive;
use std::collections::HashMap;
use std::sync::Arc;

impl<'a> Checker<'a> {
    /// An expression with its type; `None` after an error that has been told.
    pub(crate) fn expr(&mut self, expr: &'a Expr) -> Option<Term> {
        self.deeper(expr.span, |this| this.expr_inner(expr))
    }

    fn expr_inner(&mut self, expr: &'a Expr) -> Option<Term> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(n) => Some(Term::new(TermKind::Int(n.clone()), Type::Int, span)),
            ExprKind::Bool(b) => Some(Term::new(TermKind::Bool(*b), Type::Bool, span)),
            ExprKind::Text(t) => Some(Term::new(TermKind::Text(t.as_str().into()), Type::Text, span)),
            ExprKind::Name(name) if self.is_nat(name) => {
                let message = "`nat` is a type, and only a claim's `in nat` ranges over it";
                self.refuse(Code::E03, span, message, "give it an end: `0..100`")
            }
            ExprKind::Name(name) => self.read_name(name, span),
            ExprKind::Call { function, args } => self.call(function, args, span),
            ExprKind::Apply { .. } => {
                let hint = "only the name of a `def` or a built-in word is called";
                self.refuse(Code::E04, span, "this is a value, not a function", hint)
            }
            ExprKind::Place { game, rules, state } => self.place(game, rules.as_deref(), state.as_ref(), span),
            ExprKind::Drawing { word, chains } => self.drawing(*word, chains, span),
            ExprKind::FromFile { word, path } => Some(from_file(*word, path, span)),
            ExprKind::DrawnText { word, text } => self.drawn_text(*word, text, span),
            ExprKind::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|p| self.expr(p)).collect();
                let parts: Vec<Term> = parts.into_iter().collect::<Option<_>>()?;
                let ty = Type::Tuple(parts.iter().map(|p| p.ty.clone()).collect());
                if is_vast(&ty) {
                    let hint = "a list holds many values of one type";
                    return self.refuse(Code::E18, span, "this tuple has more than 1000 parts within parts", hint);
                }
                Some(Term::new(TermKind::Tuple(parts), ty, span))
            }
            ExprKind::List(items) => self.gather(crate::model::Gather::List, items, span),
            ExprKind::Set(items) => self.gather(crate::model::Gather::Set, items, span),
            ExprKind::Index { base, index } => self.index(base, index, span),
            ExprKind::Slice { base, from, to } => self.slice(base, from.as_deref(), to.as_deref(), span),
            ExprKind::Update { base, changes, clauses } => self.update(base, changes, clauses.as_deref(), span),
            ExprKind::Neg(of) => {
                let of = self.expr(of)?;
                let ty = if of.ty == Type::Real { Type::Real } else { Type::Int };
                let of = self.want(of, &ty, "what `-` is put before")?;
                Some(Term::new(TermKind::Neg(Box::new(of)), ty, span))
            }
            ExprKind::Not(of) => {
                let of = self.condition(of, "what `not` is put before")?;
                Some(Term::new(TermKind::Not(Box::new(of)), Type::Bool, span))
            }
            ExprKind::Binary { .. } => self.spine(expr),
            ExprKind::Compare { first, rest } => self.compare(first, rest, span),
            ExprKind::If { condition, yes, no } => {
                let condition = self.condition(condition, "the condition after `if`");
                let yes = self.expr(yes);
                let no = self.expr(no);
                self.branches(condition?, yes?, no?, span)
            }
            ExprKind::Misere(of) => {
                let of = self.expr_as(of, &Type::Position, "what `misere` is put before")?;
                Some(Term::new(TermKind::Misere(Box::new(of)), Type::Position, span))
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
            let message = format!("after `then` stands {}, after `else` {}", a_type(&yes.ty), a_type(&no.ty));
            return self.refuse(Code::E03, no.span, message, "both must be of one type");
        };
        let (Ok(yes), Ok(no)) = (adapted(yes, &ty), adapted(no, &ty)) else {
            return self.deny(Code::E03, span, "both branches must be of one type", None);
        };
        Some(Term::new(TermKind::If(Box::new(condition), Box::new(yes), Box::new(no)), ty, span))
    }

    /// Operators, the left spine of a long chain unrolled: `a + b + c + ...` may have thousands of operands.
    fn spine(&mut self, expr: &'a Expr) -> Option<Term> {
        let mut chain = Vec::new();
        let mut leftmost = expr;
        while let ExprKind::Binary { op, left, right } = &leftmost.kind {
            chain.push((*op, &**right, leftmost.span));
            leftmost = left;
        }
        let mut value = self.expr(leftmost);
        while let Some((op, right, span)) = chain.pop() {
            let outer = self.cx.range_end;
            if op == Operator::Binary(BinaryOp::Range) {
                self.cx.range_end = Some(right.span);
            }
            let right = self.expr(right);
            self.cx.range_end = outer;
            value = match (value, right) {
                (Some(left), Some(right)) => self.operate(op, left, right, span),
                _ => None,
            };
        }
        value
    }

    fn operate(&mut self, op: Operator, left: Term, right: Term, span: Span) -> Option<Term> {
        if let Operator::Binary(op) = op {
            return self.arithmetic(op, left, right, span);
        }
        let word = op.sign();
        let left = self.want(left, &Type::Bool, &format!("what stands before `{word}`"));
        let right = self.want(right, &Type::Bool, &format!("what stands after `{word}`"));
        let (left, right) = (Box::new(left?), Box::new(right?));
        let kind = match op {
            Operator::Logic(op) => TermKind::Logic(op, left, right),
            _ => TermKind::Iff(left, right),
        };
        Some(Term::new(kind, Type::Bool, span))
    }

    /// `[...]` or `{...}`.
    pub(crate) fn gather(&mut self, gather: Gather, items: &'a Items, span: Span) -> Option<Term> {
        match items {
            Items::Plain(items) => self.literal(gather, items, span),
            Items::Comprehension { value, clauses } => self.comprehension(gather, value, clauses, span),
        }
    }

    fn literal(&mut self, gather: Gather, items: &'a [Expr], span: Span) -> Option<Term> {
        let terms: Vec<_> = items
            .iter()
            .map(|e| (matches!(e.kind, ExprKind::Binary { op: Operator::Binary(BinaryOp::Range), .. }), self.expr(e)))
            .collect();
        let mut of = Type::Never;
        let mut all = Vec::new();
        for (spread, found) in terms {
            let found = found?;
            let ty = if spread { Type::Int } else { found.ty.clone() };
            let Some(joined) = join(&of, &ty) else {
                let (of, ty) = (type_words(&of), a_type(&ty));
                let message = format!("the members before this one are `{of}`, this one is {ty}");
                let hint = "the members of a list or set are all of one type";
                return self.refuse(Code::E03, found.span, message, hint);
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
        Some(Term::new(TermKind::Items(gather, all), ty, span))
    }

    fn gathered(&mut self, gather: Gather, of: Type, span: Span) -> Option<Type> {
        match gather {
            Gather::List => Some(Type::List(Box::new(of))),
            Gather::Set if !is_comparable(&of) => {
                let message = format!("{} cannot be a member of a set", a_type(&of));
                self.refuse(Code::E03, span, message, "make it a list")
            }
            Gather::Set => Some(Type::Set(Box::new(of))),
        }
    }

    pub(crate) fn comprehension(
        &mut self,
        gather: Gather,
        value: &'a Expr,
        clauses: &'a [Clause],
        span: Span,
    ) -> Option<Term> {
        let mark = self.cx.locals.len();
        let claim = std::mem::replace(&mut self.cx.claim, false);
        let clauses = self.clauses(clauses);
        let value = self.expr(value);
        self.cx.claim = claim;
        self.cx.locals.truncate(mark);
        let (clauses, value) = (clauses?, value?);
        let ty = self.gathered(gather, value.ty.clone(), span)?;
        Some(Term::new(TermKind::Comprehension(gather, Box::new(value), clauses), ty, span))
    }

    /// `xs[i]`, and `xs[a..b]`, which is an index by a range.
    pub(crate) fn index(&mut self, base: &'a Expr, index: &'a Expr, span: Span) -> Option<Term> {
        let base = self.expr(base);
        let found = self.expr(index);
        let (base, found) = (base?, found?);
        if found.ty == Type::Range && matches!(base.ty, Type::List(_) | Type::Range | Type::Text | Type::Never) {
            let ty = sliced(&base.ty);
            return Some(Term::new(TermKind::Index(Box::new(base), Box::new(found)), ty, span));
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
        Some(Term::new(TermKind::Index(Box::new(base), Box::new(found)), ty, span))
    }

    fn tuple_part(&mut self, parts: &[Type], index: &Expr, found: &Term) -> Option<Type> {
        if let ExprKind::Int(n) = &index.kind {
            return n.to_usize().and_then(|n| parts.get(n)).cloned().or_else(|| {
                let hint = format!("it has the parts 0 to {}", parts.len() - 1);
                self.refuse(Code::E03, found.span, format!("there is no part {n}"), hint)
            });
        }
        let one = parts.iter().try_fold(Type::Never, |ty, p| join(&ty, p));
        match one {
            Some(ty) if parts.iter().all(|p| fits(p, &ty) == Fit::Same) => Some(ty),
            _ => {
                let hint = "its parts are of different types, so the index must be a number";
                self.refuse(Code::E03, found.span, "which part of the tuple is not known here", hint)
            }
        }
    }

    fn no_members<T>(&mut self, ty: &Type, span: Span) -> Option<T> {
        let unordered = matches!(ty, Type::Set(_) | Type::Bag(_));
        let hint = unordered.then(|| "`sort(..)` makes a list of it".to_owned());
        self.deny(Code::E03, span, format!("{} has no members by number", a_type(ty)), hint)
    }

    /// `xs[a..]`, `xs[..b]`.
    pub(crate) fn slice(
        &mut self,
        base: &'a Expr,
        from: Option<&'a Expr>,
        to: Option<&'a Expr>,
        span: Span,
    ) -> Option<Term> {
        let base = self.expr(base);
        let mut end = |end| optional(end, |e| self.expr_as(e, &Type::Int, "the end of a slice").map(Box::new));
        let (from, to) = (end(from), end(to));
        let base = base?;
        if !matches!(base.ty, Type::List(_) | Type::Range | Type::Text | Type::Never) {
            return self.no_members(&base.ty, base.span);
        }
        let ty = sliced(&base.ty);
        Some(Term::new(TermKind::Slice(Box::new(base), from.ok()?, to.ok()?), ty, span))
    }

    /// `xs[i -= k, ...]`, `xs[i -= 1 for i in s]`.
    pub(crate) fn update(
        &mut self,
        base: &'a Expr,
        changes: &'a [tree::Change],
        clauses: Option<&'a [Clause]>,
        span: Span,
    ) -> Option<Term> {
        let base = self.expr(base);
        let mark = self.cx.locals.len();
        let clauses = optional(clauses, |clauses| self.clauses(clauses));
        let found: Vec<_> = changes.iter().map(|c| (c.op, self.expr(&c.index), self.expr(&c.value))).collect();
        self.cx.locals.truncate(mark);
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
        let ty = base.ty.clone();
        Some(Term::new(TermKind::Update(Box::new(base), done, clauses.ok()?), ty, span))
    }

    fn change(&mut self, base: &mut Term, op: SetOp, index: Term, value: Term) -> Option<(Term, Term)> {
        let sign = op.sign();
        let (place, of) = match &base.ty {
            Type::List(of) => (Type::Int, (**of).clone()),
            Type::Text => (Type::Int, Type::Text),
            Type::Grid => (cell(), Type::Text),
            Type::NatGrid => (cell(), Type::Int),
            Type::Never => return Some((index, value)),
            other => {
                let unordered = matches!(other, Type::Set(_) | Type::Bag(_));
                let hint = unordered.then(|| "`+` puts members in, `-` takes them out".to_owned());
                let message = format!("{} has no members to change by number", a_type(other));
                return self.deny(Code::E03, base.span, message, hint);
            }
        };
        let index = self.want(index, &place, "the index of a change")?;
        if op != SetOp::Put && matches!(base.ty, Type::Text | Type::Grid) {
            let message = format!("{} takes `:=`, not `{sign}`", a_type(&base.ty));
            return self.refuse(Code::E03, index.span.to(value.span), message, "`:=` writes a character");
        }
        if op == SetOp::Put {
            // A member that the old ones do not fit widens the list.
            if let (Type::List(_), Some(wide)) = (&base.ty, join(&of, &value.ty))
                && wide != of
            {
                let list = Type::List(Box::new(wide.clone()));
                let old = base.clone();
                if let Ok(new) = adapted(old, &list) {
                    *base = Term::new(new.kind, list, new.span);
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
                let message = format!("`{sign}` cannot change {}", a_type(other));
                return self.deny(Code::E03, index.span.to(value.span), message, None);
            }
        };
        let value = self.want(value, &want, &format!("what stands after `{sign}`"))?;
        Some((index, value))
    }

    /// `graph { a-b, b-c }`.
    pub(crate) fn drawing(&mut self, word: GraphWord, chains: &'a [Chain], span: Span) -> Option<Term> {
        let mut labels: Vec<DrawnLabel> = Vec::new();
        let mut numbers: HashMap<DrawnLabel, usize> = HashMap::new();
        let mut edges = Vec::new();
        let mut fine = true;
        let mut number = |label: &Label| {
            let label = match label {
                Label::Int(n, _) => DrawnLabel::Int(n.clone()),
                Label::Text(t, _) => DrawnLabel::Text(t.clone()),
            };
            *numbers.entry(label.clone()).or_insert_with(|| {
                labels.push(label);
                labels.len() - 1
            })
        };
        for chain in chains {
            let mut at = number(&chain.first);
            for (arrow, label) in &chain.rest {
                let next = number(label);
                if *arrow && word != GraphWord::Digraph && fine {
                    fine = false;
                    let message = format!("a `{}` has no arrows", word.sign());
                    self.refuse::<()>(Code::E03, chain.span, message, "write `-`, or make it a `digraph`");
                }
                edges.push((at, next));
                // `-` in a digraph is an edge each way.
                if word == GraphWord::Digraph && !arrow && at != next {
                    edges.push((next, at));
                }
                at = next;
            }
        }
        let drawing = Drawing::Graph { word, labels, edges };
        fine.then(|| Term::new(TermKind::Drawing(Arc::new(drawing)), Type::Graph(word), span))
    }

    /// `grid """..."""`: its lines without the blank ones around them and without the common indentation.
    fn drawn_text(&mut self, word: DrawingWord, text: &str, span: Span) -> Option<Term> {
        if let DrawingWord::Graph(word) = word {
            let word = word.sign();
            let message = format!("a `{word}` is not drawn in a text");
            return self.refuse(Code::E03, span, message, format!("write `{word} {{ a-b, b-c }}`"));
        }
        let rows = drawn_rows(text);
        let width = rows.first().map_or(0, |r| r.chars().count());
        if let Some(row) = rows.iter().position(|r| r.chars().count() != width) {
            let message = format!("row {row} of the grid is not as long as the first one");
            return self.refuse(Code::E03, span, message, "all rows have the same number of cells");
        }
        Some(Term::new(TermKind::Drawing(Arc::new(Drawing::Grid(rows))), Type::Grid, span))
    }
}

/// The type of a slice: a list or text again.
fn sliced(ty: &Type) -> Type {
    match ty {
        Type::Range => Type::List(Box::new(Type::Int)),
        other => other.clone(),
    }
}

fn drawn_rows(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let first = lines.iter().position(|l| !l.is_empty());
    let last = lines.iter().rposition(|l| !l.is_empty());
    let (Some(first), Some(last)) = (first, last) else { return Vec::new() };
    let lines = &lines[first..=last];
    let indent = |l: &&str| l.len() - l.trim_start().len();
    let common = lines.iter().filter(|l| !l.is_empty()).map(indent).min().unwrap_or(0);
    lines.iter().map(|l| l.get(common..).unwrap_or("").to_owned()).collect()
}

/// `graph from "file"`.
fn from_file(word: DrawingWord, path: &str, span: Span) -> Term {
    let path = path.to_owned();
    let (drawing, ty) = match word {
        DrawingWord::Graph(word) => (Drawing::GraphFile { word, path }, Type::Graph(word)),
        DrawingWord::Grid => (Drawing::GridFile { path }, Type::Grid),
    };
    Term::new(TermKind::Drawing(Arc::new(drawing)), ty, span)
}
