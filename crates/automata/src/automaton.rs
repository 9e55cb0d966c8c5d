//! Deterministic automata that read tuples of numbers digit by digit, the least significant digits first.
//!
//! A tuple may be written with any number of zeros above its highest digits: an automaton here accepts all of these words
//! or none. Products, complements and projections are those of Büchi (1960) and Elgot (1961); minimisation refines a
//! partition (Moore, 1956). How an automaton goes on from a state, by the bits on its tracks, is a decision diagram whose
//! leaves are states: reduced and ordered (Bryant, Graph-based algorithms for Boolean function manipulation, 1986), with many
//! leaves instead of two, as in Henriksen et al., Mona: Monadic second-order logic in practice, 1995. Tests go up in the
//! number of the track, so no path is longer than the number of tracks: recursion over diagrams is bounded by it.

use crate::system::{Limit, Reason};
use hashbrown::{DefaultHashBuilder, HashMap};
use std::cmp::Reverse;
use std::hash::Hash;

/// See the module.
#[derive(Clone, Debug)]
pub struct Automaton {
    pub(super) diagrams: Diagrams,
    /// Where each state goes: leaves are states.
    pub(super) rows: Vec<Node>,
    /// Whether each state accepts.
    pub accepting: Vec<bool>,
    /// The state in which it begins.
    pub start: usize,
}

/// How two automata are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// Both accept.
    And,
    /// One of them accepts, or both.
    Or,
    /// Both accept or none.
    Iff,
}

impl Automaton {
    /// Accepts everything, or nothing.
    pub fn constant(all: bool) -> Automaton {
        Automaton { diagrams: Diagrams::default(), rows: vec![Node::leaf(0)], accepting: vec![all], start: 0 }
    }

    /// The automaton of a step function on states of any kind: `step(state, bits)`, the bits in the order of `tracks`, which
    /// are distinct and ascending. `accept` must not change under steps with zeros only.
    pub fn build<S: Clone + Eq + Hash>(
        limit: &Limit,
        tracks: &[Track],
        start: S,
        step: impl Fn(&S, &[bool]) -> S,
        accept: impl Fn(&S) -> bool,
    ) -> Result<Automaton, Reason> {
        /// A row has a leaf for every word of so many bits.
        const WIDEST: usize = 14;
        if tracks.len() > WIDEST {
            return Err(Reason::Tests(limit.tests));
        }
        let mut states = States::default();
        let first = states.insert_full(start).0;
        let mut made = Automaton { start: first, ..Automaton::constant(false) };
        (made.rows, made.accepting) = (Vec::new(), Vec::new());
        while made.rows.len() < states.len() {
            let state = states[made.rows.len()].clone();
            let mut bits = Vec::new();
            let row = made.row(tracks, &mut bits, &mut |bits| states.insert_full(step(&state, bits)).0);
            made.rows.push(row);
            made.accepting.push(accept(&state));
            limit.check(states.len(), made.diagrams.len())?;
        }
        made.minimised(limit)
    }

    fn row(&mut self, tracks: &[Track], bits: &mut Vec<bool>, leaf: &mut impl FnMut(&[bool]) -> usize) -> Node {
        let Some(&track) = tracks.get(bits.len()) else { return Node::leaf(leaf(bits)) };
        let [zero, one] = [false, true].map(|bit| {
            bits.push(bit);
            let node = self.row(tracks, bits, leaf);
            bits.pop();
            node
        });
        self.diagrams.node(track, zero, one)
    }

    /// How many states.
    pub fn states(&self) -> usize {
        self.rows.len()
    }

    /// The ways out of a state: some bits, on tracks that go up, and the state that they lead to.
    pub fn ways(&self, state: usize) -> Vec<(Vec<(Track, bool)>, usize)> {
        let (mut found, mut todo) = (Vec::new(), vec![(self.rows[state], Vec::new())]);
        while let Some((node, bits)) = todo.pop() {
            match self.diagrams.test(node) {
                Some(test) => {
                    for (bit, node) in [(true, test.one), (false, test.zero)] {
                        let mut bits: Vec<(Track, bool)> = bits.clone();
                        bits.push((test.track, bit));
                        todo.push((node, bits));
                    }
                }
                None => found.push((bits, node.number().unwrap_or_default())),
            }
        }
        found
    }

    /// Accepts what the other does not.
    #[must_use]
    pub fn complement(mut self) -> Automaton {
        self.accepting.iter_mut().for_each(|accepting| *accepting = !*accepting);
        self
    }

    /// Whether no tuple is accepted. Every state can be reached.
    pub fn is_empty(&self) -> bool {
        !self.accepting.contains(&true)
    }

    /// Whether a tuple of numbers, given by its digits, is accepted: `digit(track, place)`, for places below `places`.
    pub fn accepts(&self, places: usize, digit: impl Fn(Track, usize) -> bool) -> bool {
        let end =
            (0..places).fold(self.start, |state, place| self.diagrams.leaf(self.rows[state], |t| digit(t, place)));
        self.accepting[end]
    }

    fn sink(&self, accepting: bool) -> Option<usize> {
        (0..self.rows.len()).find(|&state| self.accepting[state] == accepting && self.rows[state] == Node::leaf(state))
    }

    /// What both make together, minimal. `O(states of the product * width of the diagrams)`.
    pub fn join(&self, other: &Automaton, how: Join, limit: &Limit) -> Result<Automaton, Reason> {
        let sinks = match how {
            Join::Iff => [None, None],
            _ => [self, other].map(|part| part.sink(how == Join::Or)),
        };
        let mut product = Product {
            parts: [self, other],
            sinks,
            diagrams: Diagrams::default(),
            memo: HashMap::new(),
            states: States::default(),
        };
        let start = product.state(self.start, other.start);
        let (mut rows, mut accepting) = (Vec::new(), Vec::new());
        while rows.len() < product.states.len() {
            let pair = product.states[rows.len()];
            let accept = pair.map_or(how == Join::Or, |(a, b)| {
                let (a, b) = (self.accepting[a], other.accepting[b]);
                match how {
                    Join::And => a && b,
                    Join::Or => a || b,
                    Join::Iff => a == b,
                }
            });
            accepting.push(accept);
            let row = match pair {
                None => Node::leaf(rows.len()),
                Some((a, b)) => product.apply(self.rows[a], other.rows[b]),
            };
            rows.push(row);
            limit.check(product.states.len(), product.diagrams.len())?;
        }
        Automaton { diagrams: product.diagrams, rows, accepting, start }.minimised(limit)
    }

    /// The tuples without this track for which some number on it is accepted, minimal.
    pub fn exists(&self, track: Track, limit: &Limit) -> Result<Automaton, Reason> {
        let accepting = self.with_zeros(track);
        // First every row with sets of states as leaves, then the rows of sets.
        let mut sets = Sets::new(limit);
        let single = sets.without(self, track);
        sets.ended()?;
        let mut numbers: HashMap<usize, usize> = HashMap::new();
        let first = sets.states.insert_full(vec![self.start]).0;
        let mut order = vec![first];
        numbers.insert(first, 0);
        let mut diagrams = Diagrams::default();
        let (mut rows, mut accepts, mut copied) = (Vec::new(), Vec::new(), Vec::new());
        while rows.len() < order.len() {
            let members = sets.states[order[rows.len()]].clone();
            accepts.push(members.iter().any(|&state| accepting[state]));
            let mut row = single[members[0]];
            for &state in &members[1..] {
                row = sets.union(row, single[state]);
                sets.ended()?;
                limit.check(order.len(), sets.diagrams.len())?;
            }
            let row = diagrams.copy(&sets.diagrams, row, &mut copied, &mut |set| {
                *numbers.entry(set).or_insert_with(|| {
                    order.push(set);
                    order.len() - 1
                })
            });
            rows.push(row);
            limit.check(order.len(), sets.diagrams.len() + diagrams.len())?;
        }
        Automaton { diagrams, rows, accepting: accepts, start: 0 }.minimised(limit)
    }

    /// The states from which digits on this track, with zeros on all others, lead to accepting ones.
    fn with_zeros(&self, track: Track) -> Vec<bool> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.rows.len()];
        for (state, &row) in self.rows.iter().enumerate() {
            for bit in [false, true] {
                before[self.diagrams.leaf(row, |t| t == track && bit)].push(state);
            }
        }
        let mut accepting = self.accepting.clone();
        let mut todo: Vec<usize> = (0..accepting.len()).filter(|&state| accepting[state]).collect();
        while let Some(state) = todo.pop() {
            for &other in &before[state] {
                if !accepting[other] {
                    accepting[other] = true;
                    todo.push(other);
                }
            }
        }
        accepting
    }

    /// What the rows become when their leaves are replaced and their tests are made anew from both branches. One pass over all
    /// tests, since each stands behind those in its branches.
    fn rows_made_anew(
        &self,
        leaf: impl Fn(usize) -> Node,
        mut test: impl FnMut(Track, Node, Node) -> Node,
    ) -> Vec<Node> {
        let mut made: Vec<Node> = Vec::with_capacity(self.diagrams.len());
        let of = |made: &[Node], node: Node| node.number().map_or_else(|| made[node.0 as usize], &leaf);
        for Test { track, zero, one } in &self.diagrams.tests {
            let anew = test(*track, of(&made, *zero), of(&made, *one));
            made.push(anew);
        }
        self.rows.iter().map(|&row| of(&made, row)).collect()
    }

    /// The automaton with the fewest states that accepts the same, which are numbered as the first of each class here.
    pub(super) fn minimised(&self, limit: &Limit) -> Result<Automaton, Reason> {
        let mut met = States::default();
        let class: Vec<usize> = self.classes(limit)?.into_iter().map(|class| met.insert_full(class).0).collect();
        let count = met.len();
        let mut made = Automaton { rows: vec![Node::leaf(0); count], ..Automaton::constant(false) };
        made.accepting = vec![false; count];
        made.start = class[self.start];
        let diagrams = &mut made.diagrams;
        let class_of = |state: usize| Node::leaf(class[state]);
        let rows = self.rows_made_anew(class_of, |track, zero, one| diagrams.node(track, zero, one));
        for (state, row) in rows.into_iter().enumerate() {
            made.rows[class[state]] = row;
            made.accepting[class[state]] = self.accepting[state];
        }
        Ok(made)
    }

    /// The class of each state: two states are in one class when the same is accepted from both. In each round a row is read again
    /// when it leads to a state with a new class; of a class that falls apart the largest part keeps its number (as in Hopcroft's
    /// algorithm, 1971), so that few rows are.
    fn classes(&self, limit: &Limit) -> Result<Vec<usize>, Reason> {
        let mut class: Vec<usize> = self.accepting.iter().map(|&accepts| usize::from(accepts)).collect();
        let accepting = class.iter().sum();
        let mut sizes = vec![class.len() - accepting, accepting];
        // Each test with classes in place of states. It is another one when something below it is new: a new class is in no image
        // made before.
        let mut images = Diagrams::default();
        let mut image = vec![Node::leaf(0); self.diagrams.len()];
        let (mut is_new, mut is_new_state) = (vec![true; self.diagrams.len()], vec![true; class.len()]);
        loop {
            let of = |image: &[Node], node: Node| {
                node.number().map_or_else(|| image[node.0 as usize], |s| Node::leaf(class[s]))
            };
            let new = |is_new: &[bool], node: Node| {
                node.number().map_or_else(|| is_new[node.0 as usize], |s| is_new_state[s])
            };
            for (at, Test { track, zero, one }) in self.diagrams.tests.iter().enumerate() {
                is_new[at] = new(&is_new, *zero) || new(&is_new, *one);
                if is_new[at] {
                    image[at] = images.node(*track, of(&image, *zero), of(&image, *one));
                }
            }
            let mut parts: indexmap::IndexMap<(usize, Node), Vec<usize>, DefaultHashBuilder> =
                indexmap::IndexMap::default();
            for (state, &row) in self.rows.iter().enumerate().filter(|(_, row)| new(&is_new, **row)) {
                parts.entry((class[state], of(&image, row))).or_default().push(state);
            }
            limit.check(0, 0)?;
            let mut parts: Vec<(usize, Vec<usize>)> =
                parts.into_iter().map(|((class, _), part)| (class, part)).collect();
            parts.sort_by_key(|(class, part)| (*class, Reverse(part.len())));
            is_new_state.fill(false);
            let before = sizes.len();
            for parts in parts.chunk_by(|(a, _), (b, _)| a == b) {
                // What did not change keeps the number, or else the largest part.
                let whole = sizes[parts[0].0] == parts.iter().map(|(_, part)| part.len()).sum::<usize>();
                for (old, part) in &parts[usize::from(whole)..] {
                    for &state in part {
                        class[state] = sizes.len();
                        is_new_state[state] = true;
                    }
                    sizes[*old] -= part.len();
                    sizes.push(part.len());
                }
            }
            if sizes.len() == before {
                return Ok(class);
            }
        }
    }
}

/// States of any kind, numbered in the order in which they are met.
type States<S> = indexmap::IndexSet<S, DefaultHashBuilder>;

struct Product<'a> {
    parts: [&'a Automaton; 2],
    /// States that decide the pair for all that follows.
    sinks: [Option<usize>; 2],
    diagrams: Diagrams,
    memo: HashMap<(Node, Node), Node>,
    /// `None`: what follows does not matter any more.
    states: States<Option<(usize, usize)>>,
}

impl Product<'_> {
    fn state(&mut self, a: usize, b: usize) -> usize {
        let decided = self.sinks[0] == Some(a) || self.sinks[1] == Some(b);
        self.states.insert_full((!decided).then_some((a, b))).0
    }

    fn apply(&mut self, a: Node, b: Node) -> Node {
        let tests = [self.parts[0].diagrams.test(a), self.parts[1].diagrams.test(b)];
        if let [None, None] = tests {
            let (a, b) = (a.number().unwrap_or_default(), b.number().unwrap_or_default());
            return Node::leaf(self.state(a, b));
        }
        if let Some(&made) = self.memo.get(&(a, b)) {
            return made;
        }
        let (track, [a0, b0], [a1, b1]) = split([a, b], tests);
        let zero = self.apply(a0, b0);
        let one = self.apply(a1, b1);
        let made = self.diagrams.node(track, zero, one);
        self.memo.insert((a, b), made);
        made
    }
}

/// The first track that two diagrams test, and both where its bit is 0, and where it is 1.
fn split(nodes: [Node; 2], tests: [Option<Test>; 2]) -> (Track, [Node; 2], [Node; 2]) {
    let track = tests.iter().flatten().map(|test| test.track).min().unwrap_or_default();
    let side =
        |side: fn(Test) -> Node| [0, 1].map(|i| tests[i].filter(|test| test.track == track).map_or(nodes[i], side));
    (track, side(|test| test.zero), side(|test| test.one))
}

/// Diagrams whose leaves are sets of states, ascending.
struct Sets<'l> {
    diagrams: Diagrams,
    states: States<Vec<usize>>,
    unions: HashMap<(Node, Node), Node>,
    limit: &'l Limit,
    /// The members of all sets of states.
    members: usize,
    /// Those that were gone through since the limits were last looked at.
    met: usize,
    /// The limit that ends the work.
    over: Option<Reason>,
}

impl<'l> Sets<'l> {
    fn new(limit: &'l Limit) -> Sets<'l> {
        let (diagrams, states, unions) = (Diagrams::default(), States::default(), HashMap::new());
        Sets { diagrams, states, unions, limit, members: 0, met: 0, over: None }
    }

    fn ended(&self) -> Result<(), Reason> {
        self.over.clone().map_or(Ok(()), Err)
    }

    /// Looks at the limits now and then. All sets together have a few times as many members as there may be tests.
    fn count(&mut self, members: usize, new: bool) {
        const OFTEN: usize = 1 << 12;
        const MEMBERS: usize = 4;
        self.members += if new { members } else { 0 };
        self.met += members;
        if self.met >= OFTEN {
            self.met = 0;
            self.over = self.limit.check(0, self.members / MEMBERS).err();
        }
    }

    /// The rows of an automaton without a track: both ways are open.
    fn without(&mut self, from: &Automaton, track: Track) -> Vec<Node> {
        let singles: Vec<Node> =
            (0..from.rows.len()).map(|state| Node::leaf(self.states.insert_full(vec![state]).0)).collect();
        let single = |state: usize| singles[state];
        from.rows_made_anew(single, |tested, zero, one| {
            if tested == track { self.union(zero, one) } else { self.diagrams.node(tested, zero, one) }
        })
    }

    fn union(&mut self, a: Node, b: Node) -> Node {
        if a == b || self.over.is_some() {
            return a;
        }
        let (tests, key) = ([self.diagrams.test(a), self.diagrams.test(b)], (a, b));
        if let [None, None] = tests {
            let [a, b] = [a, b].map(|node| &self.states[node.number().unwrap_or_default()]);
            let mut both: Vec<usize> = a.iter().chain(b).copied().collect();
            both.sort_unstable();
            both.dedup();
            let members = both.len();
            let (number, new) = self.states.insert_full(both);
            self.count(members, new);
            return Node::leaf(number);
        }
        if let Some(&made) = self.unions.get(&key) {
            return made;
        }
        let (track, [a0, b0], [a1, b1]) = split([a, b], tests);
        let zero = self.union(a0, b0);
        let one = self.union(a1, b1);
        let made = self.diagrams.node(track, zero, one);
        self.unions.insert(key, made);
        made
    }
}

/// A track of an automaton: a variable of a formula.
pub type Track = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Node(u32);

const LEAF: u32 = 1 << 31;

impl Node {
    /// The leaf of a number below `2^31`.
    pub(super) fn leaf(number: usize) -> Node {
        Node(LEAF | u32::try_from(number).unwrap_or(LEAF - 1))
    }

    pub(super) fn number(self) -> Option<usize> {
        (self.0 & LEAF != 0).then_some((self.0 & !LEAF) as usize)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Test {
    pub(super) track: Track,
    pub(super) zero: Node,
    pub(super) one: Node,
}

/// Diagrams that share their parts.
#[derive(Clone, Debug, Default)]
pub(super) struct Diagrams {
    tests: States<Test>,
}

impl Diagrams {
    pub(super) fn len(&self) -> usize {
        self.tests.len()
    }

    pub(super) fn test(&self, node: Node) -> Option<Test> {
        (node.0 & LEAF == 0).then(|| self.tests[node.0 as usize])
    }

    /// The diagram that tests a track first. Both branches test greater tracks only.
    pub(super) fn node(&mut self, track: Track, zero: Node, one: Node) -> Node {
        if zero == one {
            return zero;
        }
        let (number, _) = self.tests.insert_full(Test { track, zero, one });
        Node(u32::try_from(number).unwrap_or(LEAF - 1))
    }

    /// The same diagram of another store, with other leaves. `memo` belongs to this pair of stores and these leaves.
    fn copy(
        &mut self,
        from: &Diagrams,
        node: Node,
        memo: &mut Vec<Option<Node>>,
        leaf: &mut impl FnMut(usize) -> usize,
    ) -> Node {
        let Some(test) = from.test(node) else { return Node::leaf(leaf(node.number().unwrap_or_default())) };
        let at = node.0 as usize;
        if let Some(&Some(made)) = memo.get(at) {
            return made;
        }
        let zero = self.copy(from, test.zero, memo, leaf);
        let one = self.copy(from, test.one, memo, leaf);
        let made = self.node(test.track, zero, one);
        memo.resize(memo.len().max(from.len()), None);
        memo[at] = Some(made);
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
