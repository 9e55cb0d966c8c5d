//! Closed forms as text of the language.

use crate::guess::formula::{Formula, Op, Word};
use crate::guess::surd::Surd;

/// The precedence of what a text ends in: operators as in the language, loosest first.
mod strength {
    pub(super) const IFF: u8 = 0;
    pub(super) const OR: u8 = 2;
    pub(super) const AND: u8 = 3;
    pub(super) const COMPARE: u8 = 4;
    pub(super) const XOR: u8 = 5;
    pub(super) const MEET: u8 = 6;
    pub(super) const ADD: u8 = 7;
    pub(super) const MUL: u8 = 8;
    pub(super) const POW: u8 = 10;
    pub(super) const WORD: u8 = 11;
}

fn strength(op: Op) -> u8 {
    match op {
        Op::Iff => strength::IFF,
        Op::Or => strength::OR,
        Op::And => strength::AND,
        Op::Eq | Op::Ne | Op::Lt | Op::Ge => strength::COMPARE,
        Op::Xor => strength::XOR,
        Op::Meet => strength::MEET,
        Op::Add | Op::Sub => strength::ADD,
        Op::Mul | Op::Div | Op::Mod => strength::MUL,
        Op::Pow => strength::POW,
    }
}

fn sign(op: Op) -> &'static str {
    match op {
        Op::Add => "+",
        Op::Sub => "-",
        Op::Mul => "*",
        Op::Div => "div",
        Op::Mod => "mod",
        Op::Pow => "**",
        Op::Xor => "xor",
        Op::Meet => "&",
        Op::Eq => "==",
        Op::Ne => "!=",
        Op::Lt => "<",
        Op::Ge => ">=",
        Op::And => "and",
        Op::Or => "or",
        Op::Iff => "iff",
    }
}

/// The formula as text, with these names for its variables. It may stand on either side of `==` where `operand` is set, and
/// of `iff` otherwise.
#[must_use]
pub fn text(formula: &Formula, names: &[String], operand: bool) -> String {
    let least = if operand { strength::XOR } else { strength::IFF + 1 };
    Writer { names }.at(formula, least)
}

struct Writer<'n> {
    names: &'n [String],
}

impl Writer<'_> {
    /// With brackets where it binds looser than asked.
    fn at(&self, formula: &Formula, least: u8) -> String {
        let (text, strength) = self.write(formula);
        if strength < least { format!("({text})") } else { text }
    }

    fn write(&self, formula: &Formula) -> (String, u8) {
        match formula {
            Formula::Int(n) if *n < 0 => (n.to_string(), strength::ADD),
            Formula::Int(n) => (n.to_string(), strength::WORD),
            Formula::Truth(truth) => (truth.to_string(), strength::WORD),
            Formula::Var(index) => (self.names.get(*index).cloned().unwrap_or_default(), strength::WORD),
            Formula::Binary(op, a, b) => {
                let own = strength(*op);
                // Operators go from left to right, and comparisons and powers do not stand beside each other.
                let left = if matches!(own, strength::COMPARE | strength::POW) { own + 1 } else { own };
                let right = if matches!(op, Op::And | Op::Or | Op::Xor | Op::Add | Op::Meet) { own } else { own + 1 };
                (format!("{} {} {}", self.at(a, left), sign(*op), self.at(b, right)), own)
            }
            Formula::Call(word, args) => (self.call(*word, args), strength::WORD),
            Formula::Pick(items, index) => {
                (format!("[{}][{}]", list(items), self.at(index, strength::IFF)), strength::WORD)
            }
            Formula::In(of, members, holds) => {
                let word = if *holds { "in" } else { "not in" };
                (format!("{} {word} {{{}}}", self.at(of, strength::XOR), list(members)), strength::COMPARE)
            }
            Formula::If(condition, yes, no) => {
                let part = |one: &Formula| self.at(one, strength::IFF);
                // A choice reaches as far as it can, so that anything around it needs brackets.
                let (yes, no) = (self.at(yes, strength::IFF + 1), self.last(no));
                (format!("if {} then {yes} else {no}", part(condition)), strength::IFF)
            }
            Formula::Floor(of, by) => (format!("floor({})", self.product(of, *by)), strength::WORD),
            Formula::Member(of, by) => {
                let number = self.at(of, strength::MUL + 1);
                let whole = if by.p == 0 && by.r == 1 { surd(*by) } else { format!("({})", surd(*by)) };
                let of = self.at(of, strength::XOR);
                (format!("floor(ceil({number} / {whole}) * {whole}) == {of}"), strength::COMPARE)
            }
            Formula::Places(of, k) => (self.places(of, *k), strength::WORD),
            Formula::Choice(condition, yes, no) => {
                (format!("if {} then \"{yes}\" else \"{no}\"", self.at(condition, strength::IFF)), strength::IFF)
            }
        }
    }

    /// The last part of a choice: another choice needs no brackets there.
    fn last(&self, formula: &Formula) -> String {
        self.at(formula, if matches!(formula, Formula::If(..)) { strength::IFF } else { strength::IFF + 1 })
    }

    fn call(&self, word: Word, args: &[Formula]) -> String {
        let texts: Vec<String> = args.iter().map(|arg| self.at(arg, strength::IFF)).collect();
        let args = texts.join(", ");
        match word {
            Word::Min => format!("min({args})"),
            Word::Max => format!("max({args})"),
            Word::Abs => format!("abs({args})"),
            Word::DigitSum(base) => format!("sum(digits({args}, {base}))"),
            Word::Valuation(p) => format!("valuation({args}, {p})"),
            Word::Length => format!("bits({args})"),
            Word::ZeckendorfSize => format!("size(zeckendorf({args}))"),
            Word::ZeckendorfLast => format!("last(zeckendorf({args}))"),
            Word::Root => format!("floor(sqrt({args}))"),
        }
    }

    /// `n * (1 + sqrt(5)) / 2`
    fn product(&self, of: &Formula, by: Surd) -> String {
        let root = surd(Surd { r: 1, ..by });
        let factor = if by.p == 0 { root } else { format!("({root})") };
        let over = if by.r == 1 { String::new() } else { format!(" / {}", by.r) };
        format!("{} * {factor}{over}", self.at(of, strength::MUL))
    }

    fn places(&self, of: &[Formula], k: u32) -> String {
        let free = |wanted: &[&str]| {
            let free = wanted.iter().find(|name| !self.names.iter().any(|taken| taken == *name));
            free.map_or_else(|| "place_".repeat(1 + self.names.len()), ToString::to_string)
        };
        let (x, i) = (free(&["x", "heap", "number"]), free(&["i", "place", "at"]));
        let of: Vec<String> = of.iter().map(|one| self.at(one, strength::IFF)).collect();
        let of = of.join(", ");
        format!("all(count(bit({x}, {i}) for {x} in [{of}]) mod {k} == 0 for {i} in 0..bits(max({of})))")
    }
}

fn list(items: &[i128]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// `(1 + sqrt(5)) / 2`
fn surd(surd: Surd) -> String {
    let root = format!("sqrt({})", surd.q);
    match (surd.p, surd.r) {
        (0, 1) => root,
        (0, r) => format!("{root} / {r}"),
        (p, 1) if p < 0 => format!("{root} - {}", -p),
        (p, 1) => format!("{p} + {root}"),
        (p, r) if p < 0 => format!("({root} - {}) / {r}", -p),
        (p, r) => format!("({p} + {root}) / {r}"),
    }
}

#[cfg(test)]
mod tests {
    use crate::guess::formula::{Formula, Op, Word};
    use crate::guess::show::text;
    use crate::guess::surd::Surd;

    fn n() -> Formula {
        Formula::Var(0)
    }

    #[test]
    fn brackets_stand_where_they_must() {
        let names = ["n".to_string()];
        let say = |formula: &Formula| text(formula, &names, true);
        assert_eq!(say(&n().plus(-1).modulo(4).over(2)), "(n - 1) mod 4 div 2");
        assert_eq!(say(&n().op(Op::Sub, n().plus(1))), "n - (n + 1)");
        assert_eq!(say(&Formula::Int(-1).op(Op::Add, n())), "-1 + n");
        assert_eq!(say(&n().op(Op::Xor, n().over(2)).plus(1)), "(n xor n div 2) + 1");
        let choice = Formula::If(Box::new(n().op(Op::Eq, Formula::Int(0))), Box::new(n()), Box::new(n().plus(1)));
        assert_eq!(say(&choice), "(if n == 0 then n else n + 1)");
        assert_eq!(say(&n().among(vec![1, 2], true)), "(n in {1, 2})");
        assert_eq!(text(&n().among(vec![1, 2], false), &names, false), "n not in {1, 2}");
        let phi = Surd { p: 1, q: 5, r: 2 };
        assert_eq!(say(&Formula::Floor(Box::new(n().plus(1)), phi)), "floor((n + 1) * (1 + sqrt(5)) / 2)");
        assert_eq!(say(&n().under(Word::DigitSum(2)).modulo(3)), "sum(digits(n, 2)) mod 3");
    }
}
