//! Compiled code, and the form in which rules are compiled.

use crate::bytecode::{ByInstance, Code, InstanceId};
use crate::model::walk::clause_terms;
use crate::model::{Clause, DefId, Drawing, GameId, Slot, TermId};
use crate::value::Value;
use crate::value::refusal::Refusal;
use hashbrown::{HashMap, HashSet};
use std::sync::Arc;

/// Results of definitions by definition and instance, then by arguments.
pub(crate) type DefMemo = HashMap<(DefId, Option<InstanceId>), HashMap<Box<[Value]>, Value>>;

/// The code of one instance, each part made when it is first wanted.
#[derive(Default)]
pub(crate) struct InstanceCode {
    pub(crate) rules: Option<Arc<Code>>,
    /// The rules with `legal when` and `same as` in them, or why there is no such code.
    pub(crate) judged_rules: Option<Result<Arc<Code>, Refusal>>,
    /// Single moves with binders given, by line and whether with their targets; `None` where that cannot be.
    pub(crate) moves: HashMap<(usize, bool), Option<Arc<Code>>>,
    pub(crate) ends: Option<Arc<Code>>,
    pub(crate) legal: Option<Arc<Code>>,
    pub(crate) same: Option<Arc<Code>>,
}

/// What code was compiled from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CodeKey {
    /// A term.
    Term(TermId),
    /// So many clauses, by the first term in them, about the fields of a component and the value of one more slot.
    Clauses(TermId, usize, Option<Slot>),
    /// A definition.
    Def(DefId),
}

impl CodeKey {
    /// The key of clauses; `None` when there are none.
    pub(crate) fn clauses(clauses: &[Clause], given: Option<Slot>) -> Option<CodeKey> {
        let first = clause_terms(clauses).next()?;
        Some(CodeKey::Clauses(first.id(), clauses.len(), given))
    }
}

/// Code by what it was compiled from, and the forms that were found too narrow for it.
#[derive(Default)]
pub struct CodeCache {
    /// Ints do not fit words: everything runs on values.
    pub wide: bool,
    /// Sets of numbers are values: some have members that no word for sets has.
    pub(crate) unmasked: bool,
    /// Games whose states do not fit packed words.
    pub(crate) unpacked: HashSet<GameId>,
    pub(crate) codes: HashMap<(CodeKey, Option<InstanceId>), Arc<Code>>,
    pub(crate) by_instance: ByInstance<InstanceCode>,
    /// Bytes held by the rules of instances, roughly.
    pub(crate) held: usize,
    pub(crate) def_memo: DefMemo,
    /// Graphs and grids that code draws, by the number it has for them.
    pub(crate) drawings: Vec<Arc<Drawing>>,
}

impl CodeCache {
    /// Forgets the code, but not the forms that do not fit.
    pub(super) fn forget(&mut self) {
        self.codes.clear();
        self.by_instance = ByInstance::default();
        self.held = 0;
        self.def_memo.clear();
    }
}
