//! Which terms of a game read its state.

use crate::model::walk::{clause_terms, each_term};
use crate::model::{Clause, DefId, Frame, Game, Program, Slot, Term, TermKind};
use std::collections::HashSet;

/// Knows the slots that hold state, and the slots bound to what was read of it.
pub(super) struct Reads<'p> {
    program: &'p Program,
    game: &'p Game,
    slots: HashSet<Slot>,
}

impl<'p> Reads<'p> {
    /// All fields of a game hold state.
    pub(super) fn new(program: &'p Program, game: &'p Game) -> Self {
        let from = game.params.len();
        Reads { program, game, slots: (from..from + game.fields.len()).collect() }
    }

    /// A slot was bound to something read of the state.
    pub(super) fn bind(&mut self, slot: Slot) {
        self.slots.insert(slot);
    }

    /// Whether a term of the game may read the state: directly, through lazy slots, or in a definition written in the game.
    pub(super) fn any(&self, term: &Term) -> bool {
        !self.slots_of(term).is_empty()
    }

    /// Whether clauses may read the state.
    pub(super) fn clauses(&self, clauses: &[Clause]) -> bool {
        clause_terms(clauses).any(|t| self.any(t))
    }

    /// The slots with state that a term may read.
    pub(super) fn slots_of(&self, term: &'_ Term) -> HashSet<Slot> {
        let mut found = HashSet::new();
        self.walk(&self.game.frame, usize::MAX, term, &mut HashSet::new(), &mut HashSet::new(), &mut found);
        found
    }

    /// `prefix`: slots below it mean the same as in the game.
    fn walk(
        &self,
        frame: &Frame,
        prefix: usize,
        term: &Term,
        lazies: &mut HashSet<Slot>,
        defs: &mut HashSet<DefId>,
        found: &mut HashSet<Slot>,
    ) {
        each_term(term, &mut |term| match &term.kind {
            TermKind::Slot(slot) => {
                if *slot < prefix && self.slots.contains(slot) {
                    found.insert(*slot);
                }
                if let Some(lazy) = &frame.slots[*slot].lazy
                    && lazies.insert(*slot)
                {
                    self.walk(frame, prefix, lazy, lazies, defs, found);
                }
            }
            TermKind::Call(id, _) => {
                let def = &self.program.defs[id.0];
                if def.owner.is_some() && defs.insert(*id) {
                    let defaults = def.params.iter().filter_map(|p| p.default.as_ref());
                    for inner in def.body.iter().chain(defaults) {
                        self.walk(&def.frame, def.prefix, inner, &mut HashSet::new(), defs, found);
                    }
                }
            }
            _ => {}
        });
    }
}
