//! What users bring along from Python, C++, Haskell and mathematics: marks, words and forms that mean nothing here, each with what
//! is written instead.

use crate::source::{Diagnostic, nearest};
use crate::syntax::parse::Rule;
use crate::syntax::scan::{STATEMENTS, Shape, is_reserved};
use crate::syntax::slips::{Failure, shorten};

/// The habits, the most certain first.
const HABITS: [fn(&Failure) -> Option<Diagnostic>; 16] = [
    misspelt,
    fraction,
    method,
    numeral,
    doubled,
    foreign,
    bracketed_type,
    statement,
    head_of_game,
    line_of_game,
    definition,
    claim,
    condition,
    clause,
    infix,
    question,
];

/// The error for a habit of another language, if the failure is one.
pub(super) fn of(failure: &Failure) -> Option<Diagnostic> {
    HABITS.iter().find_map(|habit| habit(failure))
}

/// `1.5`
fn fraction(failure: &Failure) -> Option<Diagnostic> {
    // The parser stops at the point, or inside `.5`.
    if failure.word(0) != "." || failure.shape(-1) != Some(Shape::Number) || failure.shape(1) != Some(Shape::Number) {
        return None;
    }
    let (whole, part) = (failure.word(-1), failure.word(1));
    let error = failure.error_at(-1, 1, format!("`{whole}.{part}`: numbers are whole"));
    if whole.len() + part.len() > 15 {
        return Some(error.hint("`/` is exact: write a fraction as `a / b`"));
    }
    let digits = format!("{whole}{part}");
    let digits = digits.trim_start_matches('0');
    let digits = if digits.is_empty() { "0" } else { digits };
    Some(error.hint(format!("`/` is exact: write `{digits} / 1{}`", "0".repeat(part.len()))))
}

/// `xs.size`
fn method(failure: &Failure) -> Option<Diagnostic> {
    let after = matches!(failure.shape(-1), Some(Shape::Word | Shape::Quoted | Shape::Close | Shape::Text));
    if failure.word(0) != "." || !after || failure.shape(1) != Some(Shape::Word) {
        return None;
    }
    let word = match failure.word(1) {
        "length" | "len" | "count" => "size",
        "toString" | "to_string" | "str" => "text",
        _ if matches!(failure.word(-1), "self" | "this") => {
            let error = failure.error_at(-1, 0, format!("`{}` names nothing here", failure.word(-1)));
            return Some(error.hint("the fields of a game and its name stand alone: `n`, `G(n - k)`"));
        }
        "append" | "push" | "add" => return Some(of_method(failure, "`xs + [x]`, the list with one more")),
        "remove" | "erase" | "discard" => return Some(of_method(failure, "`s - {x}`, the set without it")),
        "contains" | "includes" => return Some(of_method(failure, "`x in xs`")),
        word => word,
    };
    let of = if failure.shape(-1) == Some(Shape::Word) { failure.word(-1) } else { "x" };
    Some(of_method(failure, &format!("`{}({of})`: a word stands before what it is about", shorten(word))))
}

fn of_method(failure: &Failure, instead: &str) -> Diagnostic {
    failure
        .error_at(0, 1, format!("`.{}` means nothing here", shorten(failure.word(1))))
        .hint(format!("write {instead}"))
}

/// `0x1F`, `1e9`
fn numeral(failure: &Failure) -> Option<Diagnostic> {
    let word = failure.word(0);
    if failure.shape(0) != Some(Shape::Number) {
        return None;
    }
    let small = word.to_ascii_lowercase();
    let based = [("0x", 16), ("0b", 2), ("0o", 8)]
        .into_iter()
        .find_map(|(mark, base)| small.strip_prefix(mark).and_then(|digits| u128::from_str_radix(digits, base).ok()));
    let hint = match (based, small.split_once('e')) {
        (Some(n), _) => format!("write `{n}`"),
        (None, Some((a, b))) if [a, b].iter().all(|part| part.parse::<u32>().is_ok()) => {
            format!("write `{}10 ** {b}`", if a == "1" { String::new() } else { format!("{a} * ") })
        }
        _ => return None,
    };
    Some(failure.error(format!("`{}` is no number here: its digits are decimal", shorten(word))).hint(hint))
}

/// Marks that other languages put after, between or before: `n++`, `1...n`, `xs[1:2]`, `def f(n) { .. }`, `// ..`
fn doubled(failure: &Failure) -> Option<Diagnostic> {
    let touching = |first: isize| {
        let (first, second) = (failure.token(first), failure.token(first + 1));
        first.zip(second).is_some_and(|(first, second)| first.end == second.start)
    };
    let begins = failure.tokens.first().map_or("", |token| token.text(failure.text));
    let is_start = failure.index == 0 && failure.expects(Rule::statement) || failure.expects(Rule::k_solve);
    match (failure.word(-1), failure.word(0)) {
        ("+", "+") if touching(-1) => Some(instead_of(failure, -1, 0, "++", "`n + 1`, or `a + b` for lists and texts")),
        _ if failure.word(-2) == "-" && failure.word(-1) == "-" && touching(-2) => {
            Some(instead_of(failure, -2, -1, "--", "`n - 1`, or `#` for a comment"))
        }
        ("..", ".") if touching(-1) => Some(instead_of(failure, -1, 0, "...", "`1..n`: both ends are in it")),
        ("..", "<" | "=") if touching(-1) => {
            Some(instead_of(failure, -1, 0, "..<", "`0..n - 1`: both ends are in a range"))
        }
        (_, ":") if failure.expects(Rule::range) && failure.open_bracket().is_some() => {
            Some(instead_of(failure, 0, 0, ":", "`xs[1..2]`: both ends are in it, counted from 0"))
        }
        (_, ":") if failure.word(-2) == "move" => {
            Some(failure.error("no `:` follows the name of a move").hint("write `move take k in 1..n -> ...`"))
        }
        (_, "{" | "->" | "=>") if begins == "def" && failure.expects(Rule::eq) => Some(
            failure
                .error("a `def` is one expression")
                .hint("write `def f(n) = E`, with `with m = E` behind it for parts"),
        ),
        (_, "->") if begins == "let" => Some(failure.error("`->` makes no function").hint("write `def f(x) = E`")),
        (_, word @ ("mod" | "div")) if failure.word(1) == "(" && failure.expects_operand() => {
            Some(failure.error(format!("`{word}` stands between two numbers")).hint(format!("write `a {word} b`")))
        }
        (_, "/" | "-" | "%" | "*") if failure.expects(Rule::k_move) && touching(0) && !failure.expects_operator() => {
            Some(
                failure
                    .error_at(0, 1, format!("{} begins no line of a game", failure.found()))
                    .hint("a comment begins with `#`"),
            )
        }
        ("/", "*") if touching(-1) => Some(instead_of(failure, -1, 0, "/*", "a comment with `#` on each of its lines")),
        (_, "/" | "-" | "%" | ";" | "*") if is_start => {
            Some(failure.error(format!("{} begins no statement", failure.found())).hint("a comment begins with `#`"))
        }
        _ => None,
    }
}

/// Marks of other languages
fn foreign(failure: &Failure) -> Option<Diagnostic> {
    let next = failure.word(1);
    let touching = failure.token(0).zip(failure.token(1)).is_some_and(|(first, second)| first.end == second.start);
    let (length, instead) = match failure.word(0) {
        "&" if failure.word(-1) == "&" => return Some(instead_of(failure, -1, 0, "&&", "`and`")),
        "|" if next == "|" => (1, "`or`"),
        "|" if !failure.expects_operator() => (0, "`size(xs)`, or `abs(n)`"),
        "|" if matches!(failure.open_bracket().map(|at| failure.tokens[at].text(failure.text)), Some("[" | "{")) => {
            (0, "`for`: `[E for x in xs where C]`, `{x for x in xs where C}`")
        }
        "|" => (0, "`+` for the union of sets, `or` between conditions, `for` before the clauses of a comprehension"),
        "=" if touching && next == "/" && failure.word(2) == "=" => (2, "`!=`"),
        "!" if next == "!" => (1, "`xs[i]`, counted from 0"),
        "!" if failure.expects_operator() => (0, "`product(1..n)` for a factorial"),
        "!" | "¬" => (0, "`not`"),
        "%" => (0, "`mod`"),
        "^" => (0, "`**` for a power, `xor` for the nim-sum"),
        ";" => (0, "nothing: statements and clauses need no `;`"),
        "?" => (0, "`if C then A else B`"),
        "'" | "“" | "”" | "„" | "«" | "»" | "‘" | "’" => (0, "`\"...\"` for a text"),
        "/" if failure.word(-1) == "/" => {
            return Some(instead_of(failure, -1, 0, "//", "`div` to divide, `#` for a comment"));
        }
        ">" if touching && failure.word(-1) == "=" => {
            return Some(instead_of(failure, -1, 0, "=>", "`->`, `>=` or `implies`"));
        }
        ">" if failure.word(-1) == "<" => return Some(instead_of(failure, -1, 0, "<>", "`!=`")),
        "=" if touching && next == ">" => (1, "`->`, `>=` or `implies`"),
        "<" if failure.word(-1) == "<" => return Some(instead_of(failure, -1, 0, "<<", "`a * 2 ** b`")),
        ">" if failure.word(-1) == ">" => return Some(instead_of(failure, -1, 0, ">>", "`a div 2 ** b`")),
        ">" if failure.word(-1) == "<=" => return Some(instead_of(failure, -1, 0, "<=>", "`iff`")),
        "=" if failure.word(-1) == "/" => {
            return Some(instead_of(failure, -1, 0, "/=", "`!=`; no value is ever changed"));
        }
        "<" if touching && next == "-" && failure.expects(Rule::k_in) => (1, "`in`: `k in 1..n`"),
        ":" if touching && next == ":" => (1, "the word alone: there are no namespaces"),
        "~" => (0, "`not` before a condition; ints have no complement"),
        "\\" if failure.expects_operator() => (0, "`-` for the difference of sets"),
        "\\" => (0, "`def f(x) = E` for a function"),
        "$" => (0, "brackets: `f(g(x))`"),
        "≤" => (0, "`<=`"),
        "≥" => (0, "`>=`"),
        "≠" => (0, "`!=`"),
        "∈" => (0, "`in`"),
        "⊕" => (0, "`xor`"),
        "→" | "↦" => (0, "`->`"),
        "−" | "–" | "∖" => (0, "`-`"),
        "·" | "×" | "⋅" | "•" => (0, "`*`"),
        "÷" => (0, "`div`, or `/` for an exact fraction"),
        "∪" => (0, "`+`"),
        "∩" => (0, "`&`"),
        "∅" => (0, "`{}`"),
        "∉" => (0, "`not in`"),
        "⊆" | "⊂" => (0, "`a - b == {}`"),
        "⊇" | "⊃" => (0, "`b - a == {}`"),
        "∧" => (0, "`and`"),
        "∨" => (0, "`or`"),
        "⇒" | "⟹" => (0, "`implies`"),
        "⇔" | "↔" | "⟺" => (0, "`iff`"),
        "←" => (0, "`in` for each of several values, `=` for one"),
        "∀" => (0, "`all(C for x in S)`; a claim has `for x in S`"),
        "∃" => (0, "`any(C for x in S)`"),
        "∑" | "Σ" => (0, "`sum(E for x in S)`"),
        "∏" | "Π" => (0, "`product(E for x in S)`"),
        "⌊" | "⌋" => (0, "`a div b`, or `floor(x)`"),
        "⌈" | "⌉" => (0, "`ceil(x)`"),
        "√" => (0, "`sqrt(x)`"),
        "²" => (0, "`** 2`"),
        "³" => (0, "`** 3`"),
        "≡" => (0, "`a mod m == b mod m`"),
        "∣" => (0, "`b mod a == 0`"),
        "∞" => (0, "`nat` for all numbers from 0 on"),
        "ℕ" => (0, "`nat`"),
        "ℤ" => (0, "`int`"),
        "…" => (0, "`..`"),
        "elif" | "elsif" | "elseif" => (0, "`else if`"),
        _ => return None,
    };
    let to = if touching { length } else { 0 };
    let mark: String = (0..=to).map(|offset| failure.word(offset)).collect();
    Some(instead_of(failure, 0, to, &mark, instead))
}

fn instead_of(failure: &Failure, from: isize, to: isize, mark: &str, instead: &str) -> Diagnostic {
    let error = failure.error_at(from, to, format!("`{mark}` means nothing here"));
    error.hint(format!("write {instead}"))
}

/// `[int]`, `List<int>`, `int[]`, `Set of int`, `String`
fn bracketed_type(failure: &Failure) -> Option<Diagnostic> {
    let before = failure.expects(Rule::kind) && matches!(failure.word(0), "[" | "{");
    let after = matches!(failure.word(0), "[" | "<")
        && failure.shape(-1) == Some(Shape::Word)
        && failure.word(-2) == ":"
        && !failure.expects_operator();
    let hint = "a type is written in words: `list of int`, `set of nat`, `list of (nat, nat)`";
    let kind = failure.expects(Rule::kind) || failure.expects(Rule::kind_word);
    if kind && failure.word(0).starts_with(|letter: char| letter.is_ascii_uppercase()) {
        return Some(
            failure.error(format!("{} is no type: types begin with a small letter", failure.found())).hint(hint),
        );
    }
    (before || after).then(|| failure.error(format!("{} is no part of a type", failure.found())).hint(hint))
}

/// A statement that begins with a word of another language, or with a word of this one that is spelt a little differently.
fn statement(failure: &Failure) -> Option<Diagnostic> {
    let word = failure.word(0);
    let starts = failure.expects(Rule::k_solve) || failure.expects(Rule::statement);
    if failure.index != 0 || !starts || failure.shape(0) != Some(Shape::Word) {
        return None;
    }
    let small = word.to_ascii_lowercase();
    let rest = failure.token(0).and_then(|token| failure.text.get(token.end..)).unwrap_or("");
    let hint = match small.as_str() {
        _ if failure.word(1) == "=" && word == small => return None,
        _ if word != small && STATEMENTS.contains(&small.as_str()) => {
            return Some(
                failure.error(format!("{} begins no statement", failure.found())).hint(format!("write `{small}`")),
            );
        }
        _ if failure.word(1) == ":" => "types stand in the definition: `def f(n: int): int = E`",
        _ if failure.word(1) == "+" && failure.word(2) == "=" || matches!(failure.word(1), "+=" | "-=") => {
            "no value is ever changed: give the new one a name of its own, `let m = n + 1`"
        }
        "move" | "theorem" | "end" | "legal" | "same" | "moves" | "lost" | "won" | "win" | "lose" => {
            return None;
        }
        "players" | "player" => "it stands inside a game: `game G(n) { players \"A\", \"B\" move .. }`",
        "mis" if rest.starts_with("ère") => "write `misere game G(n) { .. }`",
        "import" | "include" | "from" | "require" | "using" | "load" => {
            "write `use \"nim\"` for the games and definitions of `nim.game` beside this file"
        }
        "return" => "a definition is one expression: `def f(n) = E`",
        "if" | "elif" | "else" | "switch" | "case" | "match" | "when" => {
            "an `if` chooses between values: `if C then A else B`; a game has `move t k in S where C -> P` and `end when C: lost`"
        }
        "for" | "while" | "foreach" | "repeat" | "do" | "loop" | "until" => {
            "nothing is done again and again: a move goes through values, `move t k in 1..n -> P`, and so does a list, `[E for k in 1..n]`"
        }
        "int" | "long" | "auto" | "const" | "var" | "bool" | "float" | "double" | "string" | "char" | "vector"
        | "unsigned" | "static" | "nat" | "text" | "val" | "list" | "set" | "size_t" | "mut" => {
            "write `let x = E` for a value, `input x: nat = 3` for what comes from outside, `def f(x) = E` for a function"
        }
        "assert" | "check" | "verify" | "test" | "lemma" | "conjecture" | "prove" | "proposition" | "assume" => {
            "write `claim \"title\" for n in nat: C`; of one position `expect P: first grundy 2`"
        }
        "function" | "fn" | "fun" | "func" | "lambda" | "define" | "macro" | "proc" => "write `def f(n) = E`",
        "struct" | "class" | "data" | "type" | "enum" | "record" | "typedef" | "newtype" | "interface" => {
            "what a position consists of stands in the head of its game: `game G(n, xs: list of nat) { .. }`"
        }
        "echo" | "printf" | "println" | "console" | "cout" | "puts" | "write" | "output" | "show" | "display" => {
            "write `solve P` to ask who wins, `table E for n in 0..9` for many values, `print E` for what `grundy run` answers"
        }
        "query" | "ask" | "who" | "winner" | "wins" | "eval" | "evaluate" | "answer" | "run" => {
            "write `solve P` to ask who wins"
        }
        _ => {
            let instead = alike(&small, &STATEMENTS).filter(|_| failure.shape(1) != Some(Shape::Open))?;
            let error = failure.error(format!("{} begins no statement", failure.found()));
            return Some(error.hint(format!("did you mean `{instead}`?")));
        }
    };
    Some(failure.error(format!("{} begins no statement", failure.found())).hint(hint))
}

/// The word nearest to another one that begins like it.
fn alike<'w>(word: &str, words: &[&'w str]) -> Option<&'w str> {
    nearest(word, words.iter().copied().filter(|other| other.get(..1) == word.get(..1)))
}

/// `n AND m`, `1..9 step 2`, `sovle N(3)`, `return n`, `a += 2` where a line begins
fn misspelt(failure: &Failure) -> Option<Diagnostic> {
    const SMALL: [&str; 13] =
        ["and", "or", "not", "implies", "iff", "mod", "div", "in", "then", "else", "where", "for", "with"];
    let (before, word) = (failure.word(-1), failure.word(0));
    if failure.invisible().is_some() {
        return Some(
            failure.error(format!("{} stands here", failure.found())).hint("put a space of the keyboard, or nothing"),
        );
    }
    if failure.index > 0
        && failure.begins_line(0)
        && failure.open_bracket().is_none()
        && failure.shape(0) == Some(Shape::Word)
        && !is_reserved(word)
        && let Some(instead) = alike(word, &STATEMENTS)
    {
        let error = failure.error(format!("`{}` begins no statement", shorten(word)));
        return Some(error.hint(format!("did you mean `{instead}`?")));
    }
    if !failure.expects_operator() || failure.index == 0 {
        return None;
    }
    let small = word.to_ascii_lowercase();
    let error = || failure.error(format!("`{}` cannot follow an expression", shorten(word)));
    if word != small && SMALL.contains(&small.as_str()) {
        return Some(error().hint(format!("write `{small}`: such words are in small letters")));
    }
    if matches!(word, "step" | "by") && failure.shape(-1) == Some(Shape::Number) {
        return Some(error().hint("a range has all numbers; a condition picks some: `k in 1..9 where k mod 2 == 1`"));
    }
    if matches!(failure.word(1), "+=" | "-=" | "*=") && failure.begins_line(0) {
        let hint = format!("a value does not change; another one has a name of its own: `let b = {word} + 2`");
        return Some(error().hint(hint));
    }
    if matches!(before, "return" | "lambda") && failure.word(-2) != "->" {
        let error = failure.error_at(-1, -1, format!("`{before}` means nothing here"));
        return Some(error.hint("a definition is an expression: `def f(n) = n + 1`"));
    }
    let state = failure.shape(0) == Some(Shape::Word) && word.starts_with(|first: char| first.is_ascii_uppercase());
    if !is_reserved(before) && failure.begins_line(-1) && (state || failure.shape(0) == Some(Shape::Quoted)) {
        let instead = alike(before, &STATEMENTS)?;
        let error = failure.error_at(-1, -1, format!("`{}` begins no statement", shorten(before)));
        return Some(error.hint(format!("did you mean `{instead}`?")));
    }
    None
}

/// `game N(n): move ..`, `game misere N(n)`
fn head_of_game(failure: &Failure) -> Option<Diagnostic> {
    if failure.word(-1) == "game" && failure.word(0) == "misere" {
        return Some(failure.error("`misere` stands before `game`").hint("write `misere game G(n) { .. }`"));
    }
    let word = failure.word(0);
    let kind = matches!(word, "scoring" | "scored" | "misere" | "normal" | "partizan" | "partisan" | "loopy");
    if failure.expects(Rule::lc) && kind {
        let error = failure.error(format!("`{word}` is not said of a game there"));
        return Some(error.hint(match word {
            "misere" => "write `misere game G(n) { .. }`",
            "scoring" | "scored" => "leave it out: points are `-> P gain E`, or `end when C: score E`",
            "normal" | "loopy" => "leave it out: it follows from the rules",
            _ => "leave it out: both players have the same moves; a turn flag can tell them apart",
        }));
    }
    let other = matches!(word, ":" | "=" | "[" | "move" | "end" | "->" | "begin" | "is");
    (failure.expects(Rule::lc) && other).then(|| {
        let error = failure.error(format!("`{{` is missing before {}", failure.found()));
        error.hint("the lines of a game stand in `{` and `}`: `game G(n) { move t k in 1..n -> G(n - k) }`")
    })
}

/// What is written for a line of a game, or behind one.
fn line_of_game(failure: &Failure) -> Option<Diagnostic> {
    let word = failure.word(0);
    if failure.expects(Rule::colon) && word == "then" && failure.back_to(&["end"]).is_some() {
        return Some(failure.error("no `then` follows `end when C`").hint("write `end when C: lost`"));
    }
    if word == "then" && failure.word(-1) == "->" {
        return Some(failure.error("no `then` follows `->`").hint("write `-> if C then P else Q`"));
    }
    if word == "for" && failure.word(-2) == "move" {
        return Some(failure.error("no `for` follows the name of a move").hint("write `move t k in 1..n -> P`"));
    }
    if failure.word(-2) == "(" && failure.word(-4) == "move" {
        let hint = "a move has a name, then what it goes through: `move t k in 1..n -> P`";
        return Some(failure.error_at(-2, 0, "no brackets follow the name of a move").hint(hint));
    }
    let begun = failure.back_to(&["move", "end", "legal", "same", "theorem", "players", "draw", "let", "def"]);
    let begun = begun.map_or("", |(at, _)| failure.tokens[at].text(failure.text));
    let next_line = failure.expects(Rule::k_move) && failure.shape(0) == Some(Shape::Word);
    if begun == "players"
        && word != "}"
        && !next_line
        && failure.open_bracket().is_some_and(|at| failure.tokens[at].text(failure.text) == "{")
    {
        let error = failure.error(format!("{} does not fit into the names of the players", failure.found()));
        return Some(error.hint("write `players \"A\", \"B\"`: what the player to move is called, and what the other"));
    }
    if !failure.expects(Rule::k_move) || !failure.expects(Rule::w_legal) {
        return None;
    }
    if begun == "end" && matches!(word, "if" | "else" | "?") {
        let error = failure.error(format!("no `{word}` follows a verdict"));
        return Some(error.hint("write `end when C: if D then lost else won`"));
    }
    if word == "," && failure.shape(-1) == Some(Shape::Close) && begun == "move" {
        let error = failure.error("a move leads to one position");
        return Some(error.hint("positions that are left together are a sum: `P + Q`"));
    }
    if failure.word(2) == "=" && failure.shape(0) == Some(Shape::Word) && !is_reserved(word) {
        let error = failure.error(format!("`{}` begins no line of a game", shorten(word)));
        let meant = alike(word, &["theorem"]).map(|_| "did you mean `theorem`?".to_owned());
        return Some(error.hint(meant.unwrap_or_else(|| format!("write `let {} = E`", shorten(failure.word(1))))));
    }
    if word == "player" {
        return Some(failure.error("`player` begins no line of a game").hint("did you mean `players`?"));
    }
    let hint = match word {
        "," | ";" => return Some(failure.error("nothing stands between the lines of a game").hint("leave it out")),
        _ if failure.word(-2) == "->" && failure.word(-1) == "gain" => {
            let error = failure.error_at(-1, -1, "`gain` stands behind the target");
            return Some(error.hint("write `move t k in 1..n -> P gain E`"));
        }
        _ if failure.word(-2) == "->"
            && matches!(failure.word(-1), "return" | "goto" | "go" | "to" | "new" | "play") =>
        {
            let error = failure.error_at(-1, -1, format!("`{}` is no position", failure.word(-1)));
            return Some(error.hint("the target of a move is the position alone: `-> G(n - k)`"));
        }
        "where" | "when" | "provided" | "unless" if failure.expects_operator() => {
            "conditions stand before `->`: `move t k in 1..n where C -> P`"
        }
        "if" if failure.expects_operator() => {
            "write `-> if C then P else Q`; a move that is not there: `where C` before `->`"
        }
        "if" | "when" | "where" => "write `move t k in S where C -> P`, or `end when C: lost`",
        "lost" | "won" | "drawn" | "win" | "lose" | "draw" | "loses" | "wins" | "loss" => {
            "write `end when C: lost`, said of the player to move; a move that wins at once is `move t .. -> win`"
        }
        "for" | "while" => "a move goes through values: `move t k in 1..n -> P`",
        "return" => "a move leads to a position: `move t k in 1..n -> P`",
        "score" | "value" | "points" => "points at the end are `end when C: score E`, points for a move `-> P gain E`",
        _ if failure.shape(0) != Some(Shape::Word) || is_reserved(word) || failure.expects_operator() => return None,
        _ => {
            let lines = ["move", "end", "legal", "same", "players", "draw", "theorem", "let", "def"];
            let error = failure.error(format!("`{}` begins no line of a game", shorten(word)));
            if matches!(failure.word(2), "in" | "=" | ",") || failure.word(1) == "->" {
                return Some(error.hint(format!("write `move {} ..`", shorten(word))));
            }
            let instead = alike(word, &lines)?;
            return Some(error.hint(format!("did you mean `{instead}`?")));
        }
    };
    Some(failure.error(format!("`{}` begins no line of a game", shorten(word))).hint(hint))
}

/// `let x: int = 3`, `let f x = ..`, `let a, b = ..`, `let x += 1`, `input nat n`, `input n = 3: nat`, `def f(n): return n`
fn definition(failure: &Failure) -> Option<Diagnostic> {
    let begins = failure.tokens.first().map_or("", |token| token.text(failure.text));
    let word = failure.word(0);
    let names = failure.expects(Rule::eq) && !failure.expects_operator();
    match begins {
        "let" if names && word == ":" => {
            Some(failure.error("a `let` has no type").hint("write `let x = E`: its type is that of E"))
        }
        "let" if names && matches!(word, "+=" | "-=" | ":=" | "+" | "*") => {
            Some(failure.error("no value is ever changed").hint("give the new one a name of its own: `let m = n + 1`"))
        }
        "let" if names && word == "," => {
            Some(failure.error("several names before `=` need brackets").hint("write `let (a, b) = E`"))
        }
        "let"
            if names
                && matches!(failure.word(-1), "nat" | "int" | "bool" | "text" | "auto" | "mut" | "const" | "var") =>
        {
            let error = failure.error_at(-1, -1, "a `let` has no type");
            Some(error.hint(format!("write `let {} = E`: its type is that of E", shorten(word))))
        }
        "let" if names && failure.word(-2) == "let" && (word == "(" || failure.shape(0) == Some(Shape::Word)) => {
            let name = failure.word(-1);
            Some(failure.error("a `let` names one value").hint(format!("a function is `def {name}(x) = E`")))
        }
        "input"
            if failure.shape(0) == Some(Shape::Word)
                && failure.word(-2) == "input"
                && matches!(
                    failure.word(-1),
                    "nat" | "int" | "bool" | "text" | "graph" | "grid" | "long" | "string" | "integer"
                ) =>
        {
            let kind = failure.word(-1);
            let error = failure.error("the type of an input stands behind its name");
            Some(error.hint(format!("write `input {}: {kind}`", shorten(word))))
        }
        "input" if word == ":" && failure.expects_operator() => {
            let error = failure.error("the type of an input stands before its value");
            Some(error.hint("write `input n: nat = 3`"))
        }
        "def" if failure.word(-1) == "return" && failure.word(-2) == ":" => {
            Some(failure.error_at(-2, -1, "a `def` is one expression").hint("write `def f(n) = E`"))
        }
        _ => None,
    }
}

/// `claim "c" forall n: ..`, `claim "c": for n in nat: ..`, `for n in 1..:`
fn claim(failure: &Failure) -> Option<Diagnostic> {
    let begins = failure.tokens.first().map_or("", |token| token.text(failure.text));
    let word = failure.word(0);
    if failure.word(-1) == ".." && matches!(word, ":" | "->" | ")" | "," | "where") {
        let error = failure.error_at(-1, -1, "a range has two ends");
        return Some(error.hint("all numbers from 0 on are `nat`, in claims: `for n in nat where n >= 1`"));
    }
    if word == "for"
        && failure.shape(1) == Some(Shape::Word)
        && failure.expects_operand()
        && begins != "claim"
        && failure.word(-1) != "->"
    {
        let error = failure.error("the value of a comprehension stands before its `for`");
        return Some(error.hint("write `all(C for x in xs)`, `[E for x in xs]`"));
    }
    if begins != "claim" {
        return None;
    }
    if failure.expects(Rule::k_for) && !failure.expects_operator() && failure.shape(0) == Some(Shape::Word) {
        let error = failure.error(format!("`{}` names no numbers", shorten(word)));
        return Some(error.hint("write `claim \"title\" for n in nat: C`"));
    }
    if word == "(" && failure.expects(Rule::k_in) && failure.shape(-1) == Some(Shape::Word) {
        let error =
            failure.error_at(-1, -1, format!("`{}` is no part of what a claim is about", shorten(failure.word(-1))));
        return Some(error.hint(
            "what is claimed stands behind `:`, `claim \"title\" for n in nat: C`; a condition on n behind `where`",
        ));
    }
    if failure.word(-1) == ":" && matches!(word, "for" | "forall" | "every") {
        let error = failure.error(format!("no `{word}` follows the `:` of a claim"));
        return Some(error.hint("what it is about stands before: `claim \"title\" for n in nat: C`"));
    }
    None
}

/// `A if C else B`, `x in S if C`, `k in 1..n and C`, `k in S when C`, `move left when C`, `k in S, if C`
fn condition(failure: &Failure) -> Option<Diagnostic> {
    let word = failure.word(0);
    let begins = |word: &str| format!("a condition among clauses begins with `where`, not with `{word}`");
    if failure.word(-1) == "when" && failure.expects(Rule::k_in) {
        return Some(failure.error_at(-1, -1, begins("when")).hint("write `where C`"));
    }
    let after_comma = failure.word(-1) == "," && failure.expects(Rule::k_where);
    let after_name = failure.expects(Rule::arrow) && failure.expects(Rule::clauses);
    if word == "if" && (after_comma || after_name) {
        return Some(failure.error(begins(word)).hint("write `where C`"));
    }
    if !failure.expects_operator() {
        return None;
    }
    let clauses = failure.expects(Rule::k_where);
    match word {
        "if" if !clauses && failure.index > 0 && !failure.expects(Rule::k_move) => {
            Some(failure.error("an `if` begins with its condition").hint("write `if C then A else B`"))
        }
        "if" | "when" | "such" | "provided" | "suchthat" | "and" | "or" | "unless" if clauses => {
            Some(failure.error(begins(word)).hint("write `k in 1..n where C`"))
        }
        "for" if clauses => {
            let error = failure.error("a second `for` is a comma");
            Some(error.hint("write `for x in a, y in b`"))
        }
        ":" if failure.expects(Rule::arrow) => Some(
            failure
                .error("`:` does not end the clauses of a move")
                .hint("write `->` and the target: `move t k in 1..n -> P`"),
        ),
        ":" if failure.expects(Rule::rc) && !failure.expects(Rule::k_move) => {
            let error = failure.error("`:` cannot stand in a set");
            Some(
                error.hint(
                    "a set is `{a, b}` or `{E for x in xs where C}`; what belongs to each number is a list, `xs[i]`",
                ),
            )
        }
        ":" if failure.expects(Rule::with) || failure.expects(Rule::k_with) => {
            let error = failure.error("`:` joins nothing");
            Some(error.hint("write `[x] + xs` for the list with one more item in front"))
        }
        _ => None,
    }
}

/// `move t k <= n -> P`, `move t k -> P`, `for n:`, `move t 1 <= k`
fn clause(failure: &Failure) -> Option<Diagnostic> {
    let word = failure.word(0);
    if failure.expects(Rule::k_in) && !failure.expects_operator() && failure.shape(-1) == Some(Shape::Word) {
        let name = failure.word(-1);
        if matches!(word, "<" | "<=" | ">" | ">=" | "!=" | "mod" | "div" | "+" | "-" | "*" | "and" | "or") {
            let error = failure.error_at(-1, 0, format!("`{name} {word}` begins no clause"));
            return Some(error.hint(format!(
                "write `{name} in 1..n` to go through numbers, `where {name} {word} ..` for a condition"
            )));
        }
        if matches!(word, "->" | ":" | "from" | "between" | "of") || word == "where" && failure.word(-2) != "," {
            let error = failure.error(format!("what `{name}` goes through is missing before `{word}`"));
            if word == "from" {
                return Some(
                    failure
                        .error("`from` means nothing here")
                        .hint(format!("write `{name} in 1..n`: `in` and the values")),
                );
            }
            let values = if word == ":" { "nat" } else { "1..n" };
            return Some(error.hint(format!("write `{name} in {values}`")));
        }
    }
    let number = failure.shape(0) == Some(Shape::Number);
    (number && failure.expects(Rule::clauses) && failure.expects(Rule::arrow)).then(|| {
        let error = failure.error("a clause begins with the name that it gives");
        error.hint("write `k in 1..n` to go through numbers, `where 1 <= k` for a condition")
    })
}

/// `a is b`, `s union t`, ``a `div` b``, `f"..."`, `f x`
fn infix(failure: &Failure) -> Option<Diagnostic> {
    if !failure.expects_operator() || failure.index == 0 || failure.expects(Rule::k_move) {
        return None;
    }
    let word = failure.word(0);
    let touching = failure.token(-1).zip(failure.token(0)).is_some_and(|(first, second)| first.end == second.start);
    let instead = match word {
        "is" | "equals" | "eq" => "`==`",
        "isnt" | "neq" | "ne" => "`!=`",
        "union" | "cup" | "plus" => "`+`",
        "intersect" | "intersection" | "inter" | "cap" => "`&`",
        "minus" | "setminus" | "without" | "except" => "`-`",
        "times" => "`*`",
        "over" => "`div`, or `/` for an exact fraction",
        "modulo" | "rem" => "`mod`",
        "to" | "upto" | "through" => "`..`: `1..n`, with both ends",
        "choose" => "`product(n - k + 1..n) div product(1..k)`",
        "divides" => "`b mod a == 0`",
        "contains" | "has" | "includes" => "`x in xs`",
        "subset" | "issubset" => "`a - b == {}`",
        "shl" => "`a * 2 ** b`",
        "shr" => "`a div 2 ** b`",
        "implied" => "`implies`",
        _ if failure.shape(0) == Some(Shape::Quoted) => {
            let bare = word.trim_matches('`');
            let known = matches!(bare, "div" | "mod" | "xor");
            let error = failure.error(format!("`{bare}` in backquotes is a name"));
            let hint = if known { format!("write `a {bare} b`") } else { format!("write `{bare}(a, b)`") };
            return Some(error.hint(hint));
        }
        _ if failure.shape(0) == Some(Shape::Text) && touching && matches!(failure.word(-1), "f" | "r" | "b" | "u") => {
            let error = failure.error_at(-1, 0, format!("no `{}` stands before a text", failure.word(-1)));
            return Some(error.hint("`text(n)` writes a number, and `+` joins texts"));
        }
        _ => return None,
    };
    let error = failure.error(format!("`{word}` means nothing here"));
    Some(error.hint(format!("write {instead}")))
}

/// `solve P, Q`, `table grundy P`, `expect P first`, `expect P: win`, `expect grundy(P) == 3`, `xs[i, j]`
fn question(failure: &Failure) -> Option<Diagnostic> {
    let begins = failure.tokens.first().map_or("", |token| token.text(failure.text));
    let word = failure.word(0);
    match begins {
        "solve" if word == "," && failure.expects_operator() && failure.open_bracket().is_none() => {
            let error = failure.error("`solve` asks about one position");
            return Some(error.hint("write a `solve` line for each; `P + Q` is the sum of two"));
        }
        "expect" if failure.expects(Rule::fact) => {
            let player = match word {
                "win" | "wins" | "won" | "winning" | "W" | "N" | "yes" | "true" => "first",
                "lose" | "loses" | "lost" | "losing" | "L" | "P" | "no" | "false" => "second",
                _ => return None,
            };
            let error = failure.error(format!("`{word}` is no fact of a position"));
            return Some(error.hint(format!("write `{player}`: the player to move is the first")));
        }
        "expect" if failure.expects(Rule::colon) && failure.open_bracket().is_none() => {
            let error = failure.error(format!("`:` and what is expected are missing before {}", failure.found()));
            return Some(
                error.hint("write `expect P: first grundy 2`; any other condition is a claim, `claim \"title\": C`"),
            );
        }
        _ => {}
    }
    let inside = failure.open_bracket().map_or("", |at| failure.tokens[at].text(failure.text));
    if word == "," && inside == "[" && failure.expects(Rule::set_op) {
        return Some(failure.error("one index stands in `[` and `]`").hint("write `xs[i][j]`; of a grid `g[(r, c)]`"));
    }
    if inside == "(" && matches!(word, "+=" | "-=" | ":=") && failure.expects_operator() {
        let error = failure.error(format!("`{word}` changes one place of a list, `xs[i {word} k]`"));
        return Some(error.hint("a position is made anew: write `n - k`, `n + k`"));
    }
    if failure.expects_operator() && matches!(failure.word(-1), "case" | "switch" | "match") {
        let error = failure.error_at(-1, -1, format!("`{}` means nothing here", failure.word(-1)));
        return Some(error.hint("write `if C then A else if D then B else E`"));
    }
    let capital = failure.word(-1).starts_with(|first: char| first.is_ascii_uppercase());
    let state = matches!(failure.shape(0), Some(Shape::Number | Shape::Text)) || word == "{";
    if capital && state && failure.expects_operator() && !failure.expects(Rule::colon) {
        let error = failure.error(format!("the state of `{}` stands in brackets", shorten(failure.word(-1))));
        return Some(error.hint(format!(
            "write `{}({})`",
            shorten(failure.word(-1)),
            if word == "{" { ".." } else { word }
        )));
    }
    let call = failure.shape(-1) == Some(Shape::Word)
        && !is_reserved(failure.word(-1))
        && !matches!(failure.word(-1), "again" | "gain" | "score" | "until" | "line" | "players")
        && failure.word(-1).starts_with(|first: char| first.is_ascii_lowercase())
        && (matches!(failure.shape(0), Some(Shape::Word | Shape::Number | Shape::Text)) && !is_reserved(word)
            || word == "{");
    let begun = failure.expects(Rule::arrow) || failure.expects(Rule::k_move) || failure.expects(Rule::w_when);
    (call && failure.expects_operator() && !failure.expects(Rule::colon) && !begun && failure.index > 1).then(|| {
        let error = failure.error(format!("`{}` cannot follow `{}`", shorten(word), shorten(failure.word(-1))));
        error.hint(format!(
            "a call has brackets, `{}(..)`; between two values an operator or a comma is missing",
            shorten(failure.word(-1))
        ))
    })
}
