//! Automata learnt from values: what is no formula may still be read off digits.
//!
//! For each way to write numbers the table of the first values is made into an automaton ([`learn`]). It must say all the other
//! values, at least as many again, which it was not made from; if it does not, the table is made larger. An automaton
//! may have at most a transition for every two values that it was made from. The prover then takes it as what is claimed.

use crate::answer::Verdict;
use crate::guess::data::{Points, Sort};
use crate::guess::refute::{Refuter, last_claims, status};
use crate::guess::{Desk, reached};
use crate::model::Program;
use grundy_automata::{Atom, Automaton, Formula, Join, Limit, Linear, Reason, System, Table, Track, compile};
use std::time::{Duration, Instant};

const STATES: usize = 150;
/// Automata are learnt from these parts of the range of each variable, until one says the rest.
const PARTS: [i64; 4] = [6, 4, 3, 2];
/// A base that the expression suggests.
const BASES: std::ops::RangeInclusive<u8> = 3..=10;

/// An automaton that says all values.
#[derive(Clone, Debug)]
pub struct Found {
    /// The automaton.
    pub acceptor: Acceptor,
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
    run: &mut Refuter<'_, '_, '_>,
    time: Duration,
    desk: &mut dyn Desk,
) -> Result<Option<Found>, Vec<crate::source::Diagnostic>> {
    let until = Instant::now() + time;
    if !run.grown {
        run.data.more(time / 2);
        run.data.points.order();
        run.grown = true;
    }
    let all = run.points(&run.data.points);
    let ways = ways(&run.asked.expr).into_iter().filter(|_| Instant::now() < until);
    let mut learnt: Vec<(Acceptor, Vec<i64>)> = ways.filter_map(|system| learned(&all, system)).collect();
    learnt.sort_by_key(|(acceptor, _)| acceptor.table.states.len());
    let mut best: Option<Found> = None;
    let limit = Limit { deadline: Some(until), ..Limit::default() };
    for (acceptor, ends) in learnt {
        // One that is too large is none that tells anything.
        let Ok(acceptor) = whole(&acceptor, &limit) else { continue };
        let said = run.names.iter().zip(&ends).map(|(name, most)| format!("{name} in 0..{most}"));
        let found = Found {
            lines: lines(run, &acceptor, &run.data.program()),
            acceptor,
            names: run.names.clone(),
            fitted: said.collect::<Vec<_>>().join(", "),
            verified: reached(&run.data, &run.names),
            verdict: Verdict::Verified,
            why: None,
        };
        let mut rules = desk.understand(&found.lines)?;
        let program = rules.session.program.clone();
        let Some(claim) = last_claims(&program, 1).pop() else { continue };
        if !run.says(&mut rules, claim).map_err(|error| vec![*error])? {
            continue;
        }
        match status(&mut rules, claim) {
            Ok(verdict @ Verdict::Proved { .. }) => return Ok(Some(Found { verdict, ..found })),
            Ok(Verdict::Refuted) => {}
            Ok(_) => best = best.or(Some(found)),
            Err(why) => best = best.or(Some(Found { why: Some(why), ..found })),
        }
    }
    Ok(best)
}

/// The ways to write numbers that are tried: base 2 and Zeckendorf, and bases k + 1 and k for numbers k in the expression.
fn ways(expr: &str) -> Vec<System> {
    let mut found = vec![System::Binary, System::ZECKENDORF];
    let numbers = expr.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse::<u8>().ok());
    let bases = numbers.flat_map(|k| [k.saturating_add(1), k]).filter(|base| BASES.contains(base));
    for system in bases.filter_map(System::base) {
        if !found.contains(&system) {
            found.push(system);
        }
    }
    found
}

/// An automaton that says all values, with the greatest number of each variable in the table that it was made from.
fn learned(all: &Points, system: System) -> Option<(Acceptor, Vec<i64>)> {
    let kind = if all.sort == Sort::Truth { Kind::Truth } else { Kind::Value };
    for part in PARTS {
        let ends: Vec<i64> = (0..all.variables).map(|variable| all.most(variable) / part).collect();
        let rows: Vec<&(Vec<i64>, i128)> =
            all.rows.iter().filter(|(at, _)| at.iter().zip(&ends).all(|(x, end)| x <= end)).collect();
        if rows.len() * 2 > all.rows.len() + 1 {
            break;
        }
        let Some(table) = WordTree::new(system, kind, &rows) else { continue };
        let most = (table.points / table.letters / 2).min(STATES);
        let mut acceptor = learn(&table, all.variables, most);
        if kind == Kind::Truth && system == System::ZECKENDORF {
            // Words that are no numbers are rejected; with the other values they are accepted, which may take fewer states.
            let turned: Vec<(Vec<i64>, i128)> = rows.iter().map(|(at, value)| (at.clone(), 1 - value)).collect();
            let table = WordTree::new(system, kind, &turned.iter().collect::<Vec<_>>());
            let other = table.and_then(|table| learn(&table, all.variables, most));
            let states = |acceptor: &Acceptor| acceptor.table.states.len();
            if other.as_ref().is_some_and(|other| acceptor.as_ref().is_none_or(|one| states(other) < states(one))) {
                acceptor = other.map(Acceptor::complement);
            }
        }
        if let Some(acceptor) = acceptor.filter(|acceptor| all.rows.iter().all(|(at, value)| acceptor.says(at, *value)))
        {
            return Some((acceptor, ends));
        }
    }
    None
}

/// The lines of a file that say what an automaton says: a definition, and a claim.
fn lines(run: &Refuter<'_, '_, '_>, acceptor: &Acceptor, program: &Program) -> Vec<String> {
    let (definition, call) = definition(acceptor, &run.names, program);
    let read = run.names.join(", ");
    let ends = run.data.ends();
    let claim = match &run.texts {
        _ if acceptor.reads_value => run.asked.claim_of_value(&format!("{call}{read}, "), &ends),
        Some((_, yes, no)) => {
            run.asked.plain_claim(&format!("(if {call}{read}) then \"{yes}\" else \"{no}\")"), false, &ends)
        }
        None => run.asked.plain_claim(&format!("{call}{read})"), true, &ends),
    };
    vec![definition, claim]
}

/// An automaton that reads numbers from their lowest digits on.
#[derive(Clone, Debug)]
pub struct Acceptor {
    /// How numbers are written.
    pub system: System,
    /// Whether the last number that it reads is the value, behind the variables.
    pub reads_value: bool,
    /// Its states.
    pub table: Table,
}

fn learn(tree: &WordTree, variables: usize, most: usize) -> Option<Acceptor> {
    let digits = if tree.kind == Kind::Value { tree.system.size() } else { 1 };
    let value = |digit: u8| (tree.kind == Kind::Value).then_some(digit);
    let mut rests: Vec<Rest> = vec![Rest::default()];
    let mut to: Vec<Vec<Option<usize>>> = Vec::new();
    while to.len() < rests.len() {
        let mut row = Vec::new();
        for digit in 0..digits {
            for letter in 0..tree.letters {
                let next = tree.after(&rests[to.len()], letter, value(digit));
                let Some(next) = next else {
                    row.push(None);
                    continue;
                };
                // The state with which it agrees most often, the first of these.
                let agreeing = rests.iter().enumerate().rev();
                let agreeing = agreeing.filter_map(|(state, rest)| Some((tree.agreed(&next, rest)?, state)));
                let best = agreeing.max_by_key(|(often, _)| *often);
                let state = best.map_or(rests.len(), |(_, state)| state);
                if best.is_none() {
                    if rests.len() == most {
                        return None;
                    }
                    rests.push(next);
                }
                row.push(Some(state));
            }
        }
        to.push(row);
    }
    let reads_value = digits > 1;
    let states = finished(tree, &rests, to)?;
    let table = Table { reads: variables + usize::from(reads_value), states };
    Some(Acceptor { system: tree.system, reads_value, table })
}

/// Puts what nothing is known of into a state of its own, and sees to it that zeros above the highest digits change nothing.
fn finished(tree: &WordTree, rests: &[Rest], to: Vec<Vec<Option<usize>>>) -> Option<Vec<(bool, Vec<usize>)>> {
    let mut accepts: Vec<Option<bool>> = rests.iter().map(|rest| tree.accepts(rest)).collect();
    let nowhere = rests.len();
    let missing = to.iter().flatten().any(Option::is_none);
    let mut to: Vec<Vec<usize>> =
        to.into_iter().map(|row| row.into_iter().map(|state| state.unwrap_or(nowhere)).collect()).collect();
    if missing {
        to.push(vec![nowhere; to.first()?.len()]);
        accepts.push(Some(false));
    }
    for _ in 0..to.len() {
        for state in 0..to.len() {
            accepts[state] = accepts[state].or(accepts[to[state][0]]);
        }
    }
    let accepts: Vec<bool> = accepts.into_iter().map(|accepts| accepts == Some(true)).collect();
    if to.iter().enumerate().any(|(state, row)| accepts[state] != accepts[row[0]]) {
        return None;
    }
    Some(accepts.into_iter().zip(to).collect())
}

impl Acceptor {
    /// The digits of a letter, one for each number.
    pub fn digits(&self, letter: usize) -> Vec<usize> {
        let base = usize::from(self.system.size());
        let rest = std::iter::successors(Some(letter), |letter| Some(letter / base));
        rest.take(self.table.reads).map(|letter| letter % base).collect()
    }

    fn complement(mut self) -> Acceptor {
        self.table.states.iter_mut().for_each(|(accepts, _)| *accepts = !*accepts);
        self
    }

    fn accepts(&self, numbers: &[u64]) -> bool {
        let words: Vec<Vec<u8>> = numbers.iter().map(|number| written(self.system, *number)).collect();
        let places = words.iter().map(Vec::len).max().unwrap_or(0);
        let next = |state: usize, place| self.table.states[state].1[letter_at(self.system, &words, place, None)];
        self.table.states[(0..places).fold(0, next)].0
    }

    /// Whether it says this value of a point, and no other.
    fn says(&self, at: &[i64], value: i128) -> bool {
        let numbers: Option<Vec<u64>> = at.iter().map(|x| u64::try_from(*x).ok()).collect();
        let (Some(mut numbers), Ok(value)) = (numbers, u64::try_from(value)) else { return false };
        if !self.reads_value {
            return self.accepts(&numbers) == (value == 1);
        }
        let only = self.values(&numbers) == 1;
        numbers.push(value);
        only && self.accepts(&numbers)
    }

    /// How many values it accepts at a point, among those that are not much longer than the point.
    fn values(&self, numbers: &[u64]) -> u64 {
        const LONGER: usize = 8;
        let words: Vec<Vec<u8>> = numbers.iter().map(|number| written(self.system, *number)).collect();
        let places = words.iter().map(Vec::len).max().unwrap_or(0) + LONGER;
        // How many beginnings of values lead to each state. The digits 1 of Fibonacci numbers are no neighbours: a state counts
        // twice, by what the last digit was.
        let digits = self.system.size();
        let mut ways = vec![[0u64; 2]; self.table.states.len()];
        ways[0][0] = 1;
        for place in 0..places {
            let mut next = vec![[0u64; 2]; self.table.states.len()];
            for ((_, to), ways) in self.table.states.iter().zip(&ways) {
                for digit in 0..digits {
                    let letter = letter_at(self.system, &words, place, Some(digit));
                    for (last, count) in ways.iter().enumerate() {
                        let neighbours = self.system == System::ZECKENDORF && last == 1 && digit == 1;
                        if !neighbours {
                            let count_to = &mut next[to[letter]][usize::from(digit == 1)];
                            *count_to = count_to.saturating_add(*count);
                        }
                    }
                }
            }
            ways = next;
        }
        let accepted = self.table.states.iter().zip(&ways).filter(|((accepts, _), _)| *accepts);
        accepted.map(|(_, [zero, one])| zero.saturating_add(*one)).fold(0, u64::saturating_add)
    }
}

const NONE: u32 = u32::MAX;
/// The node of all words that are no numbers: nothing is accepted there.
const NO_NUMBER: u32 = u32::MAX - 1;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It accepts the points of value 1.
    Truth,
    /// It reads the value beside the point, and accepts the right one.
    Value,
}

/// All points that are known, each as the letters of its digits from the lowest on, all of one length.
pub(super) struct WordTree {
    pub(super) kind: Kind,
    system: System,
    /// So many letters: one digit for each variable.
    pub(super) letters: usize,
    children: Vec<u32>,
    /// The letter that leads to each node.
    last: Vec<usize>,
    /// At the end of a word the value: its digits, or one truth value.
    values: Vec<Option<Vec<u8>>>,
    pub(super) points: usize,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Rest {
    node: u32,
    /// The digits of the value so far.
    low: Vec<u8>,
}

#[derive(PartialEq, Eq)]
enum Known<'t> {
    /// It is no whole word.
    Nothing,
    /// The value begins with other digits than those read, or the word is no number.
    Other,
    /// This is left of the value.
    Left(&'t [u8]),
}

/// A number as a word, without zeros above its highest digit.
fn written(system: System, mut number: u64) -> Vec<u8> {
    if let System::ZECKENDORF = system {
        return system.digits(&num_bigint::BigUint::from(number));
    }
    let base = u64::from(system.size());
    let mut word = Vec::new();
    while number > 0 {
        // A remainder by a number of one byte is one byte.
        word.push(u8::try_from(number % base).unwrap_or_default());
        number /= base;
    }
    word
}

/// The number of the letter at a place of words, and of a digit more: that of the first word changes fastest.
fn letter_at(system: System, words: &[Vec<u8>], place: usize, last: Option<u8>) -> usize {
    let digits = words.iter().map(|word| word.get(place).copied().unwrap_or(0)).rev();
    last.into_iter().chain(digits).fold(0, |letter, digit| letter * usize::from(system.size()) + usize::from(digit))
}

impl WordTree {
    /// The table of some points; `None`: a number is negative, or there is nothing.
    pub(super) fn new(system: System, kind: Kind, rows: &[&(Vec<i64>, i128)]) -> Option<WordTree> {
        let variables = rows.first()?.0.len();
        let letters = usize::from(system.size()).checked_pow(u32::try_from(variables).ok()?)?;
        let mut table = WordTree {
            kind,
            system,
            letters,
            children: Vec::new(),
            last: Vec::new(),
            values: Vec::new(),
            points: rows.len(),
        };
        table.node(0);
        let words = rows.iter().map(|(at, value)| {
            let at: Option<Vec<Vec<u8>>> = at.iter().map(|x| Some(written(system, u64::try_from(*x).ok()?))).collect();
            let value = u64::try_from(*value).ok()?;
            Some((at?, if kind == Kind::Truth { vec![u8::from(value == 1)] } else { written(system, value) }))
        });
        let words: Vec<(Vec<Vec<u8>>, Vec<u8>)> = words.collect::<Option<_>>()?;
        let depth = words.iter().flat_map(|(at, _)| at.iter().map(Vec::len)).max()?;
        for (at, value) in words {
            let mut node = 0;
            for place in 0..depth {
                let letter = letter_at(system, &at, place, None);
                let known = table.children[node as usize * letters + letter];
                node = if known == NONE {
                    let new = table.node(letter);
                    table.children[node as usize * letters + letter] = new;
                    new
                } else {
                    known
                };
            }
            table.values[node as usize] = Some(value);
        }
        Some(table)
    }

    fn node(&mut self, last: usize) -> u32 {
        self.last.push(last);
        self.children.resize(self.children.len() + self.letters, NONE);
        self.values.push(None);
        u32::try_from(self.values.len() - 1).unwrap_or(NONE)
    }

    /// What is left behind a letter more, and a digit more of the value; `None`: nothing is known there.
    pub(super) fn after(&self, rest: &Rest, letter: usize, digit: Option<u8>) -> Option<Rest> {
        let node = self.child(rest.node, letter)?;
        let mut low = rest.low.clone();
        low.extend(digit);
        Some(Rest { node, low })
    }

    fn child(&self, node: u32, letter: usize) -> Option<u32> {
        if node == NO_NUMBER {
            return Some(NO_NUMBER);
        }
        if self.values[node as usize].is_some() {
            // Above the highest digits there are zeros.
            return (letter == 0).then_some(node);
        }
        // Two digits 1 of Fibonacci numbers are no neighbours.
        if self.system == System::ZECKENDORF && self.last[node as usize] & letter != 0 {
            return Some(NO_NUMBER);
        }
        Some(self.children[node as usize * self.letters + letter]).filter(|child| *child != NONE)
    }

    /// What is left of the value at the end of a word.
    fn value(&self, node: u32, rest: &Rest) -> Known<'_> {
        if node == NO_NUMBER {
            return if self.kind == Kind::Truth { Known::Left(&[0]) } else { Known::Other };
        }
        let Some(value) = self.values[node as usize].as_deref() else { return Known::Nothing };
        if self.kind == Kind::Truth {
            return Known::Left(value);
        }
        let fits = rest.low.iter().enumerate().all(|(i, digit)| value.get(i).copied().unwrap_or(0) == *digit);
        if fits { Known::Left(value.get(rest.low.len()..).unwrap_or_default()) } else { Known::Other }
    }

    /// Whether the automaton accepts here, where it is known.
    pub(super) fn accepts(&self, rest: &Rest) -> Option<bool> {
        let mut node = rest.node;
        loop {
            match self.value(node, rest) {
                Known::Left(value) if self.kind == Kind::Truth => return Some(*value == [1]),
                Known::Left(value) => return Some(value.is_empty()),
                Known::Other => return Some(false),
                Known::Nothing => node = self.child(node, 0)?,
            }
        }
    }

    /// How many words both know; `None`: they differ at one.
    pub(super) fn agreed(&self, a: &Rest, b: &Rest) -> Option<usize> {
        let mut agreed = 0;
        let mut todo = vec![(a.node, b.node)];
        while let Some((x, y)) = todo.pop() {
            let known = [self.value(x, a), self.value(y, b)];
            if !known.contains(&Known::Nothing) {
                if known[0] != known[1] {
                    return None;
                }
                agreed += 1;
                continue;
            }
            for letter in 0..self.letters {
                if let (Some(x), Some(y)) = (self.child(x, letter), self.child(y, letter)) {
                    todo.push((x, y));
                }
            }
        }
        Some(agreed)
    }
}

/// The smallest automaton that accepts the same; of one that reads values, with the value 0 wherever it accepts none.
fn whole(acceptor: &Acceptor, limit: &Limit) -> Result<Acceptor, Reason> {
    let system = acceptor.system;
    let mut automaton = acceptor.table.automaton(system, limit)?;
    if acceptor.reads_value {
        let many = || Reason::Failed("too many variables".into());
        let value =
            acceptor.table.reads.checked_sub(1).and_then(|value| Track::try_from(value).ok()).ok_or_else(many)?;
        let said = Formula::atom(Atom::Word(std::sync::Arc::new(automaton.clone()), (0..=value).collect()));
        let none = Formula::exists(vec![value], said).not();
        let zero = Formula::equal(&Linear::track(value), &Linear::default());
        let rest: Automaton = compile(&Formula::all([none, zero]), system, limit)?;
        automaton = automaton.join(&rest, Join::Or, limit)?;
    }
    Ok(Acceptor { table: Table::of(&automaton, acceptor.table.reads, system)?, ..acceptor.clone() })
}

/// A definition that says whether an automaton accepts, and the beginning of its call; its name and those of its parameters are
/// no names of the file.
fn definition(acceptor: &Acceptor, variables: &[String], program: &Program) -> (String, String) {
    let games = program.games.iter().map(|game| game.name.clone());
    let defs = program.defs.iter().map(|def| def.name.clone());
    let globals = program.globals.iter().map(|global| global.name.clone());
    let mut taken: Vec<String> = games.chain(defs).chain(globals).chain(variables.iter().cloned()).collect();
    let mut new = |name: &str| {
        let names = std::iter::once(name.to_string()).chain((2..).map(|i| format!("{name}{i}")));
        let name = names.into_iter().find(|name| !taken.contains(name)).unwrap_or_default();
        taken.push(name.clone());
        name
    };
    let (name, state) = (new("reads"), new("s"));
    let mut numbers = variables.to_vec();
    if acceptor.reads_value {
        numbers.push(new("v"));
    }
    let most = if let [one] = &numbers[..] { one.clone() } else { format!("max({})", numbers.join(", ")) };
    let base = usize::from(acceptor.system.size());
    let (places, end, digits, again, call) = match acceptor.system {
        System::Binary | System::Base(_) => (
            Vec::new(),
            format!("{most} == 0"),
            numbers.iter().map(|number| format!("{number} mod {base}")).collect::<Vec<_>>(),
            numbers.iter().map(|number| format!("{number} div {base}")).collect::<Vec<_>>(),
            format!("{name}(0, "),
        ),
        // Of these only sums of Fibonacci numbers are tried.
        System::Surd(_) => {
            let (f, g) = (new("f"), new("g"));
            (
                vec![f.clone(), g.clone()],
                format!("{f} > {most}"),
                numbers.iter().map(|number| format!("count([{f} in zeckendorf({number})])")).collect(),
                [g.clone(), format!("{f} + {g}")].into_iter().chain(numbers.iter().cloned()).collect(),
                format!("{name}(0, 1, 2, "),
            )
        }
    };
    let letter: Vec<String> = digits
        .iter()
        .zip(0u32..)
        .map(|(digit, i)| match (i, digits.len()) {
            (0, _) => digit.clone(),
            _ if digit.contains('(') => format!("{} * {digit}", base.pow(i)),
            _ => format!("{} * ({digit})", base.pow(i)),
        })
        .collect();
    let row = |to: &[usize]| format!("[{}]", to.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "));
    let rows: Vec<String> = acceptor.table.states.iter().map(|(_, to)| row(to)).collect();
    let accepting = acceptor.table.states.iter().enumerate().filter(|(_, (accepts, _))| *accepts);
    let accepting: Vec<String> = accepting.map(|(number, _)| number.to_string()).collect();
    let accepts =
        if accepting.is_empty() { "false".to_string() } else { format!("{state} in {{{}}}", accepting.join(", ")) };
    let parameters: Vec<String> =
        std::iter::once(&state).chain(&places).chain(&numbers).map(|name| format!("{name}: nat")).collect();
    let text = format!(
        "def {name}({}): bool =\n  if {end} then {accepts} else {name}([{}][{state}][{}], {})",
        parameters.join(", "),
        rows.join(", "),
        letter.join(" + "),
        again.join(", ")
    );
    (text, call)
}
