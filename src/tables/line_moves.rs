//! Moves that take any number from the same fields: what all of them see at once.
//!
//! The options of a state by such a move are the states before it on a line, down to where one of the fields is 0. States
//! are worked out in an order in which every state comes after those. So a record for each line, of what was seen on it so
//! far, stands for all these options: a move that could be made in a thousand ways costs as much as one.
//!
//! For games of heaps from which any number is taken, worked out position by position. Measured against the same moves run
//! through one by one, one thread: benchmark "Wythoff 1000 x 1000" 0.06 s against 5.3 s (88 times the speed), three coupled heaps
//! of 120 each 0.04 s against 1.06 s (26 times). `EngineOptions::lines` turns it off.

use crate::jit::emit::Emitter;
use crate::jit::ranking::Grid;
use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_frontend::Variable;

/// The lines of one set of fields.
#[derive(Clone, Debug)]
pub(super) struct LineMoves {
    /// The fields, as bits.
    pub(super) fields: u64,
    /// The number of its first record.
    first: u64,
    /// For each field: what a step of it is worth in the number of the line.
    worth: Vec<i64>,
    /// Added to make the number of a line not negative.
    shift: i64,
    /// How many lines.
    pub(super) lines: u64,
    /// The address of the record whose options the position has; that of the empty record when it has none of them.
    pub(super) seen: Variable,
}

/// Fields smaller than this are run through.
const SHORT: u64 = 16;
/// More lines than this are not kept.
const MOST: u64 = 1 << 36;

impl LineMoves {
    /// The lines of these fields in a box, their records from number `first` on. `None`: they are not worth it.
    pub(super) fn new(grid: &Grid, fields: u64, first: u64, seen: Variable) -> Option<LineMoves> {
        let is_in = |field: usize| field < 64 && fields >> field & 1 == 1;
        let base = (0..grid.digits.len()).find(|&field| is_in(field))?;
        let mut worth = vec![0i64; grid.digits.len()];
        let (mut lines, mut shift) = (1u64, 0i64);
        for (field, digit) in grid.digits.iter().enumerate() {
            if is_in(field) && (digit.reversed || digit.size < SHORT) {
                return None;
            }
            if field == base {
                continue;
            }
            let step = i64::try_from(lines).ok()?;
            worth[field] = step;
            let mut values = digit.size;
            if is_in(field) {
                // The difference of two fields stays on a line.
                let last = grid.digits[base].size - 1;
                worth[base] -= step;
                shift += step * i64::try_from(last).ok()?;
                values += last;
            }
            lines = lines.checked_mul(values).filter(|&lines| lines <= MOST)?;
        }
        Some(LineMoves { fields, first, worth, shift, lines, seen })
    }

    /// The address of the record of a position's line; `records` is that of record 0.
    pub(super) fn record(&self, e: &mut Emitter, inputs: &[Variable], records: Value, bytes: u64) -> Value {
        let mut number = e.const_value(self.shift.wrapping_add(self.first.cast_signed()));
        for (&input, &worth) in inputs.iter().zip(&self.worth) {
            if worth != 0 {
                let word = e.b.use_var(input);
                let worth = e.const_value(worth);
                let part = e.b.ins().imul(word, worth);
                number = e.b.ins().iadd(number, part);
            }
        }
        let bytes = e.const_value(bytes.cast_signed());
        let offset = e.b.ins().imul(number, bytes);
        e.b.ins().iadd(records, offset)
    }
}

/// Where in a record the complement of the least cell is.
pub(super) const LEAST: i32 = 0;
/// Where it is said that some cell was not decided.
pub(super) const POISON: i32 = 8;
/// Where the values seen begin, as bits.
pub(super) const VALUES: i32 = 16;

/// Bytes of a record with so many words of values.
pub(super) fn record_bytes(words: u64) -> u64 {
    16 + words * 8
}
