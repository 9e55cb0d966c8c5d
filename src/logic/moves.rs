//! The moves of a position with variables in it, and the positions that they lead to, replaced by what they count as (`same as`).

use crate::logic::scope::Scope;
use crate::logic::symbol::{No, Part, Sym, in_kind, odd};
use crate::logic::term::Env;
use crate::model::{BinaryOp, Builtin, Ending, Move, Target, Term, TermKind};
use crate::source::Span;
use grundy_automata::Formula;

pub(crate) enum Next<'a> {
    /// The mover wins, loses or draws the whole play.
    Stop(crate::syntax::tree::Outcome),
    To(&'a [Part]),
    /// To these, and the mover has the next turn.
    Again(&'a [Part]),
}

type Asked<'a, 'p> = &'a mut dyn FnMut(&mut Scope<'p>, Next<'_>) -> Result<Formula, No>;

/// The same, with the names that the move has bound.
type AskedOf<'a, 'p> = &'a mut dyn FnMut(&mut Scope<'p>, &Env<'p>, Next<'_>) -> Result<Formula, No>;

impl<'p> Scope<'p> {
    pub(crate) fn game_env(&self, part: &Part) -> Env<'p> {
        let slots = part.params.iter().chain(&part.fields).cloned().enumerate();
        Env { game: Some(part.game), ..Env::of(&self.program.games[part.game.0].frame, slots) }
    }

    /// What makes the component be in the domain of its game: kinds of fields, and the `where` of the header.
    pub(crate) fn in_domain(&mut self, part: &Part) -> Result<Formula, No> {
        if !part.beside.is_empty() {
            let inside = part.components().iter().map(|one| self.in_domain(one)).collect::<Result<Vec<_>, No>>()?;
            return Ok(Formula::all(inside));
        }
        let game = &self.program.games[part.game.0];
        let mut said = Vec::new();
        for (field, value) in game.fields.iter().zip(&part.fields) {
            let inside = in_kind(&field.kind, value);
            said.push(inside.ok_or_else(|| match value {
                Sym::Quotient(_) => No::at(field.span, "a quotient by a variable in a field"),
                Sym::Exponent(_) => No::at(field.span, "how many digits a number has, or an exponent, in a field"),
                _ => No::at(field.span, "a field that is no number, truth value, tuple of naturals and truth values, list of these, set or bag of naturals")
            })?);
        }
        let said = Formula::all(said);
        let filter = match &game.filter {
            Some(filter) => {
                let env = self.game_env(part);
                self.under(&said, |scope| scope.truth(filter, &env))?
            }
            None => Formula::Constant(true),
        };
        Ok(Formula::all([said, filter]))
    }

    /// For each `end when` line: where it is the first that holds, and what it says.
    pub(crate) fn endings(&mut self, part: &Part) -> Result<Vec<(Formula, &'p Ending<Term>)>, No> {
        let game = &self.program.games[part.game.0];
        if !part.beside.is_empty() {
            // Where a component is over the others go on.
            let games = std::iter::once(part.game).chain(part.beside.iter().map(|other| other.game));
            let mut ends = games.flat_map(|game| &self.program.games[game.0].ends);
            let whole = ends.find(|end| !matches!(end.verdict, Ending::Over));
            return whole.map_or(Ok(Vec::new()), |end| {
                Err(No::at(end.span, "a line that ends the whole play, or brings points, in a component of a sum"))
            });
        }
        let env = self.game_env(part);
        let (mut ends, mut before) = (Vec::new(), Formula::Constant(true));
        for end in &game.ends {
            let when = self.under(&before, |scope| scope.truth(&end.when, &env))?;
            ends.push((Formula::all([before.clone(), when.clone()]), &end.verdict));
            before = Formula::all([before, when.not()]);
        }
        Ok(ends)
    }

    /// Whether a component has no move, and no `end when` line says who has won.
    pub(crate) fn is_over(&mut self, part: &Part) -> Result<Formula, No> {
        let mut ended = Vec::new();
        for (when, ending) in self.endings(part)? {
            match ending {
                Ending::Over => {}
                Ending::Play(_) => ended.push(when),
                Ending::Score(score) => return Err(No::at(score.span, "points")),
            }
        }
        let moves = self.some_move(part, &mut |_, _| Ok(Formula::Constant(true)))?;
        Ok(Formula::any(ended.into_iter().chain([moves])).not())
    }

    pub(crate) fn some_move(&mut self, part: &Part, asked: Asked<'_, 'p>) -> Result<Formula, No> {
        let program = self.program;
        if !part.beside.is_empty() {
            return self.some_move_of_sum(&part.components(), asked);
        }
        let moves = &program.games[part.game.0].moves;
        self.some_of(part, moves, &mut |scope, _, next| asked(scope, next))
    }

    /// A move in one component of a sum. What is left is one position again.
    fn some_move_of_sum(&mut self, all: &[Part], asked: Asked<'_, 'p>) -> Result<Formula, No> {
        let mut ways = Vec::new();
        for (at, one) in all.iter().enumerate() {
            ways.push(self.some_move(one, &mut |scope, next| {
                let parts = match next {
                    Next::To(parts) => parts,
                    Next::Stop(outcome) => return asked(scope, Next::Stop(outcome)),
                    Next::Again(_) => return Err(No::bare("a move in a sum that keeps the turn")),
                };
                let left = Part::sum(&[&all[..at], parts, &all[at + 1..]].concat());
                asked(scope, Next::To(left.as_slice()))
            })?);
        }
        Ok(Formula::any(ways))
    }

    /// The same for some of the moves; `asked` is told what their names mean.
    pub(crate) fn some_of(&mut self, part: &Part, moves: &'p [Move], asked: AskedOf<'_, 'p>) -> Result<Formula, No> {
        let going = Formula::all(self.endings(part)?.into_iter().map(|(when, _)| when.not()));
        let env = self.game_env(part);
        let found = self.under(&going.clone(), |scope| {
            let mut ways = Vec::new();
            for mv in moves {
                ways.push(scope.ways(&mv.clauses, &env, &mut |scope, env| scope.target(&mv.target, env, asked))?);
            }
            Ok(Formula::any(ways))
        })?;
        Ok(Formula::all([going, found]))
    }

    fn target(&mut self, target: &'p Target, env: &Env<'p>, asked: AskedOf<'_, 'p>) -> Result<Formula, No> {
        match target {
            Target::If(condition, a, b) => {
                let condition = self.truth(condition, env)?;
                let otherwise = condition.clone().not();
                let a = self.under(&condition, |scope| scope.target(a, env, asked))?;
                let b = self.under(&otherwise, |scope| scope.target(b, env, asked))?;
                Ok(Formula::either(&condition, a, b))
            }
            Target::Stop(outcome) => asked(self, env, Next::Stop(*outcome)),
            Target::Go { again, position, gain: None } => {
                let mut asked = |scope: &mut Scope<'p>, parts: &[Part]| {
                    let mut legal = Vec::new();
                    for part in parts {
                        let program = scope.program;
                        let game = &program.games[part.game.0];
                        if !game.legal.is_empty() || !game.same.is_empty() {
                            // It must be a position before it is asked whether it is allowed, or counts as another.
                            let inside = scope.in_domain(part)?;
                            scope.need(inside);
                        }
                        let env = scope.game_env(part);
                        for rule in &program.games[part.game.0].legal {
                            legal.push(scope.truth(rule, &env)?);
                        }
                    }
                    let legal = Formula::all(legal);
                    let mut asked = |scope: &mut Scope<'p>, parts: &[Part]| {
                        asked(scope, env, if *again { Next::Again(parts) } else { Next::To(parts) })
                    };
                    let asked = scope.under(&legal, |scope| scope.merged(parts, &mut asked))?;
                    Ok(Formula::all([legal, asked]))
                };
                self.sums(position, env, &[], &mut asked)
            }
            Target::Go { gain: Some(gain), .. } => Err(No::at(gain.span, "points")),
        }
    }

    /// What is asked of a sum that a term is, behind the components `before`: by cases, where conditions say which there are.
    fn sums(&mut self, term: &'p Term, env: &Env<'p>, before: &[Part], asked: OfParts<'_, 'p>) -> Result<Formula, No> {
        match &term.kind {
            TermKind::If(condition, a, b) => self.local(|scope| {
                let condition = scope.truth(condition, env)?;
                let otherwise = condition.clone().not();
                let a = scope.under(&condition, |scope| scope.sums(a, env, before, asked))?;
                let b = scope.under(&otherwise, |scope| scope.sums(b, env, before, asked))?;
                Ok(Formula::either(&condition, a, b))
            }),
            TermKind::Binary(BinaryOp::Add, a, b) => {
                self.sums(a, env, before, &mut |scope, parts| scope.sums(b, env, parts, asked))
            }
            TermKind::Builtin(Builtin::Sum, list) if list.len() == 1 => self.local(|scope| {
                let Sym::List(items) = scope.argument(Builtin::Sum, &list[0], env)? else { return Err(odd(term.span)) };
                scope.some_of_list(&items, term.span, before, asked)
            }),
            _ => self.local(|scope| {
                scope.cases(&mut |scope| match scope.position(term, env)? {
                    Sym::Position { parts, .. } => asked(scope, &[before, &parts].concat()),
                    _ => Err(odd(term.span)),
                })
            }),
        }
    }

    /// The same of the sum of a list of positions.
    fn some_of_list(
        &mut self,
        items: &[(Formula, Sym)],
        span: Span,
        before: &[Part],
        asked: OfParts<'_, 'p>,
    ) -> Result<Formula, No> {
        let Some(((there, item), rest)) = items.split_first() else { return asked(self, before) };
        let Sym::Position { parts, .. } = item else { return Err(odd(span)) };
        let with = [before, parts].concat();
        let a = self.under(there, |scope| scope.some_of_list(rest, span, &with, asked))?;
        if let Formula::Constant(true) = there {
            return Ok(a);
        }
        let b = self.under(&there.clone().not(), |scope| scope.some_of_list(rest, span, before, asked))?;
        Ok(Formula::either(there, a, b))
    }

    /// What is asked of a sum once its components are replaced by what they count as: one formula of all ways to replace them, each
    /// under its conditions.
    pub(crate) fn merged(&mut self, parts: &[Part], asked: OfParts<'_, 'p>) -> Result<Formula, No> {
        self.merged_from(parts, 0, 0, asked)
    }

    fn merged_from(&mut self, parts: &[Part], at: usize, times: usize, asked: OfParts<'_, 'p>) -> Result<Formula, No> {
        let Some(part) = parts.get(at) else { return asked(self, parts) };
        let game = &self.program.games[part.game.0];
        let (mut ways, mut before) = (Vec::new(), Formula::Constant(true));
        for line in &game.same {
            let env = self.game_env(part);
            let when = self.under(&before, |scope| scope.truth(&line.when, &env))?;
            let here = Formula::all([before.clone(), when.clone()]);
            before = Formula::all([before, when.not()]);
            let way = self.under(&here, |scope| {
                let Sym::Position { parts: to, .. } = scope.position(&line.position, &env)? else {
                    return Err(No::at(line.span, "`same as` something that is no position"));
                };
                let [to] = &to[..] else { return Err(No::at(line.span, "`same as` a sum")) };
                let old = Sym::Tuple(part.fields.clone());
                let stays = scope.equal(&old, &Sym::Tuple(to.fields.clone()), line.span)?;
                let rest = scope.under(&stays, |scope| scope.merged_from(parts, at + 1, 0, asked))?;
                let kept = Formula::all([stays.clone(), rest]);
                if times == MOST {
                    scope.need(stays);
                    return Ok(kept);
                }
                let moved = stays.not();
                let rest = scope.under(&moved, |scope| {
                    let inside = scope.in_domain(to)?;
                    scope.need(inside);
                    let mut parts = parts.to_vec();
                    parts[at] = to.clone();
                    scope.merged_from(&parts, at, times + 1, asked)
                })?;
                Ok(Formula::any([kept, Formula::all([moved, rest])]))
            })?;
            ways.push(Formula::all([here, way]));
        }
        let rest = self.under(&before, |scope| scope.merged_from(parts, at + 1, 0, asked))?;
        ways.push(Formula::all([before, rest]));
        Ok(Formula::any(ways))
    }
}

/// A position is replaced so often at most; that it then stays as it is must be true.
const MOST: usize = 3;

type OfParts<'a, 'p> = &'a mut dyn FnMut(&mut Scope<'p>, &[Part]) -> Result<Formula, No>;
