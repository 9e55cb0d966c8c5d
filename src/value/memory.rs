//! The memory that the program holds: its allocator watches how it grows, and the system says how much it is.
//!
//! What searches say of their tables is an estimate, and reading, checking, values and lists say nothing. So the allocator
//! of the program ([`Watching`]; a program without it is not watched) asks the system how much is in memory whenever some
//! more megabytes were taken, and before a large piece is. Zeros that nobody wrote to are not in memory, and do not count.
//! [`crate::value::limits`] looks at what was seen last wherever it looks at the clock; where nobody looks for long the
//! allocator itself calls what [`on_end`] was given.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::io::Read;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering};

/// The system's allocator, with a look at how much is held.
pub struct Watching;

/// Bytes are told to all threads when a thread has so many.
const STEP: isize = 1 << 16;

/// The system is asked when so many more are held, and before a piece of so many.
const LOOK: isize = 4 << 20;

const LARGE: usize = 1 << 20;

static HELD: AtomicIsize = AtomicIsize::new(0);

/// The system is asked when more than this is held.
static NEXT: AtomicIsize = AtomicIsize::new(LOOK);

/// What the system said last, or what a piece that was taken since will make of it.
static SEEN: AtomicUsize = AtomicUsize::new(0);

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

/// Whether more than so many bytes are in memory. Mostly a look at a number; never without the allocator.
pub(crate) fn is_above(bytes: usize) -> bool {
    // What was there may have been given back.
    SEEN.load(Ordering::Relaxed) > bytes && look(0) > bytes
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

/// The system had no more for memory that is not the allocator's: ends the program, or returns where nobody said how.
pub(crate) fn no_more() {
    tell(End::NoMore);
}

fn tell(why: End) {
    if let Some(end) = END.get() {
        // Nobody is stopped by it while it ends the program.
        set_most(usize::MAX);
        end(why);
    }
}

/// How much is in memory, and will be with so many bytes more; ends the program where that is too much.
#[cold]
fn look(more: usize) -> usize {
    let held = usize::try_from(HELD.load(Ordering::Relaxed)).unwrap_or(0);
    let seen = resident().unwrap_or(held).saturating_add(more);
    SEEN.store(seen, Ordering::Relaxed);
    if seen > MOST.load(Ordering::Relaxed) {
        tell(End::TooMuch);
    }
    seen
}

/// How many bytes of the program are in memory, those of files apart, as the system counts them; `None` where it does not tell.
fn resident() -> Option<usize> {
    let [all, of_files] = told_by_system()?;
    Some(all.saturating_sub(of_files))
}

/// Whether more than so many bytes are in memory, those of files among them.
pub(crate) fn is_above_with_files(bytes: usize) -> bool {
    told_by_system().is_some_and(|[all, _]| all > bytes)
}

/// How many bytes of the program are in memory, and how many of these are of files.
fn told_by_system() -> Option<[usize; 2]> {
    const PAGE: usize = 4096;
    let mut text = [0; 128];
    let length = std::fs::File::open("/proc/self/statm").and_then(|mut file| file.read(&mut text)).ok()?;
    let mut pages = std::str::from_utf8(&text[..length]).ok()?.split(' ').skip(1).map(str::parse::<usize>);
    Some([pages.next()?.ok()? * PAGE, pages.next()?.ok()? * PAGE])
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
        told(own);
    }
}

#[cold]
fn told(own: isize) {
    let _ = OWN.try_with(|own| own.set(0));
    let held = HELD.fetch_add(own, Ordering::Relaxed).wrapping_add(own);
    let next = NEXT.load(Ordering::Relaxed);
    if held > next {
        NEXT.store(held.saturating_add(LOOK), Ordering::Relaxed);
        look(0);
    } else if held.saturating_add(LOOK) < next {
        NEXT.store(held.saturating_add(LOOK), Ordering::Relaxed);
    }
}

#[inline]
fn signed(bytes: usize) -> isize {
    isize::try_from(bytes).unwrap_or(isize::MAX)
}

/// Counts a piece that will be written to.
#[inline]
fn take(size: usize) {
    if size >= LARGE {
        look(size);
    }
    count(signed(size));
}

#[inline]
fn given(pointer: *mut u8) -> *mut u8 {
    if pointer.is_null() {
        tell(End::NoMore);
    }
    pointer
}

// SAFETY: all memory is the system allocator's.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Watching {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        // SAFETY: as promised by the caller; so below.
        given(unsafe { System.alloc(layout) })
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(signed(layout.size()));
        given(unsafe { System.alloc_zeroed(layout) })
    }

    #[inline]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-signed(layout.size()));
        unsafe { System.dealloc(pointer, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // A large piece is moved without a copy.
        take(size.saturating_sub(layout.size()));
        count(-signed(layout.size().saturating_sub(size)));
        given(unsafe { System.realloc(pointer, layout, size) })
    }
}
