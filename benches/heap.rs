//! Speed of the engines for heap games beside the reference, in one run: `cargo bench --bench heap`.
//!
//! Seconds are those of the wall clock, least of three; the ratio to the reference is what can be compared between machines.
//! Beyond 10^4 heaps the time of the reference is extrapolated: it grows with the square for codes, with the first power
//! for sets.

use grundy::heap::game::Game;
use grundy::heap::instructions::Instructions;
use grundy::heap::naive::Naive;
use grundy::heap::sequence::Sequence;
use std::time::Instant;

fn least_of_three(mut work: impl FnMut()) -> f64 {
    let one = |()| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64()
    };
    [(), (), ()].map(one).into_iter().fold(f64::INFINITY, f64::min)
}

fn game(text: &str) -> Game {
    Game::parse(text).expect("a game")
}

fn naive(text: &str, len: usize) -> f64 {
    least_of_three(|| {
        let mut values = Vec::new();
        Naive::new(game(text)).extend(&mut values, len, &mut |_| Ok(())).expect("small values");
    })
}

/// A set of so many amounts up to 1000 that look random.
fn set(size: u64) -> String {
    let amounts: Vec<String> = (1..=size).map(|i| (1 + i * i * 37 % 997).to_string()).collect();
    format!("{{{}}}", amounts.join(","))
}

fn main() {
    println!("{:<26} {:>7} {:>10} {:>10} {:>13} {:>9}", "game", "threads", "heaps", "seconds", "heaps/s", "x naive");
    let codes = [".6", "4!.", ".106", ".77"].map(|code| (code.to_string(), code.to_string(), 2));
    let sets = [5, 10, 20, 35, 50].map(|size| (format!("a set of {size} up to 1000"), set(size), 1));
    for (name, text, power) in codes.into_iter().chain(sets) {
        let plain = naive(&text, 10_000);
        for (len, grown) in [(10_000, 1.0), (100_000, 10.0), (1_000_000, 100.0_f64)] {
            for threads in if power == 2 && len == 1_000_000 { 1..=2 } else { 1..=1 } {
                let seconds = least_of_three(|| {
                    let mut sequence = Sequence::new(game(&text));
                    sequence.use_threads(threads);
                    sequence.extend(len, &mut |_| Ok(())).expect("small values");
                });
                let reference = plain * grown.powi(power);
                let rate = f64::from(u32::try_from(len).unwrap_or(0)) / seconds;
                println!("{name:<26} {threads:>7} {len:>10} {seconds:>10.4} {rate:>13.0} {:>9.0}", reference / seconds);
            }
        }
    }
    for set in Instructions::all() {
        for text in [".6", ".77"] {
            let seconds = least_of_three(|| {
                let mut sequence = Sequence::with(game(text), Vec::new(), set);
                sequence.extend(1_000_000, &mut |_| Ok(())).expect("small values");
            });
            println!("{text} by {set:?}: {seconds:.4} s");
        }
    }
    for text in [".16", ".56", ".354"] {
        let mut proved = 0;
        let seconds = least_of_three(|| {
            let mut sequence = Sequence::new(game(text));
            sequence.search(100_000_000, &mut |_| Ok(())).expect("small values");
            proved = sequence.values().len();
            assert!(sequence.period().is_some_and(|period| period.proof.is_some()), "{text} has a period");
        });
        println!("{text} proved by {proved} values in {seconds:.4} s");
    }
    for size in [5, 20] {
        let text = set(size);
        let mut sequence = Sequence::new(game(&text));
        sequence.search(1_000_000, &mut |_| Ok(())).expect("small values");
        assert!(sequence.period().is_some_and(|period| period.proof.is_some()), "{text} has a period");
        let start = Instant::now();
        sequence.extend(200_000_000, &mut |_| Ok(())).expect("small values");
        println!("a set of {size} copied at {:.0} values/s", 2e8 / start.elapsed().as_secs_f64());
    }
}
