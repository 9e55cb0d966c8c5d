//! States of one int gone through in long rows, without a number for each: values, and how many stated moves there are.
//!
//! This is the one place where code runs for row after row of ints: as [native code](RowCode) where that can be, and by the
//! instruction loop for the rows that it cannot decide, of which the first faults if any does.

use crate::bytecode::{Code, InstanceId, WordType, lower};
use crate::model::{Clause, GameId, Slot, Term};
use crate::tables::RowCode;
use crate::value::Value;
use crate::value::fault::{Halt, Run};
use crate::value::limits::Pace;
use crate::vm::context::Context;
use crate::vm::run::{Options, Runner};
use std::sync::Arc;

/// So many rows are gone through before limits are looked at.
const BLOCK: usize = 1 << 14;

/// Code and the registers that it is run in again and again.
type Runnable = (Arc<Code>, Runner);

/// The moves of one name that a line states, to a value that is given.
pub(crate) struct Stating {
    instance: InstanceId,
    /// Whether there is such a move, where there is one at most.
    native: Option<RowCode>,
    ways: Runnable,
    has: Runnable,
    /// Room to work in.
    out: [Options; 2],
}

impl Context {
    /// The instance whose states are one int, of this game with these rule parameters; `None` when they are kept otherwise.
    pub(crate) fn int_instance(&mut self, game: GameId, params: &Arc<[Value]>) -> Option<InstanceId> {
        let at = self.instance(game, params.clone()).ok()?;
        matches!(self.store.instances[at].word_types[..], [Some(WordType::Int)]).then_some(at)
    }

    /// The values of a term about states of such an instance, in their order, when all are nats below 2^63.
    pub(crate) fn nats_of_ints(&mut self, instance: InstanceId, term: &Term, ints: &[i64]) -> Run<Option<Vec<i64>>> {
        let program = self.session.program.clone();
        let native = self.row_code(|m| Some(lower::lower_int_row(m, &program, instance, term)));
        let code = self.code_in_game(instance, term);
        let (mut runner, mut room) = (self.runner(code.clone()), Options::default());
        let mut nats = vec![0; ints.len()];
        self.each_row(native.as_ref(), &[ints], &mut nats, |ctx, row| {
            let int = [Value::Int(ints[row])];
            let value = ctx.rerun(&mut runner, &mut room, |ctx, regs| ctx.put(&code.inputs, &int, regs));
            match value.map_err(|halt| halt.placed(term.span))? {
                Value::Int(n) => Ok(n),
                // No nat below 2^63.
                _ => Ok(-1),
            }
        })?;
        Ok(nats.iter().all(|n| *n >= 0).then_some(nats))
    }

    /// Native code for rows; `None` where the instruction loop is to run.
    fn row_code(&mut self, lower: impl FnOnce(&mut Context) -> Option<Arc<Code>>) -> Option<RowCode> {
        if self.options.plain || self.code.wide { None } else { RowCode::new(&lower(self)?).ok() }
    }

    /// Puts a word for each row of the columns to `out`: by native code, else by `one`.
    fn each_row(
        &mut self,
        native: Option<&RowCode>,
        columns: &[&[i64]],
        out: &mut [i64],
        mut one: impl FnMut(&mut Context, usize) -> Run<i64>,
    ) -> Run<()> {
        let mut pace = Pace::default();
        let mut at = 0;
        while at < out.len() {
            let end = out.len().min(at + BLOCK);
            pace.spend(&self.limits, end - at)?;
            while at < end {
                at = native.map_or(at, |native| native.run(at, columns, &mut out[..end]));
                if at < end {
                    out[at] = one(self, at)?;
                    at += 1;
                }
            }
        }
        Ok(())
    }

    /// Makes ready to look at the moves of the line `index` that clauses state, for values in the slot; `None` when the binders
    /// of the line cannot be given.
    pub(crate) fn stating(
        &mut self,
        instance: InstanceId,
        index: usize,
        (clauses, slot, yields): (&[Clause], Slot, &[Slot]),
    ) -> Option<Stating> {
        let has = self.move_code(instance, index, false)?;
        let ways = self.ways_with_code(instance, clauses, slot, yields);
        let program = self.session.program.clone();
        let line = (clauses, slot, yields);
        let native = self.row_code(|m| lower::lower_stated_row(m, &program, instance, index, line));
        let (first, second) = (self.runner(ways.clone()), self.runner(has.clone()));
        let out = [Options::default(), Options::default()];
        Some(Stating { instance, native, ways: (ways, first), has: (has, second), out })
    }

    /// How many of the moves that the line states from these states, each to the value at its place, there are.
    pub(crate) fn stated_count(&mut self, stating: &mut Stating, ints: &[i64], to: &[i64]) -> Run<u64> {
        let Stating { instance, native, ways, has, out } = stating;
        let mut counts = vec![0; ints.len()];
        self.each_row(native.as_ref(), &[ints, to], &mut counts, |ctx, row| {
            let counted = ctx.counted(ways, has, out, &[Value::Int(ints[row]), Value::Int(to[row])]);
            counted.map_err(|halt| {
                let state: Arc<[Value]> = Arc::new([Value::Int(ints[row])]);
                match ctx.intern_state(*instance, &state) {
                    Ok(id) => ctx.with_state_note(id, halt),
                    Err(other) => other,
                }
            })
        })?;
        Ok(counts.into_iter().map(i64::cast_unsigned).sum())
    }

    fn counted(
        &mut self,
        (ways, first): &mut Runnable,
        (has, second): &mut Runnable,
        [out, room]: &mut [Options; 2],
        row: &[Value; 2],
    ) -> Result<i64, Halt> {
        out.clear();
        self.rerun(first, out, |ctx, regs| ctx.put(&ways.inputs, row, regs))?;
        out.yields.sort_unstable();
        out.yields.dedup();
        let mut count = 0;
        for binders in &out.yields {
            room.clear();
            self.rerun(second, room, |ctx, regs| {
                let (fields, given) = has.inputs.split_at(has.inputs.len() - binders.len());
                ctx.put(fields, &row[..1], regs)?;
                ctx.put(given, binders, regs)
            })?;
            count += i64::from(!room.yields.is_empty());
        }
        Ok(count)
    }
}
