//! Moves kept aside, and counters of nodes that wait.

mod reach {
    use grundy::graph_search::reach::{Bucket, EdgeBuckets};

    #[test]
    fn moves_come_back_heap_by_heap() {
        for (volume, step) in [(1, 1), (1000, 7), (1 << 20, 1_000_003), (70 << 16, 12_345_677)] {
            let mut buckets = EdgeBuckets::new(volume);
            let mut all: Vec<(u64, u32)> = (0..50_000).map(|i: u32| (u64::from(i) * step % volume, i)).collect();
            for &(to, from) in &all {
                buckets.add(to, from);
            }
            assert_eq!(buckets.moves(), all.len());
            let (mut heap, mut read, mut least) = (Bucket::default(), Vec::new(), 0);
            for index in 0..buckets.heaps() {
                let rank = buckets.read(index, &mut heap);
                assert!(heap.to.iter().all(|&to| rank + u64::from(to) >= least));
                read.extend(heap.to.iter().map(|&to| rank + u64::from(to)).zip(heap.from.iter().copied()));
                least = read.iter().map(|(to, _)| to + 1).max().unwrap_or(0).max(rank);
            }
            all.sort_unstable();
            read.sort_unstable();
            assert!(read == all, "{volume}");
        }
    }
}

mod retrograde {
    use grundy::graph_search::retrograde::Waits;
    use std::sync::atomic::{AtomicU8, AtomicU32};

    fn counts<W: Waits>() {
        for shared in [false, true] {
            let counter = W::of(3);
            assert!(!counter.none() && !counter.decided());
            assert_eq!([0; 3].map(|_| counter.less(shared)), [false, false, true]);
            assert!(counter.none() && counter.decide(shared) && counter.decided() && !counter.decide(shared));
            // As many moves as a node can have, seen too late.
            assert!((1..W::LIMIT.min(1000)).all(|_| !counter.less(shared)) && counter.decided());
            assert!(W::of(0).none());
        }
    }

    #[test]
    fn what_is_decided_stays_decided() {
        counts::<AtomicU8>();
        counts::<AtomicU32>();
    }

    #[test]
    fn one_of_many_threads_counts_the_last() {
        for number in [1, 7, 127] {
            let (counter, last) = (AtomicU8::of(number), AtomicU32::new(0));
            std::thread::scope(|scope| {
                for _ in 0..number {
                    scope.spawn(|| last.fetch_add(counter.less(true).into(), std::sync::atomic::Ordering::Relaxed));
                }
            });
            assert!(counter.none() && last.into_inner() == 1);
        }
    }
}
