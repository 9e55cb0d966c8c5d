//! MONA as a second procedure (Klarlund and Møller, MONA Version 1.4 User Manual, 2001): weak monadic second-order logic of
//! one successor, in which a number is the finite set of the places where its digits are 1.
//!
//! It shares nothing with the automata here: `text` says what every atom means in that logic, and the program `mona` does
//! the rest.

use super::{run, text};
use grundy_automata::{Formula, Limit, Reason, Solution, System};
use num_bigint::BigUint;
use std::path::PathBuf;
use std::time::Duration;

/// Something that decides formulas.
pub(crate) trait Decider {
    /// Its name in reports.
    fn name(&self) -> &'static str;

    /// Whether it can be asked about numbers that are written so.
    fn takes(&self, system: System) -> bool;

    /// Some numbers that make the formula true; `None`: no numbers do.
    ///
    /// # Errors
    /// The limit that was reached, or that it fails.
    fn solution(&self, formula: &Formula, system: System, limit: &Limit) -> Result<Option<Solution>, Reason>;
}

/// The program, and how long it may take.
#[derive(Clone, Debug)]
pub(crate) struct Mona {
    program: PathBuf,
    /// The most time for one formula; the deadline of the limit holds besides.
    pub time: Duration,
}

impl Mona {
    /// The program `mona`, if it is found in the folders of `PATH`.
    #[must_use]
    pub(crate) fn find() -> Option<Mona> {
        let folders = std::env::var_os("PATH")?;
        let program = std::env::split_paths(&folders).map(|folder| folder.join("mona")).find(|path| path.is_file())?;
        Some(Mona { program, time: Duration::from_secs(20) })
    }
}

impl Decider for Mona {
    fn name(&self) -> &'static str {
        "mona"
    }

    fn takes(&self, system: System) -> bool {
        !matches!(system, System::Surd(_)) || system == System::ZECKENDORF
    }

    fn solution(&self, formula: &Formula, system: System, limit: &Limit) -> Result<Option<Solution>, Reason> {
        let (text, tracks) = text::text(formula, system)?;
        let printed = run::run(&self.program, &text, self.time, limit)?;
        let Some(sets) = answer(&printed)? else { return Ok(None) };
        let number = |i: usize| -> Result<BigUint, Reason> {
            let mut digits: Vec<u8> = Vec::new();
            for (bit, name) in text::sets(&text::variable(i), system).into_iter().enumerate() {
                let set = sets.iter().find(|(other, _)| *other == name).map(|(_, set)| set);
                let set = set.ok_or_else(|| Reason::Failed(format!("mona says nothing of `{name}`")))?;
                digits.resize(digits.len().max(set.last().map_or(0, |last| last + 1)), 0);
                for &place in set {
                    digits[place] |= 1 << bit;
                }
            }
            Ok(system.number(&digits))
        };
        let numbers: Result<Solution, Reason> =
            tracks.into_iter().enumerate().map(|(i, track)| Ok((track, number(i)?))).collect();
        Ok(Some(numbers?))
    }
}

/// Names of variables with the places of their digits 1, ascending.
type Sets = Vec<(String, Vec<usize>)>;

/// The sets of a satisfying example; `None`: there is none.
fn answer(printed: &str) -> Result<Option<Sets>, Reason> {
    if printed.lines().any(|line| line == "Formula is unsatisfiable") {
        return Ok(None);
    }
    let odd = || Reason::Failed(format!("mona printed `{}`", printed.lines().next().unwrap_or_default()));
    let (_, example) = printed.split_once("A satisfying example of least length").ok_or_else(odd)?;
    let mut sets = Vec::new();
    for line in example.lines() {
        let Some((name, set)) = line.split_once(" = ") else { continue };
        let set = set.strip_prefix('{').and_then(|set| set.strip_suffix('}')).ok_or_else(odd)?;
        let mut places: Vec<usize> = Vec::new();
        for place in set.split(',').filter(|place| !place.is_empty()) {
            places.push(place.parse().map_err(|_| odd())?);
        }
        places.sort_unstable();
        sets.push((name.to_string(), places));
    }
    Ok(Some(sets))
}

#[test]
fn what_mona_prints_is_understood() {
    let none = "Formula is unsatisfiable\n\nA counter-example of least length (0) is:\nv0 X \n\nv0 = {}\n";
    assert_eq!(answer(none), Ok(None));
    let some = "A counter-example of least length (0) is:\nv0 X \n\nv0 = {}\n
A satisfying example of least length (4) is:\nv0              X 0011\n\nv0 = {2,3}\nv1 = {}\n";
    assert_eq!(answer(some), Ok(Some(vec![("v0".into(), vec![2, 3]), ("v1".into(), vec![])])));
    assert!(answer("Error in file").is_err() && answer("").is_err());
    assert!(answer("A satisfying example of least length\nv0 = {x}").is_err());
}
