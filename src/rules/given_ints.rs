//! States of one int gone through in long rows, without a number for each: values, and how many stated moves there are.

use super::code::{Code, Rep};
use super::fault::{Halt, Run};
use super::machine::Machine;
use super::run::{Options, Runner};
use super::value::Value;
use crate::check::model::{Clause, GameId, Slot, Term};
use std::slice::from_ref;
use std::sync::Arc;

/// The moves of one name that a line states, to a value that is given.
pub(crate) struct Stating {
    instance: usize,
    ways: (Arc<Code>, Runner),
    has: (Arc<Code>, Runner),
    /// Room to work in.
    out: [Options; 2],
}

impl Machine {
    /// The instance whose states are one int, of this game with these rule parameters; `None` when they are kept otherwise.
    pub(crate) fn int_instance(&mut self, game: GameId, params: &Arc<[Value]>) -> Option<usize> {
        let at = self.instance(game, params.clone());
        matches!(self.instances[at].reps[..], [Some(Rep::Int)]).then_some(at)
    }

    /// The values of a term about states of such an instance, in their order, until `each` says `false`.
    pub(crate) fn eval_ints(
        &mut self,
        instance: usize,
        term: &Term,
        ints: &[i64],
        each: &mut dyn FnMut(&Value) -> bool,
    ) -> Run<()> {
        let code = self.code_in_game(instance, term);
        let mut runner = self.runner(code.clone());
        let mut out = Options::default();
        for n in ints {
            let value = self.rerun(&mut runner, &mut out, |m, regs| m.put(&code.inputs, &[Value::Int(*n)], regs));
            if !each(&value.map_err(|halt| halt.placed(term.span))?) {
                break;
            }
        }
        Ok(())
    }

    /// Makes ready to look at the moves of the line `index` that clauses state, for values in the slot; `None` when the binders
    /// of the line cannot be given.
    pub(crate) fn stating(
        &mut self,
        instance: usize,
        index: usize,
        (clauses, slot, yields): (&[Clause], Slot, &[Slot]),
    ) -> Option<Stating> {
        let has = self.given_code(instance, index, false)?;
        let ways = self.ways_given_code(instance, clauses, slot, yields);
        let out = [Options::default(), Options::default()];
        let (first, second) = (self.runner(ways.clone()), self.runner(has.clone()));
        Some(Stating { instance, ways: (ways, first), has: (has, second), out })
    }

    /// How many of the moves stated from this state to the value `to` there are.
    pub(crate) fn stated_count(&mut self, stating: &mut Stating, n: i64, to: &Value) -> Run<u64> {
        let counted = self.counted(stating, n, to);
        counted.map_err(|halt| {
            let state: Arc<[Value]> = Arc::new([Value::Int(n)]);
            match self.intern_state(stating.instance, &state) {
                Ok(id) => self.told_in(id, halt),
                Err(other) => other,
            }
        })
    }

    fn counted(&mut self, stating: &mut Stating, n: i64, to: &Value) -> Result<u64, Halt> {
        let Stating { ways: (ways, first), has: (has, second), out: [out, room], .. } = stating;
        out.clear();
        self.rerun(first, out, |machine, regs| {
            let (fields, given) = ways.inputs.split_at(ways.inputs.len() - 1);
            machine.put(fields, &[Value::Int(n)], regs)?;
            machine.put(given, from_ref(to), regs)
        })?;
        out.yields.sort_unstable();
        out.yields.dedup();
        let mut count = 0;
        for binders in &out.yields {
            room.clear();
            self.rerun(second, room, |machine, regs| {
                let (fields, given) = has.inputs.split_at(has.inputs.len() - binders.len());
                machine.put(fields, &[Value::Int(n)], regs)?;
                machine.put(given, binders, regs)
            })?;
            count += u64::from(!room.yields.is_empty());
        }
        Ok(count)
    }
}
