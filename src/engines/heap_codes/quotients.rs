//! Sums of heaps in misere play by their misere quotient: the product of the heaps' elements says who wins, however many there are.
//!
//! The quotient is made once for a code, as far as the heaps at hand ask for it, and proved for all sums of these heaps
//! ([`grundy_heap::misere`]); where its period is proved, for heaps of any size.

use crate::answer::{Method, MoveList, Outcome};
use crate::engines::engine::{
    Engine, Evidence, Question, Reason, Solution, Verdict, Winning, choose, internal_error, judge_counted,
};
use crate::engines::heap_codes::{code_of_moves, counted_heap, counted_moves, is_large, size};
use crate::engines::in_proportion;
use crate::engines::query::{Destination, Root, RootMove};
use crate::engines::theorem::tried_within;
use crate::memo::MisereHeaps;
use crate::store::ComponentId;
use crate::tuning;
use crate::value::Run;
use crate::value::limits::Pace;
use crate::vm::context::{Context, Policy};
use grundy_heap::Halt;
use grundy_heap::game::Game;
use grundy_heap::misere::monoid::Element;
use grundy_heap::misere::period::{Period, proved, window};
use grundy_heap::misere::quotient::Stop;
use grundy_heap::moves::Kinds;
use num_integer::Integer;
use std::sync::Arc;

pub(crate) struct MisereQuotients;

impl Engine for MisereQuotients {
    fn fits(&self, ctx: &mut Context, question: &Question) -> Run<Result<(), Reason>> {
        let mode = question.root.mode;
        Ok(if !question.codes || ctx.options.heaps == Policy::Never {
            Err("all is searched".into())
        } else if !mode.misere || mode.compound.is_some() {
            Err("no sum in misere play".into())
        } else if question.root.ids.iter().any(|&id| size(ctx, id).is_none()) {
            Err("a component has not exactly one field, a natural number".into())
        } else if let [id] = question.root.ids[..]
            && !is_large(ctx, id)
        {
            Err("a single heap that is quickly searched".into())
        } else {
            Ok(())
        })
    }

    /// What a search says where it is not too much: that knows more. Else what the quotient says.
    fn solve(&self, ctx: &mut Context, question: &Question) -> Run<Result<Solution, Reason>> {
        let root = question.root;
        let game = match one_code(ctx, root)? {
            Ok(game) => game,
            Err(why) => return Ok(Err(why)),
        };
        let (mut beans, mut largest) = (0_i128, 0);
        for &id in &root.ids {
            let heap = sized(ctx, id);
            (beans, largest) = (beans + heap, largest.max(heap));
        }
        if ctx.options.heaps == Policy::Large && beans <= tuning::MISERE_BEANS {
            let search = Question { codes: false, ..*question };
            let trial = in_proportion(ctx, root, tuning::SEARCH);
            if let Some(found) = tried_within(ctx, trial, |ctx| choose(ctx, &search))? {
                return Ok(Ok(found));
            }
        }
        if window(&game, 1, 1).is_none() && largest > tuning::MISERE_ENDLESS {
            return Ok(Err(format!("no theorem proves a period of {game}, and a heap is large").into()));
        }
        let Some(products) = Products::new(ctx, game, root)? else {
            return Ok(Err("no misere quotient of these heaps was found".into()));
        };
        let outcome = if products.is_lost(ctx, products.all) { Outcome::Second } else { Outcome::First };
        let winning = match question.answer {
            _ if outcome == Outcome::Second => Winning::Known(<[MoveList; 2]>::default()),
            Some(choice) => {
                let judge = &mut |ctx: &mut Context, mv: &RootMove| products.verdict(ctx, mv);
                let counts = &mut |ctx: &mut Context, i: usize| products.count(ctx, root, i);
                let listed =
                    tried_within(ctx, tuning::HEAP_MOVES, |ctx| judge_counted(root, ctx, choice.moves, judge, counts));
                match listed? {
                    Some(Some([moves, _])) => Winning::Known([moves, MoveList::default()]),
                    Some(None) => return Ok(Err("a move leads to a heap that is not in the quotient".into())),
                    None => Winning::TooMany,
                }
            }
            None => Winning::Judged,
        };
        let evidence = ByProducts { products, winning };
        let mut solution = Solution::new(outcome, Method::Components, 0, evidence);
        solution.no_value = Some("it is played in misere".to_string());
        solution.search_remoteness = false;
        Ok(Ok(solution))
    }
}

/// The one code that the rules of all components are.
fn one_code(ctx: &mut Context, root: &Root) -> Run<Result<Arc<Game>, Reason>> {
    let mut found: Option<Arc<Game>> = None;
    for &id in &root.ids {
        match (code_of_moves(ctx, id)?, &found) {
            (Err(why), _) => return Ok(Err(why.into())),
            (Ok(game), Some(other)) if game != *other => return Ok(Err("the heaps are of different codes".into())),
            (Ok(game), _) => found = Some(game),
        }
    }
    Ok(found.ok_or_else(|| "there are no components".into()))
}

/// The size of a heap, or 2^64 where that is less.
fn sized(ctx: &Context, id: ComponentId) -> i128 {
    let size = size(ctx, id).and_then(|size| i128::try_from(size.to_big().ok()?.into_owned()).ok());
    size.unwrap_or(i128::MAX).min(1 << 64)
}

/// The element of a heap; `None`: no quotient has it, or none that fits into the memory. Fails when the time is up.
fn element(ctx: &mut Context, game: &Arc<Game>, id: ComponentId) -> Run<Option<Element>> {
    let Some(heap) = size(ctx, id).and_then(|size| size.to_big().ok().map(std::borrow::Cow::into_owned)) else {
        return Ok(None);
    };
    let held = ctx.bytes();
    let mut heaps =
        ctx.memo.quotients.remove(game).unwrap_or_else(|| MisereHeaps::new((**game).clone(), tuning::MISERE_BOUNDS));
    let mut late = None;
    let found = loop {
        let images = heaps.quotient.images();
        if let Some(image) = usize::try_from(&heap).ok().and_then(|heap| images.get(heap)) {
            break Some(*image);
        }
        if let Some(period) = heaps.period {
            let place = (&heap - period.start).mod_floor(&period.length.into()) + period.start;
            break usize::try_from(place).ok().and_then(|place| images.get(place)).copied();
        }
        if heaps.ended || images.len() > tuning::MISERE_HEAPS {
            break None;
        }
        let mut look = |bytes: usize| {
            late = ctx.limits.check_clock().err();
            let fits = late.is_none() && ctx.limits.check_memory(held.saturating_add(bytes)).is_ok();
            if fits { Ok(()) } else { Err(Halt::Stopped) }
        };
        match look(0).map_err(Stop::from).and_then(|()| heaps.quotient.add(&mut heaps.bounds, &mut look)) {
            Ok(()) => heaps.period = proved(game, heaps.quotient.images()),
            Err(Stop::Halted(_)) if late.is_some() => break None,
            Err(Stop::Halted(_) | Stop::NotFound) => heaps.ended = true,
        }
    };
    ctx.memo.quotients.insert(game.clone(), heaps);
    late.map_or(Ok(found), |fault| Err(fault.into()))
}

/// The elements of a sum's heaps.
struct Products {
    game: Arc<Game>,
    all: Element,
    /// All heaps but one, by the one.
    others: Vec<Element>,
}

impl Products {
    fn new(ctx: &mut Context, game: Arc<Game>, root: &Root) -> Run<Option<Products>> {
        let mut images = Vec::with_capacity(root.ids.len());
        for &id in &root.ids {
            let Some(image) = element(ctx, &game, id)? else { return Ok(None) };
            images.push(image);
        }
        let monoid = ctx.memo.quotients[&game].quotient.monoid();
        let mut others = Vec::with_capacity(images.len());
        let mut before = 0;
        for &image in &images {
            others.push(before);
            before = monoid.times(before, image);
        }
        let mut behind = 0;
        for (other, &image) in others.iter_mut().zip(&images).rev() {
            *other = monoid.times(*other, behind);
            behind = monoid.times(behind, image);
        }
        Ok(Some(Products { all: before, others, game }))
    }

    fn is_lost(&self, ctx: &Context, element: Element) -> bool {
        ctx.memo.quotients[&self.game].quotient.monoid().is_lost(element)
    }

    /// How many moves of a large heap win, where that is known without looking at each.
    fn count(&self, ctx: &mut Context, root: &Root, i: usize) -> Run<Option<u64>> {
        let Some(heap) = counted_heap(ctx, root.ids[i]) else { return Ok(None) };
        let Some(moves) = counted_moves(ctx, root.ids[i])? else { return Ok(None) };
        let heaps = &ctx.memo.quotients[&self.game];
        let Some(Period { start, length }) = heaps.period else { return Ok(None) };
        let kinds = Kinds { kinds: heaps.quotient.images(), start, length };
        Pace::default().spend(&ctx.limits, moves.len() * 2 * (start + length))?;
        let monoid = heaps.quotient.monoid();
        let wins = |left: Element| monoid.is_lost(monoid.times(self.others[i], left));
        let mut counts = moves.iter().map(|moves| moves.count(heap, kinds, wins, |a, b| wins(monoid.times(a, b))));
        Ok(counts.try_fold(0_u64, |all, count| all.checked_add(count?)))
    }

    /// What a move is worth; `None`: it leads to a heap that has no element.
    fn verdict(&self, ctx: &mut Context, mv: &RootMove) -> Run<Option<Verdict>> {
        let [(at, step)] = &mv.steps[..] else { return Ok(None) };
        let Destination::To(ids) = &step.way else { return Ok(None) };
        if step.again || step.gain.is_some() {
            return Ok(None);
        }
        let mut product = self.others[*at];
        for &id in ids {
            let Some(image) = element(ctx, &self.game, id)? else { return Ok(None) };
            product = ctx.memo.quotients[&self.game].quotient.monoid().times(product, image);
        }
        Ok(Some(if self.is_lost(ctx, product) { Verdict::Wins } else { Verdict::Loses }))
    }
}

struct ByProducts {
    products: Products,
    winning: Winning,
}

impl Evidence for ByProducts {
    fn verdict(&self, ctx: &mut Context, _: &Root, mv: &RootMove) -> Run<Verdict> {
        self.products.verdict(ctx, mv)?.ok_or_else(internal_error)
    }

    fn winning(&self, _: &mut Context, _: &Root, _most: usize) -> Run<Winning> {
        Ok(self.winning.clone())
    }
}
