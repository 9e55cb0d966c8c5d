//! From the moves of a heap to its code, with a proof that they are the same for every heap.
//!
//! Say that taking k is *possible with one heap left* when it is so for some heap. The rules are a code exactly when what is
//! possible for some heap is possible for every heap with that remainder, and that is a statement of linear arithmetic, which
//! automata decide ([`grundy_automata`]).

use crate::logic::facts::same;
use crate::logic::moves::Next;
use crate::logic::scope::{Scope, system};
use crate::logic::symbol::{No, Part, Sym};
use crate::model::{GameId, Program, TermId};
use grundy_automata::{Atom, Automaton, Formula, Limit, Linear, System, Track, compile, least};
use grundy_heap::code::Code;
use grundy_heap::game::{Game, MAX_AMOUNT};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::rc::Rc;
use std::sync::Arc;

/// Stretches of neighbouring amounts.
const MOST_STRETCHES: usize = 512;

const HEAP: Track = 0;
/// The sizes of the heaps left; with [`HEAP`] these are the variables of a relation, in this order.
const FIRST: Track = 1;
const SECOND: Track = 2;
const THIRD: Track = 3;
/// Positions written as sums of more heaps are refused, even if few of them are not empty.
const MOST_WRITTEN: usize = 4;
/// What is taken, the only variable of a set; the relation's variables are then moved up.
const TAKEN: Track = 0;
const UP: Track = 4;

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
        let less = |i: usize| Formula::less(&number(i), &number(i + 1));
        let equal = |i: usize| Formula::equal(&number(i), &number(i + 1));
        let some = Formula::all(tracks.iter().map(|&track| Formula::less(&Linear::default(), &Linear::track(track))));
        let relation = match self {
            Left::One => Formula::Constant(true),
            Left::Unequal => less(0),
            Left::Equal => equal(0),
            Left::Distinct => Formula::all([less(0), less(1)]),
            Left::Paired => Formula::all([equal(0), equal(1).not()]),
            Left::Alike => Formula::all([equal(0), equal(1)]),
        };
        Formula::all([some, relation])
    }
}

pub(super) struct Proof<'l> {
    pub(super) limit: &'l Limit,
}

/// The code of the rules of a game with these rule parameters, one natural number its only field; `constants` are terms of it
/// that are known. Or why it has none.
pub(super) fn code(
    program: &Program,
    (id, params): (GameId, Vec<Sym>),
    constants: HashMap<TermId, Sym>,
    limit: &Limit,
) -> Result<Game, No> {
    let proof = Proof { limit };
    let mut scope = Scope::new(program, Rc::default());
    scope.constants = constants;
    let tracks = [HEAP, FIRST, SECOND, THIRD].map(|_| scope.free());
    debug_assert_eq!(tracks, [HEAP, FIRST, SECOND, THIRD]);
    let heap = Part::new(id, params, vec![Sym::Int(Linear::track(HEAP))]);
    let all = scope.local(|scope| scope.in_domain(&heap))?;
    if !proof.never(&all.not())? {
        return no("the header's `where` restricts the heaps");
    }
    let mut relations = Vec::new();
    for count in 0..=3 {
        let named = &tracks[1..=count];
        let is_move = scope.local(|scope| {
            scope.some_move(&heap, &mut |scope, next| match next {
                Next::To(parts) => leaves(scope, &heap, parts, named),
                Next::Stop(_) => no("a move can end the whole play"),
                Next::Again(_) => no("a move can keep the turn"),
            })
        })?;
        if system(&scope.digits)? != System::Binary {
            return no("it speaks of digits that are not those of base 2");
        }
        for need in scope.taken_needs() {
            if !proof.never(&need.not())? {
                return no("a move would leave more than there was, or less than nothing, or has no value");
            }
        }
        let some = named.iter().map(|&track| Formula::less(&Linear::default(), &Linear::track(track)));
        let all = Formula::all(some.chain([is_move]));
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

/// Whether just these heaps are left of `heap`, and else only empty ones.
fn leaves(scope: &mut Scope<'_>, heap: &Part, parts: &[Part], named: &[Track]) -> Result<Formula, No> {
    if parts.len() > MOST_WRITTEN {
        return no(format!("a target is a sum of more than {MOST_WRITTEN} heaps"));
    }
    let mut sizes = Vec::new();
    for part in parts {
        let (true, true, [Sym::Int(size)]) =
            (part.game == heap.game, same(&part.params, &heap.params), &part.fields[..])
        else {
            return no("a move leads to another game, or changes the rule parameters");
        };
        scope.need(Formula::natural(size));
        sizes.push(size);
    }
    let total = sizes.iter().fold(Linear::default(), |sum, size| sum.plus(&BigInt::one(), size));
    scope.need(Formula::at_most(&total, &Linear::track(HEAP)));
    if sizes.len() > 3 {
        scope.need(Formula::any(sizes.iter().map(|size| Formula::zero(size))));
    }
    let ways = orders(sizes.len()).into_iter().filter(|order| order.iter().flatten().count() == named.len());
    Ok(Formula::any(ways.map(|order| {
        let is = |(track, size): (Option<Track>, &&Linear)| {
            Formula::equal(size, &track.map_or_else(Linear::default, Linear::track))
        };
        Formula::all(order.into_iter().zip(&sizes).map(is))
    })))
}

pub(super) fn no<T>(why: impl Into<String>) -> Result<T, No> {
    Err(No::bare(why))
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
    pub(super) fn never(&self, formula: &Formula) -> Result<bool, No> {
        Ok(compile(formula, System::Binary, self.limit)?.is_empty())
    }

    /// What makes a formula true, as a relation between these variables in this order, which is ascending.
    pub(super) fn set(&self, formula: &Formula, tracks: &[Track]) -> Result<Arc<Automaton>, No> {
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

    pub(super) fn stretches(&self, set: &Arc<Automaton>) -> Result<Vec<Stretch>, No> {
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

pub(super) fn holds(set: &[Stretch], number: usize) -> bool {
    set.iter().any(|(from, to)| *from <= number && to.is_none_or(|to| number <= to))
}

/// The numbers of a set; `None` when it has no end, or more members than `most`.
pub(super) fn members(set: &[Stretch], most: usize) -> Option<Vec<usize>> {
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
