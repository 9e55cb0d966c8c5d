//! Positions that fall apart: a state that is a disjunctive sum though it is written as one.
//!
//! Only in normal play, where the value of a sum is the xor of the values of its components (Sprague, Grundy), and only with a
//! proof from the rules that the moves are those of the components: see [`deletion`] and [`fields`]. What has no such proof is searched
//! whole.

mod deletion;
mod fields;
mod left;
mod reads;

use crate::bytecode::InstanceId;
use crate::engines::decomposition::fields::Blocks;
use crate::engines::decomposition::left::{Found, ask, found, gone, left_in};
use crate::memo::{Block, Split};
use crate::model::Game;
use crate::tuning::{PARTS_CELLS, PARTS_FEW, PARTS_SMALL};
use crate::value::fault::Run;
use crate::value::limits::Limits;
use crate::vm::context::{Context, Policy};
use grundy_graphs::deletion::MOST;
use hashbrown::HashMap;

/// More components than this cannot be numbered.
const NUMBERS: u64 = 1 << 31;

/// More moves than this are not listed beforehand.
const DEEDS: usize = 1 << 16;

/// Works out the Grundy value of a component that falls apart, and keeps it. `false`: it does not; search it whole.
pub(crate) fn settle(ctx: &mut Context, id: u32, positions: &mut u64) -> Run<bool> {
    let value = match found(ctx, id)? {
        Some(Found::Deletion(instance, left)) => {
            Some(ask(ctx, instance, positions, |game, watch| game.value(left, watch))?)
        }
        Some(Found::Fields(instance)) => sum(ctx, instance, id, positions)?,
        None => None,
    };
    ctx.memo.fit(ctx.components());
    if let Some(value) = value {
        ctx.memo.grundy[id as usize] = value;
    }
    Ok(value.is_some())
}

/// Whether the Grundy value of a component that falls apart is `n`: may be much less work than the value. `None`: it does not
/// fall apart.
pub(crate) fn is(ctx: &mut Context, id: u32, n: u64) -> Run<Option<bool>> {
    if let Some(known) = ctx.memo.nimber(id) {
        return Ok(Some(u64::from(known) == n));
    }
    match found(ctx, id)? {
        Some(Found::Deletion(instance, left)) => {
            let Ok(n) = u32::try_from(n) else { return Ok(Some(false)) };
            ask(ctx, instance, &mut 0, |game, watch| game.is(left, n, watch)).map(Some)
        }
        Some(Found::Fields(instance)) => Ok(sum(ctx, instance, id, &mut 0)?.map(|value| u64::from(value) == n)),
        None => Ok(None),
    }
}

/// Tries components whole as far as that is quick; what is not and has independent fields is settled as their sum.
pub(crate) fn try_fields(ctx: &mut Context, ids: &[u32], positions: &mut u64) -> Run<()> {
    for &id in ids {
        let instance = ctx.store.instance_of[id as usize];
        let game = ctx.store.game_of(id);
        if ctx.options.split == Policy::Never
            || ctx.memo.nimber(id).is_some()
            || ctx.memo.splits.contains_key(&instance)
            || ctx.session.program.games[game.0].fields.len() < 2
        {
            continue;
        }
        let blocks = match fields::blocks(&ctx.session.program, game) {
            Ok(blocks) => blocks,
            Err(why) => {
                ctx.memo.splits.insert(instance, Split::Not(why.to_string()));
                continue;
            }
        };
        if ctx.options.split == Policy::Large && quickly(ctx, id, positions)? {
            continue;
        }
        let program = ctx.session.program.clone();
        let blocks_of = |ctx: &mut Context, (fields, moves): (Vec<usize>, Vec<usize>)| {
            let code = ctx.code_for(&fields::only(&program, game, &moves), instance);
            Block { fields, code, values: HashMap::new() }
        };
        let Blocks { blocks, constants } = blocks;
        let blocks = blocks.into_iter().map(|block| blocks_of(ctx, block)).collect();
        let base = ctx.store.state_values(id);
        ctx.memo.splits.insert(instance, Split::Fields { base, constants, blocks });
    }
    Ok(())
}

/// Whether a component was searched whole within a few positions.
fn quickly(ctx: &mut Context, id: u32, positions: &mut u64) -> Run<bool> {
    let limit = ctx.limits.positions;
    let few = *positions + PARTS_FEW;
    let narrow = |limits: &mut Limits| {
        limits.cells = Some(limit.map_or(PARTS_CELLS, |limit| limit.min(PARTS_CELLS)));
        limits.positions = Some(limit.map_or(few, |limit| limit.min(few)));
    };
    let searched = ctx.under(narrow, |ctx| crate::engines::grundy::values(ctx, &[id], positions));
    // A limit of the user is one for every search.
    let own = limit.is_none_or(|limit| *positions < limit) && !ctx.limits_reached();
    match searched {
        Err(halt) if halt.is_limit() && own => Ok(false),
        other => other.map(|_| true),
    }
}

/// The value of a component as the sum of its blocks; `None` when a play in one of them comes back.
fn sum(ctx: &mut Context, instance: InstanceId, id: u32, positions: &mut u64) -> Run<Option<u32>> {
    let Some(mut split) = ctx.memo.splits.remove(&instance) else { return Err(gone().into()) };
    let value = sum_of(ctx, instance, &mut split, id, positions);
    let split = match value {
        Ok(None) => Split::Not("a play in a block of fields comes back".to_string()),
        _ => split,
    };
    ctx.memo.splits.insert(instance, split);
    value
}

fn sum_of(
    ctx: &mut Context,
    instance: InstanceId,
    split: &mut Split,
    id: u32,
    positions: &mut u64,
) -> Run<Option<u32>> {
    let Split::Fields { base, constants, blocks } = split else { return Err(gone().into()) };
    let state = ctx.store.state_values(id);
    if constants.iter().any(|&field| base[field] != state[field]) {
        // With other constants the blocks that stand still might not be in the domain.
        *base = state.clone();
        for block in &mut *blocks {
            block.values.clear();
        }
    }
    let mut sum = 0;
    for block in blocks {
        let mut still = base.to_vec();
        for &field in &block.fields {
            still[field] = state[field].clone();
        }
        let part = ctx.intern_state(instance, &still.into())?;
        let Some(value) = fields::value(ctx, block, part, positions)? else { return Ok(None) };
        sum ^= value;
    }
    Ok(Some(sum))
}

/// Whether the state of a component is a sum, or why it is searched whole.
pub(crate) fn refusal(ctx: &mut Context, id: u32) -> Run<Option<String>> {
    if found(ctx, id)?.is_some() {
        return Ok(None);
    }
    let (instance, game) = (ctx.store.instance_of[id as usize], ctx.store.game_of(id));
    if let Some(Split::Not(why)) = ctx.memo.splits.get(&instance) {
        return Ok(Some(why.clone()));
    }
    let program = ctx.session.program.clone();
    if program.games[game.0].fields.len() > 1 {
        return Ok(fields::blocks(&program, game).err().map(str::to_string));
    }
    Ok(Some(match (deletion::rewrite(&program, game), left_in(ctx, id)) {
        (Err(why), _) => why.to_string(),
        (Ok(_), Some(left)) if left > MOST => format!("{left} things are left: more than {MOST}"),
        _ => format!("at most {PARTS_SMALL} things are left: searched whole"),
    }))
}

/// Whether a component falls apart.
pub(crate) fn applies(ctx: &mut Context, id: u32) -> Run<bool> {
    Ok(found(ctx, id)?.is_some())
}

/// What every split needs of a game besides its moves: nothing speaks of the whole play, of the turn, of points, or of the state
/// as a whole.
fn plain_rules(game: &Game) -> Result<(), &'static str> {
    if game.misere {
        return Err("misere: values of components do not add up");
    }
    if !game.ends.is_empty() {
        return Err("an `end when` reads the whole state");
    }
    if !game.legal.is_empty() {
        return Err("a `legal when` reads the whole state");
    }
    if !game.same.is_empty() {
        return Err("a `same as` reads the whole state");
    }
    if !game.asks.is_empty() {
        return Err("the rules ask about other games");
    }
    Ok(())
}
