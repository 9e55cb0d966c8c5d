//! The state of a check and of a body that is being checked, and how errors are told.

use crate::model::{
    BinaryOp, Builtin, DefId, Field, Frame, Game, GameId, GlobalId, Input, Kind, Program, Slot, SlotInfo, Term,
    TermKind, Type,
};
use crate::source::{Code, Diagnostic, Span};
use crate::syntax::tree;
use crate::typing::name_stack::NameStack;
use crate::typing::statements::Unit;
use crate::typing::types::{Fit, a_type, adapt, fits, kind_words, member, with_article};
use std::collections::{HashMap, HashSet};

/// Nothing came of something because of an error that has been told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Told;

/// Checks what may have been left out: `None` where nothing was written.
pub(crate) fn optional<A, T>(written: Option<A>, check: impl FnOnce(A) -> Option<T>) -> Result<Option<T>, Told> {
    written.map(|written| check(written).ok_or(Told)).transpose()
}

/// How far something that is checked on demand has come.
#[derive(Clone, Debug)]
pub(crate) enum Progress<T> {
    Busy,
    /// It is known; `None` after an error that has been told.
    Done(Option<T>),
}

/// Which def: the game it stands in, the file, and its item or rule.
pub(crate) type DefKey = (Option<GameId>, usize, usize);

/// A game while the file is checked.
#[derive(Debug)]
pub(crate) struct GameEntry<'a> {
    pub(crate) unit: usize,
    pub(crate) tree: &'a tree::Game,
    /// Its parameters and fields.
    pub(crate) head: Option<Progress<()>>,
    pub(crate) params: Vec<Field>,
    pub(crate) fields: Vec<Field>,
    /// Its body, once the head is known.
    pub(crate) context: Option<TermContext>,
    /// Slots that its own defs copy.
    pub(crate) prefix: usize,
    /// Rule indices of the defs in it, by name.
    pub(crate) defs: HashMap<&'a str, usize>,
    pub(crate) done: Option<Game>,
}

#[derive(Debug, Default)]
pub(crate) struct Checker<'a> {
    pub(crate) units: Vec<Unit<'a>>,
    pub(crate) program: Program,
    pub(crate) errors: Vec<Diagnostic>,
    pub(crate) cx: TermContext,
    pub(crate) games: Vec<GameEntry<'a>>,
    pub(crate) game_ids: HashMap<(usize, &'a str), GameId>,
    /// Items at top level that name values.
    pub(crate) items: HashMap<(usize, usize), Progress<()>>,
    pub(crate) values: HashMap<(usize, &'a str), Option<GlobalId>>,
    /// Inputs of the file in order, each filled in when it is known.
    pub(crate) inputs: Vec<Option<Input>>,
    /// How many inputs stand before each item of the file, once that was asked.
    pub(crate) inputs_before: Vec<usize>,
    pub(crate) defs: HashMap<(DefKey, Vec<Type>), Progress<DefId>>,
    /// With how many combinations of types each def is used.
    pub(crate) uses: HashMap<DefKey, usize>,
    pub(crate) busy: HashSet<DefKey>,
    pub(crate) depth: usize,
    /// Questions to be looked at when all games are known.
    pub(crate) asked: Vec<crate::typing::builtins::Asked>,
}

/// How deep expressions and the definitions they call may stand in each other.
const DEPTH: usize = 8000;

impl<'a> Checker<'a> {
    /// A check of these files; the first is the one asked for.
    pub(crate) fn new(units: Vec<Unit<'a>>, errors: Vec<Diagnostic>) -> Self {
        let mut checker = Checker { units, errors, ..Checker::default() };
        for unit in 0..checker.units.len() {
            let file = checker.units[unit].file;
            for (index, item) in file.items.iter().enumerate() {
                let tree::Item::Game(game) = item else { continue };
                if checker.units[unit].games.get(&*game.name.text) == Some(&index) {
                    let id = GameId(checker.games.len());
                    checker.game_ids.insert((unit, &game.name.text), id);
                }
                // A game whose name is taken is still checked, only nobody can name it.
                checker.games.push(GameEntry {
                    unit,
                    tree: game,
                    head: None,
                    params: Vec::new(),
                    fields: Vec::new(),
                    context: None,
                    prefix: 0,
                    defs: HashMap::new(),
                    done: None,
                });
            }
        }
        checker
    }

    pub(crate) fn error(&mut self, error: Diagnostic) {
        self.errors.push(error);
    }

    /// Tells an error and gives nothing.
    pub(crate) fn fail<T>(&mut self, error: Diagnostic) -> Option<T> {
        self.errors.push(error);
        None
    }

    /// Tells an error that says how to mend it, and gives nothing.
    pub(crate) fn refuse<T>(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Option<T> {
        self.deny(code, span, message, Some(hint.into()))
    }

    /// Tells an error, with a hint if there is one, and gives nothing.
    pub(crate) fn deny<T>(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        hint: Option<String>,
    ) -> Option<T> {
        self.fail(Diagnostic { hint, ..Diagnostic::new(code, span, message) })
    }

    /// Runs something in another body.
    pub(crate) fn within<T>(&mut self, cx: TermContext, run: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.cx, cx);
        let result = run(self);
        self.cx = outer;
        result
    }

    /// Runs something one level deeper, or tells that it stands too deep.
    pub(crate) fn deeper<T>(&mut self, span: Span, run: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= DEPTH {
            let message = "this stands too deep inside other expressions and definitions";
            return self.refuse(Code::E18, span, message, "name a part of it with `let` or `def`");
        }
        self.depth += 1;
        let result = run(self);
        self.depth -= 1;
        result
    }

    /// The term where a value of type `want` is needed; `what` says for the message what it is ("the condition").
    pub(crate) fn want(&mut self, term: Term, want: &Type, what: &str) -> Option<Term> {
        let term = zero_position(term, want);
        match fits(&term.ty, want) {
            Fit::Same => Some(term),
            Fit::Label | Fit::Change => Some(adapt(term, want.clone())),
            Fit::Real => self.fail(needs_int(what, term.span)),
            Fit::No => self.fail(wrong(what, want, &term)),
        }
    }

    /// The term where it enters a parameter or field, which checks the domain itself: adapted only where the form changes.
    pub(crate) fn enter(&mut self, term: Term, kind: &Kind, what: &str) -> Option<Term> {
        let want = kind.ty();
        let term = zero_position(term, &want);
        match fits(&term.ty, &want) {
            Fit::Same | Fit::Label => Some(term),
            Fit::Change => Some(adapt(term, want)),
            Fit::Real => self.fail(needs_int(what, term.span)),
            Fit::No => {
                // The declared word is the user's: `nat`, where the type is `int`.
                let hint = wrong(what, &want, &term).hint;
                self.fail(Diagnostic { hint, ..unlike(what, &with_article(&kind_words(kind)), &term) })
            }
        }
    }

    pub(crate) fn expr_as(&mut self, expr: &'a tree::Expr, want: &Type, what: &str) -> Option<Term> {
        let term = self.expr(expr)?;
        self.want(term, want, what)
    }
}

/// E03: something else is needed here.
pub(crate) fn wrong(what: &str, want: &Type, found: &Term) -> Diagnostic {
    let mut error = unlike(what, &a_type(want), found);
    error.hint = match (want, &found.ty) {
        (Type::List(_), Type::Bag(_)) => Some("`list(..)` makes a list of it".into()),
        (Type::Set(_), Type::Bag(_)) => Some("`set(..)` makes a set of it".into()),
        (Type::Graph(tree::GraphWord::Digraph), Type::Graph(_) | Type::Grid) => {
            Some("`digraph(..)` takes every edge in both directions".into())
        }
        (Type::Text, Type::Int) => Some("`text(..)` writes a number out".into()),
        (Type::Int, Type::Text) if what.contains("`*`") => Some("`repeat(s, n)` repeats a text".into()),
        (Type::Int, Type::Text) => Some("`int(..)` reads a number".into()),
        (Type::Position, Type::Int | Type::Tuple(_) | Type::Text) => {
            Some("a position is a game with its state: `G(n - k)`".into())
        }
        (Type::Int, Type::Bool) => Some("`if .. then 1 else 0` makes a number of it".into()),
        (Type::Position, Type::List(of)) if **of == Type::Position => Some("`sum(..)` adds positions up".into()),
        _ => None,
    };
    error
}

/// E03: what is found is not what is needed, which `want` says.
pub(crate) fn unlike(what: &str, want: &str, found: &Term) -> Diagnostic {
    let found_type = a_type(&found.ty);
    Diagnostic::new(Code::E03, found.span, format!("{what} must be {want}, not {found_type}"))
        .label(format!("this is {found_type}"))
}

/// E15: a real where an int is needed.
pub(crate) fn needs_int(what: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::E15, span, format!("{what} must be an `int`, not a `real`"))
        .label("this is a `real`")
        .hint("`div` divides and rounds down; `floor(..)` and `ceil(..)` round")
}

/// A sum over nothing is the zero position where a position is asked (rule 27).
fn zero_position(term: Term, want: &Type) -> Term {
    if *want != Type::Position || term.ty != Type::Int || !is_empty_sum(&term) {
        return term;
    }
    adapt(term, Type::Position)
}

fn is_empty_sum(term: &Term) -> bool {
    match &term.kind {
        TermKind::Builtin(Builtin::Sum, args) => args.iter().all(|a| member(&a.ty) == Some(Type::Never)),
        TermKind::Binary(BinaryOp::Add, a, b) | TermKind::If(_, a, b) => is_empty_sum(a) && is_empty_sum(b),
        _ => false,
    }
}

/// E02: a local name that is bound already.
pub(crate) fn hides(name: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::E02, span, format!("the name `{name}` already means something here"))
        .hint("a name means one thing in a game, def or claim; take another name")
}

/// A name of the body.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub(crate) slot: Slot,
    /// Its type; `None` after an error that has been told.
    pub(crate) ty: Option<Type>,
}

/// A body that is being checked.
#[derive(Clone, Debug, Default)]
#[allow(clippy::struct_excessive_bools)]
pub(crate) struct TermContext {
    pub(crate) unit: usize,
    /// The game it stands in: its name alone keeps the rule parameters, its defs are known.
    pub(crate) game: Option<GameId>,
    /// Whether the defs of that game may be called: not before the whole state is known.
    pub(crate) local_defs: bool,
    pub(crate) frame: Frame,
    /// Its names; the later ones stand deeper.
    pub(crate) locals: NameStack<Local>,
    /// Names that clauses still to come will bind.
    pub(crate) later: NameStack<()>,
    /// Who may not read inputs here ("a game"), if so.
    pub(crate) no_inputs: Option<&'static str>,
    pub(crate) reads_input: bool,
    /// Whether the clauses of a claim are being read, where a binder may range over `nat`.
    pub(crate) claim: bool,
    /// Whether the lets of a game are being read, which its defs see one by one.
    pub(crate) shared: bool,
    /// The right end of the range that is being read, for E23.
    pub(crate) range_end: Option<Span>,
}

impl TermContext {
    pub(crate) fn new(unit: usize, no_inputs: Option<&'static str>) -> Self {
        TermContext { unit, no_inputs, ..TermContext::default() }
    }

    /// A new slot without a name in scope.
    pub(crate) fn slot(&mut self, name: &str, ty: Type, span: Span) -> Slot {
        self.frame.slots.push(SlotInfo { name: name.to_owned(), ty, span, lazy: None });
        self.frame.slots.len() - 1
    }

    pub(crate) fn set(&mut self, slot: Slot, value: Term) {
        let ty = value.ty.clone();
        self.frame.slots[slot].ty = ty.clone();
        self.frame.slots[slot].lazy = Some(std::sync::Arc::new(value));
        if let Some(local) = self.locals.last_first().find(|local| local.slot == slot) {
            local.ty = Some(ty);
        }
    }

    pub(crate) fn local(&self, name: &str) -> Option<&Local> {
        self.locals.find(name)
    }

    /// A new slot with its name; E02 when the name is already a local one. `_` is never read, so it is not kept.
    pub(crate) fn bind(&mut self, name: &str, ty: Option<Type>, span: Span, errors: &mut Vec<Diagnostic>) -> Slot {
        let slot = self.slot(name, ty.clone().unwrap_or(Type::Never), span);
        if name != "_" {
            if self.local(name).is_some() {
                errors.push(hides(name, span).label("bound again"));
            }
            self.locals.push(name, Local { slot, ty });
        }
        slot
    }
}
