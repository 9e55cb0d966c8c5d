//! Decision diagrams whose leaves are numbers: how an automaton goes on from a state, by the bits on its tracks.
//!
//! Reduced and ordered (Bryant, Graph-based algorithms for Boolean function manipulation, 1986), with many leaves instead of
//! two, as in Henriksen et al., Mona: Monadic second-order logic in practice, 1995. Tests go up in the number of the track, so
//! no path is longer than the number of tracks: recursion over diagrams is bounded by it.

use hashbrown::HashMap;

/// A track of an automaton: a variable of a formula.
pub type Track = u32;

/// A diagram: a leaf, or the number of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Node(u32);

const LEAF: u32 = 1 << 31;

impl Node {
    /// The leaf of a number below `2^31`.
    pub(super) fn leaf(number: usize) -> Node {
        Node(LEAF | u32::try_from(number).unwrap_or(LEAF - 1))
    }

    /// The number of a leaf.
    pub(super) fn number(self) -> Option<usize> {
        (self.0 & LEAF != 0).then_some((self.0 & !LEAF) as usize)
    }
}

/// A test of one track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Test {
    pub(super) track: Track,
    pub(super) zero: Node,
    pub(super) one: Node,
}

/// Diagrams that share their parts.
#[derive(Clone, Debug, Default)]
pub(super) struct Diagrams {
    tests: Vec<Test>,
    known: HashMap<Test, Node>,
}

impl Diagrams {
    /// No diagrams yet, but room for so many tests.
    pub(super) fn with_room(tests: usize) -> Diagrams {
        Diagrams { tests: Vec::with_capacity(tests), known: HashMap::with_capacity(tests) }
    }

    /// Forgets all diagrams.
    pub(super) fn clear(&mut self) {
        self.tests.clear();
        self.known.clear();
    }

    /// Gives back the room that is not needed.
    pub(super) fn shrink(&mut self) {
        self.tests.shrink_to_fit();
        self.known.shrink_to_fit();
    }

    /// How many tests there are.
    pub(super) fn len(&self) -> usize {
        self.tests.len()
    }

    /// The test at the top; `None`: a leaf.
    pub(super) fn test(&self, node: Node) -> Option<Test> {
        (node.0 & LEAF == 0).then(|| self.tests[node.0 as usize])
    }

    /// The diagram that tests a track first. Both branches test greater tracks only.
    pub(super) fn node(&mut self, track: Track, zero: Node, one: Node) -> Node {
        if zero == one {
            return zero;
        }
        let test = Test { track, zero, one };
        if let Some(&node) = self.known.get(&test) {
            return node;
        }
        let node = Node(u32::try_from(self.tests.len()).unwrap_or(LEAF - 1));
        self.tests.push(test);
        self.known.insert(test, node);
        node
    }

    /// The same diagram of another store, with other leaves. `memo` belongs to this pair of stores and these leaves.
    pub(super) fn copy(
        &mut self,
        from: &Diagrams,
        node: Node,
        memo: &mut HashMap<Node, Node>,
        leaf: &mut impl FnMut(usize) -> usize,
    ) -> Node {
        let Some(test) = from.test(node) else { return Node::leaf(leaf(node.number().unwrap_or_default())) };
        if let Some(&made) = memo.get(&node) {
            return made;
        }
        let zero = self.copy(from, test.zero, memo, leaf);
        let one = self.copy(from, test.one, memo, leaf);
        let made = self.node(test.track, zero, one);
        memo.insert(node, made);
        made
    }

    /// The leaf for bits.
    pub(super) fn leaf(&self, mut node: Node, bit: impl Fn(Track) -> bool) -> usize {
        while let Some(test) = self.test(node) {
            node = if bit(test.track) { test.one } else { test.zero };
        }
        node.number().unwrap_or_default()
    }
}
