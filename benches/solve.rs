//! Speed of whole solves, with hand-written rivals for the same game in the same run; the ratio is printed first.

use criterion::{Criterion, criterion_group, criterion_main};
use grundy::check::model::Question;
use grundy::check::{NoLoader, check};
use grundy::rules::data::NoFiles;
use grundy::rules::limits::Limits;
use grundy::rules::machine::Machine;
use grundy::rules::value::Value;
use grundy::solve::{self, Choice};
use grundy::syntax::parse_file;
use grundy::text::Sources;
use std::collections::HashMap;
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// Solves the one `solve` line of a file; returns the Grundy value if it is a number and the positions searched.
fn solve_text(text: &str) -> (Option<u64>, u64) {
    let mut sources = Sources::default();
    let id = sources.add("bench.game", text);
    let tree = parse_file(&sources, id).expect("the file parses");
    let program = Arc::new(check(&tree, id, &mut sources, &mut NoLoader).expect("the file checks"));
    let mut machine = Machine::new(program.clone(), Arc::new(NoFiles), Limits::default(), solve::ask);
    let Some(Question::Solve { body, .. }) = program.questions.first() else { panic!("a solve line") };
    let answer = machine
        .with_recovery(|machine| {
            let Value::Position(position) = machine.eval(&body.frame, &body.term)? else { panic!("a position") };
            solve::solve(machine, &position, Choice { exhaustive: true, moves: 0, remoteness: false })
        })
        .expect("the position is solved");
    let value = match answer.grundy {
        Some(grundy::answer::GrundyValue::Nimber(g)) => Some(g),
        _ => None,
    };
    (value, answer.positions)
}

fn coupled(n: u64) -> String {
    format!(
        "game Coupled(a, b, c) {{
           move a k in 1..min(3, a) -> Coupled(a - k, b, c)
           move b k in 1..min(3, b) -> Coupled(a, b - k, c)
           move c k in 1..min(3, c) -> Coupled(a, b, c - k)
           move each where a > 0 and b > 0 and c > 0 -> Coupled(a - 1, b - 1, c - 1)
         }}
         solve Coupled({n}, {n}, {n})"
    )
}

/// The same game by memo in a hash map, depth first with an explicit stack: what one would write in a hurry.
fn coupled_hashed(n: u32) -> u64 {
    type State = (u32, u32, u32);
    let options = |(a, b, c): State| -> Vec<State> {
        let mut all = Vec::with_capacity(10);
        all.extend((1..=a.min(3)).map(|k| (a - k, b, c)));
        all.extend((1..=b.min(3)).map(|k| (a, b - k, c)));
        all.extend((1..=c.min(3)).map(|k| (a, b, c - k)));
        if a > 0 && b > 0 && c > 0 {
            all.push((a - 1, b - 1, c - 1));
        }
        all
    };
    let mut memo: HashMap<State, u8> = HashMap::new();
    let mut stack = vec![(n, n, n)];
    while let Some(&state) = stack.last() {
        let options = options(state);
        let before = stack.len();
        stack.extend(options.iter().filter(|o| !memo.contains_key(o)).take(1));
        if stack.len() == before {
            let seen: Vec<u8> = options.iter().map(|o| memo[o]).collect();
            memo.insert(state, (0..=u8::MAX).find(|g| !seen.contains(g)).expect("few options"));
            stack.pop();
        }
    }
    u64::from(memo[&(n, n, n)])
}

/// A token on a random digraph, every vertex with three arcs: cyclic, decided for all vertices that can be reached.
fn token(n: u64) -> String {
    format!(
        "let n = {n}
         let g = digraph(n, [(i, (i * 7919 + j * 104729 + i * i mod 1009) mod n) for i in 0..n - 1, j in 0..2])
         game Token[g: digraph](at: vertex of g) {{ move go v in successors(g, at) -> Token(v) }}
         solve Token[g](0)"
    )
}

/// Tokens on a directed cycle of so many vertices with chords; two that meet vanish.
fn annihilation(n: u64) -> String {
    format!(
        "game Annihilation[g: digraph](tokens: set of vertex of g) {{
           move go u in tokens, v in successors(g, u) -> Annihilation(tokens xor {{u}} xor {{v}})
         }}
         let g = digraph({n}, [(i, (i + 1) mod {n}) for i in 0..{n} - 1] + [(i, (i + 5) mod {n}) for i in 0..{n} - 1 where i mod 3 == 0])
         solve Annihilation[g](vertices(g))"
    )
}

fn time<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = black_box(work());
    (result, start.elapsed().as_secs_f64())
}

fn ratios() {
    let ((value, positions), ours) = time(|| solve_text(&coupled(200)));
    let (rival, theirs) = time(|| coupled_hashed(200));
    assert_eq!(value, Some(rival), "both must answer alike");
    #[allow(clippy::cast_precision_loss)] // for print
    let rate = positions as f64 / ours / 1e6;
    println!(
        "coupled heaps 200^3: {positions} positions in {ours:.2} s ({rate:.1} million/s), hash map by hand {theirs:.2} s, ratio {:.2}",
        theirs / ours
    );
    for (name, text) in
        [("token on a digraph of 10^6 vertices", token(1_000_000)), ("set game on 22 vertices", annihilation(22))]
    {
        let ((_, positions), ours) = time(|| solve_text(&text));
        #[allow(clippy::cast_precision_loss)] // for print
        let rate = positions as f64 / ours / 1e6;
        println!("{name}: {positions} positions in {ours:.2} s ({rate:.1} million/s, building the graph included)");
    }
}

fn benches(c: &mut Criterion) {
    ratios();
    let mut group = c.benchmark_group("solve");
    group.sample_size(10);
    group.bench_function("coupled heaps 60^3", |b| b.iter(|| solve_text(&coupled(60))));
    group.bench_function("token on 10^4 vertices", |b| b.iter(|| solve_text(&token(10_000))));
    group.bench_function("set game on 14 vertices", |b| b.iter(|| solve_text(&annihilation(14))));
    group.finish();
}

criterion_group!(all, benches);
criterion_main!(all);
