//! Arithmetic on variables and comparisons: each number that is made of others is a variable which they determine.
//!
//! Beside sums: multiples of the golden ratio, rounded down, and sums of digits, which an automaton follows.

use crate::logic::exponents::{Exponent, not_alike, odd_exponents};
use crate::logic::quotients::Quotient;
use crate::logic::scope::Made;
use crate::logic::symbol::{No, Real, Sym, all_there, odd, two_roots};
use crate::logic::term::{Env, real};
use crate::model::{CompareOp, Item, Term};
use crate::source::Span;
use grundy_automata::{Atom, Automaton, Formula, Limit, Linear, System, Table, Track};
use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::sync::Arc;

pub(crate) fn times(factor: &BigInt, number: &Linear) -> Linear {
    Linear::default().plus(factor, number)
}

impl<'p> crate::logic::scope::Scope<'p> {
    pub(crate) fn choice(&mut self, condition: &Formula, a: &Linear, b: &Linear) -> Linear {
        match condition {
            Formula::Constant(true) => return a.clone(),
            Formula::Constant(false) => return b.clone(),
            _ if a == b => return a.clone(),
            _ => {}
        }
        if self.natural(a) && self.natural(b) {
            return Linear::track(self.chosen(condition, a, b));
        }
        let (up, down) = (Linear::track(self.defined()), Linear::track(self.defined()));
        let chosen = up.minus(&down);
        let definition = Formula::either(condition, Formula::equal(&chosen, a), Formula::equal(&chosen, b));
        self.define(Formula::all([Formula::any([Formula::zero(&up), Formula::zero(&down)]), definition]));
        chosen
    }

    /// One of two numbers, which is natural where it is chosen.
    pub(crate) fn chosen(&mut self, condition: &Formula, a: &Linear, b: &Linear) -> Track {
        let track = self.defined();
        let is = |value: &Linear| Formula::equal(&Linear::track(track), value);
        self.define(Formula::either(condition, is(a), is(b)));
        track
    }

    pub(crate) fn extreme(&mut self, a: &Linear, b: &Linear, greater: bool) -> Linear {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let what = if greater { Made::Greater } else { Made::Less }(a.clone(), b.clone());
        self.once(what, |scope| {
            let first = if greater { Formula::at_most(b, a) } else { Formula::at_most(a, b) };
            scope.choice(&first, a, b)
        })
    }

    pub(crate) fn absolute(&mut self, a: &Linear) -> Linear {
        if self.natural(a) {
            return a.clone();
        }
        // `a` and `-a` are as far from 0.
        let negated = Linear::default().minus(a);
        let (a, b) = if *a <= negated { (a, &negated) } else { (&negated, a) };
        self.once(Made::Absolute(a.clone()), |scope| Linear::track(scope.chosen(&Formula::natural(a), a, b)))
    }

    pub(crate) fn truth_value(&mut self, condition: &Formula) -> Linear {
        self.choice(condition, &Linear::number(1), &Linear::number(0))
    }

    /// Quotient, rounded down, or remainder by a positive constant.
    pub(crate) fn divided(&mut self, number: &Linear, by: &BigInt, quotient: bool) -> Linear {
        if let Some(known) = number.constant() {
            let (q, r) = num_integer::Integer::div_mod_floor(known, by);
            return Linear::number(if quotient { q } else { r });
        }
        let what = if quotient { Made::Quotient } else { Made::Rest }(number.clone(), by.clone());
        self.once(what, |scope| scope.divided_now(number, by, quotient))
    }

    fn divided_now(&mut self, number: &Linear, by: &BigInt, quotient: bool) -> Linear {
        if quotient && !self.natural(number) {
            // Of a negative x it is `-((-x + by - 1) div by)`.
            let natural = Formula::natural(number);
            let zero = Linear::default();
            let up = Linear::track(self.chosen(&natural, number, &zero));
            let negated = Linear::number(by - BigInt::one()).minus(number);
            let down = Linear::track(self.chosen(&natural.not(), &negated, &zero));
            let (up, down) = (self.divided(&up, by, true), self.divided(&down, by, true));
            return up.minus(&down);
        }
        let rest = Linear::track(self.defined());
        let small = Formula::less(&rest, &Linear::number(by.clone()));
        if !quotient {
            self.define(Formula::all([Formula::multiple(&number.minus(&rest), by), small]));
            return rest;
        }
        let q = Linear::track(self.defined());
        let whole = times(by, &q).plus(&BigInt::one(), &rest);
        self.define(Formula::all([Formula::equal(number, &whole), small]));
        q
    }

    pub(crate) fn bitwise(&mut self, a: &Linear, b: &Linear, xor: bool) -> Linear {
        if let (Some(x), Some(y)) = (a.constant(), b.constant())
            && !x.is_negative()
            && !y.is_negative()
        {
            return Linear::number(if xor { x ^ y } else { x & y });
        }
        for (zero, other) in [(a, b), (b, a)] {
            if xor && *zero == Linear::default() {
                // Of negative numbers it has no value.
                if !self.natural(other) {
                    self.need(Formula::natural(other));
                }
                return other.clone();
            }
        }
        self.digits.insert(System::Binary);
        let (x, y) = (self.track(a), self.track(b));
        let z = self.defined();
        self.define(Formula::atom(if xor { Atom::Xor(x, y, z) } else { Atom::Meet(x, y, z) }));
        Linear::track(z)
    }

    /// The number that an automaton accepts behind these, which are not negative; there must be exactly one.
    pub(crate) fn image(&mut self, numbers: &[Linear], word: &Arc<Automaton>, system: System) -> Linear {
        self.digits.insert(system);
        let mut tracks: Vec<Track> = numbers.iter().map(|number| self.track(number)).collect();
        let value = self.defined();
        tracks.push(value);
        self.define(Formula::atom(Atom::Word(word.clone(), tracks)));
        Linear::track(value)
    }

    /// `a * b`, when one of them is known.
    pub(crate) fn product(a: &Linear, b: &Linear) -> Option<Linear> {
        match (a.constant(), b.constant()) {
            (Some(factor), _) => Some(times(factor, b)),
            (_, Some(factor)) => Some(times(factor, a)),
            _ => None,
        }
    }

    /// The greatest or the least of the parts of a number in the system of Zeckendorf; the number must not be 0.
    pub(crate) fn end_part(&mut self, number: &Linear, greatest: bool) -> Linear {
        self.digits.insert(System::ZECKENDORF);
        let whole = self.track(number);
        let none = Formula::zero(&Linear::track(whole));
        self.need(none.clone().not());
        let what = if greatest { Made::GreatestPart } else { Made::LeastPart }(whole);
        self.once(what, |scope| {
            let (end, other) = (Linear::track(scope.defined()), scope.free());
            let part = |track| Formula::atom(Atom::Part(track, whole));
            let beside = Linear::track(other);
            let further = if greatest { Formula::less(&end, &beside) } else { Formula::less(&beside, &end) };
            let last = Formula::exists(vec![other], Formula::all([part(other), further])).not();
            let is = end.single().map_or(Formula::Constant(false), part);
            scope.define(Formula::either(&none, Formula::zero(&end), Formula::all([is, last])));
            end
        })
    }

    /// The parts of a number up to one of them, together: its digits up to that place.
    pub(crate) fn parts_up_to(&mut self, number: &Linear, part: Track) -> Result<Linear, No> {
        self.digits.insert(System::ZECKENDORF);
        // It reads the part, the number and the result: both are the same up to the part, and behind it the result is 0.
        let row = |to: [usize; 8]| to.to_vec();
        let states =
            vec![(false, row([0, 2, 2, 2, 2, 2, 0, 1])), (true, row([1, 2, 1, 2, 2, 2, 2, 2])), (false, row([2; 8]))];
        let word = Table { reads: 3, states }.automaton(System::ZECKENDORF, &Limit::default())?;
        let whole = self.track(number);
        let low = self.defined();
        let is = Formula::atom(Atom::Word(Arc::new(word), vec![part, whole, low]));
        let none = Formula::all([Formula::atom(Atom::Part(part, whole)).not(), Formula::zero(&Linear::track(low))]);
        self.define(Formula::any([is, none]));
        Ok(Linear::track(low))
    }

    /// Whether a number is at least 0.
    ///
    /// With `alpha` of its root [`Quadratic`], `k sqrt(root) = 2 alpha + t - 2`; and `x <= y alpha` says `x <= floor(y alpha)`.
    fn at_least_zero(&mut self, a: &Linear, b: &Linear, root: u32) -> Result<Formula, No> {
        let zero = Linear::default();
        if *b == Linear::default() {
            return Ok(Formula::at_most(&zero, a));
        }
        let quadratic = Quadratic::all().find(|quadratic| quadratic.root == root);
        let quadratic = quadratic.ok_or_else(|| No::bare("an irrational number"))?;
        let two = BigInt::from(2);
        let (mut x, mut y) = (times(&BigInt::from(2 - i64::from(quadratic.times)), b), times(&two, b));
        x = x.minus(&times(&BigInt::from(quadratic.factor), a));
        let all = x.terms.values().chain(y.terms.values()).chain([&x.constant, &y.constant]);
        let common = all.fold(BigInt::ZERO, |gcd, number| num_integer::Integer::gcd(&gcd, number));
        if common > BigInt::one() {
            for number in [&mut x, &mut y] {
                number.terms.values_mut().for_each(|multiple| *multiple /= &common);
                number.constant /= &common;
            }
        }
        let (negative_x, negative_y) = (zero.minus(&x), zero.minus(&y));
        self.local(|scope| {
            // `x <= y alpha` where y is not negative; else `-x >= -y alpha`, which is `-x > floor(-y alpha)`.
            let up = Formula::at_most(&zero, &y);
            let above = scope.below_multiple(&x, &y, quadratic)?;
            let below = scope.below_multiple(&negative_x, &negative_y, quadratic)?;
            Ok(Formula::either(&up, above, below.not()))
        })
    }

    /// Whether `x <= floor(y alpha)`; `y` is not negative where it matters.
    fn below_multiple(&mut self, x: &Linear, y: &Linear, of: Quadratic) -> Result<Formula, No> {
        if let Some(known) = y.constant() {
            let floor = Linear::number(of.floor(known));
            return Ok(if known.is_negative() { Formula::Constant(false) } else { Formula::at_most(x, &floor) });
        }
        self.some(|scope, floor| {
            Ok(Formula::all([scope.is_floor(floor, y, of)?, Formula::at_most(x, &Linear::track(floor))]))
        })
    }

    /// Whether a number is `floor(y alpha)`; `y` is not negative where it matters.
    fn is_floor(&mut self, track: Track, y: &Linear, of: Quadratic) -> Result<Formula, No> {
        let floor = Linear::track(track);
        if let Some(known) = y.constant() {
            return Ok(Formula::equal(&floor, &Linear::number(of.floor(known))));
        }
        let system = System::Surd(of.times);
        self.digits.insert(system);
        let none = Formula::all([Formula::zero(y), Formula::zero(&floor)]);
        let some = if of.times == 1 {
            // The digits of `floor(y phi) - 1` are those of `y - 1` one place higher.
            let one = Linear::number(1);
            self.some(|scope, low| {
                scope.some(|_, high| {
                    Ok(Formula::all([
                        Formula::equal(&Linear::track(low), &y.minus(&one)),
                        Formula::atom(Atom::Shift(low, high)),
                        Formula::equal(&floor.minus(&one), &Linear::track(high)),
                    ]))
                })
            })
        } else {
            // The digits of `floor(y alpha) + t y` are those of `floor(y alpha)` one place higher, and these end in an even number of
            // zeros (Fraenkel, How to beat your Wythoff games' opponent on three fronts, 1982).
            let even = ends_in_even_zeros(system)?;
            self.some(|_, high| {
                Ok(Formula::all([
                    Formula::atom(Atom::Word(even, vec![track])),
                    Formula::atom(Atom::Shift(track, high)),
                    Formula::equal(&Linear::track(high), &floor.plus(&BigInt::from(of.times), y)),
                ]))
            })
        };
        Ok(Formula::any([none, some?]))
    }

    /// `floor` or `ceil` of a number.
    pub(crate) fn rounded(&mut self, number: &Real, up: bool) -> Result<Linear, No> {
        let Real { a, b, below, root } = number;
        if *b == Linear::default() {
            let raised = a.plus(&BigInt::one(), &Linear::number(below - BigInt::one()));
            return Ok(self.divided(if up { &raised } else { a }, below, true));
        }
        if up {
            // One more than the floor, unless the number is whole.
            let floor = self.rounded(number, false)?;
            let whole = Formula::all([Formula::zero(b), Formula::zero(&a.minus(&times(below, &floor)))]);
            let natural = Formula::natural(&floor);
            self.need(natural.clone());
            let track = self.defined();
            let more = Linear::track(track).minus(&floor);
            let is = Formula::either(&whole, Formula::zero(&more), Formula::zero(&more.minus(&Linear::number(1))));
            self.define(Formula::either(&natural, is, Formula::zero(&Linear::track(track))));
            return Ok(Linear::track(track));
        }
        if let Some((whole, multiple, quadratic)) = Quadratic::multiple(number) {
            let known = self.natural(&multiple);
            if known || whole == Linear::default() {
                let natural = if known { Formula::Constant(true) } else { Formula::natural(&multiple) };
                self.need(natural.clone());
                let floor = self.defined();
                let is = self.is_floor(floor, &multiple, quadratic)?;
                self.define(Formula::either(&natural, is, Formula::zero(&Linear::track(floor))));
                return Ok(whole.plus(&BigInt::one(), &Linear::track(floor)));
            }
        }
        let natural = self.at_least_zero(a, b, *root)?;
        // Where both parts are natural, so is the sum.
        let natural = if self.natural(a) && self.natural(b) { Formula::Constant(true) } else { natural };
        self.need(natural.clone());
        let track = self.defined();
        let this = times(below, &Linear::track(track));
        let next = this.plus(&BigInt::one(), &Linear::number(below.clone()));
        let at_least = self.at_least_zero(&a.minus(&this), b, *root)?;
        let less = self.at_least_zero(&a.minus(&next), b, *root)?.not();
        let zero = Formula::zero(&Linear::track(track));
        self.define(Formula::either(&natural, Formula::all([at_least, less]), zero));
        Ok(Linear::track(track))
    }

    /// What the sum and a constant leave modulo a number.
    pub(crate) fn sum_modulo(
        &mut self,
        of: &Linear,
        weights: Weights,
        plus: &BigInt,
        by: &BigInt,
        span: Span,
    ) -> Result<Sym, No> {
        let by = by.to_usize().filter(|by| (1..=MODULUS).contains(by));
        let by = by.ok_or_else(|| No::at(span, format!("a digit sum modulo a number that is not in 1..{MODULUS}")))?;
        let plus = num_integer::Integer::mod_floor(plus, &BigInt::from(by)).to_usize().unwrap_or_default();
        let table = weights.remainders(by, plus);
        let (word, system) = made(table)?;
        Ok(Sym::Int(self.image(std::slice::from_ref(of), &word, system)))
    }

    /// Whether a tuple is one of those that are written out.
    pub(crate) fn among(
        &mut self,
        op: CompareOp,
        tuple: &Sym,
        items: &'p [Item],
        env: &Env<'p>,
    ) -> Result<Formula, No> {
        let mut some = Vec::new();
        for item in items {
            if item.spread {
                return Err(odd(item.term.span));
            }
            let value = self.eval(&item.term, env)?;
            some.push(self.equal(tuple, &value, item.term.span)?);
        }
        let some = Formula::any(some);
        Ok(if op == CompareOp::In { some } else { some.not() })
    }

    pub(crate) fn compare(&mut self, op: CompareOp, a: &Sym, b: &Sym, term: &Term) -> Result<Formula, No> {
        if let Some(compared) = Exponent::compared(op, a, b).or_else(|| Quotient::compared(op, a, b)) {
            return Ok(compared);
        }
        // Whether `a >= b`, and whether that or its opposite is asked.
        let (a, b, asked) = match op {
            CompareOp::In => return self.member(a, b, term.span),
            CompareOp::NotIn => return Ok(self.member(a, b, term.span)?.not()),
            CompareOp::Eq => return self.equal(a, b, term.span),
            CompareOp::Ne => return Ok(self.equal(a, b, term.span)?.not()),
            CompareOp::Ge => (a, b, true),
            CompareOp::Lt => (a, b, false),
            CompareOp::Le => (b, a, true),
            CompareOp::Gt => (b, a, false),
        };
        match (a, b) {
            (Sym::DigitSum(..), Sym::Int(least)) => return self.below(a, least, 0, !asked, term),
            (Sym::Int(most), Sym::DigitSum(..)) => return self.below(b, most, 1, asked, term),
            _ => {}
        }
        let (Some(x), Some(y)) = (real(a), real(b)) else { return Err(odd_exponents(a, b, term)) };
        let ([a, b], root) = x.minus(&y).ok_or_else(|| two_roots(term.span))?;
        let holds = self.at_least_zero(&a, &b, root)?;
        Ok(if asked { holds } else { holds.not() })
    }

    /// Whether a number of digits 1 or of parts is below a constant and so much, or not: it is one of the few numbers that are.
    fn below(&mut self, counted: &Sym, than: &Linear, more: i64, asked: bool, term: &Term) -> Result<Formula, No> {
        let than = than.constant().map(|than| if than.is_negative() { Some(-1) } else { than.to_i64() });
        let than = than.flatten().filter(|than| *than <= MOST_NUMBERS).ok_or_else(|| {
            No::at(term.span, format!("how many digits or parts, beside a variable or a number above {GREATEST}"))
        })?;
        let mut some = Vec::new();
        for number in 0..than + more {
            some.push(self.equal(counted, &Sym::number(number), term.span)?);
        }
        let some = Formula::any(some);
        Ok(if asked { some } else { some.not() })
    }

    pub(crate) fn equal(&mut self, a: &Sym, b: &Sym, span: Span) -> Result<Formula, No> {
        if let Some(equal) = Exponent::compared(CompareOp::Eq, a, b).or_else(|| Quotient::compared(CompareOp::Eq, a, b))
        {
            return Ok(equal);
        }
        match (a, b) {
            (Sym::Int(a), Sym::Int(b)) => Ok(Formula::equal(a, b)),
            (Sym::Bool(a), Sym::Bool(b)) => Ok(a.clone().iff(b.clone())),
            (Sym::Text(a), Sym::Text(b)) => Ok(Formula::Constant(a == b)),
            (Sym::DigitSum(of, weights, plus), Sym::Int(count))
            | (Sym::Int(count), Sym::DigitSum(of, weights, plus)) => match (count.constant(), weights) {
                (Some(count), _) => self.summed(of, *weights, &(count - plus), span),
                (None, Weights::Fibonacci) => Err(No::at(span, "how many parts a number has, beside a variable")),
                (None, Weights::Digits(_)) => Err(No::at(span, "a digit sum, beside a variable")),
            },
            (Sym::Parts(of), Sym::List(items)) if items.is_empty() => Ok(Formula::zero(of)),
            (Sym::Bag(a), Sym::Bag(b)) => match (all_there(a), all_there(b)) {
                (Some(a), Some(b)) => self.equal_in_some_order(&a, &b, span),
                _ => Err(odd(span)),
            },
            (Sym::Real(_), Sym::Int(_) | Sym::Real(_)) | (Sym::Int(_), Sym::Real(_)) => {
                let (Some(x), Some(y)) = (real(a), real(b)) else { return Err(odd(span)) };
                // The square root is irrational: `a + b s == 0` where both are 0.
                let [a, b] = x.minus(&y).ok_or_else(|| two_roots(span))?.0;
                Ok(Formula::all([Formula::zero(&a), Formula::zero(&b)]))
            }
            _ => match (a.items(), b.items()) {
                (Some(a), Some(b)) if a.len() == b.len() => {
                    let parts: Result<Vec<Formula>, No> =
                        a.iter().zip(&b).map(|(a, b)| self.equal(a, b, span)).collect();
                    Ok(Formula::all(parts?))
                }
                (Some(_), Some(_)) => Ok(Formula::Constant(false)),
                _ => Err(not_alike(a, b, span).unwrap_or_else(|| odd(span))),
            },
        }
    }

    /// Whether these are the same items, each as often.
    fn equal_in_some_order(&mut self, a: &[Sym], b: &[Sym], span: Span) -> Result<Formula, No> {
        /// So many items have 120 orders.
        const MOST: usize = 5;
        if a.len() > MOST {
            return Err(No::at(span, format!("whether bags of more than {MOST} are equal")));
        }
        let Some((first, rest)) = a.split_first() else { return Ok(Formula::Constant(b.is_empty())) };
        if a.len() != b.len() {
            return Ok(Formula::Constant(false));
        }
        let mut some = Vec::new();
        for at in 0..b.len() {
            let others = [&b[..at], &b[at + 1..]].concat();
            let same = self.equal(first, &b[at], span)?;
            some.push(Formula::all([same, self.equal_in_some_order(rest, &others, span)?]));
        }
        Ok(Formula::any(some))
    }

    fn summed(&mut self, of: &Linear, weights: Weights, sum: &BigInt, span: Span) -> Result<Formula, No> {
        if sum.is_negative() {
            return Ok(Formula::Constant(false));
        }
        let sum = sum.to_usize().filter(|sum| *sum <= GREATEST);
        let sum = sum.ok_or_else(|| No::at(span, format!("a digit sum compared with a number above {GREATEST}")))?;
        let (word, system) = made(weights.sums(sum))?;
        self.digits.insert(system);
        self.local(|scope| Ok(Formula::atom(Atom::Word(word, vec![scope.track(of)]))))
    }
}

/// At most so many equalities say that a sum is less than a number.
const MOST_NUMBERS: i64 = 64;

/// Sums are compared with numbers up to this.
pub(crate) const GREATEST: usize = 64;
/// They are taken modulo numbers up to this.
const MODULUS: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Weights {
    Digits(u8),
    /// 1 for each Fibonacci number.
    Fibonacci,
}

impl Weights {
    /// How many digits are read apart at a place, how many such places make a digit that counts, and how numbers are read.
    fn places(self) -> Option<(usize, usize, System)> {
        Some(match self {
            Weights::Digits(base) if base.is_power_of_two() => (2, usize::try_from(base.ilog2()).ok()?, System::Binary),
            Weights::Digits(base) => (usize::from(base), 1, System::base(base)?),
            Weights::Fibonacci => (2, 1, System::ZECKENDORF),
        })
    }

    /// The automaton that accepts a number beside what its sum and a constant leave modulo a number.
    fn remainders(self, by: usize, plus: usize) -> Option<(Table, System)> {
        let (size, width, system) = self.places()?;
        // What the places are worth, as far as a remainder may have digits.
        let mut worth = vec![1, if self == Weights::Fibonacci { 2 } else { size }];
        while worth[worth.len() - 1] < by {
            let [.., a, b] = worth[..] else { return None };
            worth.push(if self == Weights::Fibonacci { a + b } else { b * size });
        }
        // The sum so far, the place in its digit, the remainder so far, and how many of its places were read.
        let table = Table::explore(2, (0, 0, 0, 0), usize::MAX, |&(sum, at, read, place)| {
            let next = |letter: usize| {
                let digit = worth.get(place).map_or(if letter < size { 0 } else { by }, |worth| letter / size * worth);
                let sum = (sum + ((letter % size) << at)) % by;
                // A remainder that is too large stays so.
                (sum, (at + 1) % width, (read + digit).min(by), (place + 1).min(worth.len()))
            };
            Some((read == (sum + plus) % by, (0..size * size).map(next).collect()))
        })?;
        Some((table, system))
    }

    /// The automaton that accepts numbers whose sum is this.
    fn sums(self, wanted: usize) -> Option<(Table, System)> {
        let (size, width, system) = self.places()?;
        // The last sum is for all that is more.
        let next =
            |sum: usize, at: usize, digit: usize| (sum + (digit << at)).min(wanted + 1) * width + (at + 1) % width;
        let row = |sum: usize, at: usize| (0..size).map(|digit| next(sum, at, digit)).collect();
        let all = (0..wanted + 2).flat_map(|sum| (0..width).map(move |at| (sum, at)));
        let states = all.map(|(sum, at)| (sum == wanted, row(sum, at))).collect();
        Some((Table { reads: 1, states }, system))
    }
}

/// The numbers `alpha = [1; t, t, ..] = (2 - t + sqrt(t^2 + 4)) / 2`, where `t^2 + 4 = factor^2 root`: the golden ratio, the square root of 2, ..
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quadratic {
    times: u8,
    factor: u8,
    pub(crate) root: u32,
}

impl Quadratic {
    /// Those whose automata are small, one for each root.
    pub(crate) fn all() -> impl Iterator<Item = Quadratic> + Clone {
        [(1, 1, 5), (2, 2, 2), (3, 1, 13)].into_iter().map(|(times, factor, root)| Quadratic { times, factor, root })
    }

    /// `x + y alpha`, where a number is that with whole multiples of its terms.
    fn multiple(number: &Real) -> Option<(Linear, Linear, Quadratic)> {
        let quadratic = Quadratic::all().find(|quadratic| quadratic.root == number.root)?;
        let below = &number.below * quadratic.factor;
        let over = |sum: Linear| {
            let whole = sum.terms.values().chain([&sum.constant]).all(|number| (number % &below).is_zero());
            let mut sum = sum;
            sum.terms.values_mut().chain([&mut sum.constant]).for_each(|number| *number /= &below);
            whole.then_some(sum)
        };
        let x = times(&BigInt::from(quadratic.factor), &number.a);
        let x = x.plus(&BigInt::from(i64::from(quadratic.times) - 2), &number.b);
        Some((over(x)?, over(times(&BigInt::from(2), &number.b))?, quadratic))
    }

    /// `floor(y alpha)`, for a natural number.
    fn floor(self, y: &BigInt) -> BigInt {
        let times = i64::from(self.times);
        // The root of a whole number may be rounded down before the half of a sum is.
        num_integer::Integer::div_floor(&(y * (2 - times) + (y * y * (times * times + 4)).sqrt()), &BigInt::from(2))
    }
}

/// Numbers whose lowest digits are an even number of zeros; 0 is none.
fn ends_in_even_zeros(system: System) -> Result<Arc<Automaton>, No> {
    let row =
        |zero: usize, other: usize| (0..system.size()).map(|digit| if digit == 0 { zero } else { other }).collect();
    // So far there are evenly many zeros, oddly many; the lowest other digit came after evenly many, or after oddly many.
    let states = vec![(false, row(1, 2)), (false, row(0, 3)), (true, row(2, 2)), (false, row(3, 3))];
    Ok(Arc::new(Table { reads: 1, states }.automaton(system, &Limit::default())?))
}

fn made(table: Option<(Table, System)>) -> Result<(Arc<Automaton>, System), No> {
    let (table, system) = table.ok_or_else(|| No::bare("too many digits"))?;
    Ok((Arc::new(table.automaton(system, &Limit::default())?), system))
}
