//! What `check` says of a file when only counts end its work, so that every machine finds the same.

use grundy::answer::Finding;
use grundy::claims::{Budget, File, check};
use grundy::engines::ask;
use grundy::input::data::NoFiles;
use grundy::source::diagnostic::Diagnostic;
use grundy::source::text::{SourceId, Sources};
use grundy::syntax::parse_file;
use grundy::typing::Loader;
use grundy::value::limits::Limits;
use grundy::vm::context::Context;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Finds used files in a folder, then in the library.
struct Folder<'p>(&'p Path);

impl Loader for Folder<'_> {
    fn load(&mut self, name: &str, _: SourceId, sources: &mut Sources) -> Option<Result<SourceId, Diagnostic>> {
        let name_of_file = format!("{name}.game");
        let mut folders = [self.0, Path::new("games")].into_iter();
        let text = folders.find_map(|folder| std::fs::read_to_string(folder.join(&name_of_file)).ok())?;
        Some(Ok(sources.add(name, text)))
    }
}

/// The findings of a file, which uses others of its folder; so many instances of each statement with an infinite range at most, and
/// so many steps of the rules for all of these statements that their instances are no larger than they need be.
pub fn file(path: &Path, instances: u64) -> Vec<Finding> {
    let text = std::fs::read_to_string(path).expect("a file");
    let mut sources = Sources::default();
    let id = sources.add(path.display().to_string(), text);
    let mut loader = Folder(path.parent().expect("a folder"));
    within(&mut sources, id, &mut loader, &Budget { time: Duration::MAX, instances, steps: Some(2_000_000) })
}

/// The findings of a source within a budget.
pub fn within(sources: &mut Sources, id: SourceId, loader: &mut dyn Loader, budget: &Budget) -> Vec<Finding> {
    let told = |errors: Vec<Diagnostic>| -> String { errors.iter().map(|e| e.message.clone() + "\n").collect() };
    let parsed = parse_file(sources, id).map_err(told).expect("the file parses");
    let program = grundy::typing::check(&parsed, id, sources, loader).map_err(told).expect("the file checks");
    let limits = Limits { positions: Some(100_000), ..Limits::default() };
    let mut ctx = Context::new(Arc::new(program), Arc::new(NoFiles), limits, ask);
    let mut findings = Vec::new();
    check(&mut ctx, budget, File { sources, own: id }, &mut |finding| findings.push(finding));
    findings
}
