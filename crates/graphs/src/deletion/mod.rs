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
mod search;

use crate::deletion::canonical::Layers;
use crate::deletion::search::Known;
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

impl Deletion {
    /// The game of these moves over things `0..n`.
    ///
    /// # Errors
    /// Why not, in a few words: too many things; a move that needs nothing, or leaves all that it needs (it could be made again
    /// and again).
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

    /// Whether components are named up to isomorphism.
    pub fn is_canonical(&self) -> bool {
        self.layers.is_some()
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
}

/// The numbers of the bits of a mask, ascending.
fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let low = (mask != 0).then(|| mask.trailing_zeros() as usize);
        mask &= mask.wrapping_sub(1);
        low
    })
}

/// Scrambles a word; one to one.
fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 32)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x ^ (x >> 29)
}
