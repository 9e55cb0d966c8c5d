//! How a case can be argued, and the parts that none may lack.

use serde::{Deserialize, Serialize};

/// How a case is argued. In the file of a certificate it stands in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Method {
    /// The closed form is the least value that no option has.
    #[serde(rename = "induction on Grundy values")]
    GrundyValues,
    /// The same where an automaton reads the value off the numbers.
    #[serde(rename = "induction on Grundy values that an automaton accepts")]
    AcceptedValues,
    /// A position is lost if and only if no move leads to a lost one.
    #[serde(rename = "induction on who loses")]
    Losing,
    /// Two positions have the same outcome, since the moves of each are answered in the other.
    #[serde(rename = "induction on pairs of positions in which each move has an answer")]
    Alike,
    /// Who wins the one position wins the other.
    #[serde(rename = "induction on pairs of positions of which who wins the one wins the other")]
    Weaker,
    /// A move wins at once.
    #[serde(rename = "a move after which the other player has none")]
    AtOnce,
    /// Two positions differ in outcome, since a move leads from one to the other.
    #[serde(rename = "induction on plays, and a move from one of two positions to the other")]
    Between,
    /// There is no draw, since every play ends.
    #[serde(rename = "induction on plays: every one ends, and none in a draw")]
    Ends,
    /// A play takes no more moves than a bound.
    #[serde(rename = "a bound that every move makes smaller")]
    Bound,
    /// Another closed form of something that is proved.
    #[serde(rename = "the same as a statement that is proved")]
    Same,
    /// No more than logic is between it and what is proved.
    #[serde(rename = "it follows from statements that are proved")]
    Follows,
    /// Which moves win, by who loses.
    #[serde(rename = "who loses tells which moves win")]
    Moves,
    /// Which moves lead to a value, by the values.
    #[serde(rename = "Grundy values tell where moves lead")]
    MovesTo,
    /// A statement about nothing.
    #[serde(rename = "there are no positions")]
    Nothing,
}

const LEAVES: &str = "a move leads to a position that the statement does not speak of";

impl Method {
    /// What must never happen: each is a part of the argument, and a sentence of the certificate.
    pub(crate) fn needed(self) -> &'static [&'static str] {
        match self {
            Self::GrundyValues => &[
                LEAVES,
                "the value is negative",
                "an option has the value of its position",
                "a smaller value is that of no option",
            ],
            Self::AcceptedValues => &[
                LEAVES,
                "an automaton accepts two values of one position",
                "an automaton accepts no value of a position",
                "an option has the value of its position",
                "a smaller value is that of no option",
            ],
            Self::Losing => &[
                LEAVES,
                "a lost position has a move to a lost one",
                "a position is not lost but has no move to a lost one",
                "an end of the play is not what the rules say",
            ],
            Self::Alike => &[
                LEAVES,
                "a move of the first position has no answer in the second",
                "a move of the second position has no answer in the first",
                "a move of the second position leads to no position",
                "one play ends at once, and the other does not or otherwise",
            ],
            Self::Weaker => &[
                LEAVES,
                "a move of the first position has no answer in the second",
                "a move of the second position leads to no position",
                "an end of one play is against it",
            ],
            Self::AtOnce => &[LEAVES, "it is no position", "no move of the position wins at once"],
            Self::Between => &[LEAVES, "it is no position", "no move leads from one of the positions to the other"],
            Self::Ends => &[LEAVES],
            Self::Bound => &[LEAVES, "the bound is negative", "a move does not make the bound smaller"],
            Self::Same => &["it is not what is proved already"],
            Self::Follows => &["the statement fails"],
            Self::Moves => &["a move wins that is not stated, or does not win that is"],
            Self::MovesTo => &["a move leads to a value for which it is not stated, or does not where it is"],
            Self::Nothing => &["there is a position"],
        }
    }

    /// Whether it is an induction over plays: then every move must make a ranking smaller.
    pub(crate) fn is_induction(self) -> bool {
        match self {
            Self::GrundyValues
            | Self::AcceptedValues
            | Self::Losing
            | Self::Alike
            | Self::Weaker
            | Self::Between
            | Self::Ends => true,
            Self::AtOnce | Self::Bound | Self::Same | Self::Follows | Self::Moves | Self::MovesTo | Self::Nothing => {
                false
            }
        }
    }
}
