//! Blocks are listed: which moves each of their states has. In memory by several threads.

use crate::graph_search::blocks::lister::Lister;
use crate::graph_search::blocks::listing::Listing;
use crate::graph_search::blocks::run::{Run, together};
use crate::graph_search::blocks::save::{Met, Subject};
use crate::graph_search::blocks::store::Block;
use crate::jit::function::watched_attempt;
use crate::jit::ranking::Grid;
use crate::tables::BoxRules;
use crate::tables::expand::Changes;
use crate::value::Fault;
use crate::value::limits::Limits;
use crate::value::refusal::{Attempt, Failure, Refusal};
use crate::value::team::team;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

impl Run {
    /// Lists the blocks of this process that are left.
    pub(super) fn list_all(&mut self, rules: &BoxRules<'_>, grid: &Grid) -> Attempt<()> {
        let crew = self.mail.crew();
        let made = || -> Attempt<_> {
            let changes = Changes::new(rules, grid, self.subject.joined)?;
            let flag = changes.flag().clone();
            let mut lister = Lister::new(changes);
            lister.know(&self.met.words)?;
            Ok((lister, flag))
        };
        let (lister, flag) = together(crew.as_deref(), made())?;
        let limits = self.limits.clone();
        limits.goal.store(self.subject.shape.states() / self.subject.shape.part.1, Ordering::Relaxed);
        let kept = self.saver.is_some();
        let listed = watched_attempt(&limits, &flag, || {
            if kept { self.list(&limits, lister) } else { self.list_in_memory(&limits, &lister) }
        });
        limits.goal.store(0, Ordering::Relaxed);
        // In a folder they have met.
        if kept { listed } else { together(crew.as_deref(), listed) }
    }

    /// Lists the blocks that are left into the folder.
    fn list(&mut self, limits: &Limits, lister: Lister) -> Attempt<()> {
        let Subject { shape, misere, .. } = self.subject;
        let mut listing = Listing::new(limits, lister, shape, misere, self.met.seen.clone());
        // About as many as will be in those that are left.
        let share = |states: u64| states / shape.blocks().max(1);
        limits.progress.store(shape.before(self.stage.next) * share(shape.states()), Ordering::Relaxed);
        let mut narrow = vec![0; shape.size()];
        self.share(|run, until| {
            while run.stage.next < shape.blocks() {
                let block = run.stage.next;
                if shape.has_block(block) {
                    run.list_block(&mut listing, block, &mut narrow)?;
                    limits.progress.fetch_add(share(shape.states()), Ordering::Relaxed);
                }
                run.stage.next += 1;
                if until.is_some_and(|until| Instant::now() >= until) {
                    break;
                }
            }
            Ok(run.stage.next < shape.blocks())
        })
    }

    fn list_block(&mut self, listing: &mut Listing<'_>, block: u64, narrow: &mut [u16]) -> Attempt<()> {
        self.look()?;
        let keys = self.outcomes.keys(block)?;
        let flags = match listing.list(block, keys.as_deref(), narrow) {
            Ok(flags) => flags,
            Err(why) => {
                if let (None, Failure::Refused(Refusal::Interrupted) | Failure::Halted(_)) = (self.mail.crew(), &why) {
                    // As for other limits.
                    let _ = self.save();
                }
                return Err(why);
            }
        };
        self.outcomes.put(block, (narrow, keys), &listing.planes, flags)?;
        self.met.words = listing.words().to_vec();
        self.met.seen.clone_from(&listing.seen);
        Ok(())
    }

    /// Lists all blocks in memory.
    fn list_in_memory(&mut self, limits: &Limits, lister: &Lister) -> Attempt<()> {
        let Subject { shape, misere, .. } = self.subject;
        let (stop, bytes) = (AtomicBool::new(false), AtomicU64::new(0));
        let mut flags = vec![0u8; self.outcomes.blocks.len()];
        let keys: Vec<_> = (0..shape.blocks()).map(|block| self.outcomes.keys(block)).collect::<Result<_, Fault>>()?;
        let slots = (0u64..).zip(self.outcomes.blocks.iter_mut().zip(&mut flags).zip(keys));
        let todo = Mutex::new(slots.filter(|(block, _)| shape.has_block(*block)));
        let (memory, share) = (self.course.memory, shape.states() / shape.blocks().max(1));
        let parts = team(limits.threads_for(shape.states()), &stop, |_, _| {
            let mut listing = Listing::new(limits, lister.clone(), shape, misere, Vec::new());
            let work = || -> Attempt<Met> {
                loop {
                    let next = todo.lock().next();
                    let Some((block, ((slot, flags), keys))) = next.filter(|_| !stop.load(Ordering::Relaxed)) else {
                        return Ok(Met { words: listing.words().to_vec(), seen: listing.seen, own: Vec::new() });
                    };
                    let mut cells = vec![0; shape.size()];
                    *flags = listing.list(block, keys.as_deref(), &mut cells)?;
                    let made = Block::listed(cells, &listing.planes, shape.lanes(), keys);
                    let all = bytes.fetch_add(made.bytes() as u64, Ordering::Relaxed);
                    if all > memory {
                        return Err(Refusal::Memory(all).into());
                    }
                    *slot = Some(Box::new(made));
                    limits.progress.fetch_add(share, Ordering::Relaxed);
                }
            };
            work().inspect_err(|_| stop.store(true, Ordering::Relaxed))
        });
        limits.progress.store(0, Ordering::Relaxed);
        let mut failed = None;
        for part in parts {
            match part {
                Ok(part) => self.met.join(part),
                // Too many words are too many however far the others came.
                Err(why @ Failure::Refused(Refusal::UnlikeMoves)) => return Err(why),
                Err(why) => failed = failed.or(Some(why)),
            }
        }
        self.outcomes.adopt(flags.into_iter());
        failed.map_or(Ok(()), Err)
    }
}
