//! Asks for memory ahead of time.

/// To read it.
pub(super) const READ: bool = false;
/// To write to it: so that no other processor holds it.
pub(super) const WRITE: bool = true;

/// Asks for the line of memory where this item is, or would be.
#[inline]
pub(super) fn fetch<const WRITTEN: bool, T>(items: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing, whatever the address; processors that have none for writing do nothing.
    #[allow(unsafe_code)]
    unsafe {
        use std::arch::x86_64::{_MM_HINT_ET0, _MM_HINT_T0, _mm_prefetch};
        let address = items.as_ptr().wrapping_add(at).cast();
        if WRITTEN {
            _mm_prefetch::<_MM_HINT_ET0>(address);
        } else {
            _mm_prefetch::<_MM_HINT_T0>(address);
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, at);
}
