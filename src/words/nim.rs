//! The product of nimbers.

use crate::value::fault::Fault;
use crate::value::{Value, excerpt, too_big};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// `nim_product(a, b)`: R06 beyond 64 bits.
pub(super) fn product_of_values(a: &Value, b: &Value) -> Result<Value, Fault> {
    let nimber = |n: &Value| {
        crate::words::number::at_least(n, 0, "a nimber")?
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

#[cfg(test)]
mod tests {
    use crate::words::nim::nim_product;
    use std::collections::HashMap;

    #[test]
    fn follows_the_definition() {
        const N: u64 = 32;
        let mut table: HashMap<(u64, u64), u64> = HashMap::new();
        for a in 0..N {
            for b in 0..N {
                let options: Vec<u64> = (0..a)
                    .flat_map(|x| (0..b).map(move |y| (x, y)))
                    .map(|(x, y)| table[&(x, b)] ^ table[&(a, y)] ^ table[&(x, y)])
                    .collect();
                let mex = (0..=1000).find(|n| !options.contains(n)).unwrap();
                table.insert((a, b), mex);
                assert_eq!(mex, nim_product(a, b));
            }
        }
    }

    #[test]
    fn is_a_field() {
        assert_eq!(nim_product(255, 255), 156);
        assert_eq!(nim_product(1 << 32, 1 << 32), (1 << 32) ^ (1 << 31));
        let samples = [3, 0x1234_5678_9abc_def0, u64::MAX, 1 << 63, 0xfeed_beef];
        for a in samples {
            for b in samples {
                assert_eq!(nim_product(a, b), nim_product(b, a));
                for c in samples {
                    assert_eq!(nim_product(a, nim_product(b, c)), nim_product(nim_product(a, b), c));
                    assert_eq!(nim_product(a, b ^ c), nim_product(a, b) ^ nim_product(a, c));
                }
            }
        }
    }
}
