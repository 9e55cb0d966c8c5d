//! Positions: `Nim(3)`, `Cram[g]`, `Place[g](x, y = 2)`.

use crate::model::kind::{Kind, Type};
use crate::model::{GameId, Place, PlaceParams, Term, TermKind};
use crate::source::diagnostic::{Code, Diagnostic};
use crate::source::text::Span;
use crate::syntax::tree::{Arg, Args, Name};
use crate::typing::arguments::{Given, missing};
use crate::typing::checker::Checker;
use crate::typing::context::Context;
use crate::typing::expr::term;

/// What is needed of a parameter or field to fill it: name, kind, whether there is a default.
type Hole = (String, Kind, bool);

impl<'a> Checker<'a> {
    /// A position.
    pub(crate) fn place(
        &mut self,
        cx: &mut Context,
        name: &'a Name,
        rules: Option<&'a [Arg]>,
        state: Option<&'a Args>,
        span: Span,
    ) -> Option<Term> {
        let Some(game) = self.game_id(cx.unit, name) else {
            self.only_look(cx, rules, state);
            return None;
        };
        if self.head(game, name.span).is_none() {
            self.only_look(cx, rules, state);
            return None;
        }
        let entry = &self.games[game.0];
        let holes = |fields: &[crate::model::Field]| -> Vec<Hole> {
            fields.iter().map(|f| (f.name.clone(), f.kind.clone(), f.default.is_some())).collect()
        };
        let (params, fields) = (holes(&entry.params), holes(&entry.fields));
        let whole = format!("`{}`", name.text);
        let params = self.place_rules(cx, game, &whole, &params, name, rules);
        let fields = self.place_state(cx, &whole, &fields, state, span);
        let place = Place { game, params: params?, fields: fields? };
        Some(term(TermKind::Place(Box::new(place)), Type::Position, span))
    }

    /// Looks at the arguments of something unknown, for the errors in them.
    fn only_look(&mut self, cx: &mut Context, rules: Option<&'a [Arg]>, state: Option<&'a Args>) {
        for arg in rules.unwrap_or_default() {
            self.expr(cx, &arg.value);
        }
        match state {
            Some(Args::Plain(args)) => {
                for arg in args {
                    self.expr(cx, &arg.value);
                }
            }
            Some(Args::Comprehension { value, clauses }) => {
                self.given(cx, Given::Comprehension(value, clauses));
            }
            None => {}
        }
    }

    fn place_rules(
        &mut self,
        cx: &mut Context,
        game: GameId,
        whole: &str,
        params: &[Hole],
        name: &Name,
        rules: Option<&'a [Arg]>,
    ) -> Option<PlaceParams> {
        let names: Vec<&str> = params.iter().map(|p| &*p.0).collect();
        match rules {
            None if cx.game == Some(game) => Some(PlaceParams::Own),
            None if params.iter().all(|p| p.2) => Some(PlaceParams::Given(vec![None; params.len()])),
            None => {
                self.fail(
                    Diagnostic::new(Code::E06, name.span, format!("{whole} needs its rule parameters here"))
                        .hint(format!("write `{}[{}](..)`", name.text, names.join(", "))),
                )
            }
            Some(args) if params.is_empty() => {
                for arg in args {
                    self.expr(cx, &arg.value);
                }
                self.fail(
                    Diagnostic::new(Code::E05, name.span, format!("{whole} has no rule parameters"))
                        .hint("its state stands in round brackets"),
                )
            }
            Some(args) => {
                let given = self.plain_arguments(whole, &names, args, name.span)?;
                Some(PlaceParams::Given(self.fill_holes(cx, whole, params, given, name.span)?))
            }
        }
    }

    fn place_state(
        &mut self,
        cx: &mut Context,
        whole: &str,
        fields: &[Hole],
        state: Option<&'a Args>,
        span: Span,
    ) -> Option<Vec<Option<Term>>> {
        let names: Vec<&str> = fields.iter().map(|p| &*p.0).collect();
        let given = match state {
            None => vec![None; fields.len()],
            Some(args) => {
                let Some(given) = self.arguments(whole, &names, args, span) else {
                    self.only_look(cx, None, state);
                    return None;
                };
                given
            }
        };
        self.fill_holes(cx, whole, fields, given, span)
    }

    fn fill_holes(
        &mut self,
        cx: &mut Context,
        whole: &str,
        holes: &[Hole],
        given: Vec<Option<Given<'a>>>,
        span: Span,
    ) -> Option<Vec<Option<Term>>> {
        let mut all = Some(Vec::new());
        for ((name, kind, default), given) in holes.iter().zip(given) {
            let value = match given {
                None if *default => Some(None),
                None => self.fail(missing(whole, name, span)),
                Some(given) => self
                    .given(cx, given)
                    .and_then(|term| self.enter(term, kind, &format!("`{name}` of {whole}")))
                    .map(Some),
            };
            match (&mut all, value) {
                (Some(all), Some(value)) => all.push(value),
                (all, _) => *all = None,
            }
        }
        all
    }
}
