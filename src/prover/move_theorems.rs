//! Statements about single moves: which of them win, from who loses where they lead.

use crate::model::{Clause, Game, Program, Slot};
use crate::prover::facts::{Fact, Says};
use crate::prover::induction::{Known, NO_VALUE};
use crate::prover::obligations::{good, option_value};
use crate::prover::options::Next;
use crate::prover::proof_log::{ProofLog, ProofMethod};
use crate::prover::scope::{Scope, system};
use crate::prover::symbol::{No, Part, Sym};
use crate::prover::term::Env;
use grundy_automata::{Formula, Linear, System};
use num_bigint::BigUint;
use std::collections::BTreeSet;
use std::rc::Rc;

/// `theorem winning NAME for CLAUSES`, or `theorem moves to X NAME for CLAUSES`
pub(super) struct Stated<'p> {
    /// The name for the Grundy value to which moves lead; without it, winning moves are stated.
    pub(super) to: Option<Slot>,
    pub(super) name: &'p str,
    pub(super) clauses: &'p [Clause],
    pub(super) slots: &'p [Slot],
    /// Names of moves none of which is stated.
    pub(super) none: Vec<&'p str>,
}

/// What must never happen.
const NOT_STATED: &str = "a move wins that is not stated, or does not win that is";
const LEADS_ELSEWHERE: &str = "a move leads to a value for which it is not stated, or does not where it is";
const NO_LINE: &str = "a move wins whose name has no line";

/// What became of a statement about moves.
pub(super) enum Moves {
    /// They are as it says, decided in this system, by these certified periods.
    As { system: System, notes: BTreeSet<Rc<str>> },
    /// They are not, first in the position of these numbers.
    Otherwise(Vec<BigUint>),
}

/// Whether the moves of that name that win are those that are stated, in all positions that a proved closed form speaks of.
pub(super) fn decide<'p>(
    program: &'p Program,
    known: &Known<'p>,
    fact: &Rc<Fact<'p>>,
    lines: &Stated<'p>,
    which: String,
    desk: &ProofLog,
) -> Result<Moves, No> {
    desk.clear();
    let game = &program.games[fact.game.0];
    let mut scope = Scope::new(program, known.clone());
    let (fields, tracks, said) = scope.state(game, &fact.shapes);
    let part = Part { game: fact.game, params: fact.params.clone(), fields };
    scope.assume(said.clone());
    let inside = scope.local(|scope| {
        let inside = scope.in_domain(&part)?;
        let covered = scope.under(&inside, |scope| fact.covers(scope, &part))?;
        Ok(Formula::all([inside, covered]))
    })?;
    scope.taken_needs();
    let domain = Formula::all([said, inside]);
    if let Formula::Constant(false) = domain {
        desk.step("there is a position", &domain);
        desk.close(which, ProofMethod::Nothing, System::Binary);
        return Ok(Moves::As { system: System::Binary, notes: BTreeSet::new() });
    }
    scope.assume(domain.clone());
    let values: Vec<Linear> = lines.slots.iter().map(|_| Linear::track(scope.free())).collect();
    let to = lines.to.map(|slot| (slot, Linear::track(scope.free())));
    let stated = {
        let mut env = scope.game_env(&part);
        env.slots.extend(to.clone().map(|(slot, value)| (slot, Sym::Int(value))));
        scope.ways(lines.clauses, &env, &mut |scope, env| {
            natural(scope, env, lines.slots);
            same(env, lines.slots, &values)
        })?
    };
    // Whether a move is one of those that are asked for.
    let right = |scope: &mut Scope<'p>, next: &Next<'_>| match &to {
        None => good(scope, fact, next),
        Some((_, value)) => Ok(Formula::equal(&option_value(scope, fact, next)?, value)),
    };
    let (mut ways, mut others) = (Vec::new(), Vec::new());
    for mv in &game.moves {
        if mv.name == lines.name {
            ways.push(scope.some_of(&part, std::slice::from_ref(mv), &mut |scope, env, next| {
                natural(scope, env, &mv.binders);
                let chosen = same(env, &mv.binders, &values)?;
                Ok(Formula::all([chosen, right(scope, &next)?]))
            })?);
        } else if lines.none.contains(&mv.name.as_str()) {
            others.push(scope.some_of(&part, std::slice::from_ref(mv), &mut |scope, _, next| right(scope, &next))?);
        }
    }
    let found = Formula::any(ways);
    let what = if to.is_some() { LEADS_ELSEWHERE } else { NOT_STATED };
    let mut never = vec![(what, Formula::all([domain.clone(), found.iff(stated).not()]))];
    if !others.is_empty() {
        never.push((NO_LINE, Formula::all([domain.clone(), Formula::any(others)])));
    }
    let needs = scope.taken_needs().into_iter();
    never.extend(needs.map(|need| (NO_VALUE, Formula::all([domain.clone(), need.not()]))));
    let system = system(&scope.digits)?;
    let mut wrong = false;
    for (what, never) in &never {
        if desk.compile(never, system)?.is_empty() {
            desk.step(*what, never);
        } else if *what == NO_VALUE {
            return Err(No::bare("a term of the statement or of the rules may have no value"));
        } else {
            wrong = true;
        }
    }
    if wrong {
        let somewhere = Formula::any(never.into_iter().map(|(_, never)| never));
        let others = somewhere.free().into_iter().filter(|track| !tracks.contains(track)).collect();
        let automaton = desk.compile(&Formula::exists(others, somewhere), system)?;
        let numbers = grundy_automata::least(&automaton, &tracks, system, &desk.limit)?;
        return Ok(Moves::Otherwise(numbers.unwrap_or_default()));
    }
    desk.close(which, if to.is_some() { ProofMethod::MovesTo } else { ProofMethod::Moves }, system);
    Ok(Moves::As { system, notes: scope.notes })
}

/// Says that the values of these slots must not be negative: the variables for them never are.
fn natural(scope: &mut Scope<'_>, env: &Env<'_>, slots: &[Slot]) {
    for number in slots.iter().filter_map(|slot| env.slots.get(slot)) {
        if let Sym::Int(number) = number {
            scope.need(Formula::at_most(&Linear::default(), number));
        }
    }
}

/// Whether the values of these slots are those numbers.
fn same(env: &Env<'_>, slots: &[Slot], values: &[Linear]) -> Result<Formula, No> {
    let mut equal = Vec::new();
    for (slot, value) in slots.iter().zip(values) {
        match env.slots.get(slot) {
            Some(Sym::Int(number)) => equal.push(Formula::equal(number, value)),
            _ => return Err(No::bare("moves that are told apart by more than numbers")),
        }
    }
    Ok(Formula::all(equal))
}

/// The closed forms of a game that tell who loses, or only those that tell Grundy values.
pub(super) fn of<'p>(known: &Known<'p>, game: &'p Game, program: &'p Program, values: bool) -> Vec<Rc<Fact<'p>>> {
    let mut seen: Vec<Rc<Fact<'p>>> = Vec::new();
    // Those that speak of some positions only, where there are no others.
    let whole = |fact: &&Rc<Fact<'p>>| fact.speaks_of_all(program);
    for fact in known.iter().filter(whole).chain(known.iter().filter(|fact| !whole(fact))) {
        let this = std::ptr::eq(&raw const program.games[fact.game.0], game)
            && if fact.says == Says::Grundy { !fact.misere } else { !values };
        let again = seen.iter().any(|other| {
            other.shapes == fact.shapes
                && crate::prover::facts::same(&other.params, &fact.params)
                && other.misere == fact.misere
        });
        if this && !again {
            seen.push(fact.clone());
        }
    }
    seen
}
