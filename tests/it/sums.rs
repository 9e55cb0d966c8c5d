//! Sums searched as a whole: depth first with early ends, depth first with every move, and breadth first say the same, and
//! what a plain recursion says.

use crate::naive::engine::{EVERYTHING, each, program};
use grundy::answer::{Answer, Method, Outcome};
use grundy::engines as solve;
use grundy::input::data::NoFiles;
use grundy::model::Program;
use grundy::value::limits::Limits;
use grundy::vm::context::{Context, Policy};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

fn ctx(program: &Arc<Program>, deep: bool) -> Context {
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), solve::ask);
    ctx.options.deep = deep;
    ctx.options.parts = false;
    ctx.give(vec![None; program.inputs.len()]);
    ctx
}

fn outcomes(ctx: &mut Context) -> Vec<Outcome> {
    each(ctx, solve::outcome).into_iter().map(|o| o.expect("an outcome")).collect()
}

fn answers(ctx: &mut Context) -> Vec<Answer> {
    each(ctx, |ctx, position| solve::solve(ctx, position, EVERYTHING))
        .into_iter()
        .map(|answer| answer.expect("an answer"))
        .collect()
}

/// All lists of numbers from 1 on, ascending, with these sums.
fn partitions(sum: u32, least: u32) -> Vec<Vec<u32>> {
    let mut all = if sum == 0 { vec![Vec::new()] } else { Vec::new() };
    for first in least..=sum {
        all.extend(partitions(sum - first, first).into_iter().map(|rest| [vec![first], rest].concat()));
    }
    all
}

/// The heaps after each move of the octal game with these digits: digit d of place k lets k be taken from a heap when
/// nothing (1), one heap (2), two heaps (4) are left.
fn octal(digits: &[u32], heaps: &[u32]) -> Vec<Vec<u32>> {
    let mut all = Vec::new();
    for (i, &heap) in heaps.iter().enumerate() {
        for (taken, digit) in (1..).zip(digits) {
            let Some(left) = heap.checked_sub(taken) else { continue };
            for one in 0..=left / 2 {
                let parts: Vec<u32> = [one, left - one].into_iter().filter(|&part| part > 0).collect();
                if digit >> parts.len() & 1 == 1 {
                    let mut next = [&heaps[..i], &heaps[i + 1..], &parts[..]].concat();
                    next.sort_unstable();
                    all.push(next);
                }
            }
        }
    }
    all
}

/// Whether the player to move wins in misere play, and after how many moves.
fn plain(digits: &[u32], heaps: &[u32], memo: &mut HashMap<Vec<u32>, (bool, u64)>) -> (bool, u64) {
    if let Some(known) = memo.get(heaps) {
        return *known;
    }
    let options: Vec<(bool, u64)> = octal(digits, heaps).iter().map(|next| plain(digits, next, memo)).collect();
    let soonest = options.iter().filter(|option| !option.0).map(|option| option.1 + 1).min();
    let latest = options.iter().map(|option| option.1 + 1).max();
    let verdict = soonest.map_or((options.is_empty(), latest.unwrap_or(0)), |far| (true, far));
    memo.insert(heaps.to_vec(), verdict);
    verdict
}

/// A misere game with these octal digits.
fn octal_text(digits: &[u32]) -> String {
    let mut text = "misere game H(n) {\n".to_string();
    for (taken, digit) in (1..).zip(digits) {
        if digit & 1 == 1 {
            let _ = writeln!(text, "  move none{taken} where n == {taken} -> H(0)");
        }
        if digit & 2 == 2 {
            let _ = writeln!(text, "  move one{taken} where n > {taken} -> H(n - {taken})");
        }
        if digit & 4 == 4 {
            let _ = writeln!(text, "  move two{taken} i in 1..n - {taken} - 1 -> H(i) + H(n - {taken} - i)");
        }
    }
    text + "}\n"
}

fn call(heaps: &[u32]) -> String {
    let calls: Vec<String> = heaps.iter().map(|heap| format!("H({heap})")).collect();
    calls.join(" + ")
}

#[test]
fn misere_octal_games() {
    // Kayles, Dawson's Kayles, Dawson's Chess, and others whose misere quotients are known to be wild or tame.
    for digits in [&[7, 7][..], &[0, 7], &[1, 3, 7], &[1, 2, 3], &[7, 5], &[3, 4], &[0, 0, 7], &[3, 1, 2, 2]] {
        let sums: Vec<Vec<u32>> = (1..=11).flat_map(|sum| partitions(sum, 1)).collect();
        let mut text = octal_text(digits);
        for heaps in &sums {
            let _ = writeln!(text, "solve {}", call(heaps));
        }
        let program = program(&text).expect("a program");
        let mut memo = HashMap::new();
        let mut deep = ctx(&program, true);
        let alone = outcomes(&mut deep);
        // The outcomes that are known already are to be joined by remoteness.
        let after = answers(&mut deep);
        let cold = answers(&mut ctx(&program, true));
        for (i, heaps) in sums.iter().enumerate() {
            let (wins, far) = plain(digits, heaps, &mut memo);
            let outcome = if wins { Outcome::First } else { Outcome::Second };
            assert_eq!(alone[i], outcome, "{digits:?} {heaps:?}");
            for answer in [&after[i], &cold[i]] {
                assert_eq!((answer.outcome, answer.remoteness), (outcome, Some(far)), "{digits:?} {heaps:?}");
                let mut winning: Vec<Vec<u32>> = octal(digits, heaps);
                winning.sort();
                winning.dedup();
                let count = winning.iter().filter(|next| !plain(digits, next, &mut memo).0).count();
                assert_eq!(answer.winning.count > 0, count > 0, "{digits:?} {heaps:?}");
            }
        }
    }
}

#[test]
fn rows_of_misere_kayles() {
    let rows: Vec<String> = (1..=40).map(|n| format!("solve H({n})\n")).collect();
    let program = program(&(octal_text(&[7, 7]) + &rows.concat())).expect("a program");
    let found = outcomes(&mut ctx(&program, true));
    let lost: Vec<usize> = (1..).zip(found).filter(|(_, o)| *o == Outcome::Second).map(|(n, _)| n).collect();
    assert_eq!(lost, [1, 4, 9, 12, 20]);
}

/// The outcomes and answers of a text, both ways, are the same; the methods of the answers that came depth first.
fn alike(text: &str) -> Vec<Method> {
    let program = program(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let (mut deep, mut broad) = (ctx(&program, true), ctx(&program, false));
    assert_eq!(outcomes(&mut deep), outcomes(&mut broad), "{text}");
    let (found, wanted) = (answers(&mut deep), answers(&mut broad));
    for (found, wanted) in found.iter().zip(&wanted) {
        let said = |a: &Answer| (a.position.clone(), a.outcome, a.remoteness, a.winning.clone(), a.drawing.clone());
        assert_eq!(said(found), said(wanted), "{text}");
    }
    found.iter().map(|answer| answer.method).collect()
}

#[test]
fn where_play_comes_back_retrograde_analysis_decides() {
    let text = "misere game A(n) {\n  move down where n > 0 -> A(n - 1)\n  move up where n == 2 -> A(3)\n}
misere game B(n) { move take k in 1..n -> B(n - k) }
solve B(2) + B(3)\nsolve A(1) + B(2)\nsolve A(3) + B(2)\nsolve A(1) + B(3)\nsolve B(1) + B(4)\n";
    assert_eq!(
        alike(text),
        // `A(3)` can come back to itself; what else is known of `A` is then decided the same way.
        [Method::Search, Method::Search, Method::Retrograde, Method::Retrograde, Method::Search]
    );
}

#[test]
fn ends_of_the_whole_play_and_further_turns() {
    alike(
        "game A(n) {
  end when n == 7: drawn
  move step -> A(n - 1)
  move jump where n > 4 -> if n mod 2 == 0 then win else lose
  move on where n > 2 -> again A(n - 2) + B(n - 1)
  move halt where n == 3 -> draw
  move even where n == 6 -> A(5) + C(0)
}
game B(n) { move take k in 1..min(n, 2) -> B(n - k) }
game C(n) { end when n == 0: won\n  move down -> C(n - 1) }
solve A(3) + B(2)\nsolve A(4) + B(3)\nsolve A(5) + A(4)\nsolve A(6) + B(3) + B(1)\nsolve C(2) + B(2)\nsolve C(3) + A(2)
solve A(8) + B(1)\nsolve C(2) + C(2) + B(1)\n"
            .replace("move step ->", "move step where n > 0 ->")
            .replace("move down ->", "move down where n > 0 ->")
            .as_str(),
    );
}

/// Where a move enters a component that ends the play, the others are not asked for their moves (rule 24).
#[test]
fn an_end_of_the_play_comes_before_the_moves() {
    let methods = alike(
        "misere game A(n) {\n  end when n == 0: lost\n  move a where n > 0 -> B(0) + A(n - 1)\n}
misere game B(n) { move b -> B(n - 1) }
misere game C(n) { move c where n > 0 -> C(n - 1) }
solve A(1) + C(2)\n",
    );
    assert_eq!(methods, [Method::Search]);
}

/// A rule puts a question of its own while a sum is searched.
#[test]
fn questions_inside_questions() {
    let methods = alike(
        "misere game B(n) { move split i in 0..n - 1 -> B(i) + B(n - 1 - i) }
misere game A(n) {
  move take k in 1..n where wins(B(n) + B(k)) -> A(n - k)
  move drop where n > 0 -> A(n - 1) + A(n div 2)
}
solve A(5) + A(4)\nsolve A(6) + B(3)\nsolve B(5) + B(2)\n",
    );
    assert_eq!(methods, [Method::Search; 3]);
}

/// Sums of many components and of components with large numbers have long keys.
#[test]
fn many_components() {
    alike("misere game H(n) { move take k in 1..min(n, 2) -> H(n - k) }\nsolve 24 * H(2)\nsolve 3 * H(90) + H(1)\n");
}

#[test]
fn a_limit_of_positions_leaves_nothing_half_done() {
    let program = program(&(octal_text(&[7, 7]) + "solve H(16) + H(11)\n")).expect("a program");
    let mut limited = ctx(&program, true);
    // Their misere quotient needs no positions.
    limited.options.heaps = Policy::Never;
    limited.limits.positions = Some(40);
    let error = each(&mut limited, solve::outcome).remove(0).expect_err("more than 40 positions");
    assert_eq!(error.code, "L01");
    limited.limits.positions = None;
    assert_eq!(outcomes(&mut limited), outcomes(&mut ctx(&program, false)));
}
