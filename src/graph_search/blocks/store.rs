//! The blocks of a table: all in memory, or in a folder with some of them in memory.
//!
//! A file holds the cells, in two slots for each block: what the last checkpoint names is not touched, a block that changes is
//! written to the other slot. A second file holds which states can make which changes (`planes`). Whatever is read is held
//! against its checksum. Planes are read when something is told by their change: of a block to which little is told few are
//! wanted.
//!
//! While states are decided a cell in a folder has half a byte, or one: what is decided is noted elsewhere (`mail`), and written
//! into cells with room for it when all is decided. So four times as many states fit into memory while they are wanted often.
//!
//! Where only the states that are met have places a third file holds the keys of each block, which never change.
//!
//! Steps go through the blocks in order, so the block that was used last is wanted last again: it makes room first.

use crate::disk::Folder;
use crate::graph_search::blocks::bunch::Bunch;
use crate::graph_search::blocks::cells::{Cells, Kind};
use crate::graph_search::blocks::fresh::Fresh;
use crate::graph_search::blocks::planes::Planes;
use crate::graph_search::blocks::pool::Pool;
use crate::graph_search::blocks::shape::Shape;
use crate::source::Code;
use crate::value::{Fault, width};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

/// What is known of a block that is not in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// Of the cells as they were written last.
    pub(super) crc: u32,
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
    /// The [`Kind`] of its cells.
    const WIDE: u8 = 4;
    const SMALL: u8 = 32;
    const KIND: u8 = Entry::WIDE | Entry::SMALL;
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

    /// How wide its cells are.
    fn kind(self) -> Kind {
        match (self.slots & Entry::SMALL != 0, self.slots & Entry::WIDE != 0) {
            (true, false) => Kind::Nibbles,
            (true, true) => Kind::Bytes,
            (false, false) => Kind::Narrow,
            (false, true) => Kind::Wide,
        }
    }

    fn bits(kind: Kind) -> u8 {
        match kind {
            Kind::Nibbles => Entry::SMALL,
            Kind::Bytes => Entry::KIND,
            Kind::Narrow => 0,
            Kind::Wide => Entry::WIDE,
        }
    }

    /// What was written last is saved.
    pub(super) fn commit(&mut self) {
        let written = self.slots & (Entry::NOW | Entry::WRITTEN);
        self.slots = written << 3 | written | self.slots & Entry::KIND;
    }
}

/// A block in memory.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) cells: Cells,
    /// For each change that is kept a bit for each state; empty: not read yet.
    pub(super) planes: Vec<Vec<u64>>,
    /// It is not what its slot holds.
    pub(super) changed: bool,
    /// Which states have places, ascending, where not all have.
    pub(super) keys: Option<Arc<[u32]>>,
}

impl Block {
    /// A block that was just listed, with a plane for each of so many words.
    pub(super) fn listed(cells: Vec<u16>, planes: &[u64], lanes: usize, keys: Option<Arc<[u32]>>) -> Block {
        // A block of states that are met may have no place.
        let planes = planes.chunks_exact(lanes.max(1)).map(<[u64]>::to_vec).collect();
        Block { cells: Cells::Narrow(cells), planes, changed: true, keys }
    }

    /// The cell of a rank; `None`: there is no such state.
    pub(super) fn cell(&self, shape: Shape, rank: u64) -> Option<u32> {
        self.cells.get(shape.place(rank, self.keys.as_deref())?)
    }

    /// Gives it a bunch. `plane`: the place of that of its change, which was read, if the bits of ranks do not tell. See
    /// [`Cells::tell`].
    pub(super) fn tell(&mut self, bunch: &Bunch<'_>, plane: Option<usize>, step: u32, fresh: &mut [Fresh; 3]) {
        let plane = plane.map(|at| self.planes.get(at).map_or(&[][..], Vec::as_slice));
        self.changed |= self.cells.tell(bunch, plane, step, fresh);
    }

    /// Bytes of its cells and planes.
    pub(super) fn bytes(&self) -> usize {
        self.cells.bytes().len() + self.planes.iter().map(|plane| plane.len() * 8).sum::<usize>()
    }
}

#[derive(Debug)]
struct Files {
    folder: Folder,
    cells: File,
    /// The name of the file of cells.
    name: &'static str,
    /// The values of a box take them over.
    planes: Option<Planes>,
    /// Which states have places, where not all have.
    keys: Option<File>,
    /// Something was written since files were synced.
    written: bool,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Store {
    shape: Shape,
    pub(super) entries: Vec<Entry>,
    pub(super) blocks: Vec<Option<Box<Block>>>,
    /// Blocks in memory, and those of them with planes that were read.
    held: BTreeSet<u64>,
    planed: BTreeSet<u64>,
    pool: Pool,
    /// So many bytes of blocks may be in memory.
    most: usize,
    /// By block which states have places, in memory, where not all have; and their bytes.
    keys: Vec<Option<Arc<[u32]>>>,
    key_bytes: usize,
    /// Changes whose planes are kept, by their places when they were listed; `None`: no state has it.
    kept: Vec<Option<usize>>,
    files: Option<Files>,
}

const CELLS: &str = "cells";
const VALUES: &str = "values";
const KEYS: &str = "positions";

impl Store {
    /// Bytes of blocks that stay in memory when they are in a folder and few are wanted.
    const HELD: usize = 4 << 20;

    /// No block is there yet. `most`: bytes of blocks that may be in memory, with a folder.
    pub(super) fn new(shape: Shape, folder: Option<&Folder>, most: usize) -> Result<Store, Fault> {
        let blocks = width::index(shape.blocks());
        let files = match folder {
            None => None,
            Some(folder) => Some(Files {
                cells: folder.open(CELLS)?,
                name: CELLS,
                planes: Some(Planes::open(folder)?),
                keys: shape.spread.map(|_| folder.open(KEYS)).transpose()?,
                folder: folder.clone(),
                written: false,
            }),
        };
        let mut pool = Pool::new(shape, files.is_some());
        if files.is_some() {
            // How many planes there will be is not known yet, nor how wide cells are.
            pool.limit(most, 64, width::index(shape.before(shape.blocks())) * pool.block(Kind::Nibbles));
        }
        Ok(Store {
            shape,
            entries: vec![Entry::default(); blocks],
            blocks: std::iter::repeat_with(|| None).take(blocks).collect(),
            held: BTreeSet::new(),
            planed: BTreeSet::new(),
            pool,
            most,
            keys: vec![None; shape.spread.map_or(0, |_| blocks)],
            key_bytes: 0,
            kept: Vec::new(),
            files,
        })
    }

    /// All states that have places are met: no block is there yet, and each has so many places.
    pub(super) fn renewed(&self, shape: Shape) -> Result<Store, Fault> {
        Store::new(shape, self.files.as_ref().map(|files| &files.folder), self.most)
    }

    /// Notes which states of a block have places: keys, ascending. Error: of the folder.
    pub(super) fn know(&mut self, block: u64, keys: Vec<u32>) -> Result<(), Fault> {
        if let Some(files) = &mut self.files {
            return files.write_keys(self.shape, block, &keys);
        }
        if let Some(slot) = self.keys.get_mut(width::index(block)) {
            self.key_bytes += keys.len() * 4;
            *slot = Some(keys.into());
        }
        Ok(())
    }

    /// Which states of a block have places; `None`: all have. Errors: of the folder; it is not what was written.
    pub(super) fn keys(&self, block: u64) -> Result<Option<Arc<[u32]>>, Fault> {
        match (&self.files, self.shape.spread) {
            (_, None) => Ok(None),
            (Some(files), Some(_)) => files.read_keys(self.shape, block).map(Some),
            (None, Some(_)) => self.keys.get(width::index(block)).cloned().ok_or_else(missing),
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let files = self.planes().map_or(0, Planes::bytes);
        let entries = self.entries.len() * (size_of::<Entry>() + size_of::<Option<Box<Block>>>());
        let keys = self.keys.len() * size_of::<Option<Arc<[u32]>>>() + self.key_bytes;
        self.pool.bytes() + self.held.len() * size_of::<Block>() + entries + files + keys
    }

    /// Bytes of the cells of all blocks.
    fn all(&self) -> usize {
        let own = (0u64..).zip(&self.entries).filter(|(block, _)| self.shape.has_block(*block));
        own.map(|(_, entry)| self.pool.block(entry.kind())).sum()
    }

    /// The file of planes, if this store has it.
    pub(super) fn planes(&self) -> Option<&Planes> {
        self.files.as_ref()?.planes.as_ref()
    }

    /// The same.
    pub(super) fn planes_mut(&mut self) -> Option<&mut Planes> {
        self.files.as_mut()?.planes.as_mut()
    }

    /// Puts the next block in the folder, just listed, with a plane for each of so many words. Another block may be given up for it.
    pub(super) fn put(
        &mut self,
        block: u64,
        (narrow, keys): (&[u16], Option<Arc<[u32]>>),
        planes: &[u64],
        flags: u8,
    ) -> Result<(), Fault> {
        let (at, lanes) = (width::index(block), self.shape.lanes().max(1));
        let kind = Cells::small_for(narrow);
        self.room((block, block), kind)?;
        (self.entries[at].flags, self.entries[at].slots) = (flags, Entry::bits(kind));
        let files = self.files.as_mut().ok_or_else(missing)?;
        files.planes.as_mut().ok_or_else(missing)?.add(block, planes.chunks_exact(lanes))?;
        files.written = true;
        let mut cells = self.pool.cells(kind);
        cells.list(narrow);
        self.blocks[at] = Some(Box::new(Block { cells, planes: Vec::new(), changed: true, keys }));
        self.held.insert(block);
        Ok(())
    }

    /// All is decided: the cells of a group of blocks, made wide enough to be changed by what was noted. Error: of the folder.
    pub(super) fn widen(&mut self, (first, last): (u64, u64)) -> Result<Vec<Cells>, Fault> {
        let mut all = Vec::new();
        for block in first..last {
            let size = self.shape.size();
            let mut cells = Cells::new(Kind::Narrow, size);
            cells.copy(&self.block(block, (block, block + 1), None)?.cells, size);
            all.push(cells);
        }
        Ok(all)
    }

    /// Writes such cells of a block, which is not held any more. Error: of the folder.
    pub(super) fn settle(&mut self, block: u64, cells: Cells) -> Result<(), Fault> {
        self.held.remove(&block);
        self.planed.remove(&block);
        if let Some(given) = self.blocks[width::index(block)].take() {
            self.pool.give_planes(given.planes.into_iter().filter(|plane| !plane.is_empty()));
            self.pool.give(given.cells);
        }
        self.write(block, &mut Block { cells, planes: Vec::new(), changed: true, keys: None })
    }

    /// So many blocks in memory have become wide.
    pub(super) fn widened(&mut self, blocks: usize) {
        self.pool.took(blocks, 0);
    }

    /// All blocks were listed in memory, each with these flags.
    pub(super) fn adopt(&mut self, flags: impl Iterator<Item = u8>) {
        self.entries.iter_mut().zip(flags).for_each(|(entry, flags)| entry.flags = flags);
        let planes = self.blocks.iter().flatten().map(|block| block.planes.len()).sum();
        self.held.extend((0u64..).zip(&self.blocks).filter(|(_, block)| block.is_some()).map(|(block, _)| block));
        self.pool.took(self.held.len(), planes);
    }

    /// A store of values for the same blocks, all 0. It takes the changes over, and the memory. In memory bytes for its
    /// cells must be there.
    pub(super) fn heir(&mut self) -> Result<Store, Fault> {
        let mut heir = Store {
            shape: self.shape,
            entries: vec![Entry::default(); self.entries.len()],
            blocks: std::iter::repeat_with(|| None).take(self.blocks.len()).collect(),
            held: BTreeSet::new(),
            planed: BTreeSet::new(),
            pool: Pool::new(self.shape, self.files.is_some()),
            most: self.most,
            // Blocks in memory have theirs.
            keys: Vec::new(),
            key_bytes: 0,
            kept: self.kept.clone(),
            files: None,
        };
        if let Some(files) = &mut self.files {
            let (folder, planes) = (files.folder.clone(), files.planes.take());
            let cells = folder.open(VALUES)?;
            let keys = self.shape.spread.map(|_| folder.open(KEYS)).transpose()?;
            heir.files = Some(Files { folder, cells, name: VALUES, planes, keys, written: false });
            heir.pool.limit(heir.most, heir.kept.len(), heir.all());
            self.most = Store::HELD;
            self.rest()?;
            self.keep(Vec::new());
        } else {
            for (new, old) in heir.blocks.iter_mut().zip(&mut self.blocks) {
                let Some(old) = old else { continue };
                let cells = Cells::Narrow(vec![0; self.shape.size()]);
                let (planes, keys) = (std::mem::take(&mut old.planes), old.keys.clone());
                *new = Some(Box::new(Block { cells, planes, changed: true, keys }));
            }
            heir.held.clone_from(&self.held);
            heir.pool.took(heir.held.len(), 0);
            heir.pool.take_planes(&mut self.pool);
            self.kept.clear();
        }
        Ok(heir)
    }

    /// All blocks are listed: from now on a block has the planes of these changes, told by their places when they were listed;
    /// `None`: no state has it.
    pub(super) fn keep(&mut self, kept: Vec<Option<usize>>) {
        let (planes, lanes, in_memory) = (kept.len(), self.shape.lanes(), self.files.is_none());
        self.planed.clear();
        for &block in &self.held {
            if let Some(block) = &mut self.blocks[width::index(block)] {
                // With a folder none were there, or they are not wanted any more.
                let mut raw = std::mem::take(&mut block.planes);
                if in_memory {
                    let empty = |pool: &mut Pool| {
                        let mut empty = pool.plane();
                        empty.clear();
                        empty.resize(lanes, 0);
                        empty
                    };
                    let pool = &mut self.pool;
                    let mut chosen = |bit: &Option<usize>| {
                        let listed = bit.and_then(|bit| raw.get_mut(bit));
                        listed.map_or_else(|| empty(pool), std::mem::take)
                    };
                    block.planes = kept.iter().map(&mut chosen).collect();
                } else {
                    block.planes.resize_with(planes, Vec::new);
                }
                self.pool.give_planes(raw.into_iter().filter(|plane| !plane.is_empty()));
            }
        }
        if in_memory {
            self.pool.clear();
        } else {
            self.pool.limit(self.most, planes, self.all());
        }
        self.kept = kept;
    }

    /// A block, read if it is not there; those from `first` to `last` stay where they are meanwhile. `plane`: the place among
    /// planes of one that is wanted.
    #[inline]
    pub(super) fn block(&mut self, block: u64, range: (u64, u64), plane: Option<usize>) -> Result<&mut Block, Fault> {
        let at = width::index(block);
        if self.blocks.get(at).is_none_or(Option::is_none) {
            self.load(block, range)?;
        }
        if let Some(plane) = plane
            && self.blocks[at].as_ref().and_then(|found| found.planes.get(plane)).is_some_and(Vec::is_empty)
        {
            self.load_plane(block, range, plane)?;
        }
        self.blocks[at].as_deref_mut().ok_or_else(missing)
    }

    /// Makes the cells of a block wide enough for a remoteness.
    pub(super) fn fit(&mut self, block: u64, far: u32) {
        if let Some(found) = self.blocks.get_mut(width::index(block)).and_then(Option::as_mut)
            && found.cells.fit(far)
        {
            self.pool.widened();
        }
    }

    /// The block of a set that is wanted last, of those that need not stay.
    fn last(set: &BTreeSet<u64>, (first, last): (u64, u64)) -> Option<u64> {
        set.range(..first).next_back().or_else(|| set.range(last..).next_back()).copied()
    }

    /// Gives blocks up until there are cells for another.
    fn room(&mut self, range: (u64, u64), kind: Kind) -> Result<(), Fault> {
        while !self.pool.has_cells(kind)
            && let Some(victim) = Store::last(&self.held, range)
        {
            self.give_up(victim)?;
        }
        Ok(())
    }

    /// Writes a block, if it has changed, and takes its memory.
    fn give_up(&mut self, victim: u64) -> Result<(), Fault> {
        self.held.remove(&victim);
        self.planed.remove(&victim);
        if let Some(mut given) = self.blocks[width::index(victim)].take() {
            self.write(victim, &mut given)?;
            self.pool.give_planes(given.planes.into_iter().filter(|plane| !plane.is_empty()));
            self.pool.give(given.cells);
        }
        Ok(())
    }

    #[cold]
    fn load(&mut self, block: u64, range: (u64, u64)) -> Result<(), Fault> {
        let entry = self.entries.get(width::index(block)).copied().ok_or_else(missing)?;
        let kind = entry.kind();
        self.room(range, kind)?;
        let mut cells = self.pool.cells(kind);
        let files = self.files.as_ref().ok_or_else(missing)?;
        let from = offset(self.shape, block, entry.slots & Entry::NOW != 0);
        if files.name == VALUES && entry.slots & Entry::WRITTEN == 0 {
            cells.bytes_mut().fill(0);
        } else if let Err(why) = files.read_cells(entry, from, cells.bytes_mut()) {
            self.pool.give(cells);
            return Err(why);
        }
        let keys = match self.keys(block) {
            Ok(keys) => keys,
            Err(why) => {
                self.pool.give(cells);
                return Err(why);
            }
        };
        let mut planes = Vec::new();
        planes.resize_with(self.kept.len(), Vec::new);
        self.blocks[width::index(block)] = Some(Box::new(Block { cells, planes, changed: false, keys }));
        self.held.insert(block);
        Ok(())
    }

    #[cold]
    fn load_plane(&mut self, block: u64, range: (u64, u64), plane: usize) -> Result<(), Fault> {
        while !self.pool.has_plane()
            && let Some(victim) = Store::last(&self.planed, range)
        {
            self.planed.remove(&victim);
            if let Some(found) = &mut self.blocks[width::index(victim)] {
                let planes = found.planes.iter_mut().map(std::mem::take).filter(|plane| !plane.is_empty());
                self.pool.give_planes(planes);
            }
        }
        let (mut out, bit) = (self.pool.plane(), *self.kept.get(plane).ok_or_else(missing)?);
        let (shape, planes) = (self.shape, self.planes_mut().ok_or_else(missing)?);
        planes.read(shape, block, bit, &mut out)?;
        let found = self.blocks[width::index(block)].as_mut().and_then(|found| found.planes.get_mut(plane));
        *found.ok_or_else(missing)? = out;
        self.planed.insert(block);
        Ok(())
    }

    /// Writes a block that has changed to the slot that no checkpoint names.
    fn write(&mut self, block: u64, given: &mut Block) -> Result<(), Fault> {
        let Some(files) = self.files.as_mut().filter(|_| given.changed) else { return Ok(()) };
        let entry = &mut self.entries[width::index(block)];
        let second = entry.slots & Entry::NAMED != 0 && entry.slots & Entry::SAVED == 0;
        let bytes = given.cells.bytes();
        let to = offset(self.shape, block, second);
        files.cells.write_all_at(bytes, to).map_err(|error| files.folder.failed(files.name, &error))?;
        entry.crc = crc32fast::hash(bytes);
        entry.slots = entry.slots & (Entry::SAVED | Entry::NAMED)
            | Entry::WRITTEN
            | if second { Entry::NOW } else { 0 }
            | Entry::bits(given.cells.kind());
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
            files.cells.sync_data().map_err(|error| files.folder.failed(files.name, &error))?;
            files.planes.as_ref().map_or(Ok(()), Planes::sync)?;
            if let Some(keys) = &files.keys {
                keys.sync_data().map_err(|error| files.folder.failed(KEYS, &error))?;
            }
            files.written = false;
        }
        Ok(())
    }

    /// No changes are wanted any more.
    pub(super) fn forget_changes(&mut self) {
        self.keep(Vec::new());
        if let Some(planes) = self.planes_mut() {
            planes.forget();
        }
    }

    /// With a folder few blocks are wanted for a while.
    pub(super) fn rest(&mut self) -> Result<(), Fault> {
        if self.files.is_some() {
            let blocks = Store::HELD / (self.shape.size() * 2).max(1) + 1;
            while self.held.len() > blocks
                && let Some(victim) = self.held.last().copied()
            {
                self.give_up(victim)?;
            }
            self.pool.clear();
        }
        Ok(())
    }

    /// Gives the disk back what was forgotten, after a checkpoint.
    pub(super) fn shorten(&self) -> Result<(), Fault> {
        self.planes().map_or(Ok(()), Planes::shorten)
    }
}

fn missing() -> Fault {
    Fault::new(Code::L02, "a block of a table is missing")
}

/// Where a slot of a block begins. Places for cells of four bytes; those that no narrow cells come to stay holes.
fn offset(shape: Shape, block: u64, second: bool) -> u64 {
    (shape.before(block) * 2 + u64::from(second)) * (shape.size() as u64 * 4)
}

/// The checksum of the keys of a block.
fn key_sum(block: u64, keys: &[u32]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&block.to_le_bytes());
    hasher.update(bytemuck::cast_slice(keys));
    hasher.finalize()
}

impl Files {
    /// Where the keys of a block are: how many they are, their checksum, the keys.
    fn key_place(shape: Shape, block: u64) -> u64 {
        shape.before(block) * (shape.size() as u64 + 2) * 4
    }

    fn write_keys(&mut self, shape: Shape, block: u64, keys: &[u32]) -> Result<(), Fault> {
        let mut words = vec![width::short(keys.len()), key_sum(block, keys)];
        words.extend_from_slice(keys);
        let file = self.keys.as_ref().ok_or_else(missing)?;
        let written = file.write_all_at(bytemuck::cast_slice(&words), Files::key_place(shape, block));
        self.written = true;
        written.map_err(|error| self.folder.failed(KEYS, &error))
    }

    fn read_keys(&self, shape: Shape, block: u64) -> Result<Arc<[u32]>, Fault> {
        let (file, from) = (self.keys.as_ref().ok_or_else(missing)?, Files::key_place(shape, block));
        let read = |words: &mut [u32], from: u64| {
            file.read_exact_at(bytemuck::cast_slice_mut(words), from).map_err(|error| match error.kind() {
                ErrorKind::UnexpectedEof => self.folder.damaged(KEYS),
                _ => self.folder.failed(KEYS, &error),
            })
        };
        let mut head = [0u32; 2];
        read(&mut head, from)?;
        let count = head[0] as usize;
        if count > shape.size() {
            return Err(self.folder.damaged(KEYS));
        }
        let mut keys = vec![0u32; count];
        read(&mut keys, from + 8)?;
        if key_sum(block, &keys) == head[1] { Ok(keys.into()) } else { Err(self.folder.damaged(KEYS)) }
    }

    /// Reads the cells of a block.
    fn read_cells(&self, entry: Entry, from: u64, out: &mut [u8]) -> Result<(), Fault> {
        if entry.slots & Entry::WRITTEN == 0 {
            return Err(self.folder.damaged(self.name));
        }
        self.cells.read_exact_at(out, from).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => self.folder.damaged(self.name),
            _ => self.folder.failed(self.name, &error),
        })?;
        if crc32fast::hash(out) == entry.crc { Ok(()) } else { Err(self.folder.damaged(self.name)) }
    }
}
