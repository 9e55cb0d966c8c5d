//! Boxes worked out in blocks: the same as by the graph of the whole box, in memory and in a folder, stopped anywhere and
//! resumed; and files that were changed.

use crate::naive::engine::{EVERYTHING, each, program};
use grundy::answer::Outcome;
use grundy::bytecode::{Code, InstanceId};
use grundy::disk::Folder;
use grundy::engines;
use grundy::graph_search::blocks::{Blocks, Setting, Stop};
use grundy::graph_search::retrograde::{Decided, ReverseGraph};
use grundy::graph_search::{Graph, Solved};
use grundy::input::data::NoFiles;
use grundy::tables::{BoxRules, Grid};
use grundy::value::limits::Limits;
use grundy::value::refusal::Failure;
use grundy::vm::context::{Context, Policy};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A game whose box the engines have worked out as one graph.
struct Game {
    name: &'static str,
    rules: (Arc<Code>, InstanceId),
    grid: Grid,
    joined: Vec<bool>,
    misere: bool,
    /// By rank; `None`: not known.
    expected: Vec<Option<Decided>>,
}

/// The game of a text with one `solve` line, of which the box of states is worked out. Sets are fields of joined bits.
fn game(name: &'static str, text: &str, sets: &[bool]) -> Game {
    let program = program(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), engines::ask);
    (ctx.options.trial, ctx.options.split, ctx.options.parts) = (0, Policy::Never, false);
    ctx.give(vec![None; program.inputs.len()]);
    let answer = each(&mut ctx, |ctx, position| engines::solve(ctx, position, EVERYTHING)).remove(0);
    let mut solved = ctx.memo.solved.drain();
    let Some(((instance, misere), Solved { graph: Graph::Boxed(graph), cells, .. })) = solved.next() else {
        let answer = answer.map(|answer| (answer.outcome, answer.method, answer.positions));
        panic!("{name}: no graph of a box: {:?} {answer:?}", ctx.memo.graph_refusals)
    };
    drop(solved);
    let ids: Vec<_> = ctx.component_ids().collect();
    let code = ctx.code_of(ids[0]);
    let grid = graph.grid().clone();
    let node = |rank: u64| graph.node(&grid.words(rank)).map(|node| cells.decided(node));
    let expected: Vec<Option<Decided>> = (0..grid.volume).map(node).collect();
    let count = |outcome: Outcome| expected.iter().flatten().filter(|known| known.outcome == outcome).count();
    println!(
        "{name}: {} states, exact {}, {} won, {} lost, {} drawn, {} unknown, ends {}, keeps {}",
        grid.volume,
        graph.is_exact(),
        count(Outcome::First),
        count(Outcome::Second),
        count(Outcome::Draw),
        expected.iter().filter(|known| known.is_none()).count(),
        graph.ends().len(),
        graph.keeps_turn(),
    );
    Game { name, rules: (code, instance), grid, joined: sets.to_vec(), misere, expected }
}

/// Tokens on the vertices of a digraph that annihilate each other.
const ANNIHILATION: &str = "game Annihilation[g: digraph](tokens: set of vertex of g) {
  move go u in tokens, v in successors(g, u) -> Annihilation(tokens xor {u} xor {v}) }
let g = digraph(11, [(i, (i + 1) mod 11) for i in 0..10 where i != 4 and i != 8] + [(3, 0), (7, 5), (9, 2), (1, 6), (6, 4)])
solve Annihilation[g](vertices(g))";

fn games() -> Vec<Game> {
    vec![
        game("annihilation", ANNIHILATION, &[true]),
        game("misere annihilation", &ANNIHILATION.replace("game A", "misere game A"), &[true]),
        game(
            "tokens",
            "game T[g: digraph](a: vertex of g, b: vertex of g, c) {
  end when a == b and c == 1: lost
  move left v in successors(g, a) where c < 2 -> T(v, b, c)
  move right v in successors(g, b) where c > 0 -> T(a, v, c - 1)
  move up where c == 0 and a + b < 20 -> T(a, b, 2) }
let g = digraph(13, [(v, (v + 1) mod 13) for v in 0..12 where v != 6] + [(v, (v + 4) mod 13) for v in 0..8])
solve T[g](0, 5, 2)",
            &[false, false, false],
        ),
        game(
            "turns",
            "game C(a, b) {
  move up where a < 23 -> again C(a + 1, b)
  move down where a > 1 and b > 0 -> C(a - 2, b - 1)
  move over where b < 17 -> C(a, b + 1)
  move far where b > 2 and a mod 3 == 1 -> again C(a, b - 3)
  move win where a == 7 and b == 5 -> win
  move lose where a + b == 20 -> lose
  move draw where a == 3 and b > 9 -> draw }
solve C(23, 17)",
            &[false, false],
        ),
        game(
            "ends",
            "game E(a, b) {
  end when a == 0: drawn
  end when a == 1: lost
  end when b == 9 and a mod 4 == 1: won
  move one where a > 0 -> E(a - 1, b)
  move two where a > 1 -> E(a - 2, if b > 0 then b - 1 else 9)
  move back where a < 40 and b mod 2 == 1 -> E(a + 1, b)
  move lose where b == 3 -> lose }
solve E(40, 9)",
            &[false, false],
        ),
        game(
            "misere ends",
            "misere game E(a, b) {
  end when a == 1 and b == 3: lost
  move two where a > 1 -> E(a - 2, if b > 0 then b - 1 else 9)
  move back where a < 40 and b mod 2 == 1 -> again E(a + 1, b) }
solve E(40, 9)",
            &[false, false],
        ),
        game(
            "faults",
            "game F(a, b) {
  move one where a > 0 and 7 div (if a > 14 and b == 2 then 0 else 1) > 3 -> F(a - 1, b)
  move two where b > 0 and a < 12 -> F(a, b - 1)
  move back where b < 6 and a mod 5 == 2 -> F(a, b + 1)
  move jump where b == 4 and a > 13 -> F(a, 2)
  move lose where a == 9 -> lose }
solve F(20, 6)",
            &[false, false],
        ),
        game(
            "sets and counters",
            "game S[g: digraph](at: set of vertex of g, left) {
  move go u in at, v in successors(g, u) - at where left > 0 -> S(at - {u} + {v}, left - 1)
  move rest where left < 10 and 0 in at -> S(at, left + 1)
  move off where left mod 4 == 1 and 3 in at -> again S(at - {3}, left) }
let g = digraph(7, [(v, (v * 3 + 1) mod 7) for v in 0..6] + [(v, (v + 2) mod 7) for v in 0..3])
solve S[g]({0, 2, 4}, 10)",
            &[true, false],
        ),
    ]
}

fn rules(game: &Game) -> BoxRules<'static> {
    BoxRules::of_words(game.rules.0.clone(), game.rules.1, Limits::default()).expect("only words")
}

fn solve(game: &Game, setting: &Setting, folder: Option<&PathBuf>) -> Result<Blocks, Failure> {
    let folder = folder.map(|path| Folder::bare(path).expect("a folder"));
    Blocks::solve_with(&rules(game), &game.grid, &game.joined, game.misere, setting, folder)
}

fn same(game: &Game, blocks: &Blocks, how: &str) {
    for (rank, expected) in (0..).zip(&game.expected) {
        let read = blocks.read(&game.grid.words(rank)).expect("whole");
        assert_eq!(read, *expected, "{} {how}: rank {rank} {:?}", game.name, game.grid.words(rank));
    }
    assert_eq!(blocks.positions(), game.grid.volume);
}

/// A folder of its own for a test, empty.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("grundy-blocks-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    path
}

fn small(memory: usize) -> Setting {
    Setting { memory: Some(memory), ..Setting::new(4) }
}

#[test]
fn blocks_say_what_the_graph_of_the_box_says() {
    let path = folder("same");
    for game in games() {
        for bits in [1, 4, 7, 16] {
            same(&game, &solve(&game, &Setting::new(bits), None).expect("in memory"), "in memory");
            for memory in [None, Some(1 << 14), Some(0)] {
                let _ = fs::remove_dir_all(&path);
                let setting = Setting { memory, ..Setting::new(bits) };
                let how = format!("{bits} bits {memory:?}");
                same(&game, &solve(&game, &setting, Some(&path)).expect("in a folder"), &how);
                // The folder knows it.
                same(
                    &game,
                    &solve(&game, &Setting { stop: Some(Stop { after: 0, saves: false }), ..setting }, Some(&path))
                        .expect("found"),
                    &how,
                );
            }
        }
    }
    let _ = fs::remove_dir_all(&path);
}

#[test]
fn a_long_play_has_a_place() {
    let text = "game L(n) { move on where n > 0 -> L(n - 1)\n move stay where n == 20000 -> L(n) }\nsolve L(20000)";
    let game = game("long", text, &[false]);
    assert!(game.expected.iter().flatten().any(|known| known.remoteness > 1 << 14));
    let path = folder("long");
    same(&game, &solve(&game, &Setting::new(9), None).expect("in memory"), "in memory");
    let setting = Setting { memory: Some(1 << 14), ..Setting::new(9) };
    same(&game, &solve(&game, &setting, Some(&path)).expect("in a folder"), "in a folder");
    let _ = fs::remove_dir_all(&path);
}

#[test]
fn a_run_goes_on_from_wherever_it_was_stopped() {
    let path = folder("stopped");
    for game in games() {
        let mut stopped = 0;
        for interval in [Duration::ZERO, Duration::from_secs(3600)] {
            for saves in [true, false] {
                for memory in [1 << 14, 1 << 11] {
                    let setting = |after| Setting { interval, stop: Some(Stop { after, saves }), ..small(memory) };
                    let mut after = 0;
                    loop {
                        let _ = fs::remove_dir_all(&path);
                        let how = format!("{interval:?} {saves} {memory} after {after}");
                        if let Ok(blocks) = solve(&game, &setting(after), Some(&path)) {
                            same(&game, &blocks, &how);
                            break;
                        }
                        stopped += 1;
                        let blocks =
                            solve(&game, &small(memory * 2), Some(&path)).unwrap_or_else(|e| panic!("{e:?} {how}"));
                        same(&game, &blocks, &how);
                        after += 1 + after / 8;
                    }
                }
            }
        }
        // Stopped again and again.
        let _ = fs::remove_dir_all(&path);
        let setting = |after| Setting {
            interval: Duration::from_secs(3600),
            stop: Some(Stop { after, saves: true }),
            ..small(1 << 11)
        };
        let (mut times, blocks) = (
            0,
            loop {
                match solve(&game, &setting(5), Some(&path)) {
                    Ok(blocks) => break blocks,
                    Err(_) => stopped += 1,
                }
            },
        );
        times += stopped;
        same(&game, &blocks, "again and again");
        println!("{}: stopped {times} times", game.name);
    }
    let _ = fs::remove_dir_all(&path);
}
