//! Where only who wins is asked, a search leaves a position at the first move that wins: few positions, and the same answers.

use crate::naive::engine::{EVERYTHING, each, program};
use grundy::answer::{Answer, Outcome};
use grundy::engines::{self as solve, Choice};
use grundy::input::data::NoFiles;
use grundy::value::limits::Limits;
use grundy::vm::context::Context;
use std::fmt::Write as _;
use std::sync::Arc;

const WHO: Choice = Choice { remoteness: false, outcome: true, ..EVERYTHING };

/// The answers to all `solve` lines, or the codes of errors.
fn answers(text: &str, choice: Choice, change: impl FnOnce(&mut Context)) -> Vec<Result<Answer, String>> {
    let program = program(text).expect("a program");
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), solve::ask);
    change(&mut ctx);
    ctx.give(vec![None; program.inputs.len()]);
    let all = each(&mut ctx, |ctx, position| solve::solve(ctx, position, choice));
    all.into_iter().map(|answer| answer.map_err(|e| e.code.to_string())).collect()
}

/// Who wins and the winning and drawing moves must be the same with the search and without it.
fn same(text: &str) -> Vec<Answer> {
    let told = |all: Vec<Result<Answer, String>>| all.into_iter().map(|a| a.expect("an answer")).collect::<Vec<_>>();
    let early = told(answers(text, WHO, |_| {}));
    let moves = |answer: &Answer| {
        let drawing = answer.drawing.as_ref().map(|list| list.count);
        let winning: Vec<String> = answer.winning.listed.iter().map(|mv| mv.text.clone()).collect();
        (answer.position.clone(), answer.outcome, winning, drawing)
    };
    for (name, all) in [
        ("full", told(answers(text, EVERYTHING, |_| {}))),
        ("off", told(answers(text, WHO, |ctx| ctx.options.early = false))),
        ("at once", told(answers(text, WHO, |ctx| ctx.options.trial = 0))),
        ("values", told(answers(text, WHO, |ctx| ctx.options.plain = true))),
    ] {
        for (one, other) in early.iter().zip(&all) {
            assert_eq!(moves(one), moves(other), "{name}");
        }
    }
    early
}

const GEOGRAPHY: &str = "game Geo[g: graph](at: vertex of g, seen: set of vertex of g = {at}) {\n  \
                         move go v in neighbours(g, at) - seen -> Geo(v, seen + {v})\n}\n";

#[test]
fn few_positions_are_enough() {
    // All positions are 12 million; a program that stops at the first move that wins, in the order of the moves, meets 6,869.
    let text = format!("{GEOGRAPHY}solve Geo[grid(6, 6)]((0, 0))");
    let found = answers(&text, WHO, |ctx| ctx.limits.positions = Some(200_000));
    let answer = found[0].as_ref().expect("few positions");
    assert_eq!((answer.outcome, answer.winning.count), (Outcome::First, 2));
    assert!((1..=6869).contains(&answer.positions), "{} positions", answer.positions);
    let full = answers(&text, WHO, |ctx| (ctx.options.early, ctx.limits.positions) = (false, Some(200_000)));
    assert_eq!(full[0].as_ref().err().map(String::as_str), Some("L01"));
    // Misere, and a limit that is too low.
    let text = format!("misere {GEOGRAPHY}solve Geo[grid(5, 6)]((0, 0))");
    let found = answers(&text, WHO, |ctx| ctx.limits.positions = Some(20_000));
    assert_eq!(found[0].as_ref().expect("few positions").outcome, Outcome::Second);
    let found = answers(&text, WHO, |ctx| ctx.limits.positions = Some(2_000));
    assert_eq!(found[0].as_ref().err().map(String::as_str), Some("L01"));
}

#[test]
fn answers_are_those_of_the_full_search() {
    let mut text = GEOGRAPHY.to_string();
    for (rows, columns) in [(3, 4), (4, 4), (3, 5)] {
        for at in ["(0, 0)", "(0, 1)", "(1, 1)", "(1, 2)"] {
            let _ = writeln!(text, "solve Geo[grid({rows}, {columns})]({at})");
        }
    }
    let normal = same(&text);
    assert!(normal.iter().any(|a| a.outcome == Outcome::First) && normal.iter().any(|a| a.outcome == Outcome::Second));
    same(&format!("misere {text}"));
    // Fields without bounds of their own, moves that end the play, turns that are kept, draws.
    let rules = "  move a k in 1..3 where k <= x -> H(x - k, y)\n  move b k in 1..4 where k <= y -> again H(x, y - k)\n  \
                 move c where x > 2 and y > 1 -> H(y, x - 2)\n  move stop where x mod 7 == 3 and y == 0 -> draw\n  \
                 move cut where x + y == 11 -> lose\n  move last where x == 2 and y == 9 -> win\n";
    for misere in ["", "misere "] {
        let mut text = format!("{misere}game H(x, y) {{\n{rules}}}\n");
        for (x, y) in [(9, 9), (40, 33), (61, 20), (7, 3), (0, 0), (90, 90), (13, 70), (40, 0)] {
            let _ = writeln!(text, "solve H({x}, {y})");
        }
        let all = same(&text);
        assert!(all.iter().any(|answer| answer.outcome == Outcome::Draw), "no draw");
    }
}

#[test]
fn plays_that_come_back_are_handed_over() {
    // A walk on a grid: nobody must leave it, but whoever stands at a corner may stop.
    let text = "game W(x, y, z) {\n  move up where x < 60 -> W(x + 1, y, z)\n  move down where x > 0 -> W(x - 1, y, z)\n  \
                move side where y > 0 -> W(x, y - 1, z)\n  move deep where z > 0 -> W(x, y, z - 1)\n  \
                move end where x == 0 and y == 0 -> win\n}\nsolve W(0, 1, 9)\nsolve W(30, 9, 9)\nsolve W(60, 0, 0)\n";
    let all = same(text);
    assert!(all.iter().any(|answer| answer.outcome == Outcome::Draw), "no draw");
}

#[test]
fn sums_are_left_to_values() {
    let text = "game K(n) {\n  move one i in 0..n - 1 -> K(i) + K(n - 1 - i)\n  move two i in 0..n - 2 -> K(i) + K(n - 2 - i)\n}\n\
                solve K(300)\nsolve K(12) + K(11)\nmisere game D(n) {\n  move one i in 0..n - 1 -> D(i) + D(n - 1 - i)\n}\nsolve D(9)\n";
    same(text);
}
