//! Words of memory that start as zeros and grow in place: the system gives pages when they are first written to.

use bytemuck::Pod;
use memmap2::{MmapMut, MmapOptions};

/// Tables from this size on ask the system for large pages, so that fewer addresses need looking up.
#[cfg(target_os = "linux")]
const LARGE: usize = 16 << 20;

/// See the module.
#[derive(Debug)]
pub(super) struct Room<W> {
    map: MmapMut,
    len: usize,
    _word: std::marker::PhantomData<W>,
}

impl<W: Pod> Room<W> {
    /// So many zeros, which can grow to `most` bytes without a copy if the system sets so many addresses aside.
    ///
    /// # Panics
    /// When the system has no memory, as every other allocation.
    pub(super) fn new(len: usize, most: usize) -> Room<W> {
        let needed = len.saturating_mul(size_of::<W>());
        // Elsewhere memory counts when it is set aside.
        let mut bytes = if cfg!(unix) { most.max(needed) } else { needed };
        let map = loop {
            match MmapOptions::new().len(bytes).no_reserve_swap().map_anon() {
                Ok(map) => break map,
                Err(_) if bytes > needed => bytes = (bytes / 2).max(needed),
                Err(error) => panic!("no memory for {needed} bytes: {error}"),
            }
        };
        let room = Room { map, len, _word: std::marker::PhantomData };
        room.advise();
        room
    }

    fn advise(&self) {
        #[cfg(target_os = "linux")]
        if self.len * size_of::<W>() >= LARGE {
            // A wish: without it everything works, but slower.
            let _ = self.map.advise(memmap2::Advice::HugePage);
        }
    }

    #[inline]
    pub(super) fn words(&self) -> &[W] {
        bytemuck::cast_slice(&self.map[..self.len * size_of::<W>()])
    }

    #[inline]
    pub(super) fn words_mut(&mut self) -> &mut [W] {
        bytemuck::cast_slice_mut(&mut self.map[..self.len * size_of::<W>()])
    }

    /// More zeros at the end.
    pub(super) fn lengthen(&mut self, len: usize) {
        let needed = len.saturating_mul(size_of::<W>());
        if needed > self.map.len() {
            let mut larger = Room::new(len, needed.saturating_mul(2));
            larger.words_mut()[..self.len].copy_from_slice(self.words());
            *self = larger;
            return;
        }
        let small = self.len;
        self.len = len.max(small);
        #[cfg(target_os = "linux")]
        if small * size_of::<W>() < LARGE {
            self.advise();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Room;

    #[test]
    fn words_are_kept_when_the_room_grows_in_place_or_not() {
        for most in [0, 1 << 26] {
            let mut room: Room<u64> = Room::new(1000, most);
            room.words_mut()[999] = 7;
            for len in [1001, 5000, 1 << 20] {
                room.lengthen(len);
                assert_eq!((room.words().len(), room.words()[999], room.words()[len - 1]), (len, 7, 0));
            }
        }
    }
}
