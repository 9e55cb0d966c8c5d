//! Work shared by several threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::Thread;

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
pub fn team<T: Send>(threads: usize, stop: &AtomicBool, work: impl Fn(usize, usize) -> T + Sync) -> Vec<T> {
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

/// Runs `work` on the calling thread and, if there is one, `helper` on another, which is told by the flag, and woken, when the
/// work is over. Where the system starts no thread the work is done without.
pub fn beside<T>(helper: Option<impl FnOnce(&AtomicBool) + Send>, work: impl FnOnce() -> T) -> T {
    let Some(helper) = helper else { return work() };
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let helper = std::thread::Builder::new().spawn_scoped(scope, || helper(&over));
        let _over = Over(&over, helper.ok().map(|helper| helper.thread().clone()));
        work()
    })
}

/// Says that the work is over, however it ends: a thread is waited for even when the work panics.
struct Over<'a>(&'a AtomicBool, Option<Thread>);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
        if let Some(thread) = &self.1 {
            thread.unpark();
        }
    }
}
