//! From tree to checked program: names, types, moves.
//!
//! In: trees, and a loader of used files. Out: a [`Program`](crate::model::Program), or all errors of the file and not
//! only the first; a term that failed gives no further ones. Every name becomes a slot of a frame, every adaptation is
//! written out (a list where a set is asked), every built-in word is resolved, so that what comes after never looks at
//! names and never meets an untyped thing. A `def` is checked for each combination of argument types it is used with:
//! definitions are generic without type variables. Nothing is evaluated here.

mod bindings;
mod builtins;
mod calls;
mod checker;
mod contest;
mod dependencies;
mod expr;
mod games;
mod name_stack;
pub mod names;
mod operators;
mod statements;
mod types;

use crate::model::{GameId, Program};
use crate::source::{Diagnostic, SourceId, Sources};
use crate::syntax::tree::{self, Item};
use crate::typing::checker::Checker;
use crate::typing::statements::Unit;
pub use crate::typing::statements::{Loader, NoLoader};
pub use crate::typing::types::kind_words;
use std::collections::{BTreeSet, HashSet};

/// The stack for the check: nested expressions and definitions are followed by recursion, `checker::DEPTH` deep.
const STACK: usize = 512 << 20;

/// So much of a stack of that size may be in use already; otherwise a new one is made.
const SPENT: usize = 16 << 20;

/// What the file means, with everything it uses, or all that is wrong with it, in the order of the text.
///
/// `source` is the source of `file`; items that the caller has put behind the others may stand in other sources.
pub fn check(
    file: &tree::File,
    source: SourceId,
    sources: &mut Sources,
    loader: &mut dyn Loader,
) -> Result<Program, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let loaded = statements::load_all(file, source, sources, loader, &mut errors);
    let files: Vec<(&tree::File, &str, &[usize])> =
        loaded.iter().map(|l| (l.file.as_ref().unwrap_or(file), &*l.name, &*l.uses)).collect();
    stacker::maybe_grow(STACK - SPENT, STACK, || check_files(&files, errors))
}

fn check_files(
    files: &[(&tree::File, &str, &[usize])],
    mut errors: Vec<Diagnostic>,
) -> Result<Program, Vec<Diagnostic>> {
    let units = files.iter().map(|(file, name, uses)| Unit::new(file, name, uses, &mut errors)).collect();
    let mut checker = Checker::new(units, errors);
    checker.everything();
    let Checker { mut program, errors, games, inputs, .. } = checker;
    if !errors.is_empty() {
        return Err(in_order(errors));
    }
    program.inputs = inputs.into_iter().flatten().collect();
    program.letters = letters(files);
    debug_assert_eq!(program.games.len(), games.len());
    Ok(program)
}

impl Checker<'_> {
    fn everything(&mut self) {
        let own = self.units[0].file;
        for (index, item) in own.items.iter().enumerate() {
            if matches!(item, Item::Let(_) | Item::Input { .. }) {
                self.global_item(0, index);
            }
        }
        for index in 0..self.games.len() {
            self.game(GameId(index));
        }
        for item in &own.items {
            let question = self.ask(item);
            self.program.questions.extend(question);
        }
        self.program.format = self.format();
        self.unused_defs();
        if self.errors.is_empty() {
            self.program.games = self.games.iter_mut().filter_map(|g| g.done.take()).collect();
            self.finish();
        }
    }

    /// Definitions that nothing calls; those with all types first, for they are checked in full.
    fn unused_defs(&mut self) {
        let mut all = Vec::new();
        for (index, item) in self.units[0].file.items.iter().enumerate() {
            if let Item::Def(def) = item {
                all.push(((None, 0, index), def));
            }
        }
        for index in 0..self.games.len() {
            let (unit, tree) = (self.games[index].unit, self.games[index].tree);
            for (at, rule) in tree.rules.iter().enumerate() {
                if let tree::Rule::Def(def) = rule {
                    all.push(((Some(GameId(index)), unit, at), def));
                }
            }
        }
        all.sort_by_key(|(_, def)| !calls::has_types(def));
        for (key, def) in all {
            self.unused_def(key, def);
        }
    }
}

/// Each place tells one error of a kind; in the order of the text.
fn in_order(mut errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut seen = HashSet::new();
    errors.retain(|e| seen.insert((e.code, e.span)));
    errors.sort_by_key(|e| e.span.map(|s| (s.source, s.start)));
    errors
}

/// Rule 34: the letters in the file's texts, ascending, and one more.
fn letters(files: &[(&tree::File, &str, &[usize])]) -> Vec<char> {
    let mut all = BTreeSet::new();
    for (file, _, _) in files {
        all.extend(&file.letters);
    }
    let more = ('a'..='z').chain('A'..='Z').chain('0'..='9').chain('\u{100}'..='\u{ffff}').find(|c| !all.contains(c));
    all.extend(more);
    all.into_iter().collect()
}
