//! `same as` lines: positions that a move leads to, replaced by what they count as.

use crate::prover::scope::Scope;
use crate::prover::symbol::{No, Part, Sym};
use grundy_automata::Formula;

/// A position is replaced so often at most; that it then stays as it is must be true.
const MOST: usize = 3;

/// What is asked of a sum of components.
pub(super) type OfParts<'a, 'p> = &'a mut dyn FnMut(&mut Scope<'p>, &[Part]) -> Result<Formula, No>;

impl<'p> Scope<'p> {
    /// What is asked of the components of a sum once each is replaced by what it counts as, as its game says.
    ///
    /// `None` of the lines holds of what is left, or it is itself what the first that holds says. One formula has all ways to
    /// get there, each under its conditions.
    pub(super) fn merged(&mut self, parts: &[Part], asked: OfParts<'_, 'p>) -> Result<Formula, No> {
        self.merged_from(parts, 0, 0, asked)
    }

    fn merged_from(&mut self, parts: &[Part], at: usize, times: usize, asked: OfParts<'_, 'p>) -> Result<Formula, No> {
        let Some(part) = parts.get(at) else { return asked(self, parts) };
        let game = &self.program.games[part.game.0];
        let (mut ways, mut before) = (Vec::new(), Formula::Constant(true));
        for line in &game.same {
            let env = self.game_env(part);
            let when = self.under(&before, |scope| scope.truth(&line.when, &env))?;
            let here = Formula::all([before.clone(), when.clone()]);
            before = Formula::all([before, when.not()]);
            let way = self.under(&here, |scope| {
                let Sym::Position { parts: to, .. } = scope.eval(&line.position, &env)? else {
                    return Err(No::at(line.span, "`same as` something that is no position"));
                };
                let [to] = &to[..] else { return Err(No::at(line.span, "`same as` a sum")) };
                let old = Sym::Tuple(part.fields.clone());
                let stays = scope.equal(&old, &Sym::Tuple(to.fields.clone()), line.span)?;
                let rest = scope.under(&stays, |scope| scope.merged_from(parts, at + 1, 0, asked))?;
                let kept = Formula::all([stays.clone(), rest]);
                if times == MOST {
                    scope.need(stays);
                    return Ok(kept);
                }
                let moved = stays.not();
                let rest = scope.under(&moved, |scope| {
                    let inside = scope.in_domain(to)?;
                    scope.need(inside);
                    let mut parts = parts.to_vec();
                    parts[at] = to.clone();
                    scope.merged_from(&parts, at, times + 1, asked)
                })?;
                Ok(Formula::any([kept, Formula::all([moved, rest])]))
            })?;
            ways.push(Formula::all([here, way]));
        }
        let rest = self.under(&before, |scope| scope.merged_from(parts, at + 1, 0, asked))?;
        ways.push(Formula::all([before, rest]));
        Ok(Formula::any(ways))
    }
}
