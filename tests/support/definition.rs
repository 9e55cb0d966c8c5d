//! Whether a sequence of values is that of a code, by the definition of Grundy values and nothing else.
//!
//! Values are those of the code exactly when for each heap, the values before it being right, no move leads to its value and
//! moves lead to all smaller values. The first takes a look at every split; that is one comparison, so that twenty thousand
//! heaps are gone through in a twentieth of a second. The text is read here a second time.

use std::ops::{Add, BitXor};

/// Which splits in two parts a digit allows.
#[derive(Clone, Copy, PartialEq)]
enum Split {
    Any,
    Unequal,
    Equal,
}

struct Digit {
    bits: u32,
    split: Split,
}

/// `0.137`, `4!.`, `4=.06?`: digits up to 7.
fn digits(text: &str) -> Vec<Digit> {
    let mut digits: Vec<Digit> = Vec::new();
    for letter in text.chars() {
        match (letter, digits.last_mut()) {
            ('.', None) => digits.push(Digit { bits: 0, split: Split::Any }),
            ('.', Some(_)) => {}
            ('!' | '?', Some(last)) => last.split = Split::Unequal,
            ('=', Some(last)) => last.split = Split::Equal,
            _ => digits.push(Digit { bits: letter.to_digit(8).expect("an octal digit"), split: Split::Any }),
        }
    }
    digits
}

/// Values in one byte or in two.
trait Value: Copy + Eq + BitXor<Output = Self> + Add<Output = Self> + From<bool> + Into<u16> + TryFrom<u16> {}
impl Value for u8 {}
impl Value for u16 {}

/// Whether some split into parts from 1 to as many as there are in `small` has the value.
fn any<V: Value>(small: &[V], large: &[V], value: V) -> bool {
    small.chunks(240).zip(large.chunks(240)).any(|(small, large)| {
        let none = V::from(false);
        small.iter().zip(large).fold(none, |count, (a, b)| count + V::from(*a ^ *b == value)) != none
    })
}

/// The first heap whose value is wrong.
pub fn first_wrong(text: &str, values: &[u16]) -> Option<usize> {
    let bytes: Result<Vec<u8>, _> = values.iter().map(|value| u8::try_from(*value)).collect();
    if let Ok(bytes) = bytes { first_wrong_of(text, &bytes) } else { first_wrong_of(text, values) }
}

fn first_wrong_of<V: Value>(text: &str, values: &[V]) -> Option<usize> {
    let digits = digits(text);
    let turned: Vec<V> = values.iter().rev().copied().collect();
    let mut seen = Vec::new();
    (0..values.len()).find(|&heap| {
        let value: u16 = values[heap].into();
        seen.clear();
        seen.resize(usize::from(value), false);
        let mut open = seen.len();
        let mut reached = false;
        let mut move_to = |option: u16| {
            reached |= option == value;
            if let Some(seen) = seen.get_mut(usize::from(option)) {
                open -= usize::from(!*seen);
                *seen = true;
            }
            open
        };
        let mut left = usize::from(value);
        let mut splits = Vec::new();
        for (amount, digit) in digits.iter().enumerate().take_while(|(amount, _)| *amount <= heap) {
            let rest = heap - amount;
            if digit.bits & 1 != 0 && rest == 0 {
                left = move_to(0);
            }
            if digit.bits & 2 != 0 && rest > 0 {
                left = move_to(values[rest].into());
            }
            if digit.bits & 4 != 0 && rest >= 2 {
                if digit.split != Split::Unequal && rest.is_multiple_of(2) {
                    left = move_to(0);
                }
                if digit.split != Split::Equal {
                    // Parts a < b with a + b = rest.
                    let last = (rest - 1) / 2;
                    let from = values.len() - 1 - rest;
                    splits.push((&values[1..=last], &turned[from + 1..=from + last]));
                }
            }
        }
        // Most smaller values come soon.
        for at in 0..2 * usize::from(value) {
            let mut more = false;
            for (small, large) in &splits {
                if let (Some(a), Some(b)) = (small.get(at), large.get(at))
                    && left > 0
                {
                    left = move_to((*a ^ *b).into());
                    more = true;
                }
            }
            if !more {
                break;
            }
        }
        let among = |value: V| splits.iter().any(|(small, large)| any(small, large, value));
        let among_any = |value: u16| V::try_from(value).is_ok_and(among);
        let mut unseen = (0..value).filter(|smaller| !seen[usize::from(*smaller)]);
        reached || !unseen.all(among_any) || among(values[heap])
    })
}
