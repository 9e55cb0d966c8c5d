//! `--memory` is kept: what a search that comes to the limit takes at its height, by the system's own count.

#![cfg(target_os = "linux")]

use crate::rounds;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Runs a game with a limit of so many MiB; the greatest memory of the process in MiB, its exit code, and what it said.
fn height(game: &str, limit: u64) -> (u64, Option<i32>, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_grundy"))
        .args(["solve", "-", "--quiet", "--exhaustive", "--memory", &format!("{limit}M"), "--threads", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(game.as_bytes()).expect("it is read");
    let (status, mut most) = (format!("/proc/{}/status", child.id()), 0);
    while child.try_wait().expect("it can be waited for").is_none() {
        // The high water mark is the kernel's: nothing between two looks is missed but what comes after the last.
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
        most = most.max(kib.unwrap_or(0) / 1024);
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().expect("it ended");
    (most, output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Games with far more positions than fit, each in another way.
const GAMES: [(&str, &str); 7] = [
    (
        "few positions with many large options each",
        "game Walk(seen: set of nat) {\n  move add k in 0..399 where k not in seen -> Walk(seen + {k})\n}\nsolve Walk({})",
    ),
    (
        "the same, as lists of lists",
        "game Rows(rows: list of list of nat) {
  move cut i in indices(rows), k in 0..size(rows[i]) - 1 -> Rows(rows[i := rows[i][..k - 1]] + [[size(rows), k]])
}
solve Rows([[1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 8]])",
    ),
    (
        "a table of the states met",
        "game Area(a, b, t) {
  move left where a > 0 -> Area(a - 1, b, t + 1000 * b)
  move down where b > 0 -> Area(a, b - 1, t)
  move both where a > 2 and b > 2 -> Area(a - 2, b - 2, t + 7)
}
solve Area(60, 60, 0)",
    ),
    (
        "plays that come back",
        "game Ring(a, b, c) {
  move on k in 1..3 -> Ring((a + k) mod 400, b, c)
  move up where b < 300 -> Ring(a, b + 1, c)
  move down where b > 0 -> Ring(a, b - 1, (c * 7 + a) mod 390)
}
solve Ring(0, 0, 0)",
    ),
    (
        "a sum searched as a whole",
        "misere game Nim(n) {
  move take k in 1..min(n, 3) -> Nim(n - k)
  move split k in 1..n - 1 -> Nim(k) + Nim(n - k)
}
solve Nim(60) + Nim(61) + Nim(62)",
    ),
    (
        "sets of numbers in words",
        "game Up(s: set of nat) {\n  move add k in 0..60 where k not in s -> Up(s + {k})\n}\nsolve Up({})",
    ),
    (
        "points",
        "game Deque(a: list of int) {
  move one i in indices(a) -> Deque(a[..i - 1] + a[i + 1..]) gain a[i] * (i + 1)
}
solve Deque([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5])",
    ),
];

#[test]
fn searches_end_at_the_limit() {
    /// Of the program and its threads, before it solves anything.
    const BASE: u64 = 40;
    /// In MiB.
    const LIMIT: u64 = 96;
    let mut wrong = Vec::new();
    // The first ones are those that take the least time.
    let count = usize::try_from(rounds(1, GAMES.len() as u64)).expect("few");
    for (what, game) in GAMES.into_iter().take(count) {
        let (most, code, said) = height(game, LIMIT);
        if code != Some(3) || !(said.contains("L02") || said.contains("L04")) {
            wrong.push(format!("{what}: {code:?} {said}"));
        }
        if most > LIMIT * 3 / 2 + BASE {
            wrong.push(format!("{what}: {most} MiB at a limit of {LIMIT} MiB"));
        }
        eprintln!("{what}: {most} MiB");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
