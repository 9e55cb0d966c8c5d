//! Walks over checked terms, with a stack of their own.

use crate::model::{Clause, Place, PlaceParams, Target, Term, TermKind};

/// Pushes the parts of a term.
pub(crate) fn parts<'t>(term: &'t Term, todo: &mut Vec<&'t Term>) {
    match &term.kind {
        TermKind::Int(_)
        | TermKind::Bool(_)
        | TermKind::Text(_)
        | TermKind::Drawing(_)
        | TermKind::Slot(_)
        | TermKind::Global(_) => {}
        TermKind::Neg(a)
        | TermKind::Not(a)
        | TermKind::Misere(a)
        | TermKind::Coerce(a, _)
        | TermKind::Adapt(a)
        | TermKind::Part { of: a, .. } => todo.push(a),
        TermKind::Logic(_, a, b) | TermKind::Iff(a, b) | TermKind::Binary(_, a, b) | TermKind::Index(a, b) => {
            todo.extend([&**a, b]);
        }
        TermKind::Compare(first, rest) => {
            todo.push(first);
            todo.extend(rest.iter().map(|(_, t)| t));
        }
        TermKind::If(a, b, c) => todo.extend([&**a, b, c]),
        TermKind::Tuple(all) | TermKind::Builtin(_, all) => todo.extend(all),
        TermKind::Items(_, items) => todo.extend(items.iter().map(|i| &i.term)),
        TermKind::Comprehension(_, value, clauses) => {
            todo.push(value);
            clause_parts(clauses, todo);
        }
        TermKind::Slice(base, from, to) => {
            todo.push(base);
            todo.extend(from.iter().chain(to).map(|t| &**t));
        }
        TermKind::Update(base, changes, clauses) => {
            todo.push(base);
            todo.extend(changes.iter().flat_map(|c| [&c.index, &c.value]));
            if let Some(clauses) = clauses {
                clause_parts(clauses, todo);
            }
        }
        TermKind::Call(_, args) => todo.extend(args.iter().flatten()),
        TermKind::Place(place) => place_parts(place, todo),
    }
}

fn place_parts<'t>(place: &'t Place, todo: &mut Vec<&'t Term>) {
    if let PlaceParams::Given(params) = &place.params {
        todo.extend(params.iter().flatten());
    }
    todo.extend(place.fields.iter().flatten());
}

/// Pushes the terms of clauses.
pub(crate) fn clause_parts<'t>(clauses: &'t [Clause], todo: &mut Vec<&'t Term>) {
    todo.extend(clauses.iter().map(|clause| match clause {
        Clause::In { source, .. } => source,
        Clause::Let { value, .. } => value,
        Clause::Where(condition) => condition,
    }));
}

/// Pushes the terms of a target.
pub(crate) fn target_parts<'t>(target: &'t Target, todo: &mut Vec<&'t Term>) {
    let mut targets = vec![target];
    while let Some(target) = targets.pop() {
        match target {
            Target::If(condition, yes, no) => {
                todo.push(condition);
                targets.extend([&**yes, no]);
            }
            Target::Stop(_) => {}
            Target::Go { position, gain, .. } => {
                todo.push(position);
                todo.extend(gain);
            }
        }
    }
}
