//! Several processes that work on one table, on one machine or on several.
//!
//! All run the same command on the same files. Process 0 answers; it tells the others which table is worked out next, and each
//! holds a part of it.

pub mod join;
pub mod mesh;

use crate::processes::mesh::Mesh;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

/// The processes that work together, as one of them sees them.
#[derive(Debug)]
pub struct Crew {
    index: usize,
    count: usize,
    /// What connects them.
    pub mesh: Mutex<Mesh>,
    jobs: AtomicU32,
}

impl Crew {
    /// Those of a mesh.
    pub fn new(mesh: Mesh) -> Crew {
        Crew { index: mesh.index(), count: mesh.count(), mesh: Mutex::new(mesh), jobs: AtomicU32::new(0) }
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

    /// Numbers the tables that are worked out: all processes call it at the same places.
    pub fn next_job(&self) -> u32 {
        self.jobs.fetch_add(1, Ordering::Relaxed)
    }
}
