//! `grundy draw`: the position of a file as a picture, or the graph of the positions that it leads to.

use crate::cli::args::{self, LimitArgs};
use crate::cli::files;
use crate::cli::output::Output;
use crate::cli::solve::StartArgs;
use crate::cli::workspace::{ANSWERED, LIMIT, Stop, Workspace};
use crate::engines::{self, PositionGraph};
use crate::figure;
use crate::report::counted;
use crate::source::{Code, Diagnostic};
use std::fmt::Write;
use std::path::PathBuf;

/// More positions are no picture that one can read.
const DRAWN: usize = 500;

/// More positions are not listed as DOT either, unless they are asked for.
const LISTED: u64 = 20_000;

#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  grundy draw nim.game heaps=[3,4,5] > nim.svg
  grundy draw wythoff.game -p 'Wythoff(3, 5)' --text
  grundy draw nim.game -p 'Nim(2) + Nim(2)' --graph > graph.svg
  grundy draw nim.game -p 'Nim(9) + Nim(9)' --dot | dot -Tpdf > graph.pdf")]
pub(crate) struct DrawArgs {
    #[command(flatten)]
    start: StartArgs,
    /// Draw the graph of the positions that it leads to; colours say who wins
    #[arg(long)]
    graph: bool,
    /// The graph in the language of Graphviz
    #[arg(long, conflicts_with = "text")]
    dot: bool,
    /// Text and no SVG
    #[arg(long)]
    text: bool,
    /// A PNG in this file, of 144 dots an inch; for programs built with `--features png`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dot", "text"])]
    png: Option<PathBuf>,
    /// At most so many positions of the graph, nearest first [default: 500, with `--dot` 20000]
    #[arg(long, value_name = "N", value_parser = args::count)]
    positions: Option<u64>,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
}

pub(super) fn run(args: &DrawArgs, workspace: &mut Workspace, out: &mut Output) -> Result<u8, Stop> {
    let (mut ctx, start) = args.start.position(&args.limits.allow_path, workspace)?;
    if !args.graph && !args.dot {
        let figure = figure::of(&mut ctx, &start);
        if args.text {
            out.text(&figure::text::figure(&figure))?;
        } else {
            picture(args, &figure::svg::figure(&figure), out)?;
        }
        return Ok(ANSWERED);
    }
    let most = args.positions.unwrap_or(if args.dot { LISTED } else { DRAWN as u64 });
    let most = usize::try_from(most).unwrap_or(usize::MAX).max(1);
    if most > DRAWN && !args.dot && !args.text {
        let error = Diagnostic::bare(Code::D06, format!("a picture has at most {DRAWN} positions"));
        return Err(error.hint("more of them: `--dot`, for Graphviz").into());
    }
    let progress = workspace.progress();
    let graph = ctx.with_recovery(|ctx| engines::position_graph(ctx, &start, most));
    drop(progress);
    let graph = graph.map_err(|error| workspace.explained(*error))?;
    let title = ctx.position_text(&start);
    let mut notes = Vec::new();
    if graph.is_cut {
        notes.push(format!("the first {most} positions; there are more"));
    }
    if graph.is_merged {
        notes.push("sums that differ in the order of their components are one position".into());
    }
    let ends = ["win", "lose", "draw"];
    let unknown = graph.nodes.iter().filter(|node| node.answer.is_none() && !ends.contains(&&*node.text)).count();
    if unknown > 0 {
        notes.push(format!("a limit came first: nothing is known of {}", counted(unknown as u64, "position")));
    }
    if args.dot {
        out.text(&dot(&title, &graph, &notes))?;
    } else if args.text {
        out.text(&listed(&graph))?;
    } else {
        picture(args, &figure::svg::positions(&title, &figure::of_graph(&graph), &notes, &|_| None), out)?;
    }
    for note in &notes {
        workspace.note(&format!("note: {note}"));
    }
    Ok(if graph.is_cut && args.positions.is_none() || unknown > 0 { LIMIT } else { ANSWERED })
}

/// Prints a picture, or writes it as PNG.
fn picture(args: &DrawArgs, svg: &str, out: &mut Output) -> Result<(), Stop> {
    let Some(path) = &args.png else { return out.text(svg) };
    let bytes = png(svg).map_err(|why| Diagnostic::bare(Code::D03, format!("no PNG can be made: {why}")))?;
    Ok(files::write(path, &bytes)?)
}

/// An SVG picture as PNG, twice as large. resvg draws: its fonts and shapes are most of what a build with it takes, so it is left out of
/// others.
#[cfg(feature = "png")]
fn png(svg: &str) -> Result<Vec<u8>, String> {
    use resvg::{tiny_skia, usvg};

    const SCALE: f32 = 2.0;
    let mut options = usvg::Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_system_fonts();
    // The first that is there of what most systems have, or any.
    let usual = ["DejaVu Sans", "Liberation Sans", "Noto Sans", "Arial", "Helvetica"];
    let names: Vec<String> = fonts.faces().flat_map(|face| &face.families).map(|(name, _)| name.clone()).collect();
    let name = usual.iter().find(|name| names.iter().any(|known| known == *name)).map(ToString::to_string);
    let name = name.or_else(|| names.first().cloned()).ok_or("the system has no fonts")?;
    fonts.set_sans_serif_family(&name);
    options.font_family = name;
    let tree = usvg::Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
    let size = tree.size().to_int_size().scale_by(SCALE).ok_or("the picture has no size")?;
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height()).ok_or("it is too large")?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| error.to_string())
}

#[cfg(not(feature = "png"))]
fn png(_: &str) -> Result<Vec<u8>, String> {
    Err("this program was built without it; `cargo install --locked --path . --features png` builds one with it".into())
}

/// The graph in the language of Graphviz.
fn dot(title: &str, graph: &PositionGraph, notes: &[String]) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut out = format!("digraph {} {{\n", quoted(title));
    for note in notes {
        let _ = writeln!(out, "  // {note}");
    }
    out.push_str("  node [shape=box, style=\"rounded,filled\", fillcolor=white];\n");
    let drawing = figure::of_graph_places(graph, false);
    for (at, vertex) in drawing.vertices.iter().enumerate() {
        let colour = match vertex.look {
            figure::Look::First => "palegreen",
            figure::Look::Second => "lightsalmon",
            figure::Look::Draw => "lightgrey",
            _ => "white",
        };
        let label =
            if vertex.note.is_empty() { vertex.label.clone() } else { format!("{}\n{}", vertex.label, vertex.note) };
        let label = quoted(&label).replace('\n', "\\n");
        let _ = writeln!(out, "  p{at} [label={label}, fillcolor={colour}];");
    }
    for (from, to, text) in &graph.arcs {
        let _ = writeln!(out, "  p{from} -> p{to} [label={}];", quoted(text));
    }
    out.push_str("}\n");
    out
}

/// A line for each position: it, what is known of it, and its moves.
fn listed(graph: &PositionGraph) -> String {
    let mut out = String::new();
    let drawing = figure::of_graph_places(graph, false);
    let mut moves = vec![Vec::new(); graph.nodes.len()];
    for (from, to, text) in &graph.arcs {
        moves[*from].push(format!("{text} -> {}", graph.nodes[*to].short));
    }
    for ((vertex, node), moves) in drawing.vertices.iter().zip(&graph.nodes).zip(moves) {
        let note = if vertex.note.is_empty() { String::new() } else { format!(" ({})", vertex.note) };
        let moves = if moves.is_empty() { String::new() } else { format!(": {}", moves.join(", ")) };
        let _ = writeln!(out, "{}{note}{moves}", node.short);
    }
    out
}
