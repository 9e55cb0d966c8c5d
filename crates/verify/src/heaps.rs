//! Heaps of a game whose Grundy values an automaton has: that they are periodic, and that it has these and no others.

use crate::atoms::Numbers;
use crate::certificate::Refusal;
use crate::decide::decide;
use crate::limits::{Halt, Limits};
use crate::reads::Reads;
use crate::sentence::parse;
use grundy_heap::certificate::{Certificate, Refusal as Refused};
use grundy_heap::game::Game;
use grundy_heap::naive::Naive;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Heaps, and the certificate of their period.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heaps {
    /// The game whose rules are the code, with its rule parameters.
    pub of: String,
    /// The code, its period, and the theorem.
    pub period: Certificate,
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
            Refused::Wrong(why) => Some(format!("the period of {}: {why}", self.period.code)),
            Refused::Halted(grundy_heap::Halt::TooLarge) => {
                Some(format!("a value of {} is too large", self.period.code))
            }
            Refused::Halted(grundy_heap::Halt::Stopped) => None,
        });
        let mut values = Vec::new();
        let known = known.and_then(|()| {
            let game = Game::parse(&self.period.code).map_err(|_| Some("no game".to_string()))?;
            let needed = self.period.preperiod + self.period.period;
            Naive::new(game).extend(&mut values, needed, &mut watch).map_err(|_| None)
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
        let Certificate { preperiod, period, saltus, .. } = &self.heaps.period;
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
