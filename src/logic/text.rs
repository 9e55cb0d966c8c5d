//! Formulas as text, for certificates: the syntax is described in `verify/sentence.rs`, which reads it.

use super::formula::{Atom, Formula, Linear, Sense};
use super::limit::Reason;
use num_bigint::BigInt;
use num_traits::Signed;
use std::fmt::Write as _;

/// Texts do not grow beyond so many bytes.
const LONGEST: usize = 16 << 20;

/// The sentence that no numbers make the formula true.
///
/// # Errors
/// When it is too long, or speaks of words of automata.
pub fn never(formula: &Formula) -> Result<String, Reason> {
    let free = formula.free().into_iter().collect();
    let mut text = String::from("(not ");
    write(&Formula::exists(free, formula.clone()), &mut text)?;
    text.push(')');
    Ok(text)
}

fn write(formula: &Formula, text: &mut String) -> Result<(), Reason> {
    if text.len() > LONGEST {
        return Err(Reason::Failed(format!("the text of a sentence is longer than {LONGEST} bytes")));
    }
    let many = |word: &str, parts: &[Formula], text: &mut String| {
        *text += word;
        for part in parts {
            text.push(' ');
            write(part, text)?;
        }
        Ok(())
    };
    match formula {
        Formula::Constant(value) => {
            *text += if *value { "true" } else { "false" };
            return Ok(());
        }
        Formula::Atom(atom) => return self::atom(atom, text),
        Formula::Not(inner) => {
            *text += "(not ";
            write(inner, text)?;
        }
        Formula::All(parts) => many("(and", parts, text)?,
        Formula::Any(parts) => many("(or", parts, text)?,
        Formula::Exists(tracks, inner) => {
            let names: Vec<String> = tracks.iter().map(|track| format!("x{track}")).collect();
            put(text, format_args!("(exists ({}) ", names.join(" ")));
            write(inner, text)?;
        }
    }
    text.push(')');
    Ok(())
}

fn put(text: &mut String, what: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = text.write_fmt(what);
}

fn atom(atom: &Atom, text: &mut String) -> Result<(), Reason> {
    match atom {
        Atom::Sum(sum, sense) => {
            // What is negative stands on the other side.
            let [left, right] = sides(sum);
            let word = if *sense == Sense::Zero { "=" } else { "<=" };
            put(text, format_args!("({word} {left} {right})"));
        }
        Atom::Multiple(sum, of) => {
            let terms = sum.terms.iter().map(|(track, multiple)| term(multiple, *track)).collect();
            put(text, format_args!("(multiple {of} {})", added(terms, &sum.constant)));
        }
        Atom::Xor(x, y, z) => put(text, format_args!("(xor x{x} x{y} x{z})")),
        Atom::Meet(x, y, z) => put(text, format_args!("(meet x{x} x{y} x{z})")),
        Atom::Place(x) => put(text, format_args!("(place x{x})")),
        Atom::Part(p, x) => put(text, format_args!("(part x{p} x{x})")),
        Atom::Shift(x, y) => put(text, format_args!("(shift x{x} x{y})")),
        Atom::Word(..) => return Err(Reason::Failed("words of automata have no text".into())),
    }
    Ok(())
}

/// Two sums of natural multiples, whose difference it is.
fn sides(sum: &Linear) -> [String; 2] {
    [false, true].map(|negative| {
        let of = |(_, multiple): &(&u32, &BigInt)| multiple.is_negative() == negative;
        let terms = sum.terms.iter().filter(of).map(|(track, multiple)| term(&multiple.abs(), *track)).collect();
        let constant = if sum.constant.is_negative() == negative { sum.constant.abs() } else { BigInt::ZERO };
        added(terms, &constant)
    })
}

fn term(multiple: &BigInt, track: u32) -> String {
    if *multiple == BigInt::from(1) { format!("x{track}") } else { format!("(* {multiple} x{track})") }
}

fn added(mut terms: Vec<String>, constant: &BigInt) -> String {
    if terms.is_empty() || *constant != BigInt::ZERO {
        terms.push(constant.to_string());
    }
    match &terms[..] {
        [one] => one.clone(),
        _ => format!("(+ {})", terms.join(" ")),
    }
}
