//! First-order formulas about natural numbers.

use crate::automaton::{Automaton, Track};
use num_bigint::BigInt;
use num_traits::Zero;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A sum of multiples of variables and a constant, over all integers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Linear {
    /// Multiples, none of them 0.
    pub terms: BTreeMap<Track, BigInt>,
    /// The constant.
    pub constant: BigInt,
}

impl Linear {
    /// A constant.
    pub fn number(number: impl Into<BigInt>) -> Linear {
        Linear { terms: BTreeMap::new(), constant: number.into() }
    }

    /// A variable.
    pub fn track(track: Track) -> Linear {
        Linear { terms: BTreeMap::from([(track, BigInt::from(1))]), constant: BigInt::ZERO }
    }

    /// `self + factor * other`
    pub fn plus(&self, factor: &BigInt, other: &Linear) -> Linear {
        let mut sum = self.clone();
        for (&track, multiple) in &other.terms {
            let entry = sum.terms.entry(track).or_default();
            *entry += factor * multiple;
            if entry.is_zero() {
                sum.terms.remove(&track);
            }
        }
        sum.constant += factor * &other.constant;
        sum
    }

    /// `self - other`
    pub fn minus(&self, other: &Linear) -> Linear {
        self.plus(&BigInt::from(-1), other)
    }

    /// The same with a sum for a variable.
    pub fn with(&self, track: Track, sum: &Linear) -> Linear {
        let mut rest = self.clone();
        let multiple = rest.terms.remove(&track).unwrap_or_default();
        rest.plus(&multiple, sum)
    }

    /// The variable, if it is one.
    pub fn single(&self) -> Option<Track> {
        let (&track, multiple) = self.terms.iter().next()?;
        (self.terms.len() == 1 && *multiple == BigInt::from(1) && self.constant.is_zero()).then_some(track)
    }

    /// Whether it is negative for no values of the variables, by its signs alone.
    pub fn is_natural(&self) -> bool {
        self.constant >= BigInt::ZERO && self.terms.values().all(|multiple| *multiple > BigInt::ZERO)
    }

    /// The number, if no variable is left.
    pub fn constant(&self) -> Option<&BigInt> {
        self.terms.is_empty().then_some(&self.constant)
    }
}

/// How a sum compares with 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sense {
    /// `== 0`
    Zero,
    /// `<= 0`
    AtMostZero,
}

/// What is said of some variables.
#[derive(Clone, Debug)]
pub enum Atom {
    /// A sum compared with 0.
    Sum(Linear, Sense),
    /// A sum is a multiple of a number, which is at least 1.
    Multiple(Linear, BigInt),
    /// A sum is a natural multiple of another, and neither is negative: only in formulas that are made wider before they are decided
    /// ([`without_multiples`](crate::without_multiples)).
    Times(Linear, Linear),
    /// `(p, x, y)`: p is x rounded down to a multiple of y, or 0 where x is negative or y is not positive; likewise.
    Rounded(Track, Linear, Linear),
    /// `z == x xor y`, as `(x, y, z)`; base 2 only.
    Xor(Track, Track, Track),
    /// `z == x & y`, as `(x, y, z)`; base 2 only.
    Meet(Track, Track, Track),
    /// A power of two, or a Fibonacci number.
    Place(Track),
    /// `(p, x)`: p is a place, and its digit in x is 1.
    Part(Track, Track),
    /// `(x, y)`: the digits of y are those of x, one place higher.
    Shift(Track, Track),
    /// The digits of these variables are a word of an automaton, whose tracks are `0, 1, ..` in this order.
    Word(Arc<Automaton>, Vec<Track>),
}

/// A formula. Bound variables are numbered apart from each other and from free ones.
#[derive(Clone, Debug)]
pub enum Formula {
    /// Always, or never.
    Constant(bool),
    /// See there.
    Atom(Arc<Atom>),
    /// Not.
    Not(Arc<Formula>),
    /// All of these.
    All(Vec<Formula>),
    /// One of these, or more.
    Any(Vec<Formula>),
    /// For some numbers.
    Exists(Vec<Track>, Arc<Formula>),
}

impl Formula {
    /// An atom.
    pub fn atom(atom: Atom) -> Formula {
        Formula::Atom(Arc::new(atom))
    }

    /// `a == b`
    pub fn equal(a: &Linear, b: &Linear) -> Formula {
        Formula::sum(a.minus(b), Sense::Zero)
    }

    /// `a <= b`
    pub fn at_most(a: &Linear, b: &Linear) -> Formula {
        Formula::sum(a.minus(b), Sense::AtMostZero)
    }

    /// `a < b`
    pub fn less(a: &Linear, b: &Linear) -> Formula {
        Formula::at_most(&a.plus(&BigInt::from(1), &Linear::number(1)), b)
    }

    /// `a == 0`
    pub fn zero(a: &Linear) -> Formula {
        Formula::sum(a.clone(), Sense::Zero)
    }

    /// `0 <= a`
    pub fn natural(a: &Linear) -> Formula {
        Formula::at_most(&Linear::default(), a)
    }

    /// `if condition then a else b`
    pub fn either(condition: &Formula, a: Formula, b: Formula) -> Formula {
        Formula::any([Formula::all([condition.clone(), a]), Formula::all([condition.clone().not(), b])])
    }

    fn sum(sum: Linear, sense: Sense) -> Formula {
        let zero = BigInt::ZERO;
        if let Some(constant) = sum.constant() {
            return Formula::Constant(if sense == Sense::Zero { *constant == zero } else { *constant <= zero });
        }
        // Where all variables are on one side, their signs may decide.
        let low = sum.terms.values().all(|m| *m > zero) && sum.constant > zero;
        let high = sum.terms.values().all(|m| *m < zero) && sum.constant <= zero;
        match sense {
            _ if low => Formula::Constant(false),
            Sense::AtMostZero if high => Formula::Constant(true),
            Sense::Zero if high && sum.constant < zero => Formula::Constant(false),
            _ => Formula::atom(Atom::Sum(sum, sense)),
        }
    }

    /// Whether a sum is a multiple of a number, which is at least 1.
    pub fn multiple(sum: &Linear, of: &BigInt) -> Formula {
        // Only remainders matter.
        let rest = |number: &BigInt| num_integer::Integer::mod_floor(number, of);
        let mut reduced = Linear::number(rest(&sum.constant));
        for (&track, multiple) in &sum.terms {
            reduced = reduced.plus(&rest(multiple), &Linear::track(track));
        }
        match reduced.constant() {
            Some(constant) => Formula::Constant(constant.is_zero()),
            None => Formula::atom(Atom::Multiple(reduced, of.clone())),
        }
    }

    /// Not this.
    #[must_use]
    #[allow(clippy::should_implement_trait)] // it simplifies, as the other connectives here do
    pub fn not(self) -> Formula {
        match self {
            Formula::Constant(value) => Formula::Constant(!value),
            Formula::Not(inner) => Arc::unwrap_or_clone(inner),
            other => Formula::Not(Arc::new(other)),
        }
    }

    /// All of these.
    pub fn all(parts: impl IntoIterator<Item = Formula>) -> Formula {
        Formula::joined(parts, true)
    }

    /// One of these.
    pub fn any(parts: impl IntoIterator<Item = Formula>) -> Formula {
        Formula::joined(parts, false)
    }

    fn joined(parts: impl IntoIterator<Item = Formula>, all: bool) -> Formula {
        let mut kept = Vec::new();
        for part in parts {
            match part {
                Formula::Constant(value) if value == all => {}
                Formula::Constant(_) => return part,
                Formula::All(inner) if all => kept.extend(inner),
                Formula::Any(inner) if !all => kept.extend(inner),
                other => kept.push(other),
            }
        }
        match kept.len() {
            0 => Formula::Constant(all),
            1 => kept.remove(0),
            _ if all => Formula::All(kept),
            _ => Formula::Any(kept),
        }
    }

    /// `self` implies `other`.
    #[must_use]
    pub fn implies(self, other: Formula) -> Formula {
        Formula::any([self.not(), other])
    }

    /// Both or none.
    #[must_use]
    pub fn iff(self, other: Formula) -> Formula {
        match (self, other) {
            (Formula::Constant(value), other) | (other, Formula::Constant(value)) => {
                if value {
                    other
                } else {
                    other.not()
                }
            }
            (a, b) => Formula::any([Formula::all([a.clone(), b.clone()]), Formula::all([a.not(), b.not()])]),
        }
    }

    /// For some numbers.
    pub fn exists(tracks: Vec<Track>, inner: Formula) -> Formula {
        if tracks.is_empty() || matches!(inner, Formula::Constant(_)) {
            return inner;
        }
        Formula::Exists(tracks, Arc::new(inner))
    }

    /// For all numbers.
    pub fn for_all(tracks: Vec<Track>, inner: Formula) -> Formula {
        Formula::exists(tracks, inner.not()).not()
    }

    /// Whether a variable stands anywhere in it, bound or not.
    pub fn mentions(&self, track: Track) -> bool {
        match self {
            Formula::Constant(_) => false,
            Formula::Atom(atom) => atom.tracks().contains(&track),
            Formula::Not(inner) => inner.mentions(track),
            Formula::All(parts) | Formula::Any(parts) => parts.iter().any(|part| part.mentions(track)),
            Formula::Exists(bound, inner) => bound.contains(&track) || inner.mentions(track),
        }
    }

    /// Whether a variable stands in sums only.
    pub fn only_in_sums(&self, track: Track) -> bool {
        match self {
            Formula::Constant(_) => true,
            Formula::Atom(atom) => match &**atom {
                Atom::Sum(..) | Atom::Multiple(..) | Atom::Times(..) => true,
                Atom::Rounded(number, ..) => *number != track,
                _ => !atom.tracks().contains(&track),
            },
            Formula::Not(inner) | Formula::Exists(_, inner) => inner.only_in_sums(track),
            Formula::All(parts) | Formula::Any(parts) => parts.iter().all(|part| part.only_in_sums(track)),
        }
    }

    /// The same with a sum for a variable, which must not be negative; where the variable stands in other atoms, `sum` must be
    /// a variable.
    pub fn with(&self, track: Track, sum: &Linear) -> Formula {
        match self {
            Formula::Constant(_) => self.clone(),
            Formula::Atom(atom) => atom.with(track, sum),
            Formula::Not(inner) => inner.with(track, sum).not(),
            Formula::All(parts) => Formula::all(parts.iter().map(|part| part.with(track, sum))),
            Formula::Any(parts) => Formula::any(parts.iter().map(|part| part.with(track, sum))),
            // There it is another variable.
            Formula::Exists(bound, _) if bound.contains(&track) => self.clone(),
            Formula::Exists(bound, inner) => Formula::exists(bound.clone(), inner.with(track, sum)),
        }
    }

    /// The variables that are not bound.
    pub fn free(&self) -> BTreeSet<Track> {
        match self {
            Formula::Constant(_) => BTreeSet::new(),
            Formula::Atom(atom) => atom.tracks(),
            Formula::Not(inner) => inner.free(),
            Formula::All(parts) | Formula::Any(parts) => parts.iter().flat_map(Formula::free).collect(),
            Formula::Exists(bound, inner) => {
                let mut free = inner.free();
                for track in bound {
                    free.remove(track);
                }
                free
            }
        }
    }
}

impl Atom {
    fn with(&self, track: Track, sum: &Linear) -> Formula {
        if !self.tracks().contains(&track) {
            return Formula::atom(self.clone());
        }
        let other = sum.terms.keys().next().copied().unwrap_or(track);
        let at = |old: Track| if old == track { other } else { old };
        Formula::atom(match self {
            Atom::Sum(old, sense) => return Formula::sum(old.with(track, sum), *sense),
            Atom::Multiple(old, of) => return Formula::multiple(&old.with(track, sum), of),
            Atom::Times(old, of) => Atom::Times(old.with(track, sum), of.with(track, sum)),
            Atom::Rounded(p, old, of) => Atom::Rounded(at(*p), old.with(track, sum), of.with(track, sum)),
            Atom::Xor(x, y, z) => Atom::Xor(at(*x), at(*y), at(*z)),
            Atom::Meet(x, y, z) => Atom::Meet(at(*x), at(*y), at(*z)),
            Atom::Place(x) => Atom::Place(at(*x)),
            Atom::Part(p, x) => Atom::Part(at(*p), at(*x)),
            Atom::Shift(x, y) => Atom::Shift(at(*x), at(*y)),
            Atom::Word(word, tracks) => Atom::Word(word.clone(), tracks.iter().map(|&x| at(x)).collect()),
        })
    }

    /// Its variables.
    pub fn tracks(&self) -> BTreeSet<Track> {
        match self {
            Atom::Sum(sum, _) | Atom::Multiple(sum, _) => sum.terms.keys().copied().collect(),
            Atom::Times(sum, of) => sum.terms.keys().chain(of.terms.keys()).copied().collect(),
            Atom::Rounded(p, sum, of) => sum.terms.keys().chain(of.terms.keys()).chain([p]).copied().collect(),
            Atom::Xor(x, y, z) | Atom::Meet(x, y, z) => BTreeSet::from([*x, *y, *z]),
            Atom::Place(x) => BTreeSet::from([*x]),
            Atom::Part(x, y) | Atom::Shift(x, y) => BTreeSet::from([*x, *y]),
            Atom::Word(_, tracks) => tracks.iter().copied().collect(),
        }
    }
}
