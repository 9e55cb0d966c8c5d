//! Ways to write natural numbers as words of digits, the lowest first.

use grundy_automata::System;
use num_bigint::BigUint;

/// A way to write numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numerals {
    /// In a base from 2 to 16.
    Base(u8),
    /// As sums of the Fibonacci numbers 1, 2, 3, 5, .. of which no two are neighbours.
    Zeckendorf,
}

impl Numerals {
    /// Its name: `base 2`, `Zeckendorf`.
    #[must_use]
    pub fn word(self) -> String {
        match self {
            Numerals::Base(base) => format!("base {base}"),
            Numerals::Zeckendorf => "Zeckendorf".into(),
        }
    }

    /// How many digits there are.
    #[must_use]
    pub fn digits(self) -> u8 {
        match self {
            Numerals::Base(base) => base,
            Numerals::Zeckendorf => 2,
        }
    }

    /// The system of the prover, if it has this one.
    #[must_use]
    pub fn system(self) -> Option<System> {
        match self {
            Numerals::Base(base) => System::base(base),
            Numerals::Zeckendorf => Some(System::Zeckendorf),
        }
    }

    /// A number as a word, without zeros above its highest digit.
    #[must_use]
    pub fn write(self, mut number: u64) -> Vec<u8> {
        match self {
            Numerals::Zeckendorf => System::Zeckendorf.digits(&BigUint::from(number)),
            Numerals::Base(base) => {
                let base = u64::from(base.max(2));
                let mut word = Vec::new();
                while number > 0 {
                    // A remainder by a number of one byte is one byte.
                    word.push(u8::try_from(number % base).unwrap_or_default());
                    number /= base;
                }
                word
            }
        }
    }
}
