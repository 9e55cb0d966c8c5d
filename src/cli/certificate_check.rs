//! The statement of a certificate, tried on small positions by search, with the rules in the certificate.
//!
//! The sentences of a certificate may be true and speak of another game. This is no proof that they do not; but what is
//! false of the game is false of a small position, as a rule.

use crate::answer::{Finding, Verdict};
use crate::claims;
use crate::claims::Budget;
use crate::cli::workspace::Workspace;
use crate::engines;
use crate::input::data::NoFiles;
use crate::model::{Program, Question};
use crate::source::diagnostic::Class;
use crate::source::text::{SourceId, Sources};
use crate::syntax::parse_file;
use crate::syntax::tree::Item;
use crate::typing::{NoLoader, check};
use crate::vm::context::{Context, EngineOptions, Policy};
use grundy_heap::game::Game as Code;
use grundy_heap::naive::Naive;
use grundy_verify::{Case, Certificate, Heaps};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

/// What a check in the game itself came to.
pub(super) enum Checked {
    /// It found nothing wrong, in so many instances.
    Holds(u64),
    /// The certificate is wrong: why.
    Wrong(String),
    /// It could not be done: why.
    Not(&'static str),
}

/// The game of a certificate.
struct CertifiedGame {
    sources: Sources,
    own: SourceId,
    program: Program,
}

/// Why the text of a certificate is no game.
enum Unreadable {
    /// It uses other files.
    Uses,
    /// It is refused.
    Broken,
}

impl CertifiedGame {
    /// Reads the game with more lines behind it.
    fn read(certificate: &Certificate, more: &str) -> Result<CertifiedGame, Unreadable> {
        let mut sources = Sources::default();
        let own = sources.add(certificate.file.clone(), format!("{}{more}", certificate.game));
        let file = parse_file(&sources, own).map_err(|_| Unreadable::Broken)?;
        let program = check(&file, own, &mut sources, &mut NoLoader).map_err(|_| {
            let uses = file.items.iter().any(|item| matches!(item, Item::Use { .. }));
            if uses { Unreadable::Uses } else { Unreadable::Broken }
        })?;
        Ok(CertifiedGame { sources, own, program })
    }

    /// Judges what the file states.
    fn judge(self, options: EngineOptions, time: Duration, workspace: &Workspace, tell: &mut dyn FnMut(Finding)) {
        let CertifiedGame { sources, own, program } = self;
        let mut ctx = Context::new(Arc::new(program), Arc::new(NoFiles), workspace.limits.clone(), engines::ask);
        ctx.options = options;
        let budget = Budget { time, ..Budget::default() };
        claims::check(&mut ctx, &budget, claims::File { sources: &sources, own }, tell);
    }
}

/// Searches small positions for something against the statement, for a short time.
pub(super) fn searched(certificate: &Certificate, workspace: &Workspace) -> Checked {
    const TIME: Duration = Duration::from_secs(1);
    let mut game = match CertifiedGame::read(certificate, "") {
        Ok(game) => game,
        Err(Unreadable::Uses) => return Checked::Not("the game cannot be used by itself"),
        Err(Unreadable::Broken) => return Checked::Wrong("the text of the game is no game".into()),
    };
    // Only what has the words of the statement, and what belongs to it.
    let is_it = |span| game.sources.slice(span) == certificate.words;
    game.program.questions.retain(|question| matches!(question, Question::Claim(claim) if is_it(claim.span)));
    for one in &mut game.program.games {
        // Lines of one game about winning moves say together which moves win.
        if !one.theorems.iter().any(|theorem| is_it(theorem.span)) {
            one.theorems.clear();
        }
    }
    if let Some(case) = missing(certificate, &game.program) {
        return Checked::Wrong(format!("the case `{case}` is missing"));
    }
    let mut result = Checked::Wrong(MISSING.into());
    let fails =
        |finding: &Finding| format!("the sentences are true, but the statement fails in the game {}", how(finding));
    game.judge(EngineOptions::default(), TIME, workspace, &mut |finding| {
        if format!("{} \"{}\"", finding.kind.word(), finding.title) != certificate.statement {
            return;
        }
        result = match &finding.verdict {
            Ok(Verdict::Refuted) => Checked::Wrong(fails(&finding)),
            // Where hardly anything was searched, something is in the way.
            Ok(Verdict::Verified) if finding.searched < FEW && !finding.whole_range => {
                Checked::Not("hardly any small position was searched to its end")
            }
            Ok(Verdict::Verified | Verdict::Proved { .. }) => Checked::Holds(finding.searched),
            // What has no value somewhere is no theorem; a limit says nothing.
            Err(error) if matches!(error.code.class(), Class::Meaning | Class::Running) => {
                Checked::Wrong(fails(&finding))
            }
            _ => Checked::Not("no small position was searched to its end"),
        };
    });
    result
}

const MISSING: &str = "the text of the game has no such statement";

/// Fewer instances say nothing, if there are more.
const FEW: u64 = 5;

/// The forms of arguments about moves.
const MOVES: [&str; 2] = ["who loses tells which moves win", "Grundy values tell where moves lead"];

/// A case that must be there, too: an instance of the claim's ranges, or of a theorem one that is smaller in one rule parameter or
/// length. Lines about moves have the cases of the theorem that they follow from; those that follow from a claim have the cases of its ranges,
/// of which nothing is known here.
fn missing(certificate: &Certificate, program: &Program) -> Option<String> {
    let names: BTreeSet<&str> = certificate.cases.iter().map(|case| case.case.as_str()).collect();
    if let Some(Question::Claim(claim)) = program.questions.first() {
        return crate::prover::claim_cases(program, claim).into_iter().find(|case| !names.contains(case.as_str()));
    }
    let rests = &certificate.rests_on;
    let of_theorems = !rests.is_empty() && rests.iter().all(|other| other.starts_with("theorem "));
    let closed = |case: &&Case| of_theorems || !MOVES.contains(&case.by.as_str());
    let mut needed = certificate.cases.iter().filter(closed).flat_map(|case| smaller(&case.case));
    needed.find(|case| !names.contains(case.as_str()))
}

/// The names of the cases that differ from this one by 1 less in one number, as far as numbers are above 0.
fn smaller(case: &str) -> Vec<String> {
    let words: Vec<&str> = case.split(' ').collect();
    let less = |i: usize| {
        let number = words[i].trim_end_matches(',');
        let one_less = number.parse::<u64>().ok()?.checked_sub(1)?;
        let word = words[i].replacen(number, &one_less.to_string(), 1);
        let text: Vec<&str> = words.iter().enumerate().map(|(j, old)| if i == j { &*word } else { old }).collect();
        Some(text.join(" "))
    };
    (0..words.len()).filter_map(less).collect()
}

/// Plays all instances of a claim about finitely many through, by a routine of its own.
pub(super) fn played(certificate: &Certificate, workspace: &Workspace, time: Option<Duration>) -> Checked {
    /// Where none is asked for.
    const TIME: Duration = Duration::from_mins(1);
    let Ok(CertifiedGame { sources, own, program }) = CertifiedGame::read(certificate, "") else {
        return Checked::Not("the text of the game is no file of this program");
    };
    let program = Arc::new(program);
    let claim = program.questions.iter().find_map(|question| match question {
        Question::Claim(claim)
            if sources.slice(claim.span) == certificate.words
                && certificate.statement == format!("claim \"{}\"", claim.title) =>
        {
            Some(claim)
        }
        _ => None,
    });
    let Some(claim) = claim else { return Checked::Wrong(MISSING.into()) };
    let file = claims::File { sources: &sources, own };
    match crate::prover::played(&program, workspace.limits.clone(), time.unwrap_or(TIME), file, claim) {
        Ok(Some(count)) if certificate.played == Some(count) => Checked::Holds(count),
        Ok(Some(count)) => Checked::Wrong(format!("there are {count} instances")),
        Ok(None) => Checked::Not("the plain routine could not play all of it through in the time"),
        Err(finding) => Checked::Wrong(format!("the statement fails in the game {}", how(&finding))),
    }
}

/// So many heaps are compared.
pub(super) const HEAPS: usize = 100;

/// Compares the first heaps of a game by search with those of its code; what is wrong, if anything is.
pub(super) fn compared(certificate: &Certificate, heaps: &Heaps, workspace: &Workspace) -> Option<String> {
    const TITLE: &str = "heaps of the certificate";
    let Heaps { of, period } = heaps;
    let mut values = Vec::new();
    let known = Code::parse(&period.code).ok().map(|code| Naive::new(code).extend(&mut values, HEAPS, &mut |_| Ok(())));
    let Some(Ok(())) = known else { return Some(format!("`{}` is no code", period.code)) };
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    let most = HEAPS - 1;
    let claim = format!("\nclaim \"{TITLE}\" for n in 0..{most}: grundy({of}(n)) == [{}][n]\n", values.join(", "));
    let Ok(mut game) = CertifiedGame::read(certificate, &claim) else {
        return Some(format!("the text has no game `{of}` of one number"));
    };
    game.program.questions.retain(|question| matches!(question, Question::Claim(claim) if claim.title == TITLE));
    game.program.games.iter_mut().for_each(|game| game.theorems.clear());
    let mut wrong = Some("its heaps were not searched".to_string());
    let options = EngineOptions { heaps: Policy::Never, ..EngineOptions::default() };
    game.judge(options, Budget::default().time, workspace, &mut |finding| {
        wrong = match &finding.verdict {
            Ok(Verdict::Verified) => None,
            Ok(Verdict::Refuted) => Some(format!("`{of}` is not {} at {}", period.code, shown(&finding))),
            _ => Some(format!("the heaps of `{of}` were not searched to the end")),
        };
    });
    wrong
}

/// Where a statement fails, or which error comes of it.
fn how(finding: &Finding) -> String {
    match &finding.verdict {
        Err(error) => {
            error.hint.as_ref().map_or_else(|| error.message.clone(), |at| format!("{}: {at}", error.message))
        }
        Ok(_) => format!("at {}", shown(finding)),
    }
}

fn shown(finding: &Finding) -> String {
    let values = finding.counterexample.iter().map(|(name, value)| format!("{name} = {}", value.inner_text()));
    values.collect::<Vec<_>>().join(", ")
}
