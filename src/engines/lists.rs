//! The winning and the drawing moves of a position: judged, counted, and the first of them listed.

use crate::answer::MoveList;
use crate::engines::engine::Verdict;
use crate::engines::query::{Root, RootMove, Step};
use crate::engines::space::MOVE_WORDS;
use crate::value::fault::Run;
use crate::value::limits::Pace;
use crate::vm::context::Context;
use hashbrown::HashMap;
use std::rc::Rc;

/// What a move is worth; `None`: this cannot tell.
pub(crate) type Judges<'j> = dyn FnMut(&mut Context, &RootMove) -> Run<Option<Verdict>> + 'j;

/// How many moves of a component there are, and the first of them.
#[derive(Default)]
struct Counted {
    count: u64,
    first: Vec<Step>,
}

/// The moves that win and those that draw, as `judge` judges them: how many, and the first `most` as answers. `None` when
/// `judge` gives up. Of a sum the moves of each distinct component are judged once.
pub(crate) fn judged(
    root: &Root,
    ctx: &mut Context,
    most: usize,
    judge: &mut Judges<'_>,
) -> Run<Option<[MoveList; 2]>> {
    let mut lists = [MoveList::default(), MoveList::default()];
    let mut pace = Pace::default();
    if root.mode.compound.is_some() {
        for mv in root.moves(ctx)? {
            pace.spend(&ctx.limits, MOVE_WORDS + root.ids.len())?;
            let Some(verdict) = judge(ctx, &mv)? else { return Ok(None) };
            let Some(list) = of(&mut lists, verdict) else { continue };
            list.count += 1;
            if list.listed.len() < most {
                list.listed.push(root.answer(ctx, &mv));
            }
        }
        return Ok(Some(lists));
    }
    if root.ended(ctx)?.is_some() {
        return Ok(Some(lists));
    }
    let mut known: HashMap<u32, Rc<[Counted; 2]>> = HashMap::new();
    for (i, &id) in root.ids.iter().enumerate().filter(|(i, _)| root.class[*i] == *i) {
        pace.spend(&ctx.limits, MOVE_WORDS)?;
        let both = match known.get(&id) {
            Some(both) => both.clone(),
            None => match component(root, ctx, i, most, judge)? {
                Some(both) => known.entry(id).or_insert(Rc::new(both)).clone(),
                None => return Ok(None),
            },
        };
        for (list, counted) in lists.iter_mut().zip(both.iter()) {
            list.count += counted.count;
            for step in counted.first.iter().take(most - list.listed.len()) {
                pace.spend(&ctx.limits, MOVE_WORDS + root.ids.len())?;
                list.listed.push(root.answer(ctx, &RootMove { steps: vec![(i, step.clone())] }));
            }
        }
    }
    Ok(Some(lists))
}

/// The moves of one component that win and those that draw.
fn component(
    root: &Root,
    ctx: &mut Context,
    i: usize,
    most: usize,
    judge: &mut Judges<'_>,
) -> Run<Option<[Counted; 2]>> {
    let mut both = [Counted::default(), Counted::default()];
    let mut pace = Pace::default();
    for step in root.steps(ctx, root.ids[i])?.1 {
        pace.spend(&ctx.limits, MOVE_WORDS + root.ids.len())?;
        let mut mv = RootMove { steps: vec![(i, step)] };
        let Some(verdict) = judge(ctx, &mv)? else { return Ok(None) };
        let Some(counted) = of(&mut both, verdict) else { continue };
        counted.count += 1;
        if counted.first.len() < most {
            counted.first.extend(mv.steps.pop().map(|(_, step)| step));
        }
    }
    Ok(Some(both))
}

/// Which of the two lists a move belongs to.
fn of<T>(lists: &mut [T; 2], verdict: Verdict) -> Option<&mut T> {
    match verdict {
        Verdict::Wins => lists.first_mut(),
        Verdict::Draws => lists.last_mut(),
        Verdict::Loses => None,
    }
}
