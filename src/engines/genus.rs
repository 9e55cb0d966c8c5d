//! The genus of a position and its tameness, from the positions that its plays come to, depth first.
//!
//! In: a position of games without ends of the whole play, `again` and points, of which no play comes back. Out: what
//! [`Genus`] and [`Tameness`] say of it, the same whether it is played in misere or not. The genera of the parts of a sum do
//! not tell that of the sum, so positions are whole sums; components without moves are dropped from them, since they add
//! nothing to any play.

use crate::engines::engine::internal_error;
use crate::engines::query::Root;
use crate::engines::space::{Goal, Space};
use crate::memo::{Genera, Known, Mode};
use crate::source::Code;
use crate::store::ComponentId;
use crate::value::{Fault, Position, Run};
use crate::vm::context::Context;
use grundy_heap::misere::genus::{Genus, Tameness, Told};

/// Limits are looked at after so many positions.
const EVERY: u64 = 1 << 8;

/// What is told of a position. E20 where it has no genus; limits. Cost: linear in the positions and moves, times the
/// length of genera.
pub(super) fn of<T>(ctx: &mut Context, position: &Position, told: impl FnOnce(&Known) -> T) -> Run<T> {
    let root = Root::new(ctx, position)?;
    let compound = root.mode.compound;
    let genera = ctx.memo.genera.remove(&compound).unwrap_or_default();
    let mut search = Search {
        genera,
        space: Space::default(),
        mode: Mode { misere: false, compound },
        frames: Vec::new(),
        open: Vec::new(),
        positions: 0,
    };
    let found = search.run(ctx, &root.ids);
    let Search { genera, .. } = search;
    let said = match found {
        Ok(Ok(at)) => genera.known[at].as_ref().map(told).ok_or_else(internal_error),
        Ok(Err(why)) => {
            let text = ctx.position_text(position);
            Err(Fault::new(Code::E20, format!("the genus of {text} is not defined: {why}")).into())
        }
        Err(halt) => Err(halt),
    };
    ctx.memo.genera.insert(compound, genera);
    said
}

struct Search {
    genera: Genera,
    space: Space,
    mode: Mode,
    frames: Vec<Frame>,
    /// By number: whether the position is on the stack.
    open: Vec<bool>,
    positions: u64,
}

struct Frame {
    at: usize,
    /// The numbers of its options.
    options: Vec<usize>,
    next: usize,
}

impl Search {
    /// The number of the position of these components; or why it has no genus.
    fn run(&mut self, ctx: &mut Context, ids: &[ComponentId]) -> Run<Result<usize, &'static str>> {
        let start = self.number(ctx, ids.to_vec())?;
        if let Some(why) = self.space.met.forbids_grundy() {
            return Ok(Err(why));
        }
        if self.genera.known[start].is_some() {
            return Ok(Ok(start));
        }
        if let Err(why) = self.enter(ctx, start)? {
            return Ok(Err(why));
        }
        while let Some(frame) = self.frames.last_mut() {
            if let Some(&option) = frame.options.get(frame.next) {
                frame.next += 1;
                if self.genera.known[option].is_none()
                    && let Err(why) = self.enter(ctx, option)?
                {
                    return Ok(Err(why));
                }
                continue;
            }
            let known = judged(&self.genera, &frame.options).ok_or_else(internal_error)?;
            self.genera.held += known.genus.bytes() + known.tame_options.len() * 8;
            self.genera.known[frame.at] = Some(known);
            self.open[frame.at] = false;
            self.frames.pop();
        }
        Ok(Ok(start))
    }

    fn enter(&mut self, ctx: &mut Context, at: usize) -> Run<Result<(), &'static str>> {
        if self.open[at] {
            return Ok(Err("a play of it can come back to a position"));
        }
        self.positions += 1;
        let over = ctx.limits.positions.is_some_and(|limit| self.positions > limit);
        if over || self.positions.is_multiple_of(EVERY) {
            let stack: usize = self.frames.iter().map(|frame| frame.options.capacity() * 8 + size_of::<Frame>()).sum();
            let held = self.genera.held + self.open.capacity() + self.space.bytes() + stack;
            ctx.check_search(self.positions, ctx.bytes() + held)?;
        }
        let Some(key) = self.genera.keys.get_index(at).cloned() else { return Err(internal_error()) };
        let steps = self.space.moves(ctx, self.mode, &key)?;
        let mut options = Vec::with_capacity(steps.len());
        for step in steps {
            if let Goal::Sum(next) = step.to {
                options.push(self.number(ctx, next.into_vec())?);
            }
        }
        // What a component says that was numbered here counts, too.
        if let Some(why) = self.space.met.forbids_grundy() {
            return Ok(Err(why));
        }
        options.sort_unstable();
        options.dedup();
        self.open[at] = true;
        self.frames.push(Frame { at, options, next: 0 });
        Ok(Ok(()))
    }

    /// The number of a position; components without moves are dropped from a sum.
    fn number(&mut self, ctx: &mut Context, mut key: Vec<ComponentId>) -> Run<usize> {
        if self.mode.compound.is_none() {
            let mut live = Vec::with_capacity(key.len());
            for &id in &key {
                if !self.space.steps(ctx, id)?.steps.is_empty() {
                    live.push(id);
                }
            }
            key = live;
        }
        key.sort_unstable();
        let bytes = 64 + key.len() * 4;
        let (at, new) = self.genera.keys.insert_full(key.into());
        if new {
            self.genera.held += bytes + size_of::<Known>();
            self.genera.known.push(None);
        }
        self.open.resize(self.genera.known.len(), false);
        Ok(at)
    }
}

/// What follows from the options, all known.
fn judged(genera: &Genera, options: &[usize]) -> Option<Known> {
    let options: Option<Vec<&Known>> = options.iter().map(|&at| genera.known[at].as_ref()).collect();
    let options = options?;
    let genus = match &options[..] {
        [] => Genus::of_nothing(),
        options => Genus::of_options(options.iter().map(|known| &known.genus))?,
    };
    let mut told = Vec::with_capacity(options.len());
    for Known { genus, tameness, tame_options } in options {
        told.push(Told { genus, tameness: *tameness, tame_options });
    }
    let tameness = Tameness::of(&genus, &told);
    let mut tame_options: Vec<(u32, u32)> = Vec::new();
    if !tameness.is_tame() {
        tame_options.extend(told.iter().filter(|o| o.tameness.is_tame()).map(|o| o.genus.values()));
        tame_options.sort_unstable();
        tame_options.dedup();
    }
    Some(Known { genus, tameness, tame_options: tame_options.into() })
}
