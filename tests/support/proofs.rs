//! The proofs of the corpus, which are made once in a run.

use super::corpus_of_proofs::texts;
use super::proved::{LIBRARY, USUAL, ctx, told};
use super::rounds;
use grundy::claims::File;
use grundy::prover::{Decided, Effort, arguments, certificate};
use grundy::source::text::Sources;
use grundy::syntax::parse_file;
use grundy::typing::NoLoader;
use grundy_verify::Certificate;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// What became of a statement.
pub struct Proof {
    /// What is said of it: see [`told`].
    pub told: String,
    /// Every sentence that was decided.
    pub decided: Vec<Decided>,
    pub certificate: Option<Certificate>,
}

/// All statements of a text. Files that use others are left out.
pub fn proofs(name: &str, text: &str, effort: Effort) -> Vec<Proof> {
    let mut sources = Sources::default();
    let own = sources.add(name, text);
    let file = parse_file(&sources, own).unwrap_or_else(|errors| panic!("{errors:?}\n{name}"));
    let Ok(program) = grundy::typing::check(&file, own, &mut sources, &mut NoLoader) else { return Vec::new() };
    let file = File { sources: &sources, own };
    let mut all = Vec::new();
    arguments(&mut ctx(Arc::new(program)), effort, file, &mut |finding, argument| {
        let certificate = certificate(&finding, &argument, file, &[]).expect("short enough");
        all.push(Proof { told: told(&finding), decided: argument.decided, certificate });
    });
    all
}

/// The files of the corpus with their statements, in the order of [`texts`]; in the usual run a third of those that no test
/// names.
pub fn corpus() -> &'static [(String, Vec<Proof>)] {
    static ALL: OnceLock<Vec<(String, Vec<Proof>)>> = OnceLock::new();
    ALL.get_or_init(|| {
        let named = |name: &str| name == "books" || name == "false";
        let all = texts().into_iter().enumerate().filter(|(nth, (name, _))| nth % rounds(3, 1) == 0 || named(name));
        let texts: Vec<(String, String)> = all.map(|(_, text)| text).collect();
        let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let work = || {
            while let Some((at, (name, text))) = {
                let at = next.fetch_add(1, Ordering::Relaxed);
                texts.get(at).map(|text| (at, text))
            } {
                let effort = if name.starts_with("games") { LIBRARY } else { USUAL };
                let proofs = proofs(name, text, effort);
                done.lock().expect("no panic").push((at, name.clone(), proofs));
            }
        };
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
        let mut done = done.into_inner().expect("no panic");
        done.sort_by_key(|(at, ..)| *at);
        done.into_iter().map(|(_, name, proofs)| (name, proofs)).collect()
    })
}

/// The statements of one file of the corpus.
pub fn of(name: &str) -> &'static [Proof] {
    &corpus().iter().find(|(known, _)| known == name).expect("a file of the corpus").1
}
