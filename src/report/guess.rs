//! Guessed closed forms: lines that may stand in a game file, remarks included, and JSON lines.

use crate::answer::Verdict;
use crate::guess::automata::Found;
use crate::guess::{Guess, Guesses, KINDS};
use crate::report::json::seconds;
use crate::report::paint::{green, red};
use crate::report::{counted, grouped};
use serde_json::{Map, Value as Json, json};

/// So many refuted guesses stand in the text.
const SHOWN: usize = 8;

/// Claim lines, each under a remark that tells its status; refuted guesses and whatever else there is to say as remarks. The
/// whole text may be put into the file.
pub fn text(guesses: &Guesses) -> String {
    let mut lines = Vec::new();
    for one in &guesses.proposals {
        let (form, parameters) = (&one.form, counted(one.parameters as u64, "parameter"));
        let word = green(one.verdict.word());
        let fitted = &guesses.fitted;
        let far = match &one.verdict {
            Verdict::Proved { certificate } => format!("({certificate})"),
            _ => format!("for {}", guesses.verified),
        };
        lines.push(format!("# {word} {far}: {form}, {parameters}, fitted to {fitted}"));
        if !one.lemmas.is_empty() {
            lines.push("# It follows from these, which are proved:".into());
        }
        lines.extend(one.lemmas.iter().cloned());
        lines.push(one.claim.clone());
    }
    if let Some(note) = &guesses.note {
        lines.push(format!("# no guess: {note}"));
    } else if guesses.proposals.is_empty() && guesses.automaton.is_none() {
        let count = grouped(guesses.values as u64);
        lines.push(format!("# no closed form of {count} values found among {KINDS}"));
    }
    if let Some(found) = &guesses.automaton {
        automaton(found, &mut lines);
    }
    for one in guesses.refuted.iter().take(SHOWN) {
        let at: Vec<String> = one.counterexample.iter().map(|(name, x)| format!("{name} = {x}")).collect();
        let sides = one
            .sides
            .as_ref()
            .map_or_else(String::new, |(claimed, found)| format!(" (claimed {claimed}, found {found})"));
        let (word, at) = (red(one.verdict.word()), at.join(", "));
        lines.push(format!("# {word} at {at}{sides}: {}", one.statement));
    }
    if let Some(more) = guesses.refuted.len().checked_sub(SHOWN).filter(|more| *more > 0) {
        lines.push(format!("# and {more} more refuted"));
    }
    lines.join("\n") + "\n"
}

/// One object for each proposal and each refuted guess; when nothing is proposed, an object without a claim comes first.
pub fn json(file: &str, guesses: &Guesses) -> Vec<Json> {
    let mut lines = Vec::new();
    if guesses.proposals.is_empty() && guesses.automaton.is_none() {
        let why = guesses.note.clone().unwrap_or_else(|| format!("no closed form found among {KINDS}"));
        let mut object = head(file, guesses);
        object.insert("claim".into(), Json::Null);
        object.insert("verdict".into(), json!("UNKNOWN"));
        object.insert("note".into(), json!(why));
        object.insert("seconds".into(), json!(seconds(guesses.time)));
        lines.push(Json::Object(object));
    }
    lines.extend(guesses.automaton.iter().map(|found| automaton_object(file, guesses, found)));
    lines.extend(guesses.proposals.iter().chain(&guesses.refuted).map(|one| object(file, guesses, one)));
    lines
}

/// An automaton as a definition and a claim, with remarks.
fn automaton(found: &Found, lines: &mut Vec<String>) {
    let acceptor = &found.acceptor;
    let word = green(found.verdict.word());
    let numbers = match acceptor.system {
        grundy_automata::System::Zeckendorf => "as sums of the Fibonacci numbers 1, 2, 3, 5, ..".into(),
        system => format!("in {}", system.word()),
    };
    let proof = match &found.verdict {
        Verdict::Proved { certificate } => format!("({certificate})"),
        _ => format!("for {}", found.verified),
    };
    let reads = reads(found).join(", ");
    let states = counted(acceptor.table.states.len() as u64, "state");
    lines.push(format!("# {word} {proof}: an automaton of {states}, learnt from {}", found.fitted));
    let value = if acceptor.reads_value { "; it accepts one value" } else { "" };
    lines.push(format!("# It reads {reads} {numbers}, from the lowest digits on{value}."));
    if let Some(why) = &found.why {
        lines.push(format!("# It is not proved: {why}."));
    }
    lines.extend(found.lines.iter().cloned());
}

/// What an automaton reads: the variables, and the value.
fn reads(found: &Found) -> Vec<String> {
    let value = found.acceptor.reads_value.then(|| "the value".to_string());
    found.names.iter().cloned().chain(value).collect()
}

/// The states in order; `to` holds, for each state, where each letter of `letters` leads.
fn automaton_object(file: &str, guesses: &Guesses, found: &Found) -> Json {
    let acceptor = &found.acceptor;
    let mut object = head(file, guesses);
    let letters = acceptor.table.states.first().map_or(0, |(_, to)| to.len());
    let table = json!({
        "numbers": acceptor.system.word(),
        "reads": reads(found),
        "letters": (0..letters).map(|letter| acceptor.digits(letter)).collect::<Vec<_>>(),
        "accepts": acceptor.table.states.iter().map(|(accepts, _)| accepts).collect::<Vec<_>>(),
        "to": acceptor.table.states.iter().map(|(_, to)| to).collect::<Vec<_>>(),
    });
    let proof = match &found.verdict {
        Verdict::Proved { certificate } => json!(certificate),
        _ => Json::Null,
    };
    for (key, value) in [
        ("claim", json!(found.lines.join("\n"))),
        ("form", json!("automaton")),
        ("automaton", table),
        ("fitted", json!(found.fitted)),
        ("verified", json!(found.verified)),
        ("verdict", json!(found.verdict.word())),
        ("certificate", proof),
        ("note", json!(found.why)),
        ("seconds", json!(seconds(guesses.time))),
    ] {
        object.insert(key.into(), value);
    }
    Json::Object(object)
}

fn head(file: &str, guesses: &Guesses) -> Map<String, Json> {
    let mut object = Map::new();
    object.insert("file".into(), json!(file));
    object.insert("kind".into(), json!("guess"));
    object.insert("expr".into(), json!(guesses.expr));
    object
}

fn object(file: &str, guesses: &Guesses, one: &Guess) -> Json {
    let mut object = head(file, guesses);
    let mut put = |key: &str, value: Json| {
        object.insert(key.into(), value);
    };
    let refuted = one.sides.is_some();
    put("claim", json!(one.claim));
    put("lemmas", json!(one.lemmas));
    put("form", json!(one.form));
    put("parameters", json!(one.parameters));
    put("fitted", json!(guesses.fitted));
    put("verified", if refuted { Json::Null } else { json!(guesses.verified) });
    put("verdict", json!(one.verdict.word()));
    let at = || one.counterexample.iter().map(|(name, x)| (name.clone(), json!(x))).collect();
    put("counterexample", if refuted { Json::Object(at()) } else { Json::Null });
    put("claimed", json!(one.sides.as_ref().map(|(claimed, _)| claimed)));
    put("found", json!(one.sides.as_ref().map(|(_, found)| found)));
    put("seconds", json!(seconds(guesses.time)));
    Json::Object(object)
}
