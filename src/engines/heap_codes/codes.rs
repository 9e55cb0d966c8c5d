//! The code of a game, from the amounts that may be taken and what may then be left.

use crate::engines::heap_codes::read::{No, no};
use grundy_heap::code::Code;
use grundy_heap::game::Game;
use std::fmt::Write as _;

/// Amounts of a set; the work for 64 heaps grows with their square.
const MOST_AMOUNTS: usize = 2048;
/// Amounts of a code, so that the windows of proofs stay short.
const MOST_DIGITS: usize = 4096;
/// Neighbouring numbers, both ends in; `None`: without end.
pub(super) type Stretch = (usize, Option<usize>);

/// The amounts that may be taken, by what is left.
pub(super) struct Amounts {
    pub(super) whole: Vec<Stretch>,
    pub(super) one: Vec<Stretch>,
    pub(super) two: [Vec<Stretch>; 2],
    pub(super) three: [Vec<Stretch>; 3],
}

/// Whether a number is in a set.
pub(super) fn holds(set: &[Stretch], number: usize) -> bool {
    set.iter().any(|(from, to)| *from <= number && to.is_none_or(|to| number <= to))
}

/// The numbers of a set; `None` when it has no end, or more members than `most`.
fn members(set: &[Stretch], most: usize) -> Option<Vec<usize>> {
    let mut all = Vec::new();
    for (from, to) in set {
        let to = (*to)?;
        if to - from >= most || all.len() + (to - from) >= most {
            return None;
        }
        all.extend(*from..=to);
    }
    Some(all)
}

/// The numbers from 1 on that are not in a set which has no end.
fn missing(set: &[Stretch]) -> Option<Vec<Stretch>> {
    let mut all = Vec::new();
    let mut at = 1;
    for (from, to) in set {
        if *from > at {
            all.push((at, Some(from - 1)));
        }
        match to {
            Some(to) => at = to + 1,
            None => return Some(all),
        }
    }
    None
}

/// The game of these amounts, if some game of heaps is just that.
pub(super) fn game(amounts: &Amounts) -> Result<Game, No> {
    let Amounts { whole, one, two, three } = amounts;
    let splits = two.iter().chain(three).any(|set| !set.is_empty());
    if whole == one && !splits {
        if let Some(but) = missing(whole) {
            let but = members(&but, MOST_AMOUNTS);
            return but.map_or_else(|| no("too many amounts may not be taken"), |but| Ok(Game::AllBut(but)));
        }
        let amounts = members(whole, MOST_AMOUNTS);
        return amounts.map_or_else(
            || no(format!("more than {MOST_AMOUNTS} amounts may be taken")),
            |all| Ok(Game::Subtraction(all)),
        );
    }
    let any: &[Stretch] = &[(1, None)];
    let split: &[Stretch] = &[(0, Some(0))];
    if whole == any && one == any && two.iter().all(|set| set == split) && three.iter().all(Vec::is_empty) {
        return Ok(Game::Lasker);
    }
    let last = [whole, one].into_iter().chain(two).chain(three).filter_map(|set| set.last());
    let last = last.map(|(_, to)| to.unwrap_or(usize::MAX)).max().unwrap_or(0);
    if last > MOST_DIGITS {
        return no("heaps are split, and there is no small bound for what may be taken");
    }
    let mut text = String::new();
    for taken in 0..=last {
        let digit = u8::from(holds(whole, taken)) + 2 * u8::from(holds(one, taken));
        let [two, three] = [
            two.each_ref().map(|set| holds(set, taken)).to_vec(),
            three.each_ref().map(|set| holds(set, taken)).to_vec(),
        ];
        let digit = digit + 4 * u8::from(two.contains(&true)) + 8 * u8::from(three.contains(&true));
        let Some(parts) = restriction(&two, &three) else {
            return no(format!("no code says which heaps may be left when {taken} are taken"));
        };
        // Writing to a text does not fail.
        let _ = write!(text, "{digit:X}{parts}{}", if taken == 0 { "." } else { "" });
    }
    Code::parse(&text).map(Game::Code).or_else(|bad| no(bad.message))
}

/// The mark of a digit: two heaps may be unequal or equal, three may be of different sizes, a pair and another, or equal.
/// What is never possible fits every mark.
fn restriction(two: &[bool], three: &[bool]) -> Option<&'static str> {
    let marks = [
        ("", [true, true], [true, true, true]),
        ("!", [true, false], [true, false, false]),
        ("?", [true, false], [true, true, false]),
        ("=", [false, true], [false, false, true]),
    ];
    let fits = |set: &[bool], wanted: &[bool]| set == wanted || !set.contains(&true);
    marks
        .into_iter()
        .find(|(_, for_two, for_three)| fits(two, for_two) && fits(three, for_three))
        .map(|(mark, ..)| mark)
}
