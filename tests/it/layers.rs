//! The rooms of the house: which there are, in which order data goes through them, and the picture of them.
//!
//! The list stands in the head of `src/lib.rs`. `GRUNDY_DRAW=1 cargo test --test it picture` draws
//! `docs/architecture.svg` anew.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder or file of `src`, or a crate, with what it holds.
struct Room {
    name: String,
    caption: String,
}

/// Rooms that serve one purpose.
#[derive(Default)]
struct Floor {
    title: String,
    /// What comes in from outside, and what goes on to the floors below.
    flow: Option<(String, String)>,
    rooms: Vec<Room>,
}

/// The floors in the order of the head of `src/lib.rs`: a line ``//! **TITLE** (IN -> OUT)``, then a line
/// ``//! * [`NAME`]: CAPTION`` for each room. A floor without IN and OUT is of use everywhere.
fn floors() -> Vec<Floor> {
    let text = fs::read_to_string("src/lib.rs").expect("the head of the library");
    let mut floors: Vec<Floor> = Vec::new();
    for line in text.lines() {
        if let Some((title, flow)) = line.strip_prefix("//! **").and_then(|line| line.split_once("**")) {
            let flow = flow.trim().strip_prefix('(').and_then(|flow| flow.strip_suffix(')'));
            let flow = flow.and_then(|flow| flow.split_once(" -> ")).map(|(a, b)| (a.to_string(), b.to_string()));
            floors.push(Floor { title: title.to_string(), flow, rooms: Vec::new() });
        } else if let Some((name, caption)) = line.strip_prefix("//! * [`").and_then(|line| line.split_once("`]: ")) {
            let floor = floors.last_mut().expect("a room stands on a floor");
            floor.rooms.push(Room { name: name.to_string(), caption: caption.to_string() });
        }
    }
    floors
}

/// All rooms, from the top down.
fn rooms() -> Vec<Room> {
    floors().into_iter().flat_map(|floor| floor.rooms).collect()
}

/// Every Rust file below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The crate whose modules are rooms, too.
const LANGUAGE: &str = "language";

/// The room of a file; `None` for `lib.rs` and `main.rs`, which stand above all.
fn room_of(file: &Path) -> Option<String> {
    let mut parts = file.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
    let top = parts.next()?;
    let mut first = parts.next()?;
    if top == "crates" && first != LANGUAGE {
        return Some(format!("grundy_{first}"));
    }
    if top == "crates" {
        first = parts.nth(1)?;
    }
    let name = first.strip_suffix(".rs").unwrap_or(&first).to_string();
    (name != "lib" && name != "main").then_some(name)
}

/// The rooms that a text names: those behind `crate::`, in groups too, and crates. Comments are no code.
fn used(text: &str) -> BTreeSet<String> {
    let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
    let code = code.join("\n");
    let word =
        |text: &str| -> String { text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect() };
    let begins = |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices("grundy_").filter(|(at, _)| begins(*at)) {
        let name = word(&code[at..]);
        if code[at + name.len()..].starts_with("::") {
            names.insert(name);
        }
    }
    for (at, head) in code.match_indices("crate::").filter(|(at, _)| begins(*at)) {
        let rest = &code[at + head.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            names.insert(word(rest));
            continue;
        };
        let (mut depth, mut start) = (0, 0);
        for (i, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                ',' | '}' if depth == 0 => {
                    names.insert(word(&group[start..i]));
                    start = i + 1;
                    if c == '}' {
                        break;
                    }
                }
                _ => {}
            }
        }
    }
    names.remove("");
    names
}

#[test]
fn the_reader_of_paths_sees_every_form() {
    let text =
        "use crate::text::Span; // crate::cli\nuse crate::{rules::{a, b}, check::model};\nuse grundy_heap::game;";
    let names: Vec<String> = used(text).into_iter().collect();
    assert_eq!(names, ["check", "grundy_heap", "rules", "text"]);
}

/// For each room the rooms that it uses, each with a file that does.
fn arrows() -> BTreeMap<String, BTreeMap<String, PathBuf>> {
    let mut arrows: BTreeMap<String, BTreeMap<String, PathBuf>> = BTreeMap::new();
    for file in sources(Path::new("src")).into_iter().chain(sources(Path::new("crates"))) {
        let Some(own) = room_of(&file) else { continue };
        let entry = arrows.entry(own.clone()).or_default();
        let text = fs::read_to_string(&file).expect("a text");
        // Inside of a crate `crate::` is that crate.
        let names = used(&text).into_iter().filter(|name| !own.starts_with("grundy_") || name.starts_with("grundy_"));
        for name in names.filter(|name| *name != own) {
            entry.entry(name).or_insert_with(|| file.clone());
        }
    }
    arrows
}

#[test]
fn data_goes_one_way() {
    let rooms = rooms();
    let place = |name: &str| rooms.iter().position(|room| room.name == name);
    let mut wrong = Vec::new();
    let arrows = arrows();
    for (own, uses) in &arrows {
        let Some(at) = place(own) else {
            wrong.push(format!("`{own}` is not in the list of `src/lib.rs`"));
            continue;
        };
        for (name, file) in uses {
            match place(name) {
                None => wrong.push(format!("{}: `{name}` is no room", file.display())),
                Some(other) if other > at => {
                    wrong.push(format!("{}: `{own}` uses `{name}`, which stands below it", file.display()));
                }
                Some(_) => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Were the files not read, nothing would be wrong with them.
    for room in &rooms {
        assert!(arrows.contains_key(&room.name), "`{}` is a room without files", room.name);
    }
}

#[test]
fn no_room_holds_more_than_three_twentieths_of_the_house() {
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for file in sources(Path::new("src")).into_iter().chain(sources(Path::new("crates"))) {
        if let Some(own) = room_of(&file) {
            *lines.entry(own).or_default() += fs::read_to_string(&file).expect("a text").lines().count();
        }
    }
    let whole: usize = lines.values().sum();
    for (room, count) in lines {
        assert!(count * 20 < whole * 3, "`{room}` has {count} of {whole} lines");
    }
}

/// A text in lines of at most so many letters.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.len() + 1 + word.len() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

/// What is drawn, from the back to the front.
#[derive(Default)]
struct Drawing(String);

impl Drawing {
    /// A line of text; `class` says how it looks.
    fn text(&mut self, (x, y): (usize, usize), class: &str, text: &str) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let _ = writeln!(self.0, "<text x=\"{x}\" y=\"{y}\" class=\"{class}\">{text}</text>");
    }

    fn block(&mut self, (x, y): (usize, usize), (width, height): (usize, usize), class: &str) {
        let _ = writeln!(
            self.0,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"6\" class=\"{class}\"/>"
        );
    }

    fn arrow(&mut self, from: (usize, usize), to: (usize, usize), class: &str) {
        let ((x, y), (to_x, to_y)) = (from, to);
        let _ =
            writeln!(self.0, "<path d=\"M{x},{y} L{to_x},{to_y}\" class=\"{class}\" marker-end=\"url(#{class})\"/>");
    }
}

/// The picture: a band for each floor with what comes in at its side and what goes on below it, a box for each room, an
/// arrow between neighbours of which one uses the other, and in each box the crates that it uses.
fn picture() -> String {
    const WIDTH: usize = 1080;
    /// Where the boxes of a band begin, and where they end.
    const LEFT: usize = 174;
    const RIGHT: usize = WIDTH - 12;
    const GAP: usize = 18;
    const BOX: usize = 70;
    const BAND: usize = BOX + 20;
    const BETWEEN: usize = 34;
    let arrows = arrows();
    let mut drawing = Drawing::default();
    let floors = floors();
    for (row, floor) in floors.iter().enumerate() {
        let top = 6 + row * (BAND + BETWEEN);
        let is_library = floor.flow.is_none();
        drawing.block((4, top), (WIDTH - 8, BAND), if is_library { "band library" } else { "band" });
        let titles = wrapped(&floor.title, 18);
        for (k, line) in titles.iter().enumerate() {
            drawing.text((16, top + 26 + k * 17), "title", line);
        }
        if let Some((from, to)) = &floor.flow {
            for (k, line) in wrapped(from, 20).iter().enumerate() {
                let mark = if k == 0 { "\u{2192} " } else { "" };
                drawing.text((16, top + 28 + titles.len() * 17 + k * 14), "given", &format!("{mark}{line}"));
            }
            let (x, y) = (LEFT + (RIGHT - LEFT) / 2, top + BAND);
            drawing.arrow((x, y), (x, y + BETWEEN - 8), "flow");
            drawing.text((x + 14, y + 20), "result", to);
        }
        if is_library {
            let legend = "Each room uses only rooms above it, or to its left; a grey arrow: its neighbour. Green words \
                          in a room: the libraries that it uses.";
            drawing.text((LEFT, top + BAND + 21), "legend", legend);
        }
        let count = floor.rooms.len();
        let width = (RIGHT - LEFT - (count - 1) * GAP) / count;
        for (column, room) in floor.rooms.iter().enumerate() {
            let (x, y) = (LEFT + column * (width + GAP), top + 10);
            let uses = arrows.get(&room.name);
            if column > 0 && uses.is_some_and(|uses| uses.contains_key(&floor.rooms[column - 1].name)) {
                drawing.arrow((x - GAP, y + BOX / 2), (x - 5, y + BOX / 2), "use");
            }
            drawing.block((x, y), (width, BOX), "room");
            drawing.text((x + 9, y + 20), "name", &room.name.replace("grundy_", "crates/"));
            for (k, line) in wrapped(&room.caption, (width - 16) * 10 / 63).iter().enumerate() {
                drawing.text((x + 9, y + 36 + k * 13), "what", line);
            }
            let crates = uses.into_iter().flat_map(BTreeMap::keys).filter_map(|name| name.strip_prefix("grundy_"));
            let crates: Vec<&str> = crates.filter(|_| !is_library).collect();
            if !crates.is_empty() {
                drawing.text((x + width - 8, y + 20), "crates", &crates.join(" "));
            }
        }
    }
    let height = floors.len() * (BAND + BETWEEN) + 4;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\">\n\
         <style>\n{STYLE}</style>\n\
         <defs>{}{}</defs>\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n{}</svg>\n",
        marker("flow", "#c2600a"),
        marker("use", "#7a8aa0"),
        drawing.0
    )
}

const STYLE: &str =
    "text{fill:#1c2733} .title{font-size:14px;font-weight:bold} .given,.result{font-size:12.5px;fill:#b35409}
.legend{font-size:12px;fill:#5a6878;font-style:italic}
.name{font-size:14px;font-weight:bold;font-family:monospace} .what{font-size:11.5px;fill:#3d4b5c}
.crates{font-size:10.5px;fill:#2f7d4f;text-anchor:end;font-style:italic}
.band{fill:#eef3f9;stroke:#d3deea} .library{fill:#edf6ef;stroke:#cfe5d5} .room{fill:white;stroke:#8ea2b8}
.flow{stroke:#c2600a;stroke-width:2.2;fill:none} .use{stroke:#7a8aa0;stroke-width:1.3;fill:none}
";

/// The head of the arrows of a class.
fn marker(class: &str, colour: &str) -> String {
    format!(
        "<marker id=\"{class}\" viewBox=\"0 0 10 10\" refX=\"6\" refY=\"5\" markerWidth=\"11\" markerHeight=\"11\" \
         markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0,0 L10,5 L0,10 z\" fill=\"{colour}\"/></marker>"
    )
}

#[test]
fn the_picture_is_that_of_the_modules() {
    let drawn = picture();
    let file = "docs/architecture.svg";
    if std::env::var_os("GRUNDY_DRAW").is_some() {
        fs::write(file, &drawn).expect("a folder of documents");
    }
    let kept = fs::read_to_string(file).unwrap_or_default();
    assert!(kept == drawn, "{file} is of another house: `GRUNDY_DRAW=1 cargo test --test it picture` draws it anew");
}
