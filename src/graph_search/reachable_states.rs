//! Finds the states of a box that can be reached from one.
//!
//! Single states are taken from a list while few wait. When many do, the box is gone through in order, so that what the
//! rules look up for them lies in order, too. Where memory is short, moves are only counted, and found once more.

use crate::graph_search::edge_buckets::{Bucket, EdgeBuckets};
use crate::graph_search::reverse_graph::{End, KEEPS};
use crate::tables::expand::{AGAIN, ENDED, Expander, RANKS, Rows, STOP};
use crate::value::limits::Limits;
use crate::value::refusal::Attempt;

/// States expanded at a time.
const BATCH: usize = 512;
/// The clock is looked at after so many batches.
const LOOK: u64 = 64;

/// The states that can be reached.
pub(crate) struct Reachable {
    /// A bit for each rank that is reached.
    pub(crate) reached: Vec<u64>,
    /// How many states are reached.
    pub(crate) nodes: u64,
    /// For each rank that is reached how many moves it has, what ends the play included.
    pub(crate) moves: Vec<u32>,
    /// How many moves all have.
    pub(crate) edges: u64,
    /// Ranks with what ends the play there, once for each such entry.
    pub(crate) ends: Vec<(u64, End)>,
    /// Some move keeps the turn.
    pub(crate) again: bool,
    /// The moves from state to state.
    pub(crate) into: Into,
}

/// What is known of the moves that lead to each state.
pub(crate) enum Into {
    /// The moves, from ranks with [`KEEPS`] marks.
    Moves(EdgeBuckets),
    /// How many they are, by rank.
    Counts(Vec<u32>),
}

/// Bytes taken to find so many nodes and moves of a box, to turn the moves round and to decide the nodes: the least.
pub(crate) fn bytes(volume: u64, nodes: u64, edges: u64) -> u64 {
    let aside = bytes_aside(volume, nodes, edges);
    // Instead of each move, how many lead to each place.
    aside.min(aside.saturating_sub(edges.saturating_mul(EdgeBuckets::MOVE)).saturating_add(volume.saturating_mul(4)))
}

/// The same with all moves put aside.
fn bytes_aside(volume: u64, nodes: u64, edges: u64) -> u64 {
    // By place: how many moves, and twice a bit.
    let places = (volume.saturating_mul(17) / 4).saturating_add(EdgeBuckets::LEAST);
    places.saturating_add(nodes.saturating_mul(24)).saturating_add(edges.saturating_mul(4 + EdgeBuckets::MOVE))
}

fn place(rank: u64) -> usize {
    usize::try_from(rank).unwrap_or(usize::MAX)
}

/// Finds what can be reached. Moves are put aside as long as there is room for that. `O(moves)`.
///
/// Single states are taken from a list, the latest first. When many wait, the whole box is gone through instead and those
/// that wait are taken in the order of ranks: what the rules look up for them then lies in order, too.
pub(crate) fn meet(limits: &Limits, expander: &Expander, start: u64, room: u64) -> Attempt<Reachable> {
    let volume = expander.grid().volume;
    let into = if volume <= WIDEST && bytes_aside(volume, 1, 0) <= room {
        Into::Moves(EdgeBuckets::new(volume))
    } else {
        Into::Counts(vec![0; place(volume)])
    };
    let (reached, moves) = (vec![0; place(volume / 64 + 1)], vec![0; place(volume)]);
    let met = Reachable { reached, nodes: 1, moves, edges: 0, ends: Vec::new(), again: false, into };
    let mut search = Search { limits, expander, room, met, taken: 0, batches: 0, rows: Rows::default() };
    search.met.reached[place(start / 64)] |= 1 << (start % 64);
    let many = search.met.reached.len();
    let (mut todo, mut asked) = (vec![start], Vec::with_capacity(BATCH + 64));
    while search.taken < search.met.nodes {
        if todo.len() <= many {
            asked.extend(todo.drain(todo.len().saturating_sub(BATCH)..));
            search.take(&mut asked, &mut todo)?;
        } else {
            search.sweep(&mut todo, &mut asked)?;
        }
    }
    search.check()?;
    Ok(search.met)
}

/// Moves are not put aside in larger boxes.
const WIDEST: u64 = 1 << 28;

struct Search<'a> {
    limits: &'a Limits,
    expander: &'a Expander,
    room: u64,
    met: Reachable,
    /// How many states were expanded.
    taken: u64,
    batches: u64,
    rows: Rows,
}

impl Search<'_> {
    fn check(&self) -> Attempt<()> {
        Ok(self.limits.check(self.met.nodes, self.met.moves.len() * 4)?)
    }

    /// Expands states; new ones go to the list.
    fn take(&mut self, asked: &mut Vec<u64>, todo: &mut Vec<u64>) -> Attempt<()> {
        if self.batches.is_multiple_of(LOOK) {
            self.check()?;
        }
        self.batches += 1;
        self.expander.expand(asked, &mut self.rows)?;
        let volume = self.expander.grid().volume;
        let Reachable { reached, nodes, moves, edges, ends, again, into } = &mut self.met;
        let mut meet = |rank: u64| {
            let (word, bit) = (&mut reached[place(rank / 64)], 1 << (rank % 64));
            if *word & bit == 0 {
                *word |= bit;
                *nodes += 1;
                todo.push(rank);
            }
        };
        for (i, &rank) in asked.iter().enumerate() {
            let row = self.rows.row(i);
            moves[place(rank)] = u32::try_from(row.len()).unwrap_or(u32::MAX);
            *edges += row.len() as u64;
            for &entry in row {
                if entry & (STOP | ENDED) == 0 {
                    let to = entry & (RANKS - 1);
                    meet(to);
                    match into {
                        Into::Moves(buckets) => {
                            let from = u32::try_from(rank).unwrap_or(0); // at most WIDEST
                            buckets.add(to, if entry & AGAIN == 0 { from } else { from | KEEPS });
                        }
                        Into::Counts(counts) => counts[place(to)] += 1,
                    }
                    *again |= entry & AGAIN != 0;
                } else {
                    let code = u8::try_from(entry & 3).unwrap_or(2);
                    ends.push((rank, if entry & STOP == 0 { End::Here(code) } else { End::Move(code) }));
                }
            }
        }
        self.taken += asked.len() as u64;
        if let Into::Moves(buckets) = into
            && bytes_aside(volume, *nodes, *edges) > self.room
        {
            let mut counts: Vec<u32> = vec![0; moves.len()];
            let mut heap = Bucket::default();
            for index in 0..buckets.heaps() {
                let rank = place(buckets.read(index, &mut heap));
                heap.to.iter().for_each(|&to| counts[rank + usize::from(to)] += 1);
            }
            *into = Into::Counts(counts);
        }
        asked.clear();
        Ok(())
    }

    /// Expands all states that wait, in the order of ranks, and those met ahead on the way; the others go to the list.
    fn sweep(&mut self, todo: &mut Vec<u64>, asked: &mut Vec<u64>) -> Attempt<()> {
        let mut done = self.met.reached.clone();
        for rank in todo.drain(..) {
            done[place(rank / 64)] &= !(1 << (rank % 64));
        }
        for at in 0..done.len() {
            let wait = self.met.reached[at] & !done[at];
            done[at] |= wait;
            each_bit(wait, |bit| asked.push(at as u64 * 64 + bit));
            if asked.len() >= BATCH || (at + 1 == done.len() && !asked.is_empty()) {
                self.take(asked, todo)?;
                todo.clear();
            }
        }
        for (at, (reached, done)) in self.met.reached.iter().zip(&done).enumerate() {
            each_bit(reached & !done, |bit| todo.push(at as u64 * 64 + bit));
        }
        Ok(())
    }
}

/// Whether at most so many states can be reached from one.
pub(crate) fn few(limits: &Limits, expander: &Expander, start: u64, most: usize) -> Attempt<bool> {
    let mut met = vec![0u64; place(expander.grid().volume / 64 + 1)];
    let mut new = |rank: u64| {
        let word = &mut met[place(rank / 64)];
        let new = *word >> (rank % 64) & 1 == 0;
        *word |= 1 << (rank % 64);
        new
    };
    let (mut todo, mut nodes, mut rows, mut asked) = (vec![start], 1, Rows::default(), Vec::new());
    new(start);
    while !todo.is_empty() {
        limits.check_clock()?;
        asked.clear();
        asked.extend(todo.drain(todo.len().saturating_sub(BATCH)..));
        expander.expand(&asked, &mut rows)?;
        for &entry in rows.all().iter().filter(|&&entry| entry & (STOP | ENDED) == 0) {
            let rank = entry & (RANKS - 1);
            if new(rank) {
                nodes += 1;
                todo.push(rank);
            }
        }
        if nodes > most {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Calls `each` with every move from state to state once more: the node it comes from, in the order of ranks, and its entry.
pub(crate) fn expand_all(
    limits: &Limits,
    expander: &Expander,
    reached: &[u64],
    mut each: impl FnMut(u32, u64),
) -> Attempt<()> {
    let (mut rows, mut asked, mut batches) = (Rows::default(), Vec::with_capacity(BATCH + 64), 0u64);
    let mut node = 0;
    for at in 0..reached.len() {
        each_bit(reached[at], |bit| asked.push(at as u64 * 64 + bit));
        if asked.len() >= BATCH || at + 1 == reached.len() {
            if batches.is_multiple_of(LOOK) {
                limits.check_clock()?;
            }
            batches += 1;
            expander.expand(&asked, &mut rows)?;
            for i in 0..asked.len() {
                rows.row(i).iter().filter(|&&entry| entry & (STOP | ENDED) == 0).for_each(|&entry| each(node, entry));
                node += 1;
            }
            asked.clear();
        }
    }
    Ok(())
}

/// The bits of a word that are set, in order.
#[inline]
fn each_bit(mut word: u64, mut each: impl FnMut(u64)) {
    while word != 0 {
        each(word.trailing_zeros().into());
        word &= word - 1;
    }
}
