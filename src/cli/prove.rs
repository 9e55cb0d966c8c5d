//! `grundy prove`: what files claim, proved for all positions.

use crate::cli::certificates::{keep, note};
use crate::cli::check::{Tally, each_file};
use crate::cli::complete;
use crate::cli::output::Output;
use crate::cli::workspace::{Stop, Workspace};
use crate::prover::{arguments, prove_file};
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
    let parsed = crate::cli::load::parse(path, &mut workspace.sources, &args.limits.allow_path)?;
    let own = parsed.source;
    let loaded = parsed.check(&mut workspace.sources)?;
    let mut ctx = workspace.context_without_clock(&loaded);
    let progress = workspace.progress();
    let file = crate::claims::File { sources: &workspace.sources, own };
    let time = args.limits.time.unwrap_or(TIME);
    workspace.allow(Some(crate::claims::at_most(&loaded.program, time)));
    match &args.certificates {
        None => prove_file(&mut ctx, time, file, &mut |finding| tally.tell(&finding, Vec::new(), workspace, out)),
        Some(folder) => arguments(&mut ctx, time, file, &mut |mut finding, argument| {
            let kept = keep(folder, names, &finding, &argument, file).unwrap_or_else(|error| {
                finding.verdict = Err(Box::new(error));
                None
            });
            tally.tell(&finding, kept.map(note).into_iter().collect(), workspace, out);
        }),
    }
    drop(progress);
    tally.end_file(path, &loaded, workspace, out)
}
