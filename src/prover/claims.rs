//! Claims, case by case: as closed forms of their own, as what follows from those that are proved, or by certified periods.

use crate::answer::{Finding, Kind, Verdict};
use crate::claims::File;
use crate::claims::claim_sweep::{Form, form};
use crate::claims::replay::{self, Denied};
use crate::logic::clauses::members;
use crate::logic::digit_functions::Called;
use crate::logic::facts::{Claimed, Exponents, Fact, Names, Only, Says, Word, fields};
use crate::logic::scope::{Scope, system};
use crate::logic::symbol::{No, Part, Shape, Sym, shape};
use crate::logic::term::{Env, name_of};
use crate::logic::wordings::who_wins;
use crate::model::kind::Kind as Domain;
use crate::model::walk::bare;
use crate::model::{Builtin, Claim, Clause, CompareOp, DefId, Field, LogicOp, Program, Slot, Term, TermKind};
use crate::prover::bounds::{bounded, upper};
use crate::prover::draws::drawn;
use crate::prover::induction::{NO_VALUE, Proof, open, shown};
use crate::prover::one_move::apart;
use crate::prover::parameters::Twin;
use crate::prover::proof_log::ProofLog;
use crate::prover::relations::compared;
use crate::prover::{Prover, called, noted, periods, reason};
use crate::value::Value;
use grundy_automata::{Atom, Automaton, Formula, Limit, Linear, Reason, System, Track, compile, least, least_beside};
use grundy_verify::Method;
use num_bigint::{BigInt, BigUint};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// What must never be where a claim is to follow.
const FAILS: &str = "the statement fails";

pub(super) type Chosen = Vec<(Slot, Sym)>;

/// So many cases at most have a proof each.
const SWEEPS: i64 = 1000;

/// Of more cases, a range is first read as a condition on one number.
const MANY: usize = 32;

/// Sums of so many components at most are taken as one position.
const SUM: usize = 4;

/// All values of the variables of a claim that run over known finite domains, but for `others`; `None`: they are too many.
fn sweeps<'p>(program: &'p Program, claim: &'p Claim, others: &[Slot]) -> Option<Vec<Chosen>> {
    let mut scope = Scope::new(program, Rc::default());
    let mut all: Vec<Chosen> = vec![Vec::new()];
    for clause in &claim.clauses {
        let Clause::In { pattern, source, .. } = clause else { continue };
        if name_of(pattern).is_some_and(|slot| others.contains(&slot)) {
            continue;
        }
        let mut next = Vec::new();
        for chosen in all {
            let env = Env::of(&claim.frame, chosen.iter().cloned());
            // What depends on variables that are not known is no known domain.
            let domain = scope.eval(source, &env).ok().and_then(|domain| members(&domain, SWEEPS));
            // Nor is one whose members are not known, or that may have no value.
            let certain = |there: &Formula| matches!(there, Formula::Constant(true));
            let sure = scope.taken_needs().is_empty();
            let domain = domain.filter(|items| sure && items.iter().all(|(there, _)| certain(there)));
            match (domain, name_of(pattern)) {
                (Some(items), Some(slot)) => {
                    for (_, item) in items {
                        let mut chosen = chosen.clone();
                        chosen.push((slot, item));
                        next.push(chosen);
                    }
                }
                _ => next.push(chosen),
            }
        }
        if i64::try_from(next.len()).is_ok_and(|count| count > SWEEPS) {
            return None;
        }
        all = next;
    }
    Some(all)
}

/// The variables of a claim that run over `{false, true}`.
fn truths<'p>(program: &'p Program, claim: &'p Claim) -> Vec<Slot> {
    let mut scope = Scope::new(program, Rc::default());
    let env = Env::of(&claim.frame, []);
    let truth = |clause: &'p Clause| match clause {
        Clause::In { pattern, source, .. } => {
            name_of(pattern).filter(|_| matches!(scope.eval(source, &env), Ok(Sym::Truths)))
        }
        _ => None,
    };
    claim.clauses.iter().filter_map(truth).collect()
}

/// Tries something in which some variables of a claim may have to be exponents, which is known once it is refused. In its scope the
/// variables come first.
pub(super) fn with_exponents<T>(
    claim: &Claim,
    chosen: &Chosen,
    attempt: &mut dyn FnMut(&Exponents) -> Result<T, No>,
) -> Result<T, No> {
    let variables = claim.clauses.iter().filter_map(|clause| match clause {
        Clause::In { pattern, .. } => name_of(pattern),
        _ => None,
    });
    let variables: Vec<Slot> = variables.filter(|slot| chosen.iter().all(|(other, _)| other != slot)).collect();
    let mut exponents = Exponents::new();
    loop {
        let tried = attempt(&exponents);
        let Err(No { exponent: Some((track, base)), .. }) = &tried else { return tried };
        let slot = usize::try_from(*track).ok().and_then(|at| variables.get(at));
        match slot.filter(|slot| !exponents.contains_key(slot)) {
            Some(slot) => exponents.insert(*slot, *base),
            None => return tried,
        };
    }
}

/// The truth value that a number other than 0 is.
pub(super) fn truth_of(track: Track) -> Formula {
    Formula::zero(&Linear::track(track)).not()
}

/// What is said where the first of these texts is the outcome, if the second is it elsewhere.
pub(super) fn two_outcomes(a: &Term, b: &Term) -> Option<Says> {
    match (&bare(a).kind, &bare(b).kind) {
        (TermKind::Text(a), TermKind::Text(b)) => match (&**a, &**b) {
            ("first", "second") => Some(Says::Wins),
            ("second", "first") => Some(Says::Loses),
            _ => None,
        },
        _ => None,
    }
}

/// Why nothing follows where something that is needed may not hold: a position of which nothing is proved, if there is one.
fn unsure(scope: &Scope<'_>, claim: &Claim, nowhere: (&[Formula], &[Track]), system: System, desk: &ProofLog) -> No {
    for (span, at, need) in &scope.asked {
        if desk.compile(&need.clone().not(), system).is_ok_and(|automaton| automaton.is_empty()) {
            continue;
        }
        let which = match at {
            0 => "this position".to_string(),
            _ => format!("component {at} of this sum"),
        };
        return No::at(
            *span,
            format!("the statements that are proved do not speak of {which}, or not of all that it can be"),
        );
    }
    let automaton = desk.compile(&Formula::any(nowhere.0.iter().cloned()), system);
    let numbers = automaton.and_then(|automaton| least(&automaton, nowhere.1, system, &desk.limit)).ok().flatten();
    let at = numbers.map(|numbers| format!(", first at {}", shown(&numbers))).unwrap_or_default();
    No::at(claim.condition.span, format!("a term may have no value{at}"))
}

pub(super) fn written(number: &BigUint) -> BigInt {
    BigInt::from(number.clone())
}

/// An instance that fails: its size, its values, and why that is certain before it is played through.
type Least = (BigInt, Vec<(usize, Value)>, Option<Denied>);

impl<'p> Prover<'_, 'p> {
    /// The claim as a closed form of the position that it asks about, when that is made of its variables alone.
    fn as_fact(&self, claim: &'p Claim, chosen: &Chosen, title: &Rc<str>, limit: &Limit) -> Result<Fact<'p>, No> {
        self.claimed_fact(claim, chosen, title, (limit, false))
    }

    /// The same; with `bound` of a claim that the value is at most so much, as if it said that it is so much.
    fn claimed_fact(
        &self,
        claim: &'p Claim,
        chosen: &Chosen,
        title: &Rc<str>,
        how: (&Limit, bool),
    ) -> Result<Fact<'p>, No> {
        with_exponents(claim, chosen, &mut |exponents| self.fact_with(claim, chosen, title, how, exponents))
    }

    /// The same where some variables of the claim are exponents.
    fn fact_with(
        &self,
        claim: &'p Claim,
        chosen: &Chosen,
        title: &Rc<str>,
        (limit, bound): (&Limit, bool),
        exponents: &Exponents,
    ) -> Result<Fact<'p>, No> {
        let (program, known) = (self.program, &self.known);
        let odd = || No::at(claim.condition.span, "neither `grundy(P) == E` nor `loses(P) iff C` or the like");
        let mut read = None;
        // `outcome(P) == (if C then "first" else "second")`, or the other way round.
        let mut cases = None;
        let (given, condition) = given(&claim.condition);
        let (question, claimed, yes) = match form(condition) {
            Form::Compare { found, op: CompareOp::Eq, claimed, .. } => match &bare(claimed).kind {
                TermKind::Text(text) if &**text == "first" => (found, Claimed::Always(true), true),
                TermKind::Text(text) if &**text == "second" => (found, Claimed::Always(false), true),
                TermKind::If(condition, a, b) if two_outcomes(a, b).is_some() => {
                    cases = two_outcomes(a, b);
                    (found, Claimed::Term(condition), true)
                }
                _ => (found, Claimed::Term(claimed), true),
            },
            Form::Compare { found, op, claimed, flipped } if bound && upper(op, flipped).is_some() => {
                (found, Claimed::Term(claimed), true)
            }
            Form::Iff { found, claimed } => (found, Claimed::Term(claimed), true),
            Form::Truth { question, claimed } => (question, Claimed::Always(true), claimed),
            _ => match &bare(condition).kind {
                TermKind::Call(def, arguments) => {
                    let (question, word) = self.value_read(claim, (*def, arguments), chosen, limit)?.ok_or_else(odd)?;
                    read = Some(word);
                    // The automaton, once it is known what it reads.
                    (question, Claimed::Always(true), true)
                }
                _ => return Err(odd()),
            },
        };
        let (word, position, by_value) = match (who_wins(program, question), &bare(question).kind) {
            (Some(asked), _) => (asked.word, asked.position, asked.by_value),
            (None, TermKind::Builtin(word, arguments)) => {
                let [position] = &arguments[..] else { return Err(odd()) };
                (*word, position, false)
            }
            _ => return Err(odd()),
        };
        let says = match (word, &claimed, yes) {
            (Builtin::Outcome, Claimed::Term(_), _) => cases.ok_or_else(odd)?,
            _ if cases.is_some() => return Err(odd()),
            (Builtin::Grundy, _, _) if read.is_some() => Says::Grundy,
            _ if read.is_some() => return Err(odd()),
            (Builtin::Grundy, Claimed::Term(_), _) => Says::Grundy,
            (Builtin::Loses, Claimed::Always(true), false)
            | (Builtin::Wins, _, true)
            | (Builtin::Outcome, Claimed::Always(_), _) => Says::Wins,
            (Builtin::Loses, _, true) | (Builtin::Wins, Claimed::Always(true), false) => Says::Loses,
            _ => return Err(odd()),
        };
        let mut scope = Scope::new(program, known.clone());
        let mut env = Env::of(&claim.frame, chosen.iter().cloned());
        let (mut slots, mut guards, mut truths) = (HashMap::new(), given, Vec::new());
        let only = Only { exponents: exponents.clone(), ..Only::default() };
        for clause in &claim.clauses {
            match clause {
                Clause::Where(guard) => guards.push(guard),
                Clause::Let { value, .. } => return Err(No::at(value.span, "a name for a term")),
                Clause::In { pattern, source, span } => {
                    let slot = name_of(pattern).ok_or_else(|| No::at(*span, "a pattern"))?;
                    if env.slots.contains_key(&slot) {
                        continue;
                    }
                    let domain = scope.eval(source, &env)?;
                    let track = scope.free();
                    slots.insert(track, slot);
                    let value = match domain {
                        Sym::Naturals => only.named(slot, Linear::track(track)),
                        Sym::Truths => {
                            truths.push((track, format!("{:?}", truth_of(track))));
                            Sym::Bool(truth_of(track))
                        }
                        _ => {
                            return Err(No::at(
                                *span,
                                "a variable of an induction that does not run over all of `nat`",
                            ));
                        }
                    };
                    env.slots.insert(slot, value);
                }
            }
        }
        scope.as_written = true;
        let guarded = Formula::all(guards.iter().map(|guard| scope.truth(guard, &env)).collect::<Result<Vec<_>, _>>()?);
        scope.taken_needs();
        let Sym::Position { parts, misere } = scope.under(&guarded, |scope| scope.position(position, &env))? else {
            return Err(odd());
        };
        if misere && by_value {
            return Err(No::at(position.span, "Grundy values in misere play"));
        }
        let few = (1..=if says == Says::Grundy { 1 } else { SUM }).contains(&parts.len());
        let part = Part::sum(&parts).filter(|_| few);
        let part = &part.ok_or_else(|| No::at(position.span, "a sum of positions"))?;
        let others = part.beside.iter().flat_map(|other| &other.params);
        if part.params.iter().chain(others).any(|param| param.known().is_none()) {
            return Err(No::at(
                position.span,
                "a rule parameter that is a variable of all of `nat`: with a range, as in `m in 0..20`, there is a proof for each value",
            ));
        }
        // Whether the fields are the variables themselves, each once; else the position is held against its term.
        let mut plain = scope.taken_needs().is_empty();
        let wanted = || No::at(position.span, "a position in which some variable of the claim is no number of its own");
        let mut names = Vec::new();
        let mut used: Vec<Track> = Vec::new();
        for field in &part.fields {
            let mut of = Vec::new();
            for leaf in field.leaves().ok_or_else(wanted)? {
                let number = match &leaf {
                    Sym::Int(number) => number.single(),
                    Sym::Bool(truth) => {
                        let text = format!("{truth:?}");
                        truths.iter().find(|(_, of)| *of == text).map(|(track, _)| *track)
                    }
                    _ => None,
                };
                let own = number.filter(|track| {
                    !used.contains(track) && slots.get(track).is_some_and(|slot| !exponents.contains_key(slot))
                });
                used.extend(own);
                plain &= own.is_some();
                of.push(own.and_then(|track| slots.get(&track).copied()));
            }
            names.push(of);
        }
        // Names that are no numbers by themselves, but made of them, as d is in (a, a + d).
        let leaves = part.fields.iter().filter_map(Sym::leaves).flatten();
        let places: Vec<(Option<Slot>, Sym)> = names.iter().flatten().copied().zip(leaves).collect();
        let mut known: HashMap<Track, Linear> = HashMap::new();
        for (at, (slot, leaf)) in places.iter().enumerate() {
            if let (Some(_), Sym::Int(number)) = (slot, leaf)
                && let (Some(track), Ok(at)) = (number.single(), Track::try_from(at))
            {
                known.insert(track, Linear::track(at));
            }
        }
        let counts_more = places.iter().any(|(slot, leaf)| slot.is_none() && leaf.known().is_none());
        let mut made = Vec::new();
        while let Some((track, slot, value)) =
            places.iter().enumerate().find_map(|(at, (slot, leaf))| match (slot, leaf) {
                (None, Sym::Int(number)) => solved(number, &Linear::track(Track::try_from(at).ok()?), &known)
                    .and_then(|(track, value)| Some((track, *slots.get(&track)?, value))),
                _ => None,
            })
        {
            made.push((slot, value.clone()));
            known.insert(track, value);
        }
        used.extend(
            made.iter().filter_map(|(slot, _)| slots.iter().find(|(_, of)| *of == slot)).map(|(track, _)| *track),
        );
        let mut any: Vec<Slot> =
            slots.iter().filter(|(track, _)| !used.contains(track)).map(|(_, slot)| *slot).collect();
        any.sort_unstable();
        let truth = truths.iter().any(|(track, _)| !used.contains(track));
        if truth || !any.is_empty() && !matches!(claimed, Claimed::Always(_)) {
            return Err(wanted());
        }
        let fields = fields(program, part.game, &part.beside);
        // A whole number where it is made of others and may be negative.
        let shape = |((value, field), names): ((&Sym, &Field), &Vec<Option<Slot>>)| match (&field.kind, &names[..]) {
            (Domain::Int, [None]) if shape(value)? == Shape::Number => Some(Shape::Whole),
            _ => shape(value),
        };
        let shapes: Option<Vec<_>> = part.fields.iter().zip(fields).zip(&names).map(shape).collect();
        env.slots.retain(|slot, _| chosen.iter().any(|(other, _)| other == slot));
        Ok(Fact {
            game: part.game,
            params: part.params.clone(),
            shapes: shapes.ok_or_else(wanted)?,
            beside: part.beside.clone(),
            misere,
            says,
            env,
            names: Names::Slots(names),
            claimed: read.map_or(claimed, |word| Claimed::Word(Rc::new(word))),
            only: Only { guards, position: (!plain).then_some(position), made, any, counts_more, ..only },
            turned: Vec::new(),
            title: title.clone(),
            used: std::cell::Cell::new(false),
        })
    }

    /// The claim as a closed form of this component, if it is one for some values of the variables that are gone through.
    pub(super) fn claim_about(
        &self,
        claim: &'p Claim,
        part: &Part,
        title: &Rc<str>,
        limit: &Limit,
    ) -> Option<Fact<'p>> {
        let cases = sweeps(self.program, claim, &truths(self.program, claim))?;
        let mut facts = cases.iter().filter_map(|chosen| self.as_fact(claim, chosen, title, limit).ok());
        facts.find(|fact| fact.fits(part))
    }

    /// A call of a definition that reads digits, of the claim's variables and of the value of a position: the question for the
    /// value, and the automaton.
    fn value_read(
        &self,
        claim: &'p Claim,
        (def, arguments): (DefId, &'p [Option<Term>]),
        chosen: &Chosen,
        limit: &Limit,
    ) -> Result<Option<(&'p Term, Word)>, No> {
        let mut scope = Scope::new(self.program, self.known.clone());
        let env = Env::of(&claim.frame, chosen.iter().cloned());
        let called = scope.called(def, arguments, &env)?.filter(|called| called.before > 0);
        let Some(Called { word, system, before, .. }) = called else { return Ok(None) };
        let (mut of, mut question, mut order) = (Vec::new(), None, Vec::new());
        let last = Track::try_from(arguments.len() - before - 1).map_err(|_| No::bare("too many variables"))?;
        for argument in arguments[before..].iter().flatten() {
            match &bare(argument).kind {
                TermKind::Slot(slot) if !of.contains(slot) => {
                    order.push(Track::try_from(of.len()).map_err(|_| No::bare("too many variables"))?);
                    of.push(*slot);
                }
                TermKind::Builtin(Builtin::Grundy, _) if question.is_none() => {
                    order.push(last);
                    question = Some(bare(argument));
                }
                _ => return Ok(None),
            }
        }
        let Some(question) = question else { return Ok(None) };
        // With the variables in this order.
        let automaton = compile(&Formula::atom(Atom::Word(word, order)), system, limit)?.into();
        Ok(Some((question, Word { automaton, system, of, heaps: None })))
    }

    fn follows(
        &self,
        claim: &'p Claim,
        chosen: &Chosen,
        exponents: &Exponents,
        desk: &ProofLog,
    ) -> Result<Settled, No> {
        desk.clear();
        let truths = truths(self.program, claim);
        let mut scope = Scope::new(self.program, self.known.clone());
        let mut env = Env::of(&claim.frame, chosen.iter().cloned());
        let only = Only { exponents: exponents.clone(), ..Only::default() };
        let mut tracks: Vec<(Slot, Track)> = Vec::new();
        for clause in &claim.clauses {
            let Clause::In { pattern, span, .. } = clause else { continue };
            let slot = name_of(pattern).ok_or_else(|| No::at(*span, "a pattern"))?;
            env.slots.entry(slot).or_insert_with(|| {
                let track = scope.free();
                tracks.push((slot, track));
                if truths.contains(&slot) { Sym::Bool(truth_of(track)) } else { only.named(slot, Linear::track(track)) }
            });
        }
        let never = scope.local(|scope| {
            scope.ways(&claim.clauses, &env, &mut |scope, env| Ok(scope.truth(&claim.condition, env)?.not()))
        })?;
        let mut all = vec![never];
        for need in scope.taken_needs() {
            all.push(need.not());
        }
        let system = system(&scope.digits)?;
        let reason = |reason: Reason| No::bare(reason.to_string());
        let numbers: Vec<Track> = tracks.iter().map(|(_, track)| *track).collect();
        for (i, never) in all.iter().enumerate() {
            let automaton = desk.compile(never, system).map_err(reason)?;
            if automaton.is_empty() {
                desk.step(if i == 0 { FAILS } else { NO_VALUE }, never);
                continue;
            }
            if desk.inexact() {
                return Err(open(if i == 0 { FAILS } else { NO_VALUE }));
            }
            // A counterexample is one where all terms have a value.
            let sure =
                Formula::all(all.iter().enumerate().map(|(i, f)| if i == 0 { f.clone() } else { f.clone().not() }));
            let automaton = if all.len() > 1 { desk.compile(&sure, system).map_err(reason)? } else { automaton };
            if automaton.is_empty() {
                return Err(unsure(&scope, claim, (&all[1..], &numbers), system, desk));
            }
            let bits: Vec<Track> =
                tracks.iter().filter(|(slot, _)| truths.contains(slot)).map(|(_, bit)| *bit).collect();
            let least =
                |automaton: &Automaton| least_beside(automaton, &numbers, &bits, system, &desk.limit).map_err(reason);
            let found = least(&automaton)?.unwrap_or_default();
            // A smaller instance without a value is what an evaluation would meet first.
            let nowhere = desk.compile(&Formula::any(all[1..].iter().cloned()), system).map_err(reason)?;
            let bare = least(&nowhere)?;
            let size = |found: &[BigUint]| -> BigUint {
                found.iter().zip(&numbers).filter(|(_, track)| !bits.contains(track)).map(|(number, _)| number).sum()
            };
            if bare.is_some_and(|bare| size(&bare) <= size(&found)) {
                return Err(unsure(&scope, claim, (&all[1..], &numbers), system, desk));
            }
            if !exponents.is_empty() {
                let why = format!("{FAILS} where powers are {}, which is to be played through", shown(&found));
                desk.fails_near(&No::bare(why.clone()));
                return Err(No::bare(why));
            }
            desk.fails_first();
            return Ok(Settled::Fails(tracks.iter().map(|(slot, _)| *slot).zip(found).collect(), Some(Denied::Proved)));
        }
        desk.close(which(claim, chosen), Method::Follows, system);
        self.rests_on(&scope.notes, desk);
        let text = format!("it follows from what is proved, by automata, {}", system.word());
        Ok(Settled::Holds(noted(text, &scope.notes)))
    }

    pub(super) fn claimed(&mut self, file: File<'_>, claim: &'p Claim, desk: &ProofLog, again: bool) -> Finding {
        let mut finding = Finding::new(file.name(), Kind::Claim, claim.title.clone(), claim.span);
        finding.negated = claim.negated;
        match self.all_cases(claim, desk, &mut finding) {
            Ok(verdict) => finding.verdict = Ok(verdict),
            Err(no) => match (!again).then(|| self.finite(file, claim, desk)).flatten() {
                Some(whole) => return whole,
                None => finding.verdict = Ok(Verdict::Unknown { limit: reason(file, &no) }),
            },
        }
        finding
    }

    /// A claim about finitely many instances, all of which were looked at, or any claim of which an instance is false or has no value that
    /// a search finds: then it is the least one.
    fn finite(&mut self, file: File<'_>, claim: &Claim, desk: &ProofLog) -> Option<Finding> {
        let (time, instances) = (self.left(), self.effort.looks(self.effort.instances));
        let mut finding = crate::claims::whole(self.ctx, time, instances, file, claim)?;
        if let Ok(Verdict::Verified) = finding.verdict {
            let certificate = match finding.searched {
                1 => "finite: played through completely".to_string(),
                count => format!("finite: {count} instances, each played through completely"),
            };
            desk.played(finding.searched);
            self.known.iter().for_each(|fact| fact.used.set(false));
            finding.verdict = Ok(Verdict::Proved { certificate });
        }
        if let Err(error) = &finding.verdict {
            finding.verdict = Ok(Verdict::Unknown { limit: error.message.clone() });
        }
        Some(finding)
    }

    pub(super) fn all_cases(
        &mut self,
        claim: &'p Claim,
        desk: &ProofLog,
        finding: &mut Finding,
    ) -> Result<Verdict, No> {
        // Truth values are variables of one proof, or else there is a proof for each.
        let truths = truths(self.program, claim);
        let settled = match self.cases_but(claim, &truths, desk, finding) {
            Err(_) if !truths.is_empty() => self.cases_but(claim, &[], desk, finding),
            settled => settled,
        };
        match settled {
            Err(no) if !claim.parts.is_empty() => self.all_parts(claim, desk, finding).ok_or(no),
            settled => settled,
        }
    }

    /// Proves each member of a conjunction by itself; `None`: some is not proved.
    fn all_parts(&mut self, claim: &'p Claim, desk: &ProofLog, whole: &mut Finding) -> Option<Verdict> {
        let mut certificates: Vec<String> = Vec::new();
        desk.back_to(0);
        for part in &claim.parts {
            desk.clear();
            let mut finding = Finding::new("", Kind::Claim, claim.title.clone(), claim.span);
            match self.all_cases(part, desk, &mut finding) {
                Ok(Verdict::Proved { certificate }) => certificates.push(certificate),
                _ => return None,
            }
            whole.bound = finding.bound;
        }
        Some(Verdict::Proved { certificate: certificates.join("; ") })
    }

    /// The same with these variables, truth values, left as they are.
    fn cases_but(
        &mut self,
        claim: &'p Claim,
        truths: &[Slot],
        desk: &ProofLog,
        finding: &mut Finding,
    ) -> Result<Verdict, No> {
        // A range that is long, or too long to be gone through, may be a condition on one number.
        let (unranged, closed) = (claim.unranged.as_deref(), desk.cases());
        let at_once = |prover: &mut Self, finding: &mut Finding| {
            let mut settled = Err(No::bare("there are too many cases"));
            for claim in [Some(claim), unranged].into_iter().flatten() {
                settled = prover.cases_of(claim, (truths, vec![Vec::new()]), desk, finding);
                match settled {
                    Ok(Verdict::Proved { .. }) => finding.bound = Some("the whole range".to_string()),
                    Ok(_) => {}
                    Err(_) => desk.back_to(closed),
                }
                if settled.is_ok() {
                    break;
                }
            }
            settled
        };
        match (sweeps(self.program, claim, truths), unranged) {
            (None, _) => at_once(self, finding).map_err(|_| No::bare("there are too many cases")),
            (Some(cases), _) if cases.len() > MANY => {
                at_once(self, finding).or_else(|_| self.cases_of(claim, (truths, cases), desk, finding))
            }
            (Some(cases), Some(unranged)) if !cases.is_empty() => {
                let undivided = cases.iter().all(Vec::is_empty);
                let by_cases = self.cases_of(claim, (truths, cases), desk, finding);
                by_cases.or_else(|no| {
                    desk.back_to(closed);
                    let settled = self.cases_of(unranged, (truths, vec![Vec::new()]), desk, finding);
                    settled.map_err(|why| if undivided { why } else { no })
                })
            }
            (Some(cases), _) => self.cases_of(claim, (truths, cases), desk, finding),
        }
    }

    /// The same in these cases, with a proof each.
    fn cases_of(
        &mut self,
        claim: &'p Claim,
        (truths, cases): (&[Slot], Vec<Chosen>),
        desk: &ProofLog,
        finding: &mut Finding,
    ) -> Result<Verdict, No> {
        let title = called(finding);
        let mut proof = None;
        let count = cases.len();
        let mut least: Option<Least> = None;
        // Whether the least instance of some case is to be found yet.
        let mut near = None;
        for chosen in cases {
            let mut values: Option<Vec<(usize, Value)>> =
                chosen.iter().map(|(slot, value)| Some((*slot, value.known()?))).collect();
            let settled = self.settle(
                None,
                desk,
                |prover| prover.claim_by_period(claim, &chosen, desk),
                |prover| prover.claim_by_sentences(claim, &chosen, &title, desk),
            );
            match settled? {
                Settled::Holds(certificate) => proof = Some(certificate),
                Settled::Fails(numbers, proved) => {
                    near = near.or(desk.fails());
                    let size = size(chosen.iter().map(|(_, value)| value))
                        + numbers
                            .iter()
                            .filter(|(slot, _)| !truths.contains(slot))
                            .map(|(_, number)| written(number))
                            .sum::<BigInt>();
                    if let Some(values) = &mut values {
                        let value = |slot, number: BigUint| {
                            let truth = truths.contains(&slot);
                            if truth { Value::Bool(number != BigUint::ZERO) } else { Value::int(written(&number)) }
                        };
                        values.extend(numbers.into_iter().map(|(slot, number)| (slot, value(slot, number))));
                    }
                    if least.as_ref().is_none_or(|(smallest, ..)| size < *smallest) {
                        least = Some((size, values.unwrap_or_default(), proved));
                    }
                }
            }
        }
        if let (Some(_), Twin::Inside) = (&least, &self.twin) {
            return Err(No::bare(FAILS));
        }
        if let Some((_, values, proved)) = least {
            if let Some(why) = &near {
                desk.fails_near(why);
            }
            return replay::claim(self.ctx, claim, &values, proved, desk.limit.deadline, finding)
                .map_err(|why| desk.fails().unwrap_or_else(|| No::bare(format!("the proof fails, but {why}"))));
        }
        if count > 1 {
            finding.bound = Some(format!("all instances, in {count} cases with a proof each"));
        }
        proof.map(|certificate| Verdict::Proved { certificate }).ok_or_else(|| No::bare("there are no cases"))
    }

    /// By a certified period. What it says is learnt as values, where it is wanted.
    fn claim_by_period(&mut self, claim: &'p Claim, chosen: &Chosen, desk: &ProofLog) -> Option<Settled> {
        Some(match self.reader(&desk.limit).claim(claim, chosen).ok()? {
            (_, periods::Decided::Holds(certificate)) => {
                desk.beside(&certificate);
                Settled::Holds(certificate)
            }
            (slot, periods::Decided::Fails(n)) => Settled::Fails(vec![(slot, BigUint::from(n))], None),
        })
    }

    /// As what follows from what is proved, or by an induction of its own.
    fn claim_by_sentences(
        &mut self,
        claim: &'p Claim,
        chosen: &Chosen,
        title: &Rc<str>,
        desk: &ProofLog,
    ) -> Result<Settled, No> {
        let first = loop {
            match with_exponents(claim, chosen, &mut |exponents| self.follows(claim, chosen, exponents, desk)) {
                Ok(settled) => return Ok(settled),
                Err(no) if self.learnt(&no, &desk.limit) => {}
                Err(no) => break no,
            }
        };
        self.wanted.extend(first.wanted.as_deref().cloned());
        let alike = match compared(self.program, &claim.condition) {
            Some(compared) => match self.alike(claim, &compared, chosen, title, desk) {
                Ok(text) => return Ok(Settled::Holds(text)),
                Err(no) => Some(no),
            },
            None => None,
        };
        let whole = (Vec::new(), &claim.condition);
        let mut refused = None;
        for (more, says) in [whole, given(&claim.condition)] {
            let mut tried = |attempt: &dyn Fn(&Exponents) -> Result<String, No>| {
                let text = with_exponents(claim, chosen, &mut |exponents| attempt(exponents));
                text.map_err(|no| refused = Some(no)).ok()
            };
            let told = drawn(says).and_then(|(position, when)| {
                let spoken = (position, when, &more[..]);
                tried(&|exponents| self.claim_undrawn(claim, spoken, chosen, (title, exponents), desk))
            });
            let told = told.or_else(|| {
                let apart = apart(self.program, says)?;
                tried(&|exponents| self.one_move_apart(claim, (&apart, &more), chosen, (title, exponents), desk))
            });
            if let Some(text) = told {
                return Ok(Settled::Holds(text));
            }
        }
        if let Form::Compare { op, flipped, .. } = form(given(&claim.condition).1)
            && let Some(by) = upper(op, flipped)
            && let Ok(fact) = self.claimed_fact(claim, chosen, title, (&desk.limit, true))
            && fact.says == Says::Grundy
        {
            return self.bounded(fact, by, &which(claim, chosen), desk).map(Settled::Holds);
        }
        let (more, says) = given(&claim.condition);
        if let Some(asked) = who_wins(self.program, says)
            && asked.word == Builtin::Wins
            && let Ok(text) = with_exponents(claim, chosen, &mut |exponents| {
                self.won_at_once(claim, (asked.position, &more), chosen, (title, exponents), desk)
            })
        {
            return Ok(Settled::Holds(text));
        }
        let fact = self.as_fact(claim, chosen, title, &desk.limit);
        // Where values of components would do, these are what is missing.
        let sum = fact.as_ref().is_ok_and(|fact| !fact.beside.is_empty() && !fact.misere).then(|| first.clone());
        let asks = |term: &Term| matches!(&term.kind, TermKind::Builtin(word, _) if word.is_question());
        let own = self.known.is_empty() && crate::model::walk::some_term(&claim.condition, asks);
        let why = |no| alike.or(refused).unwrap_or(if own || first.why.is_empty() { no } else { first });
        let mut fact = Rc::new(fact.map_err(why)?);
        match self.proved(&mut fact, &which(claim, chosen), desk).map_err(|no| sum.unwrap_or(no))? {
            Proof::Proved(induction) => {
                Rc::make_mut(&mut self.known).push(fact);
                Ok(Settled::Holds(induction.text()))
            }
            // The least position need not be that of the least instance.
            Proof::Fails { numbers, .. } if !fact.only.made.is_empty() || !fact.only.any.is_empty() => {
                let no = No::bare(format!("the statement fails at {}, which is to be played through", shown(&numbers)));
                desk.fails_near(&no);
                Err(no)
            }
            Proof::Fails { numbers, sure } => {
                if fact.only.counts_more {
                    desk.fails_near(&No::bare(format!("the statement fails at {}", shown(&numbers))));
                }
                let named = fact.named(numbers).ok_or_else(|| No::bare("a counterexample of no names"))?;
                Ok(Settled::Fails(named, sure.then_some(Denied::Least)))
            }
            Proof::Leaves(numbers) => {
                let no = beyond(self.program, &fact, &numbers);
                let mut whole = Rc::new(whole_of(&fact).ok_or(no.clone())?);
                match self.proved(&mut whole, &which(claim, chosen), desk) {
                    Ok(Proof::Proved(induction)) => {
                        Rc::make_mut(&mut self.known).push(whole);
                        Ok(Settled::Holds(induction.text()))
                    }
                    _ => Err(no),
                }
            }
        }
    }
}

impl<'p> Prover<'_, 'p> {
    /// Proves that the values of a closed form, less `by`, are bounds of the Grundy values of the positions that it speaks of, or of all.
    fn bounded(&mut self, fact: Fact<'p>, by: u8, which: &str, desk: &ProofLog) -> Result<String, No> {
        let everywhere = Fact { only: Only { guards: Vec::new(), ..fact.only.clone() }, ..fact.clone() };
        let guarded = !fact.only.guards.is_empty();
        let mut refused = None;
        for fact in [Some(fact), guarded.then_some(everywhere)].into_iter().flatten() {
            let fact = Rc::new(fact);
            loop {
                match bounded(self.program, &self.known, &fact, by, which.to_string(), desk) {
                    Ok(text) => return Ok(text),
                    Err(no) if self.learnt(&no, &desk.limit) => {}
                    Err(no) => {
                        refused.get_or_insert(no);
                        break;
                    }
                }
            }
        }
        Err(refused.unwrap_or_else(|| No::bare(FAILS)))
    }
}

/// What became of a claim when some of its variables are chosen.
enum Settled {
    Holds(String),
    /// It fails for these values of the others, and why that is certain, if it is.
    Fails(Vec<(usize, BigUint)>, Option<Denied>),
}

/// Under which conditions a condition says what: of `A implies B` that is B, where A.
fn given(condition: &Term) -> (Vec<&Term>, &Term) {
    match &bare(condition).kind {
        TermKind::Logic(LogicOp::Implies, a, b) => {
            let (mut more, says) = given(b);
            more.insert(0, a);
            (more, says)
        }
        _ => (Vec::new(), condition),
    }
}

/// The one variable of a sum that is not known, by what the sum is; all but it are known.
fn solved(sum: &Linear, is: &Linear, known: &HashMap<Track, Linear>) -> Option<(Track, Linear)> {
    let mut open = sum.terms.iter().filter(|(track, _)| !known.contains_key(track));
    let (Some((track, factor)), None) = (open.next(), open.next()) else { return None };
    let one = BigInt::from(1);
    if factor.magnitude() != one.magnitude() {
        return None;
    }
    let mut rest = is.minus(&Linear::number(sum.constant.clone()));
    for (track, factor) in &sum.terms {
        if let Some(value) = known.get(track) {
            rest = rest.plus(&-factor, value);
        }
    }
    Some((*track, Linear::default().plus(factor, &rest)))
}

/// The closed form of which this may be one half: who loses where it speaks, and wins elsewhere, or the reverse.
fn whole_of<'p>(fact: &Rc<Fact<'p>>) -> Option<Fact<'p>> {
    let Claimed::Always(value) = fact.claimed else { return None };
    let says = match (fact.says, value) {
        (Says::Loses, true) | (Says::Wins, false) => Says::Loses,
        (Says::Wins, true) | (Says::Loses, false) => Says::Wins,
        (Says::Grundy, _) => return None,
    };
    let claimed = Claimed::Where(fact.clone());
    Some(Fact { says, claimed, only: Only::default(), turned: Vec::new(), ..(**fact).clone() })
}

/// A claim about some positions of a game, from one of which a move leads to others: what would help.
fn beyond(program: &Program, fact: &Fact<'_>, from: &[BigUint]) -> No {
    let game = &program.games[fact.game.0];
    No::bare(format!(
        "moves lead from its positions to others of which nothing is proved, from {}; it is decided if it follows from a \
         statement in the file about all positions of `{}` that is proved",
        shown(from),
        game.name
    ))
}

/// A case of the claim's proof that is not there, as its certificate calls them; a single case has no name. Truth values are variables
/// of one proof, or there is a proof for each.
pub fn missing_case(program: &Program, claim: &Claim, there: &BTreeSet<&str>) -> Option<String> {
    let missing = |truths: &[Slot]| {
        let cases = sweeps(program, claim, truths).unwrap_or_else(|| vec![Vec::new()]);
        cases.iter().map(|chosen| which(claim, chosen)).find(|case| !there.contains(case.as_str()))
    };
    let whole = missing(&truths(program, claim)).and_then(|_| missing(&[]))?;
    // Or each member of a conjunction by itself.
    let parts: Vec<Option<String>> = claim.parts.iter().map(|part| missing_case(program, part, there)).collect();
    if !parts.is_empty() && parts.iter().all(Option::is_none) { None } else { Some(whole) }
}

/// The values of the variables of a claim that are gone through, in words.
pub(super) fn which(claim: &Claim, chosen: &Chosen) -> String {
    let shown = |(slot, value): &(usize, Sym)| {
        let value = value.known().map_or_else(String::new, |value| value.inner_text());
        format!("{} = {value}", claim.frame.slots[*slot].name)
    };
    let part = (claim.part > 0).then(|| format!("part {}", claim.part));
    part.into_iter().chain(chosen.iter().map(shown)).collect::<Vec<_>>().join(", ")
}

/// What known numbers count towards the size of an instance.
pub(super) fn size<'v>(values: impl Iterator<Item = &'v Sym>) -> BigInt {
    let number = |value: &Sym| if let Sym::Int(number) = value { number.constant().cloned() } else { None };
    values.filter_map(number).map(|number| BigInt::from(number.magnitude().clone())).sum()
}
