//! Which game of heaps is meant: a code, a set of amounts, a name.

use crate::code::Code;
use std::fmt;
use std::ops::Range;

/// A game that is played on heaps, by moves in one heap.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Game {
    /// A take-and-break code.
    Code(Code),
    /// Take one of these amounts; ascending, positive, each once.
    Subtraction(Vec<usize>),
    /// Take any positive amount but these; ascending, positive, each once.
    AllBut(Vec<usize>),
    /// Lasker's Nim: take any amount, or split a heap in two.
    Lasker,
}

/// What is wrong with the text of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bad {
    /// The bytes that are to blame.
    pub at: Range<usize>,
    /// One sentence.
    pub message: String,
    /// What stands under the place.
    pub label: String,
    /// How to mend it.
    pub hint: Option<String>,
}

impl Bad {
    /// An error at a place.
    pub fn new(at: Range<usize>, message: impl Into<String>, label: impl Into<String>) -> Bad {
        Bad { at, message: message.into(), label: label.into(), hint: None }
    }

    /// The same with a hint.
    pub fn hint(mut self, hint: impl Into<String>) -> Bad {
        self.hint = Some(hint.into());
        self
    }
}

/// The largest amount in a set: a state of the sequence is as long as the largest amount.
pub const MAX_AMOUNT: usize = 10_000_000;

/// Games with names (Winning Ways, chapter 4), and what they are.
const NAMES: [(&str, &str); 12] = [
    ("kayles", "0.77"),
    ("dawson", "0.137"),
    ("dawsonschess", "0.137"),
    ("dawsonskayles", "0.07"),
    ("treblecross", "0.007"),
    ("grundy", "4!."),
    ("grundysgame", "4!."),
    ("officers", "0.6"),
    ("guiles", "0.15"),
    ("nim", "all-but{}"),
    ("lasker", "lasker"),
    ("laskersnim", "lasker"),
];

impl Game {
    /// Reads `0.77`, `{2,5}`, `all-but{1,2}`, `kayles`. Case, spaces, hyphens and apostrophes in names do not matter.
    pub fn parse(text: &str) -> Result<Game, Bad> {
        let name: String = text.to_lowercase().chars().filter(|c| !" -_'’".contains(*c)).collect();
        if let Some((_, meaning)) = NAMES.iter().find(|(known, _)| *known == name) {
            return if *meaning == "lasker" { Ok(Game::Lasker) } else { Game::parse(meaning) };
        }
        if let Some(open) = text.find('{') {
            let word = text[..open].trim();
            let amounts = amounts(text, open)?;
            return match word {
                "" => Ok(Game::Subtraction(amounts)),
                "all-but" => Ok(Game::AllBut(amounts)),
                _ => Err(Bad::new(
                    0..open,
                    format!("`{word}` before a set is not known"),
                    "only `all-but` may stand here",
                )),
            };
        }
        Code::parse(text).map(Game::Code)
    }
}

/// The members of the set that opens at a byte: ascending, each once.
fn amounts(text: &str, open: usize) -> Result<Vec<usize>, Bad> {
    let Some(inside) = text[open + 1..].trim_end().strip_suffix('}') else {
        return Err(Bad::new(open..text.len(), "this set is not closed", "`}` is missing at the end"));
    };
    let mut amounts = Vec::new();
    let mut at = open + 1;
    for item in inside.split(',') {
        let place = at..at + item.len();
        at += item.len() + 1;
        let word = item.trim();
        if word.is_empty() && inside.trim().is_empty() {
            break;
        }
        if word.is_empty() {
            return Err(Bad::new(place, "an amount is missing", "between commas stands a whole number"));
        }
        let (from, to) = word.split_once("..").unwrap_or((word, word));
        let number = |text: &str| text.trim().parse::<usize>().ok().filter(|n| *n <= MAX_AMOUNT);
        let (Some(from), Some(to)) = (number(from), number(to)) else {
            let label = format!("whole numbers from 1 to {MAX_AMOUNT}");
            return Err(Bad::new(place, format!("`{word}` is no amount to take"), label));
        };
        if from > to {
            let hint = format!("`{to}..{from}` is every amount from {to} to {from}");
            return Err(Bad::new(place, format!("`{word}` is empty"), "the first is larger than the last").hint(hint));
        }
        if from == 0 {
            return Err(Bad::new(place, "a move takes at least 1", "taking nothing would never end"));
        }
        amounts.extend(from..=to);
    }
    amounts.sort_unstable();
    amounts.dedup();
    Ok(amounts)
}

impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let set = |amounts: &[usize]| amounts.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        match self {
            Game::Code(code) => code.fmt(f),
            Game::Subtraction(amounts) => write!(f, "{{{}}}", set(amounts)),
            Game::AllBut(amounts) => write!(f, "all-but{{{}}}", set(amounts)),
            Game::Lasker => f.write_str("lasker"),
        }
    }
}
