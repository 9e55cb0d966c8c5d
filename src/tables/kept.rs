//! Dense tables that are kept in a folder: how far they are filled is noted every few seconds, and a run that was killed goes on
//! from there.
//!
//! Cells are filled in the order of their ranks, so that a number says which are there. What a note tells of is on the
//! disk: the cells up to that number, with a checksum for each piece of the file, and the records of the lines as they were
//! then, in one of two files by turns. Whatever was written after the last note is written again. A wider form of the
//! cells is a new file; the old one goes when a note names the new one.

use crate::disk::mapped::MappedFile;
use crate::disk::{Folder, digest};
use crate::jit::ranking::{Chain, Grid, Span};
use crate::source::Code;
use crate::tables::cell::{Cell, Kind};
use crate::tables::cell_memory::CellMemory;
use crate::tables::fill::LineRecords;
use crate::value::limits::Limits;
use crate::value::{Fault, width};
use serde_json::{Value as Json, json};
use std::fs;
use std::time::{Duration, Instant};

/// Bytes of the file that have one checksum.
const PIECE: usize = 1 << 20;

/// How far a table is filled is noted no more often.
const PAUSE: Duration = Duration::from_secs(2);

/// Noting takes at most one part in so many of the time.
const SHARE: u32 = 10;

/// See the module.
#[derive(Debug)]
pub(super) struct Kept {
    folder: Folder,
    /// The number of the file of cells.
    file: u64,
    /// Checksums of the whole pieces that are filled.
    sums: Vec<u32>,
    /// Bytes of the file that are on the disk.
    synced: usize,
    /// How often it was noted.
    notes: u64,
    /// When the next note is due.
    due: Instant,
    /// Cells filled between two looks at the time.
    pub(super) slab: u64,
}

/// What a note says of a table.
pub(super) struct Found {
    pub(super) cell: Cell,
    pub(super) memory: CellMemory,
    pub(super) before: u64,
    pub(super) filled: u64,
    pub(super) lines: LineRecords,
    /// It was whole: of lines nothing is kept then.
    pub(super) done: bool,
}

/// What a note says, in numbers.
#[derive(serde::Serialize, serde::Deserialize)]
struct Noted {
    done: bool,
    file: u64,
    words: usize,
    cell_bytes: u32,
    value_bits: u32,
    before: u64,
    filled: u64,
    record_words: u64,
    lines: String,
    lines_digest: String,
    notes: u64,
    sums: Vec<u32>,
}

/// A table as it is noted.
pub(super) struct State<'a> {
    pub(super) cell: Cell,
    pub(super) memory: &'a CellMemory,
    pub(super) before: u64,
    pub(super) filled: u64,
    pub(super) lines: &'a LineRecords,
    pub(super) done: bool,
}

impl Kept {
    /// What is kept in a folder, with the table as its note has it. Every byte that the note vouches for is looked at.
    /// Errors: D03 where one is not what was written; limits.
    pub(super) fn open(folder: Folder, kind: Kind, limits: &Limits) -> Result<(Kept, Option<Found>), Fault> {
        let note = folder.read_note()?;
        let slab = 1 << 20;
        let mut kept =
            Kept { folder, file: 0, sums: Vec::new(), synced: 0, notes: 0, due: Instant::now() + PAUSE, slab };
        let Some(note) = note else { return Ok((kept, None)) };
        let noted: Noted = serde_json::from_value(note).map_err(|_| kept.folder.damaged("note"))?;
        let cell = Cell { kind, bytes: noted.cell_bytes, value_bits: noted.value_bits };
        let name = file_name(noted.file);
        let length = fs::metadata(kept.folder.path(&name)).map_or(0, |data| data.len());
        if length < (noted.words as u64).saturating_mul(8) {
            return Err(kept.folder.damaged(&name));
        }
        let memory = CellMemory::Mapped(MappedFile::open(&kept.folder, &name, noted.words)?);
        kept.file = noted.file;
        kept.notes = noted.notes;
        let to = filled_bytes(cell, noted.before, noted.filled);
        let sums = kept.checked(&memory, to, &noted.sums, limits)?;
        if sums != noted.sums {
            return Err(kept.folder.damaged(&name));
        }
        kept.sums = sums;
        kept.sums.truncate(to / PIECE);
        kept.synced = to / PIECE * PIECE;
        let mut lines = LineRecords::default();
        if !noted.lines.is_empty() {
            let bytes = fs::read(kept.folder.path(&noted.lines));
            let bytes = bytes.map_err(|error| kept.folder.failed(&noted.lines, &error))?;
            if digest(&bytes) != noted.lines_digest {
                return Err(kept.folder.damaged(&noted.lines));
            }
            let words = bytes.chunks_exact(8).map(bytemuck::pod_read_unaligned).collect();
            lines.restore(words, noted.record_words);
        }
        let Noted { before, filled, done, .. } = noted;
        Ok((kept, Some(Found { cell, memory, before, filled, lines, done })))
    }

    /// The checksums of the pieces up to this byte; the last piece may not be whole.
    fn checked(&self, memory: &CellMemory, to: usize, known: &[u32], limits: &Limits) -> Result<Vec<u32>, Fault> {
        let bytes: &[u8] = bytemuck::cast_slice(memory);
        let bytes = bytes.get(..to).ok_or_else(|| self.folder.damaged(&file_name(self.file)))?;
        let mut sums = Vec::new();
        for (at, piece) in bytes.chunks(PIECE).enumerate() {
            limits.check_clock()?;
            sums.push(crc32fast::hash(piece));
            if known.get(at) != sums.last() {
                break;
            }
            memory.trim(limits);
        }
        Ok(sums)
    }

    /// A new file of so many words, zeros all of them.
    pub(super) fn fresh(&mut self, words: usize) -> Result<CellMemory, Fault> {
        self.file += 1;
        (self.sums, self.synced) = (Vec::new(), 0);
        let name = file_name(self.file);
        self.folder.remove(&name)?;
        Ok(CellMemory::Mapped(MappedFile::open(&self.folder, &name, words)?))
    }

    /// What is filled is to be filled again.
    pub(super) fn begin_anew(&mut self) {
        (self.sums, self.synced) = (Vec::new(), 0);
    }

    /// Whether a note is due.
    pub(super) fn is_due(&self) -> bool {
        Instant::now() >= self.due
    }

    /// Notes how far a table is filled, when all of it is on the disk.
    pub(super) fn save(&mut self, state: &State) -> Result<(), Fault> {
        let begun = Instant::now();
        let name = file_name(self.file);
        let to = filled_bytes(state.cell, state.before, state.filled);
        if let CellMemory::Mapped(file) = state.memory {
            file.sync(self.synced, to).map_err(|error| self.folder.failed(&name, &error))?;
        }
        let bytes: &[u8] = bytemuck::cast_slice(state.memory);
        let open = self.sums.len() * PIECE;
        let mut sums = std::mem::take(&mut self.sums);
        sums.extend(bytes.get(open..to).unwrap_or_default().chunks(PIECE).map(crc32fast::hash));
        self.synced = to / PIECE * PIECE;
        self.notes += 1;
        let (mut lines, mut lines_digest) = (String::new(), String::new());
        // A table that is done needs them no more.
        if !state.lines.data.is_empty() && !state.done {
            lines = format!("lines.{}", self.notes % 2);
            let bytes: &[u8] = bytemuck::cast_slice(&state.lines.data);
            lines_digest = digest(bytes);
            let written = fs::write(self.folder.path(&lines), bytes).and_then(|()| {
                let file = fs::File::open(self.folder.path(&lines))?;
                file.sync_all()
            });
            written.map_err(|error| self.folder.failed(&lines, &error))?;
        }
        let noted = Noted {
            done: state.done,
            file: self.file,
            words: state.memory.len(),
            cell_bytes: state.cell.bytes,
            value_bits: state.cell.value_bits,
            before: state.before,
            filled: state.filled,
            record_words: state.lines.words(),
            lines,
            lines_digest,
            notes: self.notes,
            sums,
        };
        self.folder.write_note(&json!(noted))?;
        self.sums = noted.sums;
        self.sums.truncate(to / PIECE);
        if let Some(before) = self.file.checked_sub(1) {
            self.folder.remove(&file_name(before))?;
        }
        if state.done {
            self.folder.remove("lines.0")?;
            self.folder.remove("lines.1")?;
        }
        self.due = Instant::now() + PAUSE.max(begun.elapsed() * SHARE);
        Ok(())
    }

    /// Deletes the folder: no table can be made in it.
    pub(super) fn discard(self) -> Result<(), Fault> {
        self.folder.discard()
    }

    /// Slabs take about a second.
    pub(super) fn pace(&mut self, took: Duration) {
        if took < Duration::from_millis(500) {
            self.slab = self.slab.saturating_mul(2);
        } else if took > Duration::from_secs(1) {
            self.slab = (self.slab / 2).max(1 << 16);
        }
    }
}

fn file_name(file: u64) -> String {
    format!("cells.{file}")
}

/// Where in the file the cells end that are filled.
fn filled_bytes(cell: Cell, before: u64, filled: u64) -> usize {
    width::index((before + filled).saturating_mul(u64::from(cell.bytes)))
}

/// A box, to be noted.
pub(crate) fn noted(grid: &Grid) -> Json {
    let fields: Vec<Json> = grid
        .digits
        .iter()
        .map(|digit| json!([digit.span.least, digit.span.size, digit.span.sure, digit.reversed]))
        .collect();
    let chains: Vec<Json> = grid.chains.iter().map(|chain| json!([chain.fields, chain.gap])).collect();
    json!({ "fields": fields, "order": grid.order, "chains": chains, "groups": grid.groups })
}

/// A box as it was noted. D03 where it is none.
pub(crate) fn restored(noted: &Json) -> Result<Grid, Fault> {
    type Noted = (Vec<(i64, u64, bool, bool)>, Vec<usize>, Vec<(Vec<usize>, u64)>, Vec<Vec<usize>>);
    let parts = json!([noted["fields"], noted["order"], noted["chains"], noted["groups"]]);
    let parts: Option<Noted> = serde_json::from_value(parts).ok();
    let grid = parts.and_then(|(fields, order, chains, groups)| {
        let spans: Vec<Span> = fields.iter().map(|&(least, size, sure, _)| Span { least, size, sure }).collect();
        let reversed: Vec<bool> = fields.iter().map(|field| field.3).collect();
        let chains = chains.into_iter().map(|(fields, gap)| Chain::new(fields, gap)).collect();
        let known = order.iter().chain(groups.iter().flatten()).all(|&field| field < spans.len());
        if known { Some(Grid::with_chains(&spans, &order, &reversed, chains)?.with_groups(&groups)) } else { None }
    });
    grid.ok_or_else(|| Fault::new(Code::D03, "a box of a table is not what was written"))
}
