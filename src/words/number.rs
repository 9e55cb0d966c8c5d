//! Words about numbers.

use crate::source::diagnostic::Code;
use crate::value::fault::Fault;
use crate::value::{Surd, Value, excerpt, in_items, iterate, too_big, wanted};
use crate::words::folded;
use crate::words::operator::{checked_size, negate};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::borrow::Cow;

/// An int that must be at least `least`: R01 otherwise.
pub(super) fn at_least<'a>(n: &'a Value, least: i64, what: &str) -> Result<Cow<'a, BigInt>, Fault> {
    let int = n.to_big()?;
    if *int < BigInt::from(least) {
        return Err(Fault::new(Code::R01, format!("{what} is at least {least}, not {}", excerpt(n))));
    }
    Ok(int)
}

/// `min`, `max`
pub(super) fn extremum(max: bool, args: &[Value]) -> Result<Value, Fault> {
    if let [Value::Range(from, to)] = args
        && from <= to
    {
        return Ok(Value::Int(if max { *to } else { *from }));
    }
    let items = folded(args)?;
    let sorted = matches!(args, [Value::Set(_) | Value::Bag(_)]);
    let found = match (sorted, max) {
        (true, true) => items.last(),
        (true, false) => items.first(),
        (false, true) => items.iter().max(),
        (false, false) => items.iter().min(),
    };
    found.cloned().ok_or_else(|| {
        let word = if max { "greatest" } else { "least" };
        Fault::new(Code::R02, format!("there is no {word} member of nothing"))
    })
}

/// `gcd`, `lcm`
pub(super) fn gcd_lcm(lcm: bool, args: &[Value]) -> Result<Value, Fault> {
    let items = folded(args)?;
    let mut result = if lcm { Value::Int(1) } else { Value::Int(0) };
    for item in items.iter() {
        result = match (&result, item) {
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

pub(super) fn floor(r: &Value) -> Result<Value, Fault> {
    match r {
        Value::Real(surd) => Ok(Value::int(surd.floor())),
        _ => r.to_big().map(|_| r.clone()),
    }
}

pub(super) fn ceil(r: &Value) -> Result<Value, Fault> {
    match r {
        // A real is no int, so that it has one above.
        Value::Real(surd) => Ok(Value::int(surd.floor() + 1)),
        _ => r.to_big().map(|_| r.clone()),
    }
}

/// Least significant first.
pub(super) fn digits(n: &Value, base: &Value) -> Result<Value, Fault> {
    let mut rest = at_least(n, 0, "the number that digits are asked of")?.into_owned();
    let base_int = at_least(base, 2, "the base of digits")?;
    in_items(&[usize::try_from(rest.bits()).unwrap_or(usize::MAX)], "these digits")?;
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
    let mut rest = at_least(n, 0, "a sum of Fibonacci numbers")?.into_owned();
    if rest.bits() > BITS {
        return Err(too_big(&format!("the Zeckendorf form of {}", excerpt(n))));
    }
    let mut out = Vec::new();
    if let Some(mut rest) = rest.to_u64() {
        let mut pair = (1_u64, 2_u64);
        while pair.1 <= rest {
            let Some(next) = pair.0.checked_add(pair.1) else { break };
            pair = (pair.1, next);
        }
        // pair.1 is the first above `rest`, or the last that fits
        let (mut small, mut big) = pair;
        while rest > 0 {
            if big <= rest {
                out.push(Value::int(BigInt::from(big)));
                rest -= big;
            }
            (small, big) = (big - small, small);
        }
        return Ok(Value::list(out));
    }
    let mut fibonacci = vec![BigInt::one(), BigInt::from(2)];
    while fibonacci[fibonacci.len() - 1] <= rest {
        let next = &fibonacci[fibonacci.len() - 1] + &fibonacci[fibonacci.len() - 2];
        fibonacci.push(next);
    }
    for part in fibonacci.into_iter().rev() {
        if rest.is_positive() && part <= rest {
            rest -= &part;
            out.push(Value::int(part));
        }
    }
    Ok(Value::list(out))
}
