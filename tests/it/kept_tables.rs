//! Tables that are kept in a directory: the same answers as in memory, whenever a run was ended and whatever it left; a byte
//! that was changed is an error and never an answer.

use crate::naive::engine::{only, program, said};
use crate::tables_dir::Dir;
use crate::threads::ROWS;
use grundy::answer::Answer;
use grundy::disk::TablesDir;
use grundy::engines as solve;
use grundy::input::data::NoFiles;
use grundy::model::Program;
use grundy::value::limits::Limits;
use grundy::vm::context::{Context, Policy};
use std::fs;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What makes tables at once, by so many threads, and keeps them in this directory if one is given.
fn ctx(program: &Arc<Program>, threads: usize, dir: Option<&Dir>) -> Context {
    let limits = Limits { threads: NonZeroUsize::new(threads), grain: 0, ..Limits::default() };
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), limits, solve::ask);
    ctx.options.split = Policy::Never;
    ctx.options.trial = 0;
    ctx.session.tables = dir.map(Dir::open);
    ctx.give(vec![None; program.inputs.len()]);
    ctx
}

fn checked(text: &str) -> Arc<Program> {
    program(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn asked(program: &Arc<Program>, threads: usize, dir: Option<&Dir>) -> Result<Answer, String> {
    only(&mut ctx(program, threads, dir))
}

#[test]
fn tables_in_files_are_those_in_memory() {
    for text in ROWS {
        let program = checked(text);
        let expected = said(&asked(&program, 1, None), true);
        for threads in [1, 3] {
            let dir = Dir::default();
            for round in ["made", "read"] {
                let mut ctx = ctx(&program, threads, Some(&dir));
                assert_eq!(said(&only(&mut ctx), true), expected, "{round} {threads} {text}");
                assert!(ctx.session.tables.as_ref().is_some_and(|dir| dir.is_used()), "{text}");
            }
        }
    }
}

const LONG: [&str; 3] = [
    // Records of lines, and values that want larger cells.
    "game G(a, b, c) { move a k in 1..a -> G(a - k, b, c)\n move b k in 1..b -> G(a, b - k, c)\n \
     move c k in 1..min(b, c) -> G(a, b - k, c - k)\n move d where c > 0 -> G(a, b, c - 1) }\nsolve G(70, 61, 52)\n",
    // Loops, remoteness that wants larger cells.
    "game G(a, b) { move a k in 1..min(a, 9) where k != 7 -> G(a - k, b)\n move b where b > 0 -> G(a, b - 1) }\n\
     solve G(300, 900)\n",
    "game G(a, b, c) { move a k in 1..min(a, 3) -> G(a - k, b, c)\n move b k in 1..min(b, 3) -> G(a, b - k, c)\n \
     move c k in 1..min(c, 3) -> if a == 1 then win else G(a, b, c - k) }\nsolve misere G(60, 60, 60)\n",
];

/// Runs that the user ends go on where they were, whatever was written after the last note.
#[test]
fn ended_runs_go_on() {
    for text in LONG {
        let program = checked(text);
        let expected = said(&asked(&program, 1, None), true);
        for threads in [1, 3] {
            // On a busy machine a run may come to its end before anybody ends it.
            let ended = (0..100).any(|_| {
                let mut most = 0;
                // With records of lines and without, in turns; and by one thread and several.
                for lines in [[true, true], [true, false], [false, true]] {
                    for team in [[threads, threads], [threads, 4 - threads]] {
                        let (found, ended) = with_interruptions(&program, team, lines);
                        assert_eq!(said(&found, true), expected, "{team:?} {lines:?} {text}");
                        most = ended.max(most);
                    }
                }
                most > 0
            });
            assert!(ended, "{threads} {text}");
        }
    }
}

/// The answer that comes at last where a run is ended whenever it has gone on a little, and how often it was.
fn with_interruptions(program: &Arc<Program>, threads: [usize; 2], lines: [bool; 2]) -> (Result<Answer, String>, u32) {
    let dir = Dir::default();
    let (mut ended, mut step, mut older) = (0u32, 1 << 14, None);
    loop {
        let turn = usize::from(!ended.is_multiple_of(2));
        let mut ctx = ctx(program, threads[turn], Some(&dir));
        ctx.options.lines = lines[turn];
        let (stop, met) = (ctx.limits.interrupted.clone(), ctx.limits.progress.clone());
        let over = AtomicBool::new(false);
        let found = std::thread::scope(|scope| {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) && met.load(Ordering::Relaxed) < step {
                    std::thread::yield_now();
                }
                stop.store(!over.load(Ordering::Relaxed), Ordering::Relaxed);
            });
            let found = only(&mut ctx);
            over.store(true, Ordering::Relaxed);
            found
        });
        drop(ctx);
        if found != Err("L03".to_string()) {
            return (found, ended);
        }
        ended += 1;
        step += 1 << 14;
        // As if it had been killed before its last note: that of the run before is there.
        let note = dir.files().into_iter().find(|file| file.ends_with("note") && file.parent() != Some(&dir.0));
        let Some(note) = note else { continue };
        let newer = fs::read(&note).expect("a note");
        if let (Some(older), 1) = (older.replace(newer), ended % 2) {
            fs::write(&note, older).expect("it is written");
        }
    }
}

/// A later question finds the table of the first one.
#[test]
fn other_positions_are_read() {
    let rules =
        "game G(a, b) { move a k in 1..a -> G(a - k, b)\n move b k in 1..b where k mod 3 > 0 -> G(a, b - k) }\n";
    let dir = Dir::default();
    asked(&checked(&format!("{rules}solve G(90, 80)\n")), 1, Some(&dir)).expect("an answer");
    let files = dir.files();
    for (a, b) in [(0, 0), (1, 0), (17, 80), (90, 79), (33, 34)] {
        let program = checked(&format!("{rules}solve G({a}, {b})\n"));
        let (kept, held) = (asked(&program, 1, Some(&dir)), asked(&program, 1, None));
        assert_eq!(said(&kept, true), said(&held, true));
        assert_eq!(dir.files(), files, "{a} {b}");
    }
}

/// What is said with a directory that may be damaged.
fn found(program: &Arc<Program>, dir: &Dir) -> String {
    let opened = TablesDir::open(&dir.0, "g", "i", Box::new(Vec::new), false).map(drop);
    opened.map_or_else(|fault| fault.code.to_string(), |()| said(&asked(program, 1, Some(dir)), true))
}

/// No byte of a directory can be changed without an error, but for those that say nothing.
#[test]
fn changed_bytes_are_errors() {
    for text in ROWS.iter().step_by(3) {
        let program = checked(text);
        let dir = Dir::default();
        let expected = said(&asked(&program, 1, Some(&dir)), true);
        let (mut refused, mut harmless) = (0, 0);
        for file in dir.files() {
            let bytes = fs::read(&file).expect("a file");
            for place in (0..bytes.len()).step_by(1 + bytes.len() / 40) {
                let mut other = bytes.clone();
                other[place] ^= 1 << (place % 8);
                fs::write(&file, other).expect("it is written");
                let found = found(&program, &dir);
                assert!(found == expected || found == "D03", "{} {place}: {found}", file.display());
                *(if found == "D03" { &mut refused } else { &mut harmless }) += 1;
            }
            fs::write(&file, &bytes).expect("it is written");
            // A file that is shorter.
            fs::write(&file, &bytes[..bytes.len() / 2]).expect("it is written");
            let found = found(&program, &dir);
            assert!(found == expected || found == "D03", "{}: {found}", file.display());
            fs::write(&file, &bytes).expect("it is written");
        }
        // A box that was too small is not looked at again.
        assert!(refused > 80 && harmless < refused, "{refused} {harmless} {text}");
    }
}

#[test]
fn a_directory_of_other_tables_is_refused() {
    let dir = Dir::default();
    let told = |game: &str, inputs: &str| {
        let opened = TablesDir::open(&dir.0, game, inputs, Box::new(Vec::new), false);
        opened
            .err()
            .map_or_else(String::new, |fault| fault.message.rsplit("made from ").next().unwrap_or("").to_string())
    };
    assert_eq!(told("g", "i"), "");
    assert_eq!(told("g", "i"), "");
    assert_eq!(told("h", "i"), "another game file, or the file was changed");
    assert_eq!(told("g", "j"), "other values of the inputs");
    let open = TablesDir::open(&dir.0, "g", "i", Box::new(Vec::new), false);
    assert!(told("g", "i").contains("used by another run"));
    drop(open);
    let full = Dir::default();
    fs::create_dir_all(&full.0).expect("a folder");
    fs::write(full.0.join("letter.txt"), "dear").expect("a file");
    let opened = TablesDir::open(&full.0, "g", "i", Box::new(Vec::new), false);
    assert!(opened.is_err_and(|fault| fault.message.contains("holds other files")));
    assert_eq!(full.files().len(), 1);
}

/// What was begun for one position is finished for it.
#[test]
fn an_unfinished_table_of_another_position_is_an_error() {
    let game = |a: i64| checked(&LONG[0].replace("G(70", &format!("G({a}")));
    let dir = Dir::default();
    let program = game(70);
    let mut ended = ctx(&program, 1, Some(&dir));
    let (stop, met) = (ended.limits.interrupted.clone(), ended.limits.progress.clone());
    let found = std::thread::scope(|scope| {
        scope.spawn(move || {
            while met.load(Ordering::Relaxed) < 1 << 15 {
                std::thread::yield_now();
            }
            stop.store(true, Ordering::Relaxed);
        });
        only(&mut ended)
    });
    drop(ended);
    if found == Err("L03".to_string()) {
        assert_eq!(asked(&game(71), 1, Some(&dir)), Err("D03".to_string()));
    }
    assert_eq!(said(&asked(&program, 1, Some(&dir)), true), said(&asked(&program, 1, None), true));
}
