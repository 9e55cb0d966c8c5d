//! Games written in several ways: the same answers in every form of the engine, and native code for all.

use crate::naive::engine::{FORMS, answers, planned, program, said};
use crate::rng::Rng;
use crate::rounds;
use grundy::engines as solve;
use grundy::input::data::NoFiles;
use grundy::value::limits::Limits;
use grundy::vm::context::Context;
use std::fmt::Write as _;
use std::sync::Arc;

/// Outcome, Grundy value, and how many moves win and draw, which must be those of all forms and all spellings.
pub(crate) fn alike(spellings: &[&str]) {
    alike_in_answers(spellings);
    for text in spellings {
        let taken = native(text);
        assert!(taken.is_ok(), "{taken:?}\n{text}");
    }
}

/// What the plan says of native code over a table of states, however few they are.
pub(crate) fn native(text: &str) -> Result<String, String> {
    let program = program(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), solve::ask);
    ctx.options.trial = 0;
    ctx.give(vec![None; program.inputs.len()]);
    planned(&mut ctx, "native code")
}

/// The same, of which some are not in native code.
pub(crate) fn alike_in_answers(spellings: &[&str]) {
    let mut first: Option<String> = None;
    for text in spellings {
        let program = program(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let mut told: Option<String> = None;
        for form in FORMS {
            let [answer] = &answers(&program, form)[..] else { panic!("one solve line: {text}") };
            let said = said(&answer.clone().map_err(|(code, _)| code), true);
            assert_eq!(told.get_or_insert_with(|| said.clone()), &said, "{form:?}\n{text}");
            let Ok(answer) = answer else { panic!("{said}\n{text}") };
            let drawing = answer.drawing.as_ref().map_or(0, |drawing| drawing.count);
            let short = format!("{:?} {:?} {} {drawing}", answer.outcome, answer.grundy, answer.winning.count);
            assert_eq!(first.get_or_insert_with(|| short.clone()), &short, "{form:?}\n{text}");
        }
    }
}

#[test]
fn tokens_on_a_digraph_of_numbers() {
    let arcs = "[(v, (v * 7 + 3) mod 90) for v in 0..89] + [(v, (v * 3 + 1) mod 90) for v in 0..60]";
    let game = |head: &str, moves: &str, start: &str| {
        format!("let g = digraph(90, {arcs})\ngame T{head} {{\n  {moves}\n}}\nsolve T{start}\n")
    };
    let list = "move go i in indices(t), w in successors(g, t[i]) -> T(t[i := w])";
    let parts =
        "move one w in successors(g, t[0]) -> T((w, t[1]))\n  move two w in successors(g, t[1]) -> T((t[0], w))";
    let fields = "move one w in successors(g, a) -> T(w, b)\n  move two w in successors(g, b) -> T(a, w)";
    let texts = [
        game("(t: list of nat)", list, "([5, 40])"),
        game("(t: list of int)", list, "([5, 40])"),
        game("(t: list of vertex of g)", list, "([5, 40])"),
        game("[g: digraph](t: list of vertex of g)", list, "[g]([5, 40])"),
        game("(t: (nat, nat))", parts, "((5, 40))"),
        game("(t: (vertex of g, vertex of g))", parts, "((5, 40))"),
        game("(a, b)", fields, "(5, 40)"),
        game("(a: vertex of g, b: vertex of g)", fields, "(5, 40)"),
        game("[g: digraph](a: vertex of g, b: vertex of g)", fields, "[g](5, 40)"),
    ];
    alike(&texts.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn sorted_tokens() {
    let arcs = "[(v, (v * 7 + 3) mod 70) for v in 0..69] + [(v, (v * 3 + 1) mod 70) for v in 0..40]";
    let texts = ["(t: list of nat)", "(t: list of vertex of g)"].map(|head| {
        format!(
            "let g = digraph(70, {arcs})\ngame T{head} {{\n  end when t[0] == t[1]: lost\n  move go i in indices(t), w in successors(g, t[i]) -> T(sort(t[i := w]))\n}}\nsolve T([9, 40])\n"
        )
    });
    alike(&[&texts[0], &texts[1]]);
}

#[test]
fn labels_that_are_no_range() {
    let game = |head: &str| {
        format!(
            "let g = graph {{ 3-5, 5-9, 9-30, 30-3, 9-41, 41-3, 5-7 }}\ngame T{head} {{\n  move go w in neighbours(g, at) where k > 0 and w != 7 -> T(w, k - 1)\n  move stay where k > 1 and degree(g, at) > 2 -> T(at, k - 2)\n}}\nsolve T(5, 40)\n"
        )
    };
    alike(&[&game("(at, k)"), &game("(at: vertex of g, k)"), &game("(at: int, k: int)")]);
}

#[test]
fn labels_that_are_words_and_numbers() {
    let edges = "graph { a-b, b-c, c-1, 1-2, 2-a, 2-d, d-7, 7-b }";
    let moves = [
        "w != 1 and w != at",
        "last([x for x in neighbours(g, at)]) == 1",
        "first([x for x in neighbours(g, at)]) == w",
        "first([x for x in neighbours(g, w)]) != at",
        "last([x for x in neighbours(g, w)]) in {1, 7} or w == 2",
        "[x for x in neighbours(g, at)][0] != [x for x in neighbours(g, w)][0]",
    ];
    for condition in moves {
        for head in ["(at: vertex of g, k)", "[g: graph](at: vertex of g, k)"] {
            let place = if head.starts_with('[') { "W[g]" } else { "W" };
            let text = format!(
                "let g = {edges}\ngame W{head} {{\n  move go w in neighbours(g, at) where k > 0 and ({condition}) -> W(w, k - 1)\n  move wait where k > 1 -> W(at, k - 2)\n}}\nsolve {place}(\"b\", 9)\n"
            );
            outcome(&text);
        }
    }
}

#[test]
fn walks_on_a_grid() {
    let cells = "move go v in neighbours(board, at) - seen -> W(v, seen + {v})";
    let tested = "move go v in neighbours(board, at) where v not in seen -> W(v, seen + {v})";
    let apart = "move go (a, b) in neighbours(board, at) where (a, b) not in seen -> W((a, b), seen + {(a, b)})";
    let fields = "move go (a, b) in neighbours(board, (r, c)) where (a, b) not in seen -> W(a, b, seen + {(a, b)})";
    for board in ["grid(4, 4)", "grid \"\"\"\n    ....\n    .#..\n    ...#\n    ....\n  \"\"\""] {
        let game = |head: &str, moves: &str, start: &str| {
            format!("let board = {board}\ngame W{head} {{\n  {moves}\n}}\nsolve W{start}\n")
        };
        let pairs = "(at: (nat, nat), seen: set of (nat, nat))";
        let texts = [
            game(pairs, cells, "((0, 0), {(0, 0)})"),
            game(pairs, tested, "((0, 0), {(0, 0)})"),
            game(pairs, apart, "((0, 0), {(0, 0)})"),
            game("(r, c, seen: set of (nat, nat))", fields, "(0, 0, {(0, 0)})"),
            game("(at: vertex of board, seen: set of vertex of board)", cells, "((0, 0), {(0, 0)})"),
            game("[board: grid](at: vertex of board, seen: set of vertex of board = {at})", tested, "[board]((0, 0))"),
        ];
        alike(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    }
}

#[test]
fn node_kayles_on_numbers_and_on_vertices() {
    let game = |head: &str, start: &str| {
        format!(
            "let g = graph {{ 0-1, 1-2, 2-3, 3-4, 4-0, 4-5, 5-6, 6-1, 7-3, 7-6, 8-0, 8-5, 9-2, 9-8 }}\ngame K{head} {{\n  move shoot v in alive -> K(alive - {{v}} - neighbours(g, v))\n}}\nsolve K({start})\n"
        )
    };
    alike(&[
        &game("(alive: set of nat)", "{0..9}"),
        &game("(alive: set of vertex of g)", "vertices(g)"),
        &game("(alive: set of vertex of g)", "{0..9}"),
    ]);
}

#[test]
fn boards_as_grids_and_as_texts() {
    let lines = "[[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]";
    let text = format!(
        "game N(b: text) {{\n  end when any(all(b[i] == \"X\" for i in line) for line in {lines})\n  move mark i in places(b, \".\") -> N(b[i := \"X\"])\n}}\nsolve N(\".........\")\n"
    );
    let grid = |moves: &str| {
        format!(
            "let lines = [[(i div 3, i mod 3) for i in line] for line in {lines}]\ngame N(g: grid) {{\n  end when any(all(g[c] == \"X\" for c in line) for line in lines)\n  {moves}\n}}\nsolve N(grid(3, 3))\n"
        )
    };
    alike(&[
        &text,
        &grid("move mark c in cells(g, \".\") -> N(g[c := \"X\"])"),
        &grid("move mark (r, c) in cells(g, \".\") -> N(g[(r, c) := \"X\"])"),
        &grid("move mark r in 0..2, c in 0..2 where g[(r, c)] == \".\" -> N(g[(r, c) := \"X\"])"),
        &grid("move mark r in 0..rows(g) - 1, c in 0..cols(g) - 1 where g[(r, c)] != \"X\" -> N(g[(r, c) := \"X\"])"),
        &grid("move mark i in 0..8 where g[(i div 3, i mod 3)] == \".\" -> N(g[(i div 3, i mod 3) := \"X\"])"),
        &grid("move mark c in cells(g) where c not in cells(g, \"X\") -> N(g[c := \"X\"])"),
        &grid("move mark c in g where g[c] == \".\" -> N(g[c := \"X\"])"),
        &grid(
            "move mark c in cells(g, \".\"), n = g[(0, 0) := g[c]][c := \"X\"] -> N(if c == (0, 0) then n else n[(0, 0) := g[(0, 0)]])",
        ),
    ]);
}

#[test]
fn heaps_in_a_grid_and_in_a_list() {
    let list = "game H(h: list of nat) {\n  move take i in 0..5, k in 1..min(h[i], 2) -> H(h[i -= k])\n  move pair i in 0..5 where i mod 3 < 2, h[i] > 0 and h[i + 1] > 0 -> H(h[i -= 1, i + 1 -= 1])\n}\nsolve H([1, 2, 3, 3, 2, 1])\n"
        .replace(", h[i] > 0 and", " and h[i] > 0 and");
    let grid = |kind: &str, moves: &str| {
        format!("game H(g: {kind}) {{\n  {moves}\n}}\ninput g: grid of nat = [[1, 2, 3], [3, 2, 1]]\nsolve H(g)\n")
    };
    let moves = "move take r in 0..1, c in 0..2, k in 1..min(g[(r, c)], 2) -> H(g[(r, c) -= k])\n  \
                 move pair r in 0..1, c in 0..1 where g[(r, c)] > 0 and g[(r, c + 1)] > 0 -> H(g[(r, c) -= 1, (r, c + 1) -= 1])";
    let over = "move take c in cells(g), k in 1..min(g[c], 2) -> H(g[c := g[c] - k])\n  \
                move pair (r, c) in cells(g) where c < 2 and min(g[(r, c)], g[(r, min(c + 1, 2))]) > 0 -> \
                H(g[d -= 1 for d in {(r, c), (r, c + 1)}])";
    alike(&[&list, &grid("grid of nat", moves), &grid("grid of nat", over)]);
}

#[test]
fn dominoes_on_a_grid() {
    let moves = "move put (r, c) in cells(g, \".\"), (s, d) in [(r, c + 1), (r + 1, c)] \
                 where s < 3 and d < 4 and g[(s, d)] == \".\" -> D(g[(r, c) := \"#\", (s, d) := \"#\"])";
    let walls = "move put c in g, d in neighbours(g, c) where c < d -> D(g[c := \"#\", d := \"#\"])";
    let set = "game D(free: set of (nat, nat)) {\n  move put (r, c) in free, (s, d) in {(r, c + 1), (r + 1, c)} where (s, d) in free -> D(free - {(r, c), (s, d)})\n}\nsolve D({(r, c) for r in 0..2, c in 0..3})\n";
    let game = |moves: &str| format!("game D(g: grid) {{\n  {moves}\n}}\nsolve D(grid(3, 4)[(0, 0) := \".\"])\n");
    let [first, second] = [game(moves), game(walls)].map(|text| outcome(&text));
    assert_eq!(first, second);
    assert_eq!(first, outcome(set));
}

/// Outcome, Grundy value and how many moves win, the same in every form.
fn outcome(text: &str) -> String {
    let program = program(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut told: Option<String> = None;
    for form in FORMS {
        for answer in answers(&program, form) {
            let answer = answer.unwrap_or_else(|(code, message)| panic!("{code} {message} {form:?}\n{text}"));
            let short =
                format!("{:?} {:?} {:?} {}", answer.outcome, answer.grundy, answer.remoteness, answer.winning.count);
            assert_eq!(told.get_or_insert_with(|| short.clone()), &short, "{form:?}\n{text}");
        }
    }
    told.unwrap_or_default()
}

#[test]
fn cells_outside_of_a_grid_are_errors_in_every_form() {
    for moves in [
        "move a r in 0..2 where g[(r, 1)] == \".\" -> G(g[(r, 1) := \"X\"])",
        "move a c in cells(g, \".\") -> G(g[(c[0], c[1] + 1) := \"X\"])",
        "move a i in 0..3 where g[(0, i - 1)] == \".\" -> G(g[(0, 0) := \"X\"])",
    ] {
        let text = format!("game G(g: grid) {{\n  {moves}\n}}\nsolve G(grid(2, 3))\n");
        let program = program(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        for form in FORMS {
            let codes: Vec<_> =
                answers(&program, form).into_iter().map(|answer| answer.map_err(|(code, _)| code).err()).collect();
            assert_eq!(codes, [Some("R02".to_string())], "{form:?}\n{text}");
        }
    }
}

#[test]
fn random_games_on_grids_are_answered_alike_in_every_form() {
    let mut rng = Rng::new(17);
    let (mut solved, mut failed) = (0, 0);
    for _ in 0..rounds(60, 2000) {
        let (rows, cols) = (rng.range(1, 3), rng.range(1, 3));
        let letters = [".", "#", "A", "B"];
        let board: Vec<String> = (0..rows)
            .map(|_| (0..cols).map(|_| *rng.pick(&letters)).collect::<String>())
            .map(|row| format!("\"{row}\""))
            .collect();
        let board = format!("grid([{}])", board.join(", "));
        let binders = [
            "c in cells(g, \"A\")".to_string(),
            "c in cells(g)".into(),
            "c in g".into(),
            "(x, y) in cells(g, \"B\"), c = (x, y)".into(),
            format!("x in 0..{}, y in 0..{}, c = (x, y)", rows - 1, cols - 1),
            format!("i in 0..{}, c = (i div {cols}, i mod {cols})", rows * cols - 1),
            "c in neighbours(g, (0, 0))".into(),
            "b in cells(g, \"A\"), c in neighbours(g, b)".into(),
            "b in cells(g), c in around(g, b)".into(),
            "b in cells(g), c in around(g, b) & neighbours(g, b)".into(),
            "c in cells(g, g[(0, 0)])".into(),
            format!("x in 0..{rows}, c = (x, 0)"),
            "c in [(0, 0), (0, 0)]".into(),
        ];
        let conditions = [
            "g[c] == \"A\"",
            "g[c] != g[(0, 0)]",
            "count(g[d] == \"A\" for d in cells(g)) < 2",
            "c in cells(g, \"B\")",
            "c in g",
            "degree(g, c) > 1",
            "size(neighbours(g, c)) + size(around(g, c)) mod 3 > 2",
            "any(g[d] == \"A\" for d in neighbours(g, c))",
            "count(g[d] == g[c] for d in around(g, c)) < 2",
            "(0, 1) in neighbours(g, c)",
            "neighbours(g, c) <= cells(g, \".\")",
            "size(cells(g, \".\")) > 1",
            "any(g[d] == \"B\" for d in g)",
            "g == start",
            "g[c] in \"AB\"",
            "rows(g) > 1 or cols(g) > 2",
            "cells(g, \"A\") + {c} == cells(g, \"A\")",
            "c[0] <= c[1] and max(c) < 2",
            "true",
        ];
        let nexts = [
            "g[c := \"A\"]",
            "g[c := g[(0, 0)]]",
            "g[c := if g[c] == \"A\" then \"B\" else \"A\"]",
            "g[d := \"B\" for d in cells(g, \"A\")]",
            "g[c := \"#\", (0, 0) := \".\"]",
            "g[d := \".\" for d in cells(g) where g[d] == \"#\"]",
            "g[d := g[c] for d in neighbours(g, c)]",
            "if g[c] == \"A\" then g[c := \"B\"] else g",
            "(if g[c] == \".\" then start else g)[c := \"B\"]",
            "g[(c[1], c[0]) := \"A\"]",
        ];
        let mut text = format!("let start = {board}\ngame G(g: grid, k: nat) {{\n");
        for name in ["one", "two"] {
            let (binder, condition, next) = (rng.pick(&binders), rng.pick(&conditions), rng.pick(&nexts));
            let _ = writeln!(text, "  move {name} {binder} where k > 0 and ({condition}) -> G({next}, k - 1)");
        }
        let end =
            rng.pick(&["g == start[(0, 0) := \"B\"]", "size(cells(g, \"B\")) > 3", "k == 1 and g[(0, 0)] == \"A\""]);
        let _ = writeln!(text, "  end when {end}\n}}\nsolve G(start, {})", rng.range(1, 4));
        let Ok(program) = program(&text) else { continue };
        let mut told: Option<String> = None;
        for form in FORMS {
            for answer in answers(&program, form) {
                *(if answer.is_ok() { &mut solved } else { &mut failed }) += 1;
                // Of several errors the first one met is told, in the order of the search.
                let said = said(&answer.map_err(|_| "error".to_string()), true);
                assert_eq!(told.get_or_insert_with(|| said.clone()), &said, "{form:?}\n{text}");
            }
        }
    }
    assert!(solved > 200 && failed > 20, "{solved} {failed}");
}

/// The same games with all numbers of a field less by some number: boxes from below 0 on.
#[test]
fn fields_below_zero() {
    let rules: [(&[&str], &str); 7] = [
        // A box, with lines that do not go down to 0.
        (&["take k in 1..A -> (A - k, B)", "other k in 1..min(B, 3) -> (A, B - k)"], ""),
        (&["a where A > 0 -> (A - 1, B)", "b where B > 0 -> (A, B - 1)", "c k in 1..min(A, B) -> (A - k, B - k)"], ""),
        // A field that goes up.
        (&["a where A > 0 -> (A - 1, B)", "b where B < 60, k in 1..min(3, 60 - B) -> (A, B + k)"], ""),
        // Plays that come back.
        (&["a -> ((A + 7) mod 40, B)", "b where B > 0 -> ((A * 3) mod 40, B - 1)"], ""),
        // No field alone goes down.
        (
            &[
                "a where A > 1 -> (A - 2, B + 1)",
                "b where B > 1 -> (A + 1, B - 2)",
                "c where A > 0 and B > 0 -> (A - 1, B - 1)",
            ],
            "",
        ),
        // Fields that may change places.
        (
            &[
                "a k in 1..min(A, 4) -> (A - k, B)",
                "b k in 1..min(B, 4) -> (A, B - k)",
                "c where A > 0 and B > 0 -> (A - 1, B - 1)",
            ],
            "",
        ),
        // Ends of play.
        (&["a k in 1..min(A, 3) -> (A - k, B)", "b k in 1..min(B, 3) -> (A, B - k)"], "end when A + B == 5: won\n  "),
    ];
    for (moves, end) in rules {
        let game = |kind: &str, [down, below]: [i64; 2]| {
            let here = |text: &str| text.replace('A', &format!("(a + {down})")).replace('B', &format!("(b + {below})"));
            let one = |text: &&str| {
                let (head, (a, b)) = text
                    .split_once(" -> (")
                    .map(|(head, to)| (head, to.rsplit_once(", ").expect("two")))
                    .expect("a move");
                format!(
                    "  move {} -> G({} - {down}, {} - {below})\n",
                    here(head),
                    here(a),
                    here(b.trim_end_matches(')'))
                )
            };
            let moves: String = moves.iter().map(one).collect();
            format!(
                "game G(a: {kind}, b: {kind}) {{\n  {}{}}}\nsolve G({}, {})\n",
                here(end),
                moves,
                37 - down,
                30 - below
            )
        };
        let texts = [
            game("nat", [0, 0]),
            game("int", [0, 0]),
            game("int", [37, 30]),
            game("int", [100, 11]),
            game("int", [12, 200]),
        ];
        alike(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    }
}

/// One game in the words that users chose: a lit vertex goes out and flips others before it.
#[test]
fn lit_vertices() {
    const N: usize = 7;
    let before = |v: usize| -> Vec<usize> { (0..v).filter(|&w| w == v / 2 || w + 3 == v).collect() };
    let flips: Vec<Vec<usize>> = (0..N).map(|v| before(v).into_iter().chain([v]).collect()).collect();
    let all = |write: &dyn Fn(&[usize]) -> String| {
        format!("[{}]", flips.iter().map(|row| write(row)).collect::<Vec<_>>().join(", "))
    };
    let joined = |row: &[usize]| row.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
    let lists = all(&|row| format!("[{}]", joined(row)));
    let sets = all(&|row| format!("{{{}}}", joined(row)));
    let masks = all(&|row| row.iter().map(|w| 1 << w).sum::<u32>().to_string());
    let bits = |row: &[usize], [yes, no]: [&'static str; 2]| {
        (0..N).map(|w| if row.contains(&w) { yes } else { no }).collect::<Vec<_>>()
    };
    let texts = all(&|row| format!("\"{}\"", bits(row, ["1", "0"]).concat()));
    let bools = all(&|row| format!("[{}]", bits(row, ["true", "false"]).join(", ")));
    let pairs = |row: &dyn Fn(usize, usize) -> String| {
        (0..N)
            .flat_map(|v| flips[v].iter().map(move |&w| (v, w)))
            .map(|(v, w)| row(v, w))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let arcs =
        (0..N).flat_map(|v| before(v).into_iter().map(move |w| format!("({v}, {w})"))).collect::<Vec<_>>().join(", ");
    let set = |heads: &str, flipped: &str| {
        format!(
            "{heads}\ngame L(lit: set of nat) {{\n  move flip v in lit -> L(lit xor {flipped})\n}}\nsolve L(set(0..6))\n"
        )
    };
    let row = |kind: &str, lit: &str, other: &str, start: &str| {
        format!(
            "let flips = {lists}\ngame L(row: {kind}) {{\n  move flip v in indices(row) where {lit} -> \
             L([if w in flips[v] then {other} else row[w] for w in indices(row)])\n}}\nsolve L([{start} for i in 0..6])\n"
        )
    };
    let mask = |binder: &str, next: &str| {
        format!(
            "let flips = {masks}\nlet rows = {lists}\ngame L(m) {{\n  move flip v in {binder} -> L({next})\n}}\nsolve L(127)\n"
        )
    };
    let texts = [
        set(&format!("let flips = {sets}"), "flips[v]"),
        set(&format!("let flips = {lists}"), "set(flips[v])"),
        set(&format!("let flips = {texts}"), "{w for w in 0..6 where flips[v][w] == \"1\"}"),
        set(&format!("let flips = {bools}"), "{w for w in 0..6 where flips[v][w]}"),
        set(
            &format!("let pairs = [{}]", pairs(&|v, w| format!("({v}, {w})"))),
            "{p[1] for p in pairs where p[0] == v}",
        ),
        set("def flips(v: nat): set of nat = {v} + {w for w in {v div 2, v - 3} where w >= 0 and w < v}", "flips(v)"),
        set("", "{w for w in 0..v where w == v or (w < v and (w == v div 2 or w == v - 3))}"),
        format!(
            "game L[flips: list of set of nat](lit: set of nat) {{\n  move flip v in lit -> L(lit xor flips[v])\n}}\nsolve L[{sets}](set(0..6))\n"
        ),
        format!(
            "let flips = {sets}\ngame L(lit: set of nat) {{\n  move flip v in lit -> L((lit - flips[v]) + (flips[v] - lit))\n}}\nsolve L(set(0..6))\n"
        ),
        format!(
            "let flips = {sets}\ngame L(lit: set of nat) {{\n  move flip v in 0..6 where v in lit -> \
             L({{w for w in 0..6 where (w in lit) != (w in flips[v])}})\n}}\nsolve L(set(0..6))\n"
        ),
        format!(
            "let g = digraph(7, [{arcs}])\ngame L(lit: set of vertex of g) {{\n  move flip v in lit -> L(lit xor ({{v}} + successors(g, v)))\n}}\n\
             solve L(vertices(g))\n"
        ),
        format!(
            "let flips = {lists}\ngame L(lit: set of (nat, nat)) {{\n  move flip p in lit -> \
             L(lit xor {{(w div 4, w mod 4) for w in flips[p[0] * 4 + p[1]]}})\n}}\nsolve L({{(w div 4, w mod 4) for w in 0..6}})\n"
        ),
        format!(
            "let names = [\"v{{i}}\" for i in 0..6]\nlet g = digraph {{ {} }}\ngame L(lit: set of vertex of g) {{\n  \
             move flip v in lit -> L(lit xor ({{v}} + successors(g, v)))\n}}\nsolve L(vertices(g))\n",
            (0..N)
                .flat_map(|v| before(v).into_iter().map(move |w| format!("v{v}->v{w}")))
                .collect::<Vec<_>>()
                .join(", ")
        )
        .replace("let names = [\"v{i}\" for i in 0..6]\n", ""),
        row("list of bool", "row[v]", "not row[w]", "true"),
        row("list of nat", "row[v] == 1", "1 - row[w]", "1"),
        row("list of int", "row[v] == 1", "1 - row[w]", "1"),
        mask("0..6 where bit(m, v)", "m xor flips[v]"),
        mask("0..6 where m div 2 ** v mod 2 == 1", "xor([m, flips[v]])"),
        mask("[v for v in 0..6 where bit(m, v)]", "m xor flips[v]"),
        mask("0..6 where bit(m, v)", "m + sum([if bit(m, w) then -(2 ** w) else 2 ** w for w in rows[v]])"),
    ];
    alike(&texts.iter().map(String::as_str).collect::<Vec<_>>());
}

/// Terms of one small number that fault for some of them, or are no word for some.
#[test]
fn terms_that_fault_for_some_numbers() {
    let game = |steps: &str, guard: &str, end: &str| {
        format!(
            "let steps = [[1, 2], [2], [1, 3], [2, 70], []]\ngame G(n, lit: set of nat) {{\n  move a v in lit{guard}, k in {steps} where k <= n -> G(n - k, lit - {{v}})\n  \
             move b k in 1..min(n, 2) -> G(n - k, lit)\n}}\nsolve G(9, {end})\n"
        )
    };
    // Only numbers that have an entry are met, or those that have none are left out by a condition.
    alike(&[
        &game("set(steps[v])", "", "{0, 1, 2, 4}"),
        &game("set(steps[v])", " where v < 5", "{0, 1, 2, 4}"),
        &game("{k for k in 0..9 where v < 5 and k in steps[v]}", "", "{0, 1, 2, 4}"),
        &game("{k for k in 0..9 where count([x == k for x in steps[v]]) > 0}", "", "{0, 1, 2, 4}"),
    ]);
    // One of no entry is met: the same fault in every form.
    let text = game("set(steps[v])", "", "{0, 7}");
    let program = program(&text).expect("a game");
    for form in FORMS {
        let [answer] = &answers(&program, form)[..] else { panic!("one solve line: {text}") };
        assert!(matches!(answer, Err((code, _)) if code == "R02"), "{form:?} {answer:?}");
    }
}

/// Games on lists, bags and texts whose lengths change: the same answers in every form, one of which keeps states as values.
#[test]
fn random_games_whose_members_come_and_go() {
    let mut rng = Rng::new(23);
    let (mut solved, mut failed) = (0, 0);
    for _ in 0..rounds(400, 10_000) {
        let kind = *rng.pick(&["bag", "bag", "list", "text", "pairs"]);
        let (binders, conditions, nexts): (&[&str], &[&str], &[&str]) = match kind {
            "bag" => (
                &[
                    "x in h, k in 1..x",
                    "x in h, k = x",
                    "x in h, k in [1, 2]",
                    "k in 1..3, x = k",
                    "(x, k) in pairs(h)",
                    "x in set(h), k = size(h)",
                    "x in sort(h), k = 1",
                    "x in [y for y in h where y > 1], k = x - 1",
                    "x in h, k in h",
                    "x in h - [max(h)], k = 1",
                ],
                &[
                    "x >= k",
                    "k in h",
                    "x in h",
                    "size(h) < 5",
                    "sum(h) mod 3 != 1",
                    "count(y == x for y in h) < 3",
                    "max(h) > 1",
                    "h != bag([1, 1])",
                    "xor(h) != x",
                    "bag([x]) <= h",
                    "list(h)[0] < 4",
                    "list(h)[0] == min(h)",
                    "list(h) == sort(list(h))",
                    "bag([x, k]) == bag([k, x])",
                    "h - [x] != bag([k, 1])",
                    "bag([2, x, 1]) != h",
                    "all(y < 6 for y in h)",
                    "first(sort(h)) <= x",
                    "h - [x] != bag([])",
                    "h == h",
                    "h == bag(sort(h))",
                    "sum(y * y for y in h) < 60",
                    "any(y == z for (y, z) in pairs(h))",
                ],
                &[
                    "h - [x]",
                    "h - [x] + [x - k]",
                    "h - {x} + {x - k}",
                    "h - [x] + [k - 1, x - k]",
                    "if k == x then h - [x] else h - [x] + [x - k]",
                    "h - [x, k]",
                    "h - [x] - [k]",
                    "bag([y for y in h where y != x])",
                    "bag([if y > 1 then y - 1 else y for y in h])",
                    "[y for y in h where y != k or y < x]",
                    "h - [y for y in h where y == x] + [x - 1]",
                    "if size(h) > 3 then h - [x] else h + [x] - [max(h)]",
                    "sort(h)[1..]",
                    "h - [x] + (if k < x then [x - k] else [])",
                    "h - [x] + (if k > 1 then [k - 1] else if x > 2 then [1, 1] else [])",
                    "bag([abs(y - k) for y in h - [x]])",
                ],
            ),
            "list" => (
                &[
                    "i in indices(h), x = h[i], k in 1..x",
                    "i in indices(h), x = h[i], k = 1",
                    "x in h, i = 0, k = x",
                    "i in 0..2, x = h[i], k = 1",
                    "i in indices(h), x = last(h), k = h[i]",
                ],
                &[
                    "x >= k",
                    "x in h",
                    "size(h) < 5",
                    "sum(h) mod 3 != 1",
                    "h[i] > 0",
                    "first(h) <= x",
                    "h[..i] != [1, 2]",
                    "increasing(h) or x > 1",
                    "max(h) > 1",
                    "h == sort(h) or k > 0",
                    "h < [3, 3, 3]",
                ],
                &[
                    "h[..i - 1] + h[i + 1..]",
                    "h[i -= k]",
                    "if h[i] == k then h[..i - 1] + h[i + 1..] else h[i -= k]",
                    "sort([y for y in h[i := x - k] where y > 0])",
                    "[y for y in h where y != x]",
                    "h[..i - 1] + [x - k] + h[i + 1..]",
                    "if x > 2 then h[..i - 1] + [1, x - 2] + h[i + 1..] else h[1..]",
                    "reverse(h[1..])",
                    "if size(h) > 2 then h[1..] else []",
                    "sort(h + [k])[1..]",
                    "[y - 1 for y in h where y > 1]",
                    "if i == 0 then (if k > 1 then [k - 1] else h[1..]) else h[i := 0]",
                    "list(set(h))[1..]",
                    "(if x > k then h else h[1..])[1..]",
                    "if x == 1 then h[1..] else sort([y for y in h where y != x])",
                    "h[k..]",
                    "h[..x - 1]",
                    "h[x..k]",
                    "h[..max([j + 1 for j in indices(h) where h[j] > k] + [0]) - 1]",
                    "h[min(h)..] + h[..min(h) - 2]",
                ],
            ),
            "text" => (
                &[
                    "i in indices(h), x = h[i], k = 1",
                    "i in places(h, \"ab\"), x = \"a\", k = 2",
                    "i in 0..2, x = h[i], k = i",
                ],
                &[
                    "x == \"a\"",
                    "h[i] != \"c\"",
                    "x in h",
                    "size(h) > 1",
                    "h != \"ab\"",
                    "starts(h, \"a\") or k < 2",
                    "h[..i] != \"ab\"",
                ],
                &[
                    "h[..i - 1] + h[i + 1..]",
                    "h[i := \"a\"]",
                    "if x == \"a\" then h[..i - 1] + h[i + 1..] else h[i := \"a\"]",
                    "if k == 1 then h[1..] else \"c\" + h[2..]",
                    "join([y for y in h where y != x])",
                    "if i > 0 then h[..i - 1] else \"\"",
                    "join([if y == \"a\" then \"b\" else \"a\" for y in h[1..]])",
                    "if x == \"b\" then \"ca\" else h[..i - 1]",
                    "(if x == \"a\" then \"a\" else \"\") + h[1..]",
                    "h[size([y for y in h where y == \"a\"])..]",
                    "h[..count(y == x for y in h) - 2]",
                ],
            ),
            _ => (
                &[
                    "i in indices(h), x = h[i][0], k in 1..x",
                    "(x, y) in h, i = 0, k = y",
                    "i in indices(h), x = h[i][1], k = 1",
                ],
                &["x >= k", "(1, 1) not in h", "size(h) < 4", "h[i][0] > 0", "sum(a + b for (a, b) in h) > 1"],
                &[
                    "h[..i - 1] + h[i + 1..]",
                    "[(a, b) for (a, b) in h where a != x]",
                    "if x == k then h[1..] else h[i := (x - k, k)]",
                    "sort([if p[0] > 0 then (p[0] - 1, p[1]) else p for p in h])[1..]",
                    "if k > 1 then h[..i - 1] + [(k - 1, x)] + h[i + 1..] else []",
                    "[(b, a) for (a, b) in h where a + b > k]",
                ],
            ),
        };
        let number = |rng: &mut Rng| rng.range(0, 4).to_string();
        let members: Vec<String> = (0..rng.range(1, 4))
            .map(|_| match kind {
                "text" => rng.pick(&["a", "b", "c"]).to_string(),
                "pairs" => format!("({}, {})", number(&mut rng), number(&mut rng)),
                _ => number(&mut rng),
            })
            .collect();
        let (field, start) = match kind {
            "text" => ("text".to_string(), format!("\"{}\"", members.concat())),
            "pairs" => ("list of (nat, nat)".into(), format!("[{}]", members.join(", "))),
            kind => (format!("{kind} of {}", rng.pick(&["nat", "int"])), format!("[{}]", members.join(", "))),
        };
        let head = rng.pick(&["", "", "misere "]);
        let filter = if kind == "bag" { rng.pick(&["", "", " where size(h) < 6", " where sum(h) < 12"]) } else { "" };
        let mut text = format!("{head}game G(h: {field}, turns){filter} {{\n");
        for name in ["one", "two"] {
            let (binder, condition, next) = (rng.pick(binders), rng.pick(conditions), rng.pick(nexts));
            let _ = writeln!(text, "  move {name} {binder} where turns > 0 and ({condition}) -> G({next}, turns - 1)");
        }
        let lines: &[&str] = match kind {
            "bag" => &[
                "  legal when size(h) != 2 or turns < 3\n",
                "  legal when sum(h) mod 4 != 3\n",
                "  same as G(h - [0], turns) when 0 in h\n",
                "  same as G(h - [1, 1], turns) when count(x == 1 for x in h) > 1\n",
                "  end when size(h) > 5 or h == bag([2, 2])\n",
            ],
            "list" => &[
                "  legal when size(h) != 2 or turns < 3\n",
                "  same as G(h[1..], turns) when size(h) > 0 and h[0] == 0\n",
                "  same as G(sort(h), turns) when true\n",
                "  end when size(h) > 5\n",
            ],
            "text" => &["  same as G(h[1..], turns) when starts(h, \"b\")\n", "  legal when size(h) != 2\n"],
            _ => &["  same as G(h[1..], turns) when size(h) > 2\n", "  legal when size(h) != 2\n"],
        };
        if rng.range(0, 2) == 0 {
            text += rng.pick::<&str>(lines);
        }
        let part = if rng.range(0, 4) == 0 { format!(" + G({start}, 2)") } else { String::new() };
        let _ = writeln!(text, "}}\nsolve G({start}, {}){part}", rng.range(2, 6));
        let program = match program(&text) {
            Ok(program) => program,
            Err(message) => panic!("{message}\n{text}"),
        };
        let mut told: Option<String> = None;
        for form in FORMS {
            for answer in answers(&program, form) {
                *(if answer.is_ok() { &mut solved } else { &mut failed }) += 1;
                let said = said(&answer.map_err(|_| "error".to_string()), true);
                assert_eq!(told.get_or_insert_with(|| said.clone()), &said, "{form:?}\n{text}");
            }
        }
    }
    assert!(solved > 200 && failed > 20, "{solved} {failed}");
}

/// Members that are put in stand in their order, whether it is known which members are there or not.
#[test]
fn bags_ascend_wherever_their_members_come_from() {
    for next in [
        "h - [x] + [x - k]",
        "h - [x] + (if k < x then [x - k] else [])",
        "(if k < x then [x - k] else []) + (h - [x])",
        "if k < x then h - [x] + [x - k] else h - [x]",
        "bag([if y == x then x - k else y for y in h where y != x or k < x])",
    ] {
        for condition in ["list(h)[0] == min(h)", "last(list(h)) == max(h)"] {
            let text = format!(
                "game G(h: bag of nat) {{\n  move take x in h, k in 1..x where {condition} -> G({next})\n}}\nsolve G([4, 2, 3])\n"
            );
            let free = text.replace(&format!(" where {condition}"), "");
            assert_eq!(outcome(&text), outcome(&free), "{text}");
        }
    }
}

/// A state of more words than one that is laid out by its lengths may have.
#[test]
fn states_of_very_many_fields() {
    let rest: Vec<String> = (1..200).map(|n| format!("a{n}")).collect();
    let zeros = vec!["0"; 199].join(", ");
    let rest = rest.join(", ");
    let text = format!("game G(a0, {rest}) {{\n  move t k in 1..a0 -> G(a0 - k, {rest})\n}}\nsolve G(5, {zeros})\n");
    let short = "game G(a) {\n  move t k in 1..a -> G(a - k)\n}\nsolve G(5)\n";
    assert_eq!(outcome(&text), outcome(short));
}

/// Bags in lists, in tuples, and two beside a text: each form says the same, the one too that keeps states as values.
#[test]
fn bags_within_lists_and_tuples() {
    for text in [
        "game G(rows: list of bag of nat) {
  move take i in indices(rows), x in rows[i], k in 1..x ->
    G(rows[i := rows[i] - [x] + (if k < x then [x - k] else [])])
  move drop i in indices(rows) where size(rows[i]) == 0 -> G(rows[..i - 1] + rows[i + 1..])
}
solve G([[1, 2], [2, 2], [3]])
",
        "game G(p: (bag of nat, nat)) {
  move take x in p[0], k in 1..x where p[1] > 0 -> G((p[0] - [x] + (if k < x then [x - k] else []), p[1] - 1))
  move keep x in p[0], k in 1..x -> G((p[0] - [x] + [x - k], p[1]))
}
solve G(([1, 2, 2, 3], 3))
",
        "misere game G(a: bag of int, b: bag of nat, s: text) {
  move take x in a, y in b where x < y -> G(a - [x] + [x + 1], b - [y], s + \"a\")
  move cut i in indices(s), x in b -> G(if i == 0 then a else a + [x], b - [x], s[..i - 1] + s[i + 1..])
}
solve G([-1, 0, 2], [2, 3, 3], \"ba\")
",
    ] {
        outcome(text);
    }
}

/// Vertices are ordered by their labels, texts and pairs too.
/// Lists, sets and ranges of numbers that words and definitions make are those that a range and a condition give.
#[test]
fn numbers_that_words_make() {
    let defs = "def counted(n: nat, d: nat): list of nat = if d > n then [] else (if n mod d == 0 then [d] else []) + counted(n, d + 1)
def upto(n: nat) = 1..n
let all = [divisors(max(n, 1)) for n in 0..90]
";
    let game = |d: &str, e: &str, divides: bool| {
        let [first, second] = if divides { [" and n mod d == 0", " and m mod e == 0"] } else { [""; 2] };
        format!(
            "{defs}game D(n, m) {{\n  move take d in {d} where d < n{first} -> D(n - d, m)\n  move both d in {d}, e in {e} where d < n and 1 < e and e <= m{first}{second} -> D(n - d, m - e)\n  move one where m > 0 -> D(n, m - 1)\n}}\nsolve D(40, 32)\n"
        )
    };
    let words = "divisors(max(n, 1))";
    let texts = [
        game("1..n", "1..m", true),
        game(words, "divisors(max(m, 1))", false),
        game("set(divisors(max(n, 1)))", "reverse(divisors(max(m, 1)))", false),
        game("counted(n, 1)", "counted(m, 1)", false),
        game("list(upto(n))", "upto(m)", true),
        game("sort([n div k for k in counted(n, 1)])", "[m div k for k in counted(m, 1)]", false),
        game("all[n]", "all[m]", false),
        game("(if n mod 2 == 0 then divisors(max(n, 1)) else counted(n, 1))", "divisors(max(m, 1))", false),
        game(words, "(if d > 7 then counted(m, 1) else divisors(max(m, 1)))", false),
    ];
    alike(&texts.each_ref().map(String::as_str));
}

/// So are lists of tuples, whether a definition says the types or not.
#[test]
fn tuples_that_definitions_make() {
    let game = |def: &str, source: &str, condition: &str| {
        format!(
            "{def}\ngame D(n, m) {{\n  move take {source} where d < n and q > 1{condition} -> D(n - d, max(0, m - q))\n  move one where m > 0 -> D(n, m - 1)\n}}\nsolve D(48, 30)\n"
        )
    };
    let (all, pairs) = ("divisors(max(n, 1))", "[(d, n div d) for d in divisors(max(n, 1))]");
    let texts = [
        game("", "d in 1..n, q in 1..n", " and d * q == n"),
        game("", &format!("d in {all}, q in [n div d]"), ""),
        game("", &format!("(d, q) in {pairs}"), ""),
        game(&format!("def steps(n) = {pairs}"), "(d, q) in steps(n)", ""),
        game(&format!("def steps(n: nat): list of (nat, nat) = {pairs}"), "(d, q) in steps(n)", ""),
        game(
            &format!("def steps(n: nat): list of (int, int) = {pairs}"),
            "p in steps(n), d in [p[0]], q in [p[1]]",
            "",
        ),
        game(&format!("def steps(n: nat) = set({pairs})"), "(d, q) in steps(n)", ""),
        game(&format!("def steps(n: nat) = {pairs} + []"), "(q, d) in steps(n)", ""),
        game(
            "def steps(k, n) = [(k, d, n div d) for d in 1..n where n mod d == 0]",
            "(k, d, q) in steps(m, n)",
            " and k == m",
        ),
        game(
            "def steps(n, d) = [(d, q) for q in 2..n where d * q == n]",
            "d in 1..n, (e, q) in steps(n, d)",
            " and d == e",
        ),
        game(
            "def part(n) = [k for k in 1..n where n mod k == 0]\ndef steps(n) = [(d, n div d) for d in part(n)]",
            "(d, q) in steps(n)",
            "",
        ),
        game("def steps(n) = [(d, q) for d in small]\n  with small = divisors(max(n, 1))", "(d, q) in steps(n)", "")
            .replace("[(d, q) for d in small]", "[(d, n div d) for d in small]"),
    ];
    alike(&texts.each_ref().map(String::as_str));
}

/// Lists and sets that are put together from others, in definitions of definitions too: each option counts once where it is a
/// member of a set.
#[test]
fn collections_put_together() {
    let game = |defs: &str, moves: &str| format!("{defs}\ngame D(n, m) {{\n  {moves}\n}}\nsolve D(34, 29)\n");
    let step = "-> D(n - i, m - j)";
    let texts = [
        game("", &format!("move a i in 0..min(n, 3), j in [3 - i] where j <= m {step}\n  move a i in 1..n, j in [0] where n mod i == 0 and n < m and i < n and (i, j) != (3, 0) {step}")),
        game("def three(n, m) = [(i, 3 - i) for i in 0..min(n, 3) where 3 - i <= m]
def divide(n: nat): list of (nat, nat) = [(i, 0) for i in 1..n - 1 where n mod i == 0 and i != 3]
def all(n: nat, m: nat): list of (nat, nat) = three(n, m) + (if n < m then divide(n) else [])",
            &format!("move a (i, j) in all(n, m) {step}")),
        game("def three(n, m) = {(i, 3 - i) for i in 0..min(n, 3), k in 0..1 where 3 - i <= m}
def divide(n: nat): set of (nat, nat) = {(n div k, 0) for k in 2..n where n mod k == 0}
def all(n, m) = if n >= m then three(n, m) else three(n, m) + (divide(n) - {(3, 0)}) + {(0, 3), (1, 2)} - {(i, j) for i in n + 1..3, j in 0..3} - {(i, j) for i in 0..3, j in m + 1..3}",
            &format!("move a (i, j) in all(n, m) {step}")),
        game("def three(n, m) = [(i, 3 - i) for i in 0..min(n, 3) where 3 - i <= m]
def divide(n: nat) = [(i, 0) for i in 1..n - 1 where n mod i == 0 and i != 3]",
            &format!("move a (i, j) in set(three(n, m) + three(n, m) + (if n < m then divide(n) + divide(n) else [])) {step}")),
        game("", &format!("move a (i, j) in [(3, 0), (2, 1), (1, 2), (0, 3)] + [(i, 0) for i in 1..n - 1 where n < m and n mod i == 0 and i != 3] where i <= n and j <= m {step}")),
        game("def next(n: nat, m: nat): list of list of nat = [[n - i, m - 3 + i] for i in 0..min(n, 3) where 3 - i <= m] + rest with rest = if n < m then [[n - i, m] for i in 1..n - 1 where n mod i == 0 and i != 3] else []",
            "move a s in next(n, m) -> D(s[0], s[1])"),
    ];
    alike(&texts.each_ref().map(String::as_str));
}

/// Whether something is a member of a collection that is put together.
#[test]
fn members_of_collections_put_together() {
    let game = |defs: &str, condition: &str| {
        format!(
            "{defs}\ngame D(n, m) {{\n  move a i in 0..min(n, 4), j in 0..min(m, 4) where i + j > 0 and {condition} -> D(n - i, m - j)\n}}\nsolve D(31, 27)\n"
        )
    };
    let good = "def good(n: nat, m: nat): list of (nat, nat) = [(i, j) for i in 0..min(n, 4), j in 0..4 where (i + j + m) mod 3 != 0]";
    let texts = [
        game("", "(i + j + m) mod 3 != 0 and (i + n) mod 4 != 1"),
        game(good, "(i, j) in good(n, m) and (i + n) mod 4 != 1"),
        game(good, "not ((i, j) not in set(good(n, m))) and i not in {k for k in 0..4 where (k + n) mod 4 == 1}"),
        game(
            "def good(m) = {s for s in 0..8 where (s + m) mod 3 != 0}\ndef bad(n) = if n > 0 then [(n * 3 + 1) mod 4] + [5 for k in 1..n] + (if n mod 4 == 1 then [0, 4] else []) else [k for k in [1]]",
            "i + j in good(m) and i not in bad(n)",
        ),
        game(
            "",
            "i + j in [s for s in 0..8 where (s + m) mod 3 != 0] + [] and i not in [k - n for k in n..n + 4 where k mod 4 == 1]",
        ),
    ];
    alike(&texts.each_ref().map(String::as_str));
}

/// What a definition says that it gives is looked at as a whole, whatever is then taken of it.
#[test]
fn a_list_that_is_none_of_the_declared_type() {
    for (def, code) in [
        ("def less(n: nat): list of nat = [k - 3 for k in reverse(list(0..n))]", "R01"),
        ("def less(n: nat): list of (nat, nat) = [(k - 3, k) for k in reverse(list(0..n))]", "R01"),
    ] {
        let member = if def.contains("(nat, nat)") { "(k, j)" } else { "k" };
        let text = format!(
            "{def}\ngame G(n, m) {{\n  move some where n > 0 and any(k > 0 for {member} in less(n)) -> G(n - 1, m)\n  move other where m > 0 -> G(n, m - 1)\n}}\nsolve G(9, 9)\n"
        );
        error_in_every_form(&text, code);
    }
}

/// Size, sum, greatest member and items of lists that are made for each state, held against numbers that tell the same.
#[test]
fn numbers_about_lists_that_are_made() {
    let game = |defs: &str, list: &str, item: &str, sum: &str| {
        format!(
            "{defs}
game D(n, m) {{
  move take i in indices({list}) where {item} <= n -> D(n - {item}, m)
  move other where m > 0 and size({list}) mod 2 == 1 -> D(n, m - 1)
  move third where n > 0 and {sum} mod 3 == 1 -> D(n - 1, m)
  move last where n + m > 0 and max({list}) <= m -> D(n, m - max({list}))
}}
solve D(21, 27)
"
        )
    };
    let squares = "[k * k for k in 1..6 where k * k <= n + m]";
    let with = |defs: &str| game(defs, "o(n, m)", "o(n, m)[i]", "sum(o(n, m))");
    let pairs = "def o(n: nat, m: nat): list of (nat, nat) = [(k * k, k) for k in 1..6 where k * k <= n + m]";
    let texts = [
        "def s(n, m) = min(6, floor(sqrt(n + m)))
game D(n, m) {
  move take i in 1..s(n, m) where i * i <= n -> D(n - i * i, m)
  move other where m > 0 and s(n, m) mod 2 == 1 -> D(n, m - 1)
  move third where n > 0 and s(n, m) * (s(n, m) + 1) * (2 * s(n, m) + 1) div 6 mod 3 == 1 -> D(n - 1, m)
  move last where n + m > 0 and s(n, m) ** 2 <= m -> D(n, m - s(n, m) ** 2)
}
solve D(21, 27)
"
        .to_string(),
        game("", squares, &format!("{squares}[i]"), &format!("sum({squares})")),
        with(&format!("def o(n, m) = {squares}")),
        with(
            "def o(n: nat, m: nat): list of nat = half(n, m, 0) + half(n, m, 3)
def half(n: nat, m: nat, after: nat): list of nat = [k * k for k in after + 1..after + 3 where k * k <= n + m]",
        ),
        with(
            "def o(n: nat, m: nat): list of nat = (if n + m > 0 then [1] else []) + [k * k for k in 2..6 where k * k <= n + m]",
        ),
        with(
            "def o(n: nat, m: nat): list of nat = if n < m then [k * k for k in 1..6 where k * k <= n + m] else [j ** 2 for j in 1..6, i in 0..0 where n + m - j * j >= i]",
        ),
        game(pairs, "[a for (a, b) in o(n, m)]", "o(n, m)[i][0]", "sum(b * b for (a, b) in o(n, m))"),
        game(
            "def o(n: nat, m: nat): list of list of nat = [[k, k * k] for k in 1..6 where k * k <= n + m]",
            "[a[1] for a in o(n, m)]",
            "o(n, m)[i][1]",
            "sum(a[0] * a[1] div a[0] for a in o(n, m))",
        ),
        with(&format!("def o(n, m) = {squares}"))
            .replace("max(o(n, m))", "max(set(o(n, m)) + {k - 1 for k in o(n, m)})"),
    ];
    alike(&texts.each_ref().map(String::as_str));
    let squares = format!("def o(n, m) = {squares}");
    for (term, code) in [
        ("o(n, m)[7]", "R02"),
        ("o(n, m)[n - 20]", "R02"),
        ("[(k, n) for k in 1..n where k > m][0][1]", "R02"),
        ("min([k for k in 1..n where k > 2 * n])", "R02"),
        ("max((if n > m then [k for k in 1..m] else []) + [k for k in n..m])", "R02"),
    ] {
        let text = format!(
            "{squares}\ngame D(n, m) {{\n  move one where n > 0 and {term} < 9 -> D(n - 1, m)\n  move two where m > 0 -> D(n, m - 1)\n}}\nsolve D(9, 9)\n"
        );
        error_in_every_form(&text, code);
    }
}

/// Vertices and edges of constant graphs with labels of all kinds, gone through whole or in part.
#[test]
fn vertices_and_edges_of_constant_graphs() {
    // Twelve vertices, three edges from most of them.
    let arcs: Vec<(usize, usize)> =
        (0..12).flat_map(|v| [1, 4, 5].map(|step| (v, v + step))).filter(|&(_, w)| w < 12).collect();
    let labels: [&dyn Fn(usize) -> String; 4] =
        [&|v| v.to_string(), &|v| (v + 7).to_string(), &|v| (v * v + 2).to_string(), &|v| format!("\"v{}\"", 11 - v)];
    let mut texts = Vec::new();
    for label in labels {
        let edges: Vec<String> = arcs.iter().map(|&(u, v)| format!("({}, {})", label(u), label(v))).collect();
        let graph =
            format!("let h = graph([{}], [{}])", (0..12).map(label).collect::<Vec<_>>().join(", "), edges.join(", "));
        let game = |lets: &str, moves: &str| {
            format!("{graph}\n{lets}game M(free: set of vertex of h) {{\n  {moves}\n}}\nsolve M(vertices(h))\n")
        };
        texts.push([
            game("", "move pick u in free, v in neighbours(h, u) & free where u < v -> M(free - {u, v})"),
            game("", "move pick (u, v) in edges(h) where u in free and v in free -> M(free - {u, v})"),
            game("", "move pick (u, v) in edges(h, free) -> M(free - {u} - {v})"),
            game("let es = [(u, v) for (u, v) in edges(h)]\n", "move pick (u, v) in es where u in free and v in free -> M(free - {u, v})"),
            game("", "move pick (u, v) in pairs(free) where v in neighbours(h, u) -> M(free - {u, v})"),
            game("", "move pick u in vertices(h), v in vertices(h) where u < v and {u, v} <= free and any((a, b) == (u, v) or (b, a) == (u, v) for (a, b) in edges(h)) -> M(free - {v, u})"),
            game("", "move pick s in subsets(free, 2) where size(edges(h, s)) == 1 -> M(free - s)"),
            game("", "move pick (u, v) in edges(h - (vertices(h) - free)) -> M(free - {u, v})"),
            game("", "move pick e in edges(h), (u, v) = e where {u, v} <= free -> M(free - {u, v})"),
            game("", "move pick e in edges(h, free), (u, v) = e -> M(free - {v} - {u})"),
            game("", "move pick e in edges(h) where ends(e)[0] in free and ends(e)[1] in free -> M(free - {ends(e)[0], ends(e)[1]})"),
        ]);
    }
    for text in &texts {
        alike(&text.each_ref().map(String::as_str));
    }
}

/// Cells of a drawn grid, as its vertices and as pairs of numbers.
#[test]
fn cells_of_a_drawn_grid() {
    let board = "let board = grid \"\"\"\n....\n.#..\n...#\n\"\"\"\n";
    let game = |moves: &str, start: &str| {
        format!("{board}game C(gone: set of vertex of board = {{}}) {{\n  {moves}\n}}\nsolve C{start}\n")
    };
    let texts = [
        game("move pick v in vertices(board) - gone -> C(gone + {v} + neighbours(board, v))", "({})"),
        game("move pick v in board where v not in gone -> C(gone + {v} + neighbours(board, v))", "({})"),
        game(
            "move pick r in 0..2, c in 0..3 where board[(r, c)] == \".\" and (r, c) not in gone -> C(gone + {(r, c)} + neighbours(board, (r, c)))",
            "({})",
        ),
        game(
            "move pick v in board where v not in gone -> C({v} + gone + {(v[0] + x, v[1] + y) for (x, y) in [(0, 1), (1, 0), (0, -1), (-1, 0)] where (v[0] + x, v[1] + y) in vertices(board)})",
            "({})",
        ),
        game(
            "move pick v in board where not (v in gone) -> C(vertices(board) - (vertices(board) - gone - {(v[0], v[1])} - {(v[0] + 1, v[1])} - {(v[0] - 1, v[1]), (v[0], v[1] - 1), (v[0], v[1] + 1)}))",
            "({})",
        ),
    ];
    alike(&texts.each_ref().map(String::as_str));
    // One beside the board is no vertex.
    let beside = game("move pick v in board where v not in gone -> C(gone + {(v[0], v[1] + 1)})", "({})");
    error_in_every_form(&beside, "R04");
    // That it is made and compared is no error.
    let texts = [
        game("move pick v in board where v not in gone and (v[1] == 3 or v[0] > 0) -> C(gone + {v})", "({(0, 2)})"),
        game(
            "move pick v in board where v not in gone and (gone + {(v[0], v[1] + 1)} == gone + {(v[0], 4)} or v[0] > 0) -> C(gone + {v})",
            "({(0, 2)})",
        ),
    ];
    alike(&texts.each_ref().map(String::as_str));
}

/// Slices of which it is known how long they are.
#[test]
fn short_slices() {
    let game =
        |moves: &str| format!("game R(row: list of nat) {{\n  {moves}\n}}\nsolve R([1, 1, 0, 1, 0, 0, 1, 1, 0])\n");
    let step = "move one i in 1..size(row) - 1 where row[i] == 1 and row[i - 1] == 0 -> R(row[i -= 1, i - 1 += 1])";
    let texts = [
        game(&format!("{step}\n  move off i in 0..size(row) - 2 where row[i] == 1 and row[i + 1] == 1 -> R(row[i := 0, i + 1 := 0])\n  move all i in 2..size(row) - 1 where row[i - 2] + row[i - 1] + row[i] == 2 -> R(row[i := 0, i - 1 := 0, i - 2 := 0])")),
        game(&format!("{step}\n  move off i in 0..size(row) - 2 where row[i..i + 1] == [1, 1] -> R(row[i := 0, i + 1 := 0])\n  move all i in 2..size(row) - 1 where sum(row[i - 2..i]) == 2 -> R(row[i := 0, i - 1 := 0, i - 2 := 0])")),
        game(&format!("{step}\n  move off i in 1..size(row) - 1 where min(row[i - 1..i]) == 1 -> R(row[i - 1 := 0, i := 0])\n  move all j in 0..size(row) - 3 where count(x == 1 for x in row[j..j + 2]) == 2 -> R(row[k := 0 for k in j..j + 2])")),
        "game R(row: text) {
  move one i in 1..size(row) - 1 where row[i - 1..i] == \"01\" -> R(row[i := \"0\", i - 1 := \"1\"])
  move off i in 0..size(row) - 2 where row[i..i + 1] == \"11\" -> R(row[..i - 1] + \"00\" + row[i + 2..])
  move all i in 1..size(row) - 2 where row[i - 1..i + 1] in [\"110\", \"101\", \"011\"] -> R(row[k := \"0\" for k in i - 1..i + 1])
}
solve R(\"110100110\")
"
        .to_string(),
    ];
    alike(&texts.each_ref().map(String::as_str));
    for outside in ["row[i..i + 1] == [1, 1]", "sum(row[i - 1..i]) > 0", "size(row[i - 1..i + 1]) == 3"] {
        error_in_every_form(
            &game(&format!("move some i in indices(row) where i + row[i] >= 0 and {outside} -> R(row[i := 0])")),
            "R02",
        );
    }
}

/// Lists that a move makes anew, item by item, whatever stands first in a condition.
#[test]
fn lists_made_anew() {
    let game = |kind: &str, there: &str, item: &str, start: &str| {
        format!(
            "game K(f: {kind}) {{\n  move pick i in indices(f) where f[i] == {there} -> K([{item} for j in indices(f)])\n}}\nsolve K({start})\n"
        )
    };
    let (bools, nats) = ("repeat([true], 9)", "repeat([1], 9)");
    let texts = [
        game("list of bool", "true", "f[j] and abs(j - i) > 1", bools),
        game("list of bool", "true", "abs(j - i) > 1 and f[j]", bools),
        game("list of bool", "true", "not (f[j] implies abs(j - i) <= 1)", bools),
        game("list of bool", "true", "if abs(j - i) <= 1 then false else f[j]", bools),
        game("list of bool", "true", "not (not f[j] or abs(j - i) < 2)", bools),
        game("list of nat", "1", "if f[j] == 1 and abs(j - i) > 1 then 1 else 0", nats),
        game("list of nat", "1", "if f[j] == 0 or abs(j - i) <= 1 then 0 else 1", nats),
        game("list of nat", "5", "if f[j] != 5 or abs(j - i) <= 1 then 2 else 5", "repeat([5], 9)"),
        game("list of int", "-3", "if f[j] == -3 and i - j not in -1..1 then -3 else 4", "repeat([-3], 9)"),
        "game K(f: set of nat) {\n  move pick i in f -> K({j for j in f where abs(j - i) > 1})\n}\nsolve K({0..8})\n"
            .to_string(),
    ];
    alike(&texts.each_ref().map(String::as_str));
    // What stands first is evaluated, whatever follows.
    for item in
        ["if f[j + 1] == 0 and abs(j - i) > 1 then f[j] else 0", "if f[j + 1] == 1 and abs(j - i) > 1 then 1 else 0"]
    {
        error_in_every_form(&game("list of nat", "1", item, "[0, 0, 0, 0, 1]"), "R02");
    }
}

/// Members taken together: pairs, choices, subsets, and what is said of all.
#[test]
fn members_taken_together() {
    let game = |moves: &str| {
        format!(
            "game H(h: list of nat) {{\n  {moves}\n  move last where sum(h) > 0 and max(h) == sum(h) -> H(h[0 := 0])\n}}\nsolve H([3, 4, 2, 3])\n"
        )
    };
    let texts = [
        game("move two i in 0..3, j in i + 1..3 where h[i] > 0 and h[j] > 0 and h[i] != h[j] -> H(h[i -= 1, j -= 1])"),
        game(
            "move two (i, j) in pairs(0..3) where h[i] > 0 and h[j] > 0 and size(set(h[i..i] + h[j..j])) == 2 -> H(h[i -= 1, j -= 1])",
        ),
        game(
            "move two (i, j) in pairs([i for i in indices(h) where h[i] > 0]) where product([h[i] - h[j], 1]) != 0 -> H(h[i -= 1, j -= 1])",
        ),
        game(
            "move two s in subsets({i for i in 0..3 where h[i] > 0}, 2) where size({h[i] for i in s}) > 1 -> H(h[i -= 1 for i in s])",
        ),
        game(
            "move two (i, j) in choose({i for i in 0..3 where h[i] > 0}, 2) where (h[i] - h[j]) ** 2 > 0 -> H(h[k -= 1 for k in [i, j]])",
        ),
        game(
            "move two s in choose([i for i in 0..3 where h[i] > 0], 2) where max((h[i], 0) for i in s) > min((h[i], 1) for i in s) -> H(h[s[0] -= 1, s[1] -= 1])",
        ),
        game(
            "alive = {i for i in 0..3 where h[i] > 0}".replace("alive", "move two alive").as_str().to_owned().as_str(),
        )
        .replace(
            "where h[i] > 0}\n",
            "where h[i] > 0}, i in alive, j in alive where i < j and size({h[i], h[j]}) == 2 -> H(h[i -= 1, j -= 1])\n",
        ),
    ];
    alike(&texts.each_ref().map(String::as_str));
    let game = |moves: &str| {
        format!(
            "game S(s: set of nat) {{\n  {moves}\n  move slide c in s where c > 0 and c - 1 not in s -> S(s - {{c}} + {{c - 1}})\n}}\nsolve S({{0..6}} - {{3}})\n"
        )
    };
    let texts = [
        game("move off a in s, b in s where b == a + 1 -> S(s - {a, b})\n  move jump c in s where any(x > c for x in s) -> S(s - {c})"),
        game("move off (a, b) in pairs(s) where b - a == 1 -> S(s - {b} - {a})\n  move jump c in s where s & {c + 1..6} != {} -> S(s - {c})"),
        game("move off [a, b] in choose(s, 2) where b - a == 1 -> S(s - {a, b})\n  move jump c in s where not (s <= {0..c}) -> S(s - {c})").replace("[a, b] in", "(a, b) in"),
        game("move off t in subsets(s, 2) where max(t) - min(t) == 1 -> S(s - t)\n  move jump c in s where s - {0..c} != {} -> S(s - (if c in s then {c} else {}))"),
    ];
    alike(&texts.each_ref().map(String::as_str));
}

/// A board whose rules tell by a definition what is near, in several wordings of the same condition.
#[test]
fn conditions_that_the_size_of_a_board_decides() {
    let game = |near: &str, inside: &str| {
        format!(
            "misere game B(b: list of text) {{
  def near(r, c) = [(x, y) for (x, y) in [(r, c), (r + 1, c), (r - 1, c), (r, c + 1)] where {inside}]
  move pick r in 0..2, c in 0..3 where b[r][c] == \".\" -> B([join(if {near} then \"#\" else b[x][y] for y in 0..3) for x in 0..2])
}}
solve B([\"....\", \".#..\", \"...#\"])
"
        )
    };
    let member = "(x, y) in near(r, c)";
    let texts = [
        game("(x == r and y - c in 0..1) or (y == c and abs(x - r) == 1)", "true"),
        game(member, "0 <= x < size(b) and 0 <= y < size(b[0])"),
        game(member, "x in 0..size(b) - 1 and y in indices(b[0])"),
        game(member, "x in indices(b) and not (y < 0 or size(b[x]) <= y)"),
        game("any((x, y) == p for p in near(r, c))", "-1 < x < size(b) <= size(b) and 0 <= 0 <= y < 9 and y < 4"),
        game("not ((x, y) not in near(r, c))", "size(b) > x > -1 and size(b[0]) - 1 >= y >= 0"),
    ];
    alike(&texts.each_ref().map(String::as_str));
}

/// What was done last, as a number and as texts of any lengths.
#[test]
fn texts_that_stand_for_a_state() {
    let game = |head: &str, left: &str, right: &str, rest: &str| {
        format!(
            "{rest}game R(a, b, {head}) {{
  move left k in 1..min(a, 3), {left} -> R(a - k, b, now)
  move right k in 1..min(b, 3), {right} -> R(a, b - k, now)
  move both where a > 1 and b > 0 -> R(a - 2, b - 1, last)
}}
"
        )
    };
    let named = |kind: &str, first: &str, left: &str, right: &str| {
        game(
            &format!("last: {kind} = {first}"),
            &format!("now = {left} where last != {left} or k == 2"),
            &format!("now = {right} where last != {right} or k < 3"),
            "",
        )
    };
    let word = "def word(n) = if n == 0 then \"none\" else if n == 1 then \"left\" else \"x\"\n";
    let list = "let words = [\"none\", \"left\", \"right\"]\n";
    let texts = [
        named("nat", "0", "1", "2") + "solve R(17, 16)\n",
        named("text", "\"none\"", "\"left\"", "\"right\"") + "solve R(17, 16)\n",
        named("text", "\"\"", "\"l\"", "\"r\"") + "solve R(17, 16)\n",
        named("text", "\"o\"", "\"x\"", "\"xx\"") + "solve R(17, 16, \"other\")\n",
        "input who: text = \"nobody\"\n".to_string()
            + &named("text", "\"\"", "\"left\"", "\"right\"")
            + "solve R(17, 16, who)\n",
        game(
            "last: text",
            "now = word(1) where last != word(1) or k == 2",
            "now = (if k > 0 then word(2) else word(0)) where not (last == now and k == 3)",
            word,
        ) + "solve R(17, 16, word(0))\n",
        game(
            "last: text",
            "i = 1, now = words[i] where last not in [now] or k == 2",
            "now in [\"left\", \"right\"] where now != \"left\" and not (last == now and k == 3)",
            list,
        ) + "solve R(17, 16, words[0])\n",
        game(
            "last: text",
            "now = words[k - k + 1] where {last} != {words[1]} or k == 2",
            "now = words[min(k + 1, 2)] where size(last) != 5 or k < 3",
            list,
        ) + "solve R(17, 16, words[0])\n",
        // Beside a text that is one, and letters that are read of one that is not.
        game(
            "last: text, row: text = \"ab\"",
            "now = (if row[0] == \"a\" then \"left\" else \"right\") where last != now or k == 2",
            "now = (if row[1] == \"a\" then \"left\" else \"right\") where last[0] != \"r\" or k < 3",
            "",
        )
        .replace(", now)", ", now, row)")
        .replace(", last)", ", last, row)")
            + "solve R(17, 16, \"none\")\n",
    ];
    alike(&texts.each_ref().map(String::as_str));
    // Texts that are put together are kept by their letters.
    let game = named("text", "\"\"", "\"left\"", "\"right\"");
    let starts = ["\"none\"", "\"no\" + \"ne\"", "join([\"n\", \"o\"])", "repeat(\"left \", 30)", "text(17)"];
    let texts = starts.map(|start| format!("{game}solve R(17, 16, {start})\n"));
    alike_in_answers(&texts.each_ref().map(String::as_str));
    let put = "move left k in 1..min(a, 3) where last != \"left\" -> R(a - k, b, \"le\" + \"ft\")";
    let left = "move left k in 1..min(a, 3) where last != \"left\" -> R(a - k, b, \"left\")";
    let game = |left: &str| {
        format!(
            "game R(a, b, last: text = \"\") {{\n  {left}\n  move right k in 1..min(b, 3) where last != \"right\" or k < 3 -> R(a, b - k, \"right\")\n}}\nsolve R(17, 16)\n"
        )
    };
    alike_in_answers(&[&game(put), &game(left)]);
}

/// What is said of a list by a definition that calls itself on what is left of it.
#[test]
fn definitions_that_call_themselves_on_lists() {
    let game = |defs: &str, said: &str, to: &str| {
        format!(
            "{defs}game H(h: list of nat) {{\n  move take i in indices(h), k in 1..min(2, h[i]), n = h[i -= k] where {said} mod 3 != 1 -> H({to})\n}}\nsolve H([5, 6, 4])\n"
        )
    };
    let total = "def total(x: list of nat): nat =";
    let texts = [
        game("", "(n[0] + n[1] + n[2])", "n"),
        game(&format!("{total} if x == [] then 0 else x[0] + total(x[1..])\n"), "total(n)", "n"),
        game(&format!("{total} if size(x) < 2 then sum(x) else last(x) + total(x[..size(x) - 2])\n"), "total(n)", "n"),
        game(&format!("{total} if size(x) == 1 then x[0] else total(x[..0]) + total(x[1..])\n"), "total(n)", "n"),
        game(
            "def go(x: list of nat, i: nat): nat = if i == size(x) then 0 else x[i] + go(x, i + 1)\n",
            "go(n, 0)",
            "n",
        ),
        game(
            "def go(x: list of nat, i: int): nat = if i < 0 then 0 else x[i] + go(x, i - 1)\n",
            "go(n, size(n) - 1)",
            "n",
        ),
        // On as many steps as there are stones: no end is known.
        game(
            "def go(x: list of nat, s: nat): nat = if x[0] == 0 then s + x[1] + x[2] else go(x[0 -= 1], s + 1)\n",
            "go(n, 0)",
            "n",
        ),
        game(
            "def odd(x: list of nat): nat = if x == [] then 0 else x[0] + even(x[1..])\ndef even(x: list of nat): nat = if x == [] then 0 else x[0] + odd(x[1..])\n",
            "odd(n)",
            "n",
        ),
        game(
            "def turn(x: list of nat): list of nat = if x == [] then [] else turn(x[1..]) + [x[0]]\n",
            "sum(n)",
            "turn(n)",
        ),
        game(
            "def put(a: nat, x: list of nat): list of nat = if x == [] then [a] else if a <= x[0] then [a] + x else [x[0]] + put(a, x[1..])\ndef order(x: list of nat): list of nat = if x == [] then [] else put(x[0], order(x[1..]))\n",
            "sum(order(n))",
            "order(n)",
        ),
        game(
            "def total(x: text): nat = if x == \"\" then 0 else int(x[0]) + total(x[1..])\n",
            "total(join(text(a) for a in n))",
            "n",
        ),
    ];
    alike(&texts.each_ref().map(String::as_str));
    let endless = "def f(x: list of nat, k: nat): nat = if x == [] then k else f(x, k + 1)\n";
    error_in_every_form(&game(endless, "f(n, 0)", "n"), "R05");
    let beyond = "def f(x: list of nat): nat = x[0] + f(x[1..])\n";
    error_in_every_form(&game(beyond, "f(n)", "n"), "R02");
}

/// How many different members a list has, and their sum.
#[test]
fn different_members() {
    let game = |said: &str| {
        format!(
            "game H(h: list of nat) {{\n  move take i in indices(h), k in 1..min(2, h[i]), n = h[i -= k] where {said} -> H(n)\n}}\nsolve H([4, 5, 4, 3])\n"
        )
    };
    let few = [
        game("not (n[0] == n[1] == n[2] == n[3])"),
        game("size(set(n)) > 1"),
        game("size(sort(set(n))) >= 2"),
        game("size(list(set(n))) != 1"),
        game("size(tally(n)) > 1"),
        game("size(tally(2 * x for x in n)) > 1"),
        game("size(union([{x} for x in n])) > 1"),
        game("size(union({x, x} for x in n)) > 1"),
        game("size({v for v in 0..5 where v in n}) > 1"),
        game("min(set(n)) < max(sort(set(n)))"),
        game("first(sort(set(n))) != last(sort(set(n)))"),
    ];
    alike(&few.each_ref().map(String::as_str));
    let sums = [
        game("sum(if n[j] in n[..j - 1] then 0 else n[j] for j in indices(n)) mod 3 != 0"),
        game("sum(set(n)) mod 3 != 0"),
        game("sum(list(set(n))) mod 3 != 0"),
        game("sum(sort(set(n))) mod 3 != 0"),
        game("sum(x for x in set(n)) mod 3 != 0"),
        game("sum(union([{x} for x in n])) mod 3 != 0"),
        game("sum(x for (x, _) in tally(n)) mod 3 != 0"),
    ];
    alike(&sums.each_ref().map(String::as_str));
}

/// Tokens in order on a small board: sorted by the rules, or wherever they stand.
#[test]
fn tuples_in_order() {
    let game = |kind: &str, to: &str, start: &str| {
        format!(
            "game T(p: {kind}) {{
  move go i in indices(p), (x, y) in [(0, 1), (1, 0), (1, 1)], (r, c) = p[i] where r + x <= 2 and c + y <= 3 and (r + x, c + y) not in p -> T({to})
}}
solve T({start})
"
        )
    };
    let start = "[(0, 0), (0, 1), (1, 1)]";
    let texts = [
        game("list of (nat, nat)", "p[i := (r + x, c + y)]", start),
        game("list of (nat, nat)", "sort(p[i := (r + x, c + y)])", start),
        game("list of (int, int)", "sort(p[i := (r + x, c + y)])", start),
        game("list of (nat, nat)", "reverse(sort([(r + x, c + y)] + [p[j] for j in indices(p) where j != i]))", start),
        game("list of (nat, nat)", "sort([(x + r, y + c)] + p[..i - 1] + p[i + 1..])", start),
    ];
    alike(&texts.each_ref().map(String::as_str));
    let others = game("list of (nat, nat)", "sort([q for q in p where q != (r, c)] + [(r + x, c + y)])", start);
    let different = game("list of (nat, nat)", "sort(set(p[i := (r + x, c + y)]))", start);
    alike_in_answers(&[&texts[0], &others, &different]);
    // Pairs that come and go, equal ones among them.
    let game = |to: &str| {
        format!(
            "game T(p: list of (nat, nat)) {{
  move less i in indices(p), k in 1..2 where p[i][1] >= k -> T({to})
}}
solve T([(2, 3), (1, 2), (1, 1), (0, 2)])
"
        )
    };
    let less = "(p[i][0], p[i][1] - k)";
    let texts = [
        game(&format!("[q for q in p[i := {less}] where q[1] > 0]")),
        game(&format!("sort([q for q in p[i := {less}] where q[1] > 0])")),
        game(&format!("sort(q for q in [{less}] + p[..i - 1] + p[i + 1..] where q[1] > 0)")),
        game(&format!("reverse(sort([q for q in p[i := {less}] where not (q[1] == 0)]))")),
    ];
    alike_in_answers(&texts.each_ref().map(String::as_str));
}

/// A def that calls itself with a known text twice as long each time is not unfolded until that ends.
#[test]
fn texts_that_double_in_calls() {
    let game = |def: &str, call: &str| {
        format!(
            "def f({def} if n <= 0 then 0 else {call}\ngame G(t) {{ move down k in 1..3 where k <= t and f(t, START) == 0 -> G(t - k) }}\nsolve G(6)\n"
        )
    };
    alike_in_answers(&[
        &game("n: int): int =", "f(n - 1)").replace(", START", ""),
        &game("n: int, p: text, q: text): int =", "f(n - 1, p + p, q)").replace("START", "\"a\", \"\""),
        &game("n: int, p: list of int, q: text): int =", "f(n - 1, repeat(p, 2), q + \"b\")")
            .replace("START", "[1, 2], \"\""),
    ]);
}

/// Neighbours in a small constant graph, whose vertices are the places of a list.
#[test]
fn edges_between_places_of_a_list() {
    let game = |lets: &str, near: &str| {
        format!(
            "let links = graph(4, [(0, 1), (1, 2), (2, 3), (0, 2)])
{lets}game H(h: list of nat) {{
  move take i in indices(h), k in 1..min(2, h[i]), n = h[i -= k] where {near} -> H(n)
}}
solve H([4, 5, 4, 3])
"
        )
    };
    let texts = [
        game("", "abs(n[0] - n[1]) < 4 and abs(n[1] - n[2]) < 4 and abs(n[2] - n[3]) < 4 and abs(n[0] - n[2]) < 4"),
        game("", "all(abs(n[a] - n[b]) < 4 for (a, b) in edges(links))"),
        game("", "all(abs(n[ends(e)[0]] - n[ends(e)[1]]) < 4 for e in edges(links))"),
        game("", "not any(abs(n[a] - n[b]) > 3 for e in edges(links), (a, b) = e)"),
        game("let es = edges(links)\n", "count(abs(n[a] - n[b]) < 4 for (a, b) in es) == size(es)"),
        game("let es = [(a, b) for (a, b) in edges(links)]\n", "max(abs(n[a] - n[b]) for (a, b) in es) < 4"),
        game("", "all(abs(n[a] - n[b]) < 4 for a in vertices(links), b in neighbours(links, a))"),
    ];
    alike(&texts.each_ref().map(String::as_str));
}

pub(crate) fn error_in_every_form(text: &str, code: &str) {
    let program = program(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    for form in FORMS {
        let codes: Vec<_> =
            answers(&program, form).into_iter().map(|answer| answer.map_err(|(code, _)| code).err()).collect();
        assert_eq!(codes, [Some(code.to_string())], "{form:?}\n{text}");
    }
}

#[test]
fn order_of_vertices() {
    let game = |graph: &str, at: &str| {
        format!(
            "let g = {graph}
game G(at: vertex of g, least: vertex of g, n) {{
  move up v in neighbours(g, at) where n > 0 and least <= v -> G(v, if at < v then at else least, n - 1)
}}
solve G({at}, {at}, 3)
"
        )
    };
    let numbers = outcome(&game("path(3)", "1"));
    assert_eq!(outcome(&game("graph { b-c, a-b }", "\"b\"")), numbers);
    assert_eq!(outcome(&game("grid([\"#...\"])", "(0, 2)")), numbers);
    assert_eq!(outcome(&game("graph { 7-9, 5-7 }", "7")), numbers);
}
