//! Where sentences are decided during a proof, and what is kept of them: for certificates, which [`verify`](grundy_verify) reads,
//! and for tests that decide them by another procedure.

use crate::answer::Finding;
use crate::claims::File;
use crate::logic::facts::Certified;
use crate::prover::No;
use crate::prover::induction::Known;
use crate::prover::periods::heaps::VALUES;
use crate::prover::translation::Compared;
use crate::prover::wanted::Missing;
use crate::syntax::parse_file;
use crate::syntax::tree::Item;
use grundy_automata::order::by_order;
use grundy_automata::{
    Automaton, Formula, Limit, Reason, System, Texts, by_remainders, compile, odd_divisor, without_multiples,
};
use grundy_heap::certificate as period;
use grundy_verify::{Certificate, Heaps, Method, Part, VERSION, Written};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// An automaton of more states is large.
const LARGE: usize = 10_000;

/// A formula that was decided.
#[derive(Clone, Debug)]
pub struct Decided {
    /// The formula.
    pub formula: Formula,
    /// How numbers are written.
    pub system: System,
    /// Whether no numbers make it true.
    pub never: bool,
}

/// Something that never happens, in words, and the formula that no numbers make true.
type Step = (String, Formula);

/// One of the cases into which a statement is cut; the name of the only one is empty.
#[derive(Clone, Debug)]
pub(super) struct Case {
    which: String,
    /// The statement that is proved together with the others, whose case it is; `None`: the statement itself.
    beside: Option<String>,
    by: Method,
    system: System,
    steps: Vec<Step>,
}

/// How a statement was decided.
#[derive(Clone, Debug, Default)]
pub struct Argument {
    /// The cases that are proved.
    pub(super) cases: Vec<Case>,
    /// Every formula that was decided, those that came to nothing too.
    pub decided: Vec<Decided>,
    /// The statements, proved before, that were used.
    pub used: Vec<String>,
    /// The statements that were proved together with it.
    pub together: Vec<String>,
    /// The heaps with a certified period whose values were used.
    pub heaps: Vec<Certified>,
    /// So many instances were played through, which are all; then there are no cases.
    pub played: Option<u64>,
    /// What else it rests on, which is no sentence: values that were worked out one by one.
    pub beside: Vec<String>,
    /// If it is UNKNOWN: closed forms that would help.
    pub missing: Vec<Missing>,
    /// At how many positions its closed forms, as formulas, were those of the rules, or where they are not; `None`: that was not asked.
    pub compared: Option<Result<Compared, String>>,
}

impl Argument {
    /// Takes up the statements that were used, but for the one that is proved.
    pub(super) fn rests_on(&mut self, known: &Known<'_>, own: &str) {
        for fact in known.iter().filter(|fact| fact.used.get() && *fact.title != *own && !fact.is_heap()) {
            if !self.used.iter().any(|title| **title == *fact.title) {
                self.used.push(fact.title.to_string());
            }
        }
    }
}

pub(super) struct ProofLog {
    pub(super) limit: Limit,
    /// What is kept, if it is; the steps of a case that is not closed yet.
    kept: Option<RefCell<(Argument, Vec<Step>)>>,
    /// Formulas, as they are shown, that were decided in another form.
    other_forms: RefCell<Vec<(String, Formula)>>,
    /// Whether a formula that was made wider may hold somewhere.
    inexact: Cell<bool>,
    /// Why the statement is false of some instance, which is to be found.
    fails: RefCell<Option<No>>,
    /// The statements that are proved together with this one.
    together: RefCell<Vec<String>>,
}

impl ProofLog {
    pub(super) fn new(limit: Limit, keep: bool) -> ProofLog {
        ProofLog {
            limit,
            kept: keep.then(RefCell::default),
            other_forms: RefCell::default(),
            inexact: Cell::default(),
            fails: RefCell::default(),
            together: RefCell::default(),
        }
    }

    pub(super) fn keeps(&self) -> bool {
        self.kept.is_some()
    }

    /// The automaton of a formula. Where it is large and the formula divides by an odd number, that no numbers make it true may be
    /// seen by cases of remainders. One that speaks of multiples of a variable is made wider: then only that no numbers make it true says
    /// something ([`ProofLog::inexact`]).
    pub(super) fn compile(&self, formula: &Formula, system: System) -> Result<Automaton, Reason> {
        let mut made = None;
        for stage in 0.. {
            let Some(wider) = without_multiples(formula, stage, system) else { break };
            let decided = self.decide(&wider, system);
            let done = decided.as_ref().is_ok_and(|(_, automaton)| automaton.is_empty());
            // What is too large, later on, takes nothing back.
            made = Some(match (decided, made) {
                (Err(_), Some(Ok(before))) => Ok(before),
                (decided, _) => decided,
            });
            if done {
                break;
            }
        }
        let exact = made.is_none();
        let (decided, automaton) = made.unwrap_or_else(|| self.decide(formula, system))?;
        let never = automaton.is_empty();
        self.inexact.set(self.inexact.get() || !exact && !never);
        if self.keeps() && format!("{formula:?}") != format!("{decided:?}") {
            self.other_forms.borrow_mut().push((format!("{formula:?}"), decided.clone()));
        }
        self.keep(|argument, _| argument.decided.push(Decided { formula: decided, system, never }));
        Ok(automaton)
    }

    /// The automaton, and the formula of which it is one: where automata are too large, by cases of the order of two numbers, then of more.
    fn decide(&self, formula: &Formula, system: System) -> Result<(Formula, Automaton), Reason> {
        const PAIRS: usize = 2;
        // Cases of remainders are sums of more terms: where these are added up step by step they are no help.
        if !matches!(system, System::Surd(_))
            && odd_divisor(formula).is_some()
            && let Some(decided) = self.never_in_cases(formula, system)
        {
            return Ok(decided);
        }
        let compile = |formula: Formula| {
            let own = Limit { largest: Arc::default(), exceeded: Arc::default(), ..self.limit.clone() };
            let automaton = compile(&formula, system, &own)?;
            self.limit.largest.fetch_max(own.largest.load(Ordering::Relaxed), Ordering::Relaxed);
            Ok((formula, automaton))
        };
        let mut made = compile(formula.clone());
        for pairs in 1..=PAIRS {
            if !matches!(made, Err(Reason::States(_) | Reason::Tests(_))) {
                break;
            }
            let Some(cases) = by_order(formula, pairs) else { break };
            made = compile(cases).or(made);
        }
        if let Err(Reason::States(_) | Reason::Tests(_)) = made {
            self.limit.exceeded.store(true, Ordering::Relaxed);
        }
        made
    }

    /// Whether numbers that were found may be none: they are those of a formula that was made wider.
    pub(super) fn inexact(&self) -> bool {
        self.inexact.get()
    }

    /// Notes that the statement is false of some instance, and why: to look for a smallest one is worth the time that is left.
    pub(super) fn fails_near(&self, why: &No) {
        self.fails.replace(Some(why.clone()));
    }

    /// Notes that a smallest one is known.
    pub(super) fn fails_first(&self) {
        self.fails.replace(None);
    }

    /// Why the statement fails at an instance that is to be found.
    pub(super) fn fails(&self) -> Option<No> {
        self.fails.borrow().clone()
    }

    /// The automaton if it is small, or that of all cases of remainders if it accepts nothing, with what was decided.
    fn never_in_cases(&self, formula: &Formula, system: System) -> Option<(Formula, Automaton)> {
        let limit = &self.limit;
        let (states, tests) = (limit.states.min(LARGE), limit.tests.min(LARGE * 20));
        let small = Limit { states, tests, largest: Arc::default(), exceeded: Arc::default(), ..limit.clone() };
        let decided = match compile(formula, system, &small) {
            Ok(automaton) => (formula.clone(), automaton),
            Err(Reason::States(_) | Reason::Tests(_)) => {
                small.largest.store(0, Ordering::Relaxed);
                let cases = by_remainders(formula)?;
                let automaton = compile(&cases, system, &small).ok().filter(Automaton::is_empty)?;
                (cases, automaton)
            }
            Err(_) => return None,
        };
        limit.largest.fetch_max(small.largest.load(Ordering::Relaxed), Ordering::Relaxed);
        Some(decided)
    }

    /// Keeps something of the argument and the steps of the present case, if anything is kept.
    fn keep(&self, what: impl FnOnce(&mut Argument, &mut Vec<Step>)) {
        if let Some(kept) = &self.kept {
            let (argument, steps) = &mut *kept.borrow_mut();
            what(argument, steps);
        }
    }

    /// The case rests on this, which was decided.
    pub(super) fn step(&self, what: impl Into<String>, never: &Formula) {
        let other_forms = self.other_forms.borrow();
        let shown = if other_forms.is_empty() { String::new() } else { format!("{never:?}") };
        let never = other_forms.iter().find(|(text, _)| *text == shown).map_or(never, |(_, form)| form);
        self.keep(|_, steps| steps.push((what.into(), never.clone())));
    }

    /// The statement rests on this too, which is no sentence.
    pub(super) fn beside(&self, what: &str) {
        self.keep(|argument, _| argument.beside.push(what.into()));
    }

    /// The statement rests on the period of these heaps.
    pub(super) fn heaps(&self, heaps: &Certified) {
        self.keep(|Argument { heaps: all, .. }, _| {
            if !all.iter().any(|other| Arc::ptr_eq(&other.automaton, &heaps.automaton) && other.of == heaps.of) {
                all.push(heaps.clone());
            }
        });
    }

    /// All of so many instances were played through, and the statement rests on nothing else.
    pub(super) fn played(&self, instances: u64) {
        self.keep(|argument, _| {
            argument.cases.clear();
            argument.heaps.clear();
            argument.beside.clear();
            argument.played = Some(instances);
        });
    }

    pub(super) fn close(&self, which: String, by: Method, system: System) {
        self.closed(which, None, by, system);
    }

    /// Closes a case of another statement, which is proved together with this one.
    pub(super) fn close_beside(&self, title: &str, by: Method, system: System) {
        let mut together = self.together.borrow_mut();
        if !together.iter().any(|other| other == title) {
            together.push(title.to_string());
        }
        drop(together);
        self.closed(String::new(), Some(title.to_string()), by, system);
    }

    fn closed(&self, which: String, beside: Option<String>, by: Method, system: System) {
        self.keep(|argument, steps| {
            argument.cases.push(Case { which, beside, by, system, steps: std::mem::take(steps) });
        });
    }

    /// Forgets the steps of a case that came to nothing.
    pub(super) fn clear(&self) {
        self.inexact.set(false);
        self.keep(|_, steps| steps.clear());
    }

    /// How many cases are closed.
    pub(super) fn cases(&self) -> usize {
        self.kept.as_ref().map_or(0, |kept| kept.borrow().0.cases.len())
    }

    /// Forgets all cases but the first so many.
    pub(super) fn back_to(&self, cases: usize) {
        self.clear();
        self.keep(|argument, _| argument.cases.truncate(cases));
    }

    pub(super) fn argument(self) -> Argument {
        let argument = self.kept.map(|kept| kept.into_inner().0).unwrap_or_default();
        Argument { together: self.together.into_inner(), ..argument }
    }
}

/// The certificate of a statement that is proved; `None`: it is not, or not by sentences alone. `behind` are the lemmas that were proved
/// beside the file.
/// Errors: when a sentence is too long to be written.
pub fn certificate(
    finding: &Finding,
    argument: &Argument,
    file: File<'_>,
    behind: &[String],
) -> Result<Option<Certificate>, Reason> {
    if !matches!(&finding.verdict, Ok(verdict) if verdict.certificate().is_some()) || !argument.beside.is_empty() {
        return Ok(None);
    }
    let mut cases = Vec::new();
    let mut heaps: Vec<(Heaps, usize)> = Vec::new();
    for case in &argument.cases {
        let mut parts: Vec<Part> = Vec::new();
        let mut texts = Texts::new(case.system);
        for (what, never) in &case.steps {
            let part = Part { never: what.clone(), sentence: texts.never(never)? };
            // The same rule may be needed many times.
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        // Automata that have the values of heaps.
        let mut of_heaps = vec![None; texts.automata.len()];
        for (at, certified) in argument.heaps.iter().enumerate() {
            let Some(number) = texts.known(&certified.automaton) else { continue };
            let place = heaps.iter().position(|(_, other)| *other == at).unwrap_or(heaps.len());
            if place == heaps.len() {
                heaps.push((period(certified)?, at));
            }
            of_heaps[number] = Some(place);
        }
        let automata = texts.automata.into_iter().zip(of_heaps).map(|(table, heaps)| {
            let state = |(accepts, to): &(bool, Vec<usize>)| {
                let to = to.iter().map(ToString::to_string);
                let words = std::iter::once(if *accepts { "yes" } else { "no" }.to_string()).chain(to);
                words.collect::<Vec<_>>().join(" ")
            };
            Written { reads: table.reads, states: table.states.iter().map(state).collect(), heaps }
        });
        cases.push(grundy_verify::Case {
            case: case.which.clone(),
            beside: case.beside.clone(),
            by: case.by,
            numbers: case.system.word(),
            automata: automata.collect(),
            parts,
        });
    }
    let source = file.sources.get(file.own);
    Ok(Some(Certificate {
        grundy_proof_certificate: VERSION,
        statement: crate::prover::called(finding).to_string(),
        words: file.sources.slice(finding.span).to_string(),
        file: source.name.clone(),
        game: if behind.is_empty() {
            source.text.clone()
        } else {
            format!("{}\n{}\n", source.text.trim_end(), behind.join("\n"))
        },
        uses: used(file),
        rests_on: argument.used.clone(),
        heaps: heaps.into_iter().map(|(heaps, _)| heaps).collect(),
        sentences: cases.iter().map(|case| case.parts.len()).sum(),
        played: argument.played,
        cases,
    }))
}

/// The texts of the files that a file uses, by the names in their `use` lines; nothing where one name is that of two files.
fn used(file: File<'_>) -> BTreeMap<String, String> {
    let (mut texts, mut open) = (BTreeMap::new(), vec![file.own]);
    while let Some(id) = open.pop() {
        let Ok(tree) = parse_file(file.sources, id) else { continue };
        let own = Path::new(&file.sources.get(id).name);
        for item in &tree.items {
            let Item::Use { path, .. } = item else { continue };
            let is_whole = Path::new(path).extension().is_some_and(|extension| extension == "game");
            let name = if is_whole { path.clone() } else { format!("{path}.game") };
            let beside = own.parent().unwrap_or(Path::new("")).join(name).display().to_string();
            let beside = file.sources.named(&beside).filter(|other| *other != id);
            let library = || file.sources.named(&format!("library:{}", path.trim_end_matches(".game")));
            let Some(other) = beside.or_else(library) else { return BTreeMap::new() };
            let text = &file.sources.get(other).text;
            match texts.insert(path.clone(), text.clone()) {
                None => open.push(other),
                Some(before) if before == *text => {}
                Some(_) => return BTreeMap::new(),
            }
        }
    }
    texts
}

fn period(certified: &Certified) -> Result<Heaps, Reason> {
    let mut sequence = grundy_heap::sequence::Sequence::new((*certified.code).clone());
    let mut watch = |_: &[u16]| Ok(());
    let found = sequence.search(VALUES, &mut watch).and_then(|()| period::Certificate::of(&mut sequence, &mut watch));
    match found {
        Ok(Some(period)) => Ok(Heaps { of: certified.of.clone(), period }),
        _ => Err(Reason::Failed(format!("the period of {} was not found again", certified.code))),
    }
}
