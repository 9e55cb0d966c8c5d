//! From the parser's pairs to the tree: the lines inside a game, and clauses.

use crate::syntax::build::{Builder, Built, Parts};
use crate::syntax::parse::Rule;
use crate::syntax::tree;
use crate::syntax::tree::{
    Clause, EndVerdict, Expr, Measure, Move, Naming, Target, Theorem, TheoremSays, Verdict, Which,
};
use pest::iterators::Pair;

impl Builder {
    /// One line of a game.
    pub(super) fn rule(&self, pair: Pair<Rule>) -> Built<tree::Rule> {
        let span = self.span(&pair);
        Ok(match pair.as_rule() {
            Rule::mv => tree::Rule::Move(self.mv(pair)?),
            Rule::theorem => tree::Rule::Theorem(self.theorem(pair)?),
            Rule::letting => tree::Rule::Let(self.letting(pair)?),
            Rule::def => tree::Rule::Def(self.def(pair)?),
            Rule::ending => {
                let mut parts = self.two_words(pair)?;
                let when = self.expr(parts.take()?, 0)?;
                let verdict = match parts.more() {
                    None => EndVerdict::Over,
                    Some(word) if word.as_rule() == Rule::w_score => EndVerdict::Score(self.expr(parts.take()?, 0)?),
                    Some(word) => match word.as_str() {
                        "lost" => EndVerdict::Lost,
                        "won" => EndVerdict::Won,
                        _ => EndVerdict::Drawn,
                    },
                };
                tree::Rule::End { when, verdict, span }
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
        let clauses = parts.take_if(Rule::clauses).map_or(Ok(Vec::new()), |pair| self.clauses(pair, 0))?;
        parts.take_if(Rule::arrow);
        Ok(Move { name, clauses, target: self.target(parts.take()?)?, span })
    }

    /// As deep as `if` may be nested.
    fn target(&self, pair: Pair<Rule>) -> Built<Target> {
        let pair = if pair.as_rule() == Rule::target { self.parts(pair).take()? } else { pair };
        let span = self.span(&pair);
        match pair.as_rule() {
            Rule::stop => Ok(match pair.as_str() {
                "win" => Target::Win(span),
                "lose" => Target::Lose(span),
                _ => Target::Draw(span),
            }),
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
                let gain = match parts.take_if(Rule::w_gain) {
                    Some(_) => Some(self.expr(parts.take()?, 0)?),
                    None => None,
                };
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
                let what = match head.as_str() {
                    "grundy" => Measure::Grundy,
                    "outcome" => Measure::Outcome,
                    "score" => Measure::Score,
                    _ => Measure::Remoteness,
                };
                parts.take()?;
                let value = self.expr(parts.take()?, 0)?;
                TheoremSays::Value { what, value, guard: self.filter_if(&mut parts)? }
            }
            _ => {
                let what = match head.as_str() {
                    "wins" => Verdict::Wins,
                    "loses" => Verdict::Loses,
                    _ => Verdict::Draws,
                };
                parts.take()?;
                let when = self.expr(parts.take()?, 0)?;
                TheoremSays::Verdict { what, when, guard: self.filter_if(&mut parts)? }
            }
        };
        Ok(Theorem { says, with: self.with(&mut parts)?, span })
    }

    /// `where C`, if it comes next.
    pub(super) fn filter_if(&self, parts: &mut Parts) -> Built<Option<Expr>> {
        parts.take_if(Rule::filter).map(|filter| self.filter(filter, 0)).transpose()
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

    /// The one clause list.
    pub(super) fn clauses(&self, pair: Pair<Rule>, level: usize) -> Built<Vec<Clause>> {
        let mut parts = self.parts(pair);
        let mut clauses = Vec::new();
        while let Some(pair) = parts.more() {
            clauses.push(match pair.as_rule() {
                Rule::filter => Clause::Where(self.filter(pair, level)?),
                Rule::naming => Clause::Let(self.naming(pair, level)?),
                _ => {
                    let mut inner = self.parts(pair);
                    let mut patterns = Vec::new();
                    while let Some(pattern) = inner.take_if(Rule::pattern) {
                        patterns.push(self.pattern(pattern)?);
                    }
                    inner.take()?;
                    Clause::In { patterns, source: self.expr(inner.take()?, level)?, span: inner.span }
                }
            });
        }
        Ok(clauses)
    }

    /// `PATTERN = E`
    pub(super) fn naming(&self, pair: Pair<Rule>, level: usize) -> Built<Naming> {
        let mut parts = self.parts(pair);
        let pattern = self.pattern(parts.take()?)?;
        parts.take_if(Rule::eq);
        Ok(Naming { pattern, value: self.expr(parts.take()?, level)? })
    }
}
