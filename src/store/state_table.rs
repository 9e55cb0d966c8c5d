//! From the states of an instance to component numbers. Exact: keys are compared, never fingerprints.
//!
//! States are packed into 64 bits when all fields are words that fit, lie in rows of several such words when they are
//! many or large, and are interned as values else. Packed states have a dense table over the box of field values while
//! that is small: the box starts with the first state and grows with what is met, and neighbouring states are neighbours
//! in it, which is what makes it fast. Larger boxes are hashed.

use crate::bytecode::WordType;
use crate::store::{ComponentId, IndexSet, Store};
use crate::value::{Value, Weight, width};
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use std::hash::BuildHasher;
use std::sync::Arc;

#[derive(Debug)]
pub(crate) enum StateTable {
    /// The table holds component numbers.
    Packed {
        layout: Vec<Packing>,
        signed: bool,
        table: Table,
    },
    Wide(WideStates),
    /// Interned values; `numbers[i]` is the component number of state `i`.
    Interned {
        states: IndexSet<Arc<[Value]>>,
        numbers: Vec<ComponentId>,
        held: Weight,
    },
}

/// The width of int fields in rows, as long as all ints fit it.
const ROW_INT_BITS: u32 = 16;

impl StateTable {
    /// An empty store for fields of these forms. `packed`: ints are taken to be small.
    pub(super) fn new(store: &Store, word_types: &[Option<WordType>], signed: &[bool], packed: bool) -> StateTable {
        let interned =
            StateTable::Interned { states: IndexSet::default(), numbers: Vec::new(), held: Weight::default() };
        let widths =
            word_types.iter().map(|word_type| StateTable::width(store, (*word_type)?)).collect::<Option<Vec<_>>>();
        let Some(widths) = widths else { return interned };
        if let Some(layout) = StateTable::layout(&widths, signed).filter(|_| packed) {
            let sizes = word_types.iter().zip(&layout).map(|(word_type, packing)| match word_type {
                Some(WordType::Int) | None => 0,
                Some(WordType::Mask(domain)) if store.domains.is_small(*domain) => 0,
                Some(WordType::Bool) => 2,
                Some(WordType::Member(domain)) => store.domains.get(*domain).len() as u64,
                Some(WordType::Mask(_)) => 1u64.checked_shl(packing.bits).unwrap_or(u64::MAX),
            });
            let table = Table::new(sizes.collect(), store.boxes);
            return StateTable::Packed { table, signed: layout.iter().any(|p| p.signed), layout };
        }
        let int_bits = if packed { ROW_INT_BITS } else { 64 };
        let bits = word_types.iter().zip(widths).map(|(word_type, width)| match word_type {
            Some(WordType::Mask(_)) => width.unwrap_or(64),
            _ => width.unwrap_or(int_bits),
        });
        StateTable::Wide(WideStates::new(&bits.zip(signed.iter().copied()).collect::<Vec<_>>()))
    }

    /// How many places the box of its table has.
    pub(super) fn places(&self) -> u64 {
        match self {
            StateTable::Packed { table, .. } => table.places(),
            StateTable::Wide(_) | StateTable::Interned { .. } => 0,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            StateTable::Packed { table, .. } => table.bytes(),
            StateTable::Wide(wide) => wide.bytes(),
            StateTable::Interned { states, numbers, held } => {
                // Of each state its place, its hash and its number in the table, and as much again while these grow.
                states.capacity() * 64 + held.bytes() + numbers.capacity() * 4
            }
        }
    }
}

/// A dense box of at most this many places is made at first (memory is touched only where states are).
const SMALL_BOX: u64 = 1 << 27;
/// Tables are many where each case brings a graph of its own. Together their boxes are made with so many places at first; what is
/// made but not touched takes no memory, but there is an end to addresses too.
const ALL_BOXES: u64 = 1 << 28;
/// One that grew may always be as large as this.
const GROWN_BOX: u64 = 1 << 22;
/// A larger one only while at least one place in this many is used.
const SPARSE: u64 = 16;

/// See the module.
#[derive(Debug)]
pub enum Table {
    /// `slots[rank]` is one more than the component number, 0 when there is none. The sizes of fields whose range is known
    /// beforehand never change.
    Dense {
        /// For each field how many values it has.
        sizes: Vec<u64>,
        /// The places.
        slots: Vec<u32>,
        /// How many of them are not 0.
        used: u64,
    },
    /// Component numbers by packed state.
    Hashed(HashMap<u64, ComponentId>),
}

fn volume(sizes: &[u64]) -> Option<u64> {
    sizes.iter().try_fold(1u64, |v, &s| v.checked_mul(s.max(1)))
}

#[inline]
fn rank(sizes: &[u64], field: &impl Fn(usize) -> u64) -> Option<usize> {
    let mut rank = 0u64;
    for (i, &size) in sizes.iter().enumerate() {
        let word = field(i);
        if word >= size {
            return None;
        }
        rank = rank * size + word;
    }
    usize::try_from(rank).ok()
}

impl Table {
    /// An empty table. `sizes` are the numbers of values of fields whose range is known, 0 for the others; `others`: how many
    /// places the boxes of all other tables have.
    pub fn new(sizes: Vec<u64>, others: u64) -> Table {
        match volume(&sizes) {
            Some(v) if v <= SMALL_BOX.min(ALL_BOXES.saturating_sub(others).max(GROWN_BOX)) => {
                Table::Dense { slots: vec![0; usize::try_from(v).unwrap_or(0)], sizes, used: 0 }
            }
            _ => Table::Hashed(HashMap::new()),
        }
    }

    /// How many places the box has.
    pub(crate) fn places(&self) -> u64 {
        match self {
            Table::Dense { slots, .. } => slots.len() as u64,
            Table::Hashed(_) => 0,
        }
    }

    /// Bytes held, roughly; of a dense table what can have been touched.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Table::Dense { slots, used, .. } => {
                let touched = width::index(used.saturating_mul(4096));
                (slots.len() * 4).min(touched)
            }
            Table::Hashed(table) => table.capacity() * 17 * 8 / 7,
        }
    }

    /// The number of a state that is in a dense table; `None`: not there, or not known this way.
    #[inline]
    pub(crate) fn lookup(&self, field: &impl Fn(usize) -> u64) -> Option<ComponentId> {
        let Table::Dense { sizes, slots, .. } = self else { return None };
        slots[rank(sizes, field)?].checked_sub(1).map(ComponentId)
    }

    /// The number of a state, or `next` after noting it. `field(i)` is its i-th word, never negative; `unpack(key, i)` that of
    /// any packed state; `key_of(number)` the packed state of a component.
    pub fn number(
        &mut self,
        key: u64,
        next: ComponentId,
        field: &impl Fn(usize) -> u64,
        unpack: &impl Fn(u64, usize) -> u64,
        key_of: &impl Fn(ComponentId) -> u64,
    ) -> Result<ComponentId, ComponentId> {
        loop {
            match self {
                Table::Dense { sizes, slots, used } => {
                    if let Some(at) = rank(sizes, field) {
                        let slot = &mut slots[at];
                        if *slot == 0 {
                            *slot = next.0 + 1;
                            *used += 1;
                            return Err(next);
                        }
                        return Ok(ComponentId(*slot - 1));
                    }
                    self.grow(field, unpack, key_of);
                }
                Table::Hashed(table) => {
                    let number = *table.entry(key).or_insert(next);
                    return if number == next { Err(next) } else { Ok(number) };
                }
            }
        }
    }

    /// Makes room for a state outside the box: a larger box, or hashing.
    fn grow(
        &mut self,
        field: &impl Fn(usize) -> u64,
        unpack: &impl Fn(u64, usize) -> u64,
        key_of: &impl Fn(ComponentId) -> u64,
    ) {
        let Table::Dense { sizes, slots, used } = self else { return };
        let first = *used == 0;
        let wider: Vec<u64> = sizes
            .iter()
            .enumerate()
            .map(|(i, &size)| match field(i) {
                word if word < size => size,
                word if first => word.saturating_add(1),
                word => word.saturating_add(1).max(size.saturating_mul(2)),
            })
            .collect();
        let room = if first { SMALL_BOX } else { GROWN_BOX.max(used.saturating_mul(SPARSE)) };
        let numbers = slots.iter().filter(|&&slot| slot != 0).map(|slot| ComponentId(slot - 1));
        if let Some(v) = volume(&wider).filter(|&v| v <= room) {
            let mut larger = vec![0u32; usize::try_from(v).unwrap_or(0)];
            for number in numbers {
                let key = key_of(number);
                if let Some(at) = rank(&wider, &|i| unpack(key, i)) {
                    larger[at] = number.0 + 1;
                }
            }
            *slots = larger;
            *sizes = wider;
        } else {
            *self = Table::Hashed(numbers.map(|number| (key_of(number), number)).collect());
        }
    }
}

/// States that do not fit one word, each a row of so many words.
#[derive(Debug)]
pub struct WideStates {
    /// For each field: the word of the row that it is in, and where there.
    pub(super) places: Vec<(usize, Packing)>,
    width: usize,
    rows: Vec<u64>,
    numbers: Vec<ComponentId>,
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
    row: Vec<u64>,
}

fn row_at(rows: &[u64], width: usize, at: u32) -> &[u64] {
    &rows[at as usize * width..(at as usize + 1) * width]
}

impl WideStates {
    /// Fields of so many bits each, with whether they may be negative, laid out one after another.
    pub fn new(fields: &[(u32, bool)]) -> WideStates {
        let (mut word, mut shift) = (0, 0);
        let mut places = Vec::with_capacity(fields.len());
        for &(bits, signed) in fields {
            if shift + bits > 64 {
                word += 1;
                shift = 0;
            }
            places.push((word, Packing { shift, bits, signed }));
            shift += bits;
        }
        let width = word + 1;
        let hasher = DefaultHashBuilder::default();
        let (rows, numbers, table) = (Vec::new(), Vec::new(), HashTable::new());
        WideStates { places, width, rows, numbers, table, hasher, row: vec![0; width] }
    }

    /// Whether every field fits; then [`WideStates::find`] looks for them.
    pub fn set(&mut self, words: impl Iterator<Item = i64>) -> bool {
        self.row.fill(0);
        self.places.iter().zip(words).all(|((at, packing), word)| {
            self.row[*at] |= packing.put(word);
            packing.fits(word)
        })
    }

    /// The component number of the state set, or `Err` with the place at which `next` was noted for it.
    pub fn find(&mut self, next: ComponentId) -> Result<ComponentId, u64> {
        let WideStates { width, rows, numbers, table, hasher, row, .. } = self;
        let hash = hasher.hash_one(&row[..]);
        let same = |&at: &u32| row_at(rows, *width, at) == &row[..];
        match table.entry(hash, same, |&at| hasher.hash_one(row_at(rows, *width, at))) {
            hashbrown::hash_table::Entry::Occupied(found) => Ok(numbers[*found.get() as usize]),
            hashbrown::hash_table::Entry::Vacant(slot) => {
                let at = width::short(numbers.len());
                slot.insert(at);
                rows.extend_from_slice(row);
                numbers.push(next);
                Err(u64::from(at))
            }
        }
    }

    /// The words of the state at a place.
    pub fn get(&self, at: u64) -> impl Iterator<Item = i64> {
        let start = width::index(at).saturating_mul(self.width);
        self.places.iter().map(move |(word, packing)| packing.get(self.rows[start + word]))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.rows.capacity() * 8 + self.numbers.capacity() * 4 + self.table.capacity() * 5 * 8 / 7
    }
}

/// Where a field is in the packed word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packing {
    pub(crate) shift: u32,
    pub(crate) bits: u32,
    pub(crate) signed: bool,
}

impl Packing {
    pub(crate) fn fits(self, word: i64) -> bool {
        if self.bits >= 64 {
            true
        } else if self.signed {
            let half = 1i64 << (self.bits - 1);
            (-half..half).contains(&word)
        } else {
            word >= 0 && word.cast_unsigned() >> self.bits == 0
        }
    }

    /// The word as a place in a table: signed ones zigzag.
    #[inline]
    pub(super) fn index(self, word: i64) -> u64 {
        if self.signed { (word.cast_unsigned() << 1) ^ (word >> 63).cast_unsigned() } else { word.cast_unsigned() }
    }

    /// The bits of a word that fits, in their place.
    #[inline]
    pub(crate) fn put(self, word: i64) -> u64 {
        if self.bits == 0 { 0 } else { (word.cast_unsigned() << (64 - self.bits)) >> (64 - self.bits) << self.shift }
    }

    #[inline]
    pub(crate) fn get(self, key: u64) -> i64 {
        if self.bits == 0 {
            return 0;
        }
        let up = 64 - self.bits - self.shift;
        let high = key << up;
        if self.signed { high.cast_signed() >> (64 - self.bits) } else { (high >> (64 - self.bits)).cast_signed() }
    }
}

/// An int field narrower than this is not worth packing.
const LEAST_INT_BITS: u32 = 7;

impl StateTable {
    /// The bits that a word of this form takes; `Some(None)` for an int, `None` when they are no number.
    #[allow(clippy::option_option)] // three cases, as the collectors of options want them
    fn width(store: &Store, word_type: WordType) -> Option<Option<u32>> {
        match word_type {
            WordType::Int => Some(None),
            WordType::Bool => Some(Some(1)),
            WordType::Member(domain) => {
                let n = store.domains.get(domain).len().max(1);
                Some(Some(usize::BITS - (n - 1).leading_zeros()))
            }
            // Most sets have small members only: they share the bits as ints do.
            WordType::Mask(domain) if store.domains.is_small(domain) => Some(None),
            WordType::Mask(domain) => u32::try_from(store.domains.get(domain).len()).ok().map(Some),
        }
    }

    fn layout(widths: &[Option<u32>], signed: &[bool]) -> Option<Vec<Packing>> {
        let taken: u32 = widths.iter().flatten().sum();
        let ints = u32::try_from(widths.iter().filter(|w| w.is_none()).count()).ok()?;
        if taken > 64 || (ints > 0 && (64 - taken) / ints < LEAST_INT_BITS) {
            return None;
        }
        let each = (64 - taken).checked_div(ints).unwrap_or(0);
        let mut shift = 0;
        let mut layout = Vec::with_capacity(widths.len());
        for (width, &signed) in widths.iter().zip(signed).rev() {
            let bits = width.unwrap_or(each);
            layout.push(Packing { shift, bits, signed: signed && width.is_none() });
            shift += bits;
        }
        layout.reverse();
        Some(layout)
    }
}
