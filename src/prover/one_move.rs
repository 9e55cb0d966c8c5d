//! Positions that are won by one move: it ends the play so, or leads to a position without a move.
//!
//! What other moves do is of no account, so that nothing need be known of where they lead.

use crate::logic::facts::Exponents;
use crate::logic::moves::Next;
use crate::logic::scope::Scope;
use crate::logic::symbol::{No, Part};
use crate::model::{Claim, Term};
use crate::prover::Prover;
use crate::prover::claims::{Chosen, which};
use crate::prover::induction::NO_VALUE;
use crate::prover::proof_log::{ProofLog, method};
use crate::prover::relations::{Setting, component, ends};
use crate::syntax::tree::Outcome;
use grundy_automata::Formula;
use std::rc::Rc;

/// What must never be.
const NONE: &str = "no move of the position wins at once";
const OUTSIDE: &str = "it is no position";

impl<'p> Prover<'_, 'p> {
    /// Proves that the player to move wins at all positions that a claim speaks of, where more conditions hold, by a move after which the
    /// other player has none. Returns how, in words. Errors: what stands in the way.
    pub(super) fn won_at_once(
        &self,
        claim: &'p Claim,
        (position, more): (&'p Term, &[&'p Term]),
        chosen: &Chosen,
        (title, exponents): (&Rc<str>, &Exponents),
        desk: &ProofLog,
    ) -> Result<String, No> {
        desk.clear();
        let mut scope = Scope::new(self.program, self.known.clone());
        let setting = Setting::of(claim, chosen, exponents, &mut scope)?;
        let Setting { env, tracks, guards, .. } = &setting;
        let domain = scope.local(|scope| {
            let mut domain = setting.variables_are(scope, env)?;
            for guard in guards.iter().chain(more) {
                let said = scope.under(&domain.clone(), |scope| scope.truth(guard, env))?;
                domain = Formula::all([domain, said]);
            }
            Ok(domain)
        })?;
        let mut never: Vec<(&str, Formula)> =
            scope.taken_needs().into_iter().map(|need| (NO_VALUE, need.not())).collect();
        scope.assume(domain.clone());
        // How the position is made; what is said of it is said again where it is used.
        let mut look = Scope::new(self.program, self.known.clone());
        for _ in tracks {
            look.free();
        }
        let (part, misere) = component(&mut look, position, env)?;
        if misere {
            return Err(No::at(position.span, "misere play"));
        }
        let outside = scope.local(|scope| {
            let (part, _) = component(scope, position, env)?;
            Ok(scope.in_domain(&part)?.not())
        })?;
        never.push((OUTSIDE, Formula::all([domain.clone(), outside])));
        let none = scope.local(|scope| {
            let (part, _) = component(scope, position, env)?;
            Ok(scope.some_move(&part, &mut |scope, next| lost(scope, &next))?.not())
        })?;
        never.push((NONE, Formula::all([domain.clone(), none])));
        for need in scope.taken_needs() {
            never.push((NO_VALUE, Formula::all([domain.clone(), need.not()])));
        }
        let fact = self.everywhere(&part, misere, false, title)?;
        let (statements, system) = self.all_never(never, &scope, &fact, tracks, desk)?;
        desk.close(which(claim, chosen), method::AT_ONCE, system);
        self.rests_on(&scope.notes, desk);
        Ok(format!("a move wins at once: {statements} statements decided by automata, {}", system.word()))
    }
}

/// Whether a move leads to the end of the play, so that the player who made it wins.
fn lost(scope: &mut Scope<'_>, next: &Next<'_>) -> Result<Formula, No> {
    match next {
        Next::Stop(outcome) => Ok(Formula::Constant(*outcome == Outcome::First)),
        Next::Again(_) => Ok(Formula::Constant(false)),
        Next::To(parts) => {
            let mut all = Vec::new();
            for part in *parts {
                all.push(over(scope, part, parts.len() == 1)?);
            }
            Ok(Formula::all(all))
        }
    }
}

/// Whether there is no move in a component, and no end by which the player to move wins; the only one may have an end by which he loses.
fn over(scope: &mut Scope<'_>, part: &Part, only: bool) -> Result<Formula, No> {
    let [wins, loses] = ends(scope, part, false)?;
    let moves = scope.local(|scope| scope.some_move(part, &mut |_, _| Ok(Formula::Constant(true))))?;
    let none = Formula::all([wins.not(), loses.clone().not(), moves.not()]);
    Ok(if only { Formula::any([loses, none]) } else { none })
}
