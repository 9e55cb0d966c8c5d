//! Runs the program on a file of its own, for so long and no longer.

use grundy_automata::{Limit, Reason};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A file that is removed when it is dropped.
struct Temporary(PathBuf);

impl Temporary {
    fn new(text: &str) -> std::io::Result<Temporary> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let name = format!("grundy-{}-{}.mona", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        let mut file = File::create_new(&path)?;
        let made = Temporary(path);
        file.write_all(text.as_bytes())?;
        Ok(made)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // Nothing depends on it.
        let _ = fs::remove_file(&self.0);
    }
}

/// What the program prints on a text. It is stopped when it takes longer than `time` or than the limit allows.
pub(super) fn run(program: &Path, text: &str, time: Duration, limit: &Limit) -> Result<String, Reason> {
    let failed = |what: &str, error: std::io::Error| Reason::Failed(format!("{what}: {error}"));
    let file = Temporary::new(text).map_err(|error| failed("no temporary file for mona", error))?;
    let mut child = Command::new(program)
        .arg("-q")
        .arg(&file.0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| failed("mona does not start", error))?;
    let stdout = child.stdout.take();
    // A thread reads, so that the program never waits for a full pipe.
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stdout.map_or(Ok(0), |mut stdout| stdout.read_to_end(&mut bytes));
        read.map(|_| String::from_utf8_lossy(&bytes).into_owned())
    });
    let ended = wait(&mut child, Instant::now() + time, limit);
    if ended.is_err() {
        // It may have ended by itself just now.
        let _ = child.kill();
        let _ = child.wait();
    }
    let printed = reader.join();
    ended?;
    match printed {
        Ok(printed) => printed.map_err(|error| failed("what mona prints cannot be read", error)),
        Err(_) => Err(Reason::Failed("what mona prints cannot be read".into())),
    }
}

fn wait(child: &mut Child, end: Instant, limit: &Limit) -> Result<(), Reason> {
    let end = limit.deadline.map_or(end, |deadline| deadline.min(end));
    let mut pause = Duration::from_micros(500);
    loop {
        match child.try_wait() {
            Ok(Some(_)) => return Ok(()),
            Ok(None) => {}
            Err(error) => return Err(Reason::Failed(format!("mona cannot be waited for: {error}"))),
        }
        if limit.interrupted.load(Ordering::Relaxed) {
            return Err(Reason::Interrupted);
        }
        if Instant::now() >= end {
            return Err(Reason::Time);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}
