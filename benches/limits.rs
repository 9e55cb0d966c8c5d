//! How closely limits are kept: heavy inputs, each with the memory and the time that it may take and that it took.
//!
//! Memory is the most that was resident, as the system counts it for the process; time is that of the clock. The table
//! is the one of `docs/reliability.md`.

mod child;

use crate::child::{Used, is_child, run};
use std::path::Path;
use std::process::ExitCode;

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
    if let Some(code) = is_child() {
        return code;
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

fn table(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    println!("| input | `--memory 200M`: MiB | exit | `--time 2s`: seconds | exit |");
    println!("|---|--:|--:|--:|--:|");
    for Input { what, command, text, more } in inputs() {
        let file = folder.join("heavy.game");
        std::fs::write(&file, text)?;
        let name = file.display().to_string();
        let named: &[&str] = if command == "heap" { &[] } else { &[&name] };
        let within = |limit: &[&str]| run(&[&[command], named, more, limit].concat());
        let Used { mib, exit, .. } = within(&["--memory", "200M", "--time", "60s"])?;
        let Used { seconds, exit: timed, .. } = within(&["--time", "2s", "--memory", "8G"])?;
        println!("| {what} | {mib} | {exit} | {seconds:.2} | {timed} |");
    }
    Ok(())
}
