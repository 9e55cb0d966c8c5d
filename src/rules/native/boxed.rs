//! All states of a box with their moves, which are taken back by changes of the rank.
//!
//! Nothing is kept of a move where the bits of a state tell by themselves which changes it can make: that is so when just as
//! many states of the box make each change as there are with certain bits. Else each state has a bit for each change.

use super::back::{Backward, End, KEEPS, NoGraph, Sources};
use super::changes::{FAULTS, Lister, OVER, STOPS, Unlisted, VOLUME};
use super::grid::Grid;
use super::undo::{Seen, Undo};
use super::watch::watched;
use crate::rules::fault::{Fault, Run};
use crate::rules::limits::Limits;
use crate::rules::machine::Machine;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// See the module. Nodes are ranks.
#[derive(Debug)]
pub struct BoxGraph {
    grid: Grid,
    /// The changes, each with its bit.
    undos: Vec<(Undo, u32)>,
    bits: Bits,
    moves: Vec<u8>,
    ends: Vec<(u32, End)>,
    /// A bit for each state that leads to one whose options are not known; empty: there is none.
    unknown: Vec<u64>,
}

/// Which changes each state can make.
#[derive(Debug)]
enum Bits {
    /// Those that are allowed.
    Allowed,
    Narrow(Vec<u32>),
    Wide(Vec<u64>),
}

/// States listed at a time.
const CHUNK: usize = 4096;

impl BoxGraph {
    /// Bytes wanted for a box of so many states while it is worked out.
    #[must_use]
    pub fn forecast(volume: u64) -> u64 {
        volume.saturating_mul(17)
    }

    /// The moves of all states of a box. `joined`: the fields whose changes are exclusive ors; they must be the least
    /// significant ones, with `2^n` values each.
    ///
    /// `O(states * moves)` time; one byte a state, and four or eight more where bits do not tell the moves.
    pub fn new(machine: &mut Machine, instance: usize, grid: &Grid, joined: &[bool]) -> Run<Result<BoxGraph, NoGraph>> {
        if grid.volume > VOLUME || machine.limits.positions.is_some_and(|limit| grid.volume >= limit) {
            return Ok(Err(NoGraph::Unlike));
        }
        let wanted = BoxGraph::forecast(grid.volume);
        let room = machine.limits.memory.saturating_sub(machine.bytes()) as u64;
        if wanted > room {
            return Ok(Err(NoGraph::Memory(wanted)));
        }
        let code = match machine.judged_code(instance) {
            Ok(code) => code,
            Err(why) => return Ok(Err(NoGraph::Rules(why))),
        };
        let flag = Arc::new(AtomicBool::new(false));
        let mut lister = match Lister::new(&code, instance, grid, joined, &flag) {
            Ok(lister) => lister,
            Err(why) => return Ok(Err(NoGraph::Rules(why))),
        };
        let limits = machine.limits.clone();
        let size = grid.digits.iter().zip(joined).filter(|(_, joined)| **joined).map(|(d, _)| d.size).product();
        match watched(&limits, &flag, || list(&limits, &mut lister, grid, size)) {
            Ok(graph) => Ok(Ok(graph)),
            Err(Failure::Limit(fault)) => Err(fault.into()),
            Err(Failure::Unlisted(Unlisted::Many)) => Ok(Err(NoGraph::Unlike)),
            Err(Failure::Unlisted(Unlisted::Interrupted)) => {
                limits.check_clock()?;
                Ok(Err(NoGraph::Unlike))
            }
        }
    }

    /// The node of a state; `None`: it is outside of the box, or leads to a state whose options are not known.
    #[must_use]
    pub fn node(&self, words: &[i64]) -> Option<usize> {
        let node = usize::try_from(self.grid.rank(words)?).ok()?;
        let unknown = self.unknown.get(node / 64).is_some_and(|word| word >> (node % 64) & 1 == 1);
        (!unknown).then_some(node)
    }

    /// Whether the bits of states tell all their moves.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        matches!(self.bits, Bits::Allowed)
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let bits = match &self.bits {
            Bits::Allowed => 0,
            Bits::Narrow(bits) => bits.len() * 4,
            Bits::Wide(bits) => bits.len() * 8,
        };
        bits + self.moves.len() + self.ends.len() * 8 + self.unknown.len() * 8
    }
}

impl Backward for BoxGraph {
    fn len(&self) -> usize {
        self.moves.len()
    }

    fn moves(&self) -> impl Iterator<Item = u32> + '_ {
        self.moves.iter().map(|&moves| u32::from(moves))
    }

    #[inline]
    fn sources<'a>(&'a self, node: u32, room: &'a mut Sources) -> &'a [u32] {
        let room = &mut room.0;
        let mut found = 0;
        match &self.bits {
            Bits::Allowed => {
                for (undo, _) in &self.undos {
                    let before = undo.before(node);
                    room[found & 63] = if undo.keeps { before | KEEPS } else { before };
                    found += usize::from(undo.allows(before));
                }
            }
            Bits::Narrow(bits) => {
                for &(ref undo, bit) in &self.undos {
                    let before = undo.before(node);
                    if undo.allows(before) && bits.get(before as usize).is_some_and(|bits| bits >> bit & 1 == 1) {
                        room[found & 63] = if undo.keeps { before | KEEPS } else { before };
                        found += 1;
                    }
                }
            }
            Bits::Wide(bits) => {
                for &(ref undo, bit) in &self.undos {
                    let before = undo.before(node);
                    if undo.allows(before) && bits.get(before as usize).is_some_and(|bits| bits >> bit & 1 == 1) {
                        room[found & 63] = if undo.keeps { before | KEEPS } else { before };
                        found += 1;
                    }
                }
            }
        }
        &room[..found]
    }

    fn ends(&self) -> &[(u32, End)] {
        &self.ends
    }

    fn again(&self) -> bool {
        self.undos.iter().any(|(undo, _)| undo.keeps)
    }
}

enum Failure {
    Limit(Fault),
    Unlisted(Unlisted),
}

/// The words met so far, as the bits of states have them.
struct Words {
    /// So many are looked at.
    known: usize,
    /// All that end the play.
    ends: Vec<(u32, End)>,
    /// The bit of what cannot be worked out.
    faults: u64,
}

impl Words {
    fn look(&mut self, words: &[u64]) {
        for (bit, &word) in (0u32..).zip(words).skip(self.known) {
            let code = u8::try_from(word & 3).unwrap_or(0);
            match word & !3 {
                STOPS => self.ends.push((bit, End::Move(code))),
                OVER => self.ends.push((bit, End::Here(code))),
                FAULTS => self.faults = 1 << bit,
                _ => {}
            }
        }
        self.known = words.len();
    }
}

fn list(limits: &Limits, lister: &mut Lister, grid: &Grid, joined: u64) -> Result<BoxGraph, Failure> {
    let states = usize::try_from(grid.volume).unwrap_or(usize::MAX);
    let mut bits = Bits::Narrow(Vec::with_capacity(states));
    let mut moves: Vec<u8> = Vec::with_capacity(states);
    let (mut ends, mut faulty) = (Vec::new(), Vec::new());
    let mut seen = [Seen::default(); 64];
    let mut words = Words { known: 0, ends: Vec::new(), faults: 0 };
    let mut chunk = vec![0u64; CHUNK];
    while moves.len() < states {
        limits.check_clock().map_err(Failure::Limit)?;
        let begun = moves.len();
        let first = u32::try_from(begun).unwrap_or(u32::MAX);
        let out = &mut chunk[..CHUNK.min(states - begun)];
        lister.list(out).map_err(Failure::Unlisted)?;
        words.look(&lister.words);
        if let (Bits::Narrow(narrow), true) = (&bits, lister.words.len() > 32) {
            let mut wide = Vec::with_capacity(states);
            wide.extend(narrow.iter().map(|&bits| u64::from(bits)));
            bits = Bits::Wide(wide);
        }
        if !words.ends.is_empty() || words.faults != 0 {
            for (node, word) in (first..).zip(out.iter_mut()) {
                for &(bit, end) in words.ends.iter().filter(|(bit, _)| *word >> bit & 1 == 1) {
                    let _ = bit;
                    ends.push((node, end));
                }
                if *word & words.faults != 0 {
                    faulty.push(node);
                }
            }
        }
        moves.extend(out.iter().map(|word| u8::try_from(word.count_ones()).unwrap_or(u8::MAX)));
        match &mut bits {
            Bits::Allowed => {}
            Bits::Narrow(narrow) => {
                narrow.extend(out.iter().map(|&word| u32::try_from(word & u64::from(u32::MAX)).unwrap_or(0)));
                for (bit, seen) in (0u32..).zip(&mut seen[..words.known]) {
                    seen.add(first, &narrow[begun..], bit);
                }
            }
            Bits::Wide(wide) => {
                wide.extend_from_slice(out);
                for (bit, seen) in (0u32..).zip(&mut seen[..words.known]) {
                    seen.add_wide(first, &wide[begun..], bit);
                }
            }
        }
    }
    let undos: Vec<(Undo, u32)> = (0u32..)
        .zip(lister.words.iter().zip(&seen))
        .filter_map(|(bit, (&word, seen))| Some((Undo::of(word, joined, seen)?, bit)))
        .collect();
    if undos.iter().all(|(undo, bit)| undo.is_exact(grid.volume, &seen[*bit as usize])) {
        bits = Bits::Allowed;
    }
    let mut graph = BoxGraph { grid: grid.clone(), undos, bits, moves, ends, unknown: Vec::new() };
    if !faulty.is_empty() {
        graph.unknown = leading_to(limits, &graph, faulty).map_err(Failure::Limit)?;
    }
    Ok(graph)
}

/// The nodes from which a play can come to one of these, those themselves included, as bits. `O(moves)`.
pub(crate) fn leading_to(limits: &Limits, graph: &impl Backward, mut todo: Vec<u32>) -> Result<Vec<u64>, Fault> {
    let mut found = vec![0u64; graph.len() / 64 + 1];
    let mut room = Sources::default();
    let mark = |found: &mut Vec<u64>, node: u32| {
        let (word, bit) = (node as usize / 64, 1u64 << (node % 64));
        let new = found[word] & bit == 0;
        found[word] |= bit;
        new
    };
    todo.retain(|&node| mark(&mut found, node));
    let mut steps = 0u64;
    while let Some(node) = todo.pop() {
        if steps.is_multiple_of(1 << 16) {
            limits.check_clock()?;
        }
        steps += 1;
        for &before in graph.sources(node, &mut room) {
            if mark(&mut found, before & !KEEPS) {
                todo.push(before & !KEEPS);
            }
        }
    }
    Ok(found)
}
