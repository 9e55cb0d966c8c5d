//! Where a proposal that survived all data goes next.

use crate::answer::verdict::Verdict;
use crate::check::model::Claim;
use crate::rules::machine::Machine;

/// The status of a claim that holds for all values that were worked out. `machine` runs the file with the claim in it.
///
/// Data proves nothing: the claim is VERIFIED as far as the data reaches.
pub(super) fn status(_machine: &mut Machine, _claim: &Claim) -> Verdict {
    Verdict::Verified
}
