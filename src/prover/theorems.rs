//! The theorems of a game: one proof for each of its rule parameters and lengths of lists. Those about single moves, which of
//! them win or to which values they lead, follow from who loses where they lead, or from the values there.

use crate::answer::{Finding, Kind, ProofScope, Verdict};
use crate::claims::replay::{Denied, Replay};
use crate::claims::{File, replay};
use crate::logic::exponents::values_compared;
use crate::logic::facts::{Claimed, Fact, Only, Says, lengths, which};
use crate::logic::moves::Next;
use crate::logic::scope::{Scope, system};
use crate::logic::symbol::{No, Part, Sym, Wanted, shape, shapes};
use crate::logic::term::Env;
use crate::model::kind::Kind as Domain;
use crate::model::walk::bare;
use crate::model::{Clause, CompareOp, Game, GameId, Program, Slot, Term, TermKind, Theorem, TheoremSays};
use crate::prover::claims::{size, two_outcomes};
use crate::prover::induction::{
    Induction, Known, LEAVES, NO_VALUE, PositionContext, Proof, failing, good, open, option_value, spoken_of,
};
use crate::prover::parameters::Twin;
use crate::prover::periods::Decided;
use crate::prover::proof_log::ProofLog;
use crate::prover::reach::reach;
use crate::prover::{Prover, called, reason};
use crate::syntax::tree::{Measure, Verdict as Says_, Which};
use crate::value::Value;
use grundy_automata::{Formula, Linear, System};
use grundy_verify::Method;
use num_bigint::{BigInt, BigUint};
use std::rc::Rc;

/// The greatest rule parameter, when there is one, two, more.
const GREATEST: [usize; 3] = [50, 12, 5];
/// The greatest rule parameter where there are lists, too.
const BESIDE_LISTS: usize = 4;
/// Heaps up to this are played through by search, though a period tells their values.
const SEARCHED: u32 = 1000;
const LONGEST: usize = 6;

impl<'p> Prover<'_, 'p> {
    pub(super) fn theorem(&mut self, file: File<'_>, id: GameId, index: usize, desk: &ProofLog) -> Finding {
        let game = &self.program.games[id.0];
        let theorem = &game.theorems[index];
        let title = format!("{}: {}", game.name, file.statement(theorem.span, "theorem"));
        let mut finding = Finding::new(file.name(), Kind::Theorem, title, theorem.span);
        let verdict = self.theorem_cases(id, index, desk, &mut finding);
        finding.verdict = Ok(verdict.unwrap_or_else(|no| Verdict::Unknown { limit: reason(file, &no) }));
        // A counterexample of a short search counts unless all is proved; beside a proof of some rule parameters and lengths, a
        // statement without a value counts, too.
        let proved = matches!(&finding.verdict, Ok(verdict) if verdict.certificate().is_some());
        if matches!(finding.verdict, Ok(Verdict::Proved { .. })) {
            return finding;
        }
        match self.against(file, id, theorem.span) {
            Some(other) if proved || matches!(other.verdict, Ok(Verdict::Refuted)) => other,
            _ => finding,
        }
    }

    pub(super) fn theorem_cases(
        &mut self,
        id: GameId,
        index: usize,
        desk: &ProofLog,
        finding: &mut Finding,
    ) -> Result<Verdict, No> {
        let program = self.program;
        let game = &program.games[id.0];
        let says = match &game.theorems[index].says {
            TheoremSays::Moves { which, name, clauses, slots } => {
                let to = match which {
                    Which::Winning => None,
                    Which::To(slot) => Some(*slot),
                    Which::Drawing => return Err(No::bare("draws")),
                };
                let none = if to.is_none() { without_line(game, index) } else { Vec::new() };
                return self.moves_theorem((id, index), &Lines { to, name, clauses, slots, none }, desk, finding);
            }
            says => says,
        };
        let drawn = matches!(says, TheoremSays::Verdict { what: Says_::Draws, .. });
        let (says, claimed, guard) = match says {
            // Not as a closed form of who loses, but of which positions are drawn.
            TheoremSays::Verdict { when, guard, .. } if drawn => (Says::Loses, Claimed::Term(when), guard),
            says => closed_form(says)?,
        };
        if let Some(param) = game.params.iter().find(|param| !matches!(param.kind, Domain::Nat)) {
            return Err(No::at(param.span, "a rule parameter that is no natural number"));
        }
        let lists =
            game.fields.iter().any(|field| matches!(field.kind, Domain::List(..) | Domain::Set(_) | Domain::Bag(_)));
        let count = game.params.len();
        let greatest = match count {
            0 => 0,
            _ if lists => BESIDE_LISTS,
            _ => GREATEST[count.min(3) - 1],
        };
        let title = called(finding);
        let mut proved = Vec::new();
        // The closed forms that are proved, and how many of them are of lengths that are done.
        let (mut facts, mut done, mut stopped) = (Vec::new(), 0, None);
        let mut least: Option<(BigInt, Vec<Value>)> = None;
        let mut how = Replay { by_code: false, beside: false, denied: None, deadline: desk.limit.deadline };
        'lengths: for length in 0..=if lists { LONGEST } else { 0 } {
            let shapes = shapes(&game.fields, length).ok_or_else(|| {
                No::at(
                    game.span,
                    "a field that is no number, truth value, tuple of naturals and truth values, list of these, set or bag of naturals",
                )
            })?;
            for params in all(count, greatest) {
                let params: Vec<Sym> = params.into_iter().map(|n| Sym::number(BigInt::from(n))).collect();
                let said = (says, claimed.clone());
                let fact = Fact::of_game(program, id, params, shapes.clone(), said, title.clone());
                let fact = Rc::new(Fact { only: Only { guards: guard.iter().collect(), ..Only::default() }, ..fact });
                let case = if drawn {
                    let ended = self.undrawn(&fact, &which(game, &fact), desk);
                    ended.map(|induction| Ended::Holds(Certificate::Induction(induction)))
                } else {
                    self.case(&fact, &which(game, &fact), desk)
                };
                match case {
                    Ok(Ended::Holds(certificate)) => {
                        facts.push(fact.clone());
                        // The values say more than what is stated, and in a better form.
                        let period = matches!(certificate, Certificate::Period { .. });
                        if !(drawn || period && self.learn(id, &fact.params, &desk.limit)) {
                            Rc::make_mut(&mut self.known).push(fact);
                        }
                        proved.push(certificate);
                    }
                    Ok(Ended::Fails { numbers, period, sure }) => {
                        let size = BigInt::from(fact.size(&numbers)) + size(fact.params.iter()) + length;
                        if least.as_ref().is_none_or(|(smallest, _)| size < *smallest) {
                            how.by_code = period && size > BigInt::from(SEARCHED);
                            how.denied = sure.then_some(Denied::Least);
                            how.beside = desk.fails().is_some();
                            least = Some((size, values(&fact, &numbers)));
                        }
                    }
                    Err(_) if least.is_some() => break 'lengths,
                    Err(no) => {
                        if done == 0 || !no.limit {
                            return Err(no);
                        }
                        stopped = Some(no);
                        break 'lengths;
                    }
                }
            }
            done = facts.len();
            if least.as_ref().is_some_and(|(smallest, _)| *smallest <= BigInt::from(length)) {
                break;
            }
        }
        if let (Some(_), Twin::Inside) = (&least, &self.twin) {
            return Err(No::bare("it fails"));
        }
        if let Some((_, values)) = least {
            return replay::theorem(self.ctx, id, index, &values, how, finding)
                .map_err(|why| desk.fails().unwrap_or_else(|| No::bare(format!("the proof fails, but {why}"))));
        }
        match (certified(proved), stopped) {
            (Some(certificate), _) => {
                Ok(as_far_as(certificate, reach(game, &facts[..done], guard.as_ref().as_slice()), finding))
            }
            (None, Some(no)) => Err(no),
            (None, None) => Err(No::bare("there are no positions")),
        }
    }

    /// A theorem of the component's game as a closed form of it, if it is one.
    pub(super) fn theorem_about(&self, index: usize, part: &Part, title: &Rc<str>) -> Option<Fact<'p>> {
        let program = self.program;
        let game = &program.games[part.game.0];
        let (says, claimed, guard) = closed_form(&game.theorems[index].says).ok()?;
        part.params.iter().all(|param| param.known().is_some()).then_some(())?;
        let length = part.fields.iter().filter_map(shape).find_map(|shape| shape.length());
        let shapes = shapes(&game.fields, length.unwrap_or_default())?;
        let said = (says, claimed);
        let fact = Fact::of_game(program, part.game, part.params.clone(), shapes, said, title.clone());
        Some(Fact { only: Only { guards: guard.iter().collect(), ..Only::default() }, ..fact })
    }

    /// Which single moves win or lead to which values, for all positions of which it is proved who loses.
    fn moves_theorem(
        &mut self,
        (id, index): (GameId, usize),
        lines: &Lines<'p>,
        desk: &ProofLog,
        finding: &mut Finding,
    ) -> Result<Verdict, No> {
        let program = self.program;
        let game = &program.games[id.0];
        let mut facts = of(&self.known, game, program, lines.to.is_some());
        if facts.is_empty() && game.params.is_empty() && self.learn(id, &[], &desk.limit) {
            facts = of(&self.known, game, program, lines.to.is_some());
        }
        if let Some(fact) = facts.iter().find(|fact| !fact.speaks_of_all(program)) {
            return Err(No::bare(format!("{} speaks of some positions only", fact.title)));
        }
        let (mut system, mut least) = (None, None::<(BigInt, Vec<Value>)>);
        for fact in &facts {
            match self.decide_moves(fact, lines, which(game, fact), desk)? {
                Moves::As(used) => system = Some(used),
                Moves::Otherwise(numbers) => {
                    let sum = numbers.iter().cloned().map(BigInt::from).sum::<BigInt>();
                    let size = sum + size(fact.params.iter()) + lengths(fact).into_iter().sum::<usize>();
                    if least.as_ref().is_none_or(|(smallest, _)| size < *smallest) {
                        least = Some((size, values(fact, &numbers)));
                    }
                }
            }
        }
        if let (Some(_), Twin::Inside) = (&least, &self.twin) {
            return Err(No::bare("it fails"));
        }
        if let Some((_, values)) = least {
            let how =
                Replay { by_code: false, beside: false, denied: Some(Denied::Proved), deadline: desk.limit.deadline };
            return replay::theorem(self.ctx, id, index, &values, how, finding)
                .map_err(|why| No::bare(format!("the proof fails, but {why}")));
        }
        let Some(system) = system else {
            let value = lines.to.is_some();
            self.wanted.extend(self.wanted_of_all(id, value));
            return Err(No::bare(if value { "no Grundy values are proved" } else { "it is not proved who loses" }));
        };
        // Closed forms of some lengths and rule parameters say nothing of the others.
        let from = if lines.to.is_some() { "the Grundy values" } else { "who loses" };
        let certificate = format!("it follows from {from}, by automata, {}", system.word());
        Ok(as_far_as(certificate, reach(game, &facts, &[]), finding))
    }

    /// A closed form of all positions of a game of numbers and truth values without rule parameters.
    fn wanted_of_all(&self, id: GameId, value: bool) -> Option<Wanted> {
        let game = &self.program.games[id.0];
        let single = game.fields.iter().all(|field| matches!(field.kind, Domain::Nat | Domain::Bool));
        let shapes = shapes(&game.fields, 0).filter(|_| single && game.params.is_empty())?;
        let (fields, ..) = Scope::new(self.program, self.known.clone()).state(&shapes);
        Some(Wanted { part: Part::new(id, Vec::new(), fields), value, misere: false })
    }

    /// Whether the moves of that name that win are those that are stated, in all positions that a proved closed form speaks of.
    fn decide_moves(
        &self,
        fact: &Rc<Fact<'p>>,
        lines: &Lines<'p>,
        which: String,
        desk: &ProofLog,
    ) -> Result<Moves, No> {
        let (program, known) = (self.program, &self.known);
        desk.clear();
        let game = &program.games[fact.game.0];
        let PositionContext { mut scope, part, tracks, domain } = PositionContext::of(program, known, fact)?;
        if let Formula::Constant(false) = domain {
            desk.step("there is a position", &domain);
            desk.close(which, Method::Nothing, System::Binary);
            return Ok(Moves::As(System::Binary));
        }
        let values: Vec<Linear> = lines.slots.iter().map(|_| Linear::track(scope.free())).collect();
        let to = lines.to.map(|slot| (slot, Linear::track(scope.free())));
        let stated = {
            let mut env = scope.game_env(&part);
            env.slots.extend(to.clone().map(|(slot, value)| (slot, Sym::Int(value))));
            scope.ways(lines.clauses, &env, &mut |scope, env| {
                natural(scope, env, lines.slots);
                same(env, lines.slots, &values)
            })?
        };
        let right = |scope: &mut Scope<'p>, next: &Next<'_>| match &to {
            None => {
                if let Next::To(parts) = next
                    && parts.len() > 1
                {
                    let spoken = spoken_of(scope, fact, parts)?;
                    scope.need(spoken);
                }
                good(scope, fact, next)
            }
            Some((_, value)) => {
                values_compared(CompareOp::Eq, &option_value(scope, fact, next)?, &Sym::Int(value.clone()))
            }
        };
        let (mut ways, mut others) = (Vec::new(), Vec::new());
        for mv in &game.moves {
            if mv.name == lines.name {
                ways.push(scope.some_of(&part, std::slice::from_ref(mv), &mut |scope, env, next| {
                    natural(scope, env, &mv.binders);
                    let chosen = same(env, &mv.binders, &values)?;
                    Ok(Formula::all([chosen, right(scope, &next)?]))
                })?);
            } else if lines.none.contains(&mv.name.as_str()) {
                others.push(scope.some_of(&part, std::slice::from_ref(mv), &mut |scope, _, next| right(scope, &next))?);
            }
        }
        let found = Formula::any(ways);
        let what = if to.is_some() { LEADS_ELSEWHERE } else { NOT_STATED };
        let mut never = vec![(what, Formula::all([domain.clone(), found.iff(stated).not()]))];
        if !others.is_empty() {
            never.push((NO_LINE, Formula::all([domain.clone(), Formula::any(others)])));
        }
        let said = never.len();
        let needs = scope.taken_needs().into_iter();
        never.extend(needs.map(|need| (NO_VALUE, Formula::all([domain.clone(), need.not()]))));
        let system = system(&scope.digits)?;
        let mut wrong = false;
        for (i, (what, never)) in never.iter().enumerate() {
            if desk.compile(never, system)?.is_empty() {
                desk.step(*what, never);
            } else if i >= said {
                return Err(No::bare("a term of the statement or of the rules may have no value"));
            } else {
                wrong = true;
            }
        }
        if wrong && desk.inexact() {
            return Err(open(what));
        }
        if wrong {
            let somewhere = Formula::any(never.into_iter().map(|(_, never)| never));
            let others = somewhere.free().into_iter().filter(|track| !tracks.contains(track)).collect();
            let automaton = desk.compile(&Formula::exists(others, somewhere), system)?;
            let truths = fact.truths(&tracks);
            let numbers = grundy_automata::least_beside(&automaton, &tracks, &truths, system, &desk.limit)?;
            return Ok(Moves::Otherwise(numbers.unwrap_or_default()));
        }
        desk.close(which, if to.is_some() { Method::MovesTo } else { Method::Moves }, system);
        self.rests_on(&scope.notes, desk);
        Ok(Moves::As(system))
    }

    fn case(&mut self, fact: &Rc<Fact<'p>>, which: &str, desk: &ProofLog) -> Result<Ended, No> {
        let by_period = |prover: &mut Self| prover.theorem_by_period(fact, desk);
        self.settle(Some(&**fact), desk, by_period, |prover| match prover.proved(&mut fact.clone(), which, desk)? {
            Proof::Proved(induction) => Ok(Ended::Holds(Certificate::Induction(induction))),
            Proof::Fails { numbers, sure } => Ok(Ended::Fails { numbers, period: false, sure }),
            Proof::Leaves(numbers) => Err(failing(LEAVES, &numbers)),
        })
    }

    fn theorem_by_period(&mut self, fact: &Fact<'p>, desk: &ProofLog) -> Option<Ended> {
        Some(match self.reader(&desk.limit).theorem(fact).ok()? {
            (Decided::Holds(text), size) => {
                desk.beside(&text);
                Ended::Holds(Certificate::Period { text, size })
            }
            (Decided::Fails(n), _) => Ended::Fails { numbers: vec![BigUint::from(n)], period: true, sure: false },
        })
    }
}

enum Ended {
    Holds(Certificate),
    Fails {
        numbers: Vec<BigUint>,
        period: bool,
        /// It is certain, whether it can be played through or not.
        sure: bool,
    },
}

enum Certificate {
    Period { text: String, size: usize },
    Induction(Induction),
}

/// All certificates in words: the longest period, and the largest numbers of the inductions.
fn certified(certificates: Vec<Certificate>) -> Option<String> {
    let (mut periods, mut inductions) = (Vec::new(), Vec::new());
    for certificate in certificates {
        match certificate {
            Certificate::Period { text, size } => periods.push((text, size)),
            Certificate::Induction(induction) => inductions.push(induction),
        }
    }
    let more = if periods.len() > 1 { ", and shorter ones" } else { "" };
    // The first of those that are as long.
    let longest = periods.into_iter().rev().max_by_key(|(_, size)| *size);
    let induction = inductions.into_iter().reduce(|all, one| Induction {
        system: one.system,
        statements: all.statements.max(one.statements),
        largest: all.largest.max(one.largest),
        orders: all.orders || one.orders,
        beside: all.beside.into_iter().chain(one.beside).collect(),
        notes: all.notes.into_iter().chain(one.notes).collect(),
    });
    let texts = longest.map(|(text, _)| text + more).into_iter().chain(induction.map(|induction| induction.text()));
    let texts: Vec<String> = texts.collect();
    (!texts.is_empty()).then(|| texts.join("; "))
}

/// What is proved by one proof for each case, of all of them or of some.
fn as_far_as(certificate: String, scope: Option<ProofScope>, finding: &mut Finding) -> Verdict {
    let Some(scope) = scope else { return Verdict::Proved { certificate } };
    finding.bound = Some(format!("{}, all positions of each, one proof each", scope.text()));
    Verdict::ProvedPart { certificate, scope }
}

/// What a theorem says of a position, by what, and where.
fn closed_form(says: &TheoremSays) -> Result<(Says, Claimed<'_>, &Option<Term>), No> {
    match says {
        TheoremSays::Value { what: Measure::Grundy, value, guard } => Ok((Says::Grundy, Claimed::Term(value), guard)),
        TheoremSays::Verdict { what: Says_::Loses, when, guard } => Ok((Says::Loses, Claimed::Term(when), guard)),
        TheoremSays::Verdict { what: Says_::Wins, when, guard } => Ok((Says::Wins, Claimed::Term(when), guard)),
        TheoremSays::Value { what: Measure::Outcome, value, guard } => {
            let cases = || No::at(value.span, "outcomes that are not said by cases of `first` and `second`");
            match &bare(value).kind {
                TermKind::If(when, a, b) => Ok((two_outcomes(a, b).ok_or_else(cases)?, Claimed::Term(when), guard)),
                TermKind::Text(text) if &**text == "first" => Ok((Says::Wins, Claimed::Always(true), guard)),
                TermKind::Text(text) if &**text == "second" => Ok((Says::Loses, Claimed::Always(true), guard)),
                _ => Err(cases()),
            }
        }
        TheoremSays::Value { value, .. } => Err(No::at(value.span, "only Grundy values and outcomes are proved")),
        TheoremSays::Verdict { when, .. } => Err(No::at(when.span, "draws")),
        TheoremSays::Moves { .. } => Err(No::bare("no closed form")),
    }
}

/// The names of moves that no line about winning moves speaks of, for the first of these lines: none of them wins.
fn without_line(game: &Game, index: usize) -> Vec<&str> {
    let named = |theorem: &Theorem| match &theorem.says {
        TheoremSays::Moves { which: Which::Winning, name, .. } => Some(name.clone()),
        _ => None,
    };
    if game.theorems[..index].iter().any(|theorem| named(theorem).is_some()) {
        return Vec::new();
    }
    let stated: Vec<String> = game.theorems.iter().filter_map(named).collect();
    game.moves.iter().map(|mv| mv.name.as_str()).filter(|name| !stated.iter().any(|other| other == name)).collect()
}

/// All tuples of so many numbers up to a greatest, in order.
fn all(count: usize, greatest: usize) -> Vec<Vec<usize>> {
    (0..count).fold(vec![Vec::new()], |all, _| {
        let longer = |tuple: &Vec<usize>| {
            (0..=greatest).map(|n| tuple.iter().copied().chain([n]).collect::<Vec<_>>()).collect::<Vec<_>>()
        };
        all.iter().flat_map(longer).collect()
    })
}

fn values(fact: &Fact<'_>, numbers: &[BigUint]) -> Vec<Value> {
    let mut values: Vec<Value> = fact.params.iter().filter_map(Sym::known).collect();
    let mut numbers = numbers.iter().map(|number| BigInt::from(number.clone()));
    values.extend(fact.shapes.iter().map(|shape| shape.value(&mut numbers)));
    values
}

/// `theorem winning NAME for CLAUSES`, or `theorem moves to X NAME for CLAUSES`
struct Lines<'p> {
    /// The name for the Grundy value to which moves lead; without it, winning moves are stated.
    pub(super) to: Option<Slot>,
    pub(super) name: &'p str,
    pub(super) clauses: &'p [Clause],
    pub(super) slots: &'p [Slot],
    pub(super) none: Vec<&'p str>,
}

/// What must never happen.
const NOT_STATED: &str = "a move wins that is not stated, or does not win that is";
const LEADS_ELSEWHERE: &str = "a move leads to a value for which it is not stated, or does not where it is";
const NO_LINE: &str = "a move wins whose name has no line";

pub(super) enum Moves {
    /// They are as it says, decided in this system.
    As(System),
    /// They are not, first in the position of these numbers.
    Otherwise(Vec<BigUint>),
}

/// Says that the values of these slots must not be negative: the variables for them never are.
fn natural(scope: &mut Scope<'_>, env: &Env<'_>, slots: &[Slot]) {
    for number in slots.iter().filter_map(|slot| env.slots.get(slot)) {
        if let Sym::Int(number) = number {
            scope.need(Formula::natural(number));
        }
    }
}

/// Whether the values of these slots are those numbers.
fn same(env: &Env<'_>, slots: &[Slot], values: &[Linear]) -> Result<Formula, No> {
    let mut equal = Vec::new();
    for (slot, value) in slots.iter().zip(values) {
        match env.slots.get(slot) {
            Some(Sym::Int(number)) => equal.push(Formula::equal(number, value)),
            _ => return Err(No::bare("moves that are told apart by more than numbers")),
        }
    }
    Ok(Formula::all(equal))
}

/// The closed forms of a game that tell who loses, or only those that tell Grundy values.
pub(super) fn of<'p>(known: &Known<'p>, game: &'p Game, program: &'p Program, values: bool) -> Vec<Rc<Fact<'p>>> {
    let mut seen: Vec<Rc<Fact<'p>>> = Vec::new();
    let whole = |fact: &&Rc<Fact<'p>>| fact.speaks_of_all(program);
    for fact in known.iter().filter(whole).chain(known.iter().filter(|fact| !whole(fact))) {
        let this = std::ptr::eq(&raw const program.games[fact.game.0], game)
            && if fact.says == Says::Grundy { !fact.misere } else { !values };
        let again = seen.iter().any(|other| {
            other.shapes == fact.shapes
                && crate::logic::facts::same(&other.params, &fact.params)
                && other.misere == fact.misere
        });
        if this && !again {
            seen.push(fact.clone());
        }
    }
    seen
}
