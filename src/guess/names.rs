//! What kind of form a formula is, in a word or two.

use crate::guess::formula::{Formula, Op, Word};

/// Kinds by what occurs in a formula: the first that does names it.
const KINDS: [&str; 11] = [
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

/// The kind of form.
#[must_use]
pub fn name(formula: &Formula) -> String {
    match formula {
        Formula::If(condition, ..) if is_residue(condition) => "lines by residues".into(),
        Formula::If(_, yes, no) if !matches!((&**yes, &**no), (Formula::Int(_), Formula::Int(_))) => {
            let regular = name(no);
            if regular.ends_with("exceptions") { regular } else { format!("{regular} with exceptions") }
        }
        Formula::Binary(Op::And | Op::Or, _, rest) => format!("{} with exceptions", name(rest)),
        Formula::Binary(Op::Iff, normal, _) => format!("{}, turned round for small numbers", name(normal)),
        Formula::Choice(condition, ..) => name(condition),
        _ => regular(formula).into(),
    }
}

/// Whether a condition is `n mod m == r`.
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
        Formula::In(..) => Some("finite set"),
        Formula::Floor(..) | Formula::Member(..) => Some("Beatty sequence"),
        _ => None,
    });
    let first_reduced = matches!(formula, Formula::Binary(Op::Mod, ..) | Formula::If(..));
    for (i, part) in formula.parts().into_iter().enumerate() {
        look(part, reduced || first_reduced && i == 0, seen);
    }
}
