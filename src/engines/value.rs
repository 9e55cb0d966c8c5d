//! Values of sums: xor of nimbers, Smith's rule with infinite values.

use crate::answer::{GrundyValue, Outcome};

/// The value of a sum of components, from which one can be taken out and others put in.
#[derive(Clone, Debug, Default)]
pub(crate) struct SumValue {
    xor: u64,
    infinite: Vec<Vec<u64>>,
}

impl SumValue {
    /// Adds a component.
    pub(crate) fn add(&mut self, value: &GrundyValue) {
        match value {
            GrundyValue::Nimber(g) => self.xor ^= g,
            GrundyValue::Loop(options) => self.infinite.push(options.clone()),
            // No search makes such values.
            GrundyValue::Large(_) => {}
        }
    }

    /// Takes out a component that is in it.
    pub(crate) fn remove(&mut self, value: &GrundyValue) {
        match value {
            GrundyValue::Nimber(g) => self.xor ^= g,
            GrundyValue::Loop(options) => {
                if let Some(at) = self.infinite.iter().position(|o| o == options) {
                    self.infinite.swap_remove(at);
                }
            }
            GrundyValue::Large(_) => {}
        }
    }

    /// Both sums together.
    pub(crate) fn plus(&self, other: &SumValue) -> SumValue {
        let infinite = self.infinite.iter().chain(&other.infinite).cloned().collect();
        SumValue { xor: self.xor ^ other.xor, infinite }
    }

    /// The value: one infinite component is shifted, two make the value with no finite options.
    pub(crate) fn value(&self) -> GrundyValue {
        match &self.infinite[..] {
            [] => GrundyValue::Nimber(self.xor),
            [options] => {
                let mut shifted: Vec<u64> = options.iter().map(|k| k ^ self.xor).collect();
                shifted.sort_unstable();
                GrundyValue::Loop(shifted)
            }
            _ => GrundyValue::Loop(Vec::new()),
        }
    }

    /// Who wins: the player to move.
    pub(crate) fn outcome(&self) -> Outcome {
        match &self.infinite[..] {
            [] if self.xor == 0 => Outcome::Second,
            [] => Outcome::First,
            [options] if options.contains(&self.xor) => Outcome::First,
            _ => Outcome::Draw,
        }
    }
}
