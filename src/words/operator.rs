//! The operators `+ - * / div mod ** xor & ..` on everything that has them.

use crate::model::BinaryOp;
use crate::source::diagnostic::Code;
use crate::value::fault::Fault;
use crate::value::{List, Surd, Value, excerpt, in_items, members, too_big};
use crate::words::merge::{distinct, merge, merge_out, remove, sorted, union};
use crate::words::packed;
use crate::words::packed::SetWord;
use crate::words::position::{sum_positions, times_position};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use std::borrow::Cow;

/// No int grows beyond this many bits: R06.
pub(super) const BIT_LIMIT: u64 = 1 << 20;

/// `a op b` for evaluated operands.
///
/// # Errors
/// R03 for `div` and `mod` by what is not positive, division by 0 and negative exponents; R06 for ints of more than 2^20
/// bits, range ends outside 64 bits and collections that are too long; R07 for a bag member that is not there; R01 for
/// bits of a negative number and reals with different roots; E03 when no meaning fits, E22 for sums of compounds.
pub fn binary(op: BinaryOp, a: &Value, b: &Value) -> Result<Value, Fault> {
    // The case of nearly all evaluation comes first.
    if let (Value::Int(a), Value::Int(b)) = (a, b)
        && let Some(n) = small(op, *a, *b)
    {
        return Ok(n);
    }
    match op {
        BinaryOp::Range => range(a, b),
        BinaryOp::Add => add(a, b),
        BinaryOp::Sub => subtract(a, b),
        BinaryOp::Mul => multiply(a, b),
        BinaryOp::Over => divide(a, b),
        BinaryOp::Div => divisor(a, b).and_then(|(a, b)| Ok(Value::int(a.to_big()?.div_floor(&*b.to_big()?)))),
        BinaryOp::Mod => divisor(a, b).and_then(|(a, b)| Ok(Value::int(a.to_big()?.mod_floor(&*b.to_big()?)))),
        BinaryOp::Pow => power(a, b),
        BinaryOp::Xor => xor(a, b),
        BinaryOp::Meet => meet(a, b),
    }
}

/// What fits into machine words and has no fault.
fn small(op: BinaryOp, a: i64, b: i64) -> Option<Value> {
    let n = match op {
        BinaryOp::Add => a.checked_add(b)?,
        BinaryOp::Sub => a.checked_sub(b)?,
        BinaryOp::Mul => a.checked_mul(b)?,
        BinaryOp::Div if b > 0 => Integer::div_floor(&a, &b),
        BinaryOp::Mod if b > 0 => Integer::mod_floor(&a, &b),
        BinaryOp::Over if b != 0 && a.checked_rem(b)? == 0 => a / b,
        BinaryOp::Pow => a.checked_pow(u32::try_from(b).ok()?)?,
        BinaryOp::Xor if a >= 0 && b >= 0 => a ^ b,
        BinaryOp::Meet if a >= 0 && b >= 0 => a & b,
        BinaryOp::Range => return Some(Value::Range(a, b)),
        _ => return None,
    };
    Some(Value::Int(n))
}

/// `-a`
///
/// # Errors
/// E03 when it is no number.
pub fn negate(a: &Value) -> Result<Value, Fault> {
    match a {
        Value::Int(n) if *n != i64::MIN => Ok(Value::Int(-n)),
        Value::Real(surd) => Ok(Value::real(Surd { a: -&surd.a, b: -&surd.b, c: surd.c.clone() })),
        _ => Ok(Value::int(-a.to_big()?.into_owned())),
    }
}

fn range(a: &Value, b: &Value) -> Result<Value, Fault> {
    match (a, b) {
        // What is empty whatever the numbers are stays empty.
        (Value::Int(_) | Value::Big(_), Value::Int(_) | Value::Big(_)) if b < a => Ok(Value::Range(1, 0)),
        (Value::Big(_), Value::Int(_) | Value::Big(_)) | (Value::Int(_), Value::Big(_)) => {
            Err(too_big(&format!("an end of {}..{}", excerpt(a), excerpt(b))))
        }
        _ => Ok(Value::Range(a.to_i64()?, b.to_i64()?)),
    }
}

fn is_number(value: &Value) -> bool {
    matches!(value, Value::Int(_) | Value::Big(_) | Value::Real(_) | Value::Loop(_))
}

fn no_meaning(op: &str, a: &Value, b: &Value) -> Fault {
    Fault::new(Code::E03, format!("`{op}` has no meaning between {} and {}", excerpt(a), excerpt(b)))
}

/// An int that is the result of a multiplication.
pub(super) fn checked_size(n: BigInt) -> Result<Value, Fault> {
    if n.bits() > BIT_LIMIT { Err(too_big(&format!("an int of {} bits", n.bits()))) } else { Ok(Value::int(n)) }
}

fn checked_real(surd: Surd) -> Result<Value, Fault> {
    if surd.bits() > BIT_LIMIT {
        Err(too_big(&format!("a real of {} bits", surd.bits())))
    } else {
        Ok(Value::real(surd))
    }
}

fn add(a: &Value, b: &Value) -> Result<Value, Fault> {
    match (a, b) {
        (Value::Position(_), _) | (_, Value::Position(_)) => sum_positions([a, b].into_iter()),
        (Value::Bag(_), _) | (_, Value::Bag(_)) => {
            let (a, b) = (sorted(a)?, sorted(b)?);
            in_items(&[a.len() + b.len()], "this bag")?;
            Ok(Value::Bag(merge(&a, &b, 2).into()))
        }
        (Value::Set(_), Value::Set(_)) if let Some(made) = packed::made(SetWord::Union, a, b) => Ok(made),
        (Value::Set(_), _) | (_, Value::Set(_)) => {
            let (a, b) = (distinct(a)?, distinct(b)?);
            Ok(Value::Set(union(&a, &b).into()))
        }
        (Value::Text(a), Value::Text(b)) => {
            in_items(&[a.len() + b.len()], "this text")?;
            Ok(Value::Text(a.concat(b)))
        }
        (Value::List(_) | Value::Range(..), Value::List(_) | Value::Range(..)) => {
            let (a, b) = (members(a)?, members(b)?);
            in_items(&[a.len() + b.len()], "this list")?;
            let items = a.iter().chain(b.iter()).cloned().collect();
            Ok(Value::List(List { base: 0, items }))
        }
        _ if is_number(a) && is_number(b) => match (a, b) {
            (Value::Real(_), _) | (_, Value::Real(_)) => checked_real(Surd::of(a)?.plus(&Surd::of(b)?, false)?),
            _ => checked_size(&*a.to_big()? + &*b.to_big()?),
        },
        _ => Err(no_meaning("+", a, b)),
    }
}

fn subtract(a: &Value, b: &Value) -> Result<Value, Fault> {
    match (a, b) {
        (Value::Graph(_) | Value::Grid(_), _) => crate::words::graph::without(a, b),
        (Value::Bag(_), _) | (_, Value::Bag(_)) => remove(&sorted(a)?, &sorted(b)?, a),
        (Value::Set(_), Value::Set(_)) if let Some(made) = packed::made(SetWord::Minus, a, b) => Ok(made),
        (Value::Set(_), _) | (Value::Range(..) | Value::List(_), Value::Set(_)) => {
            let a = distinct(a)?;
            let kept = match b {
                // A range need not be spelled out, and a few members need not be merged.
                Value::Range(from, to) => {
                    a.iter().filter(|x| !matches!(x, Value::Int(n) if from <= n && n <= to)).cloned().collect()
                }
                _ => merge_out(&a, &distinct(b)?),
            };
            Ok(Value::Set(kept.into()))
        }
        _ if is_number(a) && is_number(b) => match (a, b) {
            (Value::Real(_), _) | (_, Value::Real(_)) => checked_real(Surd::of(a)?.plus(&Surd::of(b)?, true)?),
            _ => checked_size(&*a.to_big()? - &*b.to_big()?),
        },
        _ => Err(no_meaning("-", a, b)),
    }
}

fn multiply(a: &Value, b: &Value) -> Result<Value, Fault> {
    match (a, b) {
        (_, Value::Position(p)) => times_position(a, p),
        (Value::Position(p), _) => times_position(b, p),
        _ if !(is_number(a) && is_number(b)) => Err(no_meaning("*", a, b)),
        (Value::Real(_), _) | (_, Value::Real(_)) => checked_real(Surd::of(a)?.times(&Surd::of(b)?)?),
        (Value::Int(a), Value::Int(b)) => Ok(Value::wide(i128::from(*a) * i128::from(*b))),
        _ => {
            let (a, b) = (a.to_big()?, b.to_big()?);
            if a.bits() + b.bits() > BIT_LIMIT + 1 {
                return Err(too_big(&format!("an int of {} bits", a.bits() + b.bits())));
            }
            checked_size(&*a * &*b)
        }
    }
}

fn divide(a: &Value, b: &Value) -> Result<Value, Fault> {
    if !(is_number(a) && is_number(b)) {
        return Err(no_meaning("/", a, b));
    }
    checked_real(Surd::of(a)?.times(&Surd::of(b)?.inverse()?)?)
}

fn divisor<'a>(a: &'a Value, b: &'a Value) -> Result<(&'a Value, &'a Value), Fault> {
    if b.to_big()?.is_positive() {
        Ok((a, b))
    } else {
        Err(Fault::new(Code::R03, format!("`div` and `mod` are by a number above 0, not {}", excerpt(b))))
    }
}

fn power(a: &Value, b: &Value) -> Result<Value, Fault> {
    let exponent = b.to_big()?;
    if exponent.is_negative() {
        return Err(Fault::new(Code::R03, format!("the exponent {} is negative", excerpt(b))));
    }
    if let Value::Real(base) = a {
        let fits = exponent.to_u64().and_then(|n| base.bits().checked_mul(n)).is_some_and(|bits| bits <= BIT_LIMIT);
        let Some(mut n) = exponent.to_u64().filter(|_| fits) else {
            return Err(too_big("this power"));
        };
        let mut square = (**base).clone();
        let mut power = Surd::from_int(&BigInt::one());
        while n > 0 {
            if n % 2 == 1 {
                power = power.times(&square)?;
            }
            n /= 2;
            if n > 0 {
                square = square.times(&square)?;
            }
        }
        return Ok(Value::real(power));
    }
    let base = a.to_big()?;
    if exponent.is_zero() || base.is_one() {
        return Ok(Value::Int(1));
    }
    if base.is_zero() {
        return Ok(Value::Int(0));
    }
    if base.magnitude().is_one() {
        return Ok(Value::Int(if exponent.is_even() { 1 } else { -1 }));
    }
    match exponent.to_u32() {
        Some(n) if (base.bits() - 1).saturating_mul(u64::from(n)) <= BIT_LIMIT => checked_size(base.pow(n)),
        _ => Err(too_big(&format!("{} ** {}", excerpt(a), excerpt(b)))),
    }
}

fn nats<'a>(word: &str, a: &'a Value, b: &'a Value) -> Result<(Cow<'a, BigInt>, Cow<'a, BigInt>), Fault> {
    if !(is_number(a) && is_number(b)) {
        return Err(no_meaning(word, a, b));
    }
    let (m, n) = (a.to_big()?, b.to_big()?);
    for (n, value) in [(&m, a), (&n, b)] {
        if n.is_negative() {
            return Err(Fault::new(Code::R01, format!("`{word}` is of numbers >= 0, not of {}", excerpt(value))));
        }
    }
    Ok((m, n))
}

fn xor(a: &Value, b: &Value) -> Result<Value, Fault> {
    if matches!(a, Value::Set(_)) || matches!(b, Value::Set(_)) {
        if let Some(made) = packed::made(SetWord::Xor, a, b) {
            return Ok(made);
        }
        let (a, b) = (distinct(a)?, distinct(b)?);
        let (only_a, only_b) = (merge_out(&a, &b), merge_out(&b, &a));
        return Ok(Value::Set(merge(&only_a, &only_b, 2).into()));
    }
    let (a, b) = nats("xor", a, b)?;
    Ok(Value::int(&*a ^ &*b))
}

fn meet(a: &Value, b: &Value) -> Result<Value, Fault> {
    if matches!(a, Value::Set(_)) || matches!(b, Value::Set(_)) {
        if let Some(made) = packed::made(SetWord::Meet, a, b) {
            return Ok(made);
        }
        let (a, b) = (distinct(a)?, distinct(b)?);
        let (few, many) = if a.len() < b.len() { (a, b) } else { (b, a) };
        let both: Vec<Value> = few.iter().filter(|x| many.binary_search(x).is_ok()).cloned().collect();
        return Ok(Value::Set(both.into()));
    }
    let (a, b) = nats("&", a, b)?;
    Ok(Value::int(&*a & &*b))
}
