//! Induction over all positions of a game: what must hold so that a closed form is right.
//!
//! For Grundy values: no option has the value of its position, and every smaller value is that of an option. For outcomes:
//! no move leads from a lost position to a lost one, and some move leads from every other to a lost one, or there is none
//! and the convention says who has won. Both besides that every move goes down in a ranking ([`rank`](crate::prover::rank)).

use crate::model::Program;
use crate::prover::facts::{Fact, Names};
use crate::prover::obligations::LEAVES;
use crate::prover::proof_log::{ProofLog, ProofMethod};
use crate::prover::scope::{Scope, system};
use crate::prover::shapes::Shape;
use crate::prover::symbol::{No, Part};
use grundy_automata::{Automaton, Formula, Limit, Reason, System, Track, forget, least};
use num_bigint::BigUint;
use std::collections::BTreeSet;
use std::rc::Rc;

/// What must never hold of a term.
pub(super) const NO_VALUE: &str = "a term may have no value";

/// Closed forms that are proved.
pub(super) type Known<'p> = Rc<Vec<Rc<Fact<'p>>>>;

/// One thing that must hold for all positions.
#[derive(Clone, Debug)]
pub(super) struct Obligation {
    /// What it says.
    pub(super) name: String,
    /// What must never hold.
    pub(super) never: Formula,
    /// Whether a position where it holds refutes the closed form, if no smaller position does.
    pub(super) refutes: bool,
}

/// How it ended.
pub(super) enum Proof {
    /// It holds for all positions.
    Proved {
        system: System,
        /// How many statements were decided.
        statements: usize,
        /// The most states of an automaton, before it was made minimal.
        largest: usize,
        /// The certified periods that were used.
        notes: BTreeSet<Rc<str>>,
    },
    /// It fails first at the position of these numbers, as the ranking is their sum; this is to be played through. `sure`: all
    /// else is proved, so that it holds of all smaller positions, and by the rules it is false of this one.
    Fails { numbers: Vec<BigUint>, sure: bool },
    /// Not decided: the reason.
    Open(No),
}

/// The position of all numbers, and what is said of them.
pub(super) struct PositionContext<'p> {
    pub(super) scope: Scope<'p>,
    pub(super) part: Part,
    pub(super) tracks: Vec<Track>,
    /// What holds for all of them.
    pub(super) domain: Formula,
}

impl From<Reason> for No {
    fn from(reason: Reason) -> No {
        No { limit: true, ..No::bare(reason.to_string()) }
    }
}

/// Tries to prove a closed form, with others that are proved already.
pub(super) fn prove<'p>(
    program: &'p Program,
    known: &Known<'p>,
    fact: &Rc<Fact<'p>>,
    which: String,
    desk: &ProofLog,
) -> Proof {
    desk.clear();
    match attempt(program, known, fact, which, desk) {
        Ok(proof) => proof,
        Err(no) => Proof::Open(no),
    }
}

fn attempt<'p>(
    program: &'p Program,
    known: &Known<'p>,
    fact: &Rc<Fact<'p>>,
    which: String,
    desk: &ProofLog,
) -> Result<Proof, No> {
    let limit = &desk.limit;
    let mut maker = ObligationBuilder {
        program,
        known,
        fact,
        digits: BTreeSet::new(),
        notes: BTreeSet::new(),
        needs: Vec::new(),
        by: ProofMethod::Outcome,
    };
    let mut obligations = maker.begins()?;
    let domain = maker.setting()?.domain;
    if let (Formula::Constant(false), true) = (&domain, obligations.is_empty()) {
        desk.step("there is a position", &domain);
        desk.close(which, ProofMethod::Nothing, System::Binary);
        return Ok(Proof::Proved { system: System::Binary, statements: 0, largest: 0, notes: maker.notes });
    }
    obligations.append(&mut maker.all()?);
    obligations.append(&mut maker.needs);
    let system = system(&maker.digits)?;
    // Whether moves lead out of what is said comes first: it is soon seen, and then no ranking helps.
    if !fact.speaks_of_all(program) {
        let leaves = obligations.iter().filter(|obligation| obligation.name == LEAVES);
        for obligation in leaves {
            maker.never_holds(obligation, system, desk)?;
        }
    }
    let ranks = maker.ranking(system, desk)?;
    limit.largest.store(0, std::sync::atomic::Ordering::Relaxed);
    for obligation in &obligations {
        let automaton = desk.compile(&obligation.never, system)?;
        if automaton.is_empty() {
            desk.step(obligation.name.clone(), &obligation.never);
            continue;
        }
        let tracks = maker.setting()?.tracks;
        let numbers = least_of(obligation, automaton, &tracks, system, limit)?;
        if !obligation.refutes || !ranks.by_sum {
            return Err(failing(obligation, &numbers));
        }
        // The least position of all that fail in any way.
        let mut best = (numbers.iter().sum::<BigUint>(), numbers);
        for other in obligations.iter().filter(|other| other.refutes && other.name != obligation.name) {
            let mut automaton = desk.compile(&other.never, system)?;
            for track in other.never.free().into_iter().filter(|track| !tracks.contains(track)) {
                automaton = forget(automaton, track, system, limit)?;
            }
            if let Some(numbers) = least(&automaton, &tracks, system, limit)? {
                best = best.min((numbers.iter().sum(), numbers));
            }
        }
        let mut sure = true;
        for other in obligations.iter().filter(|other| !other.refutes) {
            sure = sure && desk.compile(&other.never, system).is_ok_and(|automaton| automaton.is_empty());
        }
        return Ok(Proof::Fails { numbers: best.1, sure });
    }
    let statements = obligations.len() + ranks.statements;
    desk.close(which, maker.by, system);
    let largest = limit.largest.load(std::sync::atomic::Ordering::Relaxed);
    Ok(Proof::Proved { system, statements, largest, notes: maker.notes })
}

/// The numbers of the least position where it holds.
fn least_of(
    obligation: &Obligation,
    automaton: Automaton,
    tracks: &[Track],
    system: System,
    limit: &Limit,
) -> Result<Vec<BigUint>, No> {
    let mut alone = automaton;
    for track in obligation.never.free().into_iter().filter(|track| !tracks.contains(track)) {
        alone = forget(alone, track, system, limit)?;
    }
    Ok(least(&alone, tracks, system, limit)?.unwrap_or_default())
}

fn failing(obligation: &Obligation, numbers: &[BigUint]) -> No {
    let shown: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    No::bare(format!("{} at ({})", obligation.name, shown.join(", ")))
}

pub(super) struct ObligationBuilder<'a, 'p> {
    pub(super) program: &'p Program,
    pub(super) known: &'a Known<'p>,
    pub(super) fact: &'a Rc<Fact<'p>>,
    digits: BTreeSet<System>,
    notes: BTreeSet<Rc<str>>,
    needs: Vec<Obligation>,
    pub(super) by: ProofMethod,
}

impl<'p> ObligationBuilder<'_, 'p> {
    /// The same numbers whenever it is asked.
    pub(super) fn setting(&self) -> Result<PositionContext<'p>, No> {
        let game = &self.program.games[self.fact.game.0];
        let mut scope = Scope::new(self.program, self.known.clone());
        let (fields, tracks, said) = scope.state(game, &self.fact.shapes);
        let part = Part { game: self.fact.game, params: self.fact.params.clone(), fields };
        scope.assume(said.clone());
        let inside = scope.local(|scope| {
            let inside = scope.in_domain(&part)?;
            if let Formula::Constant(false) = inside {
                return Ok(inside);
            }
            let covered = scope.under(&inside, |scope| self.fact.covers(scope, &part))?;
            Ok(Formula::all([inside, covered]))
        })?;
        let domain = Formula::all([said, inside]);
        scope.taken_needs();
        scope.assume(domain.clone());
        Ok(PositionContext { scope, part, tracks, domain })
    }

    /// Says where something holds that must never hold.
    fn never_holds(&self, obligation: &Obligation, system: System, desk: &ProofLog) -> Result<(), No> {
        let automaton = desk.compile(&obligation.never, system)?;
        if automaton.is_empty() {
            return Ok(());
        }
        let tracks = self.setting()?.tracks;
        Err(failing(obligation, &least_of(obligation, automaton, &tracks, system, &desk.limit)?))
    }

    /// What must never hold so that it is clear what the statement speaks of: a condition of a position or of the statement
    /// has no value, or a claim speaks of what is no position of its game.
    fn begins(&mut self) -> Result<Vec<Obligation>, No> {
        let game = &self.program.games[self.fact.game.0];
        let mut scope = Scope::new(self.program, self.known.clone());
        let (fields, _, said) = scope.state(game, &self.fact.shapes);
        let part = Part { game: self.fact.game, params: self.fact.params.clone(), fields };
        scope.assume(said.clone());
        let fact = self.fact.clone();
        let outside = scope.local(|scope| match fact.names {
            // A theorem speaks of all positions, and of nothing else.
            Names::Fields => {
                let inside = scope.in_domain(&part)?;
                scope.under(&inside, |scope| fact.spoken_of(scope, &part, true))?;
                Ok(Formula::Constant(false))
            }
            Names::Slots(_) => {
                let covered = fact.spoken_of(scope, &part, true)?;
                let inside = scope.under(&covered, |scope| scope.in_domain(&part))?;
                Ok(Formula::all([covered, inside.not()]))
            }
        })?;
        let needs = scope.taken_needs().into_iter().map(|need| (NO_VALUE, need.not()));
        let all = [("the statement speaks of what is no position of the game", outside)].into_iter().chain(needs);
        let all = all.filter(|(_, never)| !matches!(never, Formula::Constant(false)));
        let obligation = |(name, never): (&str, Formula)| Obligation {
            name: name.into(),
            never: Formula::all([said.clone(), never]),
            refutes: false,
        };
        let mut all: Vec<Obligation> = all.map(obligation).collect();
        all.extend(self.written_ascending()?);
        self.digits.append(&mut scope.digits);
        self.notes.append(&mut scope.notes);
        Ok(all)
    }

    /// A claim writes out sets, `{a, b}`: what it speaks of must be ascending as it is written, for that is how it is read.
    fn written_ascending(&self) -> Result<Vec<Obligation>, No> {
        let fact = self.fact;
        let sets = fact.shapes.iter().any(|shape| matches!(shape, Shape::Set(size) if *size > 1));
        if !sets || matches!(fact.names, Names::Fields) {
            return Ok(Vec::new());
        }
        let mut scope = Scope::new(self.program, self.known.clone());
        let (fields, _, ascending) = scope.state(&self.program.games[fact.game.0], &fact.shapes);
        let part = Part { game: fact.game, params: fact.params.clone(), fields };
        let covered = scope.local(|scope| fact.covers(scope, &part))?;
        let never = Formula::all([covered, ascending.not()]);
        let needs = scope.taken_needs().into_iter().map(|need| (NO_VALUE, need.not()));
        let all =
            [("the members of a set are not in ascending order as they are written", never)].into_iter().chain(needs);
        Ok(all.map(|(name, never)| Obligation { name: name.into(), never, refutes: false }).collect())
    }

    /// What must never hold of a position in the domain.
    pub(super) fn never(
        &mut self,
        name: &str,
        refutes: bool,
        formula: impl FnOnce(&mut Scope<'p>, &Part) -> Result<Formula, No>,
    ) -> Result<Obligation, No> {
        let PositionContext { mut scope, part, domain, .. } = self.setting()?;
        let formula = scope.local(|scope| formula(scope, &part))?;
        for need in scope.taken_needs() {
            self.needs.push(Obligation {
                name: NO_VALUE.into(),
                never: Formula::all([domain.clone(), need.not()]),
                refutes: false,
            });
        }
        self.digits.append(&mut scope.digits);
        self.notes.append(&mut scope.notes);
        Ok(Obligation { name: name.into(), never: Formula::all([domain, formula]), refutes })
    }
}
