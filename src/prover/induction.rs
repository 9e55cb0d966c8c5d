//! Induction over all positions of a game: what must hold so that a closed form is right.
//!
//! For Grundy values: no option has the value of its position, and every smaller value is that of an option. For outcomes:
//! no move leads from a lost position to a lost one, and some move leads from every other to a lost one, or there is none
//! and the convention says who has won. Both besides that every move makes a ranking smaller: then every play ends.

use crate::logic::exponents::values_compared;
use crate::logic::facts::{ApplicableFacts, Claimed, Fact, Names, Says};
use crate::logic::moves::Next;
use crate::logic::scope::{Scope, system};
use crate::logic::symbol::{No, Part, Shape, Sym, odd};
use crate::model::{CompareOp, Ending, Program};
use crate::prover::proof_log::ProofLog;
use crate::syntax::tree::Outcome;
use grundy_automata::{Automaton, Formula, Limit, Linear, System, Track, forget, least_beside};
use grundy_verify::Method;
use num_bigint::{BigInt, BigUint};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What must never hold of a term.
pub(super) const NO_VALUE: &str = "a term may have no value";

pub(super) type Known<'p> = Rc<Vec<Rc<Fact<'p>>>>;

pub(super) struct Obligation {
    pub(super) name: &'static str,
    pub(super) never: Formula,
    means: Means,
}

/// What a position means where something holds that must never hold.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Means {
    /// It refutes the closed form, if no smaller position does.
    Refuted,
    /// A move leads from it to where nothing is said.
    Leaves,
    /// The closed form is not proved.
    Unclear,
}

pub(super) struct Induction {
    pub(super) system: System,
    pub(super) statements: usize,
    /// The most states of an automaton, before it was made minimal.
    pub(super) largest: usize,
    /// It rests on what is proved of numbers in other orders.
    pub(super) orders: bool,
    /// Other games whose closed forms are proved with it.
    pub(super) beside: BTreeSet<String>,
    pub(super) notes: BTreeSet<Rc<str>>,
}

impl Induction {
    pub(super) fn text(&self) -> String {
        let Induction { system, statements, largest, orders, beside, notes } = self;
        let system = system.word();
        let orders = if *orders { "; the order of the numbers does not matter, which is proved besides" } else { "" };
        let beside: Vec<String> = beside.iter().map(|game| format!("`{game}`")).collect();
        let together =
            if beside.is_empty() { String::new() } else { format!(" together with {}", beside.join(" and ")) };
        let text = format!(
            "induction{together}: {statements} statements decided by automata of up to {largest} states, {system}{orders}"
        );
        crate::prover::noted(text, notes)
    }
}

pub(super) enum Proof {
    Proved(Induction),
    /// It fails first at the position of these numbers, as the ranking is their sum; this is to be played through. `sure`: all
    /// else is proved, so that it holds of all smaller positions, and by the rules it is false of this one. By another ranking it is
    /// false of this position or of one that a move leads to, and smaller ones may be elsewhere ([`ProofLog::fails_near`]).
    Fails {
        numbers: Vec<BigUint>,
        sure: bool,
    },
    /// A move leads from the position of these numbers to one that the statement does not speak of.
    Leaves(Vec<BigUint>),
}

/// The position of all numbers, and what is said of them.
pub(super) struct PositionContext<'p> {
    pub(super) scope: Scope<'p>,
    pub(super) part: Part,
    pub(super) tracks: Vec<Track>,
    /// What holds for all of them.
    pub(super) domain: Formula,
}

impl<'p> PositionContext<'p> {
    /// All positions of the shapes of a closed form: `domain` is what their declarations say.
    fn open(program: &'p Program, known: &Known<'p>, fact: &Fact<'p>) -> PositionContext<'p> {
        let mut scope = Scope::new(program, known.clone());
        let (fields, tracks, domain) = scope.state(&fact.shapes);
        let beside = fact.beside.clone();
        let part = Part { game: fact.game, params: fact.params.clone(), fields, beside };
        PositionContext { scope, part, tracks, domain }
    }

    /// All positions that a closed form speaks of: the same numbers whenever it is asked.
    pub(super) fn of(program: &'p Program, known: &Known<'p>, fact: &Fact<'p>) -> Result<PositionContext<'p>, No> {
        let PositionContext { mut scope, part, tracks, domain: said } = PositionContext::open(program, known, fact);
        scope.assume(said.clone());
        let inside = scope.local(|scope| {
            let inside = scope.in_domain(&part)?;
            if let Formula::Constant(false) = inside {
                return Ok(inside);
            }
            let covered = scope.under(&inside, |scope| fact.covers(scope, &part))?;
            Ok(Formula::all([inside, covered]))
        })?;
        let domain = Formula::all([said, inside]);
        scope.taken_needs();
        scope.assume(domain.clone());
        Ok(PositionContext { scope, part, tracks, domain })
    }
}

/// Tries to prove a closed form, with others that are proved already.
pub(super) fn prove<'p>(
    program: &'p Program,
    known: &Known<'p>,
    fact: &Rc<Fact<'p>>,
    which: String,
    desk: &ProofLog,
) -> Result<Proof, No> {
    desk.clear();
    let limit = &desk.limit;
    let mut maker = ObligationBuilder::new(program, known, known.len(), fact);
    let obligations = maker.complete()?;
    if obligations.is_empty() {
        desk.step("there is a position", &Formula::Constant(false));
        desk.close(which, Method::Nothing, System::Binary);
        let (system, notes, beside) = (System::Binary, maker.notes, BTreeSet::new());
        return Ok(Proof::Proved(Induction { system, statements: 0, largest: 0, orders: false, beside, notes }));
    }
    let system = system(&maker.digits)?;
    // Whether moves lead out of what is said comes first: it is soon seen, and then no ranking helps.
    if !fact.speaks_of_all(program) {
        for obligation in obligations.iter().filter(|obligation| obligation.means == Means::Leaves) {
            let automaton = desk.compile(&obligation.never, system)?;
            if !automaton.is_empty() {
                if desk.inexact() {
                    return Err(open(obligation.name));
                }
                let numbers = least_of(obligation, automaton, fact, &maker.setting()?.tracks, system, limit)?;
                return Ok(Proof::Leaves(numbers.unwrap_or_default()));
            }
        }
    }
    let ranks = maker.ranking(system, desk)?;
    limit.largest.store(0, std::sync::atomic::Ordering::Relaxed);
    for obligation in &obligations {
        let automaton = desk.compile(&obligation.never, system)?;
        if automaton.is_empty() {
            desk.step(obligation.name, &obligation.never);
            continue;
        }
        if desk.inexact() {
            return Err(open(obligation.name));
        }
        let tracks = maker.setting()?.tracks;
        let numbers = least_of(obligation, automaton, fact, &tracks, system, limit)?.unwrap_or_default();
        match obligation.means {
            Means::Leaves => return Ok(Proof::Leaves(numbers)),
            Means::Refuted if ranks.by_sum => {}
            Means::Refuted => {
                desk.fails_near(&failing(obligation.name, &numbers));
                return Ok(Proof::Fails { numbers, sure: false });
            }
            Means::Unclear => return Err(failing(obligation.name, &numbers)),
        }
        // The least position of all that fail in any way.
        let mut best = (fact.size(&numbers), numbers.iter().sum::<BigUint>(), numbers);
        let refuting = |other: &&Obligation| other.means == Means::Refuted;
        for other in obligations.iter().filter(refuting).filter(|other| !std::ptr::eq(*other, obligation)) {
            let automaton = desk.compile(&other.never, system)?;
            if let Some(numbers) = least_of(other, automaton, fact, &tracks, system, limit)? {
                best = best.min((fact.size(&numbers), numbers.iter().sum(), numbers));
            }
        }
        let mut sure = true;
        for other in obligations.iter().filter(|other| !refuting(other)) {
            sure = sure && desk.compile(&other.never, system).is_ok_and(|automaton| automaton.is_empty());
        }
        if desk.inexact() {
            return Err(open(obligation.name));
        }
        desk.fails_first();
        return Ok(Proof::Fails { numbers: best.2, sure });
    }
    let statements = obligations.len() + ranks.statements;
    desk.close(which, maker.by, system);
    let largest = limit.largest.load(std::sync::atomic::Ordering::Relaxed);
    let orders = fact.orders().count() > 1;
    let (beside, notes) = (BTreeSet::new(), maker.notes);
    Ok(Proof::Proved(Induction { system, statements, largest, orders, beside, notes }))
}

/// Decides that every play of the positions that a closed form speaks of ends, and leads to positions that it or another that is proved
/// speaks of; how numbers are written, where this and `digits` is said of them, and how many statements these are.
pub(super) fn plays_end<'p>(
    program: &'p Program,
    known: &Known<'p>,
    fact: &Rc<Fact<'p>>,
    digits: &BTreeSet<System>,
    desk: &ProofLog,
) -> Result<(System, usize), No> {
    let mut maker = ObligationBuilder::new(program, known, known.len(), fact);
    maker.digits.clone_from(digits);
    let mut obligations = maker.begins()?;
    obligations.push(maker.covered()?);
    obligations.append(&mut maker.needs);
    let system = system(&maker.digits)?;
    for obligation in &obligations {
        let automaton = desk.compile(&obligation.never, system)?;
        if !automaton.is_empty() {
            let numbers = least_of(obligation, automaton, fact, &maker.setting()?.tracks, system, &desk.limit)?;
            return Err(failing(obligation.name, &numbers.unwrap_or_default()));
        }
        desk.step(obligation.name, &obligation.never);
    }
    let ranks = maker.ranking(system, desk)?;
    Ok((system, obligations.len() + ranks.statements))
}

/// The numbers of the least position where it holds.
pub(super) fn least_of(
    obligation: &Obligation,
    mut automaton: Automaton,
    fact: &Fact<'_>,
    tracks: &[Track],
    system: System,
    limit: &Limit,
) -> Result<Option<Vec<BigUint>>, No> {
    for track in obligation.never.free().into_iter().filter(|track| !tracks.contains(track)) {
        automaton = forget(automaton, track, system, limit)?;
    }
    Ok(least_beside(&automaton, tracks, &fact.truths(tracks), system, limit)?)
}

/// The refusal for what was not excluded by a formula that was made wider.
pub(super) fn open(what: &str) -> No {
    No::bare(format!("it stays open, by what is known of multiples of a variable, whether {what}"))
}

/// The refusal for what holds at the position of these numbers.
pub(super) fn failing(what: &str, numbers: &[BigUint]) -> No {
    No::bare(format!("{what} at {}", shown(numbers)))
}

pub(super) fn shown(numbers: &[BigUint]) -> String {
    format!("({})", numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
}

pub(super) struct ObligationBuilder<'a, 'p> {
    program: &'p Program,
    known: &'a Known<'p>,
    /// So many of these are proved; what is behind them is proved together with the fact.
    proved: usize,
    fact: &'a Rc<Fact<'p>>,
    pub(super) digits: BTreeSet<System>,
    pub(super) notes: BTreeSet<Rc<str>>,
    needs: Vec<Obligation>,
    pub(super) by: Method,
}

impl<'a, 'p> ObligationBuilder<'a, 'p> {
    pub(super) fn new(program: &'p Program, known: &'a Known<'p>, proved: usize, fact: &'a Rc<Fact<'p>>) -> Self {
        let (digits, notes, needs) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        ObligationBuilder { program, known, proved, fact, digits, notes, needs, by: Method::Losing }
    }

    /// All but that plays end; nothing where there are no positions.
    pub(super) fn complete(&mut self) -> Result<Vec<Obligation>, No> {
        let mut obligations = self.begins()?;
        if let (Formula::Constant(false), true) = (&self.setting()?.domain, obligations.is_empty()) {
            return Ok(obligations);
        }
        if self.fact.says != Says::Grundy {
            // What is wrong with the statement itself is told first.
            let PositionContext { mut scope, part, .. } = self.setting()?;
            self.fact.lost(&mut scope, &part)?;
        }
        obligations.append(&mut self.all()?);
        obligations.append(&mut self.needs);
        Ok(obligations)
    }

    pub(super) fn setting(&self) -> Result<PositionContext<'p>, No> {
        PositionContext::of(self.program, self.known, self.fact)
    }

    /// What must never hold so that it is clear what the statement speaks of: a condition without a value, or no position of the game.
    pub(super) fn begins(&mut self) -> Result<Vec<Obligation>, No> {
        let fact = self.fact.clone();
        let mut open = PositionContext::open(self.program, self.known, &fact);
        open.scope.assume(open.domain.clone());
        let outside = "the statement speaks of what is no position of the game";
        let outside = self.never_in(open, outside, Means::Unclear, |scope, part| match fact.names {
            // A theorem speaks of all positions, and of nothing else.
            Names::Fields => {
                let inside = scope.in_domain(part)?;
                scope.under(&inside, |scope| fact.spoken_of(scope, part, true))?;
                Ok(Formula::Constant(false))
            }
            Names::Slots(_) => {
                let covered = fact.spoken_of(scope, part, true)?;
                let inside = scope.under(&covered, |scope| scope.in_domain(part))?;
                Ok(Formula::all([covered, inside.not()]))
            }
        })?;
        let mut all = vec![outside];
        all.append(&mut self.needs);
        all.append(&mut self.made_of_all()?);
        if let Claimed::Where(other) = &fact.claimed {
            let mut of = ObligationBuilder::new(self.program, self.known, self.proved, other);
            all.append(&mut of.begins()?);
            self.digits.append(&mut of.digits);
            self.notes.append(&mut of.notes);
        }
        all.retain(|one| !matches!(one.never, Formula::Constant(false)));
        let sets = fact.shapes.iter().any(|shape| matches!(shape, Shape::Set(size) if *size > 1));
        if sets && matches!(fact.names, Names::Slots(_)) {
            // A claim writes out sets, `{a, b}`, and they are read as if they were ascending.
            let mut open = PositionContext::open(self.program, self.known, &fact);
            let ascending = std::mem::replace(&mut open.domain, Formula::Constant(true));
            let unordered = "the members of a set are not in ascending order as they are written";
            all.push(self.never_in(open, unordered, Means::Unclear, |scope, part| {
                Ok(Formula::all([fact.covers(scope, part)?, ascending.not()]))
            })?);
            all.append(&mut self.needs);
        }
        Ok(all)
    }

    /// What must never hold so that each value of the names of a claim makes a position, where some of them are made of its numbers: values
    /// that make none are met at no position.
    fn made_of_all(&mut self) -> Result<Vec<Obligation>, No> {
        let fact = self.fact.clone();
        let (Names::Slots(names), Some(position), false) = (&fact.names, fact.only.position, fact.only.made.is_empty())
        else {
            return Ok(Vec::new());
        };
        let mut scope = Scope::new(self.program, self.known.clone());
        let mut env = fact.env.clone();
        let leaves = fact.shapes.iter().flat_map(|shape| match shape {
            // One leaf, though it takes two numbers.
            Shape::Whole => vec![false],
            shape => shape.truths(),
        });
        let own = names.iter().flatten().zip(leaves).filter_map(|(slot, truth)| Some(((*slot)?, truth)));
        let made = fact.only.made.iter().map(|(slot, _)| *slot).chain(fact.only.any.iter().copied());
        let mut variables = Vec::new();
        for (slot, truth) in own.chain(made.map(|slot| (slot, false))) {
            let number = Linear::track(scope.free());
            let value = if truth { Sym::Bool(Formula::zero(&number).not()) } else { fact.only.named(slot, number) };
            variables.push(scope.variable(&value)?);
            env.slots.insert(slot, value);
        }
        let variables = Formula::all(variables);
        let guards = scope.under(&variables, |scope| {
            scope.local(|scope| {
                let guards = fact.only.guards.iter().map(|guard| scope.truth(guard, &env));
                Ok(Formula::all(guards.collect::<Result<Vec<_>, No>>()?))
            })
        })?;
        let guards = Formula::all([variables, guards]);
        let mut needs = scope.taken_needs();
        scope.assume(guards);
        scope.local(|scope| {
            let before = std::mem::replace(&mut scope.as_written, true);
            let value = scope.position(position, &env);
            scope.as_written = before;
            let Sym::Position { parts, .. } = value? else { return Err(odd(position.span)) };
            for part in &parts {
                let inside = scope.in_domain(part)?;
                scope.need(inside);
            }
            Ok(Formula::Constant(true))
        })?;
        needs.append(&mut scope.taken_needs());
        self.digits.append(&mut scope.digits);
        self.notes.append(&mut scope.notes);
        let unclear = |need: Formula| Obligation { name: NO_VALUE, never: need.not(), means: Means::Unclear };
        Ok(needs.into_iter().map(unclear).collect())
    }

    /// What must never hold besides, so that all terms have a value, since this was last asked.
    pub(super) fn taken_needs(&mut self) -> Vec<Obligation> {
        std::mem::take(&mut self.needs)
    }

    /// The ways in which digits are spoken of.
    pub(super) fn digits(&self) -> &BTreeSet<System> {
        &self.digits
    }

    /// The numbers of the least position where something holds; of none they are none.
    pub(super) fn least(
        &self,
        obligation: &Obligation,
        automaton: Automaton,
        system: System,
        limit: &Limit,
    ) -> Result<Vec<BigUint>, No> {
        let numbers = least_of(obligation, automaton, self.fact, &self.setting()?.tracks, system, limit)?;
        Ok(numbers.unwrap_or_default())
    }

    /// What must never hold of a position that the closed form speaks of.
    pub(super) fn never(
        &mut self,
        name: &'static str,
        means: Means,
        formula: impl FnOnce(&mut Scope<'p>, &Part) -> Result<Formula, No>,
    ) -> Result<Obligation, No> {
        self.never_in(self.setting()?, name, means, formula)
    }

    /// What must never hold of these positions. That all terms in it have a value goes to `needs`.
    fn never_in(
        &mut self,
        context: PositionContext<'p>,
        name: &'static str,
        means: Means,
        formula: impl FnOnce(&mut Scope<'p>, &Part) -> Result<Formula, No>,
    ) -> Result<Obligation, No> {
        let PositionContext { mut scope, part, domain, .. } = context;
        let formula = scope.local(|scope| formula(scope, &part))?;
        let never = |formula| Formula::all([domain.clone(), formula]);
        let needs = scope.taken_needs().into_iter();
        self.needs.extend(needs.map(|need| Obligation {
            name: NO_VALUE,
            never: never(need.not()),
            means: Means::Unclear,
        }));
        self.digits.append(&mut scope.digits);
        self.notes.append(&mut scope.notes);
        Ok(Obligation { name, never: never(formula), means })
    }

    fn all(&mut self) -> Result<Vec<Obligation>, No> {
        let fact = self.fact.clone();
        let part = self.setting()?.part;
        let other = self.known[..self.proved].iter().find(|other| {
            other.fits(&part)
                && other.speaks_of_all(self.program)
                && other.misere == fact.misere
                && (other.says == Says::Grundy || fact.says != Says::Grundy)
        });
        if let Some(other) = other.cloned() {
            self.by = Method::Same;
            return Ok(vec![self.never("it is not what is proved already", Means::Refuted, |scope, part| {
                let covered = other.covers(scope, part)?;
                scope.need(covered);
                if fact.says == Says::Grundy {
                    let values = [fact.value(scope, part)?, other.value(scope, part)?];
                    return Ok(values_compared(CompareOp::Eq, &values[0], &values[1])?.not());
                }
                Ok(fact.lost(scope, part)?.iff(other.lost(scope, part)?).not())
            })?]);
        }
        let mut all = vec![self.covered()?];
        if fact.says == Says::Grundy {
            self.by = Method::GrundyValues;
            if fact.misere {
                return Err(No::bare("Grundy values in misere play"));
            }
            let ends = &self.program.games[fact.game.0].ends;
            if let Some(end) = ends.iter().find(|end| !matches!(end.verdict, Ending::Over)) {
                return Err(No::at(end.span, "an end of the whole play, or points: then there is no Grundy value"));
            }
            if let Claimed::Word(word) = &fact.claimed {
                self.by = Method::AcceptedValues;
                let reads = Track::try_from(word.of.len()).map_err(|_| No::bare("too many variables"))?;
                let [two, none] = crate::logic::digit_functions::not_one_value(&word.automaton, reads);
                for (name, never) in [
                    ("an automaton accepts two values of one position", two),
                    ("an automaton accepts no value of a position", none),
                ] {
                    all.push(Obligation { name, never, means: Means::Unclear });
                }
            } else {
                all.push(self.never("the value is negative", Means::Refuted, |scope, part| {
                    values_compared(CompareOp::Lt, &fact.value(scope, part)?, &Sym::number(0))
                })?);
            }
            all.push(self.never("an option has the value of its position", Means::Refuted, |scope, part| {
                let value = fact.value(scope, part)?;
                scope.some_move(part, &mut |scope, next| {
                    let option = option_value(scope, &fact, &next)?;
                    values_compared(CompareOp::Eq, &option, &value)
                })
            })?);
            all.push(self.never("a smaller value is that of no option", Means::Refuted, |scope, part| {
                let value = fact.value(scope, part)?;
                scope.local(|scope| {
                    let (smaller, less) = scope.smaller(&value)?;
                    let reached = scope.under(&less, |scope| {
                        scope.some_move(part, &mut |scope, next| {
                            let option = option_value(scope, &fact, &next)?;
                            values_compared(CompareOp::Eq, &option, &smaller)
                        })
                    })?;
                    Ok(Formula::all([less, reached.not()]))
                })
            })?);
            return Ok(all);
        }
        all.push(self.never("a lost position has a move to a lost one", Means::Refuted, |scope, part| {
            let lost = fact.lost(scope, part)?;
            let good = scope.some_move(part, &mut |scope, next| good(scope, &fact, &next))?;
            Ok(Formula::all([lost, good]))
        })?);
        all.push(self.never(
            "a position is not lost but has no move to a lost one",
            Means::Refuted,
            |scope, part| {
                let lost = fact.lost(scope, part)?;
                let good = scope.some_move(part, &mut |scope, next| good(scope, &fact, &next))?;
                let any = scope.some_move(part, &mut |_, _| Ok(Formula::Constant(true)))?;
                let ended = decided(scope, part)?;
                let stuck = if fact.misere { any } else { Formula::Constant(true) };
                Ok(Formula::all([lost.not(), good.not(), stuck, ended.not()]))
            },
        )?);
        all.push(self.never("an end of the play is not what the rules say", Means::Refuted, |scope, part| {
            let lost = fact.lost(scope, part)?;
            let any = scope.some_move(part, &mut |_, _| Ok(Formula::Constant(true)))?;
            let mut wrong = Vec::new();
            for (when, ending) in scope.endings(part)? {
                match ending {
                    Ending::Play(Outcome::First) => wrong.push(Formula::all([when, lost.clone()])),
                    Ending::Play(Outcome::Second) => wrong.push(Formula::all([when, lost.clone().not()])),
                    Ending::Play(Outcome::Draw) => return Err(No::bare("a play that ends in a draw")),
                    Ending::Score(score) => return Err(No::at(score.span, "points")),
                    Ending::Over => {}
                }
            }
            let ended = decided(scope, part)?;
            let over = Formula::all([any.not(), ended.not()]);
            let otherwise = if fact.misere { lost } else { lost.not() };
            wrong.push(Formula::all([over, otherwise]));
            Ok(Formula::any(wrong))
        })?);
        Ok(all)
    }

    /// Every move leads to where the closed form, or another that is proved, says something.
    pub(super) fn covered(&mut self) -> Result<Obligation, No> {
        let this = self.fact.clone();
        self.never(LEAVES, Means::Leaves, |scope, part| {
            scope.some_move(part, &mut |scope, next| {
                let (Next::To(parts) | Next::Again(parts)) = next else { return Ok(Formula::Constant(false)) };
                Ok(spoken_of(scope, &this, parts)?.not())
            })
        })
    }

    /// A ranking that goes down with every move: the sum of all numbers, truth values after the others, or numbers one after the
    /// other, or absolute values, or differences of two.
    fn ranking(&mut self, system: System, desk: &ProofLog) -> Result<Ranks, No> {
        // All truth values together are less than 1.
        let shapes = self.fact.shapes.clone();
        let weight = shapes.iter().flat_map(Shape::truths).filter(|truth| *truth).count() + 1;
        let sum = |numbers: &[Linear]| weighed(&shapes, numbers, weight);
        let by_sum = self.moves(&mut |before, after| Formula::at_most(&sum(before), &sum(after)))?;
        let naturals: Vec<bool> = self.fact.shapes.iter().flat_map(Shape::naturals).collect();
        if naturals.iter().all(|natural| *natural) && desk.compile(&by_sum.never, system)?.is_empty() {
            desk.step(BY_SUM, &by_sum.never);
            return Ok(Ranks { by_sum: true, statements: 1 });
        }
        let count = naturals.len();
        let numbers = (0..count).map(|of| Measure { of, less: None, natural: naturals[of], absolute: false });
        let whole = (0..count).filter(|&of| !naturals[of]);
        let absolute = whole.map(|of| Measure { of, less: None, natural: false, absolute: true });
        let pairs = (0..count).flat_map(|of| (0..count).map(move |less| (of, less)));
        let pairs = pairs.filter(|(of, less)| count <= MOST_DIFFERENCES && of != less);
        let measures: Vec<Measure> =
            numbers.chain(absolute).chain(pairs.map(|(of, less)| Measure::difference(of, less))).collect();
        // Lexicographic: numbers that never change the wrong way, as long as those before them stay.
        let mut fixed: Vec<Measure> = Vec::new();
        loop {
            let rest = self.moves(&mut |before, after| same(&fixed, before, after))?;
            if desk.compile(&rest.never, system)?.is_empty() {
                desk.step(
                    format!("a move leaves all numbers of the ranking as they are: {}", fixed.len()),
                    &rest.never,
                );
                return Ok(Ranks { by_sum: false, statements: fixed.len() + 2 });
            }
            let mut chosen = None;
            for measure in measures.iter().filter(|measure| fixed.len() < count && !fixed.contains(measure)) {
                if self.goes_down(*measure, &fixed, system, desk)? {
                    chosen = Some(*measure);
                    break;
                }
            }
            fixed.push(chosen.ok_or_else(|| No::bare(NO_RANKING))?);
        }
    }

    /// Whether a measure goes down with some moves and up with none, as long as those before it stay, and has an end; or the reverse.
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

    /// By how much a move to a component of another closed form can make the sum of all numbers larger, in units of which a number
    /// counts so many; `None`: there is no such move.
    pub(super) fn rises(
        &mut self,
        to: &Fact<'p>,
        weight: usize,
        system: System,
        desk: &ProofLog,
    ) -> Result<Option<i64>, No> {
        const MOST: i64 = 4;
        let some = self.moves_to(to, weight, &mut |_, _| Formula::Constant(true))?;
        if desk.compile(&some, system)?.is_empty() {
            return Ok(None);
        }
        let most = MOST * i64::try_from(weight).unwrap_or(1);
        let mut more = |rise: i64| {
            let more = self.moves_to(to, weight, &mut |before, after| {
                Formula::less(&before.plus(&rise.into(), &Linear::number(1)), after)
            })?;
            Ok::<_, No>(!desk.compile(&more, system)?.is_empty())
        };
        let (mut below, mut rise) = (-most - 1, most);
        if more(rise)? {
            return Err(No::bare(NO_RANKING));
        }
        while below + 1 < rise {
            let middle = below + (rise - below) / 2;
            if more(middle)? { below = middle } else { rise = middle }
        }
        Ok(Some(rise))
    }

    /// Some move of a position to a component that another closed form speaks of, for which this holds of the sums of all numbers before
    /// and after, in units of which a number counts so many and a truth value 1.
    pub(super) fn moves_to(
        &mut self,
        to: &Fact<'p>,
        weight: usize,
        asked: &mut dyn FnMut(&Linear, &Linear) -> Formula,
    ) -> Result<Formula, No> {
        let own = self.fact.clone();
        let moves = self.never("", Means::Unclear, |scope, part| {
            let numbers = scope.numbers_of(&part.fields).unwrap_or_default();
            let before = weighed(&own.shapes, &numbers, weight);
            scope.some_move(part, &mut |scope, next| {
                let (Next::To(parts) | Next::Again(parts)) = next else { return Ok(Formula::Constant(false)) };
                let mut some = Vec::new();
                for option in parts.iter().filter(|option| to.fits(option)) {
                    let numbers = scope.numbers_of(&option.fields).unwrap_or_default();
                    let asked = asked(&before, &weighed(&to.shapes, &numbers, weight));
                    let spoken = scope.local(|scope| to.spoken_of(scope, option, false))?;
                    some.push(Formula::all([asked, spoken]));
                }
                Ok(Formula::any(some))
            })
        })?;
        Ok(moves.never)
    }

    /// Some move of a position to a component of the same closed form for which this holds of the numbers before and after.
    fn moves(&mut self, asked: Change<'_>) -> Result<Obligation, No> {
        let this = self.fact.clone();
        self.never("", Means::Unclear, |scope, part| leads(scope, &this, part, asked))
    }
}

/// What must never happen: then there is nothing to say about where the move leads.
pub(super) const LEAVES: &str = "a move leads to a position that the statement does not speak of";

/// The closed forms that speak of a component of so many: the one that is being proved, and those that are. Of a sum only Grundy values
/// tell who wins: where it is proved who loses, these must be proved before.
fn speakers<'p>(scope: &Scope<'p>, this: &Rc<Fact<'p>>, part: &Part, parts: usize) -> Result<ApplicableFacts<'p>, No> {
    let game = &scope.program.games[part.game.0];
    let value = this.says == Says::Grundy;
    if parts > 1 && !value && !this.misere {
        let missing = || part.wanted(true, false, No::bare("moves to sums, of which only Grundy values tell who wins"));
        return ApplicableFacts::of(scope, None, part, false, true).ok_or_else(missing);
    }
    let missing = || {
        let no = No::bare(format!("a move leads to positions of `{}` of which nothing is proved", game.name));
        part.wanted(value, this.misere || game.misere, no)
    };
    ApplicableFacts::of(scope, Some(this), part, this.misere, value).ok_or_else(missing)
}

/// Whether a position is a sum of which nothing is said as one position: then the values of its components may tell who wins.
fn by_values<'p>(scope: &Scope<'p>, this: &Rc<Fact<'p>>, sum: &Part) -> bool {
    !this.misere && !sum.beside.is_empty() && ApplicableFacts::of(scope, Some(this), sum, false, false).is_none()
}

/// Where all components that a move leads to are positions of which the closed forms speak.
pub(super) fn spoken_of<'p>(scope: &mut Scope<'p>, this: &Rc<Fact<'p>>, parts: &[Part]) -> Result<Formula, No> {
    if let [sum] = parts
        && by_values(scope, this, sum)
    {
        return spoken_of(scope, this, &sum.components());
    }
    let mut all = Vec::new();
    for part in parts {
        let inside = scope.in_domain(part)?;
        let covered = scope.under(&inside, |scope| speakers(scope, this, part, parts.len())?.covers(scope, part))?;
        all.extend([inside, covered]);
    }
    Ok(Formula::all(all))
}

pub(super) fn option_value<'p>(scope: &mut Scope<'p>, this: &Rc<Fact<'p>>, next: &Next<'_>) -> Result<Sym, No> {
    let Next::To(parts) = next else {
        return Err(No::bare("a move that ends the whole play or keeps the turn has no Grundy value"));
    };
    let values = values_of(scope, this, parts)?;
    scope.sum_of_values(&values)
}

/// The Grundy values of the components that a move leads to.
fn values_of<'p>(scope: &mut Scope<'p>, this: &Rc<Fact<'p>>, parts: &[Part]) -> Result<Vec<Sym>, No> {
    parts.iter().map(|part| speakers(scope, this, part, parts.len())?.value(scope, part)).collect()
}

/// A position whose numbers are variables, where sums are added up step by step: what is said of it then speaks of few variables at a
/// time. Moves of t-Wythoff with t = 2 and 3: a hundredth of the time, or an answer at all.
fn in_variables(scope: &mut Scope<'_>, part: &Part) -> Part {
    let mut part = part.clone();
    if scope.digits.iter().any(|system| matches!(system, System::Surd(_))) {
        for field in &mut part.fields {
            if let Sym::Int(number) = field
                && number.terms.len() > 1
                && scope.natural(number)
            {
                *number = Linear::track(scope.track(number));
            }
        }
    }
    part
}

pub(super) fn good<'p>(scope: &mut Scope<'p>, this: &Rc<Fact<'p>>, next: &Next<'_>) -> Result<Formula, No> {
    match next {
        Next::Stop(Outcome::First) => Ok(Formula::Constant(true)),
        Next::Stop(Outcome::Second) => Ok(Formula::Constant(false)),
        Next::Stop(Outcome::Draw) => Err(No::bare("a move that ends the play in a draw")),
        // Of a sum of which nothing is proved as one position the values tell.
        Next::To([sum]) if by_values(scope, this, sum) => good(scope, this, &Next::To(&sum.components())),
        // In a place of its own: there all counts that holds here.
        Next::To([part]) => scope.local(|scope| {
            let part = &in_variables(scope, part);
            speakers(scope, this, part, 1)?.lost(scope, part)
        }),
        Next::Again([part]) => Ok(speakers(scope, this, part, 1)?.lost(scope, part)?.not()),
        Next::Again(_) => Err(No::bare("a move to a sum that keeps the turn")),
        // Where nothing is left, who is to move has lost, or won in misere play.
        Next::To([]) => Ok(Formula::Constant(!this.misere)),
        Next::To(_) if this.misere => Err(No::bare("moves to sums in misere play")),
        Next::To(parts) => {
            let values = values_of(scope, this, parts)?;
            scope.sum_is_lost(&values)
        }
    }
}

/// Whether an `end when` line ends the whole play at a position.
fn decided(scope: &mut Scope<'_>, part: &Part) -> Result<Formula, No> {
    let ends = scope.endings(part)?;
    Ok(Formula::any(ends.into_iter().filter(|(_, e)| matches!(e, Ending::Play(_))).map(|(when, _)| when)))
}

pub(super) const NO_RANKING: &str = "no ranking was found that every move lowers";
pub(super) const BY_SUM: &str = "a move does not make the sum of all numbers smaller";
const WHILE_OTHERS_STAY: &str = "and leaves those before it in the ranking";

struct Ranks {
    by_sum: bool,
    pub(super) statements: usize,
}

/// A condition on the numbers of a position before and after a move.
type Change<'a> = &'a mut dyn FnMut(&[Linear], &[Linear]) -> Formula;

/// What may go down: a number, its absolute value, or what it is more than another.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Measure {
    of: usize,
    less: Option<usize>,
    /// It is never negative, whatever the rules say.
    natural: bool,
    absolute: bool,
}

impl Measure {
    fn difference(of: usize, less: usize) -> Measure {
        Measure { of, less: Some(less), natural: false, absolute: false }
    }

    /// Behind the numbers stand their absolute values.
    fn value(self, numbers: &[Linear]) -> Linear {
        let of = &numbers[if self.absolute { numbers.len() / 2 + self.of } else { self.of }];
        self.less.map_or_else(|| of.clone(), |less| of.minus(&numbers[less]))
    }

    fn text(self) -> String {
        let of = self.of + 1;
        match self.less {
            Some(less) => format!("number {of} less number {}", less + 1),
            None if self.absolute => format!("number {of} (absolute)"),
            None if self.natural => format!("number {of}"),
            None => format!("number {of} (whole)"),
        }
    }
}

/// The sum of the numbers of a position, in units of which a number counts so many and a truth value 1.
fn weighed(shapes: &[Shape], numbers: &[Linear], weight: usize) -> Linear {
    let weights = shapes.iter().flat_map(Shape::truths).map(|truth| BigInt::from(if truth { 1 } else { weight }));
    numbers.iter().zip(weights).fold(Linear::default(), |sum, (number, weight)| sum.plus(&weight, number))
}

/// So many numbers may have their differences tried.
const MOST_DIFFERENCES: usize = 4;

/// Some move leads to a component of the closed form so that this holds of the numbers before and after.
fn leads<'p>(scope: &mut Scope<'p>, fact: &Fact<'p>, part: &Part, asked: Change<'_>) -> Result<Formula, No> {
    let naturals: Vec<bool> = fact.shapes.iter().flat_map(Shape::naturals).collect();
    let before = measured(scope, part, &naturals);
    scope.some_move(part, &mut |scope, next| {
        let (Next::To(parts) | Next::Again(parts)) = next else { return Ok(Formula::Constant(false)) };
        let options = parts.iter().filter(|option| fact.fits(option));
        let after: Vec<_> = options.map(|option| measured(scope, option, &naturals)).collect();
        Ok(Formula::any(after.iter().map(|after| asked(&before, after))))
    })
}

/// The numbers of a component, and behind them the absolute value of each.
fn measured(scope: &mut Scope<'_>, part: &Part, naturals: &[bool]) -> Vec<Linear> {
    let numbers = scope.numbers_of(&part.fields).unwrap_or_default();
    let absolute: Vec<Linear> = numbers
        .iter()
        .zip(naturals)
        .map(|(number, natural)| if *natural { number.clone() } else { scope.absolute(number) })
        .collect();
    [numbers, absolute].concat()
}

fn same(fixed: &[Measure], before: &[Linear], after: &[Linear]) -> Formula {
    Formula::all(fixed.iter().map(|measure| Formula::equal(&measure.value(before), &measure.value(after))))
}
