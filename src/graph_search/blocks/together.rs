//! What the processes that have the blocks of a box tell each other besides bunches: whether all goes well, what they met, and
//! what the first of them wants to know.
//!
//! All take the same way through a run. Where one fails it says so at the next place where they meet, and all end alike.

use crate::graph_search::blocks::lister::{MOST, Seen};
use crate::graph_search::blocks::save::Met;
use crate::processes::Crew;
use crate::source::Code;
use crate::value::Fault;
use crate::value::fault::Halt;
use crate::value::refusal::{Attempt, Failure, Refusal};
use serde::{Deserialize, Serialize};

/// What the first process wants of the others. `job`: the number of a box.
#[derive(Debug, Serialize, Deserialize)]
pub enum Order {
    /// To work a box out: what it is of, in words of whoever asks for it.
    Work(serde_json::Value),
    /// The cell of a rank.
    Read(u32, u64),
    /// As many rounds as the values of these ranks take.
    Values(u32, Vec<u64>),
    /// The ways from a rank to ends of the play.
    Leads(u32, u64),
    /// A box is not wanted any more.
    Forget(u32),
    /// The question is answered.
    Over,
}

fn unreadable() -> Fault {
    Fault::new(Code::L02, "what another process tells cannot be read")
}

impl Order {
    /// Gives the order to all others: by the first process.
    pub fn give(&self, crew: &Crew) -> Result<(), Fault> {
        let bytes = serde_json::to_vec(self).map_err(|_| unreadable())?;
        crew.mesh.lock().meet(bytes, |_| {}).map(|_| ())
    }

    /// Waits for an order of the first process.
    pub fn take(crew: &Crew) -> Result<Order, Fault> {
        let told = crew.mesh.lock().meet(Vec::new(), |_| {})?;
        told.first().and_then(|bytes| serde_json::from_slice(bytes).ok()).ok_or_else(unreadable)
    }
}

/// Why a process cannot go on.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Failed {
    Refused(Refusal),
    /// Code, message, hint.
    Fault(String, String, Option<String>),
}

impl Failed {
    fn of(why: &Failure) -> Failed {
        let fault = |code: Code, message: &str, hint: Option<&str>| {
            Failed::Fault(code.to_string(), message.to_string(), hint.map(str::to_string))
        };
        match why {
            Failure::Refused(why) => Failed::Refused(*why),
            Failure::Halted(Halt::Error(error)) => fault(error.code, &error.message, error.hint.as_deref()),
            Failure::Halted(Halt::Fault(error)) => fault(error.code, &error.message, error.hint.as_deref()),
            Failure::Halted(Halt::Deopt(_)) => fault(Code::L02, "the rules are wanted in another form", None),
        }
    }

    fn told(self, host: usize) -> Failure {
        match self {
            Failed::Refused(why) => why.into(),
            Failed::Fault(code, message, hint) => {
                let code = Code::ALL.iter().find(|known| known.as_str() == code).copied().unwrap_or(Code::L02);
                let fault = Fault::new(code, format!("host {host}: {message}"));
                Halt::Fault(hint.into_iter().fold(fault, Fault::hint)).into()
            }
        }
    }

    fn is_over_time(&self) -> bool {
        matches!(self, Failed::Fault(code, ..) if code == Code::L03.as_str())
    }
}

/// What a process tells where all meet.
#[derive(Debug, Default, Serialize, Deserialize)]
#[allow(clippy::struct_excessive_bools)] // told at different places
pub(super) struct Report {
    pub(super) failed: Option<Failed>,
    /// It has groups left of this step.
    pub(super) open: bool,
    /// So many words it told to states before those that it decided.
    pub(super) told: u64,
    /// It is time for a checkpoint.
    pub(super) due: bool,
    /// The marks of the checkpoints that it has, the last one first.
    pub(super) marks: Vec<(u64, u64)>,
    /// A number for a run that begins anew, if this is the first process.
    pub(super) fresh: u64,
    /// The words that it met, and what was seen of the states with each.
    pub(super) words: Vec<(u64, [u64; 3])>,
    /// Some state of it leads to what is not known.
    pub(super) unknown: bool,
    /// How many states it has met.
    pub(super) states: u64,
    /// Cells of its states that were asked for.
    pub(super) cells: Vec<Option<u32>>,
}

/// Tells all processes a report, and takes theirs; `take`: what else has come until then. Whoever cannot go on says why, and
/// then all fail; the flag beside it says that each failed by the clock alone.
pub(super) fn meet(
    crew: &Crew,
    mine: Attempt<Report>,
    mut take: impl FnMut(&[u8]) -> Result<(), Fault>,
) -> Result<Vec<Report>, (Failure, bool)> {
    let hard = |why: Fault| (Failure::from(Halt::Fault(why)), false);
    let (report, own) = match mine {
        Ok(report) => (report, None),
        Err(why) => (Report { failed: Some(Failed::of(&why)), ..Report::default() }, Some(why)),
    };
    let bytes = serde_json::to_vec(&report).map_err(|_| hard(unreadable()))?;
    let mut wrong = Ok(());
    let told = crew.mesh.lock().meet(bytes, |bytes| {
        wrong = std::mem::replace(&mut wrong, Ok(())).and_then(|()| take(&bytes));
    });
    let told = wrong.and(told).map_err(hard)?;
    let all: Result<Vec<Report>, _> = told.iter().map(|bytes| serde_json::from_slice(bytes)).collect();
    let mut all = all.map_err(|_| hard(unreadable()))?;
    let failed: Vec<(usize, Failed)> =
        (0..).zip(&mut all).filter_map(|(host, report)| Some((host, report.failed.take()?))).collect();
    if failed.is_empty() {
        return Ok(all);
    }
    let over_time = failed.iter().all(|(_, why)| why.is_over_time());
    let first = failed.into_iter().next().map(|(host, why)| why.told(host));
    Err((own.or(first).unwrap_or_else(|| hard(unreadable()).0), over_time))
}

/// Tells the others, who begin with a box, that this process cannot; what becomes of it.
pub(super) fn fail(crew: &Crew, why: Failure) -> Failure {
    let told = why.clone();
    meet(crew, Err(why), |_| Ok(())).map_or_else(|(why, _)| why, |_| told)
}

/// Joins what all met: the words in the order of the processes, as in each. Error: they are too many.
pub(super) fn joined(reports: &[Report]) -> Result<Met, Refusal> {
    let mut met = Met::default();
    for (word, [ones, zeros, count]) in reports.iter().flat_map(|report| &report.words).copied() {
        let seen = Seen { ones, zeros, count };
        if let Some(at) = met.words.iter().position(|known| *known == word) {
            met.seen[at].join(&seen);
        } else {
            met.words.push(word);
            met.seen.push(seen);
        }
    }
    if met.words.len() > MOST { Err(Refusal::UnlikeMoves) } else { Ok(met) }
}
