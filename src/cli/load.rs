//! Game files and data files from disk, the library, and stdin.

use crate::cli::args::{self, Binding};
use crate::cli::files;
use crate::cli::workspace::Workspace;
use crate::contest::Given;
use crate::disk::{self, DataRead, TablesDir};
use crate::input::json;
use crate::model::Question;
use crate::source::{Code, Diagnostic, SourceId, Sources, Span};
use crate::syntax;
use crate::syntax::tree::{self, Item};
use crate::typing::{self, Loader};
use crate::value::Fault;
use crate::vm::context::Context;
use std::collections::HashMap;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

pub(crate) struct Loaded {
    pub(crate) program: Arc<crate::model::Program>,
    pub(crate) files: Arc<Disk>,
    /// The values that inputs are given.
    pub(crate) given: Given,
    /// What `table` lines ask for that is not defined (E20, E21): the rest of the file stands without them.
    pub(crate) refused: Vec<Diagnostic>,
}

/// A parsed file to which a question may still be added.
#[derive(Clone)]
pub(crate) struct Parsed {
    pub(crate) source: SourceId,
    pub(crate) tree: tree::File,
    disk: Disk,
}

/// The text of a game file, added to the sources; `-` is stdin.
pub(crate) fn read(path: &Path, sources: &mut Sources) -> Result<SourceId, Diagnostic> {
    let stdin = path.as_os_str() == "-";
    let name = if stdin { "<stdin>".to_string() } else { path.display().to_string() };
    let bytes = if stdin {
        read_stdin().map_err(|error| Diagnostic::bare(Code::D03, format!("stdin cannot be read: {error}")))?
    } else {
        files::read(path, "file", Code::D03)?
    };
    let text = syntax::decode(bytes, &name)?;
    Ok(sources.add(name, text))
}

fn read_stdin() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Parses a game file, which may read files below its folder and below those that are `allowed`.
pub(crate) fn parse(path: &Path, sources: &mut Sources, allowed: &[PathBuf]) -> Result<Parsed, Vec<Diagnostic>> {
    let source = read(path, sources).map_err(|error| vec![error])?;
    let tree = syntax::parse_file(sources, source)?;
    let mut disk = Disk { allowed: allowed.to_vec(), ..Disk::default() };
    let stdin = path.as_os_str() == "-";
    let path = if stdin { Path::new("<stdin>") } else { path };
    disk.paths.insert(source, path.to_path_buf());
    disk.allowed.push(path.parent().unwrap_or(Path::new("")).to_path_buf());
    Ok(Parsed { source, tree, disk })
}

impl Parsed {
    /// Files that it asks for, as soon as it has.
    pub(crate) fn asked(&self) -> Asked {
        self.disk.asked.clone()
    }

    /// Puts positions in place of the file's `solve` lines.
    pub(crate) fn ask_positions(&mut self, positions: &[String], sources: &mut Sources) -> Result<(), Vec<Diagnostic>> {
        if positions.is_empty() {
            return Ok(());
        }
        self.tree.items.retain(|item| !matches!(item, Item::Solve { .. }));
        for text in positions {
            let id = sources.add("<position>", text.as_str());
            let position = syntax::parse_position(sources, id)?;
            let span = position.span;
            self.tree.items.push(Item::Solve { position, span });
        }
        Ok(())
    }

    /// Puts a query in place of the file's `table` lines.
    pub(crate) fn ask_table(&mut self, query: &str, sources: &mut Sources) -> Result<(), Vec<Diagnostic>> {
        self.tree.items.retain(|item| !matches!(item, Item::Table { .. }));
        let id = sources.add("<query>", query);
        let (value, clauses) = syntax::parse_query(sources, id)?;
        let span = value.span;
        self.tree.items.push(Item::Table { value, clauses, span });
        Ok(())
    }

    /// Puts lines that print these expressions in place of the file's `print` lines.
    pub(crate) fn ask_values(&mut self, values: &[&String], sources: &mut Sources) -> Result<(), Vec<Diagnostic>> {
        self.tree.items.retain(|item| !matches!(item, Item::Print { .. }));
        for text in values {
            let id = sources.add("<expression>", text.as_str());
            let value = syntax::parse_position(sources, id)?;
            let span = value.span;
            self.tree.items.push(Item::Print { values: vec![value], clauses: Vec::new(), span });
        }
        Ok(())
    }

    /// Adds a value that an input is given, written as in the language.
    fn give(&mut self, input: &str, text: &str, sources: &mut Sources) -> Result<(), Vec<Diagnostic>> {
        let id = sources.add(format!("<{input}=>"), text);
        let value = syntax::parse_position(sources, id)?;
        self.tree.items.push(Item::Given { input: input.to_string(), value });
        Ok(())
    }

    /// Checks it with the files it uses, and with values for its inputs: JSON, plain text, or expressions of the language.
    pub(crate) fn check_with(
        self,
        bindings: &[Binding],
        workspace: &mut Workspace,
    ) -> Result<(Loaded, Context), Vec<Diagnostic>> {
        let mut again = self.clone();
        let loaded = self.check(&mut workspace.sources)?;
        let (given, others) = args::from_arguments(&loaded.program, bindings)?;
        if others.is_empty() {
            let ctx = workspace.context(&loaded, given.clone());
            return Ok((Loaded { given, ..loaded }, ctx));
        }
        // What is wrong with it as an expression is told where it looks like one.
        let is_word =
            |text: &str| text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '"' | ' '));
        let mut told = Vec::new();
        for other in &others {
            if let Err(errors) = again.give(&other.name, &other.text, &mut workspace.sources) {
                told.extend(if is_word(&other.text) { vec![other.error.clone()] } else { errors });
            }
        }
        if !told.is_empty() {
            return Err(told);
        }
        let mut loaded = again.check(&mut workspace.sources).map_err(|errors| {
            let plain = others.iter().filter(|other| is_word(&other.text));
            let plain: Vec<Diagnostic> = plain.map(|other| other.error.clone()).collect();
            if plain.is_empty() { errors } else { plain }
        })?;
        let mut ctx = workspace.context(&loaded, given.clone());
        loaded.given = given;
        let program = loaded.program.clone();
        for question in &program.questions {
            let Question::Given { input, body } = question else { continue };
            let value = ctx.with_recovery(|ctx| ctx.eval(&body.frame, &body.term)).map_err(|error| vec![*error])?;
            loaded.given[*input] = Some(value);
        }
        ctx.give(loaded.given.clone());
        Ok((loaded, ctx))
    }

    /// Checks it with the files it uses.
    pub(crate) fn check(mut self, sources: &mut Sources) -> Result<Loaded, Vec<Diagnostic>> {
        let mut refused = Vec::new();
        let program = match typing::check(&self.tree, self.source, sources, &mut self.disk) {
            Err(errors) if errors.iter().all(|error| self.table_of(error).is_some()) => {
                let tables: Vec<Span> = errors.iter().filter_map(|error| self.table_of(error)).collect();
                self.tree.items.retain(|item| !matches!(item, Item::Table { span, .. } if tables.contains(span)));
                refused = errors;
                typing::check(&self.tree, self.source, sources, &mut self.disk)?
            }
            result => result?,
        };
        let given = vec![None; program.inputs.len()];
        Ok(Loaded { program: Arc::new(program), given, files: Arc::new(self.disk), refused })
    }

    /// The `table` line that asks for an undefined value, if that is the error.
    fn table_of(&self, error: &Diagnostic) -> Option<Span> {
        let at = error.span.filter(|_| matches!(error.code, Code::E20 | Code::E21))?;
        self.tree.items.iter().find_map(|item| match item {
            Item::Table { span, .. } if span.source == at.source && span.start <= at.start && at.end <= span.end => {
                Some(*span)
            }
            _ => None,
        })
    }
}

impl Loaded {
    /// Digests of the texts of the game file and those it uses, and of the values of its inputs.
    pub(crate) fn digests(&self, sources: &Sources) -> [String; 2] {
        let mut texts: Vec<&str> = self.files.sources().map(|id| &*sources.get(id).text).collect();
        texts.sort_unstable();
        let game: String = texts.iter().flat_map(|text| [disk::digest(text.as_bytes()), "\n".into()]).collect();
        let inputs = self.program.inputs.iter().zip(&self.given).filter_map(|(input, given)| {
            given.as_ref().map(|value| format!("{} = {}\n", input.name, json::to_json(value)))
        });
        let inputs: String = inputs.collect();
        [game, inputs].map(|text| disk::digest(text.as_bytes()))
    }

    /// The files that the rules have read so far, whenever it is asked.
    pub(crate) fn data(&self) -> DataRead {
        let asked = self.files.asked.clone();
        Box::new(move || asked.all())
    }

    /// A directory of tables made from this file, those it uses, and the values of its inputs. Errors: D03.
    /// `reads`: it must be there, and no new tables are begun.
    pub(crate) fn tables(&self, dir: &Path, sources: &Sources, reads: bool) -> Result<Arc<TablesDir>, Diagnostic> {
        let [game, inputs] = self.digests(sources);
        let data = self.data();
        TablesDir::open(dir, &game, &inputs, data, reads).map(Arc::new).map_err(Fault::bare)
    }
}

/// Files that a game file asks for, there or not.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked(Arc<Mutex<Vec<PathBuf>>>);

impl Asked {
    fn add(&self, path: &Path) {
        if let Ok(mut all) = self.0.lock()
            && !all.iter().any(|known| known == path)
        {
            all.push(path.to_path_buf());
        }
    }

    pub(crate) fn all(&self) -> Vec<PathBuf> {
        self.0.lock().map(|all| all.clone()).unwrap_or_default()
    }
}

/// Where sources stand on disk; finds used files and data files.
#[derive(Clone, Debug, Default)]
pub(crate) struct Disk {
    paths: HashMap<SourceId, PathBuf>,
    /// Only files below these folders are read.
    allowed: Vec<PathBuf>,
    library: HashMap<&'static str, SourceId>,
    asked: Asked,
}

impl Disk {
    /// The texts of the game file and of those it uses.
    fn sources(&self) -> impl Iterator<Item = SourceId> {
        self.paths.keys().chain(self.library.values()).copied()
    }

    fn folder(&self, source: SourceId) -> Option<&Path> {
        self.paths.get(&source).map(|path| path.parent().unwrap_or(Path::new("")))
    }

    fn beside(&self, path: &str, from: SourceId) -> PathBuf {
        self.folder(from).map_or_else(|| PathBuf::from(path), |folder| folder.join(path))
    }

    /// Whether a file may be read that a game file names: D03 where it is not below a folder that is allowed, links followed.
    fn permit(&self, path: &Path, what: &str) -> Result<(), Diagnostic> {
        let whole =
            |path: &Path| fs::canonicalize(if path.as_os_str().is_empty() { Path::new(".") } else { path }).ok();
        let below = |folder: &PathBuf| Some(whole(path)?.starts_with(whole(folder)?));
        if self.allowed.iter().any(|folder| below(folder) == Some(true)) {
            return Ok(());
        }
        let name = path.display();
        // What is there elsewhere is not told.
        let here = |folder: &PathBuf| Some(whole(path.parent()?)?.starts_with(whole(folder)?));
        if let Err(error) = fs::metadata(path)
            && self.allowed.iter().any(|folder| here(folder) == Some(true))
        {
            return Err(Diagnostic::bare(Code::D03, format!("{what} `{name}` cannot be read: {error}")));
        }
        let message =
            format!("{what} `{name}` is not below the folder of the game file, nor below one of `--allow-path`");
        Err(Diagnostic::bare(Code::D03, message).hint("`--allow-path DIR` allows what is below another folder"))
    }

    /// The source that was read from this file already.
    fn known(&self, path: &Path) -> Option<SourceId> {
        let whole = fs::canonicalize(path).ok()?;
        self.paths.iter().find(|(_, known)| fs::canonicalize(known).is_ok_and(|k| k == whole)).map(|(id, _)| *id)
    }
}

impl Loader for Disk {
    fn load(&mut self, name: &str, from: SourceId, sources: &mut Sources) -> Option<Result<SourceId, Diagnostic>> {
        if let Some(folder) = self.folder(from) {
            let path = folder.join(if Path::new(name).extension().is_some_and(|e| e == "game") {
                name.to_string()
            } else {
                format!("{name}.game")
            });
            self.asked.add(&path);
            let known = self.known(&path);
            if path.is_file() && known != Some(from) {
                if let Some(id) = known {
                    return Some(Ok(id));
                }
                let read = self.permit(&path, "file").and_then(|()| read(&path, sources));
                if let Ok(id) = read {
                    self.paths.insert(id, path);
                }
                return Some(read);
            }
        }
        let (name, text) = find(name)?;
        // A library file has no path, so it is the library's own file of that name that must not use itself.
        match self.library.get(name) {
            Some(id) if *id == from => None,
            Some(id) => Some(Ok(*id)),
            None => {
                let id = sources.add(format!("library:{name}"), text);
                self.library.insert(name, id);
                Some(Ok(id))
            }
        }
    }
}

impl crate::input::data::DataFiles for Disk {
    fn open(&self, path: &str, from: SourceId) -> Result<Option<Box<dyn io::Read>>, Fault> {
        let path = self.beside(path, from);
        self.asked.add(&path);
        if !path.try_exists().unwrap_or(true) {
            return Ok(None);
        }
        let told = |told: Diagnostic| match told.hint {
            Some(hint) => Fault::new(told.code, told.message).hint(hint),
            None => Fault::new(told.code, told.message),
        };
        self.permit(&path, "data file").map_err(told)?;
        Ok(Some(Box::new(files::open(&path, "data file", Code::D03).map_err(told)?)))
    }

    fn place(&self, path: &str, from: SourceId) -> String {
        self.beside(path, from).display().to_string()
    }
}

/// Names (`nim`, `folklore/moore`) and texts, by name.
static LIBRARY: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// The library file called `name`: by its whole name, or by its last part when only one file ends so.
pub fn find(name: &str) -> Option<(&'static str, &'static str)> {
    let name = name.strip_suffix(".game").unwrap_or(name);
    if let Some(exact) = LIBRARY.iter().find(|(known, _)| *known == name) {
        return Some(*exact);
    }
    let mut ending = LIBRARY.iter().filter(|(known, _)| known.rsplit('/').next() == Some(name));
    let first = ending.next()?;
    ending.next().is_none().then_some(*first)
}
