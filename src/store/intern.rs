//! From the state of a component to its number.

use crate::bytecode::{FieldReg, PushSpec};
use crate::source::diagnostic::Code;
use crate::store::StateTable;
use crate::store::packing::Packing;
use crate::store::table::Table;
use crate::value::Value;
use crate::value::fault::{Fault, Halt, Run};
use crate::vm::context::Context;
use crate::vm::ids::InstanceId;
use std::sync::Arc;

/// The place of a field's word in a table.
#[inline]
fn layout_index(layout: &[Packing], fields: &[FieldReg], words: &[i64], i: usize) -> u64 {
    match fields[i] {
        FieldReg::Word(reg) => layout[i].index(words[usize::from(reg)]),
        FieldReg::Value(_) => u64::MAX,
    }
}

impl Context {
    /// The number of the next component. L01 when there is none left.
    #[inline]
    fn next_component(&self) -> Result<u32, Fault> {
        // The last numbers mean "none" in the tables of the solver.
        u32::try_from(self.store.keys.len())
            .ok()
            .filter(|&next| next < Context::MOST_COMPONENTS)
            .ok_or_else(|| Fault::new(Code::L01, "more than 2^31 components of positions"))
    }

    /// A number for a state that was not met before and takes so many bytes itself. The memory limit is looked at here too, as
    /// one position can have very many options, and a state can be very large.
    fn new_component(&mut self, instance: InstanceId, key: u64, bytes: usize) -> Run<u32> {
        /// Bytes of a component in all tables.
        const EACH: usize = 32;
        let number = self.next_component()?;
        self.store.keys.push(key);
        self.store.instance_of.push(instance);
        self.store.grown += bytes + EACH;
        if self.store.grown > (self.session.limits.memory / 32).max(1 << 20) {
            self.store.grown = 0;
            let positions = self.session.limits.progress.load(std::sync::atomic::Ordering::Relaxed);
            self.check_search(positions, self.bytes())?;
        }
        Ok(number)
    }

    /// A component met before whose unsigned fields are words of a dense table: the short way of [`Context::intern`].
    #[inline]
    pub(crate) fn find_dense(&self, push: &PushSpec, words: &[i64]) -> Option<u32> {
        let regs = push.words.as_ref()?;
        match &self.store.instances[push.instance].states {
            StateTable::Packed { table: Table::Dense { sizes, slots, .. }, signed: false, .. } => {
                let mut rank = 0u64;
                for (&size, &reg) in sizes.iter().zip(regs.iter()) {
                    let word = words[usize::from(reg)].cast_unsigned();
                    if word >= size {
                        return None;
                    }
                    rank = rank * size + word;
                }
                slots[usize::try_from(rank).ok()?].checked_sub(1)
            }
            _ => None,
        }
    }

    /// The component whose fields are in registers.
    pub(crate) fn intern(
        &mut self,
        instance: InstanceId,
        fields: &[FieldReg],
        words: &[i64],
        values: &[Value],
    ) -> Run<u32> {
        let next = self.next_component()?;
        let at = &mut self.store.instances[instance];
        if let StateTable::Packed { layout, table, .. } = &mut at.states {
            if let Some(number) = table.lookup(&|i| layout_index(layout, fields, words, i)) {
                return Ok(number);
            }
            let mut key = 0u64;
            for (field, packing) in fields.iter().zip(layout.iter()) {
                let FieldReg::Word(reg) = field else { return Err(Halt::Unpack(at.game)) };
                let word = words[usize::from(*reg)];
                if !packing.fits(word) {
                    return Err(Halt::Unpack(at.game));
                }
                key |= packing.put(word);
            }
            let layout = &layout[..];
            let unpack = |key: u64, i: usize| layout[i].index(layout[i].get(key));
            let keys = &self.store.keys;
            return Ok(
                match table
                    .number(key, next, &|i| layout_index(layout, fields, words, i), &unpack, &|n| keys[n as usize])
                {
                    Ok(number) => number,
                    Err(_) => self.new_component(instance, key, 0)?,
                },
            );
        }
        if let StateTable::Long(long) = &mut at.states {
            let word = |field: &FieldReg| match field {
                FieldReg::Word(reg) => words[usize::from(*reg)],
                FieldReg::Value(_) => 0,
            };
            if !long.set(fields.iter().map(word)) {
                return Err(Halt::Unpack(at.game));
            }
            return Ok(match long.find(next) {
                Ok(number) => number,
                Err(key) => self.new_component(instance, key, 0)?,
            });
        }
        let splits = at.splits;
        let reps = self.store.instances[instance].reps.clone();
        let state: Arc<[Value]> = fields
            .iter()
            .zip(reps.iter())
            .map(|(field, rep)| match (field, rep) {
                (FieldReg::Word(reg), Some(rep)) => self.word_value(words[usize::from(*reg)], *rep),
                (FieldReg::Value(reg), _) => values[usize::from(*reg)].clone(),
                (FieldReg::Word(reg), None) => Value::Int(words[usize::from(*reg)]),
            })
            .collect();
        if splits {
            let shaped = self.instance_of_state(instance, &state);
            return self.intern_state(shaped, &state);
        }
        self.intern_values(instance, state)
    }

    fn intern_values(&mut self, instance: InstanceId, state: Arc<[Value]>) -> Run<u32> {
        let next = self.next_component()?;
        let StateTable::Interned { states, numbers, held } = &mut self.store.instances[instance].states else {
            return Ok(next);
        };
        let (at, new) = states.insert_full(state);
        if new {
            let before = held.bytes();
            held.keep(&states[at]);
            let bytes = held.bytes() - before;
            numbers.push(next);
            self.new_component(instance, at as u64, bytes)
        } else {
            Ok(numbers[at])
        }
    }

    /// The component of a state given as values.
    pub(crate) fn intern_state(&mut self, instance: InstanceId, state: &Arc<[Value]>) -> Run<u32> {
        if matches!(self.store.instances[instance].states, StateTable::Interned { .. }) {
            return self.intern_values(instance, state.clone());
        }
        let forms = self.store.instances[instance].forms.clone();
        let mut words = Vec::with_capacity(state.len());
        for (value, form) in state.iter().zip(forms.iter()) {
            self.split(form, value, &mut words)?;
        }
        let fields: Vec<FieldReg> =
            (0..words.len()).map(|i| FieldReg::Word(u16::try_from(i).unwrap_or(u16::MAX))).collect();
        self.intern(instance, &fields, &words, &[])
    }
}
