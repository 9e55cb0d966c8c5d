//! `grundy heap`: the sequence of a take-and-break code or a subtraction set, its period, the proof.

use crate::cli::files;
use crate::cli::misere;
use crate::cli::output::Output;
use crate::cli::workspace::{ANSWERED, Stop, Workspace};
use crate::report;
use crate::report::heap::Asked;
use crate::source::{Code, Diagnostic, Sources, Span};
use crate::value::width;
use grundy_heap::game::{Bad, Game};
use grundy_heap::sequence::Sequence;
use grundy_heap::{Halt, MAX_VALUE, state};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// When the state of a long run is written for the first time, and how often after that.
const FIRST_SAVE: Duration = Duration::from_millis(500);
const SAVE: Duration = Duration::from_secs(5);
/// How many values are computed when nothing says how many: for codes that leave up to two heaps, and for others.
const USUAL: usize = 20_000;
const FEW: usize = 1_000;
/// The largest heap that can be asked for.
const FARTHEST: u64 = 1_000_000_000_000_000_000;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  grundy heap 0.77                      Kayles: values, period, exceptions
  grundy heap kayles -n 1e18            the value of one heap
  grundy heap '{2,5}'                   take 2 or 5
  grundy heap 'all-but{1,4}'            take anything but 1 or 4
  grundy heap '4!.'                     Grundy's game: two unequal parts (`?` not all equal, `=` equal)
  grundy heap 0.16 --prove=0.16.json    go on until a period is proved; write the certificate
  grundy heap kayles --misere           the misere quotient: what sums of heaps come to when who cannot move wins
  grundy heap --misere --survey 3       the misere quotients of all codes of three digits")]
pub(crate) struct HeapArgs {
    /// A code (`0.77`), a set (`{2,5}`, `all-but{1}`), or a name (`kayles`, `dawson`, `grundy`, `lasker`, `treblecross`)
    #[arg(value_name = "GAME", required_unless_present = "survey")]
    game: Option<String>,
    /// The misere quotient of the heaps: order, lost elements, generators, relations, period
    #[arg(long, conflicts_with_all = ["n", "values", "svg"])]
    misere: bool,
    /// With `--misere`: stop at this heap, unless the quotient is that of all heaps before
    #[arg(long, value_name = "N", requires = "misere")]
    pub(super) heaps: Option<usize>,
    /// With `--misere`: a line for each code `0.ddd` with up to so many octal digits; `--state FILE` keeps what is done
    #[arg(long, value_name = "DIGITS", requires = "misere", conflicts_with_all = ["game", "prove"], value_parser = clap::value_parser!(u32).range(1..=5))]
    survey: Option<u32>,
    /// The value of this heap, up to 10^18
    #[arg(short, value_name = "N", value_parser = crate::cli::args::count)]
    n: Option<u64>,
    /// Go on until a period is proved or a limit ends the work; `--prove=FILE` writes a certificate
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    #[allow(clippy::option_option)]
    pub(super) prove: Option<Option<PathBuf>>,
    /// List the first K values
    #[arg(long, value_name = "K")]
    values: Option<usize>,
    /// Print one JSON object
    #[arg(long, conflicts_with = "svg")]
    pub(super) json: bool,
    /// Print a picture of the values, with the period marked
    #[arg(long)]
    svg: bool,
    /// Keep the values in this file while working, and go on from there the next time
    #[arg(long, value_name = "FILE")]
    pub(super) state: Option<PathBuf>,
    #[command(flatten)]
    pub(super) limits: crate::cli::args::LimitArgs,
}

/// A wrong game as an error with a place.
pub(crate) fn refused(sources: &mut Sources, text: &str, bad: Bad) -> Diagnostic {
    let source = sources.add("<game>", text);
    // An argument of the command line is far shorter than 4 GiB.
    let span = Span { source, start: width::short(bad.at.start), end: width::short(bad.at.end) };
    let error = Diagnostic::new(Code::D02, span, bad.message).label(bad.label);
    if let Some(hint) = bad.hint { error.hint(hint) } else { error }
}

/// What a run is watched by: its limits, and the file that its state goes to.
struct Keeper<'k> {
    limits: crate::value::limits::Limits,
    game: &'k Game,
    file: Option<&'k Path>,
    saved: Instant,
    /// How long after that it is written again.
    pause: Duration,
    reason: Option<Diagnostic>,
}

impl Keeper<'_> {
    fn look(&mut self, values: &[u16]) -> Result<(), Halt> {
        // Two bytes a value, two for its place, and as many again while a period is looked for.
        let checked = self.limits.check(values.len() as u64, 6 * values.len());
        let checked = checked.map_err(|fault| Diagnostic::bare(fault.code, fault.message));
        let due = self.file.is_some() && self.saved.elapsed() > self.pause;
        let done = checked.and_then(|()| if due { self.save(values) } else { Ok(()) });
        done.map_err(|error| {
            self.reason = Some(error);
            Halt::Stopped
        })
    }

    /// Writes the state.
    fn save(&mut self, values: &[u16]) -> Result<(), Diagnostic> {
        let Some(file) = self.file else { return Ok(()) };
        files::write(file, &state::encode(self.game, values))?;
        (self.saved, self.pause) = (Instant::now(), SAVE);
        Ok(())
    }

    /// Why the work ended as it did.
    fn explain(&mut self, halt: Halt) -> Diagnostic {
        let reason = self.reason.take();
        match halt {
            Halt::Stopped => reason.unwrap_or_else(|| Diagnostic::bare(Code::L03, "interrupted")),
            Halt::TooLarge => Diagnostic::bare(Code::L02, format!("a Grundy value above {MAX_VALUE} is not kept"))
                .hint("smaller heaps are answered"),
        }
    }
}

fn resume(file: &Path, game: &Game) -> Result<Vec<u16>, Diagnostic> {
    let wrong = |why: String| Diagnostic::bare(Code::D03, format!("`{}` cannot be used: {why}", file.display()));
    if !file.try_exists().unwrap_or(true) {
        return Ok(Vec::new());
    }
    state::decode(game, &files::read(file, "state file", Code::D03)?).map_err(wrong)
}

pub(super) fn run(args: &HeapArgs, workspace: &mut Workspace, out: &mut Output) -> Result<u8, Stop> {
    let start = Instant::now();
    if let Some(digits) = args.survey {
        return misere::survey(args, digits, workspace, out);
    }
    let text = args.game.as_deref().unwrap_or_default();
    let game = Game::parse(text).map_err(|bad| refused(&mut workspace.sources, text, bad))?;
    if args.misere {
        if args.state.is_some() {
            return Err(Diagnostic::bare(Code::D02, "a quotient has no state to keep")
                .hint("`--state` goes with `--survey` here; `--prove=FILE` writes a certificate")
                .into());
        }
        return misere::run(args, game, workspace, out);
    }
    if args.n.is_some_and(|n| n > FARTHEST) {
        return Err(Diagnostic::bare(Code::D02, format!("heaps go up to 10^18, which is {FARTHEST}")).into());
    }
    let values = args.state.as_deref().map_or(Ok(Vec::new()), |file| resume(file, &game))?;
    let mut sequence = Sequence::resumed(game.clone(), values);
    sequence.use_threads(workspace.limits.most_threads());
    let mut keeper = Keeper {
        limits: workspace.limits.clone().with_time(args.limits.time),
        game: &game,
        file: args.state.as_deref(),
        saved: Instant::now(),
        pause: FIRST_SAVE,
        reason: None,
    };
    let progress = workspace.progress();
    let done = work(args, &mut sequence, &mut keeper);
    drop(progress);
    if args.state.is_some() {
        keeper.save(sequence.values())?;
    }
    let value = args.n.map(|n| (n, sequence.value(n)));
    let asked = Asked { heap: value, values: args.values };
    if let Err(halt) = done {
        if !args.json && !args.svg {
            out.text(&report::heap::text(&sequence, asked, start.elapsed()))?;
        }
        return Err(keeper.explain(halt).into());
    }
    if let Some(Some(file)) = &args.prove {
        write_certificate(file, &mut sequence, &mut keeper)?;
    }
    if args.svg {
        out.text(&picture(&sequence, asked))?;
    } else if args.json {
        out.json(&report::heap::json(&sequence, asked, start.elapsed()))?;
    } else {
        out.text(&report::heap::text(&sequence, asked, start.elapsed()))?;
    }
    Ok(ANSWERED)
}

fn work(args: &HeapArgs, sequence: &mut Sequence, keeper: &mut Keeper) -> Result<(), Halt> {
    let mut watch = |values: &[u16]| keeper.look(values);
    let three = match sequence.game() {
        Game::Code(code) => code.most_parts() == 3,
        Game::Subtraction(_) | Game::AllBut(_) | Game::Lasker => false,
    };
    let usual = if three { FEW } else { USUAL };
    let far = args.n.map_or(0, |n| width::index(n).saturating_add(1));
    let far = far.max(args.values.unwrap_or(0));
    let len = if args.prove.is_some() { usize::MAX } else { far.max(usual) };
    sequence.search(len, &mut watch)
}

fn write_certificate(file: &Path, sequence: &mut Sequence, keeper: &mut Keeper) -> Result<(), Stop> {
    let made = grundy_heap::certificate::Certificate::of(sequence, &mut |values| keeper.look(values));
    let Some(certificate) = made.map_err(|halt| keeper.explain(halt))? else { return Ok(()) };
    let json = serde_json::to_string_pretty(&certificate).map_err(std::io::Error::other)?;
    Ok(files::write(file, (json + "\n").as_bytes())?)
}

/// The values as a picture: as many as asked, or the pre-period and three periods, or up to the heap asked for if it is not far.
fn picture(sequence: &Sequence, asked: Asked) -> String {
    const MOST: usize = 20_000;
    let period = sequence.period();
    let heap = asked.heap.and_then(|(n, _)| usize::try_from(n).ok()).filter(|&n| n < MOST).map_or(0, |n| n + 1);
    let usual = period.map_or(1000, |p| (p.start + 3 * p.length).clamp(100, MOST)).max(heap);
    let values: Vec<u64> = (0..asked.values.unwrap_or(usual) as u64).map_while(|n| sequence.value(n)).collect();
    let marks: Vec<(usize, String)> = period.map_or(Vec::new(), |p| {
        let how = if p.proof.is_some() { "period" } else { "observed period" };
        vec![(p.start, format!("{how} {} from {}", p.length, p.start)), (p.start + p.length, String::new())]
    });
    report::picture::dots(&format!("Grundy values of {}", sequence.game()), "n", 0, &values, &marks)
}
