//! Closed forms as text of the language.

use crate::guess::formula::{Formula, Op, Word};
use crate::guess::surd::Surd;
use crate::syntax::strength;
use crate::syntax::tree::{BinaryOp, LogicOp, Operator};

/// How tightly comparisons bind, numbers with a minus, and what needs no brackets anywhere; operators as in the language.
const COMPARE: u8 = 4;
const NEGATIVE: u8 = 7;
const WORD: u8 = 11;
/// What binds tighter than a comparison.
const OPERAND: u8 = COMPARE + 1;

/// How an operator is written, and how tightly it binds.
fn sign(op: Op) -> (&'static str, u8) {
    let operator = match op {
        Op::Eq => return ("==", COMPARE),
        Op::Ne => return ("!=", COMPARE),
        Op::Lt => return ("<", COMPARE),
        Op::Ge => return (">=", COMPARE),
        Op::Add => Operator::Binary(BinaryOp::Add),
        Op::Sub => Operator::Binary(BinaryOp::Sub),
        Op::Mul => Operator::Binary(BinaryOp::Mul),
        Op::Div => Operator::Binary(BinaryOp::Div),
        Op::Mod => Operator::Binary(BinaryOp::Mod),
        Op::Pow => Operator::Binary(BinaryOp::Pow),
        Op::Xor => Operator::Binary(BinaryOp::Xor),
        Op::Meet => Operator::Binary(BinaryOp::Meet),
        Op::And => Operator::Logic(LogicOp::And),
        Op::Or => Operator::Logic(LogicOp::Or),
        Op::Iff => Operator::Iff,
    };
    (operator.sign(), strength(operator))
}

/// The formula as text, with these names for its variables. It may stand on either side of `==` where `operand` is set, and
/// of `iff` otherwise.
#[must_use]
pub fn text(formula: &Formula, names: &[String], operand: bool) -> String {
    let least = if operand { OPERAND } else { 1 };
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
            Formula::Int(n) if *n < 0 => (n.to_string(), NEGATIVE),
            Formula::Int(n) => (n.to_string(), WORD),
            Formula::Truth(truth) => (truth.to_string(), WORD),
            Formula::Var(index) => (self.names.get(*index).cloned().unwrap_or_default(), WORD),
            Formula::Binary(op, a, b) => {
                let (sign, own) = sign(*op);
                // Operators go from left to right, and comparisons and powers do not stand beside each other.
                let left = if own == COMPARE || *op == Op::Pow { own + 1 } else { own };
                let right = if matches!(op, Op::And | Op::Or | Op::Xor | Op::Add | Op::Meet) { own } else { own + 1 };
                (format!("{} {} {}", self.at(a, left), sign, self.at(b, right)), own)
            }
            Formula::Call(word, args) => (self.call(*word, args), WORD),
            Formula::Pick(items, index) => (format!("[{}][{}]", list(items), self.at(index, 0)), WORD),
            Formula::In(of, members, holds) => {
                let word = if *holds { "in" } else { "not in" };
                (format!("{} {word} {{{}}}", self.at(of, OPERAND), list(members)), COMPARE)
            }
            Formula::If(condition, yes, no) => {
                let part = |one: &Formula| self.at(one, 0);
                // A choice reaches as far as it can, so that anything around it needs brackets.
                let (yes, no) = (self.at(yes, 1), self.last(no));
                (format!("if {} then {yes} else {no}", part(condition)), 0)
            }
            Formula::Floor(of, by) => (format!("floor({})", self.product(of, *by)), WORD),
            Formula::Member(of, by) => {
                let number = self.at(of, sign(Op::Mul).1 + 1);
                let whole = if by.p == 0 && by.r == 1 { surd(*by) } else { format!("({})", surd(*by)) };
                let of = self.at(of, OPERAND);
                (format!("floor(ceil({number} / {whole}) * {whole}) == {of}"), COMPARE)
            }
            Formula::Places(of, k) => (self.places(of, *k), WORD),
            Formula::Choice(condition, yes, no) => {
                (format!("if {} then \"{yes}\" else \"{no}\"", self.at(condition, 0)), 0)
            }
        }
    }

    /// The last part of a choice: another choice needs no brackets there.
    fn last(&self, formula: &Formula) -> String {
        self.at(formula, if matches!(formula, Formula::If(..)) { 0 } else { 1 })
    }

    fn call(&self, word: Word, args: &[Formula]) -> String {
        let texts: Vec<String> = args.iter().map(|arg| self.at(arg, 0)).collect();
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
        format!("{} * {factor}{over}", self.at(of, sign(Op::Mul).1))
    }

    fn places(&self, of: &[Formula], k: u32) -> String {
        let free = |wanted: &[&str]| {
            let free = wanted.iter().find(|name| !self.names.iter().any(|taken| taken == *name));
            free.map_or_else(|| "place_".repeat(1 + self.names.len()), ToString::to_string)
        };
        let (x, i) = (free(&["x", "heap", "number"]), free(&["i", "place", "at"]));
        let of: Vec<String> = of.iter().map(|one| self.at(one, 0)).collect();
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
