//! From the moves of a heap to its code, with a proof that they are the same for every heap.
//!
//! Say that taking k is *possible with one heap left* when it is so for some heap. The rules are a code exactly when what is
//! possible for some heap is possible for every heap with that remainder, and that is a statement of linear arithmetic, which
//! automata decide ([`crate::logic`]).

use super::read::{HEAP, No, Reader, no};
use super::ways::Leaves;
use crate::heap::code::Code;
use crate::heap::game::{Game, MAX_AMOUNT};
use crate::logic::{Atom, Automaton, Formula, Limit, Linear, System, Track, compile, least};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};
use std::fmt::Write as _;
use std::sync::Arc;

/// Amounts of a set; the work for 64 heaps grows with their square.
const MOST_AMOUNTS: usize = 2048;
/// Amounts of a code, so that the windows of proofs stay short.
const MOST_DIGITS: usize = 4096;
/// Stretches of neighbouring amounts.
const MOST_STRETCHES: usize = 512;

/// The sizes of the heaps left; with [`HEAP`] these are the variables of a relation, in this order.
const FIRST: Track = 1;
const SECOND: Track = 2;
/// What is taken, the only variable of a set; the relation's variables are then moved up.
const TAKEN: Track = 0;
const UP: Track = 4;

/// Which heaps are left.
#[derive(Clone, Copy)]
enum Left {
    One,
    Unequal,
    Equal,
}

/// Neighbouring numbers, both ends in; `None`: without end.
type Stretch = (usize, Option<usize>);

/// The limits of the proof.
struct Proof<'l> {
    limit: &'l Limit,
}

/// The code of the game whose moves these are.
pub(super) fn code(reader: &Reader<'_, '_>, moves: &[Leaves<'_>], limit: &Limit) -> Result<Game, No> {
    let proof = Proof { limit };
    for (broken, why) in &reader.broken {
        if !proof.never(broken)? {
            return no(why.clone());
        }
    }
    let zero = Linear::default();
    let is = |part: &Linear, value: &Linear| Formula::equal(part, value);
    let (first, second) = (Linear::track(FIRST), Linear::track(SECOND));
    let (mut none, mut one, mut two) = (Vec::new(), Vec::new(), Vec::new());
    for Leaves { way, parts } in moves {
        let with = |conditions: Vec<Formula>| {
            let all = way.holds.iter().cloned().chain(conditions);
            Formula::exists(way.bound.clone(), Formula::all(all))
        };
        match &parts[..] {
            [] => none.push(with(Vec::new())),
            [a] => {
                none.push(with(vec![is(a, &zero)]));
                one.push(with(vec![is(a, &first)]));
            }
            [a, b] => {
                none.push(with(vec![is(a, &zero), is(b, &zero)]));
                one.push(with(vec![is(a, &first), is(b, &zero)]));
                one.push(with(vec![is(a, &zero), is(b, &first)]));
                two.push(with(vec![is(a, &first), is(b, &second)]));
                two.push(with(vec![is(a, &second), is(b, &first)]));
            }
            _ => return no("a move leaves more than two heaps"),
        }
    }
    let some = |track: Track| Formula::less(&zero, &Linear::track(track));
    let nothing = proof.set(&Formula::any(none), &[HEAP])?;
    let single = proof.set(&Formula::all([some(FIRST), Formula::any(one)]), &[HEAP, FIRST])?;
    let pair = proof.set(&Formula::all([some(FIRST), some(SECOND), Formula::any(two)]), &[HEAP, FIRST, SECOND])?;

    // Of an empty heap nothing can be left, so this is all there is to taking the whole heap.
    let whole = proof.stretches(&nothing)?;
    let single = proof.amounts(&single, Left::One)?;
    let (unequal, equal) = (proof.amounts(&pair, Left::Unequal)?, proof.amounts(&pair, Left::Equal)?);
    if holds(&whole, 0) || holds(&single, 0) {
        return no("a move may take nothing");
    }
    game(&whole, &single, &unequal, &equal)
}

impl Proof<'_> {
    /// Whether no numbers make this true.
    fn never(&self, formula: &Formula) -> Result<bool, No> {
        Ok(compile(formula, System::Binary, self.limit)?.is_empty())
    }

    /// What makes a formula true, as a relation between these variables in this order, which is ascending.
    fn set(&self, formula: &Formula, tracks: &[Track]) -> Result<Arc<Automaton>, No> {
        debug_assert!(formula.free().iter().all(|track| tracks.contains(track)));
        Ok(Arc::new(compile(formula, System::Binary, self.limit)?))
    }

    /// The amounts that moves take which leave such heaps; refused unless each of them can be taken from every heap, whatever
    /// such heaps are left.
    fn amounts(&self, moves: &Arc<Automaton>, left: Left) -> Result<Vec<Stretch>, No> {
        let (heap, a, b) = (HEAP + UP, FIRST + UP, SECOND + UP);
        let number = Linear::track;
        let some = Formula::less(&Linear::default(), &number(a));
        let (tracks, shape, what) = match left {
            Left::One => (vec![heap, a], some, "one heap"),
            Left::Unequal => {
                let shape = Formula::all([some, Formula::less(&number(a), &number(b))]);
                (vec![heap, a, b], shape, "two unequal heaps")
            }
            Left::Equal => {
                let shape = Formula::all([some, Formula::equal(&number(a), &number(b))]);
                (vec![heap, a, b], shape, "two equal heaps")
            }
        };
        let all = tracks[1..].iter().fold(number(TAKEN), |sum, &track| sum.plus(&BigInt::one(), &number(track)));
        let such = Formula::all([Formula::equal(&number(heap), &all), shape]);
        let is_move = Formula::atom(Atom::Word(moves.clone(), tracks.clone()));
        let possible = Formula::exists(tracks.clone(), Formula::all([such.clone(), is_move.clone()]));
        let taken = self.set(&possible, &[TAKEN])?;
        let may = Formula::atom(Atom::Word(taken.clone(), vec![TAKEN]));
        let bound = tracks.iter().copied().chain([TAKEN]).collect();
        let not_always = Formula::exists(bound, Formula::all([such, may, is_move.not()]));
        if !self.never(&not_always)? {
            return no(format!("whether {what} may be left depends on more than what is taken"));
        }
        self.stretches(&taken)
    }

    /// The members of a set of numbers.
    fn stretches(&self, set: &Arc<Automaton>) -> Result<Vec<Stretch>, No> {
        let member = Formula::atom(Atom::Word(set.clone(), vec![TAKEN]));
        let next = |from: usize, inside: bool| -> Result<Option<usize>, No> {
            let from = Formula::at_most(&Linear::number(from), &Linear::track(TAKEN));
            let sought = if inside { member.clone() } else { member.clone().not() };
            let found = compile(&Formula::all([from, sought]), System::Binary, self.limit)?;
            let Some(found) = least(&found, &[TAKEN], System::Binary, self.limit)? else { return Ok(None) };
            match found.first().and_then(ToPrimitive::to_usize).filter(|n| *n <= MAX_AMOUNT) {
                Some(number) => Ok(Some(number)),
                None => no(format!("amounts above {MAX_AMOUNT} are taken")),
            }
        };
        let mut all = Vec::new();
        let mut at = 0;
        while let Some(from) = next(at, true)? {
            let Some(end) = next(from, false)? else {
                all.push((from, None));
                break;
            };
            all.push((from, Some(end - 1)));
            at = end;
            if all.len() > MOST_STRETCHES {
                return no(format!("the amounts have more than {MOST_STRETCHES} stretches"));
            }
        }
        Ok(all)
    }
}

/// Whether a number is in a set.
fn holds(set: &[Stretch], number: usize) -> bool {
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

fn game(whole: &[Stretch], single: &[Stretch], unequal: &[Stretch], equal: &[Stretch]) -> Result<Game, No> {
    let splits = !unequal.is_empty() || !equal.is_empty();
    if whole == single && !splits {
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
    let last = [whole, single, unequal, equal].into_iter().filter_map(|set| set.last());
    let last = last.map(|(_, to)| to.unwrap_or(usize::MAX)).max().unwrap_or(0);
    if last > MOST_DIGITS {
        return no("heaps are split, and there is no small bound for what may be taken");
    }
    let mut text = String::new();
    for taken in 0..=last {
        let (unequal, equal) = (holds(unequal, taken), holds(equal, taken));
        let digit = u8::from(holds(whole, taken)) + 2 * u8::from(holds(single, taken)) + 4 * u8::from(unequal || equal);
        let parts = match (unequal, equal) {
            (true, false) => "!",
            (false, true) => "=",
            _ => "",
        };
        // Writing to a text does not fail.
        let _ = write!(text, "{digit}{parts}{}", if taken == 0 { "." } else { "" });
    }
    Code::parse(&text).map(Game::Code).or_else(|bad| no(bad.message))
}
