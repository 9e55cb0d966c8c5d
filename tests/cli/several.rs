//! `grundy solve --processes N` and `--hosts FILE --host I`: the same answers as by one process, whatever happens to one of
//! several, and what is said when they do not fit together.

use super::kept::{Place, answer};
use crate::rng::Rng;
use crate::rounds;
use serde_json::Value as Json;
use std::fmt::Write;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Child;
use std::time::Duration;

/// Tokens on a ring, with ends of the play and with loopy values.
fn games(places: u32) -> [String; 2] {
    let names = ["a", "b", "c", "d", "e"];
    let mut moves = String::new();
    for (i, name) in names.iter().enumerate() {
        for step in [1, 5] {
            let to = names
                .map(|other| if other == *name { format!("({name} + {step}) mod {places}") } else { other.into() });
            let (next, most) = (names[(i + 1) % 5], places / 2 + step);
            let to = to.join(", ");
            writeln!(moves, "  move {name}{step} where ({name} + {next}) mod {places} > {most} -> R({to})")
                .expect("a text");
        }
    }
    let text = |ends: &str| format!("game R(a, b, c, d, e) {{\n{ends}{moves}}}\nsolve R(1, 4, 7, 10, 13)\n");
    [text("  end when a == b and b == c: lost\n"), text("")]
}

/// The copies that a run has started; none where the system does not tell.
fn copies(child: &Child) -> Vec<i32> {
    let id = child.id();
    let told = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
    told.split_whitespace().filter_map(|id| id.parse().ok()).collect()
}

fn kill(id: i32) {
    // One that has ended is nobody's any more, or still that of its parent.
    let _ = std::process::Command::new("kill").args(["-9", &id.to_string()]).output();
}

/// Kills a copy as soon as there are two, or after so many milliseconds, if the run still has some; whether it had.
fn killed(child: &mut Child, after: Option<u64>, which: usize) -> bool {
    std::thread::sleep(Duration::from_millis(after.unwrap_or(0)));
    loop {
        let copies = copies(child);
        if child.try_wait().expect("it runs or has ended").is_some() || after.is_some() && copies.is_empty() {
            return false;
        }
        if copies.len() > 1 || after.is_some() {
            kill(copies[which % copies.len()]);
            return true;
        }
        std::thread::yield_now();
    }
}

#[test]
fn a_killed_process_is_started_again() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let (mut rng, mut count, mut told) = (Rng::new(7), 0, 0);
    for (at, text) in games(rounds(16, 32)).iter().enumerate().skip(rounds(1, 0)) {
        let place = Place::new(&format!("several-{at}"));
        place.write("g.game", text);
        let expected = place.answer(&["solve", "g.game", "--json", "--exhaustive"]);
        for round in 0..rounds(1, 4) {
            let (dir, processes) = (format!("T{round}"), (2 + round % 3).to_string());
            let args = ["solve", "g.game", "--json", "--exhaustive", "--tables", &dir, "--processes", &processes];
            let mut child = place.command(&args).spawn().expect("it starts");
            for kill in 0..rounds(1, 4) {
                let after = (kill > 0).then(|| rng.range(100, 2500).unsigned_abs());
                count += u32::from(killed(&mut child, after, kill + round));
            }
            let mut output = child.wait_with_output().expect("what it said");
            let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
            told += stderr.lines().filter(|line| line.contains(" is gone; ")).count();
            if stderr.contains("3 runs in succession") {
                // So soon that there was no checkpoint.
                output = place.command(&args).output().expect("the program runs");
            }
            assert_eq!(output.status.code(), Some(0), "{output:?}");
            assert_eq!(answer(&output), expected, "{text}");
            // What is finished is read, together.
            let again = place.command(&args).output().expect("the program runs");
            assert_eq!(answer(&again), expected, "{text}");
            assert!(again.stderr.is_empty(), "{again:?}");
        }
    }
    assert!(count >= rounds(1, 10) && told >= rounds(1, 10), "killed {count} times, told {told} times");
}

/// Whoever started them is killed: the copies end, and the same command goes on.
#[test]
fn copies_do_not_outlive_the_run() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let place = Place::new("several-orphans");
    place.write("g.game", &games(32)[0]);
    let args = ["solve", "g.game", "--tables", "T", "--processes", "2"];
    let mut child = place.command(&args).spawn().expect("it starts");
    let mut orphans = Vec::new();
    while orphans.len() < 2 {
        assert!(child.try_wait().expect("it runs").is_none(), "it has ended");
        orphans = copies(&child);
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("it is killed");
    child.wait().expect("it has ended");
    let runs = |id: &i32| fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|stat| !stat.contains(") Z "));
    while orphans.iter().any(runs) {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn three_deaths_in_succession_are_the_end() {
    if !cfg!(target_os = "linux") {
        return;
    }
    let place = Place::new("several-deaths");
    place.write("g.game", &games(32)[0]);
    let mut child = place.command(&["solve", "g.game", "--processes", "2"]).spawn().expect("it starts");
    let mut known = Vec::new();
    while child.try_wait().expect("it runs or has ended").is_none() {
        let now = copies(&child);
        if let Some(&new) = now.iter().find(|id| !known.contains(*id)).filter(|_| now.len() == 2) {
            kill(new);
            known.extend(now);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().expect("what it said");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let said = said.replace("host 1", "host H").replace("host 0", "host H");
    insta::assert_snapshot!(said, @r"
    note: host H is gone; beginning anew
    note: host H is gone; beginning anew
    error[L02]: host H is gone, and 3 runs in succession have got no further
     |
     = help: where memory ends the system kills processes: fewer of them, or less `--memory` for each
    ");
}

#[test]
fn hosts_answer_together() {
    let place = Place::new("several-hosts");
    let texts = games(14);
    place.write("g.game", &texts[1]);
    let expected = place.answer(&["solve", "g.game", "--json", "--exhaustive"]);
    let list = |count: usize| -> String {
        let ports: Vec<TcpListener> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").expect("a port")).collect();
        let addresses: Vec<_> = ports.iter().map(|port| port.local_addr().expect("an address").to_string()).collect();
        addresses.join("  # here\n\n")
    };
    place.write("hosts", &list(3));
    let host = |file: &str, host: &str| {
        place
            .command(&["solve", file, "--json", "--exhaustive", "--tables", "T", "--hosts", "hosts", "--host", host])
            .spawn()
            .expect("it starts")
    };
    let hosts = ["2", "1", "0"].map(|index| host("g.game", index));
    let outputs = hosts.map(|host| host.wait_with_output().expect("what it said"));
    assert_eq!(answer(&outputs[2]), expected);
    // So few positions do not pay, and the one that answers says so.
    let said = String::from_utf8_lossy(&outputs[2].stderr);
    assert!(said.starts_with("note: several processes gained little: few positions are decided in each of "), "{said}");
    for other in &outputs[..2] {
        assert!(other.status.success() && other.stdout.is_empty() && other.stderr.is_empty(), "{other:?}");
    }
    // The directory says who made it.
    insta::assert_snapshot!(place.run(&["solve", "g.game", "--tables", "T"]).1, @r"
    error[D03]: the tables in `T` were made by 3 processes
     |
     = help: as many read them: `--processes` or `--hosts`
    ");
    // Another file at one of them.
    place.write("other.game", &texts[0]);
    place.write("hosts", &list(2));
    let hosts = [host("g.game", "0"), host("other.game", "1")];
    for (output, other) in hosts.map(|host| host.wait_with_output().expect("what it said")).iter().zip(["1", "0"]) {
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.starts_with(&format!("error[D02]: host {other} has another game file, other inputs")), "{said}");
    }
    // Nobody comes.
    let (code, said) = place.run(&["solve", "g.game", "--hosts", "hosts", "--host", "0", "--time", "300ms"]);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.starts_with("error[L03]: the time limit of 0.3 s is reached"), "{said}");
}

/// A part that is not what was written is an error of the whole, whichever process has it.
#[test]
fn a_changed_part_is_an_error() {
    let place = Place::new("several-changed");
    place.write("g.game", &games(14)[1]);
    let args = ["solve", "g.game", "--json", "--tables", "T", "--processes", "2"];
    place.answer(&args);
    let part = fs::read_dir(place.0.join("T/1-of-2")).expect("a folder").map(|entry| entry.expect("an entry").path());
    let table = part.into_iter().find(|path| path.is_dir()).expect("a table");
    // The note of the whole part, and those of a table.
    let whole = table.parent().expect("a folder").to_path_buf();
    for (folder, name, step) in [(&whole, "note", 1000), (&table, "note", 1000), (&table, "cells", 512)] {
        let path = folder.join(name);
        let bytes = fs::read(&path).expect("a file");
        let mut other = bytes.clone();
        other.iter_mut().skip(40).step_by(step).for_each(|byte| *byte ^= 4);
        fs::write(&path, other).expect("written");
        // Of the cells it is seen when they are read: the second block of 2^16 positions is that of the second process.
        let (code, said) = place.run(&[&args[..], &["-p", "R(3, 1, 0, 0, 1)"]].concat());
        assert_eq!(code, Some(2), "{name}: {said}");
        assert!(said.starts_with("{\"error\":{\"code\":\"D03\""), "{said}");
        assert!(said.contains(&format!("{name}` is damaged")) && said.contains("1-of-2"), "{said}");
        if *folder == whole {
            fs::remove_file(&path).expect("removed");
            let (code, said) = place.run(&args);
            assert_eq!(code, Some(2), "{said}");
            assert!(said.contains("1-of-2` holds other files, and no tables"), "{said}");
        }
        fs::write(&path, bytes).expect("written");
    }
    place.answer(&args);
}

/// What is estimated of a box is what a search then works out; the bytes of its files are not more than twice as many or as few.
#[test]
fn a_plan_is_of_the_box_that_is_worked_out() {
    let place = Place::new("several-plan");
    place.write("g.game", &games(16)[0]);
    let (code, told) = place.run(&["plan", "g.game", "--json", "--processes", "2"]);
    assert_eq!(code, Some(0), "{told}");
    let plan: Json = serde_json::from_str(&told).expect("an object");
    let (code, told) = place.run(&["solve", "g.game", "--json", "--quiet", "--tables", "T", "--processes", "2"]);
    assert_eq!(code, Some(0), "{told}");
    let answer: Json = serde_json::from_str(&told).expect("an object");
    assert_eq!((&plan["positions"], &plan["processes"]), (&answer["positions"], &Json::from(2)));
    let files = |path: &Path| -> u64 {
        let entries = fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry"));
        entries.map(|entry| entry.metadata().expect("a file").blocks() * 512).sum()
    };
    let tables = fs::read_dir(place.0.join("T/1-of-2")).expect("a folder").map(|entry| entry.expect("an entry").path());
    let table = tables.into_iter().find(|path| path.is_dir()).expect("a table");
    let (told, there) = (plan["each"]["disk_bytes"].as_u64().expect("a number"), files(&table));
    assert!(told < there * 2 && there < told * 2, "{told} and {there} bytes");
    // Of a box of more than 2^40 states only those that are met may be worked out.
    let step = |i: usize| {
        let to = ["a", "b", "c", "d", "e"].map(|name| {
            if name == ["a", "b", "c", "d", "e"][i] { format!("({name} + 70) mod 300") } else { name.into() }
        });
        format!("  move m{i} where a != b -> R({})\n", to.join(", "))
    };
    let moves: String = (0..5).map(step).collect();
    place.write("i.game", &format!("game R(a, b, c, d, e) {{\n{moves}  move back where a > 0 -> R(a - 1, b, c, d, e)\n}}\nsolve R(1, 2, 3, 4, 5)\n"));
    let (code, told) = place.run(&["plan", "i.game"]);
    assert_eq!(code, Some(0), "{told}");
    for wanted in [
        "\n  the positions that are met, in blocks\n",
        " of 2,430,000,000,000 in the box, ",
        ", if they are 100,000,000\n",
    ] {
        assert!(told.contains(wanted), "{told}");
    }
    // Few of a box: they are counted. The first two numbers have a fixed sum.
    let few = "game F(a, b, c) { move on where a > 0 -> F(a - 1, b + 1, c)\n move back where b > 0 -> F(a + 1, b - 1, c)\n move down where c > 0 -> F(a, b, c - 1) }\nsolve F(3000, 0, 10)\n";
    place.write("f.game", few);
    let (code, told) = place.run(&["plan", "f.game"]);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("\n  positions         33,011, "), "{told}");
    place.write("h.game", "game G(a, b) { move a k in 1..a -> G(a - k, b)\n move b where b > 0 -> G(a, b - 1) }\nsolve G(900, 900)\nsolve G(9, 9) + G(8, 8)\n");
    insta::assert_snapshot!(place.run(&["plan", "h.game"]).1, @r"
    G(900, 900)
      a table that one process fills in order
      positions         811,801 in the box
      memory or disk    811 KB to 6.4 MB

    G(9, 9) + G(8, 8)
      no table: it is not one component
    ");
}

#[test]
fn what_does_not_fit_is_said() {
    let place = Place::new("several-wrong");
    place.write("g.game", "game N(n) { move t k in 1..min(n, 3) -> N(n - k) }\nsolve N(9)\nsolve N(8)\n");
    place.write("one", "# a comment\n127.0.0.1:7000\n");
    place.write("two", "127.0.0.1:7000\n127.0.0.1:7001\n");
    let told = |args: &[&str]| {
        let (code, text) = place.run(args);
        assert_eq!(code, Some(2), "{text}");
        text
    };
    insta::assert_snapshot!(told(&["solve", "g.game", "--processes", "2"]), @r"
    error[D02]: several processes answer one position, and here are 2
     |
     = help: ask about one with `-p POSITION`
    ");
    insta::assert_snapshot!(told(&["solve", "-", "--processes", "2", "-p", "N(9)"]), @r"
    error[D02]: several processes cannot read the game file from stdin
     |
     = help: write it to a file
    ");
    insta::assert_snapshot!(told(&["solve", "g.game", "-p", "N(9)", "--hosts", "one", "--host", "0"]), @r"
    error[D02]: a list of hosts has 2 to 64 addresses, and this one has 1
     |
     = help: a line for each process: `192.168.0.1:7000`
    ");
    insta::assert_snapshot!(told(&["solve", "g.game", "-p", "N(9)", "--hosts", "two", "--host", "2"]), @r"
    error[D02]: there is no host 2: `two` has 2 addresses
     |
     = help: hosts are counted from 0 on
    ");
    insta::assert_snapshot!(told(&["solve", "g.game", "-p", "N(9)", "--hosts", "none", "--host", "1"]), @"error[D03]: `none` cannot be read: No such file or directory (os error 2)");
    for args in [&["--processes", "1"][..], &["--processes", "65"], &["--host", "1"], &["--hosts", "two"]] {
        told(&[&["solve", "g.game", "-p", "N(9)"], args].concat());
    }
    // One process answers where several are of no use, and says so.
    let (code, text) =
        place.run(&["solve", "g.game", "-p", "N(9)", "--exhaustive", "--moves", "0", "--processes", "2"]);
    assert_eq!(code, Some(0), "{text}");
    insta::assert_snapshot!(text.lines().last().unwrap_or_default(), @"note: one process has done the work: it has few positions: they are searched one by one");
}
