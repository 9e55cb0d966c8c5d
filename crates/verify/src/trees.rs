//! Where the letters lead from a state, as a tree: a branch for each digit of one variable after the other, and states as
//! leaves. Equal trees are one, and a variable that does not matter has no branches.

use crate::sentence::Variable;
use hashbrown::HashMap;

/// A tree: a leaf, or the number of a fork.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Tree(u32);

/// Numbers from here on are leaves.
const LEAF: u32 = 1 << 31;

impl Tree {
    /// The leaf of a state. No automaton comes near 2^31 states.
    pub(super) fn leaf(state: u32) -> Tree {
        Tree(state | LEAF)
    }

    /// The state of a leaf.
    pub(super) fn state(self) -> Option<u32> {
        self.0.checked_sub(LEAF)
    }
}

/// All trees of an automaton.
#[derive(Clone, Debug, Default)]
pub(super) struct Trees {
    forks: Vec<(Variable, Box<[Tree]>)>,
    known: HashMap<(Variable, Box<[Tree]>), Tree>,
    branches: usize,
}

impl Trees {
    /// How many branches there are.
    pub(super) fn branches(&self) -> usize {
        self.branches
    }

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
        let key = (variable, branches.into_boxed_slice());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        self.branches += key.1.len();
        let tree = Tree(u32::try_from(self.forks.len()).unwrap_or(LEAF - 1));
        self.forks.push(key.clone());
        self.known.insert(key, tree);
        tree
    }

    /// The state where digits lead.
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
