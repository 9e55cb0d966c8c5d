//! Whether every play of a game ends after finitely many moves without a draw, read off its rules.
//!
//! Each move must make the fields smaller in some lexicographic order (a lexicographic ranking function found greedily:
//! A. Bradley, Z. Manna, H. Sipma, "Linear ranking with reachability", CAV 2005, section 4), where a number counts as
//! itself, a list of numbers as their sum, a set as its size, a set of vertices or edges also as what it lacks, a set or bag of
//! numbers also as their sum. What the rules do not show in so many words counts as anything.

mod change;
mod number;

use crate::analysis::termination::change::{Change, Counted, Look, Measure};
use crate::model::builtin::Builtin;
use crate::model::{BinaryOp, Ending, GameId, Gather, Move, PlaceParams, Program, Target, Term, TermKind};
use crate::syntax::tree::Outcome;

/// Whether no play of a game goes on for ever or is drawn, by a proof from its rules; `false` says nothing.
///
/// Linear in the rules, times the fields.
#[must_use]
pub fn always_ends(program: &Program, game: GameId) -> bool {
    let mut todo = vec![game];
    let mut met = vec![game];
    while let Some(id) = todo.pop() {
        let one = &program.games[id.0];
        if !ends_alone(program, id) {
            return false;
        }
        for &next in one.successors.iter().filter(|&&next| next != id) {
            if leads_to(program, next, id) {
                return false;
            }
            if !met.contains(&next) {
                met.push(next);
                todo.push(next);
            }
        }
    }
    true
}

fn leads_to(program: &Program, from: GameId, to: GameId) -> bool {
    let mut met = vec![from];
    let mut at = 0;
    while let Some(id) = met.get(at).copied() {
        if id == to {
            return true;
        }
        for &next in &program.games[id.0].successors {
            if !met.contains(&next) {
                met.push(next);
            }
        }
        at += 1;
    }
    false
}

/// The same for the moves within a game.
fn ends_alone(program: &Program, id: GameId) -> bool {
    let game = &program.games[id.0];
    let drawn = |ending: &Ending| matches!(ending, Ending::Play(Outcome::Draw) | Ending::Score(_));
    if !game.same.is_empty() || game.ends.iter().any(|end| drawn(&end.verdict)) {
        return false;
    }
    let mut steps: Vec<(&Move, &[Option<Term>])> = Vec::new();
    for mv in &game.moves {
        if !places(&mv.target, id, &mut |fields| steps.push((mv, fields))) {
            return false;
        }
    }
    let all = [Counted::Plain, Counted::Lack, Counted::Sum];
    let mut measures: Vec<Measure> = (0..game.fields.len()).flat_map(|i| all.map(|counted| (i, counted))).collect();
    while !steps.is_empty() {
        let look = |measure: Measure, (mv, fields): (&Move, &[Option<Term>])| Look { game, mv }.change(measure, fields);
        let found = measures.iter().position(|&measure| {
            let changes = || steps.iter().map(|&step| look(measure, step));
            changes().all(|change| change != Change::Anything) && changes().any(|change| change == Change::Down)
        });
        let Some(found) = found else { return false };
        let measure = measures.remove(found);
        steps.retain(|&step| look(measure, step) != Change::Down);
    }
    true
}

/// Hands on the fields of every component of this game that a target leads to; `false` when some are not known.
fn places<'p>(target: &'p Target, id: GameId, each: &mut impl FnMut(&'p [Option<Term>])) -> bool {
    match target {
        Target::If(_, yes, no) => places(yes, id, each) && places(no, id, each),
        Target::Stop(outcome) => *outcome != Outcome::Draw,
        Target::Go { gain: Some(_), .. } => false,
        Target::Go { position, .. } => {
            let mut todo = vec![position];
            while let Some(term) = todo.pop() {
                match &term.kind {
                    TermKind::Place(place) if place.game != id => {}
                    TermKind::Place(place) if matches!(place.params, PlaceParams::Own) => each(&place.fields),
                    TermKind::Binary(BinaryOp::Add, a, b) | TermKind::If(_, a, b) => todo.extend([&**a, &**b]),
                    TermKind::Misere(inner) => todo.push(inner),
                    TermKind::Builtin(Builtin::Sum, args) => match &args[..] {
                        [Term { kind: TermKind::Comprehension(Gather::List, value, _), .. }] => todo.push(value),
                        _ => return false,
                    },
                    _ => return false,
                }
            }
            true
        }
    }
}
