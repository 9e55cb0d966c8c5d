use super::super::octal::{Code, Octal, octal};
use super::super::subtraction::{Subtraction, subtraction};

/// The least `(n0, p)` by the theorem of Guy and Smith (two heaps at most), if it shows up within the values.
fn proved_period(values: &[u64], digits: usize) -> Option<(usize, usize)> {
    let holds = |n0: usize, p: usize| {
        let end = 2 * n0 + 2 * p + digits;
        end <= values.len() && (n0..end - p).all(|n| values[n] == values[n + p])
    };
    (1..values.len() / 2).find_map(|p| {
        let n0 = (1..values.len() - p).rev().find(|&n| values[n] != values[n + p]).map_or(1, |n| n + 1);
        holds(n0, p).then_some((n0, p))
    })
}

fn period(code: &str, heaps: usize) -> Option<(usize, usize)> {
    let code: Code = code.parse().unwrap();
    let digits = code.digits().len() - 1;
    let mut game = Octal::new(code);
    game.value(heaps);
    let values: Vec<u64> = (0..=heaps).map(|n| game.value(n)).collect();
    proved_period(&values, digits)
}

#[test]
fn known_octal_games_have_their_periods() {
    for (code, expected) in [
        ("0.77", (71, 12)),
        (".07", (53, 34)),
        ("0.137", (52, 34)),
        ("0.4", (54, 34)),
        ("0.34", (7, 8)),
        ("0.123", (5, 5)),
        ("0.115", (1, 14)),
        ("0.71", (3, 2)),
        ("4.7", (1, 2)),
        ("0.33", (1, 3)),
    ] {
        assert_eq!(period(code, 300), Some(expected), "{code}");
    }
}

#[test]
#[ignore = "seconds"]
fn long_octal_periods() {
    for (code, expected) in
        [("0.156", (3479, 349)), ("0.644", (3256, 442)), ("0.356", (7315, 142)), ("0.165", (5181, 1550))]
    {
        assert_eq!(period(code, 2 * (expected.0 + expected.1) + 10), Some(expected), "{code}");
    }
}

#[test]
fn hexadecimal_kayles_climbs_by_three_every_six() {
    let mut game = Octal::new(".3F".parse().unwrap());
    game.value(200);
    let values: Vec<u64> = (0..=200).map(|n| game.value(n)).collect();
    assert!((50..195).all(|n| values[n + 6] == values[n] + 3), "{values:?}");
}

/// The value of a heap by its options written out.
fn naive(digits: &[u32], n: usize) -> u64 {
    let mut values: Vec<u64> = Vec::new();
    for heap in 0..=n {
        let mut options = Vec::new();
        for (taken, digit) in digits.iter().enumerate().filter(|(taken, _)| *taken <= heap) {
            let rest = heap - taken;
            for a in 1..=rest {
                if digit & 2 != 0 && a == rest {
                    options.push(values[a]);
                }
                for b in 1..=rest - a {
                    if digit & 4 != 0 && a + b == rest {
                        options.push(values[a] ^ values[b]);
                    }
                    if digit & 8 != 0 && a + b < rest {
                        options.push(values[a] ^ values[b] ^ values[rest - a - b]);
                    }
                }
            }
            if digit & 1 != 0 && rest == 0 {
                options.push(0);
            }
        }
        values.push((0..=options.len() as u64).find(|value| !options.contains(value)).unwrap());
    }
    values[n]
}

#[test]
fn codes_mean_their_moves() {
    for (first, rest) in [(0, 0), (4, 0), (8, 0), (12, 0)].into_iter().flat_map(|(d, _)| (0..256).map(move |r| (d, r)))
    {
        let text = format!("{first:X}.{rest:02x}");
        let digits = [first, rest / 16, rest % 16];
        for n in [0, 1, 2, 5, 11] {
            assert_eq!(octal(&text, n).unwrap(), naive(&digits, n), "{text} at {n}");
        }
    }
}

#[test]
fn codes_may_be_written_in_several_ways() {
    let digits = |text: &str| text.parse::<Code>().map(|code| code.digits().to_vec());
    assert_eq!(digits("0.77").unwrap(), [0, 7, 7]);
    assert_eq!(digits(".770").unwrap(), [0, 7, 7]);
    assert_eq!(digits("4.7").unwrap(), [4, 7]);
    assert_eq!(digits("0.3f").unwrap(), [0, 3, 15]);
    assert_eq!(digits("0.").unwrap(), [0]);
    for (text, part) in [
        ("77", "the dot is missing"),
        ("0.7.7", "more than one dot"),
        ("0.77...", "endless"),
        ("0.7g", "`g` is no digit"),
        ("00.7", "one digit at most"),
        ("1.7", "never ends"),
        ("7.0", "never ends"),
        ("", "the dot is missing"),
    ] {
        assert!(digits(text).unwrap_err().contains(part), "{text}: {:?}", digits(text));
    }
}

#[test]
fn subtraction_games() {
    let mut game = Subtraction::new(&[1, 4, 10]).unwrap();
    let values: Vec<u64> = (0..200).map(|n| game.value(n)).collect();
    assert!((16..189).all(|n| values[n] == values[n + 11]) && values[15] != values[26]);
    assert!((0..100).all(|n| subtraction(&[3, 2, 1, 2], n).unwrap() == n as u64 % 4));
    assert!((0..100).all(|n| subtraction(&[2, 5], n) == subtraction(&[2, 5], n + 7)));
    assert_eq!((subtraction(&[], 9), subtraction(&[5], 4)), (Ok(0), Ok(0)));
    let period = |amounts: &[usize]| Subtraction::new(amounts).unwrap().period(1000);
    assert_eq!((period(&[]), period(&[2, 5]).map(|(_, length)| length)), (Some((0, 1)), Some(7)));
    for amounts in [&[1, 4, 10][..], &[3, 7, 12], &[2, 3, 11]] {
        let (from, length) = period(amounts).unwrap();
        assert!((from..500).all(|n| subtraction(amounts, n) == subtraction(amounts, n + length)), "{amounts:?}");
    }
    assert_eq!(period(&[1, 2000]), None);
    assert!(subtraction(&[0, 1], 3).unwrap_err().contains("contains 0"));
}
