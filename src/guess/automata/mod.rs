//! Automata learnt from values: what is no formula may still be read off digits.
//!
//! For each way to write numbers the table of the first values is made into an automaton ([`learn`]). It must say all the other
//! values, at least as many again, which it was not made from; if it does not, the table is made larger. An automaton
//! may have at most a transition for every two values that it was made from. The prover then takes it as what is claimed.

mod learn;
mod numerals;
mod table;
mod words;

use crate::answer::verdict::Verdict;
pub use crate::guess::automata::learn::{Machine, State};
pub use crate::guess::automata::numerals::Numerals;
use crate::guess::automata::table::{Kind, Table};
use crate::guess::hand_on::{last_claims, status};
use crate::guess::points::Points;
use crate::guess::series::Sort;
use crate::guess::trial::Trial;
use crate::guess::{Understand, reached};
use crate::model::Program;
use crate::source::diagnostic::Diagnostic;
use grundy_automata::Limit;
use std::time::{Duration, Instant};

/// So many states at most.
const STATES: usize = 150;
/// Automata are learnt from these parts of the range of each variable, until one says the rest.
const PARTS: [i64; 4] = [6, 4, 3, 2];
/// A base that the expression suggests.
const BASES: std::ops::RangeInclusive<u64> = 3..=10;

/// An automaton that says all values.
#[derive(Clone, Debug)]
pub struct Found {
    /// The automaton.
    pub machine: Machine,
    /// What it reads.
    pub names: Vec<String>,
    /// The definition and the claim, as lines of a file.
    pub lines: Vec<String>,
    /// What it was made from: `n in 0..66`.
    pub fitted: String,
    /// How far it was held against the rules: `n <= 400`.
    pub verified: String,
    /// VERIFIED or PROVED.
    pub verdict: Verdict,
    /// Why it is not proved.
    pub why: Option<String>,
}

/// The automaton with the fewest states that says all values, one that is proved before others; `None`: there is none.
pub(super) fn found(
    run: &mut Trial<'_, '_, '_>,
    time: Duration,
    understand: Understand<'_>,
) -> Result<Option<Found>, Vec<Diagnostic>> {
    let until = Instant::now() + time;
    if !run.grown {
        run.data.more(time / 2).map_err(|error| vec![*error])?;
        run.data.points.order();
        run.grown = true;
    }
    let all = run.points(&run.data.points);
    let mut learnt = Vec::new();
    for numerals in ways(&run.asked.expr) {
        if Instant::now() < until
            && let Some((machine, ends)) = learned(&all, numerals)
        {
            learnt.push((machine, ends));
        }
    }
    learnt.sort_by_key(|(machine, _)| machine.states.len());
    let mut best: Option<Found> = None;
    let limit = Limit { deadline: Some(until), ..Limit::default() };
    for (machine, ends) in learnt {
        // One that is too large is none that tells anything.
        let Ok(machine) = words::whole(&machine, &limit) else { continue };
        let said = run.names.iter().zip(&ends).map(|(name, most)| format!("{name} in 0..{most}"));
        let found = Found {
            lines: lines(run, &machine, &run.data.program()),
            machine,
            names: run.names.clone(),
            fitted: said.collect::<Vec<_>>().join(", "),
            verified: reached(&run.data, &run.names),
            verdict: Verdict::Verified,
            why: None,
        };
        let mut rules = understand(&found.lines)?;
        let program = rules.session.program.clone();
        let Some(claim) = last_claims(&program, 1).pop() else { continue };
        if !run.says(&mut rules, claim).map_err(|error| vec![*error])? {
            continue;
        }
        match status(&mut rules, &[], claim) {
            Ok(verdict @ Verdict::Proved { .. }) => return Ok(Some(Found { verdict, ..found })),
            // It fails beyond all data.
            Ok(Verdict::Refuted) => {}
            Ok(_) => best = best.or(Some(found)),
            Err(why) => best = best.or(Some(Found { why: Some(why), ..found })),
        }
    }
    Ok(best)
}

/// The ways to write numbers that are tried: base 2 and Zeckendorf, and bases k + 1 and k for numbers k in the expression.
fn ways(expr: &str) -> Vec<Numerals> {
    let mut found = vec![Numerals::Base(2), Numerals::Zeckendorf];
    let numbers = expr.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse::<u64>().ok());
    for base in numbers.flat_map(|k| [k.saturating_add(1), k]).filter(|base| BASES.contains(base)) {
        let base = Numerals::Base(u8::try_from(base).unwrap_or(2));
        if !found.contains(&base) {
            found.push(base);
        }
    }
    found
}

/// An automaton that says all values, with the greatest number of each variable in the table that it was made from.
fn learned(all: &Points, numerals: Numerals) -> Option<(Machine, Vec<i64>)> {
    let kind = if all.sort == Sort::Truth { Kind::Truth } else { Kind::Value };
    let most: Vec<i64> =
        (0..all.variables).map(|variable| all.rows.iter().map(|(at, _)| at[variable]).max().unwrap_or(0)).collect();
    for part in PARTS {
        let ends: Vec<i64> = most.iter().map(|most| most / part).collect();
        let rows: Vec<&(Vec<i64>, i128)> =
            all.rows.iter().filter(|(at, _)| at.iter().zip(&ends).all(|(x, end)| x <= end)).collect();
        if rows.len() * 2 > all.rows.len() + 1 {
            break;
        }
        let Some(table) = Table::new(numerals, kind, &rows) else { continue };
        let most = (table.points / table.letters / 2).min(STATES);
        let mut machine = learn::learn(&table, numerals, all.variables, most);
        if kind == Kind::Truth && numerals == Numerals::Zeckendorf {
            // Words that are no numbers are rejected; with the other values they are accepted, which may take fewer states.
            let turned: Vec<(Vec<i64>, i128)> = rows.iter().map(|(at, value)| (at.clone(), 1 - value)).collect();
            let table = Table::new(numerals, kind, &turned.iter().collect::<Vec<_>>());
            let other = table.and_then(|table| learn::learn(&table, numerals, all.variables, most));
            let states =
                |machine: &Option<Machine>| machine.as_ref().map_or(usize::MAX, |machine| machine.states.len());
            if states(&other) < states(&machine) {
                machine = other.map(Machine::complement);
            }
        }
        if let Some(machine) = machine.filter(|machine| all.rows.iter().all(|(at, value)| machine.says(at, *value))) {
            return Some((machine, ends));
        }
    }
    None
}

/// The lines of a file that say what an automaton says: a definition, and a claim.
fn lines(run: &Trial<'_, '_, '_>, machine: &Machine, program: &Program) -> Vec<String> {
    let (definition, call) = words::definition(machine, &run.names, program);
    let read = run.names.join(", ");
    let ends = run.data.ends();
    let claim = match &run.texts {
        _ if machine.value => run.asked.claim_of_value(&format!("{call}{read}, "), &ends),
        Some((_, yes, no)) => {
            run.asked.plain_claim(&format!("(if {call}{read}) then \"{yes}\" else \"{no}\")"), false, &ends)
        }
        None => run.asked.plain_claim(&format!("{call}{read})"), true, &ends),
    };
    vec![definition, claim]
}
