//! Statements about games of heaps, decided by certified periods.
//!
//! When the rules of a game are a take-and-break code or a set ([`crate::engines::heap_codes`] proves that for heaps of every size) and
//! the period of its values is proved by a theorem of [`grundy_heap::period`], the Grundy values of all heaps are known. What a
//! statement says of one number n is then worked out for all n at once ([`course`]): from some n on its truth repeats, so that
//! it holds for all n exactly when it holds for those up to there and one period more, all of which are looked at. The first n at
//! which it fails is the least counterexample.

mod course;
pub(super) mod heaps;
mod terms;

use crate::model::{Claim, Clause, Frame, GameId, Program, Slot, Term};
use crate::prover::claims::Chosen;
use crate::prover::facts::Says;
use crate::prover::periods::course::{EventuallyPeriodic, NONE};
use crate::prover::periods::heaps::Heaps;
use crate::prover::periods::terms::{Names, Reader, Thing, constant, defined};
use crate::prover::symbol::{No, Sym};
use crate::value::Value;
use crate::vm::context::Context;
use grundy_automata::Limit;
use std::collections::{BTreeSet, HashMap};

/// How a statement was decided.
pub(super) enum Decided {
    /// It holds; what is certified.
    Holds(String),
    /// It fails first for this value of the variable.
    Fails(usize),
}

/// Decides a claim about one natural number.
pub(super) fn claim<'p>(
    ctx: &mut Context,
    program: &'p Program,
    heaps: &mut Heaps,
    claim: &'p Claim,
    chosen: &Chosen,
    limit: &Limit,
) -> Result<(Slot, Decided), No> {
    let mut reader = Reader { ctx, program, heaps, limit, used: BTreeSet::new(), depth: 0, steps: 0 };
    let mut names = Names { frame: &claim.frame, slots: HashMap::new(), game: None };
    for (slot, value) in chosen {
        names.slots.insert(*slot, constant(value.known().ok_or_else(|| No::bare("a variable of no known value"))?)?);
    }
    let (mut variable, mut asked, mut most) = (None, EventuallyPeriodic::constant(1), None);
    for clause in &claim.clauses {
        match clause {
            Clause::Where(condition) => {
                let holds = reader.truth(condition, &names)?;
                asked = asked.choose(&holds, &EventuallyPeriodic::constant(0))?;
            }
            Clause::Let { pattern, value } => {
                let thing = reader.eval(value, &names)?;
                asked = asked.choose(&defined(&thing)?, &EventuallyPeriodic::constant(0))?;
                let slot = crate::prover::term::name_of(pattern).ok_or_else(|| No::at(value.span, "a pattern"))?;
                names.slots.insert(slot, thing);
            }
            Clause::In { pattern, source, span } => {
                let slot = crate::prover::term::name_of(pattern).ok_or_else(|| No::at(*span, "a pattern"))?;
                if chosen.iter().any(|(other, _)| *other == slot) {
                    continue;
                }
                if variable.replace(slot).is_some() {
                    return Err(No::at(*span, "a second variable"));
                }
                let number = EventuallyPeriodic::variable();
                let (inside, last) = reader.inside(source, &number, &names)?;
                asked = asked.choose(&inside, &EventuallyPeriodic::constant(0))?;
                most = last;
                names.slots.insert(slot, Thing::Int(number));
            }
        }
    }
    let variable = variable.ok_or_else(|| No::bare("no variable that runs over all numbers"))?;
    let holds = reader.truth(&claim.condition, &names)?;
    Ok((variable, reader.decided(&asked, &holds, most, &claim.condition)?))
}

/// What a theorem says of the positions of a game with these rule parameters.
pub(super) struct Stated<'p> {
    pub(super) game: GameId,
    pub(super) says: Says,
    pub(super) term: &'p Term,
    pub(super) guard: Option<&'p Term>,
}

/// Decides a theorem about a game of heaps; with it how many values make up its period and what is before.
pub(super) fn theorem<'p>(
    ctx: &mut Context,
    program: &'p Program,
    heaps: &mut Heaps,
    stated: &Stated<'p>,
    params: &[Sym],
    limit: &Limit,
) -> Result<(Decided, usize), No> {
    let frame: &'p Frame = &program.games[stated.game.0].frame;
    let params: Option<Vec<Value>> = params.iter().map(Sym::known).collect();
    let params = params.ok_or_else(|| No::bare("a rule parameter of no known value"))?;
    let heap = heaps.of_game(ctx, stated.game, &params, limit)?;
    let mut slots = HashMap::new();
    for (slot, param) in params.iter().cloned().enumerate() {
        slots.insert(slot, constant(param)?);
    }
    slots.insert(params.len(), Thing::Int(EventuallyPeriodic::variable()));
    let names = Names { frame, slots, game: Some((stated.game, params)) };
    let mut reader = Reader { ctx, program, heaps, limit, used: BTreeSet::new(), depth: 0, steps: 0 };
    let asked = match stated.guard {
        Some(guard) => reader.truth(guard, &names)?,
        None => EventuallyPeriodic::constant(1),
    };
    let size = heap.course.start() + heap.course.period();
    let value = reader.grundy(&[(heap, EventuallyPeriodic::variable())])?;
    let lost = || value.compared(&EventuallyPeriodic::constant(0), |sign| sign == 0);
    let holds = match stated.says {
        Says::Grundy => reader.int(stated.term, &names)?.compared(&value, |sign| sign == 0)?,
        Says::Loses => reader.truth(stated.term, &names)?.compared(&lost()?, |sign| sign == 0)?,
        Says::Wins => reader.truth(stated.term, &names)?.compared(&lost()?, |sign| sign != 0)?,
    };
    Ok((reader.decided(&asked, &holds, None, stated.term)?, size))
}

impl<'p> Reader<'_, 'p> {
    /// Where the variable is in what it runs over, but for an upper end that is far away, which is told.
    fn inside(
        &mut self,
        source: &'p Term,
        number: &EventuallyPeriodic,
        names: &Names<'p>,
    ) -> Result<(EventuallyPeriodic, Option<i64>), No> {
        use crate::claims::claim_sweep::bare;
        use crate::model::TermKind;
        use crate::model::builtin::Builtin;
        if let TermKind::Builtin(Builtin::Nat, _) = &bare(source).kind {
            return Ok((EventuallyPeriodic::constant(1), None));
        }
        let (from, to) = match self.eval(source, names)? {
            Thing::Range(from, to) => (from, to),
            Thing::Value(Value::Range(from, to)) => {
                (EventuallyPeriodic::constant(from), EventuallyPeriodic::constant(to))
            }
            _ => return Err(No::at(source.span, "a variable that runs over no numbers in order")),
        };
        if from.natural()? != from {
            return Err(No::at(source.span, "a variable that may be negative"));
        }
        let below = from.compared(number, |sign| sign <= 0)?;
        if let Some(last) = to.same() {
            return Ok((below, Some(last)));
        }
        let above = number.compared(&to, |sign| sign <= 0)?;
        Ok((below.choose(&above, &EventuallyPeriodic::constant(0))?, None))
    }

    /// Whether this holds wherever it is asked, up to `most`.
    fn decided(
        self,
        asked: &EventuallyPeriodic,
        holds: &EventuallyPeriodic,
        most: Option<i64>,
        term: &Term,
    ) -> Result<Decided, No> {
        if self.used.is_empty() {
            return Err(No::at(term.span, "nothing about heaps"));
        }
        let all = asked.choose(holds, &EventuallyPeriodic::constant(1))?;
        let before = |n: usize| most.is_none_or(|most| i64::try_from(n).is_ok_and(|n| n <= most));
        match all.first_not_true().filter(|(n, _)| before(*n)) {
            Some((n, NONE)) => Err(No::at(term.span, format!("it has no value at {n}"))),
            Some((n, _)) => Ok(Decided::Fails(n)),
            None => {
                let used: Vec<String> = self.used.into_iter().collect();
                let many = if used.len() == 1 { "period" } else { "periods" };
                Ok(Decided::Holds(format!("certified {many}: {}", used.join(", "))))
            }
        }
    }
}
