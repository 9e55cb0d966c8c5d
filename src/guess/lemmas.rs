//! Lemmas for proofs: closed forms of positions that a proof met and knew nothing of.
//!
//! In: questions of the prover. Out: claim lines, which hold for all values that were worked out and are proved where the prover can by
//! itself; whoever uses them proves them beside the file.

use crate::answer::Verdict;
use crate::guess::question::{self, Asked};
use crate::guess::refute::last_claims;
use crate::guess::{Desk, Learn, guess};
use crate::prover::Missing;
use crate::source::Diagnostic;
use crate::value::{Value, width};
use std::time::Duration;

/// For each question a claim line, if a closed form is found; their titles are counted on from `first`. `time` is for all.
pub fn lemmas(missing: &[Missing], first: usize, time: Duration, desk: &mut dyn Desk) -> Vec<String> {
    let share = time / width::short(missing.len().max(1));
    let mut lines = Vec::new();
    for one in missing {
        // What is not understood, or has no value somewhere, is of no help.
        let found = lemma(one, &format!("lemma {}", first + lines.len()), share, desk);
        lines.extend(found.ok().flatten());
    }
    lines
}

fn lemma(
    missing: &Missing,
    title: &str,
    time: Duration,
    desk: &mut dyn Desk,
) -> Result<Option<String>, Vec<Diagnostic>> {
    let Missing { expr, clauses, .. } = missing;
    let head =
        if clauses.is_empty() { format!("claim \"{title}\":") } else { format!("claim \"{title}\" for {clauses}:") };
    let mut ctx = desk.understand(&[format!("{head} [{expr}] == []")])?;
    let program = ctx.session.program.clone();
    let Some(question) = last_claims(&program, 1).pop() else { return Ok(None) };
    if missing.variables == 0 {
        let Some(term) = question::value_of(question) else { return Ok(None) };
        let own = ctx.limits.deadline;
        ctx.limits = ctx.limits.clone().with_time(Some(time));
        let value = ctx.with_recovery(|ctx| ctx.eval_with(&question.frame, &[], &[], term));
        ctx.limits.deadline = own;
        desk.put_away(ctx);
        let value = value.map_err(|error| vec![*error])?;
        let sign = if matches!(value, Value::Bool(_)) { "iff" } else { "==" };
        return Ok(Some(format!("{head} {expr} {sign} {}", value.inner_text())));
    }
    let asked = Asked::written(expr, clauses, missing.variables);
    let found = guess(&mut ctx, question, &asked, time, Learn::Else, desk);
    desk.put_away(ctx);
    let found = found?;
    let proved = |verdict: &Verdict| matches!(verdict, Verdict::Proved { .. });
    let best = found.proposals.iter().find(|one| proved(&one.verdict));
    if let Some(automaton) = found.automaton.filter(|found| best.is_none() && proved(&found.verdict)) {
        return Ok(Some(renamed(&automaton.lines, title)));
    }
    let best = best.or(found.proposals.first());
    Ok(best.map(|one| format!("{head} {}", one.statement)))
}

/// A definition and a claim with a title, and a name of the definition's own that goes with it.
fn renamed(lines: &[String], title: &str) -> String {
    let name = lines.iter().find_map(|line| line.strip_prefix("def ")?.split('(').next());
    let name = name.unwrap_or_default();
    let text = lines.join("\n").replace(&format!("{name}("), &format!("{name}_{}(", title.replace(' ', "_")));
    match text.split_once("claim \"").and_then(|(before, rest)| Some((before, rest.split_once('"')?.1))) {
        Some((before, behind)) => format!("{before}claim \"{title}\"{behind}"),
        None => text,
    }
}
