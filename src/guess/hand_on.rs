//! Where a proposal that survived all data goes next: to the prover.

use crate::answer::verdict::Verdict;
use crate::check::model::Claim;
use crate::prove::prove_claim;
use crate::rules::machine::Machine;
use std::time::{Duration, Instant};

/// A proof may take so long.
const TIME: Duration = Duration::from_secs(10);

/// The status of a claim that holds for all values that were worked out. `machine` runs the file with the claim in it.
///
/// Data proves nothing: without a proof the claim is VERIFIED as far as the data reaches.
pub(super) fn status(machine: &mut Machine, claim: &Claim) -> Verdict {
    let left = machine.limits.deadline.map(|(at, _)| at.saturating_duration_since(Instant::now()));
    match prove_claim(machine, left.map_or(TIME, |left| left.min(TIME)), claim) {
        Some(verdict) => verdict,
        None => Verdict::Verified,
    }
}
