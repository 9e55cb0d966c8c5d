//! From the parser's pairs to the tree: expressions.
//!
//! The tree is never deeper than [`MAX_LEVEL`]: later passes, and dropping it, go down by recursion.

use crate::source::{Code, Diagnostic, Span};
use crate::syntax::build::{Builder, Built, Parts};
use crate::syntax::parse::Rule;
use crate::syntax::tree::BinaryOp::{self, Add, Div, Meet, Mod, Mul, Over, Pow, Range, Sub, Xor};
use crate::syntax::tree::LogicOp::{self, And, Implies, Or};
use crate::syntax::tree::Operator::{self, Binary, Iff, Logic};
use crate::syntax::tree::{
    Arg, Args, Chain, Change, Clause, CompareOp, DrawingWord, Expr, ExprKind, GraphWord, Items, Label, SetOp,
};
use num_bigint::BigInt;
use pest::iterators::Pair;

/// How many operands may stand side by side without brackets, and how many brackets may follow one term.
pub(super) const MAX_CHAIN: usize = 500;
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

    fn deepen(level: usize, by: usize, place: Span) -> Built<usize> {
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
            let op = LogicOp::of(self.parts(part).take()?.as_str()).map_or(Operator::Iff, Operator::Logic);
            flat.push(Part::Op(op, place));
        }
        chain(flat, parts.span)
    }

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
            // Blanks may stand within `not in`.
            let sign = CompareOp::of(op.as_str()).unwrap_or(CompareOp::NotIn);
            ops.push((sign, self.span(&op)));
            rest.push((sign, self.expr(parts.take()?, level)?));
        }
        one_direction(&ops)?;
        let span = rest.last().map_or(first.span, |(_, last)| first.span.to(last.span));
        Ok(Expr { kind: ExprKind::Compare { first: Box::new(first), rest }, span })
    }

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
                _ => Part::Op(Operator::Binary(BinaryOp::of(part.as_str()).unwrap_or(BinaryOp::Pow)), place),
            });
        }
        chain(flat, parts.span)
    }

    /// A place, or a primary with calls and indices after it.
    pub(super) fn term(&self, pair: Pair<Rule>, level: usize) -> Built<Expr> {
        let extra = pair.clone().into_inner().take(MAX_CHAIN + 2).count().saturating_sub(1);
        let mut parts = self.parts(pair);
        Self::bounded(extra, parts.span)?;
        let level = Self::deepen(level, 1 + extra, parts.span)?;
        let first = parts.take()?;
        if first.as_rule() == Rule::place {
            return self.place(first, level);
        }
        // Only a bare word is a function: `(f)(x)` applies a value.
        let bare =
            matches!(first.clone().into_inner().next().map(|pair| pair.as_rule()), Some(Rule::name | Rule::fold));
        let mut callable = bare;
        let mut expr = self.primary(first, level)?;
        while let Some(after) = parts.more() {
            let span = expr.span.to(self.span(&after));
            let kind = if after.as_rule() == Rule::call {
                let args = self.args(after, level)?;
                match expr.kind {
                    ExprKind::Name(text) if callable => {
                        let function = crate::syntax::tree::Name { text, span: expr.span };
                        ExprKind::Call { function, args }
                    }
                    _ => ExprKind::Apply { base: Box::new(expr), args },
                }
            } else {
                self.index(expr, after, level)?
            };
            callable = false;
            expr = Expr { kind, span };
        }
        Ok(expr)
    }

    fn place(&self, pair: Pair<Rule>, level: usize) -> Built<Expr> {
        let mut parts = self.parts(pair);
        let span = parts.span;
        let game = self.name(&parts.take()?);
        let rules = parts.one(Rule::rule_args, |args| self.parts(args).rest(|arg| self.arg(arg, level)))?;
        let state = parts.one(Rule::call, |call| self.args(call, level))?;
        Ok(Expr { kind: ExprKind::Place { game, rules, state }, span })
    }

    fn arg(&self, pair: Pair<Rule>, level: usize) -> Built<Arg> {
        let mut parts = self.parts(pair);
        let name = parts.take_if(Rule::name).map(|name| self.name(&name));
        parts.take_if(Rule::eq);
        Ok(Arg { name, value: self.expr(parts.take()?, level)? })
    }

    fn args(&self, pair: Pair<Rule>, level: usize) -> Built<Args> {
        let mut parts = self.parts(pair);
        let mut args = parts.all(Rule::arg, |arg| self.arg(arg, level))?;
        let Some(tail) = parts.take_if(Rule::tail) else { return Ok(Args::Plain(args)) };
        let clauses = self.tail(tail, level)?;
        match args.pop() {
            // `at_most(k, P for ..)`
            Some(Arg { name: None, value }) if !args.is_empty() => {
                let span = Span { end: parts.span.end.saturating_sub(1), ..value.span };
                let kind = ExprKind::List(Items::Comprehension { value: Box::new(value), clauses });
                args.push(Arg { name: None, value: Expr { kind, span } });
                Ok(Args::Plain(args))
            }
            Some(Arg { name: None, value }) => Ok(Args::Comprehension { value: Box::new(value), clauses }),
            Some(Arg { name: Some(name), .. }) => {
                let message = format!("`{} = ...` cannot be followed by `for`", name.text);
                Err(Diagnostic::new(Code::S01, name.span, message)
                    .hint("put the comprehension into brackets: `[E for x in xs]`"))
            }
            None => Err(Diagnostic::new(Code::S01, parts.span, "a value is missing before `for`")),
        }
    }

    fn index(&self, base: Expr, pair: Pair<Rule>, level: usize) -> Built<ExprKind> {
        let mut parts = self.parts(pair);
        let base = Box::new(base);
        if parts.take_if(Rule::range).is_some() {
            let to = Some(Box::new(self.expr(parts.take()?, level)?));
            return Ok(ExprKind::Slice { base, from: None, to });
        }
        let index = self.expr(parts.take()?, level)?;
        match parts.more() {
            None => Ok(ExprKind::Index { base, index: Box::new(index) }),
            Some(after) if after.as_rule() == Rule::range => {
                Ok(ExprKind::Slice { base, from: Some(Box::new(index)), to: None })
            }
            Some(update) => {
                let (changes, clauses) = self.update(index, update, level)?;
                Ok(ExprKind::Update { base, changes, clauses })
            }
        }
    }

    fn update(&self, index: Expr, pair: Pair<Rule>, level: usize) -> Built<(Vec<Change>, Option<Vec<Clause>>)> {
        let mut parts = self.parts(pair);
        let mut changes = vec![self.change(index, &mut parts, level)?];
        while let Some(next) = parts.more() {
            if next.as_rule() == Rule::tail {
                return Ok((changes, Some(self.tail(next, level)?)));
            }
            let index = self.expr(next, level)?;
            changes.push(self.change(index, &mut parts, level)?);
        }
        Ok((changes, None))
    }

    fn change(&self, index: Expr, parts: &mut Parts, level: usize) -> Built<Change> {
        let op = SetOp::of(parts.take()?.as_str()).unwrap_or(SetOp::Remove);
        Ok(Change { index, op, value: self.expr(parts.take()?, level)? })
    }

    fn primary(&self, pair: Pair<Rule>, level: usize) -> Built<Expr> {
        let span = self.span(&pair);
        let inner = self.parts(pair).take()?;
        let kind = match inner.as_rule() {
            Rule::number => ExprKind::Int(self.number(&inner)?),
            Rule::text => ExprKind::Text(self.letters(inner)?),
            Rule::k_true => ExprKind::Bool(true),
            Rule::k_false => ExprKind::Bool(false),
            Rule::drawing => self.drawing(inner)?,
            Rule::list => ExprKind::List(self.items(inner, level)?),
            Rule::set => ExprKind::Set(self.items(inner, level)?),
            Rule::group => {
                let exprs = self.parts(inner).rest(|expr| self.expr(expr, level))?;
                match <[Expr; 1]>::try_from(exprs) {
                    Ok([only]) => only.kind,
                    Err(exprs) => ExprKind::Tuple(exprs),
                }
            }
            _ => ExprKind::Name(self.name(&inner).text),
        };
        Ok(Expr { kind, span })
    }

    fn items(&self, pair: Pair<Rule>, level: usize) -> Built<Items> {
        let mut parts = self.parts(pair);
        let mut items = parts.all(Rule::expr, |expr| self.expr(expr, level))?;
        let Some(tail) = parts.take_if(Rule::tail) else { return Ok(Items::Plain(items)) };
        let clauses = self.tail(tail, level)?;
        match items.pop() {
            Some(value) => Ok(Items::Comprehension { value: Box::new(value), clauses }),
            None => Err(Diagnostic::new(Code::S01, parts.span, "a value is missing before `for`")),
        }
    }

    /// Reading takes time in the square of the length, hence the bound.
    fn number(&self, pair: &Pair<Rule>) -> Built<BigInt> {
        let place = self.span(pair);
        let digits: Vec<u8> = pair.as_str().bytes().filter(|byte| *byte != b'_').collect();
        if digits.len() > MAX_DIGITS {
            let message = format!("this number has more than {MAX_DIGITS} digits");
            return Err(Diagnostic::new(Code::S01, place, message).hint("write it as a power or a product"));
        }
        BigInt::parse_bytes(&digits, 10).ok_or_else(|| Diagnostic::new(Code::S01, place, "this is not a number"))
    }

    /// What a text in quotes says.
    pub(super) fn text(&self, pair: Pair<Rule>) -> Built<String> {
        let inner = self.parts(pair).take()?;
        if inner.as_rule() == Rule::long {
            let lines: Vec<&str> = inner.as_str().lines().map(str::trim).filter(|line| !line.is_empty()).collect();
            return Ok(lines.join("\n"));
        }
        let mut text = String::with_capacity(inner.as_str().len());
        let mut chars = inner.as_str().chars();
        while let Some(char) = chars.next() {
            match char {
                '\\' => match chars.next() {
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    Some(itself) => text.push(itself),
                    None => {}
                },
                _ => text.push(char),
            }
        }
        Ok(text)
    }

    fn drawing(&self, pair: Pair<Rule>) -> Built<ExprKind> {
        let mut parts = self.parts(pair);
        let first = parts.take()?;
        let graph = GraphWord::of(first.as_str());
        if let (Rule::g_word, Some(word)) = (first.as_rule(), graph) {
            return Ok(ExprKind::Drawing { word, chains: parts.rest(|chain| self.chain(chain))? });
        }
        let word = graph.map_or(DrawingWord::Grid, DrawingWord::Graph);
        if parts.take_if(Rule::w_from).is_some() {
            return Ok(ExprKind::FromFile { word, path: self.text(parts.take()?)? });
        }
        let text = parts.take()?;
        Ok(ExprKind::DrawnText {
            word,
            text: if word == DrawingWord::Grid { self.letters(text) } else { self.text(text) }?,
        })
    }

    fn chain(&self, pair: Pair<Rule>) -> Built<Chain> {
        let mut parts = self.parts(pair);
        let span = parts.span;
        let first = self.label(parts.take()?)?;
        let mut rest = Vec::new();
        while let Some(edge) = parts.more() {
            rest.push((edge.as_str() == "->", self.label(parts.take()?)?));
        }
        Ok(Chain { first, rest, span })
    }

    fn label(&self, pair: Pair<Rule>) -> Built<Label> {
        let span = self.span(&pair);
        let inner = self.parts(pair).take()?;
        Ok(match inner.as_rule() {
            Rule::number => Label::Int(self.number(&inner)?, span),
            Rule::text => Label::Text(self.text(inner)?, span),
            _ => Label::Text(inner.as_str().to_owned(), span),
        })
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
        let word = op.sign();
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

/// Longer numbers take too long to read.
const MAX_DIGITS: usize = 100_000;

/// A part of a flat chain.
#[derive(Debug)]
pub(super) enum Part {
    Operand(Expr),
    Op(Operator, Span),
    /// A minus before an operand.
    Neg(Span),
}

/// A minus before an operand binds looser than `**` and tighter than `*`.
const NEG: u8 = 9;

/// How tightly an operator binds: the larger, the tighter.
pub fn strength(op: Operator) -> u8 {
    match op {
        Iff => 0,
        Logic(Implies) => 1,
        Logic(Or) => 2,
        Logic(And) => 3,
        Binary(Range) => 4,
        Binary(Xor) => 5,
        Binary(Meet) => 6,
        Binary(Add | Sub) => 7,
        Binary(Mul | Over | Div | Mod) => 8,
        Binary(Pow) => 10,
    }
}

/// The tree of a chain. Recursion is as deep as the chain is long, which the caller has bounded.
pub(super) fn chain(parts: Vec<Part>, place: Span) -> Result<Expr, Diagnostic> {
    Climb { parts: parts.into_iter().peekable(), place }.climb(0)
}

struct Climb {
    parts: std::iter::Peekable<std::vec::IntoIter<Part>>,
    place: Span,
}

impl Climb {
    fn operand(&mut self) -> Result<Expr, Diagnostic> {
        match self.parts.next() {
            Some(Part::Operand(expr)) => Ok(expr),
            Some(Part::Neg(minus)) => {
                let under = match self.parts.peek() {
                    Some(Part::Neg(_)) => self.operand()?,
                    _ => self.climb(NEG)?,
                };
                let span = minus.to(under.span);
                Ok(Expr { kind: ExprKind::Neg(Box::new(under)), span })
            }
            Some(Part::Op(_, span)) => Err(Diagnostic::new(Code::S01, span, "an operand is missing here")),
            None => Err(Diagnostic::new(Code::S01, self.place, "an operand is missing here")),
        }
    }

    /// Everything that binds at least as tightly as `least`.
    fn climb(&mut self, least: u8) -> Result<Expr, Diagnostic> {
        let mut left = self.operand()?;
        let mut last: Option<Operator> = None;
        while let Some(&Part::Op(op, place)) = self.parts.peek() {
            if strength(op) < least {
                break;
            }
            if matches!(op, Iff | Binary(Range)) && last == Some(op) {
                return Err(unchained(op, place));
            }
            self.parts.next();
            let right =
                self.climb(if matches!(op, Logic(Implies) | Binary(Pow)) { strength(op) } else { strength(op) + 1 })?;
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Binary { op, left: Box::new(left), right: Box::new(right) }, span };
            last = Some(op);
        }
        Ok(left)
    }
}

fn unchained(op: Operator, place: Span) -> Diagnostic {
    if op == Iff {
        let hint = "brackets say which is meant: `(a iff b) iff c`, or `(a iff b) and (b iff c)`";
        Diagnostic::new(Code::E14, place, "`iff` cannot be chained").label("a second `iff`").hint(hint)
    } else {
        let hint = "a range has two ends: `a..b`; several are joined with `+`";
        Diagnostic::new(Code::E14, place, "`..` cannot be chained").label("a second `..`").hint(hint)
    }
}
