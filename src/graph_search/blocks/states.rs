//! The states that are met from one, by groups of blocks, until all are: mixed ranks.
//!
//! In memory each group has a set of them. With a folder sets come and go: what is new is added to a file, each chunk the states
//! of one group, and a set is read again when something is told to its group.

use crate::disk::Folder;
use crate::graph_search::blocks::mail::Chunk;
use crate::graph_search::blocks::shape::{Shape, Spread};
use crate::value::{Fault, width};
use hashbrown::HashSet;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// The states of a group that is in memory.
#[derive(Debug, Default)]
struct Set {
    known: HashSet<u64>,
    /// Those that are in no file yet.
    new: Vec<u64>,
}

#[derive(Debug)]
struct Kept {
    folder: Folder,
    file: File,
    length: u64,
    /// So many bytes of sets may be in memory.
    most: usize,
}

/// See the module.
#[derive(Debug)]
pub(super) struct States {
    spread: Spread,
    group_bits: u32,
    sets: Vec<Option<Set>>,
    /// By group what the file holds.
    pub(super) chunks: Vec<Vec<Chunk>>,
    /// How many states were met, of each block and in all.
    fill: Vec<u32>,
    count: u64,
    kept: Option<Kept>,
}

const NAME: &str = "states";

/// Bytes of a state in a set that was read, at most.
const STATE: usize = 21;

impl States {
    /// No state is met. `most`: bytes of sets in memory, with a folder. Error: of the folder.
    pub(super) fn new(shape: Shape, spread: Spread, folder: Option<&Folder>, most: usize) -> Result<States, Fault> {
        let kept = |folder: &Folder| Ok(Kept { folder: folder.clone(), file: folder.open(NAME)?, length: 0, most });
        let groups = width::index(shape.groups());
        Ok(States {
            spread,
            group_bits: shape.group_bits,
            sets: std::iter::repeat_with(|| None).take(groups).collect(),
            chunks: vec![Vec::new(); groups],
            fill: vec![0; width::index(shape.blocks())],
            count: 0,
            kept: folder.map(kept).transpose()?,
        })
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.set_bytes() + self.fill.len() * 4
    }

    fn set_bytes(&self) -> usize {
        let set = |set: &Set| set.known.allocation_size() + set.new.capacity() * 8;
        self.sets.iter().flatten().map(set).sum()
    }

    /// How many states were met.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// The most states of a block, where those are made of several of these.
    pub(super) fn most(&self, spread: Spread) -> u32 {
        let blocks = self.fill.chunks(1 << (self.spread.block_bits - spread.block_bits));
        blocks.map(|fill| fill.iter().sum()).max().unwrap_or(0)
    }

    /// Meets states of a group; those that are new are added to `out`. Errors: of the folder; it is not what was written.
    pub(super) fn meet(
        &mut self,
        group: u64,
        states: impl Iterator<Item = u64>,
        out: &mut Vec<u64>,
    ) -> Result<(), Fault> {
        self.load(group)?;
        let Some(set) = self.sets.get_mut(width::index(group)).and_then(Option::as_mut) else { return Ok(()) };
        for mixed in states {
            if set.known.insert(mixed) {
                out.push(mixed);
                self.count += 1;
                if self.kept.is_some() {
                    set.new.push(mixed);
                }
                if let Some(fill) = self.fill.get_mut(width::index(self.spread.cut(mixed).0)) {
                    *fill += 1;
                }
            }
        }
        Ok(())
    }

    /// Makes room and reads a group, if it is not in memory.
    fn load(&mut self, group: u64) -> Result<(), Fault> {
        let at = width::index(group);
        let Some(there) = self.sets.get(at).map(Option::is_some) else { return Ok(()) };
        let chunks = self.chunks[at].iter().map(|chunk| chunk.bytes as usize / 8).sum::<usize>();
        // Sets that stay grow.
        let wanted = if there { 0 } else { chunks * STATE };
        while self.kept.as_ref().is_some_and(|kept| self.set_bytes() + wanted > kept.most)
            && let Some(victim) = (0..self.sets.len()).rev().find(|&other| other != at && self.sets[other].is_some())
        {
            self.write(victim)?;
            self.sets[victim] = None;
        }
        if there {
            return Ok(());
        }
        let mut known = HashSet::with_capacity(chunks);
        self.read(at, |states| known.extend(states.iter().copied()))?;
        self.sets[at] = Some(Set { known, new: Vec::new() });
        Ok(())
    }

    /// Reads what the file holds of a group.
    fn read(&self, group: usize, mut each: impl FnMut(&[u64])) -> Result<(), Fault> {
        let Some(Kept { folder, file, length, .. }) = &self.kept else { return Ok(()) };
        let mut states = Vec::new();
        for &Chunk { offset, bytes, crc } in &self.chunks[group] {
            if !bytes.is_multiple_of(8) || offset.saturating_add(bytes.into()) > *length {
                return Err(folder.damaged(NAME));
            }
            states.resize(bytes as usize / 8, 0u64);
            let room: &mut [u8] = bytemuck::cast_slice_mut(&mut states);
            file.read_exact_at(room, offset).map_err(|error| folder.failed(NAME, &error))?;
            let group = group as u64;
            let fits = |mixed: u64| mixed >> self.spread.key_bits >> self.group_bits == group;
            if crc32fast::hash(room) != crc || !states.iter().all(|&mixed| fits(mixed)) {
                return Err(folder.damaged(NAME));
            }
            each(&states);
        }
        Ok(())
    }

    /// Adds what is new of a group to the file.
    fn write(&mut self, group: usize) -> Result<(), Fault> {
        /// More are written as several chunks.
        const CHUNK: usize = 1 << 24;
        let (Some(kept), Some(set)) = (&mut self.kept, &mut self.sets[group]) else { return Ok(()) };
        for states in set.new.chunks(CHUNK) {
            let bytes: &[u8] = bytemuck::cast_slice(states);
            kept.file.write_all_at(bytes, kept.length).map_err(|error| kept.folder.failed(NAME, &error))?;
            let chunk = Chunk { offset: kept.length, bytes: width::short(bytes.len()), crc: crc32fast::hash(bytes) };
            self.chunks[group].push(chunk);
            kept.length += bytes.len() as u64;
        }
        set.new.clear();
        Ok(())
    }

    /// Writes all that is new, and makes sure that it is on the disk. Error: of the folder.
    pub(super) fn save(&mut self) -> Result<(), Fault> {
        (0..self.sets.len()).try_for_each(|group| self.write(group))?;
        match &self.kept {
            Some(kept) => kept.file.sync_data().map_err(|error| kept.folder.failed(NAME, &error)),
            None => Ok(()),
        }
    }

    /// Bytes of the file.
    pub(super) fn length(&self) -> u64 {
        self.kept.as_ref().map_or(0, |kept| kept.length)
    }

    /// Goes on from a checkpoint, whose chunks were put here. The file had so many bytes. Errors: of the folder; it is not what
    /// was written.
    pub(super) fn resume(&mut self, length: u64) -> Result<(), Fault> {
        let Some(kept) = &mut self.kept else { return Ok(()) };
        let there = kept.file.metadata().map_err(|error| kept.folder.failed(NAME, &error))?.len();
        if there < length {
            return Err(kept.folder.damaged(NAME));
        }
        kept.file.set_len(length).map_err(|error| kept.folder.failed(NAME, &error))?;
        kept.length = length;
        let (spread, mut fill) = (self.spread, std::mem::take(&mut self.fill));
        for group in 0..self.chunks.len() {
            self.read(group, |states| {
                let blocks = states.iter().map(|&mixed| width::index(spread.cut(mixed).0));
                blocks.for_each(|block| _ = fill.get_mut(block).map(|fill| *fill += 1));
            })?;
        }
        self.count = fill.iter().map(|&fill| u64::from(fill)).sum();
        self.fill = fill;
        Ok(())
    }

    /// The keys of the states of each block of a group, ascending, where blocks are as `shape` says. The group is forgotten. Errors
    /// as of [`States::meet`].
    pub(super) fn keys(&mut self, shape: Shape, group: u64) -> Result<Vec<Vec<u32>>, Fault> {
        self.load(group)?;
        // It may be asked for again by a run that goes on.
        self.write(width::index(group))?;
        let (first, last) = shape.group(group);
        let mut keys = vec![Vec::new(); width::index(last - first)];
        let set = self.sets.get_mut(width::index(group)).and_then(Option::take);
        if let (Some(set), Some(spread)) = (set, shape.spread) {
            for mixed in set.known {
                let (block, key) = spread.cut(mixed);
                if let Some(keys) = keys.get_mut(width::index(block - first)) {
                    keys.push(key);
                }
            }
        }
        for keys in &mut keys {
            keys.sort_unstable();
        }
        Ok(keys)
    }

    /// Deletes the file. Error: of the folder.
    pub(super) fn remove(folder: &Folder) -> Result<(), Fault> {
        folder.remove(NAME)
    }
}
