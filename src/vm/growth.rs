//! Finding out that a state space has no end before the memory is full (L04).
//!
//! Whether it has one cannot be decided in general. What is told here is a field that has grown far beyond where it started
//! while millions of positions were searched, in a game whose header does not bound its states: the work stops and says so,
//! unless the user has said how many positions may be searched.

use crate::analysis::termination::always_ends;
use crate::bytecode::InstanceId;
use crate::model::kind::Kind;
use crate::source::diagnostic::{Code, Diagnostic};
use crate::value::Value;
use crate::value::fault::{Fault, Halt, Run};
use crate::vm::context::Context;

/// The first look is after so many positions, the next after twice as many.
const FIRST_LOOK: u64 = 1 << 25;
/// Or, of states that take much room, after so many bytes, and then every 2^22 positions.
const MUCH: usize = 1 << 31;
/// A field has grown when it is this many times its start, and at least [`LARGE`].
const FACTOR: i64 = 256;
/// See [`FACTOR`].
const LARGE: i64 = 1000;
/// So many of the newest states are looked at.
const SAMPLE: usize = 256;

/// How large a value is: ints by absolute value, collections and texts by their members.
fn magnitude(value: &Value) -> i64 {
    match value {
        Value::Int(n) => n.saturating_abs(),
        Value::Big(_) => i64::MAX,
        Value::List(list) => i64::try_from(list.items.len()).unwrap_or(i64::MAX),
        Value::Set(items) | Value::Bag(items) => i64::try_from(items.len()).unwrap_or(i64::MAX),
        Value::Tuple(parts) => i64::try_from(parts.len()).unwrap_or(i64::MAX),
        Value::Text(text) => i64::try_from(text.len()).unwrap_or(i64::MAX),
        _ => 0,
    }
}

/// Whether there are only finitely many values of a field: those of a graph that stays as it is.
fn is_bounded(kind: &Kind) -> bool {
    match kind {
        Kind::Bool | Kind::Vertex(Some(_)) | Kind::Edge(Some(_)) => true,
        Kind::Set(of) => is_bounded(of),
        Kind::Tuple(parts) => parts.iter().all(is_bounded),
        _ => false,
    }
}

impl Context {
    /// The limits of a running search; L04 where its states seem to grow without end.
    pub fn check_search(&self, positions: u64, bytes: usize) -> Run<()> {
        // Component numbers share their words with marks of the searches: they end well before the marks begin.
        if self.components() > (1 << 31) - (1 << 24) {
            return Err(Fault::new(Code::L01, "more than 2^31 components of positions were met").into());
        }
        let reached = self.limits.check(positions, bytes);
        if let Err(fault) = reached {
            if fault.code != Code::L03
                && let Some(grown) = self.grown()
            {
                return Err(self.endless(&grown, &fault.message));
            }
            return Err(fault.into());
        }
        let look = positions >= FIRST_LOOK && (positions >> 12).is_power_of_two()
            || bytes >= MUCH && positions >= 1 << 20 && positions.is_multiple_of(1 << 22);
        if look
            && self.limits.positions.is_none()
            && let Some(grown) = self.grown()
        {
            return Err(self.endless(&grown, &format!("{positions} positions were searched")));
        }
        Ok(())
    }

    /// A field that has grown: its game, its name, from and to what.
    fn grown(&self) -> Option<(String, String, i64, i64)> {
        let newest = u32::try_from(self.components()).ok()?.checked_sub(1)?;
        let instance = &self.store.instances[self.store.instance_of[newest as usize]];
        let game = &self.session.program.games[instance.game.0];
        if game.filter.is_some() || always_ends(&self.session.program, instance.game) {
            return None;
        }
        let of = instance.base;
        let same = |&i: &InstanceId| self.store.instances[i].base == of;
        let oldest = u32::try_from(self.store.instance_of.iter().position(same)?).ok()?;
        let start = self.store.state_values(oldest);
        let sample = (0..=newest).rev().filter(|&id| same(&self.store.instance_of[id as usize])).take(SAMPLE);
        let mut largest = vec![0i64; start.len()];
        for id in sample {
            for (most, value) in largest.iter_mut().zip(self.store.state_values(id).iter()) {
                *most = (*most).max(magnitude(value));
            }
        }
        (0..start.len()).find_map(|i| {
            let from = magnitude(&start[i]);
            if is_bounded(&game.fields[i].kind) {
                return None;
            }
            let grown = largest[i] >= LARGE && largest[i] >= from.saturating_add(1).saturating_mul(FACTOR);
            grown.then(|| (game.name.clone(), game.fields[i].name.clone(), from, largest[i]))
        })
    }

    fn endless(&self, (game, field, from, to): &(String, String, i64, i64), why: &str) -> Halt {
        let message =
            format!("the positions seem to have no end: `{field}` of `{game}` grew from {from} to {to}; {why}");
        let span = self.session.program.games.iter().find(|g| g.name == *game).map(|g| g.span);
        let mut diagnostic = Diagnostic::bare(Code::L04, message)
            .hint("bound it by `where` in the header, `end when` or `same as`; or say how far to search with `--max-positions`");
        diagnostic.span = span;
        Halt::from(diagnostic)
    }
}
