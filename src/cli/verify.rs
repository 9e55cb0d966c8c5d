//! `grundy verify`: works the proof of a certificate out again, by the plainest way there is.

use crate::cli::args::LimitArgs;
use crate::cli::certificate_check::{Checked, HEAPS, compared, played, searched};
use crate::cli::output;
use crate::cli::output::Output;
use crate::cli::stop::{ANSWERED, FAILED, Stop};
use crate::cli::workspace::Workspace;
use crate::report::{counted, grouped};
use crate::source::diagnostic::{Code, Diagnostic};
use clap::Args;
use grundy_heap::certificate::{Certificate, Refusal};
use grundy_heap::{Halt, MAX_VALUE};
use grundy_verify;
use grundy_verify::Limits;
use serde_json::{Map, Value as Json, json};
use std::path::PathBuf;
use std::time::Instant;

#[derive(Args, Debug)]
#[command(after_help = "\
A certificate of `heap` is confirmed by computing all values again from the rules of the code. A certificate of `prove` holds
sentences about natural numbers; each is decided again by a plain procedure that shares nothing with the prover. That the sentences
say what the rules of the game say is not proved again; small positions are searched for something against the statement.

Exit code: 0 confirmed, 1 wrong, 2 no certificate, 3 a limit.")]
pub(crate) struct VerifyArgs {
    /// A file that `grundy heap GAME --prove=FILE` or `grundy prove FILE --certificates DIR` has written
    #[arg(value_name = "CERTIFICATE")]
    file: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: LimitArgs,
}

/// Runs the command.
pub(crate) fn run(args: &VerifyArgs) -> u8 {
    output::run(&args.limits, args.json, |workspace, out| verify(args, workspace, out))
}

fn verify(args: &VerifyArgs, workspace: &Workspace, out: &mut Output) -> Result<u8, Stop> {
    let name = args.file.display();
    let text = std::fs::read_to_string(&args.file)
        .map_err(|error| Diagnostic::bare(Code::D03, format!("`{name}` cannot be read: {error}")))?;
    let none = |error| Diagnostic::bare(Code::D03, format!("`{name}` is no certificate: {error}"));
    let kind: Map<String, Json> = serde_json::from_str(&text).map_err(none)?;
    if kind.contains_key("grundy_proof_certificate") {
        return proof(args, workspace, out, &serde_json::from_str(&text).map_err(none)?);
    }
    heap(args, workspace, out, &serde_json::from_str(&text).map_err(none)?)
}

/// The period of a game of heaps.
fn heap(args: &VerifyArgs, workspace: &Workspace, out: &mut Output, certificate: &Certificate) -> Result<u8, Stop> {
    let limits = workspace.limits.clone().with_time(args.limits.time);
    let mut reason = None;
    let progress = workspace.progress();
    let verdict = certificate.verify(&mut |values| {
        limits.check(values.len() as u64, 4 * values.len()).map_err(|fault| {
            reason = Some(Diagnostic::bare(fault.code, fault.message));
            Halt::Stopped
        })
    });
    drop(progress);
    let why = match verdict {
        Ok(()) => None,
        Err(Refusal::Wrong(why)) => Some(why),
        Err(Refusal::Halted(Halt::Stopped)) => {
            return Err(reason.unwrap_or_else(|| Diagnostic::bare(Code::L03, "interrupted")).into());
        }
        Err(Refusal::Halted(Halt::TooLarge)) => {
            return Err(Diagnostic::bare(Code::L02, format!("a Grundy value above {MAX_VALUE} is not kept")).into());
        }
    };
    let Certificate { code, period, preperiod, saltus, values, .. } = certificate;
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

/// What never happens, in words, and in how many cases it was decided.
type Decided<'c> = Vec<(&'c str, u64)>;

/// A statement about all positions.
fn proof(
    args: &VerifyArgs,
    workspace: &Workspace,
    out: &mut Output,
    certificate: &grundy_verify::Certificate,
) -> Result<u8, Stop> {
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
    let parts: Decided<'_> = certificate.parts().into_iter().map(|(never, count)| (never, count as u64)).collect();
    let (why, count) = match &checked {
        Checked::Wrong(why) => (Some(why), 0),
        Checked::Holds(count) => (None, *count),
        Checked::Not(_) => (None, 0),
    };
    let grundy_verify::Certificate { statement, rests_on, sentences, cases, .. } = certificate;
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
        let cases = if cases.len() > 1 { format!(" in {} cases", grouped(cases.len() as u64)) } else { String::new() };
        out.text(&format!(
            "CONFIRMED  {statement}: {}{cases} decided again\n",
            counted(*sentences as u64, "sentence")
        ))?;
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
            let Certificate { code, period, preperiod, values, .. } = &heaps.period;
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

/// Which limit ended the work.
fn limit(part: &str, halt: &grundy_verify::Halt) -> Diagnostic {
    match halt {
        grundy_verify::Halt::Time => Diagnostic::bare(Code::L03, format!("the time is over at {part}")),
        grundy_verify::Halt::Interrupted => Diagnostic::bare(Code::L03, "interrupted"),
        grundy_verify::Halt::Entries(most) => {
            Diagnostic::bare(Code::L02, format!("{part} takes tables of more than {} entries", grouped(*most as u64)))
        }
        grundy_verify::Halt::Variables(count) => {
            Diagnostic::bare(Code::L02, format!("{part} takes tables for {count} variables"))
                .hint("plain tables have 2^20 columns at most")
        }
        grundy_verify::Halt::Digits => Diagnostic::bare(
            Code::L02,
            format!("{part} speaks of digits in base 2, and its numbers are written otherwise"),
        ),
        grundy_verify::Halt::Number => {
            Diagnostic::bare(Code::L02, format!("{part} has a number that is too large for plain tables"))
        }
    }
}
