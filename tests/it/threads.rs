//! Tables made by several threads: the same cells as by one, whatever stops the threads on the way, and limits that end them.

use crate::naive::engine::{only, program};
use crate::rounds;
use grundy::engines as solve;
use grundy::graph_search::{NodeId, Solved};
use grundy::input::data::NoFiles;
use grundy::model::Program;
use grundy::tables::{Dense, Hashed, Table};
use grundy::value::limits::Limits;
use grundy::vm::context::{Context, Policy};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// A machine that makes tables at once, by so many threads in pieces of at least so many cells.
fn ctx(program: &Arc<Program>, threads: usize, grain: u64, limits: Limits) -> Context {
    let limits = Limits { threads: NonZeroUsize::new(threads), grain, ..limits };
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), limits, solve::ask);
    ctx.options.split = Policy::Never;
    ctx.options.trial = 0;
    ctx.give(vec![None; program.inputs.len()]);
    ctx
}

fn dense(ctx: &Context) -> &Dense {
    let mut tables = ctx.memo.tables.values();
    let (Some(Table::Dense(dense)), None) = (tables.next(), tables.next()) else { panic!("one dense table") };
    dense
}

/// All cells and the answer are the same for every number of threads and several sizes of pieces; how many threads ended it.
fn same(text: &str) -> Vec<usize> {
    let program = program(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut one = ctx(&program, 1, 0, Limits::default());
    let expected = only(&mut one);
    let one = dense(&one);
    let mut used = Vec::new();
    for (threads, grain) in [(2, 0), (3, 0), (8, 0), (2, 3), (3, 2), (8, 1)] {
        let mut many = ctx(&program, threads, grain, Limits::default());
        let found = only(&mut many);
        assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{threads} {grain} {text}");
        let many = dense(&many);
        assert_eq!((many.cell, many.positions(), many.lines), (one.cell, one.positions(), one.lines), "{text}");
        for rank in 0..one.positions() {
            let words = one.grid.words(rank);
            assert_eq!(many.read(&words), one.read(&words), "{threads} {grain} {words:?} {text}");
        }
        used.push(many.threads);
    }
    used
}

/// Games whose tables have rows that threads can share.
pub(crate) const ROWS: [&str; 13] = [
    // Cells stay as they are.
    "game G(a, b, c) { move a k in 1..min(a, 3) -> G(a - k, b, c)\n move b k in 1..min(b, 3) -> G(a, b - k, c)\n \
     move c k in 1..min(c, 3) -> G(a, b, c - k)\n move d where a > 0 and b > 0 and c > 0 -> G(a - 1, b - 1, c - 1) }\n\
     solve G(30, 20, 17)\n",
    // Remote positions.
    "game G(a, b) { move a where a > 0 -> G(a - 1, b)\n move b where b > 0 -> G(a, b - 1) }\nsolve G(150, 700)\n",
    // Large values, then remote positions, by loops.
    "game G(a, b) { move a k in 1..a where k != 70 -> G(a - k, b)\n move b where b > 0 -> G(a, b - 1) }\nsolve G(90, 600)\n",
    "game G(a, b) { move a k in 1..a where k mod 5 > 0 -> G(a - k, b)\n move b k in 1..b where k mod 7 > 0 -> G(a, b - k) }\n\
     solve G(130, 140)\n",
    // Lines, with few and with many values.
    "game G(a, b) { move a k in 1..a -> G(a - k, b)\n move b k in 1..b -> G(a, b - k) }\nsolve G(40, 50)\n",
    "game G(a, b) { move a k in 1..a -> G(a - k, b)\n move b k in 1..b -> G(a, b - k)\n \
     move c k in 1..min(a, b) -> G(a - k, b - k) }\nsolve G(180, 200)\n",
    "game G(a, b, c) { move a k in 1..a -> G(a - k, b, c)\n move b k in 1..b -> G(a, b - k, c)\n \
     move c k in 1..min(b, c) -> G(a, b - k, c - k)\n move d where c > 0 -> G(a, b, c - 1) }\nsolve G(30, 40, 50)\n",
    "game G(a, b) { move a k in 1..a -> G(a - k, b)\n move b where b > 0 -> G(a, b - 1) }\nsolve G(70, 600)\n",
    // Sums, misere play, draws, moves that keep the turn.
    "game G(a, b) { move a k in 1..a where b > 0 -> G(a - k, b - 1) + G(k - 1, b)\n move b where b > 0 -> G(a, b - 1) }\n\
     solve G(60, 30)\n",
    "game G(a, b) { move a where a > 0 -> G(a - 1, b)\n move b k in 1..min(b, 4) -> G(a, b - k) }\nsolve misere G(50, 60)\n",
    "game G(a, b) { move a k in 1..a -> if b == 1 then win else G(a - k, b)\n move b k in 1..b -> again G(a, b - k)\n \
     end when a + b == 3: drawn }\nsolve G(50, 60)\n",
    // A field that goes up, in the direction of the ranks.
    "game G(a, b) { move a where a > 0 -> G(a - 1, b)\n move b where b < 50, k in 1..min(3, 50 - b) -> G(a, b + k)\n \
     move c where a > 2 and b < 49 -> G(a - 2, b + 2) }\nsolve G(60, 0)\n",
    // Rules that fault at positions which are not met.
    "game G(a, b) { move a where a > 0 -> G(a - 1, b)\n move b where b > 1 and 12 div (b - 1) >= 0 -> G(a, b - 2)\n \
     move c where a < 20 and b mod 2 == 1, x = 5 div (b - b) where x > 0 -> G(a, b - 1) }\nsolve G(60, 50)\n",
];

#[test]
fn rows_are_shared() {
    for text in ROWS {
        let used = same(text);
        assert!(used[..3].iter().all(|&threads| threads > 1), "{used:?} {text}");
    }
}

#[test]
fn moves_to_later_places_of_earlier_rows_are_seen() {
    for text in [
        "game G(n, most) { move a k in 1..min(n, most) -> G(n - k, 2 * k) }\nsolve G(40, 39)\n",
        "game G(a, b) { move a where a > 0 -> G(a - 1, b)\n move b where b > 0 -> G(a, b - 1)\n \
         move c where a == 33 and b == 20, k in 1..20 -> G(a - 1, b + k) }\nsolve G(50, 45)\n",
        "game G(a, b) { move a k in 1..a -> G(a - k, b)\n move b k in 1..b -> G(a, b - k)\n \
         move c where a == 90 and b == 100 -> G(a - 1, b + 50) }\nsolve G(100, 160)\n",
        // Late in the last row.
        "game G(a, b) { move a where a > 0 -> G(a - 1, b)\n move b where b > 0 -> G(a, b - 1)\n \
         move c where a == 50 and b == 44 -> G(49, 45) }\nsolve G(50, 45)\n",
    ] {
        let used = same(text);
        assert!(used.contains(&1), "{used:?} {text}");
    }
    // Whole rows go ahead of each other where nothing within them does.
    let used = same(
        "game G(a, b, c) { move a where a > 0 -> G(a - 1, b, c)\n move b k in 1..min(b, 3) -> G(a, b - k, c)\n \
         move c where b > 0 and c < 20 -> G(a, b - 1, c + 1)\n move d where c > 0 -> G(a, b, c - 1) }\nsolve G(20, 20, 20)\n",
    );
    assert!(used.iter().any(|&threads| threads > 1), "{used:?}");
}

/// Small tables are left to one thread, whatever was asked for.
#[test]
fn small_tables_are_not_shared() {
    let program = program(
        "game G(a, b) { move a where a > 0 -> G(a - 1, b)\n move b where b > 0 -> G(a, b - 1) }\nsolve G(90, 90)\n",
    );
    let program = program.expect("the game checks");
    let mut ctx = ctx(&program, 8, Limits::default().grain, Limits::default());
    assert!(only(&mut ctx).is_ok());
    assert_eq!(dense(&ctx).threads, 1);
}

/// A game of 10^10 moves: a run that ends was ended.
const LONG: &str = "game G(a, b) { move a k in 1..a where k mod 7 != 3 -> G(a - k, b)\n \
                    move b k in 1..b where k mod 5 != 3 -> G(a, b - k) }\nsolve G(2500, 2500)\n";

/// Loops of 10^15 steps each, in which a condition passes over all.
const NOTHING: &str = "game G(a, b) { move a k in 1..a where k * k + b == 7 - a -> G(a - k, b)\n \
                       move b where b > 0 -> G(a, b - 1)\n move c where a < 1000000000000000 -> G(a + 500000000000000, b) }\n\
                       solve G(1, 1)\n";

/// Straight code without a loop to ask in, thousands of instructions for each of many positions.
fn straight() -> String {
    let moves: Vec<String> = (1..=40)
        .map(|i| {
            format!(
                "move m{i} i in 1..16, j in 1..16 where (a * i + b * j + {i}) mod 10007 == 1 and b > 0 -> G(a, b - 1)"
            )
        })
        .collect();
    format!("game G(a, b) {{\n{}\nmove z where a > 0 -> G(a - 1, b) }}\nsolve G(3000, 3000)\n", moves.join("\n"))
}

#[test]
fn time_ends_all_threads() {
    for text in [LONG, NOTHING, &straight()] {
        let program = program(text).expect("the game checks");
        for threads in [1, 2, 8] {
            let limits = Limits::default().with_time(Some(Duration::from_millis(500)));
            let mut ctx = ctx(&program, threads, 0, limits);
            assert_eq!(only(&mut ctx).map(|a| a.positions), Err("L03".to_string()), "{threads}");
        }
    }
}

#[test]
fn the_user_ends_all_threads() {
    let program = program(LONG).expect("the game checks");
    for threads in [1, 2, 3, 8] {
        let mut ctx = ctx(&program, threads, 0, Limits::default());
        let stop = ctx.limits.interrupted.clone();
        let found = std::thread::scope(|scope| {
            scope.spawn(move || {
                std::thread::sleep(Duration::from_millis(300));
                stop.store(true, Ordering::Relaxed);
            });
            only(&mut ctx)
        });
        assert_eq!(found.map(|a| a.positions), Err("L03".to_string()), "{threads}");
    }
}

/// Limits of positions and of memory refuse a table, or do not, whatever the number of threads.
#[test]
fn other_limits_do_not_depend_on_threads() {
    let text = "game G(a, b) { move a k in 1..a where k != 70 -> G(a - k, b)\n move b where b > 0 -> G(a, b - 1) }\nsolve G(90, 600)\n";
    let program = program(text).expect("the game checks");
    for (positions, memory) in [
        (Some(54_691), 1 << 30),
        (Some(54_690), 1 << 30),
        (Some(100), 1 << 30),
        (None, 1 << 20),
        (None, 1 << 19),
        (None, 400_000),
    ] {
        let found = [1, 2, 3, 8].map(|threads| {
            let limits = Limits { positions, memory, ..Limits::default() };
            format!("{:?}", only(&mut ctx(&program, threads, 0, limits)))
        });
        assert!(found.iter().all(|other| *other == found[0]), "{positions:?} {memory} {found:?}");
    }
}

/// The table of keys that the only `solve` line made, if it made one.
fn hashed(ctx: &Context) -> Option<&Hashed> {
    ctx.memo.tables.values().find_map(|table| match table {
        Table::Hashed(hashed) => Some(hashed),
        Table::Dense(_) => None,
    })
}

/// Numbers divided until they are 0: few states, far apart.
const SPREAD: &str = "game S(a, b, c) { move a d in [2, 3, 5] where a > 0 -> S(a div d, b, c)\n \
     move b d in [2, 3, 5] where b > 0 -> S(a, b div d, c)\n move c d in [2, 3, 5] where c > 0 -> S(a, b, c div d)\n \
     move all where min(a, b, c) > 0 -> S(a div 2, b div 2, c div 2) }\nsolve S(3000, 3001, 3002)\n";

#[test]
fn spread_states_are_shared() {
    let heaps = |moves: &str, start: &str| format!("game G(a, b, t) {{ {moves} }}\nsolve G({start})\n");
    let large = "move a k in 1..a -> G(a - k, b, t + k * 10007)\n move b k in 1..b -> G(a, b - k, t + k * 10007)";
    let far = "move a where a > 0 -> G(a - 1, b, t + 10007)\n move b where b > 0 -> G(a, b - 1, t + 10007)";
    // A step up deep below: a play without end, and a division by zero.
    let cyclic = format!("{far}\n move up where a == 3 and b == 2 -> G(4, 3, t - 20014)");
    let fault = format!("{far}\n move bad where a == 3 and b == 2 -> G(4 div (b - 2), 3, t)");
    let texts = [
        (SPREAD.to_string(), true),
        (heaps(large, "90, 70, 0"), true),
        (heaps(far, "400, 200, 0"), true),
        (
            heaps(&format!("{large}\n move both where a > 3 and b > 300 -> G(a - 1, b - 1, t + 20014)"), "80, 330, 0"),
            true,
        ),
        (heaps(&cyclic, "60, 50, 0"), false),
        (heaps(&fault, "60, 50, 0"), false),
    ];
    for (text, made) in texts {
        let program = program(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        // After a short search, which tells how few states of the box there are.
        let tried = |threads| {
            let mut ctx = ctx(&program, threads, 0, Limits::default());
            ctx.options.trial = 500;
            ctx
        };
        let mut one = tried(1);
        let expected = only(&mut one);
        assert_eq!(hashed(&one).is_some(), made, "{text}");
        for threads in [2, 3, 8] {
            let mut many = tried(threads);
            let found = only(&mut many);
            assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{threads} {text}");
            let Some((one, many)) = hashed(&one).zip(hashed(&many)) else { continue };
            assert_eq!((many.threads, many.positions()), (threads, one.positions()), "{text}");
        }
    }
}

/// Outcomes and remoteness of all nodes of graphs with plays that come back do not depend on the threads that work out the
/// layers, nor on their pieces.
#[test]
fn layers_are_shared() {
    let texts = [
        // Tokens on a digraph; all sets of vertices.
        "game A[g: digraph](t: set of vertex of g) { move go u in t, v in successors(g, u) -> A(t xor {u} xor {v}) }\n\
         let g = digraph(13, [(i, (i + 1) mod 13) for i in 1..12 where i mod 6 > 0] + [(i, (7 * i + 5) mod 13) for i in 1..12])\n\
         solve A[g](vertices(g) - {0})\n",
        // Ends of all kinds, and moves that keep the turn.
        "game W(a, b, c) {\n end when a == 0 and b == 0 : lost\n end when a + b == 37 : drawn\n \
         move up k in 1..3 where a + k < 40 -> W(b, a + k, c)\n move down k in 1..2 where a >= k -> again W(b, a - k, c)\n \
         move left k in 1..3 where c >= k -> W(b, a, c - k)\n move right where c < 9 and a > 20 -> W(b, a, c + 1)\n \
         move stop where a == 17 and b > 20 -> lose\n move done where a == 39 and c == 3 -> win }\nsolve W(39, 38, 9)\n",
        // Far fewer states than the box has, and a long play.
        "game L(a, b) { move on where a > 0 -> L(a - 1, a - 1)\n move back where a mod 7 == 3 -> L(a + 1, a + 1)\n \
         move slide where b mod 5 == 2 and a < 590 -> L(a + 9, b + 9) }\nsolve L(600, 600)\n",
    ];
    for text in texts {
        let program = program(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        for boxed in [true, false] {
            let found = |threads, grain| {
                let mut ctx = ctx(&program, threads, grain, Limits::default());
                (ctx.options.boxed, ctx.options.block_bits) = (boxed, 10);
                let answer = only(&mut ctx).unwrap_or_else(|e| panic!("{e} {text}"));
                let solved = ctx.memo.solved.values().next().unwrap_or_else(|| panic!("states: {text}"));
                let cells: Vec<_> = match solved {
                    Solved::Reached(reached) => {
                        NodeId::all(reached.cells.len()).map(|node| Some(reached.cells.decided(node))).collect()
                    }
                    Solved::Boxed(blocks) => {
                        (0..blocks.positions()).map(|rank| blocks.read_rank(rank).expect("whole")).collect()
                    }
                };
                (format!("{answer:?}"), cells)
            };
            let expected = found(1, 0);
            let shared = [(2, 4), (5, 1), (2, 0), (3, 0), (8, 0)];
            for (threads, grain) in shared.into_iter().take(rounds(2, 5)) {
                assert!(found(threads, grain) == expected, "{threads} {grain} {boxed} {text}");
            }
        }
    }
}

#[test]
fn a_limit_of_positions_is_kept_by_all_threads() {
    let program = program(SPREAD).expect("a game");
    let mut one = ctx(&program, 1, 0, Limits::default());
    only(&mut one).expect("an answer");
    let positions = hashed(&one).expect("a table").positions();
    for threads in [1, 2, 5] {
        for (limit, fits) in [(positions, true), (positions - 1, false), (positions / 2, false)] {
            let mut many = ctx(&program, threads, 0, Limits { positions: Some(limit), ..Limits::default() });
            let found = only(&mut many);
            assert_eq!(found.err(), (!fits).then(|| "L01".to_string()), "{threads} {limit}");
        }
    }
}
