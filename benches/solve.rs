//! Speed of whole solves inside the library: what a change does to it, by criterion. Programs written by hand for the same
//! games stand in `benches/rivals`, which measures whole processes.

use criterion::{Criterion, criterion_group, criterion_main};
use grundy::engines as solve;
use grundy::engines::Choice;
use grundy::input::data::NoFiles;
use grundy::model::Question;
use grundy::source::text::Sources;
use grundy::syntax::parse_file;
use grundy::typing::{NoLoader, check};
use grundy::value::Value;
use grundy::value::limits::Limits;
use grundy::vm::context::Context;
use std::sync::Arc;

/// Solves the first `solve` line of a file; how many positions were searched.
fn positions(text: &str) -> u64 {
    let mut sources = Sources::default();
    let id = sources.add("bench.game", text);
    let tree = parse_file(&sources, id).expect("the file parses");
    let program = Arc::new(check(&tree, id, &mut sources, &mut NoLoader).expect("the file checks"));
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), solve::ask);
    ctx.give(vec![None; program.inputs.len()]);
    let Some(Question::Solve { body, .. }) = program.questions.first() else { panic!("a solve line") };
    let answer = ctx
        .with_recovery(|ctx| {
            let Value::Position(position) = ctx.eval(&body.frame, &body.term)? else { panic!("a position") };
            solve::solve(ctx, &position, Choice { exhaustive: true, moves: 0, remoteness: true, outcome: false })
        })
        .expect("the position is solved");
    answer.positions
}

/// A file of `benches/games` with another default for its input `n`.
fn game(name: &str, n: u64) -> String {
    let path = format!("{}/games/{name}.game", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the game is in the tree");
    let (before, rest) = text.split_once("input n: nat = ").expect("an input `n`");
    let after = rest.split_once('\n').map_or("", |(_, after)| after);
    format!("{before}input n: nat = {n}\n{after}")
}

/// A token on a random digraph, three arcs at every vertex: plays come back.
fn token(n: u64) -> String {
    format!(
        "let n = {n}
         let g = digraph(n, [(i, (i * 7919 + j * 104729 + i * i mod 1009) mod n) for i in 0..n - 1, j in 0..2])
         game Token[g: digraph](at: vertex of g) {{ move go v in successors(g, at) -> Token(v) }}
         solve Token[g](0)"
    )
}

fn benches(c: &mut Criterion) {
    let mut group = c.benchmark_group("solve");
    group.sample_size(10);
    let cases = [
        ("coupled heaps 200^3", game("coupled", 200)),
        ("token on a digraph of 10^6 vertices", token(1_000_000)),
        ("set game on 22 vertices", game("annihilation", 22)),
        ("spread positions", game("sparse", 20_000)),
    ];
    for (name, text) in cases {
        println!("{name}: {} positions", positions(&text));
        group.bench_function(name, |b| b.iter(|| positions(&text)));
    }
    group.finish();
}

criterion_group!(all, benches);
criterion_main!(all);
