//! What users get for bad or huge input: the whole message and the exit code, without panics and without hanging.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// No run may take longer.
const LONGEST: Duration = Duration::from_mins(5);

const NIM: &str = "\
game Nim(n) {
  move take k in 1..n -> Nim(n - k)
}
input heaps: list of nat = [3, 4, 5]
input marks: set of nat = {1}
solve sum(Nim(h) for h in heaps)
";

/// A folder of its own, removed in the end.
struct Place(PathBuf);

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Runs the program on files in a folder of their own; exit code, stdout and stderr, without what differs from run to run.
fn run(test: &str, files: &[(&str, &[u8])], args: &[&str]) -> String {
    let place = Place(std::env::temp_dir().join(format!("grundy-bad-{}-{test}", std::process::id())));
    fs::create_dir_all(place.0.join("folder")).expect("a folder for the test");
    for (name, text) in files {
        fs::write(place.0.join(name), text).expect("a file for the test");
    }
    let (out, err) = (place.0.join("stdout"), place.0.join("stderr"));
    let started = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_grundy"))
        .args(args)
        .current_dir(&place.0)
        .env_remove("COLUMNS")
        .stdin(Stdio::null())
        .stdout(fs::File::create(&out).expect("a file for stdout"))
        .stderr(fs::File::create(&err).expect("a file for stderr"))
        .spawn()
        .expect("the program starts");
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status.code().map_or("none: killed".to_string(), |c| c.to_string());
        }
        if started.elapsed() > LONGEST {
            let _ = child.kill();
            let _ = child.wait();
            break format!("none: still running after {} s", LONGEST.as_secs());
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let read = |path| {
        let text = String::from_utf8_lossy(&fs::read(path).expect("what it printed")).into_owned();
        let mut shown = String::new();
        for line in text.lines().filter(|line| !line.trim_start().starts_with("found")) {
            let hasty = line.contains("positions were searched; `--time`");
            let line = if hasty { "  = help: N positions were searched; `--time` raises the limit" } else { line };
            let cut: String = line.chars().take(240).collect();
            let _ = writeln!(shown, "{cut}{}", if cut.len() < line.len() { " [...]" } else { "" });
        }
        if shown.lines().count() > 40 {
            let more = shown.lines().count() - 40;
            shown = shown.lines().take(40).collect::<Vec<_>>().join("\n") + &format!("\n[{more} more lines]\n");
        }
        shown
    };
    format!("exit {status}\n--- stdout\n{}--- stderr\n{}", read(out), read(err))
}

/// Solves one file.
fn solve(test: &str, text: impl AsRef<[u8]>, args: &[&str]) -> String {
    let args: Vec<&str> = ["solve", "bad.game"].iter().chain(args).copied().collect();
    run(test, &[("bad.game", text.as_ref())], &args)
}

/// A test for each name: the snapshot of solving a text with arguments.
macro_rules! bad {
    ($($name:ident: $text:expr $(, $arg:expr)*;)*) => {$(
        #[test]
        fn $name() {
            insta::assert_snapshot!(solve(stringify!($name), $text, &[$($arg),*]));
        }
    )*};
}

bad! {
    unknown_name: "game Nim(n) {\n  move take kount in 1..n -> Nim(n - kuont)\n}\nsolve Nim(3)\n";
    unknown_game: "game Nim(n) {\n  move take k in 1..n -> Nin(n - k)\n}\nsolve Nim(3)\n";
    wrong_types: "game G(s: set of nat, n) {\n  move a k in s where k + 1 -> G(s + k, n)\n  move b where n == \"x\" -> G(n, s)\n  move c where size(n) > 2 -> G(s - {true}, n)\n}\nsolve G({1}, 2)\n";
    cyclic_def: "def a(n) = b(n) + 1\ndef b(n) = a(n) + 1\ngame G(n) {\n  move m where a(n) > 0 -> G(n)\n}\nsolve G(1)\n";
    cyclic_let: "let a = b + 1\nlet b = c + 1\nlet c = a + 1\ngame G(n) {\n  move m k in 1..n -> G(n - k)\n}\nsolve G(a)\n";
    negative_nat: "game G(n) {\n  move m -> G(n - 2)\n}\nsolve G(3)\n";
    header_where: "game G(a, b) where a <= b {\n  move m where a > 0 -> G(b, a - 1)\n}\nsolve G(3, 5)\n";
    index_outside: "game G(xs: list of nat) {\n  move m i in 0..size(xs) where xs[i] > 0 -> G(xs[i -= 1])\n}\nsolve G([1, 2])\n";
    update_outside: "game G(xs: list of nat) {\n  move m -> G(xs[5 := 0])\n}\nsolve G([1, 2])\n";
    member_not_there: "game G(xs: bag of nat) {\n  move m a in xs -> G(xs - [a, a])\n}\nsolve G([1, 1, 2])\n";
    beyond_64_bits: "game G(n: int) {\n  move m where n > 2 ** 199 -> G(n - 2 ** 199 * 2)\n}\nsolve G(2 ** 200)\n", "--json", "--moves", "1";
    beyond_64_bits_nat: "game G(n) {\n  move half where n > 0 -> G(n div 10 ** 20)\n}\nsolve G(10 ** 50)\n";
    huge_power: "let big = 7 ** 10 ** 12\ngame G(n) {\n  move m k in 1..n -> G(n - k)\n}\nsolve G(big mod 3)\n";
    power_of_power: "game G(n) {\n  move m where 2 ** 2 ** 2 ** 2 ** 2 ** 2 > n -> G(n)\n}\nsolve G(1)\n";
    division_by_zero: "game G(n, m) {\n  move a where n div m > 0 -> G(n - 1, m)\n}\nsolve G(3, 0)\n";
    division_by_zero_folded: "game G(n) {\n  move a where n mod (3 - 3) > 0 -> G(n - 1)\n}\nsolve G(3)\n";
    negative_exponent: "game G(n) {\n  move a where 2 ** (n - 5) > 0 -> G(n - 1)\n}\nsolve G(3)\n";
    minimum_of_nothing: "game G(xs: list of nat) {\n  move a where min(xs) > 0 -> G([])\n}\nsolve G([1])\n";
    not_a_vertex: "game G[g: graph](at: vertex of g) {\n  move a -> G(at + 1)\n}\nsolve G[path(3)](0)\n";
    broken_utf_8: b"game G(n) {\n  move a\xff k in 1..n -> G(n - k)\n}\nsolve G(3)\n";
    parentheses_100_000_deep: format!("let a = {}1{}\n", "(".repeat(100_000), ")".repeat(100_000));
    open_parentheses_100_000: format!("let a = {}1\n", "(".repeat(100_000));
    brackets_100_000_deep: format!("let a = {}1{}\n", "[".repeat(100_000), "]".repeat(100_000));
    minus_100_000: format!("let a = {}1\n", "- ".repeat(100_000));
    nots_100_000: format!("let a = {}true\n", "not ".repeat(100_000));
    ifs_10_000: format!("let a = {}1\n", "if true then 1 else ".repeat(10_000));
    plus_100_000: format!("let a = 0{}\ngame G(n) {{\n  move m k in 1..n -> G(n - k)\n}}\nsolve G(a mod 7)\n", " + 1".repeat(100_000));
    unclosed_bracket: "game G(n) {\n  move m k in {1, 2 -> G(n - k)\n}\nsolve G(3)\n";
    unclosed_brace: "game G(n) {\n  move m k in 1..n -> G(n - k)\nsolve G(3)\n";
    unclosed_text: "let a = \"abc\ngame G(n) {\n  move m k in 1..n -> G(n - k)\n}\nsolve G(3)\n";
    unclosed_block: "let g = grid \"\"\"\n  ..\n  ..\nsolve G(3)\n";
    unknown_input: NIM, "heap=[1]";
    input_without_value: "input n: nat\ngame G(n) {\n  move m k in 1..n -> G(n - k)\n}\nsolve G(n)\n";
    input_of_a_wrong_type: NIM, "heaps=[1, \"x\"]";
    input_negative: NIM, "heaps=[1, -2]";
    input_read_in_a_game: "input m: nat = 3\ngame G(n) {\n  move a k in 1..m -> G(n - k)\n}\nsolve G(5)\n";
    two_games_of_one_name: "game G(n) {\n  move a k in 1..n -> G(n - k)\n}\ngame G(m) {\n  move b where m > 0 -> G(m - 1)\n}\nsolve G(1)\n";
    use_of_a_missing_file: "use \"nimm\"\nsolve Nim(3)\n";
    use_of_itself: "use \"bad\"\ngame G(n) {\n  move a k in 1..n -> G(n - k)\n}\nsolve G(2)\n";
    unbounded_with_a_limit: "game G(a, b) {\n  move up -> G(a + 1, b)\n  move side -> G(a, b + 1)\n}\nsolve G(0, 0)\n", "--max-positions", "1000";
    endless_with_a_clock: "game G(a, b) {\n  move up -> G(a + 1, b)\n  move side -> G(a, b + 1)\n}\nsolve G(0, 0)\n", "--time", "2s";
    endless_expression_with_a_clock: "game G(n) {\n  move a where count(i mod 7 == 0 for i in 1..10 ** 12) > n -> G(n + 1)\n}\nsolve G(0)\n", "--time", "0.2s";
    grundy_with_win: "game G(n) {\n  move a k in 1..n -> if k == n then win else G(n - k)\n}\ntable grundy(G(n)) for n in 0..3\nexpect G(2): grundy 1\nsolve G(3)\n";
    score_of_a_cyclic_game: "game G(n) {\n  move a -> G((n + 1) mod 3) gain 1\n}\nsolve G(0)\n";
    score_and_win: "game G(n) {\n  move a where n > 0 -> G(n - 1) gain 1\n  move b -> win\n}\nsolve G(2)\n";
    empty_file: "";
    only_a_comment: "# nothing\n";
    no_solve_line: "game G(n) {\n  move a k in 1..n -> G(n - k)\n}\n";
    garbage_of_1_000_000_lines: "%$ ?? )( @\n".repeat(1_000_000);
    words_of_1_000_000_lines: "lorem ipsum dolor\n".repeat(1_000_000);
    statements_100_000: (0..100_000).fold(String::new(), |mut s, i| {
        let _ = writeln!(s, "let a{i} = {}", if i == 0 { "1".into() } else { format!("a{} + 1", i - 1) });
        s
    }) + "game G(n) {\n  move a k in 1..min(n, 3) -> G(n - k)\n}\nsolve G(a99999 mod 7)\n";
    range_of_10_to_the_30: "game G(n) {\n  move a k in 0..10 ** 30 where k < n -> G(k)\n}\nsolve G(3)\n";
    repeat_10_to_the_12: "let a = repeat(\"x\", 10 ** 12)\ngame G(n) {\n  move a k in 1..n -> G(n - k)\n}\nsolve G(size(a) mod 5)\n", "--time", "600s";
    subsets_of_60: "game G(s: set of nat) {\n  move a t in subsets(s) where t != {} -> G(s - t)\n}\nsolve G({0..59})\n", "--max-positions", "1000", "--time", "600s";
    def_10_000_000_deep: "def f(n): int = if n == 0 then 0 else 1 + f(n - 1)\ngame G(n) {\n  move a k in 1..n -> G(n - k)\n}\nsolve G(f(10 ** 7) mod 5)\n";
    def_without_an_end: "def f(n): int = f(n + 1)\ngame G(n) {\n  move a k in 1..n -> G(n - k)\n}\nsolve G(f(0))\n";
    same_as_without_an_end: "game G(n) {\n  same as G(n + 1) when n > 0\n  move a where n == 0 -> G(n + 1)\n}\nsolve G(0)\n";
    same_as_in_a_circle: "game G(n) {\n  same as G(3 - n) when n > 0\n  move a where n == 0 -> G(n + 1)\n}\nsolve G(0)\n";
    token_1_000_000_deep: "game T[m](at) {\n  move go where at < m -> T(at + 1)\n}\nsolve T[10 ** 6](0)\n";
    counter_1_000_000_deep: "game C(n) {\n  move one where n > 0 -> C(n - 1)\n}\nsolve C(10 ** 6)\n";
    sum_of_100_000_heaps: NIM.replace("= [3, 4, 5]", "= [i mod 4 for i in 1..100_000]").replace("100_000", "100000"), "--moves", "1";
    nothing_moves: "game G(n) {\n}\nsolve G(2)\n";
    wrong_argument: NIM, "--nonsense";
    position_of_nonsense: NIM, "-p", "Nim(3) +";
    position_of_another_game: NIM, "-p", "Nin(3)";
    verdicts_clash: "game G(n) {\n  end when n == 0: lost\n  end when n == 1: won\n  move a where n > 0 -> G(n - 1)\n}\nsolve G(0) + G(1)\n";
}

/// Solves Nim on cases.
fn cases(test: &str, json: &str) -> String {
    let files: &[(&str, &[u8])] = &[("nim.game", NIM.as_bytes()), ("cases.json", json.as_bytes())];
    let shown = run(test, files, &["solve", "nim.game", "--cases", "cases.json", "--moves", "0"]);
    let mut all = String::new();
    for line in shown.lines() {
        let _ = writeln!(all, "{}", line.split(",\"seconds\"").next().unwrap_or_default());
    }
    all
}

#[test]
fn cases_of_bad_json() {
    let mut all = String::new();
    for (name, json) in [
        ("syntax", "[{\"heaps\": [1, }]"),
        ("no object", "[3, null, [1]]"),
        (
            "deep",
            "[{\"heaps\": [1, [2], 3]}, {\"heaps\": {\"a\": 1}}, {\"heaps\": [1.5]}, {\"heaps\": [1e400]}, {\"heaps\": [true]}]",
        ),
        ("unknown key", "[{\"heap\": [1]}, {\"xyz\": 1}]"),
        ("repeated", "[{\"marks\": [1, 2, 1]}]"),
        ("huge", "[{\"heaps\": [123456789012345678901234567890]}]"),
        ("key twice", "[{\"heaps\": [1], \"heaps\": [2]}]"),
        ("empty", ""),
        ("a text", "\"abc\""),
    ] {
        let _ = write!(all, "=== {name}\n{}", cases(&format!("cases-{}", name.replace(' ', "-")), json));
    }
    let deep = cases("cases-nested", &format!("{}{}", "[".repeat(100_000), "]".repeat(100_000)));
    let _ = write!(all, "=== nested\n{deep}");
    insta::assert_snapshot!(all);
}

#[test]
fn files_that_are_not_there() {
    let files: &[(&str, &[u8])] = &[("nim.game", NIM.as_bytes())];
    let mut all = String::new();
    for args in [
        &["solve", "absent.game"][..],
        &["solve", "folder"],
        &["check", "absent.game"],
        &["check", "folder"],
        &["solve", "nim.game", "--cases", "absent.json"],
        &["solve", "nim.game", "--cases", "folder"],
        &["fmt", "absent.game"],
    ] {
        let _ = write!(
            all,
            "=== {}\n{}",
            args.join(" "),
            run(&format!("absent-{}", args.join("-").replace(['.', '/'], "_")), files, args)
        );
    }
    insta::assert_snapshot!(all);
}

#[test]
fn thousands_of_unknown_names() {
    let mut text = NIM.to_string();
    for i in 0..4000 {
        let _ = writeln!(text, "let a{i} = unknown{i}");
    }
    let _ = writeln!(text, "let {0} = 1\nlet b = {0}y", "x".repeat(50_000));
    let told = solve("unknown", text, &[]);
    // Of the rest only the number of lines is shown.
    assert!(told.contains("there is no value `unknown0`"), "{told}");
    assert!(told.starts_with("exit 2\n"), "{told}");
}

#[test]
fn a_broken_data_file_is_told_with_its_line_and_its_let() {
    let road: (&str, &[u8]) = ("road.txt", b"0 1\n1 2\n2 3 0.5\n");
    let walk = "let g = graph from \"road.txt\"\ninput i: vertex of g = 0\ngame Walk(v: vertex of g) {\n  \
                move go w in neighbours(g, v) -> Walk(w)\n}\nsolve Walk(i)\n";
    insta::assert_snapshot!(run("walk", &[road, ("walk.game", walk.as_bytes())], &["solve", "walk.game"]));
    let table = "let g = graph from \"none.txt\"\ntable size(g) + i for i in 0..3\n\
                 claim \"c\" for i in 0..3: size(g) > i\n";
    let files: [(&str, &[u8]); 2] = [road, ("table.game", table.as_bytes())];
    insta::assert_snapshot!(run("table-of-none", &files, &["table", "table.game"]));
    insta::assert_snapshot!(run("claim-of-none", &files, &["check", "table.game"]));
}
