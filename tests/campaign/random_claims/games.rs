//! Random games of several forms, and what may be claimed of them.

use super::terms::{Random, Words, reader};
use std::fmt::Write as _;

/// A file without claims, and a position made of the claim's variables.
pub(crate) struct Game {
    pub(crate) text: String,
    pub(crate) position: String,
    pub(crate) variables: Vec<String>,
    pub(crate) misere: bool,
    pub(crate) words: Words,
}

impl Game {
    pub(crate) fn random(random: &mut Random) -> Game {
        let doubtful = [0, 0, 3, 8][random.below(4)];
        let mut words = Words { names: Vec::new(), truths: Vec::new(), numbers: Vec::new(), doubtful };
        let mut text = String::new();
        if random.one_in(3) {
            let (def, call) = reader(random, "d");
            text += &def;
            words.truths.push(call);
        }
        if random.one_in(4) {
            text += random.of(&[
                "def f(x: nat): int = x + 1\n",
                "def f(x: nat): int = 2 - x\n",
                "def f(x: int): nat = x + 2\n",
                "def f(x) = if x > 3 then x - 3 else [0, 1, 0, 2][x]\n",
            ]);
            words.numbers.push("f(#)".into());
        }
        let misere = random.one_in(4);
        let form = random.below(8);
        let fields: &[(&str, &str)] = match form {
            0..=2 => &[("n", "nat")],
            3 | 4 => &[("a", "nat"), ("b", "nat")],
            5 => &[("z", "int"), ("n", "nat")],
            6 => &[("n", "nat"), ("z", "int")],
            _ => &[("h", "list of nat")],
        };
        let param = form == 2 && random.one_in(2);
        let names: Vec<String> = if form == 7 {
            vec!["h[0]".into(), "h[1]".into()]
        } else {
            fields.iter().map(|(name, _)| (*name).to_string()).collect()
        };
        let mut own = Words { names, ..words.clone() };
        if param {
            own.names.push("m".into());
        }
        // A game that others may enter.
        let entered = random.one_in(4) && !misere;
        if entered {
            let most = 1 + random.below(3);
            writeln!(
                text,
                "game E(n) {{\n  move take k in 1..min(n, {most}) -> E(n - k)\n  theorem grundy = n mod {} }}",
                most + 1
            )
            .expect("a string");
        }
        let header: Vec<String> = fields.iter().map(|(name, kind)| format!("{name}: {kind}")).collect();
        let filter = if random.one_in(5) { format!(" where {}", own.truth(random, 1)) } else { String::new() };
        let param_text = if param { "[m]" } else { "" };
        writeln!(text, "{}game G{param_text}({}){filter} {{", if misere { "misere " } else { "" }, header.join(", "))
            .expect("a string");
        for number in 0..=random.below(3) {
            let name = ["one", "two", "three"][number];
            let line = if form == 7 { list_move(random, &own) } else { number_move(random, fields, &own, entered) };
            writeln!(text, "  move {name} {line}").expect("a string");
        }
        if random.one_in(6) {
            let said = if random.one_in(2) { "won" } else { "lost" };
            writeln!(text, "  end when {}: {said}", own.truth(random, 1)).expect("a string");
        }
        if random.one_in(12) {
            writeln!(text, "  legal when {}", own.truth(random, 1)).expect("a string");
        }
        text += "}\n";
        let fixed = random.below(4).to_string();
        let (position, variables): (String, Vec<String>) = match form {
            0..=2 if param && random.one_in(3) => ("G[q1](q1)".into(), vec!["q1".into()]),
            0..=2 if param => (format!("G[{fixed}](q1)"), vec!["q1".into()]),
            0..=2 => ("G(q1)".into(), vec!["q1".into()]),
            7 if random.one_in(3) => ("G([q1])".into(), vec!["q1".into()]),
            7 => ("G([q1, q2])".into(), vec!["q1".into(), "q2".into()]),
            _ => ("G(q1, q2)".into(), vec!["q1".into(), "q2".into()]),
        };
        words.names.clone_from(&variables);
        Game { text, position, variables, misere, words }
    }
}

/// `k in RANGE where C -> TARGET`, mostly so that numbers go down.
fn number_move(random: &mut Random, fields: &[(&str, &str)], own: &Words, entered: bool) -> String {
    let at = random.below(fields.len());
    let name = fields[at].0;
    let more = own.with("k");
    let most = 1 + random.below(4);
    let range = match random.below(9) {
        0..=3 => format!("1..min({name}, {most})"),
        4 => format!("1..{name}"),
        5 => format!("1..{}", own.int(random, 1)),
        6 => format!("-{most}..-1"),
        7 => format!("{{{most}, {}}}", own.int(random, 1)),
        _ => format!("0..{most}"),
    };
    let taken = match range.as_bytes()[0] {
        b'-' => format!("{name} + k"),
        _ => format!("{name} - k"),
    };
    let guard = match random.below(4) {
        0 => format!(" where {}", more.truth(random, 1)),
        1 => format!(" where {taken} >= 0"),
        _ => String::new(),
    };
    let place = |random: &mut Random| {
        let values: Vec<String> = fields
            .iter()
            .enumerate()
            .map(|(i, (field, _))| match random.below(8) {
                _ if i == at => taken.clone(),
                0..=4 => (*field).to_string(),
                5 => "k".to_string(),
                _ => more.int(random, 1),
            })
            .collect();
        format!("G({})", values.join(", "))
    };
    let target = match random.below(12) {
        0 => format!("{} + {}", place(random), place(random)),
        1 => format!("if {} then win else {}", more.truth(random, 1), place(random)),
        2 => format!("if {} then {} else lose", more.truth(random, 1), place(random)),
        3 if entered => format!("E({})", more.int(random, 1)),
        4 if entered => format!("{} + E(k)", place(random)),
        5 => format!("G({})", fields.iter().map(|_| more.int(random, 1)).collect::<Vec<_>>().join(", ")),
        6 => format!("G({})", fields.iter().map(|(field, _)| format!("{field} div 2")).collect::<Vec<_>>().join(", ")),
        _ => place(random),
    };
    format!("k in {range}{guard} -> {target}")
}

fn list_move(random: &mut Random, own: &Words) -> String {
    let own = Words { names: vec!["h[i]".into()], ..own.clone() };
    let most = 1 + random.below(4);
    let range = random.of(&["1..h[i]", "1..min(h[i], 2)", "1..min(h[i], 3)", "0..h[i]", "1..2"]);
    let more = own.with("k");
    let guard = if random.one_in(3) { format!(" where {}", more.truth(random, 1)) } else { String::new() };
    let target = match random.below(8) {
        0 => "h[i -= k, 0 -= 0]".to_string(),
        1 => format!("h[i := {}]", more.int(random, 1)),
        2 => format!("h[i := h[i] div {}]", most + 1),
        3 => "sort(h[i -= k])".to_string(),
        4 => "h[j -= k for j in indices(h) where j <= i and h[j] >= k]".to_string(),
        _ => "h[i -= k]".to_string(),
    };
    format!("i in indices(h), k in {range}{guard} -> G({target})")
}

/// A claim by parts, so that instances of it can be asked about.
#[derive(Clone)]
pub(crate) struct Claim {
    pub(crate) domains: Vec<(String, String)>,
    pub(crate) guard: String,
    pub(crate) condition: String,
}

impl Claim {
    pub(crate) fn text(&self, title: &str) -> String {
        let clauses: Vec<String> = self.domains.iter().map(|(name, of)| format!("{name} in {of}")).collect();
        format!("claim \"{title}\" for {}{}: {}\n", clauses.join(", "), self.guard, self.condition)
    }

    /// The claim at these values alone.
    pub(crate) fn at(&self, values: &[(String, String)]) -> Claim {
        let mut one = self.clone();
        let mut inside = Vec::new();
        for (name, of) in &mut one.domains {
            let value = values.iter().find(|(other, _)| other == name).map_or("0", |(_, value)| value);
            if of != "nat" {
                inside.push(format!("{name} in {of}"));
            }
            *of = format!("{value}..{value}");
        }
        one.guard =
            format!("{}{}", inside.iter().fold(String::new(), |all, inside| all + " where " + inside), self.guard);
        one
    }

    pub(crate) fn random(random: &mut Random, game: &Game, fitted: &[String]) -> Claim {
        let Game { position, variables, words, misere, .. } = game;
        let condition = if !fitted.is_empty() && random.one_in(2) {
            fitted[random.below(fitted.len())].clone()
        } else {
            words.truth(random, 2)
        };
        let far = words.int(random, 1);
        let condition = match random.below(12) {
            0..=5 => format!("loses({position}) iff ({condition})"),
            6 => format!("wins({position}) iff not ({condition})"),
            7 if !misere => format!("grundy({position}) == {}", words.int(random, 2)),
            8 if !misere => format!("grundy({position}) == (if {condition} then 0 else {})", words.int(random, 1)),
            9 => format!("outcome({position}) == (if {condition} then \"second\" else \"first\")"),
            10 => {
                let other = position.replace("q1", &far);
                format!("loses({other}) iff ({})", condition.replace("q1", &format!("({far})")))
            }
            _ => format!("loses({position} + {position}) iff ({condition})"),
        };
        let domains = variables
            .iter()
            .map(|name| {
                let of = match random.below(12) {
                    0 => format!("0..{}", random.below(2000)),
                    1 => format!("{}..3", random.below(6)),
                    2 => format!(
                        "[k for k in 0..6 where {}]",
                        Words { names: vec!["k".into()], ..words.clone() }.truth(random, 1)
                    ),
                    _ => "nat".to_string(),
                };
                (name.clone(), of)
            })
            .collect();
        let guard = if random.one_in(4) { format!(" where {}", words.truth(random, 1)) } else { String::new() };
        Claim { domains, guard, condition }
    }
}
