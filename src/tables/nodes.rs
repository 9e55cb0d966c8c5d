//! States that were met and are not known: what was seen of their options, and who waits for them.

use crate::tables::cell::{Cell, Kind};
use crate::tables::compact_table::Seek;
use crate::tables::hashed::Stop;
use crate::tables::states::Marks;
use crate::value::refusal::Refusal;
use hashbrown::HashMap;

/// Whether nodes wait for themselves is seen first when there are so many.
const MANY: usize = 1 << 14;

/// In [`Node::values`]: the node has a list of greater values.
const GREATER: u64 = 1 << 63;

/// The key of a node that is free.
const NO_KEY: u64 = u64::MAX;

/// A state that was met and is not known.
#[derive(Clone, Copy, Debug)]
struct Node {
    key: u64,
    place: Seek,
    /// Values below 63 that options have, as bits; the highest bit: there are greater ones.
    values: u64,
    /// The least cell of an option (see [`Cell`]), poison if there is none.
    least: u64,
    /// Options that are not known, and 1 until all options were looked up.
    open: u32,
    /// States that wait for it: a list in `waiting`.
    waiting: u32,
    /// Values of 63 and more that were seen: a list in `greater`.
    greater: u32,
    /// Whether its state's cell has its number.
    marked: bool,
}

/// See the module. Nodes have numbers, which are used again. A state's cell has the number of its node where that fits, so
/// that a state that is met again finds its node; the others stand in a table of keys.
pub(super) struct Nodes {
    cell: Cell,
    marks: Marks,
    all: Vec<Node>,
    /// Numbers that are free: those that cells can have, and the others.
    free: [Vec<u32>; 2],
    /// How many are not free.
    met: usize,
    /// The nodes of keys whose cells do not have their numbers.
    others: HashMap<u64, u32>,
    /// Those that wait, and whether the mover has the next turn there.
    waiting: Lists<(u32, bool)>,
    greater: Lists<u64>,
    /// Nodes whose options are all known.
    done: Vec<u32>,
    /// When so many nodes wait, it is time to see whether some wait for themselves.
    many: usize,
}

/// No entry of a list.
pub(super) const NONE: u32 = u32::MAX;

/// Lists of many owners in one vector.
#[derive(Default)]
pub(super) struct Lists<T> {
    pub(super) items: Vec<(T, u32)>,
    free: Vec<u32>,
}

impl Nodes {
    pub(super) fn new(cell: Cell) -> Nodes {
        Nodes {
            cell,
            marks: Marks::new(cell),
            all: Vec::new(),
            free: [Vec::new(), Vec::new()],
            met: 0,
            others: HashMap::new(),
            waiting: Lists::default(),
            greater: Lists::default(),
            done: Vec::new(),
            many: MANY,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.met == 0
    }

    pub(super) fn bytes(&self) -> usize {
        let numbers = self.free.iter().map(Vec::capacity).sum::<usize>() * 4;
        let lists = self.waiting.bytes() + self.greater.bytes() + self.others.allocation_size();
        self.all.capacity() * size_of::<Node>() + numbers + lists
    }

    /// The number that the next node gets, and the cell of its state.
    #[inline]
    pub(super) fn next(&self) -> (u32, u64) {
        let new = u32::try_from(self.all.len()).unwrap_or(NONE);
        let [marked, others] = &self.free;
        let next = match (marked.last(), self.marks.cell(new)) {
            (Some(&free), _) => free,
            (None, Some(_)) => new,
            (None, None) => others.last().copied().unwrap_or(new),
        };
        (next, self.marks.cell(next).unwrap_or(self.cell.poison()))
    }

    /// A node for a state that is in the table and not known. `cell`: what the table holds of it.
    #[inline]
    pub(super) fn meet(&mut self, key: u64, place: Seek, cell: u64) -> Result<u32, Stop> {
        let (at, wanted) = self.next();
        if at == NONE {
            return Err(Stop::Refused(Refusal::PositionLimit));
        }
        let (marks, poison) = (self.marks.cell(at).is_some(), self.cell.poison());
        let marked = marks && cell == wanted;
        let (waiting, greater) = (NONE, NONE);
        let node = Node { key, place, values: 0, least: poison, open: 1, waiting, greater, marked };
        if at as usize == self.all.len() {
            self.all.push(node);
        } else {
            self.free[usize::from(!marks)].pop();
            self.all[at as usize] = node;
        }
        if !marked {
            self.others.insert(key, at);
        }
        self.met += 1;
        Ok(at)
    }

    /// The node of a state whose cell says that it is not known, if it has one.
    #[inline]
    pub(super) fn find(&self, key: u64, cell: u64) -> Option<u32> {
        // Numbers in cells may be those of other threads.
        let marked = self.marks.node(cell).filter(|&at| self.all.get(at as usize).is_some_and(|node| node.key == key));
        if marked.is_none() && !self.others.is_empty() { self.others.get(&key).copied() } else { marked }
    }

    #[inline]
    pub(super) fn state(&self, node: u32) -> (u64, Seek) {
        let node = &self.all[node as usize];
        (node.key, node.place)
    }

    #[inline]
    pub(super) fn wait(&mut self, node: u32, option: u32, again: bool) {
        self.waiting.push(&mut self.all[option as usize].waiting, (node, again));
        self.all[node as usize].open += 1;
    }

    /// Whether there is no room for what one more state can add.
    pub(super) fn full(&self) -> bool {
        // A list has fewer than 2^32 items, and what one state adds, with all that it makes known, is no more than wait already.
        self.waiting.items.len().max(self.greater.items.len()) > 1 << 30
    }

    /// Whether some node waits for itself, by way of others; looked at when there are many. `O(nodes and moves that are
    /// waited for)`.
    pub(super) fn go_round(&mut self) -> bool {
        /// Nodes that are being gone on from, and those from which nothing comes back.
        const ON: u8 = 1;
        const OFF: u8 = 2;
        if self.met < self.many {
            return false;
        }
        self.many = self.met * 2;
        let mut seen = vec![0; self.all.len()];
        // Nodes with what is left of their lists.
        let mut path: Vec<(u32, u32)> = Vec::new();
        for (start, node) in (0..).zip(&self.all).filter(|(_, node)| node.key != NO_KEY) {
            if seen[start as usize] == 0 {
                seen[start as usize] = ON;
                path.push((start, node.waiting));
            }
            while let Some((node, list)) = path.last_mut() {
                if *list == NONE {
                    seen[*node as usize] = OFF;
                    path.pop();
                    continue;
                }
                let ((waits, _), next) = self.waiting.items[*list as usize];
                *list = next;
                match seen[waits as usize] {
                    ON => return true,
                    OFF => {}
                    _ => {
                        seen[waits as usize] = ON;
                        path.push((waits, self.all[waits as usize].waiting));
                    }
                }
            }
        }
        false
    }

    /// Notes an option with this cell. `again`: the mover has the next turn there.
    #[inline]
    pub(super) fn see(&mut self, node: u32, mut cell: u64, again: bool) {
        if again && let Some((value, far)) = self.cell.read(cell) {
            cell = self.cell.write(2 - value, far);
        }
        let state = &mut self.all[node as usize];
        state.least = state.least.min(cell);
        let value = cell & self.cell.undecided();
        if value < 63 {
            state.values |= 1 << value;
        } else {
            state.values |= GREATER;
            self.greater.push(&mut state.greater, value);
        }
    }

    /// One thing less that a node waits for.
    #[inline]
    pub(super) fn settle(&mut self, node: u32) {
        let state = &mut self.all[node as usize];
        state.open -= 1;
        if state.open == 0 {
            self.done.push(node);
        }
    }

    #[inline]
    pub(super) fn done(&mut self) -> Option<u32> {
        self.done.pop()
    }

    /// Value and remoteness of a node whose options are all known.
    #[inline]
    pub(super) fn value(&mut self, node: u32) -> (u64, u64) {
        let Node { values, least, .. } = self.all[node as usize];
        let far = self.cell.read(least).map(|(_, far)| far + 1);
        let (value, far) = if let Kind::Outcome { misere } = self.cell.kind {
            match values {
                0 => (if misere { 2 } else { 0 }, None),
                v if v & 1 != 0 => (2, far),
                v if v & 2 != 0 => (1, None),
                _ => (0, far),
            }
        } else {
            (self.mex(node), far)
        };
        (value, far.unwrap_or(0))
    }

    #[inline]
    fn mex(&mut self, node: u32) -> u64 {
        let values = self.all[node as usize].values;
        let low = u64::from((!(values & !GREATER)).trailing_zeros());
        if low < 63 || values & GREATER == 0 { low } else { self.mex_of_greater(node) }
    }

    /// The least value from 63 on that was not seen.
    fn mex_of_greater(&mut self, node: u32) -> u64 {
        let list = &mut self.all[node as usize].greater;
        let mut seen: Vec<u64> = std::iter::from_fn(|| self.greater.pop(list)).collect();
        seen.sort_unstable();
        seen.into_iter().fold(63, |least, value| least + u64::from(value == least))
    }

    /// A node's state is known: the node goes, and those that wait for it see the cell.
    #[inline]
    pub(super) fn tell(&mut self, node: u32, cell: u64) {
        let state = &mut self.all[node as usize];
        let Node { key, mut waiting, mut greater, marked, .. } = *state;
        state.key = NO_KEY;
        if !marked {
            self.others.remove(&key);
        }
        while let Some((other, again)) = self.waiting.pop(&mut waiting) {
            self.see(other, cell, again);
            self.settle(other);
        }
        while self.greater.pop(&mut greater).is_some() {}
        self.free[usize::from(self.marks.cell(node).is_none())].push(node);
        self.met -= 1;
    }
}

impl<T: Copy> Lists<T> {
    #[inline]
    pub(super) fn push(&mut self, head: &mut u32, item: T) {
        let at = self.free.pop().unwrap_or(u32::try_from(self.items.len()).unwrap_or(NONE));
        if at as usize == self.items.len() {
            self.items.push((item, *head));
        } else {
            self.items[at as usize] = (item, *head);
        }
        *head = at;
    }

    #[inline]
    pub(super) fn pop(&mut self, head: &mut u32) -> Option<T> {
        if *head == NONE {
            return None;
        }
        let (item, next) = self.items[*head as usize];
        self.free.push(*head);
        *head = next;
        Some(item)
    }

    pub(super) fn bytes(&self) -> usize {
        self.items.capacity() * size_of::<(T, u32)>() + self.free.capacity() * 4
    }
}
