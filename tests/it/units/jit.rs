//! What native code is given and run by.

mod function {
    use grundy::jit::function::watched;
    use grundy::value::limits::Limits;
    use std::sync::Arc;

    #[test]
    fn a_panic_ends_the_watch() {
        let work = || watched(&Limits::default(), &Arc::default(), || assert!(std::hint::black_box(false), "meant"));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_err());
    }
}

mod ranking {
    use grundy::tables::{Grid, Span};

    #[test]
    fn ranks_and_states_are_each_others_inverse() {
        let spans = [3, 4, 5].map(Span::natural);
        let grid = Grid::new(&spans, &[2, 0, 1], &[false, true, false]).expect("small");
        assert_eq!(grid.volume, 60);
        for rank in 0..60 {
            assert_eq!(grid.rank(&grid.words(rank)), Some(rank));
        }
        assert_eq!(grid.rank(&[0, 3, 0]), Some(0));
        assert_eq!(grid.rank(&[3, 0, 0]), None);
        assert_eq!(grid.rank(&[-1, 0, 0]), None);
        let below = spans.map(|span| Span { least: -2, sure: false, ..span });
        let grid = Grid::new(&below, &[2, 0, 1], &[false, true, false]).expect("small");
        for rank in 0..60 {
            assert_eq!(grid.rank(&grid.words(rank)), Some(rank));
        }
        assert_eq!(grid.rank(&[-2, 1, -2]), Some(0));
        assert_eq!(grid.rank(&[1, 0, 0]), None);
        assert_eq!(grid.rank(&[-3, 0, 0]), None);
    }
}
