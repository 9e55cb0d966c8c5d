//! Tables: values over one or more axes.

use crate::value::Value;

/// What a `table` line shows.
#[derive(Clone, Debug)]
pub struct Table {
    /// The binders in order.
    pub axes: Vec<Axis>,
    /// The values.
    pub cells: Cells,
}

/// A binder of a table.
#[derive(Clone, Debug)]
pub struct Axis {
    /// As it is written: `n`, `(a, b)`.
    pub name: String,
    /// The members it takes in order; empty when they depend on other binders or on a `where`.
    pub values: Vec<Value>,
    /// Its ends when it is a range of ints.
    pub range: Option<(i64, i64)>,
}

/// The values of a table.
#[derive(Clone, Debug)]
pub enum Cells {
    /// One for each combination of members; the last axis runs fastest.
    Full(Vec<Value>),
    /// The combinations that there are, as one member of each axis, with their values.
    Some(Vec<(Vec<Value>, Value)>),
}

impl Table {
    /// Every entry: the members and the value.
    #[must_use]
    pub fn entries(&self) -> Vec<(Vec<Value>, &Value)> {
        match &self.cells {
            Cells::Some(rows) => rows.iter().map(|(members, value)| (members.clone(), value)).collect(),
            Cells::Full(values) => {
                let member = |index: usize, axis: usize| {
                    let below: usize = self.axes[axis + 1..].iter().map(|a| a.values.len()).product();
                    self.axes[axis].values[index / below % self.axes[axis].values.len()].clone()
                };
                let members = |index: usize| (0..self.axes.len()).map(|axis| member(index, axis)).collect();
                values.iter().enumerate().map(|(index, value)| (members(index), value)).collect()
            }
        }
    }
}
