//! Numbers of states.

mod state_table {
    use grundy::store::ComponentId;
    use grundy::store::state_table::Table;
    use std::cell::RefCell;

    fn unpack(key: u64, i: usize) -> u64 {
        if i == 0 { key >> 32 } else { key & 0xffff_ffff }
    }

    #[test]
    fn numbers_stay_when_the_box_grows_and_when_hashing_takes_over() {
        let mut table = Table::new(vec![0, 0], 0);
        let keys = RefCell::new(Vec::<u64>::new());
        let mut seed = 7u64;
        let mut expected = std::collections::HashMap::new();
        for round in 0..20_000u64 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            // Wider and wider; at last far outside every box.
            let span = 1 + round / 100 + if round > 15_000 { 1 << 30 } else { 0 };
            let (a, b) = ((seed >> 33) % span, (seed >> 13) % span);
            let key = a << 32 | b;
            let next = ComponentId::new(keys.borrow().len()).expect("few keys");
            let found = table.number(key, next, &|i| unpack(key, i), &unpack, &|n| keys.borrow()[n.index()]);
            if let Some(&number) = expected.get(&key) {
                assert_eq!(found, Ok(number));
            } else {
                assert_eq!(found, Err(next));
                expected.insert(key, next);
                keys.borrow_mut().push(key);
            }
        }
        assert!(matches!(table, Table::Hashed(_)));
    }
}

mod wide_states {
    use grundy::store::ComponentId;
    use grundy::store::state_table::WideStates;

    #[test]
    fn states_come_back_as_they_were_put() {
        let mut long = WideStates::new(&[(16, false), (64, true), (1, false), (60, false), (16, true)]);
        let number = |n: i64| ComponentId::new(usize::try_from(n).expect("small")).expect("few");
        let state = |n: i64| [n % 65_536, -n * 1_000_003, n % 2, n << 20, n % 100 - 50];
        let mut places = Vec::new();
        for n in 0..5000 {
            assert!(long.set(state(n).into_iter()));
            places.push(long.find(number(n)).expect_err("a new state"));
        }
        for n in 0..5000 {
            assert!(long.set(state(n).into_iter()));
            assert_eq!(long.find(number(0)), Ok(number(n)));
            let at = places[usize::try_from(n).expect("small")];
            assert_eq!(long.get(at).collect::<Vec<_>>(), state(n));
        }
        assert!(!long.set([65_536, 0, 0, 0, 0].into_iter()));
        assert!(!long.set([0, 0, 0, 0, -32_769].into_iter()));
    }
}
