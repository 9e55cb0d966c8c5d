//! Statements about games of heaps, decided by certified periods.
//!
//! When the rules of a game are a take-and-break code or a set ([`crate::engines::heap_codes`]) and [`grundy_heap::period`] proves
//! a period, the Grundy values of all heaps are known. What a statement says of a number n is worked out for all n at once ([`course`]): its truth
//! repeats from some n on, so that those up to there and one period more decide. The first n at which it fails is the least
//! counterexample.

pub mod course;
pub mod heaps;
pub(super) mod terms;

use crate::logic::facts::{Claimed, Fact, Says};
use crate::logic::symbol::{No, Sym};
use crate::logic::term::name_of;
use crate::model::walk::bare;
use crate::model::{Builtin, Claim, Clause, Slot, Term, TermKind};
use crate::prover::claims::Chosen;
use crate::prover::periods::course::{EventuallyPeriodic, NONE};
use crate::prover::periods::terms::{Names, Reader, Thing, constant, defined};
use crate::value::Value;

pub(super) enum Decided {
    /// It holds; what is certified.
    Holds(String),
    /// It fails first for this value of the variable.
    Fails(usize),
}

impl<'p> Reader<'_, 'p> {
    pub(super) fn claim(mut self, claim: &'p Claim, chosen: &Chosen) -> Result<(Slot, Decided), No> {
        let mut names = Names::of(&claim.frame, []);
        for (slot, value) in chosen {
            let value = value.known().ok_or_else(|| No::bare("a variable of no known value"))?;
            names.slots.insert(*slot, constant(value)?);
        }
        let (mut variable, mut asked, mut most) = (None, EventuallyPeriodic::constant(1), None);
        for clause in &claim.clauses {
            match clause {
                Clause::Where(condition) => {
                    let holds = self.truth(condition, &names)?;
                    asked = asked.and(&holds)?;
                }
                Clause::Let { pattern, value } => {
                    let thing = self.eval(value, &names)?;
                    asked = asked.and(&defined(&thing)?)?;
                    let slot = name_of(pattern).ok_or_else(|| No::at(value.span, "a pattern"))?;
                    names.slots.insert(slot, thing);
                }
                Clause::In { pattern, source, span } => {
                    let slot = name_of(pattern).ok_or_else(|| No::at(*span, "a pattern"))?;
                    if chosen.iter().any(|(other, _)| *other == slot) {
                        continue;
                    }
                    if variable.replace(slot).is_some() {
                        return Err(No::at(*span, "a second variable"));
                    }
                    let number = EventuallyPeriodic::variable();
                    let (inside, last) = self.inside(source, &number, &names)?;
                    asked = asked.and(&inside)?;
                    most = last;
                    names.slots.insert(slot, Thing::Int(number));
                }
            }
        }
        let variable = variable.ok_or_else(|| No::bare("no variable that runs over all numbers"))?;
        let holds = self.truth(&claim.condition, &names)?;
        Ok((variable, self.decided(&asked, &holds, most, &claim.condition)?))
    }

    /// Decides what a closed form says of a game of heaps, by a term; with it how many values make up its period and what is before.
    pub(super) fn theorem(mut self, fact: &Fact<'p>) -> Result<(Decided, usize), No> {
        let Claimed::Term(term) = fact.claimed else { return Err(No::bare("a closed form without a term")) };
        let params: Option<Vec<Value>> = fact.params.iter().map(Sym::known).collect();
        let params = params.ok_or_else(|| No::bare("a rule parameter of no known value"))?;
        let heap = self.heaps.of_game(self.ctx, fact.game, &params, self.limit)?;
        let mut names = Names { game: Some(fact.game), ..Names::of(&self.program.games[fact.game.0].frame, []) };
        names.slots.insert(params.len(), Thing::Int(EventuallyPeriodic::variable()));
        for (slot, param) in params.into_iter().enumerate() {
            names.slots.insert(slot, constant(param)?);
        }
        let mut asked = EventuallyPeriodic::constant(1);
        for guard in &fact.only.guards {
            asked = asked.and(&self.truth(guard, &names)?)?;
        }
        let size = heap.course.start() + heap.course.period();
        let value = self.grundy(&[(heap, EventuallyPeriodic::variable())])?;
        let lost = || value.compared(&EventuallyPeriodic::constant(0), |sign| sign == 0);
        let holds = match fact.says {
            Says::Grundy => self.int(term, &names)?.compared(&value, |sign| sign == 0)?,
            Says::Loses => self.truth(term, &names)?.compared(&lost()?, |sign| sign == 0)?,
            Says::Wins => self.truth(term, &names)?.compared(&lost()?, |sign| sign != 0)?,
        };
        Ok((self.decided(&asked, &holds, None, term)?, size))
    }

    /// Where the variable is in what it runs over, but for an upper end that is far away, which is told.
    fn inside(
        &mut self,
        source: &'p Term,
        number: &EventuallyPeriodic,
        names: &Names<'p>,
    ) -> Result<(EventuallyPeriodic, Option<i64>), No> {
        if let TermKind::Builtin(Builtin::Nat, _) = &bare(source).kind {
            return Ok((EventuallyPeriodic::constant(1), None));
        }
        let Thing::Range(from, to) = self.eval(source, names)? else {
            return Err(No::at(source.span, "a variable that runs over no numbers in order"));
        };
        if from.natural()? != from {
            return Err(No::at(source.span, "a variable that may be negative"));
        }
        let below = from.compared(number, |sign| sign <= 0)?;
        if let Some(last) = to.same() {
            return Ok((below, Some(last)));
        }
        let above = number.compared(&to, |sign| sign <= 0)?;
        Ok((below.and(&above)?, None))
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
