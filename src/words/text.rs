//! Words about texts.

use crate::source::Code;
use crate::value::{Fault, Text, Value, excerpt, in_items, iterate, members, wanted};
use crate::words::operator::length;

/// Indices where the part begins, overlapping ones too.
pub(super) fn places(t: &Value, part: &Value) -> Result<Value, Fault> {
    let (text, part) = (t.to_text()?, part.to_text()?);
    if part.is_empty() {
        return Err(Fault::new(Code::R01, "the empty text has no places"));
    }
    Ok(Value::list(text.places(part).into_iter().map(Value::count).collect()))
}

pub(super) fn starts(t: &Value, part: &Value) -> Result<Value, Fault> {
    Ok(Value::Bool(t.to_text()?.starts_with(part.to_text()?)))
}

/// Pieces, empty ones too.
pub(super) fn split(t: &Value, separator: &Value) -> Result<Value, Fault> {
    let (text, separator) = (t.to_text()?, separator.to_text()?);
    if separator.is_empty() {
        return Err(Fault::new(Code::R01, "a text is not split at the empty text"));
    }
    let mut pieces = Vec::new();
    let mut from = 0;
    for place in text.places(separator) {
        // Of overlapping places the first counts.
        if place >= from {
            pieces.push(Value::Text(text.part(from..place)));
            from = place + separator.len();
        }
    }
    pieces.push(Value::Text(text.part(from..text.len())));
    Ok(Value::list(pieces))
}

pub(super) fn join(c: &Value) -> Result<Value, Fault> {
    if let Value::Text(_) = c {
        return Ok(c.clone());
    }
    let mut characters = Vec::new();
    for text in iterate(c)? {
        let text = text.to_text()?;
        in_items(&[characters.len() + text.len()], "this text")?;
        characters.extend(text.characters());
    }
    Ok(Value::Text(characters.into_iter().collect()))
}

/// All texts over the letters, shortest first, the last letter changing fastest.
pub(super) fn words(alphabet: &Value, lengths: &Value) -> Result<Value, Fault> {
    let letters = members(alphabet)?;
    let letters = letters.iter().map(Value::to_text).collect::<Result<Vec<&Text>, Fault>>()?;
    let lengths = match lengths {
        Value::Int(_) | Value::Big(_) => vec![lengths.to_count("the length of a word")?],
        Value::Range(..) if letters.is_empty() => {
            // Only the empty word, however long the range.
            let zero = crate::words::contains(lengths, &Value::Int(0))?;
            vec![0; usize::from(zero)]
        }
        _ => {
            in_items(&[length(lengths)?, length(lengths)?], "this list of words")?;
            members(lengths)?.iter().map(|n| n.to_count("the length of a word")).collect::<Result<Vec<_>, Fault>>()?
        }
    };
    let mut total = 0_usize;
    for &n in &lengths {
        // Up to four bytes a character, thirty-two an item.
        let words =
            if letters.len() == 1 { Some(1) } else { u32::try_from(n).ok().and_then(|n| letters.len().checked_pow(n)) };
        let words = if letters.is_empty() { Some(usize::from(n == 0)) } else { words };
        total = total.saturating_add(words.unwrap_or(usize::MAX).saturating_mul(n / 8 + 2));
        in_items(&[total], "this list of words")?;
    }
    let mut out = Vec::new();
    for n in lengths {
        if n > 0 && letters.is_empty() {
            continue;
        }
        let mut at = vec![0; n];
        loop {
            let characters: Vec<char> = at.iter().flat_map(|&i: &usize| letters[i].characters()).collect();
            out.push(Value::Text(characters.into_iter().collect()));
            let Some(i) = at.iter().rposition(|&i| i + 1 < letters.len()) else { break };
            at[i] += 1;
            at[i + 1..].fill(0);
        }
    }
    Ok(Value::list(out))
}

pub(super) fn text(n: &Value) -> Value {
    match n {
        Value::Text(_) => n.clone(),
        _ => Value::text(&n.to_string()),
    }
}

pub(super) fn int(t: &Value) -> Result<Value, Fault> {
    if let Value::Int(_) | Value::Big(_) = t {
        return Ok(t.clone());
    }
    let Value::Text(text) = t else { return Err(wanted("a text", t)) };
    let mut digits = text.characters();
    if text.at(0) == Some('-') {
        digits.next();
    }
    let count = digits.len();
    let fits = count > 0 && digits.all(|c| c.is_ascii_digit());
    in_items(&[count, 64], "a number of so many digits")?;
    let number: Option<num_bigint::BigInt> = fits.then(|| text.to_string().parse().ok()).flatten();
    number.map(Value::int).ok_or_else(|| Fault::new(Code::R01, format!("{} is not an int", excerpt(t))))
}
