//! What the tests of heap games share. The root of a test says by `use` whose `heap` it is about.

#![allow(dead_code, unreachable_pub, clippy::missing_panics_doc)]

use grundy_heap::game::Game;
use grundy_heap::naive::Naive;

/// The game of a code.
pub fn game(text: &str) -> Game {
    Game::parse(text).unwrap_or_else(|bad| panic!("{text}: {}", bad.message))
}

/// Its first values by the reference.
pub fn naive(text: &str, len: usize) -> Vec<u16> {
    let mut values = Vec::new();
    Naive::new(game(text)).extend(&mut values, len, &mut |_| Ok(())).expect("the values are small");
    values
}

/// Numbers that look random (xorshift).
pub struct Random(pub u64);

impl Random {
    /// One of `0..bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    /// One of these.
    pub fn of(&mut self, all: &[&'static str]) -> &'static str {
        all[usize::try_from(self.below(all.len() as u64)).expect("few")]
    }

    /// A take-and-break code of a few digits.
    pub fn code(&mut self) -> String {
        let mut code = self.of(&["0.", ".", "4.", "4!.", "4=."]).to_string();
        for _ in 0..=self.below(4) {
            code += &self.below(8).to_string();
            code += self.of(&["", "", "", "", "", "!", "=", "?"]);
        }
        code
    }
}
