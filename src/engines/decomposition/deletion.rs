//! The proof, from the checked rules, that a game is a deletion game; and its rules rewritten to say what a move needs and
//! leaves.
//!
//! The state is one set `S`. A term `T` is a *part* of the state when `T(S) = S & T(D)` for all `S` within `D`, where `T(D)` does
//! not depend on `S`: the field itself; `T - X`, `T & X`, `X & T` with an `X` that does not read the state; `T + U`, `T - U`,
//! `T & U`, `T xor U` of two parts (each set operation commutes with meeting `S`); `{x for x in T where ..}` whose conditions do
//! not read the state; `if c then T else U` with such a `c`; `{}`; names of parts.
//!
//! The rules are taken when each move is made of
//! * `x in T`: from `S` this way through the clauses exists iff it exists from `D` and `x` is in `S`: the move *needs* `x`;
//! * `e in edges(g, T)` with a `g` that does not read the state: likewise it needs both ends of `e`;
//! * `where .. and x in T and ..`: likewise it needs `x`;
//! * clauses that do not read the state: the same from `S` and from `D`;
//! * the target `G(T)`: it leads from `S` to `S & T(D)`, and so *removes* `D` without `T(D)`;
//!
//! and there is nothing else: one field, no `end when`, `legal when`, `same as`, `again`, `gain`, ends of the play, questions, and
//! no header `where` that reads the state. By induction along the clauses, the ways through them from `S` are exactly those from
//! `D` whose needs are in `S`. So the moves from `D` alone, found by running the rewritten clauses once, are the whole game
//! ([`grundy_graphs::deletion`]). What a way evaluates from `S` it evaluates from `D` too: if nothing fails from `D`,
//! nothing fails later.

use crate::engines::decomposition::reads::Reads;
use crate::model::builtin::Builtin;
use crate::model::kind::{Kind, Type};
use crate::model::{
    BinaryOp, Clause, CompareOp, Frame, Game, GameId, Gather, LogicOp, Pattern, PlaceParams, Program, Slot, SlotInfo,
    Target, Term, TermKind,
};
use crate::source::text::Span;
use std::collections::HashSet;

/// The clauses of a move rewritten.
pub(super) struct Rewritten {
    pub(super) clauses: Vec<Clause>,
    /// Slots of what the move needs: things, or edges between things.
    pub(super) needs: Vec<Slot>,
    /// The slot of the state that the move leads to.
    pub(super) target: Slot,
}

/// The moves of a deletion game with the frame of their clauses; or why it is none that can be told.
pub(super) fn rewrite(program: &Program, id: GameId) -> Result<(Frame, Vec<Rewritten>), &'static str> {
    let game = &program.games[id.0];
    let [field] = &game.fields[..] else { return Err("the state is not one set") };
    if !matches!(field.kind, Kind::Set(_)) {
        return Err("the state is not one set");
    }
    crate::engines::decomposition::plain_rules(game)?;
    let mut proof = Proof {
        game,
        id,
        state: game.params.len(),
        reads: Reads::new(program, game),
        parts: HashSet::new(),
        frame: game.frame.clone(),
    };
    if game.filter.as_ref().is_some_and(|filter| proof.reads.any(filter)) {
        return Err("the header's `where` reads the state");
    }
    let moves = game.moves.iter().map(|mv| proof.rewrite(&mv.clauses, &mv.target)).collect::<Result<_, _>>()?;
    Ok((proof.frame, moves))
}

struct Proof<'p> {
    game: &'p Game,
    id: GameId,
    state: Slot,
    reads: Reads<'p>,
    /// Slots that hold parts of the state.
    parts: HashSet<Slot>,
    frame: Frame,
}

impl Proof<'_> {
    fn fresh(&mut self, ty: Type, span: Span) -> Slot {
        self.frame.slots.push(SlotInfo { name: "%need".to_string(), ty, span, lazy: None });
        self.frame.slots.len() - 1
    }

    fn rewrite(&mut self, clauses: &[Clause], target: &Target) -> Result<Rewritten, &'static str> {
        let mut new = Rewritten { clauses: Vec::new(), needs: Vec::new(), target: 0 };
        for clause in clauses {
            match clause {
                Clause::In { pattern, source, span } if self.reads.any(source) => {
                    if !self.is_part(source) && !self.is_edges(source) {
                        return Err("a move chooses from something else than what is left");
                    }
                    let ty = element(&source.ty).ok_or("a move chooses from something else than what is left")?;
                    let need = self.fresh(ty.clone(), *span);
                    let value = Term::new(TermKind::Slot(need), ty, *span);
                    let source = source.clone();
                    new.clauses.push(Clause::In { pattern: Pattern::Slot(need), source, span: *span });
                    if !matches!(pattern, Pattern::Ignore) {
                        new.clauses.push(Clause::Let { pattern: pattern.clone(), value });
                    }
                    new.needs.push(need);
                }
                Clause::Let { pattern, value } if self.reads.any(value) => {
                    let Pattern::Slot(slot) = pattern else { return Err("a name reads the state") };
                    if !self.is_part(value) {
                        return Err("a name reads the state");
                    }
                    self.reads.bind(*slot);
                    self.parts.insert(*slot);
                    new.clauses.push(clause.clone());
                }
                Clause::Where(condition) if self.reads.any(condition) => {
                    new.clauses.push(clause.clone());
                    let mut members = Vec::new();
                    self.members(condition, &mut members)?;
                    for member in members {
                        let need = self.fresh(member.ty.clone(), member.span);
                        new.clauses.push(Clause::Let { pattern: Pattern::Slot(need), value: member.clone() });
                        new.needs.push(need);
                    }
                }
                other => new.clauses.push(other.clone()),
            }
        }
        if new.needs.is_empty() {
            return Err("a move is there whatever is left");
        }
        let value = self.target(target)?;
        new.target = self.fresh(value.ty.clone(), value.span);
        new.clauses.push(Clause::Let { pattern: Pattern::Slot(new.target), value });
        Ok(new)
    }

    /// The terms that a condition wants to be left.
    fn members<'t>(&self, condition: &'t Term, out: &mut Vec<&'t Term>) -> Result<(), &'static str> {
        match &condition.kind {
            _ if !self.reads.any(condition) => Ok(()),
            TermKind::Logic(LogicOp::And, a, b) => {
                self.members(a, out)?;
                self.members(b, out)
            }
            TermKind::Compare(member, rest) => match &rest[..] {
                [(CompareOp::In, set)] if self.is_part(set) && !self.reads.any(member) => {
                    out.push(member);
                    Ok(())
                }
                _ => Err("a condition reads what is left"),
            },
            _ => Err("a condition reads what is left"),
        }
    }

    /// The state that a target leads to.
    fn target(&self, target: &Target) -> Result<Term, &'static str> {
        const ELSE: &str = "a move leads elsewhere than to a part of what is left";
        match target {
            Target::If(condition, yes, no) => {
                if self.reads.any(condition) {
                    return Err(ELSE);
                }
                let (yes, no) = (self.target(yes)?, self.target(no)?);
                let (ty, span) = (yes.ty.clone(), condition.span);
                Ok(Term::new(TermKind::If(Box::new(condition.clone()), Box::new(yes), Box::new(no)), ty, span))
            }
            Target::Go { again: false, position, gain: None } => {
                let TermKind::Place(place) = &position.kind else { return Err(ELSE) };
                match (&place.params, &place.fields[..]) {
                    (PlaceParams::Own, [Some(state)]) if place.game == self.id && self.is_part(state) => {
                        Ok(state.clone())
                    }
                    _ => Err(ELSE),
                }
            }
            Target::Go { .. } | Target::Stop(_) => Err(ELSE),
        }
    }

    /// Whether a term is a part of the state (see the module).
    fn is_part(&self, term: &Term) -> bool {
        match &term.kind {
            TermKind::Slot(slot) if *slot == self.state || self.parts.contains(slot) => true,
            TermKind::Slot(slot) => self.game.frame.slots[*slot].lazy.as_ref().is_some_and(|lazy| self.is_part(lazy)),
            TermKind::Adapt(inner) => self.is_part(inner) && element(&inner.ty) == element(&term.ty),
            TermKind::Items(Gather::Set, items) => items.is_empty(),
            TermKind::If(condition, yes, no) => !self.reads.any(condition) && self.is_part(yes) && self.is_part(no),
            TermKind::Binary(op, a, b) if matches!(term.ty, Type::Set(_)) => {
                let (part_a, part_b) = (self.is_part(a), self.is_part(b));
                match op {
                    BinaryOp::Sub => part_a && (part_b || !self.reads.any(b)),
                    BinaryOp::Meet => part_a && (part_b || !self.reads.any(b)) || part_b && !self.reads.any(a),
                    BinaryOp::Add | BinaryOp::Xor => part_a && part_b,
                    _ => false,
                }
            }
            TermKind::Comprehension(Gather::Set, value, clauses) => match &clauses[..] {
                [Clause::In { pattern, source, .. }, rest @ ..] => {
                    self.is_part(source)
                        && element(&source.ty) != Some(Type::Edge)
                        && restores(value, pattern)
                        && !self.reads.clauses(rest)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// `edges(g, T)`
    fn is_edges(&self, term: &Term) -> bool {
        match &term.kind {
            TermKind::Builtin(Builtin::Edges, args) => match &args[..] {
                [graph, vertices] => !self.reads.any(graph) && self.is_part(vertices),
                _ => false,
            },
            _ => false,
        }
    }
}

/// Whether a term is what a pattern took apart.
fn restores(term: &Term, pattern: &Pattern) -> bool {
    match (&term.kind, pattern) {
        (TermKind::Slot(a), Pattern::Slot(b)) => a == b,
        (TermKind::Tuple(parts), Pattern::Tuple(patterns, _)) => {
            parts.len() == patterns.len() && parts.iter().zip(patterns).all(|(t, p)| restores(t, p))
        }
        _ => false,
    }
}

/// The type of the members of a collection.
fn element(ty: &Type) -> Option<Type> {
    match ty {
        Type::Set(of) | Type::List(of) | Type::Bag(of) => Some((**of).clone()),
        _ => None,
    }
}
