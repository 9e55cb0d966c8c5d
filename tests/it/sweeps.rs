//! Many questions about one game to one machine, which makes tables ahead of them: the answers are those of single searches.

use crate::naive::Rng;
use crate::naive::engine::{EVERYTHING, each, program};
use crate::rounds;
use grundy::answer::{GrundyValue, Outcome};
use grundy::engines as solve;
use grundy::input::data::NoFiles;
use grundy::model::{Program, Question};
use grundy::tables::Table;
use grundy::value::Value;
use grundy::value::limits::Limits;
use grundy::vm::context::{Context, Policy};
use std::sync::Arc;

/// Outcome and value (or the code of the error) of the positions of all `solve` lines, and how many tables there are. Of
/// some the value is asked first.
fn answers(program: &Arc<Program>, trial: Option<u64>) -> (Vec<String>, usize) {
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), solve::ask);
    ctx.options.split = Policy::Never;
    ctx.options.heaps = Policy::Never;
    ctx.options.plain = trial.is_none();
    ctx.options.trial = trial.unwrap_or(u64::MAX);
    ctx.give(vec![None; program.inputs.len()]);
    let mut all = Vec::new();
    for (i, question) in program.questions.iter().enumerate() {
        let Question::Solve { body, .. } = question else { continue };
        let outcome = |ctx: &mut Context| -> Result<Outcome, String> {
            ctx.with_recovery(|ctx| {
                let Value::Position(position) = ctx.eval(&body.frame, &body.term)? else { panic!("a position") };
                solve::outcome(ctx, &position)
            })
            .map_err(|e| e.code.to_string())
        };
        let before = (i % 3 > 0).then(|| outcome(&mut ctx));
        let value = ctx
            .with_recovery(|ctx| {
                let Value::Position(position) = ctx.eval(&body.frame, &body.term)? else { panic!("a position") };
                solve::grundy(ctx, &position)
            })
            .map_err(|e| e.code.to_string());
        let after = outcome(&mut ctx);
        assert!(before.is_none_or(|before| before == after));
        all.push(format!("{after:?} {value:?}"));
    }
    (all, ctx.memo.tables.len() + ctx.memo.solved.len())
}

/// A game on two fields whose moves go down in some order, or, now and then, do not.
fn game(rng: &mut Rng) -> String {
    let mut lines = String::new();
    for number in 0..rng.range(2, 4) {
        let (k, m) = (rng.range(1, 3), rng.range(2, 5));
        let most = if rng.chance(20) { 7 } else { 5 };
        let line = match rng.range(0, most) {
            0 => format!(" move m{number} where a >= {k} -> G(a - {k}, b)\n"),
            1 => format!(" move m{number} where b >= {k} -> G(a, b - {k})\n"),
            2 => format!(" move m{number} k in 1..min(a, b) where k mod {m} == 1 -> G(a - k, b - k)\n"),
            // No move makes plays without bound.
            3 => format!(" move m{number} k in 1..min(a, {m}) -> G(a - k, b + k)\n"),
            4 => format!(" move m{number} where a mod {m} == 1 -> G(a div {m}, a)\n"),
            5 => format!(" move m{number} where b > {m} and b > a -> G(a, b mod {m})\n"),
            6 => format!(" move m{number} where b >= {m} -> G(a + 1, b - {m})\n"),
            _ => format!(" move m{number} where a == {m} -> G(a + {k}, b)\n"),
        };
        lines += &line;
    }
    let end = *rng.pick(&[
        "",
        "",
        " end when a == 3 and b < 5 : lost\n",
        " end when a + b == 7\n",
        " end when a == 2 : drawn\n",
    ]);
    let fault = if rng.chance(10) { " move odd where 60 div (a - 17) == 4 -> G(0, b)\n" } else { "" };
    let misere = if rng.chance(40) { "misere " } else { "" };
    format!("{misere}game G(a, b) {{\n{lines}{fault}{end}}}\n")
}

#[test]
fn answers_of_sweeps_are_those_of_single_questions() {
    let shift: u64 = std::env::var("GRUNDY_SEEDS").ok().and_then(|s| s.parse().ok()).unwrap_or(0);
    let mut tables = 0;
    for seed in 0..rounds(12, 120) {
        let mut rng = Rng::new(seed + (shift << 32));
        let rules = game(&mut rng);
        let (rows, columns) = (rng.range(4, 24), rng.range(4, 24));
        let mut positions: Vec<(i64, i64)> = (0..=rows).flat_map(|a| (0..=columns).map(move |b| (a, b))).collect();
        match rng.range(0, 3) {
            0 => positions.reverse(),
            1 => positions.sort_by_key(|(a, b)| (a + b, *a)),
            _ => {}
        }
        let lines = positions.iter().map(|(a, b)| format!("solve G({a}, {b})")).collect::<Vec<_>>().join("\n");
        let text = format!("{rules}{lines}\n");
        let program = program(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let (plain, _) = answers(&program, None);
        for trial in [1, 40, 300] {
            let (swept, made) = answers(&program, Some(trial));
            tables += made;
            let wrong = swept.iter().zip(&plain).zip(&positions).find(|((swept, plain), _)| swept != plain);
            assert!(wrong.is_none() && swept.len() == plain.len(), "{trial} {wrong:?} {text}");
        }
    }
    assert!(shift > 0 || tables > rounds(20, 200), "{tables}");
}

/// A question about a little more than a table knows is answered by a table of more than that: the next ones find it there.
#[test]
fn tables_grow_by_shares() {
    let rules = "game G(a, b) {\n move left k in 1..a where k mod 7 != 3 -> G(a - k, b)\n \
                 move right k in 1..b where k mod 5 != 3 -> G(a, b - k)\n move both where a > 0 and b > 0 -> G(a - 1, b - 1)\n}\n";
    let lines: Vec<String> = (0..30).map(|i| format!("solve G({}, {})", 120 + i, 90 + i / 3)).collect();
    let program = program(&format!("{rules}{}", lines.join("\n"))).expect("a program");
    let (mut found, mut sizes) = (Vec::new(), Vec::new());
    for plain in [true, false] {
        let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), solve::ask);
        (ctx.options.plain, ctx.options.trial) = (plain, 20);
        ctx.give(Vec::new());
        for question in &program.questions {
            let Question::Solve { body, .. } = question else { continue };
            let Value::Position(position) = ctx.eval(&body.frame, &body.term).expect("a value") else {
                panic!("a position")
            };
            found.push(solve::grundy(&mut ctx, &position).expect("a value"));
            sizes.extend(ctx.memo.tables.values().map(Table::positions).max());
        }
    }
    let (plain, tables) = found.split_at(30);
    assert_eq!(plain, tables);
    sizes.dedup();
    assert!(sizes.len() < 5, "{sizes:?}");
}

/// Where moves seldom wrap: what a box lacks is not outside of it, so that it is not made larger again and again.
#[test]
fn a_box_that_nothing_leaves_stays_as_it_is() {
    let rules = "game Ring(a, b, c, d, e) {\n move a where a + b < 32 -> Ring((a + 1) mod 32, b, c, d, e)\n \
                 move b where b + c < 32 -> Ring(a, (b + 7) mod 32, c, d, e)\n move c where c + d < 32 -> Ring(a, b, (c + 1) mod 32, d, e)\n \
                 move d where d + e < 32 -> Ring(a, b, c, (d + 7) mod 32, e)\n move e where e + a < 32 -> Ring(a, b, c, d, (e + 1) mod 32)\n}\n";
    let program = program(&format!("{rules}solve Ring(1, 2, 3, 5, 8)")).expect("a program");
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), solve::ask);
    ctx.give(Vec::new());
    let answer = each(&mut ctx, |ctx, position| solve::solve(ctx, position, EVERYTHING)).remove(0).expect("an answer");
    // The remoteness and the value were worked out by search written for this game alone.
    assert_eq!(answer.remoteness, Some(33));
    assert_eq!(answer.grundy, Some(GrundyValue::Nimber(1)));
    assert!(answer.positions <= 1 << 25, "{}", answer.positions);
}

/// Whether the player to move wins at a state (`None`: nobody does), and after how many moves, by going back from the ends: `options`
/// of each of so many states; none: it is lost.
fn by_going_back(states: usize, start: usize, options: impl Fn(usize) -> Vec<usize>) -> Option<(bool, u64)> {
    let (mut before, mut left) = (vec![Vec::new(); states], vec![0usize; states]);
    let (mut known, mut layer) = (vec![None; states], Vec::new());
    for state in 0..states {
        let options = options(state);
        left[state] = options.len();
        for &to in &options {
            before[to].push(state);
        }
        if options.is_empty() {
            known[state] = Some((false, 0));
            layer.push(state);
        }
    }
    for moves in 1.. {
        let mut next = Vec::new();
        for (to, state) in layer.iter().flat_map(|&to| before[to].iter().map(move |&state| (to, state))) {
            left[state] -= 1;
            let wins = known[to].is_some_and(|(wins, _)| !wins);
            if known[state].is_none() && (wins || left[state] == 0) {
                known[state] = Some((wins, moves));
                next.push(state);
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    known[start]
}

/// A counter that goes round seldom and by small steps: the box has the counts that there are, not the next power of two, and not
/// twice as many of the other field.
#[test]
fn a_box_has_the_counts_of_a_counter_that_goes_round() {
    type Next = fn(i64) -> i64;
    // The term of the next count, and the least and the number of counts.
    let counters: [(&str, i64, i64, Next); 3] = [
        ("if x + 8 > 1750 then x - 3493 else x + 8", -1750, 3501, |x| if x + 8 > 1750 { x - 3493 } else { x + 8 }),
        ("(x + 4193) mod 4200", 0, 4200, |x| (x + 4193) % 4200),
        ("1 + (x + 8) mod 5125", 1, 5125, |x| 1 + (x + 8) % 5125),
    ];
    for ((term, least, counts, next), height) in counters.into_iter().zip([800, 700, 600]) {
        let rules = format!(
            "game Strip(x: int, y) {{\n end when y == 0: lost\n move down where y > 0 and (x + 9001) mod 7 < 5 -> Strip(x, y - 1)\n \
             move side where (x + 9000 + y) mod 3 < 2 -> Strip({term}, y)\n \
             move up where (x * 3 + 30000 + y) mod 5 == 0 and y < {height} -> Strip({term}, y + 1)\n}}\n"
        );
        let program = program(&format!("{rules}solve Strip(1, {height})")).expect("a program");
        let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), solve::ask);
        ctx.give(Vec::new());
        let answer =
            each(&mut ctx, |ctx, position| solve::solve(ctx, position, EVERYTHING)).remove(0).expect("an answer");
        let rank = |x: i64, y: i64| usize::try_from((x - least) + counts * y).expect("a state");
        let options = |state: usize| {
            let state = i64::try_from(state).expect("few");
            let (x, y) = (least + state % counts, state / counts);
            let moves = [
                (y > 0 && (x + 9001) % 7 < 5, (x, y - 1)),
                (y > 0 && (x + 9000 + y) % 3 < 2, (next(x), y)),
                (y > 0 && (x * 3 + 30000 + y) % 5 == 0 && y < height, (next(x), y + 1)),
            ];
            moves.into_iter().filter(|(is_one, _)| *is_one).map(|(_, (x, y))| rank(x, y)).collect()
        };
        let states = counts * (height + 1);
        let known = by_going_back(usize::try_from(states).expect("few"), rank(1, height), options);
        let wins = known.map(|(wins, _)| if wins { Outcome::First } else { Outcome::Second });
        assert_eq!(answer.outcome, wins.unwrap_or(Outcome::Draw), "{term}");
        assert_eq!(answer.remoteness, known.map(|(_, moves)| moves), "{term}");
        // A box may begin at 0.
        let most = (counts + 1) * (height + 1);
        assert!(answer.positions <= most.unsigned_abs(), "{term}: {} of {most}", answer.positions);
    }
}

/// Fields that are played independently: sweeps over them get tables too, and the values are those of the theory.
#[test]
fn sweeps_of_independent_fields_get_tables() {
    let rules = "game Nim(a, b) {\n move left k in 1..a -> Nim(a - k, b)\n move right k in 1..b -> Nim(a, b - k)\n}\n";
    let lines: String = (0..40).flat_map(|a| (0..40).map(move |b| format!("solve Nim({a}, {b})\n"))).collect();
    let program = program(&format!("{rules}{lines}")).expect("a program");
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), solve::ask);
    ctx.give(Vec::new());
    let mut positions = (0..40).flat_map(|a| (0..40).map(move |b| a ^ b));
    for question in &program.questions {
        let Question::Solve { body, .. } = question else { continue };
        let Value::Position(position) = ctx.eval(&body.frame, &body.term).expect("a value") else {
            panic!("a position")
        };
        let value = solve::grundy(&mut ctx, &position).expect("a value");
        assert_eq!(value, GrundyValue::Nimber(positions.next().expect("a position")));
    }
    assert!(!ctx.memo.tables.is_empty());
}
