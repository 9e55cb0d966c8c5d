//! What the engines remember.

use grundy::memo::{Coded, SumTable, coded};
use std::collections::HashMap;

/// Lists of all lengths and sizes of numbers, many of them close to each other.
fn sums() -> Vec<Vec<u32>> {
    let numbers = [1, 2, 3, 126, 127, 128, 129, 255, 256, 16383, 16384, 1 << 21, u32::MAX - 9];
    let mut all = vec![Vec::new()];
    let mut seed = 7u64;
    for round in 0..6000usize {
        let mut sum: Vec<u32> = (0..round % 40)
            .map(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                numbers[usize::try_from(seed >> 33).expect("31 bits") % if round % 3 == 0 { 2 } else { 13 }]
            })
            .collect();
        sum.sort_unstable();
        all.push(sum);
    }
    all
}

#[test]
fn a_table_holds_what_a_plain_map_holds() {
    let (mut table, mut map, mut heap) = (SumTable::default(), HashMap::new(), Vec::new());
    for (word, sum) in (1u32..).zip(sums()) {
        assert_eq!(table.get(coded(&sum, &mut heap)), map.get(&sum).copied().unwrap_or(0), "{sum:?}");
        table.set(coded(&sum, &mut heap), word);
        map.insert(sum, word);
    }
    for (sum, word) in &map {
        assert_eq!(table.get(coded(sum, &mut heap)), *word, "{sum:?}");
    }
}

#[test]
fn sixteen_bytes_are_short() {
    let mut heap = Vec::new();
    assert!(matches!(coded(&[127; 16], &mut heap), Coded::Short(_)));
    assert!(matches!(coded(&[128; 8], &mut heap), Coded::Short(_)));
    assert!(matches!(coded(&[1; 17], &mut heap), Coded::Long(key) if key == [1; 17]));
    assert!(matches!(coded(&[128; 9], &mut heap), Coded::Long(key) if key.len() == 18));
}
