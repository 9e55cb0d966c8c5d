//! Whether a number of a move is below one of the position before it.

use crate::analysis::termination::change::{Change, Look};
use crate::model::builtin::Builtin;
use crate::model::kind::Kind;
use crate::model::{BinaryOp, Clause, CompareOp, Slot, Term, TermKind};
use num_bigint::BigInt;

/// A natural number of the position before the move.
#[derive(Clone, Copy, Debug)]
pub(super) enum Was {
    /// A field, or a name for a member of one.
    Name(Slot),
    /// The item of this list in this place, which is a name.
    Item(Slot, Slot),
}

impl<'p> Look<'p> {
    fn is_what_was(self, was: Was, term: &'p Term) -> bool {
        match (was, &self.meant(term).kind) {
            (Was::Name(name), TermKind::Slot(slot)) => name == *slot,
            (Was::Item(list, place), TermKind::Index(of, index)) => self.is(list, of) && self.is(place, index),
            _ => false,
        }
    }

    /// How a number compares with what was.
    pub(super) fn number(self, was: Was, term: &'p Term) -> Change {
        let term = self.meant(term);
        if self.is_what_was(was, term) {
            return Change::NotUp;
        }
        match &term.kind {
            TermKind::Binary(BinaryOp::Sub, a, b) if self.is_what_was(was, a) => self.by(b),
            TermKind::If(_, yes, no) => self.number(was, yes).worse(self.number(was, no)),
            TermKind::Slot(binder) => {
                self.sources(*binder).map(|source| self.among(was, source)).fold(Change::Anything, Change::better)
            }
            TermKind::Int(n) => match self.floor(was) {
                Some(least) if least > *n => Change::Down,
                Some(least) if least == *n => Change::NotUp,
                _ => Change::Anything,
            },
            _ => Change::Anything,
        }
    }

    /// How every number of a range or slide compares with what was.
    fn among(self, was: Was, source: &'p Term) -> Change {
        match &source.kind {
            TermKind::Binary(BinaryOp::Range, _, to) => self.bound(was, to),
            // Down from it, the start left out.
            TermKind::Builtin(Builtin::Slide, args) => match &args[..] {
                [from, Term { kind: TermKind::Int(to), .. }, _]
                    if self.is_what_was(was, from) && self.floor(was).is_some_and(|least| least >= *to) =>
                {
                    Change::Down
                }
                _ => Change::Anything,
            },
            _ => Change::Anything,
        }
    }

    /// What is known of a number that is no more than this.
    fn bound(self, was: Was, term: &'p Term) -> Change {
        if self.is_what_was(was, term) {
            return Change::NotUp;
        }
        match &term.kind {
            TermKind::Binary(BinaryOp::Sub, a, b) if self.is_what_was(was, a) => self.by(b),
            TermKind::Builtin(Builtin::Min, args) => {
                args.iter().map(|arg| self.bound(was, arg)).fold(Change::Anything, Change::better)
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

    /// A number that what was is not below.
    fn floor(self, was: Was) -> Option<BigInt> {
        match was {
            Was::Name(slot) => self.floor_of_name(slot),
            Was::Item(..) => Some(BigInt::from(0)),
        }
    }

    fn floor_of_name(self, slot: Slot) -> Option<BigInt> {
        let declared = self.declared(slot).filter(|kind| matches!(kind, Kind::Nat)).map(|_| BigInt::from(0));
        let from = self.sources(slot).find_map(|source| match &source.kind {
            TermKind::Binary(BinaryOp::Range, from, _) => match &from.kind {
                TermKind::Int(n) => Some(n.clone()),
                _ => None,
            },
            _ => None,
        });
        self.said(slot).into_iter().chain(from).chain(declared).chain(self.member_of_naturals(slot)).max()
    }

    fn declared(self, slot: Slot) -> Option<&'p Kind> {
        self.game.params.iter().chain(&self.game.fields).nth(slot).map(|field| &field.kind)
    }

    /// For a member of a field that is a set, list or bag of naturals: 1 where the game has no 0 in it, else 0.
    fn member_of_naturals(self, member: Slot) -> Option<BigInt> {
        let first = self.game.params.len();
        let of = (first..first + self.game.fields.len()).find(|&slot| {
            let naturals = match self.declared(slot) {
                Some(Kind::Set(of) | Kind::Bag(of) | Kind::List(of, _)) => matches!(**of, Kind::Nat),
                _ => false,
            };
            naturals && self.is_member(slot, member)
        })?;
        let without = |term: &Term| match &term.kind {
            TermKind::Compare(left, rest) => match (&left.kind, &rest[..]) {
                (TermKind::Int(n), [(CompareOp::NotIn, Term { kind: TermKind::Slot(slot), .. })]) => {
                    *n == BigInt::from(0) && *slot == of
                }
                _ => false,
            },
            _ => false,
        };
        Some(BigInt::from(i32::from(self.game.filter.as_ref().is_some_and(without))))
    }

    /// A number that an int is not below.
    fn least(self, term: &'p Term) -> Option<BigInt> {
        let term = self.meant(term);
        match &term.kind {
            TermKind::Int(n) => Some(n.clone()),
            TermKind::Slot(slot) => self.floor_of_name(*slot),
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
