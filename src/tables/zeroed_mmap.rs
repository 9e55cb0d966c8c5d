//! Words of memory that start as zeros and grow in place: the system gives pages when they are first written to.

use crate::value::memory;
use memmap2::{MmapMut, MmapOptions};
use std::sync::atomic::{AtomicU64, Ordering};

/// Tables from this size on ask the system for large pages, so that fewer addresses need looking up.
#[cfg(target_os = "linux")]
const LARGE: usize = 16 << 20;
const WORD: usize = size_of::<AtomicU64>();

/// See the module. Several threads may read and write words, each as a whole.
#[derive(Debug)]
pub struct ZeroedMmap {
    map: MmapMut,
    len: usize,
}

impl ZeroedMmap {
    /// So many zeros, which can grow to `most` bytes without a copy if the system sets so many addresses aside.
    ///
    /// # Panics
    /// When the system has no memory, as every other allocation.
    pub fn new(len: usize, most: usize) -> ZeroedMmap {
        let needed = len.saturating_mul(WORD);
        // Elsewhere memory counts when it is set aside.
        let mut bytes = if cfg!(unix) { most.max(needed) } else { needed };
        let map = loop {
            match MmapOptions::new().len(bytes).no_reserve_swap().map_anon() {
                Ok(map) => break map,
                Err(_) if bytes > needed => bytes = (bytes / 2).max(needed),
                Err(error) => {
                    memory::no_more();
                    panic!("no memory for {needed} bytes: {error}")
                }
            }
        };
        let room = ZeroedMmap { map, len };
        room.advise();
        room
    }

    fn advise(&self) {
        #[cfg(target_os = "linux")]
        if self.len * WORD >= LARGE {
            // A wish: without it everything works, but slower.
            let _ = self.map.advise(memmap2::Advice::HugePage);
        }
    }

    /// All words.
    #[inline]
    pub fn words(&self) -> &[AtomicU64] {
        // SAFETY: pages start at multiples of 8 and are zeros or what was stored; `len` words fit in the map, of which no other
        // reference is ever made, and which goes when the room does.
        #[allow(unsafe_code)]
        unsafe {
            std::slice::from_raw_parts(self.map.as_ptr().cast(), self.len)
        }
    }

    /// So many words instead, the new ones zeros; as many as there are if those are more.
    pub fn lengthen(&mut self, len: usize) {
        let needed = len.saturating_mul(WORD);
        if needed > self.map.len() {
            let larger = ZeroedMmap::new(len, needed.saturating_mul(2));
            for (to, from) in larger.words().iter().zip(self.words()) {
                to.store(from.load(Ordering::Relaxed), Ordering::Relaxed);
            }
            *self = larger;
            return;
        }
        let small = self.len;
        self.len = len.max(small);
        #[cfg(target_os = "linux")]
        if small * WORD < LARGE {
            self.advise();
        }
    }
}
