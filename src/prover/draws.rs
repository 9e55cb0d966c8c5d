//! Statements about draws: where every play ends, and none of them in a draw, no position is drawn.
//!
//! A play that need not end may be drawn, so that plays end must be proved, by a ranking ([`plays_end`](super::induction::plays_end)).

use crate::logic::facts::{Claimed, Exponents, Fact};
use crate::logic::scope::Scope;
use crate::logic::symbol::No;
use crate::logic::wordings::{may_be, never_drawn};
use crate::model::walk::bare;
use crate::model::{Builtin, Claim, Term, TermKind};
use crate::prover::Prover;
use crate::prover::claims::{Chosen, which};
use crate::prover::induction::{Induction, NO_VALUE, PositionContext};
use crate::prover::one_move::OUTSIDE;
use crate::prover::proof_log::ProofLog;
use crate::prover::relations::{Setting, whole};
use grundy_automata::Formula;
use grundy_verify::Method;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::atomic::Ordering;

/// What must never be.
const DRAWN: &str = "it is said that the position is drawn";

/// The position of which a condition says that it is drawn where another condition holds, and that condition; `None` there: nowhere.
pub(super) fn drawn(condition: &Term) -> Option<(&Term, Option<&Term>)> {
    fn asked(term: &Term) -> Option<&Term> {
        match &bare(term).kind {
            TermKind::Builtin(Builtin::Draws, of) => of.first(),
            _ => None,
        }
    }
    match &bare(condition).kind {
        TermKind::Not(inner) => Some((asked(inner)?, None)),
        TermKind::Iff(a, b) => {
            asked(a).map(|position| (position, Some(&**b))).or_else(|| Some((asked(b)?, Some(&**a))))
        }
        _ => may_be(condition).filter(|(_, may)| *may == [true, true, false]).map(|(position, _)| (position, None)),
    }
}

impl<'p> Prover<'_, 'p> {
    /// Proves that no position that a closed form speaks of is drawn, as which it says `draws`. Errors: what stands in the way.
    pub(super) fn undrawn(&self, fact: &Rc<Fact<'p>>, which: &str, desk: &ProofLog) -> Result<Induction, No> {
        desk.clear();
        let PositionContext { mut scope, part, tracks, domain } = PositionContext::of(self.program, &self.known, fact)?;
        let Claimed::Term(when) = fact.claimed else { return Err(No::bare("draws")) };
        let env = fact.env(&part)?;
        let said = scope.local(|scope| scope.truth(when, &env))?;
        let mut never = vec![(DRAWN, Formula::all([domain.clone(), said]))];
        never
            .extend(scope.taken_needs().into_iter().map(|need| (NO_VALUE, Formula::all([domain.clone(), need.not()]))));
        let everywhere = self.everywhere(&part, fact.misere, false, &fact.title)?;
        self.all_end(never, &scope, &everywhere, &tracks, which.to_string(), desk)
    }

    /// The same of a position of a claim; `when`: where it says that the position is drawn.
    pub(super) fn claim_undrawn(
        &self,
        claim: &'p Claim,
        (position, when, more): (&'p Term, Option<&'p Term>, &[&'p Term]),
        chosen: &Chosen,
        (title, exponents): (&Rc<str>, &Exponents),
        desk: &ProofLog,
    ) -> Result<String, No> {
        desk.clear();
        let mut spoken = self.spoken_of(claim, chosen, exponents, more)?;
        let Setting { env, tracks, .. } = &spoken.setting.clone();
        let (part, misere) = whole(&mut spoken.look, position, env)?;
        let outside = spoken.scope.local(|scope| {
            let (part, _) = whole(scope, position, env)?;
            Ok(scope.in_domain(&part)?.not())
        })?;
        spoken.never(OUTSIDE, outside);
        if let Some(when) = when {
            let said = spoken.scope.local(|scope| scope.truth(when, env))?;
            spoken.never(DRAWN, said);
        }
        let (scope, never) = spoken.ended();
        let everywhere = self.everywhere(&part, misere, false, title)?;
        Ok(self.all_end(never, &scope, &everywhere, tracks, which(claim, chosen), desk)?.text())
    }

    /// That this never holds, and that all plays of a game end, none in a draw.
    fn all_end(
        &self,
        never: Vec<(&'static str, Formula)>,
        scope: &Scope<'p>,
        everywhere: &Rc<Fact<'p>>,
        tracks: &[grundy_automata::Track],
        which: String,
        desk: &ProofLog,
    ) -> Result<Induction, No> {
        let mut games = std::iter::once(everywhere.game).chain(everywhere.beside.iter().map(|other| other.game));
        if !games.all(|game| never_drawn(self.program, game)) {
            return Err(No::bare("a play that may end in a draw"));
        }
        let (statements, system) = self.all_never(never, scope, everywhere, tracks, desk)?;
        desk.close(which, Method::Ends, system);
        self.rests_on(&scope.notes, desk);
        let largest = desk.limit.largest.load(Ordering::Relaxed);
        let (beside, notes) = (BTreeSet::new(), scope.notes.clone());
        Ok(Induction { system, statements, largest, orders: false, beside, notes })
    }
}
