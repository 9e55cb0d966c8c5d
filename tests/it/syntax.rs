//! Files that read, files that do not, and what is said then.

use grundy::source::diagnostic::render;
use grundy::source::text::Sources;
use grundy::syntax::tree::{Expr, ExprKind};
use grundy::syntax::{decode, parse_file, parse_position, parse_query};
use std::path::PathBuf;

fn examples(folder: &str) -> Vec<(String, String)> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/examples").join(folder);
    let mut files: Vec<_> = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let name = |path: &PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
    files.iter().map(|path| (name(path), std::fs::read_to_string(path).unwrap())).collect()
}

/// The rendered errors of a file, or nothing if it has none.
fn errors(name: &str, text: &str) -> String {
    let mut sources = Sources::default();
    let id = sources.add(name, text);
    parse_file(&sources, id).err().map_or(String::new(), |errors| render(&errors, &sources, false))
}

fn position(text: &str) -> Result<Expr, String> {
    let mut sources = Sources::default();
    let id = sources.add("<position>", text);
    parse_position(&sources, id).map_err(|errors| render(&errors, &sources, false))
}

#[test]
fn every_example_parses() {
    for (name, text) in examples("games").into_iter().chain(examples("public")) {
        assert_eq!(errors(&name, &text), "");
    }
}

#[test]
fn every_slip_is_explained() {
    for (name, text) in examples("refused") {
        let told = errors(&format!("{name}.game"), &text);
        assert_ne!(told, "", "{name} was read");
        insta::assert_snapshot!(name, told);
    }
}

#[test]
fn further_slips_are_explained() {
    let texts = [
        "let x = ",
        "let x == 3",
        "let = 3",
        "solve",
        "Nim(3)",
        "move take k in 1..n -> G(n - k)",
        "x = 3",
        "input n nat = 3",
        "input n: = 3",
        "game G(n) { take k in 1..n -> G(n - k) }",
        "game G(n) { move take k in 1..n where -> G(n - k) }",
        "game G(n) { move take k in 1..n -> }",
        "game G(n) { move take k in 1..n => G(n - k) }",
        "game G(n) { move take k from 1..n -> G(n - k) }",
        "game G(n) { move take k in 1..n: G(n - k) }",
        "game G(n) { move -> G(n) }",
        "game G(n) { theorem wins = n > 0 }",
        "game G(n) { theorem grundy iff n }",
        "game G(n) { theorem value = n }",
        "game G(n) { end n == 0: lost }",
        "game G(n) { claim \"a\": true }",
        "game (n) { }",
        "let x = if a > 1 then 2",
        "let x = if a > 1: 2 else 3",
        "let x = 1 + if a then 2 else 3",
        "let x = a && b",
        "let x = a || b",
        "let x = !a",
        "let x = a % b",
        "let x = a ^ b",
        "let x = 2n",
        "let x = 2 n",
        "let x = a < b > c",
        "let x = a != b != c",
        "let x = a iff b iff c",
        "let x = 1..2..3",
        "let x = [1, 2",
        "let x = (1, 2]",
        "let x = 1)",
        "let x = \"abc",
        "let x = \"\"\"abc",
        "let x = graph { a b }",
        "table grundy(Nim(n))",
        "claim grundy(Nim(3)) == 3",
        "claim \"t\" for n in 0..9 loses(Nim(n))",
        "expect Nim(3) first",
        "expect Nim(3): 3",
        "solve Nim(3) for n in 1..3",
        "def f n = 3",
        "def F(n) = 3",
        "def f(N) = 3",
        "use nim",
        "let x = sum(n for N in xs)",
        "let x = sum(n for n xs)",
        "let x = max(n for n in xs, y)",
        "let x = [n in xs for n]",
        "let x = xs[i = 3]",
        "let x = 'a'",
        "let x = 3;",
        "let x = a ≤ b",
        "let x = again G(3)",
        "let move = 3",
        "let x = n + for",
        "let x = 3 // 2",
        "garbage",
        "§",
        "game A(n) {\n  move t -> A((n)\n}\nlet y = 1 2\ngame B(n) { move u k in 1..n -> B(n - k) }\nlet z = [1\n",
        "game A(n) {\n  move t -> A(n)\n\ngame B(n) { }\nsolve C(1 2)\n",
        "game G(n) { move take k in 1..n, let m = k -> G(n - m) }",
        "game G(n) {\n  move take k in 1..n\n  let m = 3\n}\n",
    ];
    let told: Vec<String> = texts.iter().map(|text| errors("f.game", text)).collect();
    for (text, told) in texts.iter().zip(&told) {
        assert_ne!(told, "", "{text} was read");
    }
    insta::assert_snapshot!("further", told.join("\n"));
}

#[test]
fn queries_and_positions_fill_their_text() {
    let mut sources = Sources::default();
    let good = sources.add("<table>", "grundy(Nim(n)) for n in 0..9 where n > 1");
    let (_, clauses) = parse_query(&sources, good).unwrap();
    assert_eq!(clauses.len(), 2);
    let bad = sources.add("<table>", "grundy(Nim(n))");
    assert!(parse_query(&sources, bad).is_err());
    let told = ["", "Nim(3) Nim(4)", "solve Nim(3)", "let", "Nim(3"].map(|text| position(text).unwrap_err());
    insta::assert_snapshot!("positions", told.join("\n"));
}

/// The tree written with all brackets.
fn brackets(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Int(n) => n.to_string(),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Neg(under) => format!("(-{})", brackets(under)),
        ExprKind::Not(under) => format!("(not {})", brackets(under)),
        ExprKind::Misere(under) => format!("(misere {})", brackets(under)),
        ExprKind::Binary { op, left, right } => {
            format!("({} {} {})", brackets(left), op.sign(), brackets(right))
        }
        ExprKind::Compare { first, rest } => {
            let rest: Vec<String> = rest.iter().map(|(op, right)| format!(" {op:?} {}", brackets(right))).collect();
            format!("({}{})", brackets(first), rest.concat())
        }
        ExprKind::Place { game, .. } => game.text.clone(),
        other => format!("{other:?}"),
    }
}

#[test]
fn precedence() {
    for (text, wanted) in [
        ("-2 ** 2", "(-(2 ** 2))"),
        ("2 ** -1 ** 3", "(2 ** (-(1 ** 3)))"),
        ("2 ** 3 ** 4", "(2 ** (3 ** 4))"),
        ("-a * b", "((-a) * b)"),
        ("--a", "(-(-a))"),
        ("a - b - c", "((a - b) - c)"),
        ("a - b + c * d mod e", "((a - b) + ((c * d) mod e))"),
        ("0..n - 1", "(0 .. (n - 1))"),
        ("a xor b & c + d", "(a xor (b & (c + d)))"),
        ("a..b xor c", "(a .. (b xor c))"),
        ("a implies b implies c", "(a implies (b implies c))"),
        ("a iff b implies c or d and not e", "(a iff (b implies (c or (d and (not e)))))"),
        ("not a == b", "(not (a Eq b))"),
        ("not not a", "(not (not a))"),
        ("a not in b and c < d <= e", "((a NotIn b) and (c Lt d Le e))"),
        ("a == b == c", "(a Eq b Eq c)"),
        ("a < b == c", "(a Lt b Eq c)"),
        ("misere A + B", "(misere (A + B))"),
        ("misere A == B", "((misere A) Eq B)"),
        ("(a + b) * c", "((a + b) * c)"),
    ] {
        assert_eq!(brackets(&position(text).unwrap()), wanted, "{text}");
    }
}

#[test]
fn spans_reach_from_bracket_to_bracket() {
    let expr = position("(a + b) * c").unwrap();
    assert_eq!((expr.span.start, expr.span.end), (0, 11));
}

#[test]
fn texts_are_read() {
    let text = |source: &str| match position(source).unwrap().kind {
        ExprKind::Text(text) => text,
        other => panic!("{other:?}"),
    };
    assert_eq!(text(r#""a\n\t\"\\\x""#), "a\n\t\"\\x");
    assert_eq!(text("\"\"\"\n  ab\n\n   c d \n\"\"\""), "ab\nc d");
}

#[test]
fn bytes_that_are_no_text_are_placed() {
    let error = decode(b"let x = 1\nlet \xc3\xa9 \xff".to_vec(), "f.game").unwrap_err();
    assert_eq!(error.code, "S02");
    assert_eq!(error.message, "`f.game` is not valid UTF-8: line 2, column 7 is the byte 0xff");
    assert_eq!(decode(b"\xef\xbb\xbflet".to_vec(), "f").unwrap(), "let");
}

/// The code of the only error of a position.
fn code(text: &str) -> &'static str {
    let mut sources = Sources::default();
    let id = sources.add("<position>", text);
    match parse_position(&sources, id) {
        Ok(_) => "",
        Err(errors) => errors[0].code.as_str(),
    }
}

#[test]
fn reserved_words_are_no_names() {
    // As docs/language.md and the grammar list them.
    let reserved = "use input let def game solve table claim expect move theorem for in where with if then else and or not xor \
                    iff implies mod div true false misere";
    for word in reserved.split_ascii_whitespace() {
        // Told in several ways: some of them begin the next statement.
        assert!(errors("f", &format!("let {word} = 1\n")).starts_with("error["), "{word}");
        assert_eq!(errors("f", &format!("let `{word}` = 1\n")), "", "{word}");
        // Whatever is longer, shorter or written otherwise is a name.
        let short = &word[..word.len() - 1];
        let near = [format!("{word}s"), format!("{word}_"), format!("_{word}"), format!("{word}0"), format!("{word}X")];
        for near in
            near.iter().map(String::as_str).chain((!reserved.split(' ').any(|word| word == short)).then_some(short))
        {
            assert_eq!(errors("f", &format!("let {near} = 1\nlet y = {near} + f({near})\n")), "", "{near}");
        }
    }
}

#[test]
fn depth_is_bounded() {
    assert_eq!(code(&format!("{}1{}", "[".repeat(199), "]".repeat(199))), "");
    assert_eq!(code(&format!("{}1{}", "if a then ".repeat(199), " else 2".repeat(199))), "");
    assert_eq!(code(&format!("{}1", "if a then 1 else ".repeat(199))), "");
    assert_eq!(code(&format!("{}1{}", "f(x, y[z - 1], ".repeat(190), ")".repeat(190))), "");
    assert_eq!(code(&format!("{}1", "1 + ".repeat(499))), "");
    assert_eq!(code(&format!("{}1", "1 ** ".repeat(499))), "");
    assert_eq!(code(&format!("{}1", "-1 ** ".repeat(330))), "");
    assert_eq!(code(&format!("{}1{}", "f(x, y[if a then z - 1 else 2], ".repeat(190), ")".repeat(190))), "");
    for n in [201, 100_000] {
        assert_eq!(code(&format!("{}1{}", "(".repeat(n), ")".repeat(n))), "E18");
        assert_eq!(code(&format!("{}1{}", "f(".repeat(n), ")".repeat(n))), "E18");
        assert_eq!(code(&format!("{}1{}", "if a then ".repeat(n), " else 2".repeat(n))), "E18");
        assert_eq!(code(&format!("{}1", "if a then 1 else ".repeat(n))), "E18");
    }
    for n in [2_000, 100_000] {
        assert_eq!(code(&format!("{}1", "1 + ".repeat(n))), "E18");
        assert_eq!(code(&format!("{}1", "1 ** ".repeat(n))), "E18");
        assert_eq!(code(&format!("{}a", "a and ".repeat(n))), "E18");
        assert_eq!(code(&format!("{}a", "not ".repeat(n))), "E18");
        assert_eq!(code(&format!("{}a", "-".repeat(n))), "E18");
        assert_eq!(code(&format!("a{}", "[1]".repeat(n))), "E18");
        assert_ne!(code(&"(".repeat(n)), "");
        assert_ne!(code(&format!("{}a", "misere ".repeat(n))), "");
        let kind = format!("input x: {} nat", "list of ".repeat(n));
        assert!(errors("f", &kind).contains("E18"));
    }
    assert_eq!(code(&format!("[{}1]", "if a then 1 else 2, ".repeat(5000))), "");
    let nested = format!("{}1{}", "(".repeat(150), format!("{})", " + 1".repeat(400)).repeat(150));
    assert_eq!(code(&nested), "E18");
}

#[test]
fn long_inputs_are_quick() {
    assert_eq!(code(&"1".repeat(100_000)), "");
    assert_eq!(code(&"1".repeat(1_000_000)), "S01");
    assert_eq!(errors("f", &"# nothing\n".repeat(1_000_000)), "");
    assert_eq!(errors("f", &format!("let x = 1{}", "\n# nothing".repeat(1_000_000))), "");
    assert_eq!(errors("f", &"let x = 1\n".repeat(100_000)), "");
    for garbage in ["let x = )\n", "solve [\n", "§\n", "word 1.5\n", "let x = \"\n", "move\n"] {
        let told = errors("f", &garbage.repeat(200_000));
        assert!(told.matches("error[").count() <= 21, "{garbage}");
        assert_ne!(told, "");
    }
    let told = errors("f", &format!("let x = {}", "1 ".repeat(1_000_000)));
    assert!(told.len() < 2_000, "{told}");
}

#[test]
fn keywords_in_brackets_begin_no_statement() {
    assert_eq!(
        errors("f", "let g = graph {\nuse-a,\nsolve -> game\n}\ngame G(n) {\nmove\nsolve -> win\nlet x = 1\n}\n"),
        ""
    );
    let told = errors("f", &"game G(n) {\n  move t -> win\n".repeat(100_000));
    assert_eq!(told.matches("`{` is never closed").count(), 20);
}

mod never_panics {
    use super::errors;
    use proptest::prelude::*;

    const WORDS: [&str; 64] = [
        "use", "input", "let", "def", "game", "solve", "table", "claim", "expect", "move", "theorem", "for", "in",
        "where", "with", "if", "then", "else", "and", "or", "not", "xor", "iff", "implies", "mod", "div", "true",
        "false", "misere", "G", "n", "k", "1", "2", "\"t\"", "(", ")", "[", "]", "{", "}", "->", "=", "==", "<", ">",
        "..", "+", "-", "*", "**", ",", ":", ":=", "-=", "end", "when", "same", "as", "win", "first", "\n", "#",
        "graph",
    ];

    proptest! {
        #![proptest_config(crate::seeds::cases(256))]
        #[test]
        fn on_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            if let Ok(text) = grundy::syntax::decode(bytes.clone(), "f") {
                errors("f", &text);
            }
            errors("f", &String::from_utf8_lossy(&bytes));
        }

        #[test]
        fn on_words(words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..60)) {
            errors("f", &words.join(" "));
        }

        #[test]
        fn on_cut_statements(cut in 0..1000_usize, gap in 0..40_usize) {
            let text = include_str!("../data/examples/public/sprouts.game");
            let cut = text.floor_char_boundary(cut.min(text.len()));
            let rest = text.floor_char_boundary((cut + gap).min(text.len()));
            errors("f", &format!("{}{}", &text[..cut], &text[rest..]));
        }

        #[test]
        fn laid_out_files_keep_their_tokens(words in prop::collection::vec(prop::sample::select(WORDS.to_vec()), 0..12)) {
            let text = format!("let x = {}", words.join(" "));
            let mut sources = grundy::source::text::Sources::default();
            let id = sources.add("f", text);
            if let Ok(once) = grundy::syntax::format(&sources, id) {
                let id = sources.add("g", once.clone());
                prop_assert_eq!(grundy::syntax::format(&sources, id), Ok(once));
            }
        }
    }
}
