//! Game files as solutions: what judges publish is answered byte by byte, words are read as they were written, and a program
//! that differs is found out at the smallest case.

#![allow(clippy::format_push_string, clippy::needless_for_each)] // texts are put together once

use crate::rng::Rng;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn grundy(folder: &Path, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_grundy"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut to = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let feed = std::thread::spawn(move || drop(to.write_all(&input)));
    let output = child.wait_with_output().expect("the program ends");
    feed.join().expect("the input was handed on");
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// A folder with a game file of this text in it.
fn place(test: &str, game: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("grundy-contest-{}-{test}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the test");
    fs::write(folder.join("it.game"), game).expect("a file for the test");
    folder
}

/// What `run` says of a game file for an input: exit code, answers, errors.
fn run(test: &str, game: &str, input: &str) -> (Option<i32>, String, String) {
    let output = grundy(&place(test, game), &["run", "it.game"], input.as_bytes());
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn contest_files(ending: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("games/contest");
    let entries = fs::read_dir(folder).expect("the folder of contest games");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == ending));
    files.sort();
    files
}

#[test]
fn published_samples_are_answered_byte_by_byte() {
    let games = contest_files("game");
    assert!(games.len() >= 12, "{} games", games.len());
    let mut tried = vec![0; games.len()];
    for sample in contest_files("in") {
        let name = sample.file_name().expect("a name").to_string_lossy().into_owned();
        let stem = name.split('.').next().expect("a stem");
        let at = games.iter().position(|game| game.file_stem().is_some_and(|other| other == stem));
        let at = at.unwrap_or_else(|| panic!("{name} has no game"));
        let game = games[at].display().to_string();
        let output = grundy(Path::new("."), &["run", &game], &fs::read(&sample).expect("the sample"));
        let wanted = fs::read(sample.with_extension("out")).expect("the answer of the sample");
        assert_eq!(text(&output.stdout), text(&wanted), "{name}: {}", text(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "{name}");
        tried[at] += 1;
    }
    assert!(tried.iter().all(|&tried| tried > 0), "a game without a sample: {games:?} {tried:?}");
}

/// Every kind of input that there is, with what it is to be printed as.
const KINDS: &str = "\
input n, m, k: nat
input a: int
input s, t: text
input xs: list of int
input ys: set of nat
input zs: bag of nat
input rows: list of list of int
input pairs: list of (nat, int)
input maze: grid
input field: grid of nat
input g: graph from 1
input d: digraph
input tree: graph
input yes: bool
format cases k: n, m, a, s, line t, xs[n], ys, zs[m], rows[n], pairs[m], maze[n], field[n, m], g[n + 1, m], d[m + 1, n], tree[n], yes
print k, a, s, t
print xs
print ys
print zs
print rows
print pairs
print maze
print field
print [ends(e) for e in edges(g)]
print [ends(e) for e in edges(d)]
print size(edges(tree)), is_tree(tree), yes
";

/// Words at random with what stands where, and the lines that say so.
fn words(rng: &mut Rng) -> (String, String) {
    let mut next = |from: i64, to: i64| rng.range(from, to);
    let cases = next(1, 3);
    let (mut input, mut answer) = (format!("{cases}\n"), String::new());
    let list = |values: &[i64]| values.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
    for k in 1..=cases {
        let (n, m, a) = (next(1, 4), next(1, 4), next(-(1 << 40), 1 << 40));
        let s: String = (0..next(1, 5)).map(|_| char::from(b'a' + u8::try_from(next(0, 25)).expect("small"))).collect();
        let line = format!("{s} and  {s}");
        let xs: Vec<i64> = (0..n).map(|_| next(-9, 9)).collect();
        let mut ys: Vec<i64> = (0..next(0, 4)).map(|_| next(0, 9)).collect();
        let mut zs: Vec<i64> = (0..m).map(|_| next(0, 3)).collect();
        let rows: Vec<Vec<i64>> = (0..n).map(|_| (0..next(0, 3)).map(|_| next(-5, 5)).collect()).collect();
        let pairs: Vec<[i64; 2]> = (0..m).map(|_| [next(0, 9), next(-9, 9)]).collect();
        let maze: Vec<String> =
            (0..n).map(|_| (0..3).map(|_| if next(0, 1) == 0 { '.' } else { '#' }).collect()).collect();
        let field: Vec<Vec<i64>> = (0..n).map(|_| (0..m).map(|_| next(0, 99)).collect()).collect();
        // Edges that differ, in the order written.
        let g: Vec<[i64; 2]> = (1..=n.min(m)).map(|v| [v, v + 1]).chain((n.min(m)..m).map(|_| [1, 2])).collect();
        let mut d: Vec<[i64; 2]> = Vec::new();
        for _ in 0..n {
            d.push([next(0, m), next(0, m)]);
        }
        let tree: Vec<[i64; 2]> = (1..n).map(|v| [next(0, v - 1), v]).collect();
        let yes = next(0, 1);
        // Words may stand in any lines but for the whole line.
        let blank = |at: i64| {
            if at % 3 == 0 {
                "\n"
            } else if at % 3 == 1 {
                " "
            } else {
                "  \r\n "
            }
        };
        let mut put = |words: &str, at: i64| input += &format!("{words}{}", blank(at));
        put(&list(&[n, m, a]), next(0, 2));
        put(&s, 0);
        put(&line, 0);
        put(&list(&xs), next(0, 2));
        put(&format!("{} {}", ys.len(), list(&ys)), next(0, 2));
        put(&list(&zs), next(0, 2));
        rows.iter().for_each(|row| put(&format!("{} {}", row.len(), list(row)), 1));
        pairs.iter().for_each(|pair| put(&list(pair), 0));
        put(&maze.join("\n"), next(0, 2));
        field.iter().for_each(|row| put(&list(row), 1));
        [&g, &d, &tree].into_iter().flatten().for_each(|edge| put(&list(edge), 0));
        put(&yes.to_string(), 0);
        ys.sort_unstable();
        ys.dedup();
        zs.sort_unstable();
        let seen = |edges: &[[i64; 2]]| {
            let mut distinct: Vec<[i64; 2]> = Vec::new();
            edges.iter().for_each(|edge| {
                if !distinct.contains(edge) {
                    distinct.push(*edge);
                }
            });
            distinct.iter().map(|edge| list(edge)).collect::<Vec<_>>().join("\n")
        };
        let lines = |rows: &[Vec<i64>]| rows.iter().map(|row| list(row)).collect::<Vec<_>>().join("\n");
        let pairs: Vec<Vec<i64>> = pairs.iter().map(|pair| pair.to_vec()).collect();
        answer += &format!("{k} {a} {s} {line}\n{}\n{}\n{}\n", list(&xs), list(&ys), list(&zs));
        answer += &format!("{}\n{}\n{}\n{}\n", lines(&rows), lines(&pairs), maze.join("\n"), lines(&field));
        answer += &format!("{}\n{}\n{} true {}\n", seen(&g), seen(&d), n - 1, yes == 1);
    }
    (input, answer)
}

#[test]
fn words_of_every_kind_are_read() {
    let mut rng = Rng::new(7);
    for round in 0..40 {
        let (input, answer) = words(&mut rng);
        let (code, out, err) = run("kinds", KINDS, &input);
        assert_eq!((code, out.as_str()), (Some(0), answer.as_str()), "round {round}: {err}\n{input}");
    }
}

#[test]
fn cases_end_where_the_file_says() {
    let game = |turns: &str| format!("input n\ninput xs: list of nat\nformat {turns}n, xs[n]\nprint n, sum(xs)\n");
    let all = [
        ("", "2 3 4", "2 7\n"),
        ("cases: ", "2\n1 5\n0", "1 5\n0 0\n"),
        ("until end: ", "1 5\n2 1 1\n\n", "1 5\n2 2\n"),
        ("until end: ", "", ""),
        ("until n == 0: ", "1 5\n2 1 1\n0\nmore", "1 5\n2 2\n"),
        ("until n == 0: ", "1 5", "1 5\n"),
        ("until size(xs) == 1: ", "0\n2 3 4\n1 5\n0", "0 0\n2 7\n"),
    ];
    for (turns, input, answer) in all {
        let (code, out, err) = run("ends", &game(turns), input);
        assert_eq!((code, out.as_str()), (Some(0), answer), "{turns}: {err}");
    }
}

#[test]
fn a_line_is_a_list_where_its_length_is_left_out() {
    let game = "input xs, ys: list of int\nformat xs[], ys[]\nprint size(xs), size(ys), sum(xs + ys)\n";
    for (input, answer) in
        [("1 2\n3\n", "2 1 6\n"), ("\n3 4\n", "0 2 7\n"), ("5\n\n", "1 0 5\n"), (" 1  2 \r\n -3\r\n", "2 1 0\n")]
    {
        assert_eq!(run("lines", game, input).1, answer, "{input:?}");
    }
}

#[test]
fn what_does_not_fit_is_told_with_its_place() {
    let game = "input n\ninput xs: list of nat\ninput b: bool\nformat cases: n, xs[n], b\nprint n\n";
    let broken: &[&[u8]] = &[
        b"",
        b"x",
        b"-1",
        b"2\n1 5 1\n",
        b"1\n2 5 y 1",
        b"1\n2 5 -6 1\n",
        b"1\n-3 1",
        b"1\n99999999999999999999 1",
        b"1\n1 5 maybe",
        b"1\n1 5 1 7",
        b"1\n1 \xff 1",
        b"1000000000000000000000000 1",
    ];
    let mut told = String::new();
    for input in broken {
        let output = grundy(&place("misfits", game), &["run", "it.game"], input);
        assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(input));
        told += &format!(
            "=== {}\n{}{}",
            String::from_utf8_lossy(input).escape_debug(),
            text(&output.stdout),
            text(&output.stderr)
        );
    }
    insta::assert_snapshot!(told);
}

#[test]
fn lines_of_a_contest_that_make_no_sense_are_told() {
    let files = [
        "input n\nformat n, n\nprint n\n",
        "input n\nformat n\nformat n\nprint n\n",
        "input n\nformat m\nprint n\n",
        "input xs: list of nat\ninput n\nformat xs[n], n\nprint n\n",
        "input n\nformat n[2]\nprint n\n",
        "input g: grid\nformat g\nprint g\n",
        "input g: graph\nformat g\nprint g\n",
        "input n\nformat line n\nprint n\n",
        "input s: text\nformat cases s: s\nprint s\n",
        "input n\nformat until n: n\nprint n\n",
        "input n\ncases for k in 1..3\n",
        "input n\ncases for n in 1..m\ninput m\n",
        "format\n",
        "format: n\n",
        "input n\nformat cases n\nprint n\n",
        "print\n",
        "let cases = 3\n",
        "let print = 3\n",
    ];
    let mut told = String::new();
    for file in files {
        let output = grundy(&place("senseless", file), &["check", "it.game"], b"");
        assert_eq!(output.status.code(), Some(2), "{file}");
        told += &format!("=== {}\n{}", file.escape_debug(), text(&output.stderr));
    }
    insta::assert_snapshot!(told);
}

/// Heaps of stones, answered by the rules.
const STONES: &str = "\
game Nim(n) {
  move take k in 1..n -> Nim(n - k)
}
input n: nat
input heaps: list of nat
format cases: n, heaps[n]
print if wins(sum(Nim(h) for h in heaps)) then \"First\" else \"Second\"
cases for n in 1..3, heaps in lists(1..400, n)
";

/// A C program that answers these cases, with `slip` for each heap `a` read into the sum `x`.
fn program(folder: &Path, name: &str, slip: &str, answer: &str) -> String {
    let source = format!(
        "#include <stdio.h>\n#include <stdlib.h>\nint main(void) {{ int t, n; long a; scanf(\"%d\", &t); while (t--) {{ long x = 0;\n\
         scanf(\"%d\", &n); for (int i = 0; i < n; i++) {{ scanf(\"%ld\", &a); {slip} }}\n{answer} }} return 0; }}\n"
    );
    let file = folder.join(format!("{name}.c"));
    fs::write(&file, source).expect("a file for the test");
    // The linker of every machine that builds this program.
    let built = Command::new("cc").arg("-w").arg(&file).arg("-o").arg(folder.join(name)).status().expect("cc runs");
    assert!(built.success());
    format!("./{name}")
}

const RIGHT: &str = "puts(x ? \"First\" : \"Second\");";

/// What `stress` says of a program.
fn stress(folder: &Path, options: &[&str], program: &[&str]) -> (Option<i32>, String, String) {
    // A busy machine makes no program late.
    let patience: &[&str] = if options.contains(&"--program-time") { &[] } else { &["--program-time", "1h"] };
    let all = ["stress", "it.game"].iter().chain(patience).chain(options).chain(&["--"]).chain(program);
    let arguments: Vec<&str> = all.copied().collect();
    let output = grundy(folder, &arguments, b"");
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_right_program_is_let_pass() {
    let folder = place("right", STONES);
    let right = program(&folder, "right", "x ^= a;", RIGHT);
    let (code, out, err) = stress(&folder, &["--smallest", "300", "--random", "30"], &[&right]);
    assert_eq!(code, Some(0), "{out}{err}");
    assert!(out.starts_with("SAME  the 300 smallest cases and 30 at random, seed 1; "), "{out}");
    // Much on stderr, other blanks, something left behind that holds the output open.
    let noisy = program(
        &folder,
        "noisy",
        "for (int i = 0; i < 3000; i++) fprintf(stderr, \"debug debug debug\\n\"); x ^= a;",
        RIGHT,
    );
    let spaced = program(&folder, "spaced", "x ^= a;", "printf(\"\\n\\n  %s   \", x ? \"First\" : \"Second\");");
    let behind = ["sh", "-c", &format!("{right}; sleep 20 &")];
    for program in [&[&*noisy] as &[&str], &[&spaced], &behind] {
        let (code, out, err) = stress(&folder, &["--smallest", "10", "--random", "2"], program);
        assert_eq!(code, Some(0), "{program:?}: {out}{err}");
    }
    // An answer in a script; it knows the first heaps only.
    let script = ["sh", "-c", "read t; read n; read a; test $n = 1 && echo First || echo Second"];
    assert_eq!(stress(&folder, &["--smallest", "3", "--random", "0"], &script).0, Some(0));
}

#[test]
fn a_program_that_differs_is_shown_with_the_smallest_case() {
    let folder = place("differs", STONES);
    let cases: [(&str, &str, &str, &str); 6] = [
        ("sum", "x += a;", RIGHT, "WRONG ANSWER  n = 2, heaps = [1, 1]"),
        ("crash", "if (a == 3) abort(); x ^= a;", RIGHT, "CRASH  n = 1, heaps = [3]"),
        ("ends", "if (a == 2 && i) exit(4); x ^= a;", RIGHT, "CRASH  n = 2, heaps = [1, 2]"),
        ("loop", "while (a == 2); x ^= a;", RIGHT, "TIME-OUT  n = 1, heaps = [2]"),
        ("words", "x ^= a;", "puts(x ? \"the First\" : \"Second\");", "WRONG FORM  n = 1, heaps = [1]"),
        ("number", "x ^= a;", "puts(x ? \"First\" : \"2\");", "WRONG FORM  n = 2, heaps = [1, 1]"),
    ];
    for (name, slip, answer, told) in cases {
        let program = program(&folder, name, slip, answer);
        // Only of the program without an end the clock decides.
        let time = if name == "loop" { "5s" } else { "1h" };
        let (code, out, err) = stress(&folder, &["--program-time", time, "--jobs", "2"], &[&program]);
        assert_eq!(code, Some(1), "{name}: {out}{err}");
        assert!(out.starts_with(told), "{name}: {out}");
    }
    let (_, out, _) = stress(&folder, &[], &["./sum"]);
    insta::assert_snapshot!(out, @r"
    WRONG ANSWER  n = 2, heaps = [1, 1]
      input     1
                2
                1 1
      expected  Second
      program   First
      line      Nim(1) + Nim(1): take 1 in Nim(1), take 1 in Nim(1)
      kept      it.stress.in
      tried     5 cases, seed 1
    ");
    assert_eq!(fs::read_to_string(folder.join("it.stress.in")).expect("the input is kept"), "1\n2\n1 1\n");
    let (code, out, _) = stress(&folder, &["--json", "--keep", "kept.txt"], &["./sum"]);
    let told: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((code, &told["verdict"], &told["expected"]), (Some(1), &"WRONG ANSWER".into(), &"Second\n".into()));
    assert_eq!(fs::read_to_string(folder.join("kept.txt")).expect("the input is kept"), "1\n2\n1 1\n");
}

/// Answers of a program in another language: right, wrong at a large heap only, wrong at equal heaps, a crash, a wrong form.
fn in_another_language(folder: &Path, program: &dyn Fn(&str) -> Vec<String>) {
    let cases: [(&str, i32, &str); 5] = [
        ("right", 0, "SAME  the 10 smallest cases and 5 at random"),
        ("large", 1, "WRONG ANSWER  n = 1, heaps = [61]"),
        ("equal", 1, "WRONG ANSWER  n = 2, heaps = [1, 1]"),
        ("crash", 1, "CRASH  n = 1, heaps = [3]"),
        ("form", 1, "WRONG FORM  n = 1, heaps = [1]"),
    ];
    for (name, code, told) in cases {
        let words = program(name);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (ended, out, err) = stress(folder, &["--smallest", "10", "--random", "5", "--jobs", "2"], &words);
        assert_eq!(ended, Some(code), "{name}: {out}{err}");
        assert!(out.starts_with(told), "{name}: {out}");
    }
}

#[test]
#[cfg_attr(not(has_python), ignore = "needs the program `python3`")]
fn programs_in_python_are_held_against_the_file() {
    let folder = place("python", STONES);
    let source = "\
import sys
slip = sys.argv[1]
words = iter(sys.stdin.read().split())
for _ in range(int(next(words))):
    heaps = [int(next(words)) for _ in range(int(next(words)))]
    x = 0
    for heap in heaps:
        x ^= heap
    if slip == 'large' and max(heaps) > 60:
        x = 0 if x else 1
    if slip == 'equal' and len(set(heaps)) < len(heaps):
        x = 1
    if slip == 'crash':
        [1, 2, 3][max(heaps)]
    print(('' if slip != 'form' else 'winner: ') + ('First' if x else 'Second'))
";
    fs::write(folder.join("nim.py"), source).expect("a file for the test");
    in_another_language(&folder, &|slip| ["python3", "nim.py", slip].map(String::from).to_vec());
}

#[test]
#[cfg_attr(not(has_cpp), ignore = "needs the program `c++`")]
fn programs_in_cpp_are_held_against_the_file() {
    let folder = place("cpp", STONES);
    let source = "\
#include <algorithm>
#include <iostream>
#include <set>
#include <stdexcept>
#include <vector>
int main(int, char **arguments) {
    std::string slip = arguments[1];
    int cases, n;
    for (std::cin >> cases; cases--;) {
        std::cin >> n;
        std::vector<int> heaps(n);
        int x = 0;
        for (int &heap : heaps) { std::cin >> heap; x ^= heap; }
        int most = *std::max_element(heaps.begin(), heaps.end());
        if (slip == \"large\" && most > 60) x = !x;
        if (slip == \"equal\" && std::set<int>(heaps.begin(), heaps.end()).size() < heaps.size()) x = 1;
        if (slip == \"crash\") std::vector<int>(3).at(most);
        std::cout << (slip == \"form\" ? \"winner: \" : \"\") << (x ? \"First\" : \"Second\") << std::endl;
    }
}
";
    fs::write(folder.join("nim.cpp"), source).expect("a file for the test");
    let built =
        Command::new("c++").args(["-w", "nim.cpp", "-o", "nim"]).current_dir(&folder).status().expect("c++ runs");
    assert!(built.success());
    in_another_language(&folder, &|slip| vec!["./nim".into(), slip.into()]);
}

#[test]
fn a_program_that_differs_at_large_cases_only_is_found_at_random() {
    // Each with the smallest case in which it goes wrong.
    let slips = [
        ("heap", "x ^= a; if (a > 350) x = 0;", "n = 1, heaps = [351]"),
        ("sum", "static long s; s = i ? s + a : a; x ^= a; if (s > 300 && i == n - 1) x = !x;", "n = 1, heaps = [301]"),
        ("equal", "static long b; x ^= a; if (i && a == b && a > 40) x = !x; b = a;", "n = 2, heaps = [41, 41]"),
        ("next", "static long b; x ^= a; if (i && a == b + 1 && a > 99) x = 0; b = a;", "n = 2, heaps = [99, 100]"),
        ("three", "x ^= a; if (n == 3 && i == 2 && a > 70) x = !x;", "n = 3, heaps = [1, 1, 71]"),
    ];
    let folder = place("large", STONES);
    for (name, slip, case) in slips {
        let large = program(&folder, name, slip, RIGHT);
        let (code, out, err) = stress(&folder, &["--smallest", "50", "--random", "100"], &[&large]);
        assert_eq!(code, Some(1), "{name}: {out}{err}");
        assert_eq!(out.lines().next(), Some(&*format!("WRONG ANSWER  {case}")), "{name}: {out}");
    }
}

/// A C program of which this is the body of `main`.
fn c_program(folder: &Path, name: &str, body: &str) -> String {
    let file = folder.join(format!("{name}.c"));
    fs::write(&file, format!("#include <stdio.h>\n#include <string.h>\nint main(void) {{ {body} return 0; }}\n"))
        .expect("a file");
    let built = Command::new("cc").arg("-w").arg(&file).arg("-o").arg(folder.join(name)).status().expect("cc runs");
    assert!(built.success());
    format!("./{name}")
}

#[test]
fn random_cases_of_every_kind_are_made_small() {
    let kinds = [
        (
            "word",
            "input s: text\nformat s\nprint size(s)\ncases for s in words(\"abc\", 1..12)\n",
            "char s[99]; int b = 0; scanf(\"%s\", s); for (char *c = s; *c; c++) b += *c == 'b'; printf(\"%d\\n\", b > 4 ? -1 : (int)strlen(s));",
            "s = \"bbbbb\"",
        ),
        (
            "set",
            "input n: nat\ninput s: set of nat\nformat n, s[n]\nprint n\ncases for s in subsets(1..16), n = size(s)\n",
            "int n, x, big = 0; scanf(\"%d\", &n); for (int i = 0; i < n; i++) { scanf(\"%d\", &x); big |= x == 13; } printf(\"%d\\n\", big && n > 4 ? -1 : n);",
            "n = 5, s = {1, 2, 3, 4, 13}",
        ),
        (
            "rows",
            "input r, c: nat\ninput a: list of list of nat\nformat r, c, a[r, c]\nprint r * c\n\
             cases for r in 1..4, c in 1..4, a in lists(lists(0..9, c), r)\n",
            "int r, c, x, k = 0; scanf(\"%d %d\", &r, &c); for (int i = 0; i < r * c; i++) { scanf(\"%d\", &x); k += x == 7; } printf(\"%d\\n\", k > 2 ? -1 : r * c);",
            "r = 1, c = 3, a = [[7, 7, 7]]",
        ),
        (
            "two",
            "input n: nat\ninput a, b: list of nat\nformat n, a[n], b[n]\nprint sum(a) + sum(b)\n\
             cases for n in 1..6, a in lists(0..9, n), b in lists(0..9, n)\n",
            "int n, x, s = 0; scanf(\"%d\", &n); for (int i = 0; i < 2 * n; i++) { scanf(\"%d\", &x); s += x; } printf(\"%d\\n\", n > 3 ? -1 : s);",
            "n = 4, a = [0, 0, 0, 0], b = [0, 0, 0, 0]",
        ),
    ];
    for (name, game, body, case) in kinds {
        let folder = place(&format!("small-{name}"), game);
        let wrong = c_program(&folder, name, body);
        for seed in ["1", "2", "3"] {
            let options = ["--smallest", "20", "--random", "100", "--seed", seed];
            let (code, out, err) = stress(&folder, &options, &[&wrong]);
            assert_eq!(code, Some(1), "{name}: {out}{err}");
            assert_eq!(out.lines().next(), Some(&*format!("WRONG ANSWER  {case}")), "{name}, seed {seed}: {out}");
        }
    }
}

#[test]
fn what_cannot_be_listed_is_drawn() {
    let game = "input n, m: nat\ninput g: digraph\nformat n, m, g[n, m]\nprint n + m\n\
                cases for n in 1..6, g in digraphs(n), m = size(edges(g))\n";
    let folder = place("digraphs", game);
    let (code, out, err) =
        stress(&folder, &["--smallest", "20", "--random", "30"], &["sh", "-c", "read n m; echo $((n + m))"]);
    assert!(matches!(code, Some(0 | 3)), "{out}{err}");
    assert!(out.contains("and 30 at random"), "{out}{err}");
}

#[test]
fn what_stress_needs_is_told() {
    let missing = [
        ("stones", STONES, "./nothing-of-this-name"),
        ("format", "input n\nprint n\ncases for n in 1..3\n", "cat"),
        ("print", "input n\nformat n\ncases for n in 1..3\n", "cat"),
        ("cases", "input n\nformat n\nprint n\n", "cat"),
        ("none", "input n\nformat n\nprint n\ncases for n in 1..3 where n > 5\n", "cat"),
        (
            "length",
            "input n\ninput xs: list of nat\nformat n, xs[n]\nprint n\ncases for n in 2..3, xs in lists(0..1, 4)\n",
            "cat",
        ),
        ("word", "input s: text\nformat s\nprint s\ncases for s in words(\"ab\", 0..2)\n", "cat"),
    ];
    let mut told = String::new();
    for (name, game, program) in missing {
        let (code, out, err) = stress(&place(name, game), &[], &[program]);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{name}");
        told += &format!("=== {name}\n{err}");
    }
    insta::assert_snapshot!(told);
}

#[test]
fn cases_become_files_that_the_file_answers() {
    let folder = place("files", STONES);
    let output =
        grundy(&folder, &["tests", "it.game", "--into", "all", "--smallest", "20", "--random", "10", "--quiet"], b"");
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(0), "30 cases in all\n"));
    for at in 1..=30 {
        let input = fs::read(folder.join(format!("all/{at:04}.in"))).expect("an input");
        let answer = fs::read(folder.join(format!("all/{at:04}.out"))).expect("an answer");
        let numbers: Vec<i64> = text(&input).split_whitespace().map(|word| word.parse().expect("a number")).collect();
        let first = numbers[2..].iter().fold(0, |sum, heap| sum ^ heap) != 0;
        assert_eq!(text(&answer), if first { "First\n" } else { "Second\n" }, "{numbers:?}");
        assert_eq!(usize::try_from(numbers[1]).expect("a length"), numbers.len() - 2);
    }
}

#[test]
fn a_limit_ends_the_programs_too() {
    let folder = place("endless", STONES);
    let endless = program(&folder, "endless", "for (;;);", RIGHT);
    let (code, out, err) = stress(&folder, &["--time", "1s"], &[&endless]);
    assert_eq!(code, Some(3), "{out}{err}");
    assert!(out.is_empty() && err.starts_with("error[L03]"), "{out}{err}");
    // Nothing of them goes on: the file of the program can be removed and its name is in no list of processes.
    let path = folder.join("endless").display().to_string();
    let left = fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| fs::read_link(entry.path().join("exe")).is_ok_and(|exe| exe.display().to_string() == path));
    assert_eq!(left.count(), 0);
}
