//! Grundy values that theorems state.

use crate::engines::nimber::Nimber;
use crate::engines::numbers::Numbers;
use crate::engines::query::Root;
use crate::model::{Term, TheoremSays};
use crate::syntax::tree::Measure;
use crate::value::Value;
use crate::value::fault::Run;
use crate::vm::context::Context;
use hashbrown::HashMap;

/// Whether a theorem's guard holds for a component that it speaks of.
pub(super) fn holds(ctx: &mut Context, id: u32, guard: Option<&Term>) -> Run<bool> {
    if !speaks_of(ctx, id)? {
        return Ok(false);
    }
    let Some(guard) = guard else { return Ok(true) };
    Ok(matches!(ctx.eval_at(id, guard)?, Value::Bool(true)))
}

/// Whether the theorems of its game speak of a component: `legal when` is not asked of a start, and they say nothing of one
/// to which no move may lead (rules 25 and 34).
pub(in crate::engines) fn speaks_of(ctx: &mut Context, id: u32) -> Run<bool> {
    let program = ctx.session.program.clone();
    for legal in &program.games[ctx.store.game_of(id).0].legal {
        if !matches!(ctx.eval_at(id, legal)?, Value::Bool(true)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The Grundy value that a theorem states for a component; `None` when none does.
pub(super) fn stated_value(ctx: &mut Context, id: u32) -> Run<Option<Nimber>> {
    let program = ctx.session.program.clone();
    let game = &program.games[ctx.store.game_of(id).0];
    if game.misere { Ok(None) } else { stated(ctx, id, Measure::Grundy) }
}

/// The number that a theorem states for a component; `None` when none does.
pub(super) fn stated(ctx: &mut Context, id: u32, measure: Measure) -> Run<Option<Nimber>> {
    let program = ctx.session.program.clone();
    for theorem in &program.games[ctx.store.game_of(id).0].theorems {
        let TheoremSays::Value { what, value, guard } = &theorem.says else { continue };
        if *what != measure || !holds(ctx, id, guard.as_ref())? {
            continue;
        }
        return Ok(Nimber::of(&ctx.eval_at(id, value)?));
    }
    Ok(None)
}

/// The values stated of components so far.
pub(in crate::engines) struct Values {
    small: Numbers,
    large: HashMap<u32, Nimber>,
}

impl Values {
    /// None yet.
    pub(in crate::engines) fn of(ids: &[u32]) -> Values {
        Values { small: Numbers::of(ids), large: HashMap::new() }
    }

    pub(super) fn get(&self, id: u32) -> Option<Nimber> {
        let small = self.small.get(id).map(Nimber::Small);
        small.or_else(|| if self.large.is_empty() { None } else { self.large.get(&id).cloned() })
    }

    pub(super) fn set(&mut self, id: u32, value: &Nimber) {
        match value {
            Nimber::Small(n) => self.small.set(id, *n),
            Nimber::Large(_) => {
                self.large.insert(id, value.clone());
            }
        }
    }
}

/// The Grundy value that a theorem states for a component, each asked for once.
pub(in crate::engines) fn known_value(ctx: &mut Context, id: u32, values: &mut Values) -> Run<Option<Nimber>> {
    if let Some(value) = values.get(id) {
        return Ok(Some(value));
    }
    let value = stated_value(ctx, id)?;
    if let Some(value) = &value {
        values.set(id, value);
    }
    Ok(value)
}

/// Whether theorems state the Grundy value of every component of a disjunctive sum in normal play.
pub(crate) fn states_values(ctx: &mut Context, root: &Root) -> Run<bool> {
    if root.mode.misere || root.mode.compound.is_some() || root.ids.is_empty() {
        return Ok(false);
    }
    for &id in &root.ids {
        if stated_value(ctx, id)?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}
