//! Primes, factors and divisors, exact.

use crate::value::fault::Fault;
use crate::value::{Value, excerpt, in_items, too_big};
use crate::words::number::at_least;
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

/// The primes up to n, by an odd sieve of n / 16 bytes.
pub(super) fn primes(n: &Value) -> Result<Value, Fault> {
    /// Some 2.6 * 10^7 primes.
    const MOST: usize = 500_000_000;
    let n = match n.to_big()?.to_i64() {
        Some(n) if n < 2 => return Ok(Value::list(Vec::new())),
        Some(n) => usize::try_from(n).unwrap_or(usize::MAX),
        None if n.to_big()?.sign() == num_bigint::Sign::Minus => return Ok(Value::list(Vec::new())),
        None => usize::MAX,
    };
    if n > MOST {
        return Err(too_big(&format!("the list of primes up to {n}")));
    }
    // Bit i stands for 2 i + 1.
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
    let odd = (3..=n).step_by(2).filter(|p| composite[p / 128] >> (p / 2 % 64) & 1 == 0);
    Ok(Value::list(std::iter::once(2).chain(odd).map(Value::count).collect()))
}

/// Ascending, with repetition.
pub(super) fn prime_factors(n: &Value) -> Result<Value, Fault> {
    Ok(Value::list(factors(n)?.into_iter().map(Value::int).collect()))
}

fn factors(n: &Value) -> Result<Vec<BigInt>, Fault> {
    let mut rest = at_least(n, 1, "a number that is taken apart into factors")?.into_owned();
    let mut found = Vec::new();
    let mut p = 2_u64;
    while rest.to_u64().is_none() && p <= 1_000_000 {
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
    let Some(rest) = rest.to_u64() else {
        return Err(too_big(&format!("the factors of {} cannot be told; the number", excerpt(n))));
    };
    found.extend(word_factors(rest).into_iter().map(BigInt::from));
    found.sort_unstable();
    Ok(found)
}

/// The prime factors of a 64-bit number, ascending: small ones by trial, then Pollard's rho with a deterministic
/// Miller-Rabin test.
pub(crate) fn word_factors(mut n: u64) -> Vec<u64> {
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

#[cfg(test)]
mod tests {
    use crate::words::factor::{is_prime, word_factors};

    #[test]
    fn factors_multiply_back_and_are_prime() {
        let big = [u64::MAX, i64::MAX as u64, 1_000_000_007 * 998_244_353, 4_294_967_291 * 4_294_967_279, 1 << 62];
        for n in (1..3000).chain(999_990..1_000_100).chain(big) {
            let factors = word_factors(n);
            assert_eq!(factors.iter().product::<u64>(), n);
            assert!(factors.is_sorted() && factors.iter().all(|p| is_prime(*p)), "{n}: {factors:?}");
        }
    }
}
