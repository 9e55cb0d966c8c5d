//! Directories of tables for a test.

use grundy::disk::TablesDir;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A folder that goes when it is dropped.
pub struct Dir(pub PathBuf);

impl Default for Dir {
    fn default() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        Dir(std::env::temp_dir().join(format!("grundy-tables-{}-{count}", std::process::id())))
    }
}

impl Dir {
    /// The directory as that of tables of some game.
    pub fn open(&self) -> Arc<TablesDir> {
        Arc::new(TablesDir::open(&self.0, "g", "i", Box::new(Vec::new), false).expect("a directory"))
    }

    /// All files below it, but for the lock.
    pub fn files(&self) -> Vec<PathBuf> {
        fn below(path: &Path, found: &mut Vec<PathBuf>) {
            for entry in fs::read_dir(path).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    below(&path, found);
                } else if path.file_name().is_some_and(|name| name != "lock") {
                    found.push(path);
                }
            }
        }
        let mut found = Vec::new();
        below(&self.0, &mut found);
        found.sort();
        found
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
