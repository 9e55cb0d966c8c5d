//! Compounds, and sums in misere play, judged by their parts: against a recursion over whole positions by the rules of each
//! compound alone.

use crate::naive::Rng;
use crate::naive::engine::{each, planned};
use crate::rounds;
use grundy::answer::{Answer, Method, Outcome};
use grundy::engines as solve;
use grundy::engines::Choice;
use grundy::input::data::NoFiles;
use grundy::value::limits::Limits;
use grundy::vm::context::Context;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// Vertices with their moves; each leads to so many vertices, all of them smaller.
type Game = Vec<Vec<Vec<usize>>>;

/// How parts are played: the word, and for so many parts, of which so many can move, the least and the greatest number moved in.
type Way = (&'static str, fn(usize, usize) -> (usize, usize));

const WAYS: [Way; 9] = [
    ("sum", |_, _| (1, 1)),
    ("conjunctive", |all, can| if can < all { (0, 0) } else { (all, all) }),
    ("continued", |_, can| (can, can)),
    ("selective", |_, can| (1, can)),
    ("shortened_selective", |all, can| if can < all { (0, 0) } else { (1, all) }),
    ("diminished", |all, can| if can < all { (0, 0) } else { (1, 1) }),
    ("at_most(1, ", |_, _| (1, 1)),
    ("at_most(2, ", |_, can| (1, can.min(2))),
    ("at_most(3, ", |_, can| (1, can.min(3))),
];

/// The positions after all moves, each as often as there are moves to it.
fn moves(game: &Game, way: Way, parts: &[usize]) -> Vec<Vec<usize>> {
    let can = parts.iter().filter(|part| !game[**part].is_empty()).count();
    let (least, most) = way.1(parts.len(), can);
    // So far: what is left, and in how many parts was moved.
    let mut all = vec![(Vec::new(), 0)];
    for part in parts {
        let mut next = Vec::new();
        for (left, moved) in all {
            next.extend(game[*part].iter().map(|to| {
                // The part that has become nothing is a part all the same, without moves.
                let to = if to.is_empty() && way.0 != "sum" { vec![0] } else { to.clone() };
                ([left.clone(), to].concat(), moved + 1)
            }));
            next.push(([left, vec![*part]].concat(), moved));
        }
        all = next;
    }
    let allowed = |moved: usize| moved > 0 && (least..=most).contains(&moved);
    all.into_iter().filter(|(_, moved)| allowed(*moved)).map(|(parts, _)| parts).collect()
}

type Memo = HashMap<Vec<usize>, bool>;

/// Whether the next player wins.
fn wins(game: &Game, way: Way, misere: bool, parts: &[usize], memo: &mut Memo) -> bool {
    let mut key = parts.to_vec();
    key.sort_unstable();
    if let Some(won) = memo.get(&key) {
        return *won;
    }
    let next = moves(game, way, &key);
    let won = if next.is_empty() { misere } else { next.iter().any(|next| !wins(game, way, misere, next, memo)) };
    memo.insert(key, won);
    won
}

/// A random game; vertex 0 has no moves.
fn game(rng: &mut Rng, splits: bool) -> Game {
    let n = 2 + rng.below(6);
    let mut game: Game = vec![Vec::new()];
    for v in 1..n {
        let count = rng.below(4);
        game.push(
            (0..count)
                .map(|_| {
                    let size = if splits { [0, 1, 1, 1, 2][rng.below(5)] } else { 1 };
                    (0..size).map(|_| rng.below(v)).collect()
                })
                .collect(),
        );
    }
    game
}

/// Its text.
fn text(game: &Game) -> String {
    format!("let next = {game:?}\ngame P(v) {{\n  move go i in indices(next[v]) -> sum(P(w) for w in next[v][i])\n}}\n")
}

fn position(way: Way, misere: bool, parts: &[usize]) -> String {
    let misere = if misere { "misere " } else { "" };
    let list = parts.iter().map(|v| format!("P({v})")).collect::<Vec<_>>().join(", ");
    let word = if way.0.ends_with(", ") { way.0.to_string() } else { format!("{}(", way.0) };
    format!("{misere}{word}[{list}])")
}

#[test]
fn who_wins_and_how_many_moves_do() {
    let mut rng = Rng::new(41);
    let (mut asked, mut told, mut tame, mut wild) = (0, 0, 0, 0);
    for round in 0..rounds(80, 200) {
        let game: Game = match round % 8 {
            // Heaps of Nim, whose values only fall.
            0 => (0..4).map(|n| (0..n).map(|left| vec![left]).collect()).collect(),
            // The smallest game that is not tame.
            1 => {
                [&[][..], &[0], &[0, 1], &[2], &[0, 3]].iter().map(|to| to.iter().map(|v| vec![*v]).collect()).collect()
            }
            _ => game(&mut rng, round % 2 == 0),
        };
        let most = if round % 8 == 0 { 5 } else { 4 };
        let mut file = text(&game);
        let mut plans = Vec::new();
        for way in WAYS {
            for misere in [false, true] {
                let mut memo = Memo::new();
                for _ in 0..3 {
                    let parts: Vec<usize> = (0..=rng.below(most)).map(|_| rng.below(game.len())).collect();
                    let won = wins(&game, way, misere, &parts, &mut memo);
                    let next = moves(&game, way, &parts);
                    let winning = next.iter().filter(|next| !wins(&game, way, misere, next, &mut memo)).count();
                    let position = position(way, misere, &parts);
                    let word = if won { "wins" } else { "loses" };
                    let _ = writeln!(
                        file,
                        "claim \"{asked}\": {word}({position}) and size(winning({position})) == {winning}"
                    );
                    asked += 1;
                    plans.push((way, misere, position));
                }
            }
        }
        let said = crate::program::stdout(&file, &["check"]);
        assert_eq!(said.matches("VERIFIED").count(), plans.len(), "{file}\n{said}");
        // That these are answers of the rule, and not of a search.
        for (way, misere, position) in plans {
            let program = crate::naive::engine::program(&format!("{}solve {position}\n", text(&game))).expect("a file");
            let mut ctx = Context::new(program, Arc::new(NoFiles), Limits::default(), solve::ask);
            ctx.give(Vec::new());
            let plan = planned(&mut ctx, "parts of");
            told += usize::from(plan.is_ok());
            match (way.0, misere) {
                ("sum", true) if plan.is_ok() => tame += 1,
                ("sum", true) => wild += usize::from(plan.is_err_and(|why| why.contains("is not tame"))),
                ("sum", false) => assert_eq!(plan, Err("a sum in normal play".to_string())),
                (word, _) if !word.starts_with("at_most") => assert!(plan.is_ok(), "{plan:?} {position}"),
                _ => {}
            }
        }
    }
    assert!(
        asked == rounds(4320, 10_800) && told > rounds(3200, 8_000) && tame > rounds(80, 200) && wild > rounds(4, 10),
        "{asked} {told} {tame} {wild}"
    );
}

/// The answer to the only `solve` line of a text with at most so many positions searched.
fn answer(text: &str, positions: u64, moves: usize) -> Result<Answer, String> {
    let program = crate::naive::engine::program(text).expect("a file");
    let limits = Limits { positions: Some(positions), ..Limits::default() };
    let mut ctx = Context::new(program, Arc::new(NoFiles), limits, solve::ask);
    ctx.give(Vec::new());
    let choice = Choice { exhaustive: false, moves, remoteness: true, outcome: false };
    let answer = each(&mut ctx, |ctx, position| solve::solve(ctx, position, choice)).swap_remove(0);
    answer.map_err(|error| error.code.to_string())
}

/// What is answered without a search of the whole is what a search answers, as far as it goes.
#[test]
fn too_large_for_a_search() {
    let mut rng = Rng::new(42);
    let mut parted = 0;
    for round in 0..900 {
        let game = game(&mut rng, round % 3 == 0);
        let way = WAYS[round % WAYS.len()];
        let parts: Vec<usize> = (0..4).map(|_| rng.below(game.len())).collect();
        let text = format!("{}solve {}\n", text(&game), position(way, round % 2 == 0, &parts));
        let all = answer(&text, 1 << 20, usize::MAX).expect("it is small");
        let most = [usize::MAX, 3][round / 100 % 2];
        let Ok(few) = answer(&text, game.len() as u64 + 2, most) else { continue };
        assert_eq!(few.outcome, all.outcome, "{text}");
        let moves =
            |answer: &Answer| answer.winning.listed.iter().take(most).map(|mv| mv.text.clone()).collect::<Vec<_>>();
        assert_eq!((few.winning.count, moves(&few)), (all.winning.count, moves(&all)), "{text}");
        if few.grundy.is_some() {
            continue;
        }
        if few.remoteness.is_some() {
            assert_eq!(few.remoteness, all.remoteness, "{text}");
        }
        parted += usize::from(few.method == Method::Components && all.method != Method::Components);
    }
    assert!(parted > 100, "only {parted}");
}

/// Sums in misere play far beyond a search, against the rule for heaps of which up to three are taken: heaps modulo 4 (Winning
/// Ways, chapter 13: finite subtraction games are tame).
#[test]
fn large_sums_in_misere_play() {
    let mut rng = Rng::new(43);
    for _ in 0..rounds(4, 40) {
        let heaps: Vec<usize> = (0..12).map(|_| 200 + rng.below(400)).collect();
        let list = heaps.iter().map(|n| format!("T({n})")).collect::<Vec<_>>().join(" + ");
        let text = format!("game T(n) {{ move take k in 1..3 where k <= n -> T(n - k) }}\nsolve misere ({list})\n");
        let answer = answer(&text, 1 << 20, 60).expect("an answer");
        let values: Vec<usize> = heaps.iter().map(|n| n % 4).collect();
        let xor = values.iter().fold(0, |all, value| all ^ value);
        let lost = if values.iter().all(|value| *value < 2) { xor == 1 } else { xor == 0 };
        assert_eq!(answer.outcome, if lost { Outcome::Second } else { Outcome::First }, "{heaps:?}");
        assert_eq!(answer.winning.count == 0, lost, "{heaps:?}");
    }
}

/// More moves than anyone can look at: of three heaps in four the next player takes what is left modulo 4, and of the others nothing.
#[test]
fn moves_that_are_too_many_to_be_gone_through() {
    let heaps = (1..=60).map(|n| format!("T({n})")).collect::<Vec<_>>().join(", ");
    let text =
        |word: &str| format!("game T(n) {{ move take k in 1..3 where k <= n -> T(n - k) }}\nsolve {word}([{heaps}])\n");
    let found = answer(&text("selective"), 1 << 20, 9).expect("an answer");
    assert_eq!((found.outcome, found.winning.count), (Outcome::First, 1));
    let taken: Vec<String> =
        (0..60).filter(|i| (i + 1) % 4 != 0).map(|i| format!("take {} in {i}", (i + 1) % 4)).collect();
    assert_eq!(found.winning.listed[0].text, taken.join(", "));
    // The suspense number of T(n) is that of a play in which the winner takes 1 and the loser 3, or so: worked out here.
    let mut suspense = vec![0_u32];
    for n in 1..=60_usize {
        let options: Vec<u32> = (1..=n.min(3)).map(|k| suspense[n - k]).collect();
        let even = options.iter().filter(|s| **s % 2 == 0).max();
        suspense.push(1 + even.or(options.iter().min()).expect("a move"));
    }
    // A move wins if the greatest number that it leaves is even: ways to stay at or below a number, of all parts.
    let below = |most: u32| {
        (1..=60_usize).try_fold(1_u128, |ways, n| {
            ways.checked_mul((1..=n.min(3)).filter(|k| suspense[n - k] <= most).count() as u128)
        })
    };
    let exactly = |s: u32| below(s).zip(if s == 0 { Some(0) } else { below(s - 1) }).map(|(a, b)| a - b);
    let winning: Option<u128> = (0..=60).step_by(2).map(exactly).try_fold(0_u128, |all, ways| all.checked_add(ways?));
    let won = suspense[1..].iter().max().expect("a heap") % 2 == 1;
    let found = answer(&text("continued"), 1 << 20, 2).expect("an answer");
    assert_eq!(found.outcome == Outcome::First, won);
    match winning.and_then(|winning| u64::try_from(winning).ok()) {
        Some(winning) => assert_eq!(found.winning.count, winning),
        None => assert!(found.moves_refused.is_some()),
    }
}

/// Where the rules fail at a position of a part that no play of the whole comes to, the answer is that of the play.
#[test]
fn rules_that_fail_out_of_reach() {
    let text = "game A(n) { move a -> B(1) }\ngame B(n) { move b where n >= 0 -> B(n - 1) }\ngame C(n) { move c where n > 0 -> C(n - 1) }\n\
                solve conjunctive(A(1), C(1))\n";
    let found = answer(text, 1 << 20, 9).expect("an answer");
    assert_eq!((found.outcome, found.winning.count), (Outcome::First, 1));
    let file = text.replace("solve ", "claim \"won\": wins(").replace("C(1))\n", "C(1)))\n");
    assert!(crate::program::stdout(&file, &["check"]).contains("VERIFIED"));
}

/// Cram on 3 x 7 cells as a set of pairs: it falls apart whatever the numbers are, so that few positions are searched. With numbers from
/// 0 to 7 the set is a word.
#[test]
fn a_set_of_any_pairs_falls_apart() {
    let answers = [0, 20, -4].map(|from| {
        let text = format!(
            "game G(s: set of (int, int)) {{
  move take (a, b) in s, (c, d) in s where (a, b) < (c, d) and abs(a - c) + abs(b - d) == 1 -> G(s - {{(a, b), (c, d)}})
}}
solve G({{(a, b) for a in {from}..{}, b in 0..2}})
",
            from + 6
        );
        let answer = answer(&text, 20_000, 100).expect("few positions");
        (answer.method, answer.outcome, answer.winning.count)
    });
    assert_eq!(answers[0].0, Method::Components);
    assert_eq!(answers[1], answers[0]);
    assert_eq!(answers[2], answers[0]);
}
