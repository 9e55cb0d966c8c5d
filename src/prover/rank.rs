//! Rankings that every move makes smaller: then every play ends, and the induction goes over all positions.

use crate::prover::facts::Fact;
use crate::prover::induction::{Obligation, ObligationBuilder, PositionContext};
use crate::prover::options::Next;
use crate::prover::proof_log::ProofLog;
use crate::prover::scope::Scope;
use crate::prover::shapes::Shape;
use crate::prover::symbol::{No, Part, Sym};
use grundy_automata::{Formula, Linear, System};
use num_bigint::BigInt;

/// The last step of a ranking by numbers one after the other, and how many they are.
fn all_stay(fixed: &[Measure]) -> String {
    format!("a move leaves all numbers of the ranking as they are: {}", fixed.len())
}

const WHILE_OTHERS_STAY: &str = "and leaves those before it in the ranking";

/// How the plays of a game are known to end.
pub(super) struct Ranks {
    /// The ranking is the sum of all numbers.
    pub(super) by_sum: bool,
    /// How many statements were decided for it.
    pub(super) statements: usize,
}

/// A condition on the numbers of a position before and after a move.
type Change<'a> = &'a mut dyn FnMut(&[Linear], &[Linear]) -> Formula;

/// What may go down: a number, or what it is more than another.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Measure {
    of: usize,
    less: Option<usize>,
    /// It is never negative, whatever the rules say.
    natural: bool,
}

impl Measure {
    fn value(self, numbers: &[Linear]) -> Linear {
        let of = &numbers[self.of];
        self.less.map_or_else(|| of.clone(), |less| of.minus(&numbers[less]))
    }

    fn text(self) -> String {
        let of = self.of + 1;
        match self.less {
            Some(less) => format!("number {of} less number {}", less + 1),
            None if self.natural => format!("number {of}"),
            None => format!("number {of} (whole)"),
        }
    }
}

/// So many numbers may have their differences tried.
const MOST_DIFFERENCES: usize = 4;

impl ObligationBuilder<'_, '_> {
    /// A ranking that goes down with every move: the sum of all numbers, or numbers one after the other, or differences of two.
    pub(super) fn ranking(&mut self, system: System, desk: &ProofLog) -> Result<Ranks, No> {
        let sum = |numbers: &[Linear]| numbers.iter().fold(Linear::default(), |sum, n| sum.plus(&BigInt::from(1), n));
        let by_sum = self.moves(&mut |before, after| Formula::at_most(&sum(before), &sum(after)))?;
        let naturals_only = !self.fact.shapes.contains(&Shape::Whole);
        if naturals_only && desk.compile(&by_sum.never, system)?.is_empty() {
            desk.step("a move does not make the sum of all numbers smaller", &by_sum.never);
            return Ok(Ranks { by_sum: true, statements: 1 });
        }
        let naturals: Vec<bool> = self.fact.shapes.iter().flat_map(Shape::naturals).collect();
        let count = naturals.len();
        // Lexicographic: numbers that never change the wrong way, as long as those before them stay.
        let mut fixed: Vec<Measure> = Vec::new();
        let mut statements = 1;
        while fixed.len() < count {
            let fixed_now = fixed.clone();
            let rest = self.moves(&mut |before, after| same(&fixed_now, before, after))?;
            if desk.compile(&rest.never, system)?.is_empty() {
                desk.step(all_stay(&fixed), &rest.never);
                return Ok(Ranks { by_sum: false, statements: statements + 1 });
            }
            let numbers = (0..count).map(|of| Measure { of, less: None, natural: naturals[of] });
            let pairs = (0..count).flat_map(|of| (0..count).map(move |less| (of, less)));
            let pairs = pairs.filter(|(of, less)| count <= MOST_DIFFERENCES && of != less);
            let differences = pairs.map(|(of, less)| Measure { of, less: Some(less), natural: false });
            let mut chosen = None;
            for measure in numbers.chain(differences).filter(|measure| !fixed_now.contains(measure)) {
                if self.goes_down(measure, &fixed_now, system, desk)? {
                    chosen = Some(measure);
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
        desk.step(all_stay(&fixed), &rest.never);
        Ok(Ranks { by_sum: false, statements: statements + 1 })
    }

    /// Whether a measure goes down with some moves and up with none, as long as those before it stay, and cannot go down for ever;
    /// or the other way round.
    fn goes_down(&mut self, measure: Measure, fixed: &[Measure], system: System, desk: &ProofLog) -> Result<bool, No> {
        let up = self.moves(&mut |before, after| {
            let rises = Formula::less(&measure.value(before), &measure.value(after));
            Formula::all([same(fixed, before, after), rises])
        })?;
        let down = self.moves(&mut |before, after| {
            let falls = Formula::less(&measure.value(after), &measure.value(before));
            Formula::all([same(fixed, before, after), falls])
        })?;
        let [up_never, down_never] = [&up, &down].map(|o| desk.compile(&o.never, system));
        let (rises, falls) = (!up_never?.is_empty(), !down_never?.is_empty());
        let text = measure.text();
        if !rises && falls && (measure.natural || self.bounded(measure, fixed, false, system, desk)?) {
            desk.step(format!("a move makes {text} larger {WHILE_OTHERS_STAY}"), &up.never);
            return Ok(true);
        }
        // What only goes up, but not beyond a bound, goes down when counted from the bound.
        if rises && !falls && self.bounded(measure, fixed, true, system, desk)? {
            desk.step(format!("a move makes {text} smaller {WHILE_OTHERS_STAY}"), &down.never);
            return Ok(true);
        }
        Ok(false)
    }

    /// Whether a measure has a bound above or below that is that of all positions with a move that leaves those before it.
    fn bounded(
        &mut self,
        measure: Measure,
        fixed: &[Measure],
        above: bool,
        system: System,
        desk: &ProofLog,
    ) -> Result<bool, No> {
        let PositionContext { mut scope, part, tracks, domain } = self.setting()?;
        let bound = Linear::track(scope.free());
        let this = self.fact.clone();
        let beyond = scope.local(|scope| {
            leads(scope, &this, &part, &mut |before, after| {
                let value = measure.value(before);
                let beyond = if above {
                    Formula::less(&bound, &value)
                } else {
                    Formula::less(&value.plus(&BigInt::from(1), &bound), &Linear::default())
                };
                Formula::all([same(fixed, before, after), beyond])
            })
        })?;
        let somewhere = Formula::exists(tracks, Formula::all([domain, beyond]));
        // No number is a bound.
        let never = Formula::for_all(bound.single().into_iter().collect(), somewhere);
        let bounded = desk.compile(&never, system)?.is_empty();
        if bounded {
            desk.step(format!("{} has no {} bound", measure.text(), if above { "upper" } else { "lower" }), &never);
        }
        Ok(bounded)
    }

    /// Some move of a position to a component of the same closed form for which this holds of the numbers before and after.
    fn moves(&mut self, asked: Change<'_>) -> Result<Obligation, No> {
        let this = self.fact.clone();
        self.never("", false, |scope, part| leads(scope, &this, part, asked))
    }
}

/// Some move leads to a component of the closed form so that this holds of the numbers before and after.
fn leads<'p>(scope: &mut Scope<'p>, fact: &Fact<'p>, part: &Part, asked: Change<'_>) -> Result<Formula, No> {
    let numbers = |part: &Part| Sym::Tuple(part.fields.clone()).numbers().unwrap_or_default();
    let before = numbers(part);
    scope.some_move(part, &mut |_, next| {
        let (Next::To(parts) | Next::Again(parts)) = next else { return Ok(Formula::Constant(false)) };
        let options = parts.iter().filter(|option| fact.fits(option));
        Ok(Formula::any(options.map(|option| asked(&before, &numbers(option)))))
    })
}

fn same(fixed: &[Measure], before: &[Linear], after: &[Linear]) -> Formula {
    Formula::all(fixed.iter().map(|measure| Formula::equal(&measure.value(before), &measure.value(after))))
}
