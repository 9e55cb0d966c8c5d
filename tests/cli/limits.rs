//! Limits hold wherever the work is, files are read below their folder only, and what is written is whole.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A folder of its own for a test, in which the program runs.
struct Place(PathBuf);

impl Place {
    fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("grundy-limits-{}-{test}", std::process::id()));
        fs::create_dir_all(folder.join("games/below")).expect("a folder for the test");
        Place(folder)
    }

    fn with(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        fs::write(self.0.join(name), text).expect("a file for the test");
        self
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_grundy"));
        command.args(args).current_dir(&self.0).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, args: &[&str]) -> (Option<i32>, String) {
        ended(&self.command(args).output().expect("the program runs"))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn ended(output: &Output) -> (Option<i32>, String) {
    let text = [&output.stdout[..], &output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

const NIM: &str = "game N(n) { move t k in 1..n -> N(n - k) }\n";

/// Inputs that want far more than is allowed, each in a place of its own of the work.
fn heavy() -> Vec<(&'static str, String)> {
    let nim = |rest: &str| format!("{NIM}{rest}\n");
    vec![
        ("solve", nim("let s = size(set(1..40000000))\nsolve N(s mod 5)")),
        ("solve", nim("let s = size(reverse([(i, j) for i, j in 1..20000]))\nsolve N(s mod 5)")),
        ("solve", nim("let s = size(partitions(80))\nsolve N(s mod 5)")),
        ("solve", nim("let s = size(subsets({0..20}))\nsolve N(s mod 5)")),
        ("check", nim("claim \"c\": size(partitions(80)) > 3")),
        ("check", nim("claim \"c\": size(permutations_of(60)) > 3\ndef permutations_of(n) = partitions(n + 20)")),
        ("table", nim("table size(partitions(80)) + n for n in 0..3")),
        ("solve", "game M(a, b) { move t i in 1..a, j in 1..b -> M(a - i, b - j) }\nsolve M(4000, 4000)\n".into()),
        ("table", "game W(a, b) { move l k in 1..a -> W(a - k, b)\n move r k in 1..b -> W(a, b - k) }\ntable grundy(W(a, b)) for a, b in 0..6000\n".into()),
    ]
}

#[test]
fn what_wants_more_memory_than_is_allowed_ends_with_l02() {
    for (at, (command, text)) in heavy().into_iter().enumerate() {
        let place = Place::new(&format!("memory-{at}")).with("heavy.game", &text);
        let (code, said) = place.run(&[command, "heavy.game", "--memory", "40M"]);
        let limited = said.contains("L02") || said.contains("UNKNOWN") && said.contains("memory limit");
        assert!(limited && matches!(code, Some(3 | 0)), "{text}\n{code:?} {said}");
        assert!(code == Some(3) || command == "check", "{text}\n{said}");
    }
}

#[test]
fn what_does_not_look_at_the_clock_is_ended_too() {
    let text = format!("{NIM}let s = size(partitions(95))\nsolve N(s mod 5)\n");
    let place = Place::new("deaf").with("deaf.game", text);
    let (code, said) = place.run(&["solve", "deaf.game", "--time", "100ms", "--memory", "64G"]);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("error[L03]: the time limit of 0.1 s is reached"), "{said}");
}

#[test]
fn types_that_double_are_refused() {
    let lets = (1..=40).map(|i| format!("let x{i} = (x{}, x{})\n", i - 1, i - 1)).collect::<Vec<_>>().concat();
    let place = Place::new("doubling").with("types.game", format!("let x0 = (1, 1)\n{lets}{NIM}solve N(3)\n"));
    let (code, said) = place.run(&["solve", "types.game"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("E18") && said.contains("more than 1000 parts"), "{said}");
}

#[test]
fn many_clauses_and_inputs_are_understood() {
    let clauses = (0..20_000).map(|i| format!(", x{i} = k + {i}")).collect::<Vec<_>>().concat();
    let inputs = (0..20_000).map(|i| format!("input f{i}: nat = {i}\n")).collect::<Vec<_>>().concat();
    let text = format!("{inputs}game N(n) {{ move t k in 1..n{clauses} -> N(n - k) }}\nsolve N(f7)\n");
    let (code, said) = Place::new("clauses").with("many.game", text).run(&["solve", "many.game", "--exhaustive"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("Grundy      7"), "{said}");
}

#[test]
fn time_to_wait_for_a_case_is_not_the_time_of_a_case() {
    let place = Place::new("waiting").with("n.game", format!("{NIM}input n: nat = 3\nsolve N(n)\n"));
    let mut command = place.command(&["solve", "n.game", "--cases", "-", "--time", "1s"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut answers = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    for case in 1..=3 {
        writeln!(stdin, "{{\"n\": {case}}}").expect("it listens after any wait");
        // However long the case took: it is told before the wait begins.
        let answer = answers.next().expect("an answer to every case").expect("text");
        assert!(answer.starts_with(&format!("{{\"case\":{}", case - 1)), "{answer}");
        std::thread::sleep(std::time::Duration::from_millis(1300));
    }
    drop(stdin);
    assert!(child.wait().expect("it ends").code().is_some());
}

#[test]
fn no_time_is_too_long() {
    let place = Place::new("long").with("n.game", format!("{NIM}solve N(3)\nexpect N(3): grundy 3\n"));
    for command in [&["solve"][..], &["check", "--prove"], &["prove"]] {
        let (code, said) = place.run(&[command, &["n.game", "--time", "876000h"]].concat());
        assert_eq!(code, Some(0), "{said}");
        let (code, said) = place.run(&[command, &["n.game", "--time", "9000000000000000000s"]].concat());
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("this is no time that can be waited"), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_work_that_does_not_look() {
    let text = format!("{NIM}let s = size(partitions(95))\nsolve N(s mod 5)\n");
    let place = Place::new("signal").with("deaf.game", text);
    for signal in ["INT", "TERM"] {
        let child = place.command(&["solve", "deaf.game", "--memory", "64G"]).spawn().expect("the program starts");
        std::thread::sleep(std::time::Duration::from_millis(300));
        let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()));
        let (code, said) = ended(&child.wait_with_output().expect("it ends"));
        assert_eq!(code, Some(3), "{said}");
        assert!(said.contains("error[L03]: interrupted"), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn a_game_file_reads_below_its_folder_only() {
    let place = Place::new("paths").with("out.txt", "0 1\n").with("games/below/in.txt", "0 1\n");
    std::os::unix::fs::symlink(place.0.join("out.txt"), place.0.join("games/link.txt")).expect("a link");
    fs::write(place.0.join("out.game"), "let three = 3\n").expect("a file");
    let game = |path: &str| {
        format!(
            "let g = graph from \"{path}\"\ngame T(v: vertex of g) {{ move t w in neighbours(g, v) -> T(w) }}\nsolve T(0)\n"
        )
    };
    let run = |path: &str, more: &[&str]| {
        fs::write(place.0.join("games/t.game"), game(path)).expect("a file");
        place.run(&[&["solve", "games/t.game"], more].concat())
    };
    let (code, said) = run("below/in.txt", &[]);
    assert_eq!(code, Some(0), "{said}");
    for path in ["../out.txt", "link.txt", "/etc/passwd", "/proc/self/environ", "/dev/zero", "below/../../out.txt"] {
        let (code, said) = run(path, &[]);
        assert_eq!(code, Some(2), "{path}: {said}");
        assert!(said.contains("error[D03]") && said.contains("is not below the folder of the game file"), "{said}");
    }
    for path in ["../out.txt", "link.txt"] {
        assert_eq!(run(path, &["--allow-path", "."]).0, Some(0), "{path}");
    }
    fs::write(place.0.join("games/u.game"), format!("use \"../out\"\n{NIM}solve N(three)\n")).expect("a file");
    let (code, said) = place.run(&["solve", "games/u.game"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("is not below the folder of the game file"), "{said}");
    assert_eq!(place.run(&["solve", "games/u.game", "--allow-path", "."]).0, Some(0));
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_no_files() {
    let place = Place::new("pipes").with("n.game", format!("{NIM}input n: nat = 3\nsolve N(n)\n"));
    assert!(Command::new("mkfifo").arg(place.0.join("pipe")).status().is_ok_and(|status| status.success()));
    for file in ["pipe", "/dev/zero"] {
        for args in [
            &["solve", file][..],
            &["check", file],
            &["fmt", file],
            &["solve", "n.game", "--cases", file],
            &["verify", file],
            &["heap", "0.77", "--state", file],
        ] {
            let (code, said) = place.run(args);
            assert_eq!(code, Some(2), "{args:?} {said}");
            assert!(said.contains("is a pipe or a device"), "{args:?} {said}");
        }
    }
}

#[cfg(unix)]
#[test]
fn certificates_may_go_to_a_device() {
    let place = Place::new("device");
    let (code, said) = place.run(&["heap", "0.3", "--prove=/dev/stdout"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("grundy_heap_certificate"), "{said}");
    let (code, said) = place.run(&["heap", "0.3", "--prove=games"]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("games` cannot be written"), "{said}");
}

#[cfg(unix)]
#[test]
fn what_cannot_be_written_whole_is_not_written() {
    let text = "game   N(n)   { move t k in 1..n -> N(n-k) }\nsolve N(3)\n".repeat(200);
    let place = Place::new("disk").with("old.game", &text);
    let grundy = env!("CARGO_BIN_EXE_grundy");
    // No file grows beyond a block: as on a full disk, writing ends in the middle.
    let script = format!("trap '' XFSZ; ulimit -f 1; exec '{grundy}' fmt old.game");
    let output = Command::new("sh").args(["-c", &script]).current_dir(&place.0).output().expect("a shell");
    let (code, said) = ended(&output);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("error[D03]") && said.contains("old.game` cannot be written"), "{said}");
    assert_eq!(fs::read_to_string(place.0.join("old.game")).expect("the old file"), text);
    let left: Vec<_> = fs::read_dir(&place.0).expect("the folder").filter_map(Result::ok).collect();
    assert!(left.iter().all(|entry| entry.file_name() == "old.game" || entry.file_name() == "games"), "{left:?}");
}
