//! From the number of a component to its state: as values, as words, in registers.

use crate::bytecode::{FieldReg, Rep};
use crate::store::StateTable;
use crate::value::Value;
use crate::value::fault::Run;
use crate::vm::context::Context;
use crate::vm::run::Registers;
use std::sync::Arc;

impl Context {
    /// The state of a component as values.
    pub(crate) fn state_values(&self, id: u32) -> Arc<[Value]> {
        let instance = &self.store.instances[self.store.instance_of[id as usize]];
        let key = self.store.keys[id as usize];
        match &instance.states {
            StateTable::Packed { layout, .. } => {
                let mut words = layout.iter().map(|packing| packing.get(key));
                self.join_all(&instance.forms, &mut || words.next().unwrap_or(0))
            }
            StateTable::Long(long) => {
                let mut words = long.get(key);
                self.join_all(&instance.forms, &mut || words.next().unwrap_or(0))
            }
            StateTable::Interned { states, .. } => {
                let at = usize::try_from(key).unwrap_or(usize::MAX);
                states.get_index(at).cloned().unwrap_or_else(|| Arc::from(Vec::new()))
            }
        }
    }

    /// The fields of a component as words; `None` when they are kept as values.
    pub(crate) fn state_words(&self, id: u32) -> Option<Vec<i64>> {
        let instance = &self.store.instances[self.store.instance_of[id as usize]];
        let key = self.store.keys[id as usize];
        match &instance.states {
            StateTable::Packed { layout, .. } => Some(layout.iter().map(|packing| packing.get(key)).collect()),
            StateTable::Long(long) => Some(long.get(key).collect()),
            StateTable::Interned { .. } => None,
        }
    }

    /// Loads the fields of a component into the registers that code expects them in.
    pub(crate) fn load(&self, id: u32, inputs: &[FieldReg], regs: &mut Registers) -> Run<()> {
        let instance = &self.store.instances[self.store.instance_of[id as usize]];
        let key = self.store.keys[id as usize];
        match &instance.states {
            StateTable::Packed { layout, .. } => {
                for (field, packing) in inputs.iter().zip(layout) {
                    if let FieldReg::Word(reg) = field {
                        regs.words[usize::from(*reg)] = packing.get(key);
                    }
                }
            }
            StateTable::Long(long) => {
                for (field, word) in inputs.iter().zip(long.get(key)) {
                    if let FieldReg::Word(reg) = field {
                        regs.words[usize::from(*reg)] = word;
                    }
                }
            }
            StateTable::Interned { states, .. } => {
                let at = usize::try_from(key).unwrap_or(usize::MAX);
                if let Some(state) = states.get_index(at) {
                    self.load_values(state, &instance.reps, inputs, regs)?;
                }
            }
        }
        Ok(())
    }

    /// Loads field values.
    pub(crate) fn load_values(
        &self,
        state: &[Value],
        reps: &[Option<Rep>],
        inputs: &[FieldReg],
        regs: &mut Registers,
    ) -> Run<()> {
        for ((field, value), rep) in inputs.iter().zip(state).zip(reps) {
            match (field, rep) {
                (FieldReg::Word(reg), Some(rep)) => regs.words[usize::from(*reg)] = self.value_word(value, *rep)?,
                (FieldReg::Word(_), None) => {}
                (FieldReg::Value(reg), _) => regs.values[usize::from(*reg)] = value.clone(),
            }
        }
        Ok(())
    }
}
