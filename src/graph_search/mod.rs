//! Games whose play may come back: graphs of states, gone through backwards from where play ends.
//!
//! In: the states of a box with native code for their moves, or any graph that can name the nodes before a node
//! ([`ReverseGraph`](reverse_graph::ReverseGraph)). Out: for each node who wins, after how many moves, and its loopy
//! value where one is asked for. There is one retrograde analysis and one staging for all of them. Which graph is worth
//! while is for the engines to say.

pub(crate) mod box_graph;
pub(crate) mod change_lists;
pub(crate) mod countdown;
pub(crate) mod edge_buckets;
pub(crate) mod rank_changes;
pub(crate) mod reach;
pub(crate) mod reachable_states;
pub(crate) mod retrograde;
pub mod reverse_graph;
pub mod solved;
pub(crate) mod stages;
pub(crate) mod unmove;
