//! What must hold of all positions so that a closed form is right.

use crate::model::Ending;
use crate::prover::applicable_facts::ApplicableFacts;
use crate::prover::automatic_functions::not_one_value;
use crate::prover::facts::{Claimed, Fact, Says};
use crate::prover::induction::{Obligation, ObligationBuilder};
use crate::prover::options::Next;
use crate::prover::proof_log::ProofMethod;
use crate::prover::scope::Scope;
use crate::prover::symbol::{No, Part};
use crate::syntax::tree::Outcome;
use grundy_automata::{Formula, Linear, Track};
use std::rc::Rc;

/// What must never happen: then there is nothing to say about where the move leads.
pub(super) const LEAVES: &str = "a move leads to a position that the statement does not speak of";

impl ObligationBuilder<'_, '_> {
    /// All of them.
    pub(super) fn all(&mut self) -> Result<Vec<Obligation>, No> {
        let fact = self.fact.clone();
        let part = self.setting()?.part;
        let other = self.known.iter().find(|other| {
            other.fits(&part)
                && other.speaks_of_all(self.program)
                && other.misere == fact.misere
                && (other.says == Says::Grundy || fact.says != Says::Grundy)
        });
        if let Some(other) = other.cloned() {
            self.by = ProofMethod::Same;
            return Ok(vec![self.never("it is not what is proved already", true, |scope, part| {
                let covered = other.covers(scope, part)?;
                scope.need(covered);
                if fact.says == Says::Grundy {
                    return Ok(Formula::equal(&fact.value(scope, part)?, &other.value(scope, part)?).not());
                }
                Ok(fact.lost(scope, part)?.iff(other.lost(scope, part)?).not())
            })?]);
        }
        let mut all = vec![self.covered()?];
        if fact.says == Says::Grundy {
            self.by = ProofMethod::Grundy;
            if fact.misere {
                return Err(No::bare("Grundy values in misere play"));
            }
            let ends = &self.program.games[fact.game.0].ends;
            if let Some(end) = ends.iter().find(|end| !matches!(end.verdict, Ending::Over)) {
                return Err(No::at(end.span, "an end of the whole play, or points: then there is no Grundy value"));
            }
            if let Claimed::Word(word) = &fact.claimed {
                self.by = ProofMethod::Read;
                let reads = Track::try_from(word.of.len()).map_err(|_| No::bare("too many variables"))?;
                let [two, none] = not_one_value(&word.automaton, reads);
                let obligation = |name: &str, never| Obligation { name: name.into(), never, refutes: false };
                all.push(obligation("an automaton accepts two values of one position", two));
                all.push(obligation("an automaton accepts no value of a position", none));
            } else {
                let this = fact.clone();
                all.push(self.never("the value is negative", true, |scope, part| {
                    Ok(Formula::less(&this.value(scope, part)?, &Linear::default()))
                })?);
            }
            let this = fact.clone();
            all.push(self.never("an option has the value of its position", true, |scope, part| {
                let value = this.value(scope, part)?;
                scope.some_move(part, &mut |scope, next| {
                    let option = option_value(scope, &this, &next)?;
                    Ok(Formula::equal(&option, &value))
                })
            })?);
            let this = fact.clone();
            all.push(self.never("a smaller value is that of no option", true, |scope, part| {
                let value = this.value(scope, part)?;
                scope.some(|scope, smaller| {
                    let smaller = Linear::track(smaller);
                    let less = Formula::less(&smaller, &value);
                    let reached = scope.under(&less, |scope| {
                        scope.some_move(part, &mut |scope, next| {
                            let option = option_value(scope, &this, &next)?;
                            Ok(Formula::equal(&option, &smaller))
                        })
                    })?;
                    Ok(Formula::all([less, reached.not()]))
                })
            })?);
            return Ok(all);
        }
        let this = fact.clone();
        all.push(self.never("a lost position has a move to a lost one", true, |scope, part| {
            let lost = this.lost(scope, part)?;
            let good = scope.some_move(part, &mut |scope, next| good(scope, &this, &next))?;
            Ok(Formula::all([lost, good]))
        })?);
        let this = fact.clone();
        all.push(self.never("a position is not lost but has no move to a lost one", true, |scope, part| {
            let lost = this.lost(scope, part)?;
            let good = scope.some_move(part, &mut |scope, next| good(scope, &this, &next))?;
            let any = scope.some_move(part, &mut |_, _| Ok(Formula::Constant(true)))?;
            let ended = decided(scope, part)?;
            let stuck = if this.misere { any } else { Formula::Constant(true) };
            Ok(Formula::all([lost.not(), good.not(), stuck, ended.not()]))
        })?);
        let this = fact.clone();
        all.push(self.never("an end of the play is not what the rules say", true, |scope, part| {
            let lost = this.lost(scope, part)?;
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
            let otherwise = if this.misere { lost } else { lost.not() };
            wrong.push(Formula::all([over, otherwise]));
            Ok(Formula::any(wrong))
        })?);
        Ok(all)
    }

    /// Every move leads to where the closed form, or another that is proved, says something.
    fn covered(&mut self) -> Result<Obligation, No> {
        let this = self.fact.clone();
        self.never(LEAVES, false, |scope, part| {
            scope.some_move(part, &mut |scope, next| {
                let (Next::To(parts) | Next::Again(parts)) = next else { return Ok(Formula::Constant(false)) };
                let mut outside = Vec::new();
                for part in parts {
                    let inside = scope.in_domain(part)?;
                    outside.push(inside.clone().not());
                    let covered = scope.under(&inside, |scope| speakers(scope, &this, part)?.covers(scope, part))?;
                    outside.push(covered.not());
                }
                Ok(Formula::any(outside))
            })
        })
    }
}

/// The closed forms that speak of a component: the one that is being proved, and those that are.
fn speakers<'p>(scope: &Scope<'p>, this: &Rc<Fact<'p>>, part: &Part) -> Result<ApplicableFacts<'p>, No> {
    let game = &scope.program.games[part.game.0];
    let missing = || {
        let no = No::bare(format!("a move leads to positions of `{}` of which nothing is proved", game.name));
        if this.misere || game.misere { no } else { part.wanted(no) }
    };
    ApplicableFacts::of(scope, Some(this), part, this.misere, this.says == Says::Grundy).ok_or_else(missing)
}

/// The Grundy value of where a move leads.
pub(super) fn option_value<'p>(scope: &mut Scope<'p>, this: &Rc<Fact<'p>>, next: &Next<'_>) -> Result<Linear, No> {
    let Next::To(parts) = next else {
        return Err(No::bare("a move that ends the whole play or keeps the turn has no Grundy value"));
    };
    let mut value = Linear::default();
    for part in *parts {
        let one = speakers(scope, this, part)?.value(scope, part)?;
        value = scope.bitwise(&value, &one, true);
    }
    Ok(value)
}

/// Whether a move to there wins.
pub(super) fn good<'p>(scope: &mut Scope<'p>, this: &Rc<Fact<'p>>, next: &Next<'_>) -> Result<Formula, No> {
    match next {
        Next::Stop(Outcome::First) => Ok(Formula::Constant(true)),
        Next::Stop(Outcome::Second) => Ok(Formula::Constant(false)),
        Next::Stop(Outcome::Draw) => Err(No::bare("a move that ends the play in a draw")),
        Next::To([part]) => speakers(scope, this, part)?.lost(scope, part),
        // The same player is to move there.
        Next::Again([part]) => Ok(speakers(scope, this, part)?.lost(scope, part)?.not()),
        Next::Again(_) => Err(No::bare("a move to a sum that keeps the turn")),
        // Where nothing is left, who is to move has lost, or won in misere play.
        Next::To([]) => Ok(Formula::Constant(!this.misere)),
        Next::To(_) if this.says == Says::Grundy => {
            Ok(Formula::equal(&option_value(scope, this, next)?, &Linear::default()))
        }
        Next::To(_) => Err(No::bare("moves to sums, of which only Grundy values tell who wins")),
    }
}

/// Whether an `end when` line ends the whole play at a position.
fn decided(scope: &mut Scope<'_>, part: &Part) -> Result<Formula, No> {
    let ends = scope.endings(part)?;
    Ok(Formula::any(ends.into_iter().filter(|(_, e)| matches!(e, Ending::Play(_))).map(|(when, _)| when)))
}
