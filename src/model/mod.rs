//! The checked program: names resolved to numbers, every term with its type, every definition once for each use.
//!
//! Slots: every body (a game, a def, a let, a question) has one frame of numbered slots. A game's frame starts with its
//! rule parameters, then its fields, then its lets; the bodies of defs written inside a game start with a copy of that
//! prefix, so that the same number means the same name there.
//!
//! The program is data: typing makes it, all rooms below read it, none changes it. It knows neither texts nor values.

#![allow(missing_docs)] // fields are called as what they hold is called in the language

pub mod builtin;
mod game;
pub mod kind;
mod term;
pub mod walk;

pub use crate::model::game::{Claim, Fact, Question};
pub use crate::model::game::{End, Ending, Field, Game, Move, Same, Target, Theorem, TheoremSays};
use crate::model::kind::{Kind, Type};
pub use crate::model::term::{
    Change, Clause, Drawing, DrawnLabel, Gather, Item, Pattern, Place, PlaceParams, Term, TermId, TermKind,
};
use crate::source::text::Span;
/// Operators mean the same in texts and in checked terms.
pub use crate::syntax::tree::{BinaryOp, CompareOp, LogicOp};
use std::sync::Arc;

/// A slot of the body it stands in.
pub type Slot = usize;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub usize);
    };
}

id!(
    /// An index into [`Program::games`].
    GameId
);

id!(
    /// An index into [`Program::defs`].
    DefId
);

id!(
    /// An index into [`Program::globals`].
    GlobalId
);

/// Everything that a file and the files it uses mean.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Games of this file and of the files it uses.
    pub games: Vec<Game>,
    /// Definitions, one for each combination of argument types they are used with.
    pub defs: Vec<Def>,
    /// Lets and inputs at top level. A pattern let is one hidden global and one `Part` global for each name.
    pub globals: Vec<Global>,
    /// The inputs of this file in order.
    pub inputs: Vec<Input>,
    /// `solve`, `table`, `claim` and `expect` of this file, in order.
    pub questions: Vec<Question>,
    /// The letters that occur in texts of the file, ascending, and one more that does not (rule 34).
    pub letters: Vec<char>,
}

/// A slot of a frame.
#[derive(Clone, Debug)]
pub struct SlotInfo {
    /// The name in the file; made-up ones start with `%`.
    pub name: String,
    /// The type of what is in it.
    pub ty: Type,
    /// Where it is bound.
    pub span: Span,
    /// A lazy slot (`let` of a game, `with`): evaluated at the first use, once for each frame entry.
    pub lazy: Option<Arc<Term>>,
}

#[derive(Clone, Debug, Default)]
pub struct Frame {
    pub slots: Vec<SlotInfo>,
}

/// A value named at top level.
#[derive(Clone, Debug)]
pub struct Global {
    pub name: String,
    pub ty: Type,
    pub span: Span,
    pub source: GlobalSource,
    /// Whether an input is read, directly or through others.
    pub reads_input: bool,
}

/// Where a global's value comes from.
#[derive(Clone, Debug)]
pub enum GlobalSource {
    /// The input of this index.
    Input(usize),
    /// A term with its own frame.
    Let(Body),
}

/// A term with the frame it runs in.
#[derive(Clone, Debug)]
pub struct Body {
    pub frame: Frame,
    pub term: Term,
}

/// An `input`.
#[derive(Clone, Debug)]
pub struct Input {
    pub name: String,
    /// The declared kind, or that of the default.
    pub kind: Kind,
    /// The default with its frame.
    pub default: Option<Body>,
    pub span: Span,
    /// The global that holds its value.
    pub global: GlobalId,
}

/// A definition for one combination of argument types.
#[derive(Clone, Debug)]
pub struct Def {
    pub name: String,
    /// The game it is written in: then its frame starts with that game's parameters, fields and lets.
    pub owner: Option<GameId>,
    /// Slots before its own parameters (0 at top level).
    pub prefix: usize,
    /// Its parameters: slots `prefix..prefix + params.len()`.
    pub params: Vec<Field>,
    pub frame: Frame,
    /// Its body. `None` only while it is being checked.
    pub body: Option<Term>,
    /// The declared result.
    pub result: Option<Kind>,
    /// The result's type.
    pub ty: Type,
    /// Whether it calls itself, directly or through others: such calls are memoised.
    pub recursive: bool,
    pub span: Span,
}
