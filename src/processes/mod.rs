//! Several processes that work on one table, on one machine or on several.
//!
//! All run the same command on the same files. Process 0 answers; it tells the others which table is worked out next, and each
//! holds a part of it.

pub mod join;
pub mod mesh;

use crate::disk::{DataRead, digest};
use crate::processes::mesh::Mesh;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::{fmt, fs};

/// The processes that work together, as one of them sees them.
pub struct Crew {
    index: usize,
    count: usize,
    /// What connects them.
    pub mesh: Mutex<Mesh>,
    jobs: AtomicU32,
    /// Why there is no work for several.
    refused: Mutex<Option<String>>,
    /// The layers of a table whose layers were thin.
    slow: AtomicU64,
    data: DataRead,
}

impl fmt::Debug for Crew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {} of {}", self.index, self.count)
    }
}

impl Crew {
    /// Those of a mesh. `data`: the files that the rules have read so far.
    pub fn new(mesh: Mesh, data: DataRead) -> Crew {
        let (index, count, mesh) = (mesh.index(), mesh.count(), Mutex::new(mesh));
        Crew { index, count, mesh, jobs: AtomicU32::new(0), refused: Mutex::default(), slow: AtomicU64::new(0), data }
    }

    /// Digests of the data that the rules have read: on another machine files may have other names.
    pub fn data(&self) -> Vec<String> {
        (self.data)().iter().map(|path| digest(&fs::read(path).unwrap_or_default())).collect()
    }

    /// The number of this process.
    pub fn index(&self) -> usize {
        self.index
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether this one answers.
    pub fn leads(&self) -> bool {
        self.index == 0
    }

    /// Notes why there is no work for several processes; the first reason counts.
    pub fn refuse(&self, why: &dyn fmt::Display) {
        self.refused.lock().get_or_insert_with(|| why.to_string());
    }

    /// Why one process has worked alone; `None`: all have worked together.
    pub fn why_alone(&self) -> Option<String> {
        let none =
            || (self.jobs.load(Ordering::Relaxed) == 0).then(|| "it is answered without a table in blocks".into());
        self.refused.lock().clone().or_else(none)
    }

    /// Notes that a table was worked out; in so many layers, if processes gained little since these were thin.
    pub fn note_layers(&self, slow: Option<u64>) {
        self.slow.fetch_max(slow.unwrap_or(0), Ordering::Relaxed);
    }

    /// The layers of a table, if processes gained little since these were thin.
    pub fn slow_layers(&self) -> Option<u64> {
        Some(self.slow.load(Ordering::Relaxed)).filter(|&layers| layers > 0)
    }

    /// Ends the connection when all others do: nothing is sent or waited for any more.
    pub fn leave(&self) {
        self.mesh.lock().close();
    }

    /// Numbers the tables that are worked out: all processes call it at the same places.
    pub fn next_job(&self) -> u32 {
        self.jobs.fetch_add(1, Ordering::Relaxed)
    }
}
