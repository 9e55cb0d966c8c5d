//! Deletion games: a move takes some things away, and that it is there depends on these things only.
//!
//! A game is a list of moves `(need, remove)` over things `0..n`: the move is there while all of `need` is left, and takes
//! `remove` away. Node Kayles is `({v}, N[v])` for every vertex, Cram `({a, b}, {a, b})` for every edge, a poset game
//! `({x}, all above x)`. Who cannot move loses.
//!
//! **Sums.** Join the first thing of each `need` to all other things of `need` and `remove`, and let `C` run over the
//! components of what is left, `S`. A move that is there has its whole `need` in `S`, so that first thing is in `S` and all of
//! `(need + remove) & S` is joined to it, in one `C`: whether the move is there can be read off that `C`, and it changes nothing
//! outside. So the moves of `S` are those of its components, each made in one of them: the disjunctive sum. What is left
//! only shrinks, so that components only fall apart further, and by induction the value of `S` is the xor of theirs.
//!
//! **Isomorphism.** The value of a component depends only on the moves in it, up to the names of its things. [`canonical`]
//! gives it a canonical name, so that a component is searched once in whatever place and attitude it is met.
//!
//! **Search.** Values are asked lazily: "is it n?" is answered no by one option of value n (as in Lemoine and Viennot,
//! "Nimbers are inevitable", 2012), so that of many options only one must be found. See [`search`].

mod canonical;

use crate::bits::ones;
use crate::deletion::canonical::Layers;
use hashbrown::HashMap;

/// The most things.
pub const MOST: usize = 64;

/// A move: there while all of `need` is left; takes `remove` away. Bit masks of things.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub struct Deed {
    pub need: u64,
    pub remove: u64,
}

/// A deletion game with what is known of its components.
#[derive(Debug)]
pub struct Deletion {
    /// By the first thing needed: `deeds[from[v]..from[v + 1]]`.
    deeds: Vec<Deed>,
    from: Vec<usize>,
    /// Joined things.
    near: [u64; MOST],
    /// Things that a move needs alone.
    able: u64,
    /// How to name components canonically; `None`: by their things.
    layers: Option<Layers>,
    /// The number of a component, by its things.
    numbers: HashMap<u64, u32>,
    /// The number of the components that have a canonical form.
    forms: HashMap<Box<[u64]>, u32>,
    /// Words of canonical forms.
    words: usize,
    known: Vec<Known>,
    asked: u32,
    /// With more positions than this `watch` is called at once.
    pub limit: u64,
}

/// Calls with the positions met and the bytes held now and then; what it returns as an error ends the search.
pub type Watch<'w, E> = &'w mut dyn FnMut(u64, usize) -> Result<(), E>;

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

/// To how many others each thing of a component is joined. The sum of the squares says how much play is left; options with
/// little are looked at first.
struct Joined {
    part: u64,
    degree: [u8; MOST],
    squares: u32,
}

impl Deletion {
    /// The game of these moves over things `0..n`. `Err`: too many things, or a move that needs nothing, or leaves all that it
    /// needs (it could be made again and again).
    pub fn new(n: usize, mut deeds: Vec<Deed>) -> Result<Deletion, &'static str> {
        if n > MOST {
            return Err("more than 64 things");
        }
        if deeds.iter().any(|d| d.need == 0) {
            return Err("a move does not depend on what is left");
        }
        if deeds.iter().any(|d| d.need & d.remove == 0) {
            return Err("a move takes nothing away that it needs");
        }
        deeds.sort_unstable_by_key(|d| (d.need.trailing_zeros(), d.need, d.remove));
        deeds.dedup();
        let mut near = [0u64; MOST];
        let mut able = 0;
        for deed in &deeds {
            let first = deed.need.trailing_zeros() as usize;
            let all = deed.need | deed.remove;
            near[first] |= all & !(1 << first);
            for v in bits(all & !(1 << first)) {
                near[v] |= 1 << first;
            }
            if deed.need.is_power_of_two() {
                able |= deed.need;
            }
        }
        let from = (0..=MOST).map(|v| deeds.partition_point(|d| (d.need.trailing_zeros() as usize) < v)).collect();
        let layers = Layers::of(&deeds, able);
        Ok(Deletion {
            deeds,
            from,
            near,
            able,
            layers,
            numbers: HashMap::default(),
            forms: HashMap::default(),
            words: 0,
            known: Vec::new(),
            asked: 0,
            limit: u64::MAX,
        })
    }

    /// Components met so far, isomorphic ones counted once.
    pub fn positions(&self) -> u64 {
        self.known.len() as u64
    }

    /// Bytes held, roughly.
    pub fn bytes(&self) -> usize {
        self.numbers.capacity() * 17 + self.words * 8 + self.forms.capacity() * (29 + 16) + self.known.capacity() * 16
    }

    /// The canonical form of a component: equal for isomorphic components, and only for them. `None` when the moves are not of a kind
    /// that has such forms, or the component has too many symmetries.
    pub fn form(&self, part: u64) -> Option<Vec<u64>> {
        let mut form = Vec::new();
        self.layers.as_ref()?.form(part, &mut form).then_some(form)
    }

    /// Puts the components of what a move leaves of a component into `out`.
    ///
    /// Each of them has a thing that was joined to what is removed: the first is complete when it has all of these.
    fn split_after(&self, part: u64, remove: u64, out: &mut Vec<u64>) {
        let left = part & !remove;
        let beside = left & bits(remove & part).fold(0, |beside, v| beside | self.near[v]);
        let mut met = beside & beside.wrapping_neg();
        let mut edge = met;
        while edge != 0 {
            if beside & !met == 0 {
                out.push(left);
                return;
            }
            let v = edge.trailing_zeros() as usize;
            edge &= edge - 1;
            let new = self.near[v] & left & !met;
            met |= new;
            edge |= new;
        }
        if met != 0 {
            out.push(met);
        }
        self.split(left & !met, out);
    }

    /// Puts the components of what is left into `out`.
    fn split(&self, left: u64, out: &mut Vec<u64>) {
        let mut rest = left;
        while rest != 0 {
            let mut part = rest & rest.wrapping_neg();
            let mut edge = part;
            while edge != 0 {
                let v = edge.trailing_zeros() as usize;
                edge &= edge - 1;
                let new = self.near[v] & rest & !part;
                part |= new;
                edge |= new;
            }
            rest &= !part;
            out.push(part);
        }
    }

    /// The Grundy value of what is left; `Err`: what `watch` says.
    pub fn value<E>(&mut self, left: u64, watch: Watch<'_, E>) -> Result<u32, E> {
        self.parts(left).into_iter().try_fold(0, |value, part| Ok(value ^ self.part_value(part, watch)?))
    }

    /// Whether the Grundy value of what is left is `n`: may be much less work than the value. `Err`: what `watch` says.
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

/// The numbers of the bits of a mask, ascending.
#[inline]
fn bits(mask: u64) -> impl Iterator<Item = usize> {
    ones(mask).map(|bit| bit as usize)
}

/// Scrambles a word; one to one.
fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 32)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ (x >> 29)
}

/// The most moves in a row, which bound a value.
fn most(part: u64) -> u32 {
    part.count_ones()
}
