//! The one walk over terms, with a stack of its own: chains of operators nest thousands of terms.

use crate::model::{
    Clause, Ending, Frame, Game, Measure, Pattern, PlaceParams, Slot, Target, Term, TermKind, Theorem, TheoremSays,
};
use std::collections::HashSet;

/// Calls `f` with each term that `term` is made of, in the order in which they are evaluated.
pub fn each_part<'t>(term: &'t Term, f: &mut dyn FnMut(&'t Term)) {
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
        | TermKind::Part { of: a, .. } => f(a),
        TermKind::Logic(_, a, b) | TermKind::Iff(a, b) | TermKind::Binary(_, a, b) | TermKind::Index(a, b) => {
            f(a);
            f(b);
        }
        TermKind::Compare(first, rest) => {
            f(first);
            rest.iter().map(|(_, t)| t).for_each(f);
        }
        TermKind::If(a, b, c) => [a, b, c].into_iter().for_each(|t| f(t)),
        TermKind::Tuple(parts) | TermKind::Builtin(_, parts) => parts.iter().for_each(f),
        TermKind::Items(_, items) => items.iter().for_each(|i| f(&i.term)),
        TermKind::Comprehension(_, value, clauses) => {
            clause_terms(clauses).for_each(&mut *f);
            f(value);
        }
        TermKind::Slice(a, from, to) => {
            f(a);
            from.iter().chain(to).for_each(|t| f(t));
        }
        TermKind::Update(base, changes, clauses) => {
            f(base);
            clauses.iter().flat_map(|clauses| clause_terms(clauses)).for_each(&mut *f);
            changes.iter().flat_map(|change| [&change.index, &change.value]).for_each(f);
        }
        TermKind::Call(_, args) => args.iter().flatten().for_each(f),
        TermKind::Place(place) => {
            if let PlaceParams::Given(params) = &place.params {
                params.iter().flatten().for_each(&mut *f);
            }
            place.fields.iter().flatten().for_each(f);
        }
    }
}

/// Calls `f` with every term below `term`, itself first, each before its parts.
pub fn each_term<'t>(term: &'t Term, f: &mut dyn FnMut(&'t Term)) {
    let mut todo = vec![term];
    while let Some(term) = todo.pop() {
        f(term);
        let first = todo.len();
        each_part(term, &mut |part| todo.push(part));
        todo[first..].reverse();
    }
}

/// The terms that clauses are written with, in order.
pub fn clause_terms(clauses: &[Clause]) -> impl Iterator<Item = &Term> {
    clauses.iter().map(|clause| match clause {
        Clause::In { source, .. } => source,
        Clause::Let { value, .. } => value,
        Clause::Where(condition) => condition,
    })
}

/// Whether `is` holds of some term below `term`, itself included.
pub fn some_term<'t>(term: &'t Term, mut is: impl FnMut(&'t Term) -> bool) -> bool {
    let mut found = false;
    each_term(term, &mut |t| found = found || is(t));
    found
}

pub fn slots_in(term: &Term) -> HashSet<Slot> {
    let mut slots = HashSet::new();
    each_term(term, &mut |t| slots.extend(if let TermKind::Slot(slot) = t.kind { Some(slot) } else { None }));
    slots
}

/// The slots that a term reads from around it: all that it reads but those that it binds itself.
pub fn free_slots(term: &Term) -> HashSet<Slot> {
    let mut slots = slots_in(term);
    each_term(term, &mut |t| {
        if let TermKind::Comprehension(_, _, clauses) | TermKind::Update(_, _, Some(clauses)) = &t.kind {
            for slot in bound_slots(clauses) {
                slots.remove(&slot);
            }
        }
    });
    slots
}

/// The slots that clauses bind, in order.
pub fn bound_slots(clauses: &[Clause]) -> Vec<Slot> {
    fn add(pattern: &Pattern, slots: &mut Vec<Slot>) {
        match pattern {
            Pattern::Slot(slot) => slots.push(*slot),
            Pattern::Tuple(parts, _) => parts.iter().for_each(|part| add(part, slots)),
            Pattern::Ignore => {}
        }
    }
    let mut slots = Vec::new();
    for clause in clauses {
        if let Clause::In { pattern, .. } | Clause::Let { pattern, .. } = clause {
            add(pattern, &mut slots);
        }
    }
    slots
}

pub fn target_terms<'t>(target: &'t Target, into: &mut Vec<&'t Term>) {
    match target {
        Target::If(condition, yes, no) => {
            into.push(condition);
            target_terms(yes, into);
            target_terms(no, into);
        }
        Target::Stop(_) => {}
        Target::Go { position, gain, .. } => {
            into.push(position);
            into.extend(gain);
        }
    }
}

pub fn end_terms(game: &Game) -> impl Iterator<Item = &Term> {
    game.ends.iter().flat_map(|end| {
        let score = if let Ending::Score(score) = &end.verdict { Some(score) } else { None };
        [&end.when].into_iter().chain(score)
    })
}

/// The terms of a game: those of its targets and `same as` lines, and all others.
pub fn game_terms(game: &Game) -> (Vec<&Term>, Vec<&Term>) {
    let (mut leads, mut other) = (Vec::new(), Vec::new());
    for line in &game.moves {
        target_terms(&line.target, &mut leads);
        other.extend(clause_terms(&line.clauses));
    }
    leads.extend(game.same.iter().map(|s| &s.position));
    other.extend(game.same.iter().map(|s| &s.when));
    other.extend(game.legal.iter().chain(&game.filter));
    other.extend(game.params.iter().chain(&game.fields).filter_map(|f| f.default.as_ref()));
    other.extend(end_terms(game));
    other.extend(game.players.iter().flatten().chain(game.draws.iter().flatten()));
    for theorem in &game.theorems {
        match &theorem.says {
            TheoremSays::Moves { clauses, .. } => other.extend(clause_terms(clauses)),
            TheoremSays::Value { value: term, guard, .. } | TheoremSays::Verdict { when: term, guard, .. } => {
                other.push(term);
                other.extend(guard);
            }
        }
    }
    other.extend(game.frame.lazies());
    (leads, other)
}

/// The term without coercions and adaptations around it.
pub fn bare(term: &Term) -> &Term {
    match &term.kind {
        TermKind::Coerce(inner, _) | TermKind::Adapt(inner) => bare(inner),
        _ => term,
    }
}

/// The graph that a kind names, without the adaptation of a grid to its graph around it.
pub fn named_graph(term: &Term) -> &Term {
    match &term.kind {
        TermKind::Adapt(inner) => named_graph(inner),
        _ => term,
    }
}

impl Frame {
    pub fn lazies(&self) -> impl Iterator<Item = &Term> {
        self.slots.iter().filter_map(|slot| slot.lazy.as_deref())
    }
}

impl Target {
    /// Where it may lead, in the order written: none of these is an `If`.
    pub fn leaves(&self) -> Vec<&Target> {
        match self {
            Target::If(_, yes, no) => [yes.leaves(), no.leaves()].concat(),
            leaf => vec![leaf],
        }
    }
}

impl Theorem {
    /// Whether it tells the Grundy value or who wins.
    pub fn tells_outcome(&self) -> bool {
        match &self.says {
            TheoremSays::Value { what, .. } => matches!(what, Measure::Grundy | Measure::Outcome),
            TheoremSays::Verdict { .. } => true,
            TheoremSays::Moves { .. } => false,
        }
    }
}

impl Game {
    /// Whether a rule of the game speaks of points (`gain`, `score`).
    pub fn has_points(&self) -> bool {
        let gains = |target: &&Target| matches!(target, Target::Go { gain: Some(_), .. });
        self.ends.iter().any(|e| matches!(e.verdict, Ending::Score(_)))
            || self.moves.iter().any(|m| m.target.leaves().iter().any(gains))
    }
}
