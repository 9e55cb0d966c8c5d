//! `grundy solve --tables DIR`: what is in the directory after the program was killed, and what it says of a directory that
//! does not fit.

use crate::rng::Rng;
use crate::server::Server;
use crate::{LONG, rounds};
use serde_json::Value as Json;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// A folder of its own for a test, in which the program runs.
pub(super) struct Place(pub(super) PathBuf);

impl Place {
    pub(super) fn new(test: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("grundy-kept-{}-{test}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder for the test");
        Place(folder)
    }

    pub(super) fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).expect("a file for the test");
    }

    pub(super) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_grundy"));
        command.args(args).current_dir(&self.0).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(super) fn run(&self, args: &[&str]) -> (Option<i32>, String) {
        let Output { status, stdout, stderr } = self.command(args).output().expect("the program runs");
        (status.code(), String::from_utf8_lossy(&[stdout, stderr].concat()).into_owned())
    }

    pub(super) fn answer(&self, args: &[&str]) -> Json {
        answer(&self.command(args).output().expect("the program runs"))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// An answer without what tables in a directory change: the time, how many positions there are, and how they were worked out.
pub(super) fn answer(output: &Output) -> Json {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut answer: Json = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {output:?}"));
    for key in ["seconds", "positions", "method"] {
        answer.as_object_mut().expect("an object").remove(key);
    }
    answer
}

/// A table that is filled in order, a box whose plays come back, and one with loopy values; `long`: of some seconds each.
fn games(long: bool) -> [String; 3] {
    let cyclic = CYCLIC.replace("32", if long { "32" } else { "16" });
    let valued = cyclic.replace("  end when a == b and b == c: lost\n", "");
    [ORDERED.replace("60)", if long { "600)" } else { "60)" }), cyclic, valued]
}

const ORDERED: &str = "game G(a, b, c) {\n  move a k in 1..a where k mod 7 != 3 -> G(a - k, b, c)\n  move b k in 1..b where k mod 5 != 3 -> G(a, b - k, c)\n  \
     move c where c > 0 and a > 0 -> G(a - 1, b, c - 1)\n}\nsolve G(400, 300, 60)\n";

const CYCLIC: &str = "game R(a, b, c, d, e) {\n  end when a == b and b == c: lost\n  \
     move a1 where a != b and a mod 5 != 0 -> R((a + 1) mod 32, b, c, d, e)\n  \
     move a3 where a != b and a mod 5 != 0 -> R((a + 3) mod 32, b, c, d, e)\n  \
     move b1 where b != c and b mod 5 != 4 -> R(a, (b + 1) mod 32, c, d, e)\n  \
     move c1 where c != d and c mod 5 != 3 -> R(a, b, (c + 1) mod 32, d, e)\n  \
     move c3 where c != d and c mod 5 != 3 -> R(a, b, (c + 3) mod 32, d, e)\n  \
     move d1 where d != e and d mod 5 != 2 -> R(a, b, c, (d + 1) mod 32, e)\n  \
     move e3 where e != a and e mod 5 != 1 -> R(a, b, c, d, (e + 3) mod 32)\n}\nsolve R(1, 4, 7, 10, 13)\n";

/// The names of the folders of tables in a directory.
fn tables(dir: &Path) -> BTreeSet<OsString> {
    fs::read_dir(dir).expect("a directory").map(|entry| entry.expect("an entry").file_name()).collect()
}

/// Whether some table of a directory has a note.
fn is_noted(dir: &Path) -> bool {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    entries.map(|entry| entry.path().join("note")).any(|note| note.is_file())
}

/// Waits for a program that is killed after so many milliseconds, or when there is a note; `None`: it was killed before its end.
fn killed(mut child: Child, dir: &Path, after: Option<u64>) -> Option<Output> {
    const NAP: Duration = Duration::from_millis(5);
    let mut naps = 0;
    loop {
        if child.try_wait().expect("it runs or has ended").is_some() {
            return Some(child.wait_with_output().expect("what it said"));
        }
        let over = after.map_or_else(|| is_noted(dir), |after| naps * 5 >= after);
        if over {
            child.kill().expect("it is killed");
            let output = child.wait_with_output().expect("what it said");
            // It may just have ended.
            return output.status.success().then_some(output);
        }
        std::thread::sleep(NAP);
        naps += 1;
    }
}

#[test]
fn killed_runs_go_on() {
    let (mut rng, mut count) = (Rng::new(5), 0);
    for (at, text) in games(LONG).iter().enumerate() {
        let place = Place::new(&format!("killed-{at}"));
        place.write("g.game", text);
        let expected = place.answer(&["solve", "g.game", "--json", "--exhaustive"]);
        for round in 0..rounds(1, 4) {
            let dir = format!("T{round}");
            // Early, when there is a note, and at any time.
            let mut kills: Vec<Option<u64>> = rounds(vec![Some(30), Some(150)], vec![Some(50), None]);
            kills.extend((0..rounds(0, 12)).map(|_| Some(rng.range(1, 900).unsigned_abs())));
            let args = ["solve", "g.game", "--json", "--exhaustive", "--tables", &dir];
            let mut last = None;
            for after in kills {
                let child = place.command(&args).spawn().expect("it starts");
                last = killed(child, &place.0.join(&dir), after);
                count += u32::from(last.is_none());
            }
            let last = last.unwrap_or_else(|| place.command(&args).output().expect("the program runs"));
            assert_eq!(answer(&last), expected, "{text}");
            // What is finished is read.
            assert_eq!(place.answer(&args), expected, "{text}");
        }
    }
    assert!(count >= rounds(1, 20), "killed {count} times");
}

/// `table` and `explore` read what is there, and begin nothing.
#[test]
fn tables_are_read_by_others() {
    for (at, text) in games(false).iter().enumerate() {
        let place = Place::new(&format!("read-{at}"));
        place.write("it.game", text);
        assert_eq!(place.run(&["solve", "it.game", "--tables", "T", "--moves", "0", "--threads", "1"]).0, Some(0));
        let made = tables(&place.0.join("T"));
        let asked = ["G(a, 200, 9)", "R(a, 4, 7, 10, 13)", "R(a, 4, 7, 10, 13)"][at];
        let query = format!("{}({asked}) for a in 1..12", ["grundy", "outcome", "grundy"][at]);
        let read = place.run(&["table", "it.game", &query, "--tables", "T"]);
        assert_eq!(read, place.run(&["table", "it.game", &query]), "{text}");
        assert_eq!(read.0, Some(0), "{}", read.1);
        let position = asked.replace('a', "3");
        let page = |args: &[&str]| {
            let server = Server::start(&place.0, &[&["it.game", "-p", &position, "--time", "1h"], args].concat());
            let mut page = server.page("/");
            while let Some(path) = &page.wait {
                page = server.page(path);
            }
            let worth: Vec<String> = page.moves.iter().map(|one| format!("{} {}", one.name, one.worth)).collect();
            (page.verdict, worth)
        };
        assert_eq!(page(&["--tables", "T"]), page(&[]), "{text}");
        assert_eq!(tables(&place.0.join("T")), made, "{text}");
    }
    let place = Place::new("read-not");
    place.write("it.game", ORDERED);
    insta::assert_snapshot!(place.run(&["table", "it.game", "grundy(G(a, 1, 1)) for a in 1..3", "--tables", "T"]).1, @r"
    error[D03]: `T` holds no tables
     |
     = help: `grundy solve FILE --tables DIR` makes them
    ");
}

#[test]
fn directories_that_do_not_fit() {
    let place = Place::new("fit");
    let rules = "game G(a, b) { move a k in 1..min(a, 9) -> G(a - k, b)\n move b where b > 0 -> G(a, b - 1) }\n";
    place.write("g.game", &format!("input n = 200\n{rules}solve G(n, 300)\n"));
    place.write("letter.txt", "dear");
    let told = |args: &[&str]| {
        let (code, text) = place.run(args);
        assert_eq!(code, Some(2), "{text}");
        text
    };
    assert_eq!(place.run(&["solve", "g.game", "--tables", "T"]).0, Some(0));
    insta::assert_snapshot!(told(&["solve", "g.game", "--tables", "."]), @r"
    error[D03]: `.` holds other files, and no tables
     |
     = help: tables want a directory of their own
    ");
    insta::assert_snapshot!(told(&["solve", "g.game", "--tables", "letter.txt"]), @"error[D03]: `letter.txt` cannot be used for tables: File exists (os error 17)");
    insta::assert_snapshot!(told(&["solve", "g.game", "n=201", "--tables", "T"]), @r"
    error[D03]: the tables in `T` were made from other values of the inputs
     |
     = help: choose another directory, or remove this one to begin anew
    ");
    place.write("g.game", &format!("input n = 200\n{rules}# changed\nsolve G(n, 300)\n"));
    insta::assert_snapshot!(told(&["solve", "g.game", "--tables", "T"]), @r"
    error[D03]: the tables in `T` were made from another game file, or the file was changed
     |
     = help: choose another directory, or remove this one to begin anew
    ");
    place.write("g.game", &format!("input n = 200\n{rules}solve G(n, 300)\n"));
    assert_eq!(place.run(&["solve", "g.game", "--tables", "T"]).0, Some(0));
    let note = place.0.join("T/note");
    let text = fs::read_to_string(&note).expect("a note");
    fs::write(&note, text.replace("form", "from")).expect("it is written");
    insta::assert_snapshot!(told(&["solve", "g.game", "--tables", "T"]), @r"
    error[D03]: `T/note` is damaged: it is not what was written
     |
     = help: remove the directory of tables to begin anew
    ");
    insta::assert_snapshot!(told(&["solve", "g.game", "--tables", "T", "--cases", "letter.txt"]), @r"
    error: the argument '--tables <DIR>' cannot be used with '--cases <FILE>'

    Usage: grundy solve --tables <DIR> <FILE> [NAME=VALUE]...

    For more information, try '--help'.
    ");
}

/// Data that the rules read belongs to their tables.
#[test]
fn changed_data_is_seen() {
    let place = Place::new("data");
    place.write("road.txt", "0 1\n1 2\n2 3\n3 0\n1 3\n");
    place.write(
        "g.game",
        "let road = graph from \"road.txt\"\ngame W(at: vertex of road, left) {\n  move go v in neighbours(road, at) where left > 0 -> W(v, left - 1)\n}\nsolve W(0, 4000)\n",
    );
    let args = ["solve", "g.game", "--json", "--tables", "T"];
    let first = place.answer(&args);
    assert_eq!(place.answer(&args), first);
    place.write("road.txt", "0 1\n1 2\n2 3\n3 0\n");
    let (code, text) = place.run(&args);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("road.txt` was changed"), "{text}");
}

/// Where nothing is kept, that is said.
#[test]
fn small_games_keep_nothing() {
    let place = Place::new("small");
    place.write("g.game", "game N(n) { move t k in 1..min(n, 3) -> N(n - k) }\nsolve N(9)\n");
    let (code, text) = place.run(&["solve", "g.game", "--exhaustive", "--tables", "T"]);
    assert_eq!(code, Some(0), "{text}");
    insta::assert_snapshot!(text.lines().last().unwrap_or_default(), @"note: nothing is kept in `T`: it has few positions: they are searched one by one");
}
