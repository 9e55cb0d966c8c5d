//! Exponents: how many digits a number has, how often a base divides it, and the variables of `3 ** i`. An automaton cannot hold an exponent
//! as a number, for it grows by one where the digits grow by a place; so the power stands for it: exponents of one base compare as their
//! powers do (Büchi, Weak second-order arithmetic and finite automata, 1960; Bruyère, Hansel, Michaux, Villemaire, Logic and p-recognizable
//! sets of integers, 1994).

use crate::logic::numbers::times;
use crate::logic::quotients::odd_quotients;
use crate::logic::scope::Scope;
use crate::logic::symbol::{No, Sym, odd};
use crate::model::{CompareOp, Term};
use crate::source::Span;
use grundy_automata::{Atom, Formula, Limit, Linear, System, Table};
use num_bigint::BigInt;
use num_traits::{One, Pow, ToPrimitive};
use std::sync::Arc;

/// The exponent of a power of a base, and a constant more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Exponent {
    pub(crate) base: u8,
    pub(crate) power: Linear,
    pub(crate) shift: i64,
}

/// Constants beside exponents are nearer to 0.
const FAR: i64 = 1000;

/// How a base is written: how many places of the system are one of its digits, and the system. It is a power of a number from 2 to 16.
fn written(base: u8) -> Option<(usize, System)> {
    (2..=16).find_map(|root: u8| {
        let width = (1..8).find(|width| root.checked_pow(*width) == Some(base))?;
        Some((usize::try_from(width).ok()?, System::base(root)?))
    })
}

/// What was read of a power, and of a number beside it, from the lowest digits on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Read {
    /// Nothing but zeros; whether these are no digit yet, and how many places of a digit there are.
    Zeros(bool, usize),
    /// The digit 1 of the power: so many places of the digit of the number beside it, whether one of them is not 0, and whether it is the
    /// lowest digit.
    One(usize, bool, bool),
    /// Whether the number beside it is 0, so that nothing may follow.
    Behind(bool),
    Never,
}

impl Read {
    fn next(self, width: usize, power: usize, other: Option<usize>) -> Read {
        let digit = other.unwrap_or(0);
        match (self, power) {
            (Read::Zeros(_, at), 0) if digit == 0 => Read::Zeros(false, (at + 1) % width),
            (Read::Zeros(lowest, 0), 1) => Read::One(1, digit != 0, lowest).ended(width, other.is_some()),
            (Read::One(at, some, lowest), 0) => {
                Read::One(at + 1, some || digit != 0, lowest).ended(width, other.is_some())
            }
            (Read::Behind(zero), 0) if !zero || digit == 0 => self,
            _ => Read::Never,
        }
    }

    /// The same where a digit has been read whole.
    fn ended(self, width: usize, beside: bool) -> Read {
        match self {
            Read::One(at, some, lowest) if at == width => match (beside, some, lowest) {
                (true, false, false) => Read::Never,
                (beside, some, _) => Read::Behind(beside && !some),
            },
            read => read,
        }
    }

    fn accepts(self, beside: bool) -> bool {
        match self {
            Read::Zeros(..) | Read::Never => false,
            // All above is 0.
            Read::One(_, some, lowest) => !beside || some || lowest,
            Read::Behind(_) => true,
        }
    }
}

/// The automaton that accepts the powers of a base; with `beside` pairs of a number and the greatest power that divides it, and (0, 1).
fn powers(base: u8, beside: bool) -> Option<(Table, System)> {
    let (width, system) = written(base)?;
    let size = usize::from(system.size());
    let reads = if beside { 2 } else { 1 };
    let table = Table::explore(reads, Read::Zeros(true, 0), usize::MAX, |&read| {
        let next = |letter: usize| {
            let (power, other) = if beside { (letter / size, Some(letter % size)) } else { (letter, None) };
            read.next(width, power, other)
        };
        Some((read.accepts(beside), (0..size.pow(reads.try_into().ok()?)).map(next).collect()))
    })?;
    Some((table, system))
}

impl Exponent {
    /// The exponent that this power has.
    pub(crate) fn of(base: u8, power: Linear) -> Exponent {
        Exponent { base, power, shift: 0 }
    }

    /// A constant as an exponent.
    fn constant(base: u8, number: &Linear) -> Option<Exponent> {
        let shift = number.constant()?.to_i64().filter(|shift| shift.abs() < FAR)?;
        Some(Exponent { base, power: Linear::number(1), shift })
    }

    /// A value as an exponent of a base, if it is one or a constant.
    fn read(base: u8, value: &Sym) -> Option<Exponent> {
        match value {
            Sym::Exponent(exponent) => (exponent.base == base).then(|| exponent.clone()),
            Sym::Int(number) => Exponent::constant(base, number),
            _ => None,
        }
    }

    /// Two values as exponents of one base; `None`: neither is an exponent, or one is something else.
    pub(crate) fn both(a: &Sym, b: &Sym) -> Option<(Exponent, Exponent)> {
        let ((Sym::Exponent(Exponent { base, .. }), _) | (_, Sym::Exponent(Exponent { base, .. }))) = (a, b) else {
            return None;
        };
        Some((Exponent::read(*base, a)?, Exponent::read(*base, b)?))
    }

    /// How two exponents compare, or an exponent and a constant; `None`: they are something else.
    pub(crate) fn compared(op: CompareOp, a: &Sym, b: &Sym) -> Option<Formula> {
        let (a, b) = Exponent::both(a, b)?;
        let least = a.shift.min(b.shift);
        let (a, b) = (a.from(least), b.from(least));
        Some(match op {
            CompareOp::Eq => Formula::equal(&a, &b),
            CompareOp::Ne => Formula::equal(&a, &b).not(),
            CompareOp::Lt => Formula::less(&a, &b),
            CompareOp::Le => Formula::at_most(&a, &b),
            CompareOp::Gt => Formula::less(&b, &a),
            CompareOp::Ge => Formula::at_most(&b, &a),
            CompareOp::In | CompareOp::NotIn => return None,
        })
    }

    /// The power of the exponent less a constant that is at most its own.
    fn from(&self, least: i64) -> Linear {
        let places = u32::try_from(self.shift - least).unwrap_or_default();
        times(&BigInt::from(self.base).pow(places), &self.power)
    }

    /// `exponent + more`, for a constant.
    pub(crate) fn moved(&self, more: &Linear, add: bool, span: Span) -> Result<Sym, No> {
        let more = more.constant().and_then(ToPrimitive::to_i64).filter(|more| more.abs() < FAR);
        let moved = more.map(|more| if add { self.shift + more } else { self.shift - more });
        let moved = moved.filter(|shift| shift.abs() < FAR).ok_or_else(|| as_number(span))?;
        Ok(Sym::Exponent(Exponent { shift: moved, ..self.clone() }))
    }

    /// The refusal, with the base for whose exponent this would have to be taken.
    fn of_base(&self, base: Option<u8>, no: No) -> No {
        let base = base.filter(|base| written(*base).is_some());
        No { exponent: self.power.single().zip(base), ..no }
    }

    /// `factor * exponent`: twice an exponent of base 4 is one of base 2.
    pub(crate) fn multiplied(&self, factor: &Linear, span: Span) -> Result<Sym, No> {
        let factor = factor.constant().and_then(ToPrimitive::to_u32).filter(|factor| (1..8).contains(factor));
        let raised = factor.and_then(|factor| self.base.checked_pow(factor));
        let root = factor
            .and_then(|factor| Some((factor, (2..=self.base).find(|b| b.checked_pow(factor) == Some(self.base))?)));
        let (factor, base) = root.ok_or_else(|| self.of_base(raised, as_number(span)))?;
        let shift = self.shift * i64::from(factor);
        Ok(Sym::Exponent(Exponent { base, power: self.power.clone(), shift }))
    }
}

/// Where an exponent is known to be at most a number, by its power alone, and where it is known to be greater. Up to 3 both are exact.
/// Beyond, as `b^(t + 1) >= b^j (1 + (t + 1 - j)(b - 1))` for all j (a power grows by `b^j (b - 1)` at least from j on), an exponent whose
/// power is less than that is at most t: for those j for which automata stay small.
fn near(base: u8, power: &Linear, most: &Linear) -> (Formula, Formula) {
    const EXACT: u32 = 3;
    const STEEP: u32 = 16;
    let of = |exponent: u32| BigInt::from(base).pow(exponent);
    let next = most.plus(&BigInt::one(), &Linear::number(1));
    let (mut near, mut beyond) = (Vec::new(), vec![Formula::natural(most).not()]);
    for exponent in 0..=EXACT {
        let here = Formula::equal(most, &Linear::number(exponent));
        let small = Formula::at_most(power, &Linear::number(of(exponent)));
        near.push(Formula::all([here.clone(), small.clone()]));
        beyond.push(Formula::all([here, small.not()]));
    }
    let far = Formula::less(&Linear::number(EXACT), most);
    let steep = |j: &u32| *j == 0 || of(*j) * (base - 1) <= BigInt::from(STEEP);
    for j in (0..=EXACT).take_while(steep) {
        let steps = Linear::number(1).plus(&BigInt::from(base - 1), &next.minus(&Linear::number(j)));
        near.push(Formula::all([far.clone(), Formula::less(power, &times(&of(j), &steps))]));
    }
    (Formula::any(near), Formula::any(beyond))
}

/// How two Grundy values compare, which are numbers or exponents.
pub(crate) fn values_compared(op: CompareOp, a: &Sym, b: &Sym) -> Result<Formula, No> {
    match (a, b) {
        (Sym::Int(a), Sym::Int(b)) => Ok(match op {
            CompareOp::Eq => Formula::equal(a, b),
            CompareOp::Lt => Formula::less(a, b),
            _ => Formula::at_most(a, b),
        }),
        _ => Exponent::compared(op, a, b).ok_or_else(|| {
            No::bare("a value that is an exponent, beside one that is a number or an exponent of another base")
        }),
    }
}

fn as_number(span: Span) -> No {
    No::at(
        span,
        "how many digits a number has, how often a number divides it, or a variable exponent, as a number: automata cannot add or compare it to \
         other numbers",
    )
}

/// Why a term with these values has no form, if one of them is an exponent.
pub(crate) fn odd_exponents(a: &Sym, b: &Sym, term: &Term) -> No {
    not_alike(a, b, term.span).or_else(|| odd_quotients(a, b, term)).unwrap_or_else(|| odd(term.span))
}

/// The same of two values of which one is an exponent and the other is none of its base; `None`: neither is an exponent.
pub(crate) fn not_alike(a: &Sym, b: &Sym, span: Span) -> Option<No> {
    match (a, b) {
        // The other may be an exponent, too.
        (Sym::Exponent(exponent), Sym::Int(other)) | (Sym::Int(other), Sym::Exponent(exponent)) => {
            let track = other.terms.keys().next().filter(|_| other.terms.len() == 1);
            Some(No { exponent: track.map(|track| (*track, exponent.base)), ..as_number(span) })
        }
        (Sym::Exponent(..), _) | (_, Sym::Exponent(..)) => Some(as_number(span)),
        _ => None,
    }
}

impl Scope<'_> {
    /// Whether a number is a power of a base.
    pub(crate) fn is_power(&mut self, base: u8, number: &Linear) -> Result<Formula, No> {
        let (system, word) = if base == 2 {
            (System::Binary, None)
        } else {
            let (table, system) = powers(base, false).ok_or_else(|| No::bare("digits in a base beyond 16"))?;
            (system, Some(Arc::new(table.automaton(system, &Limit::default())?)))
        };
        self.digits.insert(system);
        let natural = Formula::natural(number);
        let is = self.under(&natural, |scope| {
            scope.local(|scope| {
                let track = scope.track(number);
                Ok(Formula::atom(match &word {
                    None => Atom::Place(track),
                    Some(word) => Atom::Word(word.clone(), vec![track]),
                }))
            })
        })?;
        Ok(Formula::all([natural, is]))
    }

    /// Whether a value is one of a variable of `nat`: a natural number, or an exponent of a power.
    pub(crate) fn variable(&mut self, value: &Sym) -> Result<Formula, No> {
        match value {
            Sym::Int(number) => Ok(Formula::natural(number)),
            Sym::Exponent(exponent) => self.is_power(exponent.base, &exponent.power),
            _ => Ok(Formula::Constant(true)),
        }
    }

    /// The least power of a base that is greater than a natural number: of 2 it is `2^bits(number)`.
    pub(crate) fn power_above(&mut self, base: u8, number: &Linear) -> Result<Linear, No> {
        let x = Linear::track(self.track(number));
        let power = Linear::track(self.defined());
        let is = self.is_power(base, &power)?;
        self.define(Formula::all([
            is,
            Formula::less(&x, &power),
            Formula::any([
                Formula::at_most(&power, &times(&BigInt::from(base), &x)),
                Formula::all([Formula::zero(&x), Formula::equal(&power, &Linear::number(1))]),
            ]),
        ]));
        Ok(power)
    }

    /// The greatest power of a base that divides a number, which must not be 0.
    pub(crate) fn lowest_place(&mut self, base: u8, of: &Linear) -> Result<Linear, No> {
        self.need(Formula::at_most(&Linear::number(1), of));
        let (table, system) = powers(base, true).ok_or_else(|| No::bare("digits in a base beyond 16"))?;
        let word = Arc::new(table.automaton(system, &Limit::default())?);
        Ok(self.image(std::slice::from_ref(of), &word, system))
    }

    /// The power of an exponent, which must be whole.
    pub(crate) fn power(&mut self, exponent: &Exponent) -> Linear {
        let by = BigInt::from(exponent.base).pow(u32::try_from(exponent.shift.unsigned_abs()).unwrap_or_default());
        if exponent.shift >= 0 {
            return times(&by, &exponent.power);
        }
        self.need(Formula::at_most(&Linear::number(by.clone()), &exponent.power));
        self.divided(&exponent.power, &by, true)
    }

    /// `base ** exponent`; of another base than its own it is a power only where the exponent is taken for one of that base.
    pub(crate) fn raised(&mut self, base: &BigInt, exponent: &Exponent, span: Span) -> Result<Linear, No> {
        if *base == BigInt::from(exponent.base) {
            return Ok(self.power(exponent));
        }
        Err(exponent.of_base(base.to_u8(), No::at(span, "one exponent of powers of different bases")))
    }

    /// The refusal of a power with a variable for an exponent: which variable would have to be one of which base.
    pub(crate) fn no_power(base: &BigInt, exponent: &Linear, span: Span) -> No {
        let no = No::at(span, "a power of a variable");
        let mut terms = exponent.terms.iter();
        let (Some((track, factor)), None) = (terms.next(), terms.next()) else { return no };
        let base = factor.to_u32().filter(|factor| (1..8).contains(factor)).map(|factor| Pow::pow(base, factor));
        let base = base.and_then(|base| base.to_u8()).filter(|base| written(*base).is_some());
        No { exponent: base.map(|base| (*track, base)), ..no }
    }

    /// The remainder of an exponent: b to the power e leaves b to the power e mod m, divided by one less than b to the power m.
    pub(crate) fn exponent_modulo(&mut self, exponent: &Exponent, by: &BigInt, span: Span) -> Result<Sym, No> {
        const MOST: u32 = 1000;
        let by = by.to_u32().filter(|by| *by > 0);
        let whole = by.and_then(|by| u32::from(exponent.base).checked_pow(by)).filter(|power| *power <= MOST);
        let (Some(by), Some(whole)) = (by, whole) else {
            return Err(No::at(
                span,
                format!("an exponent modulo a number that is not positive or too large: powers above {MOST}"),
            ));
        };
        let left = match by {
            1 => Linear::default(),
            _ => self.divided(&exponent.power, &BigInt::from(whole - 1), false),
        };
        let mut value = Linear::default();
        for rest in 0..by {
            let holds = Formula::equal(&left, &Linear::number(BigInt::from(exponent.base).pow(rest)));
            let holds = self.truth_value(&holds);
            value = value.plus(&BigInt::from((i64::from(rest) + exponent.shift).rem_euclid(by.into())), &holds);
        }
        Ok(Sym::Int(value))
    }

    /// One of two numbers, or of two exponents of a base.
    pub(crate) fn value_of_two(&mut self, condition: &Formula, a: &Sym, b: &Sym) -> Option<Sym> {
        if let (Sym::Int(a), Sym::Int(b)) = (a, b) {
            return Some(Sym::Int(self.choice(condition, a, b)));
        }
        let (a, b) = Exponent::both(a, b)?;
        let shift = a.shift.min(b.shift);
        let power = self.choice(condition, &a.from(shift), &b.from(shift));
        Some(Sym::Exponent(Exponent { base: a.base, power, shift }))
    }

    /// A variable for a smaller Grundy value than this, and that it is one.
    pub(crate) fn smaller(&mut self, value: &Sym) -> Result<(Sym, Formula), No> {
        let track = Linear::track(self.defined());
        let (smaller, one) = match value {
            Sym::Exponent(Exponent { base, .. }) => {
                let is = self.is_power(*base, &track)?;
                (Sym::Exponent(Exponent::of(*base, track)), is)
            }
            _ => (Sym::Int(track), Formula::Constant(true)),
        };
        let less = values_compared(CompareOp::Lt, &smaller, value)?;
        Ok((smaller, Formula::all([one, less])))
    }

    /// Whether an exponent is in a range of exponents or constants.
    pub(crate) fn exponent_between(
        &mut self,
        exponent: &Exponent,
        range: [&Sym; 2],
        span: Span,
    ) -> Result<Formula, No> {
        let value = Sym::Exponent(exponent.clone());
        let [from, to] = range.map(|end| Exponent::read(exponent.base, end).map(Sym::Exponent));
        let (Some(from), Some(to)) = (from, to) else { return Err(No::at(span, "a range of exponents")) };
        let compared = |a: &Sym, b: &Sym| Exponent::compared(CompareOp::Le, a, b).ok_or_else(|| odd(span));
        // Members are variables, which are never negative.
        self.need(compared(&Sym::number(0), &from)?);
        let is = self.is_power(exponent.base, &exponent.power)?;
        Ok(Formula::all([is, compared(&from, &value)?, compared(&value, &to)?]))
    }

    /// Whether some number of a range, taken for an exponent of a base, makes the body true. Nothing but the body bounds it so that an
    /// automaton could see it, for `i <= n` cannot be said of the power and n. But it follows where the power is [`near`]; and that the
    /// body is true of none of which it stays open is needed.
    pub(crate) fn some_exponent(
        &mut self,
        base: u8,
        [from, to]: [&Sym; 2],
        span: Span,
        body: &mut dyn FnMut(&mut Self, Sym) -> Result<Formula, No>,
    ) -> Result<Formula, No> {
        let least = match from {
            Sym::Int(from) => Exponent::constant(base, from).filter(|least| least.shift >= 0),
            _ => None,
        };
        let least = least.map(Sym::Exponent).ok_or_else(|| No::at(span, "a range of exponents"))?;
        self.some(|scope, track| {
            let power = Linear::track(track);
            let member = Sym::Exponent(Exponent::of(base, power.clone()));
            if let Some(to) = Exponent::read(base, to) {
                let inside = scope.exponent_between(&Exponent::of(base, power), [from, &Sym::Exponent(to)], span)?;
                let inner = scope.under(&inside, |scope| body(scope, member))?;
                return Ok(Formula::all([inside, inner]));
            }
            let (near, beyond) = match to {
                Sym::Int(to) => near(base, &power, to),
                // The same exponent of a smaller base has a smaller power.
                Sym::Exponent(to) if to.base < base => {
                    let power = Sym::Exponent(Exponent::of(to.base, power.clone()));
                    let near = Exponent::compared(CompareOp::Le, &power, &Sym::Exponent(to.clone()));
                    (near.ok_or_else(|| odd(span))?, Formula::Constant(false))
                }
                _ => return Err(No::at(span, "a range of exponents")),
            };
            let is = scope.is_power(base, &power)?;
            let from = Exponent::compared(CompareOp::Le, &least, &member).ok_or_else(|| odd(span))?;
            let inside = Formula::all([is, from]);
            let inner = scope.under(&inside, |scope| body(scope, member))?;
            let open = Formula::all([inside.clone(), Formula::any([near, beyond.clone()]).not()]);
            scope.need(open.implies(inner.clone().not()));
            Ok(Formula::all([inside, beyond.not(), inner]))
        })
    }
}
