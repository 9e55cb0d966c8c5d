//! `grundy prove`: what files claim, proved for all positions.

use crate::claim;
use crate::cli::args::LimitArgs;
use crate::cli::check::{Tally, game_files, summary, tell, tell_file};
use crate::cli::load;
use crate::cli::output::{Output, finish};
use crate::cli::session::Session;
use crate::cli::stop::{ANSWERED, BAD, Stop, exit_code, worse};
use crate::prove::prove_file;
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Arguments.
#[derive(Args, Debug)]
#[command(after_help = "\
A claim or theorem ends as PROVED, for all positions and by the rules themselves; as REFUTED with a smallest counterexample,
which was played through; or as UNKNOWN with what stands in the way. Rule parameters and lengths of lists are gone through one
by one, a proof each, and the answer says how far.

Exit code: 0 all proved, 1 something is refuted, 2 a bad file, 3 something is UNKNOWN.

`--time` is for each file and shared by its statements [default: 60s].")]
pub(crate) struct ProveArgs {
    /// Game files; of a folder every `.game` file in it
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON object per claim and theorem
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: LimitArgs,
}

/// Runs the command.
pub(crate) fn run(args: &ProveArgs) -> u8 {
    let mut session = Session::new(&args.limits);
    let mut out = Output::new();
    let result = all(args, &mut session, &mut out);
    finish(result, &session, &mut out, args.json)
}

fn all(args: &ProveArgs, session: &mut Session, out: &mut Output) -> Result<u8, Stop> {
    let mut code = ANSWERED;
    let mut tally = Tally::default();
    for path in &args.files {
        for file in game_files(path)? {
            match one(args, &file, session, out, &mut tally) {
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

fn one(args: &ProveArgs, path: &Path, session: &mut Session, out: &mut Output, tally: &mut Tally) -> Result<u8, Stop> {
    /// For one file.
    const TIME: Duration = Duration::from_mins(1);
    let parsed = load::parse(path, &mut session.sources)?;
    let own = parsed.source;
    let loaded = parsed.check(&mut session.sources)?;
    let mut machine = session.machine_without_clock(&loaded);
    let progress = session.progress();
    let (mut code, mut stopped) = (ANSWERED, None);
    let file = claim::File { sources: &session.sources, own };
    prove_file(&mut machine, args.limits.time.unwrap_or(TIME), file, &mut |finding| {
        code = worse(code, u8::try_from(finding.exit_code()).unwrap_or(BAD));
        tally.count(&finding);
        if stopped.is_none() {
            stopped = tell(args.json, &finding, session, out).err();
            if stopped.is_some() {
                // Nobody is listening any more.
                session.interrupted.store(true, Ordering::Relaxed);
            }
        }
    });
    drop(progress);
    if !loaded.refused.is_empty() {
        code = worse(code, exit_code(&loaded.refused));
        tally.errors += loaded.refused.len();
        tell_file(args.json, path, session, out, &loaded.refused)?;
    }
    stopped.map_or(Ok(code), Err)
}
