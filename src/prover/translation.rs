//! Rules and closed forms as a proof reads them, held against the rules as they are played, at single positions.
//!
//! A proof reads rules as formulas ([`crate::logic`]), play runs them as code ([`crate::bytecode`]). The two share the checked
//! program, and nothing behind it. Where all numbers of a position are known both can be asked: whether it is a position of which the
//! statement speaks, where its moves lead, and what the closed form says of it. Small positions and ones with numbers up to 10^18 are
//! asked, so that a formula that is wrong far out is found, where no search of small positions comes. This is no proof that the
//! translation is right.
//!
//! In: a closed form that is proved. Out: at how many positions the two were the same, or where they are not. A position is passed over
//! where its moves are too many, a value is not defined or the formulas are too large.

use crate::bytecode::InstanceId;
use crate::claims::theorem::{alone, component};
use crate::claims::within;
use crate::engines::{Worth, first_moves};
use crate::logic::exponents::values_compared;
use crate::logic::facts::{Claimed, Fact, Says};
use crate::logic::moves::Next;
use crate::logic::scope::{Scope, system};
use crate::logic::symbol::{No, Part, Shape, Sym, shapes};
use crate::model::walk::{each_term, game_terms};
use crate::model::{CompareOp, GameId, Program, Slot, Term, TermKind};
use crate::prover::induction::{Known, PositionContext};
use crate::syntax::tree::Outcome;
use crate::value::limits::Limits;
use crate::value::{Component, Run, Shape as PositionShape, Value};
use crate::vm::context::Context;
use grundy_automata::{Formula, Limit, Linear, compile, least};
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// At how many positions formulas and rules were the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// So many positions.
    pub positions: u64,
    /// The greatest number in them.
    pub greatest: BigUint,
}

impl Compared {
    /// Takes up what was compared besides.
    pub(super) fn add(&mut self, other: Compared) {
        self.positions += other.positions;
        self.greatest = std::mem::take(&mut self.greatest).max(other.greatest);
    }
}

/// Positions that are tried for one closed form.
const TRIED: u64 = 50;
/// If a position has so many moves at most, all of them are held against the formula; of more only some are.
const ALL: usize = 40;
const SOME: usize = 6;
/// So many steps may the rules take for the moves of one position, and for one value.
const STEPS: u64 = 20_000;
/// None is looked at any longer.
const TIME: Duration = Duration::from_secs(1);

/// Where one move leads, by the rules.
#[derive(PartialEq, Eq)]
enum Led {
    Stop(Outcome),
    To { keeps_turn: bool, parts: Vec<Component> },
}

/// Holds a closed form and the moves of its positions against the rules. `Err`: where they differ.
pub(super) fn compared<'p>(
    ctx: &mut Context,
    program: &'p Program,
    known: &Known<'p>,
    fact: &Rc<Fact<'p>>,
) -> Result<Compared, String> {
    let mut all = Compared::default();
    if !fact.beside.is_empty() {
        // The components of a sum are compared where something is said of them.
        return Ok(all);
    }
    let mut random = Numbers { state: 1, written: written(program, fact) };
    for look in 0..TRIED {
        let numbers = random.of(&fact.shapes, look / 2);
        // Every second is one of those that the statement speaks of.
        let numbers = if look % 2 == 0 { Some(numbers) } else { at_least(program, known, fact, &numbers) };
        let Some(numbers) = numbers else { continue };
        if all_same(ctx, program, known, fact, &numbers)? {
            all.add(Compared { positions: 1, greatest: numbers.into_iter().max().unwrap_or_default() });
        }
    }
    Ok(all)
}

/// The numbers of a position of which a closed form speaks, none of them below these; `None`: there is none, or it is not found soon.
fn at_least<'p>(
    program: &'p Program,
    known: &Known<'p>,
    fact: &Rc<Fact<'p>>,
    numbers: &[BigUint],
) -> Option<Vec<BigUint>> {
    let PositionContext { scope, tracks, domain, .. } = PositionContext::of(program, known, fact).ok()?;
    let bounds = tracks
        .iter()
        .zip(numbers)
        .map(|(track, number)| Formula::at_most(&Linear::number(BigInt::from(number.clone())), &Linear::track(*track)));
    let (limit, system) = (small(), system(&scope.digits).ok()?);
    let automaton = compile(&Formula::all(bounds.chain([domain])), system, &limit).ok()?;
    least(&automaton, &tracks, system, &limit).ok()?
}

/// The limits of automata for one position.
fn small() -> Limit {
    Limit { states: 20_000, tests: 400_000, ..Limit::default() }
}

/// Holds the moves of a game as they are read in one program against those that are played in another, which is the same but in tests;
/// with these rule parameters, and lists and their like of so many members. `Err`: where they differ.
pub fn moves_compared(
    ctx: &mut Context,
    program: &Program,
    game: GameId,
    params: &[Value],
    size: usize,
) -> Result<Compared, String> {
    let Some(shapes) = shapes(&program.games[game.0].fields, size) else { return Ok(Compared::default()) };
    let Some(params) = params.iter().map(Sym::of).collect::<Option<Vec<Sym>>>() else { return Ok(Compared::default()) };
    let any = Fact::of_game(program, game, params, shapes, (Says::Loses, Claimed::Always(true)), "".into());
    compared(ctx, program, &Known::default(), &Rc::new(any))
}

/// The numbers that stand in the rules of a closed form's game, in what it says, and in definitions.
fn written(program: &Program, fact: &Fact<'_>) -> Vec<u64> {
    let (numbers, conditions) = game_terms(&program.games[fact.game.0]);
    let claimed = if let Claimed::Term(term) = fact.claimed { Some(term) } else { None };
    let defined = program.defs.iter().filter_map(|def| def.body.as_ref());
    let mut all = BTreeSet::new();
    for term in
        numbers.into_iter().chain(conditions).chain(claimed).chain(fact.only.guards.iter().copied()).chain(defined)
    {
        each_term(term, &mut |term| {
            if let TermKind::Int(number) = &term.kind {
                all.extend(number.to_u64().filter(|number| *number < u64::MAX));
            }
        });
    }
    all.into_iter().collect()
}

/// Numbers from one that is multiplied and added to (Knuth's linear congruential generator).
struct Numbers {
    state: u64,
    written: Vec<u64>,
}

impl Numbers {
    fn below(&mut self, most: u64) -> u64 {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 11) % most.max(1)
    }

    /// The numbers of a position of these shapes, a whole number as two of which one is 0: by turns small, far out, all near to one another,
    /// one far out beside small ones, or one near to a number that is written in the rules beside small ones.
    fn of(&mut self, shapes: &[Shape], look: u64) -> Vec<BigUint> {
        let written = usize::try_from(self.below(self.written.len() as u64)).unwrap_or_default();
        let near = self.written.get(written).copied().unwrap_or_default();
        let far = match self.below(3) {
            0 => self.below(10_000),
            1 => (1 << self.below(60)) + self.below(3),
            _ => self.below(1_000_000_000_000_000_000),
        };
        let truths: Vec<bool> = shapes.iter().flat_map(Shape::truths).collect();
        let one_far = self.below(truths.len() as u64);
        let number = |(at, truth): (u64, bool)| {
            BigUint::from(match (look % 5, truth) {
                (_, true) => self.below(2),
                (1, _) => self.below(50),
                (2, _) => far.saturating_sub(self.below(6)),
                (3, _) if at == one_far => far,
                (4, _) if at == one_far => (near + self.below(3)).saturating_sub(1),
                _ => self.below(8),
            })
        };
        let mut numbers: Vec<BigUint> = (0..).zip(truths).map(number).collect();
        let mut from = 0;
        for shape in shapes {
            if let Shape::Set(size) = shape {
                let members = &mut numbers[from..from + size];
                members.sort_unstable();
                members.iter_mut().enumerate().for_each(|(at, member)| *member += at);
            }
            if let Shape::Whole = shape {
                // The difference of the two, of which one is 0.
                let none = from + usize::from(numbers[from] >= numbers[from + 1]);
                numbers[none] = BigUint::ZERO;
            }
            from += shape.truths().len();
        }
        numbers
    }
}

/// Whether formulas and rules were the same at a position; `false`: it was passed over. `Err`: they are not.
fn all_same<'p>(
    ctx: &mut Context,
    program: &'p Program,
    known: &Known<'p>,
    fact: &Rc<Fact<'p>>,
    numbers: &[BigUint],
) -> Result<bool, String> {
    let Ok(setting) = PositionContext::of(program, known, fact) else { return Ok(false) };
    let PositionContext { mut scope, part, tracks, domain } = setting;
    let here = tracks
        .iter()
        .zip(numbers)
        .map(|(track, number)| Formula::equal(&Linear::track(*track), &Linear::number(BigInt::from(number.clone()))));
    let here = Formula::all(here);
    let values = positioned(fact, numbers);
    let shown = || format!("({})", values.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "));
    let Some(spoken_of) = happens(&scope, &Formula::all([here.clone(), domain.clone()])) else { return Ok(false) };
    let given: Vec<Option<Value>> = values.iter().cloned().map(Some).collect();
    let found = tried(ctx, |ctx| component(ctx, fact.game, &given));
    let Some(found) = found else { return Ok(false) };
    let legal = !program.games[fact.game.0].legal.is_empty();
    let Some((found, instance)) = found else {
        return if spoken_of && !legal { Err(format!("{} is no position by the rules", shown())) } else { Ok(false) };
    };
    let Some(guarded) = guarded(ctx, fact, numbers, (instance, &found)) else { return Ok(false) };
    if guarded == Guarded::Spoken(!spoken_of) {
        return Err(format!("whether the statement speaks of {} is read otherwise", shown()));
    }
    if !spoken_of {
        return Ok(guarded != Guarded::Otherwise);
    }
    let here = Formula::all([here, domain]);
    if let Some(said) = said(ctx, fact, numbers, (instance, &found))
        && let Ok(otherwise) = says_otherwise(&mut scope, fact, &part, &said)
        && happens(&scope, &Formula::all([here.clone(), otherwise])) == Some(true)
    {
        return Err(format!("the closed form of {} is read otherwise than as {said}", shown()));
    }
    let at = Arc::new(alone(&program.games[fact.game.0], &found));
    let Some((plays, more)) = tried(ctx, |ctx| first_moves(ctx, &at, ALL)) else { return Ok(false) };
    let mut led: Vec<Led> = Vec::new();
    for play in plays {
        let to = match (play.next, play.worth) {
            (Some(next), _) => match &next.shape {
                PositionShape::Sum(parts) => Led::To { keeps_turn: play.keeps_turn, parts: parts.to_vec() },
                PositionShape::Compound(..) => return Ok(false),
            },
            (None, Some(Worth::Wins)) => Led::Stop(Outcome::First),
            (None, Some(Worth::Loses)) => Led::Stop(Outcome::Second),
            (None, Some(Worth::Draws)) => Led::Stop(Outcome::Draw),
            (None, _) => return Ok(false),
        };
        if !led.contains(&to) {
            led.push(to);
        }
    }
    let mut lead = |asked: &dyn Fn(&mut Scope<'p>, &Next<'_>) -> Result<Formula, No>| {
        let some = scope.local(|scope| scope.some_move(&part, &mut |scope, next| asked(scope, &next))).ok()?;
        happens(&scope, &Formula::all([here.clone(), some]))
    };
    for to in led.iter().take(if more { SOME } else { ALL }) {
        match lead(&|scope, next| leads_to(scope, next, to)) {
            Some(true) => {}
            Some(false) => return Err(format!("a move from {} is not in the formulas", shown())),
            None => return Ok(false),
        }
    }
    if more {
        return Ok(true);
    }
    let elsewhere = lead(&|scope, next| {
        let mut known = Vec::new();
        for to in &led {
            known.push(leads_to(scope, next, to)?);
        }
        Ok(Formula::any(known).not())
    });
    match elsewhere {
        Some(true) => Err(format!("by the formulas a move leads from {} to where none leads", shown())),
        Some(false) => Ok(true),
        None => Ok(false),
    }
}

/// The rule parameters and fields.
fn positioned(fact: &Fact<'_>, numbers: &[BigUint]) -> Vec<Value> {
    let mut numbers = numbers.iter().cloned().map(BigInt::from);
    let params = fact.params.iter().filter_map(Sym::known).collect::<Vec<_>>();
    params.into_iter().chain(fact.shapes.iter().map(|shape| shape.value(&mut numbers))).collect()
}

/// Whether some numbers make a formula true; `None`: it is too large.
fn happens(scope: &Scope<'_>, formula: &Formula) -> Option<bool> {
    Some(!compile(formula, system(&scope.digits).ok()?, &small()).ok()?.is_empty())
}

/// What comes of it, if it comes soon.
fn tried<T>(ctx: &mut Context, work: impl FnMut(&mut Context) -> Run<T>) -> Option<T> {
    let most = ctx.run.fuel.saturating_add(STEPS);
    let narrow = |limits: &mut Limits| limits.steps = Some(limits.steps.map_or(most, |steps| steps.min(most)));
    within(ctx, TIME, |ctx| ctx.under(narrow, |ctx| ctx.with_recovery(work))).ok()
}

/// The value of a term of a closed form at a position; `None`: it has none, or its names are not those of the position.
fn value(
    ctx: &mut Context,
    fact: &Fact<'_>,
    numbers: &[BigUint],
    (instance, at): (InstanceId, &Component),
    term: &Term,
) -> Option<Value> {
    let own = &fact.only;
    if !(own.any.is_empty() && own.made.is_empty() && own.order.is_empty() && own.exponents.is_empty()) {
        return None;
    }
    let named: Option<(Vec<Slot>, Vec<Value>)> = match fact.named(numbers.to_vec()) {
        None => None,
        Some(named) => {
            let chosen = fact.env.slots.iter().map(|(slot, sym)| Some((*slot, sym.known()?)));
            let mut slots: BTreeMap<Slot, Value> = chosen.collect::<Option<_>>()?;
            slots.extend(named.into_iter().map(|(slot, number)| (slot, Value::int(BigInt::from(number)))));
            Some(slots.into_iter().unzip())
        }
    };
    let evaluated = |ctx: &mut Context| match &named {
        None => ctx.eval_in_game(instance, term, &at.state),
        Some((slots, values)) => ctx.eval_with(fact.env.frame, slots, values, term),
    };
    tried(ctx, evaluated)
}

/// Whether a statement speaks of a position, by its guards.
#[derive(PartialEq, Eq)]
enum Guarded {
    Spoken(bool),
    /// Its positions are not told by guards alone.
    Otherwise,
}

/// `None`: a guard has no value.
fn guarded(ctx: &mut Context, fact: &Fact<'_>, numbers: &[BigUint], at: (InstanceId, &Component)) -> Option<Guarded> {
    let own = &fact.only;
    if own.position.is_some() || own.over.is_some() || !own.any.is_empty() || !own.made.is_empty() {
        return Some(Guarded::Otherwise);
    }
    for guard in &own.guards {
        match value(ctx, fact, numbers, at, guard)? {
            Value::Bool(true) => {}
            Value::Bool(false) => return Some(Guarded::Spoken(false)),
            _ => return None,
        }
    }
    Some(Guarded::Spoken(true))
}

/// What a closed form comes to.
enum Said {
    Value(BigInt),
    /// Whether the player to move loses.
    Lost(bool),
}

impl std::fmt::Display for Said {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Said::Value(value) => write!(out, "{value}"),
            Said::Lost(lost) => write!(out, "{}", if *lost { "lost" } else { "won" }),
        }
    }
}

fn said(ctx: &mut Context, fact: &Fact<'_>, numbers: &[BigUint], at: (InstanceId, &Component)) -> Option<Said> {
    let Claimed::Term(term) = fact.claimed else { return None };
    let value = value(ctx, fact, numbers, at, term)?;
    Some(match (fact.says, value) {
        (Says::Grundy, value) => Said::Value(value.to_big().ok()?.into_owned()),
        (Says::Loses, Value::Bool(lost)) => Said::Lost(lost),
        (Says::Wins, Value::Bool(wins)) => Said::Lost(!wins),
        _ => return None,
    })
}

/// Where the closed form, as a formula, comes to something else.
fn says_otherwise<'p>(scope: &mut Scope<'p>, fact: &Fact<'p>, part: &Part, said: &Said) -> Result<Formula, No> {
    scope.local(|scope| match said {
        Said::Value(value) => {
            let formula = fact.value(scope, part)?;
            Ok(values_compared(CompareOp::Eq, &formula, &Sym::number(value.clone()))?.not())
        }
        Said::Lost(true) => Ok(fact.lost(scope, part)?.not()),
        Said::Lost(false) => fact.lost(scope, part),
    })
}

/// Where a move, as a formula, leads to this.
fn leads_to(scope: &mut Scope<'_>, next: &Next<'_>, to: &Led) -> Result<Formula, No> {
    match (next, to) {
        (Next::Stop(one), Led::Stop(other)) => Ok(Formula::Constant(one == other)),
        (Next::To(parts), Led::To { keeps_turn: false, parts: to })
        | (Next::Again(parts), Led::To { keeps_turn: true, parts: to }) => {
            let to: Vec<&Component> = to.iter().collect();
            same_sum(scope, parts, &to)
        }
        _ => Ok(Formula::Constant(false)),
    }
}

/// Where two sums have the same components, in whatever order.
fn same_sum(scope: &mut Scope<'_>, parts: &[Part], to: &[&Component]) -> Result<Formula, No> {
    let Some((first, rest)) = parts.split_first() else { return Ok(Formula::Constant(to.is_empty())) };
    if parts.len() != to.len() {
        return Ok(Formula::Constant(false));
    }
    let mut some = Vec::new();
    for at in 0..to.len() {
        let others = [&to[..at], &to[at + 1..]].concat();
        let same = same_component(scope, first, to[at])?;
        if !matches!(same, Formula::Constant(false)) {
            some.push(Formula::all([same, same_sum(scope, rest, &others)?]));
        }
    }
    Ok(Formula::any(some))
}

fn same_component(scope: &mut Scope<'_>, part: &Part, to: &Component) -> Result<Formula, No> {
    if part.game != to.game || part.params.len() != to.params.len() || part.fields.len() != to.state.len() {
        return Ok(Formula::Constant(false));
    }
    let span = scope.program.games[part.game.0].span;
    let (own, other) = (part.params.iter().chain(&part.fields), to.params.iter().chain(to.state.iter()));
    let mut same = Vec::new();
    for (own, other) in own.zip(other) {
        let other = Sym::of(other).ok_or_else(|| No::at(span, "a value that is not in the logic of the prover"))?;
        same.push(scope.equal(own, &other, span)?);
    }
    Ok(Formula::all(same))
}
