//! A second opinion: another procedure decides the same sentences.

use super::procedure::Decider;
use grundy::prover::{Argument, Decided};
use grundy_automata::{Limit, Reason};
use std::collections::BTreeSet;

/// What another procedure makes of the sentences of an argument.
#[derive(Clone, Debug, Default)]
pub(crate) struct Opinion {
    /// So many sentences were decided alike.
    pub agreed: usize,
    /// The reasons why the others were not decided, and how many there are.
    pub undecided: usize,
    /// See there; each once.
    pub reasons: Vec<String>,
    /// The first sentence that the two decide differently, in words.
    pub differs: Option<String>,
}

impl Opinion {
    /// Has every sentence of an argument decided again that the other procedure takes. Same sentences are decided once. It ends at the
    /// first difference, and when it is interrupted.
    pub(crate) fn of(argument: &Argument, second: &dyn Decider, limit: &Limit) -> Opinion {
        let mut opinion = Opinion::default();
        let mut seen = BTreeSet::new();
        for decided in &argument.decided {
            let key = format!("{:?} {:?}", decided.system, decided.formula);
            if !second.takes(decided.system) || !seen.insert(key) {
                continue;
            }
            match second.solution(&decided.formula, decided.system, limit) {
                Ok(found) if found.is_none() == decided.never => opinion.agreed += 1,
                Ok(found) => {
                    let found = found.map(|numbers| numbers.into_values().map(|n| n.to_string()).collect::<Vec<_>>());
                    opinion.differs = Some(difference(decided, second.name(), found));
                    return opinion;
                }
                Err(reason) => {
                    opinion.undecided += 1;
                    let shown = reason.to_string();
                    if !opinion.reasons.contains(&shown) {
                        opinion.reasons.push(shown);
                    }
                    if reason == Reason::Interrupted {
                        return opinion;
                    }
                }
            }
        }
        opinion
    }
}

fn difference(decided: &Decided, name: &str, found: Option<Vec<String>>) -> String {
    let system = decided.system.word();
    match found {
        Some(numbers) => format!(
            "`{name}` makes a sentence in {system} true with ({}), which is said to be never true",
            numbers.join(", ")
        ),
        None => {
            format!("`{name}` says that a sentence in {system} is never true, which is said to be true of some numbers")
        }
    }
}
