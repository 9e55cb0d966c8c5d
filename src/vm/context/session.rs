//! What the caller decides before anything runs; answering questions does not change it.

use crate::model::Program;
use crate::model::builtin::Builtin;
use crate::tuning;
use crate::value::fault::Run;
use crate::value::{Position, Value};
use crate::vm::context::Context;
use std::sync::Arc;

/// Answers a question word about a position: set by the layer that can solve.
pub type Hook = fn(&mut Context, Builtin, &Arc<Position>) -> Run<Value>;

/// Which positions an engine takes, where the rules allow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// None. For tests.
    Never,
    /// Those that are not quickly searched whole.
    Large,
    /// All. For tests.
    Always,
}

/// Which engines and fast forms may be used; every combination gives the same answers.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools)] // each switches one thing, and all combinations make sense
pub struct EngineOptions {
    /// Everything runs on values: no packed words, masks or tables. For tests.
    pub plain: bool,
    /// Which positions are taken apart into components.
    pub split: Policy,
    /// Which heaps are answered by their codes, where the rules are one.
    pub heaps: Policy,
    /// Compounds, and sums in misere play, are answered by what is known of their parts where a rule tells; `false`: all are
    /// searched, for tests and for exhaustive answers.
    pub parts: bool,
    /// Sums are searched depth first where no play comes back to a position; `false`: all breadth first, for tests.
    pub deep: bool,
    /// `same as` lines replace nothing, for judging them. To be changed together with [`Context::forget`].
    pub ignore_same: bool,
    /// So many positions are searched one by one before native code and tables are thought of; 0: at once.
    pub trial: u64,
    /// Graphs of states may be those of whole boxes, whose moves are taken back by changes of the rank.
    pub boxed: bool,
    /// Moves that take any number from the same fields are seen at once in tables of whole boxes, by records of the lines.
    pub lines: bool,
    /// States that differ in the order of fields which may change places are one in tables of those that are met.
    pub symmetric: bool,
}

/// The usual [`EngineOptions::trial`]: some milliseconds.
const TRIAL: u64 = tuning::FIRST_SEARCH;

impl Default for EngineOptions {
    fn default() -> Self {
        EngineOptions {
            plain: false,
            split: Policy::Large,
            heaps: Policy::Large,
            parts: true,
            deep: true,
            ignore_same: false,
            trial: TRIAL,
            boxed: true,
            lines: true,
            symmetric: true,
        }
    }
}

/// The program, and how questions about it are to be answered.
pub struct Session {
    /// The checked program.
    pub program: Arc<Program>,
    /// The solver.
    pub hook: Hook,
    /// The letters of the file's texts, ascending.
    pub(crate) letters: Arc<[char]>,
    /// Some game has `legal when` or `same as` lines.
    pub(crate) restricted: bool,
}

impl Session {
    /// The session of a program.
    pub(super) fn new(program: Arc<Program>, hook: Hook) -> Session {
        Session {
            hook,
            letters: program.letters.as_slice().into(),
            restricted: program.games.iter().any(|g| !g.legal.is_empty() || !g.same.is_empty()),
            program,
        }
    }
}
