//! Components under numbers: from a state to its number, and from the number to the state as values, as words, in registers.

use crate::bytecode::{FieldReg, InstanceId, PushSpec, Registers, WordType};
use crate::model::GameId;
use crate::source::diagnostic::Code;
use crate::store::packing::Packing;
use crate::store::table::Table;
use crate::store::{StateTable, Store};
use crate::value::domain::Domain;
use crate::value::fault::{Deopt, Fault, Halt, Run};
use crate::value::{Component, Value};
use std::sync::Arc;

/// The place of a field's word in a table.
#[inline]
fn layout_index(layout: &[Packing], fields: &[FieldReg], words: &[i64], i: usize) -> u64 {
    match fields[i] {
        FieldReg::Word(reg) => layout[i].index(words[usize::from(reg)]),
        FieldReg::Value(_) => u64::MAX,
    }
}

impl Store {
    /// There are fewer components: greater numbers are marks in the solver.
    const MOST_COMPONENTS: u32 = 1 << 31;

    /// The number of the next component. L01 when there is none left.
    #[inline]
    fn next_component(&self) -> Result<u32, Fault> {
        u32::try_from(self.keys.len())
            .ok()
            .filter(|&next| next < Store::MOST_COMPONENTS)
            .ok_or_else(|| Fault::new(Code::L01, "more than 2^31 components of positions"))
    }

    /// A number for a state that was not met before and takes so many bytes itself.
    fn new_component(&mut self, instance: InstanceId, key: u64, bytes: usize) -> Run<u32> {
        /// Bytes of a component in all tables.
        const EACH: usize = 32;
        let number = self.next_component()?;
        self.keys.push(key);
        self.instance_of.push(instance);
        self.grown += bytes + EACH;
        Ok(number)
    }

    /// A component met before whose unsigned fields are words of a dense table: the short way of [`Store::intern`].
    #[inline]
    pub(crate) fn find_dense(&self, push: &PushSpec, words: &[i64]) -> Option<u32> {
        let regs = push.words.as_ref()?;
        match &self.states[push.instance] {
            StateTable::Packed { table: Table::Dense { sizes, slots, .. }, signed: false, .. } => {
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

    /// The component whose fields are in registers, of an instance whose states are not looked up by their lengths first.
    pub(crate) fn intern(
        &mut self,
        instance: InstanceId,
        fields: &[FieldReg],
        words: &[i64],
        values: &[Value],
    ) -> Run<u32> {
        let next = self.next_component()?;
        let game = self.instances[instance].game;
        match &mut self.states[instance] {
            StateTable::Packed { layout, table, .. } => {
                if let Some(number) = table.lookup(&|i| layout_index(layout, fields, words, i)) {
                    return Ok(number);
                }
                let mut key = 0u64;
                for (field, packing) in fields.iter().zip(layout.iter()) {
                    let FieldReg::Word(reg) = field else { return Err(Halt::Deopt(Deopt::StateOverflow(game))) };
                    let word = words[usize::from(*reg)];
                    if !packing.fits(word) {
                        return Err(Halt::Deopt(Deopt::StateOverflow(game)));
                    }
                    key |= packing.put(word);
                }
                let layout = &layout[..];
                let unpack = |key: u64, i: usize| layout[i].index(layout[i].get(key));
                let keys = &self.keys;
                let place = |i| layout_index(layout, fields, words, i);
                match table.number(key, next, &place, &unpack, &|n| keys[n as usize]) {
                    Ok(number) => Ok(number),
                    Err(_) => self.new_component(instance, key, 0),
                }
            }
            StateTable::Wide(wide) => {
                let word = |field: &FieldReg| match field {
                    FieldReg::Word(reg) => words[usize::from(*reg)],
                    FieldReg::Value(_) => 0,
                };
                if !wide.set(fields.iter().map(word)) {
                    return Err(Halt::Deopt(Deopt::StateOverflow(game)));
                }
                match wide.find(next) {
                    Ok(number) => Ok(number),
                    Err(key) => self.new_component(instance, key, 0),
                }
            }
            StateTable::Interned { .. } => {
                let state = self.gathered(instance, fields, words, values);
                self.intern_values(instance, state)
            }
        }
    }

    /// The state whose fields are in registers.
    pub(crate) fn gathered(
        &self,
        instance: InstanceId,
        fields: &[FieldReg],
        words: &[i64],
        values: &[Value],
    ) -> Arc<[Value]> {
        let word_types = self.instances[instance].word_types.iter();
        let field = |(field, word_type): (&FieldReg, &Option<WordType>)| match (field, word_type) {
            (FieldReg::Word(reg), Some(word_type)) => self.word_value(words[usize::from(*reg)], *word_type),
            (FieldReg::Value(reg), _) => values[usize::from(*reg)].clone(),
            (FieldReg::Word(reg), None) => Value::Int(words[usize::from(*reg)]),
        };
        fields.iter().zip(word_types).map(field).collect()
    }

    fn intern_values(&mut self, instance: InstanceId, state: Arc<[Value]>) -> Run<u32> {
        let next = self.next_component()?;
        let StateTable::Interned { states, numbers, held } = &mut self.states[instance] else {
            return Ok(next);
        };
        let (at, new) = states.insert_full(state);
        if new {
            let before = held.bytes();
            held.keep(&states[at]);
            let bytes = held.bytes() - before;
            numbers.push(next);
            self.new_component(instance, at as u64, bytes)
        } else {
            Ok(numbers[at])
        }
    }

    /// The component of a state given as values, of the instance for its lengths.
    pub(crate) fn intern_state(&mut self, instance: InstanceId, state: &Arc<[Value]>) -> Run<u32> {
        if matches!(self.states[instance], StateTable::Interned { .. }) {
            return self.intern_values(instance, state.clone());
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

    /// The component of a number.
    pub(crate) fn component_value(&self, id: u32) -> Component {
        let instance = &self.instances[self.instance_of[id as usize]];
        let state = self.state_values(id);
        Component { game: instance.game, params: instance.params.clone(), state, tag: None }
    }

    /// The members of collections, vertices and edges in the rule parameters and fields of a component.
    pub(crate) fn breadth(&self, id: u32) -> u64 {
        let component = self.component_value(id);
        component.params.iter().chain(component.state.iter()).map(Value::breadth).sum()
    }

    /// Whether each field of a component is kept as an int.
    pub(crate) fn is_of_ints(&self, id: u32) -> bool {
        let word_types = &self.instances[self.instance_of[id as usize]].word_types;
        word_types.iter().all(|word_type| matches!(word_type, Some(WordType::Int)))
    }

    /// The game of a component.
    pub(crate) fn game_of(&self, id: u32) -> GameId {
        self.instances[self.instance_of[id as usize]].game
    }

    /// The state of a component as values.
    pub(crate) fn state_values(&self, id: u32) -> Arc<[Value]> {
        let at = self.instance_of[id as usize];
        let key = self.keys[id as usize];
        match &self.states[at] {
            StateTable::Packed { layout, .. } => {
                let mut words = layout.iter().map(|packing| packing.get(key));
                self.join_all(&self.instances[at].forms, &mut || words.next().unwrap_or(0))
            }
            StateTable::Wide(wide) => {
                let mut words = wide.get(key);
                self.join_all(&self.instances[at].forms, &mut || words.next().unwrap_or(0))
            }
            StateTable::Interned { states, .. } => {
                let at = usize::try_from(key).unwrap_or(usize::MAX);
                states.get_index(at).cloned().unwrap_or_else(|| Arc::from(Vec::new()))
            }
        }
    }

    /// The fields of a component as words; `None` when they are kept as values.
    pub(crate) fn state_words(&self, id: u32) -> Option<Vec<i64>> {
        let at = self.instance_of[id as usize];
        let key = self.keys[id as usize];
        match &self.states[at] {
            StateTable::Packed { layout, .. } => Some(layout.iter().map(|packing| packing.get(key)).collect()),
            StateTable::Wide(wide) => Some(wide.get(key).collect()),
            StateTable::Interned { .. } => None,
        }
    }

    /// Loads the fields of a component into the registers that code expects them in.
    pub(crate) fn load(&self, id: u32, inputs: &[FieldReg], regs: &mut Registers) -> Run<()> {
        let at = self.instance_of[id as usize];
        let key = self.keys[id as usize];
        match &self.states[at] {
            StateTable::Packed { layout, .. } => {
                for (field, packing) in inputs.iter().zip(layout) {
                    if let FieldReg::Word(reg) = field {
                        regs.words[usize::from(*reg)] = packing.get(key);
                    }
                }
            }
            StateTable::Wide(wide) => {
                for (field, word) in inputs.iter().zip(wide.get(key)) {
                    if let FieldReg::Word(reg) = field {
                        regs.words[usize::from(*reg)] = word;
                    }
                }
            }
            StateTable::Interned { states, .. } => {
                let place = usize::try_from(key).unwrap_or(usize::MAX);
                if let Some(state) = states.get_index(place) {
                    self.load_values(state, &self.instances[at].word_types, inputs, regs)?;
                }
            }
        }
        Ok(())
    }

    /// Loads field values.
    pub(crate) fn load_values(
        &self,
        state: &[Value],
        word_types: &[Option<WordType>],
        inputs: &[FieldReg],
        regs: &mut Registers,
    ) -> Run<()> {
        for ((field, value), word_type) in inputs.iter().zip(state).zip(word_types) {
            match (field, word_type) {
                (FieldReg::Word(reg), Some(word_type)) => {
                    regs.words[usize::from(*reg)] = self.value_word(value, *word_type)?;
                }
                (FieldReg::Word(_), None) => {}
                (FieldReg::Value(reg), _) => regs.values[usize::from(*reg)] = value.clone(),
            }
        }
        Ok(())
    }

    /// For each field whether it is never negative; `None` when the states are kept as values.
    pub(crate) fn natural_fields(&self, instance: InstanceId) -> Option<Vec<bool>> {
        match &self.states[instance] {
            StateTable::Packed { layout, .. } => Some(layout.iter().map(|packing| !packing.signed).collect()),
            StateTable::Wide(wide) => Some(wide.packings().map(|packing| !packing.signed).collect()),
            StateTable::Interned { .. } => None,
        }
    }

    /// For each field whether it is a set of vertices or edges or a truth value: bits that moves change one by one.
    pub(crate) fn joined_fields(&self, instance: InstanceId) -> Vec<bool> {
        let joined = |word_type: &Option<WordType>| match word_type {
            Some(WordType::Mask(domain)) => !self.is_small(*domain),
            word_type => *word_type == Some(WordType::Bool),
        };
        self.instances[instance].word_types.iter().map(joined).collect()
    }

    /// Whether some field is a set of small numbers or pairs.
    pub(crate) fn has_small_sets(&self, instance: InstanceId) -> bool {
        let small =
            |word_type: &Option<WordType>| matches!(word_type, Some(WordType::Mask(domain)) if self.is_small(*domain));
        self.instances[instance].word_types.iter().any(small)
    }

    /// For each field how many values it can have, where that is known beforehand.
    pub(crate) fn field_limits(&self, instance: InstanceId) -> Vec<Option<u64>> {
        let instance = &self.instances[instance];
        let limit = |word_type: &Option<WordType>| match word_type {
            Some(WordType::Int) | None => None,
            Some(WordType::Bool) => Some(2),
            // Most texts have few of a file's letters.
            Some(WordType::Member(domain)) if matches!(self.domain(*domain), Domain::Letters(_)) => None,
            Some(WordType::Member(domain)) => Some(self.domain(*domain).len() as u64),
            Some(WordType::Mask(domain)) if self.is_small(*domain) => None,
            Some(WordType::Mask(domain)) => {
                let members = u32::try_from(self.domain(*domain).len()).unwrap_or(u32::MAX);
                Some(1u64.checked_shl(members).unwrap_or(u64::MAX))
            }
        };
        instance.word_types.iter().map(limit).collect()
    }
}
