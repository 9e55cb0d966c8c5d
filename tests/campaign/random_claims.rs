//! Random games of many forms with random claims, many of which have no value somewhere: what `prove` says, `check` does not
//! contradict, and what it refutes fails just there, and nowhere before.
//!
//! The usual run tries a few games, the campaign 1000, and `GRUNDY_CLAIMS=10000` so many,
//! others with `GRUNDY_SEED=2`; `GRUNDY_SHOW=1` shows each before it is judged.

mod games;
mod terms;

use crate::proved::{SMALL, ctx};
use crate::rounds;
use games::{Claim, Game};
use grundy::answer::{Finding, Kind};
use grundy::claims::{Budget, File, check};
use grundy::prover::{arguments, prove_file};
use grundy::source::text::Sources;
use grundy::syntax::parse_file;
use grundy::typing::NoLoader;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;
use terms::Random;

/// How statements are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Prove,
    /// With all sentences kept, so that inductions come before periods.
    ProveKeeping,
    /// So many instances.
    Check(u64),
}

/// The claims of a text by their titles; `None`: it is no good text.
fn judged(text: &str, by: By) -> Option<BTreeMap<String, Finding>> {
    let mut sources = Sources::default();
    let own = sources.add("random.game", text);
    let file = parse_file(&sources, own).ok()?;
    let program = grundy::typing::check(&file, own, &mut sources, &mut NoLoader).ok()?;
    let mut ctx = ctx(Arc::new(program));
    // What a search does not find out soon is not found out.
    (ctx.limits.positions, ctx.limits.steps) = (Some(5000), Some(2_000_000));
    let mut found = BTreeMap::new();
    let file = File { sources: &sources, own };
    let mut tell = |finding: Finding| {
        if finding.kind == Kind::Claim {
            found.insert(finding.title.clone(), finding);
        }
    };
    match by {
        By::Prove => prove_file(&mut ctx, SMALL, file, &mut tell),
        By::ProveKeeping => arguments(&mut ctx, SMALL, file, &mut |finding, _| tell(finding)),
        By::Check(instances) => {
            let budget = Budget { time: Duration::MAX, instances, steps: None };
            check(&mut ctx, &budget, file, &mut tell);
        }
    }
    Some(found)
}

/// What was found, in a word; `ERROR` is a fault of the rules or the claim, and no limit.
fn word(finding: &Finding) -> &'static str {
    match &finding.verdict {
        Ok(verdict) => verdict.word(),
        Err(error) if error.code.is_limit() || error.code == "E22" => "UNKNOWN",
        Err(_) => "ERROR",
    }
}

/// Conditions that say who loses, as far as a short search goes.
fn fitted(random: &mut Random, game: &Game) -> Vec<String> {
    const SEEN: usize = 24;
    let mut text = game.text.clone();
    let position = &game.position;
    if let [variable] = &game.variables[..] {
        for value in 0..SEEN {
            writeln!(text, "claim \"{value}\" for {variable} in {value}..{value}: loses({position})")
                .expect("a string");
        }
        let Some(found) = judged(&text, By::Check(10)) else { return Vec::new() };
        let lost: Option<Vec<bool>> = (0..SEEN)
            .map(|value| match word(found.get(&value.to_string())?) {
                "VERIFIED" | "PROVED" => Some(true),
                "REFUTED" => Some(false),
                _ => None,
            })
            .collect();
        let Some(lost) = lost else { return Vec::new() };
        let members = |from: usize, to: usize| {
            let all: Vec<String> = (from..to).filter(|n| lost[*n]).map(|n| (n - from).to_string()).collect();
            if all.is_empty() { "{-1}".to_string() } else { format!("{{{}}}", all.join(", ")) }
        };
        let fits = |start: usize, period: usize| (start + period..SEEN).all(|n| lost[n] == lost[n - period]);
        let periodic = |(start, period): (usize, usize)| {
            let [before, after] = [members(0, start), members(start, start + period)];
            format!(
                "if {variable} < {start} then {variable} in {before} else ({variable} - {start}) mod {period} in {after}"
            )
        };
        let first = (0..9).flat_map(|start| (1..8).map(move |period| (start, period))).find(|(s, p)| fits(*s, *p));
        return first.into_iter().map(periodic).collect();
    }
    let conditions: Vec<String> = (0..30).map(|_| game.words.truth(random, 1)).collect();
    let [a, b] = &game.variables[..] else { return Vec::new() };
    for (i, condition) in conditions.iter().enumerate() {
        writeln!(text, "claim \"{i}\" for {a}, {b} in 0..5: loses({position}) iff ({condition})").expect("a string");
    }
    let Some(found) = judged(&text, By::Check(100)) else { return Vec::new() };
    let good =
        |i: &usize| found.get(&i.to_string()).is_some_and(|finding| matches!(word(finding), "VERIFIED" | "PROVED"));
    (0..conditions.len()).filter(good).map(|i| conditions[i].clone()).collect()
}

fn size(finding: &Finding) -> Option<u64> {
    finding.counterexample.iter().map(|(_, value)| value.to_string().parse::<u64>().ok()).sum()
}

/// What is wrong with what was said of a claim.
fn contradiction(game: &Game, claim: &Claim, said: &Finding, seen: &Finding) -> Option<String> {
    match (word(said), word(seen)) {
        ("PROVED", "REFUTED" | "ERROR") => Some(format!("PROVED, but {seen:#?}")),
        ("REFUTED", "REFUTED") if size(said) > size(seen) => Some(format!("{said:#?} is not the least: {seen:#?}")),
        ("ERROR", "PROVED" | "VERIFIED" | "REFUTED") => Some(format!("{said:#?}")),
        ("REFUTED", _) => {
            let at: Vec<(String, String)> =
                said.counterexample.iter().map(|(name, value)| (name.clone(), value.to_string())).collect();
            let text = game.text.clone() + &claim.at(&at).text("at");
            let found = judged(&text, By::Check(10)).expect("the same file");
            let there = &found["at"];
            matches!(word(there), "VERIFIED" | "PROVED" | "ERROR").then(|| format!("{said:#?}\nbut there {there:#?}"))
        }
        _ => None,
    }
}

#[test]
fn nothing_is_proved_that_search_contradicts() {
    let number = |name: &str, usual: u64| std::env::var(name).map_or(usual, |text| text.parse().expect("a number"));
    let (count, seed) = (number("GRUNDY_CLAIMS", rounds(6, 1000)), number("GRUNDY_SEED", 1));
    let shows = std::env::var("GRUNDY_SHOW").is_ok();
    let mut told: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = 0;
    for number in 0..count {
        let mut random = Random(seed.wrapping_mul(1_000_003).wrapping_add(number).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        random.below(2);
        let game = Game::random(&mut random);
        if shows {
            println!("game {number}\n{}", game.text);
        }
        let fits = fitted(&mut random, &game);
        let mut good: Vec<(String, Claim)> = Vec::new();
        let mut text = game.text.clone();
        for title in ["one", "two", "three", "four"] {
            let claim = Claim::random(&mut random, &game, &fits);
            if judged(&(game.text.clone() + &claim.text(title)), By::Check(1)).is_some() {
                text += &claim.text(title);
                good.push((title.to_string(), claim));
            }
        }
        if shows {
            println!("{}", &text[game.text.len()..]);
        }
        let Some(seen) = judged(&text, By::Check(400)) else { continue };
        for by in [By::Prove, By::ProveKeeping] {
            let said = judged(&text, by).expect("the same file");
            for (title, claim) in &good {
                let (said, seen) = (&said[title], &seen[title]);
                *told.entry(word(said)).or_default() += 1;
                if let Some(why) = contradiction(&game, claim, said, seen) {
                    wrong += 1;
                    println!("game {number}, {title}: {why}\n{}{}\n", game.text, claim.text(title));
                }
            }
        }
    }
    println!("{count} games: {told:?}");
    assert_eq!(wrong, 0);
}
