//! From the parser's pairs to the tree: terms, calls, indices, literals and drawings.

use crate::source::diagnostic::{Code, Diagnostic};
use crate::syntax::build::{Builder, Built, Parts};
use crate::syntax::parse::Rule;
use crate::syntax::tree::{
    Arg, Args, Chain, Change, Clause, DrawingWord, Expr, ExprKind, GraphWord, Items, Label, SetOp,
};
use num_bigint::BigInt;
use pest::iterators::Pair;

/// Longer numbers take too long to read.
const MAX_DIGITS: usize = 100_000;

impl Builder {
    /// A place, or a primary with calls and indices after it.
    pub(super) fn term(&self, pair: Pair<Rule>, level: usize) -> Built<Expr> {
        let extra = pair.clone().into_inner().take(crate::syntax::build_expr::MAX_CHAIN + 2).count().saturating_sub(1);
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
        let rules = match parts.take_if(Rule::rule_args) {
            Some(args) => {
                let mut inner = self.parts(args);
                let mut rules = Vec::new();
                while let Some(arg) = inner.more() {
                    rules.push(self.arg(arg, level)?);
                }
                Some(rules)
            }
            None => None,
        };
        let state = parts.take_if(Rule::call).map(|call| self.args(call, level)).transpose()?;
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
        let mut args = Vec::new();
        while let Some(arg) = parts.take_if(Rule::arg) {
            args.push(self.arg(arg, level)?);
        }
        let Some(tail) = parts.take_if(Rule::tail) else { return Ok(Args::Plain(args)) };
        let clauses = self.tail(tail, level)?;
        match args.pop() {
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
        let op = match parts.take()?.as_str() {
            ":=" => SetOp::Put,
            "+=" => SetOp::Add,
            _ => SetOp::Remove,
        };
        Ok(Change { index, op, value: self.expr(parts.take()?, level)? })
    }

    fn primary(&self, pair: Pair<Rule>, level: usize) -> Built<Expr> {
        let span = self.span(&pair);
        let inner = self.parts(pair).take()?;
        let kind = match inner.as_rule() {
            Rule::number => ExprKind::Int(self.number(&inner)?),
            Rule::text => ExprKind::Text(self.text(inner)?),
            Rule::k_true => ExprKind::Bool(true),
            Rule::k_false => ExprKind::Bool(false),
            Rule::drawing => self.drawing(inner)?,
            Rule::list => ExprKind::List(self.items(inner, level)?),
            Rule::set => ExprKind::Set(self.items(inner, level)?),
            Rule::group => {
                let mut parts = self.parts(inner);
                let first = self.expr(parts.take()?, level)?;
                let mut exprs = vec![first];
                while let Some(expr) = parts.more() {
                    exprs.push(self.expr(expr, level)?);
                }
                match exprs.pop() {
                    Some(only) if exprs.is_empty() => only.kind,
                    last => {
                        exprs.extend(last);
                        ExprKind::Tuple(exprs)
                    }
                }
            }
            _ => ExprKind::Name(self.name(&inner).text),
        };
        Ok(Expr { kind, span })
    }

    fn items(&self, pair: Pair<Rule>, level: usize) -> Built<Items> {
        let mut parts = self.parts(pair);
        let mut items = Vec::new();
        while let Some(expr) = parts.take_if(Rule::expr) {
            items.push(self.expr(expr, level)?);
        }
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
        let graph = match first.as_str() {
            "graph" => Some(GraphWord::Graph),
            "digraph" => Some(GraphWord::Digraph),
            "multigraph" => Some(GraphWord::Multigraph),
            _ => None,
        };
        if let (Rule::g_word, Some(word)) = (first.as_rule(), graph) {
            let mut chains = Vec::new();
            while let Some(chain) = parts.more() {
                chains.push(self.chain(chain)?);
            }
            return Ok(ExprKind::Drawing { word, chains });
        }
        let word = graph.map_or(DrawingWord::Grid, DrawingWord::Graph);
        if parts.take_if(Rule::w_from).is_some() {
            return Ok(ExprKind::FromFile { word, path: self.text(parts.take()?)? });
        }
        Ok(ExprKind::DrawnText { word, text: self.text(parts.take()?)? })
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
