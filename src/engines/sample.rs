//! What a short search tells of a component before a table or a graph of its states is made: how large the fields are, how they
//! change in moves, whether plays come back, and how many of the states are met. None of it needs to be right for all positions.

use crate::bytecode::InstanceId;
use crate::bytecode::lower::LowerContext;
use crate::engines::falling_sum::Weights;
use crate::engines::space::Met;
use crate::store::{ComponentId, Extent};
use crate::tables::{Chain, Span};
use crate::tuning;
use crate::value::refusal::{Attempt, Refusal};
use crate::vm::context::Context;
use crate::vm::run::{MoveTarget, Options, Status};
use hashbrown::HashMap;

/// What is known of an instance before a table or graph of its states is made.
pub(super) struct Plan {
    pub(super) instance: InstanceId,
    pub(super) part: Part,
    /// For each field whether it is never negative.
    pub(super) natural: Vec<bool>,
    /// For each field how many values it can have.
    pub(super) limits: Vec<Extent>,
}

impl Plan {
    /// Searches a little. The refusal says why native code cannot hold the states, or why they cannot be worked out together.
    pub(super) fn new(ctx: &mut Context, id: ComponentId) -> Attempt<Plan> {
        let instance = ctx.store.instance_of[id.index()];
        let natural = ctx.store.natural_fields(instance).ok_or(Refusal::StatesNoWords)?;
        let part = sample(ctx, id, &natural)?;
        Ok(Plan { instance, part, natural, limits: ctx.store.field_limits(instance) })
    }

    /// What fields must be able to hold for these words and those with a limit.
    pub(super) fn spans(&self, most: &[i64]) -> Vec<Span> {
        let span = |field: usize| {
            let sure = self.natural[field];
            let least = if sure { 0 } else { self.part.least[field].min(0) };
            let mut span = Span { least, size: 1, sure };
            span.reach(most[field]);
            Span { size: self.limits[field].size(span.size), ..span }
        };
        (0..most.len()).map(span).collect()
    }
}

/// What the search saw.
pub(super) struct Part {
    /// The greatest and the least word of each field.
    pub(super) most: Vec<i64>,
    pub(super) least: Vec<i64>,
    pub(super) start: Vec<i64>,
    /// How each field changes in moves: the distinct rows of signs.
    pub(super) signs: Vec<Vec<i8>>,
    /// The same of moves from the start.
    pub(super) first_signs: Vec<Vec<i8>>,
    /// Of the fields, for an order where no field goes down with every move.
    pub(super) weights: Weights,
    /// The states that the start leads to.
    pub(super) first: Vec<Vec<i64>>,
    /// For each field but the last the least and the greatest difference that the next one has to it after a move.
    pub(super) apart: Vec<[i64; 2]>,
    /// One in so many states of the smallest box around the finished positions is one of them.
    pub(super) spread: u64,
    /// Whether a play was seen that comes back to a position.
    pub(super) cyclic: bool,
    /// What was seen that forbids Grundy values.
    pub(super) met: Met,
    /// The search came to its end: there are few positions.
    pub(super) whole: bool,
    /// How many positions were searched to the end.
    pub(super) closed: u64,
    /// How many steps of loops a position took, on average.
    pub(super) steps: u64,
}

impl Part {
    /// How each field changes in moves that were seen.
    pub(super) fn all_signs(&self) -> impl Iterator<Item = &Vec<i8>> {
        self.signs.iter().chain(&self.first_signs)
    }

    fn see(&mut self, words: &[i64]) {
        self.most.iter_mut().zip(words).for_each(|(most, &word)| *most = word.max(*most));
        self.least.iter_mut().zip(words).for_each(|(least, &word)| *least = word.min(*least));
        for (apart, pair) in self.apart.iter_mut().zip(words.windows(2)) {
            let difference = pair[1].saturating_sub(pair[0]);
            *apart = [apart[0].min(difference), apart[1].max(difference)];
        }
    }

    /// Whether a field and the next are about as large: one digit for both has room for the larger.
    fn are_alike(&self, at: usize) -> bool {
        let (a, b) = (self.most[at], self.most[at + 1]);
        a <= b.saturating_mul(2).saturating_add(1) && b <= a.saturating_mul(2).saturating_add(1)
    }

    /// Rows of neighbouring fields whose values ascended in all states seen, or descended.
    pub(super) fn chains(&self) -> Vec<Chain> {
        let mut chains: Vec<Chain> = Vec::new();
        if self.apart.iter().any(|[least, greatest]| least > greatest) {
            // No state was seen.
            return chains;
        }
        let mut from = 0;
        while from < self.apart.len() {
            let run = |by: fn(&[i64; 2]) -> i64| {
                let near = self.apart[from..].iter().zip(from..).take_while(|&(_, at)| self.are_alike(at));
                near.map(move |(apart, _)| by(apart)).take_while(|&least| least >= 0)
            };
            let (up, down) = (run(|apart| apart[0]), run(|apart| apart[1].saturating_neg()));
            let (many, falls) =
                (up.clone().count().max(down.clone().count()), down.clone().count() > up.clone().count());
            let gap = if falls { down.min() } else { up.min() };
            let mut fields: Vec<usize> = (from..=from + many).collect();
            if falls {
                fields.reverse();
            }
            if let Some(gap) = gap {
                chains.push(Chain::new(fields, gap.clamp(0, 1).unsigned_abs()));
            }
            from += many + 1;
        }
        chains
    }
}

struct Frame {
    id: ComponentId,
    options: Vec<ComponentId>,
    next: usize,
}

/// Searches depth first from a component, at most [`Context::trial`] positions and [`Context::trial_moves`] moves,
/// and in a share of the memory.
/// The refusal says why more positions cannot be worked out together.
fn sample(ctx: &mut Context, id: ComponentId, natural: &[bool]) -> Attempt<Part> {
    /// Memory is looked at after so many moves.
    const LOOK: u64 = 1 << 14;
    let instance = ctx.store.instance_of[id.index()];
    let start = ctx.store.state_words(id).ok_or(Refusal::StatesNoWords)?;
    let mut part = Part {
        most: start.clone(),
        least: start.clone(),
        start,
        signs: Vec::new(),
        first_signs: Vec::new(),
        weights: Weights::ALL,
        first: Vec::new(),
        apart: Vec::new(),
        spread: 1,
        cyclic: false,
        met: Met::default(),
        whole: false,
        closed: 0,
        steps: 0,
    };
    part.apart = vec![[i64::MAX, i64::MIN]; part.start.len().saturating_sub(1)];
    let mut closed: Vec<ComponentId> = Vec::new();
    // Whether all was seen that a position leads to.
    let mut met: HashMap<ComponentId, bool> = HashMap::new();
    let mut frames: Vec<Frame> = Vec::new();
    let mut out = Options::default();
    let mut next = Some(id);
    let (mut opened, mut moves, mut look) = (0, 0, LOOK);
    let (before, held) = (ctx.run.fuel, ctx.bytes());
    loop {
        if let Some(id) = next.take() {
            if opened > ctx.options.trial || moves > ctx.trial_moves() {
                break;
            }
            if moves >= look {
                look = moves + LOOK;
                if ctx.bytes().saturating_sub(held) > ctx.limits.memory / tuning::FIRST_SHARE {
                    break;
                }
            }
            opened += 1;
            ctx.options(id, &mut out)?;
            let before = ctx.store.state_words(id).ok_or(Refusal::StatesNoWords)?;
            let mut options = Vec::new();
            part.met.ending |= matches!(out.status, Status::Play(_));
            for mv in &out.moves {
                part.met.again |= mv.again;
                let MoveTarget::To { first, len } = mv.target else {
                    part.met.stop = true;
                    continue;
                };
                for &to in &out.components[first as usize..(first + len) as usize] {
                    let other = ctx.store.instance_of[to.index()];
                    if other != instance {
                        let [a, b] = [other, instance].map(|id| ctx.instance_at(id).base);
                        return Err(if a == b { Refusal::OtherLengths } else { Refusal::OtherGames }.into());
                    }
                    let after = ctx.store.state_words(to).ok_or(Refusal::StatesNoWords)?;
                    if after.iter().zip(natural).any(|(&word, &natural)| natural && word < 0) {
                        return Err(Refusal::LargeWord.into());
                    }
                    part.see(&after);
                    part.weights.see(&before, &after);
                    let row: Vec<i8> = before.iter().zip(&after).map(|(b, a)| a.cmp(b) as i8).collect();
                    let signs = if opened == 1 { &mut part.first_signs } else { &mut part.signs };
                    if !signs.contains(&row) {
                        signs.push(row);
                    }
                    options.push(to);
                    if opened == 1 {
                        part.first.push(after);
                    }
                }
            }
            moves += options.len() as u64;
            met.insert(id, false);
            frames.push(Frame { id, options, next: 0 });
        }
        let Some(frame) = frames.last_mut() else {
            part.whole = ctx.options.trial > 0;
            break;
        };
        if let Some(&option) = frame.options.get(frame.next) {
            frame.next += 1;
            match met.get(&option) {
                None => next = Some(option),
                Some(closed) => part.cyclic |= !closed,
            }
        } else {
            met.insert(frame.id, true);
            closed.push(frame.id);
            frames.pop();
        }
    }
    // Of sets few are met, as a rule; ints are taken to be all met where nothing is known.
    let unknown = closed.is_empty() && ctx.store.has_small_sets(instance);
    part.spread = if unknown { u64::MAX } else { spread(ctx, &closed, part.start.len()) };
    part.closed = closed.len() as u64;
    part.steps = ctx.run.fuel.saturating_sub(before) / opened.max(1);
    Ok(part)
}

fn spread(ctx: &Context, closed: &[ComponentId], fields: usize) -> u64 {
    if closed.is_empty() {
        return 1;
    }
    let (mut low, mut high) = (vec![i64::MAX; fields], vec![i64::MIN; fields]);
    for words in closed.iter().filter_map(|&id| ctx.store.state_words(id)) {
        for i in 0..fields {
            low[i] = low[i].min(words[i]);
            high[i] = high[i].max(words[i]);
        }
    }
    let volume = low
        .iter()
        .zip(&high)
        .fold(1u64, |v, (&l, &h)| v.saturating_mul(h.checked_sub(l).map_or(1, i64::unsigned_abs).saturating_add(1)));
    volume / u64::try_from(closed.len()).unwrap_or(1).max(1)
}
