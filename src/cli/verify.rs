//! `grundy verify`: works the proof of a certificate out again, by the plainest way there is.
//!
//! A certificate of `prove` may have sentences that are true and speak of another game: `confirm.rs` finds that.

use crate::cli::chain::folder;
use crate::cli::confirm::{Examiner, HEAPS, own_cases};
use crate::cli::files;
use crate::cli::output::Output;
use crate::cli::workspace::{ANSWERED, FAILED, Stop, Workspace};
use crate::prover::Compared;
use crate::report::{counted, grouped};
use crate::source::{Code, Diagnostic};
use grundy_heap::certificate::{Certificate as HeapCertificate, Refusal};
use grundy_heap::misere::certificate::{Certificate as Quotient, Refusal as Doubt};
use grundy_heap::{Halt, MAX_VALUE};
use grundy_verify::Certificate;
use num_traits::ToPrimitive;
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

#[derive(clap::Args, Debug)]
#[command(after_help = "\
A certificate of `heap` is confirmed by computing all values, or the algebra of a misere quotient, again from the rules of the code.
A certificate of `prove` holds sentences about natural numbers; each is decided again by a plain procedure that shares nothing with the
prover. They are derived from the rules once more and must be the same, and small positions are searched for something against the
statement. In a folder all certificates are looked at: a statement is confirmed if all are that it rests on.

Exit code: 0 confirmed, 1 wrong, 2 no certificate, 3 a limit, or nothing is wrong but not all could be looked at.")]
pub(crate) struct VerifyArgs {
    /// A file that `grundy heap GAME --prove=FILE` or `grundy prove FILE --certificates DIR` has written, or a folder of them
    #[arg(value_name = "CERTIFICATE")]
    pub(super) file: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) limits: crate::cli::args::LimitArgs,
}

pub(super) fn run(args: &VerifyArgs, workspace: &Workspace, out: &mut Output) -> Result<u8, Stop> {
    if args.file.is_dir() {
        return folder(args, workspace, out);
    }
    let (text, kind) = kind_of(&args.file)?;
    if kind.contains_key("grundy_proof_certificate") {
        let certificate = serde_json::from_slice(&text).map_err(|error| none(&args.file, &error))?;
        return proof(args, workspace, out, &certificate);
    }
    other_kind(args, &args.file, workspace, out, &text, &kind)
}

/// The text of a certificate, and its keys. Errors: D03.
pub(super) fn kind_of(path: &Path) -> Result<(Vec<u8>, Map<String, Json>), Diagnostic> {
    let text = files::read(path, "certificate", Code::D03)?;
    let kind = serde_json::from_slice(&text).map_err(|error| none(path, &error))?;
    Ok((text, kind))
}

pub(super) fn none(path: &Path, error: &serde_json::Error) -> Diagnostic {
    Diagnostic::bare(Code::D03, format!("`{}` is no certificate: {error}", path.display()))
}

/// A certificate of heaps.
pub(super) fn other_kind(
    args: &VerifyArgs,
    path: &Path,
    workspace: &Workspace,
    out: &mut Output,
    text: &[u8],
    kind: &Map<String, Json>,
) -> Result<u8, Stop> {
    let none = |error| none(path, &error);
    if kind.contains_key("grundy_misere_certificate") {
        return misere(args, workspace, out, &serde_json::from_slice(text).map_err(none)?);
    }
    heap(args, workspace, out, &serde_json::from_slice(text).map_err(none)?)
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
    let progress = workspace.progress();
    let found = Examiner::new(&args.limits, workspace).look(certificate)?;
    drop(progress);
    let parts: Vec<(&str, u64)> = certificate.parts().into_iter().map(|(never, count)| (never, count as u64)).collect();
    let Certificate { statement, sentences, cases, .. } = certificate;
    let (word, why) = (found.verdict.word(), found.verdict.why());
    if args.json {
        out.json(&json!({
            "statement": statement, "confirmed": why.is_none(), "verdict": word, "reason": why, "sentences": sentences,
            "cases": cases.len(), "parts": parts, "rests_on": found.rests_on,
            "heaps": certificate.heaps.iter().map(|heaps| json!({ "of": heaps.of, "code": heaps.period.code })).collect::<Vec<_>>(),
            "searched": found.searched, "compared": found.compared.positions
        }))?;
    } else if let Some(why) = why {
        out.text(&format!("{word:<11}{statement}: {why}\n"))?;
    } else {
        if certificate.played.is_some() {
            let count = grouped(found.searched);
            out.text(&format!(
                "CONFIRMED  {statement}: {count} instances, each played through again by a plain routine\n"
            ))?;
            return Ok(ANSWERED);
        }
        let named: Vec<&str> = own_cases(certificate).collect();
        let beside: BTreeSet<&str> = cases.iter().filter_map(|case| case.beside.as_deref()).collect();
        let cases = if named.len() > 1 { format!(" in {} cases", grouped(named.len() as u64)) } else { String::new() };
        out.text(&format!(
            "CONFIRMED  {statement}: {}{cases} derived and decided again\n",
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
        out.text(&format!("{:11}{}\n", "", found.search))?;
        if let Compared { positions: 1.., greatest } = &found.compared {
            let positions = counted(found.compared.positions, "position");
            let greatest = greatest.to_u64().map_or_else(|| greatest.to_string(), grouped);
            out.text(&format!(
                "{:11}the formulas say what the rules say at {positions} with numbers up to {greatest}\n",
                ""
            ))?;
        }
        for heaps in &certificate.heaps {
            let HeapCertificate { code, period, preperiod, values, .. } = &heaps.period;
            let [period, from, values] = [period, preperiod, values].map(|n| grouped(*n as u64));
            let known = format!("period {period} from heap {from} on, {values} values worked out again");
            out.text(&format!(
                "{:11}if the heaps of `{}` are {code}, as the first {HEAPS} are: {known}\n",
                "", heaps.of
            ))?;
        }
        for other in &found.rests_on {
            out.text(&format!("{:11}if {other} is true, which has a certificate of its own\n", ""))?;
        }
    }
    Ok(found.verdict.code())
}
