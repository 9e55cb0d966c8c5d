//! Runs the program on a file of game text.

#![allow(unreachable_pub)]

use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What the program does with a file of this text: `arguments` are the command and what follows the file.
pub fn run(text: &str, arguments: &[&str]) -> Output {
    static FILES: AtomicUsize = AtomicUsize::new(0);
    let count = FILES.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("grundy-test-{}-{count}.game", std::process::id()));
    std::fs::write(&path, text).expect("a file for the test");
    let (command, rest) = arguments.split_first().expect("a command");
    let output = Command::new(env!("CARGO_BIN_EXE_grundy")).arg(command).arg(&path).args(rest).output();
    std::fs::remove_file(&path).expect("it is there");
    output.expect("it runs")
}

/// What it says on stdout.
pub fn stdout(text: &str, arguments: &[&str]) -> String {
    String::from_utf8(run(text, arguments).stdout).expect("text")
}
