//! Heap games far out: engines compiled with optimisation, against the definition of their values and against the reference.

use crate::definition::first_wrong;
use crate::heaps::{Random, game, naive};
use crate::{LONG, rounds};
use grundy_heap::instructions::Instructions;
use grundy_heap::sequence::Sequence;

/// Values of a code: enough for all engines to come into play, and far out in the campaign.
fn heaps() -> usize {
    if LONG { 20_000 } else { 2500 }
}

/// All instructions give the same values, which are those of the definition, for the second reason also those of the reference.
fn compare(code: &str, reference: bool) {
    let mut first: Option<Vec<u16>> = None;
    for set in Instructions::all() {
        let mut sequence = Sequence::with(game(code), Vec::new(), set);
        sequence.extend(heaps(), &mut |_| Ok(())).expect("the values are small");
        let values = &sequence.values()[..heaps()];
        match &first {
            Some(first) => assert!(values == first, "{code} by {set:?}"),
            None => first = Some(values.to_vec()),
        }
    }
    let values = first.unwrap_or_default();
    assert_eq!(first_wrong(code, &values), None, "{code}");
    if reference {
        assert!(values == naive(code, heaps()), "{code} by the reference");
    }
}

/// 125 codes, or a few of the same.
fn quarter(seed: u64) {
    let mut random = Random(seed);
    for round in 0..rounds(8, 125) {
        compare(&random.code(), round % 25 == 0);
    }
}

// Four quarters, so that they go side by side.
#[test]
fn the_first_quarter_of_500_codes() {
    quarter(88_172_645_463_325_252);
}

#[test]
fn the_second_quarter_of_500_codes() {
    quarter(0x9e37_79b9_7f4a_7c15);
}

#[test]
fn the_third_quarter_of_500_codes() {
    quarter(0x2545_f491_4f6c_dd1d);
}

#[test]
fn the_fourth_quarter_of_500_codes() {
    quarter(0xd1b5_4a32_d192_ed03);
}

#[test]
fn values_of_all_widths() {
    // Values up to 302, 777, 5000; takes that make values as large as they are many, up to beyond what has places.
    for code in [".6", "4!.", ".06", ".04040404", ".00606"] {
        compare(code, false);
    }
    let takes: &[usize] = if LONG { &[1000, 3000, 6000, 9900] } else { &[1000] };
    for &takes in takes {
        compare(&format!("0.{}7", "3".repeat(takes)), false);
    }
}

#[test]
fn long_periods_are_proved() {
    let known = [(".16", 105_351, 149_459), (".56", 326_640, 144), (".376", 2_268_248, 4), (".354", 10_061_916, 1180)];
    for (text, start, length) in known.into_iter().take(if LONG { 4 } else { 2 }) {
        let mut sequence = Sequence::new(game(text));
        sequence.search(40_000_000, &mut |_| Ok(())).expect("the values are small");
        let period = sequence.period().map(|p| (p.start, p.length, p.saltus, p.proof.is_some()));
        assert_eq!(period, Some((start, length, 0, true)), "{text}");
    }
}

#[test]
fn the_definition_finds_a_wrong_value() {
    let values = naive(".137", 3000);
    assert_eq!(first_wrong(".137", &values), None);
    for heap in [1, 2, 70, 1500, 2999] {
        for wrong in [values[heap] + 1, values[heap].wrapping_sub(1), 0] {
            let mut values = values.clone();
            if values[heap] != wrong {
                values[heap] = wrong;
                assert_eq!(first_wrong(".137", &values), Some(heap), "{wrong} at {heap}");
            }
        }
    }
}
