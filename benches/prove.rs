//! Proofs: how long they take and how large automata become: `cargo bench --bench prove`.
//!
//! A row is a file of `benches/games/proofs/`. Seconds are those of the processor (of the wall clock where it cannot be told), least
//! of three, of the whole file from its text on. The last column is the time for the sentences alone.

use grundy::answer::Verdict;
use grundy::claims::File;
use grundy::engines::ask;
use grundy::input::data::NoFiles;
use grundy::prover::{Decided, arguments, prove_file};
use grundy::source::text::{SourceId, Sources};
use grundy::syntax::parse_file;
use grundy::typing::NoLoader;
use grundy::value::limits::Limits;
use grundy::vm::context::Context;
use grundy_automata::{Limit, solution};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

const TIME: Duration = Duration::from_mins(1);

/// Seconds of the processor so far.
#[cfg(unix)]
fn clock() -> f64 {
    use nix::sys::resource::{UsageWho, getrusage};
    let of = |who| {
        let usage = getrusage(who).expect("usage is told");
        let micro = |time: nix::sys::time::TimeVal| {
            Duration::from_secs(u64::try_from(time.tv_sec()).unwrap_or(0))
                + Duration::from_micros(u64::try_from(time.tv_usec()).unwrap_or(0))
        };
        (micro(usage.user_time()) + micro(usage.system_time())).as_secs_f64()
    };
    of(UsageWho::RUSAGE_SELF)
}

#[cfg(not(unix))]
fn clock() -> f64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed().as_secs_f64()
}

fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = clock();
    let result = work();
    (clock() - start, result)
}

/// A machine for the text, and what it stands in.
fn ctx(text: &str) -> (Context, Sources, SourceId) {
    let mut sources = Sources::default();
    let own = sources.add("proof.game", text);
    let file = parse_file(&sources, own).expect("a game file");
    let program = grundy::typing::check(&file, own, &mut sources, &mut NoLoader).expect("a game file");
    (Context::new(Arc::new(program), Arc::new(NoFiles), Limits::default(), ask), sources, own)
}

/// Seconds for the whole file, and whether all of it is proved.
fn proved(text: &str) -> (f64, bool) {
    let (seconds, all) = timed(|| {
        let (mut ctx, sources, own) = ctx(text);
        let mut all = true;
        prove_file(&mut ctx, TIME, File { sources: &sources, own }, &mut |finding| {
            all &= matches!(finding.verdict, Ok(Verdict::Proved { .. }));
        });
        all
    });
    (seconds, all)
}

/// The sentences of all proofs, those that were tried in vain too.
fn sentences(text: &str) -> Vec<Decided> {
    let (mut ctx, sources, own) = ctx(text);
    let mut all = Vec::new();
    arguments(&mut ctx, TIME, File { sources: &sources, own }, &mut |_, argument| all.extend(argument.decided));
    all
}

/// Seconds for all sentences, once.
fn decided(all: &[Decided], limit: &Limit) -> f64 {
    let start = clock();
    for one in all {
        let found = solution(&one.formula, one.system, limit).expect("it was decided before");
        assert_eq!(found.is_none(), one.never, "decided otherwise before");
    }
    clock() - start
}

fn main() {
    println!("| proofs | proved | seconds | sentences | largest automaton | alone |");
    println!("|---|---|--:|--:|--:|--:|");
    let folder = std::fs::read_dir("benches/games/proofs").expect("run it at the root of the tree");
    let mut files: Vec<_> = folder.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a text");
        let runs = [(), (), ()].map(|()| proved(&text));
        let seconds = runs.iter().map(|(seconds, _)| *seconds).fold(f64::INFINITY, f64::min);
        let all = sentences(&text);
        let limit = Limit::default();
        let own = [(), (), ()].map(|()| decided(&all, &limit));
        let own = own.into_iter().fold(f64::INFINITY, f64::min);
        println!(
            "| {} | {} | {seconds:.3} | {} | {} | {own:.3} |",
            path.file_stem().unwrap_or_default().display(),
            if runs.iter().all(|(_, all)| *all) { "all" } else { "NOT ALL" },
            all.len(),
            limit.largest.load(Ordering::Relaxed),
        );
    }
}
