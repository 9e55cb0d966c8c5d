//! What is known of a sum: a word of the table, and while its moves are followed.

use crate::answer::Outcome;
use crate::engines::sums::Wanted;
use crate::graph_search::solved::Decided;

/// What the table says of a position: what it is in the low bits, and one more than its remoteness above, 0 when that is
/// not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word(pub(super) u32);

impl Word {
    /// On the stack.
    pub(super) const OPEN: u32 = 1;
    pub(super) const WIN: u32 = 2;
    pub(super) const LOSS: u32 = 3;
    const DRAW: u32 = 4;
    const KINDS: u32 = 3;
    /// The largest remoteness that fits.
    pub(super) const FAR: u32 = (u32::MAX >> Word::KINDS) - 1;

    pub(super) fn new(kind: u32, far: Option<u32>) -> Word {
        Word(kind | far.map_or(0, |far| (far + 1) << Word::KINDS))
    }

    pub(super) fn kind(self) -> u32 {
        self.0 & ((1 << Word::KINDS) - 1)
    }

    /// One more than the remoteness.
    fn far(self) -> u32 {
        self.0 >> Word::KINDS
    }

    /// Whether the position is decided, with as much as is wanted.
    pub(super) fn is_enough(self, wanted: Wanted) -> bool {
        match self.kind() {
            Word::WIN | Word::LOSS => wanted == Wanted::Outcome || self.far() > 0,
            kind => kind == Word::DRAW,
        }
    }

    pub(super) fn decided(self) -> Decided {
        let outcome = match self.kind() {
            Word::WIN => Outcome::First,
            Word::LOSS => Outcome::Second,
            _ => Outcome::Draw,
        };
        Decided { outcome, remoteness: self.far().saturating_sub(1) }
    }
}

/// No win was found.
pub(super) const NEVER: u32 = u32::MAX;

/// A position on the stack.
pub(super) struct Frame {
    /// Its components are `keys[key..]`, up to those of the next frame.
    pub(super) key: usize,
    /// The component whose options are looked at.
    pub(super) part: usize,
    /// Its options not looked at yet.
    pub(super) at: usize,
    pub(super) end: usize,
    /// The option that the frame above follows: the mover has the next turn.
    pub(super) again: bool,
    /// Moves to the soonest win; `NEVER`: none yet.
    pub(super) near: u32,
    /// Moves to the latest loss.
    pub(super) long: u32,
    pub(super) drawn: bool,
}

impl Frame {
    pub(super) fn new(key: usize) -> Frame {
        Frame { key, part: key, at: 0, end: 0, again: false, near: NEVER, long: 0, drawn: false }
    }

    /// Counts an option: what it leads to, for the player then to move. One more than its remoteness is what it is worth here.
    #[inline]
    pub(super) fn count(&mut self, word: Word, again: bool) {
        let far = word.far();
        match word.kind() {
            Word::DRAW => self.drawn = true,
            kind if (kind == Word::WIN) == again => self.near = self.near.min(far),
            _ => self.long = self.long.max(far),
        }
    }
}

impl Frame {
    /// What the position is, all of its options counted.
    pub(super) fn closed(&self, wanted: Wanted) -> Word {
        let far = |far: u32| (wanted == Wanted::All).then_some(far);
        if self.near != NEVER {
            Word::new(Word::WIN, far(self.near))
        } else if self.drawn {
            Word::new(Word::DRAW, None)
        } else {
            Word::new(Word::LOSS, far(self.long))
        }
    }
}

/// What comes after looking at some options of the top position.
pub(super) enum Then {
    /// The position in `next` comes first.
    Enter,
    /// It is decided.
    Close(Word),
    /// Not a search of this kind.
    Refuse,
}
