//! The moves of all states of a box as bits, listed by several threads: pieces of the box, each by whoever is free.
//!
//! Every thread gives words bits of its own as it meets them. Most are met at once, so a look at the first states makes
//! nearly all threads agree; where they do not, the bits of a thread are put in order at the end.

use crate::graph_search::rank_changes::{FAULTS, Lister, MOST, OVER, STOPS};
use crate::graph_search::reverse_graph::End;
use crate::graph_search::unmove::Seen;
use crate::value::limits::Limits;
use crate::value::refusal::{Attempt, Failure, Refusal};
use crate::value::team::team;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// All that is known of the states of a box.
pub(crate) struct Listing {
    /// For each state a bit for each word that says what it can do.
    pub(crate) bits: Vec<u64>,
    /// How many bits each has.
    pub(crate) moves: Vec<u8>,
    /// The words by bit.
    pub(crate) words: Vec<u64>,
    /// What was seen of the states with each bit.
    pub(crate) seen: Vec<Seen>,
    /// Where the play ends, or a move ends it, by state.
    pub(crate) ends: Vec<(u32, End)>,
    /// States whose moves cannot be worked out, in order.
    pub(crate) faulty: Vec<u32>,
}

/// Why a thread did not list its states.
enum Unmade {
    /// It cannot be done.
    Failed(Failure),
    /// Another thread stopped.
    Other,
}

impl<F: Into<Failure>> From<F> for Unmade {
    fn from(why: F) -> Self {
        Unmade::Failed(why.into())
    }
}

/// States listed at a time.
const CHUNK: usize = 4096;

/// What one thread found.
struct Part {
    lister: Lister,
    /// The pieces it took.
    pieces: Vec<usize>,
    seen: [Seen; MOST],
    ends: Vec<(u32, End)>,
    faulty: Vec<u32>,
    /// So many words are looked at.
    known: usize,
    /// Those that end the play, by bit.
    finals: Vec<(u32, End)>,
    /// The bit of what cannot be worked out.
    faults: u64,
}

/// Lists the moves of so many states, the whole box of the lister. `O(states * moves)`.
pub(crate) fn list(limits: &Limits, lister: &mut Lister, states: usize) -> Attempt<Listing> {
    let threads = limits.threads_for(states as u64);
    // Some pieces for each thread: they do not all take as long.
    let pieces = if threads == 1 { 1 } else { threads * 8 };
    let piece = states.div_ceil(pieces).max(1);
    let (mut bits, mut moves) = (vec![0u64; states], vec![0u8; states]);
    lister.go(0);
    lister.list(&mut vec![0; CHUNK.min(piece).min(states)])?;
    let lister = &*lister;
    let todo = Mutex::new(bits.chunks_mut(piece).zip(moves.chunks_mut(piece)).enumerate());
    let stop = AtomicBool::new(false);
    let parts = team(threads, &stop, |_, _| {
        let mut part = Part::new(lister.fork());
        loop {
            // Nothing panics while it holds the lock.
            let next = todo.lock().ok().and_then(|mut todo| todo.next());
            let Some((number, (bits, moves))) = next else { return Ok(part) };
            part.pieces.push(number);
            if let Err(why) = part.list(limits, &stop, number * piece, bits, moves) {
                stop.store(true, Ordering::Relaxed);
                return Err(why);
            }
        }
    });
    let (mut found, mut failed) = (Vec::new(), None);
    for part in parts {
        match part {
            Ok(part) => found.push(part),
            // Too many words are too many however far the others came.
            Err(Unmade::Failed(why @ Failure::Refused(Refusal::UnlikeMoves))) => return Err(why),
            Err(Unmade::Failed(why)) => failed = failed.or(Some(why)),
            Err(Unmade::Other) => {}
        }
    }
    match failed {
        Some(why) => Err(why),
        None => Ok(join(found, piece, bits, moves)?),
    }
}

/// Puts together what the threads found.
fn join(parts: Vec<Part>, piece: usize, mut bits: Vec<u64>, moves: Vec<u8>) -> Result<Listing, Refusal> {
    let mut words: Vec<u64> = Vec::new();
    let (mut ends, mut faulty, mut seen) = (Vec::new(), Vec::new(), vec![Seen::default(); MOST]);
    for part in parts {
        let mut places = Vec::with_capacity(part.lister.words.len());
        for (word, saw) in part.lister.words.iter().zip(&part.seen) {
            let place = words.iter().position(|known| known == word).unwrap_or_else(|| {
                words.push(*word);
                words.len() - 1
            });
            if words.len() > MOST {
                return Err(Refusal::UnlikeMoves);
            }
            seen[place].join(saw);
            places.push(place);
        }
        if places.iter().enumerate().any(|(bit, &place)| bit != place) {
            for &number in &part.pieces {
                for bits in bits.iter_mut().skip(number * piece).take(piece) {
                    let moved = places.iter().enumerate().map(|(bit, &place)| (*bits >> bit & 1) << place);
                    *bits = moved.fold(0, |all, bit| all | bit);
                }
            }
        }
        ends.extend(part.ends);
        faulty.extend(part.faulty);
    }
    // Runs that are in order: linear, nearly.
    ends.sort_by_key(|&(node, _)| node);
    faulty.sort_unstable();
    seen.truncate(words.len());
    Ok(Listing { bits, moves, words, seen, ends, faulty })
}

impl Part {
    fn new(lister: Lister) -> Part {
        Part {
            lister,
            pieces: Vec::new(),
            seen: [Seen::default(); MOST],
            ends: Vec::new(),
            faulty: Vec::new(),
            known: 0,
            finals: Vec::new(),
            faults: 0,
        }
    }

    /// Lists the states from this one on.
    fn list(
        &mut self,
        limits: &Limits,
        stop: &AtomicBool,
        first: usize,
        bits: &mut [u64],
        moves: &mut [u8],
    ) -> Result<(), Unmade> {
        self.lister.go(first as u64);
        let mut first = u32::try_from(first).unwrap_or(u32::MAX);
        for (bits, moves) in bits.chunks_mut(CHUNK).zip(moves.chunks_mut(CHUNK)) {
            if stop.load(Ordering::Relaxed) {
                return Err(Unmade::Other);
            }
            limits.check_clock()?;
            self.lister.list(bits)?;
            self.look();
            if !self.finals.is_empty() || self.faults != 0 {
                for (node, word) in (first..).zip(bits.iter()) {
                    let finals = self.finals.iter().filter(|(bit, _)| *word >> bit & 1 == 1);
                    self.ends.extend(finals.map(|&(_, end)| (node, end)));
                    if *word & self.faults != 0 {
                        self.faulty.push(node);
                    }
                }
            }
            for (word, moves) in bits.iter().zip(moves) {
                *moves = u8::try_from(word.count_ones()).unwrap_or(u8::MAX); // at most 64
            }
            for (bit, seen) in (0u32..).zip(&mut self.seen[..self.known]) {
                seen.add(first, bits, bit);
            }
            first = first.saturating_add(u32::try_from(bits.len()).unwrap_or(u32::MAX));
        }
        Ok(())
    }

    /// Looks at words that were not met before.
    fn look(&mut self) {
        for (bit, &word) in (0u32..).zip(&self.lister.words).skip(self.known) {
            let code = u8::try_from(word & 3).unwrap_or(0);
            match word & !3 {
                STOPS => self.finals.push((bit, End::Move(code))),
                OVER => self.finals.push((bit, End::Here(code))),
                FAULTS => self.faults = 1 << bit,
                _ => {}
            }
        }
        self.known = self.lister.words.len();
    }
}
