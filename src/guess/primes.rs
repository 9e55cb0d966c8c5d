//! Primes and divisors of numbers that formulas speak of.

use std::sync::LazyLock;

/// All primes up to this are kept: numbers up to its square are taken apart.
const MOST: usize = 1 << 20;

/// By the sieve of Eratosthenes.
static PRIMES: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let mut composite = vec![false; MOST + 1];
    let mut primes = Vec::new();
    for (n, number) in (0u32..).zip(0..=MOST).skip(2) {
        if !composite[number] {
            primes.push(n);
            (number * number..=MOST).step_by(number).for_each(|multiple| composite[multiple] = true);
        }
    }
    primes
});

/// The primes that divide a number above 0, ascending, with how often; `None` where it is too large.
pub(super) fn factors(n: i128) -> Option<Vec<(i128, u32)>> {
    let most = (MOST * MOST) as u64;
    let mut rest = u64::try_from(n).ok().filter(|n| (1..=most).contains(n))?;
    let mut found = Vec::new();
    for &prime in PRIMES.iter() {
        let p = u64::from(prime);
        if p * p > rest {
            break;
        }
        let mut times = 0;
        while rest.is_multiple_of(p) {
            rest /= p;
            times += 1;
        }
        if times > 0 {
            found.push((p.into(), times));
        }
    }
    if rest > 1 {
        found.push((rest.into(), 1));
    }
    Some(found)
}

/// How many primes there are up to a number; `None` where it is too large.
pub(super) fn up_to(n: i128) -> Option<i128> {
    let n = u32::try_from(n.max(0)).ok().filter(|n| u64::from(*n) <= MOST as u64)?;
    i128::try_from(PRIMES.partition_point(|prime| *prime <= n)).ok()
}
