//! Results of definitions that call themselves, by their arguments.
//!
//! Of more results than there is room for, those are kept that were wanted last: results stand in two halves, what is found
//! in the older one moves to the newer one, and when that is full the older one is dropped.

use crate::bytecode::InstanceId;
use crate::model::DefId;
use crate::value::Value;
use hashbrown::HashMap;

/// A definition, and the instance whose parameters it reads.
pub(crate) type DefKey = (DefId, Option<InstanceId>);

type Half = HashMap<DefKey, HashMap<Box<[Value]>, Value>>;

#[derive(Default)]
pub(crate) struct DefMemo {
    newer: Half,
    older: Half,
    /// Bytes held by the newer half, roughly.
    bytes: usize,
}

impl DefMemo {
    /// The result for these arguments, if it is known. At most `room` bytes are held.
    pub(crate) fn get(&mut self, key: DefKey, args: &[Value], room: usize) -> Option<Value> {
        if let Some(value) = self.newer.get(&key).and_then(|results| results.get(args)) {
            return Some(value.clone());
        }
        let (args, value) = self.older.get_mut(&key)?.remove_entry(args)?;
        self.keep(key, args, value.clone(), room);
        Some(value)
    }

    /// Keeps a result. At most `room` bytes are held.
    pub(crate) fn keep(&mut self, key: DefKey, args: Box<[Value]>, value: Value, room: usize) {
        /// A place in a table that is seven eighths to seven sixteenths full, and a box.
        const PLACE: usize = 2 * (size_of::<(Box<[Value]>, Value)>() + 1) + 16;
        self.bytes += PLACE + args.iter().map(Value::bytes).sum::<usize>() + value.bytes();
        self.newer.entry(key).or_default().insert(args, value);
        if self.bytes > room / 2 {
            self.older = std::mem::take(&mut self.newer);
            self.bytes = 0;
        }
    }

    pub(crate) fn clear(&mut self) {
        *self = DefMemo::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_results_that_were_wanted_last_are_kept() {
        let (mut memo, room) = (DefMemo::default(), 40_000);
        let key = (DefId(0), None);
        let args = |n: i64| -> Box<[Value]> { Box::new([Value::Int(n)]) };
        let mut most = 0;
        for n in 0..10_000 {
            memo.keep(key, args(n), Value::Int(2 * n), room);
            assert_eq!(memo.get(key, &args(0), room), Some(Value::Int(0)), "asked for all the time");
            assert_eq!(memo.get(key, &args(n), room), Some(Value::Int(2 * n)));
            let held = |half: &Half| half.values().map(HashMap::len).sum::<usize>();
            most = most.max(held(&memo.newer) + held(&memo.older));
        }
        assert_eq!(memo.get(key, &args(1), room), None);
        assert!((100..400).contains(&most), "{most}");
    }
}
