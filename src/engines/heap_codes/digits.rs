//! From the moves of a heap to its code, with a proof that they are the same for every heap.
//!
//! Say that taking k is *possible with one heap left* when it is so for some heap. The rules are a code exactly when what is
//! possible for some heap is possible for every heap with that remainder, and that is a statement of linear arithmetic, which
//! automata decide ([`grundy_automata`]).

use crate::engines::heap_codes::codes::{Amounts, Stretch, game, holds};
use crate::engines::heap_codes::read::{HEAP, No, Reader, no};
use crate::engines::heap_codes::ways::Leaves;
use grundy_automata::{Atom, Automaton, Formula, Limit, Linear, System, Track, compile, least};
use grundy_heap::game::{Game, MAX_AMOUNT};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};
use std::sync::Arc;

/// Stretches of neighbouring amounts.
const MOST_STRETCHES: usize = 512;

/// The sizes of the heaps left; with [`HEAP`] these are the variables of a relation, in this order.
const FIRST: Track = 1;
const SECOND: Track = 2;
const THIRD: Track = 3;
/// Positions written as sums of more heaps are refused, even if few of them are not empty.
const MOST_WRITTEN: usize = 4;
/// What is taken, the only variable of a set; the relation's variables are then moved up.
const TAKEN: Track = 0;
const UP: Track = 4;

/// Which heaps are left.
#[derive(Clone, Copy)]
enum Left {
    One,
    Unequal,
    Equal,
    /// Three, no two of them equal.
    Distinct,
    /// Three, just two of them equal.
    Paired,
    /// Three equal ones.
    Alike,
}

impl Left {
    /// In words.
    fn name(self) -> &'static str {
        match self {
            Left::One => "one heap",
            Left::Unequal => "two unequal heaps",
            Left::Equal => "two equal heaps",
            Left::Distinct => "three heaps of different sizes",
            Left::Paired => "three heaps of which two are equal",
            Left::Alike => "three equal heaps",
        }
    }

    /// What sizes of these tracks, as many as there are, must be like; every choice is one order of theirs.
    fn shape(self, tracks: &[Track]) -> Formula {
        let number = |i: usize| Linear::track(tracks[i]);
        let some = Formula::all(tracks.iter().map(|&track| Formula::less(&Linear::default(), &Linear::track(track))));
        let relation = match self {
            Left::One => Formula::Constant(true),
            Left::Unequal => Formula::less(&number(0), &number(1)),
            Left::Equal => Formula::equal(&number(0), &number(1)),
            Left::Distinct => {
                Formula::all([Formula::less(&number(0), &number(1)), Formula::less(&number(1), &number(2))])
            }
            Left::Paired => {
                Formula::all([Formula::equal(&number(0), &number(1)), Formula::equal(&number(1), &number(2)).not()])
            }
            Left::Alike => {
                Formula::all([Formula::equal(&number(0), &number(1)), Formula::equal(&number(1), &number(2))])
            }
        };
        Formula::all([some, relation])
    }
}

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
    let mut left: [Vec<Formula>; 4] = Default::default();
    for Leaves { way, parts } in moves {
        if parts.len() > MOST_WRITTEN {
            return no(format!("a target is a sum of more than {MOST_WRITTEN} heaps"));
        }
        let with = |conditions: Vec<Formula>| {
            let all = way.holds.iter().cloned().chain(conditions);
            Formula::exists(way.bound.clone(), Formula::all(all))
        };
        if parts.len() > 3 {
            let some = parts.iter().map(|part| Formula::less(&Linear::default(), part)).collect();
            if !proof.never(&with(some))? {
                return no("a move leaves more than three heaps");
            }
        }
        for order in orders(parts.len()) {
            let count = order.iter().flatten().count();
            let is = order
                .iter()
                .zip(parts)
                .map(|(track, part)| Formula::equal(part, &track.map_or_else(Linear::default, Linear::track)));
            left[count].push(with(is.collect()));
        }
    }
    let tracks = [HEAP, FIRST, SECOND, THIRD];
    let mut relations = Vec::new();
    for (count, ways) in left.into_iter().enumerate() {
        let some = tracks[1..=count].iter().map(|&track| Formula::less(&Linear::default(), &Linear::track(track)));
        let all = Formula::all(some.chain([Formula::any(ways)]));
        relations.push(proof.set(&all, &tracks[..=count])?);
    }
    let amounts = |left: Left, count: usize| proof.amounts(&relations[count], left, count);
    let amounts = Amounts {
        // Of an empty heap nothing can be left, so this is all there is to taking the whole heap.
        whole: proof.stretches(&relations[0])?,
        one: amounts(Left::One, 1)?,
        two: [amounts(Left::Unequal, 2)?, amounts(Left::Equal, 2)?],
        three: [amounts(Left::Distinct, 3)?, amounts(Left::Paired, 3)?, amounts(Left::Alike, 3)?],
    };
    if holds(&amounts.whole, 0) || holds(&amounts.one, 0) {
        return no("a move may take nothing");
    }
    game(&amounts)
}

/// Every way to name up to three of so many parts, each name once and the first names first; parts without a name are empty.
fn orders(parts: usize) -> Vec<Vec<Option<Track>>> {
    let mut all: Vec<Vec<Option<Track>>> = vec![vec![None; parts]];
    let mut from = 0;
    for track in [FIRST, SECOND, THIRD] {
        let to = all.len();
        for at in from..to {
            for place in (0..parts).filter(|&place| all[at][place].is_none()).collect::<Vec<_>>() {
                let mut next = all[at].clone();
                next[place] = Some(track);
                all.push(next);
            }
        }
        from = to;
    }
    all
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

    /// The amounts that moves take which leave such heaps, so many; refused unless each of them can be taken from every heap,
    /// whatever such heaps are left.
    fn amounts(&self, moves: &Arc<Automaton>, left: Left, count: usize) -> Result<Vec<Stretch>, No> {
        let number = Linear::track;
        let tracks: Vec<Track> = [HEAP, FIRST, SECOND, THIRD][..=count].iter().map(|track| track + UP).collect();
        let (heap, shape) = (tracks[0], left.shape(&tracks[1..]));
        let all = tracks[1..].iter().fold(number(TAKEN), |sum, &track| sum.plus(&BigInt::one(), &number(track)));
        let such = Formula::all([Formula::equal(&number(heap), &all), shape]);
        let is_move = Formula::atom(Atom::Word(moves.clone(), tracks.clone()));
        let possible = Formula::exists(tracks.clone(), Formula::all([such.clone(), is_move.clone()]));
        let taken = self.set(&possible, &[TAKEN])?;
        let may = Formula::atom(Atom::Word(taken.clone(), vec![TAKEN]));
        let bound = tracks.iter().copied().chain([TAKEN]).collect();
        let not_always = Formula::exists(bound, Formula::all([such, may, is_move.not()]));
        if !self.never(&not_always)? {
            return no(format!("whether {} may be left depends on more than what is taken", left.name()));
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
