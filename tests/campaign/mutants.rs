//! One change in the rules or in the statement: nothing stays PROVED that a search of small positions contradicts.
//!
//! The search is the plain engine, with every fast form and every shortcut off; it goes through more positions than a proof begins
//! with. The campaign tries one change in five, with `GRUNDY_MUTANTS=1` every one, with `GRUNDY_MUTANTS=7 GRUNDY_SEED=3` a seventh of them, the third; the usual run one in two hundred. A changed text that is no game is left out; one may say the same as before, and then it is proved again.

mod changes;

use crate::corpus_of_proofs::{GAMES, TRUE, texts};
use crate::proved::SMALL;
use crate::{LONG, rounds};
use changes::mutants;
use grundy::answer::{Finding, Kind, Verdict};
use grundy::claims::{Budget, File, check};
use grundy::engines::ask;
use grundy::input::data::NoFiles;
use grundy::model::Program;
use grundy::prover::{Effort, prove_file};
use grundy::source::text::{SourceId, Sources};
use grundy::syntax::parse_file;
use grundy::typing::NoLoader;
use grundy::value::Value;
use grundy::value::limits::Limits;
use grundy::vm::context::{Context, Policy};
use std::fs;
use std::sync::Arc;
use std::time::Duration;

/// Games with `end when`, guards, rule parameters, other fields and other targets than those of the books.
const MORE: [&str; 8] = [
    "game Rest[a, b](n) where 1 <= a <= b {
  move take k in a..min(b, n) -> Rest(n - k)
  move rest where 0 < n < a -> Rest(0)
}
claim \"x\" for n in nat: grundy(Rest[2, 4](n)) == (if n mod 6 <= 4 then (n mod 6 + 1) div 2 else 0)\n",
    "game Race(n) {
  end when n >= 20: lost
  move step k in 1..3 -> Race(n + k)
}
claim \"x\" for n in nat: loses(Race(n)) iff n >= 20 or n mod 4 == 0\n",
    "game Last(n) {
  move take k in 1..min(n, 4) -> if n - k == 1 then lose else Last(n - k)
}
claim \"x\" for n in nat: loses(Last(n)) iff n == 0 or n >= 2 and n mod 5 == 2\n",
    "misere game Half(n) {
  move one where n > 0 -> Half(n - 1)
  move half where n > 0 -> Half(n div 2)
}
def reads(s: nat, n: nat): bool = if n == 0 then s in {1, 3} else reads([[0, 1], [2, 3], [3, 3], [2, 2]][s][n mod 2], n div 2)
claim \"x\" for n in nat: loses(Half(n)) iff n == 1 or n > 1 and n == 3\n",
    "game Pair(a, b) {
  move left k in 1..a where k <= 2 -> Pair(a - k, b)
  move right k in 1..min(b, 3) -> Pair(a, b - k)
}
claim \"x\" for a, b in nat: grundy(Pair(a, b)) == (a mod 3 xor b mod 4)\n",
    "game Rook(a, b) {
  move left k in 1..a -> Rook(a - k, b)
  move down k in 1..b -> Rook(a, b - k)
  theorem grundy = a xor b
  theorem winning left for k = a - b, where k > 0
  theorem winning down for k = b - a, where k > 0
}\n",
    "game King(a, b) {
  move left where a > 0 -> King(a - 1, b)
  move down where b > 0 -> King(a, b - 1)
  move both where a > 0 and b > 0 -> King(a - 1, b - 1)
}
claim \"x\" for a, b in nat: loses(King(a, b)) iff a mod 2 == 0 and b mod 2 == 0\n",
    "game Marks(n) {
  move take k in 1..min(n, 2) -> Marks(n - k)
  move third where n > 0 -> Marks(n div 3)
}
def reads(s: nat, n: nat): bool =
  if n == 0 then s in {0, 1, 3} else reads([[1, 2, 2], [0, 3, 3], [2, 2, 2], [3, 3, 3]][s][n mod 3], n div 3)
claim \"x\" for n in nat: loses(Marks(n)) iff reads(0, n)\n",
];

fn checked(text: &str, sources: &mut Sources) -> Option<(Arc<Program>, SourceId)> {
    let own = sources.add("mutant.game", text);
    let file = parse_file(sources, own).ok()?;
    let program = grundy::typing::check(&file, own, sources, &mut NoLoader).ok()?;
    Some((Arc::new(program), own))
}

/// Rules that never end are searched until the memory is full.
fn limits() -> Limits {
    Limits { positions: Some(10_000), steps: Some(10_000_000), components: Some(200_000), ..crate::proved::limits() }
}

/// What a proof may use.
const MODEST: Effort = Effort { states: 10_000, tests: 200_000, ..SMALL };

/// What is said of each statement by proofs; `None`: it is no game.
fn proved(text: &str, effort: Effort) -> Option<Vec<Finding>> {
    let mut sources = Sources::default();
    let (program, own) = checked(text, &mut sources)?;
    let mut ctx = Context::new(program, Arc::new(NoFiles), limits(), ask);
    let mut all = Vec::new();
    prove_file(&mut ctx, effort, File { sources: &sources, own }, &mut |finding| all.push(finding));
    Some(all)
}

/// What is said of each statement by search, with nothing but the plain engine.
fn searched(text: &str) -> Vec<Finding> {
    let mut sources = Sources::default();
    let (program, own) = checked(text, &mut sources).expect("it was a game before");
    let mut ctx = Context::new(program, Arc::new(NoFiles), limits(), ask);
    ctx.options.plain = true;
    (ctx.options.split, ctx.options.heaps) = (Policy::Never, Policy::Never);
    (ctx.options.deep, ctx.options.boxed, ctx.options.symmetric, ctx.options.ignore_same) = (false, false, false, true);
    ctx.options.trial = 1 << 40;
    if !LONG {
        (ctx.limits.positions, ctx.limits.steps) = (Some(10_000), Some(5_000_000));
    }
    let mut all = Vec::new();
    let budget = Budget { time: Duration::MAX, instances: 200, steps: None };
    check(&mut ctx, &budget, File { sources: &sources, own }, &mut |finding| all.push(finding));
    all
}

fn is_proved(finding: &Finding) -> bool {
    matches!(&finding.verdict, Ok(verdict) if verdict.certificate().is_some())
}

/// The books a claim at a time, with the games it speaks of; the page on proofs; the library; and more.
fn originals() -> Vec<(String, String)> {
    let games: Vec<String> = blocks(GAMES, &["game ", "misere game "]);
    let name = |game: &str| -> Option<String> {
        let rest = game.trim_start_matches("misere ").trim_start_matches("game ");
        Some(rest[..rest.find(['(', '['])?].to_string())
    };
    let mut all = Vec::new();
    for claim in blocks(TRUE, &["claim "]) {
        let speaks = |game: &&String| {
            name(game).is_some_and(|name| {
                claim.match_indices(&name).any(|(at, _)| {
                    claim[at + name.len()..].starts_with(['(', '['])
                        && !claim[..at].ends_with(|c: char| c.is_ascii_alphanumeric())
                })
            })
        };
        let rules: String = games.iter().filter(speaks).cloned().collect();
        let title = claim.split('"').nth(1).unwrap_or_default().to_string();
        all.push((format!("books {title}"), rules + &claim));
    }
    all.extend(texts().into_iter().filter(|(name, _)| name.starts_with("docs") || name.starts_with("games")));
    all.extend(MORE.iter().map(|text| (text.lines().next().unwrap_or_default().to_string(), (*text).to_string())));
    all
}

/// A text cut where a line begins with one of these words.
fn blocks(text: &str, words: &[&str]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for line in text.lines() {
        if words.iter().any(|word| line.starts_with(word)) {
            all.push(String::new());
        }
        if let Some(last) = all.last_mut() {
            *last += line;
            *last += "\n";
        }
    }
    all
}

/// What search has against what is said to be proved.
fn contradictions(said: &[Finding], seen: &[Finding]) -> Vec<String> {
    let mut wrong = Vec::new();
    for said in said.iter().filter(|finding| is_proved(finding)) {
        let alike = |seen: &&Finding| seen.kind == said.kind && seen.span == said.span;
        let Some(seen) = seen.iter().find(alike) else {
            wrong.push(format!("no search of {}", said.title));
            continue;
        };
        let against = match &seen.verdict {
            Ok(verdict) => matches!(verdict, Verdict::Refuted) && !is_beyond(said, seen),
            Err(error) => !error.code.is_limit(),
        };
        if against {
            wrong
                .push(format!("{:?} {:?}\nbut {:?} {:?}", said.title, said.verdict, seen.verdict, seen.counterexample));
        }
    }
    wrong
}

/// Whether a counterexample lies beyond what is said to be proved: a longer list, a greater rule parameter.
fn is_beyond(said: &Finding, seen: &Finding) -> bool {
    let Some(bound) = &said.bound else { return false };
    let up_to = |name: &str| -> Option<i64> {
        let (_, rest) = bound.split_once(&format!("{name} up to "))?;
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    };
    seen.counterexample.iter().any(|(name, value)| match value {
        Value::List(list) => {
            up_to("lengths").is_some_and(|most| i64::try_from(list.items.len()).is_ok_and(|n| n > most))
        }
        Value::Int(n) => up_to(name).is_some_and(|most| *n > most),
        _ => false,
    })
}

/// Statements that are said to be proved, and of which search saw nothing: not even the first size was done in the time.
fn unseen(said: &[Finding], seen: &[Finding]) -> usize {
    let nothing = |finding: &Finding| match &finding.verdict {
        Ok(verdict) => matches!(verdict, Verdict::Unknown { .. }),
        Err(error) => error.code.is_limit(),
    };
    let is_unseen = |said: &&Finding| seen.iter().any(|seen| seen.span == said.span && nothing(seen));
    said.iter().filter(|finding| is_proved(finding)).filter(is_unseen).count()
}

#[test]
fn nothing_changed_stays_proved_against_search() {
    let usual = usize::try_from(rounds(600, 5)).expect("small");
    let number_of =
        |name: &str, usual: usize| std::env::var(name).map_or(usual, |text| text.parse().expect("a number"));
    let (every, seed) = (number_of("GRUNDY_MUTANTS", usual), number_of("GRUNDY_SEED", 0));
    let all = LONG;
    let (mut looked_at, mut blind) = (0, 0);
    let (mut number, mut tried, mut killed, mut refuted, mut stood, mut wrong) = (0, 0, 0, 0, 0, Vec::new());
    for (name, text) in originals() {
        let mut chosen = mutants(&text);
        let first = number;
        number += chosen.len();
        chosen = chosen
            .into_iter()
            .zip(first + 1..)
            .filter(|(_, at)| at % every == seed % every)
            .map(|(mutant, _)| mutant)
            .collect();
        if chosen.is_empty() {
            continue;
        }
        let Some(before) = proved(&text, MODEST) else { continue };
        let statements = before.iter().filter(|finding| is_proved(finding)).count();
        if statements == 0 {
            continue;
        }
        assert_eq!(contradictions(&before, &searched(&text)), Vec::<String>::new(), "{name}");
        let (from, dead) = (tried, killed);
        for mutant in chosen {
            let Some(said) = proved(&mutant.text, MODEST) else { continue };
            tried += 1;
            let still = said.iter().filter(|finding| is_proved(finding)).count();
            refuted += said.iter().filter(|finding| matches!(finding.verdict, Ok(Verdict::Refuted))).count();
            killed += usize::from(still < statements);
            if still == 0 {
                continue;
            }
            let seen = searched(&mutant.text);
            let against = contradictions(&said, &seen);
            looked_at += still;
            blind += unseen(&said, &seen);
            let stands = still >= statements && against.is_empty();
            stood += usize::from(stands);
            for against in against {
                println!("{name}, {}: {against}\n{}", mutant.change, mutant.text);
                wrong.push(format!("{name}, {}", mutant.change));
            }
            if all && stands {
                println!("{name}, {}: still proved", mutant.change);
            }
        }
        if all {
            let (tried, dead) = (tried - from, killed - dead);
            println!("{name}: {statements} proved; {dead} of {tried} changed texts are not");
        }
    }
    println!(
        "{number} changes, {tried} of them games: {killed} not proved any more, {stood} still true as far as search goes; {refuted} statements refuted"
    );
    println!("{looked_at} statements still proved were searched, {blind} of them in vain");
    assert_eq!(wrong, Vec::<String>::new());
    assert!(blind * 5 <= looked_at, "{blind} of {looked_at}");
    assert!(tried > rounds(0, 10) && killed * 2 > tried, "{killed} of {tried}");
}

/// A line about moves says for which lengths it was decided, and no more: here the first theorem is beyond what can be decided by
/// so many states from some length on, and the second fails beyond them.
#[test]
fn lines_about_moves_name_their_lengths() {
    let text = fs::read_to_string("games/climbing_hill_plain.game").expect("a game of the library");
    let changed = text.replace("if i == 0 and", "if all == 0 and");
    assert_ne!(text, changed);
    for states in [60, 300, 1000, 5000] {
        let effort = Effort { states, tests: 30 * states, instances: 10, ..MODEST };
        let said = proved(&changed, effort).expect("a game");
        for said in said.iter().filter(|finding| is_proved(finding) && finding.title.contains("winning")) {
            let bound = said.bound.as_deref().expect("how far it reaches");
            // (1, 2, 3, 6) is the least counterexample, by search.
            let lengths = ["lengths up to 0,", "lengths up to 1,", "lengths up to 2,", "lengths up to 3,"];
            assert!(lengths.iter().any(|length| bound.starts_with(length)), "{bound}");
        }
    }
}

/// The changes are what they are meant to be: a few that must be refuted, each at its least counterexample.
#[test]
fn some_changes_are_refuted() {
    let text = "game G(n) {\n  move take k in 1..min(n, 3) where k < 9 -> G(n - k)\n}\nclaim \"x\" for n in nat: loses(G(n)) iff n mod 4 == 0\n";
    let verdicts: Vec<(String, String)> = mutants(text)
        .iter()
        .filter_map(|mutant| {
            let said = proved(&mutant.text, SMALL)?;
            let finding = said.iter().find(|finding| finding.kind == Kind::Claim)?;
            let word = finding.verdict.as_ref().map_or("ERROR", Verdict::word).to_string();
            Some((mutant.change.clone(), word))
        })
        .collect();
    let said = |change: &str| {
        verdicts
            .iter()
            .find(|(made, _)| made == change)
            .map_or_else(|| panic!("{change}: {verdicts:?}"), |(_, word)| &word[..])
    };
    for change in [
        "line 1: `game` is `misere game`",
        "line 2: `3` is `4`",
        "line 2: `3` is `2`",
        "line 2: `9` is `8`",
        "line 2: `<` is `>`",
        "line 2: `where k < 9` is ``",
        "line 2: `move take k in 1..min(n, 3) where k < 9 -> G(n - k)` is ``",
        "line 4: `loses` is `wins`",
        "line 4: `4` is `5`",
        "line 4: `0` is `1`",
        "line 4: `==` is `!=`",
    ] {
        let same = change.contains('9') && !change.contains("move");
        assert_eq!(said(change), if same { "PROVED" } else { "REFUTED" }, "{change}");
    }
}
