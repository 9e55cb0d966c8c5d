//! Positions that fall apart: a state that is a disjunctive sum though it is written as one.
//!
//! Only in normal play, where the value of a sum is the xor of the values of its components (Sprague, Grundy), and only with a
//! proof from the rules that the moves are those of the components. What has no such proof is searched whole.
//!
//! # Deletion games
//!
//! The rules are rewritten to say what a move needs and leaves.
//!
//! The state is one set `S`. A term `T` is a *part* of the state when `T(S) = S & T(D)` for all `S` within `D`, where `T(D)` does
//! not depend on `S`: the field itself; `T - X`, `T & X`, `X & T` with an `X` that does not read the state; `T + U`, `T - U`,
//! `T & U`, `T xor U` of two parts (each set operation commutes with meeting `S`); `{x for x in T where ..}` whose conditions do
//! not read the state; `if c then T else U` with such a `c`; `{}`; names of parts.
//!
//! The rules are taken when each move is made of
//! * `x in T`: from `S` this way through the clauses exists iff it exists from `D` and `x` is in `S`: the move *needs* `x`;
//! * `e in edges(g, T)` with a `g` that does not read the state: likewise it needs both ends of `e`;
//! * `where .. and x in T and ..`: likewise it needs `x`;
//! * clauses that do not read the state: the same from `S` and from `D`;
//! * the target `G(T)`: it leads from `S` to `S & T(D)`, and so *removes* `D` without `T(D)`;
//!
//! and there is nothing else: one field, no `end when`, `legal when`, `same as`, `again`, `gain`, ends of the play, questions, and
//! no header `where` that reads the state. By induction along the clauses, the ways through them from `S` are exactly those from
//! `D` whose needs are in `S`. So the moves from `D` alone, found by running the rewritten clauses once, are the whole game
//! ([`grundy_graphs::deletion`]). What a way evaluates from `S` it evaluates from `D` too: if nothing fails from `D`,
//! nothing fails later.
//!
//! # Independent fields
//!
//! The game is solved as the sum of its blocks of fields.
//!
//! Two fields are *tied* when a move reads or changes both (in its clauses, its target, lazy names and definitions included), or
//! the header's `where` or the type of a field speaks of both. A field that no move changes is a constant and ties nothing.
//! The blocks are the classes of tied fields. A move reads and changes fields of one block only, so whether it is there, and
//! what it does, is the same whatever the other blocks hold, and they stay as they are: the moves of a position are those of
//! its blocks, each made in one of them. That is the disjunctive sum of the games in which only one block ever moves. Of these
//! the values are xored, if no play in a block comes back (else this engine gives up).
//!
//! Required as for all splits: normal play, no `end when`, `legal when`, `same as`, ends of the play, `again`, `gain`,
//! questions; and every target is a position of the same game with the same parameters, written with all its fields.
//!
//! The positions of a block are kept as positions of the game whose other blocks stand as in the first position met.
//!
//! # Members
//!
//! A block that is one list or bag whose *members move alone* is solved as the sum of its members.
//!
//! They do when each move, of a list `L` or bag `B`,
//! * chooses one place by `i in indices(L)` or the range of all places, or one member by `x in B`;
//! * has clauses and conditions that read no more of the state than `L[i]`, or `x`, and constants, and `i` for nothing else;
//! * leads to `L[i := e]`, `L[..i - 1] + L[i + 1..]`, `B`, `B - [x]`, also sorted, reversed, or by `if` one or another of these,
//!   with `+` what such terms make;
//!
//! and the header's `where` does not read it ([`crate::engines::members`]). Then the ways through the clauses that choose one
//! member are those from the position with that member alone, whatever stands beside it; they leave the others as they are, and
//! put in its place what they put there when it is alone. That is the disjunctive sum of the positions with one member each
//! (in a bag equal members have the same moves, so that one of them speaks for all).

use crate::bytecode::InstanceId;
use crate::bytecode::layout::FieldLayout;
use crate::bytecode::lower::InGame;
use crate::engines::grundy::Mex;
use crate::engines::{asked, by_tables, members};
use crate::memo::{Block, OPEN, Split, UNKNOWN};
use crate::model::walk::{clause_terms, each_term};
use crate::model::{
    BinaryOp, Builtin, Clause, CompareOp, DefId, Frame, Game, GameId, Gather, Kind, LogicOp, Pattern, PlaceParams,
    Program, Slot, SlotInfo, Target, Term, TermKind, Type,
};
use crate::source::{Code, Span};
use crate::store::{ComponentId, StateTable};
use crate::tuning::{PARTS_CELLS, PARTS_FEW, PARTS_SMALL};
use crate::value::limits::Limits;
use crate::value::width;
use crate::value::{Fault, Halt, Items, List, Run, Value};
use crate::vm::context::{Context, EngineOptions, Policy};
use crate::vm::run::{MoveTarget, Options};
use grundy_graphs::deletion::{Deed, Deletion, MOST};
use hashbrown::HashMap;
use std::collections::HashSet;
use std::slice::from_ref;
use std::sync::Arc;

/// More components than this cannot be numbered.
const NUMBERS: u64 = 1 << 31;

/// More moves than this are not listed beforehand.
const DEEDS: usize = 1 << 16;

/// Works out the Grundy value of a component that falls apart, and keeps it. `false`: it does not; search it whole.
pub(crate) fn settle(ctx: &mut Context, id: ComponentId, positions: &mut u64) -> Run<bool> {
    let value = match found(ctx, id)? {
        Some(Found::Deletion(instance, left)) => {
            Some(ask(ctx, instance, positions, |game, watch| game.value(left, watch))?)
        }
        Some(Found::Fields(instance)) => sum(ctx, instance, id, positions)?,
        None => None,
    };
    ctx.memo.fit(ctx.components());
    if let Some(value) = value {
        ctx.memo.grundy[id.index()] = value;
    }
    Ok(value.is_some())
}

/// Whether the Grundy value of a component that falls apart is `n`: may be much less work than the value. `None`: it does not
/// fall apart.
pub(crate) fn is(ctx: &mut Context, id: ComponentId, n: u64, positions: &mut u64) -> Run<Option<bool>> {
    if let Some(known) = ctx.memo.nimber(id) {
        return Ok(Some(u64::from(known) == n));
    }
    match found(ctx, id)? {
        Some(Found::Deletion(instance, left)) => {
            let Ok(n) = u32::try_from(n) else { return Ok(Some(false)) };
            ask(ctx, instance, positions, |game, watch| game.is(left, n, watch)).map(Some)
        }
        Some(Found::Fields(instance)) => Ok(sum(ctx, instance, id, positions)?.map(|value| u64::from(value) == n)),
        None => Ok(None),
    }
}

/// Tries components whole as far as that is quick; what is not and has independent fields is settled as their sum.
pub(crate) fn try_fields(ctx: &mut Context, ids: &[ComponentId], positions: &mut u64) -> Run<()> {
    for &id in ids {
        let (instance, game) = (of_any_size(ctx, id), ctx.store.game_of(id));
        if ctx.options.split == Policy::Never
            || ctx.memo.nimber(id).is_some()
            || ctx.memo.splits.contains_key(&instance)
            || !has_blocks(&ctx.session.program.games[game.0])
        {
            continue;
        }
        let blocks = match blocks(&ctx.session.program, game) {
            Ok(blocks) => blocks,
            Err(why) => {
                ctx.memo.splits.insert(instance, Split::Not(why.to_string()));
                continue;
            }
        };
        if ctx.options.split == Policy::Large {
            // A table ahead of a sweep knows the remoteness too.
            if !by_tables::known(ctx, id) {
                asked::note_asked(ctx, id, crate::tables::Kind::GrundyFar)?;
            }
            if quickly(ctx, id, positions)? {
                continue;
            }
        }
        let Blocks { blocks, constants } = blocks;
        let blocks = blocks.into_iter().map(|Part { fields, moves, members, single }| Block {
            fields,
            members,
            single,
            rules: only(&ctx.session.program, game, &moves),
            code: HashMap::new(),
            values: HashMap::new(),
        });
        let blocks = blocks.collect();
        ctx.memo.splits.insert(instance, Split::Fields { base: ctx.store.state_values(id), constants, blocks });
    }
    Ok(())
}

/// Whether a component was searched whole within a few positions.
fn quickly(ctx: &mut Context, id: ComponentId, positions: &mut u64) -> Run<bool> {
    let limit = ctx.limits.positions;
    let few = *positions + PARTS_FEW;
    let narrow = |limits: &mut Limits| {
        limits.cells = Some(limit.map_or(PARTS_CELLS, |limit| limit.min(PARTS_CELLS)));
        limits.positions = Some(limit.map_or(few, |limit| limit.min(few)));
    };
    let searched = ctx.under(narrow, |ctx| crate::engines::grundy::values(ctx, &[id], false, positions));
    // A limit of the user is one for every search.
    let own = limit.is_none_or(|limit| *positions < limit) && !ctx.limits_reached();
    match searched {
        Err(halt) if halt.is_limit() && own => Ok(false),
        other => other.map(|_| true),
    }
}

/// The value of a component as the sum of its blocks; `None` when a play in one of them comes back.
fn sum(ctx: &mut Context, instance: InstanceId, id: ComponentId, positions: &mut u64) -> Run<Option<u32>> {
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
    id: ComponentId,
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
        for part in parts(ctx, instance, block, still)? {
            let Some(value) = value(ctx, block, part, positions)? else { return Ok(None) };
            sum ^= value;
        }
    }
    Ok(Some(sum))
}

/// The components of a state in which only one block may move: itself, or its members.
fn parts(ctx: &mut Context, base: InstanceId, block: &Block, mut state: Vec<Value>) -> Run<Vec<ComponentId>> {
    let Some(field) = block.members else { return Ok(vec![ctx.intern_state(base, &state.into())?]) };
    let all = state[field].clone();
    let (Value::List(List { items, .. }) | Value::Bag(items)) = &all else { return Err(gone().into()) };
    let mut parts = Vec::with_capacity(items.len());
    for item in items.values().iter() {
        let alone = Items::from(vec![item.clone()]);
        state[field] = match &all {
            Value::List(list) => Value::List(List { base: list.base, items: alone }),
            _ => Value::Bag(alone),
        };
        parts.push(ctx.intern_state(base, &state.clone().into())?);
    }
    Ok(parts)
}

/// Whether the state of a component is a sum, or why it is searched whole.
pub(crate) fn refusal(ctx: &mut Context, id: ComponentId) -> Run<Option<String>> {
    if found(ctx, id)?.is_some() {
        return Ok(None);
    }
    let (instance, game) = (of_any_size(ctx, id), ctx.store.game_of(id));
    if let Some(Split::Not(why)) = ctx.memo.splits.get(&instance) {
        return Ok(Some(why.clone()));
    }
    let program = ctx.session.program.clone();
    if has_blocks(&program.games[game.0]) {
        return Ok(blocks(&program, game).err().map(str::to_string));
    }
    Ok(Some(match (rewrite(&program, game), left_in(ctx, id)) {
        (Err(why), _) => why.to_string(),
        (Ok(_), Some(left)) if left > MOST => format!("{left} things are left: more than {MOST}"),
        _ => format!("at most {PARTS_SMALL} things are left: searched whole"),
    }))
}

pub(crate) fn applies(ctx: &mut Context, id: ComponentId) -> Run<bool> {
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

/// How a component falls apart.
enum Found {
    /// The instance, and what is left as a mask over the things of its deletion game.
    Deletion(InstanceId, u64),
    /// The instance, whose fields are independent.
    Fields(InstanceId),
}

/// How much is left in a component whose state is one set.
fn left_in(ctx: &Context, id: ComponentId) -> Option<usize> {
    let [field] = &ctx.session.program.games[ctx.store.game_of(id).0].fields[..] else { return None };
    let instance = ctx.store.instance_of[id.index()];
    match (&field.kind, &ctx.store.instances[instance].forms[..], &ctx.store.states[instance]) {
        (Kind::Set(_), [FieldLayout::Word(_)], StateTable::Packed { .. }) => {
            Some(ctx.store.keys[id.index()].count_ones() as usize)
        }
        (Kind::Set(_), [FieldLayout::Parts(_, members)], _) => Some(members.len()),
        (Kind::Set(_), _, StateTable::Interned { .. }) => match &ctx.store.state_values(id)[..] {
            [Value::Set(things)] => Some(things.len()),
            _ => None,
        },
        _ => None,
    }
}

/// The instance by which it is known how components fall apart: lists and sets that lie in words have one for each size beside it.
fn of_any_size(ctx: &Context, id: ComponentId) -> InstanceId {
    ctx.store.instances[ctx.store.instance_of[id.index()]].base
}

/// The things that are left in a component whose state is one set; large sets are spelled out by this.
fn things(ctx: &Context, id: ComponentId) -> Option<Arc<[Value]>> {
    match &ctx.store.state_values(id)[..] {
        [Value::Set(things)] => Some(Arc::clone(things.values())),
        _ => None,
    }
}

fn found(ctx: &mut Context, id: ComponentId) -> Run<Option<Found>> {
    let least = match ctx.options.split {
        Policy::Never => return Ok(None),
        Policy::Large => PARTS_SMALL + 1,
        Policy::Always => 0,
    };
    let instance = of_any_size(ctx, id);
    match ctx.memo.splits.get(&instance) {
        Some(Split::Not(_)) => return Ok(None),
        Some(Split::Fields { .. }) => return Ok(Some(Found::Fields(instance))),
        Some(Split::Deletion { .. }) | None => {}
    }
    if left_in(ctx, id).is_none_or(|left| left < least || left > MOST) {
        return Ok(None);
    }
    let Some(left) = things(ctx, id) else { return Ok(None) };
    if let Some(Split::Deletion { things, .. }) = ctx.memo.splits.get(&instance)
        && let Some(mask) = mask(things, &left)
    {
        return Ok(Some(Found::Deletion(instance, mask)));
    }
    let split = match compile(ctx, id, &left)? {
        Ok(game) => Split::Deletion { things: left.clone(), game: Box::new(game) },
        Err(why) => Split::Not(why),
    };
    let all = mask(&left, &left);
    let taken = matches!(split, Split::Deletion { .. });
    ctx.memo.splits.insert(instance, split);
    Ok(all.filter(|_| taken).map(|all| Found::Deletion(instance, all)))
}

/// The places of some things among others, ascending; `None` when one is not among them.
fn mask(things: &[Value], some: &[Value]) -> Option<u64> {
    some.iter().try_fold(0, |mask, thing| things.binary_search(thing).ok().map(|at| mask | 1 << at))
}

/// Runs the rewritten rules of a component once: its moves as a deletion game, or why not.
fn compile(ctx: &mut Context, id: ComponentId, left: &[Value]) -> Run<Result<Deletion, String>> {
    let game = ctx.store.game_of(id);
    let program = ctx.session.program.clone();
    let (frame, moves) = match rewrite(&program, game) {
        Ok(rewritten) => rewritten,
        Err(why) => return Ok(Err(why.to_string())),
    };
    let mut program = Program::clone(&program);
    program.games[game.0].frame = frame;
    let full = mask(left, left).unwrap_or(0);
    let mut deeds = Vec::new();
    for mv in &moves {
        let yields: Vec<usize> = mv.needs.iter().copied().chain([mv.target]).collect();
        let ways = match ctx.ways_of(&program, id, &mv.clauses, &yields) {
            Ok(ways) => ways,
            Err(Halt::Error(error)) if !error.code.is_limit() => return Ok(Err(fails(&error.message))),
            Err(Halt::Fault(fault)) if !fault.code.is_limit() => return Ok(Err(fails(&fault.message))),
            Err(halt) => return Err(halt),
        };
        for way in ways {
            let Some((Value::Set(target), needs)) = way.split_last() else {
                return Ok(Err("a move leads elsewhere than to a part of what is left".to_string()));
            };
            let need = needs.iter().try_fold(0, |need, value| {
                let ends = match value {
                    Value::Edge(edge) if mask(left, from_ref(value)).is_none() => {
                        mask(left, from_ref(&edge.u)).zip(mask(left, from_ref(&edge.v))).map(|(u, v)| u | v)
                    }
                    thing => mask(left, from_ref(thing)),
                };
                ends.map(|ends| need | ends)
            });
            let (Some(need), Some(target)) = (need, mask(left, target)) else {
                return Ok(Err("a move needs something that is not left".to_string()));
            };
            deeds.push(Deed { need, remove: full & !target });
        }
        if deeds.len() > DEEDS {
            return Ok(Err("too many moves".to_string()));
        }
    }
    Ok(Deletion::new(left.len(), deeds).map_err(str::to_string))
}

fn fails(message: &str) -> String {
    format!("a rule may fail: {message}")
}

/// Puts a question to the deletion game of an instance, under the limits of the machine.
fn ask<T>(
    ctx: &mut Context,
    instance: InstanceId,
    positions: &mut u64,
    question: impl FnOnce(&mut Deletion, &mut dyn FnMut(u64, usize) -> Result<(), Fault>) -> Result<T, Fault>,
) -> Run<T> {
    // Taken out while it works, so that the limits can be looked at.
    let Some(mut split) = ctx.memo.splits.remove(&instance) else { return Err(gone().into()) };
    let Split::Deletion { game, .. } = &mut split else { return Err(gone().into()) };
    let (before, earlier, held) = (*positions, game.positions(), ctx.bytes());
    let more = ctx.limits.positions.map_or(u64::MAX, |limit| limit.saturating_sub(before));
    game.limit = earlier.saturating_add(more).min(NUMBERS);
    let limits = &ctx.limits;
    let answer = question(game, &mut |met, bytes| {
        if met > NUMBERS {
            return Err(Fault::new(Code::L01, "more than 2^31 components of positions were met"));
        }
        limits.check(before + met - earlier, held + bytes)
    });
    *positions += game.positions() - earlier;
    ctx.memo.splits.insert(instance, split);
    Ok(answer?)
}

fn gone() -> Fault {
    Fault::new(Code::X01, "a game was lost during the search: a defect of this program, please report the file")
}

/// The clauses of a move rewritten.
struct Rewritten {
    clauses: Vec<Clause>,
    /// Slots of what the move needs: things, or edges between things.
    needs: Vec<Slot>,
    /// The slot of the state that the move leads to.
    target: Slot,
}

/// The moves of a deletion game with the frame of their clauses; or why it is none that can be told.
fn rewrite(program: &Program, id: GameId) -> Result<(Frame, Vec<Rewritten>), &'static str> {
    let game = &program.games[id.0];
    let [field] = &game.fields[..] else { return Err("the state is not one set") };
    if !matches!(field.kind, Kind::Set(_)) {
        return Err("the state is not one set");
    }
    plain_rules(game)?;
    let mut proof = Proof {
        game,
        id,
        state: game.params.len(),
        reads: Reads::new(program, game),
        parts: HashSet::new(),
        frame: game.frame.clone(),
    };
    if game.filter.as_ref().is_some_and(|filter| proof.reads.any(filter)) {
        return Err("the header's `where` reads the state");
    }
    let moves = game.moves.iter().map(|mv| proof.rewrite(&mv.clauses, &mv.target)).collect::<Result<_, _>>()?;
    Ok((proof.frame, moves))
}

struct Proof<'p> {
    game: &'p Game,
    id: GameId,
    state: Slot,
    reads: Reads<'p>,
    /// Slots that hold parts of the state.
    parts: HashSet<Slot>,
    frame: Frame,
}

impl Proof<'_> {
    fn fresh(&mut self, ty: Type, span: Span) -> Slot {
        self.frame.slots.push(SlotInfo { name: "%need".to_string(), ty, span, lazy: None });
        self.frame.slots.len() - 1
    }

    fn rewrite(&mut self, clauses: &[Clause], target: &Target) -> Result<Rewritten, &'static str> {
        let mut new = Rewritten { clauses: Vec::new(), needs: Vec::new(), target: 0 };
        for clause in clauses {
            match clause {
                Clause::In { pattern, source, span } if self.reads.any(source) => {
                    if !self.is_part(source) && !self.is_edges(source) {
                        return Err("a move chooses from something else than what is left");
                    }
                    let ty = element(&source.ty).ok_or("a move chooses from something else than what is left")?;
                    let need = self.fresh(ty.clone(), *span);
                    let value = Term::new(TermKind::Slot(need), ty, *span);
                    let source = source.clone();
                    new.clauses.push(Clause::In { pattern: Pattern::Slot(need), source, span: *span });
                    if !matches!(pattern, Pattern::Ignore) {
                        new.clauses.push(Clause::Let { pattern: pattern.clone(), value });
                    }
                    new.needs.push(need);
                }
                Clause::Let { pattern, value } if self.reads.any(value) => {
                    let Pattern::Slot(slot) = pattern else { return Err("a name reads the state") };
                    if !self.is_part(value) {
                        return Err("a name reads the state");
                    }
                    self.reads.slots.insert(*slot);
                    self.parts.insert(*slot);
                    new.clauses.push(clause.clone());
                }
                Clause::Where(condition) if self.reads.any(condition) => {
                    new.clauses.push(clause.clone());
                    let mut members = Vec::new();
                    self.members(condition, &mut members)?;
                    for member in members {
                        let need = self.fresh(member.ty.clone(), member.span);
                        new.clauses.push(Clause::Let { pattern: Pattern::Slot(need), value: member.clone() });
                        new.needs.push(need);
                    }
                }
                other => new.clauses.push(other.clone()),
            }
        }
        if new.needs.is_empty() {
            return Err("a move is there whatever is left");
        }
        let value = self.target(target)?;
        new.target = self.fresh(value.ty.clone(), value.span);
        new.clauses.push(Clause::Let { pattern: Pattern::Slot(new.target), value });
        Ok(new)
    }

    /// The terms that a condition wants to be left.
    fn members<'t>(&self, condition: &'t Term, out: &mut Vec<&'t Term>) -> Result<(), &'static str> {
        match &condition.kind {
            _ if !self.reads.any(condition) => Ok(()),
            TermKind::Logic(LogicOp::And, a, b) => {
                self.members(a, out)?;
                self.members(b, out)
            }
            TermKind::Compare(member, rest) => match &rest[..] {
                [(CompareOp::In, set)] if self.is_part(set) && !self.reads.any(member) => {
                    out.push(member);
                    Ok(())
                }
                _ => Err("a condition reads what is left"),
            },
            _ => Err("a condition reads what is left"),
        }
    }

    fn target(&self, target: &Target) -> Result<Term, &'static str> {
        const ELSE: &str = "a move leads elsewhere than to a part of what is left";
        match target {
            Target::If(condition, yes, no) => {
                if self.reads.any(condition) {
                    return Err(ELSE);
                }
                let (yes, no) = (self.target(yes)?, self.target(no)?);
                let (ty, span) = (yes.ty.clone(), condition.span);
                Ok(Term::new(TermKind::If(Box::new(condition.clone()), Box::new(yes), Box::new(no)), ty, span))
            }
            Target::Go { again: false, position, gain: None } => {
                let TermKind::Place(place) = &position.kind else { return Err(ELSE) };
                match (&place.params, &place.fields[..]) {
                    (PlaceParams::Own, [Some(state)]) if place.game == self.id && self.is_part(state) => {
                        Ok(state.clone())
                    }
                    _ => Err(ELSE),
                }
            }
            Target::Go { .. } | Target::Stop(_) => Err(ELSE),
        }
    }

    /// Whether a term is a part of the state (see the module).
    fn is_part(&self, term: &Term) -> bool {
        match &term.kind {
            TermKind::Slot(slot) if *slot == self.state || self.parts.contains(slot) => true,
            TermKind::Slot(slot) => self.game.frame.slots[*slot].lazy.as_ref().is_some_and(|lazy| self.is_part(lazy)),
            TermKind::Adapt(inner) => self.is_part(inner) && element(&inner.ty) == element(&term.ty),
            TermKind::Items(Gather::Set, items) => items.is_empty(),
            TermKind::If(condition, yes, no) => !self.reads.any(condition) && self.is_part(yes) && self.is_part(no),
            TermKind::Binary(op, a, b) if matches!(term.ty, Type::Set(_)) => {
                let (part_a, part_b) = (self.is_part(a), self.is_part(b));
                match op {
                    BinaryOp::Sub => part_a && (part_b || !self.reads.any(b)),
                    BinaryOp::Meet => part_a && (part_b || !self.reads.any(b)) || part_b && !self.reads.any(a),
                    BinaryOp::Add | BinaryOp::Xor => part_a && part_b,
                    _ => false,
                }
            }
            TermKind::Comprehension(Gather::Set, value, clauses) => match &clauses[..] {
                [Clause::In { pattern, source, .. }, rest @ ..] => {
                    self.is_part(source)
                        && element(&source.ty) != Some(Type::Edge)
                        && restores(value, pattern)
                        && !self.reads.clauses(rest)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// `edges(g, T)`
    fn is_edges(&self, term: &Term) -> bool {
        match &term.kind {
            TermKind::Builtin(Builtin::Edges, args) => match &args[..] {
                [graph, vertices] => !self.reads.any(graph) && self.is_part(vertices),
                _ => false,
            },
            _ => false,
        }
    }
}

/// Whether a term is what a pattern took apart.
pub(super) fn restores(term: &Term, pattern: &Pattern) -> bool {
    match (&term.kind, pattern) {
        (TermKind::Slot(a), Pattern::Slot(b)) => a == b,
        (TermKind::Tuple(parts), Pattern::Tuple(patterns, _)) => {
            parts.len() == patterns.len() && parts.iter().zip(patterns).all(|(t, p)| restores(t, p))
        }
        _ => false,
    }
}

fn element(ty: &Type) -> Option<Type> {
    match ty {
        Type::Set(of) | Type::List(of) | Type::Bag(of) => Some((**of).clone()),
        _ => None,
    }
}

/// What the blocks of a game are.
struct Blocks {
    blocks: Vec<Part>,
    /// Fields that no move changes.
    constants: Vec<usize>,
}

/// The fields and the moves of a block, and its field whose members move alone.
struct Part {
    fields: Vec<usize>,
    moves: Vec<usize>,
    members: Option<usize>,
    /// There is no other block, and positions with one member never have more.
    single: bool,
}

/// Whether fields may be independent, or members move alone.
fn has_blocks(game: &Game) -> bool {
    match &game.fields[..] {
        [field] => matches!(field.kind, Kind::List(..) | Kind::Bag(_)),
        fields => fields.len() > 1,
    }
}

#[derive(Default)]
struct Touched {
    changed: HashSet<usize>,
    read: HashSet<Slot>,
}

fn blocks(program: &Program, id: GameId) -> Result<Blocks, &'static str> {
    let game = &program.games[id.0];
    plain_rules(game)?;
    let reads = Reads::new(program, game);
    let from = game.params.len();
    let mut moves = Vec::with_capacity(game.moves.len());
    for mv in &game.moves {
        let mut touched = Touched::default();
        touched.read.extend(clause_terms(&mv.clauses).flat_map(|term| reads.slots_of(term)));
        touch(game, id, &reads, &mv.target, &mut touched)?;
        moves.push(touched);
    }
    let constants: Vec<usize> =
        (0..game.fields.len()).filter(|field| moves.iter().all(|m| !m.changed.contains(field))).collect();
    let mut class: Vec<usize> = (0..game.fields.len()).collect();
    let mut tie = |fields: &HashSet<usize>| {
        let mut fields = fields.iter().filter(|f| !constants.contains(f));
        let Some(&first) = fields.next() else { return };
        for &other in fields {
            let (old, new) = (class[other], class[first]);
            class.iter_mut().filter(|c| **c == old).for_each(|c| *c = new);
        }
    };
    let fields_of = |slots: HashSet<Slot>| -> HashSet<usize> { slots.into_iter().map(|slot| slot - from).collect() };
    let mut places = Vec::with_capacity(moves.len());
    for touched in moves {
        let mut fields = touched.changed;
        fields.extend(fields_of(touched.read));
        tie(&fields);
        let place = fields.iter().find(|f| !constants.contains(f)).copied();
        places.push(place.ok_or("a move neither reads nor changes what can change")?);
    }
    for (i, field) in game.fields.iter().enumerate() {
        let mut fields = HashSet::from([i]);
        field.kind.each_graph(&mut |term| fields.extend(fields_of(reads.slots_of(term))));
        tie(&fields);
    }
    if let Some(filter) = &game.filter {
        conjuncts(filter, &mut |term| tie(&fields_of(reads.slots_of(term))));
    }
    let mut blocks: Vec<Part> = Vec::new();
    for first in (0..class.len()).filter(|f| !constants.contains(f)) {
        if (0..first).any(|f| class[f] == class[first] && !constants.contains(&f)) {
            continue;
        }
        let fields = (0..class.len()).filter(|f| class[*f] == class[first] && !constants.contains(f)).collect();
        let moves = (0..places.len()).filter(|&m| class[places[m]] == class[first]).collect();
        blocks.push(Part { fields, moves, members: None, single: false });
    }
    let alone = blocks.len() == 1;
    for block in &mut blocks {
        if let [field] = block.fields[..] {
            match members::move_alone(program, id, field, &block.moves) {
                Ok(keep) => (block.members, block.single) = (Some(field), alone && keep),
                Err(why) if alone => return Err(why),
                Err(_) => {}
            }
        } else if alone {
            return Err("a move or condition ties the fields together");
        }
    }
    if blocks.is_empty() {
        return Err("no move changes a field");
    }
    Ok(Blocks { blocks, constants })
}

fn touch(game: &Game, id: GameId, reads: &Reads<'_>, target: &Target, out: &mut Touched) -> Result<(), &'static str> {
    const ELSE: &str = "a move leads elsewhere than to one position of the same game";
    match target {
        Target::If(condition, yes, no) => {
            out.read.extend(reads.slots_of(condition));
            touch(game, id, reads, yes, out)?;
            touch(game, id, reads, no, out)
        }
        Target::Go { again: false, position, gain: None } => {
            let TermKind::Place(place) = &position.kind else { return Err(ELSE) };
            if place.game != id || !matches!(place.params, PlaceParams::Own) {
                return Err(ELSE);
            }
            for (i, field) in place.fields.iter().enumerate() {
                let Some(value) = field else { return Err("a target leaves a field to its default") };
                if !matches!(value.kind, TermKind::Slot(slot) if slot == game.params.len() + i) {
                    out.changed.insert(i);
                    out.read.extend(reads.slots_of(value));
                }
            }
            Ok(())
        }
        Target::Go { .. } | Target::Stop(_) => Err(ELSE),
    }
}

/// What must hold together, one by one.
fn conjuncts(term: &Term, f: &mut dyn FnMut(&Term)) {
    match &term.kind {
        TermKind::Logic(LogicOp::And, a, b) => {
            conjuncts(a, f);
            conjuncts(b, f);
        }
        _ => f(term),
    }
}

fn only(program: &Program, id: GameId, moves: &[usize]) -> Program {
    let mut program = program.clone();
    let game = &mut program.games[id.0];
    let all = std::mem::take(&mut game.moves);
    game.moves = all.into_iter().enumerate().filter(|(i, _)| moves.contains(i)).map(|(_, mv)| mv).collect();
    program
}

/// The value of a position of a block, other blocks standing still. `None`: a play comes back. Depth first, with a stack of its
/// own.
fn value(ctx: &mut Context, block: &mut Block, id: ComponentId, positions: &mut u64) -> Run<Option<u32>> {
    if let Some(&value) = block.values.get(&id) {
        return Ok(Some(value));
    }
    if block.single {
        // Searched whole, as fast as any other.
        let options = EngineOptions { split: Policy::Never, ..ctx.options };
        let found = ctx.with_options(options, |ctx| crate::engines::grundy::values(ctx, &[id], false, positions))?;
        return Ok(found.ok().and_then(|()| ctx.memo.nimber(id)));
    }
    let mut frames = Vec::new();
    let result = search(ctx, block, id, positions, &mut frames);
    for (id, ..) in frames {
        block.values.remove(&id);
    }
    Ok(if result? { block.values.get(&id).copied() } else { None })
}

/// Works out the value of a position of a block; `false`: a play comes back. `frames`: of each position on the stack where its
/// options begin, and which is the next.
fn search(
    ctx: &mut Context,
    block: &mut Block,
    id: ComponentId,
    positions: &mut u64,
    frames: &mut Vec<(ComponentId, usize, usize)>,
) -> Run<bool> {
    let (mut options, mut out, mut mex) = (Vec::new(), Options::default(), Mex::default());
    let mut next = Some(id);
    loop {
        if let Some(id) = next.take() {
            let over = ctx.limits.positions.is_some_and(|limit| *positions >= limit);
            if over || positions.is_multiple_of(0x400) {
                let bytes = ctx.bytes() + options.capacity() * 4 + block.values.capacity() * 9;
                ctx.check_search(*positions + u64::from(over), bytes)?;
            }
            *positions += 1;
            // Moves may change how long a list is, and so lead to another instance.
            let instance = ctx.store.instance_of[id.index()];
            let code = block.code.entry(instance).or_insert_with(|| InGame::new(ctx, &block.rules, instance).rules());
            ctx.options_by(code, id, &mut out)?;
            block.values.insert(id, OPEN);
            frames.push((id, options.len(), options.len()));
            // The rules have no targets of another kind.
            let ids = out.moves.iter().filter_map(|mv| match mv.target {
                MoveTarget::To { first, len: 1 } => Some(out.components[first as usize]),
                MoveTarget::To { .. } | MoveTarget::Stop(_) => None,
            });
            if block.members.is_none() {
                options.extend(ids);
            } else {
                let base = of_any_size(ctx, id);
                for id in ids {
                    let parts = parts(ctx, base, block, ctx.store.state_values(id).to_vec())?;
                    options.push(ComponentId::mark(width::short(parts.len())));
                    options.extend(parts);
                }
            }
        }
        let Some((id, start, at)) = frames.last_mut() else { return Ok(true) };
        if let Some(option) = options.get(*at) {
            if option.marked().is_some() {
                *at += 1;
                continue;
            }
            match block.values.get(option).copied().unwrap_or(UNKNOWN) {
                OPEN => return Ok(false),
                UNKNOWN => next = Some(*option),
                _ => *at += 1,
            }
        } else {
            let mut rest = &options[*start..];
            while let Some((&first, after)) = rest.split_first() {
                let (parts, others) = match first.marked() {
                    Some(len) => after.split_at(len as usize),
                    None => rest.split_at(1),
                };
                mex.add(parts.iter().fold(0, |sum, part| sum ^ block.values[part]));
                rest = others;
            }
            options.truncate(*start);
            block.values.insert(*id, mex.take());
            frames.pop();
        }
    }
}

/// Knows the slots that hold state, and the slots bound to what was read of it.
pub(super) struct Reads<'p> {
    program: &'p Program,
    game: &'p Game,
    slots: HashSet<Slot>,
}

impl<'p> Reads<'p> {
    /// All fields of a game hold state.
    pub(super) fn new(program: &'p Program, game: &'p Game) -> Self {
        let from = game.params.len();
        Reads { program, game, slots: (from..from + game.fields.len()).collect() }
    }

    /// Whether a term of the game may read the state: directly, through lazy slots, or in a definition written in the game.
    fn any(&self, term: &Term) -> bool {
        !self.slots_of(term).is_empty()
    }

    fn clauses(&self, clauses: &[Clause]) -> bool {
        clause_terms(clauses).any(|t| self.any(t))
    }

    /// The slots with state that a definition of the game may read.
    pub(super) fn slots_of_def(&self, def: DefId) -> HashSet<Slot> {
        let span = self.program.defs[def.0].span;
        self.slots_of(&Term::new(TermKind::Call(def, Vec::new()), Type::Bool, span))
    }

    /// The slots with state that a term may read.
    pub(super) fn slots_of(&self, term: &'_ Term) -> HashSet<Slot> {
        let mut found = HashSet::new();
        self.walk(&self.game.frame, usize::MAX, term, &mut HashSet::new(), &mut HashSet::new(), &mut found);
        found
    }

    /// `prefix`: slots below it mean the same as in the game.
    fn walk(
        &self,
        frame: &Frame,
        prefix: usize,
        term: &Term,
        lazies: &mut HashSet<Slot>,
        defs: &mut HashSet<DefId>,
        found: &mut HashSet<Slot>,
    ) {
        each_term(term, &mut |term| match &term.kind {
            TermKind::Slot(slot) => {
                if *slot < prefix && self.slots.contains(slot) {
                    found.insert(*slot);
                }
                if let Some(lazy) = &frame.slots[*slot].lazy
                    && lazies.insert(*slot)
                {
                    self.walk(frame, prefix, lazy, lazies, defs, found);
                }
            }
            TermKind::Call(id, _) => {
                let def = &self.program.defs[id.0];
                if def.owner.is_some() && defs.insert(*id) {
                    let defaults = def.params.iter().filter_map(|p| p.default.as_ref());
                    for inner in def.body.iter().chain(defaults) {
                        self.walk(&def.frame, def.prefix, inner, &mut HashSet::new(), defs, found);
                    }
                }
            }
            _ => {}
        });
    }
}
