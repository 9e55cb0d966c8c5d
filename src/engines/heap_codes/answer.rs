//! The whole answer about a sum of heaps whose rules are codes.

use crate::answer::{Method, MoveList};
use crate::engines::components::NORMAL;
use crate::engines::engine::{Engine, Question, Reason, Solution, Verdict, Winning};
use crate::engines::heap_codes::{is_far, is_large, planned, value};
use crate::engines::lists;
use crate::engines::nimber::Nimber;
use crate::engines::query::{Goal, Root, RootMove};
use crate::engines::theorem::{confirmed, stated_remoteness, stated_solution, tried_within};
use crate::tuning;
use crate::value::fault::Run;
use crate::vm::context::Context;
use hashbrown::HashMap;

/// Values by component.
type Values = HashMap<u32, Nimber>;

fn known(ctx: &mut Context, id: u32, values: &mut Values) -> Run<Option<Nimber>> {
    if let Some(value) = values.get(&id) {
        return Ok(Some(value.clone()));
    }
    let value = value(ctx, id)?;
    if let Some(value) = &value {
        values.insert(id, value.clone());
    }
    Ok(value)
}

fn sum(ctx: &mut Context, root: &Root, values: &mut Values) -> Run<Option<Nimber>> {
    if root.mode != NORMAL || !root.ids.iter().any(|&id| is_large(ctx, id)) {
        return Ok(None);
    }
    let mut total = Nimber::ZERO;
    for &id in &root.ids {
        let Some(value) = known(ctx, id, values)? else { return Ok(None) };
        total = total.xor(&value);
    }
    Ok(Some(total))
}

/// Sums of heaps, one of them large, whose rules are codes.
pub(crate) struct HeapCodes;

impl Engine for HeapCodes {
    fn name(&self) -> &'static str {
        "heaps by their code"
    }

    fn fits(&self, ctx: &mut Context, question: &Question) -> Run<Result<(), Reason>> {
        let root = question.root;
        Ok(if !question.codes {
            Err("all is searched".into())
        } else if root.mode != NORMAL {
            Err("values add up in disjunctive sums in normal play alone".into())
        } else if !root.ids.iter().any(|&id| is_large(ctx, id)) {
            Err("there is no large heap".into())
        } else {
            Ok(())
        })
    }

    fn solve(&self, ctx: &mut Context, question: &Question) -> Run<Result<Solution, Reason>> {
        let root = question.root;
        let mut values = Values::new();
        let Some(total) = sum(ctx, root, &mut values)? else { return Ok(Err("not all are heaps with a code".into())) };
        let mut winning = Winning::Known(<[MoveList; 2]>::default());
        if let Some(choice) = question.answer.filter(|_| !total.is_zero()) {
            let listed = tried_within(ctx, tuning::HEAP_MOVES, |ctx| {
                let judge = &mut |ctx: &mut Context, mv: &RootMove| judged(ctx, root, mv, &total, &mut values);
                lists::judged(root, ctx, choice.moves, judge)
            });
            winning = match listed? {
                Some(Some([moves, _])) => Winning::Known([moves, MoveList::default()]),
                Some(None) => return Ok(Err("a move leads to what is no heap with a code".into())),
                None => Winning::TooMany,
            };
        }
        let mut solution = stated_solution(&total, Method::Components, winning);
        let Some(choice) = question.answer else { return Ok(Ok(solution)) };
        if choice.remoteness && is_far(ctx, root)? {
            solution.remoteness = stated_remoteness(ctx, root)?;
            return Ok(Ok(solution));
        }
        confirmed(ctx, root, solution, choice)
    }

    fn plan(&self, ctx: &mut Context, question: &Question) -> Run<Vec<(String, Result<(), Reason>)>> {
        let mut name = self.name().to_string();
        let fit = if question.root.mode == NORMAL {
            let codes = planned(ctx, question.root)?;
            codes.map(|codes| name = format!("{name} {}: any size once a period is proved", codes.join(", ")))
        } else {
            self.fits(ctx, question)?
        };
        Ok(vec![(name, fit)])
    }
}

/// What a move is worth by the values of the heaps that it leaves.
fn judged(ctx: &mut Context, root: &Root, mv: &RootMove, total: &Nimber, values: &mut Values) -> Run<Option<Verdict>> {
    let mut after = total.clone();
    for (i, step) in &mv.steps {
        let Goal::To(left) = &step.way else { return Ok(None) };
        for id in left.iter().chain([&root.ids[*i]]) {
            let Some(value) = known(ctx, *id, values)? else { return Ok(None) };
            after = after.xor(&value);
        }
    }
    Ok(Some(if after.is_zero() { Verdict::Wins } else { Verdict::Loses }))
}
