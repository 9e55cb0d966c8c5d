//! What native code writes for an option: the rank of a state, or a mark above all ranks.

/// Set in an option whose mover has the next turn.
pub(crate) const AGAIN: u64 = 1 << 63;

/// Set in an entry that is no option: a move that ends the play; 0, 1, 2 in the low bits: the mover wins, loses, draws.
pub(crate) const STOP: u64 = 1 << 62;

/// Set in an entry that is no option: the play is over at the position itself; for the player to move it is won, lost, drawn.
pub(crate) const ENDED: u64 = 1 << 61;

/// Ranks are below this.
pub(crate) const RANKS: u64 = 1 << 61;
