//! States that differ only in the order of fields which may change places are one in the tables of those that are met: the
//! answers are those without that, and with several threads, and those of a search on values.

use crate::naive::Rng;
use crate::naive::engine::{program, said, solved};
use crate::rounds;
use grundy::answer::Answer;
use grundy::engines as solve;
use grundy::graph_search::Solved;
use grundy::input::data::NoFiles;
use grundy::model::Program;
use grundy::value::limits::Limits;
use grundy::vm::context::{Context, Policy};
use std::num::NonZeroUsize;
use std::sync::Arc;

/// How a game is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Symmetric { threads: usize },
    Each,
    Plain,
}

/// The answers to all `solve` lines, and the numbers of positions of all tables and graphs.
fn answers(program: &Arc<Program>, way: Way, trial: u64) -> (Vec<Result<Answer, String>>, u64) {
    let limits = match way {
        Way::Symmetric { threads } if threads > 1 => {
            Limits { threads: NonZeroUsize::new(threads), grain: 0, ..Limits::default() }
        }
        _ => Limits::default(),
    };
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), limits, solve::ask);
    ctx.options.split = Policy::Never;
    ctx.options.symmetric = way != Way::Each;
    ctx.options.boxed = false;
    ctx.options.plain = way == Way::Plain;
    ctx.options.trial = trial;
    ctx.give(vec![None; program.inputs.len()]);
    let all = solved(&mut ctx, true);
    let tables: u64 = ctx.memo.tables.values().map(grundy::tables::Table::positions).sum();
    let reached = |solved: &Solved| if let Solved::Reached(of) = solved { of.cells.len() as u64 } else { 0 };
    let graphs: u64 = ctx.memo.solved.values().map(reached).sum();
    (all, tables + graphs)
}

/// What does not depend on the way: no count of positions.
fn all_said(answers: &[Result<Answer, String>]) -> Vec<String> {
    answers.iter().map(|answer| said(answer, true)).collect()
}

/// A move on three fields: a line of a game with the fields in some order.
fn line(rng: &mut Rng, number: usize, kind: i64, order: [usize; 3], top: i64) -> String {
    let names = ["a", "b", "c"];
    let [x, y, z] = order.map(|field| names[field]);
    let to = |changed: &[(&str, String)]| {
        let of =
            |name: &&str| changed.iter().find(|(n, _)| n == name).map_or((*name).to_string(), |(_, to)| to.clone());
        names.iter().map(of).collect::<Vec<_>>().join(", ")
    };
    let (guard, target) = match kind {
        0 => (format!("{x} > 0"), to(&[(x, format!("{x} - 1"))])),
        1 => (format!("{x} > 1 and {y} < {top}"), to(&[(x, format!("{x} - 2")), (y, format!("{y} + 1"))])),
        2 => (format!("{x} < {top} and {x} mod 3 == 1"), to(&[(x, format!("{x} + 1"))])),
        3 => (format!("{x} > {y} and {z} > 0"), to(&[(x, y.to_string()), (z, format!("{z} - 1"))])),
        4 => (format!("{x} == {y} and {x} > 2"), to(&[(x, "0".into()), (y, format!("{y} div 2"))])),
        _ => (format!("{x} + {y} > {z} and {x} > 0"), to(&[(x, format!("{x} div 2")), (z, format!("min({z}, {x})"))])),
    };
    let again = if rng.chance(5) { "again " } else { "" };
    format!(" move m{number} where {guard} -> {again}G({target})\n")
}

const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [1, 0, 2], [2, 1, 0], [0, 2, 1], [1, 2, 0], [2, 0, 1]];

/// A game whose moves come in all orders of the fields, of two of them, or, now and then, with one that is left out.
fn game(rng: &mut Rng) -> String {
    let top = rng.range(3, 7);
    let mut lines = Vec::new();
    let orders: Vec<[usize; 3]> = if rng.chance(70) { ORDERS.to_vec() } else { ORDERS[..2].to_vec() };
    for _ in 0..rng.range(1, 3) {
        let kind = rng.range(0, 5);
        let begin = u64::try_from(rng.range(0, 1 << 30)).expect("a seed");
        for &order in &orders {
            let number = lines.len();
            lines.push(line(&mut Rng::new(begin), number, kind, order, top));
        }
    }
    if rng.chance(25) {
        lines.remove(rng.below(lines.len()));
    }
    let end = *rng.pick(&[
        "",
        "",
        " end when a + b + c == 4 : drawn\n",
        " end when min(a, b, c) == 2 : lost\n",
        " end when a == 1\n",
    ]);
    let misere = if rng.chance(25) { "misere " } else { "" };
    let mut starts = String::new();
    for _ in 0..4 {
        let [a, b, c] = [0; 3].map(|_| rng.range(0, top));
        starts = format!("{starts}solve G({a}, {b}, {c})\n");
    }
    format!("{misere}game G(a, b, c) {{\n{}{end}}}\n{starts}", lines.concat())
}

#[test]
fn answers_do_not_depend_on_the_order_of_fields() {
    let shift: u64 = std::env::var("GRUNDY_SEEDS").ok().and_then(|s| s.parse().ok()).unwrap_or(0);
    let (mut fewer, mut errors) = (0, 0);
    for seed in 0..rounds(30, 250) {
        let mut rng = Rng::new(seed + (shift << 32));
        let text = game(&mut rng);
        let program = program(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let trial = *rng.pick(&[0, 3, 10, 30]);
        let (each, many) = answers(&program, Way::Each, trial);
        let (plain, _) = answers(&program, Way::Plain, trial);
        assert_eq!(all_said(&each), all_said(&plain), "{text}");
        for threads in [1, 3] {
            let (symmetric, few) = answers(&program, Way::Symmetric { threads }, trial);
            assert_eq!(all_said(&symmetric), all_said(&plain), "{threads} {trial} {text}");
            fewer += u32::from(few < many);
        }
        errors += plain.iter().filter(|answer| answer.is_err()).count();
    }
    assert!(shift > 0 || fewer > rounds(12, 100) && errors < 100, "{fewer} {errors}");
}
