//! `grundy check`: what files claim, tested by their rules.

use crate::answer::{Finding, Verdict};
use crate::claims::{self, Budget};
use crate::cli::complete;
use crate::cli::load::{self, Loaded};
use crate::cli::output::Output;
use crate::cli::proofs::proofs;
use crate::cli::workspace::{BAD, Stop, Workspace, exit_code, worse};
use crate::report::{paint, verdict};
use crate::source::{Code, Diagnostic};
use serde_json::{Map, Value as Json};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;
use std::{fs, io};

#[derive(clap::Args, Debug)]
#[command(after_help = "\
A claim ends as VERIFIED up to the bound that was searched, PROVED, REFUTED with a smallest counterexample, or UNKNOWN with
the limit that stopped it; an `expect` line as PASSED or FAILED. A `claim false` succeeds when it is REFUTED.

Exit code: 0 all as it should be, 1 something failed, 2 a bad file, 3 something is UNKNOWN.

`--time` is for each file and shared by its statements. Without it steps are counted and not time, so that every machine comes
equally far: an ordinary file takes a second or two.")]
pub(crate) struct CheckArgs {
    /// Game files; of a folder every `.game` file in it
    #[arg(required = true)]
    #[arg(add = complete::game_file())]
    files: Vec<PathBuf>,
    /// Print one JSON object per claim, theorem, `same as` and `expect`
    #[arg(long)]
    pub(super) json: bool,
    /// Changes nothing: `check` never takes a theorem on trust
    #[arg(long)]
    #[allow(dead_code)] // said for scripts that give it to every command
    exhaustive: bool,
    /// Prove for all positions what can be proved, as `grundy prove` does
    #[arg(long)]
    prove: bool,
    #[command(flatten)]
    pub(super) limits: crate::cli::args::LimitArgs,
}

pub(super) fn run(args: &CheckArgs, workspace: &mut Workspace, out: &mut Output) -> Result<u8, Stop> {
    each_file(args.json, &args.files, workspace, out, &mut |file, workspace, out, tally| {
        one(args, file, workspace, out, tally)
    })
}

/// What a command does with one file.
type OneFile<'f> = dyn FnMut(&Path, &mut Workspace, &mut Output, &mut Tally) -> Result<(), Stop> + 'f;

pub(super) fn each_file(
    json: bool,
    paths: &[PathBuf],
    workspace: &mut Workspace,
    out: &mut Output,
    one: &mut OneFile<'_>,
) -> Result<u8, Stop> {
    let mut files = Vec::new();
    for path in paths {
        files.extend(game_files(path)?);
    }
    let mut tally = Tally { json, ..Tally::default() };
    for file in &files {
        if workspace.interrupted.load(Ordering::Relaxed) {
            return Err(Diagnostic::bare(Code::L03, format!("interrupted before `{}`", file.display())).into());
        }
        match one(file, workspace, out, &mut tally) {
            Ok(()) => {}
            Err(Stop::Errors(errors)) => tally.tell_errors(1, file, workspace, out, &errors)?,
            Err(stop) => return Err(stop),
        }
    }
    if !json && workspace.notes() {
        out.text(&tally.summary())?;
    }
    Ok(tally.code)
}

/// The file itself, or every game file below a folder, by name.
fn game_files(path: &Path) -> Result<Vec<PathBuf>, Diagnostic> {
    fn below(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            // Links are not followed into folders, so that there is no going in circles.
            if entry.file_type()?.is_dir() {
                below(&entry.path(), files)?;
            } else if entry.path().extension().is_some_and(|extension| extension == "game") {
                files.push(entry.path());
            }
        }
        Ok(())
    }
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut files = Vec::new();
    let name = path.display().to_string();
    below(path, &mut files)
        .map_err(|error| Diagnostic::bare(Code::D03, format!("folder `{name}` cannot be read: {error}")))?;
    if files.is_empty() {
        return Err(Diagnostic::bare(Code::D03, format!("there is no `.game` file in `{name}`")));
    }
    files.sort();
    Ok(files)
}

fn one(
    args: &CheckArgs,
    path: &Path,
    workspace: &mut Workspace,
    out: &mut Output,
    tally: &mut Tally,
) -> Result<(), Stop> {
    let time = args.limits.time.unwrap_or(Budget::default().time);
    let parsed = load::parse(path, &mut workspace.sources, &args.limits.allow_path)?;
    let own = parsed.source;
    let loaded = parsed.clone().check(&mut workspace.sources)?;
    let mut ctx = workspace.context_without_clock(&loaded);
    workspace.allow(Some(time));
    let progress = workspace.progress();
    let (mut proved, start) = (Vec::new(), Instant::now());
    if args.prove {
        // Half of a time that is limited is for searching.
        let time = if args.limits.time.is_some() { time / 2 } else { time };
        proofs(&parsed, &loaded, (time, false), workspace, &mut |proof, _, _| {
            if let Ok(Verdict::Proved { .. }) = proof.finding.verdict {
                proved.push(proof.finding);
            }
        });
    }
    let budget = match args.limits.time {
        Some(time) if args.prove => Budget { time: time.saturating_sub(start.elapsed()), ..Budget::default() },
        Some(time) => Budget { time, ..Budget::default() },
        None => Budget::counted(),
    };
    let file = claims::File { sources: &workspace.sources, own };
    claims::check(&mut ctx, &budget, file, &mut |mut finding| {
        let proof = proved.iter().find(|proof| proof.span == finding.span);
        if let (Ok(Verdict::Verified), Some(proof)) = (&finding.verdict, proof) {
            finding.verdict.clone_from(&proof.verdict);
            finding.bound.clone_from(&proof.bound);
        }
        tally.tell(&finding, Vec::new(), workspace, out);
    });
    drop(progress);
    tally.end_file(path, &loaded, workspace, out)
}

/// What a command adds to a finding: a key and its value in JSON, a word and a line in text.
pub(super) struct Note {
    pub(super) key: &'static str,
    pub(super) word: &'static str,
    pub(super) json: Json,
    pub(super) text: String,
}

fn tell(json: bool, finding: &Finding, notes: Vec<Note>, workspace: &Workspace, out: &mut Output) -> Result<(), Stop> {
    if json {
        let mut object = verdict::to_object(finding);
        for note in notes {
            object[note.key] = note.json;
        }
        out.json(&object)?;
    } else {
        let text = verdict::to_text(finding);
        let word = verdict::word(finding);
        let rest = text.strip_prefix(word).unwrap_or(&text);
        let coloured = match &finding.verdict {
            Ok(Verdict::Unknown { .. } | Verdict::ProvedPart { .. }) => paint::yellow(word),
            Ok(_) if finding.success() => paint::green(word),
            _ => paint::red(word),
        };
        let place = paint::dim(&format!("  [{}]", workspace.place(finding.span)));
        let (first, below) = rest.split_once('\n').map_or((rest, ""), |(first, below)| (first, below));
        let below = if below.is_empty() { String::new() } else { format!("\n{below}") };
        out.text(&format!("{coloured}{first}{place}{below}\n"))?;
        for Note { word, text, .. } in notes {
            out.text(&format!("{:10}{word:<8}{text}\n", ""))?;
        }
    }
    out.flush()?;
    if let (Err(error), false) = (&finding.verdict, json) {
        workspace.tell(&[workspace.explained((**error).clone())]);
    }
    Ok(())
}

#[derive(Default)]
pub(super) struct Tally {
    json: bool,
    good: usize,
    failed: usize,
    unknown: usize,
    part: usize,
    errors: usize,
    code: u8,
    /// Why nothing more can be printed.
    stopped: Option<Stop>,
}

impl Tally {
    pub(super) fn tell(&mut self, finding: &Finding, notes: Vec<Note>, workspace: &Workspace, out: &mut Output) {
        self.code = worse(self.code, u8::try_from(finding.exit_code()).unwrap_or(BAD));
        match &finding.verdict {
            Err(_) => self.errors += 1,
            Ok(Verdict::Unknown { .. }) => self.unknown += 1,
            Ok(Verdict::ProvedPart { .. }) => self.part += 1,
            Ok(_) if finding.success() => self.good += 1,
            Ok(_) => self.failed += 1,
        }
        if self.stopped.is_none() {
            self.stopped = tell(self.json, finding, notes, workspace, out).err();
            if self.stopped.is_some() {
                // Nobody is listening any more.
                workspace.interrupted.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Prints the errors of a file, which count for so many.
    fn tell_errors(
        &mut self,
        count: usize,
        file: &Path,
        workspace: &Workspace,
        out: &mut Output,
        errors: &[Diagnostic],
    ) -> Result<(), Stop> {
        self.code = worse(self.code, exit_code(errors));
        self.errors += count;
        let head = Map::from_iter([("file".to_string(), Json::from(file.display().to_string()))]);
        out.errors(self.json, &head, errors, workspace)
    }

    /// Prints what was refused of a file whose other statements have been told.
    pub(super) fn end_file(
        &mut self,
        file: &Path,
        loaded: &Loaded,
        workspace: &Workspace,
        out: &mut Output,
    ) -> Result<(), Stop> {
        if !loaded.refused.is_empty() {
            self.tell_errors(loaded.refused.len(), file, workspace, out, &loaded.refused)?;
        }
        self.stopped.take().map_or(Ok(()), Err)
    }

    fn summary(&self) -> String {
        let all = [
            (self.failed, "failed", paint::red as fn(&str) -> String),
            (self.errors, "in error", paint::red),
            (self.part, "proved for a part", paint::yellow),
            (self.unknown, "unknown", paint::yellow),
        ];
        if self.good == 0 && all.iter().all(|(count, ..)| *count == 0) {
            return "nothing is claimed\n".into();
        }
        let mut parts = vec![paint::green(&format!("{} as it should be", self.good))];
        parts.extend(
            all.iter().filter(|(count, ..)| *count > 0).map(|(count, what, paint)| paint(&format!("{count} {what}"))),
        );
        parts.join(", ") + "\n"
    }
}
