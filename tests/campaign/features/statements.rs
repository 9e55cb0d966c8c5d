//! Random statements with known truth: theorems about all positions of a game, claims over ranges, and `expect` lines.
//! What is true is never refuted, what is false never verified; and answers by theorems are those of a search.

use super::compare::{Question, WAYS, fact, is_limit, json, objects, solve, term};
use super::games::{Field, Game, Plays};
use super::play::{Answer, Choice, Grundy, Kind, Play, Start};
use super::random::Random;
use super::values::{Domain, Value};
use super::{Told, pick_some};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The positions of a game with their answers.
type Rows = Vec<(Vec<Value>, Answer)>;

/// A statement: its line, and the instances at which it is false.
struct Statement {
    line: String,
    names: Vec<String>,
    /// What the names stand for; `None`: the sizes of their values are the usual ones.
    domains: Vec<Option<Domain>>,
    fails: Vec<Vec<Value>>,
}

impl Statement {
    /// What is wrong with what the program says.
    fn differs(&self, said: &Json, is_big: bool, told: &mut Told) -> bool {
        let verdict = said["verdict"].as_str().unwrap_or("none");
        let kind = said["kind"].as_str().unwrap_or_default();
        told.note(format!("{kind} {} {verdict}", if self.fails.is_empty() { "true" } else { "false" }));
        if !told.is_answer(is_limit(said) || verdict == "UNKNOWN") {
            return false;
        }
        let size = |values: &Vec<Value>| -> u128 {
            let sizes = values.iter().zip(&self.domains).map(|(v, d)| d.as_ref().map_or(v.size(), |d| d.size(v)));
            sizes.sum()
        };
        let smallest = self.fails.iter().map(size).min();
        let Some(smallest) = smallest else { return !matches!(verdict, "VERIFIED" | "PROVED") };
        if verdict == "VERIFIED" {
            // True up to a bound.
            let bound = said["bound"].as_str().unwrap_or_default().rsplit([' ', '-']).next();
            return bound.and_then(|n| n.parse().ok()).is_none_or(|bound: u128| bound >= smallest);
        }
        // Sizes beyond machine words are not told apart.
        let is_least = |f: &&Vec<Value>| is_big || size(f) == smallest;
        let mut smallest = self.fails.iter().filter(is_least);
        let object = |values: &Vec<Value>| -> Json {
            self.names.iter().cloned().zip(values.iter().map(json)).collect::<serde_json::Map<_, _>>().into()
        };
        verdict != "REFUTED" || smallest.all(|values| object(values) != said["counterexample"])
    }
}

/// One value, or a tuple of them.
fn key(parts: &[String]) -> String {
    if let [one] = parts { one.clone() } else { format!("({})", parts.join(", ")) }
}
/// The parameters and fields of a game.
fn names(game: &Game) -> Vec<String> {
    game.all().iter().map(|f| f.name.to_string()).collect()
}
/// These as an answer names them, and what they stand for.
fn header(game: &Game) -> (Vec<String>, Vec<Option<Domain>>) {
    let plain = names(game).iter().map(|name| name.trim_matches('`').to_string()).collect();
    (plain, game.all().iter().map(|f| Some(f.domain.clone())).collect())
}
fn values_key(values: &[Value]) -> String {
    key(&values.iter().map(Value::text).collect::<Vec<_>>())
}

/// Every legal position of a game with few of them.
fn rows(play: &Play, index: usize) -> Option<(Rows, bool)> {
    let domains: Vec<&Domain> = play.file.games[index].all().into_iter().map(|f| &f.domain).collect();
    if domains.iter().map(|d| d.members().len()).product::<usize>() > 220 {
        return None;
    }
    let all = Domain::Tuple(domains.into_iter().cloned().collect()).members();
    let count = all.len();
    let (mut states, mut starts) = (Vec::new(), Vec::new());
    for values in all {
        let component = play.component(index, values.members()).ok()?;
        if play.is_legal(component).ok()? {
            states.push(values.members());
            starts.push(Start { components: vec![component], same: vec![0] });
        }
    }
    let is_whole = starts.len() == count;
    let answers = play.answers(Kind::Sum, play.file.is_misere, &starts).ok()?;
    (!starts.is_empty()).then(|| (states.into_iter().zip(answers).collect(), is_whole))
}

fn is_defined(answer: &Answer, what: &str) -> bool {
    match what {
        "grundy" => matches!(answer.grundy, Grundy::Number(_)),
        "remoteness" => answer.remoteness.is_some(),
        "score" => answer.score.is_some(),
        _ => true,
    }
}

/// A value that is wrong.
fn other(value: &Value, random: &mut Random) -> Value {
    match value {
        Value::Int(i) => Value::Int(i + random.number(1, 2)),
        Value::Bool(b) => Value::Bool(!b),
        _ => {
            let words = ["first", "second", "draw"].map(|word| Value::Text(word.to_string()));
            let others: Vec<Value> = words.into_iter().filter(|word| word != value).collect();
            random.rng.pick(&others).clone()
        }
    }
}

/// A theorem about all positions, with the table that it looks in.
fn theorem(
    what: &str,
    all: &Rows,
    is_whole: bool,
    game: &Game,
    number: usize,
    random: &mut Random,
) -> Option<(String, Statement)> {
    let defined: Vec<_> = all.iter().filter(|(_, answer)| is_defined(answer, what)).collect();
    let mut entries: Vec<(&Vec<Value>, Value)> = defined.iter().map(|(v, answer)| (v, fact(answer, what))).collect();
    if entries.is_empty() {
        return None;
    }
    let mut fails = Vec::new();
    if random.chance(40) {
        let at = random.rng.below(entries.len());
        entries[at].1 = other(&entries[at].1, random);
        fails.push(entries[at].0.clone());
    }
    let (table, this) = (format!("tab{number}z"), key(&names(game)));
    let (names, domains) = header(game);
    let list = |entries: Vec<String>| entries.join(", ");
    let (body, line);
    if let Value::Bool(_) = entries[0].1 {
        let keys: Vec<String> = entries.iter().filter(|(_, v)| v.truth()).map(|(k, _)| values_key(k)).collect();
        if keys.is_empty() {
            return Some((
                String::new(),
                Statement { line: format!("theorem {what} iff false"), names, domains, fails },
            ));
        }
        body = format!("{{{}}}", list(keys));
        line = format!("theorem {what} iff {this} in {table}");
    } else {
        let pair = |(k, v): &(&Vec<Value>, Value)| format!("({}, {})", values_key(k), v.text());
        body = format!("[{}]", list(entries.iter().map(pair).collect()));
        let guard = if entries.len() < all.len() || !is_whole || random.chance(30) {
            format!(" where any(k8z == {this} for (k8z, w8z) in {table})")
        } else {
            String::new()
        };
        line = format!("theorem {what} = first([v9z for (k9z, v9z) in {table} where k9z == {this}]){guard}");
    }
    Some((format!("let {table} = {body}\n"), Statement { line, names, domains, fails }))
}

/// Theorems that state the good moves of each name, if its moves are told apart by name and binders.
fn good_moves(play: &Play, index: usize, all: &Rows, random: &mut Random) -> Option<Vec<(String, Statement)>> {
    let game = &play.file.games[index];
    let what = if random.chance(60) || play.file.plays == Plays::Scores { "winning" } else { "drawing" };
    let good = |answer: &Answer| if what == "winning" { answer.winning.clone() } else { answer.drawing.clone() };
    let values_of = |choice: &Choice| -> Vec<Value> { choice[0].1.binders.iter().map(|(_, v)| v.clone()).collect() };
    for (i, mv) in game.moves.iter().enumerate() {
        if game.moves[..i].iter().any(|before| before.name == mv.name) {
            return None;
        }
    }
    for (_, answer) in all {
        let mut seen: Vec<_> = answer.moves.iter().map(|choice| (choice[0].1.name, values_of(choice))).collect();
        let count = seen.len();
        seen.sort();
        seen.dedup();
        if seen.len() < count {
            return None;
        }
    }
    let mut made = Vec::new();
    for mv in &game.moves {
        let mut list = Vec::new();
        for (values, answer) in all {
            let of_name = good(answer).into_iter().filter(|choice| choice[0].1.name == mv.name);
            list.extend(of_name.map(|choice| (values.clone(), values_of(&choice))));
        }
        if list.is_empty() {
            continue;
        }
        let mut fails = Vec::new();
        if list.len() > 1 && random.chance(20) {
            let at = random.rng.below(list.len());
            fails.push(list.remove(at).0);
        }
        let (table, this) = (format!("tab{}{}z", what, made.len()), key(&names(game)));
        let binders: Vec<String> = mv.binders().iter().map(ToString::to_string).collect();
        let (body, over);
        if binders.is_empty() {
            body = format!("{{{}}}", list.iter().map(|(k, _)| values_key(k)).collect::<Vec<_>>().join(", "));
            over = format!("_q9z in 0..0, where {this} in {table}");
        } else {
            let entry = |(k, v): &(Vec<Value>, Vec<Value>)| {
                let values: Vec<String> = v.iter().map(Value::text).collect();
                format!("({}, {})", values_key(k), values.join(", "))
            };
            body = format!("[{}]", list.iter().map(entry).collect::<Vec<_>>().join(", "));
            let parts: Vec<String> = (0..binders.len()).map(|i| format!("t{i}z")).collect();
            let (found, all) = (key(&parts), parts.join(", "));
            over = format!("{} in [{found} for (k7z, {all}) in {table} where k7z == {this}]", key(&binders));
        }
        let line = format!("theorem {what} {} for {over}", mv.name);
        let (names, domains) = header(game);
        made.push((format!("let {table} = {body}\n"), Statement { line, names, domains, fails }));
    }
    Some(made)
}

/// A claim over one field or two.
fn claim(play: &Play, index: usize, all: &Rows, random: &mut Random) -> Option<Statement> {
    let game = &play.file.games[index];
    let fields: Vec<&Field> = game.all();
    let start = random.rng.pick(all).0.clone();
    let may = |i: &usize| !fields[*i].domain.is_graphic();
    let mut axes = pick_some((0..fields.len()).filter(may).collect(), 2, &mut random.rng);
    if axes.is_empty() {
        return None;
    }
    axes.sort_unstable();
    if random.chance(40) {
        axes.truncate(1);
    }
    let by: BTreeMap<&Vec<Value>, &Answer> = all.iter().map(|(values, answer)| (values, answer)).collect();
    let domains = axes.iter().map(|i| fields[*i].domain.clone()).collect();
    let mut instances: Vec<(Vec<Value>, &Answer)> = Vec::new();
    for instance in Domain::Tuple(domains).members() {
        let mut values = start.clone();
        for (i, value) in axes.iter().zip(instance.members()) {
            values[*i] = value;
        }
        instances.push((instance.members(), by.get(&values).copied()?));
    }
    let mut whats = vec!["outcome", "wins", "winning", "moves"];
    for what in ["grundy", "remoteness", "score"] {
        whats.extend(instances.iter().all(|(_, answer)| is_defined(answer, what)).then_some(what));
    }
    let what = *random.rng.pick(&whats);
    let mut entries: Vec<(Vec<Value>, Value)> = instances.into_iter().map(|(k, a)| (k, fact(a, what))).collect();
    let mut fails = Vec::new();
    if random.chance(50) {
        for _ in 0..random.number(1, 2) {
            let at = random.rng.below(entries.len());
            if !fails.contains(&entries[at].0) {
                entries[at].1 = other(&entries[at].1, random);
                fails.push(entries[at].0.clone());
            }
        }
    }
    let names: Vec<String> = (0..axes.len()).map(|i| format!("c{i}z")).collect();
    let mut texts: Vec<String> = start.iter().map(Value::text).collect();
    let (mut ranges, mut domains) = (Vec::new(), Vec::new());
    for (name, i) in names.iter().zip(&axes) {
        texts[*i].clone_from(name);
        let range = match &fields[*i].domain {
            // Ranges of numbers beyond 63 bits are errors.
            Domain::Int { low, high, .. } if low.abs().max(high.abs()) < 1 << 62 => format!("{low}..{high}"),
            Domain::Vertex(..) => "gr0".to_string(),
            domain => Value::List(domain.members()).text(),
        };
        domains.push(Some(fields[*i].domain.clone()).filter(|d| matches!(d, Domain::Vertex(..))));
        ranges.push(format!("{name} in {range}"));
    }
    let position = game.position(&texts);
    let asked = match what {
        "winning" | "moves" => format!("size({what}({position}))"),
        _ => format!("{what}({position})"),
    };
    let list: Vec<String> = entries.iter().map(|(k, v)| format!("({}, {})", values_key(k), v.text())).collect();
    let table = format!("[{}]", list.join(", "));
    let right = if what == "wins" {
        format!("iff any(k9z == {} and v9z for (k9z, v9z) in {table})", key(&names))
    } else {
        format!("== first([v9z for (k9z, v9z) in {table} where k9z == {}])", key(&names))
    };
    let meant = if !fails.is_empty() && random.chance(50) { "false " } else { "" };
    let line = format!("claim {meant}\"c\" for {}: {asked} {right}\n", ranges.join(", "));
    Some(Statement { line, names, domains, fails })
}

/// An `expect` line, and whether it is true.
fn expect(play: &Play, index: usize, all: &Rows, random: &mut Random) -> (String, bool) {
    let (values, answer) = random.rng.pick(all);
    let mut facts = vec![("", fact(answer, "outcome")), ("winning ", fact(answer, "winning"))];
    for (word, what) in [("grundy ", "grundy"), ("remoteness ", "remoteness"), ("score ", "score")] {
        facts.extend(is_defined(answer, what).then(|| (word, fact(answer, what))));
    }
    let is_true = random.chance(60);
    if !is_true {
        let at = random.rng.below(facts.len());
        facts[at].1 = other(&facts[at].1, random);
    }
    let facts: Vec<String> = facts.iter().map(|(word, v)| format!("{word}{}", v.text().trim_matches('"'))).collect();
    (format!("expect {}: {}\n", term(play, index, values), facts.join(" ")), is_true)
}

/// Random statements about one game of the file.
pub(super) fn check(play: &Play, random: &mut Random, told: &mut Told) {
    let file = play.file;
    let index = random.rng.below(file.games.len());
    let Some((all, is_whole)) = rows(play, index) else { return };
    let game = &file.games[index];
    let whats: &[&str] = if all[0].1.score.is_some() {
        &["score", "wins", "outcome"]
    } else {
        &["grundy", "wins", "loses", "draws", "outcome", "remoteness"]
    };
    // Graphs are not compared, so no table says anything of all of them, and not all reals are tried.
    let is_stated = !game.all().iter().any(|f| matches!(f.domain, Domain::Graph(_) | Domain::Real(_)));
    let whats = pick_some(whats.to_vec(), if is_stated { 3 } else { 0 }, &mut random.rng);
    let mut theorems: Vec<(String, Statement)> = (whats.iter().enumerate())
        .filter_map(|(number, what)| theorem(what, &all, is_whole, game, number, random))
        .collect();
    if is_stated && random.chance(60) {
        theorems.extend(good_moves(play, index, &all, random).unwrap_or_default());
    }
    let claims: Vec<Statement> = (0..2).filter_map(|_| claim(play, index, &all, random)).collect();
    let expects: Vec<(String, bool)> = (0..2).map(|_| expect(play, index, &all, random)).collect();
    let lines: Vec<String> = theorems.iter().map(|(_, theorem)| theorem.line.clone()).collect();
    let mut text = file.text(index, &lines);
    theorems
        .iter()
        .map(|t| &t.0)
        .chain(claims.iter().map(|c| &c.line))
        .chain(expects.iter().map(|e| &e.0))
        .for_each(|line| text += line);
    let found = objects(&text, &["check"]).unwrap_or_else(|e| vec![json!({ "kind": e })]);
    let of = |kind: &str| found.iter().filter(|o| o["kind"] == kind).collect::<Vec<_>>();
    let (said, claimed, expected) = (of("theorem"), of("claim"), of("expect"));
    if (said.len(), claimed.len(), expected.len()) != (theorems.len(), claims.len(), expects.len()) {
        told.wrong(&text, &["check"], &format!("{} theorems, {} claims: {found:?}", theorems.len(), claims.len()));
        return;
    }
    let statements = theorems.iter().map(|(_, theorem)| theorem).zip(said).chain(claims.iter().zip(claimed));
    for (statement, said) in statements {
        if statement.differs(said, file.is_big, told) {
            told.wrong(&text, &["check"], &format!("{}\n{said}\nfails at {:?}", statement.line, statement.fails));
        }
    }
    for ((line, is_true), said) in expects.iter().zip(expected) {
        let right = if *is_true { "PASSED" } else { "FAILED" };
        if told.is_answer(is_limit(said)) && said["verdict"] != right {
            told.wrong(&text, &["check"], &format!("{line}{said}"));
        }
    }
    for said in found.iter().filter(|o| o["verdict"] == "REFUTED" && o["kind"] == "same as") {
        told.wrong(&text, &["check"], &format!("{said}"));
    }
    by_theorems(play, index, &all, &theorems, random, told);
}

/// With true theorems the answers are the same.
fn by_theorems(
    play: &Play,
    index: usize,
    all: &Rows,
    theorems: &[(String, Statement)],
    random: &mut Random,
    told: &mut Told,
) {
    // A name without its line has no winning move: all or none of these.
    let is_moves = |s: &Statement| s.line.starts_with("theorem winning") || s.line.starts_with("theorem drawing");
    let are_moves_true = theorems.iter().all(|(_, s)| !is_moves(s) || s.fails.is_empty());
    let is_good = |s: &Statement| s.fails.is_empty() && (are_moves_true || !is_moves(s));
    let good: Vec<_> = theorems.iter().filter(|(_, s)| is_good(s)).collect();
    let mut asked = Vec::new();
    let is_misere = play.file.is_misere;
    for i in 0..8 {
        let chosen: Vec<_> = (0..=i / 5).map(|_| random.rng.pick(all).clone()).collect();
        let mut components = Vec::new();
        for (values, _) in &chosen {
            components.extend(play.component(index, values.clone()));
        }
        let text = chosen.iter().map(|(values, _)| term(play, index, values)).collect::<Vec<_>>().join(" + ");
        let start = Start { same: (0..components.len()).collect(), components };
        if let Ok(mut answers) = play.answers(Kind::Sum, is_misere, std::slice::from_ref(&start)) {
            let is_single = chosen.len() == 1;
            asked.push((Question { text, kind: Kind::Sum, start, is_misere, is_single }, answers.remove(0)));
        }
    }
    if asked.is_empty() {
        return;
    }
    let lines: Vec<String> = good.iter().map(|(_, s)| s.line.clone()).collect();
    let mut text = play.file.text(index, &lines);
    text.extend(good.iter().map(|(table, _)| &table[..]));
    for (question, _) in &asked {
        writeln!(text, "solve {}", question.text).expect("a string");
    }
    let pairs: Vec<_> = asked.iter().map(|(question, answer)| (question, answer)).collect();
    let way = *random.rng.pick(&WAYS);
    for said in solve(&text, &pairs, way, told) {
        told.note(format!("method {}", said["method"].as_str().unwrap_or("none")));
    }
}
