//! Periods of the map from heaps to their elements, and when they are proved: then the quotient is that of all heaps.
//!
//! Say that the map repeats, `F(n + p) = F(n)`, on a window, and k is the largest amount that a move takes (Plambeck and Siegel 2008,
//! theorem 5.2, for two heaps):
//!
//! * **Codes** whose moves leave up to t heaps, of any sizes: with n0 >= 1 the window `n0 <= n < t n0 + (t - 1) p + k` is enough. By
//!   induction: the largest heap of an option of n + p is at least n0 + p; it is shifted by p. So n + p has the pair of n in the
//!   transition algebra, and nothing new comes in.
//! * **Two unequal heaps**: the window `n0 <= n < 2 n0 + 2 p + k`. The shift may make the heaps of an option (a, a + p) of n + p equal;
//!   n has the option (a - p, a + p) instead, of the same elements, since a - p >= n0.
//! * **Subtraction sets**: k consecutive n.
//!
//! For other games no theorem is known here: equal heaps, three heaps of restricted sizes, moves of unbounded amounts.

use crate::code::Parts;
use crate::game::Game;

/// `F(n + length) = F(n)` for all n >= start, both the least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The first heap from which it holds; heap 0, of nothing, does not count.
    pub start: usize,
    /// How long it is.
    pub length: usize,
}

/// How many heaps (from heap 0) must be known for a period of this length from this start, at least 1. `None`: no theorem is
/// known.
pub fn window(game: &Game, start: usize, length: usize) -> Option<usize> {
    match game {
        Game::Code(code) => {
            let splits = || code.digits().iter().filter(|digit| digit.bits >= 4).map(|digit| digit.parts);
            let parts = code.most_parts().max(1);
            if splits().all(|parts| parts == Parts::Any) {
                parts.checked_mul(start.checked_add(length)?)?.checked_add(code.last())
            } else if parts == 2 && splits().all(|parts| matches!(parts, Parts::Any | Parts::Unequal)) {
                start.checked_mul(2)?.checked_add(length.checked_mul(3)?)?.checked_add(code.last())
            } else {
                None
            }
        }
        Game::Subtraction(amounts) => start.checked_add(length)?.checked_add(amounts.last().copied().unwrap_or(0)),
        Game::AllBut(_) | Game::Lasker => None,
    }
}

/// The least period that the first images prove. O(heaps^2).
pub fn proved<T: PartialEq>(game: &Game, images: &[T]) -> Option<Period> {
    let start = |length: usize| {
        let differs = (length..images.len()).rev().find(|&n| images[n] != images[n - length]);
        differs.map_or(1, |n| n - length + 1).max(1)
    };
    let periods = (1..images.len()).map(|length| Period { start: start(length), length });
    let mut proved =
        periods.filter(|period| window(game, period.start, period.length).is_some_and(|most| most <= images.len()));
    proved.next()
}
