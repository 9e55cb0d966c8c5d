//! Random games of numbers and flags, as a text for the engine and as rules for the naive solver.

#![allow(dead_code, unreachable_pub, clippy::missing_panics_doc)]

use super::naive::{End, Finish, Rng, Rules, State, Target};
use std::fmt::Write as _;

/// A number that is never negative, whatever the fields are.
#[derive(Clone, Debug)]
pub enum Num {
    Field(usize),
    /// A name bound in the move.
    Name(usize),
    /// A `let` of the game.
    Let(usize),
    Const(i64),
    Add(Box<Num>, Box<Num>),
    Mul(Box<Num>, Box<Num>),
    Apart(Box<Num>, Box<Num>),
    Div(Box<Num>, i64),
    Mod(Box<Num>, i64),
    /// Quotient and remainder by one more than the second.
    Over(Box<Num>, Box<Num>),
    Rest(Box<Num>, Box<Num>),
    Min(Box<Num>, Box<Num>),
    Max(Box<Num>, Box<Num>),
    Xor(Box<Num>, Box<Num>),
    Table(Box<Num>),
    /// A def with a lazy part.
    Def(Box<Num>, Box<Num>),
    If(Box<Truth>, Box<Num>, Box<Num>),
    /// May be negative: an error when a nat is wanted.
    Less(Box<Num>, Box<Num>),
}

/// A condition.
#[derive(Clone, Debug)]
pub enum Truth {
    Flag(usize),
    Compare(&'static str, Num, Num),
    Not(Box<Truth>),
    Both(Box<Truth>, Box<Truth>),
    Either(Box<Truth>, Box<Truth>),
}

/// What becomes of a field.
#[derive(Clone, Debug)]
pub enum New {
    Num(Num),
    Flag(Truth),
}

/// A clause of a move.
#[derive(Clone, Debug)]
pub enum Clause {
    In(Num, Num),
    Is(Num),
    Where(Truth),
}

/// Where a move leads.
#[derive(Clone, Debug)]
pub enum To {
    Go(Vec<Vec<New>>),
    Again(Vec<New>),
    Finish(Finish),
    If(Truth, Box<To>, Box<To>),
}

/// How a field is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Nat,
    Int,
    Bool,
}

/// What kind of game is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plays {
    /// Some field goes down with every move, those before it in an order stay.
    Ordered,
    /// Only the sum of the first two goes down.
    Sums,
    /// A play may come back.
    Cyclic,
}

/// A game.
#[derive(Clone, Debug)]
pub struct Game {
    pub sorts: Vec<Sort>,
    pub start: Vec<i64>,
    pub lets: Vec<Num>,
    pub ends: Vec<(Truth, End)>,
    pub legal: Vec<Truth>,
    pub same: Vec<(Vec<New>, Truth)>,
    pub moves: Vec<(Vec<Clause>, To)>,
    pub misere: bool,
    pub sums: bool,
}

const TABLE: [i64; 7] = [3, 0, 2, 7, 1, 5, 2];

struct Here<'a> {
    game: &'a Game,
    state: &'a [i64],
    names: Vec<i64>,
}

impl Here<'_> {
    fn num(&self, num: &Num) -> i64 {
        match num {
            Num::Field(i) => self.state[*i],
            Num::Name(i) => self.names[*i],
            Num::Let(i) => self.num(&self.game.lets[*i]),
            Num::Const(k) => *k,
            Num::Add(a, b) => self.num(a) + self.num(b),
            Num::Mul(a, b) => self.num(a) * self.num(b),
            Num::Apart(a, b) => (self.num(a) - self.num(b)).abs(),
            Num::Div(a, k) => self.num(a).div_euclid(*k),
            Num::Mod(a, k) => self.num(a).rem_euclid(*k),
            Num::Over(a, b) => self.num(a).div_euclid(self.num(b) + 1),
            Num::Rest(a, b) => self.num(a).rem_euclid(self.num(b) + 1),
            Num::Min(a, b) => self.num(a).min(self.num(b)),
            Num::Max(a, b) => self.num(a).max(self.num(b)),
            Num::Xor(a, b) => self.num(a) ^ self.num(b),
            Num::Table(a) => TABLE[usize::try_from(self.num(a) % 7).expect("small")],
            Num::Def(a, b) => {
                let (x, y) = (self.num(a), self.num(b));
                let z = (x * 3 + y) % 5;
                if x > y + 1 { z + x % 2 } else { y }
            }
            Num::If(c, a, b) => self.num(if self.truth(c) { a } else { b }),
            Num::Less(a, b) => self.num(a) - self.num(b),
        }
    }

    fn truth(&self, truth: &Truth) -> bool {
        match truth {
            Truth::Flag(i) => self.state[*i] != 0,
            Truth::Compare(op, a, b) => {
                let order = self.num(a).cmp(&self.num(b));
                match *op {
                    "<" => order.is_lt(),
                    "<=" => order.is_le(),
                    "==" => order.is_eq(),
                    _ => order.is_ne(),
                }
            }
            Truth::Not(a) => !self.truth(a),
            Truth::Both(a, b) => self.truth(a) && self.truth(b),
            Truth::Either(a, b) => self.truth(a) || self.truth(b),
        }
    }

    fn state(&self, new: &[New]) -> State {
        let mut state = vec![0];
        state.extend(new.iter().map(|new| match new {
            New::Num(num) => self.num(num),
            New::Flag(truth) => i64::from(self.truth(truth)),
        }));
        state
    }

    fn target(&self, to: &To) -> Target {
        match to {
            To::Go(parts) => Target::sum(parts.iter().map(|part| self.state(part)).collect()),
            To::Again(part) => Target::Go { parts: vec![self.state(part)], again: true, gain: 0 },
            To::Finish(finish) => Target::Finish(*finish),
            To::If(c, a, b) => self.target(if self.truth(c) { a } else { b }),
        }
    }

    fn ways(&mut self, clauses: &[Clause], name: &str, to: &To, out: &mut Vec<(String, Target)>) {
        let Some((first, rest)) = clauses.split_first() else {
            out.push((name.to_string(), self.target(to)));
            return;
        };
        match first {
            Clause::In(lo, hi) => {
                for k in self.num(lo)..=self.num(hi) {
                    self.names.push(k);
                    self.ways(rest, &format!("{name} {k}"), to, out);
                    self.names.pop();
                }
            }
            Clause::Is(num) => {
                let value = self.num(num);
                self.names.push(value);
                self.ways(rest, name, to, out);
                self.names.pop();
            }
            Clause::Where(truth) => {
                if self.truth(truth) {
                    self.ways(rest, name, to, out);
                }
            }
        }
    }
}

impl Rules for Game {
    fn end(&self, state: &State) -> Option<End> {
        let here = Here { game: self, state: &state[1..], names: Vec::new() };
        self.ends.iter().find(|(truth, _)| here.truth(truth)).map(|(_, end)| *end)
    }

    fn legal(&self, state: &State) -> bool {
        let here = Here { game: self, state: &state[1..], names: Vec::new() };
        self.legal.iter().all(|truth| here.truth(truth))
    }

    fn same(&self, state: &State) -> Option<State> {
        let here = Here { game: self, state: &state[1..], names: Vec::new() };
        self.same.iter().find(|(_, when)| here.truth(when)).map(|(part, _)| here.state(part))
    }

    fn moves(&self, state: &State) -> Vec<(String, Target)> {
        let mut here = Here { game: self, state: &state[1..], names: Vec::new() };
        let mut out = Vec::new();
        for (i, (clauses, to)) in self.moves.iter().enumerate() {
            here.ways(clauses, &format!("m{i}"), to, &mut out);
        }
        out
    }
}

// ---------------------------------------------------------------- as text

fn field(i: usize) -> char {
    char::from(b"abcd"[i])
}

impl Num {
    fn text(&self) -> String {
        match self {
            Num::Field(i) => field(*i).to_string(),
            Num::Name(i) => format!("k{i}"),
            Num::Let(i) => format!("l{i}"),
            Num::Const(k) => k.to_string(),
            Num::Add(a, b) => format!("({} + {})", a.text(), b.text()),
            Num::Mul(a, b) => format!("({} * {})", a.text(), b.text()),
            Num::Apart(a, b) => format!("abs({} - {})", a.text(), b.text()),
            Num::Div(a, k) => format!("({} div {k})", a.text()),
            Num::Mod(a, k) => format!("({} mod {k})", a.text()),
            Num::Over(a, b) => format!("({} div ({} + 1))", a.text(), b.text()),
            Num::Rest(a, b) => format!("({} mod ({} + 1))", a.text(), b.text()),
            Num::Min(a, b) => format!("min({}, {})", a.text(), b.text()),
            Num::Max(a, b) => format!("max({}, {})", a.text(), b.text()),
            Num::Xor(a, b) => format!("({} xor {})", a.text(), b.text()),
            Num::Table(a) => format!("numbers[{} mod 7]", a.text()),
            Num::Def(a, b) => format!("mixed({}, {})", a.text(), b.text()),
            Num::If(c, a, b) => format!("(if {} then {} else {})", c.text(), a.text(), b.text()),
            Num::Less(a, b) => format!("{} - {}", a.text(), b.text()),
        }
    }
}

impl Truth {
    fn text(&self) -> String {
        match self {
            Truth::Flag(i) => field(*i).to_string(),
            Truth::Compare(op, a, b) => format!("{} {op} {}", a.text(), b.text()),
            Truth::Not(a) => format!("not ({})", a.text()),
            Truth::Both(a, b) => format!("({} and {})", a.text(), b.text()),
            Truth::Either(a, b) => format!("({} or {})", a.text(), b.text()),
        }
    }
}

fn place(part: &[New]) -> String {
    let fields: Vec<String> = part
        .iter()
        .map(|new| match new {
            New::Num(num) => num.text(),
            New::Flag(truth) => truth.text(),
        })
        .collect();
    format!("G({})", fields.join(", "))
}

impl To {
    fn text(&self) -> String {
        match self {
            To::Go(parts) => parts.iter().map(|p| place(p)).collect::<Vec<_>>().join(" + "),
            To::Again(part) => format!("again {}", place(part)),
            To::Finish(Finish::Win) => "win".into(),
            To::Finish(Finish::Lose) => "lose".into(),
            To::Finish(Finish::Draw) => "draw".into(),
            To::If(c, a, b) => format!("if {} then {} else {}", c.text(), a.text(), b.text()),
        }
    }
}

impl Game {
    /// The game without questions.
    pub fn text(&self) -> String {
        let mut out = format!(
            "let numbers = [{}]\ndef mixed(x, y) = if x > y + 1 then z + x mod 2 else y\n  with z = (x * 3 + y) mod 5\n",
            super::naive::join(&TABLE)
        );
        let fields: Vec<String> = (0..self.sorts.len())
            .map(|i| match self.sorts[i] {
                Sort::Nat => field(i).to_string(),
                Sort::Int => format!("{}: int", field(i)),
                Sort::Bool => format!("{}: bool", field(i)),
            })
            .collect();
        writeln!(out, "game G({}) {{", fields.join(", ")).expect("a string");
        for (i, num) in self.lets.iter().enumerate() {
            writeln!(out, "  let l{i} = {}", num.text()).expect("a string");
        }
        for (truth, end) in &self.ends {
            let end = match end {
                End::Lost => ": lost",
                End::Won => ": won",
                End::Drawn => ": drawn",
                _ => "",
            };
            writeln!(out, "  end when {}{end}", truth.text()).expect("a string");
        }
        for truth in &self.legal {
            writeln!(out, "  legal when {}", truth.text()).expect("a string");
        }
        for (part, when) in &self.same {
            writeln!(out, "  same as {} when {}", place(part), when.text()).expect("a string");
        }
        for (i, (clauses, to)) in self.moves.iter().enumerate() {
            let mut names = 0;
            let clauses: Vec<String> = clauses
                .iter()
                .map(|clause| match clause {
                    Clause::In(lo, hi) => {
                        names += 1;
                        format!("k{} in {}..{}", names - 1, lo.text(), hi.text())
                    }
                    Clause::Is(num) => {
                        names += 1;
                        format!("k{} = {}", names - 1, num.text())
                    }
                    Clause::Where(truth) => format!("where {}", truth.text()),
                })
                .collect();
            writeln!(out, "  move m{i} {} -> {}", clauses.join(", "), to.text()).expect("a string");
        }
        out + "}\n"
    }

    /// A `solve` line for some components of the game.
    pub fn question(&self, parts: &[Vec<i64>]) -> String {
        let part = |state: &Vec<i64>| {
            let words: Vec<String> = state
                .iter()
                .zip(&self.sorts)
                .map(|(word, sort)| if *sort == Sort::Bool { (*word != 0).to_string() } else { word.to_string() })
                .collect();
            format!("G({})", words.join(", "))
        };
        let sum = parts.iter().map(part).collect::<Vec<_>>().join(" + ");
        format!("solve {}{sum}\n", if self.misere { "misere " } else { "" })
    }
}

// ---------------------------------------------------------------- made at random

struct Maker<'a> {
    rng: &'a mut Rng,
    sorts: Vec<Sort>,
    /// Values of fields stay below these.
    sizes: Vec<i64>,
    lets: usize,
    names: usize,
}

impl Maker<'_> {
    fn num(&mut self, depth: u32) -> Num {
        if depth == 0 || self.rng.chance(30) {
            return match self.rng.below(4) {
                0 if self.names > 0 => Num::Name(self.rng.below(self.names)),
                1 if self.lets > 0 => Num::Let(self.rng.below(self.lets)),
                2 => Num::Const(self.rng.range(0, 4)),
                _ => {
                    let i = self.rng.below(self.sorts.len());
                    match self.sorts[i] {
                        Sort::Bool => Num::If(
                            Box::new(Truth::Flag(i)),
                            Box::new(Num::Const(self.rng.range(0, 3))),
                            Box::new(Num::Const(self.rng.range(0, 3))),
                        ),
                        _ => Num::Field(i),
                    }
                }
            };
        }
        let d = depth - 1;
        let a = Box::new(self.num(d));
        match self.rng.below(14) {
            0 => Num::Add(a, Box::new(self.num(d))),
            1 => Num::Mul(a, Box::new(self.num(0))),
            2 => Num::Apart(a, Box::new(self.num(d))),
            3 => Num::Div(a, self.rng.range(1, 4)),
            4 => Num::Mod(a, self.rng.range(1, 5)),
            5 => Num::Min(a, Box::new(self.num(d))),
            6 => Num::Max(a, Box::new(self.num(d))),
            7 => Num::Xor(a, Box::new(self.num(d))),
            8 => Num::Table(a),
            9 => Num::Def(a, Box::new(self.num(d))),
            11 => Num::Over(a, Box::new(self.num(d))),
            12 => Num::Rest(a, Box::new(self.num(d))),
            10 => Num::If(Box::new(self.truth(d)), a, Box::new(self.num(d))),
            _ => Num::Add(a, Box::new(Num::Const(1))),
        }
    }

    fn truth(&mut self, depth: u32) -> Truth {
        let flags: Vec<usize> = (0..self.sorts.len()).filter(|&i| self.sorts[i] == Sort::Bool).collect();
        if !flags.is_empty() && self.rng.chance(30) {
            return Truth::Flag(*self.rng.pick(&flags));
        }
        let d = depth.saturating_sub(1);
        match self.rng.below(if depth == 0 { 1 } else { 4 }) {
            1 => Truth::Not(Box::new(self.truth(d))),
            2 => Truth::Both(Box::new(self.truth(d)), Box::new(self.truth(d))),
            3 => Truth::Either(Box::new(self.truth(d)), Box::new(self.truth(d))),
            _ => {
                let op = *self.rng.pick(&["<", "<=", "==", "!="]);
                // Often about the parity or the like, so that both happen.
                let left = if self.rng.chance(50) {
                    Num::Mod(Box::new(self.num(d)), self.rng.range(2, 4))
                } else {
                    self.num(d)
                };
                Truth::Compare(op, left, self.num(0))
            }
        }
    }

    fn same(&self, i: usize) -> New {
        if self.sorts[i] == Sort::Bool { New::Flag(Truth::Flag(i)) } else { New::Num(Num::Field(i)) }
    }

    /// Anything that the field may hold.
    fn any(&mut self, i: usize) -> New {
        match self.sorts[i] {
            Sort::Bool => New::Flag(self.truth(2)),
            _ => New::Num(Num::Mod(Box::new(self.num(2)), self.sizes[i])),
        }
    }

    fn less(i: usize, by: Num) -> New {
        New::Num(Num::Less(Box::new(Num::Field(i)), Box::new(by)))
    }

    fn at_least(i: usize, k: Num) -> Clause {
        Clause::Where(Truth::Compare("<=", k, Num::Field(i)))
    }

    /// Clauses that go before the move's own.
    fn before(&mut self) -> Vec<Clause> {
        let mut clauses = Vec::new();
        if self.rng.chance(25) {
            clauses.push(Clause::Is(self.num(2)));
            self.names += 1;
        }
        if self.rng.chance(25) {
            clauses.push(Clause::Where(self.truth(2)));
        }
        if self.rng.chance(15) {
            let hi = match self.rng.below(3) {
                0 => Num::Const(self.rng.range(0, 2)),
                // So many that the loop is not written out.
                1 => Num::Add(Box::new(self.num(1)), Box::new(Num::Const(1))),
                _ => Num::Mod(Box::new(self.num(2)), 25),
            };
            clauses.push(Clause::In(Num::Const(self.rng.range(0, 1)), hi));
            self.names += 1;
        }
        clauses
    }

    /// A move in which `lead` goes down, fields in `frozen` stay or go down with it, the others are anything.
    fn ordered(&mut self, lead: usize, frozen: &[usize], sums: bool) -> (Vec<Clause>, To) {
        self.names = 0;
        let mut clauses = self.before();
        let mut part: Vec<New> = (0..self.sorts.len()).map(|i| self.same(i)).collect();
        let mut low = None;
        if self.sorts[lead] == Sort::Bool {
            clauses.push(Clause::Where(Truth::Flag(lead)));
            part[lead] = New::Flag(Truth::Compare("<", Num::Const(1), Num::Const(0)));
        } else {
            match self.rng.below(8) {
                0..=3 => {
                    // As many as there are, perhaps of several fields at once.
                    let others: Vec<usize> = (0..self.sorts.len())
                        .filter(|&i| i != lead && self.sorts[i] != Sort::Bool && self.rng.chance(35))
                        .collect();
                    let hi =
                        others.iter().fold(Num::Field(lead), |hi, &i| Num::Min(Box::new(hi), Box::new(Num::Field(i))));
                    clauses.push(Clause::In(Num::Const(1), hi));
                    let k = self.names;
                    self.names += 1;
                    // Some of them may be asked for how many, and left alone.
                    let all = self.rng.chance(70);
                    for i in others.into_iter().filter(|_| all).chain([lead]) {
                        part[i] = Self::less(i, Num::Name(k));
                    }
                    low = Some(k);
                }
                4 | 5 => {
                    let most = Box::new(self.num(1));
                    let from = Num::Const(self.rng.range(1, 2));
                    clauses.push(Clause::In(from, Num::Min(Box::new(Num::Field(lead)), most)));
                    part[lead] = Self::less(lead, Num::Name(self.names));
                    low = Some(self.names);
                    self.names += 1;
                }
                6 => {
                    let by = self.rng.range(1, 3);
                    clauses.push(Self::at_least(lead, Num::Const(by)));
                    part[lead] = Self::less(lead, Num::Const(by));
                }
                _ => {
                    clauses.push(Self::at_least(lead, Num::Const(1)));
                    part[lead] = New::Num(Num::Div(Box::new(Num::Field(lead)), self.rng.range(2, 3)));
                }
            }
        }
        for i in (0..self.sorts.len()).filter(|i| *i != lead && !frozen.contains(i)) {
            if self.rng.chance(25) {
                part[i] = self.any(i);
            }
        }
        if self.rng.chance(12) {
            clauses.push(Clause::Where(self.truth(1)));
        }
        let mut to = To::Go(vec![part.clone()]);
        if sums && self.rng.chance(60) {
            let mut other = part.clone();
            if let Some(k) = low {
                other[lead] = New::Num(Num::Less(Box::new(Num::Name(k)), Box::new(Num::Const(1))));
            }
            to = if self.rng.chance(20) {
                To::Go(vec![part.clone(), other.clone(), other])
            } else {
                To::Go(vec![part.clone(), other])
            };
        }
        if self.rng.chance(12) {
            let mut other = part;
            for i in (0..self.sorts.len()).filter(|i| *i != lead && !frozen.contains(i)) {
                other[i] = self.any(i);
            }
            to = To::If(self.truth(1), Box::new(to), Box::new(To::Go(vec![other])));
        }
        (clauses, to)
    }

    /// A move in which the sum of the first two goes down, though one of them may go up.
    fn summed(&mut self, from: usize) -> (Vec<Clause>, To) {
        self.names = 0;
        let mut clauses = self.before();
        let to = 1 - from;
        let down = self.rng.range(2, 3);
        let up = self.rng.range(1, down - 1);
        clauses.push(Self::at_least(from, Num::Const(down)));
        let mut part: Vec<New> = (0..self.sorts.len()).map(|i| self.same(i)).collect();
        part[from] = Self::less(from, Num::Const(down));
        part[to] = New::Num(Num::Add(Box::new(Num::Field(to)), Box::new(Num::Const(up))));
        for (i, new) in part.iter_mut().enumerate().skip(2) {
            if self.rng.chance(40) {
                *new = self.any(i);
            }
        }
        (clauses, To::Go(vec![part]))
    }

    /// A `same as` line that comes to an end, with others of its kind too: it sorts two fields or makes one smaller.
    fn replacement(&mut self) -> Option<(Vec<New>, Truth)> {
        let numbers: Vec<usize> = (0..self.sorts.len()).filter(|&i| self.sorts[i] != Sort::Bool).collect();
        let mut part: Vec<New> = (0..self.sorts.len()).map(|i| self.same(i)).collect();
        let &i = numbers.first()?;
        let j = *self.rng.pick(&numbers);
        let less = |a: Num, b: Num| Truth::Compare("<", a, b);
        let mut when = if i != j && self.rng.chance(60) {
            part.swap(i, j);
            less(Num::Field(j), Num::Field(i))
        } else {
            let k = Num::Const(self.rng.range(1, 12));
            part[j] = New::Num(Num::Min(Box::new(Num::Field(j)), Box::new(k.clone())));
            less(k, Num::Field(j))
        };
        if self.rng.chance(40) {
            when = Truth::Both(Box::new(when), Box::new(self.truth(1)));
        }
        Some((part, when))
    }

    fn cyclic(&mut self) -> (Vec<Clause>, To) {
        self.names = 0;
        let mut clauses = self.before();
        if self.rng.chance(50) {
            let hi = Num::Mod(Box::new(self.num(1)), 4);
            clauses.push(Clause::In(Num::Const(1), hi));
            self.names += 1;
        }
        if self.rng.chance(40) {
            clauses.push(Clause::Where(self.truth(2)));
        }
        let part =
            (0..self.sorts.len()).map(|i| if self.rng.chance(45) { self.same(i) } else { self.any(i) }).collect();
        (clauses, To::Go(vec![part]))
    }
}

/// What may end the whole play or keep the turn, put into some move.
fn special(maker: &mut Maker, to: &mut To) {
    let old = std::mem::replace(to, To::Finish(Finish::Draw));
    let finish = *maker.rng.pick(&[Finish::Win, Finish::Lose, Finish::Draw]);
    *to = match (maker.rng.below(4), old) {
        (0, To::Go(parts)) if parts.len() == 1 => To::Again(parts.into_iter().next().expect("one")),
        (1, old) => To::If(maker.truth(1), Box::new(To::Finish(finish)), Box::new(old)),
        (2, To::Go(parts)) if parts.len() == 1 => {
            let part = parts.into_iter().next().expect("one");
            To::If(maker.truth(1), Box::new(To::Again(part.clone())), Box::new(To::Go(vec![part])))
        }
        (_, old) => {
            if maker.rng.chance(50) {
                To::Finish(finish)
            } else {
                old
            }
        }
    };
}

/// A game with about so many states in its box.
pub fn game(rng: &mut Rng, plays: Plays, volume: i64) -> Game {
    let fields = if plays == Plays::Sums { 2 + rng.below(2) } else { 1 + rng.below(4) };
    let sort = |rng: &mut Rng, i: usize| match rng.below(8) {
        0 if plays != Plays::Sums || i > 1 => Sort::Bool,
        1 | 2 => Sort::Int,
        _ => Sort::Nat,
    };
    let sorts: Vec<Sort> = (0..fields).map(|i| sort(rng, i)).collect();
    let mut left = volume;
    let mut sizes = vec![1i64; fields];
    let mut turn: Vec<usize> = (0..fields).collect();
    for i in 0..fields {
        let j = i + rng.below(fields - i);
        turn.swap(i, j);
    }
    for (at, &i) in turn.iter().enumerate() {
        let most = if at + 1 == fields { left } else { left.min(rng.range(1, left.max(1))) };
        sizes[i] = if sorts[i] == Sort::Bool { 2 } else { most.clamp(1, 400) };
        left /= sizes[i].max(1);
    }
    let mut maker = Maker { rng, sorts: sorts.clone(), sizes: sizes.clone(), lets: 0, names: 0 };
    let mut lets = Vec::new();
    for _ in 0..maker.rng.below(3) {
        lets.push(maker.num(2));
        maker.lets += 1;
    }
    let mut order: Vec<usize> = (0..fields).collect();
    for i in 0..fields {
        let j = i + maker.rng.below(fields - i);
        order.swap(i, j);
    }
    let sums = plays == Plays::Ordered && maker.rng.chance(20);
    let misere = !sums && maker.rng.chance(20);
    let mut moves: Vec<(Vec<Clause>, To)> = (0..=maker.rng.below(3))
        .map(|at| match plays {
            Plays::Ordered => {
                let at = maker.rng.below(fields);
                maker.ordered(order[at], &order[..at], sums)
            }
            Plays::Sums => maker.summed(at % 2),
            Plays::Cyclic => maker.cyclic(),
        })
        .collect();
    if plays == Plays::Sums {
        moves.push(maker.summed(moves.len() % 2));
    }
    let mut ends = Vec::new();
    if !sums && maker.rng.chance(35) {
        maker.names = 0;
        let at = maker.rng.below(moves.len());
        // Its condition may only read the fields.
        special(&mut maker, &mut moves[at].1);
    }
    maker.names = 0;
    if maker.rng.chance(25) {
        let end =
            if sums { End::Over } else { *maker.rng.pick(&[End::Over, End::Over, End::Lost, End::Won, End::Drawn]) };
        ends.push((maker.truth(2), end));
    }
    if maker.rng.chance(6) {
        // Something that may fail.
        let (a, b) = (maker.num(0), maker.num(0));
        let i = maker.rng.below(fields);
        if let (To::Go(parts), true) = (&mut moves[0].1, sorts[i] == Sort::Nat) {
            parts[0][i] = New::Num(Num::Min(Box::new(Num::Field(i)), Box::new(Num::Less(Box::new(a), Box::new(b)))));
        }
    }
    let mut legal = Vec::new();
    let mut same = Vec::new();
    if maker.rng.chance(25) {
        for _ in 0..maker.rng.below(3) {
            legal.push(maker.truth(2));
        }
        for _ in 0..maker.rng.below(3) {
            same.extend(maker.replacement());
        }
    }
    let start = sizes.iter().map(|size| size - 1).collect();
    Game { sorts, start, lets, ends, legal, same, moves, misere, sums }
}
