//! One proof for all rule parameters.
//!
//! A rule parameter is a field that moves leave as it is, unless they say otherwise. So a program has a twin in which every game has its
//! rule parameters as its first fields, and in a proof there they are variables like the others; what is proved of the twin is true of the
//! program. The twin is for proofs only: nothing is searched or played there.

use crate::answer::{Finding, Verdict};
use crate::logic::symbol::No;
use crate::model::walk::{clause_terms, some_term};
use crate::model::{Claim, GameId, Kind, Program, Question, TermKind};
use crate::prover::induction::Known;
use crate::prover::periods::heaps::Heaps;
use crate::prover::proof_log::{Argument, ProofLog};
use crate::prover::{Job, Prover, called};
use grundy_automata::Limit;
use std::rc::Rc;

/// What a prover has to do with the twin of its program.
pub(super) enum Twin<'p> {
    /// There is none.
    No,
    /// It may prove there, too.
    Beside(Box<Beside<'p>>),
    /// It proves there: a counterexample is none, and periods of heaps are not known.
    Inside,
}

/// The twin, and what is proved there.
pub(super) struct Beside<'p> {
    program: &'p Program,
    known: Known<'p>,
    /// Statements that are proved of the program and were not tried here.
    others: Vec<Job<'p>>,
    /// In the last proof a position was met of which nothing is proved.
    misses: bool,
}

/// The twin of a program; `None`: no game has rule parameters that can be fields of a proof.
pub(super) fn twin(program: &Program) -> Option<Program> {
    let as_field = |kind: &Kind| matches!(kind, Kind::Nat | Kind::Bool);
    let mut twin: Option<Program> = None;
    for (id, game) in program.games.iter().enumerate() {
        if !game.params.is_empty() && game.params.iter().all(|param| as_field(&param.kind)) {
            let game = &mut twin.get_or_insert_with(|| program.clone()).games[id];
            // Slots of fields come right behind those of rule parameters, so that all names mean what they meant.
            let fields = std::mem::take(&mut game.fields);
            game.fields = std::mem::take(&mut game.params).into_iter().chain(fields).collect();
        }
    }
    twin
}

impl<'p> Twin<'p> {
    pub(super) fn beside(twin: Option<&'p Program>) -> Twin<'p> {
        let beside = |program| {
            Twin::Beside(Box::new(Beside { program, known: Rc::default(), others: Vec::new(), misses: false }))
        };
        twin.map_or(Twin::No, beside)
    }

    /// Whether the last proof there met a position of which nothing is proved; told once.
    pub(super) fn take_misses(&mut self) -> bool {
        if let Twin::Beside(beside) = self { std::mem::take(&mut beside.misses) } else { false }
    }

    /// Takes up that a statement is proved of the program.
    pub(super) fn proved_beside(&mut self, job: Job<'p>) {
        if let Twin::Beside(beside) = self {
            beside.others.push(job);
        }
    }
}

/// Whether a claim names a game that has rule parameters.
fn names_parameters(program: &Program, claim: &Claim) -> bool {
    let mut terms = clause_terms(&claim.clauses).chain([&claim.condition]);
    terms.any(|term| {
        some_term(term, |part| match &part.kind {
            TermKind::Place(place) => !program.games[place.game.0].params.is_empty(),
            _ => false,
        })
    })
}

impl<'p> Prover<'_, 'p> {
    /// The statement of the twin that is this one.
    fn of_twin(&self, twin: &'p Program, job: Job<'p>) -> Option<Job<'p>> {
        let Job::Claim(claim) = job else { return Some(job) };
        let same = |question: &Question| matches!(question, Question::Claim(other) if std::ptr::eq(other, claim));
        match twin.questions.get(self.program.questions.iter().position(same)?) {
            Some(Question::Claim(claim)) => Some(Job::Claim(claim)),
            _ => None,
        }
    }

    /// Tries to prove a statement for all rule parameters at once. Returns what is to be told, and how it was proved; `None`: it names none.
    /// Errors: what stands in the way.
    pub(super) fn for_all_parameters(
        &mut self,
        job: Job<'p>,
        finding: &Finding,
        limit: &Limit,
        keep: bool,
    ) -> Option<Result<(Finding, Argument), No>> {
        let concerned = match job {
            Job::Claim(claim) => names_parameters(self.program, claim),
            Job::Theorem(GameId(id), _) => !self.program.games[id].params.is_empty(),
        };
        if !concerned {
            return None;
        }
        let Twin::Beside(mut beside) = std::mem::replace(&mut self.twin, Twin::No) else { return None };
        let mut told = None;
        if let Some(job) = self.of_twin(beside.program, job) {
            loop {
                let proved = self.proved_of_twin(&mut beside, job, finding, ProofLog::new(limit.clone(), keep));
                let done = proved.is_ok() || beside.others.is_empty();
                told = Some(proved);
                if done {
                    break;
                }
                // What is proved of the program may help.
                for other in std::mem::take(&mut beside.others) {
                    let Some(other) = self.of_twin(beside.program, other) else { continue };
                    let named = Finding::new("", finding.kind, String::new(), finding.span);
                    // One that is not proved is of no use here.
                    let _ = self.proved_of_twin(&mut beside, other, &named, ProofLog::new(limit.clone(), false));
                }
            }
        }
        self.twin = Twin::Beside(beside);
        told
    }

    fn proved_of_twin(
        &mut self,
        beside: &mut Beside<'p>,
        job: Job<'p>,
        finding: &Finding,
        desk: ProofLog,
    ) -> Result<(Finding, Argument), No> {
        beside.known.iter().for_each(|fact| fact.used.set(false));
        let of_twin = |(job, title): &(Job<'p>, Rc<str>)| Some((self.of_twin(beside.program, *job)?, title.clone()));
        let open = self.open.iter().filter_map(of_twin).collect();
        let mut prover = Prover::new(&mut *self.ctx, beside.program, self.effort);
        (prover.known, prover.heaps, prover.twin) = (beside.known.clone(), Heaps::new(0), Twin::Inside);
        (prover.until, prover.open) = (self.until, open);
        let mut finding = finding.clone();
        finding.bound = None;
        let verdict = match job {
            Job::Claim(claim) => prover.all_cases(claim, &desk, &mut finding),
            Job::Theorem(id, index) => prover.theorem_cases(id, index, &desk, &mut finding),
        };
        beside.known = prover.known;
        beside.misses = !prover.wanted.is_empty();
        let verdict @ Verdict::Proved { .. } = verdict? else {
            return Err(No::bare("it is proved of some lengths only"));
        };
        finding.verdict = Ok(verdict);
        let mut argument = desk.argument();
        argument.rests_on(&beside.known, &called(&finding));
        Ok((finding, argument))
    }
}
