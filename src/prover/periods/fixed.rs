//! Terms that may be worked out by the machine, once for all.

use crate::model::walk::{each_bound, each_term};
use crate::model::{PlaceParams, Program, Slot, Term, TermKind};
use std::collections::HashSet;

/// The slots that a term reads from around it; `None` when it is a position, or speaks of the game in whose body it stands.
pub(super) fn read(program: &Program, term: &Term) -> Option<Vec<Slot>> {
    if term.ty == crate::model::kind::Type::Position {
        return None;
    }
    let (mut read, mut own, mut inside) = (HashSet::new(), HashSet::new(), false);
    each_term(term, &mut |t| match &t.kind {
        TermKind::Slot(slot) => {
            read.insert(*slot);
        }
        TermKind::Comprehension(_, _, clauses) | TermKind::Update(_, _, Some(clauses)) => {
            each_bound(clauses, &mut |slot| {
                own.insert(slot);
            });
        }
        TermKind::Place(place) => inside |= matches!(place.params, PlaceParams::Own),
        TermKind::Call(def, _) => inside |= program.defs[def.0].owner.is_some(),
        _ => {}
    });
    (!inside).then(|| read.difference(&own).copied().collect())
}
