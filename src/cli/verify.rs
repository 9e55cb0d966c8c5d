//! `grundy verify`: works the proof of a certificate out again, by the plainest way there is.
//!
//! The statement is tried on small positions by search, too, with the rules in the certificate: its sentences may be true and speak of
//! another game. This is no proof that they do not; but what is false of the game is false of a small position, as a rule.

use crate::answer::{Finding, Verdict, named_text};
use crate::claims::{self, Budget};
use crate::cli::files;
use crate::cli::output::Output;
use crate::cli::workspace::{ANSWERED, FAILED, Stop, Workspace};
use crate::engines;
use crate::input::data::NoFiles;
use crate::model::{Program, Question};
use crate::report::{counted, grouped};
use crate::source::{Class, Code, Diagnostic, SourceId, Sources};
use crate::typing::{NoLoader, check};
use crate::vm::context::{Context, EngineOptions, Policy};
use grundy_heap::certificate::{Certificate as HeapCertificate, Refusal};
use grundy_heap::game::Game;
use grundy_heap::misere::certificate::{Certificate as Quotient, Refusal as Doubt};
use grundy_heap::naive::Naive;
use grundy_heap::{Halt, MAX_VALUE};
use grundy_verify::{self, Case, Certificate, Heaps, Limits};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[derive(clap::Args, Debug)]
#[command(after_help = "\
A certificate of `heap` is confirmed by computing all values, or the algebra of a misere quotient, again from the rules of the code.
A certificate of `prove` holds sentences about natural numbers; each is decided again by a plain procedure that shares nothing with the
prover. That the sentences say what the rules of the game say is not proved again; small positions are searched for something against
the statement.

Exit code: 0 confirmed, 1 wrong, 2 no certificate, 3 a limit.")]
pub(crate) struct VerifyArgs {
    /// A file that `grundy heap GAME --prove=FILE` or `grundy prove FILE --certificates DIR` has written
    #[arg(value_name = "CERTIFICATE")]
    file: std::path::PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) limits: crate::cli::args::LimitArgs,
}

pub(super) fn run(args: &VerifyArgs, workspace: &Workspace, out: &mut Output) -> Result<u8, Stop> {
    let name = args.file.display();
    let text = files::read(&args.file, "certificate", Code::D03)?;
    let none = |error| Diagnostic::bare(Code::D03, format!("`{name}` is no certificate: {error}"));
    let kind: Map<String, Json> = serde_json::from_slice(&text).map_err(none)?;
    if kind.contains_key("grundy_proof_certificate") {
        return proof(args, workspace, out, &serde_json::from_slice(&text).map_err(none)?);
    }
    if kind.contains_key("grundy_misere_certificate") {
        return misere(args, workspace, out, &serde_json::from_slice(&text).map_err(none)?);
    }
    heap(args, workspace, out, &serde_json::from_slice(&text).map_err(none)?)
}

/// A check that says now and then how many values and bytes it holds; and which limit ended it, if one did.
fn watched<T>(
    args: &VerifyArgs,
    workspace: &Workspace,
    check: impl FnOnce(&mut dyn FnMut(u64, usize) -> Result<(), Halt>) -> T,
) -> (T, Diagnostic) {
    let limits = workspace.limits.clone().with_time(args.limits.time);
    let mut reason = None;
    let progress = workspace.progress();
    let verdict = check(&mut |values, bytes| {
        limits.check(values, bytes).map_err(|fault| {
            reason = Some(Diagnostic::bare(fault.code, fault.message));
            Halt::Stopped
        })
    });
    drop(progress);
    (verdict, reason.unwrap_or_else(|| Diagnostic::bare(Code::L03, "interrupted")))
}

fn misere(args: &VerifyArgs, workspace: &Workspace, out: &mut Output, certificate: &Quotient) -> Result<u8, Stop> {
    let (verdict, halted) = watched(args, workspace, |look| certificate.verify(&mut |bytes| look(0, bytes)));
    let why = match verdict {
        Ok(()) => None,
        Err(Doubt::Wrong(why)) => Some(why),
        Err(Doubt::Halted(_)) => return Err(halted.into()),
    };
    let Quotient { code, heaps, order, pairs, period, .. } = certificate;
    if args.json {
        out.json(&json!({
            "code": code, "play": "misere", "heaps": heaps, "order": order, "transitions": pairs.len(),
            "period": period.map(|(_, length)| length), "preperiod": period.map(|(start, _)| start),
            "confirmed": why.is_none(), "reason": why
        }))?;
    } else if let Some(why) = &why {
        out.text(&format!("WRONG      {code}, misere play: {why}\n"))?;
    } else {
        let of = match period {
            Some((start, length)) => format!("of all heaps, period {length} from heap {start} on"),
            None => format!("of the heaps up to {heaps}"),
        };
        let pairs = counted(pairs.len() as u64, "pair");
        out.text(&format!(
            "CONFIRMED  {code}, misere play: the quotient {of} has order {order}; {pairs} worked out again\n"
        ))?;
    }
    Ok(if why.is_none() { ANSWERED } else { FAILED })
}

fn heap(args: &VerifyArgs, workspace: &Workspace, out: &mut Output, certificate: &HeapCertificate) -> Result<u8, Stop> {
    let (verdict, halted) =
        watched(args, workspace, |look| certificate.verify(&mut |values| look(values.len() as u64, 4 * values.len())));
    let why = match verdict {
        Ok(()) => None,
        Err(Refusal::Wrong(why)) => Some(why),
        Err(Refusal::Halted(Halt::Stopped)) => return Err(halted.into()),
        Err(Refusal::Halted(Halt::TooLarge)) => {
            return Err(Diagnostic::bare(Code::L02, format!("a Grundy value above {MAX_VALUE} is not kept")).into());
        }
    };
    let HeapCertificate { code, period, preperiod, saltus, values, .. } = certificate;
    if args.json {
        out.json(&json!({
            "code": code, "period": period, "preperiod": preperiod, "saltus": saltus, "values": values,
            "confirmed": why.is_none(), "reason": why
        }))?;
    } else if let Some(why) = &why {
        out.text(&format!("WRONG      {code}: {why}\n"))?;
    } else {
        let grouped = |n: &usize| grouped(*n as u64);
        out.text(&format!(
            "CONFIRMED  {code}: period {}, saltus {saltus}, from heap {} on; {} values worked out again\n",
            grouped(period),
            grouped(preperiod),
            grouped(values)
        ))?;
    }
    Ok(if why.is_none() { ANSWERED } else { FAILED })
}

fn proof(args: &VerifyArgs, workspace: &Workspace, out: &mut Output, certificate: &Certificate) -> Result<u8, Stop> {
    let mut limits = Limits { interrupted: workspace.interrupted.clone(), ..Limits::default() };
    limits.deadline = args.limits.time.map(|time| Instant::now() + time);
    // An entry takes 4 bytes, and as many in the classes of its state, twice while the table is made smaller.
    let most = workspace.limits.memory / 16;
    limits.entries = if args.limits.memory.is_some() { most } else { most.min(limits.entries) };
    let progress = workspace.progress();
    let verdict = certificate.verify(&limits);
    let heaps = || certificate.heaps.iter().find_map(|heaps| compared(certificate, heaps, workspace));
    let checked = match verdict {
        Ok(()) if certificate.played.is_some() => match played(certificate, workspace, args.limits.time) {
            Checked::Not(why) => return Err(Diagnostic::bare(Code::L03, why).into()),
            checked => checked,
        },
        Ok(()) => heaps().map_or_else(|| searched(certificate, workspace), Checked::Wrong),
        Err(grundy_verify::Refusal::Wrong(why)) => Checked::Wrong(why),
        Err(grundy_verify::Refusal::Halted(part, halt)) => return Err(limit(&part, &halt).into()),
    };
    drop(progress);
    let parts: Vec<(&str, u64)> = certificate.parts().into_iter().map(|(never, count)| (never, count as u64)).collect();
    let (why, count) = match &checked {
        Checked::Wrong(why) => (Some(why), 0),
        Checked::Holds(count) => (None, *count),
        Checked::Not(_) => (None, 0),
    };
    let Certificate { statement, rests_on, sentences, cases, .. } = certificate;
    if args.json {
        out.json(&json!({
            "statement": statement, "confirmed": why.is_none(), "reason": why, "sentences": sentences,
            "cases": cases.len(), "parts": parts, "rests_on": rests_on,
            "heaps": certificate.heaps.iter().map(|heaps| json!({ "of": heaps.of, "code": heaps.period.code })).collect::<Vec<_>>(), "searched": count
        }))?;
    } else if let Some(why) = why {
        out.text(&format!("WRONG      {statement}: {why}\n"))?;
    } else {
        if certificate.played.is_some() {
            let count = grouped(count);
            out.text(&format!(
                "CONFIRMED  {statement}: {count} instances, each played through again by a plain routine\n"
            ))?;
            return Ok(ANSWERED);
        }
        let named: Vec<&str> = own_cases(certificate).collect();
        let beside: BTreeSet<&str> = cases.iter().filter_map(|case| case.beside.as_deref()).collect();
        let cases = if named.len() > 1 { format!(" in {} cases", grouped(named.len() as u64)) } else { String::new() };
        out.text(&format!(
            "CONFIRMED  {statement}: {}{cases} decided again\n",
            counted(*sentences as u64, "sentence")
        ))?;
        if statement.starts_with("theorem") && named.iter().any(|case| !case.is_empty()) {
            let many = if let [first, .., last] = &named[..] { format!("{first} to {last}") } else { named.concat() };
            out.text(&format!("{:11}for {many}; of other rule parameters and lengths it says nothing\n", ""))?;
        }
        for other in beside {
            out.text(&format!("{:11}together with {other}, whose sentences are among them\n", ""))?;
        }
        for (never, count) in parts {
            let times = if count > 1 { format!("  ({} times)", grouped(count)) } else { String::new() };
            out.text(&format!("{:11}never: {never}{times}\n", ""))?;
        }
        let small = match checked {
            Checked::Not(reason) => reason,
            Checked::Holds(0) => "no small position was searched",
            _ => "a search of small positions by the rules finds nothing against it",
        };
        out.text(&format!("{:11}{small}\n", ""))?;
        for heaps in &certificate.heaps {
            let HeapCertificate { code, period, preperiod, values, .. } = &heaps.period;
            let [period, from, values] = [period, preperiod, values].map(|n| grouped(*n as u64));
            let known = format!("period {period} from heap {from} on, {values} values worked out again");
            out.text(&format!(
                "{:11}if the heaps of `{}` are {code}, as the first {HEAPS} are: {known}\n",
                "", heaps.of
            ))?;
        }
        for other in rests_on {
            out.text(&format!("{:11}if {other} is true, which has a certificate of its own\n", ""))?;
        }
    }
    Ok(if why.is_none() { ANSWERED } else { FAILED })
}

fn limit(part: &str, halt: &grundy_verify::Halt) -> Diagnostic {
    use grundy_verify::Halt;
    let large = |what: String| Diagnostic::bare(Code::L02, format!("{part} {what}"));
    match halt {
        Halt::Time => Diagnostic::bare(Code::L03, format!("the time is over at {part}")),
        Halt::Interrupted => Diagnostic::bare(Code::L03, "interrupted"),
        Halt::Entries(most) => large(format!("takes tables of more than {} entries", grouped(*most as u64))),
        Halt::Variables(count) => {
            large(format!("takes tables for {count} variables")).hint("plain tables have 2^20 columns at most")
        }
        Halt::Digits => large("speaks of digits in base 2, and its numbers are written otherwise".into()),
        Halt::Number => large("has a number that is too large for plain tables".into()),
    }
}

/// What a check in the game itself came to.
enum Checked {
    Holds(u64),
    Wrong(String),
    Not(&'static str),
}

struct CertifiedGame {
    sources: Sources,
    own: SourceId,
    program: Program,
}

impl CertifiedGame {
    /// Reads the game with more lines behind it.
    fn read(certificate: &Certificate, more: &str) -> Result<CertifiedGame, Checked> {
        let broken = || Checked::Wrong("the text of the game is no game".into());
        let mut sources = Sources::default();
        let own = sources.add(certificate.file.clone(), format!("{}{more}", certificate.game));
        let file = crate::syntax::parse_file(&sources, own).map_err(|_| broken())?;
        let program = check(&file, own, &mut sources, &mut NoLoader).map_err(|_| {
            let uses = file.items.iter().any(|item| matches!(item, crate::syntax::tree::Item::Use { .. }));
            if uses { Checked::Not("the game cannot be used by itself") } else { broken() }
        })?;
        Ok(CertifiedGame { sources, own, program })
    }

    fn judge(self, options: EngineOptions, budget: Budget, workspace: &Workspace, tell: &mut dyn FnMut(Finding)) {
        let CertifiedGame { sources, own, program } = self;
        let mut ctx = Context::new(Arc::new(program), Arc::new(NoFiles), workspace.limits.clone(), engines::ask);
        ctx.options = options;
        claims::check(&mut ctx, &budget, claims::File { sources: &sources, own }, tell);
    }
}

/// Searches small positions for something against the statement: so many instances, and for a second at most.
fn searched(certificate: &Certificate, workspace: &Workspace) -> Checked {
    const LOOK: Budget = Budget { time: Duration::from_secs(1), instances: 20_000, steps: None };
    let mut game = match CertifiedGame::read(certificate, "") {
        Ok(game) => game,
        Err(checked) => return checked,
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
    game.judge(EngineOptions::default(), LOOK, workspace, &mut |finding| {
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

/// The names of the cases of the statement itself.
fn own_cases(certificate: &Certificate) -> impl Iterator<Item = &str> {
    certificate.cases.iter().filter(|case| case.beside.is_none()).map(|case| case.case.as_str())
}

/// A case that must be there, too: an instance of the claim's ranges, or of a theorem one that is smaller in one parameter or length.
/// Lines about moves have the cases of their theorem; nothing is known of those that follow from a claim.
fn missing(certificate: &Certificate, program: &Program) -> Option<String> {
    let names: BTreeSet<&str> = own_cases(certificate).collect();
    if let Some(Question::Claim(claim)) = program.questions.first() {
        return crate::prover::missing_case(program, claim, &names);
    }
    let rests = &certificate.rests_on;
    let of_theorems = !rests.is_empty() && rests.iter().all(|other| other.starts_with("theorem "));
    let closed = |case: &&Case| of_theorems || !MOVES.contains(&case.by.as_str());
    let own = certificate.cases.iter().filter(|case| case.beside.is_none());
    let mut needed = own.filter(closed).flat_map(|case| smaller(&case.case));
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
fn played(certificate: &Certificate, workspace: &Workspace, time: Option<Duration>) -> Checked {
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

const HEAPS: usize = 100;

/// Compares the first heaps of a game by search with those of its code; what is wrong, if anything is.
fn compared(certificate: &Certificate, heaps: &Heaps, workspace: &Workspace) -> Option<String> {
    const TITLE: &str = "heaps of the certificate";
    let Heaps { of, period } = heaps;
    let mut values = Vec::new();
    let known = Game::parse(&period.code).ok().map(|code| Naive::new(code).extend(&mut values, HEAPS, &mut |_| Ok(())));
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
    game.judge(options, Budget::default(), workspace, &mut |finding| {
        wrong = match &finding.verdict {
            Ok(Verdict::Verified) => None,
            Ok(Verdict::Refuted) => {
                Some(format!("`{of}` is not {} at {}", period.code, named_text(&finding.counterexample)))
            }
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
        Ok(_) => format!("at {}", named_text(&finding.counterexample)),
    }
}
