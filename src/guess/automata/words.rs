//! Automata as lines of a file: a definition that reads digits, and a claim that it says the values.

use crate::guess::automata::learn::{Machine, State};
use crate::guess::automata::numerals::Numerals;
use crate::model::Program;
use grundy_automata::{Atom, Automaton, Formula, Join, Limit, Linear, Reason, Table, Track, compile};
use std::fmt::Write as _;
use std::sync::Arc;

/// The smallest automaton that accepts the same; of one that reads values, with the value 0 wherever it accepts none.
pub(super) fn whole(machine: &Machine, limit: &Limit) -> Result<Machine, Reason> {
    let states = machine.states.iter().map(|state| (state.accepts, state.to.clone())).collect();
    let system = machine.numerals.system().ok_or_else(|| Reason::Failed("a base above 16".into()))?;
    let mut automaton = Table { reads: machine.tracks, states }.automaton(system, limit)?;
    if machine.value {
        let many = || Reason::Failed("too many variables".into());
        let value = Track::try_from(machine.tracks).ok().and_then(|tracks| tracks.checked_sub(1)).ok_or_else(many)?;
        let said = Formula::atom(Atom::Word(Arc::new(automaton.clone()), (0..=value).collect()));
        let none = Formula::exists(vec![value], said).not();
        let zero = Formula::equal(&Linear::track(value), &Linear::default());
        let rest: Automaton = compile(&Formula::all([none, zero]), system, limit)?;
        automaton = automaton.join(&rest, Join::Or, limit)?;
    }
    let table = Table::of(&automaton, machine.tracks, system)?;
    let states = table.states.into_iter().map(|(accepts, to)| State { accepts, to }).collect();
    Ok(Machine { states, ..machine.clone() })
}

/// A definition that says whether an automaton accepts, and the beginning of its call; its name and those of its parameters are
/// no names of the file.
pub(super) fn definition(machine: &Machine, variables: &[String], program: &Program) -> (String, String) {
    let games = program.games.iter().map(|game| game.name.clone());
    let defs = program.defs.iter().map(|def| def.name.clone());
    let globals = program.globals.iter().map(|global| global.name.clone());
    let mut taken: Vec<String> = games.chain(defs).chain(globals).chain(variables.iter().cloned()).collect();
    let mut new = |name: &str| {
        let names = std::iter::once(name.to_string()).chain((2..).map(|i| format!("{name}{i}")));
        let name = names.into_iter().find(|name| !taken.contains(name)).unwrap_or_default();
        taken.push(name.clone());
        name
    };
    let (name, state) = (new("reads"), new("s"));
    let mut numbers = variables.to_vec();
    if machine.value {
        numbers.push(new("v"));
    }
    let most = if let [one] = &numbers[..] { one.clone() } else { format!("max({})", numbers.join(", ")) };
    let (places, end, digits, again, call) = match machine.numerals {
        Numerals::Base(base) => (
            Vec::new(),
            format!("{most} == 0"),
            numbers.iter().map(|number| format!("{number} mod {base}")).collect::<Vec<_>>(),
            numbers.iter().map(|number| format!("{number} div {base}")).collect::<Vec<_>>(),
            format!("{name}(0, "),
        ),
        Numerals::Zeckendorf => {
            let (f, g) = (new("f"), new("g"));
            (
                vec![f.clone(), g.clone()],
                format!("{f} > {most}"),
                numbers.iter().map(|number| format!("count([{f} in zeckendorf({number})])")).collect(),
                [g.clone(), format!("{f} + {g}")].into_iter().chain(numbers.iter().cloned()).collect(),
                format!("{name}(0, 1, 2, "),
            )
        }
    };
    let base = usize::from(machine.numerals.digits());
    let letter: Vec<String> = digits
        .iter()
        .zip(0u32..)
        .map(|(digit, i)| match (i, digits.len()) {
            (0, _) => digit.clone(),
            _ if digit.contains('(') => format!("{} * {digit}", base.pow(i)),
            _ => format!("{} * ({digit})", base.pow(i)),
        })
        .collect();
    let row = |state: &State| {
        let to: Vec<String> = state.to.iter().map(ToString::to_string).collect();
        format!("[{}]", to.join(", "))
    };
    let rows: Vec<String> = machine.states.iter().map(row).collect();
    let accepting = machine.states.iter().enumerate().filter(|(_, state)| state.accepts);
    let accepting: Vec<String> = accepting.map(|(number, _)| number.to_string()).collect();
    let accepts =
        if accepting.is_empty() { "false".to_string() } else { format!("{state} in {{{}}}", accepting.join(", ")) };
    let parameters: Vec<String> =
        std::iter::once(&state).chain(&places).chain(&numbers).map(|name| format!("{name}: nat")).collect();
    let mut text = format!("def {name}({}): bool =", parameters.join(", "));
    // Writing to a string does not fail.
    let _ = write!(
        text,
        "\n  if {end} then {accepts} else {name}([{}][{state}][{}], {})",
        rows.join(", "),
        letter.join(" + "),
        again.join(", ")
    );
    (text, call)
}
