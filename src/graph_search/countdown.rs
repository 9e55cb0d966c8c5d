//! Counters that several threads count down.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

/// How much a node waits for, or that it is decided and waits no more.
///
/// `shared` says that other threads may change the counter meanwhile. Then a counter of a decided node may still be counted
/// down by those that saw it before; it never comes back below [`Waits::LIMIT`] by that, for a node has fewer moves.
pub(crate) trait Waits: Send + Sync {
    /// Counters of nodes that wait are less.
    const LIMIT: u32;

    /// Waits for so many things, fewer than [`Waits::LIMIT`].
    fn of(number: u32) -> Self;

    /// Whether there is nothing to wait for.
    fn none(&self) -> bool;

    /// Whether the node is decided.
    fn decided(&self) -> bool;

    /// Decides the node; whether it was not decided before.
    fn decide(&self, shared: bool) -> bool;

    /// One thing less to wait for; whether it was the last. Of counters above zero, or decided.
    fn less(&self, shared: bool) -> bool;
}

macro_rules! waits {
    ($atomic:ty, $word:ty) => {
        impl Waits for $atomic {
            const LIMIT: u32 = 1 << (<$word>::BITS - 1);

            fn of(number: u32) -> Self {
                debug_assert!(number < Self::LIMIT);
                <$atomic>::new(<$word>::try_from(number).unwrap_or(<$word>::MAX))
            }

            fn none(&self) -> bool {
                self.load(Relaxed) == 0
            }

            #[inline]
            fn decided(&self) -> bool {
                u32::from(self.load(Relaxed)) >= Self::LIMIT
            }

            #[inline]
            fn decide(&self, shared: bool) -> bool {
                let before = if shared {
                    self.swap(<$word>::MAX, Relaxed)
                } else {
                    let before = self.load(Relaxed);
                    self.store(<$word>::MAX, Relaxed);
                    before
                };
                u32::from(before) < Self::LIMIT
            }

            #[inline]
            fn less(&self, shared: bool) -> bool {
                if shared {
                    return self.fetch_sub(1, Relaxed) == 1;
                }
                let less = self.load(Relaxed).wrapping_sub(1);
                self.store(less, Relaxed);
                less == 0
            }
        }
    };
}

waits!(AtomicU8, u8);
waits!(AtomicU32, u32);

#[cfg(test)]
mod tests {
    use crate::graph_search::countdown::Waits;
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
