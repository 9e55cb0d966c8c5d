//! `grundy heap GAME --misere`: the misere quotient of a game of heaps, and surveys of many codes.

use crate::cli::files;
use crate::cli::heap::HeapArgs;
use crate::cli::output::Output;
use crate::cli::workspace::{ANSWERED, Stop, Workspace};
use crate::report::misere::{Reach, json, text};
use crate::source::{Code, Diagnostic};
use crate::value::limits::Limits;
use grundy_heap::Halt;
use grundy_heap::game::Game;
use grundy_heap::misere::certificate::Certificate;
use grundy_heap::misere::period::proved;
use grundy_heap::misere::quotient::{Bounds, Quotient, Stop as Ended};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::time::{Duration, Instant};

/// How many heaps are looked at when nothing says how many.
const USUAL: usize = 1_000;
/// How often the state of a survey is written.
const SAVE: Duration = Duration::from_secs(1);
/// The bounds of a survey, for each code.
const SURVEY_HEAPS: usize = 800;
const SURVEY: Bounds = Bounds { order: 200, pairs: 10_000, products: 50_000_000 };

/// Adds heaps until the quotient is that of all heaps, or that of `most`, or no larger one is found; or a limit ends it.
fn extend(quotient: &mut Quotient, most: usize, mut bounds: Bounds, limits: &Limits) -> Result<Reach, Diagnostic> {
    let mut reason = None;
    while quotient.images().len() <= most {
        let pairs = quotient.pairs() as u64;
        let mut look = |bytes: usize| {
            limits.check(pairs, bytes).map_err(|fault| {
                reason = Some(Diagnostic::bare(fault.code, fault.message));
                Halt::Stopped
            })
        };
        match look(0).map_err(Ended::from).and_then(|()| quotient.add(&mut bounds, &mut look)) {
            Ok(()) => {}
            Err(Ended::NotFound) => return Ok(Reach::AtLeast),
            Err(Ended::Halted(_)) => {
                return Err(reason.unwrap_or_else(|| Diagnostic::bare(Code::L03, "interrupted")));
            }
        }
        if let Some(period) = proved(quotient.game(), quotient.images()) {
            return Ok(Reach::Complete(period));
        }
    }
    Ok(Reach::Partial)
}

/// The quotient of one game.
pub(super) fn run(args: &HeapArgs, game: Game, workspace: &Workspace, out: &mut Output) -> Result<u8, Stop> {
    let start = Instant::now();
    let limits = workspace.limits.clone().with_time(args.limits.time);
    let mut quotient = Quotient::new(game);
    let progress = workspace.progress();
    let reach = extend(&mut quotient, args.heaps.unwrap_or(USUAL), Bounds::default(), &limits);
    drop(progress);
    let told = *reach.as_ref().unwrap_or(&Reach::AtLeast);
    if args.json {
        out.json(&json(&quotient, told, start.elapsed()))?;
    } else {
        out.text(&text(&quotient, told, start.elapsed()))?;
    }
    let reach = reach?;
    if let Some(Some(file)) = &args.prove {
        let certificate = serde_json::to_string(&Certificate::of(&quotient)).map_err(std::io::Error::other)?;
        files::write(file, (certificate + "\n").as_bytes())?;
    }
    if reach == Reach::AtLeast {
        let heaps = quotient.images().len() - 1;
        let message =
            format!("no quotient of the heaps up to {} was found: it may be infinite or too large", heaps + 1);
        let hint = format!("there are at least {} classes of sums of heaps up to {heaps}", quotient.monoid().order());
        return Err(Diagnostic::bare(Code::L02, message).hint(hint).into());
    }
    Ok(ANSWERED)
}

/// What a survey says of a code.
#[derive(Serialize, Deserialize, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
struct Surveyed {
    code: String,
    status: String,
    heaps: usize,
    order: usize,
    lost_count: usize,
    transitions: usize,
    period: Option<usize>,
    preperiod: Option<usize>,
}

impl Surveyed {
    fn line(&self) -> String {
        let Surveyed { code, status, heaps, order, lost_count, transitions, period, preperiod } = self;
        let reach = match (period, preperiod) {
            (Some(period), Some(start)) => format!("period {period} from {start}"),
            _ => format!("heaps up to {heaps}"),
        };
        format!("{code:<6} {status:<9} order {order:>3}, {lost_count:>2} lost, {transitions:>5} pairs, {reach}\n")
    }
}

/// All codes `0.` with at most so many octal digits, one after the other; what is in the state file is not computed again.
pub(super) fn survey(args: &HeapArgs, digits: u32, workspace: &Workspace, out: &mut Output) -> Result<u8, Stop> {
    let limits = workspace.limits.clone().with_time(args.limits.time);
    let heaps = args.heaps.unwrap_or(SURVEY_HEAPS);
    let mut state = State::resumed(args.state.as_deref(), heaps)?;
    let progress = workspace.progress();
    for number in 0..8usize.pow(digits) {
        let digit = |at: u32| char::from(b"01234567"[number >> (3 * at) & 7]);
        let digits: String = (0..digits).rev().map(digit).collect();
        let Ok(game) = Game::parse(&format!("0.{}", digits.trim_end_matches('0'))) else { continue };
        let code = game.to_string();
        if !state.all.iter().any(|known| known.code == code) {
            match one(game, heaps, &limits) {
                Ok(surveyed) => state.add(surveyed)?,
                Err(error) => {
                    state.save()?;
                    return Err(error.into());
                }
            }
        }
        let Some(known) = state.all.iter().find(|known| known.code == code) else { continue };
        if args.json {
            out.json(known)?;
        } else {
            out.text(&known.line())?;
        }
        out.flush_soon()?;
    }
    drop(progress);
    state.save()?;
    Ok(ANSWERED)
}

/// What a survey has found, and the file that it is kept in: a line for each code, behind its checksum.
struct State<'f> {
    file: Option<&'f Path>,
    heaps: usize,
    all: Vec<Surveyed>,
    saved: Instant,
}

impl<'f> State<'f> {
    fn resumed(file: Option<&'f Path>, heaps: usize) -> Result<Self, Diagnostic> {
        let mut state = State { file, heaps, all: Vec::new(), saved: Instant::now() };
        let Some(file) = file.filter(|file| file.try_exists().unwrap_or(true)) else { return Ok(state) };
        let wrong = |why: &str| Diagnostic::bare(Code::D03, format!("`{}` cannot be used: {why}", file.display()));
        let bytes = files::read(file, "state file", Code::D03)?;
        let text = std::str::from_utf8(&bytes).map_err(|_| wrong("it is no state of a survey"))?;
        for line in text.lines() {
            let (sum, json) = line.split_once(' ').ok_or_else(|| wrong("it is no state of a survey"))?;
            if sum != state.checksum(json) {
                return Err(wrong("a checksum is wrong, or the survey was one of other heaps"));
            }
            state.all.push(serde_json::from_str(json).map_err(|error| wrong(&error.to_string()))?);
        }
        Ok(state)
    }

    fn checksum(&self, json: &str) -> String {
        let bytes: Vec<u16> = format!("{} {json}", self.heaps).bytes().map(u16::from).collect();
        format!("{:016x}", grundy_heap::state::fingerprint(&bytes))
    }

    fn add(&mut self, surveyed: Surveyed) -> Result<(), Diagnostic> {
        self.all.push(surveyed);
        if self.saved.elapsed() > SAVE { self.save() } else { Ok(()) }
    }

    fn save(&mut self) -> Result<(), Diagnostic> {
        let Some(file) = self.file else { return Ok(()) };
        let mut text = String::new();
        for surveyed in &self.all {
            let json = serde_json::to_string(surveyed).map_err(|error| files::unwritten(file, &error))?;
            text += &[&self.checksum(&json), " ", &json, "\n"].concat();
        }
        self.saved = Instant::now();
        files::write(file, text.as_bytes())
    }
}

const AT_LEAST: &str = "at least";

fn one(game: Game, heaps: usize, limits: &Limits) -> Result<Surveyed, Diagnostic> {
    let mut quotient = Quotient::new(game);
    let reach = extend(&mut quotient, heaps, SURVEY, limits)?;
    let (status, period) = match reach {
        Reach::Complete(period) => ("complete", Some(period)),
        Reach::Partial => ("partial", None),
        Reach::AtLeast => (AT_LEAST, None),
    };
    let monoid = quotient.monoid();
    Ok(Surveyed {
        code: quotient.game().to_string(),
        status: status.into(),
        heaps: quotient.images().len() - 1,
        order: monoid.order(),
        lost_count: monoid.elements().filter(|x| monoid.is_lost(*x)).count(),
        transitions: quotient.pairs(),
        period: period.map(|period| period.length),
        preperiod: period.map(|period| period.start),
    })
}
