//! Where the cells of a table are: in memory, or in a file.

use crate::disk::mapped::MappedFile;
use crate::value::limits::Limits;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicBool;

/// Words that hold cells.
#[derive(Debug)]
pub(super) enum CellMemory {
    /// In memory.
    Held(Vec<u64>),
    /// In a file of a directory of tables.
    Mapped(MappedFile),
}

impl CellMemory {
    /// No words.
    pub(super) const fn none() -> CellMemory {
        CellMemory::Held(Vec::new())
    }

    /// Gives memory back where the program has more than it may.
    pub(super) fn trim(&self, limits: &Limits) {
        if let CellMemory::Mapped(file) = self {
            file.trim(limits);
        }
    }

    /// What gives memory back while some work is done; `None`: nothing has to.
    pub(super) fn trimmer(&self, limits: &Limits) -> Option<impl FnOnce(&AtomicBool) + Send + 'static> {
        match self {
            CellMemory::Held(_) => None,
            CellMemory::Mapped(file) => Some(file.trimmer(limits)),
        }
    }

    /// Bytes of memory; those of a file are the system's to give and to take.
    pub(super) fn bytes(&self) -> usize {
        match self {
            CellMemory::Held(words) => words.len() * 8,
            CellMemory::Mapped(_) => 0,
        }
    }
}

impl Deref for CellMemory {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        match self {
            CellMemory::Held(words) => words,
            CellMemory::Mapped(file) => file.words(),
        }
    }
}

impl DerefMut for CellMemory {
    fn deref_mut(&mut self) -> &mut [u64] {
        match self {
            CellMemory::Held(words) => words,
            CellMemory::Mapped(file) => file.words_mut(),
        }
    }
}
