//! Both sides of a false instance: what the claim says and what the rules say.

use crate::answer::Finding;
use crate::claims::condition::{Form, bare, comparison, form};
use crate::model::builtin::Builtin;
use crate::model::{CompareOp, Frame, Slot, Term, TermKind};
use crate::value::{Position, Value};
use crate::vm::context::Context;
use std::sync::Arc;

/// An instance of a claim.
pub(crate) struct Sides<'a> {
    pub(crate) ctx: &'a mut Context,
    pub(crate) frame: &'a Frame,
    pub(crate) slots: &'a [Slot],
    pub(crate) values: &'a [Value],
}

impl Sides<'_> {
    /// Fills in what is claimed and found, and a line of play, as far as they can be told.
    pub(crate) fn tell(&mut self, condition: &Term, finding: &mut Finding) {
        match form(condition) {
            Form::Compare { found, op, claimed, flipped } => {
                if let (Some(f), Some(c)) = (self.eval(found), self.eval(claimed)) {
                    let shown = if op == CompareOp::Eq { c.to_string() } else { c.inner_text() };
                    finding.claimed = Some(format!("{}{shown}", comparison(op, flipped)));
                    finding.found = Some(f.to_string());
                }
                if let Some((Builtin::Outcome, position)) = self.question(found) {
                    finding.line = line(self.ctx, &position);
                }
            }
            Form::Iff { found, claimed } => {
                let Some(Value::Bool(says)) = self.eval(claimed) else { return };
                let (question, says) = match &bare(found).kind {
                    TermKind::Not(inner) => (bare(inner), !says),
                    _ => (found, says),
                };
                self.outcome(question, says, finding);
            }
            Form::Truth { question, claimed } => self.outcome(question, claimed, finding),
            Form::And(a, b) => {
                let side = if matches!(self.eval(a), Some(Value::Bool(false))) { a } else { b };
                self.tell(side, finding);
            }
            Form::Implies(then) => self.tell(then, finding),
            Form::Other => {
                finding.claimed = Some("true".to_string());
                finding.found = Some("false".to_string());
            }
        }
    }

    /// What is claimed of a question that should have this truth value.
    fn outcome(&mut self, question: &Term, says: bool, finding: &mut Finding) {
        let told = match self.question(question) {
            Some((Builtin::Wins, position)) => Some(("first", position)),
            Some((Builtin::Loses, position)) => Some(("second", position)),
            Some((Builtin::Draws, position)) => Some(("draw", position)),
            _ => None,
        };
        let Some((word, position)) = told else {
            finding.claimed = Some(says.to_string());
            finding.found = Some((!says).to_string());
            return;
        };
        finding.claimed = Some(if says { word.to_string() } else { format!("not {word}") });
        let hook = self.ctx.session.hook;
        let found = self.ctx.with_recovery(|m| hook(m, Builtin::Outcome, &position));
        finding.found = found.ok().map(|outcome| outcome.to_string());
        finding.line = line(self.ctx, &position);
    }

    /// A question and the position that it is about.
    fn question(&mut self, term: &Term) -> Option<(Builtin, Arc<Position>)> {
        let TermKind::Builtin(word, args) = &bare(term).kind else { return None };
        if !word.is_question() {
            return None;
        }
        let Value::Position(position) = self.eval(args.first()?)? else { return None };
        Some((*word, position))
    }

    fn eval(&mut self, term: &Term) -> Option<Value> {
        self.ctx.with_recovery(|m| m.eval_with(self.frame, self.slots, self.values, term)).ok()
    }
}

/// Longer lines are cut.
const MOVES: usize = 12;

/// The moves of the line as texts; empty for draws and where the positions after the moves cannot be told.
pub(crate) fn line(ctx: &mut Context, start: &Arc<Position>) -> Vec<String> {
    played(ctx, start, false).or_else(|| played(ctx, start, true)).unwrap_or_default()
}

/// `fastest`: the winner looks at remoteness, and so no position comes twice. `None`: one came twice.
fn played(ctx: &mut Context, start: &Arc<Position>, fastest: bool) -> Option<Vec<String>> {
    let mut line = Vec::new();
    let mut at = start.clone();
    let mut met = vec![ctx.position_text(&at)];
    for _ in 0..MOVES {
        let Some((word, next)) = step(ctx, &at, fastest) else { break };
        line.push(word);
        let Some(next) = next else { break };
        at = next;
        let text = ctx.position_text(&at);
        if met.contains(&text) && !fastest {
            return None;
        }
        met.push(text);
    }
    Some(line)
}

/// One move; `None` at the end, in a draw, and when a limit is reached.
fn step(ctx: &mut Context, at: &Arc<Position>, fastest: bool) -> Option<(String, Option<Arc<Position>>)> {
    let moves = texts(&ask(ctx, Builtin::Moves, at)?);
    let Value::List(options) = ask(ctx, Builtin::Options, at)? else { return None };
    // Moves that end the play have no option: then places do not match.
    let option = |place: usize| match options.items.item(place) {
        Some(Value::Position(next)) if options.items.len() == moves.len() => Some(next),
        _ => None,
    };
    let chosen = match ask(ctx, Builtin::Outcome, at)?.to_string().as_str() {
        "first" => {
            let winning = texts(&ask(ctx, Builtin::Winning, at)?);
            let mut wins = (0..moves.len()).filter(|&place| winning.contains(&moves[place]));
            let mut remoteness = |place: &usize| match ask(ctx, Builtin::Remoteness, &option(*place)?)? {
                Value::Int(n) => Some(n),
                _ => None,
            };
            if fastest { wins.min_by_key(|place| remoteness(place).unwrap_or(i64::MAX))? } else { wins.next()? }
        }
        "second" => 0,
        _ => return None,
    };
    Some((moves.get(chosen)?.clone(), option(chosen)))
}

fn ask(ctx: &mut Context, word: Builtin, at: &Arc<Position>) -> Option<Value> {
    let hook = ctx.session.hook;
    ctx.with_recovery(|m| hook(m, word, at)).ok()
}

fn texts(list: &Value) -> Vec<String> {
    match list {
        Value::List(list) => list.items.iter().map(ToString::to_string).collect(),
        _ => Vec::new(),
    }
}
