//! Eight words of a line looked at side by side.

use crate::tables::compact_table::slot::{PLACES, Survey};
use std::sync::atomic::AtomicU64;

/// See [`crate::tables::compact_table::slot::Slot::survey`].
#[cfg(target_arch = "x86_64")]
#[inline]
pub(super) fn survey(line: &[AtomicU64; PLACES], wanted: u64, mask: u64) -> Survey {
    use std::arch::asm;
    use std::arch::x86_64::{
        __m128i, _mm_and_si128, _mm_cmpeq_epi32, _mm_movemask_epi8, _mm_packs_epi16, _mm_packs_epi32, _mm_set1_epi64x,
        _mm_setzero_si128, _mm_xor_si128,
    };
    let [a, b, c, d]: [__m128i; 4];
    // SAFETY: 64 bytes are read, those of the line. Every word is read as a whole, as by a relaxed load: x86 reads and writes
    // aligned words of 8 bytes whole and in order, those of a vector too, and no other instruction is moved over this one.
    #[allow(unsafe_code)]
    unsafe {
        asm!(
            "movdqu {a}, [{line}]",
            "movdqu {b}, [{line} + 16]",
            "movdqu {c}, [{line} + 32]",
            "movdqu {d}, [{line} + 48]",
            line = in(reg) line.as_ptr(),
            a = out(xmm_reg) a,
            b = out(xmm_reg) b,
            c = out(xmm_reg) c,
            d = out(xmm_reg) d,
            options(nostack, preserves_flags),
        );
    }
    // SAFETY: every processor of this kind has these instructions.
    #[allow(unsafe_code)]
    unsafe {
        let (wanted, mask) = (_mm_set1_epi64x(wanted.cast_signed()), _mm_set1_epi64x(mask.cast_signed()));
        let zero = _mm_setzero_si128();
        // Each half of a word makes a byte; a word is nothing where both of its bytes are ones.
        let nothing = |[a, b, c, d]: [__m128i; 4]| {
            let [a, b, c, d] = [a, b, c, d].map(|half| _mm_cmpeq_epi32(half, zero));
            let bytes =
                _mm_movemask_epi8(_mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d))).cast_unsigned();
            bytes & bytes >> 1 & 0x5555
        };
        let words = [a, b, c, d];
        let differing = words.map(|words| _mm_and_si128(_mm_xor_si128(words, wanted), mask));
        Survey { same: nothing(differing), free: nothing(words) }
    }
}

/// See [`crate::tables::compact_table::slot::Slot::survey`].
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(super) fn survey(line: &[AtomicU64; PLACES], wanted: u64, mask: u64) -> Survey {
    let words = line.each_ref().map(|word| word.load(std::sync::atomic::Ordering::Acquire));
    let none = Survey { same: 0, free: 0 };
    (0..PLACES).fold(none, |all, at| all.with(at, (words[at] ^ wanted) & mask == 0, words[at] == 0))
}
