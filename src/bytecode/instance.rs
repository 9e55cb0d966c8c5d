//! Games with their rule parameters, under numbers of their own: what code is made for.

use crate::bytecode::WordType;
use crate::bytecode::layout::FieldLayout;
use crate::model::GameId;
use crate::source::Code;
use crate::value::{Fault, Value};
use hashbrown::HashMap;
use std::ops::{Index, IndexMut};
use std::sync::Arc;

/// The number of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceId(u32);

impl InstanceId {
    /// The number as native code and its sinks compare it.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A game with its rule parameters, and with the lengths of the lists and texts in its state where these lie in words.
#[derive(Debug)]
pub struct Instance {
    /// The game.
    pub game: GameId,
    /// The rule parameters.
    pub params: Arc<[Value]>,
    /// The form of each word of the state, or of each field; `None`: a value.
    pub word_types: Arc<[Option<WordType>]>,
    /// How each field lies in them.
    pub(crate) forms: Arc<[FieldLayout]>,
    /// The instance for states of any lengths: itself unless this one is for certain lengths.
    pub(crate) base: InstanceId,
    /// Whether states are looked up by their lengths first.
    pub(crate) splits: bool,
    /// Of a base: the instances by lengths.
    pub(crate) shapes: HashMap<Box<[u32]>, InstanceId>,
}

/// A list with an entry for each instance.
#[derive(Debug)]
pub struct ByInstance<T>(Vec<T>);

impl<T> Default for ByInstance<T> {
    fn default() -> Self {
        ByInstance(Vec::new())
    }
}

impl<T> ByInstance<T> {
    /// All entries in the order of the numbers.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &T> {
        self.0.iter()
    }

    /// The number that the next entry gets; L01 when there is none left.
    pub fn next(&self) -> Result<InstanceId, Fault> {
        let next = u32::try_from(self.0.len()).map(InstanceId);
        next.map_err(|_| Fault::new(Code::L01, "more than 2^32 games with different rule parameters"))
    }

    /// Gives an entry the next number; L01 when there is none left.
    pub fn push(&mut self, entry: T) -> Result<InstanceId, Fault> {
        let id = self.next()?;
        self.0.push(entry);
        Ok(id)
    }
}

impl<T: Default> ByInstance<T> {
    /// The entry of an instance, made when it is first asked for.
    pub fn entry(&mut self, id: InstanceId) -> &mut T {
        if self.0.len() <= id.index() {
            self.0.resize_with(id.index() + 1, T::default);
        }
        &mut self.0[id.index()]
    }
}

impl<T> Index<InstanceId> for ByInstance<T> {
    type Output = T;

    fn index(&self, id: InstanceId) -> &T {
        &self.0[id.index()]
    }
}

impl<T> IndexMut<InstanceId> for ByInstance<T> {
    fn index_mut(&mut self, id: InstanceId) -> &mut T {
        &mut self.0[id.index()]
    }
}
