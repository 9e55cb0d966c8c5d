//! Instances of games, and the components that were met, by their numbers.
//!
//! States are packed into 64 bits when all fields are words that fit, lie in rows of several such words when they are many or
//! large, and are interned as values else.
//!
//! In: the state of an instance. Out: the number of the component, under which all else is remembered of it; and back.
//! A position is a sorted list of such numbers. Equal states have one number, always exactly: keys are compared. What
//! states are worth is not known here.

mod components;
mod convert;
mod packing;
pub(crate) mod table;
pub mod wide_states;

use crate::bytecode::{ByInstance, DomainId, Instance, InstanceId, WordType};
use crate::model::GameId;
pub(crate) use crate::store::packing::Packing;
use crate::store::table::Table;
use crate::store::wide_states::WideStates;
use crate::value::domain::Domain;
use crate::value::fault::Fault;
use crate::value::{Value, Weight};
use hashbrown::HashMap;
use std::sync::Arc;

/// Every state that was met has a number, under which everything else is remembered of it.
#[derive(Default)]
pub(crate) struct Store {
    /// What members and masks in words stand for.
    domains: Vec<Domain>,
    /// Games with their rule parameters.
    pub(crate) instances: ByInstance<Instance>,
    /// The states of each instance.
    pub(crate) states: ByInstance<StateTable>,
    pub(crate) by_params: HashMap<(GameId, Arc<[Value]>), InstanceId>,
    /// For each component: its instance.
    pub(crate) instance_of: Vec<InstanceId>,
    /// For each component: its packed state, or its number in the instance's table.
    pub(crate) keys: Vec<u64>,
    /// What `same as` makes of a component.
    pub(crate) replaced: HashMap<u32, u32>,
    /// Whether `legal when` admits a component.
    pub(crate) legal_memo: HashMap<u32, bool>,
    /// Bytes that instances hold with their rule parameters.
    held: usize,
    /// Places of the boxes in which instances keep their states.
    boxes: u64,
    /// Bytes of new components since the memory limit was last looked at.
    pub(crate) grown: usize,
}

impl Store {
    /// How many components have a number.
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// How many domains have a number.
    pub(crate) fn domains(&self) -> usize {
        self.domains.len()
    }

    /// The domain of a number.
    pub(crate) fn domain(&self, id: DomainId) -> &Domain {
        &self.domains[usize::from(id.0)]
    }

    /// The number of a domain; `None` when a mask of edges would not fit or there are too many domains.
    pub(crate) fn domain_id(&mut self, domain: &Domain) -> Option<DomainId> {
        if let Domain::Edges(graph) = domain
            && (graph.edges.len() > 64 || !graph.edges.are_numbered())
        {
            return None;
        }
        // Most recent first: code asks for the domains of its own instance.
        if let Some(at) = self.domains.iter().rposition(|d| d.same(domain)) {
            return u16::try_from(at).ok().map(DomainId);
        }
        let id = u16::try_from(self.domains.len()).ok()?;
        self.domains.push(domain.clone());
        Some(DomainId(id))
    }

    /// Whether this is the domain of small naturals, or of pairs of them.
    pub(super) fn is_small(&self, id: DomainId) -> bool {
        self.domain(id).is_small()
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

    /// Bytes held, roughly.
    pub(crate) fn bytes(&self) -> usize {
        let states: usize = self.states.iter().map(StateTable::bytes).sum();
        self.held + states + self.keys.capacity() * 12
    }
}

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
    Wide(WideStates),
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
    fn new(store: &Store, word_types: &[Option<WordType>], signed: &[bool], packed: bool) -> StateTable {
        let layout = if packed { StateTable::layout(store, word_types, signed) } else { None };
        let int_bits = if packed { ROW_INT_BITS } else { 64 };
        match layout {
            Some(layout) => {
                let sizes = word_types.iter().zip(&layout).map(|(word_type, packing)| match word_type {
                    Some(WordType::Int) | None => 0,
                    Some(WordType::Mask(domain)) if store.is_small(*domain) => 0,
                    Some(WordType::Bool) => 2,
                    Some(WordType::Member(domain)) => store.domain(*domain).len() as u64,
                    Some(WordType::Mask(_)) => 1u64.checked_shl(packing.bits).unwrap_or(u64::MAX),
                });
                StateTable::Packed {
                    table: Table::new(sizes.collect(), store.boxes),
                    signed: layout.iter().any(|p| p.signed),
                    layout,
                }
            }
            None => match word_types
                .iter()
                .map(|word_type| StateTable::width(store, (*word_type)?))
                .collect::<Option<Vec<_>>>()
            {
                Some(widths) => {
                    let widths = word_types.iter().zip(widths);
                    let bits = widths.map(|(word_type, width)| match word_type {
                        Some(WordType::Mask(_)) => width.unwrap_or(64),
                        _ => width.unwrap_or(int_bits),
                    });
                    StateTable::Wide(WideStates::new(&bits.zip(signed.iter().copied()).collect::<Vec<_>>()))
                }
                None => {
                    StateTable::Interned { states: IndexSet::default(), numbers: Vec::new(), held: Weight::default() }
                }
            },
        }
    }

    /// How many places the box of its table has.
    fn places(&self) -> u64 {
        match self {
            StateTable::Packed { table, .. } => table.places(),
            StateTable::Wide(_) | StateTable::Interned { .. } => 0,
        }
    }

    /// Bytes held, roughly.
    fn bytes(&self) -> usize {
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
