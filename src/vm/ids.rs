//! Numbers of things as types of their own, so that the number of one is never taken for that of another.

use crate::source::diagnostic::Code;
use crate::value::fault::Fault;
use crate::vm::context::Instance;
use std::ops::{Index, IndexMut};

/// The number of an instance: of a game with its rule parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceId(u32);

impl InstanceId {
    /// The number as native code and its sinks compare it.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The instances of a machine by their numbers.
#[derive(Debug, Default)]
pub struct Instances(Vec<Instance>);

impl Instances {
    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &Instance> {
        self.0.iter()
    }

    /// The number that the next instance gets.
    ///
    /// # Errors
    /// L01 when there is none left.
    pub fn next(&self) -> Result<InstanceId, Fault> {
        let next = u32::try_from(self.0.len()).map(InstanceId);
        next.map_err(|_| Fault::new(Code::L01, "more than 2^32 games with different rule parameters"))
    }

    /// Gives an instance the next number.
    ///
    /// # Errors
    /// L01 when there is none left.
    pub fn push(&mut self, instance: Instance) -> Result<InstanceId, Fault> {
        let id = self.next()?;
        self.0.push(instance);
        Ok(id)
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl Index<InstanceId> for Instances {
    type Output = Instance;

    fn index(&self, id: InstanceId) -> &Instance {
        &self.0[id.index()]
    }
}

impl IndexMut<InstanceId> for Instances {
    fn index_mut(&mut self, id: InstanceId) -> &mut Instance {
        &mut self.0[id.index()]
    }
}
