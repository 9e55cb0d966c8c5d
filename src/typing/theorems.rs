//! Theorems: closed forms and winning moves.

use crate::model::builtin::Builtin;
use crate::model::kind::Type;
use crate::model::{Game, GameId, Slot, Theorem, TheoremSays};
use crate::source::diagnostic::{Code, Diagnostic};
use crate::source::text::Span;
use crate::syntax::tree;
use crate::syntax::tree::{Measure, Name, Which};
use crate::typing::checker::Checker;
use crate::typing::clauses::bound;
use crate::typing::coercion::join;
use crate::typing::context::Context;
use crate::typing::show::a_type;
use crate::typing::special::{Asked, misere_grundy, misere_score};

impl<'a> Checker<'a> {
    /// A theorem of a game whose moves are known.
    pub(crate) fn theorem(
        &mut self,
        game: GameId,
        cx: &mut Context,
        of: &Game,
        line: &'a tree::Theorem,
    ) -> Option<Theorem> {
        let outer = cx.no_inputs.replace("a theorem");
        let says = match &line.says {
            tree::TheoremSays::Moves { which, name, clauses } => {
                let mark = cx.locals.len();
                let which = self.which(game, cx, of, which, line.span);
                let moves = which.and_then(|which| self.moves_of(game, cx, of, which, name, clauses, line));
                cx.locals.truncate(mark);
                moves
            }
            tree::TheoremSays::Value { what, value, guard } => {
                let defined = self.measurable(game, *what, of.misere, line.span);
                let (ty, word) = match what {
                    Measure::Grundy => (Type::Int, "the Grundy value"),
                    Measure::Outcome => (Type::Text, "the outcome"),
                    Measure::Score => (Type::Int, "the score"),
                    Measure::Remoteness => (Type::Int, "the remoteness"),
                };
                let both = self.with_names(cx, &line.with, |this, cx| {
                    let value = this.expr_as(cx, value, &ty, word);
                    Some((value?, this.guard(cx, guard.as_ref())?))
                });
                defined.and(both).map(|(value, guard)| TheoremSays::Value { what: *what, value, guard })
            }
            tree::TheoremSays::Verdict { what, when, guard } => {
                let both = self.with_names(cx, &line.with, |this, cx| {
                    let when = this.condition(cx, when, "what a theorem says after `iff`");
                    Some((when?, this.guard(cx, guard.as_ref())?))
                });
                both.map(|(when, guard)| TheoremSays::Verdict { what: *what, when, guard })
            }
        };
        cx.no_inputs = outer;
        Some(Theorem { says: says?, span: line.span })
    }

    #[allow(clippy::option_option)]
    fn guard(&mut self, cx: &mut Context, guard: Option<&'a tree::Expr>) -> Option<Option<crate::model::Term>> {
        match guard {
            None => Some(None),
            Some(guard) => self.condition(cx, guard, "the guard after `where`").map(Some),
        }
    }

    /// Whether the game may have such a value at all (E20, E21).
    fn measurable(&mut self, game: GameId, what: Measure, misere: bool, span: Span) -> Option<()> {
        let word = match what {
            Measure::Grundy if misere => return self.fail(misere_grundy(span)),
            Measure::Score if misere => return self.fail(misere_score(span)),
            Measure::Grundy => Builtin::Grundy,
            Measure::Score => Builtin::Score,
            Measure::Outcome | Measure::Remoteness => return Some(()),
        };
        self.asked.push(Asked { word, games: vec![game], span });
        Some(())
    }

    /// The name of the Grundy value gets a slot.
    fn which(
        &mut self,
        game: GameId,
        cx: &mut Context,
        of: &Game,
        which: &'a Which<Name>,
        span: Span,
    ) -> Option<Which<Slot>> {
        Some(match which {
            Which::Winning => Which::Winning,
            Which::Drawing => Which::Drawing,
            Which::To(name) => {
                self.measurable(game, Measure::Grundy, of.misere, span)?;
                Which::To(cx.bind(&name.text, Some(Type::Int), name.span, &mut self.errors))
            }
        })
    }

    #[allow(clippy::too_many_arguments)] // what one line is made of
    fn moves_of(
        &mut self,
        game: GameId,
        cx: &mut Context,
        of: &Game,
        which: Which<Slot>,
        name: &'a Name,
        clauses: &'a [tree::Clause],
        line: &'a tree::Theorem,
    ) -> Option<TheoremSays> {
        let (clauses, slots) =
            self.with_clauses(cx, clauses, &line.with, |this, cx| this.winning_slots(game, cx, of, name, clauses));
        Some(TheoremSays::Moves { which, name: name.text.clone(), clauses: clauses?, slots: slots? })
    }

    /// The slots that the theorem binds, in the order of the move's binders.
    fn winning_slots(
        &mut self,
        game: GameId,
        cx: &Context,
        of: &Game,
        name: &Name,
        clauses: &'a [tree::Clause],
    ) -> Option<Vec<Slot>> {
        let tree = self.games[game.0].tree;
        let named = |r: &&tree::Rule| matches!(r, tree::Rule::Move(m) if m.name.text == name.text);
        if !tree.rules.iter().any(|r| named(&r)) {
            let all = tree.rules.iter().filter_map(|r| match r {
                tree::Rule::Move(m) => Some(&*m.name.text),
                _ => None,
            });
            let mut error = Diagnostic::new(Code::E01, name.span, format!("there is no move `{}`", name.text));
            error.hint = self.meant(&name.text, || all);
            return self.fail(error);
        }
        let moves: Vec<_> = of.moves.iter().filter(|m| m.name == name.text).collect();
        // A move with errors of its own has been told.
        let binders = &moves.first()?.binders;
        let names: Vec<&str> = binders.iter().map(|&s| of_name(cx, s)).collect();
        for other in &moves[1..] {
            let others: Vec<&str> = other.binders.iter().map(|&s| of_name(cx, s)).collect();
            if others != names {
                let error =
                    Diagnostic::new(Code::E05, name.span, format!("the moves `{}` bind different names", name.text))
                        .hint("give one of them another name, or bind the same names in the same order");
                return self.fail(error);
            }
        }
        let given: Vec<&Name> = clauses.iter().flat_map(bound).collect();
        if let Some(extra) = given.iter().find(|n| !n.text.starts_with('_') && !names.contains(&&*n.text)) {
            let error =
                Diagnostic::new(Code::E05, extra.span, format!("the move `{}` binds no `{}`", name.text, extra.text));
            return self.fail(error.hint(binds(&names)));
        }
        let mut slots = Vec::new();
        for (&want, &binder) in names.iter().zip(binders) {
            let Some(name_given) = given.iter().find(|n| n.text == want) else {
                let error =
                    Diagnostic::new(Code::E05, name.span, format!("the theorem does not say which `{want}` wins"));
                return self.fail(error.hint(binds(&names)));
            };
            let local = cx.local(want)?;
            let (have, need) = (local.ty.clone()?, &cx.frame.slots[binder].ty);
            if join(&have, need).is_none() {
                let message =
                    format!("`{want}` of the move `{}` is {}, not {}", name.text, a_type(need), a_type(&have));
                return self.fail(Diagnostic::new(Code::E03, name_given.span, message));
            }
            slots.push(local.slot);
        }
        Some(slots)
    }
}

fn of_name(cx: &Context, slot: Slot) -> &str {
    &cx.frame.slots[slot].name
}

fn binds(names: &[&str]) -> String {
    if names.is_empty() {
        return "it binds nothing: `for _win in 0..0`, or a theorem about the outcome".into();
    }
    let names: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
    format!("it binds {}", names.join(", "))
}
