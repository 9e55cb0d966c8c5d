//! What one move tells: a position is won that has a move which ends the play so, or leads to a position without a move; and two
//! positions have different values, and are not both lost, if a move leads from the one to the other.
//!
//! What other moves do is of no account, so that nothing need be known of where they lead.

use crate::logic::facts::Exponents;
use crate::logic::moves::Next;
use crate::logic::scope::Scope;
use crate::logic::symbol::{No, Part};
use crate::logic::wordings::{all_have_values, never_drawn, who_wins};
use crate::model::walk::bare;
use crate::model::{Builtin, Claim, CompareOp, LogicOp, Program, Term, TermKind};
use crate::prover::Prover;
use crate::prover::claims::{Chosen, which};
use crate::prover::induction::NO_VALUE;
use crate::prover::proof_log::ProofLog;
use crate::prover::relations::{Never, Setting, component, ends, equal};
use crate::syntax::tree::Outcome;
use grundy_automata::Formula;
use grundy_verify::Method;
use std::rc::Rc;

/// What must never be.
const NONE: &str = "no move of the position wins at once";
pub(super) const OUTSIDE: &str = "it is no position";
const BETWEEN: &str = "no move leads from one of the positions to the other";

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
        let mut spoken = self.spoken_of(claim, chosen, exponents, more)?;
        let Setting { env, tracks, .. } = &spoken.setting.clone();
        let (part, misere) = component(&mut spoken.look, position, env)?;
        if misere {
            return Err(No::at(position.span, "misere play"));
        }
        let outside = spoken.scope.local(|scope| {
            let (part, _) = component(scope, position, env)?;
            Ok(scope.in_domain(&part)?.not())
        })?;
        spoken.never(OUTSIDE, outside);
        let none = spoken.scope.local(|scope| {
            let (part, _) = component(scope, position, env)?;
            Ok(scope.some_move(&part, &mut |scope, next| lost(scope, &next))?.not())
        })?;
        spoken.never(NONE, none);
        let (scope, never) = spoken.ended();
        let fact = self.everywhere(&part, misere, false, title)?;
        let (statements, system) = self.all_never(never, &scope, &fact, tracks, desk)?;
        desk.close(which(claim, chosen), Method::AtOnce, system);
        self.rests_on(&scope.notes, desk);
        Ok(format!("a move wins at once: {statements} statements decided by automata, {}", system.word()))
    }
}

impl<'p> Prover<'_, 'p> {
    /// Proves that two positions are [`Apart`] where more conditions hold, and that plays end. Returns how, in words. Errors: what stands in
    /// the way.
    pub(super) fn one_move_apart(
        &self,
        claim: &'p Claim,
        (apart, more): (&Apart<'p>, &[&'p Term]),
        chosen: &Chosen,
        (title, exponents): (&Rc<str>, &Exponents),
        desk: &ProofLog,
    ) -> Result<String, No> {
        desk.clear();
        let Apart { first, second, values } = apart;
        let mut spoken = self.spoken_of(claim, chosen, exponents, more)?;
        let Setting { env, tracks, .. } = &spoken.setting.clone();
        let [(a, misere), (b, other)] =
            [component(&mut spoken.look, first, env)?, component(&mut spoken.look, second, env)?];
        if misere != other || *values && misere {
            return Err(No::at(claim.condition.span, "positions of different conventions, or values in misere play"));
        }
        if a.game != b.game {
            return Err(No::at(claim.condition.span, "positions of two games"));
        }
        if *values && !all_have_values(self.program, a.game) || !never_drawn(self.program, a.game) {
            return Err(No::at(
                claim.condition.span,
                "values where the whole play may end, or plays that may be drawn",
            ));
        }
        let outside = spoken.scope.local(|scope| {
            let (a, b) = (component(scope, first, env)?.0, component(scope, second, env)?.0);
            Ok(Formula::all([scope.in_domain(&a)?, scope.in_domain(&b)?]).not())
        })?;
        spoken.never(OUTSIDE, outside);
        let none = spoken.scope.local(|scope| {
            let (a, b) = (component(scope, first, env)?.0, component(scope, second, env)?.0);
            let mut leads = |from: &Part, to: &Part| {
                scope.some_move(from, &mut |scope, next| match next {
                    Next::To([one]) => equal(scope, one, to),
                    _ => Ok(Formula::Constant(false)),
                })
            };
            Ok(Formula::any([leads(&a, &b)?, leads(&b, &a)?]).not())
        })?;
        spoken.never(BETWEEN, none);
        let (scope, never) = spoken.ended();
        let fact = self.everywhere(&a, misere, *values, title)?;
        let (statements, system) = self.all_never(never, &scope, &fact, tracks, desk)?;
        desk.close(which(claim, chosen), Method::Between, system);
        self.rests_on(&scope.notes, desk);
        Ok(format!(
            "a move leads from one position to the other: {statements} statements decided by automata, {}",
            system.word()
        ))
    }
}

/// Two positions that do not have the same Grundy value, or are not both lost.
pub(super) struct Apart<'p> {
    first: &'p Term,
    second: &'p Term,
    /// Grundy values are compared.
    values: bool,
}

/// The positions of which a condition says so: `grundy(P) != grundy(Q)`, `loses(P) implies wins(Q)`, `wins(P) or wins(Q)`,
/// `not (loses(P) and loses(Q))`.
pub(super) fn apart<'p>(program: &Program, condition: &'p Term) -> Option<Apart<'p>> {
    let both = |a: &'p Term, wins_a: bool, b: &'p Term, wins_b: bool| {
        let word = |wins: bool| if wins { Builtin::Wins } else { Builtin::Loses };
        let (first, second) = (who_wins(program, a)?, who_wins(program, b)?);
        (first.word == word(wins_a) && second.word == word(wins_b)).then_some(Apart {
            first: first.position,
            second: second.position,
            values: first.by_value || second.by_value,
        })
    };
    let value = |term: &'p Term| match &bare(term).kind {
        TermKind::Builtin(Builtin::Grundy, of) => of.first(),
        _ => None,
    };
    let compared = |condition: &'p Term, wanted: CompareOp| match &bare(condition).kind {
        TermKind::Compare(a, rest) => match &rest[..] {
            [(op, b)] if *op == wanted => Some(Apart { first: value(a)?, second: value(b)?, values: true }),
            _ => None,
        },
        _ => None,
    };
    match &bare(condition).kind {
        TermKind::Compare(..) => compared(condition, CompareOp::Ne),
        TermKind::Logic(LogicOp::Implies, a, b) => both(a, false, b, true),
        TermKind::Logic(LogicOp::Or, a, b) => both(a, true, b, true),
        TermKind::Not(inner) => match &bare(inner).kind {
            TermKind::Logic(LogicOp::And, a, b) => both(a, false, b, false),
            _ => compared(inner, CompareOp::Eq),
        },
        _ => None,
    }
}

/// Where a claim speaks, and more conditions hold; and what must never be there.
pub(super) struct Spoken<'p> {
    pub(super) scope: Scope<'p>,
    pub(super) setting: Setting<'p>,
    /// A scope in which positions are made only to see what they are made of.
    pub(super) look: Scope<'p>,
    domain: Formula,
    never: Never,
}

impl<'p> Spoken<'p> {
    /// Adds what must never hold there.
    pub(super) fn never(&mut self, what: &'static str, formula: Formula) {
        self.never.push((what, Formula::all([self.domain.clone(), formula])));
    }

    /// All that must never hold, that a term has no value besides.
    pub(super) fn ended(mut self) -> (Scope<'p>, Never) {
        for need in self.scope.taken_needs() {
            self.never(NO_VALUE, need.not());
        }
        (self.scope, self.never)
    }
}

impl<'p> Prover<'_, 'p> {
    pub(super) fn spoken_of(
        &self,
        claim: &'p Claim,
        chosen: &Chosen,
        exponents: &Exponents,
        more: &[&'p Term],
    ) -> Result<Spoken<'p>, No> {
        let mut scope = Scope::new(self.program, self.known.clone());
        let setting = Setting::of(claim, chosen, exponents, &mut scope)?;
        let env = &setting.env;
        let domain = scope.local(|scope| {
            let mut domain = setting.variables_are(scope, env)?;
            for guard in setting.guards.iter().chain(more) {
                let said = scope.under(&domain.clone(), |scope| scope.truth(guard, env))?;
                domain = Formula::all([domain, said]);
            }
            Ok(domain)
        })?;
        let never = scope.taken_needs().into_iter().map(|need| (NO_VALUE, need.not())).collect();
        scope.assume(domain.clone());
        let mut look = Scope::new(self.program, self.known.clone());
        for _ in &setting.tracks {
            look.free();
        }
        Ok(Spoken { scope, setting, look, domain, never })
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
