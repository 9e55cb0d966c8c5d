//! Large inputs for the games with closed forms: files of cases, the same on every machine.

use std::fmt::Display;
use std::fs::File;
use std::io::{BufWriter, Result, Write};
use std::path::Path;

/// Vertices of each digraph of flip.
const VERTICES: u64 = 100_000;
/// Edges of each multigraph of Hackenbush, and heaps of Nim.
const MILLION: u64 = 1_000_000;
/// Rows and columns of each grid.
const SIDE: u64 = 1000;

/// Writes the cases of that file name, if they are not there yet.
pub(crate) fn cases(path: &Path) -> Result<()> {
    if path.exists() {
        return Ok(());
    }
    let unfinished = path.with_extension("part");
    let mut out = BufWriter::new(File::create(&unfinished)?);
    let random = &mut Random(0x9E37_79B9_7F4A_7C15);
    match path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default() {
        "flip" => flip(&mut out, random),
        "hackenbush_tree" => hackenbush(&mut out, (1..=MILLION).map(|v| (random.below(v), v))),
        "hackenbush_dense" => hackenbush(&mut out, (0..MILLION).map(|_| (random.below(2000), random.below(2000)))),
        "hackenbush_path" => hackenbush(&mut out, (0..MILLION).map(|v| (v, v + 1))),
        "hackenbush_cactus" => hackenbush(&mut out, cactus(random).into_iter()),
        "nim" => writeln!(out, "{{\"heaps\": {}}}", list((0..MILLION).map(|_| random.bits() >> 1))),
        "wythoff" => (0..3800).try_for_each(|_| wythoff(&mut out, random)),
        grid => grid.trim_start_matches("grid_").parse().map_or(Ok(()), |blocked| cells(&mut out, random, blocked)),
    }?;
    out.into_inner()?.sync_all()?;
    std::fs::rename(unfinished, path)
}

/// The generator of G. Marsaglia, "Xorshift RNGs", J. Stat. Softw. 8 (2003), with a product to mix.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, bound: u64) -> u64 {
        (self.bits() >> 20) % bound
    }
}

fn list(items: impl Iterator<Item = impl Display>) -> String {
    let items: Vec<String> = items.map(|item| item.to_string()).collect();
    format!("[{}]", items.join(", "))
}

fn pairs(pairs: impl Iterator<Item = (u64, u64)>) -> String {
    list(pairs.map(|(u, v)| format!("[{u}, {v}]")))
}

/// Five shapes, three digraphs each; of each shape one with all vertices black and two with random colours.
fn flip(out: &mut impl Write, random: &mut Random) -> Result<()> {
    const N: u64 = VERTICES;
    const HALF: u64 = N / 2;
    for shape in 0..5 {
        for colours in 0..3 {
            let mut arcs: Vec<(u64, u64)> = match shape {
                // A random digraph without cycles.
                0 => (0..2 * N).map(|_| (random.below(N), random.below(N))).filter(|(u, v)| u != v).collect(),
                // One strong component: a ring and chords.
                1 => {
                    (0..N).map(|v| (v, (v + 1) % N)).chain((0..N).map(|_| (random.below(N), random.below(N)))).collect()
                }
                // A deep path of double arcs.
                2 => (1..N).flat_map(|v| [(v - 1, v); 2]).collect(),
                // A chain of diamonds.
                3 => (0..N - 3)
                    .step_by(3)
                    .flat_map(|v| [(v, v + 1), (v, v + 2), (v + 1, v + 3), (v + 2, v + 3)])
                    .collect(),
                // Two rings, one with chords.
                _ => {
                    let rings = (0..HALF).flat_map(|v| [(v, (v + 1) % HALF), (HALF + v, HALF + (v + 1) % HALF)]);
                    rings.chain((0..N).map(|_| (random.below(HALF), random.below(HALF)))).collect()
                }
            };
            if shape == 0 {
                for (u, v) in &mut arcs {
                    (*u, *v) = ((*u).min(*v), (*u).max(*v));
                }
            }
            let colours = (0..N).map(|_| if colours == 0 { 1 } else { random.below(2) });
            writeln!(out, "{{\"n\": {N}, \"edges\": {}, \"colors\": {}}}", pairs(arcs.into_iter()), list(colours))?;
        }
    }
    Ok(())
}

fn hackenbush(out: &mut impl Write, edges: impl Iterator<Item = (u64, u64)>) -> Result<()> {
    writeln!(out, "{{\"edges\": {}, \"ground\": [0]}}", pairs(edges))
}

/// Rings of two to five edges, each hung on a random vertex of those before it.
fn cactus(random: &mut Random) -> Vec<(u64, u64)> {
    let mut edges = Vec::new();
    let mut last = 0;
    while (edges.len() as u64) < MILLION {
        let base = random.below(last + 1);
        let mut from = base;
        for _ in 0..=random.below(4) {
            last += 1;
            edges.push((from, last));
            from = last;
        }
        edges.push((from, base));
    }
    edges
}

fn wythoff(out: &mut impl Write, random: &mut Random) -> Result<()> {
    const FAR: u64 = 1_000_000_000_000_000_000;
    let mut heap = || FAR - 1000 * MILLION + (random.bits() % (2000 * MILLION));
    writeln!(out, "{{\"a\": {}, \"b\": {}}}", heap(), heap())
}

fn cells(out: &mut impl Write, random: &mut Random, blocked: u64) -> Result<()> {
    let mut cell = || if random.below(100) < blocked { '#' } else { '.' };
    let rows = (0..SIDE).map(|_| format!("\"{}\"", (0..SIDE).map(|_| cell()).collect::<String>()));
    writeln!(out, "{{\"rows\": {}}}", list(rows))
}
