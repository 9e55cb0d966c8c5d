//! Random games with random automata claimed of them: nothing is proved that plain search contradicts, and nothing refuted but where
//! it first fails.
//!
//! The usual run tries 120 games, the campaign 3000, and `GRUNDY_GAMES=10000` so many. Every game has a number, from which alone it is
//! made: `GRUNDY_FIRST=5000` begins there.

use crate::proved::{SMALL, ctx};
use crate::rounds;
use grundy::claims::File;
use grundy::prover::{Argument, arguments};
use grundy::source::text::Sources;
use grundy::syntax::parse_file;
use grundy::typing::NoLoader;
use std::fmt::Write as _;
use std::sync::Arc;

/// Search goes so far, and no claim is looked at further.
const FAR: usize = 700;

struct Random(u64);

impl Random {
    /// That of one game.
    fn new(seed: u64, number: usize) -> Random {
        let number = u64::try_from(number).expect("64 bits");
        let mixed = (seed << 40 ^ number).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut random = Random(mixed ^ mixed >> 29);
        random.below(2);
        random
    }

    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % n
    }
}

/// A game of one number: take up to so many, leave a part, leave a part if nothing is lost by it.
struct Game {
    misere: bool,
    take: usize,
    part: Option<usize>,
    exact: Option<usize>,
}

impl Game {
    fn random(random: &mut Random) -> Game {
        let take = random.below(5);
        let mut part = |often: usize| (random.below(often) == 0).then(|| 2 + random.below(4));
        let (part, exact) = (part(2), part(4));
        Game {
            misere: random.below(4) == 0,
            take: if part.is_none() && exact.is_none() { take.max(1) } else { take },
            part,
            exact,
        }
    }

    fn text(&self) -> String {
        let mut text = format!("{}game G(n) {{\n", if self.misere { "misere " } else { "" });
        if self.take > 0 {
            writeln!(text, "  move take k in 1..min(n, {}) -> G(n - k)", self.take).expect("a string");
        }
        if let Some(by) = self.part {
            writeln!(text, "  move part where n > 0 -> G(n div {by})").expect("a string");
        }
        if let Some(by) = self.exact {
            writeln!(text, "  move exact where n > 0 and n mod {by} == 0 -> G(n div {by})").expect("a string");
        }
        text + "}\n"
    }

    fn options(&self, n: usize) -> Vec<usize> {
        let mut all: Vec<usize> = (1..=self.take.min(n)).map(|k| n - k).collect();
        all.extend(self.part.filter(|_| n > 0).map(|by| n / by));
        all.extend(self.exact.filter(|by| n > 0 && n.is_multiple_of(*by)).map(|by| n / by));
        all
    }

    /// Who loses, and Grundy values.
    fn solved(&self) -> (Vec<bool>, Vec<usize>) {
        let (mut lost, mut values) = (Vec::<bool>::new(), Vec::<usize>::new());
        for n in 0..FAR {
            let options = self.options(n);
            lost.push(if options.is_empty() { !self.misere } else { !options.iter().any(|&next| lost[next]) });
            values
                .push((0..=options.len()).find(|v| !options.iter().any(|&next| values[next] == *v)).expect("a value"));
        }
        (lost, values)
    }
}

/// An automaton that reads the digits of some numbers from the lowest on; base 1 is that of Fibonacci numbers.
struct Reader {
    base: usize,
    accepts: Vec<bool>,
    to: Vec<Vec<usize>>,
}

fn digits(mut n: usize, base: usize) -> Vec<usize> {
    let mut found = Vec::new();
    if base == 1 {
        let mut places = vec![1, 2];
        while places[places.len() - 1] <= n {
            places.push(places[places.len() - 1] + places[places.len() - 2]);
        }
        for place in places.into_iter().rev() {
            if place <= n {
                n -= place;
                found.push(1);
            } else if !found.is_empty() {
                found.push(0);
            }
        }
        found.reverse();
        return found;
    }
    while n > 0 {
        found.push(n % base);
        n /= base;
    }
    found
}

impl Reader {
    fn random(random: &mut Random, base: usize, reads: u32) -> Reader {
        let states = 1 + random.below(4);
        let letters = base.max(2).pow(reads);
        let row = |random: &mut Random| (0..letters).map(|_| random.below(states)).collect();
        Reader {
            base,
            accepts: (0..states).map(|_| random.below(2) == 0).collect(),
            to: (0..states).map(|_| row(random)).collect(),
        }
    }

    /// Remainders modulo p: a state is a remainder and what the next place is worth.
    fn remainders(base: usize, p: usize, accepts: &[bool]) -> Reader {
        let to = |state: usize| {
            let (rest, worth) = (state / p, state % p);
            (0..base).map(|digit| (rest + digit * worth) % p * p + worth * base % p).collect()
        };
        // State 0 must be where it begins: remainder 0, worth 1; so states are counted from there on.
        let first = 1 % p;
        let turn = |state: usize| (state + p * p - first) % (p * p);
        let mut reader = Reader { base, accepts: vec![false; p * p], to: vec![Vec::new(); p * p] };
        for state in 0..p * p {
            let row: Vec<usize> = to(state);
            reader.to[turn(state)] = row.into_iter().map(turn).collect();
            reader.accepts[turn(state)] = accepts[state / p];
        }
        reader
    }

    fn says(&self, numbers: &[usize]) -> bool {
        let words: Vec<Vec<usize>> = numbers.iter().map(|n| digits(*n, self.base)).collect();
        let mut state = 0;
        for place in 0..words.iter().map(Vec::len).max().expect("a number") {
            let mut letter = 0;
            for word in words.iter().rev() {
                letter = letter * self.base.max(2) + word.get(place).copied().unwrap_or(0);
            }
            state = self.to[state][letter];
        }
        self.accepts[state]
    }

    /// As a definition, and its call with these arguments.
    fn text(&self, names: &[&str], given: &[&str]) -> (String, String) {
        let list = |items: &mut dyn Iterator<Item = String>| items.collect::<Vec<_>>().join(", ");
        let rows = list(&mut self.to.iter().map(|row| format!("[{}]", list(&mut row.iter().map(ToString::to_string)))));
        let good = list(&mut (0..self.accepts.len()).filter(|s| self.accepts[*s]).map(|s| s.to_string()));
        let accepts = if good.is_empty() { "false".to_string() } else { format!("s in {{{good}}}") };
        let most = if names.len() == 1 { names[0].to_string() } else { format!("max({})", names.join(", ")) };
        let kinds = list(&mut names.iter().map(|name| format!("{name}: nat")));
        let given = given.join(", ");
        let base = self.base;
        if base == 1 {
            let letter: Vec<String> =
                names.iter().enumerate().map(|(i, n)| format!("{} * count([f in zeckendorf({n})])", 1 << i)).collect();
            let letter = letter.join(" + ");
            let text = format!(
                "def d(s: nat, f: nat, g: nat, {kinds}): bool = if f > {most} then {accepts} else d([{rows}][s][{letter}], g, f + g, {})\n",
                names.join(", ")
            );
            return (text, format!("d(0, 1, 2, {given})"));
        }
        let letter: Vec<String> =
            (0u32..).zip(names).map(|(i, n)| format!("{} * ({n} mod {base})", base.pow(i))).collect();
        let again = list(&mut names.iter().map(|name| format!("{name} div {base}")));
        let text = format!(
            "def d(s: nat, {kinds}): bool = if {most} == 0 then {accepts} else d([{rows}][s][{}], {again})\n",
            letter.join(" + ")
        );
        (text, format!("d(0, {given})"))
    }
}

/// The verdict of the only claim of a text: the word, and where it fails. The argument is shown to `check`.
fn verdict(game: &str, check: &mut dyn FnMut(&Argument)) -> String {
    let mut sources = Sources::default();
    let own = sources.add("random.game", game);
    let file = parse_file(&sources, own).unwrap_or_else(|errors| panic!("{errors:?}\n{game}"));
    let program = grundy::typing::check(&file, own, &mut sources, &mut NoLoader);
    let program = program.unwrap_or_else(|errors| panic!("{errors:?}\n{game}"));
    let mut ctx = ctx(Arc::new(program));
    let mut word = String::new();
    arguments(&mut ctx, SMALL, File { sources: &sources, own }, &mut |finding, argument| {
        word = match &finding.verdict {
            Ok(verdict) => verdict.word().to_string(),
            Err(error) => format!("ERROR {}", error.message),
        };
        if let Some((_, value)) = finding.counterexample.first() {
            write!(word, " n={value}").expect("a string");
        }
        check(&argument);
    });
    word
}

/// A game, a claim about it as a text, and whether it holds for n = 0, 1, 2, ..
fn statement(random: &mut Random) -> (String, Vec<bool>) {
    let game = Game::random(random);
    let (lost, values) = game.solved();
    let base = [1, 2, 3, 4, 5, 6][random.below(6)];
    let period = (1..=12).find(|p| (*p..FAR).all(|n| lost[n] == lost[n - p]));
    let (claim, holds): (String, Vec<bool>) = match (random.below(4), period) {
        (0, _) if !game.misere => {
            let reader = Reader::random(random, base.min(3), 2);
            let (text, call) = reader.text(&["n", "v"], &["n", "grundy(G(n))"]);
            let holds = (0..FAR).map(|n| reader.says(&[n, values[n]])).collect();
            (format!("{text}claim \"x\" for n in nat: {call}\n"), holds)
        }
        (1..=3, Some(p)) if base > 1 => {
            let mut accepts = lost[..p].to_vec();
            if random.below(2) == 0 {
                let at = random.below(p);
                accepts[at] = !accepts[at];
            }
            let reader = Reader::remainders(base, p, &accepts);
            let (text, call) = reader.text(&["n"], &["n"]);
            let holds = (0..FAR).map(|n| reader.says(&[n]) == lost[n]).collect();
            (format!("{text}claim \"x\" for n in nat: loses(G(n)) iff {call}\n"), holds)
        }
        _ => {
            let reader = Reader::random(random, base, 1);
            let (text, call) = reader.text(&["n"], &["n"]);
            let holds = (0..FAR).map(|n| reader.says(&[n]) == lost[n]).collect();
            (format!("{text}claim \"x\" for n in nat: loses(G(n)) iff {call}\n"), holds)
        }
    };
    (game.text() + &claim, holds)
}

#[test]
fn random_automata_claimed_of_random_games() {
    campaign(&mut |_, _, _| {});
}

/// A number that the environment may give.
pub(crate) fn number(name: &str, usual: u64) -> usize {
    let usual = usize::try_from(usual).expect("small");
    std::env::var(name).map_or(usual, |text| text.parse().expect("a number"))
}

/// Every game by itself; `check` sees the number of each, its text and what the prover found.
pub(crate) fn campaign(check: &mut dyn FnMut(usize, &str, &Argument)) {
    let (count, first) = (number("GRUNDY_GAMES", rounds(60, 3000)), number("GRUNDY_FIRST", 0));
    let seed = u64::try_from(number("GRUNDY_SEED", 1)).expect("64 bits");
    let (mut proved, mut refuted, mut open) = (0, 0, 0);
    for number in first..first + count {
        let (text, holds) = statement(&mut Random::new(seed, number));
        let told = verdict(&text, &mut |argument| check(number, &text, argument));
        let fails = holds.iter().position(|holds| !holds);
        if told.starts_with("PROVED") {
            assert_eq!(fails, None, "game {number}: {told}\n{text}");
            proved += 1;
        } else if told.starts_with("REFUTED") {
            let at = told.strip_prefix("REFUTED n=").expect("where");
            let at: usize = at.parse().expect("a number");
            assert!(fails == Some(at) || fails.is_none() && at >= FAR, "game {number}: {told} {fails:?}\n{text}");
            refuted += 1;
        } else {
            assert!(told.starts_with("UNKNOWN"), "game {number}: {told}\n{text}");
            open += 1;
        }
        if (number + 1 - first).is_multiple_of(500) {
            println!("to game {number}: {proved} proved, {refuted} refuted, {open} open");
        }
    }
    println!("{count} games: {proved} proved, {refuted} refuted, {open} open");
    assert!(proved * 20 > count && refuted * 4 > count && open * 4 < count, "{proved} {refuted} {open} of {count}");
}
