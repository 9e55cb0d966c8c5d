//! Random terms and definitions, many of which have no value somewhere.

/// Random numbers, the same in every run.
pub(crate) struct Random(pub u64);

impl Random {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % n
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len())]
    }
}

/// What terms may be made of.
#[derive(Clone)]
pub(crate) struct Words {
    /// Names of numbers.
    pub(crate) names: Vec<String>,
    /// Calls with `#` in the place of a number: conditions, and numbers.
    pub(crate) truths: Vec<String>,
    pub(crate) numbers: Vec<String>,
    /// How many terms in a hundred may have no value.
    pub(crate) doubtful: usize,
}

impl Words {
    pub(crate) fn with(&self, name: &str) -> Words {
        let mut more = self.clone();
        more.names.push(name.to_string());
        more
    }

    fn name(&self, random: &mut Random) -> String {
        self.names[random.below(self.names.len())].clone()
    }

    fn doubt(&self, random: &mut Random) -> bool {
        random.below(100) < self.doubtful
    }

    /// A whole number.
    pub(crate) fn int(&self, random: &mut Random, depth: usize) -> String {
        if self.doubt(random) {
            return self.doubtful_int(random, depth);
        }
        let small = random.below(6);
        if depth == 0 || random.one_in(3) {
            return if random.one_in(4) { small.to_string() } else { self.name(random) };
        }
        let mut inner = || self.int(random, depth - 1);
        let (a, b) = (inner(), inner());
        let by = 1 + random.below(5);
        match random.below(14) {
            0 | 1 => format!("({a} + {b})"),
            2 | 3 => format!("({a} - {b})"),
            4 => format!("{by} * {a}"),
            5 | 6 => format!("{a} mod {by}"),
            7 => format!("{a} div {by}"),
            8 => format!("min({a}, {b})"),
            9 => format!("max({a}, {b})"),
            10 => format!("abs({a})"),
            11 => format!("(if {} then {a} else {b})", self.truth(random, depth - 1)),
            12 => format!("[{small}, {by}, 0][{a} mod 3]"),
            _ => format!("(abs({a}) xor abs({b}))"),
        }
    }

    fn doubtful_int(&self, random: &mut Random, depth: usize) -> String {
        let a = self.int(random, depth.saturating_sub(1));
        let (x, y) = (random.below(4), random.below(4));
        match random.below(8) {
            0 => format!("[{x}, {y}, 0, 1][{a}]"),
            1 => format!("({a} xor {x})"),
            2 => format!("({a} & {y})"),
            3 => format!("sort([{x}, {a}, {y}])[1]"),
            4 => format!("sum({x} * k for k in 0..{y} where bit({a}, k))"),
            5 => format!("size({{{x}, {a}}})"),
            6 if !self.numbers.is_empty() => self.numbers[random.below(self.numbers.len())].replace('#', &a),
            _ => format!("[{a}, {x}][{y}]"),
        }
    }

    /// A condition.
    pub(crate) fn truth(&self, random: &mut Random, depth: usize) -> String {
        let a = self.int(random, depth);
        let (x, y) = (random.below(6), random.below(9));
        if self.doubt(random) {
            return match random.below(6) {
                0 => format!("bit({a}, {x})"),
                1 => format!("{a} in zeckendorf({})", self.name(random)),
                2 => format!("all({x} < p for p in zeckendorf({a}))"),
                3 => format!("any(k == {a} for k in {x}..{})", self.int(random, depth)),
                _ if !self.truths.is_empty() => self.truths[random.below(self.truths.len())].replace('#', &a),
                _ => format!("size(zeckendorf({a})) == {}", x % 3),
            };
        }
        match random.below(if depth == 0 { 6 } else { 10 }) {
            0 | 1 => format!("{a} mod {} == {}", 2 + x, y % (2 + x)),
            2 => format!("{a} == {}", self.int(random, depth)),
            3 => format!("{a} {} {}", random.of(&["<", "<=", ">", ">=", "!="]), self.int(random, depth)),
            4 => format!("{a} in {{{x}, {y}}}"),
            5 => format!("{a} in {x}..{y}"),
            6 => format!("({} and {})", self.truth(random, depth - 1), self.truth(random, depth - 1)),
            7 => format!("({} or {})", self.truth(random, depth - 1), self.truth(random, depth - 1)),
            8 => format!("not {}", self.truth(random, 0)),
            _ => format!("({} implies {})", self.truth(random, depth - 1), self.truth(random, depth - 1)),
        }
    }
}

/// A definition that reads digits, or looks as if it did; with its call for `#`.
pub(crate) fn reader(random: &mut Random, name: &str) -> (String, String) {
    let states = 1 + random.below(4);
    let base = 2 + random.below(3);
    let row = |random: &mut Random| {
        let letters = if random.one_in(9) { base - 1 } else { base };
        let row: Vec<String> = (0..letters).map(|_| random.below(states).to_string()).collect();
        format!("[{}]", row.join(", "))
    };
    let rows: Vec<String> = (0..states).map(|_| row(random)).collect();
    let rows = rows.join(", ");
    let good = (0..states).filter(|_| random.one_in(2)).map(|s| s.to_string()).collect::<Vec<_>>();
    let accepts = if good.is_empty() { "s == 0".to_string() } else { format!("s in {{{}}}", good.join(", ")) };
    let start = random.below(states);
    let other = if random.one_in(4) { 2 + random.below(3) } else { base };
    let step = random.below(3);
    let odd = match random.below(12) {
        0 => "x == 1".to_string(),
        1 => "x < 2".to_string(),
        2 => "x <= 0".to_string(),
        _ => "x == 0".to_string(),
    };
    let plain = format!(
        "def {name}(s: nat, x: {}): bool = if {odd} then {accepts} else {name}([{rows}][s][x mod {base}], x div {other})\n",
        random.of(&["nat", "nat", "int"])
    );
    match random.below(10) {
        0..=4 => (plain, format!("{name}({start}, #)")),
        // From the highest digit on, by calls that are not at the end.
        5 => (
            format!(
                "def {name}h(x: nat): nat = if x == 0 then {start} else [{rows}][{name}h(x div {other})][x mod {base}]\ndef {name}(x: nat): bool = {accepts} with s = {name}h(x)\n"
            ),
            format!("{name}(#)"),
        ),
        6 => (
            format!(
                "def {name}(s: nat, x: nat): bool = if x == 0 then {accepts} else {name}(([{rows}][s][x mod {base}] + {step}) mod {states}, x div {base})\n"
            ),
            format!("{name}({start}, #)"),
        ),
        7 => (
            format!(
                "def {name}(s: nat, x: nat, y: nat): bool = if max(x, y) == 0 then {accepts} else {name}([{rows}][s][{} mod {base}], x div {base}, y div {other})\n",
                random.of(&["x", "y", "(x + y)"])
            ),
            format!("{name}({start}, #, {})", random.below(9)),
        ),
        _ => {
            let rows: Vec<String> =
                (0..states).map(|_| format!("[{}, {}]", random.below(states), random.below(states))).collect();
            let next = random.of(&["g, f + g", "g, f + g", "g, f + g", "g, g + f", "f + g, g", "f + f, g"]);
            let begin = random.of(&["1, 2", "1, 2", "1, 2", "1, 1", "2, 3", "0, 1"]);
            (
                format!(
                    "def {name}(s: nat, f: nat, g: nat, x: nat): bool = if f > x then {accepts} else {name}([{}][s][count([f in zeckendorf(x)])], {next}, x)\n",
                    rows.join(", ")
                ),
                format!("{name}({start}, {begin}, #)"),
            )
        }
    }
}
