//! Speed of the engines for heap games beside the reference, in one run: `cargo bench --bench heap`.
//!
//! Seconds are those of the wall clock, least of three; the ratio to the reference is what can be compared between machines.
//! Beyond 10^4 heaps the time of the reference is extrapolated: it grows with the square for codes, with the first power
//! for sets.

use grundy::heap::game::Game;
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

fn main() {
    println!("{:<32} {:>10} {:>10} {:>14} {:>9}", "game", "heaps", "seconds", "heaps/s", "x naive");
    let sets = ["{3,17,200,555,999}", "{5,61,88,140,233,310,402,477,520,611,702,750,801,860,901,944,951,977,990,1000}"];
    for (text, power) in [(".6", 2), ("4!.", 2), (".106", 2), (".77", 2), (sets[0], 1), (sets[1], 1)] {
        let plain = naive(text, 10_000);
        for (len, grown) in [(10_000, 1.0), (100_000, 10.0), (1_000_000, 100.0_f64)] {
            let seconds = least_of_three(|| {
                let mut sequence = Sequence::new(game(text));
                sequence.extend(len, &mut |_| Ok(())).expect("small values");
            });
            let reference = plain * grown.powi(power);
            let rate = f64::from(u32::try_from(len).unwrap_or(0)) / seconds;
            let name: String = text.chars().take(32).collect();
            println!("{name:<32} {len:>10} {seconds:>10.4} {rate:>14.0} {:>9.0}", reference / seconds);
        }
    }
    for (text, len) in [(".16", 1_000_000), (".56", 1_000_000), (".354", 40_000_000)] {
        let start = Instant::now();
        let mut sequence = Sequence::new(game(text));
        sequence.search(len, &mut |_| Ok(())).expect("small values");
        let period = sequence.period().map_or(0, |period| period.length);
        println!("{text:<32} period {period} proved in {:.3} s", start.elapsed().as_secs_f64());
    }
    for text in sets {
        let mut sequence = Sequence::new(game(text));
        sequence.search(1_000_000, &mut |_| Ok(())).expect("small values");
        let start = Instant::now();
        sequence.extend(200_000_000, &mut |_| Ok(())).expect("small values");
        println!("{:.32} copied at {:.0} values/s", text, 2e8 / start.elapsed().as_secs_f64());
    }
}
