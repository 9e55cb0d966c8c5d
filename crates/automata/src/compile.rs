//! From formulas to automata, and to the least numbers that these accept.
//!
//! Bound numbers that are one of few constants, each under a condition, as those are that count how many conditions hold, are gone
//! through case by case where several of them stand in one sum: then the sum is decided before there are any automata, and what
//! remains of each case is about fewer numbers.

use crate::arithmetic::{automaton, exactly, forget, written};
use crate::automaton::{Automaton, Join, Track};
use crate::formula::{Atom, Formula, Linear, Sense};
use crate::system::{Limit, Reason, System};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Signed, Zero};
use std::collections::{BTreeMap, BTreeSet};

/// Variables made up here are numbered from this on.
const FRESH: Track = 1 << 24;
/// Letters of sums have no more bits, unless they are in base 2.
const WIDE: usize = 12;

/// The automaton that accepts the numbers for which a formula is true, among numbers as they must be written.
pub fn compile(formula: &Formula, system: System, limit: &Limit) -> Result<Automaton, Reason> {
    let mut compiler = Compiler { system, limit, fresh: FRESH };
    let made = compiler.formula(&crate::order::simplified(formula))?;
    formula.free().into_iter().try_fold(made, |made, track| compiler.proper(made, track))
}

/// Moves variables that are bound in one part only outside, so that they can go in a better order; whether there were some. What
/// says something of no more than so many variables is left as it is.
fn hoisted(parts: &mut Vec<Formula>, tracks: &mut Vec<Track>, apart: usize) -> bool {
    let mut changed = false;
    while let Some(at) = parts.iter().enumerate().position(|(i, part)| match part {
        Formula::Exists(bound, _) if part.free().len() > apart => {
            let others = || parts.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, part)| part);
            bound.iter().all(|track| !tracks.contains(track) && !others().any(|part| part.mentions(*track)))
        }
        _ => false,
    }) {
        let Formula::Exists(bound, inner) = parts.remove(at) else { break };
        tracks.extend(bound);
        match std::sync::Arc::unwrap_or_clone(inner) {
            Formula::All(inner) => parts.extend(inner),
            other => parts.push(other),
        }
        changed = true;
    }
    changed
}

/// Takes one statement about multiples of a number from another, where fewer variables are left of it; whether there was one.
fn differences(parts: &mut [Formula]) -> bool {
    let of = |part: &Formula| match part {
        Formula::Atom(atom) => match &**atom {
            Atom::Multiple(sum, of) => Some((sum.clone(), of.clone())),
            _ => None,
        },
        _ => None,
    };
    let mut changed = false;
    for i in 0..parts.len() {
        for j in 0..parts.len() {
            let (Some((a, m)), Some((b, n))) = (of(&parts[i]), of(&parts[j])) else { continue };
            if i == j || m != n {
                continue;
            }
            let less = Formula::multiple(&b.minus(&a), &m);
            if less.free().len() < b.terms.len() {
                parts[j] = less;
                changed = true;
            }
        }
    }
    changed
}

/// Leaves out what equations of natural numbers say already: `k <= a` beside `x + k == a`.
fn without_implied(parts: &mut Vec<Formula>) {
    let of = |part: &Formula, wanted: Sense| match part {
        Formula::Atom(atom) => match &**atom {
            Atom::Sum(sum, sense) if *sense == wanted => Some(sum.clone()),
            _ => None,
        },
        _ => None,
    };
    let equations: Vec<Linear> = parts.iter().filter_map(|part| of(part, Sense::Zero)).collect();
    let never_above = |sum: &Linear| sum.terms.values().chain([&sum.constant]).all(|number| !number.is_positive());
    parts.retain(|part| {
        let Some(sum) = of(part, Sense::AtMostZero) else { return true };
        let one = BigInt::one();
        !equations.iter().any(|zero| never_above(&sum.plus(&one, zero)) || never_above(&sum.minus(zero)))
    });
}

struct Compiler<'a> {
    system: System,
    limit: &'a Limit,
    fresh: Track,
}

impl Compiler<'_> {
    fn formula(&mut self, formula: &Formula) -> Result<Automaton, Reason> {
        match formula {
            Formula::Constant(value) => Ok(Automaton::constant(*value)),
            Formula::Atom(atom) => self.atom(atom),
            Formula::Not(inner) => Ok(self.formula(inner)?.complement()),
            Formula::All(parts) => self.many(parts, Join::And),
            Formula::Any(parts) => self.many(parts, Join::Or),
            Formula::Exists(tracks, inner) => self.exists(tracks, inner),
        }
    }

    fn many(&mut self, parts: &[Formula], how: Join) -> Result<Automaton, Reason> {
        let made = parts.iter().map(|part| self.formula(part)).collect::<Result<_, _>>()?;
        self.joined(made, how)
    }

    /// The small ones go first.
    fn joined(&self, mut parts: Vec<Automaton>, how: Join) -> Result<Automaton, Reason> {
        parts.sort_by_key(|part| std::cmp::Reverse(part.states()));
        let mut all = parts.pop().unwrap_or_else(|| Automaton::constant(how == Join::And));
        while let Some(part) = parts.pop() {
            all = all.join(&part, how, self.limit)?;
        }
        Ok(all)
    }

    fn exists(&mut self, tracks: &[Track], inner: &Formula) -> Result<Automaton, Reason> {
        // Cases of cases may be many, all of them decided without an automaton.
        self.limit.check(0, 0)?;
        if let Formula::Any(parts) = inner {
            let parts: Vec<Formula> = parts
                .iter()
                .map(|part| {
                    let free = part.free();
                    let bound = tracks.iter().copied().filter(|track| free.contains(track)).collect();
                    Formula::exists(bound, part.clone())
                })
                .collect();
            return self.many(&parts, Join::Or);
        }
        let mut parts = if let Formula::All(parts) = inner { parts.clone() } else { vec![inner.clone()] };
        let mut tracks = tracks.to_vec();
        // Sums that are added up step by step are small where few variables are left.
        let apart = if matches!(self.system, System::Surd(_)) { 2 } else { 0 };
        let mut changed = hoisted(&mut parts, &mut tracks, apart);
        if let Some((tracks, cases)) = cases(&parts, &tracks) {
            return self.exists(&tracks, &Formula::any(cases));
        }
        while let Some((at, track, sum)) = self.solved(&parts, &tracks) {
            changed = true;
            parts.remove(at);
            tracks.retain(|&other| other != track);
            let natural = Formula::at_most(&Linear::default(), &sum);
            parts = parts.iter().map(|part| part.with(track, &sum)).chain([natural]).collect();
        }
        changed |= differences(&mut parts);
        without_implied(&mut parts);
        if changed {
            parts = match Formula::all(parts) {
                any @ Formula::Any(_) => return self.exists(&tracks, &any),
                Formula::All(parts) => parts,
                other => vec![other],
            };
        }
        let made: Result<Vec<_>, Reason> = parts.iter().map(|part| Ok((part.free(), self.formula(part)?))).collect();
        self.eliminated(made?, &tracks)
    }

    /// An equation among these, solved for a bound variable that can be replaced by the sum.
    fn solved(&self, parts: &[Formula], tracks: &[Track]) -> Option<(usize, Track, Linear)> {
        const LONG: usize = 5;
        for (at, part) in parts.iter().enumerate() {
            let Formula::Atom(atom) = part else { continue };
            let Atom::Sum(sum, Sense::Zero) = &**atom else { continue };
            for (&track, multiple) in sum.terms.iter().filter(|(track, _)| tracks.contains(track)) {
                if !multiple.magnitude().is_one() {
                    continue;
                }
                let mut rest = sum.clone();
                rest.terms.remove(&track);
                // track = -rest / multiple
                let value = Linear::default().plus(&-multiple, &rest);
                let others = || parts.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, part)| part);
                let fits = match value.single() {
                    Some(_) => true,
                    None => {
                        !matches!(self.system, System::Surd(_))
                            && value.terms.len() < LONG
                            && others().all(|part| part.only_in_sums(track))
                    }
                };
                if fits {
                    return Some((at, track, value));
                }
            }
        }
        None
    }

    /// What all these say together, of the variables that are not bound; the bound one goes first for which joining all that is said
    /// of it is the least work (bucket elimination: Dechter, 1999).
    fn eliminated(&self, mut made: Vec<(BTreeSet<Track>, Automaton)>, tracks: &[Track]) -> Result<Automaton, Reason> {
        let mut left: Vec<Track> = tracks.to_vec();
        while !left.is_empty() {
            // Each further variable that is joined has its digits.
            let cost = |track: Track| -> usize {
                let with = made.iter().filter(|(free, _)| free.contains(&track));
                let of: BTreeSet<Track> = with.clone().flat_map(|(free, _)| free.iter().copied()).collect();
                let letters = 1usize << (of.len() * self.system.width() as usize).min(32);
                with.fold(letters, |cost, (_, part)| cost.saturating_mul(part.states()))
            };
            let Some(best) = (0..left.len()).min_by_key(|&i| cost(left[i])) else { break };
            let track = left.swap_remove(best);
            let of: BTreeSet<Track> = made
                .iter()
                .filter(|(free, _)| free.contains(&track))
                .flat_map(|(free, _)| free.iter().copied())
                .collect();
            if of.is_empty() {
                continue;
            }
            // What speaks of no more than these variables makes them fewer besides.
            let (with, without): (Vec<_>, Vec<_>) = made.into_iter().partition(|(free, _)| free.is_subset(&of));
            made = without;
            let all = self.joined(with.into_iter().map(|(_, part)| part).collect(), Join::And)?;
            let all = forget(self.proper(all, track)?, track, self.system, self.limit)?;
            made.push((of.into_iter().filter(|other| *other != track).collect(), all));
        }
        self.joined(made.into_iter().map(|(_, part)| part).collect(), Join::And)
    }

    fn proper(&self, made: Automaton, track: Track) -> Result<Automaton, Reason> {
        match written(track, self.system, self.limit)? {
            None => Ok(made),
            Some(written) => made.join(&written, Join::And, self.limit),
        }
    }

    fn atom(&mut self, atom: &Atom) -> Result<Automaton, Reason> {
        // Sums of many variables have too many letters; of Fibonacci numbers only the simplest are automata.
        let by_steps = match self.system {
            System::Binary => false,
            System::Base(_) => atom.tracks().len() * self.system.width() as usize > WIDE,
            System::Surd(_) => true,
        };
        match atom {
            Atom::Sum(sum, sense) if by_steps => self.sum(sum, *sense),
            Atom::Multiple(sum, of) if by_steps => {
                // All multiples in it are natural.
                let quotient = self.fresh();
                let times = Linear::default().plus(of, &Linear::track(quotient));
                self.formula(&Formula::exists(vec![quotient], Formula::equal(sum, &times)))
            }
            _ => automaton(atom, self.system, self.limit),
        }
    }

    fn fresh(&mut self) -> Track {
        self.fresh += 1;
        self.fresh
    }

    /// A sum of Fibonacci numbers or their like: both sides are added up step by step.
    fn sum(&mut self, sum: &Linear, sense: Sense) -> Result<Automaton, Reason> {
        let mut steps = Steps::default();
        let mut sides = [Vec::new(), Vec::new()];
        for (&track, multiple) in &sum.terms {
            self.multiple(track, multiple.magnitude(), &mut sides[usize::from(multiple.is_negative())], &mut steps)?;
        }
        let side = usize::from(sum.constant.is_negative());
        for (i, tracks) in sides.iter_mut().enumerate() {
            // No side is left without a track: there it is 0.
            let constant = if i == side { sum.constant.magnitude().clone() } else { BigUint::ZERO };
            if constant.is_zero() && !tracks.is_empty() {
                continue;
            }
            let track = self.bound(&mut steps);
            let exactly = exactly(track, &constant, self.system, self.limit)?;
            steps.parts.push((BTreeSet::from([track]), exactly));
            tracks.push(track);
        }
        if let (true, Sense::Zero) = (sides[0].len() == 1 && sides[1].len() > 1, sense) {
            sides.swap(0, 1);
        }
        // Equality needs no track for the sum of a side when the other is one track.
        let goal = (sense == Sense::Zero && sides[1].len() == 1).then(|| sides[1][0]);
        let [low, high] = sides;
        let low = self.added(low, goal, &mut steps)?;
        if goal.is_none() || Some(low) != goal {
            let high = self.added(high, None, &mut steps)?;
            let compared = Linear::track(low).minus(&Linear::track(high));
            if compared.terms.is_empty() {
                return Ok(Automaton::constant(true));
            }
            self.step(compared, sense, &mut steps)?;
        }
        self.eliminated(steps.parts, &steps.bound)
    }

    fn bound(&mut self, steps: &mut Steps) -> Track {
        let track = self.fresh();
        steps.bound.push(track);
        track
    }

    fn step(&self, sum: Linear, sense: Sense, steps: &mut Steps) -> Result<(), Reason> {
        let atom = Atom::Sum(sum, sense);
        steps.parts.push((atom.tracks(), automaton(&atom, self.system, self.limit)?));
        Ok(())
    }

    /// The tracks whose sum is a multiple of a track.
    fn multiple(&mut self, track: Track, of: &BigUint, side: &mut Vec<Track>, steps: &mut Steps) -> Result<(), Reason> {
        let mut power = track;
        for bit in 0..of.bits() {
            if bit > 0 {
                let double = self.bound(steps);
                let twice = Linear::track(power).plus(&BigInt::one(), &Linear::track(power));
                self.step(twice.minus(&Linear::track(double)), Sense::Zero, steps)?;
                power = double;
            }
            if of.bit(bit) {
                side.push(power);
            }
        }
        Ok(())
    }

    /// The track that is the sum of these; `goal`, if one is given and there is something to add.
    fn added(&mut self, side: Vec<Track>, goal: Option<Track>, steps: &mut Steps) -> Result<Track, Reason> {
        let mut tracks = side.into_iter();
        let Some(mut sum) = tracks.next() else { return Ok(goal.unwrap_or_default()) };
        while let Some(track) = tracks.next() {
            let next = match goal {
                Some(goal) if tracks.len() == 0 => goal,
                _ => self.bound(steps),
            };
            let added = Linear::track(sum).plus(&BigInt::one(), &Linear::track(track));
            self.step(added.minus(&Linear::track(next)), Sense::Zero, steps)?;
            sum = next;
        }
        Ok(sum)
    }
}

#[derive(Default)]
struct Steps {
    parts: Vec<(BTreeSet<Track>, Automaton)>,
    bound: Vec<Track>,
}

/// So many in one sum are gone through case by case.
const TOGETHER: usize = 3;
const CASES: usize = 256;

/// The cases of a conjunction under bound variables, each without those that are constants in it; `None`: there are no such variables.
pub(super) fn cases(parts: &[Formula], tracks: &[Track]) -> Option<(Vec<Track>, Vec<Formula>)> {
    let flags: Vec<(Track, usize)> = parts
        .iter()
        .enumerate()
        .filter_map(|(at, part)| Some((tracks.iter().copied().find(|&track| constants(part, track).is_some())?, at)))
        .collect();
    let sum = parts.iter().find_map(|part| {
        let summed = sums(part);
        let mut of: Vec<(Track, usize)> = Vec::new();
        for &(track, at) in flags.iter().filter(|(track, _)| summed.contains(track)) {
            // Each has one definition, which speaks of none of the others: it is taken as it stands, whatever they are.
            let apart = |&(other, of): &(Track, usize)| {
                other != track && !parts[at].mentions(other) && !parts[of].mentions(track)
            };
            if of.iter().all(apart) {
                of.push((track, at));
            }
        }
        (of.len() >= TOGETHER).then_some(of)
    })?;
    let left: Vec<Track> = tracks.iter().copied().filter(|track| !sum.iter().any(|(flag, _)| flag == track)).collect();
    let plain = parts.iter().enumerate().filter(|(at, _)| !sum.iter().any(|(_, of)| of == at));
    let mut all = vec![plain.map(|(_, part)| part.clone()).collect::<Vec<_>>()];
    for (flag, at) in sum {
        let mut next = Vec::new();
        for case in &all {
            for (value, condition) in constants(&parts[at], flag)? {
                // What is decided is left out, and cases that it decides against.
                let here: Vec<Formula> = case.iter().chain(&condition).map(|part| part.with(flag, &value)).collect();
                if !here.iter().any(|part| matches!(part, Formula::Constant(false))) {
                    next.push(here);
                }
            }
        }
        if next.len() > CASES {
            return None;
        }
        all = next;
    }
    Some((left, all.into_iter().map(Formula::all).collect()))
}

/// The variables of a comparison of sums, or of a choice between some.
fn sums(part: &Formula) -> Vec<Track> {
    match part {
        Formula::Atom(atom) => match &**atom {
            Atom::Sum(sum, _) => sum.terms.keys().copied().collect(),
            _ => Vec::new(),
        },
        Formula::Not(inner) => sums(inner),
        Formula::All(parts) | Formula::Any(parts) => parts.iter().flat_map(sums).collect(),
        _ => Vec::new(),
    }
}

/// The constants that a variable is by a part, each with what else must hold.
fn constants(part: &Formula, track: Track) -> Option<Vec<(Linear, Vec<Formula>)>> {
    let Formula::Any(branches) = part else { return None };
    let branch = |branch: &Formula| {
        let all = if let Formula::All(all) = branch { all.clone() } else { vec![branch.clone()] };
        let at = all.iter().position(|part| is(part, track).is_some())?;
        let value = is(&all[at], track)?;
        let rest = all.into_iter().enumerate().filter(|(i, _)| *i != at).map(|(_, part)| part);
        Some((value, rest.collect()))
    };
    branches.iter().map(branch).collect()
}

fn is(part: &Formula, track: Track) -> Option<Linear> {
    let Formula::Atom(atom) = part else { return None };
    let Atom::Sum(sum, Sense::Zero) = &**atom else { return None };
    let multiple = sum.terms.get(&track).filter(|multiple| sum.terms.len() == 1 && multiple.magnitude().is_one())?;
    Some(Linear::number(-&sum.constant * multiple))
}

/// Numbers for the variables of a formula that are not bound.
pub type Solution = BTreeMap<Track, BigUint>;

/// The numbers of least sum that make a formula true; `None`: no numbers do.
pub fn solution(formula: &Formula, system: System, limit: &Limit) -> Result<Option<Solution>, Reason> {
    let tracks: Vec<Track> = formula.free().into_iter().collect();
    let automaton = compile(formula, system, limit)?;
    Ok(least(&automaton, &tracks, system, limit)?.map(|numbers| tracks.into_iter().zip(numbers).collect()))
}

const SUM: Track = (1 << 29) - 1;

/// The accepted numbers of least sum, and of these the first in the order of `tracks`; `None`: nothing is accepted. The
/// automaton must have no other tracks.
pub fn least(
    automaton: &Automaton,
    tracks: &[Track],
    system: System,
    limit: &Limit,
) -> Result<Option<Vec<BigUint>>, Reason> {
    least_beside(automaton, tracks, &[], system, limit)
}

/// [`least`], where some of the numbers, each 0 or 1, count only between others of the same sum.
pub fn least_beside(
    automaton: &Automaton,
    tracks: &[Track],
    bits: &[Track],
    system: System,
    limit: &Limit,
) -> Result<Option<Vec<BigUint>>, Reason> {
    if automaton.is_empty() {
        return Ok(None);
    }
    let weight = |track: &Track| BigInt::from(if bits.contains(track) { 1 } else { bits.len() + 1 });
    let total = tracks.iter().fold(Linear::default(), |sum, track| sum.plus(&weight(track), &Linear::track(*track)));
    let total = compile(&Formula::equal(&total, &Linear::track(SUM)), system, limit)?;
    let mut left = automaton.join(&total, Join::And, limit)?;
    let mut found = Vec::new();
    for track in std::iter::once(SUM).chain(tracks.iter().copied()) {
        let mut alone = left.clone();
        for &other in tracks.iter().chain(&[SUM]).filter(|&&other| other != track) {
            alone = forget(alone, other, system, limit)?;
        }
        let Some(number) = least_of(&alone, track, system) else { return Ok(None) };
        left = left.join(&exactly(track, &number, system, limit)?, Join::And, limit)?;
        found.push(number);
    }
    found.remove(0);
    Ok(Some(found))
}

fn least_of(automaton: &Automaton, variable: Track, system: System) -> Option<BigUint> {
    let first = system.tracks(variable).start;
    let next = |state: usize, digit: u8| {
        automaton.diagrams.leaf(automaton.rows[state], |track| digit >> (track - first) & 1 == 1)
    };
    let digits = 0..system.size();
    // What can be reached by so many digits, until something is accepted.
    let mut reached = vec![vec![automaton.start]];
    loop {
        let last = reached.last()?;
        if last.iter().any(|&state| automaton.accepting[state]) {
            break;
        }
        let mut on: Vec<usize> = last
            .iter()
            .flat_map(|&state| digits.clone().map(move |digit| (state, digit)))
            .map(|(s, d)| next(s, d))
            .collect();
        on.sort_unstable();
        on.dedup();
        if reached.len() > automaton.states() + 1 {
            return None;
        }
        reached.push(on);
    }
    let mut good: Vec<usize> = reached.pop()?.into_iter().filter(|&state| automaton.accepting[state]).collect();
    let mut found = Vec::new();
    // From the highest digit on, the smallest that can be there.
    for states in reached.iter().rev() {
        let by = |digit: u8| -> Vec<usize> {
            states.iter().copied().filter(|&state| good.contains(&next(state, digit))).collect()
        };
        let (digit, before) = digits.clone().map(|digit| (digit, by(digit))).find(|(_, before)| !before.is_empty())?;
        good = before;
        found.push(digit);
    }
    found.reverse();
    Some(system.number(&found))
}
