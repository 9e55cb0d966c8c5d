//! Statements about single moves: which of them win, from who loses where they lead.

use super::desk::{By, Desk};
use super::facts::{Fact, Says};
use super::induct::{Known, good};
use super::scope::{Scope, system};
use super::symbol::{No, Part, Sym};
use super::term::Env;
use crate::check::model::{Clause, Game, Program, Slot};
use crate::logic::{Formula, Linear, System};
use std::rc::Rc;

/// `theorem winning NAME for CLAUSES`
pub(super) struct Winning<'p> {
    pub(super) name: &'p str,
    pub(super) clauses: &'p [Clause],
    pub(super) slots: &'p [Slot],
}

/// Whether the moves of that name that win are those that are stated, in all positions that a proved closed form speaks of;
/// the system of the proof, the largest automaton, or where it fails.
pub(super) fn decide<'p>(
    program: &'p Program,
    known: &Known<'p>,
    fact: &Rc<Fact<'p>>,
    winning: &Winning<'p>,
    which: String,
    desk: &Desk,
) -> Result<System, No> {
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
        desk.close(which, By::Nothing, System::Binary);
        return Ok(System::Binary);
    }
    scope.assume(domain.clone());
    let values: Vec<Linear> = winning.slots.iter().map(|_| Linear::track(scope.free())).collect();
    let stated = {
        let env = scope.game_env(&part);
        scope.ways(winning.clauses, &env, &mut |scope, env| {
            // The variables for them are never negative.
            for number in winning.slots.iter().filter_map(|slot| env.slots.get(slot)) {
                if let Sym::Int(number) = number {
                    scope.need(Formula::at_most(&Linear::default(), number));
                }
            }
            same(env, winning.slots, &values)
        })?
    };
    let mut ways = Vec::new();
    for mv in game.moves.iter().filter(|mv| mv.name == winning.name) {
        let fact = fact.clone();
        ways.push(scope.some_of(&part, std::slice::from_ref(mv), &mut |scope, env, next| {
            let chosen = same(env, &mv.binders, &values)?;
            Ok(Formula::all([chosen, good(scope, &fact, &next)?]))
        })?);
    }
    let wins = Formula::any(ways);
    let mut never = vec![Formula::all([domain.clone(), wins.iff(stated).not()])];
    never.extend(scope.taken_needs().into_iter().map(|need| Formula::all([domain.clone(), need.not()])));
    let system = system(&scope.digits)?;
    for (i, never) in never.iter().enumerate() {
        let automaton = desk.compile(never, system)?;
        if !automaton.is_empty() {
            let all: Vec<_> = never.free().into_iter().collect();
            let numbers = crate::logic::least(&automaton, &all, system, &desk.limit)?.unwrap_or_default();
            let at = all.iter().zip(numbers).filter(|(track, _)| tracks.contains(track));
            let shown: Vec<String> = at.map(|(_, number)| number.to_string()).collect();
            return Err(No::bare(format!("it may not hold at ({}), which was not played through", shown.join(", "))));
        }
        let what =
            if i == 0 { "a move wins that is not stated, or does not win that is" } else { "a term may have no value" };
        desk.step(what, never);
    }
    for note in &scope.notes {
        desk.beside(note);
    }
    desk.close(which, By::Moves, system);
    Ok(system)
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

/// The closed forms of a game that tell who loses.
pub(super) fn of<'p>(known: &Known<'p>, game: &'p Game, program: &'p Program) -> Vec<Rc<Fact<'p>>> {
    let mut seen: Vec<Rc<Fact<'p>>> = Vec::new();
    for fact in known.iter() {
        let this =
            std::ptr::eq(&raw const program.games[fact.game.0], game) && (fact.says != Says::Grundy || !fact.misere);
        let again = seen.iter().any(|other| {
            other.shapes == fact.shapes
                && super::facts::same(&other.params, &fact.params)
                && other.misere == fact.misere
        });
        if this && !again {
            seen.push(fact.clone());
        }
    }
    seen
}
