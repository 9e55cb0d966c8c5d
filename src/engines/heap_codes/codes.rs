//! From the moves of a heap to its code, with a proof that they are the same for every heap.
//!
//! Say that taking k is *possible with one heap left* when it is so for some heap. The rules are a code exactly when what is
//! possible for some heap is possible for every heap with that remainder, and that is a statement of linear arithmetic, which
//! automata decide ([`grundy_automata`]).

use crate::engines::heap_codes::read::{Domain, HEAP, Leaves, MOST_WAYS, No, Reader, Sym, Way, bind, no};
use crate::model::{BinaryOp, Builtin, Clause, Gather, Place, PlaceParams, Term, TermKind, Type};
use crate::value::Value;
use grundy_automata::{Atom, Automaton, Formula, Limit, Linear, System, Track, compile, least};
use grundy_heap::code::Code;
use grundy_heap::game::{Game, MAX_AMOUNT};
use num_bigint::BigInt;
use num_traits::{One, ToPrimitive};
use std::fmt::Write as _;
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

struct Proof<'l> {
    limit: &'l Limit,
}

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

/// Heaps of a sum that are written together, as `3 * G(n)` or by a list.
const MOST_TIMES: u64 = 8;
/// Ways with the heaps that are left.
type Sums<'p> = Result<Vec<(Way<'p>, Vec<Linear>)>, No>;

impl<'p> Reader<'_, 'p> {
    /// The heaps of a position, in every way that conditions in it leave.
    pub(super) fn position(&mut self, term: &'p Term, mut way: Way<'p>) -> Sums<'p> {
        match &term.kind {
            TermKind::Place(place) => {
                let size = self.place(place, &mut way)?;
                Ok(vec![(way, vec![size])])
            }
            TermKind::Binary(BinaryOp::Add, a, b) => {
                let all = self.position(a, way)?;
                self.added(all, &mut |reader, way| reader.position(b, way))
            }
            TermKind::If(condition, a, b) => {
                let condition = self.truth(condition, &mut way)?;
                let mut all = Vec::new();
                for (holds, term) in [(condition.clone(), a), (condition.not(), b)] {
                    if !matches!(holds, Formula::Constant(false)) {
                        let mut way = way.clone();
                        way.holds.push(holds);
                        all.extend(self.position(term, way)?);
                    }
                }
                Ok(all)
            }
            TermKind::Binary(BinaryOp::Mul, times, one) if times.ty == Type::Int => {
                let times = self.int(times, &mut way)?;
                let times = times.constant().and_then(ToPrimitive::to_u64).filter(|&times| times <= MOST_TIMES);
                let Some(times) = times else { return no("a multiple of a position by a variable or a large number") };
                let mut all = vec![(way, Vec::new())];
                for _ in 0..times {
                    all = self.added(all, &mut |reader, way| reader.position(one, way))?;
                }
                Ok(all)
            }
            TermKind::Builtin(Builtin::Sum, args) if args.len() == 1 => match &args[0].kind {
                TermKind::Items(_, items) => {
                    let mut all = vec![(way, Vec::new())];
                    for item in items {
                        all = self.added(all, &mut |reader, way| reader.position(&item.term, way))?;
                    }
                    Ok(all)
                }
                TermKind::Comprehension(Gather::List, one, clauses) => self.total(one, clauses, way),
                _ => no("a sum over a collection"),
            },
            TermKind::Adapt(inner) if inner.ty == Type::Int => Ok(vec![(way, Vec::new())]),
            _ => no("a target that is not written as a sum of heaps"),
        }
    }

    /// The same heaps with more of them, in every way.
    fn added(
        &mut self,
        all: Vec<(Way<'p>, Vec<Linear>)>,
        more: &mut dyn FnMut(&mut Self, Way<'p>) -> Sums<'p>,
    ) -> Sums<'p> {
        let mut next = Vec::new();
        for (way, parts) in all {
            for (way, more) in more(self, way)? {
                next.push((way, parts.iter().cloned().chain(more).collect()));
            }
            if next.len() > MOST_WAYS {
                return no(format!("there are more than {MOST_WAYS} ways to move"));
            }
        }
        Ok(next)
    }

    /// `sum(one for clauses)`, where the collections that the clauses run through are written out.
    fn total(&mut self, one: &'p Term, clauses: &'p [Clause], mut way: Way<'p>) -> Sums<'p> {
        let Some((first, rest)) = clauses.split_first() else { return self.position(one, way) };
        match first {
            Clause::Where(condition) => {
                let holds = self.truth(condition, &mut way)?;
                let mut without = way.clone();
                without.holds.push(holds.clone().not());
                let mut all = Vec::new();
                if !matches!(holds, Formula::Constant(false)) {
                    way.holds.push(holds.clone());
                    all = self.total(one, rest, way)?;
                }
                if !matches!(holds, Formula::Constant(true)) {
                    all.push((without, Vec::new()));
                }
                Ok(all)
            }
            Clause::Let { pattern, value } => {
                let value = self.eval(value, &mut way)?;
                bind(&mut way, pattern, value)?;
                self.total(one, rest, way)
            }
            Clause::In { pattern, source, .. } => {
                let Sym::Domain(domain) = self.eval(source, &mut way)? else {
                    return no("a sum over other things than numbers");
                };
                // Of a set equal members would count once.
                let list = matches!(source.kind, TermKind::Items(Gather::List, _));
                let list = list || matches!(domain, Domain::Value(Value::List(_) | Value::Range(..)));
                let Some(items) = items(&domain).filter(|_| list) else {
                    return no("a sum over a collection that is not written out");
                };
                let mut all = vec![(way, Vec::new())];
                for item in items {
                    all = self.added(all, &mut |reader, mut way| {
                        bind(&mut way, pattern, Sym::Int(item.clone()))?;
                        reader.total(one, rest, way)
                    })?;
                }
                Ok(all)
            }
        }
    }

    /// The size of a heap of the same game with the same rule parameters.
    fn place(&mut self, place: &'p Place, way: &mut Way<'p>) -> Result<Linear, No> {
        if !std::ptr::eq(&raw const self.program.games[place.game.0], self.game) {
            return no("a move leads to another game");
        }
        if let PlaceParams::Given(given) = &place.params {
            for (at, term) in given.iter().enumerate() {
                if !term.as_ref().is_some_and(|term| is_slot(term, at)) {
                    return no("a move changes the rule parameters");
                }
            }
        }
        let [Some(size)] = &place.fields[..] else { return no("a heap whose size is not written") };
        let size = self.int(size, way)?;
        let natural = Formula::natural(&size);
        self.need(way, natural, "a move would leave a heap below 0");
        Ok(size)
    }
}

/// The members of a list that is written out, one by one.
fn items(domain: &Domain) -> Option<Vec<Linear>> {
    match domain {
        Domain::Items(items) => Some(items.clone()),
        Domain::Any(parts) => Some(parts.iter().map(items).collect::<Option<Vec<_>>>()?.concat()),
        Domain::Value(Value::List(list)) if list.items.len() as u64 <= MOST_TIMES => {
            let number = |item: &Value| if let Value::Int(n) = item { Some(Linear::number(*n)) } else { None };
            list.items.iter().map(number).collect()
        }
        Domain::Value(Value::Range(from, to))
            if to.checked_sub(*from).is_some_and(|n| n.unsigned_abs() < MOST_TIMES) =>
        {
            Some((*from..=*to).map(Linear::number).collect())
        }
        _ => None,
    }
}

/// Whether a term is the rule parameter of this slot, perhaps checked or adapted.
fn is_slot(term: &Term, slot: usize) -> bool {
    match &term.kind {
        TermKind::Slot(this) => *this == slot,
        TermKind::Coerce(inner, _) => is_slot(inner, slot),
        _ => false,
    }
}
