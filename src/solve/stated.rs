//! The winning moves that `theorem winning` lines state (rule 34): each is held against the rules by itself, the others are
//! never tried.

use super::root::{Root, RootMove, Step};
use crate::answer::MoveList;
use crate::check::model::TheoremSays;
use crate::rules::fault::Run;
use crate::rules::limits::Pace;
use crate::rules::machine::Machine;
use crate::rules::run::{Options, Status};
use crate::rules::value::Value;

/// Moves of a single component.
#[derive(Default)]
pub(super) struct Stated {
    /// How many.
    pub(super) count: u64,
    /// The first of them.
    pub(super) first: Vec<RootMove>,
}

impl Stated {
    /// The same as answers, `most` of them listed.
    pub(super) fn answers(&self, root: &Root, machine: &Machine, most: usize) -> MoveList {
        let listed = self.first.iter().take(most).map(|mv| root.answer(machine, mv)).collect();
        MoveList { count: self.count, listed }
    }
}

/// The moves that exist among those that the lines state for a single component, `most` of them in full; `None` when there
/// are no such lines.
///
/// The cost is that of the lines and of the conditions of each stated move; where moves are looked at by trying all of them,
/// that of all moves.
pub(super) fn moves(machine: &mut Machine, root: &Root, most: usize) -> Run<Option<Stated>> {
    let [id] = root.ids[..] else { return Ok(None) };
    let program = machine.program.clone();
    let mut lines: Vec<(&str, Vec<Vec<Value>>)> = Vec::new();
    for theorem in &program.games[machine.game_of(id).0].theorems {
        if let TheoremSays::Winning { name, clauses, slots } = &theorem.says {
            let ways = machine.ways_at(id, clauses, slots)?;
            match lines.iter_mut().find(|(known, _)| known == name) {
                Some((_, all)) => all.extend(ways),
                None => lines.push((name, ways)),
            }
        }
    }
    if lines.is_empty() {
        return Ok(None);
    }
    for (_, ways) in &mut lines {
        if !ways.is_sorted_by(|a, b| a < b) {
            ways.sort_unstable();
            ways.dedup();
        }
    }
    if machine.status(id)? != Status::Open {
        return Ok(Some(Stated::default()));
    }
    match one_by_one(machine, id, &lines, most)? {
        Some(stated) => Ok(Some(stated)),
        None => among_all(machine, root, id, &lines).map(Some),
    }
}

/// Looks at each stated move alone; `None` when the binders of some line cannot be given.
fn one_by_one(machine: &mut Machine, id: u32, lines: &[(&str, Vec<Vec<Value>>)], most: usize) -> Run<Option<Stated>> {
    let program = machine.program.clone();
    let game = &program.games[machine.game_of(id).0];
    let mut stated = Stated::default();
    let mut pace = Pace::default();
    let mut names: Vec<&str> = Vec::new();
    for mv in &game.moves {
        if names.contains(&mv.name.as_str()) {
            continue;
        }
        names.push(&mv.name);
        let Some((_, ways)) = lines.iter().find(|(name, _)| *name == mv.name) else { continue };
        let same: Vec<usize> = (0..game.moves.len()).filter(|&i| game.moves[i].name == mv.name).collect();
        // Lines of one name may lead to the same position, and what is legal only positions tell.
        let in_full = same.len() > 1 || !game.legal.is_empty();
        for binders in ways {
            pace.spend(&machine.limits, 16)?;
            if stated.first.len() >= most && !in_full {
                match machine.has_given(id, same[0], binders)? {
                    Some(has) => stated.count += u64::from(has),
                    None => return Ok(None),
                }
                continue;
            }
            let mut outs = Vec::with_capacity(same.len());
            for &index in &same {
                let mut out = Options::named();
                if !machine.option_given(id, index, binders, &mut out)? {
                    return Ok(None);
                }
                outs.push(out);
            }
            let steps = Root::distinct(machine, id, outs)?;
            stated.count += steps.len() as u64;
            let room = most.saturating_sub(stated.first.len());
            stated.first.extend(steps.into_iter().take(room).map(|step| RootMove { steps: vec![(0, step)] }));
        }
    }
    Ok(Some(stated))
}

/// Finds the stated moves among all moves.
fn among_all(machine: &mut Machine, root: &Root, id: u32, lines: &[(&str, Vec<Vec<Value>>)]) -> Run<Stated> {
    let program = machine.program.clone();
    let game = &program.games[machine.game_of(id).0];
    let is_stated = |step: &Step| {
        let name = &game.moves[step.index].name;
        lines.iter().any(|(stated, ways)| stated == name && ways.binary_search(&step.binders).is_ok())
    };
    let (_, steps) = root.steps(machine, id)?;
    let first: Vec<RootMove> =
        steps.into_iter().filter(is_stated).map(|step| RootMove { steps: vec![(0, step)] }).collect();
    Ok(Stated { count: first.len() as u64, first })
}
