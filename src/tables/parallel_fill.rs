//! Filling the cells of a dense table by one thread or by several.

use crate::jit::interrupt_flag::watched;
use crate::tables::BoxRules;
use crate::tables::dense::Dense;
use crate::tables::fill::{Filler, Stopped};
use crate::tables::fill_context::FillContext;
use crate::tables::line_records::LineRecords;
use crate::tables::wavefront::Wave;
use crate::value::fault::Run;
use crate::value::limits::Limits;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Ranks filled between two looks at the limits.
const CHUNK: u64 = 1 << 14;

impl Dense {
    /// Fills the cells up to `upto`, or to where a cell stops it.
    ///
    /// A cell that does not fit is the first one of its kind in the order of ranks, however many threads there are, so that
    /// neither cells nor refusals depend on that. With records of lines the table must begin anew after such a cell, and after
    /// whatever stops several threads: then nothing is filled.
    pub(super) fn fill(
        &mut self,
        rules: &BoxRules,
        filler: &Filler,
        records: &mut LineRecords,
        flag: &Arc<AtomicBool>,
        wave: Option<Wave>,
        upto: u64,
    ) -> Run<Stopped> {
        let stamps = usize::try_from(self.stamps()).unwrap_or(usize::MAX);
        records.fit(filler.records, filler.record_words, self.filled > 0);
        let own = stamps.saturating_mul(wave.map_or(1, |wave| wave.threads) * 8);
        let bytes = self.bytes() + own + records.bytes() + rules.held;
        // What is counted here are cells.
        let limits = &Limits { positions: rules.limits.table(), ..rules.limits.clone() };
        limits.goal.store(upto + 1, Ordering::Relaxed);
        let done = watched(limits, flag, || {
            limits.check(self.filled, bytes)?;
            let Some(wave) = wave else {
                return self.fill_alone(limits, filler, records, bytes, upto + 1);
            };
            let (first, count) = (self.filled, AtomicU64::new(self.filled));
            let context = self.fill_context(filler, records);
            let result = wave.run(first..upto + 1, || {
                let mut worker = context.worker();
                let count = &count;
                move |range: Range<u64>| {
                    let done = count.fetch_add(range.end - range.start, Ordering::Relaxed);
                    limits.check(done, bytes).map_err(|_| (range.start, Stopped::Interrupted))?;
                    // SAFETY: the filler is made for rows of this length: it leaves before it reads a later place of an
                    // earlier row, and all cells of a line are in order in the wave. So it reads cells and records of places
                    // that `Wave::run` promises were written before, and writes cells of its own row and records of lines
                    // through its own place, whose other places in other rows are begun after it or have ended.
                    #[allow(unsafe_code)]
                    unsafe {
                        worker.fill(range)
                    }
                }
            });
            let Some((at, why)) = result.stopped else {
                self.filled = result.filled;
                return Ok(Stopped::Done);
            };
            // LineRecords tell of cells that are to be filled again.
            self.filled = if filler.records > 1 { 0 } else { result.filled };
            if !why.tells_of_cell() {
                return Ok(why);
            }
            // One thread alone comes to the first such cell.
            records.clear();
            self.fill_alone(limits, filler, records, bytes, at + 1)
        });
        limits.goal.store(0, Ordering::Relaxed);
        done
    }

    fn fill_context<'a>(&'a mut self, filler: &'a Filler, records: &mut LineRecords) -> FillContext<'a> {
        let first = self.first_byte();
        // SAFETY: `make_room` made at least `before` cells before rank 0.
        #[allow(unsafe_code)]
        let table = unsafe { self.memory.as_mut_ptr().cast::<u8>().add(first) };
        let values = usize::try_from(self.stamps()).unwrap_or(usize::MAX);
        FillContext { filler, grid: &self.grid, table, records: records.start(), values }
    }

    /// The same by one thread, up to `end`.
    fn fill_alone(
        &mut self,
        limits: &Limits,
        filler: &Filler,
        records: &mut LineRecords,
        bytes: usize,
        end: u64,
    ) -> Run<Stopped> {
        let mut filled = self.filled;
        let mut stopped = Stopped::Done;
        let mut fill_all = || -> Run<()> {
            let context = self.fill_context(filler, records);
            let mut worker = context.worker();
            while filled < end && stopped == Stopped::Done {
                limits.check(filled, bytes)?;
                let to = (filled + CHUNK).min(end);
                // SAFETY: nobody else touches the table or the records.
                #[allow(unsafe_code)]
                let done = unsafe { worker.fill(filled..to) };
                (filled, stopped) = done.map_or_else(|stop| stop, |()| (to, Stopped::Done));
            }
            Ok(())
        };
        let done = fill_all();
        self.filled = filled;
        done.map(|()| stopped)
    }
}
