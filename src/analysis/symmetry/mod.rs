//! Fields of a game that may change places: with two of them exchanged, the rules say the same.
//!
//! The rules are written down with bound names numbered, definitions of lazy names in their place, and the operands of what
//! commutes in order; once as they are and once with two fields exchanged, where they are read and where targets give them.
//! If both writings are equal, the exchange maps the moves of every position one to one to those of the position with the
//! two values exchanged, so that both have the same outcome, value and remoteness. The converse does not hold: rules that
//! say the same in other words are not found.

#[cfg(test)]
mod tests;
mod writer;

use crate::analysis::symmetry::writer::{Nodes, Writer};
use crate::model::walk::{bound_slots, clause_terms, slots_in};
use crate::model::{Clause, GameId, Program};

/// Fields are compared only in games with at most so many.
const FIELDS: usize = 12;
/// So many orders of binders of a move are tried.
const ORDERS: usize = 24;

/// The groups of two or more fields such that any two of a group may change places; by index, ascending. `O(fields^2)` times
/// the length of the rules.
pub(crate) fn interchangeable(program: &Program, id: GameId) -> Vec<Vec<usize>> {
    let game = &program.games[id.0];
    let fields = game.fields.len();
    // What asks about positions, or leads to other games, is not looked into.
    if fields > FIELDS || !game.asks.is_empty() || game.successors.iter().any(|&other| other != id) {
        return Vec::new();
    }
    let mut nodes = Nodes::new();
    let mut written = |i, j| Writer::new(program, id, [i, j], &mut nodes).rules();
    let Some(plain) = written(0, 0) else { return Vec::new() };
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for field in 0..fields {
        match groups.iter_mut().find(|group| written(group[0], field) == Some(plain)) {
            Some(group) => group.push(field),
            None => groups.push(vec![field]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

/// The clauses with binders next to each other in every order, where none of them is about another; their own order alone
/// where that would be too many.
fn orders(clauses: &[Clause]) -> Vec<Vec<&Clause>> {
    let plain = || vec![clauses.iter().collect()];
    let binders = clauses.iter().take_while(|clause| matches!(clause, Clause::In { .. })).count();
    let many = (1..=binders).try_fold(1usize, usize::checked_mul).is_none_or(|orders| orders > ORDERS);
    if binders < 2 || many {
        return plain();
    }
    let bound = bound_slots(&clauses[..binders]);
    if clause_terms(&clauses[..binders]).any(|term| slots_in(term).iter().any(|slot| bound.contains(slot))) {
        return plain();
    }
    let mut all: Vec<Vec<&Clause>> = vec![Vec::new()];
    for clause in &clauses[..binders] {
        let mut next = Vec::new();
        for order in &all {
            for at in 0..=order.len() {
                let mut order: Vec<&Clause> = order.clone();
                order.insert(at, clause);
                next.push(order);
            }
        }
        all = next;
    }
    for order in &mut all {
        order.extend(&clauses[binders..]);
    }
    all
}
