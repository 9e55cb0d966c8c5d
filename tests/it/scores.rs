//! Random scoring games: every form of the engine, tables of scores among them, says what a plain recursion says.

use crate::naive::engine::{FORMS, Form, answers, only, program};
use crate::rng::Rng;
use crate::rounds;
use grundy::answer::Outcome;
use grundy::engines as solve;
use grundy::input::data::NoFiles;
use grundy::tables::{Kind, Table};
use grundy::value::limits::Limits;
use grundy::vm::context::Context;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// `p * x + q * y + s`, times a factor.
#[derive(Clone, Copy)]
struct Points([i64; 3], i128);

struct Move {
    less: [i64; 2],
    /// `(a * x + b * y) mod m == r`
    guard: [i64; 4],
    again: bool,
    gain: Option<Points>,
}

struct Game {
    moves: Vec<Move>,
    /// `(x + 2 * y) mod 5 == r` ends the play.
    end: Option<(i64, Option<Points>)>,
    /// From `x = 0` a move goes round.
    cyclic: bool,
}

impl Points {
    fn random(rng: &mut Rng, factor: i128) -> Points {
        Points([rng.range(-3, 3), rng.range(-3, 3), rng.range(-4, 4)], factor)
    }

    fn text(self) -> String {
        let Points([p, q, s], factor) = self;
        format!("({p} * x + {q} * y + {s}) * {factor}")
    }

    fn at(self, x: i64, y: i64) -> i128 {
        let Points([p, q, s], factor) = self;
        i128::from(p * x + q * y + s) * factor
    }
}

impl Game {
    fn random(rng: &mut Rng, factor: i128) -> Game {
        let moves = (0..rng.range(1, 4)).map(|_| {
            let down = rng.range(0, 2);
            let other = if down == 0 { rng.range(1, 3) } else { rng.range(-2, 3) };
            let m = rng.range(1, 4);
            Move {
                less: [down, other],
                guard: [rng.range(0, 3), rng.range(0, 3), m, rng.range(0, m - 1)],
                again: rng.chance(35),
                gain: rng.chance(80).then(|| Points::random(rng, factor)),
            }
        });
        let moves = moves.collect();
        let end = rng.chance(40).then(|| (rng.range(0, 4), rng.chance(70).then(|| Points::random(rng, factor))));
        Game { moves, end, cyclic: factor <= 1000 && rng.chance(50) }
    }

    fn text(&self, x: i64, y: i64) -> String {
        let mut text = "game G(x: nat, y: nat) {\n".to_string();
        for (i, Move { less: [dx, dy], guard: [a, b, m, r], again, gain }) in self.moves.iter().enumerate() {
            let again = if *again { "again " } else { "" };
            let gain = gain.map_or(String::new(), |gain| format!(" gain {}", gain.text()));
            let _ = writeln!(
                text,
                "  move m{i} where x >= {dx} and y >= {dy} and ({a} * x + {b} * y) mod {m} == {r} -> \
                 {again}G(x - {dx}, y - ({dy})){gain}"
            );
        }
        // So that it is a scoring game.
        text.push_str("  move none where x < 0 -> G(x, y) gain 1\n");
        if self.cyclic {
            text.push_str("  move round where x == 0 -> G(0, (y + 1) mod 3)\n");
        }
        if let Some((r, score)) = self.end {
            let score = score.map_or(String::new(), |score| format!(": score {}", score.text()));
            let _ = writeln!(text, "  end when (x + 2 * y) mod 5 == {r}{score}");
        }
        let _ = write!(text, "}}\nsolve G({x}, {y})\n");
        text
    }

    /// The score, and how many moves are best; else the code of the error. `memo` holds `None` for what is being searched.
    fn solve(&self, x: i64, y: i64, memo: &mut HashMap<(i64, i64), Option<i128>>) -> Result<(i128, u64), &'static str> {
        memo.insert((x, y), None);
        let mut worths: Vec<i128> = Vec::new();
        let mut score = 0;
        if let Some((r, points)) = self.end
            && (x + 2 * y) % 5 == r
        {
            score = points.map_or(0, |points| points.at(x, y));
        } else {
            let round = (self.cyclic && x == 0).then_some((0, (y + 1) % 3, false, 0));
            let moves = self.moves.iter().filter(|Move { less: [dx, dy], guard: [a, b, m, r], .. }| {
                x >= *dx && y >= *dy && (a * x + b * y) % m == *r
            });
            let moves = moves.map(|Move { less: [dx, dy], again, gain, .. }| {
                (x - dx, y - dy, *again, gain.map_or(0, |gain| gain.at(x, y)))
            });
            for (x, y, again, gain) in moves.chain(round) {
                let next = match memo.get(&(x, y)) {
                    Some(Some(known)) => *known,
                    Some(None) => return Err("E21"),
                    None => self.solve(x, y, memo)?.0,
                };
                worths.push(gain + if again { next } else { -next });
            }
            score = worths.iter().copied().max().unwrap_or(score);
        }
        memo.insert((x, y), Some(score));
        Ok((score, worths.iter().filter(|worth| **worth == score).count() as u64))
    }
}

/// A machine that makes tables at once.
fn with_tables(text: &str) -> Context {
    let program = program(text).expect("a game");
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), solve::ask);
    ctx.options.trial = 0;
    ctx.give(vec![None; program.inputs.len()]);
    ctx
}

/// Bytes of the cells of its table of scores, if there is one.
fn cells(ctx: &Context) -> Option<u32> {
    let mut scores = ctx.memo.tables.values().filter(|table| table.cell().kind == Kind::Score);
    scores.next().map(|table| table.cell().bytes)
}

#[test]
fn scores_are_those_of_a_plain_recursion() {
    let (mut tabled, mut large, mut cyclic) = ([0; 9], 0, 0);
    for seed in 0..rounds(160, 20_000) {
        let rng = &mut Rng::new(seed);
        let factor =
            *rng.pick(&[1, 1, 1, 1000, 1_000_000, 1 << 40, 1 << 50, 1 << 55, 1 << 58, 1 << 60, (1 << 62) - 1, 1 << 90]);
        let game = Game::random(rng, factor);
        let (x, y) = (rng.range(2, 12), rng.range(0, 9));
        let text = game.text(x, y);
        let wanted = game.solve(x, y, &mut HashMap::new());
        let mut ctx = with_tables(&text);
        let alone = only(&mut ctx).map_err(|code| (code, String::new()));
        if let Some(bytes) = cells(&ctx) {
            tabled[bytes as usize] += 1;
        }
        large += u32::from(wanted.is_ok_and(|(score, _)| i64::try_from(score).is_err()));
        cyclic += u32::from(wanted == Err("E21"));
        let program = program(&text).expect("a game");
        let all = FORMS.iter().map(|&form| (form, answers(&program, form).swap_remove(0)));
        for (form, answer) in all.chain([(Form::Tables, alone)]) {
            let found = match &answer {
                Ok(answer) => {
                    let score: i128 = answer.score.as_ref().expect("a score").to_string().parse().expect("an int");
                    let outcome = match score.signum() {
                        1 => Outcome::First,
                        0 => Outcome::Draw,
                        _ => Outcome::Second,
                    };
                    assert_eq!(answer.outcome, outcome, "seed {seed}, {form:?}\n{text}");
                    Ok((score, answer.winning.count))
                }
                Err((code, _)) => Err(code.as_str()),
            };
            assert_eq!(found, wanted, "seed {seed}, {form:?}\n{text}");
        }
    }
    assert!(tabled[2] > 15 && tabled[4] > 5 && tabled[8] > 5 && large > 8 && cyclic > 2, "{tabled:?} {large} {cyclic}");
}

#[test]
fn dots_and_boxes_in_a_table() {
    // The edges of two rows of three squares, along the rows and then across.
    let boxes = (0..6).map(|i| {
        let (row, column) = (i / 3, i % 3);
        let across = 9 + row * 4 + column;
        format!("(if left & {{{}, {}, {across}, {}}} == {{e}} then 1 else 0)", i, i + 3, across + 1)
    });
    let closed = boxes.collect::<Vec<_>>().join(" + ");
    let text = format!(
        "game D(left: set of nat) {{\n  move draw e in left, c = {closed} ->\n    \
         if c > 0 then again D(left - {{e}}) gain c else D(left - {{e}})\n}}\nsolve D(set(0..16))\n"
    );
    let mut ctx = with_tables(&text);
    let answer = only(&mut ctx).expect("an answer");
    assert_eq!((answer.score, answer.winning.count, answer.positions), (Some((-2).into()), 17, 1 << 17));
    let bytes: usize = ctx.memo.tables.values().map(Table::bytes).sum();
    assert!(cells(&ctx) == Some(2) && bytes < 3 << 17, "{bytes}");
}
