//! Numbers of so many bits that lie near each other, sent far apart, one to one.
//!
//! Multiplications by odd numbers and shifted sums, as in the finisher of splitmix64 (Steele, Lea, Flood, Fast splittable
//! pseudorandom number generators, 2014). Each of these can be taken back.

const FIRST: u64 = 0xbf58_476d_1ce4_e5b9;
const SECOND: u64 = 0x94d0_49bb_1331_11eb;

/// The number by which a multiplication by an odd one is taken back, modulo `2^64` (Newton's method: each round doubles the bits
/// that are right).
const fn inverse(odd: u64) -> u64 {
    let (mut found, mut round) = (odd, 0);
    while round < 5 {
        found = found.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(found)));
        round += 1;
    }
    found
}

const FIRST_BACK: u64 = inverse(FIRST);
const SECOND_BACK: u64 = inverse(SECOND);

/// So many ones, at most 64.
#[inline]
pub fn ones(bits: u32) -> u64 {
    if bits == 0 { 0 } else { u64::MAX >> (64 - bits) }
}

/// A number of so many bits, mixed.
#[inline]
pub fn mix(key: u64, bits: u32) -> u64 {
    let (mask, half) = (ones(bits), bits.div_ceil(2));
    let key = (key ^ key >> half).wrapping_mul(FIRST) & mask;
    (key ^ key >> half).wrapping_mul(SECOND) & mask
}

/// The number that was mixed.
#[inline]
pub fn unmix(mixed: u64, bits: u32) -> u64 {
    let (mask, half) = (ones(bits), bits.div_ceil(2));
    let key = mixed.wrapping_mul(SECOND_BACK) & mask;
    let key = (key ^ key >> half).wrapping_mul(FIRST_BACK) & mask;
    key ^ key >> half
}
