//! Random files with all features of the language: what the program says of them in each of its ways is what a naive
//! evaluator and a naive solver say, which share nothing with it.
//!
//! Fields are numbers, truth values, texts, tuples, lists, sets, bags, grids, exact reals, and vertices and edges of graphs
//! that are written in the file, of a known form, read from another file, or rule parameters. Rules use the words about graphs
//! and grids (`graphs.rs`). A part of the file may stand in one that it uses, where names of the file have another meaning.
//! Grids of numbers are left out.
//!
//! The usual run tries some files, the campaign 100,000; `GRUNDY_FILES=1000 GRUNDY_SEED=7` as many from this seed on.

#![allow(clippy::cast_possible_wrap, clippy::explicit_auto_deref)] // lengths of small lists, and words by chance

mod compare;
mod expressions;
mod games;
mod graphs;
mod make;
mod play;
mod random;
mod reals;
mod statements;
mod values;
mod words;

use crate::rng::Rng;
use crate::rounds;
use games::File;
use play::Play;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What was compared, and what was wrong.
#[derive(Default)]
struct Told {
    seed: u64,
    compared: u64,
    limits: u64,
    often: BTreeMap<String, u64>,
    wrong: Vec<String>,
    /// The file that the file at hand uses.
    used: String,
}

impl Told {
    /// Counts a comparison; whether there is something to compare.
    fn is_answer(&mut self, is_limit: bool) -> bool {
        self.compared += 1;
        self.limits += u64::from(is_limit);
        !is_limit
    }
    fn note(&mut self, what: impl Into<String>) {
        *self.often.entry(what.into()).or_default() += 1;
    }
    fn wrong(&mut self, text: &str, arguments: &[&str], why: &str) {
        let why = format!("seed {}, {}:\n{why}\n{text}{}", self.seed, arguments.join(" "), self.used);
        println!("{why}");
        self.wrong.push(why);
    }
}

/// Up to so many of the items, in their order.
fn pick_some<T>(mut items: Vec<T>, most: usize, rng: &mut Rng) -> Vec<T> {
    while items.len() > most {
        items.remove(rng.below(items.len()));
    }
    items
}

/// A file that the file at hand reads.
fn beside(end: &str) -> std::path::PathBuf {
    std::env::temp_dir().join(format!("{}.{end}", File::used_name()))
}

/// Everything about the file of one seed.
fn one(seed: u64, told: &mut Told) {
    told.seed = seed;
    let (file, mut random) = make::file(seed);
    let play = Play::new(&file);
    told.used.clear();
    if let Some((end, text)) = &file.data {
        std::fs::write(beside(end), text).expect("a file for the test");
        told.used = format!("# {}.{end}\n{text}", File::used_name());
        told.note(format!("graphs from .{end}"));
    }
    if let Some(text) = file.used_text() {
        std::fs::write(beside("game"), &text).expect("a file for the test");
        told.used += &["# ", &File::used_name(), ".game\n", &text].concat();
        told.note(format!("used level {}", file.used.level));
    }
    let base = file.text(0, &[]);
    let asked = compare::questions(&play, &mut random, 7);
    if asked.is_empty() {
        told.note("files without a question");
        return;
    }
    told.note(format!("files {:?}{}", file.plays, if file.is_misere { " misere" } else { "" }));
    let lines: Vec<String> = asked.iter().map(|(question, _)| format!("solve {}\n", question.text)).collect();
    let text = base.clone() + &lines.concat();
    let pairs: Vec<_> = asked.iter().map(|(question, answer)| (question, answer)).collect();
    let found = compare::solve(&text, &pairs, &[], told);
    let further = 1 + random.rng.below(3);
    compare::solve(&text, &pairs, compare::WAYS[further], told);
    if random.chance(25) {
        compare::followed(&play, &base, &asked, &found, &mut random, told);
    }
    if random.chance(40) {
        compare::cases(&play, &base, &mut random, told);
    }
    if random.chance(50) {
        compare::tables(&play, &base, &mut random, told);
    }
    if random.chance(50) {
        statements::check(&play, &mut random, told);
    }
}

/// Holds so many files against the program.
pub(crate) fn campaign(files: u64, first: u64) {
    let mut told = Told::default();
    for seed in first..first + files {
        // A panic of the test itself must tell the seed too.
        if catch_unwind(AssertUnwindSafe(|| one(seed, &mut told))).is_err() {
            let text = make::file(seed).0.text(0, &[]);
            told.wrong(&text, &[], "a panic");
        }
        if told.wrong.len() > 4 {
            break;
        }
    }
    for end in ["txt", "col", "g6", "game"] {
        let _ = std::fs::remove_file(beside(end));
    }
    println!("{} comparisons, {} limits, {:#?}", told.compared, told.limits, told.often);
    assert!(told.wrong.is_empty(), "{}", told.wrong.join("\n\n"));
    assert!(told.limits * 50 <= told.compared, "{} of {} ended at a limit", told.limits, told.compared);
}

#[test]
fn random_files_are_answered_as_a_naive_solver_answers() {
    let number = |name: &str, usual: u64| std::env::var(name).map_or(usual, |text| text.parse().expect("a number"));
    campaign(number("GRUNDY_FILES", rounds(40, 100_000)), number("GRUNDY_SEED", 1));
}
