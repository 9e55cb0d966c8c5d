//! The records of lines, kept from run to run of the native code, with more room when larger values come.

use crate::tables::line_moves::record_bytes;

/// See the module.
#[derive(Debug, Default)]
pub(super) struct LineRecords {
    /// Words of values in each.
    words: u64,
    data: Vec<u64>,
}

impl LineRecords {
    /// Makes as many records with so many words of values: empty ones, or if `keep` with what they held. `O(records * words)`.
    pub(super) fn fit(&mut self, count: u64, words: u64, keep: bool) {
        let size = |words: u64| usize::try_from(record_bytes(words) / 8).unwrap_or(usize::MAX);
        let (old, new) = (size(self.words), size(words));
        let len = usize::try_from(count).unwrap_or(usize::MAX).saturating_mul(new);
        if !keep {
            self.data.fill(0);
            if self.data.len() != len {
                self.data = vec![0; len];
            }
        } else if old != new {
            let mut data = vec![0; len];
            for (to, from) in data.chunks_exact_mut(new).zip(self.data.chunks_exact(old)) {
                // Values come last.
                let kept = old.min(new);
                to[..kept].copy_from_slice(&from[..kept]);
            }
            self.data = data;
        }
        self.words = words;
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.data.fill(0);
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.data.len() * 8
    }

    /// The address of the first record.
    pub(super) fn start(&mut self) -> *mut u64 {
        self.data.as_mut_ptr()
    }
}

#[cfg(test)]
mod tests {
    use crate::tables::line_records::LineRecords;

    #[test]
    fn records_keep_what_they_hold() {
        let mut records = LineRecords::default();
        records.fit(3, 1, false);
        records.data.copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8, 9]);
        records.fit(3, 2, true);
        assert_eq!(records.data, [1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0]);
        records.fit(3, 2, true);
        assert_eq!(records.data[..4], [1, 2, 3, 0]);
        records.fit(2, 1, false);
        assert_eq!(records.data, [0; 6]);
    }
}
