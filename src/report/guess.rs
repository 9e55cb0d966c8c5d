//! Guessed closed forms: lines that may stand in a game file, remarks included, and JSON lines.

use crate::answer::Verdict;
use crate::guess::automata::Found;
use crate::guess::{Guess, Guesses, KINDS};
use crate::report::json::seconds;
use crate::report::paint::{green, red};
use crate::report::{counted, grouped};
use serde_json::{Value as Json, json};

/// So many refuted guesses stand in the text.
const SHOWN: usize = 8;

/// Claim lines, each under a remark that tells its status; refuted guesses and whatever else there is to say as remarks. The
/// whole text may be put into the file.
pub fn text(guesses: &Guesses) -> String {
    let mut lines = Vec::new();
    if let Some(limit) = &guesses.limit {
        lines.push(format!("# {limit}: this is of what was known by then"));
    }
    for one in &guesses.proposals {
        let (form, parameters) = (&one.form, counted(one.parameters as u64, "parameter"));
        let word = green(one.verdict.word());
        let far = far(&one.verdict, &guesses.verified);
        lines.push(format!("# {word} {far}: {form}, {parameters}, fitted to {}", guesses.fitted));
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
        let sides = one.sides.as_ref().map(|(claimed, found)| format!(" (claimed {claimed}, found {found})"));
        let sides = sides.unwrap_or_default();
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
        lines.push(json!({ "claim": null, "verdict": "UNKNOWN", "note": why }));
    }
    lines.extend(guesses.automaton.iter().map(automaton_object));
    lines.extend(guesses.proposals.iter().chain(&guesses.refuted).map(|one| object(guesses, one)));
    let whole = |fields: Json| {
        let mut whole = json!({ "file": file, "kind": "guess", "expr": guesses.expr });
        if let Some(limit) = &guesses.limit {
            whole["limit"] = json!(limit);
        }
        if let (Json::Object(whole), Json::Object(fields)) = (&mut whole, fields) {
            whole.extend(fields);
        }
        whole["seconds"] = json!(seconds(guesses.time));
        whole
    };
    lines.into_iter().map(whole).collect()
}

/// An automaton as a definition and a claim, with remarks.
fn automaton(found: &Found, lines: &mut Vec<String>) {
    let acceptor = &found.acceptor;
    let word = green(found.verdict.word());
    let numbers = match acceptor.system {
        grundy_automata::System::ZECKENDORF => "as sums of the Fibonacci numbers 1, 2, 3, 5, ..".into(),
        system => format!("in {}", system.word()),
    };
    let far = far(&found.verdict, &found.verified);
    let reads = reads(found).join(", ");
    let states = counted(acceptor.table.states.len() as u64, "state");
    lines.push(format!("# {word} {far}: an automaton of {states}, learnt from {}", found.fitted));
    let value = if acceptor.reads_value { "; it accepts one value" } else { "" };
    lines.push(format!("# It reads {reads} {numbers}, from the lowest digits on{value}."));
    if let Some(why) = &found.why {
        lines.push(format!("# It is not proved: {why}."));
    }
    lines.extend(found.lines.iter().cloned());
}

/// Why something is proved, or how far it was held against the rules.
fn far(verdict: &Verdict, verified: &str) -> String {
    verdict.certificate().map_or_else(|| format!("for {verified}"), |certificate| format!("({certificate})"))
}

/// What an automaton reads: the variables, and the value.
fn reads(found: &Found) -> Vec<String> {
    let value = found.acceptor.reads_value.then(|| "the value".to_string());
    found.names.iter().cloned().chain(value).collect()
}

/// The states in order; `to` holds, for each state, where each letter of `letters` leads.
fn automaton_object(found: &Found) -> Json {
    let acceptor = &found.acceptor;
    let (accepts, to): (Vec<bool>, Vec<&Vec<usize>>) =
        acceptor.table.states.iter().map(|(accepts, to)| (*accepts, to)).unzip();
    let letters = 0..to.first().map_or(0, |to| to.len());
    json!({
        "claim": found.lines.join("\n"),
        "form": "automaton",
        "automaton": {
            "numbers": acceptor.system.word(),
            "reads": reads(found),
            "letters": letters.map(|letter| acceptor.digits(letter)).collect::<Vec<_>>(),
            "accepts": accepts,
            "to": to,
        },
        "fitted": found.fitted,
        "verified": found.verified,
        "verdict": found.verdict.word(),
        "certificate": found.verdict.certificate(),
        "note": found.why,
    })
}

fn object(guesses: &Guesses, one: &Guess) -> Json {
    let at = one.sides.as_ref().map(|_| one.counterexample.iter().map(|(name, x)| (name.clone(), json!(x))));
    let (claimed, found) = one.sides.as_ref().map(|(claimed, found)| (claimed, found)).unzip();
    json!({
        "claim": one.claim,
        "lemmas": one.lemmas,
        "form": one.form,
        "parameters": one.parameters,
        "fitted": guesses.fitted,
        "verified": one.sides.is_none().then_some(&guesses.verified),
        "verdict": one.verdict.word(),
        "counterexample": at.map(serde_json::Map::from_iter),
        "claimed": claimed,
        "found": found,
    })
}
