//! Numbers in words of another width, where what does not fit is known to mean the same as the greatest number, or is
//! known not to come. Everything else is converted with an error.

/// A place in a list, or a length. What has no place stays behind the end of every list, which has fewer than `2^63` items.
#[inline]
pub(crate) fn index(number: impl TryInto<usize>) -> usize {
    number.try_into().unwrap_or(usize::MAX)
}

/// A length, a place or a bound as an int. Lengths and places always fit; a bound above all ints bounds none of them.
#[inline]
pub(crate) fn int(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

/// How many there are, for limits: what does not fit is above every limit.
#[inline]
pub(crate) fn count(number: impl TryInto<u64>) -> u64 {
    number.try_into().unwrap_or(u64::MAX)
}

/// A number of which the caller knows that 32 bits hold it.
#[inline]
pub(crate) fn short<N: TryInto<u32>>(number: N) -> u32 {
    let short = number.try_into();
    debug_assert!(short.is_ok(), "a number is longer than 32 bits");
    short.unwrap_or(u32::MAX)
}
