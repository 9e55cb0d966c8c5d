//! Built-in words.

mod floors {
    use grundy::model::Builtin;
    use grundy::value::Value;
    use grundy::words;
    use grundy::words::floors::Linear;
    use num_bigint::BigInt;
    use num_traits::ToPrimitive;

    fn sqrt(n: i64) -> Value {
        words::call(Builtin::Sqrt, &[Value::Int(n)]).unwrap()
    }

    fn constant(n: i64) -> Linear {
        Linear::constant(&Value::Int(n)).unwrap()
    }

    /// `(p n + q + (s n + t) sqrt(r)) / e`, by squares of integers alone: the greatest m with `e m - p n - q <= (s n + t) sqrt(r)`.
    fn is_floor(m: i128, [p, q, s, t, r, e]: [i128; 6], n: i128) -> bool {
        let at_most = |m: i128| {
            let (left, right) = (e * m - p * n - q, s * n + t);
            match (left <= 0, right >= 0) {
                (true, true) => true,
                (false, false) => false,
                (false, true) => left * left <= right * right * r,
                (true, false) => left * left >= right * right * r,
            }
        };
        at_most(m) && !at_most(m + 1)
    }

    #[test]
    fn floors_are_floors() {
        for [p, q, s, t, r, e] in
            [[1, 0, 1, 0, 5, 2], [0, 0, 1, 0, 2, 1], [3, -1, -2, 5, 7, 3], [-1, -1, 1, 1, 5, 2], [2, 1, 0, 0, 3, 3]]
        {
            let line = |by: i64, plus: i64| {
                constant(by).times(&Linear::identity()).unwrap().plus(&constant(plus), false).unwrap()
            };
            let root = Linear::constant(&sqrt(r)).unwrap();
            let both = line(p, q).plus(&line(s, t).times(&root).unwrap(), false).unwrap();
            let function = both.over(&constant(e)).unwrap();
            let (down, up) = (function.floor(false).unwrap(), function.floor(true).unwrap());
            let wide = [p, q, s, t, r, e].map(i128::from);
            assert!(down.short(39).is_some());
            for n in (-40..40).chain([999_999_937, -1_000_000_007, 1_000_000_000_000_000_003]) {
                let floor = down.of(n).unwrap();
                // Every way that comes to an end comes to the same.
                assert!(down.short(n).is_none_or(|short| short == floor), "{wide:?} {n}");
                assert_eq!(down.long(n), floor.into(), "{wide:?} {n}");
                assert!(is_floor(i128::from(floor), wide, i128::from(n)), "{wide:?} {n}");
                let ceiling = up.of(n).unwrap();
                assert!(ceiling == floor || ceiling == floor + 1);
                // The negative of the function, from below.
                let negative = constant(0).plus(&function, true).unwrap().floor(false).unwrap();
                assert_eq!(negative.of(n).unwrap(), -ceiling);
            }
        }
    }

    #[test]
    fn digits_of_a_root_say_what_its_square_says() {
        let floor = |root: i64| {
            let root = Linear::constant(&sqrt(root)).unwrap();
            Linear::identity().times(&root).unwrap().floor(false).unwrap()
        };
        // Fibonacci and Pell numbers are where floors are hardest to tell.
        let mut hard = vec![(1_i64, 1_i64)];
        for i in 0..80 {
            let (a, b) = hard[i];
            hard.extend(a.checked_add(b).map(|c| (b, c)));
            if hard.len() < i + 2 {
                break;
            }
        }
        let (mut told, mut left) = (0, 0);
        for root in [2, 3, 5, 7, 1_000_003, 999_999_999_999_999_989] {
            let by = floor(root);
            let near = hard.iter().flat_map(|(n, _)| [-1, 0, 1].map(|d| n.saturating_add(d)));
            for n in near.chain((1..2000).map(|i| i * 4_611_686_018_427_387 + i)) {
                let exact = (BigInt::from(n) * n * root).sqrt();
                match by.times_root(n.try_into().unwrap()) {
                    Some(found) => {
                        told += 1;
                        assert_eq!(BigInt::from(found), exact, "{n} sqrt({root})");
                    }
                    None => left += 1,
                }
                assert_eq!(by.of(n), exact.to_i64(), "{n} sqrt({root})");
                // Irrational: below 0 it is one less.
                let below: BigInt = -exact - i32::from(n > 0);
                assert_eq!(by.of(-n), below.to_i64(), "-{n} sqrt({root})");
            }
        }
        // Products by large Fibonacci numbers are too near to ints for so few digits.
        assert!(told > 10_000 && (1..100).contains(&left), "{told} {left}");
        assert_eq!(floor(4).of(7), Some(14));
    }

    #[test]
    fn beyond_128_bits_big_numbers_tell() {
        let root = Linear::constant(&sqrt(5)).unwrap();
        let phi = constant(1).plus(&root, false).unwrap().over(&constant(2)).unwrap();
        let lower = Linear::identity().times(&phi).unwrap().floor(false).unwrap();
        assert_eq!(lower.of(i64::MAX), None);
        let golden = root.plus(&constant(1), true).unwrap().over(&constant(2)).unwrap();
        let less = Linear::identity().times(&golden).unwrap().floor(false).unwrap();
        let n = i64::MAX;
        let expected = (BigInt::from(5) * n * n).sqrt() - n;
        assert_eq!(less.of(n), (expected / 2_i64).to_i64());
        assert!(Linear::identity().times(&Linear::identity()).is_none());
        assert!(phi.over(&constant(0)).is_none());
        let other = Linear::constant(&sqrt(2)).unwrap();
        assert!(phi.plus(&other, false).is_none());
    }
}

mod number {
    mod factor {
        use grundy::model::Builtin;
        use grundy::value::Value;
        use grundy::words;
        use num_bigint::BigInt;

        fn factors(n: u64) -> Vec<u64> {
            let Ok(Value::List(list)) = words::call(Builtin::PrimeFactors, &[Value::int(BigInt::from(n))]) else {
                panic!("{n}")
            };
            let ints = list.items.iter().map(|p| if let Value::Int(p) = p { *p } else { panic!("{p:?}") });
            ints.map(|p| u64::try_from(p).unwrap()).collect()
        }

        fn is_prime(n: u64) -> bool {
            n > 1 && (2..=n.isqrt()).all(|d| !n.is_multiple_of(d))
        }

        #[test]
        fn factors_multiply_back_and_are_prime() {
            let big = [u64::MAX, i64::MAX as u64, 1_000_000_007 * 998_244_353, 4_294_967_291 * 4_294_967_279, 1 << 62];
            for n in (1..3000).chain(999_990..1_000_100).chain(big) {
                let factors = factors(n);
                assert_eq!(factors.iter().product::<u64>(), n);
                assert!(factors.is_sorted() && factors.iter().all(|p| is_prime(*p)), "{n}: {factors:?}");
            }
        }
    }

    mod nim {
        use grundy::words::nim_product;
        use std::collections::HashMap;

        #[test]
        fn follows_the_definition() {
            const N: u64 = 32;
            let mut table: HashMap<(u64, u64), u64> = HashMap::new();
            for a in 0..N {
                for b in 0..N {
                    let options: Vec<u64> = (0..a)
                        .flat_map(|x| (0..b).map(move |y| (x, y)))
                        .map(|(x, y)| table[&(x, b)] ^ table[&(a, y)] ^ table[&(x, y)])
                        .collect();
                    let mex = (0..=1000).find(|n| !options.contains(n)).unwrap();
                    table.insert((a, b), mex);
                    assert_eq!(mex, nim_product(a, b));
                }
            }
        }

        #[test]
        fn is_a_field() {
            assert_eq!(nim_product(255, 255), 156);
            assert_eq!(nim_product(1 << 32, 1 << 32), (1 << 32) ^ (1 << 31));
            let samples = [3, 0x1234_5678_9abc_def0, u64::MAX, 1 << 63, 0xfeed_beef];
            for a in samples {
                for b in samples {
                    assert_eq!(nim_product(a, b), nim_product(b, a));
                    for c in samples {
                        assert_eq!(nim_product(a, nim_product(b, c)), nim_product(nim_product(a, b), c));
                        assert_eq!(nim_product(a, b ^ c), nim_product(a, b) ^ nim_product(a, c));
                    }
                }
            }
        }
    }
}

mod solvers {
    use grundy::model::Builtin;
    use grundy::model::kind::GraphWord;
    use grundy::value::Edge;
    use grundy::value::graph::Derived;
    use grundy::value::graph::Vertices;
    use grundy::value::graph::{GraphEdge, Labels};
    use grundy::value::{Graph, Items, List, Value};
    use grundy::words;
    use grundy::words::solvers::call;
    use grundy_graphs::Ends;
    use grundy_graphs::rows::Rows;
    use std::sync::Arc;

    fn text(word: &str) -> Value {
        Value::text(word)
    }

    fn ints(members: &[i64]) -> Vec<Value> {
        members.iter().copied().map(Value::Int).collect()
    }

    fn set(members: &[i64]) -> Value {
        Value::Set(ints(members).into())
    }

    /// Labels 10, 11, ... of which some are there.
    fn graph(word: GraphWord, n: usize, vertices: &[u32], edges: &[Ends]) -> Value {
        let edges = (0..).zip(edges).map(|(id, &(u, v))| GraphEdge { id, u, v }).collect();
        let labels = Arc::new(Labels::Ints { from: 10, n });
        let derived = Derived::default();
        Value::Graph(Arc::new(Graph { word, labels, vertices: Vertices::new(n, vertices.to_vec()), edges, derived }))
    }

    fn number(edge: &Value) -> u32 {
        if let Value::Edge(edge) = edge { edge.id } else { panic!("{edge:?}") }
    }

    fn edge_set(edges: &[(u32, i64, i64)]) -> Value {
        let edge =
            |&(id, u, v): &(u32, i64, i64)| Value::Edge(Arc::new(Edge { id, u: Value::Int(u), v: Value::Int(v) }));
        Value::Set(edges.iter().map(edge).collect())
    }

    /// What is looked up after a move in a large graph is what is worked out of the graph that is left.
    #[test]
    fn cuts_of_a_large_graph() {
        // Rings and stalks, and some vertices that do not hang on the ground.
        let (mut edges, mut seed): (Vec<Ends>, u64) = (Vec::new(), 5);
        let mut below = |bound: u32| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            u32::try_from(seed >> 33).unwrap() % bound
        };
        for loose in [false, true] {
            edges.clear();
            for v in 1..6000 {
                let near = v - 1 - below(3.min(v));
                edges.push((near, v));
                if v % 5 == 0 {
                    edges.push((v, v - below(v.min(40))));
                }
            }
            // An odd number of edges that hang has an odd value.
            if edges.len().is_multiple_of(2) {
                edges.push((0, 7));
            }
            if loose {
                edges.extend([(6000, 6001), (6001, 6000)]);
            }
            let labels = Arc::new(Labels::Ints { from: 0, n: 6002 });
            let g = Arc::new(Graph::of_numbers(GraphWord::Multigraph, labels, None, edges.clone()));
            let (graph, ground) = (Value::Graph(g.clone()), set(&[0]));
            let all = Items::edges(&g, (0..).take(edges.len()).collect());
            let word = |word, edges: &Items| {
                let args = [graph.clone(), Value::Set(edges.clone()), ground.clone()];
                if word == Builtin::Grounded { words::call(word, &args) } else { call(word, &args) }
            };
            let Ok(Value::Set(hanging)) = word(Builtin::Grounded, &all) else { panic!() };
            assert_eq!(hanging.len(), edges.len() - if loose { 2 } else { 0 });
            assert_ne!(word(Builtin::Fusion, &hanging), Ok(Value::Int(0)));
            let Ok(Value::Set(winning)) = word(Builtin::FusionWinning, &hanging) else { panic!() };
            let wins: Vec<u32> = winning.iter().map(number).collect();
            assert!(!wins.is_empty());
            for e in (0..u32::try_from(edges.len()).unwrap()).step_by(211).chain(wins.iter().copied().take(5)) {
                let rest: Vec<u32> = hanging.iter().map(number).filter(|i| *i != e).collect();
                let plain: Vec<Ends> = rest.iter().map(|i| edges[*i as usize]).collect();
                let Ok(Value::Set(left)) = word(Builtin::Grounded, &Items::edges(&g, rest)) else { panic!() };
                let reached = Rows::both(6002, plain.iter().copied()).reach(0);
                assert_eq!(left.len(), plain.iter().filter(|(u, _)| reached[*u as usize]).count());
                let expected = grundy_graphs::fusion::fusion(6002, &plain, &[0]);
                assert_eq!(word(Builtin::Fusion, &left), Ok(Value::Int(i64::try_from(expected).unwrap())));
                assert_eq!(expected == 0, wins.contains(&e));
                // Asked about again, the large graph is the last one.
                assert!(word(Builtin::FusionWinning, &hanging).is_ok());
            }
        }
    }

    #[test]
    fn flip_speaks_in_labels() {
        let g = graph(GraphWord::Digraph, 4, &[0, 1, 3], &[(0, 1), (1, 3)]);
        assert_eq!(call(Builtin::FlipOutcome, &[g.clone(), set(&[11, 13])]), Ok(text("first")));
        assert_eq!(call(Builtin::FlipWinning, &[g.clone(), set(&[11, 13])]), Ok(set(&[11])));
        assert_eq!(call(Builtin::FlipOutcome, &[g.clone(), set(&[10])]), Ok(text("draw")));
        assert_eq!(call(Builtin::FlipDrawing, &[g.clone(), set(&[10])]), Ok(set(&[13])));
        assert_eq!(call(Builtin::FlipOutcome, &[g, set(&[12])]).unwrap_err().code, "R04");
    }

    #[test]
    fn absent_vertices_are_not_matched() {
        let g = graph(GraphWord::Graph, 4, &[3, 1, 0], &[(0, 1), (1, 3)]);
        assert_eq!(call(Builtin::Matching, std::slice::from_ref(&g)), Ok(Value::Int(1)));
        assert_eq!(call(Builtin::SometimesUnmatched, &[g]), Ok(set(&[10, 13])));
    }

    #[test]
    fn fusion_keeps_the_edges_themselves() {
        let g = graph(GraphWord::Multigraph, 3, &[0, 1, 2], &[(0, 1), (1, 2), (2, 0), (0, 0)]);
        let triangle = edge_set(&[(0, 10, 11), (1, 11, 12), (2, 12, 10)]);
        assert_eq!(call(Builtin::Fusion, &[g.clone(), triangle.clone(), set(&[10])]), Ok(Value::Int(1)));
        let winning = call(Builtin::FusionWinning, &[g.clone(), triangle.clone(), Value::Int(10)]);
        assert_eq!(winning, Ok(edge_set(&[(1, 11, 12)])));
        assert_eq!(call(Builtin::Fusion, &[g, triangle, set(&[9])]).unwrap_err().code, "R04");
    }

    #[test]
    fn heaps_are_remembered_and_bounded() {
        assert_eq!(call(Builtin::Octal, &[text("0.77"), Value::Int(9)]), Ok(Value::Int(4)));
        assert_eq!(call(Builtin::Octal, &[text("1.7"), Value::Int(9)]).unwrap_err().code, "R01");
        assert_eq!(call(Builtin::Octal, &[text("0.77"), Value::Int(i64::MAX)]), Ok(Value::Int(2)));
        assert_eq!(call(Builtin::Octal, &[text("0.6"), Value::Int(i64::MAX)]).unwrap_err().code, "R06");
        let list = Value::List(List { base: 0, items: ints(&[1, 2, 3]).into() });
        assert_eq!(call(Builtin::Subtraction, &[list, Value::Int(7)]), Ok(Value::Int(3)));
        assert_eq!(call(Builtin::Subtraction, &[Value::Range(1, 3), Value::Int(8)]), Ok(Value::Int(0)));
        assert_eq!(call(Builtin::Subtraction, &[set(&[0, 1]), Value::Int(7)]).unwrap_err().code, "R01");
    }
}
