//! Games whose play may come back, in boxes that need not fit into memory: retrograde analysis in blocks of ranks.
//!
//! It finds for each state who wins, after how many moves, and the loopy value, if that is asked for. A state has two
//! bytes (in a folder half a byte until all is decided), and a bit for each change of the rank that some move makes where the rank does not tell by itself which
//! states have it. A step goes through all groups of blocks for which something waits. It takes what was decided in the
//! step before (`bunch`), decides states by it, and while the block is at hand tells the states before those by the
//! changes taken back (`shape`); what is told waits (`mail`) for the next step. So a block is wanted once in a step, and
//! nothing is read or written here and there. Measured, one thread, processor time: tokens that walk on 24 vertices with a
//! counter, 2^27 states, none of them drawn: 13.5 s and 1.0 GB in memory; in a folder 19.5 s with 256 MB, 20.4 s with 128
//! MB. The same on 22 vertices, 25 million states: 2.8 s, where a graph of all states of the box took 8.4 s. A message
//! for each move through a hash table came to 0.4 million states a second.
//!
//! In: the rules of an instance, a box, and a folder if tables are to be kept. Then a part of the blocks is in memory at a time
//! (`store`), and a run that ends at any moment goes on later (`save`).

mod bunch;
mod cells;
mod desk;
mod fresh;
mod lister;
mod listing;
mod mail;
mod planes;
mod pool;
mod run;
mod save;
mod shape;
mod shares;
mod states;
mod store;
pub mod together;
mod values;

use crate::disk::Folder;
use crate::graph_search::blocks::lister::Lister;
use crate::graph_search::blocks::run::Run;
use crate::graph_search::blocks::shape::Spread;
use crate::graph_search::blocks::together::Order;
use crate::graph_search::blocks::values::Said;
use crate::graph_search::retrograde::{Decided, LOSS, WIN};
use crate::graph_search::stages::Known;
use crate::jit::ranking::Grid;
use crate::processes::Crew;
use crate::source::Code;
use crate::syntax::tree::Outcome;
use crate::tables::BoxRules;
use crate::tables::expand::Changes;
use crate::value::limits::Limits;
use crate::value::refusal::{Attempt, Failure, Refusal};
use crate::value::{Fault, Halt, width};
use hashbrown::HashSet;
use parking_lot::Mutex;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How a table is made; answers do not depend on it.
#[derive(Clone, Debug)]
pub struct Setting {
    /// A block has `2^block_bits` ranks; at most 16.
    pub block_bits: u32,
    /// With a folder: bytes of blocks and bunches in memory; if not given, what the limits leave.
    pub memory: Option<usize>,
    /// At least so long from one checkpoint to the next, and at most so long until several processes meet.
    pub interval: Duration,
    /// Stops as if it was interrupted before the block or group of this number is begun, counted from 0.
    pub stop: Option<Stop>,
    /// The processes that work on it together, if there are several. Then all of them call the same.
    pub crew: Option<Arc<Crew>>,
}

/// Which states are worked out.
#[derive(Clone, Copy, Debug)]
pub struct Extent<'a> {
    /// The box.
    pub grid: &'a Grid,
    /// The least significant fields, of `2^n` values each, whose changes are exclusive ors.
    pub joined: &'a [bool],
    /// Only what is met from the state of a rank, so many states at most; `None`: all of the box.
    pub met: Option<(u64, u64)>,
}

impl Extent<'_> {
    /// The number of states of the joined fields.
    fn joined(&self) -> u64 {
        let joined = self.grid.digits.iter().zip(self.joined).filter(|(_, joined)| **joined);
        joined.map(|(digit, _)| digit.span.size).product()
    }
}

/// Where a run is stopped, for tests.
#[derive(Clone, Copy, Debug)]
pub struct Stop {
    /// So many blocks and groups are done before.
    pub after: u64,
    /// A checkpoint is made then.
    pub saves: bool,
}

impl Setting {
    /// Checkpoints every two seconds.
    pub const fn new(block_bits: u32) -> Setting {
        Setting { block_bits, memory: None, interval: Duration::from_secs(2), stop: None, crew: None }
    }
}

/// The value of a state in normal play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoopyValue {
    /// A number.
    Finite(u32),
    /// Infinite, with the finite values of the options.
    Infinite,
    /// There is none: whether it leads to a move that ends the play, to an end of it, to a move that keeps the turn.
    Forbidden([bool; 3]),
}

fn fault(why: Failure) -> Fault {
    match why {
        Failure::Halted(Halt::Fault(fault)) => fault,
        Failure::Halted(Halt::Error(error)) => Fault::new(error.code, error.message),
        Failure::Refused(why) => Fault::new(Code::L02, why.to_string()),
        Failure::Halted(Halt::Deopt(_)) => Fault::new(Code::L02, "the rules are wanted in another form"),
    }
}

/// What was seen of some states before all are worked out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sample {
    /// How many states were looked at.
    pub states: u64,
    /// Their moves, those that end the play among them.
    pub moves: u64,
    /// How many different changes of the rank these make.
    pub changes: usize,
    /// So long did it take one thread to list them.
    pub listing: Duration,
    /// Only the states that are met have places.
    pub spread: bool,
}

impl Sample {
    /// About how many bytes so many states take in memory: cells, values if they are wanted, a bit for each change, and what waits
    /// for the next step.
    pub fn memory(&self, states: u64, values: bool) -> u64 {
        self.bytes(states, 16 + 16 * u64::from(values), self.changes)
    }

    /// The same in a folder: cells, half a byte at first, and what is decided beside them; values have two places. Bits for changes
    /// are packed, but where only the states that are met have places.
    pub fn disk(&self, states: u64, values: bool) -> u64 {
        const PACKED: usize = 4;
        let changes = if self.spread { self.changes } else { self.changes.div_ceil(PACKED) };
        self.bytes(states, 36 + 32 * u64::from(values), changes)
    }

    /// `cell`, `changes`: bits of a state.
    fn bytes(&self, states: u64, cell: u64, changes: usize) -> u64 {
        /// Of what is told a third waits at a time, as measured.
        const WAITING: u64 = 3;
        // A key, and while states are met a mixed rank in a set or in a file.
        let key = if self.spread { (4 + 8) * 8 } else { 0 };
        let kept = u128::from(states) * u128::from(cell + key + changes as u64) / 8;
        width::count(kept).saturating_add(self.told(states).saturating_mul(self.message()) / WAITING)
    }

    /// Bytes of a move that is told.
    fn message(&self) -> u64 {
        if self.spread { 8 } else { 2 }
    }

    /// How many moves so many states have.
    fn told(&self, states: u64) -> u64 {
        width::count(u128::from(states) * u128::from(self.moves) / u128::from(self.states.max(1)))
    }

    /// Bytes that each of so many processes sends to others.
    pub fn network(&self, states: u64, processes: u64) -> u64 {
        // Of each move that leads to blocks of others; where states are met, then too.
        let times = 1 + u64::from(self.spread);
        self.told(states / processes) / processes * (processes - 1) * self.message() * times
    }

    /// Processor time of so many states, one thread.
    pub fn time(&self, states: u64) -> Duration {
        // What telling a move takes, as measured: see `docs/scale.md`.
        let each = if self.spread { 100 } else { 15 };
        let listing = u128::from(states) * self.listing.as_nanos() / u128::from(self.states.max(1));
        Duration::from_nanos(width::count(listing).saturating_add(self.told(states).saturating_mul(each)))
    }
}

/// Outcome and remoteness of all states of a box, and loopy values as far as they were asked for.
pub struct Blocks {
    grid: Grid,
    run: Mutex<Run>,
}

impl fmt::Debug for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Blocks").field("grid", &self.grid).finish_non_exhaustive()
    }
}

impl Drop for Blocks {
    /// The other processes need not hold their parts any more.
    fn drop(&mut self) {
        let run = self.run.lock();
        // Where they are gone there is nobody to tell.
        let _ = run.announce(&Order::Forget(run.job()));
    }
}

impl Blocks {
    /// Boxes that are worked out, and tables on a disk, have no more states.
    pub const VOLUME: u64 = 1 << 40;
    /// Nor boxes of which only the states that are met have places.
    pub const WIDEST: u64 = Spread::VOLUME;

    /// Works states out, in `O(states * moves)`. `misere`: who cannot move wins. `folder`: where tables are kept, and found if a
    /// run before began or finished them; `None`: in memory. With several processes all call it with the same, each with a folder of
    /// its own. Refusals: native code cannot do it; moves make too many different changes; more states are met than may be; too
    /// little memory. Errors: L03, after a checkpoint; D03, a file that is not what was written; L02, no room on the disk, a
    /// remoteness of `2^30`, or a process is gone.
    pub fn solve(
        rules: &BoxRules<'_>,
        extent: &Extent<'_>,
        misere: bool,
        setting: &Setting,
        folder: Option<Folder>,
    ) -> Attempt<Blocks> {
        let volume = extent.grid.volume;
        let most = if extent.met.is_some() { Blocks::WIDEST } else { Blocks::VOLUME };
        let refused = if volume > most || setting.block_bits > 16 {
            Some(Refusal::ManyStates)
        } else if extent.met.is_none() && rules.limits.positions.is_some_and(|limit| volume >= limit) {
            Some(Refusal::UnlikeMoves)
        } else {
            None
        };
        if let Some(why) = refused {
            return Err(setting.crew.as_ref().map_or(why.into(), |crew| Blocks::fail(crew, why.into())));
        }
        let mut run = Run::new(rules, extent, misere, setting, folder)?;
        run.all(rules, extent)?;
        Ok(Blocks { grid: extent.grid.clone(), run: Mutex::new(run) })
    }

    /// Looks at states before all are worked out: here and there in the box, or at these. Refusals and errors as of [`Blocks::solve`].
    pub fn sample(rules: &BoxRules<'_>, extent: &Extent<'_>, of: Option<&HashSet<u64>>) -> Attempt<Sample> {
        /// So many pieces of the box, of so many states.
        const PIECES: usize = 64;
        const PIECE: u64 = 1 << 12;
        let volume = extent.grid.volume;
        let mut lister = Lister::new(Changes::new(rules, extent.grid, extent.joined())?);
        // The same pieces each time.
        let (mut random, mut met) = (fastrand::Rng::with_seed(3), of.map(|met| met.iter().copied()));
        let mut sample = Sample { spread: of.is_some(), ..Sample::default() };
        let begun = Instant::now();
        for _ in 0..PIECES {
            rules.limits.check_clock()?;
            let length = PIECE.min(volume);
            let ranks: Vec<u64> = match &mut met {
                Some(met) => met.take(width::index(length)).collect(),
                None => (random.u64(..=volume - length)..).take(width::index(length)).collect(),
            };
            let mut bits = vec![0; ranks.len()];
            lister.list(&ranks, &mut bits)?;
            sample.states += bits.len() as u64;
            sample.moves += bits.iter().map(|bits| u64::from(bits.count_ones())).sum::<u64>();
        }
        sample.changes = lister.words.len();
        sample.listing = begun.elapsed();
        Ok(sample)
    }

    /// Outcome and remoteness of a state; `None`: it is outside of the box, or leads to a state whose options are not known.
    /// With a folder a block is read, if it is not in memory. Error: D03, a file that is not what was written.
    pub fn read(&self, words: &[i64]) -> Result<Option<Decided>, Fault> {
        let Some(rank) = self.grid.rank(words) else { return Ok(None) };
        self.read_rank(rank)
    }

    /// The same of the state of a rank.
    pub fn read_rank(&self, rank: u64) -> Result<Option<Decided>, Fault> {
        let cell = self.run.lock().outcome(rank).map_err(fault)?;
        let decided = |cell: u32| {
            let outcome = match u8::try_from(cell & 3) {
                Ok(WIN) => Outcome::First,
                Ok(LOSS) => Outcome::Second,
                Ok(cells::UNKNOWN) => return None,
                _ => return Some(Decided { outcome: Outcome::Draw, remoteness: 0 }),
            };
            Some(Decided { outcome, remoteness: cell >> 2 })
        };
        Ok(cell.and_then(decided))
    }

    /// Does what the first process orders about this box, with the others. Errors as of the answer to it.
    pub fn obey(&self, limits: &Limits, order: &Order) -> Attempt<()> {
        let mut run = self.run.lock();
        match order {
            Order::Read(_, rank) => run.told_outcome(*rank).map(|_| ()),
            Order::Values(_, ranks) => run.values(limits, ranks).map(|_| ()),
            Order::Leads(_, rank) => run.leads(limits, *rank).map(|_| ()),
            Order::Work(_) | Order::Forget(_) | Order::Over => Ok(()),
        }
    }

    /// What each of several processes has, if all have; else all fail alike.
    pub fn together<T>(crew: &Crew, own: Attempt<T>) -> Attempt<T> {
        run::together(Some(crew), own)
    }

    /// Tells the other processes, who begin to work a box out, that this one cannot; what becomes of it.
    pub fn fail(crew: &Crew, why: Failure) -> Failure {
        together::fail(crew, why)
    }

    /// The number of the box among those of several processes.
    pub fn job(&self) -> u32 {
        self.run.lock().job()
    }

    /// What is known of the loopy values of states of this box that [`Blocks::read`] knows, by as many rounds as that takes: for
    /// each a value, or that there is none. `O(moves)` a round; a round for each value. Only in normal play. Errors as of
    /// [`Blocks::solve`]; after one these blocks are of no use any more, but the folder is.
    pub fn values(&self, limits: &Limits, states: &[Vec<i64>]) -> Attempt<Vec<LoopyValue>> {
        let ranks: Option<Vec<u64>> = states.iter().map(|words| self.grid.rank(words)).collect();
        let (ranks, mut run) = (ranks.ok_or(Refusal::Outside)?, self.run.lock());
        run.announce(&Order::Values(run.job(), ranks.clone()))?;
        let said = run.values(limits, &ranks)?;
        let value = |said: &Said| match *said {
            Said::Value(Known::Finite(value)) => LoopyValue::Finite(value),
            Said::Value(_) => LoopyValue::Infinite,
            Said::Leads(ways) => LoopyValue::Forbidden(ways),
        };
        Ok(said.iter().map(value).collect())
    }

    /// The ways in which a play can come from a state to what forbids values: to a move that ends it, to an end of it, to a move
    /// that keeps the turn. As [`Blocks::values`].
    pub fn leads(&self, limits: &Limits, words: &[i64]) -> Attempt<[bool; 3]> {
        let rank = self.grid.rank(words).ok_or(Refusal::Outside)?;
        let mut run = self.run.lock();
        run.announce(&Order::Leads(run.job(), rank))?;
        run.leads(limits, rank)
    }

    /// The box.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Whether it takes little to tell [`Blocks::leads`].
    pub fn knows_leads(&self) -> bool {
        self.run.lock().knows_leads()
    }

    /// Whether values were asked for.
    pub fn has_values(&self) -> bool {
        self.run.lock().has_values()
    }

    /// Whether only the states that were met have places.
    pub fn is_spread(&self) -> bool {
        self.run.lock().is_spread()
    }

    /// Whether the ranks of states tell all their moves.
    pub fn is_exact(&self) -> bool {
        self.run.lock().is_exact()
    }

    /// Bytes held in memory.
    pub fn bytes(&self) -> usize {
        self.run.lock().bytes()
    }

    /// States of the box.
    pub fn positions(&self) -> u64 {
        self.run.lock().states()
    }

    /// Bytes wanted on the disk for a box of so many states, at least.
    pub fn on_disk(volume: u64) -> u64 {
        // Two places for each block, cells of two bytes.
        volume.saturating_mul(4)
    }

    /// Bytes of memory wanted for a box of so many states without a folder, at least.
    pub fn forecast(volume: u64) -> u64 {
        volume.saturating_mul(4).saturating_add(width::count(1u64 << 20))
    }
}
