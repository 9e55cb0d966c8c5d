//! Where the states of an instance are kept: packed into 64 bits when all fields are words that fit, in rows of several
//! such words when they are many or large, else interned.

use crate::rules::code::{FieldReg, PushSpec, Rep};
use crate::rules::fault::{Halt, Run};
use crate::rules::long::Long;
use crate::rules::machine::Machine;
use crate::rules::run::Registers;
use crate::rules::table::Table;
use crate::rules::value::Value;
use std::sync::Arc;

/// Sets with numbered members, hashed fast: nothing here is under attack.
pub(crate) type IndexSet<T> = indexmap::IndexSet<T, hashbrown::DefaultHashBuilder>;

/// The states of one instance.
#[derive(Debug)]
pub enum Store {
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
    },
}

/// Where a field is in the packed word.
#[derive(Clone, Copy, Debug)]
pub struct Packing {
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
    fn index(self, word: i64) -> u64 {
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
/// The width of int fields in rows, as long as all ints fit it.
const ROW_INT_BITS: u32 = 16;

impl Store {
    /// An empty store for fields of these forms. `packed`: ints are taken to be small.
    pub(crate) fn new(machine: &Machine, reps: &[Option<Rep>], signed: &[bool], packed: bool) -> Store {
        let layout = if packed { Store::layout(machine, reps, signed) } else { None };
        let int_bits = if packed { ROW_INT_BITS } else { 64 };
        match layout {
            Some(layout) => {
                let sizes = reps.iter().zip(&layout).map(|(rep, packing)| match rep {
                    Some(Rep::Int) | None => 0,
                    Some(Rep::Bool) => 2,
                    Some(Rep::Member(domain)) => machine.domain(*domain).len() as u64,
                    Some(Rep::Mask(_)) => 1u64.checked_shl(packing.bits).unwrap_or(u64::MAX),
                });
                Store::Packed { table: Table::new(sizes.collect()), signed: layout.iter().any(|p| p.signed), layout }
            }
            None => match reps.iter().map(|rep| Store::width(machine, (*rep)?)).collect::<Option<Vec<_>>>() {
                Some(widths) => {
                    let bits = widths.iter().map(|width| width.unwrap_or(int_bits));
                    Store::Long(Long::new(&bits.zip(signed.iter().copied()).collect::<Vec<_>>()))
                }
                None => Store::Interned { states: IndexSet::default(), numbers: Vec::new() },
            },
        }
    }

    /// The bits that a word of this form takes; `Some(None)` for an int, `None` when they are no number.
    #[allow(clippy::option_option)] // three cases, as the collectors of options want them
    fn width(machine: &Machine, rep: Rep) -> Option<Option<u32>> {
        match rep {
            Rep::Int => Some(None),
            Rep::Bool => Some(Some(1)),
            Rep::Member(domain) => {
                let n = machine.domain(domain).len().max(1);
                Some(Some(usize::BITS - (n - 1).leading_zeros()))
            }
            Rep::Mask(domain) => u32::try_from(machine.domain(domain).len()).ok().map(Some),
        }
    }

    fn layout(machine: &Machine, reps: &[Option<Rep>], signed: &[bool]) -> Option<Vec<Packing>> {
        let widths: Vec<Option<u32>> = reps.iter().map(|rep| Store::width(machine, (*rep)?)).collect::<Option<_>>()?;
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

    /// Bytes held, roughly.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Store::Packed { table, .. } => table.bytes(),
            Store::Long(long) => long.bytes(),
            Store::Interned { states, numbers } => {
                let each = states.first().map_or(0, |s| s.iter().map(Value::bytes).sum::<usize>() + 16);
                states.capacity() * 32 + states.len() * each + numbers.capacity() * 4
            }
        }
    }
}

/// The place of a field's word in a table.
#[inline]
fn layout_index(layout: &[Packing], fields: &[FieldReg], words: &[i64], i: usize) -> u64 {
    match fields[i] {
        FieldReg::Word(reg) => layout[i].index(words[usize::from(reg)]),
        FieldReg::Value(_) => u64::MAX,
    }
}

impl Machine {
    fn new_component(&mut self, instance: usize, key: u64) -> u32 {
        let number = u32::try_from(self.keys.len()).unwrap_or(u32::MAX);
        self.keys.push(key);
        self.instance_of.push(u32::try_from(instance).unwrap_or(u32::MAX));
        number
    }

    /// A component met before whose unsigned fields are words of a dense table: the short way of [`Machine::intern`].
    #[inline]
    pub(crate) fn find_dense(&self, push: &PushSpec, words: &[i64]) -> Option<u32> {
        let regs = push.words.as_ref()?;
        match &self.instances[push.instance].store {
            Store::Packed { table: Table::Dense { sizes, slots, .. }, signed: false, .. } => {
                let mut rank = 0u64;
                for (&size, &reg) in sizes.iter().zip(regs.iter()) {
                    let word = words[usize::from(reg)].cast_unsigned();
                    if word >= size {
                        return None;
                    }
                    rank = rank * size + word;
                }
                slots[usize::try_from(rank).ok()?].checked_sub(1)
            }
            _ => None,
        }
    }

    /// The component whose fields are in registers.
    pub(crate) fn intern(&mut self, instance: usize, fields: &[FieldReg], words: &[i64], values: &[Value]) -> Run<u32> {
        let next = u32::try_from(self.keys.len()).unwrap_or(u32::MAX);
        let at = &mut self.instances[instance];
        if let Store::Packed { layout, table, .. } = &mut at.store {
            if let Some(number) = table.lookup(&|i| layout_index(layout, fields, words, i)) {
                return Ok(number);
            }
            let mut key = 0u64;
            for (field, packing) in fields.iter().zip(layout.iter()) {
                let FieldReg::Word(reg) = field else { return Err(Halt::Unpack(at.game)) };
                let word = words[usize::from(*reg)];
                if !packing.fits(word) {
                    return Err(Halt::Unpack(at.game));
                }
                key |= packing.put(word);
            }
            let layout = &layout[..];
            let unpack = |key: u64, i: usize| layout[i].index(layout[i].get(key));
            let keys = &self.keys;
            return Ok(
                match table
                    .number(key, next, &|i| layout_index(layout, fields, words, i), &unpack, &|n| keys[n as usize])
                {
                    Ok(number) => number,
                    Err(_) => self.new_component(instance, key),
                },
            );
        }
        if let Store::Long(long) = &mut at.store {
            let word = |field: &FieldReg| match field {
                FieldReg::Word(reg) => words[usize::from(*reg)],
                FieldReg::Value(_) => 0,
            };
            if !long.set(fields.iter().map(word)) {
                return Err(Halt::Unpack(at.game));
            }
            return Ok(match long.find(next) {
                Ok(number) => number,
                Err(key) => self.new_component(instance, key),
            });
        }
        let splits = at.splits;
        let reps = self.instances[instance].reps.clone();
        let state: Arc<[Value]> = fields
            .iter()
            .zip(reps.iter())
            .map(|(field, rep)| match (field, rep) {
                (FieldReg::Word(reg), Some(rep)) => self.word_value(words[usize::from(*reg)], *rep),
                (FieldReg::Value(reg), _) => values[usize::from(*reg)].clone(),
                (FieldReg::Word(reg), None) => Value::Int(words[usize::from(*reg)]),
            })
            .collect();
        if splits {
            let shaped = self.instance_of_state(instance, &state);
            return self.intern_state(shaped, &state);
        }
        Ok(self.intern_values(instance, state))
    }

    fn intern_values(&mut self, instance: usize, state: Arc<[Value]>) -> u32 {
        let next = u32::try_from(self.keys.len()).unwrap_or(u32::MAX);
        let Store::Interned { states, numbers } = &mut self.instances[instance].store else { return next };
        let (at, new) = states.insert_full(state);
        if new {
            numbers.push(next);
            self.new_component(instance, at as u64)
        } else {
            numbers[at]
        }
    }

    /// The component of a state given as values.
    pub(crate) fn intern_state(&mut self, instance: usize, state: &Arc<[Value]>) -> Run<u32> {
        if matches!(self.instances[instance].store, Store::Interned { .. }) {
            return Ok(self.intern_values(instance, state.clone()));
        }
        let forms = self.instances[instance].forms.clone();
        let mut words = Vec::with_capacity(state.len());
        for (value, form) in state.iter().zip(forms.iter()) {
            self.split(form, value, &mut words)?;
        }
        let fields: Vec<FieldReg> =
            (0..words.len()).map(|i| FieldReg::Word(u16::try_from(i).unwrap_or(u16::MAX))).collect();
        self.intern(instance, &fields, &words, &[])
    }

    /// The state of a component as values.
    pub(crate) fn state_values(&self, id: u32) -> Arc<[Value]> {
        let instance = &self.instances[self.instance_of[id as usize] as usize];
        let key = self.keys[id as usize];
        match &instance.store {
            Store::Packed { layout, .. } => {
                let mut words = layout.iter().map(|packing| packing.get(key));
                self.join_all(&instance.forms, &mut || words.next().unwrap_or(0))
            }
            Store::Long(long) => {
                let mut words = long.get(key);
                self.join_all(&instance.forms, &mut || words.next().unwrap_or(0))
            }
            Store::Interned { states, .. } => {
                let at = usize::try_from(key).unwrap_or(usize::MAX);
                states.get_index(at).cloned().unwrap_or_else(|| Arc::from(Vec::new()))
            }
        }
    }

    /// The fields of a component as words; `None` when they are kept as values.
    pub(crate) fn state_words(&self, id: u32) -> Option<Vec<i64>> {
        let instance = &self.instances[self.instance_of[id as usize] as usize];
        let key = self.keys[id as usize];
        match &instance.store {
            Store::Packed { layout, .. } => Some(layout.iter().map(|packing| packing.get(key)).collect()),
            Store::Long(long) => Some(long.get(key).collect()),
            Store::Interned { .. } => None,
        }
    }

    /// For each field whether it is never negative; `None` when the states are kept as values.
    pub(crate) fn natural_fields(&self, instance: usize) -> Option<Vec<bool>> {
        match &self.instances[instance].store {
            Store::Packed { layout, .. } => Some(layout.iter().map(|packing| !packing.signed).collect()),
            Store::Long(long) => Some(long.packings().map(|packing| !packing.signed).collect()),
            Store::Interned { .. } => None,
        }
    }

    /// For each field whether it is a set or a truth value: bits that moves change one by one.
    pub(crate) fn joined_fields(&self, instance: usize) -> Vec<bool> {
        let reps = self.instances[instance].reps.iter();
        reps.map(|rep| matches!(rep, Some(Rep::Mask(_) | Rep::Bool))).collect()
    }

    /// For each field how many values it can have, where that is known beforehand.
    pub(crate) fn field_limits(&self, instance: usize) -> Vec<Option<u64>> {
        let instance = &self.instances[instance];
        let limit = |rep: &Option<Rep>| match rep {
            Some(Rep::Int) | None => None,
            Some(Rep::Bool) => Some(2),
            Some(Rep::Member(domain)) => Some(self.domain(*domain).len() as u64),
            Some(Rep::Mask(domain)) => {
                let members = u32::try_from(self.domain(*domain).len()).unwrap_or(u32::MAX);
                Some(1u64.checked_shl(members).unwrap_or(u64::MAX))
            }
        };
        instance.reps.iter().map(limit).collect()
    }

    /// Loads the fields of a component into the registers that code expects them in.
    pub(crate) fn load(&self, id: u32, inputs: &[FieldReg], regs: &mut Registers) -> Run<()> {
        let instance = &self.instances[self.instance_of[id as usize] as usize];
        let key = self.keys[id as usize];
        match &instance.store {
            Store::Packed { layout, .. } => {
                for (field, packing) in inputs.iter().zip(layout) {
                    if let FieldReg::Word(reg) = field {
                        regs.words[usize::from(*reg)] = packing.get(key);
                    }
                }
            }
            Store::Long(long) => {
                for (field, word) in inputs.iter().zip(long.get(key)) {
                    if let FieldReg::Word(reg) = field {
                        regs.words[usize::from(*reg)] = word;
                    }
                }
            }
            Store::Interned { states, .. } => {
                let at = usize::try_from(key).unwrap_or(usize::MAX);
                if let Some(state) = states.get_index(at) {
                    self.load_values(state, &instance.reps, inputs, regs)?;
                }
            }
        }
        Ok(())
    }

    /// Loads field values.
    pub(crate) fn load_values(
        &self,
        state: &[Value],
        reps: &[Option<Rep>],
        inputs: &[FieldReg],
        regs: &mut Registers,
    ) -> Run<()> {
        for ((field, value), rep) in inputs.iter().zip(state).zip(reps) {
            match (field, rep) {
                (FieldReg::Word(reg), Some(rep)) => regs.words[usize::from(*reg)] = self.value_word(value, *rep)?,
                (FieldReg::Word(_), None) => {}
                (FieldReg::Value(reg), _) => regs.values[usize::from(*reg)] = value.clone(),
            }
        }
        Ok(())
    }
}
