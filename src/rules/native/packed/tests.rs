//! Tables of words beside hash maps.

use super::{Packed, Slot};
use std::collections::HashMap;

const NEVER: u64 = 0xffbf;

/// Puts, gets and sets keys of so many bits beside a hash map; then cells of another form.
fn held<W: Slot, V: Slot>(bits: u32, width: u32, count: u64, to: u32) {
    let mut table: Packed<W> = Packed::new(bits, width, NEVER, 0);
    let (mut expected, mut places) = (HashMap::new(), Vec::new());
    let mut seed = 1u64;
    for i in 0..count {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // Runs of neighbours and far keys.
        let key = if i % 3 == 0 { i } else { seed >> 3 } & (u64::MAX >> (64 - bits));
        assert_eq!(table.get(table.seek(key)), expected.get(&key).copied());
        expected.entry(key).or_insert_with(|| {
            places.push((key, table.insert(table.seek(key), i % 65_000)));
            i % 65_000
        });
        if i % 5 == 0 {
            let (key, place) = places[usize::try_from(i).unwrap() % places.len()];
            table.set(place, 0xffff);
            expected.insert(key, 0xffff);
        }
    }
    assert_eq!(table.len(), expected.len() as u64);
    for (&key, &cell) in &expected {
        assert_eq!(table.get(table.seek(key)), Some(cell));
    }
    let full = (table.bytes() / size_of::<W>()) as u64;
    let least = super::least_lines::<W>(bits, width) * W::COUNT as u64;
    let mapped: Packed<V> = table.map(to, NEVER, |cell| cell ^ 1);
    assert_eq!(mapped.len(), expected.len() as u64);
    for (key, cell) in expected {
        assert_eq!(mapped.get(mapped.seek(key)), Some(cell ^ 1));
    }
    assert!(full <= (table.len() * 3 / 2).max(least) + 4096, "nearly full");
}

#[test]
fn it_holds_what_a_hash_map_holds_while_it_grows() {
    held::<u64, u64>(40, 16, 200_000, 17);
    held::<u64, u128>(61, 16, 60_000, 64);
    held::<u128, u128>(61, 64, 100_000, 64);
    held::<u64, u64>(1, 16, 10, 32);
    held::<u64, u64>(16, 32, 100_000, 16);
}

#[test]
fn places_tell_the_bits_that_are_not_stored() {
    // 24 to 20 bits stored of 30.
    for width in [40, 42, 44] {
        held::<u64, u64>(30, width, 300_000, 38);
    }
}

#[test]
fn far_gaps_between_keys_are_kept() {
    // Few keys in a table that was made large, then grown.
    for count in 1..40 {
        let mut table: Packed<u64> = Packed::new(40, 38, 5, 0);
        for key in 0..count {
            table.insert(table.seek((key * 0x1234_5677) & ((1 << 40) - 1)), key);
        }
        for _ in 0..3 {
            table.grow();
        }
        for key in 0..count {
            assert_eq!(table.get(table.seek((key * 0x1234_5677) & ((1 << 40) - 1))), Some(key), "{count}");
        }
    }
}
