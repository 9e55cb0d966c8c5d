//! Closed forms of games whose moves lead to each other, proved together with one ranking for all: the sum of all numbers, and a constant
//! for each game, so that a move may leave the numbers as they are where it leads to a game with a smaller constant.

use crate::logic::facts::{Fact, instance_text};
use crate::logic::scope::system;
use crate::logic::symbol::{No, Shape};
use crate::model::Program;
use crate::prover::induction::{BY_SUM, Induction, Known, NO_RANKING, ObligationBuilder, failing, least_of};
use crate::prover::proof_log::ProofLog;
use grundy_automata::{Formula, Linear, System};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Tries to prove the first of some closed forms together with the others: each by the rules where moves lead to positions of any of
/// them, and every such move makes the sum of all numbers smaller, to which each has a constant of its own.
pub(super) fn prove_together<'p>(
    program: &'p Program,
    known: &Known<'p>,
    group: &[Rc<Fact<'p>>],
    which: &str,
    desk: &ProofLog,
) -> Result<Induction, No> {
    desk.clear();
    desk.limit.largest.store(0, std::sync::atomic::Ordering::Relaxed);
    let truths = |fact: &Rc<Fact<'p>>| fact.shapes.iter().flat_map(Shape::truths).filter(|truth| *truth).count();
    // All truth values together are less than 1, and so is a way through all of these without a number made smaller.
    let weight = (group.iter().map(truths).max().unwrap_or_default() + 1) * group.len();
    let (mut members, mut notes, mut statements) = (Vec::new(), BTreeSet::new(), 0);
    let beside = |at: usize| -> Known<'p> {
        let others = group.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, other)| other.clone());
        Rc::new(known.iter().cloned().chain(others).collect())
    };
    for (at, fact) in group.iter().enumerate() {
        let all = beside(at);
        let mut maker = ObligationBuilder::new(program, &all, known.len(), fact);
        let obligations = maker.complete()?;
        if obligations.is_empty() || !fact.shapes.iter().flat_map(Shape::naturals).all(|natural| natural) {
            return Err(No::bare(NO_RANKING));
        }
        let system = system(&maker.digits)?;
        for obligation in &obligations {
            let automaton = desk.compile(&obligation.never, system)?;
            if !automaton.is_empty() {
                let tracks = maker.setting()?.tracks;
                let numbers = least_of(obligation, automaton, fact, &tracks, system, &desk.limit)?;
                let game = &program.games[fact.game.0].name;
                return Err(failing(&format!("`{game}`: {}", obligation.name), &numbers.unwrap_or_default()));
            }
        }
        let mut rises = Vec::new();
        for to in group {
            rises.push(maker.rises(to, weight, system, desk)?);
        }
        notes.append(&mut maker.notes);
        statements += obligations.len() + 1;
        members.push((obligations, system, maker.by, rises));
    }
    let rises: Vec<&[Option<i64>]> = members.iter().map(|(.., rises)| &rises[..]).collect();
    let constants = constants(&rises).ok_or_else(|| No::bare(NO_RANKING))?;
    let mut rankings = Vec::new();
    for ((at, fact), (_, system, ..)) in group.iter().enumerate().zip(&members) {
        let all = beside(at);
        let mut maker = ObligationBuilder::new(program, &all, known.len(), fact);
        let mut falls = Vec::new();
        for (to, constant) in group.iter().zip(&constants) {
            let more = constants[at] - constant;
            falls.push(maker.moves_to(to, weight, &mut |before, after| {
                Formula::at_most(&before.plus(&more.into(), &Linear::number(1)), after)
            })?);
        }
        let falls = Formula::any(falls);
        if !desk.compile(&falls, *system)?.is_empty() {
            return Err(No::bare(NO_RANKING));
        }
        rankings.push(falls);
    }
    // All of it is decided: now it is kept.
    for ((at, fact), ((obligations, system, by, _), falls)) in
        group.iter().enumerate().zip(members.iter().zip(&rankings))
    {
        for obligation in obligations {
            desk.step(obligation.name, &obligation.never);
        }
        desk.step(BY_SUM, falls);
        match at {
            0 => desk.close(which.to_string(), *by, *system),
            _ => desk.close_beside(&fact.title, *by, *system),
        }
    }
    let system = members.first().map_or(System::Binary, |(_, system, ..)| *system);
    let largest = desk.limit.largest.load(std::sync::atomic::Ordering::Relaxed);
    let games = group[1..].iter().map(|fact| instance_text(program, fact.game, &fact.params));
    Ok(Induction { system, statements, largest, orders: false, beside: games.collect(), notes })
}

/// Constants `c` with `c[j] + rises[i][j] < c[i]` wherever there is a move from i to j, by the longest ways in the graph of these bounds;
/// `None`: some way around is no way down.
fn constants(rises: &[&[Option<i64>]]) -> Option<Vec<i64>> {
    let count = rises.len();
    let mut constants = vec![0; count];
    for _ in 0..=count {
        let mut changed = false;
        for (from, rises) in rises.iter().enumerate() {
            for (to, rise) in rises.iter().enumerate() {
                let Some(rise) = rise else { continue };
                let least = constants[to] + rise + 1;
                if least > constants[from] {
                    (constants[from], changed) = (least, true);
                }
            }
        }
        if !changed {
            return Some(constants);
        }
    }
    None
}
