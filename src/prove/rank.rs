//! Rankings that every move makes smaller: then every play ends, and the induction goes over all positions.

use super::desk::Desk;
use super::facts::Shape;
use super::induct::{Maker, Obligation, Setting};
use super::options::Next;
use super::symbol::{No, Sym};
use crate::logic::{Formula, Linear, System};
use num_bigint::BigInt;

/// The last step of a ranking by numbers one after the other.
const ALL_STAY: &str = "a move leaves all numbers of the ranking as they are";
const WHILE_OTHERS_STAY: &str = "and leaves those before it in the ranking";

/// How the plays of a game are known to end.
pub(super) struct Ranks {
    /// The ranking is the sum of all numbers.
    pub(super) by_sum: bool,
    /// How many statements were decided for it.
    pub(super) statements: usize,
}

impl Maker<'_, '_> {
    /// A ranking that goes down with every move: the sum of all numbers, or numbers one after the other.
    pub(super) fn ranking(&mut self, system: System, desk: &Desk) -> Result<Ranks, No> {
        let sum = |numbers: &[Linear]| numbers.iter().fold(Linear::default(), |sum, n| sum.plus(&BigInt::from(1), n));
        let by_sum = self.moves(&mut |before, after| Formula::at_most(&sum(before), &sum(after)))?;
        let naturals_only = !self.fact.shapes.contains(&Shape::Whole);
        if naturals_only && desk.compile(&by_sum.never, system)?.is_empty() {
            desk.step("a move does not make the sum of all numbers smaller", &by_sum.never);
            return Ok(Ranks { by_sum: true, statements: 1 });
        }
        // Only naturals have no endless way down.
        let naturals: Vec<bool> = self.fact.shapes.iter().flat_map(Shape::naturals).collect();
        let count = naturals.len();
        // Lexicographic: numbers that never change the wrong way, as long as those before them stay.
        let mut fixed: Vec<usize> = Vec::new();
        let mut statements = 1;
        while fixed.len() < count {
            let fixed_now = fixed.clone();
            let rest = self.moves(&mut |before, after| same(&fixed_now, before, after))?;
            if desk.compile(&rest.never, system)?.is_empty() {
                desk.step(ALL_STAY, &rest.never);
                return Ok(Ranks { by_sum: false, statements: statements + 1 });
            }
            let mut chosen = None;
            for i in (0..count).filter(|&i| naturals[i] && !fixed_now.contains(&i)) {
                let up = self.moves(&mut |before, after| {
                    Formula::all([same(&fixed_now, before, after), Formula::less(&before[i], &after[i])])
                })?;
                let down = self.moves(&mut |before, after| {
                    Formula::all([same(&fixed_now, before, after), Formula::less(&after[i], &before[i])])
                })?;
                let [up_never, down_never] = [&up, &down].map(|o| desk.compile(&o.never, system));
                let (rises, falls) = (!up_never?.is_empty(), !down_never?.is_empty());
                if !rises && falls {
                    desk.step(format!("a move makes number {} larger {WHILE_OTHERS_STAY}", i + 1), &up.never);
                    chosen = Some(i);
                    break;
                }
                // A number that only goes up, but not beyond a bound, goes down when counted from the bound.
                if rises && !falls && self.bounded(i, system, desk)? {
                    desk.step(format!("a move makes number {} smaller {WHILE_OTHERS_STAY}", i + 1), &down.never);
                    chosen = Some(i);
                    break;
                }
            }
            let Some(chosen) = chosen else { return Err(No::bare("no ranking was found that every move lowers")) };
            fixed.push(chosen);
            statements += 1;
        }
        let rest = self.moves(&mut |before, after| same(&fixed, before, after))?;
        if !desk.compile(&rest.never, system)?.is_empty() {
            return Err(No::bare("no ranking was found that every move lowers"));
        }
        desk.step(ALL_STAY, &rest.never);
        Ok(Ranks { by_sum: false, statements: statements + 1 })
    }

    /// Whether a number is bounded in the domain.
    fn bounded(&mut self, i: usize, system: System, desk: &Desk) -> Result<bool, No> {
        let Setting { mut scope, part, tracks, domain } = self.setting()?;
        let bound = scope.free();
        let number = Sym::Tuple(part.fields).numbers().and_then(|numbers| numbers.get(i).cloned());
        let Some(number) = number else { return Ok(false) };
        let above = Formula::all([domain, Formula::less(&Linear::track(bound), &number)]);
        let always = Formula::exists(tracks, above);
        // No number is a bound.
        let never = Formula::for_all(vec![bound], always);
        let bounded = desk.compile(&never, system)?.is_empty();
        if bounded {
            desk.step(format!("number {} has no bound", i + 1), &never);
        }
        Ok(bounded)
    }

    /// Some move of a position to a component of the same closed form for which this holds of the numbers before and after.
    fn moves(&mut self, asked: &mut dyn FnMut(&[Linear], &[Linear]) -> Formula) -> Result<Obligation, No> {
        let this = self.fact.clone();
        self.never("", false, |scope, part| {
            let before = Sym::Tuple(part.fields.clone()).numbers().unwrap_or_default();
            scope.some_move(part, &mut |_, next| {
                let Next::To(parts) = next else { return Ok(Formula::Constant(false)) };
                let mut ways = Vec::new();
                for option in parts.iter().filter(|option| this.fits(option)) {
                    let after = Sym::Tuple(option.fields.clone()).numbers().unwrap_or_default();
                    ways.push(asked(&before, &after));
                }
                Ok(Formula::any(ways))
            })
        })
    }
}

fn same(fixed: &[usize], before: &[Linear], after: &[Linear]) -> Formula {
    Formula::all(fixed.iter().map(|&i| Formula::equal(&before[i], &after[i])))
}
