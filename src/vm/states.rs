//! Many states of one game at once, a column for each field: what terms say of them, and moves given by their binders. Only
//! states of ints, and games without `end when`, `legal when` and `same as` lines.
//!
//! As everywhere in [`column`](crate::vm::column) `None` says that one state or another is unusual: then they go one by one.

use crate::model::{
    Clause, Field, Frame, Game, GameId, GlobalId, GlobalSource, Pattern, Place, PlaceParams, Program, Slot, Target,
    Term, TermKind,
};
use crate::value::Value;
use crate::vm::column::{Column, Lanes, Names, Unfolded};
use crate::vm::context::Context;
use crate::words::floors::Floors;
use std::sync::Arc;

/// See the module.
#[derive(Debug)]
pub struct States {
    /// Their game.
    pub game: GameId,
    /// The rule parameters of all of them.
    pub params: Arc<[Value]>,
    /// Their fields in order.
    pub fields: Vec<Vec<i64>>,
    /// How many there are.
    pub count: usize,
}

/// The moves of one line that exist from some of the states, at most one from each.
#[derive(Debug)]
pub struct Moves {
    /// The places of the states they are made from, ascending.
    pub from: Vec<usize>,
    /// Their binders in order.
    pub binders: Vec<Vec<i64>>,
    /// Where they lead.
    pub to: States,
}

/// What terms about states are understood by.
#[derive(Clone, Copy)]
pub struct Rules<'r> {
    /// Whose program it is, and whose globals.
    pub ctx: &'r Context,
    /// Floors of terms that are ready.
    pub floors: &'r Floors,
}

/// Values of inputs by their globals.
type Inputs<'i> = &'i [(GlobalId, Value)];

impl Rules<'_> {
    /// The states that a `solve` line asks about where inputs have these columns, of so many ints each. `fixed` are the values of
    /// the other inputs.
    pub(crate) fn states_asked(
        &self,
        (frame, place): (&Frame, &Place),
        columns: Vec<(GlobalId, Vec<i64>)>,
        fixed: Inputs<'_>,
        count: usize,
    ) -> Option<States> {
        let columns: Vec<(GlobalId, Column)> =
            columns.into_iter().map(|(global, ints)| (global, Column::Ints(ints))).collect();
        let program = &*self.ctx.session.program;
        let known = |term: &Term| self.settled(term, fixed);
        let unfolded = Unfolded::new(self.floors);
        let lanes = Lanes::new(Vec::new(), &known).with_names(Names::new(program, frame, &columns, &unfolded), count);
        let game = &program.games[place.game.0];
        let PlaceParams::Given(given) = &place.params else { return None };
        let params = entered(&lanes, given, &game.params)?;
        let params = params.into_iter().map(|column| if let Column::Same(value) = column { Some(value) } else { None });
        let states = States {
            game: place.game,
            params: params.collect::<Option<Vec<Value>>>()?.into(),
            fields: spelled(entered(&lanes, &place.fields, &game.fields)?, count)?,
            count,
        };
        states.are_inside(*self).then_some(states)
    }

    /// The value of a global that is the same whatever the inputs are, or of one of these inputs.
    fn settled(&self, term: &Term, fixed: Inputs<'_>) -> Option<Value> {
        let TermKind::Global(id) = term.kind else { return None };
        if let Some((_, value)) = fixed.iter().find(|(global, _)| *global == id) {
            return Some(value.clone());
        }
        let global = &self.ctx.session.program.globals[id.0];
        if global.reads_input || matches!(global.source, GlobalSource::Input(_)) {
            return None;
        }
        self.ctx.globals.values[id.0].clone()
    }
}

/// Columns for all of these, each as it enters its place.
fn entered(lanes: &Lanes<'_>, given: &[Option<Term>], places: &[Field]) -> Option<Vec<Column>> {
    if given.len() != places.len() {
        return None;
    }
    let one = |(term, field): (&Option<Term>, &Field)| {
        let column = lanes.column(term.as_ref()?)?;
        column.is(&field.kind).then_some(column)
    };
    given.iter().zip(places).map(one).collect()
}

fn spelled(columns: Vec<Column>, count: usize) -> Option<Vec<Vec<i64>>> {
    let one = |column| match column {
        Column::Ints(ints) => Some(ints),
        Column::Same(Value::Int(n)) => Some(vec![n; count]),
        _ => None,
    };
    columns.into_iter().map(one).collect()
}

/// What the rules of a game say that are only looked at when states are gone through one by one.
fn is_plain(game: &Game) -> bool {
    game.ends.is_empty() && game.legal.is_empty() && game.same.is_empty()
}

impl States {
    /// The fields with their slots.
    fn slots(&self) -> Vec<(Slot, Column)> {
        let fields = self.fields.iter().enumerate();
        fields.map(|(i, ints)| (self.params.len() + i, Column::Ints(ints.clone()))).collect()
    }

    /// Does something with the states as lanes.
    fn with<T>(
        &self,
        rules: Rules<'_>,
        slots: Vec<(Slot, Column)>,
        count: usize,
        work: impl FnOnce(&Program, Lanes<'_>) -> Option<T>,
    ) -> Option<T> {
        let known = |term: &Term| match term.kind {
            TermKind::Slot(slot) => self.params.get(slot).cloned(),
            _ => rules.settled(term, &[]),
        };
        let unfolded = Unfolded::new(rules.floors);
        let program = &*rules.ctx.session.program;
        let names = Names::new(program, &program.games[self.game.0].frame, &[], &unfolded);
        work(program, Lanes::new(slots, &known).with_names(names, count))
    }

    /// Whether nothing but their moves is to be looked at, and the header's `where` admits them all.
    fn are_inside(&self, rules: Rules<'_>) -> bool {
        let game = &rules.ctx.session.program.games[self.game.0];
        let admitted = |filter| self.truths(rules, filter).is_some_and(|holds| holds.iter().all(|holds| *holds));
        is_plain(game) && game.filter.as_ref().is_none_or(admitted)
    }

    /// Of which of them a term of their game holds.
    pub(crate) fn truths(&self, rules: Rules<'_>, term: &Term) -> Option<Vec<bool>> {
        self.with(rules, self.slots(), self.count, |_, lanes| lanes.spelled_truths(term))
    }

    /// Which of them have a move line that begins with more than so many ints to choose from.
    pub(crate) fn are_wide(&self, rules: Rules<'_>, most: u64) -> Option<Vec<bool>> {
        self.with(rules, self.slots(), self.count, |program, lanes| {
            let mut wide = vec![false; self.count];
            for mv in &program.games[self.game.0].moves {
                let Some(Clause::In { source, .. }) = mv.clauses.first() else { continue };
                let Some((from, to)) = lanes.ends_of_range(source) else { continue };
                for (wide, (from, to)) in wide.iter_mut().zip(from.into_iter().zip(to)) {
                    *wide |= from <= to && from.abs_diff(to) > most;
                }
            }
            Some(wide)
        })
    }

    /// The moves of the line `mv` with the binders that clauses of a theorem state, from states of which `chosen` holds; of each
    /// state one at most. `None` also for clauses that may state several.
    pub(crate) fn stated(
        &self,
        rules: Rules<'_>,
        (clauses, yields): (&[Clause], &[Slot]),
        mv: usize,
        chosen: &[bool],
    ) -> Option<Moves> {
        if clauses.iter().any(|clause| matches!(clause, Clause::In { .. })) {
            return None;
        }
        let mut places = Vec::with_capacity(chosen.len());
        places.extend((0_i64..).zip(chosen).filter_map(|(place, chosen)| chosen.then_some(place)));
        // No slot of the frame has this number.
        let place = rules.ctx.session.program.games[self.game.0].frame.slots.len();
        let mut slots = self.slots();
        for (_, column) in &mut slots {
            column.keep(chosen);
        }
        let count = places.len();
        slots.push((place, Column::Ints(places)));
        let fields = self.params.len()..self.params.len() + self.fields.len();
        let (slots, count) = self.with(rules, slots, count, |program, mut lanes| {
            lanes.through(clauses)?;
            let binders = &program.games[self.game.0].moves[mv].binders;
            let mut kept = Vec::new();
            for slot in fields.clone().chain([place]) {
                kept.push((slot, lanes.column_of(slot)?));
            }
            for (binder, slot) in binders.iter().zip(yields) {
                kept.push((*binder, lanes.column_of(*slot)?));
            }
            Some((kept, lanes.count()))
        })?;
        self.with(rules, slots, count, |program, mut lanes| {
            let mv = &program.games[self.game.0].moves[mv];
            // Binders that do not count for the identity of the move could be chosen in several ways.
            let binds = mv.clauses.iter().filter(|clause| matches!(clause, Clause::In { .. })).count();
            if binds != mv.binders.len() || mv.clauses.iter().any(takes_apart) {
                return None;
            }
            lanes.through(&mv.clauses)?;
            let count = lanes.count();
            let ints = |slot| spelled(vec![lanes.column_of(slot)?], count)?.pop();
            let Target::Go { again: false, position, gain: None } = &mv.target else { return None };
            let TermKind::Place(target) = &position.kind else { return None };
            let game = &program.games[target.game.0];
            let params = match &target.params {
                PlaceParams::Own if target.game == self.game => self.params.clone(),
                PlaceParams::Given(given) if given.is_empty() && game.params.is_empty() => Arc::new([]),
                _ => return None,
            };
            let to = States {
                game: target.game,
                params,
                fields: spelled(entered(&lanes, &target.fields, &game.fields)?, count)?,
                count,
            };
            let from = ints(place)?.into_iter().map(|place| usize::try_from(place).ok()).collect::<Option<_>>()?;
            let binders = mv.binders.iter().map(|slot| ints(*slot)).collect::<Option<_>>()?;
            to.are_inside(rules).then_some(Moves { from, binders, to })
        })
    }
}

fn takes_apart(clause: &Clause) -> bool {
    matches!(clause, Clause::In { pattern, .. } | Clause::Let { pattern, .. } if !matches!(pattern, Pattern::Slot(_)))
}
