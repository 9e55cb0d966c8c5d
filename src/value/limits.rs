//! Limits of a run: time, memory, positions, and the wish to stop.

use crate::source::Code;
use crate::value::{Fault, memory, width};
use std::io::Read;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// What a run may use. Checked often while running; reaching one is an `L` error, never an answer.
#[derive(Clone, Debug)]
pub struct Limits {
    /// When to stop.
    pub deadline: Option<(Instant, Duration)>,
    /// The time limit of the user when the deadline is for a part of the work only.
    pub budget: Option<Duration>,
    /// How many positions may be searched.
    pub positions: Option<u64>,
    /// How many cells a dense table may have, where that is more than the positions.
    pub cells: Option<u64>,
    /// How many steps of loops the rules may take in all.
    pub steps: Option<u64>,
    /// How many components may have been met in all.
    pub components: Option<usize>,
    /// How many bytes the tables may take.
    pub memory: usize,
    /// How many threads may work on one table; if not given, one for each processor, at most 8. Answers do not depend on it.
    pub threads: Option<NonZeroUsize>,
    /// The least piece of work for a thread, in positions. Work of fewer than [`Limits::PIECES`] pieces is left to one thread.
    pub grain: u64,
    /// Set when the user wants the work to end.
    pub interrupted: Arc<AtomicBool>,
    /// Positions searched so far in the running search, for whoever shows progress.
    pub progress: Arc<AtomicU64>,
    /// How many positions the running search comes to, where that is known; else 0.
    pub goal: Arc<AtomicU64>,
    /// How far a table has come, for whoever shows progress.
    pub entries: Arc<Entries>,
}

/// Entries of a table: how many are worked out, and how many there are; 0 of 0 when none is made.
#[derive(Debug, Default)]
pub struct Entries {
    done: AtomicU64,
    all: AtomicU64,
}

impl Entries {
    /// A table of so many entries is begun.
    pub fn begin(&self, all: u64) {
        self.done.store(0, Ordering::Relaxed);
        self.all.store(all, Ordering::Relaxed);
    }

    /// One more is worked out.
    pub fn step(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// How many are worked out, of how many.
    pub fn told(&self) -> (u64, u64) {
        (self.done.load(Ordering::Relaxed), self.all.load(Ordering::Relaxed))
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            deadline: None,
            budget: None,
            positions: None,
            cells: None,
            steps: None,
            components: None,
            memory: default_memory(),
            threads: None,
            grain: 1 << 9,
            interrupted: Arc::default(),
            progress: Arc::default(),
            goal: Arc::default(),
            entries: Arc::default(),
        }
    }
}

/// Three quarters of the memory that is free, or 4 GiB where that is not told.
fn default_memory() -> usize {
    // The line is among the first.
    let mut head = [0; 1024];
    let told = std::fs::File::open("/proc/meminfo").and_then(|mut file| file.read(&mut head)).ok().and_then(|read| {
        let text = String::from_utf8_lossy(&head[..read]);
        let line = text.lines().find(|l| l.starts_with("MemAvailable:"))?;
        line.split_whitespace().nth(1)?.parse::<usize>().ok()
    });
    told.map_or(4 << 30, |kib| kib / 4 * 3 * 1024)
}

/// As many threads as the machine has processors, and at most 8. Not asked before it matters: several files are read for it.
fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| std::thread::available_parallelism().map_or(1, |threads| threads.get().min(8)))
}

/// When somebody last saw that time is up, in milliseconds since [`start`].
static HEARD: AtomicU64 = AtomicU64::new(0);

/// When the program was first asked for a time.
pub fn start() -> Instant {
    static START: OnceLock<Instant> = OnceLock::new();
    *START.get_or_init(Instant::now)
}

fn since_start() -> u64 {
    width::count(start().elapsed().as_millis())
}

/// Notes that the work was told to end, and does.
fn heard() {
    HEARD.store(since_start().max(1), Ordering::Relaxed);
}

/// Whether the work was told to end within this time before now.
pub fn was_heard(within: Duration) -> bool {
    let at = HEARD.load(Ordering::Relaxed);
    at > 0 && u128::from(since_start().saturating_sub(at)) <= within.as_millis()
}

/// Looks at the clock while one long step is done, as often as its work is worth.
#[derive(Debug, Default)]
pub struct Pace {
    spent: u64,
}

impl Pace {
    /// The clock is looked at whenever so much was spent: at most some milliseconds.
    const LOOK: u64 = 1 << 18;

    /// Counts work in words moved, or what takes as long. L03 when time is up or the user wants the work to end.
    pub(crate) fn spend(&mut self, limits: &Limits, words: usize) -> Result<(), Fault> {
        let before = self.spent / Pace::LOOK;
        self.spent += words as u64;
        if self.spent / Pace::LOOK > before { limits.check_clock() } else { Ok(()) }
    }

    /// All that was counted.
    pub fn spent(&self) -> u64 {
        self.spent
    }
}

impl Limits {
    /// How many cells a dense table may have.
    pub(crate) fn table(&self) -> Option<u64> {
        self.positions.map(|positions| positions.max(self.cells.unwrap_or(0)))
    }

    /// Work of so many pieces is worth more than one thread.
    pub const PIECES: u64 = 2048;

    /// How many threads may work on one table; at least 1.
    pub(crate) fn most_threads(&self) -> usize {
        self.threads.map_or_else(processors, NonZeroUsize::get)
    }

    /// How many threads are worth starting for work on so many positions.
    pub(crate) fn threads_for(&self, positions: u64) -> usize {
        if positions / Limits::PIECES >= self.grain { self.most_threads() } else { 1 }
    }

    /// Starts the clock: `time` from now.
    #[must_use]
    pub fn with_time(mut self, time: Option<Duration>) -> Self {
        self.deadline = time.map(|t| (Instant::now() + t, t));
        self
    }

    /// The limit that is reached, if one is: of time or by interruption, or of the memory of the whole program.
    pub(crate) fn check_clock(&self) -> Result<(), Fault> {
        /// What the program takes for itself.
        const OWN: usize = 16 << 20;
        if self.interrupted.load(Ordering::Relaxed) {
            heard();
            return Err(Fault::new(Code::L03, "interrupted"));
        }
        if memory::is_above(self.memory.saturating_add(OWN)) {
            return Err(Fault::new(Code::L02, format!("the memory limit of {} MiB is reached", self.memory >> 20)));
        }
        if let Some((deadline, time)) = self.deadline
            && Instant::now() >= deadline
        {
            heard();
            let whole = self.budget.filter(|budget| time < *budget / 10 * 9);
            let seconds = (whole.unwrap_or(time).as_secs_f64() * 1000.0).round() / 1000.0;
            let message = if whole.is_some() {
                format!("the share of this statement in the time limit of {seconds} s is used up")
            } else {
                format!("the time limit of {seconds} s is reached")
            };
            return Err(Fault::new(Code::L03, message));
        }
        Ok(())
    }

    /// The limit of memory, if it is reached, in the middle of a search.
    pub(crate) fn check_memory(&self, bytes: usize) -> Result<(), Fault> {
        if bytes > self.memory {
            let (mib, positions) = (self.memory >> 20, self.progress.load(Ordering::Relaxed));
            let message = format!("the memory limit of {mib} MiB is reached with {positions} positions");
            return Err(Fault::new(Code::L02, message));
        }
        Ok(())
    }

    /// The limit that a search with so many positions and bytes has reached, if one.
    pub fn check(&self, positions: u64, bytes: usize) -> Result<(), Fault> {
        self.progress.store(positions.min(self.positions.unwrap_or(u64::MAX)), Ordering::Relaxed);
        if let Some(limit) = self.positions
            && positions > limit
        {
            return Err(Fault::new(Code::L01, format!("the limit of {limit} positions is reached")));
        }
        self.check_memory(bytes)?;
        self.check_clock()
    }
}
