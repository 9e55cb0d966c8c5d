//! The winning moves of a compound, counted and the first of them listed without going through all combinations of moves in its
//! parts: how many combinations lead to the same fact is added up part by part, from the last to the first.

use crate::answer::MoveList;
use crate::engines::compounds::fact::Rule;
use crate::engines::compounds::{Fact, Parts, together};
use crate::engines::query::{Goal, Root, RootMove, Step};
use crate::engines::space::span;
use crate::value::fault::Run;
use crate::vm::context::Context;
use hashbrown::HashMap;
use num_bigint::BigUint;

/// Of the parts from one on, moved in so many of them: which facts come of it, and in how many ways.
type Ways = HashMap<Fact, BigUint>;

/// A part with its moves.
struct Part {
    stays: Fact,
    steps: Vec<(Step, Fact)>,
}

struct Compound<'p> {
    rule: Rule,
    parts: &'p [Part],
    /// All parts with a move are moved in.
    all: bool,
    /// `ways[p][m]`: moves in `m` of the parts from `p` on.
    ways: Vec<Vec<Ways>>,
}

/// How many moves win, and the first `most` of them; `None` where combinations are to be gone through.
///
/// Takes the number of parts, times the number moved in, times the number of facts and of different facts about the moves of
/// one part.
pub(super) fn winning(parts: &Parts, ctx: &mut Context, root: &Root, most: usize) -> Run<Option<MoveList>> {
    let Some(compound) = root.mode.compound else { return Ok(None) };
    let alike = root.class.iter().enumerate().any(|(i, class)| *class != i);
    if parts.others.is_empty() || alike {
        return Ok(None);
    }
    let mut laid = Vec::with_capacity(root.ids.len());
    for (&id, &stays) in root.ids.iter().zip(&parts.all) {
        let steps = root.steps(ctx, id)?.1;
        let Some(facts) = ctx.memo.parts.get(&root.mode) else { return Ok(None) };
        let fact = |step: Step| {
            let Goal::To(ids) = &step.way else { return None };
            together(parts.rule, &facts.known, ids).map(|fact| (step, fact))
        };
        let Some(steps) = steps.into_iter().map(fact).collect() else { return Ok(None) };
        laid.push(Part { stays, steps });
    }
    let can = laid.iter().filter(|part| !part.steps.is_empty()).count();
    let Some((least, greatest)) = span(compound, can, laid.len()) else { return Ok(Some(MoveList::default())) };
    let mut compound =
        Compound { rule: parts.rule, parts: &laid, all: least == can && can == greatest, ways: Vec::new() };
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

impl Compound<'_> {
    /// Whether a part may be left as it is.
    fn may_stay(&self, part: &Part) -> bool {
        !self.all || part.steps.is_empty()
    }

    /// Fills in the ways.
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
    fn first(&self, ctx: &mut Context, moved: usize, most: usize) -> Run<Vec<Vec<(usize, Step)>>> {
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

    /// The moves of a path.
    fn chosen(&self, path: &[(Fact, usize, usize)]) -> Vec<(usize, Step)> {
        let step = |(i, (part, (_, _, choice))): (usize, (&Part, &(Fact, usize, usize)))| {
            part.steps.get(choice - 1).map(|(step, _)| (i, step.clone()))
        };
        self.parts.iter().zip(path).enumerate().filter_map(step).collect()
    }
}
