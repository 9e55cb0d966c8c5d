//! Boxes worked out in blocks: the same as position by position and by hand, in memory and in a folder, stopped anywhere and
//! resumed; and files that were changed.

use crate::naive::engine::{EVERYTHING, each, program};
use crate::rounds;
use grundy::answer::{GrundyValue, Outcome};
use grundy::bytecode::{Code, InstanceId};
use grundy::disk::Folder;
use grundy::engines;
use grundy::graph_search::Solved;
use grundy::graph_search::blocks::{Blocks, Extent, LoopyValue, Setting, Stop};
use grundy::graph_search::retrograde::Decided;
use grundy::input::data::NoFiles;
use grundy::tables::{BoxRules, Grid};
use grundy::value::limits::Limits;
use grundy::value::refusal::{Failure, Refusal};
use grundy::vm::context::{Context, Policy};
use std::collections::HashSet;
use std::fmt::Write;
use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// What is right about a state: who wins, and the value; of states without one that they lead to an end.
type Right = (Decided, Option<LoopyValue>);

/// A game of which the engines work out a whole box.
#[derive(Clone)]
pub(super) struct Game {
    pub(super) name: &'static str,
    rules: (Arc<Code>, InstanceId),
    pub(super) grid: Grid,
    pub(super) joined: Vec<bool>,
    pub(super) misere: bool,
    /// Only what is met from this rank has a place.
    met: Option<u64>,
    /// By rank; `None`: not known.
    expected: Vec<Option<Right>>,
}

impl Game {
    pub(super) fn extent(&self) -> Extent<'_> {
        Extent { grid: &self.grid, joined: &self.joined, met: self.met.map(|from| (from, u64::MAX)) }
    }

    /// The same of what is met from a rank.
    fn met_from(&self, from: u64) -> Game {
        Game { met: Some(from), ..self.clone() }
    }
}

/// The game of a text with one `solve` line, and what is right about all states of its box, position by position. Sets are
/// fields of joined bits.
fn game(name: &'static str, text: &str, sets: &[bool]) -> Game {
    let mut game = boxed(name, text, sets).unwrap_or_else(|why| panic!("{name}: no box: {why}"));
    let (rules, line) = text.rsplit_once("\nsolve ").expect("a line");
    let mut text = rules.to_string();
    for rank in 0..game.grid.volume {
        let words = game.grid.words(rank).into_iter().zip(sets);
        let members = |word: i64| (0..64).filter(|i| word >> i & 1 == 1).map(|i| i.to_string()).collect::<Vec<_>>();
        let field = |(word, is_set): (i64, &bool)| {
            if *is_set { format!("{{{}}}", members(word).join(", ")) } else { word.to_string() }
        };
        let fields: Vec<String> = words.map(field).collect();
        write!(text, "\nsolve {}({})", line.split_once('(').expect("a bracket").0, fields.join(", ")).expect("a text");
    }
    let program = program(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), engines::ask);
    ctx.options.plain = true;
    ctx.give(vec![None; program.inputs.len()]);
    let answers = each(&mut ctx, |ctx, position| engines::solve(ctx, position, EVERYTHING));
    let right = |answer: grundy::answer::Answer| {
        let remoteness = answer.remoteness.map_or(0, |far| u32::try_from(far).expect("short"));
        let value = match answer.grundy {
            Some(GrundyValue::Nimber(value)) => Some(LoopyValue::Finite(u32::try_from(value).expect("small"))),
            Some(_) => Some(LoopyValue::Infinite),
            None => None,
        };
        (Decided { outcome: answer.outcome, remoteness }, value)
    };
    game.expected = answers.into_iter().map(|answer| answer.ok().map(right)).collect();
    game
}

/// The box of a game, or why there is none.
pub(super) fn boxed(name: &'static str, text: &str, sets: &[bool]) -> Result<Game, String> {
    let program = program(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), engines::ask);
    (ctx.options.trial, ctx.options.split, ctx.options.parts) = (0, Policy::Never, false);
    ctx.give(vec![None; program.inputs.len()]);
    let answer = each(&mut ctx, |ctx, position| engines::solve(ctx, position, EVERYTHING)).remove(0);
    let mut solved = ctx.memo.solved.drain();
    let Some(((instance, misere), Solved::Boxed(blocks))) = solved.next() else {
        let answer = answer.map(|answer| (answer.outcome, answer.method, answer.positions));
        return Err(format!("{:?} {answer:?}", ctx.memo.graph_refusals));
    };
    drop(solved);
    let ids: Vec<_> = ctx.component_ids().collect();
    let code = ctx.code_of(ids[0]);
    let grid = blocks.grid().clone();
    Ok(Game { name, rules: (code, instance), grid, joined: sets.to_vec(), misere, met: None, expected: Vec::new() })
}

/// Tokens on the vertices of a digraph that annihilate each other.
const ANNIHILATION: &str = "game Annihilation[g: digraph](tokens: set of vertex of g) {
  move go u in tokens, v in successors(g, u) -> Annihilation(tokens xor {u} xor {v}) }
let g = digraph(9, [(i, (i + 1) mod 9) for i in 0..8 where i != 4] + [(3, 0), (7, 5), (1, 6), (6, 4)])
solve Annihilation[g](vertices(g))";

/// Games, and then the same of what is met from a state of each.
pub(super) fn games() -> Vec<Game> {
    let whole = boxes();
    let met = (3..).zip(&whole).map(|(part, game)| {
        let known = |rank: &u64| game.expected.get(usize::try_from(*rank).expect("small")).is_some_and(Option::is_some);
        let from = (game.grid.volume / part..game.grid.volume).find(known).expect("a state that is known");
        game.met_from(from)
    });
    let met: Vec<Game> = met.collect();
    whole.into_iter().chain(met).collect()
}

fn boxes() -> Vec<Game> {
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
        // More moves than cells of half a byte count.
        game(
            "many moves",
            "game M(a, b) {
  end when a == 3 and b == 2: lost
  move go k in 1..13 where (a + b) mod 4 > 0 or k < 3 -> M((a + k) mod 17, b)
  move over where a mod 3 == 1 -> M(a, (b + 1) mod 7)
  move win where a == 11 and b == 5 -> win }
solve M(16, 6)",
            &[false, false],
        ),
    ]
}

pub(super) fn rules(game: &Game) -> BoxRules<'static> {
    rules_within(game, Limits::default())
}

fn rules_within(game: &Game, limits: Limits) -> BoxRules<'static> {
    BoxRules::of_words(game.rules.0.clone(), game.rules.1, limits).expect("only words")
}

fn solve(game: &Game, setting: &Setting, folder: Option<&PathBuf>) -> Result<Blocks, Failure> {
    let folder = folder.map(|path| Folder::bare(path).expect("a folder"));
    Blocks::solve(&rules(game), &game.extent(), game.misere, setting, folder)
}

/// The same with all values.
pub(super) fn whole(game: &Game, setting: &Setting, folder: Option<&PathBuf>) -> Result<Blocks, Failure> {
    let blocks = solve(game, setting, folder)?;
    if !game.misere {
        blocks.values(&Limits::default(), &known(game, &blocks))?;
    }
    Ok(blocks)
}

/// The states that are answered for. Where only what is met has a place those that are not there are not.
pub(super) fn known(game: &Game, blocks: &Blocks) -> Vec<Vec<i64>> {
    let ranks = (0..).zip(&game.expected).filter(|(_, expected)| expected.is_some());
    let states = ranks.map(|(rank, _)| game.grid.words(rank));
    states.filter(|words| game.met.is_none() || matches!(blocks.read(words), Ok(Some(_)))).collect()
}

pub(super) fn same(game: &Game, blocks: &Blocks, how: &str) {
    let mut there = 0;
    for (rank, expected) in (0..).zip(&game.expected) {
        let read = blocks.read(&game.grid.words(rank)).expect("whole");
        if read.is_none() && game.met.is_some_and(|from| from != rank) {
            continue;
        }
        assert_eq!(read, expected.map(|right| right.0), "{} {how}: rank {rank} {:?}", game.name, game.grid.words(rank));
        there += 1;
    }
    // Those that lead out of the box have places, and are not known.
    let unknown =
        if game.met.is_some() { game.expected.iter().filter(|right| right.is_none()).count() as u64 } else { 0 };
    assert!((there..=there + unknown).contains(&blocks.positions()), "{} {how}: {there}", game.name);
    if game.misere {
        return;
    }
    let limits = Limits::default();
    let states = known(game, blocks);
    // One alone, by as many rounds as it takes; then all.
    let one = states.len() / 3;
    let alone = blocks.values(&limits, &states[one..=one]).expect("a value")[0];
    let values = blocks.values(&limits, &states).expect("values");
    assert_eq!(alone, values[one], "{} {how}", game.name);
    let right = |words: &Vec<i64>| {
        let rank = game.grid.rank(words).and_then(|rank| usize::try_from(rank).ok()).expect("in the box");
        game.expected[rank].expect("known")
    };
    for (value, words) in values.into_iter().zip(&states) {
        let right = right(words);
        let leads = blocks.leads(&limits, words).expect("known");
        match value {
            LoopyValue::Forbidden(ways) => {
                assert!(right.1.is_none() && ways == leads && ways != [false; 3], "{} {how} {words:?}", game.name);
            }
            value => assert_eq!((Some(value), [false; 3]), (right.1, leads), "{} {how} {words:?}", game.name),
        }
    }
}

/// A folder of its own for a test, empty.
pub(super) fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("grundy-blocks-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    path
}

fn small(memory: usize) -> Setting {
    Setting { memory: Some(memory), ..Setting::new(4) }
}

#[test]
fn blocks_say_what_a_search_of_each_position_says() {
    let path = folder("same");
    for game in games() {
        for bits in [1, 4, 7, 16] {
            same(&game, &solve(&game, &Setting::new(bits), None).expect("in memory"), "in memory");
            for threads in [2, 3] {
                let limits = Limits { threads: NonZeroUsize::new(threads), grain: 0, ..Limits::default() };
                let rules = rules_within(&game, limits.clone());
                let blocks =
                    Blocks::solve(&rules, &game.extent(), game.misere, &Setting::new(bits), None).expect("solved");
                if !game.misere {
                    blocks.values(&limits, &known(&game, &blocks)).expect("values");
                }
                same(&game, &blocks, "by threads");
            }
            for memory in [None, Some(1 << 14), Some(0)] {
                let _ = fs::remove_dir_all(&path);
                let setting = Setting { memory, ..Setting::new(bits) };
                let how = format!("{bits} bits {memory:?}");
                same(&game, &solve(&game, &setting, Some(&path)).expect("in a folder"), &how);
                // The folder knows it.
                same(
                    &game,
                    &solve(
                        &game,
                        &Setting { stop: Some(Stop { after: 0, saves: false }), ..setting.clone() },
                        Some(&path),
                    )
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
    assert!(game.expected.iter().flatten().any(|right| right.0.remoteness > 1 << 14));
    let path = folder("long");
    same(&game, &solve(&game, &Setting::new(9), None).expect("in memory"), "in memory");
    let setting = Setting { memory: Some(1 << 14), ..Setting::new(9) };
    same(&game, &solve(&game, &setting, Some(&path)).expect("in a folder"), "in a folder");
    let _ = fs::remove_dir_all(&path);
}

#[test]
fn a_run_goes_on_from_wherever_it_was_stopped() {
    let path = folder("stopped");
    for game in games().into_iter().step_by(rounds(3, 1)) {
        let mut stopped = 0u32;
        for interval in [Duration::ZERO, Duration::from_hours(1)] {
            for saves in [true, false] {
                for &memory in rounds(&[1 << 11][..], &[1 << 14, 1 << 11]) {
                    let setting = |after| Setting { interval, stop: Some(Stop { after, saves }), ..small(memory) };
                    let mut after = 0;
                    loop {
                        let _ = fs::remove_dir_all(&path);
                        let how = format!("{interval:?} {saves} {memory} after {after}");
                        if let Ok(blocks) = whole(&game, &setting(after), Some(&path)) {
                            same(&game, &blocks, &how);
                            break;
                        }
                        stopped += 1;
                        let blocks =
                            whole(&game, &small(memory * 2), Some(&path)).unwrap_or_else(|e| panic!("{e:?} {how}"));
                        same(&game, &blocks, &how);
                        // Everywhere in the smallest of them.
                        after += if game.expected.len() < 200 { 1 } else { 1 + after / rounds(1, 4) };
                    }
                }
            }
        }
        // Stopped again and again.
        let _ = fs::remove_dir_all(&path);
        let stop = Some(Stop { after: 5, saves: true });
        let setting = Setting { interval: Duration::from_hours(1), stop, ..small(1 << 11) };
        let blocks = loop {
            match whole(&game, &setting, Some(&path)) {
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
    let stopped = Blocks::solve(&rules_within(&game, late), &game.extent(), game.misere, &Setting::new(4), folder());
    let Err(Failure::Halted(halt)) = stopped else { panic!("a limit") };
    assert_eq!(halt.code(), Some(grundy::source::Code::L03));
    assert_eq!(files(&path).iter().filter(|(path, _)| path.ends_with("note")).count(), 1);
    // Too little memory is no error, and changes nothing.
    let small = rules_within(&game, Limits { memory: 1 << 20, ..Limits::default() });
    let refused = Blocks::solve(&small, &game.extent(), game.misere, &Setting::new(4), folder());
    assert!(matches!(refused, Err(Failure::Refused(Refusal::Memory(bytes))) if bytes > 1 << 20));
    let blocks =
        Blocks::solve(&rules(&game), &game.extent(), game.misere, &Setting::new(4), folder()).expect("resumed");
    same(&game, &blocks, "resumed");
    // Of another box, or of other rules for the end.
    assert!(Blocks::solve(&rules(&game), &game.extent(), !game.misere, &Setting::new(4), folder()).is_err());
    assert!(Blocks::solve(&rules(&game), &game.extent(), game.misere, &Setting::new(5), folder()).is_err());
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

/// The values of all states, of those without one that there is none: from the rules alone, one label after the other.
fn naive_values(moves: &[(Condition, Target)], ended: Option<(Condition, u8)>) -> Vec<Option<LoopyValue>> {
    let (sizes, holds) = (SIZES, |(x, y, m, r): Condition, (a, b): (u64, u64)| (x * a + y * b) % m < r);
    let states: Vec<(u64, u64)> = (0..sizes.0).flat_map(|a| (0..sizes.1).map(move |b| (a, b))).collect();
    let (mut forbidden, mut follow) = (Vec::new(), Vec::new());
    for &state in &states {
        let mine = || moves.iter().filter(|(c, _)| holds(*c, state)).map(|(_, to)| *to);
        let ends = |target| !matches!(target, Target::Step(_, _, false));
        let over = ended.is_some_and(|(condition, _)| holds(condition, state));
        forbidden.push(over || mine().any(ends));
        let to = |target| match target {
            Target::Step(da, db, _) if !over => Some(((state.0 + da) % sizes.0) * sizes.1 + (state.1 + db) % sizes.1),
            _ => None,
        };
        let at = |rank: u64| usize::try_from(rank).expect("small");
        follow.push(mine().filter_map(to).map(at).collect::<Vec<usize>>());
    }
    let mut label: Vec<Option<u32>> = vec![None; states.len()];
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for at in 0..states.len() {
            let leads = follow[at].iter().any(|&to| forbidden[to]);
            changed |= leads && !forbidden[at];
            forbidden[at] |= leads;
        }
    }
    changed = true;
    while std::mem::take(&mut changed) {
        for at in (0..states.len()).filter(|&at| !forbidden[at]) {
            let mex = (0..9).find(|&value| follow[at].iter().all(|&to| label[to] != Some(value)));
            let answered = |&to: &usize| label[to].is_some() || follow[to].iter().any(|&back| label[back] == mex);
            if label[at].is_none() && follow[at].iter().all(answered) {
                (label[at], changed) = (mex, true);
            }
        }
    }
    let value = |label: Option<u32>| label.map_or(LoopyValue::Infinite, LoopyValue::Finite);
    forbidden.iter().zip(label).map(|(forbidden, label)| (!forbidden).then(|| value(label))).collect()
}

/// How many states of the box are met from one; moves out of the box are none, for the states that have them are not known.
fn met_by_hand(moves: &[(Condition, Target)], ended: Option<(Condition, u8)>, game: &Game, from: u64) -> u64 {
    let holds = |(x, y, m, r): Condition, (a, b): (u64, u64)| (x * a + y * b) % m < r;
    let (mut met, mut todo) = (HashSet::from([from]), vec![from]);
    while let Some(rank) = todo.pop() {
        let words = game.grid.words(rank);
        let [a, b] = [words[0], words[1]].map(i64::unsigned_abs);
        if ended.is_some_and(|(condition, _)| holds(condition, (a, b))) {
            continue;
        }
        let options = moves.iter().filter(|(condition, _)| holds(*condition, (a, b))).filter_map(|(_, to)| match to {
            Target::Step(da, db, _) => Some(((a + da) % SIZES.0, (b + db) % SIZES.1)),
            _ => None,
        });
        let options = options.map(|(a, b)| [a, b].map(|word| i64::try_from(word).expect("small")));
        let inside: Option<Vec<u64>> = options.map(|words| game.grid.rank(&words)).collect();
        todo.extend(inside.unwrap_or_default().into_iter().filter(|&to| met.insert(to)));
    }
    met.len() as u64
}

#[test]
fn random_games_are_decided_as_by_hand() {
    let (mut tried, mut outcomes, mut values, mut spread) = (0, [0; 3], [0; 4], 0);
    let path = folder("random");
    for seed in 0..rounds(30u32, 2000) {
        let mut rng = fastrand::Rng::with_seed(seed.into());
        let (width, height) = SIZES;
        let condition = |rng: &mut fastrand::Rng, part: u64| {
            let m = rng.u64(5..40);
            (rng.u64(0..7), rng.u64(1..9), m, m * part / 10)
        };
        let mut moves: Vec<(Condition, Target)> = (0..rng.u64(3..7))
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
        let mut ended = rng.bool().then(|| (condition(&mut rng, 1), rng.u8(0..3)));
        if seed % 3 == 0 {
            // There are values.
            ended = None;
            for (_, target) in &mut moves {
                if let Target::Step(_, _, again) = target {
                    *again = false;
                }
            }
            moves.retain(|(_, target)| matches!(target, Target::Step(..)));
        }
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
        let Ok(mut game) = boxed("random", &text, &[false, false]) else { continue };
        tried += 1;
        let right: Vec<Right> = naive(&moves, ended, misere).into_iter().zip(naive_values(&moves, ended)).collect();
        // Not known are those that lead out of the box.
        let unknown = solve(&game, &Setting::new(16), None).expect("solved");
        game.expected = (0..game.grid.volume)
            .map(|rank| {
                let words = game.grid.words(rank);
                let at = usize::try_from(words[0] * 17 + words[1]).expect("small");
                unknown.read(&words).expect("whole").map(|_| right[at])
            })
            .collect();
        for (decided, value) in game.expected.iter().flatten() {
            outcomes[match decided.outcome {
                Outcome::First => 0,
                Outcome::Second => 1,
                Outcome::Draw => 2,
            }] += 1;
            values[match value {
                None => 0,
                Some(LoopyValue::Finite(0 | 1)) => 1,
                Some(LoopyValue::Finite(_)) => 2,
                Some(_) => 3,
            }] += i32::from(!misere);
        }
        for bits in [3, 6, 16] {
            let _ = fs::remove_dir_all(&path);
            let setting = Setting { memory: Some(1 << 12), interval: Duration::ZERO, ..Setting::new(bits) };
            same(&game, &solve(&game, &setting, None).expect("solved"), &text);
            same(&game, &solve(&game, &setting, Some(&path)).expect("solved"), &text);
            // What is met, and no other state, has a place.
            let from = rng.u64(0..game.grid.volume);
            let those = met_by_hand(&moves, ended, &game, from);
            let met = game.met_from(from);
            for folder in [None, Some(&path)] {
                let _ = fs::remove_dir_all(&path);
                let blocks = solve(&met, &setting, folder).expect("solved");
                same(&met, &blocks, &text);
                assert_eq!(blocks.positions(), those, "{bits} {from} {text}");
                spread += u32::from(those > 20 && those < game.grid.volume);
            }
        }
    }
    let met = outcomes.iter().all(|&count| count > 0) && values.iter().all(|&count| count > 0);
    assert!(tried > 5 && met && spread > 0, "{tried} {outcomes:?} {values:?} {spread}");
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
    for game in games().into_iter().step_by(rounds(3, 1)) {
        for after in [Some(3), Some(14), Some(40), Some(90), Some(400), None] {
            let _ = fs::remove_dir_all(&path);
            let stop = after.map(|after| Stop { after, saves: true });
            if whole(&game, &Setting { stop, ..small(1 << 11) }, Some(&path)).is_ok() && after.is_some() {
                continue;
            }
            let files = files(&path);
            for (changed, bytes) in &files {
                let mut rng = fastrand::Rng::with_seed(bytes.len() as u64);
                for round in 0..rounds(5, 12) {
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
                            Ok(None) if game.met.is_some_and(|from| from != rank) => {}
                            Ok(read) => {
                                assert_eq!(read, expected.map(|right| right.0), "{} {changed:?} {rank}", game.name);
                            }
                            Err(_) => met = true,
                        }
                    }
                    if !met && !game.misere {
                        match blocks.values(&Limits::default(), &known(&game, &blocks)) {
                            Ok(_) => same(&game, &blocks, "changed"),
                            Err(why) => {
                                assert!(!wrong(&why), "{} {changed:?}: {why:?}", game.name);
                                met = true;
                            }
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
