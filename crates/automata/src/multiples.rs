//! Sentences about multiples of a variable, which automata cannot follow, made wider until they can be decided.
//!
//! That t is a multiple of e, both of them variables, is no statement of Presburger arithmetic. Where it is assumed, something weaker is
//! said instead: t is 0, or e, or no less than twice e, and so far apart from every other number that is assumed to be a multiple of e.
//! Where it is denied, something stronger is: t is one of those numbers, or a few times e away from one. Each change makes more numbers
//! fit, so that a formula which no numbers make true after it is one that none made true before; the reverse does not hold. (Multiples
//! are opened as far as the sentence names them, as in the instantiation of quantifiers: Ge and de Moura, Complete instantiation for
//! quantified formulas in satisfiability modulo theories, 2009.)

use crate::automaton::{Automaton, Track};
use crate::formula::{Atom, Formula, Linear};
use crate::order::Order;
use crate::system::{Limit, System};
use crate::text::Table;
use num_bigint::BigInt;
use num_integer::Integer;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// How much is said: whether the free variables are rounded down, too, to multiples of all that is spoken of; of how many multiples how far
/// they are apart (of three, how far the sum of two is from the third); whether that they are once or twice e from each other; how
/// many times e from a known multiple there is another that is named; and whether something is said of small e and of lowest digits: that all
/// numbers are multiples of 1, and multiples of an even e even; that a multiple ends with as many zeros as e does, and that what ends with
/// as many zeros as a power e of the base is a multiple.
struct Stage {
    free: bool,
    together: usize,
    apart: i64,
    named: i64,
    small: bool,
}

const STAGES: [Stage; 7] = [
    Stage { free: false, together: 1, apart: 1, named: 1, small: false },
    Stage { free: false, together: 2, apart: 1, named: 1, small: false },
    Stage { free: false, together: 2, apart: 2, named: 1, small: false },
    Stage { free: false, together: 2, apart: 2, named: 2, small: false },
    Stage { free: false, together: 3, apart: 1, named: 1, small: false },
    Stage { free: false, together: 1, apart: 1, named: 1, small: true },
    Stage { free: true, together: 2, apart: 2, named: 1, small: false },
];
/// No more free variables are rounded down.
const FREE: usize = 4;

/// So many cases of disjunctions are made.
const CASES: usize = 64;

/// A formula without statements about multiples of variables, which some numbers make true if some make the given one true; `None`: there
/// are no such statements in it, or there is no such stage. The later of the stages, from 0, say more and make larger formulas.
/// `system`: in which numbers are written. Cost: a few times the size of the formula, for each of at most 64 cases of its disjunctions.
pub fn without_multiples(formula: &Formula, stage: usize, system: System) -> Option<Formula> {
    let stage = STAGES.get(stage)?;
    speaks(formula).then(|| {
        let mut used = HashSet::new();
        tracks(formula, &mut used);
        let mut fresh = used.iter().copied().max().map_or(0, |greatest| greatest + 1);
        let free = formula.free();
        let formula = &numbered_apart(formula, &HashMap::new(), &mut fresh);
        let zeros = if stage.small && speaks_of_digits(formula) { Zeros::of(system) } else { None };
        let mut widening = Widening { used: free.iter().copied().collect(), fresh, cases: 1, stage, zeros };
        if !stage.free {
            return widening.wider(formula, &[]);
        }
        let mut divisors = Vec::new();
        each_divisor(formula, &mut |of| {
            if of.constant().is_none() && of.terms.keys().all(|track| free.contains(track)) && !divisors.contains(of) {
                divisors.push(of.clone());
            }
        });
        let pairs = divisors.iter().flat_map(|of| free.iter().map(move |track| (Linear::track(*track), of)));
        let pairs = pairs.filter(|(number, of)| number != *of).take(FREE);
        // There is exactly one such number of each.
        let (mut bound, mut parts) = (Vec::new(), vec![formula.clone()]);
        for (number, of) in pairs {
            parts.push(Formula::atom(Atom::Rounded(widening.fresh, number, of.clone())));
            bound.push(widening.fresh);
            widening.fresh += 1;
        }
        widening.wider(&Formula::exists(bound, Formula::all(parts)), &[])
    })
}

/// The same in which no variable is bound twice: what stands in place of another may then stand wherever that does.
fn numbered_apart(formula: &Formula, names: &HashMap<Track, Track>, fresh: &mut Track) -> Formula {
    match formula {
        Formula::Constant(_) => formula.clone(),
        Formula::Atom(atom) => {
            let named = atom.tracks().into_iter().filter_map(|track| Some((track, *names.get(&track)?)));
            named.fold(formula.clone(), |all, (old, new)| all.with(old, &Linear::track(new)))
        }
        Formula::Not(inner) => numbered_apart(inner, names, fresh).not(),
        Formula::All(parts) => {
            Formula::all(parts.iter().map(|part| numbered_apart(part, names, fresh)).collect::<Vec<_>>())
        }
        Formula::Any(parts) => {
            Formula::any(parts.iter().map(|part| numbered_apart(part, names, fresh)).collect::<Vec<_>>())
        }
        Formula::Exists(tracks, inner) => {
            let mut names = names.clone();
            let mut bound = Vec::new();
            for track in tracks {
                names.insert(*track, *fresh);
                bound.push(*fresh);
                *fresh += 1;
            }
            Formula::exists(bound, numbered_apart(inner, &names, fresh))
        }
    }
}

/// All of which something is said to be a multiple.
fn each_divisor(formula: &Formula, see: &mut dyn FnMut(&Linear)) {
    match formula {
        Formula::Constant(_) => {}
        Formula::Atom(atom) => match &**atom {
            Atom::Times(_, of) | Atom::Rounded(_, _, of) => see(of),
            _ => {}
        },
        Formula::Not(inner) | Formula::Exists(_, inner) => each_divisor(inner, see),
        Formula::All(parts) | Formula::Any(parts) => parts.iter().for_each(|part| each_divisor(part, see)),
    }
}

/// Whether there are such statements in it.
fn speaks(formula: &Formula) -> bool {
    match formula {
        Formula::Constant(_) => false,
        Formula::Atom(_) => multiple(formula).is_some(),
        Formula::Not(inner) | Formula::Exists(_, inner) => speaks(inner),
        Formula::All(parts) | Formula::Any(parts) => parts.iter().any(speaks),
    }
}

/// Whether something is said of the digits of some number.
fn speaks_of_digits(formula: &Formula) -> bool {
    match formula {
        Formula::Constant(_) => false,
        Formula::Atom(atom) => {
            !matches!(**atom, Atom::Sum(..) | Atom::Multiple(..) | Atom::Times(..) | Atom::Rounded(..))
        }
        Formula::Not(inner) | Formula::Exists(_, inner) => speaks_of_digits(inner),
        Formula::All(parts) | Formula::Any(parts) => parts.iter().any(speaks_of_digits),
    }
}

/// Automata that read a number and a divisor.
struct Zeros {
    /// The number ends with as many zeros as the divisor, or both are 0.
    as_many: Arc<Automaton>,
    /// The same, and the divisor is a power of the base.
    power: Arc<Automaton>,
}

impl Zeros {
    /// Those of a base; `None`: of another system.
    fn of(system: System) -> Option<Zeros> {
        #[derive(Clone, Copy, PartialEq, Eq, Hash)]
        enum Read {
            Zeros,
            Above,
            Never,
        }
        let size = usize::from(system.size());
        let automaton = |power: bool| {
            let row = |read: &Read| {
                let next = |letter: usize| match (read, letter / size, letter % size) {
                    (Read::Zeros, 0, 0) => Read::Zeros,
                    (Read::Zeros, digit, _) if digit == 1 || digit > 1 && !power => Read::Above,
                    (Read::Above, digit, _) if digit == 0 || !power => Read::Above,
                    _ => Read::Never,
                };
                let accepts = *read == Read::Above || *read == Read::Zeros && !power;
                Some((accepts, (0..size * size).map(next).collect()))
            };
            let table = Table::explore(2, Read::Zeros, usize::MAX, row)?;
            table.automaton(system, &Limit::default()).ok().map(Arc::new)
        };
        match system {
            System::Binary | System::Base(_) => Some(Zeros { as_many: automaton(false)?, power: automaton(true)? }),
            System::Surd(_) => None,
        }
    }
}

/// All variables, bound or not.
fn tracks(formula: &Formula, all: &mut HashSet<Track>) {
    match formula {
        Formula::Constant(_) => {}
        Formula::Atom(atom) => all.extend(atom.tracks()),
        Formula::Not(inner) => tracks(inner, all),
        Formula::Exists(bound, inner) => {
            all.extend(bound);
            tracks(inner, all);
        }
        Formula::All(parts) | Formula::Any(parts) => parts.iter().for_each(|part| tracks(part, all)),
    }
}

/// A number that is a multiple of another, and what was rounded down to it, if something was.
#[derive(Clone, PartialEq)]
struct Multiple {
    number: Linear,
    of: Linear,
    from: Option<Linear>,
}

impl Multiple {
    fn said(formula: &Formula) -> Option<Multiple> {
        match multiple(formula)? {
            Atom::Times(number, of) => Some(Multiple { number: number.clone(), of: of.clone(), from: None }),
            Atom::Rounded(number, from, of) => {
                Some(Multiple { number: Linear::track(*number), of: of.clone(), from: Some(from.clone()) })
            }
            _ => None,
        }
    }

    /// A multiple of twice something is one of that, too.
    fn of_part(&self) -> Option<Multiple> {
        let factor = factor(&self.of)?;
        let mut of = Linear::number(&self.of.constant / &factor);
        for (&track, times) in &self.of.terms {
            of = of.plus(&(times / &factor), &Linear::track(track));
        }
        Some(Multiple { number: self.number.clone(), of, from: None })
    }

    /// The known number that is the same, as the same was rounded down.
    fn again(&self, known: &[Multiple]) -> Option<Linear> {
        let same = |other: &&Multiple| self.from.is_some() && other.from == self.from && other.of == self.of;
        known.iter().find(same).map(|other| other.number.clone())
    }
}

fn multiple(formula: &Formula) -> Option<&Atom> {
    match formula {
        Formula::Atom(atom) if matches!(**atom, Atom::Times(..) | Atom::Rounded(..)) => Some(atom),
        _ => None,
    }
}

/// What divides all of a sum, if that is more than 1 and it has variables.
fn factor(sum: &Linear) -> Option<BigInt> {
    let all = sum.terms.values().fold(sum.constant.clone(), |all, one| all.gcd(one));
    (!sum.terms.is_empty() && all > BigInt::from(1)).then_some(all)
}

struct Widening {
    /// Variables that may be spoken of where the present part stands.
    used: HashSet<Track>,
    fresh: Track,
    cases: usize,
    stage: &'static Stage,
    zeros: Option<Zeros>,
}

impl Widening {
    /// A formula that holds wherever this one does and these are multiples.
    fn wider(&mut self, formula: &Formula, known: &[Multiple]) -> Formula {
        let (mut bound, mut parts) = (Vec::new(), Vec::new());
        self.gather(formula, &mut bound, &mut parts);
        let mut known = known.to_vec();
        let mut at = 0;
        while let Some(part) = parts.get(at) {
            at += 1;
            let Some(more) = Multiple::said(part) else { continue };
            match (more.again(&known), more.number.single()) {
                (Some(same), Some(number)) if bound.contains(&number) && same != more.number => {
                    at -= 1;
                    parts.remove(at);
                    bound.retain(|track| *track != number);
                    for part in &mut parts {
                        *part = part.with(number, &same);
                    }
                }
                _ => {
                    let part = more.of_part();
                    known.extend(
                        [Some(more), part]
                            .into_iter()
                            .flatten()
                            .filter(|more| !known.contains(more))
                            .collect::<Vec<_>>(),
                    );
                }
            }
        }
        // What is assumed in a case is known in all of it.
        let open = |part: &Formula| if let Formula::Any(list) = part { list.iter().any(assumes) } else { false };
        let wider = match parts.iter().position(open) {
            Some(at) if self.cases < CASES => {
                let Formula::Any(list) = parts.swap_remove(at) else { return Formula::Constant(true) };
                self.cases += list.len() - 1;
                let cases = list.into_iter().map(|case| {
                    let case = Formula::all(std::iter::once(case).chain(parts.iter().cloned()));
                    let used = self.used.clone();
                    let wider = self.wider(&case, &known);
                    self.used = used;
                    wider
                });
                Formula::any(cases.collect::<Vec<_>>())
            }
            _ => {
                let mut all = Vec::new();
                for part in &parts {
                    match (part, multiple(part)) {
                        (Formula::Any(list), _) => {
                            let list = list.iter().map(|part| self.wider(part, &known));
                            all.push(Formula::any(list.collect::<Vec<_>>()));
                        }
                        (Formula::Not(inner), _) => all.push(self.narrower(inner, &known).not()),
                        (_, Some(Atom::Times(number, of))) => all.extend(self.apart_from(number, of, &known)),
                        (_, Some(Atom::Rounded(number, from, of))) => {
                            let number = Linear::track(*number);
                            let some = Formula::all([Formula::at_most(&Linear::number(1), of), Formula::natural(from)]);
                            if parts_hold(&parts, &some) {
                                all.extend(between(&number, from, of));
                                all.extend(self.apart_from(&number, of, &known));
                            } else {
                                let is = between(&number, from, of).into_iter();
                                let is = Formula::all(is.chain(self.apart_from(&number, of, &known)));
                                all.push(Formula::either(&some, is, Formula::zero(&number)));
                            }
                        }
                        _ => all.push(part.clone()),
                    }
                }
                Formula::all(all)
            }
        };
        Formula::exists(bound, wider)
    }

    /// A formula that holds nowhere but where this one does, if these are multiples.
    fn narrower(&mut self, formula: &Formula, known: &[Multiple]) -> Formula {
        match formula {
            Formula::Constant(_) => formula.clone(),
            Formula::Atom(atom) => match &**atom {
                Atom::Times(number, of) => self.named(number, of, known),
                Atom::Rounded(number, from, of) => {
                    rounded(*number, from, of, self.named(&Linear::track(*number), of, known))
                }
                _ => formula.clone(),
            },
            Formula::Not(inner) => self.wider(inner, known).not(),
            Formula::All(parts) => {
                Formula::all(parts.iter().map(|part| self.narrower(part, known)).collect::<Vec<_>>())
            }
            Formula::Any(parts) => {
                Formula::any(parts.iter().map(|part| self.narrower(part, known)).collect::<Vec<_>>())
            }
            Formula::Exists(tracks, inner) => {
                let by_one = self.by_one(tracks, inner);
                let used = self.used.clone();
                let (tracks, inner) = self.apart(tracks, inner);
                let inner = self.opened(tracks, inner, known);
                self.used = used;
                match by_one {
                    Some(one) => Formula::any([inner, self.narrower(&one, known)]),
                    None => inner,
                }
            }
        }
    }

    /// The same of numbers with a property, where one by which something is divided is 1. `None`: there is none, or too many cases.
    fn by_one(&mut self, tracks: &[Track], inner: &Formula) -> Option<Formula> {
        if !self.stage.small || self.cases >= CASES {
            return None;
        }
        let mut divisor = None;
        each_divisor(inner, &mut |of| divisor = divisor.or(of.single().filter(|track| tracks.contains(track))));
        let divisor = divisor?;
        self.cases += 1;
        let rest = tracks.iter().copied().filter(|track| *track != divisor).collect();
        Some(Formula::exists(rest, multiples_of_one(&inner.with(divisor, &Linear::number(1)))))
    }

    /// The same of numbers with a property: one that must be a multiple is each of those that are named, one after the other.
    fn opened(&mut self, mut tracks: Vec<Track>, inner: Formula, known: &[Multiple]) -> Formula {
        let mut parts = if let Formula::All(list) = inner { list } else { vec![inner] };
        let found = parts.iter().enumerate().find_map(|(at, part)| {
            let one = Multiple::said(part)?;
            let number = one.number.single()?;
            let mut others = parts.iter().enumerate().filter(|(other, _)| *other != at);
            let sums = others.all(|(_, part)| part.only_in_sums(number));
            let given = [Some(&one.of), one.from.as_ref()].into_iter().flatten();
            let given = given.into_iter().all(|given| !given.terms.contains_key(&number));
            let again = one.again(known).is_some();
            (tracks.contains(&number) && given && (sums || again)).then_some((at, number, one))
        });
        let Some((at, number, one)) = found.filter(|_| self.cases < CASES) else {
            let inner = self.narrower_all(&parts, known);
            return Formula::exists(tracks, Formula::all(inner));
        };
        parts.remove(at);
        tracks.retain(|track| *track != number);
        let rest = Formula::all(parts);
        if let Some(same) = one.again(known) {
            return self.opened(tracks, rest.with(number, &same), known);
        }
        let Multiple { of, from, .. } = one;
        let some = self.multiples(&of, known);
        self.cases += some.len();
        let mut cases = Vec::new();
        for value in some {
            let mut is = vec![Formula::natural(&value), Formula::natural(&of)];
            if let Some(from) = &from {
                is.extend([Formula::at_most(&Linear::number(1), &of), Formula::natural(from)]);
                is.extend([Formula::at_most(&value, from), Formula::less(from, &plus(&value, 1, &of))]);
            }
            is.push(rest.with(number, &value));
            cases.push(Formula::all(is));
        }
        if let Some(from) = &from {
            if let Some(whole) = self.ends(from, &of, |zeros| &zeros.power) {
                self.cases += 1;
                cases.push(Formula::all([Formula::natural(from), whole, rest.with(number, from)]));
            }
            let some = Formula::all([Formula::at_most(&Linear::number(1), &of), Formula::natural(from)]);
            cases.push(Formula::all([some.not(), rest.with(number, &Linear::default())]));
        }
        Formula::any(cases.into_iter().map(|case| self.opened(tracks.clone(), case, known)).collect::<Vec<_>>())
    }

    fn narrower_all(&mut self, parts: &[Formula], known: &[Multiple]) -> Vec<Formula> {
        parts.iter().map(|part| self.narrower(part, known)).collect()
    }

    /// The parts of a conjunction, with the variables that are bound around any of them.
    fn gather(&mut self, formula: &Formula, bound: &mut Vec<Track>, parts: &mut Vec<Formula>) {
        match formula {
            Formula::All(list) => list.iter().for_each(|part| self.gather(part, bound, parts)),
            Formula::Exists(tracks, inner) => {
                let (tracks, inner) = self.apart(tracks, inner);
                bound.extend(tracks);
                self.gather(&inner, bound, parts);
            }
            Formula::Not(denied) => match &**denied {
                Formula::Any(list) if speaks(denied) => {
                    for part in list {
                        self.gather(&part.clone().not(), bound, parts);
                    }
                }
                denied => {
                    let rest = self.turned(denied, bound, parts);
                    parts.push(rest.not());
                }
            },
            other => parts.push(other.clone()),
        }
    }

    /// The same without a look into what is denied.
    fn flat(&mut self, formula: &Formula, bound: &mut Vec<Track>, parts: &mut Vec<Formula>) {
        match formula {
            Formula::All(list) => list.iter().for_each(|part| self.flat(part, bound, parts)),
            Formula::Exists(tracks, inner) => {
                let (tracks, inner) = self.apart(tracks, inner);
                bound.extend(tracks);
                self.flat(&inner, bound, parts);
            }
            other => parts.push(other.clone()),
        }
    }

    /// What is denied, without numbers that others determine, which go to `bound` and what determines them to `parts`: there is exactly one
    /// such number, so that it may be chosen before something is denied of it.
    fn turned(&mut self, denied: &Formula, bound: &mut Vec<Track>, parts: &mut Vec<Formula>) -> Formula {
        if !speaks(denied) {
            return denied.clone();
        }
        let (mut tracks, mut inside) = (Vec::new(), Vec::new());
        self.flat(denied, &mut tracks, &mut inside);
        while let Some(at) = inside.iter().position(|part| match multiple(part) {
            Some(Atom::Rounded(number, from, of)) => {
                let given = |track: &Track| !tracks.contains(track);
                tracks.contains(number) && from.terms.keys().chain(of.terms.keys()).all(given)
            }
            _ => false,
        }) {
            let part = inside.remove(at);
            if let Some(Atom::Rounded(number, ..)) = multiple(&part) {
                tracks.retain(|track| track != number);
                bound.push(*number);
            }
            parts.push(part);
        }
        Formula::exists(tracks, Formula::all(inside))
    }

    /// What holds of every multiple: it is 0 or no less than `of`, and none is less than `of` apart from another without being the same.
    fn apart_from(&mut self, number: &Linear, of: &Linear, known: &[Multiple]) -> Vec<Formula> {
        let Stage { together, apart, .. } = *self.stage;
        let zero = Linear::default();
        // Of two it is said once, and so it is of three.
        let before = known.iter().take_while(|other| other.number != *number);
        let before: Vec<&Linear> = before.filter(|other| other.of == *of).map(|other| &other.number).collect();
        let pairs = before.iter().copied().filter(|_| together > 1);
        let mut far: Vec<Formula> = std::iter::once(&zero)
            .chain(pairs)
            .map(|other| {
                let near = (1 - apart..apart).map(|near| Formula::equal(number, &plus(other, near, of)));
                let above = Formula::at_most(&plus(other, apart, of), number);
                let below = Formula::at_most(&plus(number, apart, of), other);
                Formula::any(near.chain([above, below]))
            })
            .collect();
        for (at, a) in before.iter().enumerate().filter(|_| together > 2) {
            for b in &before[..at] {
                for (a, b, c) in [(*a, *b, number), (*a, number, *b), (*b, number, *a)] {
                    let sum = plus(a, 1, b);
                    let above = Formula::at_most(&plus(&sum, 1, of), c);
                    far.push(Formula::any([Formula::equal(&sum, c), above, Formula::at_most(&plus(c, 1, of), &sum)]));
                }
            }
        }
        far.extend(factor(of).map(|factor| Formula::multiple(number, &factor)));
        if self.stage.small && of.constant().is_none() {
            let two = BigInt::from(2);
            let odd = Formula::multiple(&plus(of, 1, &Linear::number(1)), &two);
            far.push(Formula::any([odd, Formula::multiple(number, &two)]));
        }
        far.extend(self.ends(number, of, |zeros| &zeros.as_many));
        // Of 0 only 0 is one.
        let none = Formula::zero(of).not();
        let all = [Formula::natural(number), Formula::natural(of), Formula::any([Formula::zero(number), none])];
        all.into_iter().chain(far).collect()
    }

    /// Some of the numbers that are multiples.
    fn multiples(&self, of: &Linear, known: &[Multiple]) -> Vec<Linear> {
        let times = self.stage.named;
        let zero = Linear::default();
        let same = known.iter().filter(|other| other.of == *of).map(|other| &other.number);
        let mut some: Vec<Linear> = Vec::new();
        for other in std::iter::once(&zero).chain(same) {
            some.extend(
                (-times..=times)
                    .map(|times| plus(other, times, of))
                    .filter(|value| !some.contains(value))
                    .collect::<Vec<_>>(),
            );
        }
        some
    }

    /// That a number is one of these, or one by its lowest digits.
    fn named(&mut self, number: &Linear, of: &Linear, known: &[Multiple]) -> Formula {
        let some: Vec<Formula> =
            self.multiples(of, known).into_iter().map(|value| Formula::equal(number, &value)).collect();
        let some = some.into_iter().chain(self.ends(number, of, |zeros| &zeros.power));
        Formula::all([Formula::natural(number), Formula::natural(of), Formula::any(some)])
    }

    /// What an automaton says of a divisor that is a variable and of a number, if this stage says something of their lowest digits.
    fn ends(&mut self, number: &Linear, of: &Linear, which: fn(&Zeros) -> &Arc<Automaton>) -> Option<Formula> {
        let automaton = self.zeros.as_ref().map(which).filter(|_| of.constant().is_none())?.clone();
        let (mut bound, mut parts) = (Vec::new(), Vec::new());
        let reads = [number, of].map(|sum| {
            sum.single().unwrap_or_else(|| {
                let track = self.fresh;
                self.fresh += 1;
                self.used.insert(track);
                parts.push(Formula::equal(&Linear::track(track), sum));
                bound.push(track);
                track
            })
        });
        parts.push(Formula::atom(Atom::Word(automaton, reads.to_vec())));
        Some(Formula::exists(bound, Formula::all(parts)))
    }

    /// The same with bound variables that are not in use.
    fn apart(&mut self, tracks: &[Track], inner: &Arc<Formula>) -> (Vec<Track>, Formula) {
        let (mut all, mut inner) = (Vec::new(), (**inner).clone());
        for &track in tracks {
            let mut own = track;
            if !self.used.insert(track) {
                own = self.fresh;
                self.fresh += 1;
                self.used.insert(own);
                inner = inner.with(track, &Linear::track(own));
            }
            all.push(own);
        }
        (all, inner)
    }
}

/// Whether some number must be a multiple where it holds.
fn assumes(formula: &Formula) -> bool {
    match formula {
        Formula::All(parts) | Formula::Any(parts) => parts.iter().any(assumes),
        Formula::Exists(_, inner) => assumes(inner),
        other => multiple(other).is_some(),
    }
}

/// That a number is another rounded down to a multiple of a third, where `is` says that it is a multiple.
fn rounded(number: Track, from: &Linear, of: &Linear, is: Formula) -> Formula {
    let number = Linear::track(number);
    let some = Formula::all([Formula::at_most(&Linear::number(1), of), Formula::natural(from)]);
    Formula::either(&some, Formula::all(between(&number, from, of).into_iter().chain([is])), Formula::zero(&number))
}

/// What is said of multiples of 1, without them.
fn multiples_of_one(formula: &Formula) -> Formula {
    match formula {
        Formula::Atom(atom) => match &**atom {
            Atom::Times(number, of) if of.constant() == Some(&BigInt::from(1)) => Formula::natural(number),
            Atom::Rounded(number, from, of) if of.constant() == Some(&BigInt::from(1)) => {
                let number = Linear::track(*number);
                Formula::either(&Formula::natural(from), Formula::equal(&number, from), Formula::zero(&number))
            }
            _ => formula.clone(),
        },
        Formula::Constant(_) => formula.clone(),
        Formula::Not(inner) => multiples_of_one(inner).not(),
        Formula::All(parts) => Formula::all(parts.iter().map(multiples_of_one).collect::<Vec<_>>()),
        Formula::Any(parts) => Formula::any(parts.iter().map(multiples_of_one).collect::<Vec<_>>()),
        Formula::Exists(tracks, inner) => Formula::exists(tracks.clone(), multiples_of_one(inner)),
    }
}

fn between(number: &Linear, from: &Linear, of: &Linear) -> [Formula; 2] {
    [Formula::at_most(number, from), Formula::less(from, &plus(number, 1, of))]
}

/// Whether some parts that hold together say this, by the order of numbers.
fn parts_hold(parts: &[Formula], said: &Formula) -> bool {
    let mut order = Order::new();
    for part in parts {
        match part {
            Formula::Atom(atom) => order.take(atom, true),
            Formula::Not(inner) => matches!(&**inner, Formula::Atom(atom) if order.take(atom, false)),
            _ => false,
        };
    }
    let holds = |part: &Formula| match part {
        Formula::Constant(value) => *value,
        Formula::Atom(atom) => order.decides(atom) == Some(true),
        _ => false,
    };
    if let Formula::All(list) = said { list.iter().all(holds) } else { holds(said) }
}

fn plus(number: &Linear, times: i64, of: &Linear) -> Linear {
    number.plus(&BigInt::from(times), of)
}
