//! The moves of a position with variables in it.

use crate::model::{Ending, Move, Target};
use crate::prover::scope::Scope;
use crate::prover::shapes::in_kind;
use crate::prover::symbol::{No, Part, Sym, odd};
use crate::prover::term::Env;
use crate::syntax::tree::Outcome;
use grundy_automata::Formula;
use std::collections::HashMap;
use std::rc::Rc;

/// Where a move leads.
pub(super) enum Next<'a> {
    /// The mover wins, loses or draws the whole play.
    Stop(Outcome),
    /// To these components.
    To(&'a [Part]),
    /// To these, and the mover has the next turn.
    Again(&'a [Part]),
}

/// What is asked of where a move leads.
pub(super) type Asked<'a, 'p> = &'a mut dyn FnMut(&mut Scope<'p>, Next<'_>) -> Result<Formula, No>;

/// The same, with the names that the move has bound.
pub(super) type AskedOf<'a, 'p> = &'a mut dyn FnMut(&mut Scope<'p>, &Env<'p>, Next<'_>) -> Result<Formula, No>;

impl<'p> Scope<'p> {
    /// The names of a component's own game.
    pub(super) fn game_env(&self, part: &Part) -> Env<'p> {
        let game = &self.program.games[part.game.0];
        let mut slots = HashMap::new();
        slots.extend(part.params.iter().chain(&part.fields).cloned().enumerate());
        Env { frame: &game.frame, slots, game: Some((part.game, Rc::new(part.params.clone()))) }
    }

    /// What makes the component be in the domain of its game: kinds of fields, and the `where` of the header.
    pub(super) fn in_domain(&mut self, part: &Part) -> Result<Formula, No> {
        let game = &self.program.games[part.game.0];
        let mut said = Vec::new();
        for (field, value) in game.fields.iter().zip(&part.fields) {
            let inside = in_kind(&field.kind, value);
            said.push(inside.ok_or_else(|| No::at(field.span, "a field that is no number, list or set of numbers"))?);
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
    pub(super) fn endings(&mut self, part: &Part) -> Result<Vec<(Formula, &'p Ending)>, No> {
        let game = &self.program.games[part.game.0];
        let env = self.game_env(part);
        let (mut ends, mut before) = (Vec::new(), Formula::Constant(true));
        for end in &game.ends {
            let when = self.under(&before, |scope| scope.truth(&end.when, &env))?;
            ends.push((Formula::all([before.clone(), when.clone()]), &end.verdict));
            before = Formula::all([before, when.not()]);
        }
        Ok(ends)
    }

    /// Whether some move leads to where it is as asked.
    pub(super) fn some_move(&mut self, part: &Part, asked: Asked<'_, 'p>) -> Result<Formula, No> {
        let program = self.program;
        let moves = &program.games[part.game.0].moves;
        self.some_of(part, moves, &mut |scope, _, next| asked(scope, next))
    }

    /// The same for some of the moves; `asked` is told what their names mean.
    pub(super) fn some_of(&mut self, part: &Part, moves: &'p [Move], asked: AskedOf<'_, 'p>) -> Result<Formula, No> {
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
                Ok(Formula::any([Formula::all([condition, a]), Formula::all([otherwise, b])]))
            }
            Target::Stop(outcome) => asked(self, env, Next::Stop(*outcome)),
            Target::Go { again, position, gain: None } => self.local(|scope| {
                let names = env;
                let Sym::Position { parts, .. } = scope.eval(position, env)? else {
                    return Err(odd(position.span));
                };
                let mut legal = Vec::new();
                for part in &parts {
                    let program = scope.program;
                    let env = scope.game_env(part);
                    for rule in &program.games[part.game.0].legal {
                        legal.push(scope.truth(rule, &env)?);
                    }
                }
                let legal = Formula::all(legal);
                let mut asked = |scope: &mut Scope<'p>, parts: &[Part]| {
                    asked(scope, names, if *again { Next::Again(parts) } else { Next::To(parts) })
                };
                let asked = scope.under(&legal, |scope| scope.merged(&parts, &mut asked))?;
                Ok(Formula::all([legal, asked]))
            }),
            Target::Go { gain: Some(gain), .. } => Err(No::at(gain.span, "points")),
        }
    }
}
