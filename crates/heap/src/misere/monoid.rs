//! Finite commutative monoids with a set of lost elements, and how one is made of an automaton that reads heaps.

use hashbrown::HashMap;

/// An element of a monoid: its number. 0 is the identity.
pub type Element = u16;

/// A finite commutative monoid with the set P of its elements that are lost for who has the turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Monoid {
    /// `table[x * order + y]` is the product of x and y.
    table: Vec<Element>,
    /// Whether an element is in P.
    lost: Vec<bool>,
}

impl Monoid {
    /// The monoid of one element, which is won: of the game without moves in misere play.
    pub fn trivial() -> Monoid {
        Monoid { table: vec![0], lost: vec![false] }
    }

    /// How many elements it has.
    pub fn order(&self) -> usize {
        self.lost.len()
    }

    /// All elements.
    pub fn elements(&self) -> impl Iterator<Item = Element> + use<> {
        (0..self.order()).map(|x| x as Element)
    }

    /// The product of any number.
    pub fn product(&self, elements: impl IntoIterator<Item = Element>) -> Element {
        elements.into_iter().fold(0, |x, y| self.times(x, y))
    }

    /// The product of two.
    pub fn times(&self, x: Element, y: Element) -> Element {
        self.table[usize::from(x) * self.order() + usize::from(y)]
    }

    /// Whether an element is in P.
    pub fn is_lost(&self, x: Element) -> bool {
        self.lost[usize::from(x)]
    }
}

/// A complete deterministic automaton whose states are elements of a commutative monoid, reached from state 0 by letters,
/// each state with whether it is lost.
pub(super) struct Automaton {
    pub(super) letters: usize,
    /// `next[state * letters + letter]`.
    pub(super) next: Vec<u32>,
    pub(super) lost: Vec<bool>,
}

/// There are more classes than were allowed, or the order of letters matters.
pub(super) struct NoMonoid;

impl Automaton {
    /// The coarsest congruence that keeps lost and other elements apart, as a monoid, and the element of each letter. At most
    /// `most` classes. Moore's refinement: O(states x letters) a round, as many rounds as the longest test has letters.
    pub(super) fn reduced(&self, most: usize) -> Result<(Monoid, Vec<Element>), NoMonoid> {
        let states = self.lost.len();
        let mut class: Vec<u32> = self.lost.iter().map(|lost| u32::from(*lost != self.lost[0])).collect();
        let mut count = 1 + usize::from(class.contains(&1));
        loop {
            let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
            let mut signature = vec![0; self.letters + 1];
            let refined: Vec<u32> = (0..states)
                .map(|state| {
                    signature[0] = class[state];
                    for (letter, place) in signature[1..].iter_mut().enumerate() {
                        *place = class[self.next[state * self.letters + letter] as usize];
                    }
                    let fresh = known.len() as u32;
                    *known.entry_ref(&signature[..]).or_insert(fresh)
                })
                .collect();
            let finer = known.len();
            class = refined;
            if finer > most {
                return Err(NoMonoid);
            }
            if finer == count {
                break;
            }
            count = finer;
        }
        self.monoid(&class, count).ok_or(NoMonoid)
    }

    /// The monoid of the classes of a congruence, if the order of letters does not matter: then it is a commutative one. Class 0 is
    /// that of state 0.
    fn monoid(&self, class: &[u32], count: usize) -> Option<(Monoid, Vec<Element>)> {
        let mut step = vec![0 as Element; count * self.letters];
        let mut lost = vec![false; count];
        for (state, &of) in class.iter().enumerate() {
            lost[of as usize] = self.lost[state];
            for letter in 0..self.letters {
                step[of as usize * self.letters + letter] =
                    class[self.next[state * self.letters + letter] as usize] as Element;
            }
        }
        let after = |x: usize, letter: usize| usize::from(step[x * self.letters + letter]);
        let in_order = |x: usize, a: usize, b: usize| after(after(x, a), b) == after(after(x, b), a);
        if !(0..count).all(|x| (0..self.letters).all(|a| (0..a).all(|b| in_order(x, a, b)))) {
            return None;
        }
        // Every class is reached from that of the identity: its column of the table is that of the class before it, one step on.
        let mut table = vec![0 as Element; count * count];
        let mut reached = vec![false; count];
        let mut todo = vec![0usize];
        reached[0] = true;
        for x in 0..count {
            table[x * count] = x as Element;
        }
        while let Some(y) = todo.pop() {
            for letter in 0..self.letters {
                let z = usize::from(step[y * self.letters + letter]);
                if !std::mem::replace(&mut reached[z], true) {
                    for x in 0..count {
                        let before = usize::from(table[x * count + y]);
                        table[x * count + z] = step[before * self.letters + letter];
                    }
                    todo.push(z);
                }
            }
        }
        let letters = step[..self.letters].to_vec();
        Some((Monoid { table, lost }, letters))
    }
}
