//! The proof that plays end: right for games whose rules show it, never given for games whose plays come back.

use crate::naive::Rng;
use crate::naive::engine::program;
use crate::random::{Plays, game};
use grundy::analysis::termination::always_ends;
use grundy::answer::Outcome;
use grundy::engines as solve;
use grundy::engines::Choice;
use grundy::input::data::NoFiles;
use grundy::model::{GameId, Program, Question};
use grundy::value::Value;
use grundy::value::limits::Limits;
use grundy::vm::context::Context;
use std::fmt::Write as _;
use std::sync::Arc;

fn ends(text: &str) -> bool {
    let program = program(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    always_ends(&program, GameId(0))
}

#[test]
fn rules_that_show_it() {
    for text in [
        "game G(n) { move take k in 1..n -> G(n - k) }",
        "game G(n) { move take k in [1, 3, 4], where k > 0 and k <= n -> G(n - 1) }",
        "game G(a, b) { move x k in 1..a -> G(a - k, b + a)\n move y k in 1..b -> G(a, b - k) }",
        "game G(n) { move split k in 1..n - 1 -> G(n - k) + G(n - 1) }",
        "game G(hs: list of nat) { move take i in indices(hs), k in 1..hs[i] -> G(hs[i -= k]) }",
        "game G[g: graph](left: set of vertex of g) { move take v in left -> G(left - {v} - neighbours(g, v)) }",
        "game G[g: graph](at: vertex of g, seen: set of vertex of g) {\n  move go v in neighbours(g, at) - seen -> G(v, seen + {v}) }",
        "game G(n) { move one where n > 0 -> H(n) }\ngame H(n) { move two where n > 0 -> H(n - 1) }",
        "game G(n) { move to k in 0..n - 1 -> G(k) }",
        "game G(a, b) { move to k in 0..min(b, a - 1) -> G(k, b)\n move clear where b > 0 -> G(a, 0) }",
        "game G(a, b) { move x k in 1..a -> G(a - k, b)\n move y where b > 3 -> G(0, 3) }",
        "game G(n) { move one k = 2, where n > 2 -> if n > 5 then win else G(n - k) }",
        "game G(n) { move to k in slide(n, 0, {3, 5}) -> G(k) }",
        "game G(hs: list of nat) { move to i in indices(hs), k in slide(hs[i], 0, hs) -> G(hs[i := k]) }",
        "game G(hs: list of nat) { move to i in indices(hs), k in 0..hs[i] - 1 -> G(hs[i := k]) }",
        "game G(hs: list of nat, n) { move to i in indices(hs), k in 0..hs[i] - 1 -> G(hs[i := k], n)\n move end where n > 0 -> G(hs[1..], n - 1) }",
        "game G(s: set of nat) { move to c in s, k in slide(c, 0, s) -> G(s - {c} + {k}) }",
        "game G(s: set of nat) where 0 not in s { move to c in s, k in slide(c, 1, s) -> G(s - {c} + {k}) }",
        "game G(s: set of nat) { move to c in s, k in 1..c -> G(s + {c - k} - {c})\n move off c in s -> G(s - {c}) }",
        "game G(s: bag of nat) { move take h in s, k in 1..h -> G(s - {h} + {h - k}) }",
    ] {
        assert!(ends(text), "{text}");
    }
}

#[test]
fn rules_that_do_not() {
    for text in [
        "game G(n) { move stay k in 0..n -> G(n - k) }",
        "game G(n: int) { move down -> G(n - 1) }",
        "game G(n) { move to k in 0..n -> G(k) }",
        "game G(n) { move to k in 0..n + 1 -> G(k) }",
        "game G(n) { move to where n > 1 -> G(2) }",
        "game G(n) { move to -> G(0) }",
        "game G(n) { move to where n > 1 -> G(3) }",
        "game G(n: int) { move to where n > 1 -> G(0) }",
        "game G(a, b) { move x where a > 0 -> G(0, a)\n move y where b > 0 -> G(b, 0) }",
        "game G(a, b) { move x k in 1..a -> G(a - k, b + 1)\n move y k in 1..b -> G(a + 1, b - k) }",
        "game G(n) { move one where n > 0 -> H(n) }\ngame H(n) { move two where n > 0 -> G(n) }",
        "game G(n) { move take k in 1..n -> if n == 3 then draw else G(n - k) }",
        "game G(n) { end when n == 2: drawn\n move take k in 1..n -> G(n - k) }",
        "game G[g: graph](left: set of vertex of g) { move turn v in g -> G(left xor {v}) }",
        "game G[g: graph](left: set of vertex of g) { move take v in g -> G(left - {v}) }",
        "game G[g: graph](seen: set of vertex of g) { move go v in g -> G(seen + {v}) }",
        "game G(hs: list of nat) { move take i in indices(hs), k in 1..hs[i] -> G(hs[i := 5]) }",
        "game G(n) { move to k in slide(n, 1, {3, 5}) -> G(k) }",
        "game G(n) { move to k in slide(0, n, {3, 5}) -> G(k) }",
        "game G(hs: list of nat) { move to i in indices(hs), k in slide(hs[i], 1, hs) -> G(hs[i := k]) }",
        "game G(hs: list of nat) { move to i in indices(hs), j in indices(hs), k in 0..hs[i] - 1 -> G(hs[j := k]) }",
        "game G(hs: list of nat) { move to i in indices(hs), k in 0..hs[i] -> G(hs[i := k]) }",
        "game G(hs: list of int) { move to i in indices(hs), k in slide(hs[i], 0, hs) -> G(hs[i := k]) }",
        "game G(hs: list of nat) { move to i in indices(hs), where hs[i] > 0 -> G(hs[i -= 1, i := hs[i]]) }",
        "game G(hs: list of nat) { move to i in indices(hs), j in indices(hs), where hs[j] > 0 -> G(hs[j -= 1, i := hs[i]]) }",
        "game G(hs: list of nat) { move end where size(hs) > 0 -> G(hs[1..] + hs[..0]) }",
        "game G(hs: list of nat) { move end where size(hs) > 0 -> G(hs[1..]) }",
        "game G(s: set of nat) { move to c in s, k in slide(c, 1, s) -> G(s - {c} + {k}) }",
        "game G(s: set of nat) where 0 in s { move to c in s, k in slide(c, 1, s) -> G(s - {c} + {k}) }",
        "game G(s: set of nat) { move to c in s, d in s, k in 1..c -> G(s - {d} + {c - k}) }",
        "game G(s: set of nat) { move to c in s, k in 1..c -> G(s - {c} + {c - k, k}) }",
        "game G(s: bag of nat) { move take h in s, k in 0..h -> G(s - {h} + {h - k}) }",
        "game G(s: bag of nat) { move take h in 0..9, k in 1..h -> G(s - {h} + {h - k}) }",
        "game G(g: graph, seen: set of vertex of g) {\n  move grow -> G(graph(size(g) + 1, []), seen + {size(seen)}) }",
        "game G[m](n) { move take k in 1..n -> G[m + 1](n - k) }",
        "game G(n) { same as G(n + 1) when n == 3\n move take k in 1..n -> G(n - k) }",
    ] {
        assert!(!ends(text), "{text}");
    }
}

/// Of random games that are proved to end none is drawn, and the search finds no play that comes back.
#[test]
fn random_games_proved_to_end_do() {
    let (mut proved, mut all) = (0, 0);
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let plays = *rng.pick(&[Plays::Ordered, Plays::Sums, Plays::Cyclic, Plays::Cyclic]);
        let game = game(&mut rng, plays, 40);
        let text = game.text() + &game.question(std::slice::from_ref(&game.start));
        let program = program(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        all += 1;
        if !always_ends(&program, GameId(0)) {
            continue;
        }
        proved += 1;
        none_is_drawn(&program, &format!("seed {seed}\n{text}"));
    }
    assert!(proved > 40 && proved < all, "{proved} of {all}");
}

/// Answers every question: none is drawn, and the search finds no play that comes back.
fn none_is_drawn(program: &Arc<Program>, told: &str) {
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), solve::ask);
    ctx.give(vec![None; program.inputs.len()]);
    for question in &program.questions {
        let Question::Solve { body, .. } = question else { continue };
        let answer = ctx.with_recovery(|ctx| {
            let Value::Position(position) = ctx.eval(&body.frame, &body.term)? else { panic!("a position") };
            solve::solve(ctx, &position, Choice::default())
        });
        if let Ok(answer) = answer {
            assert_ne!(answer.outcome, Outcome::Draw, "{told}");
            assert!(ctx.memo.solved.is_empty(), "a graph was made: {told}");
        }
    }
}

/// The same for games on lists, sets and bags of numbers, whose moves put one number in the place of another.
#[test]
fn random_games_on_collections_proved_to_end_do() {
    let (mut proved, mut all) = (0, 0);
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let kind = *rng.pick(&["list of nat", "set of nat", "bag of nat"]);
        let listed = kind.starts_with("list");
        let filter = *rng.pick(&["", "", " where 0 not in s"]);
        let mut text = format!("game G(s: {kind}, n){filter} {{\n");
        for name in ["one", "two"] {
            let was = if listed { "s[i]" } else { "i" };
            let binder = if listed { "i in indices(s), j in indices(s)" } else { "i in s, j in s" };
            let other = *rng.pick(&["i", "i", "i", "j"]);
            let to = *rng.pick(&[
                "0..W - 1",
                "0..W",
                "1..W",
                "slide(W, 0, s)",
                "slide(W, 1, s)",
                "slide(W, 2, s)",
                "0..n",
                "W..W",
            ]);
            let fields = if listed {
                *rng.pick(&[
                    "s[O := k]",
                    "s[O -= k]",
                    "s[O := k][1..]",
                    "s[O := k, i -= 1]",
                    "s[i -= 1, O := k]",
                    "s[..0]",
                    "s[1..] + s[..0]",
                ])
            } else {
                *rng.pick(&[
                    "s - {O} + {k}",
                    "s + {k} - {O}",
                    "s - {i} + {i - k}",
                    "s - {O} + {k, 1}",
                    "s - {O}",
                    "s - {i} - {j}",
                ])
            };
            let n = *rng.pick(&["n", "n", "n - 1", "k", "min(n, k)"]);
            let guard = *rng.pick(&["", ", where n > 0", ", where k < n"]);
            let (to, fields) = (to.replace('W', was), fields.replace('O', other));
            let _ = writeln!(text, "  move {name} {binder}, k in {to}{guard} -> G({fields}, {n})");
        }
        text += "}\n";
        for start in ["[1, 3], 2", "[2, 4, 1], 1", "[3], 3", "[0, 2], 2"] {
            if !(filter.len() > 1 && start.starts_with("[0")) {
                let _ = writeln!(text, "solve G({start})");
            }
        }
        let program = program(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        all += 1;
        if always_ends(&program, GameId(0)) {
            proved += 1;
            none_is_drawn(&program, &format!("seed {seed}\n{text}"));
        }
    }
    assert!(proved > 100 && proved < all / 2, "{proved} of {all}");
}
