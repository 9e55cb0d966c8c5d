//! Tables and functions that were worked out when the code was made.

use crate::bytecode::word_type::Aggregate;
use std::sync::Arc;

/// A constant list of ints.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct ListTable {
    pub base: i64,
    pub items: Arc<[i64]>,
    /// What an index outside is told to be outside of.
    pub whole: Aggregate,
}

/// A native function on masks.
#[derive(Clone)]
pub struct Native(pub Arc<dyn Fn(u64) -> u64 + Send + Sync>);

impl std::fmt::Debug for Native {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Native")
    }
}
