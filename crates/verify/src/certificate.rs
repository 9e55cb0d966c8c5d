//! The file of a proof, and the heaps of a game whose Grundy values an automaton has: that they are periodic, and that it has
//! these and no others.

use crate::atoms::{Numbers, Reads, Written};
use crate::decide::decide;
use crate::method::Method;
use crate::sentence::{Sentence, parse};
use crate::table::{Halt, Limits};
use grundy_heap::certificate as period;
use grundy_heap::game::Game;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The version of the format.
pub const VERSION: u32 = 1;

/// A statement about a game, and the sentences on which its proof rests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// What kind of file this is: [`VERSION`].
    pub grundy_proof_certificate: u32,
    /// What the statement is called.
    pub statement: String,
    /// The statement in the words of its file.
    pub words: String,
    /// The name of the file.
    pub file: String,
    /// The text of the file.
    pub game: String,
    /// The texts of the files that it uses, and that these use, by the names in their `use` lines.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub uses: BTreeMap<String, String>,
    /// Statements that are used and proved elsewhere.
    pub rests_on: Vec<String>,
    /// Heaps whose values are known by a period, and spoken of by automata.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heaps: Vec<Heaps>,
    /// All instances of the statement were played through: so many. Then there are no sentences.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played: Option<u64>,
    /// How many sentences there are in all cases.
    pub sentences: usize,
    /// The cases; each of them is proved.
    pub cases: Vec<Case>,
}

/// One of the cases into which a statement is cut.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Which; empty: the only one.
    pub case: String,
    /// The other statement that is proved together with this one, if it is a case of that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beside: Option<String>,
    /// How it is argued.
    pub by: Method,
    /// `base 2` or another base up to 16, `Zeckendorf`, or `Ostrowski t` for t from 2 to 15.
    pub numbers: String,
    /// The automata that its sentences speak of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub automata: Vec<Written>,
    /// All that must never happen.
    pub parts: Vec<Part>,
}

/// Something that must never happen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// What, in words.
    pub never: String,
    /// The sentence that says so, which must be true (`sentence.rs`).
    pub sentence: String,
}

const BY_SUM: &str = "a move does not make the sum of all numbers smaller";
/// The last part of a ranking by numbers one after the other; behind it stands how many they are.
const BY_NUMBERS: &str = "a move leaves all numbers of the ranking as they are: ";
/// One of them: which, and how it changes.
const ONE: (&str, &str) = ("a move makes number ", " and leaves those before it in the ranking");

/// Why a certificate was not confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// What it says is not so.
    Wrong(String),
    /// A part could not be decided: which, and why.
    Halted(String, Halt),
}

impl Certificate {
    /// Decides every sentence anew, and looks whether all parts of each argument are there and the statement stands in the file.
    /// Cost: that of the plain procedure, some seconds for thousands of states.
    /// Errors: what is wrong, or the limit that was reached.
    pub fn verify(&self, limits: &Limits) -> Result<(), Refusal> {
        let wrong = |text: String| Err(Refusal::Wrong(text));
        if self.grundy_proof_certificate != VERSION {
            return wrong(format!("version {} is not known, only {VERSION}", self.grundy_proof_certificate));
        }
        let count: usize = self.cases.iter().map(|case| case.parts.len()).sum();
        if self.played.is_some() != (count == 0) || self.played.is_some() && !self.heaps.is_empty() {
            return wrong("there are neither sentences nor instances, or both".into());
        }
        if count != self.sentences {
            return wrong(format!("{} sentences are announced, {count} are there", self.sentences));
        }
        if self.words.trim().is_empty() || !self.game.contains(&self.words) {
            return wrong("the statement does not stand in the text of the game".into());
        }
        let heaps: Result<Vec<Confirmed<'_>>, Refusal> =
            self.heaps.iter().map(|heaps| heaps.confirmed(limits)).collect();
        let heaps = heaps?;
        // The same automaton may stand in many cases.
        let mut known: Vec<&Written> = Vec::new();
        for case in &self.cases {
            let numbers = case.complete().map_err(|why| Refusal::Wrong(case.named(&why)))?;
            let automata: Result<Vec<Arc<Reads>>, String> =
                case.automata.iter().map(|written| written.read(numbers).map(Arc::new)).collect();
            let automata = automata.map_err(|why| Refusal::Wrong(case.named(&why)))?;
            for (written, reads) in case.automata.iter().zip(&automata) {
                let Some(of) = written.heaps else { continue };
                let Some(of) = heaps.get(of) else { return wrong(case.named("an automaton speaks of unknown heaps")) };
                if !known.contains(&written) {
                    of.has_values(reads, numbers, limits)?;
                    known.push(written);
                }
            }
            for part in &case.parts {
                let name = || case.named(&format!("`{}`", part.never));
                let sentence =
                    parse(&part.sentence, &automata).map_err(|why| Refusal::Wrong(format!("{}: {why}", name())))?;
                if !matches!(sentence, Sentence::Not(_) | Sentence::Constant(true)) {
                    return wrong(format!("{}: the sentence does not say that something never happens", name()));
                }
                match decide(&sentence, numbers, limits) {
                    Ok(true) => {}
                    Ok(false) => return wrong(format!("{}: the sentence is false", name())),
                    Err(halt) => return Err(Refusal::Halted(name(), halt)),
                }
            }
        }
        Ok(())
    }

    /// What never happens, each once in the order of the file, and how often a sentence says so.
    pub fn parts(&self) -> Vec<(&str, usize)> {
        let mut all: Vec<(&str, usize)> = Vec::new();
        for part in self.cases.iter().flat_map(|case| &case.parts) {
            match all.iter_mut().find(|(never, _)| *never == part.never) {
                Some((_, count)) => *count += 1,
                None => all.push((&part.never, 1)),
            }
        }
        all
    }
}

impl Case {
    /// The numbers that it speaks of, if it has all parts of its method.
    fn complete(&self) -> Result<Numbers, String> {
        let numbers = Numbers::named(&self.numbers);
        let numbers = numbers.ok_or_else(|| format!("`{}` is no way to write numbers", self.numbers))?;
        let has = |never: &str| self.parts.iter().any(|part| part.never == never);
        if let Some(missing) = self.by.needed().iter().find(|never| !has(never)) {
            return Err(format!("the part `{missing}` is missing"));
        }
        if self.by.is_induction() && !has(BY_SUM) {
            self.ranked()?;
        }
        Ok(numbers)
    }

    /// Whether all parts of a ranking by numbers one after the other are there.
    fn ranked(&self) -> Result<(), String> {
        let count = self.parts.iter().find_map(|part| part.never.strip_prefix(BY_NUMBERS));
        let count = count.and_then(|count| count.parse::<usize>().ok()).ok_or("the ranking is missing")?;
        let steps = self.parts.iter().filter_map(|part| part.never.strip_prefix(ONE.0)?.strip_suffix(ONE.1));
        let mut measures = std::collections::BTreeSet::new();
        for step in steps {
            // Only a natural number has no endless way down.
            let (measure, more) = match (step.strip_suffix(" larger"), step.strip_suffix(" smaller")) {
                (Some(natural), _) if natural.parse::<u64>().is_ok() => (natural, None),
                (Some(measure), _) => (measure, Some(format!("number {measure} has no lower bound"))),
                (_, Some(measure)) => (measure, Some(format!("number {measure} has no upper bound"))),
                _ => return Err(format!("a ranking by `{step}` is not known")),
            };
            if let Some(missing) = more.filter(|more| !self.parts.iter().any(|part| part.never == *more)) {
                return Err(format!("the part `{missing}` is missing"));
            }
            measures.insert(measure);
        }
        if measures.len() != count {
            return Err(format!("the ranking has {count} numbers, and {} are spoken of", measures.len()));
        }
        Ok(())
    }

    fn named(&self, what: &str) -> String {
        let case = self.beside.as_ref().unwrap_or(&self.case);
        if case.is_empty() { what.to_string() } else { format!("{case}: {what}") }
    }
}

/// Heaps, and the certificate of their period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heaps {
    /// The game whose rules are the code, with its rule parameters.
    pub of: String,
    /// The code, its period, and the theorem.
    pub period: period::Certificate,
}

/// Heaps whose period was worked out again: the values up to the end of the first period.
pub(super) struct Confirmed<'c> {
    heaps: &'c Heaps,
    values: Vec<u16>,
}

impl Heaps {
    /// Works the values out again, by the rules of the code, and tests the period.
    pub(super) fn confirmed(&self, limits: &Limits) -> Result<Confirmed<'_>, Refusal> {
        let mut halt = None;
        let mut watch = |_: &[u16]| {
            limits.check(0).map_err(|why| {
                halt = Some(why);
                grundy_heap::Halt::Stopped
            })
        };
        let known = self.period.verify(&mut watch).map_err(|refused| match refused {
            period::Refusal::Wrong(why) => Some(format!("the period of {}: {why}", self.period.code)),
            period::Refusal::Halted(grundy_heap::Halt::TooLarge) => {
                Some(format!("a value of {} is too large", self.period.code))
            }
            period::Refusal::Halted(grundy_heap::Halt::Stopped) => None,
        });
        let mut values = Vec::new();
        let known = known.and_then(|()| {
            let game = Game::parse(&self.period.code).map_err(|_| Some("no game".to_string()))?;
            let needed = self.period.preperiod + self.period.period;
            grundy_heap::naive::Naive::new(game).extend(&mut values, needed, &mut watch).map_err(|_| None)
        });
        match known {
            Ok(()) => Ok(Confirmed { heaps: self, values }),
            Err(Some(why)) => Err(Refusal::Wrong(why)),
            Err(None) => Err(Refusal::Halted(self.name(), halt.unwrap_or(Halt::Number))),
        }
    }

    fn name(&self) -> String {
        format!("the heaps of `{}`", self.of)
    }
}

impl Confirmed<'_> {
    /// Whether an automaton accepts each heap with its value and with no other: it has the values of the first period, goes on as
    /// the period does, and has one value of a heap at most.
    pub(super) fn has_values(&self, reads: &Arc<Reads>, numbers: Numbers, limits: &Limits) -> Result<(), Refusal> {
        let name = || self.heaps.name();
        if numbers != Numbers::Base(2) || reads.reads != 2 {
            return Err(Refusal::Wrong(format!("{}: the automaton does not read a heap and a value", name())));
        }
        let wrong = (0..self.values.len()).find(|&n| !reads.accepts([n, usize::from(self.values[n])]));
        if let Some(n) = wrong {
            let value = self.values[n];
            return Err(Refusal::Wrong(format!("{}: the automaton does not say that g({n}) = {value}", name())));
        }
        let period::Certificate { preperiod, period, saltus, .. } = &self.heaps.period;
        let goes_on = format!(
            "(not (exists (n v) (and (word 0 n v) (<= {preperiod} n) (not (exists (m w) \
             (and (word 0 m w) (= m (+ n {period})) (= w (+ v {saltus}))))))))"
        );
        let one = "(not (exists (n v w) (and (word 0 n v) (word 0 n w) (<= (+ v 1) w))))";
        for (sentence, what) in [(&*goes_on, "does not go on as the period does"), (one, "has two values of a heap")] {
            let sentence = parse(sentence, std::slice::from_ref(reads)).map_err(Refusal::Wrong)?;
            match decide(&sentence, numbers, limits) {
                Ok(true) => {}
                Ok(false) => return Err(Refusal::Wrong(format!("{}: the automaton {what}", name()))),
                Err(halt) => return Err(Refusal::Halted(name(), halt)),
            }
        }
        Ok(())
    }
}
