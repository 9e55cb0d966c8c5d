//! Proofs of the proposals that all data left.

use crate::answer::Verdict;
use crate::guess::question::Asked;
use crate::guess::{Understand, guess};
use crate::model::{Claim, Program, Question};
use crate::prover::{Effort, parts, prove_claim};
use crate::source::diagnostic::Diagnostic;
use crate::vm::context::Context;
use std::time::{Duration, Instant};

/// Automata of a proof have at most so many states, and so many tests in their transitions: a tenth of what `grundy prove` allows.
const STATES: usize = 20_000;
const TESTS: usize = 400_000;

/// The status of a claim that holds for all values that were worked out. `ctx` is of the file with the claim in it. Counts end a
/// proof, so that what is proved does not depend on the clock; the time of the run holds besides.
///
/// # Errors
/// Why it is not known. Data proves nothing: then the claim is VERIFIED as far as the data reaches.
pub(super) fn status(ctx: &mut Context, before: &[&Claim], claim: &Claim) -> Result<Verdict, String> {
    let time = ctx.limits.deadline.map(|(at, _)| at.saturating_duration_since(Instant::now()));
    prove_claim(ctx, Effort { time, states: STATES, tests: TESTS, ..Effort::default() }, before, claim)
}

/// The claims of a program that were added last.
pub(super) fn last_claims(program: &Program, count: usize) -> Vec<&Claim> {
    let claims = program.questions.iter().filter_map(|question| match question {
        Question::Claim(claim) => Some(claim),
        _ => None,
    });
    let mut claims: Vec<&Claim> = claims.collect();
    claims.split_off(claims.len().saturating_sub(count))
}

/// A claim about a sum that is not proved by itself: with closed forms of its parts that are guessed and proved first. These, as
/// lines of a file, with the verdict; `None`: it is not proved so.
pub(super) fn by_parts(
    ctx: &Context,
    claim: &Claim,
    line: &str,
    time: Duration,
    understand: Understand<'_>,
) -> Result<Option<(Vec<String>, Verdict)>, Vec<Diagnostic>> {
    let texts = parts(&ctx.session.program, claim);
    let mut lines = Vec::new();
    for text in &texts {
        let asked = Asked::part(text);
        let mut rules = understand(&[format!("claim \"part\" for n in nat: [{}] == []", asked.expr)])?;
        let program = rules.session.program.clone();
        let Some(question) = last_claims(&program, 1).pop() else { return Ok(None) };
        let share = time / u32::try_from(2 * texts.len()).unwrap_or(u32::MAX);
        let found = guess(&mut rules, question, &asked, share, false, understand)?;
        let proved = found.proposals.into_iter().find(|one| matches!(one.verdict, Verdict::Proved { .. }));
        let Some(proved) = proved else { return Ok(None) };
        lines.push(proved.claim);
    }
    if lines.is_empty() {
        return Ok(None);
    }
    lines.push(line.to_string());
    let mut rules = understand(&lines)?;
    let program = rules.session.program.clone();
    let mut before = last_claims(&program, lines.len());
    let Some(claim) = before.pop() else { return Ok(None) };
    let verdict = status(&mut rules, &before, claim).ok().filter(|verdict| matches!(verdict, Verdict::Proved { .. }));
    lines.pop();
    Ok(verdict.map(|verdict| (lines, verdict)))
}
