//! Terms that may be worked out by the machine, once for all.

use crate::model::walk::{each_term, free_slots};
use crate::model::{PlaceParams, Program, Slot, Term, TermKind};
use std::collections::HashSet;

/// The slots that a term reads from around it; `None` when it is a position, or speaks of the game in whose body it stands.
pub(super) fn read(program: &Program, term: &Term) -> Option<HashSet<Slot>> {
    if term.ty == crate::model::kind::Type::Position {
        return None;
    }
    let mut inside = false;
    each_term(term, &mut |t| match &t.kind {
        TermKind::Place(place) => inside |= matches!(place.params, PlaceParams::Own),
        TermKind::Call(def, _) => inside |= program.defs[def.0].owner.is_some(),
        _ => {}
    });
    (!inside).then(|| free_slots(term))
}
