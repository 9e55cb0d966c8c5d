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
        .and_then(|_| if file == "token.game" { arcs(&folder.join("digraph.txt")) } else { Ok(()) })
        .and_then(|()| cases.map(|name| folder.join(name)).try_for_each(|path| crate::large::cases(&path)));
    made.map_err(|error| format!("{file}: {error}"))?;
    Ok(folder)
}

/// The game file of a case: of `benches/games`, or else of the collection of games.
pub(crate) fn game(case: &Case) -> PathBuf {
    let games = crate::here().join(if case.collected { "../games" } else { "games" });
    games.join(case.command[1])
}

/// A random digraph as a list of arcs, the same on every machine: one vertex in 32 is an end, the others have 1 to 20 arcs,
/// 10.2 million in all. So a third of the vertices are draws, and some are decided late.
fn arcs(path: &Path) -> std::io::Result<()> {
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
        let degree = if random(32) == 0 { 0 } else { 1 + random(20) };
        for _ in 0..degree {
            writeln!(out, "{from} {}", random(VERTICES))?;
        }
    }
    out.into_inner()?.sync_all()?;
    fs::rename(unfinished, path)
}
