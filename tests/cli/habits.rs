//! What users of other languages write, and what they are told.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

/// A clause, a type, a statement in the habit of another language, in a file that is right but for it.
fn files() -> Vec<String> {
    let clause = |clause: &str| {
        format!(
            "game N(xs: list of nat) {{\n  move t i in indices(xs), k in 1..xs[i] where {clause} -> N(xs[i -= k])\n}}\n"
        )
    };
    let kind = |kind: &str| format!("game N(n: {kind}) {{ move t k in 1..3 -> N(n) }}\n");
    let mut files: Vec<String> = [
        "len(xs) > 0",
        "length(xs) > 0",
        "xs.size > 0",
        "xs.length > 0",
        "xs.append(k) == []",
        "not False",
        "True",
        "k != null",
        "k // 2 > 0",
        "k % 2 == 0",
        "k ^ 1 > 0",
        "k <> 1",
        "k > 1 && k < 3",
        "!(k > 1)",
        "k = 1",
        "xs[1:2] == []",
        "pow(k, 2) > 3",
        "popcount(k) > 1",
        "contains(xs, k)",
        "sorted(xs) == xs",
        "head(xs) > 0",
        "k in range(1, 5)",
        "map(xs) == []",
        "mod(k, 2) == 0",
        "k-- > 1",
    ]
    .map(clause)
    .to_vec();
    files.extend(["integer", "[int]", "string", "boolean", "array of int", "float", "unsigned", "dict"].map(kind));
    files.extend(
        [
            "let s = \"abc\n",
            "let s = 'abc'\n",
            "let f = n -> n + 1\n",
            "def f(n) { return n + 1 }\n",
            "def f(n) -> n + 1\n",
            "// a comment\n",
            "-- a comment\n",
            "/* a comment */\n",
            "game N(n) {\n  move t k in 1..min(n, 3 -> N(n - k)\n}\n",
            "game N(n) {\n  move t k in [1, 2 -> N(n - k)\n}\n",
            "game N(n) { move t where n < 5 -> N(n++) }\n",
            "game N(n) { move t where n > 0 -> N(n--) }\n",
            "game N(n) { move t k in 1...n -> N(n - k) }\n",
            "game N(n) { move t k in 1..<n -> N(n - k) }\n",
            "game N(n) { move t: k in 1..n -> N(n - k) }\n",
            "game N(n) { move t k in 1..n => N(n - k) }\n",
            "game N(n) { move t k in 1..n -> N(n > 3 ? n - k : 0) }\n",
        ]
        .map(String::from),
    );
    files
}

#[test]
fn habits_of_other_languages_are_understood_and_told() {
    let folder = std::env::temp_dir().join(format!("grundy-habits-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for the test");
    let mut all = String::new();
    for text in files() {
        fs::write(folder.join("f.game"), &text).expect("a file for the test");
        let output = Command::new(env!("CARGO_BIN_EXE_grundy"))
            .args(["check", "f.game"])
            .current_dir(&folder)
            .env_remove("COLUMNS")
            .output()
            .expect("the program runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}\n{said}");
        assert!(said.contains("= help: "), "no way out is told:\n{text}\n{said}");
        let _ = writeln!(all, "{said}");
    }
    let _ = fs::remove_dir_all(&folder);
    insta::assert_snapshot!(all);
}
