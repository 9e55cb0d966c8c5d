//! Closed forms as small trees: worked out exactly on whole numbers, and weighed by how long they are to write.
//!
//! Truth values are 0 and 1. What a formula has no value for (a number below 0 where only naturals are known, a number beyond
//! 128 bits) is `None`, as the language would stop with an error there.

use crate::guess::beatty::Surd;
use crate::guess::primes;
use crate::syntax::strength;
use crate::syntax::tree::{BinaryOp, LogicOp, Operator};
use crate::value::width;
use crate::words::number::nim_product;
use Formula::{Binary, Call, Choice, Floor, If, In, Int, Member, Pick, Places, Truth, Var};

/// Operators as the language has them; `Meet`: the digits that two numbers have in common in base 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Pow,
    Xor,
    Meet,
    Eq,
    Ne,
    Lt,
    Ge,
    And,
    Or,
    Iff,
}

/// Built-in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// `min`
    Min,
    /// `max`
    Max,
    /// `abs`
    Abs,
    /// `sum(digits(n, base))`
    DigitSum(u32),
    /// `valuation(n, p)`
    Valuation(u32),
    /// `bits(n)`
    Length,
    /// `size(zeckendorf(n))`
    ZeckendorfSize,
    /// `last(zeckendorf(n))`
    ZeckendorfLast,
    /// `floor(sqrt(n))`
    Root,
    /// `gcd`
    Gcd,
    /// `nim_product(a, b)`
    NimProduct,
    /// `first(prime_factors(n))`
    LeastPrime,
    /// `last(prime_factors(n))`
    GreatestPrime,
    /// `size(primes(n))`
    PrimesTo,
    /// `size(prime_factors(n))`
    PrimeFactors,
    /// `size(set(prime_factors(n)))`
    DistinctPrimes,
    /// `size(divisors(n))`
    Divisors,
}

/// A closed form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// A number.
    Int(i128),
    /// A truth value.
    Truth(bool),
    /// A variable.
    Var(usize),
    /// An operator between two formulas.
    Binary(Op, Box<Formula>, Box<Formula>),
    /// A word of some formulas.
    Call(Word, Vec<Formula>),
    /// The item of a list: `[2, 0, 1][n mod 3]`.
    Pick(Vec<i128>, Box<Formula>),
    /// Whether a number is one of these; `false`: one of the others.
    In(Box<Formula>, Vec<i128>, bool),
    /// The second if the first holds, else the third.
    If(Box<Formula>, Box<Formula>, Box<Formula>),
    /// `floor(k * alpha)`
    Floor(Box<Formula>, Surd),
    /// Whether a natural is `floor(k * alpha)` for some natural k; alpha > 1.
    Member(Box<Formula>, Surd),
    /// Whether at every place of base 2 the digits of these numbers add up to a multiple of the number.
    Places(Vec<Formula>, u32),
    /// The first text if the formula holds, else the second.
    Choice(Box<Formula>, String, String),
}

impl Formula {
    /// An operator between this and another.
    pub fn op(self, op: Op, other: Formula) -> Formula {
        Binary(op, Box::new(self), Box::new(other))
    }

    /// This plus a number; nothing is written for 0.
    pub fn plus(self, n: i128) -> Formula {
        match n {
            0 => self,
            n if n < 0 => self.op(Op::Sub, Int(-n)),
            n => self.op(Op::Add, Int(n)),
        }
    }

    /// This times a number; nothing is written for 1.
    pub fn times(self, n: i128) -> Formula {
        if n == 1 { self } else { Int(n).op(Op::Mul, self) }
    }

    /// This divided by a number, rounded down; nothing is written for 1.
    pub fn over(self, n: i128) -> Formula {
        if n == 1 { self } else { self.op(Op::Div, Int(n)) }
    }

    /// The rest of this divided by a number.
    pub fn modulo(self, n: i128) -> Formula {
        self.op(Op::Mod, Int(n))
    }

    /// A word of this.
    pub fn under(self, word: Word) -> Formula {
        Call(word, vec![self])
    }

    /// Whether this is one of some numbers (`holds`), or none of them.
    pub fn among(self, members: Vec<i128>, holds: bool) -> Formula {
        match members[..] {
            [one] => self.op(if holds { Op::Eq } else { Op::Ne }, Int(one)),
            _ => In(Box::new(self), members, holds),
        }
    }

    /// The value at these values of the variables; `None`: there is none.
    pub fn eval(&self, at: &[i64]) -> Option<i128> {
        Some(match self {
            Int(n) => *n,
            Truth(truth) => i128::from(*truth),
            Var(index) => i128::from(*at.get(*index)?),
            Binary(Op::And, a, b) => i128::from(a.eval(at)? == 1 && b.eval(at)? == 1),
            Binary(Op::Or, a, b) => i128::from(a.eval(at)? == 1 || b.eval(at)? == 1),
            Binary(op, a, b) => operate(*op, a.eval(at)?, b.eval(at)?)?,
            Call(word, args) => {
                let args: Option<Vec<i128>> = args.iter().map(|arg| arg.eval(at)).collect();
                call(*word, &args?)?
            }
            Pick(items, index) => *items.get(usize::try_from(index.eval(at)?).ok()?)?,
            In(of, members, holds) => i128::from(members.contains(&of.eval(at)?) == *holds),
            If(condition, yes, no) => {
                if condition.eval(at)? == 1 {
                    yes.eval(at)?
                } else {
                    no.eval(at)?
                }
            }
            Floor(of, by) => by.floor_times(of.eval(at)?)?,
            Member(of, by) => i128::from(by.has_multiple_in(of.eval(at)?)?),
            Places(of, k) => {
                let of: Option<Vec<i128>> = of.iter().map(|one| one.eval(at).filter(|n| *n >= 0)).collect();
                let of = of?;
                let carries_nothing = |place: u32| {
                    let ones = of.iter().filter(|n| (**n >> place) & 1 == 1).count();
                    ones.is_multiple_of(width::index(*k))
                };
                i128::from((0..127).all(carries_nothing))
            }
            Choice(condition, ..) => condition.eval(at)?,
        })
    }

    /// This formula with another one in place of the first variable.
    pub(super) fn of(&self, inner: &Formula) -> Formula {
        let boxed = |one: &Formula| Box::new(one.of(inner));
        let all = |some: &[Formula]| some.iter().map(|one| one.of(inner)).collect::<Vec<_>>();
        match self {
            Var(0) => inner.clone(),
            Int(_) | Truth(_) | Var(_) => self.clone(),
            Binary(op, a, b) => match (op, a.of(inner), b.of(inner)) {
                // A difference beside 0 is a comparison.
                (Op::Eq | Op::Ne | Op::Lt | Op::Ge, Binary(Op::Sub, a, b), Int(0)) => Binary(*op, a, b),
                (_, a, b) => a.op(*op, b),
            },
            Call(word, args) => Call(*word, all(args)),
            Pick(items, index) => Pick(items.clone(), boxed(index)),
            In(of, members, holds) => In(boxed(of), members.clone(), *holds),
            If(condition, yes, no) => If(boxed(condition), boxed(yes), boxed(no)),
            Floor(of, by) => Floor(boxed(of), *by),
            Member(of, by) => Member(boxed(of), *by),
            Places(of, k) => Places(all(of), *k),
            Choice(condition, yes, no) => Choice(boxed(condition), yes.clone(), no.clone()),
        }
    }

    /// Whether this says the same in the same words, at most the other way round.
    pub(super) fn repeats(&self, other: &Formula) -> bool {
        let turned = match (self, other) {
            (Binary(op, a, b), Binary(other, c, d)) => {
                let either = matches!(op, Op::Add | Op::Mul | Op::Xor | Op::Meet | Op::Eq | Op::Ne | Op::Iff);
                either && op == other && a == d && b == c
            }
            _ => false,
        };
        turned || self == other
    }

    pub(super) fn parts(&self) -> Vec<&Formula> {
        match self {
            Int(_) | Truth(_) | Var(_) => Vec::new(),
            Binary(_, a, b) => vec![a, b],
            Call(_, all) | Places(all, _) => all.iter().collect(),
            Pick(_, of) | In(of, ..) | Floor(of, _) | Member(of, _) | Choice(of, ..) => vec![of],
            If(condition, yes, no) => vec![condition, yes, no],
        }
    }

    /// How long it is to write: the order of proposals. Numbers count by their size, operators and functions two to four.
    pub fn cost(&self) -> u32 {
        let numbers = |some: &[i128]| some.iter().map(|n| number_cost(*n)).sum::<u32>();
        let own = match self {
            Int(n) => number_cost(*n),
            Truth(_) | Var(_) => 1,
            Binary(Op::Xor | Op::Meet | Op::Pow, ..) | If(..) => 3,
            Binary(..) => 2,
            Call(Word::DigitSum(base) | Word::Valuation(base), _) => 4 + number_cost(i128::from(*base)),
            Call(
                Word::ZeckendorfSize
                | Word::ZeckendorfLast
                | Word::LeastPrime
                | Word::GreatestPrime
                | Word::PrimesTo
                | Word::PrimeFactors
                | Word::Divisors,
                _,
            ) => 5,
            Call(Word::DistinctPrimes, _) => 6,
            Call(..) => 3,
            Pick(items, _) => 3 + numbers(items),
            In(_, members, _) => 3 + numbers(members),
            Floor(_, by) => 4 + by.cost(),
            Member(_, by) => 9 + 2 * by.cost(),
            Places(_, k) => 12 + number_cost(i128::from(*k)),
            Choice(..) => 0,
        };
        own + self.parts().into_iter().map(Formula::cost).sum::<u32>()
    }

    /// How many numbers stand in it that data could have made other.
    pub(super) fn parameters(&self) -> usize {
        let own = match self {
            Int(_) | Truth(_) | Places(..) => 1,
            Call(Word::DigitSum(base) | Word::Valuation(base), _) => usize::from(*base != 2),
            Pick(numbers, _) | In(_, numbers, _) => numbers.len(),
            Floor(_, by) | Member(_, by) => by.parameters(),
            Var(_) | Binary(..) | Call(..) | If(..) | Choice(..) => 0,
        };
        own + self.parts().into_iter().map(Formula::parameters).sum::<usize>()
    }
}

/// Half a unit for each binary place.
fn number_cost(n: i128) -> u32 {
    1 + (128 - n.unsigned_abs().leading_zeros()) / 2 + u32::from(n < 0)
}

fn operate(op: Op, a: i128, b: i128) -> Option<i128> {
    let natural = a >= 0 && b >= 0;
    Some(match op {
        Op::Add => a.checked_add(b)?,
        Op::Sub => a.checked_sub(b)?,
        Op::Mul => a.checked_mul(b)?,
        Op::Div => return (b > 0).then(|| a.div_euclid(b)),
        Op::Mod => return (b > 0).then(|| a.rem_euclid(b)),
        Op::Pow => a.checked_pow(u32::try_from(b).ok()?)?,
        Op::Xor => return natural.then_some(a ^ b),
        Op::Meet => return natural.then_some(a & b),
        Op::Eq | Op::Iff => i128::from(a == b),
        Op::Ne => i128::from(a != b),
        Op::Lt => i128::from(a < b),
        Op::Ge => i128::from(a >= b),
        Op::And => i128::from(a == 1 && b == 1),
        Op::Or => i128::from(a == 1 || b == 1),
    })
}

fn call(word: Word, args: &[i128]) -> Option<i128> {
    let n = *args.first()?;
    let natural = || (n >= 0).then_some(n);
    Some(match word {
        Word::Min => *args.iter().min()?,
        Word::Max => *args.iter().max()?,
        Word::Abs => n.checked_abs()?,
        Word::DigitSum(base) => {
            let (mut rest, mut sum) = (natural()?, 0);
            while rest > 0 {
                sum += rest % i128::from(base);
                rest /= i128::from(base);
            }
            sum
        }
        Word::Valuation(p) => {
            let (mut rest, mut count) = ((n >= 1).then_some(n)?, 0);
            while rest % i128::from(p) == 0 {
                rest /= i128::from(p);
                count += 1;
            }
            count
        }
        Word::Length => i128::from(128 - natural()?.leading_zeros()),
        Word::ZeckendorfSize => zeckendorf(natural()?)?.0,
        Word::ZeckendorfLast => return zeckendorf(natural()?).map(|(_, last)| last).filter(|_| n >= 1),
        Word::Root => natural()?.isqrt(),
        Word::Gcd => args.iter().fold(0, |a, b| num_integer::gcd(a, *b)),
        Word::NimProduct => {
            let nimber = |n: &i128| u64::try_from(*n).ok();
            nim_product(nimber(&n)?, nimber(args.get(1)?)?).into()
        }
        Word::LeastPrime => primes::factors(n)?.first()?.0,
        Word::GreatestPrime => primes::factors(n)?.last()?.0,
        Word::PrimesTo => primes::up_to(n)?,
        Word::PrimeFactors => primes::factors(n)?.iter().map(|(_, times)| i128::from(*times)).sum(),
        Word::DistinctPrimes => i128::try_from(primes::factors(n)?.len()).ok()?,
        Word::Divisors => primes::factors(n)?.iter().map(|(_, times)| i128::from(*times) + 1).product(),
    })
}

/// The number of parts and the least of them: the greatest Fibonacci number is taken away again and again (Zeckendorf 1972).
fn zeckendorf(n: i128) -> Option<(i128, i128)> {
    let mut rest = n;
    let (mut size, mut last) = (0, 0);
    let (mut a, mut b) = (1i128, 2i128);
    while b <= rest {
        (a, b) = (b, a.checked_add(b)?);
    }
    while rest > 0 {
        if a <= rest {
            rest -= a;
            size += 1;
            last = a;
        }
        (a, b) = (b - a, a);
    }
    Some((size, last))
}

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
        self.at(formula, u8::from(!matches!(formula, Formula::If(..))))
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
            Word::Gcd => format!("gcd({args})"),
            Word::NimProduct => format!("nim_product({args})"),
            Word::LeastPrime => format!("first(prime_factors({args}))"),
            Word::GreatestPrime => format!("last(prime_factors({args}))"),
            Word::PrimesTo => format!("size(primes({args}))"),
            Word::PrimeFactors => format!("size(prime_factors({args}))"),
            Word::DistinctPrimes => format!("size(set(prime_factors({args})))"),
            Word::Divisors => format!("size(divisors({args}))"),
        }
    }

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

/// Kinds by what occurs in a formula: the first that does names it.
const KINDS: [&str; 14] = [
    "nim-product",
    "primes and divisors",
    "common divisor",
    "Beatty sequence",
    "Fibonacci parts",
    "digit sum",
    "valuation",
    "roots and squares",
    "bit operations",
    "periodic",
    "arithmetic periodic",
    "finite set",
    "comparison",
    LINEAR,
];
/// A variable that is not only taken modulo something.
const LINEAR: &str = "linear";

pub(super) fn name(formula: &Formula) -> String {
    if let Some(mut rest) = but_exceptions(formula) {
        while let Some(inner) = but_exceptions(rest) {
            rest = inner;
        }
        return format!("{} with exceptions", name(rest));
    }
    match formula {
        If(condition, ..) if is_residue(condition) => "by residues".into(),
        Binary(Op::Iff, normal, _) => format!("{}, turned round for small numbers", name(normal)),
        Choice(condition, ..) => name(condition),
        _ => regular(formula).into(),
    }
}

/// What is left of a formula that states exceptions one by one.
fn but_exceptions(formula: &Formula) -> Option<&Formula> {
    match formula {
        If(condition, ..) if is_residue(condition) => None,
        If(_, yes, no) if !matches!((&**yes, &**no), (Int(_), Int(_))) => Some(no),
        Binary(Op::And | Op::Or, _, rest) => Some(rest),
        _ => None,
    }
}

fn is_residue(condition: &Formula) -> bool {
    matches!(condition, Formula::Binary(Op::Eq, of, _) if matches!(**of, Formula::Binary(Op::Mod, ..)))
}

fn regular(formula: &Formula) -> &'static str {
    let mut seen = Vec::new();
    look(formula, false, &mut seen);
    let kind = KINDS.into_iter().find(|kind| seen.contains(kind)).unwrap_or("constant");
    if kind == "periodic" && seen.contains(&LINEAR) { "linear plus periodic" } else { kind }
}

/// Notes the kinds of all parts; `reduced` inside of what is taken modulo something.
fn look(formula: &Formula, reduced: bool, seen: &mut Vec<&'static str>) {
    seen.extend(match formula {
        Formula::Var(_) if !reduced => Some(LINEAR),
        Formula::Binary(Op::Mod, ..) => Some("periodic"),
        Formula::Binary(Op::Div, ..) => Some("arithmetic periodic"),
        Formula::Binary(Op::Xor | Op::Meet, ..) => Some("bit operations"),
        Formula::Binary(Op::Pow, ..) | Formula::Call(Word::Root, _) => Some("roots and squares"),
        Formula::Binary(Op::Eq | Op::Ne | Op::Lt | Op::Ge, ..) => Some("comparison"),
        Formula::Call(Word::DigitSum(_) | Word::Length, _) | Formula::Places(..) => Some("digit sum"),
        Formula::Call(Word::Valuation(_), _) => Some("valuation"),
        Formula::Call(Word::ZeckendorfSize | Word::ZeckendorfLast, _) => Some("Fibonacci parts"),
        Formula::Call(Word::NimProduct, _) => Some("nim-product"),
        Formula::Call(
            Word::LeastPrime
            | Word::GreatestPrime
            | Word::PrimesTo
            | Word::PrimeFactors
            | Word::DistinctPrimes
            | Word::Divisors,
            _,
        ) => Some("primes and divisors"),
        Formula::Call(Word::Gcd, _) => Some("common divisor"),
        Formula::In(..) => Some("finite set"),
        Formula::Floor(..) | Formula::Member(..) => Some("Beatty sequence"),
        _ => None,
    });
    let first_reduced = matches!(formula, Formula::Binary(Op::Mod, ..) | Formula::If(..));
    for (i, part) in formula.parts().into_iter().enumerate() {
        look(part, reduced || first_reduced && i == 0, seen);
    }
}
