//! Games: their head when first named, then their rules.

use crate::model::kind::Type;
use crate::model::{End, Ending, Field, Game, GameId, PlaceParams, Same, Term, TermKind};
use crate::source::diagnostic::{Code, Diagnostic};
use crate::source::text::Span;
use crate::syntax::tree;
use crate::syntax::tree::{EndVerdict, Outcome, Pattern, Rule};
use crate::typing::checker::{Checker, Progress};
use crate::typing::coercion::holds_position;
use crate::typing::context::{Context, Local};
use crate::typing::globals::padding;
use crate::typing::lazies::Lazy;
use crate::typing::load::{pattern_names, twice};
use crate::typing::position_type::flavour;

impl<'a> Checker<'a> {
    /// Makes sure that the parameters and fields of a game are known.
    pub(crate) fn head(&mut self, game: GameId, span: Span) -> Option<()> {
        match &self.games[game.0].head {
            Some(Progress::Done(done)) => return *done,
            Some(Progress::Busy) => {
                let name = &self.games[game.0].tree.name.text;
                let error = Diagnostic::new(Code::E16, span, format!("a default of `{name}` needs `{name}` itself"))
                    .hint("write the type of the field, and another default");
                return self.fail(error);
            }
            None => {}
        }
        self.games[game.0].head = Some(Progress::Busy);
        let done = self.deeper(span, |this| Some(this.check_head(game))).flatten();
        self.games[game.0].head = Some(Progress::Done(done));
        done
    }

    fn check_head(&mut self, game: GameId) -> Option<()> {
        let (unit, tree) = (self.games[game.0].unit, self.games[game.0].tree);
        for (index, rule) in tree.rules.iter().enumerate() {
            if let Rule::Def(def) = rule {
                if self.games[game.0].defs.contains_key(&*def.name.text) {
                    self.error(twice("function", &def.name.text, def.name.span));
                } else {
                    self.games[game.0].defs.insert(&def.name.text, index);
                }
            }
        }
        let mut cx = Context::new(unit, Some("a game"));
        cx.game = Some(game);
        for decl in tree.params.iter().chain(&tree.fields) {
            cx.slot(&decl.name.text, Type::Never, decl.name.span);
        }
        let mut fine = Some(());
        let mut all = Vec::new();
        for (slot, decl) in tree.params.iter().chain(&tree.fields).enumerate() {
            let field = self.decl(&mut cx, decl);
            if cx.local(&decl.name.text).is_some() {
                self.error(twice("parameter or field", &decl.name.text, decl.name.span));
            }
            let ty = field.as_ref().map(|f| f.kind.ty());
            cx.frame.slots[slot].ty = ty.clone().unwrap_or(Type::Never);
            if decl.name.text != "_" {
                cx.locals.push(Local { name: decl.name.text.clone(), slot, ty });
            }
            match field {
                Some(field) => all.push(field),
                None => fine = None,
            }
        }
        let entry = &mut self.games[game.0];
        entry.context = Some(cx);
        fine?;
        entry.fields = all.split_off(tree.params.len());
        entry.params = all;
        Some(())
    }

    /// A rule parameter or field.
    fn decl(&mut self, cx: &mut Context, decl: &'a tree::Decl) -> Option<Field> {
        let kind = decl.kind.as_ref().map(|k| self.kind(cx, k));
        let default = decl.default.as_ref().map(|d| self.expr(cx, d));
        let kind = match kind {
            None => None,
            Some(kind) => Some(kind?),
        };
        let default = match default {
            None => None,
            Some(default) => Some(default?),
        };
        let what = format!("the default of `{}`", decl.name.text);
        let (kind, default) = self.declared(kind, decl.default.as_ref(), default, &what)?;
        if holds_position(&kind.ty()) {
            return self.fail(
                Diagnostic::new(Code::E03, decl.name.span, format!("`{}` cannot hold a position", decl.name.text))
                    .hint("positions are asked about, summed and listed; a state holds what they are made of"),
            );
        }
        Some(Field { name: decl.name.text.clone(), kind, default, span: decl.name.span })
    }

    /// Checks a whole game.
    pub(crate) fn game(&mut self, game: GameId) {
        let tree = self.games[game.0].tree;
        self.head(game, tree.name.span);
        let Some(mut cx) = self.games[game.0].context.clone() else { return };
        cx.local_defs = true;
        self.game_lets(game, &mut cx);
        let filter = tree.filter.as_ref().map(|f| self.condition(&mut cx, f, "the condition of the header"));
        let mut done = Game {
            name: tree.name.text.clone(),
            span: tree.name.span,
            misere: tree.misere,
            params: self.games[game.0].params.clone(),
            fields: self.games[game.0].fields.clone(),
            filter: filter.flatten(),
            frame: crate::model::Frame::default(),
            ends: Vec::new(),
            legal: Vec::new(),
            same: Vec::new(),
            moves: Vec::new(),
            theorems: Vec::new(),
            successors: Vec::new(),
            asks: Vec::new(),
        };
        // Theorems about winning moves need all moves.
        for rule in &tree.rules {
            self.rule(game, &mut cx, &mut done, rule);
        }
        for rule in &tree.rules {
            if let Rule::Theorem(theorem) = rule {
                let theorem = self.theorem(game, &mut cx, &done, theorem);
                done.theorems.extend(theorem);
            }
        }
        done.frame = cx.frame;
        self.games[game.0].done = Some(done);
    }

    /// The lets of a game, and the room that its defs copy: parameters, fields, lets and what these bind inside.
    fn game_lets(&mut self, game: GameId, cx: &mut Context) {
        let tree = self.games[game.0].tree;
        let lets: Vec<Lazy<'a>> = tree
            .rules
            .iter()
            .filter_map(|r| match r {
                Rule::Let(line) => Some(Lazy::line(line)),
                _ => None,
            })
            .collect();
        let room: usize = lets
            .iter()
            .map(|l| {
                let whole = usize::from(matches!(l.pattern, Pattern::Tuple(..)));
                whole + pattern_names(l.pattern).len() + l.inner_slots()
            })
            .sum();
        let prefix = cx.frame.slots.len() + room;
        self.games[game.0].prefix = prefix;
        cx.shared = true;
        self.games[game.0].context = Some(cx.clone());
        self.lazies(cx, &lets);
        cx.shared = false;
        debug_assert!(cx.frame.slots.len() <= prefix, "the lets of a game bind no more than what is written in them");
        cx.frame.slots.resize_with(prefix, || padding(tree.name.span));
        self.games[game.0].context = Some(cx.clone());
    }

    fn rule(&mut self, game: GameId, cx: &mut Context, done: &mut Game, rule: &'a Rule) {
        match rule {
            Rule::Move(line) => done.moves.extend(self.game_move(game, cx, line)),
            Rule::End { when, verdict, span } => {
                let when = self.condition(cx, when, "the condition after `end when`");
                let verdict = match verdict {
                    EndVerdict::Over => Some(Ending::Over),
                    EndVerdict::Lost => Some(Ending::Play(Outcome::Second)),
                    EndVerdict::Won => Some(Ending::Play(Outcome::First)),
                    EndVerdict::Drawn => Some(Ending::Play(Outcome::Draw)),
                    EndVerdict::Score(score) => {
                        self.expr_as(cx, score, &Type::Int, "the score of an end").map(Ending::Score)
                    }
                };
                if let (Some(when), Some(verdict)) = (when, verdict) {
                    done.ends.push(End { when, verdict, span: *span });
                }
            }
            Rule::Legal { when, .. } => {
                done.legal.extend(self.condition(cx, when, "the condition after `legal when`"));
            }
            Rule::Same { position, when, span } => {
                let position = self.expr_as(cx, position, &Type::Position, "what stands after `same as`");
                let when = self.condition(cx, when, "the condition after `when`");
                if let (Some(position), Some(when)) = (position, when)
                    && self.same_position(game, &position).is_some()
                {
                    done.same.push(Same { position, when, span: *span });
                }
            }
            Rule::Theorem(_) | Rule::Let(_) | Rule::Def(_) => {}
        }
    }

    /// `same as P`: one position of the same game with the same parameters (rule 26).
    fn same_position(&mut self, game: GameId, position: &Term) -> Option<()> {
        match &position.kind {
            TermKind::Place(place) if place.game == game && matches!(place.params, PlaceParams::Own) => Some(()),
            TermKind::If(_, yes, no) => {
                self.same_position(game, yes)?;
                self.same_position(game, no)
            }
            TermKind::Call(..) => Some(()),
            _ => {
                let name = &self.games[game.0].tree.name.text;
                let error = Diagnostic::new(
                    Code::E03,
                    position.span,
                    format!("`same as` names one position of `{name}` itself"),
                )
                .hint(format!("write `same as {name}(..) when ..`, with the same rule parameters"));
                self.fail(error)
            }
        }
    }

    /// Whether a move of this game may lead there.
    pub(crate) fn target_fits(&mut self, game: GameId, position: &Term) -> Option<()> {
        let flavour = flavour(&self.games, position);
        if flavour.compound == Some(true) {
            return self.fail(
                Diagnostic::new(Code::E22, position.span, "a move cannot lead to a compound")
                    .hint("a move leads to a position or to a sum `P + Q`"),
            );
        }
        let misere = self.games[game.0].tree.misere;
        if flavour.misere.is_some_and(|m| m != misere) {
            let (from, to) = if misere { ("misere", "normal") } else { ("normal", "misere") };
            return self.fail(
                Diagnostic::new(Code::E11, position.span, format!("this move leads from {from} play to {to} play"))
                    .hint("all games that moves join are `misere game`s, or none is"),
            );
        }
        Some(())
    }
}
