//! Values: texts, graphs, cells, and what they weigh.

mod build {
    mod build_ints {
        use grundy::model::GraphWord;
        use grundy::value::{Graph, Value};

        /// Vertices in the order given, then the other ends, ascending.
        fn expected(vertices: &[i64], pairs: &[(i64, i64)]) -> Vec<i64> {
            let mut all: Vec<i64> = Vec::new();
            let mut rest: Vec<i64> = pairs.iter().flat_map(|(u, v)| [*u, *v]).collect();
            rest.sort_unstable();
            for &v in vertices.iter().chain(&rest) {
                if !all.contains(&v) {
                    all.push(v);
                }
            }
            all
        }

        #[test]
        fn graphs_of_ints_are_those_of_values() {
            let mut state = 7_u64;
            let mut random = |below: u64| {
                state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
                (state >> 33) % below
            };
            for round in 0..600_usize {
                let long = [(0, 1), (-5, 2), (i64::MAX - 200, 1), (i64::MIN, 1_i64 << 57), (3, 40)][round % 5];
                let short = [(0, 1), (-5, 2), (i32::MAX - 200, 1), (i32::MIN, 1 << 25), (3, 40)][round % 5];
                let mut place = || i32::try_from(random(12)).unwrap();
                let vertices: Vec<i64> = (0..round % 7).map(|_| long.0 + long.1 * i64::from(place())).collect();
                let mut end = || short.0 + short.1 * place();
                let short_pairs: Vec<(i32, i32)> = (0..round % 11).map(|_| (end(), end())).collect();
                let pairs: Vec<(i64, i64)> = short_pairs.iter().map(|&(u, v)| (u.into(), v.into())).collect();
                let Some(graph) = Graph::of_ints(GraphWord::Multigraph, &vertices, &short_pairs) else {
                    assert!(vertices.is_empty() && pairs.is_empty());
                    continue;
                };
                let labels: Vec<i64> = expected(&vertices, &pairs);
                assert!(graph.vertices.iter().map(|v| graph.label(*v)).eq(labels.iter().map(|n| Value::Int(*n))));
                let edges = graph.edges.iter().map(|e| (graph.label(e.u), graph.label(e.v)));
                assert!(edges.eq(pairs.iter().map(|(u, v)| (Value::Int(*u), Value::Int(*v)))));
                assert!(
                    labels
                        .iter()
                        .all(|n| graph.number(&Value::Int(*n)).map(|v| graph.label(v)) == Some(Value::Int(*n)))
                );
                assert!((0..40).all(|n| labels.contains(&n) == graph.number(&Value::Int(n)).is_some()));
                let values: Vec<Value> = vertices.iter().map(|n| Value::Int(*n)).collect();
                let ends: Vec<(Value, Value)> = pairs.iter().map(|(u, v)| (Value::Int(*u), Value::Int(*v))).collect();
                let other = Graph::labelled(GraphWord::Multigraph, &values, ends.iter().map(|(u, v)| (u, v)));
                assert!(graph.compare(&other).is_eq() && other.compare(&graph).is_eq());
            }
        }
    }

    mod row {
        use grundy::value::build::sort;

        #[test]
        fn rows_of_all_lengths() {
            let mut seed = 7u32;
            let mut random = |below: u32| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (seed >> 8) % below
            };
            for len in 0..40 {
                for below in [1, 20, 1000, 1 << 24] {
                    for _ in 0..40 {
                        let mut row: Vec<u32> = (0..len).map(|_| random(below) << 7 | random(2)).collect();
                        let mut expected = row.clone();
                        expected.sort_unstable();
                        let distinct = expected.windows(2).all(|two| two[0] < two[1]);
                        assert_eq!(sort(&mut row), distinct);
                        assert_eq!(row, expected);
                    }
                }
            }
            let mut large = vec![i32::MAX.cast_unsigned(), 3, 0];
            assert!(sort(&mut large) && large == [0, 3, i32::MAX.cast_unsigned()]);
        }
    }
}

mod graph {
    use grundy::value::graph::Places;

    #[test]
    fn places_are_ascending_numbers() {
        for (bound, step) in
            [(0, 1), (1, 1), (50, 1), (50, 3), (5000, 1), (5000, 2), (5000, 31), (5000, 33), (9000, 400)]
        {
            let list: Vec<u32> = (0..bound).filter(|n| n % step == step / 2 || n % 1001 == 7).collect();
            let places = Places::of(bound as usize, list.len(), list.iter().copied());
            assert_eq!(places.len(), list.len());
            assert!(places.all().eq(list.iter().copied()) && places.slice() == list);
            assert!(places.iter().eq((0..).zip(list.iter().copied())));
            assert!(
                (0..bound + 3).all(
                    |n| places.number(n) == list.iter().position(|m| *m == n).and_then(|at| u32::try_from(at).ok())
                )
            );
            let count = u32::try_from(list.len()).unwrap();
            assert!((0..count).all(|v| places.at(v) == list[v as usize]));
            assert!(places.bytes() <= list.len() * 4 + 64);
        }
    }
}

mod grid {
    use grundy::value::{Cells, Text, Value};

    #[test]
    fn cells_are_bytes_whenever_they_can_be() {
        let texts = [Text::new("ab"), Text::new("#.")];
        let cells = Cells::of_rows(&texts.iter().collect::<Vec<_>>());
        assert!(matches!(&cells, Cells::Bytes(bytes) if bytes == b"ab#."));
        let mut changed = cells.clone();
        changed.put(3, 'é');
        changed.settle();
        assert_eq!((changed.character(3), changed.character(2)), (Some('é'), Some('#')));
        assert!(changed > cells && matches!(changed, Cells::Values(_)));
        assert_eq!(Cells::of_rows(&[&Text::new("ab#é")]), changed);
        changed.put(3, '.');
        changed.settle();
        assert_eq!(changed, cells);
        assert_eq!(Cells::from(cells.iter().collect::<Vec<Value>>()), cells);
    }
}

mod measure {
    use grundy::value::{Value, Weight};
    use std::sync::Arc;

    fn set(pairs: &[Value]) -> Arc<[Value]> {
        Arc::new([Value::set(pairs.to_vec())])
    }

    #[test]
    fn shared_members_count_once() {
        let each = size_of::<Value>();
        let pairs: Vec<Value> = (0..40).map(|n| Value::Tuple(Arc::new([Value::Int(n), Value::Int(n + 1)]))).collect();
        let states: Vec<Arc<[Value]>> = (0..40).map(|n| set(&[&pairs[..n], &pairs[n + 1..]].concat())).collect();
        let mut first = Weight::default();
        first.keep(&states[0]);
        // Where 40 shared members stand is kept too.
        let kept = 600;
        // A row of values, and of each a row of two.
        let members = 39 * (each + 16 + 2 * each);
        assert!((members..members + 39 * 24 + 400 + kept).contains(&first.bytes()), "{}", first.bytes());
        let mut all = Weight::default();
        for state in &states {
            all.keep(state);
        }
        let least = 40 * 39 * each + 40 * (16 + 2 * each);
        assert!((least..least * 5 / 4 + 40 * 100 + kept).contains(&all.bytes()), "{} {least}", all.bytes());
    }
}

mod mix {
    use grundy::value::mix::{mix, ones, unmix};

    #[test]
    fn each_number_is_mixed_to_another_and_back() {
        for bits in 1..=12 {
            let mut all: Vec<u64> = (0..1 << bits).map(|key| mix(key, bits)).collect();
            assert!((0..).zip(&all).all(|(key, &mixed)| unmix(mixed, bits) == key));
            all.sort_unstable();
            assert!(all.into_iter().eq(0..1 << bits));
        }
        let mut random = fastrand::Rng::with_seed(1);
        for bits in 13..=64 {
            for _ in 0..100 {
                let key = random.u64(..) & ones(bits);
                assert_eq!(unmix(mix(key, bits), bits), key, "{bits} bits");
            }
        }
    }
}

mod team {
    use grundy::value::team::team;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn results_come_in_the_order_of_the_members() {
        for threads in 0..5 {
            let results = team(threads, &AtomicBool::new(false), |member, members| (member, members));
            let members = results.len();
            assert!(members <= threads.max(1));
            assert!(results.iter().enumerate().all(|(i, &result)| result == (i, members)));
        }
    }

    #[test]
    fn a_panic_of_one_stops_those_that_wait() {
        let stop = AtomicBool::new(false);
        let work = |member: usize, _: usize| {
            assert!(member != 1, "meant");
            while !stop.load(Ordering::Relaxed) {
                std::thread::yield_now();
            }
        };
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| team(2, &stop, work))).is_err());
    }
}

mod text {
    use grundy::value::Text;

    /// All strings of these letters up to a length.
    fn strings(letters: &[char], most: usize) -> Vec<String> {
        let mut all = vec![String::new()];
        let mut from = 0;
        for _ in 0..most {
            let to = all.len();
            for i in from..to {
                all.extend(letters.iter().map(|c| format!("{}{c}", all[i])).collect::<Vec<_>>());
            }
            from = to;
        }
        all
    }

    #[test]
    fn texts_are_lists_of_characters() {
        let all = strings(&['a', '\u{7f}', 'é', '€'], 4);
        for s in &all {
            let (text, list): (Text, Vec<char>) = (Text::new(s), s.chars().collect());
            assert_eq!((text.len(), text.is_empty(), text.to_string()), (list.len(), list.is_empty(), s.clone()));
            assert!(text == list[..].iter().copied().collect() && text == s.chars().collect());
            assert!(text.characters().eq(list.iter().copied()));
            assert!(text.characters().rev().eq(list.iter().rev().copied()));
            assert_eq!(text.bytes(), s.is_ascii().then_some(s.as_bytes()));
            assert!((0..6).all(|i| text.at(i) == list.get(i).copied()));
            assert!(['a', 'b', 'é', '€'].into_iter().all(|c| text.has(c) == list.contains(&c)));
            assert_eq!(text.single(), if let [c] = list[..] { Some(c) } else { None });
            assert_eq!(text.repeat(3).to_string(), s.repeat(3));
            for from in 0..=list.len() {
                for to in from..=list.len() {
                    assert!(text.part(from..to) == list[from..to].iter().copied().collect());
                }
            }
        }
        for s in &all[..85] {
            for t in &all {
                let (a, b) = (Text::new(s), Text::new(t));
                assert_eq!((a == b, a.cmp(&b)), (s == t, s.chars().cmp(t.chars())), "{s:?} {t:?}");
                assert_eq!(a.concat(&b), Text::new(&format!("{s}{t}")));
                assert_eq!(
                    (a.starts_with(&b), b.starts_with(&a)),
                    (s.starts_with(t.as_str()), t.starts_with(s.as_str()))
                );
                let (list, part): (Vec<char>, Vec<char>) = (t.chars().collect(), s.chars().collect());
                let places = (0..list.len()).filter(|i| !part.is_empty() && list[*i..].starts_with(&part));
                assert!(b.places(&a).into_iter().eq(places));
            }
        }
    }
}
