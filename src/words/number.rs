//! Words about numbers; primes, factors and divisors, exact; the product of nimbers.

use crate::model::{BinaryOp, Builtin};
use crate::source::Code;
use crate::value::{Deopt, Fault, Halt, Run, Surd, Value, excerpt, in_items, iterate, too_big, wanted, width};
use crate::words::folded;
use crate::words::operator::{binary, checked_size, negate};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::Ratio;
use num_traits::{CheckedAdd, One, Signed, ToPrimitive, Zero};
use std::ops::Sub;
use std::sync::OnceLock;

/// An int that must be at least `least`: R01 otherwise.
pub(super) fn at_least<'a>(n: &'a Value, least: i64, what: &str) -> Result<std::borrow::Cow<'a, BigInt>, Fault> {
    let int = n.to_big()?;
    if *int < BigInt::from(least) {
        return Err(Fault::new(Code::R01, format!("{what} is at least {least}, not {}", excerpt(n))));
    }
    Ok(int)
}

pub(super) fn extremum(max: bool, args: &[Value]) -> Result<Value, Fault> {
    if let [Value::Range(from, to)] = args
        && from <= to
    {
        return Ok(Value::Int(if max { *to } else { *from }));
    }
    let found = match (args, max) {
        ([Value::Set(items) | Value::Bag(items)], true) => items.item(items.len().wrapping_sub(1)),
        ([Value::Set(items) | Value::Bag(items)], false) => items.item(0),
        (_, true) => folded(args)?.max(),
        (_, false) => folded(args)?.min(),
    };
    found.ok_or_else(|| {
        let word = if max { "greatest" } else { "least" };
        Fault::new(Code::R02, format!("there is no {word} member of nothing"))
    })
}

pub(super) fn gcd_lcm(lcm: bool, args: &[Value]) -> Result<Value, Fault> {
    let items = folded(args)?;
    let mut result = if lcm { Value::Int(1) } else { Value::Int(0) };
    for item in items {
        result = match (&result, &item) {
            (Value::Int(a), Value::Int(b)) if !lcm && *a != i64::MIN && *b != i64::MIN => Value::Int(a.gcd(b)),
            _ if lcm => checked_size(result.to_big()?.lcm(&*item.to_big()?))?,
            _ => Value::int(result.to_big()?.gcd(&*item.to_big()?)),
        };
    }
    Ok(result)
}

pub(super) fn abs(n: &Value) -> Result<Value, Fault> {
    if matches!(n, Value::Int(n) if *n >= 0) {
        Ok(n.clone())
    } else if Surd::of(n)?.cmp_zero().is_lt() {
        negate(n)
    } else {
        Ok(n.clone())
    }
}

pub(super) fn sign(n: &Value) -> Result<Value, Fault> {
    Ok(Value::Int(match n {
        Value::Int(n) => n.signum(),
        _ => Surd::of(n)?.cmp_zero() as i64,
    }))
}

/// `floor`, `ceil`
pub(super) fn floor(up: bool, r: &Value) -> Result<Value, Fault> {
    match r {
        // A real is no int, so that it has one above.
        Value::Real(surd) => Ok(Value::int(surd.floor() + i32::from(up))),
        _ => r.to_big().map(|_| r.clone()),
    }
}

/// Primes are listed up to this: some 2.6 * 10^7.
const MOST_LISTED: i64 = 500_000_000;

/// Words about numbers that fit 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberWord {
    /// The greatest common divisor.
    Gcd,
    /// `a ** b`
    Power,
    /// Whether binary place `b` of `a` is set.
    Bit,
    /// The number of binary places; the second number is not looked at.
    Bits,
    /// How often `b` divides `a`.
    Valuation,
    /// -1, 0 or 1; the second number is not looked at.
    Sign,
    /// `a`, of which digits in base `b` may be asked.
    OfDigits,
    /// `a`, of which Fibonacci numbers may be parts; the second number is not looked at.
    OfParts,
    /// `a`, which may be taken apart into factors; the second number is not looked at.
    OfFactors,
    /// The greatest Fibonacci number up to `a`, which is at least 1; the second number is not looked at.
    GreatestPart,
    /// The least prime factor of `a`, which is at least 2 and has none below `b`.
    LeastFactor,
    /// Whether `a` is one of the divisors of `b`.
    InDivisors,
    /// Whether `a` is one of the primes up to `b`.
    InPrimes,
}

impl NumberWord {
    /// The word with the meaning of a built-in one of one or two ints.
    pub(crate) fn named(word: Builtin) -> Option<NumberWord> {
        Some(match word {
            Builtin::Bit => NumberWord::Bit,
            Builtin::Bits => NumberWord::Bits,
            Builtin::Valuation => NumberWord::Valuation,
            Builtin::Sign => NumberWord::Sign,
            _ => return None,
        })
    }

    /// Whether a number is one of those that a built-in word gives for another.
    pub(crate) fn member_of(word: Builtin) -> Option<NumberWord> {
        match word {
            Builtin::Divisors => Some(NumberWord::InDivisors),
            Builtin::Primes => Some(NumberWord::InPrimes),
            _ => None,
        }
    }

    /// Whether its value is a truth value.
    pub(crate) fn is_bool(self) -> bool {
        matches!(self, NumberWord::Bit | NumberWord::InDivisors | NumberWord::InPrimes)
    }

    /// Its value; `None`: it is not defined, or does not fit. `i64::MIN` is never a value.
    pub(crate) fn of(self, a: i64, b: i64) -> Option<i64> {
        let value = match self {
            NumberWord::Gcd if a != i64::MIN && b != i64::MIN => a.gcd(&b),
            NumberWord::Power => a.checked_pow(u32::try_from(b).ok()?)?,
            NumberWord::Bit if a >= 0 && b >= 0 => {
                if b < 63 {
                    a >> b & 1
                } else {
                    0
                }
            }
            NumberWord::Bits if a >= 0 => i64::from(i64::BITS - a.leading_zeros()),
            NumberWord::Sign => a.signum(),
            NumberWord::Valuation if a >= 1 && b >= 2 => {
                let (mut rest, mut times) = (a, 0);
                while rest % b == 0 {
                    rest /= b;
                    times += 1;
                }
                times
            }
            NumberWord::OfDigits if a >= 0 && b >= 2 => a,
            NumberWord::OfParts if a >= 0 => a,
            NumberWord::OfFactors if a >= 1 => a,
            NumberWord::GreatestPart if a >= 1 => greatest_part(a),
            NumberWord::LeastFactor if a >= 2 => least_factor(a, b)?,
            NumberWord::InDivisors if b >= 1 => i64::from(a >= 1 && b % a == 0),
            NumberWord::InPrimes if b <= MOST_LISTED => {
                i64::from(a <= b && u64::try_from(a).is_ok_and(is_listed_prime))
            }
            _ => return None,
        };
        (value != i64::MIN).then_some(value)
    }

    /// What the word gives where [`NumberWord::of`] has no value: a fault, or a number that does not fit.
    pub(crate) fn fault(self, a: i64, b: i64) -> Run<i64> {
        let [a, b] = [a, b].map(Value::Int);
        let value = match self {
            NumberWord::Gcd => gcd_lcm(false, &[a, b]),
            NumberWord::Power => binary(BinaryOp::Pow, &a, &b),
            NumberWord::Bit => bit(&a, &b),
            NumberWord::Bits => bits(&a),
            NumberWord::Sign => sign(&a),
            NumberWord::Valuation => valuation(&a, &b),
            NumberWord::OfDigits => digits(&a, &b),
            NumberWord::OfParts | NumberWord::GreatestPart => zeckendorf(&a),
            NumberWord::OfFactors | NumberWord::LeastFactor => prime_factors(&a),
            NumberWord::InDivisors => divisors(&b),
            NumberWord::InPrimes => primes(&b),
        };
        match value? {
            Value::Int(n) => Ok(n),
            _ => Err(Halt::Deopt(Deopt::IntOverflow)),
        }
    }

    /// The least and greatest value, where that is known.
    pub(crate) fn range(self) -> Option<(i64, i64)> {
        match self {
            NumberWord::Bit | NumberWord::InDivisors | NumberWord::InPrimes => Some((0, 1)),
            NumberWord::Bits | NumberWord::Valuation => Some((0, 64)),
            NumberWord::Sign => Some((-1, 1)),
            NumberWord::Gcd | NumberWord::OfDigits | NumberWord::OfParts => Some((0, i64::MAX)),
            NumberWord::OfFactors | NumberWord::GreatestPart => Some((1, i64::MAX)),
            NumberWord::LeastFactor => Some((2, i64::MAX)),
            NumberWord::Power => None,
        }
    }

    /// The address of a function of two words that gives the value; `i64::MIN` where there is none.
    pub(crate) fn address(self) -> *const u8 {
        macro_rules! function {
            ($word:ident) => {{
                extern "C" fn call(a: i64, b: i64) -> i64 {
                    NumberWord::$word.of(a, b).unwrap_or(i64::MIN)
                }
                call as *const u8
            }};
        }
        match self {
            NumberWord::Gcd => function!(Gcd),
            NumberWord::Power => function!(Power),
            NumberWord::Bit => function!(Bit),
            NumberWord::Bits => function!(Bits),
            NumberWord::Valuation => function!(Valuation),
            NumberWord::Sign => function!(Sign),
            NumberWord::OfDigits => function!(OfDigits),
            NumberWord::OfParts => function!(OfParts),
            NumberWord::OfFactors => function!(OfFactors),
            NumberWord::GreatestPart => function!(GreatestPart),
            NumberWord::LeastFactor => function!(LeastFactor),
            NumberWord::InDivisors => function!(InDivisors),
            NumberWord::InPrimes => function!(InPrimes),
        }
    }
}

/// The greatest Fibonacci number up to a number that is at least 1.
fn greatest_part(n: i64) -> i64 {
    /// Those that fit a word: 1, 2, 3, 5, ..
    const FIBONACCI: [i64; 90] = {
        let mut all = [1; 90];
        let (mut i, mut before) = (1, 1);
        while i < all.len() {
            all[i] = all[i - 1] + before;
            before = all[i - 1];
            i += 1;
        }
        all
    };
    FIBONACCI[FIBONACCI.partition_point(|part| *part <= n) - 1]
}

/// The least prime factor of a number that is at least 2 and has none below `from`; `None`: there may be none that is soon found.
fn least_factor(n: i64, from: i64) -> Option<i64> {
    const MOST: i64 = 1000;
    if is_listed_prime(n.unsigned_abs()) {
        return Some(n);
    }
    let mut p = from.max(2);
    while p < MOST {
        if n % p == 0 {
            return Some(p);
        }
        p += if p == 2 { 1 } else { 2 };
    }
    word_factors(n.unsigned_abs()).first().and_then(|p| i64::try_from(*p).ok())
}

/// Least significant first.
pub(super) fn digits(n: &Value, base: &Value) -> Result<Value, Fault> {
    let mut rest = at_least(n, 0, "the number that digits are asked of")?.into_owned();
    let base_int = at_least(base, 2, "the base of digits")?;
    in_items(&[width::index(rest.bits())], "these digits")?;
    let mut out = Vec::new();
    if let (Some(mut small), Some(base)) = (rest.to_u64(), base_int.to_i64()) {
        let base = base.unsigned_abs();
        while small > 0 {
            out.push(Value::int(BigInt::from(small % base)));
            small /= base;
        }
    } else if let Some(radix) = base_int.to_u32().filter(|b| *b <= 256) {
        out.extend(rest.to_radix_le(radix).1.into_iter().map(|d| Value::Int(i64::from(d))));
    } else {
        while !rest.is_zero() {
            let (quotient, digit) = rest.div_rem(&base_int);
            out.push(Value::int(digit));
            rest = quotient;
        }
    }
    Ok(Value::list(out))
}

/// The number of binary places.
pub(super) fn bits(n: &Value) -> Result<Value, Fault> {
    let n = at_least(n, 0, "the number that binary places are asked of")?;
    Ok(Value::int(BigInt::from(n.bits())))
}

/// Whether place `i` is set.
pub(super) fn bit(n: &Value, i: &Value) -> Result<Value, Fault> {
    let n = at_least(n, 0, "the number that a binary place is asked of")?;
    let i = at_least(i, 0, "a binary place")?;
    Ok(Value::Bool(i.to_u64().is_some_and(|i| n.bit(i))))
}

/// The least nat that is not a member. Linear.
pub(super) fn mex(c: &Value) -> Result<Value, Fault> {
    if let Value::Range(from, to) = c {
        let next = if *from <= 0 && 0 <= *to { BigInt::from(*to) + 1 } else { BigInt::zero() };
        return Ok(Value::int(next));
    }
    let items = iterate(c)?;
    let mut there = vec![false; items.size_hint().0];
    for item in items {
        if let Value::Int(n) = item
            && let Some(place) = usize::try_from(n).ok().and_then(|n| there.get_mut(n))
        {
            *place = true;
        } else if !matches!(item, Value::Int(_) | Value::Big(_) | Value::Loop(_)) {
            return Err(wanted("a number", &item));
        }
    }
    Ok(Value::count(there.iter().position(|x| !x).unwrap_or(there.len())))
}

/// The Fibonacci numbers of the greedy representation, largest first (Zeckendorf 1972).
pub(super) fn zeckendorf(n: &Value) -> Result<Value, Fault> {
    /// All smaller Fibonacci numbers are kept: some 40 MB at this size.
    const BITS: u64 = 20_000;
    let rest = at_least(n, 0, "a sum of Fibonacci numbers")?.into_owned();
    if rest.bits() > BITS {
        return Err(too_big(&format!("the Zeckendorf form of {}", excerpt(n))));
    }
    Ok(Value::list(match rest.to_u64() {
        Some(rest) => greedy(rest, 1).into_iter().map(|part| Value::int(part.into())).collect(),
        None => greedy(rest, BigInt::one()).into_iter().map(Value::int).collect(),
    }))
}

/// The greatest Fibonacci numbers one after another that are not greater than what is left.
fn greedy<T: Clone + PartialOrd + CheckedAdd + Sub<Output = T>>(mut rest: T, one: T) -> Vec<T> {
    let mut next = one.checked_add(&one);
    let mut fibonacci = vec![one];
    while let Some(part) = next.filter(|part| *part <= rest) {
        next = part.checked_add(&fibonacci[fibonacci.len() - 1]);
        fibonacci.push(part);
    }
    fibonacci.reverse();
    fibonacci.retain(|part| {
        let fits = *part <= rest;
        if fits {
            rest = rest.clone() - part.clone();
        }
        fits
    });
    fibonacci
}

/// The primes up to n, by an odd sieve of n / 16 bytes.
pub(super) fn primes(n: &Value) -> Result<Value, Fault> {
    let most = width::index(MOST_LISTED);
    let n = match n.to_big()?.to_i64() {
        Some(n) if n < 2 => return Ok(Value::list(Vec::new())),
        Some(n) => width::index(n),
        None if n.to_big()?.sign() == num_bigint::Sign::Minus => return Ok(Value::list(Vec::new())),
        None => usize::MAX,
    };
    if n > most {
        return Err(too_big(&format!("the list of primes up to {n}")));
    }
    let composite = sieve(n);
    let odd = (3..=n).step_by(2).filter(|p| composite[p / 128] >> (p / 2 % 64) & 1 == 0);
    Ok(Value::list(std::iter::once(2).chain(odd).map(Value::count).collect()))
}

/// The composite ones of the odd numbers up to n: bit i stands for `2 i + 1` (Eratosthenes).
fn sieve(n: usize) -> Vec<u64> {
    let mut composite = vec![0_u64; n / 128 + 1];
    let mut p = 3;
    while p * p <= n {
        if composite[p / 128] >> (p / 2 % 64) & 1 == 0 {
            for multiple in (p * p..=n).step_by(2 * p) {
                composite[multiple / 128] |= 1 << (multiple / 2 % 64);
            }
        }
        p += 2;
    }
    composite
}

/// Whether a number is a prime, one of many questions: small ones are looked up in a sieve that is made once.
fn is_listed_prime(n: u64) -> bool {
    const SMALL: u64 = 1 << 16;
    const LARGER: u64 = 1 << 22;
    static SIEVES: [OnceLock<Vec<u64>>; 2] = [const { OnceLock::new() }; 2];
    let (sieve_of, up_to) = match n {
        0..SMALL => (&SIEVES[0], SMALL),
        SMALL..LARGER => (&SIEVES[1], LARGER),
        _ => return is_prime(n),
    };
    if n < 3 || n.is_multiple_of(2) {
        return n == 2;
    }
    let n = usize::try_from(n).unwrap_or_default();
    let composite = sieve_of.get_or_init(|| sieve(usize::try_from(up_to).unwrap_or_default()));
    composite[n / 128] >> (n / 2 % 64) & 1 == 0
}

/// Ascending, with repetition.
pub(super) fn prime_factors(n: &Value) -> Result<Value, Fault> {
    Ok(Value::list(factors(n)?.into_iter().map(Value::int).collect()))
}

fn factors(n: &Value) -> Result<Vec<BigInt>, Fault> {
    let n_int = at_least(n, 1, "a number that is taken apart into factors")?.into_owned();
    let (mut found, rest) = small_factors(n_int, 1_000_000);
    let Some(rest) = rest.to_u64() else {
        return Err(too_big(&format!("the factors of {} cannot be told; the number", excerpt(n))));
    };
    found.extend(word_factors(rest).into_iter().map(BigInt::from));
    Ok(found)
}

/// Divides by primes up to `most` until what is left fits a word: those primes, ascending, with repetition, and what is left.
fn small_factors(mut rest: BigInt, most: u64) -> (Vec<BigInt>, BigInt) {
    let (mut found, mut p) = (Vec::new(), 2_u64);
    while rest.to_u64().is_none() && p <= most {
        loop {
            let (quotient, remainder) = rest.div_rem(&BigInt::from(p));
            if !remainder.is_zero() {
                break;
            }
            rest = quotient;
            found.push(BigInt::from(p));
        }
        p += if p == 2 { 1 } else { 2 };
    }
    (found, rest)
}

/// The square root of a rational number, exactly, by the square-free part of what stands under it. Errors: R01 below 0
/// and for numbers with a root in them; R06 when the square-free part of a bigger number cannot be told.
pub(super) fn sqrt(value: &Value) -> Result<Value, Fault> {
    /// The cube of it is above 2^64.
    const CUBE_ROOT: u64 = 2_642_246;
    let surd = Surd::of(value)?;
    if !surd.b.is_zero() {
        let message = format!("the root of {} is no real of the form a + b * sqrt(c)", excerpt(value));
        return Err(Fault::new(Code::R01, message));
    }
    if surd.a.is_negative() {
        return Err(Fault::new(Code::R01, format!("the root of {}, which is negative", excerpt(value))));
    }
    // sqrt(p / q) = sqrt(p * q) / q
    let under = surd.a.numer() * surd.a.denom();
    let (mut outside, mut inside) = (under.sqrt(), BigInt::one());
    if &outside * &outside != under {
        let (mut primes, rest) = small_factors(under, CUBE_ROOT);
        outside = BigInt::one();
        if let Some(word) = rest.to_u64() {
            primes.extend(word_factors(word).into_iter().map(BigInt::from));
        } else {
            outside = rest.sqrt();
            if &outside * &outside != rest {
                let message =
                    format!("the square-free part of {} is out of reach, its root is not exact", excerpt(value));
                return Err(Fault::new(Code::R06, message));
            }
        }
        for same in primes.chunk_by(|a, b| a == b) {
            same.chunks_exact(2).for_each(|pair| outside *= &pair[0]);
            if same.len() % 2 == 1 {
                inside *= &same[0];
            }
        }
    }
    let b = Ratio::new(outside, surd.a.denom().clone());
    Ok(Value::real(Surd { a: Ratio::zero(), b, c: inside }))
}

/// The prime factors of a 64-bit number, ascending: by trial, then Pollard's rho and a deterministic Miller-Rabin.
fn word_factors(mut n: u64) -> Vec<u64> {
    let mut found = Vec::new();
    let mut p = 2;
    while p < 1000 && p * p <= n {
        while n.is_multiple_of(p) {
            n /= p;
            found.push(p);
        }
        p += if p == 2 { 1 } else { 2 };
    }
    let mut open = vec![n];
    while let Some(n) = open.pop() {
        if n < 2 {
            continue;
        }
        if n < 1_000_000 && p >= 1000 || p * p > n || is_prime(n) {
            found.push(n);
        } else {
            let d = split(n);
            open.extend([d, n / d]);
        }
    }
    found.sort_unstable();
    found
}

fn times(a: u64, b: u64, n: u64) -> u64 {
    // Below n, so that it fits.
    u64::try_from(u128::from(a) * u128::from(b) % u128::from(n)).unwrap_or(0)
}

fn power(mut base: u64, mut exponent: u64, n: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = times(result, base, n);
        }
        base = times(base, base, n);
        exponent /= 2;
    }
    result
}

/// Miller-Rabin with the first twelve primes as bases: exact below 3.3 * 10^24 (Sorenson and Webster 2015).
fn is_prime(n: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if n < 2 {
        return false;
    }
    if let Some(p) = BASES.iter().find(|p| n.is_multiple_of(**p)) {
        return n == *p;
    }
    let twos = (n - 1).trailing_zeros();
    let odd = (n - 1) >> twos;
    BASES.iter().all(|&base| {
        let mut x = power(base, odd, n);
        if x == 1 || x == n - 1 {
            return true;
        }
        for _ in 1..twos {
            x = times(x, x, n);
            if x == n - 1 {
                return true;
            }
        }
        false
    })
}

/// A proper divisor of a composite number: Pollard's rho, in Brent's form with products of 64 differences.
fn split(n: u64) -> u64 {
    let root = n.isqrt();
    if root * root == n {
        return root;
    }
    (1..)
        .find_map(|c: u64| {
            let step = |x: u64| {
                let square = u128::from(x) * u128::from(x) + u128::from(c);
                u64::try_from(square % u128::from(n)).unwrap_or(0)
            };
            let (mut slow, mut fast) = (2_u64, 2_u64);
            loop {
                let (start_slow, start_fast) = (slow, fast);
                let mut product = 1;
                for _ in 0..64 {
                    slow = step(slow);
                    fast = step(step(fast));
                    product = times(product, slow.abs_diff(fast), n);
                }
                if product.gcd(&n) == 1 {
                    continue;
                }
                (slow, fast) = (start_slow, start_fast);
                loop {
                    slow = step(slow);
                    fast = step(step(fast));
                    let d = slow.abs_diff(fast).gcd(&n);
                    if d > 1 {
                        // The whole number: this sequence does not split it.
                        return (d < n).then_some(d);
                    }
                }
            }
        })
        .unwrap_or(n)
}

/// Ascending, 1 and n included.
pub(super) fn divisors(n: &Value) -> Result<Value, Fault> {
    let mut divisors = vec![BigInt::from(1)];
    let factors = factors(n)?;
    for same in factors.chunk_by(|a, b| a == b) {
        in_items(&[divisors.len(), same.len() + 1], "the list of divisors")?;
        let before = divisors.len();
        for i in 0..before * same.len() {
            let next = &divisors[i] * &same[0];
            divisors.push(next);
        }
    }
    divisors.sort_unstable();
    Ok(Value::list(divisors.into_iter().map(Value::int).collect()))
}

/// How often p divides n.
pub(super) fn valuation(n: &Value, p: &Value) -> Result<Value, Fault> {
    let mut rest = at_least(n, 1, "a number that is divided again and again")?.into_owned();
    let p = at_least(p, 2, "the number to divide by")?;
    if *p == BigInt::from(2) {
        return Ok(Value::int(BigInt::from(rest.trailing_zeros().unwrap_or(0))));
    }
    let mut times = 0;
    loop {
        let (quotient, remainder) = rest.div_rem(&p);
        if !remainder.is_zero() {
            return Ok(Value::Int(times));
        }
        rest = quotient;
        times += 1;
    }
}

/// `nim_product(a, b)`: R06 beyond 64 bits.
pub(super) fn product_of_values(a: &Value, b: &Value) -> Result<Value, Fault> {
    let nimber = |n: &Value| {
        at_least(n, 0, "a nimber")?
            .to_u64()
            .ok_or_else(|| too_big(&format!("the nimber {} has more than 64 bits and", excerpt(n))))
    };
    Ok(Value::int(BigInt::from(nim_product(nimber(a)?, nimber(b)?))))
}

/// The product in the field of nimbers below 2^64: the mex of `a'b xor ab' xor a'b'` (Conway, On Numbers and Games, ch. 6),
/// by three products of half the size at each Fermat power `F = 2^(2^k)`, as `F * F = F xor F / 2`. Some thousand steps at
/// most.
pub fn nim_product(a: u64, b: u64) -> u64 {
    half_product(a, b, 32)
}

/// Factors below `2^(2 * half)`; the depth is at most 6.
fn half_product(a: u64, b: u64, half: u32) -> u64 {
    if a <= 1 || b <= 1 {
        return a * b;
    }
    if half > 1 && (a | b) >> half == 0 {
        return half_product(a, b, half / 2);
    }
    let mask = (1_u64 << half) - 1;
    let (a1, a0, b1, b0) = (a >> half, a & mask, b >> half, b & mask);
    let low = half_product(a0, b0, half / 2);
    let high = half_product(a1, b1, half / 2);
    let cross = half_product(a0 ^ a1, b0 ^ b1, half / 2);
    ((cross ^ low) << half) ^ low ^ half_product(high, 1 << (half - 1), half / 2)
}

/// Of so many numbers each drawn from a tally, in order and with repetition: how often each nim-sum occurs, ascending. By the Walsh-Hadamard
/// transform, exact: `O(b 2^b)` for numbers below `2^b`. Errors: R01 for a negative number or count, R06 beyond 22 bits, and where counts would be too long.
pub(super) fn xor_tally(tally: &Value, k: &Value) -> Result<Value, Fault> {
    const BITS: u64 = 22;
    let k = u32::try_from(k.to_count("the number of members")?).map_err(|_| too_big("the number of members"))?;
    let mut counts: Vec<(usize, BigInt)> = Vec::new();
    for pair in iterate(tally)? {
        let Value::Tuple(parts) = &pair else { continue };
        let [number, count] = &parts[..] else { continue };
        let number = number.to_count("a number of a tally")?;
        if number as u64 >> BITS > 0 {
            return Err(too_big(&format!("{number} in a tally")));
        }
        let count = count.to_big()?;
        if count.is_negative() {
            return Err(Fault::new(Code::R01, format!("{count} is no count")));
        }
        counts.push((number, count.into_owned()));
    }
    let bits = counts.iter().map(|(number, _)| usize::BITS - number.leading_zeros()).max().unwrap_or(0);
    in_items(&[1 << bits, usize::try_from(k).unwrap_or(usize::MAX).max(1)], "the counts of so many members")?;
    let mut all = vec![BigInt::zero(); 1 << bits];
    for (number, count) in counts {
        all[number] += count;
    }
    let transform = |all: &mut [BigInt]| {
        for step in (0..bits).map(|bit| 1_usize << bit) {
            for block in all.chunks_mut(2 * step) {
                let (low, high) = block.split_at_mut(step);
                for (a, b) in low.iter_mut().zip(high) {
                    let difference = &*a - &*b;
                    *a += &*b;
                    *b = difference;
                }
            }
        }
    };
    transform(&mut all);
    for value in &mut all {
        *value = value.pow(k);
    }
    transform(&mut all);
    let found = all.into_iter().map(|value| value >> bits).enumerate().filter(|(_, count)| !count.is_zero());
    Ok(Value::list(found.map(|(number, count)| Value::pair(Value::count(number), Value::int(count))).collect()))
}
