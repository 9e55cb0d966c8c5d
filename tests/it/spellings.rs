//! Games written in several ways: the same answers in every form of the engine, and native code for all.

use crate::naive::engine::{FORMS, answers, planned, program, said};
use grundy::engines as solve;
use grundy::input::data::NoFiles;
use grundy::value::limits::Limits;
use grundy::vm::context::Context;
use std::sync::Arc;

/// Outcome, Grundy value, and how many moves win and draw, which must be those of all forms and all spellings.
fn alike(spellings: &[&str]) {
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
        let mut ctx = Context::new(program.clone(), Arc::new(NoFiles), Limits::default(), solve::ask);
        ctx.options.trial = 0;
        ctx.give(Vec::new());
        let (engine, taken) = planned(&mut ctx, "native code");
        assert!(taken.is_ok(), "{engine} {taken:?}\n{text}");
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
