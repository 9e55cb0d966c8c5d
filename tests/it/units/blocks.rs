//! Boxes worked out in blocks: the same as by the graph of the whole box, in memory and in a folder, stopped anywhere and
//! resumed; and files that were changed.

use crate::naive::engine::{EVERYTHING, each, program};
use crate::rounds;
use grundy::answer::Outcome;
use grundy::bytecode::{Code, InstanceId};
use grundy::disk::Folder;
use grundy::engines;
use grundy::graph_search::blocks::{Blocks, Setting, Stop};
use grundy::graph_search::retrograde::Decided;
use grundy::graph_search::{Graph, Solved};
use grundy::input::data::NoFiles;
use grundy::tables::{BoxRules, Grid};
use grundy::value::limits::Limits;
use grundy::value::refusal::{Failure, Refusal};
use grundy::vm::context::{Context, Policy};
use std::fmt::Write;
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
    boxed(name, text, sets).unwrap_or_else(|why| panic!("{name}: no graph of a box: {why}"))
}

/// The same, or why there is none.
fn boxed(name: &'static str, text: &str, sets: &[bool]) -> Result<Game, String> {
    let program = program(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), engines::ask);
    (ctx.options.trial, ctx.options.split, ctx.options.parts) = (0, Policy::Never, false);
    ctx.options.blocked = false;
    ctx.give(vec![None; program.inputs.len()]);
    let answer = each(&mut ctx, |ctx, position| engines::solve(ctx, position, EVERYTHING)).remove(0);
    let mut solved = ctx.memo.solved.drain();
    let Some(((instance, misere), Solved { graph: Graph::Boxed(graph), cells, .. })) = solved.next() else {
        let answer = answer.map(|answer| (answer.outcome, answer.method, answer.positions));
        return Err(format!("{:?} {answer:?}", ctx.memo.graph_refusals));
    };
    drop(solved);
    let ids: Vec<_> = ctx.component_ids().collect();
    let code = ctx.code_of(ids[0]);
    let grid = graph.grid().clone();
    let node = |rank: u64| graph.node(&grid.words(rank)).map(|node| cells.decided(node));
    let expected: Vec<Option<Decided>> = (0..grid.volume).map(node).collect();
    Ok(Game { name, rules: (code, instance), grid, joined: sets.to_vec(), misere, expected })
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
        let mut stopped = 0u32;
        for interval in [Duration::ZERO, Duration::from_hours(1)] {
            for saves in [true, false] {
                for &memory in rounds(&[1 << 11][..], &[1 << 14, 1 << 11]) {
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
                        // Everywhere in the smallest of them.
                        after += if game.expected.len() < 200 { 1 } else { 1 + after / rounds(2, 4) };
                    }
                }
            }
        }
        // Stopped again and again.
        let _ = fs::remove_dir_all(&path);
        let stop = Some(Stop { after: 5, saves: true });
        let setting = Setting { interval: Duration::from_hours(1), stop, ..small(1 << 11) };
        let blocks = loop {
            match solve(&game, &setting, Some(&path)) {
                Ok(blocks) => break blocks,
                Err(_) => stopped += 1,
            }
        };
        same(&game, &blocks, "again and again");
        assert!(stopped > 20, "{} {stopped}", game.name);
    }
    let _ = fs::remove_dir_all(&path);
}

#[test]
fn a_limit_leaves_a_checkpoint() {
    let path = folder("limit");
    let game = game("annihilation", ANNIHILATION, &[true]);
    let folder = || Some(Folder::bare(&path).expect("a folder"));
    let late = Limits::default().with_time(Some(Duration::ZERO));
    let rules_late = BoxRules::of_words(game.rules.0.clone(), game.rules.1, late).expect("only words");
    let stopped = Blocks::solve(&rules_late, &game.grid, &game.joined, game.misere, 4, folder());
    let Err(Failure::Halted(halt)) = stopped else { panic!("a limit") };
    assert_eq!(halt.code(), Some(grundy::source::Code::L03));
    assert_eq!(files(&path).iter().filter(|(path, _)| path.ends_with("note")).count(), 1);
    // Too little memory is no error, and changes nothing.
    let small = BoxRules::of_words(game.rules.0.clone(), game.rules.1, Limits { memory: 1 << 20, ..Limits::default() });
    let refused = Blocks::solve(&small.expect("only words"), &game.grid, &game.joined, game.misere, 4, folder());
    assert!(matches!(refused, Err(Failure::Refused(Refusal::Memory(bytes))) if bytes > 1 << 20));
    let blocks = Blocks::solve(&rules(&game), &game.grid, &game.joined, game.misere, 4, folder()).expect("resumed");
    same(&game, &blocks, "resumed");
    // Of another box, or of other rules for the end.
    assert!(Blocks::solve(&rules(&game), &game.grid, &game.joined, !game.misere, 4, folder()).is_err());
    assert!(Blocks::solve(&rules(&game), &game.grid, &game.joined, game.misere, 5, folder()).is_err());
    let left: Vec<PathBuf> = files(&path).into_iter().map(|(path, _)| path).collect();
    assert!(left.iter().all(|path| !path.to_string_lossy().contains("bunches")), "{left:?}");
    let _ = fs::remove_dir_all(&path);
}

/// What a move of a random game leads to.
#[derive(Clone, Copy, PartialEq)]
enum Target {
    Step(u64, u64, bool),
    Wins,
    Loses,
    Draws,
}

/// Where a random game has a move: `(x * a + y * b) mod m < r`.
type Condition = (u64, u64, u64, u64);

/// States `(a, b)` below these; moves add modulo them.
const SIZES: (u64, u64) = (23, 17);

/// Decides all states layer by layer, from the rules alone.
fn naive(moves: &[(Condition, Target)], ended: Option<(Condition, u8)>, misere: bool) -> Vec<Decided> {
    let (sizes, holds) = (SIZES, |(x, y, m, r): Condition, (a, b): (u64, u64)| (x * a + y * b) % m < r);
    let states: Vec<(u64, u64)> = (0..sizes.0).flat_map(|a| (0..sizes.1).map(move |b| (a, b))).collect();
    let at = |(a, b): (u64, u64)| usize::try_from(a * sizes.1 + b).expect("small");
    let mut known: Vec<Option<Decided>> = vec![None; states.len()];
    for far in 0..u32::try_from(states.len()).expect("few") + 2 {
        let decided = |outcome| Some(Decided { outcome, remoteness: if outcome == Outcome::Draw { 0 } else { far } });
        let mut next = known.clone();
        for &state in &states {
            if known[at(state)].is_some() {
                continue;
            }
            let here = ended.filter(|&(condition, _)| holds(condition, state)).map(|(_, code)| code);
            let mine: Vec<Target> = moves.iter().filter(|(c, _)| holds(*c, state)).map(|(_, to)| *to).collect();
            // For the mover: won, lost, or neither known; moves that end the play are decided from the first layer on.
            let worth = |target: Target| match target {
                Target::Wins if far > 0 => Some(Outcome::First),
                Target::Loses if far > 0 => Some(Outcome::Second),
                Target::Step(da, db, again) => {
                    let to = at(((state.0 + da) % sizes.0, (state.1 + db) % sizes.1));
                    known[to].map(|known| match (known.outcome, again) {
                        (Outcome::First, false) => Outcome::Second,
                        (Outcome::Second, false) => Outcome::First,
                        (outcome, _) => outcome,
                    })
                }
                _ => None,
            };
            next[at(state)] = match here {
                Some(0) => decided(Outcome::First),
                Some(1) => decided(Outcome::Second),
                Some(_) => decided(Outcome::Draw),
                None if mine.is_empty() => decided(if misere { Outcome::First } else { Outcome::Second }),
                None if mine.iter().any(|&target| worth(target) == Some(Outcome::First)) => decided(Outcome::First),
                None if mine.iter().all(|&target| worth(target) == Some(Outcome::Second)) => decided(Outcome::Second),
                None => None,
            };
        }
        known = next;
    }
    known.into_iter().map(|known| known.unwrap_or(Decided { outcome: Outcome::Draw, remoteness: 0 })).collect()
}

#[test]
fn random_games_are_decided_as_by_hand() {
    let (mut tried, mut outcomes) = (0, [0; 3]);
    let path = folder("random");
    for seed in 0..rounds(30u32, 2000) {
        let mut rng = fastrand::Rng::with_seed(seed.into());
        let (width, height) = SIZES;
        let condition = |rng: &mut fastrand::Rng, part: u64| {
            let m = rng.u64(5..40);
            (rng.u64(0..7), rng.u64(1..9), m, m * part / 10)
        };
        let moves: Vec<(Condition, Target)> = (0..rng.u64(3..7))
            .map(|i| {
                let target = match rng.u8(0..20) {
                    0 if i > 1 => Target::Wins,
                    1 if i > 1 => Target::Loses,
                    2 if i > 1 => Target::Draws,
                    k => Target::Step(rng.u64(0..width), rng.u64(1..height), k < 6),
                };
                let part = if matches!(target, Target::Step(..)) { rng.u64(4..9) } else { 2 };
                (condition(&mut rng, part), target)
            })
            .collect();
        let ended = rng.bool().then(|| (condition(&mut rng, 1), rng.u8(0..3)));
        let misere = rng.bool();
        let holds = |(x, y, m, r): Condition| format!("({x} * a + {y} * b) mod {m} < {r}");
        let mut text = format!("{}game R(a, b) {{\n", if misere { "misere " } else { "" });
        if let Some((condition, code)) = ended {
            let ended = ["won", "lost", "drawn"][usize::from(code)];
            writeln!(text, "  end when {}: {ended}", holds(condition)).expect("a text");
        }
        for (i, (condition, target)) in moves.iter().enumerate() {
            let target = match target {
                Target::Step(da, db, again) => {
                    format!("{}R((a + {da}) mod {width}, (b + {db}) mod {height})", if *again { "again " } else { "" })
                }
                Target::Wins => "win".to_string(),
                Target::Loses => "lose".to_string(),
                Target::Draws => "draw".to_string(),
            };
            writeln!(text, "  move m{i} where {} -> {target}", holds(*condition)).expect("a text");
        }
        text += "}\nsolve R(22, 16)";
        let Ok(game) = boxed("random", &text, &[false, false]) else { continue };
        tried += 1;
        let expected = naive(&moves, ended, misere);
        for bits in [3, 6, 16] {
            let _ = fs::remove_dir_all(&path);
            let setting = Setting { memory: Some(1 << 12), interval: Duration::ZERO, ..Setting::new(bits) };
            for blocks in [solve(&game, &setting, None), solve(&game, &setting, Some(&path))] {
                let blocks = blocks.expect("solved");
                for rank in 0..game.grid.volume {
                    let words = game.grid.words(rank);
                    let at = usize::try_from(words[0] * 17 + words[1]).expect("small");
                    let Some(read) = blocks.read(&words).expect("whole") else { continue };
                    assert_eq!(read, expected[at], "{words:?} {bits}\n{text}");
                    outcomes[usize::from(read.outcome == Outcome::First)
                        + 2 * usize::from(read.outcome == Outcome::Draw)] += 1;
                }
                same(&game, &blocks, "random");
            }
        }
    }
    assert!(tried > 5 && outcomes.iter().all(|&count| count > 0), "{tried} {outcomes:?}");
    let _ = fs::remove_dir_all(&path);
}

/// All files of a folder.
fn files(path: &PathBuf) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = fs::read_dir(path).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.map(|path| (path.clone(), fs::read(path).expect("a file"))).collect()
}

#[test]
fn a_changed_byte_is_an_error_or_harmless() {
    let path = folder("changed");
    let (mut errors, mut harmless) = (0, 0);
    for game in games() {
        for after in [Some(3), Some(14), Some(40), Some(90), None] {
            let _ = fs::remove_dir_all(&path);
            let stop = after.map(|after| Stop { after, saves: true });
            if solve(&game, &Setting { stop, ..small(1 << 11) }, Some(&path)).is_ok() && after.is_some() {
                continue;
            }
            let files = files(&path);
            for (changed, bytes) in &files {
                let mut rng = fastrand::Rng::with_seed(bytes.len() as u64);
                for round in 0..12 {
                    for (path, bytes) in &files {
                        fs::write(path, bytes).expect("written");
                    }
                    let mut other = bytes.clone();
                    if round == 0 {
                        other.truncate(bytes.len() / 2);
                    } else if !bytes.is_empty() {
                        other[rng.usize(0..bytes.len())] ^= 1 << rng.u8(0..8);
                    }
                    fs::write(changed, other).expect("written");
                    let blocks = solve(&game, &small(1 << 11), Some(&path));
                    let wrong = |why: &Failure| match why {
                        Failure::Halted(halt) => halt.code() != Some(grundy::source::Code::D03),
                        Failure::Refused(_) => true,
                    };
                    let Ok(blocks) = blocks else {
                        let why = blocks.expect_err("an error");
                        assert!(!wrong(&why), "{} {changed:?}: {why:?}", game.name);
                        errors += 1;
                        continue;
                    };
                    let mut met = false;
                    for (rank, expected) in (0..).zip(&game.expected) {
                        match blocks.read(&game.grid.words(rank)) {
                            Ok(read) => assert_eq!(read, *expected, "{} {changed:?} {rank}", game.name),
                            Err(_) => met = true,
                        }
                    }
                    *(if met { &mut errors } else { &mut harmless }) += 1;
                }
            }
        }
    }
    assert!(errors > harmless / 2);
    let _ = fs::remove_dir_all(&path);
}
