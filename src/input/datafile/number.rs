//! Numbers of up to eight digits, eight bytes at a time, and lines of two of them.

/// The number that begins at `at`, and where it ends. `None`: no digit, or fewer than eight bytes are left. Of more than
/// eight digits only eight are taken, so that the next byte is a digit.
///
/// All eight bytes are looked at in one word: a byte is a digit if it is below 10 once the bits of `'0'` are taken off; digits
/// are then moved to the high end and put together in pairs, fours and eights by three multiplications.
#[inline(always)]
#[allow(clippy::inline_always)] // some nanoseconds for each number of a large file
pub fn number(text: &[u8], at: usize) -> Option<(u32, usize)> {
    let bytes: [u8; 8] = text.get(at..at + 8)?.try_into().ok()?;
    let less = u64::from_le_bytes(bytes) ^ 0x3030_3030_3030_3030;
    // A carry out of a byte that is no digit only disturbs bytes behind it.
    let others = (less.wrapping_add(0x7676_7676_7676_7676) | less) & 0x8080_8080_8080_8080;
    let digits = others.trailing_zeros() / 8;
    if digits == 0 {
        return None;
    }
    let pairs = (less << (64 - 8 * digits)).wrapping_mul(10 << 8 | 1) >> 8 & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100 << 16 | 1) >> 16 & 0x0000_ffff_0000_ffff;
    let eight = fours.wrapping_mul(10_000 << 32 | 1) >> 32;
    Some((u32::try_from(eight).ok()?, at + digits as usize))
}

/// Two numbers with one blank between, to which the line ends, and where the next line begins. `None`: look closer.
#[inline]
pub(super) fn pair(text: &[u8], at: usize) -> Option<(u32, u32, usize)> {
    let (u, at) = number(text, at)?;
    if !matches!(text.get(at), Some(b' ' | b'\t')) {
        return None;
    }
    let (v, at) = number(text, at + 1)?;
    match text.get(at)? {
        b'\n' => Some((u, v, at + 1)),
        b'\r' if text.get(at + 1) == Some(&b'\n') => Some((u, v, at + 2)),
        _ => None,
    }
}
