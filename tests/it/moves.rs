//! What a move is worth, against the moves that `solve` says win; the best move against what the position is worth.

use crate::naive::engine::{EVERYTHING, each, program};
use grundy::answer::Outcome;
use grundy::engines::{self, Worth};
use grundy::input::data::NoFiles;
use grundy::value::limits::Limits;
use grundy::vm::context::Context;
use std::fs;
use std::sync::Arc;

/// Looks at the position of each `solve` line, and at those behind its first moves.
fn look(name: &str, text: &str) -> u64 {
    let Ok(program) = program(text) else { return 0 };
    let mut ctx = Context::new(program, Arc::new(NoFiles), Limits::default(), engines::ask);
    let looked = each(&mut ctx, |ctx, position| {
        let mut at = Arc::new(position.clone());
        let mut met = 0;
        for depth in 0..6 {
            let mut plays = engines::moves(ctx, &at)?;
            let Ok(answer) = engines::judge(ctx, &at, &mut plays, engines::STEPS) else { break };
            met += 1;
            let place = format!("{name}: {}", answer.position);
            let best = engines::best(&plays);
            if let Some(score) = answer.score {
                let score = Some(Worth::Points(score));
                let points = best.map_or(score.clone(), |play| play.worth.clone());
                assert_eq!(points, score, "{place}");
            } else if answer.moves_refused.is_none() && plays.iter().all(|play| play.worth.is_some()) {
                let winning = plays.iter().filter(|play| play.worth == Some(Worth::Wins)).map(|play| play.told.clone());
                let winning: Vec<_> = winning.collect();
                let all = engines::solve(ctx, &at, EVERYTHING)?;
                assert_eq!(winning, all.winning.listed, "{place}");
                let worth = match all.outcome {
                    Outcome::First => Worth::Wins,
                    Outcome::Second => Worth::Loses,
                    Outcome::Draw => Worth::Draws,
                };
                // Whoever cannot move has lost, or won in misere play.
                assert!(best.is_none_or(|play| play.worth == Some(worth)), "{place}: {best:?}");
            }
            // Not always the same way on.
            let next = plays.get((depth * 7 + 3) % plays.len().max(1)).and_then(|play| play.next.clone());
            let Some(next) = next else { break };
            at = next;
        }
        Ok(met)
    });
    looked.into_iter().map(|met| met.unwrap_or(0)).sum()
}

#[test]
fn moves_are_worth_what_solve_says() {
    let mut met = 0;
    for entry in fs::read_dir("tests/corpus").expect("the corpus") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|ending| ending == "game") {
            met += look(&path.display().to_string(), &fs::read_to_string(&path).expect("a file"));
        }
    }
    for (name, text) in [
        (
            "again",
            "game G(n, s: nat) {\n  move a k in 1..min(n, 3) -> again G(n - k, s) gain k where s > 0\n}\nsolve G(5, 1)\n",
        ),
        (
            "turn",
            "game G(n) {\n  move one where n > 0 -> again G(n - 1)\n  move two where n > 1 -> G(n - 2)\n}\nsolve G(7)\nsolve G(8)\n",
        ),
        (
            "points",
            "game G(a: list of nat) {\n  move l where size(a) > 0 -> G(a[1..]) gain first(a)\n  move r where size(a) > 0 -> G(a[..size(a) - 2]) gain last(a)\n}\nsolve G([4, 1, 7, 2, 9, 3])\n",
        ),
        (
            "ends",
            "game G(n) {\n  end when n == 1: won\n  move a k in 1..2 where k < n -> G(n - k)\n  move b where n == 4 -> draw\n}\nsolve G(9)\nsolve G(4)\n",
        ),
        (
            "loopy",
            "game G(n) {\n  move up where n < 5 -> G(n + 1)\n  move down where n > 0 -> G(n - 1)\n  move out where n == 5 -> win\n}\nsolve G(2)\nsolve G(5)\n",
        ),
    ] {
        met += look(name, text);
    }
    assert!(met > 100, "only {met} positions");
}

/// Moves that `legal when` forbids take no place among the first ones.
#[test]
fn the_first_moves_are_legal_ones() {
    let text = "game Legal(a, b) {
  legal when (a + b) mod 3 != 0
  move left k in 1..a -> Legal(a - k, b)
}
solve Legal(100, 1)
";
    let mut ctx = Context::new(program(text).expect("a program"), Arc::new(NoFiles), Limits::default(), engines::ask);
    let looked = each(&mut ctx, |ctx, position| {
        let at = Arc::new(position.clone());
        let all: Vec<String> = engines::moves(ctx, &at)?.into_iter().map(|play| play.told.text).collect();
        assert_eq!(all.len(), 67);
        for most in [1, 2, 10, 40, 66, 67, 68, 1000] {
            let (some, more) = engines::first_moves(ctx, &at, most)?;
            let some: Vec<String> = some.into_iter().map(|play| play.told.text).collect();
            assert_eq!((&some[..], more), (&all[..most.min(67)], most < 67));
        }
        Ok(1)
    });
    assert_eq!(looked.into_iter().map(Result::unwrap).sum::<i32>(), 1);
}
