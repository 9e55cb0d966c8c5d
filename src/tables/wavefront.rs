//! Rows of a table filled by several threads as a wave: each row is a little behind the one before it.
//!
//! A place `i` of a row may be filled as soon as all earlier rows are filled up to `i`, itself included (pipelining of
//! loops that carry dependences: Lamport, The parallel execution of DO loops, Communications of the ACM 17, 1974). Thread
//! `t` of `n` takes rows `t`, `t + n`, ... and publishes how far it came; the thread of the next row waits for that.
//!
//! The code asks of each option whether it lies in such a place; where one does not, longer rows are tried, and in the
//! end one thread goes on alone.

use crate::value::team::team;
use crate::value::width;
use crossbeam_utils::{Backoff, CachePadded};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// How a table is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wave {
    /// Cells of a row.
    pub row: u64,
    /// Cells filled between two looks at the other threads.
    pub block: u64,
    /// Threads that share them.
    pub threads: usize,
}

/// How far a wave came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WavefrontResult<S> {
    /// All cells below this are filled; others may be.
    pub filled: u64,
    /// The lowest cell that stopped a thread, and why.
    pub stopped: Option<(u64, S)>,
}

struct Shared {
    cells: Range<u64>,
    wave: Wave,
    /// For each thread the first cell of its rows that is not filled.
    next: Vec<CachePadded<AtomicU64>>,
    stop: AtomicBool,
}

impl Wave {
    /// The ways to divide a box of which `cells` are to be filled, the best last. `strides`: what a step of each digit is
    /// worth, from the most significant on. `grain`: the least block.
    pub fn ways(strides: &[u64], cells: u64, threads: usize, grain: u64) -> Vec<Wave> {
        let grain = grain.max(1);
        let of = |&row: &u64| {
            // Each row is a block behind the one before it, and a row must be longer than all threads are behind.
            let most = (row / grain / 2).min(cells / row / 2);
            let threads = width::index(most).min(threads);
            let pieces = 4 * threads.max(1) as u64;
            Wave { row, block: (row / pieces).clamp(grain, grain.max(LARGEST)), threads }
        };
        let mut ways: Vec<Wave> = strides.iter().map(of).filter(|wave| wave.threads > 1).collect();
        // The more threads the better; then many rows, so that the last ones matter little; then long ones.
        ways.sort_by_key(|wave| (wave.threads, (cells / wave.row).min(16 * wave.threads as u64), wave.row));
        ways.dedup();
        ways
    }

    /// Fills these cells. `worker` makes, on each thread, what fills a range of them in order, or says at which it stopped and why.
    ///
    /// Whatever fills place `i` of a row is begun after everything has ended that filled places up to `i` of earlier rows,
    /// and sees what that wrote. `O(cells)` work and, with rows of `n` cells, `O(cells / block + rows)` looks at others.
    pub fn run<S: Send, F>(self, cells: Range<u64>, worker: impl Fn() -> F + Sync) -> WavefrontResult<S>
    where
        F: FnMut(Range<u64>) -> Result<(), (u64, S)>,
    {
        let first = cells.start / self.row;
        let start = |thread: u64| AtomicU64::new(cells.start.max((first + thread) * self.row));
        let next = (0..self.threads as u64).map(|thread| CachePadded::new(start(thread))).collect();
        let shared = Shared { cells: cells.clone(), wave: self, next, stop: AtomicBool::new(false) };
        let stopped = team(self.threads, &shared.stop, |thread, threads| shared.work(thread, threads, worker()));
        let next = shared.next[..stopped.len()].iter().map(|next| next.load(Ordering::Acquire));
        let filled = next.min().unwrap_or(cells.start).min(cells.end);
        WavefrontResult { filled, stopped: stopped.into_iter().flatten().min_by_key(|(at, _)| *at) }
    }
}

/// Blocks are no larger, unless the least is.
const LARGEST: u64 = 1 << 16;

impl Shared {
    /// The rows of one of so many threads. Where it stopped, and why.
    fn work<S>(
        &self,
        thread: usize,
        threads: usize,
        mut fill: impl FnMut(Range<u64>) -> Result<(), (u64, S)>,
    ) -> Option<(u64, S)> {
        let (row, block) = (self.wave.row, self.wave.block);
        let before = &self.next[(thread + threads - 1) % threads];
        let first = self.cells.start / row;
        let mut at = self.next[thread].load(Ordering::Relaxed);
        while at < self.cells.end {
            let begin = at / row * row;
            let end = (begin + row).min(self.cells.end);
            while at < end {
                let to = (begin + ((at - begin) / block + 1) * block).min(end);
                if begin / row > first && !self.await_cell(before, to - row) || self.stop.load(Ordering::Relaxed) {
                    return None;
                }
                if let Err((reached, why)) = fill(at..to) {
                    self.next[thread].store(reached, Ordering::Release);
                    self.stop.store(true, Ordering::Relaxed);
                    return Some((reached, why));
                }
                at = to;
                self.next[thread].store(at, Ordering::Release);
            }
            at = begin + row * threads as u64;
            self.next[thread].store(at, Ordering::Release);
        }
        None
    }

    /// Waits until a thread is past this cell; `false`: all are to stop.
    fn await_cell(&self, other: &AtomicU64, cell: u64) -> bool {
        /// How long to sleep when another thread takes long.
        const NAP: Duration = Duration::from_micros(50);
        let backoff = Backoff::new();
        while other.load(Ordering::Acquire) < cell {
            if self.stop.load(Ordering::Relaxed) {
                return false;
            }
            if backoff.is_completed() { std::thread::sleep(NAP) } else { backoff.snooze() }
        }
        true
    }
}
