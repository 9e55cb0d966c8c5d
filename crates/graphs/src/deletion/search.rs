//! The lazy search for the value of a component.
//!
//! "Is the value n?" is first put to the options: one of value n says no. If there is none the value is at most n, and it is n
//! when it is no smaller number, which is asked next. Every answer is kept, of isomorphic components together. Options whose
//! values are known are looked at first, then those that fall into the smallest parts.
//!
//! Each question about an option is about fewer things, so that the depth of the recursion is at most twice their number.

use crate::deletion::{Deletion, MOST, Watch, bits};

/// What is known of a component.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// Its value, or [`UNKNOWN`].
    value: u32,
    /// Values below 64 that it has not.
    not: u64,
}

/// No value is as great: a component of k things has at most k moves in a row.
const UNKNOWN: u32 = u32::MAX;

/// The most moves left in a row bound a value.
fn most(part: u64) -> u32 {
    part.count_ones()
}

impl Deletion {
    /// The Grundy value of what is left.
    ///
    /// # Errors
    /// What `watch` says.
    pub fn value<E>(&mut self, left: u64, watch: Watch<'_, E>) -> Result<u32, E> {
        let parts = self.parts(left);
        let mut value = 0;
        for part in parts {
            value ^= self.part_value(part, watch)?;
        }
        Ok(value)
    }

    /// Whether the Grundy value of what is left is `n`; may be much less work than the value.
    ///
    /// # Errors
    /// What `watch` says.
    pub fn is<E>(&mut self, left: u64, n: u32, watch: Watch<'_, E>) -> Result<bool, E> {
        let mut parts = self.parts(left);
        // The greatest part is only asked whether it makes up for the others.
        let greatest = (0..parts.len()).max_by_key(|&i| parts[i].count_ones());
        let Some(greatest) = greatest.map(|i| parts.swap_remove(i)) else { return Ok(n == 0) };
        let mut rest = n;
        for part in parts {
            rest ^= self.part_value(part, watch)?;
        }
        self.part_is(greatest, rest, watch)
    }

    /// The components with those left out that are worth nothing at sight: parts without moves, and pairs of isomorphic ones.
    fn parts(&mut self, left: u64) -> Vec<u64> {
        let mut parts = Vec::new();
        self.split(left, &mut parts);
        if parts.len() < 2 {
            return parts;
        }
        let mut numbered: Vec<(u32, u64)> = Vec::with_capacity(parts.len());
        for part in parts {
            if part.is_power_of_two() && part & self.able == 0 {
                continue;
            }
            let number = self.number(part);
            match numbered.iter().position(|n| n.0 == number) {
                Some(at) => {
                    numbered.swap_remove(at);
                }
                None => numbered.push((number, part)),
            }
        }
        numbered.into_iter().map(|n| n.1).collect()
    }

    fn part_value<E>(&mut self, part: u64, watch: Watch<'_, E>) -> Result<u32, E> {
        let number = self.number(part) as usize;
        if self.known[number].value != UNKNOWN {
            return Ok(self.known[number].value);
        }
        let mut n = 0;
        while !self.part_is(part, n, watch)? {
            n += 1;
        }
        Ok(n)
    }

    fn part_is<E>(&mut self, part: u64, n: u32, watch: Watch<'_, E>) -> Result<bool, E> {
        if n > most(part) {
            return Ok(false);
        }
        let number = self.number(part) as usize;
        let Known { value, not } = self.known[number];
        if value != UNKNOWN {
            return Ok(value == n);
        }
        if not.checked_shr(n).unwrap_or(0) & 1 == 1 {
            return Ok(false);
        }
        self.asked = self.asked.wrapping_add(1);
        if self.asked.is_multiple_of(0x400) || self.positions() > self.limit {
            watch(self.positions(), self.bytes())?;
        }
        let Some(options) = self.unsettled(part, n) else { return Ok(self.is_not(number, n)) };
        for (_, option) in options {
            if self.is(option, n, watch)? {
                return Ok(self.is_not(number, n));
            }
        }
        // No option has the value n, so the value is not greater.
        for less in 0..n {
            if self.part_is(part, less, watch)? {
                return Ok(false);
            }
        }
        self.known[number].value = n;
        Ok(true)
    }

    fn is_not(&mut self, number: usize, n: u32) -> bool {
        self.known[number].not |= 1u64.checked_shl(n).unwrap_or(0);
        false
    }

    /// The options that may have the value n, those of the least parts first and of these those least joined; `None` when one
    /// is known to have it.
    fn unsettled(&self, part: u64, n: u32) -> Option<Vec<((u32, u32), u64)>> {
        let mut kept = Vec::new();
        let mut parts = Vec::new();
        let joined = Joined::of(&self.near, part);
        for v in bits(part) {
            for deed in &self.deeds[self.from[v]..self.from[v + 1]] {
                if deed.need & !part != 0 {
                    continue;
                }
                parts.clear();
                self.split_after(part, deed.remove, &mut parts);
                let (mut rest, mut greatest, mut unknown, mut not) = (n, 0, 0, 0);
                for &part in &parts {
                    if part.is_power_of_two() {
                        rest ^= u32::from(part & self.able != 0);
                        continue;
                    }
                    let known = self.numbers.get(&part).map(|&number| self.known[number as usize]);
                    match known {
                        Some(Known { value, .. }) if value != UNKNOWN => rest ^= value,
                        _ => {
                            unknown += 1;
                            greatest = greatest.max(part.count_ones());
                            not = known.map_or(0, |known| known.not);
                        }
                    }
                }
                match unknown {
                    0 if rest == 0 => return None,
                    0 => {}
                    1 if not.checked_shr(rest).unwrap_or(0) & 1 == 1 => {}
                    _ => kept.push(((greatest, joined.without(&self.near, deed.remove)), part & !deed.remove)),
                }
            }
        }
        kept.sort_unstable();
        kept.dedup();
        Some(kept)
    }

    /// The number of a component; isomorphic ones have the same.
    fn number(&mut self, part: u64) -> u32 {
        if let Some(&number) = self.numbers.get(&part) {
            return number;
        }
        let next = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
        let number = self.named(part, next).unwrap_or(next);
        if number == next {
            self.known.push(Known { value: UNKNOWN, not: 0 });
        }
        self.numbers.insert(part, number);
        number
    }

    /// The number under which the canonical form of a component is known; if it is new, it gets `next`.
    fn named(&mut self, part: u64, next: u32) -> Option<u32> {
        let form = self.form(part)?;
        let words = form.len();
        let number = *self.forms.entry(form.into()).or_insert(next);
        if number == next {
            self.words += words;
        }
        Some(number)
    }
}

/// To how many others each thing of a component is joined. The sum of the squares says how much play is left; options with
/// little are looked at first.
struct Joined {
    part: u64,
    degree: [u8; MOST],
    squares: u32,
}

impl Joined {
    fn of(near: &[u64; MOST], part: u64) -> Joined {
        let (mut degree, mut squares) = ([0u8; MOST], 0);
        for v in bits(part) {
            let count = (near[v] & part).count_ones();
            // At most 63.
            degree[v] = u8::try_from(count).unwrap_or(u8::MAX);
            squares += count * count;
        }
        Joined { part, degree, squares }
    }

    /// The sum of the squares without some things.
    fn without(&self, near: &[u64; MOST], remove: u64) -> u32 {
        let (mut squares, mut beside) = (self.squares, 0);
        for v in bits(remove & self.part) {
            squares -= u32::from(self.degree[v]).pow(2);
            beside |= near[v];
        }
        for v in bits(beside & self.part & !remove) {
            let before = u32::from(self.degree[v]);
            let after = before - (near[v] & remove & self.part).count_ones();
            squares -= before * before - after * after;
        }
        squares
    }
}
