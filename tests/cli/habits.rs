//! What users of other languages write, and what they are told.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

/// Lines of a game in the habit of another language.
const LINES: [&str; 36] = [
    "move t k in 1..n / 0 where n > 0 -> N(n - k)",
    "move t k in 1..n -> then (if k > 1 then win else N(n - k))",
    "move t k in 1..n -> (if k > 1 then win else N(n - k))",
    "move t k in 1..n if k != 3 -> N(n - k)",
    "move t k in {1,2,3} -> N(n - k)\n  end when n = 0: lost",
    "move t 1 <= k <= n -> N(n - k)",
    "move t k <= n -> N(n - k)",
    "move t k -> N(n - k)",
    "moves t k in 1..n -> N(n - k)",
    "move k in 1..n -> N(n - k)",
    "move t(k) in 1..n -> N(n - k)",
    "move t k in 1..n -> n - k",
    "move t k in 1..n: N(n - k)",
    "move t k in 1..n -> return N(n - k)",
    "move t k in 1..n -> N(n - k),",
    "move t k from 1 to n -> N(n - k)",
    "move t for k in 1..n -> N(n - k)",
    "move t k in 1..n and k != 2 -> N(n - k)",
    "move t k in 1..n when k != 2 -> N(n - k)",
    "move t when n > 2 -> N(n - 1)",
    "move t if n > 2 -> N(n - 1)",
    "move t k in 1..n, if k > 2 -> N(n - 1)",
    "move t k in 1..n, k != 2 -> N(n - k)",
    "move t k in 1..n such that k != 2 -> N(n - k)",
    "end if n == 0\n  move t k in 1..n -> N(n - k)",
    "end when n == 0: lose\n  move t k in 1..n -> N(n - k)",
    "end when n == 0 then lost\n  move t k in 1..n -> N(n - k)",
    "lost when n == 0\n  move t k in 1..n -> N(n - k)",
    "win when n == 0\n  move t k in 1..n -> N(n - k)",
    "move t k in 1..n -> N(n - k) if k > 2 else win",
    "move t k in 1..n -> N(n - k) where k > 2",
    "move t k in 1..n -> N(k) xor N(n - k)",
    "move t k in 1..n -> [N(k), N(n - k)]",
    "move t k in 1..n -> N(n -= k)",
    "move t k in 1..n -> N",
    "move t k in 1..n -> N[n - k]",
];

/// Statements in the habits of Python, C++, Haskell and mathematics.
const STATEMENTS: [&str; 188] = [
    "game N(n) {\n  // all\n  move t k in 1..n -> N(n - k)\n}\n",
    "game N(n) {\n  /* all */\n  move t k in 1..n -> N(n - k)\n}\n",
    "game N(n) {\n  -- all\n  move t k in 1..n -> N(n - k)\n}\n",
    "game N(n) {\n  move t k in 1..n -> N(n - k) /* all */\n}\n",
    "/* all */\nlet x = 1\n",
    "game N(s: Set of nat) { move t k in s -> N(s - {k}) }\n",
    "game N(s: List<int>) { move t k in s -> N(s) }\n",
    "game N(s: String) { move t k in s -> N(s) }\n",
    "game N(s: list of Integer) { move t k in s -> N(s) }\n",
    "game N(n) scoring { move t k in 1..n -> N(n - k) gain k }\n",
    "game N(n) misere { move t k in 1..n -> N(n - k) }\n",
    "game N(n) { move t k in 1..n -> gain k N(n - k) }\n",
    "game N(n) { players A, B move t k in 1..n -> N(n - k) }\n",
    "game N(n) { move t k = 1..n -> N(n - k) }\n",
    "game N(n) { move t k in 1..n -> N(n - k) } claim \"c\" for n in 1..9, wins(N(n))\n",
    "game N(n) { move t k in 1..n -> N(n - k) } claim \"c\" for n in 1..9, even(n): wins(N(n))\n",
    "let xs = [1, 2] claim \"c\": xs[-1] == 2\n",
    "game N(n) { move take, k in 1..n -> N(n - k) }\n",
    "game N(n) { var m = n div 2 move t k in 1..m -> N(n - k) }\n",
    "game N(n) { player \"A\", \"B\" move t k in 1..n -> N(n - k) }\n",
    "game N(n) { players \"A\", \"B\", \"C\" move t k in 1..n -> N(n - k) }\n",
    "game N(n) { players \"A\" move t k in 1..n -> N(n - k) }\n",
    "game N(n) { players (\"A\", \"B\") move t k in 1..n -> N(n - k) }\n",
    "game N(n) { players = \"A\", \"B\" move t k in 1..n -> N(n - k) }\n",
    "players \"A\", \"B\"\n",
    "game N(n) { move t k in 1..n -> N(n - k), N(k) }\n",
    "let x = all(x > 0 | x in 0..3)\n",
    "let x = subsets(x for x in 1..3, 2)\n",
    "game N(n) { move t k in 1..n -> N(n - k) } solve selective(N(4), N(x) for x in 1..2)\n",
    "game N(n) { move t k in 1..n -> N(n - k) } table N(n) for n in 0..3\n",
    "let x = is_prime(3)\n",
    "game N(n) { move t k in 1..n -> won }\n",
    "let x = \"a\" * 3\n",
    "let n = 3 let x = n.toString()\n",
    "game N(n) { move t k in 1..n -> self.N(n - k) }\n",
    "let nat m = 3\n",
    "let x = 3 =/= 4\n",
    "game N(n) { move t k in 1..n -> N(n - k) } solve N 3\n",
    "table n for n from 0..3\n",
    "game N(n) { end when n == 0: lost if n > 0 else won }\n",
    "game N(n) { end when n == 0: lost else won }\n",
    "game N(n) { end when n == 0: first }\n",
    "game N(n: 0..7) { }\n",
    "game N(s: set of 0..7) { }\n",
    "input n: 5\n",
    "def f(x): 5\n",
    "game N(n) { end when n == 0: (if n == 0 then lost else won) }\n",
    "table outcome(N(a, b)) for a in 0..3 for b in 0..3\ngame N(a, b) { move t k in 1..a -> N(a - k, b) }\n",
    "game N(a) { move t k in 1..a -> N(a - k) }\nlet x = [a + b for a in 0..3 for b in 0..3]\n",
    "game N(n: integer) { move t k in 1..n -> N(n - k) }\n",
    "game N(n): move t k in 1..n -> N(n - k)\n",
    "game N(n):\n  move t k in 1..n -> N(n - k)\n",
    "game N[K](n) { move t k in 1..K where k <= n -> N(n - k) }\nsolve N[3](5)\n",
    "game N[L: list of int](n) { move t k in L where k <= n -> N(n - k) }\nsolve N[[1,2]](5)\n",
    "input N: nat = 3\n",
    "let K = 3\n",
    "import math\n",
    "from x import y\n",
    "def f(n): return n + 1\n",
    "def f(n):\n  return n\n",
    "lambda x: x\n",
    "let f = lambda x: x + 1\n",
    "for i in range(10): print(i)\n",
    "if n == 0: lost\n",
    "while True: pass\n",
    "let x = None\n",
    "let x: int = 3\n",
    "x = 3\n",
    "n = int(input())\n",
    "assert N(3) == first\n",
    "let s = {1: 2}\n",
    "let s = {\"a\": 2}\n",
    "let t = 1 if true else 2\n",
    "let x = [i for i in 1..5 if i mod 2 == 0]\n",
    "let x = 3 is 3\n",
    "let x = xs is None\n",
    "let x = f\"{3}\"\n",
    "let s = \"a\" * 3\n",
    "let x = len([1])\n",
    "let x = str(3)\n",
    "let x = enumerate([1])\n",
    "let x = zip([1],[2])\n",
    "let x = reversed([1])\n",
    "let x = max([1,2], key=3)\n",
    "let x = True and False\n",
    "let x = 1 << 3\n",
    "let x = 8 >> 1\n",
    "let x = ~3\n",
    "let x = 2 ^ 3\n",
    "let x = 0x1F\n",
    "let x = 0b101\n",
    "let x = 1e9\n",
    "let x += 3\n",
    "int n = 3;\n",
    "#include <bits/stdc++.h>\nint main() { return 0; }\n",
    "const K = 3\n",
    "auto x = 3\n",
    "vector<int> a = {1,2}\n",
    "bool wins(n) { return n > 0 }\n",
    "let x = n == 0 ? 1 : 2\n",
    "let x = (int) 3\n",
    "let a = b = 3\n",
    "let x = max(1, 2);\n",
    "let x = !true\n",
    "let x = true || false\n",
    "struct P { int x }\n",
    "return 3\n",
    "let x = std::max(1,2)\n",
    "let x = swap(1,2)\n",
    "let x = a[1, 2]\n",
    "let x = __gcd(4, 6)\n",
    "let x = __builtin_popcount(5)\n",
    "let x = abs -3\n",
    "let x = min {1, 2}\n",
    "let f x = x + 1\n",
    "f :: Int -> Int\n",
    "let x = [x | x <- [1..3]]\n",
    "let x = \\x -> x\n",
    "let xs = 1 : [2]\n",
    "let x = fst (1, 2)\n",
    "let x = head [1]\n",
    "let x = case n of 1 -> 2\n",
    "let x = 3 /= 4\n",
    "let x = [1] ++ [2]\n",
    "let x = length [1]\n",
    "let x = 7 `div` 2\n",
    "let x = xs !! 0\n",
    "let x = max $ [1]\n",
    "data T = A | B\n",
    "where x = 3\n",
    "let x = map f [1]\n",
    "let x = filter f [1]\n",
    "let x = sum . map f\n",
    "let x = {x : x in 1..3}\n",
    "let x = {x | x in 1..3}\n",
    "let x = |[1,2]|\n",
    "let x = 5!\n",
    "let x = 2n\n",
    "let x = 1 ≡ 3 (mod 2)\n",
    "let x = ⌊3/2⌋\n",
    "let x = Σ(1)\n",
    "let x = 1..3 ∪ {4}\n",
    "let x = {1} union {2}\n",
    "let x = {1} \\ {2}\n",
    "let x = for all n: n > 0\n",
    "claim \"c\" forall n in nat: n >= 0\n",
    "claim \"c\": for all n in nat: n >= 0\n",
    "claim \"c\" for n >= 0: n >= 0\n",
    "claim \"c\" for n: n >= 0\n",
    "claim c for n in nat: n >= 0\n",
    "claim \"c\" for n in 1..: n >= 0\n",
    "claim \"c\" for n in 0..infinity: n >= 0\n",
    "theorem grundy(n) = n\n",
    "let x = mex(1,2)\n",
    "let x = 3 choose 2\n",
    "let x = n²\n",
    "let x = 3 | 6\n",
    "let x = 1 <=> 2\n",
    "let x = 3 divides 6\n",
    "let x = ∅\n",
    "let x = ∀\n",
    "let x = ¬true\n",
    "let x = true ∧ false\n",
    "let x = {}\nlet y = {1} ∩ {2}\n",
    "Game N(n) { move t k in 1..n -> N(n - k) }\n",
    "GAME N(n) { }\n",
    "game n(n) { move t k in 1..n -> n(n - k) }\n",
    "game N(n) = { }\n",
    "game N(n)\n  move t k in 1..n -> N(n - k)\n",
    "game N(n) [ move t k in 1..n -> N(n - k) ]\n",
    "function f(n) { }\n",
    "misère game N(n) { }\n",
    "game misere N(n) { move t k in 1..n -> N(n - k) }\n",
    "solve 3\n",
    "Solve N(3)\n",
    "solve N(3), N(4)\n",
    "table N(n) for n in 0..3\ngame N(n) { move t k in 1..n -> N(n - k) }\n",
    "table grundy N(n) for n in 0..3\n",
    "expect N(3) first\ngame N(n) { move t k in 1..n -> N(n - k) }\n",
    "expect N(3): win\ngame N(n) { move t k in 1..n -> N(n - k) }\n",
    "expect grundy(N(3)) == 3\ngame N(n) { move t k in 1..n -> N(n - k) }\n",
    "use nim\n",
    "include \"nim\"\n",
    "input n = 3 : nat\n",
    "input nat n\n",
    "input int n = 3\n",
    "let n : nat\n",
    "let a, b = (1, 2)\n",
];

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
    files.extend(LINES.iter().map(|line| format!("game N(n) {{\n  {line}\n}}\n")));
    files.extend(STATEMENTS.iter().map(ToString::to_string));
    files.extend(
        [
            "game N(n) { move t k in 1..n where n > 1 AND n < 3 -> N(n - k) }\n",
            "game N(n) { move t k in 1..9 step 2 where k <= n -> N(n - k) }\n",
            "game N(n) { move t k in 1..n where TRUE -> N(n - k) }\n",
            "game N(n) { move t k in 1..n -> Win }\n",
            "game N(n) {\n  move t k in 1..n -> N(n - k)\n  theroem grundy = n\n}\n",
            "game N(n) { move t k in 1..n -> N(n - k) }\nsovle N(3)\n",
            "let a = 1\na += 2\n",
            "def f(n) = return n + 1\n",
            "table if n == 1 then 2 for n in 1..3\n",
            "game N(n) {\u{a0}move t k in 1..n -> N(n - k) }\n",
            "game N(n) { move t k in 1..n\u{200b} -> N(n - k) }\n",
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

#[test]
fn a_condition_behind_what_it_should_protect_is_told() {
    let cases = [
        ("move t k in 1..xs[0] where size(xs) > 0 -> N(xs[0 -= k])", "R02", "k in"),
        ("move t m = xs[0], k in 1..m where size(xs) > 0 -> N(xs[0 -= k])", "R02", "m ="),
        ("move t i in 0..size(xs), k in 1..7 div (size(xs) - i) where i < size(xs) -> N([])", "R03", "k in"),
        ("move t k in 1..min(xs) where size(xs) > 0 -> N([k])", "R02", "k in"),
    ];
    for (line, code, place) in cases {
        let text = format!("game N(xs: list of nat) {{\n  {line}\n}}\nsolve N([])\n");
        let (code_said, said) = run(&text, &["solve"]);
        assert_eq!(code_said, Some(2), "{said}");
        assert!(said.contains(&format!("error[{code}]")), "{said}");
        assert!(said.contains(&format!("before `{place}`")), "{said}");
    }
    // In front nothing is wrong, and without a condition nothing is proposed.
    let (_, said) = run(
        "game N(xs: list of nat) { move t where size(xs) > 0, k in 1..xs[0] -> N(xs[0 -= k]) }\nsolve N([])\n",
        &["solve"],
    );
    assert!(said.is_empty(), "{said}");
    let (_, said) = run("game N(xs: list of nat) { move t k in 1..xs[0] -> N(xs[0 -= k]) }\nsolve N([])\n", &["solve"]);
    assert!(said.contains("R02") && !said.contains("protects"), "{said}");
}

/// What is proposed is right: it is accepted, and says what was meant.
#[test]
fn what_is_proposed_instead_means_the_same() {
    let values = [
        ("sum(digits(13, 2))", "3"),
        ("bits(8) - 1", "3"),
        ("bits(8)", "4"),
        ("product(5 - 2 + 1..5) div product(1..2)", "10"),
        ("product(1..5)", "120"),
        ("floor(sqrt(10))", "3"),
        ("5 * 2 ** 3", "40"),
        ("41 div 2 ** 3", "5"),
        ("[1] + [2, 3]", "[1, 2, 3]"),
        ("xs[0 := xs[2], 2 := xs[0]]", "[6, 5, 4]"),
        ("[(xs[i], ys[i]) for i in indices(xs)]", "[(4, 1), (5, 2), (6, 3)]"),
        ("xs[1..2]", "[5, 6]"),
        ("xs[..size(xs) - 2]", "[4, 5]"),
        ("xs[1..]", "[5, 6]"),
        ("{1, 2} - {1, 2, 3} == {}", "true"),
        ("6 mod 3 == 0", "true"),
        ("all(x > 3 for x in xs)", "true"),
        ("any(x > 5 for x in xs)", "true"),
        ("count(x > 4 for x in xs) <= 2", "true"),
        ("{x + 1 for x in xs where x > 4}", "{6, 7}"),
        ("reverse(xs)", "[6, 5, 4]"),
        ("first(xs)", "4"),
    ];
    let mut arguments = vec!["eval"];
    arguments.extend(values.iter().map(|(expression, _)| *expression));
    let output = crate::program::stdout("let xs = [4, 5, 6]\nlet ys = [1, 2, 3]\n", &arguments);
    let wanted: Vec<&str> = values.iter().map(|(_, value)| *value).collect();
    assert_eq!(output.lines().collect::<Vec<_>>(), wanted);
}

/// The exit code and what is said on stderr.
fn run(text: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let output = crate::program::run(text, arguments);
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}
