//! The options of a heap, one after the other, as the rules say.

use crate::code::{Digit, Parts};
use crate::game::Game;

/// Calls `each` with what every move leaves of a heap: up to three non-empty heaps, ascending; none twice for one amount taken.
/// O(n) a digit that leaves two heaps, O(n^2) a digit that leaves three.
pub fn each_option(game: &Game, heap: usize, each: &mut dyn FnMut(&[usize])) {
    let one =
        |rest: usize, each: &mut dyn FnMut(&[usize])| each(if rest == 0 { &[] } else { std::slice::from_ref(&rest) });
    match game {
        Game::Code(code) => {
            for (taken, digit) in code.digits().iter().enumerate().take(heap + 1) {
                of_digit(*digit, heap - taken, each);
            }
        }
        Game::Subtraction(amounts) => {
            amounts.iter().take_while(|amount| **amount <= heap).for_each(|amount| one(heap - amount, each));
        }
        Game::AllBut(amounts) => {
            (0..heap).filter(|rest| amounts.binary_search(&(heap - rest)).is_err()).for_each(|rest| one(rest, each));
        }
        Game::Lasker => {
            (0..heap).for_each(|rest| one(rest, each));
            (1..=heap / 2).for_each(|part| each(&[part, heap - part]));
        }
    }
}

/// What a digit lets be left when `rest` are left in all.
fn of_digit(Digit { bits, parts }: Digit, rest: usize, each: &mut dyn FnMut(&[usize])) {
    let fits = |heaps: &[usize]| {
        let equal = heaps.windows(2).filter(|pair| pair[0] == pair[1]).count();
        match parts {
            Parts::Any => true,
            Parts::Unequal => equal == 0,
            Parts::Mixed => equal < heaps.len() - 1,
            Parts::Equal => equal == heaps.len() - 1,
        }
    };
    if rest == 0 && bits & 1 != 0 {
        each(&[]);
    }
    if rest > 0 && bits & 2 != 0 {
        each(&[rest]);
    }
    if bits & 4 != 0 {
        for heaps in (1..=rest / 2).map(|part| [part, rest - part]).filter(|heaps| fits(heaps)) {
            each(&heaps);
        }
    }
    if bits & 8 != 0 {
        for first in 1..=rest / 3 {
            let left = rest - first;
            for heaps in (first..=left / 2).map(|part| [first, part, left - part]).filter(|heaps| fits(heaps)) {
                each(&heaps);
            }
        }
    }
}
