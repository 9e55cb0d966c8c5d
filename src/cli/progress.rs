//! Signs of life on stderr while a search runs for longer than a second.

use crate::report::grouped;
use anstream::stream::IsTerminal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often the display changes on a terminal, and in a file.
const TICK: Duration = Duration::from_millis(200);
const LINE: Duration = Duration::from_secs(2);

/// A thread that reads a counter; it ends, and what it drew is wiped out, when this is dropped.
pub(crate) struct Progress {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Starts the thread, which shows nothing for the first second.
    pub(crate) fn start(counter: Arc<AtomicU64>, goal: Arc<AtomicU64>) -> Self {
        let (stop, stopped) = channel();
        let terminal = io::stderr().is_terminal();
        let run = move || {
            let start = Instant::now();
            if stopped.recv_timeout(Duration::from_secs(1)) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            let target = if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
            let bar = ProgressBar::with_draw_target(None, target);
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                bar.set_style(style);
            }
            let mut before = (Instant::now(), counter.load(Ordering::Relaxed));
            loop {
                let now = (Instant::now(), counter.load(Ordering::Relaxed));
                let text = line(before, now, goal.load(Ordering::Relaxed), start.elapsed());
                if terminal {
                    bar.set_message(text);
                    bar.tick();
                } else {
                    eprintln!("{text}");
                }
                // The rate is that of the last stretch of two seconds or more.
                if now.0 - before.0 >= LINE || now.1 < before.1 {
                    before = now;
                }
                let wait = if terminal { TICK } else { LINE };
                if stopped.recv_timeout(wait) != Err(RecvTimeoutError::Timeout) {
                    break;
                }
            }
            bar.finish_and_clear();
        };
        // Without a thread there is no progress to be seen, and nothing else is lost.
        let thread = std::thread::Builder::new().name("progress".into()).spawn(run).ok();
        Progress { stop: Some(stop), thread }
    }
}

/// What was met, how quickly of late, and, where it is known how much there is, how long the rest takes at that speed.
fn line(before: (Instant, u64), now: (Instant, u64), goal: u64, total: Duration) -> String {
    let millis = (now.0 - before.0).as_millis();
    let met = u128::from(now.1.saturating_sub(before.1));
    let rate = if millis > 100 { u64::try_from(met * 1000 / millis).unwrap_or(u64::MAX) } else { 0 };
    let left = match goal.checked_sub(now.1) {
        Some(left) if goal > 0 && rate > 0 => {
            format!(", {} s left of {} positions", left.div_ceil(rate), grouped(goal))
        }
        _ => String::new(),
    };
    let rate = if rate > 0 { format!(", {}/s", grouped(rate)) } else { String::new() };
    format!("{} positions{rate}, {} s{left}", grouped(now.1), total.as_secs())
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic of this thread has been printed; it means nothing for the answer.
            let _ = thread.join();
        }
    }
}
