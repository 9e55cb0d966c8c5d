//! From a position and a question to an answer: one engine a file, one chooser.

pub mod table;

use crate::answer::{Answer, GrundyValue, Outcome};
use crate::check::builtin::Builtin;
use crate::rules::fault::Run;
use crate::rules::machine::Machine;
use crate::rules::value::{Position, Value};
use std::sync::Arc;

/// How to solve.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Theorems are ignored.
    pub exhaustive: bool,
    /// So many moves are listed.
    pub moves: usize,
}

impl Default for Choice {
    fn default() -> Self {
        Choice { exhaustive: false, moves: 60 }
    }
}

/// Everything about a position. May halt with `Halt::Wide`/`Halt::Unpack`: call it inside [`Machine::with_recovery`],
/// with the position made inside too.
pub fn solve(machine: &mut Machine, position: &Position, choice: Choice) -> Run<Answer> {
    let _ = (machine, position, choice);
    unreachable!()
}

/// Who wins.
pub fn outcome(machine: &mut Machine, position: &Position) -> Run<Outcome> {
    let _ = (machine, position);
    unreachable!()
}

/// The Grundy value; E20 where it is not defined.
pub fn grundy(machine: &mut Machine, position: &Position) -> Run<GrundyValue> {
    let _ = (machine, position);
    unreachable!()
}

/// Answers the question words of the language; the hook of [`Machine::new`].
pub fn ask(machine: &mut Machine, word: Builtin, position: &Arc<Position>) -> Run<Value> {
    let _ = (machine, word, position);
    unreachable!()
}

/// Each engine in the order tried, and whether it takes the position or why not.
pub fn plan(machine: &mut Machine, position: &Position) -> Run<Vec<(String, Result<(), String>)>> {
    let _ = (machine, position);
    unreachable!()
}
