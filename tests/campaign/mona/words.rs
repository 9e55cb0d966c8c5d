//! The predicates on which sources for MONA rest: order, sums, what is a number, and automata.

use super::text::sets;
use grundy_automata::{Automaton, System, Track};

/// `add`: C holds the places into which 1 is carried.
const BINARY: &str = "\
pred add(var2 X, var2 Y, var2 Z) = ex2 C: 0 notin C & all1 t:
  (t+1 in C <=> (t in X & t in Y | t in X & t in C | t in Y & t in C)) &
  (t in Z <=> ((t in X <=> t in Y) <=> t in C));
";

/// Whether all sets are numbers; otherwise `proper` says which.
pub(super) fn all_are_numbers(system: System) -> bool {
    system != System::ZECKENDORF && system.size().is_power_of_two()
}

/// What all sources of a system begin with: `leq`, `add`, and `proper` where it is needed.
pub(super) fn preliminaries(system: System) -> String {
    let mut text = order(system);
    match system {
        System::Binary => text += BINARY,
        System::Base(base) => text += &based(base, system),
        System::ZECKENDORF => {
            // No two neighbours.
            text += "pred proper(var2 X) = all1 t: t in X => t+1 notin X;\n";
            text += &fibonacci_addition();
        }
        System::Surd(_) => unreachable!("not written for MONA"),
    }
    text
}

/// That the digit of a number at a place is this one.
fn digit(name: &str, place: &str, digit: u8, system: System) -> String {
    let sets = sets(name, system).into_iter().enumerate();
    let bit = |(i, set)| format!("{place} {} {set}", if digit >> i & 1 == 1 { "in" } else { "notin" });
    sets.map(bit).collect::<Vec<_>>().join(" & ")
}

/// The parameters of a predicate.
fn parameters(names: &[&str], system: System) -> String {
    let sets = names.iter().flat_map(|name| sets(name, system));
    sets.map(|set| format!("var2 {set}")).collect::<Vec<_>>().join(", ")
}

fn any(ways: Vec<String>) -> String {
    let ways: Vec<String> = ways.into_iter().map(|way| format!("({way})")).collect();
    if ways.is_empty() { "false".into() } else { format!("({})", ways.join(" | ")) }
}

/// `leq`: the highest place at which two numbers differ decides.
fn order(system: System) -> String {
    let pairs = |place: &str, how: &str| -> String {
        let pairs = sets("X", system).into_iter().zip(sets("Y", system));
        pairs.map(|(x, y)| format!("({place} in {x} {how} {place} in {y})")).collect::<Vec<_>>().join(" & ")
    };
    let mut less = Vec::new();
    for x in 0..system.size() {
        less.extend(
            (x + 1..system.size()).map(|y| format!("{} & {}", digit("X", "t", x, system), digit("Y", "t", y, system))),
        );
    }
    format!(
        "pred leq({}) = (all1 s: {}) | ex1 t: {} & all1 s: s > t => ({});\n",
        parameters(&["X", "Y"], system),
        pairs("s", "<=>"),
        any(less),
        pairs("s", "<=>")
    )
}

/// `add` and `proper` for a base: C holds the places into which 1 is carried.
fn based(base: u8, system: System) -> String {
    let mut ways = Vec::new();
    for x in 0..base {
        for y in 0..base {
            for carry in 0..2 {
                let sum = x + y + carry;
                let carries = |place: &str, one: bool| format!("{place} {} C", if one { "in" } else { "notin" });
                ways.push(format!(
                    "{} & {} & {} & {} & {}",
                    digit("X", "t", x, system),
                    digit("Y", "t", y, system),
                    carries("t", carry == 1),
                    digit("Z", "t", sum % base, system),
                    carries("t+1", sum >= base)
                ));
            }
        }
    }
    let mut text =
        format!("pred add({}) = ex2 C: 0 notin C & all1 t: {};\n", parameters(&["X", "Y", "Z"], system), any(ways));
    if !all_are_numbers(system) {
        let digits = (0..base).map(|d| digit("X", "t", d, system)).collect();
        let proper = format!("pred proper({}) = all1 t: {};\n", parameters(&["X"], system), any(digits));
        text += &proper;
    }
    text
}

/// A predicate that is true of the words of an automaton: the sets S hold the binary digits of the number of the state before
/// each place, up to the place e behind the last digits.
pub(super) fn word(name: &str, automaton: &Automaton, variables: usize, system: System) -> String {
    let width = usize::BITS - automaton.states().saturating_sub(1).leading_zeros();
    let names: Vec<String> = (0..variables).map(|i| format!("X{i}")).collect();
    let read: Vec<String> = names.iter().flat_map(|name| sets(name, system)).collect();
    let set = |track: Track| {
        let (variable, bit) = system.variable(track);
        let sets = names.get(variable as usize).map(|name| sets(name, system));
        sets.and_then(|sets| sets.get(bit as usize).cloned()).unwrap_or_default()
    };
    let is = |state: usize, place: &str| {
        let bit = |i: u32| format!("{place} {} S{i}", if state >> i & 1 == 1 { "in" } else { "notin" });
        let bits: Vec<String> = (0..width).map(bit).collect();
        if bits.is_empty() { "true".into() } else { bits.join(" & ") }
    };
    let mut steps = Vec::new();
    for state in 0..automaton.states() {
        for (bits, next) in automaton.ways(state) {
            let bit = |(track, one): &(Track, bool)| format!("t {} {}", if *one { "in" } else { "notin" }, set(*track));
            let bits: Vec<String> = bits.iter().map(bit).collect();
            let bits = if bits.is_empty() { String::new() } else { format!("{} & ", bits.join(" & ")) };
            steps.push(format!("{} & {bits}{}", is(state, "t"), is(next, "t+1")));
        }
    }
    let accepting =
        (0..automaton.states()).filter(|&state| automaton.accepting[state]).map(|state| is(state, "e")).collect();
    let states: Vec<String> = (0..width).map(|i| format!("S{i}")).collect();
    let some = if states.is_empty() { String::new() } else { format!("ex2 {}: ", states.join(", ")) };
    let over: Vec<String> = read.iter().map(|set| format!("t notin {set}")).collect();
    let over = if over.is_empty() { "true".into() } else { over.join(" & ") };
    let parameters: Vec<&str> = names.iter().map(String::as_str).collect();
    format!(
        "pred {name}({}) = {some}ex1 e: {} & (all1 t: t >= e => {over}) & (all1 t: t < e => {}) & {};\n",
        self::parameters(&parameters, system),
        is(automaton.start, "0"),
        any(steps),
        any(accepting)
    )
}

/// `add` for Fibonacci numbers: after the digits from a place on, the difference is `u F(i) + w F(i - 1)`; a digit sum d turns
/// `(u, w)` into `(u + w + d, u)`, and all pairs that can still come to 0 are few (Frougny, 1992). The number of the pair
/// stands in the sets S, its binary digits; it is 0 for the pair (0, 0), so that far above the highest place all is empty.
fn fibonacci_addition() -> String {
    type Pair = (i32, i32);
    let step = |(u, w): Pair, d: i32| (u + w + d, u);
    let near = |(u, w): Pair| u.abs() <= 4 && w.abs() <= 4;
    let mut reached: Vec<Pair> = vec![(0, 0)];
    let mut at = 0;
    while let Some(&pair) = reached.get(at) {
        at += 1;
        for d in -1..=2 {
            let next = step(pair, d);
            if near(next) && !reached.contains(&next) {
                reached.push(next);
            }
        }
    }
    // Those from which the difference 0 can still be reached.
    let mut good: Vec<Pair> = reached.iter().copied().filter(|(u, w)| u + w == 0).collect();
    let mut at = 0;
    while let Some(&goal) = good.get(at) {
        at += 1;
        for &pair in &reached {
            if (-1..=2).any(|d| step(pair, d) == goal) && !good.contains(&pair) {
                good.push(pair);
            }
        }
    }
    reached.retain(|pair| good.contains(pair));
    let width = reached.len().next_power_of_two().trailing_zeros();
    // `place` is the place of the pair: that of all digits from there on.
    let is = |number: usize, place: &str| {
        let bit = |i: u32| format!("{place} {} S{i}", if number >> i & 1 == 1 { "in" } else { "notin" });
        (0..width).map(bit).collect::<Vec<_>>().join(" & ")
    };
    let digits = |d: i32| {
        let mut ways = Vec::new();
        for (x, y, z) in (0..8).map(|bits| (bits & 1, bits >> 1 & 1, bits >> 2 & 1)) {
            if x + y - z == d {
                let bit = |name: &str, one: i32| format!("t {} {name}", if one == 1 { "in" } else { "notin" });
                ways.push(format!("{} & {} & {}", bit("X", x), bit("Y", y), bit("Z", z)));
            }
        }
        format!("({})", ways.join(" | "))
    };
    let mut steps = Vec::new();
    for (from, &pair) in reached.iter().enumerate() {
        for d in -1..=2 {
            if let Some(to) = reached.iter().position(|&other| other == step(pair, d)) {
                steps.push(format!("{} & {} & {}", is(from, "t+1"), digits(d), is(to, "t")));
            }
        }
    }
    let ends: Vec<String> =
        (0..reached.len()).filter(|&i| reached[i].0 + reached[i].1 == 0).map(|i| format!("({})", is(i, "0"))).collect();
    let sets: Vec<String> = (0..width).map(|i| format!("S{i}")).collect();
    format!(
        "pred add(var2 X, var2 Y, var2 Z) = ex2 {}: ({}) & all1 t:\n  ({});\n",
        sets.join(", "),
        ends.join(" | "),
        steps.join(" |\n   ")
    )
}
