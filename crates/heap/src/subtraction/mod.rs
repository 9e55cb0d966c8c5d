//! Subtraction games.
//!
//! While values are below 64, the value of a heap is kept as one bit of a word ([`bits`]), and many consecutive heaps are
//! worked on together; after that, for each value a row of bits says which heaps have it ([`rows`]).

mod bits;
mod rows;

use crate::instructions::Instructions;
use crate::subtraction::bits::Bits;
use crate::subtraction::rows::Rows;
use crate::{Halt, Watch};

/// The engine.
#[derive(Clone, Debug)]
pub struct Subtraction {
    set: Instructions,
    /// Ascending, positive.
    amounts: Vec<usize>,
    engine: Engine,
}

/// By how large the values are.
#[derive(Clone, Debug)]
enum Engine {
    /// Below 16, and so on.
    Short(Bits<u16>),
    Middle(Bits<u32>),
    Long(Bits<u64>),
    /// Any.
    Rows(Rows),
}

impl Engine {
    /// The engine for values up to a largest one.
    fn new(max: u16, amounts: &[usize]) -> Engine {
        match max {
            ..16 => Engine::Short(Bits::new(amounts)),
            16..32 => Engine::Middle(Bits::new(amounts)),
            32..64 => Engine::Long(Bits::new(amounts)),
            _ => Engine::Rows(Rows::new(amounts)),
        }
    }
}

impl Subtraction {
    /// The engine for ascending positive amounts.
    #[must_use]
    pub fn new(amounts: &[usize], set: Instructions) -> Subtraction {
        Subtraction { set, amounts: amounts.to_vec(), engine: Engine::new(0, amounts) }
    }

    /// Goes on from the values that are there to at least `len` of them. O(amounts / 16) a heap while values are below 32, twice
    /// that while they are below 64, then O(amounts x values / 64).
    ///
    /// # Errors
    /// When told to stop, or when a value does not fit.
    pub fn extend(&mut self, values: &mut Vec<u16>, len: usize, watch: Watch<'_>) -> Result<(), Halt> {
        while values.len() < len {
            let next = match &mut self.engine {
                Engine::Short(bits) => bits.extend(self.set, values, len, watch)?,
                Engine::Middle(bits) => bits.extend(self.set, values, len, watch)?,
                Engine::Long(bits) => bits.extend(self.set, values, len, watch)?,
                Engine::Rows(rows) => return rows.extend(values, len, watch),
            };
            if let Some(value) = next {
                self.engine = Engine::new(value, &self.amounts);
            }
        }
        Ok(())
    }
}
