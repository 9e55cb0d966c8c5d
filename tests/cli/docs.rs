//! The documents are executed: every block of `README.md`, `docs/cookbook.md`, `docs/language.md`, `docs/proving.md`, `docs/misere.md` and `docs/scale.md`, and every file of `games/`.
//!
//! What a block is stands behind its opening fence:
//! * `game`: a complete file. Its `solve` and `table` lines are answered, and everything in it must be as it
//!   should be up to some number of instances, or end with the code that `exit=1` says, unless a `console` block proves it.
//!   `name=nim.game` keeps it for the `console` blocks of the same document.
//! * `game expressions`: lines `EXPRESSION  # VALUE`, compared by the language itself; other lines are declarations.
//! * `errors`: lines `CODE  FILE`, each a whole file that must end in an error of this code.
//! * `console`: commands after `$ ` and what they print; `exit=1` behind it says with which code the last one ends.
//! * `data name=road.txt`: a data file for the blocks after it.
//! * `json`, `text`: not executed.

use crate::checked;
use grundy::answer::Finding;
use grundy::model::builtin::Builtin;
use grundy::source::diagnostic::{Class, Code};
use grundy::source::text::Sources;
use grundy::syntax;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A fenced block of a document.
struct Block {
    place: String,
    /// The words behind the opening fence.
    info: Vec<String>,
    text: String,
}

impl Block {
    fn kind(&self) -> &str {
        self.info.first().map_or("", String::as_str)
    }

    fn is_expressions(&self) -> bool {
        self.kind() == "game" && self.info.iter().any(|word| word == "expressions")
    }

    fn option(&self, name: &str) -> Option<&str> {
        self.info.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
    }
}

fn blocks(file: &str) -> Vec<Block> {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let mut all = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in text.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                let info: Vec<String> = info.split_whitespace().map(str::to_string).collect();
                assert!(!info.is_empty(), "{file}:{}: the block does not say what it is", number + 1);
                open = Some(Block { place: format!("{file}:{}", number + 1), info, text: String::new() });
            }
            (Some(_), Some(_)) => all.extend(open.take()),
            (Some(block), None) => {
                block.text += line;
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{file}: the last block is never closed");
    all
}

/// A folder of its own, with the library beside the documents' own files.
struct Desk(PathBuf);

impl Desk {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("grundy-docs-{}-{name}", std::process::id()));
        fs::create_dir_all(folder.join("games")).expect("a folder for the test");
        for path in games() {
            fs::copy(&path, folder.join(&path)).expect("a copy of a game");
        }
        Desk(folder)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).expect("a file for the test");
    }

    /// What a command prints, errors last, and its exit code.
    fn run(&self, args: &[String]) -> (String, Option<i32>) {
        let output = Command::new(env!("CARGO_BIN_EXE_grundy"))
            .args(args)
            .current_dir(&self.0)
            .env_remove("COLUMNS")
            .env("NO_COLOR", "1")
            .output()
            .expect("the program starts");
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        (text(output.stdout) + &text(output.stderr), output.status.code())
    }

    fn words(&self, words: &[&str]) -> (String, Option<i32>) {
        self.run(&words.iter().map(ToString::to_string).collect::<Vec<_>>())
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        // What is left of a failed test is in nobody's way.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn games() -> Vec<PathBuf> {
    let files = fs::read_dir("games").expect("the library is in the tree").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|e| e == "game")).collect();
    files.sort();
    files
}

/// Times are as long as they take: `1.5 ms`, `12 s` and `"seconds":0.1` become `TIME`.
fn masked(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(at);
        out += before;
        let end = from.find(|c: char| !c.is_ascii_digit() && c != '.' && c != 'e' && c != '-').unwrap_or(from.len());
        let (number, after) = from.split_at(end);
        let unit = [" ms", " µs", " us", " min", " s"]
            .into_iter()
            .find(|unit| after.strip_prefix(unit).is_some_and(|more| !more.starts_with(|c: char| c.is_alphanumeric())));
        match unit {
            Some(unit) => {
                out += "TIME";
                rest = &after[unit.len()..];
            }
            None if before.ends_with("\"seconds\":") => {
                out += "TIME";
                rest = after;
            }
            None => {
                out += number;
                rest = after;
            }
        }
    }
    out + rest
}

#[test]
fn only_times_are_masked() {
    assert_eq!(masked("450 positions; 2.2 ms\n"), "450 positions; TIME\n");
    assert_eq!(masked("3 sums in 1 s, {\"seconds\":0.25,\"k\":2}"), "3 sums in TIME, {\"seconds\":TIME,\"k\":2}");
}

/// The words of a command line as a shell would cut them: quotes hold words together.
fn shell_words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (None, '\'' | '"') => quote = Some(c),
            (Some(q), c) if q == c => quote = None,
            (None, ' ') => words.push(String::new()),
            _ => words.last_mut().expect("there is a word").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Runs the commands of a `console` block. Returns how many there were.
fn console(desk: &Desk, block: &Block, wrong: &mut Vec<String>) -> usize {
    let commands: Vec<&str> = block.text.split("$ ").collect();
    assert!(commands[0].is_empty(), "{}: the block does not begin with a command", block.place);
    let commands = &commands[1..];
    for (i, command) in commands.iter().enumerate() {
        let (line, expected) = command.split_once('\n').unwrap_or((command, ""));
        let line = line.strip_prefix("cargo run --release -- ").or_else(|| line.strip_prefix("grundy "));
        let line = line.unwrap_or_else(|| panic!("{}: only grundy is run here", block.place));
        let mut words = shell_words(line);
        // A busy machine may need more than the usual time.
        let is_timed = words.first().is_some_and(|word| ["prove", "guess", "verify"].contains(&word.as_str()));
        if is_timed && !words.iter().any(|word| word == "--time") {
            words.extend(["--time".to_string(), "600s".to_string()]);
        }
        let (found, code) = desk.run(&words);
        // Records of CSV end in CR LF.
        let found = found.replace('\r', "");
        let wanted = if i + 1 == commands.len() { block.option("exit").unwrap_or("0") } else { "0" };
        if masked(found.trim_end()) != masked(expected.trim_end()) {
            wrong.push(format!("{}: `{line}` prints\n{found}", block.place));
        }
        if code.map(|code| code.to_string()).as_deref() != Some(wanted) {
            wrong.push(format!("{}: `{line}` ends with {code:?}, not {wanted}", block.place));
        }
    }
    commands.len()
}

/// A complete file: checked, answered, judged.
fn game(desk: &Desk, block: &Block, is_proved: bool, wrong: &mut Vec<String>) {
    let name = block.option("name").unwrap_or("block.game");
    desk.write(name, &block.text);
    let begins = |word: &str| block.text.lines().any(|line| line.starts_with(word));
    let mut runs = vec![vec!["show", name]];
    if begins("solve ") {
        runs.push(vec!["solve", name]);
    }
    if begins("table ") {
        runs.push(vec!["table", name]);
    }
    for run in runs {
        let (found, code) = desk.words(&run);
        if code != Some(0) {
            wrong.push(format!("{}: `grundy {}` ends with {code:?}\n{found}", block.place, run.join(" ")));
        }
    }
    let found = if is_proved { Vec::new() } else { checked::file(&desk.0.join(name), 1000) };
    let code = found.iter().map(Finding::exit_code).max().unwrap_or(0);
    if !is_proved && code.to_string() != block.option("exit").unwrap_or("0") {
        wrong.push(format!("{}: checked with {code}\n{found:#?}", block.place));
    }
}

/// Lines `EXPRESSION  # VALUE`, as claims of one file. Returns how many there were.
fn expressions(desk: &Desk, block: &Block, wrong: &mut Vec<String>) -> usize {
    let mut file = String::new();
    let mut count = 0;
    for line in block.text.lines() {
        if let Some((expression, value)) = line.split_once("  # ") {
            count += 1;
            let title = line.replace(['"', '\\'], "'");
            writeln!(file, "claim \"{title}\": ({}) == ({})", expression.trim(), value.trim()).expect("room");
        } else {
            file += line;
            file.push('\n');
        }
    }
    desk.write("expressions.game", &file);
    let (found, code) = desk.words(&["check", "expressions.game"]);
    if code != Some(0) || found.matches("VERIFIED").count() != count {
        wrong.push(format!("{}: ends with {code:?}\n{found}", block.place));
    }
    count
}

/// Lines `CODE  FILE`. Returns the codes.
fn errors(desk: &Desk, block: &Block, wrong: &mut Vec<String>) -> Vec<String> {
    let mut codes = Vec::new();
    for line in block.text.lines() {
        let (code, file) = line.split_once(' ').unwrap_or_else(|| panic!("{}: `{line}`", block.place));
        desk.write("error.game", file.trim());
        let command = ["solve", "table", "check"].into_iter().find(|word| file.contains(&format!("{word} ")));
        let command = match command {
            Some(word) => word,
            None if file.contains("claim") || file.contains("expect") => "check",
            None => "solve",
        };
        let (found, exit) = desk.words(&[command, "error.game"]);
        if !found.contains(&format!("error[{code}]")) || exit != Some(2) {
            wrong.push(format!("{}: `{line}` ends with {exit:?}\n{found}", block.place));
        }
        codes.push(code.to_string());
    }
    codes
}

/// Executes a block, which others stand before; of which kind it is, and how often it counts.
fn run_block(desk: &Desk, block: &Block, behind: &[Block], wrong: &mut Vec<String>) -> (String, usize) {
    let (kind, count) = match block.kind() {
        "game" if block.is_expressions() => ("expressions", expressions(desk, block, wrong)),
        "game" => {
            // What is proved below need not be searched here.
            let proves = block.option("name").map(|name| format!("$ grundy prove {name}"));
            let is_proved = proves.is_some_and(|line| behind.iter().any(|later| later.text.starts_with(&line)));
            game(desk, block, is_proved, wrong);
            ("game", 1)
        }
        "errors" => ("errors", errors(desk, block, wrong).len()),
        "console" => ("console", console(desk, block, wrong)),
        kind @ ("data" | "json" | "text" | "sh") => (kind, 1),
        other => panic!("{}: nobody knows what a `{other}` block is", block.place),
    };
    (kind.to_string(), count)
}

/// How many blocks of each kind a document has. All of them are executed, each in a folder of its own with the files that blocks
/// before it name, and several at a time.
fn execute(file: &str) -> BTreeMap<String, usize> {
    let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str()).expect("a name");
    let blocks = blocks(file);
    let (next, found) = (AtomicUsize::new(0), Mutex::new((BTreeMap::new(), Vec::new())));
    let work = || {
        while let at = next.fetch_add(1, Ordering::Relaxed)
            && let Some(block) = blocks.get(at)
        {
            let desk = Desk::new(&format!("{stem}-{at}"));
            for before in &blocks[..at] {
                if let Some(name) = before.option("name") {
                    desk.write(name, &before.text);
                }
            }
            let mut more = Vec::new();
            let (kind, count) = run_block(&desk, block, &blocks[at..], &mut more);
            let mut found = found.lock().expect("no panic");
            *found.0.entry(kind).or_default() += count;
            found.1.extend(more);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let (counts, wrong) = found.into_inner().expect("no panic");
    assert!(wrong.is_empty(), "{} wrong:\n\n{}", wrong.len(), wrong.join("\n\n"));
    counts
}

fn at_least(counts: &BTreeMap<String, usize>, wanted: &[(&str, usize)]) {
    for (kind, least) in wanted {
        let found = counts.get(*kind).copied().unwrap_or(0);
        assert!(found >= *least, "only {found} {kind}: {counts:?}");
    }
}

#[test]
fn the_readme_is_true() {
    at_least(&execute("README.md"), &[("console", 6), ("game", 2)]);
}

#[test]
fn the_language_reference_is_true() {
    at_least(&execute("docs/language.md"), &[("game", 17), ("expressions", 160), ("errors", 34), ("console", 12)]);
}

#[test]
fn the_cookbook_is_true() {
    at_least(&execute("docs/cookbook.md"), &[("console", 25), ("game", 20)]);
}

#[test]
fn the_page_on_proofs_is_true() {
    at_least(&execute("docs/proving.md"), &[("console", 6), ("game", 6)]);
}

#[test]
fn the_page_on_misere_play_is_true() {
    at_least(&execute("docs/misere.md"), &[("console", 2), ("game", 1)]);
}

#[test]
fn the_page_on_large_tables_is_true() {
    at_least(&execute("docs/scale.md"), &[("console", 1), ("game", 1)]);
}

#[test]
fn the_test_command_of_the_readme_is_the_one_that_is_run_for_every_change() {
    let command = "cargo test --locked";
    let readme = blocks("README.md");
    assert!(readme.iter().any(|b| b.kind() == "sh" && b.text.lines().any(|line| line == command)));
    let script = fs::read_to_string(".ci/run").expect("the script is in the tree");
    assert!(script.lines().any(|line| line.ends_with(command)));
}

/// The documents that name files of the tree.
const DOCUMENTS: [&str; 9] = [
    "README.md",
    "CHANGELOG.md",
    "docs/architecture.md",
    "docs/cookbook.md",
    "docs/language.md",
    "docs/performance.md",
    "docs/misere.md",
    "docs/proving.md",
    "docs/scale.md",
];

#[test]
fn what_documents_link_to_and_name_is_there() {
    const FOLDERS: [&str; 6] = ["src/", "crates/", "tests/", "docs/", "benches/", "games/"];
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for file in DOCUMENTS {
        let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
        let mut is_block = false;
        let prose = text.lines().filter(|line| {
            let is_fence = line.starts_with("```");
            is_block ^= is_fence;
            !is_block && !is_fence
        });
        let prose = prose.collect::<Vec<_>>().join("\n");
        let folder = Path::new(file).parent().expect("a folder");
        // Code in backquotes has brackets of its own.
        let words = prose.split('`').step_by(2).collect::<String>();
        let links = words.match_indices("](").filter_map(|(at, _)| words[at + 2..].split(')').next());
        let links = links.filter(|link| !link.contains("://") && !link.starts_with('#'));
        let links = links.map(|link| folder.join(link.split('#').next().unwrap_or_default()));
        let names = prose.split('`').skip(1).step_by(2).filter(|name| FOLDERS.iter().any(|f| name.starts_with(f)));
        // Names with capital letters or blanks stand for files of a kind.
        let names = names.filter(|name| name.chars().all(|c| c.is_ascii_lowercase() || "/_-.".contains(c)));
        for path in links.chain(names.map(PathBuf::from)) {
            seen += 1;
            if !path.exists() {
                wrong.push(format!("{file}: {}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "not there:\n{}", wrong.join("\n"));
    assert!(seen > 60, "only {seen} names were found");
}

#[test]
fn every_error_code_is_used_and_shown() {
    fn below(folder: &Path, text: &mut String) {
        for entry in fs::read_dir(folder).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                below(&path, text);
            } else {
                text.push_str(&fs::read_to_string(&path).expect("a text"));
            }
        }
    }
    let mut sources = String::new();
    below(Path::new("src"), &mut sources);
    below(Path::new("crates/language/src"), &mut sources);
    let idle: Vec<_> = Code::ALL.iter().filter(|code| !sources.contains(&format!("Code::{code}"))).collect();
    assert!(idle.is_empty(), "not used: {idle:?}");
    let shown: BTreeSet<String> = blocks("docs/language.md")
        .iter()
        .filter(|b| b.kind() == "errors")
        .flat_map(|b| b.text.lines().filter_map(|line| Some(line.split_once(' ')?.0.to_string())).collect::<Vec<_>>())
        .collect();
    let without: Vec<_> = Code::ALL
        .iter()
        .filter(|code| matches!(code.class(), Class::Meaning | Class::Running) && !shown.contains(code.as_str()))
        .collect();
    // The example of E18 would be a line of 200 brackets: it is made here.
    assert_eq!(without, [&Code::E18], "only this one has no example");
    let desk = Desk::new("codes");
    desk.write("deep.game", &format!("let a = {}1{}", "(".repeat(201), ")".repeat(201)));
    let (found, code) = desk.words(&["show", "deep.game"]);
    assert!(found.contains("error[E18]") && code == Some(2), "{found}");
}

#[test]
fn every_built_in_word_is_shown_in_a_block_that_is_executed() {
    let words: BTreeSet<&str> = Builtin::all().map(|(_, signature)| signature.name).collect();
    assert!(words.len() > 100, "only {} words were found", words.len());
    let code: String = blocks("docs/language.md").iter().filter(|b| b.kind() == "game").map(|b| &*b.text).collect();
    let called = |word: &str| {
        code.match_indices(&format!("{word}("))
            .any(|(at, _)| !code[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_'))
    };
    let missing: Vec<_> = words.iter().filter(|word| !called(word)).collect();
    assert!(missing.is_empty(), "never called: {missing:?}");
}

#[test]
fn every_library_file_is_laid_out_alike_twice_over() {
    let games = games();
    assert!(games.len() > 20, "only {} games were found", games.len());
    for path in games {
        let mut sources = Sources::default();
        let id = sources.add(path.display().to_string(), fs::read_to_string(&path).expect("a text"));
        syntax::parse_file(&sources, id).unwrap_or_else(|errors| panic!("{}: {errors:?}", path.display()));
        let once = syntax::format(&sources, id).unwrap_or_else(|errors| panic!("{}: {errors:?}", path.display()));
        let id = sources.add("again", once.clone());
        let twice = syntax::format(&sources, id).unwrap_or_else(|errors| panic!("{}: {errors:?}", path.display()));
        assert_eq!(once, twice, "{}", path.display());
    }
}

#[test]
fn every_library_file_is_answered() {
    let desk = Desk::new("library");
    let mut wrong = Vec::new();
    for path in games() {
        let file = path.display().to_string();
        let (found, code) = desk.words(&["solve", &file]);
        if code != Some(0) || !found.contains("outcome") {
            wrong.push(format!("`grundy solve {file}` ends with {code:?}\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n\n{}", wrong.len(), wrong.join("\n\n"));
}
