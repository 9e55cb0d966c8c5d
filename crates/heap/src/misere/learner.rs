//! Finds a monoid from the outcomes of single sums, as finite automata are learned from examples (D. Angluin, "Learning regular sets
//! from queries and counterexamples", Inform. and Comput. 75, 1987), with the counterexamples split by R. L. Rivest and R. E.
//! Schapire's method ("Inference of finite automata using homing sequences", 1993).
//!
//! Each class has a smallest sum. Classes are told apart by *tests*, sums that are added to theirs. A class and a heap more is the
//! class with the same outcomes in all tests, or a new one. Where the order in which heaps are added matters, or a sum is seen
//! whose outcome is another than that of its class, there is a test that was missing.

use crate::Halt;
use crate::misere::Look;
use crate::misere::monoid::{Automaton, Element, Monoid, NoMonoid};
use hashbrown::HashMap;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A sum of heaps, ascending; none of them empty.
pub(super) type Sum = Vec<u16>;

/// The sum of two.
pub(super) fn plus(a: &[u16], b: &[u16]) -> Sum {
    let mut sum = [a, b].concat();
    sum.sort_unstable();
    sum
}

fn beans(sum: &[u16]) -> usize {
    sum.iter().map(|heap| usize::from(*heap)).sum()
}

/// Why there is no monoid.
pub(super) enum No {
    Halted(Halt),
    /// Too many classes, or outcomes that are at odds.
    Lost,
}

impl From<Halt> for No {
    fn from(halt: Halt) -> No {
        No::Halted(halt)
    }
}

/// What says whether a sum is lost in misere play: sums are brought to states, heap by heap; that of the empty sum is `(0, 0)`.
pub(super) trait Outcomes {
    /// The state with more heaps.
    fn plus(&self, state: (u32, u32), sum: &[u16]) -> (u32, u32);

    /// Whether the sums of a state are lost.
    fn lost(&mut self, state: (u32, u32), look: Look<'_>) -> Result<bool, Halt>;
}

/// What is known of the classes of heaps up to a size.
#[derive(Clone)]
pub(super) struct Known {
    /// The heaps of which the classes' sums are made.
    pub(super) generators: Vec<u16>,
    pub(super) tests: Vec<Sum>,
}

/// What was learned of sums of heaps up to a size.
pub(super) struct Learner<'o> {
    outcomes: &'o mut dyn Outcomes,
    pub(super) generators: Vec<u16>,
    pub(super) tests: Vec<Sum>,
    /// The outcomes of sums in the first of the tests.
    rows: HashMap<Sum, Row>,
    /// The most classes.
    most: usize,
    /// Sums that may be tests, smallest first.
    candidates: &'o [Sum],
}

#[derive(Clone, Default)]
struct Row {
    words: Vec<u64>,
    tests: usize,
}

/// A monoid that fits all outcomes that were asked for, a sum for each element, and the element of each heap.
pub(super) struct Guess {
    pub(super) monoid: Monoid,
    pub(super) images: Vec<Element>,
    classes: Classes,
}

impl Guess {
    /// The element of a sum.
    pub(super) fn element(&self, sum: &[u16]) -> Element {
        self.monoid.product(sum.iter().map(|heap| self.images[usize::from(*heap)]))
    }
}

#[derive(Default)]
struct Classes {
    sums: Vec<Sum>,
    /// `step[class * generators + generator]`.
    step: Vec<u32>,
    /// The class of each heap.
    heaps: Vec<u32>,
}

impl<'o> Learner<'o> {
    pub(super) fn new(outcomes: &'o mut dyn Outcomes, known: &Known, candidates: &'o [Sum], most: usize) -> Self {
        let Known { generators, tests } = known.clone();
        Learner { outcomes, generators, tests, rows: HashMap::new(), most, candidates }
    }

    /// Whether the sum of two is lost.
    pub(super) fn lost(&mut self, a: &[u16], b: &[u16], look: Look<'_>) -> Result<bool, Halt> {
        let state = self.outcomes.plus((0, 0), a);
        self.outcomes.lost(self.outcomes.plus(state, b), look)
    }

    fn row(&mut self, sum: &[u16], look: Look<'_>) -> Result<Vec<u64>, Halt> {
        let mut row = self.rows.remove(sum).unwrap_or_default();
        let state = self.outcomes.plus((0, 0), sum);
        while row.tests < self.tests.len() {
            let lost = self.outcomes.lost(self.outcomes.plus(state, &self.tests[row.tests]), look)?;
            if row.tests.is_multiple_of(64) {
                row.words.push(0);
            }
            row.words[row.tests / 64] |= u64::from(lost) << (row.tests % 64);
            row.tests += 1;
        }
        let words = row.words.clone();
        self.rows.insert(sum.to_vec(), row);
        Ok(words)
    }

    /// A monoid that fits all that is known, for heaps up to this one.
    pub(super) fn guess(&mut self, heap: usize, look: Look<'_>) -> Result<Guess, No> {
        loop {
            let Some(classes) = self.classes(heap, look)? else { continue };
            if let Some(tests) = self.disorder(&classes, look)? {
                self.tests.extend(tests);
                continue;
            }
            let count = self.generators.len();
            let mut lost = Vec::new();
            for sum in &classes.sums {
                lost.push(self.lost(sum, &[], look)?);
            }
            let automaton = Automaton { letters: count, next: classes.step.clone(), lost };
            let (monoid, letters) = automaton.reduced(self.most).map_err(|NoMonoid| No::Lost)?;
            let of = |class: u32| {
                let sum = &classes.sums[class as usize];
                let letter = |heap: &u16| letters[self.generators.iter().position(|other| other == heap).unwrap_or(0)];
                sum.iter().fold(0, |product, heap| monoid.times(product, letter(heap)))
            };
            let images = classes.heaps.iter().map(|&class| of(class)).collect();
            return Ok(Guess { monoid, images, classes });
        }
    }

    /// The classes that the tests tell apart, smallest sums first; `None` when a heap became a generator.
    fn classes(&mut self, heap: usize, look: Look<'_>) -> Result<Option<Classes>, No> {
        let count = self.generators.len();
        let mut known: HashMap<Vec<u64>, u32> = HashMap::new();
        let mut classes = Classes::default();
        // Sums to look at: of what size, of which class and generator.
        let mut todo = BinaryHeap::from([Reverse((0usize, Sum::new(), None::<(u32, usize)>))]);
        while let Some(Reverse((_, sum, from))) = todo.pop() {
            let row = self.row(&sum, look)?;
            let fresh = classes.sums.len() as u32;
            let class = *known.entry(row).or_insert(fresh);
            if class == fresh {
                if classes.sums.len() >= self.most {
                    return Err(No::Lost);
                }
                for (number, generator) in self.generators.iter().enumerate() {
                    let more = plus(&sum, &[*generator]);
                    todo.push(Reverse((beans(&more), more, Some((class, number)))));
                }
                classes.sums.push(sum);
                classes.step.extend(std::iter::repeat_n(0, count));
            }
            if let Some((before, number)) = from {
                classes.step[before as usize * count + number] = class;
            }
        }
        classes.heaps.push(0);
        for heap in 1..=heap as u16 {
            let row = self.row(&[heap], look)?;
            let Some(class) = known.get(&row) else {
                self.generators.push(heap);
                return Ok(None);
            };
            classes.heaps.push(*class);
        }
        Ok(Some(classes))
    }

    /// Tests that tell two sums apart that are one class now, where two heaps may not be added in either order.
    fn disorder(&mut self, classes: &Classes, look: Look<'_>) -> Result<Option<Vec<Sum>>, No> {
        let count = self.generators.len();
        let step = |class: u32, number: usize| classes.step[class as usize * count + number];
        let mut tests: Vec<Sum> = Vec::new();
        for class in 0..classes.sums.len() as u32 {
            for one in 0..count {
                for other in 0..one {
                    let (first, second) = (step(step(class, one), other), step(step(class, other), one));
                    if first == second {
                        continue;
                    }
                    let test = self.parting(classes, first, second, look)?;
                    let whole = [&test[..], &[self.generators[one], self.generators[other]]].concat();
                    let outcome = self.lost(&classes.sums[class as usize], &whole, look)?;
                    let of_first = self.lost(&classes.sums[first as usize], &test, look)?;
                    // One of the two ways goes wrong at its first or its second step.
                    let (generator, last) = if outcome == of_first { (other, one) } else { (one, other) };
                    let test = plus(&test, &[self.generators[last]]);
                    let of_middle = self.lost(&classes.sums[step(class, generator) as usize], &test, look)?;
                    if of_middle != outcome {
                        let one = plus(&classes.sums[class as usize], &[self.generators[generator]]);
                        let other = classes.sums[step(class, generator) as usize].clone();
                        let test = self.smaller(&one, &other, test, look)?;
                        if !tests.contains(&test) && !self.tests.contains(&test) {
                            tests.push(test);
                        }
                    }
                    if tests.len() >= 8 {
                        return Ok(Some(tests));
                    }
                }
            }
        }
        Ok((!tests.is_empty()).then_some(tests))
    }

    /// The first test in which two classes differ.
    fn parting(&mut self, classes: &Classes, a: u32, b: u32, look: Look<'_>) -> Result<Sum, No> {
        let (a, b) = (self.row(&classes.sums[a as usize], look)?, self.row(&classes.sums[b as usize], look)?);
        let at = (0..self.tests.len()).find(|at| (a[at / 64] ^ b[at / 64]) >> (at % 64) & 1 != 0);
        at.map(|at| self.tests[at].clone()).ok_or(No::Lost)
    }

    /// Takes a sum whose outcome is another than that of its element: adds the test that was missing. `false`: there is none.
    pub(super) fn learn(&mut self, guess: &Guess, sum: &[u16], look: Look<'_>) -> Result<bool, Halt> {
        let classes = &guess.classes;
        let count = self.generators.len();
        let outcome = self.lost(sum, &[], look)?;
        // First each heap gives way to the sum of its class, then the heaps are added one after the other.
        let mut rest: Sum = sum.to_vec();
        for &heap in sum {
            if self.generators.contains(&heap) {
                continue;
            }
            let at = rest.iter().position(|other| *other == heap).expect("it is there");
            rest.remove(at);
            let other = plus(&rest, &classes.sums[classes.heaps[usize::from(heap)] as usize]);
            if self.lost(&other, &[], look)? != outcome {
                let class = classes.sums[classes.heaps[usize::from(heap)] as usize].clone();
                let test = self.smaller(&[heap], &class, rest, look)?;
                return Ok(self.add(test));
            }
            rest = other;
        }
        let (mut class, mut left) = (0u32, rest);
        while let Some(heap) = left.pop() {
            let number = self.generators.iter().position(|other| *other == heap).expect("a generator");
            let before = plus(&classes.sums[class as usize], &[heap]);
            class = classes.step[class as usize * count + number];
            let other = plus(&classes.sums[class as usize], &left);
            if self.lost(&other, &[], look)? != outcome {
                let test = self.smaller(&before, &classes.sums[class as usize], left, look)?;
                return Ok(self.add(test));
            }
        }
        Ok(false)
    }

    /// The smallest test that tells two sums apart: this one, or a smaller one of the candidates.
    fn smaller(&mut self, a: &[u16], b: &[u16], test: Sum, look: Look<'_>) -> Result<Sum, Halt> {
        let size = beans(&test);
        let (a, b) = (self.outcomes.plus((0, 0), a), self.outcomes.plus((0, 0), b));
        for other in self.candidates.iter().take_while(|other| beans(other) < size) {
            let (a, b) = (self.outcomes.plus(a, other), self.outcomes.plus(b, other));
            if self.outcomes.lost(a, look)? != self.outcomes.lost(b, look)? {
                return Ok(other.clone());
            }
        }
        Ok(test)
    }

    fn add(&mut self, test: Sum) -> bool {
        let fresh = !self.tests.contains(&test);
        if fresh {
            self.tests.push(test);
        }
        fresh
    }
}
