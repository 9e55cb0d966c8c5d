//! What a term of the language comes to when some numbers are variables.

use crate::model::GameId;
use crate::source::text::Span;
use crate::value::Value;
use grundy_automata::{Formula, Linear, Track};
use num_bigint::BigInt;
use std::sync::Arc;

/// A value with variables in it.
#[derive(Clone, Debug)]
pub(super) enum Sym {
    /// A whole number.
    Int(Linear),
    /// A condition.
    Bool(Formula),
    /// The exponent of the power of two that is on this track, and a constant more.
    Exponent(Track, i64),
    /// `(a + b * sqrt(5)) / below`, `below > 0`.
    Real { a: Linear, b: Linear, below: BigInt },
    /// A text.
    Text(Arc<str>),
    /// A tuple.
    Tuple(Vec<Sym>),
    /// A list of which each item is there under a condition.
    List(Vec<(Formula, Sym)>),
    /// A set, ascending.
    Set(Vec<Linear>),
    /// All numbers from the one to the other, exponents included.
    Range(Box<Sym>, Box<Sym>),
    /// The parts of a number in the system of Zeckendorf.
    Parts(Linear),
    /// The places in the list of the parts of a number.
    PartIndices(Linear),
    /// One of them, by the part that stands there.
    PartIndex(Track, Linear),
    /// How many parts a number has in that system.
    PartCount(Linear),
    /// The digits of a number in a base.
    Digits(Linear, u8),
    /// Their sum, and a constant more.
    DigitSum(Linear, u8, BigInt),
    /// All numbers of a domain without those of another.
    Without(Box<Sym>, Box<Sym>),
    /// `slide(from, to, taken)`
    Slide(Linear, Linear, Vec<Linear>),
    /// All natural numbers.
    Naturals,
    /// `choices(..)`: one member of each.
    Choices(Vec<Sym>),
    /// A sum of components.
    Position { parts: Vec<Part>, misere: bool },
}

/// A component of a position.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) game: GameId,
    pub(super) params: Vec<Sym>,
    pub(super) fields: Vec<Sym>,
}

/// Why something cannot be proved here: the term that stands in the way, and what is wrong with it.
#[derive(Clone, Debug)]
pub(super) struct No {
    pub(super) span: Option<Span>,
    pub(super) why: String,
    /// A limit was reached.
    pub(super) limit: bool,
    /// The game of one number whose values would help, with its rule parameters.
    pub(super) wanted: Option<Box<(GameId, Vec<Sym>)>>,
}

impl No {
    pub(super) fn at(span: Span, why: impl Into<String>) -> No {
        No { span: Some(span), ..No::bare(why) }
    }

    pub(super) fn bare(why: impl Into<String>) -> No {
        No { span: None, why: why.into(), limit: false, wanted: None }
    }
}

impl Part {
    /// The same refusal, for want of the values of this component if it is one of one number in normal play.
    pub(super) fn wanted(&self, no: No) -> No {
        match &self.fields[..] {
            [Sym::Int(_)] => No { wanted: Some(Box::new((self.game, self.params.clone()))), ..no },
            _ => no,
        }
    }
}

impl Sym {
    /// The value, when no variable is in it.
    pub(super) fn known(&self) -> Option<Value> {
        match self {
            Sym::Int(number) => Some(Value::int(number.constant()?.clone())),
            Sym::Bool(Formula::Constant(truth)) => Some(Value::Bool(*truth)),
            Sym::Text(text) => Some(Value::text(text)),
            Sym::Tuple(_) => {
                Some(Value::Tuple(self.items()?.iter().map(Sym::known).collect::<Option<Vec<_>>>()?.into()))
            }
            Sym::List(_) => Some(Value::list(self.items()?.iter().map(Sym::known).collect::<Option<_>>()?)),
            Sym::Set(_) => Some(Value::set(self.items()?.iter().map(Sym::known).collect::<Option<_>>()?)),
            _ => None,
        }
    }

    /// A number that is known.
    pub(super) fn number(number: impl Into<BigInt>) -> Sym {
        Sym::Int(Linear::number(number))
    }

    /// A list of which all items are there.
    pub(super) fn list(items: impl IntoIterator<Item = Sym>) -> Sym {
        Sym::List(items.into_iter().map(|item| (Formula::Constant(true), item)).collect())
    }

    /// The items of a list of which all are there, of a tuple or a set.
    pub(super) fn items(&self) -> Option<Vec<Sym>> {
        match self {
            Sym::Tuple(items) => Some(items.clone()),
            Sym::Set(items) => Some(items.iter().cloned().map(Sym::Int).collect()),
            Sym::List(items) => items
                .iter()
                .map(|(there, item)| matches!(there, Formula::Constant(true)).then(|| item.clone()))
                .collect(),
            _ => None,
        }
    }

    /// The numbers in it, in order; `None`: it holds something else.
    pub(super) fn numbers(&self) -> Option<Vec<Linear>> {
        match self {
            Sym::Int(number) => Some(vec![number.clone()]),
            _ => Some(self.items()?.iter().map(Sym::numbers).collect::<Option<Vec<_>>>()?.concat()),
        }
    }
}

/// A term that has no form here.
pub(super) fn odd(span: Span) -> No {
    No::at(span, "this is not in the logic of the prover")
}
