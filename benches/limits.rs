//! How closely limits are kept: heavy inputs, each with the memory and the time that it may take and that it took.
//!
//! Memory is the most that was resident, as the system counts it for the process; time is that of the clock. The table
//! is the one of `docs/reliability.md`.

use nix::sys::resource::{UsageWho, getrusage};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// Said to a copy of this program that runs one command and tells what it took.
const CHILD: &str = "--child";

/// Who is one of the heaps.
const NIM: &str = "game N(n) { move t k in 1..n -> N(n - k) }\n";

struct Input {
    what: &'static str,
    command: &'static str,
    text: String,
    /// More arguments.
    more: &'static [&'static str],
}

fn input(what: &'static str, command: &'static str, text: &str, more: &'static [&'static str]) -> Input {
    Input { what, command, text: text.to_string(), more }
}

fn inputs() -> Vec<Input> {
    let nim = |rest: &str| format!("{NIM}{rest}\n");
    let wythoff = "game W(a, b) {\n  move l k in 1..a -> W(a - k, b)\n  move r k in 1..b -> W(a, b - k)\n  move d k in 1..min(a, b) -> W(a - k, b - k)\n}\n";
    let row = "game R(s: set of nat) { move t v in s -> R(s - {v, v + 1, v + 3}) }\nsolve R({0..61})\n";
    let walk = "let g = digraph(9001, [(v, (v * 7 + 3) mod 9001) for v in 0..9000] + [(v, (v * 5 + 1) mod 9001) for v in 0..9000])\n\
        game T(a: vertex of g, b: vertex of g) {\n  end when a == b: lost\n  move f w in successors(g, a) -> T(w, b)\n  move s w in successors(g, b) -> T(a, w)\n}\nsolve T(0, 1)\n";
    let clauses = (0..30_000).map(|i| format!(", x{i} = k + {i}")).collect::<Vec<_>>().concat();
    vec![
        input("a dense table", "solve", &format!("{wythoff}solve W(30000, 30000)\n"), &["--exhaustive"]),
        input("a table of the states met", "solve", row, &["--exhaustive"]),
        input("a graph of states", "solve", walk, &["--exhaustive"]),
        input("a table of entries", "table", &format!("{wythoff}table grundy(W(a, b)) for a, b in 0..9000\n"), &[]),
        input("one value of a `let`", "solve", &nim("let s = size(partitions(95))\nsolve N(s mod 5)"), &[]),
        input("a large set", "solve", &nim("let s = size(set(1..60000000))\nsolve N(s mod 5)"), &[]),
        input(
            "the moves of one position",
            "solve",
            "game M(a, b) { move t i in 1..a, j in 1..b -> M(a - i, b - j) }\nsolve M(9000, 9000)\n",
            &[],
        ),
        input("a claim", "check", &nim("claim \"c\": size(partitions(95)) > 3"), &[]),
        input(
            "a proof",
            "prove",
            &format!(
                "{wythoff}claim \"p\" for a in nat, b in nat: loses(W(a, b)) iff min(a, b) == floor(abs(a - b) * (1 + sqrt(5)) / 2)\n"
            ),
            &[],
        ),
        input("a guess", "guess", wythoff, &["grundy(W(a, b)) for a, b in 0..2000"]),
        input("heaps", "heap", "", &["0.16", "--values", "100000000"]),
        input(
            "30,000 clauses",
            "solve",
            &format!("game N(n) {{ move t k in 1..n{clauses} -> N(n - k) }}\nsolve N(9)\n"),
            &[],
        ),
    ]
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let Some(at) = arguments.iter().position(|argument| argument == CHILD) {
        return child(&arguments[at + 1..]);
    }
    let folder = std::env::temp_dir().join(format!("grundy-limits-{}", std::process::id()));
    let done = table(&folder);
    let _ = std::fs::remove_dir_all(&folder);
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// The program, built beside this one.
fn program() -> PathBuf {
    let this = std::env::current_exe().unwrap_or_default();
    this.ancestors().nth(2).unwrap_or(Path::new("")).join("grundy")
}

fn table(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    println!("| input | `--memory 200M`: MiB | exit | `--time 2s`: seconds | exit |");
    println!("|---|--:|--:|--:|--:|");
    for Input { what, command, text, more } in inputs() {
        let file = folder.join("heavy.game");
        std::fs::write(&file, text)?;
        let name = file.display().to_string();
        let named: &[&str] = if command == "heap" { &[] } else { &[&name] };
        let run = |limit: &[&str]| -> std::io::Result<Vec<String>> {
            let arguments = [&[command], named, more, limit].concat();
            let output = Command::new(std::env::current_exe()?).arg(CHILD).args(arguments).output()?;
            Ok(String::from_utf8_lossy(&output.stdout).split_whitespace().map(String::from).collect())
        };
        let (memory, time) = (run(&["--memory", "200M", "--time", "60s"])?, run(&["--time", "2s", "--memory", "8G"])?);
        let (Some([mib, _, exit]), Some([_, seconds, timed])) = (memory.first_chunk(), time.first_chunk()) else {
            return Err(std::io::Error::other(format!("{what}: the program did not run")));
        };
        println!("| {what} | {mib} | {exit} | {seconds} | {timed} |");
    }
    Ok(())
}

/// Runs the program and prints the most memory in MiB, the seconds and the exit code.
fn child(arguments: &[String]) -> ExitCode {
    let start = Instant::now();
    let status = Command::new(program()).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    let seconds = start.elapsed().as_secs_f64();
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN);
    let (Ok(status), Ok(usage)) = (status, usage) else { return ExitCode::FAILURE };
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    println!("{} {seconds:.2} {}", (usage.max_rss() * unit) >> 20, status.code().unwrap_or(-1));
    ExitCode::SUCCESS
}
