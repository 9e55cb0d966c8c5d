//! The moves of a heap: every way through their clauses, and the heaps that they leave.

use crate::engines::heap_codes::domain::{Domain, member, runs};
use crate::engines::heap_codes::read::{No, Reader, Sym, Way, known, no};
use crate::model::kind::Kind;
use crate::model::{Clause, Ending, Pattern, Target};
use crate::value::Value;
use grundy_automata::{Formula, Linear};
use num_traits::{One, Signed, ToPrimitive};

/// More ways than this are not followed.
pub(super) const MOST_WAYS: usize = 512;
/// Collections of so many members are gone through one by one where that helps.
const SPELLED: u64 = 64;

/// Moves of one line: what holds, and the sizes of the heaps that are left, some of them perhaps 0.
pub(super) struct Leaves<'p> {
    pub(super) way: Way<'p>,
    pub(super) parts: Vec<Linear>,
}

impl<'p> Reader<'_, 'p> {
    /// All moves of a heap.
    pub(super) fn moves(&mut self) -> Result<Vec<Leaves<'p>>, No> {
        let game = self.game;
        if game.misere {
            return no("a misere game");
        }
        if !game.legal.is_empty() || !game.same.is_empty() || !game.asks.is_empty() {
            return no("`legal when`, `same as`, or a rule that asks about another game");
        }
        let [field] = &game.fields[..] else { return no("there is not exactly one field") };
        if !matches!(field.kind, Kind::Nat) {
            return no("the field is no natural number");
        }
        let mut start = self.start();
        if let Some(filter) = &game.filter
            && !matches!(self.truth(filter, &mut start)?, Formula::Constant(true))
        {
            return no("the header's `where` restricts the heaps");
        }
        for end in &game.ends {
            if !matches!(end.verdict, Ending::Over) {
                return no("an `end when` that ends the whole play");
            }
            let over = self.truth(&end.when, &mut start)?;
            start.holds.push(over.not());
        }
        let mut all = Vec::new();
        for mv in &game.moves {
            for mut way in self.clauses(&mv.clauses, start.clone())? {
                self.target(&mv.target, &mut way, &mut all)?;
            }
            if all.len() > MOST_WAYS {
                return no(format!("there are more than {MOST_WAYS} ways to move"));
            }
        }
        Ok(all)
    }

    /// Every way through clauses.
    fn clauses(&mut self, clauses: &'p [Clause], start: Way<'p>) -> Result<Vec<Way<'p>>, No> {
        let mut ways = vec![start];
        for clause in clauses {
            let mut next = Vec::new();
            for mut way in ways {
                match clause {
                    Clause::Where(condition) => {
                        let holds = self.truth(condition, &mut way)?;
                        if !matches!(holds, Formula::Constant(false)) {
                            way.holds.push(holds);
                            next.push(way);
                        }
                    }
                    Clause::Let { pattern, value } => {
                        let value = self.eval(value, &mut way)?;
                        bind(&mut way, pattern, value)?;
                        next.push(way);
                    }
                    Clause::In { pattern, source, .. } => match self.eval(source, &mut way)? {
                        Sym::Domain(domain) => self.each(&domain, pattern, &way, &mut next)?,
                        _ => return no("a binder that does not run through numbers"),
                    },
                }
                if next.len() > MOST_WAYS {
                    return no(format!("there are more than {MOST_WAYS} ways to move"));
                }
            }
            ways = next;
        }
        Ok(ways)
    }

    /// Every member of a domain.
    fn each(&mut self, domain: &Domain, pattern: &Pattern, way: &Way<'p>, out: &mut Vec<Way<'p>>) -> Result<(), No> {
        let mut one = |value: Sym| -> Result<(), No> {
            let mut way = way.clone();
            bind(&mut way, pattern, value)?;
            out.push(way);
            if out.len() > MOST_WAYS { no(format!("there are more than {MOST_WAYS} ways to move")) } else { Ok(()) }
        };
        match domain {
            Domain::Items(items) => items.iter().try_for_each(|item| one(Sym::Int(item.clone()))),
            Domain::Any(parts) => parts.iter().try_for_each(|part| self.each(part, pattern, way, out)),
            Domain::Value(value) => {
                let Some(runs) = runs(value) else {
                    let members = crate::value::members(value).map_err(|fault| No::Halt(fault.into()))?;
                    return members.iter().try_for_each(|member| one(known(member.clone())));
                };
                let count = runs.iter().fold(num_bigint::BigInt::ZERO, |sum, (from, to)| sum + (to - from) + 1);
                let negative = runs.iter().any(|(from, _)| from.is_negative());
                if (self.spelled || negative) && count.to_u64().is_some_and(|count| count <= SPELLED) {
                    for (from, to) in runs {
                        let mut member = from;
                        while member <= to {
                            one(Sym::Int(Linear::number(member.clone())))?;
                            member += 1;
                        }
                    }
                    return Ok(());
                }
                if negative {
                    return no("a binder that runs through negative numbers");
                }
                self.variable(domain, pattern, way, out)
            }
            Domain::Range(from, to) => {
                if let (Some(from), Some(to)) = (from.constant(), to.constant())
                    && let (Some(from), Some(to)) = (from.to_i64(), to.to_i64())
                {
                    return self.each(&Domain::Value(Value::Range(from, to)), pattern, way, out);
                }
                let natural = Formula::any([Formula::at_most(&Linear::default(), from), Formula::less(to, from)]);
                self.need(way, natural, "a binder would run through negative numbers");
                self.variable(domain, pattern, way, out)
            }
        }
    }

    /// A variable for the members of a domain of numbers, none of which is negative.
    fn variable(
        &mut self,
        domain: &Domain,
        pattern: &Pattern,
        way: &Way<'p>,
        out: &mut Vec<Way<'p>>,
    ) -> Result<(), No> {
        let mut way = way.clone();
        let track = self.fresh(&mut way);
        let inside = member(&Linear::track(track), domain)?;
        if matches!(inside, Formula::Constant(false)) {
            return Ok(());
        }
        way.holds.push(inside);
        bind(&mut way, pattern, Sym::Int(Linear::track(track)))?;
        out.push(way);
        Ok(())
    }

    fn target(&mut self, target: &'p Target, way: &mut Way<'p>, out: &mut Vec<Leaves<'p>>) -> Result<(), No> {
        match target {
            Target::If(condition, a, b) => {
                let condition = self.truth(condition, way)?;
                for (holds, target) in [(condition.clone(), a), (condition.not(), b)] {
                    if !matches!(holds, Formula::Constant(false)) {
                        let mut way = way.clone();
                        way.holds.push(holds);
                        self.target(target, &mut way, out)?;
                    }
                }
                Ok(())
            }
            Target::Go { again: false, position, gain: None } => {
                for (way, parts) in self.position(position, way.clone())? {
                    out.push(Leaves { way, parts });
                }
                Ok(())
            }
            Target::Stop(_) => no("a move can end the whole play"),
            Target::Go { again: true, .. } => no("a move can keep the turn"),
            Target::Go { .. } => no("a move has points"),
        }
    }

    /// What no move may do: grow what is left beyond the heap.
    pub(super) fn must_not_grow(&mut self, leaves: &Leaves<'p>) {
        let left = leaves.parts.iter().fold(Linear::default(), |sum, part| sum.plus(&One::one(), part));
        let fits = Formula::at_most(&left, &Linear::track(crate::engines::heap_codes::read::HEAP));
        self.need(&leaves.way, fits, "a move would leave more than there was");
    }
}

/// Gives names to a value and its parts.
pub(super) fn bind(way: &mut Way<'_>, pattern: &Pattern, value: Sym) -> Result<(), No> {
    match (pattern, value) {
        (Pattern::Ignore, _) => Ok(()),
        (Pattern::Slot(slot), value) => {
            way.slots.insert(*slot, value);
            Ok(())
        }
        (Pattern::Tuple(patterns, _), Sym::Value(Value::Tuple(parts))) if parts.len() == patterns.len() => {
            patterns.iter().zip(parts.iter()).try_for_each(|(pattern, part)| bind(way, pattern, known(part.clone())))
        }
        _ => no("a pattern that takes other things apart"),
    }
}
