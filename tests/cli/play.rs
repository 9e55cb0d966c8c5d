//! `grundy play`: games by scripts, through a pipe and through a terminal.

use crate::rng::Rng;
use rexpect::session::PtySession;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder with the game file.
fn place(test: &str, game: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("grundy-play-{}-{test}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the test");
    fs::write(folder.join("it.game"), game).expect("a file for the test");
    folder
}

/// What is printed when these lines are typed into a pipe.
fn played(folder: &Path, arguments: &[&str], lines: &str) -> (Option<i32>, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_grundy"))
        .args(["play", "it.game"])
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it runs");
    // Whoever has won early reads no more.
    let _ = child.stdin.take().expect("a pipe").write_all(lines.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    (output.status.code(), String::from_utf8(output.stdout).expect("text"))
}

const NIM: &str = "game Nim(n) {\n  move take k in 1..n -> Nim(n - k)\n}\nsolve Nim(1) + Nim(2) + Nim(3)\n";

#[test]
fn words_are_understood() {
    let folder = place("words", NIM);
    let lines = "help\nhint\nundo\ntake 1\nvalue\nvlaue\n0\n7\ntake 1 in Nim(1)\nline\nundo\nTAKE  3\nmoves\nquit\n1\n";
    let (code, out) = played(&folder, &[], lines);
    assert_eq!(code, Some(0));
    insta::with_settings!({ prepend_module_to_snapshot => true }, { insta::assert_snapshot!(out) });
    // The end of the input ends the game.
    assert_eq!(played(&folder, &[], "").0, Some(0));
    assert_eq!(played(&folder, &[], "1").0, Some(0));
    let none = place("none", "game Nim(n) {\n  move take k in 1..n -> Nim(n - k)\n}\n");
    assert_eq!(played(&none, &[], "").0, Some(2));
}

#[test]
fn the_perfect_player_keeps_what_it_has() {
    // Whoever begins wins each of these, but for the last two, which are the other's; of the one before them nobody wins.
    let take = "game Nim(n) {\n  move take k in 1..n -> Nim(n - k)\n}\n";
    let games = [
        ("nim", format!("{take}solve Nim(3) + Nim(5)\n"), "--second", "I win."),
        ("misere", format!("{take}solve misere Nim(1) + Nim(2) + Nim(2)\n"), "--second", "I win."),
        ("selective", format!("{take}solve selective(Nim(2), Nim(2))\n"), "--second", "I win."),
        (
            "target",
            "game T(n, to: int) {\n  move go k in 1..2 where n + k < to -> T(n + k, to)\n  move end k in 1..2 where n + k == to -> win\n}\nsolve T(0, 7)\n".into(),
            "--second",
            "I win.",
        ),
        (
            "points",
            "game Coins(a: list of nat) {\n  move left where size(a) > 0 -> Coins(a[1..]) gain first(a)\n  \
             move right where size(a) > 0 -> Coins(a[..size(a) - 2]) gain last(a)\n}\nsolve Coins([3, 9, 1, 2])\n"
                .into(),
            "--second",
            "I win.",
        ),
        ("equal", format!("{take}solve Nim(4) + Nim(4)\n"), "", "I win."),
        ("three", format!("{take}solve Nim(1) + Nim(2) + Nim(3)\n"), "", "I win."),
    ];
    for (name, game, option, told) in games {
        let folder = place(name, &game);
        for seed in 1..=6 {
            let mut rng = Rng::new(seed);
            let lines: Vec<String> = (0..400).map(|_| (1 + rng.below(9)).to_string()).collect();
            let arguments: Vec<&str> = Some(option).filter(|option| !option.is_empty()).into_iter().collect();
            let (code, out) = played(&folder, &arguments, &(lines.join("\n") + "\n"));
            assert_eq!((code, out.lines().last()), (Some(0), Some(told)), "{name}, seed {seed}: {out}");
        }
    }
}

#[test]
fn who_plays_well_beats_the_perfect_player_from_where_it_loses() {
    let folder =
        place("well", "game Nim(n) {\n  move take k in 1..n -> Nim(n - k)\n}\nsolve Nim(1) + Nim(2) + Nim(2)\n");
    let (_, out) = played(&folder, &[], "take 1 in Nim(1)\n2\n2\n4\n2\n1\n2\n1\n1\n1\n");
    assert!(out.ends_with("You win.\n"), "{out}");
}

#[test]
fn two_play_at_one_keyboard() {
    let game = "game Nim(n, ann: bool = true) {\n  players if ann then \"Ann\" else \"Bob\", if ann then \"Bob\" else \"Ann\"\n  \
                move take k in 1..n -> Nim(n - k, not ann)\n}\nsolve Nim(2)\n";
    let folder = place("two", game);
    assert!(played(&folder, &["--two"], "1\n1\n").1.ends_with("Bob wins.\n"));
    assert!(played(&folder, &["--two"], "2\n").1.ends_with("Ann wins.\n"));
    let folder = place("plain", "game Nim(n) {\n  move take k in 1..n -> Nim(n - k)\n}\nsolve Nim(2)\n");
    assert!(played(&folder, &["--two"], "1\n1\n").1.ends_with("Second wins.\n"));
    assert!(played(&folder, &["--two"], "2\n").1.ends_with("First wins.\n"));
}

/// The program on a terminal of its own.
fn terminal(folder: &Path, dumb: bool) -> PtySession {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grundy"));
    command.args(["play", "it.game"]).current_dir(folder).env("TERM", if dumb { "dumb" } else { "xterm" });
    // What else decides on colours, some of it set by builds that run unattended.
    for set in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
        command.env_remove(set);
    }
    rexpect::session::spawn_command(command, Some(120_000)).expect("a terminal")
}

#[test]
fn a_whole_game_is_played_on_a_terminal() {
    let folder = place("terminal", "game Nim(n) {\n  move take k in 1..n -> Nim(n - k)\n}\nsolve Nim(3) + Nim(5)\n");
    let mut at = terminal(&folder, false);
    at.exp_string("move (1-8, or help)").expect("a prompt");
    at.send_line("nonsense").expect("it reads");
    at.exp_string("is no move here").expect("an answer");
    // A key completes a name.
    at.send("take 2 in Nim(5\t").expect("it reads");
    at.send_line("").expect("it reads");
    at.exp_string("I play").expect("an answer");
    for _ in 0..4 {
        at.exp_string("or help)").expect("a prompt");
        at.send_line("hint").expect("it reads");
        let hint = at.exp_regex("take [0-9] in Nim\\([0-9]\\), which wins").expect("a hint").1;
        at.exp_string("or help)").expect("a prompt");
        at.send_line(hint.trim_end_matches(", which wins")).expect("it reads");
        if at.exp_regex("You win|I play").expect("it goes on").1 == "You win" {
            at.exp_eof().expect("it ends");
            return;
        }
    }
    panic!("three and five stones are gone after four moves");
}

#[test]
fn a_terminal_may_end_or_know_no_colours() {
    let folder = place("ends", NIM);
    let mut at = terminal(&folder, true);
    let before = at.exp_string("or help)").expect("a prompt");
    assert!(!before.contains('\u{1b}'), "{before:?}");
    at.send_control('d').expect("it reads");
    at.exp_eof().expect("it ends");
    let mut at = terminal(&folder, false);
    let before = at.exp_string("or help)").expect("a prompt");
    assert!(before.contains("\u{1b}[1m"), "{before:?}");
    at.send_control('c').expect("it reads");
    at.exp_eof().expect("it ends");
}

#[test]
fn a_window_is_made_smaller_while_a_move_is_typed() {
    let folder = place("resized", NIM);
    let mut command = Command::new("sh");
    command.args(["-c", "tty; exec \"$0\" play it.game", env!("CARGO_BIN_EXE_grundy")]).current_dir(&folder);
    command.env("TERM", "xterm");
    let mut at = rexpect::session::spawn_command(command, Some(120_000)).expect("a terminal");
    let tty = at.exp_regex("/dev/[a-z0-9/]+").expect("its name").1;
    at.exp_string("or help)").expect("a prompt");
    at.send("take 1 in").expect("it reads");
    at.flush().expect("it reads");
    for columns in ["30", "12", "200"] {
        let size = Command::new("stty").args(["-F", &tty, "cols", columns, "rows", "5"]).status();
        assert!(size.is_ok_and(|size| size.success()), "a terminal has a size");
        at.send(" ").expect("it reads");
        at.flush().expect("it reads");
    }
    at.send_line("Nim(1)").expect("it reads");
    at.exp_string("I play").expect("an answer");
    at.exp_string("or help)").expect("a prompt");
    at.send_line("quit").expect("it reads");
    at.exp_eof().expect("it ends");
}

#[test]
fn of_many_moves_the_first_ones_are_made() {
    let stated = "game Nim(n) {\n  theorem grundy = n\n  move take k in 1..n -> Nim(n - k)\n}\nsolve Nim(10 ** 12)\n";
    let folder = place("many", stated);
    let (code, out) = played(&folder, &["--two"], "moves\n5001\n5000\nquit\n");
    assert_eq!(code, Some(0));
    assert!(out.contains("  5000  take 5000\n  and others, which are too many\n"), "{out}");
    assert!(out.contains("the moves have the numbers 1 to 5000\n") && out.contains("Nim(999999995000)"), "{out}");
    // The move that wins is not among them, and nobody says that it was played.
    let (_, out) = played(&folder, &["--second"], "quit\n");
    assert!(
        out.contains("There are more than 5,000 moves: this is the best of the first ones.\nI play take "),
        "{out}"
    );
    // What has just so many has no others; of a compound so many of each part.
    let (_, out) = played(&folder, &["-p", "Nim(5000)"], "quit\n");
    assert!(out.contains("4988 more") && !out.contains("others"), "{out}");
    let (_, out) = played(&folder, &["-p", "selective(Nim(60), Nim(60))"], "quit\n");
    assert!(!out.contains("others"), "{out}");
    let (_, out) = played(&folder, &["-p", "selective(Nim(61), Nim(60))"], "quit\n");
    assert!(out.contains("others"), "{out}");
    // Where moves are looked for in vain that has an end.
    let vain = "game V(n) {\n  move go k in 1..n where k * k == 2 * n + 1 -> V(n - k)\n}\nsolve V(10 ** 9 - 1)\n";
    assert_eq!(played(&place("vain", vain), &["--two"], "quit\n").0, Some(3));
}

#[test]
fn points_of_what_is_over_count_once() {
    // First goes to S(0): one point for First, three for Second, whoever moves last.
    let game = "game S(n) {\n  end when n == 0: score 3\n  move go where n > 0 -> S(n - 1) gain 1\n}\n\
                game K(n) {\n  move take k in 1..n -> K(n - k)\n}\nsolve S(1) + K(2)\n";
    let folder = place("over", game);
    for lines in ["go in S(1)\n1\n1\n", "go in S(1)\n2\n"] {
        let (code, out) = played(&folder, &["--two"], lines);
        assert_eq!(code, Some(0));
        assert!(out.ends_with("First: 1, Second: 3\nSecond wins.\n"), "{lines}: {out}");
    }
    // What is over at the start is for who begins.
    let (_, out) = played(&folder, &["--two", "-p", "S(0) + K(1)"], "1\n");
    assert!(out.ends_with("First: 3, Second: 0\nFirst wins.\n"), "{out}");
}
