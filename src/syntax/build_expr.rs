//! From the parser's pairs to the tree: expressions down to their terms.
//!
//! The tree is never deeper than [`MAX_LEVEL`]: later passes, and dropping it, go down by recursion.

use crate::source::diagnostic::{Code, Diagnostic};
use crate::source::text::Span;
use crate::syntax::build::{Builder, Built};
use crate::syntax::operators;
use crate::syntax::operators::Part;
use crate::syntax::parse::Rule;
use crate::syntax::tree::{BinaryOp, CompareOp, Expr, ExprKind, LogicOp, Operator};
use pest::iterators::Pair;

/// How many operands may stand side by side without brackets, and how many brackets may follow one term.
pub(super) const MAX_CHAIN: usize = 500;
/// How deep a tree may be.
const MAX_LEVEL: usize = 1000;

impl Builder {
    /// Any rule that is an expression, from `expr` down to `term`. `level` counts the nodes above.
    pub(super) fn expr(&self, mut pair: Pair<Rule>, level: usize) -> Built<Expr> {
        use Rule::{arith, comparison, expr, logic, term, unit, value};
        // Most of them hold the next one and nothing else.
        while matches!(pair.as_rule(), expr | logic | unit | comparison | value | arith) {
            let mut inner = pair.clone().into_inner();
            match (inner.next(), inner.next()) {
                (Some(only), None) => pair = only,
                _ => break,
            }
        }
        match pair.as_rule() {
            Rule::choice => self.choice(pair, level),
            logic => self.logic(pair, level),
            unit => self.unit(pair, level),
            comparison => self.comparison(pair, level),
            value => self.value(pair, level),
            arith => self.arith(pair, level),
            term => self.term(pair, level),
            _ => Err(self.stray(&pair)),
        }
    }

    /// Refuses a tree that gets too deep.
    pub(super) fn deepen(level: usize, by: usize, place: Span) -> Built<usize> {
        if level + by <= MAX_LEVEL {
            return Ok(level + by);
        }
        let error = Diagnostic::new(Code::E18, place, "this expression is nested too deep");
        Err(error.hint("give parts of it names with `let` or `def`"))
    }

    /// Refuses a chain that gets too long.
    pub(super) fn bounded(length: usize, place: Span) -> Built<()> {
        if length <= MAX_CHAIN {
            return Ok(());
        }
        let message = format!("more than {MAX_CHAIN} operands stand side by side");
        let error = Diagnostic::new(Code::E18, place, message);
        Err(error.hint("put them into a list: `sum([...])`, `all([...])`, or `sum(E for x in xs)`"))
    }

    fn choice(&self, pair: Pair<Rule>, level: usize) -> Built<Expr> {
        let mut parts = self.parts(pair);
        let span = parts.span;
        let level = Self::deepen(level, 1, span)?;
        parts.take()?;
        let condition = Box::new(self.expr(parts.take()?, level)?);
        parts.take()?;
        let yes = Box::new(self.expr(parts.take()?, level)?);
        parts.take()?;
        let no = Box::new(self.expr(parts.take()?, level)?);
        Ok(Expr { kind: ExprKind::If { condition, yes, no }, span })
    }

    fn logic(&self, pair: Pair<Rule>, level: usize) -> Built<Expr> {
        let length = pair.clone().into_inner().take(2 * MAX_CHAIN + 2).count();
        let mut parts = self.parts(pair);
        Self::bounded(length.div_ceil(2), parts.span)?;
        let level = Self::deepen(level, length / 2, parts.span)?;
        let mut flat = Vec::with_capacity(length);
        while let Some(part) = parts.more() {
            let place = self.span(&part);
            if part.as_rule() == Rule::unit {
                flat.push(Part::Operand(self.expr(part, level)?));
                continue;
            }
            let op = match self.parts(part).take()?.as_rule() {
                Rule::k_iff => Operator::Iff,
                Rule::k_implies => Operator::Logic(LogicOp::Implies),
                Rule::k_or => Operator::Logic(LogicOp::Or),
                _ => Operator::Logic(LogicOp::And),
            };
            flat.push(Part::Op(op, place));
        }
        operators::chain(flat, parts.span)
    }

    /// `not not C`
    fn unit(&self, pair: Pair<Rule>, level: usize) -> Built<Expr> {
        let mut parts = self.parts(pair);
        let mut nots = Vec::new();
        while let Some(not) = parts.take_if(Rule::k_not) {
            nots.push(self.span(&not));
        }
        let level = Self::deepen(level, nots.len(), parts.span)?;
        let mut expr = self.expr(parts.take()?, level)?;
        for not in nots.into_iter().rev() {
            let span = not.to(expr.span);
            expr = Expr { kind: ExprKind::Not(Box::new(expr)), span };
        }
        Ok(expr)
    }

    /// `A < B <= C`, of two at least
    fn comparison(&self, pair: Pair<Rule>, level: usize) -> Built<Expr> {
        let mut parts = self.parts(pair);
        let level = Self::deepen(level, 1, parts.span)?;
        let first = self.expr(parts.take()?, level)?;
        let mut rest: Vec<(CompareOp, Expr)> = Vec::new();
        let mut ops: Vec<(CompareOp, Span)> = Vec::new();
        while let Some(op) = parts.more() {
            ops.push((compare_op(&op), self.span(&op)));
            rest.push((compare_op(&op), self.expr(parts.take()?, level)?));
        }
        one_direction(&ops)?;
        let span = rest.last().map_or(first.span, |(_, last)| first.span.to(last.span));
        Ok(Expr { kind: ExprKind::Compare { first: Box::new(first), rest }, span })
    }

    /// `misere S`
    fn value(&self, pair: Pair<Rule>, level: usize) -> Built<Expr> {
        let mut parts = self.parts(pair);
        parts.take()?; // misere
        let sum = self.expr(parts.take()?, Self::deepen(level, 1, parts.span)?)?;
        Ok(Expr { kind: ExprKind::Misere(Box::new(sum)), span: parts.span })
    }

    fn arith(&self, pair: Pair<Rule>, level: usize) -> Built<Expr> {
        let length = pair.clone().into_inner().take(2 * MAX_CHAIN + 2).count();
        let mut parts = self.parts(pair);
        Self::bounded(length.div_ceil(2), parts.span)?;
        let level = if length == 1 { level } else { Self::deepen(level, length.div_ceil(2), parts.span)? };
        let mut flat = Vec::with_capacity(length);
        while let Some(part) = parts.more() {
            let place = self.span(&part);
            flat.push(match part.as_rule() {
                Rule::term => Part::Operand(self.term(part, level)?),
                Rule::neg => Part::Neg(place),
                _ => Part::Op(Operator::Binary(arith_op(&part)), place),
            });
        }
        operators::chain(flat, parts.span)
    }
}

fn arith_op(pair: &Pair<Rule>) -> BinaryOp {
    match pair.as_str() {
        ".." => BinaryOp::Range,
        "xor" => BinaryOp::Xor,
        "&" => BinaryOp::Meet,
        "+" => BinaryOp::Add,
        "-" => BinaryOp::Sub,
        "*" => BinaryOp::Mul,
        "/" => BinaryOp::Over,
        "div" => BinaryOp::Div,
        "mod" => BinaryOp::Mod,
        _ => BinaryOp::Pow,
    }
}

fn compare_op(pair: &Pair<Rule>) -> CompareOp {
    match pair.as_str() {
        "==" => CompareOp::Eq,
        "!=" => CompareOp::Ne,
        "<" => CompareOp::Lt,
        "<=" => CompareOp::Le,
        ">" => CompareOp::Gt,
        ">=" => CompareOp::Ge,
        "in" => CompareOp::In,
        _ => CompareOp::NotIn,
    }
}

/// Refuses chains such as `a < b > c`, whose sense nobody agrees on.
fn one_direction(ops: &[(CompareOp, Span)]) -> Built<()> {
    use CompareOp::{Ge, Gt, In, Le, Lt, Ne, NotIn};
    if ops.len() < 2 {
        return Ok(());
    }
    let rising = ops.iter().find(|(op, _)| matches!(op, Lt | Le));
    let falling = ops.iter().find(|(op, _)| matches!(op, Gt | Ge));
    let odd = ops.iter().find(|(op, _)| matches!(op, Ne | In | NotIn));
    if let Some((op, place)) = odd {
        let word = match op {
            Ne => "!=",
            In => "in",
            _ => "not in",
        };
        let error = Diagnostic::new(Code::E14, *place, format!("`{word}` cannot stand in a chain of comparisons"));
        return Err(error.hint("join two comparisons with `and`, or put brackets round one"));
    }
    if let (Some((_, rising)), Some((_, falling))) = (rising, falling) {
        let later = if rising.start > falling.start { rising } else { falling };
        let error = Diagnostic::new(Code::E14, *later, "a chain of comparisons goes in one direction");
        return Err(error.label("turns round here").hint("write `a < b and b > c`"));
    }
    Ok(())
}
