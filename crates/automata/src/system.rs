//! Ways to write numbers, how a digit is made of bits, and how large automata may become.

use crate::automaton::Track;
use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// A way to write numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum System {
    /// Base 2.
    Binary,
    /// Another base, from 3 to 16 ([`System::base`]). An automaton reads each digit as a few bits.
    Base(u8),
    /// Sums of the numbers 1, t + 1, .., each of which is t times the one before and the one before that. Each is there t times at most, and
    /// beside one that is there so often the next smaller one is not (Ostrowski, for the continued fraction `[1; t, t, ..]`). With
    /// t = 1 these are the Fibonacci numbers ([`System::ZECKENDORF`]). From 1 to 15.
    Surd(u8),
}

/// The largest base: its digits are so many bits at most.
const LARGEST: u8 = 16;
/// Bits of one variable stand on tracks that follow each other; the next variable begins so much later.
const STRIDE: Track = 4;

impl System {
    /// Sums of the Fibonacci numbers 1, 2, 3, 5, .., of which no two are neighbours.
    pub const ZECKENDORF: System = System::Surd(1);

    /// Digits in this base; `None`: it is not from 2 to 16.
    pub fn base(base: u8) -> Option<System> {
        match base {
            2 => Some(System::Binary),
            3..=LARGEST => Some(System::Base(base)),
            _ => None,
        }
    }

    /// Its name in reports and certificates.
    #[must_use]
    pub fn word(self) -> String {
        match self {
            System::Binary => "base 2".into(),
            System::Base(base) => format!("base {base}"),
            System::ZECKENDORF => "Zeckendorf".into(),
            System::Surd(times) => format!("Ostrowski {times}"),
        }
    }

    /// How many digits there are.
    #[must_use]
    pub fn size(self) -> u8 {
        match self {
            System::Binary => 2,
            System::Base(base) => base,
            System::Surd(times) => times + 1,
        }
    }

    /// How many bits a digit has.
    #[must_use]
    pub fn width(self) -> u32 {
        (self.size() - 1).ilog2() + 1
    }

    /// The tracks of an automaton on which a variable is read, the lowest bit first.
    #[must_use]
    pub fn tracks(self, variable: Track) -> std::ops::Range<Track> {
        let first = if self.size() > 2 { variable * STRIDE } else { variable };
        first..first + self.width()
    }

    /// Which variable is read on a track, and which bit of it.
    #[must_use]
    pub fn variable(self, track: Track) -> (Track, u32) {
        if self.size() > 2 { (track / STRIDE, track % STRIDE) } else { (track, 0) }
    }

    /// The digits that bits make, [`System::width`] for each; where they make none in this system, a larger number.
    pub(super) fn read(self, bits: &[bool]) -> impl Iterator<Item = u8> + '_ {
        bits.chunks(self.width() as usize)
            .map(|bits| bits.iter().rev().fold(0, |digit, bit| 2 * digit + u8::from(*bit)))
    }

    /// What the places are worth, from the lowest.
    pub(super) fn places(self) -> impl Iterator<Item = BigUint> {
        let mut next = (BigUint::from(1u8), BigUint::from(self.size()));
        std::iter::repeat_with(move || {
            let above = match self {
                System::Binary | System::Base(_) => &next.1 * self.size(),
                System::Surd(times) => &next.0 + &next.1 * times,
            };
            std::mem::replace(&mut next.0, std::mem::replace(&mut next.1, above))
        })
    }

    /// The digits of a number, from the lowest.
    #[must_use]
    pub fn digits(self, number: &BigUint) -> Vec<u8> {
        let places: Vec<BigUint> = self.places().take_while(|place| place <= number).collect();
        let mut left = number.clone();
        let mut digits = vec![0; places.len()];
        for (digit, place) in digits.iter_mut().zip(&places).rev() {
            let often = &left / place;
            left -= &often * place;
            // Less than the base.
            *digit = often.to_u8().unwrap_or_default();
        }
        debug_assert!(left.is_zero());
        digits
    }

    /// The number with these digits, from the lowest.
    #[must_use]
    pub fn number(self, digits: &[u8]) -> BigUint {
        digits.iter().zip(self.places()).map(|(digit, place)| place * *digit).sum()
    }
}

/// Why a formula was not decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// An automaton would have more states than this.
    States(usize),
    /// The transitions of an automaton would take more tests of bits than this.
    Tests(usize),
    /// All automata together would take more steps than this.
    Steps(usize),
    /// The time is over.
    Time,
    /// The user wants the work to end.
    Interrupted,
    /// Another program did not do its work: why.
    Failed(String),
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::States(most) => write!(f, "an automaton would have more than {most} states"),
            Reason::Tests(most) => write!(f, "the transitions of an automaton would take more than {most} tests"),
            Reason::Steps(most) => write!(f, "the automata would take more than {most} steps together"),
            Reason::Time => write!(f, "the time is over"),
            Reason::Interrupted => write!(f, "it was interrupted"),
            Reason::Failed(why) => write!(f, "{why}"),
        }
    }
}

/// See [`Limit::steps`].
const STEPS: usize = 100_000_000;

/// See the module. Clones count together.
#[derive(Clone, Debug)]
pub struct Limit {
    /// The most states of an automaton.
    pub states: usize,
    /// The most tests of bits in the transitions of an automaton.
    pub tests: usize,
    /// The most steps for all automata together: rows that are made, rows that are united, and rounds in which states are told apart.
    pub steps: usize,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Set when the user wants the work to end.
    pub interrupted: Arc<AtomicBool>,
    /// The steps so far.
    pub taken: Arc<AtomicUsize>,
    /// The most states that an automaton had so far, before it was made minimal.
    pub largest: Arc<AtomicUsize>,
    /// Whether some automaton would have had more states or tests.
    pub exceeded: Arc<AtomicBool>,
}

impl Default for Limit {
    fn default() -> Self {
        let (interrupted, taken, largest, exceeded) = Default::default();
        let (states, tests, steps) = (200_000, 4_000_000, STEPS);
        Limit { states, tests, steps, deadline: None, interrupted, taken, largest, exceeded }
    }
}

impl Limit {
    /// Counts a step of an automaton that has so many states and tests.
    pub(super) fn check(&self, states: usize, tests: usize) -> Result<(), Reason> {
        self.largest.fetch_max(states, Ordering::Relaxed);
        if states > self.states || tests > self.tests {
            self.exceeded.store(true, Ordering::Relaxed);
        }
        if states > self.states {
            return Err(Reason::States(self.states));
        }
        if tests > self.tests {
            return Err(Reason::Tests(self.tests));
        }
        if self.taken.fetch_add(1, Ordering::Relaxed) >= self.steps {
            return Err(Reason::Steps(self.steps));
        }
        if self.interrupted.load(Ordering::Relaxed) {
            return Err(Reason::Interrupted);
        }
        if self.deadline.is_some_and(|at| Instant::now() >= at) {
            return Err(Reason::Time);
        }
        Ok(())
    }
}
