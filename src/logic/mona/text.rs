//! Formulas as sources of MONA.

use crate::logic::arithmetic::System;
use crate::logic::diagram::Track;
use crate::logic::formula::{Atom, Formula, Linear, Sense};
use crate::logic::limit::Reason;
use num_bigint::{BigInt, BigUint};
use num_traits::Signed;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Sources do not grow beyond so many bytes.
const LONGEST: usize = 16 << 20;

/// What both systems need. `leq`: the highest place at which two numbers differ decides.
const COMMON: &str = "\
pred leq(var2 X, var2 Y) = X = Y | ex1 t: t in Y & t notin X & all1 s: s > t => (s in X <=> s in Y);
";

/// `add`: C holds the places into which 1 is carried.
const BINARY: &str = "\
pred add(var2 X, var2 Y, var2 Z) = ex2 C: 0 notin C & all1 t:
  (t+1 in C <=> (t in X & t in Y | t in X & t in C | t in Y & t in C)) &
  (t in Z <=> ((t in X <=> t in Y) <=> t in C));
";

/// `proper`: no two neighbours.
const PROPER: &str = "pred proper(var2 X) = all1 t: t in X => t+1 notin X;\n";

/// The name of the variable that is the i-th of those not bound.
pub(super) fn variable(i: usize) -> String {
    format!("v{i}")
}

/// A source whose satisfying examples are the numbers that make a formula true, and which variables these are, in the order
/// of their names `v0`, `v1`, ..
///
/// # Errors
/// When it is too long, or speaks of words of automata.
pub fn text(formula: &Formula, system: System) -> Result<(String, Vec<Track>), Reason> {
    let tracks: Vec<Track> = formula.free().into_iter().collect();
    let mut writer = Writer { system, names: BTreeMap::new(), fresh: tracks.len() };
    let mut text = String::from(COMMON);
    match system {
        System::Binary => text += BINARY,
        System::Zeckendorf => {
            text += PROPER;
            text += &fibonacci_addition();
        }
    }
    for (i, &track) in tracks.iter().enumerate() {
        writer.names.insert(track, vec![variable(i)]);
        writeln!(text, "var2 {};", variable(i)).unwrap_or_default();
        text += &writer.proper(&variable(i), ";\n");
    }
    writer.formula(formula, &mut text)?;
    text += ";\n";
    Ok((text, tracks))
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

struct Writer {
    system: System,
    /// What each variable is called now; the last name counts.
    names: BTreeMap<Track, Vec<String>>,
    fresh: usize,
}

impl Writer {
    fn name(&self, track: Track) -> &str {
        self.names.get(&track).and_then(|names| names.last()).map_or("?", String::as_str)
    }

    fn new_name(&mut self) -> String {
        self.fresh += 1;
        format!("w{}", self.fresh)
    }

    /// That a variable is a number at all, in the system of Zeckendorf.
    fn proper(&self, name: &str, behind: &str) -> String {
        if self.system == System::Zeckendorf { format!("proper({name}){behind}") } else { String::new() }
    }

    fn formula(&mut self, formula: &Formula, text: &mut String) -> Result<(), Reason> {
        if text.len() > LONGEST {
            return Err(Reason::Failed(format!("the text for mona is longer than {LONGEST} bytes")));
        }
        match formula {
            Formula::Constant(value) => *text += if *value { "true" } else { "false" },
            Formula::Atom(atom) => *text += &self.atom(atom)?,
            Formula::Not(inner) => {
                *text += "~(";
                self.formula(inner, text)?;
                text.push(')');
            }
            Formula::All(parts) => self.many(parts, " & ", "true", text)?,
            Formula::Any(parts) => self.many(parts, " | ", "false", text)?,
            Formula::Exists(tracks, inner) => {
                text.push('(');
                for &track in tracks {
                    let name = self.new_name();
                    let proper = self.proper(&name, " & ");
                    write!(text, "ex2 {name}: {proper}").unwrap_or_default();
                    self.names.entry(track).or_default().push(name);
                }
                text.push('(');
                self.formula(inner, text)?;
                *text += "))";
                for track in tracks {
                    self.names.entry(*track).or_default().pop();
                }
            }
        }
        Ok(())
    }

    fn many(&mut self, parts: &[Formula], between: &str, none: &str, text: &mut String) -> Result<(), Reason> {
        if parts.is_empty() {
            *text += none;
        }
        for (i, part) in parts.iter().enumerate() {
            *text += if i > 0 { between } else { "" };
            text.push('(');
            self.formula(part, text)?;
            text.push(')');
        }
        Ok(())
    }

    fn atom(&mut self, atom: &Atom) -> Result<String, Reason> {
        Ok(match atom {
            Atom::Sum(sum, sense) => self.sum(sum, *sense),
            Atom::Multiple(sum, of) => {
                // The sum is s, and s is a multiple q * of; all multiples in the sum are natural or become so.
                let rest = |number: &BigInt| num_integer::Integer::mod_floor(number, of).magnitude().clone();
                let terms: Vec<(BigUint, String)> =
                    sum.terms.iter().map(|(&track, multiple)| (rest(multiple), self.name(track).to_string())).collect();
                let (s, q) = (self.new_name(), self.new_name());
                let is = self.value(&terms, &rest(&sum.constant), &s);
                let multiple = self.value(&[(of.magnitude().clone(), q.clone())], &BigUint::ZERO, &s);
                let (proper_s, proper_q) = (self.proper(&s, " & "), self.proper(&q, " & "));
                format!("ex2 {s}: {proper_s}{is} & (ex2 {q}: {proper_q}{multiple})")
            }
            Atom::Xor(x, y, z) => {
                let (x, y, z) = (self.name(*x), self.name(*y), self.name(*z));
                format!("{z} = ({x} \\ {y}) union ({y} \\ {x})")
            }
            Atom::Meet(x, y, z) => format!("{} = {} inter {}", self.name(*z), self.name(*x), self.name(*y)),
            Atom::Place(x) => format!("ex1 t: {} = {{t}}", self.name(*x)),
            Atom::Part(p, x) => format!("ex1 t: {} = {{t}} & t in {}", self.name(*p), self.name(*x)),
            Atom::Shift(x, y) => format!("{} = {} + 1", self.name(*y), self.name(*x)),
            Atom::Word(..) => return Err(Reason::Failed("words of automata are not told to mona".into())),
        })
    }

    /// Both sides of a comparison are added up apart.
    fn sum(&mut self, sum: &Linear, sense: Sense) -> String {
        let mut sides: [Vec<(BigUint, String)>; 2] = Default::default();
        for (&track, multiple) in &sum.terms {
            sides[usize::from(multiple.is_negative())]
                .push((multiple.magnitude().clone(), self.name(track).to_string()));
        }
        let [low, high] = sides;
        let zero = BigUint::ZERO;
        let constant = sum.constant.magnitude();
        let [low_constant, high_constant] =
            if sum.constant.is_negative() { [&zero, constant] } else { [constant, &zero] };
        let a = self.new_name();
        let low = self.value(&low, low_constant, &a);
        let proper = self.proper(&a, " & ");
        match sense {
            Sense::Zero => format!("ex2 {a}: {proper}{low} & {}", self.value(&high, high_constant, &a)),
            Sense::AtMostZero => {
                let b = self.new_name();
                let high = self.value(&high, high_constant, &b);
                let proper_b = self.proper(&b, " & ");
                format!("ex2 {a}: {proper}{low} & (ex2 {b}: {proper_b}{high} & leq({a}, {b}))")
            }
        }
    }

    /// That a variable has the value of a sum of natural multiples: by doubling and adding, from the highest bit of all
    /// multiples on (Horner). Each step binds what came before, so that it can be forgotten.
    fn value(&mut self, terms: &[(BigUint, String)], constant: &BigUint, goal: &str) -> String {
        let bits = terms.iter().map(|(multiple, _)| multiple.bits()).max().unwrap_or(0);
        let mut said: Option<(String, String)> = None;
        let mut then = |writer: &mut Self, other: Option<&str>| {
            said = Some(match (said.take(), other) {
                // The first summand needs no addition.
                (None, Some(other)) => (other.to_string(), String::new()),
                (None, None) => return,
                (Some((before, how)), other) => {
                    let next = writer.new_name();
                    let step = format!("add({before}, {}, {next})", other.unwrap_or(&before));
                    if how.is_empty() {
                        return said = Some((next, step));
                    }
                    let proper = writer.proper(&before, " & ");
                    (next, format!("(ex2 {before}: {proper}{how} & {step})"))
                }
            });
        };
        for bit in (0..bits).rev() {
            then(self, None);
            for (multiple, name) in terms {
                if multiple.bit(bit) {
                    then(self, Some(name));
                }
            }
        }
        if *constant != BigUint::ZERO {
            then(self, Some(&self.set(constant)));
        }
        match said {
            None => format!("{goal} = empty"),
            Some((last, how)) if how.is_empty() => format!("{goal} = {last}"),
            Some((last, how)) => {
                let proper = self.proper(&last, " & ");
                format!("(ex2 {last}: {proper}{how} & {goal} = {last})")
            }
        }
    }

    /// A known number.
    fn set(&self, number: &BigUint) -> String {
        let digits = self.system.digits(number);
        let places: Vec<String> =
            digits.iter().enumerate().filter(|(_, digit)| **digit).map(|(place, _)| place.to_string()).collect();
        format!("{{{}}}", places.join(","))
    }
}
