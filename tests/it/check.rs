//! What game files mean, and what they may not mean.

use grundy::model::builtin::Builtin;
use grundy::model::kind::Type;
use grundy::model::{PlaceParams, Program, Question, Target, Term, TermKind, TheoremSays};
use grundy::source::diagnostic::Diagnostic;
use grundy::source::text::{SourceId, Sources};
use grundy::syntax::parse_file;
use grundy::typing::{Loader, check};
use proptest::prelude::*;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Finds `use`d files among these texts, then among the examples.
struct Shelf(Vec<(&'static str, String)>);

impl Loader for Shelf {
    fn load(&mut self, name: &str, from: SourceId, sources: &mut Sources) -> Option<Result<SourceId, Diagnostic>> {
        let own = sources.get(from).name.clone();
        let title = format!("library:{name}");
        if own == title {
            return None;
        }
        let text = match self.0.iter().find(|(n, _)| *n == name) {
            Some((_, text)) => text.clone(),
            None => std::fs::read_to_string(folder("games").join(format!("{name}.game"))).ok()?,
        };
        Some(Ok(sources.add(title, text)))
    }
}

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/examples").join(name)
}

fn checked_with(text: &str, shelf: &[(&'static str, &str)]) -> (Sources, Result<Program, Vec<Diagnostic>>) {
    let mut sources = Sources::default();
    let id = sources.add("t.game", text);
    let result = parse_file(&sources, id).and_then(|file| {
        let mut shelf = Shelf(shelf.iter().map(|(n, t)| (*n, (*t).to_owned())).collect());
        check(&file, id, &mut sources, &mut shelf)
    });
    (sources, result)
}

fn examples() -> Vec<(String, String)> {
    let mut all = Vec::new();
    for name in ["games", "public"] {
        for entry in std::fs::read_dir(folder(name)).expect("the examples are there") {
            let path = entry.expect("a file").path();
            let text = std::fs::read_to_string(&path).expect("a text");
            all.push((path.display().to_string(), text));
        }
    }
    all.sort();
    all
}

/// `E01 2:7 message | hint`, one line for each error.
fn errors(text: &str) -> String {
    errors_with(text, &[])
}

fn errors_with(text: &str, shelf: &[(&'static str, &str)]) -> String {
    let (sources, result) = checked_with(text, shelf);
    let Err(found) = result else { return "no error".into() };
    let line = |d: &Diagnostic| {
        let place = d.span.map_or("-".into(), |span| {
            let before = &sources.get(span.source).text[..span.start as usize];
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
            let file = if span.source.0 == 0 { String::new() } else { format!("{}:", sources.get(span.source).name) };
            format!("{file}{line}:{column} `{}`", sources.slice(span).lines().next().unwrap_or_default())
        });
        let hint = d.hint.as_ref().map_or(String::new(), |h| format!(" | {h}"));
        format!("{} {place}: {}{hint}", d.code, d.message)
    };
    found.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_example_means_something() {
    let all = examples();
    assert_eq!(all.len(), 66);
    let mut bad = String::new();
    for (name, text) in all {
        let found = errors(&text);
        if found != "no error" {
            let _ = writeln!(bad, "{name}:\n{found}");
        }
    }
    assert!(bad.is_empty(), "{bad}");
}

/// A file for each error, with what is told about it.
fn table() -> Vec<(&'static str, &'static str)> {
    vec![
        (
            "E01 value",
            "let a = 3\nlet b = aa + 1\ninput heaps: list of nat\nsolve Nim(size(heasp))\ngame Nim(n) { move take k in 1..m -> Nim(n - k) }",
        ),
        ("E01 function", "let a = siez([1])\ndef twice(x) = 2 * x\nlet b = twise(3)"),
        ("E01 game", "game Nim(n) { move take k in 1..n -> Nmi(n - k) }"),
        ("E01 type", "input a: natt = 3"),
        ("E01 move of a theorem", "game Nim(n) { move take k in 1..n -> Nim(n - k) theorem winning tkae for k = n }"),
        ("E02 twice", "let a = 1\nlet a = 2\ninput a: nat\ngame G(n, n) { }\ndef f(x, x) = x"),
        (
            "E02 hides a local",
            "game G(n) { move t n in 1..3 -> G(n) }\nclaim \"c\" for k in 1..3: all(k > 0 for k in 1..2)",
        ),
        ("E03 condition", "game G(n) { end when n\n legal when n + 1\n move t where size([n]) -> G(n) }"),
        ("E03 branches", "let a = if true then 1 else \"x\""),
        (
            "E03 operators",
            "let a = 1 + \"x\"\nlet b = [1] - [1]\nlet c = {1} - 1\nlet d = true * 2\nlet e = -\"x\"\nlet f = 1 in 2\nlet g = \"a\" in {1}\nlet h = 1 == \"x\"\nlet i = true < false",
        ),
        (
            "E03 fields",
            "game G(xs: list of nat, g: graph) { }\nsolve G({1}, 3)\nsolve G(\"x\", graph { a-b })\nsolve G(bag([1]), digraph { a -> b })",
        ),
        (
            "E03 literals",
            "let a = [1, \"x\"]\nlet b = {graph { a-b }}\nlet c = (1, 2)[2]\nlet d = {1, 2}[0]\nlet (e, f) = (1, 2, 3)\nlet (g, h) = 3",
        ),
        (
            "E03 updates",
            "let a = {1}[0 := 1]\nlet b = \"abc\"[0 += \"x\"]\nlet c = [1, 2][0 -= \"x\"]\nlet d = [true][0 += 1]",
        ),
        (
            "E03 builtins",
            "let a = size(3)\nlet b = neighbours(3, 4)\nlet c = sum([true])\nlet d = first({1})\nlet e = max(1, \"x\")\nlet f = max(3)\nlet g = count([1])\nlet h = sort(3)",
        ),
        (
            "E03 positions",
            "game Nim(n) { move take k in 1..n -> Nim(n - k) }\nlet a = Nim(1) == Nim(2)\nlet b = {Nim(1)}\nlet c = Nim(1) * 2\nlet d = Nim(1) - Nim(1)\nsolve [Nim(1)]\nsolve 3\ntable Nim(n) for n in 0..3\ngame G(p = Nim(1)) { }",
        ),
        ("E03 nat", "table n for n in nat\nclaim \"c\" for n in nat, m in pairs(nat): n == n"),
        (
            "E03 kinds",
            "input a: list\ninput b: vertex\ninput c: list of nat from 2\ninput d: set of vertex of e\nlet e = 3\ninput f = []",
        ),
        ("E03 drawings", "let a = graph { a -> b }\nlet b = graph \"\"\"x\"\"\"\nlet c = grid \"\"\"\n..\n.\n\"\"\""),
        ("E03 same", "game G(n) { same as H(n) when n > 3 }\ngame H(n) { same as H(n - 1) + H(1) when n > 3 }"),
        ("E04", "let xs = [1]\nlet a = xs(0)\nlet b = size\nlet c = (xs)(1)\ndef f(x) = x\nlet d = f + 1"),
        (
            "E05 games",
            "game G[a](n, m = 3) { }\nsolve G[1](1, 2, 3)\nsolve G[1]()\nsolve G[1](1, k = 3)\nsolve G[1](1, n = 3)\nsolve G[1](m = 3, 1)\nsolve G[1, 2](1)\ngame H(n) { }\nsolve H[1](2)\nsolve H",
        ),
        (
            "E05 functions",
            "def f(x, y = 1) = x + y\nlet a = f()\nlet b = f(1, 2, 3)\nlet c = f(1, z = 2)\nlet d = size()\nlet e = divisors(1, 2)\nlet g = min()\nlet h = graph(1)\nlet i = digits(10, bsae = 2)",
        ),
        (
            "E05 theorem",
            "game G(n) { move t i in 1..n, j in 1..i -> G(n - j)\n theorem winning t for i = 1\n theorem winning t for i = 1, j = 1, k = 2 }",
        ),
        (
            "E06",
            "game G[a](n) { move t where n > 0 -> G(n - 1) }\nsolve G(3)\ngame H(n) { move t where n > 0 -> G(n - 1) }",
        ),
        ("E07", "let N = 3"),
        ("E08", "let a = [x for x in 1..3 where x = 2]"),
        ("E09", "game G(n) { move k in 1..n -> G(n - k) }"),
        (
            "E10",
            "input n: nat\nlet m = n + 1\ngame G(k) { move t i in 1..m -> G(k - i) }\ndef f(x) = x + n\nclaim \"c\" for k in 1..n: k > 0\nlet ok = f(1)\ninput p: nat = n",
        ),
        (
            "E11",
            "game G(n) { move t where n > 0 -> G(n - 1) }\nmisere game M(n) { move t where n > 0 -> G(n - 1) }\ngame N(n) { move t -> misere G(n) }\nsolve G(1) + M(1)",
        ),
        (
            "E12",
            "game G(n) { move t where grundy(H(n)) == 0 -> G(n - 1) }\ngame H(n) { move t -> G(n) }\ngame S(n) { end when wins(S(n - 1)) move t -> S(n) }",
        ),
        ("E13", "def f(n) = if n == 0 then 0 else f(n - 1)\nlet a = f(3)"),
        ("E14", "let a = 1 < 2 > 1"),
        (
            "E15",
            "let a = [1, 2][1 / 2]\nlet b = (1 / 2) mod 3\nlet c = 1..sqrt(5)\ngame G(n) { move t where n > 1 -> G(n / 2) }",
        ),
        (
            "E16",
            "let a = b\nlet b = a + 1\ngame G(n) { let x = y let y = x + n move t -> G(x) }\ndef f(n) = n + c\nlet c = f(1)",
        ),
        ("E17", "use \"nowhere\"\nlet a = 1"),
        ("E18", Box::leak(format!("let a = {}1{}", "(".repeat(300), ")".repeat(300)).into_boxed_str())),
        ("E19", "game G(n) { move t i in 1..j, j in 1..n -> G(n - i) }\nlet a = [x for x in 1..y, y = 3]"),
        (
            "E20",
            "misere game G(n) { move t where n > 0 -> G(n - 1) theorem grundy = n }\ntable grundy(G(n)) for n in 0..3\nexpect G(3): grundy 0",
        ),
        ("E20 points", "game D(n) { move t where n > 0 -> D(n - 1) gain 1 }\ntable grundy(D(n)) for n in 0..3"),
        ("E21", "game G(n) { move t where n > 0 -> G(n - 1) theorem score = n }\ntable score(G(n)) for n in 0..3"),
        (
            "E22",
            "game G(n) { move t where n > 0 -> selective(G(n - 1), G(1)) }\nsolve selective(G(1), G(2)) + G(3)\nsolve 2 * selective(G(1), G(2))\nsolve selective(conjunctive(G(1), G(2)), G(3))",
        ),
        ("E23", "let s = {1}\nlet a = [x for x in 1..5 - s]"),
        (
            "no cascades",
            "let a = unknown\nlet b = a + 1\nlet c = f(b)\ndef f(x) = x + a\ngame G(n: nope) { move t k in 1..n -> G(n - k) }\nsolve G(b)",
        ),
        ("ever new types", "def f(x): nat = f([x])\nlet a = f(1)\ndef g(x) = g([x])\nlet b = g(1)"),
        ("unused def", "def f(x) = x + missing\ndef g(x: nat): text = x"),
    ]
}

#[test]
fn each_error_names_its_code_its_place_and_the_way_out() {
    let mut all = String::new();
    for (title, text) in table() {
        let _ = writeln!(all, "## {title}\n{}", errors(text));
    }
    insta::assert_snapshot!(all);
}

const LEFT: &str = "let one = 1\ninput n: nat = 3\nlet m = n + 1\ndef f(x) = x + one\ngame G(n) { move t where n > 0 -> G(n - 1) }\nsolve G(m)";

#[test]
fn a_used_file_brings_what_reads_no_input() {
    let shelf = [("left", LEFT), ("right", "let one = 2\ndef f(x) = 2 * x")];
    assert_eq!(errors_with("use \"left\"\nlet a = f(one)\nsolve G(a)", &shelf), "no error");
    insta::assert_snapshot!(errors_with("use \"left\"\nlet a = m\nlet b = n", &shelf), @r"
    E01 2:9 `m`: `m` of `left` reads an input | `use` brings only what reads no input; name the value again in this file
    E01 3:9 `n`: there is no value `n`
    ");
    // Two files may say the same name as long as nobody reads it; one's own name wins.
    assert_eq!(errors_with("use \"left\"\nuse \"right\"\nsolve G(1)", &shelf), "no error");
    assert_eq!(errors_with("use \"left\"\nuse \"right\"\ndef f(x) = x\nlet a = f(1)", &shelf), "no error");
    insta::assert_snapshot!(errors_with("use \"left\"\nuse \"right\"\nlet a = f(one)", &shelf), @r"
    E17 3:9 `f`: both `left` and `right` have a `f` | use only one of them, or give this file its own `f`
    E17 3:11 `one`: both `left` and `right` have a `one` | use only one of them, or give this file its own `one`
    ");
    // An error of a used file stands in that file.
    insta::assert_snapshot!(errors_with("use \"bad\"\nlet a = 1", &[("bad", "game G(n) { move t -> G(x) }")]), @"E01 library:bad:1:25 `x`: there is no value `x`");
}

fn program(text: &str) -> Program {
    let (_, result) = checked_with(text, &[]);
    result.expect("a file without errors")
}

fn solved(program: &Program) -> &Term {
    match &program.questions[..] {
        [Question::Solve { body, .. }] => &body.term,
        other => panic!("one solve, not {other:?}"),
    }
}

#[test]
fn inside_its_own_game_a_name_keeps_the_rule_parameters() {
    let program = program("game Bash[max](n) { move take k in 1..min(n, max) -> Bash(n - k) }\nsolve Bash[4](17)");
    let Target::Go { position, .. } = &program.games[0].moves[0].target else { panic!("a position") };
    assert!(matches!(&position.kind, TermKind::Place(p) if matches!(p.params, PlaceParams::Own)));
    assert!(
        matches!(&solved(&program).kind, TermKind::Place(p) if matches!(&p.params, PlaceParams::Given(g) if g.len() == 1))
    );
    assert_eq!(program.games[0].successors, [grundy::model::GameId(0)]);
}

#[test]
fn only_names_bound_by_in_tell_moves_apart() {
    let program =
        program("game G(xs: list of (nat, nat)) { move t i in indices(xs), (a, _b) in xs, c = a, _ in 1..2 -> G(xs) }");
    let game = &program.games[0];
    let names: Vec<&str> = game.moves[0].binders.iter().map(|&s| &*game.frame.slots[s].name).collect();
    assert_eq!(names, ["i", "a"]);
}

#[test]
fn a_theorem_about_winning_moves_follows_the_order_of_the_move() {
    let program = program(
        "game G(n) { move t i in 1..n, j in 1..i -> G(n - j)\n theorem winning t for j = 1, i in 1..k with k = n div 2 }",
    );
    let game = &program.games[0];
    let TheoremSays::Moves { slots, .. } = &game.theorems[0].says else { panic!("winning moves") };
    let names: Vec<&str> = slots.iter().map(|&s| &*game.frame.slots[s].name).collect();
    assert_eq!(names, ["i", "j"]);
}

#[test]
fn a_def_is_checked_once_for_each_combination_of_types() {
    let program = program(
        "def twice(x) = x + x\nlet a = twice(1)\nlet b = twice(2)\nlet c = twice(\"x\")\ndef f(n: nat): nat = if n == 0 then 0 else f(n - 1)",
    );
    let types: Vec<_> = program.defs.iter().map(|d| (&*d.name, d.ty.clone(), d.recursive)).collect();
    assert_eq!(types, [("twice", Type::Int, false), ("twice", Type::Text, false), ("f", Type::Int, true)]);
    assert!(program.defs.iter().all(|d| d.body.is_some()));
}

#[test]
fn a_def_inside_a_game_begins_with_the_slots_of_the_game() {
    let program = program(
        "game G[a](n) { let x = f(n) let (y, z) = (max(k for k in 0..a), 2) def f(k) = k + y + z\n move t where f(x) > 0 -> G(n - 1) }",
    );
    let (game, def) = (&program.games[0], &program.defs[0]);
    assert_eq!(def.owner, Some(grundy::model::GameId(0)));
    let names = |frame: &grundy::model::Frame| -> Vec<String> {
        frame.slots[..def.prefix].iter().map(|s| s.name.clone()).collect()
    };
    assert_eq!(names(&def.frame), names(&game.frame));
    assert_eq!(def.frame.slots[def.prefix].name, "k");
    assert!(def.frame.slots[..def.prefix].iter().filter(|s| s.lazy.is_some()).count() == 4);
}

#[test]
fn a_def_that_calls_itself_may_do_so_in_its_with() {
    let def = "def all(x): list of nat = if x == 0 then [0] else rest + [p + x for p in rest] with rest = all(x - 1)";
    for text in [
        format!("{def}\nclaim \"sums\" : all(2) == [0, 1, 2, 3]"),
        format!("game G(n) {{ let first = all(n)\n{def}\nmove t where first != [] -> G(n - 1) }}"),
    ] {
        assert_eq!(errors(&text), "no error");
    }
    // The lets of a game are seen by its defs: this one is a circle.
    let circle = "game G(n) { let first = f(n)\ndef f(x): nat = first + x\nmove t where first > 0 -> G(n - 1) }";
    assert!(errors(circle).contains("E16"));
}

#[test]
fn a_sum_over_nothing_is_a_position_where_one_is_asked() {
    let zero = program("game G(n) { }\nsolve sum([])");
    assert!(
        matches!(&solved(&zero).kind, TermKind::Adapt(of) if matches!(of.kind, TermKind::Builtin(Builtin::Sum, _)))
    );
    assert_eq!(solved(&zero).ty, Type::Position);
    assert_eq!(errors("let a = sum([]) + 1"), "no error");
}

#[test]
fn collections_are_adapted_where_they_enter() {
    let program =
        program("game G(s: set of nat, b: bag of list of nat, g: graph) { }\nsolve G(1..3, [[1], [2]], grid(2, 2))");
    let TermKind::Place(place) = &solved(&program).kind else { panic!("a position") };
    assert!(place.fields.iter().all(|f| matches!(f.as_ref().map(|t| &t.kind), Some(TermKind::Adapt(_)))));
}

#[test]
fn the_letters_are_those_of_the_texts_and_one_more() {
    let program = program("let t = \"X.\"\nlet g = grid \"\"\"\n#a\n\"\"\"");
    assert_eq!(program.letters, ['#', '.', 'X', 'a', 'b']);
}

#[test]
fn a_table_reads_a_name_outside_that_its_binder_hides() {
    assert_eq!(errors("let n = 3\ntable n for n in 0..n"), "no error");
    assert!(errors("let n = 3\nclaim \"c\" for n in 0..n: n == n").starts_with("E19"));
}

#[test]
fn lets_of_a_game_see_those_that_their_defs_read() {
    let mut text = "game G(n) {\n  let a0 = n\n  def d(x) = a0 + a2999 + x\n".to_string();
    for i in 1..3000 {
        writeln!(text, "  let a{i} = a{} + 1", i - 1).expect("memory");
    }
    text += "  let b = d(1)\n  move to k in 1..min(n, b) -> G(n - k)\n}\nsolve G(3)\n";
    program(&text);
}

#[test]
fn long_chains_of_definitions_are_followed() {
    let mut text = String::from("def f0(x) = x\n");
    for i in 1..1000 {
        let _ = writeln!(text, "def f{i}(x) = f{}(x) + 1", i - 1);
    }
    assert_eq!(errors(&(text.clone() + "let a = f999(1)")), "no error");
    for i in 1000..5000 {
        let _ = writeln!(text, "def f{i}(x) = f{}(x) + 1", i - 1);
    }
    assert!(errors(&(text + "let a = f4999(1)")).contains("E18"));
}

/// Cuts a text into words and signs.
fn tokens(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for c in text.chars() {
        match all.last_mut() {
            Some(last) if c.is_alphanumeric() && last.chars().all(char::is_alphanumeric) => last.push(c),
            _ => all.push(c.into()),
        }
    }
    all
}

proptest! {
    #![proptest_config(crate::seeds::cases(400))]

    #[test]
    fn a_damaged_file_is_an_answer_not_a_panic(
        which in 0..66_usize,
        changes in prop::collection::vec((0..3_u8, any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..4),
    ) {
        let all = examples();
        let mut words = tokens(&all[which].1);
        for (kind, at, from) in changes {
            if words.is_empty() {
                break;
            }
            let (at, from) = (at.index(words.len()), from.index(words.len()));
            match kind {
                0 => { words.remove(at); }
                1 => { let word = words[from].clone(); words.insert(at, word); }
                _ => words[at] = words[from].clone(),
            }
        }
        let _ = errors(&words.concat());
    }
}
