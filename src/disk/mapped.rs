//! Words in a file that stands in memory as if it were there: the system reads pages when they are first looked at, and writes
//! those that were changed when it wants to.
//!
//! The room on the disk is taken when the file is made, so that a full disk is an error and not the end of the program.
//! For cells that are written one after the other; what is written here and there wants blocks that are saved whole.

use crate::disk::Folder;
use crate::source::Code;
use crate::value::limits::Limits;
use crate::value::memory;
use crate::value::{Fault, width};
use memmap2::{MmapOptions, MmapRaw, UncheckedAdvice};
use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// See the module.
#[derive(Debug)]
pub struct MappedFile {
    map: Arc<MmapRaw>,
    words: usize,
}

impl MappedFile {
    /// So many words of a file, which is made longer, by zeros, if it is shorter. L02 when the disk has no room.
    pub fn open(folder: &Folder, name: &str, words: usize) -> Result<MappedFile, Fault> {
        let failed = |error: &io::Error| folder.failed(name, error);
        let file = folder.open(name)?;
        let bytes = words.saturating_mul(8).max(8);
        let length = file.metadata().map_err(|error| failed(&error))?.len();
        if length < bytes as u64 {
            take_room(&file, bytes as u64).map_err(|error| failed(&error))?;
        }
        let map = MmapOptions::new().len(bytes).map_raw(&file);
        let map = map.map_err(|error| match error.kind() {
            io::ErrorKind::OutOfMemory => {
                Fault::new(Code::L02, format!("there are no addresses for a table of {} MiB", bytes >> 20))
            }
            _ => failed(&error),
        })?;
        Ok(MappedFile { map: Arc::new(map), words })
    }

    /// The words.
    #[inline]
    pub fn words(&self) -> &[u64] {
        // SAFETY: pages are aligned, and so many words fit in the map. Nobody else writes to the file while the directory is
        // locked, and it is not made shorter. Who changes words borrows all of this.
        #[allow(unsafe_code)]
        unsafe {
            std::slice::from_raw_parts(self.map.as_ptr().cast(), self.words)
        }
    }

    /// The words, to be changed.
    pub fn words_mut(&mut self) -> &mut [u64] {
        // SAFETY: as above; copies of the map are used for [`MappedFile::trimmer`] only, which reads and writes no words.
        #[allow(unsafe_code)]
        unsafe {
            std::slice::from_raw_parts_mut(self.map.as_mut_ptr().cast(), self.words)
        }
    }

    /// Waits until these bytes are on the disk.
    pub fn sync(&self, from: usize, to: usize) -> io::Result<()> {
        self.map.flush_range(from, to.min(self.map.len()).saturating_sub(from))
    }

    /// Gives memory back where the program has more than it may; pages are read again when they are looked at.
    pub fn trim(&self, limits: &Limits) {
        trim(&self.map, limits);
    }

    /// What does [`MappedFile::trim`] whenever it is wanted while some work is done on the file.
    pub fn trimmer(&self, limits: &Limits) -> impl FnOnce(&AtomicBool) + Send + 'static {
        const NAP: Duration = Duration::from_millis(5);
        let (map, limits) = (self.map.clone(), limits.clone());
        move |over| {
            while !over.load(Ordering::Acquire) {
                trim(&map, &limits);
                std::thread::park_timeout(NAP);
            }
        }
    }
}

fn trim(map: &MmapRaw, limits: &Limits) {
    // Before all of it is taken: pages come quickly.
    if memory::is_above_with_files(limits.memory / 4 * 3) {
        // SAFETY: the map is shared with its file: what was written stays, in the file.
        #[allow(unsafe_code)]
        let _ = unsafe { map.unchecked_advise(UncheckedAdvice::DontNeed) };
    }
}

/// Makes a file so long, and takes the room for it on the disk.
fn take_room(file: &File, bytes: u64) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use std::os::fd::AsRawFd;
        // SAFETY: the descriptor is open as long as the file.
        #[allow(unsafe_code)]
        let code = unsafe { libc::posix_fallocate(file.as_raw_fd(), 0, width::int(bytes)) };
        if code != 0 {
            return Err(io::Error::from_raw_os_error(code));
        }
        Ok(())
    }
    #[cfg(not(target_os = "linux"))]
    file.set_len(bytes)
}
