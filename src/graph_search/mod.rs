//! Games whose play may come back: graphs of positions, gone through backwards.

pub(crate) mod box_graph;
pub(crate) mod change_lists;
pub(crate) mod countdown;
pub(crate) mod edge_buckets;
pub(crate) mod explore;
pub(crate) mod rank_changes;
pub(crate) mod reach;
pub(crate) mod reachable_states;
pub(crate) mod retrograde;
pub mod reverse_graph;
pub mod solved;
pub(crate) mod space;
pub(crate) mod stages;
pub(crate) mod unmove;
