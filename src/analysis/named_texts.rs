//! Texts that stand for one of a few things, as whose turn it is: fields to which the rules give only texts that the file
//! names. Such a field is one word, whatever the lengths of its texts.
//!
//! It is only about how states are kept: a state with another text, which an input may give, is kept by its letters.

use crate::model::walk::{bare, each_term, game_terms, target_terms};
use crate::model::{
    Clause, DefId, Frame, GameId, Gather, GlobalSource, Kind, Pattern, Program, Question, Slot, Term, TermKind, Type,
};
use hashbrown::HashSet;

/// More texts than these are kept by their letters.
const MOST: usize = 60;

/// How deep definitions, names and choices are looked through.
const DEPTH: usize = 12;

/// So many terms and clauses are looked at: definitions may call definitions many times.
const STEPS: usize = 1 << 20;

/// What is known of the texts of a program.
#[derive(Debug, Default)]
pub(crate) struct NamedTexts {
    /// The texts that the fields can have, ascending.
    pub(crate) texts: Vec<String>,
    /// By game: the index of the field.
    fields: HashSet<(GameId, usize)>,
}

impl NamedTexts {
    /// Whether this field of a game has such texts.
    pub(crate) fn is_field(&self, game: GameId, field: usize) -> bool {
        self.fields.contains(&(game, field))
    }
}

/// Where a term stands: what its slots are.
#[derive(Clone, Copy)]
struct Scope<'p> {
    frame: &'p Frame,
    owner: Option<GameId>,
    clauses: &'p [Clause],
}

/// What is given to a field.
struct Given<'p> {
    field: (GameId, usize),
    term: &'p Term,
    scope: Scope<'p>,
}

/// The fields of a program whose texts are named, with all texts that they can have. None where each text is a single letter, as
/// letters are words anyway.
///
/// Cost: linear in the program, for each round in which a field is found to have other texts; at most [`STEPS`] looks.
pub(crate) fn named_texts(program: &Program) -> NamedTexts {
    let mut fields = HashSet::new();
    for (game, decls) in program.games.iter().enumerate() {
        let texts = decls.fields.iter().enumerate().filter(|(_, field)| matches!(field.kind, Kind::Text));
        fields.extend(texts.map(|(field, _)| (GameId(game), field)));
    }
    if fields.is_empty() {
        return NamedTexts::default();
    }
    let (moves, starts) = all_given(program);
    let mut search = Search { program, fields, texts: Vec::new(), left: STEPS };
    loop {
        let before = search.fields.len();
        for given in moves.iter().filter(|given| given.term.ty == Type::Text) {
            search.spend(1);
            if search.fields.contains(&given.field) && !search.is_named(given.term, given.scope, DEPTH) {
                search.fields.remove(&given.field);
            }
        }
        if search.fields.len() == before {
            break;
        }
    }
    // Again, for the texts of the fields that are left alone.
    search.texts.clear();
    for given in moves.iter().chain(&starts) {
        if search.fields.contains(&given.field) {
            search.is_named(given.term, given.scope, DEPTH);
        }
    }
    let long = search.texts.iter().any(|text| text.chars().count() != 1);
    if !long || search.fields.is_empty() || search.texts.len() > MOST || search.left == 0 {
        return NamedTexts::default();
    }
    search.texts.sort_unstable();
    NamedTexts { texts: search.texts, fields: search.fields }
}

/// What rules and definitions give to the text fields of games, and what questions and defaults do.
fn all_given(program: &Program) -> (Vec<Given<'_>>, Vec<Given<'_>>) {
    let (mut moves, mut starts) = (Vec::new(), Vec::new());
    for (at, game) in program.games.iter().enumerate() {
        let owner = Some(GameId(at));
        let (_, other) = game_terms(game);
        for line in &game.moves {
            let mut terms = Vec::new();
            target_terms(&line.target, &mut terms);
            let scope = Scope { frame: &game.frame, owner, clauses: &line.clauses };
            for term in terms {
                places(term, scope, &mut moves);
            }
        }
        let scope = Scope { frame: &game.frame, owner, clauses: &[] };
        for term in other {
            places(term, scope, &mut moves);
        }
        game.same.iter().for_each(|same| places(&same.position, scope, &mut moves));
        for (index, field) in game.fields.iter().enumerate() {
            let given = |term| Given { field: (GameId(at), index), term, scope };
            starts.extend(field.default.as_ref().filter(|_| matches!(field.kind, Kind::Text)).map(given));
        }
    }
    for def in &program.defs {
        let scope = Scope { frame: &def.frame, owner: def.owner, clauses: &[] };
        def.body.iter().for_each(|body| places(body, scope, &mut moves));
    }
    for question in &program.questions {
        let (frame, term) = match question {
            Question::Solve { body } => (&body.frame, &body.term),
            Question::Table { frame, value, .. } => (frame, value),
            Question::Expect { frame, position, .. } => (frame, position),
            _ => continue,
        };
        places(term, Scope { frame, owner: None, clauses: &[] }, &mut starts);
    }
    (moves, starts)
}

/// What the positions named in a term give to their text fields.
fn places<'p>(term: &'p Term, scope: Scope<'p>, given: &mut Vec<Given<'p>>) {
    each_term(term, &mut |part| {
        let TermKind::Place(place) = &part.kind else { return };
        let fields = place.fields.iter().enumerate().filter_map(|(field, term)| Some((field, term.as_ref()?)));
        given.extend(fields.map(|(field, term)| Given { field: (place.game, field), term, scope }));
    });
}

struct Search<'p> {
    program: &'p Program,
    /// The fields that have named texts as far as is known.
    fields: HashSet<(GameId, usize)>,
    /// The texts that were met.
    texts: Vec<String>,
    left: usize,
}

impl<'p> Search<'p> {
    /// Whether so many more looks are allowed.
    fn spend(&mut self, looks: usize) -> bool {
        self.left = self.left.saturating_sub(looks);
        self.left > 0
    }

    /// Whether a term gives only texts that the file names, or those of such a field.
    fn is_named(&mut self, term: &'p Term, scope: Scope<'p>, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1).filter(|_| self.spend(1)) else { return false };
        match &bare(term).kind {
            TermKind::Text(text) => {
                if self.texts.iter().all(|known| **known != **text) && self.texts.len() <= MOST {
                    self.texts.push(text.to_string());
                }
                true
            }
            TermKind::If(_, yes, no) => {
                let yes = self.is_named(yes, scope, depth);
                self.is_named(no, scope, depth) && yes
            }
            TermKind::Index(list, _) => self.has_named(list, scope, depth),
            TermKind::Slot(slot) => self.is_named_slot(*slot, scope, depth),
            TermKind::Global(global) => match &self.program.globals[global.0].source {
                GlobalSource::Let(body) => self.is_named(&body.term, Self::outside(&body.frame), depth),
                GlobalSource::Input(input) => self.is_named_input(*input, depth),
            },
            TermKind::Call(def, _) => self.is_named_def(*def, depth),
            _ => false,
        }
    }

    /// Whether a list or set has only such members.
    fn has_named(&mut self, list: &'p Term, scope: Scope<'p>, depth: usize) -> bool {
        let Some(depth) = depth.checked_sub(1).filter(|_| self.spend(1)) else { return false };
        match &bare(list).kind {
            TermKind::Items(Gather::List | Gather::Set, items) => {
                items.iter().all(|item| !item.spread && self.is_named(&item.term, scope, depth))
            }
            TermKind::Global(global) => match &self.program.globals[global.0].source {
                GlobalSource::Let(body) => self.has_named(&body.term, Self::outside(&body.frame), depth),
                GlobalSource::Input(_) => false,
            },
            TermKind::Slot(slot) => {
                let lazy = scope.frame.slots.get(*slot).and_then(|slot| slot.lazy.as_deref());
                lazy.is_some_and(|list| self.has_named(list, scope, depth))
            }
            _ => false,
        }
    }

    fn is_named_slot(&mut self, slot: Slot, scope: Scope<'p>, depth: usize) -> bool {
        if let Some(game) = scope.owner {
            let params = self.program.games[game.0].params.len();
            if let Some(field) = slot.checked_sub(params)
                && field < self.program.games[game.0].fields.len()
            {
                return self.fields.contains(&(game, field));
            }
        }
        if let Some(lazy) = scope.frame.slots.get(slot).and_then(|slot| slot.lazy.as_deref()) {
            return self.is_named(lazy, scope, depth);
        }
        if !self.spend(scope.clauses.len()) {
            return false;
        }
        let is = |pattern: &Pattern| matches!(pattern, Pattern::Slot(bound) if *bound == slot);
        scope.clauses.iter().any(|clause| match clause {
            Clause::Let { pattern, value } => is(pattern) && self.is_named(value, scope, depth),
            Clause::In { pattern, source, .. } => is(pattern) && self.has_named(source, scope, depth),
            Clause::Where(_) => false,
        })
    }

    /// Looks at all that the file and the command line give to an input.
    fn is_named_input(&mut self, input: usize, depth: usize) -> bool {
        let default = self.program.inputs[input].default.as_ref();
        let given = self.program.questions.iter().filter_map(|question| match question {
            Question::Given { input: at, body } if *at == input => Some(body),
            _ => None,
        });
        default.into_iter().chain(given).all(|body| self.is_named(&body.term, Self::outside(&body.frame), depth))
    }

    fn is_named_def(&mut self, def: DefId, depth: usize) -> bool {
        let def = &self.program.defs[def.0];
        let scope = Scope { frame: &def.frame, owner: def.owner, clauses: &[] };
        !def.recursive && def.body.as_ref().is_some_and(|body| self.is_named(body, scope, depth))
    }

    fn outside(frame: &'p Frame) -> Scope<'p> {
        Scope { frame, owner: None, clauses: &[] }
    }
}
