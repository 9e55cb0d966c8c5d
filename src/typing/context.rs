//! What is known while a body is checked: its frame, the names in it, what it may read.

use crate::model::kind::Type;
use crate::model::{Frame, GameId, Slot, SlotInfo};
use crate::source::diagnostic::{Code, Diagnostic};
use crate::source::text::Span;

/// A name of the body.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub(crate) name: String,
    pub(crate) slot: Slot,
    /// Its type; `None` after an error that has been told.
    pub(crate) ty: Option<Type>,
}

/// A body that is being checked.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools)]
pub(crate) struct Context {
    /// The file it stands in.
    pub(crate) unit: usize,
    /// The game it stands in: its name alone keeps the rule parameters, its defs are known.
    pub(crate) game: Option<GameId>,
    /// Whether the defs of that game may be called: not before the whole state is known.
    pub(crate) local_defs: bool,
    /// Its slots.
    pub(crate) frame: Frame,
    /// Its names; the later ones stand deeper.
    pub(crate) locals: Vec<Local>,
    /// Names that clauses still to come will bind.
    pub(crate) later: Vec<String>,
    /// Who may not read inputs here ("a game"), if so.
    pub(crate) no_inputs: Option<&'static str>,
    /// Whether an input was read.
    pub(crate) reads_input: bool,
    /// Whether the clauses of a claim are being read, where a binder may range over `nat`.
    pub(crate) claim: bool,
    /// Whether the lets of a game are being read, which its defs see one by one.
    pub(crate) shared: bool,
    /// The right end of the range that is being read, for E23.
    pub(crate) range_end: Option<Span>,
}

impl Context {
    /// An empty body in a file.
    pub(crate) fn new(unit: usize, no_inputs: Option<&'static str>) -> Self {
        Context {
            unit,
            game: None,
            local_defs: false,
            frame: Frame::default(),
            locals: Vec::new(),
            later: Vec::new(),
            no_inputs,
            reads_input: false,
            claim: false,
            shared: false,
            range_end: None,
        }
    }

    /// A new slot without a name in scope.
    pub(crate) fn slot(&mut self, name: &str, ty: Type, span: Span) -> Slot {
        self.frame.slots.push(SlotInfo { name: name.to_owned(), ty, span, lazy: None });
        self.frame.slots.len() - 1
    }

    /// The local of this name.
    pub(crate) fn local(&self, name: &str) -> Option<&Local> {
        self.locals.iter().rev().find(|l| l.name == name)
    }

    /// A new slot with its name; E02 when the name is already a local one. `_` is never read, so it is not kept.
    pub(crate) fn bind(&mut self, name: &str, ty: Option<Type>, span: Span, errors: &mut Vec<Diagnostic>) -> Slot {
        let slot = self.slot(name, ty.clone().unwrap_or(Type::Never), span);
        if name != "_" {
            if self.local(name).is_some() {
                errors.push(
                    Diagnostic::new(Code::E02, span, format!("the name `{name}` already means something here"))
                        .label("bound again")
                        .hint("a name means one thing in a game, def or claim; take another name"),
                );
            }
            self.locals.push(Local { name: name.to_owned(), slot, ty });
        }
        slot
    }
}
