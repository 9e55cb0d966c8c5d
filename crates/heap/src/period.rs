//! Periods of value sequences, and when they are proved.
//!
//! What is proved, for g(n + p) = g(n) on a window (k is the index of the last digit that is not 0):
//!
//! * **Guy-Smith** (1956; for codes whose moves leave up to t heaps): with n0 >= 1 and the window n0 <= n < t n0 + (t - 1) p + k
//!   it holds for all n >= n0. By induction: the largest part of an option of n + p is at least n0 + p; shift it by p.
//! * **Unequal parts**, up to two heaps: the window n0 <= n < 2 n0 + 2 p + k is enough. The shift may make the parts of an
//!   option (a, a + p) of n + p equal; its value is 0 = g(a) xor g(a), and n has the option (a - p, a + p) of value 0 instead,
//!   since a - p >= n0 and p >= 1. The other way an option with unequal parts stays one when its larger part grows.
//! * **Equal parts**, up to two heaps: a digit i that asks for them gives the value 0 to all n with n - i even, at least 2, which
//!   is the same for n and n + p when p is even; the windows above are enough then. For an odd p they are taken for 2 p: if they
//!   hold, g(n + 2 p) = g(n) for all n >= n0, and g(n + p) = g(n) goes on from the 2 p of them that were seen.
//! * **Subtraction set** with largest member M: M consecutive n, since M values determine all that follow.
//! * **All but a set**: see [`crate::all_but`].
//! * **Lasker's Nim**: `g(4k+1) = 4k+1`, `g(4k+2) = 4k+2`, `g(4k+3) = 4k+4`, `g(4k+4) = 4k+3` (Winning Ways, chapter 4), which
//!   is period 4 with saltus 4 from heap 1 on. The prover of this program proves it too, by induction (docs/proving.md).
//!
//! For codes that leave three heaps a period with a saltus is only ever *observed*: the theorem of Howse and Nowakowski
//! (2004) has further conditions that are not tested here.

use crate::code::Parts;
use crate::game::Game;

/// Why a period holds for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theorem {
    /// Codes with unrestricted splits.
    GuySmith,
    /// Codes with splits into two unequal heaps.
    UnequalParts,
    /// Codes with splits into two equal heaps, perhaps among others.
    EqualParts,
    /// As many equal values as the largest amount.
    Window,
    /// A repeated state of an all-but game.
    State,
    /// The values of Lasker's Nim as a formula.
    ClosedForm,
}

impl Theorem {
    /// Its name in reports and certificates.
    pub fn name(self) -> &'static str {
        match self {
            Theorem::GuySmith => "Guy-Smith",
            Theorem::UnequalParts => "Guy-Smith for unequal parts",
            Theorem::EqualParts => "Guy-Smith for equal parts",
            Theorem::Window => "window of a subtraction set",
            Theorem::State => "repeated state",
            Theorem::ClosedForm => "closed form",
        }
    }
}

/// g(n + length) = g(n) + saltus for all n >= start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// The least n from which it holds: the number of values before it, "n0". The last exception is one less.
    pub start: usize,
    /// The least period, at least 1.
    pub length: usize,
    /// What is added with each period.
    pub saltus: usize,
    /// Why it holds; `None`: it was only seen to hold up to where values were computed.
    pub proof: Option<Theorem>,
}

/// Start, period and saltus of Lasker's Nim.
pub(super) const LASKER: (usize, usize, usize) = (1, 4, 4);

/// The theorem for a game, and how many values it needs (from heap 0) for a period `length` from `start`. `None` when no
/// theorem is known, or when the number is beyond all memory.
pub fn window(game: &Game, start: usize, length: usize) -> Option<(Theorem, usize)> {
    match game {
        Game::Code(code) => {
            let start = start.max(1);
            let splits = || code.digits().iter().filter(|digit| digit.bits >= 4);
            let parts = code.most_parts().max(1);
            if splits().all(|digit| digit.parts == Parts::Any) {
                let values = parts.checked_mul(start.checked_add(length)?)?.checked_add(code.last())?;
                return Some((Theorem::GuySmith, values));
            }
            if parts == 3 {
                return None;
            }
            let equal = splits().any(|digit| digit.parts == Parts::Equal);
            let unequal = splits().any(|digit| matches!(digit.parts, Parts::Unequal | Parts::Mixed));
            let theorem = if equal { Theorem::EqualParts } else { Theorem::UnequalParts };
            let shift = if equal && length % 2 == 1 { length.checked_mul(2)? } else { length };
            let shifts = shift.checked_mul(if unequal { 3 } else { 2 })?;
            let values = start.checked_mul(2)?.checked_add(shifts)?.checked_add(code.last())?;
            Some((theorem, values))
        }
        Game::Subtraction(amounts) => {
            let largest = amounts.last().copied().unwrap_or(0);
            Some((Theorem::Window, start.checked_add(length)?.checked_add(largest)?))
        }
        Game::AllBut(_) | Game::Lasker => None,
    }
}

/// What a look at the values found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A period: proved, or observed for games without a theorem.
    Period(Period),
    /// What looks like a period would be proved if it goes on up to so many values.
    Promising(usize),
    /// Nothing.
    Nothing,
}

/// Looks at the last third of the values for the least period, then for its beginning, then whether the window of a theorem is
/// there. The period is the least: any smaller one would be one of the last third too. O(values).
pub fn find(game: &Game, values: &[u16]) -> Found {
    let from = values.len() / 3 * 2;
    let tail = values.len() - from;
    let provable = window(game, 0, 1).is_some();
    let mut found = Found::Nothing;
    let length = least_period(&values[from..], |a, b| a == b);
    if length > 0 && length < tail && (provable || length <= tail / 2) {
        let start = beginning(values, from, length, 0);
        match window(game, start, length) {
            Some((theorem, needed)) if needed <= values.len() => {
                return Found::Period(Period { start, length, saltus: 0, proof: Some(theorem) });
            }
            Some((_, needed)) => found = Found::Promising(needed),
            None if provable => {}
            None => return Found::Period(Period { start, length, saltus: 0, proof: None }),
        }
    }
    let rising = match game {
        Game::Code(code) => code.most_parts() == 3,
        Game::Lasker => true,
        Game::Subtraction(_) | Game::AllBut(_) => false,
    };
    if !rising {
        return found;
    }
    let steps: Vec<i32> = values[from..].windows(2).map(|pair| i32::from(pair[1]) - i32::from(pair[0])).collect();
    let length = least_period(&steps, |a, b| a == b);
    if length == 0 || length > tail / 2 {
        return found;
    }
    match usize::from(values[from + length]).checked_sub(usize::from(values[from])) {
        Some(saltus) if saltus > 0 => {
            let start = beginning(values, from, length, saltus);
            let closed = *game == Game::Lasker && (start, length, saltus) == LASKER;
            Found::Period(Period { start, length, saltus, proof: closed.then_some(Theorem::ClosedForm) })
        }
        _ => found,
    }
}

/// The least n from which g(n + length) = g(n) + saltus, which holds from `from` on.
pub(super) fn beginning(values: &[u16], from: usize, length: usize, saltus: usize) -> usize {
    let same = |n: usize| usize::from(values[n + length]) == usize::from(values[n]) + saltus;
    (0..from).rev().find(|&n| !same(n)).map_or(0, |n| n + 1)
}

/// The least p with s(n + p) = s(n) wherever both are there; 0 for nothing at all. O(length), by the failure function of
/// Knuth, Morris and Pratt.
pub fn least_period<T: Copy>(items: &[T], same: impl Fn(T, T) -> bool) -> usize {
    // Longer ones do not fit any memory at 2 bytes a value and 4 bytes here.
    let Ok(_) = u32::try_from(items.len()) else { return 0 };
    let mut fail: Vec<u32> = vec![0; items.len()];
    let mut border = 0_u32;
    for at in 1..items.len() {
        while border > 0 && !same(items[at], items[border as usize]) {
            border = fail[border as usize - 1];
        }
        if same(items[at], items[border as usize]) {
            border += 1;
        }
        fail[at] = border;
    }
    items.len() - border as usize
}
