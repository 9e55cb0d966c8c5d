//! Proofs of periods as data, and a checker that shares nothing with the engines but the reference.

use crate::game::Game;
use crate::naive::Naive;
use crate::period::{LASKER, Theorem, window};
use crate::sequence::Sequence;
use crate::state::fingerprint;
use crate::{Halt, Watch};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// g(n + period) = g(n) + saltus for all n >= preperiod, by the first `values` values and a theorem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// What kind of file this is: 1.
    pub grundy_heap_certificate: u32,
    /// The game.
    pub code: String,
    /// The least period.
    pub period: usize,
    /// The least n from which it holds.
    pub preperiod: usize,
    /// What is added with each period.
    pub saltus: usize,
    /// The name of the theorem.
    pub theorem: String,
    /// How many values the theorem needs, from heap 0 on.
    pub values: usize,
    /// The checksum of these values, in hexadecimal.
    pub fingerprint: String,
}

/// Why a certificate was not confirmed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// What it says is not so.
    Wrong(String),
    /// It could not be seen through.
    Halted(Halt),
}

impl Certificate {
    /// The certificate of a proved period; more values are computed if its window needs them. `None` without a proof.
    pub fn of(sequence: &mut Sequence, watch: Watch<'_>) -> Result<Option<Certificate>, Halt> {
        let Some((period, theorem)) = sequence.period().and_then(|period| Some((period, period.proof?))) else {
            return Ok(None);
        };
        let values = match window(sequence.game(), period.start, period.length) {
            Some((_, values)) => values,
            None => state_values(sequence.game(), period.start, period.length),
        };
        sequence.extend(values, watch)?;
        Ok(Some(Certificate {
            grundy_heap_certificate: 1,
            code: sequence.game().to_string(),
            period: period.length,
            preperiod: period.start,
            saltus: period.saltus,
            theorem: theorem.name().into(),
            values,
            fingerprint: format!("{:016x}", fingerprint(&sequence.values()[..values])),
        }))
    }

    /// Works all values out again by the reference and tests everything that is said: the window of the theorem, that the
    /// period and the pre-period are the least, the checksum. The time is that of the reference.
    pub fn verify(&self, watch: Watch<'_>) -> Result<(), Refusal> {
        let wrong = |text: String| Err(Refusal::Wrong(text));
        let Ok(game) = Game::parse(&self.code) else { return wrong(format!("`{}` is no game", self.code)) };
        if self.grundy_heap_certificate != 1 || self.period == 0 {
            return wrong("this is no certificate of this version".into());
        }
        let (theorem, needed) = match (&game, window(&game, self.preperiod, self.period)) {
            (_, Some(window)) => window,
            (Game::AllBut(_), None) => (Theorem::State, state_values(&game, self.preperiod, self.period)),
            (Game::Lasker, None) if (self.preperiod, self.period, self.saltus) == LASKER => {
                (Theorem::ClosedForm, state_values(&game, self.preperiod, self.period))
            }
            _ => return wrong(format!("no theorem about `{game}` is known")),
        };
        if self.theorem != theorem.name() || self.values != needed {
            return wrong(format!("the theorem is {} and needs {needed} values", theorem.name()));
        }
        let mut values = Vec::new();
        Naive::new(game.clone()).extend(&mut values, needed, watch).map_err(Refusal::Halted)?;
        if self.fingerprint != format!("{:016x}", fingerprint(&values)) {
            return wrong("the checksum of the values is another".into());
        }
        let value = |n: usize| usize::from(values[n]);
        let shifted = |n: usize, by: usize, rise: usize| value(n + by) == value(n) + rise;
        if let Some(n) = (self.preperiod..needed - self.period).find(|n| !shifted(*n, self.period, self.saltus)) {
            return wrong(format!("g({}) = {} and g({n}) = {}", n + self.period, value(n + self.period), value(n)));
        }
        if self.saltus != 0 && !matches!(theorem, Theorem::State | Theorem::ClosedForm) {
            return wrong("this theorem proves no saltus".into());
        }
        if let (Game::AllBut(amounts), Theorem::State) = (&game, theorem) {
            let largest = amounts.last().copied().unwrap_or(0);
            let (now, before) = (state(&values, largest, needed), state(&values, largest, needed - self.period));
            if now.1 != before.1 || now.2 != before.2 || now.0 - before.0 != self.saltus {
                return wrong("the state of the game does not come back".into());
            }
        }
        if self.preperiod > 0 && shifted(self.preperiod - 1, self.period, self.saltus) {
            return wrong("the period begins earlier".into());
        }
        for divisor in (1..self.period).filter(|divisor| self.period.is_multiple_of(*divisor)) {
            let rise = value(self.preperiod + divisor).checked_sub(value(self.preperiod));
            let end = self.preperiod + self.period;
            if rise
                .is_some_and(|rise| (self.preperiod..end).all(|n| n + divisor >= needed || shifted(n, divisor, rise)))
            {
                return wrong(format!("{divisor} is a period too"));
            }
        }
        Ok(())
    }
}

/// How many values show that a state of an all-but game comes back.
fn state_values(game: &Game, start: usize, length: usize) -> usize {
    let largest = if let Game::AllBut(amounts) = game { amounts.last().copied().unwrap_or(0) } else { 0 };
    2 * (start + 2 * length + largest)
}

/// The state before heap `n`, from its definition: h, the values of A above h less h, and the last values less h, or -1.
fn state(values: &[u16], largest: usize, n: usize) -> (usize, Vec<usize>, Vec<Option<usize>>) {
    let inside = n.saturating_sub(largest);
    let all: BTreeSet<usize> = values[..inside].iter().map(|value| usize::from(*value)).collect();
    let base = (0..=all.len()).find(|value| !all.contains(value)).unwrap_or(0);
    let above = all.iter().filter(|value| **value > base).map(|value| value - base).collect();
    let last = values[inside..n].iter().map(|value| usize::from(*value).checked_sub(base)).collect();
    (base, above, last)
}
