//! Work shared by several threads.

use std::sync::atomic::{AtomicBool, Ordering};

/// Sets a flag when its thread panics.
struct PanicGuard<'a>(&'a AtomicBool);

impl Drop for PanicGuard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Runs `work(member, members)` on the calling thread, member 0, and on up to `threads - 1` others, fewer where the
/// system starts no more. Returns what each returned, in their order. When one panics, `stop` is set, so that members
/// which wait for each other can give up, and the caller panics after all have ended.
pub(crate) fn team<T: Send>(threads: usize, stop: &AtomicBool, work: impl Fn(usize, usize) -> T + Sync) -> Vec<T> {
    if threads <= 1 {
        return vec![work(0, 1)];
    }
    let members = std::sync::OnceLock::new();
    let join = |member: usize| {
        let _guard = PanicGuard(stop);
        work(member, *members.wait())
    };
    std::thread::scope(|scope| {
        let join = &join;
        let spawn = |member| std::thread::Builder::new().spawn_scoped(scope, move || join(member)).ok();
        let others: Vec<_> = (1..threads).map_while(spawn).collect();
        let _ = members.set(others.len() + 1);
        let mut results = vec![join(0)];
        for other in others {
            match other.join() {
                Ok(result) => results.push(result),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    })
}

#[cfg(test)]
mod tests {
    use crate::value::team::team;
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
