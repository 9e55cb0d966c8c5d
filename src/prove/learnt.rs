//! Automata in place of closed forms: what was read off values, proved by the same induction.

use super::claims::as_fact;
use super::desk::Desk;
use super::facts::{Claimed, Fact, Says, Word};
use super::induct::Proof;
use super::symbol::No;
use super::term::name_of;
use super::{Prover, kind};
use crate::check::model::{Claim, Clause};
use crate::logic::{Atom, Automaton, Formula, Join, Limit, Linear, Reason, System, Track, compile};
use crate::rules::machine::Machine;
use num_bigint::BigUint;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// An automaton that reads the variables of a claim, in the order in which they are bound, on tracks `0, 1, ..`; of a claim
/// about values the value stands on the track behind them.
#[derive(Clone, Debug)]
pub struct Learnt {
    /// The automaton.
    pub automaton: Automaton,
    /// How numbers are written.
    pub system: System,
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Learning {
    /// It is right for all positions, by this proof.
    Proved(String),
    /// It is wrong at these values of the variables, if it is right at all smaller positions.
    Wrong(Vec<BigUint>),
    /// Neither is known: what stands in the way.
    Open(String),
}

/// Tries to prove that what a claim asks for is what an automaton says. Of the claim, which is `grundy(P) == E`, `loses(P) iff C`
/// or the like, the side behind the sign does not count; of `outcome(P) == ".."` the automaton accepts where it is so.
pub fn prove_learnt(machine: &mut Machine, time: Duration, claim: &Claim, learnt: &Learnt) -> Learning {
    let program = machine.program.clone();
    let limit = Limit {
        deadline: Some(Instant::now() + time),
        interrupted: machine.limits.interrupted.clone(),
        ..Limit::default()
    };
    let mut prover = Prover::new(machine, &program);
    match attempt(&mut prover, claim, learnt, &Desk::new(limit, false)) {
        Ok(learning) => learning,
        Err(no) => Learning::Open(no.why),
    }
}

fn attempt<'p>(prover: &mut Prover<'_, 'p>, claim: &'p Claim, learnt: &Learnt, desk: &Desk) -> Result<Learning, No> {
    let title: Rc<str> = claim.title.as_str().into();
    let closed = as_fact(prover.program, &prover.known, claim, &[], &title)?;
    let of: Option<Vec<_>> = claim
        .clauses
        .iter()
        .filter_map(|clause| match clause {
            Clause::In { pattern, .. } => Some(name_of(pattern)),
            _ => None,
        })
        .collect();
    let of = of.ok_or_else(|| No::bare("a pattern"))?;
    let mut automaton = learnt.automaton.clone();
    if closed.says == Says::Grundy {
        let value = Track::try_from(of.len()).map_err(|_| No::bare("too many variables"))?;
        automaton = function(automaton, value, learnt.system, &desk.limit)?
            .ok_or_else(|| No::bare("the automaton accepts two values at one place"))?;
    }
    // `outcome(P) == "second"` says that it is lost.
    let says = if let Claimed::Always(false) = closed.claimed { Says::Loses } else { closed.says };
    let word = Word { automaton: Arc::new(automaton), system: learnt.system, of: of.clone(), period: None };
    let fact = Rc::new(Fact { says, claimed: Claimed::Word(Rc::new(word)), ..closed });
    Ok(match prover.proved(&fact, "", desk) {
        Proof::Proved { system, statements, largest, notes } => {
            Learning::Proved(kind(system, statements, largest, &notes))
        }
        Proof::Fails { numbers } => {
            let super::facts::Names::Slots(slots) = &fact.names else { return Err(No::bare("")) };
            let at = |slot| slots.iter().flatten().position(|other| other == slot).and_then(|i| numbers.get(i));
            Learning::Wrong(of.iter().filter_map(at).cloned().collect())
        }
        Proof::Open(no) => return Err(prover.heaps.explained(no)),
    })
}

/// The automaton with the value 0 wherever it accepts none; `None`: somewhere it accepts two.
fn function(automaton: Automaton, value: Track, system: System, limit: &Limit) -> Result<Option<Automaton>, Reason> {
    let other = value + 1;
    let word = Arc::new(automaton);
    let arguments: Vec<Track> = (0..value).collect();
    let said =
        |track: Track| Formula::atom(Atom::Word(word.clone(), arguments.iter().copied().chain([track]).collect()));
    let less = Formula::less(&Linear::track(value), &Linear::track(other));
    if !compile(&Formula::all([said(value), said(other), less]), system, limit)?.is_empty() {
        return Ok(None);
    }
    let none = Formula::exists(vec![other], said(other)).not();
    let zero = Formula::equal(&Linear::track(value), &Linear::default());
    let rest = compile(&Formula::all([none, zero]), system, limit)?;
    word.join(&rest, Join::Or, limit).map(Some)
}
