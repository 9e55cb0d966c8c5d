//! What names mean in terms about columns: lazy slots, definitions, globals that differ from lane to lane; and floors, which are
//! mostly found in definitions.

use crate::model::builtin::Builtin;
use crate::model::{DefId, Frame, GlobalId, Program, Slot, Term, TermKind};
use crate::value::{Value, sqrt};
use crate::vm::column::{Column, Lanes};
use crate::words::floors::Floors;
use std::cell::{Cell, RefCell};

/// See the module.
#[derive(Clone, Copy)]
pub(in crate::vm) struct Names<'k> {
    program: &'k Program,
    /// That of the body the terms stand in.
    frame: &'k Frame,
    /// Globals that differ from lane to lane.
    globals: &'k [(GlobalId, Column)],
    unfolded: &'k Unfolded<'k>,
    /// Whether slots are those of the body that `known` is about.
    own: bool,
}

impl<'k> Names<'k> {
    /// The names of a body.
    pub(in crate::vm) fn new(
        program: &'k Program,
        frame: &'k Frame,
        globals: &'k [(GlobalId, Column)],
        unfolded: &'k Unfolded<'k>,
    ) -> Names<'k> {
        Names { program, frame, globals, unfolded, own: true }
    }
}

/// How many lazy slots and calls were gone into, and how many of them are not left yet: definitions that use each other are not
/// unfolded without end.
pub(in crate::vm) struct Unfolded<'f> {
    all: Cell<usize>,
    open: Cell<usize>,
    floors: &'f Floors,
}

impl<'f> Unfolded<'f> {
    /// None yet; with floors that are ready.
    pub(in crate::vm) fn new(floors: &'f Floors) -> Self {
        Unfolded { all: Cell::default(), open: Cell::default(), floors }
    }

    /// Goes into one more; `None`: that would be too many.
    fn within(&self, work: impl FnOnce() -> Option<Column>) -> Option<Column> {
        const ALL: usize = 1000;
        const OPEN: usize = 32;
        let open = self.open.get();
        if self.all.replace(self.all.get() + 1) >= ALL || open >= OPEN {
            return None;
        }
        self.open.set(open + 1);
        let column = work();
        self.open.set(open);
        column
    }
}

impl Lanes<'_> {
    pub(super) fn global(&self, id: GlobalId) -> Option<Column> {
        let globals = self.names?.globals;
        globals.iter().find(|(global, _)| *global == id).map(|(_, column)| column.clone())
    }

    /// A slot that has no column: a lazy one, or what is known of it.
    pub(super) fn named(&self, slot: Slot, term: &Term) -> Option<Column> {
        let Some(names) = self.names else { return (self.known)(term).map(Column::Same) };
        if let Some((_, column)) = self.used.borrow().iter().find(|(used, _)| *used == slot) {
            return Some(column.clone());
        }
        let Some(lazy) = &names.frame.slots.get(slot)?.lazy else {
            return if names.own { (self.known)(term).map(Column::Same) } else { None };
        };
        let column = names.unfolded.within(|| self.column(lazy))?;
        self.used.borrow_mut().push((slot, column.clone()));
        Some(column)
    }

    /// A definition that is not recursive, with arguments and result that enter their kinds as they are.
    pub(super) fn call(&self, def: DefId, args: &[Option<Term>]) -> Option<Column> {
        let names = self.names?;
        let callee = &names.program.defs[def.0];
        if callee.recursive || args.len() != callee.params.len() {
            return None;
        }
        let mut slots: Vec<(Slot, Column)> = Vec::with_capacity(args.len());
        if let Some(owner) = callee.owner {
            let game = &names.program.games[owner.0];
            let handed = game.params.len() + game.fields.len();
            slots.extend(self.slots.iter().filter(|(slot, _)| *slot < handed).cloned());
        }
        let args = args.iter().zip(&callee.params).enumerate();
        for (i, (arg, field)) in args {
            let column = self.column(arg.as_ref()?)?;
            if !column.is(&field.kind) {
                return None;
            }
            slots.push((callee.prefix + i, column));
        }
        let own = names.own && callee.owner.is_some();
        let inside = Names { frame: &callee.frame, own, ..names };
        let inner =
            Lanes { slots, count: self.count, known: self.known, names: Some(inside), used: RefCell::default() };
        let column = names.unfolded.within(|| inner.column(callee.body.as_ref()?))?;
        match &callee.result {
            Some(kind) if !column.is(kind) => None,
            _ => Some(column),
        }
    }

    /// The floor, or the ceiling, of a real that is linear in one int.
    pub(super) fn floor(&self, args: &[Term], up: bool) -> Option<Column> {
        let [real] = args else { return None };
        let mut known = |term: &Term| match &term.kind {
            TermKind::Slot(_) | TermKind::Global(_) => match self.column(term)? {
                Column::Same(value @ (Value::Int(_) | Value::Real(_))) => Some(value),
                _ => None,
            },
            TermKind::Builtin(Builtin::Sqrt, args) => match &args[..] {
                [Term { kind: TermKind::Int(n), .. }] => sqrt(&Value::int(n.clone())).ok(),
                _ => None,
            },
            _ => None,
        };
        let none = Floors::default();
        let floors = self.names.map_or(&none, |names| names.unfolded.floors);
        let (floor, int) = floors.of(real, up, &mut known)?;
        match self.column(int)? {
            Column::Ints(mut ints) => {
                for n in &mut ints {
                    *n = floor.of(*n)?;
                }
                Some(Column::Ints(ints))
            }
            Column::Same(Value::Int(n)) => floor.of(n).map(|n| Column::Same(Value::Int(n))),
            _ => None,
        }
    }
}
