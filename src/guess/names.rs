//! What kind of form a formula is, in a word or two.

use super::formula::{Formula, Op, Word};

/// What occurs in a formula.
#[derive(Default)]
struct Traits {
    beatty: bool,
    fibonacci: bool,
    digits: bool,
    valuation: bool,
    bits: bool,
    roots: bool,
    modulo: bool,
    quotient: bool,
    /// A variable that is not only taken modulo something.
    free: bool,
    choice: bool,
    sets: bool,
}

/// The kind of form.
#[must_use]
pub fn name(formula: &Formula) -> &'static str {
    let mut seen = Traits::default();
    look(formula, false, &mut seen);
    match seen {
        Traits { beatty: true, .. } => "Beatty sequence",
        Traits { fibonacci: true, .. } => "Fibonacci parts",
        Traits { digits: true, .. } => "digit sum",
        Traits { valuation: true, .. } => "valuation",
        Traits { roots: true, .. } => "roots and squares",
        Traits { bits: true, .. } => "bit operations",
        Traits { choice: true, .. } => "with exceptions",
        Traits { modulo: true, free: true, .. } => "linear plus periodic",
        Traits { modulo: true, .. } => "periodic",
        Traits { quotient: true, .. } => "arithmetic periodic",
        Traits { sets: true, .. } => "finite set",
        Traits { free: true, .. } => "linear",
        _ => "constant",
    }
}

fn look(formula: &Formula, reduced: bool, seen: &mut Traits) {
    match formula {
        Formula::Int(_) | Formula::Truth(_) => {}
        Formula::Var(_) => seen.free |= !reduced,
        Formula::Binary(op, a, b) => {
            seen.modulo |= *op == Op::Mod;
            seen.quotient |= *op == Op::Div;
            seen.bits |= matches!(op, Op::Xor | Op::Meet);
            seen.roots |= *op == Op::Pow;
            seen.choice |= matches!(op, Op::And | Op::Or | Op::Iff);
            look(a, reduced || *op == Op::Mod, seen);
            look(b, reduced, seen);
        }
        Formula::Call(word, args) => {
            seen.digits |= matches!(word, Word::DigitSum(_) | Word::Length);
            seen.valuation |= matches!(word, Word::Valuation(_));
            seen.fibonacci |= matches!(word, Word::ZeckendorfSize | Word::ZeckendorfLast);
            seen.roots |= *word == Word::Root;
            args.iter().for_each(|arg| look(arg, reduced, seen));
        }
        Formula::Pick(_, index) => look(index, reduced, seen),
        Formula::In(of, ..) => {
            seen.sets = true;
            look(of, reduced, seen);
        }
        Formula::If(condition, yes, no) => {
            seen.choice = true;
            look(condition, true, seen);
            look(yes, reduced, seen);
            look(no, reduced, seen);
        }
        Formula::Floor(of, _) | Formula::Member(of, _) => {
            seen.beatty = true;
            look(of, reduced, seen);
        }
        Formula::Places(..) => seen.digits = true,
        Formula::Choice(condition, ..) => look(condition, reduced, seen),
    }
}
