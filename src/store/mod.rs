//! Where the states of an instance are kept: packed into 64 bits when all fields are words that fit, in rows of several
//! such words when they are many or large, else interned.
//!
//! In: the state of an instance. Out: the number of the component, under which all else is remembered of it; and back.
//! A position is a sorted list of such numbers. Equal states have one number, always exactly: keys are compared. What
//! states are worth is not known here.

mod fields;
mod intern;
mod packing;
mod read;
pub mod sums;
pub(crate) mod table;
pub mod wide_states;

use crate::bytecode::Rep;
pub(crate) use crate::store::packing::Packing;
use crate::store::table::Table;
use crate::store::wide_states::Long;
use crate::value::{Value, Weight};
use crate::vm::context::Context;
use std::sync::Arc;

/// Sets with numbered members, hashed fast: nothing here is under attack.
pub(crate) type IndexSet<T> = indexmap::IndexSet<T, hashbrown::DefaultHashBuilder>;

/// The states of one instance.
#[derive(Debug)]
pub enum StateTable {
    /// Packed words; the table holds component numbers.
    Packed {
        /// How each field is packed.
        layout: Vec<Packing>,
        /// Some field may be negative.
        signed: bool,
        /// Component numbers by packed state.
        table: Table,
    },
    /// Words that need more room.
    Long(Long),
    /// Interned values; `numbers[i]` is the component number of state `i`.
    Interned {
        /// The states.
        states: IndexSet<Arc<[Value]>>,
        /// Their component numbers.
        numbers: Vec<u32>,
        /// What the states take.
        held: Weight,
    },
}

/// The width of int fields in rows, as long as all ints fit it.
const ROW_INT_BITS: u32 = 16;

impl StateTable {
    /// An empty store for fields of these forms. `packed`: ints are taken to be small.
    pub(crate) fn new(ctx: &Context, reps: &[Option<Rep>], signed: &[bool], packed: bool) -> StateTable {
        let layout = if packed { StateTable::layout(ctx, reps, signed) } else { None };
        let int_bits = if packed { ROW_INT_BITS } else { 64 };
        match layout {
            Some(layout) => {
                let sizes = reps.iter().zip(&layout).map(|(rep, packing)| match rep {
                    Some(Rep::Int) | None => 0,
                    Some(Rep::Mask(domain)) if ctx.is_small(*domain) => 0,
                    Some(Rep::Bool) => 2,
                    Some(Rep::Member(domain)) => ctx.domain(*domain).len() as u64,
                    Some(Rep::Mask(_)) => 1u64.checked_shl(packing.bits).unwrap_or(u64::MAX),
                });
                StateTable::Packed {
                    table: Table::new(sizes.collect(), ctx.store.boxes),
                    signed: layout.iter().any(|p| p.signed),
                    layout,
                }
            }
            None => match reps.iter().map(|rep| StateTable::width(ctx, (*rep)?)).collect::<Option<Vec<_>>>() {
                Some(widths) => {
                    let widths = reps.iter().zip(widths);
                    let bits = widths.map(|(rep, width)| match rep {
                        Some(Rep::Mask(_)) => width.unwrap_or(64),
                        _ => width.unwrap_or(int_bits),
                    });
                    StateTable::Long(Long::new(&bits.zip(signed.iter().copied()).collect::<Vec<_>>()))
                }
                None => {
                    StateTable::Interned { states: IndexSet::default(), numbers: Vec::new(), held: Weight::default() }
                }
            },
        }
    }

    /// How many places the box of its table has.
    pub(crate) fn places(&self) -> u64 {
        match self {
            StateTable::Packed { table, .. } => table.places(),
            StateTable::Long(_) | StateTable::Interned { .. } => 0,
        }
    }

    /// Bytes held, roughly.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            StateTable::Packed { table, .. } => table.bytes(),
            StateTable::Long(long) => long.bytes(),
            StateTable::Interned { states, numbers, held } => {
                // Of each state its place, its hash and its number in the table, and as much again while these grow.
                states.capacity() * 64 + held.bytes() + numbers.capacity() * 4
            }
        }
    }
}
