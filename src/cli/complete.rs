//! What the shell proposes: game files, and the inputs and games of the file that is named before.

use crate::cli::load;
use crate::cli::workspace::{ANSWERED, BAD};
use crate::source::Sources;
use crate::syntax::tree::{File, Item};
use clap_complete::CompletionCandidate;
use clap_complete::engine::{ArgValueCompleter, PathCompleter};
use clap_complete::env::{CompleteEnv, Shells};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

/// The environment variable by which a shell asks for proposals.
const VARIABLE: &str = "GRUNDY_COMPLETE";

/// Larger files are not read.
const LARGEST: u64 = 1 << 20;

/// Answers a shell that asks what to propose, and returns the exit code. `None`: it is no such call.
pub(super) fn answered() -> Option<u8> {
    let folder = std::env::current_dir().ok();
    let asked = CompleteEnv::with_factory(super::command).var(VARIABLE);
    match asked.try_complete(std::env::args_os(), folder.as_deref()) {
        Ok(answered) => answered.then_some(ANSWERED),
        Err(error) => {
            let _ = error.print();
            Some(BAD)
        }
    }
}

/// The script for a shell, which asks `grundy` what to propose.
pub(super) fn script(shell: &str) -> io::Result<Vec<u8>> {
    let mut script = Vec::new();
    if let Some(shell) = Shells::builtins().completer(shell) {
        shell.write_registration(VARIABLE, "grundy", "grundy", "grundy", &mut script)?;
    }
    Ok(script)
}

/// Files that end in `.game`, and folders.
pub(super) fn game_file() -> ArgValueCompleter {
    ArgValueCompleter::new(PathCompleter::any().filter(|path| path.extension() == Some(OsStr::new("game"))))
}

/// `n=`, for each input of the file.
pub(super) fn inputs() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| input_names(&current.to_string_lossy()))
}

/// `Nim(`, for each game of the file and of those that it uses, as the last word of a position or query.
pub(super) fn games() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| game_names(&current.to_string_lossy()))
}

/// Both, where expressions and inputs stand in any order.
pub(super) fn games_and_inputs() -> ArgValueCompleter {
    ArgValueCompleter::new(|current: &OsStr| {
        let current = current.to_string_lossy();
        let mut all = game_names(&current);
        all.extend(input_names(&current));
        all
    })
}

fn input_names(current: &str) -> Vec<CompletionCandidate> {
    let mut names = Vec::new();
    for item in named_file().iter().flat_map(|file| &file.items) {
        if let Item::Input { names: inputs, .. } = item {
            names.extend(inputs.iter().map(|name| format!("{}=", name.text)));
        }
    }
    starting_with(names, "", current)
}

fn game_names(current: &str) -> Vec<CompletionCandidate> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (before, word) = current.split_at(current.trim_end_matches(is_word).len());
    let mut names = Vec::new();
    for item in named_files().iter().flat_map(|file| &file.items) {
        if let Item::Game(game) = item {
            let open = if game.params.is_empty() { '(' } else { '[' };
            names.push(format!("{}{open}", game.name.text));
        }
    }
    starting_with(names, before, word)
}

fn starting_with(mut names: Vec<String>, before: &str, word: &str) -> Vec<CompletionCandidate> {
    names.retain(|name| name.starts_with(word));
    names.sort();
    names.dedup();
    names.into_iter().map(|name| CompletionCandidate::new(format!("{before}{name}"))).collect()
}

/// The first game file among the words of the command line so far.
fn named_path() -> Option<PathBuf> {
    let words = std::env::args_os().skip_while(|word| word != "--").skip(1);
    words.map(PathBuf::from).find(|path| path.extension() == Some(OsStr::new("game")) && path.is_file())
}

fn named_file() -> Option<File> {
    read(&named_path()?)
}

/// That file and those that it uses, as far as they lie beside it.
fn named_files() -> Vec<File> {
    let Some(path) = named_path() else { return Vec::new() };
    let mut files: Vec<File> = read(&path).into_iter().collect();
    let mut used = Vec::new();
    for item in files.iter().flat_map(|file| &file.items) {
        if let Item::Use { path: name, .. } = item {
            used.extend(read(&path.with_file_name(name).with_extension("game")));
        }
    }
    files.append(&mut used);
    files
}

/// A file that can be read and has no error.
fn read(path: &Path) -> Option<File> {
    path.metadata().ok().filter(|facts| facts.is_file() && facts.len() <= LARGEST)?;
    Some(load::parse(path, &mut Sources::default(), &[]).ok()?.tree)
}
