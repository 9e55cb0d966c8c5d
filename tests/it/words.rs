//! States of lists, texts and tuples: that they run on words, and that random games of them are answered as on values.

use crate::naive::Rng;
use crate::naive::engine::{FORMS, Form, answers, only, program, said, solved};
use crate::rounds;
use grundy::answer::{Answer, GrundyValue, MoveList};
use grundy::engines as solve;
use grundy::input::data::NoFiles;
use grundy::model::Program;
use grundy::value::limits::Limits;
use grundy::vm::context::Context;
use std::sync::Arc;

fn ctx(program: &Arc<Program>, form: Form) -> Context {
    let limits = Limits { positions: Some(400), ..Limits::default() };
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), limits, solve::ask);
    ctx.options.plain = form == Form::Plain;
    ctx.code.wide = form == Form::Wide;
    if form == Form::Tables {
        ctx.options.trial = 0;
    }
    ctx.give(vec![None; program.inputs.len()]);
    ctx
}

// ---------------------------------------------------------------- everything in words

/// Solves a game and tells the first instruction that native code cannot do in the rules of any component met.
fn first_not_native(text: &str) -> Option<String> {
    let program = program(text).expect("the game checks");
    let mut ctx = ctx(&program, Form::Usual);
    ctx.limits.positions = None;
    only(&mut ctx).expect("the game is solved");
    assert!(ctx.components() > 3, "some components are met");
    ctx.component_ids().find_map(|id| ctx.code_of(id).first_not_native()).map(|op| format!("{op:?}"))
}

/// The text of a game of the library or the corpus, its questions but one left out.
fn game(path: &str, solve: &str) -> String {
    let text = std::fs::read_to_string(path).expect("the file is in the tree");
    let rules = text.lines().filter(|line| {
        !["solve", "input", "claim", "expect"].iter().any(|word| line.starts_with(word)) && !line.starts_with("  wins(")
    });
    let mut kept: Vec<&str> = rules.collect();
    // A claim's condition may stand on a line of its own.
    while kept.last().is_some_and(|line| line.starts_with("  ")) {
        kept.pop();
    }
    format!("{}\nsolve {solve}\n", kept.join("\n"))
}

#[test]
fn usual_games_of_lists_and_texts_run_on_words() {
    let games = [
        ("games/nim_misere.game", "Nim([3, 4, 5, 2])"),
        ("games/nim_staircase.game", "Staircase([2, 1, 3])"),
        ("tests/corpus/chomp.game", "Chomp([4, 4, 3])"),
        ("tests/corpus/notakto.game", "misere Board(\".........\")"),
        ("tests/corpus/stair-game.game", "Stairs([1, 2, 3, 1])"),
        ("tests/corpus/nim-with-pass.game", "PassNim([2, 3, 2], true)"),
        ("tests/corpus/northcott.game", "Northcott[5]([(0, 3), (1, 4)])"),
        ("tests/corpus/treblecross.game", "Treblecross(\".......\")"),
        ("tests/corpus/kayles.game", "Kayles(\"XXXX.X\")"),
        ("tests/corpus/s-nim.game", "Subtract[{2, 5}](12)"),
        // Wider than one word.
        ("games/nim_misere.game", "Nim([1, 2, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1])"),
    ];
    for (path, solve) in games {
        assert_eq!(first_not_native(&game(path, solve)), None, "{path}: {solve}");
    }
}

#[test]
fn numbers_that_outgrow_their_bits_are_found_again() {
    // The second game is too large for one word a state.
    for (items, solve) in [(2, "G([3, 0])"), (12, "G([3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])")] {
        let text = format!(
            "game G(xs: list of int) {{
               move up where xs[0] > 0 -> G(xs[0 -= 1, 1 := -70000000000 * xs[0], {} += 5])
               move down where xs[0] > 0 and xs[1] < 0 -> G(xs[0 -= 1, 1 := 9000000000000000000 - xs[0]])
             }}
             solve {solve}",
            items - 1
        );
        let program = program(&text).expect("the game checks");
        let usual = only(&mut ctx(&program, Form::Usual));
        assert!(usual.is_ok());
        for form in [Form::Plain, Form::Wide] {
            assert_eq!(shown(&usual), shown(&only(&mut ctx(&program, form))), "{form:?}");
        }
    }
}

// ---------------------------------------------------------------- random games

/// Names in scope: ints, indices of `xs`, characters.
#[derive(Clone, Default)]
struct Names {
    ints: Vec<String>,
    places: Vec<String>,
    letters: Vec<String>,
    sets: Vec<String>,
    next: usize,
}

impl Names {
    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("v{}", self.next)
    }
}

fn place(rng: &mut Rng, names: &Names, depth: u32) -> String {
    if !names.places.is_empty() && rng.chance(85) { rng.pick(&names.places).clone() } else { int(rng, names, depth) }
}

fn int(rng: &mut Rng, names: &Names, depth: u32) -> String {
    if depth == 0 || rng.chance(30) {
        return match rng.below(6) {
            0 | 1 if !names.ints.is_empty() => rng.pick(&names.ints).clone(),
            2 => "size(xs)".into(),
            3 if !names.places.is_empty() => format!("xs[{}]", rng.pick(&names.places)),
            _ => rng.range(0, 3).to_string(),
        };
    }
    let d = depth - 1;
    match rng.below(18) {
        16 => format!("size({})", cells(rng, names, d)),
        17 => format!("sum(a * {} + b for (a, b) in {})", int(rng, names, d), cells(rng, names, d)),
        13 => format!("{}({})", rng.pick(&["size", "sum", "mex"]), set(rng, names, d)),
        14 => format!("{}({})", rng.pick(&["min", "max", "xor", "sum"]), set(rng, names, d)),
        15 => format!("sum(c * {} for c in {})", int(rng, names, d), set(rng, names, d)),
        0 => format!("xs[{}]", place(rng, names, d)),
        1 => format!("sum({})", list(rng, names, d)),
        2 => format!("max([0] + {})", list(rng, names, d)),
        3 => format!("({} + {})", int(rng, names, d), int(rng, names, d)),
        4 => format!("({} - {})", int(rng, names, d), int(rng, names, d)),
        5 => format!("({}) mod 3", int(rng, names, d)),
        6 => format!("min({}, {})", int(rng, names, d), int(rng, names, d)),
        7 => format!("count(x > {} for x in {})", int(rng, names, d), list(rng, names, d)),
        8 => format!("(if {} then {} else {})", truth(rng, names, d), int(rng, names, d), int(rng, names, d)),
        9 => format!("size({})", list(rng, names, d)),
        10 => format!("size(places({}, \"X\"))", text(rng, names, d)),
        11 => format!("sum(a * {} - b for (a, b) in ps where {})", int(rng, names, d), truth(rng, names, d)),
        _ => format!("{}({})", rng.pick(&["first", "last", "min", "max", "xor"]), list(rng, names, d)),
    }
}

fn list(rng: &mut Rng, names: &Names, depth: u32) -> String {
    if depth == 0 || rng.chance(15) {
        return "xs".into();
    }
    let d = depth - 1;
    match rng.below(18) {
        0..=2 => format!("xs[{} -= 1]", place(rng, names, d)),
        3 => format!("xs[{} := {}]", place(rng, names, d), int(rng, names, d)),
        4 => format!("xs[{} += {}, {} -= 1]", place(rng, names, d), int(rng, names, d), place(rng, names, d)),
        5 => format!("xs[{}..]", place(rng, names, d)),
        6 => format!("xs[..{} - 1]", place(rng, names, d)),
        7 => format!("({} + {})", list(rng, names, d), list(rng, names, d)),
        8 => format!("[{}, {}]", int(rng, names, d), int(rng, names, d)),
        9 => format!("[x + {} for x in {}]", int(rng, names, d), list(rng, names, d)),
        10 => format!("[x for x in {} where x > {}]", list(rng, names, d), int(rng, names, d)),
        11 => format!("reverse({})", list(rng, names, d)),
        12 => format!("sort({})", list(rng, names, d)),
        13 => format!("(if {} then {} else {})", truth(rng, names, d), list(rng, names, d), list(rng, names, d)),
        14 => format!("xs[j -= {} for j in indices(xs) where xs[j] > {}]", rng.range(1, 2), int(rng, names, d)),
        15 => format!("[x mod 2 for j in 0..{}, x = j + {}]", int(rng, names, d), int(rng, names, d)),
        16 => format!("[a + {} for (a, b) in ps where b < 3]", int(rng, names, d)),
        _ => format!("[xs[j] for j in indices(xs) where j != {}]", place(rng, names, d)),
    }
}

fn set(rng: &mut Rng, names: &Names, depth: u32) -> String {
    if depth == 0 || rng.chance(20) {
        return match rng.below(3) {
            0 if !names.sets.is_empty() => rng.pick(&names.sets).clone(),
            _ => "t".into(),
        };
    }
    let d = depth - 1;
    let op = *rng.pick(&["+", "-", "&", "xor"]);
    match rng.below(12) {
        0..=2 => format!("({} {op} {{{}}})", set(rng, names, d), int(rng, names, d)),
        3 => format!("({} {op} {{{}, {}}})", set(rng, names, d), int(rng, names, d), int(rng, names, d)),
        4 => format!("({} {op} ({}..{}))", set(rng, names, d), int(rng, names, d), int(rng, names, d)),
        5 => format!("(({}..{}) {op} {})", int(rng, names, d), int(rng, names, d), set(rng, names, d)),
        6 => format!("({} {op} {})", set(rng, names, d), set(rng, names, d)),
        7 => format!("{{x + {} for x in {}}}", int(rng, names, d), list(rng, names, d)),
        8 => format!(
            "{{c {} 1 for c in {} where {}}}",
            rng.pick(&["+", "-", "*"]),
            set(rng, names, d),
            truth(rng, names, d)
        ),
        9 => format!("(if {} then {} else {})", truth(rng, names, d), set(rng, names, d), set(rng, names, d)),
        10 => format!("(if {} then {} else {{}})", truth(rng, names, d), set(rng, names, d)),
        _ => format!("({} {op} set({}))", set(rng, names, d), list(rng, names, d)),
    }
}

fn cells(rng: &mut Rng, names: &Names, depth: u32) -> String {
    if depth == 0 || rng.chance(20) {
        return "u".into();
    }
    let d = depth - 1;
    let op = *rng.pick(&["+", "-", "&", "xor"]);
    match rng.below(8) {
        0..=2 => format!("({} {op} {{({}, {})}})", cells(rng, names, d), int(rng, names, d), int(rng, names, d)),
        3 => format!(
            "({} {op} {{({}, {}), (1, {})}})",
            cells(rng, names, d),
            int(rng, names, d),
            int(rng, names, d),
            int(rng, names, d)
        ),
        4 => format!("({} {op} {})", cells(rng, names, d), cells(rng, names, d)),
        5 => format!(
            "{{(a {} 1, b) for (a, b) in {} where {}}}",
            rng.pick(&["+", "-"]),
            cells(rng, names, d),
            truth(rng, names, d)
        ),
        6 => format!("(if {} then {} else {})", truth(rng, names, d), cells(rng, names, d), cells(rng, names, d)),
        _ => format!("({} {op} set(ps))", cells(rng, names, d)),
    }
}

fn text(rng: &mut Rng, names: &Names, depth: u32) -> String {
    if depth == 0 || rng.chance(20) {
        return match rng.below(4) {
            0 if !names.letters.is_empty() => rng.pick(&names.letters).clone(),
            1 => (*rng.pick(&["\"X\"", "\"\"", "\"XO\""])).into(),
            _ => "s".into(),
        };
    }
    let d = depth - 1;
    match rng.below(10) {
        0 | 1 => format!("s[{} := \"{}\"]", place(rng, names, d), rng.pick(&["X", "O"])),
        2 => format!("s[{} := {}]", place(rng, names, d), text(rng, names, d)),
        3 => format!("({} + {})", text(rng, names, d), text(rng, names, d)),
        4 => format!("reverse({})", text(rng, names, d)),
        5 => format!("s[{}..]", place(rng, names, d)),
        6 => format!("s[..{} - 1]", place(rng, names, d)),
        7 => format!("(if {} then {} else {})", truth(rng, names, d), text(rng, names, d), text(rng, names, d)),
        8 => format!("join([c for c in {} where c != \"X\"])", text(rng, names, d)),
        _ => format!("repeat(s, ({}) mod 3)", int(rng, names, d)),
    }
}

fn truth(rng: &mut Rng, names: &Names, depth: u32) -> String {
    let d = depth.saturating_sub(1);
    let order = *rng.pick(&["<", "<=", ">", "==", "!="]);
    match rng.below(20) {
        18 => format!(
            "({}, {}) {} {}",
            int(rng, names, d),
            int(rng, names, d),
            rng.pick(&["in", "not in"]),
            cells(rng, names, d)
        ),
        19 => format!("{} {order} {}", cells(rng, names, d), cells(rng, names, d)),
        15 => format!("{} {} {}", int(rng, names, d), rng.pick(&["in", "not in"]), set(rng, names, d)),
        16 => format!("{} {order} {}", set(rng, names, d), set(rng, names, d)),
        17 => format!("{} {order} {{{}}}", set(rng, names, d), int(rng, names, d)),
        0..=2 => format!("{} {order} {}", int(rng, names, d), int(rng, names, d)),
        3 => format!("{} {order} {}", list(rng, names, d), list(rng, names, d)),
        4 => format!("{} {order} {}", text(rng, names, d), text(rng, names, d)),
        5 => format!("\"X\" in {}", text(rng, names, d)),
        6 => format!("starts({}, \"X\")", text(rng, names, d)),
        7 => format!("places({}, \"XX\") != []", text(rng, names, d)),
        8 => format!("increasing({})", list(rng, names, d)),
        9 => format!("{}(x > {} for x in {})", rng.pick(&["all", "any"]), int(rng, names, d), list(rng, names, d)),
        10 => format!("not ({})", truth(rng, names, d)),
        11 => {
            let op = *rng.pick(&["and", "or", "implies"]);
            format!("(({}) {op} ({}))", truth(rng, names, d), truth(rng, names, d))
        }
        12 => format!("{} in {}", int(rng, names, d), list(rng, names, d)),
        13 => format!("{} not in {{{}, {}}}", int(rng, names, d), int(rng, names, d), int(rng, names, d)),
        _ => format!("({}, {}) {order} (1, {})", int(rng, names, d), int(rng, names, d), int(rng, names, d)),
    }
}

/// One more clause; its names come into scope.
fn clause(rng: &mut Rng, names: &mut Names) -> String {
    let name = names.fresh();
    let source = match rng.below(19) {
        17 => {
            let other = names.fresh();
            let clause = format!("({name}, {other}) in {}", cells(rng, names, 2));
            names.ints.extend([name, other]);
            return clause;
        }
        18 => {
            let other = names.fresh();
            let sizes = *rng.pick(&["0..2", "1", "2"]);
            let clause = format!("{name} in subsets({}, {sizes}), {other} = size({name} & u)", cells(rng, names, 1));
            names.ints.push(other);
            return clause;
        }
        11 => {
            names.ints.push(name.clone());
            set(rng, names, 2)
        }
        12 | 13 => {
            let sizes = *rng.pick(&["0..2", "1", "2", "0..1", "2..3", "0"]);
            let of = match rng.below(3) {
                0 => format!("{}..{}", int(rng, names, 1), int(rng, names, 1)),
                _ => set(rng, names, 1),
            };
            names.sets.push(name.clone());
            format!("subsets({of}, {sizes})")
        }
        14 => {
            let slide = format!("slide({}, {}, {})", int(rng, names, 1), int(rng, names, 1), set(rng, names, 1));
            names.ints.push(name.clone());
            slide
        }
        15 | 16 => {
            let ranges = match rng.below(3) {
                0 => format!("0..x for x in {}", list(rng, names, 1)),
                1 => format!("{}..min(2, x) for x in xs", int(rng, names, 0)),
                _ => format!("[0..min(2, {}), {}..1]", int(rng, names, 1), int(rng, names, 0)),
            };
            let other = names.fresh();
            let clause = format!("{name} in choices({ranges}), {other} = sum({name}) + size({name})");
            names.ints.push(other);
            return clause;
        }
        0..=2 => {
            names.places.push(name.clone());
            "indices(xs)".into()
        }
        3 => {
            names.ints.push(name.clone());
            format!("1..{}", int(rng, names, 1))
        }
        4 => {
            names.ints.push(name.clone());
            list(rng, names, 2)
        }
        5 => {
            names.places.push(name.clone());
            format!("places({}, \"{}\")", text(rng, names, 1), rng.pick(&[".", "X", "X."]))
        }
        6 => {
            names.letters.push(name.clone());
            text(rng, names, 1)
        }
        7 => {
            let slide = format!("slide({}, {}, {})", int(rng, names, 1), int(rng, names, 1), list(rng, names, 1));
            let source =
                if rng.chance(40) { format!("{slide} + slide({}, 0, {{1}})", int(rng, names, 1)) } else { slide };
            names.ints.push(name.clone());
            source
        }
        8 => return format!("where {}", truth(rng, names, 2)),
        9 => {
            let other = names.fresh();
            let pair = format!("({name}, {other})");
            let clause =
                if rng.chance(50) { format!("{pair} in ps") } else { format!("{pair} = ps[{}]", place(rng, names, 0)) };
            names.ints.extend([name, other]);
            return clause;
        }
        _ => {
            let clause = format!("{name} = {}", int(rng, names, 2));
            names.ints.push(name);
            return clause;
        }
    };
    format!("{name} in {source}")
}

fn random_game(rng: &mut Rng) -> String {
    // Members of sets are about 0, or about the greatest that a word for sets has.
    let least = if rng.chance(75) { 0 } else { rng.range(59, 63) };
    let edge = if rng.chance(75) { 1 } else { rng.range(5, 8) };
    let mut lines = vec![
        format!(
            "game G(xs: list of int, s: text, ps: list of (nat, nat), flags: list of bool, t: set of {}, u: set of (nat, nat)) {{",
            rng.pick(&["nat", "int"])
        ),
        "  legal when size(xs) <= 3 and size(s) <= 3 and all(-2 <= x <= 4 for x in xs) and size(ps) <= 2".into(),
        format!(
            "  legal when all(a < 4 and b < 4 for (a, b) in ps) and all({least} - 2 <= c <= {least} + 5 for c in t)"
        ),
        format!("  legal when all(abs(a - {edge}) <= 4 and abs(b - {edge}) <= 4 for (a, b) in u)"),
    ];
    if rng.chance(15) {
        lines[0] = lines[0].replace(" {", &format!(" where {} {{", truth(rng, &Names::default(), 2)));
    }
    if rng.chance(15) {
        let verdict = *rng.pick(&["", ": lost", ": won"]);
        lines.push(format!("  end when {}{verdict}", truth(rng, &Names::default(), 2)));
    }
    if rng.chance(15) {
        lines.push("  same as G(reverse(xs), s, ps, flags, t, u) when reverse(xs) < xs".into());
    }
    for _ in 0..rng.range(1, 2) {
        let mut names = Names::default();
        let clauses: Vec<String> = (0..rng.range(1, 3)).map(|_| clause(rng, &mut names)).collect();
        let xs = if rng.chance(70) { list(rng, &names, 3) } else { "xs".into() };
        let s = if rng.chance(40) { text(rng, &names, 2) } else { "s".into() };
        let ps = match rng.below(6) {
            0 => format!("ps[{} := (1, {})]", place(rng, &names, 0), int(rng, &names, 1)),
            1 => "[(b, a) for (a, b) in ps]".into(),
            2 => format!("[(x + 1, {}) for x in xs where x >= 0]", int(rng, &names, 1)),
            _ => "ps".into(),
        };
        let flags = match rng.below(5) {
            0 => format!("flags[{} := {}]", place(rng, &names, 0), truth(rng, &names, 1)),
            1 => "[not f for f in flags]".into(),
            _ => "flags".into(),
        };
        let t = if rng.chance(60) { set(rng, &names, 3) } else { "t".into() };
        let u = if rng.chance(40) { cells(rng, &names, 3) } else { "u".into() };
        let name = *rng.pick(&["m", "n"]);
        lines.push(format!(
            "  move {name} {} -> G({xs}, {s}, {ps}, {flags}, {t}, {u})",
            clauses.join(", ").replace(", where", " where")
        ));
    }
    lines.push("}".into());
    let xs: Vec<String> = (0..rng.range(0, 3)).map(|_| rng.range(-1, 3).to_string()).collect();
    let s: String = (0..rng.range(0, 3)).map(|_| *rng.pick(&['.', 'X', 'O'])).collect();
    let ps: Vec<String> = (0..rng.range(0, 2)).map(|_| format!("({}, {})", rng.range(0, 2), rng.range(0, 2))).collect();
    let flags: Vec<&str> = (0..rng.range(0, 2)).map(|_| *rng.pick(&["true", "false"])).collect();
    let t = crate::naive::set(&rng.some(least, least + 3, 40));
    let u: Vec<String> = (0..rng.range(0, 2))
        .map(|_| format!("({}, {})", rng.range(edge - 1, edge + 1), rng.range(edge - 1, edge + 1)))
        .collect();
    lines.push(format!(
        "solve G([{}], \"{s}\", [{}], [{}], {t}, {{{}}})",
        xs.join(", "),
        ps.join(", "),
        flags.join(", "),
        u.join(", ")
    ));
    lines.join("\n")
}

/// What every form must say alike.
fn shown(answer: &Result<Answer, String>) -> String {
    let moves = |list: &MoveList| list.listed.iter().map(|m| format!("{} -> {}", m.text, m.to)).collect::<Vec<_>>();
    match answer {
        Ok(a) => format!(
            "{} {:?} {:?} {:?} {:?} {:?} {}",
            a.position,
            a.outcome,
            a.grundy,
            a.remoteness,
            moves(&a.winning),
            a.drawing.as_ref().map(moves),
            a.positions
        ),
        Err(code) => code.clone(),
    }
}

#[test]
fn random_games_of_lists_texts_and_tuples_are_answered_alike_in_every_form() {
    let shift: u64 = std::env::var("GRUNDY_SEEDS").ok().and_then(|s| s.parse().ok()).unwrap_or(0);
    let (mut wrong, mut solved, mut failed, mut unchecked, mut tables) = (Vec::new(), 0, 0, 0, 0);
    for seed in 0..rounds(500, 2000) {
        let text = random_game(&mut Rng::new(seed + shift * 1_000_000));
        let Ok(program) = program(&text) else {
            unchecked += 1;
            continue;
        };
        let usual = only(&mut ctx(&program, Form::Usual));
        *(if usual.is_ok() { &mut solved } else { &mut failed }) += 1;
        for form in [Form::Plain, Form::Wide, Form::Tables] {
            let mut other = ctx(&program, form);
            let (other, tabled) = (only(&mut other), !other.memo.tables.is_empty());
            let alike = if form == Form::Tables {
                // A table may have more positions than are met, and may stop at the limit of positions sooner.
                let limited =
                    other.as_ref().is_err_and(|code| code == "L01") || usual.as_ref().is_err_and(|code| code == "L01");
                limited || said(&usual, true) == said(&other, true)
            } else {
                shown(&usual) == shown(&other)
            };
            tables += u32::from(tabled);
            if !alike {
                wrong.push(format!("seed {seed} {form:?}\n  {}\n  {}\n{text}", shown(&usual), shown(&other)));
            }
        }
    }
    eprintln!(
        "{solved} solved, {failed} with an error, {unchecked} not checked, {tables} by tables, {} wrong",
        wrong.len()
    );
    wrong.sort_by_key(String::len);
    wrong.truncate(5);
    assert!(wrong.is_empty(), "{}", wrong.join("\n----\n"));
    assert!(
        tables >= rounds(1, 3) && solved > rounds(120, 500) && failed > rounds(70, 300),
        "{solved} solved, {failed} failed, {unchecked} not checked"
    );
}

// ---------------------------------------------------------------- random games of numbers and constants

const CONSTANTS: &str = "let ks = [3, 1, 0, 2]
let rows = [[0, 1], [2], [], [1, 1, 3]]
let square = [[1, 2, 0], [0, 3, 1]]
let sets = [{0, 2}, {}, {1}, {3, 1}]
let pairs = [(1, 0), (0, 2), (2, 1)]
let wide = {(9, 1), (0, 12), (3, 3)}
let marks = [true, false, true]
let some = bag([2, 2, 1, 3])
def walk(n: nat): nat = if n < 2 then n else walk(n div 2) + n mod 2
game Heap(n: nat, m: nat) {
  move one k in 1..n where k <= 2 -> Heap(n - k, m)
  move two where m > 0 -> Heap(n, m - 1)
}
game Last(n: nat) {
  end when n == 1: lost
  move one k in 1..n where k != 2 -> Last(n - k)
}
";

/// An int of words about numbers and of constants, with these names of ints in scope.
fn number(rng: &mut Rng, names: &[&str], depth: u32) -> String {
    if depth == 0 || rng.chance(25) {
        return if rng.chance(70) { (*rng.pick(names)).into() } else { rng.range(0, 4).to_string() };
    }
    let d = depth - 1;
    let [a, b] = [(); 2].map(|()| number(rng, names, d));
    let (v, w) = (format!("v{depth}"), format!("w{depth}"));
    let inner: Vec<&str> = names.iter().copied().chain([v.as_str()]).collect();
    let x = number(rng, &inner, d);
    match rng.below(30) {
        26 => format!("grundy(Heap(abs({a}) mod 5, abs({b}) mod 3))"),
        27 => format!("(if wins(Last(abs({a}) mod 7)) then {a} else {b})"),
        28 => format!("grundy(Heap(abs({a}) mod 3, 2) + Heap(2, abs({b}) mod 2))"),
        29 => format!("remoteness(Heap({a}, 1))"),
        0 => format!("gcd({a}, {b})"),
        1 => format!("sum(digits(abs({a}), 3))"),
        2 => format!("({a}) ** (({b}) mod 4)"),
        3 => format!("bits(abs({a}))"),
        4 => format!("(if bit({a}, {b}) then {b} else {a})"),
        5 => format!("valuation({a}, 2)"),
        6 => format!("size(divisors(1 + abs({a})))"),
        7 => format!("sign({a} - {b})"),
        8 => format!("ks[{a}]"),
        9 => format!("ks[({a}) mod 4]"),
        10 => format!("square[({a}) mod 2][({b}) mod 3]"),
        11 => format!("sum({x} for {v} in rows[({a}) mod 4])"),
        12 => format!("size(sets[({a}) mod 4] xor t)"),
        13 => format!("sum({v} * {w} + {a} for ({v}, {w}) in pairs where {v} <= {b})"),
        14 => format!("max({{0}} + {{{x} for {v} in sets[({a}) mod 4]}})"),
        15 => format!("(if marks[({a}) mod 3] then {a} else {b})"),
        16 => format!("mex([{a}, {b}, 0])"),
        17 => format!("sum({v} - {w} for ({v}, {w}) in wide where {w} > {a})"),
        18 => format!("product({{1}} + sets[({a}) mod 4])"),
        19 => format!("size(text({a}))"),
        20 => format!("floor(({a}) * sqrt(2))"),
        21 => format!("walk(abs({a}))"),
        22 => format!("size(prime_factors(1 + abs({a})))"),
        23 => format!("sum({x} for {v} in some)"),
        24 => format!("sum(zeckendorf(abs({a})))"),
        _ => format!("({a} {} {b})", rng.pick(&["+", "-", "*", "div", "mod", "xor"])),
    }
}

fn game_of_numbers(rng: &mut Rng) -> String {
    let mut lines = vec![CONSTANTS.to_string(), "game G(a: nat, b: nat, t: set of nat) {".to_string()];
    for _ in 0..rng.range(2, 3) {
        let names = ["a", "b", "k"];
        let order = rng.pick(&["<", "<=", "!=", ">"]);
        let (left, right) = (number(rng, &names, 2), number(rng, &names, 2));
        let [c, e] = [(); 2].map(|()| number(rng, &names, 2));
        let set =
            rng.pick(&["t", "t xor sets[k mod 4]", "t - {k}", "t & sets[b mod 4]", "{z for z in t where z != k}"]);
        let (source, to) = if rng.chance(50) {
            ("1..a", format!("a - k, abs({c}) mod 5, {set}"))
        } else {
            ("1..b", format!("a, b - k, {set}"))
        };
        let clauses = if rng.chance(30) { format!(", r in rows[abs({e}) mod 4]") } else { String::new() };
        lines.push(format!("  move m k in {source}{clauses} where {left} {order} {right} -> G({to})"));
    }
    lines.push(format!("}}\nsolve G({}, {}, {{0, 1, 3}})", rng.range(2, 5), rng.range(0, 4)));
    lines.join("\n")
}

#[test]
fn random_games_of_numbers_and_constants_are_answered_alike_in_every_form() {
    let (mut wrong, mut solved, mut failed, mut tables) = (Vec::new(), 0, 0, 0);
    for seed in 0..rounds(120, 20_000) {
        let text = game_of_numbers(&mut Rng::new(seed));
        let program = program(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let usual = only(&mut ctx(&program, Form::Usual));
        *(if usual.is_ok() { &mut solved } else { &mut failed }) += 1;
        for form in [Form::Plain, Form::Wide, Form::Tables] {
            let mut other = ctx(&program, form);
            let answer = only(&mut other);
            tables += u32::from(!other.memo.tables.is_empty());
            if said(&usual, true) != said(&answer, true) {
                wrong.push(format!("seed {seed} {form:?}\n  {}\n  {}\n{text}", shown(&usual), shown(&answer)));
            }
        }
    }
    eprintln!("{solved} solved, {failed} with an error, {tables} by tables");
    wrong.sort_by_key(String::len);
    wrong.truncate(3);
    assert!(wrong.is_empty(), "{}", wrong.join("\n----\n"));
    assert!(
        solved > rounds(70, 8000) && failed > rounds(8, 800) && tables > rounds(35, 3000),
        "{solved} {failed} {tables}"
    );
}

/// Who wins a heap game of two numbers: up to three from the first, or one from the second.
fn inner_wins(most: usize) -> Vec<Vec<bool>> {
    let mut wins = vec![vec![false; most + 1]; most + 1];
    for n in 0..=most {
        for m in 0..=most {
            let first = (1..=n.min(3)).any(|k| !wins[n - k][m]);
            wins[n][m] = first || m > 0 && !wins[n][m - 1];
        }
    }
    wins
}

/// The Grundy value of two heaps, when up to eight may be taken from the first where `first` holds of what is left, from the
/// second where `second` does.
fn asking(most: usize, first: impl Fn(usize, usize) -> bool, second: impl Fn(usize, usize) -> bool) -> usize {
    let mut values = vec![vec![0; most + 1]; most + 1];
    for a in 0..=most {
        for b in 0..=most {
            let mut options: Vec<usize> =
                (1..=a.min(8)).filter(|&k| first(a - k, b)).map(|k| values[a - k][b]).collect();
            options.extend((1..=b.min(8)).filter(|&k| second(a, b - k)).map(|k| values[a][b - k]));
            values[a][b] = (0..=options.len()).find(|value| !options.contains(value)).expect("a value");
        }
    }
    values[most][most]
}

#[test]
fn questions_about_a_table_are_answered_for_what_is_near_too() {
    const INNER: &str = "game Inner(n, m) {\n  move take k in 1..min(n, 3) -> Inner(n - k, m)\n  move other where m > 0 -> Inner(n, m - 1)\n}\n";
    /// A game of two heaps in which these must hold of what is left, and the same of ints.
    type Row =
        (&'static str, &'static str, fn(&[Vec<bool>], usize, usize) -> bool, fn(&[Vec<bool>], usize, usize) -> bool);
    let rows: [Row; 4] = [
        ("loses(Inner(a - k, b))", "wins(Inner(a, b - k))", |w, a, b| !w[a][b], |w, a, b| w[a][b]),
        ("wins(Inner(b, a - k))", "loses(Inner(b - k, 2))", |w, a, b| w[b][a], |w, _, b| !w[b][2]),
        ("loses(Inner(a - k, a - k))", "grundy(Inner(b - k, 1)) == 0", |w, a, _| !w[a][a], |w, _, b| !w[b][1]),
        ("not draws(Inner(a - k, 0))", "outcome(Inner(a, b - k)) == \"first\"", |_, _, _| true, |w, a, b| w[a][b]),
    ];
    let wins = inner_wins(120);
    for (first, second, is_first, is_second) in rows {
        for most in [7, 40, 113] {
            let text = format!(
                "{INNER}game Asks(a, b) {{\n  move l k in 1..min(a, 8) where {first} -> Asks(a - k, b)\n  move r k in 1..min(b, 8) where {second} -> Asks(a, b - k)\n}}\nsolve Asks({most}, {most})\n"
            );
            let expected = asking(most, |a, b| is_first(&wins, a, b), |a, b| is_second(&wins, a, b));
            let program = program(&text).expect("a program");
            for form in [Form::Usual, Form::Exhaustive, Form::Plain, Form::Tables] {
                let answers = answers(&program, form);
                let [Ok(answer)] = &answers[..] else { panic!("{text} {form:?}: {answers:?}") };
                assert_eq!(answer.grundy, Some(GrundyValue::Nimber(expected as u64)), "{text} {form:?}");
            }
        }
    }
}

/// An item of a list is put in its place where a condition holds. Where it does not, the words of its letters are those of other code: once
/// a text was made of them all the same, and the program stopped.
#[test]
fn what_is_not_there_is_not_made_into_a_value() {
    let text = std::fs::read_to_string("tests/data/stale_words.game").expect("the file is in the tree");
    let program = program(&text).expect("a game");
    for form in FORMS {
        let answer = answers(&program, form).swap_remove(0).unwrap_or_else(|error| panic!("{form:?}: {error:?}"));
        assert_eq!(solve::outcome_word(answer.outcome), "draw", "{form:?}");
    }
}

/// A power of tens of thousands of bits is no single step: a limit of steps, as one of time, is met by few of them.
#[test]
fn arithmetic_on_long_numbers_counts_as_much_work() {
    let ends = |most: u32| {
        let text =
            format!("game G(n) {{ move a where any(6 ** i == n + 5 for i in 1..{most}) -> G(n - 1) }}\nsolve G(3)\n");
        let program = program(&text).expect("a game");
        let limits = Limits { steps: Some(1 << 20), ..Limits::default() };
        let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), limits, solve::ask);
        ctx.give(vec![None; program.inputs.len()]);
        solved(&mut ctx, false).swap_remove(0).map(|_| ())
    };
    assert_eq!(ends(300), Ok(()));
    // 30,000 turns, of which the longest are worth ten thousand steps each.
    assert_eq!(ends(30_000).expect_err("a limit"), "L03");
}
