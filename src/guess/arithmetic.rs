//! Functions of naturals that closed forms are made of. `None` where the language has no value, or beyond 128 bits.

/// The sum of the digits.
pub(super) fn digit_sum(n: i128, base: u32) -> Option<i128> {
    let (base, mut rest, mut sum) = (i128::from(base), natural(n)?, 0);
    while rest > 0 {
        sum += rest % base;
        rest /= base;
    }
    Some(sum)
}

/// How often p divides n; n >= 1.
pub(super) fn valuation(n: i128, p: u32) -> Option<i128> {
    let (p, mut rest, mut count) = (i128::from(p), n, 0);
    if n < 1 {
        return None;
    }
    while rest % p == 0 {
        rest /= p;
        count += 1;
    }
    Some(count)
}

/// The number of binary places.
pub(super) fn length(n: i128) -> Option<i128> {
    natural(n).map(|n| i128::from(128 - n.leading_zeros()))
}

/// a ** b for b >= 0.
pub(super) fn power(a: i128, b: i128) -> Option<i128> {
    a.checked_pow(u32::try_from(b).ok()?)
}

/// How many parts the Zeckendorf form has.
pub(super) fn zeckendorf_size(n: i128) -> Option<i128> {
    zeckendorf(n).map(|(size, _)| size)
}

/// The least part of the Zeckendorf form; n >= 1.
pub(super) fn zeckendorf_last(n: i128) -> Option<i128> {
    zeckendorf(n).map(|(_, last)| last).filter(|_| n >= 1)
}

/// The number of parts and the least of them: the greatest Fibonacci number is taken away again and again (Zeckendorf 1972).
fn zeckendorf(n: i128) -> Option<(i128, i128)> {
    let mut rest = natural(n)?;
    let (mut size, mut last) = (0, 0);
    let (mut a, mut b) = (1i128, 2i128);
    while b <= rest {
        (a, b) = (b, a.checked_add(b)?);
    }
    while rest > 0 {
        if a <= rest {
            rest -= a;
            size += 1;
            last = a;
        }
        (a, b) = (b - a, a);
    }
    Some((size, last))
}

fn natural(n: i128) -> Option<i128> {
    (n >= 0).then_some(n)
}

#[cfg(test)]
mod tests {
    use crate::guess::arithmetic::{digit_sum, length, valuation, zeckendorf_last, zeckendorf_size};

    #[test]
    fn known_values() {
        assert_eq!((digit_sum(255, 2), digit_sum(1999, 10), digit_sum(0, 3)), (Some(8), Some(28), Some(0)));
        assert_eq!((valuation(24, 2), valuation(24, 3), valuation(0, 2)), (Some(3), Some(1), None));
        assert_eq!((length(0), length(8), length(-1)), (Some(0), Some(4), None));
        let sizes: Vec<_> = (0..=13).map(|n| zeckendorf_size(n).unwrap_or(-1)).collect();
        assert_eq!(sizes, [0, 1, 1, 1, 2, 1, 2, 2, 1, 2, 2, 2, 3, 1]);
        let lasts: Vec<_> = (1..=13).map(|n| zeckendorf_last(n).unwrap_or(-1)).collect();
        assert_eq!(lasts, [1, 2, 3, 1, 5, 1, 2, 8, 1, 2, 3, 1, 13]);
    }
}
