//! The files that a file uses, and what each of them names at top level.

use crate::source::diagnostic::{Code, Diagnostic};
use crate::source::text::{SourceId, Sources, Span};
use crate::syntax::tree;
use crate::syntax::tree::{Item, Name, Pattern};
use std::collections::HashMap;

/// Finds the text of a `use`d file.
pub trait Loader {
    /// The source called `name`, as `use "name"` in the source `from` asks for it: added to `sources`, or the id it has
    /// already. `None`: there is no such file. A file never uses itself: `use "nim"` in `nim.game` means another `nim`.
    fn load(&mut self, name: &str, from: SourceId, sources: &mut Sources) -> Option<Result<SourceId, Diagnostic>>;
}

/// A loader that finds nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLoader;

impl Loader for NoLoader {
    fn load(&mut self, _: &str, _: SourceId, _: &mut Sources) -> Option<Result<SourceId, Diagnostic>> {
        None
    }
}

/// A parsed file and the indices of the files it uses.
#[derive(Debug)]
pub(crate) struct Loaded {
    /// What it says; `None` for the file that is checked, whose tree the caller holds.
    pub(crate) file: Option<tree::File>,
    /// Under what name others use it.
    pub(crate) name: String,
    /// Indices of the files it uses, in order.
    pub(crate) uses: Vec<usize>,
}

/// Loads and parses everything that the file uses, directly or through others; the first is the file itself. Errors
/// in used files are collected; such files stay out.
pub(crate) fn load_all(
    file: &tree::File,
    source: SourceId,
    sources: &mut Sources,
    loader: &mut dyn Loader,
    errors: &mut Vec<Diagnostic>,
) -> Vec<Loaded> {
    let mut all = vec![Loaded { file: None, name: String::new(), uses: Vec::new() }];
    let mut known: HashMap<SourceId, Option<usize>> = HashMap::from([(source, Some(0))]);
    let mut todo: Vec<(usize, SourceId, String, Span)> = uses_of(file, source, 0);
    todo.reverse();
    while let Some((user, from, path, span)) = todo.pop() {
        let id = match loader.load(&path, from, sources) {
            Some(Ok(id)) => id,
            Some(Err(error)) => {
                errors.push(error);
                continue;
            }
            None => {
                errors.push(
                    Diagnostic::new(Code::E17, span, format!("there is no file `{path}` to use"))
                        .hint("a used file stands beside this one, or is one of the library"),
                );
                continue;
            }
        };
        let index = if let Some(&index) = known.get(&id) {
            index
        } else {
            let index = match crate::syntax::parse_file(sources, id) {
                Ok(tree) => {
                    let index = all.len();
                    let mut more = uses_of(&tree, id, index);
                    more.reverse();
                    todo.extend(more);
                    all.push(Loaded { file: Some(tree), name: path.clone(), uses: Vec::new() });
                    Some(index)
                }
                Err(found) => {
                    errors.extend(found);
                    None
                }
            };
            known.insert(id, index);
            index
        };
        match index {
            Some(index) if index != user && !all[user].uses.contains(&index) => all[user].uses.push(index),
            _ => {}
        }
    }
    all
}

fn uses_of(file: &tree::File, source: SourceId, index: usize) -> Vec<(usize, SourceId, String, Span)> {
    let uses = file.items.iter().filter_map(|item| match item {
        Item::Use { path, span } => Some((index, source, path.clone(), *span)),
        _ => None,
    });
    uses.collect()
}

/// A file with its names: a name of each space and the index of the item that says it.
#[derive(Debug)]
pub(crate) struct Unit<'a> {
    pub(crate) file: &'a tree::File,
    /// Under what name others use it.
    pub(crate) name: &'a str,
    pub(crate) uses: &'a [usize],
    /// Lets and inputs.
    pub(crate) values: HashMap<&'a str, (usize, Span)>,
    pub(crate) defs: HashMap<&'a str, usize>,
    pub(crate) games: HashMap<&'a str, usize>,
}

impl<'a> Unit<'a> {
    /// The names of a file; those said twice are errors (E02). A used file brings no inputs (rule 14), but its own
    /// lets may read them, so they are known here.
    pub(crate) fn new(file: &'a tree::File, name: &'a str, uses: &'a [usize], errors: &mut Vec<Diagnostic>) -> Self {
        let mut unit = Unit { file, name, uses, values: HashMap::new(), defs: HashMap::new(), games: HashMap::new() };
        let mut seen: HashMap<(&'static str, &'a str), Span> = HashMap::new();
        let mut first = |space: &'static str, name: &'a Name, errors: &mut Vec<Diagnostic>| {
            let known = seen.get(&(space, &*name.text)).copied();
            if known.is_some() {
                errors.push(twice(space, &name.text, name.span));
            } else {
                seen.insert((space, &name.text), name.span);
            }
            known.is_none()
        };
        for (index, item) in file.items.iter().enumerate() {
            match item {
                Item::Input { names, .. } => {
                    for name in names {
                        if first("value", name, errors) {
                            unit.values.insert(&name.text, (index, name.span));
                        }
                    }
                }
                Item::Let(line) => {
                    for name in pattern_names(&line.pattern) {
                        if name.text != "_" && first("value", name, errors) {
                            unit.values.insert(&name.text, (index, name.span));
                        }
                    }
                }
                Item::Def(def) if first("function", &def.name, errors) => {
                    unit.defs.insert(&def.name.text, index);
                }
                Item::Game(game) if first("game", &game.name, errors) => {
                    unit.games.insert(&game.name.text, index);
                }
                _ => {}
            }
        }
        unit
    }
}

/// E02 for a name that already names something of this space.
pub(crate) fn twice(space: &str, name: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::E02, span, format!("the {space} `{name}` is named twice"))
        .hint("give one of them another name")
}

/// All names in a pattern, left to right.
pub(crate) fn pattern_names(pattern: &Pattern) -> Vec<&Name> {
    let mut names = Vec::new();
    let mut todo = vec![pattern];
    while let Some(pattern) = todo.pop() {
        match pattern {
            Pattern::Name(name) => names.push(name),
            Pattern::Tuple(parts, _) => todo.extend(parts.iter().rev()),
        }
    }
    names
}
