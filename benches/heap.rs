//! Speed of the engines for heap games beside the reference, in one run: `cargo bench --bench heap`.
//!
//! Seconds are those of the wall clock, least of three; the ratio to the reference is what can be compared between machines.
//! The reference is measured at 10^4 and 10^5 heaps, and extrapolated to 10^6: its time grows with the square for codes, with
//! the first power for sets. The process at the end is the program as users start it.

mod program;

use grundy_heap::game::Game;
use grundy_heap::instructions::Instructions;
use grundy_heap::naive::Naive;
use grundy_heap::sequence::Sequence;
use std::process::Command;
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

/// Seconds of the reference, measured once.
fn naive(text: &str, len: usize) -> f64 {
    let start = Instant::now();
    let mut values = Vec::new();
    Naive::new(game(text)).extend(&mut values, len, &mut |_| Ok(())).expect("small values");
    start.elapsed().as_secs_f64()
}

/// A set of so many amounts up to 1000 that look random.
fn set(size: u64) -> String {
    let amounts: Vec<String> = (1..=size).map(|i| (1 + i * i * 37 % 997).to_string()).collect();
    format!("{{{}}}", amounts.join(","))
}

fn main() {
    let columns = ["game", "instructions", "threads", "heaps", "seconds", "M heaps/s", "x naive"];
    let [game_, set_, threads, heaps, seconds, rate, ratio] = columns;
    println!("{game_:<26} {set_:>12} {threads:>7} {heaps:>9} {seconds:>10} {rate:>10} {ratio:>8}");
    let codes = [".6", "4!.", ".106", ".77", ".06"].map(|code| (code.to_string(), code.to_string(), true));
    let sets = [5, 10, 20, 35, 50].map(|size| (format!("a set of {size} up to 1000"), set(size), false));
    for (name, text, code) in codes.into_iter().chain(sets) {
        let plain = [10_000, 100_000].map(|len| naive(&text, len));
        let lens = [(10_000, plain[0]), (100_000, plain[1]), (1_000_000, plain[1] * if code { 100.0 } else { 10.0 })];
        for (len, reference) in lens {
            if name == ".06" && len == 1_000_000 {
                // A third of its heaps are rare.
                continue;
            }
            let all = Instructions::all();
            for (index, set) in all.iter().enumerate() {
                let best = index + 1 == all.len();
                for threads in 1..=if code && best { 2 } else { 1 } {
                    let seconds = least_of_three(|| {
                        let mut sequence = Sequence::with(game(&text), Vec::new(), *set);
                        sequence.use_threads(threads);
                        sequence.extend(len, &mut |_| Ok(())).expect("small values");
                    });
                    let rate = f64::from(u32::try_from(len).unwrap_or(0)) / seconds / 1e6;
                    let (set, ratio) = (set.to_string(), reference / seconds);
                    println!("{name:<26} {set:>12} {threads:>7} {len:>9} {seconds:>10.5} {rate:>10.2} {ratio:>8.0}");
                }
            }
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
    for size in [5, 10, 20, 35, 50] {
        let text = set(size);
        let mut sequence = Sequence::new(game(&text));
        sequence.search(1_000_000, &mut |_| Ok(())).expect("small values");
        if sequence.period().is_none_or(|period| period.proof.is_none()) {
            println!("a set of {size} has no period that 10^6 values show");
            continue;
        }
        let start = Instant::now();
        sequence.extend(200_000_000, &mut |_| Ok(())).expect("small values");
        println!("a set of {size} copied at {:.0} M values/s", 2e2 / start.elapsed().as_secs_f64());
    }
    let program = program::grundy().expect("the program is built");
    let seconds = least_of_three(|| {
        let mut kayles = Command::new(&program);
        let output = kayles.args(["heap", "0.77", "-n", "1e18", "--json"]).output().expect("the program runs");
        assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("\"value_at\":1"));
    });
    println!("a Kayles heap of 10^18, the whole process: {:.1} ms", 1e3 * seconds);
}
