//! A flag that native code asks: set when the time is over or the user wants to stop.

use crate::value::limits::Limits;
use crate::value::refusal::{Attempt, Failure, Refusal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Thread;
use std::time::{Duration, Instant};

/// Says that the work is over, however it ends: the thread is waited for even when the work panics.
struct Over<'a>(&'a AtomicBool, Option<Thread>);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
        if let Some(watcher) = &self.1 {
            watcher.unpark();
        }
    }
}

/// Runs `work` with a thread beside it that sets the flag when a limit of time is reached.
pub(crate) fn watched<T>(limits: &Limits, flag: &Arc<AtomicBool>, work: impl FnOnce() -> T) -> T {
    /// How long the thread sleeps at a time.
    const NAP: Duration = Duration::from_millis(50);
    let over = AtomicBool::new(false);
    flag.store(false, Ordering::Relaxed);
    std::thread::scope(|scope| {
        let watcher = std::thread::Builder::new().spawn_scoped(scope, || {
            while !over.load(Ordering::Acquire) {
                let left = limits.deadline.map(|(at, _)| at.saturating_duration_since(Instant::now()));
                if limits.interrupted.load(Ordering::Relaxed) || left.is_some_and(|left| left.is_zero()) {
                    flag.store(true, Ordering::Relaxed);
                    return;
                }
                std::thread::park_timeout(left.map_or(NAP, |left| left.min(NAP)));
            }
        });
        let _over = Over(&over, watcher.ok().map(|watcher| watcher.thread().clone()));
        work()
    })
}

/// Runs an attempt in this way. Where the flag interrupts it, the limit that is reached stops the run.
pub(crate) fn watched_attempt<T>(
    limits: &Limits,
    flag: &Arc<AtomicBool>,
    work: impl FnOnce() -> Attempt<T>,
) -> Attempt<T> {
    let done = watched(limits, flag, work);
    if let Err(Failure::Refused(Refusal::Interrupted)) = done {
        limits.check_clock()?;
        return Err(Refusal::Outside.into());
    }
    done
}

#[cfg(test)]
mod tests {
    use crate::jit::interrupt_flag::watched;
    use crate::value::limits::Limits;
    use std::sync::Arc;

    #[test]
    fn a_panic_ends_the_watch() {
        let work = || watched(&Limits::default(), &Arc::default(), || assert!(std::hint::black_box(false), "meant"));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_err());
    }
}
