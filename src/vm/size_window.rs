//! Which of the ways through clauses are kept: by their size, and not too many.

use crate::model::Type;
use crate::value::Value;

/// What of a value counts towards the size of an instance. A vertex or an edge only points into a graph: it is no larger
/// because its label is a greater number.
#[derive(Clone, Debug)]
pub enum Measure {
    /// Nothing.
    Nothing,
    /// The sum of ints, lengths, vertices and edges.
    Extent,
    /// The number of members, and what counts of each.
    Members(Box<Measure>),
    /// What counts of each part.
    Parts(Box<[Measure]>),
}

impl Measure {
    /// Of the values of this type.
    pub fn of(ty: &Type) -> Self {
        match ty {
            Type::Vertex | Type::Edge => Measure::Nothing,
            Type::List(of) | Type::Set(of) | Type::Bag(of) => match Measure::of(of) {
                Measure::Extent => Measure::Extent,
                other => Measure::Members(Box::new(other)),
            },
            Type::Tuple(parts) => Measure::Parts(parts.iter().map(Measure::of).collect()),
            _ => Measure::Extent,
        }
    }

    fn size(&self, value: &Value) -> u64 {
        let members = |items: &[Value], of: &Measure| {
            items.iter().map(|item| of.size(item)).fold(items.len() as u64, u64::saturating_add)
        };
        match (self, value) {
            (Measure::Nothing, _) => 0,
            (Measure::Members(of), Value::List(list)) => members(&list.items, of),
            (Measure::Members(of), Value::Set(items) | Value::Bag(items)) => members(items, of),
            (Measure::Parts(of), Value::Tuple(parts)) => {
                of.iter().zip(parts.iter()).map(|(of, part)| of.size(part)).fold(0, u64::saturating_add)
            }
            _ => value.extent(),
        }
    }
}

/// A window of sizes. The other ways are counted and dropped, so that nothing large is ever held.
#[derive(Clone, Debug)]
pub struct SizeWindow {
    /// What of each yielded value counts towards the size.
    pub counted: Box<[Measure]>,
    /// The least size kept.
    pub from: u64,
    /// The greatest size kept.
    pub to: u64,
    /// So many are kept at most; one more and nothing is.
    pub limit: usize,
    /// All ways seen.
    pub seen: u64,
    /// The greatest size seen.
    pub largest: u64,
    /// Ways inside the window.
    pub inside: usize,
    /// More than `limit` were inside the window.
    pub overflow: bool,
}

impl Default for SizeWindow {
    /// Admits everything.
    fn default() -> Self {
        SizeWindow {
            counted: Box::default(),
            from: 0,
            to: u64::MAX,
            limit: usize::MAX,
            seen: 0,
            largest: 0,
            inside: 0,
            overflow: false,
        }
    }
}

impl SizeWindow {
    /// The size of an instance: of the values that count.
    pub fn size<'v>(&self, values: impl Iterator<Item = &'v Value>) -> u64 {
        let sizes = values.zip(&self.counted).map(|(value, measure)| measure.size(value));
        sizes.fold(0, u64::saturating_add)
    }

    /// Counts a way, and says whether it is kept.
    pub(crate) fn admits<'v>(&mut self, values: impl Iterator<Item = &'v Value>) -> bool {
        let size = self.size(values);
        self.seen += 1;
        self.largest = self.largest.max(size);
        if size < self.from || size > self.to {
            return false;
        }
        self.inside += 1;
        self.overflow |= self.inside > self.limit;
        !self.overflow
    }
}
