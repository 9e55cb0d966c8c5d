//! What is done with a group of blocks in a step: states take what was told to them, some begin to tell, and what is new is told
//! to the states before them.

use crate::graph_search::blocks::bunch::{self, Bunch, SINGLE, Single, Told};
use crate::graph_search::blocks::cells::{Cells, UNKNOWN, decided};
use crate::graph_search::blocks::fresh::Fresh;
use crate::graph_search::blocks::mail::{Mail, Writer};
use crate::graph_search::blocks::save::{Met, Phase, Stage, Subject};
use crate::graph_search::blocks::shape::{Shape, Shift, Spread};
use crate::graph_search::blocks::store::{Block, Entry, Store};
use crate::graph_search::blocks::values;
use crate::graph_search::retrograde::{LOSS, WIN};
use crate::source::Code;
use crate::tables::expand::{ENDED, STOP};
use crate::value::{Fault, width};

/// What all moves do.
#[derive(Debug, Default)]
pub(super) struct Moves {
    shifts: Vec<Shift>,
    /// For each bit of a word the place of its plane in a block, if it has one.
    planes: Vec<Option<usize>>,
    /// For each shift which places have it, as bits, if the bits of ranks tell.
    exact: Vec<Option<Vec<u64>>>,
    /// Places of the planes of moves that end the play, and of ends.
    ends: [Vec<usize>; 2],
    /// The words whose planes are kept, as bits.
    pub(super) kept: u64,
}

impl Moves {
    /// After all were met.
    pub(super) fn new(met: &Met, subject: &Subject) -> Moves {
        let Subject { shape, joined, misere } = *subject;
        let words = (0u16..).zip(met.words.iter().zip(&met.seen));
        let shifts: Vec<Shift> =
            words.clone().filter_map(|(bit, (&word, seen))| Shift::of(bit, word, joined, seen, shape)).collect();
        let exact = |shift: &Shift| shift.exact.then(|| shift.plane(shape.lanes()));
        let mut moves = Moves { exact: shifts.iter().map(exact).collect(), planes: vec![None; 64], ..Moves::default() };
        let mut kept: Vec<usize> = shifts.iter().filter(|shift| !shift.exact).map(|shift| shift.bit.into()).collect();
        // Where there are values ends are looked for.
        let ends = [STOP, ENDED].map(|kind| {
            let those = words.clone().filter(|(_, (word, _))| **word & !3 == kind && !misere);
            those.map(|(bit, _)| usize::from(bit)).collect::<Vec<usize>>()
        });
        kept.extend(ends.iter().flatten());
        kept.sort_unstable();
        for (at, &bit) in kept.iter().enumerate() {
            moves.planes[bit] = Some(at);
        }
        moves.ends = ends.map(|bits| bits.iter().filter_map(|&bit| moves.planes[bit]).collect());
        moves.kept = kept.iter().fold(0, |bits, bit| bits | 1 << bit);
        moves.shifts = shifts;
        moves
    }

    /// Whether some move or state ends the play, or some move keeps the turn.
    pub(super) fn have_ends(&self) -> bool {
        self.ends.iter().any(|ends| !ends.is_empty()) || self.shifts.iter().any(|shift| shift.keeps)
    }

    fn plane(&self, bit: u16) -> Option<usize> {
        self.planes.get(usize::from(bit)).copied().flatten()
    }
}

/// A step of a box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub(super) shape: Shape,
    pub(super) stage: Stage,
}

impl Task {
    /// The flags of blocks that begin something in this step.
    pub(super) fn wanted(self) -> u8 {
        match self.stage {
            Stage { phase: Phase::Marking, step: 0, .. } => Entry::UNKNOWN,
            Stage { phase: Phase::Layers, step: 0, .. } => Entry::ENDS,
            Stage { phase: Phase::Layers, step: 1, .. } => Entry::STOPS,
            _ => 0,
        }
    }

    /// Whether it does not matter in which order the steps of a phase are taken: what is reached is marked.
    pub(super) fn is_unordered(self) -> bool {
        matches!(self.stage.phase, Phase::Marking | Phase::Leads) && self.stage.step > 0
    }

    /// Whether all blocks do.
    pub(super) fn begins(self) -> bool {
        match self.stage.phase {
            Phase::Leads | Phase::Labelling => self.stage.step == 0,
            Phase::Opening => true,
            _ => false,
        }
    }

    /// What is told by a change of the states in a set that are new.
    fn told(self, set: usize, keeps: bool) -> Option<Told> {
        let by_set = |told: [Option<Told>; 3]| told.get(set).copied().flatten();
        by_set(match (self.stage.phase, keeps) {
            (Phase::Marking, _) => [Some(Told::Unknown), None, None],
            (Phase::Layers, false) => [Some(Told::Less), Some(Told::Wins), None],
            (Phase::Layers, true) => [Some(Told::Wins), Some(Told::Less), None],
            (Phase::Leads, _) => [Some(Told::Stops), Some(Told::Ends), Some(Told::Keeps)],
            (Phase::Opening, _) => [Some(Told::Valued), None, None],
            (Phase::Labelling, _) => [Some(Told::Reaches), Some(Told::Answered), None],
            (Phase::Meeting | Phase::Listing | Phase::Settling | Phase::Done, _) => [None; 3],
        })
    }
}

/// Where the blocks of a group are. `range`: the group.
pub(super) trait Hold {
    /// What the listing of a block met.
    fn flags(&self, block: u64) -> u8;

    /// The block whose cells a phase is about. `plane`: the place of a plane that is wanted.
    fn block(&mut self, values: bool, block: u64, range: (u64, u64), plane: Option<usize>)
    -> Result<&mut Block, Fault>;

    /// The same, with the plane, if a bunch may change something in it.
    fn wanting(
        &mut self,
        values: bool,
        block: u64,
        range: (u64, u64),
        plane: Option<usize>,
        bunch: &Bunch<'_>,
    ) -> Result<Option<&mut Block>, Fault> {
        let found = self.block(values, block, range, None)?;
        let there = plane.is_none_or(|at| found.planes.get(at).is_some_and(|plane| !plane.is_empty()));
        // A plane that is not there costs more than a look at the cells.
        if !there && !found.cells.want(bunch) {
            return Ok(None);
        }
        self.block(values, block, range, plane).map(Some)
    }

    /// Makes the cells of a block wide enough for a remoteness.
    fn fit(&mut self, block: u64, range: (u64, u64), far: u32) -> Result<(), Fault>;

    /// Gives the states of a block their first values, by how many moves they have.
    fn first_values(&mut self, block: u64, range: (u64, u64), moves: impl Fn(usize) -> u16) -> Result<(), Fault>;
}

/// All blocks.
pub(super) struct Stores<'a> {
    pub(super) outcomes: &'a mut Store,
    pub(super) values: Option<&'a mut Store>,
}

fn missing() -> Fault {
    Fault::new(Code::L02, "a table of values is missing")
}

impl Hold for Stores<'_> {
    fn flags(&self, block: u64) -> u8 {
        self.outcomes.entries.get(width::index(block)).map_or(0, |entry| entry.flags)
    }

    fn block(
        &mut self,
        values: bool,
        block: u64,
        range: (u64, u64),
        plane: Option<usize>,
    ) -> Result<&mut Block, Fault> {
        let store = if values { self.values.as_deref_mut().ok_or_else(missing)? } else { &mut *self.outcomes };
        store.block(block, range, plane)
    }

    fn fit(&mut self, block: u64, range: (u64, u64), far: u32) -> Result<(), Fault> {
        self.outcomes.block(block, range, None)?;
        self.outcomes.fit(block, far);
        Ok(())
    }

    fn first_values(&mut self, block: u64, range: (u64, u64), moves: impl Fn(usize) -> u16) -> Result<(), Fault> {
        let outcomes = self.outcomes.block(block, range, None)?;
        let Some(store) = &mut self.values else { return Err(missing()) };
        begin(store.block(block, range, None)?, outcomes, moves);
        Ok(())
    }
}

/// One block in memory, which is a group.
pub(super) struct Own<'a> {
    pub(super) outcomes: &'a mut Block,
    pub(super) values: Option<&'a mut Block>,
    pub(super) flags: u8,
    /// Whether its cells grew.
    pub(super) grew: bool,
}

impl Hold for Own<'_> {
    fn flags(&self, _: u64) -> u8 {
        self.flags
    }

    fn block(&mut self, values: bool, _: u64, _: (u64, u64), _: Option<usize>) -> Result<&mut Block, Fault> {
        if values { self.values.as_deref_mut().ok_or_else(missing) } else { Ok(self.outcomes) }
    }

    fn fit(&mut self, _: u64, _: (u64, u64), far: u32) -> Result<(), Fault> {
        self.grew |= self.outcomes.cells.fit(far);
        Ok(())
    }

    fn first_values(&mut self, _: u64, _: (u64, u64), moves: impl Fn(usize) -> u16) -> Result<(), Fault> {
        begin(self.values.as_deref_mut().ok_or_else(missing)?, self.outcomes, moves);
        Ok(())
    }
}

fn begin(values: &mut Block, outcomes: &Block, moves: impl Fn(usize) -> u16) {
    if let Cells::Narrow(cells) = &mut values.cells {
        values::begin(cells, &outcomes.cells, moves);
    }
}

/// Takes what is told.
pub(super) trait Post {
    /// Tells the states from which a change leads to these places of a block, in ascending order.
    fn tell(&mut self, shift: &Shift, told: Told, block: u64, places: &[u16]) -> Result<(), Fault>;

    /// Tells the states from which a change leads to these ranks, where only states that are met have places.
    fn tell_singles(&mut self, spread: Spread, shift: &Shift, told: Told, ranks: &[u64]) -> Result<(), Fault>;

    /// Notes who wins at these places of a block, after how many moves, where cells have no room for it.
    fn note(&mut self, block: u64, mark: u8, far: u32, places: &[u16]) -> Result<(), Fault>;
}

impl Post for Writer<'_> {
    fn tell(&mut self, shift: &Shift, told: Told, block: u64, places: &[u16]) -> Result<(), Fault> {
        self.add(shift, told, block, places);
        Ok(())
    }

    fn tell_singles(&mut self, spread: Spread, shift: &Shift, told: Told, ranks: &[u64]) -> Result<(), Fault> {
        self.add_singles(spread, shift, told, ranks);
        Ok(())
    }

    fn note(&mut self, _: u64, _: u8, _: u32, _: &[u16]) -> Result<(), Fault> {
        // Blocks in memory have room.
        Ok(())
    }
}

impl Post for Mail {
    fn tell(&mut self, shift: &Shift, told: Told, block: u64, places: &[u16]) -> Result<(), Fault> {
        self.writer().add(shift, told, block, places);
        self.look()
    }

    fn tell_singles(&mut self, spread: Spread, shift: &Shift, told: Told, ranks: &[u64]) -> Result<(), Fault> {
        self.writer().add_singles(spread, shift, told, ranks);
        self.look()
    }

    fn note(&mut self, block: u64, mark: u8, far: u32, places: &[u16]) -> Result<(), Fault> {
        self.add_decided(block, mark, far, places)
    }
}

/// What one who works on a group needs.
#[derive(Debug, Default)]
pub(super) struct Desk {
    /// For each block of the group what is new. Of outcomes won and lost states; of ways to end, those by moves, those at
    /// states, those that keep the turn; of values what has the value, and what has an option of it.
    fresh: Vec<[Fresh; 3]>,
    /// Whether there is any.
    touched: Vec<bool>,
    lists: [Vec<u16>; 3],
    /// The ranks of the states of a list.
    ranks: Vec<u64>,
    /// How many moves states have, a list of bits for each binary digit.
    digits: [Vec<u64>; 7],
}

impl Desk {
    pub(super) fn new(shape: Shape) -> Desk {
        let (group, lanes) = (1 << shape.group_bits, shape.lanes());
        Desk {
            fresh: (0..group).map(|_| std::array::from_fn(|_| Fresh::new(lanes))).collect(),
            touched: vec![false; group],
            lists: Default::default(),
            ranks: Vec::new(),
            digits: std::array::from_fn(|_| vec![0; lanes]),
        }
    }

    /// Gives a row of bunches to the blocks of a group; `None`: it is not what was written.
    pub(super) fn tell(
        &mut self,
        hold: &mut impl Hold,
        moves: &Moves,
        task: Task,
        range: (u64, u64),
        mut row: &[u16],
    ) -> Result<Option<()>, Fault> {
        let Stage { step, round, .. } = task.stage;
        let (values, step) = if task.stage.phase.is_of_values() { (true, round) } else { (false, step) };
        if let Some(spread) = task.shape.spread {
            return self.tell_singles(hold, moves, (spread, values, step), range, row);
        }
        while !row.is_empty() {
            let Some((bunch, rest)) = bunch::first(row) else { return Ok(None) };
            row = rest;
            let (local, block) = (usize::from(bunch.local), range.0 + u64::from(bunch.local));
            let Some(fresh) = self.fresh.get_mut(local).filter(|_| block < range.1) else { return Ok(None) };
            self.touched[local] = true;
            if step >= Cells::FAR {
                hold.fit(block, range, step)?;
            }
            let plane = moves.plane(bunch.bit);
            if let Some(found) = hold.wanting(values, block, range, plane, &bunch)? {
                found.tell(&bunch, plane, step, fresh);
            }
        }
        Ok(Some(()))
    }

    /// The same where each state is told by itself: those that are not met are told in vain.
    fn tell_singles(
        &mut self,
        hold: &mut impl Hold,
        moves: &Moves,
        (spread, values, step): (Spread, bool, u32),
        range: (u64, u64),
        row: &[u16],
    ) -> Result<Option<()>, Fault> {
        let (singles, []) = row.as_chunks::<SINGLE>() else { return Ok(None) };
        for &words in singles {
            let Some(Single { local, bit, told, key }) = bunch::told(words) else { return Ok(None) };
            let block = range.0 + u64::from(local);
            let Some(fresh) = self.fresh.get_mut(usize::from(local)).filter(|_| block < range.1) else {
                return Ok(None);
            };
            let plane = moves.plane(bit);
            let found = hold.block(values, block, range, None)?;
            let place = found.keys.as_ref().and_then(|keys| spread.place(keys, key));
            let Some(place) = place.and_then(|place| u16::try_from(place).ok()) else { continue };
            self.touched[usize::from(local)] = true;
            if step >= Cells::FAR {
                hold.fit(block, range, step)?;
            }
            let bunch = Bunch { local, bit, told, places: &[place] };
            if let Some(found) = hold.wanting(values, block, range, plane, &bunch)? {
                found.tell(&bunch, plane, step, fresh);
            }
        }
        Ok(Some(()))
    }

    /// Begins what the step begins with.
    pub(super) fn begin(
        &mut self,
        hold: &mut impl Hold,
        moves: &Moves,
        task: Task,
        range: (u64, u64),
    ) -> Result<(), Fault> {
        let (wanted, Stage { phase, step, round, .. }) = (task.wanted(), task.stage);
        for (local, block) in (range.0..range.1).enumerate() {
            if hold.flags(block) & wanted != 0 {
                let numbers = match phase {
                    Phase::Marking => [UNKNOWN.into(); 2],
                    _ => [decided(WIN, step), decided(LOSS, step)],
                };
                let [won, lost, _] = &mut self.fresh[local];
                hold.block(false, block, range, None)?.cells.find(numbers, |place, first| {
                    let set = if first { &mut *won } else { &mut *lost };
                    set.add(place);
                });
            } else if !task.begins() {
                continue;
            } else if phase == Phase::Leads {
                self.begin_leads(hold, moves, range, local)?;
            } else {
                if phase == Phase::Opening && round == 1 {
                    self.count_moves(hold, moves, range, block)?;
                    let digits = &self.digits;
                    hold.first_values(block, range, |at| {
                        let digit = |bits: &Vec<u64>| bits.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1);
                        (0..).zip(digits).map(|(i, bits)| u16::from(digit(bits)) << i).sum()
                    })?;
                }
                let (found, [set, ..]) = (hold.block(true, block, range, None)?, &mut self.fresh[local]);
                found.changed = true;
                match &mut found.cells {
                    Cells::Narrow(cells) if phase == Phase::Opening => values::close(cells, round, set),
                    Cells::Narrow(cells) => values::open(cells, round, set),
                    _ => {}
                }
            }
            self.touched[local] = true;
        }
        Ok(())
    }

    /// Marks the states of a block that end the play, or have a move that does, or one that keeps the turn.
    fn begin_leads(
        &mut self,
        hold: &mut impl Hold,
        moves: &Moves,
        range: (u64, u64),
        local: usize,
    ) -> Result<(), Fault> {
        let block = range.0 + local as u64;
        let keeping = moves.shifts.iter().zip(&moves.exact).filter(|(shift, _)| shift.keeps);
        let keeping =
            keeping.map(|(shift, exact)| (2, moves.plane(shift.bit), exact.as_ref().filter(|_| shift.is_in(block))));
        let ends =
            moves.ends.iter().enumerate().flat_map(|(way, planes)| planes.iter().map(move |&at| (way, Some(at), None)));
        for (way, at, exact) in ends.chain(keeping) {
            let Block { cells: Cells::Narrow(cells), planes, changed, .. } = hold.block(true, block, range, at)? else {
                continue;
            };
            *changed = true;
            let Some(plane) = at.and_then(|at| planes.get(at)).or(exact) else { continue };
            for (lane, &word) in plane.iter().enumerate() {
                let mut left = word;
                while left != 0 {
                    let place = lane * 64 + width::index(u64::from(left.trailing_zeros()));
                    left &= left - 1;
                    if cells.get_mut(place).is_some_and(|cell| values::lead(cell, way)) {
                        self.fresh[local][way].add(place);
                    }
                }
            }
        }
        Ok(())
    }

    /// Counts the moves of the states of a block.
    fn count_moves(&mut self, hold: &mut impl Hold, moves: &Moves, range: (u64, u64), block: u64) -> Result<(), Fault> {
        self.digits.iter_mut().for_each(|bits| bits.fill(0));
        for (shift, exact) in moves.shifts.iter().zip(&moves.exact) {
            let plane = if let Some(exact) = exact {
                if !shift.is_in(block) {
                    continue;
                }
                exact
            } else {
                let Some(at) = moves.plane(shift.bit) else { continue };
                let Some(plane) = hold.block(true, block, range, Some(at))?.planes.get(at) else { continue };
                plane
            };
            for (lane, &word) in plane.iter().enumerate() {
                let mut carry = word;
                for bits in &mut self.digits {
                    let Some(digit) = bits.get_mut(lane).filter(|_| carry != 0) else { break };
                    (*digit, carry) = (*digit ^ carry, *digit & carry);
                }
            }
        }
        Ok(())
    }

    /// Tells the states before those that are new.
    pub(super) fn send(
        &mut self,
        hold: &mut impl Hold,
        post: &mut impl Post,
        moves: &Moves,
        task: Task,
        range: (u64, u64),
    ) -> Result<(), Fault> {
        for (local, block) in (range.0..range.1).enumerate() {
            if !std::mem::take(&mut self.touched[local]) {
                continue;
            }
            for (set, list) in self.fresh[local].iter_mut().zip(&mut self.lists) {
                set.drain(list);
            }
            // Cells have room for less.
            if let Stage { phase: Phase::Layers, step: step @ 2.., .. } = task.stage {
                for (mark, places) in [WIN, LOSS].into_iter().zip(&self.lists).filter(|(_, places)| !places.is_empty())
                {
                    post.note(block, mark, step, places)?;
                }
            }
            if let Some(spread) = task.shape.spread {
                self.send_singles(hold, post, moves, (task, spread), (block, range))?;
                continue;
            }
            for shift in &moves.shifts {
                for (set, places) in self.lists.iter().enumerate().filter(|(_, places)| !places.is_empty()) {
                    if let Some(told) = task.told(set, shift.keeps) {
                        post.tell(shift, told, block, places)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// The same of one block where each state is told by itself.
    fn send_singles(
        &mut self,
        hold: &mut impl Hold,
        post: &mut impl Post,
        moves: &Moves,
        (task, spread): (Task, Spread),
        (block, range): (u64, (u64, u64)),
    ) -> Result<(), Fault> {
        for (set, places) in self.lists.iter().enumerate().filter(|(_, places)| !places.is_empty()) {
            let found = hold.block(task.stage.phase.is_of_values(), block, range, None)?;
            let keys = found.keys.as_deref().unwrap_or_default();
            let those = places.iter().filter_map(|&place| keys.get(usize::from(place)));
            self.ranks.clear();
            self.ranks.extend(those.map(|&key| spread.rank(block, key)));
            for shift in &moves.shifts {
                if let Some(told) = task.told(set, shift.keeps) {
                    post.tell_singles(spread, shift, told, &self.ranks)?;
                }
            }
        }
        Ok(())
    }
}
