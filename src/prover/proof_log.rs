//! Where sentences are decided during a proof, and what is kept of them: for certificates, and for tests that decide them by another procedure.

use crate::prover::facts::Certified;
use grundy_automata::{Automaton, Formula, Limit, Reason, System, compile};
use std::cell::RefCell;
use std::sync::Arc;

/// A formula that was decided.
#[derive(Clone, Debug)]
pub struct Decided {
    /// The formula.
    pub formula: Formula,
    /// How numbers are written.
    pub system: System,
    /// Whether no numbers make it true.
    pub never: bool,
}

/// The form of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofMethod {
    /// Induction on Grundy values.
    Grundy,
    /// The same where an automaton accepts positions with their values.
    Read,
    /// Induction on who loses.
    Outcome,
    /// It says what another closed form says that is proved.
    Same,
    /// It follows from closed forms that are proved.
    Follows,
    /// Which moves win, from who loses.
    Moves,
    /// To which values moves lead, from Grundy values.
    MovesTo,
    /// There are no positions.
    Nothing,
}

/// Something that never happens, on which an argument rests.
#[derive(Clone, Debug)]
pub struct Step {
    /// What it is, in words.
    pub what: String,
    /// What no numbers make true.
    pub never: Formula,
}

/// One of the cases into which a statement is cut.
#[derive(Clone, Debug)]
pub struct Case {
    /// Which one; empty: there is only this one.
    pub which: String,
    /// The form of the argument.
    pub by: ProofMethod,
    /// How numbers are written.
    pub system: System,
    /// All that it rests on.
    pub steps: Vec<Step>,
}

/// How a statement was decided.
#[derive(Clone, Debug, Default)]
pub struct Argument {
    /// The cases that are proved.
    pub cases: Vec<Case>,
    /// Every formula that was decided, those that came to nothing too.
    pub decided: Vec<Decided>,
    /// The statements, proved before, that were used.
    pub used: Vec<String>,
    /// The heaps with a certified period whose values were used.
    pub heaps: Vec<Certified>,
    /// So many instances were played through, which are all; then there are no cases.
    pub played: Option<u64>,
    /// What else it rests on, which is no sentence: values that were worked out one by one.
    pub beside: Vec<String>,
}

/// See the module.
pub(super) struct ProofLog {
    pub(super) limit: Limit,
    /// What is kept, if it is; the steps of a case that is not closed yet.
    kept: Option<RefCell<(Argument, Vec<Step>)>>,
}

impl ProofLog {
    /// A desk for one statement.
    pub(super) fn new(limit: Limit, keep: bool) -> ProofLog {
        ProofLog { limit, kept: keep.then(RefCell::default) }
    }

    /// Whether sentences are kept.
    pub(super) fn keeps(&self) -> bool {
        self.kept.is_some()
    }

    /// The automaton of a formula.
    pub(super) fn compile(&self, formula: &Formula, system: System) -> Result<Automaton, Reason> {
        let automaton = compile(formula, system, &self.limit)?;
        if let Some(kept) = &self.kept {
            let never = automaton.is_empty();
            kept.borrow_mut().0.decided.push(Decided { formula: formula.clone(), system, never });
        }
        Ok(automaton)
    }

    /// The case rests on this, which was decided.
    pub(super) fn step(&self, what: impl Into<String>, never: &Formula) {
        if let Some(kept) = &self.kept {
            kept.borrow_mut().1.push(Step { what: what.into(), never: never.clone() });
        }
    }

    /// The statement rests on this too, which is no sentence.
    pub(super) fn beside(&self, what: &str) {
        if let Some(kept) = &self.kept {
            kept.borrow_mut().0.beside.push(what.into());
        }
    }

    /// The statement rests on the period of these heaps.
    pub(super) fn heaps(&self, heaps: &Certified) {
        if let Some(kept) = &self.kept {
            let all = &mut kept.borrow_mut().0.heaps;
            if !all.iter().any(|other| Arc::ptr_eq(&other.automaton, &heaps.automaton) && other.of == heaps.of) {
                all.push(heaps.clone());
            }
        }
    }

    /// All of so many instances were played through, and the statement rests on nothing else.
    pub(super) fn played(&self, instances: u64) {
        if let Some(kept) = &self.kept {
            let argument = &mut kept.borrow_mut().0;
            argument.cases.clear();
            argument.heaps.clear();
            argument.beside.clear();
            argument.played = Some(instances);
        }
    }

    /// The case is proved by its steps.
    pub(super) fn close(&self, which: String, by: ProofMethod, system: System) {
        if let Some(kept) = &self.kept {
            let (argument, steps) = &mut *kept.borrow_mut();
            argument.cases.push(Case { which, by, system, steps: std::mem::take(steps) });
        }
    }

    /// Forgets the steps of a case that came to nothing.
    pub(super) fn clear(&self) {
        if let Some(kept) = &self.kept {
            kept.borrow_mut().1.clear();
        }
    }

    /// All that was kept.
    pub(super) fn argument(self) -> Argument {
        self.kept.map(|kept| kept.into_inner().0).unwrap_or_default()
    }
}
