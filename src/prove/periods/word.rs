//! Courses as automata: which numbers have which values.

use super::course::Course;
use crate::logic::{Automaton, Limit};
use crate::prove::symbol::No;
use std::cell::RefCell;

/// Longer courses would make too many states.
const LONGEST: usize = 20_000;
/// So many states at most.
const STATES: usize = 30_000;

/// The automaton that accepts `(n, f(n))` for all n, in base 2 and no other pair: track 0 has n, track 1 the value. A state
/// is what the digits so far leave of the course: the rest of the value for the rest of n.
///
/// # Errors
/// A course that is too long, that has no value somewhere or a negative one; limits.
pub(super) fn word(course: &Course, limit: &Limit) -> Result<Automaton, No> {
    if course.natural()? != *course {
        return Err(No::bare("values that are negative, or none"));
    }
    if course.start() + course.period() > LONGEST {
        return Err(No {
            limit: true,
            ..No::bare(format!("a period of more than {LONGEST} heaps is too long for automata"))
        });
    }
    let limit = Limit { states: limit.states.min(STATES), ..limit.clone() };
    let refused = RefCell::new(None);
    let step = |state: &Option<Course>, bits: &[bool]| {
        let left = state.as_ref()?.after(usize::from(bits[0]), i64::from(bits[1]));
        left.map_err(|no| refused.replace(Some(no))).ok().filter(Course::has_values)
    };
    let accept = |state: &Option<Course>| state.as_ref().is_some_and(|left| matches!(left.at(0), Ok(0)));
    let made = Automaton::build(&limit, &[0, 1], Some(course.clone()), step, accept)?;
    refused.into_inner().map_or(Ok(made), Err)
}
