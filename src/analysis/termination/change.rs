//! What a move does to a measure of a field, as its line shows.

use crate::analysis::termination::number::Was;
use crate::model::kind::Kind;
use crate::model::{BinaryOp, Clause, CompareOp, Game, Item, Move, Pattern, Slot, Term, TermKind};
use crate::syntax::tree::SetOp;

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
    pub(super) fn worse(self, other: Change) -> Change {
        if self.rank() >= other.rank() { self } else { other }
    }

    /// What holds when both do.
    pub(super) fn better(self, other: Change) -> Change {
        if self.rank() <= other.rank() { self } else { other }
    }
}

/// What counts of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Counted {
    /// A number itself, the sum of a list, the size of a set.
    Plain,
    /// What a set of vertices or edges lacks.
    Lack,
    /// The sum of a set or bag of numbers.
    Sum,
}

/// A measure: a field, and what counts of it.
pub(super) type Measure = (usize, Counted);

/// A move of a game, looked at.
#[derive(Clone, Copy)]
pub(super) struct Look<'p> {
    pub(super) game: &'p Game,
    pub(super) mv: &'p Move,
}

impl<'p> Look<'p> {
    pub(super) fn change(self, (field, counted): Measure, fields: &'p [Option<Term>]) -> Change {
        let Some(Some(term)) = fields.get(field) else { return Change::Anything };
        let slot = self.game.params.len() + field;
        match (&self.game.fields[field].kind, counted) {
            (Kind::Set(of), Counted::Lack) if self.is_of_fixed_graph(of) => self.grows(slot, term),
            (Kind::Set(of) | Kind::Bag(of), Counted::Sum) if matches!(**of, Kind::Nat) => self.sum(slot, term),
            (Kind::Nat, Counted::Plain) => self.number(Was::Name(slot), term),
            (Kind::Set(_), Counted::Plain) => self.set(slot, term),
            (Kind::List(of, _), Counted::Plain) if matches!(**of, Kind::Nat) => self.list(slot, term),
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
    pub(super) fn meant(self, term: &'p Term) -> &'p Term {
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

    fn list(self, slot: Slot, term: &'p Term) -> Change {
        let term = self.meant(term);
        match &term.kind {
            TermKind::Slot(s) if *s == slot => Change::NotUp,
            TermKind::Update(of, changes, None) if self.is(slot, of) && !changes.is_empty() => {
                let by = changes.iter().map(|change| match (change.op, &self.meant(&change.index).kind) {
                    (SetOp::Remove, _) => self.by(&change.value),
                    (SetOp::Put, TermKind::Slot(place)) => self.number(Was::Item(slot, *place), &change.value),
                    _ => Change::Anything,
                });
                // None goes up; one that goes down is enough, unless one that is put may stand in the same place.
                let by: Vec<Change> = by.collect();
                let put_back =
                    changes.iter().zip(&by).any(|(change, by)| change.op == SetOp::Put && *by != Change::Down);
                if by.contains(&Change::Anything) {
                    Change::Anything
                } else if put_back {
                    Change::NotUp
                } else {
                    by.into_iter().fold(Change::NotUp, Change::better)
                }
            }
            // A part of a list of naturals.
            TermKind::Slice(of, _, _) => self.list(slot, of),
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

    /// The sum of a set or bag of naturals: less of it, or one member in the place of a greater one.
    fn sum(self, slot: Slot, term: &'p Term) -> Change {
        let term = self.meant(term);
        match &term.kind {
            TermKind::Slot(s) if *s == slot => Change::NotUp,
            TermKind::Binary(BinaryOp::Sub, a, b) => match self.exchanged(slot, b, a) {
                Change::Anything => self.sum(slot, a),
                change => change,
            },
            TermKind::Binary(BinaryOp::Add, a, b) => match &self.meant(a).kind {
                TermKind::Binary(BinaryOp::Sub, all, taken) if self.is(slot, all) => self.in_place_of(slot, taken, b),
                _ => Change::Anything,
            },
            TermKind::Binary(BinaryOp::Meet, a, b) => self.sum(slot, a).better(self.sum(slot, b)),
            _ => Change::Anything,
        }
    }

    /// The sum of what is there and what comes, without what is taken.
    fn exchanged(self, slot: Slot, taken: &'p Term, with: &'p Term) -> Change {
        match &self.meant(with).kind {
            TermKind::Binary(BinaryOp::Add, all, comes) if self.is(slot, all) => self.in_place_of(slot, taken, comes),
            _ => Change::Anything,
        }
    }

    /// The sum when this comes in the place of that; both are of one member.
    fn in_place_of(self, slot: Slot, taken: &'p Term, comes: &'p Term) -> Change {
        match (self.single(taken), self.only(comes)) {
            (Some(member), Some(comes)) if self.is_member(slot, member) => self.number(Was::Name(member), comes),
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
        self.only(term).and_then(|term| if let TermKind::Slot(slot) = term.kind { Some(slot) } else { None })
    }

    /// The term in `{E}`, or in `[E]` where a set or bag is asked.
    fn only(self, term: &'p Term) -> Option<&'p Term> {
        let mut term = self.meant(term);
        while let TermKind::Adapt(inner) = &term.kind {
            term = inner;
        }
        match &term.kind {
            TermKind::Items(_, items) => match &items[..] {
                [Item { term, spread: false }] => Some(term),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn sources(self, slot: Slot) -> impl Iterator<Item = &'p Term> {
        self.mv.clauses.iter().filter_map(move |clause| match clause {
            Clause::In { pattern: Pattern::Slot(s), source, .. } if *s == slot => Some(source),
            _ => None,
        })
    }

    /// Whether `v` is a member of the set in `slot`, by what it runs through.
    pub(super) fn is_member(self, slot: Slot, v: Slot) -> bool {
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
}
