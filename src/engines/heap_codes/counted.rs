//! How many moves of a large heap win, without looking at each.
//!
//! Which heaps the moves of a line leave is read from the rules, as a relation of linear arithmetic with the names that the
//! move binds in it. For all heaps from [`tuning::HEAP_COUNTED`] on automata prove that no two moves of a line leave the same
//! heaps in the same order, and that what is left after some beans are taken is a few stretches ([`Moves`]). The stretches
//! themselves are guessed from two heaps.

use crate::engines::heap_codes::codes::{Proof, Stretch, members, no};
use crate::logic::facts::same;
use crate::logic::moves::Next;
use crate::logic::scope::{Scope, system};
use crate::logic::symbol::{No, Part, Sym};
use crate::logic::term::Env;
use crate::model::{GameId, Move, Program, TermId};
use crate::tuning;
use grundy_automata::{Atom, Automaton, Formula, Limit, Linear, System, Track};
use grundy_heap::moves::{End, Moves};
use num_bigint::BigInt;
use num_traits::One;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// Tracks below this are those of finished automata.
const BELOW: Track = 16;
const HEAP: Track = BELOW;
const FIRST: Track = BELOW + 1;
const SECOND: Track = BELOW + 2;
const OTHER_FIRST: Track = BELOW + 3;
const OTHER_SECOND: Track = BELOW + 4;
const TAKEN: Track = BELOW + 5;
/// The names that a move binds stand from here on.
const NAMES: Track = BELOW + 6;
/// Moves bind so many names at most.
const MOST_NAMES: u32 = 8;
/// And leave two heaps after so many amounts at most.
const MOST_AMOUNTS: usize = 64;

/// The moves of all heaps from [`tuning::HEAP_COUNTED`] on, where each name is of one line. `constants` are terms of the rules
/// that are known. Or why they are not known. The rules must be those of a code.
pub(super) fn moves(
    program: &Program,
    (id, params): (GameId, Vec<Sym>),
    constants: HashMap<TermId, Sym>,
    limit: &Limit,
) -> Result<Vec<Moves>, No> {
    let proof = Proof { limit };
    let mut scope = Scope::new(program, Rc::default());
    scope.constants = constants;
    for track in 0..NAMES + 2 * MOST_NAMES {
        let free = scope.free();
        debug_assert_eq!(track, free);
    }
    let heap = Part::new(id, params, vec![Sym::Int(Linear::track(HEAP))]);
    let lines = &program.games[id.0].moves;
    let names: HashSet<&str> = lines.iter().map(|line| &line.name[..]).collect();
    if names.len() < lines.len() {
        return no("several lines have one name");
    }
    let mut all = Vec::new();
    for line in lines.chunks(1) {
        for left in 0..=2 {
            let is_move = scope.local(|scope| {
                scope.some_of(&heap, line, &mut |scope, env, next| match next {
                    Next::To(parts) => leaves(scope, &heap, parts, left, &line[0], env),
                    Next::Stop(_) | Next::Again(_) => no("a move that does more than lead on"),
                })
            })?;
            if system(&scope.digits)? != System::Binary {
                return no("it speaks of digits that are not those of base 2");
            }
            for need in scope.taken_needs() {
                if !proof.never(&need.not())? {
                    return no("a move has no value for some heap");
                }
            }
            let names = (NAMES..).take(line[0].binders.len()).collect();
            let lines = Lines { proof: &proof, left, names };
            all.extend(lines.moves(&Formula::all([large(&Linear::track(HEAP)), is_move]))?);
        }
    }
    Ok(all)
}

/// Whether a heap is one of those of which all is said.
fn large(heap: &Linear) -> Formula {
    Formula::at_most(&Linear::number(tuning::HEAP_COUNTED), heap)
}

/// Whether just these heaps are left of `heap`, in this order, by a move that binds these names.
fn leaves<'p>(
    scope: &mut Scope<'p>,
    heap: &Part,
    parts: &[Part],
    left: usize,
    line: &Move,
    env: &Env<'p>,
) -> Result<Formula, No> {
    if parts.len() > 2 {
        return no("a target is a sum of more than two heaps");
    }
    if parts.len() != left {
        return Ok(Formula::Constant(false));
    }
    let mut said = Vec::new();
    for (part, track) in parts.iter().zip([FIRST, SECOND]) {
        let (true, true, [Sym::Int(size)]) =
            (part.game == heap.game, same(&part.params, &heap.params), &part.fields[..])
        else {
            return no("a move leads to another game, or changes the rule parameters");
        };
        said.push(Formula::equal(size, &Linear::track(track)));
    }
    if line.binders.len() > MOST_NAMES as usize {
        return no("a move binds very many names");
    }
    for (slot, track) in line.binders.iter().zip(NAMES..) {
        let Some(Sym::Int(number)) = env.slots.get(slot) else { return no("a move binds what is no number") };
        scope.need(Formula::natural(number));
        said.push(Formula::equal(number, &Linear::track(track)));
    }
    Ok(Formula::all(said))
}

/// The moves of a line that leave so many heaps.
struct Lines<'l> {
    proof: &'l Proof<'l>,
    left: usize,
    names: Vec<Track>,
}

impl Lines<'_> {
    /// What is left, with what was taken and without it.
    fn heaps(&self) -> Vec<Track> {
        [FIRST, SECOND][..self.left].to_vec()
    }

    /// What makes a formula true, as a relation between these variables in this order.
    fn set(&self, formula: &Formula, tracks: &[Track]) -> Result<Arc<Automaton>, No> {
        let renamed = tracks.iter().zip(0..).fold(formula.clone(), |f, (track, at)| f.with(*track, &Linear::track(at)));
        self.proof.set(&renamed, &(0..).take(tracks.len()).collect::<Vec<Track>>())
    }

    fn total(&self, more: &Linear) -> Linear {
        self.heaps().iter().fold(more.clone(), |sum, &track| sum.plus(&BigInt::one(), &Linear::track(track)))
    }

    fn moves(&self, is_move: &Formula) -> Result<Vec<Moves>, No> {
        let names = &self.names;
        let mut tracks: Vec<Track> = [HEAP].into_iter().chain(self.heaps()).collect();
        let named: Vec<Track> = tracks.iter().chain(names).copied().collect();
        let relation = self.set(is_move, &named)?;
        if relation.is_empty() {
            return Ok(Vec::new());
        }
        if self.left == 0 {
            return no("a large heap may be taken as a whole");
        }
        // No two moves leave the same.
        let others: Vec<Track> = names.iter().map(|name| name + MOST_NAMES).collect();
        let renamed: Vec<Track> = tracks.iter().chain(&others).copied().collect();
        let differ = Formula::any(
            names.iter().zip(&others).map(|(a, b)| Formula::equal(&Linear::track(*a), &Linear::track(*b)).not()),
        );
        let word = |automaton: &Arc<Automaton>, tracks: &[Track]| {
            Formula::atom(Atom::Word(automaton.clone(), tracks.to_vec()))
        };
        if !self.proof.never(&Formula::all([word(&relation, &named), word(&relation, &renamed), differ]))? {
            return no("several moves of a line leave the same heaps");
        }
        // And what is left is known by the names.
        let others = [OTHER_FIRST, OTHER_SECOND];
        let renamed: Vec<Track> = [HEAP].into_iter().chain(others[..self.left].to_vec()).chain(names.clone()).collect();
        let differ = Formula::any(
            self.heaps().iter().zip(others).map(|(a, b)| Formula::equal(&Linear::track(*a), &Linear::track(b)).not()),
        );
        if !self.proof.never(&Formula::all([word(&relation, &named), word(&relation, &renamed), differ]))? {
            return no("the names of a move do not tell what it leaves");
        }
        let relation = self.set(&Formula::exists(names.clone(), word(&relation, &named)), &tracks)?;
        let is_taken = Formula::equal(&Linear::track(HEAP), &self.total(&Linear::track(TAKEN)));
        let may = Formula::exists(tracks.clone(), Formula::all([is_taken.clone(), word(&relation, &tracks)]));
        let taken = self.set(&may, &[TAKEN])?;
        let most = if self.left == 1 { usize::from(tuning::HEAP_COUNTED) } else { MOST_AMOUNTS };
        let Some(amounts) = members(&self.proof.stretches(&taken)?, most) else {
            return no("very many amounts may be taken");
        };
        if self.left == 1 {
            tracks.push(TAKEN);
            let not_always =
                [large(&Linear::track(HEAP)), is_taken, word(&taken, &[TAKEN]), word(&relation, &[HEAP, FIRST]).not()];
            if !self.proof.never(&Formula::all(not_always))? {
                return no("an amount may be taken from some heaps only");
            }
            return Ok(amounts.into_iter().map(|taken| Moves::One { taken: taken as u64 }).collect());
        }
        let mut all = Vec::new();
        for taken in amounts {
            let sum = Formula::equal(&Linear::track(HEAP), &self.total(&Linear::number(taken)));
            let splits = Formula::exists(vec![HEAP], Formula::all([sum, word(&relation, &tracks)]));
            let splits = self.set(&splits, &[FIRST, SECOND])?;
            all.extend(self.stretches(taken, &splits)?);
        }
        Ok(all)
    }

    /// The stretches of first heaps, of two that are left when so many are taken.
    fn stretches(&self, taken: usize, splits: &Arc<Automaton>) -> Result<Vec<Moves>, No> {
        let is_split = Formula::atom(Atom::Word(splits.clone(), vec![FIRST, SECOND]));
        let even = (usize::from(tuning::HEAP_COUNTED)).next_multiple_of(2);
        let seen = |left: usize| -> Result<Vec<Stretch>, No> {
            let all = Formula::equal(&self.total(&Linear::default()), &Linear::number(left));
            let set = Formula::exists(vec![SECOND], Formula::all([all, is_split.clone()]));
            self.proof.stretches(&self.set(&set, &[FIRST])?)
        };
        let (of_even, of_odd) = (seen(even)?, seen(even + 1)?);
        if of_even.len() != of_odd.len() || of_even.len() > 8 {
            return no("what may be left is no few stretches");
        }
        let (mut found, mut said) = (Vec::new(), Vec::new());
        let all = self.total(&Linear::default());
        for (a, b) in of_even.into_iter().zip(of_odd) {
            let ((from_even, Some(to_even)), (from_odd, Some(to_odd))) = (a, b) else {
                return no("what may be left has no end");
            };
            let ends = (end(even, from_even, from_odd), end(even, to_even, to_odd));
            let (Some(from), Some(to)) = ends else { return no("a stretch of what may be left has no simple end") };
            let first = Linear::track(FIRST);
            said.push(Formula::all([at_least(&first, from, &all), at_most(&first, to, &all)]));
            found.push(Moves::Two { taken: taken as u64, from, to });
        }
        let is_large = large(&self.total(&Linear::number(taken)));
        let differs = Formula::any(said).iff(is_split).not();
        if !self.proof.never(&Formula::all([is_large, differs]))? {
            return no("what may be left depends on more than a few ends");
        }
        Ok(found)
    }
}

/// The end that has this number when `even` beans are left, and that when one more is.
fn end(even: usize, at_even: usize, at_odd: usize) -> Option<End> {
    let quarter = even / 4;
    if at_even == at_odd && at_even < quarter {
        return Some(End::Number(at_even as u64));
    }
    if at_odd == at_even + 1 && at_even > even - quarter {
        return Some(End::Below((even - at_even) as u64));
    }
    let [even, at_even, at_odd] = [even, at_even, at_odd].map(|number| i64::try_from(number).ok());
    let (even, at_even, at_odd) = (even?, at_even?, at_odd?);
    let end = End::Half(at_even + at_odd - even);
    let agrees = |left: i64, number: i64| end.at(left.into()) == number.into();
    (agrees(even, at_even) && agrees(even + 1, at_odd)).then_some(end)
}

fn at_most(number: &Linear, end: End, all: &Linear) -> Formula {
    match end {
        End::Number(most) => Formula::at_most(number, &Linear::number(most)),
        End::Below(less) => Formula::at_most(&number.plus(&BigInt::one(), &Linear::number(less)), all),
        End::Half(more) => Formula::at_most(&twice(number), &all.plus(&BigInt::one(), &Linear::number(more))),
    }
}

fn at_least(number: &Linear, end: End, all: &Linear) -> Formula {
    match end {
        End::Number(least) => Formula::at_most(&Linear::number(least), number),
        End::Below(less) => Formula::at_most(all, &number.plus(&BigInt::one(), &Linear::number(less))),
        // No less than half rounded down: twice it is more than all of it less 2.
        End::Half(more) => Formula::at_most(
            &all.plus(&BigInt::one(), &Linear::number(more)),
            &twice(number).plus(&BigInt::one(), &Linear::number(1)),
        ),
    }
}

fn twice(number: &Linear) -> Linear {
    number.plus(&BigInt::one(), number)
}
