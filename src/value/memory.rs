//! The memory that the program holds, as its allocator counts it.
//!
//! What searches say of their tables is an estimate, and reading, checking, values and lists say nothing. So the allocator
//! of the program counts ([`Counting`]; in a program without it nothing is counted), [`crate::value::limits`] looks at the
//! count wherever it looks at the clock, and where nobody looks for long the allocator itself calls [`on_end`].

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering};

/// The system's allocator, with a count of the bytes that are held.
pub struct Counting;

/// Bytes are told to all threads when a thread has so many.
const STEP: isize = 1 << 16;

static HELD: AtomicIsize = AtomicIsize::new(0);

static MOST: AtomicUsize = AtomicUsize::new(usize::MAX);

static END: OnceLock<fn(End)> = OnceLock::new();

thread_local! {
    static OWN: Cell<isize> = const { Cell::new(0) };
}

/// Why the program cannot go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// More than [`set_most`] allows would be held.
    TooMuch,
    /// The system has no more.
    NoMore,
}

/// How many bytes are held, but for some 64 KiB a thread. 0 without the allocator.
pub fn held() -> usize {
    usize::try_from(HELD.load(Ordering::Relaxed)).unwrap_or(0)
}

/// From now on no more bytes than these may be held.
pub fn set_most(bytes: usize) {
    MOST.store(bytes, Ordering::Relaxed);
}

/// What is called where memory ends: it must end the program, and may not count on any memory. Only the first call of this
/// function counts.
pub fn on_end(end: fn(End)) {
    let _ = END.set(end);
}

fn tell(why: End) {
    if let Some(end) = END.get() {
        // Nobody is stopped by it while it ends the program.
        set_most(usize::MAX);
        end(why);
    }
}

/// Counts bytes that were taken, or given back.
#[inline]
fn count(bytes: isize) {
    let own = OWN.try_with(|own| {
        own.set(own.get().wrapping_add(bytes));
        own.get()
    });
    // A thread that ends has no count of its own any more.
    let own = own.unwrap_or(bytes);
    if own.unsigned_abs() >= STEP.unsigned_abs() {
        let _ = OWN.try_with(|own| own.set(0));
        let held = HELD.fetch_add(own, Ordering::Relaxed).wrapping_add(own);
        if bytes > 0 && usize::try_from(held).is_ok_and(|held| held > MOST.load(Ordering::Relaxed)) {
            tell(End::TooMuch);
        }
    }
}

/// What a piece of so many bytes takes, with what the system's allocator notes of it.
#[inline]
fn signed(bytes: usize) -> isize {
    const NOTE: usize = size_of::<usize>();
    isize::try_from((bytes.saturating_add(NOTE) | 15).max(31)).map_or(isize::MAX, |bytes| bytes + 1)
}

/// Counts memory that was taken from the system otherwise, and gives it back when dropped.
#[derive(Debug, Default)]
pub(crate) struct Taken(usize);

impl Taken {
    /// So many bytes instead of those before.
    pub(crate) fn set(&mut self, bytes: usize) {
        count(signed(bytes).wrapping_sub(signed(self.0)));
        self.0 = bytes;
    }

    /// The system had no more: ends the program, or returns where nobody said how.
    pub(crate) fn no_more() {
        tell(End::NoMore);
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.set(0);
    }
}

fn given(pointer: *mut u8) -> *mut u8 {
    if pointer.is_null() {
        tell(End::NoMore);
    }
    pointer
}

// SAFETY: all memory is the system allocator's.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(signed(layout.size()));
        // SAFETY: as promised by the caller; so below.
        given(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(signed(layout.size()));
        given(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-signed(layout.size()));
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(signed(size) - signed(layout.size()));
        given(unsafe { System.realloc(pointer, layout, size) })
    }
}
