//! A short look at the positions of one instance before anything larger is begun.

use crate::analysis::symmetry::interchangeable;
use crate::bytecode::InstanceId;
use crate::model::kind::Kind;
use crate::value::refusal::{Attempt, Refusal};
use crate::vm::context::Context;
use crate::vm::run::{MoveTarget, Options};
use hashbrown::HashMap;

/// What part of an instance's positions tells of the others.
pub(super) struct Part {
    /// The greatest word of each field.
    pub(super) most: Vec<i64>,
    /// Where the search begins.
    pub(super) start: Vec<i64>,
    /// How each field changes in moves: the distinct rows of signs.
    pub(super) signs: Vec<Vec<i8>>,
    /// One in so many states of the smallest box around the finished positions is one of them.
    pub(super) spread: u64,
    /// Whether a play was seen that comes back to a position.
    pub(super) cyclic: bool,
    /// The search came to its end: there are few positions.
    pub(super) whole: bool,
    /// How many positions were searched to the end.
    pub(super) closed: u64,
    /// How many steps of loops a position took, on average.
    pub(super) steps: u64,
}

/// For each field whether it is never negative; or why native code cannot hold the states of this instance.
pub(super) fn fields(ctx: &Context, instance: InstanceId) -> Result<Vec<bool>, Refusal> {
    ctx.store.natural_fields(instance).ok_or(Refusal::StatesNoWords)
}

/// The groups of fields of an instance that may change places. The sizes of their digits become equal.
pub(super) fn groups(ctx: &Context, instance: InstanceId, sizes: &mut [u64]) -> Vec<Vec<usize>> {
    let game = ctx.store.instances[instance].game;
    let fields = &ctx.session.program.games[game.0].fields;
    // A field that takes several words, or none, is not one of theirs.
    let word = |kind: &Kind| matches!(kind, Kind::Int | Kind::Nat | Kind::Bool | Kind::Vertex(_) | Kind::Set(_));
    if !ctx.options.symmetric || sizes.len() != fields.len() || !fields.iter().all(|field| word(&field.kind)) {
        return Vec::new();
    }
    let groups = interchangeable(&ctx.session.program, game);
    for group in &groups {
        let most = group.iter().map(|&field| sizes[field]).max().unwrap_or(1);
        for &field in group {
            sizes[field] = most;
        }
    }
    groups
}

/// Twice as much room for the fields without a limit of their own, of which a short search may not have seen the greatest
/// words; `false`: all have one.
pub(super) fn grow(sizes: &mut [u64], limits: &[Option<u64>]) -> bool {
    sizes
        .iter_mut()
        .zip(limits)
        .filter(|(_, limit)| limit.is_none())
        .for_each(|(size, _)| *size = size.saturating_mul(2));
    limits.iter().any(Option::is_none)
}

struct Frame {
    id: u32,
    options: Vec<u32>,
    next: usize,
}

/// Searches depth first from a component, at most [`Context::trial`] positions and [`Context::trial_moves`] moves.
/// The refusal says why more positions cannot be worked out together.
pub(super) fn sample(ctx: &mut Context, id: u32, instance: InstanceId) -> Attempt<Part> {
    let start = ctx.store.state_words(id).ok_or(Refusal::StatesNoWords)?;
    let mut part = Part {
        most: start.clone(),
        start,
        signs: Vec::new(),
        spread: 1,
        cyclic: false,
        whole: false,
        closed: 0,
        steps: 0,
    };
    let mut closed: Vec<u32> = Vec::new();
    // Whether all was seen that a position leads to.
    let mut met: HashMap<u32, bool> = HashMap::new();
    let mut frames: Vec<Frame> = Vec::new();
    let mut out = Options::default();
    let mut next = Some(id);
    let (mut opened, mut moves) = (0, 0);
    let before = ctx.run.fuel;
    loop {
        if let Some(id) = next.take() {
            if opened > ctx.options.trial || moves > ctx.trial_moves() {
                break;
            }
            opened += 1;
            ctx.options(id, &mut out)?;
            let before = ctx.store.state_words(id).ok_or(Refusal::StatesNoWords)?;
            let mut options = Vec::new();
            for mv in &out.moves {
                let MoveTarget::To { first, len } = mv.target else { continue };
                for &to in &out.components[first as usize..(first + len) as usize] {
                    if ctx.store.instance_of[to as usize] != instance {
                        return Err(Refusal::OtherGames.into());
                    }
                    let after = ctx.store.state_words(to).ok_or(Refusal::StatesNoWords)?;
                    if after.iter().any(|&w| w < 0) {
                        return Err(Refusal::NegativeField.into());
                    }
                    part.most.iter_mut().zip(&after).for_each(|(m, &w)| *m = w.max(*m));
                    let row: Vec<i8> = before.iter().zip(&after).map(|(b, a)| a.cmp(b) as i8).collect();
                    if !part.signs.contains(&row) {
                        part.signs.push(row);
                    }
                    options.push(to);
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

fn spread(ctx: &Context, closed: &[u32], fields: usize) -> u64 {
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
