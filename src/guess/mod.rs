//! Closed forms guessed from values: what fits the first part of the data and is refuted neither by the rest nor by more of it.
//!
//! Forms are tried in order of their length ([`formula::Formula::cost`]). A form has at most a quarter as many numbers to
//! choose as there are values, and it must have all values of the first two thirds of each range. The last third refutes,
//! then values that nobody asked for, up to four times the range. What survives is written as a claim; the text itself is
//! understood and evaluated again by the language at all these points before it is proposed.
//!
//! In: an expression with its clauses. Out: claim lines with what speaks for them, proved where the prover can. Values
//! are worked out by the rules; no theorem is believed here.

pub mod automata;
pub mod beatty;
pub mod candidates;
mod cases;
pub mod data;
pub mod formula;
pub mod lemmas;
mod primes;
pub mod question;
mod refute;
mod space;
mod statistics;

use crate::answer::Verdict;
use crate::guess::data::{Data, Points};
use crate::source::{Code, Diagnostic};
use crate::vm::context::Context;
use std::time::{Duration, Instant};

/// The kinds of form that are tried, for a report that says that none fits.
pub const KINDS: &str = "constants, periods, arithmetic periods, linear forms, bit operations, digit sums, valuations, Beatty \
                         sequences, Fibonacci parts, roots and squares, primes and divisors, nim-products, quotients, these of sums, \
                         differences and nim-sums, and two of them by cases";

/// A form, and what became of it.
#[derive(Clone, Debug)]
pub struct Guess {
    /// The claim as a line of a file.
    pub claim: String,
    /// What it says, without its title and range.
    pub statement: String,
    /// The kind of form.
    pub form: String,
    /// How many numbers in it could have been others.
    pub parameters: usize,
    /// VERIFIED, PROVED or REFUTED.
    pub verdict: Verdict,
    /// Claims that are proved, from which it follows; they must stand before it.
    pub lemmas: Vec<String>,
    /// Where it is wrong, when it is refuted.
    pub counterexample: Vec<(String, i64)>,
    /// What it says there, and what the rules say.
    pub sides: Option<(String, String)>,
}

/// What came out of guessing.
#[derive(Clone, Debug)]
pub struct Guesses {
    /// The expression.
    pub expr: String,
    /// How many values were asked for.
    pub values: usize,
    /// Which of them the forms were fitted to: `n in 0..66`.
    pub fitted: String,
    /// How far proposals were held against the rules: `n <= 400`.
    pub verified: String,
    /// The shortest forms that hold as far as that.
    pub proposals: Vec<Guess>,
    /// The shorter ones that do not, shortest first.
    pub refuted: Vec<Guess>,
    /// An automaton that says the values, where none of the proposals is proved or it was asked for.
    pub automaton: Option<automata::Found>,
    /// The limit at which the values of the range asked for were broken off.
    pub limit: Option<String>,
    /// Why nothing could be tried.
    pub note: Option<String>,
    /// How long it took.
    pub time: Duration,
}

/// The file that guesses are about.
pub trait Desk {
    /// Checks lines in the file and returns what evaluates the file with these claims behind its own questions.
    /// Errors: of a line that is not understood.
    fn understand(&mut self, lines: &[String]) -> Result<Context, Vec<Diagnostic>>;

    /// Frees what was made by [`Desk::understand`], or does so later, where no time is left for it.
    fn put_away(&mut self, ctx: Context);

    /// Proves a claim line that is not proved by itself, beside lemmas that are sought for it: their lines, and the verdict. `None`: it
    /// stays open.
    fn prove(&mut self, line: &str, time: Duration) -> Option<(Vec<String>, Verdict)>;
}

/// When an automaton is learnt from the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learn {
    /// Where no closed form is proved.
    Else,
    /// Always; where there is a closed form it must be proved.
    Also,
}

/// Fewer values are no reason for anything.
const LEAST: usize = 8;

/// Guesses closed forms for the value that a checked question asks for ([`question::as_claim`]). `time` is for everything; a
/// range with ends is worked out whatever it takes; where the limits of `ctx` end that, what there is counts. `learn` says when
/// an automaton is learnt.
/// Errors: of the values in the range asked for; D06 for what cannot be guessed at all; of a claim line that is not understood.
pub fn guess(
    ctx: &mut Context,
    claim: &crate::model::Claim,
    asked: &crate::guess::question::Asked,
    time: Duration,
    learn: Learn,
    desk: &mut dyn Desk,
) -> Result<Guesses, Vec<Diagnostic>> {
    let start = Instant::now();
    let one = |error: Box<Diagnostic>| vec![*error];
    let value = question::value_of(claim).ok_or_else(|| {
        vec![Diagnostic::bare(Code::D06, "formulas are guessed for numbers, truth values and outcomes only")]
    })?;
    let mut data = Data::new(ctx, (&claim.frame, &claim.clauses, value)).map_err(one)?;
    data.asked(time / 3).map_err(one)?;
    data.points.order();
    let names = data.names();
    let (fit, fitted) = first_part(&data.points, &names);
    let mut result = Guesses {
        expr: asked.expr.clone(),
        values: data.points.rows.len(),
        fitted,
        verified: String::new(),
        proposals: Vec::new(),
        refuted: Vec::new(),
        automaton: None,
        limit: data.limit.clone(),
        note: note(&data),
        time: start.elapsed(),
    };
    if result.note.is_some() {
        return Ok(result);
    }
    let texts = texts(&data);
    let mut run = crate::guess::refute::Refuter { data, asked, names, texts, grown: false };
    let (survivors, refuted) = run.window(&fit, time.saturating_sub(start.elapsed()));
    run.data.points.order();
    // A tenth of what the user allows is for telling it.
    let end = run.data.deadline();
    let left = |start: Instant| {
        let left = time.saturating_sub(start.elapsed()).max(time / 4);
        end.map_or(left, |end| left.min(end.saturating_duration_since(Instant::now()) / 10 * 9))
    };
    result.verified = reached(&run.data, &run.names);
    let lines: Vec<String> = survivors.iter().map(|form| run.claim(form)).collect();
    if !lines.is_empty() {
        let mut ctx = desk.understand(&lines)?;
        let proposed = run.proposed(&mut ctx, &survivors, lines).map_err(one);
        desk.put_away(ctx);
        result.proposals = within_limits(proposed, &mut result.limit)?.unwrap_or_default();
    }
    let proved = |one: &Guess| matches!(one.verdict, Verdict::Proved { .. });
    if !result.proposals.iter().any(proved)
        && let Some(first) = result.proposals.first_mut()
    {
        // The time of a proof is that of what is left.
        if let Some(proved) = desk.prove(&first.claim, left(start)) {
            (first.lemmas, first.verdict) = proved;
        }
    }
    result.refuted = refuted;
    if learn == Learn::Also || !result.proposals.iter().any(proved) {
        let found = within_limits(automata::found(&mut run, left(start), desk), &mut result.limit)?.flatten();
        // Where there are claims for the values, an automaton tells more only if it is proved.
        let any = learn == Learn::Also || result.proposals.is_empty();
        result.automaton = found.filter(|found| any || matches!(found.verdict, Verdict::Proved { .. }));
    }
    result.time = start.elapsed();
    Ok(result)
}

/// What came of a step; a limit that ended it is kept beside what is known.
fn within_limits<T>(
    step: Result<T, Vec<Diagnostic>>,
    limit: &mut Option<String>,
) -> Result<Option<T>, Vec<Diagnostic>> {
    match step {
        Ok(found) => Ok(Some(found)),
        Err(errors) => match &errors[..] {
            [only] if only.code.is_limit() => {
                limit.get_or_insert_with(|| only.message.clone());
                Ok(None)
            }
            _ => Err(errors),
        },
    }
}

fn note(data: &Data) -> Option<String> {
    let count = data.points.rows.len();
    if data.odd.is_some() {
        return data.odd.clone();
    }
    if data.reading.texts.len() > 2 {
        return Some("there are more than two different texts among the values".into());
    }
    (count < LEAST).then(|| format!("{count} values are too few for a guess"))
}

fn texts(data: &Data) -> Option<(usize, String, String)> {
    let texts = &data.reading.texts;
    let first = texts.first()?;
    let yes = texts.get_index_of("second").unwrap_or(0);
    let other = texts.iter().find(|text| **text != texts[yes]).unwrap_or(first);
    Some((yes, texts[yes].clone(), other.clone()))
}

/// The points in the first two thirds of the range of each variable, and what they are in words.
fn first_part(points: &Points, names: &[String]) -> (Points, String) {
    let cut = |variable: usize| {
        let least = points.rows.iter().map(|(at, _)| at[variable]).min().unwrap_or(0);
        let most = points.most(variable);
        let length = most.saturating_sub(least);
        // Of three values none is left out.
        (least, if length < 3 { most } else { least + length / 3 * 2 + length % 3 * 2 / 3 })
    };
    let cuts: Vec<(i64, i64)> = (0..points.variables).map(cut).collect();
    let fit = points.only(|at| at.iter().zip(&cuts).all(|(x, (_, most))| x <= most));
    let said = names.iter().zip(&cuts).map(|(name, (least, most))| format!("{name} in {least}..{most}"));
    (fit, said.collect::<Vec<_>>().join(", "))
}

fn reached(data: &Data, names: &[String]) -> String {
    let said = names.iter().enumerate().map(|(variable, name)| format!("{name} <= {}", data.points.most(variable)));
    said.collect::<Vec<_>>().join(", ")
}
