//! Finite automata: for every state a tree of the letters that says which state is next.
//!
//! A tree has a branch for each digit of one variable after the other, and states as leaves. Equal trees are one, and a variable
//! that does not matter has no branches. Products walk all pairs, projections make sets of states, and equal states are merged by
//! refining classes (Moore, 1956). Limits say how large tables may become, and how long the work may take.

use crate::sentence::Variable;
use hashbrown::{DefaultHashBuilder, HashMap};
use indexmap::IndexSet;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// From which end numbers are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The lowest digits first: zeros at the end of a word change nothing.
    Low,
    /// The highest digits first: zeros at its beginning change nothing.
    High,
}

#[derive(Clone, Debug)]
pub(super) struct Table {
    pub(super) variables: Vec<Variable>,
    size: u32,
    trees: Trees,
    rows: Vec<Tree>,
    accepting: Vec<bool>,
    start: u32,
}

const MOST_LETTERS: u32 = 1 << 16;

impl Table {
    /// An automaton without variables.
    pub(super) fn constant(value: bool) -> Table {
        Table {
            variables: Vec::new(),
            size: 2,
            trees: Trees::default(),
            rows: vec![Tree::leaf(0)],
            accepting: vec![value],
            start: 0,
        }
    }

    pub(super) fn states(&self) -> usize {
        self.accepting.len()
    }

    pub(super) fn accepts_nothing_read(&self) -> bool {
        self.accepting[self.start as usize]
    }

    /// From a step function on states of any kind. The digits of a letter, the first variable's changing fastest, are those of
    /// the variables in their order.
    pub(super) fn build<S: Clone + Eq + Hash>(
        variables: Vec<Variable>,
        size: u32,
        start: S,
        step: impl Fn(&S, u32) -> S,
        accepting: impl Fn(&S) -> bool,
        limits: &Limits,
    ) -> Result<Table, Halt> {
        let letters = u32::try_from(variables.len()).ok().and_then(|count| size.checked_pow(count));
        let letters = letters.filter(|&count| count <= MOST_LETTERS).ok_or(Halt::Variables(variables.len()))?;
        let mut states = Numbered::default();
        number(&mut states, start);
        let (mut trees, mut rows, mut accepts) = (Trees::default(), Vec::new(), Vec::new());
        while let Some(state) = states.get_index(accepts.len()).cloned() {
            accepts.push(accepting(&state));
            let mut row: Vec<Tree> =
                (0..letters).map(|letter| Tree::leaf(number(&mut states, step(&state, letter)))).collect();
            // Letters are put in the order of the last digit, by which trees branch last.
            row = turned(&row, variables.len(), size as usize);
            for &variable in variables.iter().rev() {
                row = row.chunks(size as usize).map(|branches| trees.fork(variable, branches.to_vec())).collect();
            }
            rows.extend(row);
            limits.check(states.len() + trees.branches)?;
        }
        Table { variables, size, trees, rows, accepting: accepts, start: 0 }.minimal(limits)
    }

    pub(super) fn complement(mut self) -> Table {
        self.accepting.iter_mut().for_each(|accepting| *accepting = !*accepting);
        self
    }

    fn stays(&self, state: u32) -> bool {
        self.rows[state as usize].state() == Some(state)
    }

    /// Both (`and`), or one of them at least.
    pub(super) fn product(&self, other: &Table, and: bool, limits: &Limits) -> Result<Table, Halt> {
        let mut variables: Vec<Variable> = self.variables.iter().chain(&other.variables).copied().collect();
        variables.sort_unstable();
        variables.dedup();
        // An automaton without variables has no digits of its own.
        let size = if self.variables.is_empty() { other.size } else { self.size };
        // A part that will refuse for ever (with `or`: accept for ever) decides alone: such pairs are one state.
        let decided = |table: &Table| -> Vec<bool> {
            (0u32..).zip(&table.accepting).map(|(state, &accepting)| accepting != and && table.stays(state)).collect()
        };
        let mut pairs = Pairs {
            tables: [self, other],
            size: size as usize,
            decided: [decided(self), decided(other)],
            trees: Trees::default(),
            states: Numbered::default(),
            met: HashMap::new(),
        };
        pairs.state(self.start, other.start);
        let (mut rows, mut accepting) = (Vec::new(), Vec::new());
        while let Some(&state) = pairs.states.get_index(accepting.len()) {
            let number = u32::try_from(accepting.len()).unwrap_or(u32::MAX);
            if let Some((a, b)) = state {
                rows.push(pairs.together(self.rows[a as usize], other.rows[b as usize]));
                let (a, b) = (self.accepting[a as usize], other.accepting[b as usize]);
                accepting.push(if and { a && b } else { a || b });
            } else {
                rows.push(Tree::leaf(number));
                accepting.push(!and);
            }
            limits.check(pairs.states.len() + pairs.trees.branches)?;
        }
        Table { variables, size, trees: pairs.trees, rows, accepting, start: 0 }.minimal(limits)
    }

    /// What is accepted with some number for the variable, by sets of states.
    pub(super) fn project(&self, variable: Variable, end: End, limits: &Limits) -> Result<Table, Halt> {
        if !self.variables.contains(&variable) {
            return Ok(self.clone());
        }
        let variables: Vec<Variable> = self.variables.iter().copied().filter(|&v| v != variable).collect();
        let size = self.size as usize;
        // The digits of the number may go on where all others are 0.
        let alone = |state: u32| {
            let digit = move |digit: usize| move |other: Variable| if other == variable { digit } else { 0 };
            (0..size).map(move |d| self.trees.lead(self.rows[state as usize], digit(d)))
        };
        let count = u32::try_from(self.states()).unwrap_or(u32::MAX);
        let mut accepting = self.accepting.clone();
        let mut first = vec![self.start];
        match end {
            End::Low => loop {
                let more: Vec<u32> = (0..count)
                    .filter(|&s| !accepting[s as usize] && alone(s).any(|next| accepting[next as usize]))
                    .collect();
                if more.is_empty() {
                    break;
                }
                for state in more {
                    accepting[state as usize] = true;
                }
                limits.check(0)?;
            },
            End::High => {
                let mut at = 0;
                while let Some(&state) = first.get(at) {
                    at += 1;
                    for next in alone(state) {
                        if !first.contains(&next) {
                            first.push(next);
                        }
                    }
                }
            }
        }
        let mut sets = Sets {
            from: &self.trees,
            variable,
            size,
            refuses: (0..count).map(|s| !accepting[s as usize] && self.stays(s)).collect(),
            accepts: (0..count).map(|s| accepting[s as usize] && self.stays(s)).collect(),
            trees: Trees::default(),
            states: Numbered::default(),
            single: HashMap::new(),
            both: HashMap::new(),
            members: 0,
        };
        // Only sets that are reached count; others are made on the way.
        let mut reached = vec![sets.state(first)];
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        numbers.insert(reached[0], 0);
        let (mut trees, mut met) = (Trees::default(), HashMap::new());
        let (mut rows, mut accept): (Vec<Tree>, Vec<bool>) = (Vec::new(), Vec::new());
        while let Some(&number) = reached.get(rows.len()) {
            let set = sets.states[number as usize].clone();
            accept.push(set.iter().any(|&state| accepting[state as usize]));
            let mut row = None;
            for &state in &set {
                let one = sets.without(self.rows[state as usize]);
                row = Some(match row {
                    None => one,
                    Some(row) => sets.either(row, one),
                });
            }
            // The empty set goes to itself.
            let row = row.unwrap_or(Tree::leaf(number));
            rows.push(trees.copied(&sets.trees, row, &mut met, &mut |set| {
                *numbers.entry(set).or_insert_with(|| {
                    reached.push(set);
                    u32::try_from(reached.len() - 1).unwrap_or(u32::MAX)
                })
            }));
            limits.check(sets.members + sets.trees.branches + trees.branches)?;
        }
        Table { variables, size: self.size, trees, rows, accepting: accept, start: 0 }.minimal(limits)
    }

    /// The same with the fewest states: classes of states are split until all members of a class go to the same classes.
    fn minimal(self, limits: &Limits) -> Result<Table, Halt> {
        let mut class: Vec<u32> = self.accepting.iter().map(|&accepting| u32::from(accepting)).collect();
        let mut classes = 0;
        loop {
            let (mut trees, mut met) = (Trees::default(), HashMap::new());
            let mut numbers: HashMap<(u32, Tree), u32> = HashMap::new();
            let mut rows = Vec::with_capacity(self.rows.len());
            let mut split = Vec::with_capacity(class.len());
            for (state, &row) in self.rows.iter().enumerate() {
                let row = trees.copied(&self.trees, row, &mut met, &mut |next| class[next as usize]);
                rows.push(row);
                let fresh = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
                split.push(*numbers.entry((class[state], row)).or_insert(fresh));
            }
            limits.check(trees.branches)?;
            let found = numbers.len();
            if found == classes {
                // Nothing was split: `class` and `split` are the same classes, and `rows` lead to those of `class`.
                let (mut merged, mut accepting) = (vec![Tree::leaf(0); classes], vec![false; classes]);
                for (state, row) in rows.into_iter().enumerate() {
                    let to = class[state] as usize;
                    (merged[to], accepting[to]) = (row, self.accepting[state]);
                }
                return Ok(Table { trees, rows: merged, accepting, start: class[self.start as usize], ..self });
            }
            class = split;
            classes = found;
        }
    }
}

/// The same leaves with the letters in another order: the digits turned round.
fn turned(row: &[Tree], digits: usize, size: usize) -> Vec<Tree> {
    let turn = |letter: usize| {
        let digit = |(turned, left): (usize, usize), _| (turned * size + left % size, left / size);
        (0..digits).fold((0, letter), digit).0
    };
    (0..row.len()).map(|letter| row[turn(letter)]).collect()
}

struct Pairs<'t> {
    tables: [&'t Table; 2],
    size: usize,
    decided: [Vec<bool>; 2],
    trees: Trees,
    /// `None`: it is decided.
    states: Numbered<Option<(u32, u32)>>,
    met: HashMap<(Tree, Tree), Tree>,
}

impl Pairs<'_> {
    fn state(&mut self, a: u32, b: u32) -> u32 {
        let open = !self.decided[0][a as usize] && !self.decided[1][b as usize];
        number(&mut self.states, open.then_some((a, b)))
    }

    fn together(&mut self, a: Tree, b: Tree) -> Tree {
        if let (Some(a), Some(b)) = (a.state(), b.state()) {
            return Tree::leaf(self.state(a, b));
        }
        if let Some(&known) = self.met.get(&(a, b)) {
            return known;
        }
        let [first, second] = self.tables;
        let roots = [first.trees.variable(a), second.trees.variable(b)];
        let variable = roots.into_iter().flatten().min().unwrap_or_default();
        let digits = 0..self.size;
        let branch =
            |digit| self.together(first.trees.branch(a, variable, digit), second.trees.branch(b, variable, digit));
        let branches = digits.map(branch).collect();
        let made = self.trees.fork(variable, branches);
        self.met.insert((a, b), made);
        made
    }
}

struct Sets<'t> {
    from: &'t Trees,
    variable: Variable,
    size: usize,
    refuses: Vec<bool>,
    accepts: Vec<bool>,
    trees: Trees,
    states: Numbered<Vec<u32>>,
    single: HashMap<Tree, Tree>,
    both: HashMap<(Tree, Tree), Tree>,
    members: usize,
}

impl Sets<'_> {
    /// Members that refuse for ever add nothing; one that accepts for ever decides.
    fn state(&mut self, mut set: Vec<u32>) -> u32 {
        if let Some(&state) = set.iter().find(|&&state| self.accepts[state as usize]) {
            set = vec![state];
        }
        set.retain(|&state| !self.refuses[state as usize]);
        set.sort_unstable();
        set.dedup();
        let (before, size) = (self.states.len(), set.len());
        let number = number(&mut self.states, set);
        self.members += if self.states.len() > before { size } else { 0 };
        number
    }

    /// A tree of the automaton with sets of one state, without the variable.
    fn without(&mut self, tree: Tree) -> Tree {
        if let Some(state) = tree.state() {
            return Tree::leaf(self.state(vec![state]));
        }
        if let Some(&known) = self.single.get(&tree) {
            return known;
        }
        let variable = self.from.variable(tree).unwrap_or_default();
        let branches: Vec<Tree> =
            (0..self.size).map(|digit| self.without(self.from.branch(tree, variable, digit))).collect();
        let made = if variable == self.variable {
            let mut all = branches.into_iter();
            let first = all.next().unwrap_or(tree);
            all.fold(first, |all, branch| self.either(all, branch))
        } else {
            self.trees.fork(variable, branches)
        };
        self.single.insert(tree, made);
        made
    }

    fn either(&mut self, a: Tree, b: Tree) -> Tree {
        if a == b {
            return a;
        }
        if let (Some(a), Some(b)) = (a.state(), b.state()) {
            let set = [a, b].iter().flat_map(|&set| self.states[set as usize].clone()).collect();
            return Tree::leaf(self.state(set));
        }
        if let Some(&known) = self.both.get(&(a, b)) {
            return known;
        }
        let variable = [a, b].into_iter().filter_map(|tree| self.trees.variable(tree)).min().unwrap_or_default();
        let digits = 0..self.size;
        let branch = |digit| self.either(self.trees.branch(a, variable, digit), self.trees.branch(b, variable, digit));
        let branches = digits.map(branch).collect();
        let made = self.trees.fork(variable, branches);
        self.both.insert((a, b), made);
        made
    }
}

type Numbered<S> = IndexSet<S, DefaultHashBuilder>;

fn number<S: Eq + Hash>(states: &mut Numbered<S>, state: S) -> u32 {
    u32::try_from(states.insert_full(state).0).unwrap_or(u32::MAX)
}

/// A tree: a leaf, or the number of a fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Tree(u32);

/// Numbers from here on are leaves.
const LEAF: u32 = 1 << 31;

impl Tree {
    /// The leaf of a state. The limits end the work at 2^31 states.
    pub(super) fn leaf(state: u32) -> Tree {
        Tree(state | LEAF)
    }

    pub(super) fn state(self) -> Option<u32> {
        self.0.checked_sub(LEAF)
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Trees {
    forks: IndexSet<(Variable, Box<[Tree]>), DefaultHashBuilder>,
    branches: usize,
}

impl Trees {
    /// The variable at the root; `None`: a leaf.
    pub(super) fn variable(&self, tree: Tree) -> Option<Variable> {
        tree.state().is_none().then(|| self.forks[tree.0 as usize].0)
    }

    /// Where a digit of a variable leads, which stands at the root or nowhere.
    pub(super) fn branch(&self, tree: Tree, variable: Variable, digit: usize) -> Tree {
        if tree.state().is_some() {
            return tree;
        }
        let (at, branches) = &self.forks[tree.0 as usize];
        if *at == variable { branches[digit] } else { tree }
    }

    /// The tree with these branches; all variables in them are greater.
    pub(super) fn fork(&mut self, variable: Variable, branches: Vec<Tree>) -> Tree {
        if let Some(&first) = branches.first()
            && branches.iter().all(|&branch| branch == first)
        {
            return first;
        }
        let width = branches.len();
        let (number, new) = self.forks.insert_full((variable, branches.into_boxed_slice()));
        self.branches += if new { width } else { 0 };
        // Past the last number the limits end the work before the tree is used.
        Tree(u32::try_from(number).unwrap_or(LEAF).min(LEAF - 1))
    }

    pub(super) fn lead(&self, mut tree: Tree, digit: impl Fn(Variable) -> usize) -> u32 {
        loop {
            if let Some(state) = tree.state() {
                return state;
            }
            let (variable, branches) = &self.forks[tree.0 as usize];
            tree = branches[digit(*variable)];
        }
    }

    /// A tree of other trees with other leaves. `met` is for this pair of collections and these leaves.
    pub(super) fn copied(
        &mut self,
        from: &Trees,
        tree: Tree,
        met: &mut HashMap<Tree, Tree>,
        leaf: &mut impl FnMut(u32) -> u32,
    ) -> Tree {
        if let Some(state) = tree.state() {
            return Tree::leaf(leaf(state));
        }
        if let Some(&known) = met.get(&tree) {
            return known;
        }
        let (variable, branches) = &from.forks[tree.0 as usize];
        let branches = branches.iter().map(|&branch| self.copied(from, branch, met, leaf)).collect();
        let made = self.fork(*variable, branches);
        met.insert(tree, made);
        made
    }
}

/// Why a sentence was not decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// The tables would have more entries than this.
    Entries(usize),
    /// An automaton would have so many variables.
    Variables(usize),
    /// The time is over.
    Time,
    /// The user wants the work to end.
    Interrupted,
    /// A number in a sentence is too large for this procedure.
    Number,
    /// A sentence speaks of digits in base 2, and numbers are written in another base.
    Digits,
}

/// How much work is allowed.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The most entries of a table, four bytes each.
    pub entries: usize,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Set when the user wants the work to end.
    pub interrupted: Arc<AtomicBool>,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { entries: 1 << 26, deadline: None, interrupted: Arc::default() }
    }
}

impl Limits {
    /// Whether the work may go on with tables of so many entries.
    pub(super) fn check(&self, entries: usize) -> Result<(), Halt> {
        // States and forks have numbers below LEAF.
        let most = self.entries.min(LEAF as usize);
        if entries > most {
            return Err(Halt::Entries(most));
        }
        if self.interrupted.load(Ordering::Relaxed) {
            return Err(Halt::Interrupted);
        }
        if self.deadline.is_some_and(|at| Instant::now() >= at) {
            return Err(Halt::Time);
        }
        Ok(())
    }
}
