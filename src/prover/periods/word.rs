//! Courses as automata: which numbers have which values.
//!
//! A state of the automaton is what the digits so far leave of the course. So the values of a game of heaps become one
//! more closed form, for claims with several variables and for inductions about other games; it is made when one of
//! these wants it.

use crate::model::{GameId, Program};
use crate::prover::facts::{Certified, Claimed, Fact, Names, Says, Word};
use crate::prover::periods::course::EventuallyPeriodic;
use crate::prover::shapes::Shape;
use crate::prover::symbol::{No, Sym};
use crate::prover::term::Env;
use grundy_automata::{Automaton, Limit, System};
use std::cell::Cell;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// Longer courses would make too many states.
const LONGEST: usize = 20_000;
/// So many states at most.
const STATES: usize = 30_000;

/// The automaton that accepts `(n, f(n))` for all n, in base 2 and no other pair: track 0 has n, track 1 the value. A state
/// is what the digits so far leave of the course: the rest of the value for the rest of n.
///
/// # Errors
/// A course that is too long, that has no value somewhere or a negative one; limits.
pub(super) fn word(course: &EventuallyPeriodic, limit: &Limit) -> Result<Automaton, No> {
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
    let step = |state: &Option<EventuallyPeriodic>, bits: &[bool]| {
        let left = state.as_ref()?.after(usize::from(bits[0]), i64::from(bits[1]));
        left.map_err(|no| refused.replace(Some(no))).ok().filter(EventuallyPeriodic::has_values)
    };
    let accept = |state: &Option<EventuallyPeriodic>| state.as_ref().is_some_and(|left| matches!(left.at(0), Ok(0)));
    let made = Automaton::build(&limit, &[0, 1], Some(course.clone()), step, accept)?;
    refused.into_inner().map_or(Ok(made), Err)
}

impl<'p> Fact<'p> {
    /// The Grundy values of a game of heaps, by an automaton that accepts each heap with its value.
    pub(in crate::prover) fn of_heap(
        program: &'p Program,
        game: GameId,
        params: Vec<Sym>,
        heaps: Certified,
    ) -> Fact<'p> {
        let title = heaps.text.clone();
        let frame = &program.games[game.0].frame;
        // The field stands behind the rule parameters.
        let of = vec![params.len()];
        let word = Word { automaton: heaps.automaton.clone(), system: System::Binary, of, heaps: Some(Rc::new(heaps)) };
        let env = Env { frame, slots: HashMap::new(), game: Some((game, Rc::new(params.clone()))) };
        Fact {
            game,
            params,
            shapes: vec![Shape::Number],
            misere: false,
            says: Says::Grundy,
            env,
            names: Names::Fields,
            claimed: Claimed::Word(Rc::new(word)),
            guards: Vec::new(),
            position: None,
            title,
            used: Cell::new(false),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::prover::periods::word::{EventuallyPeriodic, word};
    use grundy_automata::Limit;

    #[test]
    fn a_number_goes_with_its_value_and_no_other() {
        let mut random = 9_u64;
        let mut below = |n: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % n
        };
        for _ in 0..200 {
            let (start, period, step) = (below(9), 1 + below(7), below(4));
            let values: Vec<i64> = (0..start + period).map(|_| i64::try_from(below(12)).unwrap()).collect();
            let period = usize::try_from(period).unwrap();
            let course = EventuallyPeriodic::periodic(values, period, i64::try_from(step).unwrap()).unwrap();
            let automaton = word(&course, &Limit::default()).map_err(|no| no.why).unwrap();
            for n in 0..70 {
                let value = course.at(n).map_err(|no| no.why).unwrap();
                for v in 0..=value + 9 {
                    let digit = |track, place: usize| {
                        if track == 0 { n >> place & 1 != 0 } else { v >> place & 1 != 0 }
                    };
                    assert_eq!(automaton.accepts(12, digit), v == value, "{course:?} at {n}, {v}");
                }
            }
        }
    }
}
