//! One change in a game text: a number, an operator, a word, a variable, a condition or a move that is left out.

/// A token: where it stands, and what it is.
#[derive(Clone, Copy)]
struct Token<'t> {
    at: usize,
    text: &'t str,
}

/// A text with one change, and what was changed.
pub(crate) struct Mutant {
    pub(crate) text: String,
    pub(crate) change: String,
}

/// Lines that ask questions, and are left as they are.
const QUESTIONS: [&str; 7] = ["input ", "solve ", "table ", "expect ", "use ", "data ", "show "];

const SIGNS: [&str; 14] = ["->", "<=", ">=", "==", "!=", "..", "**", ":=", "+=", "-=", "<", ">", "+", "-"];

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut fresh = true;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = |good: &dyn Fn(char) -> bool| rest.find(|c| !good(c)).unwrap_or(rest.len());
        let question = fresh && QUESTIONS.iter().any(|word| rest.starts_with(word));
        fresh = first == '\n';
        let step = if first == '#' || question {
            length(&|c| c != '\n')
        } else if first == '"' {
            rest[1..].find('"').map_or(rest.len(), |end| end + 2)
        } else if first.is_whitespace() {
            first.len_utf8()
        } else {
            let step = if first.is_ascii_digit() {
                length(&|c| c.is_ascii_digit())
            } else if first.is_alphabetic() {
                length(&|c| c.is_alphanumeric() || c == '_')
            } else {
                SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(first.len_utf8(), |sign| sign.len())
            };
            found.push(Token { at, text: &rest[..step] });
            step
        };
        at += step;
    }
    found
}

/// What may stand in the place of a word or a sign.
fn others(token: &str) -> &'static [&'static str] {
    match token {
        "<" => &["<=", ">"],
        "<=" => &["<"],
        ">" => &[">=", "<"],
        ">=" => &[">"],
        "==" => &["!=", "<="],
        "!=" => &["=="],
        "+" | "abs" => &["-"],
        "-" => &["+"],
        "*" | "div" => &["+", "mod"],
        "-=" => &[":=", "+="],
        "+=" => &["-=", ":="],
        "and" => &["or"],
        "or" | "implies" => &["and"],
        "iff" => &["implies"],
        "xor" => &["+", "&"],
        "mod" => &["div"],
        "min" => &["max"],
        "max" => &["min"],
        "any" => &["all"],
        "all" => &["any"],
        "not" | "misere" | "sort" => &[""],
        "win" => &["lose"],
        "lose" => &["win"],
        "won" => &["lost"],
        "lost" => &["won"],
        "wins" => &["loses"],
        "loses" => &["wins"],
        "game" => &["misere game"],
        _ => &[],
    }
}

const RESERVED: [&str; 36] = [
    "game", "misere", "move", "theorem", "def", "claim", "for", "in", "where", "with", "if", "then", "else", "and",
    "or", "not", "iff", "implies", "xor", "div", "mod", "nat", "int", "list", "set", "of", "bool", "end", "when",
    "legal", "false", "true", "win", "lose", "loses", "wins",
];

/// Every text with one change, in the order of the places.
pub(crate) fn mutants(text: &str) -> Vec<Mutant> {
    let all = tokens(text);
    let mut found = Vec::new();
    let mut put = |from: usize, to: usize, new: &str| {
        let line = 1 + text[..from].matches('\n').count();
        let change = format!("line {line}: `{}` is `{new}`", &text[from..to]);
        found.push(Mutant { text: format!("{}{new}{}", &text[..from], &text[to..]), change });
    };
    for (i, token) in all.iter().enumerate() {
        let end = token.at + token.text.len();
        for new in others(token.text) {
            put(token.at, end, new);
        }
        if let Ok(number) = token.text.parse::<u64>() {
            put(token.at, end, &(number + 1).to_string());
            if number > 0 {
                put(token.at, end, &(number - 1).to_string());
            }
        }
        if is_variable(&all, i) {
            for new in near(&all, i) {
                put(token.at, end, new);
            }
        }
        if token.text == "where" {
            put(token.at, condition_end(text, &all, i), "");
        }
        if token.text == "move" {
            put(token.at, text[token.at..].find('\n').map_or(text.len(), |length| token.at + length), "");
        }
    }
    found
}

fn is_variable(all: &[Token<'_>], i: usize) -> bool {
    let name = all[i].text;
    let called = all.get(i + 1).is_some_and(|next| next.text == "(" || next.text == ":");
    let named = i > 0 && ["move", "def", "winning", "drawing", "game", "theorem"].contains(&all[i - 1].text);
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.len() <= 5
        && !called
        && !named
        && !RESERVED.contains(&name)
}

/// Other variables that stand within twenty tokens: the two nearest.
fn near<'t>(all: &[Token<'t>], i: usize) -> Vec<&'t str> {
    let mut found: Vec<&str> = Vec::new();
    for distance in 1..20 {
        for j in [i.checked_sub(distance), Some(i + distance)].into_iter().flatten() {
            if j < all.len() && is_variable(all, j) && all[j].text != all[i].text && !found.contains(&all[j].text) {
                found.push(all[j].text);
            }
        }
    }
    found.truncate(2);
    found
}

/// Where the condition after a `where` ends: at an arrow, a colon, a bracket that closes more than it opened, or the line.
fn condition_end(text: &str, all: &[Token<'_>], i: usize) -> usize {
    let mut depth = 0;
    let mut end = all[i].at + all[i].text.len();
    for pair in all[i..].windows(2) {
        let [token, next] = pair else { break };
        if text[token.at..next.at].contains('\n') {
            break;
        }
        match next.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        let opens_rules = next.text == "{" && text[next.at + 1..].starts_with('\n');
        if depth < 0 || opens_rules || depth == 0 && ["->", ":", "with"].contains(&next.text) {
            break;
        }
        end = next.at + next.text.len();
    }
    end
}
