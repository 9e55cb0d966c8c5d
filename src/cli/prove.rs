//! `grundy prove`: what files claim, proved for all positions.

use crate::answer::verdict::Finding;
use crate::claims;
use crate::cli::args::LimitArgs;
use crate::cli::certificates::keep;
use crate::cli::check::{Note, Tally, game_files, summary, tell, tell_file};
use crate::cli::load;
use crate::cli::output;
use crate::cli::output::Output;
use crate::cli::session::Session;
use crate::cli::stop::{ANSWERED, BAD, Stop, exit_code, worse};
use crate::prover::{Argument, Opinion, arguments, prove_file};
use crate::source::diagnostic::{Code, Diagnostic};
use clap::Args;
use grundy_automata::{Limit, Mona};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Arguments.
#[derive(Args, Debug)]
#[command(after_help = "\
A claim or theorem ends as PROVED, for all positions and by the rules themselves; as REFUTED with a smallest counterexample,
which was played through; or as UNKNOWN with what stands in the way. Rule parameters and lengths of lists are gone through one
by one, a proof each, and the answer says how far.

Exit code: 0 all proved, 1 something is refuted, 2 a bad file, 3 something is UNKNOWN.

`--time` is for each file and shared by its statements [default: 60s]; `--mona` may take as long again for each statement.")]
pub(crate) struct ProveArgs {
    /// Game files; of a folder every `.game` file in it
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON object per claim and theorem
    #[arg(long)]
    json: bool,
    /// Have the program `mona` decide every sentence of the proofs again, and fail if it differs
    #[arg(long)]
    mona: bool,
    /// Write a file for each proof into this folder, for `grundy verify`
    #[arg(long, value_name = "DIR")]
    certificates: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
}

/// Runs the command.
pub(crate) fn run(args: &ProveArgs) -> u8 {
    output::run(&args.limits, args.json, |session, out| all(args, session, out))
}

fn all(args: &ProveArgs, session: &mut Session, out: &mut Output) -> Result<u8, Stop> {
    let mut code = ANSWERED;
    let mut tally = Tally::default();
    let mut names = BTreeSet::new();
    for path in &args.files {
        for file in game_files(path)? {
            match one(args, &file, session, out, &mut tally, &mut names) {
                Ok(one) => code = worse(code, one),
                Err(Stop::Errors(errors)) => {
                    code = worse(code, exit_code(&errors));
                    tally.errors += 1;
                    tell_file(args.json, &file, session, out, &errors)?;
                }
                Err(stop) => return Err(stop),
            }
        }
    }
    if !args.json && session.notes() {
        out.text(&summary(&tally))?;
    }
    Ok(code)
}

fn one(
    args: &ProveArgs,
    path: &Path,
    session: &mut Session,
    out: &mut Output,
    tally: &mut Tally,
    names: &mut BTreeSet<PathBuf>,
) -> Result<u8, Stop> {
    /// For one file.
    const TIME: Duration = Duration::from_mins(1);
    let parsed = load::parse(path, &mut session.sources)?;
    let own = parsed.source;
    let loaded = parsed.check(&mut session.sources)?;
    let mut ctx = session.machine_without_clock(&loaded);
    let progress = session.progress();
    let (mut code, mut stopped) = (ANSWERED, None);
    let file = claims::File { sources: &session.sources, own };
    let time = args.limits.time.unwrap_or(TIME);
    let mona = if args.mona { Some(mona()?) } else { None };
    let mut told = |mut finding: Finding, argument: Argument| {
        let mut notes = Vec::new();
        if let Some(mona) = &mona {
            notes.extend(second(mona, time, session, &argument, &mut finding));
        }
        if let Some(folder) = &args.certificates {
            match keep(folder, names, &finding, &argument, file) {
                Ok(note) => notes.extend(note),
                Err(error) => finding.verdict = Err(Box::new(error)),
            }
        }
        code = worse(code, u8::try_from(finding.exit_code()).unwrap_or(BAD));
        tally.count(&finding);
        if stopped.is_none() {
            stopped = tell(args.json, &finding, notes, session, out).err();
            if stopped.is_some() {
                // Nobody is listening any more.
                session.interrupted.store(true, Ordering::Relaxed);
            }
        }
    };
    if mona.is_some() || args.certificates.is_some() {
        arguments(&mut ctx, time, file, &mut told);
    } else {
        prove_file(&mut ctx, time, file, &mut |finding| told(finding, Argument::default()));
    }
    drop(progress);
    if !loaded.refused.is_empty() {
        code = worse(code, exit_code(&loaded.refused));
        tally.errors += loaded.refused.len();
        tell_file(args.json, path, session, out, &loaded.refused)?;
    }
    stopped.map_or(Ok(code), Err)
}

/// The program `mona`, which must be there.
fn mona() -> Result<Mona, Diagnostic> {
    let missing = || {
        Diagnostic::bare(Code::D03, "`mona` is in no folder of PATH")
            .hint("it is a package of Debian and Ubuntu: apt-get install mona; without `--mona` it is not needed")
    };
    Mona::find().ok_or_else(missing)
}

/// Has every sentence decided again. Where the two procedures differ, one of them is wrong: then nothing is answered.
fn second(mona: &Mona, time: Duration, session: &Session, argument: &Argument, finding: &mut Finding) -> Option<Note> {
    let interrupted = session.interrupted.clone();
    let limit = Limit { deadline: Some(Instant::now() + time), interrupted, ..Limit::default() };
    let Opinion { agreed, undecided, reasons, differs } = Opinion::of(argument, mona, &limit);
    if let Some(differs) = differs {
        let message = format!("two decision procedures contradict each other: {differs}");
        let error =
            Diagnostic::bare(Code::D07, message).hint("this is an error of grundy or of mona: please report it");
        finding.verdict = Err(Box::new(error));
        return None;
    }
    let plural = if agreed == 1 { "" } else { "s" };
    let mut text = format!("{agreed} sentence{plural} decided alike");
    if undecided > 0 {
        text.extend([", ", &undecided.to_string(), " not decided (", &reasons.join("; "), ")"]);
    }
    if agreed + undecided == 0 {
        return None;
    }
    let json = json!({ "agreed": agreed, "undecided": undecided, "reasons": reasons });
    Some(Note { key: "mona", word: "mona", json, text })
}
