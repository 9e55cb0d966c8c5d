//! A table with a cell for every state of a box, filled in the order of ranks by one thread or by several.

use crate::disk::Folder;
use crate::jit::flow::Flow;
use crate::jit::function::watched;
use crate::jit::ranking::{Digit, Grid};
use crate::tables::BoxRules;
use crate::tables::cell::{Cell, Kind};
use crate::tables::cell_memory::CellMemory;
use crate::tables::cell_sink::record_bytes;
use crate::tables::fill::{FillContext, FillPlan, Filler, LineRecords, Stopped};
use crate::tables::kept::{Kept, State};
use crate::tables::wavefront::{Wave, WavefrontResult};
use crate::value::limits::Limits;
use crate::value::refusal::{Attempt, Failure, Refusal};
use crate::value::team::beside;
use crate::value::{Fault, Run, width};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// See the module.
#[derive(Debug)]
pub struct Dense {
    /// The box.
    pub grid: Grid,
    /// How cells are laid out.
    pub cell: Cell,
    /// Cells before rank 0, then the box.
    memory: CellMemory,
    before: u64,
    /// Ranks below this are filled.
    filled: u64,
    /// How many of them were met, where cells of others were left undecided.
    pub met: Option<u64>,
    /// How many lines of positions had a record of what was seen on them.
    pub lines: u64,
    /// How many threads filled it, in the end.
    pub threads: usize,
    /// The folder that it is kept in.
    kept: Option<Kept>,
}

/// Words of values in a record of a line, at first; 0: there are no records.
const RECORD_WORDS: u64 = 4;

/// Ranks filled between two looks at the limits.
const CHUNK: u64 = 1 << 14;

impl Dense {
    /// Fills the ranks up to that of the state `upto`. At its end every decided cell is exact.
    ///
    /// `O(cells * moves)` time; one, two or four bytes a cell. Several threads share the work on a large table if the box can
    /// be divided into rows such that no move to an earlier row leads to a later place of it: that is tried, and seen.
    /// `with_lines`: moves that take any number from the same fields are seen at once, by records of the lines.
    /// `folder`: its cells are there, and how far it is filled; it goes on from there, and is gone where there is no table.
    pub fn new(
        rules: &BoxRules,
        grid: Grid,
        kind: Kind,
        upto: u64,
        with_lines: bool,
        folder: Option<Folder>,
    ) -> Attempt<Dense> {
        let mut dense = Dense::empty(grid, Cell::smallest(kind));
        let Some(folder) = folder else {
            dense.fill_all(rules, upto, with_lines, LineRecords::default())?;
            return Ok(dense);
        };
        let (lines, without) = dense.open(folder, &rules.limits)?;
        if dense.filled > upto {
            return Ok(dense);
        }
        let filled = dense.fill_all(rules, upto, with_lines && !without, lines);
        if let (Err(Failure::Refused(_)), Some(kept)) = (&filled, dense.kept.take()) {
            // What is mapped is let go first.
            dense.memory = CellMemory::none();
            kept.discard()?;
        }
        filled.map(|()| dense)
    }

    /// A table that was finished in this folder.
    pub(crate) fn finished(folder: Folder, grid: Grid, kind: Kind, limits: &Limits) -> Run<Dense> {
        let mut dense = Dense::empty(grid, Cell::smallest(kind));
        dense.open(folder, limits)?;
        Ok(dense)
    }

    /// Takes what is kept in a folder, and keeps there what will be filled. The records of the lines, and whether a part was filled
    /// without them.
    fn open(&mut self, folder: Folder, limits: &Limits) -> Run<(LineRecords, bool)> {
        let (kept, found) = Kept::open(folder, self.cell.kind, limits)?;
        self.kept = Some(kept);
        let Some(found) = found else { return Ok((LineRecords::default(), false)) };
        (self.cell, self.memory, self.before, self.filled) = (found.cell, found.memory, found.before, found.filled);
        let without = found.filled > 0 && found.lines.words() == 0 && !found.done;
        Ok((found.lines, without))
    }

    fn empty(grid: Grid, cell: Cell) -> Dense {
        let memory = CellMemory::none();
        Dense { grid, cell, memory, before: 0, filled: 0, met: None, lines: 0, threads: 1, kept: None }
    }

    fn fill_all(&mut self, rules: &BoxRules, upto: u64, with_lines: bool, mut lines: LineRecords) -> Attempt<()> {
        let dense = self;
        let kind = dense.cell.kind;
        if rules.limits.table().is_some_and(|limit| upto >= limit) {
            return Err(Refusal::PositionLimit.into());
        }
        let BoxRules { code, values, limits, .. } = rules;
        let flow = Flow::new(code)?;
        let flag = Arc::new(AtomicBool::new(false));
        let with_lines = with_lines && kind != Kind::Score;
        let threads = limits.threads_for(upto + 1);
        let mut ways = Wave::ways(&dense.grid.strides(), upto + 1, threads, limits.grain);
        let mut record_words = if with_lines { RECORD_WORDS } else { 0 };
        // Several threads begin anew when records grow, so theirs are large at once if they are small beside the table: for
        // values up to the sum of the fields, of which those of Nim and Wythoff's game stay below.
        let mut guessed = with_lines && !ways.is_empty();
        if guessed {
            let most = dense.grid.digits.iter().fold(0u64, |sum, digit| sum.saturating_add(digit.span.size));
            record_words = (most / 64 + 1).checked_next_power_of_two().unwrap_or(u64::MAX).clamp(RECORD_WORDS, 1 << 10);
        }
        if with_lines && dense.filled > 0 && lines.words() > 0 {
            (record_words, guessed) = (record_words.max(lines.words()), false);
        }
        loop {
            let row = ways.last().map_or(0, |wave| wave.row);
            let (flow, flag, instance, grid, cell) = (&flow, &flag, rules.instance, &dense.grid, dense.cell);
            let filler = Filler::new(FillPlan { code, values, flow, instance, grid, cell, record_words, row, flag })?;
            let held = width::count(dense.bytes() + lines.bytes());
            let records = filler.records.saturating_mul(record_bytes(filler.record_words));
            if dense.filled > 0 && filler.records > 1 && lines.count() != filler.records {
                // What was seen on the lines is not known: it was finished up to there, and more is wanted.
                dense.filled = 0;
            }
            // Cells in a file take no memory.
            let cells = if dense.kept.is_some() { 0 } else { dense.bytes_for(filler.before, upto) };
            let wanted = cells.saturating_add(records);
            let room = rules.free().checked_sub(wanted.saturating_add(held));
            let large = records > dense.bytes_for(filler.before, upto) / 2 || room.is_none();
            if guessed && filler.record_words > RECORD_WORDS && large {
                (record_words, guessed) = (RECORD_WORDS, false);
                continue;
            }
            let Some(left) = room else {
                if dense.kept.is_some() && record_words > 0 {
                    // Slower, but the table is in a file, and goes on.
                    (record_words, lines) = (0, LineRecords::default());
                    continue;
                }
                if lines.bytes() == 0 {
                    return Err(Refusal::Memory(wanted).into());
                }
                // Without those that they grow from.
                (lines, dense.filled) = (LineRecords::default(), 0);
                continue;
            };
            if ways.last().is_some_and(|wave| wave.threads as u64 * dense.stamps() * 8 > left) {
                // There is no room for what each thread has for itself.
                ways.clear();
                continue;
            }
            dense.make_room(filler.before, upto)?;
            dense.lines = filler.records - 1;
            dense.threads = ways.last().map_or(1, |wave| wave.threads);
            let stopped = dense.fill(rules, &filler, &mut lines, flag, ways.last().copied(), upto)?;
            if filler.records > 1 && stopped.tells_of_cell() {
                // The records tell of cells of the old form.
                dense.filled = 0;
            }
            match stopped {
                Stopped::Done => {
                    dense.save(&lines, true)?;
                    return Ok(());
                }
                Stopped::Sum => return Err(Refusal::Sums.into()),
                Stopped::Interrupted => {
                    limits.check_clock()?;
                }
                Stopped::Ahead => {
                    ways.pop();
                }
                Stopped::LargerRecords => {
                    guessed = false;
                    record_words *= 2;
                    if record_words * 64 > 1 << dense.cell.value_bits {
                        return Err(Refusal::LargeValues.into());
                    }
                }
                Stopped::LargerValue | Stopped::LargerFar => match dense.cell.larger(stopped == Stopped::LargerValue) {
                    Some(cell) => dense.widen(cell, upto)?,
                    None => return Err(Refusal::LargeValues.into()),
                },
            }
        }
    }

    /// Bytes that a table of this form takes.
    pub fn bytes_for(&self, before: u64, upto: u64) -> u64 {
        (before + upto + 1).saturating_mul(u64::from(self.cell.bytes))
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.memory.bytes()
    }

    /// How many states were worked out.
    pub fn positions(&self) -> u64 {
        self.met.unwrap_or(self.filled)
    }

    /// All cells of a box, none of them decided.
    pub(super) fn undecided(grid: Grid, cell: Cell) -> Dense {
        let mut dense = Dense { filled: grid.volume, ..Dense::empty(grid, cell) };
        // Poison is all ones, whatever the kind but one.
        dense.memory = CellMemory::Held(vec![u64::MAX; width::index(dense.bytes_for(0, dense.filled) / 8 + 2)]);
        dense
    }

    /// Value and remoteness of a state, if it is in the table and decided.
    pub fn read(&self, words: &[i64]) -> Option<(u64, u64)> {
        let rank = self.grid.rank(words).filter(|&rank| rank < self.filled)?;
        self.cell.read(self.get(rank))
    }

    /// The values of a state and of those after it in this field, as many as there is place for; `None`: not in the table,
    /// or not decided.
    pub(super) fn read_line(&self, words: &mut [i64], field: usize, values: &mut [Option<u64>]) {
        let first = words[field];
        let Digit { stride, reversed, span } = self.grid.digits[field];
        let inside = span.place(first).map_or(0, |place| span.size - place);
        let straight = self.grid.groups.is_empty() && self.grid.chain_of(field).is_none();
        let ranks = self.grid.rank(words).filter(|_| straight);
        for (at, value) in (0..).zip(values) {
            words[field] = first.saturating_add(at);
            let rank = match ranks {
                Some(rank) if at.cast_unsigned() < inside => {
                    let steps = at.cast_unsigned() * stride;
                    Some(if reversed { rank - steps } else { rank + steps })
                }
                Some(_) => None,
                None => self.grid.rank(words),
            };
            let cell = rank.filter(|&rank| rank < self.filled).and_then(|rank| self.cell.read(self.get(rank)));
            *value = cell.map(|(value, _)| value);
        }
    }

    /// How many words a thread has for the values of options.
    pub(super) fn stamps(&self) -> u64 {
        if self.cell.one_word() || self.cell.kind == Kind::Score { 1 } else { 1 << self.cell.value_bits }
    }

    pub(super) fn set(&mut self, rank: u64, cell: u64) {
        let bits = u64::from(self.cell.bytes) * 8;
        let at = (rank + self.before) * bits;
        if let Some(word) = usize::try_from(at / 64).ok().and_then(|i| self.memory.get_mut(i)) {
            *word = *word & !(u64::MAX >> (64 - bits) << (at % 64)) | cell << (at % 64);
        }
    }

    #[inline]
    pub(super) fn get(&self, rank: u64) -> u64 {
        let bits = u64::from(self.cell.bytes) * 8;
        let at = (rank + self.before) * bits;
        let word = usize::try_from(at / 64).ok().and_then(|i| self.memory.get(i)).copied().unwrap_or(u64::MAX);
        word >> (at % 64) & (u64::MAX >> (64 - bits))
    }

    fn make_room(&mut self, before: u64, upto: u64) -> Result<(), Fault> {
        // A whole number of words before rank 0, so that no cell crosses a word.
        let before = before.next_multiple_of(8);
        let words = width::index(self.bytes_for(before, upto) / 8 + 2);
        if before != self.before || self.memory.len() < words {
            let mut memory = self.zeros(words)?;
            if self.filled > 0 {
                let shift = u64::from(self.cell.bytes);
                let (from, to) = (self.before * shift / 8, before * shift / 8);
                let len = usize::try_from(self.filled * shift / 8 + 1).unwrap_or(0);
                if let (Ok(from), Ok(to)) = (usize::try_from(from), usize::try_from(to)) {
                    memory[to..to + len].copy_from_slice(&self.memory[from..from + len]);
                }
            }
            self.memory = memory;
            self.before = before;
        }
        Ok(())
    }

    /// So many words of zeros, where this table has its cells.
    fn zeros(&mut self, words: usize) -> Result<CellMemory, Fault> {
        match &mut self.kept {
            Some(kept) => kept.fresh(words),
            None => Ok(CellMemory::Held(vec![0; words])),
        }
    }

    /// Makes all cells of a larger form; `upto`: it will be filled so far.
    fn widen(&mut self, cell: Cell, upto: u64) -> Result<(), Fault> {
        // A file is not made twice.
        let cells = if self.kept.is_some() { upto + 1 } else { self.filled };
        let words = width::index((self.before + cells) * u64::from(cell.bytes) / 8 + 2);
        let memory = self.zeros(words)?;
        self.widen_into(cell, memory);
        Ok(())
    }

    /// The same in memory.
    pub(super) fn widen_held(&mut self, cell: Cell) {
        let words = width::index((self.before + self.filled) * u64::from(cell.bytes) / 8 + 2);
        self.widen_into(cell, CellMemory::Held(vec![0; words]));
    }

    fn widen_into(&mut self, cell: Cell, mut memory: CellMemory) {
        let bits = u64::from(cell.bytes) * 8;
        for rank in 0..self.filled {
            let at = (rank + self.before) * bits;
            if let Some(word) = usize::try_from(at / 64).ok().and_then(|i| memory.get_mut(i)) {
                *word |= self.cell.widen(self.get(rank), cell) << (at % 64);
            }
        }
        self.memory = memory;
        self.cell = cell;
    }

    /// Notes how far it is filled, where it is kept.
    fn save(&mut self, lines: &LineRecords, done: bool) -> Result<(), Fault> {
        let Some(kept) = &mut self.kept else { return Ok(()) };
        let (cell, before, filled) = (self.cell, self.before, self.filled);
        kept.save(&State { cell, memory: &self.memory, before, filled, lines, done })
    }

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
        let stamps = width::index(self.stamps());
        records.fit(filler.records, filler.record_words, self.filled > 0);
        let own = stamps.saturating_mul(wave.map_or(1, |wave| wave.threads) * 8);
        let bytes = self.bytes() + own + records.bytes() + rules.held;
        // What is counted here are cells.
        let limits = &Limits { positions: rules.limits.table(), ..rules.limits.clone() };
        limits.goal.store(upto + 1, Ordering::Relaxed);
        let trimmer = self.memory.trimmer(limits);
        let done = beside(trimmer, || {
            watched(limits, flag, || {
                limits.check(self.filled, bytes)?;
                let alone = |end: u64| Wave { row: end, block: CHUNK, threads: 1 };
                let (mut wave, mut end) = (wave.unwrap_or(alone(upto + 1)), upto + 1);
                loop {
                    let (to, begun) = (self.slab_end(wave, end), Instant::now());
                    let result = self.fill_by(wave, to, filler, records, limits, bytes);
                    let several = wave.threads > 1;
                    // Records tell of cells that several threads fill again.
                    let anew = several && filler.records > 1 && result.stopped.is_some();
                    self.filled = if anew { 0 } else { result.filled };
                    match result.stopped {
                        None if to < end => self.save_if_due(records, begun)?,
                        None => return Ok(Stopped::Done),
                        Some((at, why)) if several && why.tells_of_cell() => {
                            // One thread alone comes to the first such cell.
                            records.clear();
                            (wave, end) = (alone(at + 1), at + 1);
                        }
                        Some((_, why)) => {
                            if why == Stopped::Interrupted && !anew {
                                self.save(records, false)?;
                            }
                            return Ok(why);
                        }
                    }
                }
            })
        });
        limits.goal.store(0, Ordering::Relaxed);
        done
    }

    /// Cells are filled up to this one before it may be noted how far it is filled.
    fn slab_end(&mut self, wave: Wave, end: u64) -> u64 {
        let Some(kept) = &mut self.kept else { return end };
        if self.filled == 0 {
            kept.begin_anew();
        }
        // A row for each thread, or they would wait for each other.
        let rows = if wave.threads > 1 { wave.row.saturating_mul(wave.threads as u64) } else { 0 };
        self.filled.saturating_add(kept.slab.max(rows)).min(end)
    }

    /// A slab is filled that was begun then.
    fn save_if_due(&mut self, lines: &LineRecords, begun: Instant) -> Result<(), Fault> {
        let Some(kept) = &mut self.kept else { return Ok(()) };
        kept.pace(begun.elapsed());
        if kept.is_due() { self.save(lines, false) } else { Ok(()) }
    }

    fn fill_by(
        &mut self,
        wave: Wave,
        end: u64,
        filler: &Filler,
        records: &mut LineRecords,
        limits: &Limits,
        bytes: usize,
    ) -> WavefrontResult<Stopped> {
        let (first, count) = (self.filled, AtomicU64::new(self.filled));
        let context = self.fill_context(filler, records);
        wave.run(first..end, || {
            let mut worker = context.worker();
            let count = &count;
            move |range: Range<u64>| {
                let done = count.fetch_add(range.end - range.start, Ordering::Relaxed);
                limits.check(done, bytes).map_err(|_| (range.start, Stopped::Interrupted))?;
                // SAFETY: one thread alone fills cells in order, and nobody else touches the table or the records. For several
                // the filler is made for rows of this length: it leaves before it reads a later place of an earlier row, and
                // all cells of a line are in order in the wave. So it reads cells and records of places that `Wave::run`
                // promises were written before, and writes cells of its own row and records of lines through its own place,
                // whose other places in other rows are begun after it or have ended.
                #[allow(unsafe_code)]
                unsafe {
                    worker.fill(range)
                }
            }
        })
    }

    fn fill_context<'a>(&'a mut self, filler: &'a Filler, records: &mut LineRecords) -> FillContext<'a> {
        let first = usize::try_from(self.before * u64::from(self.cell.bytes)).unwrap_or(0);
        // SAFETY: `make_room` made at least `before` cells before rank 0.
        #[allow(unsafe_code)]
        let table = unsafe { self.memory.as_mut_ptr().cast::<u8>().add(first) };
        let values = width::index(self.stamps());
        FillContext { filler, grid: &self.grid, table, records: records.start(), values }
    }
}
