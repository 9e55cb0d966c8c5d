//! Questions about random games, put to the program in each of its ways, and held against the naive solver.

use super::expressions::{Clause, Ex, Name, Pattern, Run, clauses, op};
use super::games::Plays;
use super::play::{Answer, Choice, Grundy, Kind, Play, Start, firsts};
use super::random::Random;
use super::values::{Domain, Type, Value};
use super::{Told, pick_some};
use crate::program::run;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A position with its text.
pub(super) struct Question {
    pub(super) text: String,
    pub(super) kind: Kind,
    pub(super) start: Start,
    pub(super) is_misere: bool,
    /// One component, not written as a sum.
    pub(super) is_single: bool,
}

/// A random position, mostly high up.
pub(super) fn position(play: &Play, random: &mut Random, game: usize) -> Vec<Value> {
    let game = &play.file.games[game];
    let measure = game.params.len() + game.measure;
    let mut pick = |(i, f): (usize, &&super::games::Field)| {
        let value = f.domain.pick(&mut random.rng);
        if i != measure {
            return value;
        }
        [f.domain.pick(&mut random.rng), f.domain.pick(&mut random.rng), value]
            .into_iter()
            .max_by_key(|v| match v {
                Value::Int(i) => *i,
                v => v.members().len() as i128,
            })
            .expect("three")
    };
    game.all().iter().enumerate().map(&mut pick).collect()
}

/// The text of a position.
pub(super) fn term(play: &Play, game: usize, values: &[Value]) -> String {
    play.file.games[game].position(&values.iter().map(Value::text).collect::<Vec<_>>())
}

fn question(play: &Play, random: &mut Random) -> Run<Question> {
    let file = play.file;
    let any = |random: &mut Random| {
        let game = random.rng.below(file.games.len());
        let values = position(play, random, game);
        (term(play, game, &values), game, values)
    };
    let is_misere = file.is_misere || file.plays != Plays::Scores && random.chance(20);
    let (mut kind, mut is_single) = (Kind::Sum, false);
    let mut same = None;
    let several = |random: &mut Random| -> Run<(Vec<String>, Vec<usize>)> {
        let (mut texts, mut components) = (Vec::new(), Vec::new());
        for _ in 0..*random.rng.pick(&[2, 2, 3]) {
            let (text, game, values) = any(random);
            texts.push(text);
            components.push(play.component(game, values)?);
        }
        Ok((texts, components))
    };
    let (text, components) = match random.rng.below(20) {
        0..=8 => {
            let (text, game, values) = any(random);
            is_single = true;
            (text, vec![play.component(game, values)?])
        }
        9..=11 => {
            let (texts, components) = several(random)?;
            (texts.join(" + "), components)
        }
        12 | 13 => {
            let (text, game, values) = any(random);
            let count = *random.rng.pick(&[1, 2, 2, 3]);
            (format!("{count} * {text}"), vec![play.component(game, values)?; count])
        }
        14..=16 if file.plays == Plays::Plain => {
            let (texts, components) = several(random)?;
            let words = ["conjunctive", "continued", "selective", "at_most", "shortened_selective", "diminished"];
            let word = *random.rng.pick(&words);
            let most = 1 + random.rng.below(3);
            kind = Kind::Compound(word, most);
            let number = if word == "at_most" { format!("{most}, ") } else { String::new() };
            (format!("{word}({number}{})", texts.join(", ")), components)
        }
        _ => {
            // A sum over a list, set or bag, of one field.
            let (_, game, values) = any(random);
            let place = random.rng.below(values.len());
            let domain = file.games[game].all()[place].domain.clone();
            let members = (0..random.number(1, 3)).map(|_| domain.pick(&mut random.rng)).collect();
            let xs = match random.rng.below(3) {
                1 if domain.of() != Type::Graph => Value::set(members),
                2 if domain.of() != Type::Graph => Value::bag(members),
                _ => Value::List(members),
            };
            let mut texts: Vec<String> = values.iter().map(Value::text).collect();
            texts[place] = "q7".to_string();
            let mut components = Vec::new();
            for member in xs.members() {
                let mut values = values.clone();
                values[place] = member;
                components.push(play.component(game, values)?);
            }
            if matches!(xs, Value::Bag(_)) {
                same = Some(firsts(&components));
            }
            (format!("sum({} for q7 in {})", file.games[game].position(&texts), xs.text()), components)
        }
    };
    let text = if is_misere && !file.is_misere { format!("misere {text}") } else { text };
    let same = same.unwrap_or_else(|| (0..components.len()).collect());
    Ok(Question { text, kind, start: Start { components, same }, is_misere, is_single })
}

/// Some questions with their answers.
pub(super) fn questions(play: &Play, random: &mut Random, most: usize) -> Vec<(Question, Answer)> {
    let mut all = Vec::new();
    for _ in 0..2 * most + 4 {
        if all.len() == most {
            break;
        }
        let Ok(question) = question(play, random) else { continue };
        let answer = play.answers(question.kind, question.is_misere, std::slice::from_ref(&question.start));
        if let Ok(mut answers) = answer
            && (answers[0].positions >= 4 || random.chance(25))
        {
            all.push((question, answers.remove(0)));
        }
    }
    all
}

/// A move as one text: where, its name, its binders.
fn choice_key(choice: &Choice, question: &Question) -> String {
    let part = |(component, label): &(usize, std::rc::Rc<super::play::Label>)| {
        let component = if question.is_single { "null".to_string() } else { component.to_string() };
        let binder = |(name, value): &(Name, Value)| format!(" {}={}", name.trim_matches('`'), value.json());
        format!("{component} {}{}", label.name, label.binders.iter().map(binder).collect::<String>())
    };
    choice.iter().map(part).collect::<Vec<_>>().join("; ")
}

/// The same of a move that the program lists.
fn json_key(json: &Json) -> String {
    let part = |part: &Json| {
        let binders = part["binders"].as_object().expect("binders").iter().map(|(k, v)| format!(" {k}={v}"));
        format!("{} {}{}", part["component"], part["name"].as_str().expect("a name"), binders.collect::<String>())
    };
    json.get("parts")
        .and_then(Json::as_array)
        .map_or_else(|| part(json), |parts| parts.iter().map(part).collect::<Vec<_>>().join("; "))
}

fn sorted(mut items: Vec<String>) -> Vec<String> {
    items.sort();
    items
}

/// Whether an answer is a limit.
pub(super) fn is_limit(json: &Json) -> bool {
    json["error"]["code"].as_str().is_some_and(|code| code.starts_with('L'))
}

/// Whether an answer by theorems or components leaves out what a search would tell that is too long.
fn is_in_part(right: &Answer, json: &Json, is_outcome: bool) -> bool {
    let lacks_far = !is_outcome && right.remoteness.is_some() && json["remoteness"].is_null();
    let lacks_moves = json["winning_move_count"].is_null();
    let lacks_score = !is_outcome && right.score.is_some() && json["score"].is_null();
    match json["method"].as_str() {
        Some("theorem") => lacks_far || lacks_moves || lacks_score,
        Some("components") => lacks_far,
        _ => false,
    }
}

/// What is wrong with an answer.
fn differences(question: &Question, right: &Answer, json: &Json, is_outcome: bool) -> Vec<String> {
    let is_in_part = is_in_part(right, json, is_outcome);
    let (mut wrong, comes_back) = (Vec::new(), right.comes_back);
    let mut differ = |what: &str, right: String, found: String| {
        if right != found {
            wrong.push(format!("{what} {found}, but {right} is right"));
        }
    };
    if !json["error"].is_null() {
        return vec![json.to_string()];
    }
    differ("outcome", format!("{:?}", right.outcome), json["outcome"].to_string());
    let grundy = match &right.grundy {
        Grundy::None => "null".to_string(),
        Grundy::Number(g) => g.to_string(),
        Grundy::Loop(finite) => format!("{{\"loop\":{finite:?}}}").replace(", ", ","),
    };
    let score = right.score.map_or("null".to_string(), |score| score.to_string());
    let far = right.remoteness.map_or("null".to_string(), |far| far.to_string());
    for (what, right) in [("grundy", grundy), ("score", score), ("remoteness", far)] {
        let found = &json[what];
        // The value of a compound is not told where its play comes back.
        let is_open = what == "grundy" && question.kind != Kind::Sum && comes_back;
        if !(found.is_null() && (is_outcome || is_in_part || is_open)) {
            differ(what, right, found.to_string());
        }
    }
    let mut moves = |what: &str, count: &str, right: &[Choice]| {
        let right = sorted(right.iter().map(|choice| choice_key(choice, question)).collect());
        differ(count, right.len().to_string(), json[count].to_string());
        let found = json[what].as_array().map(|found| sorted(found.iter().map(json_key).collect())).unwrap_or_default();
        differ(what, format!("{right:?}"), format!("{found:?}"));
    };
    if !(json["winning_move_count"].is_null() && is_in_part) {
        moves("winning_moves", "winning_move_count", &right.winning);
    }
    if right.outcome == "draw" {
        moves("drawing_moves", "drawing_move_count", &right.drawing);
    }
    wrong
}

/// What the program prints: an object a line.
pub(super) fn objects(text: &str, arguments: &[&str]) -> Result<Vec<Json>, String> {
    let (command, rest) = arguments.split_first().expect("a command");
    let output = run(text, &[&[command, "--json", "--quiet", "--memory", "1G"], rest].concat());
    let lines = String::from_utf8_lossy(&output.stdout);
    let objects: Result<Vec<Json>, _> = lines.lines().map(serde_json::from_str).collect();
    let said = || format!("{lines}{}", String::from_utf8_lossy(&output.stderr));
    match objects {
        Ok(objects) if output.status.code().is_some_and(|code| code < 4) && !lines.is_empty() => Ok(objects),
        _ => Err(format!("exit code {:?}: {}", output.status.code(), said())),
    }
}

/// The ways of `solve`.
pub(super) const WAYS: [&[&str]; 4] = [&[], &["--exhaustive"], &["--threads", "2"], &["--outcome"]];

/// Holds the `solve` lines of a text against their answers.
pub(super) fn solve(text: &str, asked: &[(&Question, &Answer)], arguments: &[&str], told: &mut Told) -> Vec<Json> {
    let is_outcome = arguments.contains(&"--outcome");
    let all = [&["solve", "--max-positions", "1000000", "--moves", "100000"], arguments].concat();
    let found = objects(text, &all).unwrap_or_else(|e| vec![Json::from(e)]);
    if found.len() != asked.len() {
        told.wrong(text, &all, &format!("{} answers to {} questions: {found:?}", found.len(), asked.len()));
        return Vec::new();
    }
    for ((question, answer), json) in asked.iter().zip(&found) {
        if told.is_answer(is_limit(json)) {
            told.limits += u64::from(is_in_part(answer, json, is_outcome));
            *told.often.entry(format!("positions {:>4}", answer.positions.next_power_of_two())).or_default() += 1;
            let wrong = differences(question, answer, json, is_outcome);
            if !wrong.is_empty() {
                told.wrong(text, &all, &format!("{}\n  {}\n{json}", question.text, wrong.join("\n  ")));
            }
        }
    }
    found
}

/// The positions that good moves lead to are what they should be.
pub(super) fn followed(
    play: &Play,
    base: &str,
    asked: &[(Question, Answer)],
    found: &[Json],
    random: &mut Random,
    told: &mut Told,
) {
    let has_edges = play.file.games.iter().any(|g| g.fields.iter().any(|f| f.domain.is_graphic()));
    let mut next = Vec::new();
    for ((question, answer), json) in asked.iter().zip(found) {
        let mut by: BTreeMap<String, Vec<_>> = BTreeMap::new();
        for (choice, leaves) in answer.moves.iter().zip(&answer.leaves) {
            by.entry(choice_key(choice, question)).or_default().push(leaves);
        }
        for list in [&json["winning_moves"], &json["drawing_moves"]] {
            for mv in list.as_array().into_iter().flatten() {
                if let Some([Some((outcome, _))]) = by.get(&json_key(mv)).map(|l| &l[..])
                    && let Some(to) = mv["to"].as_str()
                {
                    next.push((to.to_string(), *outcome));
                }
            }
        }
    }
    let next = pick_some(next, 8, &mut random.rng);
    // Edges in the text of a position are for people.
    if next.is_empty() || has_edges {
        return;
    }
    let lines: String = next.iter().fold(String::new(), |text, (to, _)| text + "solve " + to + "\n");
    let text = format!("{base}{lines}");
    let found = objects(&text, &["solve", "--max-positions", "1000000", "--moves", "0"]).unwrap_or_default();
    let right = |json: &Json, (to, outcome): &(String, &str)| json["outcome"] == *outcome && json["position"] == **to;
    let are_limits = found.iter().any(is_limit);
    let is_right = found.len() == next.len() && found.iter().zip(&next).all(|(json, next)| right(json, next));
    if told.is_answer(are_limits) && !is_right {
        told.wrong(&text, &["solve"], &format!("{next:?}, but {found:?}"));
    }
}

/// Positions of one game, given by inputs in a file of cases.
pub(super) fn cases(play: &Play, base: &str, random: &mut Random, told: &mut Told) {
    let index = random.rng.below(play.file.games.len());
    let game = &play.file.games[index];
    if game.all().iter().any(|f| f.domain.has_no_json()) {
        return;
    }
    let mut text = base.to_string();
    let names: Vec<String> = (0..game.all().len()).map(|i| format!("in{i}x")).collect();
    // Vertices of a rule parameter are those of the graph that is given for it.
    let named = |graph: &str| {
        let place = game.all().iter().position(|f| *f.name == *graph);
        place.map_or(graph, |place| &names[place]).to_string()
    };
    for (name, f) in names.iter().zip(game.all()) {
        writeln!(text, "input {name}: {}", f.domain.kind_in(&named)).expect("a string");
    }
    writeln!(text, "solve {0}\nsolve 2 * {0}", game.position(&names)).expect("a string");
    let (mut objects, mut asked) = (Vec::new(), Vec::new());
    for _ in 0..6 {
        let values = position(play, random, index);
        let Ok(component) = play.component(index, values.clone()) else { return };
        let mut both = Vec::new();
        for count in [1, 2] {
            let start = Start { components: vec![component; count], same: (0..count).collect() };
            let Ok(mut answers) = play.answers(Kind::Sum, play.file.is_misere, std::slice::from_ref(&start)) else {
                break;
            };
            let (kind, is_misere, is_single) = (Kind::Sum, play.file.is_misere, count == 1);
            let text = format!("{count} * {}", term(play, index, &values));
            both.push((Question { text, kind, start, is_misere, is_single }, answers.remove(0)));
        }
        if both.len() == 2 {
            asked.extend(both);
            let pairs: Vec<String> =
                names.iter().zip(&values).map(|(name, v)| format!("\"{name}\":{}", v.json())).collect();
            objects.push(format!("{{{}}}", pairs.join(",")));
        }
    }
    if objects.is_empty() {
        return;
    }
    let is_array = random.chance(50);
    let json = if is_array { format!("[{}]", objects.join(",\n")) } else { objects.join("\n") };
    let path = std::env::temp_dir().join(format!("grundy-features-{}.json", std::process::id()));
    std::fs::write(&path, &json).expect("a file for the test");
    let way = *random.rng.pick(&WAYS);
    let asked: Vec<_> = asked.iter().map(|(question, answer)| (question, answer)).collect();
    let path = path.display().to_string();
    let found = solve(&text, &asked, &[&["--cases", &path], way].concat(), told);
    std::fs::remove_file(&path).expect("it is there");
    for (i, json) in found.iter().enumerate() {
        if json["case"] != i / 2 {
            told.wrong(&text, way, &format!("answer {i} says case {}: {json}", json["case"]));
        }
    }
}

/// A table: its line, its values.
type Table = (String, Json);

/// A table of values of positions over one field or two.
fn value_table(play: &Play, random: &mut Random) -> Option<Table> {
    let index = random.rng.below(play.file.games.len());
    let game = &play.file.games[index];
    let values = position(play, random, index);
    let is_axis = |i: &usize| match &game.all()[*i].domain {
        Domain::Int { low, .. } => low.abs() < 100,
        domain => domain.of() == Type::Text || domain.of() == Type::Bool,
    };
    let mut axes = pick_some((0..values.len()).filter(is_axis).collect(), 2, &mut random.rng);
    axes.sort_unstable();
    let mut texts: Vec<String> = values.iter().map(Value::text).collect();
    let mut over = Vec::new();
    for (number, &i) in axes.iter().enumerate() {
        let name: Name = format!("q{number}z").into();
        texts[i] = name.to_string();
        let members = game.all()[i].domain.members();
        let xs = match (&members[0], members.last()) {
            (Value::Int(low), Some(Value::Int(high))) => {
                op("..", Ex::Lit(Value::Int(*low)), Ex::Lit(Value::Int(*high)))
            }
            _ => Ex::Lit(Value::List(members)),
        };
        over.push(Clause::In(Pattern::One(name), xs));
    }
    if over.is_empty() {
        return None;
    }
    let mut starts = Vec::new();
    let mut states = vec![values];
    for &i in &axes {
        let members = game.all()[i].domain.members();
        let each = |state: Vec<Value>| {
            members.iter().map(move |v| [&state[..i], std::slice::from_ref(v), &state[i + 1..]].concat())
        };
        states = states.into_iter().flat_map(each).collect();
    }
    for state in states {
        starts.push(Start { components: vec![play.component(index, state).ok()?], same: vec![0] });
    }
    let answers = play.answers(Kind::Sum, play.file.is_misere, &starts).ok()?;
    let mut what = vec!["outcome", "wins", "loses", "draws", "winning", "moves"];
    if answers.iter().all(|a| matches!(a.grundy, Grundy::Number(_))) {
        what.extend(["grundy"; 4]);
    }
    what.extend(answers.iter().all(|a| a.remoteness.is_some()).then_some("remoteness"));
    what.extend(answers.iter().all(|a| a.score.is_some()).then_some("score"));
    let what = *random.rng.pick(&what);
    let position = game.position(&texts);
    let asked = match what {
        "winning" | "moves" => format!("size({what}({position}))"),
        _ => format!("{what}({position})"),
    };
    let mut values: Vec<Json> = answers.iter().map(|a| fact(a, what)).map(|v| json(&v)).collect();
    if let [_, second] = axes[..] {
        let width = game.all()[second].domain.members().len();
        values = values.chunks(width).map(|row| Json::from(row.to_vec())).collect();
    }
    Some((format!("table {asked} for {}\n", clauses(&over)), Json::from(values)))
}

/// What is asked about a position.
pub(super) fn fact(answer: &Answer, what: &str) -> Value {
    let count = |moves: &[Choice]| Value::Int(moves.len() as i128);
    match what {
        "outcome" => Value::Text(answer.outcome.to_string()),
        "wins" => Value::Bool(answer.outcome == "first"),
        "loses" => Value::Bool(answer.outcome == "second"),
        "draws" => Value::Bool(answer.outcome == "draw"),
        "winning" => count(&answer.winning),
        "moves" => count(&answer.moves),
        "remoteness" => Value::Int(answer.remoteness.expect("somebody wins").into()),
        "score" => Value::Int(answer.score.expect("there are points")),
        _ => match answer.grundy {
            Grundy::Number(g) => Value::Int(g),
            _ => panic!("a number"),
        },
    }
}

pub(super) fn json(value: &Value) -> Json {
    serde_json::from_str(&value.json()).expect("JSON")
}

/// A table of the values of an expression.
fn expression_table(play: &Play, random: &mut Random) -> Run<Option<Table>> {
    random.names.clear();
    random.taken.clear();
    let part = |random: &mut Random| Domain::random(&mut random.rng, 2, random.is_big);
    let domains = [part(random), part(random)];
    let names = domains.each_ref().map(|domain| {
        let name = random.fresh("");
        random.bind(&name, &domain.of());
        name
    });
    let ty = random.rng.pick(&[Type::Int, Type::Int, Type::Bool, Type::Text]).clone();
    let e = random.ex(&ty, 4);
    let mut rows = Vec::new();
    let [a, b] = domains.each_ref().map(|domain| pick_some(domain.members(), 5, &mut random.rng));
    for x in &a {
        let mut row = Vec::new();
        for y in &b {
            let mut env = play.lets()?;
            env.extend([(names[0].clone(), x.clone()), (names[1].clone(), y.clone())]);
            row.push(json(&e.eval(&mut env, play)?));
        }
        rows.push(Json::from(row));
    }
    let known = |name: &Name, domain: &Domain, xs: &[Value]| {
        // A literal whose members are all empty has no type of members.
        let is_flat = matches!(domain, Domain::Int { .. } | Domain::Bool | Domain::Text { .. });
        (is_flat || xs.iter().any(|v| v.size() > 0 && !v.text().contains("[]") && !v.text().contains("{}")))
            .then(|| Clause::In(Pattern::One(name.clone()), Ex::Lit(Value::List(xs.to_vec()))))
    };
    let over = known(&names[0], &domains[0], &a).zip(known(&names[1], &domains[1], &b));
    Ok(over.map(|(a, b)| (format!("table {} for {}\n", e.text(0), clauses(&[a, b])), Json::from(rows))))
}

/// Tables of positions and of expressions.
pub(super) fn tables(play: &Play, base: &str, random: &mut Random, told: &mut Told) {
    let mut tables: Vec<Table> = (0..2).filter_map(|_| value_table(play, random)).collect();
    tables.extend((0..8).filter_map(|_| expression_table(play, random).ok().flatten()));
    let lines: String = tables.iter().map(|(line, _)| &line[..]).collect();
    if lines.is_empty() {
        return;
    }
    let text = format!("{base}{lines}");
    let found = objects(&text, &["table", "--max-positions", "1000000"]).unwrap_or_else(|e| vec![Json::from(e)]);
    if found.len() == 1 && is_limit(&found[0]) {
        told.is_answer(true);
        return;
    }
    if found.len() != tables.len() {
        told.wrong(&text, &["table"], &format!("{found:?}"));
        return;
    }
    for ((line, right), json) in tables.iter().zip(&found) {
        if told.is_answer(json["values"].to_string().contains("null")) && json["values"] != *right {
            told.wrong(&text, &["table"], &format!("{line}{}, but\n{right} is right", json["values"]));
        }
    }
}
