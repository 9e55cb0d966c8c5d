//! Native code and its tables: random games are answered as by search one position at a time, and by the naive solver.

#![allow(clippy::format_push_string)] // texts of games, in a test

use crate::crews::answers;
use crate::naive::engine::{EVERYTHING, differences, each, program, said, solved};
use crate::naive::{How, Rng, State};
use crate::random::{Plays, game};
use crate::tables_dir::Dir;
use crate::{LONG, rounds};
use grundy::answer::Answer;
use grundy::engines as solve;
use grundy::graph_search::retrograde::ReverseGraph;
use grundy::graph_search::{Edge, NodeId, Solved};
use grundy::input::data::NoFiles;
use grundy::model::Program;
use grundy::tables::{Cell, Table};
use grundy::value::limits::Limits;
use grundy::vm::context::{Context, Policy};
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::sync::Arc;

/// How the engine is to work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Tables after so many positions.
    Tables(u64),
    /// The same, graphs with moves turned round instead of moves taken back.
    Rows(u64),
    /// Tables after so many positions, made by so many threads in the smallest pieces.
    Threads(u64, usize),
    /// On words, one position at a time.
    Words,
    /// Tables in a directory, with blocks of `2^n` states; which boxes are spread.
    Kept(u32, Policy),
    /// On values.
    Plain,
}

fn ctx(program: &Arc<Program>, way: Way) -> Context {
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), solve::ask);
    ctx.options.split = Policy::Never;
    ctx.options.plain = way == Way::Plain;
    ctx.options.trial = u64::MAX;
    if let Way::Tables(trial) | Way::Rows(trial) | Way::Threads(trial, _) = way {
        ctx.options.trial = trial;
        // All kinds of tables are wanted where no order is seen.
        ctx.options.in_depth = trial % 2 == 1;
        ctx.options.sums = trial != 1;
    }
    if let Way::Kept(bits, spread) = way {
        (ctx.options.trial, ctx.options.block_bits, ctx.options.spread) = (0, bits, spread);
    }
    if let Way::Threads(_, threads) = way {
        ctx.limits.threads = NonZeroUsize::new(threads);
        (ctx.limits.grain, ctx.options.block_bits) = (0, 3);
    }
    ctx.options.boxed = !matches!(way, Way::Rows(_));
    ctx.give(vec![None; program.inputs.len()]);
    ctx
}

/// How often each path was taken.
#[derive(Clone, Copy, Debug, Default)]
struct Taken {
    games: u32,
    errors: u32,
    dense: u32,
    lines: u32,
    hashed: u32,
    graphs: u32,
    loopy: u32,
    wide: u32,
    far: u32,
    judged: u32,
    naive: u32,
    /// Whole boxes, and those whose moves the bits of the states tell.
    boxed: u32,
    exact: u32,
    /// Tables that were filled depth first, and in the order of a sum.
    in_depth: u32,
    sums: u32,
    /// Boxes of the runs with tables in a directory, and games with such tables.
    blocks: u32,
    kept: u32,
    /// Boxes of which only the states that are met have places.
    spread: u32,
    /// Games that processes have worked out together.
    together: u32,
    /// Tables made by several threads, those of them with records of lines, and with larger cells.
    shared: u32,
    shared_lines: u32,
    shared_large: u32,
    shared_hashed: u32,
}

impl Taken {
    fn note(&mut self, ctx: &Context) {
        self.games += 1;
        let judged = ctx.session.program.games.iter().any(|game| !game.legal.is_empty() || !game.same.is_empty());
        for table in ctx.memo.tables.values() {
            self.judged += u32::from(judged);
            match table {
                Table::Dense(dense) => {
                    self.dense += 1;
                    self.lines += u32::from(dense.lines > 0);
                    self.in_depth += u32::from(dense.met.is_some());
                    self.sums += u32::from(dense.grid.told().is_some());
                }
                Table::Hashed(_) => self.hashed += 1,
            }
            self.wide += u32::from(table.cell().value_bits > 6);
            self.far += u32::from(table.cell().far_bits() > 9);
        }
        self.graphs += u32::try_from(ctx.memo.solved.len()).expect("few");
        for solved in ctx.memo.solved.values() {
            match solved {
                Solved::Boxed(blocks) => {
                    self.boxed += 1;
                    self.exact += u32::from(blocks.is_exact());
                    self.loopy += u32::from(blocks.has_values());
                }
                Solved::Reached(reached) => self.loopy += u32::from(reached.values.is_some()),
            }
        }
    }
}

/// What is different in the tables of a machine with several threads.
fn differing(one: &Context, many: &Context, taken: &mut Taken) -> Vec<String> {
    let mut wrong = Vec::new();
    for (key, table) in &one.memo.tables {
        if let (Table::Hashed(one), Some(Table::Hashed(many))) = (table, many.memo.tables.get(key)) {
            taken.shared_hashed += u32::from(many.threads > 1);
            let volume = one.grid.volume.min(1 << 16);
            // Which states have places is the same, and what they hold.
            let unlike = |words: &Vec<i64>| one.read(words) != many.read(words);
            wrong.extend((0..volume).map(|rank| one.grid.words(rank)).find(unlike).map(|words| format!("{words:?}")));
        }
        let (Table::Dense(one), Some(Table::Dense(many))) = (table, many.memo.tables.get(key)) else { continue };
        if many.threads > 1 {
            taken.shared += 1;
            taken.shared_lines += u32::from(many.lines > 0);
            taken.shared_large += u32::from(many.cell != Cell::smallest(many.cell.kind));
        }
        if (&one.grid, one.cell, one.positions()) != (&many.grid, many.cell, many.positions()) {
            wrong.push(format!("{:?} and {:?}", one.cell, many.cell));
        }
        for rank in 0..one.positions() {
            let words = one.grid.words(rank);
            if one.read(&words) != many.read(&words) {
                wrong.push(format!("{words:?}: {:?} and {:?}", one.read(&words), many.read(&words)));
            }
        }
    }
    let names = |ctx: &Context| {
        let mut names: Vec<String> =
            ctx.memo.tables.iter().map(|(key, t)| format!("{key:?} {}", t.positions())).collect();
        names.sort();
        names
    };
    if names(one) != names(many) {
        wrong.push(format!("{:?} and {:?}", names(one), names(many)));
    }
    wrong
}

/// Puts a text to the engine with tables and in the other ways; what differs.
fn compare(text: &str, trial: u64, others: &[Way], taken: &mut Taken) -> (Vec<Result<Answer, String>>, Vec<String>) {
    let program = program(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut tables = ctx(&program, Way::Tables(trial));
    // The remoteness of a large sum is that of a product of games.
    let remoteness = !text.contains(") + G(");
    let found = solved(&mut tables, remoteness);
    taken.note(&tables);
    taken.errors += u32::from(found.iter().any(Result::is_err));
    let mut wrong = Vec::new();
    for threads in [2, 3, 8] {
        let mut many = ctx(&program, Way::Threads(trial, threads));
        let others = solved(&mut many, remoteness);
        if (format!("{found:?}"), Vec::new()) != (format!("{others:?}"), differing(&tables, &many, taken)) {
            wrong.push(format!(
                "{threads} threads, trial {trial}:\n  {others:?}\n  {found:?}\n{:?}\n{text}",
                differing(&tables, &many, taken)
            ));
        }
    }
    for &way in others {
        let expected = solved(&mut ctx(&program, way), remoteness);
        for (found, expected) in found.iter().zip(&expected) {
            if said(found, remoteness) != said(expected, remoteness) {
                wrong.push(format!(
                    "{way:?}, trial {trial}:\n  {}\n  {}\n{text}",
                    said(found, remoteness),
                    said(expected, remoteness)
                ));
            }
        }
    }
    let bits = if text.len().is_multiple_of(2) { 4 } else { 16 };
    let spread = |by: usize| if (text.len() / by).is_multiple_of(2) { Policy::Large } else { Policy::Always };
    let dir = Dir::default();
    for round in ["in memory", "made", "read"] {
        let mut kept = ctx(&program, Way::Kept(bits, spread(2)));
        kept.session.tables = (round != "in memory").then(|| dir.open());
        let others = solved(&mut kept, remoteness);
        for solved in kept.memo.solved.values() {
            if let Solved::Boxed(blocks) = solved {
                taken.blocks += 1;
                taken.spread += u32::from(blocks.is_spread());
            }
        }
        taken.kept += u32::from(kept.session.tables.as_ref().is_some_and(|dir| dir.is_used()));
        for (found, other) in found.iter().zip(&others) {
            if said(found, remoteness) != said(other, remoteness) {
                let (other, found) = (said(other, remoteness), said(found, remoteness));
                wrong.push(format!("blocks, {round}, {bits} bits, {:?}:\n  {other}\n  {found}\n{text}", spread(2)));
            }
        }
    }
    // By processes: few of the games, since each takes some milliseconds for them to meet.
    if text.len().is_multiple_of(rounds(16, 2)) {
        let count = 2 + text.len() % 3;
        let dirs: Vec<Dir> = (0..count).map(|_| Dir::default()).collect();
        for kept in [false, true] {
            let (others, alone) = answers(count, remoteness, |crew| {
                let mut ctx = ctx(&program, Way::Kept(4, spread(16)));
                ctx.session.tables = kept.then(|| dirs[crew.index()].open());
                ctx.options.several = 0;
                ctx
            });
            taken.together += u32::from(alone.is_none());
            for (found, other) in found.iter().zip(&others) {
                if said(found, remoteness) != said(other, remoteness) {
                    let (other, found) = (said(other, remoteness), said(found, remoteness));
                    wrong.push(format!("{count} processes, {kept}:\n  {other}\n  {found}\n{text}"));
                }
            }
        }
    }
    (found, wrong)
}

/// Other seeds than those of every day, for a longer look.
fn shift() -> u64 {
    std::env::var("GRUNDY_SEEDS").ok().and_then(|s| s.parse().ok()).unwrap_or(0)
}

/// Random games of one kind: a smaller position, the largest, and both in a sum.
fn run(plays: Plays, seeds: u64, volumes: &[i64], others: &[Way]) -> Taken {
    let (mut taken, mut wrong) = (Taken::default(), Vec::new());
    for seed in 0..seeds {
        let mut rng = Rng::new(seed + (shift() << 32));
        let volume = *rng.pick(volumes);
        let game = game(&mut rng, plays, volume);
        let lower: Vec<i64> = game.start.iter().map(|&most| rng.range(0, most)).collect();
        let mut positions = vec![vec![lower.clone()], vec![game.start.clone()]];
        if rng.chance(20) {
            positions.swap(0, 1);
        }
        // The remoteness of a sum is that of a product.
        let small = game.start.iter().map(|most| most + 1).product::<i64>() <= 60;
        if !game.misere && small && plays != Plays::Sums {
            positions.push(vec![lower, game.start.clone()]);
        }
        let lines: String = positions.iter().map(|parts| game.question(parts)).collect();
        let trial = *rng.pick(&[0, 0, 1, 5, 40]);
        let text = game.text() + &lines;
        if std::env::var("GRUNDY_SHOW").is_ok() {
            eprintln!("seed {seed}\n{text}");
        }
        let (found, new) = compare(&text, trial, others, &mut taken);
        wrong.extend(new.into_iter().map(|w| format!("seed {seed} {w}")));
        for (answer, parts) in found.iter().zip(&positions) {
            let Ok(answer) = answer else { continue };
            let root: Vec<State> = parts.iter().map(|s| [0].iter().chain(s).copied().collect()).collect();
            if let Some(verdict) = crate::naive::solve(&game, &root, How::Sum, game.misere, false, 250) {
                taken.naive += 1;
                let differ = differences(answer, &verdict, true);
                if !differ.is_empty() {
                    wrong.push(format!("seed {seed} naive, trial {trial}: {differ:?}\n{text}"));
                }
            }
        }
    }
    eprintln!("{plays:?} {taken:?}");
    wrong.sort_by_key(String::len);
    let count = wrong.len();
    wrong.truncate(4);
    assert!(wrong.is_empty(), "{count} wrong\n{}", wrong.join("\n----\n"));
    taken
}

#[test]
fn games_whose_fields_go_down_in_some_order() {
    let taken = run(Plays::Ordered, rounds(60, 450), &[12, 60, 60, 300, 1200], &[Way::Words]);
    assert!(
        shift() > 0
            || !LONG
                && taken.dense > 20
                && taken.kept > 10
                && taken.spread > 4
                && taken.lines > 2
                && taken.wide > 0
                && taken.shared > 4
                && taken.naive > 20
            || taken.dense > 100
                && taken.lines > 20
                && taken.wide > 5
                && taken.far > 5
                && taken.judged > 10
                && taken.shared > 40
                && taken.shared_lines > 1
                && taken.shared_large > 1
                && taken.naive > 100,
        "{taken:?}"
    );
}

#[test]
fn games_in_which_only_a_sum_goes_down() {
    let taken = run(Plays::Sums, rounds(14, 150), &[100, 400], &[Way::Words]);
    assert!(
        shift() > 0
            || !LONG && taken.hashed > 2 && taken.in_depth > 1 && taken.sums > 0 && taken.naive > 10
            || taken.hashed > 10
                && taken.in_depth > 15
                && taken.sums > 5
                && taken.shared_hashed > 5
                && taken.judged > 5
                && taken.naive > 100,
        "{taken:?}"
    );
}

#[test]
fn games_whose_plays_may_come_back() {
    let taken = run(Plays::Cyclic, rounds(40, 300), &[12, 60, 200], &[Way::Words, Way::Rows(0)]);
    assert!(
        shift() > 0
            || !LONG
                && taken.graphs > 10
                && taken.blocks > 20
                && taken.spread > 8
                && taken.together > 0
                && taken.boxed > 6
                && taken.loopy > 4
                && taken.naive > 10
            || taken.graphs > 60 && taken.boxed > 40 && taken.loopy > 30 && taken.naive > 100,
        "{taken:?}"
    );
}

/// Tokens that walk along random arcs and vanish where they meet, sometimes with a token that must move on besides.
fn tokens(rng: &mut Rng) -> String {
    let n = rng.range(3, 7);
    let arcs: Vec<String> = (0..n)
        .flat_map(|u| (0..n).map(move |v| (u, v)))
        .filter(|&(u, v)| u != v && rng.chance(30))
        .map(|(u, v)| format!("({u}, {v})"))
        .collect();
    let guard = *rng.pick(&["", "", "where v not in tokens", "where size(tokens) > 1", "where u + v > 2"]);
    let ending = *rng.pick(&["", "", "", "  end when size(tokens) == 2: lost\n"]);
    let more = *rng.pick(&[
        "",
        "",
        "  move add v in vertices(g) - tokens where v > 1 -> T(tokens + {v})\n",
        "  move stay u in tokens where u == 0 -> again T(tokens - {u})\n",
        "  move turn v in successors(g, 1) -> T(vertices(g) - tokens)\n",
    ]);
    let misere = if rng.chance(20) { "misere " } else { "" };
    let mut text = format!(
        "let g = digraph({n}, [{}])\n{misere}game T[g: digraph](tokens: set of vertex of g) {{\n  \
         move go u in tokens, v in successors(g, u) {guard} -> T(tokens xor {{u}} xor {{v}})\n{more}{ending}}}\n",
        arcs.join(", ")
    );
    for _ in 0..4 {
        let start: Vec<String> = (0..n).filter(|_| rng.chance(60)).map(|v| v.to_string()).collect();
        let _ = writeln!(text, "solve T[g]({{{}}})", start.join(", "));
    }
    text
}

#[test]
fn tokens_that_walk_and_vanish() {
    let mut taken = Taken::default();
    for seed in 0..rounds(40, 200) {
        let mut rng = Rng::new(seed + (shift() << 32));
        let text = tokens(&mut rng);
        let (_, wrong) = compare(&text, 0, &[Way::Words, Way::Rows(0), Way::Plain], &mut taken);
        assert!(wrong.is_empty(), "seed {seed}\n{}", wrong.join("\n----\n"));
    }
    let (exact, loopy) = if LONG { (4, 40) } else { (0, 10) };
    assert!(shift() > 0 || taken.exact > exact && taken.boxed > taken.exact && taken.loopy > loopy, "{taken:?}");
}

#[test]
fn walks_with_few_and_many_changes() {
    for (most, size, trial, boxed) in [(3, 60, 0, true), (20, 97, 0, true), (31, 500, 0, true), (40, 200, 0, false)] {
        let text = format!(
            "game W(x: nat, on: bool) {{\n  move go k in 1..{most} where x * k mod 7 < 3 -> W((x + k) mod {size}, on)\n  \
             move flip where x mod 5 == 0 -> W(x, not on)\n}}\n\
             solve W(5, true)\nsolve W({}, false)\nsolve W(1, true) + W(2, false)\n",
            size - 1
        );
        let taken = agree(&text, trial, &[Way::Words, Way::Rows(trial)]);
        assert_eq!(taken.boxed > 0, boxed, "{text}\n{taken:?}");
    }
}

#[test]
fn what_ends_a_play_elsewhere_forbids_no_value() {
    let text = "game E(x: nat, k: nat) {\n  move round where k == 0 -> E((x + 1) mod 4, 0)\n  \
                move out where k == 0 and x == 1 -> E(9, 0)\n  move end where k > 0 -> win\n  \
                move down where k > 0 -> E(x, k - 1)\n}\nsolve E(0, 3)\nsolve E(0, 0)\nsolve E(2, 1)\nsolve E(9, 0)\n";
    agree(text, 0, &[Way::Words, Way::Rows(0), Way::Plain]);
}

// ---------------------------------------------------------------- vertices, sets and lists

/// A set of vertices; `v`, `u` may stand where they are bound.
fn set(rng: &mut Rng, bound: usize, depth: u32) -> String {
    let vertex = |rng: &mut Rng| (*rng.pick(&["at", "v", "u"][..=bound])).to_string();
    if depth == 0 || rng.chance(35) {
        return match rng.below(4) {
            0 => format!("{{{}}}", vertex(rng)),
            1 => format!("neighbours(g, {})", vertex(rng)),
            _ => "left".into(),
        };
    }
    let d = depth - 1;
    match rng.below(7) {
        0 => format!("({} + {})", set(rng, bound, d), set(rng, bound, d)),
        1 => format!("({} - {})", set(rng, bound, d), set(rng, bound, d)),
        2 => format!("({} & {})", set(rng, bound, d), set(rng, bound, d)),
        3 => format!("({} xor {})", set(rng, bound, d), set(rng, bound, d)),
        4 => format!("reach(g, {})", vertex(rng)),
        5 => "vertices(g)".into(),
        _ => format!(
            "{{w for w in {} where w {} {}}}",
            set(rng, bound, d),
            rng.pick(&["<", "in left and w >", "!="]),
            vertex(rng)
        ),
    }
}

fn number(rng: &mut Rng, bound: usize, depth: u32) -> String {
    let vertex = |rng: &mut Rng| (*rng.pick(&["at", "v", "u"][..=bound])).to_string();
    if depth == 0 || rng.chance(40) {
        return match rng.below(4) {
            0 => rng.range(0, 3).to_string(),
            1 => format!("size({})", set(rng, bound, 1)),
            _ => "n".into(),
        };
    }
    let d = depth - 1;
    match rng.below(6) {
        0 => format!("({} + {})", number(rng, bound, d), number(rng, bound, d)),
        1 => format!("min({}, {})", number(rng, bound, d), number(rng, bound, d)),
        2 => format!("degree(g, {})", vertex(rng)),
        3 => format!("count(w in left for w in {})", set(rng, bound, d)),
        4 => format!("({} xor {})", number(rng, bound, d), number(rng, bound, d)),
        _ => format!("(if {} then {} else {})", condition(rng, bound, d), number(rng, bound, d), number(rng, bound, d)),
    }
}

fn condition(rng: &mut Rng, bound: usize, depth: u32) -> String {
    let d = depth.saturating_sub(1);
    match rng.below(6) {
        0 => format!("{} == {}", set(rng, bound, d), set(rng, bound, d)),
        1 => format!("{} <= {}", set(rng, bound, d), set(rng, bound, d)),
        2 => format!("at in {}", set(rng, bound, d)),
        3 => format!("not ({} < {})", number(rng, bound, d), number(rng, bound, d)),
        4 => format!("any(w != at for w in {})", set(rng, bound, d)),
        _ => format!("({}) mod 2 == {}", number(rng, bound, d), rng.below(2)),
    }
}

/// A game on a graph; in one that does not come back every move takes from `left` or from `n`.
fn graph_game(rng: &mut Rng) -> String {
    let vertices = rng.below(8) + 1;
    let percent = u64::try_from(rng.range(10, 90)).expect("small");
    let mut edges = Vec::new();
    for u in 0..vertices {
        for v in u..vertices {
            if u != v && rng.chance(percent) {
                edges.push(format!("({u}, {v})"));
            }
        }
    }
    let back = rng.chance(40);
    let most = rng.below(if back { 3 } else { 20 });
    let mut text = "game G[g: graph](at: vertex of g, left: set of vertex of g, n) {\n".to_string();
    if rng.chance(20) {
        text.extend([format!(
            "  end when {}{}\n",
            condition(rng, 0, 1),
            rng.pick(&["", "", ": lost", ": won", ": drawn"])
        )]);
    }
    for i in 0..=rng.below(3) {
        let guard = if rng.chance(30) { format!(" where {},", condition(rng, 0, 2)) } else { String::new() };
        let (bound, clauses) = match rng.below(4) {
            0 => (2, "(u, v) in edges(g, left)".into()),
            1 => (1, "v in neighbours(g, at) & left".into()),
            _ => (1, format!("v in {} & left", set(rng, 0, 1))),
        };
        let at = ["at", "v", "u"][rng.below(1 + bound)];
        let again = if rng.chance(4) { "again " } else { "" };
        let n = format!("({}) mod {}", number(rng, bound, 2), most + 1);
        let line = if back {
            format!("  move m{i}{guard} {clauses} -> {again}G({at}, {}, {n})\n", set(rng, bound, 2))
        } else if rng.chance(40) {
            format!(
                "  move m{i}{guard} k in 1..{} -> {again}G(at, left - {}, n - k)\n",
                rng.pick(&["n", "min(n, 3)", "min(n, size(left))"]),
                set(rng, 0, 1)
            )
        } else {
            format!("  move m{i}{guard} {clauses} -> {again}G({at}, left - {{v}} - {}, {n})\n", set(rng, bound, 2))
        };
        text += &line;
    }
    let all: Vec<String> = (0..vertices).map(|v| v.to_string()).collect();
    let kind = if rng.chance(15) { "misere " } else { "" };
    let edges = edges.join(", ");
    text += "}\n";
    for left in [&all[all.len() / 2..], &all] {
        let line = format!(
            "solve {kind}G[graph({vertices}, [{edges}])]({}, {{{}}}, {most})\n",
            rng.below(vertices),
            left.join(", ")
        );
        text += &line;
    }
    text
}

#[test]
fn games_on_sets_of_vertices() {
    let (mut taken, mut wrong) = (Taken::default(), Vec::new());
    for seed in 0..rounds(40, 250) {
        let mut rng = Rng::new(seed + (shift() << 32));
        let text = graph_game(&mut rng);
        let trial = *rng.pick(&[0, 0, 1, 5, 40]);
        if std::env::var("GRUNDY_SHOW").is_ok() {
            eprintln!("seed {seed}\n{text}");
        }
        let (_, new) = compare(&text, trial, &[Way::Words], &mut taken);
        wrong.extend(new.into_iter().map(|w| format!("seed {seed} {w}")));
    }
    eprintln!("{taken:?}");
    wrong.sort_by_key(String::len);
    wrong.truncate(4);
    assert!(wrong.is_empty(), "{}", wrong.join("\n----\n"));
    let (dense, graphs) = if LONG { (40, 15) } else { (5, 1) };
    assert!(shift() > 0 || taken.dense > dense && taken.graphs > graphs, "{taken:?}");
    assert!(shift() > 0 || !LONG || taken.hashed > 0, "{taken:?}");
}

// ---------------------------------------------------------------- corners

/// The answers to a text with tables at once.
fn tabled(text: &str) -> (Context, Vec<Result<Answer, String>>) {
    let program = program(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut ctx = ctx(&program, Way::Tables(0));
    let found = solved(&mut ctx, true);
    (ctx, found)
}

/// Cells that were made larger for remote positions, and then for large values, keep what they hold.
#[test]
fn remote_positions_first_and_large_values_then() {
    let text = "game G(a, n) {
  move step where a == 0 and n > 0 -> G(0, n - 1)
  move take where n == 33000, k in 1..min(a, 1000) -> G(a - k, n)
}
solve G(64, 33000)
";
    let (ctx, found) = tabled(text);
    let answer = found[0].as_ref().expect("an answer");
    assert_eq!(answer.remoteness, Some(33001));
    assert_eq!(answer.grundy, Some(grundy::answer::GrundyValue::Nimber(64)));
    assert_eq!(ctx.memo.tables.len(), 1);
}

/// A position that keeps the turn has no Grundy value, also when it is met late.
#[test]
fn a_turn_kept_deep_below_forbids_values() {
    let text = "game G(x, y) {
  move p where x >= 2 -> G(x - 2, y + 1)
  move q where y >= 2 -> G(x + 1, y - 2)
  move r where x == 1 and y == 1 -> again G(0, 0)
}
solve G(8, 8)
";
    let mut taken = Taken::default();
    let (found, wrong) = compare(text, 0, &[Way::Words, Way::Plain], &mut taken);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(found[0].as_ref().expect("an answer").grundy, None);
}

/// All ways without tables.
const ALL: [Way; 2] = [Way::Words, Way::Plain];

/// All ways agree on a text; the machine that made tables.
fn agree(text: &str, trial: u64, others: &[Way]) -> Taken {
    let mut taken = Taken::default();
    let (_, wrong) = compare(text, trial, others, &mut taken);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    taken
}

/// Sets of as many members as a word has bits, and about as many.
#[test]
fn sets_as_large_as_words() {
    let (sizes, trials): (&[usize], &[u64]) =
        if LONG { (&[59, 60, 61, 62, 63, 64], &[0, 3]) } else { (&[59, 63, 64], &[0]) };
    for &n in sizes {
        let edges: Vec<String> = (1..n).map(|v| format!("({}, {v})", v - 1)).collect();
        let moves = [
            "move pick v in left -> G(left - {v} - neighbours(g, v))",
            "move flip v in left where v > 0 -> G(left xor {v - 1, v})",
            "move cut v in left, u in left where u <= v -> G(left - {u, v})",
        ];
        for rule in moves {
            let rule = rule.replace("{v - 1, v}", "({u for u in g where u + 1 == v} + {v})");
            let text = format!(
                "game G[g: graph](left: set of vertex of g) {{\n  {rule}\n}}\nsolve G[graph({n}, [{}])]({{0, {}, {}, {}}})\n",
                edges.join(", "),
                n - 3,
                n - 2,
                n - 1
            );
            for &trial in trials {
                agree(&text, trial, &ALL);
            }
        }
    }
}

/// Numbers of which only one, or none but zero, can be had; graphs without edges or with one vertex.
#[test]
fn the_smallest_boxes() {
    for text in [
        "game G(n) { move a where n > 0 -> G(n - 1) }\nsolve G(0)\nsolve G(1)\n",
        "game G(n, m) { move a k in 1..min(n, m) -> G(n - k, m - k) }\nsolve G(0, 5)\nsolve G(1, 0)\nsolve G(20, 1)\n",
        "game G[g: graph](at: vertex of g, n) { move a where n > 0 -> G(at, n - 1)\n move b v in neighbours(g, at) -> G(v, n) }\nsolve G[graph(1, [])](0, 3)\n",
        "game G[g: graph](left: set of vertex of g) { move a v in left -> G(left - {v}) }\nsolve G[graph(0, [])]({})\nsolve G[graph(1, [])]({0})\n",
        "game G(p: bool) { move a -> G(not p) }\nsolve G(true)\n",
        "game G(p: bool) { move a where p -> G(false) }\nsolve misere G(true)\nsolve G(true)\n",
    ] {
        agree(text, 0, &ALL);
    }
}

/// Numbers near the ends of words: an overflow is never a value.
#[test]
fn numbers_near_the_ends_of_words() {
    for rule in [
        "where n > 0 and n * 4611686018427387904 > 0 -> G(n - 1, m)",
        "where n > 0, x = 9223372036854775807 - m, y = x + n where y mod 2 == 0 -> G(n - 1, m)",
        "where n > 0, x = -9223372036854775807 - n where abs(x) mod 3 > 0 -> G(n - 1, m)",
        "where n > 0, x = (-9223372036854775807 - 1) div (n + 0) where x < 0 -> G(n - 1, m)",
        "where n > 0, x = (-9223372036854775807 + m) mod n where x <= m -> G(n - 1, (m + x) mod 3)",
        "k in 9223372036854775800 + n..9223372036854775807 where n > 0 and k mod 2 == 0 -> G(n - 1, m)",
        "where n > 0 -> G(n - 1, (m * 3037000500 * 3037000500) mod 5)",
        "where n > 0 -> G(n - 1, (m * 3037000499 * 3037000499) mod 5)",
        "where n > 0, k in -3..n - 4 -> G(n - 1, (m + k * k) mod 3)",
        "where n > 0 -> G(n - 1, m + 4611686018427387904)",
    ] {
        let text = format!(
            "game G(n, m) {{\n  move a {rule}\n  move b where n > 2 -> G(n - 2, 1)\n}}\nsolve G(7, 2)\nsolve G(2, 0)\n"
        );
        for trial in [0, 2] {
            agree(&text, trial, &ALL);
        }
    }
}

/// Fields that grow while others go down, beyond what was seen first, and fields that go up to a bound.
#[test]
fn fields_that_grow() {
    let texts = [
        "game G(n, m) { move a k in 1..min(n, 3) -> G(n - k, m + k * n)\n move b where m > n, k in 1..2 -> G(n, m div (k + 1)) }\nsolve G(9, 0)\nsolve G(14, 3)\n",
        "game G(n, cap) { move a k in 1..min(n, cap) -> G(n - k, 2 * k) }\nsolve G(30, 29)\nsolve misere G(40, 3)\nsolve G(60, 1)\n",
        "game G(n) { move a where n < 40 -> G(n + 1)\n move b k in 2..5 where n + k <= 40 -> G(n + k) }\nsolve G(0)\nsolve misere G(1)\n",
        "game G(n, m) { move a where n < 30, k in 1..m -> G(n + 1, m - k)\n move b where n < 29 -> G(n + 2, m + 1)\n end when m > 40: won }\nsolve G(0, 5)\n",
    ];
    let mut dense = 0;
    for text in texts {
        for &trial in rounds(&[0, 30][..], &[0, 6, 30]) {
            dense += agree(text, trial, &ALL).dense;
        }
    }
    assert!(dense > rounds(5, 8), "{dense}");
}

/// What few positions tell of the order of the fields may be wrong of others: fields that seemed to go up only.
#[test]
fn fields_that_go_down_after_all() {
    let text = "game G(a, b) {
  move up where b == 1 and a < 40 -> G(a + 1, b)
  move turn where b == 1 -> G(a, 0)
  move take where b == 0, k in 1..a -> G(a - k, b)
}
solve G(20, 1)
solve G(17, 0)
solve G(30, 1)
";
    let trials: &[u64] = if LONG { &[0, 1, 2, 10] } else { &[0, 2] };
    for &trial in trials {
        agree(text, trial, &ALL);
    }
}

/// Moves of many numbers that are not those of a line: bounded by another field, or with something left out.
#[test]
fn loops_that_are_no_lines() {
    for moves in [
        "move a k in 1..min(n, m) -> G(n - k, m)\n move b k in 1..min(n, m) -> G(n, m - k)",
        "move a k in 1..min(n, m) -> G(n - k, m)\n move b k in 1..m -> G(n, m - k)",
        "move a k in 2..n -> G(n - k, m)\n move b k in 1..m -> G(n, m - k)",
        "move a k in 1..n - 1 -> G(n - k, m)\n move b k in 1..m -> G(n, m - k)",
        "move a k in 1..n -> G(n - k, max(m - k, 0))\n move b k in 1..m -> G(n, m - k)",
        "move a k in 1..n where k != 5 -> G(n - k, m)\n move b k in 1..m -> G(n, m - k)",
        "move a k in 1..n, j = k + k where j <= n -> G(n - j, m)\n move b k in 1..m -> G(n, m - k)",
        "move a k in 1..n, j = n - k where j >= k -> G(j - k, m)\n move b k in 1..m -> G(n, m - k)",
        "move a k in 1..n -> G(n - k, n - k)\n move b k in 1..m -> G(n, m - k)",
        "move a k in 1..min(n, n) -> G(n - k, m)\n move b k in 1..min(m, min(n, m)) -> G(n - k, m - k)",
        "move a j in 0..1, k in 1..n -> G(n - k, j)\n move b k in 1..m -> G(n, m - k)",
        "move a k in 0..n where k > 0 -> G(n - k, m)\n move b k in 1..m -> G(n, m - k)",
        "move a k in 0..n - 1 -> if k == 0 then G(n - 1, m) else G(k div 2, m)\n move b k in 1..m -> G(n, m - k)",
        "move a k in 1..n -> if k == 4 then G(n - k, m) else G(n - 1, m)\n move b k in 1..m -> G(n, m - k)",
    ] {
        let text = format!("game G(n, m) {{\n {moves}\n}}\nsolve G(22, 19)\nsolve misere G(17, 21)\n");
        let taken = agree(&text, 0, &[Way::Words]);
        assert!(taken.dense > 0, "{text}");
    }
}

/// Large values, records of many values, far positions, and all of them at once, with lines and without.
#[test]
fn large_values_and_far_positions() {
    let (mut wide, mut far, mut lines) = (0, 0, 0);
    for text in [
        "game G(n) { move a k in 1..n -> G(n - k) }\nsolve G(700)\n",
        "game G(n) { move a k in 1..min(n, 1000) -> G(n - k) }\nsolve G(700)\n",
        "game G(n) { move a where n > 0 -> G(n - 1) }\nsolve G(1500)\nsolve misere G(1500)\n",
        "game G(n, m) { move a k in 1..n -> G(n - k, m)\n move b k in 1..m -> G(n, m - k)\n move c k in 1..min(n, m) -> G(n - k, m - k) }\nsolve G(60, 50)\n",
        "game G(n, m) { move a k in 1..n -> G(n - k, m)\n move b where m > 0 -> G(n, m - 1) }\nsolve G(70, 600)\nsolve misere G(20, 700)\n",
        "game G(n, m) { move a where n > 0, k in 1..m -> G(n, m - k)\n move b where m == 0 and n > 0 -> G(n - 1, 17)\n move c k in 1..n -> G(n - k, m) }\nsolve G(120, 17)\n",
        "game G(n) { move a k in 1..n -> G(n - k) + G(k - 1) + G(n - k) }\nsolve G(90)\n",
        "game G(n) { move a k in 1..n - 1 -> G(n - k - 1) + G(1) }\nsolve G(90)\n",
        "game G(n, m) { move a k in 1..n -> if m == 1 then win else G(n - k, m)\n move b k in 1..m -> again G(n, m - k)\n end when n + m == 3: drawn }\nsolve G(20, 20)\nsolve G(17, 30)\n",
        "game G(n, m) { move a k in 1..n where k != m -> G(n - k, m)\n move b where m > n, k in 1..m -> G(n, m - k) }\nsolve misere G(20, 20)\nsolve G(17, 30)\n",
    ] {
        let taken = agree(text, 0, &[Way::Words]);
        (wide, far, lines) = (wide + taken.wide, far + taken.far, lines + taken.lines);
    }
    assert!(wide >= 4 && far >= 2 && lines >= 6, "{wide} {far} {lines}");
}

/// A limit of positions counts those that are met, not the cells of a box around them.
#[test]
fn a_limit_of_positions_counts_what_is_met() {
    let text = "game G(n, m) { move a where n > 0, k in 1..2 where k <= n and k <= m -> G(n - k, m - k) }\nsolve G(100, 100)\n";
    let program = program(text).expect("the game checks");
    for (limit, enough) in [(50, false), (101, true), (500, true)] {
        let mut ctx = ctx(&program, Way::Tables(0));
        ctx.limits.positions = Some(limit);
        assert_eq!(solved(&mut ctx, true)[0].is_ok(), enough, "{limit}");
    }
}

/// The moves that lead to each node of the first graph of states that was made, in order, and how many moves it has.
fn rows(ctx: &Context) -> Option<Vec<(u32, Vec<Edge>)>> {
    let solved = ctx.memo.solved.values().next()?;
    let Solved::Reached(reached) = solved else { return None };
    let graph = &reached.graph;
    let row = |(node, moves): (usize, u32)| {
        let mut row = graph.predecessors(NodeId::new(node).expect("few nodes")).to_vec();
        row.sort_unstable();
        (moves, row)
    };
    Some(graph.out_degrees().enumerate().map(row).collect())
}

/// Moves are put aside and turned round where there is room for that, found twice where there is less, and the search goes
/// position by position or gives up where there is no room for the graph. All that answer say the same.
#[test]
fn graphs_of_states_in_all_amounts_of_memory() {
    let go = "move go k in 1..29 where (x * k + k * k) mod 5 < 2 ->";
    for text in [
        format!("game W(x: nat) {{ {go} W((x * 3 + k * k * 7) mod 3001) }}\nsolve W(5)\n"),
        format!(
            "game W(x: nat) {{ {go} W((x + k * 9001) mod 20011)\n move back where x < 4000 -> W(x + 61) }}\nsolve W(5)\n"
        ),
        format!(
            "game W(x: nat) {{ {go} again W((x * 3 + k * 97) mod 2003)\n move drop where x mod 9 == 1 -> W(x mod 50)\n move out where x mod 97 == 3 -> lose\n end when x mod 211 == 7: drawn }}\nsolve misere W(5)\n"
        ),
    ] {
        let program = program(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let run = |memory: usize| {
            let mut ctx = ctx(&program, Way::Rows(0));
            ctx.limits.memory = memory;
            let answer = solved(&mut ctx, true).remove(0);
            (answer.map(|answer| said(&Ok(answer), true)), rows(&ctx))
        };
        let (whole, graph) = run(1 << 30);
        let (whole, graph) = (whole.expect("there is room"), graph.expect("there is room for a graph"));
        assert!(graph.iter().any(|(_, row)| row.len() > 4));
        let (mut least, mut solved) = (None, 0);
        for quarter in 0..48_usize {
            let memory = (4 + quarter % 4) << (12 + quarter / 4);
            let (answer, rows) = run(memory);
            match answer {
                Ok(answer) => assert_eq!(answer, whole, "{memory}"),
                Err(code) => assert!(["L02", "L04"].contains(&&*code) && rows.is_none(), "{memory} {code}"),
            }
            if let Some(rows) = rows {
                assert!(rows == graph, "{memory}");
                least = least.or(Some(memory));
                solved += 1;
            }
        }
        assert!(least.is_some_and(|least| least < 20 << 20) && solved > 10, "{least:?} {solved}");
    }
}

/// A box that is too large is left to the search position by position; a limit that this one meets tells of both.
#[test]
fn a_box_too_large_for_the_memory() {
    let text = "game D(x, y) {\n  move up where x == y and x < 9999 -> D(x + 1, y + 1)\n  \
                move down where x == y and x > 0 -> D(x - 1, y - 1)\n  move off where x == y and x mod 7 == 3 -> D(x, 0)\n}\n\
                solve D(9999, 9999)\n";
    let program = program(text).expect("the game checks");
    let run = |memory: usize, positions: Option<u64>| {
        let mut ctx = ctx(&program, Way::Tables(0));
        (ctx.limits.memory, ctx.limits.positions) = (memory, positions);
        let answer = each(&mut ctx, |ctx, position| solve::solve(ctx, position, EVERYTHING)).remove(0);
        let answer = answer.map(|answer| said(&Ok(answer), true)).map_err(|e| (e.code, e.message));
        (answer, ctx.memo.solved.len())
    };
    let (large, graphs) = run(1 << 30, None);
    assert!(large.is_ok() && graphs == 1, "{large:?}");
    // A graph of the states reached would do with less than one of the box, and the search with less than either.
    assert_eq!(run(64 << 20, None), (large, 0));
    for (memory, positions, code) in [(1 << 20, None, "L02"), (64 << 20, Some(1000), "L01")] {
        let (answer, _) = run(memory, positions);
        let (said, message) = answer.expect_err("a limit is met");
        assert_eq!(said, code);
        assert!(
            message.contains("limit of 1") && message.contains("graph of states") && message.contains(" 406 MiB"),
            "{message}"
        );
    }
}
