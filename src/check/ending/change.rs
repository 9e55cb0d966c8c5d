//! What a move does to a measure of a field, as its line shows.

use crate::check::builtin::Builtin;
use crate::check::kind::Kind;
use crate::check::model::{BinaryOp, Clause, CompareOp, Game, Gather, Item, Move, Pattern, Slot, Term, TermKind};
use crate::syntax::tree::SetOp;
use num_bigint::BigInt;

/// What a move does to a measure of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Down,
    NotUp,
    Anything,
}

impl Change {
    fn rank(self) -> u8 {
        match self {
            Change::Down => 0,
            Change::NotUp => 1,
            Change::Anything => 2,
        }
    }

    /// What holds when one of two holds, not known which.
    fn worse(self, other: Change) -> Change {
        if self.rank() >= other.rank() { self } else { other }
    }

    fn better(self, other: Change) -> Change {
        if self.rank() <= other.rank() { self } else { other }
    }
}

/// A measure: a field, and whether what it lacks counts.
pub(super) type Measure = (usize, bool);

/// A move of a game, looked at.
#[derive(Clone, Copy)]
pub(super) struct Look<'p> {
    pub(super) game: &'p Game,
    pub(super) mv: &'p Move,
}

impl<'p> Look<'p> {
    pub(super) fn change(self, (field, lack): Measure, fields: &'p [Option<Term>]) -> Change {
        let Some(Some(term)) = fields.get(field) else { return Change::Anything };
        let slot = self.game.params.len() + field;
        match &self.game.fields[field].kind {
            Kind::Set(of) if lack && self.is_of_fixed_graph(of) => self.grows(slot, term),
            _ if lack => Change::Anything,
            Kind::Nat => self.number(slot, term),
            Kind::Set(_) => self.set(slot, term),
            Kind::List(of, _) if matches!(**of, Kind::Nat) => self.list(slot, term),
            // Nothing but staying the same is known.
            _ => Change::Anything,
        }
    }

    /// Whether this is a vertex or edge of a graph that no move changes: a rule parameter, or one named at top level.
    fn is_of_fixed_graph(self, kind: &Kind) -> bool {
        let (Kind::Vertex(Some(graph)) | Kind::Edge(Some(graph))) = kind else { return false };
        let mut graph: &Term = graph;
        while let TermKind::Adapt(inner) | TermKind::Coerce(inner, _) = &graph.kind {
            graph = inner;
        }
        match graph.kind {
            TermKind::Slot(slot) => slot < self.game.params.len(),
            TermKind::Global(_) | TermKind::Drawing(_) => true,
            _ => false,
        }
    }

    /// The term that a name stands for.
    fn meant(self, term: &'p Term) -> &'p Term {
        let mut term = term;
        // A chain of names is no longer than the clauses.
        for _ in 0..=self.mv.clauses.len() {
            term = match &term.kind {
                TermKind::Coerce(inner, _) => inner,
                TermKind::Slot(slot) => match self.named(*slot) {
                    Some(value) => value,
                    None => return term,
                },
                _ => return term,
            };
        }
        term
    }

    fn named(self, slot: Slot) -> Option<&'p Term> {
        self.mv.clauses.iter().find_map(|clause| match clause {
            Clause::Let { pattern: Pattern::Slot(s), value } if *s == slot => Some(value),
            _ => None,
        })
    }

    pub(super) fn is(self, slot: Slot, term: &'p Term) -> bool {
        matches!(self.meant(term).kind, TermKind::Slot(s) if s == slot)
    }

    fn number(self, slot: Slot, term: &'p Term) -> Change {
        let term = self.meant(term);
        match &term.kind {
            TermKind::Slot(s) if *s == slot => Change::NotUp,
            TermKind::Binary(BinaryOp::Sub, a, b) if self.is(slot, a) => self.by(b),
            TermKind::If(_, yes, no) => self.number(slot, yes).worse(self.number(slot, no)),
            // No more than what it is chosen up to.
            TermKind::Slot(binder) => {
                let up_to = |source: &'p Term| match &source.kind {
                    TermKind::Binary(BinaryOp::Range, _, to) => self.bound(slot, to),
                    _ => Change::Anything,
                };
                self.sources(*binder).map(up_to).fold(Change::Anything, Change::better)
            }
            TermKind::Int(n) => match self.said(slot) {
                Some(least) if least > *n => Change::Down,
                Some(least) if least == *n => Change::NotUp,
                // The field is a nat.
                _ if *n == BigInt::from(0) => Change::NotUp,
                _ => Change::Anything,
            },
            _ => Change::Anything,
        }
    }

    /// What is known of a number that is no more than this.
    fn bound(self, slot: Slot, term: &'p Term) -> Change {
        match &term.kind {
            TermKind::Slot(s) if *s == slot => Change::NotUp,
            TermKind::Binary(BinaryOp::Sub, a, b) if self.is(slot, a) => self.by(b),
            TermKind::Builtin(Builtin::Min, args) => {
                args.iter().map(|arg| self.bound(slot, arg)).fold(Change::Anything, Change::better)
            }
            _ => Change::Anything,
        }
    }

    /// The change by taking this much away.
    pub(super) fn by(self, term: &'p Term) -> Change {
        match self.least(term) {
            Some(least) if least >= BigInt::from(1) => Change::Down,
            Some(least) if least >= BigInt::from(0) => Change::NotUp,
            _ => Change::Anything,
        }
    }

    fn list(self, slot: Slot, term: &'p Term) -> Change {
        let term = self.meant(term);
        match &term.kind {
            TermKind::Slot(s) if *s == slot => Change::NotUp,
            TermKind::Update(of, changes, None) if self.is(slot, of) && !changes.is_empty() => {
                let by = changes.iter().map(|change| match change.op {
                    SetOp::Remove => self.by(&change.value),
                    _ => Change::Anything,
                });
                // None goes up; one that goes down is enough.
                let by: Vec<Change> = by.collect();
                if by.contains(&Change::Anything) {
                    Change::Anything
                } else {
                    by.into_iter().fold(Change::NotUp, Change::better)
                }
            }
            _ => Change::Anything,
        }
    }

    fn set(self, slot: Slot, term: &'p Term) -> Change {
        let term = self.meant(term);
        match &term.kind {
            TermKind::Slot(s) if *s == slot => Change::NotUp,
            TermKind::Binary(BinaryOp::Sub, a, b) => match self.set(slot, a) {
                Change::NotUp if self.single(b).is_some_and(|v| self.is_member(slot, v)) && self.is(slot, a) => {
                    Change::Down
                }
                change => change,
            },
            TermKind::Binary(BinaryOp::Meet, a, b) => self.set(slot, a).better(self.set(slot, b)),
            _ => Change::Anything,
        }
    }

    /// What a set lacks becomes less when something comes to it.
    fn grows(self, slot: Slot, term: &'p Term) -> Change {
        let term = self.meant(term);
        match &term.kind {
            TermKind::Slot(s) if *s == slot => Change::NotUp,
            TermKind::Binary(BinaryOp::Add, a, b) if self.is(slot, a) => {
                if self.single(b).is_some_and(|v| self.is_absent(slot, v)) { Change::Down } else { Change::NotUp }
            }
            _ => Change::Anything,
        }
    }

    /// The name in `{v}`.
    fn single(self, term: &'p Term) -> Option<Slot> {
        match &self.meant(term).kind {
            TermKind::Items(Gather::Set, items) => match &items[..] {
                [Item { term: Term { kind: TermKind::Slot(slot), .. }, spread: false }] => Some(*slot),
                _ => None,
            },
            _ => None,
        }
    }

    fn sources(self, slot: Slot) -> impl Iterator<Item = &'p Term> {
        self.mv.clauses.iter().filter_map(move |clause| match clause {
            Clause::In { pattern: Pattern::Slot(s), source, .. } if *s == slot => Some(source),
            _ => None,
        })
    }

    /// Whether `v` is a member of the set in `slot`, by what it runs through.
    fn is_member(self, slot: Slot, v: Slot) -> bool {
        fn within(slot: Slot, term: &Term, depth: u32) -> bool {
            match &term.kind {
                TermKind::Slot(s) => *s == slot,
                TermKind::Adapt(inner) if depth > 0 => within(slot, inner, depth - 1),
                TermKind::Binary(BinaryOp::Meet, a, b) if depth > 0 => {
                    within(slot, a, depth - 1) || within(slot, b, depth - 1)
                }
                TermKind::Binary(BinaryOp::Sub, a, _) if depth > 0 => within(slot, a, depth - 1),
                _ => false,
            }
        }
        self.sources(v).any(|source| within(slot, source, 8))
    }

    /// Whether `v` is no member of the set in `slot`, by what it runs through.
    fn is_absent(self, slot: Slot, v: Slot) -> bool {
        let taken_out = |source: &'p Term| matches!(&self.meant(source).kind, TermKind::Binary(BinaryOp::Sub, _, b) if self.is(slot, b));
        let said = self.mv.clauses.iter().any(|clause| match clause {
            Clause::Where(Term { kind: TermKind::Compare(left, rest), .. }) => match &rest[..] {
                [(CompareOp::NotIn, right)] => self.is(v, left) && self.is(slot, right),
                _ => false,
            },
            _ => false,
        });
        said || self.sources(v).any(taken_out)
    }

    /// A number that an int is not below.
    fn least(self, term: &'p Term) -> Option<BigInt> {
        let term = self.meant(term);
        match &term.kind {
            TermKind::Int(n) => Some(n.clone()),
            TermKind::Slot(slot) => {
                let of = self.game.params.iter().chain(&self.game.fields).nth(*slot);
                let declared = of.filter(|field| matches!(field.kind, Kind::Nat)).map(|_| BigInt::from(0));
                let from = self.sources(*slot).find_map(|source| match &source.kind {
                    TermKind::Binary(BinaryOp::Range, from, _) => match &from.kind {
                        TermKind::Int(n) => Some(n.clone()),
                        _ => None,
                    },
                    _ => None,
                });
                self.said(*slot).into_iter().chain(from).chain(declared).max()
            }
            TermKind::Binary(BinaryOp::Add, a, b) => match (&a.kind, &b.kind) {
                (TermKind::Int(n), TermKind::Slot(_)) => Some(n + self.least(b)?),
                (TermKind::Slot(_), TermKind::Int(n)) => Some(n + self.least(a)?),
                _ => None,
            },
            _ => None,
        }
    }

    /// The greatest `c` in conditions `name > c - 1` and `name >= c` of the move.
    fn said(self, slot: Slot) -> Option<BigInt> {
        let of = |clause: &'p Clause| {
            let Clause::Where(Term { kind: TermKind::Compare(left, rest), .. }) = clause else { return None };
            let [(op, Term { kind: TermKind::Int(n), .. })] = &rest[..] else { return None };
            match (op, &left.kind) {
                (CompareOp::Gt, TermKind::Slot(s)) if *s == slot => Some(n + 1),
                (CompareOp::Ge, TermKind::Slot(s)) if *s == slot => Some(n.clone()),
                _ => None,
            }
        };
        self.mv.clauses.iter().filter_map(of).max()
    }
}
