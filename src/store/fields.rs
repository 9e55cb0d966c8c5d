//! What is known of the fields of all states of an instance.

use crate::bytecode::Rep;
use crate::store::StateTable;
use crate::value::domain::Domain;
use crate::vm::context::Context;
use crate::vm::ids::InstanceId;

impl Context {
    /// For each field whether it is never negative; `None` when the states are kept as values.
    pub(crate) fn natural_fields(&self, instance: InstanceId) -> Option<Vec<bool>> {
        match &self.store.instances[instance].states {
            StateTable::Packed { layout, .. } => Some(layout.iter().map(|packing| !packing.signed).collect()),
            StateTable::Long(long) => Some(long.packings().map(|packing| !packing.signed).collect()),
            StateTable::Interned { .. } => None,
        }
    }

    /// For each field whether it is a set of vertices or edges or a truth value: bits that moves change one by one.
    pub(crate) fn joined_fields(&self, instance: InstanceId) -> Vec<bool> {
        let joined = |rep: &Option<Rep>| match rep {
            Some(Rep::Mask(domain)) => !self.is_small(*domain),
            rep => *rep == Some(Rep::Bool),
        };
        self.store.instances[instance].reps.iter().map(joined).collect()
    }

    /// Whether some field is a set of small numbers or pairs.
    pub(crate) fn has_small_sets(&self, instance: InstanceId) -> bool {
        let small = |rep: &Option<Rep>| matches!(rep, Some(Rep::Mask(domain)) if self.is_small(*domain));
        self.store.instances[instance].reps.iter().any(small)
    }

    /// For each field how many values it can have, where that is known beforehand.
    pub(crate) fn field_limits(&self, instance: InstanceId) -> Vec<Option<u64>> {
        let instance = &self.store.instances[instance];
        let limit = |rep: &Option<Rep>| match rep {
            Some(Rep::Int) | None => None,
            Some(Rep::Bool) => Some(2),
            // Most texts have few of a file's letters.
            Some(Rep::Member(domain)) if matches!(self.domain(*domain), Domain::Letters(_)) => None,
            Some(Rep::Member(domain)) => Some(self.domain(*domain).len() as u64),
            Some(Rep::Mask(domain)) if self.is_small(*domain) => None,
            Some(Rep::Mask(domain)) => {
                let members = u32::try_from(self.domain(*domain).len()).unwrap_or(u32::MAX);
                Some(1u64.checked_shl(members).unwrap_or(u64::MAX))
            }
        };
        instance.reps.iter().map(limit).collect()
    }
}
