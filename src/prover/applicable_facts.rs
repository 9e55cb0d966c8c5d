//! The closed forms that together speak of a component: each of some positions, the first that speaks of one is asked.

use crate::prover::facts::{Fact, Says};
use crate::prover::scope::Scope;
use crate::prover::symbol::{No, Part};
use grundy_automata::{Formula, Linear};
use std::rc::Rc;

/// Closed forms in the order in which they are asked. All but the last may speak of some positions only.
pub(super) struct ApplicableFacts<'p>(Vec<Rc<Fact<'p>>>);

impl<'p> ApplicableFacts<'p> {
    /// Those of the component that can tell a Grundy value, or who loses by this convention; `this` comes first, whatever else is
    /// proved. `None`: there are none.
    pub(super) fn of(
        scope: &Scope<'p>,
        this: Option<&Rc<Fact<'p>>>,
        part: &Part,
        misere: bool,
        values: bool,
    ) -> Option<ApplicableFacts<'p>> {
        let tells = |fact: &&Rc<Fact<'p>>| {
            let says = if fact.says == Says::Grundy { !misere || this.is_some() } else { !values };
            says && fact.misere == misere && fact.fits(part)
        };
        let known = scope.facts.iter().filter(tells);
        let mut all: Vec<Rc<Fact<'p>>> = Vec::new();
        for fact in this.into_iter().filter(|this| this.fits(part)).chain(known) {
            all.push(fact.clone());
            if fact.speaks_of_all(scope.program) {
                break;
            }
        }
        (!all.is_empty()).then_some(ApplicableFacts(all))
    }

    /// Whether one of them speaks of the component.
    pub(super) fn covers(&self, scope: &mut Scope<'p>, part: &Part) -> Result<Formula, No> {
        let mut some = Vec::new();
        for fact in &self.0 {
            some.push(fact.covers(scope, part)?);
        }
        Ok(Formula::any(some))
    }

    /// The Grundy value.
    pub(super) fn value(&self, scope: &mut Scope<'p>, part: &Part) -> Result<Linear, No> {
        value(&self.0, scope, part)
    }

    /// Whether the player to move loses the component alone.
    pub(super) fn lost(&self, scope: &mut Scope<'p>, part: &Part) -> Result<Formula, No> {
        lost(&self.0, scope, part)
    }
}

fn value<'p>(facts: &[Rc<Fact<'p>>], scope: &mut Scope<'p>, part: &Part) -> Result<Linear, No> {
    let (first, others) = apart(facts)?;
    if others.is_empty() {
        return first.value(scope, part);
    }
    let covers = scope.local(|scope| first.covers(scope, part))?;
    let here = scope.under(&covers, |scope| first.value(scope, part))?;
    let elsewhere = scope.under(&covers.clone().not(), |scope| value(others, scope, part))?;
    Ok(scope.choice(&covers, &here, &elsewhere))
}

fn lost<'p>(facts: &[Rc<Fact<'p>>], scope: &mut Scope<'p>, part: &Part) -> Result<Formula, No> {
    let (first, others) = apart(facts)?;
    if others.is_empty() {
        return first.lost(scope, part);
    }
    let covers = scope.local(|scope| first.covers(scope, part))?;
    let here = scope.under(&covers, |scope| first.lost(scope, part))?;
    let otherwise = covers.clone().not();
    let elsewhere = scope.under(&otherwise, |scope| lost(others, scope, part))?;
    Ok(Formula::any([Formula::all([covers, here]), Formula::all([otherwise, elsewhere])]))
}

fn apart<'a, 'p>(facts: &'a [Rc<Fact<'p>>]) -> Result<(&'a Rc<Fact<'p>>, &'a [Rc<Fact<'p>>]), No> {
    facts.split_first().ok_or_else(|| No::bare("no closed form is proved of this position"))
}
