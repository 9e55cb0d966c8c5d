//! Compounds, and sums in misere play, by what is known of each part alone: linear in the positions of the parts, where a search
//! of the whole goes through all combinations of them.
//!
//! Only where the rule of the compound is a theorem for these parts: no play of a part comes back to a position,
//! and in misere play of a sum every position of every part is tame, which is checked at each of them.
//!
//! Sources: Conway, On Numbers and Games, chapter 14 (remoteness, suspense numbers, foreclosed values); Winning Ways,
//! chapter 9; for sums in misere play the rule of hereditarily tame components (Winning Ways, chapter 13); for moves in up to
//! `k` parts Moore, A generalization of the game called Nim, 1910, and Jenkyns and Mayberry, The skeleton of an impartial
//! game and the Nim-function of Moore's games, 1980.
//!
//! Winning moves are counted, and the first of them listed, without going through all combinations of moves in the parts:
//! how many combinations lead to the same fact is added up part by part, from the last to the first.

use crate::answer::{Method, MoveList, Outcome};
use crate::engines::engine::{
    Engine, Evidence, PlanLines, Question, Reason, Solution, UseParts, Verdict, Winning, choose, internal_error,
    judge_moves,
};
use crate::engines::grundy::Mex;
use crate::engines::query::{Destination, NamedMove, Root, RootMove};
use crate::engines::score::is_scored;
use crate::engines::space::{Goal, NOTHING, Space, Steps, span};
use crate::engines::theorem::{tried, tried_within};
use crate::engines::values::NORMAL;
use crate::engines::{in_proportion, is_too_much};
use crate::memo::{Mode, PartFact as Fact, PartFacts};
use crate::store::ComponentId;
use crate::tuning::SEARCH;
use crate::value::{Compound, Halt, Run};
use crate::vm::context::Context;
use hashbrown::{HashMap, HashSet};
use num_bigint::BigUint;
use std::rc::Rc;
use std::sync::Arc;

pub(crate) struct Parts {
    mode: Mode,
    rule: Rule,
    /// In the order of the parts.
    all: Vec<Fact>,
    /// All parts but one, together, by the one; not for Moore's rule.
    others: Vec<Fact>,
    won: bool,
    positions: u64,
}

pub(crate) struct ByParts;

impl Engine for ByParts {
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

    fn plan(&self, ctx: &mut Context, question: &Question, name: &str) -> Run<PlanLines> {
        let fit = if is_scored(ctx, question.root) {
            Err("a scoring game".into())
        } else {
            match tried_within(ctx, SEARCH, |ctx| Parts::of(ctx, question.root))? {
                Some(found) => found.map(|_| ()).map_err(Reason::from),
                None => Err("the parts have many positions; tried when a search of the whole has more".into()),
            }
        };
        Ok(vec![(name.to_string(), fit.map(|()| None))])
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
            if let Some(list) = winning(self, ctx, root, most)? {
                return Ok([list, MoveList::default()]);
            }
            let verdict = &mut |ctx: &mut Context, mv: &RootMove| match mv.ends_play() {
                Some(_) => Err(internal_error()),
                None => self.verdict(ctx, root, mv).map(Some),
            };
            Ok(judge_moves(root, ctx, most, verdict)?.unwrap_or_default())
        });
        Ok(listed?.map_or(Winning::TooMany, Winning::Known))
    }
}

/// Limits are looked at after so many positions.
const EVERY: usize = 1 << 10;

struct Frame {
    id: ComponentId,
    steps: Rc<Steps>,
    /// Moves of which everything is known.
    done: usize,
}

impl Parts {
    /// What the parts of a position tell, or why they do not, for people.
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
            let Destination::To(ids) = &step.way else { return None };
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

fn together(rule: Rule, facts: &HashMap<ComponentId, Fact>, ids: &[ComponentId]) -> Option<Fact> {
    let Some((first, rest)) = ids.split_first() else { return Some(rule.nothing()) };
    let fact = |id: &ComponentId| if *id == NOTHING { Some(rule.nothing()) } else { facts.get(id).copied() };
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

fn leads_to_sums(ctx: &mut Context, id: ComponentId) -> Run<bool> {
    let steps = Space::default().steps(ctx, id)?;
    Ok(steps.steps.iter().any(|step| matches!(&step.to, Goal::Sum(sum) if sum.len() > 1)))
}

/// Works out the facts about these components and all that their moves lead to. An error: why the rule says nothing of
/// them; then this is kept for all that lead to what it is about.
fn work_out(ctx: &mut Context, rule: Rule, ids: &[ComponentId], facts: &mut PartFacts) -> Run<Result<(), Arc<str>>> {
    let mut space = Space::default();
    facts.known.entry(NOTHING).or_insert(rule.nothing());
    let mut open: HashSet<ComponentId> = HashSet::new();
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

enum Refused {
    Splits,
    /// With these Grundy values in normal and in misere play.
    Wild(u32, u32),
}

/// The fact about a component of whose moves everything is known.
fn fact_of(rule: Rule, frame: &Frame, known: &HashMap<ComponentId, Fact>) -> Result<Fact, Refused> {
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

fn unknown(frame: &mut Frame, known: &HashMap<ComponentId, Fact>) -> Option<ComponentId> {
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

/// How an outcome follows from facts about the parts; facts of several parts played together are a fact again
/// ([`Rule::both`]), but for [`Rule::Moore`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// `value`: the remoteness; the least one tells.
    Conjunctive { misere: bool },
    /// `value`: the suspense number; the greatest one tells.
    Continued { misere: bool },
    /// `value`: 1 if the next player wins in normal play; `mark`: in misere play.
    Selective { misere: bool },
    /// `mark`: the next player wins the part alone.
    ShortenedSelective { misere: bool },
    /// `value`: the foreclosed Grundy value, [`LOONY`] if a move ends the play at once.
    Diminished { misere: bool },
    /// A sum in misere play; `value`: the Grundy value of normal play; `mark`: in misere play it is the same ("firm").
    Tame,
    /// Up to so many parts; `value`: the Grundy value; `mark`: everywhere below, moves lead to smaller values only.
    Moore { most: usize, misere: bool },
}

/// The foreclosed value of a part that the next player can end at once, and win.
const LOONY: u32 = u32::MAX;

impl Rule {
    /// The rule for positions played in this way; `None` for sums in normal play.
    pub(crate) fn of(mode: Mode) -> Option<Rule> {
        let misere = mode.misere;
        Some(match mode.compound {
            None if misere => Rule::Tame,
            None => return None,
            Some(Compound::Conjunctive) => Rule::Conjunctive { misere },
            Some(Compound::Continued) => Rule::Continued { misere },
            Some(Compound::Selective) => Rule::Selective { misere },
            Some(Compound::ShortenedSelective) => Rule::ShortenedSelective { misere },
            Some(Compound::Diminished) => Rule::Diminished { misere },
            Some(Compound::AtMost(most)) => Rule::Moore { most, misere },
        })
    }

    pub(crate) fn nothing(self) -> Fact {
        match self {
            // Who cannot move wins.
            Rule::Selective { .. } | Rule::Moore { .. } => Fact { over: true, value: 0, mark: true },
            Rule::ShortenedSelective { misere } => Fact { over: true, value: 0, mark: misere },
            _ => Fact { over: true, value: 0, mark: false },
        }
    }

    /// A part whose moves lead to these, at least one. An error: the Grundy values of normal and misere play that are not
    /// those of a tame position.
    pub(crate) fn of_options(self, options: &[Fact]) -> Result<Fact, (u32, u32)> {
        let values = || options.iter().map(|option| option.value);
        let open = |value, mark| Ok(Fact { over: false, value, mark });
        match self {
            // Whoever can leave an even number hurries; who cannot delays.
            Rule::Conjunctive { misere } => open(far(values(), misere, true), false),
            Rule::Continued { misere } => open(far(values(), misere, false), false),
            Rule::Selective { .. } => {
                let (normal, misere) = (values().any(|value| value == 0), options.iter().any(|option| !option.mark));
                open(u32::from(normal), misere)
            }
            Rule::ShortenedSelective { .. } => open(0, options.iter().any(|option| !option.mark)),
            Rule::Diminished { misere: false } if options.iter().any(|option| option.over) => open(LOONY, false),
            Rule::Diminished { .. } => {
                open(mex(options.iter().filter(|o| !o.over && o.value != LOONY).map(|o| o.value)), false)
            }
            Rule::Tame => {
                let normal = mex(values());
                let misere = mex(options.iter().map(|option| in_misere(*option)));
                match (normal, misere) {
                    (0, 1) | (1, 0) => open(normal, false),
                    _ if normal == misere => open(normal, true),
                    _ => Err((normal, misere)),
                }
            }
            Rule::Moore { .. } => {
                let value = mex(values());
                open(value, options.iter().all(|option| option.mark && option.value < value))
            }
        }
    }

    /// Not for [`Rule::Moore`].
    pub(crate) fn both(self, a: Fact, b: Fact) -> Fact {
        let (over, value, mark) = match self {
            Rule::Conjunctive { .. } => (a.over || b.over, a.value.min(b.value), false),
            Rule::Continued { .. } => (a.over && b.over, a.value.max(b.value), false),
            Rule::Selective { .. } => match (a.over, b.over) {
                (true, _) => return b,
                (_, true) => return a,
                // With two parts at hand nobody is forced to leave a single one lost.
                (false, false) => (false, a.value | b.value, a.value | b.value == 1),
            },
            Rule::ShortenedSelective { misere } => {
                let over = a.over || b.over;
                (over, 0, if over { misere } else { a.mark || b.mark })
            }
            Rule::Diminished { .. } => {
                let value = if a.value == LOONY || b.value == LOONY { LOONY } else { a.value ^ b.value };
                (a.over || b.over, value, false)
            }
            Rule::Tame | Rule::Moore { .. } => (a.over && b.over, a.value ^ b.value, a.mark || b.mark),
        };
        Fact { over, value, mark }
    }

    pub(crate) fn is_won(self, parts: &[Fact]) -> Option<bool> {
        if let Rule::Moore { most, misere } = self {
            return moore(parts, most, misere);
        }
        Some(self.tells(parts.iter().fold(self.none(), |all, part| self.both(all, *part))))
    }

    /// Whether the next player wins when all parts together are this. Not for [`Rule::Moore`].
    pub(crate) fn tells(self, all: Fact) -> bool {
        match self {
            Rule::Conjunctive { misere } | Rule::Continued { misere } => (all.value % 2 == 1) != misere,
            Rule::Selective { misere: false } => all.value == 1,
            Rule::Selective { misere: true } | Rule::ShortenedSelective { .. } => all.mark,
            Rule::Diminished { misere } => {
                if all.over {
                    misere
                } else {
                    all.value != 0
                }
            }
            Rule::Tame | Rule::Moore { .. } => in_misere(all) != 0,
        }
    }

    /// No parts at all: what changes nothing when it is played together with others.
    pub(crate) fn none(self) -> Fact {
        match self {
            Rule::Conjunctive { .. } => Fact { over: false, value: u32::MAX, mark: false },
            Rule::ShortenedSelective { .. } | Rule::Diminished { .. } => Fact { over: false, value: 0, mark: false },
            _ => self.nothing(),
        }
    }
}

/// The Grundy value of a tame position in misere play.
fn in_misere(fact: Fact) -> u32 {
    if fact.mark { fact.value } else { fact.value ^ 1 }
}

/// The remoteness, or the suspense number where the winner delays (`hurry` is false): an even one is won by who moved last, an
/// odd one with `misere`.
fn far(options: impl Iterator<Item = u32> + Clone, misere: bool, hurry: bool) -> u32 {
    let good = options.clone().filter(|n| n.is_multiple_of(2) != misere);
    let far = if hurry { good.min().or_else(|| options.max()) } else { good.max().or_else(|| options.min()) };
    1 + far.unwrap_or(0)
}

fn mex(values: impl Iterator<Item = u32>) -> u32 {
    let mut mex = Mex::default();
    values.for_each(|value| mex.add(value));
    mex.take()
}

/// Moves in one to `most` parts. Up to `most + 1` parts: lost if all are 0, or all of `most + 1` are equal. More of them, where
/// values only fall, are heaps of Moore's game.
fn moore(parts: &[Fact], most: usize, misere: bool) -> Option<bool> {
    let live = || parts.iter().filter(|part| !part.over).map(|part| part.value);
    let count = live().count();
    let falling = parts.iter().all(|part| part.mark);
    if falling {
        let modulus = u64::try_from(most).ok()?.checked_add(1)?;
        if misere && live().all(|value| value == 1) {
            return Some(u64::try_from(count).ok()? % modulus != 1);
        }
        let ones = |bit: u32| live().filter(|value| value >> bit & 1 == 1).count();
        return Some((0..u32::BITS).any(|bit| u64::try_from(ones(bit)).is_ok_and(|ones| ones % modulus != 0)));
    }
    if misere || count > most.saturating_add(1) {
        return None;
    }
    let first = live().next()?;
    let equal = live().all(|value| value == first);
    Some(if count <= most { !equal || first != 0 } else { !equal })
}

/// Of the parts from one on, moved in so many of them: which facts come of it, and in how many ways.
type Ways = HashMap<Fact, BigUint>;

struct Part {
    stays: Fact,
    steps: Vec<(NamedMove, Fact)>,
}

struct CompoundMoves<'p> {
    rule: Rule,
    parts: &'p [Part],
    /// All parts with a move are moved in.
    all: bool,
    /// `ways[p][m]`: moves in `m` of the parts from `p` on.
    ways: Vec<Vec<Ways>>,
}

/// How many moves win, and the first `most` of them; `None` where combinations are to be gone through. Takes the number
/// of parts, times the number moved in, times the facts, times the different facts about the moves of one part.
fn winning(parts: &Parts, ctx: &mut Context, root: &Root, most: usize) -> Run<Option<MoveList>> {
    let Some(compound) = root.mode.compound else { return Ok(None) };
    let alike = root.class.iter().enumerate().any(|(i, class)| *class != i);
    if parts.others.is_empty() || alike {
        return Ok(None);
    }
    let mut laid = Vec::with_capacity(root.ids.len());
    for (&id, &stays) in root.ids.iter().zip(&parts.all) {
        let steps = root.steps(ctx, id)?.1;
        let Some(facts) = ctx.memo.parts.get(&root.mode) else { return Ok(None) };
        let fact = |step: NamedMove| {
            let Destination::To(ids) = &step.way else { return None };
            together(parts.rule, &facts.known, ids).map(|fact| (step, fact))
        };
        let Some(steps) = steps.into_iter().map(fact).collect() else { return Ok(None) };
        laid.push(Part { stays, steps });
    }
    let can = laid.iter().filter(|part| !part.steps.is_empty()).count();
    let Some((least, greatest)) = span(compound, can, laid.len()) else { return Ok(Some(MoveList::default())) };
    let mut compound =
        CompoundMoves { rule: parts.rule, parts: &laid, all: least == can && can == greatest, ways: Vec::new() };
    compound.count(ctx, greatest)?;
    let mut list = MoveList::default();
    for moved in least.max(1)..=greatest {
        let lost = |(fact, _): &(&Fact, &BigUint)| !parts.rule.tells(**fact);
        let ways: BigUint = compound.ways[0][moved].iter().filter(lost).map(|(_, ways)| ways).sum();
        let count = u64::try_from(ways).ok().and_then(|ways| list.count.checked_add(ways));
        let Some(count) = count else { return Ok(None) };
        list.count = count;
        for steps in compound.first(ctx, moved, most - list.listed.len())? {
            list.listed.push(root.answer(ctx, &RootMove { steps }));
        }
    }
    Ok(Some(list))
}

impl CompoundMoves<'_> {
    fn may_stay(&self, part: &Part) -> bool {
        !self.all || part.steps.is_empty()
    }

    fn count(&mut self, ctx: &mut Context, greatest: usize) -> Run<()> {
        let mut next = vec![Ways::new(); greatest + 1];
        next[0].insert(self.rule.none(), BigUint::from(1_u32));
        let mut ways = vec![next];
        for part in self.parts.iter().rev() {
            let mut moves: HashMap<Fact, u64> = HashMap::new();
            for (_, fact) in &part.steps {
                *moves.entry(*fact).or_insert(0) += 1;
            }
            let behind = &ways[ways.len() - 1];
            let mut here = vec![Ways::new(); greatest + 1];
            for (moved, facts) in behind.iter().enumerate() {
                ctx.spend(32 * (facts.len() * (1 + moves.len())) as u64 + 8)?;
                for (fact, count) in facts {
                    let mut add = |moved: usize, of: Fact, ways: u64| {
                        *here[moved].entry(self.rule.both(of, *fact)).or_default() += count * ways;
                    };
                    if self.may_stay(part) {
                        add(moved, part.stays, 1);
                    }
                    if moved < greatest {
                        moves.iter().for_each(|(to, ways)| add(moved + 1, *to, *ways));
                    }
                }
            }
            ways.push(here);
        }
        ways.reverse();
        self.ways = ways;
        Ok(())
    }

    /// The first winning moves in so many parts: earlier parts first, then earlier moves in them.
    fn first(&self, ctx: &mut Context, moved: usize, most: usize) -> Run<Vec<Vec<(usize, NamedMove)>>> {
        let mut found = Vec::new();
        // For each part gone into: what came of those before, in how many is still to be moved, and which of its moves is next.
        let mut path = vec![(self.rule.none(), moved, 0)];
        while found.len() < most {
            let at = path.len();
            let Some((before, left, next)) = path.last_mut() else { break };
            let (at, before, left, choice) = (at - 1, *before, *left, *next);
            *next += 1;
            ctx.spend(8)?;
            let Some(part) = self.parts.get(at) else {
                found.push(self.chosen(&path));
                path.pop();
                continue;
            };
            let next = match part.steps.get(choice) {
                Some((_, fact)) if left > 0 => Some((self.rule.both(before, *fact), left - 1)),
                Some(_) => continue,
                None if choice == part.steps.len() && self.may_stay(part) => {
                    Some((self.rule.both(before, part.stays), left))
                }
                None if choice <= part.steps.len() => continue,
                None => None,
            };
            match next {
                None => drop(path.pop()),
                Some((before, left)) => {
                    let behind = &self.ways[at + 1][left];
                    ctx.spend(4 * behind.len() as u64)?;
                    if behind.keys().any(|fact| !self.rule.tells(self.rule.both(before, *fact))) {
                        path.push((before, left, 0));
                    }
                }
            }
        }
        Ok(found)
    }

    fn chosen(&self, path: &[(Fact, usize, usize)]) -> Vec<(usize, NamedMove)> {
        let step = |(i, (part, (_, _, choice))): (usize, (&Part, &(Fact, usize, usize)))| {
            part.steps.get(choice - 1).map(|(step, _)| (i, step.clone()))
        };
        self.parts.iter().zip(path).enumerate().filter_map(step).collect()
    }
}
