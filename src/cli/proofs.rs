//! The proofs of a file: first from its own statements, then what is open once more beside lemmas that are guessed for it.

use crate::answer::{Finding, Verdict};
use crate::claims::File;
use crate::cli::load::{Loaded, Parsed};
use crate::cli::workspace::Workspace;
use crate::guess::Desk;
use crate::guess::lemmas::lemmas;
use crate::model::Question;
use crate::prover::{Argument, Effort, Missing, Run, every};
use crate::source::{Diagnostic, Span};
use crate::syntax;
use crate::value::width;
use crate::vm::context::Context;
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Lemmas of lemmas: so often is it tried again.
const ROUNDS: usize = 6;
/// So many lemmas are sought at once.
const QUESTIONS: usize = 8;
/// Of the time that is left a lemma takes so much at most, and all of a round a quarter.
const LEMMA: Duration = Duration::from_secs(1);

/// A statement with how it was decided.
pub(super) struct Proof {
    pub(super) finding: Finding,
    pub(super) argument: Argument,
    /// The lemmas that it rests on, by their places among all.
    pub(super) lemmas: Vec<usize>,
}

/// What was found beside the file: claim lines, each with its proof if it is proved.
pub(super) struct Lemmas {
    /// The number in the title of the first: those of the file come before.
    first: usize,
    pub(super) lines: Vec<String>,
    pub(super) proofs: Vec<Option<Proof>>,
}

impl Lemmas {
    /// The lemmas among these statements, those that they rest on included, in the order in which they were found.
    fn among<'u>(&self, used: impl Iterator<Item = &'u String>) -> Vec<usize> {
        let (mut all, mut open) = (BTreeSet::new(), used.cloned().collect::<Vec<_>>());
        while let Some(called) = open.pop() {
            let title = called.strip_prefix("claim \"").and_then(|rest| rest.strip_suffix('"'));
            let at = title.and_then(numbered).and_then(|number| number.checked_sub(self.first));
            let Some(at) = at.filter(|at| *at < self.lines.len()) else { continue };
            if all.insert(at)
                && let Some(Some(proof)) = self.proofs.get(at)
            {
                open.extend(proof.argument.used.iter().chain(&proof.argument.together).cloned());
            }
        }
        all.into_iter().collect()
    }
}

/// The number of a lemma, by its title.
fn numbered(title: &str) -> Option<usize> {
    title.strip_prefix("lemma ")?.parse().ok()
}

/// Proves the statements of a file and hands each to `tell` in their order, with all lemmas that were found till then. `time` is for all.
pub(super) fn proofs(
    parsed: &Parsed,
    loaded: &Loaded,
    (time, keep): (Duration, bool),
    workspace: &mut Workspace,
    tell: &mut dyn FnMut(Proof, &Lemmas, &Workspace),
) {
    let (own, start) = (parsed.source, Instant::now());
    let mut ctx = workspace.context_without_clock(loaded);
    // Lemmas that were added to the file keep their numbers.
    let before = loaded.program.questions.iter().filter_map(|question| match question {
        Question::Claim(claim) => numbered(&claim.title),
        _ => None,
    });
    let first = before.max().map_or(1, |number| number.saturating_add(1));
    let (mut held, mut found) = (Vec::new(), Lemmas { first, lines: Vec::new(), proofs: Vec::new() });
    let file = File { sources: &workspace.sources, own };
    every(&mut ctx, time.into(), file, Run { keep, ..Run::default() }, &mut |finding, argument| {
        let proof = Proof { finding, argument, lemmas: Vec::new() };
        if held.is_empty() && proof.argument.missing.is_empty() {
            tell(proof, &found, workspace);
        } else {
            held.push(proof);
        }
    });
    // What is still open is told before time is up.
    let time = time.saturating_sub(time / 20);
    let mut asked: Vec<Missing> = Vec::new();
    for _ in 0..ROUNDS {
        let missing = held.iter().flat_map(|proof: &Proof| proof.argument.missing.clone());
        let mut open: Vec<Missing> = Vec::new();
        missing.for_each(|one| open.extend((!asked.contains(&one) && !open.contains(&one)).then_some(one)));
        open.truncate(QUESTIONS);
        let left = time.saturating_sub(start.elapsed());
        if open.is_empty() || left.is_zero() || workspace.interrupted.load(Ordering::Relaxed) {
            break;
        }
        let share = (left / 4).min(LEMMA * width::short(open.len()));
        let deadline = Some((start + time, time));
        let mut behind = Behind { parsed, workspace, with_lemmas: false, deadline };
        let more = lemmas(&open, first + found.lines.len(), share, &mut behind);
        asked.extend(open);
        if more.is_empty() {
            continue;
        }
        found.lines.extend(more);
        again(parsed, (time.saturating_sub(start.elapsed()), keep), workspace, (&mut held, &mut found));
    }
    for proof in held {
        tell(proof, &found, workspace);
    }
    workspace.put_away(ctx, start + time);
}

/// A file behind which lines are put.
pub(super) struct Behind<'w> {
    pub(super) parsed: &'w Parsed,
    pub(super) workspace: &'w mut Workspace,
    /// Lemmas are sought for what is not proved by itself.
    pub(super) with_lemmas: bool,
    /// When the time of the file is over, and how long it was.
    pub(super) deadline: Option<(Instant, Duration)>,
}

impl Desk for Behind<'_> {
    fn understand(&mut self, lines: &[String]) -> Result<Context, Vec<Diagnostic>> {
        let loaded = with_lines(self.parsed, lines, self.workspace)?.1;
        let mut ctx = self.workspace.context_without_clock(&loaded);
        ctx.limits.deadline = self.deadline;
        Ok(ctx)
    }

    fn put_away(&mut self, ctx: Context) {
        if let Some((end, _)) = ctx.limits.deadline {
            self.workspace.put_away(ctx, end);
        }
    }

    fn prove(&mut self, line: &str, time: Duration) -> Option<(Vec<String>, Verdict)> {
        if !self.with_lemmas {
            return None;
        }
        let mut parsed = self.parsed.clone();
        // What is asked is the line alone.
        parsed.source = self.workspace.sources.add("<claim>", line);
        parsed.tree.items.extend(syntax::parse_file(&self.workspace.sources, parsed.source).ok()?.items);
        let loaded = parsed.clone().check(&mut self.workspace.sources).ok()?;
        let mut proved = None;
        proofs(&parsed, &loaded, (time, false), self.workspace, &mut |proof, lemmas, _| {
            if let Ok(verdict @ Verdict::Proved { .. }) = proof.finding.verdict {
                let lines = proof.lemmas.iter().map(|at| lemmas.lines[*at].clone());
                proved = Some((lines.collect(), verdict));
            }
        });
        proved
    }
}

/// The file with these lines behind it, and where each of them stands.
fn with_lines(
    parsed: &Parsed,
    lines: &[String],
    workspace: &mut Workspace,
) -> Result<(Vec<Span>, Loaded), Vec<Diagnostic>> {
    let (mut file, mut spans) = (parsed.clone(), Vec::new());
    for line in lines {
        let id = workspace.sources.add("<lemma>", line.as_str());
        spans.push(Span { source: id, start: 0, end: 0 });
        file.tree.items.extend(syntax::parse_file(&workspace.sources, id)?.items);
    }
    Ok((spans, file.check(&mut workspace.sources)?))
}

/// Tries again what is open, beside all lemmas.
fn again(
    parsed: &Parsed,
    (time, keep): (Duration, bool),
    workspace: &mut Workspace,
    (held, found): (&mut [Proof], &mut Lemmas),
) {
    let end = Instant::now() + time;
    let Ok((spans, loaded)) = with_lines(parsed, &found.lines, workspace) else { return };
    let mut ctx = workspace.context_without_clock(&loaded);
    let is_open = |proof: &Proof| matches!(proof.finding.verdict, Ok(Verdict::Unknown { .. }));
    let closed =
        |proof: &&Proof| !is_open(proof) && proof.finding.verdict.as_ref().map_or(true, |v| v.certificate().is_none());
    let without: Vec<Span> = held.iter().filter(closed).map(|proof| proof.finding.span).collect();
    found.proofs = found.lines.iter().map(|_| None).collect();
    let run = Run { keep, without: &without, all: true, ..Run::default() };
    let effort = Effort { first: 0, ..Effort::from(time) };
    let (mut proved, mut more) = (Vec::new(), Vec::new());
    every(&mut ctx, effort, File { sources: &workspace.sources, own: parsed.source }, run, &mut |finding, argument| {
        let proof = Proof { finding, argument, lemmas: Vec::new() };
        match spans.iter().position(|span| span.source == proof.finding.span.source) {
            Some(at) if proof.finding.verdict.as_ref().is_ok_and(|verdict| verdict.certificate().is_some()) => {
                found.proofs[at] = Some(proof);
            }
            // Lemmas of lemmas.
            Some(_) => more.extend(proof.argument.missing),
            None => proved.push(proof),
        }
    });
    workspace.put_away(ctx, end);
    for mut proof in proved {
        let (span, kind) = (proof.finding.span, proof.finding.kind);
        let before = held.iter_mut().find(|one| one.finding.span == span && one.finding.kind == kind && is_open(one));
        let Some(before) = before else { continue };
        if is_open(&proof) {
            before.argument.missing.extend(proof.argument.missing);
        } else {
            proof.lemmas = found.among(proof.argument.used.iter().chain(&proof.argument.together));
            *before = proof;
        }
    }
    if let Some(first) = held.iter_mut().find(|proof| is_open(proof)) {
        first.argument.missing.extend(more);
    }
}
