//! The folder where the programs run: copies of the game files, and the data they read.

use crate::cases::Case;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Vertices of the digraph in `digraph.txt`.
const VERTICES: u64 = 1_000_000;

/// Where everything that the bench makes lies.
pub(crate) fn work() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("rivals")
}

/// The folder, with the game file of a case and its data in it.
pub(crate) fn folder(case: &Case) -> Result<PathBuf, String> {
    let folder = work();
    let file = case.command[1];
    let cases = case.command.iter().filter(|argument| Path::new(argument).extension() == Some("jsonl".as_ref()));
    let made = fs::create_dir_all(&folder)
        .and_then(|()| fs::copy(game(case), folder.join(file)))
        .and_then(|_| match file {
            "token.game" => digraph(&folder.join("digraph.txt"), arcs),
            "read.game" => numbers(&folder.join("numbers.txt")),
            "token_dag.game" => digraph(&folder.join("dag.txt"), onward),
            _ => Ok(()),
        })
        .and_then(|()| cases.map(|name| folder.join(name)).try_for_each(|path| crate::large::cases(&path)));
    made.map_err(|error| format!("{file}: {error}"))?;
    Ok(folder)
}

/// The game file of a case: of `benches/games`, or else of the collection of games.
pub(crate) fn game(case: &Case) -> PathBuf {
    let games = crate::here().join(if case.collected { "../games" } else { "games" });
    games.join(case.command[1])
}

/// 10^6 and so many numbers up to 10^9, the same on every machine.
fn numbers(path: &Path) -> std::io::Result<()> {
    const COUNT: u64 = 1_000_000;
    let text: Vec<String> = (1..=COUNT).map(|n| (n * 7_368_787 % 1_000_000_007).to_string()).collect();
    fs::write(path, format!("{COUNT}\n{}\n", text.join(" ")))
}

/// A random digraph as a list of arcs, the same on every machine: one vertex in 32 is an end, the others have as many arcs as
/// `ends` gives them.
fn digraph(path: &Path, ends: fn(u64, &mut dyn FnMut(u64) -> u64) -> Vec<u64>) -> std::io::Result<()> {
    if path.exists() {
        return Ok(());
    }
    let unfinished = path.with_extension("part");
    let mut out = BufWriter::new(File::create(&unfinished)?);
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut random = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) % below
    };
    for from in 0..VERTICES {
        if random(32) == 0 {
            continue;
        }
        for to in ends(from, &mut random) {
            writeln!(out, "{from} {to}")?;
        }
    }
    out.into_inner()?.sync_all()?;
    fs::rename(unfinished, path)
}

/// 1 to 20 arcs to anywhere, 10.2 million in all. So a third of the vertices are draws, and some are decided late.
fn arcs(_: u64, random: &mut dyn FnMut(u64) -> u64) -> Vec<u64> {
    (0..=random(20)).map(|_| random(VERTICES)).collect()
}

/// 1 to 8 arcs, each to one of the next thousand vertices, 4.4 million in all: no cycles, and plays of thousands of moves.
fn onward(from: u64, random: &mut dyn FnMut(u64) -> u64) -> Vec<u64> {
    let next = (VERTICES - 1 - from).min(1000);
    if next == 0 { Vec::new() } else { (0..=random(8)).map(|_| from + 1 + random(next)).collect() }
}
