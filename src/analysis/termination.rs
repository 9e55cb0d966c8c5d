//! Whether every play of a game ends after finitely many moves without a draw, read off its rules.
//!
//! Each move must make the fields smaller in some lexicographic order (a lexicographic ranking function found greedily:
//! A. Bradley, Z. Manna, H. Sipma, "Linear ranking with reachability", CAV 2005, section 4), where a number counts as
//! itself, a list of numbers as their sum, a set as its size, a set of vertices or edges also as what it lacks, a set or bag of
//! numbers also as their sum. What the rules do not show in so many words counts as anything.

use crate::model::walk::bare;
use crate::model::{
    BinaryOp, Builtin, Clause, CompareOp, Ending, Game, GameId, Gather, Item, Kind, Move, Pattern, PlaceParams,
    Program, Slot, Target, Term, TermKind,
};
use crate::syntax::tree::{Outcome, SetOp};
use num_bigint::BigInt;

/// What a move does to a measure of a field, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Down,
    NotUp,
    Anything,
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

pub(super) type Measure = (usize, Counted);

#[derive(Clone, Copy)]
pub(super) struct Look<'p> {
    pub(super) game: &'p Game,
    pub(super) mv: &'p Move,
}

/// A natural number of the position before the move.
#[derive(Clone, Copy, Debug)]
pub(super) enum Was {
    /// A field, or a name for a member of one.
    Name(Slot),
    /// The item of this list in this place, which is a name.
    Item(Slot, Slot),
}

impl Change {
    /// What holds when one of two holds, not known which.
    pub(super) fn worse(self, other: Change) -> Change {
        if self as u8 >= other as u8 { self } else { other }
    }

    /// What holds when both do.
    pub(super) fn better(self, other: Change) -> Change {
        if self as u8 <= other as u8 { self } else { other }
    }
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
        match bare(graph).kind {
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
        let TermKind::Items(_, items) = &term.kind else { return None };
        if let [Item { term, spread: false }] = &items[..] { Some(term) } else { None }
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
        let said = self.mv.clauses.iter().any(|clause| {
            let Clause::Where(Term { kind: TermKind::Compare(left, rest), .. }) = clause else { return false };
            matches!(&rest[..], [(CompareOp::NotIn, right)] if self.is(v, left) && self.is(slot, right))
        });
        said || self.sources(v).any(taken_out)
    }

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
            TermKind::Builtin(Builtin::Min, args) => {
                args.iter().map(|arg| self.number(was, arg)).fold(Change::Anything, Change::better)
            }
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
            TermKind::Binary(BinaryOp::Range, _, to) => self.number(was, to),
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
        let from = self.sources(slot).find_map(|source| {
            let TermKind::Binary(BinaryOp::Range, from, _) = &source.kind else { return None };
            if let TermKind::Int(n) = &from.kind { Some(n.clone()) } else { None }
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
            let Some(Kind::Set(of) | Kind::Bag(of) | Kind::List(of, _)) = self.declared(slot) else { return false };
            matches!(**of, Kind::Nat) && self.is_member(slot, member)
        })?;
        let without = |term: &Term| {
            let TermKind::Compare(left, rest) = &term.kind else { return false };
            let [(CompareOp::NotIn, Term { kind: TermKind::Slot(slot), .. })] = &rest[..] else { return false };
            *slot == of && matches!(&left.kind, TermKind::Int(n) if *n == BigInt::from(0))
        };
        Some(BigInt::from(i32::from(self.game.filter.as_ref().is_some_and(without))))
    }

    /// A number that an int is not below.
    fn least(self, term: &'p Term) -> Option<BigInt> {
        let term = self.meant(term);
        match &term.kind {
            TermKind::Int(n) => Some(n.clone()),
            TermKind::Slot(slot) => self.floor_of_name(*slot),
            TermKind::Binary(BinaryOp::Add, a, b) => Some(self.least(a)? + self.least(b)?),
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

/// Whether no play of a game goes on for ever or is drawn, by a proof from its rules; `false` says nothing.
///
/// Linear in the rules, times the fields.
pub fn always_ends(program: &Program, game: GameId) -> bool {
    let comes_back = |id: GameId| {
        let mut next = program.games[id.0].successors.iter().filter(|&&next| next != id);
        next.any(|&next| reached(program, next).contains(&id))
    };
    reached(program, game).into_iter().all(|id| ends_alone(program, id) && !comes_back(id))
}

/// A game, and the games that its moves lead to in the end.
pub(crate) fn reached(program: &Program, game: GameId) -> Vec<GameId> {
    let mut met = vec![game];
    let mut at = 0;
    while let Some(id) = met.get(at).copied() {
        for &next in &program.games[id.0].successors {
            if !met.contains(&next) {
                met.push(next);
            }
        }
        at += 1;
    }
    met
}

/// Whether the moves within a game come to an end.
fn ends_alone(program: &Program, id: GameId) -> bool {
    let game = &program.games[id.0];
    let drawn = |ending: &Ending<Term>| matches!(ending, Ending::Play(Outcome::Draw) | Ending::Score(_));
    if !game.same.is_empty() || game.ends.iter().any(|end| drawn(&end.verdict)) {
        return false;
    }
    let mut steps: Vec<(&Move, &[Option<Term>])> = Vec::new();
    for mv in &game.moves {
        if !places(&mv.target, id, &mut |fields| steps.push((mv, fields))) {
            return false;
        }
    }
    let all = [Counted::Plain, Counted::Lack, Counted::Sum];
    let mut measures: Vec<Measure> = (0..game.fields.len()).flat_map(|i| all.map(|counted| (i, counted))).collect();
    while !steps.is_empty() {
        let look = |measure: Measure, (mv, fields): (&Move, &[Option<Term>])| Look { game, mv }.change(measure, fields);
        let found = measures.iter().position(|&measure| {
            let changes = || steps.iter().map(|&step| look(measure, step));
            changes().all(|change| change != Change::Anything) && changes().any(|change| change == Change::Down)
        });
        let Some(found) = found else { return false };
        let measure = measures.remove(found);
        steps.retain(|&step| look(measure, step) != Change::Down);
    }
    true
}

/// Hands on the fields of every component of this game that a target leads to; `false` when some are not known.
fn places<'p>(target: &'p Target, id: GameId, each: &mut impl FnMut(&'p [Option<Term>])) -> bool {
    match target {
        Target::If(_, yes, no) => places(yes, id, each) && places(no, id, each),
        Target::Stop(outcome) => *outcome != Outcome::Draw,
        Target::Go { gain: Some(_), .. } => false,
        Target::Go { position, .. } => {
            let mut todo = vec![position];
            while let Some(term) = todo.pop() {
                match &term.kind {
                    TermKind::Place(place) if place.game != id => {}
                    TermKind::Place(place) if matches!(place.params, PlaceParams::Own) => each(&place.fields),
                    TermKind::Binary(BinaryOp::Add, a, b) | TermKind::If(_, a, b) => todo.extend([&**a, &**b]),
                    TermKind::Misere(inner) => todo.push(inner),
                    TermKind::Builtin(Builtin::Sum, args) => match &args[..] {
                        [Term { kind: TermKind::Comprehension(Gather::List, value, _), .. }] => todo.push(value),
                        _ => return false,
                    },
                    _ => return false,
                }
            }
            true
        }
    }
}
