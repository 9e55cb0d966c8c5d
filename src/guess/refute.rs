//! Forms held against all values that there are, the claim lines of those that survive against them once more, and their proofs.

use crate::answer::Verdict;
use crate::guess::data::{Data, Points};
use crate::guess::formula::{self, Formula};
use crate::guess::question::{self, Asked};
use crate::guess::{Guess, candidates, cases, space};
use crate::model::{Claim, Program, Question, Term};
use crate::prover::{Effort, prove_claim};
use crate::source::Diagnostic;
use crate::value::Value;
use crate::vm::context::Context;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::{Duration, Instant};

/// So many forms of one cost are proposed.
const PROPOSED: usize = 3;

pub(super) struct Refuter<'a, 'm, 'q> {
    pub(super) data: Data<'m, 'q>,
    pub(super) asked: &'a Asked,
    pub(super) names: Vec<String>,
    /// The number of the text that counts as true, that text, and the other one.
    pub(super) texts: Option<(usize, String, String)>,
    /// More values than those asked for are there.
    pub(super) grown: bool,
}

/// Forms that do not hold, each once whatever its words.
#[derive(Default)]
struct Refuted {
    guesses: Vec<Guess>,
    seen: HashSet<u64>,
}

impl Refuter<'_, '_, '_> {
    /// The points with truth values in place of the numbers of texts.
    pub(super) fn points(&self, points: &Points) -> Points {
        let Some((yes, ..)) = &self.texts else { return points.clone() };
        let yes = candidates::whole(*yes);
        let rows = points.rows.iter().map(|(at, value)| (at.clone(), i128::from(*value == yes)));
        Points { rows: rows.collect(), ..points.clone() }
    }

    /// The forms that hold for all points, shortest first and all of one cost, and those before them that do not.
    pub(super) fn window(&mut self, fit: &Points, time: Duration) -> (Vec<Formula>, Vec<Guess>) {
        let axes: Vec<Points> = self.data.axes(time / 4).iter().map(|axis| self.points(axis)).collect();
        let (fit, count) = (self.points(fit), self.data.points.rows.len());
        let mut refuted = Refuted::default();
        let mut survivors = self.surviving(space::forms(&fit, &axes, count), time, &mut refuted);
        if survivors.is_empty() {
            survivors = self.surviving(cases::forms(&fit, count, Instant::now().checked_add(time)), time, &mut refuted);
        }
        (survivors, refuted.guesses)
    }

    /// The shortest of some forms in order that hold for all points; those before them that do not go to `refuted`.
    fn surviving(&mut self, forms: Vec<Formula>, time: Duration, refuted: &mut Refuted) -> Vec<Formula> {
        let mut all = self.points(&self.data.points);
        let mut survivors: Vec<Formula> = Vec::new();
        for form in forms {
            let done = survivors.first().is_some_and(|first| form.cost() > first.cost());
            if done || survivors.len() == PROPOSED {
                break;
            }
            let form = match &self.texts {
                Some((_, yes, no)) => Formula::Choice(Box::new(form), yes.clone(), no.clone()),
                None => form,
            };
            if all.against(&form).is_none() && !self.grown {
                self.data.more(time);
                self.data.points.order();
                self.grown = true;
                all = self.points(&self.data.points);
            }
            match all.against(&form).map(|(at, _)| at.clone()) {
                None => survivors.push(form),
                // Where it has no value it says nothing that could be wrong: it is only no form of these values.
                Some(at) if form.eval(&at).is_none() => {}
                // Other words for what was refuted already are no other guess.
                Some(at) if refuted.seen.insert(signature(&form, &all)) => {
                    refuted.guesses.push(self.refuted(&form, &at));
                }
                Some(_) => {}
            }
        }
        survivors
    }

    pub(super) fn claim(&self, form: &Formula) -> String {
        self.asked.claim(form, self.data.points.sort, &self.names, &self.data.ends())
    }

    fn guess(&self, form: &Formula, claim: String, verdict: Verdict) -> Guess {
        Guess {
            claim,
            statement: self.asked.statement(form, self.data.points.sort, &self.names),
            form: formula::name(form),
            parameters: form.parameters(),
            verdict,
            lemmas: Vec::new(),
            counterexample: Vec::new(),
            sides: None,
        }
    }

    fn refuted(&self, form: &Formula, at: &[i64]) -> Guess {
        let claimed = match (form.eval(at), &self.texts) {
            (value, Some((_, yes, no))) => format!("\"{}\"", if value == Some(1) { yes } else { no }),
            (value, None) => value.map_or_else(String::new, |value| self.data.reading.shown(value)),
        };
        let found = self.data.points.rows.iter().find(|(other, _)| other == at).map(|(_, value)| *value);
        let found = found.map_or_else(String::new, |value| self.data.reading.shown(value));
        Guess {
            counterexample: self.names.iter().cloned().zip(at.iter().copied()).collect(),
            sides: Some((claimed, found)),
            ..self.guess(form, self.claim(form), Verdict::Refuted)
        }
    }

    pub(super) fn proposed(
        &mut self,
        ctx: &mut Context,
        survivors: &[Formula],
        lines: Vec<String>,
    ) -> Result<Vec<Guess>, Box<Diagnostic>> {
        let program = ctx.session.program.clone();
        let new = last_claims(&program, lines.len());
        let mut proposed = Vec::new();
        for ((form, line), claim) in survivors.iter().zip(lines).zip(new) {
            let Some(term) = question::form_of(claim) else { continue };
            if self.reads_right(ctx, claim, term)? {
                let verdict = status(ctx, claim).unwrap_or(Verdict::Verified);
                if verdict == Verdict::Refuted {
                    continue;
                }
                proposed.push(self.guess(form, line, verdict));
            }
        }
        // What else holds says the same in other words.
        if let Some(proved) = proposed.iter().position(|one| matches!(one.verdict, Verdict::Proved { .. })) {
            proposed = vec![proposed.swap_remove(proved)];
        }
        Ok(proposed)
    }

    /// Whether a claim, as the language understands it, says the values at all points, or the condition holds there that it is.
    pub(super) fn says(&mut self, ctx: &mut Context, claim: &Claim) -> Result<bool, Box<Diagnostic>> {
        let term = question::form_of(claim).unwrap_or(&claim.condition);
        self.reads_right(ctx, claim, term)
    }

    fn reads_right(&mut self, ctx: &mut Context, claim: &Claim, term: &Term) -> Result<bool, Box<Diagnostic>> {
        let slots = question::variables(&claim.clauses);
        let rows = std::mem::take(&mut self.data.points.rows);
        let mut right = true;
        for (at, _) in &rows {
            let values: Vec<Value> = at.iter().map(|x| Value::Int(*x)).collect();
            let value = ctx.with_recovery(|ctx| {
                ctx.limits.check_clock()?;
                ctx.eval_with(&claim.frame, &slots, &values, term)
            });
            right = match value {
                Ok(value) if std::ptr::eq(term, &raw const claim.condition) => value == Value::Bool(true),
                Ok(value) => self.data.agrees(at, &value),
                // Where the form has no value it is no form of the values.
                Err(error) if !error.code.is_limit() => false,
                Err(error) => return Err(error),
            };
            if !right {
                break;
            }
        }
        self.data.points.rows = rows;
        Ok(right)
    }
}

/// A number for the values of a form at some points: only what is listed depends on it.
fn signature(form: &Formula, points: &Points) -> u64 {
    let mut hasher = DefaultHasher::new();
    points.rows.iter().for_each(|(at, _)| form.eval(at).hash(&mut hasher));
    hasher.finish()
}

/// Automata of a proof have at most so many states, and so many tests in their transitions: a tenth of what `grundy prove` allows.
const STATES: usize = 20_000;
const TESTS: usize = 400_000;

/// The status of a claim that holds for all values that were worked out. `ctx` is of the file with the claim in it. Counts end a
/// proof, so that what is proved does not depend on the clock; the time of the run holds besides.
/// Errors: why it is not known. Data proves nothing: then the claim is VERIFIED as far as the data reaches.
pub(super) fn status(ctx: &mut Context, claim: &Claim) -> Result<Verdict, String> {
    let time = ctx.limits.deadline.map(|(at, _)| at.saturating_duration_since(Instant::now()));
    prove_claim(ctx, Effort { time, states: STATES, tests: TESTS, ..Effort::default() }, claim)
}

pub(super) fn last_claims(program: &Program, count: usize) -> Vec<&Claim> {
    let claims = program.questions.iter().filter_map(|question| match question {
        Question::Claim(claim) => Some(claim),
        _ => None,
    });
    let mut claims: Vec<&Claim> = claims.collect();
    claims.split_off(claims.len().saturating_sub(count))
}
