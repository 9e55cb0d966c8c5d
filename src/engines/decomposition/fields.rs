//! Games whose fields are independent, solved as the sum of their blocks of fields.
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

use crate::engines::decomposition::reads::Reads;
use crate::engines::grundy::Mex;
use crate::memo::{Block, OPEN, UNKNOWN};
use crate::model::kind::Kind;
use crate::model::walk::clause_terms;
use crate::model::{Game, GameId, LogicOp, PlaceParams, Program, Slot, Target, Term, TermKind};
use crate::value::fault::Run;
use crate::vm::context::Context;
use crate::vm::run::{MoveTarget, Options};
use std::collections::HashSet;

/// What the blocks of a game are.
pub(super) struct Blocks {
    /// The fields and the moves of each.
    pub(super) blocks: Vec<(Vec<usize>, Vec<usize>)>,
    /// Fields that no move changes.
    pub(super) constants: Vec<usize>,
}

/// What the target of a move changes and reads.
#[derive(Default)]
struct Touched {
    changed: HashSet<usize>,
    read: HashSet<Slot>,
}

/// The blocks of a game; or why it is no sum of several.
pub(super) fn blocks(program: &Program, id: GameId) -> Result<Blocks, &'static str> {
    let game = &program.games[id.0];
    if game.fields.len() < 2 {
        return Err("there is one field");
    }
    crate::engines::decomposition::plain_rules(game)?;
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
        of_kind(&field.kind, &mut |term| fields.extend(fields_of(reads.slots_of(term))));
        tie(&fields);
    }
    if let Some(filter) = &game.filter {
        conjuncts(filter, &mut |term| tie(&fields_of(reads.slots_of(term))));
    }
    let mut blocks: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
    for first in (0..class.len()).filter(|f| !constants.contains(f)) {
        if (0..first).any(|f| class[f] == class[first] && !constants.contains(&f)) {
            continue;
        }
        let fields = (0..class.len()).filter(|f| class[*f] == class[first] && !constants.contains(f)).collect();
        let moves = (0..places.len()).filter(|&m| class[places[m]] == class[first]).collect();
        blocks.push((fields, moves));
    }
    if blocks.len() < 2 {
        return Err("a move or condition ties the fields together");
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

/// The terms that a declared kind names.
fn of_kind(kind: &Kind, f: &mut dyn FnMut(&Term)) {
    match kind {
        Kind::Vertex(Some(term)) | Kind::Edge(Some(term)) => f(term),
        Kind::Set(of) | Kind::Bag(of) | Kind::List(of, _) => of_kind(of, f),
        Kind::Tuple(parts) => parts.iter().for_each(|part| of_kind(part, f)),
        _ => {}
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

/// The program with only these moves of a game.
pub(super) fn only(program: &Program, id: GameId, moves: &[usize]) -> Program {
    let mut program = program.clone();
    let game = &mut program.games[id.0];
    let all = std::mem::take(&mut game.moves);
    game.moves = all.into_iter().enumerate().filter(|(i, _)| moves.contains(i)).map(|(_, mv)| mv).collect();
    program
}

/// The value of a position of a block, other blocks standing still. `None`: a play comes back. Depth first, with a stack of its
/// own.
pub(super) fn value(ctx: &mut Context, block: &mut Block, id: u32, positions: &mut u64) -> Run<Option<u32>> {
    if let Some(&value) = block.values.get(&id) {
        return Ok(Some(value));
    }
    let mut frames: Vec<(u32, usize, usize)> = Vec::new();
    let mut options: Vec<u32> = Vec::new();
    let mut out = Options::default();
    let mut mex = Mex::default();
    let mut next = Some(id);
    let result = loop {
        if let Some(id) = next.take() {
            if ctx.limits.positions.is_some_and(|limit| *positions >= limit) || positions.is_multiple_of(0x400) {
                let bytes = ctx.bytes() + options.capacity() * 4 + block.values.capacity() * 9;
                let over = u64::from(ctx.limits.positions.is_some_and(|limit| *positions >= limit));
                if let Err(halt) = ctx.check_search(*positions + over, bytes) {
                    break Err(halt);
                }
            }
            *positions += 1;
            if let Err(halt) = ctx.options_by(&block.code, id, &mut out) {
                break Err(halt);
            }
            block.values.insert(id, OPEN);
            frames.push((id, options.len(), options.len()));
            for mv in &out.moves {
                match mv.target {
                    MoveTarget::To { first, len: 1 } => options.push(out.components[first as usize]),
                    // The rules have no such targets.
                    MoveTarget::To { .. } | MoveTarget::Stop(_) => {}
                }
            }
        }
        let Some((id, start, at)) = frames.last_mut() else { break Ok(Some(())) };
        if let Some(option) = options.get(*at) {
            match block.values.get(option).copied().unwrap_or(UNKNOWN) {
                OPEN => break Ok(None),
                UNKNOWN => next = Some(*option),
                _ => *at += 1,
            }
        } else {
            for option in &options[*start..] {
                mex.add(block.values[option]);
            }
            options.truncate(*start);
            block.values.insert(*id, mex.take());
            frames.pop();
        }
    };
    for (id, ..) in frames {
        block.values.remove(&id);
    }
    Ok(result?.and_then(|()| block.values.get(&id).copied()))
}
