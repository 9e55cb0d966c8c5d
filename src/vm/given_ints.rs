//! States of one int gone through in long rows, without a number for each: values, and how many stated moves there are.

use crate::bytecode::{Code, Rep};
use crate::model::{Clause, GameId, Slot, Term, TermKind};
use crate::value::Value;
use crate::value::fault::{Halt, Run};
use crate::value::limits::Pace;
use crate::vm::column::{Column, LANES, Lanes, has_columns};
use crate::vm::context::Context;
use crate::vm::run::{Options, Runner};
use std::slice::from_ref;
use std::sync::Arc;

/// The moves of one name that a line states, to a value that is given.
pub(crate) struct Stating {
    instance: usize,
    index: usize,
    ways: (Arc<Code>, Runner),
    has: (Arc<Code>, Runner),
    /// Room to work in.
    out: [Options; 2],
}

impl Context {
    /// The instance whose states are one int, of this game with these rule parameters; `None` when they are kept otherwise.
    pub(crate) fn int_instance(&mut self, game: GameId, params: &Arc<[Value]>) -> Option<usize> {
        let at = self.instance(game, params.clone());
        matches!(self.store.instances[at].reps[..], [Some(Rep::Int)]).then_some(at)
    }

    /// The values of a term about states of such an instance, in their order, when all are nats below 2^64.
    pub(crate) fn nats_of_ints(&mut self, instance: usize, term: &Term, ints: &[i64]) -> Run<Option<Vec<u64>>> {
        let mut nats = Vec::with_capacity(ints.len());
        let known = known_in(&self.store.instances[instance].params);
        let field = self.store.instances[instance].params.len();
        let by_column = has_columns(term, &(0..=field).collect::<Vec<_>>()) && !self.session.options.plain;
        let mut pace = Pace::default();
        for block in ints.chunks(LANES) {
            pace.spend(&self.session.limits, block.len())?;
            let lanes = || Lanes::new(vec![(field, Column::Ints(block.to_vec()))], &known);
            if by_column
                && let Some(column) = lanes().ints(term)
                && column.iter().all(|n| *n >= 0)
            {
                nats.extend(column.into_iter().map(i64::cast_unsigned));
                continue;
            }
            let before = nats.len();
            self.eval_ints(instance, term, block, &mut |value| {
                let nat = match value {
                    Value::Int(n) => u64::try_from(*n).ok(),
                    Value::Big(n) => u64::try_from(&**n).ok(),
                    _ => None,
                };
                nats.extend(nat);
                nat.is_some()
            })?;
            if nats.len() - before < block.len() {
                return Ok(None);
            }
        }
        Ok(Some(nats))
    }

    /// The values of a term about such states one by one, in their order, until `each` says `false`.
    fn eval_ints(
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
        Some(Stating { instance, index, ways: (ways, first), has: (has, second), out })
    }

    /// How many of the moves that a line states from these states, each to the value at its place, there are.
    pub(crate) fn stated_count(
        &mut self,
        stating: &mut Stating,
        line: (&[Clause], Slot, &[Slot]),
        ints: &[i64],
        to: &[u64],
    ) -> Run<u64> {
        let mut count = 0;
        let mut pace = Pace::default();
        for (ints, to) in ints.chunks(LANES).zip(to.chunks(LANES)) {
            pace.spend(&self.session.limits, ints.len())?;
            if let Some(all) = self.stated_in_lanes(stating, line, ints, to) {
                count += all;
                continue;
            }
            for (&n, &to) in ints.iter().zip(to) {
                let counted = self.counted(stating, n, &Value::int(to.into()));
                count += counted.map_err(|halt| {
                    let state: Arc<[Value]> = Arc::new([Value::Int(n)]);
                    match self.intern_state(stating.instance, &state) {
                        Ok(id) => self.told_in(id, halt),
                        Err(other) => other,
                    }
                })?;
            }
        }
        Ok(count)
    }

    /// The same by columns: what the clauses bind, and then the clauses of the move, its binders being given.
    fn stated_in_lanes(
        &self,
        stating: &Stating,
        (clauses, slot, yields): (&[Clause], Slot, &[Slot]),
        ints: &[i64],
        to: &[u64],
    ) -> Option<u64> {
        if self.session.options.plain {
            return None;
        }
        let instance = &self.store.instances[stating.instance];
        let mv = &self.session.program.games[instance.game.0].moves[stating.index];
        let known = known_in(&instance.params);
        let field = instance.params.len();
        let to = to.iter().map(|n| i64::try_from(*n).ok()).collect::<Option<_>>()?;
        let mut lanes = Lanes::new(vec![(field, Column::Ints(ints.to_vec())), (slot, Column::Ints(to))], &known);
        lanes.through(clauses)?;
        let left = lanes.column_of(field)?;
        let given: Vec<Column> = yields.iter().map(|slot| lanes.column_of(*slot)).collect::<Option<_>>()?;
        let given = mv.binders.iter().copied().zip(given);
        let mut lanes = Lanes::new(std::iter::once((field, left)).chain(given).collect(), &known);
        lanes.through(&mv.clauses)?;
        u64::try_from(lanes.count()).ok()
    }

    fn counted(&mut self, stating: &mut Stating, n: i64, to: &Value) -> Result<u64, Halt> {
        let Stating { ways: (ways, first), has: (has, second), out: [out, room], .. } = stating;
        out.clear();
        self.rerun(first, out, |ctx, regs| {
            let (fields, given) = ways.inputs.split_at(ways.inputs.len() - 1);
            ctx.put(fields, &[Value::Int(n)], regs)?;
            ctx.put(given, from_ref(to), regs)
        })?;
        out.yields.sort_unstable();
        out.yields.dedup();
        let mut count = 0;
        for binders in &out.yields {
            room.clear();
            self.rerun(second, room, |ctx, regs| {
                let (fields, given) = has.inputs.split_at(has.inputs.len() - binders.len());
                ctx.put(fields, &[Value::Int(n)], regs)?;
                ctx.put(given, binders, regs)
            })?;
            count += u64::from(!room.yields.is_empty());
        }
        Ok(count)
    }
}

/// Rule parameters by their slots.
fn known_in(params: &Arc<[Value]>) -> impl Fn(&Term) -> Option<Value> + use<> {
    let params = params.clone();
    move |term| if let TermKind::Slot(slot) = term.kind { params.get(slot).cloned() } else { None }
}
