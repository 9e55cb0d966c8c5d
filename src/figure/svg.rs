//! Figures as SVG pictures, on light and on dark backgrounds.

use crate::figure::arcs::{self, Curve};
use crate::figure::{Cell, Drawing, Figure, Look, Shape, Vertex};
use crate::report::picture::{attribute, escaped, head};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// The side of a place, and of the room that a stone has.
const SIDE: usize = 28;
const STONE: usize = 16;

/// So many stones stand above each other, and so many places beside each other.
const HIGH: usize = 20;
const PLACES: usize = 32;

/// The margin, and the width up to which components stand beside each other.
const EDGE: usize = 16;
const WIDE: usize = 760;

/// Arcs have their names up to so many; more cannot be told apart.
const NAMED: usize = 60;

/// The width of a letter.
const LETTER: usize = 8;

/// Colours by class besides those of all pictures, for a light background and for a dark one.
const STYLE: &str = "\
.p{fill:none;stroke:#b5b5bf}.w{fill:#5c5c66}.o{fill:#33658a}.m{fill:#d1495b}\
.l{paint-order:stroke;stroke:#fff;stroke-width:3}.e{stroke:#1b1b1f;fill:none}.g{stroke:#b5b5bf;fill:none;stroke-dasharray:3}.h{fill:#1b1b1f}\
.v{fill:#fff;stroke:#1b1b1f}.vo{fill:#a9cbe8;stroke:#1b1b1f}.vm{fill:#f2a7af;stroke:#1b1b1f}\
.vf{fill:#bfe3c0;stroke:#1b1b1f}.vs{fill:#f6c6c0;stroke:#1b1b1f}.vd{fill:#e2e2ea;stroke:#1b1b1f}\
@media(prefers-color-scheme:dark){.l{stroke:#17171c}.p{stroke:#5a5a66}.w{fill:#9a9aa6}.o{fill:#7fb2d9}.m{fill:#ff8a8a}\
.e{stroke:#e8e8ee}.g{stroke:#5a5a66}.h{fill:#e8e8ee}.v{fill:#17171c;stroke:#e8e8ee}.vo{fill:#2d5575;stroke:#e8e8ee}\
.vm{fill:#8a2f3c;stroke:#e8e8ee}.vf{fill:#1f5130;stroke:#e8e8ee}.vs{fill:#6b2a2a;stroke:#e8e8ee}.vd{fill:#3a3a44;stroke:#e8e8ee}}";

/// Something drawn, from the corner (0, 0) on.
struct Drawn {
    width: usize,
    height: usize,
    svg: String,
}

/// The picture of a figure. `O(size)`.
pub fn figure(figure: &Figure) -> String {
    let mut blocks = Vec::new();
    let mut line: Option<Drawn> = None;
    for part in &figure.parts {
        let mut column = words(&part.title, "t");
        for (name, shape) in &part.shapes {
            let drawn = self::shape(shape);
            let named = part.shapes.len() > 1 && !name.is_empty();
            column = below(&column, &if named { beside(&words(name, "s"), &drawn, 48) } else { drawn });
        }
        // Components stand beside each other for as long as there is room.
        line = Some(match line.take() {
            Some(before) if before.width + column.width + 2 * EDGE <= WIDE => beside(&before, &column, 0),
            before => {
                blocks.extend(before);
                column
            }
        });
    }
    blocks.extend(line);
    blocks.extend(figure.notes.iter().map(|note| words(note, "s")));
    let title: Vec<&str> = figure.parts.iter().map(|part| &*part.title).collect();
    page(&title.join(" + "), blocks)
}

/// The picture of a graph of positions, with what its colours mean; each vertex leads to what `leads` says, if anything.
pub fn positions(title: &str, drawing: &Drawing, notes: &[String], leads: &dyn Fn(usize) -> Option<String>) -> String {
    let mut blocks = vec![words(title, "t"), legend(), graph(drawing, leads)];
    blocks.extend(notes.iter().map(|note| words(note, "s")));
    page(title, blocks)
}

fn page(title: &str, blocks: Vec<Drawn>) -> String {
    let width = blocks.iter().map(|block| block.width).max().unwrap_or(0) + 2 * EDGE;
    let height = blocks.iter().map(|block| block.height + EDGE / 2).sum::<usize>() + 2 * EDGE;
    let mut out = head(width, height, title);
    let _ = writeln!(out, "<style>{STYLE}</style>");
    let mut y = EDGE;
    for block in blocks {
        let _ = writeln!(out, "<g transform=\"translate({EDGE} {y})\">{}</g>", block.svg);
        y += block.height + EDGE / 2;
    }
    out.push_str("</svg>\n");
    out
}

fn words(text: &str, class: &str) -> Drawn {
    let svg = format!("<text class=\"{class}\" y=\"14\">{}</text>", escaped(text));
    Drawn { width: text.width() * LETTER, height: 18, svg }
}

fn below(top: &Drawn, bottom: &Drawn) -> Drawn {
    let y = top.height + EDGE / 2;
    Drawn {
        width: top.width.max(bottom.width),
        height: y + bottom.height,
        svg: format!("{}<g transform=\"translate(0 {y})\">{}</g>", top.svg, bottom.svg),
    }
}

/// Both, the left one at least so wide.
fn beside(left: &Drawn, right: &Drawn, least: usize) -> Drawn {
    let x = left.width.max(least) + EDGE;
    Drawn {
        width: x + right.width,
        height: left.height.max(right.height),
        svg: format!("{}<g transform=\"translate({x} 0)\">{}</g>", left.svg, right.svg),
    }
}

fn shape(shape: &Shape) -> Drawn {
    match shape {
        Shape::Heap(n) => heaps(&[(String::new(), *n)]),
        Shape::Heaps(named) => heaps(named),
        Shape::Row(base, cells) => {
            let rows: Vec<&[Cell]> = cells.chunks(PLACES).collect();
            places(&rows, &|row, column| (*base + at(row * PLACES + column)).to_string(), true)
        }
        Shape::Board(cells) => board(cells),
        Shape::Graph(drawing) => drawing.as_board().map_or_else(|| graph(drawing, &|_| None), |cells| board(&cells)),
        Shape::Written(text) => words(text, ""),
    }
}

fn board(board: &[Vec<Cell>]) -> Drawn {
    let rows: Vec<&[Cell]> = board.iter().map(|row| &row[..]).collect();
    places(&rows, &|_, _| String::new(), false)
}

fn at(place: usize) -> i64 {
    i64::try_from(place).unwrap_or(i64::MAX)
}

/// Stones on top of each other, the number below; a large heap is a bar with its number.
fn heaps(heaps: &[(String, u64)]) -> Drawn {
    /// So many heaps stand beside each other.
    const WIDE: usize = 24;

    let rows: Vec<&[(String, u64)]> = heaps.chunks(WIDE).collect();
    let (mut svg, mut y, mut width) = (String::new(), 0, 0);
    for row in rows {
        let large = row.iter().any(|(_, heap)| *heap > 3 * HIGH as u64);
        let columns = |heap: u64| usize::try_from(heap.div_ceil(HIGH as u64)).unwrap_or(1).max(1);
        let most = row.iter().map(|(_, heap)| *heap).max().unwrap_or(0);
        let high = usize::try_from(most.min(HIGH as u64)).unwrap_or(HIGH).max(1);
        let bottom = y + high * STONE;
        let mut x = 0;
        for (name, heap) in row {
            let wide = if large { 2 } else { columns(*heap) };
            let text = heap.to_string();
            // The number has room below.
            let room = (wide * STONE).max(text.len() * LETTER).max(name.width() * 7);
            let start = x;
            x += (room - wide * STONE) / 2;
            if large {
                let part = u128::from(*heap) * (high * STONE) as u128 / u128::from(most.max(1));
                let tall = usize::try_from(part).unwrap_or(0);
                let _ = write!(
                    svg,
                    "<rect class=\"o\" x=\"{x}\" y=\"{}\" width=\"{}\" height=\"{tall}\"/>",
                    bottom - tall,
                    2 * STONE - 4
                );
            } else {
                for stone in 0..usize::try_from(*heap).unwrap_or(0) {
                    let (column, up) = (stone / HIGH, stone % HIGH);
                    let _ = write!(
                        svg,
                        "<circle class=\"o\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
                        x + column * STONE + STONE / 2,
                        bottom - up * STONE - STONE / 2,
                        STONE / 2 - 1
                    );
                }
            }
            let middle = x + wide * STONE / 2;
            let _ = write!(svg, "<text text-anchor=\"middle\" x=\"{middle}\" y=\"{}\">{text}</text>", bottom + 16);
            if !name.is_empty() {
                // A number alone would be taken for a size.
                let mark = if name.starts_with(|first: char| first.is_ascii_digit()) { "#" } else { "" };
                let _ = write!(
                    svg,
                    "<text class=\"s\" text-anchor=\"middle\" x=\"{middle}\" y=\"{}\">{mark}{}</text>",
                    bottom + 29,
                    escaped(name)
                );
            }
            x = start + room + STONE;
        }
        width = width.max(x);
        y = bottom + 34;
    }
    Drawn { width, height: y.max(STONE), svg }
}

/// Rows of squares; `number` is written below each where `below`, else rows and columns are numbered.
fn places(rows: &[&[Cell]], number: &dyn Fn(usize, usize) -> String, below: bool) -> Drawn {
    let columns = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    let longest = rows.iter().flat_map(|row| row.iter());
    let longest = longest.map(|cell| if let Cell::Text(text) = cell { text.width() } else { 1 }).max().unwrap_or(1);
    let side = SIDE.max(longest * LETTER + 8);
    let (left, top, step) = if below { (0, 0, SIDE + 16) } else { (24, 16, SIDE) };
    let mut svg = String::new();
    let small = |svg: &mut String, x: usize, y: usize, text: &str| {
        let _ = write!(svg, "<text class=\"s\" text-anchor=\"middle\" x=\"{x}\" y=\"{y}\">{text}</text>");
    };
    if !below {
        (0..columns).for_each(|c| small(&mut svg, left + c * side + side / 2, 11, &c.to_string()));
    }
    for (r, row) in rows.iter().enumerate() {
        let y = top + r * step;
        if !below {
            small(&mut svg, 10, y + 18, &r.to_string());
        }
        for (c, cell) in row.iter().enumerate() {
            let x = left + c * side;
            let class = if *cell == Cell::Wall { "w" } else { "p" };
            let _ = write!(svg, "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{SIDE}\"/>");
            let (cx, cy) = (x + side / 2, y + SIDE / 2);
            let _ = match cell {
                Cell::Stone => write!(svg, "<circle class=\"o\" cx=\"{cx}\" cy=\"{cy}\" r=\"9\"/>"),
                Cell::Token => write!(svg, "<path class=\"m\" d=\"M{cx} {}l10 10l-10 10l-10 -10z\"/>", cy - 10),
                Cell::Text(text) => {
                    write!(svg, "<text text-anchor=\"middle\" x=\"{cx}\" y=\"{}\">{}</text>", cy + 5, escaped(text))
                }
                Cell::Empty | Cell::Wall => Ok(()),
            };
            if below {
                small(&mut svg, cx, y + SIDE + 11, &number(r, c));
            }
        }
    }
    Drawn { width: left + columns * side + 2, height: top + rows.len() * step + 4, svg }
}

/// What the colours of a graph of positions mean.
fn legend() -> Drawn {
    let mut svg = String::new();
    let mut x = 0;
    for (class, text) in [("vf", "N: the next player wins"), ("vs", "P: the previous player wins"), ("vd", "D: a draw")]
    {
        let _ = write!(svg, "<rect class=\"{class}\" x=\"{x}\" y=\"3\" width=\"14\" height=\"14\"/>");
        let _ = write!(svg, "<text class=\"s\" x=\"{}\" y=\"14\">{text}</text>", x + 19);
        x += 30 + text.len() * 6;
    }
    Drawn { width: x, height: 20, svg }
}

/// Vertices with their labels, edges as lines, arcs with heads and names.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)] // places are small
fn graph(drawing: &Drawing, leads: &dyn Fn(usize) -> Option<String>) -> Drawn {
    let wide = |vertex: &Vertex| vertex.label.width().max(vertex.note.width() * 4 / 5);
    let longest = drawing.vertices.iter().map(wide).max().unwrap_or(1);
    let half = (longest * LETTER / 2 + 6).max(14);
    let named = drawing.edges.len() <= NAMED && drawing.edges.iter().any(|edge| !edge.3.is_empty());
    let (across, down) = ((2 * half + 24).max(56) as f64, if named { 84.0 } else { 60.0 });
    // Loops stand above their vertices.
    let top = if drawing.edges.iter().any(|(u, v, ..)| u == v) { 42.0 } else { 24.0 };
    let point = |(x, y): (f64, f64)| ((x * across).floor() + half as f64 + 4.0, (y * down).floor() + top);
    let place = |v: usize| point(drawing.layout.places[v]);
    let mut svg = String::new();
    let mut curves: Vec<(Curve, &str)> = Vec::new();
    for (edge, (u, v, look, text)) in drawing.edges.iter().enumerate() {
        let ((x, y), (to_x, to_y)) = (place(*u), place(*v));
        let class = if *look == Look::Gone { "g" } else { "e" };
        let title = if text.is_empty() { String::new() } else { format!("<title>{}</title>", escaped(text)) };
        if u == v {
            let _ = write!(svg, "<path class=\"{class}\" d=\"M{x} {}c-30 -34 30 -34 0 0\">{title}</path>", y - 12.0);
            continue;
        }
        let mut points = vec![(x, y)];
        points.extend(drawing.layout.bends[edge].iter().map(|bend| point(*bend)));
        // Several between the same vertices do not lie on each other.
        let between = |(a, b, ..): &&(usize, usize, Look, String)| (a, b) == (u, v) || (a, b) == (v, u);
        let same = if drawing.directed { 1 } else { drawing.edges.iter().filter(between).count() };
        if same > 1 {
            let nth = drawing.edges[..edge].iter().filter(between).count();
            let bend = (nth as f64 - (same - 1) as f64 / 2.0) * 15.0;
            let (dx, dy) = if u < v { (to_x - x, to_y - y) } else { (x - to_x, y - to_y) };
            let far = dx.hypot(dy).max(1.0);
            points.push((x.midpoint(to_x) - dy / far * bend, y.midpoint(to_y) + dx / far * bend));
        }
        points.push((to_x, to_y));
        let mut curve = Curve::through(points);
        let (dx, dy) = curve.direction();
        // It ends at the oval of the vertex.
        curve.shorten(1.0 / (dx / half as f64).hypot(dy / 14.0));
        let straight = same == 1 && drawing.layout.bends[edge].is_empty();
        let mut way = format!("M{} {}", x as i64, y as i64);
        for [_, (a, b), (c, d), (x, y)] in curve.parts() {
            let [a, b, c, d, x, y] = [a, b, c, d, x, y].map(|at| at as i64);
            let _ = if straight { write!(way, "L{x} {y}") } else { write!(way, "C{a} {b} {c} {d} {x} {y}") };
        }
        let _ = write!(svg, "<path class=\"{class}\" d=\"{way}\">{title}</path>");
        if drawing.directed {
            let (x, y) = curve.end();
            let (left, right) = (
                (x - 8.0 * dx - 4.0 * dy, y - 8.0 * dy + 4.0 * dx),
                (x - 8.0 * dx + 4.0 * dy, y - 8.0 * dy - 4.0 * dx),
            );
            let corners = [x, y, left.0, left.1, right.0, right.1].map(|at| at as i64);
            let [x, y, a, b, c, d] = corners;
            let _ = write!(svg, "<path class=\"h\" d=\"M{x} {y}L{a} {b}L{c} {d}z\"/>");
        }
        curves.push((curve, if named { text } else { "" }));
    }
    // Names stand above all else.
    let mut names = String::new();
    let (mut least, mut most) = (0.0_f64, 0.0_f64);
    if named {
        let taken = drawing.vertices.iter().enumerate().flat_map(|(v, vertex)| {
            let ((x, y), half) = (place(v), half as f64);
            let note = vertex.note.width() as f64 * 3.0;
            [(x - half, y - 15.0, x + half, y + 15.0), (x - note, y + 14.0, x + note, y + 29.0)]
        });
        let wanted: Vec<(&Curve, usize)> = curves.iter().map(|(curve, text)| (curve, text.width())).collect();
        for (place, (_, text)) in arcs::names(&wanted, taken.collect()).into_iter().zip(&curves) {
            let Some(place) = place else { continue };
            let (left, _, right, _) = place.room(text.width());
            (least, most) = (least.min(left), most.max(right));
            let anchor = if place.ends { " text-anchor=\"end\"" } else { "" };
            let (x, y) = (place.base.0 as i64, place.base.1 as i64);
            let _ = write!(names, "<text class=\"s l\"{anchor} x=\"{x}\" y=\"{y}\">{}</text>", escaped(text));
        }
    }
    let (mut width, mut height) = (most as usize, 0);
    for (v, vertex) in drawing.vertices.iter().enumerate() {
        let (x, y) = (place(v).0 as usize, place(v).1 as usize);
        let class = match vertex.look {
            Look::Plain | Look::Gone => "v",
            Look::Marked => "vo",
            Look::Token => "vm",
            Look::First => "vf",
            Look::Second => "vs",
            Look::Draw => "vd",
        };
        let label = escaped(&vertex.label);
        let to = leads(v);
        if let Some(to) = &to {
            let _ = write!(svg, "<a href=\"{}\">", attribute(to));
        }
        let _ = write!(
            svg,
            "<ellipse class=\"{class}\" cx=\"{x}\" cy=\"{y}\" rx=\"{half}\" ry=\"14\"/>\
             <text text-anchor=\"middle\" x=\"{x}\" y=\"{}\">{label}</text>",
            y + 5
        );
        if !vertex.note.is_empty() {
            let _ = write!(
                svg,
                "<text class=\"s l\" text-anchor=\"middle\" x=\"{x}\" y=\"{}\">{}</text>",
                y + 26,
                escaped(&vertex.note)
            );
        }
        if to.is_some() {
            svg.push_str("</a>");
        }
        width = width.max(x + half + 4);
        height = height.max(y + 34);
    }
    let left = (-least) as usize;
    Drawn { width: width + left, height, svg: format!("<g transform=\"translate({left} 0)\">{svg}{names}</g>") }
}
