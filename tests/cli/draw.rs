//! `grundy draw`: every position has a figure, pictures are well-formed, the graph of positions is the one of the rules.

use super::super::program::{run, stdout};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

const NIM: &str = "game Nim(n) {\n  move take k in 1..n -> Nim(n - k)\n}\nsolve Nim(2) + Nim(2)\n";

fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in ["tests/corpus", "games"] {
        let entries = fs::read_dir(folder).expect("a folder of games").map(|entry| entry.expect("an entry").path());
        files.extend(entries.filter(|path| path.extension().is_some_and(|ending| ending == "game")));
    }
    files.sort();
    files
}

fn drawn(path: &PathBuf, option: Option<&str>) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_grundy")).arg("draw").arg(path).args(option).output();
    let output = output.expect("it runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn every_position_of_the_corpus_has_a_figure() {
    let mut all = String::new();
    for path in files() {
        let (code, text, error) = drawn(&path, Some("--text"));
        let told = if code == Some(0) { text } else { error.lines().next().unwrap_or_default().to_string() + "\n" };
        assert!(!told.trim().is_empty(), "{}", path.display());
        // What takes more lines than a screen is looked at by its first lines.
        let lines: Vec<&str> = told.lines().take(20).collect();
        writeln!(all, "== {}\n{}\n", path.display(), lines.join("\n")).expect("to a text nothing fails");
    }
    insta::with_settings!({ prepend_module_to_snapshot => true }, { insta::assert_snapshot!(all) });
}

/// Whether all elements of a picture end where they should.
fn well_formed(svg: &str) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = svg;
    while let Some(at) = rest.find('<') {
        let text = &rest[..at];
        if text.contains('&') && !text.contains("&lt;") && !text.contains("&gt;") && !text.contains("&amp;") {
            return Err(format!("an & stands alone in `{text}`"));
        }
        let end = rest[at..].find('>').ok_or("a tag has no end")? + at;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name) {
                return Err(format!("</{name}> ends nothing"));
            }
        } else if !tag.ends_with('/') {
            open.push(tag.split_whitespace().next().unwrap_or_default());
        }
        if tag.matches('"').count() % 2 == 1 {
            return Err(format!("a quote is missing in <{tag}>"));
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("{open:?} have no end")) }
}

#[test]
fn pictures_are_well_formed() {
    for path in files() {
        let (code, svg, _) = drawn(&path, None);
        if code == Some(0) {
            well_formed(&svg).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{}", path.display());
        }
    }
    let odd = "game G(s: text) {\n  move t -> G(\"<&>\")\n}\nsolve G(\"<&\\\"'>\")\n";
    well_formed(&stdout(odd, &["draw"])).expect("letters of markup are written");
    well_formed(&stdout(NIM, &["draw", "--graph"])).expect("a graph");
    assert!(well_formed("<a><b></a></b>").is_err() && well_formed("<a>").is_err());
}

#[test]
fn the_graph_of_positions_is_that_of_the_rules() {
    // All pairs of heaps up to 2, in any order; the nim-sum is 0 at three of them, and the arcs are counted by hand.
    let dot = stdout(NIM, &["draw", "--dot"]);
    let nodes: Vec<&str> = dot.lines().filter(|line| line.contains("[label=") && !line.contains("->")).collect();
    assert_eq!(nodes.len(), 6, "{dot}");
    assert_eq!(nodes.iter().filter(|node| node.contains("lightsalmon")).count(), 3, "{dot}");
    for a in 0..=2 {
        for b in 0..=a {
            let told = [(a, b), (b, a)].map(|(a, b)| format!("label=\"{a} + {b}\\n{}\"", a ^ b));
            let one = |told: &String| nodes.iter().filter(|node| node.contains(told)).count();
            assert_eq!(told.iter().map(one).sum::<usize>(), 1 + usize::from(a == b), "{told:?}: {dot}");
        }
    }
    assert_eq!(dot.lines().filter(|line| line.contains("->")).count(), 9, "{dot}");
    // Several moves between two positions are named together, with `again` and points; positions that differ look so.
    let points = "game P(c: list of int) {\n  move left where c != [] -> again P(c[1..]) gain first(c)\n  \
                  move right where size(c) > 1 -> again P(c[..size(c) - 2]) gain last(c)\n}\nsolve P([6, 6])\n";
    let listed = stdout(points, &["draw", "--graph", "--text"]);
    assert!(listed.contains("left again gain 6, right again gain 6 -> P([6])"), "{listed}");
    let params = "game B[m](n) {\n  move take k in 1..min(n, m) -> B(n - k)\n}\n\
                  game A(n) {\n  move one -> B[1](n)\n  move two -> B[2](n)\n}\nsolve A(1)\n";
    let listed = stdout(params, &["draw", "--graph", "--text"]);
    assert!(listed.contains("one -> B[1](1), two -> B[2](1)") && listed.contains("\nB[2](1) (1): "), "{listed}");
    // In a picture and in text there are as many.
    let svg = stdout(NIM, &["draw", "--graph"]);
    assert_eq!(svg.matches("<ellipse").count(), 6);
    assert_eq!(svg.matches("class=\"vs\" cx").count(), 3);
    assert_eq!(stdout(NIM, &["draw", "--graph", "--text"]).lines().count(), 6);
    // The empty sum has a name, too.
    let empty = "game N(n) {\n  move t where n > 0 -> 0 * N(0)\n}\nsolve 2 * N(1)\n";
    assert!(stdout(empty, &["draw", "--graph"]).contains(">sum([])</text>"));
    // All components are of one game: only states are written, and the order is told not to matter.
    assert!(
        svg.contains(">2 + 2</text>") && svg.contains("sums that differ in the order of their components"),
        "{svg}"
    );
}

#[test]
fn what_is_too_large_is_told() {
    let large = "game Nim(n) {\n  move take k in 1..n -> Nim(n - k)\n}\nsolve Nim(40) + Nim(40)\n";
    let cut = run(large, &["draw", "--graph"]);
    assert_eq!(cut.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&cut.stderr).contains("the first 500 positions; there are more"));
    assert_eq!(String::from_utf8_lossy(&cut.stdout).matches("<ellipse").count(), 500);
    // Whoever asks for so many has them.
    let some = run(large, &["draw", "--graph", "--positions", "30"]);
    assert_eq!(some.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&some.stdout).matches("<ellipse").count(), 30);
    assert_eq!(run(large, &["draw", "--graph", "--positions", "501"]).status.code(), Some(2));
    let few = run(large, &["draw", "--graph", "--text", "-p", "Nim(3)", "--max-positions", "2"]);
    assert_eq!(few.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&few.stderr).contains("a limit came first"));
    let whole = stdout(large, &["draw", "--dot"]);
    assert_eq!(whole.lines().filter(|line| line.contains("[label=") && !line.contains("->")).count(), 41 * 42 / 2);
    let output = run(large, &["draw", "--graph", "-p", "Nim(10 ** 9)"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains("too many to list them"));
    // Cells are a board only where all that lie beside each other are joined.
    let cells = |edges: &str| {
        let vertices = "[(0, 0), (0, 1), (1, 0), (1, 1)]";
        format!(
            "game W[g: graph](at: vertex of g) {{\n  move go v in neighbours(g, at) -> W(v)\n}}\nsolve W[graph({vertices}, [{edges}])]((0, 0))\n"
        )
    };
    let path = "((0, 0), (0, 1)), ((0, 1), (1, 1)), ((1, 1), (1, 0))";
    assert!(stdout(&cells(path), &["draw", "--text"]).contains("(1, 0) -- (1, 1)\n"));
    let all = format!("{path}, ((1, 0), (0, 0))");
    assert_eq!(stdout(&cells(&all), &["draw", "--text"]), "  0 1\n0 ◆ ·\n1 · ·\n");
    // A position of any size has a figure.
    for position in ["Nim(10 ** 15)", "sum(Nim(n) for n in 1..1000)", "sum([])"] {
        let output = run(large, &["draw", "-p", position]);
        assert_eq!(output.status.code(), Some(0), "{position}");
        assert!(output.stdout.len() < 200_000, "{position}");
    }
    assert_eq!(run("let x = 1\n", &["draw"]).status.code(), Some(2));
}

/// The numbers of an attribute.
fn number(tag: &str, name: &str) -> Option<f64> {
    let value = tag.split_once(&format!(" {name}=\""))?.1;
    value.split_once('"')?.0.parse().ok()
}

/// The rooms of the names of arcs, left, top, right and bottom, and those of vertices.
fn rooms(svg: &str) -> [Vec<[f64; 4]>; 2] {
    let name = |element: &str| {
        let (tag, text) = element.split_once('>')?;
        let (x, y, wide) =
            (number(tag, "x")?, number(tag, "y")?, 6.0 * f64::from(u32::try_from(text.chars().count()).ok()?));
        let left = if tag.contains("\"end\"") { x - wide } else { x };
        (!tag.contains("middle")).then_some([left, y - 8.0, left + wide, y + 2.0])
    };
    let names = svg.split("<text class=\"s l\"").skip(1).filter_map(|rest| name(rest.split_once("</text>")?.0));
    let vertex = |tag: &str| {
        let (x, y, wide, high) = (number(tag, "cx")?, number(tag, "cy")?, number(tag, "rx")?, number(tag, "ry")?);
        Some([x - wide, y - high, x + wide, y + high])
    };
    [names.collect(), svg.split("<ellipse").skip(1).filter_map(vertex).collect()]
}

#[test]
fn names_of_arcs_lie_on_nothing() {
    let wythoff = "game W(a, b) {\n  move left k in 1..a -> W(a - k, b)\n  move right k in 1..b -> W(a, b - k)\n  \
                   move both k in 1..min(a, b) -> W(a - k, b - k)\n}\n";
    let kayles = "game Kayles(n) {\n  move one i in 0..n - 1 -> Kayles(i) + Kayles(n - 1 - i)\n  \
                  move two i in 0..n - 2 -> Kayles(i) + Kayles(n - 2 - i)\n}\n";
    let round = "game R(n) {\n  move up -> R((n + 1) mod 5)\n  move down -> R((n + 4) mod 5)\n  move over -> R((n + 2) mod 5)\n}\n";
    let mut seen = 0;
    for (game, position) in [
        (wythoff, "W(2, 2)"),
        (wythoff, "W(3, 2)"),
        (kayles, "Kayles(4)"),
        (kayles, "Kayles(5)"),
        (round, "R(0)"),
        (NIM, "Nim(4)"),
    ] {
        let svg = stdout(game, &["draw", "--graph", "-p", position]);
        let [names, vertices] = rooms(&svg);
        let arcs = svg.matches("class=\"h\"").count();
        // Nearly all of them have room; the others are told by the pointer.
        assert!(4 * names.len() >= 3 * arcs, "{position}: {} of {arcs}", names.len());
        assert_eq!(svg.matches("</title></path>").count(), arcs, "{position}");
        seen += names.len();
        let apart = |a: &[f64; 4], b: &[f64; 4]| a[2] <= b[0] || b[2] <= a[0] || a[3] <= b[1] || b[3] <= a[1];
        for (at, name) in names.iter().enumerate() {
            assert!(names[..at].iter().chain(&vertices).all(|other| apart(name, other)), "{position}: {name:?}");
            assert!(name[0] >= -40.0 && name[2] <= 2000.0, "{position}: {name:?}");
        }
    }
    assert!(seen > 60, "{seen}");
}

#[test]
fn loops_are_below_the_title() {
    let game = "game G[g: multigraph](left: set of edge of g = edges(g)) {\n  move cut e in left -> G(left - {e})\n}\nsolve G[multigraph { a-a, a-b }]\n";
    let svg = stdout(game, &["draw"]);
    let (from, _) = svg.split_once("c-30 -34 30 -34 0 0").expect("a loop");
    let y: f64 = from.rsplit_once(' ').expect("two numbers").1.parse().expect("a number");
    // The curve goes up by three quarters of what its points are away.
    assert!(y - 0.75 * 34.0 >= 0.0, "{y}");
}

#[test]
fn a_png_is_written_by_programs_that_can() {
    let folder = std::env::temp_dir().join(format!("grundy-drawn-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the test");
    let path = folder.join("nim.game");
    fs::write(&path, NIM).expect("a file for the test");
    let (_, svg, _) = drawn(&path, None);
    let png = folder.join("nim.png");
    let output = Command::new(env!("CARGO_BIN_EXE_grundy")).arg("draw").arg(&path).arg("--png").arg(&png).output();
    let output = output.expect("it runs");
    if cfg!(feature = "png") {
        assert_eq!(output.status.code(), Some(0));
        let bytes = fs::read(&png).expect("a picture");
        let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        let size = format!("width=\"{}\" height=\"{}\"", number(16) / 2, number(20) / 2);
        assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n") && svg.contains(&size), "{size}");
        // An empty picture of that size would be a tenth of it.
        assert!(bytes.len() > 3000, "{}", bytes.len());
    } else {
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && told.contains("--features png"), "{told}");
        assert!(!png.exists());
    }
}

#[test]
fn draw_lines_say_what_is_drawn() {
    // What is drawn, worked out by hand.
    let cases: [(&str, &str, &str); 10] = [
        (
            "rows",
            "game G(s: text) {\n  draw [s[3 * r..3 * r + 2] for r in 0..2]\n}\nsolve G(\"X...O#..X\")\n",
            "  0 1 2\n0 X · ·\n1 · O █\n2 · · X\n",
        ),
        (
            "strip",
            "game G(a: list of nat) {\n  draw [if i in a then \"o\" else \".\" for i in 0..max(a)]\n}\nsolve G([1, 3])\n",
            "· o · o\n0 1 2 3\n",
        ),
        ("several", "game G(n, m) {\n  draw m, n + m\n  draw n\n}\nsolve G(1, 2)\n", "m: 2 ●●\n   3 ●●●\nn  1 ●\n"),
        (
            "graph",
            "game G(n) {\n  draw graph(n + 1, [(i, i + 1) for i in 0..n - 1])\n}\nsolve G(2)\n",
            "  0 -- 1\n  1 -- 0, 2\n  2 -- 1\n",
        ),
        (
            "lies",
            "game G[g: graph](s: set of vertex of g, n: nat) {\n  draw g, s\n}\nsolve G[graph { a-b }]({\"a\"}, 5)\n",
            "● a -- b\n  b -- a\n",
        ),
        ("input", "let double = 4\ngame G(n) {\n  let far = n + double\n  draw far\n}\nsolve G(1)\n", "5 ●●●●●\n"),
        (
            "asks",
            "game H(n) {\n  move take -> H(n - 1)\n  end when n == 0\n}\ngame G(n) {\n  draw if wins(H(n)) then \"won\" else \"lost\"\n}\nsolve G(2)\n",
            "l o s t\n0 1 2 3\n",
        ),
        (
            "caption",
            "game G(n, side: text = \"left\") {\n  draw \"n is \" + text(n)\n  draw side\n}\nsolve G(2)\n",
            "n is 2\nside  l e f t\n      0 1 2 3\n",
        ),
        ("empty", "game G(n) {\n  draw \"TT  FF\" + \"..\"\n}\nsolve G(2)\n", "T T · · F F · ·\n0 1 2 3 4 5 6 7\n"),
        ("none", "game G(n) {\n  draw 6 div n\n}\nsolve G(0)\n", "no value here: `div` by 0\n"),
    ];
    for (name, game, wanted) in cases {
        let folder = std::env::temp_dir().join(format!("grundy-drawn-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder for the test");
        let path = folder.join(format!("{name}.game"));
        fs::write(&path, game).expect("a file for the test");
        let (code, text, error) = drawn(&path, Some("--text"));
        assert_eq!((code, &*text), (Some(0), wanted), "{name}: {error}");
        let (code, svg, _) = drawn(&path, None);
        assert_eq!((code, well_formed(&svg)), (Some(0), Ok(())), "{name}");
    }
    // A sum has its own for each component; an endless one ends by itself.
    let folder = std::env::temp_dir().join(format!("grundy-drawn-{}", std::process::id()));
    let path = folder.join("sum.game");
    let game = "game G(n) {\n  draw if n == 3 then sum(k for k in 1..10 ** 12) else n + 1\n}\nsolve G(1) + G(3)\n";
    fs::write(&path, game).expect("a file for the test");
    let (code, text, _) = drawn(&path, Some("--text"));
    let wanted = "G(1)\n  2 ●●\nG(3)\n  no value here: the limit of steps is reached\n";
    assert_eq!((code, &*text), (Some(0), wanted));
}
