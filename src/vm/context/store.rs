//! Instances of games, and the components that were met, by their numbers.

use crate::model::GameId;
use crate::value::Value;
use crate::value::domain::Domain;
use crate::vm::context::Instance;
use crate::vm::ids::{InstanceId, Instances};
use hashbrown::HashMap;
use std::sync::Arc;

/// Every state that was met has a number, under which everything else is remembered of it.
#[derive(Default)]
pub(crate) struct Store {
    /// What members and masks in words stand for.
    pub(crate) domains: Vec<Domain>,
    /// Games with their rule parameters.
    pub(crate) instances: Instances,
    pub(super) by_params: HashMap<(GameId, Arc<[Value]>), InstanceId>,
    /// For each component: its instance.
    pub(crate) instance_of: Vec<InstanceId>,
    /// For each component: its packed state, or its number in the instance's table.
    pub(crate) keys: Vec<u64>,
    /// What `same as` makes of a component; `u32::MAX`: not known.
    pub(crate) replaced: HashMap<u32, u32>,
    /// Whether `legal when` admits a component.
    pub(crate) legal_memo: HashMap<u32, bool>,
    /// Bytes that instances hold with their rule parameters and code.
    pub(crate) held: usize,
    /// Places of the boxes in which instances keep their states.
    pub(crate) boxes: u64,
    /// Bytes of new components since the memory limit was last looked at.
    pub(crate) grown: usize,
}

impl Store {
    /// Bytes held, roughly.
    pub(crate) fn bytes(&self) -> usize {
        let states: usize = self.instances.iter().map(|i| i.states.bytes()).sum();
        self.held + states + self.keys.capacity() * 12
    }
}
