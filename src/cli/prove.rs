//! `grundy prove`: what files claim, proved for all positions.

use crate::cli::certificates::{keep, note};
use crate::cli::check::{Note, Tally, each_file};
use crate::cli::complete;
use crate::cli::output::Output;
use crate::cli::proofs::{Lemmas, Proof, proofs};
use crate::cli::workspace::{Stop, Workspace};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
A claim or theorem ends as PROVED, for all positions and by the rules themselves; as REFUTED with a smallest counterexample,
which was played through; or as UNKNOWN with what stands in the way. Rule parameters and lengths of lists are gone through one
by one, a proof each: where there are others the theorem ends as PROVED FOR those that are named.

Exit code: 0 all proved, 1 something is refuted, 2 a bad file, 3 something is UNKNOWN or proved for a part.

`--time` is for each file and shared by its statements [default: 60s].")]
pub(crate) struct ProveArgs {
    /// Game files; of a folder every `.game` file in it
    #[arg(required = true)]
    #[arg(add = complete::game_file())]
    files: Vec<PathBuf>,
    /// Print one JSON object per claim and theorem
    #[arg(long)]
    pub(super) json: bool,
    /// Write a file for each proof into this folder, for `grundy verify`
    #[arg(long, value_name = "DIR")]
    certificates: Option<PathBuf>,
    #[command(flatten)]
    pub(super) limits: crate::cli::args::LimitArgs,
}

pub(super) fn run(args: &ProveArgs, workspace: &mut Workspace, out: &mut Output) -> Result<u8, Stop> {
    let mut names = BTreeSet::new();
    each_file(args.json, &args.files, workspace, out, &mut |file, workspace, out, tally| {
        one(args, file, workspace, out, tally, &mut names)
    })
}

fn one(
    args: &ProveArgs,
    path: &Path,
    workspace: &mut Workspace,
    out: &mut Output,
    tally: &mut Tally,
    names: &mut BTreeSet<PathBuf>,
) -> Result<(), Stop> {
    const TIME: Duration = Duration::from_mins(1);
    let time = args.limits.time.unwrap_or(TIME);
    workspace.allow(None);
    workspace.free();
    workspace.allow(Some(time));
    let parsed = crate::cli::load::parse(path, &mut workspace.sources, &args.limits.allow_path)?;
    let own = parsed.source;
    let loaded = parsed.clone().check(&mut workspace.sources)?;
    let progress = workspace.progress();
    let folder = args.certificates.as_deref();
    let mut written = BTreeSet::new();
    proofs(&parsed, &loaded, (time, folder.is_some()), workspace, &mut |mut proof, lemmas, workspace| {
        let file = crate::claims::File { sources: &workspace.sources, own };
        let mut notes: Vec<Note> = lemmas_note(&proof, lemmas).into_iter().collect();
        if let Some(folder) = folder {
            let behind: &[String] = if proof.lemmas.is_empty() { &[] } else { &lemmas.lines };
            let new =
                proof.lemmas.iter().filter(|at| written.insert(**at)).filter_map(|at| lemmas.proofs[*at].as_ref());
            let mut kept = Ok(None);
            for one in new.chain([&proof]) {
                kept = keep(folder, names, (&one.finding, &one.argument), file, behind);
                if kept.is_err() {
                    break;
                }
            }
            match kept {
                Ok(kept) => notes.extend(kept.map(note)),
                Err(error) => proof.finding.verdict = Err(Box::new(error)),
            }
        }
        tally.tell(&proof.finding, notes, workspace, out);
    });
    drop(progress);
    tally.end_file(path, &loaded, workspace, out)
}

/// The lemmas that a proof rests on, as lines of a file.
fn lemmas_note(proof: &Proof, lemmas: &Lemmas) -> Option<Note> {
    let lines: Vec<&str> = proof.lemmas.iter().map(|at| lemmas.lines[*at].as_str()).collect();
    let text = lines.join("\n").replace('\n', &format!("\n{:18}", ""));
    (!lines.is_empty()).then(|| Note { key: "lemmas", word: "lemma", json: json!(lines), text })
}
