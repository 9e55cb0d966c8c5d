//! Questions about positions, answered by closed forms of their components.

use crate::model::Term;
use crate::model::builtin::Builtin;
use crate::prover::applicable_facts::ApplicableFacts;
use crate::prover::scope::Scope;
use crate::prover::symbol::{No, Part, Sym};
use grundy_automata::{Formula, Linear};

impl<'p> Scope<'p> {
    /// `grundy`, `loses`, `wins`, `outcome` of a position whose components have known closed forms.
    pub(super) fn question(&mut self, word: Builtin, parts: &[Part], misere: bool, term: &Term) -> Result<Sym, No> {
        let names: Vec<&str> = parts.iter().map(|part| self.program.games[part.game.0].name.as_str()).collect();
        let missing = || {
            let why = "no closed form is proved of this position; a statement about all positions of";
            No::at(
                term.span,
                format!("{why} `{}`, if it is proved, may decide it", names.first().unwrap_or(&"the game")),
            )
        };
        if word == Builtin::Grundy || parts.len() != 1 {
            if misere {
                return Err(missing());
            }
            let mut value = Linear::default();
            for (at, part) in parts.iter().enumerate() {
                let facts = ApplicableFacts::of(self, None, part, false, true).ok_or_else(|| part.wanted(missing()))?;
                self.covered(&facts, part, term, if parts.len() > 1 { at + 1 } else { 0 })?;
                let one = facts.value(self, part)?;
                value = self.bitwise(&value, &one, true);
            }
            let lost = Formula::equal(&value, &Linear::default());
            return Ok(match word {
                Builtin::Grundy => Sym::Int(value),
                Builtin::Loses => Sym::Bool(lost),
                Builtin::Wins => Sym::Bool(lost.not()),
                _ => return Err(missing()),
            });
        }
        let part = &parts[0];
        let game = &self.program.games[part.game.0];
        let misere = misere || game.misere;
        let facts = ApplicableFacts::of(self, None, part, misere, false);
        let facts = facts.ok_or_else(|| if misere { missing() } else { part.wanted(missing()) })?;
        self.covered(&facts, part, term, 0)?;
        let lost = facts.lost(self, part)?;
        match word {
            Builtin::Loses => Ok(Sym::Bool(lost)),
            Builtin::Wins => Ok(Sym::Bool(lost.not())),
            _ => Err(missing()),
        }
    }

    /// Says that a component must be a position of its game, one of those that closed forms speak of.
    fn covered(&mut self, facts: &ApplicableFacts<'p>, part: &Part, term: &Term, at: usize) -> Result<(), No> {
        let covered = self.local(|scope| {
            let inside = scope.in_domain(part)?;
            let covered = scope.under(&inside, |scope| facts.covers(scope, part))?;
            Ok(Formula::all([inside, covered]))
        })?;
        self.need_spoken_of(term.span, at, covered);
        Ok(())
    }
}
