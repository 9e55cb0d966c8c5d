//! Components by their numbers.

use crate::bytecode::{Code, FieldReg, InstanceId};
use crate::value::fault::Run;
use crate::value::{Component, Value};
use crate::vm::context::Context;
use std::sync::Arc;
use std::sync::atomic::Ordering;

impl Context {
    /// The number of a component.
    pub fn component(&mut self, component: &Component) -> Run<u32> {
        let base = self.instance(component.game, component.params.clone())?;
        self.intern_state(base, &component.state)
    }

    /// The number of a state given as values, of an instance for any lengths.
    pub(crate) fn intern_state(&mut self, base: InstanceId, state: &Arc<[Value]>) -> Run<u32> {
        let instance = self.instance_of_state(base, state);
        let id = self.store.intern_state(instance, state)?;
        self.check_growth()?;
        Ok(id)
    }

    /// The number of the component whose fields are in registers.
    pub(crate) fn intern(
        &mut self,
        instance: InstanceId,
        fields: &[FieldReg],
        words: &[i64],
        values: &[Value],
    ) -> Run<u32> {
        if self.store.instances[instance].splits {
            let state = self.store.gathered(instance, fields, words, values);
            return self.intern_state(instance, &state);
        }
        let id = self.store.intern(instance, fields, words, values)?;
        self.check_growth()?;
        Ok(id)
    }

    /// Looks at the memory limit when many components were met since the last look: one position can have very many options,
    /// and a state can be very large.
    #[inline]
    fn check_growth(&mut self) -> Run<()> {
        if self.store.grown > (self.limits.memory / 32).max(1 << 20) {
            self.store.grown = 0;
            let positions = self.limits.progress.load(Ordering::Relaxed);
            self.check_search(positions, self.bytes())?;
        }
        Ok(())
    }

    /// How many components have a number.
    pub fn components(&self) -> usize {
        self.store.len()
    }

    /// The code of the rules that a component plays by.
    pub fn code_of(&mut self, id: u32) -> Arc<Code> {
        self.rules_code(self.store.instance_of[id as usize])
    }
}
