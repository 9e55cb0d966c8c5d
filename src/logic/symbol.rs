//! What a term of the language comes to when some numbers are variables, and how the fields of positions are made of numbers.

use crate::model::{Field, GameId, Kind};
use crate::source::Span;
use crate::value::{Value, iterate};
use grundy_automata::{Formula, Linear, Reason, Track};
use num_bigint::BigInt;

/// `(a + b * sqrt(root)) / below`, `below > 0`; no square divides the root, which is 1 where b is 0 and no root was spoken of.
#[derive(Clone, Debug)]
pub(crate) struct Real {
    pub(crate) a: Linear,
    pub(crate) b: Linear,
    pub(crate) below: BigInt,
    pub(crate) root: u32,
}

impl Real {
    /// The root of both, which may be that of one; `None`: there are two.
    pub(crate) fn common_root(&self, other: &Real) -> Option<u32> {
        match (self.root, other.root) {
            (one, 1) => Some(one),
            (1, other) => Some(other),
            (one, other) => (one == other).then_some(one),
        }
    }

    /// The difference times both denominators, as `[a, b]`, and its root; `None`: there are two.
    pub(crate) fn minus(&self, other: &Real) -> Option<([Linear; 2], u32)> {
        let over = |p: &Linear, q: &Linear| {
            Linear::default().plus(&other.below, p).minus(&Linear::default().plus(&self.below, q))
        };
        Some(([over(&self.a, &other.a), over(&self.b, &other.b)], self.common_root(other)?))
    }
}

pub(crate) fn two_roots(span: Span) -> No {
    No::at(span, "square roots of different numbers at once")
}

#[derive(Clone, Debug)]
pub(crate) enum Sym {
    Int(Linear),
    Bool(Formula),
    Exponent(crate::logic::exponents::Exponent),
    /// A quotient by a variable.
    Quotient(Box<crate::logic::quotients::Quotient>),
    Real(Real),
    Text(std::sync::Arc<str>),
    Tuple(Vec<Sym>),
    /// A list of which each item is there under a condition.
    List(Vec<(Formula, Sym)>),
    /// A set, ascending.
    Set(Vec<Linear>),
    /// A bag: a list whose items may stand in any order. What is said of it must not depend on the order.
    Bag(Vec<(Formula, Sym)>),
    /// All numbers from the one to the other, exponents included.
    Range(Box<Sym>, Box<Sym>),
    /// The parts of a number in the system of Zeckendorf.
    Parts(Linear),
    PartIndices(Linear),
    /// One of them, by the part that stands there.
    PartIndex(Track, Linear),
    Digits(Linear, u8),
    /// The sum of the digits of a number, or how many parts it has in the system of Zeckendorf, and a constant more.
    DigitSum(Linear, crate::logic::numbers::Weights, BigInt),
    Without(Box<Sym>, Box<Sym>),
    Slide(Linear, Linear, Vec<Linear>),
    Naturals,
    /// The numbers of which this one, at least 1, is a multiple.
    Divisors(Linear),
    /// `{false, true}`
    Truths,
    /// `choices(..)`: one member of each.
    Choices(Vec<Sym>),
    Position {
        parts: Vec<Part>,
        misere: bool,
    },
}

/// A component; or a sum of several as one position.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) game: GameId,
    pub(crate) params: Vec<Sym>,
    /// Of a sum, those of all its components, one after another.
    pub(crate) fields: Vec<Sym>,
    /// The other components of a sum.
    pub(crate) beside: Vec<Beside>,
}

/// A component that stands behind another in a sum.
#[derive(Clone, Debug)]
pub(crate) struct Beside {
    pub(crate) game: GameId,
    pub(crate) params: Vec<Sym>,
    /// So many of the fields are its.
    pub(crate) fields: usize,
}

/// Why something cannot be proved here: the term that stands in the way, and what is wrong with it.
#[derive(Clone, Debug)]
pub struct No {
    pub(crate) span: Option<Span>,
    pub(crate) why: String,
    pub(crate) limit: bool,
    /// The position of which a closed form would help.
    pub(crate) wanted: Option<Box<Wanted>>,
    /// It depends on whether this number is 0: where it is known, the term may be in the logic.
    pub(crate) open: Option<Box<Linear>>,
    /// A variable that would have to be an exponent, and of which base.
    pub(crate) exponent: Option<(Track, u8)>,
}

/// A position of which nothing is known, and what is asked of it.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    pub(crate) part: Part,
    /// Its Grundy value; else who loses.
    pub(crate) value: bool,
    /// In misere play, whatever the game says.
    pub(crate) misere: bool,
}

impl Wanted {
    /// Whether it has one number only, in normal play: it may be a heap.
    pub(crate) fn is_heap(&self) -> bool {
        !self.misere && matches!(self.part.fields[..], [Sym::Int(_)])
    }
}

impl No {
    pub(crate) fn at(span: Span, why: impl Into<String>) -> No {
        No { span: Some(span), ..No::bare(why) }
    }

    pub(crate) fn bare(why: impl Into<String>) -> No {
        No { span: None, why: why.into(), limit: false, wanted: None, open: None, exponent: None }
    }
}

impl From<Reason> for No {
    fn from(reason: Reason) -> No {
        No { limit: true, ..No::bare(reason.to_string()) }
    }
}

impl Part {
    pub(crate) fn new(game: GameId, params: Vec<Sym>, fields: Vec<Sym>) -> Part {
        Part { game, params, fields, beside: Vec::new() }
    }

    /// Several components as one position; `None`: there are none.
    pub(crate) fn sum(parts: &[Part]) -> Option<Part> {
        let all: Vec<Part> = parts.iter().flat_map(Part::components).collect();
        let (first, rest) = all.split_first()?;
        let of = |part: &Part| Beside { game: part.game, params: part.params.clone(), fields: part.fields.len() };
        let fields = all.iter().flat_map(|part| part.fields.iter().cloned()).collect();
        Some(Part { fields, beside: rest.iter().map(of).collect(), ..first.clone() })
    }

    /// The components of a sum; of one component, itself.
    pub(crate) fn components(&self) -> Vec<Part> {
        let behind: usize = self.beside.iter().map(|other| other.fields).sum();
        let (own, mut rest) = self.fields.split_at(self.fields.len() - behind);
        let mut all = vec![Part::new(self.game, self.params.clone(), own.to_vec())];
        for Beside { game, params, fields } in &self.beside {
            let (own, behind) = rest.split_at(*fields);
            all.push(Part::new(*game, params.clone(), own.to_vec()));
            rest = behind;
        }
        all
    }

    /// The same component with its numbers in another order: `order` names for each place the one that is put there. Only naturals and
    /// lists of them have an order. `None`: it holds something else.
    pub(crate) fn turned(&self, order: &[usize]) -> Option<Part> {
        let numbers = self.fields.iter().map(Sym::numbers).collect::<Option<Vec<_>>>()?.concat();
        let mut next = order.iter().map(|&at| numbers.get(at).cloned().map(Sym::Int));
        let mut fields = Vec::new();
        for field in &self.fields {
            fields.push(match field {
                Sym::Int(_) => next.next()??,
                Sym::List(items) => Sym::list((0..items.len()).map(|_| next.next()?).collect::<Option<Vec<_>>>()?),
                Sym::Bag(items) => Sym::bag((0..items.len()).map(|_| next.next()?).collect::<Option<Vec<_>>>()?),
                _ => return None,
            });
        }
        Some(Part { fields, ..self.clone() })
    }

    /// The same refusal, for want of a closed form of this component.
    pub(crate) fn wanted(&self, value: bool, misere: bool, no: No) -> No {
        No { wanted: Some(Box::new(Wanted { part: self.clone(), value, misere })), ..no }
    }
}

impl Sym {
    /// The value, when no variable is in it.
    pub(crate) fn known(&self) -> Option<Value> {
        match self {
            Sym::Int(number) => Some(Value::int(number.constant()?.clone())),
            Sym::Bool(Formula::Constant(truth)) => Some(Value::Bool(*truth)),
            Sym::Text(text) => Some(Value::text(text)),
            Sym::Tuple(_) => {
                Some(Value::Tuple(self.items()?.iter().map(Sym::known).collect::<Option<Vec<_>>>()?.into()))
            }
            Sym::List(_) => Some(Value::list(self.items()?.iter().map(Sym::known).collect::<Option<_>>()?)),
            Sym::Set(_) => Some(Value::set(self.items()?.iter().map(Sym::known).collect::<Option<_>>()?)),
            Sym::Bag(items) => Some(Value::bag(all_there(items)?.iter().map(Sym::known).collect::<Option<_>>()?)),
            _ => None,
        }
    }

    /// What a value is here; `None`: it has no form. Sets of other things than numbers have none: operators on lists are not theirs.
    pub(crate) fn of(value: &Value) -> Option<Sym> {
        let items = || iterate(value).ok()?.map(|item| Sym::of(&item)).collect::<Option<Vec<_>>>();
        let number = |item: Sym| if let Sym::Int(number) = item { Some(number) } else { None };
        Some(match value {
            Value::Int(n) => Sym::number(*n),
            Value::Big(n) => Sym::number((**n).clone()),
            Value::Bool(truth) => Sym::Bool(Formula::Constant(*truth)),
            Value::Text(text) => Sym::Text(text.to_string().into()),
            Value::Range(from, to) => Sym::Range(Box::new(Sym::number(*from)), Box::new(Sym::number(*to))),
            Value::Tuple(parts) => Sym::Tuple(parts.iter().map(Sym::of).collect::<Option<_>>()?),
            Value::Set(_) => Sym::Set(items()?.into_iter().map(number).collect::<Option<_>>()?),
            Value::List(list) if list.base == 0 => Sym::list(items()?),
            Value::Bag(_) => Sym::bag(items()?),
            _ => return None,
        })
    }

    pub(crate) fn number(number: impl Into<BigInt>) -> Sym {
        Sym::Int(Linear::number(number))
    }

    pub(crate) fn list(items: impl IntoIterator<Item = Sym>) -> Sym {
        Sym::List(items.into_iter().map(|item| (Formula::Constant(true), item)).collect())
    }

    pub(crate) fn bag(items: impl IntoIterator<Item = Sym>) -> Sym {
        Sym::Bag(items.into_iter().map(|item| (Formula::Constant(true), item)).collect())
    }

    /// The items of a list of which all are there, of a tuple or a set: of what has an order.
    pub(crate) fn items(&self) -> Option<Vec<Sym>> {
        match self {
            Sym::Tuple(items) => Some(items.clone()),
            Sym::Set(items) => Some(items.iter().cloned().map(Sym::Int).collect()),
            Sym::List(items) => all_there(items),
            _ => None,
        }
    }

    /// The numbers and truth values in it, in order, of a bag as they stand; `None`: it holds something else.
    pub(crate) fn leaves(&self) -> Option<Vec<Sym>> {
        let items = match self {
            Sym::Int(_) | Sym::Bool(_) => return Some(vec![self.clone()]),
            Sym::Bag(items) => all_there(items)?,
            _ => self.items()?,
        };
        Some(items.iter().map(Sym::leaves).collect::<Option<Vec<_>>>()?.concat())
    }

    /// The items of a collection, of a bag as they stand, if all of them are there and numbers.
    pub(crate) fn ints(&self) -> Option<Vec<Linear>> {
        let items = if let Sym::Bag(items) = self { all_there(items)? } else { self.items()? };
        items.into_iter().map(|item| if let Sym::Int(number) = item { Some(number) } else { None }).collect()
    }

    /// The numbers in it and in what it holds, in order, of a bag as they stand; `None`: it holds something else.
    pub(crate) fn numbers(&self) -> Option<Vec<Linear>> {
        let number = |leaf| if let Sym::Int(number) = leaf { Some(number) } else { None };
        self.leaves()?.into_iter().map(number).collect()
    }
}

/// The items of a list or bag, if all of them are there.
pub(crate) fn all_there(items: &[(Formula, Sym)]) -> Option<Vec<Sym>> {
    items.iter().map(|(there, item)| matches!(there, Formula::Constant(true)).then(|| item.clone())).collect()
}

/// A term that has no form here.
pub(crate) fn odd(span: Span) -> No {
    No::at(span, "this is not in the logic of the prover")
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Number,
    Whole,
    /// A truth value: the number 0 or 1.
    Truth,
    List(usize),
    /// A list of other things than numbers; an empty one is [`Shape::List`].
    Items(Vec<Shape>),
    Set(usize),
    /// Its numbers in any order: a bag has several positions of variables, which are all the same position.
    Bag(usize),
    Tuple(Vec<Shape>),
}

impl Shape {
    /// For each number in it, whether it is a natural one.
    pub(crate) fn naturals(&self) -> Vec<bool> {
        match self {
            Shape::Number | Shape::Truth => vec![true],
            Shape::Whole => vec![false],
            Shape::List(size) | Shape::Set(size) | Shape::Bag(size) => vec![true; *size],
            Shape::Tuple(parts) | Shape::Items(parts) => parts.iter().flat_map(Shape::naturals).collect(),
        }
    }

    /// For each variable of it, whether it is a truth value.
    pub(crate) fn truths(&self) -> Vec<bool> {
        match self {
            Shape::Number => vec![false],
            Shape::Whole => vec![false; 2],
            Shape::Truth => vec![true],
            Shape::List(size) | Shape::Set(size) | Shape::Bag(size) => vec![false; *size],
            Shape::Tuple(parts) | Shape::Items(parts) => parts.iter().flat_map(Shape::truths).collect(),
        }
    }

    /// The value of these numbers, of which a whole number takes two.
    pub(crate) fn value(&self, numbers: &mut impl Iterator<Item = BigInt>) -> Value {
        match self {
            Shape::Number => Value::int(numbers.next().unwrap_or_default()),
            Shape::Whole => {
                let (up, down) = (numbers.next().unwrap_or_default(), numbers.next().unwrap_or_default());
                Value::int(up - down)
            }
            Shape::Truth => Value::Bool(numbers.next().is_some_and(|number| number != BigInt::ZERO)),
            Shape::List(size) => Value::list(numbers.by_ref().take(*size).map(Value::int).collect()),
            Shape::Set(size) => Value::set(numbers.by_ref().take(*size).map(Value::int).collect()),
            Shape::Bag(size) => Value::bag(numbers.by_ref().take(*size).map(Value::int).collect()),
            Shape::Items(parts) => Value::list(parts.iter().map(|part| part.value(numbers)).collect()),
            Shape::Tuple(parts) => Value::Tuple(parts.iter().map(|part| part.value(numbers)).collect()),
        }
    }

    /// How many numbers a list, set or bag has; `None`: it is none of these.
    pub(crate) fn length(&self) -> Option<usize> {
        match self {
            Shape::List(size) | Shape::Set(size) | Shape::Bag(size) => Some(*size),
            Shape::Items(parts) => Some(parts.len()),
            Shape::Number | Shape::Whole | Shape::Truth | Shape::Tuple(_) => None,
        }
    }
}

pub(crate) fn shape(field: &Sym) -> Option<Shape> {
    match field {
        Sym::Int(_) => Some(Shape::Number),
        Sym::Bool(_) => Some(Shape::Truth),
        Sym::Tuple(parts) => Some(Shape::Tuple(parts.iter().map(shape).collect::<Option<_>>()?)),
        Sym::Set(items) => Some(Shape::Set(items.len())),
        Sym::List(_) => {
            let items = field.items()?;
            if items.iter().all(|item| matches!(item, Sym::Int(_))) {
                return Some(Shape::List(items.len()));
            }
            Some(Shape::Items(items.iter().map(shape).collect::<Option<_>>()?))
        }
        Sym::Bag(_) => Some(Shape::Bag(field.ints()?.len())),
        _ => None,
    }
}

/// Whether a part of a tuple, or an item of a list, may be of this kind. A whole number may not: what is said of naturals says nothing of it.
fn in_tuple(kind: &Kind) -> bool {
    matches!(kind, Kind::Nat | Kind::Bool | Kind::Tuple(_))
}

/// Whether the numbers of a field are in its declared domain.
pub(crate) fn in_kind(kind: &Kind, field: &Sym) -> Option<Formula> {
    let natural = |number: &Linear| Formula::natural(number);
    match (kind, field) {
        (Kind::Nat, Sym::Int(number)) => Some(natural(number)),
        (Kind::Int, Sym::Int(_)) | (Kind::Bool, Sym::Bool(_)) => Some(Formula::Constant(true)),
        (Kind::Tuple(kinds), Sym::Tuple(parts)) if kinds.len() == parts.len() => {
            let inside = kinds.iter().zip(parts).map(|(kind, part)| in_tuple(kind).then(|| in_kind(kind, part))?);
            Some(Formula::all(inside.collect::<Option<Vec<_>>>()?))
        }
        (Kind::List(inner, 0), Sym::List(_)) | (Kind::Bag(inner), Sym::Bag(_)) if matches!(**inner, Kind::Nat) => {
            Some(Formula::all(field.ints()?.iter().map(natural)))
        }
        (Kind::List(inner, 0), Sym::List(_)) if in_tuple(inner) => {
            let inside = field.items()?.iter().map(|item| in_kind(inner, item)).collect::<Option<Vec<_>>>()?;
            Some(Formula::all(inside))
        }
        (Kind::Set(inner), Sym::Set(items)) if matches!(**inner, Kind::Nat) => {
            Some(Formula::all(items.iter().map(natural)))
        }
        _ => None,
    }
}

/// The shapes of a game's fields, when lists, sets and bags have this size; `None`: some field has none.
pub(crate) fn shapes(fields: &[Field], size: usize) -> Option<Vec<Shape>> {
    fn single(kind: &Kind) -> Option<Shape> {
        match kind {
            Kind::Nat => Some(Shape::Number),
            Kind::Int => Some(Shape::Whole),
            Kind::Bool => Some(Shape::Truth),
            Kind::Tuple(kinds) => {
                let parts = kinds.iter().map(|kind| in_tuple(kind).then(|| single(kind))?);
                Some(Shape::Tuple(parts.collect::<Option<_>>()?))
            }
            _ => None,
        }
    }
    let of = |field: &Field| match &field.kind {
        Kind::List(inner, 0) if matches!(**inner, Kind::Nat) || size == 0 && in_tuple(inner) => Some(Shape::List(size)),
        Kind::List(inner, 0) if in_tuple(inner) => Some(Shape::Items(vec![single(inner)?; size])),
        Kind::Set(inner) if matches!(**inner, Kind::Nat) => Some(Shape::Set(size)),
        Kind::Bag(inner) if matches!(**inner, Kind::Nat) => Some(Shape::Bag(size)),
        kind => single(kind),
    };
    fields.iter().map(of).collect()
}

impl crate::logic::scope::Scope<'_> {
    /// Variables for fields of these shapes, with what the declarations say of them. Tracks of the numbers in order.
    pub(crate) fn state(&mut self, shapes: &[Shape]) -> (Vec<Sym>, Vec<Track>, Formula) {
        let (mut tracks, mut said) = (Vec::new(), Vec::new());
        let fields = shapes.iter().map(|shape| self.field(shape, &mut tracks, &mut said)).collect();
        (fields, tracks, Formula::all(said))
    }

    /// Variables for one field.
    fn field(&mut self, shape: &Shape, tracks: &mut Vec<Track>, said: &mut Vec<Formula>) -> Sym {
        let mut fresh = |count: usize| -> Vec<Linear> {
            let new: Vec<Track> = (0..count).map(|_| self.free()).collect();
            tracks.extend(&new);
            new.into_iter().map(Linear::track).collect()
        };
        match shape {
            Shape::Number => Sym::Int(fresh(1).swap_remove(0)),
            Shape::Whole => {
                // One of two naturals whose difference it is, is 0.
                let parts = fresh(2);
                said.push(Formula::any(parts.iter().map(Formula::zero)));
                Sym::Int(parts[0].minus(&parts[1]))
            }
            Shape::Truth => {
                let number = fresh(1).swap_remove(0);
                said.push(Formula::at_most(&number, &Linear::number(1)));
                Sym::Bool(Formula::zero(&number).not())
            }
            Shape::List(size) => Sym::list(fresh(*size).into_iter().map(Sym::Int)),
            Shape::Bag(size) => Sym::bag(fresh(*size).into_iter().map(Sym::Int)),
            Shape::Set(size) => {
                let items = fresh(*size);
                said.extend(items.windows(2).map(|pair| Formula::less(&pair[0], &pair[1])));
                Sym::Set(items)
            }
            Shape::Items(parts) => {
                Sym::list(parts.iter().map(|part| self.field(part, tracks, said)).collect::<Vec<_>>())
            }
            Shape::Tuple(parts) => Sym::Tuple(parts.iter().map(|part| self.field(part, tracks, said)).collect()),
        }
    }

    /// The numbers in a component's fields, truth values as 0 and 1; `None`: they hold something else.
    pub(crate) fn numbers_of(&mut self, fields: &[Sym]) -> Option<Vec<Linear>> {
        let leaves: Vec<Sym> = fields.iter().map(Sym::leaves).collect::<Option<Vec<_>>>()?.concat();
        let number = |leaf: Sym| match leaf {
            Sym::Bool(truth) => Some(self.truth_value(&truth)),
            Sym::Int(number) => Some(number),
            _ => None,
        };
        leaves.into_iter().map(number).collect()
    }
}
