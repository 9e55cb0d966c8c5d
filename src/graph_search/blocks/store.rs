//! The blocks of a table: all in memory, or in a folder with some of them in memory.
//!
//! A file holds the cells, in two slots for each block: what the last checkpoint names is not touched, a block that changes is
//! written to the other slot. A second file holds, block after block, which states can make which changes; it is only
//! added to. Every block that is read is held against its checksum.
//!
//! Steps go through the blocks in order, so the block that was used last is wanted last again: it makes room first.

use crate::disk::Folder;
use crate::graph_search::blocks::bunch::Cells;
use crate::graph_search::blocks::shape::Shape;
use crate::source::Code;
use crate::value::{Fault, width};
use std::collections::BTreeSet;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// What is known of a block that is not in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// Of the cells as they were written last.
    pub(super) crc: u32,
    /// Of the changes.
    pub(super) planes: u32,
    /// [`Entry::NOW`] and so on.
    pub(super) slots: u8,
    /// [`Entry::UNKNOWN`] and so on: what the listing of its moves met.
    pub(super) flags: u8,
}

impl Entry {
    /// The slot that was written last is the second.
    const NOW: u8 = 1;
    /// One was written.
    const WRITTEN: u8 = 2;
    /// Four bytes a cell.
    const WIDE: u8 = 4;
    /// The slot that the last checkpoint names is the second.
    const SAVED: u8 = 8;
    /// It names one.
    const NAMED: u8 = 16;

    /// A state's rules fault, or lead out of the box.
    pub(super) const UNKNOWN: u8 = 1;
    /// A state is decided at distance 0.
    pub(super) const ENDS: u8 = 2;
    /// A state is decided at distance 1, by a move that ends the play.
    pub(super) const STOPS: u8 = 4;

    /// What was written last is saved.
    pub(super) fn commit(&mut self) {
        let written = self.slots & (Entry::NOW | Entry::WRITTEN);
        self.slots = written << 3 | written | self.slots & Entry::WIDE;
    }
}

/// A block in memory.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) cells: Cells,
    /// For each change that is kept a bit for each state.
    pub(super) planes: Vec<u64>,
    /// It is not what its slot holds.
    pub(super) changed: bool,
}

impl Block {
    fn bytes(&self) -> usize {
        self.cells.bytes().len() + self.planes.len() * 8 + size_of::<Block>() + 32
    }
}

#[derive(Debug)]
struct Files {
    folder: Folder,
    cells: File,
    planes: File,
    /// Bytes of changes.
    length: u64,
    room: Vec<u64>,
    /// Something was written since files were synced.
    written: bool,
    /// A block that was given up, for its memory.
    spare: Option<Box<Block>>,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Store {
    shape: Shape,
    pub(super) entries: Vec<Entry>,
    blocks: Vec<Option<Box<Block>>>,
    held: BTreeSet<u64>,
    bytes: usize,
    /// So many bytes of blocks may be held.
    most: usize,
    /// From which block on changes have how many planes in their file.
    pub(super) runs: Vec<(u64, u32)>,
    /// Changes whose planes are kept, as bits.
    kept: u64,
    files: Option<Files>,
}

const CELLS: &str = "cells";
const PLANES: &str = "changes";

impl Store {
    /// No block is there yet. `most`: bytes of blocks that may be in memory, with a folder.
    pub(super) fn new(shape: Shape, folder: Option<&Folder>, most: usize) -> Result<Store, Fault> {
        let blocks = width::index(shape.blocks());
        let files = match folder {
            None => None,
            Some(folder) => Some(Files {
                cells: folder.open(CELLS)?,
                planes: folder.open(PLANES)?,
                folder: folder.clone(),
                length: 0,
                room: Vec::new(),
                written: false,
                spare: None,
            }),
        };
        Ok(Store {
            shape,
            entries: vec![Entry::default(); blocks],
            blocks: std::iter::repeat_with(|| None).take(blocks).collect(),
            held: BTreeSet::new(),
            bytes: 0,
            most,
            runs: Vec::new(),
            kept: 0,
            files,
        })
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let files = self.files.as_ref().map_or(0, |files| files.room.capacity() * 8);
        self.bytes + self.entries.len() * (size_of::<Entry>() + size_of::<Option<Box<Block>>>()) + files
    }

    /// Words of a plane of a block.
    pub(super) fn lanes(&self) -> usize {
        self.shape.lanes()
    }

    /// Bytes of changes in their file.
    pub(super) fn length(&self) -> u64 {
        self.files.as_ref().map_or(0, |files| files.length)
    }

    /// Goes on from a checkpoint: its entries and runs were put here. The file of changes had so many bytes.
    pub(super) fn resume(&mut self, length: u64) -> Result<(), Fault> {
        let Some(files) = &mut self.files else { return Ok(()) };
        let there = files.planes.metadata().map_err(|error| files.folder.failed(PLANES, &error))?.len();
        if there < length {
            return Err(files.folder.damaged(PLANES));
        }
        files.planes.set_len(length).map_err(|error| files.folder.failed(PLANES, &error))?;
        files.length = length;
        Ok(())
    }

    /// Puts the next block there, just listed, with a plane for each of so many words.
    pub(super) fn put(&mut self, block: u64, cells: Vec<u16>, planes: &[u64], flags: u8) -> Result<(), Fault> {
        let words = width::short(planes.len() / self.shape.lanes());
        if self.runs.last().is_none_or(|run| run.1 != words) {
            self.runs.push((block, words));
        }
        self.room(block, block)?;
        let at = width::index(block);
        self.entries[at].flags = flags;
        let mut made = Block { cells: Cells::Narrow(cells), planes: Vec::new(), changed: true };
        if let Some(files) = &mut self.files {
            let bytes: &[u8] = bytemuck::cast_slice(planes);
            files.planes.write_all_at(bytes, files.length).map_err(|error| files.folder.failed(PLANES, &error))?;
            files.length += bytes.len() as u64;
            files.written = true;
            self.entries[at].planes = crc32fast::hash(bytes);
        } else {
            made.planes = planes.to_vec();
        }
        self.bytes += made.bytes();
        self.blocks[at] = Some(Box::new(made));
        self.held.insert(block);
        Ok(())
    }

    /// All blocks are listed: from now on a block has the planes of these changes, in the order of their bits.
    pub(super) fn keep(&mut self, kept: u64) {
        self.kept = kept;
        let lanes = self.shape.lanes();
        for &block in &self.held {
            if let Some(block) = &mut self.blocks[width::index(block)] {
                self.bytes -= block.bytes();
                // With a folder none were there.
                let raw = std::mem::take(&mut block.planes);
                if self.files.is_none() {
                    chosen(&raw, lanes, kept, &mut block.planes);
                }
                self.bytes += block.bytes();
            }
        }
    }

    /// A block, read if it is not there; those from `first` to `last` stay where they are meanwhile.
    pub(super) fn block(&mut self, block: u64, (first, last): (u64, u64)) -> Result<&mut Block, Fault> {
        let at = width::index(block);
        if self.blocks.get(at).is_none_or(Option::is_none) {
            self.room(first, last)?;
            let read = self.load(block)?;
            self.bytes += read.bytes();
            self.held.insert(block);
            self.blocks[at] = Some(read);
        }
        let lanes = self.shape.lanes();
        let entry = self.entries[at];
        let found = self.blocks.get_mut(at).and_then(Option::as_mut);
        // A block that was there since it was listed has no planes yet.
        match (found, &mut self.files) {
            (Some(found), Some(files)) if found.planes.is_empty() && self.kept != 0 => {
                files.read_planes(&self.runs, block, entry.planes, (lanes, self.kept), &mut found.planes)?;
                self.bytes += found.planes.len() * 8;
                Ok(found)
            }
            (Some(found), _) => Ok(found),
            (None, _) => Err(Fault::new(Code::L02, "a block of a table is missing")),
        }
    }

    /// Makes the cells of a block wide enough for a remoteness.
    pub(super) fn fit(&mut self, block: u64, far: u32) {
        if let Some(found) = self.blocks.get_mut(width::index(block)).and_then(Option::as_mut) {
            self.bytes += found.cells.fit(far);
        }
    }

    /// Gives blocks up until there is room for another.
    fn room(&mut self, first: u64, last: u64) -> Result<(), Fault> {
        if self.files.is_none() {
            return Ok(());
        }
        let another = self.shape.size() * 2 + width::index(self.kept.count_ones()) * self.shape.lanes() * 8;
        while self.bytes + another > self.most {
            let before = self.held.range(..first).next_back();
            let victim = before.or_else(|| self.held.range(last..).next_back()).copied();
            let Some(victim) = victim else { return Ok(()) };
            self.held.remove(&victim);
            let Some(mut given) = self.blocks[width::index(victim)].take() else { continue };
            self.bytes -= given.bytes();
            self.write(victim, &mut given)?;
            if let Some(files) = &mut self.files {
                files.spare = Some(given);
            }
        }
        Ok(())
    }

    fn load(&mut self, block: u64) -> Result<Box<Block>, Fault> {
        let missing = || Fault::new(Code::L02, "a block of a table is missing");
        let entry = self.entries.get(width::index(block)).copied().ok_or_else(missing)?;
        let size = self.shape.size();
        let files = self.files.as_mut().ok_or_else(missing)?;
        if entry.slots & Entry::WRITTEN == 0 {
            return Err(files.folder.damaged(CELLS));
        }
        let wide = entry.slots & Entry::WIDE != 0;
        let mut read = match files.spare.take() {
            Some(spare) if spare.cells.is_wide() == wide => spare,
            _ => {
                let cells = if wide { Cells::Wide(vec![0; size]) } else { Cells::Narrow(vec![0; size]) };
                Box::new(Block { cells, planes: Vec::new(), changed: false })
            }
        };
        read.changed = false;
        read.planes.clear();
        let (bytes, from) = (read.cells.bytes_mut(), offset(self.shape, block, entry.slots & Entry::NOW != 0));
        files.cells.read_exact_at(bytes, from).map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => files.folder.damaged(CELLS),
            _ => files.folder.failed(CELLS, &error),
        })?;
        if crc32fast::hash(bytes) != entry.crc {
            return Err(files.folder.damaged(CELLS));
        }
        if self.kept != 0 {
            let kept = (self.shape.lanes(), self.kept);
            files.read_planes(&self.runs, block, entry.planes, kept, &mut read.planes)?;
        }
        Ok(read)
    }

    /// Writes a block that has changed to the slot that no checkpoint names.
    fn write(&mut self, block: u64, given: &mut Block) -> Result<(), Fault> {
        let Some(files) = self.files.as_mut().filter(|_| given.changed) else { return Ok(()) };
        let entry = &mut self.entries[width::index(block)];
        let second = entry.slots & Entry::NAMED != 0 && entry.slots & Entry::SAVED == 0;
        let bytes = given.cells.bytes();
        let to = offset(self.shape, block, second);
        files.cells.write_all_at(bytes, to).map_err(|error| files.folder.failed(CELLS, &error))?;
        entry.crc = crc32fast::hash(bytes);
        entry.slots = entry.slots & (Entry::SAVED | Entry::NAMED)
            | Entry::WRITTEN
            | if second { Entry::NOW } else { 0 }
            | if given.cells.is_wide() { Entry::WIDE } else { 0 };
        (given.changed, files.written) = (false, true);
        Ok(())
    }

    /// Writes all that has changed, and makes sure that it is on the disk.
    pub(super) fn save(&mut self) -> Result<(), Fault> {
        let held: Vec<u64> = self.held.iter().copied().collect();
        for block in held {
            if let Some(mut given) = self.blocks[width::index(block)].take() {
                let written = self.write(block, &mut given);
                self.blocks[width::index(block)] = Some(given);
                written?;
            }
        }
        if let Some(files) = self.files.as_mut().filter(|files| files.written) {
            files.cells.sync_data().map_err(|error| files.folder.failed(CELLS, &error))?;
            files.planes.sync_data().map_err(|error| files.folder.failed(PLANES, &error))?;
            files.written = false;
        }
        Ok(())
    }

    /// No changes are wanted any more, and few blocks: bytes of blocks that may be held.
    pub(super) fn rest(&mut self, most: usize) -> Result<(), Fault> {
        self.keep(0);
        self.most = most;
        self.room(u64::MAX, u64::MAX)?;
        match &mut self.files {
            Some(files) => {
                (files.room, files.spare, files.length) = (Vec::new(), None, 0);
                files.folder.remove(PLANES)
            }
            None => Ok(()),
        }
    }
}

/// Where a slot of a block begins. Places for cells of four bytes; those that no narrow cells come to stay holes.
fn offset(shape: Shape, block: u64, second: bool) -> u64 {
    (block * 2 + u64::from(second)) << (shape.bits + 2)
}

/// Takes planes out of all that were listed; those that are not there are empty.
fn chosen(raw: &[u64], lanes: usize, kept: u64, out: &mut Vec<u64>) {
    out.clear();
    for bit in (0..64).filter(|bit| kept >> bit & 1 == 1) {
        match raw.get(bit * lanes..(bit + 1) * lanes) {
            Some(plane) => out.extend_from_slice(plane),
            None => out.resize(out.len() + lanes, 0),
        }
    }
}

impl Files {
    /// Reads the planes of a block that are kept.
    fn read_planes(
        &mut self,
        runs: &[(u64, u32)],
        block: u64,
        crc: u32,
        (lanes, kept): (usize, u64),
        out: &mut Vec<u64>,
    ) -> Result<(), Fault> {
        let bytes = |blocks: u64, words: u32| blocks.saturating_mul(u64::from(words)).saturating_mul(lanes as u64 * 8);
        let (mut from, mut words) = (0u64, 0);
        for (i, &(first, count)) in runs.iter().enumerate().take_while(|(_, run)| run.0 <= block) {
            let end = runs.get(i + 1).map_or(block, |run| run.0.min(block));
            from = from.saturating_add(bytes(end - first, count));
            words = width::index(count);
        }
        self.room.resize(words * lanes, 0);
        let raw: &mut [u8] = bytemuck::cast_slice_mut(&mut self.room);
        self.planes.read_exact_at(raw, from).map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => self.folder.damaged(PLANES),
            _ => self.folder.failed(PLANES, &error),
        })?;
        if crc32fast::hash(raw) != crc {
            return Err(self.folder.damaged(PLANES));
        }
        chosen(&self.room, lanes, kept, out);
        Ok(())
    }
}
