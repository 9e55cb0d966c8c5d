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
    match formula {
        Formula::Int(_) | Formula::Truth(_) => {}
        Formula::Var(_) if reduced => {}
        Formula::Var(_) => seen.push(LINEAR),
        Formula::Binary(op, a, b) => {
            seen.extend(match op {
                Op::Mod => Some("periodic"),
                Op::Div => Some("arithmetic periodic"),
                Op::Xor | Op::Meet => Some("bit operations"),
                Op::Pow => Some("roots and squares"),
                Op::Eq | Op::Ne | Op::Lt | Op::Ge => Some("comparison"),
                _ => None,
            });
            look(a, reduced || *op == Op::Mod, seen);
            look(b, reduced, seen);
        }
        Formula::Call(word, args) => {
            seen.extend(match word {
                Word::DigitSum(_) | Word::Length => Some("digit sum"),
                Word::Valuation(_) => Some("valuation"),
                Word::ZeckendorfSize | Word::ZeckendorfLast => Some("Fibonacci parts"),
                Word::Root => Some("roots and squares"),
                Word::Min | Word::Max | Word::Abs => None,
            });
            for arg in args {
                look(arg, reduced, seen);
            }
        }
        Formula::Pick(_, index) => look(index, reduced, seen),
        Formula::In(of, ..) => {
            seen.push("finite set");
            look(of, reduced, seen);
        }
        Formula::If(condition, yes, no) => {
            look(condition, true, seen);
            look(yes, reduced, seen);
            look(no, reduced, seen);
        }
        Formula::Floor(of, _) | Formula::Member(of, _) => {
            seen.push("Beatty sequence");
            look(of, reduced, seen);
        }
        Formula::Places(..) => seen.push("digit sum"),
        Formula::Choice(condition, ..) => look(condition, reduced, seen),
    }
}
