//! What a value may depend on: statistics of one number (digit sums, valuations, what is left without its zeros at the end,
//! primes) and of several (nim-sums, differences, quotients, common divisors, nim-products).
//!
//! All are formulas; where one has no value at some point, nothing is said of that point.

use crate::guess::formula::{Formula, Op, Word};

const BASES: std::ops::RangeInclusive<u32> = 2..=10;
/// Zeros at the end are taken away in bases up to this.
const STRIPPED: std::ops::RangeInclusive<u32> = 2..=5;
/// Of n with these added also what is left without the zeros at the end, the highest binary digit and the primes are looked at.
const NEAR: std::ops::RangeInclusive<i128> = -1..=1;

/// The statistics of n + shift.
pub(super) fn of_one(shift: i128) -> Vec<Formula> {
    let of = || Formula::Var(0).plus(shift);
    let digits = BASES.map(Word::DigitSum);
    let words = BASES.map(Word::Valuation).chain([Word::Length, Word::ZeckendorfSize, Word::ZeckendorfLast]);
    let mut found: Vec<Formula> = digits.chain(words).map(|word| of().under(word)).collect();
    if NEAR.contains(&shift) {
        found.extend(STRIPPED.map(|base| without_zeros(of(), base)));
        let highest = Formula::Int(2).op(Op::Pow, of().under(Word::Length).plus(-1));
        found.extend([of().op(Op::Sub, highest.clone()), highest]);
        let least = of().under(Word::LeastPrime);
        let primes = [Word::PrimeFactors, Word::DistinctPrimes, Word::Divisors].map(|word| of().under(word));
        let rest = of().op(Op::Div, least.clone());
        let greatest = of().under(Word::GreatestPrime);
        found.extend(primes.into_iter().chain([least.clone().under(Word::PrimesTo), least, greatest, rest]));
    }
    found
}

/// n without the zeros at the end of it in a base: its greatest divisor that the base does not divide, where that is prime.
fn without_zeros(of: Formula, base: u32) -> Formula {
    let power = Formula::Int(base.into()).op(Op::Pow, of.clone().under(Word::Valuation(base)));
    of.op(Op::Div, power)
}

/// The statistics of points with so many numbers; these themselves come first.
pub(super) fn of_point(variables: usize) -> Vec<Formula> {
    let all: Vec<Formula> = (0..variables).map(Formula::Var).collect();
    let mut found = all.clone();
    let joined = |chosen: &[Formula], op: Op| chosen.iter().cloned().reduce(|sum, one| sum.op(op, one));
    for choice in 1u32..1 << variables.min(6) {
        let chosen: Vec<Formula> =
            all.iter().zip(0..).filter(|(_, i)| choice >> i & 1 == 1).map(|(one, _)| one.clone()).collect();
        let (Some(sum), Some(nim)) = (joined(&chosen, Op::Add), joined(&chosen, Op::Xor)) else { continue };
        if chosen.len() < 2 {
            continue;
        }
        if chosen.len() > 2 {
            // What is carried when they are added.
            found.push(sum.clone().op(Op::Sub, nim.clone()).over(2));
        }
        found.extend([nim, sum]);
        if let [a, b] = &chosen[..] {
            found.extend(of_two(a, b));
        }
    }
    for (a, b) in all.iter().flat_map(|a| all.iter().map(move |b| (a, b))).filter(|(a, b)| a != b) {
        found.extend((0..=2).map(|c| a.clone().op(Op::Mod, b.clone().plus(c))));
        found.push(a.clone().op(Op::Div, b.clone()));
    }
    if variables > 1 {
        found.extend([Word::Min, Word::Max].map(|word| Formula::Call(word, all.clone())));
    }
    found
}

fn of_two(a: &Formula, b: &Formula) -> Vec<Formula> {
    let of = |word: Word| Formula::Call(word, vec![a.clone(), b.clone()]);
    let less = a.clone().op(Op::Sub, b.clone());
    let product = a.clone().op(Op::Mul, b.clone());
    let square = |of: &Formula| of.clone().op(Op::Mul, of.clone());
    let squares = square(a).op(Op::Sub, square(b)).under(Word::Abs);
    vec![
        less.clone().under(Word::Abs),
        less,
        a.clone().op(Op::Meet, b.clone()),
        a.clone().op(Op::Add, b.clone()).op(Op::Sub, a.clone().op(Op::Meet, b.clone())),
        of(Word::Gcd),
        product.clone().op(Op::Div, of(Word::Gcd)),
        a.clone().plus(1).op(Op::Mul, b.clone().plus(1)),
        of(Word::NimProduct),
        of(Word::Max).op(Op::Div, of(Word::Min)),
        of(Word::Max).op(Op::Mod, of(Word::Min)),
        // floor(|a / b - b / a|), the value of Euclid's game (Nivasch 2006).
        squares.op(Op::Div, product.clone()),
        product,
    ]
}
