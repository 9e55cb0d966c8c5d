//! Rows of a few numbers sorted without branches.

/// Puts numbers below `2^31` in ascending order; whether all differ.
///
/// Rows of up to 24 by counting, for each number, how many are less: a fixed number of steps that processors do several of
/// at a time, where the branches of other ways are half of them guessed wrong.
pub(super) fn sort(row: &mut [u32]) -> bool {
    let ascends = |row: &[u32]| row.is_sorted_by(|a, b| a < b);
    if ascends(row) {
        return true;
    }
    if let [a, b] = row {
        std::mem::swap(a, b);
        return a != b;
    }
    let sorted = match row.len() {
        0..=4 => place::<4>(row),
        5..=8 => place::<8>(row),
        9..=16 => place::<16>(row),
        17..=24 => place::<24>(row),
        _ => false,
    };
    if sorted {
        return true;
    }
    row.sort_unstable();
    ascends(row)
}

/// Puts up to `N` numbers in ascending order if all differ; `false` and nothing done if not.
#[inline]
fn place<const N: usize>(row: &mut [u32]) -> bool {
    let mut all = [i32::MAX; N];
    for (to, &number) in all.iter_mut().zip(row.iter()) {
        *to = number.cast_signed();
    }
    let mut less = [0i32; N];
    for &this in &all[..row.len()] {
        for (less, &other) in less.iter_mut().zip(&all) {
            *less += i32::from(this < other);
        }
    }
    let places = &less[..row.len()];
    // 0, 1, 2, ... in some order when all differ, and less in sum when not.
    let sum: usize = places.iter().map(|less| usize::try_from(*less).unwrap_or(0)).sum();
    let distinct = sum == row.len() * (row.len() - 1) / 2;
    if distinct {
        for (&less, &number) in places.iter().zip(&all) {
            row[usize::try_from(less).unwrap_or(0)] = number.cast_unsigned();
        }
    }
    distinct
}

#[cfg(test)]
mod tests {
    use crate::value::row::sort;

    #[test]
    fn rows_of_all_lengths() {
        let mut seed = 7u32;
        let mut random = |below: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 8) % below
        };
        for len in 0..40 {
            for below in [1, 20, 1000, 1 << 24] {
                for _ in 0..40 {
                    let mut row: Vec<u32> = (0..len).map(|_| random(below) << 7 | random(2)).collect();
                    let mut expected = row.clone();
                    expected.sort_unstable();
                    let distinct = expected.windows(2).all(|two| two[0] < two[1]);
                    assert_eq!(sort(&mut row), distinct);
                    assert_eq!(row, expected);
                }
            }
        }
        let mut large = vec![i32::MAX.cast_unsigned(), 3, 0];
        assert!(sort(&mut large) && large == [0, 3, i32::MAX.cast_unsigned()]);
    }
}
