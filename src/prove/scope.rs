//! Variables, what defines them, and what must hold so that a term has a value at all.

use super::facts::{Fact, Word};
use super::symbol::No;
use crate::check::model::Program;
use crate::logic::{Atom, Formula, Limit, Linear, System, Track, compile};
use num_bigint::BigInt;
use num_traits::{One, Signed};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Variables of one place, each determined by those around it.
#[derive(Default)]
struct Frame {
    tracks: Vec<Track>,
    /// For all values of the variables around, exactly one value of each variable here fits.
    definitions: Vec<Formula>,
    /// What must hold so that all terms here have a value.
    needs: Vec<Formula>,
    /// So many conditions of the path hold in all of it.
    path: usize,
}

/// Makes formulas out of terms.
pub(super) struct Scope<'p> {
    pub(super) program: &'p Program,
    /// Closed forms that may be used.
    pub(super) facts: Rc<Vec<Rc<Fact<'p>>>>,
    next: Track,
    frames: Vec<Frame>,
    /// What holds where the present term is evaluated.
    path: Vec<Formula>,
    /// How deep calls of definitions are nested.
    pub(super) depth: usize,
    /// How many terms were evaluated.
    steps: usize,
    /// The ways to write numbers whose digits are spoken of.
    pub(super) digits: BTreeSet<System>,
    /// The certified periods whose values are spoken of.
    pub(super) notes: BTreeSet<Rc<str>>,
}

/// The parts of a condition that speak of few sums.
fn simple_parts(condition: &Formula, simple: &mut Vec<Formula>) {
    fn sums(condition: &Formula) -> bool {
        match condition {
            Formula::Constant(_) => true,
            Formula::Atom(atom) => matches!(&**atom, Atom::Sum(sum, _) if sum.terms.len() < 5),
            Formula::Not(inner) => sums(inner),
            Formula::Any(parts) => parts.len() < 5 && parts.iter().all(sums),
            Formula::All(parts) => parts.iter().all(sums),
            Formula::Exists(..) => false,
        }
    }
    match condition {
        Formula::All(parts) => parts.iter().for_each(|part| simple_parts(part, simple)),
        _ if sums(condition) => simple.push(condition.clone()),
        _ => {}
    }
}

/// The way to write numbers in which all is said of digits that is said of them; base 2 if there is nothing.
pub(super) fn system(digits: &BTreeSet<System>) -> Result<System, No> {
    let mut all = digits.iter();
    match (all.next(), all.next()) {
        (None, _) => Ok(System::Binary),
        (Some(system), None) => Ok(*system),
        _ => {
            let words: Vec<String> = digits.iter().map(|system| system.word()).collect();
            Err(No::bare(format!("it speaks of digits in several ways at once: {}", words.join(", "))))
        }
    }
}

/// A multiple of a number that is written out.
fn times(factor: &BigInt, number: &Linear) -> Linear {
    Linear::default().plus(factor, number)
}

impl<'p> Scope<'p> {
    pub(super) fn new(program: &'p Program, facts: Rc<Vec<Rc<Fact<'p>>>>) -> Scope<'p> {
        Scope {
            program,
            facts,
            next: 0,
            frames: vec![Frame::default()],
            path: Vec::new(),
            depth: 0,
            steps: 0,
            digits: BTreeSet::new(),
            notes: BTreeSet::new(),
        }
    }

    /// Counts a term: definitions that call themselves can make very many of them.
    pub(super) fn step(&mut self) -> Result<(), No> {
        const MOST: usize = 100_000;
        self.steps += 1;
        if self.steps > MOST {
            return Err(No { limit: true, ..No::bare(format!("more than {MOST} terms")) });
        }
        Ok(())
    }

    /// A variable that nothing is said of yet.
    pub(super) fn free(&mut self) -> Track {
        self.next += 1;
        self.next - 1
    }

    /// A variable of the innermost place; its definition must follow.
    fn defined(&mut self) -> Track {
        let track = self.free();
        if let Some(frame) = self.frames.last_mut() {
            frame.tracks.push(track);
        }
        track
    }

    fn define(&mut self, definition: Formula) {
        // Equations apart, so that they can be solved.
        if let Formula::All(parts) = definition {
            for part in parts {
                self.define(part);
            }
            return;
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.definitions.push(definition);
        }
    }

    /// Says that this must hold here, or a term has no value.
    pub(super) fn need(&mut self, need: Formula) {
        let need = Formula::all(self.path.iter().cloned()).implies(need);
        if let (Some(frame), false) = (self.frames.last_mut(), matches!(need, Formula::Constant(true))) {
            frame.needs.push(need);
        }
    }

    /// From here on this holds wherever something is evaluated.
    pub(super) fn assume(&mut self, condition: Formula) {
        self.path.push(condition);
        if let Some(frame) = self.frames.last_mut() {
            frame.path = self.path.len();
        }
    }

    /// Evaluates something where more is known to hold.
    pub(super) fn under<T>(
        &mut self,
        condition: &Formula,
        inner: impl FnOnce(&mut Self) -> Result<T, No>,
    ) -> Result<T, No> {
        self.path.push(condition.clone());
        let result = inner(self);
        self.path.pop();
        result
    }

    /// A formula with variables of its own: bound, and what determines them said.
    pub(super) fn local(&mut self, inner: impl FnOnce(&mut Self) -> Result<Formula, No>) -> Result<Formula, No> {
        self.frames.push(Frame { path: self.path.len(), ..Frame::default() });
        let body = inner(self);
        let frame = self.frames.pop().unwrap_or_default();
        Ok(self.closed(frame, body?))
    }

    /// The same with a variable that runs over all numbers with a property, which `inner` gives with the rest.
    pub(super) fn some(&mut self, inner: impl FnOnce(&mut Self, Track) -> Result<Formula, No>) -> Result<Formula, No> {
        self.local(|scope| {
            let track = scope.defined();
            inner(scope, track)
        })
    }

    fn closed(&mut self, frame: Frame, body: Formula) -> Formula {
        let Frame { tracks, definitions, needs, .. } = frame;
        for need in needs {
            let used = need.free();
            let need = if tracks.iter().any(|track| used.contains(track)) {
                Formula::for_all(tracks.clone(), Formula::all(definitions.iter().cloned()).implies(need))
            } else {
                need
            };
            if let Some(outer) = self.frames.last_mut() {
                outer.needs.push(need);
            }
        }
        Formula::exists(tracks, Formula::all(definitions.into_iter().chain([body])))
    }

    /// All that was needed since it was last asked, where these conditions hold.
    pub(super) fn taken_needs(&mut self) -> Vec<Formula> {
        self.frames.last_mut().map(|frame| std::mem::take(&mut frame.needs)).unwrap_or_default()
    }

    /// The variable that is this number, where it is not negative.
    pub(super) fn track(&mut self, number: &Linear) -> Track {
        if let Some(track) = number.single() {
            return track;
        }
        let known = self.natural(number);
        let natural = Formula::at_most(&Linear::default(), number);
        let track = self.defined();
        let is = |value: &Linear| Formula::equal(&Linear::track(track), value);
        if known {
            self.define(is(number));
            return track;
        }
        self.need(natural.clone());
        let definition = Formula::any([
            Formula::all([natural.clone(), is(number)]),
            Formula::all([natural.not(), is(&Linear::default())]),
        ]);
        self.define(definition);
        track
    }

    /// Whether a number is known not to be negative: by its signs, or by what simple conditions say that hold in all of the
    /// innermost place. Conditions of a part of it, one branch of an `if`, do not count: a definition holds everywhere.
    fn natural(&mut self, number: &Linear) -> bool {
        if number.is_natural() {
            return true;
        }
        if number.constant().is_some() {
            return false;
        }
        // As much work as many terms.
        self.steps += 50;
        let limit = Limit { states: 2000, tests: 50_000, ..Limit::default() };
        let negative = Formula::less(number, &Linear::default());
        let mut simple = Vec::new();
        let all = self.frames.last().map_or(0, |frame| frame.path).min(self.path.len());
        for condition in self.path[..all].iter().rev() {
            simple_parts(condition, &mut simple);
        }
        let known = Formula::all(simple.into_iter().chain([negative]));
        compile(&known, System::Binary, &limit).is_ok_and(|automaton| automaton.is_empty())
    }

    /// `if condition then a else b`
    pub(super) fn choice(&mut self, condition: &Formula, a: &Linear, b: &Linear) -> Linear {
        match condition {
            Formula::Constant(true) => return a.clone(),
            Formula::Constant(false) => return b.clone(),
            _ if a == b => return a.clone(),
            _ => {}
        }
        let up = self.defined();
        let mut chosen = Linear::track(up);
        let mut sign = Formula::Constant(true);
        let natural = self.natural(a) && self.natural(b);
        if !natural {
            let down = self.defined();
            chosen = chosen.minus(&Linear::track(down));
            let zero = |track| Formula::equal(&Linear::track(track), &Linear::default());
            sign = Formula::any([zero(up), zero(down)]);
        }
        let definition = Formula::any([
            Formula::all([condition.clone(), Formula::equal(&chosen, a)]),
            Formula::all([condition.clone().not(), Formula::equal(&chosen, b)]),
        ]);
        self.define(Formula::all([sign, definition]));
        chosen
    }

    /// The greater of two numbers, or the lesser.
    pub(super) fn extreme(&mut self, a: &Linear, b: &Linear, greater: bool) -> Linear {
        let first = if greater { Formula::at_most(b, a) } else { Formula::at_most(a, b) };
        self.choice(&first, a, b)
    }

    /// `|a|`
    pub(super) fn absolute(&mut self, a: &Linear) -> Linear {
        if self.natural(a) {
            return a.clone();
        }
        let track = self.defined();
        let positive = Formula::at_most(&Linear::default(), a);
        let is = |value: &Linear| Formula::equal(&Linear::track(track), value);
        let negated = Linear::default().minus(a);
        let definition =
            Formula::any([Formula::all([positive.clone(), is(a)]), Formula::all([positive.not(), is(&negated)])]);
        self.define(definition);
        Linear::track(track)
    }

    /// `1` where a condition holds, else `0`.
    pub(super) fn truth_value(&mut self, condition: &Formula) -> Linear {
        self.choice(condition, &Linear::number(1), &Linear::number(0))
    }

    /// Quotient and remainder by a positive constant; the quotient only of numbers that are not negative.
    pub(super) fn divided(&mut self, number: &Linear, by: &BigInt, quotient: bool) -> Linear {
        if let Some(known) = number.constant() {
            let (q, r) = num_integer::Integer::div_mod_floor(known, by);
            return Linear::number(if quotient { q } else { r });
        }
        let r = self.defined();
        let rest = Linear::track(r);
        let small = Formula::less(&rest, &Linear::number(by.clone()));
        if !quotient {
            self.define(Formula::all([Formula::multiple(&number.minus(&rest), by), small]));
            return rest;
        }
        let q = self.defined();
        let whole = times(by, &Linear::track(q)).plus(&BigInt::one(), &rest);
        let exact = Formula::all([Formula::equal(number, &whole), small]);
        if self.natural(number) {
            self.define(exact);
            return Linear::track(q);
        }
        let natural = Formula::at_most(&Linear::default(), number);
        self.need(natural.clone());
        let none = Formula::equal(&Linear::track(q).plus(&BigInt::one(), &rest), &Linear::default());
        self.define(Formula::any([Formula::all([natural.clone(), exact]), Formula::all([natural.not(), none])]));
        Linear::track(q)
    }

    /// `a xor b` or `a & b`
    pub(super) fn bitwise(&mut self, a: &Linear, b: &Linear, xor: bool) -> Linear {
        if let (Some(x), Some(y)) = (a.constant(), b.constant())
            && !x.is_negative()
            && !y.is_negative()
        {
            return Linear::number(if xor { x ^ y } else { x & y });
        }
        if xor && a.constant() == Some(&BigInt::ZERO) {
            return b.clone();
        }
        if xor && b.constant() == Some(&BigInt::ZERO) {
            return a.clone();
        }
        self.digits.insert(System::Binary);
        let (x, y) = (self.track(a), self.track(b));
        let z = self.defined();
        self.define(Formula::atom(if xor { Atom::Xor(x, y, z) } else { Atom::Meet(x, y, z) }));
        Linear::track(z)
    }

    /// The number that an automaton accepts behind these, which are not negative; there must be exactly one.
    pub(super) fn image(&mut self, numbers: &[Linear], word: &Word) -> Linear {
        let mut tracks = self.read_by(numbers, word);
        let value = self.defined();
        tracks.push(value);
        self.define(Formula::atom(Atom::Word(word.automaton.clone(), tracks)));
        Linear::track(value)
    }

    fn read_by(&mut self, numbers: &[Linear], word: &Word) -> Vec<Track> {
        self.digits.insert(word.system);
        numbers.iter().map(|number| self.track(number)).collect()
    }

    /// `a * b`, when one of them is known.
    pub(super) fn product(a: &Linear, b: &Linear) -> Option<Linear> {
        match (a.constant(), b.constant()) {
            (Some(factor), _) => Some(times(factor, b)),
            (_, Some(factor)) => Some(times(factor, a)),
            _ => None,
        }
    }

    /// Whether `(a + b * sqrt(5)) / below >= 0`, for `below > 0`.
    ///
    /// With the golden ratio phi, `sqrt(5) = 2 phi - 1`; and `x <= y phi` says `x <= floor(y phi)`.
    pub(super) fn at_least_zero(&mut self, a: &Linear, b: &Linear) -> Result<Formula, No> {
        let zero = Linear::default();
        if b.terms.is_empty() && b.constant == BigInt::ZERO {
            return Ok(Formula::at_most(&zero, a));
        }
        let two = BigInt::from(2);
        let (mut x, mut y) = (b.minus(a), times(&two, b));
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
            // `x <= y phi` where y is not negative; else `-x >= -y phi`, which is `-x > floor(-y phi)`.
            let up = Formula::at_most(&zero, &y);
            let above = scope.below_multiple(&x, &y)?;
            let below = scope.below_multiple(&negative_x, &negative_y)?;
            Ok(Formula::any([Formula::all([up.clone(), above]), Formula::all([up.not(), below.not()])]))
        })
    }

    /// Whether `x <= floor(y phi)`; `y` is not negative where it matters.
    fn below_multiple(&mut self, x: &Linear, y: &Linear) -> Result<Formula, No> {
        let zero = Linear::default();
        if let Some(known) = y.constant() {
            // floor(y phi) = (y + floor(sqrt(5 y^2))) div 2
            let Some(known) = known.to_biguint() else { return Ok(Formula::Constant(false)) };
            let floor: num_bigint::BigUint = (&known + (num_bigint::BigUint::from(5u8) * &known * &known).sqrt()) / 2u8;
            return Ok(Formula::at_most(x, &Linear::number(BigInt::from(floor))));
        }
        self.digits.insert(System::Zeckendorf);
        // The digits of `floor(y phi) - 1` are those of `y - 1` one place higher.
        let one = Linear::number(1);
        let none = Formula::all([Formula::at_most(y, &zero), Formula::at_most(x, &zero)]);
        let some = self.some(|scope, before| {
            scope.some(|_, after| {
                Ok(Formula::all([
                    Formula::equal(&Linear::track(before), &y.minus(&one)),
                    Formula::atom(Atom::Shift(before, after)),
                    Formula::at_most(&x.minus(&one), &Linear::track(after)),
                ]))
            })
        })?;
        Ok(Formula::any([none, some]))
    }

    /// `floor` or `ceil` of `(a + b * sqrt(5)) / below`.
    pub(super) fn rounded(&mut self, a: &Linear, b: &Linear, below: &BigInt, up: bool) -> Result<Linear, No> {
        if up {
            if b.terms.is_empty() && b.constant == BigInt::ZERO {
                let raised = a.plus(&BigInt::one(), &Linear::number(below - BigInt::one()));
                return Ok(self.divided(&raised, below, true));
            }
            return Err(No::bare("`ceil` of an irrational number"));
        }
        if b.terms.is_empty() && b.constant == BigInt::ZERO {
            return Ok(self.divided(a, below, true));
        }
        let natural = self.at_least_zero(a, b)?;
        // Where both parts are natural, so is the sum.
        let natural = if self.natural(a) && self.natural(b) { Formula::Constant(true) } else { natural };
        self.need(natural.clone());
        let track = self.defined();
        let this = times(below, &Linear::track(track));
        let next = this.plus(&BigInt::one(), &Linear::number(below.clone()));
        let at_least = self.at_least_zero(&a.minus(&this), b)?;
        let less = self.at_least_zero(&a.minus(&next), b)?.not();
        let zero = Formula::equal(&Linear::track(track), &Linear::default());
        self.define(Formula::any([
            Formula::all([natural.clone(), at_least, less]),
            Formula::all([natural.not(), zero]),
        ]));
        Ok(Linear::track(track))
    }

    /// The least power of two that is greater than a number: `2^bits(number)`.
    pub(super) fn power_above(&mut self, number: &Linear) -> Track {
        self.digits.insert(System::Binary);
        let x = Linear::track(self.track(number));
        let power = self.defined();
        let p = Linear::track(power);
        let two = BigInt::from(2);
        let zero = Linear::default();
        self.define(Formula::all([
            Formula::atom(Atom::Place(power)),
            Formula::less(&x, &p),
            Formula::any([
                Formula::at_most(&p, &times(&two, &x)),
                Formula::all([Formula::equal(&x, &zero), Formula::equal(&p, &Linear::number(1))]),
            ]),
        ]));
        power
    }
}
