//! The proof that plays end: right for games whose rules show it, never given for games whose plays come back.

mod naive;
mod random;

use grundy::answer::Outcome;
use grundy::check::ending::always_ends;
use grundy::check::model::{GameId, Question};
use grundy::rules::data::NoFiles;
use grundy::rules::limits::Limits;
use grundy::rules::machine::Machine;
use grundy::rules::value::Value;
use grundy::solve::{self, Choice};
use naive::Rng;
use naive::engine::program;
use random::{Plays, game};
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
        let mut machine = Machine::new(program.clone(), Arc::new(NoFiles), Limits::default(), solve::ask);
        machine.give(vec![None; program.inputs.len()]);
        for question in &program.questions {
            let Question::Solve { body, .. } = question else { continue };
            let answer = machine.with_recovery(|machine| {
                let Value::Position(position) = machine.eval(&body.frame, &body.term)? else { panic!("a position") };
                solve::solve(machine, &position, Choice::default())
            });
            if let Ok(answer) = answer {
                assert_ne!(answer.outcome, Outcome::Draw, "seed {seed}\n{text}");
                assert!(machine.memo.solved.is_empty(), "seed {seed}: a graph was made\n{text}");
            }
        }
    }
    assert!(proved > 40 && proved < all, "{proved} of {all}");
}
