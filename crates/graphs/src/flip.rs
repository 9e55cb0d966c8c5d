//! The flip game on a digraph: a move chooses a vertex, and everything reachable from it changes colour; who makes all
//! white wins; endless play is a draw. An all-white start is not over.
//!
//! A move changes whole strong components, so one with two colours keeps them for ever: a draw. Otherwise look at the
//! condensation. Let `b` be the first black part in topological order; a vertex that reaches exactly the black set lies in
//! it. All white is lost for the player to move: his move is answered by the same one. With two parts the four positions
//! alternate between won and lost whatever is played. With three or more parts every position but the all-white one has a
//! move to a position that no single move clears, so nothing else is lost.

use crate::rows::Rows;
use crate::{NONE, Parts};

/// The outcome for perfect play, seen by the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The player to move wins.
    First,
    /// The other player wins.
    Second,
    /// Nobody can force a win.
    Draw,
}

impl Outcome {
    /// The word of the language for it.
    pub fn word(self) -> &'static str {
        match self {
            Outcome::First => "first",
            Outcome::Second => "second",
            Outcome::Draw => "draw",
        }
    }
}

/// The position with strong components taken together.
pub struct Condensed<'g> {
    parts: &'g Parts,
    rows: &'g Rows,
    shape: Shape,
}

enum Shape {
    /// Two colours inside one part.
    Mixed,
    /// No vertex is black.
    White,
    /// The first black part, and the black set with what that part reaches flipped.
    Black { first: u32, rest: Vec<bool> },
}

/// `set` with everything reachable from its first part flipped, and this part; `None` when it is empty.
fn flip_first(parts: &Parts, rows: &Rows, set: &[bool]) -> Option<(u32, Vec<bool>)> {
    let mut first = None;
    for ((v, &part), _) in (0..).zip(&parts.of).zip(set).filter(|(_, member)| **member) {
        if first.is_none_or(|(least, _)| part < least) {
            first = Some((part, v));
        }
    }
    let (part, v) = first?;
    let flipped = rows.reach(v).iter().zip(set).map(|(a, b)| a != b).collect();
    Some((part, flipped))
}

impl<'g> Condensed<'g> {
    /// From the rows along the arcs and the strong components of the vertices that are there; `black[v]` tells the colour of vertex
    /// `v`. O(n + arcs).
    pub fn new(rows: &'g Rows, parts: &'g Parts, black: &[bool]) -> Self {
        let mut colours = vec![(false, false); parts.count];
        for (&part, &is_black) in parts.of.iter().zip(black).filter(|(part, _)| **part != NONE) {
            let (white_seen, black_seen) = &mut colours[part as usize];
            *if is_black { black_seen } else { white_seen } = true;
        }
        let shape = if colours.contains(&(true, true)) {
            Shape::Mixed
        } else {
            flip_first(parts, rows, black).map_or(Shape::White, |(first, rest)| Shape::Black { first, rest })
        };
        Condensed { parts, rows, shape }
    }

    /// Who wins.
    pub fn outcome(&self) -> Outcome {
        match &self.shape {
            Shape::White => Outcome::Second,
            Shape::Black { rest, .. } if !rest.contains(&true) => Outcome::First,
            Shape::Black { .. } if self.parts.count == 2 => Outcome::Second,
            Shape::Mixed | Shape::Black { .. } => Outcome::Draw,
        }
    }

    /// The moves after which the opponent has lost, ascending: the vertices that reach exactly the black set, and, when there
    /// are just two strong components and the position is won, every vertex.
    pub fn winning(&self) -> Vec<u32> {
        match &self.shape {
            Shape::Black { first, .. } if self.outcome() == Outcome::First => {
                self.vertices(|part| part == *first || self.parts.count == 2)
            }
            _ => Vec::new(),
        }
    }

    /// The moves that lead to a drawn position, ascending, whatever this position is.
    ///
    /// With two colours in one part these are all moves. Otherwise, with three or more parts, a move at `u` does not draw iff
    /// the black set is what `u` reaches, or the symmetric difference of what `u` and some `w` reach. The first of `u` and `w`
    /// in topological order is reached by that one alone, so it is the first black part; the other must be the first of the
    /// rest. Hence at most two parts do not draw. From all white every move can be answered by itself.
    pub fn drawing(&self) -> Vec<u32> {
        match &self.shape {
            Shape::Mixed => self.vertices(|_| true),
            Shape::White => Vec::new(),
            Shape::Black { .. } if self.parts.count <= 2 => Vec::new(),
            Shape::Black { first, rest } => match flip_first(self.parts, self.rows, rest) {
                None => self.vertices(|part| part != *first),
                Some((_, left)) if left.contains(&true) => self.vertices(|_| true),
                Some((second, _)) => self.vertices(|part| part != *first && part != second),
            },
        }
    }

    /// The vertices whose part passes the test, ascending.
    fn vertices(&self, test: impl Fn(u32) -> bool) -> Vec<u32> {
        (0..).zip(&self.parts.of).filter(|(_, part)| **part != NONE && test(**part)).map(|(v, _)| v).collect()
    }
}
