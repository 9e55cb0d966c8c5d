//! Compounds, and sums in misere play, by what is known of each part alone: linear in the positions of the parts, where a search
//! of the whole goes through all combinations of them.
//!
//! Only where the rule of the compound is a theorem for these parts ([`fact`]): no play of a part comes back to a position,
//! and in misere play of a sum every position of every part is tame, which is checked at each of them.

mod fact;
mod winning;

use crate::answer::{Method, MoveList, Outcome};
use crate::engines::components::NORMAL;
use crate::engines::compounds::fact::Rule;
use crate::engines::engine::{
    Engine, Evidence, Question, Reason, Solution, UseParts, Verdict, Winning, choose, internal_error,
};
use crate::engines::query;
use crate::engines::query::{Root, RootMove};
use crate::engines::score::is_scored;
use crate::engines::space::{Goal, NOTHING, Space, Steps};
use crate::engines::theorem::{tried, tried_within};
use crate::engines::{in_proportion, is_too_much, lists};
use crate::memo::{Mode, PartFact as Fact, PartFacts};
use crate::tuning::SEARCH;
use crate::value::fault::{Halt, Run};
use crate::vm::context::Context;
use hashbrown::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// What is known of the parts of a position.
pub(crate) struct Parts {
    mode: Mode,
    rule: Rule,
    /// Of the parts in order.
    all: Vec<Fact>,
    /// All parts but one, together, by the one; not for Moore's rule.
    others: Vec<Fact>,
    won: bool,
    positions: u64,
}

/// Compounds, and sums in misere play, by their parts.
pub(crate) struct ByParts;

impl Engine for ByParts {
    fn name(&self) -> &'static str {
        "parts of a compound, or of a sum in misere play"
    }

    fn fits(&self, ctx: &mut Context, question: &Question) -> Run<Result<(), Reason>> {
        Ok(if !ctx.options.parts || question.parts == UseParts::Never {
            Err("all is searched".into())
        } else if question.root.mode == NORMAL {
            Err("a sum in normal play".into())
        } else {
            Ok(())
        })
    }

    /// What the parts tell where a search of the whole is too much, and what the search says where it is not: that knows more.
    fn solve(&self, ctx: &mut Context, question: &Question) -> Run<Result<Solution, Reason>> {
        let root = question.root;
        let quick = match tried_within(ctx, SEARCH, |ctx| Parts::solution(ctx, root))? {
            Some(Err(why)) => return Ok(Err(why.into())),
            Some(Ok(solution)) if question.parts == UseParts::First => return Ok(Ok(solution)),
            quick => quick.and_then(Result::ok),
        };
        let trial = in_proportion(ctx, root, SEARCH);
        let search = Question { answer: None, parts: UseParts::Never, ..*question };
        if let Some(found) = tried_within(ctx, trial, |ctx| choose(ctx, &search))? {
            return Ok(Ok(found));
        }
        if let Some(solution) = quick {
            return Ok(Ok(solution));
        }
        match Parts::solution(ctx, root) {
            Err(halt) if is_too_much(&halt) && !ctx.limits_reached() => Ok(Err("the parts have many positions".into())),
            other => Ok(other?.map_err(Reason::from)),
        }
    }

    fn plan(&self, ctx: &mut Context, question: &Question) -> Run<Vec<(String, Result<(), Reason>)>> {
        let fit = if is_scored(ctx, question.root) {
            Err("a scoring game".into())
        } else {
            match tried_within(ctx, SEARCH, |ctx| Parts::of(ctx, question.root))? {
                Some(found) => found.map(|_| ()).map_err(Reason::from),
                None => Err("the parts have many positions; tried when a search of the whole has more".into()),
            }
        };
        Ok(vec![(self.name().to_string(), fit)])
    }
}

impl Evidence for Parts {
    fn verdict(&self, ctx: &mut Context, _: &Root, mv: &RootMove) -> Run<Verdict> {
        let wins = self.wins(ctx, mv).ok_or_else(internal_error)?;
        Ok(if wins { Verdict::Wins } else { Verdict::Loses })
    }

    /// Within a trial: a compound may have more moves than anyone can look at.
    fn winning(&self, ctx: &mut Context, root: &Root, most: usize) -> Run<Winning> {
        let listed = tried(ctx, |ctx| {
            if let Some(list) = winning::winning(self, ctx, root, most)? {
                return Ok([list, MoveList::default()]);
            }
            let verdict = &mut |ctx: &mut Context, mv: &RootMove| match mv.ends_play() {
                Some(_) => Err(internal_error()),
                None => self.verdict(ctx, root, mv).map(Some),
            };
            Ok(lists::judged(root, ctx, most, verdict)?.unwrap_or_default())
        });
        Ok(listed?.map_or(Winning::TooMany, Winning::Known))
    }
}

/// Limits are looked at after so many positions.
const EVERY: usize = 1 << 10;

/// A part whose moves are gone through.
struct Frame {
    id: u32,
    steps: Rc<Steps>,
    /// Moves of which everything is known.
    done: usize,
}

impl Parts {
    /// What the parts of a position tell, or why they do not: the reason is for people.
    pub(crate) fn of(ctx: &mut Context, root: &Root) -> Run<Result<Parts, String>> {
        let Some(rule) = Rule::of(root.mode) else { return Ok(Err("a sum in normal play".to_string())) };
        if root.ids.is_empty() {
            return Ok(Err("there are no parts".to_string()));
        }
        if matches!(rule, Rule::Moore { most: 0, .. }) {
            return Ok(Err("moves in no part".to_string()));
        }
        if let (None, [id]) = (root.mode.compound, &root.ids[..])
            && !leads_to_sums(ctx, *id)?
        {
            return Ok(Err("one component".to_string()));
        }
        let mut facts = ctx.memo.parts.remove(&root.mode).unwrap_or_default();
        let before = facts.known.len();
        let worked = work_out(ctx, rule, &root.ids, &mut facts);
        let positions = (facts.known.len() - before) as u64;
        let all: Vec<Fact> = root.ids.iter().filter_map(|id| facts.known.get(id).copied()).collect();
        ctx.memo.parts.insert(root.mode, facts);
        match worked {
            Ok(Ok(())) => {}
            Ok(Err(why)) => return Ok(Err(why.to_string())),
            // No play of the whole need come to the position where the rules fail.
            Err(halt) if is_of_rules(&halt) => return Ok(Err("the rules fail at a position of a part".to_string())),
            Err(halt) => return Err(halt),
        }
        Ok(match rule.is_won(&all) {
            Some(won) if all.len() == root.ids.len() => {
                Ok(Parts { mode: root.mode, rule, others: others(rule, &all), all, won, positions })
            }
            _ => {
                Err("more parts than one more than may be moved in, and a move in one can raise its value".to_string())
            }
        })
    }

    /// The solution of a position that its parts tell, or why they do not.
    fn solution(ctx: &mut Context, root: &Root) -> Run<Result<Solution, String>> {
        let parts = match Parts::of(ctx, root)? {
            Ok(parts) => parts,
            Err(why) => return Ok(Err(why)),
        };
        let outcome = if parts.won { Outcome::First } else { Outcome::Second };
        let (remoteness, positions) = (parts.remoteness(), parts.positions);
        let mut solution = Solution::new(outcome, Method::Components, positions, parts).with_remoteness(remoteness);
        let why = if root.mode.misere { "it is played in misere" } else { "the search for the value is too large" };
        solution.no_value = Some(why.to_string());
        solution.search_remoteness = false;
        Ok(Ok(solution))
    }

    /// The number of moves with the winner in a hurry, where the rule tells it.
    fn remoteness(&self) -> Option<u64> {
        let least = self.all.iter().map(|part| part.value).min()?;
        matches!(self.rule, Rule::Conjunctive { .. }).then_some(least.into())
    }

    /// Whether a move of the position wins; `None`: the rule does not tell.
    pub(crate) fn wins(&self, ctx: &Context, mv: &RootMove) -> Option<bool> {
        let facts = &ctx.memo.parts.get(&self.mode)?.known;
        let mut changed = Vec::with_capacity(mv.steps.len());
        for (i, step) in &mv.steps {
            let query::Goal::To(ids) = &step.way else { return None };
            changed.push((*i, together(self.rule, facts, ids)?));
        }
        if let ([(i, fact)], false) = (&changed[..], self.others.is_empty()) {
            return Some(!self.rule.tells(self.rule.both(self.others[*i], *fact)));
        }
        let mut all = self.all.clone();
        for (i, fact) in changed {
            all[i] = fact;
        }
        self.rule.is_won(&all).map(|won| !won)
    }
}

/// Components that a move leads to, as one fact.
fn together(rule: Rule, facts: &HashMap<u32, Fact>, ids: &[u32]) -> Option<Fact> {
    let Some((first, rest)) = ids.split_first() else { return Some(rule.nothing()) };
    let fact = |id: &u32| if *id == NOTHING { Some(rule.nothing()) } else { facts.get(id).copied() };
    rest.iter().try_fold(fact(first)?, |all, id| Some(rule.both(all, fact(id)?)))
}

/// For each part all others together, by what stands before it and what behind.
fn others(rule: Rule, all: &[Fact]) -> Vec<Fact> {
    if matches!(rule, Rule::Moore { .. }) {
        return Vec::new();
    }
    let mut behind = vec![rule.none(); all.len()];
    for i in (1..all.len()).rev() {
        behind[i - 1] = rule.both(all[i], behind[i]);
    }
    let mut before = rule.none();
    for (part, behind) in all.iter().zip(&mut behind) {
        *behind = rule.both(before, *behind);
        before = rule.both(before, *part);
    }
    behind
}

/// Whether this is an error of the rules, and no limit and nothing to be mended by another form of the state.
fn is_of_rules(halt: &Halt) -> bool {
    matches!(halt, Halt::Fault(_) | Halt::Error(_)) && !is_too_much(halt)
}

/// Whether a move of a component leads to several.
fn leads_to_sums(ctx: &mut Context, id: u32) -> Run<bool> {
    let steps = Space::default().steps(ctx, id)?;
    Ok(steps.steps.iter().any(|step| matches!(&step.to, Goal::Sum(sum) if sum.len() > 1)))
}

/// Works out the facts about these components and all that their moves lead to. An error: why the rule says nothing of them; then
/// this is kept for all that lead to what it is about.
fn work_out(ctx: &mut Context, rule: Rule, ids: &[u32], facts: &mut PartFacts) -> Run<Result<(), Arc<str>>> {
    let mut space = Space::default();
    facts.known.entry(NOTHING).or_insert(rule.nothing());
    let mut open: HashSet<u32> = HashSet::new();
    let mut stack: Vec<Frame> = Vec::new();
    for &id in ids {
        let mut next = (!facts.known.contains_key(&id)).then_some(id);
        loop {
            let refused = if let Some(id) = next.take() {
                if (facts.known.len() + open.len()).is_multiple_of(EVERY) {
                    let bytes = facts.bytes() + 32 * open.capacity() + space.bytes();
                    ctx.check_search(facts.known.len() as u64, ctx.bytes() + bytes)?;
                }
                if let Some(why) = facts.refused.get(&id) {
                    Some(why.clone())
                } else if open.insert(id) {
                    stack.push(Frame { id, steps: space.steps(ctx, id)?, done: 0 });
                    space.met.forbids_grundy().map(Arc::from)
                } else {
                    Some("a play of a part can come back to a position".into())
                }
            } else {
                let Some(frame) = stack.last_mut() else { break };
                next = unknown(frame, &facts.known);
                if next.is_some() {
                    continue;
                }
                let refused = match fact_of(rule, frame, &facts.known) {
                    Ok(fact) => {
                        facts.known.insert(frame.id, fact);
                        None
                    }
                    Err(Refused::Splits) => Some("a part can become several".into()),
                    Err(Refused::Wild(normal, misere)) => {
                        let part = ctx.component_text(&ctx.store.component_value(frame.id));
                        let values = format!("its Grundy value is {normal}, in misere play {misere}");
                        Some(format!("{part} is not tame: {values}").into())
                    }
                };
                if refused.is_none() {
                    open.remove(&frame.id);
                    stack.pop();
                }
                refused
            };
            if let Some(why) = refused {
                facts.refused.extend(open.drain().map(|id| (id, why.clone())));
                return Ok(Err(why));
            }
        }
    }
    Ok(Ok(()))
}

/// Why a rule says nothing about a part.
enum Refused {
    Splits,
    /// With these Grundy values in normal and in misere play.
    Wild(u32, u32),
}

/// The fact about a component of whose moves everything is known.
fn fact_of(rule: Rule, frame: &Frame, known: &HashMap<u32, Fact>) -> Result<Fact, Refused> {
    let mut options = Vec::with_capacity(frame.steps.steps.len());
    for step in &frame.steps.steps {
        let Goal::Sum(sum) = &step.to else { continue };
        if matches!(rule, Rule::Moore { .. }) && sum.len() > 1 {
            return Err(Refused::Splits);
        }
        options.extend(together(rule, known, sum));
    }
    if options.is_empty() {
        return Ok(rule.nothing());
    }
    rule.of_options(&options).map_err(|(normal, misere)| Refused::Wild(normal, misere))
}

/// The next component that a move leads to and of which nothing is known.
fn unknown(frame: &mut Frame, known: &HashMap<u32, Fact>) -> Option<u32> {
    while let Some(step) = frame.steps.steps.get(frame.done) {
        if let Goal::Sum(sum) = &step.to
            && let Some(id) = sum.iter().find(|id| !known.contains_key(*id))
        {
            return Some(*id);
        }
        frame.done += 1;
    }
    None
}
