//! Games of heaps with a certified period: the code that their rules are, and their Grundy values for heaps of every size.
//!
//! As an automaton these values are one more closed form, for claims with several variables and for inductions about other
//! games; it is made when one of these wants it. A state of the automaton is what the digits so far leave of the course.

use crate::claims::within;
use crate::engines::{certified_period, code_of_rules};
use crate::logic::facts::{Certified, Claimed, Fact, Says, Word};
use crate::logic::symbol::{No, Shape, Sym};
use crate::model::{GameId, Program};
use crate::prover::periods::course::{EventuallyPeriodic, MOST};
use crate::value::Value;
use crate::vm::context::Context;
use grundy_automata::{Automaton, Limit, System};
use grundy_heap::game::Game;
use grundy_heap::period::{Period, Theorem, window};
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// So many values are worked out in search of a period; a course of the longest period needs no more.
pub(in crate::prover) const VALUES: usize = 2 * MOST;
/// The search for a period may take this part of the time of a statement, and no more than so long.
const PART: u32 = 4;
const LONGEST: Duration = Duration::from_secs(3);

#[derive(Debug)]
pub(in crate::prover) struct Heap {
    pub(in crate::prover) code: Arc<Game>,
    pub(super) course: EventuallyPeriodic,
    /// The code, the period, and why it is proved.
    pub(in crate::prover) text: String,
    /// The automaton that accepts every size of a heap with its value.
    word: OnceCell<Result<Arc<Automaton>, No>>,
}

/// What is known so far: by game and rule parameters, and by code.
#[derive(Debug, Default)]
pub(in crate::prover) struct Heaps {
    rules: HashMap<(GameId, Vec<Value>), Result<Arc<Game>, No>>,
    codes: HashMap<Arc<Game>, Result<Rc<Heap>, No>>,
    /// Why the last game of heaps that was asked for is of no use, if it is none.
    refused: Option<String>,
    /// So many values are worked out at most in search of a period.
    values: usize,
}

impl Heaps {
    pub(in crate::prover) fn new(values: usize) -> Heaps {
        Heaps { values, ..Heaps::default() }
    }

    /// The heaps of a game with these rule parameters; `Err`: they have no code, or no period is proved.
    pub(in crate::prover) fn of_game(
        &mut self,
        ctx: &mut Context,
        game: GameId,
        params: &[Value],
        limit: &Limit,
    ) -> Result<Rc<Heap>, No> {
        let key = (game, params.to_vec());
        if !self.rules.contains_key(&key) {
            let found = within(ctx, left(limit), |ctx| ctx.with_recovery(|ctx| code_of_rules(ctx, game, params)));
            let name = &ctx.session.program.games[game.0].name;
            let found = match found {
                Ok(Ok(code)) => Ok(code),
                Ok(Err(why)) => Err(No::bare(format!("`{name}` is no game of heaps with a code: {why}"))),
                Err(error) => Err(No::bare(error.message)),
            };
            self.rules.insert(key.clone(), found);
        }
        match &self.rules[&key] {
            Ok(code) => self.of_code(ctx, &code.clone(), limit),
            Err(no) => Err(no.clone()),
        }
    }

    pub(in crate::prover) fn of_code(
        &mut self,
        ctx: &mut Context,
        code: &Arc<Game>,
        limit: &Limit,
    ) -> Result<Rc<Heap>, No> {
        if let Some(known) = self.codes.get(code).cloned() {
            self.refused = known.as_ref().err().map(|no| no.why.clone());
            return known;
        }
        let time = limit.deadline.map_or(Duration::MAX, |_| (left(limit) / PART).min(LONGEST));
        let values = self.values;
        let found = within(ctx, time, |ctx| ctx.with_recovery(|ctx| certified_period(ctx, code, values)));
        let found = match found {
            Ok(Ok((period, values))) => heap(code, period, &values).map(Rc::new),
            Ok(Err(why)) => Err(No::bare(why)),
            Err(error) => {
                Err(No { limit: true, ..No::bare(format!("no period of `{code}` is proved: {}", error.message)) })
            }
        };
        self.refused = found.as_ref().err().map(|no: &No| no.why.clone());
        self.codes.insert(code.clone(), found.clone());
        found
    }

    /// A refusal, with why heaps were of no use since this was last asked.
    pub(in crate::prover) fn explained(&mut self, no: No) -> No {
        match self.refused.take() {
            Some(why) if no.why.is_empty() => No { why, ..no },
            Some(why) => No { why: format!("{}; {why}", no.why), ..no },
            None => no,
        }
    }

    pub(in crate::prover) fn word(&mut self, heap: &Heap, limit: &Limit) -> Result<Arc<Automaton>, No> {
        let found = match heap.word.get() {
            Some(found) => found.clone(),
            None => word(&heap.course, limit).map(Arc::new),
        };
        // With larger limits it may be found.
        if !matches!(&found, Err(no) if no.limit) {
            heap.word.get_or_init(|| found.clone());
        }
        self.refused = found.as_ref().err().map(|no| no.why.clone());
        found
    }
}

/// The time that is left; endless where only counts limit the work.
pub(super) fn left(limit: &Limit) -> Duration {
    limit.deadline.map_or(Duration::MAX, |at| at.saturating_duration_since(Instant::now()))
}

fn heap(code: &Arc<Game>, period: Period, values: &[u16]) -> Result<Heap, No> {
    let Period { start, length, saltus, proof } = period;
    if proof == Some(Theorem::ClosedForm) {
        return Err(No::bare("a closed form is known, which is for an induction to prove"));
    }
    let step = i64::try_from(saltus).map_err(|_| No::bare("its values grow too large"))?;
    let course = EventuallyPeriodic::periodic(values.iter().map(|&value| i64::from(value)).collect(), length, step)?;
    let theorem = proof.map_or("", |theorem| theorem.name());
    let rise = if saltus == 0 { String::new() } else { format!(" + {saltus}") };
    let values = window(code, start, length).map_or(String::new(), |(_, values)| format!(", {values} values"));
    let text = format!("{} has g(n + {length}) = g(n){rise} from n = {start} on ({theorem}{values})", shown(code));
    Ok(Heap { code: code.clone(), course, text, word: OnceCell::new() })
}

fn stretches(amounts: &[usize]) -> String {
    let stretches = amounts.chunk_by(|a, b| a + 1 == *b);
    let shown = stretches.map(|stretch| match stretch {
        [first, _, .., last] => format!("{first}..{last}"),
        few => few.iter().map(ToString::to_string).collect::<Vec<_>>().join(","),
    });
    shown.collect::<Vec<_>>().join(",")
}

/// A code in reports; long ones are cut.
fn shown(code: &Game) -> String {
    const SHOWN: usize = 60;
    let text = match code {
        Game::Subtraction(amounts) => format!("{{{}}}", stretches(amounts)),
        Game::AllBut(amounts) => format!("all-but{{{}}}", stretches(amounts)),
        _ => code.to_string(),
    };
    if text.chars().count() <= SHOWN {
        return text;
    }
    text.chars().take(SHOWN - 3).chain("...".chars()).collect()
}

/// Longer courses would make too many states.
const WORD_LONGEST: usize = 20_000;
const STATES: usize = 30_000;

/// The automaton that accepts `(n, f(n))` for all n, in base 2 and no other pair: track 0 has n, track 1 the value. A state
/// is what the digits so far leave of the course: the rest of the value for the rest of n.
/// Errors: a course that is too long, that has no value somewhere or a negative one; limits.
pub fn word(course: &EventuallyPeriodic, limit: &Limit) -> Result<Automaton, No> {
    if course.natural()? != *course {
        return Err(No::bare("values that are negative, or none"));
    }
    if course.start() + course.period() > WORD_LONGEST {
        return Err(No {
            limit: true,
            ..No::bare(format!("a period of more than {WORD_LONGEST} heaps is too long for automata"))
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
        let of = vec![params.len()];
        let word = Word { automaton: heaps.automaton.clone(), system: System::Binary, of, heaps: Some(Rc::new(heaps)) };
        let said = (Says::Grundy, Claimed::Word(Rc::new(word)));
        Fact { misere: false, ..Fact::of_game(program, game, params, vec![Shape::Number], said, title) }
    }
}
