//! What is known of a part of a compound, or of a sum in misere play, and what it tells of all of them together.
//!
//! Sources: Conway, On Numbers and Games, chapter 14 (remoteness, suspense numbers, foreclosed values); Winning Ways,
//! chapter 9; for sums in misere play the rule of hereditarily tame components (Winning Ways, chapter 13); for moves in up to
//! `k` parts Moore, A generalization of the game called Nim, 1910, and Jenkyns and Mayberry, The skeleton of an impartial
//! game and the Nim-function of Moore's games, 1980.

use crate::memo::{Mode, PartFact as Fact};
use crate::value::Compound;

/// How an outcome follows from facts about the parts; facts of several parts played together are a fact again ([`Rule::both`]), but
/// for [`Rule::Moore`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// `value`: the remoteness; the least one tells.
    Conjunctive { misere: bool },
    /// `value`: the suspense number; the greatest one tells.
    Continued { misere: bool },
    /// `value`: 1 if the next player wins in normal play; `mark`: in misere play.
    Selective { misere: bool },
    /// `mark`: the next player wins the part alone.
    ShortenedSelective { misere: bool },
    /// `value`: the foreclosed Grundy value, [`LOONY`] if a move ends the play at once.
    Diminished { misere: bool },
    /// A sum in misere play; `value`: the Grundy value of normal play; `mark`: in misere play it is the same ("firm").
    Tame,
    /// Up to so many parts; `value`: the Grundy value; `mark`: everywhere below, moves lead to smaller values only.
    Moore { most: usize, misere: bool },
}

/// The foreclosed value of a part that the next player can end at once, and win.
const LOONY: u32 = u32::MAX;

impl Rule {
    /// The rule for positions played in this way; `None` for sums in normal play.
    pub(crate) fn of(mode: Mode) -> Option<Rule> {
        let misere = mode.misere;
        Some(match mode.compound {
            None if misere => Rule::Tame,
            None => return None,
            Some(Compound::Conjunctive) => Rule::Conjunctive { misere },
            Some(Compound::Continued) => Rule::Continued { misere },
            Some(Compound::Selective) => Rule::Selective { misere },
            Some(Compound::ShortenedSelective) => Rule::ShortenedSelective { misere },
            Some(Compound::Diminished) => Rule::Diminished { misere },
            Some(Compound::AtMost(most)) => Rule::Moore { most, misere },
        })
    }

    /// A part without moves.
    pub(crate) fn nothing(self) -> Fact {
        match self {
            // Who cannot move wins.
            Rule::Selective { .. } | Rule::Moore { .. } => Fact { over: true, value: 0, mark: true },
            Rule::ShortenedSelective { misere } => Fact { over: true, value: 0, mark: misere },
            _ => Fact { over: true, value: 0, mark: false },
        }
    }

    /// A part whose moves lead to these, at least one. An error: the Grundy values of normal and misere play that are not
    /// those of a tame position.
    pub(crate) fn of_options(self, options: &[Fact]) -> Result<Fact, (u32, u32)> {
        let values = || options.iter().map(|option| option.value);
        let open = |value, mark| Ok(Fact { over: false, value, mark });
        match self {
            // Whoever can leave an even number hurries; who cannot delays.
            Rule::Conjunctive { misere } => open(hurried(values(), misere), false),
            Rule::Continued { misere } => open(delayed(values(), misere), false),
            Rule::Selective { .. } => {
                let (normal, misere) = (values().any(|value| value == 0), options.iter().any(|option| !option.mark));
                open(u32::from(normal), misere)
            }
            Rule::ShortenedSelective { .. } => open(0, options.iter().any(|option| !option.mark)),
            Rule::Diminished { misere: false } if options.iter().any(|option| option.over) => open(LOONY, false),
            Rule::Diminished { .. } => {
                open(mex(options.iter().filter(|o| !o.over && o.value != LOONY).map(|o| o.value)), false)
            }
            Rule::Tame => {
                let normal = mex(values());
                let misere = mex(options.iter().map(|option| in_misere(*option)));
                match (normal, misere) {
                    (0, 1) | (1, 0) => open(normal, false),
                    _ if normal == misere => open(normal, true),
                    _ => Err((normal, misere)),
                }
            }
            Rule::Moore { .. } => {
                let value = mex(values());
                open(value, options.iter().all(|option| option.mark && option.value < value))
            }
        }
    }

    /// Two parts played together. Not for [`Rule::Moore`].
    pub(crate) fn both(self, a: Fact, b: Fact) -> Fact {
        let (over, value, mark) = match self {
            Rule::Conjunctive { .. } => (a.over || b.over, a.value.min(b.value), false),
            Rule::Continued { .. } => (a.over && b.over, a.value.max(b.value), false),
            Rule::Selective { .. } => match (a.over, b.over) {
                (true, _) => return b,
                (_, true) => return a,
                // With two parts at hand nobody is forced to leave a single one lost.
                (false, false) => (false, a.value | b.value, a.value | b.value == 1),
            },
            Rule::ShortenedSelective { misere } => {
                let over = a.over || b.over;
                (over, 0, if over { misere } else { a.mark || b.mark })
            }
            Rule::Diminished { .. } => {
                let value = if a.value == LOONY || b.value == LOONY { LOONY } else { a.value ^ b.value };
                (a.over || b.over, value, false)
            }
            Rule::Tame | Rule::Moore { .. } => (a.over && b.over, a.value ^ b.value, a.mark || b.mark),
        };
        Fact { over, value, mark }
    }

    /// Whether the next player wins; `None`: this rule does not tell.
    pub(crate) fn is_won(self, parts: &[Fact]) -> Option<bool> {
        if let Rule::Moore { most, misere } = self {
            return moore(parts, most, misere);
        }
        let all = parts.iter().fold(self.none(), |all, part| self.both(all, *part));
        Some(self.tells(all))
    }

    /// Whether the next player wins when all parts together are this. Not for [`Rule::Moore`].
    pub(crate) fn tells(self, all: Fact) -> bool {
        match self {
            Rule::Conjunctive { misere } | Rule::Continued { misere } => (all.value % 2 == 1) != misere,
            Rule::Selective { misere: false } => all.value == 1,
            Rule::Selective { misere: true } | Rule::ShortenedSelective { .. } => all.mark,
            Rule::Diminished { misere } => {
                if all.over {
                    misere
                } else {
                    all.value != 0
                }
            }
            Rule::Tame | Rule::Moore { .. } => in_misere(all) != 0,
        }
    }

    /// No parts at all: what changes nothing when it is played together with others.
    pub(crate) fn none(self) -> Fact {
        match self {
            Rule::Conjunctive { .. } => Fact { over: false, value: u32::MAX, mark: false },
            Rule::ShortenedSelective { .. } | Rule::Diminished { .. } => Fact { over: false, value: 0, mark: false },
            _ => self.nothing(),
        }
    }
}

/// The Grundy value of a tame position in misere play.
fn in_misere(fact: Fact) -> u32 {
    if fact.mark { fact.value } else { fact.value ^ 1 }
}

/// The remoteness, where an even one is won by who moved last (an odd one with `misere`).
fn hurried(options: impl Iterator<Item = u32> + Clone, misere: bool) -> u32 {
    let good = |n: &u32| n.is_multiple_of(2) != misere;
    let far = options.clone().filter(good).min().or_else(|| options.max());
    1 + far.unwrap_or(0)
}

/// The suspense number, likewise.
fn delayed(options: impl Iterator<Item = u32> + Clone, misere: bool) -> u32 {
    let good = |n: &u32| n.is_multiple_of(2) != misere;
    let far = options.clone().filter(good).max().or_else(|| options.min());
    1 + far.unwrap_or(0)
}

/// The least number that is not among these.
fn mex(values: impl Iterator<Item = u32>) -> u32 {
    let mut values: Vec<u32> = values.collect();
    values.sort_unstable();
    values.dedup();
    let gap = (0_u32..).zip(&values).find(|(i, value)| i != *value).map(|(i, _)| i);
    gap.unwrap_or_else(|| u32::try_from(values.len()).unwrap_or(u32::MAX))
}

/// Moves in one to `most` parts. Up to `most + 1` parts: lost if all are 0, or all of `most + 1` are equal. More of them, where
/// values only fall, are heaps of Moore's game.
fn moore(parts: &[Fact], most: usize, misere: bool) -> Option<bool> {
    let live = || parts.iter().filter(|part| !part.over).map(|part| part.value);
    let count = live().count();
    let falling = parts.iter().all(|part| part.mark);
    if falling {
        let modulus = u64::try_from(most).ok()?.checked_add(1)?;
        if misere && live().all(|value| value == 1) {
            return Some(u64::try_from(count).ok()? % modulus != 1);
        }
        let ones = |bit: u32| live().filter(|value| value >> bit & 1 == 1).count();
        return Some((0..u32::BITS).any(|bit| u64::try_from(ones(bit)).is_ok_and(|ones| ones % modulus != 0)));
    }
    if misere || count > most.saturating_add(1) {
        return None;
    }
    let first = live().next()?;
    let equal = live().all(|value| value == first);
    Some(if count <= most { !equal || first != 0 } else { !equal })
}
