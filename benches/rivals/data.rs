//! The folder where the programs run: copies of the game files, and the data they read.

use crate::cases::Case;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Vertices and arcs of the digraph in `arcs.txt`.
const VERTICES: u64 = 1_000_000;
const ARCS: u64 = 10_000_000;

/// Where everything that the bench makes lies.
pub(crate) fn work() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("rivals")
}

/// The folder, with the game file of a case and its data in it.
pub(crate) fn folder(case: &Case) -> Result<PathBuf, String> {
    let folder = work();
    let file = case.command[1];
    let made = fs::create_dir_all(&folder)
        .and_then(|()| fs::copy(crate::here().join("games").join(file), folder.join(file)))
        .and_then(|_| if file == "token.game" { arcs(&folder.join("arcs.txt")) } else { Ok(()) });
    made.map_err(|error| format!("{file}: {error}"))?;
    Ok(folder)
}

/// A random digraph as a list of arcs. The out-degrees of the vertices after 0 are geometric, so that there are many ends
/// and many vertices that are decided late; vertex 0 takes the arcs that are left. The same on every machine.
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
    let mut left = ARCS;
    let mut from = 1;
    while left > 0 {
        // A vertex goes on with probability 10 / 11, which makes 10 arcs a vertex on average.
        if random(11) == 0 {
            from += 1;
            if from == VERTICES {
                break;
            }
        } else {
            writeln!(out, "{from} {}", random(VERTICES))?;
            left -= 1;
        }
    }
    for _ in 0..left.clamp(3, 20) {
        writeln!(out, "0 {}", random(VERTICES))?;
    }
    out.into_inner()?.sync_all()?;
    fs::rename(unfinished, path)
}
