//! Operators on numbers, collections, graphs and positions; comparisons and membership (rule 9).

use crate::model::{BinaryOp, CompareOp, Term, TermKind, Type};
use crate::source::{Code, Diagnostic, Span};
use crate::syntax::tree::{self, Expr};
use crate::typing::checker::{Checker, needs_int, wrong};
use crate::typing::types::{
    Fit, a_type, adapted, fits, is_comparable, is_ordered, join_operands, member, mix, position_type,
};

/// The type of a number: a vertex may be one (rule 8).
fn number(ty: &Type) -> Option<Type> {
    match ty {
        Type::Int | Type::Vertex | Type::Never => Some(Type::Int),
        Type::Real => Some(Type::Real),
        _ => None,
    }
}

impl Checker<'_> {
    pub(crate) fn arithmetic(&mut self, op: BinaryOp, left: Term, right: Term, span: Span) -> Option<Term> {
        if left.ty == Type::Position || right.ty == Type::Position {
            return self.positions(op, left, right, span);
        }
        if let (Some(a), Some(b)) = (number(&left.ty), number(&right.ty)) {
            return self.numbers(op, &a, &b, left, right, span);
        }
        // Both operands become of one type; a graph keeps its own and takes a collection of vertices away.
        let operands = match op {
            BinaryOp::Add => Self::joined(&left.ty, &right.ty),
            BinaryOp::Sub | BinaryOp::Xor | BinaryOp::Meet => Self::meeting(op, &left.ty, &right.ty),
            _ => None,
        };
        if let Some((a, b, result)) = operands
            && matches!(fits(&left.ty, &a), Fit::Same | Fit::Label | Fit::Change)
            && matches!(fits(&right.ty, &b), Fit::Same | Fit::Label | Fit::Change)
        {
            let left = self.want(left, &a, "the left side")?;
            let right = self.want(right, &b, "the right side")?;
            return Some(Term::new(TermKind::Binary(op, Box::new(left), Box::new(right)), result, span));
        }
        self.no_operator(op, &left, &right, span)
    }

    /// The operand types and the result of `+` between collections or texts.
    fn joined(left: &Type, right: &Type) -> Option<(Type, Type, Type)> {
        let ty = match (left, right) {
            (Type::Range, Type::Range) => Type::List(Box::new(Type::Int)),
            _ => join_operands(left, right)?,
        };
        matches!(ty, Type::List(_) | Type::Set(_) | Type::Bag(_) | Type::Text).then(|| (ty.clone(), ty.clone(), ty))
    }

    /// The operand types and the result of `-`, `xor`, `&` between collections, and of a graph without some vertices.
    fn meeting(op: BinaryOp, left: &Type, right: &Type) -> Option<(Type, Type, Type)> {
        if op == BinaryOp::Sub
            && let Type::Graph(_) | Type::Grid = left
        {
            let graph = match left {
                Type::Graph(word) => Type::Graph(*word),
                _ => Type::Graph(tree::GraphWord::Graph),
            };
            let vertices = match right {
                Type::Text | Type::Graph(_) | Type::Grid | Type::NatGrid => return None,
                other => Type::Set(Box::new(member(other)?)),
            };
            // A bag of vertices is no set of them, but taken away it is as good as one.
            let vertices = if matches!(right, Type::Bag(_)) { right.clone() } else { vertices };
            return Some((graph.clone(), vertices, graph));
        }
        let ty = join_operands(left, right)?;
        let sets = matches!(left, Type::Set(_)) || matches!(right, Type::Set(_));
        match ty {
            Type::Set(_) if sets => Some((ty.clone(), ty.clone(), ty)),
            // `[] - {1}`: the empty list is an empty set.
            Type::Bag(_) if op == BinaryOp::Sub => Some((ty.clone(), ty.clone(), ty)),
            _ => None,
        }
    }

    fn numbers(&mut self, op: BinaryOp, a: &Type, b: &Type, left: Term, right: Term, span: Span) -> Option<Term> {
        let (a, b, result) = match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                let ty = if *a == Type::Real || *b == Type::Real { Type::Real } else { Type::Int };
                (ty.clone(), ty.clone(), ty)
            }
            BinaryOp::Over => {
                let ty = if *a == Type::Real || *b == Type::Real { Type::Real } else { Type::Int };
                (ty.clone(), ty, Type::Real)
            }
            BinaryOp::Pow => (a.clone(), Type::Int, a.clone()),
            BinaryOp::Range => (Type::Int, Type::Int, Type::Range),
            BinaryOp::Xor | BinaryOp::Meet | BinaryOp::Div | BinaryOp::Mod => (Type::Int, Type::Int, Type::Int),
        };
        let sign = op.sign();
        let left = self.want(left, &a, &format!("what stands before `{sign}`"));
        let right = self.want(right, &b, &format!("what stands after `{sign}`"));
        Some(Term::new(TermKind::Binary(op, Box::new(left?), Box::new(right?)), result, span))
    }

    fn positions(&mut self, op: BinaryOp, left: Term, right: Term, span: Span) -> Option<Term> {
        match op {
            BinaryOp::Add => {
                let left = self.want(left, &Type::Position, "what is added to a position");
                let right = self.want(right, &Type::Position, "what is added to a position");
                let (left, right) = (left?, right?);
                let both = [position_type(&self.games, &left), position_type(&self.games, &right)];
                for (part, position_type) in [&left, &right].into_iter().zip(&both) {
                    if position_type.compound == Some(true) {
                        return self.fail(compound_part(part.span));
                    }
                }
                if mix(both[0], both[1]) {
                    return self.fail(mixed_sum(span));
                }
                Some(Term::new(TermKind::Binary(op, Box::new(left), Box::new(right)), Type::Position, span))
            }
            BinaryOp::Mul if right.ty == Type::Position => {
                let left = self.want(left, &Type::Int, "how often a position is taken")?;
                if position_type(&self.games, &right).compound == Some(true) {
                    return self.fail(compound_part(right.span));
                }
                Some(Term::new(TermKind::Binary(op, Box::new(left), Box::new(right)), Type::Position, span))
            }
            BinaryOp::Mul => {
                self.refuse(Code::E03, span, "the number stands before the position", "`3 * P` is three times P")
            }
            _ => {
                let message = format!("`{}` says nothing about positions", op.sign());
                self.refuse(Code::E03, span, message, "positions are added: `P + Q`, `3 * P`, `sum(P for ..)`")
            }
        }
    }

    fn no_operator(&mut self, op: BinaryOp, left: &Term, right: &Term, span: Span) -> Option<Term> {
        let sign = op.sign();
        let collection = |ty: &Type| member(ty).is_some();
        if op == BinaryOp::Sub
            && number(&left.ty).is_some()
            && collection(&right.ty)
            && self.cx.range_end.is_some_and(|end| end.start == span.start)
        {
            let message = format!("this takes {} away from the number before it", a_type(&right.ty));
            return self.refuse(Code::E23, span, message, "put brackets round the range: `(a..b) - s`");
        }
        // Of an operator of numbers alone the operand that is none is to blame.
        if matches!(
            op,
            BinaryOp::Mul | BinaryOp::Over | BinaryOp::Div | BinaryOp::Mod | BinaryOp::Pow | BinaryOp::Range
        ) {
            for (side, place) in [(left, "before"), (right, "after")] {
                if number(&side.ty).is_none() {
                    let what = format!("what stands {place} `{sign}`");
                    let mut error = wrong(&what, &Type::Int, side);
                    if op == BinaryOp::Mul && matches!(left.ty, Type::List(_)) {
                        error = error.hint("`repeat(xs, n)` repeats a list");
                    }
                    return self.fail(error);
                }
            }
        }
        if (left.ty == Type::Real || right.ty == Type::Real) && matches!(op, BinaryOp::Xor | BinaryOp::Meet) {
            return self.fail(needs_int(&format!("an operand of `{sign}`"), span));
        }
        let message = format!("`{sign}` cannot stand between {} and {}", a_type(&left.ty), a_type(&right.ty));
        let hint = match (op, &left.ty, &right.ty) {
            (BinaryOp::Add, Type::Text, Type::Int) | (BinaryOp::Add, Type::Int, Type::Text) => {
                Some("`text(..)` writes a number out".into())
            }
            (BinaryOp::Add, Type::List(_), b) if number(b).is_some() => {
                Some("`+ [..]` puts a member at the end".into())
            }
            (_, Type::Set(_), b) if number(b).is_some() => Some(format!("`{sign} {{..}}` takes a single member")),
            (_, Type::Bag(_), b) if number(b).is_some() => Some(format!("`{sign} [..]` takes a single member")),
            (BinaryOp::Sub, Type::List(_), Type::List(_)) => {
                Some("a list has an order: `[x for x in xs where x not in ys]`, or `set(xs) - set(ys)`".into())
            }
            (_, Type::List(_) | Type::Range, Type::List(_) | Type::Range) => {
                Some("`set(..)` makes a set of a list".into())
            }
            (_, Type::Range, b) | (_, b, Type::Range) if number(b).is_some() => {
                Some("`k = 1..n` names the range; `k in 1..n` goes through its numbers".into())
            }
            _ => None,
        };
        self.deny(Code::E03, span, message, hint)
    }
}

/// What to do in place of comparing positions.
const COMPARE_ANSWERS: &str = "compare `grundy(..)` or `outcome(..)` of positions";

/// E22: a compound where a single position or a sum is needed.
pub(crate) fn compound_part(span: Span) -> Diagnostic {
    Diagnostic::new(Code::E22, span, "a compound is a whole position, not a part of a sum")
        .hint("put the sum inside: `selective(P + Q, R)`")
}

/// E11: normal and misere parts in one sum.
pub(crate) fn mixed_sum(span: Span) -> Diagnostic {
    Diagnostic::new(Code::E11, span, "this sum mixes normal and misere play")
        .hint("`misere` before a sum is said of all of it: `misere P + Q`")
}

impl<'a> Checker<'a> {
    /// A chain of comparisons. All operands but those of `in` become of one type.
    pub(crate) fn compare(&mut self, first: &'a Expr, rest: &'a [(CompareOp, Expr)], span: Span) -> Option<Term> {
        let first = self.expr(first);
        let others: Vec<_> = rest.iter().map(|(op, e)| (*op, self.expr(e))).collect();
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
        Some(Term::new(TermKind::Compare(Box::new(first), ops.into_iter().zip(terms).collect()), Type::Bool, span))
    }

    /// Brings operands to one type that the comparisons between them know.
    fn comparable(&mut self, terms: &mut [Term], ops: &[CompareOp]) -> Option<()> {
        let mut ty = terms[0].ty.clone();
        for (next, op) in terms[1..].iter().zip(ops) {
            if let Some(joined) = join_operands(&ty, &next.ty) {
                ty = joined;
                continue;
            }
            let message = format!("{} and {} cannot be compared", a_type(&ty), a_type(&next.ty));
            let position = *op == CompareOp::Eq && (ty == Type::Position || next.ty == Type::Position);
            let hint = position.then(|| COMPARE_ANSWERS.to_owned());
            return self.deny(Code::E03, terms[0].span.to(next.span), message, hint);
        }
        if !is_comparable(&ty) {
            let graphs = "compare their `vertices(..)` or `edges(..)`";
            let hint = if ty == Type::Position { COMPARE_ANSWERS } else { graphs };
            return self.refuse(Code::E03, terms[0].span, format!("{} is not compared", a_type(&ty)), hint);
        }
        let inclusion = matches!(ty, Type::Set(_) | Type::Bag(_));
        for (term, op) in terms.iter().zip(ops) {
            if !matches!(op, CompareOp::Eq | CompareOp::Ne) && !inclusion && !is_ordered(&ty) {
                return self.deny(Code::E03, term.span, format!("{} has no order", a_type(&ty)), None);
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
            return self.unfit(collection, "what stands after `in`", "a collection", None);
        };
        let item = terms[index].clone();
        if !is_comparable(&item.ty) {
            return self.deny(Code::E03, item.span, format!("{} is not compared", a_type(&item.ty)), None);
        }
        match crate::typing::types::join(&item.ty, &of) {
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
                let is_set = matches!(item.ty, Type::Set(_));
                let hint = is_set.then(|| "`a <= b` says that every member of a is in b".to_owned());
                return self.deny(Code::E03, item.span.to(collection.span), message, hint);
            }
        }
        // A grid of characters is the graph of its cells.
        if terms[index + 1].ty == Type::Grid {
            let span = terms[index].span;
            let grid = std::mem::replace(&mut terms[index + 1], placeholder(span));
            terms[index + 1] = crate::typing::types::adapt(grid, Type::Graph(tree::GraphWord::Graph));
        }
        Some(())
    }
}

fn placeholder(span: Span) -> Term {
    Term::new(TermKind::Bool(false), Type::Never, span)
}
