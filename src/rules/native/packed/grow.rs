//! A table of words becomes larger: in place, or as a table with other cells.

use super::{Packed, SLACK, Slot, index, least_lines};

impl<W: Slot> Packed<W> {
    /// A fifth more homes. Every key gets its new place, from the last to the first: places go up, to lines that keys have
    /// left already, but for the first ones, which wait until the end.
    pub(super) fn grow(&mut self) {
        let (old, lines) = (self.homes, self.slots.words().len() / W::COUNT);
        let homes = old + old / 5;
        self.slots.lengthen((index(homes.into()) + SLACK) * W::COUNT);
        let last = self.slots.words().len() / W::COUNT - 1;
        let mut taken = vec![0u8; last];
        let mut waiting: Vec<(u64, u64)> = Vec::new();
        for line in (0..lines).rev() {
            let words = line * W::COUNT..(line + 1) * W::COUNT;
            if self.slots.words()[words.start].is_zero() {
                continue;
            }
            self.homes = old;
            let end = self.end(line);
            self.homes = homes;
            for at in words {
                let word = std::mem::replace(&mut self.slots.words_mut()[at], W::zero());
                if word.is_zero() {
                    break;
                }
                let mixed = self.before(end, word);
                let home = self.home(mixed);
                let mut to = home;
                while to < last && usize::from(taken[to]) == W::COUNT {
                    to += 1;
                }
                if home <= line || to >= last || to - home > self.reach {
                    waiting.push((mixed, self.cell(word)));
                    continue;
                }
                self.slots.words_mut()[to * W::COUNT + usize::from(taken[to])] = word;
                taken[to] += 1;
            }
        }
        self.age += 1;
        self.set_reach();
        waiting.retain(|&(mixed, cell)| self.place(mixed, cell).is_none());
        if !waiting.is_empty() {
            let width = self.width;
            *self = self.rebuilt(homes, width, self.never, &waiting, |cell| cell);
        }
    }

    /// The same keys and some others in a new table, with cells of another form and at least so many homes.
    fn rebuilt<V: Slot>(
        &self,
        mut homes: u64,
        width: u32,
        never: u64,
        others: &[(u64, u64)],
        change: impl Fn(u64) -> u64,
    ) -> Packed<V> {
        loop {
            let mut table: Packed<V> = Packed::with_homes(self.bits, width, never, self.most, homes);
            (table.used, table.age) = (self.used, self.age + 1);
            let lines = self.slots.words().chunks_exact(W::COUNT).enumerate();
            let mut held = lines.flat_map(|(line, words)| {
                let end = self.end(line);
                let words = words.iter().filter(|word| !word.is_zero());
                words.map(move |&word| (self.before(end, word), self.cell(word)))
            });
            if held.all(|(mixed, cell)| table.place(mixed, change(cell)).is_some())
                && others.iter().all(|&(mixed, cell)| table.place(mixed, change(cell)).is_some())
            {
                return table;
            }
            homes += homes / 4;
        }
    }

    /// The same keys with cells of another form, in a table of any kind.
    pub(in crate::rules::native) fn map<V: Slot>(
        &self,
        width: u32,
        never: u64,
        change: impl Fn(u64) -> u64,
    ) -> Packed<V> {
        let lines = (self.homes * W::COUNT as u64).div_ceil(V::COUNT as u64);
        self.rebuilt(lines.max(least_lines::<V>(self.bits, width)), width, never, &[], change)
    }
}
