//! One interface for everything that decides formulas: the procedure of this module, and other programs.

use crate::compile::compile;
use crate::diagram::Track;
use crate::formula::Formula;
use crate::limit::{Limit, Reason};
use crate::system::System;
use crate::witness::least;
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// Numbers for the variables of a formula that are not bound.
pub type Solution = BTreeMap<Track, BigUint>;

/// Something that decides formulas.
pub trait Decider {
    /// Its name in reports.
    fn name(&self) -> &'static str;

    /// Some numbers that make the formula true; `None`: no numbers do.
    ///
    /// # Errors
    /// The limit that was reached, or that it fails.
    fn solution(&self, formula: &Formula, system: System, limit: &Limit) -> Result<Option<Solution>, Reason>;
}

/// The procedure of this module: the solution is the one of least sum.
#[derive(Clone, Copy, Debug, Default)]
pub struct Own;

impl Decider for Own {
    fn name(&self) -> &'static str {
        "grundy"
    }

    fn solution(&self, formula: &Formula, system: System, limit: &Limit) -> Result<Option<Solution>, Reason> {
        let tracks: Vec<Track> = formula.free().into_iter().collect();
        let automaton = compile(formula, system, limit)?;
        Ok(least(&automaton, &tracks, system, limit)?.map(|numbers| tracks.into_iter().zip(numbers).collect()))
    }
}
