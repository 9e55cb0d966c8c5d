//! Which box of states a game comes to, guessed from samples.
//!
//! A short search sees the states near the start, and those that its depth comes to. Many plays at random see more. Then come
//! states of the box at random: where no move of theirs leaves it, after it was made a little larger, it is one that no
//! play leaves. Where it would grow too much not all of its states are reached, and what was seen is the better guess. A box
//! that is too small is work for nothing, and so is what is too large of another: tokens on a ring of 32 places that
//! stop often, five of them, took 95 s with a box that was doubled until nothing left it.

use crate::engines::by_tables::{enlarge, grow, lexicographic};
use crate::engines::sample::Plan;
use crate::engines::space::Met;
use crate::tables::expand::{AGAIN, ENDED, FAULTY, RANKS, STOP};
use crate::tables::{CountedExpander, Grid, Rows, Span};
use crate::value::refusal::{Attempt, Refusal};
use crate::vm::context::Context;

/// A box that is expected to hold all that is reached. Nothing rests on it: what is not there is not decided.
pub(super) struct Likely {
    pub(super) spans: Vec<Span>,
    /// What plays came to that forbids Grundy values, as far as it was seen.
    pub(super) met: Met,
    /// No move of states of it at random leaves it.
    pub(super) closed: bool,
    /// How fields change in moves of plays, and of states at random where plays saw little of the box: distinct rows of signs.
    signs: Vec<Vec<i8>>,
}

impl Likely {
    /// Whether no order of the fields goes down with every move that was seen: then plays are likely to come back.
    pub(super) fn is_without_order(&self, plan: &Plan) -> bool {
        lexicographic(plan.part.all_signs().chain(&self.signs), self.spans.len()).is_none()
    }
}

/// See [`Likely`]. `most`: it holds these words too.
///
/// The box of what plays saw grows by what the moves of states of it at random come to. Where it grows on and on it is
/// made much larger at once; what the moves of that large box change a field to is then its span, which grows once more as before. So a
/// counter modulo 2,000 that a move raises by seven has 2,000 values and not the next power of two.
pub(super) fn likely_box(ctx: &mut Context, plan: &Plan, most: &[i64]) -> Attempt<Likely> {
    const ROUNDS: usize = 1 << 6;
    /// After it grew so many times a box is made larger at once.
    const PATIENCE: usize = 1 << 3;
    /// A box of so many states may become one that is much larger than what was seen, others grow so many times.
    const SMALL: u64 = 1 << 28;
    const GROWTH: u64 = 4;
    /// While it is larger than it will be in the end, it may have so many times as many.
    const ABOVE: u64 = 1 << 4;
    /// In boxes of fewer states plays take as long as the work itself; they may still tell that there is no order.
    const PLAYED: u64 = 1 << 22;
    /// Of states with many moves fewer are looked at: all moves of each.
    const LOOKED: usize = 1 << 15;
    let mut seen = plan.spans(most);
    let volume = |spans: &[Span]| spans.iter().fold(1u64, |volume, span| volume.saturating_mul(span.size));
    let whole = seen.iter().zip(&plan.limits).all(|(span, limit)| limit.grown(span.size).is_none() && span.sure);
    if whole && plan.part.cyclic && volume(&seen) < PLAYED {
        return Ok(Likely { spans: seen, met: Met::default(), closed: true, signs: Vec::new() });
    }
    // Rules may go through very many numbers for each state: then the rest of the guess is left out.
    let mut steps = STEPS;
    let (mut signs, met) = plays(ctx, plan, &mut seen, &mut steps)?;
    if whole {
        return Ok(Likely { spans: seen, met, closed: true, signs });
    }
    // The same states whenever the work is begun again.
    let mut random = fastrand::Rng::with_seed(2);
    let most = volume(&seen).saturating_mul(GROWTH).max(SMALL);
    let mut closed = seen.clone();
    let (mut calm, mut size, mut grew) = (0, Size::Growing, 0);
    let (mut before, mut after) = (Vec::new(), Vec::new());
    'rounds: for _ in 0..ROUNDS {
        let Some((expander, mut rows)) = wide_expander(ctx, plan, &closed, ROOM)? else { break };
        // Those at random, whether or not they are reached.
        let mut random_signs = Vec::new();
        let mut come_to = seen.clone();
        while calm < 2 {
            ctx.limits.check_clock()?;
            let mut state = || {
                let mut word = |span: &Span| {
                    let at = random.u64(..span.size);
                    // What grows little by little grows near the edge, as near as that may be.
                    let near = at >> random.u32(..=span.size.ilog2());
                    let at = match random.u8(..4) {
                        0 => near,
                        1 => span.size - 1 - near,
                        _ => at,
                    };
                    span.least.saturating_add_unsigned(at)
                };
                closed.iter().map(&mut word).collect::<Vec<_>>()
            };
            let states: Vec<u64> = (0..STATES).filter_map(|_| expander.grid().rank(&state())).collect();
            match expander.expand_known(&states, &mut rows, &mut steps) {
                Err(Refusal::Interrupted) => break 'rounds,
                other => _ = other?,
            }
            let old = closed.clone();
            let rows = (0..states.len()).flat_map(|at| rows.row(at).iter().map(move |&entry| (at, entry)));
            for (at, entry) in rows.take(LOOKED).filter(|&(_, entry)| entry & (STOP | ENDED) == 0) {
                expander.grid().words_into(states[at], &mut before);
                expander.grid().words_into(entry & (RANKS - 1), &mut after);
                reach(&mut closed, plan, &after);
                note_signs(&mut random_signs, &before, &after);
                // A field that a move leaves alone comes to nothing.
                let same = after.iter_mut().zip(&before).zip(&come_to).filter(|((after, before), _)| after == before);
                same.for_each(|((after, _), span)| *after = span.least);
                reach(&mut come_to, plan, &after);
            }
            if closed == old {
                calm += 1;
                continue;
            }
            (calm, grew) = (0, grew + 1);
            if grew > PATIENCE {
                size = Size::TooLarge;
                for ((span, old), &limit) in closed.iter_mut().zip(&old).zip(&plan.limits) {
                    enlarge(span, limit, span.least < old.least, span.last() > old.last());
                }
            }
            break;
        }
        if volume(&closed) > if size == Size::TooLarge { most.saturating_mul(ABOVE) } else { most } {
            break;
        }
        if calm == 2 && size == Size::TooLarge {
            (closed, calm, size, grew) = (come_to, 0, Size::Known, 0);
        } else if calm == 2 {
            // Plays saw less than half of it.
            if volume(&closed) / 2 > volume(&seen) {
                random_signs.retain(|row| !signs.contains(row));
                signs.append(&mut random_signs);
            }
            return Ok(Likely { spans: closed, met, closed: true, signs });
        }
    }
    Ok(Likely { spans: seen, met, closed: false, signs })
}

/// How large a box is that is made to hold all that moves of it come to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Size {
    /// It grows by what they come to.
    Growing,
    /// It grows by more.
    TooLarge,
    /// It is what the moves of a box that was too large came to.
    Known,
}

/// Keeps how fields change in a move; `false`: that was known.
fn note_signs(signs: &mut Vec<Vec<i8>>, before: &[i64], after: &[i64]) -> bool {
    let row: Vec<i8> = before.iter().zip(after).map(|(b, a)| a.cmp(b) as i8).collect();
    let new = !signs.contains(&row);
    if new {
        signs.push(row);
    }
    new
}

/// Plays at random, which the box is made to hold; how fields change in their moves, the distinct rows of signs, and what was met
/// that forbids Grundy values. They go on as long as something new is seen: an end comes when nothing was in the latter half, and
/// after so many moves of each.
fn plays(ctx: &mut Context, plan: &Plan, seen: &mut [Span], steps: &mut u64) -> Attempt<(Vec<Vec<i8>>, Met)> {
    const LEAST: usize = 1 << 5;
    const MOST: usize = 1 << 8;
    let (mut signs, mut met): (Vec<Vec<i8>>, Met) = Default::default();
    let Some((mut expander, mut rows)) = wide_expander(ctx, plan, seen, ROOM)? else { return Ok((signs, met)) };
    let mut start = expander.grid().rank(&plan.part.start).ok_or(Refusal::StartOutside)?;
    // The room was made around this. After so many moves there may be more: each time native code is made for it.
    let (mut known, mut room, mut wider_from) = (seen.to_vec(), ROOM, 1);
    // The same plays whenever the work is begun again.
    let mut random = fastrand::Rng::with_seed(1);
    // Few of the states of a small box.
    let count = usize::try_from(expander.grid().volume / 64).map_or(STATES, |count| count.clamp(STATES / 16, STATES));
    let mut plays = vec![start; count];
    let (mut before, mut after) = (Vec::new(), Vec::new());
    let mut moves = 0;
    let mut until = LEAST;
    while moves < until {
        moves += 1;
        ctx.limits.check_clock()?;
        let inside = match expander.expand_known(&plays, &mut rows, steps) {
            Err(Refusal::Interrupted) => break,
            inside => inside?,
        };
        let (mut new, grid) = (false, expander.grid());
        for &entry in rows.all() {
            let before = met;
            met.stop |= entry & FAULTY == STOP;
            met.ending |= entry & FAULTY == ENDED;
            met.again |= entry & FAULTY == 0 && entry & AGAIN != 0;
            new |= met != before;
        }
        for (i, at) in plays.iter_mut().enumerate() {
            let options = rows.row(i);
            let to = if options.is_empty() { None } else { options.get(random.usize(..options.len())) };
            let Some(to) = to.filter(|&to| to & (STOP | ENDED) == 0) else {
                // A play that is over begins again.
                *at = start;
                continue;
            };
            grid.words_into(*at, &mut before);
            *at = to & (RANKS - 1);
            grid.words_into(*at, &mut after);
            new |= note_signs(&mut signs, &before, &after);
            new |= reach(seen, plan, &after);
        }
        if !inside && moves >= wider_from {
            // Plays end at the edge of the room, or fault: there is more room now, for moves that lead far away too.
            wider_from = 2 * moves;
            room += u32::from(known == seen);
            let Some((wider, _)) = wide_expander(ctx, plan, seen, room)? else { break };
            let moved = |rank: u64| wider.grid().rank(&grid.words(rank));
            let all: Option<Vec<u64>> = plays.iter().map(|&rank| moved(rank)).collect();
            start = moved(start).ok_or(Refusal::StartOutside)?;
            plays = all.ok_or(Refusal::Outside)?;
            known.copy_from_slice(seen);
            expander = wider;
        }
        if new {
            until = until.max(2 * moves).min(MOST);
        }
    }
    Ok((signs, met))
}

/// Loops of the rules take so many steps at most.
const STEPS: u64 = 1 << 28;

/// So many states at a time.
const STATES: usize = 1 << 10;

/// Room is twice as large so many times.
const ROOM: u32 = 2;

/// Native code for the options of the states of a box with room around it.
fn wide_expander(
    ctx: &mut Context,
    plan: &Plan,
    spans: &[Span],
    room: u32,
) -> Attempt<Option<(CountedExpander, Rows)>> {
    let mut wide = spans.to_vec();
    (0..room).for_each(|_| _ = grow(&mut wide, &plan.limits));
    let Some(grid) = Grid::plain(&wide) else { return Ok(None) };
    let rules = ctx.box_rules(plan.instance)?;
    Ok(Some((CountedExpander::new(&rules, &grid)?, Rows::new())))
}

/// Makes a box hold a state; `false`: it did before.
fn reach(spans: &mut [Span], plan: &Plan, words: &[i64]) -> bool {
    let mut any = false;
    for ((span, &word), limit) in spans.iter_mut().zip(words).zip(&plan.limits) {
        let last = span.last();
        if word < span.least || word > last {
            *span = Span { least: span.least.min(word), size: 1, sure: span.sure };
            span.reach(last.max(word));
            span.size = limit.size(span.size);
            any = true;
        }
    }
    any
}
