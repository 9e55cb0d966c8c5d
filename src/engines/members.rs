//! Lists and bags whose members move alone: which rules say so (see [`crate::engines::decomposition`], *Members*).

use crate::engines::decomposition::{Reads, restores};
use crate::model::{
    BinaryOp, Builtin, Clause, Game, GameId, Kind, Move, Pattern, Program, Slot, Target, Term, TermKind, Type,
};
use num_traits::ToPrimitive;
use std::collections::HashSet;

/// Why the members of a field do not move alone by these moves, which change and read no other field that can change. `Ok`: they
/// do; and whether no move leaves more members than there were.
pub(super) fn move_alone(program: &Program, id: GameId, field: usize, moves: &[usize]) -> Result<bool, &'static str> {
    let game = &program.games[id.0];
    let reads = Reads::new(program, game);
    let list = game.params.len() + field;
    let first = match game.fields[field].kind {
        Kind::List(_, first) => Some(first),
        Kind::Bag(_) => None,
        _ => return Err("the state is no list and no bag"),
    };
    if game.filter.as_ref().is_some_and(|filter| reads.slots_of(filter).contains(&list)) {
        return Err("the header's `where` reads the whole state");
    }
    let deed = |&mv: &usize| Deed { game, reads: &reads, list, field, first, chosen: None }.check(&game.moves[mv]);
    moves.iter().try_fold(true, |keep, mv| Ok(deed(mv)? && keep))
}

/// How a move tells its member.
#[derive(Clone, Copy)]
enum Chosen<'p> {
    /// By its place in a list.
    Place(Slot),
    /// Itself, of a bag.
    Itself(&'p Pattern),
}

/// One move.
struct Deed<'p> {
    game: &'p Game,
    reads: &'p Reads<'p>,
    list: Slot,
    field: usize,
    /// The first place of a list; `None`: it is a bag.
    first: Option<i64>,
    chosen: Option<Chosen<'p>>,
}

impl<'p> Deed<'p> {
    fn check(mut self, mv: &'p Move) -> Result<bool, &'static str> {
        const TIED: &str = "a move reads more of the state than one member";
        for clause in &mv.clauses {
            match clause {
                Clause::In { pattern, source, .. } => {
                    let chosen = match pattern {
                        Pattern::Slot(slot) if self.is_places(source) => Some(Chosen::Place(*slot)),
                        _ if self.first.is_none() && self.is_list(source) => Some(Chosen::Itself(pattern)),
                        _ => None,
                    };
                    match chosen {
                        Some(_) if self.chosen.is_some() => return Err(TIED),
                        Some(_) => self.chosen = chosen,
                        None if self.is_free(source) => {}
                        None => return Err(TIED),
                    }
                }
                Clause::Let { value: term, .. } | Clause::Where(term) if !self.is_free(term) => return Err(TIED),
                Clause::Let { .. } | Clause::Where(_) => {}
            }
        }
        if self.chosen.is_none() {
            return Err("a move does not choose a member");
        }
        self.target(&mv.target)
    }

    fn target(&self, target: &Target) -> Result<bool, &'static str> {
        const ELSE: &str = "a move leads elsewhere than to the state with other members for one";
        match target {
            Target::If(condition, yes, no) if self.is_free(condition) => {
                let keeps = self.target(yes)?;
                Ok(self.target(no)? && keeps)
            }
            Target::Go { again: false, position, gain: None } => match &position.kind {
                TermKind::Place(place) => {
                    let state = place.fields[self.field].as_ref().ok_or(ELSE)?;
                    self.change(state).map(|change| !change.grows()).ok_or(ELSE)
                }
                _ => Err(ELSE),
            },
            _ => Err(ELSE),
        }
    }

    /// What a term makes of the state. `None`: it may do something else than to take the chosen member out, once at most, and to
    /// put members in.
    fn change(&self, term: &Term) -> Option<Change> {
        match &term.kind {
            TermKind::Slot(slot) if *slot == self.list => Some(Change::default()),
            TermKind::Adapt(inner) | TermKind::Coerce(inner, _) if is_ordered(&inner.ty) && is_ordered(&term.ty) => {
                self.change(inner)
            }
            TermKind::If(condition, yes, no) if self.is_free(condition) => {
                let (yes, no) = (self.change(yes)?, self.change(no)?);
                // Where one takes it out and the other does not, it may be there.
                let most =
                    yes.put.saturating_sub(usize::from(yes.taken)).max(no.put.saturating_sub(usize::from(no.taken)));
                let taken = yes.taken || no.taken;
                Some(Change { taken, put: most + usize::from(taken) })
            }
            TermKind::Builtin(Builtin::Sort | Builtin::Reverse, args) => match &args[..] {
                [inner] => self.change(inner),
                _ => None,
            },
            TermKind::Update(base, changes, None) => match (&changes[..], self.is_list(base)) {
                ([change], true) if self.is_place(&change.index, 0) && self.is_free(&change.value) => {
                    Some(Change { taken: true, put: 1 })
                }
                _ => None,
            },
            TermKind::Binary(BinaryOp::Sub, from, one) if matches!(term.ty, Type::Bag(_)) && self.is_itself(one) => {
                self.change(from).filter(|change| !change.taken).map(|change| Change { taken: true, ..change })
            }
            TermKind::Binary(BinaryOp::Add, ..) if is_ordered(&term.ty) => {
                let mut parts = Vec::new();
                sum(term, &mut parts);
                let (free, state): (Vec<&Term>, Vec<&Term>) = parts.into_iter().partition(|part| self.is_free(part));
                let change = match state[..] {
                    [part] if !matches!(part.kind, TermKind::Binary(BinaryOp::Add, ..)) => self.change(part)?,
                    [a, b] if self.is_rest(a, b) || self.is_rest(b, a) => Change { taken: true, put: 0 },
                    _ => return None,
                };
                let put = free.into_iter().map(most).fold(change.put, usize::saturating_add);
                Some(Change { put, ..change })
            }
            _ => None,
        }
    }

    /// `L[..i - 1]` and `L[i + 1..]`
    fn is_rest(&self, before: &Term, after: &Term) -> bool {
        match (&before.kind, &after.kind) {
            (TermKind::Slice(a, None, Some(to)), TermKind::Slice(b, Some(from), None)) => {
                self.is_list(a) && self.is_list(b) && self.is_place(to, -1) && self.is_place(from, 1)
            }
            _ => false,
        }
    }

    /// The whole state, its order apart.
    fn is_list(&self, term: &Term) -> bool {
        match &term.kind {
            TermKind::Slot(slot) => *slot == self.list,
            TermKind::Adapt(inner) => is_ordered(&inner.ty) && is_ordered(&term.ty) && self.is_list(inner),
            _ => false,
        }
    }

    /// All places of the list.
    fn is_places(&self, term: &Term) -> bool {
        let Some(first) = self.first else { return false };
        match &term.kind {
            TermKind::Builtin(Builtin::Indices, args) => matches!(&args[..], [list] if self.is_list(list)),
            TermKind::Binary(BinaryOp::Range, from, to) => is_int(from, first) && self.is_size(to, first - 1),
            _ => false,
        }
    }

    /// The size and so many more.
    fn is_size(&self, term: &Term, more: i64) -> bool {
        match &term.kind {
            TermKind::Builtin(Builtin::Size, args) => more == 0 && matches!(&args[..], [list] if self.is_list(list)),
            TermKind::Binary(BinaryOp::Sub, size, less) => is_int(less, -more) && self.is_size(size, 0),
            _ => false,
        }
    }

    /// The chosen place and so many more.
    fn is_place(&self, term: &Term, more: i64) -> bool {
        match &term.kind {
            TermKind::Slot(slot) => more == 0 && matches!(self.chosen, Some(Chosen::Place(place)) if place == *slot),
            TermKind::Binary(BinaryOp::Sub, place, less) => more < 0 && is_int(less, -more) && self.is_place(place, 0),
            TermKind::Binary(BinaryOp::Add, place, m) => more > 0 && is_int(m, more) && self.is_place(place, 0),
            _ => false,
        }
    }

    /// `[x]` with the chosen member.
    fn is_itself(&self, term: &Term) -> bool {
        match (&term.kind, self.chosen) {
            (TermKind::Adapt(inner), _) => is_ordered(&inner.ty) && self.is_itself(inner),
            (TermKind::Items(_, items), Some(Chosen::Itself(pattern))) => {
                matches!(&items[..], [item] if !item.spread && restores(&item.term, pattern))
            }
            _ => false,
        }
    }

    /// Whether a term reads no more of the state than the chosen member, and its place for nothing else.
    fn is_free(&self, term: &Term) -> bool {
        let (mut todo, mut lazies) = (vec![term], HashSet::new());
        while let Some(term) = todo.pop() {
            match &term.kind {
                TermKind::Index(list, place) if self.is_list(list) && self.is_place(place, 0) => continue,
                TermKind::Slot(slot) if *slot == self.list || self.is_place(term, 0) => return false,
                TermKind::Slot(slot) => {
                    if let Some(lazy) = &self.game.frame.slots[*slot].lazy
                        && lazies.insert(*slot)
                    {
                        todo.push(lazy);
                    }
                }
                TermKind::Call(def, _) if self.reads.slots_of_def(*def).contains(&self.list) => return false,
                _ => {}
            }
            crate::model::walk::each_part(term, &mut |part| todo.push(part));
        }
        true
    }
}

/// What becomes of the chosen member.
#[derive(Clone, Copy, Default)]
struct Change {
    /// Whether it may be taken out.
    taken: bool,
    /// How many members are put in at most, where it is taken out.
    put: usize,
}

impl Change {
    /// Whether there may be more members than before.
    fn grows(self) -> bool {
        self.put > usize::from(self.taken)
    }
}

/// How many members a list or bag has at most, as far as it is written there.
fn most(term: &Term) -> usize {
    match &term.kind {
        TermKind::Adapt(inner) => most(inner),
        TermKind::Items(_, items) if items.iter().all(|item| !item.spread) => items.len(),
        _ => usize::MAX,
    }
}

/// What a sum of lists or bags is made of.
fn sum<'t>(term: &'t Term, parts: &mut Vec<&'t Term>) {
    let mut todo = vec![term];
    while let Some(term) = todo.pop() {
        match &term.kind {
            TermKind::Binary(BinaryOp::Add, a, b) => todo.extend([&**b, &**a]),
            TermKind::Adapt(inner)
                if is_ordered(&inner.ty) && matches!(inner.kind, TermKind::Binary(BinaryOp::Add, ..)) =>
            {
                todo.push(inner);
            }
            _ => parts.push(term),
        }
    }
}

/// A list or a bag, where each member counts.
fn is_ordered(ty: &Type) -> bool {
    matches!(ty, Type::List(_) | Type::Bag(_))
}

fn is_int(term: &Term, n: i64) -> bool {
    matches!(&term.kind, TermKind::Int(m) if m.to_i64() == Some(n))
}
