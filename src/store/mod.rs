//! Instances of games, and the components that were met, by their numbers.
//!
//! In: the state of an instance. Out: the number of the component, under which all else is remembered of it; and back,
//! as values, as words, in registers. A position is a sorted list of such numbers. Equal states have one number, always
//! exactly: keys are compared. What states are worth is not known here.

mod domains;
pub mod state_table;
pub(crate) mod step;

use crate::bytecode::layout::{FieldLayout, whole};
use crate::bytecode::{Aggregate, ByInstance, FieldReg, Instance, InstanceId, PushSpec, Registers, WordType};
use crate::model::GameId;
use crate::source::Code;
pub(crate) use crate::store::domains::Domains;
pub(crate) use crate::store::state_table::{Packing, StateTable, Table};
use crate::value::domain::Domain;
use crate::value::fault::{Deopt, Fault, Halt, Run};
use crate::value::{Component, List, Value, width};
use hashbrown::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The number of a component. Among components in a list a mark may stand, which is no component.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ComponentId(u32);

impl ComponentId {
    /// Numbers of components are less; marks are not.
    const LIMIT: u32 = 1 << 31;

    /// The component of this number. L01 when there is none.
    #[inline]
    pub fn new(number: usize) -> Result<ComponentId, Fault> {
        let id = u32::try_from(number).ok().filter(|&id| id < ComponentId::LIMIT).map(ComponentId);
        id.ok_or_else(|| Fault::new(Code::L01, "more than 2^31 components of positions"))
    }

    /// A mark with these 31 bits. Marks come after all components.
    #[inline]
    pub(crate) const fn mark(bits: u32) -> ComponentId {
        ComponentId(bits | ComponentId::LIMIT)
    }

    /// The bits of a mark; `None`: it is a component.
    #[inline]
    pub(crate) const fn marked(self) -> Option<u32> {
        if self.0 < ComponentId::LIMIT { None } else { Some(self.0 ^ ComponentId::LIMIT) }
    }

    /// Its place in a list with an entry for each component.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Hash for ComponentId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u32(self.0);
    }

    /// Two at a time, for sums are found by their components.
    fn hash_slice<H: Hasher>(ids: &[ComponentId], state: &mut H) {
        let (pairs, rest) = ids.as_chunks::<2>();
        for [a, b] in pairs {
            state.write_u64(u64::from(a.0) << 32 | u64::from(b.0));
        }
        for id in rest {
            id.hash(state);
        }
    }
}

/// A state of an instance for certain lengths has no more words than this.
pub(crate) const MOST_WORDS: u16 = 128;

/// Words in order, as if they were registers.
static IN_ORDER: [FieldReg; MOST_WORDS as usize] = {
    let (mut fields, mut i) = ([FieldReg::Word(0); MOST_WORDS as usize], 0);
    while i < MOST_WORDS {
        fields[i as usize] = FieldReg::Word(i);
        i += 1;
    }
    fields
};

/// Every state that was met has a number, under which everything else is remembered of it.
#[derive(Default)]
pub(crate) struct Store {
    /// What members and masks in words stand for.
    pub(crate) domains: Domains,
    /// Games with their rule parameters.
    pub(crate) instances: ByInstance<Instance>,
    pub(crate) states: ByInstance<StateTable>,
    pub(crate) by_params: HashMap<(GameId, Arc<[Value]>), InstanceId>,
    pub(crate) instance_of: Vec<InstanceId>,
    /// For each component: its packed state, or its number in the instance's table.
    pub(crate) keys: Vec<u64>,
    /// What `same as` makes of a component.
    pub(crate) replaced: HashMap<ComponentId, ComponentId>,
    /// Whether `legal when` admits a component.
    pub(crate) legal_memo: HashMap<ComponentId, bool>,
    /// Bytes that instances hold with their rule parameters.
    held: usize,
    /// Places of the boxes in which instances keep their states.
    boxes: u64,
    /// Bytes of new components since the memory limit was last looked at.
    pub(crate) grown: usize,
    /// Lengths and words of a state that is put together.
    pub(crate) pieces: (Vec<u32>, Vec<i64>),
}

impl Store {
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// All components, in the order in which they were met.
    pub(crate) fn ids(&self) -> impl DoubleEndedIterator<Item = ComponentId> + use<> {
        (0..ComponentId::LIMIT).take(self.keys.len()).map(ComponentId)
    }

    /// Gives an instance its number. `signed`: which words of its state may be negative. `packed`: ints are taken to be small.
    pub(crate) fn push_instance(
        &mut self,
        instance: Instance,
        signed: &[bool],
        packed: bool,
    ) -> Result<InstanceId, Fault> {
        let states = StateTable::new(self, &instance.word_types, signed, packed);
        self.boxes += states.places();
        self.held += size_of::<(Instance, StateTable)>();
        self.states.push(states)?;
        self.instances.push(instance)
    }

    /// The same for a base, which is found again by its rule parameters.
    pub(crate) fn push_base(&mut self, instance: Instance, signed: &[bool], packed: bool) -> Result<InstanceId, Fault> {
        let key = (instance.game, instance.params.clone());
        self.held += key.1.iter().map(Value::bytes).sum::<usize>();
        let id = self.push_instance(instance, signed, packed)?;
        self.by_params.insert(key, id);
        Ok(id)
    }

    pub(crate) fn bytes(&self) -> usize {
        let states: usize = self.states.iter().map(StateTable::bytes).sum();
        self.held + states + self.keys.capacity() * 12
    }
}

/// Sets with numbered members, hashed fast: nothing here is under attack.
pub(crate) type IndexSet<T> = indexmap::IndexSet<T, hashbrown::DefaultHashBuilder>;

/// The place of a field's word in a table.
#[inline]
fn layout_index(layout: &[Packing], fields: &[FieldReg], words: &[i64], i: usize) -> u64 {
    match fields[i] {
        FieldReg::Word(reg) => layout[i].index(words[usize::from(reg)]),
        FieldReg::Value(_) => u64::MAX,
    }
}

impl Store {
    /// A number for a state that was not met before and takes so many bytes itself.
    fn new_component(&mut self, instance: InstanceId, key: u64, bytes: usize) -> Run<ComponentId> {
        /// Bytes of a component in all tables.
        const EACH: usize = 32;
        let number = ComponentId::new(self.keys.len())?;
        self.keys.push(key);
        self.instance_of.push(instance);
        self.grown += bytes + EACH;
        Ok(number)
    }

    /// A component met before whose unsigned fields are words of a dense table: the short way of [`Store::intern`].
    #[inline]
    pub(crate) fn find_dense(&self, push: &PushSpec, words: &[i64]) -> Option<ComponentId> {
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
                slots[usize::try_from(rank).ok()?].checked_sub(1).map(ComponentId)
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
    ) -> Run<ComponentId> {
        let next = ComponentId::new(self.keys.len())?;
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
                match table.number(key, next, &place, &unpack, &|n| keys[n.index()]) {
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

    pub(crate) fn gathered(
        &self,
        instance: InstanceId,
        fields: &[FieldReg],
        words: &[i64],
        values: &[Value],
    ) -> Arc<[Value]> {
        let word_types = self.instances[instance].word_types.iter();
        let field = |(field, word_type): (&FieldReg, &Option<WordType>)| match (field, word_type) {
            (FieldReg::Word(reg), Some(word_type)) => self.domains.word_value(words[usize::from(*reg)], *word_type),
            (FieldReg::Value(reg), _) => values[usize::from(*reg)].clone(),
            (FieldReg::Word(reg), None) => Value::Int(words[usize::from(*reg)]),
        };
        fields.iter().zip(word_types).map(field).collect()
    }

    fn intern_values(&mut self, instance: InstanceId, state: Arc<[Value]>) -> Run<ComponentId> {
        let next = ComponentId::new(self.keys.len())?;
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
    pub(crate) fn intern_state(&mut self, instance: InstanceId, state: &Arc<[Value]>) -> Run<ComponentId> {
        if matches!(self.states[instance], StateTable::Interned { .. }) {
            return self.intern_values(instance, state.clone());
        }
        let forms = self.instances[instance].forms.clone();
        let mut words = Vec::with_capacity(state.len());
        for (value, form) in state.iter().zip(forms.iter()) {
            self.split(form, value, &mut words)?;
        }
        self.intern_words(instance, &words)
    }

    /// The component whose state is these words.
    pub(crate) fn intern_words(&mut self, instance: InstanceId, words: &[i64]) -> Run<ComponentId> {
        if let Some(fields) = IN_ORDER.get(..words.len()) {
            return self.intern(instance, fields, words, &[]);
        }
        let fields: Vec<FieldReg> =
            (0..words.len()).map(|i| FieldReg::Word(u16::try_from(i).unwrap_or(u16::MAX))).collect();
        self.intern(instance, &fields, words, &[])
    }

    pub(crate) fn component_value(&self, id: ComponentId) -> Component {
        let instance = &self.instances[self.instance_of[id.index()]];
        Component { game: instance.game, params: instance.params.clone(), state: self.state_values(id), tag: None }
    }

    /// The members of collections, vertices and edges in the rule parameters and fields of a component.
    pub(crate) fn breadth(&self, id: ComponentId) -> u64 {
        let component = self.component_value(id);
        component.params.iter().chain(component.state.iter()).map(Value::breadth).sum()
    }

    /// Whether a field of a component holds a number beyond words, or a collection with one at an end.
    pub(crate) fn is_of_big_numbers(&self, id: ComponentId) -> bool {
        self.state_words(id).is_none() && self.component_value(id).state.iter().any(Value::has_big_end)
    }

    /// Whether each field of a component is kept as an int.
    pub(crate) fn is_of_ints(&self, id: ComponentId) -> bool {
        let word_types = &self.instances[self.instance_of[id.index()]].word_types;
        word_types.iter().all(|word_type| matches!(word_type, Some(WordType::Int)))
    }

    pub(crate) fn game_of(&self, id: ComponentId) -> GameId {
        self.instances[self.instance_of[id.index()]].game
    }

    /// The instance for states of any lengths that a component's is made of.
    pub(crate) fn base_of(&self, id: ComponentId) -> InstanceId {
        self.instances[self.instance_of[id.index()]].base
    }

    pub(crate) fn state_values(&self, id: ComponentId) -> Arc<[Value]> {
        let at = self.instance_of[id.index()];
        if let StateTable::Interned { states, .. } = &self.states[at] {
            let place = width::index(self.keys[id.index()]);
            return states.get_index(place).cloned().unwrap_or_else(|| Arc::from(Vec::new()));
        }
        let mut words = self.state_words(id).into_iter().flatten();
        let forms = self.instances[at].forms.iter();
        forms.map(|form| self.join(form, &mut || words.next().unwrap_or(0))).collect()
    }

    /// The fields of a component as words; `None` when they are kept as values.
    pub(crate) fn state_words(&self, id: ComponentId) -> Option<Vec<i64>> {
        let at = self.instance_of[id.index()];
        let key = self.keys[id.index()];
        match &self.states[at] {
            StateTable::Packed { layout, .. } => Some(layout.iter().map(|packing| packing.get(key)).collect()),
            StateTable::Wide(wide) => Some(wide.get(key).collect()),
            StateTable::Interned { .. } => None,
        }
    }

    /// Loads the fields of a component into the registers that code expects them in.
    pub(crate) fn load(&self, id: ComponentId, inputs: &[FieldReg], regs: &mut Registers) -> Run<()> {
        let at = self.instance_of[id.index()];
        let key = self.keys[id.index()];
        let put = |(field, word): (&FieldReg, i64)| {
            if let FieldReg::Word(reg) = field {
                regs.words[usize::from(*reg)] = word;
            }
        };
        match &self.states[at] {
            StateTable::Packed { layout, .. } => {
                inputs.iter().zip(layout.iter().map(|packing| packing.get(key))).for_each(put);
            }
            StateTable::Wide(wide) => inputs.iter().zip(wide.get(key)).for_each(put),
            StateTable::Interned { states, .. } => {
                let place = width::index(key);
                if let Some(state) = states.get_index(place) {
                    self.load_values(state, &self.instances[at].word_types, inputs, regs)?;
                }
            }
        }
        Ok(())
    }

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
                    regs.words[usize::from(*reg)] = self.domains.value_word(value, *word_type)?;
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
            StateTable::Wide(wide) => Some(wide.places.iter().map(|(_, packing)| !packing.signed).collect()),
            StateTable::Interned { .. } => None,
        }
    }

    /// For each field whether it is a set of vertices or edges or a truth value: bits that moves change one by one.
    pub(crate) fn joined_fields(&self, instance: InstanceId) -> Vec<bool> {
        let joined = |word_type: &Option<WordType>| match word_type {
            Some(WordType::Mask(domain)) => !self.domains.is_small(*domain),
            word_type => *word_type == Some(WordType::Bool),
        };
        self.instances[instance].word_types.iter().map(joined).collect()
    }

    /// Whether some field is a set of small numbers or pairs.
    pub(crate) fn has_small_sets(&self, instance: InstanceId) -> bool {
        let small = |word_type: &Option<WordType>| matches!(word_type, Some(WordType::Mask(domain)) if self.domains.is_small(*domain));
        self.instances[instance].word_types.iter().any(small)
    }

    /// For each field how many values it can have.
    pub(crate) fn field_limits(&self, instance: InstanceId) -> Vec<Extent> {
        let instance = &self.instances[instance];
        let limit = |word_type: &Option<WordType>| match word_type {
            Some(WordType::Int) | None => Extent::UpTo(u64::MAX),
            Some(WordType::Bool) => Extent::Fixed(2),
            Some(WordType::Member(domain)) => match self.domains.get(*domain) {
                // Most texts have few of a file's letters.
                Domain::Letters(letters) => Extent::UpTo(letters.len() as u64),
                domain => Extent::Fixed(domain.len() as u64),
            },
            Some(WordType::Mask(domain)) if self.domains.is_small(*domain) => Extent::UpTo(u64::MAX),
            Some(WordType::Mask(domain)) => {
                let members = width::short(self.domains.get(*domain).len());
                Extent::Fixed(1u64.checked_shl(members).unwrap_or(u64::MAX))
            }
        };
        instance.word_types.iter().map(limit).collect()
    }
}

/// How many values a field of a box has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All of so many.
    Fixed(u64),
    /// Those that seem to be met, at most so many.
    UpTo(u64),
}

impl Extent {
    /// The size where so many seem to be met.
    pub(crate) fn size(self, met: u64) -> u64 {
        match self {
            Extent::Fixed(size) => size,
            Extent::UpTo(most) => met.min(most),
        }
    }

    /// Twice the size, if it may be more than it is.
    pub(crate) fn grown(self, size: u64) -> Option<u64> {
        Some(self.size(size.saturating_mul(2))).filter(|&grown| grown > size)
    }
}

impl Store {
    fn letters(&self, form: &FieldLayout) -> Option<&[char]> {
        match form {
            FieldLayout::Word(WordType::Member(domain)) => match self.domains.get(*domain) {
                Domain::Letters(letters) => Some(letters),
                _ => None,
            },
            _ => None,
        }
    }

    /// The words of a field's value in its form.
    fn split(&self, form: &FieldLayout, value: &Value, out: &mut Vec<i64>) -> Run<()> {
        match form {
            FieldLayout::Value => {}
            FieldLayout::Word(word_type) => out.push(self.domains.value_word(value, *word_type)?),
            FieldLayout::Parts(_, forms) => match value {
                Value::List(List { items, .. }) | Value::Bag(items) | Value::Set(items) => {
                    forms.iter().zip(items.iter()).try_for_each(|(form, part)| self.split(form, part, out))?;
                }
                Value::Tuple(parts) => {
                    forms.iter().zip(parts.iter()).try_for_each(|(form, part)| self.split(form, part, out))?;
                }
                Value::Text(text) => {
                    for (form, c) in forms.iter().zip(text.characters()) {
                        match self.letters(form).and_then(|letters| letters.binary_search(&c).ok()) {
                            Some(at) => out.push(width::int(at)),
                            None => self.split(form, &Value::character(c), out)?,
                        }
                    }
                }
                Value::Grid(grid) => {
                    forms.iter().zip(grid.cells.iter()).try_for_each(|(form, part)| self.split(form, &part, out))?;
                }
                _ => {}
            },
        }
        Ok(())
    }

    /// A field's value from its words.
    fn join(&self, form: &FieldLayout, words: &mut dyn FnMut() -> i64) -> Value {
        match form {
            FieldLayout::Value => Value::Int(0),
            FieldLayout::Word(word_type) => self.domains.word_value(words(), *word_type),
            FieldLayout::Parts(Aggregate::Text, forms) => {
                let letter = |form, word: i64| self.letters(form)?.get(usize::try_from(word).ok()?).copied();
                Value::Text(forms.iter().filter_map(|form| letter(form, words())).collect())
            }
            FieldLayout::Parts(kind, forms) => whole(*kind, forms.iter().map(|form| self.join(form, words)).collect()),
        }
    }
}
