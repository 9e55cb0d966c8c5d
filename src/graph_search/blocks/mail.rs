//! Bunches that wait: those of this step and those of the next, by the group of blocks that they are for.
//!
//! They stand in pages of memory. With a folder, all pages of a step go to a file once they are too many: one file for each
//! step, to which chunks are added, each the bunches of one group. What a file held is not changed until a later checkpoint
//! has no use for it. Pages for groups of other processes go to these when they are full, and at the end of a step.
//!
//! With a folder there is a third file: who wins, after how many moves, at the places that are decided. It waits until all is
//! decided.

use crate::disk::Folder;
use crate::graph_search::blocks::bunch::{HEADER, SINGLE, Told, code, single};
use crate::graph_search::blocks::shape::{Shape, Shift, Spread, low16};
use crate::processes::Crew;
use crate::value::{Fault, width};
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

/// Bunches of one group in memory, as far as they have come.
#[derive(Debug)]
pub(super) struct Page {
    words: Box<[u16]>,
    used: usize,
}

/// Bunches of one group in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Chunk {
    pub(super) offset: u64,
    pub(super) bytes: u32,
    pub(super) crc: u32,
}

/// What waits for one group.
#[derive(Debug, Default)]
pub(super) struct Heap {
    pages: Vec<Page>,
    pub(super) chunks: Vec<Chunk>,
}

impl Heap {
    pub(super) fn is_empty(&self) -> bool {
        self.pages.is_empty() && self.chunks.is_empty()
    }

    /// Rows of bunches that are in memory.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[u16]> {
        self.pages.iter().filter_map(|page| page.words.get(..page.used))
    }
}

/// A file of chunks.
#[derive(Debug)]
struct Spill {
    file: File,
    length: u64,
    synced: bool,
}

/// Bunches of one step in memory.
#[derive(Debug, Default)]
pub(super) struct Pages {
    /// By group.
    pub(super) heaps: Vec<Heap>,
    /// A bit for each group for which something waits.
    waits: Vec<u64>,
    /// Pages in use.
    count: usize,
    /// Of them for groups of other processes.
    away: usize,
    /// Words of bunches that were written.
    words: u64,
}

impl Pages {
    /// Nothing waits for any of so many groups.
    pub(super) fn new(groups: usize) -> Pages {
        let heaps = std::iter::repeat_with(Heap::default).take(groups).collect();
        Pages { heaps, waits: vec![0; groups.div_ceil(64)], count: 0, away: 0, words: 0 }
    }

    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.next(0).is_none()
    }

    /// The first group from one on for which something waits.
    pub(super) fn next(&self, group: u64) -> Option<u64> {
        let first = width::index(group / 64);
        let words = (first as u64..).zip(self.waits.get(first..)?);
        let above =
            |(at, &word): (u64, &u64)| (at, if at == group / 64 { word & u64::MAX << (group % 64) } else { word });
        let (at, word) = words.map(above).find(|&(_, word)| word != 0)?;
        Some(at * 64 + u64::from(word.trailing_zeros()))
    }

    /// Notes that something waits for a group.
    #[inline]
    fn mark(&mut self, group: u64) {
        if let Some(word) = self.waits.get_mut(width::index(group / 64)) {
            *word |= 1 << (group % 64);
        }
    }

    /// Finds out for which groups something waits.
    fn look(&mut self) {
        let waits = |heaps: &[Heap]| heaps.iter().rev().fold(0, |word, heap| word << 1 | u64::from(!heap.is_empty()));
        self.waits = self.heaps.chunks(64).map(waits).collect();
    }

    /// Takes what waits for a group.
    pub(super) fn take(&mut self, group: u64) -> Heap {
        let at = width::index(group);
        if let Some(word) = self.waits.get_mut(at / 64) {
            *word &= !(1 << (at % 64));
        }
        self.heaps.get_mut(at).map(std::mem::take).unwrap_or_default()
    }

    /// Adds all that others hold.
    pub(super) fn join(&mut self, others: Pages) {
        for (heap, other) in self.heaps.iter_mut().zip(others.heaps) {
            heap.pages.extend(other.pages);
        }
        self.waits.iter_mut().zip(others.waits).for_each(|(word, other)| *word |= other);
        self.count += others.count;
        self.away += others.away;
        self.words += others.words;
    }
}

/// Room for the words of a page.
type Room = Box<[u16]>;

/// Writes bunches.
#[derive(Debug)]
pub(super) struct Writer<'a> {
    pub(super) shape: Shape,
    /// Words of a page.
    pub(super) page: usize,
    pub(super) pages: &'a mut Pages,
    pub(super) free: &'a mut Vec<Room>,
}

impl Writer<'_> {
    /// Tells the states from which a change leads to these places of a block, in ascending order.
    pub(super) fn add(&mut self, shift: &Shift, told: Told, block: u64, places: &[u16]) {
        /// A bunch of fewer places is not begun at the end of a page.
        const LEAST: usize = 8;
        for (to, mut left) in shift.blocks(block, places, self.shape) {
            let Some(to) = to else { continue };
            let group = to >> self.shape.group_bits;
            let local = low16(to - (group << self.shape.group_bits));
            if left.is_empty() {
                continue;
            }
            self.pages.mark(group);
            let Some(heap) = self.pages.heaps.get_mut(width::index(group)) else { continue };
            while !left.is_empty() {
                if heap.pages.last().is_none_or(|page| page.used + HEADER + LEAST > page.words.len()) {
                    let words = self.free.pop().unwrap_or_else(|| vec![0; self.page].into());
                    heap.pages.push(Page { words, used: 0 });
                    self.pages.count += 1;
                    self.pages.away += usize::from(!self.shape.has(group));
                }
                let Some(page) = heap.pages.last_mut() else { break };
                let Some((head, out)) = page.words[page.used..].split_first_chunk_mut::<HEADER>() else { break };
                let (some, rest) = left.split_at(out.len().min(left.len()));
                let found = shift.places(some, out);
                if found > 0 {
                    *head = [local, code(shift.bit, told), low16(found as u64 - 1)];
                    page.used += HEADER + found;
                    self.pages.words += (HEADER + found) as u64;
                }
                left = rest;
            }
        }
    }

    /// Tells the states from which a change leads to these ranks, where only states that are met have places.
    pub(super) fn add_singles(&mut self, spread: Spread, shift: &Shift, told: Told, ranks: &[u64]) {
        let (code, volume, group_bits) = (code(shift.bit, told), self.shape.volume, self.shape.group_bits);
        for before in ranks.iter().filter_map(|&rank| shift.rank(rank, volume)) {
            let (block, key) = spread.cut(spread.mixed(before));
            let group = block >> group_bits;
            self.push(group, single(low16(block - (group << group_bits)), code, key));
        }
    }

    /// Adds the words for one state of a group.
    #[inline]
    pub(super) fn push(&mut self, group: u64, words: [u16; SINGLE]) {
        self.pages.mark(group);
        let Some(heap) = self.pages.heaps.get_mut(width::index(group)) else { return };
        if heap.pages.last().is_none_or(|page| page.used + SINGLE > page.words.len()) {
            let words = self.free.pop().unwrap_or_else(|| vec![0; self.page].into());
            heap.pages.push(Page { words, used: 0 });
            self.pages.count += 1;
            self.pages.away += usize::from(!self.shape.has(group));
        }
        if let Some(page) = heap.pages.last_mut()
            && let Some(out) = page.words.get_mut(page.used..page.used + SINGLE)
        {
            out.copy_from_slice(&words);
            page.used += SINGLE;
            self.pages.words += SINGLE as u64;
        }
    }

    /// Bytes of pages.
    pub(super) fn bytes(&self) -> usize {
        (self.pages.count + self.free.len()) * self.page * 2
    }

    /// Takes back what was taken from other pages.
    pub(super) fn reuse(&mut self, heap: Heap) {
        self.free.extend(heap.pages.into_iter().map(|page| page.words));
    }
}

/// The bunches of one step.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    pub(super) pages: Pages,
    file: Option<Spill>,
}

impl Inbox {
    /// How long its file is.
    pub(super) fn length(&self) -> u64 {
        self.file.as_ref().map_or(0, |file| file.length)
    }

    /// Takes what waits for a group.
    pub(super) fn take(&mut self, group: u64) -> Heap {
        let heap = self.pages.take(group);
        self.pages.count -= heap.pages.len();
        heap
    }
}

/// See the module.
#[derive(Debug)]
pub(super) struct Mail {
    shape: Shape,
    /// Words of a page.
    page: usize,
    free: Vec<Room>,
    pub(super) now: Inbox,
    pub(super) next: Inbox,
    /// What was decided of states.
    pub(super) decided: Inbox,
    /// So many pages of a step may be in memory.
    most: usize,
    folder: Option<Folder>,
    /// Numbers the steps that files are of.
    pub(super) serial: u64,
    /// Words told in this step that were gone on with within it.
    early: u64,
    /// Files that only the last checkpoint has a use for.
    stale: Vec<String>,
    room: Vec<u16>,
    crew: Option<Arc<Crew>>,
}

/// Pages for other processes that are full are sent when there are so many of them.
const SENT: usize = 64;

/// What goes to another process at once has some more bytes at most.
const PARCEL: usize = 1 << 13;

/// Names of files begin so.
const NAME: &str = "bunches.";

/// What waits, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    /// Bunches, in this step.
    Now,
    /// In the next one.
    Next,
    /// What was decided, at the end.
    Decided,
}

impl Which {
    /// Its file in the step of this number.
    fn name(self, serial: u64) -> String {
        match self {
            Which::Now => format!("{NAME}{serial}"),
            Which::Next => format!("{NAME}{}", serial + 1),
            Which::Decided => format!("{NAME}decided"),
        }
    }
}

/// What was decided at some places of a block.
pub(super) struct Decided<'a> {
    /// The block within its group.
    pub(super) local: u16,
    pub(super) mark: u8,
    pub(super) far: u32,
    pub(super) places: &'a [u16],
}

/// The first of such in a row, and those behind it; `None`: that is none.
pub(super) fn first_decided(row: &[u16]) -> Option<(Decided<'_>, &[u16])> {
    let (&[local, mark, low, high, less], rest) = row.split_first_chunk()?;
    let (places, rest) = rest.split_at_checked(usize::from(less) + 1)?;
    let (mark, far) = (u8::try_from(mark).ok()?, u32::from(high) << 16 | u32::from(low));
    Some((Decided { local, mark, far, places }, rest))
}

/// A chunk is not begun anew before it has so many bytes.
const CHUNK: usize = 1 << 17;

impl Mail {
    /// Nothing waits. Pages are of so many words; `most`: of each step so many may be in memory.
    pub(super) fn new(shape: Shape, page: usize, most: usize, folder: Option<Folder>, crew: Option<Arc<Crew>>) -> Mail {
        let inbox = || Inbox { pages: Pages::new(width::index(shape.groups())), file: None };
        let (now, next, decided) = (inbox(), inbox(), inbox());
        let (free, stale, room) = (Vec::new(), Vec::new(), Vec::new());
        Mail { shape, page, free, now, next, decided, most, folder, serial: 0, early: 0, stale, room, crew }
    }

    /// Blocks have places now; their numbers are the same.
    pub(super) fn reshape(&mut self, shape: Shape) {
        self.shape = shape;
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let inboxes = [&self.now.pages, &self.next.pages, &self.decided.pages];
        let pages: usize = inboxes.iter().map(|pages| pages.count).sum::<usize>() + self.free.len();
        let heaps: usize = inboxes.iter().map(|pages| pages.heaps.len() * size_of::<Heap>()).sum();
        let lists: usize = inboxes.iter().map(|pages| (pages.count + 1) * size_of::<Page>()).sum();
        pages * self.page * 2 + heaps + lists + self.room.capacity() * 2
    }

    /// Writes what waits for the next step. [`Mail::look`] is called from time to time.
    pub(super) fn writer(&mut self) -> Writer<'_> {
        Writer { shape: self.shape, page: self.page, pages: &mut self.next.pages, free: &mut self.free }
    }

    /// Writers for the pages of each of so many threads share what room is free.
    pub(super) fn share(&mut self, threads: usize) -> Vec<(Pages, Vec<Room>)> {
        let (groups, each) = (self.next.pages.heaps.len(), self.free.len() / threads.max(1));
        let share = |_| (Pages::new(groups), self.free.split_off(self.free.len() - each));
        (0..threads).map(share).collect()
    }

    /// Takes the pages of a thread.
    pub(super) fn join(&mut self, pages: Pages, free: Vec<Room>) {
        self.next.pages.join(pages);
        self.free.extend(free);
    }

    /// The processes that work together, if there are several.
    pub(super) fn crew(&self) -> Option<Arc<Crew>> {
        self.crew.clone()
    }

    /// How many words were told to states, here or by other processes; of a step that is gone on with as many as are known.
    pub(super) fn told(&self) -> u64 {
        self.early + self.next.pages.words.max(u64::from(!self.next.pages.is_empty()))
    }

    /// Words of a page.
    pub(super) fn page(&self) -> usize {
        self.page
    }

    /// Sees to it that not too much is in memory.
    pub(super) fn look(&mut self) -> Result<(), Fault> {
        let away = self.next.pages.away;
        if away > SENT && away > self.shape.owners() + SENT {
            self.send(false)?;
        }
        if self.next.pages.count > self.most {
            self.send(true)?;
            self.spill(Which::Next)?;
        }
        Ok(())
    }

    /// Notes who wins at these places of a block, after how many moves: with a folder, where cells have no room for it.
    pub(super) fn add_decided(&mut self, block: u64, mark: u8, far: u32, mut places: &[u16]) -> Result<(), Fault> {
        /// What was decided may take such a share of the pages of a step, and what these two leave.
        const SHARE: usize = 4;
        const HEADER: usize = 5;
        if self.folder.is_none() {
            return Ok(());
        }
        let (group, pages) = (block >> self.shape.group_bits, &mut self.decided.pages);
        let local = low16(block - (group << self.shape.group_bits));
        pages.mark(group);
        let Some(heap) = pages.heaps.get_mut(width::index(group)) else { return Ok(()) };
        while !places.is_empty() {
            if heap.pages.last().is_none_or(|page| page.used + HEADER >= page.words.len()) {
                let words = self.free.pop().unwrap_or_else(|| vec![0; self.page].into());
                heap.pages.push(Page { words, used: 0 });
                pages.count += 1;
            }
            let Some(page) = heap.pages.last_mut() else { break };
            let Some((head, out)) = page.words[page.used..].split_first_chunk_mut::<HEADER>() else { break };
            let (some, rest) = places.split_at(out.len().min(places.len()));
            *head = [local, mark.into(), low16(far.into()), low16((far >> 16).into()), low16(some.len() as u64 - 1)];
            out[..some.len()].copy_from_slice(some);
            page.used += HEADER + some.len();
            places = rest;
        }
        let all: usize = [&self.now, &self.next, &self.decided].iter().map(|inbox| inbox.pages.count).sum();
        let spills = self.decided.pages.count > self.most / SHARE && all > self.most.saturating_mul(2);
        if spills { self.spill(Which::Decided) } else { Ok(()) }
    }

    /// Sends pages for other processes: those that are full, or all.
    pub(super) fn send(&mut self, all: bool) -> Result<(), Fault> {
        let Some(crew) = self.crew.clone() else { return Ok(()) };
        let mut parcels: Vec<Vec<u16>> = vec![Vec::new(); crew.count()];
        let (shape, kept) = (self.shape, usize::from(!all));
        let mut next = 0;
        while let Some(group) = self.next.pages.next(next) {
            next = group + 1;
            let Some(heap) = self.next.pages.heaps.get_mut(width::index(group)) else { break };
            if shape.has(group) || heap.pages.len() <= kept {
                continue;
            }
            let to = width::index(shape.owner(group));
            let sent: Vec<Page> = heap.pages.drain(..heap.pages.len() - kept).collect();
            self.next.pages.count -= sent.len();
            self.next.pages.away -= sent.len();
            if all {
                self.next.pages.take(group);
            }
            for page in sent {
                let (parcel, used) = (&mut parcels[to], page.words.get(..page.used).unwrap_or_default());
                parcel.extend([0, 16, 32, 48].map(|shift| low16(group >> shift)));
                parcel.push(low16(used.len() as u64));
                parcel.extend_from_slice(used);
                self.free.push(page.words);
                if parcel.len() * 2 >= PARCEL {
                    let parcel = std::mem::take(parcel);
                    self.send_parcel(&crew, to, &parcel)?;
                }
            }
        }
        let rest = (0..).zip(parcels).filter(|(_, parcel)| !parcel.is_empty());
        rest.into_iter().try_for_each(|(to, parcel)| self.send_parcel(&crew, to, &parcel))
    }

    /// Sends a parcel when its receiver can take it, and takes what comes meanwhile.
    fn send_parcel(&mut self, crew: &Crew, to: usize, parcel: &[u16]) -> Result<(), Fault> {
        loop {
            let mut mesh = crew.mesh.lock();
            if !mesh.is_full(to) {
                return mesh.send(to, bytemuck::cast_slice(parcel).to_vec());
            }
            mesh.wait()?;
            drop(mesh);
            self.collect()?;
        }
    }

    /// Takes pages that another process has sent for groups of this one.
    pub(super) fn receive(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let mut words = vec![0u16; bytes.len() / 2];
        bytemuck::cast_slice_mut(&mut words).copy_from_slice(bytes);
        let mut rest = &words[..];
        while let Some((&[a, b, c, d, used], behind)) = rest.split_first_chunk::<5>() {
            let group = [d, c, b, a].iter().fold(0u64, |group, &word| group << 16 | u64::from(word));
            let Some((row, behind)) = behind.split_at_checked(used.into()) else {
                return Err(self.damaged(Which::Now));
            };
            let heap = self.next.pages.heaps.get_mut(width::index(group)).filter(|_| self.shape.has(group));
            let (Some(heap), true) = (heap, row.len() <= self.page) else { return Err(self.damaged(Which::Now)) };
            let mut page = self.free.pop().unwrap_or_else(|| vec![0; self.page].into());
            page[..row.len()].copy_from_slice(row);
            heap.pages.push(Page { words: page, used: row.len() });
            self.next.pages.mark(group);
            self.next.pages.count += 1;
            self.next.pages.words += row.len() as u64;
            rest = behind;
        }
        if self.next.pages.count > self.most {
            self.spill(Which::Next)?;
        }
        if rest.is_empty() { Ok(()) } else { Err(self.damaged(Which::Now)) }
    }

    /// Takes what has come from other processes meanwhile.
    pub(super) fn collect(&mut self) -> Result<(), Fault> {
        let Some(crew) = self.crew.clone() else { return Ok(()) };
        loop {
            let came = crew.mesh.lock().poll()?;
            let Some(bytes) = came else { return Ok(()) };
            self.receive(&bytes)?;
        }
    }

    /// Takes what waits for a group in this step.
    pub(super) fn take(&mut self, group: u64) -> Heap {
        self.now.take(group)
    }

    /// How many words of bunches waited when this step began.
    pub(super) fn waiting(&self) -> u64 {
        self.now.pages.words
    }

    /// The words of a chunk of this step, or of what was decided.
    pub(super) fn read(&mut self, which: Which, chunk: Chunk) -> Result<&[u16], Fault> {
        let inbox = if which == Which::Decided { &self.decided } else { &self.now };
        let (Some(folder), Some(spill)) = (&self.folder, &inbox.file) else { return Err(self.damaged(which)) };
        let length = width::index(chunk.bytes);
        if !length.is_multiple_of(2) || chunk.offset.saturating_add(chunk.bytes.into()) > spill.length {
            return Err(self.damaged(which));
        }
        self.room.resize(length / 2, 0);
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut self.room);
        let name = which.name(self.serial);
        spill.file.read_exact_at(bytes, chunk.offset).map_err(|error| folder.failed(&name, &error))?;
        if crc32fast::hash(bytes) == chunk.crc { Ok(&self.room) } else { Err(folder.damaged(&name)) }
    }

    /// The bunches of this step are not what was written.
    pub(super) fn damaged(&self, which: Which) -> Fault {
        let name = which.name(self.serial);
        let fault = self.folder.as_ref().map(|folder| folder.damaged(&name));
        fault.unwrap_or_else(|| Fault::new(crate::source::Code::L02, "bunches of moves were mixed up"))
    }

    /// Goes on within the step with what waits for the next one here; `false`: nothing does. Only where steps need not keep
    /// their order.
    pub(super) fn go_on(&mut self) -> Result<bool, Fault> {
        self.send(true)?;
        let words = self.told();
        if self.next.pages.is_empty() {
            return Ok(false);
        }
        self.advance();
        self.early = words;
        Ok(true)
    }

    /// Goes on to the next step: all that waited in this one was taken.
    pub(super) fn advance(&mut self) {
        self.early = 0;
        std::mem::swap(&mut self.now, &mut self.next);
        self.next.pages.words = 0;
        if self.next.file.take().is_some() {
            self.stale.push(Which::Now.name(self.serial));
        }
        self.serial += 1;
    }

    /// What was decided is in the cells.
    pub(super) fn forget_decided(&mut self) {
        if self.decided.file.take().is_some() {
            self.stale.push(Which::Decided.name(self.serial));
        }
    }

    /// Deletes files that no checkpoint names any more.
    pub(super) fn sweep(&mut self) -> Result<(), Fault> {
        match &self.folder {
            Some(folder) => self.stale.drain(..).try_for_each(|name| folder.remove(&name)),
            None => Ok(()),
        }
    }

    /// Deletes all files: nothing waits any more. Runs that were killed may have left some that no checkpoint names.
    pub(super) fn clean(&mut self) -> Result<(), Fault> {
        (self.now.file, self.next.file, self.decided.file) = (None, None, None);
        let Some(folder) = &self.folder else { return Ok(()) };
        let failed = |error: std::io::Error| folder.failed("", &error);
        for entry in std::fs::read_dir(folder.path("")).map_err(failed)? {
            if let Some(name) = entry.map_err(failed)?.file_name().to_str()
                && name.starts_with(NAME)
            {
                folder.remove(name)?;
            }
        }
        Ok(())
    }

    /// Writes all pages to their file; but for those for other processes.
    pub(super) fn spill(&mut self, which: Which) -> Result<(), Fault> {
        /// So many bytes are written at a time.
        const WRITTEN: usize = 1 << 18;
        let name = which.name(self.serial);
        let Mail { folder: Some(folder), now, next, decided, free, shape, .. } = self else { return Ok(()) };
        let inbox = match which {
            Which::Now => now,
            Which::Next => next,
            Which::Decided => decided,
        };
        if inbox.pages.count == inbox.pages.away {
            return Ok(());
        }
        let failed = |error: std::io::Error| folder.failed(&name, &error);
        let spill = match &mut inbox.file {
            Some(file) => file,
            none => {
                let file = folder.open(&name)?;
                // A run that was killed may have left one.
                file.set_len(0).map_err(failed)?;
                none.insert(Spill { file, length: 0, synced: false })
            }
        };
        spill.synced = false;
        let mut out: Vec<u8> = Vec::with_capacity(WRITTEN + CHUNK);
        let (mut written, mut begun) = (spill.length, 0);
        let own = (0u64..).zip(&mut inbox.pages.heaps).filter(|(group, _)| shape.has(*group));
        for (_, heap) in own {
            let pages = heap.pages.len();
            for (at, page) in heap.pages.drain(..).enumerate() {
                out.extend_from_slice(bytemuck::cast_slice(page.words.get(..page.used).unwrap_or_default()));
                free.push(page.words);
                if out.len() - begun >= CHUNK || at + 1 == pages {
                    let chunk = &out[begun..];
                    if !chunk.is_empty() {
                        let (offset, bytes) = (written + begun as u64, width::short(chunk.len()));
                        heap.chunks.push(Chunk { offset, bytes, crc: crc32fast::hash(chunk) });
                    }
                    begun = out.len();
                }
            }
            if out.len() >= WRITTEN {
                spill.file.write_all_at(&out, written).map_err(failed)?;
                written += out.len() as u64;
                begun = 0;
                out.clear();
            }
        }
        spill.file.write_all_at(&out, written).map_err(failed)?;
        spill.length = written + out.len() as u64;
        inbox.pages.count = inbox.pages.away;
        Ok(())
    }

    /// Makes sure that files are on the disk.
    pub(super) fn sync(&mut self) -> Result<(), Fault> {
        let Mail { folder: Some(folder), now, next, decided, serial, .. } = self else { return Ok(()) };
        for (inbox, which) in [(now, Which::Now), (next, Which::Next), (decided, Which::Decided)] {
            if let Some(spill) = inbox.file.as_mut().filter(|spill| !spill.synced) {
                spill.file.sync_data().map_err(|error| folder.failed(&which.name(*serial), &error))?;
                spill.synced = true;
            }
        }
        Ok(())
    }

    /// Opens the files of a checkpoint, as long as they were then: their chunks are in the heaps.
    pub(super) fn resume(&mut self, serial: u64, lengths: [u64; 3]) -> Result<(), Fault> {
        self.serial = serial;
        let Mail { folder: Some(folder), now, next, decided, .. } = self else { return Ok(()) };
        let inboxes = [(now, Which::Now), (next, Which::Next), (decided, Which::Decided)];
        for ((inbox, which), length) in inboxes.into_iter().zip(lengths) {
            inbox.pages.look();
            if length == 0 {
                continue;
            }
            let name = which.name(serial);
            let file = folder.open(&name)?;
            let there = file.metadata().map_err(|error| folder.failed(&name, &error))?.len();
            if there < length {
                return Err(folder.damaged(&name));
            }
            file.set_len(length).map_err(|error| folder.failed(&name, &error))?;
            inbox.file = Some(Spill { file, length, synced: true });
        }
        Ok(())
    }
}
