//! `grundy verify DIR`: certificates that rest on each other. One is confirmed if it is by itself and all are that it rests on.

use crate::cli::confirm::{Confirmation, Examiner};
use crate::cli::output::Output;
use crate::cli::verify::{VerifyArgs, kind_of, none, other_kind};
use crate::cli::workspace::{ANSWERED, Stop, Workspace, worse};
use crate::report::counted;
use crate::source::{Code, Diagnostic};
use grundy_verify::Certificate;
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

/// A certificate of the folder, and what was found of it by itself.
struct Link {
    path: PathBuf,
    certificate: Certificate,
    verdict: Confirmation,
    rests_on: Vec<String>,
}

/// Looks at all certificates in a folder. Exit code: the worst of theirs.
pub(super) fn folder(args: &VerifyArgs, workspace: &Workspace, out: &mut Output) -> Result<u8, Stop> {
    let mut code = ANSWERED;
    let mut links: Vec<Link> = Vec::new();
    let mut examiner = Examiner::new(&args.limits, workspace);
    for path in certificates(&args.file)? {
        let (text, kind) = kind_of(&path)?;
        if !kind.contains_key("grundy_proof_certificate") {
            code = worse(code, other_kind(args, &path, workspace, out, &text, &kind)?);
            continue;
        }
        let certificate: Certificate = serde_json::from_slice(&text).map_err(|error| none(&path, &error))?;
        let (verdict, rests_on) = match examiner.look(&certificate) {
            Ok(found) => (found.verdict, found.rests_on),
            Err(limit) if limit.code.is_limit() => (Confirmation::Open(limit.message), certificate.rests_on.clone()),
            Err(error) => return Err(error.into()),
        };
        links.push(Link { path, certificate, verdict, rests_on });
    }
    let mut known: Vec<Option<Confirmation>> = vec![None; links.len()];
    for at in 0..links.len() {
        settle(&links, &mut known, at);
    }
    let mut confirmed = 0;
    for (link, verdict) in links.iter().zip(known) {
        let verdict = verdict.unwrap_or_else(|| Confirmation::Open("it was not looked at".into()));
        code = worse(code, verdict.code());
        confirmed += u64::from(verdict == Confirmation::Confirmed);
        let (statement, path, why) = (&link.certificate.statement, link.path.display(), verdict.why());
        if args.json {
            out.json(&json!({
                "file": path.to_string(), "statement": statement, "confirmed": why.is_none(), "verdict": verdict.word(),
                "reason": why, "rests_on": link.rests_on
            }))?;
        } else {
            let why = why.map(|why| format!(": {why}")).unwrap_or_default();
            out.text(&format!("{:<11}{statement}{why}  [{path}]\n", verdict.word()))?;
            for other in &link.rests_on {
                out.text(&format!("{:11}it rests on {other}\n", ""))?;
            }
        }
    }
    if !args.json {
        let all = counted(links.len() as u64, "proof");
        out.text(&format!("{confirmed} of {all} confirmed, with all that they rest on\n"))?;
    }
    Ok(code)
}

/// The files in a folder that may be certificates, by their names.
fn certificates(folder: &Path) -> Result<Vec<PathBuf>, Diagnostic> {
    let unread =
        |error: std::io::Error| Diagnostic::bare(Code::D03, format!("`{}` cannot be read: {error}", folder.display()));
    let entries: Result<Vec<PathBuf>, _> =
        fs::read_dir(folder).map_err(unread)?.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut paths = entries.map_err(unread)?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    if paths.is_empty() {
        return Err(Diagnostic::bare(Code::D03, format!("there is no certificate in `{}`", folder.display())));
    }
    Ok(paths)
}

/// Finds what is known of a certificate with all that it rests on: depth first, each once. Nothing rests on itself.
fn settle(links: &[Link], known: &mut [Option<Confirmation>], first: usize) {
    // With the number of the statement that is looked at next.
    let mut open: Vec<(usize, usize)> = vec![(first, 0)];
    while let Some((at, next)) = open.pop() {
        if known[at].is_some() {
            continue;
        }
        let link = &links[at];
        if link.verdict != Confirmation::Confirmed {
            known[at] = Some(link.verdict.clone());
            continue;
        }
        let Some(other) = link.rests_on.get(next) else {
            known[at] = Some(Confirmation::Confirmed);
            continue;
        };
        let found = links.iter().position(|one| one.certificate.statement == *other && is_same_text(link, one));
        match found.map(|found| (found, known[found].clone())) {
            None => {
                let why = format!("it rests on {other}, of which there is no certificate here");
                known[at] = Some(Confirmation::Open(why));
            }
            Some((found, None)) if found == at || open.iter().any(|(one, _)| *one == found) => {
                known[at] = Some(Confirmation::Wrong(format!("it rests on {other}, which rests on it")));
            }
            Some((found, None)) => open.extend([(at, next), (found, 0)]),
            Some((_, Some(Confirmation::Confirmed))) => open.push((at, next + 1)),
            Some((_, Some(Confirmation::Wrong(_)))) => {
                known[at] = Some(Confirmation::Wrong(format!("it rests on {other}, which is wrong")));
            }
            Some((_, Some(Confirmation::Open(_)))) => {
                known[at] = Some(Confirmation::Open(format!("it rests on {other}, which is open")));
            }
        }
    }
}

/// Whether two certificates are of one text, to which lemmas may have been added, and the one speaks of the statement of the other.
fn is_same_text(link: &Link, other: &Link) -> bool {
    let (a, b) = (link.certificate.game.trim_end(), other.certificate.game.trim_end());
    let uses = link.certificate.uses == other.certificate.uses;
    uses && (a.starts_with(b) || b.starts_with(a)) && link.certificate.game.contains(&other.certificate.words)
}
