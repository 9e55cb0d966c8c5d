//! Components by their numbers.

use crate::bytecode::{Code, Rep};
use crate::model::GameId;
use crate::value::fault::Run;
use crate::value::{Component, Value};
use crate::vm::context::Context;
use std::sync::Arc;

impl Context {
    /// There are fewer components: greater numbers are marks in the solver.
    pub(crate) const MOST_COMPONENTS: u32 = 1 << 31;

    /// The number of a component.
    pub fn component(&mut self, component: &Component) -> Run<u32> {
        let base = self.instance(component.game, component.params.clone())?;
        let instance = self.instance_of_state(base, &component.state);
        self.intern_state(instance, &component.state)
    }

    /// How many components have a number.
    pub fn components(&self) -> usize {
        self.store.keys.len()
    }

    /// The component of a number.
    pub fn component_value(&self, id: u32) -> Component {
        let instance = &self.store.instances[self.store.instance_of[id as usize]];
        let state = self.state_values(id);
        Component { game: instance.game, params: instance.params.clone(), state, tag: None }
    }

    /// The members of collections, vertices and edges in the rule parameters and fields of a component.
    pub fn breadth(&self, id: u32) -> u64 {
        let component = self.component_value(id);
        component.params.iter().chain(component.state.iter()).map(Value::breadth).sum()
    }

    /// Whether each field of a component is kept as an int.
    pub(crate) fn is_of_ints(&self, id: u32) -> bool {
        let reps = &self.store.instances[self.store.instance_of[id as usize]].reps;
        reps.iter().all(|rep| matches!(rep, Some(Rep::Int)))
    }

    /// The game of a component.
    pub fn game_of(&self, id: u32) -> GameId {
        self.store.instances[self.store.instance_of[id as usize]].game
    }

    /// The code of the rules that a component plays by.
    pub fn code_of(&mut self, id: u32) -> Arc<Code> {
        self.rules_code(self.store.instance_of[id as usize])
    }
}
