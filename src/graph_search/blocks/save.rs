//! Checkpoints: what a folder must hold so that a run which ended at any moment goes on from a whole older state.
//!
//! First blocks and bunches are written where nothing older stands, then an index of them, then, when all that is on the
//! disk, the note that names the index. Two index files take turns.

use crate::disk::Folder;
use crate::graph_search::blocks::lister::Seen;
use crate::graph_search::blocks::mail::{Chunk, Mail, Which};
use crate::graph_search::blocks::planes::Planes;
use crate::graph_search::blocks::shape::{Shape, Spread};
use crate::graph_search::blocks::states::States;
use crate::graph_search::blocks::store::{Entry, Store};
use crate::value::{Fault, width};
use serde_json::{Value as Json, json};
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

/// What is done with the blocks, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Where only the states that are met have places: these are met.
    Meeting,
    /// Their moves are listed.
    Listing,
    /// States that lead to unknown ones are marked.
    Marking,
    /// States are decided, by distance.
    Layers,
    /// With a folder: what was decided is written into the cells.
    Settling,
    /// It is known who wins.
    Done,
    /// States that lead to ends of the play, or to moves that keep the turn, are marked: they have no value.
    Leads,
    /// A round for a value is opened: states are told what got the last one.
    Opening,
    /// States get the value of the round.
    Labelling,
}

impl Phase {
    /// Whether values are worked out.
    pub(super) fn is_of_values(self) -> bool {
        matches!(self, Phase::Leads | Phase::Opening | Phase::Labelling)
    }

    /// Whether it is known who wins.
    pub(super) fn is_decided(self) -> bool {
        self == Phase::Done || self.is_of_values()
    }

    const NAMES: [(&'static str, Phase); 9] = [
        ("meeting", Phase::Meeting),
        ("listing", Phase::Listing),
        ("marking", Phase::Marking),
        ("layers", Phase::Layers),
        ("settling", Phase::Settling),
        ("done", Phase::Done),
        ("leads", Phase::Leads),
        ("opening", Phase::Opening),
        ("labelling", Phase::Labelling),
    ];
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stage {
    pub(super) phase: Phase,
    /// The step of the phase: in layers the distance.
    pub(super) step: u32,
    /// The value of the round.
    pub(super) round: u32,
    /// The next block to be listed, or the next group.
    pub(super) next: u64,
}

/// What was met of the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Met {
    /// The words by bit.
    pub(super) words: Vec<u64>,
    /// What was seen of the states with each.
    pub(super) seen: Vec<Seen>,
    /// The words that this process met, by the places of their planes.
    pub(super) own: Vec<u64>,
}

impl Met {
    /// The places of the planes of these words, told as bits; `None`: this process did not meet it.
    pub(super) fn planes(&self, bits: u64) -> Vec<Option<usize>> {
        let wanted = (0..).zip(&self.words).filter(|(bit, _)| bits >> bit & 1 == 1);
        wanted.map(|(_, word)| self.own.iter().position(|own| own == word)).collect()
    }

    /// Adds what another thread met. Each knows the first words of all.
    pub(super) fn join(&mut self, other: Met) {
        if other.words.len() > self.words.len() {
            self.words = other.words;
            self.seen.resize(self.words.len(), Seen::default());
        }
        self.seen.iter_mut().zip(&other.seen).for_each(|(all, seen)| all.join(seen));
    }
}

/// What a checkpoint is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Subject {
    pub(super) shape: Shape,
    /// The number of states of the fields whose changes are exclusive ors.
    pub(super) joined: u64,
    pub(super) misere: bool,
}

/// Makes checkpoints.
#[derive(Debug)]
pub(super) struct Saver {
    folder: Folder,
    /// With several processes the number of the run, which they share: parts of different runs do not fit together.
    run: u64,
    /// Of the next checkpoint.
    generation: u64,
    /// At least so long from one to the next.
    least: Duration,
    last: Instant,
    /// So long did the last one take.
    took: Duration,
    /// With several processes what the last one noted: some may go on from there when others have no newer one.
    noted: Option<Json>,
}

/// Bytes of a block in the index, and of a chunk.
const ENTRY: usize = 6;
const CHUNK: usize = 24;

fn index(generation: u64) -> String {
    format!("index.{}", generation % 2)
}

impl Saver {
    pub(super) fn new(folder: Folder, least: Duration, run: u64) -> Saver {
        Saver { folder, run, generation: 0, least, last: Instant::now(), took: Duration::ZERO, noted: None }
    }

    /// Whether it is time for a checkpoint: saving may take a tenth of the time.
    pub(super) fn is_due(&self) -> bool {
        self.last.elapsed() >= self.least.max(self.took * 10)
    }

    /// Makes a checkpoint, which [`Saver::commit`] then has to make the only one. `O(blocks)`, and what has changed. Errors: of
    /// the folder.
    pub(super) fn write(
        &mut self,
        (subject, stage, met): (&Subject, Stage, &Met),
        (store, mut values): (&mut Store, Option<&mut Store>),
        mut states: Option<&mut States>,
        mail: &mut Mail,
    ) -> Result<(), Fault> {
        let begun = Instant::now();
        [Which::Now, Which::Next, Which::Decided].into_iter().try_for_each(|which| mail.spill(which))?;
        store.save()?;
        values.as_mut().map_or(Ok(()), |values| values.save())?;
        states.as_mut().map_or(Ok(()), |states| states.save())?;
        mail.sync()?;
        let index = self.index((store, values.as_deref()), states.as_deref(), mail)?;
        let Subject { shape, joined, misere } = subject;
        let name = Phase::NAMES.iter().find(|(_, phase)| *phase == stage.phase).map_or("", |(name, _)| name);
        let seen: Vec<[u64; 3]> = met.seen.iter().map(|seen| [seen.ones, seen.zeros, seen.count]).collect();
        let mut note = json!({
            "done": stage.phase.is_decided(),
            "bytes": ORDER,
            "volume": shape.volume,
            "block_bits": shape.bits,
            "group_bits": shape.group_bits,
            "joined": joined,
            "misere": misere,
            "phase": name,
            "step": stage.step,
            "round": stage.round,
            "next": stage.next,
            "part": shape.part,
            "spread": shape.spread.map(|spread| (spread.block_bits, spread.key_bits, spread.most, spread.states)),
            "states": states.as_ref().map(|states| states.length()),
            "words": met.words,
            "own": met.own,
            "seen": seen,
            "bunches": [mail.serial, mail.now.length(), mail.next.length(), mail.decided.length()],
            "run": self.run,
            "generation": self.generation,
            "index": index,
        });
        if shape.part.1 > 1 {
            let before = self.noted.replace(note.clone());
            note["before"] = before.unwrap_or_default();
        }
        self.folder.write_note(&note)?;
        self.generation += 1;
        self.last = Instant::now();
        self.took = self.last.duration_since(begun);
        Ok(())
    }

    /// No checkpoint names the file of states that are met any more. Error: of the folder.
    pub(super) fn forget_states(&self) -> Result<(), Fault> {
        States::remove(&self.folder)
    }

    /// Nobody wants an older checkpoint than the last one any more. Errors: of the folder.
    pub(super) fn commit(store: &mut Store, values: Option<&mut Store>, mail: &mut Mail) -> Result<(), Fault> {
        store.entries.iter_mut().for_each(Entry::commit);
        values.into_iter().flat_map(|values| &mut values.entries).for_each(Entry::commit);
        mail.sweep()
    }

    /// Writes the index; its length and checksum.
    fn index(
        &self,
        (store, values): (&Store, Option<&Store>),
        states: Option<&States>,
        mail: &Mail,
    ) -> Result<[u64; 2], Fault> {
        let waiting = [&mail.now, &mail.next, &mail.decided]
            .map(|inbox| inbox.pages.heaps.iter().map(|heap| &heap.chunks[..]).collect());
        let met: Option<Vec<&[Chunk]>> = states.map(|states| states.chunks.iter().map(Vec::as_slice).collect());
        let lists: Vec<Vec<&[Chunk]>> = waiting.into_iter().chain(met).collect();
        let chunks: usize = lists.iter().flatten().map(|chunks| chunks.len()).sum();
        let entries = store.entries.iter().chain(values.iter().flat_map(|values| &values.entries));
        let mut bytes = Vec::with_capacity(store.entries.len() * 2 * ENTRY + 24 + chunks * CHUNK);
        for mut entry in entries.copied() {
            entry.commit();
            bytes.extend_from_slice(&entry.crc.to_le_bytes());
            bytes.extend_from_slice(&[entry.slots, entry.flags]);
        }
        values.unwrap_or(store).planes().into_iter().for_each(|planes| planes.index(&mut bytes));
        for list in lists {
            let count: usize = list.iter().map(|chunks| chunks.len()).sum();
            bytes.extend_from_slice(&(count as u64).to_le_bytes());
            for (group, chunks) in (0u64..).zip(list) {
                for chunk in chunks {
                    bytes.extend_from_slice(&group.to_le_bytes());
                    bytes.extend_from_slice(&chunk.offset.to_le_bytes());
                    bytes.extend_from_slice(&chunk.bytes.to_le_bytes());
                    bytes.extend_from_slice(&chunk.crc.to_le_bytes());
                }
            }
        }
        let name = index(self.generation);
        let file = self.folder.open(&name)?;
        let written = file.write_all_at(&bytes, 0).and_then(|()| file.set_len(bytes.len() as u64));
        written.and_then(|()| file.sync_data()).map_err(|error| self.folder.failed(&name, &error))?;
        Ok([bytes.len() as u64, crc32fast::hash(&bytes).into()])
    }

    /// Puts a store and the bunches that wait back where a checkpoint left them. Errors: of the folder; it is damaged, or of
    /// something else.
    pub(super) fn resume(
        &mut self,
        checkpoint: &Checkpoint,
        subject: &Subject,
        (store, mut values): (&mut Store, Option<&mut Store>),
        mut states: Option<&mut States>,
        mail: &mut Mail,
    ) -> Result<(), Fault> {
        let (folder, note, name) = (&self.folder, &checkpoint.note, index(checkpoint.mark.1));
        let damaged = || folder.damaged("note");
        if checkpoint.subject != *subject {
            return Err(damaged());
        }
        let number = |key: &str, at: usize| note.get(key)?.get(at)?.as_u64();
        let [Some(length), Some(crc)] = [0, 1].map(|at| number("index", at)) else { return Err(damaged()) };
        let [Some(serial), Some(now), Some(next), Some(decided)] = [0, 1, 2, 3].map(|at| number("bunches", at)) else {
            return Err(damaged());
        };
        let file = folder.open(&name)?;
        let there = file.metadata().map_err(|error| folder.failed(&name, &error))?.len();
        if there != length {
            return Err(folder.damaged(&name));
        }
        let mut bytes = vec![0; width::index(length)];
        file.read_exact_at(&mut bytes, 0).map_err(|error| folder.failed(&name, &error))?;
        if u64::from(crc32fast::hash(&bytes)) != crc {
            return Err(folder.damaged(&name));
        }
        let stores = [Some(&mut *store), values.as_deref_mut()];
        let unpacked = unpack(&bytes, stores.into_iter().flatten(), states.as_deref_mut(), mail);
        unpacked.ok_or_else(|| folder.damaged(&name))?;
        if let Some(states) = states {
            states.resume(note.get("states").and_then(Json::as_u64).ok_or_else(damaged)?)?;
        }
        let planes = values.as_deref().unwrap_or(store).planes();
        planes.map_or(Ok(()), Planes::resume)?;
        mail.resume(serial, [now, next, decided])?;
        self.generation = checkpoint.mark.1 + 1;
        self.noted = (subject.shape.part.1 > 1).then(|| note.clone());
        Ok(())
    }
}

/// The order of bytes in words.
const ORDER: &str = if cfg!(target_endian = "big") { "big" } else { "little" };

/// A checkpoint that was read.
#[derive(Debug)]
pub(super) struct Checkpoint {
    pub(super) subject: Subject,
    pub(super) stage: Stage,
    pub(super) met: Met,
    note: Json,
    /// The number of its run, and its own.
    pub(super) mark: (u64, u64),
}

impl Checkpoint {
    /// The last checkpoint of a folder, and with several processes the one before. Errors: of the folder; it is damaged.
    pub(super) fn read(folder: &Folder) -> Result<Vec<Checkpoint>, Fault> {
        let Some(mut note) = folder.read_note()? else { return Ok(Vec::new()) };
        let before = note.get_mut("before").map(Json::take).filter(|before| !before.is_null());
        let notes = [Some(note), before].into_iter().flatten();
        notes.map(|note| Checkpoint::parse(note).ok_or_else(|| folder.damaged("note"))).collect()
    }

    fn parse(note: Json) -> Option<Checkpoint> {
        let number = |key: &str| note.get(key)?.as_u64();
        let short = |key: &str| u32::try_from(number(key)?).ok();
        let name = note.get("phase")?.as_str()?;
        let phase = Phase::NAMES.iter().find(|(known, _)| *known == name)?.1;
        let stage = Stage { phase, step: short("step")?, round: short("round")?, next: number("next")? };
        let words = |key: &str| note.get(key)?.as_array()?.iter().map(Json::as_u64).collect::<Option<Vec<u64>>>();
        let seen = |seen: &Json| {
            let at = |at: usize| seen.get(at)?.as_u64();
            Some(Seen { ones: at(0)?, zeros: at(1)?, count: at(2)? })
        };
        let seen = note.get("seen")?.as_array()?.iter().map(seen).collect::<Option<Vec<Seen>>>()?;
        let part = words("part").and_then(|part| <[u64; 2]>::try_from(part).ok())?;
        let (volume, bits, group_bits) = (number("volume")?, short("block_bits")?, short("group_bits")?);
        let spread = if note.get("spread")?.is_null() {
            None
        } else {
            let &[blocks, keys, most, states] = &words("spread")?[..] else { return None };
            let [block_bits, key_bits, most] = [blocks, keys, most].map(|number| u32::try_from(number).ok());
            Some(Spread { block_bits: block_bits?, key_bits: key_bits?, most: most?, states })
        };
        let shape = Shape { volume, bits, group_bits, part: part.into(), spread };
        let subject = Subject { shape, joined: number("joined")?, misere: note.get("misere")?.as_bool()? };
        let (order, mark) = (note.get("bytes")?.as_str()? == ORDER, (number("run")?, number("generation")?));
        let fits = order && shape.bits <= 16 && shape.group_bits <= 16 && shape.volume > 0 && part[0] < part[1];
        // What else there is to say of them is that they are those of the box.
        let fits = fits && spread.is_none_or(|spread| spread.most <= 1 << 16 && spread.most % 64 == 0);
        let met = Met { words: words("words")?, seen, own: words("own")? };
        fits.then_some(Checkpoint { subject, stage, met, note, mark })
    }
}

/// Reads an index.
fn unpack<'a>(
    bytes: &[u8],
    stores: impl Iterator<Item = &'a mut Store>,
    states: Option<&mut States>,
    mail: &mut Mail,
) -> Option<()> {
    let mut rest = bytes;
    let mut planes = None;
    for store in stores {
        let (entries, behind) = rest.split_at_checked(store.entries.len() * ENTRY)?;
        rest = behind;
        for (entry, bytes) in store.entries.iter_mut().zip(entries.as_chunks::<ENTRY>().0) {
            let [a, b, c, d, slots, flags] = *bytes;
            *entry = Entry { crc: u32::from_le_bytes([a, b, c, d]), slots, flags };
        }
        planes = store.planes_mut();
    }
    if let Some(planes) = planes {
        rest = planes.unpack(rest)?;
    }
    let waiting = [&mut mail.now, &mut mail.next, &mut mail.decided]
        .map(|inbox| inbox.pages.heaps.iter_mut().map(|heap| &mut heap.chunks).collect::<Vec<&mut Vec<Chunk>>>());
    let met = states.map(|states| states.chunks.iter_mut().collect());
    for mut list in waiting.into_iter().chain(met) {
        let (count, behind) = rest.split_first_chunk::<8>()?;
        let count = width::index(u64::from_le_bytes(*count));
        let (chunks, behind) = behind.split_at_checked(count.checked_mul(CHUNK)?)?;
        rest = behind;
        for bytes in chunks.as_chunks::<CHUNK>().0 {
            put(bytes, &mut list)?;
        }
    }
    rest.is_empty().then_some(())
}

fn put(bytes: &[u8; CHUNK], list: &mut [&mut Vec<Chunk>]) -> Option<()> {
    let (words, _) = bytes.as_chunks::<8>();
    let [group, offset] = [words.first()?, words.get(1)?].map(|word| u64::from_le_bytes(*word));
    let (halves, _) = words.get(2)?.as_chunks::<4>();
    let [bytes, crc] = [halves.first()?, halves.get(1)?].map(|half| u32::from_le_bytes(*half));
    list.get_mut(width::index(group))?.push(Chunk { offset, bytes, crc });
    Some(())
}
