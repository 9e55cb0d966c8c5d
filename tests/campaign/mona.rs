//! The procedure of this program against MONA, an independent one.
//!
//! Of the random games of `soundness`, MONA is asked about one in twenty, with `GRUNDY_MONA=4` about one in four; a sentence that
//! takes it more than a second is left out, and what was asked before is not asked again.

mod procedure;
mod run;
mod second;
mod text;
mod words;

use crate::corpus_of_proofs::texts;
use crate::formulas::{closed, formulas, holds, sum};
use crate::proved::{LIBRARY, USUAL, ctx};
use grundy::claims::File;
use grundy::prover::{Effort, arguments};
use grundy::source::text::Sources;
use grundy::syntax::parse_file;
use grundy::typing::NoLoader;
use grundy_automata::{Atom, Formula, Limit, Linear, Reason, Solution, System, solution};
use num_bigint::BigUint;
use num_traits::ToPrimitive;
use procedure::{Decider, Mona};
use proptest::test_runner::TestRunner;
use second::Opinion;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The program.
fn mona() -> Mona {
    Mona::find().expect("the program `mona` is installed: apt-get install mona")
}

#[test]
#[ignore = "needs the program `mona`"]
fn sums_in_all_systems() {
    let mona = mona();
    let limit = Limit::default();
    let never = Formula::less(&Linear::track(0), &Linear::default());
    assert_eq!(mona.solution(&never, System::Binary, &limit), Ok(None));
    for system in [System::Binary, System::Base(3), System::Base(4), System::Base(10), System::ZECKENDORF] {
        let sum = Formula::equal(&sum(&[(0, 3), (7, 5)], -26), &Linear::default());
        let found = mona.solution(&sum, system, &limit).expect("mona runs").expect("there are such numbers");
        assert_eq!((found[&0].clone(), found[&7].clone()), (BigUint::from(2u8), BigUint::from(4u8)));
    }
}

#[test]
#[ignore = "needs the program `mona`"]
fn sums_of_fibonacci_numbers_in_mona() {
    let mona = mona();
    // A sum that differs anywhere would be found.
    let exact = |x: u32, y: u32, z: u32| Formula::equal(&sum(&[(0, 1)], 0), &Linear::number(x + y - z));
    for (x, y) in [(0, 0), (1, 1), (3, 4), (12, 12), (33, 54), (987, 610), (1000, 1)] {
        let all = Formula::all([
            exact(x, 0, 0),
            Formula::equal(&Linear::track(1), &Linear::number(y)),
            Formula::equal(&sum(&[(0, 1), (1, 1)], 0), &Linear::track(2)),
        ]);
        let found = mona.solution(&all, System::ZECKENDORF, &Limit::default()).expect("mona runs").expect("a sum");
        assert_eq!(found[&2], BigUint::from(x + y));
        let other = Formula::all([all, Formula::equal(&Linear::track(2), &Linear::number(x + y)).not()]);
        assert_eq!(mona.solution(&other, System::ZECKENDORF, &Limit::default()), Ok(None), "{x} + {y}");
    }
}

/// Both procedures, and plain enumeration of the numbers that either finds.
fn agree(mona: &Mona, formula: &Formula, system: System) {
    let limit = Limit::default();
    // What is too large for one of the two tells nothing.
    let (Ok(found), Ok(own)) = (mona.solution(formula, system, &limit), solution(formula, system, &limit)) else {
        return;
    };
    assert_eq!(found.is_some(), own.is_some(), "{system:?} {formula:?}");
    for solution in [found, own].into_iter().flatten() {
        let mut values = vec![0u64; 5];
        for (track, number) in &solution {
            values[*track as usize] = number.to_u64().expect("small numbers");
        }
        assert!(holds(formula, system, &mut values, 6), "{values:?} {system:?} {formula:?}");
    }
    // And every small point by itself.
    for x in [0u64, 1, 2, 5] {
        for y in [0u64, 3] {
            let mut values = vec![x, y, 1, 0, 0];
            let fixed = |track, n: u64| Formula::equal(&Linear::track(track), &Linear::number(n));
            let at = Formula::all([formula.clone(), fixed(0, x), fixed(1, y), fixed(2, 1)]);
            let Ok(found) = mona.solution(&at, system, &limit) else { continue };
            assert_eq!(found.is_some(), holds(formula, system, &mut values, 6), "{values:?} {system:?} {formula:?}");
        }
    }
}

#[test]
#[ignore = "needs the program `mona`"]
fn random_formulas_in_all_systems() {
    let mona = mona();
    for system in [System::Binary, System::Base(3), System::Base(4), System::Base(5), System::ZECKENDORF] {
        let mut runner = TestRunner::new(crate::seeds::cases(20));
        let result = runner.run(&formulas(system), |formula| {
            agree(&mona, &closed(formula), system);
            Ok(())
        });
        result.unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Two formulas joined by a variable: only the digits that both allow.
#[test]
#[ignore = "needs the program `mona`"]
fn shifts_and_digits() {
    let mona = mona();
    for system in [System::Binary, System::ZECKENDORF] {
        let formula = Formula::all([
            Formula::atom(Atom::Shift(0, 1)),
            Formula::atom(Atom::Place(2)),
            Formula::atom(Atom::Part(2, 1)),
            Formula::less(&Linear::number(9), &Linear::track(2)),
        ]);
        agree(&mona, &formula, system);
    }
}

/// What MONA makes of the sentences of all statements, with at `most` so much time for each statement: how many
/// are decided alike, and how many are not decided.
fn opinions(name: &str, text: &str, mona: &Mona, effort: Effort, most: Option<Duration>) -> (usize, usize) {
    let mut sources = Sources::default();
    let own = sources.add(name, text);
    let file = parse_file(&sources, own).unwrap_or_else(|errors| panic!("{errors:?}\n{name}"));
    // Files that use others are not looked at here.
    let Ok(program) = grundy::typing::check(&file, own, &mut sources, &mut NoLoader) else { return (0, 0) };
    let mut ctx = ctx(Arc::new(program));
    let file = File { sources: &sources, own };
    let (mut agreed, mut undecided) = (0, 0);
    arguments(&mut ctx, effort, file, &mut |finding, argument| {
        let limit = Limit { deadline: most.map(|time| Instant::now() + time), ..Limit::default() };
        let opinion = Opinion::of(&argument, mona, &limit);
        assert_eq!(opinion.differs, None, "{name}: {}", finding.title);
        agreed += opinion.agreed;
        undecided += opinion.undecided;
    });
    (agreed, undecided)
}

#[test]
#[ignore = "needs the program `mona`"]
fn every_sentence_of_the_corpus_is_decided_alike() {
    let mona = mona();
    let (mut agreed, mut undecided) = (0, 0);
    for (name, text) in texts() {
        // Some statements of the library have hundreds of sentences, and some sentences are too much for MONA.
        let library = name.starts_with("games");
        let (effort, most) = if library { (LIBRARY, Some(Duration::from_secs(3))) } else { (USUAL, None) };
        let (more, open) = opinions(&name, &text, &mona, effort, most);
        agreed += more;
        if !library {
            undecided += open;
        }
    }
    // MONA has some seconds for a sentence; a busy machine may need more for one or the other.
    assert!(agreed > 400 && undecided <= agreed / 100, "{agreed} decided alike, {undecided} not decided");
}

/// How its numbers are written, and two hashes of its words.
type Sentence = (System, [u64; 2]);
type Answer = Result<Option<Solution>, Reason>;

/// MONA, which is asked about the same sentence once: games with the same rules have many in common.
struct Remembered {
    mona: Mona,
    known: RefCell<HashMap<Sentence, Answer>>,
    /// How often it was asked what is known.
    again: Cell<usize>,
}

impl Decider for Remembered {
    fn name(&self) -> &'static str {
        self.mona.name()
    }

    fn takes(&self, system: System) -> bool {
        self.mona.takes(system)
    }

    fn solution(&self, formula: &Formula, system: System, limit: &Limit) -> Answer {
        // That two sentences share both hashes does not happen.
        let words = format!("{formula:?}");
        let hash = |salt: u8| {
            let mut hasher = DefaultHasher::new();
            (salt, &words).hash(&mut hasher);
            hasher.finish()
        };
        let key = (system, [hash(0), hash(1)]);
        if let Some(known) = self.known.borrow().get(&key) {
            self.again.set(self.again.get() + 1);
            return known.clone();
        }
        let found = self.mona.solution(formula, system, limit);
        self.known.borrow_mut().insert(key, found.clone());
        found
    }
}

#[test]
#[ignore = "needs the program `mona`"]
fn sentences_of_random_games_are_decided_alike() {
    let mut mona = mona();
    mona.time = Duration::from_secs(1);
    let every = super::soundness::number("GRUNDY_MONA", 20).max(1);
    let asked = Remembered { mona, known: RefCell::default(), again: Cell::default() };
    let mut agreed = 0;
    super::soundness::campaign(&mut |number, game, argument| {
        if number.is_multiple_of(every) {
            let opinion = Opinion::of(argument, &asked, &Limit::default());
            assert_eq!(opinion.differs, None, "{game}");
            agreed += opinion.agreed;
        }
    });
    let known = asked.known.borrow();
    let late = known.values().filter(|found| found.is_err()).count();
    println!("{agreed} sentences alike; {} asked, {late} in vain; {} again", known.len(), asked.again.get());
    assert!(agreed > 0);
}
