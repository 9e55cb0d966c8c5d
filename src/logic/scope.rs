//! Variables, what defines them, and what must hold so that a term has a value at all.

use crate::logic::facts::Fact;
use crate::logic::symbol::{No, Sym};
use crate::model::{Program, TermId};
use crate::source::Span;
use grundy_automata::{Atom, Formula, Limit, Linear, System, Track, compile};
use num_bigint::BigInt;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

#[derive(Default)]
struct Frame {
    tracks: Vec<Track>,
    /// For all values of the variables around, exactly one value of each variable here fits.
    definitions: Vec<Formula>,
    /// What must hold so that all terms here have a value.
    needs: Vec<Formula>,
    /// So many conditions of the path hold in all of it.
    path: usize,
    /// Numbers that variables here were defined for.
    made: Vec<(Made, Linear)>,
}

/// A number that is made of others, the same wherever it is asked for.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Made {
    Absolute(Linear),
    /// The greater of two numbers in ascending order of their terms.
    Greater(Linear, Linear),
    Less(Linear, Linear),
    Quotient(Linear, BigInt),
    Rest(Linear, BigInt),
    /// The greatest multiple of the second that is not above the first.
    Product(Linear, Linear),
    GreatestPart(Track),
    LeastPart(Track),
}

pub(crate) struct Scope<'p> {
    pub(crate) program: &'p Program,
    pub(crate) facts: Rc<Vec<Rc<Fact<'p>>>>,
    /// Terms whose values are known.
    pub(crate) constants: HashMap<TermId, Sym>,
    next: Track,
    frames: Vec<Frame>,
    /// What holds where the present term is evaluated.
    path: Vec<Formula>,
    /// Numbers of which it is assumed there that they are 0, or that they are not.
    zeros: Vec<(Linear, bool)>,
    pub(crate) depth: usize,
    steps: usize,
    /// The ways to write numbers whose digits are spoken of.
    pub(crate) digits: BTreeSet<System>,
    /// The certified periods whose values are spoken of.
    pub(crate) notes: BTreeSet<Rc<str>>,
    /// A set of variables in a position is taken as it is written: that it is ascending is a statement of its own.
    pub(crate) as_written: bool,
    /// For each question to closed forms: the component's place in its sum from 1 (0: it is alone), and what lets them speak of it.
    pub(crate) asked: Vec<(Span, usize, Formula)>,
}

/// The parts of a condition that speak of few sums.
fn simple_parts(condition: &Formula, simple: &mut Vec<Formula>) {
    fn sums(condition: &Formula) -> bool {
        match condition {
            Formula::Constant(_) => true,
            Formula::Atom(atom) => matches!(&**atom, Atom::Sum(sum, _) if sum.terms.len() < 5),
            Formula::Not(inner) => sums(inner),
            Formula::Any(parts) => parts.len() < 5 && parts.iter().all(sums),
            Formula::All(parts) => parts.iter().all(sums),
            Formula::Exists(..) => false,
        }
    }
    match condition {
        Formula::All(parts) => parts.iter().for_each(|part| simple_parts(part, simple)),
        _ if sums(condition) => simple.push(condition.clone()),
        _ => {}
    }
}

/// The way to write numbers in which all is said of digits that is said of them; base 2 if there is nothing.
pub(crate) fn system(digits: &BTreeSet<System>) -> Result<System, No> {
    let mut all = digits.iter();
    match (all.next(), all.next()) {
        (None, _) => Ok(System::Binary),
        (Some(system), None) => Ok(*system),
        _ => {
            let words: Vec<String> = digits.iter().map(|system| system.word()).collect();
            Err(No::bare(format!("it speaks of digits in several ways at once: {}", words.join(", "))))
        }
    }
}

impl<'p> Scope<'p> {
    pub(crate) fn new(program: &'p Program, facts: Rc<Vec<Rc<Fact<'p>>>>) -> Scope<'p> {
        Scope {
            program,
            facts,
            constants: HashMap::new(),
            next: 0,
            frames: vec![Frame::default()],
            path: Vec::new(),
            zeros: Vec::new(),
            depth: 0,
            steps: 0,
            digits: BTreeSet::new(),
            notes: BTreeSet::new(),
            as_written: false,
            asked: Vec::new(),
        }
    }

    /// Counts a term: definitions that call themselves can make very many of them.
    pub(crate) fn step(&mut self) -> Result<(), No> {
        const MOST: usize = 100_000;
        self.steps += 1;
        if self.steps > MOST {
            return Err(No { limit: true, ..No::bare(format!("more than {MOST} terms")) });
        }
        Ok(())
    }

    /// A variable that nothing is said of yet.
    pub(crate) fn free(&mut self) -> Track {
        self.next += 1;
        self.next - 1
    }

    /// A variable of the innermost place; its definition must follow.
    pub(crate) fn defined(&mut self) -> Track {
        let track = self.free();
        if let Some(frame) = self.frames.last_mut() {
            frame.tracks.push(track);
        }
        track
    }

    pub(crate) fn define(&mut self, definition: Formula) {
        if let Formula::All(parts) = definition {
            for part in parts {
                self.define(part);
            }
            return;
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.definitions.push(definition);
        }
    }

    /// A number that was made where it can still be spoken of, or else is made now. Its definition has a value everywhere, and needs
    /// nothing. In the outermost place nothing is kept: what is defined there belongs to one statement.
    pub(crate) fn once(&mut self, what: Made, make: impl FnOnce(&mut Self) -> Linear) -> Linear {
        let known = self.made().find(|(made, _)| *made == what).map(|(_, number)| number.clone());
        known.unwrap_or_else(|| {
            let number = make(self);
            if let [_, .., frame] = &mut self.frames[..] {
                frame.made.push((what, number.clone()));
            }
            number
        })
    }

    /// What was made where it can still be spoken of.
    fn made(&self) -> impl Iterator<Item = &(Made, Linear)> {
        self.frames.iter().flat_map(|frame| &frame.made)
    }

    /// `x - y`; the greater of two numbers less the other is how far they are apart.
    pub(crate) fn difference(&mut self, x: &Linear, y: &Linear) -> Linear {
        let mut difference = x.minus(y);
        let mut apart = Vec::new();
        for (made, greater) in self.made() {
            let Made::Greater(a, b) = made else { continue };
            let less = Made::Less(a.clone(), b.clone());
            let less = self.made().find(|(made, _)| *made == less).and_then(|(_, number)| number.single());
            if let (Some(greater), Some(less)) = (greater.single(), less)
                && let (Some(times), Some(back)) = (difference.terms.get(&greater), difference.terms.get(&less))
                && *times == -back
            {
                apart.push((greater, less, times.clone(), a.minus(b)));
            }
        }
        for (greater, less, times, between) in apart {
            let between = self.absolute(&between);
            difference =
                difference.with(greater, &Linear::default()).with(less, &Linear::default()).plus(&times, &between);
        }
        difference
    }

    /// Says that this must hold here, or a term has no value.
    pub(crate) fn need(&mut self, need: Formula) {
        let need = Formula::all(self.path.iter().cloned()).implies(need);
        if let (Some(frame), false) = (self.frames.last_mut(), matches!(need, Formula::Constant(true))) {
            frame.needs.push(need);
        }
    }

    /// The same of what closed forms must speak of, so that it can be told which of them do not.
    pub(crate) fn need_spoken_of(&mut self, span: Span, at: usize, need: Formula) {
        self.asked.push((span, at, Formula::all(self.path.iter().cloned()).implies(need.clone())));
        self.need(need);
    }

    /// From here on this holds wherever something is evaluated.
    pub(crate) fn assume(&mut self, condition: Formula) {
        self.path.push(condition);
        if let Some(frame) = self.frames.last_mut() {
            frame.path = self.path.len();
        }
    }

    /// Evaluates something where more is known to hold.
    pub(crate) fn under<T>(
        &mut self,
        condition: &Formula,
        inner: impl FnOnce(&mut Self) -> Result<T, No>,
    ) -> Result<T, No> {
        self.path.push(condition.clone());
        let result = inner(self);
        self.path.pop();
        result
    }

    /// Whether two numbers are the same, by what holds here. Error: it is open; [`Scope::cases`] goes through both cases.
    pub(crate) fn are_same(&mut self, a: &Linear, b: &Linear) -> Result<bool, No> {
        let (difference, other) = (a.minus(b), b.minus(a));
        if let Some(number) = difference.constant() {
            return Ok(*number == BigInt::ZERO);
        }
        if let Some((_, zero)) = self.zeros.iter().find(|(number, _)| *number == difference || *number == other) {
            return Ok(*zero);
        }
        let zero = Formula::zero(&difference);
        for same in [false, true] {
            if self.never(if same { zero.clone().not() } else { zero.clone() }) {
                return Ok(same);
            }
        }
        Err(No {
            open: Some(Box::new(difference)),
            ..No::bare("a set of which it depends on its numbers how many they are")
        })
    }

    /// Whether simple conditions and definitions that hold here, and speak of the same numbers, exclude a condition.
    fn never(&mut self, condition: Formula) -> bool {
        // As much work as many terms.
        self.steps += 50;
        let limit = Limit { states: 200, tests: 5000, ..Limit::default() };
        let mut simple = Vec::new();
        for known in self.frames.iter().flat_map(|frame| &frame.definitions).chain(&self.path) {
            simple_parts(known, &mut simple);
        }
        let own: BTreeSet<Track> = condition.free().into_iter().collect();
        simple.retain(|known| known.free().iter().any(|track| own.contains(track)));
        let known = Formula::all(simple.into_iter().chain([condition]));
        compile(&known, System::Binary, &limit).is_ok_and(|automaton| automaton.is_empty())
    }

    /// What is asked, where it is open whether numbers are the same by cases of that. The innermost place must be its own, for what is
    /// defined in the first attempt is spoken of in the cases.
    pub(crate) fn cases(&mut self, asked: &mut dyn FnMut(&mut Self) -> Result<Formula, No>) -> Result<Formula, No> {
        const DEPTH: usize = 8;
        self.step()?;
        let before = self.next;
        let (difference, no) = match asked(self) {
            Err(mut no) => match no.open.take() {
                Some(difference) => (*difference, no),
                None => return Err(no),
            },
            done => return done,
        };
        // Nothing can be said here of variables that belong to a place within.
        let here = |track: &Track| *track < before || self.frames.iter().any(|frame| frame.tracks.contains(track));
        if self.zeros.len() == DEPTH || !difference.terms.iter().all(|(track, _)| here(track)) {
            return Err(no);
        }
        let zero = Formula::zero(&difference);
        let mut ways = Vec::new();
        for (same, condition) in [(true, zero.clone()), (false, zero.not())] {
            self.zeros.push((difference.clone(), same));
            let way = self.under(&condition, |scope| scope.cases(asked));
            self.zeros.pop();
            ways.push(Formula::all([condition, way?]));
        }
        Ok(Formula::any(ways))
    }

    /// A formula with variables of its own: bound, and what determines them said.
    pub(crate) fn local(&mut self, inner: impl FnOnce(&mut Self) -> Result<Formula, No>) -> Result<Formula, No> {
        self.frames.push(Frame { path: self.path.len(), ..Frame::default() });
        let body = inner(self);
        let frame = self.frames.pop().unwrap_or_default();
        Ok(self.closed(frame, body?))
    }

    /// The same with a variable that runs over all numbers with a property, which `inner` gives with the rest.
    pub(crate) fn some(&mut self, inner: impl FnOnce(&mut Self, Track) -> Result<Formula, No>) -> Result<Formula, No> {
        self.local(|scope| {
            let track = scope.defined();
            inner(scope, track)
        })
    }

    fn closed(&mut self, frame: Frame, body: Formula) -> Formula {
        let Frame { tracks, definitions, needs, .. } = frame;
        for need in needs {
            let used = need.free();
            let need = if tracks.iter().any(|track| used.contains(track)) {
                Formula::for_all(tracks.clone(), Formula::all(definitions.iter().cloned()).implies(need))
            } else {
                need
            };
            if let Some(outer) = self.frames.last_mut() {
                outer.needs.push(need);
            }
        }
        Formula::exists(tracks, Formula::all(definitions.into_iter().chain([body])))
    }

    /// All that was needed since it was last asked, where these conditions hold.
    pub(crate) fn taken_needs(&mut self) -> Vec<Formula> {
        self.frames.last_mut().map(|frame| std::mem::take(&mut frame.needs)).unwrap_or_default()
    }

    /// The variable that is this number, where it is not negative.
    pub(crate) fn track(&mut self, number: &Linear) -> Track {
        if let Some(track) = number.single() {
            return track;
        }
        if self.natural(number) {
            let track = self.defined();
            self.define(Formula::equal(&Linear::track(track), number));
            return track;
        }
        let natural = Formula::natural(number);
        self.need(natural.clone());
        self.chosen(&natural, number, &Linear::default())
    }

    /// Whether a number is known not to be negative, by its signs or by simple conditions that hold in all of the innermost place.
    /// Those of one branch of an `if` do not count: a definition holds everywhere.
    pub(crate) fn natural(&mut self, number: &Linear) -> bool {
        if number.is_natural() {
            return true;
        }
        if number.constant().is_some() {
            return false;
        }
        // As much work as many terms.
        self.steps += 50;
        let limit = Limit { states: 2000, tests: 50_000, ..Limit::default() };
        let negative = Formula::less(number, &Linear::default());
        let mut simple = Vec::new();
        let all = self.frames.last().map_or(0, |frame| frame.path).min(self.path.len());
        for condition in self.path[..all].iter().rev() {
            simple_parts(condition, &mut simple);
        }
        for (made, product) in self.made() {
            // A number rounded down is not above it.
            if let Made::Product(number, _) = made {
                simple.push(Formula::any([Formula::natural(number).not(), Formula::at_most(product, number)]));
            }
        }
        let known = Formula::all(simple.into_iter().chain([negative]));
        compile(&known, System::Binary, &limit).is_ok_and(|automaton| automaton.is_empty())
    }
}
