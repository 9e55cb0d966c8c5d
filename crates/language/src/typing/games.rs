//! Games: their head when first named, then their rules, moves (rules 20, 23) and theorems (rule 34).

use crate::model::walk::bound_slots;
use crate::model::{
    Builtin, Clause, End, Ending, Field, Frame, Game, GameId, Move, PlaceParams, Same, Slot, Target, Term, TermKind,
    Theorem, TheoremSays, Type,
};
use crate::source::{Code, Span};
use crate::syntax::tree::{self, Measure, Name, Pattern, Rule, Which};
use crate::typing::bindings::Lazy;
use crate::typing::builtins::{Asked, misere_value};
use crate::typing::checker::{Checker, Local, Progress, TermContext, Told, optional};
use crate::typing::statements::{padding, twice};
use crate::typing::types::{a_type, holds_position, join, position_type};

impl<'a> Checker<'a> {
    /// Makes sure that the parameters and fields of a game are known.
    pub(crate) fn head(&mut self, game: GameId, span: Span) -> Option<()> {
        match &self.games[game.0].head {
            Some(Progress::Done(done)) => return *done,
            Some(Progress::Busy) => {
                let name = &self.games[game.0].tree.name.text;
                let message = format!("a default of `{name}` needs `{name}` itself");
                return self.refuse(Code::E16, span, message, "write the type of the field, and another default");
            }
            None => {}
        }
        self.games[game.0].head = Some(Progress::Busy);
        let cx = TermContext { game: Some(game), ..TermContext::new(self.games[game.0].unit, Some("a game")) };
        let done = self.deeper(span, |this| this.within(cx, |this| this.check_head(game)));
        self.games[game.0].head = Some(Progress::Done(done));
        done
    }

    fn check_head(&mut self, game: GameId) -> Option<()> {
        let tree = self.games[game.0].tree;
        for (index, rule) in tree.rules.iter().enumerate() {
            if let Rule::Def(def) = rule {
                if self.games[game.0].defs.contains_key(&*def.name.text) {
                    self.error(twice("function", &def.name.text, def.name.span));
                } else {
                    self.games[game.0].defs.insert(&def.name.text, index);
                }
            }
        }
        for decl in tree.params.iter().chain(&tree.fields) {
            self.cx.slot(&decl.name.text, Type::Never, decl.name.span);
        }
        let mut fine = Some(());
        let mut all = Vec::new();
        for (slot, decl) in tree.params.iter().chain(&tree.fields).enumerate() {
            let field = self.decl(decl);
            if self.cx.local(&decl.name.text).is_some() {
                self.error(twice("parameter or field", &decl.name.text, decl.name.span));
            }
            let ty = field.as_ref().map(|f| f.kind.ty());
            self.cx.frame.slots[slot].ty = ty.clone().unwrap_or(Type::Never);
            if decl.name.text != "_" {
                self.cx.locals.push(&decl.name.text, Local { slot, ty });
            }
            match field {
                Some(field) => all.push(field),
                None => fine = None,
            }
        }
        let entry = &mut self.games[game.0];
        entry.context = Some(std::mem::take(&mut self.cx));
        fine?;
        entry.fields = all.split_off(tree.params.len());
        entry.params = all;
        Some(())
    }

    /// A rule parameter or field.
    fn decl(&mut self, decl: &'a tree::Decl) -> Option<Field> {
        let kind = optional(decl.kind.as_ref(), |kind| self.kind(kind));
        let default = optional(decl.default.as_ref(), |default| self.expr(default));
        let what = format!("the default of `{}`", decl.name.text);
        let (kind, default) = self.declared(kind.ok()?, decl.default.as_ref(), default.ok()?, &what)?;
        if holds_position(&kind.ty()) {
            let hint = "positions are asked about, summed and listed; a state holds what they are made of";
            let message = format!("`{}` cannot hold a position", decl.name.text);
            return self.refuse(Code::E03, decl.name.span, message, hint);
        }
        Some(Field { name: decl.name.text.clone(), kind, default, span: decl.name.span })
    }

    pub(crate) fn game(&mut self, game: GameId) {
        let tree = self.games[game.0].tree;
        self.head(game, tree.name.span);
        let Some(cx) = self.games[game.0].context.clone() else { return };
        self.within(TermContext { local_defs: true, ..cx }, |this| this.game_body(game, tree));
    }

    fn game_body(&mut self, game: GameId, tree: &'a tree::Game) {
        self.game_lets(game);
        let filter = tree.filter.as_ref().map(|f| self.condition(f, "the condition of the header"));
        let mut done = Game {
            name: tree.name.text.clone(),
            span: tree.name.span,
            misere: tree.misere,
            params: self.games[game.0].params.clone(),
            fields: self.games[game.0].fields.clone(),
            filter: filter.flatten(),
            frame: Frame::default(),
            ends: Vec::new(),
            players: None,
            draws: Vec::new(),
            legal: Vec::new(),
            same: Vec::new(),
            moves: Vec::new(),
            theorems: Vec::new(),
            successors: Vec::new(),
            asks: Vec::new(),
        };
        // Theorems about winning moves need all moves.
        for rule in &tree.rules {
            self.rule(game, &mut done, rule);
        }
        for rule in &tree.rules {
            if let Rule::Theorem(theorem) = rule {
                let theorem = self.theorem(game, &done, theorem);
                done.theorems.extend(theorem);
            }
        }
        done.frame = std::mem::take(&mut self.cx.frame);
        self.games[game.0].done = Some(done);
    }

    /// The lets of a game, and the room that its defs copy: parameters, fields, lets and what these bind inside.
    fn game_lets(&mut self, game: GameId) {
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
                whole + l.pattern.names().len() + l.inner_slots()
            })
            .sum();
        let prefix = self.cx.frame.slots.len() + room;
        self.games[game.0].prefix = prefix;
        self.cx.shared = true;
        self.games[game.0].context = Some(self.cx.clone());
        self.lazies(&lets);
        self.cx.shared = false;
        debug_assert!(
            self.cx.frame.slots.len() <= prefix,
            "the lets of a game bind no more than what is written in them"
        );
        self.cx.frame.slots.resize_with(prefix, || padding(tree.name.span));
        self.games[game.0].context = Some(self.cx.clone());
    }

    fn rule(&mut self, game: GameId, done: &mut Game, rule: &'a Rule) {
        match rule {
            Rule::Move(line) => done.moves.extend(self.game_move(game, line)),
            Rule::End { when, verdict, span } => {
                let when = self.condition(when, "the condition after `end when`");
                let verdict = match verdict {
                    Ending::Over => Some(Ending::Over),
                    Ending::Play(outcome) => Some(Ending::Play(*outcome)),
                    Ending::Score(score) => self.expr_as(score, &Type::Int, "the score of an end").map(Ending::Score),
                };
                if let (Some(when), Some(verdict)) = (when, verdict) {
                    done.ends.push(End { when, verdict, span: *span });
                }
            }
            Rule::Legal { when, .. } => {
                done.legal.extend(self.condition(when, "the condition after `legal when`"));
            }
            Rule::Players { mover, other, span } => {
                let mut name = |name| self.expr_as(name, &Type::Text, "the name of a player");
                let (mover, other) = (name(mover), name(other));
                if done.players.is_some() {
                    let hint = "one line names the player to move, then the other";
                    self.refuse::<()>(Code::E02, *span, "the players are named twice", hint);
                }
                done.players = mover.zip(other).map(|(mover, other)| [mover, other]);
            }
            Rule::Draw { values, .. } => {
                let values: Vec<Term> = values.iter().filter_map(|value| self.expr(value)).collect();
                done.draws.push(values);
            }
            Rule::Same { position, when, span } => {
                let position = self.expr_as(position, &Type::Position, "what stands after `same as`");
                let when = self.condition(when, "the condition after `when`");
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
                let message = format!("`same as` names one position of `{name}` itself");
                let hint = format!("write `same as {name}(..) when ..`, with the same rule parameters");
                self.refuse(Code::E03, position.span, message, hint)
            }
        }
    }

    /// Whether a move of this game may lead there.
    fn target_fits(&mut self, game: GameId, position: &Term) -> Option<()> {
        let position_type = position_type(&self.games, position);
        if position_type.compound == Some(true) {
            let message = "a move cannot lead to a compound";
            return self.refuse(Code::E22, position.span, message, "a move leads to a position or to a sum `P + Q`");
        }
        let misere = self.games[game.0].tree.misere;
        if position_type.misere.is_some_and(|m| m != misere) {
            let (from, to) = if misere { ("misere", "normal") } else { ("normal", "misere") };
            let message = format!("this move leads from {from} play to {to} play");
            let hint = "all games that moves join are `misere game`s, or none is";
            return self.refuse(Code::E11, position.span, message, hint);
        }
        Some(())
    }

    fn game_move(&mut self, game: GameId, line: &'a tree::Move) -> Option<Move> {
        let mark = self.cx.locals.len();
        let clauses = self.clauses(&line.clauses);
        let target = self.target(game, &line.target);
        self.cx.locals.truncate(mark);
        let clauses = clauses?;
        let binders = identity(&self.cx.frame, &clauses);
        Some(Move { name: line.name.text.clone(), clauses, binders, target: target?, span: line.span })
    }

    fn target(&mut self, game: GameId, target: &'a tree::Target) -> Option<Target> {
        match target {
            tree::Target::If { condition, yes, no, span } => self.deeper(*span, |this| {
                let condition = this.condition(condition, "the condition after `if`");
                let yes = this.target(game, yes);
                let no = this.target(game, no);
                Some(Target::If(condition?, Box::new(yes?), Box::new(no?)))
            }),
            tree::Target::Stop(outcome, _) => Some(Target::Stop(*outcome)),
            tree::Target::Go { again, position, gain, .. } => {
                let position = self.expr_as(position, &Type::Position, "the target of a move");
                let gain = optional(gain.as_ref(), |gain| self.expr_as(gain, &Type::Int, "the gain of a move"));
                let (position, gain) = (position?, gain.ok()?);
                self.target_fits(game, &position)?;
                Some(Target::Go { again: *again, position, gain })
            }
        }
    }

    /// A theorem of a game whose moves are known.
    pub(crate) fn theorem(&mut self, game: GameId, of: &Game, line: &'a tree::Theorem) -> Option<Theorem> {
        let outer = self.cx.no_inputs.replace("a theorem");
        let says = match &line.says {
            tree::TheoremSays::Moves { which, name, clauses } => {
                let mark = self.cx.locals.len();
                let which = self.which(game, of, which, line.span);
                let moves = which.and_then(|which| self.moves_of(game, of, which, name, clauses, line));
                self.cx.locals.truncate(mark);
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
                let both = self.with_names(&line.with, |this| {
                    let value = this.expr_as(value, &ty, word);
                    Some((value?, this.guard(guard.as_ref()).ok()?))
                });
                defined.and(both).map(|(value, guard)| TheoremSays::Value { what: *what, value, guard })
            }
            tree::TheoremSays::Verdict { what, when, guard } => {
                let both = self.with_names(&line.with, |this| {
                    let when = this.condition(when, "what a theorem says after `iff`");
                    Some((when?, this.guard(guard.as_ref()).ok()?))
                });
                both.map(|(when, guard)| TheoremSays::Verdict { what: *what, when, guard })
            }
        };
        self.cx.no_inputs = outer;
        Some(Theorem { says: says?, span: line.span })
    }

    fn guard(&mut self, guard: Option<&'a tree::Expr>) -> Result<Option<Term>, Told> {
        optional(guard, |guard| self.condition(guard, "the guard after `where`"))
    }

    /// Whether the game may have such a value at all (E20, E21).
    fn measurable(&mut self, game: GameId, what: Measure, misere: bool, span: Span) -> Option<()> {
        let word = match what {
            Measure::Grundy => Builtin::Grundy,
            Measure::Score => Builtin::Score,
            Measure::Outcome | Measure::Remoteness => return Some(()),
        };
        if misere {
            return self.fail(misere_value(word, span));
        }
        self.asked.push(Asked { word, games: vec![game], span });
        Some(())
    }

    /// The name of the Grundy value gets a slot.
    fn which(&mut self, game: GameId, of: &Game, which: &'a Which<Name>, span: Span) -> Option<Which<Slot>> {
        Some(match which {
            Which::Winning => Which::Winning,
            Which::Drawing => Which::Drawing,
            Which::To(name) => {
                self.measurable(game, Measure::Grundy, of.misere, span)?;
                Which::To(self.cx.bind(&name.text, Some(Type::Int), name.span, &mut self.errors))
            }
        })
    }

    fn moves_of(
        &mut self,
        game: GameId,
        of: &Game,
        which: Which<Slot>,
        name: &'a Name,
        clauses: &'a [tree::Clause],
        line: &'a tree::Theorem,
    ) -> Option<TheoremSays> {
        let (clauses, slots) =
            self.with_clauses(clauses, &line.with, |this| this.winning_slots(game, of, name, clauses));
        Some(TheoremSays::Moves { which, name: name.text.clone(), clauses: clauses?, slots: slots? })
    }

    /// The slots that the theorem binds, in the order of the move's binders.
    fn winning_slots(
        &mut self,
        game: GameId,
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
            let hint = self.meant(&name.text, || all);
            return self.deny(Code::E01, name.span, format!("there is no move `{}`", name.text), hint);
        }
        let moves: Vec<_> = of.moves.iter().filter(|m| m.name == name.text).collect();
        // A move with errors of its own has been told.
        let binders = &moves.first()?.binders;
        let names: Vec<&str> = binders.iter().map(|&s| &*self.cx.frame.slots[s].name).collect();
        for other in &moves[1..] {
            let others: Vec<&str> = other.binders.iter().map(|&s| &*self.cx.frame.slots[s].name).collect();
            if others != names {
                let message = format!("the moves `{}` bind different names", name.text);
                let hint = "give one of them another name, or bind the same names in the same order";
                return self.refuse(Code::E05, name.span, message, hint);
            }
        }
        let given: Vec<&Name> = clauses.iter().flat_map(tree::Clause::names).collect();
        if let Some(extra) = given.iter().find(|n| !n.text.starts_with('_') && !names.contains(&&*n.text)) {
            let message = format!("the move `{}` binds no `{}`", name.text, extra.text);
            return self.refuse(Code::E05, extra.span, message, binds(&names));
        }
        let mut slots = Vec::new();
        for (&want, &binder) in names.iter().zip(binders) {
            let Some(name_given) = given.iter().find(|n| n.text == want) else {
                let message = format!("the theorem does not say which `{want}` wins");
                return self.refuse(Code::E05, name.span, message, binds(&names));
            };
            let local = self.cx.local(want)?;
            let (have, need) = (local.ty.clone()?, &self.cx.frame.slots[binder].ty);
            if join(&have, need).is_none() {
                let message =
                    format!("`{want}` of the move `{}` is {}, not {}", name.text, a_type(need), a_type(&have));
                return self.deny(Code::E03, name_given.span, message, None);
            }
            slots.push(local.slot);
        }
        Some(slots)
    }
}

/// The slots whose values tell moves of one name apart: those bound by `in`, but for names with `_` first.
pub(crate) fn identity(frame: &Frame, clauses: &[Clause]) -> Vec<Slot> {
    let binders = clauses.iter().filter(|clause| matches!(clause, Clause::In { .. }));
    let slots = binders.flat_map(|clause| bound_slots(std::slice::from_ref(clause)));
    slots.filter(|&slot| !frame.slots[slot].name.starts_with('_')).collect()
}

fn binds(names: &[&str]) -> String {
    if names.is_empty() {
        return "it binds nothing: `for _win in 0..0`, or a theorem about the outcome".into();
    }
    let names: Vec<String> = names.iter().map(|n| format!("`{n}`")).collect();
    format!("it binds {}", names.join(", "))
}
