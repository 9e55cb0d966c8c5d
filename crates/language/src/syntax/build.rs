//! From the parser's pairs to the tree: statements, the lines inside a game, and clauses.

use crate::source::{Code, Diagnostic, SourceId, Span};
use crate::syntax::parse::Rule;
use crate::syntax::scan::span;
use crate::syntax::tree::{
    self, Claim, Clause, Decl, Def, Ending, Expect, Expr, Fact, FactMeasure, Format, FormatPart, Game, Item, Kind,
    KindShape, Let, LogicOp, Measure, Move, Name, Naming, Operator, Outcome, Param, Pattern, Target, Theorem,
    TheoremSays, Turns, Verdict, Which,
};
use pest::iterators::{Pair, Pairs};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::iter::{Filter, Peekable};

/// A part of the tree, or what is wrong with it.
pub(super) type Built<T> = Result<T, Diagnostic>;

/// Builds the tree of one statement, which begins at `base` in its source.
pub(super) struct Builder {
    source: SourceId,
    base: usize,
    /// Those of the texts built so far.
    letters: RefCell<BTreeSet<char>>,
}

/// Whether a pair is more than a bracket or separator.
type Wanted<'i> = fn(&Pair<'i, Rule>) -> bool;

/// The pairs inside a pair, brackets and separators left out.
pub(super) struct Parts<'i> {
    pairs: Peekable<Filter<Pairs<'i, Rule>, Wanted<'i>>>,
    pub(super) span: Span,
}

impl<'i> Parts<'i> {
    /// The next pair, which the grammar says is there.
    pub(super) fn take(&mut self) -> Built<Pair<'i, Rule>> {
        self.pairs.next().ok_or_else(|| Diagnostic::new(Code::S01, self.span, "a part is missing here"))
    }

    pub(super) fn take_if(&mut self, rule: Rule) -> Option<Pair<'i, Rule>> {
        if self.is(rule) { self.pairs.next() } else { None }
    }

    pub(super) fn is(&mut self, rule: Rule) -> bool {
        self.pairs.peek().is_some_and(|pair| pair.as_rule() == rule)
    }

    /// The next pair, if any.
    pub(super) fn more(&mut self) -> Option<Pair<'i, Rule>> {
        self.pairs.next()
    }

    /// What `build` makes of all pairs of this rule that come next.
    pub(super) fn all<T>(&mut self, rule: Rule, build: impl Fn(Pair<'i, Rule>) -> Built<T>) -> Built<Vec<T>> {
        std::iter::from_fn(|| self.take_if(rule)).map(build).collect()
    }

    /// What `build` makes of all pairs that are left.
    pub(super) fn rest<T>(&mut self, build: impl FnMut(Pair<'i, Rule>) -> Built<T>) -> Built<Vec<T>> {
        self.pairs.by_ref().map(build).collect()
    }

    /// What `build` makes of the next pair, if it is one of this rule.
    pub(super) fn one<T>(&mut self, rule: Rule, build: impl FnOnce(Pair<'i, Rule>) -> Built<T>) -> Built<Option<T>> {
        self.take_if(rule).map(build).transpose()
    }
}

impl Builder {
    pub(super) fn new(source: SourceId, base: usize) -> Self {
        Builder { source, base, letters: RefCell::default() }
    }

    pub(super) fn span(&self, pair: &Pair<Rule>) -> Span {
        let place = pair.as_span();
        span(self.source, self.base + place.start(), self.base + place.end())
    }

    pub(super) fn parts<'i>(&self, pair: Pair<'i, Rule>) -> Parts<'i> {
        let span = self.span(&pair);
        let wanted: Wanted<'i> = |pair| {
            use Rule::{colon, comma, lb, lc, lp, rb, rc, rp};
            !matches!(pair.as_rule(), colon | comma | lb | lc | lp | rb | rc | rp)
        };
        Parts { pairs: pair.into_inner().filter(wanted).peekable(), span }
    }

    /// A pair of a rule that should not be here; the grammar does not let it happen.
    pub(super) fn stray(&self, pair: &Pair<Rule>) -> Diagnostic {
        Diagnostic::new(Code::S01, self.span(pair), "this does not fit here")
    }

    pub(super) fn whole_expr(&self, pair: Pair<Rule>) -> Built<Expr> {
        let mut parts = self.parts(pair);
        self.expr(parts.take()?, 0)
    }

    /// The expression and clauses of a `query`.
    pub(super) fn query(&self, pair: Pair<Rule>) -> Built<(Expr, Vec<Clause>)> {
        let mut parts = self.parts(pair);
        Ok((self.expr(parts.take()?, 0)?, self.tail(parts.take()?, 0)?))
    }

    /// A statement, and the letters in its texts.
    pub(super) fn lettered(&self, pair: Pair<Rule>) -> Built<(Item, BTreeSet<char>)> {
        Ok((self.item(pair)?, self.letters.take()))
    }

    /// A text that is a value, or makes one.
    pub(super) fn letters(&self, pair: Pair<Rule>) -> Built<String> {
        let text = self.text(pair)?;
        self.letters.borrow_mut().extend(text.chars().filter(|c| !c.is_control()));
        Ok(text)
    }

    fn item(&self, pair: Pair<Rule>) -> Built<Item> {
        let pair = self.parts(pair).take()?;
        let (rule, span) = (pair.as_rule(), self.span(&pair));
        match rule {
            Rule::game => return self.game(pair).map(Item::Game),
            Rule::letting => return self.letting(pair).map(Item::Let),
            Rule::def => return self.def(pair).map(Item::Def),
            _ => {}
        }
        let mut parts = self.parts(pair);
        parts.take()?; // the keyword
        Ok(match rule {
            Rule::using => Item::Use { path: self.text(parts.take()?)?, span },
            Rule::input => {
                let names = parts.all(Rule::name, |name| Ok(self.name(&name)))?;
                let (kind, default) = self.kind_and_default(&mut parts)?;
                Item::Input { names, kind, default, span }
            }
            Rule::solve => Item::Solve { position: self.expr(parts.take()?, 0)?, span },
            Rule::table => {
                Item::Table { value: self.expr(parts.take()?, 0)?, clauses: self.tail(parts.take()?, 0)?, span }
            }
            Rule::claim => {
                let negated = parts.take_if(Rule::k_false).is_some();
                let title = self.text(parts.take()?)?;
                let clauses = parts.one(Rule::tail, |tail| self.tail(tail, 0))?.unwrap_or_default();
                let condition = self.expr(parts.take()?, 0)?;
                Item::Claim(Claim { title, negated, clauses, condition, with: self.with(&mut parts)?, span })
            }
            Rule::print => {
                let values = parts.all(Rule::expr, |expr| self.expr(expr, 0))?;
                let clauses = parts.one(Rule::tail, |tail| self.tail(tail, 0))?.unwrap_or_default();
                Item::Print { values, clauses, span }
            }
            Rule::format => {
                let turns = parts.one(Rule::turns, |turns| self.turns(turns))?.unwrap_or(Turns::Once);
                Item::Format(Format { turns, parts: parts.rest(|part| self.format_part(part))?, span })
            }
            Rule::cases => Item::Cases { clauses: self.tail(parts.take()?, 0)?, span },
            _ => {
                let position = self.expr(parts.take()?, 0)?;
                Item::Expect(Expect { position, facts: parts.all(Rule::fact, |fact| self.fact(fact))?, span })
            }
        })
    }

    fn turns(&self, pair: Pair<Rule>) -> Built<Turns<Name, Expr>> {
        let mut parts = self.parts(pair);
        if parts.take()?.as_rule() == Rule::k_cases {
            return Ok(Turns::Counted(parts.more().map(|name| self.name(&name))));
        }
        let what = parts.take()?;
        Ok(if what.as_rule() == Rule::w_end { Turns::ToEnd } else { Turns::Until(self.expr(what, 0)?) })
    }

    fn format_part(&self, pair: Pair<Rule>) -> Built<FormatPart> {
        let bracketed = pair.as_str().ends_with(']');
        let mut parts = self.parts(pair);
        let span = parts.span;
        let line = parts.take_if(Rule::w_line).is_some();
        let name = self.name(&parts.take()?);
        let lengths = parts.rest(|expr| self.expr(expr, 0))?;
        Ok(FormatPart { line, name, lengths: bracketed.then_some(lengths), span })
    }

    fn fact(&self, pair: Pair<Rule>) -> Built<Fact<Expr>> {
        let mut parts = self.parts(pair);
        let span = parts.span;
        let word = parts.take()?;
        if let Some(outcome) = Outcome::of(word.as_str()) {
            return Ok(Fact::Outcome(outcome, span));
        }
        let measure = FactMeasure::of(word.as_str()).unwrap_or(FactMeasure::Winning);
        Ok(Fact::Measure(measure, self.expr(parts.take()?, 0)?, span))
    }

    fn letting(&self, pair: Pair<Rule>) -> Built<Let> {
        let mut parts = self.parts(pair);
        let span = parts.span;
        parts.take()?;
        let pattern = self.pattern(parts.take()?)?;
        parts.take_if(Rule::eq);
        let value = self.expr(parts.take()?, 0)?;
        Ok(Let { pattern, value, with: self.with(&mut parts)?, span })
    }

    pub(super) fn def(&self, pair: Pair<Rule>) -> Built<Def> {
        let mut parts = self.parts(pair);
        let span = parts.span;
        parts.take()?;
        let name = self.name(&parts.take()?);
        let params = parts.all(Rule::param, |param| {
            let mut inner = self.parts(param);
            let pattern = self.pattern(inner.take()?)?;
            let (kind, default) = self.kind_and_default(&mut inner)?;
            Ok(Param { pattern, kind, default })
        })?;
        let result = parts.one(Rule::kind, |kind| self.kind(kind))?;
        parts.take_if(Rule::eq);
        let body = self.expr(parts.take()?, 0)?;
        Ok(Def { name, params, result, body, with: self.with(&mut parts)?, span })
    }

    fn game(&self, pair: Pair<Rule>) -> Built<Game> {
        let mut parts = self.parts(pair);
        let span = parts.span;
        let misere = parts.take_if(Rule::k_misere).is_some();
        parts.take()?;
        let name = self.name(&parts.take()?);
        let params = parts.one(Rule::rule_params, |pair| self.decls(pair))?.unwrap_or_default();
        let fields = parts.one(Rule::fields, |pair| self.decls(pair))?.unwrap_or_default();
        let filter = self.filter_if(&mut parts)?;
        let mut rules = Vec::new();
        while let Some(line) = parts.more() {
            if line.as_rule() == Rule::ending { self.ending(line, &mut rules)? } else { rules.push(self.rule(line)?) }
        }
        Ok(Game { name, misere, params, fields, filter, rules, span })
    }

    fn decls(&self, pair: Pair<Rule>) -> Built<Vec<Decl>> {
        self.parts(pair).all(Rule::decl, |decl| {
            let mut inner = self.parts(decl);
            let name = self.name(&inner.take()?);
            let (kind, default) = self.kind_and_default(&mut inner)?;
            Ok(Decl { name, kind, default })
        })
    }

    fn kind_and_default(&self, parts: &mut Parts) -> Built<(Option<Kind>, Option<Expr>)> {
        let kind = parts.one(Rule::kind, |kind| self.kind(kind))?;
        parts.take_if(Rule::eq);
        Ok((kind, parts.one(Rule::expr, |expr| self.expr(expr, 0))?))
    }

    fn kind(&self, pair: Pair<Rule>) -> Built<Kind> {
        let mut parts = self.parts(pair);
        let span = parts.span;
        let shape = self.shape(&mut parts)?;
        parts.take_if(Rule::w_from);
        let from = parts.one(Rule::number, |number| {
            let place = self.span(&number);
            let value = number.as_str().replace('_', "").parse();
            let large = |_| Diagnostic::new(Code::S01, place, "lists count from a small number, such as `from 1`");
            Ok((value.map_err(large)?, place))
        })?;
        Ok(Kind { shape, from, span })
    }

    fn shape(&self, parts: &mut Parts) -> Built<KindShape> {
        let first = parts.take()?;
        if first.as_rule() == Rule::tuple_kind {
            return self.parts(first).rest(|kind| self.kind(kind)).map(KindShape::Tuple);
        }
        let word = self.name(&first);
        if parts.take_if(Rule::w_of).is_none() {
            return Ok(KindShape::Word(word));
        }
        let start = self.span(&first);
        let shape = self.shape(parts)?;
        let inside = match &shape {
            KindShape::Tuple(kinds) => kinds.first().map_or(start, |first| first.span.to(parts.span)),
            KindShape::Word(name) => name.span,
            KindShape::Of(name, kind) => name.span.to(kind.span),
        };
        Ok(KindShape::Of(word, Box::new(Kind { shape, from: None, span: inside })))
    }

    /// A name, its backquotes taken off.
    pub(super) fn name(&self, pair: &Pair<Rule>) -> Name {
        Name { text: pair.as_str().trim_matches('`').to_owned(), span: self.span(pair) }
    }

    /// A name or a tuple of patterns; as deep as brackets may be.
    pub(super) fn pattern(&self, pair: Pair<Rule>) -> Built<Pattern> {
        let mut parts = self.parts(pair);
        if let Some(name) = parts.take_if(Rule::name) {
            return Ok(Pattern::Name(self.name(&name)));
        }
        Ok(Pattern::Tuple(parts.rest(|pattern| self.pattern(pattern))?, parts.span))
    }

    /// `with NAME = E, ...`, if it comes next.
    pub(super) fn with(&self, parts: &mut Parts) -> Built<Vec<Naming>> {
        let with = parts.one(Rule::with, |with| {
            let mut inner = self.parts(with);
            inner.take()?;
            inner.rest(|naming| self.naming(naming, 0))
        })?;
        Ok(with.unwrap_or_default())
    }

    pub(super) fn rule(&self, pair: Pair<Rule>) -> Built<tree::Rule> {
        let span = self.span(&pair);
        Ok(match pair.as_rule() {
            Rule::mv => tree::Rule::Move(self.mv(pair)?),
            Rule::theorem => tree::Rule::Theorem(self.theorem(pair)?),
            Rule::letting => tree::Rule::Let(self.letting(pair)?),
            Rule::def => tree::Rule::Def(self.def(pair)?),
            Rule::players => {
                let mut parts = self.parts(pair);
                parts.take()?;
                let mover = self.expr(parts.take()?, 0)?;
                parts.take_if(Rule::comma);
                tree::Rule::Players { mover, other: self.expr(parts.take()?, 0)?, span }
            }
            Rule::drawing_line => {
                let mut parts = self.parts(pair);
                parts.take()?;
                tree::Rule::Draw { values: parts.all(Rule::expr, |expr| self.expr(expr, 0))?, span }
            }
            Rule::legal => tree::Rule::Legal { when: self.expr(self.two_words(pair)?.take()?, 0)?, span },
            Rule::same => {
                let mut parts = self.two_words(pair)?;
                let position = self.expr(parts.take()?, 0)?;
                parts.take()?;
                tree::Rule::Same { position, when: self.expr(parts.take()?, 0)?, span }
            }
            _ => return Err(self.stray(&pair)),
        })
    }

    /// `end when C`, and what it says. Of `end when C: if D then A else B` it makes the lines `end when C and D: A` and `end when C: B`:
    /// the first that is true counts.
    fn ending(&self, pair: Pair<Rule>, rules: &mut Vec<tree::Rule>) -> Built<()> {
        let span = self.span(&pair);
        let mut parts = self.two_words(pair)?;
        let when = self.expr(parts.take()?, 0)?;
        match parts.more() {
            None => rules.push(tree::Rule::End { when, verdict: Ending::Over, span }),
            Some(what) => self.end_verdict(what, when, span, rules)?,
        }
        Ok(())
    }

    fn end_verdict(&self, pair: Pair<Rule>, when: Expr, span: Span, rules: &mut Vec<tree::Rule>) -> Built<()> {
        let choice = pair.as_rule() == Rule::ending_if;
        let mut parts = self.parts(pair);
        let first = parts.take()?;
        if choice {
            let condition = self.expr(parts.take()?, 0)?;
            let place = condition.span;
            let both = tree::ExprKind::Binary {
                op: Operator::Logic(LogicOp::And),
                left: Box::new(when.clone()),
                right: Box::new(condition),
            };
            parts.take()?;
            self.end_verdict(parts.take()?, Expr { kind: both, span: place }, span, rules)?;
            parts.take()?;
            return self.end_verdict(parts.take()?, when, span, rules);
        }
        let verdict = match first.as_str() {
            "lost" => Ending::Play(Outcome::Second),
            "won" => Ending::Play(Outcome::First),
            "drawn" => Ending::Play(Outcome::Draw),
            _ => Ending::Score(self.expr(parts.take()?, 0)?),
        };
        rules.push(tree::Rule::End { when, verdict, span });
        Ok(())
    }

    /// What stands after `end when`, `legal when`, `same as`.
    fn two_words<'i>(&self, pair: Pair<'i, Rule>) -> Built<Parts<'i>> {
        let mut parts = self.parts(pair);
        parts.take()?;
        parts.take()?;
        Ok(parts)
    }

    fn mv(&self, pair: Pair<Rule>) -> Built<Move> {
        let mut parts = self.parts(pair);
        let span = parts.span;
        parts.take()?;
        let name = self.name(&parts.take()?);
        let clauses = parts.one(Rule::clauses, |pair| self.clauses(pair, 0))?.unwrap_or_default();
        parts.take_if(Rule::arrow);
        Ok(Move { name, clauses, target: self.target(parts.take()?)?, span })
    }

    /// As deep as `if` may be nested.
    fn target(&self, pair: Pair<Rule>) -> Built<Target> {
        let pair = if pair.as_rule() == Rule::target { self.parts(pair).take()? } else { pair };
        let span = self.span(&pair);
        match pair.as_rule() {
            Rule::stop => {
                let outcome = match pair.as_str() {
                    "win" => Outcome::First,
                    "lose" => Outcome::Second,
                    _ => Outcome::Draw,
                };
                Ok(Target::Stop(outcome, span))
            }
            Rule::target_if => {
                let mut parts = self.parts(pair);
                parts.take()?;
                let condition = self.expr(parts.take()?, 0)?;
                parts.take()?;
                let yes = Box::new(self.target(parts.take()?)?);
                parts.take()?;
                let no = Box::new(self.target(parts.take()?)?);
                Ok(Target::If { condition, yes, no, span })
            }
            _ => {
                let mut parts = self.parts(pair);
                let again = parts.take_if(Rule::w_again).is_some();
                let position = self.expr(parts.take()?, 0)?;
                parts.take_if(Rule::w_gain);
                let gain = parts.more().map(|gain| self.expr(gain, 0)).transpose()?;
                Ok(Target::Go { again, position, gain, span })
            }
        }
    }

    fn theorem(&self, pair: Pair<Rule>) -> Built<Theorem> {
        let mut parts = self.parts(pair);
        let span = parts.span;
        parts.take()?;
        let head = parts.take()?;
        let says = match head.as_rule() {
            Rule::theorem_moves => {
                let mut inner = self.parts(head);
                let first = inner.take()?;
                let which = match (first.as_rule(), first.as_str()) {
                    (Rule::theorem_to, _) => {
                        inner.take()?;
                        Which::To(self.name(&inner.take()?))
                    }
                    (_, "drawing") => Which::Drawing,
                    _ => Which::Winning,
                };
                let name = self.name(&inner.take()?);
                TheoremSays::Moves { which, name, clauses: self.tail(inner.take()?, 0)? }
            }
            Rule::theorem_value => {
                let what = Measure::of(head.as_str()).unwrap_or(Measure::Remoteness);
                parts.take()?;
                let value = self.expr(parts.take()?, 0)?;
                TheoremSays::Value { what, value, guard: self.filter_if(&mut parts)? }
            }
            _ => {
                let what = Verdict::of(head.as_str()).unwrap_or(Verdict::Draws);
                parts.take()?;
                let when = self.expr(parts.take()?, 0)?;
                TheoremSays::Verdict { what, when, guard: self.filter_if(&mut parts)? }
            }
        };
        Ok(Theorem { says, with: self.with(&mut parts)?, span })
    }

    /// `where C`, if it comes next.
    fn filter_if(&self, parts: &mut Parts) -> Built<Option<Expr>> {
        parts.one(Rule::filter, |filter| self.filter(filter, 0))
    }

    fn filter(&self, pair: Pair<Rule>, level: usize) -> Built<Expr> {
        let mut parts = self.parts(pair);
        parts.take()?;
        self.expr(parts.take()?, level)
    }

    /// `for CLAUSES`
    pub(super) fn tail(&self, pair: Pair<Rule>, level: usize) -> Built<Vec<Clause>> {
        let mut parts = self.parts(pair);
        parts.take()?;
        self.clauses(parts.take()?, level)
    }

    pub(super) fn clauses(&self, pair: Pair<Rule>, level: usize) -> Built<Vec<Clause>> {
        self.parts(pair).rest(|pair| match pair.as_rule() {
            Rule::filter => self.filter(pair, level).map(Clause::Where),
            Rule::naming => self.naming(pair, level).map(Clause::Let),
            _ => {
                let mut inner = self.parts(pair);
                let patterns = inner.all(Rule::pattern, |pattern| self.pattern(pattern))?;
                inner.take()?;
                Ok(Clause::In { patterns, source: self.expr(inner.take()?, level)?, span: inner.span })
            }
        })
    }

    pub(super) fn naming(&self, pair: Pair<Rule>, level: usize) -> Built<Naming> {
        let mut parts = self.parts(pair);
        let pattern = self.pattern(parts.take()?)?;
        parts.take_if(Rule::eq);
        Ok(Naming { pattern, value: self.expr(parts.take()?, level)? })
    }
}
