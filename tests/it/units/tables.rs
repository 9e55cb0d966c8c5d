//! Cells, and the memory that they are kept in.

mod cell {
    use grundy::tables::{Cell, Kind};

    #[test]
    fn cells_keep_what_is_written_and_sort_as_promised() {
        for kind in [Kind::Grundy, Kind::GrundyFar, Kind::Outcome { misere: false }] {
            let mut cell = Cell::smallest(kind);
            for value in [true, false, false, true, false] {
                let far = |far: u64| far.min(cell.most_far());
                for v in [0, 1, 2, 61.min(cell.undecided() - 1)] {
                    for f in [0, 1, 77, 500, u64::MAX] {
                        assert_eq!(cell.read(cell.write(v, far(f))), Some((v, far(f))), "{cell:?}");
                        assert!(cell.write(v, far(f)) <= cell.poison());
                    }
                }
                assert_eq!(cell.read(cell.poison()), None);
                if kind != Kind::Grundy {
                    assert!(cell.write(0, 5) < cell.write(0, 6));
                    assert!(cell.write(0, cell.most_far()) < cell.write(3, cell.most_far()));
                    assert!(cell.write(1, 6) < cell.write(2, 5));
                }
                cell = cell.larger(value).unwrap_or(cell);
            }
        }
    }

    #[test]
    fn scores_keep_their_signs() {
        let mut forms = vec![Cell::smallest(Kind::Score)];
        while let Some(larger) = forms.last().and_then(|cell| cell.larger(true)) {
            forms.push(larger);
        }
        assert_eq!(forms.iter().map(|cell| cell.bytes).collect::<Vec<_>>(), [2, 4, 8]);
        for (i, &cell) in forms.iter().enumerate() {
            let half = 1i64 << (cell.value_bits - 1);
            for score in [0, 1, -1, 77, half - 2, 1 - half, -half] {
                let written = cell.write(score.cast_unsigned(), 0);
                assert!(cell.fits(score.cast_unsigned()) && written < cell.poison(), "{cell:?} {score}");
                for &larger in &forms[i..] {
                    assert_eq!(larger.read(cell.widen(written, larger)), Some((score.cast_unsigned(), 0)), "{cell:?}");
                }
            }
            for score in [half - 1, half, -half - 1, i64::MAX, i64::MIN] {
                assert!(!cell.fits(score.cast_unsigned()), "{cell:?} {score}");
            }
            assert_eq!(cell.read(cell.poison()), None);
        }
    }

    #[test]
    fn larger_cells_keep_what_smaller_ones_hold() {
        for kind in [Kind::Grundy, Kind::GrundyFar, Kind::Outcome { misere: true }] {
            let mut todo = vec![Cell::smallest(kind)];
            while let Some(cell) = todo.pop() {
                for larger in [true, false].into_iter().filter_map(|value| cell.larger(value)) {
                    for v in [0, 1, 2, cell.undecided() - 1] {
                        for f in [0, 1, 511, cell.most_far() / 2, cell.most_far()].map(|f| f.min(cell.most_far())) {
                            let f = f.min((1 << 43) - 1);
                            let wide = cell.widen(cell.write(v, f), larger);
                            assert_eq!(larger.read(wide), Some((v, f)), "{cell:?} {larger:?}");
                            assert!(wide <= larger.poison());
                        }
                    }
                    assert_eq!(cell.widen(cell.poison(), larger), larger.poison());
                    todo.push(larger);
                }
            }
        }
    }
}

/// Tables of words beside hash maps.
mod compact_table {
    use grundy::tables::compact_table::{PLACES, Packed, Put, Seek, Slot, least_lines};
    use std::collections::HashMap;
    use std::sync::RwLock;
    use std::sync::atomic::{AtomicU64, Ordering};

    const NEVER: u64 = 0xffbf;
    /// Tables of fewer homes become twice as large, greater ones by a fifth: both are seen.
    const SMALL: u64 = 1 << 13;

    fn table<W: Slot>(bits: u32, width: u32, never: u64, most: usize) -> Packed<W> {
        let mut table = Packed::new(bits, width, never, most);
        table.small = SMALL;
        table
    }

    /// Puts a key that is not there.
    fn put<W: Slot>(table: &mut Packed<W>, key: u64, cell: u64) -> Seek {
        loop {
            match table.put(table.seek(key), cell) {
                Put::New(place) => {
                    table.count(1);
                    assert!(matches!(table.put(place, cell ^ 1), Put::There(there) if there == cell), "{key}");
                    return place;
                }
                Put::There(cell) => panic!("{key} is there: {cell}"),
                Put::Full => table.grow(1),
            }
        }
    }

    /// Puts, gets and sets keys of so many bits beside a hash map; then cells of another form.
    fn held<W: Slot, V: Slot>(bits: u32, width: u32, count: u64, to: u32) {
        let mut table: Packed<W> = table(bits, width, NEVER, 0);
        let (mut expected, mut places) = (HashMap::new(), Vec::new());
        let mut seed = 1u64;
        for i in 0..count {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Runs of neighbours and far keys.
            let key = if i % 3 == 0 { i } else { seed >> 3 } & (u64::MAX >> (64 - bits));
            assert_eq!(table.get(table.seek(key)), expected.get(&key).copied());
            expected.entry(key).or_insert_with(|| {
                places.push((key, put(&mut table, key, i % 65_000)));
                i % 65_000
            });
            if i % 5 == 0 {
                let (key, place) = places[usize::try_from(i).unwrap() % places.len()];
                table.set(place, 0xffff);
                assert_eq!(table.again(place), Some(0xffff));
                expected.insert(key, 0xffff);
            }
        }
        assert_eq!(table.keys(), expected.len() as u64);
        for (&key, &cell) in &expected {
            assert_eq!(table.get(table.seek(key)), Some(cell));
        }
        let full = (table.bytes() / size_of::<W>()) as u64;
        let least = least_lines::<W>(bits, width) * W::COUNT as u64;
        let mapped: Packed<V> = table.map(to, NEVER, |cell| cell ^ 1);
        assert_eq!(mapped.keys(), expected.len() as u64);
        for (key, cell) in expected {
            assert_eq!(mapped.get(mapped.seek(key)), Some(cell ^ 1));
        }
        assert!(full <= (table.keys() * 3 / 2).max(least) + 4096, "nearly full");
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
    fn the_last_keys_of_lines_are_found_without_a_division() {
        for (bits, width, homes) in
            [(1, 16, 2048), (14, 16, 2048), (30, 42, 65_537), (40, 16, 99_991), (60, 16, 1 << 17), (61, 16, 3_333_337)]
        {
            let table: Packed<u64> = Packed::with_homes(bits, width, NEVER, 0, homes);
            for line in (0..2000).chain(usize::try_from(homes).unwrap() - 2000..usize::try_from(homes).unwrap()) {
                let (end, near) = (table.end(line, homes), table.near_end(line));
                assert!(end <= near && near - end <= 1 + (line as u64 >> 30), "{bits} {homes} {line}: {end} {near}");
            }
        }
    }

    #[test]
    fn far_gaps_between_keys_are_kept() {
        // Few keys in a table that was made large, then grown.
        for count in 1..40 {
            let mut table: Packed<u64> = table(40, 38, 5, 0);
            for key in 0..count {
                put(&mut table, (key * 0x1234_5677) & ((1 << 40) - 1), key);
            }
            for _ in 0..3 {
                table.grow(1);
            }
            for key in 0..count {
                assert_eq!(table.get(table.seek((key * 0x1234_5677) & ((1 << 40) - 1))), Some(key), "{count}");
            }
        }
    }

    /// Several threads put, set and read the same keys in different orders while the table grows; as in a search, with the cell 0
    /// before the right one.
    fn shared(bits: u32, width: u32, keys: &[u64], threads: usize) {
        let cell = |key: u64| key % 1000 + 1;
        let mut table: Packed<u64> = table(bits, width, NEVER, 1 << 30);
        assert!(table.share());
        let (table, made) = (RwLock::new(table), AtomicU64::new(0));
        let work = |turn: usize| {
            let first = keys.len() * turn / threads;
            let mut places = Vec::new();
            for (i, &key) in keys[first..].iter().chain(&keys[..first]).enumerate() {
                loop {
                    let held = table.read().expect("no panic");
                    let (age, full) = (
                        held.age(),
                        match held.put(held.seek(key), 0) {
                            Put::New(place) => {
                                held.count(1);
                                made.fetch_add(1, Ordering::Relaxed);
                                places.push((key, place));
                                false
                            }
                            Put::There(there) => {
                                assert!(there == 0 || there == cell(key), "{key}: {there}");
                                places.push((key, held.seek(key)));
                                false
                            }
                            Put::Full => true,
                        },
                    );
                    drop(held);
                    if !full {
                        break;
                    }
                    let mut held = table.write().expect("no panic");
                    if held.age() == age {
                        held.grow(threads);
                    }
                }
                let held = table.read().expect("no panic");
                let (old, place) = places[(i * 7919) % places.len()];
                held.set(place, cell(old));
                assert_eq!((held.get(held.seek(old)), held.again(place)), (Some(cell(old)), Some(cell(old))), "{old}");
                let (old, _) = places[(i * 104_729) % places.len()];
                let there = held.get(held.seek(old)).expect("it was put");
                assert!(there == 0 || there == cell(old), "{old}: {there}");
                let mut cells = Vec::new();
                held.at_home(&[held.seek(old)], 0, &mut cells);
                assert!(cells[0] == 0 || cells[0] == cell(old), "{old}: {cells:?}");
            }
            let held = table.read().expect("no panic");
            for (key, place) in places {
                held.set(place, cell(key));
            }
        };
        std::thread::scope(|scope| {
            for turn in 0..threads {
                let work = &work;
                scope.spawn(move || work(turn));
            }
        });
        let table = table.into_inner().expect("no panic");
        let words = table.memory.words().chunks_exact(PLACES).flatten();
        let taken = words.filter(|word| word.load(Ordering::Relaxed) != 0).count() as u64;
        assert_eq!((made.into_inner(), table.keys(), taken), (keys.len() as u64, keys.len() as u64, keys.len() as u64));
        for &key in keys {
            assert_eq!(table.get(table.seek(key)), Some(cell(key)));
        }
    }

    #[test]
    fn threads_share_it() {
        for (bits, width, threads) in [(40, 16, 2), (40, 16, 5), (30, 42, 3), (30, 42, 8)] {
            let mix = |i: u64| i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits);
            let mut keys: Vec<u64> = (0..60_000).map(mix).collect();
            keys.sort_unstable();
            keys.dedup();
            keys.sort_by_key(|&key| key.wrapping_mul(0xff51_afd7_ed55_8ccd) >> 20);
            shared(bits, width, &keys, threads);
        }
    }

    #[test]
    fn a_line_is_looked_at_as_word_by_word() {
        let mut seed = 1u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            seed >> 11
        };
        for round in 0..20_000 {
            // Words that differ in few bits, high and low ones, and zeros.
            let mask = u64::MAX << (round % 64);
            let wanted = random() << (random() % 40) & mask;
            let words: [u64; PLACES] = std::array::from_fn(|_| match random() % 5 {
                0 => 0,
                1 => wanted | random() & !mask,
                2 => wanted ^ 1 << (random() % 64),
                _ => random() << (random() % 20),
            });
            let line = words.map(AtomicU64::new);
            let found = <u64 as Slot>::survey(&line, wanted, mask);
            for (at, word) in words.into_iter().enumerate() {
                assert_eq!(
                    found.same >> (2 * at) & 3,
                    u32::from((word ^ wanted) & mask == 0),
                    "{words:x?} {wanted:x} {mask:x}"
                );
                assert_eq!(found.free >> (2 * at) & 3, u32::from(word == 0), "{words:x?}");
            }
        }
    }
}

mod fill {
    use grundy::tables::fill::LineRecords;

    #[test]
    fn records_keep_what_they_hold() {
        let mut records = LineRecords::default();
        records.fit(3, 1, false);
        records.data.copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8, 9]);
        records.fit(3, 2, true);
        assert_eq!(records.data, [1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0]);
        records.fit(3, 2, true);
        assert_eq!(records.data[..4], [1, 2, 3, 0]);
        records.fit(2, 1, false);
        assert_eq!(records.data, [0; 6]);
    }
}

mod wavefront {
    use grundy::tables::wavefront::Wave;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Every cell is one more than the sum of all cells before it in both directions, as far as it sees them.
    #[test]
    fn a_cell_sees_all_before_it() {
        for threads in [1, 2, 3, 8] {
            for (row, block, from, to) in
                [(1, 1, 0, 9), (7, 1, 0, 70), (16, 3, 21, 200), (16, 99, 0, 193), (50, 7, 3, 40)]
            {
                let cells: Vec<AtomicU64> = (0..to).map(|rank| AtomicU64::new(u64::from(rank < from))).collect();
                let get = |rank: u64| cells[usize::try_from(rank).expect("small")].load(Ordering::Relaxed);
                let result = Wave { row, block, threads }.run::<(), _>(from..to, || {
                    |range: std::ops::Range<u64>| {
                        for rank in range {
                            let (r, i) = (rank / row, rank % row);
                            let seen = (0..=r).all(|r| (0..=i).all(|i| r * row + i == rank || get(r * row + i) == 1));
                            cells[usize::try_from(rank).expect("small")].store(1 + u64::from(!seen), Ordering::Relaxed);
                        }
                        Ok(())
                    }
                });
                assert_eq!((result.filled, result.stopped), (to, None));
                assert!((0..to).all(|rank| get(rank) == 1), "{threads} {row} {block}");
            }
        }
    }

    #[test]
    fn a_stop_stops_all_and_loses_nothing_below() {
        for threads in [1, 2, 3, 8] {
            for bad in [0, 5, 39, 61, 99] {
                let cells: Vec<AtomicU64> = (0..100).map(|_| AtomicU64::new(0)).collect();
                let result = Wave { row: 10, block: 2, threads }.run(0..100, || {
                    |range: std::ops::Range<u64>| {
                        for rank in range {
                            if rank >= bad {
                                return Err((rank, "bad"));
                            }
                            cells[usize::try_from(rank).expect("small")].store(1, Ordering::Relaxed);
                        }
                        Ok(())
                    }
                });
                assert!(result.filled <= bad);
                let (at, why) = result.stopped.expect("a stop");
                assert!(at >= bad && why == "bad");
                assert!(
                    cells
                        .iter()
                        .take(usize::try_from(result.filled).expect("small"))
                        .all(|c| c.load(Ordering::Relaxed) == 1)
                );
            }
        }
    }

    #[test]
    fn a_panic_of_one_ends_all() {
        let work = || {
            Wave { row: 10, block: 1, threads: 3 }.run::<(), _>(0..1000, || {
                |range: std::ops::Range<u64>| {
                    assert!(range.start != 555, "meant");
                    Ok(())
                }
            })
        };
        assert!(std::panic::catch_unwind(work).is_err());
    }

    #[test]
    fn boxes_are_divided_where_rows_are_long_enough() {
        assert!(Wave::ways(&[1], 1 << 30, 8, 1024).is_empty());
        let ways = Wave::ways(&[90_000, 300, 1], 27_000_000, 8, 1024);
        assert_eq!(ways.last(), Some(&Wave { row: 90_000, block: 2812, threads: 8 }));
        let ways = Wave::ways(&[5000, 1], 25_000_000, 8, 512);
        assert_eq!(ways, [Wave { row: 5000, block: 512, threads: 4 }]);
    }
}

mod zeroed_mmap {
    use grundy::tables::zeroed_mmap::ZeroedMmap;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn words_are_kept_when_the_room_grows_in_place_or_not() {
        for most in [0, 1 << 26] {
            let mut room = ZeroedMmap::new(1000, most);
            room.words()[999].store(7, Relaxed);
            for len in [1001, 5000, 1 << 20] {
                room.lengthen(len);
                let word = |at: usize| room.words()[at].load(Relaxed);
                assert_eq!((room.words().len(), word(999), word(len - 1)), (len, 7, 0));
            }
        }
    }
}
