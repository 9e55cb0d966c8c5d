//! Sums of very many components that differ in one int, whose values and moves theorems state: the states are gone through as
//! ints, and only components with moves that are listed or followed get a number.
//!
//! The answer is that of [`theorem::solve`]; what it would find out in another way is left to it.

use crate::answer::{Answer, GrundyValue, Method, MoveAnswer, MoveList, Outcome};
use crate::bytecode::InstanceId;
use crate::engines::query::Root;
use crate::engines::values::KnownValues;
use crate::engines::{Choice, stated, theorem};
use crate::model::{Clause, Game, Slot, TheoremSays};
use crate::syntax::tree::{Measure, Which};
use crate::tuning;
use crate::value::limits::Pace;
use crate::value::{Position, Row, Run, Shape, Value};
use crate::vm::context::Context;
use hashbrown::HashSet;

/// The whole answer; `None` when the position is none of this kind.
pub(super) fn solve(ctx: &mut Context, position: &Position, choice: Choice) -> Run<Option<Answer>> {
    let Shape::Sum(components) = &position.shape else { return Ok(None) };
    let Some(row) = components.row().filter(|row| !position.misere && is_long(row, choice)) else { return Ok(None) };
    let program = ctx.session.program.clone();
    let game = &program.games[row.game.0];
    let plain = !game.misere && game.ends.is_empty() && game.legal.is_empty() && game.same.is_empty();
    let Some(instance) = ctx.int_instance(row.game, &row.params).filter(|_| plain) else { return Ok(None) };
    let Some(values) = values(ctx, game, row, instance)? else { return Ok(None) };
    let total = values.iter().fold(0, |total, value| total ^ value).cast_unsigned();
    let text = ctx.position_text(position);
    let (mut winning, mut moves_refused) = (MoveList::default(), None);
    if total != 0 {
        let Some(lines) = lines(game) else { return Ok(None) };
        let mut search = Search { row, instance, values: &values, total, lines };
        match theorem::tried(ctx, |ctx| search.moves(ctx, choice.moves))? {
            Some(Some(moves)) => winning = moves,
            Some(None) => return Ok(None),
            None => moves_refused = Some("there are too many to look at".to_string()),
        }
    }
    Ok(Some(Answer {
        position: text,
        players: None,
        outcome: if total == 0 { Outcome::Second } else { Outcome::First },
        grundy: Some(GrundyValue::Nimber(total)),
        grundy_refused: None,
        moves_refused,
        remoteness: None,
        score: None,
        winning,
        drawing: None,
        method: Method::Theorem,
        positions: 0,
    }))
}

/// Whether no search is tried beside the theorems, since there are too many distinct components.
fn is_long(row: &Row, choice: Choice) -> bool {
    let mut distinct = HashSet::new();
    !choice.remoteness
        || row.ints.iter().any(|n| distinct.insert(*n) && distinct.len() as u64 > tuning::REMOTENESS.positions)
}

/// The values that the first theorem about them states; `None` when it does not state all, or not in words.
fn values(ctx: &mut Context, game: &Game, row: &Row, instance: InstanceId) -> Run<Option<Vec<i64>>> {
    let stated = game.theorems.iter().find_map(|theorem| match &theorem.says {
        TheoremSays::Value { what: Measure::Grundy, value, guard } => Some((value, guard)),
        _ => None,
    });
    let Some((value, None)) = stated else { return Ok(None) };
    ctx.nats_of_ints(instance, value, &row.ints)
}

/// A theorem about the moves of one name to a Grundy value, which is in the slot.
struct Line<'p> {
    mv: usize,
    clauses: &'p [Clause],
    slot: Slot,
    yields: &'p [Slot],
}

/// The lines of a game; `None` when they do not state the moves of each name, or several lines have one name.
fn lines(game: &Game) -> Option<Vec<Line<'_>>> {
    let mut lines: Vec<Line<'_>> = Vec::new();
    for theorem in &game.theorems {
        if let TheoremSays::Moves { which: Which::To(slot), name, clauses, slots } = &theorem.says {
            let mv = game.moves.iter().position(|mv| mv.name == *name)?;
            lines.push(Line { mv, clauses, slot: *slot, yields: slots });
        }
    }
    lines.sort_by_key(|line| line.mv);
    lines.iter().map(|line| line.mv).eq(0..game.moves.len()).then_some(lines)
}

struct Search<'s> {
    row: &'s Row,
    instance: InstanceId,
    values: &'s [i64],
    total: u64,
    lines: Vec<Line<'s>>,
}

impl Search<'_> {
    /// The winning moves, `most` of them listed; `None` when the lines contradict the stated values or cannot be looked at one
    /// by one.
    fn moves(&mut self, ctx: &mut Context, most: usize) -> Run<Option<MoveList>> {
        /// So many components at a time.
        const BLOCK: usize = 1 << 14;
        let mut found = MoveList::default();
        let mut pace = Pace::default();
        let mut stating = Vec::with_capacity(self.lines.len());
        for line in &self.lines {
            let stated = ctx.stating(self.instance, line.mv, (line.clauses, line.slot, line.yields));
            let Some(stated) = stated else { return Ok(None) };
            stating.push(stated);
        }
        let mut place = 0;
        while place < self.row.ints.len() && (found.listed.len() < most || found.count < tuning::FOLLOWED) {
            pace.spend(&ctx.limits, 8)?;
            let to = Value::int((self.values[place].cast_unsigned() ^ self.total).into());
            let Some(moves) = self.followed(ctx, place, &to, most - found.listed.len())? else { return Ok(None) };
            found.count += moves.count;
            found.listed.extend(moves.listed);
            place += 1;
        }
        for (ints, values) in self.row.ints[place..].chunks(BLOCK).zip(self.values[place..].chunks(BLOCK)) {
            let to: Vec<i64> = values.iter().map(|value| value ^ self.total.cast_signed()).collect();
            for stating in &mut stating {
                found.count += ctx.stated_count(stating, ints, &to)?;
            }
        }
        // From a value that is not 0 some move leads to 0.
        Ok((found.count > 0).then_some(found))
    }

    /// Of one component in full: one of its moves at least is held against the stated values.
    fn followed(&self, ctx: &mut Context, place: usize, to: &Value, most: usize) -> Run<Option<MoveList>> {
        let Some(component) = self.row.component(place) else { return Ok(None) };
        let within = ctx.component_text(&component);
        let alone = Position { misere: false, sum: false, shape: Shape::Sum(vec![component].into()) };
        let root = Root::new(ctx, &alone)?;
        let Some(moves) = stated::moves_to(ctx, &root, 0, to, most.max(1))? else { return Ok(None) };
        let mut values = KnownValues::new(theorem::stated_value);
        if !moves.all_win(ctx, &root, &self.total.into(), &mut values, u64::MAX)? {
            return Ok(None);
        }
        let mut listed = Vec::new();
        for mv in moves.first.iter().take(most) {
            let Some(Position { shape: Shape::Sum(after), .. }) = root.position_after(ctx, mv) else {
                return Ok(None);
            };
            let to = ctx.row_text_with(self.row, place, &after);
            let answer = root.answer(ctx, mv);
            listed.push(MoveAnswer { component: Some(place), within: Some(within.clone()), to, ..answer });
        }
        Ok(Some(MoveList { count: moves.count, listed, far: false }))
    }
}
