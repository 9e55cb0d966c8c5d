//! The file of planes: block after block which states can make which changes, a bit for each state. It is only added to.
//!
//! Rules look at some of the fields, so planes repeat themselves, and are packed (LZ4): what is packed stays in the memory of the
//! system where the planes would not. Measured: numbers on a ring, ten moves, a thirtieth of the bytes. A plane without a state
//! takes none.

use crate::disk::Folder;
use crate::graph_search::blocks::shape::Shape;
use crate::value::{Fault, width};
use lz4_flex::block::{compress_into, decompress_into, get_maximum_output_size};
use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::FileExt;

/// Where the planes of a block are.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// In the file.
    offset: u64,
    /// Of its first plane among the lengths.
    first: usize,
}

/// See the module.
#[derive(Debug)]
pub(super) struct Planes {
    folder: Folder,
    file: File,
    /// Bytes of the file.
    pub(super) length: u64,
    /// Of the blocks that were listed, in order.
    places: Vec<Place>,
    /// Bytes of each plane with its checksum; 0: no state has the change.
    lengths: Vec<u16>,
    /// Bytes to be written, and those of a plane.
    out: Vec<u8>,
    room: Vec<u8>,
}

const NAME: &str = "changes";

/// Bytes of a checksum, which stands behind a plane.
const SUM: usize = 4;

impl Planes {
    /// There are none yet. Error: of the folder.
    pub(super) fn open(folder: &Folder) -> Result<Planes, Fault> {
        let (file, folder) = (folder.open(NAME)?, folder.clone());
        let (places, lengths, out, room) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Ok(Planes { folder, file, length: 0, places, lengths, out, room })
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let index = self.places.capacity() * size_of::<Place>() + self.lengths.capacity() * 2;
        index + self.out.capacity() + self.room.capacity()
    }

    /// Adds the planes of a block, which is behind those that were added before. Error: of the folder.
    pub(super) fn add<'a>(&mut self, block: u64, planes: impl Iterator<Item = &'a [u64]>) -> Result<(), Fault> {
        self.begin(block);
        self.out.clear();
        for (bit, plane) in planes.enumerate() {
            if plane.iter().all(|&word| word == 0) {
                self.lengths.push(0);
                continue;
            }
            let raw: &[u8] = bytemuck::cast_slice(plane);
            self.room.resize(get_maximum_output_size(raw.len()), 0);
            let packed = compress_into(raw, &mut self.room).ok().and_then(|length| self.room.get(..length));
            let bytes = packed.filter(|packed| packed.len() < raw.len()).unwrap_or(raw);
            self.lengths.push(u16::try_from(bytes.len() + SUM).unwrap_or(0)); // a plane has 2^13 bytes at most
            self.out.extend_from_slice(bytes);
            self.out.extend_from_slice(&checksum(block, bit, bytes).to_le_bytes());
        }
        self.file.write_all_at(&self.out, self.length).map_err(|error| self.folder.failed(NAME, &error))?;
        self.length += self.out.len() as u64;
        Ok(())
    }

    /// Begins a block. Those before it that were not listed have no planes.
    fn begin(&mut self, block: u64) {
        let place = Place { offset: self.length, first: self.lengths.len() };
        self.places.resize(width::index(block).max(self.places.len()) + 1, place);
    }

    /// Reads the plane of a block that is told by its place when it was listed. Errors: of the folder; it is not what was written.
    pub(super) fn read(
        &mut self,
        shape: Shape,
        block: u64,
        bit: Option<usize>,
        out: &mut Vec<u64>,
    ) -> Result<(), Fault> {
        out.clear();
        out.resize(shape.lanes(), 0);
        let (at, raw) = (width::index(block), out.len() * 8);
        let Some(&Place { offset, first }) = self.places.get(at) else { return Ok(()) };
        let end = self.places.get(at + 1).map_or(self.lengths.len(), |place| place.first);
        let lengths = self.lengths.get(first..end).unwrap_or_default();
        // A change may not have been met yet when the block was listed.
        let Some((bit, length)) = bit.and_then(|bit| Some((bit, usize::from(*lengths.get(bit)?)))) else {
            return Ok(());
        };
        if length == 0 {
            return Ok(());
        }
        let before: u64 = lengths[..bit].iter().map(|&length| u64::from(length)).sum();
        self.room.resize(length, 0);
        self.file.read_exact_at(&mut self.room, offset + before).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => self.folder.damaged(NAME),
            _ => self.folder.failed(NAME, &error),
        })?;
        let damaged = || self.folder.damaged(NAME);
        let (bytes, sum) = self.room.split_last_chunk::<SUM>().ok_or_else(damaged)?;
        if checksum(block, bit, bytes).to_le_bytes() != *sum {
            return Err(damaged());
        }
        let plane: &mut [u8] = bytemuck::cast_slice_mut(out);
        if bytes.len() == raw {
            plane.copy_from_slice(bytes);
            return Ok(());
        }
        let length = decompress_into(bytes, plane).map_err(|_| damaged())?;
        if length == raw { Ok(()) } else { Err(damaged()) }
    }

    /// Makes sure that the file is on the disk. Error: of the folder.
    pub(super) fn sync(&self) -> Result<(), Fault> {
        self.file.sync_data().map_err(|error| self.folder.failed(NAME, &error))
    }

    /// No plane is wanted any more. The file stays until [`Planes::shorten`].
    pub(super) fn forget(&mut self) {
        (self.length, self.places, self.lengths) = (0, Vec::new(), Vec::new());
    }

    /// Gives the disk back what was forgotten, after a checkpoint. Error: of the folder.
    pub(super) fn shorten(&self) -> Result<(), Fault> {
        self.file.set_len(self.length).map_err(|error| self.folder.failed(NAME, &error))
    }

    /// Writes for a checkpoint where planes are.
    pub(super) fn index(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&(self.places.len() as u64).to_le_bytes());
        for (at, place) in self.places.iter().enumerate() {
            let end = self.places.get(at + 1).map_or(self.lengths.len(), |place| place.first);
            let lengths = self.lengths.get(place.first..end).unwrap_or_default();
            out.extend_from_slice(&width::short(lengths.len()).to_le_bytes());
            out.extend(lengths.iter().flat_map(|length| length.to_le_bytes()));
        }
    }

    /// Reads from the index of a checkpoint where planes are; what stands behind. `None`: that is no index.
    pub(super) fn unpack<'a>(&mut self, bytes: &'a [u8]) -> Option<&'a [u8]> {
        let (blocks, mut rest) = bytes.split_first_chunk::<8>()?;
        self.forget();
        for block in 0..u64::from_le_bytes(*blocks) {
            let (count, behind) = rest.split_first_chunk::<4>()?;
            let (lengths, behind) = behind.split_at_checked((u32::from_le_bytes(*count) as usize).checked_mul(2)?)?;
            self.begin(block);
            let lengths = lengths.as_chunks::<2>().0.iter().map(|length| u16::from_le_bytes(*length));
            self.length += lengths.clone().map(u64::from).sum::<u64>();
            self.lengths.extend(lengths);
            rest = behind;
        }
        Some(rest)
    }

    /// Goes on from a checkpoint whose index was read: the file is as long as then. Errors: of the folder; it is shorter.
    pub(super) fn resume(&self) -> Result<(), Fault> {
        let there = self.file.metadata().map_err(|error| self.folder.failed(NAME, &error))?.len();
        if there < self.length { Err(self.folder.damaged(NAME)) } else { self.shorten() }
    }
}

/// The checksum of a plane.
fn checksum(block: u64, bit: usize, plane: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&block.to_le_bytes());
    hasher.update(&(bit as u64).to_le_bytes());
    hasher.update(plane);
    hasher.finalize()
}
