//! What running the rules of a game gives: whether play goes on, and the moves.

use crate::syntax::tree::Outcome;
use crate::value::Value;
use crate::vm::size_window::SizeWindow;

/// What an `end when` said of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Play goes on.
    Open,
    /// No moves here.
    Over,
    /// The whole play is over: said of the player to move.
    Play(Outcome),
    /// Over with so many points for the player to move.
    Score(i64),
}

/// Where a move leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveTarget {
    /// To the components `first..first + len` of [`Options::components`].
    To {
        /// The first.
        first: u32,
        /// How many.
        len: u32,
    },
    /// The mover wins (`First`), loses or draws the whole play.
    Stop(Outcome),
}

/// One move of a component.
#[derive(Clone, Copy, Debug)]
pub struct OptionMove {
    /// Index into the game's moves.
    pub index: u32,
    /// The mover has the next turn.
    pub again: bool,
    /// Points for the mover; `None`: the move says none.
    pub gain: Option<i64>,
    /// Where it leads.
    pub target: MoveTarget,
}

/// The options of a component.
#[derive(Debug)]
pub struct Options {
    /// Whether play goes on here.
    pub status: Status,
    /// The moves in order.
    pub moves: Vec<OptionMove>,
    /// Components that the moves lead to.
    pub components: Vec<u32>,
    /// The binders of each move, when asked for.
    pub binders: Vec<Vec<Value>>,
    /// Whether `binders` are wanted.
    pub named: bool,
    /// Values yielded by clause code.
    pub yields: Vec<Vec<Value>>,
    /// Which of them are kept; `None`: all.
    pub window: Option<SizeWindow>,
    pub(in crate::vm) start: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            status: Status::Open,
            moves: Vec::new(),
            components: Vec::new(),
            binders: Vec::new(),
            named: false,
            yields: Vec::new(),
            window: None,
            start: 0,
        }
    }
}

impl Options {
    /// Empty, with binders wanted.
    #[must_use]
    pub fn named() -> Self {
        Options { named: true, ..Options::default() }
    }

    /// Empty, with a window for what clause code yields.
    #[must_use]
    pub(crate) fn windowed(window: SizeWindow) -> Self {
        Options { window: Some(window), ..Options::default() }
    }

    /// Empties it for the next component.
    pub fn clear(&mut self) {
        self.status = Status::Open;
        self.moves.clear();
        self.components.clear();
        self.binders.clear();
        self.yields.clear();
    }
}
