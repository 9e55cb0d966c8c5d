//! Compiled code, and the form in which rules are compiled.

use crate::bytecode::Code;
use crate::model::{DefId, Drawing, GameId};
use crate::value::Value;
use crate::vm::ids::InstanceId;
use hashbrown::{HashMap, HashSet};
use std::sync::Arc;

/// Results of definitions by definition and instance, then by arguments.
pub(crate) type DefMemo = HashMap<(DefId, Option<InstanceId>), HashMap<Box<[Value]>, Value>>;

/// Code by what it was compiled from, and the forms that were found too narrow for it.
#[derive(Default)]
pub struct CodeCache {
    /// Ints do not fit words: everything runs on values.
    pub wide: bool,
    /// Sets of numbers are values: some have members that no word for sets has.
    pub(crate) unmasked: bool,
    /// Games whose states do not fit packed words.
    pub(crate) unpacked: HashSet<GameId>,
    pub(crate) codes: HashMap<(usize, Option<InstanceId>), Arc<Code>>,
    pub(crate) def_memo: DefMemo,
    /// Graphs and grids that code draws, by the number it has for them.
    pub(crate) drawings: Vec<Arc<Drawing>>,
}

impl CodeCache {
    /// Forgets the code, but not the forms that do not fit.
    pub(super) fn forget(&mut self) {
        self.codes.clear();
        self.def_memo.clear();
    }
}
